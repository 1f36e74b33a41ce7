"""Helpers that derivative rules share. They take raw arrays and gradarray arrays alike."""

from __future__ import annotations

from typing import Any

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
    if not is_complex(x):
        return x
    if hasattr(x, "conjugate"):
        return x.conjugate()
    return x.__array_namespace__().conj(x)


def expand(xp: Any, g: Any, axis: Any, keepdims: bool, ndim: int) -> Any:
    """Put the axes that a reduction removed back into its cotangent, with length 1."""
    if keepdims or not ndim:
        return g
    if axis is None:
        return xp.reshape(g, (1,) * ndim)
    axes = {a % ndim for a in (axis if isinstance(axis, tuple) else (axis,))}
    lengths = iter(g.shape)
    return xp.reshape(g, tuple([1 if a in axes else next(lengths) for a in range(ndim)]))
