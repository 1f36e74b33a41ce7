"""Interpolation between scattered points: by radial functions, in triangles and by the nearest."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._array import Array
from ..._operations import composite
from ...linalg.norms import vector_norm
from ...linalg.systems import solve
from ...ops.creation import eye, zeros
from ...ops.data_type import astype
from ...ops.elementwise import exp, log, sqrt
from ...ops.indexing import take
from ...ops.linear_algebra import matmul, matrix_transpose
from ...ops.manipulation import broadcast_to, concat, expand_dims, reshape, stack
from ...ops.searching import where
from ...ops.statistical import max as largest
from ...ops.statistical import min as smallest
from ...ops.statistical import sum as total
from .._kernels import scipy_function
from ._arguments import alike, columns, constant, host, invalid, matrix, refuse, whole
from ._grid import _coordinates
from ._one import interp1d

# --- radial functions ------------------------------------------------------------------------------------------------


def _thin_plate(r: Array) -> Array:
    # At 0 the logarithm is infinite and does not matter.
    return where(r == 0, 0.0, r * r * log(where(r == 0, 1.0, r)))


#: Radial functions of the distance, and the degree of the polynomial that each needs beside it.
_KERNELS: dict[str, tuple[Callable[[Array], Array], int]] = {
    "linear": (lambda r: -r, 0),
    "thin_plate_spline": (_thin_plate, 1),
    "cubic": (lambda r: r * r * r, 1),
    "quintic": (lambda r: -(r * r * r * r * r), 2),
    "multiquadric": (lambda r: -sqrt(r * r + 1), 0),
    "inverse_multiquadric": (lambda r: 1 / sqrt(r * r + 1), -1),
    "inverse_quadratic": (lambda r: 1 / (r * r + 1), -1),
    "gaussian": (lambda r: exp(-(r * r)), -1),
}
_WITHOUT_SCALE = ("linear", "thin_plate_spline", "cubic", "quintic")


class RBFInterpolator:
    """Interpolation or smoothing of scattered values by radial functions and a polynomial.

    Parameters
    ----------
    y : array_like
        Points, of shape ``(n, dimensions)``.
    d : array_like
        Values, of shape ``(n, ...)``.
    neighbors : int, optional
        How many of the nearest points determine the value at each point; all of them by default.
    smoothing : float or array_like, default: 0
        How much the values may differ from those given, at all points or at each; 0 interpolates. Differentiable.
    kernel : str, default: "thin_plate_spline"
        ``"linear"``, ``"thin_plate_spline"``, ``"cubic"``, ``"quintic"``, ``"multiquadric"``,
        ``"inverse_multiquadric"``, ``"inverse_quadratic"`` or ``"gaussian"``.
    epsilon : float or 0-d Array, optional
        The factor of distances; 1 by default for the first four kernels, to be given for the others. Differentiable.
    degree : int, optional
        The degree of the polynomial; -1 for none. By default the least that the kernel needs.

    Raises
    ------
    LinearAlgebraError
        If the points do not determine the interpolant.

    Notes
    -----
    As ``scipy.interpolate.RBFInterpolator``. Differentiable in `d`, `y`, the points of evaluation, `smoothing` and
    `epsilon`. Where two points meet, the derivative of their distance is taken as 0, which the smooth kernels justify.
    """

    def __init__(
        self,
        y: Any,
        d: Any,
        neighbors: int | None = None,
        smoothing: Any = 0.0,
        kernel: str = "thin_plate_spline",
        epsilon: Any = None,
        degree: int | None = None,
    ) -> None:
        op = "RBFInterpolator"
        if not isinstance(kernel, str) or kernel.lower() not in _KERNELS:
            raise invalid(op, f"there is no kernel {kernel!r}", f"use one of {', '.join(_KERNELS)}")
        self.kernel = kernel.lower()
        if epsilon is None and self.kernel not in _WITHOUT_SCALE:
            raise invalid(op, f"the kernel {kernel!r} needs a scale", "pass epsilon=")
        self.y, self.d, self.smoothing, self.epsilon = alike(
            op, y=y, d=d, smoothing=smoothing, epsilon=1.0 if epsilon is None else epsilon
        )
        if self.y.ndim != 2:
            raise refuse(op, "points must have two axes", "pass shape (n, dimensions)", y=self.y)
        n, ndim = self.y.shape
        if not self.d.ndim or self.d.shape[0] != n:
            raise refuse(op, "there must be a value for each point", "pass as many", y=self.y, d=self.d)
        if self.smoothing.ndim > 1 or self.smoothing.shape not in ((), (n,)):
            raise refuse(
                op, "smoothing must be a number, or one for each point", "reshape it", smoothing=self.smoothing
            )
        if self.epsilon.ndim:
            raise refuse(op, "epsilon must be one number", "pass a number", epsilon=self.epsilon)
        self.smoothing = broadcast_to(self.smoothing, (n,))
        least = _KERNELS[self.kernel][1]
        self.degree = max(least, 0) if degree is None else whole(op, "degree", degree, -1)
        if degree is not None and -1 < self.degree < least:
            warnings.warn(
                f"RBFInterpolator(): the kernel {kernel!r} needs a polynomial of degree {least} to have one solution",
                UserWarning,
                stacklevel=2,
            )
        self.neighbors = None if neighbors is None else min(whole(op, "neighbors", neighbors, 1), n)
        self.powers = _powers(ndim, self.degree)
        if len(self.powers) > (n if self.neighbors is None else self.neighbors):
            raise invalid(op, f"a polynomial of degree {self.degree} needs {len(self.powers)} points", "pass more")
        self._coefficients: Array | None = None
        if self.neighbors is None:
            self._coefficients = self._solved(self.y, matrix(self.d), self.smoothing)

    def _terms(self, x: Array, y: Array) -> Array:
        """The powers of each point, in coordinates in which the points `y` lie between -1 and 1."""
        high, low = largest(y, axis=-2, keepdims=True), smallest(y, axis=-2, keepdims=True)
        half = (high - low) / 2
        scaled = (x - (high + low) / 2) / where(half == 0, 1.0, half)
        parts = []
        for powers in self.powers:
            term = scaled[..., 0] * 0 + 1
            for number, power in enumerate(powers):
                for _ in range(power):
                    term = term * scaled[..., number]
            parts.append(term)
        return stack(parts, axis=-1)

    def _distances(self, x: Array, y: Array) -> Array:
        return vector_norm(expand_dims(x, axis=-2) - expand_dims(y, axis=-3), axis=-1) * self.epsilon

    def _solved(self, y: Array, d: Array, smoothing: Array) -> Array:
        """The coefficients of the radial functions, and then those of the polynomial."""
        n, count = y.shape[-2], len(self.powers)
        square = _KERNELS[self.kernel][0](self._distances(y, y))
        square = square + eye(n, dtype=y.dtype, device=y.device) * expand_dims(smoothing, axis=-1)
        if count:
            terms = self._terms(y, y)
            corner = zeros((*y.shape[:-2], count, count), dtype=y.dtype, device=y.device)
            square = concat(
                [concat([square, terms], axis=-1), concat([matrix_transpose(terms), corner], axis=-1)], axis=-2
            )
            d = concat([d, zeros((*d.shape[:-2], count, d.shape[-1]), dtype=d.dtype, device=d.device)], axis=-2)
        return solve(astype(square, d.dtype, copy=False), d)

    def _combined(self, x: Array, y: Array, coefficients: Array) -> Array:
        vectors = _KERNELS[self.kernel][0](self._distances(x, y))
        if self.powers:
            vectors = concat([vectors, self._terms(x, y)], axis=-1)
        return matmul(astype(vectors, coefficients.dtype, copy=False), coefficients)

    def __call__(self, x: Any) -> Array:
        """Values at points.

        Parameters
        ----------
        x : array_like
            Points, of shape ``(m, dimensions)``.

        Returns
        -------
        Array
            Of shape ``(m, ...)``.
        """
        op = "RBFInterpolator"
        points, _ = alike(op, x=x, d=self.d)
        if points.ndim != 2 or points.shape[1] != self.y.shape[1]:
            raise refuse(op, "points must be of as many dimensions", "reshape them", x=points, y=self.y)
        if self._coefficients is not None:
            found = self._combined(points, self.y, self._coefficients)
        elif not points.shape[0]:
            found = zeros((0, math.prod(self.d.shape[1:])), dtype=self.d.dtype, device=self.d.device)
        else:
            assert self.neighbors is not None
            tree = scipy_function("spatial.KDTree")(host(self.y))
            nearest = np.reshape(tree.query(host(points), self.neighbors)[1], (points.shape[0], self.neighbors))
            index = constant(np.sort(nearest, axis=1), self.y)
            y, d, smoothing = [_rows(part, index) for part in (self.y, matrix(self.d), self.smoothing)]
            found = self._combined(expand_dims(points, axis=1), y, self._solved(y, d, smoothing))
        return reshape(found, (points.shape[0], *self.d.shape[1:]))


def _rows(x: Array, index: Array) -> Array:
    return reshape(take(x, reshape(index, (-1,)), axis=0), (*index.shape, *x.shape[1:]))


def _powers(ndim: int, degree: int) -> list[tuple[int, ...]]:
    """The exponents of all monomials up to a degree."""
    return [
        tuple([chosen.count(number) for number in range(ndim)])
        for order in range(degree + 1)
        for chosen in itertools.combinations_with_replacement(range(ndim), order)
    ]


# --- triangles and nearest points ------------------------------------------------------------------------------------


def _cloud(op: str, points: Any, values: Any, rescale: bool) -> tuple[Array, Array, Array, Array]:
    """Points and values, and what to subtract from points and to divide them by."""
    where_, data = alike(op, points=points, values=values)
    where_ = reshape(where_, (-1, 1)) if where_.ndim == 1 else where_
    if where_.ndim != 2 or not data.ndim or data.shape[0] != where_.shape[0]:
        raise refuse(op, "there must be a value for each point", "pass (n, dimensions) and (n, ...)", points=where_)
    nothing = zeros((where_.shape[1],), dtype=where_.dtype, device=where_.device)
    if not rescale:
        return where_, data, nothing, nothing + 1
    middle = total(where_, axis=0) / where_.shape[0]
    width = largest(where_, axis=0) - smallest(where_, axis=0)
    width = where(width > 0, width, 1.0)
    return (where_ - middle) / width, data, middle, width


class LinearNDInterpolator:
    """Linear interpolation within the triangles, or simplices, of scattered points.

    Parameters
    ----------
    points : array_like
        Points, of shape ``(n, dimensions)``, in two dimensions or more.
    values : array_like
        Values, of shape ``(n, ...)``.
    fill_value : float, default: NaN
        What there is beyond the convex hull of the points.
    rescale : bool, default: False
        Whether to bring the dimensions to one scale before the triangles are chosen.

    Notes
    -----
    As ``scipy.interpolate.LinearNDInterpolator``; the triangles are those of ``scipy.spatial.Delaunay``, of which none
    is given instead of points. Differentiable in the values, the points and the points of evaluation: which triangles
    there are is a constant.
    """

    def __init__(self, points: Any, values: Any, fill_value: Any = math.nan, rescale: bool = False) -> None:
        op = "LinearNDInterpolator"
        self.points, self.values, self._middle, self._width = _cloud(op, points, values, rescale)
        if self.points.shape[1] < 2:
            raise refuse(op, "points must be of two dimensions or more", "use interp1d", points=self.points)
        self.fill_value = fill_value
        self.tri = scipy_function("spatial.Delaunay")(host(self.points))

    def __call__(self, *args: Any) -> Array:
        """Values at points, of shape ``(..., dimensions)`` or given by their coordinates, which broadcast."""
        op = "LinearNDInterpolator"
        ndim = self.points.shape[1]
        points = _coordinates(op, args if len(args) > 1 else args[0], ndim, self.values)
        rows = (reshape(points, (-1, ndim)) - self._middle) / self._width
        found_in = self.tri.find_simplex(host(rows))
        # For points outside any triangle serves that is not flat.
        solid = np.flatnonzero(np.all(np.isfinite(self.tri.transform), axis=(1, 2)))
        chosen = self.tri.simplices[np.where(found_in < 0, solid[0], found_in)].astype(int)
        corners = constant(chosen, rows)
        vertices = _rows(self.points, corners)
        # Shares of the corners: those of all but the last solve a system of linear equations.
        last = vertices[:, -1:, :]
        sides = matrix_transpose(vertices[:, :-1, :] - last)
        shares = solve(sides, expand_dims(rows, axis=-1) - matrix_transpose(last))
        shares = concat([shares, 1 - total(shares, axis=1, keepdims=True)], axis=1)
        data = _rows(matrix(self.values), corners)
        found = total(shares * data, axis=1)
        found = where(columns(constant(found_in < 0, rows), 2), self.fill_value, found)
        return reshape(found, (*points.shape[:-1], *self.values.shape[1:]))


class NearestNDInterpolator:
    """The value at the nearest of scattered points.

    Parameters
    ----------
    x : array_like
        Points, of shape ``(n, dimensions)``.
    y : array_like
        Values, of shape ``(n, ...)``.
    rescale : bool, default: False
        Whether to bring the dimensions to one scale.
    tree_options : dict, optional
        Options of ``scipy.spatial.KDTree``.

    Notes
    -----
    As ``scipy.interpolate.NearestNDInterpolator``. Differentiable in the values; constant in the points.
    """

    def __init__(self, x: Any, y: Any, rescale: bool = False, tree_options: Any = None) -> None:
        self.points, self.values, self._middle, self._width = _cloud("NearestNDInterpolator", x, y, rescale)
        self.tree = scipy_function("spatial.KDTree")(host(self.points), **(tree_options or {}))

    def __call__(self, *args: Any, **query_options: Any) -> Array:
        """Values at points, of shape ``(..., dimensions)`` or given by their coordinates, which broadcast."""
        op = "NearestNDInterpolator"
        ndim = self.points.shape[1]
        points = _coordinates(op, args if len(args) > 1 else args[0], ndim, self.values)
        rows = (reshape(points, (-1, ndim)) - self._middle) / self._width
        distances, index = self.tree.query(host(rows), **query_options)
        near = np.isfinite(distances)
        found = take(matrix(self.values), constant(np.where(near, index, 0), rows), axis=0)
        if not near.all():
            found = where(columns(constant(near, rows), 2), found, math.nan)
        return reshape(found, (*points.shape[:-1], *self.values.shape[1:]))


@composite
def griddata(
    points: Any, values: Any, xi: Any, method: str = "linear", fill_value: Any = math.nan, rescale: bool = False
) -> Array:
    """Values at points by interpolation between scattered ones.

    Parameters
    ----------
    points : array_like or tuple of array_like
        Points, of shape ``(n, dimensions)``, or their coordinates.
    values : array_like
        Values, of shape ``(n, ...)``.
    xi : array_like or tuple of array_like
        Points of evaluation, of shape ``(..., dimensions)``, or their coordinates, which broadcast.
    method : {"linear", "nearest", "cubic"}, default: "linear"
        How to interpolate; ``"cubic"`` in one dimension only.
    fill_value : float, default: NaN
        What there is beyond the convex hull of the points; ``"nearest"`` needs none.
    rescale : bool, default: False
        Whether to bring the dimensions to one scale.

    Returns
    -------
    Array
        Of the shape of the points, without the last axis, and then that of a value.

    Notes
    -----
    As ``scipy.interpolate.griddata``, without ``"cubic"`` in two dimensions. Differentiable as the interpolators that
    it calls.
    """
    op = "griddata"
    if isinstance(points, tuple):
        parts = alike(op, **{f"points[{number}]": x for number, x in enumerate(points)}, values=values)[:-1]
        points = stack(parts, axis=-1) if len(parts) > 1 else parts[0]
    shape = points.shape if isinstance(points, Array) else np.shape(points)
    ndim = 1 if len(shape) < 2 else shape[-1]
    if ndim == 1 and method in ("linear", "nearest", "cubic"):
        flat = points if len(shape) < 2 else alike(op, points=points, values=values)[0]
        flat = reshape(flat, (-1,)) if isinstance(flat, Array) else np.reshape(flat, -1)
        at = xi[0] if isinstance(xi, tuple) else xi
        filling = "extrapolate" if method == "nearest" else fill_value
        return interp1d(flat, values, method, 0, bounds_error=False, fill_value=filling)(at)
    if method == "nearest":
        return NearestNDInterpolator(points, values, rescale)(xi)
    if method == "linear":
        return LinearNDInterpolator(points, values, fill_value, rescale)(xi)
    raise invalid(op, f"there is no method {method!r} in {ndim} dimensions", "use 'linear' or 'nearest'")
