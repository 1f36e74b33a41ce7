"""Sums, products, quotients and what they leave over."""

from __future__ import annotations

from ..._array import Array
from ..._dispatch import Operand, binary, unary
from ..._operations import constant, derivative, same
from .. import _rules


@derivative(x1=same, x2=same, kind="elementwise")
def add(x1: Operand, x2: Operand, /) -> Array:
    """Sum of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Terms, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype; for two boolean arrays their logical or.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``add``.
    """
    return binary(add, x1, x2)


@derivative(x1=same, x2=lambda xp, g: -g, kind="elementwise")
def subtract(x1: Operand, x2: Operand, /) -> Array:
    """Difference of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Minuend and subtrahend, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If both are boolean.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``subtract``.
    """
    return binary(subtract, x1, x2)


@derivative(
    x1=lambda xp, g, x2: g * _rules.conj(x2),
    x2=lambda xp, g, x1: g * _rules.conj(x1),
    kind="elementwise",
)
def multiply(x1: Operand, x2: Operand, /) -> Array:
    """Product of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Factors, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype; for two boolean arrays their logical and.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``multiply``.
    """
    return binary(multiply, x1, x2)


@derivative(
    x1=lambda xp, g, x2: g / _rules.conj(x2),
    x2=lambda xp, g, x2, out: -g * _rules.conj(out) / _rules.conj(x2),
    kind="elementwise",
)
def divide(x1: Operand, x2: Operand, /) -> Array:
    """Quotient of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Dividend and divisor, of shapes that broadcast; at least one is an array. Integers and booleans count as
        float64.

    Returns
    -------
    Array
        Of the broadcast shape; floating-point.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``divide``.
    """
    return binary(divide, x1, x2)


@constant
def floor_divide(x1: Operand, x2: Operand, /) -> Array:
    """Largest integer that is not greater than the quotient, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Dividend and divisor, real, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype. The result is never tracked.

    Raises
    ------
    DTypeError
        If both are boolean, or one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    The derivative is 0, at the steps too.

    Standard: Elementwise functions, ``floor_divide``.
    """
    return binary(floor_divide, x1, x2)


@derivative(
    x1=same,
    x2=lambda xp, g, x1, x2: -g * xp.floor_divide(x1, x2),
    kind="elementwise",
)
def remainder(x1: Operand, x2: Operand, /) -> Array:
    """What floor division leaves over, element by element; it has the sign of the divisor.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Dividend and divisor, real, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If both are boolean, or one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    The derivative is 1 in `x1` and ``-floor(x1 / x2)`` in `x2`, at the steps too.

    Standard: Elementwise functions, ``remainder``.
    """
    return binary(remainder, x1, x2)


@derivative(x=lambda xp, g: -g, kind="elementwise")
def negative(x: Array, /) -> Array:
    """Each element with the opposite sign.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape and dtype of `x`.

    Raises
    ------
    DTypeError
        If `x` is boolean.

    Notes
    -----
    Standard: Elementwise functions, ``negative``.
    """
    return unary(negative, x)


@derivative(x=same, kind="elementwise")
def positive(x: Array, /) -> Array:
    """Copy of a numeric array.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape and dtype of `x`, in memory of its own.

    Raises
    ------
    DTypeError
        If `x` is boolean.

    Notes
    -----
    Standard: Elementwise functions, ``positive``.
    """
    return unary(positive, x)
