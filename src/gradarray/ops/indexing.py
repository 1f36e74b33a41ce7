"""Indexing functions: the standard's chapter, and the keys of ``x[key]``."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from .. import _errors
from .._array import Array
from .._devices import Device
from .._dispatch import as_array, check_devices, finish, foreign, run, translated, unwrap, view, wrap
from .._dtypes import uint64
from .._kernels import is_basic
from .._operations import derivative
from ._arguments import axis_of, default_dtype
from ._extras import getitem
from .conversion import from_nested
from .data_type import astype
from .statistical import max as largest
from .statistical import min as smallest

# --- x[key] ----------------------------------------------------------------------------------------------------------


def get(x: Array, key: Any) -> Array:
    """``x[key]``: a view for slices, integers, Ellipsis and None; a new array for arrays of integers or booleans."""
    raw = key
    forward = type(key) is int or (type(key) is slice and key.step is None)
    if type(key) is not int and not (type(key) is slice and _is_plain(key)):
        operands = key_operands(key)
        if operands:
            check_devices("getitem", [("x", x), *operands])
        raw = raw_key("getitem", x, key)
        if not is_basic(raw):
            return run(getitem, x, key=raw if x._node is None else frozen_key(x._device, raw))
    device = x._device
    try:
        out = device.kernels[getitem](x._data, key=raw)
    except Exception as error:
        raise translated(error, getitem, (x,)) from error
    if type(out) is not device.array_type:
        # NumPy answers a full index with a scalar, which is a copy; an array of it is still a view.
        raw = (*raw, ...) if type(raw) is tuple else (raw, ...)
        out = device.kernels[getitem](x._data, key=raw)
    backend = device.backend
    if not (forward or backend.reverses or backend.immutable) and not backend.shares_memory(out, x._data):
        return finish(getitem, out, device, (x._data,), (x._node,), {"key": raw})
    return view(getitem, out, x, {"key": raw})


_PLAIN = frozenset((int, type(None)))


def _is_plain(key: slice) -> bool:
    """Whether a slice has Python's own integers only."""
    return type(key.start) in _PLAIN and type(key.stop) in _PLAIN and type(key.step) in _PLAIN


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
        return x._device.backend.from_numpy(np.asarray(part), (x._device.type, x._device.index), copy=True)
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


# --- take ------------------------------------------------------------------------------------------------------------


def _take_x(xp: Any, g: Any, indices: Any, like: Any, *, axis: int) -> Any:
    rest = len(like.shape) - axis - 1
    places = xp.reshape(indices, (1,) * axis + tuple(indices.shape) + (1,) * rest)
    return xp.scatter_along_axis(g, places, like=like, axis=axis)


@derivative(x=_take_x, kind="linear", masks=True)
def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """Elements of an array at indices along one axis.

    Parameters
    ----------
    x : Array
        Array of one or more axes.
    indices : Array
        1-D integer array; negative indices count from the end.
    axis : int, optional
        Axis along which to take; may be left out for a 1-D array.

    Returns
    -------
    Array
        Array of the shape of `x` but for the axis, which is as long as `indices`.

    Raises
    ------
    AxisError
        If there is no such axis, or none is given and `x` is not 1-D.
    DTypeError
        If `indices` does not hold integers.
    IndexingError
        If an index is out of range.
    ShapeError
        If `indices` is not 1-D.

    Notes
    -----
    Standard: Indexing functions, ``take``.
    """
    device, raws, _ = unwrap(take, (x, indices))
    x = as_array(take, x)
    picks = _integers(take, device, indices, raws[1])
    if picks.ndim != 1:
        fix = "take from gradarray.reshape(indices, (-1,)), or use x[indices]"
        raise _errors.ShapeError(_errors.message("take", "indices must be 1-D", [("x", x), ("indices", indices)], fix))
    if axis is None and x.ndim != 1:
        raise _errors.AxisError(
            _errors.message("take", "axis may be left out for a 1-D array only", [("x", x)], "pass axis=")
        )
    position = 0 if axis is None else axis_of(take, x, axis)
    return run(take, x, _within(take, x, picks, position), axis=position)


@derivative(
    x=lambda xp, g, indices, like, *, axis: xp.scatter_along_axis(g, indices, like=like, axis=axis),
    kind="linear",
    masks=True,
)
def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Elements of an array at indices along one axis, chosen anew for each position of the other axes.

    Parameters
    ----------
    x : Array
        Array of one or more axes.
    indices : Array
        Integer array of as many axes; negative indices count from the end. Outside the axis, the shapes broadcast.
    axis : int, default: -1
        Axis along which to take.

    Returns
    -------
    Array
        Array of the common shape, along the axis as long as `indices`.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `indices` does not hold integers.
    IndexingError
        If an index is out of range.
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Standard: Indexing functions, ``take_along_axis``.
    """
    device, raws, _ = unwrap(take_along_axis, (x, indices))
    x = as_array(take_along_axis, x)
    picks = _integers(take_along_axis, device, indices, raws[1])
    position = axis_of(take_along_axis, x, axis)
    fits = all(
        1 in (length, other) or length == other or number == position
        for number, (length, other) in enumerate(zip(x.shape, picks.shape, strict=False))
    )
    if picks.ndim != x.ndim or not fits:
        raise _errors.ShapeError(
            _errors.message(
                "take_along_axis",
                "indices must have as many axes as x, and fit its shape outside the axis",
                [("x", x), ("indices", indices)],
                "reshape the indices, or use take for the same ones everywhere",
            )
        )
    return run(take_along_axis, x, _within(take_along_axis, x, picks, position), axis=position)


def _integers(op: Callable[..., Any], device: Device, indices: Any, raw: Any) -> Array:
    if type(raw) is not device.array_type:
        raise foreign(op, "indices", indices)
    picks = indices if type(indices) is Array else wrap(raw, device)
    if picks.dtype.kind not in "iu":
        fix = "gradarray.astype(indices, gradarray.int64) if its values are whole numbers"
        raise _errors.DTypeError(_errors.message(op.__name__, "indices must be integers", [("indices", indices)], fix))
    return picks


def _range_of(indices: Array) -> tuple[int, int]:
    """The smallest and the largest of some indices."""
    device = indices._device
    if device.type != "cpu":
        return int(smallest(indices)), int(largest(indices))  # only these two numbers come to the host
    host = device.backend.to_numpy(indices._data, copy=None)
    return int(np.minimum.reduce(host, axis=None)), int(np.maximum.reduce(host, axis=None))


def _within(op: Callable[..., Any], x: Array, indices: Array, axis: int) -> Array:
    """The indices as kernels take them, after a check that none is out of range."""
    device = x._device
    wide = indices.dtype == uint64
    # NumPy's own kernels check; other libraries clamp, wrap around or read elsewhere. Deferred values stay deferred.
    if (wide or device.array_type is not np.ndarray) and indices.size and not device.backend.is_lazy:
        length = x.shape[axis]
        low, high = _range_of(indices)
        if low < -length or high >= length:
            raise _errors.IndexingError(
                _errors.message(
                    op.__name__,
                    f"index {high if high >= length else low} is out of range for axis {axis} of length {length}",
                    [("x", x), ("indices", indices)],
                    "use indices within the shape",
                )
            )
    return astype(indices, default_dtype(device, "indexing")) if wide else indices
