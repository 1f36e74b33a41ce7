"""Values, dtypes and shapes of the statistical, searching, set, sorting and utility functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ._cases import Cases, quick
from ._draw import SPECIAL, Call, Draw, Values, call

CASES = Cases("main")


def _axis(d: Draw, x: Values) -> Any:
    return d.pick(None, d.axis(x.ndim)) if x.ndim else None


# --- statistical functions -------------------------------------------------------------------------------------------


@CASES.case("sum", "prod", tolerance=64, absolute=4)
def accumulations(d: Draw, name: str) -> Call:
    x = d.array("numeric", low=-5 if name == "sum" else -2, high=5 if name == "sum" else 2)
    kinds = {"i": "signed", "u": "unsigned", "f": "real floating", "c": "complex floating"}
    dtype = d.pick(None, d.dtype(kinds[x.dtype.kind]))
    return call(x, **d.some(axis=d.axes(x.ndim), dtype=dtype, keepdims=d.flag()))


@CASES.case("cumulative_sum", "cumulative_prod", tolerance=64, absolute=4)
def running(d: Draw) -> Call:
    x = d.array("numeric", 1, 3, low=-2, high=2)
    axis = d.pick(None, d.axis(x.ndim)) if x.ndim == 1 else d.axis(x.ndim)
    kinds = {"i": "signed", "u": "unsigned", "f": "real floating", "c": "complex floating"}
    dtype = d.pick(None, d.dtype(kinds[x.dtype.kind]))
    kwargs = d.some(axis=axis) if x.ndim == 1 else {"axis": axis}
    return call(x, **kwargs, **d.some(dtype=dtype, include_initial=d.flag()))


@CASES.case("max", "min")
def extremes(d: Draw) -> Call:
    x = d.array("real", empty=False, special=(np.nan, np.inf, -np.inf) if d.flag() else ())
    return call(x, **d.some(axis=d.axes(x.ndim), keepdims=d.flag()))


@CASES.case("mean", tolerance=64, absolute=4)
def mean(d: Draw) -> Call:
    x = d.array("floating")
    return call(x, **d.some(axis=d.axes(x.ndim), keepdims=d.flag()))


@CASES.case("std", "var", tolerance=256, absolute=1)
def spread(d: Draw) -> Call:
    x = d.array("real floating", empty=False)
    axis = d.axes(x.ndim)
    parts = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    count = int(np.prod([x.shape[part] for part in parts]))
    corrections = [correction for correction in (0, 0.0, 0.5, 1, 1.0, 2) if correction < count]
    return call(x, **d.some(axis=axis, correction=d.pick(*corrections), keepdims=d.flag()))


# --- utility functions -----------------------------------------------------------------------------------------------


@CASES.case("all", "any")
def truth(d: Draw, name: str) -> Call:
    dtype = d.dtype("all")
    x = d.values(dtype, d.shape(), low=-1, high=1, special=(np.nan, 0.0) if dtype.kind == "f" else ())
    if d.flag():
        rare = d.rng.integers(0, 5, x.shape) == 0
        x = np.asarray(np.where(rare, x, name == "all")).astype(dtype)
    return call(x, **d.some(axis=d.axes(x.ndim), keepdims=d.flag()))


def _differences(x: Any, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    parts = [part for part in (prepend, x, append) if part is not None]
    result = np.concatenate(parts, axis=axis)
    for _ in range(n):
        ahead = [slice(None)] * x.ndim
        behind = list(ahead)
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        result = result[tuple(ahead)] - result[tuple(behind)]
    return result


@CASES.case("diff", reference=_differences, tolerance=8, absolute=8)
def diff(d: Draw) -> Call:
    x = d.array("numeric", 1, 3)
    axis = d.axis(x.ndim)

    def edge() -> Any:
        shape = list(x.shape)
        shape[axis] = d.pick(1, 2, 0)
        return None if d.flag() else d.values(x.dtype, tuple(shape))

    kwargs = d.some(axis=axis) if axis in (-1, x.ndim - 1) else {"axis": axis}
    return call(x, **kwargs, **d.some(n=d.pick(1, 2, 0, 3), prepend=edge(), append=edge()))


# --- searching functions ---------------------------------------------------------------------------------------------


@CASES.case("argmax", "argmin")
def extreme_places(d: Draw) -> Call:
    x = d.array("real", empty=False)
    return call(x, **d.some(axis=_axis(d, x), keepdims=d.flag()))


@CASES.case("count_nonzero")
def count_nonzero(d: Draw) -> Call:
    x = d.array("all", low=-1, high=1, special=SPECIAL)
    return call(x, **d.some(axis=d.axes(x.ndim), keepdims=d.flag()))


@CASES.case("nonzero")
def nonzero(d: Draw) -> Call:
    return call(d.array("all", 1, 3, low=-1, high=1))


@CASES.case("where")
def where(d: Draw) -> Call:
    x1, x2 = d.pair("all")
    shape = np.broadcast_shapes(np.shape(x1), np.shape(x2))
    return call(d.values("bool", d.stretchable(shape)), x1, x2)


@CASES.case("searchsorted", reference=lambda x1, x2, **kwargs: np.asarray(np.searchsorted(x1, x2, **kwargs)))
def searchsorted(d: Draw) -> Call:
    dtype = d.dtype("real")
    x1 = d.values(dtype, (d.side() + 2,), low=-2, high=2)
    sorter = np.argsort(x1, stable=True)
    x2 = d.scalar(dtype, high=2) if d.rarely() else d.values(dtype, d.shape(0, 2), low=-3, high=3)
    kwargs = d.some(side=d.pick("left", "right"))
    if d.flag():
        return call(x1, x2, sorter=sorter, **kwargs)
    return call(x1[sorter], x2, **kwargs, **d.some(sorter=None))


# --- set functions ---------------------------------------------------------------------------------------------------


@CASES.case("isin", reference=np.isin)
def isin(d: Draw) -> Call:
    first, second = d.promotable("integral")
    x1, x2 = d.values(first, d.shape(), low=-3, high=3), d.values(second, d.shape(), low=-2, high=2)
    operands = d.pick((x1, x2), (x1, x2), (x1, d.scalar(first)), (d.scalar(second), x2))
    return call(*operands, **d.some(invert=d.flag()))


def _unique(drawn: Call, *, values: Any, indices: Any = None, inverse: Any = None, counts: Any = None) -> None:
    """Assert that these are the unique values: the standard leaves the order open, and every NaN is one of its own."""
    (x,) = drawn.args
    flat = x.ravel()
    assert values.dtype == x.dtype
    assert values.ndim == 1
    expected = np.unique(flat, equal_nan=False)
    assert np.array_equal(np.sort(values), expected, equal_nan=x.dtype.kind in "fc")
    if indices is not None:
        assert indices.dtype == np.int64
        assert np.array_equal(flat[indices], values, equal_nan=x.dtype.kind in "fc")
        finite = ~np.isnan(values) if values.dtype.kind in "fc" else np.ones(values.shape, bool)
        first = [int(np.flatnonzero(flat == value)[0]) for value in values[finite]]
        assert indices[finite].tolist() == first, "not the first occurrences"
    if inverse is not None:
        assert inverse.dtype == np.int64
        assert inverse.shape == x.shape
        assert np.array_equal(values[inverse], x, equal_nan=x.dtype.kind in "fc")
    if counts is not None:
        assert counts.dtype == np.int64
        assert counts.tolist() == [max(1, int(np.sum(flat == value))) for value in values]


_UNIQUE = {
    "unique_all": lambda found, drawn: _unique(
        drawn, values=found[0], indices=found[1], inverse=found[2], counts=found[3]
    ),
    "unique_counts": lambda found, drawn: _unique(drawn, values=found[0], counts=found[1]),
    "unique_inverse": lambda found, drawn: _unique(drawn, values=found[0], inverse=found[1]),
    "unique_values": lambda found, drawn: _unique(drawn, values=found),
}


@CASES.case(*_UNIQUE, check=_UNIQUE)
def unique(d: Draw) -> Call:
    dtype = d.dtype("all")
    return call(d.values(dtype, d.shape(), low=-2, high=2, special=(np.nan, 0.0, -0.0) if dtype.kind == "f" else ()))


# --- sorting functions -----------------------------------------------------------------------------------------------


def _sorted(x: Any, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    result = np.sort(x, axis=axis, stable=True)
    return np.flip(result, axis) if descending else result


@CASES.case("sort", reference=_sorted)
def sort(d: Draw) -> Call:
    x = d.array("real", 1, 3)
    return call(x, **d.some(axis=d.axis(x.ndim), descending=d.flag(), stable=d.flag()))


def _sorting(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    axis, stable = drawn.kwargs.get("axis", -1), drawn.kwargs.get("stable", True)
    descending = drawn.kwargs.get("descending", False)
    assert found.dtype == np.int64
    assert found.shape == x.shape
    ordered = np.take_along_axis(x, found, axis)
    assert np.array_equal(ordered, _sorted(x, axis, descending))
    assert np.array_equal(np.sort(found, axis=axis), np.sort(np.argsort(x, axis=axis), axis=axis)), "no permutation"
    if stable:
        places, values = np.moveaxis(found, axis, -1), np.moveaxis(ordered, axis, -1)
        tie = values[..., 1:] == values[..., :-1]
        assert np.all(np.diff(places, axis=-1)[tie] > 0), "equal elements changed places"


@CASES.case("argsort", check=_sorting)
def argsort(d: Draw) -> Call:
    x = d.array("real", 1, 3, low=-2, high=2)
    return call(x, **d.some(axis=d.axis(x.ndim), descending=d.flag(), stable=d.flag()))


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)
