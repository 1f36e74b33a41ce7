"""Products of vectors and matrices, and the parts of a matrix that they are made of."""

from __future__ import annotations

from math import prod
from typing import Any

from .. import _errors
from .._array import Array
from .._dispatch import run, run_view
from .._operations import composite, derivative
from ..ops import _rules, creation, data_type, elementwise, linear_algebra, manipulation, searching, statistical
from ..ops._arguments import integer
from ..ops._extras import Description
from ..ops.linear_algebra import operands, shared_axis
from ._matrices import matrices, square_matrices
from .systems import inv


@derivative(
    x1=lambda xp, g, x2, *, axis: xp.linalg.cross(_rules.conj(x2), g, axis=axis),
    x2=lambda xp, g, x1, *, axis: xp.linalg.cross(g, _rules.conj(x1), axis=axis),
    kind="bilinear",
)
def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Cross product of vectors of three elements.

    Parameters
    ----------
    x1, x2 : Array
        Numeric arrays that broadcast, except along `axis`, whose length is 3 in both.
    axis : int, default: -1
        The axis of the vectors, counted from the last: negative. From the front only if both have as many axes.

    Returns
    -------
    Array
        The cross products, along the same axis, in the promoted dtype.

    Raises
    ------
    AxisError
        If one of the operands does not have the axis.
    ShapeError
        If the axis is not of length 3, or the others do not broadcast.

    Notes
    -----
    Standard: Linear algebra extension, ``cross``.
    """
    x1, x2 = operands(cross, x1, x2)
    number = shared_axis(cross, x1, x2, axis)
    if x1.shape[number] != 3:
        problem = f"axis {number} must have length 3, not {x1.shape[number]}"
        raise _errors.ShapeError(
            _errors.message("cross", problem, [("x1", x1), ("x2", x2)], "pad vectors of two elements with a zero")
        )
    return run(cross, x1, x2, axis=number)


@composite
def outer(x1: Array, x2: Array, /) -> Array:
    """Product of each element of a vector with each element of another.

    Parameters
    ----------
    x1 : Array
        Numeric array of shape ``(N,)``.
    x2 : Array
        Numeric array of shape ``(M,)``.

    Returns
    -------
    Array
        Array of shape ``(N, M)`` in the promoted dtype. Neither operand is conjugated.

    Raises
    ------
    ShapeError
        If an operand is not 1-D.

    Notes
    -----
    Standard: Linear algebra extension, ``outer``.
    """
    x1, x2 = operands(outer, x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise _errors.ShapeError(
            _errors.message("outer", "operands must be 1-D", [("x1", x1), ("x2", x2)], "reshape them to (-1,)")
        )
    return elementwise.multiply(manipulation.expand_dims(x1, axis=1), x2)


# --- diagonals -------------------------------------------------------------------------------------------------------


def _diagonal_x(xp: Any, g: Any, like: Any, *, offset: int) -> Any:
    # In a flattened matrix a diagonal is a slice with a step. It ends with the diagonal's last element: one that went
    # on would come out in the next rows of a matrix with more rows than columns.
    n_columns = like.shape[-1]
    first = offset if offset >= 0 else -offset * n_columns
    count = g.shape[-1]
    key = slice(first, first + (count - 1) * (n_columns + 1) + 1, n_columns + 1) if count else slice(0, 0)
    flat = Description((*like.shape[:-2], prod(like.shape[-2:])), like.dtype, like.device)
    return xp.reshape(xp.scatter(g, like=flat, key=(..., key)), tuple(like.shape))


@derivative(x=_diagonal_x, kind="linear", masks=True)
def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """Diagonal of each matrix of a stack; a view.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``.
    offset : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array
        Array of shape ``(..., K)``, empty if the offset lies outside the matrix. It shares the memory of `x` where the
        backend can, and is read-only where the backend says so, as NumPy does.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.

    Notes
    -----
    Standard: Linear algebra extension, ``diagonal``.
    """
    x = matrices(diagonal, x)
    return run_view(diagonal, x, offset=integer(diagonal, "offset", offset))


@composite
def trace(x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Sum of a diagonal of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Numeric array of shape ``(..., M, N)``.
    offset : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.
    dtype : dtype, optional
        Data type in which to add; by default that of `x`, or the default integer dtype for smaller integers.

    Returns
    -------
    Array
        Array of shape ``(...)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.

    Notes
    -----
    Standard: Linear algebra extension, ``trace``.
    """
    x = matrices(trace, x)
    return statistical.sum(diagonal(x, offset=integer(trace, "offset", offset)), axis=-1, dtype=dtype)


# --- powers ----------------------------------------------------------------------------------------------------------


@composite
def matrix_power(x: Array, n: int, /) -> Array:
    """Power of each square matrix of a stack with an integer exponent.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, M)``. Integers are multiplied as they are; if `n` is negative, they become the
        default real dtype.
    n : int
        The exponent; a negative one needs matrices that can be inverted.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`: the identity for 0, of the inverse for a negative exponent. A new array,
        also for 1.

    Raises
    ------
    ShapeError
        If the matrices are not square.
    LinearAlgebraError
        If `n` is negative and a matrix is singular.

    Notes
    -----
    The derivative for exponent 0 is zero.

    Standard: Linear algebra extension, ``matrix_power``.
    """
    x = square_matrices(matrix_power, x)
    exponent = integer(matrix_power, "n", n)
    if exponent == 0:
        eye = creation.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        # The choice is always `eye`: the result depends on x, with derivative zero.
        return searching.where(elementwise.isfinite(eye), eye, x)
    if exponent < 0:
        return inv(x) if exponent == -1 else matrix_power(inv(x), -exponent)
    if exponent == 1:
        return data_type.astype(x, x.dtype, copy=True)
    result = None
    square = x
    while True:
        exponent, odd = divmod(exponent, 2)
        if odd:
            result = square if result is None else linear_algebra.matmul(result, square)
        if not exponent:
            assert result is not None
            return result
        square = linear_algebra.matmul(square, square)
