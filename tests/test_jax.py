"""JAX as a backend: its laws, every derivative, several devices. It compiles much, so not every test runs on it."""

import numpy as np
import pytest
from test_derivative_table import complex_case, operations, real_case

import gradarray as ga
from gradarray.testing import check_backend, check_grads

pytest.importorskip("jax")

DEVICE = "jax:cpu:0"


def test_laws():
    report = check_backend("jax", places=[("cpu", 0)])
    assert report.total > 5000
    assert any("the backend is immutable" in what for what in report.left_out["cpu:0"])


@pytest.mark.parametrize("name", [name for name, _ in operations()])
def test_derivatives(name):
    case = complex_case(name) or real_case(name)
    check_grads(lambda *arrays: case.f(ga, *arrays), case.args, order=1, device=DEVICE)


def test_numbers_stay_numbers_in_rules():
    x = ga.asarray(2.0, device=DEVICE, requires_grad=True)
    y = x**3
    for expected in (12.0, 12.0, 6.0):
        y = ga.grad(y, x, create_graph=True)
        assert y.item() == expected
    assert not y.requires_grad


def test_derivatives_of_derivatives():
    f = lambda x: ga.sum(ga.tanh(x) ** 3 * ga.max(x))
    check_grads(f, [np.asarray([0.3, 1.1, -0.4])], device=DEVICE)


def test_indices_out_of_bounds_are_errors():
    x = ga.asarray([1.0, 2.0], device=DEVICE)
    for key in (5, -3, ga.asarray([0, 2], device=DEVICE)):
        with pytest.raises(ga.IndexingError):
            x[key]
        with pytest.raises(ga.IndexingError):
            x[key] = 0.0
    with pytest.raises(ga.IndexingError):
        ga.take(x, ga.asarray([2], device=DEVICE))
    assert x.tolist() == [1.0, 2.0]


def test_singular_matrices_are_errors():
    zeros = ga.zeros((2, 2), device=DEVICE)
    for function in (ga.linalg.inv, ga.linalg.cholesky, lambda x: ga.linalg.solve(x, x)):
        with pytest.raises(ga.LinearAlgebraError):
            function(zeros)


def test_the_last_of_several_writes_stays():
    x = ga.zeros(3, device=DEVICE)
    index = ga.asarray([1, 1, 2, 1], device=DEVICE)
    x[index] = ga.asarray([1.0, 2.0, 3.0, 4.0], device=DEVICE)
    assert x.tolist() == [0.0, 4.0, 3.0]


@pytest.mark.parametrize("number", range(8))
def test_eight_devices(number):
    first, last = ga.get_device(DEVICE), ga.get_device(f"jax:cpu:{number}")
    x = ga.asarray([1.0, 2.0], device=last, requires_grad=True)
    y = ga.asarray([3.0, 4.0], device=first)
    if last is not first:
        with pytest.raises(ga.DeviceMismatchError, match=r"Fix: x2.to_device\(x1.device\)"):
            x + y
    z = x.to_device(first) * y
    assert z.device is first
    ga.sum(z).backward()
    assert x.grad.device is last and x.grad.tolist() == [3.0, 4.0]
    assert ga.zeros(2, device=last).device is last and ga.arange(3, device=last)._data.device.id == number
    assert (x * x + 1.0)[0].device is last


# Those that JAX computes itself, and some that SciPy does on the host.
@pytest.mark.parametrize("name", "entr erf erfc erfinv expit i0 i1e logit ndtr ndtri gamma log_ndtr".split())
def test_special_functions_have_the_values_of_scipy(name):
    import scipy.special

    at = np.asarray([0.3, 0.9, 1e-9, -0.7, 5.0, 40.0, -40.0, 0.0, 1.0, np.inf, -np.inf, np.nan])
    found = getattr(ga.special, name)(ga.asarray(at, device=DEVICE))
    assert found.device == DEVICE
    np.testing.assert_allclose(
        found.to_device("cpu").numpy(), getattr(scipy.special, name)(at), rtol=5e-13, atol=1e-16, err_msg=name
    )
    check_grads(getattr(ga.special, name), [np.asarray([0.2, 0.8])], device=DEVICE)


def test_parts_of_complex_arrays_are_written_through():
    z = ga.asarray([1 + 2j, 3 + 4j], device=DEVICE)
    re = z.real
    z.imag[1:] = 0.5
    re += 1.0
    assert z.tolist() == [2 + 2j, 4 + 0.5j] and re.tolist() == [2.0, 4.0]

    def f(z, a):
        w = z * z
        w.imag[0] = a
        return ga.sum(w.real * w.imag)

    check_grads(f, [np.asarray([1 + 2j, 3 - 1j]), np.asarray(0.7)], device=DEVICE)
