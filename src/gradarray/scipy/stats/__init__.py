"""Distributions: SciPy's families with their densities, distribution functions and quantiles, differentiable.

``norm.logpdf(x, loc, scale)`` has derivatives in `x`, `loc` and `scale`; ``gamma.logpdf(x, a)`` in `a` too, of every
order. The distribution functions of gamma, beta, t, F and chi-square have first derivatives in their shapes; second
ones are refused by name. Most other functions of ``scipy.stats`` take gradarray's arrays as they are.
"""

from ._continuous import (
    beta,
    cauchy,
    chi2,
    expon,
    f,
    gamma,
    gumbel_l,
    gumbel_r,
    halfnorm,
    invgamma,
    laplace,
    logistic,
    lognorm,
    norm,
    pareto,
    rayleigh,
    skewnorm,
    t,
    uniform,
    vonmises,
    weibull_min,
)
from ._discrete import bernoulli, binom, geom, nbinom, poisson
from ._multivariate import dirichlet, multivariate_normal

__all__ = [
    "bernoulli",
    "beta",
    "binom",
    "cauchy",
    "chi2",
    "dirichlet",
    "expon",
    "f",
    "gamma",
    "geom",
    "gumbel_l",
    "gumbel_r",
    "halfnorm",
    "invgamma",
    "laplace",
    "logistic",
    "lognorm",
    "multivariate_normal",
    "nbinom",
    "norm",
    "pareto",
    "poisson",
    "rayleigh",
    "skewnorm",
    "t",
    "uniform",
    "vonmises",
    "weibull_min",
]
