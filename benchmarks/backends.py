"""What gradarray adds to one operation of the library beneath, on each backend that is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
from small import have
from timing import Case, Table, interleaved

import gradarray as ga

#: How an operation is called, in gradarray and in the library itself; `x` to `z` have 4 elements, `m` is 2 by 2.
OPERATIONS = {
    "multiply": "xp.multiply(x, y)",
    "multiply by a number": "xp.multiply(x, 2.0)",
    "exp": "xp.exp(x)",
    "less": "xp.less(x, y)",
    "where": "xp.where(b, x, y)",
    "sum": "xp.sum(x)",
    "sum over an axis": "xp.sum(m, axis=0)",
    "mean": "xp.mean(x)",
    "max": "xp.max(x)",
    "matmul": "xp.matmul(m, m)",
    "solve": "xp.linalg.solve(m, v)",
    "x[1:]": "x[1:]",
    "x[1]": "x[1]",
    "z[1:] = 2.0": "z[1:] = 2.0",
    "take": "xp.take(x, i)",
    "reshape": "xp.reshape(x, (2, 2))",
    "permute_dims": "xp.permute_dims(m, (1, 0))",
    "concat": "xp.concat((x, y))",
    "stack": "xp.stack((x, y))",
    "astype": "xp.astype(x, xp.float32)",
    "zeros": "xp.zeros(4, dtype=xp.float64)",
    "asarray of a list": "xp.asarray([1.0, 2.0, 3.0, 4.0], dtype=xp.float64)",
}
#: Where a library's own call is another, or its array has the method only.
OWN = {
    "numpy": {"astype": "x.astype(xp.float32)"},
    "torch": {
        "take": "xp.index_select(x, 0, i)",
        "permute_dims": "xp.permute(m, (1, 0))",
        "astype": "x.to(xp.float32)",
    },
    "jax": {"z[1:] = 2.0": "z.at[1:].set(2.0)", "astype": "x.astype(xp.float32)"},
}
#: What has no input to be tracked, or none that may be written again and again.
NEVER_RECORDED = ("z[1:] = 2.0", "zeros", "asarray of a list")
DEVICES = {"numpy": "cpu", "torch": "torch:cpu", "jax": "jax:cpu:0"}


def overhead() -> Table:
    """Time beyond the library's own call, in units of NumPy's multiply."""
    installed = [name for name in DEVICES if have(name)]
    missing = [name for name in DEVICES if name not in installed]
    times = {name: _times(name) for name in installed}
    u = min(measured["u", ""] for measured in times.values())
    columns = [(name, label) for name in installed for label in ("its own", "added", "added, recorded")]
    table = Table(
        "What gradarray adds to one operation on 4 elements",
        f"float64, in u = one numpy.multiply = {u * 1e9:.0f} ns: the library's own time, and what is added to it"
        + "".join(f"; {name} is not installed, left out" for name in missing),
        ("", *[f"{name}: {label}" for name, label in columns]),
    )
    for operation in OPERATIONS:
        cells = []
        for name, label in columns:
            seconds = times[name].get((operation, label))
            beyond = 0 if label == "its own" else times[name][operation, "its own"]
            sign = "" if label == "its own" else "+"
            cells.append("" if seconds is None else f"{(seconds - beyond) / u:{sign}.1f}")
        table.add(operation, *cells)
    table.add("goal", *[{"its own": "", "added": "<= 4.0"}.get(label, "") for _, label in columns])
    return table


def _times(name: str) -> dict[tuple[str, str], float]:
    """Seconds for each operation: the library's own, and gradarray's, plain and recorded."""
    plain, recorded = _operands(name, tracked=False), _operands(name, tracked=True)
    own = {key: array._data for key, array in plain.items()} | {"xp": _library(name)}
    cases = {("u", ""): Case("multiply(x, x)", x=np.ones(4), multiply=np.multiply)}
    with ga.device(DEVICES[name]):
        for operation, call in OPERATIONS.items():
            cases[operation, "its own"] = Case(OWN[name].get(operation, call), **own)
            cases[operation, "added"] = Case(call, xp=ga, **plain)
            if operation not in NEVER_RECORDED:
                cases[operation, "added, recorded"] = Case(call, xp=ga, **recorded)
        return interleaved(cases)


def _operands(name: str, *, tracked: bool) -> dict[str, Any]:
    with ga.device(DEVICES[name]):
        x, y = ga.asarray([1.0, 2.0, 3.0, 4.0]), ga.asarray([4.0, 3.0, 2.0, 1.0])
        m, v = ga.asarray([[2.0, 1.0], [1.0, 3.0]]), ga.asarray([1.0, 2.0])
        rest = {"b": x < y, "i": ga.asarray([2, 0, 1, 3]), "z": ga.zeros(4)}
    if tracked:
        x.requires_grad_()
        m.requires_grad_()
    return {"x": x, "y": y, "m": m, "v": v, **rest}


def _library(name: str) -> Any:
    if name == "torch":
        import torch

        return torch
    if name == "jax":
        import jax.numpy as jnp

        return jnp
    return np
