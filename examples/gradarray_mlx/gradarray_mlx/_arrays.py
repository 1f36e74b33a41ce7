"""Arrays and data types of MLX, and those of NumPy."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import numpy as np

from gradarray.backend import CopyRequiredError, DType, DTypeError, standard_dtypes

#: MLX's data type for each of the standard's that it has: all but complex128. On the CPU it has float64 too.
RAW_DTYPES: dict[DType, Any] = {
    dtype: getattr(mx, "bool_" if dtype.name == "bool" else dtype.name)
    for dtype in standard_dtypes
    if dtype.name != "complex128"
}
_DTYPES: dict[Any, DType] = {raw_dtype: dtype for dtype, raw_dtype in RAW_DTYPES.items()}


def raw_dtype_of(dtype: Any) -> Any:
    """MLX's data type for one of gradarray's, or for itself."""
    if isinstance(dtype, mx.Dtype):
        return dtype
    try:
        return RAW_DTYPES[dtype]
    except KeyError:
        raise DTypeError(f"MLX has no data type {dtype}\nFix: use float32 or complex64") from None


def dtype_of(raw_dtype: Any) -> DType:
    """The data type of gradarray for one of MLX's."""
    try:
        return _DTYPES[raw_dtype]
    except KeyError:
        raise DTypeError(f"{raw_dtype} is no data type of the standard\nFix: convert to float32") from None


def from_host(array: np.ndarray[Any, Any], *, copy: bool | None = None) -> Any:
    """An array of MLX with the values of a NumPy array."""
    if copy is False:
        raise CopyRequiredError("asarray(): MLX's arrays share no memory that others may write\nFix: copy=None")
    dtype = array.dtype.newbyteorder("=")
    raw_dtype = raw_dtype_of(dtype)  # without it MLX would make float32 of float64
    values = np.asarray(array, dtype)
    if min(values.strides, default=0) < 0:
        values = values.copy()  # MLX takes no negative stride, not even where there is but one element
    return mx.array(values, dtype=raw_dtype)


def to_host(raw: Any) -> np.ndarray[Any, Any]:
    """The memory of an array of MLX as NumPy sees it, not to be written."""
    host = np.asarray(raw)
    host.flags.writeable = False
    return host
