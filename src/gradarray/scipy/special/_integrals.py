"""Exponential and elliptic integrals, hypergeometric and related functions."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._backend import Backend
from ..._dispatch import as_array, run
from ..._kernels import scipy_function
from ..._operations import derivative
from ...ops import _rules
from ...ops._arguments import integer
from ...ops.elementwise._domain import as_floating, floating
from .._kernels import Kernel, from_scipy, kernel, on_host
from .._rules import unknown
from ._domain import several

_NAMES = (
    "exp1 expi expn spence ellipk ellipkm1 ellipe ellipkinc ellipeinc hyp0f1 hyp1f1 hyp2f1 lpmv wrightomega"
).split()
from_scipy(*[f"special.{name}" for name in _NAMES])


@derivative(z=lambda xp, g, z: g * _rules.conj(-xp.exp(-z) / z), kind="elementwise")
def exp1(z: Array, /) -> Array:
    """Exponential integral E1 of each element.

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
    As ``scipy.special.exp1``.
    """
    return floating(exp1, z)


@derivative(x=lambda xp, g, x: g * _rules.conj(xp.exp(x) / x), kind="elementwise")
def expi(x: Array, /) -> Array:
    """Exponential integral Ei of each element.

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
    As ``scipy.special.expi``.
    """
    return floating(expi, x)


def _exponential_slope(xp: Any, n: Any, x: Any) -> Any:
    """Minus the function of the order below; that of order -1 in closed form."""
    lowest = xp.exp(-x) / x * (1 + 1 / x)
    return -xp.where(n >= 1, xp.scipy.special.expn(xp.where(n >= 1, n - 1, 0), x), lowest)


@derivative(n=unknown("expn", "n"), x=lambda xp, g, n, x: g * _exponential_slope(xp, n, x), kind="elementwise")
def expn(n: Any, x: Any, /) -> Array:
    """Generalised exponential integral En.

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
    As ``scipy.special.expn``.
    """
    return several(expn, n, x, whole=(0,))


def _dilogarithm_slope(xp: Any, z: Any) -> Any:
    """``log(z) / (1 - z)``, by its series where that is a quotient of small numbers."""
    near = xp.abs(z - 1) < 0.5
    far = xp.where(near, 2 + 0 * z, z)
    series = xp.scipy.special.hyp2f1(1, 1, 2, xp.where(near, 1 - z, 0 * z))
    return xp.where(near, -series, xp.log(far) / (1 - far))


@derivative(z=lambda xp, g, z: g * _rules.conj(_dilogarithm_slope(xp, z)), kind="elementwise")
def spence(z: Array, /) -> Array:
    """Spence's function of each element, the dilogarithm of ``1 - z``.

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
    As ``scipy.special.spence``.
    """
    return floating(spence, z)


@derivative(m=lambda xp, g, m: g * (math.pi / 8 * xp.scipy.special.hyp2f1(1.5, 1.5, 2, m)), kind="elementwise")
def ellipk(m: Array, /) -> Array:
    """Complete elliptic integral of the first kind of each element.

    Parameters
    ----------
    m : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `m`; floating-point.

    Notes
    -----
    As ``scipy.special.ellipk``.
    """
    return floating(ellipk, m)


@derivative(
    p=lambda xp, g, p, out: g * (p * out - xp.scipy.special.ellipe(1 - p)) / (2 * p * (1 - p)),
    kind="elementwise",
)
def ellipkm1(p: Array, /) -> Array:
    """Complete elliptic integral of the first kind around ``m = 1 - p``.

    Parameters
    ----------
    p : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `p`; floating-point.

    Notes
    -----
    As ``scipy.special.ellipkm1``. Its gradient at 1 is NaN; that of ``ellipk(0)`` is not.
    """
    return floating(ellipkm1, p)


@derivative(m=lambda xp, g, m: g * (-math.pi / 8 * xp.scipy.special.hyp2f1(0.5, 1.5, 2, m)), kind="elementwise")
def ellipe(m: Array, /) -> Array:
    """Complete elliptic integral of the second kind of each element.

    Parameters
    ----------
    m : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `m`; floating-point.

    Notes
    -----
    As ``scipy.special.ellipe``.
    """
    return floating(ellipe, m)


def _elliptic_slope(xp: Any, phi: Any, m: Any, out: Any) -> Any:
    """The derivative of the incomplete integral of the first kind in the parameter."""
    root = xp.sqrt(1 - m * xp.sin(phi) ** 2)
    second = xp.scipy.special.ellipeinc(phi, m)
    return (second / (1 - m) - out) / (2 * m) - xp.sin(phi) * xp.cos(phi) / (2 * (1 - m) * root)


@derivative(
    phi=lambda xp, g, phi, m: g * (1 / xp.sqrt(1 - m * xp.sin(phi) ** 2)),
    m=lambda xp, g, phi, m, out: g * _elliptic_slope(xp, phi, m, out),
    kind="elementwise",
)
def ellipkinc(phi: Any, m: Any, /) -> Array:
    """Incomplete elliptic integral of the first kind.

    Parameters
    ----------
    phi, m : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.ellipkinc``. Its gradient in `m` is NaN where that is 0.
    """
    return several(ellipkinc, phi, m)


@derivative(
    phi=lambda xp, g, phi, m: g * (xp.sqrt(1 - m * xp.sin(phi) ** 2)),
    m=lambda xp, g, phi, m, out: g * (out - xp.scipy.special.ellipkinc(phi, m)) / (2 * m),
    kind="elementwise",
)
def ellipeinc(phi: Any, m: Any, /) -> Array:
    """Incomplete elliptic integral of the second kind.

    Parameters
    ----------
    phi, m : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.ellipeinc``. Its gradient in `m` is NaN where that is 0.
    """
    return several(ellipeinc, phi, m)


@derivative(
    v=unknown("hyp0f1", "v"),
    z=lambda xp, g, v, z: g * _rules.conj(xp.scipy.special.hyp0f1(v + 1, z) / v),
    kind="elementwise",
)
def hyp0f1(v: Any, z: Any, /) -> Array:
    """Confluent hypergeometric limit function 0F1.

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
    As ``scipy.special.hyp0f1``.
    """
    return several(hyp0f1, v, z)


@derivative(
    a=unknown("hyp1f1", "a"),
    b=unknown("hyp1f1", "b"),
    x=lambda xp, g, a, b, x: g * _rules.conj(a / b * xp.scipy.special.hyp1f1(a + 1, b + 1, x)),
    kind="elementwise",
)
def hyp1f1(a: Any, b: Any, x: Any, /) -> Array:
    """Confluent hypergeometric function 1F1.

    Parameters
    ----------
    a, b, x : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `a` or `b` is asked for.

    Notes
    -----
    As ``scipy.special.hyp1f1``.
    """
    return several(hyp1f1, a, b, x)


@derivative(
    a=unknown("hyp2f1", "a"),
    b=unknown("hyp2f1", "b"),
    c=unknown("hyp2f1", "c"),
    z=lambda xp, g, a, b, c, z: g * _rules.conj(a * b / c * xp.scipy.special.hyp2f1(a + 1, b + 1, c + 1, z)),
    kind="elementwise",
)
def hyp2f1(a: Any, b: Any, c: Any, z: Any, /) -> Array:
    """Gauss's hypergeometric function 2F1.

    Parameters
    ----------
    a, b, c, z : Array or number
        Real or complex floating-point. They are broadcast together; one must be an array. Integers alone count as
        float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `a` or `b` or `c` is asked for.

    Notes
    -----
    As ``scipy.special.hyp2f1``.
    """
    return several(hyp2f1, a, b, c, z)


@derivative(
    m=unknown("lpmv", "m"),
    v=unknown("lpmv", "v"),
    x=lambda xp, g, m, v, x, out: g * (v * x * out - (v + m) * xp.scipy.special.lpmv(m, v - 1, x)) / (x * x - 1),
    kind="elementwise",
)
def lpmv(m: Any, v: Any, x: Any, /) -> Array:
    """Associated Legendre function of integer order and real degree.

    Parameters
    ----------
    m, v, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `m` or `v` is asked for.

    Notes
    -----
    As ``scipy.special.lpmv``. Its gradient at -1 and 1 is NaN.
    """
    return several(lpmv, m, v, x)


@derivative(z=lambda xp, g, out: g * _rules.conj(out / (1 + out)), kind="elementwise")
def wrightomega(z: Array, /) -> Array:
    """Wright's omega function of each element: the solution w of ``w + log(w) = z``.

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
    As ``scipy.special.wrightomega``.
    """
    return floating(wrightomega, z)


@derivative(z=lambda xp, g, out: g * _rules.conj(xp.exp(-out) / (1 + out)), kind="elementwise")
def lambertw(z: Array, k: int = 0, tol: float = 1e-8) -> Array:
    """Branch `k` of Lambert's W function of each element: the solution w of ``w * exp(w) = z``.

    Parameters
    ----------
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.
    k : int, default: 0
        The branch.
    tol : float, default: 1e-8
        Tolerance of the iteration.

    Returns
    -------
    Array
        Of the shape of `z`; complex.

    Notes
    -----
    As ``scipy.special.lambertw``. The derivative at the branch point ``-1/e`` is infinite.
    """
    return run(lambertw, as_floating(as_array(lambertw, z)), k=integer(lambertw, "k", k), tol=tol)


@kernel("special.lambertw")
def _lambertw(backend: Backend) -> Kernel:
    return on_host(backend, scipy_function("special.lambertw"))
