"""Factorisations and spectra of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _errors
from .._array import Array
from .._dispatch import run, run_several
from .._operations import derivative
from ..ops._rules import conj
from ._matrices import (
    adjoint,
    columns,
    defined,
    floating,
    hermitian,
    inverse_or_zero,
    lower_half,
    matrices,
    negligible,
    rows,
    square_matrices,
    warn_of_ties,
)

# --- triangular factors ----------------------------------------------------------------------------------------------


def _cholesky_x(xp: Any, g: Any, out: Any, *, upper: bool) -> Any:
    if upper:
        g, out = adjoint(xp, g), adjoint(xp, out)
    outer = adjoint(xp, out)
    g = xp.linalg.solve(outer, lower_half(xp, xp.matmul(outer, g)))
    return hermitian(xp, xp.linalg.solve(outer, adjoint(xp, g)))


@derivative(x=_cholesky_x, kind="matrix")
def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Triangular factor of each Hermitian positive-definite matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``, of which one triangle is read; integers become the default real dtype.
    upper : bool, default: False
        Return the upper factor ``U`` with ``x = U^H @ U`` in place of the lower one ``L`` with ``x = L @ L^H``.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`, with a positive real diagonal.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If a matrix is not positive definite, on backends that find out.

    Notes
    -----
    The gradient is Hermitian: the one whose inner product with a Hermitian direction is the derivative.

    Standard: Linear algebra extension, ``cholesky``.
    """
    return run(cholesky, floating(cholesky, square_matrices(cholesky, x)), upper=bool(upper))


class QRResult(NamedTuple):
    """Factors of QR decompositions."""

    Q: Array
    R: Array


def _qr_x(xp: Any, g: list[Any], out: Any) -> Any:
    q, r = out
    g_q = xp.zeros_like(q) if g[0] is None else g[0]
    g_r = xp.zeros_like(r) if g[1] is None else g[1]
    length = min(q.shape[-2], r.shape[-1])
    if not length:
        return xp.matmul(g_q, r)
    if q.shape[-1] > length:
        # Complete factors of tall matrices: the further columns are a basis of what is orthogonal to the first ones,
        # and turn with them. How they turn among themselves is arbitrary and taken for zero.
        further, g_further = q[..., length:], g_q[..., length:]
        q, g_q, r, g_r = q[..., :length], g_q[..., :length], r[..., :length, :], g_r[..., :length, :]
        g_q = g_q - xp.matmul(further, xp.matmul(adjoint(xp, g_further), q))
    wide = None
    if r.shape[-1] > length:
        # The columns after the first square block are Q @ R, with the Q of that block.
        rest, wide = r[..., length:], g_r[..., length:]
        r, g_r = r[..., :length], g_r[..., :length]
        g_q = g_q + xp.matmul(q, xp.matmul(rest, adjoint(xp, wide)))
        wide = xp.matmul(q, wide)
    inner = xp.matmul(adjoint(xp, q), g_q)
    outer = xp.matmul(g_r, adjoint(xp, r))
    difference = inner - outer
    outer = outer + lower_half(xp, difference - adjoint(xp, difference))
    g_x = g_q + xp.matmul(q, outer - inner)
    with defined("qr", "the first columns of x, as many as there are in Q, are linearly dependent"):
        g_x = adjoint(xp, xp.linalg.solve(r, adjoint(xp, g_x)))
    return g_x if wide is None else xp.concat([g_x, wide], axis=-1)


@derivative(x=_qr_x, kind="matrix")
def qr(x: Array, /, *, mode: str = "reduced") -> QRResult:
    """Orthonormal columns and upper triangular factor of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``; integers become the default real dtype.
    mode : {"reduced", "complete"}, default: "reduced"
        ``"reduced"``: ``K = min(M, N)`` columns; ``"complete"``: all ``M`` of them.

    Returns
    -------
    QRResult
        Named tuple ``(Q, R)`` with ``x = Q @ R``, of shapes ``(..., M, K)`` and ``(..., K, N)``, or ``(..., M, M)`` and
        ``(..., M, N)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.
    ArgumentValueError
        If `mode` is another word.
    NoDerivativeError
        In backward, if the first ``K`` columns of a matrix are linearly dependent: the factors are not differentiable.

    Notes
    -----
    The further columns of a complete ``Q`` are any basis of a space. Their derivative is that of the space: right for
    what does not depend on the choice of the basis, such as their projector.

    Standard: Linear algebra extension, ``qr``.
    """
    x = floating(qr, matrices(qr, x))
    if mode not in ("reduced", "complete"):
        raise _errors.ArgumentValueError(
            _errors.message("qr", f"there is no mode {mode!r}", [("x", x)], "pass 'reduced' or 'complete'")
        )
    return QRResult(*run_several(qr, x, mode=mode))


# --- Hermitian matrices ----------------------------------------------------------------------------------------------


class EighResult(NamedTuple):
    """Eigenvalues and eigenvectors of Hermitian matrices."""

    eigenvalues: Array
    eigenvectors: Array


def _eigh_x(xp: Any, g: list[Any], out: Any) -> Any:
    values, vectors = out
    g_values, g_vectors = g
    if not values.shape[-1]:
        return xp.zeros_like(vectors)
    outer = adjoint(xp, vectors)
    result = None
    if g_vectors is not None:
        gaps = inverse_or_zero(xp, rows(xp, values) - columns(xp, values), negligible(xp, values, values.shape[-1]))
        inner = xp.matmul(outer, g_vectors)
        warn_of_ties("eigh", "eigenvalues", gaps, inner)
        result = xp.matmul(vectors, hermitian(xp, gaps * inner))
    if g_values is not None:
        scaled = vectors * rows(xp, g_values)
        result = scaled if result is None else result + scaled
    return xp.matmul(result, outer)


@derivative(x=_eigh_x, kind="matrix")
def eigh(x: Array, /) -> EighResult:
    """Eigenvalues and orthonormal eigenvectors of each Hermitian matrix of a stack.

    Derivative at equal eigenvalues: the terms that their eigenvectors leave undetermined are 0.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``, of which one triangle is read; integers become the default real dtype.

    Returns
    -------
    EighResult
        Named tuple ``(eigenvalues, eigenvectors)``: real, ascending, of shape ``(..., M)``; and columns, of shape
        ``(..., M, M)`` and the dtype of `x`.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If the computation does not converge.

    Notes
    -----
    The gradient is Hermitian: the one whose inner product with a Hermitian direction is the derivative. The factor of
    absolute value 1 that each eigenvector is free to have is taken to be constant: the gradient is right for what does
    not depend on it, such as projectors, and is not checked for anything else. Eigenvalues that differ by rounding
    errors count as equal; what is set to 0 there is right for a function that turns with their vectors, such as the
    projector on all of them, but not for one like ``V @ diag(f(w)) @ V^H``, whose derivative there is not had from the
    factors. The same holds for the gradient's own derivative.

    Standard: Linear algebra extension, ``eigh``.
    """
    return EighResult(*run_several(eigh, floating(eigh, square_matrices(eigh, x))))


def _eigvalsh_x(xp: Any, g: Any, x: Any) -> Any:
    vectors = xp.linalg.eigh(x)[1]
    return xp.matmul(vectors * rows(xp, g), adjoint(xp, vectors))


@derivative(x=_eigvalsh_x, kind="matrix")
def eigvalsh(x: Array, /) -> Array:
    """Eigenvalues of each Hermitian matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``, of which one triangle is read; integers become the default real dtype.

    Returns
    -------
    Array
        Real array of shape ``(..., M)``, ascending, of the precision of `x`.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If the computation does not converge.

    Notes
    -----
    The gradient is Hermitian, and finite for equal eigenvalues. Its own derivative has terms between equal eigenvalues
    that are set to 0.

    Standard: Linear algebra extension, ``eigvalsh``.
    """
    return run(eigvalsh, floating(eigvalsh, square_matrices(eigvalsh, x)))


# --- general square matrices -----------------------------------------------------------------------------------------


class EigResult(NamedTuple):
    """Eigenvalues and eigenvectors of general matrices."""

    eigenvalues: Array
    eigenvectors: Array


def _eig_x(xp: Any, g: list[Any], out: Any) -> Any:
    values, vectors = out
    g_values, g_vectors = g
    if not values.shape[-1]:
        return xp.zeros_like(vectors)
    outer = adjoint(xp, vectors)
    result = None
    if g_vectors is not None:
        inner = xp.matmul(outer, g_vectors)
        # The vectors keep length 1: what would change it is taken out.
        lengths = xp.real(xp.linalg.diagonal(inner))
        inner = inner - xp.matmul(outer, vectors * rows(xp, lengths))
        gaps = inverse_or_zero(xp, rows(xp, values) - columns(xp, values), negligible(xp, values, values.shape[-1]))
        warn_of_ties("eig", "eigenvalues", gaps, inner)
        result = xp.matmul(conj(gaps) * inner, outer)
    if g_values is not None:
        scaled = columns(xp, g_values) * outer
        result = scaled if result is None else result + scaled
    with defined("eig", "the eigenvectors of a matrix are linearly dependent"):
        return xp.linalg.solve(outer, result)


@derivative(x=_eig_x, kind="matrix")
def eig(x: Array, /) -> EigResult:
    """Eigenvalues and eigenvectors of each square matrix of a stack.

    Derivative at equal eigenvalues: the terms that their eigenvectors leave undetermined are 0.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``; integers become the default real dtype.

    Returns
    -------
    EigResult
        Named tuple ``(eigenvalues, eigenvectors)``, always complex: of shape ``(..., M)``, in no particular order; and
        columns of length 1, of shape ``(..., M, M)``.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If the computation does not converge.
    NoDerivativeError
        In backward, if the computed eigenvectors of a matrix are linearly dependent.

    Notes
    -----
    The factor of absolute value 1 that each eigenvector is free to have is taken to be constant: the gradient is right
    for what does not depend on it, such as projectors, and is not checked for anything else. Eigenvalues that differ by
    rounding errors count as equal.

    Standard: Linear algebra extension, ``eig``.
    """
    return EigResult(*run_several(eig, floating(eig, square_matrices(eig, x))))


def _eigvals_x(xp: Any, g: Any, x: Any) -> Any:
    outer = adjoint(xp, xp.linalg.eig(x)[1])
    with defined("eigvals", "the eigenvectors of a matrix are linearly dependent"):
        return xp.linalg.solve(outer, columns(xp, g) * outer)


@derivative(x=_eigvals_x, kind="matrix")
def eigvals(x: Array, /) -> Array:
    """Eigenvalues of each square matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``; integers become the default real dtype.

    Returns
    -------
    Array
        Complex array of shape ``(..., M)``, also for real `x`, in no particular order.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If the computation does not converge.
    NoDerivativeError
        In backward, if the computed eigenvectors of a matrix are linearly dependent.

    Notes
    -----
    The derivative is infinite where there are fewer independent eigenvectors than rows; rounding errors make it large.

    Standard: Linear algebra extension, ``eigvals``.
    """
    return run(eigvals, floating(eigvals, square_matrices(eigvals, x)))


# --- singular values -------------------------------------------------------------------------------------------------


class SVDResult(NamedTuple):
    """Factors of singular value decompositions."""

    U: Array
    S: Array
    Vh: Array


def _svd_x(xp: Any, g: list[Any], out: Any) -> Any:
    left, values, right = out
    n_rows, n_columns, length = left.shape[-2], right.shape[-1], values.shape[-1]
    g_left = xp.zeros_like(left) if g[0] is None else g[0]
    g_right = xp.zeros_like(right) if g[2] is None else g[2]
    if not length:
        return xp.matmul(g_left[..., :0], right[..., :0, :])
    # Full matrices: the further vectors are a basis of what is orthogonal to the first ones, and turn with them. How
    # they turn among themselves is arbitrary and taken for zero.
    if left.shape[-1] > length:
        further, g_further = left[..., length:], g_left[..., length:]
        left, g_left = left[..., :length], g_left[..., :length]
        g_left = g_left - xp.matmul(further, xp.matmul(adjoint(xp, g_further), left))
    if right.shape[-2] > length:
        further, g_further = right[..., length:, :], g_right[..., length:, :]
        right, g_right = right[..., :length, :], g_right[..., :length, :]
        g_right = g_right - xp.matmul(xp.matmul(right, adjoint(xp, g_further)), further)
    limit = negligible(xp, values, max(n_rows, n_columns))
    skew_left = xp.matmul(adjoint(xp, left), g_left)
    skew_left = skew_left - adjoint(xp, skew_left)
    skew_right = xp.matmul(right, adjoint(xp, g_right))
    skew_right = skew_right - adjoint(xp, skew_right)
    # Split into what turns both sides alike and what turns them against each other, only the first is undetermined at
    # equal singular values, and only the second at zeros.
    gaps = inverse_or_zero(xp, rows(xp, values) - columns(xp, values), limit)
    warn_of_ties("svd", "singular values", gaps, skew_left, skew_right)
    alike = gaps * (skew_left + skew_right)
    against = inverse_or_zero(xp, rows(xp, values) + columns(xp, values), limit) * (skew_left - skew_right)
    inner = xp.matmul(left, (alike + against) / 2)
    if g[1] is not None:
        inner = inner + left * rows(xp, g[1])
    inverse = inverse_or_zero(xp, rows(xp, values), limit)
    if n_rows > length:
        outside = g_left * inverse
        inner = inner + outside - xp.matmul(left, xp.matmul(adjoint(xp, left), outside))
    result = xp.matmul(inner, right)
    if n_columns > length:
        outside = xp.matrix_transpose(inverse) * g_right
        outside = outside - xp.matmul(xp.matmul(outside, adjoint(xp, right)), right)
        result = result + xp.matmul(left, outside)
    return result


@derivative(x=_svd_x, kind="matrix")
def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """Singular values, and orthonormal singular vectors of both sides, of each matrix of a stack.

    Derivative at equal or zero singular values: the terms that their vectors leave undetermined are 0.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``; integers become the default real dtype.
    full_matrices : bool, default: True
        Complete the vectors of either side to a basis: shapes ``(..., M, M)`` and ``(..., N, N)``, else ``(..., M, K)``
        and ``(..., K, N)`` with ``K = min(M, N)``.

    Returns
    -------
    SVDResult
        Named tuple ``(U, S, Vh)`` with ``x = U @ diag(S) @ Vh``; ``S`` real, descending, of shape ``(..., K)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.
    LinearAlgebraError
        If the computation does not converge.

    Notes
    -----
    The factor of absolute value 1 that each pair of vectors is free to have is taken to be constant: the gradient is
    right for what does not depend on it, such as projectors and ``U @ Vh``, and is not checked for anything else. The
    further vectors of full matrices are any basis of a space; their derivative is that of the space. Singular values
    that differ by rounding errors count as equal, and those of the size of rounding errors as zero; the gradient's own
    derivative has further terms between them that are set to 0.

    Standard: Linear algebra extension, ``svd``.
    """
    return SVDResult(*run_several(svd, floating(svd, matrices(svd, x)), full_matrices=bool(full_matrices)))


def _svdvals_x(xp: Any, g: Any, x: Any) -> Any:
    left, _, right = xp.linalg.svd(x, full_matrices=False)
    return xp.matmul(left * rows(xp, g), right)


@derivative(x=_svdvals_x, kind="matrix")
def svdvals(x: Array, /) -> Array:
    """Singular values of each matrix of a stack.

    Derivative at equal or zero singular values: ``U @ diag(g) @ Vh`` with any choice of the vectors, always finite.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``; integers become the default real dtype.

    Returns
    -------
    Array
        Real array of shape ``(..., min(M, N))``, descending, of the precision of `x`.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.
    LinearAlgebraError
        If the computation does not converge.

    Notes
    -----
    The gradient's own derivative has terms between equal singular values that are set to 0.

    Standard: Linear algebra extension, ``svdvals``.
    """
    return run(svdvals, floating(svdvals, matrices(svdvals, x)))
