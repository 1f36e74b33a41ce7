"""Streams: what is computed on one is never read on another before it is there, nor overwritten before it was read.

On the stand-in work is done only when something waits for it, and results are garbage until then: an order that nobody
asked for cannot come about by luck, as it does on a GPU.
"""

import cupy_stand_in
import numpy as np
import pytest

import gradarray as ga
from gradarray import _streams

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(not cupy.__version__.endswith("stand.in"), reason="needs work that is deferred")
settings = cupy_stand_in.settings

ZERO, ONE = ga.get_device("cuda:0"), ga.get_device("cuda:1")
VALUES = np.asarray([0.5, 1.0, -2.0])


@pytest.fixture(autouse=True)
def deferred():
    settings.deferred = True
    yield
    for number in range(2):
        cupy.cuda.Device(number).synchronize()
    settings.deferred = False


def stream(number=0):
    with cupy.cuda.Device(number):
        return cupy.cuda.Stream(non_blocking=True)


def after(first, second):
    """What a user does: let one stream wait for another."""
    second.wait_event(first.record())


def leaf(device=ZERO):
    x = ga.asarray(VALUES, device=device)
    return x.requires_grad_()


def expected():
    """The gradient of `two_branches`."""
    return 2 * VALUES * np.exp(VALUES) + VALUES**2 * np.exp(VALUES) + np.cos(VALUES)


def two_branches(x, one, other):
    """x**2 * exp(x) + sin(x), one part on each stream."""
    null = cupy.cuda.Stream.null
    after(null, one)
    after(null, other)
    with one:
        first = x * x * ga.exp(x)
    with other:
        second = ga.sin(x)
    after(one, null)
    after(other, null)
    return ga.sum(first + second)


def test_nothing_is_done_before_it_is_waited_for():
    x = ga.asarray(VALUES, device=ZERO) * 1.0
    assert not np.allclose(x._data._host, VALUES, equal_nan=False)
    assert x.tolist() == VALUES.tolist()


def test_backward_runs_on_the_streams_of_forward():
    x, one, other = leaf(), stream(), stream()
    y = two_branches(x, one, other)
    settings.log = []
    try:
        y.backward()
        used = {ptr for name, _, ptr in settings.log if name == "multiply"}
        assert one.ptr in used and {ptr for name, _, ptr in settings.log if name == "cos"} == {other.ptr}
    finally:
        settings.log = None
    np.testing.assert_allclose(x.grad.tolist(), expected())


def test_the_current_stream_has_to_wait_for_nothing_but_itself():
    """Backward under any stream: the gradient is there for what follows on that one."""
    for ambient in (cupy.cuda.Stream.null, stream()):
        x, one, other = leaf(), stream(), stream()
        y = two_branches(x, one, other)
        with ambient:
            y.backward()
            assert np.allclose(x.grad.tolist(), expected())


def test_without_the_order_there_is_garbage(monkeypatch):
    """The tests here can fail: without what they are about, they do."""
    monkeypatch.setattr(_streams, "lanes", lambda *args, **keywords: None)
    found = []
    for _ in range(3):
        x, one, other = leaf(), stream(), stream()
        y = two_branches(x, one, other)
        with stream():
            y.backward()
            found.append(np.allclose(x.grad.tolist(), expected()))
    assert not all(found)


def test_memory_is_not_handed_on_before_it_was_read():
    """What backward lets go of was allocated on one stream and is read on another."""
    side = stream()
    for _ in range(3):
        x = leaf()
        after(cupy.cuda.Stream.null, side)
        with side:
            y = x
            for _ in range(5):
                y = ga.exp(-y) * ga.tanh(y)
        after(side, cupy.cuda.Stream.null)
        z = y * y
        total = ga.sum(z * y)
        del y, z
        total.backward()
        # On the side stream, memory that is free there is used again at once.
        with side:
            reused = [ga.full((3,), 7.0, device=ZERO) for _ in range(20)]
        reference = ga.asarray(VALUES, requires_grad=True)
        v = reference
        for _ in range(5):
            v = ga.exp(-v) * ga.tanh(v)
        ga.sum(v * v * v).backward()
        np.testing.assert_allclose(x.grad.tolist(), reference.grad.tolist())
        assert len(reused) == 20


def test_a_cotangent_is_not_let_go_while_another_stream_reads_it():
    for _ in range(20):  # which stream's work is done first is left to chance
        x, one, other = leaf(), stream(), stream()
        null = cupy.cuda.Stream.null
        after(null, one)
        after(null, other)
        with one:
            apart = ga.exp(x * 2.0)
        with other:
            v = ga.sin(x)
        after(other, one)
        with one:
            w = v * 3.0  # its cotangent for `v` is made on `one`, and read on `other` while `one` goes on with `apart`
        after(one, null)
        ga.sum(apart + w).backward()
        np.testing.assert_allclose(x.grad.tolist(), 2 * np.exp(2 * VALUES) + 3 * np.cos(VALUES))


def test_one_stream_alone_costs_no_waiting(monkeypatch):
    waits = []
    monkeypatch.setattr(type(ZERO.backend), "wait_for", lambda self, *args: waits.append(args))
    side = stream()
    with side:
        x = leaf()
        ga.sum(x * x).backward()
        assert np.allclose(x.grad.tolist(), 2 * VALUES)
    assert not waits


def test_higher_derivatives_and_both_modes():
    f = lambda x: ga.sum(ga.sin(x) * ga.exp(x))
    side = stream()
    reference = ga.asarray(VALUES)
    with side:
        x = leaf()
        g = ga.grad(f)(x)
        h = ga.hessian(f)(x.detach())
        value, tangent = ga.jvp(f, (x.detach(),), (ga.ones_like(x.detach()),))
    after(side, cupy.cuda.Stream.null)
    np.testing.assert_allclose(g.tolist(), ga.grad(f)(reference).tolist())
    np.testing.assert_allclose(h.tolist(), ga.hessian(f)(reference).tolist())
    expected_value, expected_tangent = ga.jvp(f, (reference,), (ga.ones_like(reference),))
    assert np.allclose([value.item(), tangent.item()], [expected_value.item(), expected_tangent.item()])


def test_forward_through_what_was_recorded_on_another_stream():
    one, other = stream(), stream()
    f, pushed = ga.linearize(lambda x: two_branches(x, one, other), ga.asarray(VALUES, device=ZERO))
    with stream():
        tangent = pushed(ga.ones(3, device=ZERO))
        assert np.allclose(tangent.item(), expected().sum())
    assert f.shape == ()


def test_second_derivatives_over_streams():
    x, one, other = leaf(), stream(), stream()
    y = two_branches(x, one, other)
    y.backward(create_graph=True)
    g, x.grad = x.grad, None
    with stream():
        ga.sum(g).backward()
        second = np.exp(VALUES) * (2 + 4 * VALUES + VALUES**2) - np.sin(VALUES)
        assert np.allclose(x.grad.tolist(), second)


def test_two_devices_and_the_host():
    side, far = stream(0), stream(1)
    with side:
        x = leaf(ZERO)
        y = ga.exp(x)
        with cupy.cuda.Device(1), far:
            z = ga.sin(y.to_device(ONE))
            on_host = z.to_device("cpu") * 2.0
            back = ga.sum(on_host.to_device(ZERO) * y)
    with cupy.cuda.Device(0), side:
        back.backward()
        e = np.exp(VALUES)
        assert np.allclose(x.grad.tolist(), 2 * e * (np.sin(e) + e * np.cos(e)))
    assert x.grad.device is ZERO


def test_all_on_another_device_than_the_current_one():
    with cupy.cuda.Device(1):
        x = leaf(ONE)
        y = ga.sum(x * x * x)
    with cupy.cuda.Device(0):
        y.backward()
        assert np.allclose(x.grad.tolist(), 3 * VALUES**2)
        assert cupy.cuda.runtime.getDevice() == 0


def test_a_move_between_devices_waits_for_both():
    with cupy.cuda.Device(0), stream(0):
        x = ga.asarray(VALUES, device=ZERO) * 3.0
        with cupy.cuda.Device(1), stream(1):
            moved = x.to_device(ONE)
            del x
            with cupy.cuda.Device(0):
                reused = [ga.full((3,), 7.0, device=ZERO) for _ in range(5)]
            assert np.allclose(moved.tolist(), 3 * VALUES)
    assert len(reused) == 5


def test_exchange_is_ordered():
    """The consumer's stream waits for the producer's."""
    producer, consumer = stream(), stream()
    with producer:
        made = ga.asarray(VALUES, device=ZERO) * 5.0

        class Exported:
            def __dlpack_device__(self):
                return made.__dlpack_device__()

            def __dlpack__(self, *, stream=None, max_version=None, copy=None):
                with producer:  # the producer's work is on its own current stream
                    return made.__dlpack__(stream=stream, max_version=max_version, copy=copy)

        with consumer:
            y = ga.from_dlpack(Exported())
            assert np.allclose(y.tolist(), 5 * VALUES)


def test_an_error_in_the_middle_leaves_the_current_stream_as_it_was():
    x, one, other = leaf(), stream(), stream()

    def broken(g):
        raise RuntimeError("no")

    null = cupy.cuda.Stream.null
    after(null, one)
    with one:
        y = x * x
        y.register_hook(broken)
    after(one, null)
    with other:
        with pytest.raises(RuntimeError, match="no"):
            ga.sum(y * y).backward()
        assert cupy.cuda.get_current_stream() == other
    assert cupy.cuda.get_current_stream() == null and cupy.cuda.runtime.getDevice() == 0
