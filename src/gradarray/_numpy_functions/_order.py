"""NumPy's sorting, searching and sets: the order is a constant, and what is picked by it is differentiated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from .._array import Array
from ._table import array, host, implements, is_complex, normal_axis, placed

# --- order -----------------------------------------------------------------------------------------------------------


def _along(a: Any, axis: Any) -> tuple[Array, int]:
    x = array(a)
    return (ga.reshape(x, (-1,)), 0) if axis is None else (x, normal_axis(axis, x.ndim))


def _check_fields(name: str, order: Any) -> None:
    if order is not None:
        raise _errors.ArgumentValueError(f"numpy.{name}(): there are no fields to order by\nFix: leave order out")


@implements("sort")
def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> Any:
    _check_fields("sort", order)
    x, axis = _along(a, axis)
    if is_complex(x):
        return ga.take_along_axis(x, placed(np.argsort(host(x), axis=axis, kind="stable"), x), axis=axis)
    return ga.sort(x, axis=axis)


@implements("argsort")
def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> Any:
    _check_fields("argsort", order)
    x, axis = _along(a, axis)
    if is_complex(x):
        return placed(np.argsort(host(x), axis=axis, kind="stable"), x)
    return ga.argsort(x, axis=axis)


@implements("partition")
def _partition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Any:
    # Elements that are sorted wholly are sorted about any of them.
    _check_kth(a, kth, axis)
    return _sort(a, axis, order=order)


@implements("argpartition")
def _argpartition(a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Any:
    _check_kth(a, kth, axis)
    return _argsort(a, axis, order=order)


def _check_kth(a: Any, kth: Any, axis: Any) -> None:
    x, axis = _along(a, axis)
    for place in np.reshape(host(kth), -1):
        if not -x.shape[axis] <= place < x.shape[axis]:
            raise _errors.ArgumentValueError(
                f"numpy.partition(): {place} is out of range for {x.shape[axis]} elements\nFix: use a place within"
            )


@implements("sort_complex")
def _sort_complex(a: Any) -> Any:
    found = _sort(a)
    return found if is_complex(found) else found + 0j


# --- search ----------------------------------------------------------------------------------------------------------


@implements("searchsorted")
def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    x, values = array(a), array(v)
    if is_complex(x) or is_complex(values):
        found = np.searchsorted(host(x), host(values), side=side, sorter=None if sorter is None else host(sorter))  # type: ignore[call-overload]
        return placed(np.asarray(found), x)
    order = None if sorter is None else array(sorter)
    # What comes first in NumPy's order "l" is "left".
    side = {"l": "left", "r": "right"}.get(side, side)
    return ga.searchsorted(x, values, side=side, sorter=order)


# --- sets ------------------------------------------------------------------------------------------------------------


class UniqueAllResult(NamedTuple):
    """Unique elements, their first places, for each element its place among them, and how often each occurs."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """Unique elements and how often each occurs."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """Unique elements, and for each element its place among them."""

    values: Array
    inverse_indices: Array


@implements("unique")
def _unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,  # noqa: A002 - NumPy's name
) -> Any:
    x = array(ar)
    values = host(x)
    _, index, inverse, counts = np.unique(
        values, return_index=True, return_inverse=True, return_counts=True, axis=axis, equal_nan=equal_nan
    )
    flat = ga.reshape(x, (-1,)) if axis is None else x
    found: list[Any] = [ga.take(flat, placed(index, x), axis=0 if axis is None else normal_axis(axis, x.ndim))]
    for wanted, part in ((return_index, index), (return_inverse, inverse), (return_counts, counts)):
        if wanted:
            found.append(placed(np.asarray(part), x))
    return found[0] if len(found) == 1 else tuple(found)


@implements("unique_all")
def _unique_all(x: Any) -> Any:
    return UniqueAllResult(*_unique(x, True, True, True, equal_nan=False))


@implements("unique_counts")
def _unique_counts(x: Any) -> Any:
    return UniqueCountsResult(*_unique(x, return_counts=True, equal_nan=False))


@implements("unique_inverse")
def _unique_inverse(x: Any) -> Any:
    return UniqueInverseResult(*_unique(x, return_inverse=True, equal_nan=False))


@implements("unique_values")
def _unique_values(x: Any) -> Any:
    return _unique(x, equal_nan=False)


def _both(ar1: Any, ar2: Any) -> tuple[Array, Array]:
    return ga.reshape(array(ar1), (-1,)), ga.reshape(array(ar2), (-1,))


@implements("union1d")
def _union1d(ar1: Any, ar2: Any) -> Any:
    return _unique(ga.concat(_both(ar1, ar2)))


@implements("intersect1d")
def _intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    first, second = _both(ar1, ar2)
    _, index1, index2 = np.intersect1d(host(first), host(second), assume_unique, return_indices=True)
    places = placed(index1, first)
    found = ga.take(first, places, axis=0)
    found = ga.astype(found, _dtypes.promote(first.dtype, second.dtype), copy=False)
    return (found, places, placed(index2, first)) if return_indices else found


@implements("setdiff1d")
def _setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    first, second = _both(ar1, ar2)
    if not assume_unique:
        first = _unique(first)
    left = np.flatnonzero(~np.isin(host(first), host(second)))
    return ga.take(first, placed(left, first), axis=0)


@implements("setxor1d")
def _setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    first, second = _both(ar1, ar2)
    if not assume_unique:
        first, second = _unique(first), _unique(second)
    whole, _, counts = _unique(ga.concat([first, second]), True, False, True)
    return ga.take(whole, placed(np.flatnonzero(host(counts) == 1), whole), axis=0)
