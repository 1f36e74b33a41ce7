"""Recording: what is tracked, what is a leaf, what the modes do, what the graph keeps."""

import asyncio
import gc
import threading
import weakref

import numpy as np
import pytest

import gradarray as ga


def leaf(*values):
    return ga.asarray(list(values) if len(values) != 1 else values[0], requires_grad=True)


def test_leaf_and_result_know_what_they_are(device):
    x = leaf(1.0, 2.0)
    y = x * 2.0
    assert x.is_leaf and x.requires_grad and x.grad_fn is None
    assert not y.is_leaf and y.requires_grad
    assert y.grad_fn.name == "multiply"
    assert y.grad_fn.parents[0] is not None
    z = ga.asarray([1.0])
    assert z.is_leaf and not z.requires_grad and z.grad is None


def test_only_floating_arrays_require_grad(device):
    for values in ([1, 2], [True]):
        with pytest.raises(ga.DTypeError, match="only real and complex floating-point arrays can require grad"):
            ga.asarray(values, requires_grad=True)
    assert ga.asarray([1j], requires_grad=True).requires_grad


def test_integer_results_are_not_tracked(device):
    x = leaf(1.0, 2.0)
    k = ga.astype(x, ga.int64)
    assert not k.requires_grad
    assert not ga.astype(k, ga.float64).requires_grad
    assert not (x > 1.0).requires_grad
    assert not ga.argmax(x).requires_grad


def test_requires_grad_can_be_set_on_leaves_only(device):
    x = ga.asarray([1.0])
    x.requires_grad = True
    assert x.requires_grad
    y = x * 1.0
    with pytest.raises(ga.GradientError, match=r"only a leaf can stop requiring grad(.|\n)*x\.detach\(\)"):
        y.requires_grad_(False)
    x.requires_grad_(False)
    assert not x.requires_grad


def test_detach_shares_values_without_history(device):
    x = leaf(1.0, 2.0)
    y = x * 2.0
    d = y.detach()
    assert not d.requires_grad and d.is_leaf
    with ga.no_grad():
        y[0] = 7.0
    assert d.tolist() == [7.0, 4.0]


def test_no_grad_enable_grad_and_set_grad_enabled(device):
    x = leaf(1.0)
    with ga.no_grad():
        assert not ga.is_grad_enabled()
        assert not (x * 2.0).requires_grad
        with ga.enable_grad():
            assert (x * 2.0).requires_grad
        with ga.set_grad_enabled(True):
            assert (x * 2.0).requires_grad
        assert not (x * 2.0).requires_grad
    assert (x * 2.0).requires_grad
    ga.set_grad_enabled(False)
    try:
        assert not (x * 2.0).requires_grad
    finally:
        ga.set_grad_enabled(True)
    assert ga.is_grad_enabled()


def test_mode_is_restored_after_an_exception():
    with pytest.raises(RuntimeError, match="inside"), ga.no_grad():
        raise RuntimeError("inside")
    assert ga.is_grad_enabled()


def test_decorated_function_generator_and_coroutine():
    x = leaf(1.0)

    @ga.no_grad()
    def function():
        return (x * 2.0).requires_grad

    @ga.no_grad()
    def generator():
        received = yield (x * 2.0).requires_grad
        yield received, (x * 2.0).requires_grad

    @ga.no_grad()
    async def coroutine():
        await asyncio.sleep(0)
        return (x * 2.0).requires_grad

    assert function() is False and function.__name__ == "function"
    produced = generator()
    assert next(produced) is False
    assert (x * 2.0).requires_grad, "the mode must not leak out of a suspended generator"
    assert produced.send("word") == ("word", False)
    produced.close()
    assert asyncio.run(coroutine()) is False


def test_set_grad_enabled_as_decorator_leaves_the_mode_alone():
    x = leaf(1.0)

    @ga.set_grad_enabled(False)
    def function():
        return (x * 2.0).requires_grad

    assert ga.is_grad_enabled()
    assert function() is False


def test_tasks_do_not_share_a_mode():
    x = leaf(1.0)
    seen = []

    async def silent():
        with ga.no_grad():
            await asyncio.sleep(0.01)
            seen.append((x * 2.0).requires_grad)

    async def recording():
        await asyncio.sleep(0.005)
        seen.append((x * 2.0).requires_grad)

    async def main():
        await asyncio.gather(silent(), recording())

    asyncio.run(main())
    assert seen == [True, False]


def test_new_thread_starts_enabled():
    seen = []
    with ga.no_grad():
        thread = threading.Thread(target=lambda: seen.append(ga.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


class TestMemory:
    """Reference counting alone frees graphs; these run with the cyclic collector off."""

    @pytest.fixture(autouse=True)
    def collector_off(self):
        gc.collect()
        gc.disable()
        yield
        gc.enable()

    @pytest.mark.parametrize("name", ["exp", "sqrt", "tanh", "square", "negative"])
    def test_result_that_is_dropped_is_freed(self, device, name):
        x = leaf(1.0, 4.0)
        y = getattr(ga, name)(x)
        buffer = weakref.ref(device.backend.owner(y._data))
        del y
        assert buffer() is None

    def test_backward_frees_what_was_saved_while_losses_are_kept(self):
        x = ga.asarray(np.ones(100), requires_grad=True)
        kept, buffers = [], []
        for _ in range(3):
            h = x * 2.0
            buffers.append(weakref.ref(h._data))
            loss = ga.sum(h * h)
            del h
            loss.backward()
            kept.append(loss)
        assert [buffer() for buffer in buffers] == [None] * 3

    def test_multiply_by_a_constant_keeps_the_constant_only(self):
        x = ga.asarray(np.ones(3), requires_grad=True)
        c = ga.asarray(np.full(3, 2.0))
        h = x * 1.0
        buffer = weakref.ref(h._data)
        y = h * c
        del h
        assert buffer() is None
        assert y.grad_fn.saved[1] is c._data

    def test_sum_keeps_no_data(self):
        x = ga.asarray(np.ones(3), requires_grad=True)
        y = ga.sum(x)
        assert all(value is None for value in y.grad_fn.saved)


@pytest.mark.parametrize("n", [1_000_000])
def test_a_million_operations_forward_backward_and_release(n):
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    y = x * 1.0
    for _ in range(n):
        y = y + x
    ga.sum(y).backward()
    assert x.grad.tolist() == [n + 1.0, n + 1.0]
    z = x * 1.0
    for _ in range(n):
        z = z + 1.0
    del z  # a graph that was never walked must be released without recursion
    v = ga.zeros(2)
    v = v * x
    for _ in range(20_000):
        v = ga.reshape(v, (2, 1)) if v.ndim == 1 else ga.reshape(v, (2,))
    ga.sum(v).backward()
