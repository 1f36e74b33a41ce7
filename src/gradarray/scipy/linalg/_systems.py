"""Systems of equations with matrices of a known form, and such matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._dispatch import check_devices
from ..._operations import composite
from ...linalg import cholesky as lower_factor
from ...linalg import solve as solve_dense
from ...linalg._matrices import square_matrices
from ...ops.conversion import asarray
from ...ops.creation import eye, tril, triu, zeros
from ...ops.elementwise import conj
from ...ops.elementwise._domain import as_floating
from ...ops.indexing import take
from ...ops.manipulation import concat, flip, reshape
from ..interpolate._banded import solve_banded as solve_bands


def _solved(a: Array, b: Array) -> Array:
    """The solution, for a vector on the right as for a matrix."""
    return solve_dense(a, b[..., None])[..., 0] if b.ndim == 1 else solve_dense(a, b)


def _adjoint(a: Array) -> Array:
    return conj(a.mT) if a.dtype.kind == "c" else a.mT


def _operands(op: Any, *operands: tuple[str, Any]) -> list[Array]:
    check_devices(op.__name__, list(operands))
    device = next((x.device for _, x in operands if isinstance(x, Array)), None)
    return [as_floating(asarray(x, device=device)) for _, x in operands]


@composite
def solve_triangular(
    a: Array,
    b: Array,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """Solution of a system of equations with a triangular matrix.

    Parameters
    ----------
    a : Array
        Of the shape ``(n, n)``; the other triangle is not read.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    trans : {0, 1, 2, "N", "T", "C"}, default: 0
        Whether to take the matrix, its transpose, or its conjugate transpose.
    lower : bool, default: False
        Whether the lower triangle is meant.
    unit_diagonal : bool, default: False
        Whether the diagonal is taken for ones.
    overwrite_b, check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `b`.

    Raises
    ------
    ArgumentValueError
        If there is no such `trans`.
    LinearAlgebraError
        If the matrix is singular.

    Notes
    -----
    As ``scipy.linalg.solve_triangular``. Differentiable in both; the other triangle has gradient 0.
    """
    a, b = _operands(solve_triangular, ("a", a), ("b", b))
    a = square_matrices(solve_triangular, a)
    keep = tril if lower else triu
    if unit_diagonal:
        a = keep(a, k=-1 if lower else 1) + eye(a.shape[-1], dtype=a.dtype, device=a.device)
    else:
        a = keep(a)
    if trans in (1, "T"):
        a = a.mT
    elif trans in (2, "C"):
        a = _adjoint(a)
    elif trans not in (0, "N"):
        raise _errors.ArgumentValueError(f"solve_triangular(): there is no trans {trans!r}\nFix: use 0, 1 or 2")
    return _solved(a, b)


@composite
def cholesky(a: Array, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Triangular factor of a positive definite matrix.

    Parameters
    ----------
    a : Array
        Of the shape ``(..., n, n)``.
    lower : bool, default: False
        Whether to give the lower factor; the upper one is given otherwise.
    overwrite_a, check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `a`.

    Notes
    -----
    As ``scipy.linalg.cholesky``.
    """
    a = square_matrices(cholesky, as_floating(a))
    # Only one triangle is read, whichever the library reads.
    one, strict = (tril(a), tril(a, k=-1)) if lower else (triu(a), triu(a, k=1))
    factor = lower_factor(one + _adjoint(strict))
    return factor if lower else _adjoint(factor)


@composite
def cho_factor(
    a: Array, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, bool]:
    """Triangular factor of a positive definite matrix, for `cho_solve`.

    Parameters
    ----------
    a : Array
        Of the shape ``(n, n)``.
    lower : bool, default: False
        Whether to give the lower factor.
    overwrite_a, check_finite
        Not used.

    Returns
    -------
    tuple
        The factor, and `lower`.

    Notes
    -----
    As ``scipy.linalg.cho_factor``; the other triangle is 0.
    """
    return cholesky(a, lower), lower


@composite
def cho_solve(c_and_lower: tuple[Array, bool], b: Array, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Solution of a system of equations with a matrix of which the triangular factor is known.

    Parameters
    ----------
    c_and_lower : tuple
        What `cho_factor` gives.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    overwrite_b, check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `b`.

    Notes
    -----
    As ``scipy.linalg.cho_solve``. Differentiable in the factor and in `b`.
    """
    factor, lower = c_and_lower
    first, second = (0, 2) if lower else (2, 0)
    return solve_triangular(factor, solve_triangular(factor, b, first, lower), second, lower)


@composite
def lu_solve(
    lu_and_piv: tuple[Array, Any], b: Array, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Array:
    """Solution of a system of equations with a matrix of which both triangular factors are known.

    Parameters
    ----------
    lu_and_piv : tuple
        Both factors in one matrix, and with which row each was exchanged: constants.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    trans : {0, 1, 2}, default: 0
        As for `solve_triangular`.
    overwrite_b, check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `b`.

    Notes
    -----
    As ``scipy.linalg.lu_solve``. Differentiable in the factors and in `b`.
    """
    lu, pivots = lu_and_piv
    lu, b = _operands(lu_solve, ("lu", lu), ("b", b))
    order = list(range(lu.shape[-1]))
    host = pivots._host() if isinstance(pivots, Array) else np.asarray(pivots)
    for row, other in enumerate(host.tolist()):
        order[row], order[other] = order[other], order[row]
    back = [order.index(row) for row in range(len(order))]
    if not trans:
        b = take(b, asarray(order, device=b.device), axis=0)
        return solve_triangular(lu, solve_triangular(lu, b, 0, True, True))
    found = solve_triangular(lu, solve_triangular(lu, b, trans), trans, True, True)
    return take(found, asarray(back, device=b.device), axis=0)


@composite
def solve_banded(
    l_and_u: tuple[int, int],
    ab: Array,
    b: Array,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Array:
    """Solution of a system of equations with a banded matrix.

    Parameters
    ----------
    l_and_u : tuple of int
        How many diagonals there are below the main one, and above it.
    ab : Array
        The diagonals as rows, from the uppermost, of the shape ``(l + u + 1, n)``.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    overwrite_ab, overwrite_b, check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `b`.

    Raises
    ------
    ShapeError
        If `ab` has not as many rows.

    Notes
    -----
    As ``scipy.linalg.solve_banded``. Differentiable in both.
    """
    below, above = l_and_u
    ab, b = _operands(solve_banded, ("ab", ab), ("b", b))
    if ab.ndim != 2 or ab.shape[0] != below + above + 1:
        raise _errors.ShapeError(
            _errors.message(
                "solve_banded", f"ab must have {below + above + 1} rows", [("ab", ab)], "give each diagonal"
            )
        )
    found = solve_bands(ab, b[:, None] if b.ndim == 1 else b, lower=below, upper=above)
    return found[:, 0] if b.ndim == 1 else found


@composite
def block_diag(*arrs: Any) -> Array:
    """Matrix with matrices along its diagonal, and zeros elsewhere.

    Parameters
    ----------
    *arrs : Array
        Matrices; vectors are rows.

    Returns
    -------
    Array
        The large matrix.

    Notes
    -----
    As ``scipy.linalg.block_diag``.
    """
    arrays = _operands(block_diag, *[(f"arrs[{number}]", x) for number, x in enumerate(arrs)])
    blocks = [reshape(x, (1, -1)) if x.ndim < 2 else x for x in arrays]
    width = sum(x.shape[1] for x in blocks)
    rows, before = [], 0
    for x in blocks:
        left = zeros((x.shape[0], before), dtype=x.dtype, device=x.device)
        right = zeros((x.shape[0], width - before - x.shape[1]), dtype=x.dtype, device=x.device)
        rows.append(concat([left, x, right], axis=1))
        before += x.shape[1]
    return concat(rows, axis=0)


@composite
def toeplitz(c: Array, r: Any = None) -> Array:
    """Matrix with constant diagonals.

    Parameters
    ----------
    c : Array
        First column, 1-D.
    r : Array, optional
        First row, whose first element is not read; the conjugate of `c` by default.

    Returns
    -------
    Array
        Of the shape ``(len(c), len(r))``.

    Notes
    -----
    As ``scipy.linalg.toeplitz``.
    """
    c, r = _operands(toeplitz, ("c", c), ("r", conj(as_floating(asarray(c))) if r is None else r))
    values = concat([flip(c), r[1:]])
    at = np.arange(c.size)[:, None] * -1 + np.arange(r.size) + c.size - 1
    return reshape(take(values, asarray(at.reshape(-1), device=c.device), axis=0), at.shape)


@composite
def circulant(c: Array) -> Array:
    """Matrix whose columns are one vector, each moved down by one more.

    Parameters
    ----------
    c : Array
        First column, 1-D.

    Returns
    -------
    Array
        Of the shape ``(n, n)``.

    Notes
    -----
    As ``scipy.linalg.circulant``.
    """
    (c,) = _operands(circulant, ("c", c))
    at = (np.arange(c.size)[:, None] - np.arange(c.size)) % max(c.size, 1)
    return reshape(take(c, asarray(at.reshape(-1), device=c.device), axis=0), at.shape)


@composite
def solve_toeplitz(c_or_cr: Any, b: Array, check_finite: bool = True) -> Array:
    """Solution of a system of equations with a matrix of constant diagonals.

    Parameters
    ----------
    c_or_cr : Array, or tuple of two
        First column, or first column and first row.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    check_finite
        Not used.

    Returns
    -------
    Array
        Of the shape of `b`.

    Notes
    -----
    As ``scipy.linalg.solve_toeplitz``; here the matrix is made and solved as any other.
    """
    column, row = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)
    return _solved(toeplitz(column, row), _operands(solve_toeplitz, ("b", b))[0])


@composite
def solve(a: Array, b: Array, lower: bool = False, *, assume_a: str | None = None, transposed: bool = False) -> Array:
    """Solution of a system of linear equations.

    Parameters
    ----------
    a : Array
        Of the shape ``(n, n)``.
    b : Array
        Right side, of the shape ``(n,)`` or ``(n, k)``.
    lower : bool, default: False
        Whether the lower triangle of a symmetric or triangular matrix is read.
    assume_a : str, optional
        What is known of the matrix: ``"general"``, ``"symmetric"``, ``"hermitian"``, ``"positive definite"``,
        ``"upper triangular"``, ``"lower triangular"``, or their short names.
    transposed : bool, default: False
        Whether to take the transpose.

    Returns
    -------
    Array
        Of the shape of `b`.

    Raises
    ------
    ArgumentValueError
        If there is no such assumption.

    Notes
    -----
    As ``scipy.linalg.solve``. What is not read has gradient 0.
    """
    a, b = _operands(solve, ("a", a), ("b", b))
    kinds = {"sym": "symmetric", "her": "hermitian", "pos": "positive definite", "gen": "general", None: "general"}
    kind = kinds.get(assume_a, assume_a)
    if kind in ("symmetric", "hermitian", "positive definite"):
        one, strict = (tril(a), tril(a, k=-1)) if lower else (triu(a), triu(a, k=1))
        a = one + (strict.mT if kind == "symmetric" else _adjoint(strict))
    elif kind in ("upper triangular", "lower triangular"):
        a = triu(a) if kind.startswith("upper") else tril(a)
    elif kind != "general":
        raise _errors.ArgumentValueError(f"solve(): there is no assumption {assume_a!r}\nFix: use 'general'")
    return _solved(a.mT if transposed else a, b)
