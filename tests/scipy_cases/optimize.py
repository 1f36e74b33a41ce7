"""Solutions of equations and minima, in what the functions depend on."""

import numpy as np
from gradient_cases import Case

import gradarray as ga

P = np.asarray(1.5)


def _cubic(x, p):
    return x**3 + p * x - 2.0


def _system(x, p):
    return ga.stack([x[0] ** 2 + p[0] * x[1] - 1.0, x[0] - x[1] ** 3 + p[1]])


def _valley(x, t):
    return ga.sum((x - t) ** 2) + 0.1 * ga.sum(x**4)


def _start(like, *values):
    return ga.asarray(list(values), device=like.device)


CASES = [
    *[
        Case(f"optimize.{name}", lambda sp, p, name=name: getattr(sp.optimize, name)(_cubic, 0.0, 2.0, (p,)), (P,))
        for name in ("bisect", "brenth", "brentq", "ridder", "toms748")
    ],
    Case("optimize.newton", lambda sp, p: sp.optimize.newton(_cubic, 1.0, args=(p,)), (P,)),
    Case("optimize.root_scalar", lambda sp, p: sp.optimize.root_scalar(_cubic, (p,), bracket=(0.0, 2.0)).root, (P,)),
    Case(
        "optimize.root",
        lambda sp, p: sp.optimize.root(_system, _start(p, 0.5, 0.5), (p,), tol=1e-13).x,
        (np.asarray([0.7, 0.3]),),
    ),
    Case(
        "optimize.fixed_point",
        lambda sp, p: sp.optimize.fixed_point(lambda x, p: ga.cos(p * x), _start(p, 0.8), (p,), 1e-12),
        (np.asarray(0.5),),
    ),
    Case(
        "optimize.minimize",
        lambda sp, t: sp.optimize.minimize(_valley, _start(t, 0.0, 0.0), (t,), "BFGS", options={"gtol": 1e-11}).x,
        (np.asarray([1.0, -0.5]),),
    ),
]
