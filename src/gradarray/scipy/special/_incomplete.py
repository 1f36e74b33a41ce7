"""The incomplete gamma and beta functions and their inverses."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ..._operations import derivative
from .._kernels import from_scipy
from ._domain import several

from_scipy(
    *[
        "special." + name
        for name in "gammainc gammaincc gammaincinv gammainccinv betainc betaincc betaincinv betainccinv".split()
    ]
)


def _gamma_density(xp: Any, a: Any, x: Any) -> Any:
    """The density of the gamma distribution of shape `a` at `x`."""
    special = xp.scipy.special
    return xp.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


def _beta_density(xp: Any, a: Any, b: Any, x: Any) -> Any:
    """The density of the beta distribution at `x`."""
    special = xp.scipy.special
    return xp.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))


@derivative(
    a=lambda xp, g, a, x: g * xp.scipy.special.gammainc_slope(a, x),
    x=lambda xp, g, a, x: g * _gamma_density(xp, a, x),
    kind="elementwise",
)
def gammainc(a: Any, x: Any, /) -> Array:
    """Regularised lower incomplete gamma function.

    Parameters
    ----------
    a, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.gammainc``.
    """
    return several(gammainc, a, x)


@derivative(
    a=lambda xp, g, a, x: g * -xp.scipy.special.gammainc_slope(a, x),
    x=lambda xp, g, a, x: g * (-_gamma_density(xp, a, x)),
    kind="elementwise",
)
def gammaincc(a: Any, x: Any, /) -> Array:
    """Regularised upper incomplete gamma function, ``1 - gammainc(a, x)``, precise where that is small.

    Parameters
    ----------
    a, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.gammaincc``.
    """
    return several(gammaincc, a, x)


@derivative(
    a=lambda xp, g, a, out: g * (-xp.scipy.special.gammainc_slope(a, out) / _gamma_density(xp, a, out)),
    y=lambda xp, g, a, out: g * (1 / _gamma_density(xp, a, out)),
    kind="elementwise",
)
def gammaincinv(a: Any, y: Any, /) -> Array:
    """Inverse of the regularised lower incomplete gamma function.

    Parameters
    ----------
    a, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.gammaincinv``.
    """
    return several(gammaincinv, a, y)


@derivative(
    a=lambda xp, g, a, out: g * (-xp.scipy.special.gammainc_slope(a, out) / _gamma_density(xp, a, out)),
    y=lambda xp, g, a, out: g * (-1 / _gamma_density(xp, a, out)),
    kind="elementwise",
)
def gammainccinv(a: Any, y: Any, /) -> Array:
    """Inverse of the regularised upper incomplete gamma function.

    Parameters
    ----------
    a, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.gammainccinv``.
    """
    return several(gammainccinv, a, y)


@derivative(
    a=lambda xp, g, a, b, x: g * xp.scipy.special.betainc_slope(a, b, x),
    b=lambda xp, g, a, b, x: g * -xp.scipy.special.betainc_slope(b, a, 1 - x),
    x=lambda xp, g, a, b, x: g * _beta_density(xp, a, b, x),
    kind="elementwise",
)
def betainc(a: Any, b: Any, x: Any, /) -> Array:
    """Regularised incomplete beta function.

    Parameters
    ----------
    a, b, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.betainc``.
    """
    return several(betainc, a, b, x)


@derivative(
    a=lambda xp, g, a, b, x: g * -xp.scipy.special.betainc_slope(a, b, x),
    b=lambda xp, g, a, b, x: g * xp.scipy.special.betainc_slope(b, a, 1 - x),
    x=lambda xp, g, a, b, x: g * (-_beta_density(xp, a, b, x)),
    kind="elementwise",
)
def betaincc(a: Any, b: Any, x: Any, /) -> Array:
    """Complement of the regularised incomplete beta function, ``1 - betainc(a, b, x)``.

    Parameters
    ----------
    a, b, x : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.betaincc``.
    """
    return several(betaincc, a, b, x)


@derivative(
    a=lambda xp, g, a, b, out: g * (-xp.scipy.special.betainc_slope(a, b, out) / _beta_density(xp, a, b, out)),
    b=lambda xp, g, a, b, out: g * (xp.scipy.special.betainc_slope(b, a, 1 - out) / _beta_density(xp, a, b, out)),
    y=lambda xp, g, a, b, out: g * (1 / _beta_density(xp, a, b, out)),
    kind="elementwise",
)
def betaincinv(a: Any, b: Any, y: Any, /) -> Array:
    """Inverse of the regularised incomplete beta function.

    Parameters
    ----------
    a, b, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.betaincinv``.
    """
    return several(betaincinv, a, b, y)


@derivative(
    a=lambda xp, g, a, b, out: g * (-xp.scipy.special.betainc_slope(a, b, out) / _beta_density(xp, a, b, out)),
    b=lambda xp, g, a, b, out: g * (xp.scipy.special.betainc_slope(b, a, 1 - out) / _beta_density(xp, a, b, out)),
    y=lambda xp, g, a, b, out: g * (-1 / _beta_density(xp, a, b, out)),
    kind="elementwise",
)
def betainccinv(a: Any, b: Any, y: Any, /) -> Array:
    """Inverse of the complement of the regularised incomplete beta function.

    Parameters
    ----------
    a, b, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a second derivative in parameters before the last is asked for.

    Notes
    -----
    As ``scipy.special.betainccinv``.
    """
    return several(betainccinv, a, b, y)
