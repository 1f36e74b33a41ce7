"""Set functions."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, NamedTuple

from .._array import Array
from .._dispatch import as_array, run, translated, unwrap, wrap
from .._dtypes import kind_of, uint8
from .._operations import composite, constant
from .data_type import astype
from .indexing import take
from .manipulation import reshape
from .searching import alike, searchsorted, where
from .sorting import sort


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: Array
    inverse_indices: Array


@constant
def isin(x1: Any, x2: Any, /, *, invert: builtins.bool = False) -> Array:
    """Whether each element occurs in another array.

    Parameters
    ----------
    x1 : Array, bool, int, float or complex
        Elements to look for; NaN is never found.
    x2 : Array, bool, int, float or complex
        Elements among which to look. One of the two must be an array; their data types are promoted.
    invert : bool, default: False
        Whether each element does not occur.

    Returns
    -------
    Array
        Boolean array of the shape of `x1`.

    Raises
    ------
    ScalarOverflowError
        If a Python integer is not in the range of the data type.

    Notes
    -----
    Standard: Set functions, ``isin``.
    """
    device, raws, _ = unwrap(isin, (x1, x2))
    first, second = alike(isin, device, (x1, x2), raws)
    if device.promotes or kind_of(first.dtype) not in "bf":
        found = run(isin, first, second)
    elif first.dtype.kind == "b":
        found = run(isin, astype(first, uint8), astype(second, uint8))
    else:
        found = _isin_floating(first, second)
    return ~found if invert else found


def _isin_floating(x1: Array, x2: Array) -> Array:
    """`isin` for real numbers; the standard asks it of integers only."""
    ordered = sort(reshape(x2, (-1,)))
    count = ordered.shape[0]
    if not count:
        return x1 < x1
    places = searchsorted(ordered, reshape(x1, (-1,)))
    places = where(places < count, places, count - 1)
    return reshape(take(ordered, places), x1.shape) == x1


def _unique(op: Callable[..., Any], x: Any) -> UniqueAllResult:
    """All four answers; the values are taken out of `x`, so that they stay in its graph."""
    x = as_array(op, x)
    device = x._device
    try:
        outs = device.kernels[unique_all](x._data)
    except Exception as error:
        raise translated(error, op, (x,)) from error
    values, indices, inverse, counts = [wrap(out, device) for out in outs]
    if x.requires_grad:
        values = take(reshape(x, (-1,)), indices)
    return UniqueAllResult(values, indices, inverse, counts)


@composite
def unique_all(x: Array, /) -> UniqueAllResult:
    """Distinct elements of the flattened array, where each occurs first, how to put `x` together of them, and counts.

    Differentiable in the values: each has the gradient of its first occurrence.

    Parameters
    ----------
    x : Array
        Array of any data type. Every NaN is distinct; 0 and -0 are not.

    Returns
    -------
    UniqueAllResult
        ``values`` (1-D, ascending); ``indices`` of their first occurrences in the flattened array;
        ``inverse_indices``, of the shape of `x`, such that ``values[inverse_indices]`` is `x`; and ``counts``.

    Notes
    -----
    Standard: Set functions, ``unique_all``.
    """
    return _unique(unique_all, x)


@composite
def unique_counts(x: Array, /) -> UniqueCountsResult:
    """Distinct elements of the flattened array, and how often each occurs.

    Differentiable in the values: each has the gradient of its first occurrence.

    Parameters
    ----------
    x : Array
        Array of any data type. Every NaN is distinct; 0 and -0 are not.

    Returns
    -------
    UniqueCountsResult
        ``values`` (1-D, ascending) and ``counts``.

    Notes
    -----
    Standard: Set functions, ``unique_counts``.
    """
    found = _unique(unique_counts, x)
    return UniqueCountsResult(found.values, found.counts)


@composite
def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """Distinct elements of the flattened array, and how to put `x` together of them.

    Differentiable in the values: each has the gradient of its first occurrence.

    Parameters
    ----------
    x : Array
        Array of any data type. Every NaN is distinct; 0 and -0 are not.

    Returns
    -------
    UniqueInverseResult
        ``values`` (1-D, ascending), and ``inverse_indices``, of the shape of `x`, such that
        ``values[inverse_indices]`` is `x`.

    Notes
    -----
    Standard: Set functions, ``unique_inverse``.
    """
    found = _unique(unique_inverse, x)
    return UniqueInverseResult(found.values, found.inverse_indices)


@composite
def unique_values(x: Array, /) -> Array:
    """Distinct elements of the flattened array.

    Differentiable: each has the gradient of its first occurrence.

    Parameters
    ----------
    x : Array
        Array of any data type. Every NaN is distinct; 0 and -0 are not.

    Returns
    -------
    Array
        1-D array in ascending order.

    Notes
    -----
    Standard: Set functions, ``unique_values``.
    """
    return _unique(unique_values, x).values
