"""Functions of shapes and places: reshaping, joining, splitting, picking."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from operator import index as integer
from typing import Any, cast

import gradarray as ga

from .. import _errors
from .._array import Array
from . import _types
from ._calls import binary, call, converted, matmul, write
from ._tensor import Tensor

# --- shapes ------------------------------------------------------------------------------------------------------


def _one(result: Any) -> Tensor:
    return cast(Tensor, result)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """The elements in another shape; one length may be -1. In the same memory where that is possible."""
    return _one(call(ga.reshape, input, _types.size_of("reshape", shape)))


def view(input: Tensor, *shape: Any) -> Tensor:
    """The elements in another shape, in the same memory; one length may be -1.

    Raises
    ------
    CopyRequiredError
        If only a copy can have that shape.
    DTypeError
        If a data type is given: bits are not taken for other numbers here.
    """
    if len(shape) == 1 and isinstance(shape[0], _types.dtype):
        return _one(call(lambda x: x.view(shape[0]._dtype), input))
    lengths = _types.size_of("view", shape)
    try:
        return _one(call(ga.reshape, input, lengths, copy=False))
    except _errors.CopyRequiredError:
        raise _errors.CopyRequiredError(
            _errors.message(
                "view", f"only a copy has the shape {lengths}", [("input", input._array)], f"x.reshape({lengths})"
            )
        ) from None


def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The elements in the shape of another tensor, in the same memory."""
    return view(input, other.shape)


def reshape_as(input: Tensor, other: Tensor) -> Tensor:
    """The elements in the shape of another tensor."""
    return reshape(input, other.shape)


def _axis(input: Tensor, dim: int, extra: int = 0) -> int:
    """A non-negative axis; the bounds are left to the function that takes it."""
    return dim + input._array.ndim + extra if dim < 0 else dim


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from one to another as a single one."""
    shape = input._array.shape
    if not shape:
        return reshape(input, 1)
    first, last = _axis(input, start_dim), _axis(input, end_dim)
    if not 0 <= first <= last < len(shape):
        raise _errors.AxisError(
            _errors.message(
                "flatten", f"there are no axes from {start_dim} to {end_dim}", [("input", input._array)], "start first"
            )
        )
    count = _types.Size(shape[first : last + 1]).numel()
    return reshape(input, (*shape[:first], count, *shape[last + 1 :]))


def ravel(input: Tensor) -> Tensor:
    """All axes as a single one."""
    return reshape(input, -1)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """The tensor without axes of length 1: all, or those named where their length is 1."""
    shape = input._array.shape
    named = range(len(shape)) if dim is None else [_axis(input, each) for each in _types.size_of("squeeze", (dim,))]
    kept = [axis for axis in named if not 0 <= axis < len(shape) or shape[axis] == 1]
    return _one(call(ga.squeeze, input, tuple(kept)))


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """The tensor with a further axis, of length 1."""
    return _one(call(ga.expand_dims, input, dim))


def permute(input: Tensor, *dims: Any) -> Tensor:
    """The tensor with its axes in another order, in the same memory."""
    return _one(call(ga.permute_dims, input, _types.size_of("permute", dims)))


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two axes in each other's place, in the same memory."""

    def swapped(x: Array) -> Array:
        # Two moves and not one permutation: axes that are not there are named in the message.
        low, high = sorted((_axis(input, dim0), _axis(input, dim1)))
        moved = ga.moveaxis(x, high, low)
        return ga.moveaxis(moved, low + 1, high) if high > low + 1 else moved

    return _one(call(swapped, input))


swapaxes = swapdims = transpose


def t(input: Tensor) -> Tensor:
    """Transpose of a matrix; a vector, or a number, as it is."""
    return input if input._array.ndim < 2 else _one(call(lambda x: x.T, input))


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """The tensor with some axes moved, in the same memory."""
    return _one(call(ga.moveaxis, input, source, destination))


moveaxis = movedim


def expand(input: Tensor, *sizes: Any) -> Tensor:
    """The tensor stretched along axes of length 1 and new ones; -1 leaves a length as it is."""
    wanted = _types.size_of("expand", sizes)
    own = (None,) * (len(wanted) - input._array.ndim) + tuple(input._array.shape)
    return _one(call(ga.broadcast_to, input, tuple([o if w == -1 else w for o, w in zip(own, wanted, strict=True)])))


def broadcast_to(input: Tensor, size: Any) -> Tensor:
    """The tensor stretched to a shape; see `expand`."""
    return expand(input, size)


def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor stretched to the shape of another."""
    return expand(input, other.shape)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Tensors stretched against one another."""
    return cast("tuple[Tensor, ...]", call(ga.broadcast_arrays, *tensors))


def broadcast_shapes(*shapes: Any) -> _types.Size:
    """Shape to which shapes broadcast together."""
    return _types.Size(ga.broadcast_shapes(*shapes))


def contiguous(input: Tensor) -> Tensor:
    """The tensor with its elements in order in memory: itself, or a copy."""
    if input._array.ndim < 2:
        return input
    try:
        view(input, -1)
    except _errors.CopyRequiredError:
        return reshape(reshape(input, -1), input.shape)
    return input


def clone(input: Tensor) -> Tensor:
    """The same values in memory of their own; gradients flow back through it."""
    return _one(call(ga.asarray, input, copy=True))


# --- several tensors ---------------------------------------------------------------------------------------------


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along an axis that they have."""
    return _one(call(ga.concat, converted(tuple(tensors)), axis=dim))


concat = concatenate = cat


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors of one shape joined along a new axis."""
    return _one(call(ga.stack, converted(tuple(tensors)), axis=dim))


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors joined along the second axis, vectors along the first."""
    return _one(call(ga.hstack, converted(tuple(tensors))))


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors joined along the first axis, vectors as rows."""
    return _one(call(ga.vstack, converted(tuple(tensors))))


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The parts of a tensor along an axis, without that axis."""
    return cast("tuple[Tensor, ...]", call(ga.unstack, input, axis=dim))


def split(input: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """The parts of a tensor along an axis, of one length or of those given, in the same memory.

    Raises
    ------
    ShapeError
        If the lengths do not add up to that of the axis.
    """
    length = input.size(dim)
    if isinstance(split_size_or_sections, builtins.int):
        step = split_size_or_sections
        if step < 1:
            raise _errors.ArgumentValueError(f"split(): parts of length {step}\nFix: use 1 or more")
        sections = [min(step, length - start) for start in range(0, length, step)] or [0]
    else:
        sections = [integer(part) for part in split_size_or_sections]
    if sum(sections) != length:
        raise _errors.ShapeError(
            _errors.message(
                "split", f"{sections} does not add up to {length}", [("input", input._array)], "use other lengths"
            )
        )
    parts, start = [], 0
    for part in sections:
        parts.append(narrow(input, dim, start, part))
        start += part
    return tuple(parts)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """A number of parts of a tensor along an axis, of one length but for the last, in the same memory."""
    return split(input, max(1, -(-input.size(dim) // chunks)), dim)


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Coordinates of a grid, from one 1-D tensor for each of its axes."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    return cast("tuple[Tensor, ...]", tuple(call(ga.meshgrid, *given, indexing=indexing)))


# --- repeating and turning ---------------------------------------------------------------------------------------


def tile(input: Tensor, *dims: Any) -> Tensor:
    """The tensor several times along its axes."""
    return _one(call(ga.tile, input, _types.size_of("tile", dims)))


def repeat(input: Tensor, *sizes: Any) -> Tensor:
    """The tensor several times along its axes: PyTorch's name for NumPy's `tile`."""
    counts = _types.size_of("repeat", sizes)
    if len(counts) < input._array.ndim:
        raise _errors.ShapeError(
            _errors.message(
                "repeat", f"there are more axes than in {counts}", [("input", input._array)], "give a count for each"
            )
        )
    return tile(input, counts)


def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None) -> Tensor:
    """The tensor with each element several times: NumPy's `repeat`."""
    return _one(call(ga.repeat, input, repeats, axis=dim))


def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """The elements shifted around along axes."""
    return _one(call(ga.roll, input, shifts, axis=dims))


def flip(input: Tensor, *dims: Any) -> Tensor:
    """The elements in reverse along axes."""
    return _one(call(ga.flip, input, axis=_types.size_of("flip", dims)))


# --- matrices ----------------------------------------------------------------------------------------------------


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Lower triangle of each matrix of a stack."""
    return _one(call(ga.tril, input, k=diagonal))


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Upper triangle of each matrix of a stack."""
    return _one(call(ga.triu, input, k=diagonal))


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """Diagonal of a matrix, or the matrix with a vector in its diagonal."""
    return _one(call(ga.diag, input, diagonal))


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Diagonal of the matrices that two axes make, as the last axis."""
    return _one(call(lambda x: ga.linalg.diagonal(ga.moveaxis(x, (dim1, dim2), (-2, -1)), offset=offset), input))


def trace(input: Tensor) -> Tensor:
    """Sum of the diagonal of a matrix."""
    return _one(call(ga.linalg.trace, input))


def _of_vectors(op: str, ndims: tuple[int, int]) -> Callable[[Tensor, Tensor], Tensor]:
    def function(input: Tensor, other: Tensor) -> Tensor:
        if (input.ndim, other.ndim) != ndims:
            operands = [("input", input._array), ("other", other._array)]
            raise _errors.ShapeError(
                _errors.message(op, f"operands of {ndims[0]} and {ndims[1]} axes are expected", operands, "use matmul")
            )
        return matmul(input, other)

    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"As `matmul`, of tensors of {ndims[0]} and {ndims[1]} axes only."
    return function


dot, mv, mm, bmm = (
    _of_vectors("dot", (1, 1)),
    _of_vectors("mv", (2, 1)),
    _of_vectors("mm", (2, 2)),
    _of_vectors("bmm", (3, 3)),
)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Product of each element of a vector with each of another."""
    return binary(ga.linalg.outer, input, vec2)


def cross(input: Tensor, other: Tensor, dim: int = -1) -> Tensor:
    """Cross product of vectors of three elements."""
    return _one(call(ga.linalg.cross, *converted((input, other)), axis=dim))


def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Sum of products of two tensors over pairs of axes."""
    return _one(call(ga.tensordot, a, b, axes=dims))


def einsum(equation: str, *operands: Any) -> Tensor:
    """Sum of products in Einstein's notation."""
    given = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    return _one(call(ga.einsum, equation, *given))


# --- picking -----------------------------------------------------------------------------------------------------


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A part of a tensor along an axis, in the same memory."""
    key = (slice(None),) * _axis(input, dim) + (slice(start, start + length),)
    return input[key]


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """The part of a tensor at one place of an axis, in the same memory."""
    return input[(slice(None),) * _axis(input, dim) + (index,)]


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Elements at indices along an axis, chosen anew for each position of the other axes.

    Raises
    ------
    ShapeError
        If `index` is longer than the tensor along another axis.
    """

    def own(x: Array, places: Array) -> Array:
        axis = _axis(input, dim)
        if places.ndim == x.ndim and all(
            p <= n for k, (p, n) in enumerate(zip(places.shape, x.shape, strict=True)) if k != axis
        ):
            # PyTorch takes an index that is shorter than the tensor along the other axes.
            x = x[tuple([slice(None) if k == axis else slice(p) for k, p in enumerate(places.shape)])]
        return ga.take_along_axis(x, places, axis=dim)

    return _one(call(own, input, index))


take_along_dim = gather


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The parts of a tensor at some places of an axis."""
    return _one(call(ga.take, input, index, axis=dim))


def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened tensor at indices."""
    return _one(call(lambda x, places: ga.reshape(x, (-1,))[places], input, index))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """Elements where a mask is true, in one axis."""

    def own(x: Array, m: Array) -> Array:
        x, m = ga.broadcast_arrays(x, m)
        return x[m]

    return _one(call(own, input, mask))


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """The tensor with one value where a mask is true."""

    def own(x: Array, m: Array, v: Any) -> Array:
        filling = ga.full_like(x, v) if not isinstance(v, Array) else ga.astype(v, x.dtype)
        return ga.where(m, filling, x)

    return _one(call(own, input, mask, value))


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Indices of the elements that are not 0: a row for each, or a tuple with a tensor for each axis."""
    found = call(ga.nonzero, input)
    return found if as_tuple else stack(found, dim=1)


def isin(elements: Tensor, test_elements: Tensor, *, invert: bool = False) -> Tensor:
    """Whether each element is one of others."""
    return _one(call(ga.isin, elements, test_elements, invert=invert))


# --- in place ----------------------------------------------------------------------------------------------------


def zero_(input: Tensor) -> Tensor:
    """Zeros in the place of all elements."""
    return write("zero_", input, 0)


def fill_(input: Tensor, value: Any) -> Tensor:
    """One value in the place of all elements."""
    return write("fill_", input, value)


def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """The values of another tensor, of any data type and on any device, in the place of its own."""
    moved = ga.astype(src._array.to_device(input._array.device), input._array.dtype, copy=False)
    return write("copy_", input, moved)


#: What is a function and a method.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: globals()[name]
    for name in (
        *"bmm broadcast_to chunk clone cross diag diagonal dot flatten flip gather index_select masked_fill".split(),
        *"masked_select matmul mm moveaxis movedim mv narrow nonzero outer permute ravel repeat_interleave".split(),
        *"reshape roll select split squeeze swapaxes swapdims t take take_along_dim tile trace transpose tril".split(),
        *"triu unbind unsqueeze".split(),
    )
}
#: What is a method only.
METHODS: dict[str, Callable[..., Any]] = {
    name: globals()[name]
    for name in "contiguous copy_ expand expand_as fill_ repeat reshape_as view view_as zero_".split()
}
#: What is also a method that writes in place.
IN_PLACE = ("masked_fill", "tril", "triu")
