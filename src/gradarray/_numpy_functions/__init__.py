"""NumPy's functions on arrays of ours: each in terms of gradarray's, with NumPy's signature and meaning.

NumPy hands every call over with the function that was called; `find` says what stands for it. The table is made at the
first such call, and importing gradarray does not pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ._table import FUNCTIONS

__all__ = ["find"]

_PARTS = (
    "calculus constants elements fft joining linalg order polynomials products quantiles reductions shapes statistics"
).split()


@cache
def _by_function() -> dict[Any, Callable[..., Any]]:
    for part in _PARTS:
        import_module(f"{__name__}._{part}")
    table: dict[Any, Callable[..., Any]] = {}
    for name, implementation in FUNCTIONS.items():
        found: Any = np
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not None:
            table[found] = implementation
    return table


def find(function: Any) -> Callable[..., Any] | None:
    """What stands for a function of NumPy here; None if nothing does."""
    return _by_function().get(function)
