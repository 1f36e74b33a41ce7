"""Normalising and checking of the static arguments that operations share: axes, shapes, dtypes, devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any

from .. import _devices, _dtypes, _errors
from .._array import Array

Shape = tuple[int, ...]


def integer(op: Callable[..., Any], name: str, value: Any) -> int:
    """A Python integer of anything that is an index, 0-d integer arrays included; bools are refused."""
    if isinstance(value, bool):
        raise _errors.ArgumentTypeError(f"{op.__name__}(): {name} must be an integer, not {value!r}\nFix: pass an int")
    try:
        return index(value)
    except TypeError:
        kind = type(value).__qualname__
        raise _errors.ArgumentTypeError(
            f"{op.__name__}(): {name} must be an integer, not {value!r} of type {kind}\nFix: pass an int"
        ) from None


def axis_of(op: Callable[..., Any], x: Array, axis: Any, *, name: str = "axis", extra: int = 0) -> int:
    """A non-negative axis of `x` (of a result with `extra` more axes)."""
    ndim = len(x._data.shape) + extra
    if type(axis) is int and 0 <= axis < ndim:
        return axis
    number = integer(op, name, axis)
    if not -ndim <= number < ndim:
        valid = f"from {-ndim} to {ndim - 1}" if ndim else "none: the array is 0-d"
        raise _errors.AxisError(
            _errors.message(op.__name__, f"{name} {number} is out of range", [("x", x)], f"valid axes are {valid}")
        )
    return number % ndim


def axes_of(op: Callable[..., Any], x: Array, axis: Any, *, name: str = "axis", extra: int = 0) -> Shape:
    """Distinct non-negative axes of `x`, in the order given."""
    parts = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = len(x._data.shape) + extra
    axes = tuple(
        [
            part if type(part) is int and 0 <= part < ndim else axis_of(op, x, part, name=name, extra=extra)
            for part in parts
        ]
    )
    if len(set(axes)) != len(axes):
        raise _errors.AxisError(
            _errors.message(op.__name__, f"{name} {tuple(parts)} names an axis twice", [("x", x)], "name each once")
        )
    return axes


def reduction_axis(op: Callable[..., Any], x: Array, axis: Any) -> int | Shape | None:
    """The `axis` of a reduction: None, one axis or a tuple of axes, non-negative."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        return axes_of(op, x, axis)
    return axis_of(op, x, axis)


def shape_of(op: Callable[..., Any], shape: Any, *, name: str = "shape", unknown: bool = False) -> Shape:
    """A shape as a tuple of non-negative integers; with `unknown`, one of them may be -1."""
    parts: Sequence[Any]
    if isinstance(shape, Array):
        parts = shape.tolist() if shape.ndim else (shape,)
    elif isinstance(shape, (tuple, list)):
        parts = shape
    else:
        parts = (shape,)
    lengths = tuple([part if type(part) is int else integer(op, name, part) for part in parts])
    if not lengths or min(lengths) >= 0:
        return lengths
    if not unknown or min(lengths) < -1:
        raise _errors.ShapeError(
            f"{op.__name__}(): {name} {lengths} has a negative length\nFix: use lengths of 0 and more"
        )
    if lengths.count(-1) > 1:
        raise _errors.ShapeError(
            f"{op.__name__}(): {name} {lengths} has several lengths of -1\nFix: leave out one only"
        )
    return lengths


def device_of(device: Any) -> _devices.Device:
    """The device of an argument: the default device for None."""
    return _devices.default_device() if device is None else _devices.get_device(device)


def dtype_of(op: Callable[..., Any], dtype: Any) -> _dtypes.DType | None:
    """The dtype of an argument; None stays None."""
    return None if dtype is None else _dtypes.as_dtype(dtype, op=op.__name__)


def default_dtype(device: _devices.Device, kind: str) -> _dtypes.DType:
    """The default dtype of a kind (``"real floating"``, ``"integral"``, ...) on a device."""
    return device.backend.default_dtypes((device.type, device.index))[kind]
