"""Functions near the elementary ones: of degrees, with a difference taken precisely, power transforms."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._operations import derivative
from ...ops import _rules
from ...ops.elementwise._domain import floating
from .._kernels import from_scipy
from ._domain import several

_LN2, _LN10 = math.log(2.0), math.log(10.0)
_DEGREE = math.pi / 180
_NAMES = (
    "exp2 exp10 cbrt exprel cosm1 sindg cosdg tandg cotdg radian sinc xlogy xlog1py boxcox boxcox1p "
    "inv_boxcox inv_boxcox1p"
).split()
from_scipy(*[f"special.{name}" for name in _NAMES])


@derivative(x=lambda xp, g, out: g * (_LN2 * out), kind="elementwise")
def exp2(x: Array, /) -> Array:
    """The number 2 to the power of each element.

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
    As ``scipy.special.exp2``.
    """
    return floating(exp2, x)


@derivative(x=lambda xp, g, out: g * (_LN10 * out), kind="elementwise")
def exp10(x: Array, /) -> Array:
    """The number 10 to the power of each element.

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
    As ``scipy.special.exp10``.
    """
    return floating(exp10, x)


@derivative(x=lambda xp, g, out: g * (1 / (3 * out * out)), kind="elementwise")
def cbrt(x: Array, /) -> Array:
    """Cube root of each element.

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
    As ``scipy.special.cbrt``. The derivative at 0 is infinite.
    """
    return floating(cbrt, x)


@derivative(x=lambda xp, g, x: g * (xp.scipy.special.hyp1f1(2, 3, x) / 2), kind="elementwise")
def exprel(x: Array, /) -> Array:
    """Relative error exponential of each element, ``(exp(x) - 1) / x``.

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
    As ``scipy.special.exprel``.
    """
    return floating(exprel, x)


@derivative(x=lambda xp, g, x: g * (-xp.sin(x)), kind="elementwise")
def cosm1(x: Array, /) -> Array:
    """Cosine of each element minus 1, precise near 0.

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
    As ``scipy.special.cosm1``.
    """
    return floating(cosm1, x)


@derivative(x=lambda xp, g, x: g * (_DEGREE * xp.scipy.special.cosdg(x)), kind="elementwise")
def sindg(x: Array, /) -> Array:
    """Sine of each element, an angle in degrees.

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
    As ``scipy.special.sindg``.
    """
    return floating(sindg, x)


@derivative(x=lambda xp, g, x: g * (-_DEGREE * xp.scipy.special.sindg(x)), kind="elementwise")
def cosdg(x: Array, /) -> Array:
    """Cosine of each element, an angle in degrees.

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
    As ``scipy.special.cosdg``.
    """
    return floating(cosdg, x)


@derivative(x=lambda xp, g, out: g * (_DEGREE * (1 + out * out)), kind="elementwise")
def tandg(x: Array, /) -> Array:
    """Tangent of each element, an angle in degrees.

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
    As ``scipy.special.tandg``.
    """
    return floating(tandg, x)


@derivative(x=lambda xp, g, out: g * (-_DEGREE * (1 + out * out)), kind="elementwise")
def cotdg(x: Array, /) -> Array:
    """Cotangent of each element, an angle in degrees.

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
    As ``scipy.special.cotdg``.
    """
    return floating(cotdg, x)


@derivative(
    d=lambda xp, g: g * _DEGREE,
    m=lambda xp, g: g * (_DEGREE / 60),
    s=lambda xp, g: g * (_DEGREE / 3600),
    kind="elementwise",
)
def radian(d: Any, m: Any, s: Any, /) -> Array:
    """Angle in radians of degrees, minutes and seconds.

    Parameters
    ----------
    d, m, s : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.radian``.
    """
    return several(radian, d, m, s)


@derivative(
    x=lambda xp, g, x: g * _rules.conj(-math.pi * xp.scipy.special.spherical_jn(1, math.pi * x)),
    kind="elementwise",
)
def sinc(x: Array, /) -> Array:
    """Normalised sine cardinal of each element, ``sin(pi * x) / (pi * x)``.

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
    As ``scipy.special.sinc``.
    """
    return floating(sinc, x)


@derivative(
    x=lambda xp, g, y: g * _rules.conj(xp.log(y)),
    y=lambda xp, g, x, y: g * _rules.conj(x / xp.where((x == 0) & (y == 0), math.inf, y)),
    kind="elementwise",
)
def xlogy(x: Any, y: Any, /) -> Array:
    """Product ``x * log(y)``, 0 where `x` is 0.

    Parameters
    ----------
    x, y : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.xlogy``.
    """
    return several(xlogy, x, y)


@derivative(
    x=lambda xp, g, y: g * _rules.conj(xp.log1p(y)),
    y=lambda xp, g, x, y: g * _rules.conj(x / xp.where((x == 0) & (y == -1), math.inf, 1 + y)),
    kind="elementwise",
)
def xlog1py(x: Any, y: Any, /) -> Array:
    """Product ``x * log1p(y)``, 0 where `x` is 0.

    Parameters
    ----------
    x, y : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.xlog1py``.
    """
    return several(xlog1py, x, y)


def _powered(xp: Any, logarithm: Any, lmbda: Any) -> Any:
    """The derivative of ``(exp(lmbda * logarithm) - 1) / lmbda`` in `lmbda`, smooth at 0."""
    return logarithm**2 * xp.scipy.special.hyp1f1(2, 3, lmbda * logarithm) / 2


@derivative(
    x=lambda xp, g, x, lmbda: g * (x ** (lmbda - 1)),
    lmbda=lambda xp, g, x, lmbda: g * _powered(xp, xp.log(x), lmbda),
    kind="elementwise",
)
def boxcox(x: Any, lmbda: Any, /) -> Array:
    """Box-Cox transform, ``(x**lmbda - 1) / lmbda``; the logarithm where `lmbda` is 0.

    Parameters
    ----------
    x, lmbda : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.boxcox``.
    """
    return several(boxcox, x, lmbda)


@derivative(
    x=lambda xp, g, x, lmbda: g * ((1 + x) ** (lmbda - 1)),
    lmbda=lambda xp, g, x, lmbda: g * _powered(xp, xp.log1p(x), lmbda),
    kind="elementwise",
)
def boxcox1p(x: Any, lmbda: Any, /) -> Array:
    """Box-Cox transform of ``1 + x``, precise near 0.

    Parameters
    ----------
    x, lmbda : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.boxcox1p``.
    """
    return several(boxcox1p, x, lmbda)


def _rooted(xp: Any, y: Any, lmbda: Any) -> Any:
    """The derivative of ``log1p(lmbda * y) / lmbda`` in `lmbda`, smooth at 0."""
    return -(y**2) * xp.scipy.special.hyp2f1(2, 2, 3, -lmbda * y) / 2


@derivative(
    y=lambda xp, g, lmbda, out: g * (out ** (1 - lmbda)),
    lmbda=lambda xp, g, y, lmbda, out: g * out * _rooted(xp, y, lmbda),
    kind="elementwise",
)
def inv_boxcox(y: Any, lmbda: Any, /) -> Array:
    """Inverse of the Box-Cox transform, ``(lmbda * y + 1) ** (1 / lmbda)``.

    Parameters
    ----------
    y, lmbda : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.inv_boxcox``.
    """
    return several(inv_boxcox, y, lmbda)


@derivative(
    y=lambda xp, g, lmbda, out: g * ((1 + out) ** (1 - lmbda)),
    lmbda=lambda xp, g, y, lmbda, out: g * (1 + out) * _rooted(xp, y, lmbda),
    kind="elementwise",
)
def inv_boxcox1p(y: Any, lmbda: Any, /) -> Array:
    """Inverse of the Box-Cox transform of ``1 + x``.

    Parameters
    ----------
    y, lmbda : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.inv_boxcox1p``.
    """
    return several(inv_boxcox1p, y, lmbda)
