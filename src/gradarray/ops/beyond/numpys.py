"""Functions that are NumPy's with arrays of ours: NumPy hands the call back, and gradarray's own functions answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._array import Array
from ..._operations import composite
from ..conversion import asarray


@composite
def einsum(*operands: Any, **keywords: Any) -> Array:
    """Sum of products over labelled axes.

    Parameters
    ----------
    *operands : str and arrays, or arrays and lists of int
        ``"ij,jk->ik", a, b`` or ``a, [0, 1], b, [1, 2], [0, 2]``. Three dots stand for axes that are broadcast.
    **keywords
        ``optimize``, ``dtype``, ``casting`` and ``out``, as NumPy's. ``optimize=True`` chooses the order of products.

    Returns
    -------
    Array
        The sums.

    Raises
    ------
    DeviceMismatchError
        If the arrays are not on one device.
    ShapeError
        If the labels do not fit the axes.

    Notes
    -----
    Beyond the standard: as ``numpy.einsum``.
    """
    return asarray(np.einsum(*[asarray(x) if isinstance(x, np.ndarray) else x for x in operands], **keywords))


@composite
def pad(array: Array, pad_width: Any, mode: Any = "constant", **keywords: Any) -> Array:
    """Array with elements added at both ends of its axes.

    Parameters
    ----------
    array : Array
        Array of any data type.
    pad_width : int, pair of int, or a pair for each axis
        How many to add before and after.
    mode : str, default: "constant"
        One of ``"constant"``, ``"edge"``, ``"linear_ramp"``, ``"maximum"``, ``"mean"``, ``"median"``, ``"minimum"``,
        ``"reflect"``, ``"symmetric"``, ``"wrap"`` or ``"empty"``.
    **keywords
        ``constant_values``, ``end_values``, ``stat_length`` or ``reflect_type``, as `mode` takes them.

    Returns
    -------
    Array
        The larger array, in memory of its own.

    Raises
    ------
    ArgumentValueError
        If there is no such mode, or a width is negative.

    Notes
    -----
    Beyond the standard: as ``numpy.pad``.
    """
    return asarray(np.pad(asarray(array), pad_width, mode, **keywords))
