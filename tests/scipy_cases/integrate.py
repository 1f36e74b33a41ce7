"""Integrals of samples and of functions, in samples, parameters and limits."""

import numpy as np
from gradient_cases import Case, complex_, real

import gradarray as ga


def _bell(x, p):
    return ga.exp(-p * x * x)


CASES = [
    Case("integrate.trapezoid", lambda sp, y: sp.integrate.trapezoid(y) ** 2, (real(5),)),
    Case(
        "integrate.trapezoid",
        lambda sp, y, x: sp.integrate.trapezoid(y, x, axis=0),
        (real(4, 2), np.asarray([0.1, 0.4, 1.1, 1.3])),
    ),
    Case(
        "integrate.cumulative_trapezoid", lambda sp, y: sp.integrate.cumulative_trapezoid(y, initial=0), (complex_(5),)
    ),
    Case("integrate.simpson", lambda sp, y: sp.integrate.simpson(y), (real(5),)),
    Case("integrate.simpson", lambda sp, y: sp.integrate.simpson(y) ** 2, (real(6),)),
    Case(
        "integrate.simpson", lambda sp, y, x: sp.integrate.simpson(y, x=x), (real(4), np.asarray([0.1, 0.4, 1.1, 1.3]))
    ),
    Case("integrate.cumulative_simpson", lambda sp, y: sp.integrate.cumulative_simpson(y), (real(6),)),
    Case("integrate.romb", lambda sp, y: sp.integrate.romb(y) ** 2, (real(5),)),
    Case("integrate.quad", lambda sp, p: sp.integrate.quad(_bell, 0.0, 1.5, (p,))[0], (np.asarray(0.7),)),
    Case(
        "integrate.quad", lambda sp, a, b: sp.integrate.quad(_bell, a, b, (0.7,))[0], (np.asarray(0.2), np.asarray(1.3))
    ),
    Case("integrate.fixed_quad", lambda sp, p: sp.integrate.fixed_quad(_bell, 0.0, 1.5, (p,))[0], (np.asarray(0.7),)),
]
