"""Large arrays, where passes over memory count: time and peak memory beside gradients written by hand in NumPy."""

from __future__ import annotations

import gc
import time
import tracemalloc

import numpy as np
from timing import Case, Table, duration, interleaved

import gradarray as ga

SIZE = 1_000_000
WIDTH, ROWS = 1024, 256


# --- an elementwise function of 1e6 numbers --------------------------------------------------------------------------


def _by_hand(x):
    bell = np.exp(-(x * x))
    wave = np.sin(x)
    value = np.sum(bell * wave + x)
    g = bell * np.cos(x) - 2 * x * (wave * bell) + 1
    return value, g


def _recorded(x):
    x = ga.asarray(x, requires_grad=True)
    value = ga.sum(ga.exp(-(x * x)) * ga.sin(x) + x)
    value.backward()
    return value, x.grad


# --- a training step 1024 wide ---------------------------------------------------------------------------------------


def _data():
    rng = np.random.default_rng(0)
    x, target = rng.standard_normal((ROWS, WIDTH)), rng.standard_normal((ROWS, WIDTH))
    weights = [rng.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH) for _ in range(2)]
    biases = [np.zeros(WIDTH) for _ in range(2)]
    return x, target, weights, biases


def _step_by_hand(x, target, weights, biases):
    (w1, w2), (b1, b2) = weights, biases
    h = np.tanh(x @ w1 + b1)
    difference = h @ w2 + b2 - target
    value = np.mean(difference * difference)
    g = (2 / difference.size) * difference
    gw2, gb2 = h.T @ g, np.sum(g, axis=0)
    g = g @ w2.T
    g *= 1 - h * h
    gw1, gb1 = x.T @ g, np.sum(g, axis=0)
    for parameter, gradient in ((w1, gw1), (b1, gb1), (w2, gw2), (b2, gb2)):
        parameter -= 1e-3 * gradient
    return value, gw1


def _step_recorded(x, target, weights, biases):
    (w1, w2), (b1, b2) = weights, biases
    h = ga.tanh(x @ w1 + b1)
    difference = h @ w2 + b2 - target
    value = ga.mean(difference * difference)
    value.backward()
    first = w1.grad
    with ga.no_grad():
        for parameter in (w1, b1, w2, b2):
            parameter -= 1e-3 * parameter.grad
            parameter.grad = None
    return value, first


# --- tables ----------------------------------------------------------------------------------------------------------


def large() -> Table:
    """Time and peak memory of both computations, by hand and recorded."""
    table = Table(
        "Large arrays",
        "gradarray as a multiple of the gradient written by hand in NumPy, float64",
        ("", "time, by hand", "time, gradarray", "ratio", "peak, by hand", "peak, gradarray", "ratio", "goal"),
    )
    x = np.random.default_rng(0).standard_normal(SIZE)
    _same(_by_hand(x), _recorded(x))
    _row(table, f"elementwise, {SIZE:,} elements", lambda: _by_hand(x), lambda: _recorded(x))
    by_hand = _data()
    tracked = tuple(
        [ga.asarray(part, copy=True, requires_grad=True) for part in parts]
        if isinstance(parts, list)
        else ga.asarray(parts, copy=True)
        for parts in by_hand
    )
    _same(_step_by_hand(*by_hand), _step_recorded(*tracked))
    _row(
        table,
        f"training step, {WIDTH} wide, {ROWS} rows",
        lambda: _step_by_hand(*by_hand),
        lambda: _step_recorded(*tracked),
    )
    return table


def _same(by_hand, recorded) -> None:
    for expected, found in zip(by_hand, recorded, strict=True):
        np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-8, atol=1e-12)


def _row(table: Table, name: str, by_hand, recorded) -> None:
    best = interleaved({"hand": Case("f()", f=by_hand), "ours": Case("f()", f=recorded)}, seconds=0.05)
    peaks = {"hand": _peak(by_hand), "ours": _peak(recorded)}
    table.add(
        name,
        duration(best["hand"]),
        duration(best["ours"]),
        f"{best['ours'] / best['hand']:.2f}",
        f"{peaks['hand'] / 1e6:.1f} MB",
        f"{peaks['ours'] / 1e6:.1f} MB",
        f"{peaks['ours'] / peaks['hand']:.2f}",
        "<= 1.05",
    )


def _peak(f) -> int:
    """The most bytes that a call has allocated at any time; NumPy reports its buffers too."""
    tracemalloc.start()
    f()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def lengths() -> Table:
    """Chains of up to a million operations: the cost of each must stay the same, and release must not recurse."""
    table = Table(
        "Length of the chain",
        "1 element, time per operation; Python's collector of cycles walks every live object now and then",
        ("operations", "forward", "backward", "release", "forward, no collector", "backward, no collector"),
    )
    for n in (1_000, 10_000, 100_000, 1_000_000):
        plain = _chain(n)
        gc.disable()
        without = _chain(n)
        gc.enable()
        table.add(f"{n:,}", *[duration(seconds / n) for seconds in (*plain, *without[:2])])
    return table


def _chain(n: int) -> list[float]:
    """Seconds for the forward walk, the backward walk and the release of a chain, the minimum of repeats."""
    best = [float("inf")] * 3
    for _ in range(max(1, 30_000 // n)):
        x = ga.asarray([1.0], requires_grad=True)
        start = time.perf_counter()
        y = x
        for _ in range(n):
            y = y + x
        forward = time.perf_counter()
        y.backward(ga.ones_like(x.detach()), retain_graph=True)
        backward = time.perf_counter()
        del y
        end = time.perf_counter()
        best = [min(pair) for pair in zip(best, (forward - start, backward - forward, end - backward), strict=True)]
    return best
