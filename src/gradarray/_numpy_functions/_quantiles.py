"""NumPy's medians, percentiles and quantiles, by every method that it has."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gradarray as ga

from .. import _errors
from .._array import Array
from ._table import array, floating, implements, is_complex, normal_axes, written

#: Methods that interpolate between the places ``n * q + alpha + q * (1 - alpha - beta) - 1``.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}


def _inverted_cdf(n: Any, q: Any) -> Any:
    return ga.ceil(n * q) - 1


def _averaged_inverted_cdf(n: Any, q: Any) -> Any:
    place = n * q - 1
    below = ga.floor(place)
    return below + ga.where(place == below, 0.5, 1.0)


def _closest_observation(n: Any, q: Any) -> Any:
    place = n * q - 1.5
    below = ga.floor(place)
    return ga.where((place == below) & (below % 2 == 1), below, below + 1)


def _midpoint(n: Any, q: Any) -> Any:
    place = (n - 1) * q
    return (ga.floor(place) + ga.ceil(place)) / 2


#: The other methods: from the number of elements and the quantile to a place in the sorted array.
_PLACES: dict[str, Callable[[Any, Any], Any]] = {
    "inverted_cdf": _inverted_cdf,
    "averaged_inverted_cdf": _averaged_inverted_cdf,
    "closest_observation": _closest_observation,
    "lower": lambda n, q: ga.floor((n - 1) * q),
    "higher": lambda n, q: ga.ceil((n - 1) * q),
    "nearest": lambda n, q: ga.round((n - 1) * q),
    "midpoint": _midpoint,
}
#: Methods that answer with an element, which keeps its data type.
_PICKING = frozenset(("inverted_cdf", "closest_observation", "lower", "higher", "nearest"))


def _place(method: str, n: Any, q: Array) -> Array:
    if method == "linear":
        straight: Array = (n - 1) * q  # as NumPy rounds
        return straight
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        between: Array = n * q + (alpha + q * (1 - alpha - beta)) - 1
        return between
    if method in _PLACES:
        found: Array = _PLACES[method](n, q)
        return found
    names = ", ".join(sorted((*_CONTINUOUS, *_PLACES)))
    raise _errors.ArgumentValueError(f"numpy.quantile(): there is no method {method!r}\nFix: use one of {names}")


def _quantile(
    name: str, a: Any, q: Array, axis: Any, out: Any, method: str, keepdims: Any, weights: Any, without_nan: bool
) -> Any:
    if weights is not None or is_complex(array(a)):
        return NotImplemented
    x = floating(a)
    axes = tuple(range(x.ndim)) if axis is None else normal_axes(axis, x.ndim)
    kept = [number for number in range(x.ndim) if number not in axes]
    count = math.prod([x.shape[number] for number in axes])
    rows = ga.reshape(ga.permute_dims(x, (*kept, *axes)), (*[x.shape[number] for number in kept], count))
    if not bool(ga.all((q >= 0) & (q <= 1))):
        raise _errors.ArgumentValueError(
            f"numpy.{name}(): a quantile is not within its range\nFix: use 0 to 1, or 100 %"
        )
    probabilities = ga.astype(ga.reshape(q, (-1,)), x.dtype, copy=False)
    if not count:
        found = ga.full((*rows.shape[:-1], probabilities.shape[0]), math.nan, dtype=x.dtype)
    else:
        rows = ga.sort(rows, axis=-1)
        n: Any = count
        if without_nan:
            n = ga.astype(ga.count_nonzero(~ga.isnan(rows), axis=-1, keepdims=True), x.dtype)
        place = _place(method, n, probabilities)
        below = ga.floor(place)
        last = ga.maximum(n - 1, 0) if without_nan else n - 1
        found = _at(rows, below, last)
        part = place - below
        if part.requires_grad or bool(ga.any(part != 0)):
            above = _at(rows, below + 1, last)
            # Two forms, as NumPy has them: each end comes out exactly, and equal infinities do not make NaN.
            step = above - found
            between = ga.where(part < 0.5, found + step * part, above - step * (1 - part))
            found = ga.where(found == above, found, between)
        if not without_nan:
            # NaN is sorted to the end.
            end = rows[..., -1:]
            found = ga.where(ga.isnan(end), end, found)
    if method in _PICKING and array(a).dtype.kind in "biu":
        found = ga.astype(found, array(a).dtype)
    found = ga.reshape(ga.moveaxis(found, -1, 0), (*q.shape, *rows.shape[:-1]))
    if keepdims:
        lengths = [1 if number in axes else length for number, length in enumerate(x.shape)]
        found = ga.reshape(found, (*q.shape, *lengths))
    return written(found, out, name)


def _at(rows: Array, place: Array, last: Any) -> Array:
    index = ga.astype(ga.minimum(ga.maximum(place, 0), last), ga.int64)
    if index.ndim == 1:
        return ga.take(rows, index, axis=-1)
    return ga.take_along_axis(rows, index, axis=-1)


@implements("quantile")
def _quantile_of(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    return _quantile("quantile", a, floating(q), axis, out, method, keepdims, weights, False)


@implements("percentile")
def _percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    return _quantile("percentile", a, floating(q) / 100, axis, out, method, keepdims, weights, False)


@implements("nanquantile")
def _nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    return _quantile("nanquantile", a, floating(q), axis, out, method, keepdims, weights, True)


@implements("nanpercentile")
def _nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    return _quantile("nanpercentile", a, floating(q) / 100, axis, out, method, keepdims, weights, True)


@implements("median")
def _median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    if is_complex(array(a)):
        return NotImplemented
    return written(ga.median(array(a), axis, keepdims=bool(keepdims)), out, "median")


@implements("nanmedian")
def _nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    # The mean of the two elements in the middle, without an interpolation's rounding.
    return _quantile("nanmedian", a, floating(0.5), axis, out, "midpoint", keepdims, None, True)
