"""Splines in the basis of B-splines."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from ... import _errors
from ..._array import Array
from ..._operations import composite
from ...linalg.systems import solve
from ...ops.creation import zeros
from ...ops.data_type import astype
from ...ops.elementwise import clip
from ...ops.indexing import take
from ...ops.manipulation import broadcast_to, concat, moveaxis, reshape, stack
from ...ops.searching import where
from ...ops.statistical import cumulative_sum
from ._arguments import (
    alike,
    check_increasing,
    columns,
    constant,
    found_in,
    host,
    invalid,
    matrix,
    points_and_values,
    put_back,
    refuse,
    whole,
)
from ._banded import solve_banded
from ._piecewise import _integral

Own = TypeVar("Own", bound="BSpline")


# --- the basis -------------------------------------------------------------------------------------------------------


def _over(numerator: Array, width: Array) -> Array:
    """A quotient; 0 where there is no width."""
    return where(width == 0, 0.0, numerator / where(width == 0, 1.0, width))


def basis(t: Array, x: Array, place: Array, k: int, nu: int = 0) -> list[Array]:
    """The B-splines that are not 0 between the knots at a place and behind it, or their derivatives, at points there.

    They are built up from those of degree 0 by the recursion of Cox and de Boor: up to degree ``k - nu`` of values, and
    from there of derivatives.
    """
    if nu > k:
        return [x * 0 for _ in range(k + 1)]
    knots = {number: take(t, place + number, axis=0) for number in range(1 - k, k + 1)} if k else {}
    found = [x * 0 + 1]
    for degree in range(1, k + 1):
        # One of degree d - 1 that starts at knot i has a part in those of degree d that start at i - 1 and at i.
        parts: list[Array | None] = [None] * (degree + 1)
        for position, lower in enumerate(found):
            left, right = knots[position - degree + 1], knots[position + 1]
            share = _over(lower, right - left)
            if degree > k - nu:
                share = share * degree
                down, up = -share, share
            else:
                down, up = share * (right - x), share * (x - left)
            before = parts[position]
            parts[position] = down if before is None else before + down
            parts[position + 1] = up
        found = [part for part in parts if part is not None]
    return found


def _places(t: Array, x: Array, k: int, n: int) -> Array:
    """For each point the knot at the start of the interval that it lies in, or of the outermost one."""
    return clip(found_in(t, x) - 1, k, n - 1)


class BSpline:
    """Spline in the basis of B-splines.

    Parameters
    ----------
    t : array_like
        Knots, which do not decrease: ``n + k + 1`` of them.
    c : Array
        Coefficients, at least ``n`` along the axis.
    k : int
        Degree.
    extrapolate : bool or "periodic", default: True
        What there is beyond ``t[k]`` and ``t[n]``: the outermost polynomials, NaN, or the whole once more.
    axis : int, default: 0
        The axis of `c` along which the coefficients lie.

    Notes
    -----
    As ``scipy.interpolate.BSpline``, without ``design_matrix``, ``from_power_basis`` and ``insert_knot``.
    Differentiable in the coefficients, the knots and the points of evaluation, to any order; at a knot the derivative
    is that of the polynomial to its right.
    """

    t: Array
    c: Array
    k: int
    extrapolate: Any
    axis: int

    def __init__(self, t: Any, c: Any, k: int, extrapolate: Any = True, axis: int = 0) -> None:
        op = "BSpline"
        k = whole(op, "k", k)
        knots, coefficients = alike(op, t=t, c=c)
        if not -coefficients.ndim <= axis < coefficients.ndim:
            raise _errors.AxisError(
                _errors.message(op, f"axis {axis} is out of range", [("c", coefficients)], "choose another")
            )
        axis %= coefficients.ndim
        coefficients = moveaxis(coefficients, axis, 0)
        if knots.ndim != 1:
            raise refuse(op, "knots must be 1-D", "reshape them", t=knots)
        n = knots.shape[0] - k - 1
        if n < k + 1:
            raise refuse(op, f"{2 * k + 2} knots are needed for degree {k}", "pass more knots", t=knots)
        check_increasing(op, knots, strictly=False, name="t")
        if len(np.unique(host(knots)[k : n + 1])) < 2:
            raise invalid(op, "the knots span no interval", "pass others", t=knots)
        if coefficients.shape[0] < n:
            raise refuse(op, f"{n} coefficients are needed", "pass more", t=knots, c=coefficients)
        self._fill(knots, coefficients, k, extrapolate, axis)

    def _fill(self, t: Array, c: Array, k: int, extrapolate: Any, axis: int) -> None:
        self.t, self.c, self.k, self.axis = t, c, k, axis
        self.extrapolate = extrapolate if extrapolate == "periodic" else bool(extrapolate)

    @classmethod
    def construct_fast(cls: type[Own], t: Array, c: Array, k: int, extrapolate: Any = True, axis: int = 0) -> Own:
        """Spline without any check; the axis of the coefficients is the first of `c` already."""
        self = object.__new__(cls)
        self._fill(t, c, k, extrapolate, axis)
        return self

    @classmethod
    def basis_element(cls: type[Own], t: Any, extrapolate: Any = True) -> Own:
        """One B-spline.

        Parameters
        ----------
        t : array_like
            Its knots, ``k + 2`` of them.
        extrapolate : bool or "periodic", default: True
            As of the class.

        Returns
        -------
        BSpline
            Of degree ``k``.
        """
        (knots,) = alike("BSpline.basis_element", t=t)
        k = knots.shape[0] - 2
        # So that it has a base interval, knots are put before and behind, which its values do not depend on.
        whole_ = concat([broadcast_to(knots[:1] - 1, (k,)), knots, broadcast_to(knots[-1:] + 1, (k,))])
        c = np.zeros(whole_.shape[0], dtype=knots.dtype)
        c[k] = 1.0
        return cls.construct_fast(whole_, constant(c, knots), k, extrapolate)

    @property
    def tck(self) -> tuple[Array, Array, int]:
        """Knots, coefficients and degree."""
        return self.t, self.c, self.k

    @property
    def _n(self) -> int:
        return self.t.shape[0] - self.k - 1

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
        points, _ = alike("BSpline", x=x, c=self.c)
        nu = whole("BSpline", "nu", nu)
        found = self._values(reshape(points, (-1,)), nu, self.extrapolate if extrapolate is None else extrapolate)
        return put_back(reshape(found, (*points.shape, *self.c.shape[1:])), points.ndim, self.axis)

    def _values(self, x: Array, nu: int, extrapolate: Any) -> Array:
        """The values at a vector of points, in rows of the other axes of the coefficients as one."""
        first, last = self.t[self.k], self.t[self._n]
        if extrapolate == "periodic":
            x = first + (x - first) % (last - first)
        place = _places(self.t, x, self.k, self._n)
        c = matrix(self.c)
        found = None
        for number, part in enumerate(basis(self.t, x, place, self.k, nu)):
            term = columns(part, 2) * take(c, place + (number - self.k), axis=0)
            found = term if found is None else found + term
        assert found is not None
        if extrapolate != "periodic" and not extrapolate:
            found = where(columns((x < first) | (x > last), 2), math.nan, found)
        return found

    def derivative(self, nu: int = 1) -> BSpline:
        """Spline that is the derivative.

        Parameters
        ----------
        nu : int, default: 1
            Order, at most the degree; an antiderivative if it is negative.

        Returns
        -------
        BSpline
            Of a degree that is lower by `nu`.

        Raises
        ------
        ArgumentValueError
            If the order is higher than the degree.
        """
        if nu < 0:
            return self.antiderivative(-nu)
        t, c, k = self.t, self.c[: self._n, ...], self.k
        if nu > k:
            raise invalid("BSpline.derivative", f"nu is {nu} for degree {k}", "pass the degree at most")
        for _ in range(nu):
            width = columns(t[k + 1 : -1] - t[1 : -k - 1], c.ndim)
            c = _over((c[1:, ...] - c[:-1, ...]) * k, width)
            t, k = t[1:-1], k - 1
        return BSpline.construct_fast(t, _with_zeros(c, t.shape[0]), k, self.extrapolate, self.axis)

    def antiderivative(self, nu: int = 1) -> BSpline:
        """Spline that is the antiderivative, 0 before its first knot.

        Parameters
        ----------
        nu : int, default: 1
            Order; a derivative if it is negative.

        Returns
        -------
        BSpline
            Of a degree that is higher by `nu`. If this one is periodic, it does not extrapolate.
        """
        if nu < 0:
            return self.derivative(-nu)
        t, c, k = self.t, self.c[: self._n, ...], self.k
        for _ in range(nu):
            width = columns(t[k + 1 :] - t[: -k - 1], c.ndim)
            c = cumulative_sum(c * width / (k + 1), axis=0, include_initial=True)
            c = concat([c, broadcast_to(c[-1:, ...], (1, *c.shape[1:]))])[: t.shape[0] - k, ...]
            t, k = concat([t[:1], t, t[-1:]]), k + 1
        c = concat([c, broadcast_to(c[-1:, ...], (t.shape[0] - c.shape[0], *c.shape[1:]))])
        extrapolate = False if self.extrapolate == "periodic" else self.extrapolate
        return BSpline.construct_fast(t, c, k, extrapolate, self.axis)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Array:
        """Definite integral.

        Parameters
        ----------
        a, b : float or 0-d Array
            The limits; differentiable.
        extrapolate : bool or "periodic", optional
            As of the class; by default its own. If it is False, the spline counts as 0 beyond its ends.

        Returns
        -------
        Array
            Of the shape of the coefficients without their axis.
        """
        extrapolate = self.extrapolate if extrapolate is None else extrapolate
        low, high, _ = alike("BSpline.integrate", a=a, b=b, c=self.c)
        first, last = self.t[self.k], self.t[self._n]
        if extrapolate != "periodic" and not extrapolate:
            low, high = clip(low, first, last), clip(high, first, last)
        primitive = self.antiderivative()
        return _integral(lambda x: primitive._values(x, 0, True), low, high, first, last, extrapolate, self.c.shape[1:])


def _with_zeros(c: Array, count: int) -> Array:
    return concat([c, zeros((count - c.shape[0], *c.shape[1:]), dtype=c.dtype, device=c.device)])


# --- interpolation ---------------------------------------------------------------------------------------------------

#: Names of conditions at an end: orders of derivatives that are 0 there.
_CONDITIONS = {"clamped": (1,), "natural": (2,)}


def _knots(x: Array, k: int, conditions: bool) -> Array:
    """Knots for interpolation at points: as many as the conditions at the ends ask for."""
    first, last = broadcast_to(x[:1], (k + 1,)), broadcast_to(x[-1:], (k + 1,))
    if conditions:
        return concat([first, x[1:-1], last])
    # As many as there are points: some near the ends are left out, and those of even degree lie between the points.
    inner = x if k % 2 else (x[1:] + x[:-1]) / 2
    out = (k + 1) // 2 if k % 2 else k // 2
    return concat([first, inner[out : inner.shape[0] - out], last])


def _periodic_knots(x: Array, k: int) -> Array:
    """Knots on a circle: the points, or for even degree the middles between them, and `k` more on each side."""
    knots = x
    if k % 2 == 0:
        knots = concat([x[:1], (x[1:-1] + x[:-2]) / 2, x[-1:]])
    steps = knots[1:] - knots[:-1]
    count = steps.shape[0]
    turns = [position % count for position in range(k)]
    ahead = [steps[number] for number in turns]
    behind = [steps[count - 1 - number] for number in turns]
    if not k:
        return knots
    after = knots[-1] + cumulative_sum(stack(ahead), axis=0)
    before = knots[0] - cumulative_sum(stack(behind), axis=0)
    return concat([before[::-1], knots, after])


def _boundary(op: str, side: Any, k: int, values: Array) -> tuple[list[int], list[Array]]:
    """The orders of the derivatives that are given at one end, and what they are."""
    if side is None or (isinstance(side, str) and side == "not-a-knot"):
        return [], []
    if isinstance(side, str):
        if side not in _CONDITIONS:
            raise invalid(op, f"there is no boundary condition {side!r}", "pass 'clamped', 'natural' or derivatives")
        side = [
            (order, zeros(values.shape[1:], dtype=values.dtype, device=values.device)) for order in _CONDITIONS[side]
        ]
    orders, given = [], []
    for order, value in side:
        orders.append(whole(op, "an order in bc_type", order))
        if orders[-1] > k:
            raise invalid(op, f"a derivative of order {order} of degree {k} is given", "give lower ones")
        part, _ = alike(op, value=value, y=values)
        if part.shape != values.shape[1:]:
            raise refuse(op, "a boundary value has not the shape of a value", "broadcast it", value=part, y=values)
        given.append(part)
    return orders, given


@composite
def make_interp_spline(
    x: Any,
    y: Any,
    k: int = 3,
    t: Any = None,
    bc_type: Any = None,
    axis: int = 0,
    check_finite: bool = True,
) -> BSpline:
    """Spline through points.

    Parameters
    ----------
    x : array_like
        Points, of shape ``(n,)``, that strictly increase.
    y : array_like
        Values, with a length of ``n`` along the axis.
    k : int, default: 3
        Degree.
    t : array_like, optional
        Knots; by default those of the points, but for some near the ends where nothing else determines the spline.
    bc_type : str or tuple, optional
        Conditions at both ends: ``"not-a-knot"`` (the default), ``"clamped"`` (first derivative 0), ``"natural"``
        (second derivative 0), ``"periodic"``, or a pair with, for each end, such a name, None, or a list of pairs of
        an order and a derivative.
    axis : int, default: 0
        The axis of `y`.
    check_finite : bool, default: True
        Whether to refuse values that are not finite.

    Returns
    -------
    BSpline
        Differentiable in `y`, `x`, `t` and the derivatives at the ends.

    Raises
    ------
    ArgumentValueError, ShapeError
        If the arguments do not fit together.
    LinearAlgebraError
        If the knots do not determine the spline.

    Notes
    -----
    As ``scipy.interpolate.make_interp_spline``.
    """
    op = "make_interp_spline"
    k = whole(op, "k", k)
    operands = {"x": x, "y": y} if t is None else {"x": x, "y": y, "t": t}
    points, values, *given = alike(op, **operands)
    values, axis = points_and_values(op, points, values, axis, least=1)
    if check_finite and not np.all(np.isfinite(host(values))):
        raise invalid(op, "y has values that are not finite", "leave them out", y=values)
    periodic = isinstance(bc_type, str) and bc_type == "periodic"
    sides = (None, None) if periodic or bc_type is None else (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    if not isinstance(sides, (tuple, list)) or len(sides) != 2:
        raise invalid(op, f"bc_type is {bc_type!r}", "pass a name, or a pair of conditions")
    (left, at_left), (right, at_right) = [_boundary(op, side, k, values) for side in sides]
    if k == 0 or (k == 1 and not given):
        if left or right or given:
            raise invalid(op, f"there are too many conditions for degree {k}", "leave t and bc_type out")
        ends = [points[:1]] if k else []
        return BSpline.construct_fast(concat([*ends, points, points[-1:]]), values, k, axis=axis)
    if periodic:
        if given:
            raise invalid(op, "knots on a circle are made from the points", "leave t out")
        if not np.allclose(host(values)[0], host(values)[-1], atol=1e-15):
            raise invalid(op, "the first and the last value of a period differ", "make them equal", y=values)
        return _periodic_spline(op, points, values, k, axis)
    if given:
        knots = given[0]
        if knots.ndim != 1:
            raise refuse(op, "knots must be 1-D", "reshape them", t=knots)
        check_increasing(op, knots, strictly=False, name="t")
    else:
        knots = _knots(points, k, bool(left or right))
    count, n = knots.shape[0] - k - 1, points.shape[0]
    if count < n or count - n != len(left) + len(right):
        raise refuse(
            op,
            f"{n} points and {len(left) + len(right)} derivatives do not determine {count} coefficients",
            "",
            t=knots,
        )
    ends_of = host(points)
    if ends_of[0] < host(knots)[k] or ends_of[-1] > host(knots)[count]:
        raise invalid(op, "points lie beyond the knots", "pass knots that enclose them", x=points, t=knots)
    rows = [
        *[(points[:1], order) for order in left],
        (points, 0),
        *[(points[-1:], order) for order in right],
    ]
    bands = _collocation(op, knots, k, count, rows)
    sides_ = [[reshape(part, (1, *values.shape[1:])) for part in parts] for parts in (at_left, at_right)]
    whole_ = concat([*sides_[0], values, *sides_[1]])
    c = reshape(solve_banded(bands, matrix(whole_), lower=k, upper=k), whole_.shape) if count > k else None
    assert c is not None  # there are at least k + 1 coefficients of any spline
    return BSpline.construct_fast(knots, c, k, axis=axis)


def _collocation(op: str, t: Array, k: int, count: int, rows: list[tuple[Array, int]]) -> Array:
    """The bands of the matrix with a row for each condition, from points and orders of derivatives."""
    parts, places = [], []
    for x, nu in rows:
        place = _places(t, x, k, count)
        parts.append(stack(basis(t, x, place, k, nu), axis=1))
        places.append(host(place))
    values = concat(parts)
    first = np.concatenate(places) - k
    column = first[:, None] + np.arange(k + 1)
    band = k + np.arange(count)[:, None] - column
    inside = (band >= 0) & (band <= 2 * k)
    if np.any(host(values)[~inside] != 0):
        raise _errors.LinearAlgebraError(
            _errors.message(op, "the knots do not determine the spline", [("t", t)], "put points between the knots")
        )
    # For each element of the bands the number of its value; the last stands for 0.
    source = np.full((2 * k + 1, count), column.size)
    source[band[inside], column[inside]] = np.reshape(np.arange(column.size), column.shape)[inside]
    flat = concat([reshape(values, (-1,)), zeros((1,), dtype=values.dtype, device=values.device)])
    return reshape(take(flat, constant(np.reshape(source, -1), t), axis=0), source.shape)


def _periodic_spline(op: str, x: Array, y: Array, k: int, axis: int) -> BSpline:
    """A spline whose values and derivatives at both ends are equal."""
    n = x.shape[0]
    if n < 2:
        raise refuse(op, "a period has two points at least", "pass more points", x=x)
    t = _periodic_knots(x, k)
    # The last k coefficients are the first ones: one unknown for each point of the circle.
    count = n - 1
    place = _places(t, x[:-1], k, t.shape[0] - k - 1)
    square = zeros((count, count), dtype=t.dtype, device=t.device)
    for number, part in enumerate(basis(t, x[:-1], place, k)):
        # In row i one number in its column, and zeros, of which the last element stands for all.
        source = np.full((count, count), count)
        source[np.arange(count), (host(place) - k + number) % count] = np.arange(count)
        flat = concat([part, zeros((1,), dtype=part.dtype, device=part.device)])
        square = square + reshape(take(flat, constant(np.reshape(source, -1), t), axis=0), (count, count))
    c = reshape(solve(astype(square, y.dtype, copy=False), matrix(y[:-1, ...])), (count, *y.shape[1:]))
    around = constant(np.arange(count + k) % count, x)
    return BSpline.construct_fast(t, take(c, around, axis=0), k, "periodic", axis)
