"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ..._dispatch import Operand
from ..._operations import derivative
from .. import _rules
from ._domain import floating, floating_pair


def _cosine_of_asin(xp: Any, x: Any) -> Any:
    """``sqrt(1 - x**2)`` from its two factors: precise near 1 and -1."""
    if _rules.is_complex(x):
        # Not 1 - x: the sign of a zero imaginary part says on which side of its cut each root is. Not the operator:
        # a library's own may lose that sign.
        return xp.sqrt(-xp.subtract(x, 1)) * xp.sqrt(x + 1)
    return xp.sqrt((1 - x) * (1 + x))


def _cosh_of_asinh(xp: Any, x: Any) -> Any:
    """``sqrt(1 + x**2)``, without overflow on the way."""
    if _rules.is_complex(x):
        return xp.sqrt(1 + 1j * x) * xp.sqrt(1 - 1j * x)
    return xp.hypot(x, 1.0)


def _atan(xp: Any, g: Any, x: Any) -> Any:
    if _rules.is_complex(x):
        return g / _rules.conj(x + 1j) / _rules.conj(x - 1j)
    return g / (1 + x * x)


def _atanh(xp: Any, g: Any, x: Any) -> Any:
    x = _rules.conj(x)
    return g / (1 - x) / (1 + x)


def _inverse_distance(xp: Any, x: Any, x1: Any, x2: Any) -> Any:
    """``x / (x1**2 + x2**2)``, where the squares may not fit into the data type; 0 where both are 0."""
    distance = _rules.divisor(xp, xp.hypot(x1, x2))
    return x / distance / distance


@derivative(x=lambda xp, g, x: g * _rules.conj(xp.cos(x)), kind="elementwise")
def sin(x: Array, /) -> Array:
    """Sine of each element.

    Parameters
    ----------
    x : Array
        Angles in radians. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``sin``.
    """
    return floating(sin, x)


@derivative(x=lambda xp, g, x: -g * _rules.conj(xp.sin(x)), kind="elementwise")
def cos(x: Array, /) -> Array:
    """Cosine of each element.

    Parameters
    ----------
    x : Array
        Angles in radians. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``cos``.
    """
    return floating(cos, x)


@derivative(x=lambda xp, g, out: g * (1 + _rules.conj(out * out)), kind="elementwise")
def tan(x: Array, /) -> Array:
    """Tangent of each element.

    Parameters
    ----------
    x : Array
        Angles in radians. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``tan``.
    """
    return floating(tan, x)


@derivative(x=lambda xp, g, x: g / _rules.conj(_cosine_of_asin(xp, x)), kind="elementwise")
def asin(x: Array, /) -> Array:
    """Angle whose sine each element is, in radians.

    Parameters
    ----------
    x : Array
        Sines. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is greater than 1 or less than -1.

    Notes
    -----
    The derivative at 1 and -1 is infinite.

    Standard: Elementwise functions, ``asin``.
    """
    return floating(asin, x)


@derivative(x=lambda xp, g, x: -g / _rules.conj(_cosine_of_asin(xp, x)), kind="elementwise")
def acos(x: Array, /) -> Array:
    """Angle whose cosine each element is, in radians.

    Parameters
    ----------
    x : Array
        Cosines. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is greater than 1 or less than -1.

    Notes
    -----
    The derivative at 1 and -1 is infinite.

    Standard: Elementwise functions, ``acos``.
    """
    return floating(acos, x)


@derivative(x=_atan, kind="elementwise")
def atan(x: Array, /) -> Array:
    """Angle whose tangent each element is, in radians.

    Parameters
    ----------
    x : Array
        Tangents. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``atan``.
    """
    return floating(atan, x)


@derivative(
    x1=lambda xp, g, x1, x2: g * _inverse_distance(xp, x2, x1, x2),
    x2=lambda xp, g, x1, x2: -g * _inverse_distance(xp, x1, x1, x2),
    kind="elementwise",
)
def atan2(x1: Operand, x2: Operand, /) -> Array:
    """Angle of the point (x2, x1) with the positive x axis, from -pi to pi, in radians.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real y and x coordinates, of shapes that broadcast; at least one is an array. Integers and booleans count as
        float64.

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
    The derivative is 0 where both are 0.

    Standard: Elementwise functions, ``atan2``.
    """
    return floating_pair(atan2, x1, x2)


@derivative(x=lambda xp, g, x: g * _rules.conj(xp.cosh(x)), kind="elementwise")
def sinh(x: Array, /) -> Array:
    """Hyperbolic sine of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``sinh``.
    """
    return floating(sinh, x)


@derivative(x=lambda xp, g, x: g * _rules.conj(xp.sinh(x)), kind="elementwise")
def cosh(x: Array, /) -> Array:
    """Hyperbolic cosine of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``cosh``.
    """
    return floating(cosh, x)


@derivative(x=lambda xp, g, out: g * (1 - _rules.conj(out * out)), kind="elementwise")
def tanh(x: Array, /) -> Array:
    """Hyperbolic tangent of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``tanh``.
    """
    return floating(tanh, x)


@derivative(x=lambda xp, g, x: g / _rules.conj(_cosh_of_asinh(xp, x)), kind="elementwise")
def asinh(x: Array, /) -> Array:
    """Inverse hyperbolic sine of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``asinh``.
    """
    return floating(asinh, x)


@derivative(x=lambda xp, g, x: g / _rules.conj(xp.sqrt(x - 1) * xp.sqrt(x + 1)), kind="elementwise")
def acosh(x: Array, /) -> Array:
    """Inverse hyperbolic cosine of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is less than 1.

    Notes
    -----
    The derivative at 1 is infinite.

    Standard: Elementwise functions, ``acosh``.
    """
    return floating(acosh, x)


@derivative(x=_atanh, kind="elementwise")
def atanh(x: Array, /) -> Array:
    """Inverse hyperbolic tangent of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is greater than 1 or less than -1.

    Notes
    -----
    The derivative at 1 and -1 is infinite.

    Standard: Elementwise functions, ``atanh``.
    """
    return floating(atanh, x)
