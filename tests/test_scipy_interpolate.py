"""Interpolators: SciPy's own values on every device, what they refuse, and what they take."""

import math

import numpy as np
import pytest

import gradarray as ga

si = pytest.importorskip("scipy.interpolate")
gi = ga.scipy.interpolate

RNG = np.random.default_rng(0)
AT = np.linspace(-0.7, 5.6, 12).reshape(3, 4)
CONDITIONS = (
    "not-a-knot",
    "natural",
    "clamped",
    "periodic",
    ("natural", "not-a-knot"),
    ((1, np.asarray([0.3, 0.2])), (2, np.asarray([0.1, 0.4]))),
)


def data(n, *rest, closed=False):
    rng = np.random.default_rng(n)
    x = np.sort(rng.uniform(0.0, 5.0, n))
    y = rng.normal(size=(n, *rest))
    if closed:
        y[-1] = y[0]
    return x, y


def grid_of_scipy(grid, values, method, **keywords):
    """SciPy's interpolator, with the systems of its splines solved to all digits."""
    exact = {"solver": pytest.importorskip("scipy.sparse.linalg").spsolve} if method in ("cubic", "quintic") else {}
    return si.RegularGridInterpolator(grid, values, method, **exact, **keywords)


def same(found, expected, rtol=1e-10):
    assert type(found) is ga.Array
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.detach()._host(), expected, rtol=rtol, atol=1e-11)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("bc_type", CONDITIONS, ids=[str(number) for number in range(len(CONDITIONS))])
def test_cubic_splines(n, bc_type, device):
    x, y = data(n, 2, closed=bc_type == "periodic")
    ours, theirs = gi.CubicSpline(x, ga.asarray(y), bc_type=bc_type), si.CubicSpline(x, y, bc_type=bc_type)
    same(ours.c, theirs.c)
    assert ours.c.device is device
    for nu in range(5):
        same(ours(AT, nu), theirs(AT, nu))
    same(ours.derivative(2)(AT), theirs.derivative(2)(AT))
    same(ours.antiderivative(2)(AT), theirs.antiderivative(2)(AT))
    same(ours.integrate(-0.5, 5.7), theirs.integrate(-0.5, 5.7))
    same(ours.integrate(4.1, 0.2), theirs.integrate(4.1, 0.2))


@pytest.mark.parametrize("n", [2, 3, 6])
def test_slopes_that_follow_the_values(n, device):
    x, y = data(n, 2)
    for name in ("PchipInterpolator", "Akima1DInterpolator"):
        ours, theirs = getattr(gi, name)(x, ga.asarray(y)), getattr(si, name)(x, y)
        for nu in (0, 1):
            same(ours(AT, nu), theirs(AT, nu))
    ours = gi.Akima1DInterpolator(x, ga.asarray(y), method="makima", extrapolate=True)
    same(ours(AT), si.Akima1DInterpolator(x, y, method="makima", extrapolate=True)(AT))
    slopes = RNG.normal(size=y.shape)
    ours = gi.CubicHermiteSpline(x, ga.asarray(y.T), slopes.T, axis=1)
    same(ours(AT), si.CubicHermiteSpline(x, y.T, slopes.T, axis=1)(AT))


def test_slopes_of_level_and_repeated_values(device):
    x, y = np.arange(7.0), np.asarray([0.0, 1.0, 1.0, 1.0, 0.5, 2.0, 1.9])
    for name in ("PchipInterpolator", "Akima1DInterpolator"):
        same(getattr(gi, name)(x, ga.asarray(y))(x[:-1] + 0.3), getattr(si, name)(x, y)(x[:-1] + 0.3))
    z = ga.asarray(y, requires_grad=True)
    ga.sum(gi.PchipInterpolator(x, z)(x[:-1] + 0.3)).backward()
    assert bool(ga.all(ga.isfinite(z.grad)))


@pytest.mark.parametrize("k", range(6))
@pytest.mark.parametrize("bc_type", [None, "periodic", "clamped", "natural", ([(1, 0.5)], [(2, 0.1)])], ids=str)
def test_splines_through_points(k, bc_type, device):
    for n in (3, 4, 8):
        x, y = data(n, closed=bc_type == "periodic")
        try:
            theirs = si.make_interp_spline(x, y, k, bc_type=bc_type)
        except ValueError:
            with pytest.raises(ga.GradarrayError):
                gi.make_interp_spline(x, ga.asarray(y), k, bc_type=bc_type)
            continue
        ours = gi.make_interp_spline(x, ga.asarray(y), k, bc_type=bc_type)
        same(ours.t, theirs.t)
        same(ours.c, theirs.c, rtol=1e-8)
        for nu in range(k + 2):
            same(ours(AT, nu), theirs(AT, nu), rtol=1e-7)


@pytest.mark.parametrize("extrapolate", [True, False, "periodic"])
def test_b_splines(extrapolate, device):
    rng = np.random.default_rng(3)
    for k in range(4):
        t = np.sort(rng.uniform(0, 5, 9 + k))
        t[k + 3] = t[k + 4]  # a double knot
        c = rng.normal(size=(2, 8))
        ours = gi.BSpline(t, ga.asarray(c), k, extrapolate, axis=1)
        theirs = si.BSpline(t, c, k, extrapolate, axis=1)
        for nu in range(k + 2):
            same(ours(AT, nu), theirs(AT, nu), rtol=1e-8)
        same(ours.integrate(-0.3, 5.4), theirs.integrate(-0.3, 5.4))
        same(ours.integrate(4.0, 0.2), theirs.integrate(4.0, 0.2))
        same(ours.antiderivative(2)(AT), theirs.antiderivative(2)(AT))
        same(ours.antiderivative().c, theirs.antiderivative().c)
    element = [0.0, 0.5, 1.5, 2.0, 4.0]
    same(gi.BSpline.basis_element(element, extrapolate)(AT), si.BSpline.basis_element(element, extrapolate)(AT))


def test_derivatives_of_b_splines(device):
    x, y = data(8, 2)
    ours, theirs = gi.make_interp_spline(x, ga.asarray(y), 4), si.make_interp_spline(x, y, 4)
    for nu in range(1, 5):
        same(ours.derivative(nu)(AT), theirs.derivative(nu)(AT), rtol=1e-8)
        same(ours.derivative(nu).c, theirs.derivative(nu).c, rtol=1e-8)
    assert [type(part) for part in ours.tck] == [ga.Array, ga.Array, int]


@pytest.mark.parametrize("extrapolate", [None, False, "periodic"])
@pytest.mark.parametrize("step", [1, -1])
def test_piecewise_polynomials(extrapolate, step, device):
    c, x = RNG.normal(size=(3, 2, 4)), np.asarray([0.0, 1.0, 1.5, 2.0, 4.0])[::step]
    ours, theirs = gi.PPoly(ga.asarray(c), x, extrapolate, axis=1), si.PPoly(c, x, extrapolate, axis=1)
    for nu in range(4):
        same(ours(AT, nu), theirs(AT, nu))
    same(ours.derivative()(AT), theirs.derivative()(AT))
    same(ours.derivative(5)(AT), theirs.derivative(5)(AT))
    same(ours.antiderivative(2)(AT), theirs.antiderivative(2)(AT))
    if step > 0:
        same(ours.integrate(-1.0, 7.3), theirs.integrate(-1.0, 7.3))


def test_a_spline_as_a_piecewise_polynomial(device):
    x, y = data(7)
    theirs = si.make_interp_spline(x, y)
    same(gi.PPoly.from_spline(gi.make_interp_spline(x, ga.asarray(y)))(AT), si.PPoly.from_spline(theirs)(AT))


def test_polynomials_through_points(device):
    x, y = data(6, 2)
    for name in ("KroghInterpolator", "BarycentricInterpolator"):
        ours, theirs = getattr(gi, name)(x, ga.asarray(y)), getattr(si, name)(x, y)
        same(ours(AT), theirs(AT), rtol=1e-9)
        same(ours(x), y)
    ours, theirs = gi.KroghInterpolator(x, ga.asarray(y.T), axis=1), si.KroghInterpolator(x, y.T, axis=1)
    same(ours.derivative(AT, 2), theirs.derivative(AT, 2), rtol=1e-8)
    same(ours.derivatives(AT), theirs.derivatives(AT), rtol=1e-8)
    repeated = [0.0, 0.0, 0.0, 1.0, 1.0, 2.5]
    same(gi.KroghInterpolator(repeated, ga.asarray(y))(AT), si.KroghInterpolator(repeated, y)(AT), rtol=1e-9)
    nodes = np.cos(np.pi * np.arange(41) / 40)
    runge = 1 / (1 + 25 * nodes**2)
    inner = np.linspace(-1, 1, 20)
    same(gi.BarycentricInterpolator(nodes, ga.asarray(runge))(inner), si.BarycentricInterpolator(nodes, runge)(inner))
    later = gi.BarycentricInterpolator(ga.asarray(x))
    later.set_yi(y)
    same(later(AT), si.BarycentricInterpolator(x, y)(AT), rtol=1e-9)
    weighted = si.BarycentricInterpolator(x, y)
    same(gi.BarycentricInterpolator(x, ga.asarray(y), wi=weighted.wi * 3)(AT), weighted(AT), rtol=1e-9)
    same(gi.krogh_interpolate(x, ga.asarray(y), AT, [0, 1]), si.krogh_interpolate(x, y, AT, [0, 1]), rtol=1e-8)
    same(gi.pchip_interpolate(x, ga.asarray(y), AT, 1), si.pchip_interpolate(x, y, AT, 1))
    same(gi.barycentric_interpolate(x, ga.asarray(y), AT), si.barycentric_interpolate(x, y, AT), rtol=1e-9)


@pytest.mark.parametrize(
    "kind", ["linear", "nearest", "nearest-up", "zero", "slinear", "quadratic", "cubic", "previous", "next", 0, 4]
)
def test_kinds_of_interpolation(kind, device):
    x, y = np.asarray([3.0, 1.0, 0.5, 2.0, 4.0, 4.5]), RNG.normal(size=(2, 6))
    inner = np.asarray([[0.5, 0.75, 1.0], [2.6, 2.5, 4.5]])
    same(gi.interp1d(x, ga.asarray(y), kind)(inner), si.interp1d(x, y, kind)(inner))
    for keywords in (
        {"bounds_error": False},
        {"fill_value": "extrapolate"},
        {"bounds_error": False, "fill_value": 7.0},
        {"bounds_error": False, "fill_value": (np.asarray([1.0, 2.0]), -1.0)},
    ):
        same(gi.interp1d(x, ga.asarray(y), kind, **keywords)(AT), si.interp1d(x, y, kind, **keywords)(AT))
    with pytest.raises(ga.ArgumentValueError, match="beyond the ends"):
        gi.interp1d(x, ga.asarray(y), kind)(AT)
    assert gi.interp1d(x, ga.asarray(y), kind).y.shape == (2, 6)


@pytest.mark.parametrize("method", ["linear", "nearest", "slinear", "cubic", "quintic"])
def test_grids(method, device):
    rng = np.random.default_rng(6)
    grid = (np.linspace(0, 3, 7), np.sort(rng.uniform(-1, 2, 6))[::-1])
    values = rng.normal(size=(7, 6, 2))
    inside = np.stack([rng.uniform(0, 3, (2, 5)), rng.uniform(grid[1].min(), grid[1].max(), (2, 5))], axis=-1)
    beyond = np.concatenate([inside, inside * 4, np.full((1, 5, 2), math.nan)])
    ours = gi.RegularGridInterpolator(grid, ga.asarray(values), method)
    theirs = grid_of_scipy(grid, values, method)
    same(ours(inside), theirs(inside), rtol=1e-8)
    same(ours(inside[0, 0]), theirs(inside[0, 0]), rtol=1e-8)
    for fill_value in (math.nan, 3.0, None):
        keywords = {"bounds_error": False, "fill_value": fill_value}
        theirs = grid_of_scipy(grid, values, method, **keywords)(beyond)
        same(gi.RegularGridInterpolator(grid, ga.asarray(values), method, **keywords)(beyond), theirs, rtol=1e-6)
        same(gi.interpn(grid, ga.asarray(values), beyond, method, **keywords), theirs, rtol=1e-6)
    with pytest.raises(ga.ArgumentValueError, match="beyond the grid"):
        ours(beyond)


def test_points_of_a_grid_by_their_coordinates(device):
    grid, values = (np.arange(3.0), np.arange(4.0)), RNG.normal(size=(3, 4))
    at = (np.asarray([[0.5], [1.5]]), np.asarray([0.2, 1.1, 2.9]))
    same(gi.RegularGridInterpolator(grid, ga.asarray(values))(at), si.RegularGridInterpolator(grid, values)(at))
    at = np.asarray([0.5, 1.5])
    same(gi.interpn((grid[0],), ga.asarray(values[:, 0]), at), si.interpn((grid[0],), values[:, 0], at))
    grid = (np.arange(5.0), np.arange(4.0))
    values = RNG.normal(size=(5, 4))
    ours, theirs = gi.RegularGridInterpolator(grid, ga.asarray(values), "cubic"), grid_of_scipy(grid, values, "cubic")
    same(ours([[0.5, 1.2]], nu=(1, 1)), theirs([[0.5, 1.2]], nu=(1, 1)), rtol=1e-7)


KERNELS = "linear thin_plate_spline cubic quintic multiquadric inverse_multiquadric inverse_quadratic gaussian".split()


@pytest.mark.parametrize("kernel", KERNELS)
def test_radial_functions(kernel, device):
    rng = np.random.default_rng(8)
    y, d, x = rng.uniform(0, 2, (14, 2)), rng.normal(size=(14, 3)), rng.uniform(0, 2, (5, 2))
    for keywords in (
        {},
        {"smoothing": 0.1, "degree": 2},
        {"smoothing": rng.uniform(0, 1, 14)},
        {"neighbors": 9},
        {"epsilon": 0.7},
    ):
        keywords = {"epsilon": 1.5, **keywords}
        same(
            gi.RBFInterpolator(y, ga.asarray(d), kernel=kernel, **keywords)(x),
            si.RBFInterpolator(y, d, kernel=kernel, **keywords)(x),
            rtol=1e-6,
        )
    same(gi.RBFInterpolator(y, ga.asarray(d), kernel=kernel, epsilon=1.5)(y), d, rtol=1e-6)


def test_scattered_points(device):
    rng = np.random.default_rng(9)
    points, values, x = rng.uniform(0, 2, (12, 2)), rng.normal(size=(12, 2)), rng.uniform(-0.2, 2.2, (4, 3, 2))
    for rescale in (False, True):
        for name in ("LinearNDInterpolator", "NearestNDInterpolator"):
            ours = getattr(gi, name)(points, ga.asarray(values), rescale=rescale)
            theirs = getattr(si, name)(points, values, rescale=rescale)
            same(ours(x), theirs(x))
            same(ours(0.5, np.asarray([0.7, 1.2])), theirs(0.5, np.asarray([0.7, 1.2])))
        for method in ("linear", "nearest"):
            keywords = {"method": method, "rescale": rescale, "fill_value": -1.0}
            same(gi.griddata(points, ga.asarray(values), x, **keywords), si.griddata(points, values, x, **keywords))
    x1 = rng.uniform(0, 2, 5)
    for method in ("linear", "nearest", "cubic"):
        same(
            gi.griddata(points[:, 0], ga.asarray(values[:, 0]), x1, method),
            si.griddata(points[:, 0], values[:, 0], x1, method),
        )
    with pytest.raises(ga.ArgumentValueError, match="'cubic' in 2"):
        gi.griddata(points, ga.asarray(values), x, "cubic")


MAKERS = {
    "CubicSpline": lambda x, y: gi.CubicSpline(x, y),
    "PchipInterpolator": lambda x, y: gi.PchipInterpolator(x, y),
    "Akima1DInterpolator": lambda x, y: gi.Akima1DInterpolator(x, y),
    "make_interp_spline": lambda x, y: gi.make_interp_spline(x, y),
    "KroghInterpolator": lambda x, y: gi.KroghInterpolator(x, y),
    "BarycentricInterpolator": lambda x, y: gi.BarycentricInterpolator(x, y),
    "interp1d": lambda x, y: gi.interp1d(x, y),
    "RegularGridInterpolator": lambda x, y: gi.RegularGridInterpolator((x,), y),
}


class TestArguments:
    @pytest.mark.parametrize("name", MAKERS)
    def test_float32_stays(self, name, device):
        x, y = data(5)
        made = MAKERS[name](x, ga.asarray(y, dtype=ga.float32))
        found = made(np.asarray([x[1], x[2] + 0.1]))
        assert found.dtype == ga.float32 and found.device is device
        assert made(ga.asarray([float(x[1])], dtype=ga.float32)).dtype == ga.float32

    @pytest.mark.parametrize("name", MAKERS)
    def test_numbers_and_nothing(self, name, device):
        x, y = data(5)
        made = MAKERS[name](x, ga.asarray(y))
        assert made(x[2]).shape == ((1,) if name == "RegularGridInterpolator" else ())
        assert made(np.zeros((0,))).shape == (0,)

    @pytest.mark.parametrize(
        "name", [name for name in MAKERS if name not in ("PchipInterpolator", "Akima1DInterpolator")]
    )
    def test_complex_values(self, name, device):
        x, y = data(5)
        y = y + 1j * y[::-1]
        found = MAKERS[name](x, ga.asarray(y))(x[1:3] + 0.1)
        parts = [MAKERS[name](x, ga.asarray(part))(x[1:3] + 0.1)._host() for part in (y.real, y.imag)]
        np.testing.assert_allclose(found._host(), parts[0] + 1j * parts[1], rtol=1e-9)

    @pytest.mark.parametrize("name", MAKERS)
    def test_devices_do_not_mix(self, name):
        x, y = data(5)
        with pytest.raises(ga.DeviceMismatchError):
            MAKERS[name](ga.asarray(x), ga.asarray(y, device="strict:device1"))
        made = MAKERS[name](x, ga.asarray(y, device="strict:device1"))
        with pytest.raises(ga.DeviceMismatchError):
            made(ga.asarray(x[1:2]))

    @pytest.mark.parametrize("name", [name for name in MAKERS if "interp1d" not in name])
    def test_points_must_differ(self, name):
        x, y = data(5)
        x[2] = x[1]
        if name == "KroghInterpolator":
            x[2], x[3] = x[3], x[1]
        with pytest.raises(ga.ArgumentValueError, match=name.replace("I", ".")):
            MAKERS[name](x, ga.asarray(y))

    @pytest.mark.parametrize("name", MAKERS)
    def test_a_value_for_each_point(self, name):
        x, y = data(5)
        with pytest.raises(ga.ShapeError, match="Fix: "):
            MAKERS[name](x, ga.asarray(y[:-1]))

    @pytest.mark.parametrize(
        ("error", "match", "call"),
        [
            (ga.ArgumentValueError, "boundary condition", lambda x, y: gi.CubicSpline(x, y, bc_type="none")),
            (ga.ArgumentValueError, "one end only", lambda x, y: gi.CubicSpline(x, y, bc_type=("periodic", "natural"))),
            (ga.ArgumentValueError, "differ", lambda x, y: gi.CubicSpline(x, y, bc_type="periodic")),
            (ga.ArgumentValueError, "order 3", lambda x, y: gi.CubicSpline(x, y, bc_type=((3, 0.0), (1, 0.0)))),
            (ga.ShapeError, "shape of a value", lambda x, y: gi.CubicSpline(x, y, bc_type=((1, [0.0]), (1, 0.0)))),
            (ga.DTypeError, "complex", lambda x, y: gi.PchipInterpolator(x, y + 1j)),
            (ga.DTypeError, "real", lambda x, y: gi.Akima1DInterpolator(x, y + 1j)),
            (ga.ArgumentValueError, "method", lambda x, y: gi.Akima1DInterpolator(x, y, method="none")),
            (ga.ArgumentValueError, "of degree 1", lambda x, y: gi.make_interp_spline(x, y, 1, bc_type="natural")),
            (ga.ShapeError, "do not determine", lambda x, y: gi.make_interp_spline(x, y, 3, t=np.arange(8.0))),
            (
                ga.ArgumentValueError,
                "beyond the knots",
                lambda x, y: gi.make_interp_spline(x, y, 3, t=np.arange(9.0) + 9),
            ),
            (
                ga.LinearAlgebraError,
                "make_interp_spline|solve_banded",
                lambda x, y: gi.make_interp_spline(x, y, 1, t=[-9, -8, -7, -6, -5, 9, 10]),
            ),
            (ga.ShapeError, "knots are needed", lambda x, y: gi.BSpline(x, y, 3)),
            (ga.ArgumentValueError, "nu is 3", lambda x, y: gi.make_interp_spline(x, y, 2).derivative(3)),
            (ga.ShapeError, "two axes", lambda x, y: gi.PPoly(y, x)),
            (ga.ArgumentValueError, "kind 'none'", lambda x, y: gi.interp1d(x, y, "none")),
            (ga.ArgumentValueError, "der is 1", lambda x, y: gi.barycentric_interpolate(x, y, 0.5, der=1)),
            (ga.ArgumentValueError, "set_yi", lambda x, y: gi.BarycentricInterpolator(x)(0.5)),
            (ga.ArgumentValueError, "'pchip'", lambda x, y: gi.interpn((x,), y, [0.5], "pchip")),
            (ga.ArgumentValueError, "solver", lambda x, y: gi.RegularGridInterpolator((x,), y, solver=print)),
            (ga.ArgumentValueError, "needs a scale", lambda x, y: gi.RBFInterpolator(y[:, None], y, kernel="gaussian")),
            (ga.ArgumentValueError, "kernel 'none'", lambda x, y: gi.RBFInterpolator(y[:, None], y, kernel="none")),
            (ga.ArgumentTypeError, "nu", lambda x, y: gi.CubicSpline(x, y)(0.5, 0.5)),
            (ga.AxisError, "axis 3", lambda x, y: gi.CubicSpline(x, y, axis=3)),
        ],
    )
    def test_refusals_are_typed(self, error, match, call):
        x, y = data(5)
        with pytest.raises(error, match=match) as caught:
            call(x, ga.asarray(y))
        assert "Fix: " in str(caught.value) or "\n" in str(caught.value)

    def test_a_low_degree_is_warned_of(self):
        y = RNG.normal(size=(9, 2))
        with pytest.warns(UserWarning, match="degree 1"):
            gi.RBFInterpolator(ga.asarray(y), y[:, 0], degree=0)

    def test_coinciding_points_are_refused(self):
        y = np.zeros((5, 2))
        with pytest.raises(ga.LinearAlgebraError):
            gi.RBFInterpolator(y, ga.asarray(np.ones(5)), kernel="linear")


def test_derivatives_at_points_follow_the_right_hand_side():
    x = ga.asarray([1.0], requires_grad=True)
    ga.sum(gi.PPoly(ga.asarray([[2.0, 5.0], [0.0, 2.0]]), [0.0, 1.0, 2.0])(x)).backward()
    assert x.grad.tolist() == [5.0]


def test_a_spline_is_fitted_by_descent():
    x, y = np.linspace(0, 3, 6), np.linspace(0, 3, 25)
    target = np.sin(y)

    def loss(c):
        return ga.mean((gi.CubicSpline(x, c)(y) - target) ** 2)

    c = ga.zeros(6)
    start = float(loss(c))
    for _ in range(200):
        c = c - 2.0 * ga.grad(loss)(c)
    assert float(loss(c)) < start / 1000
