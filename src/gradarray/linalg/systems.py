"""Inverses, systems of equations, determinants."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _errors
from .._array import Array
from .._dispatch import finish, run, run_several, translated, unwrap
from .._operations import derivative
from ..ops._rules import conj, is_complex
from ..ops.linear_algebra import operands
from ._matrices import (
    adjoint,
    columns,
    floating,
    identity,
    matrices,
    per_matrix,
    relative_tolerance,
    rows,
    square_matrices,
)

# --- inverses --------------------------------------------------------------------------------------------------------


def _inv_x(xp: Any, g: Any, out: Any) -> Any:
    inverse = adjoint(xp, out)
    return -xp.matmul(inverse, xp.matmul(g, inverse))


@derivative(x=_inv_x, kind="matrix")
def inv(x: Array, /) -> Array:
    """Inverse of each square matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``; integers become the default real dtype.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If a matrix is singular, on backends that find out.

    Notes
    -----
    Derivative: ``-y^H @ g @ y^H`` with the inverse ``y``.

    Standard: Linear algebra extension, ``inv``.
    """
    return run(inv, floating(inv, square_matrices(inv, x)))


def _pinv_x(xp: Any, g: Any, x: Any, out: Any) -> Any:
    g, outer = adjoint(xp, g), adjoint(xp, out)
    # With the projectors on what the matrix does not reach written out, no identity is needed.
    left = xp.matmul(g, xp.matmul(out, outer))
    right = xp.matmul(xp.matmul(outer, out), g)
    left = left - xp.matmul(x, xp.matmul(out, left))
    right = right - xp.matmul(xp.matmul(right, out), x)
    return left + right - xp.matmul(outer, xp.matmul(adjoint(xp, g), outer))


@derivative(x=_pinv_x, kind="matrix")
def pinv(x: Array, /, *, rtol: Any = None) -> Array:
    """Pseudo-inverse (Moore-Penrose) of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``; integers become the default real dtype.
    rtol : float or Array, optional
        Singular values up to `rtol` times the largest one count as zero. An array, real and on the device of `x`, must
        broadcast against ``(...)``. By default ``max(M, N)`` times the machine epsilon.

    Returns
    -------
    Array
        Array of shape ``(..., N, M)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.
    DTypeError
        If `rtol` is an array that is not of a real floating-point dtype.
    DeviceMismatchError
        If `rtol` is an array on another device.

    Notes
    -----
    The derivative is that among matrices of the same rank: elsewhere the pseudo-inverse is not continuous.

    Standard: Linear algebra extension, ``pinv``.
    """
    x = floating(pinv, matrices(pinv, x))
    tolerance = relative_tolerance(pinv, x, rtol)._data
    device, raws, nodes = unwrap(pinv, (x,))
    try:
        out = device.kernels[pinv](*raws, rtol=tolerance)
    except Exception as error:
        raise translated(error, pinv, (x,)) from error
    # The tolerance is no parameter of the record: no rule reads it.
    return finish(pinv, out, device, raws, nodes, {})


def _solve(xp: Any, g: Any, x1: Any, out: Any, *, needed: tuple[bool, bool]) -> list[Any]:
    # Only a right side of exactly one axis gives a result with fewer axes than the matrices have.
    vector = len(out.shape) < len(x1.shape)
    if vector:
        g, out = columns(xp, g), columns(xp, out)
    g = xp.linalg.solve(adjoint(xp, x1), g)
    first = -xp.matmul(g, adjoint(xp, out)) if needed[0] else None
    second = g if needed[1] else None
    return [first, xp.squeeze(second, axis=-1) if vector and needed[1] else second]


@derivative(joint=_solve)
def solve(x1: Array, x2: Array, /) -> Array:
    """Solution of each square system of linear equations of a stack.

    Parameters
    ----------
    x1 : Array
        Coefficients, of shape ``(..., M, M)``. Integers become the default real dtype.
    x2 : Array
        Right sides: of shape ``(M,)``, one for all matrices, or of shape ``(..., M, K)``, whose leading axes broadcast
        against those of `x1`.

    Returns
    -------
    Array
        The ``x`` with ``x1 @ x = x2``, in the promoted dtype: of shape ``(..., M)`` for a 1-D `x2`, else
        ``(..., M, K)``.

    Raises
    ------
    ShapeError
        If the matrices are not square, or if the shapes do not fit.
    LinearAlgebraError
        If a matrix is singular, on backends that find out.

    Notes
    -----
    Derivative: in `x2` the solution ``h`` of ``x1^H @ h = g``, in `x1` ``-h @ y^H`` with the result ``y``.

    Standard: Linear algebra extension, ``solve``.
    """
    x1, x2 = operands(solve, x1, x2)
    x1, x2 = floating(solve, square_matrices(solve, x1, name="x1")), floating(solve, x2)
    length = x2.shape[-1 if x2.ndim == 1 else -2] if x2.ndim else None
    if length != x1.shape[-1]:
        both = [("x1", x1), ("x2", x2)]
        problem = "x2 must have shape (M,) or (..., M, K) for x1 of shape (..., M, M)"
        raise _errors.ShapeError(_errors.message("solve", problem, both, "transpose or reshape x2"))
    return run(solve, x1, x2)


# --- determinants ----------------------------------------------------------------------------------------------------


def _leave_one_out(xp: Any, x: Any) -> Any:
    """For each element along the last axis the product of all others, without a division."""
    before = xp.cumulative_prod(x, axis=-1, include_initial=True)[..., :-1]
    after = xp.flip(xp.cumulative_prod(xp.flip(x, axis=-1), axis=-1, include_initial=True)[..., :-1], axis=-1)
    return before * after


def _raw_cofactors(xp: Any, x: Any) -> Any:
    left, values, right = xp.linalg.svd(x, full_matrices=False)
    phase = per_matrix(xp, xp.linalg.det(left) * xp.linalg.det(right))
    return phase * xp.matmul(conj(left) * rows(xp, _leave_one_out(xp, values)), conj(right))


def _cofactors_x(xp: Any, g: Any, x: Any) -> Any:
    left, values, right = xp.linalg.svd(x, full_matrices=False)
    eye = identity(xp, x)
    limit = float(xp.finfo(values.dtype).eps) ** 0.25
    regular = per_matrix(xp, values[..., -1] > limit * values[..., 0])
    # Where the matrix can be inverted, cofactors are det * inv^T: to be differentiated to any order.
    safe = xp.where(regular, x, eye)
    inverse = adjoint(xp, xp.linalg.inv(safe))
    inner = per_matrix(xp, xp.sum(g * inverse, axis=(-2, -1)))
    at_regular = per_matrix(xp, conj(xp.linalg.det(safe))) * (
        inverse * inner - xp.matmul(inverse, xp.matmul(xp.matrix_transpose(g), inverse))
    )
    # Elsewhere, in the bases of the singular vectors, the matrix is diagonal, and the derivative of its cofactors is
    # made of the products of all singular values but two.
    ones = xp.ones_like(rows(xp, values))
    diagonal = identity(xp, ones + columns(xp, values))
    others = xp.where(diagonal == 1, diagonal, ones * rows(xp, values))
    products = _leave_one_out(xp, others) * (1 - diagonal)
    phase = per_matrix(xp, conj(xp.linalg.det(left) * xp.linalg.det(right)))
    turned = phase * xp.matmul(xp.matrix_transpose(left), xp.matmul(g, xp.matrix_transpose(right)))
    sums = xp.sum(products * rows(xp, xp.linalg.diagonal(turned)), axis=-1)
    inner = diagonal * columns(xp, sums) - xp.matrix_transpose(products * turned)
    at_singular = xp.matmul(left, xp.matmul(inner, right))
    return xp.where(regular, at_regular, at_singular)


@derivative(x=_cofactors_x, kind="matrix")
def cofactors(x: Array, /) -> Array:
    """Cofactors of each square matrix of a stack: the determinant's derivative, defined for singular matrices too."""
    return finish(cofactors, _raw_cofactors(x.device.xp, x._data), x.device, (x._data,), (x._node,), {})


def _cofactors(xp: Any, x: Any) -> Any:
    length = x.shape[-1]
    if length < 2:
        return xp.ones_like(x)
    if length == 2:
        return xp.flip(x, axis=(-2, -1)) * (2 * identity(xp, x) - 1)
    if length == 3:
        return xp.linalg.cross(xp.roll(x, -1, axis=-2), xp.roll(x, -2, axis=-2), axis=-1)
    return cofactors(x) if isinstance(x, Array) else _raw_cofactors(xp, x)


@derivative(x=lambda xp, g, x: per_matrix(xp, g) * conj(_cofactors(xp, x)), kind="matrix")
def det(x: Array, /) -> Array:
    """Determinant of each square matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``; integers become the default real dtype.

    Returns
    -------
    Array
        Array of shape ``(...)`` and of the dtype of `x`.

    Raises
    ------
    ShapeError
        If the matrices are not square.

    Notes
    -----
    Derivative: the matrix of cofactors, conjugated: exact for singular matrices also, to second order; to any order
    for matrices of up to three rows and for those that can be inverted.

    Standard: Linear algebra extension, ``det``.
    """
    return run(det, floating(det, square_matrices(det, x)))


class SlogdetResult(NamedTuple):
    """Sign and logarithm of the absolute value of determinants."""

    sign: Array
    logabsdet: Array


def _slogdet_x(xp: Any, g: list[Any], x: Any, out: Any) -> Any:
    g_sign, g_log = g
    sign, logabsdet = out
    if g_sign is not None and is_complex(sign):
        # The sign is exp(i t) and turns with the imaginary part of the logarithm.
        turn = conj(g_sign) * sign
        turn = (conj(turn) - turn) / 2
        g_log = turn if g_log is None else g_log + turn
    if g_log is None:
        return None
    g_log = per_matrix(xp, g_log)
    singular = per_matrix(xp, xp.isinf(logabsdet))
    inverse = adjoint(xp, xp.linalg.inv(xp.where(singular, identity(xp, x), x)))
    # Linear in the cotangent: whether it is 0 must not be asked here, for forward mode is had from this rule.
    return g_log * xp.where(singular, float("nan"), inverse)


@derivative(x=_slogdet_x, kind="matrix")
def slogdet(x: Array, /) -> SlogdetResult:
    """Sign, and logarithm of the absolute value, of the determinant of each square matrix of a stack.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``; integers become the default real dtype.

    Returns
    -------
    SlogdetResult
        Named tuple ``(sign, logabsdet)`` of arrays of shape ``(...)``; the sign in the dtype of `x`, the logarithm
        real. For a singular matrix 0 and ``-inf``.

    Raises
    ------
    ShapeError
        If the matrices are not square.

    Notes
    -----
    The sign of a real matrix is constant; that of a complex one is differentiable. In a singular matrix the logarithm
    has no derivative: its gradient is nan there, and 0 if where() or indexing says that the matrix does not matter.

    Standard: Linear algebra extension, ``slogdet``.
    """
    return SlogdetResult(*run_several(slogdet, floating(slogdet, square_matrices(slogdet, x))))
