"""NumPy's own functions as kernels, and the corrections where NumPy differs from the standard.

A bare ufunc costs no Python frame, so it stands in the table wherever it is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Kernel = Callable[..., Any]

_BARE = (
    "abs add atan2 bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor "
    "copysign acos acosh asin asinh atan atanh ceil cos cosh divide equal exp expm1 floor floor_divide greater "
    "greater_equal hypot isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not "
    "logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow reciprocal remainder sign "
    "signbit sin sinh sqrt square subtract tan tanh trunc"
).split()

KERNELS: dict[str, Kernel] = {name: getattr(np, name) for name in _BARE}
KERNELS["conj"] = np.conjugate


def kernel(function: Kernel) -> Kernel:
    """Put a function into the table under its own name."""
    KERNELS[function.__name__.rstrip("_")] = function
    return function


# --- elementwise -----------------------------------------------------------------------------------------------------


@kernel
def round_(x: Any) -> Any:
    return np.round(x) if x.dtype.kind in "fc" else np.positive(x)


@kernel
def real(x: Any) -> Any:
    # np.real is a view; results of operations never share memory unless they are views to us too.
    return np.array(x.real)


@kernel
def imag(x: Any) -> Any:
    return np.array(x.imag)


# --- reductions: the ufunc's reduce, without the Python frames of np.sum and its like --------------------------------


@kernel
def sum_(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.add.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


@kernel
def prod(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.multiply.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


@kernel
def max_(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return np.maximum.reduce(x, axis=axis, keepdims=keepdims)


@kernel
def min_(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return np.minimum.reduce(x, axis=axis, keepdims=keepdims)


@kernel
def mean(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    # float16 sums overflow early; NumPy's own mean adds them up in float32.
    if x.dtype.itemsize == 2:
        return np.mean(x, axis=axis, keepdims=keepdims)
    total = np.add.reduce(x, axis=axis, keepdims=keepdims)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / (x.size // total.size if total.size else 1)


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
def matmul(x1: Any, x2: Any) -> Any:
    return np.matmul(x1, x2)


KERNELS["matmul"] = np.matmul


@kernel
def scatter(g: Any, *, like: Any, key: Any) -> Any:
    out = np.zeros(like.shape, dtype=g.dtype)
    parts = key if type(key) is tuple else (key,)
    if any(isinstance(part, np.ndarray) and part.dtype.kind != "b" for part in parts):
        np.add.at(out, key, g)
    else:
        out[key] = g
    return out
