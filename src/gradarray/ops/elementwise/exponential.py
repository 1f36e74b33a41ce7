"""Exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._dispatch import Operand
from ..._operations import derivative
from .. import _rules
from ._domain import floating, floating_pair

_LN2, _LN10 = math.log(2.0), math.log(10.0)


@derivative(x=lambda xp, g, out: g * _rules.conj(out), kind="elementwise")
def exp(x: Array, /) -> Array:
    """The number e to the power of each element.

    Parameters
    ----------
    x : Array
        Exponents. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``exp``.
    """
    return floating(exp, x)


@derivative(x=lambda xp, g, out: g * (_rules.conj(out) + 1), kind="elementwise")
def expm1(x: Array, /) -> Array:
    """Exponential minus 1 of each element, precise near 0.

    Parameters
    ----------
    x : Array
        Exponents. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    Standard: Elementwise functions, ``expm1``.
    """
    return floating(expm1, x)


@derivative(x=lambda xp, g, x: g / _rules.conj(x), kind="elementwise")
def log(x: Array, /) -> Array:
    """Natural logarithm of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is negative.

    Notes
    -----
    The derivative at 0 is infinite.

    Standard: Elementwise functions, ``log``.
    """
    return floating(log, x)


@derivative(x=lambda xp, g, x: g / (_rules.conj(x) + 1), kind="elementwise")
def log1p(x: Array, /) -> Array:
    """Natural logarithm of 1 plus each element, precise near 0.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is less than -1.

    Notes
    -----
    The derivative at -1 is infinite.

    Standard: Elementwise functions, ``log1p``.
    """
    return floating(log1p, x)


@derivative(x=lambda xp, g, x: g / (_rules.conj(x) * _LN2), kind="elementwise")
def log2(x: Array, /) -> Array:
    """Logarithm to base 2 of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is negative.

    Notes
    -----
    The derivative at 0 is infinite.

    Standard: Elementwise functions, ``log2``.
    """
    return floating(log2, x)


@derivative(x=lambda xp, g, x: g / (_rules.conj(x) * _LN10), kind="elementwise")
def log10(x: Array, /) -> Array:
    """Logarithm to base 10 of each element.

    Parameters
    ----------
    x : Array
        Numbers. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point. NaN where a real number is negative.

    Notes
    -----
    The derivative at 0 is infinite.

    Standard: Elementwise functions, ``log10``.
    """
    return floating(log10, x)


def _weight(xp: Any, mine: Any, other: Any) -> Any:
    """The share of `mine` in ``exp(mine) + exp(other)``, with no exponential that overflows."""
    # The difference is exact where the terms are close; that of a term and the sum is not for large terms.
    lead = mine - other
    unknown = lead != lead
    if _rules.possible(unknown):
        lead = xp.where(unknown & (mine == other), 0, lead)
    # Not abs: its derivative at ties would be 0, and so would the second derivative of the sum.
    ratio = xp.exp(lead * -xp.copysign(1.0, lead))
    return xp.where(lead >= 0, 1, ratio) / (1 + ratio)


@derivative(
    x1=lambda xp, g, x1, x2: g * _weight(xp, x1, x2),
    x2=lambda xp, g, x1, x2: g * _weight(xp, x2, x1),
    kind="elementwise",
)
def logaddexp(x1: Operand, x2: Operand, /) -> Array:
    """Logarithm of the sum of two exponentials, without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real exponents, of shapes that broadcast; at least one is an array. Integers and booleans count as float64.

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
    The derivative is 1/2 in each where both are the same infinity; an infinity beside a finite number has it all, or
    nothing, as its sign says.

    Standard: Elementwise functions, ``logaddexp``.
    """
    return floating_pair(logaddexp, x1, x2)
