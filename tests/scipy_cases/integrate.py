"""Integrals and differential equations: every input that has a derivative."""

import numpy as np
from gradient_cases import Case, complex_, positive, real

import gradarray as ga

POINTS = np.asarray([0.0, 0.4, 0.9, 1.7, 2.1, 2.2])
TWO = np.asarray([1.1, 0.7])
HALF = np.asarray(0.5)
TIGHT = {"rtol": 1e-8, "atol": 1e-10}
LOOSE = {"rtol": 1e-6, "atol": 1e-8}


def gauss(x, c):
    return ga.exp(-c * x**2)


def cycle(t, y, k):
    return ga.stack([-k[0] * y[1] + 0.1 * t, k[1] * y[0] * ga.cos(y[1])])


def decay(t, y, k):
    return -k * y**2 + 0.3 * t


CASES = [
    Case("integrate.trapezoid", lambda sp, y, x: sp.integrate.trapezoid(y, x), (real(2, 6), POINTS)),
    Case("integrate.trapezoid", lambda sp, y, dx: sp.integrate.trapezoid(y, dx=dx, axis=0), (complex_(3, 2), HALF)),
    Case(
        "integrate.cumulative_trapezoid",
        lambda sp, y, x: sp.integrate.cumulative_trapezoid(y, x, axis=0, initial=0),
        (real(6, 2), POINTS),
    ),
    *[
        Case("integrate.simpson", lambda sp, y, x: sp.integrate.simpson(y, x), (real(2, n), POINTS[:n]))
        for n in (2, 5, 6)
    ],
    Case("integrate.simpson", lambda sp, y, dx: sp.integrate.simpson(y, dx=dx), (real(4), HALF)),
    *[
        Case(
            "integrate.cumulative_simpson",
            lambda sp, y, x: sp.integrate.cumulative_simpson(y, x=x),
            (real(2, n), POINTS[:n]),
        )
        for n in (2, 5, 6)
    ],
    Case(
        "integrate.cumulative_simpson",
        lambda sp, y, dx, initial: sp.integrate.cumulative_simpson(y, dx=dx, initial=initial),
        (real(2, 5), HALF, real(2, 1)),
    ),
    Case("integrate.romb", lambda sp, y, dx: sp.integrate.romb(y, dx), (real(2, 5), HALF)),
    Case(
        "integrate.quad",
        lambda sp, a, b, c: sp.integrate.quad(gauss, a, b, args=(c,))[0],
        (np.asarray(0.2), np.asarray(1.3), HALF),
    ),
    # Closed over, to an infinite limit.
    Case("integrate.quad", lambda sp, a, c: sp.integrate.quad(lambda x: gauss(x, c), a, np.inf)[0], (HALF, HALF)),
    Case("integrate.quad", lambda sp, c: sp.integrate.quad(lambda x: ga.sum(gauss(x, c)), 1.0, 0.0)[0], (positive(5),)),
    *[
        Case(
            "integrate.quad",
            lambda sp, a, c, weight=weight: sp.integrate.quad(gauss, a, 1.0, (c,), weight=weight, wvar=2.0)[0],
            (HALF, np.asarray(1.2)),
            order=order,
        )
        for weight, order in (("cos", 2), ("sin", 1), ("cauchy", 1))
    ],
    Case(
        "integrate.quad",
        lambda sp, c: sp.integrate.quad(gauss, 0.0, 1.0, (c,), weight="alg", wvar=(-0.5, 0.0))[0],
        (HALF,),
    ),
    Case(
        "integrate.quad",
        lambda sp, c: sp.integrate.quad(lambda x: ga.exp(1j * c * x), 0.0, 1.0, complex_func=True)[0],
        (HALF,),
    ),
    Case(
        "integrate.quad",
        lambda sp, c: sp.integrate.quad(lambda x: ga.real(ga.sum(gauss(x, c))), 0.0, 1.0)[0],
        (complex_(1),),
    ),
    Case("integrate.quad_vec", lambda sp, a, c: sp.integrate.quad_vec(gauss, a, 1.0, args=(c,))[0], (HALF, TWO)),
    Case("integrate.quad_vec", lambda sp, c: sp.integrate.quad_vec(gauss, 0.0, 1.0, args=(c,))[0], (complex_(2),), 1),
    Case(
        "integrate.dblquad",
        lambda sp, a, c: sp.integrate.dblquad(lambda y, x: c * x * y**2, a, 1.0, 0.0, lambda x: c + x)[0],
        (HALF, np.asarray(1.2)),
        order=1,
    ),
    Case(
        "integrate.fixed_quad",
        lambda sp, a, b, c: sp.integrate.fixed_quad(gauss, a, b, (c,), n=4)[0],
        (np.asarray(0.2), np.asarray(1.3), HALF),
    ),
    *[
        Case(
            "integrate.solve_ivp",
            lambda sp, k, y, start, end, method=method: sp.integrate.solve_ivp(
                cycle, (start, end), y, method, args=(k,), **TIGHT
            ).y[:, -1],
            (TWO, np.asarray([1.0, 0.3]), np.asarray(0.1), np.asarray(0.2)),
            order=1,
        )
        for method in ("RK45", "RK23", "DOP853")
    ],
    *[
        Case(
            "integrate.solve_ivp",
            lambda sp, k, times, method=method: (
                sp.integrate.solve_ivp(lambda t, y: decay(t, y, k), (0.0, 0.5), [0.8, 1.3], method, times, **TIGHT).y
            ),
            (HALF, np.asarray([0.2, 0.4])),
        )
        for method in ("RK45", "DOP853")
    ],
    Case(
        "integrate.solve_ivp",
        lambda sp, y: sp.integrate.solve_ivp(lambda t, y: 1j * y * y, (0.0, 0.5), y, rtol=1e-8).y[0, -1:],
        (complex_(1) / 2,),
    ),
    *[
        Case(
            "integrate.solve_ivp",
            lambda sp, k, end, method=method, options=options: sp.integrate.solve_ivp(
                decay, (0.0, end), [0.8], method, args=(k,), **options
            ).y[:, -1],
            (HALF, np.asarray(0.3)),
            order=order,
        )
        for method, order, options in (("Radau", 2, LOOSE), ("BDF", 1, TIGHT), ("LSODA", 1, TIGHT))
    ],
    Case(
        "integrate.OdeSolution",
        lambda sp, k, t: sp.integrate.solve_ivp(decay, (0.0, 0.3), [0.8], dense_output=True, args=(k,), **TIGHT).sol(t),
        (HALF, np.asarray([0.2, 0.1])),
    ),
    Case(
        "integrate.odeint",
        lambda sp, y, times, k: sp.integrate.odeint(decay, y, times, (k,), tfirst=True, rtol=1e-8, atol=1e-10),
        (np.asarray([0.8]), np.asarray([0.0, 0.3, 0.5]), HALF),
        order=1,
    ),
]
