"""NumPy's functions that choose elements, and those that write them in place."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._table import (
    array,
    cast,
    host,
    implements,
    is_complex,
    lost,
    mask,
    normal_axis,
    operand,
    placed,
    tracked,
    written,
)

# --- by conditions ---------------------------------------------------------------------------------------------------


@implements("where")
def _where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    chosen = mask(condition)
    if x is None and y is None:
        return ga.nonzero(chosen)
    if x is None or y is None:
        raise _errors.ArgumentValueError("numpy.where(): one of x and y is missing\nFix: pass both or neither")
    first, second = operand(x), operand(y)
    if type(first) is type(second) is Array or type(first) is Array or type(second) is Array:
        return ga.where(chosen, first, second)
    return ga.where(chosen, array(x), array(y))


@implements("select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist) or not len(condlist):
        raise _errors.ArgumentValueError("numpy.select(): conditions and choices are not as many\nFix: pass pairs")
    found = operand(default)
    for condition, choice in builtins.reversed(list(zip(condlist, choicelist, strict=True))):
        found = _where(condition, choice, found)
    return found


@implements("piecewise")
def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    x = array(x)
    single = not isinstance(condlist, (list, tuple)) and np.ndim(condlist) == x.ndim
    if isinstance(condlist, (list, tuple)) and condlist and not isinstance(condlist[0], (list, tuple)):
        single = np.ndim(condlist[0]) == 0 and x.ndim != 0
    conditions = [mask(condition) for condition in ([condlist] if single else condlist)]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise _errors.ArgumentValueError(
            "numpy.piecewise(): there must be a function for each condition, or one more\nFix: pass as many"
        )
    found = ga.zeros_like(x)
    last = funclist[len(conditions)] if len(funclist) > len(conditions) else None
    rest = ~_union(conditions, x)
    for condition, function in [
        *zip(conditions, funclist, strict=False),
        *([(rest, last)] if last is not None else []),
    ]:
        # Elsewhere the function is not asked: it may not be defined there.
        value = function(_only(x, condition), *args, **kw) if callable(function) else operand(function)
        found = _put_where(found, condition, value)
    return found


def _union(conditions: list[Array], x: Array) -> Array:
    found = ga.zeros(x.shape, dtype=ga.bool)
    for condition in conditions:
        found = found | condition
    return found


def _only(x: Array, condition: Array) -> Array:
    return ga.reshape(x, (1,))[ga.reshape(condition, (1,))] if x.ndim == 0 else x[condition]


def _put_where(x: Array, condition: Array, value: Any) -> Array:
    """`x` with values in the place of the elements that a condition picks, in order."""
    if type(value) is not Array or value.ndim == 0:
        return ga.where(condition, _like(value, x), x)
    flat = ga.reshape(condition, (-1,))
    picks = ga.cumulative_sum(ga.astype(flat, ga.int64)) - 1
    if not value.shape[0]:
        return x
    chosen = ga.take(_like(value, x), ga.maximum(picks, 0), axis=0)
    return ga.where(condition, ga.reshape(chosen, x.shape), x)


def _like(value: Any, x: Array) -> Array:
    return cast(value, x.dtype, "unsafe")  # type: ignore[no-any-return]


@implements("choose")
def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    number = len(choices)
    index = host(a)
    if mode == "raise":
        if index.size and (index.min() < 0 or index.max() >= number):
            raise _errors.ArgumentValueError(
                f"numpy.choose(): a number is not within 0 to {number - 1}\nFix: mode='clip'"
            )
    else:
        index = index % number if mode == "wrap" else np.clip(index, 0, number - 1)
    parts = ga.broadcast_arrays(*[array(choice) for choice in choices], placed(np.array(index), _like_of(a, choices)))
    found = parts[0]
    for position in range(1, number):
        found = ga.where(parts[-1] == position, parts[position], found)
    return written(found, out, "choose")


def _like_of(*operands: Any) -> Array:
    from ._table import first_array

    found = first_array(*operands)
    assert found is not None
    return found


@implements("compress")
def _compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    x = array(a)
    if axis is None:
        x, axis = ga.reshape(x, (-1,)), 0
    places = np.flatnonzero(host(condition))
    return written(ga.take(x, placed(places, x), axis=normal_axis(axis, x.ndim)), out, "compress")


@implements("extract")
def _extract(condition: Any, arr: Any) -> Any:
    x = ga.reshape(array(arr), (-1,))
    return ga.take(x, placed(np.flatnonzero(host(condition)), x), axis=0)


# --- by indices ------------------------------------------------------------------------------------------------------


def _indices(indices: Any, length: int, mode: str) -> Array:
    index = array(indices)
    if index.dtype.kind == "b" or (index.size == 0 and index.dtype.kind == "f"):
        index = ga.astype(index, ga.int64)
    if mode == "wrap":
        return index % length
    return ga.clip(index, 0, length - 1) if mode == "clip" else index


@implements("take")
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    x = array(a)
    if axis is None:
        x, axis = ga.reshape(x, (-1,)), 0
    axis = normal_axis(axis, x.ndim)
    index = _indices(indices, x.shape[axis], mode)
    found = ga.take(x, ga.reshape(index, (-1,)), axis=axis)
    return written(ga.reshape(found, (*x.shape[:axis], *index.shape, *x.shape[axis + 1 :])), out, "take")


@implements("take_along_axis")
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    x, index = array(arr), array(indices)
    if axis is None:
        return ga.take_along_axis(ga.reshape(x, (-1,)), index, axis=0)
    return ga.take_along_axis(x, index, axis=axis)


@implements("diag")
def _diag(v: Any, k: int = 0) -> Any:
    return ga.diag(array(v), k)


@implements("diagflat")
def _diagflat(v: Any, k: int = 0) -> Any:
    return ga.diag(ga.reshape(array(v), (-1,)), k)


def _matrix(m: Any) -> Array:
    # Of a vector NumPy makes a matrix whose rows it is.
    x = array(m)
    return ga.broadcast_to(x, (x.shape[0], x.shape[0])) if x.ndim == 1 else x


@implements("tril")
def _tril(m: Any, k: int = 0) -> Any:
    return ga.tril(_matrix(m), k=k)


@implements("triu")
def _triu(m: Any, k: int = 0) -> Any:
    return ga.triu(_matrix(m), k=k)


@implements("ix_")
def _ix_(*args: Any) -> Any:
    like = _like_of(args)
    return tuple([placed(np.array(each), like) for each in np.ix_(*[host(x) for x in args])])


# --- values ----------------------------------------------------------------------------------------------------------


@implements("clip")
def _clip(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,  # noqa: A002 - NumPy's names
    max: Any = None,  # noqa: A002
    **kwargs: Any,
) -> Any:
    if kwargs:
        return NotImplemented
    found = array(a)
    low, high = a_min if min is None else min, a_max if max is None else max
    if low is not None:
        found = ga.maximum(found, operand(low))
    if high is not None:
        found = ga.minimum(found, operand(high))
    return written(found[...] if found is a else found, out, "clip")


@implements("round", "around")
def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    x = array(a)
    scale = 10.0 ** builtins.abs(int(decimals))
    if x.dtype.kind in "biu":
        found = x if decimals >= 0 else ga.astype(ga.round(x / scale) * scale, x.dtype)
    elif decimals == 0:
        found = ga.round(x)
    else:
        # Rounding has the derivative zero; what is around it must not be recorded either.
        x = x.detach()
        found = ga.round(x * scale) / scale if decimals > 0 else ga.round(x / scale) * scale
    return written(found, out, "round")


@implements("fix")
def _fix(x: Any, out: Any = None) -> Any:
    return written(ga.trunc(array(x)), out, "fix")


@implements("nan_to_num")
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    given = x
    x = array(x)
    if x.dtype.kind not in "fc":
        return ga.asarray(x, copy=True) if copy else x
    if is_complex(x):
        parts = [_nan_to_num(part, True, nan, posinf, neginf) for part in (ga.real(x), ga.imag(x))]
        found = parts[0] + parts[1] * 1j
    else:
        limits = ga.finfo(x.dtype)
        found = ga.where(ga.isnan(x), operand(nan), x)
        found = ga.where(x == math.inf, limits.max if posinf is None else operand(posinf), found)
        found = ga.where(x == -math.inf, limits.min if neginf is None else operand(neginf), found)
    if copy:
        return found
    _assigned("nan_to_num", given, ..., found)
    return given


# --- in place --------------------------------------------------------------------------------------------------------


def _assigned(name: str, target: Any, key: Any, value: Any) -> None:
    """``target[key] = value``, recorded if the target is an array of ours; refused if NumPy's would lose a history."""
    if isinstance(target, Array):
        target[key] = value
        return
    if tracked(value):
        raise lost(name, (target, value), "NumPy's array has no history to write a tracked value into")
    target[key] = host(value)


@implements("copyto")
def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> Any:
    value = array(src)
    if not isinstance(dst, Array):
        if value.requires_grad:
            raise lost("copyto", (dst, src), "NumPy's array has no history to write a tracked value into")
        np.copyto(dst, host(value), casting=casting, where=where if where is True else host(where))  # type: ignore[arg-type]
        return
    value = ga.broadcast_to(cast(value, dst.dtype, casting, "copyto"), dst.shape)
    dst[...] = value if where is True else ga.where(mask(where), value, dst)


@implements("fill_diagonal")
def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> Any:
    numbers = np.zeros(a.shape, dtype=bool)
    np.fill_diagonal(numbers, True, wrap=wrap)
    where = np.nonzero(numbers)
    value = array(val)
    if value.ndim:
        value = _tiled(ga.reshape(value, (-1,)), len(where[0]))
    _assigned("fill_diagonal", a, tuple([_index(each, a) for each in where]), value)


def _index(values: np.ndarray[Any, Any], like: Any) -> Any:
    return placed(values, like) if isinstance(like, Array) else values


def _tiled(x: Array, count: int) -> Array:
    """The elements of a vector over and over, as many as are needed."""
    return ga.tile(x, (-(-count // x.shape[0]),))[:count] if x.shape[0] and x.shape[0] != count else x


@implements("put")
def _put(a: Any, ind: Any, v: Any, mode: str = "raise") -> Any:
    index = np.reshape(host(ind), -1)
    size = math.prod(a.shape)
    index = index % size if mode == "wrap" else np.clip(index, 0, size - 1) if mode == "clip" else index
    if index.size and (index.min() < -size or index.max() >= size):
        raise _errors.IndexingError(f"numpy.put(): an index is out of range for {size} elements\nFix: use those within")
    where = np.unravel_index(index % size if size else index, a.shape)
    value = _tiled(ga.reshape(array(v), (-1,)), index.size)
    _assigned("put", a, tuple([_index(np.asarray(each), a) for each in where]), value)


@implements("putmask")
def _putmask(a: Any, /, mask: Any, values: Any) -> Any:
    return _put_by_mask("putmask", a, mask, values, in_turn=False)


@implements("place")
def _place(arr: Any, mask: Any, vals: Any) -> Any:
    return _put_by_mask("place", arr, mask, vals, in_turn=True)


def _put_by_mask(name: str, a: Any, chosen: Any, values: Any, *, in_turn: bool) -> None:
    places = np.nonzero(np.broadcast_to(host(chosen), a.shape))
    value = ga.reshape(array(values), (-1,))
    if not len(places[0]):
        return
    if in_turn:
        value = _tiled(value, len(places[0]))[: len(places[0])]
    else:
        # The values stand for all elements, those that the mask leaves out too.
        numbers = np.ravel_multi_index(places, a.shape) % value.shape[0]
        value = ga.take(value, placed(numbers, value), axis=0)
    _assigned(name, a, tuple([_index(each, a) for each in places]), value)


@implements("put_along_axis")
def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    index = host(indices)
    shape = arr.shape
    if axis is None:
        where = np.unravel_index(index, (math.prod(shape),))
        if len(shape) != 1:
            where = np.unravel_index(index, shape)
        _assigned("put_along_axis", arr, tuple([_index(np.asarray(each), arr) for each in where]), array(values))
        return
    axis = normal_axis(axis, len(shape))
    grid = list(np.ogrid[tuple([slice(length) for length in shape])])
    grid[axis] = index
    _assigned("put_along_axis", arr, tuple([_index(np.array(each), arr) for each in grid]), array(values))


# --- functions of slices ---------------------------------------------------------------------------------------------


@implements("apply_along_axis")
def _apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    x = array(arr)
    axis = normal_axis(axis, x.ndim)
    rows = ga.moveaxis(x, axis, -1)
    outer = rows.shape[:-1]
    if not math.prod(outer):
        raise _errors.ShapeError(_errors.message("numpy.apply_along_axis", "there are no slices", [("arr", x)]))
    found = [array(func1d(rows[place], *args, **kwargs)) for place in np.ndindex(*outer)]
    inner = found[0].shape
    whole = ga.reshape(ga.stack(found), (*outer, *inner))
    # The axes of each result stand where the slices were.
    front = tuple(range(len(outer)))
    return ga.permute_dims(whole, (*front[:axis], *range(len(outer), len(outer) + len(inner)), *front[axis:]))


@implements("apply_over_axes")
def _apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    x = array(a)
    for axis in axes if isinstance(axes, (tuple, list)) else np.reshape(axes, -1):
        axis = normal_axis(axis, array(a).ndim)
        found = array(func(x, axis))
        x = found if found.ndim == x.ndim else ga.expand_dims(found, axis=axis)
    return x


@implements("meshgrid")
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise _errors.ArgumentValueError(f'numpy.meshgrid(): indexing is {indexing!r}\nFix: pass "xy" or "ij"')
    ndim = len(xi)
    grids = []
    for position, each in enumerate(xi):
        x = array(each)
        place = 1 - position if indexing == "xy" and ndim > 1 and position < 2 else position
        grids.append(ga.reshape(x, (1,) * place + (x.size,) + (1,) * (ndim - place - 1)))
    return tuple(grids) if sparse else ga.broadcast_arrays(*grids)
