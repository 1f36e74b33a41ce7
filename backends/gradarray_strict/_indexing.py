"""Keys that the standard does not have, in terms of what it has: row-major numbers, ``take`` and ``where``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as xp
import numpy as np

_CPU, _NARROW = xp.Device("CPU_DEVICE"), xp.Device("no_x64")


def with_indices(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that answers with indices, on the device too that has no int64 for them.

    There the library tries to make them all the same, and fails: so they are computed elsewhere and narrowed.
    """

    def adapted(*args: Any, **keywords: Any) -> Any:
        if getattr(args[0], "device", None) != _NARROW:
            return function(*args, **keywords)
        result = function(*[_to(_CPU, x) for x in args], **{name: _to(_CPU, x) for name, x in keywords.items()})
        if not isinstance(result, tuple):
            return _narrowed(result)
        parts = [_narrowed(part) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)

    return adapted


def _to(device: Any, x: Any) -> Any:
    return x.to_device(device) if hasattr(x, "to_device") else x


def _narrowed(x: Any) -> Any:
    return _to(_NARROW, xp.astype(x, xp.int32) if x.dtype == xp.int64 else x)


def getitem(x: Any, *, key: Any) -> Any:
    """``x[key]`` for every key that NumPy takes."""
    whole = _whole(x, key)
    if whole is not None:
        return x[whole]
    positions = _positions(x, key)
    flat = xp.take(xp.reshape(x, (-1,)), _integers(positions.ravel(), x), axis=0)
    return xp.reshape(flat, positions.shape)


def write(x: Any, key: Any, value: Any) -> None:
    """``x[key] = value`` for every key that NumPy takes."""
    whole = _whole(x, key)
    parts = key if type(key) is tuple else (key,)
    has_arrays = any(hasattr(part, "dtype") for part in parts)
    if whole is not None and not (has_arrays and getattr(value, "ndim", False)) and not any(p is None for p in parts):
        x[whole] = value
        return
    positions = _positions(x, key)
    if not hasattr(value, "dtype"):
        value = xp.asarray(value, dtype=x.dtype, device=x.device)
    values = xp.reshape(xp.broadcast_to(value, positions.shape), (-1,))
    if not positions.size:
        return
    # Which of the values each element takes; NumPy's rule that the last one wins holds in this assignment too.
    source = np.full(x.size, -1)
    source[positions.ravel()] = np.arange(positions.size)
    taken = xp.take(values, _integers(np.maximum(source, 0), x), axis=0)
    hit = xp.asarray(source >= 0, device=x.device)
    x[...] = xp.reshape(xp.where(hit, taken, xp.reshape(x, (-1,))), x.shape)


def _whole(x: Any, key: Any) -> Any:
    """The key with an Ellipsis where the standard wants one; None if the standard has no such key."""
    parts = key if type(key) is tuple else (key,)
    arrays = [part for part in parts if hasattr(part, "dtype")]
    if arrays:
        # A boolean mask alone, of the whole shape, is the standard's; what it has of integer arrays is left to numbers.
        whole = len(parts) == 1 and arrays[0].dtype == xp.bool and arrays[0].shape == x.shape
        return key if whole else None
    # The standard asks for one index per axis, or for an Ellipsis.
    return _within(x, parts if Ellipsis in parts else (*parts, ...))


def _within(x: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """A key without slices that reach past the end, which the standard leaves open."""
    axis = 0
    found = []
    for position, part in enumerate(parts):
        if part is Ellipsis:
            axis = x.ndim - sum(later is not None for later in parts[position + 1 :])
        elif isinstance(part, slice) and 0 <= axis < x.ndim:
            start, stop, step = part.indices(x.shape[axis])
            empty = start >= stop if step > 0 else start <= stop
            part = slice(0, 0) if empty else slice(start, None if stop < 0 else stop, step)
        found.append(part)
        axis += part is not None and part is not Ellipsis
    return tuple(found)


def _positions(x: Any, key: Any) -> np.ndarray[Any, Any]:
    """The row-major number of each element that the key picks, in the shape of the result."""
    parts = [_host(part) for part in (key if type(key) is tuple else (key,))]
    numbers = np.arange(x.size).reshape(x.shape)
    return np.asarray(numbers[tuple(parts)])


def _host(part: Any) -> Any:
    return np.asarray(xp.asarray(part, device=_CPU)) if hasattr(part, "dtype") else part


def _integers(positions: np.ndarray[Any, Any], x: Any) -> Any:
    return xp.asarray(positions, dtype=xp.int64 if x.device != _NARROW else xp.int32, device=x.device)
