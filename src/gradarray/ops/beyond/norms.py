"""NumPy's norm, of vectors and of matrices."""

from __future__ import annotations

import math
from typing import Any

from ... import _errors
from ..._array import Array
from ..._dispatch import as_array
from ..._operations import composite
from .._arguments import axes_of
from ..manipulation import moveaxis, reshape


@composite
def norm(x: Array, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Array:
    """Norm of the vectors along an axis, or of the matrices along two.

    Parameters
    ----------
    x : Array
        Floating-point numbers; integers and booleans count as float64.
    ord : {None, int, float, inf, -inf, "fro", "nuc"}, optional
        Which norm; see `vector_norm` and `matrix_norm`. Without it the root of the sum of squares.
    axis : int or pair of int, optional
        The axis of vectors, or both of matrices. Without it `x` is one vector or matrix; with neither `axis` nor `ord`
        it may have any number of axes.
    keepdims : bool, default: False
        Keep the reduced axes, with length 1.

    Returns
    -------
    Array
        The norms, real.

    Raises
    ------
    ArgumentValueError
        If there is no such norm.
    AxisError
        If there is no such axis.
    ShapeError
        If `axis` names more than two, or is left out of an array of more than two.

    Notes
    -----
    Beyond the standard: as ``numpy.linalg.norm``. Derivative: as for `vector_norm` and `matrix_norm`; at 0 it is 0.
    """
    from ...linalg.norms import matrix_norm, vector_norm

    x = as_array(norm, x)
    if axis is None and ord is None:
        found = vector_norm(reshape(x, (-1,)))
        return reshape(found, (1,) * x.ndim) if keepdims else found
    axes = tuple(range(x.ndim)) if axis is None else axes_of(norm, x, axis)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise _errors.ArgumentValueError(f"norm(): there is no vector norm {ord!r}\nFix: use a number, or two axes")
        return vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise _errors.ShapeError(
            _errors.message(
                "norm", f"norms are of one axis or two, not of {len(axes)}", [("x", x)], "name them by axis="
            )
        )
    if ord is not None and not isinstance(ord, str) and ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise _errors.ArgumentValueError(f"norm(): there is no matrix norm {ord!r}\nFix: use 1, 2, inf, 'fro' or 'nuc'")
    found = matrix_norm(moveaxis(x, axes, (-2, -1)), ord="fro" if ord is None else ord)
    if not keepdims:
        return found
    return reshape(found, tuple([1 if number in axes else length for number, length in enumerate(x.shape)]))
