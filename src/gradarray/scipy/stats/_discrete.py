"""The common discrete families."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ...ops.elementwise import exp, expm1, floor, log, log1p
from .. import special
from ._distribution import Discrete


def _is_probability(p: Array) -> Any:
    return (p >= 0) & (p <= 1)


class _poisson(Discrete):
    """The Poisson distribution of mean `mu`."""

    shapes = ("mu",)

    def _valid(self, mu: Array) -> Any:
        return mu >= 0

    def _logpmf(self, k: Array, mu: Array) -> Array:
        return special.xlogy(k, mu) - special.gammaln(k + 1) - mu

    def _cdf(self, k: Array, mu: Array) -> Array:
        return special.pdtr(k, mu)

    def _sf(self, k: Array, mu: Array) -> Array:
        return special.pdtrc(k, mu)

    def _mean(self, mu: Array) -> Any:
        return mu

    def _var(self, mu: Array) -> Any:
        return mu


class _binom(Discrete):
    """The number of successes in `n` trials of probability `p`."""

    shapes = ("n", "p")

    def _valid(self, n: Array, p: Array) -> Any:
        return (n >= 0) & (floor(n) == n) & _is_probability(p)

    def _highest(self, n: Array, p: Array) -> Any:
        return n

    def _logpmf(self, k: Array, n: Array, p: Array) -> Array:
        ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        return ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)

    def _cdf(self, k: Array, n: Array, p: Array) -> Array:
        return special.betaincc(k + 1, n - k, p)

    def _sf(self, k: Array, n: Array, p: Array) -> Array:
        return special.betainc(k + 1, n - k, p)

    def _mean(self, n: Array, p: Array) -> Any:
        return n * p

    def _var(self, n: Array, p: Array) -> Any:
        return n * p * (1 - p)


class _bernoulli(Discrete):
    """1 with probability `p`, else 0."""

    shapes = ("p",)

    def _valid(self, p: Array) -> Any:
        return _is_probability(p)

    def _highest(self, p: Array) -> Any:
        return 1.0

    def _logpmf(self, k: Array, p: Array) -> Array:
        return special.xlogy(k, p) + special.xlog1py(1 - k, -p)

    def _cdf(self, k: Array, p: Array) -> Array:
        return 1 - p + 0 * k

    def _sf(self, k: Array, p: Array) -> Array:
        return p + 0 * k

    def _mean(self, p: Array) -> Any:
        return p

    def _var(self, p: Array) -> Any:
        return p * (1 - p)


class _geom(Discrete):
    """The number of the first success in trials of probability `p`."""

    shapes = ("p",)
    lowest = 1

    def _valid(self, p: Array) -> Any:
        return (p > 0) & (p <= 1)

    def _logpmf(self, k: Array, p: Array) -> Array:
        return special.xlog1py(k - 1, -p) + log(p)

    def _cdf(self, k: Array, p: Array) -> Array:
        return -expm1(k * log1p(-p))

    def _sf(self, k: Array, p: Array) -> Array:
        return exp(k * log1p(-p))

    def _mean(self, p: Array) -> Any:
        return 1 / p

    def _var(self, p: Array) -> Any:
        return (1 - p) / (p * p)


class _nbinom(Discrete):
    """The number of failures before success number `n`, in trials of probability `p`."""

    shapes = ("n", "p")

    def _valid(self, n: Array, p: Array) -> Any:
        return (n > 0) & (p > 0) & (p <= 1)

    def _logpmf(self, k: Array, n: Array, p: Array) -> Array:
        ways = special.gammaln(n + k) - special.gammaln(k + 1) - special.gammaln(n)
        return ways + n * log(p) + special.xlog1py(k, -p)

    def _cdf(self, k: Array, n: Array, p: Array) -> Array:
        return special.betainc(n, k + 1, p)

    def _sf(self, k: Array, n: Array, p: Array) -> Array:
        return special.betaincc(n, k + 1, p)

    def _mean(self, n: Array, p: Array) -> Any:
        return n * (1 - p) / p

    def _var(self, n: Array, p: Array) -> Any:
        return n * (1 - p) / (p * p)


poisson = _poisson()
binom = _binom()
bernoulli = _bernoulli()
geom = _geom()
nbinom = _nbinom()
