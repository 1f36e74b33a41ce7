"""Functions of one's own: rules over the standard, and raw functions made differentiable."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gradarray as ga
from gradarray.testing import check_grads


@ga.autograd.custom_rule(x=lambda xp, g, x: g / (1 + xp.exp(-x)), kind="elementwise")
def softplus(x, /):
    """log(1 + exp(x)), without overflow."""
    return ga.maximum(x, 0) + ga.log1p(ga.exp(-ga.abs(x)))


@ga.autograd.custom_rule(
    x=lambda xp, g, y, out, *, power: g * power * out / (y * 1.0),
    y=lambda xp, g, x, y, *, power: -g * power * x**power / y ** (power + 1) * y / y,
)
def ratio_power(x, y, /, *, power=2):
    """(x / y) ** power; its first rule is right only where x equals y: see the test that says so."""
    return (x / y) ** power


@ga.autograd.custom_rule(
    joint=lambda xp, g, x, y, out: (
        None if g[0] is None and g[1] is None else sum_of(xp, g, y, x)[0],
        None if g[0] is None and g[1] is None else sum_of(xp, g, y, x)[1],
    )
)
def product_and_sum(x, y, /):
    """Two results."""
    return x * y, x + y


def sum_of(xp, g, y, x):
    product, total = (xp.zeros_like(x) if part is None else part for part in g)
    return product * y + total, product * x + total


@ga.autograd.raw_function(x=lambda xp, g, x: g * 2 / math.sqrt(math.pi) * xp.exp(-x * x), kind="elementwise")
def erf(x, /):
    """The error function, of the standard library."""
    return np.vectorize(math.erf, otypes=[x.dtype])(x)


@ga.autograd.raw_function(x=lambda xp, g, x: g * cosine(x))
def sine(x, /):
    return np.sin(x)


@ga.autograd.raw_function(x=lambda xp, g, x: -g * sine(x))
def cosine(x, /):
    return np.cos(x)


POINTS = np.asarray([-2.0, 0.3, 1.5])


class TestCustomRule:
    def test_value_and_every_mode_and_order(self, device):
        x = ga.asarray(POINTS)
        assert_allclose(softplus(x).tolist(), np.log1p(np.exp(POINTS)), rtol=1e-12)
        check_grads(softplus, [POINTS], order=3, device=device)

    def test_it_is_one_operation_under_its_own_name(self, device):
        x = ga.asarray(POINTS, requires_grad=True)
        y = softplus(x)
        assert y.grad_fn.name == "softplus" and y.grad_fn.parents[0].name == "leaf"
        assert softplus.__name__ == "softplus" and softplus.__doc__.startswith("log(1 + exp(x))")
        assert not softplus(x.detach()).requires_grad
        with ga.no_grad():
            assert not softplus(x).requires_grad

    def test_it_keeps_what_the_rule_names(self, device):
        y = softplus(ga.asarray(POINTS, requires_grad=True))
        assert [part is not None for part in y.grad_fn.saved] == [True, False]

    def test_shapes_dtypes_and_devices_are_fitted(self, device):
        x = ga.asarray([1.0], dtype=ga.float32, requires_grad=True)
        ga.sum(softplus(x) * ga.asarray([1.0, 2.0])).backward()
        assert (x.grad.shape, x.grad.dtype, x.grad.device) == ((1,), ga.float32, device)

    def test_the_rule_is_used_and_not_the_body(self, device):
        # The rule for x is out / y * power: it is the derivative only where x = y. So it can be told from the body's.
        x, y = ga.asarray(3.0, requires_grad=True), ga.asarray(2.0, requires_grad=True)
        ratio_power(x, y, power=3).backward()
        assert_allclose(x.grad.item(), 3 * (1.5**3) / 2)
        assert_allclose(y.grad.item(), -3 * 27 / 16)

    def test_only_tracked_inputs_get_a_gradient(self, device):
        x = ga.asarray(3.0, requires_grad=True)
        y = ratio_power(x, 2.0)
        y.backward()
        assert x.grad is not None

    def test_several_results(self, device):
        f = lambda x, y: ga.sum(product_and_sum(x, y)[0] ** 2) + ga.sum(ga.exp(product_and_sum(x, y)[1]))
        check_grads(f, [POINTS, POINTS[::-1].copy()], device=device)
        x = ga.asarray(POINTS, requires_grad=True)
        product, total = product_and_sum(x, ga.asarray(POINTS))
        assert product.requires_grad and total.requires_grad
        ga.sum(total).backward()
        assert x.grad.tolist() == [1.0, 1.0, 1.0]

    def test_called_in_a_rule_it_takes_what_rules_are_given(self, device):
        @ga.autograd.custom_rule(x=lambda xp, g, x: g * logistic(x), kind="elementwise")
        def plus(x, /):
            return softplus(x)

        @ga.autograd.custom_rule(x=lambda xp, g, out: g * out * (1 - out), kind="elementwise")
        def logistic(x, /):
            return 1 / (1 + ga.exp(-x))

        check_grads(plus, [POINTS], device=device)

    def test_a_result_that_is_its_input_gets_memory_of_its_own(self, device):
        @ga.autograd.custom_rule(x=lambda xp, g: g * 2)
        def doubled_gradient(x, /):
            return x

        x = ga.asarray([1.0], requires_grad=True)
        y = doubled_gradient(x)
        y[0] = 5.0
        assert x.tolist() == [1.0]
        z = doubled_gradient(x)
        z.backward()
        assert x.grad.tolist() == [2.0]

    def test_zeros_of_a_mask_are_known(self, device):
        @ga.autograd.custom_rule(x=lambda xp, g, x: g / x, kind="elementwise")
        def logarithm(x, /):
            return ga.log(x)

        x = ga.asarray([0.0, 2.0])
        f = lambda x: ga.sum(ga.where(x > 0, logarithm(x), 0.0))
        assert ga.grad(f)(x).tolist() == [0.0, 0.5]
        assert ga.hessian(f)(x).tolist() == [[0.0, 0.0], [0.0, -0.25]]

    def test_what_is_refused(self, device):
        with pytest.raises(TypeError, match="a rule is given for 'z', which is not one of"):
            ga.autograd.custom_rule(z=lambda xp, g: g)(lambda x: x)
        with pytest.raises(ga.ArgumentValueError, match="no kind 'linear'"):
            ga.autograd.custom_rule(x=lambda xp, g: g, kind="linear")(lambda x: x)

        @ga.autograd.custom_rule(x=lambda xp, g: g)
        def forgetful(x, /):
            return None

        with pytest.raises(ga.ArgumentTypeError, match=r"forgetful\(\): a function with a custom rule must return"):
            forgetful(ga.asarray([1.0]))
        other = "strict:device2" if str(device) != "strict:device2" else "cpu"
        with pytest.raises(ga.DeviceMismatchError):
            ratio_power(ga.asarray(1.0), ga.asarray(1.0, device=other))


class TestRawFunction:
    def test_value_and_every_mode_and_order(self):
        check_grads(erf, [POINTS], order=3)
        check_grads(sine, [POINTS], order=3)
        assert_allclose(erf(ga.asarray(POINTS)).tolist(), [math.erf(x) for x in POINTS])

    def test_numpy_arrays_give_numpy_arrays(self):
        assert type(sine(POINTS)) is np.ndarray

    def test_zero_dimensions(self):
        assert ga.grad(ga.grad(sine))(0.5).item() == pytest.approx(-math.sin(0.5))
        assert sine(ga.asarray(0.5)).shape == ()

    def test_other_backends_are_refused(self):
        with pytest.raises(ga.DeviceError, match=r"sine\(\): it computes on arrays of the backend 'numpy', not"):
            sine(ga.asarray([1.0], device="strict:device1"))

    def test_a_result_without_a_rule_for_an_input_is_constant_in_it(self):
        @ga.autograd.raw_function(x=lambda xp, g, y: g * y)
        def scaled(x, y, /):
            return x * y

        x, y = (ga.asarray(2.0, requires_grad=True) for _ in range(2))
        scaled(x, y).backward()
        assert x.grad.item() == 2.0 and y.grad is None
