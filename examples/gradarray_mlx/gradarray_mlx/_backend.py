"""The backend protocol over MLX's arrays, computed at once, on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import mlx.core as mx
import numpy as np

from gradarray.backend import Backend, DType, MemoryInfo, Place, generic_kernel, load

from ._arrays import RAW_DTYPES, dtype_of, from_host, raw_dtype_of, to_host
from ._kernels import kernel

_PLACE: Place = ("cpu", None)


class MLXBackend(Backend):
    """MLX on the CPU. Its GPUs have no float64, so they are left out."""

    name = "mlx"
    array_type = mx.array
    #: A slice of MLX is a copy, so a write into one would not reach the whole.
    immutable = True

    def __init__(self) -> None:
        super().__init__()
        mx.set_default_device(mx.cpu)  # where the operators in derivative rules run
        self.xp = self.rule_namespace  # MLX's own namespace is not the standard's

    # --- where -------------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Place, ...]:
        return (_PLACE,)

    def place_of(self, raw: Any) -> Place:
        return _PLACE

    def raw_device(self, place: Place) -> Any:
        return mx.Device(mx.cpu, 0)

    # --- dtypes ------------------------------------------------------------------------------------------------------

    def dtype(self, raw_dtype: Any) -> DType:
        return dtype_of(raw_dtype)

    def raw_dtype(self, dtype: DType) -> Any:
        return raw_dtype_of(dtype)

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return tuple(RAW_DTYPES)

    def default_dtypes(self, place: Place) -> dict[str, DType]:
        # Both in one precision, as the standard has it; MLX's own default is float32 too.
        narrow = {"real floating": np.dtype("float32"), "complex floating": np.dtype("complex64")}
        return super().default_dtypes(place) | narrow

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name == "move":  # from one backend to another: the one that needs no host
            return generic_kernel(self, name)
        return kernel(name)

    def wrap(self, result: Any) -> Any:
        return result if type(result) is mx.array else from_host(np.asarray(result))

    # --- in and out: memory that others may write is never shared ----------------------------------------------------

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        return from_host(array, copy=copy)

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        return np.array(raw, copy=True) if copy else to_host(raw)

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        return from_host(load("numpy").from_dlpack(producer, None, copy=None), copy=copy)

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        # MLX cannot say that memory must not be written, so the consumer gets memory of its own.
        if keywords.pop("copy", None) is False:
            raise BufferError("an array of MLX can only be exported as a copy, since it must not be written")
        return np.array(raw, copy=True).__dlpack__(**keywords)

    def copy(self, raw: Any) -> Any:
        return from_host(to_host(raw))

    # --- memory ------------------------------------------------------------------------------------------------------

    def owner(self, raw: Any) -> Any:
        return raw

    def is_writable(self, raw: Any) -> bool:
        return True

    def write(self, raw: Any, key: Any, value: Any) -> None:
        raise TypeError("MLX's arrays are not written here")

    # --- running -----------------------------------------------------------------------------------------------------

    def quiet(self) -> AbstractContextManager[Any]:
        return load("numpy").quiet()

    def memory_info(self, place: Place) -> MemoryInfo:
        used = mx.get_active_memory()
        return MemoryInfo(used=used, reserved=used + mx.get_cache_memory())
