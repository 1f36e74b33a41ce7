"""The common continuous families, each for location 0 and scale 1."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ...ops.elementwise import abs as absolute
from ...ops.elementwise import atan2, cos, exp, expm1, log, log1p, sqrt, tan
from ...ops.searching import where
from .. import special
from ._distribution import Continuous

_LOG_SQRT_2_PI = math.log(2 * math.pi) / 2
_EULER = 0.5772156649015329
_FROM_ZERO = (0.0, math.inf)


class _norm(Continuous):
    """The normal distribution."""

    def _logpdf(self, x: Array) -> Array:
        return -x * x / 2 - _LOG_SQRT_2_PI

    def _cdf(self, x: Array) -> Array:
        return special.ndtr(x)

    def _sf(self, x: Array) -> Array:
        return special.ndtr(-x)

    def _logcdf(self, x: Array) -> Array:
        return special.log_ndtr(x)

    def _logsf(self, x: Array) -> Array:
        return special.log_ndtr(-x)

    def _ppf(self, q: Array) -> Array:
        return special.ndtri(q)

    def _isf(self, q: Array) -> Array:
        return -special.ndtri(q)

    def _mean(self) -> Any:
        return 0.0

    def _var(self) -> Any:
        return 1.0

    def _entropy(self) -> Any:
        return _LOG_SQRT_2_PI + 0.5


class _halfnorm(Continuous):
    """The absolute value of a normal variable."""

    support = _FROM_ZERO

    def _logpdf(self, x: Array) -> Array:
        return -x * x / 2 - _LOG_SQRT_2_PI + math.log(2)

    def _cdf(self, x: Array) -> Array:
        return special.erf(x * math.sqrt(0.5))

    def _sf(self, x: Array) -> Array:
        return 2 * special.ndtr(-x)

    def _ppf(self, q: Array) -> Array:
        return special.ndtri((1 + q) / 2)

    def _isf(self, q: Array) -> Array:
        return -special.ndtri(q / 2)

    def _mean(self) -> Any:
        return math.sqrt(2 / math.pi)

    def _var(self) -> Any:
        return 1 - 2 / math.pi

    def _entropy(self) -> Any:
        return math.log(math.pi / 2) / 2 + 0.5


class _lognorm(Continuous):
    """A variable whose logarithm is normal, with the standard deviation `s`."""

    shapes = ("s",)
    support = _FROM_ZERO

    def _logpdf(self, x: Array, s: Array) -> Array:
        scaled = log(x) / s
        return where(x == 0, -math.inf, -scaled * scaled / 2 - log(s * x) - _LOG_SQRT_2_PI)

    def _cdf(self, x: Array, s: Array) -> Array:
        return special.ndtr(log(x) / s)

    def _sf(self, x: Array, s: Array) -> Array:
        return special.ndtr(-log(x) / s)

    def _logcdf(self, x: Array, s: Array) -> Array:
        return special.log_ndtr(log(x) / s)

    def _logsf(self, x: Array, s: Array) -> Array:
        return special.log_ndtr(-log(x) / s)

    def _ppf(self, q: Array, s: Array) -> Array:
        return exp(s * special.ndtri(q))

    def _isf(self, q: Array, s: Array) -> Array:
        return exp(-s * special.ndtri(q))

    def _mean(self, s: Array) -> Any:
        return exp(s * s / 2)

    def _var(self, s: Array) -> Any:
        return expm1(s * s) * exp(s * s)

    def _entropy(self, s: Array) -> Any:
        return _LOG_SQRT_2_PI + 0.5 + log(s)


class _uniform(Continuous):
    """The uniform distribution from 0 to 1."""

    support = (0.0, 1.0)

    def _logpdf(self, x: Array) -> Array:
        return 0 * x

    def _cdf(self, x: Array) -> Array:
        return x

    def _ppf(self, q: Array) -> Array:
        return q

    def _mean(self) -> Any:
        return 0.5

    def _var(self) -> Any:
        return 1 / 12

    def _entropy(self) -> Any:
        return 0.0


class _expon(Continuous):
    """The exponential distribution."""

    support = _FROM_ZERO

    def _logpdf(self, x: Array) -> Array:
        return -x

    def _cdf(self, x: Array) -> Array:
        return -expm1(-x)

    def _sf(self, x: Array) -> Array:
        return exp(-x)

    def _logsf(self, x: Array) -> Array:
        return -x

    def _ppf(self, q: Array) -> Array:
        return -log1p(-q)

    def _isf(self, q: Array) -> Array:
        return -log(q)

    def _mean(self) -> Any:
        return 1.0

    def _var(self) -> Any:
        return 1.0

    def _entropy(self) -> Any:
        return 1.0


class _gamma(Continuous):
    """The gamma distribution of shape `a`."""

    shapes = ("a",)
    support = _FROM_ZERO

    def _logpdf(self, x: Array, a: Array) -> Array:
        return special.xlogy(a - 1, x) - x - special.gammaln(a)

    def _cdf(self, x: Array, a: Array) -> Array:
        return special.gammainc(a, x)

    def _sf(self, x: Array, a: Array) -> Array:
        return special.gammaincc(a, x)

    def _ppf(self, q: Array, a: Array) -> Array:
        return special.gammaincinv(a, q)

    def _isf(self, q: Array, a: Array) -> Array:
        return special.gammainccinv(a, q)

    def _mean(self, a: Array) -> Any:
        return a

    def _var(self, a: Array) -> Any:
        return a

    def _entropy(self, a: Array) -> Any:
        return a + special.gammaln(a) + (1 - a) * special.psi(a)


class _invgamma(Continuous):
    """The reciprocal of a gamma variable of shape `a`."""

    shapes = ("a",)
    support = _FROM_ZERO

    def _logpdf(self, x: Array, a: Array) -> Array:
        return where(x == 0, -math.inf, -(a + 1) * log(x) - special.gammaln(a) - 1 / x)

    def _cdf(self, x: Array, a: Array) -> Array:
        return special.gammaincc(a, 1 / x)

    def _sf(self, x: Array, a: Array) -> Array:
        return special.gammainc(a, 1 / x)

    def _ppf(self, q: Array, a: Array) -> Array:
        return 1 / special.gammainccinv(a, q)

    def _isf(self, q: Array, a: Array) -> Array:
        return 1 / special.gammaincinv(a, q)

    def _mean(self, a: Array) -> Any:
        return where(a > 1, 1 / (a - 1), math.inf)

    def _var(self, a: Array) -> Any:
        return where(a > 2, 1 / ((a - 1) ** 2 * (a - 2)), math.inf)

    def _entropy(self, a: Array) -> Any:
        return a - (a + 1) * special.psi(a) + special.gammaln(a)


class _chi2(Continuous):
    """The chi-square distribution with `df` degrees of freedom."""

    shapes = ("df",)
    support = _FROM_ZERO

    def _logpdf(self, x: Array, df: Array) -> Array:
        return special.xlogy(df / 2 - 1, x) - x / 2 - special.gammaln(df / 2) - df / 2 * math.log(2)

    def _cdf(self, x: Array, df: Array) -> Array:
        return special.chdtr(df, x)

    def _sf(self, x: Array, df: Array) -> Array:
        return special.chdtrc(df, x)

    def _ppf(self, q: Array, df: Array) -> Array:
        return 2 * special.gammaincinv(df / 2, q)

    def _isf(self, q: Array, df: Array) -> Array:
        return special.chdtri(df, q)

    def _mean(self, df: Array) -> Any:
        return df

    def _var(self, df: Array) -> Any:
        return 2 * df

    def _entropy(self, df: Array) -> Any:
        half = df / 2
        return half + math.log(2) + special.gammaln(half) + (1 - half) * special.psi(half)


class _beta(Continuous):
    """The beta distribution."""

    shapes = ("a", "b")
    support = (0.0, 1.0)

    def _logpdf(self, x: Array, a: Array, b: Array) -> Array:
        return special.xlog1py(b - 1, -x) + special.xlogy(a - 1, x) - special.betaln(a, b)

    def _cdf(self, x: Array, a: Array, b: Array) -> Array:
        return special.betainc(a, b, x)

    def _sf(self, x: Array, a: Array, b: Array) -> Array:
        return special.betaincc(a, b, x)

    def _ppf(self, q: Array, a: Array, b: Array) -> Array:
        return special.betaincinv(a, b, q)

    def _isf(self, q: Array, a: Array, b: Array) -> Array:
        return special.betainccinv(a, b, q)

    def _mean(self, a: Array, b: Array) -> Any:
        return a / (a + b)

    def _var(self, a: Array, b: Array) -> Any:
        total = a + b
        return a * b / (total * total * (total + 1))

    def _entropy(self, a: Array, b: Array) -> Any:
        psi = special.psi
        return special.betaln(a, b) - (a - 1) * psi(a) - (b - 1) * psi(b) + (a + b - 2) * psi(a + b)


class _t(Continuous):
    """Student's distribution with `df` degrees of freedom."""

    shapes = ("df",)

    def _logpdf(self, x: Array, df: Array) -> Array:
        return -(df + 1) / 2 * log1p(x * x / df) - special.betaln(df / 2, 0.5) - log(df) / 2

    def _cdf(self, x: Array, df: Array) -> Array:
        return special.stdtr(df, x)

    def _sf(self, x: Array, df: Array) -> Array:
        return special.stdtr(df, -x)

    def _ppf(self, q: Array, df: Array) -> Array:
        return special.stdtrit(df, q)

    def _isf(self, q: Array, df: Array) -> Array:
        return -special.stdtrit(df, q)

    def _mean(self, df: Array) -> Any:
        return where(df > 1, 0.0 * df, math.inf)

    def _var(self, df: Array) -> Any:
        return where(df > 2, df / (df - 2), where(df > 1, math.inf, math.nan))

    def _entropy(self, df: Array) -> Any:
        half, more = df / 2, (df + 1) / 2
        return more * (special.psi(more) - special.psi(half)) + log(df) / 2 + special.betaln(half, 0.5)


class _f(Continuous):
    """The F distribution."""

    shapes = ("dfn", "dfd")
    support = _FROM_ZERO

    def _logpdf(self, x: Array, dfn: Array, dfd: Array) -> Array:
        ratio = dfn / dfd
        logarithm = special.xlogy(dfn / 2 - 1, ratio * x) - (dfn + dfd) / 2 * log1p(ratio * x)
        return logarithm + log(ratio) - special.betaln(dfn / 2, dfd / 2)

    def _cdf(self, x: Array, dfn: Array, dfd: Array) -> Array:
        return special.fdtr(dfn, dfd, x)

    def _sf(self, x: Array, dfn: Array, dfd: Array) -> Array:
        return special.fdtrc(dfn, dfd, x)

    def _ppf(self, q: Array, dfn: Array, dfd: Array) -> Array:
        return special.fdtri(dfn, dfd, q)

    def _mean(self, dfn: Array, dfd: Array) -> Any:
        return where(dfd > 2, dfd / (dfd - 2), math.inf) + 0 * dfn

    def _var(self, dfn: Array, dfd: Array) -> Any:
        value = 2 * dfd**2 * (dfn + dfd - 2) / (dfn * (dfd - 2) ** 2 * (dfd - 4))
        return where(dfd > 4, value, math.inf)


class _cauchy(Continuous):
    """The Cauchy distribution."""

    def _logpdf(self, x: Array) -> Array:
        return -log1p(x * x) - math.log(math.pi)

    def _cdf(self, x: Array) -> Array:
        return atan2(1 + 0 * x, -x) / math.pi

    def _sf(self, x: Array) -> Array:
        return atan2(1 + 0 * x, x) / math.pi

    def _ppf(self, q: Array) -> Array:
        return tan(math.pi * (q - 0.5))

    def _entropy(self) -> Any:
        return math.log(4 * math.pi)


class _laplace(Continuous):
    """The double exponential distribution."""

    def _logpdf(self, x: Array) -> Array:
        return -absolute(x) - math.log(2)

    def _cdf(self, x: Array) -> Array:
        tail = exp(-absolute(x)) / 2
        return where(x > 0, 1 - tail, tail)

    def _sf(self, x: Array) -> Array:
        return self._cdf(-x)

    def _ppf(self, q: Array) -> Array:
        return where(q > 0.5, -log(2 * (1 - q)), log(2 * q))

    def _isf(self, q: Array) -> Array:
        return -self._ppf(q)

    def _mean(self) -> Any:
        return 0.0

    def _var(self) -> Any:
        return 2.0

    def _entropy(self) -> Any:
        return math.log(2) + 1


class _logistic(Continuous):
    """The logistic distribution."""

    def _logpdf(self, x: Array) -> Array:
        return special.log_expit(x) + special.log_expit(-x)

    def _cdf(self, x: Array) -> Array:
        return special.expit(x)

    def _sf(self, x: Array) -> Array:
        return special.expit(-x)

    def _logcdf(self, x: Array) -> Array:
        return special.log_expit(x)

    def _logsf(self, x: Array) -> Array:
        return special.log_expit(-x)

    def _ppf(self, q: Array) -> Array:
        return special.logit(q)

    def _isf(self, q: Array) -> Array:
        return -special.logit(q)

    def _mean(self) -> Any:
        return 0.0

    def _var(self) -> Any:
        return math.pi**2 / 3

    def _entropy(self) -> Any:
        return 2.0


class _gumbel_r(Continuous):
    """The extreme value distribution of largest values."""

    def _logpdf(self, x: Array) -> Array:
        return -x - exp(-x)

    def _cdf(self, x: Array) -> Array:
        return exp(-exp(-x))

    def _sf(self, x: Array) -> Array:
        return -expm1(-exp(-x))

    def _logcdf(self, x: Array) -> Array:
        return -exp(-x)

    def _ppf(self, q: Array) -> Array:
        return -log(-log(q))

    def _isf(self, q: Array) -> Array:
        return -log(-log1p(-q))

    def _mean(self) -> Any:
        return _EULER

    def _var(self) -> Any:
        return math.pi**2 / 6

    def _entropy(self) -> Any:
        return _EULER + 1


class _gumbel_l(Continuous):
    """The extreme value distribution of smallest values."""

    def _logpdf(self, x: Array) -> Array:
        return x - exp(x)

    def _cdf(self, x: Array) -> Array:
        return -expm1(-exp(x))

    def _sf(self, x: Array) -> Array:
        return exp(-exp(x))

    def _logsf(self, x: Array) -> Array:
        return -exp(x)

    def _ppf(self, q: Array) -> Array:
        return log(-log1p(-q))

    def _isf(self, q: Array) -> Array:
        return log(-log(q))

    def _mean(self) -> Any:
        return -_EULER

    def _var(self) -> Any:
        return math.pi**2 / 6

    def _entropy(self) -> Any:
        return _EULER + 1


class _weibull_min(Continuous):
    """The Weibull distribution of shape `c`."""

    shapes = ("c",)
    support = _FROM_ZERO

    def _logpdf(self, x: Array, c: Array) -> Array:
        return log(c) + special.xlogy(c - 1, x) - x**c

    def _cdf(self, x: Array, c: Array) -> Array:
        return -expm1(-(x**c))

    def _sf(self, x: Array, c: Array) -> Array:
        return exp(-(x**c))

    def _logsf(self, x: Array, c: Array) -> Array:
        return -(x**c)

    def _ppf(self, q: Array, c: Array) -> Array:
        return (-log1p(-q)) ** (1 / c)

    def _isf(self, q: Array, c: Array) -> Array:
        return (-log(q)) ** (1 / c)

    def _mean(self, c: Array) -> Any:
        return special.gamma(1 + 1 / c)

    def _var(self, c: Array) -> Any:
        return special.gamma(1 + 2 / c) - special.gamma(1 + 1 / c) ** 2

    def _entropy(self, c: Array) -> Any:
        return _EULER - _EULER / c - log(c) + 1


class _rayleigh(Continuous):
    """The length of a vector of two normal variables."""

    support = _FROM_ZERO

    def _logpdf(self, x: Array) -> Array:
        return log(x) - x * x / 2

    def _cdf(self, x: Array) -> Array:
        return -expm1(-x * x / 2)

    def _sf(self, x: Array) -> Array:
        return exp(-x * x / 2)

    def _logsf(self, x: Array) -> Array:
        return -x * x / 2

    def _ppf(self, q: Array) -> Array:
        return sqrt(-2 * log1p(-q))

    def _isf(self, q: Array) -> Array:
        return sqrt(-2 * log(q))

    def _mean(self) -> Any:
        return math.sqrt(math.pi / 2)

    def _var(self) -> Any:
        return 2 - math.pi / 2

    def _entropy(self) -> Any:
        return _EULER / 2 + 1 - math.log(2) / 2


class _pareto(Continuous):
    """The Pareto distribution of shape `b`."""

    shapes = ("b",)
    support = (1.0, math.inf)

    def _logpdf(self, x: Array, b: Array) -> Array:
        return log(b) - (b + 1) * log(x)

    def _cdf(self, x: Array, b: Array) -> Array:
        return -expm1(-b * log(x))

    def _sf(self, x: Array, b: Array) -> Array:
        return x**-b

    def _logsf(self, x: Array, b: Array) -> Array:
        return -b * log(x)

    def _ppf(self, q: Array, b: Array) -> Array:
        return exp(-log1p(-q) / b)

    def _isf(self, q: Array, b: Array) -> Array:
        return q ** (-1 / b)

    def _mean(self, b: Array) -> Any:
        return where(b > 1, b / (b - 1), math.inf)

    def _var(self, b: Array) -> Any:
        return where(b > 2, b / ((b - 2) * (b - 1) ** 2), math.inf)

    def _entropy(self, b: Array) -> Any:
        return 1 + 1 / b - log(b)


class _skewnorm(Continuous):
    """The skewed normal distribution, without a distribution function; `a` may have either sign."""

    shapes = ("a",)

    def _valid(self, a: Array) -> Any:
        return a == a

    def _logpdf(self, x: Array, a: Array) -> Array:
        return math.log(2) - x * x / 2 - _LOG_SQRT_2_PI + special.log_ndtr(a * x)

    def _mean(self, a: Array) -> Any:
        return a / sqrt(1 + a * a) * math.sqrt(2 / math.pi)

    def _var(self, a: Array) -> Any:
        return 1 - self._mean(a) ** 2


class _vonmises(Continuous):
    """The normal distribution's like on the circle, of concentration `kappa`; it has a density only."""

    shapes = ("kappa",)

    def _valid(self, kappa: Array) -> Any:
        return kappa >= 0

    def _logpdf(self, x: Array, kappa: Array) -> Array:
        return kappa * (cos(x) - 1) - math.log(2 * math.pi) - log(special.i0e(kappa))


norm = _norm()
halfnorm = _halfnorm()
lognorm = _lognorm()
uniform = _uniform()
expon = _expon()
gamma = _gamma()
invgamma = _invgamma()
chi2 = _chi2()
beta = _beta()
t = _t()
f = _f()
cauchy = _cauchy()
laplace = _laplace()
logistic = _logistic()
gumbel_r = _gumbel_r()
gumbel_l = _gumbel_l()
weibull_min = _weibull_min()
rayleigh = _rayleigh()
pareto = _pareto()
skewnorm = _skewnorm()
vonmises = _vonmises()
