"""Statistical functions: reductions to sums, products, extremes and moments, and running sums and products."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._dispatch import as_array, finish, run, translated, wrap
from .._dtypes import DType
from .._operations import derivative
from . import _rules
from ._arguments import Shape, axis_of, default_dtype, dtype_of, reduction_axis
from .conversion import check_dtype
from .data_type import astype

_ALL = slice(None)


# --- what the reductions share ---------------------------------------------------------------------------------------


def _reduce(op: Callable[..., Array], x: Array, axis: Any, keepdims: bool) -> Array:
    """Run a reduction of one array: `run` without its loops over inputs, for these are called in every loop."""
    data = x._data
    if axis is not None and (type(axis) is not int or not 0 <= axis < len(data.shape)):
        axis = reduction_axis(op, x, axis)
    device = x._device
    try:
        out = device.kernels[op](data, axis=axis, keepdims=keepdims)
    except Exception as error:
        raise translated(error, op, (x,)) from error
    return finish(op, out, device, (data,), (x._node,), {"axis": axis, "keepdims": keepdims})


def _axes(axis: Any, ndim: int) -> Shape:
    """The reduced axes as a tuple."""
    if axis is None:
        return tuple(range(ndim))
    return axis if isinstance(axis, tuple) else (axis,)


def _count(shape: Any, axis: Any) -> int:
    """How many elements are reduced to one."""
    return math.prod([shape[position] for position in _axes(axis, len(shape))])


def _summed_in(op: Callable[..., Array], x: Array, dtype: Any) -> tuple[Array, DType | None]:
    """`x` and the dtype in which a sum or product of it is computed; None for that of a floating-point `x`.

    Where the result is not of a floating-point dtype, what is returned for `x` is not tracked.
    """
    own, device = x.dtype, x._device
    wanted = dtype_of(op, dtype)
    if wanted is not None:
        check_dtype(op, wanted, device)
        if own.kind == "c" and wanted.kind != "c":
            problem = f"complex values cannot be {wanted}"
            raise _errors.DTypeError(_errors.message(op.__name__, problem, [("x", x)], "take gradarray.real(x) first"))
    elif own.kind in "biu":
        wanted = default_dtype(device, "integral")
        if own.kind == "u":
            wanted = np.dtype(f"uint{8 * wanted.itemsize}")
        if own.kind != "b" and own.itemsize >= wanted.itemsize:
            wanted = own
    if wanted is None or (wanted == own and own in _dtypes.DIFFERENTIABLE):
        return x, None
    if own.kind == "b":
        return astype(x, wanted), wanted
    if wanted not in _dtypes.DIFFERENTIABLE:
        x = wrap(x._data, device)
    return x, wanted


def _floating(op: Callable[..., Array], x: Any) -> Array:
    """`x`, or `x` in the default real dtype if it holds integers or booleans."""
    x = as_array(op, x)
    return x if x.dtype in _dtypes.DIFFERENTIABLE else astype(x, default_dtype(x._device, "real floating"))


# --- sums and products -----------------------------------------------------------------------------------------------


@derivative(
    x=lambda xp, g, like, *, axis, keepdims: xp.spread(
        _rules.expand(xp, g, axis, keepdims, len(like.shape)), like=like
    ),
    kind="linear",
)
def sum(x: Array, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Sum of the elements along axes; 0 where there are none.

    Parameters
    ----------
    x : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes to sum over; all of them by default.
    dtype : dtype, optional
        Data type to sum in, and of the result. By default that of `x`; for integers narrower than the default integer
        dtype, and for booleans, the default integer dtype (its unsigned sibling for unsigned ones).
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The sums.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `x` is complex and `dtype` is not.

    Notes
    -----
    Standard: Statistical functions, ``sum``.
    """
    if type(x) is not Array:
        x = as_array(sum, x)
    if dtype is not None or not (x._device.promotes or x.dtype in _dtypes.DIFFERENTIABLE):
        x, wanted = _summed_in(sum, x, dtype)
        if wanted is not None:
            return run(sum, x, axis=reduction_axis(sum, x, axis), dtype=wanted, keepdims=keepdims)
    return _reduce(sum, x, axis, keepdims)


def _prod_x(xp: Any, g: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    """The product of all other elements, from the products before and after each: exact where some are zero."""
    shape = tuple(x.shape)
    ndim = len(shape)
    reduced = _axes(axis, ndim)
    kept = tuple([position for position in range(ndim) if position not in reduced])
    order = kept + reduced
    count = _count(shape, axis)
    rows = xp.permute_dims(_rules.conj(x), order)
    turned = tuple(rows.shape)
    rows = xp.reshape(rows, (*[shape[position] for position in kept], count))
    before = xp.cumulative_prod(rows, axis=len(kept), include_initial=True)[..., :count]
    after = xp.cumulative_prod(xp.flip(rows, axis=len(kept)), axis=len(kept), include_initial=True)
    others = xp.reshape(before * xp.flip(after, axis=len(kept))[..., 1:], turned)
    others = xp.permute_dims(others, tuple(sorted(range(ndim), key=order.__getitem__)))
    return _rules.expand(xp, g, axis, keepdims, ndim) * others


@derivative(x=_prod_x, kind="reduction")
def prod(x: Array, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Product of the elements along axes; 1 where there are none.

    Parameters
    ----------
    x : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes to multiply over; all of them by default.
    dtype : dtype, optional
        Data type to multiply in, and of the result; its default is that of `sum`.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The products.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `x` is complex and `dtype` is not.

    Notes
    -----
    The derivative in an element is the product of the others, exact at zeros, in every order.

    Standard: Statistical functions, ``prod``.
    """
    x, wanted = _summed_in(prod, as_array(prod, x), dtype)
    if wanted is None:
        return _reduce(prod, x, axis, keepdims)
    # Cast first and not by the kernel: the rule multiplies the elements in the same dtype.
    x = astype(x, wanted, copy=False)
    return run(prod, x, axis=reduction_axis(prod, x, axis), dtype=wanted, keepdims=keepdims)


# --- extremes --------------------------------------------------------------------------------------------------------


def _extreme_x(xp: Any, g: Any, x: Any, out: Any, like: Any, *, axis: Any, keepdims: bool) -> Any:
    """The cotangent in equal shares to all elements that equal the result, or to those that are NaN if it is."""
    ndim = len(like.shape)
    g, out = _rules.expand(xp, g, axis, keepdims, ndim), _rules.expand(xp, out, axis, keepdims, ndim)
    chosen = xp.logical_or(x == out, x != x)
    count = xp.count_nonzero(chosen, axis=axis, keepdims=True)
    # Half precision cannot count many ties.
    narrow = xp.finfo(g.dtype).bits < 32
    count = xp.astype(count, default_dtype(like.device, "real floating") if narrow else g.dtype)
    return xp.where(chosen, g / count, 0)


@derivative(x=_extreme_x, kind="reduction", masks=True)
def max(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Largest element along axes; NaN where there is one.

    Derivative at kinks: elements that tie get equal shares; where an element is NaN, the NaN elements get them.

    Parameters
    ----------
    x : Array
        Array of a real data type.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The maxima, in the data type of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements to choose from.

    Notes
    -----
    Standard: Statistical functions, ``max``.
    """
    return _reduce(max, x if type(x) is Array else as_array(max, x), axis, keepdims)


@derivative(x=_extreme_x, kind="reduction", masks=True)
def min(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Smallest element along axes; NaN where there is one.

    Derivative at kinks: elements that tie get equal shares; where an element is NaN, the NaN elements get them.

    Parameters
    ----------
    x : Array
        Array of a real data type.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The minima, in the data type of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements to choose from.

    Notes
    -----
    Standard: Statistical functions, ``min``.
    """
    return _reduce(min, x if type(x) is Array else as_array(min, x), axis, keepdims)


# --- moments ---------------------------------------------------------------------------------------------------------


def _mean_x(xp: Any, g: Any, like: Any, *, axis: Any, keepdims: bool) -> Any:
    # Times the reciprocal: float16 does not hold every count, but its reciprocal.
    g = g * (1.0 / (_count(like.shape, axis) or 1))
    return xp.spread(_rules.expand(xp, g, axis, keepdims, len(like.shape)), like=like)


@derivative(x=_mean_x, kind="linear")
def mean(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Arithmetic mean along axes; NaN where there are no elements.

    Parameters
    ----------
    x : Array
        Array of any data type; integers and booleans are taken in the default real dtype.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The means.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Statistical functions, ``mean``.
    """
    if type(x) is not Array or x.dtype.kind in "biu":
        x = _floating(mean, x)
    return _reduce(mean, x, axis, keepdims)


def _moment(op: Callable[..., Array], x: Any, axis: Any, correction: float, keepdims: bool) -> Array:
    x = _floating(op, x)
    if x.dtype.kind == "c":
        fix = "take it of gradarray.real(x) and imag(x)"
        raise _errors.DTypeError(_errors.message(op.__name__, "only real values have one", [("x", x)], fix))
    try:
        correction = float(correction)
    except (TypeError, ValueError):
        raise _errors.ArgumentTypeError(
            f"{op.__name__}(): correction must be a number, not {correction!r}\nFix: pass an int or a float"
        ) from None
    axis = reduction_axis(op, x, axis)
    if not _count(x.shape, axis) > correction:
        return sum(x, axis=axis, keepdims=keepdims) * math.nan
    return run(op, x, axis=axis, correction=correction, keepdims=keepdims)


def _var_x(xp: Any, g: Any, x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    g = _rules.expand(xp, g, axis, keepdims, len(x.shape)) * (2.0 / (_count(x.shape, axis) - correction))
    return g * (x - xp.mean(x, axis=axis, keepdims=True))


@derivative(x=_var_x, kind="reduction")
def var(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Variance along axes.

    Parameters
    ----------
    x : Array
        Array of a real data type; integers and booleans are taken in the default real dtype.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    correction : int or float, default: 0.0
        What is subtracted from the number of elements in the divisor: 0 for a population, 1 for a sample.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The variances; NaN where the divisor is not positive.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `x` is complex.

    Notes
    -----
    Standard: Statistical functions, ``var``.
    """
    return _moment(var, x, axis, correction, keepdims)


def _std_x(xp: Any, g: Any, x: Any, out: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    ndim = len(x.shape)
    reduced = _axes(axis, ndim)
    g, out = _rules.expand(xp, g, axis, keepdims, ndim), _rules.expand(xp, out, axis, keepdims, ndim)
    # Elements are compared with the first, not the result with 0: the mean of equal elements may be rounded.
    first = x[tuple([slice(0, 1) if position in reduced else _ALL for position in range(ndim)])]
    varied = xp.logical_and(xp.any(x != first, axis=axis, keepdims=True), out != 0)
    scale = xp.where(varied, out, math.inf) * (_count(x.shape, axis) - correction)
    return g / scale * (x - xp.mean(x, axis=axis, keepdims=True))


@derivative(x=_std_x, kind="reduction")
def std(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, correction: float = 0.0, keepdims: bool = False
) -> Array:
    """Standard deviation along axes.

    Derivative at kinks: 0 where all elements are equal.

    Parameters
    ----------
    x : Array
        Array of a real data type; integers and booleans are taken in the default real dtype.
    axis : int or tuple of int, optional
        Axes to reduce; all of them by default.
    correction : int or float, default: 0.0
        What is subtracted from the number of elements in the divisor: 0 for a population, 1 for a sample.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The standard deviations; NaN where the divisor is not positive.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `x` is complex.

    Notes
    -----
    Standard: Statistical functions, ``std``.
    """
    return _moment(std, x, axis, correction, keepdims)


# --- running sums and products ---------------------------------------------------------------------------------------


def _running_axis(op: Callable[..., Array], x: Array, axis: Any) -> int:
    if axis is None and x.ndim == 1:
        return 0
    if axis is None:
        raise _errors.AxisError(
            _errors.message(op.__name__, "axis may be left out for a 1-D array only", [("x", x)], "pass axis=")
        )
    return axis_of(op, x, axis)


def _after_initial(g: Any, axis: int) -> Any:
    return g[(*(_ALL,) * axis, slice(1, None), ...)]


def _cumulative_sum_x(xp: Any, g: Any, *, axis: int, include_initial: bool) -> Any:
    if include_initial:
        g = _after_initial(g, axis)
    return xp.flip(xp.cumulative_sum(xp.flip(g, axis=axis), axis=axis), axis=axis)


@derivative(x=_cumulative_sum_x, kind="linear")
def cumulative_sum(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Running sum along an axis.

    Parameters
    ----------
    x : Array
        Array of one or more axes.
    axis : int, optional
        Axis along which to sum; may be left out for a 1-D array.
    dtype : dtype, optional
        Data type to sum in, and of the result; its default is that of `sum`.
    include_initial : bool, default: False
        Put the sum of no elements, 0, in front.

    Returns
    -------
    Array
        Array of the shape of `x`, longer by 1 along the axis with `include_initial`.

    Raises
    ------
    AxisError
        If there is no such axis, or none is given and `x` is not 1-D.
    DTypeError
        If `x` is complex and `dtype` is not.

    Notes
    -----
    Standard: Statistical functions, ``cumulative_sum``.
    """
    x = as_array(cumulative_sum, x)
    position = _running_axis(cumulative_sum, x, axis)
    x, wanted = _summed_in(cumulative_sum, x, dtype)
    return run(cumulative_sum, x, axis=position, dtype=wanted, include_initial=include_initial)


def _cumulative_prod_x(xp: Any, g: Any, x: Any, *, axis: int, include_initial: bool) -> Any:
    """Without a division, and so exact where elements are zero.

    The cotangent of element k is the product of those before it times ``tail[k] = g[k] + x[k + 1] * tail[k + 1]``. That
    recurrence is solved for all k at once, in steps that double: after each, ``tail[k]`` holds the terms up to
    ``g[k + step - 1]``, and ``factors[k]`` is the product of ``x[k + 1]`` to ``x[k + step]``.
    """
    before = (_ALL,) * axis

    def part(array: Any, start: int | None, stop: int | None) -> Any:
        return array[(*before, slice(start, stop), ...)]

    x = _rules.conj(x)
    count = x.shape[axis]
    tail = _after_initial(g, axis) if include_initial else g
    if not count:
        return tail
    factors = part(x, 1, None)
    step = 1
    while step < count:
        summed = part(tail, None, count - step) + factors * part(tail, step, None)
        tail = xp.concat([summed, part(tail, count - step, None)], axis=axis)
        if 2 * step < count:
            factors = part(factors, None, count - 2 * step) * part(factors, step, None)
        step *= 2
    return part(xp.cumulative_prod(x, axis=axis, include_initial=True), None, count) * tail


@derivative(x=_cumulative_prod_x, kind="scan")
def cumulative_prod(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Running product along an axis.

    Parameters
    ----------
    x : Array
        Array of one or more axes.
    axis : int, optional
        Axis along which to multiply; may be left out for a 1-D array.
    dtype : dtype, optional
        Data type to multiply in, and of the result; its default is that of `sum`.
    include_initial : bool, default: False
        Put the product of no elements, 1, in front.

    Returns
    -------
    Array
        Array of the shape of `x`, longer by 1 along the axis with `include_initial`.

    Raises
    ------
    AxisError
        If there is no such axis, or none is given and `x` is not 1-D.
    DTypeError
        If `x` is complex and `dtype` is not.

    Notes
    -----
    The derivative is exact at zeros, in every order.

    Standard: Statistical functions, ``cumulative_prod``.
    """
    x = as_array(cumulative_prod, x)
    position = _running_axis(cumulative_prod, x, axis)
    x, wanted = _summed_in(cumulative_prod, x, dtype)
    if wanted is not None:
        x = astype(x, wanted, copy=False)
    return run(cumulative_prod, x, axis=position, dtype=wanted, include_initial=include_initial)
