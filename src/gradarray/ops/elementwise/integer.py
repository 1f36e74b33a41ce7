"""Operations on the bits of integers; booleans count as single bits."""

from __future__ import annotations

from ..._array import Array
from ..._dispatch import Operand, binary, unary
from ..._operations import constant


@constant
def bitwise_and(x1: Operand, x2: Operand, /) -> Array:
    """Bits that are set in both of two elements.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Integers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If one is floating-point.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_and``.
    """
    return binary(bitwise_and, x1, x2)


@constant
def bitwise_or(x1: Operand, x2: Operand, /) -> Array:
    """Bits that are set in one of two elements at least.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Integers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If one is floating-point.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_or``.
    """
    return binary(bitwise_or, x1, x2)


@constant
def bitwise_xor(x1: Operand, x2: Operand, /) -> Array:
    """Bits that are set in exactly one of two elements.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Integers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If one is floating-point.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_xor``.
    """
    return binary(bitwise_xor, x1, x2)


@constant
def bitwise_invert(x: Array, /) -> Array:
    """Each element with every bit flipped.

    Parameters
    ----------
    x : Array
        Integers or booleans.

    Returns
    -------
    Array
        Of the shape and dtype of `x`.

    Raises
    ------
    DTypeError
        If `x` is floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_invert``.
    """
    return unary(bitwise_invert, x)


@constant
def bitwise_left_shift(x1: Operand, x2: Operand, /) -> Array:
    """Bits of each element, moved to higher places; zeros follow.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Integers, and by how many places to move their bits, which must not be negative; of shapes that broadcast; at
        least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If one is floating-point, or both are boolean.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_left_shift``.
    """
    return binary(bitwise_left_shift, x1, x2)


@constant
def bitwise_right_shift(x1: Operand, x2: Operand, /) -> Array:
    """Bits of each element, moved to lower places; copies of the sign follow.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Integers, and by how many places to move their bits, which must not be negative; of shapes that broadcast; at
        least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype.

    Raises
    ------
    DTypeError
        If one is floating-point, or both are boolean.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``bitwise_right_shift``.
    """
    return binary(bitwise_right_shift, x1, x2)
