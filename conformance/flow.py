"""Count SciPy's public callables that let gradients through: ``python conformance/flow.py``, with SCIPY_ARRAY_API=1.

Each call of `flow_calls` is made with tracked arrays, and with NumPy's. It *flows* if the result is tracked and its
gradient along random directions equals finite differences of the same call on NumPy's arrays. It is *refused* if an
error says so by name. Anything else is wrong: a result that is cut off, a gradient that differs, another error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"  # read when SciPy is imported

import numpy as np
import scipy
import scipy.optimize.elementwise
from flow_calls import CALLS
from scipy import (
    cluster,
    constants,
    differentiate,
    fft,
    integrate,
    interpolate,
    linalg,
    ndimage,
    optimize,
    signal,
    special,
    stats,
)
from scipy.spatial.transform import RigidTransform, Rotation, Slerp

import gradarray as ga

_rng = np.random.default_rng(0)
_quaternions = _rng.normal(size=(3, 4))
ARRAYS = {
    "a": _rng.uniform(0.2, 0.9, 12),
    "b": _rng.uniform(0.2, 0.9, 12),
    "c": _rng.uniform(1.0, 3.0, 12),
    "d": _rng.uniform(-1.0, 1.0, (3, 3)),
    "e": _rng.normal(size=6) * 0.3,
    "g": _rng.uniform(0.2, 0.9, (4, 4)) + np.eye(4),
    "m": _rng.uniform(0.2, 0.9, (6, 4)),
    "q": _quaternions / np.linalg.norm(_quaternions, axis=1, keepdims=True),
    "s": _rng.normal(size=32),
    "u": _rng.uniform(0.05, 0.95, 6),
    "v": _rng.normal(size=(3, 3)) * 0.5,
}
ROOMS = {
    room.__name__.partition(".")[2]: room
    for room in (
        *(cluster, constants, differentiate, fft, integrate, interpolate),
        *(linalg, ndimage, optimize, signal, special, stats),
    )
} | {"Rotation": Rotation, "RigidTransform": RigidTransform, "Slerp": Slerp, "rng": np.random.default_rng}


def evaluated(expression: str, arrays: dict[str, Any], xp: Any) -> Any:
    """The result of a call; complex ones as their parts."""

    def constant(values: Any) -> Any:
        return xp.asarray(values, dtype=xp.float64)

    names = {**ROOMS, **arrays, "xp": xp, "x": constant}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = eval(expression, names)
    is_complex = found.dtype.kind == "c"
    return xp.stack([xp.real(found), xp.imag(found)]) if is_complex else found


def difference(expression: str, values: dict[str, Any], directions: dict[str, Any], weights: Any) -> float:
    """The derivative of the weighted sum of results along a direction, on NumPy's arrays."""
    step = 1e-6
    ends = []
    for sign in (1.0, -1.0):
        moved = {name: values[name] + sign * step * directions[name] for name in values}
        ends.append(float(np.sum(weights * np.asarray(evaluated(expression, moved, np)))))
    return (ends[0] - ends[1]) / (2 * step)


def outcome(expression: str) -> tuple[str, str]:
    """What a call came to: ``flows``, ``refused`` or something wrong; and why."""
    letters = set(re.findall(r"\b[a-z]\b", expression)) & set(ARRAYS)
    values = {name: ARRAYS[name] for name in sorted(letters)}
    try:
        expected = np.asarray(evaluated(expression, {name: x.copy() for name, x in values.items()}, np))
    except Exception as error:
        return "wrong", f"on NumPy's arrays: {type(error).__name__}: {error}".splitlines()[0]
    rng = np.random.default_rng(1)
    weights = rng.normal(size=expected.shape)
    tracked = {name: ga.asarray(x.copy(), requires_grad=True) for name, x in values.items()}
    try:
        found = evaluated(expression, tracked, ga)
        if not getattr(found, "requires_grad", False):
            return "cut", f"the result, {type(found).__name__}, is not tracked"
        if not np.allclose(found.detach().numpy(), expected, rtol=1e-6, atol=1e-8):
            return "wrong", "the value differs from NumPy's"
        ga.sum(found * ga.asarray(weights)).backward()
    except (ga.TrackedConversionError, ga.NoDerivativeError) as error:
        return "refused", str(error).splitlines()[0]
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}".splitlines()[0]
    for _ in range(2):
        directions = {name: rng.normal(size=x.shape) for name, x in values.items()}
        slope = difference(expression, values, directions, weights)
        pulled = sum(
            float(np.sum(x.grad.numpy() * directions[name])) for name, x in tracked.items() if x.grad is not None
        )
        if not abs(pulled - slope) <= 1e-4 * max(1.0, abs(slope)):
            return "wrong", f"the derivative along a direction is {pulled}, finite differences give {slope}"
    return "flows", ""


def counted() -> dict[str, Any]:
    """The outcomes of all calls, by module."""
    modules: dict[str, Any] = {}
    for module, calls in CALLS.items():
        found = {name: outcome(expression) for name, expression in calls.items()}
        modules[module] = {
            "flows": sum(what == "flows" for what, _ in found.values()),
            "refused": [name for name, (what, _) in found.items() if what == "refused"],
            "wrong": {
                name: f"{what}: {why}" for name, (what, why) in found.items() if what not in ("flows", "refused")
            },
        }
    return {
        "scipy": scipy.__version__,
        "called": sum(len(calls) for calls in CALLS.values()),
        "flows": sum(counts["flows"] for counts in modules.values()),
        "modules": modules,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, help="write them to this file")
    options = parser.parse_args()
    result = counted()
    for module, counts in result["modules"].items():
        refused = counts["refused"]
        print(f"{module:20} {counts['flows']:4} differentiated, {len(refused)} refused: {' '.join(refused)}")
        for name, why in counts["wrong"].items():
            print(f"    WRONG {name}: {why}")
    print(f"{result['flows']} of {result['called']} of SciPy's callables are differentiated")
    if options.results:
        options.results.write_text(json.dumps(result, indent=1) + "\n")
    sys.exit(any(counts["wrong"] for counts in result["modules"].values()))
