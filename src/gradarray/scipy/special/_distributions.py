"""Distribution functions of the classical families, and their inverses in the argument that has a closed derivative."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._operations import derivative
from .._kernels import from_scipy
from .._rules import unknown
from ._domain import several

_NAMES = (
    "bdtr bdtrc bdtri nbdtr nbdtrc nbdtri pdtr pdtrc pdtri chdtr chdtrc chdtri fdtr fdtrc fdtri gdtr "
    "gdtrc stdtr stdtrit"
).split()
from_scipy(*[f"special.{name}" for name in _NAMES])


def _binomial(xp: Any, k: Any, n: Any, p: Any) -> Any:
    """The slope in `p` of the probability of more than `k` successes in `n` trials."""
    special, k = xp.scipy.special, xp.floor(k)
    return xp.exp(special.xlogy(k, p) + special.xlog1py(n - k - 1, -p) - special.betaln(n - k, k + 1))


@derivative(
    k=unknown("bdtr", "k"),
    n=unknown("bdtr", "n"),
    p=lambda xp, g, k, n, p: g * (-_binomial(xp, k, n, p)),
    kind="elementwise",
)
def bdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Distribution function of the binomial distribution: at most `k` successes in `n` trials.

    Parameters
    ----------
    k, n, p : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.bdtr``.
    """
    return several(bdtr, k, n, p, whole=(1,))


@derivative(
    k=unknown("bdtrc", "k"),
    n=unknown("bdtrc", "n"),
    p=lambda xp, g, k, n, p: g * _binomial(xp, k, n, p),
    kind="elementwise",
)
def bdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Survival function of the binomial distribution: more than `k` successes in `n` trials.

    Parameters
    ----------
    k, n, p : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.bdtrc``.
    """
    return several(bdtrc, k, n, p, whole=(1,))


@derivative(
    k=unknown("bdtri", "k"),
    n=unknown("bdtri", "n"),
    y=lambda xp, g, k, n, out: g * (-1 / _binomial(xp, k, n, out)),
    kind="elementwise",
)
def bdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Probability of success for which `bdtr` is `y`.

    Parameters
    ----------
    k, n, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.bdtri``.
    """
    return several(bdtri, k, n, y, whole=(1,))


def _negative_binomial(xp: Any, k: Any, n: Any, p: Any) -> Any:
    """The slope in `p` of the probability of at most `k` failures before success `n`."""
    special, k = xp.scipy.special, xp.floor(k)
    return xp.exp(special.xlogy(n - 1, p) + special.xlog1py(k, -p) - special.betaln(n, k + 1))


@derivative(
    k=unknown("nbdtr", "k"),
    n=unknown("nbdtr", "n"),
    p=lambda xp, g, k, n, p: g * _negative_binomial(xp, k, n, p),
    kind="elementwise",
)
def nbdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Distribution function of the negative binomial distribution: at most `k` failures before success `n`.

    Parameters
    ----------
    k, n, p : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.nbdtr``.
    """
    return several(nbdtr, k, n, p, whole=(0, 1))


@derivative(
    k=unknown("nbdtrc", "k"),
    n=unknown("nbdtrc", "n"),
    p=lambda xp, g, k, n, p: g * (-_negative_binomial(xp, k, n, p)),
    kind="elementwise",
)
def nbdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Survival function of the negative binomial distribution.

    Parameters
    ----------
    k, n, p : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.nbdtrc``.
    """
    return several(nbdtrc, k, n, p, whole=(0, 1))


@derivative(
    k=unknown("nbdtri", "k"),
    n=unknown("nbdtri", "n"),
    y=lambda xp, g, k, n, out: g * (1 / _negative_binomial(xp, k, n, out)),
    kind="elementwise",
)
def nbdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Probability of success for which `nbdtr` is `y`.

    Parameters
    ----------
    k, n, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` or `n` is asked for.

    Notes
    -----
    As ``scipy.special.nbdtri``.
    """
    return several(nbdtri, k, n, y, whole=(0, 1))


def _poisson(xp: Any, k: Any, m: Any) -> Any:
    """The probability of `k` under the Poisson distribution of mean `m`."""
    special, k = xp.scipy.special, xp.floor(k)
    return xp.exp(special.xlogy(k, m) - m - special.gammaln(k + 1))


@derivative(k=unknown("pdtr", "k"), m=lambda xp, g, k, m: g * (-_poisson(xp, k, m)), kind="elementwise")
def pdtr(k: Any, m: Any, /) -> Array:
    """Distribution function of the Poisson distribution of mean `m`.

    Parameters
    ----------
    k, m : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` is asked for.

    Notes
    -----
    As ``scipy.special.pdtr``.
    """
    return several(pdtr, k, m)


@derivative(k=unknown("pdtrc", "k"), m=lambda xp, g, k, m: g * _poisson(xp, k, m), kind="elementwise")
def pdtrc(k: Any, m: Any, /) -> Array:
    """Survival function of the Poisson distribution of mean `m`.

    Parameters
    ----------
    k, m : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` is asked for.

    Notes
    -----
    As ``scipy.special.pdtrc``.
    """
    return several(pdtrc, k, m)


@derivative(k=unknown("pdtri", "k"), y=lambda xp, g, k, out: g * (-1 / _poisson(xp, k, out)), kind="elementwise")
def pdtri(k: Any, y: Any, /) -> Array:
    """Mean for which `pdtr` is `y`.

    Parameters
    ----------
    k, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Raises
    ------
    NoDerivativeError
        If a gradient with respect to `k` is asked for.

    Notes
    -----
    As ``scipy.special.pdtri``.
    """
    return several(pdtri, k, y, whole=(0,))


def _chi_square(xp: Any, v: Any, x: Any) -> Any:
    """The density of the chi-square distribution."""
    special = xp.scipy.special
    return xp.exp(special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)) / 2


@derivative(
    v=lambda xp, g, v, x: g * (xp.scipy.special.gammainc_slope(v / 2, x / 2) / 2),
    x=lambda xp, g, v, x: g * _chi_square(xp, v, x),
    kind="elementwise",
)
def chdtr(v: Any, x: Any, /) -> Array:
    """Distribution function of the chi-square distribution with `v` degrees of freedom.

    Parameters
    ----------
    v, x : Array or number
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
    As ``scipy.special.chdtr``.
    """
    return several(chdtr, v, x)


@derivative(
    v=lambda xp, g, v, x: g * (-xp.scipy.special.gammainc_slope(v / 2, x / 2) / 2),
    x=lambda xp, g, v, x: g * (-_chi_square(xp, v, x)),
    kind="elementwise",
)
def chdtrc(v: Any, x: Any, /) -> Array:
    """Survival function of the chi-square distribution with `v` degrees of freedom.

    Parameters
    ----------
    v, x : Array or number
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
    As ``scipy.special.chdtrc``.
    """
    return several(chdtrc, v, x)


@derivative(
    v=lambda xp, g, v, out: g * (-xp.scipy.special.gammainc_slope(v / 2, out / 2) / (2 * _chi_square(xp, v, out))),
    p=lambda xp, g, v, out: g * (-1 / _chi_square(xp, v, out)),
    kind="elementwise",
)
def chdtri(v: Any, p: Any, /) -> Array:
    """Inverse of `chdtrc`.

    Parameters
    ----------
    v, p : Array or number
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
    As ``scipy.special.chdtri``.
    """
    return several(chdtri, v, p)


def _variance_ratio(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    """The density of the F distribution."""
    special, ratio = xp.scipy.special, dfn / dfd
    logarithm = special.xlogy(dfn / 2 - 1, ratio * x) - (dfn + dfd) / 2 * xp.log1p(ratio * x)
    return ratio * xp.exp(logarithm - special.betaln(dfn / 2, dfd / 2))


def _ratio_slopes(xp: Any, dfn: Any, dfd: Any, x: Any) -> tuple[Any, Any]:
    """The derivatives of the distribution function of the F distribution in both degrees of freedom."""
    special = xp.scipy.special
    total = dfd + dfn * x
    z, rest = dfn * x / total, dfd / total
    a, b = dfn / 2, dfd / 2
    density = xp.exp(special.xlogy(a - 1, z) + special.xlogy(b - 1, rest) - special.betaln(a, b))
    along = density * z * rest
    return special.betainc_slope(a, b, z) / 2 + along / dfn, -special.betainc_slope(b, a, rest) / 2 - along / dfd


@derivative(
    dfn=lambda xp, g, dfn, dfd, x: g * _ratio_slopes(xp, dfn, dfd, x)[0],
    dfd=lambda xp, g, dfn, dfd, x: g * _ratio_slopes(xp, dfn, dfd, x)[1],
    x=lambda xp, g, dfn, dfd, x: g * _variance_ratio(xp, dfn, dfd, x),
    kind="elementwise",
)
def fdtr(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Distribution function of the F distribution.

    Parameters
    ----------
    dfn, dfd, x : Array or number
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
    As ``scipy.special.fdtr``.
    """
    return several(fdtr, dfn, dfd, x)


@derivative(
    dfn=lambda xp, g, dfn, dfd, x: g * -_ratio_slopes(xp, dfn, dfd, x)[0],
    dfd=lambda xp, g, dfn, dfd, x: g * -_ratio_slopes(xp, dfn, dfd, x)[1],
    x=lambda xp, g, dfn, dfd, x: g * (-_variance_ratio(xp, dfn, dfd, x)),
    kind="elementwise",
)
def fdtrc(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Survival function of the F distribution.

    Parameters
    ----------
    dfn, dfd, x : Array or number
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
    As ``scipy.special.fdtrc``.
    """
    return several(fdtrc, dfn, dfd, x)


@derivative(
    dfn=lambda xp, g, dfn, dfd, out: g * (-_ratio_slopes(xp, dfn, dfd, out)[0] / _variance_ratio(xp, dfn, dfd, out)),
    dfd=lambda xp, g, dfn, dfd, out: g * (-_ratio_slopes(xp, dfn, dfd, out)[1] / _variance_ratio(xp, dfn, dfd, out)),
    p=lambda xp, g, dfn, dfd, out: g * (1 / _variance_ratio(xp, dfn, dfd, out)),
    kind="elementwise",
)
def fdtri(dfn: Any, dfd: Any, p: Any, /) -> Array:
    """Inverse of `fdtr`.

    Parameters
    ----------
    dfn, dfd, p : Array or number
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
    As ``scipy.special.fdtri``.
    """
    return several(fdtri, dfn, dfd, p)


def _gamma(xp: Any, shape: Any, x: Any) -> Any:
    """The density of the gamma distribution of rate 1."""
    special = xp.scipy.special
    return xp.exp(special.xlogy(shape - 1, x) - x - special.gammaln(shape))


@derivative(
    a=lambda xp, g, a, b, x: g * (x * _gamma(xp, b, a * x)),
    b=lambda xp, g, a, b, x: g * xp.scipy.special.gammainc_slope(b, a * x),
    x=lambda xp, g, a, b, x: g * (a * _gamma(xp, b, a * x)),
    kind="elementwise",
)
def gdtr(a: Any, b: Any, x: Any, /) -> Array:
    """Distribution function of the gamma distribution of rate `a` and shape `b`.

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
    As ``scipy.special.gdtr``.
    """
    return several(gdtr, a, b, x)


@derivative(
    a=lambda xp, g, a, b, x: g * (-x * _gamma(xp, b, a * x)),
    b=lambda xp, g, a, b, x: g * -xp.scipy.special.gammainc_slope(b, a * x),
    x=lambda xp, g, a, b, x: g * (-a * _gamma(xp, b, a * x)),
    kind="elementwise",
)
def gdtrc(a: Any, b: Any, x: Any, /) -> Array:
    """Survival function of the gamma distribution of rate `a` and shape `b`.

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
    As ``scipy.special.gdtrc``.
    """
    return several(gdtrc, a, b, x)


def _student(xp: Any, df: Any, t: Any) -> Any:
    """The density of Student's distribution; at infinitely many degrees of freedom that of the normal one."""
    special, endless = xp.scipy.special, xp.isinf(df)
    finite = xp.where(endless, 1, df)
    logarithm = -(finite + 1) / 2 * xp.log1p(t * t / finite) - special.betaln(finite / 2, 0.5 + 0 * finite)
    normal = xp.exp(-t * t / 2) / math.sqrt(2 * math.pi)
    return xp.where(endless, normal, xp.exp(logarithm) / xp.sqrt(finite))


def _student_slope(xp: Any, df: Any, t: Any) -> Any:
    """The derivative of the distribution function of Student's distribution in the degrees of freedom."""
    special, endless = xp.scipy.special, xp.isinf(df)
    finite = xp.where(endless, 1, df)
    a, half = finite / 2, 0.5 + 0 * finite
    total = finite + t * t
    z, rest = finite / total, t * t / total
    density = xp.exp(special.xlogy(a - 1, z) + special.xlogy(half, rest) - special.betaln(a, half))
    tail = special.betainc_slope(a, half, z) / 4 + density * z / (2 * finite)
    return xp.where(endless | (t == 0), 0, -xp.sign(t) * tail)


@derivative(
    df=lambda xp, g, df, t: g * _student_slope(xp, df, t),
    t=lambda xp, g, df, t: g * _student(xp, df, t),
    kind="elementwise",
)
def stdtr(df: Any, t: Any, /) -> Array:
    """Distribution function of Student's distribution with `df` degrees of freedom.

    Parameters
    ----------
    df, t : Array or number
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
    As ``scipy.special.stdtr``.
    """
    return several(stdtr, df, t)


@derivative(
    df=lambda xp, g, df, out: g * (-_student_slope(xp, df, out) / _student(xp, df, out)),
    p=lambda xp, g, df, out: g * (1 / _student(xp, df, out)),
    kind="elementwise",
)
def stdtrit(df: Any, p: Any, /) -> Array:
    """Quantile of Student's distribution, the inverse of `stdtr`.

    Parameters
    ----------
    df, p : Array or number
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
    As ``scipy.special.stdtrit``.
    """
    return several(stdtrit, df, p)
