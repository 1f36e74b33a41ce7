"""NumPy's sums, products, extremes and moments, with ``where=``, ``initial=`` and ``out=``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from .._array import Array
from ._table import array, cast, floating, host, implements, is_complex, mask, normal_axes, placed, written

# --- sums, products and truths ---------------------------------------------------------------------------------------


def _only(x: Array, where: Any, neutral: Any) -> Array:
    """`x` with a neutral element in the place of what `where` leaves out."""
    return x if where is True else ga.where(mask(where), x, neutral)


def _initial(value: Any, like: Array) -> Any:
    """The start of a reduction, which does not change its data type."""
    if like.dtype.kind in "iu" and type(value) is not Array:
        return int(value)
    return bool(value) if like.dtype.kind == "b" and type(value) is not Array else value


@implements("sum")
def _sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    found = ga.sum(_only(array(a), where, 0), axis=axis, dtype=dtype, keepdims=bool(keepdims))
    return written(found if initial is None else found + _initial(initial, found), out, "sum")


@implements("prod")
def _prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    found = ga.prod(_only(array(a), where, 1), axis=axis, dtype=dtype, keepdims=bool(keepdims))
    return written(found if initial is None else found * _initial(initial, found), out, "prod")


@implements("all")
def _all(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Any:
    x = array(a) if where is True else mask(a)
    return written(ga.all(_only(x, where, True), axis=axis, keepdims=bool(keepdims)), out, "all")


@implements("any")
def _any(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Any:
    x = array(a) if where is True else mask(a)
    return written(ga.any(_only(x, where, False), axis=axis, keepdims=bool(keepdims)), out, "any")


@implements("cumsum")
def _cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return written(ga.cumsum(array(a), axis, dtype), out, "cumsum")


@implements("cumprod")
def _cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return written(ga.cumprod(array(a), axis, dtype), out, "cumprod")


@implements("cumulative_sum")
def _cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    found = ga.cumulative_sum(array(x), axis=axis, dtype=dtype, include_initial=include_initial)
    return written(found, out, "cumulative_sum")


@implements("cumulative_prod")
def _cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    found = ga.cumulative_prod(array(x), axis=axis, dtype=dtype, include_initial=include_initial)
    return written(found, out, "cumulative_prod")


# --- extremes --------------------------------------------------------------------------------------------------------


def reduced_shape(x: Array, axis: Any, keepdims: bool) -> tuple[int, ...]:
    """The shape of a reduction of an array."""
    axes = range(x.ndim) if axis is None else normal_axes(axis, x.ndim)
    kept = [1 if number in axes else length for number, length in enumerate(x.shape)]
    return tuple([length for number, length in enumerate(kept) if keepdims or number not in axes])


def _extreme(
    name: str,
    function: Callable[..., Array],
    pair: Callable[..., Array],
    a: Any,
    axis: Any,
    out: Any,
    keepdims: Any,
    initial: Any,
    where: Any,
) -> Any:
    x = array(a)
    if is_complex(x):
        return NotImplemented
    if where is not True:
        if initial is None:
            raise _errors.ArgumentValueError(
                f"numpy.{name}(): with where= there may be no elements at all\nFix: pass initial="
            )
        x = ga.where(mask(where), x, _initial(initial, x))
    if x.dtype == _dtypes.bool:
        found = (ga.any if function is ga.max else ga.all)(x, axis=axis, keepdims=bool(keepdims))
        # Of no elements at all any() and all() have an answer; a largest there is none.
        if initial is None and x.size == 0 and 0 not in found.shape:
            function(x, axis=axis, keepdims=bool(keepdims))
    elif initial is not None and x.size == 0:
        return written(ga.full(reduced_shape(x, axis, bool(keepdims)), initial, dtype=x.dtype), out, name)
    else:
        found = function(x, axis=axis, keepdims=bool(keepdims))
    if initial is None:
        return written(found, out, name)
    if found.dtype == _dtypes.bool:
        pair = ga.logical_or if function is ga.max else ga.logical_and
    return written(pair(found, _initial(initial, found)), out, name)


@implements("max", "amax")
def _max(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    return _extreme("max", ga.max, ga.maximum, a, axis, out, keepdims, initial, where)


@implements("min", "amin")
def _min(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    return _extreme("min", ga.min, ga.minimum, a, axis, out, keepdims, initial, where)


@implements("ptp")
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    largest, smallest = [_extreme("ptp", f, f, a, axis, None, keepdims, None, True) for f in (ga.max, ga.min)]
    return NotImplemented if largest is NotImplemented else written(largest - smallest, out, "ptp")


def _place_of(name: str, function: Callable[..., Array], a: Any, axis: Any, out: Any, keepdims: Any) -> Any:
    x = array(a)
    if is_complex(x):
        return written(placed(np.asarray(getattr(np, name)(host(x), axis=axis, keepdims=keepdims)), x), out, name)
    if x.dtype == _dtypes.bool:
        x = ga.astype(x, ga.uint8)
    return written(function(x, axis=axis, keepdims=bool(keepdims)), out, name)


@implements("argmax")
def _argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
    return _place_of("argmax", ga.argmax, a, axis, out, keepdims)


@implements("argmin")
def _argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
    return _place_of("argmin", ga.argmin, a, axis, out, keepdims)


# --- moments ---------------------------------------------------------------------------------------------------------


def _count(x: Array, axis: Any, where: Any, keepdims: bool) -> Any:
    """How many elements a reduction takes: a number, or an array where they differ."""
    if where is True:
        return math.prod([x.shape[number] for number in (range(x.ndim) if axis is None else normal_axes(axis, x.ndim))])
    counted = ga.broadcast_to(mask(where), x.shape)
    return ga.sum(ga.astype(counted, x.dtype if not is_complex(x) else ga.real(x).dtype), axis=axis, keepdims=keepdims)


@implements("mean")
def _mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x = array(a)
    x = floating(x) if dtype is None else cast(x, dtype, "unsafe", "mean")
    if where is True and x.dtype in _dtypes.DIFFERENTIABLE and not is_complex(x):
        return written(ga.mean(x, axis=axis, keepdims=bool(keepdims)), out, "mean")
    total = ga.sum(_only(x, where, 0), axis=axis, keepdims=bool(keepdims))
    found = total / _at_least_nothing(_count(floating(x), axis, where, bool(keepdims)))
    return written(found if dtype is None else cast(found, dtype, "unsafe", "mean"), out, "mean")


def _at_least_nothing(count: Any) -> Any:
    """A count by which a sum is divided: 0 over 0 is NaN, for Python's numbers too."""
    return count if type(count) is Array or count else math.nan


def _variance(
    a: Any, axis: Any, dtype: Any, ddof: Any, keepdims: Any, where: Any, mean: Any, correction: Any, root: bool
) -> Any:
    if correction is not None:
        if ddof:
            raise _errors.ArgumentValueError(
                "numpy.var(): ddof and correction are two names of one number\nFix: pass one of them"
            )
        ddof = correction
    keepdims = bool(keepdims)
    x = floating(a) if dtype is None else floating(cast(array(a), dtype, "unsafe", "var"))
    if where is True and mean is None and not is_complex(x):
        count = _count(x, axis, True, keepdims)
        if count > ddof:
            return (ga.std if root else ga.var)(x, axis=axis, correction=float(ddof), keepdims=keepdims)
    if mean is None:
        mean = _mean(x, axis, keepdims=True, where=where)
    off = x - array(mean)
    square = ga.real(off) ** 2 + ga.imag(off) ** 2 if is_complex(off) else off * off
    left = _count(x, axis, where, keepdims) - ddof
    left = ga.maximum(left, 0) if type(left) is Array else max(left, 0)
    found = ga.sum(_only(square, where, 0), axis=axis, keepdims=keepdims)
    # A Python number would not divide by zero.
    found = found / (left if type(left) is Array else ga.asarray(float(left), dtype=found.dtype))
    if not root:
        return found
    # The derivative of a standard deviation of equal numbers is 0, as in `gradarray.std`.
    return ga.where(found == 0, 0.0, ga.sqrt(found))


@implements("var")
def _var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return written(_variance(a, axis, dtype, ddof, keepdims, where, mean, correction, False), out, "var")


@implements("std")
def _std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return written(_variance(a, axis, dtype, ddof, keepdims, where, mean, correction, True), out, "std")


# --- without NaN -----------------------------------------------------------------------------------------------------


def _numbers(a: Any, neutral: Any, where: Any = True) -> tuple[Array, Any]:
    """An array with a neutral element in the place of NaN, and where its other elements are."""
    x = array(a)
    if x.dtype not in _dtypes.DIFFERENTIABLE:
        return x, where
    missing = ga.isnan(x)
    there = ~missing if where is True else ~missing & mask(where)
    return ga.where(missing, neutral, x), there


@implements("nansum")
def _nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _sum(_numbers(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@implements("nanprod")
def _nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _prod(_numbers(a, 1)[0], axis, dtype, out, keepdims, initial, where)


@implements("nancumsum")
def _nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return _cumsum(_numbers(a, 0)[0], axis, dtype, out)


@implements("nancumprod")
def _nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return _cumprod(_numbers(a, 1)[0], axis, dtype, out)


@implements("nanmean")
def _nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    x, there = _numbers(a, 0, where)
    return _mean(x, axis, dtype, out, keepdims, where=there)


def _nanvariance(
    a: Any, axis: Any, dtype: Any, ddof: Any, keepdims: Any, where: Any, mean: Any, correction: Any, root: bool
) -> Any:
    x, there = _numbers(a, 0, where)
    found = _variance(x, axis, dtype, ddof, keepdims, there, mean, correction, root)
    if there is True:
        return found
    # Where there are too few numbers NumPy answers NaN.
    few = _count(floating(x), axis, there, bool(keepdims)) <= (ddof if correction is None else correction)
    return ga.where(few, math.nan, found)


@implements("nanvar")
def _nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return written(_nanvariance(a, axis, dtype, ddof, keepdims, where, mean, correction, False), out, "nanvar")


@implements("nanstd")
def _nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return written(_nanvariance(a, axis, dtype, ddof, keepdims, where, mean, correction, True), out, "nanstd")


def _nanextreme(name: str, largest: bool, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Any:
    x = array(a)
    if is_complex(x):
        return NotImplemented
    function, pair = (ga.max, ga.maximum) if largest else (ga.min, ga.minimum)
    if x.dtype not in _dtypes.DIFFERENTIABLE:
        return _extreme(name, function, pair, x, axis, out, keepdims, initial, where)
    if where is not True and initial is None:
        raise _errors.ArgumentValueError(
            f"numpy.{name}(): with where= there may be no elements at all\nFix: pass initial="
        )
    x = _only(x, where, math.nan)
    if initial is not None and x.size == 0:
        return written(ga.full(reduced_shape(x, axis, bool(keepdims)), initial, dtype=x.dtype), out, name)
    found = (ga.nanmax if largest else ga.nanmin)(x, axis, keepdims=bool(keepdims))
    if initial is not None:
        found = ga.where(ga.isnan(found), initial, pair(found, initial))
    return written(found, out, name)


@implements("nanmax")
def _nanmax(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    return _nanextreme("nanmax", True, a, axis, out, keepdims, initial, where)


@implements("nanmin")
def _nanmin(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    return _nanextreme("nanmin", False, a, axis, out, keepdims, initial, where)
