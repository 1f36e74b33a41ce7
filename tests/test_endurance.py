"""Long runs and many threads: memory stays flat by reference counting alone, and threads do not disturb one another."""

import asyncio
import contextlib
import gc
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gradarray as ga
from gradarray._graph import Node, Slot, View

STEPS = 10_000
WARM = 1_000
#: Memory blocks by which a run may grow: what the interpreter and the caches keep does not depend on the steps.
SLACK = 200


# --- training --------------------------------------------------------------------------------------------------------


def parts_of_graphs():
    """How many nodes and views are in existence."""
    return sum(type(x) in (Node, Slot, View) for x in gc.get_objects())


@contextlib.contextmanager
def reference_counting_alone():
    """The cyclic collector is off, and finds nothing afterwards."""
    gc.collect()
    gc.disable()
    try:
        yield
        unreachable = gc.collect()
    finally:
        gc.enable()
    assert unreachable == 0


def check_flat(step, steps=STEPS, warm=WARM):
    """Call `step` many times; the memory blocks in use must not grow, nor the parts of graphs in existence."""
    with reference_counting_alone():
        for _ in range(warm):
            step()
        parts, blocks = parts_of_graphs(), sys.getallocatedblocks()
        for _ in range(steps - warm):
            step()
        growth = sys.getallocatedblocks() - blocks
        assert parts_of_graphs() == parts
    assert growth < SLACK


class Network:
    """Two layers, a few numbers to fit, and a rate that is small enough not to diverge."""

    def __init__(self, activation, dtype=ga.float64):
        rng = np.random.default_rng(0)

        def array(*shape, **keywords):
            return ga.asarray(rng.normal(size=shape) / 2, dtype=dtype, **keywords)

        self.activation = activation
        self.x, self.target = array(8, 3), array(8, 2)
        shapes = ((3, 4), (4,), (4, 2), (2,))
        self.parameters = [array(*shape, requires_grad=True) for shape in shapes]
        self.rate = 0.05
        self.first = self.loss(*self.parameters).item()

    def loss(self, w1, b1, w2, b2):
        hidden = self.activation(self.x @ w1 + b1)
        error = hidden @ w2 + b2 - self.target
        return ga.mean(error * error)

    def update(self, gradients):
        with ga.no_grad():
            for parameter, gradient in zip(self.parameters, gradients, strict=True):
                parameter -= self.rate * gradient

    def clear(self):
        for parameter in self.parameters:
            parameter.grad = None

    def check_trained(self):
        assert self.loss(*self.parameters).item() < self.first / 2


def maximum(x):
    return ga.maximum(x, 0)


activations = pytest.mark.parametrize("activation", [maximum, ga.tanh], ids=["maximum", "tanh"])


@activations
def test_training_keeps_memory_flat(activation):
    network = Network(activation)

    def step():
        network.loss(*network.parameters).backward()
        network.update([parameter.grad for parameter in network.parameters])
        network.clear()

    check_flat(step)
    network.check_trained()


def test_training_with_functions_keeps_memory_flat():
    network = Network(ga.tanh)
    parameters = [parameter.detach() for parameter in network.parameters]
    run = ga.value_and_grad(network.loss, argnums=(0, 1, 2, 3))
    losses = []

    def step():
        nonlocal parameters
        loss, gradients = run(*parameters)
        parameters = [p - network.rate * g for p, g in zip(parameters, gradients, strict=True)]
        losses[:] = [loss.item()]

    check_flat(step)
    assert losses[0] < network.first / 2


def test_training_with_hooks_keeps_memory_flat():
    """Hooks that are registered in each step, on leaves and on what lies between, and that look or replace."""
    network = Network(ga.tanh)
    seen = 0

    def look(gradient):
        nonlocal seen
        seen += 1

    def double(gradient):
        return gradient * 2.0

    def step():
        parameter = network.parameters[0]
        handles = [parameter.register_hook(look), parameter.register_post_accumulate_grad_hook(look)]
        hidden = network.x @ parameter + network.parameters[1]
        hidden.register_hook(double)
        hidden.retain_grad()
        with hidden.register_hook(look):
            error = ga.tanh(hidden) @ network.parameters[2] + network.parameters[3] - network.target
            ga.mean(error * error).backward()
        assert hidden.grad is not None
        for handle in handles:
            handle.remove()
        network.update([parameter.grad for parameter in network.parameters])
        network.clear()

    check_flat(step)
    assert seen == 3 * STEPS
    network.check_trained()


def test_training_with_checkpoints_keeps_memory_flat():
    network = Network(ga.tanh)

    def layer(x, w, b):
        return ga.tanh(x @ w + b)

    def step():
        w1, b1, w2, b2 = network.parameters
        hidden = ga.checkpoint(layer, network.x, w1, b1)
        error = ga.checkpoint(lambda hidden: hidden @ w2 + b2, hidden) - network.target
        ga.mean(error * error).backward()
        network.update([parameter.grad for parameter in network.parameters])
        network.clear()

    check_flat(step)
    network.check_trained()


@pytest.mark.parametrize("device", ["strict:device1"])
def test_training_on_another_backend_keeps_memory_flat(device):
    with ga.device(device):
        w = ga.asarray([[1.0, -1.0], [0.5, 2.0]], requires_grad=True)
        x = ga.asarray([[1.0, 2.0]])

        def step():
            ga.sum(ga.maximum(x @ w, 0) ** 2).backward()
            with ga.no_grad():
                w[...] = w - 0.01 * w.grad
            w.grad = None

        check_flat(step, 1_000, 200)


def test_other_ways_of_use_keep_memory_flat():
    """Second order, forward mode, written views, retained graphs, errors, and graphs that are never walked back."""
    x = ga.asarray([1.0, 2.0, 3.0], requires_grad=True)

    def second_order():
        y = ga.sum(x**3)
        (g,) = ga.grad(y, [x], create_graph=True)
        ga.sum(g * g).backward()
        x.grad = None

    def forward_mode():
        plain = x.detach()
        ga.jvp(lambda x: ga.sum(ga.sin(x) * x), (plain,), (plain,))
        ga.hvp(lambda x: ga.sum(x**3), (plain,), (plain,))

    def written_views():
        z = x * 1.0
        part = z[1:]
        part[0] = x[0] * 2.0
        part *= x[1:]
        ga.sum(z * z).backward()
        x.grad = None

    def retained():
        y = ga.sum(ga.exp(x))
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
        x.grad = None

    def refused():
        y = ga.exp(x)
        with contextlib.suppress(ga.NonScalarGradientError):
            y.backward()
        ga.sum(y).backward()
        with contextlib.suppress(ga.FreedGraphError):
            ga.sum(y).backward()
        x.grad = None

    def never_walked():
        y = ga.sum(ga.linalg.svd(x[:, None] * x[None, :]).S)
        with ga.no_grad():
            y * 2.0

    for step in (second_order, forward_mode, written_views, retained, refused, never_walked):
        check_flat(step, 1_000, 200)


def test_detached_losses_keep_no_graph():
    network = Network(ga.tanh)
    losses, buffers = [], []

    def step(number):
        hidden = ga.tanh(network.x @ network.parameters[0] + network.parameters[1])
        buffers.append(weakref.ref(hidden._data))
        loss = ga.mean((hidden @ network.parameters[2]) ** 2)
        if number % 2:  # the graph goes whether it was walked back or not
            loss.backward()
        losses.append(loss.detach())

    with reference_counting_alone():
        before = parts_of_graphs()
        for number in range(1_000):
            step(number)
        assert parts_of_graphs() == before
    assert not any(buffer() is not None for buffer in buffers)
    assert len(losses) == 1_000
    assert all(not loss.requires_grad and np.isfinite(loss.item()) for loss in losses)


def test_growth_is_found():
    """The check fails where it should: for losses that keep their graphs, and for a cycle through an array."""
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    losses = []
    with pytest.raises(AssertionError):
        check_flat(lambda: losses.append(ga.sum(x * x)), 1_000, 100)
    losses.clear()

    def cycle():
        holder = [x * x]
        holder.append(holder)

    with pytest.raises(AssertionError):
        check_flat(cycle, 1_000, 100)


# --- threads ---------------------------------------------------------------------------------------------------------

THREADS = 8


@pytest.fixture
def eager_switching():
    """Threads are switched as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def together(run):
    """Call `run(number)` in several threads, which start at one moment; an error in any of them is raised here."""
    barrier = threading.Barrier(THREADS)

    def start(number):
        barrier.wait()
        return run(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(start, range(THREADS)))


@pytest.mark.usefixtures("eager_switching")
def test_threads_add_exactly_into_a_shared_leaf_and_their_own():
    rounds = 300
    shared = ga.asarray([1.0, 2.0, 3.0], requires_grad=True)

    def run(number):
        own = ga.asarray([float(number), 1.0, 2.0], requires_grad=True)
        for turn in range(rounds):
            # Whole numbers: their sums are exact in any order.
            y = ga.sum(shared * own * 2.0) + ga.sum(ga.maximum(shared, 0) * float(turn % 3)) + ga.sum(own[1:] ** 2)
            y.backward()
        return own

    for number, own in enumerate(together(run)):
        expected = [2.0 * rounds, (2 * 2 + 2) * rounds, (2 * 3 + 4) * rounds]
        assert own.grad.tolist() == expected, number
    turns = sum(turn % 3 for turn in range(rounds)) * THREADS
    first = 2 * rounds * sum(range(THREADS))
    assert shared.grad.tolist() == [first + turns, 2 * rounds * THREADS + turns, 4 * rounds * THREADS + turns]


@pytest.mark.usefixtures("eager_switching")
def test_threads_share_a_retained_graph():
    """The graph itself is only read: each walk has its cotangents to itself."""
    rounds = 100
    x = ga.asarray([1.0, 2.0], requires_grad=True)
    y = ga.sum(x * x * x)

    def run(number):
        found = []
        for _ in range(rounds):
            y.backward(retain_graph=True)
            found.append(ga.grad(y, [x], retain_graph=True)[0].tolist())
        return found

    for found in together(run):
        assert found == [[3.0, 12.0]] * rounds
    assert x.grad.tolist() == [3.0 * rounds * THREADS, 12.0 * rounds * THREADS]


@pytest.mark.usefixtures("eager_switching")
def test_threads_share_views_and_hooks():
    """A view that no thread has used yet is resolved in all of them; hooks come and go while others walk back."""
    for _ in range(20):
        x = ga.asarray(np.arange(6.0), requires_grad=True)
        y = x * 1.0
        view = ga.reshape(y, (2, 3)).T
        calls = []

        def run(number, x=x, view=view, calls=calls):
            for _ in range(5):
                if number % 2:
                    with x.register_hook(lambda gradient: calls.append(number)):
                        ga.sum(x * 2.0).backward()
                else:
                    ga.sum(view * float(number)).backward(retain_graph=True)

        together(run)
        assert x.grad.tolist() == [5.0 * (2 * THREADS // 2 + sum(range(0, THREADS, 2)))] * 6
        assert set(calls) >= set(range(1, THREADS, 2))
        assert view.grad_fn is not None


@pytest.mark.usefixtures("eager_switching")
def test_a_graph_that_two_threads_walk_is_never_half_counted():
    """Whoever comes late finds the graph freed: each walk counts as a whole or not at all."""
    for _ in range(50):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        y = ga.sum(x * x * x)

        def run(number, y=y):
            try:
                y.backward()
            except ga.FreedGraphError:
                return 0
            return 1

        walks = sum(together(run))
        assert walks >= 1
        assert x.grad.tolist() == [3.0 * walks, 12.0 * walks]


@pytest.mark.usefixtures("eager_switching")
def test_threads_have_modes_and_devices_of_their_own():
    x = ga.asarray([1.0, 2.0], requires_grad=True)

    def run(number):
        silent = number % 2 == 0
        place = "strict:device1" if number % 4 < 2 else "cpu"
        for _ in range(200):
            assert ga.is_grad_enabled()
            with ga.set_grad_enabled(not silent), ga.device(place):
                y = x * 2.0
                assert y.requires_grad is not silent
                assert str(ga.ones(2).device) == place
                if silent:
                    with ga.enable_grad():
                        assert (y + x).requires_grad
                    assert not (y + x).requires_grad
            assert (x * 2.0).requires_grad

    together(run)
    assert ga.is_grad_enabled()


@pytest.mark.usefixtures("eager_switching")
def test_threads_observe_only_themselves():
    """Checkpoints, hooks on what is saved, detection of anomalies and derivatives of functions, each in its thread."""
    rounds = 60

    def checkpointed(x):
        return ga.sum(ga.checkpoint(lambda x: x * x * x, x))

    def packed(x):
        with ga.autograd.saved_values_hooks(lambda value: value.tolist(), ga.asarray):
            return ga.sum(x * x * x)

    def looked_at(x):
        with ga.autograd.detect_anomaly():
            return ga.sum(x * x * x)

    def plain(x):
        return ga.sum(x * x * x)

    programs = (checkpointed, packed, looked_at, plain)

    def run(number):
        program = programs[number % len(programs)]
        x = ga.asarray([1.0, float(number)], requires_grad=True)
        for _ in range(rounds):
            program(x).backward()
            assert ga.hessian(plain)(x.detach()).tolist() == [[6.0, 0.0], [0.0, 6.0 * number]]
            assert ga.jvp(program, (x.detach(),), (ga.ones(2),))[1].item() == 3.0 + 3.0 * number**2
        return x.grad.tolist()

    for number, gradient in enumerate(together(run)):
        assert gradient == [3.0 * rounds, 3.0 * number**2 * rounds]


@pytest.mark.usefixtures("eager_switching")
def test_first_use_in_many_threads_at_once(monkeypatch):
    """Tables that are filled at first use: plans, kernels, constants."""
    device = ga.get_device("cpu")
    for _ in range(20):
        device.elementwise.clear()
        device.kernels.clear()
        device.constants.clear()

        def run(number):
            x = ga.asarray([1.0, 2.0], requires_grad=True)
            y = ga.sum(ga.exp(x * 0.0) * float(number + 3) + ga.maximum(x, 1.5) - ga.matmul(x, x))
            y.backward()
            return x.grad.tolist()

        assert together(run) == [[-4.0, -7.0]] * THREADS


# --- tasks -----------------------------------------------------------------------------------------------------------


def test_tasks_add_exactly_and_have_modes_of_their_own():
    rounds, tasks = 50, 20
    shared = ga.asarray([1.0, 2.0], requires_grad=True)

    async def run(number):
        own = ga.asarray([float(number), 1.0], requires_grad=True)
        silent = number % 2 == 1
        for _ in range(rounds):
            with ga.set_grad_enabled(not silent):
                y = ga.sum(shared * own)
                await asyncio.sleep(0)
                assert ga.is_grad_enabled() is not silent
                assert y.requires_grad is not silent
                if not silent:
                    y.backward()
            await asyncio.sleep(0)
            assert ga.is_grad_enabled()
        return own.grad

    async def main():
        return await asyncio.gather(*map(run, range(tasks)))

    found = asyncio.run(main())
    for number, gradient in enumerate(found):
        assert gradient is None if number % 2 else gradient.tolist() == [1.0 * rounds, 2.0 * rounds]
    assert shared.grad.tolist() == [float(sum(range(0, tasks, 2)) * rounds), float(tasks // 2 * rounds)]
    assert ga.is_grad_enabled()
