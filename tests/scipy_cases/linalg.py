"""Functions of matrices, and systems of a known form."""

import numpy as np
import scipy.linalg
from gradient_cases import Case, complex_, real

SMALL = real(2, 2) / 3
POSITIVE = np.asarray([[2.0, 0.3], [0.3, 1.5]])
_LU, _PIVOTS = scipy.linalg.lu_factor(np.asarray([[0.3, 1.0, 0.2], [1.5, 0.4, -0.2], [0.1, 0.7, 1.1]]))

CASES = [
    *[
        Case(f"linalg.{name}", lambda sp, a, name=name: getattr(sp.linalg, name)(a), (SMALL,))
        for name in ("expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm")
    ],
    Case("linalg.expm", lambda sp, a: sp.linalg.expm(a), (complex_(2, 2) / 3,)),
    Case("linalg.expm", lambda sp, a: sp.linalg.expm(a), (real(2, 2, 2) / 3,)),
    Case("linalg.cosm", lambda sp, a: sp.linalg.cosm(a), (complex_(2, 2) / 3,)),
    Case("linalg.sinm", lambda sp, a: sp.linalg.sinm(a), (complex_(2, 2) / 3,)),
    Case("linalg.logm", lambda sp, a: sp.linalg.logm(a), (POSITIVE + SMALL / 3,)),
    Case("linalg.sqrtm", lambda sp, a: sp.linalg.sqrtm(a), (POSITIVE + SMALL / 3,)),
    Case("linalg.sqrtm", lambda sp, a: sp.linalg.sqrtm(a), (POSITIVE + complex_(2, 2) / 5,)),
    Case("linalg.expm_frechet", lambda sp, a, e: sp.linalg.expm_frechet(a, e)[1], (SMALL, real(2, 2, seed=3))),
    *[
        Case(
            "linalg.solve_triangular",
            lambda sp, a, b, keywords=keywords: sp.linalg.solve_triangular(a, b, **keywords),
            (real(3, 3) + 3 * np.eye(3), real(3, seed=1)),
        )
        for keywords in ({}, {"lower": True, "trans": 1}, {"unit_diagonal": True})
    ],
    Case(
        "linalg.solve_triangular",
        lambda sp, a, b: sp.linalg.solve_triangular(a, b, 2),
        (complex_(2, 2) + 3, complex_(2, 2, seed=1)),
    ),
    Case("linalg.cholesky", lambda sp, a: sp.linalg.cholesky(a @ a.mT + 1.0), (real(2, 2) + np.eye(2),)),
    Case(
        "linalg.cho_solve",
        lambda sp, a, b: sp.linalg.cho_solve(sp.linalg.cho_factor(a @ a.mT, True), b),
        (POSITIVE, real(2)),
    ),
    Case("linalg.lu_solve", lambda sp, lu, b: sp.linalg.lu_solve((lu, _PIVOTS), b), (_LU, real(3))),
    Case("linalg.lu_solve", lambda sp, lu, b: sp.linalg.lu_solve((lu, _PIVOTS), b, 1), (_LU, real(3, 2))),
    Case(
        "linalg.solve_banded",
        lambda sp, ab, b: sp.linalg.solve_banded((1, 1), ab, b),
        (real(3, 4) + [[0], [5], [0]], real(4, seed=1)),
    ),
    Case("linalg.block_diag", lambda sp, a, b: sp.linalg.block_diag(a, b) ** 2, (real(2, 2), real(3, seed=1))),
    Case("linalg.toeplitz", lambda sp, c, r: sp.linalg.toeplitz(c, r) ** 2, (real(3), real(2, seed=1))),
    Case("linalg.circulant", lambda sp, c: sp.linalg.circulant(c) ** 2, (real(3),)),
    Case(
        "linalg.solve_toeplitz", lambda sp, c, b: sp.linalg.solve_toeplitz(c, b), (np.asarray([3.0, 0.5, 0.2]), real(3))
    ),
    Case("linalg.solve", lambda sp, a, b: sp.linalg.solve(a, b, assume_a="sym"), (real(2, 2) + 3, real(2, seed=1))),
    Case(
        "linalg.solve",
        lambda sp, a, b: sp.linalg.solve(a, b, transposed=True),
        (real(2, 2) + 3 * np.eye(2), real(2, 2, seed=1)),
    ),
]
