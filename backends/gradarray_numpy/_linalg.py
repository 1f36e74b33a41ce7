"""Kernels of linear algebra where array-api-compat's NumPy has another function of the name, or a slower one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._kernels import KERNELS, kernel

__all__ = ["KERNELS"]


@kernel
def diagonal(x: Any, *, offset: int = 0) -> Any:
    # NumPy's own takes the first two axes.
    return np.diagonal(x, offset=offset, axis1=-2, axis2=-1)


@kernel
def trace(x: Any, *, offset: int = 0, dtype: Any = None) -> Any:
    return np.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


# These two follow the standard since NumPy 2.0; compat's are made of several calls.
KERNELS["solve"] = np.linalg.solve
KERNELS["vecdot"] = np.vecdot


@kernel
def eig(x: Any) -> tuple[Any, Any]:
    # NumPy's answers are real where they can be; the standard's are complex always.
    dtype = np.result_type(x.dtype, np.complex64)
    values, vectors = np.linalg.eig(x)
    return values.astype(dtype), vectors.astype(dtype)


@kernel
def eigvals(x: Any) -> Any:
    return np.linalg.eigvals(x).astype(np.result_type(x.dtype, np.complex64))
