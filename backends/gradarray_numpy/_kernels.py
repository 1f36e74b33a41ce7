"""NumPy's own functions as kernels, and the corrections where NumPy differs from the standard.

A bare ufunc costs no Python frame, so it stands in the table wherever it is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import array_api_compat.numpy as xp
import numpy as np

from gradarray.backend import HIGH, LOW, Corrections

Kernel = Callable[..., Any]

# NumPy's stubs know fewer arguments of a ufunc's methods than ufuncs have.
_add: Any = np.add
_multiply: Any = np.multiply
_maximum: Any = np.maximum
_minimum: Any = np.minimum

_BARE = (
    "abs add atan2 bitwise_and bitwise_invert bitwise_or bitwise_xor ceil copysign cos cosh acos acosh asin asinh atan "
    "atanh divide equal exp floor hypot isfinite isinf isnan log log10 log1p log2 logaddexp logical_and logical_not "
    "logical_or logical_xor multiply negative nextafter not_equal positive reciprocal signbit sin sinh sqrt subtract "
    "tan trunc"
).split()

KERNELS: dict[str, Kernel] = {name: getattr(np, name) for name in (*_BARE, "matmul")}
_corrections = Corrections(xp)


def kernel(function: Kernel) -> Kernel:
    """Put a function into the table under its own name."""
    KERNELS[function.__name__.rstrip("_")] = function
    return function


# --- elementwise -----------------------------------------------------------------------------------------------------


def _ordered(ufunc: Kernel) -> Kernel:
    """Refuse complex numbers, which NumPy puts into lexicographic order."""

    def function(x1: Any, x2: Any) -> Any:
        out = ufunc(x1, x2)
        if _kind(x1) == "c" or _kind(x2) == "c":
            raise TypeError("complex numbers have no order")
        return out

    return function


def _numeric(ufunc: Kernel) -> Kernel:
    """Refuse two booleans, which NumPy counts as int8."""

    def function(x1: Any, x2: Any) -> Any:
        out = ufunc(x1, x2)
        if out.dtype.itemsize == 1 and _kind(x1) == _kind(x2) == "b":
            raise TypeError("booleans are not numbers here")
        return out

    return function


def _kind(x: Any) -> Any:
    if type(x) is np.ndarray or isinstance(x, np.generic):
        return x.dtype.kind
    return _SCALAR_KINDS[type(x)]


_SCALAR_KINDS = {bool: "b", int: "i", float: "f", complex: "c"}

for _name in ("less", "less_equal", "greater", "greater_equal"):
    KERNELS[_name] = _ordered(getattr(np, _name))
for _name in ("remainder", "bitwise_left_shift", "bitwise_right_shift"):
    KERNELS[_name] = _numeric(getattr(np, _name))
_power, _floor_divide = _numeric(np.power), _numeric(np.floor_divide)


@kernel
def maximum(x1: Any, x2: Any) -> Any:
    out = np.maximum(x1, x2)
    if out.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    return out


@kernel
def minimum(x1: Any, x2: Any) -> Any:
    out = np.minimum(x1, x2)
    if out.dtype.kind == "c":
        raise TypeError("complex numbers have no order")
    return out


@kernel
def square(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise TypeError("booleans are not numbers here")
    return np.square(x)


@kernel
def pow_(x1: Any, x2: Any) -> Any:
    # NumPy squares for the operator ** and a Python 2 only; numbers come here as 0-d arrays.
    if type(x2) is np.ndarray:
        squared = not x2.ndim and type(x1) is np.ndarray and x2.dtype is x1.dtype and x2.item() == 2
    else:
        squared = type(x2) is int and x2 == 2 and x1.dtype.kind != "b"
    if squared:
        return np.square(x1)
    try:
        return _power(x1, x2)
    except ValueError:
        return _corrections.pow(x1, x2)


@kernel
def floor_divide(x1: Any, x2: Any) -> Any:
    out = _floor_divide(x1, x2)
    if out.dtype.kind == "f" and not (np.isfinite(x1).all() and np.isfinite(x2).all()):
        return _corrections.floor_divide(x1, x2)
    return out


@kernel
def sign(x: Any) -> Any:
    if x.dtype.kind == "c":
        size = np.abs(x)
        if not ((size > LOW) & (size < HIGH)).all():
            return _corrections.sign(x)
    return np.sign(x)


@kernel
def expm1(x: Any) -> Any:
    return np.expm1(x) if x.dtype.kind != "c" else _corrections.expm1(x)


@kernel
def tanh(x: Any) -> Any:
    return np.tanh(x) if x.dtype.kind != "c" else _corrections.tanh(x)


@kernel
def round_(x: Any) -> Any:
    return np.rint(x) if x.dtype.kind in "fc" else np.array(x)


@kernel
def conj(x: Any) -> Any:
    # NumPy's conjugate of booleans is int8.
    return np.conjugate(x) if x.dtype.kind == "c" else np.array(x)


@kernel
def real(x: Any) -> Any:
    # np.real is a view; results of operations never share memory unless they are views to us too.
    return np.array(x.real)


@kernel
def imag(x: Any) -> Any:
    return np.array(x.imag)


#: Integers of the size of floating-point numbers, to take those as bits.
_BITS: dict[Any, Any] = {np.dtype("float32"): np.int32, np.dtype("float64"): np.int64}


@kernel
def where(condition: Any, x1: Any, x2: Any) -> Any:
    # A branch for each element costs six times what the memory does if it is hard to predict. Beside 0, as in most
    # derivatives, a mask over the bits needs none, and unlike a product it turns infinities and NaNs into 0 as well.
    if type(condition) is np.ndarray and condition.size >= 1000 and condition.dtype == np.bool_:
        if type(x2) is int and x2 == 0 and type(x1) is np.ndarray and x1.dtype in _BITS:
            mask = np.negative(condition.view(np.int8))
            return np.bitwise_and(x1.view(_BITS[x1.dtype]), mask).view(x1.dtype)
        if type(x1) is int and x1 == 0 and type(x2) is np.ndarray and x2.dtype in _BITS:
            mask = condition.view(np.int8) - np.int8(1)
            return np.bitwise_and(x2.view(_BITS[x2.dtype]), mask).view(x2.dtype)
    return np.where(condition, x1, x2)


# --- reductions: the ufunc's reduce, without the Python frames of np.sum and its like --------------------------------


@kernel
def sum_(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _add.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


@kernel
def prod(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _multiply.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


@kernel
def max_(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return _maximum.reduce(x, axis=axis, keepdims=keepdims)


@kernel
def min_(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return _minimum.reduce(x, axis=axis, keepdims=keepdims)


@kernel
def mean(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    # float16 sums overflow early; NumPy's own mean adds them up in float32.
    if x.dtype.itemsize == 2:
        return np.mean(x, axis=axis, keepdims=keepdims)
    total = _add.reduce(x, axis=axis, keepdims=keepdims)
    if x.size:
        return total / (x.size // total.size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / 0


# --- casting and moving ----------------------------------------------------------------------------------------------


@kernel
def astype(x: Any, dtype: Any, *, copy: bool = True) -> Any:
    return np.asarray(x).astype(dtype, copy=copy)


@kernel
def matrix_transpose(x: Any) -> Any:
    return x.swapaxes(-1, -2)


@kernel
def permute_dims(x: Any, axes: Any) -> Any:
    return x.transpose(axes)


@kernel
def ones_like(x: Any, *, dtype: Any = None) -> Any:
    # np.ones_like and np.zeros_like are three times as slow: they ask for the layout to be kept.
    return np.ones(x.shape, x.dtype if dtype is None else dtype)


@kernel
def zeros_like(x: Any, *, dtype: Any = None) -> Any:
    return np.zeros(x.shape, x.dtype if dtype is None else dtype)


@kernel
def spread(g: Any, *, like: Any) -> Any:
    # A stretched view costs no memory, but ten times as much to make as a small array costs to fill.
    shape = like.shape
    if math.prod(shape) > 4096:
        return np.broadcast_to(g, shape)
    out = np.empty(shape, g.dtype)
    out[...] = g
    return out


@kernel
def scatter(g: Any, *, like: Any, key: Any) -> Any:
    out = np.zeros(like.shape, dtype=g.dtype)
    parts = key if type(key) is tuple else (key,)
    if any(isinstance(part, np.ndarray) and part.dtype.kind != "b" for part in parts):
        np.add.at(out, key, g)
    else:
        out[key] = g
    return out


@kernel
def scatter_along_axis(g: Any, indices: Any, *, like: Any, axis: int) -> Any:
    # One number for each element: add.at with one flat index is ten times as fast as with a tuple of them.
    shape = like.shape
    out = np.zeros(math.prod(shape), dtype=g.dtype)
    positions: Any = 0
    step = 1
    for number in reversed(range(len(shape))):
        if number == axis:
            positions = positions + np.where(indices < 0, indices + shape[number], indices) * step
        elif shape[number] == g.shape[number]:
            along = [1] * len(shape)
            along[number] = shape[number]
            positions = positions + (np.arange(shape[number]) * step).reshape(along)
        step *= shape[number]
    np.add.at(out, np.broadcast_to(positions, g.shape).ravel(), np.ravel(g))
    return out.reshape(shape)
