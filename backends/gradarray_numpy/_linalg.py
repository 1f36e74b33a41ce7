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


# These two follow the standard since NumPy 2.0; compat's are made of several calls.
KERNELS["solve"] = np.linalg.solve
KERNELS["vecdot"] = np.vecdot
