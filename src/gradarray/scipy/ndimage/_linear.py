"""The linear filters of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._operations import composite
from ...ops._arguments import axis_of, integer
from ...ops.elementwise import sqrt
from ...ops.manipulation import flip
from .._filters import axes_of, each, mode_of, operand, padded, shifted, weights_of


def _output(op: str, output: Any) -> None:
    if output is not None:
        raise _errors.ArgumentValueError(f"{op}(): output is not taken\nFix: use the result, or astype it")


def _start(op: str, size: int, origin: Any) -> int:
    """How many neighbours come before an element."""
    shift = int(origin)
    if not -(size // 2) <= shift <= (size - 1) // 2:
        raise _errors.ArgumentValueError(
            f"{op}(): the origin {shift} lies outside of a filter of length {size}\nFix: move it less"
        )
    return size // 2 + shift


@composite
def correlate1d(
    input: Array,
    weights: Any,
    axis: int = -1,
    output: None = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Array:
    """Weighted sums of neighbours along an axis.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    weights : Array or sequence of float
        One for each neighbour.
    axis : int, default: -1
        The axis.
    mode : {"reflect", "constant", "nearest", "mirror", "wrap"}, default: "reflect"
        What lies beyond the ends; also ``"grid-mirror"``, ``"grid-constant"``, ``"grid-wrap"``.
    cval : float, default: 0.0
        What lies there in mode ``"constant"``.
    origin : int, default: 0
        How far the window is moved.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ArgumentValueError
        If there is no such mode, `output` is given, or the origin lies outside.
    AxisError
        If there is no such axis.
    ShapeError
        If `weights` is not 1-D, or empty.

    Notes
    -----
    As ``scipy.ndimage.correlate1d``. Linear in `input` and in `weights`, and differentiable in both.
    """
    _output("correlate1d", output)
    x = operand(correlate1d, input)
    w = weights_of(correlate1d, x, weights)
    axis = axis_of(correlate1d, x, axis)
    if w.ndim != 1 or not w.size:
        raise _errors.ShapeError(
            _errors.message("correlate1d", "weights must be 1-D", [("weights", w)], "reshape them")
        )
    before = _start("correlate1d", w.size, origin)
    wide = padded(x, axis, before, w.size - 1 - before, mode_of("correlate1d", mode), cval)
    total = w[0] * shifted(wide, axis, 0, x.shape[axis])
    for place in range(1, w.size):
        total = total + w[place] * shifted(wide, axis, place, x.shape[axis])
    return total


@composite
def convolve1d(
    input: Array,
    weights: Any,
    axis: int = -1,
    output: None = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Array:
    """Convolution along an axis: `correlate1d` with the weights in reverse.

    Parameters
    ----------
    input, weights, axis, output, mode, cval, origin
        As for `correlate1d`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.convolve1d``.
    """
    x = operand(convolve1d, input)
    w = weights_of(convolve1d, x, weights)
    if w.ndim != 1 or not w.size:
        raise _errors.ShapeError(_errors.message("convolve1d", "weights must be 1-D", [("weights", w)], "reshape them"))
    moved = -integer(convolve1d, "origin", origin) - (1 if not w.size % 2 else 0)
    return correlate1d(x, flip(w), axis, output, mode, cval, moved)


@composite
def correlate(
    input: Array,
    weights: Any,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    """Weighted sums of neighbours along several axes.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    weights : Array or nested sequence of float
        One for each neighbour, with as many axes as are filtered along.
    mode, cval, origin
        As for `correlate1d`; modes and origins may be one for each axis.
    axes : tuple of int, optional
        The axes; all of them by default.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ShapeError
        If `weights` has not as many axes.

    Notes
    -----
    As ``scipy.ndimage.correlate``. Linear in `input` and in `weights`, and differentiable in both.
    """
    _output("correlate", output)
    x = operand(correlate, input)
    return _correlated("correlate", x, weights_of(correlate, x, weights), mode, cval, origin, axes)


@composite
def convolve(
    input: Array,
    weights: Any,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    """Convolution along several axes: `correlate` with the weights in reverse.

    Parameters
    ----------
    input, weights, output, mode, cval, origin, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.convolve``.
    """
    _output("convolve", output)
    x = operand(convolve, input)
    w = weights_of(convolve, x, weights)
    moved = [
        -int(shift) - (1 if not length % 2 else 0)
        for shift, length in zip(each("convolve", "origin", origin, w.ndim), w.shape, strict=True)
    ]
    return _correlated("convolve", x, flip(w), mode, cval, moved, axes)


def _correlated(op: str, x: Array, w: Array, mode: Any, cval: float, origin: Any, axes: Any) -> Array:
    along = axes_of(op, x, axes)
    if w.ndim != len(along):
        raise _errors.ShapeError(
            _errors.message(
                op, f"the weights must have {len(along)} axes", [("input", x), ("weights", w)], "reshape them"
            )
        )
    modes, origins = each(op, "mode", mode, w.ndim), each(op, "origin", origin, w.ndim)
    wide = x
    for axis, size, one, shift in zip(along, w.shape, modes, origins, strict=True):
        before = _start(op, size, shift)
        wide = padded(wide, axis, before, size - 1 - before, mode_of(op, one), cval)
    total = None
    for place in np.ndindex(w.shape):
        window = wide
        for axis, start in zip(along, place, strict=True):
            window = shifted(window, axis, start, x.shape[axis])
        term = w[place] * window
        total = term if total is None else total + term
    if total is None:
        raise _errors.ShapeError(_errors.message(op, "there are no weights", [("weights", w)], "give one at least"))
    return total


def gaussian_weights(sigma: float, order: int, radius: int) -> list[float]:
    """The weights of a Gaussian, or of its derivative, that `correlate1d` takes."""
    at = np.arange(-radius, radius + 1)
    bell = np.exp(-0.5 / (sigma * sigma) * at**2)
    bell = bell / bell.sum()
    # A derivative is the bell times a polynomial: q' + q p', from q = 1.
    polynomial = np.zeros(order + 1)
    polynomial[0] = 1.0
    step = np.diag(np.arange(1, order + 1), 1) + np.diag(np.full(order, -1.0 / (sigma * sigma)), -1)
    for _ in range(order):
        polynomial = step @ polynomial
    weights: list[float] = ((at[:, None] ** np.arange(order + 1)) @ polynomial * bell)[::-1].tolist()
    return weights


def _constant(op: str, name: str, value: Any) -> float:
    if isinstance(value, Array):
        if value.requires_grad:
            raise _errors.NoDerivativeError(
                f"{op}(): the derivative with respect to {name} is not known\n"
                f"Fix: pass {name}.detach() if no gradient with respect to it is wanted"
            )
        return float(value)
    return float(value)


@composite
def gaussian_filter1d(
    input: Array,
    sigma: Any,
    axis: int = -1,
    order: int = 0,
    output: None = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> Array:
    """Gaussian filter along an axis, or a derivative of it.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    sigma : float
        Standard deviation, a constant.
    axis : int, default: -1
        The axis.
    order : int, default: 0
        Which derivative of the Gaussian.
    mode, cval
        As for `correlate1d`.
    truncate : float, default: 4.0
        Where the filter ends, in standard deviations.
    radius : int, optional
        Where it ends, in elements.

    Returns
    -------
    Array
        Of the shape of `input`.

    Raises
    ------
    ArgumentValueError
        If `order` or `radius` is negative.
    NoDerivativeError
        If `sigma` is tracked.

    Notes
    -----
    As ``scipy.ndimage.gaussian_filter1d``.
    """
    width = _constant("gaussian_filter1d", "sigma", sigma)
    reach = int(truncate * width + 0.5) if radius is None else integer(gaussian_filter1d, "radius", radius)
    if reach < 0 or order < 0:
        raise _errors.ArgumentValueError("gaussian_filter1d(): radius and order are 0 or more\nFix: pass such")
    return correlate1d(input, gaussian_weights(width, order, reach), axis, output, mode, cval)


@composite
def gaussian_filter(
    input: Array,
    sigma: Any,
    order: Any = 0,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: Any = None,
    axes: Any = None,
) -> Array:
    """Gaussian filter along several axes, or a derivative of it.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    sigma : float or sequence of float
        Standard deviation, a constant: one for all axes, or one for each.
    order, mode, radius
        As for `gaussian_filter1d`; one for all axes, or one for each.
    cval, truncate
        As for `gaussian_filter1d`.
    axes : tuple of int, optional
        The axes; all of them by default.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.gaussian_filter``.
    """
    _output("gaussian_filter", output)
    x = operand(gaussian_filter, input)
    along = axes_of("gaussian_filter", x, axes)
    parameters = [
        each("gaussian_filter", name, value, len(along))
        for name, value in (("sigma", sigma), ("order", order), ("mode", mode), ("radius", radius))
    ]
    for axis, width, degree, one, reach in zip(along, *parameters, strict=True):
        if _constant("gaussian_filter", "sigma", width) > 1e-15:
            x = gaussian_filter1d(x, width, axis, degree, None, one, cval, truncate, radius=reach)
    return x


@composite
def uniform_filter1d(
    input: Array,
    size: int,
    axis: int = -1,
    output: None = None,
    mode: str = "reflect",
    cval: float = 0.0,
    origin: int = 0,
) -> Array:
    """Mean of neighbours along an axis.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    size : int
        How many neighbours.
    axis, output, mode, cval, origin
        As for `correlate1d`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.uniform_filter1d``.
    """
    count = integer(uniform_filter1d, "size", size)
    if count < 1:
        raise _errors.ArgumentValueError(f"uniform_filter1d(): size is {count}\nFix: give 1 or more")
    return correlate1d(input, [1 / count] * count, axis, output, mode, cval, origin)


@composite
def uniform_filter(
    input: Array,
    size: Any = 3,
    output: None = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Any = None,
) -> Array:
    """Mean of neighbours along several axes.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    size : int or sequence of int, default: 3
        How many neighbours, for all axes or for each.
    output, mode, cval, origin, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.uniform_filter``.
    """
    _output("uniform_filter", output)
    x = operand(uniform_filter, input)
    along = axes_of("uniform_filter", x, axes)
    parameters = [
        each("uniform_filter", name, value, len(along))
        for name, value in (("size", size), ("mode", mode), ("origin", origin))
    ]
    for axis, count, one, shift in zip(along, *parameters, strict=True):
        if count > 1:
            x = uniform_filter1d(x, count, axis, None, one, cval, shift)
    return x


def _gradient_along(op: Any, x: Array, axis: int, side: list[float], mode: Any, cval: float) -> Array:
    modes = each(op.__name__, "mode", mode, x.ndim)
    along = axis_of(op, x, axis)
    found = correlate1d(x, [-1, 0, 1], along, None, modes[along], cval)
    for other in range(x.ndim):
        if other != along:
            found = correlate1d(found, side, other, None, modes[other], cval)
    return found


@composite
def prewitt(input: Array, axis: int = -1, output: None = None, mode: Any = "reflect", cval: float = 0.0) -> Array:
    """Prewitt filter: differences along an axis, added up across the others.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    axis : int, default: -1
        The axis of the differences.
    output, mode, cval
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.prewitt``.
    """
    _output("prewitt", output)
    return _gradient_along(prewitt, operand(prewitt, input), axis, [1, 1, 1], mode, cval)


@composite
def sobel(input: Array, axis: int = -1, output: None = None, mode: Any = "reflect", cval: float = 0.0) -> Array:
    """Sobel filter: differences along an axis, smoothed across the others.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    axis : int, default: -1
        The axis of the differences.
    output, mode, cval
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.sobel``.
    """
    _output("sobel", output)
    return _gradient_along(sobel, operand(sobel, input), axis, [1, 2, 1], mode, cval)


@composite
def laplace(input: Array, output: None = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Any = None) -> Array:
    """Sum of the second differences along axes.

    Parameters
    ----------
    input : Array
        Floating-point numbers; integers count as float64.
    output, mode, cval, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.laplace``.
    """
    _output("laplace", output)
    x = operand(laplace, input)
    along = axes_of("laplace", x, axes)
    total = 0 * x
    for axis, one in zip(along, each("laplace", "mode", mode, len(along)), strict=True):
        total = total + correlate1d(x, [1, -2, 1], axis, None, one, cval)
    return total


@composite
def gaussian_laplace(
    input: Array, sigma: Any, output: None = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Any = None
) -> Array:
    """Sum of second derivatives of a Gaussian filter along axes.

    Parameters
    ----------
    input, sigma
        As for `gaussian_filter`.
    output, mode, cval, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.gaussian_laplace``.
    """
    return _of_second_derivatives("gaussian_laplace", input, sigma, output, mode, cval, axes, 2, lambda part: part)


@composite
def gaussian_gradient_magnitude(
    input: Array, sigma: Any, output: None = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Any = None
) -> Array:
    """Length of the gradient that the derivatives of a Gaussian filter give.

    Parameters
    ----------
    input, sigma
        As for `gaussian_filter`.
    output, mode, cval, axes
        As for `correlate`.

    Returns
    -------
    Array
        Of the shape of `input`.

    Notes
    -----
    As ``scipy.ndimage.gaussian_gradient_magnitude``.
    """
    op = "gaussian_gradient_magnitude"
    return sqrt(_of_second_derivatives(op, input, sigma, output, mode, cval, axes, 1, lambda part: part * part))


def _of_second_derivatives(
    op: str, input: Any, sigma: Any, output: Any, mode: Any, cval: float, axes: Any, degree: int, of: Any
) -> Array:
    _output(op, output)
    x = operand(gaussian_filter, input)
    along = axes_of(op, x, axes)
    total = 0 * x
    for number in range(len(along)):
        order = [degree if number == other else 0 for other in range(len(along))]
        total = total + of(gaussian_filter(x, sigma, order, None, mode, cval, axes=along))
    return total
