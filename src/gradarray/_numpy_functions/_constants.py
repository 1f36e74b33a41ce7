"""NumPy's functions whose results have the derivative zero, or are no numbers: NumPy computes them on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gradarray as ga

from .._array import Array
from ._table import FUNCTIONS, array, first_array, host, implements, placed, written


def brought(x: Any) -> Any:
    """Arrays of ours in nested sequences and dictionaries as NumPy's, without history, not to be written into."""
    if isinstance(x, Array):
        return host(x)
    if type(x) in (tuple, list):
        return type(x)(brought(part) for part in x)
    return {name: brought(part) for name, part in x.items()} if type(x) is dict else x


def returned(x: Any, like: Array) -> Any:
    """What NumPy answered, with its arrays and scalars as arrays on the device of another."""
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "biufc" and x.dtype in _KNOWN:
        return placed(np.asarray(x), like)
    if isinstance(x, tuple):
        parts = [returned(part, like) for part in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    return [returned(part, like) for part in x] if type(x) is list else x


_KNOWN = frozenset(
    np.dtype(name) for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
) | {np.dtype("complex64"), np.dtype("complex128"), np.dtype("float16")}


def _computed_by_numpy(name: str) -> None:
    def constant(*args: Any, **kwargs: Any) -> Any:
        like = first_array(args, kwargs)
        out = kwargs.pop("out", None)
        function: Callable[..., Any] = getattr(np, name)
        found = function(*brought(args), **brought(kwargs))
        return written(found if like is None else returned(found, like), out, name)

    FUNCTIONS[name] = constant


for _name in (
    "argwhere array2string array_repr array_str array_equiv can_cast common_type count_nonzero diag_indices_from "
    "digitize flatnonzero iscomplexobj isin isneginf isposinf isrealobj lexsort may_share_memory min_scalar_type "
    "nanargmax nanargmin ndim packbits ravel_multi_index result_type shape shares_memory size tril_indices_from "
    "triu_indices_from unpackbits unravel_index"
).split():
    _computed_by_numpy(_name)


@implements("nonzero")
def _nonzero(a: Any) -> Any:
    return ga.nonzero(array(a))


@implements("iscomplex")
def _iscomplex(x: Any) -> Any:
    values = array(x)
    return ga.imag(values) != 0 if values.dtype.kind == "c" else ga.zeros(values.shape, dtype=ga.bool)


@implements("isreal")
def _isreal(x: Any) -> Any:
    return ~_iscomplex(x)


def _close(a: Any, b: Any) -> tuple[Any, Any]:
    return tuple([x if type(x) in (bool, int, float, complex) else array(x) for x in (a, b)])  # type: ignore[return-value]


@implements("isclose")
def _isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    return ga.isclose(*_close(a, b), *_tolerances(rtol, atol), equal_nan)


@implements("allclose")
def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    return ga.allclose(*_close(a, b), *_tolerances(rtol, atol), equal_nan)


def _tolerances(rtol: Any, atol: Any) -> tuple[Any, Any]:
    return tuple([x.detach() if isinstance(x, Array) else x for x in (rtol, atol)])  # type: ignore[return-value]


@implements("array_equal")
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    return bool(np.array_equal(host(a1), host(a2), equal_nan=equal_nan))
