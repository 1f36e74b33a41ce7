"""Powers and roots."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._dispatch import Operand, binary, unary
from ..._operations import derivative
from .. import _rules
from ._domain import floating, floating_pair


def _pow_base(xp: Any, g: Any, x1: Any, x2: Any) -> Any:
    n = _rules.number(x2)
    if n is None:
        x2 = _rules.floating(xp, x2, g)
        # 0 * 0**-1 is NaN where the derivative of a constant is 0. Other bases keep the exponent as it is, so that the
        # derivative of this in the exponent is right as well.
        lowered = xp.where((x1 == 0) & (x2 == 0), 0, x2 - 1)
        return g * _rules.conj(x2 * xp.pow(x1, lowered))  # libraries' own operators differ at 0**0
    if n == 0:
        return xp.zeros_like(g)
    if n == 1:
        return g
    if n == 2:
        return 2 * g * _rules.conj(x1)
    return _rules.conj(n) * g * _rules.conj(x1 ** (n - 1))


def _pow_exponent(xp: Any, g: Any, x1: Any, x2: Any, out: Any) -> Any:
    n = _rules.number(x1)
    if n is None:
        x1 = _rules.floating(xp, x1, g)
        if _rules.is_complex(out) and not _rules.is_complex(x1):
            x1 = x1 + 0j  # negative numbers have a complex logarithm
    elif not isinstance(n, complex) and n > 0:
        return g * _rules.conj(out) * math.log(n)
    else:
        x1 = xp.full_like(out, n)
    flat = (x1 == 0) & (_rules.real(xp, x2) >= 0)
    return g * _rules.conj(out * xp.log(xp.where(flat, 1, x1)))


@derivative(x1=_pow_base, x2=_pow_exponent, kind="elementwise")
def pow(x1: Operand, x2: Operand, /) -> Array:
    """Power of each base to its exponent.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Bases and exponents, of shapes that broadcast; at least one is an array.

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
    ArgumentValueError
        If integers are raised to a negative integer power.

    Notes
    -----
    In the base the derivative is 0 where the exponent is 0; derivatives of every order are finite where the exponent is
    a positive integer, of whatever type. In the exponent it is 0 where the base is 0 and the exponent is not negative,
    and NaN where the base is negative and both are real.

    Standard: Elementwise functions, ``pow``.
    """
    return binary(pow, x1, x2)


@derivative(x=lambda xp, g, x: 2 * g * _rules.conj(x), kind="elementwise")
def square(x: Array, /) -> Array:
    """Each element times itself.

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
    Standard: Elementwise functions, ``square``.
    """
    return unary(square, x)


@derivative(x=lambda xp, g, out: g / (2 * _rules.conj(out)), kind="elementwise")
def sqrt(x: Array, /) -> Array:
    """Principal square root of each element.

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

    Standard: Elementwise functions, ``sqrt``.
    """
    return floating(sqrt, x)


@derivative(x=lambda xp, g, out: -g * _rules.conj(out) * _rules.conj(out), kind="elementwise")
def reciprocal(x: Array, /) -> Array:
    """One divided by each element.

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
    Standard: Elementwise functions, ``reciprocal``.
    """
    return floating(reciprocal, x)


@derivative(
    x1=lambda xp, g, x1, out: g * (x1 / _rules.divisor(xp, out)),
    x2=lambda xp, g, x2, out: g * (x2 / _rules.divisor(xp, out)),
    kind="elementwise",
)
def hypot(x1: Operand, x2: Operand, /) -> Array:
    """Length of the hypotenuse, the root of the sum of the squares, without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Real numbers, of shapes that broadcast; at least one is an array. Integers and booleans count as float64.

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

    Standard: Elementwise functions, ``hypot``.
    """
    return floating_pair(hypot, x1, x2)
