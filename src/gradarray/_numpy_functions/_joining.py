"""NumPy's functions that join arrays, split them, repeat them and pad them."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._shapes import _at_least
from ._table import array, cast, host, implements, normal_axis, numbers_like, placed, written

# --- joining ---------------------------------------------------------------------------------------------------------


def _joined(arrays: list[Array], axis: Any, out: Any, dtype: Any, casting: str, name: str) -> Any:
    if dtype is not None:
        arrays = [cast(x, dtype, casting, name) for x in arrays]
    return written(ga.concat(arrays, axis=axis), out, name, casting)


@implements("concatenate", "concat")
def _concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    return _joined([array(x) for x in arrays], axis, out, dtype, casting, "concatenate")


@implements("stack")
def _stack(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    parts = [cast(x, dtype, casting, "stack") if dtype is not None else array(x) for x in arrays]
    return written(ga.stack(parts, axis=axis), out, "stack", casting)


def _each(ndim: int, tup: Any) -> list[Array]:
    found = [_at_least(ndim, [x]) for x in tup]
    if not found:
        raise _errors.ArgumentValueError("numpy.stack(): there are no arrays\nFix: pass at least one")
    return found


@implements("hstack")
def _hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    parts = _each(1, tup)
    return _joined(parts, 0 if parts[0].ndim == 1 else 1, None, dtype, casting, "hstack")


@implements("vstack")
def _vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    return _joined(_each(2, tup), 0, None, dtype, casting, "vstack")


@implements("dstack")
def _dstack(tup: Any) -> Any:
    return ga.concat(_each(3, tup), axis=2)


@implements("column_stack")
def _column_stack(tup: Any) -> Any:
    parts = _each(1, tup)
    return ga.concat([ga.expand_dims(x, axis=1) if x.ndim == 1 else x for x in parts], axis=1)


@implements("append")
def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    return ga.concat([array(arr), array(values)], axis=axis)


@implements("block")
def _block(arrays: Any) -> Any:
    def depth_of(part: Any) -> int:
        if not isinstance(part, list):
            return 0
        if not part:
            raise _errors.ArgumentValueError("numpy.block(): a list is empty\nFix: leave it out")
        depths = {depth_of(each) for each in part}
        if len(depths) > 1:
            raise _errors.ArgumentValueError("numpy.block(): the lists are of different depths\nFix: nest all alike")
        return 1 + depths.pop()

    def leaves(part: Any) -> Any:
        return [leaf for each in part for leaf in leaves(each)] if isinstance(part, list) else [array(part)]

    depth = depth_of(arrays)
    ndim = builtins.max(depth, *[x.ndim for x in leaves(arrays)])

    def joined(part: Any, level: int) -> Array:
        if not isinstance(part, list):
            x = array(part)
            return ga.reshape(x, (1,) * (ndim - x.ndim) + x.shape)
        return ga.concat([joined(each, level - 1) for each in part], axis=-level)

    found = joined(arrays, depth)
    return ga.asarray(found, copy=True) if depth == 0 else found


@implements("insert")
def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    x = array(arr)
    if axis is None:
        x, axis = ga.reshape(x, (-1,)), 0
    axis = normal_axis(axis, x.ndim)
    value = ga.astype(array(values), x.dtype, copy=False)
    length = x.shape[axis]
    index = np.arange(length)[obj] if isinstance(obj, slice) else host(obj)
    index = np.flatnonzero(index) if index.dtype == bool else index.astype(int) if index.size == 0 else index
    if value.ndim < x.ndim:
        value = ga.reshape(value, (1,) * (x.ndim - value.ndim) + value.shape)
    if index.size == 1 and not isinstance(obj, slice):
        # One place for all new elements. For a bare number they come without the axis, or with it first.
        value = ga.moveaxis(value, 0, axis) if index.ndim == 0 else value
        index = np.full(value.shape[axis], int(index.item()))
    count = int(index.size)
    new = ga.broadcast_to(value, (*x.shape[:axis], count, *x.shape[axis + 1 :]))
    # NumPy itself says which elements come where, the new ones numbered from the end of the old.
    places = np.insert(np.arange(length), index, np.arange(length, length + count))
    return ga.take(ga.concat([x, new], axis=axis), placed(places, x), axis=axis)


@implements("delete")
def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    x = array(arr)
    if axis is None:
        x, axis = ga.reshape(x, (-1,)), 0
    axis = normal_axis(axis, x.ndim)
    kept = np.delete(np.arange(x.shape[axis]), obj if isinstance(obj, (slice, int)) else host(obj))
    return ga.take(x, placed(kept, x), axis=axis)


# --- splitting -------------------------------------------------------------------------------------------------------


def _parts(x: Array, indices_or_sections: Any, axis: int, *, even: bool) -> list[Array]:
    length = x.shape[axis]
    if np.ndim(indices_or_sections):
        ends = [0, *[int(end) for end in indices_or_sections], length]
    else:
        sections = int(indices_or_sections)
        if sections <= 0 or (even and length % sections):
            raise _errors.ArgumentValueError(
                f"numpy.split(): an axis of length {length} does not split into {sections}\nFix: use array_split"
            )
        each, more = divmod(length, sections)
        ends = np.cumsum([0] + more * [each + 1] + (sections - more) * [each]).tolist()
    before = (slice(None),) * axis
    return [x[(*before, slice(start, stop))] for start, stop in pairwise(ends)]


@implements("split")
def _split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    x = array(ary)
    return _parts(x, indices_or_sections, normal_axis(axis, x.ndim), even=True)


@implements("array_split")
def _array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    x = array(ary)
    return _parts(x, indices_or_sections, normal_axis(axis, x.ndim), even=False)


@implements("hsplit")
def _hsplit(ary: Any, indices_or_sections: Any) -> Any:
    x = array(ary)
    return _split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


@implements("vsplit")
def _vsplit(ary: Any, indices_or_sections: Any) -> Any:
    x = array(ary)
    if x.ndim < 2:
        raise _errors.ShapeError(
            _errors.message("numpy.vsplit", "it needs two axes or more", [("ary", x)], "use split")
        )
    return _split(x, indices_or_sections, 0)


@implements("dsplit")
def _dsplit(ary: Any, indices_or_sections: Any) -> Any:
    return _split(ary, indices_or_sections, 2)


@implements("unstack")
def _unstack(x: Any, /, *, axis: Any = 0) -> Any:
    return ga.unstack(array(x), axis=axis)


# --- repeating -------------------------------------------------------------------------------------------------------


@implements("tile")
def _tile(A: Any, reps: Any) -> Any:
    counts = (int(reps),) if np.ndim(reps) == 0 else tuple([int(count) for count in reps])
    return ga.tile(array(A), counts)


@implements("repeat")
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    x = array(a)
    if isinstance(repeats, (list, tuple)):
        repeats = ga.asarray(repeats, dtype=ga.int64)
    return ga.repeat(x, repeats, axis=axis)


@implements("lib.stride_tricks.sliding_window_view")
def _sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    x = array(x)
    lengths = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [normal_axis(each, x.ndim) for each in axes]
    if len(lengths) != len(axes):
        raise _errors.ArgumentValueError(
            "numpy.sliding_window_view(): there must be a length for each axis\nFix: pass as many lengths as axes"
        )
    ndim = x.ndim
    for length, each in zip(lengths, axes, strict=True):
        count = x.shape[each] - length + 1
        if length < 0 or count < 1:
            raise _errors.ArgumentValueError(
                f"numpy.sliding_window_view(): no window of {length} fits into {x.shape[each]}\nFix: pass a shorter one"
            )
        index = np.arange(count)[:, None] + np.arange(length)
        windows = ga.take(x, placed(np.reshape(index, -1), x), axis=each)
        windows = ga.reshape(windows, (*x.shape[:each], count, length, *x.shape[each + 1 :]))
        x = ga.moveaxis(windows, each + 1, -1)
    assert x.ndim == ndim + len(axes)
    return x


# --- padding ---------------------------------------------------------------------------------------------------------

_STATISTICS: dict[str, Callable[..., Array]] = {
    "maximum": ga.max,
    "minimum": ga.min,
    "mean": ga.mean,
    "median": ga.median,
}
#: Modes that copy elements: which ones, NumPy's own function says of their numbers.
_COPYING = frozenset(("edge", "reflect", "symmetric", "wrap"))


def _pairs(value: Any, ndim: int) -> list[tuple[Any, Any]]:
    """A number, a pair or a pair for each axis, as pairs for each axis."""
    if isinstance(value, Array):
        value = value if value.ndim == 0 else list(value)
    if isinstance(value, dict):
        pairs: list[tuple[Any, Any]] = [(0, 0)] * ndim
        for axis, pair in value.items():
            pairs[axis] = tuple(pair) if isinstance(pair, (tuple, list)) else (pair, pair)
        return pairs
    if not isinstance(value, (tuple, list, np.ndarray)) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return [(value, value)] * ndim
    parts = list(value)
    if not any(isinstance(part, (tuple, list)) or np.ndim(part) for part in parts):
        return [(parts[0], parts[-1])] * ndim
    rows = [tuple(part) if np.ndim(part) or isinstance(part, (tuple, list)) else (part,) for part in parts]
    rows = rows * ndim if len(rows) == 1 else rows
    if len(rows) != ndim:
        raise _errors.ShapeError(f"numpy.pad(): there are {len(rows)} pairs for {ndim} axes\nFix: pass one for each")
    return [(row[0], row[-1]) for row in rows]


@implements("pad")
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    if callable(mode):
        return NotImplemented
    x = _array(array)
    allowed = {
        "constant": {"constant_values"},
        "linear_ramp": {"end_values"},
        "reflect": {"reflect_type"},
        "symmetric": {"reflect_type"},
        **{name: {"stat_length"} for name in _STATISTICS},
    }.get(mode, set())
    if mode not in ("empty", "edge", "wrap") and not allowed:
        raise _errors.ArgumentValueError(f"numpy.pad(): there is no mode {mode!r}\nFix: use one of NumPy's")
    if set(kwargs) - allowed:
        raise _errors.ArgumentValueError(f"numpy.pad(): mode {mode!r} takes no {sorted(kwargs)}\nFix: leave it out")
    (parameter,) = kwargs.values() or (0 if mode != "reflect" and mode != "symmetric" else "even",)
    parameters = _pairs(None if mode in _STATISTICS and not kwargs else parameter, x.ndim)
    for axis, (before, after) in enumerate(_pairs(pad_width, x.ndim)):
        before, after = int(before), int(after)
        if before < 0 or after < 0:
            raise _errors.ArgumentValueError("numpy.pad(): a width is negative\nFix: pass 0 and more")
        if before or after:
            x = _padded(x, axis, before, after, mode, parameters[axis])
    return ga.asarray(x, copy=True) if x is array else x


_array = array


def _padded(x: Array, axis: int, before: int, after: int, mode: str, parameters: tuple[Any, Any]) -> Array:
    length = x.shape[axis]
    if mode in _COPYING and parameters[0] != "odd":
        places = np.pad(np.arange(length), (before, after), mode=mode)  # type: ignore[call-overload]
        return ga.take(x, placed(places, x), axis=axis)
    if mode in _COPYING:
        # Mirrored at the edge elements, in their values too: a linear map, whose matrix is that of the unit vectors.
        matrix = np.pad(np.eye(length), ((before, after), (0, 0)), mode=mode, reflect_type="odd")  # type: ignore[call-overload]
        found = ga.tensordot(ga.astype(numbers_like(matrix, x), x.dtype, copy=False), x, axes=((1,), (axis,)))
        return ga.moveaxis(found, 0, axis)
    parts = [x]
    if before:
        parts.insert(0, _border(x, axis, before, mode, parameters[0], first=True))
    if after:
        parts.append(_border(x, axis, after, mode, parameters[1], first=False))
    return ga.concat([ga.astype(part, x.dtype, copy=False) for part in parts], axis=axis)


def _border(x: Array, axis: int, width: int, mode: str, parameter: Any, *, first: bool) -> Array:
    shape = (*x.shape[:axis], width, *x.shape[axis + 1 :])
    all_before = (slice(None),) * axis
    if mode == "empty":
        return ga.zeros(shape, dtype=x.dtype)
    if mode == "constant":
        return ga.broadcast_to(_in_dtype(parameter, x), shape)
    length = x.shape[axis]
    if mode == "linear_ramp":
        edge = x[(*all_before, slice(0, 1) if first else slice(length - 1, length))]
        steps = np.arange(width) if first else np.arange(width)[::-1]
        view = [1] * x.ndim
        view[axis] = width
        weights = numbers_like(np.reshape(steps / width, view), x)
        end = array_or_number(parameter)
        ramp = end + (edge - end) * weights
        return ga.floor(ramp) if x.dtype.kind in "iu" and ramp.dtype.kind == "f" else ramp
    count = length if parameter is None else builtins.min(int(parameter), length)
    part = x[(*all_before, slice(0, count) if first else slice(length - count, length))]
    if x.dtype.kind in "iu" and mode in ("mean", "median"):
        part = ga.astype(part, ga.float64)
    found = _STATISTICS[mode](part, axis=axis, keepdims=True)
    return ga.broadcast_to(ga.round(found) if x.dtype.kind in "iu" and found.dtype.kind == "f" else found, shape)


def array_or_number(x: Any) -> Any:
    """`x`, a number as it is."""
    return x if type(x) in (bool, int, float, complex) else _array(x)


def _in_dtype(value: Any, x: Array) -> Array:
    return ga.astype(_array(value), x.dtype, copy=False)


@implements("trim_zeros")
def _trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    x = array(filt)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    there = host(x) != 0
    key: list[Any] = [slice(None)] * x.ndim
    for each in axes:
        each = normal_axis(each, x.ndim)
        found = np.flatnonzero(np.any(there, axis=tuple([other for other in range(x.ndim) if other != each])))
        start, stop = (int(found[0]), int(found[-1]) + 1) if found.size else (x.shape[each], x.shape[each])
        if not found.size and "f" not in trim.lower():
            start = stop = 0
        key[each] = slice(start if "f" in trim.lower() else 0, stop if "b" in trim.lower() else x.shape[each])
    return x[tuple(key)]
