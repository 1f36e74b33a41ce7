"""Creation functions: the standard's chapter, but for those that start from other data (see `conversion`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._devices import Device, get_device
from .._dispatch import check_devices, run, translated, unwrap, wrap
from .._dtypes import DType
from .._operations import composite, constant, derivative
from ._arguments import default_dtype, device_of, dtype_of, integer, shape_of
from .conversion import SCALARS, Scalar, asarray, check_dtype, leaf, scalar_dtype


def _create(
    op: Callable[..., Any], device: Device, requires_grad: bool, *args: Any, dtype: DType, **parameters: Any
) -> Array:
    check_dtype(op, dtype, device)
    raw_device = device.backend.raw_device((device.type, device.index))
    try:
        raw = device.kernels[op](*args, dtype=dtype, device=raw_device, **parameters)
    except Exception as error:
        raise translated(error, op, args) from error
    return leaf(wrap(raw, device), requires_grad)


def _check_fill(op: Callable[..., Any], value: Any, dtype: DType) -> None:
    if type(value) not in SCALARS:
        raise _errors.ArgumentTypeError(
            _errors.message(op.__name__, "fill_value must be a number", [("fill_value", value)], "pass a Python number")
        )
    if _dtypes.promote_scalar(dtype, type(value)) is not dtype:
        raise _errors.DTypeError(
            _errors.message(
                op.__name__, f"{dtype} cannot hold the value without loss", [("fill_value", value)], "use a wider dtype"
            )
        )
    if dtype.kind in "iu" and not (limits := np.iinfo(dtype)).min <= value <= limits.max:
        raise _errors.ScalarOverflowError(f"{op.__name__}(): {value} is not within the range of {dtype}")


def _number(op: Callable[..., Any], name: str, value: Any) -> Scalar:
    """A Python number of a number or a 0-d array that is not tracked."""
    if type(value) in SCALARS:
        return value  # type: ignore[no-any-return]
    if isinstance(value, np.generic):
        return value.item()  # type: ignore[no-any-return]
    if isinstance(value, Array):
        if value.requires_grad:
            raise _errors.NoDerivativeError(
                _errors.message(
                    op.__name__, f"there is no derivative with respect to {name}", [(name, value)], f"{name}.item()"
                )
            )
        return value.item()
    raise _errors.ArgumentTypeError(
        _errors.message(op.__name__, f"{name} must be a number", [(name, value)], "pass an int or a float")
    )


# --- from shapes and numbers -----------------------------------------------------------------------------------------


@constant
def zeros(shape: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of the given shape, filled with zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    dtype : dtype, optional
        Data type; the default real floating-point dtype if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    ShapeError
        If a length is negative.

    Notes
    -----
    Standard: Creation functions, ``zeros``.
    """
    where = device_of(device)
    wanted = dtype_of(zeros, dtype) or default_dtype(where, "real floating")
    return _create(zeros, where, requires_grad, shape_of(zeros, shape), dtype=wanted)


@constant
def ones(shape: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of the given shape, filled with ones.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    dtype : dtype, optional
        Data type; the default real floating-point dtype if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    ShapeError
        If a length is negative.

    Notes
    -----
    Standard: Creation functions, ``ones``.
    """
    where = device_of(device)
    wanted = dtype_of(ones, dtype) or default_dtype(where, "real floating")
    return _create(ones, where, requires_grad, shape_of(ones, shape), dtype=wanted)


@constant
def empty(shape: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of the given shape with arbitrary values.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    dtype : dtype, optional
        Data type; the default real floating-point dtype if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    ShapeError
        If a length is negative.

    Notes
    -----
    Standard: Creation functions, ``empty``.
    """
    where = device_of(device)
    wanted = dtype_of(empty, dtype) or default_dtype(where, "real floating")
    return _create(empty, where, requires_grad, shape_of(empty, shape), dtype=wanted)


@composite
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of the given shape, filled with one value.

    Differentiable in `fill_value` where it is a tracked 0-d array.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the result.
    fill_value : bool, int, float, complex or 0-d array
        The value.
    dtype : dtype, optional
        Data type; by default the default dtype of the kind of `fill_value`, or its own dtype if it is an array.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    DTypeError
        If `dtype` cannot hold the value without loss.
    ScalarOverflowError
        If the value is out of the range of `dtype`.

    Notes
    -----
    Standard: Creation functions, ``full``.
    """
    if isinstance(fill_value, (Array, np.generic)) or (isinstance(fill_value, np.ndarray) and not fill_value.shape):
        from .data_type import astype
        from .manipulation import broadcast_to

        value = asarray(fill_value, dtype=dtype, device=device)
        return leaf(astype(broadcast_to(value, shape_of(full, shape)), value.dtype, copy=True), requires_grad)
    where = device_of(device)
    if type(fill_value) in SCALARS:
        wanted = dtype_of(full, dtype) or scalar_dtype(where, fill_value)
    else:
        wanted = dtype_of(full, dtype) or _dtypes.float64
    _check_fill(full, fill_value, wanted)
    return _create(full, where, requires_grad, shape_of(full, shape), fill_value, dtype=wanted)


@constant
def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Array:
    """1-D array of evenly spaced values within a half-open interval.

    Parameters
    ----------
    start : int or float
        First value; the end of the interval, which then starts at 0, if `stop` is not given.
    stop : int or float, optional
        End of the interval, not included.
    step : int or float, default: 1
        Distance of neighbouring values; may be negative, not zero.
    dtype : dtype, optional
        Data type; by default the default integer dtype if all arguments are integers, else the default real one.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array, of shape ``(ceil((stop - start) / step),)``.

    Raises
    ------
    ArgumentValueError
        If `step` is zero.
    NoDerivativeError
        If an argument is a tracked array.

    Notes
    -----
    Standard: Creation functions, ``arange``.
    """
    first = _number(arange, "start", start)
    last = None if stop is None else _number(arange, "stop", stop)
    distance = _number(arange, "step", step)
    if last is None:
        first, last = 0, first
    if distance == 0:
        raise _errors.ArgumentValueError("arange(): step is 0\nFix: pass another step, or full(n, start)")
    where = device_of(device)
    integral = all(isinstance(value, int) for value in (first, last, distance))
    wanted = dtype_of(arange, dtype) or default_dtype(where, "integral" if integral else "real floating")
    return _create(arange, where, requires_grad, first, last, distance, dtype=wanted)


@composite
def linspace(
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
    requires_grad: bool = False,
) -> Array:
    """1-D array of a given number of evenly spaced values.

    Differentiable in `start` and `stop` where they are tracked 0-d arrays.

    Parameters
    ----------
    start, stop : int, float, complex or 0-d array
        First value and end of the interval.
    num : int
        Number of values.
    dtype : dtype, optional
        Data type; by default the default real dtype, or the default complex one if `start` or `stop` is complex.
    device : Device or str, optional
        Device; the default device if it is not given.
    endpoint : bool, default: True
        Whether `stop` is the last value.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array, of shape ``(num,)``.

    Raises
    ------
    ArgumentValueError
        If `num` is negative.

    Notes
    -----
    Standard: Creation functions, ``linspace``.
    """
    count = integer(linspace, "num", num)
    if count < 0:
        raise _errors.ArgumentValueError(f"linspace(): num is {count}\nFix: pass a number of 0 or more")
    arrays = [value for value in (start, stop) if isinstance(value, Array)]
    if any(value.requires_grad for value in arrays):
        check_devices("linspace", [("start", start), ("stop", stop)])
        weight = linspace(0.0, 1.0, count, dtype=arrays[0].dtype, device=arrays[0]._device, endpoint=endpoint)
        return asarray((1 - weight) * start + weight * stop, dtype=dtype, device=device)
    first, last = _number(linspace, "start", start), _number(linspace, "stop", stop)
    where = device_of(device)
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    wanted = dtype_of(linspace, dtype) or default_dtype(where, "complex floating" if is_complex else "real floating")
    return _create(linspace, where, requires_grad, first, last, num=count, dtype=wanted, endpoint=bool(endpoint))


@constant
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Array:
    """2-D array with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    n_cols : int, optional
        Number of columns; `n_rows` if it is not given.
    k : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.
    dtype : dtype, optional
        Data type; the default real floating-point dtype if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array, of shape ``(n_rows, n_cols)``.

    Raises
    ------
    ShapeError
        If a length is negative.

    Notes
    -----
    Standard: Creation functions, ``eye``.
    """
    where = device_of(device)
    wanted = dtype_of(eye, dtype) or default_dtype(where, "real floating")
    rows, cols = shape_of(eye, (n_rows, n_rows if n_cols is None else n_cols))
    return _create(eye, where, requires_grad, rows, cols, k=integer(eye, "k", k), dtype=wanted)


# --- from other arrays -----------------------------------------------------------------------------------------------


def _like(op: Callable[..., Any], x: Any, dtype: Any, device: Any) -> tuple[tuple[int, ...], DType, Device]:
    where, (raw,), _ = unwrap(op, (x,))
    own = where.backend.dtype(raw.dtype)
    return tuple(raw.shape), dtype_of(op, dtype) or own, where if device is None else get_device(device)


@constant
def zeros_like(x: Array, /, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of zeros with the shape of another.

    Parameters
    ----------
    x : Array
        Array that gives the shape, and the dtype and device that are not given.
    dtype : dtype, optional
        Data type of the result.
    device : Device or str, optional
        Device of the result.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Notes
    -----
    Standard: Creation functions, ``zeros_like``.
    """
    shape, wanted, where = _like(zeros_like, x, dtype, device)
    return _create(zeros, where, requires_grad, shape, dtype=wanted)


@constant
def ones_like(x: Array, /, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of ones with the shape of another.

    Parameters
    ----------
    x : Array
        Array that gives the shape, and the dtype and device that are not given.
    dtype : dtype, optional
        Data type of the result.
    device : Device or str, optional
        Device of the result.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Notes
    -----
    Standard: Creation functions, ``ones_like``.
    """
    shape, wanted, where = _like(ones_like, x, dtype, device)
    return _create(ones, where, requires_grad, shape, dtype=wanted)


@constant
def empty_like(x: Array, /, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Array:
    """Array of arbitrary values with the shape of another.

    Parameters
    ----------
    x : Array
        Array that gives the shape, and the dtype and device that are not given.
    dtype : dtype, optional
        Data type of the result.
    device : Device or str, optional
        Device of the result.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Notes
    -----
    Standard: Creation functions, ``empty_like``.
    """
    shape, wanted, where = _like(empty_like, x, dtype, device)
    return _create(empty, where, requires_grad, shape, dtype=wanted)


@composite
def full_like(
    x: Array, /, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Array:
    """Array filled with one value, with the shape of another.

    Differentiable in `fill_value` where it is a tracked 0-d array.

    Parameters
    ----------
    x : Array
        Array that gives the shape, and the dtype and device that are not given.
    fill_value : bool, int, float, complex or 0-d array
        The value.
    dtype : dtype, optional
        Data type of the result.
    device : Device or str, optional
        Device of the result.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    DTypeError
        If the dtype cannot hold the value without loss.

    Notes
    -----
    Standard: Creation functions, ``full_like``.
    """
    shape, wanted, where = _like(full_like, x, dtype, device)
    return full(shape, fill_value, dtype=wanted, device=where, requires_grad=requires_grad)


@derivative(x=lambda xp, g, *, k: xp.tril(g, k=k), kind="linear", masks=True)
def tril(x: Array, /, *, k: int = 0) -> Array:
    """Lower triangle of each matrix of a stack; zeros above it.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``.
    k : int, default: 0
        The diagonal above which elements are zero.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.

    Notes
    -----
    Standard: Creation functions, ``tril``.
    """
    return run(tril, _matrices(tril, x), k=integer(tril, "k", k))


@derivative(x=lambda xp, g, *, k: xp.triu(g, k=k), kind="linear", masks=True)
def triu(x: Array, /, *, k: int = 0) -> Array:
    """Upper triangle of each matrix of a stack; zeros below it.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``.
    k : int, default: 0
        The diagonal below which elements are zero.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.

    Notes
    -----
    Standard: Creation functions, ``triu``.
    """
    return run(triu, _matrices(triu, x), k=integer(triu, "k", k))


def _matrices(op: Callable[..., Any], x: Any) -> Any:
    if isinstance(x, (Array, np.ndarray)) and len(x.shape) < 2:
        raise _errors.ShapeError(
            _errors.message(op.__name__, "x must have at least two axes", [("x", x)], "reshape it to a matrix")
        )
    return x


@composite
def meshgrid(*arrays: Array, indexing: str = "xy") -> tuple[Array, ...]:
    """Coordinate arrays of a grid, from one 1-D array for each of its axes.

    Parameters
    ----------
    *arrays : Array
        1-D arrays of one dtype, of lengths ``N1, N2, ...``, on one device.
    indexing : {"xy", "ij"}, default: "xy"
        ``"ij"``: results have shape ``(N1, N2, ...)``. ``"xy"``: the first two axes are swapped.

    Returns
    -------
    tuple of Array
        For each input an array of the grid's shape; copies, so that they can be written into.

    Raises
    ------
    ShapeError
        If an array is not 1-D.
    ArgumentValueError
        If `indexing` is neither ``"xy"`` nor ``"ij"``.

    Notes
    -----
    Standard: Creation functions, ``meshgrid``.
    """
    from .data_type import astype
    from .manipulation import broadcast_to, reshape

    if indexing not in ("xy", "ij"):
        raise _errors.ArgumentValueError(f"meshgrid(): indexing is {indexing!r}\nFix: pass 'xy' or 'ij'")
    check_devices("meshgrid", [(f"arrays[{position}]", x) for position, x in enumerate(arrays)])
    parts = [asarray(x) for x in arrays]
    for position, x in enumerate(parts):
        if x.ndim > 1:
            operands = [(f"arrays[{position}]", x)]
            raise _errors.ShapeError(_errors.message("meshgrid", "arrays must be 1-D", operands, "reshape it to (-1,)"))
    order = list(range(len(parts)))
    if indexing == "xy" and len(parts) > 1:
        order[:2] = [1, 0]
    lengths = [prod(parts[position].shape) for position in order]
    results = []
    for position, x in enumerate(parts):
        own: Sequence[int] = [lengths[axis] if source == position else 1 for axis, source in enumerate(order)]
        results.append(astype(broadcast_to(reshape(x, tuple(own)), tuple(lengths)), x.dtype, copy=True))
    return tuple(results)
