"""What gradarray adds to one operation of the library beneath, on each backend that is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
from small import have
from timing import Case, Table, interleaved

import gradarray as ga

OPERATIONS = {
    "multiply": ("x * y", "f(x, y)"),
    "by a number": ("x * 2.0", "f(x, 2.0)"),
    "exp": ("f(x)", "f(x)"),
    "less": ("x < y", "f(x, y)"),
    "where": ("f(b, x, y)", "f(b, x, y)"),
    "sum": ("f(x)", "f(x)"),
    "mean": ("f(x)", "f(x)"),
    "max": ("f(x)", "f(x)"),
    "matmul": ("m @ m", "f(m, m)"),
    "slice": ("x[1:]", "x[1:]"),
    "reshape": ("f(x, (2, 2))", "f(x, (2, 2))"),
}


def overhead() -> Table:
    """Time beyond the library's own function, in units of NumPy's multiply; the goal is 4."""
    cases: dict[str, Case] = {"u": Case("x * x", x=np.ones(4))}
    for name, functions in _libraries().items():
        for tracked in (False, True):
            own = _operands(name, tracked)
            raw = {key: array._data for key, array in own.items()}
            for operation, (ours, theirs) in OPERATIONS.items():
                public = getattr(ga, {"by a number": "multiply", "slice": "sum"}.get(operation, operation))
                label = f"{name}/{operation}/{tracked}"
                cases[label] = Case(ours, f=public, **own)
                cases.setdefault(f"{name}/{operation}/raw", Case(theirs, f=functions.get(operation), **raw))
    best = interleaved(cases)
    u = best["u"]
    table = Table(
        "What gradarray adds to one operation on 4 elements",
        f"float64, in u = one numpy.multiply = {u * 1e9:.0f} ns: the library's own time, and what is added to it",
        ("", *OPERATIONS),
    )
    for name in _libraries():
        time = {key: best[key] / u for key in best if key.startswith(f"{name}/")}
        raw_times = {operation: time[f"{name}/{operation}/raw"] for operation in OPERATIONS}
        table.add(f"{name}, its own", *[f"{raw_times[operation]:.1f}" for operation in OPERATIONS])
        for tracked, label in ((False, "added"), (True, "added, recorded")):
            added = [time[f"{name}/{operation}/{tracked}"] - raw_times[operation] for operation in OPERATIONS]
            table.add(f"{name}, {label}", *[f"{part:+.1f}" for part in added])
    return table


def _operands(name: str, tracked: bool) -> dict[str, Any]:
    device = {"numpy": "cpu", "torch": "torch:cpu", "jax": "jax:cpu:0"}[name]
    x, y = ga.asarray([1.0, 2.0, 3.0, 4.0], device=device), ga.asarray([4.0, 3.0, 2.0, 1.0], device=device)
    condition = x < y
    if tracked:
        x.requires_grad_()
    return {"x": x, "y": y, "b": condition, "m": ga.reshape(x, (2, 2)) * 1.0}


def _libraries() -> dict[str, dict[str, Any]]:
    """The functions of each library that is installed."""
    names = ("multiply", "exp", "less", "where", "sum", "mean", "max", "matmul", "reshape")
    found = {"numpy": {name: getattr(np, name) for name in names}}
    if have("torch"):
        import torch

        own = {"max": "amax"}
        found["torch"] = {name: getattr(torch, own.get(name, name)) for name in names}
    if have("jax"):
        import jax.numpy as jnp

        found["jax"] = {name: getattr(jnp, name) for name in names}
    return {name: functions | {"by a number": functions["multiply"]} for name, functions in found.items()}
