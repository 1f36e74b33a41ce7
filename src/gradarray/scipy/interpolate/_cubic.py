"""Cubic interpolation: by given slopes, by slopes that keep monotony, and by those that bend continuously."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ...ops.creation import zeros
from ...ops.data_type import astype
from ...ops.elementwise import abs as absolute
from ...ops.elementwise import sign
from ...ops.manipulation import broadcast_to, concat, reshape, stack
from ...ops.searching import where
from ._arguments import alike, columns, host, invalid, matrix, points_and_values, refuse, whole
from ._banded import solve_banded
from ._piecewise import PPoly


def _hermite(x: Array, y: Array, slopes: Array) -> Array:
    """Coefficients of the cubic polynomials with given values and slopes at both ends of each interval."""
    h = columns(x[1:] - x[:-1], y.ndim)
    rise = (y[1:, ...] - y[:-1, ...]) / h
    start, end = slopes[:-1, ...], slopes[1:, ...]
    bend = (start + end - 2 * rise) / h
    return stack([bend / h, (rise - start) / h - bend, start, y[:-1, ...]])


class CubicHermiteSpline(PPoly):
    """Piecewise cubic interpolation of values and first derivatives.

    Parameters
    ----------
    x : array_like
        Points, that strictly increase: of shape ``(n,)``, two at least.
    y, dydx : array_like
        Values and derivatives, with a length of ``n`` along the axis.
    axis : int, default: 0
        The axis of `y`.
    extrapolate : bool or "periodic", optional
        As of `PPoly`.

    Notes
    -----
    As ``scipy.interpolate.CubicHermiteSpline``. Differentiable in `x`, `y`, `dydx` and the points of evaluation.
    """

    def __init__(self, x: Any, y: Any, dydx: Any, axis: int = 0, extrapolate: Any = None) -> None:
        op = "CubicHermiteSpline"
        points, values, slopes = alike(op, x=x, y=y, dydx=dydx)
        if values.shape != slopes.shape:
            raise refuse(op, "there must be a derivative for each value", "pass equal shapes", y=values, dydx=slopes)
        slopes, _ = points_and_values(op, points, slopes, axis)
        values, axis = points_and_values(op, points, values, axis)
        self._fill(_hermite(points, values, slopes), points, extrapolate, axis)


class PchipInterpolator(PPoly):
    """Piecewise cubic interpolation that is monotonic wherever the values are.

    Parameters
    ----------
    x : array_like
        Points, that strictly increase: of shape ``(n,)``, two at least.
    y : array_like
        Real values, with a length of ``n`` along the axis.
    axis : int, default: 0
        The axis of `y`.
    extrapolate : bool, optional
        As of `PPoly`.

    Notes
    -----
    As ``scipy.interpolate.PchipInterpolator``. Differentiable in `x`, `y` and the points of evaluation. Where a slope
    is cut to 0, its derivative is 0.
    """

    def __init__(self, x: Any, y: Any, axis: int = 0, extrapolate: Any = None) -> None:
        op = "PchipInterpolator"
        points, values = alike(op, x=x, y=y)
        values, axis = points_and_values(op, points, values, axis)
        if values.dtype.kind == "c":
            raise _errors.DTypeError(_errors.message(op, "complex numbers have no order", [("y", y)], "take real(y)"))
        self._fill(_hermite(points, values, _monotonic_slopes(points, values)), points, extrapolate, axis)


def _monotonic_slopes(x: Array, y: Array) -> Array:
    h = columns(x[1:] - x[:-1], y.ndim)
    rise = (y[1:, ...] - y[:-1, ...]) / h
    if x.shape[0] == 2:
        return broadcast_to(rise, y.shape)
    before, after = rise[:-1, ...], rise[1:, ...]
    same = before * after > 0
    # Where one of them is 0, or they differ in sign, the mean is not used: there 1 stands in the denominators.
    first, second = where(same, before, 1.0), where(same, after, 1.0)
    weight1, weight2 = 2 * h[1:, ...] + h[:-1, ...], h[1:, ...] + 2 * h[:-1, ...]
    inner = where(same, (weight1 + weight2) / (weight1 / first + weight2 / second), 0.0)
    start = _end_slope(h[:1, ...], h[1:2, ...], rise[:1, ...], rise[1:2, ...])
    end = _end_slope(h[-1:, ...], h[-2:-1, ...], rise[-1:, ...], rise[-2:-1, ...])
    return concat([start, inner, end])


def _end_slope(h: Array, next_h: Array, rise: Array, next_rise: Array) -> Array:
    """The slope at an end: that of the parabola through three points, unless it would overshoot."""
    slope = ((2 * h + next_h) * rise - h * next_rise) / (h + next_h)
    turned = sign(slope) != sign(rise)
    steep = (sign(rise) != sign(next_rise)) & (absolute(slope) > 3 * absolute(rise))
    return where(turned, 0.0, where(steep, 3 * rise, slope))


class Akima1DInterpolator(PPoly):
    """Piecewise cubic interpolation with slopes that follow the neighbouring ones that agree most.

    Parameters
    ----------
    x : array_like
        Points, that strictly increase: of shape ``(n,)``, two at least.
    y : array_like
        Real values, with a length of ``n`` along the axis.
    axis : int, default: 0
        The axis of `y`.
    method : {"akima", "makima"}, default: "akima"
        Akima's own weights, or those that prefer the side that is closer to horizontal.
    extrapolate : bool, optional
        As of `PPoly`, but False if it is not given.

    Notes
    -----
    As ``scipy.interpolate.Akima1DInterpolator``. Differentiable in `x`, `y` and the points of evaluation.
    """

    def __init__(
        self, x: Any, y: Any, axis: int = 0, *, method: str = "akima", extrapolate: bool | None = None
    ) -> None:
        op = "Akima1DInterpolator"
        if method not in ("akima", "makima"):
            raise invalid(op, f"there is no method {method!r}", "pass 'akima' or 'makima'")
        points, values = alike(op, x=x, y=y)
        values, axis = points_and_values(op, points, values, axis)
        if values.dtype.kind == "c":
            raise _errors.DTypeError(_errors.message(op, "values must be real", [("y", y)], "take real(y)"))
        slopes = _weighted_slopes(points, values, method)
        self._fill(_hermite(points, values, slopes), points, bool(extrapolate), axis)


def _weighted_slopes(x: Array, y: Array, method: str) -> Array:
    rise = (y[1:, ...] - y[:-1, ...]) / columns(x[1:] - x[:-1], y.ndim)
    if x.shape[0] == 2:
        return broadcast_to(rise, y.shape)
    # Two more slopes on each side, on straight lines through the last two.
    after = 2 * rise[-1:, ...] - rise[-2:-1, ...]
    before = 2 * rise[:1, ...] - rise[1:2, ...]
    m = concat([2 * before - rise[:1, ...], before, rise, after, 2 * after - rise[-1:, ...]])
    change = absolute(m[1:, ...] - m[:-1, ...])
    if method == "makima":
        size = absolute(m[1:, ...] + m[:-1, ...])
        change = change + size / 2
    ahead, behind = change[2:, ...], change[:-2, ...]
    total = ahead + behind
    largest = float(np.max(host(total))) if total.size else 0.0
    known = total > 1e-9 * largest
    share = where(known, behind, 0.0) / where(known, total, 1.0)
    left, right = m[1:-2, ...], m[2:-1, ...]
    return where(known, left + share * (right - left), (m[3:, ...] + m[:-3, ...]) / 2)


# --- splines ---------------------------------------------------------------------------------------------------------

_NAMES = {"clamped": 1, "natural": 2}


class CubicSpline(PPoly):
    """Piecewise cubic interpolation with a continuous second derivative.

    Parameters
    ----------
    x : array_like
        Points, that strictly increase: of shape ``(n,)``, two at least.
    y : array_like
        Values, with a length of ``n`` along the axis.
    axis : int, default: 0
        The axis of `y`.
    bc_type : str or tuple, default: "not-a-knot"
        Conditions at both ends: ``"not-a-knot"`` (the third derivative is continuous next to the end), ``"periodic"``,
        ``"clamped"`` (first derivative 0), ``"natural"`` (second derivative 0), or a pair with, for each end, such a
        name or a pair of an order, 1 or 2, and the derivative there.
    extrapolate : bool or "periodic", optional
        As of `PPoly`; ``"periodic"`` for a periodic spline if it is not given.

    Notes
    -----
    As ``scipy.interpolate.CubicSpline``. Differentiable in `x`, `y`, the derivatives at the ends and the points of
    evaluation.
    """

    def __init__(self, x: Any, y: Any, axis: int = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None) -> None:
        op = "CubicSpline"
        points, values = alike(op, x=x, y=y)
        values, axis = points_and_values(op, points, values, axis)
        if not np.all(np.isfinite(host(values))):
            raise invalid(op, "y has values that are not finite", "leave them out", y=values)
        start, end = _conditions(op, bc_type, values)
        if extrapolate is None:
            extrapolate = "periodic" if start == "periodic" else True
        slopes = _smooth_slopes(points, values, start, end) if values.size else values
        self._fill(_hermite(points, values, slopes), points, extrapolate, axis)


def _conditions(op: str, bc_type: Any, y: Array) -> tuple[Any, Any]:
    """For each end ``"not-a-knot"``, ``"periodic"`` or an order and a derivative."""
    if isinstance(bc_type, str):
        bc_type = (bc_type, bc_type)
    if not isinstance(bc_type, (tuple, list)) or len(bc_type) != 2:
        raise invalid(op, f"bc_type is {bc_type!r}", "pass a name, or a pair of conditions")
    if any(isinstance(each, str) and each == "periodic" for each in bc_type):
        if not all(isinstance(each, str) and each == "periodic" for each in bc_type):
            raise invalid(op, "one end only is periodic", "pass bc_type='periodic'")
        if not np.allclose(host(y)[0], host(y)[-1], rtol=1e-15, atol=1e-15):
            raise invalid(op, "the first and the last value of a period differ", "make them equal", y=y)
        return "periodic", "periodic"
    found: list[Any] = []
    for each in bc_type:
        if isinstance(each, str):
            if each != "not-a-knot" and each not in _NAMES:
                raise invalid(op, f"there is no boundary condition {each!r}", "pass one of SciPy's names")
            shape = (1, *y.shape[1:])
            found.append(each if each not in _NAMES else (_NAMES[each], zeros(shape, dtype=y.dtype, device=y.device)))
            continue
        try:
            order, given = each
        except (TypeError, ValueError):
            raise invalid(
                op, f"a boundary condition is {each!r}", "pass a name, or an order and a derivative"
            ) from None
        if whole(op, "an order in bc_type", order) not in (1, 2):
            raise invalid(op, f"a derivative of order {order} is given", "give the first or the second")
        value, _ = alike(op, value=given, y=y)
        if value.shape != y.shape[1:]:
            raise refuse(op, "a boundary value has not the shape of a value", "broadcast it", value=value, y=y)
        found.append((int(order), reshape(value, (1, *y.shape[1:]))))
    return found[0], found[1]


def _smooth_slopes(x: Array, y: Array, start: Any, end: Any) -> Array:
    """The slopes at the points for which the second derivative is continuous."""
    n = x.shape[0]
    h = x[1:] - x[:-1]
    wide = columns(h, y.ndim)
    rise = (y[1:, ...] - y[:-1, ...]) / wide
    if n == 2:
        # One cubic polynomial; what would be continued from the next one is the straight line.
        start, end = [(1, rise) if isinstance(each, str) else each for each in (start, end)]
    if n == 3 and start == "periodic":
        mean = (rise[:1, ...] / wide[:1, ...] + rise[1:, ...] / wide[1:, ...]) / (1 / wide[:1, ...] + 1 / wide[1:, ...])
        return broadcast_to(mean, y.shape)
    if n == 3 and isinstance(start, str) and isinstance(end, str):
        # The parabola through three points.
        curve = (rise[1:, ...] - rise[:1, ...]) / (wide[1:, ...] + wide[:1, ...])
        return concat([rise - curve * wide, rise[1:, ...] + curve * wide[1:, ...]])
    # For each inner point: h[i] s[i-1] + 2 (h[i-1] + h[i]) s[i] + h[i-1] s[i+1] = 3 (h[i] rise[i-1] + h[i-1] rise[i]).
    below, middle, above = h[1:], 2 * (h[:-1] + h[1:]), h[:-1]
    right = 3 * (wide[1:, ...] * rise[:-1, ...] + wide[:-1, ...] * rise[1:, ...])
    if start == "periodic":
        return _periodic_slopes(
            h, below, middle, above, right, 3 * (wide[:1, ...] * rise[-1:, ...] + wide[-1:, ...] * rise[:1, ...])
        )
    first, first_above, first_right = _end(start, h[:1], h[1:2], rise[:1, ...], rise[1:2, ...], side=-1)
    last, last_below, last_right = _end(end, h[-1:], h[-2:-1], rise[-1:, ...], rise[-2:-1, ...], side=1)
    nothing = h[:1] * 0
    return _tridiagonal(
        concat([below, last_below, nothing]),
        concat([first, middle, last]),
        concat([nothing, first_above, above]),
        concat([first_right, right, last_right]),
    )


def _end(
    condition: Any, h: Array, next_h: Array, rise: Array, next_rise: Array, side: int
) -> tuple[Array, Array, Array]:
    """The equation at one end: the factor of its own slope, that of its neighbour's, and the right side."""
    width, next_width = columns(h, rise.ndim), columns(next_h, rise.ndim)
    if isinstance(condition, str):
        both = width + next_width
        return next_h, h + next_h, ((width + 2 * both) * next_width * rise + width * width * next_rise) / both
    order, value = condition
    if order == 1:
        return h * 0 + 1, h * 0, broadcast_to(value, rise.shape)
    return 2 * h, h * 1, 3 * width * rise + side * value * width * width / 2


def _tridiagonal(below: Array, middle: Array, above: Array, right: Array) -> Array:
    bands = stack([above, middle, below])
    return reshape(solve_banded(bands, matrix(right), lower=1, upper=1), right.shape)


def _periodic_slopes(h: Array, below: Array, middle: Array, above: Array, right: Array, at_seam: Array) -> Array:
    """The slopes of a closed curve: the equation at its seam has neighbours at both ends."""
    # Sherman and Morrison: the corners are a matrix of rank one, beside what it puts on the diagonal.
    diagonal = concat([2 * (h[:1] + h[-1:]), middle])
    right = concat([at_seam, right])
    corner_up, corner_down = h[:1], h[-2:-1]
    size = -diagonal[:1]
    changed = concat([diagonal[:1] - size, diagonal[1:-1], diagonal[-1:] - corner_down * corner_up / size])
    nothing = h[:1] * 0
    under = concat([below, nothing])
    over = concat([nothing, h[-1:], above[:-1]])
    upright = concat([size, diagonal[1:-1] * 0, corner_down])
    count = diagonal.shape[0]
    both = concat([matrix(right), astype(reshape(upright, (count, 1)), right.dtype, copy=False)], axis=1)
    solved = _tridiagonal(under, changed, over, both)
    plain, column = solved[:, :-1], solved[:, -1:]
    share = corner_up / size
    top = plain[:1, :] + share * plain[-1:, :]
    bottom = 1 + column[:1, :] + share * column[-1:, :]
    found = reshape(plain - column * (top / bottom), right.shape)
    return concat([found, found[:1, ...]])
