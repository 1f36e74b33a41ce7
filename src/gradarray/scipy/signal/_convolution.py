"""Convolution and correlation of signals with any number of axes."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._dispatch import check_devices
from ..._operations import composite
from ...fft import fftn, ifftn, irfftn, rfftn
from ...ops.conversion import asarray
from ...ops.elementwise import conj
from ...ops.manipulation import flip
from .._filters import operand, padded, shifted

_MODES = ("full", "same", "valid")
#: Up to how many elements a kernel is applied directly, a shifted copy of the signal for each.
_DIRECT = 64


def _pair(op: Callable[..., Any], in1: Any, in2: Any, mode: str) -> tuple[Array, Array]:
    name = op.__name__
    check_devices(name, [("in1", in1), ("in2", in2)])
    device = next((x.device for x in (in1, in2) if isinstance(x, Array)), None)
    x, y = (operand(op, asarray(part, device=device)) for part in (in1, in2))
    if mode not in _MODES:
        raise _errors.ArgumentValueError(f"{name}(): there is no mode {mode!r}\nFix: use 'full', 'same' or 'valid'")
    if x.ndim != y.ndim:
        raise _errors.ShapeError(
            _errors.message(name, "both must have as many axes", [("in1", x), ("in2", y)], "reshape one of them")
        )
    inside = [a >= b for a, b in zip(x.shape, y.shape, strict=True)]
    outside = [a <= b for a, b in zip(x.shape, y.shape, strict=True)]
    if mode == "valid" and not (all(inside) or all(outside)):
        raise _errors.ShapeError(
            _errors.message(
                name,
                "for mode 'valid' one must be at least as long on every axis",
                [("in1", x), ("in2", y)],
                "use 'full'",
            )
        )
    return x, y


def _directly(x: Array, y: Array) -> Array:
    """The full convolution as a sum over the elements of the smaller one."""
    if y.size > x.size:
        x, y = y, x
    wide = x
    for axis, length in enumerate(y.shape):
        wide = padded(wide, axis, length - 1, length - 1, "constant")
    shape = [a + b - 1 for a, b in zip(x.shape, y.shape, strict=True)]
    total: Any = None
    for place in np.ndindex(y.shape):
        window = wide
        for axis, (number, length, wanted) in enumerate(zip(place, y.shape, shape, strict=True)):
            window = shifted(window, axis, length - 1 - number, wanted)
        term = y[place] * window
        total = term if total is None else total + term
    return total  # type: ignore[no-any-return]


def _by_fft(x: Array, y: Array, axes: tuple[int, ...]) -> Array:
    """The full convolution along axes as a product of transforms."""
    lengths = tuple([x.shape[axis] + y.shape[axis] - 1 for axis in axes])
    is_complex = x.dtype.kind == "c" or y.dtype.kind == "c"
    there, back = (fftn, ifftn) if is_complex else (rfftn, irfftn)
    return back(there(x, s=lengths, axes=axes) * there(y, s=lengths, axes=axes), s=lengths, axes=axes)


def _cut(full: Array, x: Array, y: Array, mode: str, axes: tuple[int, ...]) -> Array:
    if mode == "full":
        return full
    key: list[Any] = [slice(None)] * full.ndim
    swapped = mode == "valid" and any(x.shape[axis] < y.shape[axis] for axis in axes)
    for axis in axes:
        first, second = x.shape[axis], y.shape[axis]
        if swapped:
            first, second = second, first
        wanted = first if mode == "same" else first - second + 1
        start = (full.shape[axis] - wanted) // 2
        key[axis] = slice(start, start + wanted)
    return full[tuple(key)]


def _convolved(x: Array, y: Array, mode: str, method: str) -> Array:
    axes = tuple(range(x.ndim))
    if not x.size or not y.size:
        full_shape = [max(a + b - 1, 0) for a, b in zip(x.shape, y.shape, strict=True)]
        raise _errors.ShapeError(
            _errors.message("convolve", f"there is nothing to convolve: {tuple(full_shape)}", [("in1", x), ("in2", y)])
        )
    if not x.ndim:
        return x * y
    direct = method == "direct" or (method == "auto" and min(prod(x.shape), prod(y.shape)) <= _DIRECT)
    return _cut(_directly(x, y) if direct else _by_fft(x, y, axes), x, y, mode, axes)


def _method(op: str, method: str) -> str:
    if method not in ("auto", "direct", "fft"):
        raise _errors.ArgumentValueError(f"{op}(): there is no method {method!r}\nFix: use 'auto', 'direct' or 'fft'")
    return method


@composite
def convolve(in1: Array, in2: Array, mode: str = "full", method: str = "auto") -> Array:
    """Convolution of two signals of as many axes.

    Parameters
    ----------
    in1, in2 : Array
        Floating-point numbers; integers count as float64.
    mode : {"full", "same", "valid"}, default: "full"
        All of the result, its middle in the shape of `in1`, or what depends on no padding.
    method : {"auto", "direct", "fft"}, default: "auto"
        By sums, or by products of transforms.

    Returns
    -------
    Array
        The convolution.

    Raises
    ------
    ArgumentValueError
        If there is no such mode or method.
    DeviceMismatchError
        If the signals are not on one device.
    ShapeError
        If they have not as many axes.

    Notes
    -----
    As ``scipy.signal.convolve``. Linear in each signal, and differentiable in both.
    """
    x, y = _pair(convolve, in1, in2, mode)
    return _convolved(x, y, mode, _method("convolve", method))


@composite
def correlate(in1: Array, in2: Array, mode: str = "full", method: str = "auto") -> Array:
    """Cross-correlation of two signals of as many axes.

    Parameters
    ----------
    in1, in2, mode, method
        As for `convolve`.

    Returns
    -------
    Array
        The correlation; `in2` is conjugated.

    Notes
    -----
    As ``scipy.signal.correlate``.
    """
    x, y = _pair(correlate, in1, in2, mode)
    if mode == "valid" and any(a < b for a, b in zip(x.shape, y.shape, strict=True)):
        # The roles change, and the result is turned back.
        return flip(conj(_convolved(y, flip(conj(x)), mode, _method("correlate", method))))
    return _convolved(x, flip(conj(y)), mode, _method("correlate", method))


@composite
def fftconvolve(in1: Array, in2: Array, mode: str = "full", axes: Any = None) -> Array:
    """Convolution of two signals by products of transforms.

    Parameters
    ----------
    in1, in2, mode
        As for `convolve`.
    axes : int or tuple of int, optional
        Along which axes; all of them by default. The others are broadcast.

    Returns
    -------
    Array
        The convolution.

    Notes
    -----
    As ``scipy.signal.fftconvolve``.
    """
    x, y = _pair(fftconvolve, in1, in2, mode if axes is None else "full")
    along = tuple(range(x.ndim)) if axes is None else tuple(np.atleast_1d(axes).tolist())
    along = tuple(axis % x.ndim for axis in along)
    return _cut(_by_fft(x, y, along), x, y, mode, along)


@composite
def oaconvolve(in1: Array, in2: Array, mode: str = "full", axes: Any = None) -> Array:
    """Convolution of a long signal and a short one; here as `fftconvolve`.

    Parameters
    ----------
    in1, in2, mode, axes
        As for `fftconvolve`.

    Returns
    -------
    Array
        The convolution.

    Notes
    -----
    As ``scipy.signal.oaconvolve``.
    """
    return fftconvolve(in1, in2, mode, axes)
