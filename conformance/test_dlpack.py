"""DLPack: exchange with other libraries, without copies where the memory allows; proven by addresses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ._arrays import array, ga, host
from ._cases import covers
from ._draw import dtypes_of


def _address(values: np.ndarray[Any, Any]) -> int:
    address: int = values.__array_interface__["data"][0]
    return address


def _samples() -> list[np.ndarray[Any, Any]]:
    samples = [np.arange(6).reshape(2, 3).astype(dtype) for dtype in dtypes_of("all")]
    base = np.arange(24.0).reshape(4, 6)
    return [*samples, base[1:, ::2], base.T, base[::-1, ::-1], np.asarray(3.0), np.zeros((0, 3))]


@pytest.mark.parametrize("values", _samples(), ids=lambda values: f"{values.dtype}{values.shape}{values.strides}")
@covers("array.__dlpack__", "main.from_dlpack")
def test_numpy_both_ways_without_a_copy(values: np.ndarray[Any, Any]) -> None:
    x = ga.from_dlpack(values)
    assert (x.dtype, x.shape, x.device) == (values.dtype, values.shape, ga.get_device("cpu"))
    assert _address(x.numpy()) == _address(values)
    back = np.from_dlpack(x)
    assert back.dtype == values.dtype
    assert np.array_equal(back, values)
    # An array with a negative stride may be copied on the way out: torch ends the process when it meets one.
    if min(values.strides, default=0) >= 0:
        assert _address(back) == _address(values)
        assert back.strides == values.strides or values.size == 0
    assert np.array_equal(host(x), values)
    if values.ndim and values.size:
        values[(0,) * values.ndim] = 1
        assert np.array_equal(host(x), values), "a write by the owner is not seen"


@covers("array.__dlpack__", "main.from_dlpack")
def test_export_to_numpy(device: str) -> None:
    values = np.arange(6.0).reshape(2, 3)
    x = array(values, device)
    assert np.array_equal(np.from_dlpack(x), values)
    copied = np.from_dlpack(x, copy=True)
    assert _address(copied) != _address(np.from_dlpack(x))
    assert np.array_equal(copied, values)
    assert _address(np.from_dlpack(x, copy=False)) == _address(np.from_dlpack(x))


@covers("array.__dlpack__", "main.from_dlpack")
def test_torch_both_ways_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    for name in ("bool", "int8", "int64", "uint8", "float32", "float64", "complex64", "complex128"):
        tensor = torch.ones((2, 3), dtype=getattr(torch, name))
        x = ga.from_dlpack(tensor)
        assert x.dtype == np.dtype(name)
        assert _address(x.numpy()) == tensor.data_ptr()
        assert torch.from_dlpack(x).data_ptr() == tensor.data_ptr()
        assert np.array_equal(host(x), tensor.numpy())
    x = array(np.arange(6.0))
    assert torch.from_dlpack(x[::2]).data_ptr() == _address(x.numpy())


def test_negative_strides_do_not_reach_torch() -> None:
    """torch ends the process when it meets a negative stride: it has to be an exception, or a copy."""
    torch = pytest.importorskip("torch")
    x = array(np.arange(6.0))[::-1]
    try:
        tensor = torch.from_dlpack(x)
    except BufferError:
        return
    assert tensor.tolist() == [5, 4, 3, 2, 1, 0]


@covers("main.from_dlpack")
def test_copy_keyword() -> None:
    values = np.arange(3.0)
    for copy in (None, False):
        shared = ga.from_dlpack(values, copy=copy)
        assert _address(shared.numpy()) == _address(values)
    copied = ga.from_dlpack(values, copy=True)
    assert _address(copied.numpy()) != _address(values)
    copied[0] = 9.0
    assert values[0] == 0.0


@covers("main.from_dlpack")
def test_copy_keyword_across_devices(device: str) -> None:
    values = np.arange(3.0)
    if device != "cpu":
        with pytest.raises((BufferError, ValueError)):
            ga.from_dlpack(values, device=device, copy=False)
    for source in ("cpu", device):
        x = array(values, source)
        copied = ga.from_dlpack(x, copy=True)
        assert copied.device is x.device
        copied[0] = 9.0
        assert host(x).tolist() == values.tolist(), "the copy shares memory"
        kept = ga.from_dlpack(x, copy=False)
        kept[0] = 9.0
        assert float(x[0]) == 9.0, "the array without a copy does not share memory"


@covers("main.from_dlpack")
def test_device_keyword(device: str) -> None:
    values = np.arange(3.0)
    x = ga.from_dlpack(values, device=device)
    assert x.device is ga.get_device(device)
    assert host(x).tolist() == values.tolist()
    # A gradarray array stays where it is unless told otherwise.
    assert ga.from_dlpack(x).device is ga.get_device(device)
    assert ga.from_dlpack(x, device="strict:device2").device is ga.get_device("strict:device2")


def test_read_only_memory() -> None:
    values = np.arange(3.0)
    values.flags.writeable = False
    x = ga.from_dlpack(values)
    with pytest.raises(ValueError):
        x[0] = 1.0
    assert values.tolist() == [0, 1, 2]
    assert not np.from_dlpack(x).flags.writeable
    with pytest.raises(BufferError):
        x.__dlpack__()
    assert x.__dlpack__(max_version=(1, 0)) is not None


def test_memory_outlives_its_owner() -> None:
    x = ga.from_dlpack(np.full(1000, 7.0))
    back = np.from_dlpack(array(np.full(1000, 5.0)))
    assert float(ga.sum(x)) == 7000.0
    assert back.sum() == 5000.0


@covers("array.__dlpack_device__")
def test_dlpack_device(device: str) -> None:
    kind, number = array(np.zeros(2), device).__dlpack_device__()
    assert type(number) is int
    if device == "cpu":
        assert (int(kind), number) == (1, 0)


@covers("array.__dlpack__")
def test_keywords_of_export() -> None:
    x = array(np.arange(3.0))
    given: tuple[dict[str, Any], ...] = (
        {},
        {"stream": None},
        {"max_version": (1, 0)},
        {"dl_device": (1, 0)},
        {"copy": None},
        {"copy": True},
    )
    for keywords in given:
        assert type(x.__dlpack__(**keywords)).__name__ == "PyCapsule"
    assert "versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    assert "versioned" not in repr(x.__dlpack__())
    with pytest.raises((BufferError, ValueError)):
        x.__dlpack__(dl_device=(2, 0))


@covers("array.__dlpack__")
def test_streams_are_refused_where_there_are_none() -> None:
    with pytest.raises((BufferError, ValueError)) as caught:
        array(np.arange(3.0)).__dlpack__(stream=1)
    assert isinstance(caught.value, ga.GradarrayError)


def test_tracked_arrays_are_not_exported(device: str) -> None:
    x = array(np.ones(2), device, tracked=True)
    with pytest.raises(BufferError, match="detach"):
        x.__dlpack__()
    with pytest.raises(BufferError, match="detach"):
        (x * 2).__dlpack__()


def test_what_has_no_dlpack_is_refused() -> None:
    for thing in (1.0, [1.0], None, "x"):
        with pytest.raises(TypeError):
            ga.from_dlpack(thing)
