"""The backend protocol over PyTorch's tensors. PyTorch's own autograd stays off: its tensors are plain data here."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import array_api_compat.torch as xp
import array_api_compat.torch.fft as xp_fft
import array_api_compat.torch.linalg as xp_linalg
import numpy as np
import torch

from gradarray.backend import (
    Backend,
    CopyRequiredError,
    DType,
    DTypeError,
    MemoryInfo,
    Place,
    bfloat16,
    corrected,
    generic_kernel,
    load,
    on_host,
    promote_scalar,
    scipy_function,
    standard_dtypes,
)

from . import _indexing
from ._kernels import KERNELS, RAW_DTYPES, raw_dtype, told_apart, with_host
from ._scipy import own_function

_HOST: Place = ("cpu", None)
#: DLPack's kinds of memory of a CUDA device.
_CUDA_KINDS = (2, 13)
_WITH_DTYPE = frozenset("ones_like zeros_like empty_like full_like fftfreq rfftfreq".split())


class TorchBackend(Backend):
    """PyTorch: the CPU, and each CUDA device that there is."""

    name = "torch"
    array_type = torch.Tensor
    reverses = False
    xp = xp

    def __init__(self) -> None:
        super().__init__()
        self._places: tuple[Place, ...] = (
            ("cpu", None),
            *[("cuda", index) for index in range(torch.cuda.device_count())],
        )
        self._raw_devices = {(kind, index): torch.device(kind, index) for kind, index in self._places}
        self._own_dtypes = {raw: dtype for dtype, raw in RAW_DTYPES.items()}
        self.has_streams = torch.cuda.is_available()

    # --- where -------------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Place, ...]:
        return self._places

    def place_of(self, raw: Any) -> Place:
        return raw.device.type, raw.device.index if raw.device.type != "cpu" else None

    def raw_device(self, place: Place) -> Any:
        return self._raw_devices[place]

    # --- dtypes ------------------------------------------------------------------------------------------------------

    def dtype(self, raw_dtype: Any) -> DType:
        try:
            return self._own_dtypes[raw_dtype]
        except KeyError:
            if raw_dtype is not torch.bfloat16:
                raise
            return bfloat16()

    def raw_dtype(self, dtype: DType) -> Any:
        return raw_dtype(dtype)

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return standard_dtypes

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name == "getitem":
            return _indexing.getitem
        if name == "scatter":
            return with_host(name, _indexing.scatter)
        found = KERNELS.get(name) or corrected(xp, name)
        if found is not None and name in _WITH_DTYPE:
            found = self._adapted(found)
        # The extensions first: PyTorch's main namespace has older functions of the same names.
        for namespace in (xp_linalg, xp_fft, xp):
            if found is None and callable(getattr(namespace, name, None)):
                found = self._adapted(getattr(namespace, name))
        return generic_kernel(self, name) if found is None else with_host(name, found)

    def _adapted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with gradarray dtypes in the place of the library's own."""
        try:
            if "dtype" not in inspect.signature(function).parameters:
                return function
        except ValueError:  # PyTorch's own functions do not show theirs
            if function.__name__.removeprefix("fft_") not in _WITH_DTYPE:
                return function

        def adapted(*args: Any, dtype: Any = None, **keywords: Any) -> Any:
            return function(*args, dtype=None if dtype is None else self.raw_dtype(dtype), **keywords)

        return adapted

    def constant(self, scalar: Any, raw: Any) -> Any:
        dtype = raw.dtype
        # 0.0 and -0.0 are one key to a dictionary; integers out of range must reach the kernel, which refuses them.
        if not scalar or not dtype.is_floating_point or promote_scalar(self.dtype(dtype), type(scalar)).kind == "c":
            return scalar
        if len(self.constants) >= 4096:
            self.constants.clear()
        # A 0-d tensor of the host goes with those of any device.
        return self.constants.setdefault((scalar, dtype), torch.tensor(scalar, dtype=dtype))

    def scipy(self, name: str) -> Callable[..., Any] | None:
        return own_function(name, functools.cache(lambda: on_host(self, scipy_function(name))))

    def wrap(self, result: Any) -> Any:
        return result.as_subclass(torch.Tensor) if isinstance(result, torch.Tensor) else torch.asarray(result)

    # --- in and out --------------------------------------------------------------------------------------------------

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        shareable = (
            place == _HOST
            and array.flags.writeable  # PyTorch would write into it all the same
            and array.flags.aligned
            and array.dtype.isnative
            and not any(stride < 0 or stride % array.itemsize for stride in array.strides)
        )
        if copy is False and not shareable:
            raise CopyRequiredError("asarray(): PyTorch cannot share the memory of this NumPy array\nFix: copy=None")
        dtype = self.raw_dtype(array.dtype.newbyteorder("="))
        if shareable and not copy:
            return _from_host(np.asarray(array))
        values = np.array(array, copy=True, subok=False, order="C", dtype=array.dtype.newbyteorder("="))
        return _from_host(values).to(device=self.raw_device(place), dtype=dtype)

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        if copy is False and (raw.device.type != "cpu" or raw.is_conj() or raw.is_neg()):
            raise CopyRequiredError("numpy(): the tensor's memory cannot be shared\nFix: copy=None")
        host = _to_host(raw)
        return np.array(host, copy=True) if copy else host

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        shared = False if copy is False else None
        on_host = place == _HOST or int(producer.__dlpack_device__()[0]) not in _CUDA_KINDS
        if on_host and not isinstance(producer, torch.Tensor):
            # Through NumPy: PyTorch itself writes into read-only memory, and aborts when it meets a negative stride.
            array = load("numpy").from_dlpack(producer, None, copy=shared)
            return self.from_numpy(array, place or _HOST, copy=copy)
        raw = torch.from_dlpack(producer, copy=shared)
        try:
            self.dtype(raw.dtype)
        except KeyError:
            raise DTypeError(
                f"from_dlpack(): gradarray has no data type {raw.dtype}\nFix: convert the tensor to float32 first"
            ) from None
        if place is not None and self.place_of(raw) != place:
            if copy is False:
                raise CopyRequiredError("from_dlpack(): the tensor lies on another device\nFix: copy=None")
            return self.move(raw, place)
        return self.copy(raw) if copy else raw

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        if raw.is_conj() or raw.is_neg():
            if keywords.get("copy") is False:
                raise BufferError("a conjugated tensor can only be exported as a copy")
            raw = raw.resolve_conj().resolve_neg()
        if raw.is_cuda:
            # To PyTorch no stream means that nothing has to be waited for; to everybody else, the default stream.
            keywords.setdefault("stream", None)
        return raw.__dlpack__(**keywords)

    def copy(self, raw: Any) -> Any:
        return raw.clone(memory_format=torch.contiguous_format).resolve_conj().resolve_neg()

    def move(self, raw: Any, place: Place) -> Any:
        return raw.to(self.raw_device(place))

    # --- memory ------------------------------------------------------------------------------------------------------

    def owner(self, raw: Any) -> Any:
        return raw.untyped_storage()

    def shares_memory(self, first: Any, second: Any) -> bool:
        return first.untyped_storage() is second.untyped_storage()

    def is_writable(self, raw: Any) -> bool:
        if 0 not in raw.stride():
            return True
        stretched = any(stride == 0 and length > 1 for stride, length in zip(raw.stride(), raw.shape, strict=True))
        return not (stretched and raw.numel())

    def write(self, raw: Any, key: Any, value: Any) -> None:
        try:
            _indexing.write(raw, key, value)
        except RuntimeError as error:
            raise told_apart(error) from error

    def snapshot(self, raw: Any) -> Callable[[Any], Any]:
        copied = raw.untyped_storage().clone()

        def before(view: Any) -> Any:
            base = torch.empty(0, dtype=view.dtype, device=view.device)
            return base.set_(copied, view.storage_offset(), view.shape, view.stride())

        return before

    # --- running -----------------------------------------------------------------------------------------------------

    def current_stream(self, place: Place) -> Any:
        if place[0] != "cuda":
            return None
        stream = torch.cuda.current_stream(place[1])
        return None if stream == torch.cuda.default_stream(place[1]) else stream

    def on_stream(self, place: Place, stream: Any) -> AbstractContextManager[Any]:
        if place[0] != "cuda":
            return nullcontext()
        return torch.cuda.stream(stream or torch.cuda.default_stream(place[1]))  # type: ignore[no-any-return]

    def wait_for(self, place: Place, stream: Any, other_place: Place, other: Any) -> None:
        if place[0] == other_place[0] == "cuda":
            first = stream or torch.cuda.default_stream(place[1])
            first.wait_stream(other or torch.cuda.default_stream(other_place[1]))

    def set_float32_matmul_precision(self, precision: str) -> None:
        torch.set_float32_matmul_precision(precision)

    def memory_info(self, place: Place) -> MemoryInfo:
        if place[0] != "cuda":
            return MemoryInfo()
        free, total = torch.cuda.mem_get_info(place[1])
        return MemoryInfo(
            used=torch.cuda.memory_allocated(place[1]),
            reserved=torch.cuda.memory_reserved(place[1]),
            free=free,
            total=total,
        )


def _from_host(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind != "V":
        return torch.from_numpy(array)
    return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)  # by its bits: the two do not know each other's


def _to_host(raw: Any) -> np.ndarray[Any, Any]:
    host = raw.detach().cpu().resolve_conj().resolve_neg()
    values: np.ndarray[Any, Any] = (host.view(torch.int16) if host.dtype is torch.bfloat16 else host).numpy()
    return values.view(bfloat16()) if host.dtype is torch.bfloat16 else values
