"""Indexing functions: the standard's chapter, and the keys of ``x[key]``."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from .. import _errors
from .._array import Array
from .._devices import Device
from .._dispatch import as_array, check_devices, run, translated, view
from .._kernels import is_basic
from ._extras import getitem
from .conversion import from_nested


# --- x[key] ----------------------------------------------------------------------------------------------------------


def get(x: Array, key: Any) -> Array:
    """``x[key]``: a view for slices, integers, Ellipsis and None; a new array for arrays of integers or booleans."""
    if type(key) is not int and type(key) is not slice:
        operands = key_operands(key)
        if operands:
            check_devices("getitem", [("x", x), *operands])
    raw = raw_key("getitem", x, key)
    if not is_basic(raw):
        return run(getitem, x, key=raw if x._node is None else frozen_key(x._device, raw))
    try:
        out = x._device.kernels[getitem](x._data, key=raw)
    except Exception as error:
        raise translated(error, getitem, (x,)) from error
    if type(out) is not x._device.array_type:
        # NumPy answers a full index with a scalar, which is a copy; an array of it is still a view.
        out = x._device.kernels[getitem](x._data, key=(*raw, ...) if type(raw) is tuple else (raw, ...))
    return view(getitem, out, x, {"key": raw})


def key_operands(key: Any) -> list[tuple[str, Any]]:
    """The arrays in a key, named for the check of devices."""
    parts = key if type(key) is tuple else (key,)
    return [
        (f"index[{position}]" if type(key) is tuple else "index", part)
        for position, part in enumerate(parts)
        if isinstance(part, (Array, np.ndarray))
    ]


def raw_key(op: str, x: Array, key: Any) -> Any:
    """A key as the backend takes it: static parts as Python's own, arrays raw."""
    kind = type(key)
    if kind is int or key is Ellipsis or key is None:
        return key
    if kind is tuple:
        return tuple([_raw_part(op, x, part) for part in key])
    return _raw_part(op, x, key)


def _raw_part(op: str, x: Array, part: Any) -> Any:
    if part is None or part is Ellipsis or type(part) is int:
        return part
    if isinstance(part, slice):
        return slice(*[_bound(op, x, bound) for bound in (part.start, part.stop, part.step)])
    if isinstance(part, (bool, np.bool_)):
        part = x._device.backend.from_numpy(np.asarray(part), (x._device.type, x._device.index), copy=True)
        return part
    if isinstance(part, np.integer):
        return int(part)
    if isinstance(part, list):
        part = from_nested(part, x._device)
        if part.size == 0:
            part = from_nested(part.tolist(), x._device, np.dtype("int64"))
    if isinstance(part, Array):
        _check_index_dtype(op, x, part)
        return part._data
    if isinstance(part, np.ndarray):
        wrapped = as_array(getitem, part)
        _check_index_dtype(op, x, wrapped)
        return wrapped._data
    try:
        return index(part)
    except TypeError:
        raise _bad_index(op, x, part) from None


def _check_index_dtype(op: str, x: Array, part: Array) -> None:
    if part.dtype.kind not in "iub":
        raise _bad_index(op, x, part)


def _bad_index(op: str, x: Array, part: Any) -> _errors.IndexingError:
    return _errors.IndexingError(
        _errors.message(
            op,
            "an index must be an integer, a slice, Ellipsis, None, or an array of integers or booleans",
            [("x", x), ("index", part)],
            "gradarray.astype(index, gradarray.int64) if its values are whole numbers",
        )
    )


def _bound(op: str, x: Array, bound: Any) -> int | None:
    if bound is None:
        return None
    try:
        return index(bound)
    except TypeError:
        raise _bad_index(op, x, bound) from None


def frozen_key(device: Device, raw: Any) -> Any:
    """A raw key whose arrays nobody else writes into: what a recorded operation may keep."""
    if type(raw) is tuple:
        return tuple([frozen_key(device, part) for part in raw])
    return device.backend.copy(raw) if type(raw) is device.array_type else raw
