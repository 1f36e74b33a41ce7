"""Trends, smoothing and other sampling rates."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import scipy.signal

from ... import _errors
from ..._array import Array
from ..._dispatch import check_devices
from ..._operations import composite
from ...ops._arguments import axis_of, integer
from ...ops.conversion import asarray
from ...ops.creation import zeros
from ...ops.linear_algebra import matmul
from ...ops.manipulation import concat, moveaxis, reshape
from ...ops.searching import where
from ...ops.statistical import mean
from .._filters import each, operand
from ..ndimage import convolve1d
from ._convolution import convolve, correlate


def _constant(like: Array, values: Any) -> Array:
    kind = like.dtype if like.dtype.kind == "f" else np.float64
    return asarray(np.ascontiguousarray(values).astype(kind), device=like.device)


@composite
def detrend(data: Array, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: bool = False) -> Array:
    """Signal less its linear trend, or its mean, piece by piece.

    Parameters
    ----------
    data : Array
        Floating-point numbers; integers count as float64.
    axis : int, default: -1
        The axis of time.
    type : {"linear", "constant"}, default: "linear"
        What is taken off.
    bp : sequence of int, default: 0
        Where pieces begin.
    overwrite_data : bool, default: False
        Nothing is overwritten.

    Returns
    -------
    Array
        Of the shape of `data`.

    Raises
    ------
    ArgumentValueError
        If there is no such type, or a piece begins beyond the end.

    Notes
    -----
    As ``scipy.signal.detrend``.
    """
    x = operand(detrend, data)
    axis = axis_of(detrend, x, axis)
    if type in ("constant", "c"):
        return x - mean(x, axis=axis, keepdims=True)
    if type not in ("linear", "l"):
        raise _errors.ArgumentValueError(f"detrend(): there is no type {type!r}\nFix: use 'linear' or 'constant'")
    rows = moveaxis(x, axis, -1)
    length = rows.shape[-1]
    breaks = sorted({0, length, *[int(place) for place in np.atleast_1d(bp)]})
    if breaks[-1] > length or breaks[0] < 0:
        raise _errors.ArgumentValueError(f"detrend(): a piece begins beyond the {length} elements\nFix: use less")
    pieces = []
    for start, stop in itertools.pairwise(breaks):
        piece = rows[..., start:stop]
        basis = np.stack([np.arange(1, stop - start + 1) / (stop - start), np.ones(stop - start)], axis=1)
        onto = basis @ np.linalg.pinv(basis)
        pieces.append(piece - matmul(piece[..., None, :], _constant(x, onto.T))[..., 0, :])
    return moveaxis(concat(pieces, axis=-1) if pieces else rows, -1, axis)


@composite
def savgol_filter(
    x: Array,
    window_length: int,
    polyorder: int,
    deriv: int = 0,
    delta: float = 1.0,
    axis: int = -1,
    mode: str = "interp",
    cval: float = 0.0,
) -> Array:
    """Signal smoothed by polynomials through windows of neighbours, or a derivative of it.

    Parameters
    ----------
    x : Array
        Floating-point numbers; integers count as float64.
    window_length, polyorder : int
        How many neighbours, and the degree of the polynomials.
    deriv : int, default: 0
        Which derivative.
    delta : float, default: 1.0
        The time between elements.
    axis : int, default: -1
        The axis of time.
    mode : {"interp", "mirror", "constant", "nearest", "wrap"}, default: "interp"
        What is done at the ends.
    cval : float, default: 0.0
        What lies beyond them in mode ``"constant"``.

    Returns
    -------
    Array
        Of the shape of `x`.

    Raises
    ------
    ArgumentValueError
        If there is no such mode, or the window is longer than the signal.

    Notes
    -----
    As ``scipy.signal.savgol_filter``.
    """
    x = operand(savgol_filter, x)
    axis = axis_of(savgol_filter, x, axis)
    if mode not in ("interp", "mirror", "constant", "nearest", "wrap"):
        raise _errors.ArgumentValueError(f"savgol_filter(): there is no mode {mode!r}\nFix: use 'interp' or 'mirror'")
    try:
        weights = scipy.signal.savgol_coeffs(window_length, polyorder, deriv=deriv, delta=delta).tolist()
    except ValueError as error:
        raise _errors.ArgumentValueError(f"savgol_filter(): {error}\nFix: use a longer window") from None
    if mode != "interp":
        return convolve1d(x, weights, axis, None, mode, cval)
    length, half = x.shape[axis], window_length // 2
    if window_length > length:
        raise _errors.ArgumentValueError(
            f"savgol_filter(): the window of {window_length} is longer than the signal of {length}\nFix: use less"
        )
    middle = moveaxis(convolve1d(x, weights, axis, None, "constant"), axis, -1)
    rows = moveaxis(x, axis, -1)
    # At each end the polynomial through the last window, as a matrix.
    one = scipy.signal.savgol_filter(np.eye(window_length), window_length, polyorder, deriv, delta, axis=0)
    first = matmul(rows[..., None, :window_length], _constant(x, one[:half].T))[..., 0, :]
    last = matmul(rows[..., None, length - window_length :], _constant(x, one[window_length - half :].T))[..., 0, :]
    return moveaxis(concat([first, middle[..., half : length - half], last], axis=-1), -1, axis)


@composite
def wiener(im: Array, mysize: Any = None, noise: Any = None) -> Array:
    """Signal smoothed where it varies less than the noise.

    Parameters
    ----------
    im : Array
        Floating-point numbers; integers count as float64.
    mysize : int or sequence of int, optional
        How many neighbours, for all axes or for each; 3 by default.
    noise : float or Array, optional
        The power of the noise; by default the mean of the local variances.

    Returns
    -------
    Array
        Of the shape of `im`.

    Notes
    -----
    As ``scipy.signal.wiener``.
    """
    check_devices("wiener", [("im", im), ("noise", noise)])
    x = operand(wiener, im)
    sizes = each("wiener", "mysize", 3 if mysize is None else mysize, x.ndim)
    ones = _constant(x, np.ones(sizes))
    count = math.prod(sizes)
    centre = correlate(x, ones, "same") / count
    spread = correlate(x * x, ones, "same") / count - centre * centre
    power = mean(spread) if noise is None else noise
    found = (x - centre) * (1 - power / spread) + centre
    return where(spread < power, centre, found)


@composite
def upfirdn(
    h: Array, x: Array, up: int = 1, down: int = 1, axis: int = -1, mode: str = "constant", cval: float = 0.0
) -> Array:
    """Signal with zeros put in, filtered, and thinned out.

    Parameters
    ----------
    h : Array
        Coefficients of the filter, 1-D.
    x : Array
        Floating-point numbers; integers count as float64.
    up, down : int, default: 1
        How many times as many elements, and of those each how many.
    axis : int, default: -1
        The axis of time.
    mode : {"constant"}, default: "constant"
        What lies beyond the ends: zeros.

    Returns
    -------
    Array
        The signal at the other rate.

    Raises
    ------
    ArgumentValueError
        If `mode` is another, or a rate is below 1.

    Notes
    -----
    As ``scipy.signal.upfirdn``. Linear in `h` and in `x`, and differentiable in both.
    """
    if mode != "constant" or cval:
        raise _errors.ArgumentValueError(f"upfirdn(): there is no mode {mode!r} here\nFix: pad the signal before")
    check_devices("upfirdn", [("h", h), ("x", x)])
    device = next((part.device for part in (x, h) if isinstance(part, Array)), None)
    x, weights = operand(upfirdn, asarray(x, device=device)), operand(upfirdn, asarray(h, device=device))
    axis = axis_of(upfirdn, x, axis)
    up, down = integer(upfirdn, "up", up), integer(upfirdn, "down", down)
    if up < 1 or down < 1:
        raise _errors.ArgumentValueError("upfirdn(): up and down are 1 or more\nFix: pass such")
    rows = moveaxis(x, axis, -1)
    length = rows.shape[-1]
    if up > 1:
        gaps = zeros((*rows.shape, up - 1), dtype=x.dtype, device=x.device)
        wide = reshape(concat([rows[..., None], gaps], axis=-1), (*rows.shape[:-1], length * up))
        rows = wide[..., : (length - 1) * up + 1]
    kernel = reshape(weights, (*(1,) * (rows.ndim - 1), -1))
    return moveaxis(convolve(rows, kernel)[..., ::down], -1, axis)


@composite
def resample_poly(
    x: Array,
    up: int,
    down: int,
    axis: int = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: Any = None,
) -> Array:
    """Signal at another rate, by a filter that lets no mirror frequencies through.

    Parameters
    ----------
    x : Array
        Floating-point numbers; integers count as float64.
    up, down : int
        The new rate in terms of the old.
    axis : int, default: 0
        The axis of time.
    window : str, tuple or Array, default: ("kaiser", 5.0)
        The window of the filter, or its coefficients.
    padtype : {"constant"}, default: "constant"
        What lies beyond the ends: zeros.

    Returns
    -------
    Array
        The signal at the other rate.

    Raises
    ------
    ArgumentValueError
        If `padtype` is another.

    Notes
    -----
    As ``scipy.signal.resample_poly``.
    """
    if padtype != "constant" or cval:
        raise _errors.ArgumentValueError(f"resample_poly(): there is no padtype {padtype!r} here\nFix: pad before")
    x = operand(resample_poly, x)
    axis = axis_of(resample_poly, x, axis)
    divisor = math.gcd(up, down)
    up, down = up // divisor, down // divisor
    if up == down == 1:
        return asarray(x, copy=True)
    length = x.shape[axis]
    wanted = -(-length * up // down)
    if isinstance(window, (Array, np.ndarray, list)):
        weights = operand(resample_poly, asarray(window, device=x.device))
        half = (weights.size - 1) // 2
    else:
        half = 10 * max(up, down)
        weights = _constant(x, scipy.signal.firwin(2 * half + 1, 1 / max(up, down), window=window))
    weights = weights * up
    before = down - half % down
    skip = (half + before) // down

    def zeros_of(count: int) -> Array:
        return zeros(count, dtype=weights.dtype, device=x.device)

    after = 0
    while -(-((length - 1) * up + weights.size + before + after) // down) < wanted + skip:
        after += 1
    y = upfirdn(concat([zeros_of(before), weights, zeros_of(after)]), x, up, down, axis)
    key: list[Any] = [slice(None)] * x.ndim
    key[axis] = slice(skip, skip + wanted)
    return y[tuple(key)]
