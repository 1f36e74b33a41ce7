"""Searching functions: positions of elements, counts, and the choice between two arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _dtypes, _errors
from .._array import Array
from .._devices import Device
from .._dispatch import as_array, check_devices, finish, foreign, run, run_several, translated, unwrap, wrap
from .._operations import constant, derivative
from ._arguments import axis_of, default_dtype, reduction_axis
from .conversion import SCALARS, from_nested, scalar_dtype
from .data_type import astype


def alike(op: Callable[..., Any], device: Device, operands: Sequence[Any], raws: Sequence[Any]) -> list[Array]:
    """Operands, each an array or a Python number, as arrays of the data type that they promote to.

    Kernels of different libraries promote by different rules, or not at all. `raws` are what `unwrap` made of them.
    """
    parts = [
        x if type(x) is Array or type(x) in SCALARS else _constant(op, device, x, raw)
        for x, raw in zip(operands, raws, strict=True)
    ]
    numbers: list[Any] = [x for x in parts if type(x) is not Array]
    dtypes = [x.dtype for x in parts if type(x) is Array]
    if not dtypes:
        dtypes.append(scalar_dtype(device, numbers[0]))
    dtype = _dtypes.result_dtype(dtypes, [type(number) for number in numbers])
    return [astype(x, dtype, copy=False) if type(x) is Array else from_nested(x, device, dtype) for x in parts]


def _constant(op: Callable[..., Any], device: Device, x: Any, raw: Any) -> Array:
    if type(raw) is not device.array_type:
        raise foreign(op, "an operand", x)
    return wrap(raw, device)


@constant
def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first largest element along an axis.

    Parameters
    ----------
    x : Array
        Array of a real data type.
    axis : int, optional
        Axis to reduce; by default the index is that in the flattened array.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements to choose from.

    Notes
    -----
    Standard: Searching functions, ``argmax``.
    """
    x = as_array(argmax, x)
    return run(argmax, x, axis=None if axis is None else axis_of(argmax, x, axis), keepdims=bool(keepdims))


@constant
def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first smallest element along an axis.

    Parameters
    ----------
    x : Array
        Array of a real data type.
    axis : int, optional
        Axis to reduce; by default the index is that in the flattened array.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Indices.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements to choose from.

    Notes
    -----
    Standard: Searching functions, ``argmin``.
    """
    x = as_array(argmin, x)
    return run(argmin, x, axis=None if axis is None else axis_of(argmin, x, axis), keepdims=bool(keepdims))


@constant
def count_nonzero(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Number of elements that are not zero, along axes.

    Parameters
    ----------
    x : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes to count over; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        Counts.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Searching functions, ``count_nonzero``.
    """
    x = as_array(count_nonzero, x)
    return run(count_nonzero, x, axis=reduction_axis(count_nonzero, x, axis), keepdims=bool(keepdims))


@constant
def nonzero(x: Array, /) -> tuple[Array, ...]:
    """Indices of the elements that are not zero, in row-major order.

    Parameters
    ----------
    x : Array
        Array of any data type, of one or more axes.

    Returns
    -------
    tuple of Array
        For each axis of `x`, the indices along it.

    Raises
    ------
    ShapeError
        If `x` is 0-d.

    Notes
    -----
    Standard: Searching functions, ``nonzero``.
    """
    x = as_array(nonzero, x)
    if not x.ndim:
        raise _errors.ShapeError(
            _errors.message("nonzero", "a 0-d array has no indices", [("x", x)], "gradarray.reshape(x, (1,))")
        )
    return run_several(nonzero, x)


@constant
def searchsorted(x1: Array, x2: Any, /, *, side: str = "left", sorter: Array | None = None) -> Array:
    """Indices at which values can be inserted into a sorted array so that it stays sorted.

    Parameters
    ----------
    x1 : Array
        1-D array in ascending order, or in the order that `sorter` gives it. NaN counts as larger than every number.
    x2 : Array, int or float
        Values to insert.
    side : {"left", "right"}, default: "left"
        Whether to insert before or after the elements that equal the value.
    sorter : Array, optional
        Indices that sort `x1`, as of `argsort`.

    Returns
    -------
    Array
        Indices, of the shape of `x2`.

    Raises
    ------
    ArgumentValueError
        If `side` is neither of the two.
    ShapeError
        If `x1` is not 1-D, or `sorter` is not of its shape.
    DTypeError
        If `sorter` does not hold integers.

    Notes
    -----
    Standard: Searching functions, ``searchsorted``.
    """
    operands = [("x1", x1), ("x2", x2), ("sorter", sorter)]
    check_devices("searchsorted", operands)
    if side not in ("left", "right"):
        raise _errors.ArgumentValueError(f'searchsorted(): side is {side!r}\nFix: pass "left" or "right"')
    device, raws, _ = unwrap(searchsorted, (x1, x2) if sorter is None else (x1, x2, sorter))
    x1 = as_array(searchsorted, x1)
    if x1.ndim != 1:
        raise _errors.ShapeError(
            _errors.message("searchsorted", "x1 must be 1-D", [("x1", x1), ("x2", x2)], "search each row on its own")
        )
    order = None
    if sorter is not None:
        indices = sorter if type(sorter) is Array else _constant(searchsorted, device, sorter, raws[2])
        if indices.dtype.kind not in "iu":
            raise _errors.DTypeError(
                _errors.message("searchsorted", "sorter must hold integers", operands, "gradarray.argsort(x1)")
            )
        if indices.shape != x1.shape:
            raise _errors.ShapeError(
                _errors.message("searchsorted", "sorter must have the shape of x1", operands, "gradarray.argsort(x1)")
            )
        order = astype(indices, default_dtype(device, "indexing"), copy=False)._data
    first, second = alike(searchsorted, device, (x1, x2), raws[:2])
    try:
        out = device.kernels[searchsorted](first._data, second._data, side=side, sorter=order)
    except Exception as error:
        raise translated(error, searchsorted, (x1, x2)) from error
    return wrap(out, device)


@derivative(
    x1=lambda xp, g, condition: xp.where(condition, g, 0),
    x2=lambda xp, g, condition: xp.where(condition, 0, g),
    kind="elementwise",
    masks=True,
)
def where(condition: Array, x1: Any, x2: Any, /) -> Array:
    """Elements of one of two operands, as a condition says.

    Parameters
    ----------
    condition : Array
        Boolean array; of another data type, whether elements are not zero.
    x1, x2 : Array, bool, int, float or complex
        What to take where the condition is true, and where it is false; their data types are promoted. All three
        shapes broadcast.

    Returns
    -------
    Array
        The elements.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.
    ScalarOverflowError
        If a Python integer is not in the range of the data type.

    Notes
    -----
    Standard: Searching functions, ``where``.
    """
    if type(condition) is Array and (
        (type(x1) is Array and _as_it_is(x1, x2)) or (type(x2) is Array and _as_it_is(x2, x1))
    ):
        device = condition._device
        if condition.dtype is not _dtypes.bool:
            check_devices("where", [("condition", condition), ("x1", x1), ("x2", x2)])
            condition = astype(condition, _dtypes.bool)
        elif type(x1) is Array and type(x2) is Array and x1._device is device:
            # `run` without its loops.
            raws = (condition._data, x1._data, x2._data)
            try:
                out = device.kernels[where](*raws)
            except Exception as error:
                raise translated(error, where, (condition, x1, x2)) from error
            return finish(where, out, device, raws, (condition._node, x1._node, x2._node), {})
        return run(where, condition, x1, x2)
    device, raws, _ = unwrap(where, (condition, x1, x2))
    if type(raws[0]) is not device.array_type:
        raise foreign(where, "condition", condition)
    if type(condition) is not Array:
        condition = wrap(raws[0], device)
    x1, x2 = alike(where, device, (x1, x2), raws[1:])
    if condition.dtype != _dtypes.bool:
        condition = astype(condition, _dtypes.bool)
    return run(where, condition, x1, x2)


def _as_it_is(x: Array, other: Any) -> bool:
    """Whether every kernel takes another operand beside `x` without a cast."""
    if type(other) is Array:
        return other._device is x._device and bool(other._data.dtype == x._data.dtype)
    return type(other) in (float, int) and _dtypes.kind_of(x.dtype) in "fc"
