"""Searching, sorting, set, utility and data type functions."""

import numpy as np

from gradient_cases import Case, complex_, real

_mask = np.asarray([[True, False, True], [False, False, True]])


def _where(xp, x1, x2, *, at):
    return xp.where(xp.asarray(_mask, device=at.device), x1, x2)


CASES = [
    Case("where", lambda xp, x, y: _where(xp, x, y, at=x) ** 2, (real(2, 3), real(2, 3, seed=1))),
    Case("where", lambda xp, x, y: _where(xp, x, y, at=x) ** 2, (real(2, 1), real(seed=1))),
    Case("where", lambda xp, x, y: _where(xp, x, y, at=x) ** 2, (real(3), complex_(2, 3, seed=1))),
    Case("where", lambda xp, x: _where(xp, x, 1.5, at=x) ** 2, (real(2, 3),)),
    Case("where", lambda xp, x: _where(xp, 2j, x, at=x) ** 2, (real(2, 3),)),
    Case("where", lambda xp, x: xp.where(x[:0] > 0, x[:0], 0), (real(2, 3),)),
    Case("sort", lambda xp, x: xp.sort(x) ** 2, (real(2, 4),)),
    Case("sort", lambda xp, x: xp.sort(x, axis=0, descending=True) * x, (real(4, 2),)),
    Case("sort", lambda xp, x: xp.sort(x, axis=1, stable=False) ** 2, (real(2, 3, 2),)),
    Case("sort", lambda xp, x: xp.sort(x, axis=1), (real(2, 0),)),
    Case("unique_all", lambda xp, x: xp.unique_all(x).values ** 2, (real(2, 3),)),
    Case("unique_counts", lambda xp, x: xp.unique_counts(x).values ** 2, (real(4),)),
    Case("unique_inverse", lambda xp, x: xp.unique_inverse(x).values ** 2, (real(),)),
    Case("unique_values", lambda xp, x: xp.unique_values(x) ** 2, (complex_(2, 3),)),
    Case("unique_values", lambda xp, x: xp.unique_values(x) ** 2, (real(2, 3),)),
    Case("astype", lambda xp, x: xp.astype(x, xp.complex128) * x, (complex_(2, 3),)),
    Case("diff", lambda xp, x: xp.diff(x) ** 2, (real(2, 4),)),
    Case("diff", lambda xp, x: xp.diff(x, axis=0, n=2), (complex_(4, 2),)),
    Case("diff", lambda xp, x: xp.diff(x, n=0) ** 2, (real(3),)),
    Case("diff", lambda xp, x, y: xp.diff(x, prepend=y, append=0.5) ** 2, (real(2, 3), real(2, 2, seed=1))),
    Case("diff", lambda xp, x, y: xp.diff(x, n=2, axis=0, append=y) ** 2, (real(3, 2), real(seed=1))),
    Case("diff", lambda xp, x: xp.diff(x, n=3), (real(2, 2),)),
    Case("astype", lambda xp, x: xp.astype(x, xp.complex128) * 1j, (real(2, 3),)),
    Case("astype", lambda xp, x: xp.astype(x, xp.float64) ** 2, (real(),)),
]
