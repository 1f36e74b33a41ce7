"""Bessel functions."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ..._operations import derivative
from ...ops import _rules
from ...ops.elementwise._domain import floating
from .._kernels import from_scipy
from .._rules import real_only, unknown
from ._domain import several

from_scipy(*["special." + name for name in "j0 j1 y0 y1 yn jv yv i0 i0e i1 i1e iv ive k0 k0e k1 k1e kv kve".split()])


@derivative(x=lambda xp, g, x: g * (-xp.scipy.special.j1(x)), kind="elementwise")
def j0(x: Array, /) -> Array:
    """Bessel function of the first kind of order 0.

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
    As ``scipy.special.j0``.
    """
    return floating(j0, x)


@derivative(x=lambda xp, g, x: g * ((xp.scipy.special.j0(x) - xp.scipy.special.jv(2, x)) / 2), kind="elementwise")
def j1(x: Array, /) -> Array:
    """Bessel function of the first kind of order 1.

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
    As ``scipy.special.j1``.
    """
    return floating(j1, x)


@derivative(x=lambda xp, g, x: g * (-xp.scipy.special.y1(x)), kind="elementwise")
def y0(x: Array, /) -> Array:
    """Bessel function of the second kind of order 0.

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
    As ``scipy.special.y0``.
    """
    return floating(y0, x)


@derivative(x=lambda xp, g, x: g * ((xp.scipy.special.y0(x) - xp.scipy.special.yv(2, x)) / 2), kind="elementwise")
def y1(x: Array, /) -> Array:
    """Bessel function of the second kind of order 1.

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
    As ``scipy.special.y1``.
    """
    return floating(y1, x)


@derivative(
    n=unknown("yn", "n"),
    x=lambda xp, g, n, x: g * ((xp.scipy.special.yv(n - 1, x) - xp.scipy.special.yv(n + 1, x)) / 2),
    kind="elementwise",
)
def yn(n: Any, x: Any, /) -> Array:
    """Bessel function of the second kind of integer order.

    Parameters
    ----------
    n, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `n` is asked for.

    Notes
    -----
    As ``scipy.special.yn``.
    """
    return several(yn, n, x, whole=(0,))


@derivative(
    v=unknown("jv", "v"),
    z=lambda xp, g, v, z: g * _rules.conj((xp.scipy.special.jv(v - 1, z) - xp.scipy.special.jv(v + 1, z)) / 2),
    kind="elementwise",
)
def jv(v: Any, z: Any, /) -> Array:
    """Bessel function of the first kind of real order.

    Parameters
    ----------
    v, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.jv``.
    """
    return several(jv, v, z)


@derivative(
    v=unknown("yv", "v"),
    z=lambda xp, g, v, z: g * _rules.conj((xp.scipy.special.yv(v - 1, z) - xp.scipy.special.yv(v + 1, z)) / 2),
    kind="elementwise",
)
def yv(v: Any, z: Any, /) -> Array:
    """Bessel function of the second kind of real order.

    Parameters
    ----------
    v, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.yv``.
    """
    return several(yv, v, z)


@derivative(x=lambda xp, g, x: g * xp.scipy.special.i1(x), kind="elementwise")
def i0(x: Array, /) -> Array:
    """Modified Bessel function of the first kind of order 0.

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
    As ``scipy.special.i0``.
    """
    return floating(i0, x)


@derivative(x=lambda xp, g, x, out: g * (xp.scipy.special.i1e(x) - xp.sign(x) * out), kind="elementwise")
def i0e(x: Array, /) -> Array:
    """Modified Bessel function of order 0, times ``exp(-abs(x))``.

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
    As ``scipy.special.i0e``.
    """
    return floating(i0e, x)


@derivative(x=lambda xp, g, x: g * ((xp.scipy.special.i0(x) + xp.scipy.special.iv(2, x)) / 2), kind="elementwise")
def i1(x: Array, /) -> Array:
    """Modified Bessel function of the first kind of order 1.

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
    As ``scipy.special.i1``.
    """
    return floating(i1, x)


@derivative(
    x=lambda xp, g, x, out: g * ((xp.scipy.special.i0e(x) + xp.scipy.special.ive(2, x)) / 2 - xp.sign(x) * out),
    kind="elementwise",
)
def i1e(x: Array, /) -> Array:
    """Modified Bessel function of order 1, times ``exp(-abs(x))``.

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
    As ``scipy.special.i1e``.
    """
    return floating(i1e, x)


@derivative(
    v=unknown("iv", "v"),
    z=lambda xp, g, v, z: g * _rules.conj((xp.scipy.special.iv(v - 1, z) + xp.scipy.special.iv(v + 1, z)) / 2),
    kind="elementwise",
)
def iv(v: Any, z: Any, /) -> Array:
    """Modified Bessel function of the first kind of real order.

    Parameters
    ----------
    v, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.iv``.
    """
    return several(iv, v, z)


def _scaled_slope(xp: Any, v: Any, z: Any, out: Any) -> Any:
    special = xp.scipy.special
    return (special.ive(v - 1, z) + special.ive(v + 1, z)) / 2 - xp.sign(real_only("ive", z)) * out


@derivative(v=unknown("ive", "v"), z=lambda xp, g, v, z, out: g * _scaled_slope(xp, v, z, out), kind="elementwise")
def ive(v: Any, z: Any, /) -> Array:
    """Modified Bessel function of the first kind of real order, times ``exp(-abs(real(z)))``.

    Parameters
    ----------
    v, z : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.ive``. For complex `z` it is not holomorphic, and a gradient is refused.
    """
    return several(ive, v, z)


@derivative(x=lambda xp, g, x: g * (-xp.scipy.special.k1(x)), kind="elementwise")
def k0(x: Array, /) -> Array:
    """Modified Bessel function of the second kind of order 0.

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
    As ``scipy.special.k0``.
    """
    return floating(k0, x)


@derivative(x=lambda xp, g, x, out: g * (out - xp.scipy.special.k1e(x)), kind="elementwise")
def k0e(x: Array, /) -> Array:
    """Modified Bessel function of the second kind of order 0, times ``exp(x)``.

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
    As ``scipy.special.k0e``.
    """
    return floating(k0e, x)


@derivative(x=lambda xp, g, x: g * (-(xp.scipy.special.k0(x) + xp.scipy.special.kv(2, x)) / 2), kind="elementwise")
def k1(x: Array, /) -> Array:
    """Modified Bessel function of the second kind of order 1.

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
    As ``scipy.special.k1``.
    """
    return floating(k1, x)


@derivative(
    x=lambda xp, g, x, out: g * (out - (xp.scipy.special.k0e(x) + xp.scipy.special.kve(2, x)) / 2),
    kind="elementwise",
)
def k1e(x: Array, /) -> Array:
    """Modified Bessel function of the second kind of order 1, times ``exp(x)``.

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
    As ``scipy.special.k1e``.
    """
    return floating(k1e, x)


@derivative(
    v=unknown("kv", "v"),
    z=lambda xp, g, v, z: g * _rules.conj(-(xp.scipy.special.kv(v - 1, z) + xp.scipy.special.kv(v + 1, z)) / 2),
    kind="elementwise",
)
def kv(v: Any, z: Any, /) -> Array:
    """Modified Bessel function of the second kind of real order.

    Parameters
    ----------
    v, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.kv``.
    """
    return several(kv, v, z)


@derivative(
    v=unknown("kve", "v"),
    z=lambda xp, g, v, z, out: (
        g * _rules.conj(out - (xp.scipy.special.kve(v - 1, z) + xp.scipy.special.kve(v + 1, z)) / 2)
    ),
    kind="elementwise",
)
def kve(v: Any, z: Any, /) -> Array:
    """Modified Bessel function of the second kind of real order, times ``exp(z)``.

    Parameters
    ----------
    v, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `v` is asked for.

    Notes
    -----
    As ``scipy.special.kve``.
    """
    return several(kve, v, z)
