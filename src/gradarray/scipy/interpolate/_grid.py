"""Interpolation on a grid of any number of dimensions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..._array import Array
from ..._operations import composite
from ...ops.elementwise import clip
from ...ops.indexing import take
from ...ops.manipulation import broadcast_arrays, flip, moveaxis, reshape, stack
from ...ops.searching import where
from ._arguments import alike, check_increasing, columns, found_in, host, invalid, refuse, whole
from ._bsplines import _places, basis, make_interp_spline

_DEGREES = {"slinear": 1, "cubic": 3, "quintic": 5}
_METHODS = ("linear", "nearest", *_DEGREES)


class RegularGridInterpolator:
    """Interpolation of values on a rectilinear grid.

    Parameters
    ----------
    points : tuple of array_like
        The coordinates along each dimension, which strictly increase or decrease.
    values : array_like
        Values, of shape ``(m1, ..., mn, ...)``.
    method : {"linear", "nearest", "slinear", "cubic", "quintic"}, default: "linear"
        How to interpolate: the last three by a tensor product of splines. ``"pchip"`` is not there: it is not linear in
        the values.
    bounds_error : bool, default: True
        Whether to refuse points beyond the grid.
    fill_value : float, Array or None, default: NaN
        What there is beyond the grid; None: what the outermost polynomials give.
    solver, solver_args : optional
        Must be None: the systems of the splines are solved directly.

    Notes
    -----
    As ``scipy.interpolate.RegularGridInterpolator``. Differentiable in the values, the coordinates of the grid and the
    points of evaluation; by ``"nearest"`` in the values.
    """

    def __init__(
        self,
        points: Any,
        values: Any,
        method: str = "linear",
        bounds_error: bool = True,
        fill_value: Any = math.nan,
        *,
        solver: Any = None,
        solver_args: Any = None,
    ) -> None:
        op = "RegularGridInterpolator"
        if solver is not None or solver_args is not None:
            raise invalid(op, "the systems of the splines are solved directly", "leave solver and solver_args out")
        self._check_method(op, method)
        *grid, data = alike(op, **{f"points[{number}]": x for number, x in enumerate(points)}, values=values)
        if len(grid) > data.ndim or not grid:
            raise refuse(op, f"there are {len(grid)} coordinates", "pass one for each axis of the values", values=data)
        for number, x in enumerate(grid):
            if x.ndim != 1 or x.shape[0] != data.shape[number]:
                raise refuse(op, f"coordinate {number} does not fit the values", "pass as many", points=x, values=data)
            if x.shape[0] > 1 and host(x)[0] > host(x)[-1]:
                grid[number], data = flip(x), flip(data, axis=number)
            check_increasing(op, grid[number], name=f"points[{number}]")
        self.grid, self.values, self.method = tuple(grid), data, method
        self.bounds_error, self.fill_value = bool(bounds_error), fill_value
        if method in _DEGREES:
            self._check_lengths(op, method)

    @staticmethod
    def _check_method(op: str, method: Any) -> None:
        if method not in _METHODS:
            names = ", ".join(map(repr, _METHODS))
            raise invalid(op, f"there is no method {method!r}", f"use one of {names}")

    def _check_lengths(self, op: str, method: str) -> None:
        for number, x in enumerate(self.grid):
            if x.shape[0] <= _DEGREES[method]:
                raise invalid(
                    op, f"coordinate {number} has too few points for {method!r}", f"pass {_DEGREES[method] + 1} or more"
                )

    def __call__(self, xi: Any, method: str | None = None, *, nu: Any = None) -> Array:
        """Values at points.

        Parameters
        ----------
        xi : array_like or tuple of array_like
            Points, of shape ``(..., n)``, or their coordinates, which broadcast.
        method : str, optional
            As of the class; by default its own.
        nu : sequence of int, optional
            Orders of the derivatives along each dimension; with splines only.

        Returns
        -------
        Array
            Of the shape of the points, without the last axis, and then that of a value.

        Raises
        ------
        ArgumentValueError
            If a point lies beyond the grid, and that is not allowed.
        """
        op = "RegularGridInterpolator"
        method = self.method if method is None else method
        self._check_method(op, method)
        ndim = len(self.grid)
        points = _coordinates(op, xi, ndim, self.values)
        rows = reshape(points, (-1, ndim))
        coordinates = [rows[:, number] for number in range(ndim)]
        outside = None
        if self.bounds_error or self.fill_value is not None:
            for x, knots in zip(coordinates, self.grid, strict=True):
                beyond = (x < knots[0]) | (x > knots[-1])
                outside = beyond if outside is None else outside | beyond
        if self.bounds_error and outside is not None and bool(np.any(host(outside))):
            raise invalid(op, "a point lies beyond the grid", "pass bounds_error=False", xi=points)
        if method in _DEGREES:
            self._check_lengths(op, method)
            orders = [0] * ndim if nu is None else [whole(op, "nu", order) for order in nu]
            if len(orders) != ndim:
                raise invalid(op, f"nu is {nu!r}", "pass an order for each dimension")
            found = self._by_splines(coordinates, _DEGREES[method], orders)
        elif nu is not None:
            raise invalid(op, f"method {method!r} has no derivatives here", "leave nu out, or use 'cubic'")
        else:
            found = self._by_corners(coordinates, nearest=method == "nearest")
        missing = coordinates[0] != coordinates[0]
        for x in coordinates[1:]:
            missing = missing | (x != x)
        found = where(columns(missing, 2), math.nan, found)
        if not self.bounds_error and self.fill_value is not None and outside is not None:
            fill, _ = alike(op, fill_value=self.fill_value, values=self.values)
            found = where(columns(outside, 2), fill, found)
        return reshape(found, (*points.shape[:-1], *self.values.shape[ndim:]))

    def _flat(self, values: Array) -> tuple[Array, list[int]]:
        """The values with the axes of the grid as one, and how far apart neighbours along each lie there."""
        ndim = len(self.grid)
        shape = values.shape[:ndim]
        return (
            reshape(values, (math.prod(shape), math.prod(values.shape[ndim:]))),
            [math.prod(shape[number + 1 :]) for number in range(ndim)],
        )

    def _by_corners(self, coordinates: list[Array], *, nearest: bool) -> Array:
        values, steps = self._flat(self.values)
        places, weights = [], []
        for x, knots, step in zip(coordinates, self.grid, steps, strict=True):
            n = knots.shape[0]
            if n == 1:
                # One plane, which everything along this dimension equals.
                places.append([found_in(knots, x) * 0])
                weights.append([x * 0 + 1])
                continue
            place = clip(found_in(knots, x) - 1, 0, n - 2)
            low, high = take(knots, place, axis=0), take(knots, place + 1, axis=0)
            share = (x - low) / (high - low)
            if nearest:
                places.append([where(share.detach() <= 0.5, place, place + 1) * step])
                weights.append([])
            else:
                places.append([place * step, (place + 1) * step])
                weights.append([1 - share, share])
        found = None
        for corner in itertools.product(*[range(len(each)) for each in places]):
            index = places[0][corner[0]]
            for number in range(1, len(places)):
                index = index + places[number][corner[number]]
            term = take(values, index, axis=0)
            if not nearest:
                weight = weights[0][corner[0]]
                for number in range(1, len(places)):
                    weight = weight * weights[number][corner[number]]
                term = columns(weight, 2) * term
            found = term if found is None else found + term
        assert found is not None
        return found

    def _by_splines(self, coordinates: list[Array], k: int, orders: list[int]) -> Array:
        coefficients = self.values
        places, weights = [], []
        for number, (x, knots, nu) in enumerate(zip(coordinates, self.grid, orders, strict=True)):
            spline = make_interp_spline(knots, coefficients, k, axis=number)
            coefficients = moveaxis(spline.c, 0, number)
            place = _places(spline.t, x, k, spline.t.shape[0] - k - 1)
            places.append(place - k)
            weights.append(basis(spline.t, x, place, k, nu))
        values, steps = self._flat(coefficients)
        found = None
        for corner in itertools.product(range(k + 1), repeat=len(places)):
            index, weight = (places[0] + corner[0]) * steps[0], weights[0][corner[0]]
            for number in range(1, len(places)):
                index = index + (places[number] + corner[number]) * steps[number]
                weight = weight * weights[number][corner[number]]
            term = columns(weight, 2) * take(values, index, axis=0)
            found = term if found is None else found + term
        assert found is not None
        return found


def _coordinates(op: str, xi: Any, ndim: int, values: Array) -> Array:
    """Points with their coordinates along the last axis."""
    if isinstance(xi, tuple):
        parts = alike(op, **{f"xi[{number}]": x for number, x in enumerate(xi)}, values=values)[:-1]
        points = stack(broadcast_arrays(*parts), axis=-1) if len(parts) > 1 else parts[0]
    else:
        points, _ = alike(op, xi=xi, values=values)
    if points.ndim <= 1:
        points = reshape(points, (-1, ndim)) if points.size % ndim == 0 else points
    if not points.ndim or points.shape[-1] != ndim:
        raise refuse(op, f"points must have {ndim} coordinates along the last axis", "reshape them", xi=points)
    return points


@composite
def interpn(
    points: Any,
    values: Any,
    xi: Any,
    method: str = "linear",
    bounds_error: bool = True,
    fill_value: Any = math.nan,
) -> Array:
    """Values at points by interpolation on a rectilinear grid.

    Parameters
    ----------
    points : tuple of array_like
        The coordinates along each dimension, which strictly increase or decrease.
    values : array_like
        Values, of shape ``(m1, ..., mn, ...)``.
    xi : array_like or tuple of array_like
        Points, of shape ``(..., n)``, or their coordinates, which broadcast.
    method : {"linear", "nearest", "slinear", "cubic", "quintic"}, default: "linear"
        As of `RegularGridInterpolator`.
    bounds_error : bool, default: True
        Whether to refuse points beyond the grid.
    fill_value : float, Array or None, default: NaN
        What there is beyond the grid; None: what the outermost polynomials give.

    Returns
    -------
    Array
        Of the shape of the points, without the last axis, and then that of a value.

    Notes
    -----
    As ``scipy.interpolate.interpn``, without the methods ``"pchip"`` and ``"splinef2d"``. Differentiable as
    `RegularGridInterpolator`.
    """
    interpolator = RegularGridInterpolator(points, values, method, bounds_error, fill_value)
    return interpolator(xi)
