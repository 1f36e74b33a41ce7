"""Linear algebra beyond the standard: functions of matrices, and systems of a known form."""

from ...linalg import det, eigh, eigvalsh, inv, norm, pinv, svd, svdvals
from ._functions import coshm, cosm, expm, expm_frechet, logm, sinhm, sinm, sqrtm, tanhm, tanm
from ._systems import (
    block_diag,
    cho_factor,
    cho_solve,
    cholesky,
    circulant,
    lu_solve,
    solve,
    solve_banded,
    solve_toeplitz,
    solve_triangular,
    toeplitz,
)

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "circulant",
    "coshm",
    "cosm",
    "det",
    "eigh",
    "eigvalsh",
    "expm",
    "expm_frechet",
    "inv",
    "logm",
    "lu_solve",
    "norm",
    "pinv",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_toeplitz",
    "solve_triangular",
    "sqrtm",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]
