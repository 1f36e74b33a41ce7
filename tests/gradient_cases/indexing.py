"""Indexing functions, and ``x[key]``."""

import numpy as np

from gradient_cases import Case, complex_, real


def _like(xp, values, x):
    return xp.asarray(np.asarray(values), device=x.device)


CASES = [
    Case("take", lambda xp, x: xp.take(x, _like(xp, [2, 0, -1, 2], x)) ** 2, (real(3),)),
    Case("take", lambda xp, x: xp.take(x, _like(xp, [1, 1, -3], x), axis=-1) ** 2, (complex_(2, 3),)),
    Case("take", lambda xp, x: xp.take(x, _like(xp, [1, 0, 1], x), axis=1), (real(2, 2, 3),)),
    Case("take", lambda xp, x: xp.take(x, xp.zeros((0,), dtype=xp.int64, device=x.device), axis=0), (real(2, 3),)),
    Case("take_along_axis", lambda xp, x: xp.take_along_axis(x, xp.argsort(x)) ** 2, (real(2, 3),)),
    Case(
        "take_along_axis",
        lambda xp, x: xp.take_along_axis(x, _like(xp, [[0, 1, -1], [1, 1, 0], [0, 0, 0]], x), axis=0) ** 2,
        (complex_(2, 3),),
    ),
    Case("take_along_axis", lambda xp, x: xp.take_along_axis(x, _like(xp, [[0], [2]], x), axis=-1), (real(1, 3),)),
    Case("take_along_axis", lambda xp, x: xp.take_along_axis(x, _like(xp, [[0, 2, 2]], x)) ** 2, (real(4, 3),)),
    Case("getitem", lambda xp, x: x[1:, ::-1] ** 2, (real(3, 4),)),
    Case("getitem", lambda xp, x: x[..., None, -1] ** 2, (complex_(2, 3),)),
    Case("getitem", lambda xp, x: x[x > 0] ** 2, (real(2, 3),)),
    Case("getitem", lambda xp, x: x[_like(xp, [1, 0, 1], x), _like(xp, [2, 2, 2], x)] ** 2, (real(2, 3),)),
]
