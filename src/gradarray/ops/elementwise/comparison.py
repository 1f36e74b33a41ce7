"""Comparisons, tests of single numbers, and the logic of their results. None has a derivative other than 0."""

from __future__ import annotations

from ..._array import Array
from ..._dispatch import Operand, binary, unary
from ..._operations import constant


@constant
def equal(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of two arrays are equal.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``equal``.
    """
    return binary(equal, x1, x2)


@constant
def not_equal(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of two arrays differ.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``not_equal``.
    """
    return binary(not_equal, x1, x2)


@constant
def less(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of one array are less than those of the other.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``less``.
    """
    return binary(less, x1, x2)


@constant
def less_equal(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of one array are less than or equal to those of the other.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``less_equal``.
    """
    return binary(less_equal, x1, x2)


@constant
def greater(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of one array are greater than those of the other.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``greater``.
    """
    return binary(greater, x1, x2)


@constant
def greater_equal(x1: Operand, x2: Operand, /) -> Array:
    """Whether the elements of one array are greater than or equal to those of the other.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers or booleans, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``greater_equal``.
    """
    return binary(greater_equal, x1, x2)


@constant
def isfinite(x: Array, /) -> Array:
    """Whether each element is neither infinite nor NaN, in both parts if it is complex.

    Parameters
    ----------
    x : Array
        Numbers or booleans.

    Returns
    -------
    Array
        Of the shape of `x`; boolean.

    Notes
    -----
    Standard: Elementwise functions, ``isfinite``.
    """
    return unary(isfinite, x)


@constant
def isinf(x: Array, /) -> Array:
    """Whether each element is infinite, in one part at least if it is complex.

    Parameters
    ----------
    x : Array
        Numbers or booleans.

    Returns
    -------
    Array
        Of the shape of `x`; boolean.

    Notes
    -----
    Standard: Elementwise functions, ``isinf``.
    """
    return unary(isinf, x)


@constant
def isnan(x: Array, /) -> Array:
    """Whether each element is NaN, in one part at least if it is complex.

    Parameters
    ----------
    x : Array
        Numbers or booleans.

    Returns
    -------
    Array
        Of the shape of `x`; boolean.

    Notes
    -----
    Standard: Elementwise functions, ``isnan``.
    """
    return unary(isnan, x)


@constant
def signbit(x: Array, /) -> Array:
    """Whether each element is negative, counting -0.0 and NaNs whose sign is set.

    Parameters
    ----------
    x : Array
        Real numbers or booleans.

    Returns
    -------
    Array
        Of the shape of `x`; boolean.

    Raises
    ------
    DTypeError
        If `x` is complex.

    Notes
    -----
    Standard: Elementwise functions, ``signbit``.
    """
    return unary(signbit, x)


@constant
def logical_and(x1: Operand, x2: Operand, /) -> Array:
    """Whether both of two elements are true.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Booleans, of shapes that broadcast; at least one is an array. A number is true unless it is 0.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``logical_and``.
    """
    return binary(logical_and, x1, x2)


@constant
def logical_or(x1: Operand, x2: Operand, /) -> Array:
    """Whether one of two elements at least is true.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Booleans, of shapes that broadcast; at least one is an array. A number is true unless it is 0.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``logical_or``.
    """
    return binary(logical_or, x1, x2)


@constant
def logical_xor(x1: Operand, x2: Operand, /) -> Array:
    """Whether exactly one of two elements is true.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Booleans, of shapes that broadcast; at least one is an array. A number is true unless it is 0.

    Returns
    -------
    Array
        Of the broadcast shape; boolean.

    Raises
    ------
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Standard: Elementwise functions, ``logical_xor``.
    """
    return binary(logical_xor, x1, x2)


@constant
def logical_not(x: Array, /) -> Array:
    """Whether each element is false.

    Parameters
    ----------
    x : Array
        Booleans. A number is true unless it is 0.

    Returns
    -------
    Array
        Of the shape of `x`; boolean.

    Notes
    -----
    Standard: Elementwise functions, ``logical_not``.
    """
    return unary(logical_not, x)
