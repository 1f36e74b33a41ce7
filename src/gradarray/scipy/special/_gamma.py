"""The gamma function and its relatives."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._backend import Backend
from ..._dispatch import as_array
from ..._errors import ArgumentValueError
from ..._kernels import scipy_function
from ..._operations import composite, constant, derivative
from ...ops import _rules
from ...ops._arguments import integer
from ...ops.elementwise._domain import floating
from .._kernels import Kernel, from_scipy, kernel, on_host
from .._rules import real_only, unknown
from ._domain import several

from_scipy(
    *[
        "special." + name
        for name in "gamma gammaln loggamma gammasgn rgamma psi polygamma zeta zetac beta betaln binom poch".split()
    ]
)


@derivative(z=lambda xp, g, z, out: g * _rules.conj(out * xp.scipy.special.psi(z)), kind="elementwise")
def gamma(z: Array, /) -> Array:
    """Gamma function of each element.

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
    As ``scipy.special.gamma``.
    """
    return floating(gamma, z)


@derivative(x=lambda xp, g, x: g * xp.scipy.special.psi(x), kind="elementwise")
def gammaln(x: Array, /) -> Array:
    """Logarithm of the absolute value of the gamma function of each element.

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
    As ``scipy.special.gammaln``.
    """
    return floating(gammaln, x)


@derivative(z=lambda xp, g, z: g * _rules.conj(xp.scipy.special.psi(z)), kind="elementwise")
def loggamma(z: Array, /) -> Array:
    """Principal branch of the logarithm of the gamma function of each element.

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
    As ``scipy.special.loggamma``.
    """
    return floating(loggamma, z)


@constant
def gammasgn(x: Array, /) -> Array:
    """Sign of the gamma function of each element.

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
    As ``scipy.special.gammasgn``. The result is not tracked.
    """
    return floating(gammasgn, x)


def _reciprocal_slope(xp: Any, z: Any) -> Any:
    """The derivative of the reciprocal of the gamma function; reflected on the left, where that function has poles."""
    special = xp.scipy.special
    left = _rules.real(xp, z) < 0.5
    right = xp.where(left, 1 - z, z)  # never below 0.5
    on_the_right = -special.psi(right) * special.rgamma(right)
    angle = math.pi * z
    on_the_left = (xp.cos(angle) - xp.sin(angle) * special.psi(right) / math.pi) * special.gamma(right)
    return xp.where(left, on_the_left, on_the_right)


@derivative(z=lambda xp, g, z: g * _rules.conj(_reciprocal_slope(xp, z)), kind="elementwise")
def rgamma(z: Array, /) -> Array:
    """Reciprocal of the gamma function of each element.

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
    As ``scipy.special.rgamma``. It is smooth at the poles of the gamma function, and so is its derivative.
    """
    return floating(rgamma, z)


@derivative(z=lambda xp, g, z: g * _rules.conj(xp.scipy.special.polygamma(1, real_only("psi", z))), kind="elementwise")
def psi(z: Array, /) -> Array:
    """Digamma function of each element, the logarithmic derivative of the gamma function.

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
    As ``scipy.special.psi``. For complex `z` there is no gradient: it is refused.
    """
    return floating(psi, z)


@derivative(
    n=unknown("polygamma", "n"),
    x=lambda xp, g, n, x: g * (xp.scipy.special.polygamma(n + 1, x)),
    kind="elementwise",
)
def polygamma(n: Any, x: Any, /) -> Array:
    """Polygamma function: derivative number `n` of the digamma function, at `x`.

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
    As ``scipy.special.polygamma``.
    """
    return several(polygamma, n, x)


@derivative(
    x=unknown("zeta", "x"), q=lambda xp, g, x, q: g * (-x * xp.scipy.special.zeta(x + 1, q)), kind="elementwise"
)
def zeta(x: Any, q: Any = None) -> Array:
    """Hurwitz zeta function: the sum of ``1 / (k + q)**x`` over ``k = 0, 1, ...``; without `q` Riemann's.

    Parameters
    ----------
    x, q : Array or number
        Real floating-point; without `q` also complex. They are broadcast together; one must be an array. Integers alone
        count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `x` is asked for.

    Notes
    -----
    As ``scipy.special.zeta``.
    """
    return floating(riemann_zeta, x) if q is None else several(zeta, x, q)


@derivative(x=unknown("zeta", "x"), kind="elementwise")
def riemann_zeta(x: Array, /) -> Array:
    """Riemann's zeta function of each element."""
    return floating(riemann_zeta, x)


@kernel("special.riemann_zeta")
def _riemann_zeta(backend: Backend) -> Kernel:
    return on_host(backend, scipy_function("special.zeta"))


@derivative(x=unknown("zetac", "x"), kind="elementwise")
def zetac(x: Array, /) -> Array:
    """Riemann's zeta function of each element, minus 1.

    Parameters
    ----------
    x : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `x` is asked for.

    Notes
    -----
    As ``scipy.special.zetac``.
    """
    return floating(zetac, x)


@derivative(
    a=lambda xp, g, a, b, out: g * (out * (xp.scipy.special.psi(a) - xp.scipy.special.psi(a + b))),
    b=lambda xp, g, a, b, out: g * (out * (xp.scipy.special.psi(b) - xp.scipy.special.psi(a + b))),
    kind="elementwise",
)
def beta(a: Any, b: Any, /) -> Array:
    """Beta function, ``gamma(a) * gamma(b) / gamma(a + b)``.

    Parameters
    ----------
    a, b : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.beta``.
    """
    return several(beta, a, b)


@derivative(
    a=lambda xp, g, a, b: g * (xp.scipy.special.psi(a) - xp.scipy.special.psi(a + b)),
    b=lambda xp, g, a, b: g * (xp.scipy.special.psi(b) - xp.scipy.special.psi(a + b)),
    kind="elementwise",
)
def betaln(a: Any, b: Any, /) -> Array:
    """Logarithm of the absolute value of the beta function.

    Parameters
    ----------
    a, b : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.betaln``.
    """
    return several(betaln, a, b)


@derivative(
    n=lambda xp, g, n, k, out: g * (out * (xp.scipy.special.psi(n + 1) - xp.scipy.special.psi(n - k + 1))),
    k=lambda xp, g, n, k, out: g * (out * (xp.scipy.special.psi(n - k + 1) - xp.scipy.special.psi(k + 1))),
    kind="elementwise",
)
def binom(n: Any, k: Any, /) -> Array:
    """Binomial coefficient of real numbers.

    Parameters
    ----------
    n, k : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.binom``. Where it is 0 because the gamma function has a pole, its gradient is NaN.
    """
    return several(binom, n, k)


@derivative(
    z=lambda xp, g, z, m, out: g * (out * (xp.scipy.special.psi(z + m) - xp.scipy.special.psi(z))),
    m=lambda xp, g, z, m, out: g * (out * xp.scipy.special.psi(z + m)),
    kind="elementwise",
)
def poch(z: Any, m: Any, /) -> Array:
    """Pochhammer's symbol, ``gamma(z + m) / gamma(z)``.

    Parameters
    ----------
    z, m : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.poch``.
    """
    return several(poch, z, m)


@composite
def multigammaln(a: Array, d: int) -> Array:
    """Logarithm of the multivariate gamma function of each element.

    Parameters
    ----------
    a : Array
        Real floating-point, above ``(d - 1) / 2``.
    d : int
        Dimension, 1 or more.

    Returns
    -------
    Array
        Of the shape of `a`.

    Raises
    ------
    ArgumentValueError
        If `d` is below 1, or an element of `a` on the host is not above ``(d - 1) / 2``.

    Notes
    -----
    As ``scipy.special.multigammaln``.
    """
    dimension = integer(multigammaln, "d", d)
    a = as_array(multigammaln, a)
    if dimension < 1:
        raise ArgumentValueError(f"multigammaln(): d is {dimension}\nFix: give a dimension of 1 or more")
    if a.size and a.device.type == "cpu" and bool((a <= (dimension - 1) / 2).any()):
        raise ArgumentValueError(
            f"multigammaln(): an element of a is not above (d - 1) / 2 = {(dimension - 1) / 2}\nFix: give larger values"
        )
    result = gammaln(a) + dimension * (dimension - 1) / 4 * math.log(math.pi)
    for number in range(1, dimension):
        result = result + gammaln(a - number / 2)
    return result
