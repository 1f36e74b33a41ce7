"""The backend protocol over CuPy's arrays.

CuPy works on the current device, whatever device its operands are on. So every kernel runs under the device of its
operands, except where there is only one.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import array_api_compat.cupy as xp
import array_api_compat.cupy.fft as xp_fft
import array_api_compat.cupy.linalg as xp_linalg
import cupy
import numpy as np
from cupy.cuda import runtime

from gradarray.backend import (
    Backend,
    CopyRequiredError,
    DType,
    MemoryInfo,
    MissingBackendError,
    MissingExtraError,
    Place,
    corrected,
    generic_kernel,
    guarded,
    on_host,
    promote,
    promote_scalar,
    scipy_function,
    standard_dtypes,
)

from . import _indexing
from ._kernels import KERNELS, NOT_OF_EMPTY, as_scalar, kind_of, not_of_empty

#: DLPack's kind of CUDA memory that the host reads too.
_MANAGED = 13


class CuPyBackend(Backend):
    """CuPy: a place for each CUDA device. Work is queued on CuPy's current stream."""

    name = "cupy"
    array_type = cupy.ndarray
    has_streams = True
    xp = xp

    def __init__(self) -> None:
        super().__init__()
        try:
            count = runtime.getDeviceCount()
        except runtime.CUDARuntimeError as error:
            count, reason = 0, str(error)
        else:
            reason = "it counts none"
        if not count:
            raise MissingBackendError(
                f"device: CuPy finds no CUDA device here ({reason})\nFix: use 'cpu', or install a CUDA driver"
            )
        self._places: tuple[Place, ...] = tuple(("cuda", index) for index in range(count))
        self._devices = tuple(cupy.cuda.Device(index) for index in range(count))

    # --- where -------------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Place, ...]:
        return self._places

    def place_of(self, raw: Any) -> Place:
        return self._places[raw.data.device_id]

    def raw_device(self, place: Place) -> Any:
        return self._devices[place[1] or 0]

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return standard_dtypes

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name in ("getitem", "scatter"):
            return self._placed(getattr(_indexing, name))
        found = KERNELS.get(name) or corrected(xp, name)
        for namespace in (xp_linalg, xp_fft, xp):
            if found is None and callable(getattr(namespace, name, None)):
                found = getattr(namespace, name)
        if found is None:
            return self._placed(generic_kernel(self, name))
        return self._placed(not_of_empty(name, found) if name in NOT_OF_EMPTY else found)

    def _placed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function under the device of its operands, or under that which ``device=`` or ``like=`` names."""
        several = len(self._devices) > 1

        @functools.wraps(function, assigned=("__name__",))
        def placed(*args: Any, device: Any = None, **keywords: Any) -> Any:
            if not several:
                return function(*args, **keywords)
            index = _index(args, keywords) if device is None else device.id
            if index is None or index == runtime.getDevice():
                return function(*args, **keywords)
            with self._devices[index]:
                return function(*args, **keywords)

        return placed

    def scipy(self, name: str) -> Callable[..., Any] | None:
        try:
            own = scipy_function(name, "cupyx.scipy")
        except (AttributeError, MissingExtraError):
            return None
        host = functools.cache(lambda: on_host(self, scipy_function(name)))
        # It has them for real numbers only.
        return self._placed(guarded(own, TypeError, lambda error, args, keywords: host()(*args, **keywords)))

    def wrap(self, result: Any) -> Any:
        return result if isinstance(result, cupy.ndarray) else cupy.asarray(result)

    def constant(self, scalar: Any, raw: Any) -> Any:
        # NumPy's rules for scalars, which CuPy follows, do not know of bfloat16.
        if raw.dtype.kind != "V" or isinstance(scalar, complex):
            return scalar
        with self._devices[raw.data.device_id]:
            return as_scalar(scalar, raw.dtype)

    # --- in and out --------------------------------------------------------------------------------------------------

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError("asarray(): a GPU cannot share the memory of a NumPy array\nFix: copy=None")
        values = np.asarray(array, dtype=array.dtype.newbyteorder("="))
        if min(values.strides, default=0) < 0 or not values.ndim:
            values = np.ascontiguousarray(values)  # of one axis at least: a 0-d zero would lose its sign
        if values.nbytes and cupy.cuda.pinned_memory.is_memory_pinned(values.ctypes.data):
            # CuPy reads pinned memory later, when it may have been written again; other memory it copies first.
            values = values.copy()
        with self.raw_device(place):
            return cupy.array(values).reshape(array.shape)

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        with self._devices[raw.data.device_id]:  # the current stream is the current device's
            if copy is False:
                if raw.__dlpack_device__()[0] != _MANAGED:
                    raise CopyRequiredError(
                        "numpy(): the host shares no memory with a GPU, unless it is managed memory\nFix: copy=None"
                    )
                return np.from_dlpack(raw, device="cpu", copy=False)
            host: np.ndarray[Any, Any] = raw.get()
            return host

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        if int(producer.__dlpack_device__()[0]) not in (2, _MANAGED):
            return self.from_numpy(np.from_dlpack(producer, device="cpu"), place or self._places[0], copy=copy)
        # CuPy and others refuse to export a copy: it is made here.
        raw = cupy.from_dlpack(producer)
        # JAX cannot say that its memory must not be written, and CuPy would not hear it.
        immutable = type(producer).__module__.partition(".")[0] in ("jax", "jaxlib")
        elsewhere = place is not None and self.place_of(raw) != place
        if copy is False and (elsewhere or immutable):
            raise CopyRequiredError(
                "from_dlpack(): the array lies on another device, or must not be written\nFix: copy=None"
            )
        if elsewhere:
            assert place is not None
            return self.move(raw, place)
        return self.copy(raw) if copy or immutable else raw

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        with self._devices[raw.data.device_id]:
            if any(stride < 0 for stride in raw.strides):
                # PyTorch aborts the process when it is handed a negative stride.
                if keywords.get("copy") is False:
                    raise BufferError("an array with negative strides can only be exported as a copy")
                raw = cupy.ascontiguousarray(raw)
            device = keywords.get("dl_device")
            if keywords.get("copy") and (device is None or tuple(device) == raw.__dlpack_device__()):
                raw = raw.copy()
                del keywords["copy"]  # CuPy would refuse
            return raw.__dlpack__(**keywords)

    def copy(self, raw: Any) -> Any:
        with self._devices[raw.data.device_id]:
            return raw.copy()

    def move(self, raw: Any, place: Place) -> Any:
        source, target = self._devices[raw.data.device_id], self.raw_device(place)
        if source == target:
            return raw
        with source:
            whole = cupy.ascontiguousarray(raw)
            here = cupy.cuda.get_current_stream()
            made = here.record(cupy.cuda.Event(disable_timing=True))
        with target:
            there = cupy.cuda.get_current_stream()
            there.wait_event(made)
            out = cupy.array(whole)
            moved = there.record(cupy.cuda.Event(disable_timing=True))
        with source:
            # The source's memory may be used for something else as soon as it is free on its own stream.
            here.wait_event(moved)
        return out

    # --- memory ------------------------------------------------------------------------------------------------------

    def owner(self, raw: Any) -> Any:
        while raw.base is not None:
            raw = raw.base
        return raw

    def is_writable(self, raw: Any) -> bool:
        stretched = any(stride == 0 and length > 1 for stride, length in zip(raw.strides, raw.shape, strict=True))
        return not (stretched and raw.size)

    def write(self, raw: Any, key: Any, value: Any) -> None:
        with self._devices[raw.data.device_id]:
            _indexing.write(raw, key, value)

    def updater(self, name: str, raw: Any, other: Any) -> Callable[[], Any] | None:
        if name not in ("add", "subtract", "multiply", "divide") or kind_of(raw) not in "fc":
            return None
        if not isinstance(other, cupy.ndarray):
            if promote_scalar(raw.dtype, type(other)) is not raw.dtype:
                return None
        elif promote(self.dtype(raw.dtype), self.dtype(other.dtype)) is not raw.dtype or not _fits(
            other.shape, raw.shape
        ):
            return None
        return functools.partial(self._placed(getattr(cupy, name)), raw, other, out=raw)

    def snapshot(self, raw: Any) -> Callable[[Any], Any]:
        start, end = _span(self.owner(raw))
        memory = raw.data.mem
        with self._devices[raw.data.device_id]:
            source = cupy.ndarray((end - start,), np.uint8, cupy.cuda.MemoryPointer(memory, start - memory.ptr))
            copied = source.copy()

        def before(view: Any) -> Any:
            pointer = copied.data + (view.data.ptr - start) if view.size else None
            return cupy.ndarray(view.shape, view.dtype, pointer, view.strides if view.size else None)

        return before

    # --- running -----------------------------------------------------------------------------------------------------

    def current_stream(self, place: Place) -> Any:
        stream = cupy.cuda.get_current_stream(place[1] or 0)
        return stream if stream.ptr else None

    def current_place(self) -> Place:
        return self._places[runtime.getDevice()]

    @contextlib.contextmanager
    def on_stream(self, place: Place, stream: Any) -> Iterator[None]:
        with self.raw_device(place), stream or cupy.cuda.Stream.null:
            yield

    def wait_for(self, place: Place, stream: Any, other_place: Place, other: Any) -> None:
        with self.raw_device(other_place):
            event = (other or cupy.cuda.Stream.null).record(cupy.cuda.Event(disable_timing=True))
        with self.raw_device(place):
            (stream or cupy.cuda.Stream.null).wait_event(event)

    def set_float32_matmul_precision(self, precision: str) -> None:
        from cupy._core import _routines_linalg as routines

        fast = precision == "high"
        routines.set_compute_type("float32", routines.COMPUTE_TYPE_TF32 if fast else routines.COMPUTE_TYPE_DEFAULT)

    def memory_info(self, place: Place) -> MemoryInfo:
        device = self.raw_device(place)
        with device:
            pool = cupy.get_default_memory_pool()
            free, total = device.mem_info
            return MemoryInfo(used=pool.used_bytes(), reserved=pool.total_bytes(), free=free, total=total)

    def quiet(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")  # for what the host computes


def _index(args: Any, keywords: Any) -> int | None:
    """The device on which a kernel's operands are."""
    for x in args:
        if isinstance(x, cupy.ndarray):
            index: int = x.data.device_id
            return index
        if isinstance(x, (list, tuple)):
            found = _index(x, {})
            if found is not None:
                return found
    like = keywords.get("like")
    return None if like is None else like.device.index


def _span(owner: Any) -> tuple[int, int]:
    """The addresses of an array, from its first byte to behind its last."""
    start = end = owner.data.ptr
    for stride, length in zip(owner.strides, owner.shape, strict=True):
        reach = stride * (length - 1)
        start, end = start + min(reach, 0), end + max(reach, 0)
    return start, end + owner.itemsize if owner.size else start


def _fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether an array of the first shape broadcasts to the second, which stays as it is."""
    try:
        return np.broadcast_shapes(shape, whole) == whole
    except ValueError:
        return False
