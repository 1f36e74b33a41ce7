"""Roots and minima: SciPy's solutions on every device, their derivatives, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

import gradarray as ga
from gradarray.scipy import optimize


def host(x):
    return x.detach().to_device("cpu").numpy()


def cubic(x, p):
    return x**3 + p * x - 2.0


def system(x, p):
    return ga.stack([x[0] ** 2 + p[0] * x[1] - 1.0, x[0] - x[1] ** 3 + p[1]])


@pytest.mark.parametrize("name", ["brentq", "brenth", "ridder", "bisect", "toms748"])
def test_roots_within_brackets(name, device):
    p = ga.asarray(1.5, requires_grad=True)
    x = getattr(optimize, name)(cubic, 0.0, 2.0, (p,))
    expected = getattr(scipy.optimize, name)(lambda x: x**3 + 1.5 * x - 2.0, 0.0, 2.0)
    np.testing.assert_allclose(host(x), expected, rtol=1e-9)
    assert x.device is device
    x.backward()
    # From 3 x^2 x' + x + p x' = 0.
    np.testing.assert_allclose(host(p.grad), -expected / (3 * expected**2 + 1.5), rtol=1e-8)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_roots_have_derivatives_of_every_order(order, device):
    function = lambda p: optimize.newton(cubic, 1.0, args=(p,))
    derivative = function
    for _ in range(order):
        derivative = ga.grad(derivative)
    p, step = 1.5, 1e-2
    # Central differences of SciPy's root, by a stencil of seven points.
    points = np.asarray(
        [scipy.optimize.newton(lambda x, q=q: x**3 + q * x - 2.0, 1.0) for q in p + step * np.arange(-3, 4)]
    )
    fit = np.polynomial.Polynomial.fit(np.arange(-3, 4) * step, points, 6).deriv(order)
    np.testing.assert_allclose(host(derivative(ga.asarray(p))), fit(0.0), rtol=1e-4)


def test_what_a_function_closes_over_is_differentiated(device):
    p = ga.asarray(2.0, requires_grad=True)
    found = optimize.root_scalar(lambda x: x * x - p, bracket=(0.0, 3.0))
    assert found.converged
    found.root.backward()
    np.testing.assert_allclose(host(p.grad), 0.5 / np.sqrt(2.0), rtol=1e-8)


def test_forward_mode(device):
    root = lambda p: optimize.brentq(lambda x: x * x - p, 0.0, 3.0)
    value, slope = ga.jvp(root, (ga.asarray(2.0),), (ga.asarray(1.0),))
    np.testing.assert_allclose([host(value), host(slope)], [np.sqrt(2.0), 0.5 / np.sqrt(2.0)], rtol=1e-8)


def test_systems_of_equations(device):
    p = np.asarray([0.7, 0.3])
    found = lambda p: optimize.root(system, ga.asarray([0.5, 0.5]), (p,)).x
    expected = scipy.optimize.root(
        lambda x: [x[0] ** 2 + p[0] * x[1] - 1.0, x[0] - x[1] ** 3 + p[1]], [0.5, 0.5], tol=1e-12
    ).x
    np.testing.assert_allclose(host(found(ga.asarray(p))), expected, rtol=1e-7)
    x0, x1 = expected
    matrix = np.asarray([[2 * x0, p[0]], [1.0, -3 * x1**2]])
    jacobian = -np.linalg.solve(matrix, np.asarray([[x1, 0.0], [0.0, 1.0]]))
    for mode in ("reverse", "forward"):
        np.testing.assert_allclose(host(ga.jacobian(found, mode=mode)(ga.asarray(p))), jacobian, rtol=1e-6)


def test_fixed_points(device):
    p = ga.asarray(0.5, requires_grad=True)
    x = optimize.fixed_point(lambda x, p: ga.cos(p * x), ga.asarray(0.8), (p,))
    expected = float(host(x))
    np.testing.assert_allclose(np.cos(0.5 * expected), expected, rtol=1e-7)
    x.backward()
    sine = np.sin(0.5 * expected)
    np.testing.assert_allclose(host(p.grad), -sine * expected / (1 + 0.5 * sine), rtol=1e-6)


@pytest.mark.parametrize("method", [None, "BFGS", "L-BFGS-B", "Newton-CG", "trust-ncg", "Nelder-Mead"])
def test_minima(method, device):
    target = np.asarray([1.0, -0.5])
    function = lambda x, t: ga.sum((x - t) ** 2) + 0.1 * ga.sum(x**4)
    options = {"xatol": 1e-9, "fatol": 1e-12} if method == "Nelder-Mead" else {}
    solution = lambda t: optimize.minimize(function, ga.zeros(2), (t,), method, options=options).x
    x = host(solution(ga.asarray(target)))
    np.testing.assert_allclose(2 * (x - target) + 0.4 * x**3, 0.0, atol=1e-4)
    jacobian = host(ga.jacobian(solution)(ga.asarray(target)))
    np.testing.assert_allclose(jacobian, np.diag(2 / (2 + 1.2 * x**2)), rtol=1e-4, atol=1e-8)


def test_minimum_of_one_unknown(device):
    p = ga.asarray(0.7, requires_grad=True)
    found = optimize.minimize_scalar(lambda x: (x - p) ** 2 + 0.1 * x**4)
    found.x.backward()
    x = float(host(found.x))
    np.testing.assert_allclose(2 * (x - 0.7) + 0.4 * x**3, 0.0, atol=1e-6)
    np.testing.assert_allclose(host(p.grad), 2 / (2 + 1.2 * x**2), rtol=1e-5)


def test_least_squares(device):
    at, values = np.linspace(0.0, 1.0, 8), np.exp(-1.3 * np.linspace(0.0, 1.0, 8)) + 0.01 * np.arange(8) ** 0.5
    times = ga.asarray(at)
    solution = lambda y: optimize.least_squares(lambda x: x[0] * ga.exp(-x[1] * times) - y, ga.ones(2), gtol=1e-12).x
    expected = scipy.optimize.least_squares(lambda x: x[0] * np.exp(-x[1] * at) - values, [1.0, 1.0], gtol=1e-12).x
    np.testing.assert_allclose(host(solution(ga.asarray(values))), expected, rtol=1e-6)
    jacobian = host(ga.jacobian(solution)(ga.asarray(values)))
    step = 1e-5
    for place in (0, 5):
        moved = []
        for sign in (1, -1):
            y = values.copy()
            y[place] += sign * step
            moved.append(
                scipy.optimize.least_squares(
                    lambda x, y=y: x[0] * np.exp(-x[1] * at) - y, expected, xtol=1e-15, gtol=1e-15
                ).x
            )
        np.testing.assert_allclose(jacobian[:, place], (moved[0] - moved[1]) / (2 * step), rtol=1e-3, atol=1e-5)


def test_curve_fit(device):
    at = np.linspace(0.0, 1.0, 6)
    values = ga.asarray(2.0 * at + 0.3, requires_grad=True)
    fitted, _ = optimize.curve_fit(lambda t, a, b: a * t + b, ga.asarray(at), values, p0=[1.0, 0.0])
    np.testing.assert_allclose(host(fitted), [2.0, 0.3], rtol=1e-6)
    fitted[0].backward()
    centred = at - at.mean()
    np.testing.assert_allclose(host(values.grad), centred / np.sum(centred**2), rtol=1e-5, atol=1e-8)


def test_singular_equations_have_no_derivative():
    p = ga.asarray(0.0, requires_grad=True)
    x = optimize.newton(lambda x, p: (x - 1.0) ** 2 + p, 1.0, args=(p,))
    with pytest.raises(ga.GradarrayError, match=r"newton\(\)"):
        x.backward()


def test_errors_name_function_and_cure():
    with pytest.raises(ga.GradarrayError, match=r"brentq\(\): f has the same sign at both ends\nFix"):
        optimize.brentq(lambda x: x * x + 1.0, 0.0, 1.0)
    with pytest.raises(ga.DeviceMismatchError):
        optimize.root(lambda x: x, ga.ones(2), (ga.ones(2, device="strict"),))
