"""The data types that floating-point functions take: integers and booleans count as the default real dtype.

Array libraries do not agree here: NumPy answers int8 with float16, others refuse. So the cast comes before the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _dtypes
from ..._array import Array
from ..._dispatch import Operand, as_array, binary, unary, wrap
from .._arguments import default_dtype


def floating(operation: Callable[..., Array], x: Any) -> Array:
    """`unary` of an operation whose results are floating-point."""
    if type(x) is Array:
        dtype = x._data.dtype
        if dtype is _dtypes.float64 or dtype is _dtypes.float32:
            return unary(operation, x)
    return unary(operation, as_floating(as_array(operation, x)))


def floating_pair(operation: Callable[..., Array], x1: Operand, x2: Operand) -> Array:
    """`binary` of an operation whose results are floating-point."""
    if type(x1) is Array:
        dtype = x1._data.dtype
        if dtype is _dtypes.float64 or dtype is _dtypes.float32:
            return binary(operation, x1, x2)
    # A floating-point operand takes the other one along; so does a Python scalar with an array that is cast.
    if not (_is_floating(x1) or _is_floating(x2)):
        x1, x2 = _cast_operand(operation, x1), _cast_operand(operation, x2)
    return binary(operation, x1, x2)


def _is_floating(x: Any) -> bool:
    return isinstance(x, (Array, np.ndarray, np.generic)) and _dtypes.kind_of(x.dtype) in "fc"


def _cast_operand(operation: Callable[..., Array], x: Any) -> Any:
    return as_floating(as_array(operation, x)) if isinstance(x, (Array, np.ndarray)) else x


def as_floating(x: Array) -> Array:
    """`x`; integers and booleans as the default real dtype."""
    if x.dtype in _dtypes.DIFFERENTIABLE:
        return x
    device = x._device
    # Integers are never tracked, so there is nothing to record.
    return wrap(device.backend.kernel("astype")(x._data, default_dtype(device, "real floating")), device)
