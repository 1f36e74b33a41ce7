"""Values, dtypes and shapes of the creation and data type functions, and of the inspection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import _spec
from ._arrays import HERE, array, ga, host, plain, strict, to_strict
from ._cases import Cases, covers, quick
from ._draw import Call, Draw, call, dtypes_of

CASES = Cases("main")


@CASES.case("zeros", "ones")
def filled(d: Draw) -> Call:
    shape: Any = d.shape()
    if len(shape) == 1 and d.flag():
        shape = shape[0]
    return call(shape, device=HERE, **d.some(dtype=d.pick(None, d.dtype("all"))))


def _same_frame(found: Any, drawn: Call) -> None:
    """`empty` promises nothing about values."""
    if isinstance(drawn.args[0], np.ndarray):
        shape, dtype = drawn.args[0].shape, drawn.kwargs.get("dtype") or drawn.args[0].dtype
    else:
        shape, dtype = drawn.args[0], drawn.kwargs.get("dtype") or np.dtype("float64")
    assert (found.shape, found.dtype) == (shape if isinstance(shape, tuple) else (shape,), dtype)


CASES.case("empty", check=_same_frame)(filled)


@CASES.case("zeros_like", "ones_like")
def filled_like(d: Draw) -> Call:
    return call(d.array("all"), **d.some(dtype=d.pick(None, d.dtype("all")), device=d.pick(None, HERE)))


CASES.case("empty_like", check=_same_frame)(filled_like)


@CASES.case("full")
def full(d: Draw) -> Call:
    dtype = d.dtype("all")
    return call(d.shape(), d.scalar(dtype), device=HERE, **d.some(dtype=dtype))


@CASES.case("full_like", reference=lambda x, fill_value, dtype=None, device=None: np.full_like(x, fill_value, dtype))
def full_like(d: Draw) -> Call:
    # dtype is left out only where the array's own dtype can hold the value.
    if d.rarely():
        x = d.array("all")
        return call(x, d.scalar(x.dtype), **d.some(device=d.pick(None, HERE)))
    dtype = d.dtype("all")
    return call(d.array("all"), d.scalar(dtype), dtype=dtype, **d.some(device=d.pick(None, HERE)))


@CASES.case("arange")
def arange(d: Draw) -> Call:
    unit = d.pick(1, 1, 0.25)
    start, stop = d.integer(-8, 8) * unit, d.integer(-8, 16) * unit
    step = d.pick(1, 2, 3, -1, -2) * unit
    dtype = d.pick(None, d.dtype("real floating" if unit != 1 else "signed+real floating"))
    kwargs = d.some(dtype=dtype)
    if d.flag():
        return call(start, stop, step, device=HERE, **kwargs)
    if d.flag():
        return call(start, device=HERE, **kwargs, **d.some(stop=stop))
    return call(start, stop=stop, step=step, device=HERE, **kwargs)


@CASES.case("linspace", tolerance=8, absolute=16)
def linspace(d: Draw) -> Call:
    start, stop = d.pick(0, -2, 1.5, -0.75, 4), d.pick(3, 0.5, -1, 10.0)
    kwargs = d.some(dtype=d.pick(None, d.dtype("real floating")), endpoint=d.flag())
    return call(start, stop, d.integer(0, 9), device=HERE, **kwargs)


@CASES.case("eye")
def eye(d: Draw) -> Call:
    kwargs = d.some(k=d.integer(-3, 3), dtype=d.pick(None, d.dtype("numeric")))
    return call(d.side(), *d.pick((), (d.side(),), (None,)), device=HERE, **kwargs)


@CASES.case("tril", "triu")
def triangle(d: Draw) -> Call:
    return call(d.array("all", 2, 4, low=1), **d.some(k=d.integer(-3, 3)))


@CASES.case("meshgrid")
def meshgrid(d: Draw) -> Call:
    dtype = d.dtype("numeric")
    arrays = [d.values(dtype, (d.side(),)) for _ in range(d.integer(1, 4))]
    return call(*arrays, **d.some(indexing=d.pick("xy", "ij")))


def _as_numpy(obj: Any, dtype: Any = None, device: Any = None, copy: Any = None) -> Any:
    return np.asarray(obj, dtype=dtype)


@CASES.case("asarray", reference=_as_numpy)
def asarray(d: Draw) -> Call:
    values = d.array("all")
    kinds = {"b": "all", "i": "signed", "u": "unsigned", "f": "floating", "c": "complex floating"}
    if d.flag():
        wider = [other for other in dtypes_of(kinds[values.dtype.kind]) if np.can_cast(values.dtype, other)]
        dtype = d.pick(None, *wider)
        copy = d.pick(None, True, False if dtype is None or dtype == values.dtype else None)
        return call(values, **d.some(dtype=dtype, copy=copy, device=d.pick(None, HERE)))
    default = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}[values.dtype.kind]
    dtype = d.pick(None, *dtypes_of(kinds[values.dtype.kind]))
    nested = values.tolist()
    if values.size == 0:
        dtype = np.dtype(default)
    return call(nested, device=HERE, dtype=dtype, **d.some(copy=d.pick(None, True)))


def _cast(x: Any, dtype: Any, *, copy: bool = True, device: Any = None) -> Any:
    return x.astype(dtype)


@CASES.case("astype", reference=_cast)
def astype(d: Draw) -> Call:
    source, target = d.dtype("all"), d.dtype("all")
    if source.kind == "c" and target.kind not in "cb":
        target = source
    x = d.values(source, d.shape(), low=0 if target.kind == "u" else -5)
    return call(x, target, **d.some(copy=d.flag(), device=d.pick(None, HERE)))


# --- answers about dtypes --------------------------------------------------------------------------------------------


@CASES.case("can_cast")
def can_cast(d: Draw) -> Call:
    source, target = d.promotable("all")
    return call(d.values(source, d.shape()) if d.flag() else source, target)


@CASES.case("isdtype")
def isdtype(d: Draw) -> Call:
    kinds = (*_spec.data()["isdtype_kinds"], d.dtype("all"), d.dtype("all"))
    several = tuple(d.pick(*kinds) for _ in range(d.integer(0, 3)))
    return call(d.dtype("all"), d.pick(d.pick(*kinds), several))


@CASES.case("result_type")
def result_type(d: Draw) -> Call:
    kind = d.pick("bool", "signed", "unsigned", "real floating", "complex floating")
    parts: list[Any] = []
    for _ in range(d.integer(1, 4)):
        dtype = d.dtype(kind)
        parts.append(d.pick(dtype, d.values(dtype, d.shape()), d.scalar(dtype)))
    parts.insert(d.integer(0, len(parts)), d.dtype(kind))
    return call(*parts)


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)


@pytest.mark.parametrize("wrapped", [False, True], ids=["dtype", "array"])
@pytest.mark.parametrize("dtype", dtypes_of("floating"), ids=str)
@covers("main.finfo")
def test_finfo(dtype: np.dtype[Any], wrapped: bool, device: str) -> None:
    found = ga.finfo(array(np.zeros(2, dtype), device) if wrapped else dtype)
    expected = strict.finfo(to_strict(dtype))
    for name in _spec.data()["objects"]["finfo_object"]:
        value = getattr(found, name)
        assert value == plain(getattr(expected, name)), name
        assert isinstance(value, {"bits": int, "dtype": np.dtype}.get(name, float)), name


@pytest.mark.parametrize("wrapped", [False, True], ids=["dtype", "array"])
@pytest.mark.parametrize("dtype", dtypes_of("integral"), ids=str)
@covers("main.iinfo")
def test_iinfo(dtype: np.dtype[Any], wrapped: bool, device: str) -> None:
    found = ga.iinfo(array(np.zeros(2, dtype), device) if wrapped else dtype)
    expected = strict.iinfo(to_strict(dtype))
    for name in _spec.data()["objects"]["iinfo_object"]:
        value = getattr(found, name)
        assert value == plain(getattr(expected, name)), name
        assert isinstance(value, np.dtype if name == "dtype" else int), name


@covers("main.from_dlpack")
@quick
@given(data=st.data())
def test_from_dlpack(device: str, data: Any) -> None:
    d = Draw(data.draw)
    values = d.array("all")
    found = ga.from_dlpack(values, **d.some(copy=d.pick(None, True)), device=device)
    assert found.device == device
    assert found.dtype == values.dtype
    assert np.array_equal(host(found), values)


# --- inspection ------------------------------------------------------------------------------------------------------


@covers("main.__array_namespace_info__")
def test_inspection_object_has_the_functions() -> None:
    info = ga.__array_namespace_info__()
    assert all(callable(getattr(info, entry["name"])) for entry in _spec.functions("info"))


@covers("info.capabilities")
def test_capabilities() -> None:
    found = ga.__array_namespace_info__().capabilities()
    assert sorted(found) == sorted(_spec.data()["info_capabilities_keys"])
    assert found["boolean indexing"] is True
    assert found["data-dependent shapes"] is True
    # The answer is for every device: it is right for the first of them.
    limit = found["max dimensions"]
    assert type(limit) is int
    assert ga.reshape(ga.zeros(1), (1,) * limit).ndim == limit
    with pytest.raises(ValueError):
        ga.reshape(ga.zeros(1), (1,) * (limit + 1))


@covers("info.default_device")
def test_default_device(device: str) -> None:
    info = ga.__array_namespace_info__()
    assert info.default_device() is ga.get_device("cpu")
    with ga.device(device):
        assert info.default_device() is ga.get_device(device)
        assert ga.zeros(1).device == device


@covers("info.devices")
def test_devices(device: str) -> None:
    found = ga.__array_namespace_info__().devices()
    assert isinstance(found, tuple)
    assert ga.get_device(device) in found
    assert all(ga.zeros(2, device=place, dtype=ga.float32).device is place for place in found)


@pytest.mark.parametrize("place", ["cpu", "strict:device1", "strict:device2", "strict:no_float64", "strict:no_x64"])
@covers("info.default_dtypes")
def test_default_dtypes(place: str) -> None:
    info = ga.__array_namespace_info__()
    narrow = place in ("strict:device2", "strict:no_float64", "strict:no_x64")
    integral = "int32" if place == "strict:no_x64" else "int64"
    expected = {
        "real floating": "float32" if narrow else "float64",
        "complex floating": "complex64" if narrow else "complex128",
        "integral": integral,
        "indexing": integral,
    }
    assert info.default_dtypes(device=place) == {kind: np.dtype(name) for kind, name in expected.items()}
    assert sorted(expected) == sorted(_spec.data()["info_default_dtypes_keys"])
    with ga.device(place):
        assert info.default_dtypes() == info.default_dtypes(device=place)
        assert ga.zeros(1).dtype == np.dtype(expected["real floating"])
        assert ga.arange(3).dtype == np.dtype(integral)
        assert ga.asarray(1j).dtype == np.dtype(expected["complex floating"])


@pytest.mark.parametrize("place", ["cpu", "strict:device1", "strict:no_float64", "strict:no_x64"])
@covers("info.dtypes")
def test_dtypes(place: str) -> None:
    info = ga.__array_namespace_info__()
    missing = {
        "strict:no_float64": {"float64", "complex128"},
        "strict:no_x64": {"float64", "complex128", "int64", "uint64"},
    }.get(place, set())
    there = {name for name in _spec.DTYPES if name not in missing}
    found = info.dtypes(device=place)
    assert set(found) & set(_spec.DTYPES) == there
    assert all(dtype == np.dtype(name) for name, dtype in found.items())
    with ga.device(place):
        assert info.dtypes() == found
    kinds = _spec.data()["isdtype_kinds"]
    for kind in [*kinds, "bool", ("signed integer", "complex floating"), ()]:
        chosen = info.dtypes(device=place, kind=kind)
        assert chosen == {name: dtype for name, dtype in found.items() if ga.isdtype(dtype, kind)}, kind
