"""Sorting functions."""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._dispatch import as_array, run
from .._operations import constant, derivative
from ._arguments import axis_of, default_dtype


@constant
def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Indices that sort an array along an axis.

    Parameters
    ----------
    x : Array
        Array of a real data type, of one or more axes. NaN counts as larger than every number.
    axis : int, default: -1
        Axis along which to sort.
    descending : bool, default: False
        Largest element first.
    stable : bool, default: True
        Keep the order of elements that are equal.

    Returns
    -------
    Array
        Indices, of the shape of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Sorting functions, ``argsort``.
    """
    x = as_array(argsort, x)
    return run(argsort, x, axis=axis_of(argsort, x, axis), descending=bool(descending), stable=bool(stable))


def _sort_x(xp: Any, g: Any, x: Any, like: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Each element's cotangent back to its place; the mean over each run of equal elements.

    The order is found again from `x`, which costs the forward pass nothing; the indices would need as much memory.
    """
    if not x.shape[axis]:
        return g
    before = (slice(None),) * axis
    order = xp.argsort(x, axis=axis, descending=descending, stable=stable)
    values = xp.take_along_axis(x, order, axis=axis)
    later = (*before, slice(1, None), ...)
    one = xp.ones_like(order[later])
    starts = xp.where(values[later] != values[(*before, slice(None, -1), ...)], one, xp.zeros_like(one))
    runs = xp.cumulative_sum(starts, axis=axis, include_initial=True)
    # Half precision cannot count many ties.
    narrow = xp.finfo(g.dtype).bits < 32
    ones = xp.astype(xp.ones_like(order), default_dtype(like.device, "real floating") if narrow else g.dtype)
    total = xp.scatter_along_axis(g * ones, runs, like=like, axis=axis)
    count = xp.scatter_along_axis(ones, runs, like=like, axis=axis)
    mean = xp.take_along_axis(total, runs, axis=axis) / xp.take_along_axis(count, runs, axis=axis)
    return xp.scatter_along_axis(mean, order, like=like, axis=axis)


@derivative(x=_sort_x)
def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Sorted copy of an array.

    Derivative at kinks: elements that tie get equal shares.

    Parameters
    ----------
    x : Array
        Array of a real data type, of one or more axes. NaN counts as larger than every number.
    axis : int, default: -1
        Axis along which to sort.
    descending : bool, default: False
        Largest element first.
    stable : bool, default: True
        Keep the order of elements that are equal.

    Returns
    -------
    Array
        Array of the shape and data type of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Sorting functions, ``sort``.
    """
    x = as_array(sort, x)
    return run(sort, x, axis=axis_of(sort, x, axis), descending=bool(descending), stable=bool(stable))
