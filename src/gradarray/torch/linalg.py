"""Linear algebra: PyTorch's module ``torch.linalg``, over `gradarray.linalg`."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

from typing import Any, cast

import gradarray as ga

from . import _missing
from ._calls import call, converted, matmul
from ._reductions import returns
from ._shapes import cross
from ._shapes import diagonal as _diagonal
from ._tensor import Tensor

_eigh, _eig = (
    returns("linalg_eigh", "eigenvalues", "eigenvectors"),
    returns("linalg_eig", "eigenvalues", "eigenvectors"),
)
_svd, _qr = returns("linalg_svd", "U", "S", "Vh"), returns("linalg_qr", "Q", "R")
_slogdet = returns("linalg_slogdet", "sign", "logabsdet")


def _one(result: Any) -> Tensor:
    return cast(Tensor, result)


def det(A: Tensor) -> Tensor:
    """Determinant of each square matrix of a stack."""
    return _one(call(ga.linalg.det, A))


def slogdet(A: Tensor) -> Any:
    """Sign, and logarithm of the absolute value, of the determinant of each square matrix of a stack."""
    return _slogdet(*call(lambda x: tuple(ga.linalg.slogdet(x)), A))


def inv(A: Tensor) -> Tensor:
    """Inverse of each square matrix of a stack."""
    return _one(call(ga.linalg.inv, A))


def pinv(A: Tensor, *, rtol: Any = None) -> Tensor:
    """Pseudo-inverse of each matrix of a stack."""
    return _one(call(ga.linalg.pinv, A, rtol=rtol))


def solve(A: Tensor, B: Tensor) -> Tensor:
    """Solution of each square system of linear equations of a stack."""
    return _one(call(ga.linalg.solve, A, B))


def cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    """Triangular factor of each Hermitian positive-definite matrix of a stack."""
    return _one(call(ga.linalg.cholesky, A, upper=upper))


def qr(A: Tensor, mode: str = "reduced") -> Any:
    """Orthonormal columns and upper triangular factor of each matrix of a stack."""
    return _qr(*call(lambda x: tuple(ga.linalg.qr(x, mode=mode)), A))


def eigh(A: Tensor) -> Any:
    """Eigenvalues and orthonormal eigenvectors of each Hermitian matrix of a stack."""
    return _eigh(*call(lambda x: tuple(ga.linalg.eigh(x)), A))


def eigvalsh(A: Tensor) -> Tensor:
    """Eigenvalues of each Hermitian matrix of a stack."""
    return _one(call(ga.linalg.eigvalsh, A))


def eig(A: Tensor) -> Any:
    """Eigenvalues and eigenvectors of each square matrix of a stack."""
    return _eig(*call(lambda x: tuple(ga.linalg.eig(x)), A))


def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues of each square matrix of a stack."""
    return _one(call(ga.linalg.eigvals, A))


def svd(A: Tensor, full_matrices: bool = True) -> Any:
    """Singular values, and orthonormal singular vectors of both sides, of each matrix of a stack."""
    return _svd(*call(lambda x: tuple(ga.linalg.svd(x, full_matrices=full_matrices)), A))


def svdvals(A: Tensor) -> Tensor:
    """Singular values of each matrix of a stack."""
    return _one(call(ga.linalg.svdvals, A))


def matrix_rank(A: Tensor, *, rtol: Any = None) -> Tensor:
    """Number of singular values of each matrix of a stack that are not negligible."""
    return _one(call(ga.linalg.matrix_rank, A, rtol=rtol))


def matrix_power(A: Tensor, n: int) -> Tensor:
    """Power of each square matrix of a stack with an integer exponent."""
    return _one(call(ga.linalg.matrix_power, A, n))


def vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Norm of the vectors along axes."""
    return _one(call(ga.linalg.vector_norm, x, axis=dim, keepdims=keepdim, ord=ord))


def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False) -> Tensor:
    """Norm of the matrices that two axes make."""
    return _one(call(ga.linalg.norm, A, ord, tuple(dim), keepdim))


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Norm of vectors along one axis, or of matrices along two; without `ord` the 2-norm of all elements."""
    if ord is None:
        return vector_norm(A, 2, dim, keepdim)
    return _one(call(ga.linalg.norm, A, ord, tuple(dim) if isinstance(dim, list) else dim, keepdim))


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Dot product of the vectors along an axis, the first one conjugated."""
    return _one(call(ga.vecdot, *converted((x, y)), axis=dim))


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Diagonal of each matrix of a stack."""
    return _diagonal(A, offset, dim1, dim2)


def __getattr__(name: str) -> Any:
    raise AttributeError(_missing.explain(name, "gradarray.torch.linalg"), name=name)


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
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "vecdot",
    "vector_norm",
]
