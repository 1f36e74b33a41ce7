"""Who keeps what the graph saves: hooks that pack and unpack, and checkpoints."""

import gc
import weakref

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gradarray as ga

pytestmark = pytest.mark.usefixtures("device")


def leaf(*values):
    return ga.asarray(list(values), dtype=ga.float64, requires_grad=True)


class TestSavedValuesHooks:
    def test_values_pass_through_both(self):
        x = leaf(1.0, 2.0)
        packed = []

        def pack(value):
            packed.append(value.tolist())
            return value.tolist()

        with ga.autograd.saved_values_hooks(pack, ga.asarray):
            y = ga.sum(ga.exp(x * x))
        assert packed[:2] == [[1.0, 2.0], [1.0, 2.0]] and len(packed) == 3
        y.backward()
        assert_allclose(x.grad.tolist(), 2 * np.asarray([1.0, 2.0]) * np.exp([1.0, 4.0]))

    def test_only_inside_and_only_what_is_recorded(self):
        x = leaf(1.0)
        packed = []
        with ga.autograd.saved_values_hooks(packed.append, None):
            ga.exp(x.detach())
            with ga.no_grad():
                ga.exp(x)
        ga.exp(x)
        assert not packed

    def test_recording_that_is_enabled_again_inside_is_seen(self):
        x = leaf(1.0)
        packed = []
        hooks = ga.autograd.saved_values_hooks(lambda v: packed.append(v) or v, lambda v: v)
        with ga.no_grad(), hooks, ga.enable_grad():
            y = ga.exp(x)
        y.backward()
        assert len(packed) == 1 and x.grad is not None
        assert ga.is_grad_enabled()

    def test_the_innermost_counts(self):
        x = leaf(1.0)
        calls = []
        outer = ga.autograd.saved_values_hooks(lambda v: calls.append("outer") or v, lambda v: v)
        inner = ga.autograd.saved_values_hooks(lambda v: calls.append("inner") or v, lambda v: v)
        with outer:
            with inner:
                ga.exp(x)
            ga.exp(x)
        assert calls == ["inner", "outer"]

    def test_every_order_and_forward(self):
        f = lambda x: ga.sum(ga.tanh(x) ** 3)
        x = ga.asarray([0.3, 1.0])
        expected = ga.hessian(f)(x).tolist()
        with ga.autograd.saved_values_hooks(lambda v: v.tolist(), ga.asarray):
            assert_allclose(ga.hessian(f)(x).tolist(), expected, rtol=1e-12)
            assert_allclose(ga.jacobian(ga.grad(f), mode="reverse")(x).tolist(), expected, rtol=1e-12)

    def test_several_outputs(self):
        a = ga.asarray([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
        with ga.autograd.saved_values_hooks(lambda v: v.tolist(), ga.asarray):
            y = ga.sum(ga.linalg.eigh(a).eigenvalues ** 2)
        y.backward()
        assert_allclose(a.grad.tolist(), [[4.0, 2.0], [2.0, 6.0]])

    def test_what_unpack_returns_is_checked(self):
        x = leaf(1.0, 2.0)
        for unpack in (lambda v: v[:1], lambda v: ga.astype(v, ga.float32), lambda v: np.zeros(2), lambda v: None):
            with ga.autograd.saved_values_hooks(lambda v: v, unpack):
                y = ga.sum(x * x)
            with pytest.raises(ga.GradientError, match=r"unpack must return what multiply\(\) saved: float64 \(2,\)"):
                y.backward()
        assert x.grad is None

    def test_a_freed_graph_holds_nothing(self):
        x = leaf(1.0)
        kept = []

        def pack(value):
            box = np.asarray(value.tolist())
            kept.append(weakref.ref(box))
            return box

        with ga.autograd.saved_values_hooks(pack, ga.asarray):
            y = ga.sum(ga.exp(x))
        assert kept[0]() is not None
        y.backward()
        assert kept[0]() is None


class TestCheckpoint:
    def test_gradients_are_those_without_it(self):
        w = leaf(0.5, -0.5)
        f = lambda x: ga.sum(ga.tanh(x * w) * ga.exp(x))
        x = leaf(1.0, 2.0)
        f(x).backward()
        expected = x.grad.tolist(), w.grad.tolist()
        x.grad = w.grad = None
        ga.checkpoint(f, x).backward()
        assert (x.grad.tolist(), w.grad.tolist()) == expected

    def test_nothing_is_kept_until_backward_runs_it_again(self):
        calls, middles = [], []

        def f(x):
            calls.append(1)
            y = ga.exp(x)
            middles.append(weakref.ref(y._data))
            return ga.sum(ga.sin(y))

        x = leaf(1.0, 2.0)
        y = ga.checkpoint(f, x)
        gc.collect()
        assert len(calls) == 1 and middles[0]() is None
        y.backward()
        assert len(calls) == 2
        gc.collect()
        assert middles[1]() is None

    def test_any_order_and_mode(self):
        f = lambda x: ga.sum(ga.tanh(x) ** 3 * ga.exp(x))
        x = ga.asarray([0.3, 1.0])
        kept = lambda x: ga.checkpoint(f, x)
        assert_allclose(ga.hessian(kept)(x).tolist(), ga.hessian(f)(x).tolist(), rtol=1e-12)
        assert_allclose(ga.jacobian(ga.grad(kept), mode="reverse")(x).tolist(), ga.hessian(f)(x).tolist(), rtol=1e-12)
        assert_allclose(ga.jacobian(kept, mode="forward")(x).tolist(), ga.grad(f)(x).tolist(), rtol=1e-12)

    def test_a_retained_graph_can_be_walked_again(self):
        x = leaf(1.0, 2.0)
        y = ga.checkpoint(lambda x: ga.sum(ga.exp(x) * x), x)
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
        y.backward()
        assert_allclose(x.grad.tolist(), 3 * np.exp([1.0, 2.0]) * np.asarray([2.0, 3.0]))
        with pytest.raises(ga.FreedGraphError):
            y.backward()

    def test_nested_checkpoints_and_derivatives_inside(self):
        inner = lambda x: ga.sum(ga.sin(x) ** 2)
        f = lambda x: ga.checkpoint(inner, x * 2) + ga.sum(ga.grad(inner)(x)) * ga.sum(x)
        x = leaf(0.3, 1.0)
        f(x).backward()
        expected = x.grad.tolist()
        x.grad = None
        ga.checkpoint(f, x).backward()
        assert_allclose(x.grad.tolist(), expected, rtol=1e-12)

    def test_containers_and_other_arguments(self):
        f = lambda tree, power, *, scale: {"out": ga.sum(tree["x"] ** power) * scale}
        x = leaf(1.0, 2.0)
        ga.checkpoint(f, {"x": x}, 3, scale=2.0)["out"].backward()
        assert x.grad.tolist() == [6.0, 24.0]

    def test_other_operations_in_the_second_run_are_an_error(self):
        counter = []

        def changing(x):
            counter.append(1)
            return ga.sum(ga.exp(x)) if len(counter) == 1 else ga.sum(ga.sin(x))

        y = ga.checkpoint(changing, leaf(1.0))
        with pytest.raises(
            ga.GradientError, match=r"recorded other operations[\s\S]*operation 0 is sin\(\) instead of exp"
        ):
            y.backward()

        def growing(x):
            counter.append(1)
            for _ in range(len(counter)):
                x = ga.exp(x)
            return ga.sum(x)

        y = ga.checkpoint(growing, leaf(1.0))
        with pytest.raises(ga.GradientError, match=r"\d operations instead of \d"):
            y.backward()

    def test_values_that_were_overwritten_are_an_error(self):
        x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
        y = ga.checkpoint(lambda x: ga.sum(ga.exp(x * w)), x)
        with ga.no_grad():
            w *= 2.0
        with pytest.raises(ga.OverwrittenValueError, match=r"checkpoint\(\): a value that the second run reads"):
            y.backward()
        y = ga.checkpoint(lambda x: ga.sum(ga.exp(x)), x)
        with ga.no_grad():
            x -= 0.1
        with pytest.raises(ga.OverwrittenValueError):
            y.backward()
        assert x.grad is None and w.grad is None
        z = x * 1.0
        y = ga.checkpoint(lambda z: ga.sum(ga.exp(z)), z)
        z[0] = 0.0
        with pytest.raises(ga.OverwrittenValueError):
            y.backward()

    def test_writes_inside_are_repeated(self):
        def f(x):
            y = x * 1.0
            y[0] = ga.exp(x[1])
            return ga.sum(y * y)

        x = leaf(1.0, 2.0)
        f(x).backward()
        expected = x.grad.tolist()
        x.grad = None
        ga.checkpoint(f, x).backward()
        assert x.grad.tolist() == expected

    def test_backward_inside_is_refused(self):
        def f(x):
            y = ga.sum(ga.exp(x))
            y.backward()
            return y

        with pytest.raises(ga.GradientError, match=r"backward\(\) was called inside the function"):
            ga.checkpoint(f, leaf(1.0))

    def test_untracked_and_unrecorded(self):
        assert ga.checkpoint(lambda x: x * 2, ga.asarray([1.0])).tolist() == [2.0]
        with ga.no_grad():
            assert not ga.checkpoint(lambda x: x * 2, leaf(1.0)).requires_grad
