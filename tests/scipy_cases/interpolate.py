"""Interpolation: the values, the points and the points of evaluation of every interpolator."""

import numpy as np
from gradient_cases import Case as AnyCase
from gradient_cases import complex_, positive, real

import gradarray as ga

#: Second order is checked where something is differentiated that has not been already: all else is made of these.
TWICE = 2


def Case(op, f, args, order=1):
    """A case of first order, unless it says otherwise."""
    return AnyCase(op, f, args, order)


X = np.asarray([0.0, 0.7, 1.1, 2.3, 3.0, 3.8])
AT = np.asarray([0.2, 0.95, 1.65, 3.3, -0.4, 4.1])
Y, Y2 = real(6), real(6, 2, seed=1)
CLOSED = np.asarray([0.3, -1.2, 0.8, 1.9, -0.5, 0.3])
PLANE = real(8, 2, seed=5, low=0.0, high=3.0)
INSIDE = np.asarray([[0.9, 1.4], [1.7, 1.2]])
GRID = (np.asarray([0.0, 1.0, 2.5]), np.asarray([-1.0, 0.2, 0.9, 2.0]))
M = real(3, 4)
KNOTS = np.asarray([-0.9, -0.5, -0.1, 0.0, 0.8, 1.6, 2.9, 4.0, 4.4, 4.5])


def closed(y):
    """Values whose first and last are equal."""
    return ga.concat([y[:-1], y[:1]])


def interpolator(name, *operands, at=AT, order=1, **keywords):
    """Cases of an interpolator: of what it is made of and of where it is evaluated."""
    return [
        Case(
            f"interpolate.{name}",
            lambda sp, x, *given: getattr(sp.interpolate, name)(*given, **keywords)(x),
            (at, *operands),
            order=order,
        )
    ]


CASES = [
    *interpolator("CubicSpline", X, Y2),
    Case("interpolate.CubicSpline", lambda sp, x, y: sp.interpolate.CubicSpline(X, y)(x), (AT, Y), TWICE),
    *interpolator("CubicSpline", X, Y, bc_type="natural"),
    *interpolator("CubicSpline", X, Y, bc_type=("clamped", "not-a-knot")),
    *interpolator("CubicSpline", X[:3], Y[:3]),
    Case(
        "interpolate.CubicSpline", lambda sp, y, x: sp.interpolate.CubicSpline(X, closed(y), 0, "periodic")(x), (Y, AT)
    ),
    Case(
        "interpolate.CubicSpline",
        lambda sp, y, a, b: sp.interpolate.CubicSpline(X, y, bc_type=((1, a), (2, b)))(AT),
        (Y, np.asarray(0.4), np.asarray(-0.3)),
    ),
    Case(
        "interpolate.CubicSpline.integrate",
        lambda sp, y, a, b: sp.interpolate.CubicSpline(X, y).integrate(a, b),
        (Y, np.asarray(0.4), np.asarray(5.1)),
    ),
    Case("interpolate.CubicSpline", lambda sp, y: sp.interpolate.CubicSpline(X, y)(AT, 2), (complex_(6),)),
    *interpolator("CubicHermiteSpline", X, Y, real(6, seed=9)),
    *interpolator("PchipInterpolator", X, Y),
    *interpolator("Akima1DInterpolator", X, Y, extrapolate=True),
    *interpolator("Akima1DInterpolator", X, Y2, method="makima", extrapolate=True),
    Case("interpolate.PPoly", lambda sp, x, c, b: sp.interpolate.PPoly(c, b)(x), (AT, real(3, 5), X), TWICE),
    Case("interpolate.PPoly", lambda sp, x, c: sp.interpolate.PPoly(c, X, "periodic")(x, 1), (AT, real(3, 5, 2))),
    Case(
        "interpolate.PPoly.antiderivative",
        lambda sp, x, c, b: sp.interpolate.PPoly(c, b).antiderivative()(x),
        (AT, real(2, 5), X),
    ),
    Case("interpolate.PPoly.derivative", lambda sp, x, c: sp.interpolate.PPoly(c, X).derivative()(x), (AT, real(3, 5))),
    Case(
        "interpolate.PPoly.integrate",
        lambda sp, c, a, b: sp.interpolate.PPoly(c, X, "periodic").integrate(a, b),
        (real(3, 5), np.asarray(-1.0), np.asarray(9.3)),
    ),
    Case(
        "interpolate.PPoly.from_spline",
        lambda sp, x, c: sp.interpolate.PPoly.from_spline((KNOTS, c, 3))(x),
        (AT[:3], real(6)),
    ),
    Case("interpolate.BSpline", lambda sp, x, t, c: sp.interpolate.BSpline(t, c, 3)(x), (AT, KNOTS, real(6))),
    Case("interpolate.BSpline", lambda sp, x, c: sp.interpolate.BSpline(KNOTS, c, 3)(x), (AT, Y), TWICE),
    Case("interpolate.BSpline", lambda sp, x, c: sp.interpolate.BSpline(KNOTS, c, 3)(x, 2), (AT, Y2)),
    Case("interpolate.BSpline", lambda sp, c: sp.interpolate.BSpline(KNOTS, c, 2)(AT), (complex_(7),)),
    Case(
        "interpolate.BSpline.derivative",
        lambda sp, x, c: sp.interpolate.BSpline(KNOTS, c, 3).derivative()(x),
        (AT, real(6)),
    ),
    Case(
        "interpolate.BSpline.antiderivative",
        lambda sp, x, t, c: sp.interpolate.BSpline(t, c, 2).antiderivative()(x),
        (AT[:3], KNOTS[:8], real(5)),
    ),
    Case(
        "interpolate.BSpline.integrate",
        lambda sp, c, a, b: sp.interpolate.BSpline(KNOTS, c, 3).integrate(a, b),
        (real(6), np.asarray(0.3), np.asarray(2.6)),
    ),
    Case(
        "interpolate.BSpline.basis_element",
        lambda sp, x, t: sp.interpolate.BSpline.basis_element(t)(x),
        (AT[:3] + 0.3, X[:5]),
    ),
    *interpolator("make_interp_spline", X, Y2),
    Case(
        "interpolate.make_interp_spline",
        lambda sp, p: sp.interpolate.make_interp_spline(p, Y[:5])(AT[:2]),
        (X[:5],),
        TWICE,
    ),
    *interpolator("make_interp_spline", X, Y, k=2),
    *interpolator("make_interp_spline", X, Y, k=1),
    *interpolator("make_interp_spline", X, Y, k=3, bc_type="natural"),
    Case(
        "interpolate.make_interp_spline",
        lambda sp, y, a: sp.interpolate.make_interp_spline(X, y, 3, bc_type=([(1, a)], [(2, 0.5)]))(AT),
        (Y, np.asarray(0.4)),
    ),
    Case(
        "interpolate.make_interp_spline",
        lambda sp, y, x: sp.interpolate.make_interp_spline(x, closed(y), bc_type="periodic")(AT),
        (Y, X),
    ),
    Case("interpolate.make_interp_spline", lambda sp, y: sp.interpolate.make_interp_spline(X, y).c, (complex_(6),)),
    Case(
        "interpolate.solve_banded",
        lambda sp, ab, b: sp.interpolate.solve_banded(ab, b, lower=2, upper=1),
        (real(4, 5) + 5 * np.asarray([[0.0], [1], [0], [0]]), real(5, 2)),
        TWICE,
    ),
    Case(
        "interpolate.solve_banded",
        lambda sp, ab, b: sp.interpolate.solve_banded(ab, b, lower=0, upper=1),
        (complex_(2, 4) + 4 * np.asarray([[0.0], [1]]), complex_(4, 1, seed=3)),
        TWICE,
    ),
    *interpolator("KroghInterpolator", X[:4], Y2[:4]),
    Case(
        "interpolate.KroghInterpolator",
        lambda sp, y, x: sp.interpolate.KroghInterpolator([0.0, 0.0, 1.0, 1.0, 2.0], y)(x),
        (real(5), AT[:3]),
    ),
    Case(
        "interpolate.KroghInterpolator.derivative",
        lambda sp, y: sp.interpolate.KroghInterpolator(X[:4], y).derivative(AT, 2),
        (Y[:4],),
    ),
    Case(
        "interpolate.KroghInterpolator.derivatives",
        lambda sp, x: sp.interpolate.KroghInterpolator(X[:4], Y[:4]).derivatives(x, 3),
        (AT[:2],),
    ),
    *interpolator("BarycentricInterpolator", X[:4], Y2[:4]),
    # At the points themselves.
    *interpolator("BarycentricInterpolator", X[:4], Y[:4], at=X[:4]),
    Case(
        "interpolate.BarycentricInterpolator",
        lambda sp, x: sp.interpolate.BarycentricInterpolator(X[:4], Y[:4])(x),
        (X[:4],),
        TWICE,
    ),
    Case(
        "interpolate.KroghInterpolator",
        lambda sp, x: sp.interpolate.KroghInterpolator(x, Y[:4])(AT[:2]),
        (X[:4],),
        TWICE,
    ),
    Case(
        "interpolate.krogh_interpolate",
        lambda sp, x, y: sp.interpolate.krogh_interpolate(X[:4], y, x, [0, 1]),
        (AT[:2], Y[:4]),
    ),
    Case("interpolate.pchip_interpolate", lambda sp, x, y: sp.interpolate.pchip_interpolate(X, y, x, 1), (AT[:3], Y)),
    Case(
        "interpolate.barycentric_interpolate",
        lambda sp, x, y: sp.interpolate.barycentric_interpolate(X[:4], y, x),
        (AT[:3], Y[:4]),
    ),
    *[
        Case(
            "interpolate.interp1d",
            lambda sp, x, p, y, kind=kind: sp.interpolate.interp1d(p, y, kind)(x),
            (AT[:4], X, Y),
        )
        for kind in ("linear", "slinear", "quadratic", "cubic")
    ],
    *[
        Case("interpolate.interp1d", lambda sp, y, kind=kind: sp.interpolate.interp1d(X, y, kind)(AT[:4]), (Y,))
        for kind in ("nearest", "nearest-up", "zero", "previous", "next")
    ],
    Case(
        "interpolate.interp1d",
        lambda sp, y, a, b: sp.interpolate.interp1d(X, y, axis=0, bounds_error=False, fill_value=(a, b))(AT),
        (Y2, real(2), real(2, seed=2)),
    ),
    *[
        Case(
            "interpolate.RegularGridInterpolator",
            lambda sp, xi, v, a, b, method=method: sp.interpolate.RegularGridInterpolator((a, b), v, method)(xi),
            (INSIDE, real(3, 4), *GRID),
        )
        for method in ("linear", "slinear")
    ],
    Case(
        "interpolate.RegularGridInterpolator",
        lambda sp, xi, v: sp.interpolate.RegularGridInterpolator((X[:4], X[:4]), v, "cubic", False, None)(
            xi, nu=(1, 0)
        ),
        (INSIDE, real(4, 4)),
    ),
    Case(
        "interpolate.RegularGridInterpolator",
        lambda sp, xi, a: sp.interpolate.RegularGridInterpolator((a, GRID[1]), M)(xi),
        (INSIDE, GRID[0]),
        TWICE,
    ),
    Case(
        "interpolate.RBFInterpolator",
        lambda sp, x, y: sp.interpolate.RBFInterpolator(y, Y)(x),
        (INSIDE, PLANE[:6]),
        TWICE,
    ),
    Case(
        "interpolate.interpn",
        lambda sp, xi, v: sp.interpolate.interpn(GRID, v, xi, bounds_error=False, fill_value=None),
        (INSIDE - 1.5, real(3, 4, 2)),
    ),
    Case("interpolate.interpn", lambda sp, v: sp.interpolate.interpn(GRID, v, INSIDE, "nearest"), (real(3, 4),)),
    *[
        Case(
            "interpolate.RBFInterpolator",
            lambda sp, x, y, d, kernel=kernel: sp.interpolate.RBFInterpolator(y, d, kernel=kernel, epsilon=1.3)(x),
            (INSIDE, PLANE, real(8)),
        )
        for kernel in (
            "linear thin_plate_spline cubic quintic multiquadric inverse_multiquadric inverse_quadratic gaussian"
        ).split()
    ],
    Case(
        "interpolate.RBFInterpolator",
        lambda sp, d, s, e: sp.interpolate.RBFInterpolator(PLANE, d, None, s, "gaussian", e, degree=1)(INSIDE),
        (real(8, 2), positive(8), np.asarray(0.9)),
    ),
    Case(
        "interpolate.RBFInterpolator",
        lambda sp, x, d: sp.interpolate.RBFInterpolator(PLANE, d, neighbors=5)(x),
        (INSIDE, real(8)),
    ),
    Case(
        "interpolate.LinearNDInterpolator",
        lambda sp, x, p, v: sp.interpolate.LinearNDInterpolator(p, v)(x),
        (INSIDE, PLANE, real(8)),
    ),
    Case(
        "interpolate.NearestNDInterpolator",
        lambda sp, v: sp.interpolate.NearestNDInterpolator(PLANE, v)(INSIDE),
        (real(8),),
    ),
    Case(
        "interpolate.griddata", lambda sp, x, v: sp.interpolate.griddata(PLANE, v, x, rescale=True), (INSIDE, real(8))
    ),
    Case("interpolate.griddata", lambda sp, x, v: sp.interpolate.griddata(X, v, x, "cubic"), (AT[:3], Y)),
]
