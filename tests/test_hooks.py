"""Hooks on gradients, kept gradients of results, and what the graph says of itself."""

import gc
import weakref

import numpy as np
import pytest

import gradarray as ga

pytestmark = pytest.mark.usefixtures("device")


def leaf(*values):
    return ga.asarray(list(values), dtype=ga.float64, requires_grad=True)


class TestRegisterHook:
    def test_a_leaf_sees_the_sum_once_and_may_replace_it(self):
        x = leaf(1.0)
        seen = []

        def hook(g):
            seen.append(g.tolist())
            return g * 10.0

        handle = x.register_hook(hook)
        (ga.sum(x * 2.0) + ga.sum(x * 3.0)).backward()
        assert seen == [[5.0]] and x.grad.tolist() == [50.0]
        handle.remove()
        handle.remove()
        ga.sum(x).backward()
        assert x.grad.tolist() == [51.0] and len(seen) == 1

    def test_a_result_sees_its_whole_gradient_before_it_goes_on(self):
        x = leaf(1.0, 2.0)
        y = x * 3.0
        seen = []
        y.register_hook(lambda g: seen.append(g.tolist()))
        y.register_hook(lambda g: g * 2.0)
        y.register_hook(lambda g: seen.append(g.tolist()))
        (ga.sum(y * y) + ga.sum(y)).backward()
        assert seen == [[7.0, 13.0], [14.0, 26.0]]
        assert x.grad.tolist() == [42.0, 78.0]

    def test_the_handle_is_a_context(self):
        x = leaf(1.0)
        with x.register_hook(lambda g: g * 0.0):
            ga.sum(x).backward()
        ga.sum(x).backward()
        assert x.grad.tolist() == [1.0]

    def test_it_runs_without_recording_unless_the_graph_is_created(self):
        x = leaf(2.0)
        tracked = []
        x.register_hook(lambda g: tracked.append((g * 1.0).requires_grad))
        ga.sum(x**3).backward()
        x.grad = None
        ga.sum(x**3).backward(create_graph=True)
        assert tracked == [False, True]

    def test_what_it_returns_can_be_differentiated(self):
        x = leaf(2.0)
        y = x * 1.0
        y.register_hook(lambda g: g * x)
        ga.sum(y**2).backward(create_graph=True)
        g, x.grad = x.grad, None
        assert g.tolist() == [8.0]
        ga.sum(g).backward()
        # Of 2 y x, in which y was x * 1: the way through y meets the hook a second time.
        assert x.grad.tolist() == [2.0 * 2.0 + (2.0 * 2.0) * 2.0]

    def test_one_output_of_several(self):
        x = leaf(1.0, 2.0)
        first, second = ga.unstack(x * 3.0)
        seen = []
        first.register_hook(lambda g: seen.append("first"))
        second.register_hook(lambda g: seen.append("second"))
        (first * 2.0).backward()
        assert seen == ["first"] and x.grad.tolist() == [6.0, 0.0]
        a = ga.asarray([[2.0, 0.0], [0.0, 3.0]], requires_grad=True)
        w, v = ga.linalg.eigh(a)
        w.register_hook(lambda g: g * 2.0)
        v.register_hook(lambda g: seen.append("vectors"))
        ga.sum(w).backward()
        assert a.grad.tolist() == [[2.0, 0.0], [0.0, 2.0]] and seen == ["first"]

    def test_views_and_writes(self):
        x = leaf(1.0, 2.0)
        y = x * 1.0
        view = y[:1]
        seen = []
        view.register_hook(lambda g: seen.append(g.tolist()))
        before = y.register_hook(lambda g: seen.append(g.tolist()))
        ga.sum(view * 5.0).backward(retain_graph=True)
        assert seen == [[5.0], [5.0, 0.0]]
        before.remove()
        y[0] = 0.0
        del seen[:]
        ga.sum(y[:1] * 5.0).backward()
        assert seen == []

    def test_it_cannot_spoil_what_others_see(self):
        x = leaf(1.0, 2.0)
        y, z = x * 1.0, x * 1.0

        def spoil(g):
            g *= 100.0

        y.register_hook(spoil)
        (ga.sum(y + z)).backward()
        assert x.grad.tolist() == [2.0, 2.0]

    def test_what_it_returns_is_checked(self):
        x = leaf(1.0, 2.0)
        for returned, error, text in [
            (lambda g: g[:1], ga.ShapeError, "returned must have the array's shape"),
            (lambda g: ga.astype(g, ga.float32), ga.DTypeError, "returned must have the array's data type"),
            (lambda g: np.zeros(2), ga.ArgumentTypeError, "a hook must return an array or None"),
        ]:
            with x.register_hook(returned), pytest.raises(error, match=text):
                ga.sum(x * x).backward()
            assert x.grad is None

    def test_an_error_in_it_leaves_every_gradient_as_it_was(self):
        x, y = leaf(1.0), leaf(2.0)
        y.register_hook(lambda g: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            ga.sum(x * y).backward()
        assert x.grad is None and y.grad is None

    def test_inputs_and_gradients_choose_whose_hooks_run(self):
        x, y = leaf(1.0), leaf(2.0)
        seen = []
        x.register_hook(lambda g: seen.append("x"))
        y.register_hook(lambda g: seen.append("y"))
        ga.sum(x * y).backward(inputs=[x])
        assert seen == ["x"]
        ga.grad(ga.sum(x * y), y)
        assert seen == ["x", "y"]

    def test_only_tracked_arrays_have_hooks(self):
        with pytest.raises(ga.NotTrackedError, match=r"register_hook\(\): the array does not require grad"):
            ga.asarray([1.0]).register_hook(print)

    def test_hooks_keep_nothing_alive(self):
        x = leaf(1.0)
        y = x * 2.0
        y.register_hook(lambda g: None)
        y.retain_grad()
        node = weakref.ref(y)
        gc.disable()
        try:
            ga.sum(y).backward()
            del y
            assert node() is None
        finally:
            gc.enable()


class TestPostAccumulate:
    def test_it_is_called_with_the_array_after_the_gradient_is_there(self):
        x = leaf(1.0, 2.0)
        seen = []

        def step(array):
            seen.append(array is x)
            with ga.no_grad():
                array -= 0.5 * array.grad
            array.grad = None

        handle = x.register_post_accumulate_grad_hook(step)
        ga.sum(x * x).backward()
        assert seen == [True] and x.grad is None and x.tolist() == [0.0, 0.0]
        handle.remove()
        ga.sum(x).backward()
        assert seen == [True] and x.grad.tolist() == [1.0, 1.0]

    def test_only_leaves_have_it(self):
        with pytest.raises(ga.NotTrackedError, match="only a leaf that requires grad accumulates"):
            (leaf(1.0) * 2).register_post_accumulate_grad_hook(print)


class TestRetainGrad:
    def test_the_gradient_of_a_result_is_kept_and_accumulates(self):
        x = leaf(1.0, 2.0)
        y = x * 3.0
        y.retain_grad()
        assert y.grad is None
        ga.sum(y * y).backward(retain_graph=True)
        assert y.grad.tolist() == [6.0, 12.0]
        assert (y.grad.shape, y.grad.dtype, y.grad.device) == (y.shape, y.dtype, y.device)
        ga.sum(y).backward()
        assert y.grad.tolist() == [7.0, 13.0]
        y.grad = None
        assert y.grad is None
        ga.zero_grad([y])

    def test_it_is_what_hooks_made_of_it(self):
        y = leaf(1.0) * 3.0
        y.register_hook(lambda g: g * 2.0)
        y.retain_grad()
        ga.sum(y).backward()
        assert y.grad.tolist() == [2.0]

    def test_one_output_of_several_and_views(self):
        x = leaf(1.0, 2.0)
        first, second = ga.unstack(x * 1.0)
        first.retain_grad()
        second.retain_grad()
        (first * 4.0).backward()
        assert first.grad.item() == 4.0 and second.grad in (None, 0.0)

    def test_the_kept_gradient_can_be_differentiated(self):
        x = leaf(2.0)
        y = x * x
        y.retain_grad()
        ga.sum(y * y).backward(create_graph=True)
        g, x.grad = y.grad, None
        ga.sum(g).backward()
        assert x.grad.tolist() == [8.0]

    def test_leaves_and_untracked_arrays(self):
        x = leaf(1.0)
        x.retain_grad()
        ga.sum(x).backward()
        assert x.grad.tolist() == [1.0]
        with pytest.raises(ga.NotTrackedError, match=r"retain_grad\(\): the array does not require grad"):
            ga.asarray([1.0]).retain_grad()

    def test_without_it_reading_warns(self):
        y = leaf(1.0) * 2.0
        with pytest.warns(UserWarning, match=r"call retain_grad\(\) before backward\(\)"):
            assert y.grad is None


class TestGraph:
    def test_names_and_parents(self):
        x = leaf(1.0)
        y = ga.exp(x * 2.0)
        assert x.grad_fn is None
        assert y.grad_fn.name == "exp"
        multiply = y.grad_fn.parents[0]
        assert multiply.name == "multiply"
        start, constant = multiply.parents
        assert start.name == "leaf" and start.parents == () and constant is None
        a = ga.asarray([[2.0, 0.0], [0.0, 3.0]], requires_grad=True)
        vectors = ga.linalg.eigh(a).eigenvectors
        total = ga.sum(vectors)
        assert vectors.grad_fn.name == "eigh"
        assert total.grad_fn.parents[0].name == "eigh" and total.grad_fn.parents[0].parents[0].name == "leaf"
        assert "eigh" in repr(vectors.grad_fn)
