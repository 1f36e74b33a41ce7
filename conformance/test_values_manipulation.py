"""Values, dtypes and shapes of the manipulation and indexing functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ._cases import Cases, quick
from ._draw import Call, Draw, Shape, call

CASES = Cases("main")


@CASES.case("broadcast_arrays")
def broadcast_arrays(d: Draw) -> Call:
    return call(*[d.values(d.dtype("all"), shape) for shape in d.shapes(d.integer(1, 4))])


@CASES.case("broadcast_shapes", reference=lambda *shapes: np.broadcast_shapes(*shapes))
def broadcast_shapes(d: Draw) -> Call:
    return call(*d.shapes(d.integer(0, 4)))


@CASES.case("broadcast_to")
def broadcast_to(d: Draw) -> Call:
    shape = d.shape()
    x = d.values(d.dtype("all"), d.stretchable(shape))
    return call(x, shape=shape) if d.flag() else call(x, shape)


@CASES.case("concat")
def concat(d: Draw) -> Call:
    first, second = d.promotable("all")
    shape = d.shape(1, 3)
    axis = d.axis(len(shape))
    if d.rarely():
        parts = [d.values(d.pick(first, second), d.shape()) for _ in range(d.integer(1, 3))]
        return call(d.pick(list, tuple)(parts), axis=None)
    if d.rarely():
        axis = 0
    arrays = []
    for _ in range(d.integer(1, 4)):
        own = list(shape)
        own[axis] = d.side()
        arrays.append(d.values(d.pick(first, second), tuple(own)))
    return call(d.pick(list, tuple)(arrays), **({"axis": axis} if axis else d.some(axis=axis)))


@CASES.case("stack")
def stack(d: Draw) -> Call:
    first, second = d.promotable("all")
    shape = d.shape()
    arrays = [d.values(d.pick(first, second), shape) for _ in range(d.integer(1, 4))]
    return call(d.pick(list, tuple)(arrays), **d.some(axis=d.axis(len(shape) + 1)))


@CASES.case("expand_dims", reference=np.expand_dims)
def expand_dims(d: Draw) -> Call:
    x = d.array("all")
    axis: Any = d.axis(x.ndim + 1)
    if d.rarely():
        count = d.integer(0, 2)
        axis = tuple(d.distinct_axes(x.ndim + count, count))
    return call(x, axis=axis) if d.flag() else call(x, axis)


@CASES.case("squeeze", reference=np.squeeze)
def squeeze(d: Draw) -> Call:
    shape = list(d.shape(0, 2))
    for _ in range(d.integer(1, 2)):
        shape.insert(d.integer(0, len(shape)), 1)
    ones = [axis - d.pick(0, len(shape)) for axis, length in enumerate(shape) if length == 1]
    axis: Any = d.pick(d.pick(*ones), tuple(ones), ())
    x = d.values(d.dtype("all"), tuple(shape))
    return call(x, axis=axis) if d.flag() else call(x, axis)


@CASES.case("flip")
def flip(d: Draw) -> Call:
    x = d.array("all")
    return call(x, **d.some(axis=d.axes(x.ndim)))


@CASES.case("moveaxis")
def moveaxis(d: Draw) -> Call:
    x = d.array("all", 1, 4)
    if d.flag():
        return call(x, d.axis(x.ndim), d.axis(x.ndim))
    count = d.integer(0, x.ndim)
    return call(x, tuple(d.distinct_axes(x.ndim, count)), tuple(d.distinct_axes(x.ndim, count)))


@CASES.case("permute_dims", reference=lambda x, axes: np.transpose(x, axes))
def permute_dims(d: Draw) -> Call:
    x = d.array("all")
    axes = tuple(d.distinct_axes(x.ndim, x.ndim))
    return call(x, axes=axes) if d.flag() else call(x, axes)


@CASES.case("repeat", reference=np.repeat)
def repeat(d: Draw) -> Call:
    x = d.array("all", 1, 3)
    axis = d.pick(None, d.axis(x.ndim))
    length = x.size if axis is None else x.shape[axis]
    counts = d.values(d.pick(np.dtype("int64"), np.dtype("int32")), (length,), low=0, high=3)
    repeats = d.pick(d.integer(0, 3), counts, d.values("int64", (1,), low=0, high=3))
    kwargs = d.some(axis=axis) if axis is None else {"axis": axis}
    return call(x, repeats, **kwargs)


@CASES.case("reshape", reference=lambda x, shape, copy=None: np.reshape(x, shape))
def reshape(d: Draw) -> Call:
    x = d.array("all")
    shape: list[int] = []
    rest = x.size
    for _ in range(d.integer(0, 3) if rest else 0):
        length = d.pick(*[n for n in range(1, rest + 1) if rest % n == 0])
        shape.append(length)
        rest //= length
    if rest != 1:
        shape.append(rest)
    if x.size and shape and d.flag():
        shape[d.integer(0, len(shape) - 1)] = -1
    return call(x, tuple(shape), **d.some(copy=d.pick(None, True, False)))


@CASES.case("roll", reference=np.roll)
def roll(d: Draw) -> Call:
    x = d.array("all")
    if d.flag() or not x.ndim:
        return call(x, d.integer(-4, 4), **d.some(axis=None))
    if d.flag():
        return call(x, shift=d.integer(-4, 4), axis=d.axis(x.ndim))
    axes = tuple(d.distinct_axes(x.ndim))
    return call(x, tuple([d.integer(-4, 4) for _ in axes]), axis=axes)


@CASES.case("tile", reference=np.tile)
def tile(d: Draw) -> Call:
    return call(d.array("all", 0, 2), tuple([d.pick(2, 1, 3, 2, 0) for _ in range(d.integer(0, 3))]))


@CASES.case("unstack", reference=lambda x, axis=0: tuple(np.moveaxis(x, axis, 0)))
def unstack(d: Draw) -> Call:
    x = d.array("all", 1, 3)
    return call(x, **d.some(axis=d.axis(x.ndim)))


# --- indexing functions ----------------------------------------------------------------------------------------------


def _indices(d: Draw, length: int, shape: Shape) -> Any:
    return d.values(d.pick(np.dtype("int64"), np.dtype("int32")), shape, low=-length, high=length - 1)


@CASES.case("take", reference=np.take)
def take(d: Draw) -> Call:
    x = d.array("all", 1, 3, empty=False)
    axis = 0 if x.ndim == 1 else d.axis(x.ndim)
    indices = _indices(d, x.shape[axis], (d.side(),))
    kwargs = d.some(axis=axis) if x.ndim == 1 else {"axis": axis}
    return call(x, indices, **kwargs)


@CASES.case("take_along_axis", reference=lambda x, indices, axis=-1: np.take_along_axis(x, indices, axis))
def take_along_axis(d: Draw) -> Call:
    x = d.array("all", 1, 3, empty=False)
    axis = d.axis(x.ndim)
    shape = [1 if d.rarely() else length for length in x.shape]
    shape[axis] = d.side()
    kwargs = d.some(axis=axis) if axis in (-1, x.ndim - 1) else {"axis": axis}
    return call(x, _indices(d, x.shape[axis], tuple(shape)), **kwargs)


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)
