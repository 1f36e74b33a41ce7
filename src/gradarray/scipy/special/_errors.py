"""The error function and its relatives."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._operations import derivative
from ...ops import _rules
from ...ops.elementwise._domain import floating
from .._kernels import from_scipy
from ._domain import several

_2_OVER_SQRT_PI = 2 / math.sqrt(math.pi)
_HALF_SQRT_PI = math.sqrt(math.pi) / 2
_1_OVER_SQRT_8_PI = 1 / math.sqrt(8 * math.pi)
_SQRT_HALF = math.sqrt(0.5)
from_scipy(*["special." + name for name in "erf erfc erfcx erfi dawsn wofz erfinv erfcinv owens_t".split()])


@derivative(x=lambda xp, g, x: g * _rules.conj(_2_OVER_SQRT_PI * xp.exp(-x * x)), kind="elementwise")
def erf(x: Array, /) -> Array:
    """Error function of each element.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.erf``.
    """
    return floating(erf, x)


@derivative(x=lambda xp, g, x: g * _rules.conj(-_2_OVER_SQRT_PI * xp.exp(-x * x)), kind="elementwise")
def erfc(x: Array, /) -> Array:
    """Complementary error function of each element, ``1 - erf(x)``, precise where that is small.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.erfc``.
    """
    return floating(erfc, x)


@derivative(x=lambda xp, g, x, out: g * _rules.conj(2 * x * out - _2_OVER_SQRT_PI), kind="elementwise")
def erfcx(x: Array, /) -> Array:
    """Scaled complementary error function of each element, ``exp(x**2) * erfc(x)``.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.erfcx``.
    """
    return floating(erfcx, x)


@derivative(z=lambda xp, g, z: g * _rules.conj(_2_OVER_SQRT_PI * xp.exp(z * z)), kind="elementwise")
def erfi(z: Array, /) -> Array:
    """Imaginary error function of each element, ``-1j * erf(1j * z)``.

    Parameters
    ----------
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Notes
    -----
    As ``scipy.special.erfi``.
    """
    return floating(erfi, z)


@derivative(x=lambda xp, g, x, out: g * _rules.conj(1 - 2 * x * out), kind="elementwise")
def dawsn(x: Array, /) -> Array:
    """Dawson's integral of each element, ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to x.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.dawsn``.
    """
    return floating(dawsn, x)


@derivative(z=lambda xp, g, z, out: g * _rules.conj(_2_OVER_SQRT_PI * 1j - 2 * z * out), kind="elementwise")
def wofz(z: Array, /) -> Array:
    """Faddeeva function of each element, ``exp(-z**2) * erfc(-1j * z)``.

    Parameters
    ----------
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Notes
    -----
    As ``scipy.special.wofz``. The result is complex.
    """
    return floating(wofz, z)


@derivative(y=lambda xp, g, out: g * (_HALF_SQRT_PI * xp.exp(out * out)), kind="elementwise")
def erfinv(y: Array, /) -> Array:
    """Inverse of the error function at each element.

    Parameters
    ----------
    y : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `y`; floating-point.

    Notes
    -----
    As ``scipy.special.erfinv``.
    """
    return floating(erfinv, y)


@derivative(y=lambda xp, g, out: g * (-_HALF_SQRT_PI * xp.exp(out * out)), kind="elementwise")
def erfcinv(y: Array, /) -> Array:
    """Inverse of the complementary error function at each element.

    Parameters
    ----------
    y : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `y`; floating-point.

    Notes
    -----
    As ``scipy.special.erfcinv``.
    """
    return floating(erfcinv, y)


@derivative(
    h=lambda xp, g, h, a: g * (-_1_OVER_SQRT_8_PI * xp.exp(-h * h / 2) * xp.scipy.special.erf(a * h * _SQRT_HALF)),
    a=lambda xp, g, h, a: g * xp.exp(-h * h * (1 + a * a) / 2) / (2 * math.pi * (1 + a * a)),
    kind="elementwise",
)
def owens_t(h: Any, a: Any, /) -> Array:
    """Owen's T function: the probability that ``X > h`` and ``0 < Y < a * X`` for standard normal X and Y.

    Parameters
    ----------
    h, a : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.owens_t``.
    """
    return several(owens_t, h, a)
