"""Statistical functions."""

import numpy as np

from gradient_cases import Case, complex_, real


def _zeros_at(x, *positions):
    x = x.copy()
    for position in positions:
        x[position] = 0
    return x


_one_zero = _zeros_at(real(2, 4), (0, 1))
_two_zeros = _zeros_at(real(2, 4), (0, 1), (0, 3), (1, 2))

CASES = [
    Case("sum", lambda xp, x: xp.sum(x**2), (real(2, 3),)),
    Case("sum", lambda xp, x: xp.sum(x, axis=-1) ** 2, (complex_(2, 3),)),
    Case("sum", lambda xp, x: xp.sum(x, axis=(0, 2), keepdims=True) * x, (real(2, 3, 2),)),
    Case("sum", lambda xp, x: xp.sum(x, axis=()) ** 2, (real(2, 3),)),
    Case("sum", lambda xp, x: xp.sum(x, dtype=xp.complex128) * 1j, (real(3),)),
    Case("sum", lambda xp, x: xp.sum(x) ** 2, (real(),)),
    Case("sum", lambda xp, x: xp.sum(x, axis=0), (real(0, 3),)),
    Case("prod", lambda xp, x: xp.prod(x), (real(2, 3),)),
    Case("prod", lambda xp, x: xp.prod(x, axis=-1), (complex_(2, 3),)),
    Case("prod", lambda xp, x: xp.prod(x, axis=(2, 0), keepdims=True), (real(2, 3, 2),)),
    Case("prod", lambda xp, x: xp.prod(x, axis=1), (_one_zero,)),
    Case("prod", lambda xp, x: xp.prod(x, axis=1), (_two_zeros,)),
    Case("prod", lambda xp, x: xp.prod(x), (_two_zeros,)),
    Case("prod", lambda xp, x: xp.prod(x, axis=0, dtype=xp.complex128) * 1j, (real(3, 2),)),
    Case("prod", lambda xp, x: xp.prod(x, axis=()) ** 2, (real(2, 3),)),
    Case("prod", lambda xp, x: xp.prod(x) ** 2, (real(),)),
    Case("prod", lambda xp, x: xp.prod(x, axis=1), (real(3, 0),)),
    Case("max", lambda xp, x: xp.max(x) ** 2, (real(2, 3),)),
    Case("max", lambda xp, x: xp.max(x, axis=(-1, 0)) ** 2, (real(2, 3, 2),)),
    Case("max", lambda xp, x: xp.max(x, axis=1, keepdims=True) * x, (real(2, 3),)),
    Case("max", lambda xp, x: xp.max(x) ** 2, (real(),)),
    Case("min", lambda xp, x: xp.min(x) ** 2, (real(2, 3),)),
    Case("min", lambda xp, x: xp.min(x, axis=(-1, 0)) ** 2, (real(2, 3, 2),)),
    Case("min", lambda xp, x: xp.min(x, axis=1, keepdims=True) * x, (real(2, 3),)),
    Case("mean", lambda xp, x: xp.mean(x) ** 2, (real(2, 3),)),
    Case("mean", lambda xp, x: xp.mean(x, axis=-1) ** 2, (complex_(2, 3),)),
    Case("mean", lambda xp, x: xp.mean(x, axis=(0, 2), keepdims=True) * x, (real(2, 3, 2),)),
    Case("mean", lambda xp, x: xp.mean(x, axis=0), (real(3, 0),)),
    Case("mean", lambda xp, x: xp.mean(x) ** 2, (real(),)),
    Case("var", lambda xp, x: xp.var(x), (real(2, 3),)),
    Case("var", lambda xp, x: xp.var(x, axis=-1, correction=1), (real(2, 3),)),
    Case("var", lambda xp, x: xp.var(x, axis=(0, 2), correction=0.5, keepdims=True), (real(2, 3, 2),)),
    Case("var", lambda xp, x: xp.var(x), (real(1),)),
    Case("std", lambda xp, x: xp.std(x), (real(2, 3),)),
    Case("std", lambda xp, x: xp.std(x, axis=-1, correction=1), (real(2, 3),)),
    Case("std", lambda xp, x: xp.std(x, axis=(0, 2), correction=0.5, keepdims=True), (real(2, 3, 2),)),
    Case("cumulative_sum", lambda xp, x: xp.cumulative_sum(x) ** 2, (real(4),)),
    Case("cumulative_sum", lambda xp, x: xp.cumulative_sum(x, axis=-1, include_initial=True), (complex_(2, 3),)),
    Case("cumulative_sum", lambda xp, x: xp.cumulative_sum(x, axis=0, dtype=xp.complex128) * 1j, (real(3, 2),)),
    Case("cumulative_sum", lambda xp, x: xp.cumulative_sum(x, axis=1, include_initial=True), (real(2, 0),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x), (real(5),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=-1, include_initial=True), (complex_(2, 3),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=0), (real(8, 2),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=1), (_one_zero,)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=1, include_initial=True), (_two_zeros,)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=0, dtype=xp.complex128) * 1j, (real(3, 2),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x, axis=1, include_initial=True), (real(2, 0),)),
    Case("cumulative_prod", lambda xp, x: xp.cumulative_prod(x), (np.asarray([0.0, 0.0, 3.0]),)),
]
