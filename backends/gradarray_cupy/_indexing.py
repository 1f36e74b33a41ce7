"""Keys as NumPy takes them: indices out of bounds are errors, the last of several writes stays, sums have no holes.

CuPy lets indices go round, says nothing of which write stays, takes one mask alone or integers, and adds up at indices
for a few data types only; into nothing at all it breaks the device's context.
"""

from __future__ import annotations

from math import prod
from typing import Any

import cupy
import cupyx
import numpy as np

from ._kernels import as_scalar, check_bounds, is_signed_zero


def getitem(x: Any, *, key: Any) -> Any:
    """``x[key]``: a view for slices, integers, Ellipsis and None."""
    return x[checked(x, key)] if _has_arrays(key) else x[key]


def write(x: Any, key: Any, value: Any) -> None:
    """``x[key] = value``; of several values for one element the last one stays."""
    if is_signed_zero(value):
        value = as_scalar(value, x.dtype)
    if not _has_arrays(key):
        x[key] = value
        return
    key = checked(x, key)
    if not _has_integers(key) or not isinstance(value, cupy.ndarray) or value.size == 1:
        x[key] = value if not isinstance(value, cupy.ndarray) or value.size != 1 else value.reshape(())
        return
    places = _numbers(x.shape)[key]
    if not places.size:
        cupy.broadcast_to(value, places.shape)
        return
    values = cupy.broadcast_to(value, places.shape).reshape(-1)
    # Sorted without changing the order of equals: the last of each run is the one that stays.
    order = cupy.argsort(places.reshape(-1), kind="stable")
    places = places.reshape(-1)[order]
    stays = cupy.concatenate([places[1:] != places[:-1], cupy.ones(1, np.bool_)])
    x[_axes_of(places[stays], x.shape)] = values[order[stays]]


def scatter(g: Any, *, like: Any, key: Any) -> Any:
    """Zeros like `like` to which `g` is added at `key`, repeated elements as often as they occur."""
    shape = tuple(like.shape)
    if not _has_integers(key):
        out = cupy.zeros(shape, g.dtype)
        write(out, key, g)
        return out
    # The key was in bounds when the element was read.
    places = _numbers(shape)[_without_masks(key)]
    return add_at(prod(shape), places.reshape(-1), g.reshape(-1)).reshape(shape)


def add_at(size: int, places: Any, values: Any) -> Any:
    """Sums of values by place."""
    if not size or not values.size:
        return cupy.zeros(size, values.dtype)
    dtype = values.dtype
    if dtype.kind == "c":
        parts = values.view(dtype.char.lower()).reshape(-1, 2)
        both = [add_at(size, places, parts[:, part]) for part in (0, 1)]
        return cupy.stack(both, -1).reshape(-1).view(dtype)
    if dtype.itemsize == 8 and dtype.kind == "i":
        return add_at(size, places, values.view(np.uint64)).view(dtype)  # sums modulo 2**64 are the same
    wide = values.astype(_ADDED.get(dtype.name, dtype), copy=False)
    out = cupy.zeros(size, wide.dtype)
    cupyx.scatter_add(out, places, wide)
    return out.astype(dtype, copy=False)


#: In which data type CuPy can add up others at indices.
_ADDED = {"bool": "int32", "int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32"}
_ADDED |= {"float16": "float32", "bfloat16": "float32"}


def checked(x: Any, key: Any) -> Any:
    """The key without masks beside other arrays, and with integers in bounds; IndexError if they are not."""
    key = _without_masks(key)
    parts = key if type(key) is tuple else (key,)
    axis, rest = 0, x.ndim - sum(_axes(part) for part in parts if part is not Ellipsis)
    for part in parts:
        if part is Ellipsis:
            axis += rest
            continue
        if isinstance(part, cupy.ndarray) and part.dtype.kind in "iu" and axis < x.ndim:
            check_bounds(part, x.shape[axis])
        axis += _axes(part)
    return key


def _without_masks(key: Any) -> Any:
    """The key with the indices of masks in their place, unless there is one mask and nothing else."""
    if type(key) is not tuple or not _has_arrays(key):
        return key
    arrays = [part for part in key if isinstance(part, cupy.ndarray)]
    if len(arrays) == 1 or not any(part.dtype.kind == "b" for part in arrays):
        return key
    parts: list[Any] = []
    for part in key:
        if not isinstance(part, cupy.ndarray) or part.dtype.kind != "b":
            parts.append(part)
        elif part.ndim:
            parts.extend(cupy.nonzero(part))
        else:  # True is one more axis of length 1, False of length 0
            parts.extend((None, cupy.zeros(int(part), np.int64)))
    return tuple(parts)


def _numbers(shape: tuple[int, ...]) -> Any:
    return cupy.arange(prod(shape)).reshape(shape)


def _axes_of(places: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The index along each axis of row-major numbers."""
    indices = []
    for length in reversed(shape):
        indices.append(places % length)
        places = places // length
    return tuple(reversed(indices))


def _has_arrays(key: Any) -> bool:
    return any(isinstance(part, cupy.ndarray) for part in (key if type(key) is tuple else (key,)))


def _has_integers(key: Any) -> bool:
    parts = key if type(key) is tuple else (key,)
    arrays = [part for part in parts if isinstance(part, cupy.ndarray)]
    return len(arrays) > 1 or any(part.dtype.kind != "b" for part in arrays)


def _axes(part: Any) -> int:
    """How many axes a part of a key stands for."""
    if part is None:
        return 0
    return part.ndim if isinstance(part, cupy.ndarray) and part.dtype.kind == "b" else 1
