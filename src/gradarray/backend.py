"""What a backend package imports: the protocol, its errors, and the generic kernels.

`register` makes a backend known that has no entry point; `load` gives one by its name.
"""

from ._backend import Backend, MemoryInfo, Place, load, register
from ._corrections import HIGH, LOW, Corrections, corrected
from ._dtypes import STANDARD as standard_dtypes
from ._dtypes import SUPPORTED as supported_dtypes
from ._dtypes import DType, bfloat16, promote, promote_scalar
from ._errors import (
    ArgumentValueError,
    CopyRequiredError,
    DTypeError,
    ExportError,
    LinearAlgebraError,
    MissingBackendError,
    MissingExtraError,
)
from ._kernels import RuleNamespace, guarded, numpy_snapshot, on_host, scipy_function
from ._kernels import generic as generic_kernel

__all__ = [
    "HIGH",
    "LOW",
    "ArgumentValueError",
    "Backend",
    "CopyRequiredError",
    "Corrections",
    "DType",
    "DTypeError",
    "ExportError",
    "LinearAlgebraError",
    "MemoryInfo",
    "MissingBackendError",
    "MissingExtraError",
    "Place",
    "RuleNamespace",
    "bfloat16",
    "corrected",
    "generic_kernel",
    "guarded",
    "load",
    "numpy_snapshot",
    "on_host",
    "promote",
    "promote_scalar",
    "register",
    "scipy_function",
    "standard_dtypes",
    "supported_dtypes",
]
