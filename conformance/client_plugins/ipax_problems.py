"""Solve ipax' own problems, given nothing but objective and constraints, with derivatives by the namespace."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path
from typing import Any

import for_ipax  # noqa: F401 - registers the derivatives
import ipax
import ipax.testing.problems as problems
import numpy as np
from namespace import xp

_GIVEN = ("bounds", "eq_constraints", "ineq_constraints", "linear_eq", "linear_ineq", "eq_bounds", "ineq_bounds")


def bare(full: Any) -> Any:
    """A problem without its derivatives."""

    class Bare(ipax.Problem):
        n_vars = property(lambda self: full.n_vars)

        def objective(self, x: Any) -> Any:
            return full.objective(x)

    for name in _GIVEN:
        if name in vars(type(full)):
            setattr(Bare, name, lambda self, *args, name=name: getattr(full, name)(*args))
    return Bare()


def solved() -> tuple[int, list[dict[str, str]]]:
    """How many came out right, and what did not."""
    right, failures = 0, []
    for name, kind in sorted(vars(problems).items()):
        if not (inspect.isclass(kind) and issubclass(kind, ipax.Problem) and hasattr(kind, "known_solution")):
            continue
        if kind is ipax.Problem or len(inspect.signature(kind.__init__).parameters) != 2:
            continue
        full = kind(xp)
        start = full.x0() if callable(getattr(full, "x0", None)) else getattr(full, "x0", None)
        try:
            found = ipax.solve(bare(full), xp.ones(full.n_vars, dtype=xp.float64) / 2 if start is None else start)
            error = float(np.max(np.abs(np.asarray(found.x) - np.asarray(full.known_solution()))))
            if not error < 1e-4:
                raise AssertionError(f"the solution is off by {error:.1e}")
            right += 1
        except Exception as error:
            failures.append({"test": name, "kind": "failed", "message": f"{type(error).__name__}: {error}"[:200]})
    return right, failures


right, failures = solved()
tally = {"counts": {"passed": right, "failed": len(failures)}, "failures": failures}
Path(os.environ["CLIENT_TALLY"]).write_text(json.dumps(tally))
