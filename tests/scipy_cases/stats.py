"""Distributions, in their points, their shapes, location and scale."""

import dataclasses

import numpy as np
from gradient_cases import Case, real

POINTS = np.asarray([0.3, 0.55, 0.8])
UNIT = np.asarray([0.2, 0.45, 0.9])
LOC, SCALE = np.asarray(0.1), np.asarray(1.3)

#: Shapes with a derivative of every method.
FAMILIES = {
    "cauchy": (),
    "expon": (),
    "gumbel_l": (),
    "gumbel_r": (),
    "halfnorm": (),
    "laplace": (),
    "logistic": (),
    "lognorm": (0.7,),
    "norm": (),
    "rayleigh": (),
    "uniform": (),
    "weibull_min": (1.6,),
}
#: Those whose distribution function has none in the shapes.
OTHERS = {
    "beta": (1.7, 2.2),
    "chi2": (3.5,),
    "f": (3.0, 5.5),
    "gamma": (1.8,),
    "invgamma": (2.6,),
    "t": (4.5,),
}
SUPPORTED = {"pareto": (2.4,)}


def _shaped(shapes):
    return tuple(np.asarray(shape) for shape in shapes)


def _case(name, method, at, shapes=()):
    return Case(
        f"stats.{name}.{method}",
        lambda sp, x, *parameters: getattr(getattr(sp.stats, name), method)(x, *parameters),
        (at, *_shaped(shapes), LOC, SCALE),
    )


def _fixed(name, method, at, shapes):
    """A case where the shapes are constants."""
    return Case(
        f"stats.{name}.{method}",
        lambda sp, x, loc, scale: getattr(getattr(sp.stats, name), method)(x, *shapes, loc, scale),
        (at, LOC, SCALE),
    )


def _discrete(name, k, parameter, *constants):
    return [
        Case(
            f"stats.{name}.{method}",
            lambda sp, p, method=method: getattr(getattr(sp.stats, name), method)(_on(p, k), *constants, p),
            (np.asarray(parameter),),
        )
        for method in ("logpmf", "pmf", "cdf", "sf")
    ]


def _on(like, values):
    import gradarray as ga

    return ga.asarray(values, device=like.device)


CASES = [
    *[
        _case(name, method, POINTS, shapes)
        for name, shapes in FAMILIES.items()
        for method in ("logpdf", "cdf", "logsf")
    ],
    *[_case(name, method, UNIT, shapes) for name, shapes in FAMILIES.items() for method in ("ppf", "isf")],
    *[_case(name, "logpdf", POINTS, shapes) for name, shapes in OTHERS.items()],
    *[_fixed(name, method, POINTS, shapes) for name, shapes in OTHERS.items() for method in ("pdf", "cdf", "sf")],
    *[
        dataclasses.replace(_case(name, method, at, shapes), order=1)
        for name, shapes in OTHERS.items()
        for method, at in (("cdf", POINTS), ("sf", POINTS), ("ppf", UNIT))
    ],
    *[_fixed(name, method, UNIT, shapes) for name, shapes in OTHERS.items() for method in ("ppf", "isf")],
    *[_case("pareto", method, POINTS + 2.0, (2.4,)) for method in ("logpdf", "cdf", "logsf")],
    *[_case("pareto", method, UNIT, (2.4,)) for method in ("ppf", "isf")],
    _case("skewnorm", "logpdf", real(3), (-1.5,)),
    _case("vonmises", "logpdf", real(3), (1.4,)),
    Case("stats.gamma.mean", lambda sp, a, loc, scale: sp.stats.gamma.mean(a, loc, scale), (POINTS, LOC, SCALE)),
    Case("stats.weibull_min.var", lambda sp, c, scale: sp.stats.weibull_min.var(c, scale=scale), (POINTS + 1, SCALE)),
    Case("stats.gamma.entropy", lambda sp, a, scale: sp.stats.gamma.entropy(a, scale=scale), (POINTS, SCALE)),
    Case("stats.norm.std", lambda sp, scale: sp.stats.norm.std(0.0, scale), (POINTS,)),
    *_discrete("poisson", [0.0, 1.0, 4.0], 2.2),
    *_discrete("binom", [0.0, 1.0, 4.0], 0.3, 7),
    *_discrete("bernoulli", [0.0, 1.0], 0.3),
    *_discrete("geom", [1.0, 2.0, 5.0], 0.3),
    *_discrete("nbinom", [0.0, 1.0, 4.0], 0.3, 2.5),
    Case("stats.nbinom.logpmf", lambda sp, n: sp.stats.nbinom.logpmf(_on(n, [0.0, 3.0]), n, 0.4), (np.asarray(2.5),)),
    Case(
        "stats.multivariate_normal.logpdf",
        lambda sp, x, mean, root: sp.stats.multivariate_normal.logpdf(x, mean, root @ root.mT + 0.5),
        (real(2, 2), real(2, seed=1), np.asarray([[1.0, 0.3], [-0.2, 1.4]])),
    ),
    Case(
        "stats.dirichlet.logpdf", lambda sp, x, alpha: sp.stats.dirichlet.logpdf(x, alpha), (POINTS[:2], POINTS + 0.5)
    ),
]
