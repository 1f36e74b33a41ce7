"""What the official suite never checks: Python's protocols, devices, memory, and the types of exceptions."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ._arrays import array, ga, host, plain
from ._cases import covers
from ._draw import dtypes_of

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


# --- attributes ------------------------------------------------------------------------------------------------------


@covers("array.dtype", "array.device", "array.shape", "array.ndim", "array.size")
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)], ids=str)
def test_attributes(shape: tuple[int, ...], device: str) -> None:
    for dtype in dtypes_of("all"):
        x = array(np.zeros(shape, dtype), device)
        assert (x.dtype, x.shape, x.ndim, x.size) == (dtype, shape, len(shape), int(np.prod(shape)))
        assert x.device is ga.get_device(device)
        assert isinstance(x.shape, tuple)
        assert all(type(length) is int for length in (*x.shape, x.ndim, x.size))


@covers("array.T", "array.mT")
def test_transposes(device: str) -> None:
    values = np.arange(24).reshape(2, 3, 4)
    x = array(values, device)
    assert np.array_equal(plain(x.mT, ga.get_device(device)), values.swapaxes(-1, -2))
    assert np.array_equal(plain(x[0, ...].T, ga.get_device(device)), values[0].T)
    assert np.array_equal(host(x[0, ...].mT), values[0].T)
    for bad in (x, x[0, 0, :], x[0, 0, 0]):
        with pytest.raises(ValueError):
            bad.T  # noqa: B018
    for bad in (x[0, 0, :], x[0, 0, 0]):
        with pytest.raises(ValueError):
            bad.mT  # noqa: B018


# --- Python's protocols ----------------------------------------------------------------------------------------------


@covers("array.__bool__")
def test_bool(device: str) -> None:
    for dtype in dtypes_of("all"):
        for value in (0, 1):
            assert bool(array(np.asarray(value, dtype), device)) is bool(value)
            assert bool(array(np.full((1, 1), value, dtype), device)) is bool(value)
    assert bool(array(np.asarray(np.nan), device)) is True
    for shape in ((2,), (0,), (2, 2)):
        with pytest.raises(ValueError):
            bool(array(np.ones(shape), device))


@covers("array.__int__")
def test_int(device: str) -> None:
    assert int(array(np.asarray(-7, "int8"), device)) == -7
    assert int(array(np.asarray(2**64 - 1, "uint64"), device)) == 2**64 - 1
    assert int(array(np.asarray(2.75), device)) == 2
    assert int(array(np.asarray(True), device)) == 1
    assert type(int(array(np.asarray(3), device))) is int
    with pytest.raises(ValueError):
        int(array(np.asarray(np.nan), device))
    with pytest.raises(OverflowError):
        int(array(np.asarray(np.inf), device))
    with pytest.raises(TypeError):
        int(array(np.asarray(1 + 2j), device))
    with pytest.raises(ValueError):
        int(array(np.ones(2), device))


@covers("array.__float__")
def test_float(device: str) -> None:
    assert float(array(np.asarray(-7, "int8"), device)) == -7.0
    assert float(array(np.asarray(2.75, "float32"), device)) == 2.75
    assert float(array(np.asarray(True), device)) == 1.0
    assert np.isnan(float(array(np.asarray(np.nan), device)))
    assert float(array(np.asarray(-np.inf), device)) == -np.inf
    assert type(float(array(np.asarray(3), device))) is float
    with pytest.raises(TypeError):
        float(array(np.asarray(1 + 2j), device))
    with pytest.raises(ValueError):
        float(array(np.ones(2), device))


@covers("array.__complex__")
def test_complex(device: str) -> None:
    assert complex(array(np.asarray(1 + 2j, "complex64"), device)) == 1 + 2j
    assert complex(array(np.asarray(2.75), device)) == 2.75 + 0j
    assert complex(array(np.asarray(-3), device)) == -3 + 0j
    assert complex(array(np.asarray(True), device)) == 1 + 0j
    assert type(complex(array(np.asarray(3), device))) is complex
    with pytest.raises(ValueError):
        complex(array(np.ones(2), device))


@covers("array.__index__")
def test_index(device: str) -> None:
    for dtype in dtypes_of("integral"):
        x = array(np.asarray(2, dtype), device)
        assert operator.index(x) == 2
        assert type(operator.index(x)) is int
        assert [5, 6, 7][x] == 7
        assert list(range(x)) == [0, 1]
    for value in (2.0, True, 1j):
        with pytest.raises(TypeError):
            operator.index(array(np.asarray(value), device))
    with pytest.raises((TypeError, ValueError)):
        operator.index(array(np.asarray([1, 2]), device))


def test_len_and_iter(device: str) -> None:
    values = np.arange(6).reshape(3, 2)
    x = array(values, device)
    assert len(x) == 3
    assert len(array(np.zeros((0, 2)), device)) == 0
    assert [host(row).tolist() for row in x] == values.tolist()
    assert [int(element) for element in x[0, :]] == [0, 1]
    assert all(type(element) is ga.Array and element.shape == () for element in x[0, :])
    scalar = array(np.asarray(1.0), device)
    with pytest.raises(TypeError):
        len(scalar)
    with pytest.raises(TypeError):
        iter(scalar)
    assert 4 in x
    assert 9 not in x


@covers("array.__array_namespace__")
def test_array_namespace(device: str) -> None:
    x = array(np.ones(2), device)
    assert x.__array_namespace__() is ga
    assert x.__array_namespace__(api_version=None) is ga
    for version in VERSIONS:
        assert x.__array_namespace__(api_version=version) is ga
    unknown: tuple[Any, ...] = ("2020.12", "2026.12", "", "latest", "2025.1", 2025.12)
    for version in unknown:
        with pytest.raises(ValueError):
            x.__array_namespace__(api_version=version)


# --- devices ---------------------------------------------------------------------------------------------------------

_THERE: dict[str, Any] = {
    "zeros": lambda device: ga.zeros((2,), device=device),
    "ones": lambda device: ga.ones((2,), device=device),
    "empty": lambda device: ga.empty((2,), device=device),
    "full": lambda device: ga.full((2,), 3.0, device=device),
    "eye": lambda device: ga.eye(2, device=device),
    "arange": lambda device: ga.arange(2, device=device),
    "linspace": lambda device: ga.linspace(0, 1, 2, device=device),
    "asarray": lambda device: ga.asarray([1.0, 2.0], device=device),
    "fft.fftfreq": lambda device: ga.fft.fftfreq(2, device=device),
    "fft.rfftfreq": lambda device: ga.fft.rfftfreq(2, device=device),
    "from_dlpack": lambda device: ga.from_dlpack(np.asarray([1.0, 2.0]), device=device),
}
_ELSEWHERE: dict[str, Any] = {
    "zeros_like": lambda x, device: ga.zeros_like(x, device=device),
    "ones_like": lambda x, device: ga.ones_like(x, device=device),
    "empty_like": lambda x, device: ga.empty_like(x, device=device),
    "full_like": lambda x, device: ga.full_like(x, 3.0, device=device),
    "asarray": lambda x, device: ga.asarray(x, device=device),
    "astype": lambda x, device: ga.astype(x, ga.float32, device=device),
    "from_dlpack": lambda x, device: ga.from_dlpack(x, device=device),
}


def _covered(names: Any) -> list[Any]:
    return [pytest.param(name, marks=covers(name if "." in name else f"main.{name}")) for name in names]


@pytest.mark.parametrize("name", _covered(_THERE))
def test_device_keyword_of_creation(name: str, device: str) -> None:
    make = _THERE[name]
    place = ga.get_device(device)
    assert make(device).device is place
    assert make(place).device is place
    assert make(None).device is ga.get_device("cpu")
    if name != "from_dlpack":
        with ga.device(device):
            assert make(None).device is place
            assert make("cpu").device is ga.get_device("cpu")
    with pytest.raises(ValueError):
        make("no such device")


@pytest.mark.parametrize("name", _covered(_ELSEWHERE))
def test_device_keyword_of_functions_of_an_array(name: str, device: str) -> None:
    for source in ("cpu", "strict:device2", device):
        x = array(np.asarray([1.0, 2.0]), source)
        assert _ELSEWHERE[name](x, device).device is ga.get_device(device)
        assert _ELSEWHERE[name](x, None).device is ga.get_device(source)
        with ga.device("strict:cpu"):
            assert _ELSEWHERE[name](x, None).device is ga.get_device(source), "the inputs' device takes precedence"


@covers("array.to_device")
def test_to_device(device: str) -> None:
    for dtype in dtypes_of("all"):
        values = np.asarray([[0, 1, 2]]).astype(dtype)
        x = array(values, "cpu")
        there = x.to_device(device)
        assert there.device is ga.get_device(device)
        assert there.dtype == dtype
        assert np.array_equal(host(there), values)
        assert np.array_equal(host(there.to_device("strict:device2").to_device(ga.get_device("cpu"))), values)
    assert there.to_device(device) is there
    assert there.to_device(there.device, stream=None) is there
    with pytest.raises(ValueError):
        there.to_device(device, stream=object())
    with pytest.raises(ValueError):
        there.to_device("nowhere")


# --- memory ----------------------------------------------------------------------------------------------------------


def _writes_show(target: Any, source: Any) -> bool:
    """Whether a write into one array is seen in the other."""
    before = host(source).ravel()[0]
    target[(0,) * target.ndim] = 77
    return bool(host(source).ravel()[0] != before)


@covers("main.astype")
def test_astype_copy(device: str) -> None:
    x = array(np.asarray([1.0, 2.0]), device)
    assert ga.astype(x, ga.float64, copy=False) is x
    for result in (ga.astype(x, ga.float64), ga.astype(x, ga.float64, copy=True), ga.astype(x, ga.float32, copy=False)):
        assert result is not x
        assert not _writes_show(result, x)


@covers("main.asarray")
def test_asarray_copy(device: str) -> None:
    x = array(np.asarray([1.0, 2.0]), device)
    for copy in (None, False):
        assert ga.asarray(x, copy=copy) is x
        assert _writes_show(ga.asarray(array(np.ones(2), device), copy=copy), ga.zeros(1)) is False
    assert not _writes_show(ga.asarray(x, copy=True), x)
    assert not _writes_show(ga.asarray(x, dtype=ga.float32), x)
    with pytest.raises(ValueError):
        ga.asarray(x, dtype=ga.float32, copy=False)
    with pytest.raises(ValueError):
        ga.asarray(x, device="strict:device2", copy=False)
    with pytest.raises(ValueError):
        ga.asarray([1.0], device=device, copy=False)


@covers("main.asarray")
def test_asarray_shares_the_memory_of_numpy() -> None:
    values = np.asarray([1.0, 2.0])
    for copy in (None, False):
        shared = ga.asarray(values, copy=copy)
        values[0] = 5.0
        assert float(shared[0]) == 5.0
        shared[0] = 1.0
        assert values[0] == 1.0
    copied = ga.asarray(values, copy=True)
    copied[0] = 9.0
    assert values[0] == 1.0


@covers("main.reshape")
def test_reshape_copy(device: str) -> None:
    def fresh() -> Any:
        return array(np.arange(6.0).reshape(2, 3), device)

    x = fresh()
    assert not _writes_show(ga.reshape(x, (3, 2), copy=True), x)
    assert not _writes_show(ga.reshape(x, (2, 3), copy=True), x)
    for copy in (None, False):
        x = fresh()
        assert _writes_show(ga.reshape(x, (6,), copy=copy), x)
    turned = ga.permute_dims(fresh(), (1, 0))
    assert host(ga.reshape(turned, (6,))).tolist() == [0, 3, 1, 4, 2, 5]
    with pytest.raises(ValueError):
        ga.reshape(turned, (6,), copy=False)


class _Recorder(dict[Any, Any]):
    """Kernels of a device that note the parameters they are called with."""

    def __init__(self, kernels: Any) -> None:
        super().__init__()
        self.kernels = kernels
        self.calls: list[dict[str, Any]] = []

    def __missing__(self, operation: Any) -> Any:
        def kernel(*args: Any, **parameters: Any) -> Any:
            self.calls.append(parameters)
            return self.kernels[operation](*args, **parameters)

        return kernel


@contextlib.contextmanager
def _recording(device: str) -> Iterator[list[dict[str, Any]]]:
    place = ga.get_device(device)
    kernels = place.kernels
    recorder: Any = _Recorder(kernels)
    place.kernels = recorder
    try:
        yield recorder.calls
    finally:
        place.kernels = kernels


@pytest.mark.parametrize("name", _covered(["sort", "argsort"]))
def test_stable_reaches_the_library(name: str, device: str) -> None:
    """An unstable order may be the stable one: that ``stable=False`` is not ignored can only be seen inside."""
    x = array(np.asarray([3.0, 1.0, 2.0]), device)
    for stable in (False, True):
        with _recording(device) as calls:
            getattr(ga, name)(x, stable=stable)
        assert [parameters["stable"] for parameters in calls if "stable" in parameters] == [stable]


# --- exceptions ------------------------------------------------------------------------------------------------------

_REFUSED: dict[str, tuple[type[Exception], Any]] = {
    "reshape: other size": (ValueError, lambda x: ga.reshape(x, (4, 2))),
    "reshape: -1 that does not divide": (ValueError, lambda x: ga.reshape(x, (4, -1))),
    "reshape: two -1": (ValueError, lambda x: ga.reshape(x, (-1, -1))),
    "reshape: -2": (ValueError, lambda x: ga.reshape(x, (-2, 3))),
    "reshape: float": (TypeError, lambda x: ga.reshape(x, (6.0,))),
    "concat: nothing": (ValueError, lambda x: ga.concat([])),
    "concat: other lengths": (ValueError, lambda x: ga.concat([x, x[:, :2]], axis=0)),
    "concat: other number of axes": (ValueError, lambda x: ga.concat([x, x[0, :]], axis=0)),
    "concat: no such axis": (IndexError, lambda x: ga.concat([x, x], axis=2)),
    "concat: 0-d": (ValueError, lambda x: ga.concat([x[0, 0], x[0, 0]])),
    "concat: numbers": (TypeError, lambda x: ga.concat([1.0, 2.0])),
    "stack: nothing": (ValueError, lambda x: ga.stack([])),
    "stack: other shapes": (ValueError, lambda x: ga.stack([x, x[:, :2]])),
    "stack: no such axis": (IndexError, lambda x: ga.stack([x, x], axis=3)),
    "broadcast_to: other length": (ValueError, lambda x: ga.broadcast_to(x, (2, 4))),
    "broadcast_to: fewer axes": (ValueError, lambda x: ga.broadcast_to(x, (3,))),
    "broadcast_to: negative": (ValueError, lambda x: ga.broadcast_to(x, (-2, 3))),
    "broadcast_arrays": (ValueError, lambda x: ga.broadcast_arrays(x, ga.zeros(4, device=x.device))),
    "broadcast_shapes": (ValueError, lambda x: ga.broadcast_shapes((2,), (3,))),
    "take: index too large": (IndexError, lambda x: ga.take(x, ga.asarray([3], device=x.device), axis=1)),
    "take: index too small": (IndexError, lambda x: ga.take(x, ga.asarray([-4], device=x.device), axis=1)),
    "take: no such axis": (IndexError, lambda x: ga.take(x, ga.asarray([0], device=x.device), axis=2)),
    "take: float indices": (TypeError, lambda x: ga.take(x, ga.asarray([0.0], device=x.device), axis=0)),
    "take: axis missing": (ValueError, lambda x: ga.take(x, ga.asarray([0], device=x.device))),
    "squeeze": (ValueError, lambda x: ga.squeeze(x, 0)),
    "permute_dims: missing axis": (ValueError, lambda x: ga.permute_dims(x, (0,))),
    "permute_dims: repeated axis": (ValueError, lambda x: ga.permute_dims(x, (0, 0))),
    "expand_dims: no such axis": (IndexError, lambda x: ga.expand_dims(x, 4)),
    "sum: no such axis": (IndexError, lambda x: ga.sum(x, axis=2)),
    "max: empty": (ValueError, lambda x: ga.max(x[:, 3:])),
    "argmin: empty": (ValueError, lambda x: ga.argmin(x[:, 3:])),
    "astype: complex to real": (TypeError, lambda x: ga.astype(x * 1j, ga.float64)),
    "matmul: other lengths": (ValueError, lambda x: ga.matmul(x, x)),
    "matmul: 0-d": (ValueError, lambda x: ga.matmul(x, x[0, 0])),
    "meshgrid: indexing": (ValueError, lambda x: ga.meshgrid(x[0, :], indexing="ik")),
    "searchsorted: side": (ValueError, lambda x: ga.searchsorted(x[0, :], x, side="middle")),
    "isdtype: no such kind": ((TypeError, ValueError), lambda x: ga.isdtype(ga.float32, "float")),  # type: ignore[dict-item]
    "add: shapes": (ValueError, lambda x: x + ga.zeros((4,), device=x.device)),
    "inv: singular": (ValueError, lambda x: ga.linalg.inv(ga.zeros((2, 2), device=x.device))),
    "cholesky: negative": (ValueError, lambda x: ga.linalg.cholesky(-ga.eye(2, device=x.device))),
    "fft: norm": (ValueError, lambda x: ga.fft.fft(x * 1j, norm="none")),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_exception_types(name: str, device: str) -> None:
    error, function = _REFUSED[name]
    values = np.arange(6.0).reshape(2, 3)
    x = array(values, device)
    with pytest.raises(error) as caught:
        function(x)
    assert isinstance(caught.value, ga.GradarrayError), "not one of gradarray's own exceptions"
    assert np.array_equal(host(x), values)
