"""Manipulation functions: the shape, the order and the joining of arrays, never their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from .. import _dtypes, _errors
from .._array import Array
from .._devices import Device
from .._dispatch import as_array, check_devices, finish, foreign, run, run_view, translated, unwrap, wrap
from .._operations import composite, constant, derivative, same
from ._arguments import Shape, axes_of, axis_of, default_dtype, integer, reduction_axis, shape_of
from ._extras import getitem as _getitem
from .data_type import astype

# --- broadcasting ----------------------------------------------------------------------------------------------------


@composite
def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Arrays broadcast against one another.

    Parameters
    ----------
    *arrays : Array
        Arrays of shapes that fit together.

    Returns
    -------
    tuple of Array
        A view of each array, all of one shape; a stretched view cannot be written to.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Standard: Manipulation functions, ``broadcast_arrays``.
    """
    if not arrays:
        return ()
    check_devices("broadcast_arrays", [(f"arrays[{position}]", x) for position, x in enumerate(arrays)])
    items = [as_array(broadcast_arrays, x) for x in arrays]
    try:
        shape = broadcast_shapes(*[x.shape for x in items])
    except _errors.ShapeError as error:
        raise translated(ValueError(_first_line(error)), broadcast_arrays, items, sequence=True) from None
    return tuple(
        [run_view(_getitem, x, key=...) if x.shape == shape else run_view(broadcast_to, x, shape=shape) for x in items]
    )


@constant
def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Shape to which shapes broadcast together.

    Parameters
    ----------
    *shapes : tuple of int
        Shapes.

    Returns
    -------
    tuple of int
        The common shape; ``()`` if there are no shapes.

    Raises
    ------
    ShapeError
        If the shapes do not fit together.

    Notes
    -----
    Standard: Manipulation functions, ``broadcast_shapes``.
    """
    known = [shape_of(broadcast_shapes, shape) for shape in shapes]
    ndim = max((len(shape) for shape in known), default=0)
    common = [1] * ndim
    for shape in known:
        for position, length in enumerate(shape, ndim - len(shape)):
            if length != 1:
                if common[position] not in (1, length):
                    raise _errors.ShapeError(
                        f"broadcast_shapes(): the shapes {', '.join(map(str, known))} cannot be broadcast together\n"
                        "Fix: the lengths of an axis must be equal, or 1"
                    )
                common[position] = length
    return tuple(common)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].partition("(): ")[2]


@derivative(x=same, kind="linear")
def broadcast_to(x: Array, /, shape: Any) -> Array:
    """Array stretched to a shape.

    Parameters
    ----------
    x : Array
        Array of a shape that broadcasts to `shape`.
    shape : tuple of int
        Shape of the result.

    Returns
    -------
    Array
        A view of `x`, which cannot be written to where it is stretched.

    Raises
    ------
    ShapeError
        If `x` does not broadcast to `shape`.

    Notes
    -----
    Standard: Manipulation functions, ``broadcast_to``.
    """
    return run_view(broadcast_to, as_array(broadcast_to, x), shape=shape_of(broadcast_to, shape))


# --- views of one array ----------------------------------------------------------------------------------------------


@derivative(x=lambda xp, g, shape: xp.reshape(g, shape), kind="linear")
def reshape(x: Array, /, shape: Any, *, copy: bool | None = None) -> Array:
    """Array with the elements of `x`, in row-major order, in another shape.

    Parameters
    ----------
    x : Array
        Array of any shape.
    shape : tuple of int
        Shape of the result; one length may be -1, and is then inferred.
    copy : bool, optional
        True: always copy. False: never. None: only if a view is not possible.

    Returns
    -------
    Array
        The array; a view of `x` where no copy is made.

    Raises
    ------
    ShapeError
        If the number of elements differs.
    CopyRequiredError
        If `copy` is False and only a copy can have the shape.

    Notes
    -----
    Standard: Manipulation functions, ``reshape``.
    """
    x = as_array(reshape, x)
    result = run_view(reshape, x, shape=shape_of(reshape, shape, unknown=True))
    if copy is None:
        return result
    backend = x._device.backend
    shared = backend.immutable or backend.shares_memory(result._data, x._data)
    if copy:
        return astype(result, result.dtype, copy=True) if shared else result
    if not shared and x.size:
        raise _errors.CopyRequiredError(
            _errors.message("reshape", f"only a copy has the shape {result.shape}", [("x", x)], "copy=None")
        )
    return result


@derivative(
    x=lambda xp, g, *, axes: xp.permute_dims(g, tuple(sorted(range(len(axes)), key=axes.__getitem__))), kind="linear"
)
def permute_dims(x: Array, /, axes: Any) -> Array:
    """Array with its axes in another order.

    Parameters
    ----------
    x : Array
        Array of any shape.
    axes : tuple of int
        For each axis of the result, the axis of `x` that it is; a permutation.

    Returns
    -------
    Array
        A view of `x`.

    Raises
    ------
    AxisError
        If `axes` is not a permutation of the axes of `x`.

    Notes
    -----
    Standard: Manipulation functions, ``permute_dims``.
    """
    x = as_array(permute_dims, x)
    order = axes_of(permute_dims, x, axes, name="axes")
    if len(order) != x.ndim:
        fix = "name each axis once; moveaxis moves some and keeps the others"
        raise _errors.AxisError(
            _errors.message("permute_dims", f"axes {order} is not a permutation of {x.ndim} axes", [("x", x)], fix)
        )
    return run_view(permute_dims, x, axes=order)


@composite
def moveaxis(x: Array, source: Any, destination: Any, /) -> Array:
    """Array with some of its axes moved, the others in their order.

    Parameters
    ----------
    x : Array
        Array of any shape.
    source : int or tuple of int
        Axes to move.
    destination : int or tuple of int
        Where each of them goes.

    Returns
    -------
    Array
        A view of `x`.

    Raises
    ------
    AxisError
        If `source` and `destination` are not as many distinct axes each.

    Notes
    -----
    Standard: Manipulation functions, ``moveaxis``.
    """
    x = as_array(moveaxis, x)
    sources = axes_of(moveaxis, x, source, name="source")
    destinations = axes_of(moveaxis, x, destination, name="destination")
    if len(sources) != len(destinations):
        raise _errors.AxisError(
            _errors.message(
                "moveaxis", f"{len(sources)} axes cannot go to {len(destinations)} places", [("x", x)], "pass as many"
            )
        )
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return run_view(permute_dims, x, axes=tuple(order))


@derivative(x=lambda xp, g, shape: xp.reshape(g, shape), kind="linear")
def expand_dims(x: Array, /, axis: Any) -> Array:
    """Array with new axes of length 1.

    Parameters
    ----------
    x : Array
        Array of any shape.
    axis : int or tuple of int
        Positions of the new axes in the result.

    Returns
    -------
    Array
        A view of `x`.

    Raises
    ------
    AxisError
        If the result has no such axis, or one is named twice.

    Notes
    -----
    Standard: Manipulation functions, ``expand_dims``.
    """
    x = as_array(expand_dims, x)
    if isinstance(axis, (tuple, list)):
        return run_view(expand_dims, x, axis=axes_of(expand_dims, x, axis, extra=len(axis)))
    return run_view(expand_dims, x, axis=axis_of(expand_dims, x, axis, extra=1))


@derivative(x=lambda xp, g, shape: xp.reshape(g, shape), kind="linear")
def squeeze(x: Array, /, axis: Any) -> Array:
    """Array without some of its axes of length 1.

    Parameters
    ----------
    x : Array
        Array of any shape.
    axis : int or tuple of int
        Axes to remove.

    Returns
    -------
    Array
        A view of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If an axis is longer than 1.

    Notes
    -----
    Standard: Manipulation functions, ``squeeze``.
    """
    x = as_array(squeeze, x)
    axes = axes_of(squeeze, x, axis)
    if any(x.shape[position] != 1 for position in axes):
        raise _errors.ShapeError(
            _errors.message("squeeze", f"not every axis of {axes} has length 1", [("x", x)], "reduce or index it first")
        )
    return run_view(squeeze, x, axis=axes)


@derivative(x=lambda xp, g, *, axis: xp.flip(g, axis=axis), kind="linear")
def flip(x: Array, /, *, axis: Any = None) -> Array:
    """Array with the order of its elements reversed along axes.

    Parameters
    ----------
    x : Array
        Array of any shape.
    axis : int or tuple of int, optional
        Axes to reverse; all of them by default.

    Returns
    -------
    Array
        A view of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Manipulation functions, ``flip``.
    """
    x = as_array(flip, x)
    return run_view(flip, x, axis=reduction_axis(flip, x, axis))


@composite
def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Parts of an array at each index of one axis.

    Parameters
    ----------
    x : Array
        Array of one or more axes.
    axis : int, default: 0
        Axis to split.

    Returns
    -------
    tuple of Array
        Views of `x`, as many as the axis is long, each without the axis.

    Raises
    ------
    AxisError
        If there is no such axis.

    Notes
    -----
    Standard: Manipulation functions, ``unstack``.
    """
    x = as_array(unstack, x)
    position = axis_of(unstack, x, axis)
    before = (slice(None),) * position
    return tuple([run_view(_getitem, x, key=(*before, index, ...)) for index in range(x.shape[position])])


# --- joining ---------------------------------------------------------------------------------------------------------


def _items(op: Callable[..., Any], arrays: Any) -> tuple[Device, Sequence[Array]]:
    """The arrays of a sequence in their common data type, and their device."""
    if not isinstance(arrays, (tuple, list)):
        fix = f"{op.__name__}((x, y)); unstack(x) gives the parts of one array"
        raise _errors.ArgumentTypeError(
            _errors.message(op.__name__, "arrays must be a tuple or a list of arrays", [("arrays", arrays)], fix)
        )
    if not arrays:
        raise _errors.ArgumentValueError(f"{op.__name__}(): there are no arrays\nFix: pass at least one")
    device, raws, _ = unwrap(op, arrays, sequence=True)
    dtype = getattr(raws[0], "dtype", None)
    alike = True
    for position, x in enumerate(arrays):
        if type(raws[position]) is not device.array_type:
            raise foreign(op, f"arrays[{position}]", x)
        if type(x) is not Array or x._data.dtype != dtype:
            alike = False
    if alike:
        return device, arrays
    items = [x if type(x) is Array else wrap(raw, device) for x, raw in zip(arrays, raws, strict=True)]
    common = _dtypes.result_dtype([x.dtype for x in items], [])
    return device, [astype(x, common, copy=False) for x in items]


def _join(op: Callable[..., Any], device: Device, items: Sequence[Array], axis: int) -> Array:
    raws = tuple([x._data for x in items])
    try:
        out = device.kernels[op](raws, axis=axis)
    except Exception as error:
        raise translated(error, op, items, sequence=True) from error
    parameters: dict[str, Any] = {"axis": axis}
    if op is concat:
        parameters["lengths"] = tuple([raw.shape[axis] for raw in raws])
    return finish(op, out, device, raws, tuple([x._node for x in items]), parameters)


def _concat_items(xp: Any, g: Any, *, axis: int, lengths: Shape, needed: tuple[bool, ...]) -> list[Any]:
    before = (slice(None),) * axis
    return [
        xp.getitem(g, key=(*before, slice(stop - length, stop), ...)) if need else None
        for length, stop, need in zip(lengths, accumulate(lengths), needed, strict=True)
    ]


@derivative(joint=_concat_items, kind="linear")
def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """Arrays joined along one of their axes.

    Parameters
    ----------
    arrays : tuple or list of Array
        Arrays of equal shapes but for the axis; their data types are promoted.
    axis : int or None, default: 0
        Axis along which to join; None: the arrays are flattened first.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    AxisError
        If there is no such axis.
    ShapeError
        If the shapes differ elsewhere.
    ArgumentTypeError, ArgumentValueError
        If `arrays` is not a sequence of arrays, or empty.

    Notes
    -----
    Standard: Manipulation functions, ``concat``.
    """
    device, items = _items(concat, arrays)
    if axis is None:
        return _join(concat, device, [reshape(item, (-1,)) for item in items], 0)
    return _join(concat, device, items, axis_of(concat, items[0], axis))


def _stack_items(xp: Any, g: Any, *, axis: int, needed: tuple[bool, ...]) -> list[Any]:
    before = (slice(None),) * axis
    return [xp.getitem(g, key=(*before, index, ...)) if need else None for index, need in enumerate(needed)]


@derivative(joint=_stack_items, kind="linear")
def stack(arrays: Any, /, *, axis: int = 0) -> Array:
    """Arrays joined along a new axis.

    Parameters
    ----------
    arrays : tuple or list of Array
        Arrays of one shape; their data types are promoted.
    axis : int, default: 0
        Position of the new axis in the result.

    Returns
    -------
    Array
        The array.

    Raises
    ------
    AxisError
        If the result has no such axis.
    ShapeError
        If the shapes differ.
    ArgumentTypeError, ArgumentValueError
        If `arrays` is not a sequence of arrays, or empty.

    Notes
    -----
    Standard: Manipulation functions, ``stack``.
    """
    device, items = _items(stack, arrays)
    return _join(stack, device, items, axis_of(stack, items[0], axis, extra=1))


# --- repeating and rolling -------------------------------------------------------------------------------------------


def _repeat_x(xp: Any, g: Any, repeats: Any, like: Any, *, axis: int) -> Any:
    shape = tuple(like.shape)
    if isinstance(repeats, int):
        return xp.sum(xp.reshape(g, (*shape[: axis + 1], repeats, *shape[axis + 1 :])), axis=axis + 1)
    counts = xp.broadcast_to(repeats, (shape[axis],))
    places = xp.repeat(xp.cumulative_sum(xp.ones_like(counts), axis=0) - 1, counts)
    rest = len(shape) - axis - 1
    places = xp.reshape(places, ((1,) * axis + tuple(places.shape) + (1,) * rest))
    return xp.scatter_along_axis(g, places, like=like, axis=axis)


@derivative(x=_repeat_x)
def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Array in which each element occurs several times in a row.

    Parameters
    ----------
    x : Array
        Array of any shape.
    repeats : int or Array
        How often: one number, or a 1-D integer array with one for each index of the axis (or of length 1).
    axis : int, optional
        Axis along which to repeat; by default `x` is flattened.

    Returns
    -------
    Array
        The array, whose length along the axis is the sum of the repetitions.

    Raises
    ------
    ArgumentValueError
        If `repeats` is a negative number.
    DTypeError
        If `repeats` is an array of another kind than integers.
    ShapeError
        If `repeats` is an array of another shape, or of negative numbers.

    Notes
    -----
    With an array on a GPU, the call waits for its values: they determine the shape.

    Standard: Manipulation functions, ``repeat``.
    """
    device, (_, many), _ = unwrap(repeat, (x, repeats))
    x = as_array(repeat, x)
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    position = axis_of(repeat, x, axis)
    counts = repeats
    if type(repeats) is not Array:
        counts = wrap(many, device) if type(many) is device.array_type else None
    if counts is None or not counts.ndim:
        number = integer(repeat, "repeats", repeats)
        if number < 0:
            raise _errors.ArgumentValueError(f"repeat(): repeats is {number}\nFix: pass a number of 0 or more")
        return run(repeat, x, number, axis=position)
    operands = [("x", x), ("repeats", repeats)]
    if counts.dtype.kind not in "iu":
        raise _errors.DTypeError(_errors.message("repeat", "repeats must be integers", operands, "astype it to int64"))
    if counts.shape not in ((1,), (x.shape[position],)):
        fix = f"pass an int, or a 1-D array of {x.shape[position]} numbers"
        raise _errors.ShapeError(_errors.message("repeat", "repeats does not fit the axis", operands, fix))
    counts = astype(counts, default_dtype(device, "indexing"), copy=False)
    return run(repeat, x, counts, axis=position)


def _tile_x(xp: Any, g: Any, shape: Shape, *, repetitions: Shape) -> Any:
    ndim = max(len(shape), len(repetitions))
    lengths = (1,) * (ndim - len(shape)) + tuple(shape)
    counts = (1,) * (ndim - len(repetitions)) + repetitions
    split = [number for pair in zip(counts, lengths, strict=True) for number in pair]
    return xp.reshape(xp.sum(xp.reshape(g, tuple(split)), axis=tuple(range(0, 2 * ndim, 2))), shape)


@derivative(x=_tile_x)
def tile(x: Array, repetitions: Any, /) -> Array:
    """Array made of copies of `x` side by side.

    Parameters
    ----------
    x : Array
        Array of any shape.
    repetitions : tuple of int
        Number of copies along each axis; ones are put in front of it, or of the shape of `x`, where it is shorter.

    Returns
    -------
    Array
        The array, of ``max(x.ndim, len(repetitions))`` axes.

    Raises
    ------
    ShapeError
        If a number is negative.

    Notes
    -----
    Standard: Manipulation functions, ``tile``.
    """
    device, raws, nodes = unwrap(tile, (x,))
    counts = shape_of(tile, repetitions, name="repetitions")
    try:
        out = device.kernels[tile](raws[0], counts)
    except Exception as error:
        raise translated(error, tile, (x,)) from error
    return finish(tile, out, device, raws, nodes, {"repetitions": counts})


def _roll_x(xp: Any, g: Any, *, shift: Any, axis: Any) -> Any:
    back = tuple([-places for places in shift]) if isinstance(shift, tuple) else -shift
    return xp.roll(g, back, axis=axis)


@derivative(x=_roll_x, kind="linear")
def roll(x: Array, /, shift: Any, *, axis: Any = None) -> Array:
    """Array with its elements shifted along axes; what leaves at one end comes in at the other.

    Parameters
    ----------
    x : Array
        Array of any shape.
    shift : int or tuple of int
        By how many places, towards larger indices; a tuple has one number for each axis.
    axis : int or tuple of int, optional
        Axes along which to shift; by default the flattened array is shifted.

    Returns
    -------
    Array
        Array of the shape of `x`.

    Raises
    ------
    AxisError
        If there is no such axis.
    ArgumentValueError
        If `shift` is a tuple, and `axis` is not one of the same length.

    Notes
    -----
    Standard: Manipulation functions, ``roll``.
    """
    x = as_array(roll, x)
    axes: Any
    if isinstance(axis, (tuple, list)):
        # An axis may be named twice: then it is shifted twice.
        axes = tuple([axis_of(roll, x, part) for part in axis])
    else:
        axes = None if axis is None else axis_of(roll, x, axis)
    places: Any
    if isinstance(shift, (tuple, list)):
        places = tuple([integer(roll, "shift", part) for part in shift])
        if not isinstance(axes, tuple) or len(axes) != len(places):
            raise _errors.ArgumentValueError(
                f"roll(): shift {places} needs an axis for each of its numbers, not {axis!r}\n"
                "Fix: pass a tuple of as many axes, or one int"
            )
    else:
        places = integer(roll, "shift", shift)
    return run(roll, x, shift=places, axis=axes)
