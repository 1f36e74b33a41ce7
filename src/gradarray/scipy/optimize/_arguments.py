"""What the algorithms are given: starting points, bounds and derivatives of the caller's, as SciPy takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._graph import no_grad
from ...ops.conversion import asarray
from .._captures import values_of


def host(x: Any) -> Any:
    """Where to start, in NumPy's memory: an array as it is, without history, anything else as SciPy takes it."""
    if isinstance(x, Array):
        values = np.array(x._host())
        return values if values.ndim else values[()]
    if isinstance(x, (list, tuple)):
        return np.asarray([host(part) for part in x])
    return x


def on_device(op: str, function: Callable[..., Any], args: tuple[Any, ...], device: Device) -> Callable[..., Any]:
    """A function of the caller, such as a Jacobian, as one of NumPy's arrays, for SciPy."""

    def called(*points: Any) -> Any:
        with no_grad():
            arrays = [asarray(np.asarray(x), device=device, copy=True) for x in points]
            return np.array(values_of(op, function(*arrays, *args), device)._host())

    return called


def known(op: str, name: str, value: Any, valid: Any) -> None:
    """Refuse a word that is not one of some."""
    if value not in valid:
        raise _errors.ArgumentValueError(
            f"{op}(): there is no {name} {value!r}\nFix: pass one of {', '.join(map(repr, valid))}"
        )


def untracked(op: str, name: str, *values: Any) -> None:
    """Refuse tracked arrays where no derivative is known."""
    for x in values:
        if isinstance(x, (list, tuple)):
            untracked(op, name, *x)
        elif isinstance(x, Array) and x.requires_grad:
            raise _errors.NoDerivativeError(
                f"{op}(): the derivative with respect to {name} is not known\n"
                f"Fix: pass {name} detached if no gradient with respect to it is wanted"
            )


def active(x: np.ndarray[Any, Any], lower: Any, upper: Any) -> np.ndarray[Any, Any]:
    """Which elements of a solution lie at a bound: those do not move."""
    lower, upper = np.broadcast_to(lower, x.shape), np.broadcast_to(upper, x.shape)
    found = np.zeros(x.shape, bool)
    for bound in (lower, upper):
        place = np.where(np.isfinite(bound), bound, 0)
        found |= np.isfinite(bound) & (np.abs(x - place) <= 1e-10 * np.maximum(1, np.abs(place)))
    return found
