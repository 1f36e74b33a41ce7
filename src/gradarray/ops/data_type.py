"""Data type functions: casting, and questions about data types."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._devices import get_device
from .._dispatch import as_array, check_devices, run, wrap
from .._dtypes import DType, FloatInfo, IntegerInfo
from .._operations import constant, derivative, same
from .conversion import SCALARS, check_dtype, transfer


@derivative(x=same, kind="linear")
def astype(x: Array, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Array with the values of `x` in another data type.

    Differentiable between floating-point data types; the result is a constant for integers and booleans.

    Parameters
    ----------
    x : Array
        Array of any data type.
    dtype : dtype
        Data type of the result.
    copy : bool, default: True
        False: return `x` itself if it has the data type and the device already.
    device : Device or str, optional
        Device of the result; that of `x` if it is not given.

    Returns
    -------
    Array
        Array of the shape of `x`.

    Raises
    ------
    DTypeError
        If `x` is complex and `dtype` is real or an integer, or if the device has no such data type.

    Notes
    -----
    Standard: Data type functions, ``astype``.
    """
    x = as_array(astype, x)
    wanted = _dtypes.as_dtype(dtype, op="astype")
    there = x._device if device is None else get_device(device)
    own = x.dtype
    if wanted == own:
        moved = transfer(x, there)
        if moved is not x or not copy:
            return moved
        return run(astype, x, dtype=wanted)
    check_dtype(astype, wanted, there)
    if own.kind == "c" and wanted.kind not in "cb":
        raise _errors.DTypeError(
            _errors.message(
                "astype", f"complex values cannot be {wanted}", [("x", x)], "take gradarray.real(x) or imag(x) first"
            )
        )
    if there is not x._device and wanted not in x._device.backend.dtypes((x._device.type, x._device.index)):
        # Only the target has the data type: move first.
        x = transfer(x, there)
    return transfer(_cast(x, wanted), there)


def _cast(x: Array, dtype: DType) -> Array:
    if dtype not in _dtypes.DIFFERENTIABLE:
        x = wrap(x._data, x._device)
        if x.dtype.kind == "c":
            # Libraries that keep to the standard refuse even this cast of complex values.
            return x != 0
    return run(astype, x, dtype=dtype)


@constant
def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    """Whether promotion can turn one data type into another.

    Parameters
    ----------
    from_ : dtype or Array
        Data type to cast from; of an array, its own.
    to : dtype
        Data type to cast to.

    Returns
    -------
    bool
        True if `from_` promoted with `to` is `to`.

    Raises
    ------
    DTypeError
        If an argument is not a data type.

    Notes
    -----
    Promotion between kinds (an integer to a floating-point data type) counts, as everywhere in gradarray.

    Standard: Data type functions, ``can_cast``.
    """
    target = _dtypes.as_dtype(to, op="can_cast")
    return _dtypes.promote(_dtype_of(can_cast, from_), target) == target


@constant
def finfo(type: Any, /) -> FloatInfo:
    """Limits of a floating-point data type.

    Parameters
    ----------
    type : dtype or Array
        Floating-point data type, or an array of one; of a complex one, that of its components is described.

    Returns
    -------
    FloatInfo
        Object with ``bits``, ``eps``, ``max``, ``min``, ``smallest_normal`` (Python numbers) and ``dtype``.

    Raises
    ------
    DTypeError
        If the data type is not a floating-point one.

    Notes
    -----
    Standard: Data type functions, ``finfo``.
    """
    return _dtypes.float_info(_dtype_of(finfo, type))


@constant
def iinfo(type: Any, /) -> IntegerInfo:
    """Limits of an integer data type.

    Parameters
    ----------
    type : dtype or Array
        Integer data type, or an array of one.

    Returns
    -------
    IntegerInfo
        Object with ``bits``, ``max``, ``min`` (Python integers) and ``dtype``.

    Raises
    ------
    DTypeError
        If the data type is not an integer one.

    Notes
    -----
    Standard: Data type functions, ``iinfo``.
    """
    return _dtypes.integer_info(_dtype_of(iinfo, type))


@constant
def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Whether a data type is of a kind.

    Parameters
    ----------
    dtype : dtype
        Data type in question.
    kind : dtype, str, or tuple of them
        A data type; one of ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
        ``"real floating"``, ``"complex floating"``, ``"numeric"``; or several, of which one has to apply.

    Returns
    -------
    bool
        Whether it is.

    Raises
    ------
    ArgumentTypeError
        If `kind` is text that names no kind.
    DTypeError
        If `dtype` is not a data type.

    Notes
    -----
    Standard: Data type functions, ``isdtype``.
    """
    return _dtypes.isdtype(dtype, kind)


@constant
def result_type(*arrays_and_dtypes: Any) -> DType:
    """Data type to which arrays, data types and Python numbers promote together.

    Parameters
    ----------
    *arrays_and_dtypes : Array, dtype, bool, int, float or complex
        Operands. Python numbers come last and never widen their own kind; alone they are of their default types.

    Returns
    -------
    dtype
        The common data type.

    Raises
    ------
    ArgumentTypeError
        If nothing is given.
    DTypeError
        If an argument is nothing of the kind.

    Notes
    -----
    Standard: Data type functions, ``result_type``.
    """
    operands = [(f"argument {position}", x) for position, x in enumerate(arrays_and_dtypes)]
    check_devices("result_type", operands)
    numbers = [type(x) for x in arrays_and_dtypes if type(x) in SCALARS]
    dtypes = [_dtype_of(result_type, x) for x in arrays_and_dtypes if type(x) not in SCALARS]
    return _dtypes.result_dtype(dtypes, numbers)


def _dtype_of(op: Callable[..., Any], x: Any) -> DType:
    return _dtypes.as_dtype(x.dtype if isinstance(x, (Array, np.ndarray, np.generic)) else x, op=op.__name__)
