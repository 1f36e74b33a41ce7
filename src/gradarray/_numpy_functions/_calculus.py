"""NumPy's differences, integrals, interpolation and convolution."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from .._array import Array
from ._table import array, floating, implements, is_complex, normal_axes, normal_axis, numbers_like, operand

# --- differences -----------------------------------------------------------------------------------------------------


@implements("diff")
def _diff(a: Any, n: int = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    x = array(a)
    axis = normal_axis(axis, x.ndim)
    if n < 0:
        raise _errors.ArgumentValueError(f"numpy.diff(): n is {n}\nFix: pass 0 or more")
    if n == 0:
        return x
    ends = []
    for end in (prepend, append):
        if end is not None:
            part = array(end)
            if part.ndim == 0:
                part = ga.broadcast_to(part, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
            ends.append(part)
    if ends:
        first, last = ends[:1] if prepend is not None else [], ends[-1:] if append is not None else []
        x = ga.concat([*first, x, *last], axis=axis)
    before = (slice(None),) * axis
    for _ in range(n):
        high, low = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = high != low if x.dtype.kind == "b" else high - low
    return x


@implements("ediff1d")
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    x = ga.reshape(array(ary), (-1,))
    parts = [x[1:] - x[:-1]]
    if to_begin is not None:
        parts.insert(0, ga.astype(ga.reshape(array(to_begin), (-1,)), x.dtype, copy=False))
    if to_end is not None:
        parts.append(ga.astype(ga.reshape(array(to_end), (-1,)), x.dtype, copy=False))
    return ga.concat(parts)


@implements("gradient")
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = floating(f)
    axes = tuple(range(x.ndim)) if axis is None else normal_axes(axis, x.ndim)
    spacings = list(varargs) * len(axes) if len(varargs) == 1 and np.ndim(_shaped(varargs[0])) == 0 else list(varargs)
    spacings = spacings or [1.0] * len(axes)
    if len(spacings) != len(axes):
        raise _errors.ArgumentTypeError(
            "numpy.gradient(): there must be one spacing, or one for each axis\nFix: pass so"
        )
    if edge_order not in (1, 2):
        raise _errors.ArgumentValueError(f"numpy.gradient(): edge_order is {edge_order}\nFix: pass 1 or 2")
    found = []
    for each, spacing in zip(axes, spacings, strict=True):
        length = x.shape[each]
        if length < edge_order + 1:
            raise _errors.ShapeError(
                _errors.message(
                    "numpy.gradient", "an axis is too short", [("f", x)], f"it needs {edge_order + 1} elements"
                )
            )
        found.append(ga.moveaxis(_slopes(ga.moveaxis(x, each, -1), operand(spacing), edge_order), -1, each))
    return found[0] if len(found) == 1 else tuple(found)


def _shaped(x: Any) -> Any:
    return np.empty(x.shape) if isinstance(x, Array) else x


def _slopes(y: Array, spacing: Any, edge_order: int) -> Array:
    """Slopes along the last axis: at each element that of the parabola through its neighbours and itself."""
    length = y.shape[-1]
    if type(spacing) is Array and spacing.ndim:
        if spacing.ndim != 1 or spacing.shape[0] != length:
            raise _errors.ShapeError(
                _errors.message("numpy.gradient", "coordinates do not fit the axis", [("f", y), ("x", spacing)])
            )
        h = spacing[1:] - spacing[:-1]
        even = False
    else:
        h, even = spacing, True
    steps = y[..., 1:] - y[..., :-1]
    if even:
        inner = (y[..., 2:] - y[..., :-2]) / (2.0 * h)
        first, last = steps[..., :1] / h, steps[..., -1:] / h
        if edge_order == 2:
            first = (-1.5 * y[..., :1] + 2.0 * y[..., 1:2] - 0.5 * y[..., 2:3]) / h
            last = (0.5 * y[..., -3:-2] - 2.0 * y[..., -2:-1] + 1.5 * y[..., -1:]) / h
    else:
        h1, h2 = h[:-1], h[1:]
        inner = (
            -h2 / (h1 * (h1 + h2)) * y[..., :-2]
            + (h2 - h1) / (h1 * h2) * y[..., 1:-1]
            + h1 / (h2 * (h1 + h2)) * y[..., 2:]
        )
        first, last = steps[..., :1] / h[:1], steps[..., -1:] / h[-1:]
        if edge_order == 2:
            a, b = h[:1], h[1:2]
            first = (
                -(2 * a + b) / (a * (a + b)) * y[..., :1]
                + (a + b) / (a * b) * y[..., 1:2]
                - a / (b * (a + b)) * y[..., 2:3]
            )
            a, b = h[-2:-1], h[-1:]
            last = (
                b / (a * (a + b)) * y[..., -3:-2]
                - (a + b) / (a * b) * y[..., -2:-1]
                + (2 * b + a) / (b * (a + b)) * y[..., -1:]
            )
    return ga.concat([first, inner, last], axis=-1)


@implements("trapezoid")
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    values = floating(y)
    axis = normal_axis(axis, values.ndim)
    before = (slice(None),) * axis
    if x is None:
        width = operand(dx)
    else:
        points = array(x)
        if points.ndim == 1:
            width = points[1:] - points[:-1]
            view = [1] * values.ndim
            view[axis] = width.shape[0]
            width = ga.reshape(width, tuple(view))
        else:
            width = _diff(points, axis=axis)
    both = values[(*before, slice(1, None))] + values[(*before, slice(None, -1))]
    return ga.sum(width * both / 2.0, axis=axis)


@implements("unwrap")
def _unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * math.pi) -> Any:
    x = array(p)
    axis = normal_axis(axis, x.ndim)
    limit = period / 2 if discont is None else discont
    steps = _diff(x, axis=axis)
    whole = isinstance(period, int) and x.dtype.kind in "iu"
    half, odd = divmod(period, 2) if whole else (period / 2, 1)
    turned = (steps + half) % period - half
    # A step of half a period up stays one up; for whole numbers only if the period has a half.
    if not whole or not odd:
        turned = ga.where((turned == -half) & (steps > 0), half, turned)
    correction = ga.where(ga.abs(steps) < limit, 0 if whole else 0.0, turned - steps)
    before = (slice(None),) * axis
    found = x[(*before, slice(1, None))] + ga.cumulative_sum(correction, axis=axis)
    return ga.concat([ga.astype(x[(*before, slice(0, 1))], found.dtype, copy=False), found], axis=axis)


# --- interpolation ---------------------------------------------------------------------------------------------------


@implements("interp")
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    points, knots, values = floating(x), floating(xp), floating(fp)
    if knots.ndim != 1 or values.ndim != 1 or knots.shape != values.shape or not knots.shape[0]:
        raise _errors.ShapeError(
            _errors.message(
                "numpy.interp", "xp and fp must be 1-D, equally long and not empty", [("xp", knots), ("fp", values)]
            )
        )
    if period is not None:
        if period == 0:
            raise _errors.ArgumentValueError("numpy.interp(): the period is 0\nFix: pass another one")
        period = builtins.abs(period)
        left = right = None
        points, knots = points % period, knots % period
        order = ga.argsort(knots)
        knots, values = ga.take(knots, order, axis=0), ga.take(values, order, axis=0)
        knots = ga.concat([knots[-1:] - period, knots, knots[:1] + period])
        values = ga.concat([values[-1:], values, values[:1]])
    count = knots.shape[0]
    low = values[0] if left is None else operand(left)
    high = values[-1] if right is None else operand(right)
    if count > 1:
        flat = ga.reshape(points, (-1,))
        place = ga.clip(ga.searchsorted(knots, flat, side="right") - 1, 0, count - 2)
        x0, x1 = ga.take(knots, place, axis=0), ga.take(knots, place + 1, axis=0)
        y0, y1 = ga.take(values, place, axis=0), ga.take(values, place + 1, axis=0)
        found = (y1 - y0) / (x1 - x0) * (flat - x0) + y0
        # At a knot before an infinite value a slope says nothing.
        found = ga.reshape(ga.where(ga.isnan(found) & (flat == x0), y0, found), points.shape)
    else:
        found = points * 0 + values[0]
    # Beyond the ends, and at the last knot, the values themselves: a difference of infinities would be NaN.
    found = ga.where(points >= knots[-1], values[-1], found)
    found = ga.where(points > knots[-1], high, found)
    return ga.where(points < knots[0], low, found)


# --- convolution -----------------------------------------------------------------------------------------------------

#: Up to how many products the elements are multiplied one by one; beyond, and for floats, by Fourier transforms.
_PRODUCTS = 1 << 20


def _full(x: Array, y: Array) -> Array:
    n, m = x.shape[0], y.shape[0]
    if n < m:
        return _full(y, x)
    dtype = _dtypes.promote(x.dtype, y.dtype)
    if dtype.kind in "fc" and n * m > _PRODUCTS:
        length = 1 << (n + m - 2).bit_length()
        if dtype.kind == "c":
            found = ga.fft.ifft(ga.fft.fft(x, n=length) * ga.fft.fft(y, n=length))
        else:
            found = ga.fft.irfft(ga.fft.rfft(x, n=length) * ga.fft.rfft(y, n=length), n=length)
        return ga.astype(found[: n + m - 1], dtype, copy=False)
    if dtype.kind == "b":
        return _full(ga.astype(x, ga.int64), ga.astype(y, ga.int64)) != 0
    # The rows of the products, each one place further to the right: in rows one longer they are so of themselves.
    rows = ga.expand_dims(y, axis=1) * x
    rows = ga.concat([rows, ga.zeros((m, m), dtype=dtype)], axis=1)
    shifted = ga.reshape(ga.reshape(rows, (-1,))[: m * (n + m - 1)], (m, n + m - 1))
    return ga.sum(shifted, axis=0, dtype=dtype)


def _vectors(name: str, a: Any, v: Any) -> tuple[Array, Array]:
    x, y = ga.reshape(array(a), (-1,)) if np.ndim(_shaped(a)) == 0 else array(a), array(v)
    y = ga.reshape(y, (-1,)) if y.ndim == 0 else y
    if x.ndim != 1 or y.ndim != 1 or not x.shape[0] or not y.shape[0]:
        raise _errors.ShapeError(
            _errors.message(f"numpy.{name}", "a and v must be 1-D and not empty", [("a", x), ("v", y)], "reshape them")
        )
    return x, y


def _middle(found: Array, n: int, m: int, mode: Any, name: str, *, turned: bool) -> Array:
    mode = {0: "valid", 1: "same", 2: "full", "v": "valid", "s": "same", "f": "full"}.get(mode, mode)
    small = builtins.min(n, m)
    if mode == "full":
        return found
    if mode == "valid":
        return found[small - 1 : builtins.max(n, m)]
    if mode == "same":
        start = small // 2 if turned else (small - 1) // 2
        return found[start : start + builtins.max(n, m)]
    raise _errors.ArgumentValueError(f"numpy.{name}(): mode is {mode!r}\nFix: pass 'full', 'same' or 'valid'")


@implements("convolve")
def _convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    x, y = _vectors("convolve", a, v)
    return _middle(_full(x, y), x.shape[0], y.shape[0], mode, "convolve", turned=False)


@implements("correlate")
def _correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    x, y = _vectors("correlate", a, v)
    y = ga.flip(ga.conj(y) if is_complex(y) else y)
    n, m = x.shape[0], y.shape[0]
    return _middle(_full(x, y), n, m, mode, "correlate", turned=n < m)


# --- ranges ----------------------------------------------------------------------------------------------------------


@implements("linspace")
def _linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    if num < 0:
        raise _errors.ArgumentValueError(f"numpy.linspace(): num is {num}\nFix: pass 0 or more")
    first, last = ga.broadcast_arrays(floating(start), floating(stop))
    parts = num - 1 if endpoint else num
    step = (last - first) / parts if parts > 0 else (last - first) * math.nan
    numbers = numbers_like(np.reshape(np.arange(num), (num, *(1,) * first.ndim)), step)
    found = first + (step * numbers if parts > 0 else (last - first) * numbers)
    if endpoint and num > 1:
        found = ga.concat([found[:-1], ga.expand_dims(ga.astype(last, found.dtype, copy=False), axis=0)])
    if dtype is not None:
        found = ga.astype(ga.floor(found) if np.dtype(dtype).kind in "iu" else found, dtype)
    found = ga.moveaxis(found, 0, normal_axis(axis, found.ndim))
    return (found, step) if retstep else found


@implements("logspace")
def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0
) -> Any:
    if isinstance(base, Array) and base.ndim:
        start, stop, base = ga.broadcast_arrays(floating(start), floating(stop), base)
        base = ga.expand_dims(base, axis=axis)
    found = operand(base) ** _linspace(start, stop, num, endpoint, axis=axis)
    return found if dtype is None else ga.astype(found, dtype)


@implements("geomspace")
def _geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: Any = 0) -> Any:
    first, last = ga.broadcast_arrays(floating(start), floating(stop))
    if is_complex(first) or bool(ga.any((first == 0) | (last == 0))):
        return NotImplemented
    sign = ga.sign(first)
    if bool(ga.any(sign != ga.sign(last))):
        return NotImplemented
    found = 10.0 ** _linspace(ga.log10(first * sign), ga.log10(last * sign), num, endpoint) * sign
    if num > 0:
        ends = [ga.expand_dims(first, axis=0), found[1:-1] if endpoint and num > 1 else found[1:]]
        found = ga.concat([*ends, ga.expand_dims(last, axis=0)] if endpoint and num > 1 else ends)
    if dtype is not None:
        found = ga.astype(found, dtype)
    return ga.moveaxis(found, 0, normal_axis(axis, found.ndim))
