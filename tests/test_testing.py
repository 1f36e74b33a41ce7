"""What third parties run: check_grads finds derivatives that are wrong; namespaces for conformance suites."""

import numpy as np
import pytest

import gradarray as ga
from gradarray.autograd import custom_rule
from gradarray.testing import _gradients, check_grads, namespace, track

X = np.array([0.7, 1.3])
Z = np.array([0.7 - 0.4j, 1.3 + 0.2j])


def cube(x, /):
    return x * x * x


class TestRightDerivatives:
    @pytest.mark.parametrize("kind", [None, "elementwise", "pointwise"])
    @pytest.mark.parametrize("modes", [("fwd",), ("rev",), ("fwd", "rev")])
    def test_rule_of_ones_own(self, device, kind, modes):
        check_grads(custom_rule(kind=kind, x=lambda xp, g, x: g * 3 * x * x)(cube), [X], modes=modes, device=device)

    def test_third_order(self, device):
        check_grads(ga.sin, [X], order=3, device=device)

    def test_complex_and_several_arguments(self, device):
        check_grads(lambda z, x: ga.exp(z) * ga.conj(z) / x, [Z, X], device=device)

    def test_not_elementwise(self, device):
        function = custom_rule(x=lambda xp, g: xp.flip(xp.cumulative_sum(xp.flip(g))))(ga.cumulative_sum)
        check_grads(function, [X], device=device)

    def test_operands_of_every_kind(self, device):
        values = ([0.7, 1.3], np.float64(0.7), ga.asarray(X, device="cpu"), ga.asarray(X), ga.ones(2).requires_grad_())
        for value in values:
            check_grads(lambda x: ga.sin(x) * x, [value], device=device)

    def test_narrow_data_types_with_wide_steps(self, device):
        narrow = X.astype(np.float32)
        check_grads(lambda x: ga.sin(x) * x, [narrow], device=device, step=1e-2, rtol=1e-2, atol=1e-2)
        with pytest.raises(AssertionError):
            wrong = custom_rule(x=lambda xp, g, x: g * 2 * x * x)(cube)
            check_grads(wrong, [narrow], device=device, step=1e-2, rtol=1e-2, atol=1e-2)

    def test_without_elements(self, device):
        check_grads(lambda x: ga.sum(x * x) + ga.prod(x), [np.zeros((0, 2))], device=device)


class TestWrongDerivatives:
    @pytest.mark.parametrize("mode", ["fwd", "rev"])
    def test_factor(self, device, mode):
        wrong = custom_rule(x=lambda xp, g, x: g * 2 * x * x)(cube)
        with pytest.raises(AssertionError, match=rf"^{mode}, argument 0: .* finite differences give -?\d"):
            check_grads(wrong, [X], modes=(mode,), order=1, device=device)

    def test_the_argument_is_named(self, device):
        wrong = custom_rule(x1=lambda xp, g, x2: g * x2, x2=lambda xp, g, x1: g * x1 * 1.001)(ga.multiply)
        with pytest.raises(AssertionError, match="^fwd, argument 1: the derivative along a random direction is"):
            check_grads(wrong, [X, X + 1], device=device)

    @pytest.mark.parametrize("mode", ["fwd", "rev"])
    def test_second_order_only(self, device, mode):
        slope = custom_rule(x=lambda xp, g, x: g * 5 * x)(lambda x: 3 * x * x)
        wrong = custom_rule(x=lambda xp, g, x: g * slope(x))(cube)
        check_grads(wrong, [X], modes=(mode,), order=1, device=device)
        with pytest.raises(AssertionError, match=f"^{mode} of {mode}, argument 0: "):
            check_grads(wrong, [X], modes=(mode,), device=device)

    def test_third_order_only(self, device):
        bend = custom_rule(x=lambda xp, g: g * 5)(lambda x: 6 * x)
        slope = custom_rule(x=lambda xp, g, x: g * bend(x))(lambda x: 3 * x * x)
        wrong = custom_rule(x=lambda xp, g, x: g * slope(x))(cube)
        check_grads(wrong, [X], device=device)
        with pytest.raises(AssertionError, match="^rev of rev of rev, argument 0: "):
            check_grads(wrong, [X], modes=("rev",), order=3, device=device)

    def test_forward_only(self, device):
        wrong = custom_rule(kind="elementwise", x=lambda xp, g: xp.flip(xp.cumulative_sum(xp.flip(g))))(
            ga.cumulative_sum
        )
        check_grads(wrong, [X], modes=("rev",), order=1, device=device)
        with pytest.raises(AssertionError, match="^fwd, argument 0: "):
            check_grads(wrong, [X], device=device)

    def test_forward_of_reverse_only(self, device):
        sums = custom_rule(kind="elementwise", x=lambda xp, g: xp.flip(xp.cumulative_sum(xp.flip(g))))(
            ga.cumulative_sum
        )
        wrong = custom_rule(x=lambda xp, g, x: g * sums(x) + _later(xp, g * x))(lambda x: x * ga.cumulative_sum(x))
        check_grads(wrong, [X], modes=("rev",), device=device)
        with pytest.raises(AssertionError, match="^fwd of (fwd|rev), argument 0: "):
            check_grads(wrong, [X], device=device)

    def test_complex_without_conjugate(self, device):
        with pytest.raises(AssertionError, match="^fwd, argument 0: "):
            check_grads(custom_rule(x=lambda xp, g, x: g * 3 * x * x)(cube), [Z], device=device)

    def test_narrowed_by_its_rule(self, device):
        wrong = custom_rule(x=lambda xp, g, x: xp.astype(g * 3 * x * x, ga.float32))(cube)
        with pytest.raises(AssertionError, match="^fwd of rev, argument 0: "):
            check_grads(wrong, [X], device=device)

    @pytest.mark.parametrize("mode", ["fwd", "rev"])
    def test_shape_that_does_not_fit(self, device, mode):
        wrong = custom_rule(x=lambda xp, g, x: (g * 3 * x * x)[:1])(cube)
        with pytest.raises((ga.ShapeError, ValueError, RuntimeError)) as caught:
            check_grads(wrong, [X], modes=(mode,), device=device)
        assert caught.value.__notes__ == [f"check_grads(): {mode}, argument 0"]

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            (lambda x: ga.astype(x, ga.float32), r"float32 \(2,\)"),
            (lambda x: x[:1], r"float64 \(1,\)"),
            (lambda x: x.to_device("strict:device2"), r"float64 \(2,\) strict:device2"),
        ],
        ids=["dtype", "shape", "device"],
    )
    @pytest.mark.parametrize("mode", ["fwd", "rev"])
    def test_derivative_of_another_form(self, device, monkeypatch, mode, change, found):
        right_jvp, right_vjp = _gradients._functional.jvp, _gradients._functional.vjp

        def jvp(f, points, tangents):
            out, tangent = right_jvp(f, points, tangents)
            return out, change(tangent)

        def vjp(f, *points):
            out, pull = right_vjp(f, *points)
            return out, lambda g: tuple(change(x) for x in pull(g))

        monkeypatch.setattr(_gradients._functional, "jvp", jvp)
        monkeypatch.setattr(_gradients._functional, "vjp", vjp)
        with pytest.raises(
            AssertionError, match=rf"^{mode}, argument 0: the derivative is {found}.*, it must be float64"
        ):
            check_grads(ga.sin, [X], modes=(mode,), order=1, device=device)


def _later(xp, x):
    return xp.flip(xp.cumulative_sum(xp.flip(x)))


@pytest.mark.parametrize("modes", [(), ("forward",), ("fwd", "reverse"), "fwd", "rev"])
def test_modes_that_there_are_not(modes):
    with pytest.raises(ga.ArgumentValueError, match="modes are"):
        check_grads(ga.sin, [X], modes=modes)


class TestNamespace:
    def test_creates_on_its_device(self, device, tracked):
        xp = namespace(device=device, tracked=tracked)
        for x in (xp.asarray([1.0]), xp.ones(2), xp.linspace(0, 1, 3), xp.fft.fftfreq(4), xp.zeros_like(xp.ones(2))):
            assert x.device is device
            assert x.requires_grad is tracked
        assert not xp.arange(3).requires_grad
        assert xp.asarray([1.0], device="cpu").device == "cpu"
        info = xp.__array_namespace_info__()
        assert info.devices() == (device,) and info.default_device() is device
        assert info.dtypes(kind="bool") == {"bool": ga.bool}

    def test_is_gradarray_otherwise(self):
        xp = namespace()
        assert xp.__name__ == "gradarray" and xp.sum is ga.sum and xp.linalg is ga.linalg
        assert set(ga.__all__) <= set(vars(xp))

    def test_track(self, device):
        x = ga.asarray([1.0, 2.0])
        memory = x._data
        assert track(x) is x and x.requires_grad and not x.is_leaf and x._data is memory
        integers = ga.asarray([1, 2])
        assert track(integers) is integers and not integers.requires_grad
