"""The standard normal and the logistic distribution."""

from __future__ import annotations

import math

from ..._array import Array
from ..._operations import derivative
from ...ops import _rules
from ...ops.elementwise._domain import floating
from .._kernels import from_scipy

_SQRT_2_PI = math.sqrt(2 * math.pi)
_1_OVER_SQRT_2_PI = 1 / _SQRT_2_PI
_SQRT_2_OVER_PI = math.sqrt(2 / math.pi)
_SQRT_HALF = math.sqrt(0.5)
from_scipy(*["special." + name for name in "ndtr log_ndtr ndtri ndtri_exp expit logit log_expit".split()])


@derivative(x=lambda xp, g, x: g * _rules.conj(_1_OVER_SQRT_2_PI * xp.exp(-x * x / 2)), kind="elementwise")
def ndtr(x: Array, /) -> Array:
    """Distribution function of the standard normal distribution at each element.

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
    As ``scipy.special.ndtr``.
    """
    return floating(ndtr, x)


@derivative(
    x=lambda xp, g, x: g * _rules.conj(_SQRT_2_OVER_PI / xp.scipy.special.erfcx(-_SQRT_HALF * x)),
    kind="elementwise",
)
def log_ndtr(x: Array, /) -> Array:
    """Logarithm of the distribution function of the standard normal distribution at each element.

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
    As ``scipy.special.log_ndtr``. Its derivative is precise far into the lower tail too.
    """
    return floating(log_ndtr, x)


@derivative(y=lambda xp, g, out: g * (_SQRT_2_PI * xp.exp(out * out / 2)), kind="elementwise")
def ndtri(y: Array, /) -> Array:
    """Quantile of the standard normal distribution at each element, the inverse of `ndtr`.

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
    As ``scipy.special.ndtri``.
    """
    return floating(ndtri, y)


@derivative(y=lambda xp, g, out: g * (xp.scipy.special.erfcx(-_SQRT_HALF * out) / _SQRT_2_OVER_PI), kind="elementwise")
def ndtri_exp(y: Array, /) -> Array:
    """Inverse of `log_ndtr` at each element.

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
    As ``scipy.special.ndtri_exp``.
    """
    return floating(ndtri_exp, y)


@derivative(x=lambda xp, g, x, out: g * (out * xp.scipy.special.expit(-x)), kind="elementwise")
def expit(x: Array, /) -> Array:
    """Logistic function of each element, ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.expit``.
    """
    return floating(expit, x)


@derivative(x=lambda xp, g, x: g * (1 / (x * (1 - x))), kind="elementwise")
def logit(x: Array, /) -> Array:
    """Logarithm of the odds of each element, ``log(x / (1 - x))``, the inverse of `expit`.

    Parameters
    ----------
    x : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.logit``.
    """
    return floating(logit, x)


@derivative(x=lambda xp, g, x: g * xp.scipy.special.expit(-x), kind="elementwise")
def log_expit(x: Array, /) -> Array:
    """Logarithm of the logistic function of each element.

    Parameters
    ----------
    x : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.log_expit``.
    """
    return floating(log_expit, x)
