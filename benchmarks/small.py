"""Arrays of few elements: what an operation costs beyond its kernel, a long chain, a small network step."""

from __future__ import annotations

import importlib.util

import numpy as np
from timing import Case, Table, interleaved, ratios

import gradarray as ga

N_CHAIN = 100
THREADS = (1, 2)


def have(name: str) -> bool:
    """Whether a peer is installed."""
    return importlib.util.find_spec(name) is not None


rng = np.random.default_rng(0)
a = np.ones(4, dtype=np.float32)
m = np.ones((2, 2), dtype=np.float32)
X, W1, W2 = (rng.standard_normal(shape).astype(np.float32) for shape in ((32, 8), (8, 16), (16, 4)))


# --- single operations -----------------------------------------------------------------------------------------------


def operations() -> Table:
    """multiply, exp, sum and matmul: plain and recorded, in units of NumPy's multiply."""
    rows: dict[str, dict[str, Case]] = {"numpy": _operations(a, a, m, np.exp, np.sum)}
    rows["gradarray"] = _operations(ga.asarray(a), ga.asarray(a), ga.asarray(m), ga.exp, ga.sum)
    x, matrix = (ga.asarray(value, requires_grad=True) for value in (a, m))
    rows["gradarray, recorded"] = _operations(x, ga.asarray(a), matrix, ga.exp, ga.sum)
    if have("torch"):
        import torch

        t, tm = torch.tensor(a), torch.tensor(m)
        leaf, leaf_m = torch.tensor(a, requires_grad=True), torch.tensor(m, requires_grad=True)
        for threads in THREADS:
            label = f"torch, {threads} thread{'s' if threads > 1 else ''}"
            setup = _threads(threads)
            rows[label] = _operations(t, t, tm, torch.exp, torch.sum, setup)
            rows[f"{label}, recorded"] = _operations(leaf, t, leaf_m, torch.exp, torch.sum, setup)
    if have("autograd"):
        import autograd.numpy as anp
        from autograd.core import VJPNode
        from autograd.tracer import new_box

        box, box_m = (new_box(value, 0, VJPNode.new_root()) for value in (a, m))
        rows["HIPS autograd, recorded"] = _operations(box, a, box_m, anp.exp, anp.sum)
    if have("jax"):
        import jax.numpy as jnp

        j = jnp.asarray(a)
        rows["jax eager"] = _operations(j, j, jnp.asarray(m), jnp.exp, jnp.sum)
    best = interleaved({f"{row}/{op}": case for row, cases in rows.items() for op, case in cases.items()})
    u = best["numpy/multiply"]
    table = Table(
        "One operation on 4 elements",
        f"float32, in u = one numpy.multiply = {u * 1e9:.0f} ns; in brackets: beyond NumPy's own time for the same",
        ("", *rows["numpy"]),
    )
    for row, cases in rows.items():
        cells = []
        for op in cases:
            beyond = (best[f"{row}/{op}"] - best[f"numpy/{op}"]) / u
            cells.append(f"{best[f'{row}/{op}'] / u:.2f}" + ("" if row == "numpy" else f" ({beyond:+.2f})"))
        table.add(row, *cells)
    table.add("goal, gradarray", "(+1.50)", "", "", "")
    table.add("goal, gradarray, recorded", "(+3.00)", "", "", "")
    return table


def _operations(x, y, matrix, exp, total, setup=None) -> dict[str, Case]:
    return {
        "multiply": Case("x * y", setup, x=x, y=y),
        "exp": Case("f(x)", setup, f=exp, x=x),
        "sum": Case("f(x)", setup, f=total, x=x),
        "matmul": Case("x @ x", setup, x=matrix),
    }


def _threads(number: int):
    import torch

    return lambda: torch.set_num_threads(number)


# --- 200 operations, forward and backward ----------------------------------------------------------------------------


def _chain(x, total):
    y = x
    for _ in range(N_CHAIN):
        y = y * 0.99 + x
    return total(y)


def _numpy_chain():
    y = a
    for _ in range(N_CHAIN):
        y = y * 0.99 + a
    np.sum(y)
    g = np.ones_like(a)
    gx = np.zeros_like(a)
    for _ in range(N_CHAIN):
        gx = gx + g
        g = g * 0.99
    return gx + g


def _recorded_chain(make, total):
    x = make(a)
    _chain(x, total).backward()
    return x.grad


def chain() -> Table:
    """A chain of 200 operations on 4 elements."""
    cases = {
        "numpy, gradient by hand": Case("f()", f=_numpy_chain),
        "gradarray": Case("f()", f=lambda: _recorded_chain(lambda v: ga.asarray(v, requires_grad=True), ga.sum)),
    }
    bounds = {"HIPS autograd": 0.2}
    expected = _numpy_chain()
    np.testing.assert_allclose(
        np.asarray(_recorded_chain(lambda v: ga.asarray(v, requires_grad=True), ga.sum)), expected, rtol=1e-5
    )
    if have("torch"):
        import torch

        for threads in THREADS:
            label = f"torch, {threads} thread{'s' if threads > 1 else ''}"
            run = lambda: _recorded_chain(lambda v: torch.tensor(v, requires_grad=True), torch.sum)
            cases[label] = Case("f()", _threads(threads), f=run)
            bounds[label] = 0.45
    if have("autograd"):
        import autograd.numpy as anp
        from autograd import grad

        gradient = grad(lambda x: _chain(x, anp.sum))
        cases["HIPS autograd"] = Case("f(a)", f=gradient, a=a)
    if have("jax"):
        import jax
        import jax.numpy as jnp

        gradient = jax.grad(lambda x: _chain(x, jnp.sum))
        cases["jax eager"] = Case("f(a).block_until_ready()", f=gradient, a=jnp.asarray(a))
    explanation = f"{2 * N_CHAIN} operations on 4 float32 elements, forward and backward"
    return ratios("A chain of 200 operations", explanation, interleaved(cases, seconds=0.01), bounds)


# --- a small network step --------------------------------------------------------------------------------------------


def _numpy_network():
    h = np.exp(-(X @ W1))
    o = h @ W2
    np.sum(o * o)
    go = 2 * o
    gh = -(go @ W2.T) * h
    return X.T @ gh, h.T @ go


def _recorded_network(x, w1, w2, exp, total):
    w1.grad = w2.grad = None
    o = exp(-(x @ w1)) @ w2
    total(o * o).backward()


def network() -> Table:
    """A step of a network of 8 inputs, 16 hidden and 4 outputs on 32 rows, without the update."""
    x, w1, w2 = ga.asarray(X), ga.asarray(W1, requires_grad=True), ga.asarray(W2, requires_grad=True)
    cases = {
        "numpy, gradient by hand": Case("f()", f=_numpy_network),
        "gradarray": Case("f(x, w1, w2, e, s)", f=_recorded_network, x=x, w1=w1, w2=w2, e=ga.exp, s=ga.sum),
    }
    bounds = {}
    _recorded_network(x, w1, w2, ga.exp, ga.sum)
    for found, expected in zip((w1.grad, w2.grad), _numpy_network(), strict=True):
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4)
    if have("torch"):
        import torch

        tx = torch.tensor(X)
        t1, t2 = torch.tensor(W1, requires_grad=True), torch.tensor(W2, requires_grad=True)
        for threads in THREADS:
            label = f"torch, {threads} thread{'s' if threads > 1 else ''}"
            names = {"f": _recorded_network, "x": tx, "w1": t1, "w2": t2, "e": torch.exp, "s": torch.sum}
            cases[label] = Case("f(x, w1, w2, e, s)", _threads(threads), **names)
            bounds[label] = 0.5
    if have("autograd"):
        import autograd.numpy as anp
        from autograd import grad

        gradient = grad(lambda w: anp.sum((anp.exp(-(X @ w[0])) @ w[1]) ** 2))
        cases["HIPS autograd"] = Case("f((w1, w2))", f=gradient, w1=W1, w2=W2)
    if have("jax"):
        import jax
        import jax.numpy as jnp

        gradient = jax.grad(lambda w: jnp.sum((jnp.exp(-(X @ w[0])) @ w[1]) ** 2))
        names = {"f": gradient, "w1": jnp.asarray(W1), "w2": jnp.asarray(W2)}
        cases["jax eager"] = Case("f((w1, w2))[0].block_until_ready()", **names)
    explanation = "32 rows, 8 inputs, 16 hidden, 4 outputs, float32; forward and backward"
    return ratios("A small network step", explanation, interleaved(cases, seconds=0.01), bounds)
