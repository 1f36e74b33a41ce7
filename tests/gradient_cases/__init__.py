"""Inputs at which every derivative is compared with finite differences, one module for each chapter of the standard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """One function of an operation at one point.

    Attributes
    ----------
    op : str
        The operation that the case is for: the name in the namespace, or ``"linalg.det"``.
    f : callable
        ``f(xp, *arrays)``, one array of any shape.
    args : tuple of numpy.ndarray
        float64 or complex128 values away from kinks.
    order : int
        Up to which order to check.
    """

    op: str
    f: Callable[..., Any]
    args: tuple[np.ndarray[Any, Any] | np.generic, ...]
    order: int = 2

    def __str__(self) -> str:
        shapes = ",".join(f"{np.asarray(a).dtype.kind}{'x'.join(map(str, np.shape(a)))}" for a in self.args)
        return f"{self.op}({shapes})"


def real(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray[Any, Any]:
    """Distinct random float64 values of the given shape."""
    return np.random.default_rng(seed).uniform(low, high, shape)


def positive(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Random float64 values between 0.5 and 2."""
    return real(*shape, seed=seed, low=0.5, high=2.0)


def complex_(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Random complex128 values of the given shape."""
    return real(*shape, seed=seed) + 1j * real(*shape, seed=seed + 1000)
