"""Linear algebra functions: the chapter of the main namespace. The extension is `gradarray.linalg`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _dtypes, _errors
from .._array import Array
from .._dispatch import as_array, binary, run, run_view, unwrap, wrap
from .._operations import derivative
from . import _rules
from ._arguments import axes_of, axis_of, integer

#: What contracts: one number of axes, or the axes of either operand.
Axes = int | tuple[Sequence[int], Sequence[int]]


# --- operands --------------------------------------------------------------------------------------------------------


def operands(op: Callable[..., Any], x1: Any, x2: Any) -> tuple[Array, Array]:
    """Two operands as arrays on one device in their common dtype; Python scalars are refused."""
    device, raws, _ = unwrap(op, (x1, x2))
    arrays = []
    for name, x, raw in zip(("x1", "x2"), (x1, x2), raws, strict=True):
        if type(raw) is not device.array_type:
            text = f"{name} must be an array"
            raise _errors.ArgumentTypeError(
                _errors.message(op.__name__, text, [("x1", x1), ("x2", x2)], f"gradarray.asarray({name})")
            )
        arrays.append(x if type(x) is Array else wrap(raw, device))
    first, second = arrays
    if first.dtype != second.dtype:
        from .data_type import astype

        dtype = _dtypes.promote(first.dtype, second.dtype)
        first, second = astype(first, dtype, copy=False), astype(second, dtype, copy=False)
    return first, second


def shared_axis(op: Callable[..., Any], x1: Array, x2: Array, axis: Any) -> int:
    """A negative axis that both operands have and that has one length, not stretched, in both."""
    both = [("x1", x1), ("x2", x2)]
    number = integer(op, "axis", axis)
    if number >= 0 and x1.ndim == x2.ndim:
        # Counted from the front, an axis is the same in both only if neither has more of them.
        number = axis_of(op, x1, number) - x1.ndim
    shortest = min(x1.ndim, x2.ndim)
    if not -shortest <= number < 0:
        fix = f"valid axes are from {-shortest} to -1" if shortest else "give operands with an axis"
        raise _errors.AxisError(_errors.message(op.__name__, f"there is no axis {number} in both operands", both, fix))
    if x1.shape[number] != x2.shape[number]:
        problem = f"the lengths of axis {number} differ: {x1.shape[number]} and {x2.shape[number]}"
        raise _errors.ShapeError(_errors.message(op.__name__, problem, both, "this axis is not broadcast"))
    return number


# --- matmul ----------------------------------------------------------------------------------------------------------


def _matmul_x1(xp: Any, g: Any, x2: Any, like: Any) -> Any:
    x2 = _rules.conj(x2)
    ndim, ndim2 = len(like.shape), len(x2.shape)
    if ndim2 == 1:
        return g * x2 if ndim == 1 else xp.expand_dims(g, axis=-1) * x2
    if ndim2 == 2:
        return xp.matmul(x2, g) if ndim == 1 else xp.matmul(g, xp.matrix_transpose(x2))
    # An operand that the whole stack shares: the stack is summed within the contraction, not after it.
    stack = tuple(range(ndim2 - 2))
    if ndim == 1:
        return xp.tensordot(x2, g, axes=((*stack, ndim2 - 1), (*stack, ndim2 - 2)))
    if ndim == 2:
        return xp.tensordot(g, x2, axes=((*stack, ndim2 - 1), (*stack, ndim2 - 1)))
    return xp.matmul(g, xp.matrix_transpose(x2))


def _matmul_x2(xp: Any, g: Any, x1: Any, like: Any) -> Any:
    x1 = _rules.conj(x1)
    ndim, ndim1 = len(like.shape), len(x1.shape)
    if ndim1 == 1:
        return g * x1 if ndim == 1 else xp.expand_dims(x1, axis=1) * xp.expand_dims(g, axis=-2)
    if ndim1 == 2:
        return xp.matmul(g, x1) if ndim == 1 else xp.matmul(xp.matrix_transpose(x1), g)
    if ndim <= 2:
        rows = tuple(range(ndim1 - 1))
        return xp.tensordot(x1, g, axes=(rows, rows))
    return xp.matmul(xp.matrix_transpose(x1), g)


@derivative(x1=_matmul_x1, x2=_matmul_x2, kind="bilinear")
def matmul(x1: Array, x2: Array, /) -> Array:
    """Matrix product, as the operator ``@`` computes it.

    Parameters
    ----------
    x1 : Array
        Array of shape ``(..., M, K)``, or ``(K,)``, which counts as one row.
    x2 : Array
        Array of shape ``(..., K, N)``, or ``(K,)``, which counts as one column. Numeric, like `x1`; the leading axes
        broadcast.

    Returns
    -------
    Array
        Array of shape ``(..., M, N)`` in the promoted dtype; without the axis that a 1-D operand does not have.

    Raises
    ------
    ShapeError
        If an operand is 0-d, or if the lengths ``K`` or the leading axes do not fit.

    Notes
    -----
    Neither operand is conjugated. Derivative: ``g @ x2^H`` in `x1` and ``x1^H @ g`` in `x2`.

    Standard: Linear algebra functions, ``matmul``.
    """
    if type(x1) is not Array or type(x2) is not Array:
        x1, x2 = operands(matmul, x1, x2)
    return binary(matmul, x1, x2)


@derivative(x=lambda xp, g: xp.matrix_transpose(g), kind="linear")
def matrix_transpose(x: Array, /) -> Array:
    """Transpose of each matrix of a stack; a view.

    Parameters
    ----------
    x : Array
        Array of shape ``(..., M, N)``.

    Returns
    -------
    Array
        Array of shape ``(..., N, M)`` that shares the memory of `x` where the backend can.

    Raises
    ------
    ShapeError
        If `x` has fewer than two axes.

    Notes
    -----
    Complex values are not conjugated.

    Standard: Linear algebra functions, ``matrix_transpose``.
    """
    x = as_array(matrix_transpose, x)
    if x.ndim < 2:
        fix = "reshape it to a matrix"
        raise _errors.ShapeError(_errors.message("matrix_transpose", "x must have at least two axes", [("x", x)], fix))
    return run_view(matrix_transpose, x)


# --- tensordot -------------------------------------------------------------------------------------------------------


def _tensordot_x1(xp: Any, g: Any, x2: Any, like: Any, *, axes: Any) -> Any:
    mine, others = axes
    free = tuple([axis for axis in range(len(x2.shape)) if axis not in others])
    left = len(like.shape) - len(mine)
    kept = tuple(range(left, left + len(free)))
    g = xp.tensordot(g, _rules.conj(x2), axes=(kept, free))
    return _back_in_place(xp, g, len(like.shape), mine, others)


def _tensordot_x2(xp: Any, g: Any, x1: Any, like: Any, *, axes: Any) -> Any:
    others, mine = axes
    free = tuple([axis for axis in range(len(x1.shape)) if axis not in others])
    g = xp.tensordot(g, _rules.conj(x1), axes=(tuple(range(len(free))), free))
    return _back_in_place(xp, g, len(like.shape), mine, others)


def _back_in_place(xp: Any, g: Any, ndim: int, mine: tuple[int, ...], others: tuple[int, ...]) -> Any:
    """Bring the axes of a cotangent, an operand's free ones and then the contracted ones in the order of the other
    operand, into the order of the operand."""
    free = [axis for axis in range(ndim) if axis not in mine]
    partner = dict(zip(others, mine, strict=True))
    order = [*free, *[partner[axis] for axis in sorted(others)]]
    if order == list(range(ndim)):
        return g
    return xp.permute_dims(g, axes=tuple([order.index(axis) for axis in range(ndim)]))


@derivative(x1=_tensordot_x1, x2=_tensordot_x2, kind="bilinear")
def tensordot(x1: Array, x2: Array, /, *, axes: Axes = 2) -> Array:
    """Sum of products of two arrays over pairs of axes.

    Parameters
    ----------
    x1, x2 : Array
        Numeric arrays.
    axes : int or pair of sequences of int, default: 2
        The axes that are summed over: that many of the last ones of `x1`, in order, with the first ones of `x2`; or
        the axes of `x1` and, pairwise, those of `x2`. Paired axes have one length; they are not broadcast.

    Returns
    -------
    Array
        Array in the promoted dtype: the other axes of `x1`, then those of `x2`.

    Raises
    ------
    AxisError
        If an operand does not have an axis, or one is named twice.
    ShapeError
        If paired axes differ in length or number.

    Notes
    -----
    Neither operand is conjugated.

    Standard: Linear algebra functions, ``tensordot``.
    """
    x1, x2 = operands(tensordot, x1, x2)
    first, second = _paired_axes(x1, x2, axes)
    return run(tensordot, x1, x2, axes=(first, second))


def _paired_axes(x1: Array, x2: Array, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    both = [("x1", x1), ("x2", x2)]
    first: tuple[int, ...]
    second: tuple[int, ...]
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise _errors.ArgumentValueError(
                _errors.message("tensordot", f"axes {axes!r} is not a pair", both, "pass (axes of x1, axes of x2)")
            )
        first, second = axes_of(tensordot, x1, axes[0]), axes_of(tensordot, x2, axes[1])
    else:
        number = integer(tensordot, "axes", axes)
        if not 0 <= number <= min(x1.ndim, x2.ndim):
            problem = f"there are no {number} axes in both operands"
            raise _errors.AxisError(_errors.message("tensordot", problem, both, "pass fewer axes, 0 or more"))
        first, second = tuple(range(x1.ndim - number, x1.ndim)), tuple(range(number))
    lengths = [x1.shape[axis] for axis in first], [x2.shape[axis] for axis in second]
    if lengths[0] != lengths[1]:
        problem = f"the lengths of the paired axes differ: {lengths[0]} and {lengths[1]}"
        raise _errors.ShapeError(_errors.message("tensordot", problem, both, "pair axes of one length"))
    return first, second


# --- vecdot ----------------------------------------------------------------------------------------------------------


@derivative(
    x1=lambda xp, g, x2, *, axis: _rules.conj(xp.expand_dims(g, axis=axis)) * x2,
    x2=lambda xp, g, x1, *, axis: xp.expand_dims(g, axis=axis) * x1,
    kind="bilinear",
)
def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Dot product of the vectors along an axis, the first one conjugated.

    Parameters
    ----------
    x1, x2 : Array
        Numeric arrays that broadcast, except along `axis`, where both have one length.
    axis : int, default: -1
        The axis of the vectors, counted from the last: negative. From the front only if both have as many axes.

    Returns
    -------
    Array
        ``sum(conj(x1) * x2)`` over the axis, in the promoted dtype.

    Raises
    ------
    AxisError
        If one of the operands does not have the axis.
    ShapeError
        If the lengths of the axis differ, or the others do not broadcast.

    Notes
    -----
    Standard: Linear algebra functions, ``vecdot``.
    """
    x1, x2 = operands(vecdot, x1, x2)
    return run(vecdot, x1, x2, axis=shared_axis(vecdot, x1, x2, axis))
