"""Linear algebra: the standard's extension ``linalg``."""

from ..ops.beyond.norms import norm
from ..ops.linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from .decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from .norms import matrix_norm, matrix_rank, vector_norm
from .products import cross, diagonal, matrix_power, outer, trace
from .systems import det, inv, pinv, slogdet, solve

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
