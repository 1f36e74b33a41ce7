"""Derivatives of elementwise functions where there is none, or a formula would give NaN: what docs/design.md fixes.

Everything is read from ``.grad`` after ``backward``, and forward mode must find the same.
"""

from math import inf, isnan, log, nan

import numpy as np
import pytest
from both_modes import check_forward

import gradarray as ga

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def leaf(value, device, dtype=None):
    return ga.asarray(value, dtype=dtype, device=device, requires_grad=True)


def gradients(f, *values, device, dtype=None):
    """The gradient of the sum of f in each value; None where f does not depend on it."""
    leaves = [leaf(value, device, dtype) for value in values]
    y = f(*leaves)
    y.backward(ga.ones_like(y))
    for x in leaves:
        assert x.grad is None or (x.grad.shape, x.grad.dtype, x.grad.device) == (x.shape, x.dtype, x.device)
    check_forward(f, leaves, [None if x.grad is None else x.grad.tolist() for x in leaves])
    return [None if x.grad is None else x.grad.tolist() for x in leaves]


def derivative(f, value, order, device, dtype=None):
    """The derivative of an order of the sum of f, one after the other in the same variable."""
    x = leaf(value, device, dtype)
    y = f(x)
    for _ in range(order):
        if not y.requires_grad:
            return np.zeros_like(value).tolist()
        x.grad = None
        y.backward(ga.ones_like(y), create_graph=True)
        y = x.grad
        if y is None:
            return np.zeros_like(value).tolist()
    return y.tolist()


def same(found, expected):
    """Whether nested lists of numbers are equal, NaN to NaN."""
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


# --- magnitude -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [ga.float32, ga.float64])
def test_abs_at_zero(device, dtype):
    same(gradients(ga.abs, [-1.0, -0.0, 0.0, 2.0, -inf], device=device, dtype=dtype), [[-1.0, 0.0, 0.0, 1.0, -1.0]])
    same(derivative(ga.abs, [-1.0, 0.0, 2.0], 2, device, dtype), [0.0, 0.0, 0.0])


@pytest.mark.parametrize("dtype", [ga.complex64, ga.complex128])
def test_complex_abs_at_zero_and_near_it(device, dtype):
    values = [0j, complex(-0.0, 0.0), 3e-30 + 4e-30j, -2e-23 + 0j, 3e30 - 4e30j, 1e-40j]
    found = gradients(ga.abs, values, device=device, dtype=dtype)[0]
    np.testing.assert_allclose(found, [0, 0, 0.6 + 0.8j, -1, 0.6 - 0.8j, 1j], rtol=1e-6)


def test_complex_abs_has_finite_derivatives_of_second_order_at_zero(device):
    assert np.isfinite(derivative(lambda z: ga.abs(z), [0j, 3 + 4j], 2, device)).all()


def test_sign_of_real_numbers_is_constant(device):
    x = leaf([-1.0, 0.0, 2.0], device)
    assert not ga.sign(x).requires_grad
    same((x * ga.sign(x)).tolist(), [1.0, 0.0, 2.0])
    same(gradients(lambda x: x * ga.sign(x), [-1.0, 0.0, 2.0], device=device), [[-1.0, 0.0, 1.0]])


def test_sign_of_complex_numbers_turns(device):
    found = gradients(lambda z: ga.real(ga.sign(z)), [3 + 4j, 0j, 3e-30 + 4e-30j], device=device)[0]
    np.testing.assert_allclose(found, [0.128 - 0.096j, 0, (0.128 - 0.096j) * 1e30], rtol=1e-12)


def test_angle_at_zero(device):
    found = gradients(lambda z: ga.atan2(ga.imag(z), ga.real(z)), [0j, 3 + 4j], device=device)[0]
    np.testing.assert_allclose(found, [0, -0.16 + 0.12j], rtol=1e-12)


@pytest.mark.parametrize("dtype", [ga.float32, ga.float64])
def test_hypot_at_zero_and_near_it(device, dtype):
    first, second = gradients(ga.hypot, [0.0, -0.0, 3e-13, 3e25], [0.0, 0.0, 4e-13, -4e25], device=device, dtype=dtype)
    np.testing.assert_allclose(first, [0, 0, 0.6, 0.6], rtol=1e-6)
    np.testing.assert_allclose(second, [0, 0, 0.8, -0.8], rtol=1e-6)
    same(gradients(lambda x: ga.hypot(x, 0), [0.0, -2.0], device=device, dtype=dtype), [[0.0, -1.0]])
    same(derivative(lambda x: ga.hypot(x, 0.0), [0.0], 2, device, dtype), [0.0])


@pytest.mark.parametrize("dtype", [ga.float32, ga.float64])
def test_atan2_at_zero_and_near_it(device, dtype):
    first, second = gradients(
        ga.atan2, [0.0, -0.0, 0.0, 3e-13, 3e25], [0.0, 0.0, -0.0, 4e-13, 4e25], device=device, dtype=dtype
    )
    np.testing.assert_allclose(first, [0, 0, 0, 1.6e12, 1.6e-26], rtol=1e-6)
    np.testing.assert_allclose(second, [0, 0, 0, -1.2e12, -1.2e-26], rtol=1e-6)
    beside_one = gradients(lambda x: ga.atan2(x, 1.0), [0.0, 1.0], device=device, dtype=dtype)
    np.testing.assert_allclose(beside_one, [[1.0, 0.5]], rtol=1e-6)
    same(gradients(lambda x: ga.atan2(0.0, x), [0.0], device=device, dtype=dtype), [[0.0]])
    same(derivative(lambda x: ga.atan2(x, x), [0.0], 2, device, dtype), [0.0])


def test_copysign(device):
    first, second = gradients(ga.copysign, [0.0, -0.0, -3.0, 3.0], [1.0, -1.0, 1.0, -0.0], device=device)
    same(first, [0.0, 0.0, -1.0, -1.0])
    assert second is None
    assert not ga.copysign(2.0, leaf([0.0, 1.0], device)).requires_grad


# --- the larger and the smaller --------------------------------------------------------------------------------------


@pytest.mark.parametrize("f", [ga.maximum, ga.minimum])
def test_ties_share_equally(device, f):
    same(gradients(f, [1.0, inf, 0.0], [1.0, inf, -0.0], device=device), [[0.5] * 3, [0.5] * 3])
    same(gradients(lambda x: f(x, x), [1.0, nan], device=device), [[1.0, 1.0]])
    same(gradients(lambda x: f(x, 0.0), [0.0, -0.0], device=device), [[0.5, 0.5]])
    same(gradients(lambda x: f(1, x), [1.0], device=device), [[0.5]])
    same(gradients(lambda x: f(x, ga.asarray(1.0, device=device)), [1.0], device=device), [[0.5]])


@pytest.mark.parametrize("f", [ga.maximum, ga.minimum])
def test_nan_has_the_share(device, f):
    same(gradients(f, [nan, 1.0, nan], [1.0, nan, nan], device=device), [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    same(gradients(lambda x: f(x, 0.0), [nan], device=device), [[1.0]])
    same(gradients(lambda x: f(x, nan), [1.0, nan], device=device), [[0.0, 0.5]])


def test_maximum_of_everything_else(device):
    same(gradients(ga.maximum, [1.0, 3.0], [2.0, 2.0], device=device), [[0.0, 1.0], [1.0, 0.0]])
    same(gradients(ga.minimum, [1.0, 3.0], [2.0, 2.0], device=device), [[1.0, 0.0], [0.0, 1.0]])
    same(gradients(lambda x: ga.maximum(x, 0), [-1.0, 2.0], device=device), [[0.0, 1.0]])


@pytest.mark.parametrize("length", [3, 3000])  # NumPy's kernels differ with the length
@pytest.mark.parametrize("dtype", [ga.float32, ga.float64])
def test_an_infinite_cotangent_where_the_derivative_is_zero_leaves_zero(device, length, dtype):
    values = np.resize([-1.0, 4.0, -9.0], length).tolist()
    found = gradients(lambda x: ga.sqrt(ga.maximum(x, 0.0)), values, device=device, dtype=dtype)[0]
    same(found, np.resize([0.0, 0.25, 0.0], length))
    found = gradients(lambda x: ga.sqrt(ga.clip(x, 0)), values, device=device, dtype=dtype)[0]
    same(found, np.resize([0.0, 0.25, 0.0], length))


def test_clip(device):
    values = [-1.0, 0.0, 0.5, 1.0, 2.0, nan]
    same(gradients(lambda x: ga.clip(x, 0, 1), values, device=device), [[0.0, 0.5, 1.0, 0.5, 0.0, 1.0]])
    same(gradients(lambda x: ga.clip(x, 0.0), values, device=device), [[0.0, 0.5, 1.0, 1.0, 1.0, 1.0]])
    same(gradients(lambda x: ga.clip(x, max=1.0), values, device=device), [[1.0, 1.0, 1.0, 0.5, 0.0, 1.0]])
    same(gradients(lambda x: ga.clip(x), values, device=device), [[1.0] * 6])


@pytest.mark.parametrize(
    ("x", "low", "high"),
    [
        (1.0, 1.0, 3.0),
        (3.0, 1.0, 3.0),
        (2.0, 1.0, 3.0),
        (0.0, 1.0, 3.0),
        (4.0, 1.0, 3.0),
        (1.0, 1.0, 1.0),
        (2.0, 3.0, 1.0),
        (nan, 0.0, 1.0),
        (0.5, nan, 1.0),
        (0.5, 0.0, nan),
    ],
)
def test_clip_is_minimum_of_maximum_in_all_three(device, x, low, high):
    found = gradients(ga.clip, x, low, high, device=device)
    same(found, gradients(lambda x, low, high: ga.minimum(ga.maximum(x, low), high), x, low, high, device=device))
    assert sum(found) == 1.0


# --- powers ----------------------------------------------------------------------------------------------------------


def of_every_type(n, device, dtype):
    """An exponent as a Python integer, a Python number, and arrays of several kinds."""
    yield n
    yield float(n)
    yield ga.asarray(float(n), dtype=dtype, device=device)
    yield ga.asarray([float(n)], dtype=dtype, device=device)
    yield ga.asarray([n], device=device)


@pytest.mark.parametrize("dtype", [ga.float32, ga.float64, ga.complex64, ga.complex128])
@pytest.mark.parametrize(
    ("n", "orders"),
    [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [0, 2, 0]), (3, [0, 0, 6]), (4, [0, 0, 0])],
)
def test_powers_of_zero_to_third_order(device, dtype, n, orders):
    for exponent in of_every_type(n, device, dtype):
        for order, expected in enumerate(orders, 1):
            assert derivative(lambda x, e=exponent: x**e, [0.0], order, device, dtype) == [expected]


@pytest.mark.parametrize("dtype", [ga.float64, ga.complex128])
@pytest.mark.parametrize(("n", "orders"), [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [-6, 2, 0]), (3, [27, -18, 6])])
def test_powers_of_a_negative_base_to_third_order(device, dtype, n, orders):
    for exponent in of_every_type(n, device, dtype):
        for order, expected in enumerate(orders, 1):
            found = derivative(lambda x, e=exponent: x**e, [-3.0], order, device, dtype)
            np.testing.assert_allclose(found, [expected], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(
    ("base", "exponent", "in_base", "in_exponent"),
    [
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 1.0, 0.0),
        (0.0, 2.0, 0.0, 0.0),
        (0.0, 0.5, inf, 0.0),
        (0.0, -1.0, -inf, -inf),
        (-2.0, 2.0, -4.0, nan),
        (-2.0, 3.0, 12.0, nan),
        (2.0, 0.0, 0.0, log(2.0)),
        (1.0, 5.0, 5.0, 0.0),
    ],
)
def test_pow_in_both(device, base, exponent, in_base, in_exponent):
    same(gradients(ga.pow, [base], [exponent], device=device), [[in_base], [in_exponent]])


def test_mixed_second_derivatives_of_pow(device):
    x, y = leaf([2.0, 0.0, 0.0, 0.0], device), leaf([0.0, 0.0, 1.0, 2.0], device)
    z = x**y
    z.backward(ga.ones_like(z), create_graph=True)
    in_base = x.grad
    x.grad = y.grad = None
    in_base.backward(ga.ones_like(in_base))
    assert np.isfinite(y.grad.tolist()).all()
    assert y.grad.tolist()[0] == 0.5  # x**(y - 1) * (1 + y * log(x))


def test_pow_of_a_scalar_base(device):
    same(gradients(lambda y: 2**y, [0.0], device=device), [[log(2.0)]])
    same(gradients(lambda y: 0**y, [0.0, 2.0], device=device), [[0.0, 0.0]])
    same(gradients(lambda y: 0.0**y, [-1.0], device=device), [[-inf]])
    assert isnan(gradients(lambda y: (-2.0) ** y, [2.0], device=device)[0][0])
    found = gradients(lambda y: ga.real((-2.0) ** y), [2.0 + 0j], device=device)[0]
    np.testing.assert_allclose(found, [4 * (log(2.0) - 1j * np.pi)], rtol=1e-12)


def test_complex_pow_at_zero(device):
    same(gradients(lambda z, w: z**w, [0j, 0j], [0j, 2 + 0j], device=device), [[0, 0], [0, 0]])


# --- remainders and rounding -----------------------------------------------------------------------------------------


def test_remainder(device):
    found = gradients(ga.remainder, [5.5, 4.0, -5.5, 0.3], [2.0, 2.0, 2.0, 0.1], device=device)
    same(found, [[1.0] * 4, [-2.0, -2.0, 3.0, -2.0]])
    same(gradients(lambda x: x % 2, [5.5, -5.5], device=device), [[1.0, 1.0]])
    same(gradients(lambda x: 5.5 % x, [2.0], device=device), [[-2.0]])


@pytest.mark.parametrize(
    "f",
    [ga.floor, ga.ceil, ga.round, ga.trunc, ga.sign, ga.signbit, ga.isnan, ga.isinf, ga.isfinite]
    + [lambda x, f=f: f(x, x) for f in (ga.floor_divide, ga.equal, ga.not_equal, ga.less, ga.greater_equal)],
)
def test_steps_are_constant(device, f):
    x = leaf([1.5, -2.0, 0.0], device)
    assert not f(x).requires_grad


# --- logarithms ------------------------------------------------------------------------------------------------------


def test_logaddexp_at_infinity(device):
    first, second = gradients(
        ga.logaddexp,
        [0.0, inf, -inf, inf, 0.0, -inf, 1.0, inf, 1e16],
        [0.0, inf, -inf, 0.0, inf, 0.0, -inf, -inf, 1e16],
        device=device,
    )
    same(first, [0.5, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0, 1.0, 0.5])
    same(second, [0.5, 0.5, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0, 0.5])
    same(gradients(lambda x: ga.logaddexp(x, 0.0), [0.0, inf, -inf, 1000.0], device=device), [[0.5, 1.0, 0.0, 1.0]])
    same(gradients(lambda x: ga.logaddexp(-inf, x), [-inf, 0.0], device=device), [[0.5, 1.0]])


def test_logaddexp_has_second_derivatives_everywhere(device):
    found = derivative(lambda x: ga.logaddexp(x, 0.0), [0.0, 1000.0, -1000.0, inf, -inf], 2, device)
    same(found, [0.25, 0.0, 0.0, 0.0, 0.0])


# --- boundaries: the derivative is infinite --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (ga.sqrt, 0.0, inf),
        (ga.log, 0.0, inf),
        (ga.log2, 0.0, inf),
        (ga.log10, 0.0, inf),
        (ga.log1p, -1.0, inf),
        (ga.reciprocal, 0.0, -inf),
        (ga.asin, 1.0, inf),
        (ga.asin, -1.0, inf),
        (ga.acos, 1.0, -inf),
        (ga.acosh, 1.0, inf),
        (ga.atanh, 1.0, inf),
    ],
)
def test_infinite_derivatives(device, f, x, expected):
    same(gradients(f, [x], device=device), [[expected]])


@pytest.mark.parametrize("dtype", [ga.float32, ga.float64])
def test_saturation_does_not_overflow(device, dtype):
    far = [1000.0, -1000.0, inf, -inf]
    for order in (1, 2, 3):
        same(derivative(ga.tanh, far, order, device, dtype), [0.0] * 4)
    same(gradients(ga.atan, [1e30, -1e30], device=device, dtype=ga.float32), [[0.0, 0.0]])
    np.testing.assert_allclose(gradients(ga.asinh, [1e30], device=device, dtype=ga.float32)[0], [1e-30], rtol=1e-6)
    np.testing.assert_allclose(gradients(ga.acosh, [1e30], device=device, dtype=ga.float32)[0], [1e-30], rtol=1e-6)


# --- complex numbers -------------------------------------------------------------------------------------------------


def test_convention_is_that_of_descent(device):
    # For real L the gradient is dL/dx + i dL/dy.
    z = [3 + 4j]
    for f, expected in [
        (ga.real, 1),
        (ga.imag, 1j),
        (lambda z: ga.real(z * z), 6 - 8j),
        (lambda z: ga.imag(z * z), 8 + 6j),
        (lambda z: ga.real(ga.conj(z)), 1),
        (lambda z: ga.imag(ga.conj(z)), -1j),
        (lambda z: ga.real(z) ** 2 + ga.imag(z) ** 2, 6 + 8j),
        (lambda z: ga.abs(z) ** 2, 6 + 8j),
    ]:
        np.testing.assert_allclose(gradients(f, z, device=device)[0], [expected], rtol=1e-14)


def test_a_real_input_has_a_real_gradient(device):
    found = gradients(lambda x: ga.real(ga.exp(1j * x)), [1.0], device=device)[0]
    np.testing.assert_allclose(found, [-np.sin(1.0)], rtol=1e-14)
    assert isinstance(found[0], float)


def test_parts_of_real_numbers(device):
    same(gradients(ga.real, [1.0, 2.0], device=device), [[1.0, 1.0]])
    same(gradients(ga.conj, [1.0, 2.0], device=device), [[1.0, 1.0]])


@pytest.mark.parametrize("side", [0.0, -0.0])
def test_inverse_sine_on_either_side_of_its_cut(device, side):
    z = complex(2.0, side)
    step = 1e-6
    expected = np.conj((np.arcsin(complex(2.0 + step, side)) - np.arcsin(complex(2.0 - step, side))) / (2 * step))
    np.testing.assert_allclose(gradients(ga.asin, [z], device=device)[0], [expected], rtol=1e-6)
    np.testing.assert_allclose(gradients(ga.acos, [z], device=device)[0], [-expected], rtol=1e-6)
