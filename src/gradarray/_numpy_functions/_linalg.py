"""NumPy's ``linalg``."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._products import _dot
from ._table import array, floating, host, implements, is_complex, normal_axes, written

# --- norms -----------------------------------------------------------------------------------------------------------


@implements("linalg.norm")
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002 - NumPy's name
    x = floating(x)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            return ga.linalg.vector_norm(x, axis=None, keepdims=bool(keepdims))
        axis = tuple(range(x.ndim))
    axes = normal_axes(tuple(axis) if isinstance(axis, (tuple, list)) else axis, x.ndim)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise _errors.ArgumentValueError(f"numpy.linalg.norm(): {ord!r} is no norm of vectors\nFix: pass a number")
        return ga.linalg.vector_norm(x, axis=axes[0], keepdims=bool(keepdims), ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise _errors.ArgumentValueError("numpy.linalg.norm(): norms are of vectors or matrices\nFix: name 1 or 2 axes")
    rest = [number for number in range(x.ndim) if number not in axes]
    matrices = ga.permute_dims(x, (*rest, *axes))
    kind = "fro" if ord is None or ord == "f" else ord
    if kind not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise _errors.ArgumentValueError(f"numpy.linalg.norm(): {ord!r} is no norm of matrices\nFix: use 'fro' or 2")
    found = ga.linalg.matrix_norm(matrices, ord=kind)
    if not keepdims:
        return found
    return ga.reshape(found, tuple([1 if number in axes else x.shape[number] for number in range(x.ndim)]))


@implements("linalg.matrix_norm")
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:  # noqa: A002 - NumPy's name
    return ga.linalg.matrix_norm(floating(x), keepdims=bool(keepdims), ord=ord)


@implements("linalg.vector_norm")
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:  # noqa: A002
    return ga.linalg.vector_norm(floating(x), axis=axis, keepdims=bool(keepdims), ord=ord)


@implements("linalg.cond")
def _cond(x: Any, p: Any = None) -> Any:
    x = floating(x)
    if p is None or p in (2, -2):
        values = ga.linalg.svdvals(x)
        return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    return ga.linalg.matrix_norm(x, ord=p) * ga.linalg.matrix_norm(ga.linalg.inv(x), ord=p)


# --- systems ---------------------------------------------------------------------------------------------------------


@implements("linalg.inv")
def _inv(a: Any) -> Any:
    return ga.linalg.inv(array(a))


@implements("linalg.det")
def _det(a: Any) -> Any:
    return ga.linalg.det(array(a))


@implements("linalg.slogdet")
def _slogdet(a: Any) -> Any:
    return ga.linalg.slogdet(array(a))


@implements("linalg.solve")
def _solve(a: Any, b: Any) -> Any:
    return ga.linalg.solve(array(a), array(b))


def _tolerance(x: Array, tolerance: Any) -> Any:
    if tolerance is None:
        return None
    return tolerance if type(tolerance) is Array else ga.asarray(tolerance, dtype=ga.real(x).dtype)


@implements("linalg.pinv")
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    x = floating(a)
    if rtol is np._NoValue:
        rtol = 1e-15 if rcond is None else rcond
    return ga.linalg.pinv(x, rtol=_tolerance(x, rtol))


class LstsqResult(NamedTuple):
    """The least-squares solution, the squares that are left, the rank and the singular values."""

    x: Array
    residuals: Array
    rank: Array
    singular_values: Array


@implements("linalg.lstsq")
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    matrix, right = floating(a), floating(b)
    vector = right.ndim == 1
    if vector:
        right = ga.expand_dims(right, axis=1)
    m, n = matrix.shape
    values = ga.linalg.svdvals(matrix)
    eps = ga.finfo(matrix.dtype).eps
    tolerance = eps * max(m, n) if rcond is None else eps if rcond == -1 else float(rcond)
    rank = ga.count_nonzero(values > tolerance * values[0]) if values.size else ga.asarray(0)
    found = ga.matmul(ga.linalg.pinv(matrix, rtol=ga.asarray(tolerance, dtype=values.dtype)), right)
    if m > n and int(rank) == n:
        # Once more, on what is left: the product with a pseudo-inverse has not the digits of an orthogonal solution.
        left = right - ga.matmul(matrix, found)
        residuals = ga.sum(ga.real(left) ** 2 + ga.imag(left) ** 2 if is_complex(left) else left * left, axis=0)
    else:
        residuals = ga.zeros((0,), dtype=values.dtype)
    return LstsqResult(found[:, 0] if vector else found, residuals, rank, values)


@implements("linalg.tensorinv")
def _tensorinv(a: Any, ind: int = 2) -> Any:
    x = floating(a)
    if ind <= 0:
        raise _errors.ArgumentValueError(f"numpy.linalg.tensorinv(): ind is {ind}\nFix: pass a positive number")
    rows = math.prod(x.shape[ind:])
    inverse = ga.linalg.inv(ga.reshape(x, (rows, -1)))
    return ga.reshape(inverse, (*x.shape[ind:], *x.shape[:ind]))


@implements("linalg.tensorsolve")
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    x, right = floating(a), floating(b)
    if axes is not None:
        last = normal_axes(tuple(axes), x.ndim)
        x = ga.permute_dims(x, (*[number for number in range(x.ndim) if number not in last], *last))
    shape = x.shape[-(x.ndim - right.ndim) :]
    size = math.prod(shape)
    return ga.reshape(ga.linalg.solve(ga.reshape(x, (-1, size)), ga.reshape(right, (-1,))), shape)


# --- decompositions --------------------------------------------------------------------------------------------------


def _lower(a: Any, UPLO: str) -> Array:
    """A matrix whose lower triangle is the one that is meant."""
    if UPLO.upper() not in ("L", "U"):
        raise _errors.ArgumentValueError(f"numpy.linalg.eigh(): UPLO is {UPLO!r}\nFix: pass 'L' or 'U'")
    x = array(a)
    if UPLO.upper() == "L":
        return x
    return ga.conj(ga.matrix_transpose(x)) if is_complex(x) else ga.matrix_transpose(x)


@implements("linalg.eigh")
def _eigh(a: Any, UPLO: str = "L") -> Any:
    return ga.linalg.eigh(_lower(a, UPLO))


@implements("linalg.eigvalsh")
def _eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return ga.linalg.eigvalsh(_lower(a, UPLO))


def _all_real(x: Array, values: Array) -> bool:
    """Whether NumPy would answer with real numbers."""
    return not is_complex(x) and bool(ga.all(ga.imag(values) == 0))


@implements("linalg.eig")
def _eig(a: Any) -> Any:
    x = floating(a)
    values, vectors = found = ga.linalg.eig(x)
    return type(found)(ga.real(values), ga.real(vectors)) if _all_real(x, values) else found


@implements("linalg.eigvals")
def _eigvals(a: Any) -> Any:
    x = floating(a)
    values = ga.linalg.eigvals(x)
    return ga.real(values) if _all_real(x, values) else values


@implements("linalg.svd")
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if not compute_uv:
        return ga.linalg.svdvals(array(a))
    return ga.linalg.svd(array(a), full_matrices=bool(full_matrices))


@implements("linalg.svdvals")
def _svdvals(x: Any, /) -> Any:
    return ga.linalg.svdvals(array(x))


@implements("linalg.cholesky")
def _cholesky(a: Any, /, *, upper: bool = False) -> Any:
    return ga.linalg.cholesky(array(a), upper=bool(upper))


@implements("linalg.qr")
def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode == "r":
        return ga.linalg.qr(array(a), mode="reduced").R
    return ga.linalg.qr(array(a), mode=mode) if mode in ("reduced", "complete") else NotImplemented


# --- products --------------------------------------------------------------------------------------------------------


@implements("linalg.matrix_power")
def _matrix_power(a: Any, n: Any) -> Any:
    return ga.linalg.matrix_power(array(a), int(n))


@implements("linalg.multi_dot")
def _multi_dot(arrays: Any, *, out: Any = None) -> Any:
    parts = [array(x) for x in arrays]
    if len(parts) < 2:
        raise _errors.ArgumentValueError("numpy.linalg.multi_dot(): there are too few arrays\nFix: pass two or more")
    if len(parts) == 2:
        return written(_dot(*parts), out, "linalg.multi_dot")
    first, last = parts[0].ndim == 1, parts[-1].ndim == 1
    if first:
        parts[0] = ga.expand_dims(parts[0], axis=0)
    if last:
        parts[-1] = ga.expand_dims(parts[-1], axis=1)
    lengths = [parts[0].shape[0], *[x.shape[1] for x in parts]]
    order = _cheapest(lengths)

    def product(i: int, j: int) -> Array:
        return parts[i] if i == j else ga.matmul(product(i, order[i, j]), product(order[i, j] + 1, j))

    found = product(0, len(parts) - 1)
    found = ga.squeeze(found, axis=0) if first else found
    return written(ga.squeeze(found, axis=-1) if last else found, out, "linalg.multi_dot")


def _cheapest(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Where to part each chain of matrices so that the fewest numbers are multiplied."""
    count = len(lengths) - 1
    costs = {(i, i): 0 for i in range(count)}
    order: dict[tuple[int, int], int] = {}
    for span in range(1, count):
        for i in range(count - span):
            j = i + span
            costs[i, j], order[i, j] = min(
                (costs[i, k] + costs[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1], k) for k in range(i, j)
            )
    return order


@implements("linalg.cross")
def _cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return ga.linalg.cross(array(x1), array(x2), axis=axis)


@implements("linalg.outer")
def _outer(x1: Any, x2: Any, /) -> Any:
    return ga.linalg.outer(array(x1), array(x2))


@implements("linalg.matmul")
def _matmul(x1: Any, x2: Any, /) -> Any:
    return ga.matmul(array(x1), array(x2))


@implements("linalg.vecdot")
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return ga.vecdot(array(x1), array(x2), axis=axis)


@implements("linalg.diagonal")
def _diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return ga.linalg.diagonal(array(x), offset=offset)


@implements("linalg.trace")
def _trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return ga.linalg.trace(array(x), offset=offset, dtype=dtype)


@implements("linalg.matrix_rank")
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    x = array(A)
    if x.ndim < 2:
        return ga.asarray(int(np.any(host(x) != 0)))
    if tol is None:
        return ga.linalg.matrix_rank(x, rtol=_tolerance(floating(x), rtol))
    values = ga.linalg.svdvals(floating(x))
    limit = array(tol) if np.ndim(tol) == 0 else ga.expand_dims(array(tol), axis=-1)
    return ga.count_nonzero(values > limit, axis=-1)
