"""Integrals of functions that are known at points: sums of their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._dtypes import result_dtype
from ..._operations import composite
from ...ops._arguments import axis_of
from ...ops.conversion import asarray
from ...ops.data_type import astype
from ...ops.manipulation import broadcast_to, concat, flip, moveaxis
from ...ops.searching import where
from ...ops.statistical import cumulative_sum
from ...ops.statistical import sum as sum_
from .._captures import device_for, floating, values_of


def _operand(op: str, name: str, x: Any, device: Device) -> Array:
    return floating(values_of(op, x, device, name))


def _step(op: str, dx: Any, y: Array) -> Any:
    """The distance of points: a number, or an array on the device of the values."""
    if isinstance(dx, (list, tuple, np.ndarray)):
        return _operand(op, "dx", dx, y.device)
    return dx


def _values(function: Callable[..., Any], y: Any, x: Any, dx: Any, axis: Any) -> tuple[Array, Any, int]:
    """The values with the axis of integration last, the points, and the number of that axis."""
    op = function.__name__
    device = device_for(op, ("y", y), ("x", x), ("dx", dx))
    values = _operand(op, "y", y, device)
    number = axis_of(function, values, axis)
    points = None if x is None else _operand(op, "x", x, device)
    return moveaxis(values, number, -1), points, number


def _points(op: str, y: Array, x: Array, axis: int, *, broadcast: bool = False) -> Array:
    """The points as they lie along the last axis of the values."""
    if x.ndim == 1:
        points = x
    elif broadcast:
        shape = (*y.shape[:axis], y.shape[-1], *y.shape[axis:-1])
        points = moveaxis(broadcast_to(x, shape), axis, -1)
    elif x.ndim == y.ndim:
        points = moveaxis(x, axis, -1)
    else:
        problem = "the points must be 1-D or have as many axes as the values"
        raise _errors.ShapeError(_errors.message(op, problem, [("y", y), ("x", x)], "reshape x"))
    if points.shape[-1] != y.shape[-1]:
        problem = f"there must be a point for each value along axis {axis}"
        raise _errors.ShapeError(_errors.message(op, problem, [("y", y), ("x", x)], "choose axis="))
    return points


@composite
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Array:
    """Integral of sampled values by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        Values; integers count as float64.
    x : array_like, optional
        Points at which they are taken: 1-D, or of a shape that broadcasts to that of `y`.
    dx : float or array_like, default: 1.0
        Distance of the points, without `x`.
    axis : int, default: -1
        The axis along which to integrate.

    Returns
    -------
    Array
        Without the axis.

    Raises
    ------
    AxisError
        If `y` does not have the axis.
    ShapeError
        If the points do not fit the values.

    Notes
    -----
    As ``scipy.integrate.trapezoid``. Differentiable in `y`, `x` and `dx`.
    """
    op = "trapezoid"
    values, points, number = _values(trapezoid, y, x, dx, axis)
    if points is None:
        step = _step(op, dx, values)
        if isinstance(step, Array) and step.ndim > 1:
            step = moveaxis(step, number, -1)
    else:
        points = _points(op, values, points, number, broadcast=True)
        step = points[..., 1:] - points[..., :-1]
    return sum_(step * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)


@composite
def cumulative_trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None) -> Array:
    """Integral of sampled values up to each point, by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        Values; integers count as float64.
    x : array_like, optional
        Points at which they are taken: 1-D, or of as many axes as `y`.
    dx : float, default: 1.0
        Distance of the points, without `x`.
    axis : int, default: -1
        The axis along which to integrate.
    initial : 0, optional
        Put a 0 in front, for the first point.

    Returns
    -------
    Array
        One element shorter along the axis than `y`; of the shape of `y` with `initial`.

    Raises
    ------
    AxisError
        If `y` does not have the axis.
    ShapeError
        If the points do not fit the values, or there is none.
    ArgumentValueError
        If `initial` is anything else.

    Notes
    -----
    As ``scipy.integrate.cumulative_trapezoid``. Differentiable in `y`, `x` and `dx`.
    """
    op = "cumulative_trapezoid"
    values, points, number = _values(cumulative_trapezoid, y, x, dx, axis)
    if not values.shape[-1]:
        raise _errors.ShapeError(
            _errors.message(op, "at least one point is needed along the axis", [("y", values)], "pass values")
        )
    step = _step(op, dx, values)
    if points is not None:
        points = _points(op, values, points, number)
        step = points[..., 1:] - points[..., :-1]
    found = cumulative_sum(step * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if not isinstance(initial, (int, float)) or initial != 0:
            raise _errors.ArgumentValueError(
                f"cumulative_trapezoid(): initial is {initial!r}\nFix: pass 0, and add what there was before"
            )
        found = concat([values[..., :1] * 0, found], axis=-1) if found.shape[-1] else values * 0
    return moveaxis(found, -1, number)


def _over(numerator: Any, denominator: Array) -> Array:
    """A quotient; 0 where the denominator is."""
    return where(denominator == 0, 0.0, numerator / where(denominator == 0, 1.0, denominator))


def _parabolas(y: Array, x: Array | None, dx: Any, stop: int) -> Array:
    """Simpson's rule on the intervals up to one."""
    low, middle, high = y[..., 0:stop:2], y[..., 1 : stop + 1 : 2], y[..., 2 : stop + 2 : 2]
    if x is None:
        return sum_(low + 4.0 * middle + high, axis=-1) * (dx / 3.0)  # type: ignore[no-any-return]
    step = x[..., 1:] - x[..., :-1]
    first, second = step[..., 0:stop:2], step[..., 1 : stop + 1 : 2]
    whole, ratio = first + second, _over(first, second)
    weights = (2.0 - _over(1.0, ratio), whole * _over(whole, first * second), 2.0 - ratio)
    return sum_(whole / 6.0 * (low * weights[0] + middle * weights[1] + high * weights[2]), axis=-1)


@composite
def simpson(y: Any, x: Any = None, *, dx: Any = 1.0, axis: int = -1) -> Array:
    """Integral of sampled values by Simpson's rule; for an even number of them with Cartwright's correction at the end.

    Parameters
    ----------
    y : array_like
        Values; integers count as float64.
    x : array_like, optional
        Points at which they are taken: 1-D, or of as many axes as `y`.
    dx : float, default: 1.0
        Distance of the points, without `x`.
    axis : int, default: -1
        The axis along which to integrate.

    Returns
    -------
    Array
        Without the axis.

    Raises
    ------
    AxisError
        If `y` does not have the axis.
    ShapeError
        If the points do not fit the values, or there is none.

    Notes
    -----
    As ``scipy.integrate.simpson``. Differentiable in `y`, `x` and `dx`.
    """
    op = "simpson"
    values, points, number = _values(simpson, y, x, dx, axis)
    if points is not None:
        points = _points(op, values, points, number)
    count = values.shape[-1]
    if not count:
        raise _errors.ShapeError(
            _errors.message(op, "at least one point is needed along the axis", [("y", values)], "pass values")
        )
    if count % 2:
        return _parabolas(values, points, dx, count - 2) if count > 1 else sum_(values[..., :0], axis=-1)
    last, middle, first = values[..., -1], values[..., -2], values[..., -3] if count > 2 else None
    if first is None:
        step = dx if points is None else points[..., -1] - points[..., -2]
        return 0.5 * step * (last + middle)  # type: ignore[no-any-return]
    found = _parabolas(values, points, dx, count - 3)
    if points is None:
        return found + dx * (5 * last + 8 * middle - first) / 12  # type: ignore[no-any-return]
    long, short = points[..., -2] - points[..., -3], points[..., -1] - points[..., -2]
    alpha = _over(2 * short**2 + 3 * long * short, 6 * (short + long))
    beta = _over(short**2 + 3.0 * long * short, 6 * long)
    eta = _over(short**3, 6 * long * (long + short))
    return found + alpha * last + beta * middle - eta * first


def _first_parts(y: Array, step: Any, *, equal: bool) -> Array:
    """For each parabola through three points the integral over the first of its two intervals."""
    one, two, three = y[..., :-2], y[..., 1:-1], y[..., 2:]
    if equal:
        return step / 3 * (5 * one / 4 + 2 * two - three / 4)  # type: ignore[no-any-return]
    first, second = step[..., :-1], step[..., 1:]
    share = first / (first + second)
    product = share * (first / second)
    return first / 6 * ((3 - share) * one + (3 + product + share) * two - product * three)  # type: ignore[no-any-return]


@composite
def cumulative_simpson(y: Any, *, x: Any = None, dx: Any = 1.0, axis: int = -1, initial: Any = None) -> Array:
    """Integral of sampled values up to each point, by Simpson's rule.

    Parameters
    ----------
    y : array_like
        Values; integers count as float64.
    x : array_like, optional
        Points at which they are taken, strictly increasing: 1-D, or of the shape of `y`.
    dx : float or Array, default: 1.0
        Distance of the points, without `x`: one, or of the shape of `y` with one element along the axis.
    axis : int, default: -1
        The axis along which to integrate.
    initial : float or Array, optional
        Put in front, for the first point, and added to all others: one, or of the shape of `y` with one element along
        the axis.

    Returns
    -------
    Array
        One element shorter along the axis than `y`; of the shape of `y` with `initial`.

    Raises
    ------
    AxisError
        If `y` does not have the axis.
    ShapeError
        If the points, `dx` or `initial` do not fit the values.
    ArgumentValueError
        If the points do not increase.

    Notes
    -----
    As ``scipy.integrate.cumulative_simpson``. Differentiable in `y`, `x`, `dx` and `initial`.
    """
    op = "cumulative_simpson"
    values, points, number = _values(cumulative_simpson, y, x, dx, axis)
    count = values.shape[-1]
    if count < 3:
        given = moveaxis(values, -1, number)
        found = moveaxis(cumulative_trapezoid(given, points, dx, number), number, -1)
    else:
        if points is not None:
            points = _points(op, values, points, number)
            step = points[..., 1:] - points[..., :-1]
            if np.any(step._host() <= 0):
                raise _errors.ArgumentValueError(
                    _errors.message(op, "the points must strictly increase", [("x", points)], "sort x, and y with it")
                )
        else:
            step = _beside(op, "dx", dx, values, number)
        equal = points is None
        ahead = _first_parts(values, step, equal=equal)
        turned = step if equal else flip(step, axis=-1)
        back = flip(_first_parts(flip(values, axis=-1), turned, equal=equal), axis=-1)
        # Each interval from the parabola that starts with it, every other from the one that ends with it, the last too.
        width = ahead.shape[-1]
        mask = asarray(np.arange(width + 1) % 2 == 0, device=values.device)
        starts = concat([ahead, back[..., -1:]], axis=-1)
        ends = concat([back[..., :1], back], axis=-1)
        if width % 2 == 1:
            found = where(mask, starts, ends)
        else:
            found = concat([where(mask[:width], ahead, ends[..., :width]), back[..., -1:]], axis=-1)
        found = cumulative_sum(found, axis=-1)
    if initial is not None:
        start = _beside(op, "initial", initial, values, number)
        if not isinstance(start, Array):
            start = values[..., :1] * 0 + start
        start = broadcast_to(start, (*values.shape[:-1], 1)) if start.ndim == 0 else start
        common = result_dtype([start.dtype, found.dtype], [])
        found = concat([astype(start, common, copy=False), found + start], axis=-1)
    return moveaxis(found, -1, number)


def _beside(op: str, name: str, x: Any, values: Array, axis: int) -> Any:
    """A number, or an array of one element along the axis, as it broadcasts against the values."""
    if isinstance(x, (int, float)) and not isinstance(x, bool):
        return x
    array = _operand(op, name, x, values.device)
    if array.ndim == 0:
        return array
    shape = (*values.shape[:axis], 1, *values.shape[axis:-1])
    if array.shape != shape:
        problem = f"{name} must be a number, or of the shape of y with one element along the axis"
        raise _errors.ShapeError(_errors.message(op, problem, [(name, array)], f"reshape it to {shape}"))
    return moveaxis(array, axis, -1)


@composite
def romb(y: Any, dx: Any = 1.0, axis: int = -1, show: bool = False) -> Array:
    """Integral of ``2**k + 1`` values at equal distances, by Romberg's method.

    Parameters
    ----------
    y : array_like
        Values; integers count as float64.
    dx : float, default: 1.0
        Distance of the points.
    axis : int, default: -1
        The axis along which to integrate.
    show : False
        The table is not printed.

    Returns
    -------
    Array
        Without the axis.

    Raises
    ------
    AxisError
        If `y` does not have the axis.
    ShapeError
        If the number of values is no power of 2 and one.
    ArgumentValueError
        If `show` is set.

    Notes
    -----
    As ``scipy.integrate.romb``. Differentiable in `y` and `dx`.
    """
    if show:
        raise _errors.ArgumentValueError("romb(): the table is not printed\nFix: leave show out")
    values, _, _ = _values(romb, y, None, dx, axis)
    intervals = values.shape[-1] - 1
    levels = max(intervals, 1).bit_length() - 1
    if intervals < 1 or 1 << levels != intervals:
        problem = "the number of values must be a power of 2, and one more"
        raise _errors.ShapeError(_errors.message("romb", problem, [("y", values)], "use simpson"))
    width = intervals * dx
    table = [(values[..., 0] + values[..., -1]) / 2.0 * width]
    step = intervals
    for level in range(1, levels + 1):
        half = step // 2
        row = [0.5 * (table[0] + width * sum_(values[..., half::step], axis=-1))]
        for column in range(1, level + 1):
            row.append(row[-1] + (row[-1] - table[column - 1]) / (4**column - 1))
        table, step, width = row, half, width / 2.0
    return table[-1]  # type: ignore[no-any-return]
