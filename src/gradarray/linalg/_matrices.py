"""What the functions of the extension share: checks of their operands, and small matrix algebra for derivative rules.

The helpers of the second part take raw arrays and gradarray arrays alike, with the namespace `xp` of either.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._dispatch import as_array, check_devices
from ..ops import data_type
from ..ops._arguments import default_dtype
from ..ops._rules import conj
from ..ops.conversion import asarray

# --- operands --------------------------------------------------------------------------------------------------------


def floating(op: Callable[..., Any], x: Any) -> Array:
    """`x` as an array of a floating-point dtype: integers become the default real dtype of their device."""
    array = as_array(op, x)
    if array.dtype in _dtypes.DIFFERENTIABLE:
        return array
    return data_type.astype(array, default_dtype(array.device, "real floating"))


def matrices(op: Callable[..., Any], x: Any) -> Array:
    """`x` as a stack of matrices of any dtype."""
    array = as_array(op, x)
    if array.ndim < 2:
        raise _errors.ShapeError(
            _errors.message(op.__name__, "x must have at least two axes", [("x", array)], "reshape it to a matrix")
        )
    return array


def square_matrices(op: Callable[..., Any], x: Any, *, name: str = "x") -> Array:
    """`x` as a stack of square matrices of any dtype."""
    array = as_array(op, x)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        problem = f"{name} must have shape (..., M, M)"
        raise _errors.ShapeError(_errors.message(op.__name__, problem, [(name, array)], "give square matrices"))
    return array


def relative_tolerance(op: Callable[..., Any], x: Array, rtol: Any) -> Array:
    """The `rtol` argument as an array on the device of `x`: a real one for each matrix, or one for all."""
    limits = _dtypes.float_info(x.dtype)
    if rtol is None:
        return asarray(max(x.shape[-2:]) * limits.eps, dtype=limits.dtype, device=x.device)
    check_devices(op.__name__, [("x", x), ("rtol", rtol)])
    if isinstance(rtol, (int, float)) and not isinstance(rtol, bool):
        return asarray(float(rtol), dtype=limits.dtype, device=x.device)
    tolerance = asarray(rtol, device=x.device)
    if tolerance.dtype not in _dtypes.KINDS["real floating"]:
        raise _errors.DTypeError(
            _errors.message(op.__name__, "rtol must be real floating-point", [("rtol", rtol)], "pass a float")
        )
    return tolerance


@contextmanager
def defined(op: str, where: str) -> Iterator[None]:
    """Turn a matrix that a derivative rule cannot invert into the statement that there is no derivative."""
    try:
        yield
    except Exception as error:
        if isinstance(error, _errors.LinearAlgebraError) or type(error).__name__ == "LinAlgError":
            raise _errors.NoDerivativeError(
                f"{op}(): there is no derivative where {where}\n"
                f"Fix: differentiate at another point, or call {op}(x.detach()) if no gradient is wanted"
            ) from error
        raise


# --- algebra for rules -----------------------------------------------------------------------------------------------


def adjoint(xp: Any, x: Any) -> Any:
    """Conjugate transpose."""
    return xp.matrix_transpose(conj(x))


def hermitian(xp: Any, x: Any) -> Any:
    """Hermitian part."""
    return (x + adjoint(xp, x)) / 2


def lower_half(xp: Any, x: Any) -> Any:
    """Lower triangle with half of the diagonal: of a Hermitian matrix, what it is with its adjoint the sum of."""
    return (xp.tril(x) + xp.tril(x, k=-1)) / 2


def identity(xp: Any, x: Any) -> Any:
    """Identity matrices of the shape and dtype of `x`."""
    return xp.triu(xp.tril(xp.ones_like(x)))


def per_matrix(xp: Any, x: Any) -> Any:
    """One number for each matrix of a stack, as it broadcasts against the matrices."""
    return xp.reshape(x, (*x.shape, 1, 1))


def rows(xp: Any, x: Any) -> Any:
    """Vectors as matrices of one row."""
    return xp.expand_dims(x, axis=-2)


def columns(xp: Any, x: Any) -> Any:
    """Vectors as matrices of one column."""
    return xp.expand_dims(x, axis=-1)


def negligible(xp: Any, values: Any, length: int) -> Any:
    """Up to what size numbers are rounding errors of the spectrum `values` of a matrix with `length` rows or columns.

    Equal eigenvalues come out of a decomposition with differences of this size. What is divided by such a difference
    is noise, so derivative rules take it for zero.
    """
    size = xp.max(xp.abs(values), axis=-1)
    return per_matrix(xp, size * (10 * length * float(xp.finfo(values.dtype).eps)))


def warn_of_ties(op: str, what: str, gaps: Any, *terms: Any) -> None:
    """Warn where terms of a derivative between equal values are taken for 0, and are not 0 of themselves.

    `gaps` are the inverse differences of the values, 0 where they are equal; `terms` is what they are multiplied by.
    Only where looking is free: in host memory.
    """
    gaps = getattr(gaps, "_data", gaps)
    if not isinstance(gaps, np.ndarray):
        return
    tied = (gaps == 0) & ~np.eye(gaps.shape[-1], dtype=bool)
    if not tied.any():
        return
    for x in terms:
        size = np.abs(getattr(x, "_data", x))
        noise = 10 * np.finfo(size.dtype).eps * np.max(size, axis=(-2, -1), keepdims=True)
        if (tied & (size > noise)).any():
            warnings.warn(
                f"{op}(): derivatives through the vectors of equal {what} are not determined; the terms between them "
                "are taken for 0. That is right for a function of the whole space that they span, and not for others, "
                f"such as V @ diag(f(w)) @ V.mT\nFix: use only the values, or split the {what}",
                _errors.UndeterminedDerivativeWarning,
                stacklevel=2,
            )
            return


def inverse_or_zero(xp: Any, x: Any, limit: Any) -> Any:
    """``1 / x``, and 0 where `x` is not larger than `limit`."""
    vanishes = xp.abs(x) <= limit
    safe = xp.where(vanishes, xp.ones_like(x), x)
    return xp.where(vanishes, xp.zeros_like(x), 1 / safe)
