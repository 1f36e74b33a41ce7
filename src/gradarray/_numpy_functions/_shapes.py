"""NumPy's functions that move elements and axes, and change nothing."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._table import array, implements, is_complex, normal_axes, normal_axis


def reversed_axes(x: Array) -> Array:
    """An array with its axes in reverse order."""
    return ga.permute_dims(x, tuple(range(x.ndim))[::-1])


@implements("reshape")
def _reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    x = array(a)
    lengths = tuple(shape) if isinstance(shape, (tuple, list)) else shape
    if order == "F":
        lengths = lengths[::-1] if isinstance(lengths, tuple) else lengths
        return reversed_axes(ga.reshape(reversed_axes(x), lengths, copy=copy))
    return ga.reshape(x, lengths, copy=copy)


@implements("ravel")
def _ravel(a: Any, order: str = "C") -> Any:
    x = array(a)
    return ga.reshape(reversed_axes(x) if order == "F" else x, (-1,))


@implements("transpose", "permute_dims")
def _transpose(a: Any, axes: Any = None) -> Any:
    return ga.transpose(array(a), None if axes is None else tuple(axes))


@implements("matrix_transpose", "linalg.matrix_transpose")
def _matrix_transpose(x: Any, /) -> Any:
    return ga.matrix_transpose(array(x))


@implements("swapaxes")
def _swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    x = array(a)
    return x.swapaxes(normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim))


@implements("moveaxis")
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    return ga.moveaxis(array(a), source, destination)


@implements("rollaxis")
def _rollaxis(a: Any, axis: Any, start: int = 0) -> Any:
    x = array(a)
    axis = normal_axis(axis, x.ndim)
    start = start + x.ndim if start < 0 else start
    if not 0 <= start <= x.ndim:
        raise _errors.AxisError(f"numpy.rollaxis(): start is {start} of {x.ndim} axes\nFix: pass 0 to {x.ndim}")
    return ga.moveaxis(x, axis, start - 1 if axis < start else start)


@implements("squeeze")
def _squeeze(a: Any, axis: Any = None) -> Any:
    return array(a).squeeze(axis)


@implements("expand_dims")
def _expand_dims(a: Any, axis: Any) -> Any:
    return ga.expand_dims(array(a), tuple(axis) if isinstance(axis, list) else axis)


@implements("broadcast_to")
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return ga.broadcast_to(_array(array), shape if isinstance(shape, int) else tuple(shape))


_array = array  # NumPy has a parameter of that name


@implements("broadcast_arrays")
def _broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    return ga.broadcast_arrays(*[array(x) for x in args])


@implements("flip")
def _flip(m: Any, axis: Any = None) -> Any:
    return ga.flip(array(m), axis=axis)


def _with_axes(name: str, m: Any, least: int) -> Array:
    x = array(m)
    if x.ndim < least:
        raise _errors.ShapeError(
            _errors.message(f"numpy.{name}", f"it needs {least} axes or more", [("m", x)], "reshape it")
        )
    return x


@implements("flipud")
def _flipud(m: Any) -> Any:
    return ga.flip(_with_axes("flipud", m, 1), axis=0)


@implements("fliplr")
def _fliplr(m: Any) -> Any:
    return ga.flip(_with_axes("fliplr", m, 2), axis=1)


@implements("rot90")
def _rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    x = _with_axes("rot90", m, 2)
    first, second = normal_axes(tuple(axes), x.ndim)
    k %= 4
    if k == 2:
        return ga.flip(x, axis=(first, second))
    if k == 0:
        return x[...]
    return (
        x.swapaxes(first, second)
        if k == 4
        else (
            ga.flip(x, axis=second).swapaxes(first, second)
            if k == 1
            else ga.flip(x.swapaxes(first, second), axis=second)
        )
    )


@implements("roll")
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    x = array(a)
    if axis is None or np.ndim(shift) == np.ndim(axis) == 0:
        places = int(shift) if np.ndim(shift) == 0 else int(np.sum(shift))
        return ga.roll(x, places, axis=axis)
    shifts, axes = np.broadcast_arrays(shift, axis)
    return ga.roll(x, tuple(map(int, shifts)), axis=tuple(map(int, axes)))


def _at_least(ndim: int, arys: Any) -> Any:
    found = []
    for each in arys:
        x = array(each)
        if x.ndim < ndim:
            # A vector is a row of matrices of one element each, and a matrix has its third axis last.
            before = 0 if ndim == 3 and x.ndim == 2 else 1 if x.ndim else ndim
            after = ndim - x.ndim - before
            x = ga.reshape(x, (1,) * before + x.shape + (1,) * builtins.max(after, 0))
        found.append(x)
    return found[0] if len(found) == 1 else tuple(found)


@implements("atleast_1d")
def _atleast_1d(*arys: Any) -> Any:
    return _at_least(1, arys)


@implements("atleast_2d")
def _atleast_2d(*arys: Any) -> Any:
    return _at_least(2, arys)


@implements("atleast_3d")
def _atleast_3d(*arys: Any) -> Any:
    return _at_least(3, arys)


@implements("resize")
def _resize(a: Any, new_shape: Any) -> Any:
    x = ga.reshape(array(a), (-1,))
    shape = (new_shape,) if isinstance(new_shape, (int, np.integer)) else tuple(new_shape)
    size = math.prod(shape)
    if not x.size:
        return ga.zeros(shape, dtype=x.dtype)
    return ga.reshape(ga.tile(x, (-(-size // x.size),))[:size], shape)


@implements("copy")
def _copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    return ga.asarray(array(a), copy=True)


@implements("astype")
def _astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return ga.astype(array(x), dtype, copy=copy)


# --- new arrays like others ------------------------------------------------------------------------------------------


def _like(x: Array, shape: Any) -> tuple[int, ...]:
    if shape is None:
        return x.shape
    return (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(shape)


@implements("zeros_like")
def _zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    x = array(a)
    return ga.zeros(_like(x, shape), dtype=x.dtype if dtype is None else dtype)


@implements("ones_like")
def _ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    x = array(a)
    return ga.ones(_like(x, shape), dtype=x.dtype if dtype is None else dtype)


@implements("empty_like")
def _empty_like(
    prototype: Any, /, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Any:
    x = array(prototype)
    return ga.empty(_like(x, shape), dtype=x.dtype if dtype is None else dtype)


@implements("full_like")
def _full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    x = array(a)
    value = array(fill_value)
    wanted = x.dtype if dtype is None else dtype
    if is_complex(value) and np.dtype(wanted).kind != "c":
        value = ga.real(value)
    # NumPy fills with what the data type makes of the value, and with a whole row where it is one.
    return ga.broadcast_to(ga.astype(value, wanted), _like(x, shape)) + ga.zeros((), dtype=wanted)


# --- parts of complex numbers ----------------------------------------------------------------------------------------


@implements("real")
def _real(val: Any) -> Any:
    return ga.real(array(val))


@implements("imag")
def _imag(val: Any) -> Any:
    x = array(val)
    return ga.imag(x) if is_complex(x) else ga.zeros_like(x)


@implements("real_if_close")
def _real_if_close(a: Any, tol: float = 100) -> Any:
    x = array(a)
    if not is_complex(x):
        return x
    limit = tol * ga.finfo(x.dtype).eps if tol > 1 else tol
    return ga.real(x) if bool(ga.all(ga.abs(ga.imag(x)) < limit)) else x


@implements("angle")
def _angle(z: Any, deg: bool = False) -> Any:
    x = array(z)
    real, imag = (ga.real(x), ga.imag(x)) if is_complex(x) else (x, ga.zeros_like(x))
    found = ga.atan2(imag, real)
    return found * (180 / math.pi) if deg else found
