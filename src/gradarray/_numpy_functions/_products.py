"""NumPy's products of arrays; ``einsum`` and all that can be said by it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._table import array, cast, host, implements, is_complex, normal_axes, normal_axis, written

# --- dot and its relatives -------------------------------------------------------------------------------------------


@implements("dot")
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    x, y = array(a), array(b)
    if x.ndim == 0 or y.ndim == 0:
        found = x * y
    elif y.ndim == 1:
        found = ga.tensordot(x, y, axes=1)
    else:
        found = ga.tensordot(x, y, axes=((x.ndim - 1,), (y.ndim - 2,)))
    return written(found, out, "dot")


@implements("inner")
def _inner(a: Any, b: Any, /) -> Any:
    x, y = array(a), array(b)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    return ga.tensordot(x, y, axes=((x.ndim - 1,), (y.ndim - 1,)))


@implements("vdot")
def _vdot(a: Any, b: Any, /) -> Any:
    x, y = ga.reshape(array(a), (-1,)), ga.reshape(array(b), (-1,))
    return ga.tensordot(ga.conj(x) if is_complex(x) else x, y, axes=1)


@implements("outer")
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    return written(ga.reshape(array(a), (-1, 1)) * ga.reshape(array(b), (1, -1)), out, "outer")


@implements("kron")
def _kron(a: Any, b: Any) -> Any:
    x, y = array(a), array(b)
    ndim = max(x.ndim, y.ndim)
    first = (1,) * (ndim - x.ndim) + x.shape
    second = (1,) * (ndim - y.ndim) + y.shape
    left = ga.reshape(x, tuple([part for length in first for part in (length, 1)]))
    right = ga.reshape(y, tuple([part for length in second for part in (1, length)]))
    return ga.reshape(left * right, tuple([one * other for one, other in zip(first, second, strict=True)]))


@implements("tensordot")
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    x, y = array(a), array(b)
    if isinstance(axes, (int, np.integer)):
        return ga.tensordot(x, y, axes=int(axes))
    first, second = [tuple(part) if np.ndim(part) else (int(part),) for part in axes]
    return ga.tensordot(x, y, axes=(normal_axes(first, x.ndim), normal_axes(second, y.ndim)))


@implements("linalg.tensordot")
def _tensordot_of_linalg(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return _tensordot(x1, x2, axes)


@implements("diagonal")
def _diagonal(a: Any, offset: int = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    x = array(a)
    axes = normal_axes((axis1, axis2), x.ndim)
    rest = [number for number in range(x.ndim) if number not in axes]
    return ga.linalg.diagonal(ga.permute_dims(x, (*rest, *axes)), offset=offset)


@implements("trace")
def _trace(a: Any, offset: int = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    return written(ga.sum(_diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype), out, "trace")


@implements("cross")
def _cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = array(a), array(b)
    x = ga.moveaxis(x, normal_axis(axisa, x.ndim), -1)
    y = ga.moveaxis(y, normal_axis(axisb, y.ndim), -1)
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise _errors.ShapeError(
            _errors.message("numpy.cross", "vectors have 2 or 3 elements", [("a", x), ("b", y)], "choose other axes")
        )
    if x.shape[-1] == y.shape[-1] == 2:
        return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    x, y = [
        part if part.shape[-1] == 3 else ga.concat([part, ga.zeros((*part.shape[:-1], 1), dtype=part.dtype)], axis=-1)
        for part in (x, y)
    ]
    found = ga.linalg.cross(*ga.broadcast_arrays(x, y), axis=-1)
    return ga.moveaxis(found, -1, normal_axis(axisc, found.ndim))


# --- einsum ----------------------------------------------------------------------------------------------------------

#: An axis of an operand of einsum: a letter or a number; of an ellipsis its number from the end, negative.
Label = Any


def _error(problem: str, fix: str) -> _errors.ArgumentValueError:
    return _errors.ArgumentValueError(f"numpy.einsum(): {problem}\nFix: {fix}")


def _labels(text: str, where: str) -> list[Label]:
    """The letters of one operand; an ellipsis is ``...``."""
    found: list[Label] = []
    rest = text.replace(" ", "")
    while rest:
        if rest.startswith("..."):
            found.append("...")
            rest = rest[3:]
        elif rest[0].isalpha():
            found.append(rest[0])
            rest = rest[1:]
        else:
            raise _error(f"{rest[0]!r} in {where!r} is not a letter", "use letters, commas, an arrow and an ellipsis")
    return found


def _parsed(operands: tuple[Any, ...]) -> tuple[list[Array], list[list[Label]], list[Label] | None]:
    """The arrays, the labels of each, and those of the result if they are given."""
    if isinstance(operands[0], str):
        text = operands[0].replace(" ", "")
        arrays = [array(x) for x in operands[1:]]
        left, arrow, right = text.partition("->")
        inputs = [_labels(part, text) for part in left.split(",")]
        if len(inputs) != len(arrays):
            raise _error(f"{text!r} names {len(inputs)} operands and {len(arrays)} were given", "give one for each")
        return arrays, inputs, _labels(right, text) if arrow else None
    parts = list(operands)
    output = None
    if len(parts) % 2:
        output = ["..." if each is Ellipsis else int(each) for each in parts.pop()]
    arrays = [array(x) for x in parts[::2]]
    return arrays, [["..." if each is Ellipsis else int(each) for each in part] for part in parts[1::2]], output


def _expanded(labels: list[Label], ndim: int, least: int = 0) -> list[Label]:
    """Labels with an ellipsis written out: its axes are numbered from the end."""
    if "..." not in labels:
        return labels
    count = ndim - (len(labels) - 1)
    place = labels.index("...")
    return [*labels[:place], *[("...", number - count) for number in range(count)], *labels[place + 1 :]]


def _resolved(operands: tuple[Any, ...]) -> tuple[list[Array], list[list[Label]], list[Label]]:
    arrays, inputs, output = _parsed(operands)
    for x, labels in zip(arrays, inputs, strict=True):
        if labels.count("...") > 1 or (len(labels) != x.ndim and "..." not in labels) or len(labels) - 1 > x.ndim:
            raise _errors.ShapeError(
                _errors.message(
                    "numpy.einsum", f"the labels {labels} do not fit its axes", [("x", x)], "name each axis"
                )
            )
    inputs = [_expanded(labels, x.ndim) for x, labels in zip(arrays, inputs, strict=True)]
    seen = [label for labels in inputs for label in labels]
    stretched = sorted({label for label in seen if isinstance(label, tuple)})
    if output is None:
        once = sorted(
            [label for label in set(seen) if not isinstance(label, tuple) and seen.count(label) == 1], key=str
        )
        output = [*stretched, *(sorted(once) if all(isinstance(label, int) for label in once) else once)]
    elif "..." in output:
        place = output.index("...")
        output = [*output[:place], *stretched, *output[place + 1 :]]
    elif stretched:
        raise _error("the result leaves the ellipsis out", "write ... into it, too")
    if len(set(output)) != len(output) or not set(output) <= set(seen):
        raise _error(f"the labels {output} of the result are not of the operands, each once", "name each once")
    lengths: dict[Label, int] = {}
    for x, labels in zip(arrays, inputs, strict=True):
        for label, length in zip(labels, x.shape, strict=True):
            if lengths.setdefault(label, length) != length and length != 1:
                if lengths[label] != 1:
                    raise _errors.ShapeError(
                        _errors.message(
                            "numpy.einsum",
                            f"the axes {label!r} are of lengths {lengths[label]} and {length}",
                            [(f"operand {number}", each) for number, each in enumerate(arrays)],
                            "make them equally long",
                        )
                    )
                lengths[label] = length
    return arrays, inputs, output


def _simplified(x: Array, labels: list[Label], wanted: set[Label]) -> tuple[Array, list[Label]]:
    """An operand whose labels are each there once, and all of them wanted elsewhere."""
    labels = list(labels)
    for label in [each for each in dict.fromkeys(labels) if labels.count(each) > 1]:
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            rest = [number for number in range(x.ndim) if number not in (first, second)]
            x = ga.linalg.diagonal(ga.permute_dims(x, (*rest, first, second)))
            labels = [*[labels[number] for number in rest], label]
    idle = tuple([number for number, label in enumerate(labels) if label not in wanted])
    if idle:
        x = ga.sum(x, axis=idle, dtype=x.dtype)
        labels = [label for label in labels if label in wanted]
    return x, labels


def _contracted(
    x: Array, first: list[Label], y: Array, second: list[Label], wanted: set[Label]
) -> tuple[Array, list[Label]]:
    """The product of two operands, summed over what is wanted no more."""
    x, first = _simplified(x, first, wanted | set(second))
    y, second = _simplified(y, second, wanted | set(first))
    lengths = dict(zip(first, x.shape, strict=True))
    for label, length in zip(second, y.shape, strict=True):
        lengths[label] = max(lengths.get(label, length), length) if lengths.get(label, length) != 0 and length else 0
    both = [label for label in first if label in second]
    summed = [label for label in both if label not in wanted]
    batch = [label for label in both if label in wanted]
    left = [label for label in first if label not in second]
    right = [label for label in second if label not in first]
    if not summed:
        order = [*batch, *left, *right]
        x = _arranged(x, first, [*batch, *left])
        y = _arranged(y, second, [*batch, *right])
        x = ga.reshape(x, (*x.shape, *(1,) * len(right)))
        y = ga.reshape(y, (*y.shape[: len(batch)], *(1,) * len(left), *y.shape[len(batch) :]))
        return x * y, order
    # An axis of length 1 is stretched, as everywhere: the matrices below need equal lengths.
    x = _stretched(_arranged(x, first, [*batch, *left, *summed]), [*batch, *left, *summed], lengths)
    y = _stretched(_arranged(y, second, [*batch, *summed, *right]), [*batch, *summed, *right], lengths)
    sizes = [math.prod([lengths[label] for label in group]) for group in (left, summed, right)]
    shape = tuple([lengths[label] for label in batch])
    found = ga.matmul(ga.reshape(x, (*shape, sizes[0], sizes[1])), ga.reshape(y, (*shape, sizes[1], sizes[2])))
    order = [*batch, *left, *right]
    return ga.reshape(found, tuple([lengths[label] for label in order])), order


def _arranged(x: Array, labels: list[Label], order: list[Label]) -> Array:
    return x if labels == order else ga.permute_dims(x, tuple([labels.index(label) for label in order]))


def _stretched(x: Array, labels: list[Label], lengths: dict[Label, int]) -> Array:
    shape = tuple([lengths[label] for label in labels])
    return x if x.shape == shape else ga.broadcast_to(x, shape)


def _path(operands: tuple[Any, ...], arrays: list[Array], optimize: Any) -> list[tuple[int, ...]]:
    """In which order operands are multiplied: by NumPy's search, which looks at shapes only."""
    if len(arrays) < 3:
        return [tuple(range(len(arrays)))]
    if isinstance(optimize, (list, tuple)) and optimize and optimize[0] == "einsum_path":
        return [tuple(sorted(pair)) for pair in optimize[1:]]
    shapes = iter([np.broadcast_to(np.zeros(()), x.shape) for x in arrays])
    if isinstance(operands[0], str):
        stand_ins: list[Any] = [operands[0], *shapes]
    else:
        stand_ins = list(operands)
        for position in range(0, len(operands) - len(operands) % 2, 2):
            stand_ins[position] = next(shapes)
    # Pairs in any case: a product of all at once would be as large as all of their axes.
    how = "optimal" if optimize == "optimal" else "greedy"
    return [tuple(sorted(pair)) for pair in np.einsum_path(*stand_ins, optimize=how)[0][1:]]


@implements("einsum")
def _einsum(*operands: Any, out: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    dtype, casting = kwargs.pop("dtype", None), kwargs.pop("casting", "safe")
    kwargs.pop("order", None)
    if kwargs:
        raise _errors.ArgumentTypeError(f"numpy.einsum(): there is no argument {sorted(kwargs)}\nFix: leave it out")
    arrays, inputs, output = _resolved(operands)
    if dtype is not None:
        arrays = [cast(x, dtype, casting, "einsum") for x in arrays]
    work = list(zip(arrays, inputs, strict=True))
    for group in _path(operands, arrays, optimize):
        chosen = [work.pop(position) for position in reversed(group)][::-1]
        x, labels = chosen[0]
        for number, (y, other) in enumerate(chosen[1:], start=2):
            wanted = {*output, *[label for part in (*work, *chosen[number:]) for label in part[1]]}
            x, labels = _contracted(x, labels, y, other, wanted)
        work.append((x, labels))
    x, labels = work[0]
    x, labels = _simplified(x, labels, set(output))
    found = _arranged(x, labels, output)
    return written(found, out, "einsum")


@implements("einsum_path")
def _einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    values = [host(x) if isinstance(x, Array) else x for x in operands]
    return np.einsum_path(*values, optimize=optimize)
