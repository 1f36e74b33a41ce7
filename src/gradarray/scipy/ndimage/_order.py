"""Filters that choose one of the neighbours: the gradient goes to the chosen one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._operations import composite
from ...ops.manipulation import stack
from ...ops.sorting import sort
from ...ops.statistical import max as largest
from ...ops.statistical import min as smallest
from .._filters import axes_of, each, mode_of, operand, padded, shifted
from ._linear import _output, _start


def _neighbours(
    op: str, x: Array, size: Any, footprint: Any, mode: Any, cval: float, origin: Any, axes: Any
) -> tuple[Array, int]:
    """The neighbours of each element along a new first axis, and how many there are."""
    along = axes_of(op, x, axes)
    if footprint is None:
        if size is None:
            raise _errors.ArgumentValueError(f"{op}(): size and footprint are missing\nFix: give one of them")
        chosen = np.ones([int(length) for length in each(op, "size", size, len(along))], bool)
    else:
        chosen = np.asarray(footprint.detach()._host() if isinstance(footprint, Array) else footprint).astype(bool)
    if chosen.ndim != len(along) or not chosen.any():
        raise _errors.ShapeError(
            _errors.message(op, f"the footprint must have {len(along)} axes and choose something", [("input", x)])
        )
    modes, origins = each(op, "mode", mode, chosen.ndim), each(op, "origin", origin, chosen.ndim)
    wide = x
    for axis, length, one, shift in zip(along, chosen.shape, modes, origins, strict=True):
        before = _start(op, length, shift)
        wide = padded(wide, axis, before, length - 1 - before, mode_of(op, one), cval)
    windows = []
    for place in np.argwhere(chosen):
        window = wide
        for axis, start in zip(along, place, strict=True):
            window = shifted(window, axis, int(start), x.shape[axis])
        windows.append(window)
    return stack(windows), len(windows)


def _documented(what: str, name: str) -> str:
    return f"""{what} of the neighbours of each element.

    Parameters
    ----------
    input : Array
        Real floating-point numbers; integers count as float64.
    size : int or sequence of int, optional
        How many neighbours, for all axes or for each.
    footprint : array_like of bool, optional
        Which neighbours, in the place of `size`.
    output, mode, cval, origin, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.{name}``. The gradient goes to the neighbour that is chosen; equal ones share it.
    """


@composite
def maximum_filter(
    input: Array,
    size: Any = None,
    footprint: Any = None,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    _output("maximum_filter", output)
    x = operand(maximum_filter, input)
    return largest(_neighbours("maximum_filter", x, size, footprint, mode, cval, origin, axes)[0], axis=0)


@composite
def minimum_filter(
    input: Array,
    size: Any = None,
    footprint: Any = None,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    _output("minimum_filter", output)
    x = operand(minimum_filter, input)
    return smallest(_neighbours("minimum_filter", x, size, footprint, mode, cval, origin, axes)[0], axis=0)


@composite
def median_filter(
    input: Array,
    size: Any = None,
    footprint: Any = None,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    _output("median_filter", output)
    x = operand(median_filter, input)
    windows, count = _neighbours("median_filter", x, size, footprint, mode, cval, origin, axes)
    return sort(windows, axis=0)[count // 2, ...]


for _function, _what in ((maximum_filter, "Largest"), (minimum_filter, "Smallest"), (median_filter, "Median")):
    _function.__doc__ = _documented(_what, _function.__name__)


@composite
def rank_filter(
    input: Array,
    rank: int,
    size: Any = None,
    footprint: Any = None,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    """The neighbour of each element that has a rank among all of its neighbours.

    Parameters
    ----------
    input : Array
        Real floating-point numbers; integers count as float64.
    rank : int
        The rank from the smallest; negative ones from the largest.
    size, footprint, output, mode, cval, origin, axes
        As for `maximum_filter`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ArgumentValueError
        If there are not as many neighbours.

    Notes
    -----
    As ``scipy.ndimage.rank_filter``.
    """
    _output("rank_filter", output)
    x = operand(rank_filter, input)
    windows, count = _neighbours("rank_filter", x, size, footprint, mode, cval, origin, axes)
    if not -count <= rank < count:
        raise _errors.ArgumentValueError(f"rank_filter(): there is no rank {rank} of {count}\nFix: use a lower one")
    return sort(windows, axis=0)[rank, ...]


@composite
def percentile_filter(
    input: Array,
    percentile: float,
    size: Any = None,
    footprint: Any = None,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    """The neighbour of each element at a percentile of all of its neighbours.

    Parameters
    ----------
    input : Array
        Real floating-point numbers; integers count as float64.
    percentile : float
        From 0 to 100; negative ones from the largest.
    size, footprint, output, mode, cval, origin, axes
        As for `maximum_filter`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ArgumentValueError
        If the percentile is out of range.

    Notes
    -----
    As ``scipy.ndimage.percentile_filter``.
    """
    _output("percentile_filter", output)
    x = operand(percentile_filter, input)
    windows, count = _neighbours("percentile_filter", x, size, footprint, mode, cval, origin, axes)
    share = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= share <= 100:
        raise _errors.ArgumentValueError(f"percentile_filter(): {percentile} is no percentile\nFix: use 0 to 100")
    return sort(windows, axis=0)[count - 1 if share == 100 else math.floor(count * share / 100), ...]
