"""Magnitude, sign, and the larger and smaller of two."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ..._dispatch import Operand, as_array, binary, check_devices, unary, wrap
from ..._operations import composite, derivative, same
from .. import _rules
from ._domain import floating_pair
from .arithmetic import positive


@derivative(x=lambda xp, g, x: g * xp.sign(x), kind="pointwise")
def abs(x: Array, /) -> Array:
    """Absolute value of each element.

    Parameters
    ----------
    x : Array
        Numbers of any kind; booleans stay what they are.

    Returns
    -------
    Array
        Of the shape and dtype of `x`; for complex numbers of the real dtype of the same precision.

    Notes
    -----
    The derivative at 0 is 0.

    Standard: Elementwise functions, ``abs``.
    """
    return unary(abs, x)


def _sign(xp: Any, g: Any, x: Any, out: Any) -> Any:
    # Along the ray to x nothing changes; across it the arc is as long as the step divided by the distance.
    along = out * xp.real(g * _rules.conj(out))
    return (g - along) / _rules.divisor(xp, xp.abs(x))


@derivative(x=_sign, kind="pointwise")
def sign(x: Array, /) -> Array:
    """Sign of each element: -1, 0 or 1; for complex numbers the number of magnitude 1 in their direction, or 0.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape and dtype of `x`. For real numbers the result is never tracked.

    Raises
    ------
    DTypeError
        If `x` is boolean.

    Notes
    -----
    The derivative is 0 for real numbers and at 0.

    Standard: Elementwise functions, ``sign``.
    """
    x = as_array(sign, x)
    if x._node is not None and x.dtype.kind != "c":
        x = wrap(x._data, x._device)
    return unary(sign, x)


@derivative(x1=lambda xp, g, x1, out: g * (xp.sign(x1) * xp.sign(out)), kind="elementwise")
def copysign(x1: Operand, x2: Operand, /) -> Array:
    """Magnitude of one array with the sign of the other, element by element.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers that give the magnitude and the sign, of shapes that broadcast; at least one is an array. Integers
        and booleans count as float64.

    Returns
    -------
    Array
        Of the broadcast shape; floating-point.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    The derivative is 0 in `x2`, and in `x1` where that is 0.

    Standard: Elementwise functions, ``copysign``.
    """
    return floating_pair(copysign, x1, x2)


@derivative(x1=same, kind="elementwise")
def nextafter(x1: Operand, x2: Operand, /) -> Array:
    """Next number that the data type has, from each element towards that of the other array.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers from which to start and towards which to go, of shapes that broadcast; at least one is an array.
        Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the broadcast shape; floating-point.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    The derivative is 1 in `x1` and 0 in `x2`.

    Standard: Elementwise functions, ``nextafter``.
    """
    return floating_pair(nextafter, x1, x2)


def _share(xp: Any, g: Any, x1: Any, x2: Any, out: Any) -> Any:
    """The part of `g` for `x1`, where `out` is `x1` or `x2`: all, half or nothing.

    A NaN is always `out`. Parts are chosen, not multiplied: an infinite `g` where the derivative is 0 leaves 0.
    """
    lost, tied, unknown = x1 != out, x1 == x2, x1 != x1
    if _rules.possible(unknown):
        lost = lost & xp.logical_not(unknown)
        tied = tied | unknown & (x2 != x2)
    if _rules.possible(tied):
        g = xp.where(tied, 0.5 * g, g)
    return xp.where(lost, 0, g)


@derivative(
    x1=_share,
    x2=lambda xp, g, x1, x2, out: _share(xp, g, x2, x1, out),
    kind="elementwise",
    masks=True,
)
def maximum(x1: Operand, x2: Operand, /) -> Array:
    """Larger of two arrays, element by element; NaN where one is.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype; for two boolean arrays their logical or.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Equal elements have half of the derivative each. Where one is NaN, it has the derivative.

    Standard: Elementwise functions, ``maximum``.
    """
    return binary(maximum, x1, x2)


@derivative(
    x1=_share,
    x2=lambda xp, g, x1, x2, out: _share(xp, g, x2, x1, out),
    kind="elementwise",
    masks=True,
)
def minimum(x1: Operand, x2: Operand, /) -> Array:
    """Smaller of two arrays, element by element; NaN where one is.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers, of shapes that broadcast; at least one is an array.

    Returns
    -------
    Array
        Of the broadcast shape and the promoted dtype; for two boolean arrays their logical and.

    Raises
    ------
    DTypeError
        If one is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    Equal elements have half of the derivative each. Where one is NaN, it has the derivative.

    Standard: Elementwise functions, ``minimum``.
    """
    return binary(minimum, x1, x2)


@composite
def clip(x: Array, /, min: Operand | None = None, max: Operand | None = None) -> Array:
    """Each element, moved to the nearer bound where it lies outside of the bounds.

    Parameters
    ----------
    x : Array
        Real numbers.
    min, max : Array or scalar, optional
        Lower and upper bounds, of shapes that broadcast with that of `x`; None for no bound. Where the lower bound is
        above the upper one, the upper one is the result.

    Returns
    -------
    Array
        Of the broadcast shape, in memory of its own. Its dtype is that of `x` unless a bound of a wider dtype, or a
        floating-point bound of integers, promotes it.

    Raises
    ------
    DTypeError
        If `x` or a bound is complex.
    ShapeError
        If the shapes do not broadcast.

    Notes
    -----
    The derivative is that of ``minimum(maximum(x, min), max)``: half in `x` and half in the bound where they are equal.

    Standard: Elementwise functions, ``clip``.
    """
    check_devices("clip", [("x", x), ("min", min), ("max", max)])
    x = as_array(clip, x)
    if min is None and max is None:
        return unary(positive, x)
    result = x if min is None else binary(maximum, x, min)
    return result if max is None else binary(minimum, result, max)
