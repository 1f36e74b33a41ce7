"""Piecewise polynomials in the power basis."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from ..._array import Array
from ...ops.creation import zeros
from ...ops.elementwise import clip
from ...ops.indexing import take
from ...ops.manipulation import concat, moveaxis, reshape, stack
from ...ops.searching import where
from ...ops.statistical import cumulative_sum
from ._arguments import alike, check_increasing, columns, constant, found_in, host, invalid, put_back, refuse, whole

Own = TypeVar("Own", bound="PPoly")


class PPoly:
    """Piecewise polynomial: between two breakpoints a polynomial in the distance from the left one.

    Between ``x[i]`` and ``x[i + 1]`` it is ``sum(c[m, i] * (xp - x[i]) ** (k - m) for m in range(k + 1))``.

    Parameters
    ----------
    c : Array
        Coefficients, of shape ``(k + 1, m, ...)``, those of the highest power first.
    x : array_like
        The ``m + 1`` breakpoints, in ascending or descending order.
    extrapolate : bool or "periodic", optional
        What there is beyond the breakpoints: the first and the last polynomial (True, the default), NaN (False), or
        the whole once more.
    axis : int, default: 0
        The axis of `c`, the first not counted, along which the polynomials lie.

    Notes
    -----
    As ``scipy.interpolate.PPoly``, without ``extend``, ``roots`` and ``solve``. Differentiable in the coefficients, the
    breakpoints and the points of evaluation, to any order; at a breakpoint the derivative is that of the polynomial to
    its right.
    """

    c: Array
    x: Array
    extrapolate: Any
    axis: int

    def __init__(self, c: Any, x: Any, extrapolate: Any = None, axis: int = 0) -> None:
        op = "PPoly"
        coefficients, breakpoints = alike(op, c=c, x=x)
        if coefficients.ndim < 2:
            raise refuse(op, "coefficients must have two axes or more", "pass shape (k + 1, m, ...)", c=coefficients)
        if not 0 <= axis < coefficients.ndim - 1:
            raise invalid(op, f"axis is {axis}", f"pass 0 to {coefficients.ndim - 2}", c=coefficients)
        coefficients = moveaxis(moveaxis(coefficients, axis + 1, 0), axis + 1, 0)
        if breakpoints.ndim != 1 or breakpoints.shape[0] != coefficients.shape[1] + 1 or not coefficients.shape[1]:
            raise refuse(op, "there must be one breakpoint more than polynomials", "", c=coefficients, x=breakpoints)
        if not coefficients.shape[0]:
            raise refuse(op, "there must be a coefficient at least", "pass one", c=coefficients)
        check_increasing(op, breakpoints if _ascends(breakpoints) else -breakpoints)
        self._fill(coefficients, breakpoints, extrapolate, axis)

    def _fill(self, c: Array, x: Array, extrapolate: Any, axis: int) -> None:
        self.c, self.x, self.axis = c, x, axis
        self.extrapolate = (
            True if extrapolate is None else extrapolate if extrapolate == "periodic" else bool(extrapolate)
        )

    @classmethod
    def construct_fast(cls: type[Own], c: Array, x: Array, extrapolate: Any = None, axis: int = 0) -> Own:
        """Piecewise polynomial without any check; the axis of the polynomials is the second of `c` already."""
        self = object.__new__(cls)
        self._fill(c, x, extrapolate, axis)
        return self

    @classmethod
    def from_spline(cls: type[Own], tck: Any, extrapolate: Any = None) -> Own:
        """Piecewise polynomial that equals a spline.

        Parameters
        ----------
        tck : BSpline or tuple
            A spline, or its knots, coefficients and degree.
        extrapolate : bool or "periodic", optional
            As of the class; by default that of the spline.

        Returns
        -------
        PPoly
            With a piece for each pair of knots.
        """
        from ._bsplines import BSpline

        spline = tck if isinstance(tck, BSpline) else BSpline(*tck)
        start = spline.t[:-1]
        rows = [
            spline._values(start, spline.k - power, True) / math.factorial(spline.k - power)
            for power in range(spline.k + 1)
        ]
        extrapolate = spline.extrapolate if extrapolate is None else extrapolate
        c = reshape(stack(rows), (spline.k + 1, start.shape[0], *spline.c.shape[1:]))
        return cls.construct_fast(c, spline.t, extrapolate, spline.axis)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Array:
        """Values, or derivatives, at points.

        Parameters
        ----------
        x : array_like
            Points, of any shape.
        nu : int, default: 0
            Order of the derivative.
        extrapolate : bool or "periodic", optional
            As of the class; by default its own.

        Returns
        -------
        Array
            The axis of interpolation of the coefficients is replaced by the axes of `x`.
        """
        op = type(self).__name__
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        points, _ = alike(op, x=x, c=self.c)
        nu = whole(op, "nu", nu)
        flat = reshape(points, (-1,))
        found = self._values(flat, nu, extrapolate)
        return put_back(reshape(found, (*points.shape, *self.c.shape[2:])), points.ndim, self.axis)

    def _values(self, x: Array, nu: int, extrapolate: Any) -> Array:
        """The values at a vector of points, one in each row."""
        order = self.c.shape[0] - 1
        first, last = self.x[0], self.x[-1]
        if extrapolate == "periodic":
            x = first + (x - first) % (last - first)
        ascends = _ascends(self.x)
        place = found_in(self.x, x) if ascends else found_in(-self.x, -x)
        place = clip(place - 1, 0, self.x.shape[0] - 2)
        c = reshape(self.c, (*self.c.shape[:2], math.prod(self.c.shape[2:])))
        step = columns(x - take(self.x, place, axis=0), 2)
        if nu > order:
            found = take(c[0, ...], place, axis=0) * 0 * step
        else:
            found = take(c[0, ...], place, axis=0) * math.perm(order, nu)
            for power in range(order - 1, nu - 1, -1):
                found = found * step + take(c[order - power, ...], place, axis=0) * math.perm(power, nu)
            if order == nu:
                found = found + step * 0
        if extrapolate is False or (extrapolate != "periodic" and not extrapolate):
            low, high = (first, last) if ascends else (last, first)
            found = where(columns((x < low) | (x > high), 2), math.nan, found)
        return found

    def derivative(self, nu: int = 1) -> PPoly:
        """Piecewise polynomial that is the derivative.

        Parameters
        ----------
        nu : int, default: 1
            Order; an antiderivative if it is negative.

        Returns
        -------
        PPoly
            Of an order that is lower by `nu`.
        """
        if nu < 0:
            return self.antiderivative(-nu)
        order = self.c.shape[0] - 1
        if nu > order:
            c = zeros((1, *self.c.shape[1:]), dtype=self.c.dtype, device=self.c.device)
        else:
            c = stack([self.c[order - power, ...] * math.perm(power, nu) for power in range(order, nu - 1, -1)])
        return PPoly.construct_fast(c, self.x, self.extrapolate, self.axis)

    def antiderivative(self, nu: int = 1) -> PPoly:
        """Piecewise polynomial that is the antiderivative, continuous and 0 at the first breakpoint.

        Parameters
        ----------
        nu : int, default: 1
            Order; a derivative if it is negative.

        Returns
        -------
        PPoly
            Of an order that is higher by `nu`. If this one is periodic, it does not extrapolate.
        """
        if nu <= 0:
            return self.derivative(-nu)
        c = self.c
        steps = columns(self.x[1:] - self.x[:-1], c.ndim - 1)
        for _ in range(nu):
            order = c.shape[0]
            rows = [c[order - power, ...] / power for power in range(order, 0, -1)]
            pieces = rows[0]
            for row in rows[1:]:
                pieces = pieces * steps + row
            before = cumulative_sum(pieces * steps, axis=0, include_initial=True)
            c = stack([*rows, before[:-1, ...]])
        extrapolate = False if self.extrapolate == "periodic" else self.extrapolate
        return PPoly.construct_fast(c, self.x, extrapolate, self.axis)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Array:
        """Definite integral.

        Parameters
        ----------
        a, b : float or 0-d Array
            The limits; differentiable.
        extrapolate : bool or "periodic", optional
            As of the class; by default its own. NaN if it is False and a limit lies outside.

        Returns
        -------
        Array
            Of the shape of the coefficients without their first two axes.
        """
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        low, high, _ = alike("PPoly.integrate", a=a, b=b, c=self.c)
        whole_ = self.antiderivative()
        return _integral(
            lambda x: whole_._values(x, 0, extrapolate if extrapolate != "periodic" else True),
            low,
            high,
            self.x[0],
            self.x[-1],
            extrapolate,
            self.c.shape[2:],
        )


def _ascends(x: Array) -> bool:
    values = host(x)
    return len(values) < 2 or bool(values[-1] >= values[0])


def _integral(
    primitive: Any, a: Array, b: Array, first: Array, last: Array, extrapolate: Any, shape: tuple[int, ...]
) -> Array:
    """A definite integral from the antiderivative, a function of a vector of points; over periods if there are any."""
    if extrapolate == "periodic":
        period = last - first
        ends = stack([a, b])
        turns = np.floor((host(ends) - host(first)) / host(period))
        count = constant(turns.astype(ends.dtype), ends)
        values = primitive(concat([ends - count * period, stack([first, last])]))
        found = values[1] - values[0] + (count[1] - count[0]) * (values[3] - values[2])
    else:
        values = primitive(stack([a, b]))
        found = values[1] - values[0]
    return reshape(found, shape)
