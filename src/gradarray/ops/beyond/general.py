"""NumPy's shapes, running sums and products, comparison of floating-point numbers, and median."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from ... import _dtypes, _errors
from ..._array import Array
from ..._dispatch import as_array, check_devices
from ..._operations import composite
from ...linalg.products import diagonal
from .._arguments import axes_of, default_dtype, integer
from ..conversion import SCALARS, asarray
from ..creation import linspace, zeros
from ..data_type import astype
from ..elementwise import abs as absolute
from ..elementwise import isfinite, isnan
from ..elementwise._domain import as_floating
from ..manipulation import concat, permute_dims, reshape
from ..searching import count_nonzero, where
from ..sorting import sort
from ..statistical import cumulative_prod, cumulative_sum, sum

# --- shapes ----------------------------------------------------------------------------------------------------------


@composite
def diag(v: Array, k: int = 0) -> Array:
    """Matrix with `v` on a diagonal, or the diagonal of a matrix.

    Parameters
    ----------
    v : Array
        Array of one or two axes.
    k : int, default: 0
        Which diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array
        A square matrix of 1-D `v`, a 1-D array of 2-D `v`.

    Raises
    ------
    ShapeError
        If `v` has neither one nor two axes.

    Notes
    -----
    Beyond the standard: as ``numpy.diag``.
    """
    v, k = as_array(diag, v), integer(diag, "k", k)
    if v.ndim == 2:
        return diagonal(v, offset=k)
    if v.ndim != 1:
        raise _errors.ShapeError(
            _errors.message("diag", "v must have one or two axes", [("v", v)], "take linalg.diagonal of a stack")
        )
    size, n = v.shape[0], v.shape[0] + builtins.abs(k)
    # Row by row the elements are n + 1 places apart: as the first of rows of that length they need no index.
    rows = concat([reshape(v, (size, 1)), zeros((size, n), dtype=v.dtype, device=v.device)], axis=1)
    before = k if k >= 0 else -k * n
    start = zeros((before,), dtype=v.dtype, device=v.device)
    end = zeros((builtins.max(n * n - before - size * (n + 1), 0),), dtype=v.dtype, device=v.device)
    return reshape(concat([start, reshape(rows, (-1,)), end])[: n * n], (n, n))


@composite
def transpose(a: Array, axes: Any = None) -> Array:
    """Array with its axes in another order, by default in reverse.

    Parameters
    ----------
    a : Array
        Array of any shape.
    axes : tuple of int, optional
        For each axis of the result, the axis of `a` that it is.

    Returns
    -------
    Array
        A view of `a`.

    Raises
    ------
    AxisError
        If `axes` is not a permutation of the axes of `a`.

    Notes
    -----
    Beyond the standard: as ``numpy.transpose``.
    """
    a = as_array(transpose, a)
    return permute_dims(a, tuple(range(a.ndim))[::-1] if axes is None else axes)


@composite
def hstack(tup: Any) -> Array:
    """Arrays joined along the second axis, or along the only one.

    Parameters
    ----------
    tup : sequence of Array
        Arrays whose shapes are equal but for that axis; a 0-d array counts as one of one element.

    Returns
    -------
    Array
        The joined array.

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Notes
    -----
    Beyond the standard: as ``numpy.hstack``.
    """
    arrays = [_at_least(hstack, x, 1) for x in tup]
    return concat(arrays, axis=0 if arrays and arrays[0].ndim == 1 else 1)


@composite
def vstack(tup: Any) -> Array:
    """Arrays joined along the first axis; 1-D arrays as rows.

    Parameters
    ----------
    tup : sequence of Array
        Arrays whose shapes are equal but for that axis.

    Returns
    -------
    Array
        The joined array, of two axes or more.

    Raises
    ------
    ShapeError
        If the shapes do not fit.

    Notes
    -----
    Beyond the standard: as ``numpy.vstack``.
    """
    return concat([_at_least(vstack, x, 2) for x in tup], axis=0)


def _at_least(op: Callable[..., Any], x: Any, ndim: int) -> Array:
    x = asarray(x) if type(x) in SCALARS else as_array(op, x)
    return reshape(x, (1,) * (ndim - x.ndim) + x.shape) if x.ndim < ndim else x


# --- numbers ---------------------------------------------------------------------------------------------------------


@composite
def cumsum(a: Array, axis: int | None = None, dtype: Any = None) -> Array:
    """Running sum along an axis, or over all elements in row-major order.

    Parameters
    ----------
    a : Array
        Array of any shape.
    axis : int, optional
        The axis; without it the array is flattened.
    dtype : dtype, optional
        Data type to sum in, as of `cumulative_sum`.

    Returns
    -------
    Array
        The sums.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.cumsum``.
    """
    return _running(cumsum, cumulative_sum, a, axis, dtype)


@composite
def cumprod(a: Array, axis: int | None = None, dtype: Any = None) -> Array:
    """Running product along an axis, or over all elements in row-major order.

    Parameters
    ----------
    a : Array
        Array of any shape.
    axis : int, optional
        The axis; without it the array is flattened.
    dtype : dtype, optional
        Data type to multiply in, as of `cumulative_prod`.

    Returns
    -------
    Array
        The products.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.cumprod``.
    """
    return _running(cumprod, cumulative_prod, a, axis, dtype)


def _running(op: Callable[..., Any], scan: Callable[..., Array], a: Any, axis: Any, dtype: Any) -> Array:
    a = as_array(op, a)
    if axis is None:
        return scan(reshape(a, (-1,)), dtype=dtype)
    return scan(a, axis=axis, dtype=dtype)


@composite
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array:
    """Where two arrays are equal within a tolerance: ``abs(a - b) <= atol + rtol * abs(b)``.

    The result is a constant.

    Parameters
    ----------
    a, b : Array or scalar
        Numbers whose shapes fit together.
    rtol, atol : float
        Relative tolerance, of `b`, and absolute tolerance.
    equal_nan : bool, default: False
        Whether NaN is close to NaN.

    Returns
    -------
    Array
        Booleans of the broadcast shape. Infinite numbers are close to themselves only.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Beyond the standard: as ``numpy.isclose``.
    """
    check_devices("isclose", [("a", a), ("b", b)])
    device = a.device if isinstance(a, Array) else b.device if isinstance(b, Array) else None
    a, b = [_without_history(isclose, x, device) for x in (a, b)]
    near = (absolute(a - b) <= atol + rtol * absolute(b)) & isfinite(b)
    found = where(isfinite(a) & isfinite(b), near, a == b)
    return found | (isnan(a) & isnan(b)) if equal_nan else found


@composite
def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether two arrays are equal within a tolerance in every element; see `isclose`.

    Parameters
    ----------
    a, b : Array or scalar
        Numbers whose shapes fit together.
    rtol, atol : float
        Relative tolerance, of `b`, and absolute tolerance.
    equal_nan : bool, default: False
        Whether NaN is close to NaN.

    Returns
    -------
    bool
        True if every element is close.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Beyond the standard: as ``numpy.allclose``.
    """
    found = isclose(a, b, rtol, atol, equal_nan)
    return int(count_nonzero(found)) == found.size


def _without_history(op: Callable[..., Any], x: Any, device: Any) -> Array:
    x = asarray(x, device=device) if type(x) in SCALARS else as_array(op, x).detach()
    return x if x.dtype in _dtypes.DIFFERENTIABLE else astype(x, default_dtype(x.device, "real floating"))


@composite
def logspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    **keywords: Any,
) -> Array:
    """Numbers evenly spaced on a logarithmic scale, from ``base ** start`` to ``base ** stop``.

    Parameters
    ----------
    start, stop : float
        The exponents at both ends.
    num : int, default: 50
        How many numbers.
    endpoint : bool, default: True
        Whether the last is ``base ** stop``.
    base : float, default: 10.0
        The base.
    dtype : dtype, optional
        Data type of the result.
    **keywords
        ``device``, as of `linspace`.

    Returns
    -------
    Array
        A 1-D array.

    Raises
    ------
    ArgumentValueError
        If `num` is negative.

    Notes
    -----
    Beyond the standard: as ``numpy.logspace``, of numbers.
    """
    exponents = linspace(start, stop, num, endpoint=endpoint, **keywords)
    found = base**exponents
    return found if dtype is None else astype(found, dtype)


# --- statistics ------------------------------------------------------------------------------------------------------


@composite
def median(a: Array, axis: Any = None, *, keepdims: bool = False) -> Array:
    """Median along axes: the element in the middle, or the mean of the two there; NaN where there is one.

    The derivative goes to the elements in the middle, and is shared among ties as by `sort`.

    Parameters
    ----------
    a : Array
        Real numbers.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The medians, floating-point; NaN of no elements.

    Raises
    ------
    AxisError
        If there is no such axis.
    DTypeError
        If `a` is complex.

    Notes
    -----
    Beyond the standard: as ``numpy.median``.
    """
    a = as_floating(as_array(median, a))
    if a.dtype.kind == "c":
        raise _errors.DTypeError(_errors.message("median", "complex numbers have no order", [("a", a)], "take real(a)"))
    axes = tuple(range(a.ndim)) if axis is None else axes_of(median, a, axis)
    kept = [number for number in range(a.ndim) if number not in axes]
    count = math.prod([a.shape[number] for number in axes])
    rows = reshape(permute_dims(a, (*kept, *axes)), (*[a.shape[number] for number in kept], count))
    if count:
        rows = sort(rows, axis=-1)
        middle = (rows[..., (count - 1) // 2] + rows[..., count // 2]) / 2
        # NaN is sorted to the end.
        found = where(isnan(rows[..., -1]), rows[..., -1], middle)
    else:
        found = sum(rows, axis=-1) * math.nan
    if not keepdims:
        return found
    return reshape(found, tuple([1 if number in axes else a.shape[number] for number in range(a.ndim)]))
