"""Helpers that derivative rules share. They take raw arrays and gradarray arrays alike."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

_complex_dtypes: dict[Any, bool] = {}


def is_complex(x: Any) -> bool:
    """Whether an array, raw or not, or a Python scalar is complex."""
    try:
        return bool(x.dtype.kind == "c")
    except AttributeError:
        if isinstance(x, (bool, int, float, complex)):
            return isinstance(x, complex)
    # The dtypes of other libraries have no kind.
    dtype = x.dtype
    try:
        return _complex_dtypes[dtype]
    except KeyError:
        return _complex_dtypes.setdefault(dtype, "complex" in str(dtype))


def conj(x: Any) -> Any:
    """The complex conjugate; `x` itself, untouched, where it is real."""
    try:
        # Asked of every product in every backward: no call more than this where the dtype can tell.
        if x.dtype.kind != "c":
            return x
    except AttributeError:
        if not is_complex(x):
            return x
    for method in ("conjugate", "conj"):
        if hasattr(x, method):
            return getattr(x, method)()
    return x.__array_namespace__().conj(x)


def real(xp: Any, x: Any) -> Any:
    """The real part; `x` itself, untouched, where it is real."""
    return xp.real(x) if is_complex(x) else x


def number(x: Any) -> Any:
    """The Python number that a constant operand stands for; None if it is to be treated as an array.

    NumPy's kernels get numbers as 0-d arrays where that is faster, so those count, unless they are tracked.
    """
    if isinstance(x, (bool, int, float, complex)):
        return x
    raw = getattr(x, "_data", x)
    if not isinstance(raw, (np.ndarray, np.generic)) or raw.ndim or (raw is not x and x.requires_grad):
        return None
    return raw.item()


def floating(xp: Any, x: Any, g: Any) -> Any:
    """An array of integers, which NumPy's kernels take beside floating-point ones, in the dtype of the cotangent."""
    return xp.astype(x, g.dtype) if getattr(x.dtype, "kind", "f") in "biu" else x


def divisor(xp: Any, x: Any) -> Any:
    """`x` with infinity in the place of 0: what is 0 there stays 0 in the quotient, and so does each derivative."""
    return xp.where(x == 0, inf, x)


def possible(mask: Any) -> bool:
    """Whether a boolean array may be true anywhere: False spares a pass over memory. True where looking is not free."""
    raw = getattr(mask, "_data", mask)
    return bool(raw.any()) if isinstance(raw, (np.ndarray, np.generic)) else True


def may_have_nan(x: Any) -> bool:
    """Whether an array may hold NaN: False spares passes over memory. True where looking is not free."""
    raw = x if type(x) is np.ndarray else getattr(x, "_data", x)
    if not isinstance(raw, (np.ndarray, np.generic)):
        return True
    # One pass; NaN if any element is, and otherwise only where infinities meet.
    total: Any = np.vdot(raw, raw)  # type: ignore[arg-type]
    return bool(total != total)


def expand(xp: Any, g: Any, axis: Any, keepdims: bool, ndim: int) -> Any:
    """Put the axes that a reduction removed back into its cotangent, with length 1; a 0-d one broadcasts as it is."""
    if keepdims or not ndim or axis is None:
        return g
    axes = {a % ndim for a in (axis if isinstance(axis, tuple) else (axis,))}
    lengths = iter(g.shape)
    return xp.reshape(g, tuple([1 if a in axes else next(lengths) for a in range(ndim)]))
