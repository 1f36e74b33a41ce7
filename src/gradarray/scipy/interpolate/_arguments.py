"""The arguments that interpolators share: on one device, in one precision, with the axis of interpolation in front."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ... import _dtypes, _errors
from ..._array import Array
from ..._devices import Device, default_device
from ..._dispatch import check_devices
from ...ops._arguments import default_dtype
from ...ops.conversion import asarray
from ...ops.data_type import astype
from ...ops.manipulation import moveaxis, permute_dims, reshape
from ...ops.searching import searchsorted


def alike(op: str, **operands: Any) -> list[Array]:
    """Operands as floating-point arrays of one precision on one device.

    Those that are arrays of ours say where and how precise. NumPy's arrays, sequences and numbers are constants, and
    follow. A real operand stays real beside a complex one.
    """
    ours = [x for x in operands.values() if isinstance(x, Array)]
    check_devices(op, [(name, x) for name, x in operands.items() if isinstance(x, Array)])
    device: Device = ours[0].device if ours else default_device()
    floating = [x.dtype for x in ours if x.dtype in _dtypes.DIFFERENTIABLE]
    precision = _dtypes.result_dtype(floating, []) if floating else default_dtype(device, "real floating")
    single = precision in (_dtypes.float32, _dtypes.complex64)
    real, pair = (_dtypes.float32, _dtypes.complex64) if single else (_dtypes.float64, _dtypes.complex128)
    real = real if _dtypes.kind_of(precision) == "c" else precision
    found = []
    for name, x in operands.items():
        try:
            values = x if isinstance(x, Array) else _constant(x, device, real, pair)
        except _errors.GradarrayError as error:
            raise type(error)(f"{op}(): {name} is not an array of numbers\n{error}") from None
        found.append(astype(values, pair if _dtypes.kind_of(values.dtype) == "c" else real, copy=False))
    return found


def _constant(x: Any, device: Device, real: Any, pair: Any) -> Array:
    """NumPy's array, a number or a sequence in the precision of the others: the device may have no other one."""
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "biufc":
        return asarray(np.asarray(x).astype(pair if x.dtype.kind == "c" else real), device=device)
    return asarray(x, device=device)


def refuse(op: str, problem: str, fix: str, **operands: Any) -> _errors.ShapeError:
    """The error for operands that do not fit."""
    return _errors.ShapeError(_errors.message(op, problem, list(operands.items()), fix))


def invalid(op: str, problem: str, fix: str, **operands: Any) -> _errors.ArgumentValueError:
    """The error for an argument of a value that is not taken."""
    return _errors.ArgumentValueError(_errors.message(op, problem, list(operands.items()), fix))


def whole(op: str, name: str, value: Any, least: int = 0) -> int:
    """A Python integer that is not too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise _errors.ArgumentTypeError(f"{op}(): {name} is {value!r}\nFix: pass an integer") from None
    if number < least:
        raise _errors.ArgumentValueError(f"{op}(): {name} is {number}\nFix: pass {least} or more")
    return number


def host(x: Any) -> np.ndarray[Any, Any]:
    """The values of an array in NumPy's memory, without history: for what does not change under small changes."""
    return x._host() if isinstance(x, Array) else np.asarray(x)


def constant(values: np.ndarray[Any, Any], like: Array) -> Array:
    """A NumPy array on the device of another."""
    return asarray(values, device=like.device, copy=True)


def number_of_axis(op: str, x: Array, axis: Any) -> int:
    """A non-negative axis of an array."""
    number = operator.index(axis)
    if not -x.ndim <= number < x.ndim:
        raise _errors.AxisError(
            _errors.message(op, f"axis {number} is out of range", [("y", x)], f"pass one of {x.ndim} axes")
        )
    return number % x.ndim


def points_and_values(op: str, x: Array, y: Array, axis: Any, least: int = 2) -> tuple[Array, int]:
    """The values with the axis of interpolation in front, and that axis; checked against the points."""
    if x.ndim != 1:
        raise refuse(op, "the points must be 1-D", "reshape x", x=x)
    if not y.ndim:
        raise refuse(op, "the values must have an axis", "pass a value for each point", y=y)
    number = number_of_axis(op, y, axis)
    if y.shape[number] != x.shape[0]:
        raise refuse(op, f"there must be a value for each point along axis {number}", "choose axis=", x=x, y=y)
    if x.shape[0] < least:
        raise refuse(op, f"at least {least} points are needed", "pass more", x=x)
    check_increasing(op, x)
    return moveaxis(y, number, 0), number


def check_increasing(op: str, x: Array, *, strictly: bool = True, name: str = "x") -> None:
    """Refuse points that are not finite or not in ascending order."""
    values = host(x)
    if not np.all(np.isfinite(values)):
        raise invalid(op, f"{name} has values that are not finite", "leave them out", **{name: x})
    steps = np.diff(values)
    if np.any(steps <= 0) if strictly else np.any(steps < 0):
        order = "strictly increase" if strictly else "not decrease"
        raise invalid(op, f"{name} must {order}", f"sort {name}, and the values with it", **{name: x})


def found_in(knots: Array, x: Array, side: str = "right") -> Array:
    """Where points belong among ascending knots, as constants."""
    # A sum is a new array without gaps, of which libraries make a copy where they are given a view.
    return searchsorted(knots.detach() + 0, x.detach() + 0, side=side)


def columns(x: Array, ndim: int) -> Array:
    """A 1-D array as one of as many axes, along the first."""
    return reshape(x, (x.shape[0], *(1,) * (ndim - 1)))


def put_back(out: Array, points_ndim: int, axis: int) -> Array:
    """A result with the axes of the points in front, with them in the place of the axis of interpolation."""
    if not axis:
        return out
    order = list(range(out.ndim))
    return permute_dims(
        out, (*order[points_ndim : points_ndim + axis], *order[:points_ndim], *order[points_ndim + axis :])
    )


def matrix(x: Array) -> Array:
    """An array of the first axis and all others in one."""
    return reshape(x, (x.shape[0], math.prod(x.shape[1:])))
