"""Images between their elements: splines, and what moves, turns and stretches images by them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.ndimage

from ... import _errors
from ..._array import Array
from ..._dispatch import check_devices
from ..._operations import composite
from ...ops._arguments import axis_of
from ...ops.conversion import asarray
from ...ops.data_type import astype
from ...ops.elementwise import floor, maximum, minimum
from ...ops.indexing import take
from ...ops.linear_algebra import matmul, tensordot
from ...ops.manipulation import moveaxis, reshape
from ...ops.searching import where
from .._filters import MODES, operand, places
from ._linear import _output


def _mode(op: str, mode: Any) -> str:
    if mode not in MODES or mode == "grid-mirror":
        if mode == "grid-mirror":
            return "reflect"
        raise _errors.ArgumentValueError(f"{op}(): there is no mode {mode!r}\nFix: use one of {', '.join(MODES)}")
    return str(mode)


@lru_cache(maxsize=64)
def _spline_matrix(length: int, order: int, mode: str) -> Any:
    """The linear map that SciPy's prefilter is, as a matrix."""
    return np.ascontiguousarray(scipy.ndimage.spline_filter1d(np.eye(length), order, axis=0, mode=mode))


@composite
def spline_filter1d(input: Array, order: int = 3, axis: int = -1, output: Any = float, mode: str = "mirror") -> Array:
    """Coefficients of the splines along an axis that go through the elements.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    order : int, default: 3
        Order of the spline, 0 to 5.
    axis : int, default: -1
        The axis.
    mode : str, default: "mirror"
        How the input goes on beyond its ends.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ArgumentValueError
        If `order` is out of range, there is no such mode, or `output` is an array.

    Notes
    -----
    As ``scipy.ndimage.spline_filter1d``. It is a product with a matrix: work grows with the square of the length.
    """
    x = operand(spline_filter1d, input)
    axis = axis_of(spline_filter1d, x, axis)
    if output not in (float, np.float64, None):
        raise _errors.ArgumentValueError("spline_filter1d(): output is not taken\nFix: use the result, or astype it")
    _check_order("spline_filter1d", order)
    if order < 2 or x.shape[axis] < 2:
        return x
    matrix = _spline_matrix(x.shape[axis], int(order), _mode("spline_filter1d", mode))
    weights = asarray(matrix.astype(x.dtype if x.dtype.kind == "f" else np.float64), device=x.device)
    return moveaxis(tensordot(weights, x, axes=((1,), (axis,))), 0, axis)


@composite
def spline_filter(input: Array, order: int = 3, output: Any = float, mode: str = "mirror") -> Array:
    """Coefficients of the splines along all axes that go through the elements.

    Parameters
    ----------
    input, order, output, mode
        As for `spline_filter1d`; the order is 2 or more.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.spline_filter``.
    """
    x = operand(spline_filter, input)
    for axis in range(x.ndim):
        x = spline_filter1d(x, order, axis, output, mode)
    return x


def _check_order(op: str, order: Any) -> None:
    if not isinstance(order, (int, np.integer)) or not 0 <= order <= 5:
        raise _errors.ArgumentValueError(
            f"{op}(): the order of a spline is 0 to 5, not {order}\nFix: use 3 for cubic ones"
        )


def _bump(distance: Array, order: int) -> Array:
    """The centred B-spline of an order at distances from its centre, as polynomials that differ between the pieces."""
    # By truncated powers: sum of (-1)^k (n+1 over k) (t + (n+1)/2 - k)_+^n / n!, exact for the short supports here.
    half = (order + 1) / 2
    total = 0 * distance
    for k in range(order + 2):
        base = distance + half - k
        power = where(base > 0, base, 0.0) ** order if order else where(base > 0, 1.0 + 0 * base, 0.0)
        total = total + (-1) ** k * math.comb(order + 1, k) / math.factorial(order) * power
    return total


@composite
def map_coordinates(
    input: Array,
    coordinates: Array,
    output: None = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Values of an image at coordinates between its elements.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    coordinates : Array
        Along the first axis, one for each axis of `input`.
    order : int, default: 3
        Order of the splines between the elements, 0 to 5.
    mode : {"constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-constant", "grid-mirror"}
        What lies beyond the ends.
    cval : float, default: 0.0
        What lies there in mode ``"constant"``.
    prefilter : bool, default: True
        Whether `input` holds values, not coefficients of splines.

    Returns
    -------
    Array
        Of the shape of `coordinates` without its first axis.

    Raises
    ------
    ArgumentValueError
        If there is no such order or mode.
    ShapeError
        If the coordinates are not as many as the axes.

    Notes
    -----
    As ``scipy.ndimage.map_coordinates``. Differentiable in the image, and for order 1 and above in the coordinates:
    at the elements themselves, for order 1, with the slope on one side.
    """
    _output("map_coordinates", output)
    check_devices("map_coordinates", [("input", input), ("coordinates", coordinates)])
    x = operand(map_coordinates, input)
    at = operand(map_coordinates, asarray(coordinates, device=x.device))
    _check_order("map_coordinates", order)
    if not at.ndim or at.shape[0] != x.ndim:
        raise _errors.ShapeError(
            _errors.message(
                "map_coordinates",
                "there must be a coordinate for each axis",
                [("input", x), ("coordinates", at)],
                "stack them along the first axis",
            )
        )
    kind = _mode("map_coordinates", mode)
    return _sampled(x, [at[number, ...] for number in range(x.ndim)], order, kind, cval, prefilter)


def _folded(at: Array, length: int, mode: str) -> Array:
    """Coordinates brought within an axis, as SciPy does before it interpolates; folds have slope 1 or -1."""
    if mode in ("constant", "grid-constant", "grid-wrap"):
        return at
    if mode == "nearest":
        return minimum(maximum(at, 0.0), float(length - 1))
    if length == 1:
        return 0 * at
    if mode == "wrap":
        period = length - 1
        return where((at < 0) | (at > period), at - period * floor(at / period), at)
    if mode == "mirror":
        period = 2 * (length - 1)
        within = at - period * floor(at / period)
        return where(within > length - 1, period - within, within)
    period = 2 * length
    within = at - period * floor(at / period)
    return where(within > length - 0.5, period - 1 - within, where(within < -0.5, -1 - within, within))


def _sampled(x: Array, at: list[Array], order: int, mode: str, cval: float, prefilter: bool) -> Array:
    dtype = x.dtype  # of the result: coordinates may be more precise
    # SciPy's splines go on by mirroring unless the mode says how; it pads where the ends are another thing.
    spline_mode = mode if mode in ("mirror", "reflect", "grid-wrap") else "mirror"
    pad = 0
    if prefilter and order > 1:
        if mode in ("nearest", "grid-constant"):
            pad = 12
            x = _grown(x, pad, mode, cval)
            spline_mode = mode
        for axis in range(x.ndim):
            x = spline_filter1d(x, order, axis, float, spline_mode)
    outside: Any = False
    weights, picks = [], []
    for axis, coordinate in enumerate(at):
        length = x.shape[axis] - 2 * pad
        if mode == "constant":
            outside = outside | (coordinate < 0) | (coordinate > length - 1)
        where_to = _folded(coordinate + pad, x.shape[axis], mode) if pad else _folded(coordinate, length, mode)
        start = floor(where_to + (0.0 if order % 2 else 0.5)).detach() - order // 2
        host = start._host().astype(np.int64)
        axis_weights, axis_picks = [], []
        for step in range(order + 1):
            place = host + step
            axis_weights.append(_bump(where_to - start - step, order) if order else None)
            axis_picks.append(_reached(place, x.shape[axis], pad, mode))
        weights.append(axis_weights)
        picks.append(axis_picks)
    strides = np.cumprod([1, *x.shape[:0:-1]])[::-1]
    flat = reshape(x, (-1,))
    total: Any = None
    for steps in np.ndindex(*[order + 1] * x.ndim):
        number: Any = 0
        known: Any = True
        factor: Any = None
        for axis, step in enumerate(steps):
            place = picks[axis][step]
            known = known & (place >= 0)
            number = number + np.maximum(place, 0) * int(strides[axis])
            weight = weights[axis][step]
            if weight is not None:
                factor = weight if factor is None else factor * weight
        shape = number.shape
        values = reshape(take(flat, asarray(number.reshape(-1), device=x.device), axis=0), shape)
        if not np.all(known):
            values = where(asarray(known, device=x.device), values, cval)
        term = values if factor is None else factor * values
        total = term if total is None else total + term
    if outside is not False:
        total = where(outside, cval, total)
    found: Array = astype(total, dtype, copy=False)
    return found


def _grown(x: Array, pad: int, mode: str, cval: float) -> Array:
    from .._filters import padded

    for axis in range(x.ndim):
        x = padded(x, axis, pad, pad, "constant" if mode == "grid-constant" else "nearest", cval)
    return x


def _reached(place: Any, length: int, pad: int, mode: str) -> Any:
    """The element that stands for each place, -1 for the constant."""
    if mode == "grid-constant" and not pad:
        return np.where((place < 0) | (place >= length), -1, place)
    if mode == "grid-wrap":
        return place % length
    if mode == "reflect":
        return places_at(place, length, "reflect")
    if mode == "nearest" or pad:
        return np.clip(place, 0, length - 1)
    return places_at(place, length, "mirror")


def places_at(place: Any, length: int, mode: str) -> Any:
    """The element that stands for each place beyond the ends."""
    low, high = int(min(place.min(initial=0), 0)), int(max(place.max(initial=0), length - 1))
    table = places(length, -low, high - length + 1, mode)
    return table[place - low]


def _affine(op: str, x: Array, matrix: Any, offset: Any, shape: tuple[int, ...]) -> list[Array]:
    """The coordinates in the input of each element of the output."""
    grid = np.indices(shape).reshape(len(shape), -1).astype(np.float64)
    points = asarray(grid.astype(x.dtype if x.dtype.kind == "f" else np.float64), device=x.device)
    matrix = operand(affine_transform, asarray(matrix, device=x.device))
    if matrix.ndim == 1:
        at = matrix[:, None] * points
    else:
        if matrix.shape in ((x.ndim + 1, x.ndim + 1), (x.ndim, x.ndim + 1)):
            matrix, offset = matrix[: x.ndim, : x.ndim], matrix[: x.ndim, x.ndim]
        at = matmul(matrix, points)
    shift = asarray(offset, device=x.device)
    at = at + (shift[:, None] if shift.ndim else shift)
    return [reshape(at[number, :], shape) for number in range(x.ndim)]


@composite
def affine_transform(
    input: Array,
    matrix: Any,
    offset: Any = 0.0,
    output_shape: Any = None,
    output: None = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Image in which each element is the value at the coordinates that an affine map gives for it.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    matrix : Array
        The map: a matrix, its diagonal, or a matrix with the offset as its last column.
    offset : Array or float, default: 0.0
        What is added to the coordinates.
    output_shape : tuple of int, optional
        The shape of the result; that of `input` by default.
    order, mode, cval, prefilter
        As for `map_coordinates`.

    Returns
    -------
    Array
        Of the shape `output_shape`.

    Notes
    -----
    As ``scipy.ndimage.affine_transform``. Differentiable in the image, the matrix and the offset.
    """
    _output("affine_transform", output)
    check_devices("affine_transform", [("input", input), ("matrix", matrix), ("offset", offset)])
    x = operand(affine_transform, input)
    _check_order("affine_transform", order)
    shape = x.shape if output_shape is None else tuple(int(length) for length in output_shape)
    at = _affine("affine_transform", x, matrix, offset, shape)
    return _sampled(x, at, order, _mode("affine_transform", mode), cval, prefilter)


@composite
def shift(
    input: Array,
    shift: Any,
    output: None = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Image moved by a distance along each axis.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    shift : Array, float or sequence of float
        How far: for all axes, or for each.
    order, mode, cval, prefilter
        As for `map_coordinates`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.shift``. Differentiable in the image and in the distances.
    """
    _output("shift", output)
    check_devices("shift", [("input", input), ("shift", shift)])
    x = operand(affine_transform, input)
    _check_order("shift", order)
    distance = asarray(shift, device=x.device)
    at = _affine("shift", x, np.ones(x.ndim), -distance, x.shape)
    return _sampled(x, at, order, _mode("shift", mode), cval, prefilter)


@composite
def zoom(
    input: Array,
    zoom: Any,
    output: None = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
    *,
    grid_mode: bool = False,
) -> Array:
    """Image with more or fewer elements along each axis.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    zoom : float or sequence of float
        How many times as many: for all axes, or for each. A constant.
    order, mode, cval, prefilter
        As for `map_coordinates`.
    grid_mode : bool, default: False
        Whether elements are areas, whose edges are the ends; else their centres are.

    Returns
    -------
    Array
        The larger or smaller image.

    Notes
    -----
    As ``scipy.ndimage.zoom``. Differentiable in the image.
    """
    _output("zoom", output)
    x = operand(affine_transform, input)
    _check_order("zoom", order)
    factors = np.broadcast_to(np.asarray(zoom, float), (x.ndim,))
    shape = tuple(round(float(length * factor)) for length, factor in zip(x.shape, factors, strict=True))
    steps, starts = [], []
    for length, wanted in zip(x.shape, shape, strict=True):
        if grid_mode:
            step = length / wanted if wanted else 1.0
            steps.append(step)
            starts.append(0.5 * step - 0.5)
        else:
            steps.append((length - 1) / (wanted - 1) if wanted > 1 else 1.0)
            starts.append(0.0)
    at = _affine("zoom", x, np.asarray(steps), np.asarray(starts), shape)
    if mode == "constant":
        # The last element is met exactly, whatever rounding says.
        at = [
            where(part > length - 1, where(part < length - 1 + 1e-9, float(length - 1), part), part)
            for part, length in zip(at, x.shape, strict=True)
        ]
    return _sampled(x, at, order, _mode("zoom", mode), cval, prefilter)
