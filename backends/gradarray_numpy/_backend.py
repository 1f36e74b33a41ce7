"""The backend protocol over NumPy arrays."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import array_api_compat.numpy as xp
import array_api_compat.numpy.fft as xp_fft
import array_api_compat.numpy.linalg as xp_linalg
import numpy as np

from gradarray.backend import (
    Backend,
    CopyRequiredError,
    DType,
    DTypeError,
    Place,
    generic_kernel,
    numpy_snapshot,
    promote_scalar,
    scipy_function,
    standard_dtypes,
)

from ._linalg import KERNELS  # those of _kernels too

_PLACE: Place = ("cpu", None)


class NumPyBackend(Backend):
    """NumPy: one device, kernels that are mostly NumPy's own functions."""

    name = "numpy"
    array_type = np.ndarray
    promotes = True
    xp = xp

    def devices(self) -> tuple[Place, ...]:
        return (_PLACE,)

    def place_of(self, raw: Any) -> Place:
        return _PLACE

    def raw_device(self, place: Place) -> Any:
        return "cpu"

    def raw_dtype(self, dtype: DType) -> Any:
        if dtype.kind == "V":
            raise DTypeError(
                f"NumPy does not compute in {dtype}\nFix: convert to float32, or take a device of PyTorch, JAX or CuPy"
            )
        return dtype

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return standard_dtypes

    def kernel(self, name: str) -> Callable[..., Any]:
        own = KERNELS.get(name)
        if own is not None:
            return own
        for namespace in (xp, xp_linalg, xp_fft):
            found = getattr(namespace, name, None)
            if callable(found):
                return found  # type: ignore[no-any-return]
        return generic_kernel(self, name)

    def scipy(self, name: str) -> Callable[..., Any] | None:
        try:
            return scipy_function(name)
        except AttributeError:
            return None

    def wrap(self, result: Any) -> Any:
        return np.asarray(result)

    def constant(self, scalar: Any, raw: Any) -> Any:
        # A 0-d array costs a ufunc half of what a Python scalar does, which it has to inspect each time.
        dtype = raw.dtype
        # 0.0 and -0.0 are one key to a dictionary; integers out of range must reach NumPy, which refuses them.
        if not scalar or promote_scalar(dtype, type(scalar)) is not dtype or dtype.kind not in "fc":
            return scalar
        if len(self.constants) >= 4096:
            self.constants.clear()
        constant = np.array(scalar, dtype)
        constant.flags.writeable = False
        return self.constants.setdefault((scalar, dtype), constant)

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        # A subclass (matrix, masked array) has semantics of its own; the base class shares its memory.
        if copy:
            return np.array(array, copy=True, subok=False, order="K", dtype=array.dtype.newbyteorder("="))
        if not array.dtype.isnative:
            if copy is False:
                raise CopyRequiredError("asarray(): a byte-swapped array cannot be shared\nFix: copy=None")
            return array.astype(array.dtype.newbyteorder("="))
        return np.asarray(array)

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        return np.array(raw, copy=True) if copy else raw

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        if isinstance(producer, np.ndarray):
            return self.from_numpy(producer, _PLACE, copy=copy)
        raw = _imported(producer, shared=copy is False)
        # The copy is made here: not every producer makes one that is asked for, and CuPy refuses to.
        return np.array(raw, copy=True) if copy else raw

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        if not _is_exportable(raw):
            if keywords.get("copy") is False:
                raise BufferError(
                    "an array that is read-only or has negative strides or uneven ones can only be exported as a copy"
                )
            writable = raw.flags.writeable or bool(keywords.get("copy"))
            raw = np.array(raw, copy=True, order="C")
            raw.flags.writeable = writable  # a consumer that respects the mark sees it still
        return raw.__dlpack__(**keywords)

    def copy(self, raw: Any) -> Any:
        return np.array(raw, copy=True)

    def move(self, raw: Any, place: Place) -> Any:
        return raw

    def owner(self, raw: Any) -> Any:
        while isinstance(raw.base, np.ndarray):
            raw = raw.base
        return raw

    def is_writable(self, raw: Any) -> bool:
        # Several elements in one cell; NumPy gives empty arrays strides of 0 too, and to them nothing can happen.
        stretched = any(stride == 0 and length > 1 for stride, length in zip(raw.strides, raw.shape, strict=True))
        return bool(raw.flags.writeable) and not (stretched and raw.size)

    def write(self, raw: Any, key: Any, value: Any) -> None:
        raw[key] = value

    def updater(self, name: str, raw: Any, other: Any) -> Callable[[], Any] | None:
        if name not in ("add", "subtract", "multiply", "divide") or raw.dtype.kind not in "fc":
            return None
        if not isinstance(other, np.ndarray):
            if promote_scalar(raw.dtype, type(other)) is not raw.dtype:
                return None
        elif np.promote_types(raw.dtype, other.dtype) != raw.dtype or not _fits(other.shape, raw.shape):
            return None
        return functools.partial(KERNELS[name], raw, other, out=raw)

    def snapshot(self, raw: Any) -> Callable[[Any], Any]:
        return numpy_snapshot(self.owner(raw))

    def is_owner(self, raw: Any) -> bool:
        return raw.base is None and bool(raw.flags.owndata)

    def references(self, raw: Any) -> int | None:
        return sys.getrefcount(raw)

    def quiet(self) -> AbstractContextManager[Any]:
        return np.errstate(all="ignore")


def _imported(producer: Any, *, shared: bool) -> np.ndarray[Any, Any]:
    """The host's view of what another library exports."""
    # Memory of other kinds than 1 (pinned: 3 and 11, managed: 13) must be asked for as the host's, or the import does
    # not wait for the GPU. Keywords only where they are needed: producers older than 2023.12 do not know them.
    keywords: dict[str, Any] = {} if int(producer.__dlpack_device__()[0]) == 1 else {"device": "cpu"}
    try:
        if shared:
            try:
                return np.from_dlpack(producer, copy=False, **keywords)
            except TypeError:
                pass
        return np.from_dlpack(producer, **keywords)
    except RuntimeError as error:
        if "dtype" not in str(error):
            raise
        dtype = getattr(producer, "dtype", "of this array")
        raise DTypeError(
            f"from_dlpack(): NumPy cannot take the data type {dtype}\nFix: convert the array to float32 first"
        ) from error


def _is_exportable(raw: np.ndarray[Any, Any]) -> bool:
    """Whether any consumer can be given the memory of an array: PyTorch aborts the process when it is handed a negative
    stride, and writes into memory that is marked as read-only."""
    return raw.flags.writeable and not any(stride < 0 or stride % raw.itemsize for stride in raw.strides)


def _fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether an array of the first shape broadcasts to the second, which stays as it is."""
    try:
        return np.broadcast_shapes(shape, whole) == whole
    except ValueError:
        return False
