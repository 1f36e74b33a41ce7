"""The backend protocol over array-api-strict, whose several devices make device rules testable.

It has nothing beyond the standard, so it proves that gradarray needs nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import array_api_strict as xp
import numpy as np

from gradarray.backend import (
    Backend,
    CopyRequiredError,
    DType,
    DTypeError,
    Place,
    corrected,
    generic_kernel,
    load,
    numpy_snapshot,
    standard_dtypes,
)

from . import _indexing

xp.set_array_api_strict_flags(api_version="2025.12")

_CPU = xp.Device("CPU_DEVICE")
_HOST: Place = ("cpu", None)
#: Functions that answer with indices.
_INDICES = frozenset(
    "argmax argmin argsort count_nonzero nonzero searchsorted unique_all unique_counts unique_inverse".split()
)


class StrictBackend(Backend):
    """array-api-strict: NumPy data that answers nothing but the standard, on several pretended devices."""

    name = "strict"
    array_type = type(xp.asarray(0))
    xp = xp

    def __init__(self) -> None:
        super().__init__()
        self._raw_devices: dict[Place, Any] = {}
        for device in xp.__array_namespace_info__().devices():
            place = "cpu" if device == _CPU else str(device._device)
            self._raw_devices[place, None] = device
        self._places = {device: place for place, device in self._raw_devices.items()}
        self._dtypes = {dtype.name: getattr(xp, dtype.name) for dtype in standard_dtypes}
        self._own_dtypes = {getattr(xp, dtype.name): dtype for dtype in standard_dtypes}

    # --- where -------------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Place, ...]:
        return tuple(self._raw_devices)

    def place_of(self, raw: Any) -> Place:
        return self._places[raw.device]

    def raw_device(self, place: Place) -> Any:
        return self._raw_devices[place]

    # --- dtypes ------------------------------------------------------------------------------------------------------

    def dtype(self, raw_dtype: Any) -> DType:
        return self._own_dtypes[raw_dtype]

    def raw_dtype(self, dtype: DType) -> Any:
        if not isinstance(dtype, np.dtype):
            return dtype  # a rule names the raw dtype of what it is given
        try:
            return self._dtypes[dtype.name]
        except KeyError:
            raise DTypeError(f"array-api-strict has no data type {dtype.name}\nFix: use float32") from None

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        there = xp.__array_namespace_info__().dtypes(device=self.raw_device(place))
        return tuple(dtype for dtype in standard_dtypes if dtype.name in there)

    def default_dtypes(self, place: Place) -> dict[str, DType]:
        found = xp.__array_namespace_info__().default_dtypes(device=self.raw_device(place))
        return {kind: self.dtype(dtype) for kind, dtype in found.items()}

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name == "getitem":
            return _indexing.getitem
        own = corrected(xp, name)
        if own is not None:
            return own
        for namespace in (xp, xp.linalg, xp.fft):
            found = getattr(namespace, name, None)
            if callable(found):
                return _indexing.with_indices(found) if name in _INDICES else self._adapted(found)
        return generic_kernel(self, name)

    def _adapted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with gradarray dtypes in the place of the library's own."""
        if "dtype" not in inspect.signature(function).parameters:
            return function
        if function is xp.astype:
            return lambda x, dtype, copy=True: function(x, self.raw_dtype(dtype), copy=copy)

        def adapted(*args: Any, dtype: Any = None, **keywords: Any) -> Any:
            return function(*args, dtype=None if dtype is None else self.raw_dtype(dtype), **keywords)

        return adapted

    def wrap(self, result: Any) -> Any:
        return xp.asarray(result)

    # --- in and out --------------------------------------------------------------------------------------------------

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        dtype = self.raw_dtype(array.dtype.newbyteorder("="))
        if not copy and place == _HOST and array.dtype.isnative:
            return self.array_type._new(np.asarray(array), device=_CPU)
        if copy is False:
            raise CopyRequiredError(
                "asarray(): the memory of this NumPy array cannot be shared with this device\nFix: copy=None"
            )
        values = np.array(array, copy=True, subok=False, dtype=array.dtype.newbyteorder("="))
        return xp.asarray(values, dtype=dtype, device=self.raw_device(place))

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        if raw.device == _CPU and not copy:
            return raw._array  # type: ignore[no-any-return]
        if copy is False:
            raise CopyRequiredError("numpy(): the host does not share the memory of this device\nFix: copy=None")
        return np.array(raw._array, copy=True)

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        # All but the first device only pretend to have memory of their own, so the host's import serves for every one.
        array = load("numpy").from_dlpack(producer, None, copy=False if copy is False else None)
        return self.from_numpy(array, place or _HOST, copy=copy)

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        return load("numpy").to_dlpack(raw._array, **keywords)

    def copy(self, raw: Any) -> Any:
        return xp.asarray(raw, copy=True)

    def move(self, raw: Any, place: Place) -> Any:
        return raw.to_device(self.raw_device(place))

    def quiet(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")

    # --- memory ------------------------------------------------------------------------------------------------------

    def owner(self, raw: Any) -> Any:
        memory = raw._array
        while isinstance(memory.base, np.ndarray):
            memory = memory.base
        return memory

    def snapshot(self, raw: Any) -> Callable[[Any], Any]:
        before = numpy_snapshot(self.owner(raw))
        return lambda view: self.array_type._new(before(view._array), device=view.device)

    def is_writable(self, raw: Any) -> bool:
        memory = raw._array
        # Several elements in one cell; NumPy gives empty arrays strides of 0 too, and to them nothing can happen.
        stretched = any(stride == 0 and length > 1 for stride, length in zip(memory.strides, memory.shape, strict=True))
        return bool(memory.flags.writeable) and not (stretched and memory.size)

    def write(self, raw: Any, key: Any, value: Any) -> None:
        _indexing.write(raw, key, value)
