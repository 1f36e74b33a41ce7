"""NumPy's functions that leave out NaN, which stands for missing values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ... import _dtypes
from ..._array import Array
from ..._dispatch import as_array
from ..._operations import composite
from .._arguments import axes_of, default_dtype, dtype_of
from ..data_type import astype
from ..elementwise import isnan, sqrt
from ..indexing import take_along_axis
from ..manipulation import permute_dims, reshape
from ..searching import count_nonzero, where
from ..sorting import sort
from ..statistical import max as largest
from ..statistical import mean, prod, sum
from ..statistical import min as smallest
from .general import cumprod, cumsum


@composite
def nansum(a: Array, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Sum along axes of the elements that are not NaN; 0 where there are none.

    Parameters
    ----------
    a : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    dtype : dtype, optional
        Data type to sum in, as of `sum`.
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

    Notes
    -----
    Beyond the standard: as ``numpy.nansum``.
    """
    return sum(_filled(nansum, a, 0)[0], axis=axis, dtype=dtype, keepdims=keepdims)


@composite
def nanprod(a: Array, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Product along axes of the elements that are not NaN; 1 where there are none.

    Parameters
    ----------
    a : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    dtype : dtype, optional
        Data type to multiply in, as of `prod`.
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

    Notes
    -----
    Beyond the standard: as ``numpy.nanprod``.
    """
    return prod(_filled(nanprod, a, 1)[0], axis=axis, dtype=dtype, keepdims=keepdims)


@composite
def nanmax(a: Array, axis: Any = None, *, keepdims: bool = False) -> Array:
    """Largest element along axes that is not NaN; NaN where there is none.

    Parameters
    ----------
    a : Array
        Real numbers, one at least.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The maxima.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements.

    Notes
    -----
    Beyond the standard: as ``numpy.nanmax``, without its warning.
    """
    return _extreme(nanmax, largest, a, -math.inf, axis, keepdims)


@composite
def nanmin(a: Array, axis: Any = None, *, keepdims: bool = False) -> Array:
    """Smallest element along axes that is not NaN; NaN where there is none.

    Parameters
    ----------
    a : Array
        Real numbers, one at least.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The minima.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If there are no elements.

    Notes
    -----
    Beyond the standard: as ``numpy.nanmin``, without its warning.
    """
    return _extreme(nanmin, smallest, a, math.inf, axis, keepdims)


@composite
def nanmean(a: Array, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
    """Mean along axes of the elements that are not NaN; NaN where there are none.

    Parameters
    ----------
    a : Array
        Array of any data type.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    dtype : dtype, optional
        Data type to compute in.
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
    Beyond the standard: as ``numpy.nanmean``, without its warning.
    """
    a = _floating(nanmean, a, dtype)
    filled, holes = _filled(nanmean, a, 0)
    if holes is None:
        return mean(filled, axis=axis, keepdims=keepdims)
    return sum(filled, axis=axis, keepdims=keepdims) / _count(a, holes, axis, keepdims)


@composite
def nanvar(a: Array, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Array:
    """Variance along axes of the elements that are not NaN; NaN where there are too few.

    Parameters
    ----------
    a : Array
        Real numbers.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    dtype : dtype, optional
        Data type to compute in.
    ddof : float, default: 0
        What is taken off the number of elements that the sum of squares is divided by.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The variances.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.nanvar``, without its warning.
    """
    a = _floating(nanvar, a, dtype)
    holes = isnan(a)
    centred = where(holes, 0.0, a - nanmean(a, axis, keepdims=True))
    count = _count(a, holes, axis, keepdims) - ddof
    return sum(centred * centred, axis=axis, keepdims=keepdims) / where(count > 0, count, math.nan)


@composite
def nanstd(a: Array, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Array:
    """Standard deviation along axes of the elements that are not NaN; NaN where there are too few.

    Parameters
    ----------
    a : Array
        Real numbers.
    axis : int or tuple of int, optional
        Axes; all of them by default.
    dtype : dtype, optional
        Data type to compute in.
    ddof : float, default: 0
        What is taken off the number of elements that the sum of squares is divided by.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The standard deviations.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.nanstd``, without its warning.
    """
    return sqrt(nanvar(a, axis, dtype, ddof=ddof, keepdims=keepdims))


@composite
def nanmedian(a: Array, axis: Any = None, *, keepdims: bool = False) -> Array:
    """Median along axes of the elements that are not NaN; NaN where there are none.

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
        The medians; of an even number of elements the mean of the two in the middle.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.nanmedian``, without its warning.
    """
    a = _floating(nanmedian, a)
    axes = tuple(range(a.ndim)) if axis is None else axes_of(nanmedian, a, axis)
    kept = tuple([number for number in range(a.ndim) if number not in axes])
    rows = reshape(permute_dims(a, (*kept, *axes)), (*[a.shape[number] for number in kept], -1 if a.size else 0))
    if not rows.shape[-1]:
        found = sum(rows, axis=-1) * math.nan
    else:
        rows = sort(rows, axis=-1)  # NaN is sorted to the end
        count = count_nonzero(~isnan(rows), axis=-1, keepdims=True)
        last = where(count > 0, count - 1, 0)
        middle = take_along_axis(rows, last // 2, axis=-1) + take_along_axis(rows, (last + 1) // 2, axis=-1)
        found = (middle / 2)[..., 0]
    if not keepdims:
        return found
    return reshape(found, tuple([1 if number in axes else a.shape[number] for number in range(a.ndim)]))


@composite
def nancumsum(a: Array, axis: int | None = None, dtype: Any = None) -> Array:
    """Running sum of the elements along an axis, in which NaN counts as 0.

    Parameters
    ----------
    a : Array
        Array of any data type.
    axis : int, optional
        Axis; all elements in row-major order by default.
    dtype : dtype, optional
        Data type to sum in, as of `sum`.

    Returns
    -------
    Array
        Of the shape of `a`; without an axis 1-D.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.nancumsum``.
    """
    return cumsum(_filled(nancumsum, a, 0)[0], axis, dtype)


@composite
def nancumprod(a: Array, axis: int | None = None, dtype: Any = None) -> Array:
    """Running product of the elements along an axis, in which NaN counts as 1.

    Parameters
    ----------
    a : Array
        Array of any data type.
    axis : int, optional
        Axis; all elements in row-major order by default.
    dtype : dtype, optional
        Data type to multiply in, as of `prod`.

    Returns
    -------
    Array
        Of the shape of `a`; without an axis 1-D.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Beyond the standard: as ``numpy.nancumprod``.
    """
    return cumprod(_filled(nancumprod, a, 1)[0], axis, dtype)


def _floating(op: Callable[..., Any], a: Any, dtype: Any = None) -> Array:
    a = as_array(op, a)
    wanted = dtype_of(op, dtype)
    if wanted is None:
        wanted = a.dtype if a.dtype in _dtypes.DIFFERENTIABLE else default_dtype(a.device, "real floating")
    return astype(a, wanted, copy=False)


def _filled(op: Callable[..., Any], a: Any, value: float) -> tuple[Array, Array | None]:
    """The array with a number in the place of NaN, and where that was; None where there can be none."""
    a = as_array(op, a)
    if a.dtype not in _dtypes.DIFFERENTIABLE:
        return a, None
    holes = isnan(a)
    return where(holes, value, a), holes


def _count(a: Array, holes: Array, axis: Any, keepdims: bool) -> Array:
    """How many elements are no holes, in the real data type of the array."""
    dtype = a.dtype if a.dtype.kind != "c" else _dtypes.float64 if a.dtype == _dtypes.complex128 else _dtypes.float32
    return sum(astype(~holes, dtype), axis=axis, keepdims=keepdims)


def _extreme(
    op: Callable[..., Any], reduce: Callable[..., Array], a: Any, worst: float, axis: Any, keepdims: bool
) -> Array:
    filled, holes = _filled(op, a, worst)
    found = reduce(filled, axis=axis, keepdims=keepdims)
    if holes is None:
        return found
    empty = count_nonzero(~holes, axis=axis, keepdims=keepdims) == 0
    return where(empty, math.nan, found)
