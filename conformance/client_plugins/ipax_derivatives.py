"""Derivatives as ipax asks for them, by gradarray."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradarray as ga


def grad(f: Callable[[Any], Any], x: Any) -> Any:
    """Gradient of a function at a point."""
    return ga.grad(f)(x)


def jacobian(f: Callable[[Any], Any], x: Any) -> Any:
    """Jacobian of a function at a point."""
    return ga.jacobian(f)(x)


def hvp(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """Hessian of a function at a point, times a direction."""
    return ga.hvp(f, (x,), (v,))[0]
