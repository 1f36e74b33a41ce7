"""Norms of vectors and matrices, and the rank."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from math import inf, isinf
from typing import Any

from .. import _errors
from .._array import Array
from .._dispatch import run
from .._operations import composite, constant, derivative
from ..ops import creation, data_type, elementwise, manipulation, searching, statistical
from ..ops._arguments import default_dtype, reduction_axis
from ..ops._rules import divisor, expand
from ._matrices import floating, matrices, relative_tolerance
from .decompositions import svdvals


def _vector_norm_x(xp: Any, g: Any, x: Any, out: Any, *, axis: Any, keepdims: bool, ord: float) -> Any:
    ndim = len(x.shape)
    g = expand(xp, g, axis, keepdims, ndim)
    if ord == 1:
        return g * xp.sign(x)
    norm = expand(xp, out, axis, keepdims, ndim)
    if ord == 2:
        return (g / divisor(xp, norm)) * x
    # Powers of both signs: zeros are taken out before, and come back as zeros.
    g, norm = xp.where(norm == 0, xp.zeros_like(g), g), xp.where(norm == 0, xp.ones_like(norm), norm)
    size = xp.abs(x)
    vanishes = size == 0
    ratio = xp.where(vanishes, xp.ones_like(size), size) / norm
    g = g * ratio ** (ord - 1)
    return xp.where(vanishes, xp.zeros_like(g), g) * xp.sign(x)


@derivative(x=_vector_norm_x, kind="reduction")
def vector_norm(x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Array:
    """Norm of the vectors along axes.

    Derivative at kinks: 0 in a zero vector and, for any order, in an element that is zero; equal largest (or smallest)
    elements share that of ``inf`` (or ``-inf``).

    Parameters
    ----------
    x : Array
        Real or complex array; integers become the default real dtype.
    axis : int or tuple of int, optional
        The axis, or the axes, whose elements form one vector; all of them if it is not given.
    keepdims : bool, default: False
        Keep the axes with length 1.
    ord : int or float, default: 2
        ``2`` Euclidean, ``1`` sum of sizes, ``inf`` and ``-inf`` largest and smallest size, ``0`` number of elements
        that are not zero, any other ``p`` the ``1/p``-th power of the sum of sizes to the power ``p``.

    Returns
    -------
    Array
        The norms, real, of the precision of `x`.

    Raises
    ------
    AxisError
        If `x` does not have an axis, or one is named twice.
    ArgumentValueError
        If `ord` is not a real number.
    ShapeError
        If a vector is empty and `ord` is ``inf`` or ``-inf``.

    Notes
    -----
    Derivative for order 2: ``g * x / norm``, also complex. Order 0 is piecewise constant.

    Standard: Linear algebra extension, ``vector_norm``.
    """
    x = floating(vector_norm, x)
    axis = reduction_axis(vector_norm, x, axis)
    keepdims = bool(keepdims)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise _order(vector_norm, x, ord, "a real number, inf or -inf")
    if isinf(ord):
        extreme = statistical.max if ord > 0 else statistical.min
        return extreme(elementwise.abs(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        size = elementwise.abs(x)
        return statistical.sum(
            data_type.astype(elementwise.not_equal(size, 0), size.dtype), axis=axis, keepdims=keepdims
        )
    return run(vector_norm, x, axis=axis, keepdims=keepdims, ord=ord)


@composite
def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Norm of each matrix of a stack.

    Derivative at kinks: as those of the functions that the norm is made of; equal extreme sums or singular values
    share.

    Parameters
    ----------
    x : Array
        Real or complex array of shape ``(..., M, N)``; integers become the default real dtype.
    keepdims : bool, default: False
        Keep the last two axes with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, default: "fro"
        ``"fro"`` Frobenius, ``"nuc"`` sum of singular values; ``2`` and ``-2`` largest and smallest singular value;
        ``1`` and ``-1`` largest and smallest sum of sizes of a column, ``inf`` and ``-inf`` of a row.

    Returns
    -------
    Array
        The norms, real, of the precision of `x`, of shape ``(...)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes, or if it is empty and the norm is an extreme value.
    ArgumentValueError
        If `ord` is not one of the norms.

    Notes
    -----
    Standard: Linear algebra extension, ``matrix_norm``.
    """
    x = floating(matrix_norm, matrices(matrix_norm, x))
    keepdims = bool(keepdims)
    if ord is None or (isinstance(ord, str) and ord == "fro"):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if isinstance(ord, str) and ord == "nuc":
        norm = statistical.sum(_without_negligible_gradient(x, svdvals(x)), axis=-1, keepdims=True)
    elif ord in (2, -2):
        norm = _extreme(svdvals(x), ord)
    elif ord in (1, -1):
        norm = _extreme(statistical.sum(elementwise.abs(x), axis=-2), ord)
    elif ord in (inf, -inf):
        norm = _extreme(statistical.sum(elementwise.abs(x), axis=-1), ord)
    else:
        raise _order(matrix_norm, x, ord, "'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if keepdims:
        return manipulation.expand_dims(norm, axis=-1)
    return manipulation.squeeze(norm, axis=-1)


def _without_negligible_gradient(x: Array, values: Array) -> Array:
    # The subgradient of least norm: singular values that are zero up to rounding contribute nothing to it.
    if not values.requires_grad or not values.shape[-1]:
        return values
    least = data_type.finfo(values.dtype).eps * builtins.max(x.shape[-2:])
    return searching.where(values > least * statistical.max(values, axis=-1, keepdims=True), values, values.detach())


def _extreme(values: Array, ord: float) -> Array:
    return (statistical.max if ord > 0 else statistical.min)(values, axis=-1, keepdims=True)


def _order(op: Callable[..., Any], x: Array, ord: Any, valid: str) -> _errors.ArgumentValueError:
    return _errors.ArgumentValueError(
        _errors.message(op.__name__, f"there is no norm of order {ord!r}", [("x", x)], f"pass {valid}")
    )


# --- rank ------------------------------------------------------------------------------------------------------------


@constant
def matrix_rank(x: Array, /, *, rtol: Any = None) -> Array:
    """Number of singular values of each matrix of a stack that are not negligible.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``; integers become the default real dtype.
    rtol : float or Array, optional
        Singular values up to `rtol` times the largest one count as zero. An array, real and on the device of `x`, must
        broadcast against ``(...)``. By default ``max(M, N)`` times the machine epsilon.

    Returns
    -------
    Array
        The ranks, in the default integer dtype, of shape ``(...)``.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.
    DTypeError
        If `rtol` is an array that is not of a real floating-point dtype.
    DeviceMismatchError
        If `rtol` is an array on another device.

    Notes
    -----
    Standard: Linear algebra extension, ``matrix_rank``.
    """
    x = floating(matrix_rank, matrices(matrix_rank, x))
    tolerance = relative_tolerance(matrix_rank, x, rtol)
    if 0 in x.shape[-2:]:
        shape = manipulation.broadcast_shapes(x.shape[:-2], tolerance.shape)
        return creation.zeros(shape, dtype=default_dtype(x.device, "integral"), device=x.device)
    values = svdvals(x)
    limit = statistical.max(values, axis=-1, keepdims=True) * manipulation.expand_dims(tolerance, axis=-1)
    return searching.count_nonzero(elementwise.greater(values, limit), axis=-1)
