"""Utility functions."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from .. import _errors
from .._array import Array
from .._dispatch import as_array, check_devices, run
from .._dtypes import promote_scalar
from .._operations import composite, constant
from ._arguments import axis_of, integer, reduction_axis
from .conversion import SCALARS, from_nested
from .manipulation import broadcast_to, concat


@constant
def all(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: builtins.bool = False) -> Array:
    """Whether all elements along axes are true, that is, not zero.

    Parameters
    ----------
    x : Array
        Array of any data type; NaN is true.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Boolean array; true where there are no elements.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Utility functions, ``all``.
    """
    x = as_array(all, x)
    return run(all, x, axis=reduction_axis(all, x, axis), keepdims=bool(keepdims))


@constant
def any(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: builtins.bool = False) -> Array:
    """Whether some element along axes is true, that is, not zero.

    Parameters
    ----------
    x : Array
        Array of any data type; NaN is true.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Boolean array; false where there are no elements.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Utility functions, ``any``.
    """
    x = as_array(any, x)
    return run(any, x, axis=reduction_axis(any, x, axis), keepdims=bool(keepdims))


@composite
def diff(x: Array, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Array:
    """Differences of neighbouring elements along an axis.

    Parameters
    ----------
    x : Array
        Array of one or more axes; for booleans, a difference is whether neighbours differ.
    axis : int, default: -1
        Axis along which to take differences.
    n : int, default: 1
        How often to take them; 0 gives `x`.
    prepend, append : Array or number, optional
        What to put in front of and behind `x` first: arrays of its shape but for the axis, or numbers and 0-d arrays.

    Returns
    -------
    Array
        Array shorter by `n` along the axis than what the differences are taken of.

    Raises
    ------
    AxisError
        If there is no such axis.
    ArgumentValueError
        If `n` is negative.
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Standard: Utility functions, ``diff``.
    """
    check_devices("diff", [("x", x), ("prepend", prepend), ("append", append)])
    x = as_array(diff, x)
    position = axis_of(diff, x, axis)
    times = integer(diff, "n", n)
    if times < 0:
        raise _errors.ArgumentValueError(f"diff(): n is {times}\nFix: pass a number of 0 or more")
    if prepend is not None or append is not None:
        parts = [_border(x, prepend, position), x, _border(x, append, position)]
        x = concat([part for part in parts if part is not None], axis=position)
    before = (slice(None),) * position
    for _ in range(times):
        if not x.shape[position]:
            break
        later, sooner = x[(*before, slice(1, None), ...)], x[(*before, slice(None, -1), ...)]
        x = later != sooner if x.dtype.kind == "b" else later - sooner
    return x


def _border(x: Array, part: Any, axis: int) -> Array | None:
    if part is None:
        return None
    if type(part) in SCALARS:
        part = from_nested(part, x._device, promote_scalar(x.dtype, type(part)))
    elif isinstance(part, np.generic):
        part = from_nested(part, x._device)
    border = as_array(diff, part)
    if border.ndim:
        return border
    return broadcast_to(border, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
