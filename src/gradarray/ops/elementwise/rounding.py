"""Rounding to integers. The derivatives are 0, at the steps too."""

from __future__ import annotations

from ..._array import Array
from ..._dispatch import unary
from ..._operations import constant


@constant
def floor(x: Array, /) -> Array:
    """Largest integer that is not greater than each element.

    Parameters
    ----------
    x : Array
        Real numbers; integers and booleans stay what they are.

    Returns
    -------
    Array
        Of the shape and dtype of `x`. The result is never tracked.

    Raises
    ------
    DTypeError
        If `x` is complex.

    Notes
    -----
    The derivative is 0, at the steps too.

    Standard: Elementwise functions, ``floor``.
    """
    return unary(floor, x)


@constant
def ceil(x: Array, /) -> Array:
    """Smallest integer that is not less than each element.

    Parameters
    ----------
    x : Array
        Real numbers; integers and booleans stay what they are.

    Returns
    -------
    Array
        Of the shape and dtype of `x`. The result is never tracked.

    Raises
    ------
    DTypeError
        If `x` is complex.

    Notes
    -----
    The derivative is 0, at the steps too.

    Standard: Elementwise functions, ``ceil``.
    """
    return unary(ceil, x)


@constant
def trunc(x: Array, /) -> Array:
    """Integer next to each element on the side of 0.

    Parameters
    ----------
    x : Array
        Real numbers; integers and booleans stay what they are.

    Returns
    -------
    Array
        Of the shape and dtype of `x`. The result is never tracked.

    Raises
    ------
    DTypeError
        If `x` is complex.

    Notes
    -----
    The derivative is 0, at the steps too.

    Standard: Elementwise functions, ``trunc``.
    """
    return unary(trunc, x)


@constant
def round(x: Array, /) -> Array:
    """Integer nearest to each element, the even one where two are equally near.

    Parameters
    ----------
    x : Array
        Numbers; complex ones are rounded part by part, integers and booleans stay what they are.

    Returns
    -------
    Array
        Of the shape and dtype of `x`. The result is never tracked.

    Notes
    -----
    The derivative is 0, at the steps too.

    Standard: Elementwise functions, ``round``.
    """
    return unary(round, x)
