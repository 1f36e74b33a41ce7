"""NumPy's averages, correlations and histograms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from .._array import Array
from ..ops._extras import Description, scatter
from ._table import array, floating, host, implements, is_complex, normal_axes, placed


@implements("average")
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    x = floating(a)
    keepdims = bool(keepdims)
    if weights is None:
        found = ga.mean(x, axis=axis, keepdims=keepdims) if not is_complex(x) else _complex_mean(x, axis, keepdims)
        total = ga.full(found.shape, x.size / max(found.size, 1), dtype=found.dtype)
        return (found, total) if returned else found
    w = array(weights)
    if w.shape != x.shape:
        if axis is None:
            raise _errors.ArgumentTypeError("numpy.average(): weights of another shape need an axis\nFix: pass axis=")
        axes = normal_axes(axis, x.ndim)
        if w.shape != tuple([x.shape[number] for number in axes]):
            raise _errors.ShapeError(
                _errors.message(
                    "numpy.average", "weights do not fit the axes", [("a", x), ("weights", w)], "reshape them"
                )
            )
        w = ga.permute_dims(w, tuple(np.argsort(axes).tolist()))
        w = ga.reshape(w, tuple([length if number in axes else 1 for number, length in enumerate(x.shape)]))
    total = ga.sum(ga.broadcast_to(w, x.shape), axis=axis, keepdims=keepdims)
    if bool(ga.any(total == 0)):
        raise ZeroDivisionError("numpy.average(): the weights sum to 0\nFix: pass others")
    found = ga.sum(x * w, axis=axis, keepdims=keepdims) / total
    return (found, ga.astype(total, found.dtype, copy=False)) if returned else found


def _complex_mean(x: Array, axis: Any, keepdims: bool) -> Array:
    count = math.prod(x.shape) if axis is None else math.prod([x.shape[number] for number in normal_axes(axis, x.ndim)])
    return ga.sum(x, axis=axis, keepdims=keepdims) / (count or math.nan)


@implements("cov")
def _cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    x = _variables(m, rowvar)
    if y is not None:
        other = array(y)
        x = ga.concat([x, _variables(other, rowvar or other.ndim == 1)], axis=0)
    if dtype is not None:
        x = ga.astype(x, dtype)
    correction = (0 if bias else 1) if ddof is None else int(ddof)
    weights = None
    if fweights is not None:
        weights = floating(fweights)
    if aweights is not None:
        own = floating(aweights)
        weights = own if weights is None else weights * own
    if weights is None:
        total: Any = float(x.shape[1])
        mean = ga.sum(x, axis=1, keepdims=True) / (total or math.nan)
        factor: Any = total - correction
    else:
        total = ga.sum(weights)
        mean = ga.sum(x * weights, axis=1, keepdims=True) / total
        if aweights is None or correction == 0:
            factor = total - correction
        else:
            factor = total - correction * ga.sum(weights * floating(aweights)) / total
    x = x - mean
    right = ga.matrix_transpose(x if weights is None else x * weights)
    found = ga.matmul(x, ga.conj(right) if is_complex(right) else right)
    if type(factor) is not Array:
        factor = ga.asarray(max(factor, 0.0), dtype=ga.real(found).dtype)
    return (found / factor).squeeze()


def _variables(m: Any, rowvar: bool) -> Array:
    x = floating(m)
    if x.ndim > 2:
        raise _errors.ShapeError(_errors.message("numpy.cov", "it takes one or two axes", [("m", x)], "reshape it"))
    if x.ndim < 2:
        return ga.reshape(x, (1, -1))
    return x if rowvar or x.shape[0] == 1 else ga.matrix_transpose(x)


@implements("corrcoef")
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    c = _cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = ga.sqrt(ga.real(ga.linalg.diagonal(c)))
    found = c / ga.expand_dims(deviations, axis=1) / deviations
    if is_complex(found):
        return ga.clip(ga.real(found), -1, 1) + 1j * ga.clip(ga.imag(found), -1, 1)
    # Only what lies beyond is cut: at 1 itself a derivative is not halved.
    found = ga.where(found > 1, 1.0, found)
    return ga.where(found < -1, -1.0, found)


# --- histograms ------------------------------------------------------------------------------------------------------


def summed_at(values: Array, places: np.ndarray[Any, Any], count: int) -> Array:
    """An array of as many elements as said, each the sum of the values that belong to it."""
    like = Description((count,), values.dtype, values.device)
    found: Array = scatter(values, like=like, key=placed(places, values)._data)
    return found


@implements("bincount")
def _bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    numbers = array(x)
    if numbers.dtype.kind not in "iub" or numbers.ndim != 1:
        raise _errors.DTypeError(
            _errors.message("numpy.bincount", "x must be 1-D, and hold integers", [("x", numbers)])
        )
    places = host(numbers)
    if weights is None:
        return placed(np.bincount(places, minlength=minlength), numbers)
    if places.size and places.min() < 0:
        raise _errors.ArgumentValueError("numpy.bincount(): a number is negative\nFix: pass 0 and more")
    values = floating(weights)
    if values.shape != numbers.shape:
        raise _errors.ShapeError(
            _errors.message(
                "numpy.bincount", "weights must be of the shape of x", [("x", numbers), ("weights", values)]
            )
        )
    return summed_at(values, places, max(int(places.max()) + 1 if places.size else 0, minlength))


def _edges(a: Array, bins: Any, range: Any, weights: Any) -> Array:  # noqa: A002 - NumPy's name
    if isinstance(bins, str):
        # How many there are is a constant; where they lie is not.
        bins = len(np.histogram_bin_edges(host(a), bins, range, None if weights is None else host(weights))) - 1
    if np.ndim(host(bins)) == 1:
        edges = floating(bins)
        if np.any(np.diff(host(edges)) < 0):
            raise _errors.ArgumentValueError("numpy.histogram(): the edges do not increase\nFix: sort them")
        return edges
    count = int(bins)
    if count < 1:
        raise _errors.ArgumentValueError(f"numpy.histogram(): bins is {count}\nFix: pass a positive number")
    if range is not None:
        first, last = [floating(end) for end in range]
    elif a.size:
        first, last = ga.min(a), ga.max(a)
    else:
        first, last = ga.asarray(0.0), ga.asarray(1.0)
    if bool(first == last):
        first, last = first - 0.5, last + 0.5
    if not bool(ga.isfinite(first) & ga.isfinite(last) & (first <= last)):
        raise _errors.ArgumentValueError("numpy.histogram(): the range is not finite, or empty\nFix: pass range=")
    from ._calculus import _linspace

    found: Array = _linspace(first, last, count + 1)
    return found


@implements("histogram_bin_edges")
def _histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:  # noqa: A002
    return _edges(ga.reshape(floating(a), (-1,)), bins, range, weights)


@implements("histogram")
def _histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:  # noqa: A002
    x = ga.reshape(floating(a), (-1,))
    edges = _edges(x, bins, range, weights)
    borders, values = host(edges), host(x)
    count = len(borders) - 1
    places = np.searchsorted(borders, values, side="right") - 1
    places = np.where(values == borders[-1], count - 1, places)
    inside = np.flatnonzero((values >= borders[0]) & (values <= borders[-1]))
    if weights is None:
        found = placed(np.bincount(places[inside], minlength=count), x)
    else:
        w = ga.reshape(array(weights), (-1,))
        found = summed_at(ga.take(floating(w), placed(inside, x), axis=0), places[inside], count)
        if w.dtype not in _dtypes.DIFFERENTIABLE:
            found = ga.astype(found, w.dtype)
    if density:
        found = ga.astype(found, edges.dtype, copy=False)
        found = found / (edges[1:] - edges[:-1]) / ga.sum(found)
    return found, edges
