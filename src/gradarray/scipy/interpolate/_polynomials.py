"""Interpolation by one polynomial through all points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._array import Array
from ..._operations import composite
from ...ops.data_type import astype
from ...ops.indexing import take
from ...ops.linear_algebra import matmul
from ...ops.manipulation import concat, expand_dims, flip, reshape, stack
from ...ops.searching import where
from ...ops.statistical import cumulative_prod, prod
from ._arguments import alike, columns, constant, host, invalid, matrix, number_of_axis, put_back, refuse, whole
from ._cubic import PchipInterpolator


def _prepared(op: str, xi: Any, yi: Any, axis: int) -> tuple[Array, Array, int]:
    points, values = alike(op, xi=xi, yi=yi)
    if points.ndim != 1 or not points.shape[0] or not values.ndim:
        raise refuse(op, "xi must be 1-D and not empty, and yi have an axis", "reshape them", xi=points, yi=values)
    axis = number_of_axis(op, values, axis)
    if values.shape[axis] != points.shape[0]:
        raise refuse(op, "there must be a value for each point", "choose axis=", xi=points, yi=values)
    from ...ops.manipulation import moveaxis

    return points, moveaxis(values, axis, 0), axis


class KroghInterpolator:
    """Polynomial through points, with given derivatives where points are repeated.

    Parameters
    ----------
    xi : array_like
        Points, of shape ``(n,)``. Equal ones must stand next to each other.
    yi : array_like
        Values, with a length of ``n`` along the axis; at the repetitions of a point its derivatives, in order.
    axis : int, default: 0
        The axis of `yi`.

    Notes
    -----
    As ``scipy.interpolate.KroghInterpolator``. Differentiable in `xi`, `yi` and the points of evaluation.
    """

    def __init__(self, xi: Any, yi: Any, axis: int = 0) -> None:
        op = "KroghInterpolator"
        self.xi, self.yi, self._axis = _prepared(op, xi, yi, axis)
        self.n = self.xi.shape[0]
        self.c = _divided_differences(op, self.xi, self.yi)

    def __call__(self, x: Any) -> Array:
        """Values at points: the axis of `yi` is replaced by the axes of `x`."""
        return self.derivative(x, 0)

    def derivative(self, x: Any, der: int = 1) -> Array:
        """Derivative at points.

        Parameters
        ----------
        x : array_like
            Points, of any shape.
        der : int, default: 1
            Order of the derivative.

        Returns
        -------
        Array
            The axis of `yi` is replaced by the axes of `x`.
        """
        return self._all(x, whole("KroghInterpolator", "der", der))[-1]

    def derivatives(self, x: Any, der: int | None = None) -> Array:
        """Values and derivatives at points, up to below an order.

        Parameters
        ----------
        x : array_like
            Points, of any shape.
        der : int, optional
            How many orders; as many as there are points if it is not given.

        Returns
        -------
        Array
            Stacked along a new first axis.
        """
        count = self.n if der is None else whole("KroghInterpolator", "der", der, 1)
        return stack(self._all(x, count - 1))

    def _all(self, x: Any, highest: int) -> list[Array]:
        points, _ = alike("KroghInterpolator", x=x, yi=self.yi)
        flat = reshape(points, (-1, *(1,) * (self.c.ndim - 1)))
        start = self.c[-1:, ...] + 0 * flat
        found = [start, *[0 * start for _ in range(highest)]]
        for position in range(self.n - 2, -1, -1):
            step = flat - self.xi[position]
            # From the highest order down: each needs the one below as it was.
            for order in range(highest, 0, -1):
                found[order] = found[order] * step + order * found[order - 1]
            found[0] = found[0] * step + self.c[position : position + 1, ...]
        shape = (*points.shape, *self.c.shape[1:])
        return [put_back(reshape(part, shape), points.ndim, self._axis) for part in found]


def _divided_differences(op: str, x: Array, y: Array) -> Array:
    """The coefficients of Newton's form."""
    values = host(x)
    n = len(values)
    first = np.arange(n)
    for position in range(1, n):
        if values[position] == values[position - 1]:
            first[position] = first[position - 1]
    if len(np.unique(values)) != len(np.unique(first)):
        raise invalid(op, "equal points do not stand next to each other", "sort them", xi=x)
    column = take(y, constant(first, x), axis=0)
    found = [column[:1, ...]]
    for level in range(1, n):
        equal = values[level:] == values[:-level]
        width = x[level:] - x[:-level]
        if not equal.any():
            column = (column[1:, ...] - column[:-1, ...]) / columns(width, y.ndim)
        else:
            marks = columns(constant(equal, x), y.ndim)
            width = columns(where(constant(equal, x), 1.0, width), y.ndim)
            places = np.where(equal, first[:-level] + level, 0)
            given = take(y, constant(places, x), axis=0) / math.factorial(level)
            column = where(marks, given, (column[1:, ...] - column[:-1, ...]) / width)
        found.append(column[:1, ...])
    return concat(found)


class BarycentricInterpolator:
    """Polynomial through points, in the barycentric form, which stays precise for many points.

    Parameters
    ----------
    xi : array_like
        Points, of shape ``(n,)``, no two of them equal.
    yi : array_like, optional
        Values, with a length of ``n`` along the axis; they may be given later by `set_yi`.
    axis : int, default: 0
        The axis of `yi`.
    wi : array_like, optional
        The weights of the points, if they are known; by default they are computed from `xi`.
    rng : optional
        Not needed: the points are taken in order. It is there because SciPy's has it.

    Notes
    -----
    As ``scipy.interpolate.BarycentricInterpolator``, without ``add_xi``, ``derivative`` and ``derivatives``: use
    `gradarray.jvp`, or `KroghInterpolator`. Differentiable in `xi`, `yi` and the points of evaluation, where those are
    points of `xi` too.
    """

    def __init__(self, xi: Any, yi: Any = None, axis: int = 0, *, wi: Any = None, rng: Any = None) -> None:
        op = "BarycentricInterpolator"
        operands = {"xi": xi} if yi is None else {"xi": xi, "yi": yi}
        if wi is not None:
            operands["wi"] = wi
        self.xi, *_ = alike(op, **operands)
        if self.xi.ndim != 1 or not self.xi.shape[0]:
            raise refuse(op, "xi must be 1-D and not empty", "reshape it", xi=self.xi)
        self.n = self.xi.shape[0]
        values = host(self.xi)
        if len(np.unique(values)) != self.n:
            raise invalid(op, "two points are equal", "leave one out", xi=self.xi)
        # Differences of this size keep products of many of them within the range of numbers.
        self._scale = 4 / float(values.max() - values.min()) if self.n > 1 else 1.0
        self.wi = self._weights() if wi is None else alike(op, wi=wi, xi=self.xi)[0]
        # Weights that are given may have a factor in common.
        self._factor = None if wi is None else (self._weights() / self.wi)[:1]
        self._axis = axis
        self.yi: Array | None = None
        if yi is not None:
            self.set_yi(yi, axis)

    def _weights(self) -> Array:
        off = self._scale * (expand_dims(self.xi, axis=1) - self.xi)
        same = constant(np.eye(self.n, dtype=bool), self.xi)
        return 1 / prod(where(same, 1.0, off), axis=1)

    def set_yi(self, yi: Any, axis: int | None = None) -> None:
        """Give the values.

        Parameters
        ----------
        yi : array_like
            Values, with a length of ``n`` along the axis.
        axis : int, optional
            The axis of `yi`; by default that of the object.
        """
        op = "BarycentricInterpolator"
        _, self.yi, self._axis = _prepared(op, self.xi, yi, self._axis if axis is None else axis)

    def __call__(self, x: Any) -> Array:
        """Values at points: the axis of `yi` is replaced by the axes of `x`."""
        op = "BarycentricInterpolator"
        if self.yi is None:
            raise invalid(op, "there are no values", "call set_yi first")
        points, _ = alike(op, x=x, yi=self.yi)
        off = self._scale * (reshape(points, (-1, 1)) - self.xi)
        # The product of all differences but one, without a division: at a point of `xi` one of them is 0.
        before = cumulative_prod(off, axis=1, include_initial=True)[:, :-1]
        after = flip(cumulative_prod(flip(off, axis=1), axis=1, include_initial=True)[:, :-1], axis=1)
        weights = before * after * self.wi
        if self._factor is not None:
            weights = weights * self._factor
        values = matrix(self.yi)
        found = matmul(astype(weights, values.dtype, copy=False), values)
        return put_back(reshape(found, (*points.shape, *self.yi.shape[1:])), points.ndim, self._axis)


@composite
def krogh_interpolate(xi: Any, yi: Any, x: Any, der: Any = 0, axis: int = 0) -> Array:
    """Values, or derivatives, of the polynomial through points; see `KroghInterpolator`.

    Parameters
    ----------
    xi, yi : array_like
        Points and values.
    x : array_like
        Points of evaluation.
    der : int or sequence of int, default: 0
        Order of the derivative, or orders, along a new first axis.
    axis : int, default: 0
        The axis of `yi`.

    Returns
    -------
    Array
        The axis of `yi` is replaced by the axes of `x`.

    Notes
    -----
    As ``scipy.interpolate.krogh_interpolate``.
    """
    polynomial = KroghInterpolator(xi, yi, axis)
    return _orders(der, polynomial.derivative, x)


@composite
def pchip_interpolate(xi: Any, yi: Any, x: Any, der: Any = 0, axis: int = 0) -> Array:
    """Values, or derivatives, of the monotonic cubic interpolant; see `PchipInterpolator`.

    Parameters
    ----------
    xi, yi : array_like
        Points and values.
    x : array_like
        Points of evaluation.
    der : int or sequence of int, default: 0
        Order of the derivative, or orders, along a new first axis.
    axis : int, default: 0
        The axis of `yi`.

    Returns
    -------
    Array
        The axis of `yi` is replaced by the axes of `x`.

    Notes
    -----
    As ``scipy.interpolate.pchip_interpolate``.
    """
    return _orders(der, PchipInterpolator(xi, yi, axis), x)


def _orders(der: Any, function: Any, x: Any) -> Array:
    if isinstance(der, (list, tuple, range, np.ndarray)):
        return stack([function(x, int(order)) for order in der])
    found: Array = function(x, der)
    return found


@composite
def barycentric_interpolate(xi: Any, yi: Any, x: Any, axis: int = 0, *, der: int = 0, rng: Any = None) -> Array:
    """Values of the polynomial through points, in the barycentric form; see `BarycentricInterpolator`.

    Parameters
    ----------
    xi, yi : array_like
        Points and values.
    x : array_like
        Points of evaluation.
    axis : int, default: 0
        The axis of `yi`.
    der : int, default: 0
        Must be 0: for derivatives there is `krogh_interpolate`.
    rng : optional
        Not needed; see `BarycentricInterpolator`.

    Returns
    -------
    Array
        The axis of `yi` is replaced by the axes of `x`.

    Notes
    -----
    As ``scipy.interpolate.barycentric_interpolate``, for the values.
    """
    if not isinstance(der, int) or der != 0:
        raise invalid("barycentric_interpolate", f"der is {der!r}", "use krogh_interpolate for derivatives")
    return BarycentricInterpolator(xi, yi, axis)(x)
