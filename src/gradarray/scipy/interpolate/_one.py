"""Interpolation in one dimension by the name of a kind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._array import Array
from ...ops.elementwise import clip
from ...ops.indexing import take
from ...ops.manipulation import broadcast_to, moveaxis, reshape
from ...ops.searching import where
from ...ops.sorting import argsort
from ._arguments import alike, columns, found_in, host, invalid, matrix, number_of_axis, put_back, refuse
from ._bsplines import BSpline, make_interp_spline

_DEGREES = {"slinear": 1, "quadratic": 2, "cubic": 3}
_STEPS = ("nearest", "nearest-up", "zero", "previous", "next")


class interp1d:
    """Interpolation of a function of one number.

    Parameters
    ----------
    x : array_like
        Points, of shape ``(n,)``.
    y : array_like
        Values, with a length of ``n`` along the axis.
    kind : str or int, default: "linear"
        ``"linear"``, ``"nearest"``, ``"nearest-up"``, ``"zero"``, ``"slinear"``, ``"quadratic"``, ``"cubic"``,
        ``"previous"``, ``"next"``, or the degree of a spline.
    axis : int, default: -1
        The axis of `y`.
    copy : bool, default: True
        Not needed: the arrays are not changed. It is there because SciPy's has it.
    bounds_error : bool, optional
        Whether to refuse points beyond the ends; by default so unless `fill_value` is ``"extrapolate"``.
    fill_value : array_like, pair of array_like or "extrapolate", default: NaN
        What there is beyond the ends, or below and above them. Differentiable.
    assume_sorted : bool, default: False
        Whether `x` is known to increase; if not, it is sorted.

    Notes
    -----
    As ``scipy.interpolate.interp1d``. Differentiable in `x` and `y` and, for kinds that are not steps, in the points of
    evaluation.
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        kind: Any = "linear",
        axis: int = -1,
        copy: bool = True,
        bounds_error: bool | None = None,
        fill_value: Any = math.nan,
        assume_sorted: bool = False,
    ) -> None:
        op = "interp1d"
        points, values = alike(op, x=x, y=y)
        if points.ndim != 1 or not points.shape[0] or not values.ndim:
            raise refuse(op, "x must be 1-D and not empty, and y have an axis", "reshape them", x=points, y=values)
        self.axis = number_of_axis(op, values, axis)
        if values.shape[self.axis] != points.shape[0]:
            raise refuse(op, "there must be a value for each point", "choose axis=", x=points, y=values)
        values = moveaxis(values, self.axis, 0)
        if not assume_sorted:
            order = argsort(points)
            points, values = take(points, order, axis=0), take(values, order, axis=0)
        known = isinstance(kind, str) and (kind == "linear" or kind in _DEGREES or kind in _STEPS)
        if not known and (isinstance(kind, (str, bool)) or not isinstance(kind, (int, np.integer))):
            raise invalid(op, f"there is no kind {kind!r}", "pass one of SciPy's names, or a degree")
        self.x, self._y, self._kind = points, values, kind
        self._extrapolate = isinstance(fill_value, str) and fill_value == "extrapolate"
        if isinstance(fill_value, str) and not self._extrapolate:
            raise invalid(op, f"fill_value is {fill_value!r}", "pass numbers or 'extrapolate'")
        if self._extrapolate and bounds_error:
            raise invalid(op, "points beyond the ends are both refused and extrapolated", "leave bounds_error out")
        self.bounds_error = (not self._extrapolate) if bounds_error is None else bool(bounds_error)
        self.fill_value = fill_value
        pair = fill_value if isinstance(fill_value, tuple) and len(fill_value) == 2 else (fill_value, fill_value)
        self._fill = None if self._extrapolate else [self._filling(op, each) for each in pair]
        degree = 0 if kind == "zero" else _DEGREES.get(kind, kind) if isinstance(kind, str) else int(kind)
        self._spline: BSpline | None = None
        if isinstance(degree, int) and kind != "zero" and degree != 0:
            if points.shape[0] <= degree:
                raise refuse(op, f"degree {degree} needs {degree + 1} points at least", "pass more", x=points)
            self._spline = make_interp_spline(points, values, degree, check_finite=False)
        elif degree == 0:
            self._kind = "zero"

    @property
    def y(self) -> Array:
        """The values, with their axes in the order in which they were given."""
        return moveaxis(self._y, 0, self.axis)

    def _filling(self, op: str, value: Any) -> Array:
        """One value for all points beyond an end, as a row."""
        part, _ = alike(op, fill_value=value, y=self._y)
        rest = self._y.shape[1:]
        if part.ndim == len(rest) + 1 and part.shape[self.axis] == 1:
            part = reshape(part, (*part.shape[: self.axis], *part.shape[self.axis + 1 :]))
        try:
            return reshape(broadcast_to(part, rest), (1, -1)) if math.prod(rest) else reshape(self._y[:1, ...], (1, 0))
        except ValueError:
            raise refuse(op, "fill_value has not the shape of a value", "broadcast it", fill_value=part) from None

    def __call__(self, x: Any) -> Array:
        """Values at points: the axis of `y` is replaced by the axes of `x`.

        Raises
        ------
        ArgumentValueError
            If a point lies beyond the ends, and that is not allowed.
        """
        op = "interp1d"
        points, _ = alike(op, x=x, y=self._y)
        flat = reshape(points, (-1,))
        found = self._values(flat)
        if self._fill is not None:
            below, above = flat < self.x[0], flat > self.x[-1]
            if self.bounds_error and bool(np.any(host(below | above))):
                raise invalid(op, "a point lies beyond the ends", "pass bounds_error=False or fill_value=", x=points)
            found = where(columns(below, 2), self._fill[0], found)
            found = where(columns(above, 2), self._fill[1], found)
        return put_back(reshape(found, (*points.shape, *self._y.shape[1:])), points.ndim, self.axis)

    def _values(self, x: Array) -> Array:
        if self._spline is not None:
            return self._spline._values(x, 0, True)
        y, n = matrix(self._y), self.x.shape[0]
        kind = self._kind
        knots = self.x.detach()
        if kind == "linear":
            if n == 1:
                return take(y, found_in(knots, x) * 0, axis=0) + columns(x * 0, 2)
            place = clip(found_in(knots, x, "left"), 1, n - 1)
            low, high = take(self.x, place - 1, axis=0), take(self.x, place, axis=0)
            left, right = take(y, place - 1, axis=0), take(y, place, axis=0)
            return left + columns((x - low) / (high - low), 2) * (right - left)
        if kind in ("nearest", "nearest-up"):
            middles = (knots[1:] + knots[:-1]) / 2
            place = found_in(middles, x, "left" if kind == "nearest" else "right")
        elif kind in ("previous", "zero"):
            place = found_in(knots, x) - 1
        else:
            place = found_in(knots, x, "left")
        found = take(y, clip(place, 0, n - 1), axis=0)
        if kind in ("previous", "next"):
            # There is nothing before the first one, nor after the last.
            found = where(columns((place < 0) | (place > n - 1), 2), math.nan, found)
        # NaN has no place.
        return where(columns(x != x, 2), math.nan, found)
