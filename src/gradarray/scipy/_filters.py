"""What the filters of signals and of images are made of: windows of neighbours, weighted and added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _errors
from .._array import Array
from .._dispatch import as_array, check_devices
from ..ops.conversion import asarray
from ..ops.creation import full
from ..ops.elementwise._domain import as_floating
from ..ops.indexing import take
from ..ops.manipulation import concat

Places = np.ndarray[Any, Any]
_GRID = {"grid-mirror": "reflect", "grid-wrap": "wrap", "grid-constant": "constant"}
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", *_GRID)


def mode_of(op: str, mode: Any) -> str:
    """One of SciPy's modes, by its plain name."""
    if mode not in MODES:
        raise _errors.ArgumentValueError(f"{op}(): there is no mode {mode!r}\nFix: use one of {', '.join(MODES)}")
    return _GRID.get(mode, str(mode))


def operand(op: Callable[..., Any], x: Any) -> Array:
    """An input as a floating-point array."""
    return as_floating(as_array(op, x))


def weights_of(op: Callable[..., Any], x: Array, weights: Any, name: str = "weights") -> Array:
    """Weights as a floating-point array on the device of the input, in its precision if they are constants."""
    check_devices(op.__name__, [("input", x), (name, weights)])
    if isinstance(weights, Array):
        return as_floating(weights)
    values = np.asarray(weights)
    kind = np.result_type(values.dtype, np.float32) if values.dtype.kind != "c" else values.dtype
    dtype = x.dtype if kind.kind == "f" else np.result_type(x.dtype, np.complex64)
    return asarray(values.astype(dtype), device=x.device)


def places(length: int, before: int, after: int, mode: str) -> Places:
    """For each element of a padded axis the element of the axis that it repeats; -1 for the constant."""
    at = np.arange(-before, length + after)
    if mode == "constant":
        return np.where((at < 0) | (at >= length), -1, at)
    if mode == "nearest":
        return np.clip(at, 0, max(length - 1, 0))
    if mode == "wrap":
        return at % max(length, 1)
    if mode == "mirror":
        period = max(2 * (length - 1), 1)
        at = at % period
        return np.where(at >= length, period - at, at)
    period = max(2 * length, 1)
    at = at % period
    return np.where(at >= length, period - 1 - at, at)


def padded(x: Array, axis: int, before: int, after: int, mode: str, cval: float = 0.0) -> Array:
    """`x` with elements added at both ends of an axis."""
    if not before and not after:
        return x
    length = x.shape[axis]
    if mode == "constant":
        ends = []
        for count in (before, after):
            shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
            ends.append(full(shape, cval, dtype=x.dtype, device=x.device))
        return concat([ends[0], x, ends[1]], axis=axis)
    at = places(length, before, after, mode)
    return take(x, asarray(at, device=x.device), axis=axis)


def shifted(x: Array, axis: int, start: int, length: int) -> Array:
    """A window of an axis, a view."""
    return x[(*(slice(None),) * axis, slice(start, start + length))]


def axes_of(op: str, x: Array, axes: Any) -> tuple[int, ...]:
    """The axes to filter along, non-negative; all without a choice."""
    if axes is None:
        return tuple(range(x.ndim))
    parts = (axes,) if isinstance(axes, int) else tuple(axes)
    if any(not -x.ndim <= axis < x.ndim for axis in parts) or len({axis % x.ndim for axis in parts}) != len(parts):
        raise _errors.AxisError(
            _errors.message(
                op, f"axes {parts} are out of range, or not distinct", [("input", x)], "name each axis once"
            )
        )
    return tuple(axis % x.ndim for axis in parts)


def each(op: str, name: str, value: Any, count: int) -> list[Any]:
    """A parameter for each axis, of one for all or of a sequence."""
    if isinstance(value, (str, int, float)) or not isinstance(value, Sequence):
        return [value] * count
    if len(value) != count:
        raise _errors.ArgumentValueError(
            f"{op}(): {name} has {len(value)} parts for {count} axes\nFix: give one for each"
        )
    return list(value)
