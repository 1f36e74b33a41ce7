"""Integrals: SciPy's values on every device, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate

import gradarray as ga
from gradarray.scipy import integrate

RNG = np.random.default_rng(0)
TABLE, PLACES = RNG.normal(size=(3, 9)), np.sort(RNG.uniform(0.0, 3.0, 9))


def host(x):
    return x.detach().to_device("cpu").numpy()


@pytest.mark.parametrize("name", ["trapezoid", "cumulative_trapezoid", "simpson", "cumulative_simpson"])
def test_integrals_of_samples(name, device):
    ours, theirs = getattr(integrate, name), getattr(scipy.integrate, name)
    for length in (9, 8):
        y, x = TABLE[:, :length], PLACES[:length]
        for keywords in ({}, {"dx": 0.3}, {"axis": 0}):
            np.testing.assert_allclose(host(ours(ga.asarray(y), **keywords)), theirs(y, **keywords), rtol=1e-11)
        np.testing.assert_allclose(host(ours(ga.asarray(y), x=ga.asarray(x))), theirs(y, x=x), rtol=1e-10)


def test_romb(device):
    np.testing.assert_allclose(
        host(integrate.romb(ga.asarray(TABLE), dx=0.5)), scipy.integrate.romb(TABLE, dx=0.5), rtol=1e-12
    )


def test_integrals_of_functions(device):
    p = ga.asarray(0.7, requires_grad=True)
    value, _ = integrate.quad(lambda x: ga.exp(-p * x * x), 0.0, float("inf"))
    np.testing.assert_allclose(host(value), np.sqrt(np.pi / 0.7) / 2, rtol=1e-9)
    value.backward()
    np.testing.assert_allclose(host(p.grad), -np.sqrt(np.pi) / 4 * 0.7**-1.5, rtol=1e-8)


def test_limits(device):
    a, b = ga.asarray(0.2, requires_grad=True), ga.asarray(1.1, requires_grad=True)
    integrate.quad(ga.cos, a, b)[0].backward()
    np.testing.assert_allclose([host(a.grad), host(b.grad)], [-np.cos(0.2), np.cos(1.1)], rtol=1e-10)


def test_double_integrals(device):
    p = ga.asarray(2.0, requires_grad=True)
    value, _ = integrate.dblquad(lambda y, x: p * x * y * y, 0.0, 2.0, 0.0, 1.0)
    np.testing.assert_allclose(host(value), 2.0 * 2.0 / 3.0, rtol=1e-9)
    value.backward()
    np.testing.assert_allclose(host(p.grad), 2.0 / 3.0, rtol=1e-9)


# --- ordinary differential equations ---------------------------------------------------------------------------------


def oscillator(t, y, p):
    """Van der Pol's equation, in gradarray's functions or in NumPy's."""
    xp = ga if isinstance(y, ga.Array) else np
    return xp.stack([y[1], p * (1 - y[0] ** 2) * y[1] - y[0]])


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
@pytest.mark.parametrize("times", [None, [0.0, 0.3, 1.7, 2.5], [0.4, 2.0]], ids=str)
def test_solutions_are_those_of_scipy(method, times, device):
    expected = scipy.integrate.solve_ivp(oscillator, (0.0, 2.5), [1.0, 0.5], method, times, args=(0.7,))
    found = integrate.solve_ivp(oscillator, (0.0, 2.5), ga.asarray([1.0, 0.5]), method, times, args=(ga.asarray(0.7),))
    assert found.success and found.y.device is device
    np.testing.assert_allclose(host(found.t), expected.t, rtol=1e-13)
    np.testing.assert_allclose(host(found.y), expected.y, rtol=1e-10)


def test_time_may_run_backward(device):
    expected = scipy.integrate.solve_ivp(oscillator, (2.5, 0.0), [1.0, 0.5], t_eval=[2.0, 0.5], args=(0.7,))
    found = integrate.solve_ivp(
        oscillator, (2.5, 0.0), ga.asarray([1.0, 0.5]), t_eval=[2.0, 0.5], args=(ga.asarray(0.7),)
    )
    np.testing.assert_allclose(host(found.y), expected.y, rtol=1e-10)


def decay(p, y0, method="RK45"):
    """What is left after a time of 1, of the equation y' = -p y."""
    solution = integrate.solve_ivp(lambda t, y: -p * y, (0.0, 1.0), y0, method, rtol=1e-9, atol=1e-11)
    return solution.y[0, -1]


def test_derivatives_of_solutions_of_every_order(device):
    p, y0 = ga.asarray(0.7), ga.asarray([2.0])
    exact = 2.0 * np.exp(-0.7)
    derivative = lambda p: decay(p, y0)
    for sign in (1.0, -1.0, 1.0):
        np.testing.assert_allclose(host(derivative(p)), sign * exact, rtol=1e-7)
        derivative = ga.grad(derivative)
    np.testing.assert_allclose(host(ga.jvp(lambda p: decay(p, y0), (p,), (ga.asarray(1.0),))[1]), -exact, rtol=1e-7)
    np.testing.assert_allclose(host(ga.grad(lambda y: decay(p, y))(y0)), [np.exp(-0.7)], rtol=1e-7)


@pytest.mark.parametrize("method", ["RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_derivatives_by_every_method(method):
    exact = -2.0 * np.exp(-0.7)
    found = ga.grad(lambda p: decay(p, ga.asarray([2.0]), method))(ga.asarray(0.7))
    np.testing.assert_allclose(host(found), exact, rtol=1e-6)


def test_odeint(device):
    times = np.asarray([0.0, 0.5, 1.0])
    p = ga.asarray(0.7, requires_grad=True)
    y = integrate.odeint(lambda y, t, p: -p * y, ga.asarray([2.0]), ga.asarray(times), (p,))
    np.testing.assert_allclose(host(y)[:, 0], 2.0 * np.exp(-0.7 * times), rtol=1e-6)
    y[-1, 0].backward()
    np.testing.assert_allclose(host(p.grad), -2.0 * np.exp(-0.7), rtol=1e-5)


def test_a_solver_that_fails_is_followed_as_far_as_it_came(device):
    p = ga.asarray(1.0, requires_grad=True)
    expected = scipy.integrate.solve_ivp(lambda t, y: y * y, (0.0, 10.0), [1.0])
    found = integrate.solve_ivp(lambda t, y: p * y * y, (0.0, 10.0), [1.0])
    assert not found.success and not expected.success
    np.testing.assert_allclose(host(found.t), expected.t, rtol=1e-12)
    np.testing.assert_allclose(host(found.y), expected.y, rtol=1e-6)
    found.y[0, 3].backward()
    # Of y = 1 / (1 - p t).
    t = expected.t[3]
    np.testing.assert_allclose(host(p.grad), t / (1 - t) ** 2, rtol=1e-2)


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_solutions_as_functions_of_time(method, device):
    times = np.asarray([1.1, 0.2, 2.5, 0.0])
    expected = scipy.integrate.solve_ivp(oscillator, (0.0, 2.5), [1.0, 0.5], method, args=(0.7,), dense_output=True)
    p = ga.asarray(0.7, requires_grad=True)
    found = integrate.solve_ivp(oscillator, (0.0, 2.5), [1.0, 0.5], method, args=(p,), dense_output=True)
    np.testing.assert_allclose(host(found.sol(ga.asarray(times))), expected.sol(times), rtol=1e-10)
    np.testing.assert_allclose(host(found.sol(0.7)), expected.sol(0.7), rtol=1e-10)
    assert found.sol(0.7).requires_grad


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [1.0, 0.5], events=oscillator), ValueError, "events"),
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [1.0, 0.5], "Euler"), ValueError, "Euler"),
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [1.0, 0.5], t_eval=[0.3, 0.2]), ValueError, "order"),
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [1.0, 0.5], t_eval=[2.0]), ValueError, "outside"),
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [[1.0, 0.5]]), ga.ShapeError, "1-D"),
        (lambda p: integrate.solve_ivp(lambda t, y: ga.ones(3), (0, 1), [1.0]), ga.ShapeError, "as many values"),
        (lambda p: integrate.solve_ivp(oscillator, (0, 1), [1.0, 0.5], rtol=p), ga.NoDerivativeError, "rtol"),
        (lambda p: integrate.quad(ga.cos, ga.ones(2), 1.0), ga.ShapeError, "limits"),
        (lambda p: integrate.quad(lambda x: ga.ones(2), 0.0, 1.0), ga.ArgumentTypeError, "quad_vec"),
        (lambda p: integrate.quad(ga.cos, 0.0, 1.0, weight="cos", wvar=p), ga.NoDerivativeError, "wvar"),
        (lambda p: integrate.quad_vec(ga.cos, 0.0, 1.0, workers=2), ValueError, "processes"),
        (lambda p: integrate.fixed_quad(ga.cos, 0.0, np.inf), ValueError, "finite"),
        (lambda p: integrate.romb(ga.ones(4)), ga.ShapeError, "power of 2"),
        (lambda p: integrate.trapezoid(ga.ones(4), ga.ones(3)), ga.ShapeError, "a point for each value"),
        (lambda p: integrate.simpson(ga.ones(4), axis=2), ga.AxisError, "axis 2"),
        (lambda p: integrate.cumulative_simpson(ga.ones(3), x=[0.0, 0.0, 1.0]), ValueError, "strictly increase"),
    ],
)
def test_what_is_not_taken_is_refused_by_name(call, error, text):
    with pytest.raises(error, match=text) as found:
        call(ga.asarray(0.5, requires_grad=True))
    assert isinstance(found.value, ga.GradarrayError)
