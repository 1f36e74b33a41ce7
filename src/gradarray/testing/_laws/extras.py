"""Laws of the kernels beyond the standard that derivative rules use: see `gradarray._kernels`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from ..._devices import cpu
from ...ops import _extras, linear_algebra, manipulation
from ...ops._extras import Description
from .examination import Examination, HostArray, agree, expect
from .memory import raw_key

_LAW = {
    "getitem": "x[key], for any key",
    "spread": "g broadcast to the shape of like",
    "zeros_for": "zeros of the shape of like with the dtype of g",
    "numbers": "the row-major number of each element of like",
    "scatter": "zeros to which g is added at key, repeated elements as often as they occur",
    "scatter_along_axis": "the transpose of take_along_axis",
    "assign": "a copy with the value written through the views of the path, at key",
    "written": "what assign overwrites; 0 where a later element overwrote an earlier one",
    "unwritten": "the transpose of written: zeros with g assigned",
    "settle": "x with 0 in the place of what is bad",
    "real_part": "the real part of a complex array, written through where the library can",
    "imag_part": "the imaginary part of a complex array, written through where the library can",
    "move": "the values on the device of like, of whichever backend",
}


def _dtypes(exam: Examination) -> list[Any]:
    """The data types in which the extras are tried: the default ones and the narrowest."""
    narrow = sorted(exam.of_kind("f"), key=lambda dtype: dtype.itemsize)[:1]
    return list(dict.fromkeys([exam.real, *narrow, *([] if exam.complex is None else [exam.complex])]))


def _member(name: str) -> str:
    return f"kernel({name!r})"


def _check(exam: Examination, name: str, what: str, expected: HostArray, *args: Any, **keywords: Any) -> None:
    """One call: its values, its type, and that no operand has changed."""
    with exam.law(_member(name), _LAW[name]):
        before = [(x, exam.host(x)) for x in args if type(x) is exam.backend.array_type]
        result = exam.kernel(name)(*args, **keywords)
        expect(type(result) is exam.backend.array_type, f"{what} is a {type(result)!r}")
        agree(exam.host(result), expected, what, units=4)
        for operand, values in before:
            agree(exam.host(operand), values, f"an operand of {name} after {what}")


def _like(exam: Examination, shape: tuple[int, ...], dtype: Any) -> Description:
    return Description(shape, dtype, exam.device)


def _values(dtype: Any, *shape: int) -> HostArray:
    values = np.arange(1.0, prod(shape) + 1).reshape(shape)
    return (values - 1j * values if np.dtype(dtype).kind == "c" else values).astype(dtype)


def _keys() -> Iterator[tuple[str, Any]]:
    """Keys for an array of shape (3, 4), with arrays as NumPy's."""
    yield "...", ...
    yield "()", ()
    yield "1", 1
    yield "-1", -1
    yield "(2, 3)", (2, 3)
    yield "1:", slice(1, None)
    yield "1:9 (past the end)", slice(1, 9)
    yield "(::-1, ::2)", (slice(None, None, -1), slice(None, None, 2))
    yield "(..., 1)", (..., 1)
    yield "(None, 0, ...)", (None, 0, ...)
    yield "nothing", slice(3, 3)
    yield "[0, 2, 0, 0]", np.array([0, 2, 0, 0])
    yield "[-1, 0]", np.array([-1, 0])
    yield "([0, 0, 1], [1, 1, -1])", (np.array([0, 0, 1]), np.array([1, 1, -1]))
    yield "(:, [1, 1, 0])", (slice(None), np.array([1, 1, 0]))
    yield "(1, [1, 1])", (1, np.array([1, 1]))
    yield "([[0], [0]], [1, 2])", (np.array([[0], [0]]), np.array([1, 2]))
    yield "a 0-d integer array", (np.array(1), slice(None))
    yield "no integers", np.zeros(0, np.int64)
    yield "a mask", np.arange(12).reshape(3, 4) % 3 == 0
    yield "a mask of rows", np.array([True, False, True])
    yield "a mask of nothing", np.zeros((3, 4), bool)
    yield "(:, a mask)", (slice(None), np.array([True, False, True, True]))


def _indexing(exam: Examination, dtype: Any) -> None:
    """`getitem`."""
    x = _values(dtype, 3, 4)
    for name, key in _keys():
        _check(exam, "getitem", f"x[{name}]", np.asarray(x[key]), exam.raw(x), key=raw_key(exam, key))


def _shapes(exam: Examination, dtype: Any) -> None:
    """`spread`, `zeros_for`, `numbers` and `settle`."""
    for shape, wide in (((), (2, 3)), ((3,), (2, 3)), ((2, 1), (2, 3)), ((), ()), ((1, 3), (0, 3)), ((), (80, 90))):
        g, like = _values(dtype, *shape), _like(exam, wide, dtype)
        spread = np.broadcast_to(g, wide)
        _check(exam, "spread", f"spread of {shape} to {wide}", spread, exam.raw(g), like=like)
        zeros = np.zeros(wide, dtype)
        _check(exam, "zeros_for", f"zeros_for {wide}", zeros, exam.raw(g), like=like)
        with exam.law(_member("numbers"), _LAW["numbers"]):
            found = exam.host(exam.kernel("numbers")(like=like))
            expect(found.dtype.kind in "iu", f"numbers of {wide} are {found.dtype}")
            agree(found, np.arange(prod(wide)).reshape(wide).astype(found.dtype), f"numbers of {wide}")
    x = _values(dtype, 2, 3)
    x[0, 0] = np.nan
    bad = np.isnan(x)
    settled = np.where(bad, 0, x)
    _check(exam, "settle", "settle", settled, exam.raw(x), exam.raw(bad), exam.raw(bad))


def _scattering(exam: Examination, dtype: Any) -> None:
    """`scatter` and `scatter_along_axis`."""
    like = _like(exam, (3, 4), dtype)
    for name, key in _keys():
        g = _values(dtype, *np.zeros((3, 4))[key].shape)
        expected = np.zeros((3, 4), dtype)
        np.add.at(expected, key, g)
        what = f"scatter at {name}"
        _check(exam, "scatter", what, expected, exam.raw(g), like=like, key=raw_key(exam, key))
    many = np.arange(40) % 3
    g = _values(dtype, 40)
    expected = np.zeros(5, dtype)
    np.add.at(expected, many, g)
    what = "scatter of 40 elements to 3"
    _check(exam, "scatter", what, expected, exam.raw(g), like=_like(exam, (5,), dtype), key=raw_key(exam, many))
    cases: tuple[tuple[tuple[int, ...], Any, int], ...] = (
        ((2, 3), [[0, 2, 0], [1, 1, 1]], 1),
        ((2, 3), [[0, -1, -1, 2], [1, 1, 0, 0]], 1),
        ((3, 2), [[0, 2], [0, 0], [-1, 1]], 0),
        ((4,), [3, 3, 3], 0),
        ((3, 2), np.zeros((0, 2), int), 0),
        ((1, 3), [[0], [2]], 1),
    )
    for shape, numbers, axis in cases:
        indices = np.array(numbers, exam.index)
        out = tuple(
            picks if a == axis else int(np.broadcast_shapes((length,), (picks,))[0])
            for a, (length, picks) in enumerate(zip(shape, indices.shape, strict=True))
        )
        g = _values(dtype, *out)
        expected = np.zeros(shape, dtype)
        key = [
            np.broadcast_to(indices, out) if a == axis else np.indices(out)[a] * (shape[a] != 1)
            for a in range(len(shape))
        ]
        np.add.at(expected, tuple(key), g)
        what = f"scatter_along_axis at {numbers} along {axis}"
        like = _like(exam, shape, dtype)
        _check(exam, "scatter_along_axis", what, expected, exam.raw(g), exam.raw(indices), like=like, axis=axis)


#: The operations of a path on NumPy's arrays; `reshape` may copy there too, which row-major numbers do not mind.
_ON_NUMPY: dict[str, Callable[..., Any]] = {
    "getitem": lambda x, *, key: x[key],
    "reshape": lambda x, *, shape: x.reshape(shape),
    "permute_dims": lambda x, *, axes: x.transpose(axes),
    "matrix_transpose": lambda x: x.swapaxes(-1, -2),
    "flip": lambda x, *, axis: np.flip(x, axis),
    "expand_dims": lambda x, *, axis: np.expand_dims(x, axis),
    "squeeze": lambda x, *, axis: np.squeeze(x, axis),
}

_Path = tuple[tuple[Callable[..., Any], dict[str, Any]], ...]


def _paths() -> Iterator[tuple[str, _Path]]:
    """Chains of view operations from an array of shape (3, 4)."""
    getitem, reshape, permute = _extras.getitem, manipulation.reshape, manipulation.permute_dims
    transpose = linear_algebra.matrix_transpose
    yield "x", ()
    yield "x[1:, ::2]", ((getitem, {"key": (slice(1, None), slice(None, None, 2))}),)
    yield "permute_dims(x)", ((permute, {"axes": (1, 0)}),)
    yield "reshape(x, (2, 6))[::-1]", ((reshape, {"shape": (2, 6)}), (getitem, {"key": slice(None, None, -1)}))
    yield "reshape(matrix_transpose(x), (6, 2))", ((transpose, {}), (reshape, {"shape": (6, 2)}))
    yield "reshape(x[:, 1:3], (-1,))", ((getitem, {"key": (slice(None), slice(1, 3))}), (reshape, {"shape": (-1,)}))
    yield (
        "flip(expand_dims(permute_dims(x), 0), 1)[0]",
        (
            (permute, {"axes": (1, 0)}),
            (manipulation.expand_dims, {"axis": 0}),
            (manipulation.flip, {"axis": 1}),
            (getitem, {"key": (0, ...)}),
        ),
    )
    yield (
        "squeeze(reshape(permute_dims(x), (1, 12)), 0)",
        ((permute, {"axes": (1, 0)}), (reshape, {"shape": (1, 12)}), (manipulation.squeeze, {"axis": (0,)})),
    )


def _region(x: HostArray, path: _Path, key: Any) -> HostArray:
    for operation, parameters in path:
        x = _ON_NUMPY[operation.__name__](x, **parameters)
    return np.asarray(x[key])


def _assigning(exam: Examination, dtype: Any) -> None:
    """`assign`, `written` and `unwritten`, through paths of views."""
    x = _values(dtype, 3, 4)
    numbers = np.arange(12).reshape(3, 4)
    keys: list[tuple[str, Any]] = [
        ("...", ...),
        ("-1", -1),
        ("1:", slice(1, None)),
        ("nothing", slice(0, 0)),
        ("[1, 0]", np.array([1, 0])),
        ("a mask", None),
    ]
    for path_name, path in _paths():
        for key_name, key in keys:
            if key is None:
                key = _region(numbers, path, ...) % 2 == 0
            picked = _region(numbers, path, key)
            where = f"{path_name}, at {key_name}"
            raw = raw_key(exam, key)
            value = -_values(dtype, *picked.shape)
            expected = x.copy()
            expected.reshape(-1)[picked.reshape(-1)] = value.reshape(-1)
            what = f"assign through {where}"
            _check(exam, "assign", what, expected, exam.raw(x), exam.raw(value), path=path, key=raw)
            expected = x.copy()
            expected.reshape(-1)[picked.reshape(-1)] = 0
            _check(exam, "assign", f"{what}, of 0", expected, exam.raw(x), 0, path=path, key=raw)
            overwritten = x.reshape(-1)[picked.reshape(-1)].reshape(picked.shape)
            _check(exam, "written", f"written through {where}", overwritten, exam.raw(x), path=path, key=raw)
            expected = np.zeros_like(x)
            expected.reshape(-1)[picked.reshape(-1)] = value.reshape(-1)
            what = f"unwritten through {where}"
            like = _like(exam, x.shape, dtype)
            _check(exam, "unwritten", what, expected, exam.raw(value), like=like, path=path, key=raw)
    for path_name, path in list(_paths())[:3]:
        _repeated(exam, path_name, path, dtype)


def _repeated(exam: Examination, path_name: str, path: _Path, dtype: Any) -> None:
    """Elements that are written several times: which of the values stays is the library's to choose, once for all."""
    key = np.array([0, 1, 0, 0])
    x = _values(dtype, 3, 4)
    picked = _region(np.arange(12).reshape(3, 4), path, key)
    order = np.arange(1, picked.size + 1).reshape(picked.shape).astype(dtype)
    raw = raw_key(exam, key)
    zeros = np.zeros_like(x)
    stayed = np.zeros(picked.shape, bool)
    with exam.law(_member("assign"), _LAW["assign"]):
        found = exam.host(exam.kernel("assign")(exam.raw(zeros), exam.raw(order), path=path, key=raw))
        stayed = found.reshape(-1)[picked] == order
        count = len(np.unique(picked))
        text = f"after assign through {path_name} at [0, 1, 0, 0], {np.sum(stayed)} of the values are there"
        expect(np.sum(stayed) == count, f"{text}, expected {count}")
    expected = np.where(stayed, x.reshape(-1)[picked], 0)
    what = f"written through {path_name}, at [0, 1, 0, 0]"
    _check(exam, "written", what, expected, exam.raw(x), path=path, key=raw)
    with exam.law(_member("unwritten"), "the transpose of written, for elements written several times too"):
        g = _values(dtype, *picked.shape)
        like = _like(exam, x.shape, dtype)
        back = exam.host(exam.kernel("unwritten")(exam.raw(g), like=like, path=path, key=raw))
        # <written(x), g> == <x, unwritten(g)>
        first, second = np.sum(expected * g), np.sum(x * back)
        text = f"through {path_name} at [0, 1, 0, 0] the inner products are {first} and {second}"
        expect(np.isclose(first, second), text)


def _components(exam: Examination, dtype: Any) -> None:
    """`real_part` and `imag_part`, and writes through them."""
    if np.dtype(dtype).kind != "c":
        return
    x, key = _values(dtype, 3, 4), np.array([2, 0])
    raw = raw_key(exam, key)
    for operation, part in ((_extras.real_part, np.real), (_extras.imag_part, np.imag)):
        name = operation.__name__
        path: _Path = ((operation, {}), (manipulation.permute_dims, {"axes": (1, 0)}))
        _check(exam, name, name, part(x).copy(), exam.raw(x))
        value = -part(_values(dtype, 2, 3))
        expected = x.copy()
        part(expected).T[key] = value
        what = f"through {name} and permute_dims"
        _check(exam, "assign", f"assign {what}", expected, exam.raw(x), exam.raw(value), path=path, key=raw)
        overwritten = part(x).T[key]
        _check(exam, "written", f"written {what}", overwritten, exam.raw(x), path=path, key=raw)
        expected = np.zeros_like(x)
        part(expected).T[key] = value
        like = _like(exam, x.shape, dtype)
        _check(exam, "unwritten", f"unwritten {what}", expected, exam.raw(value), like=like, path=path, key=raw)


def _moving(exam: Examination, dtype: Any) -> None:
    """`move`, within the backend and to and from NumPy."""
    backend = exam.backend
    x = _values(dtype, 2, 3)
    host = cpu()
    with exam.law(_member("move"), _LAW["move"]):
        away = exam.kernel("move")(exam.raw(x), like=_like(exam, x.shape, dtype))
        agree(exam.host(away), x, "move to the same device")
        expect(backend.place_of(away) == exam.place, f"it lies at {backend.place_of(away)!r}")
    with exam.law(_member("move"), _LAW["move"]):
        there = backend.kernel("move")(exam.raw(x), like=Description(x.shape, dtype, host))
        expect(type(there) is host.array_type, f"moved to {host} it is a {type(there)!r}")
        agree(np.array(there), x, f"move to {host}")
    with exam.law(_member("move"), _LAW["move"]):
        mine = host.backend.from_numpy(x.copy(), ("cpu", None), copy=True)
        here = host.backend.kernel("move")(mine, like=_like(exam, x.shape, dtype))
        expect(type(here) is backend.array_type, f"moved from {host} it is a {type(here)!r}")
        expect(backend.place_of(here) == exam.place, f"moved from {host} it lies at {backend.place_of(here)!r}")
        agree(exam.host(here), x, f"move from {host}")
        if backend is not host.backend and exam.writable(here):
            backend.write(here, ..., 0)
            agree(np.array(mine), x, f"the array on {host} after a write into what was moved from there")


def _in_every_dtype(check: Callable[[Examination, Any], None]) -> Callable[[Examination], None]:
    def law(exam: Examination) -> None:
        for dtype in _dtypes(exam):
            check(exam, dtype)

    law.__name__ = check.__name__.removeprefix("_")
    return law


LAWS = tuple(_in_every_dtype(check) for check in (_indexing, _shapes, _scattering, _assigning, _components, _moving))
