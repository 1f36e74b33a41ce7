"""The backend protocol over JAX's arrays, computed eagerly. JAX's own transformations are not used."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradarray.backend import (
    Backend,
    CopyRequiredError,
    DType,
    MemoryInfo,
    Place,
    corrected,
    generic_kernel,
    load,
    on_host,
    promote_scalar,
    scipy_function,
    standard_dtypes,
)

from . import _indexing
from ._kernels import KERNELS, as_shared
from ._scipy import own_function

#: Types of devices: JAX's name of the platform, and gradarray's.
_TYPES = {"cpu": "cpu", "gpu": "cuda", "cuda": "cuda"}
#: DLPack's kinds of memory of a CUDA device.
_CUDA_KINDS = (2, 13)


class JaxBackend(Backend):
    """JAX: every CPU device that it was told to make, and every CUDA device that there is.

    Loading it switches JAX's double precision on.
    """

    name = "jax"
    immutable = True
    xp = jnp

    def __init__(self) -> None:
        jax.config.update("jax_enable_x64", True)
        if jax.config.jax_default_matmul_precision is None:
            # JAX's own choice on a GPU has fewer digits than float32.
            self.set_float32_matmul_precision("highest")
        super().__init__()
        self.array_type = type(jnp.zeros(()))
        self._dtypes = {dtype: dtype for dtype in standard_dtypes}
        self._devices: dict[Place, Any] = {}
        for platform in ("cpu", "cuda"):
            try:
                found = jax.devices(platform)
            except RuntimeError:  # there are none of this platform
                continue
            self._devices |= {(platform, device.id): device for device in found}

    # --- where -------------------------------------------------------------------------------------------------------

    def devices(self) -> tuple[Place, ...]:
        return tuple(self._devices)

    def place_of(self, raw: Any) -> Place:
        device = raw.device
        return _TYPES[device.platform], device.id

    def raw_device(self, place: Place) -> Any:
        return self._devices[place]

    def dtype(self, raw_dtype: Any) -> DType:
        return self._dtypes.get(raw_dtype) or super().dtype(raw_dtype)

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return standard_dtypes

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name in ("assign", "getitem", "scatter", "unwritten", "written"):
            return as_shared(name, getattr(_indexing, name))
        found = KERNELS.get(name) or corrected(jnp, name)
        for namespace in (jnp.linalg, jnp.fft, jnp):
            if found is None and callable(getattr(namespace, name, None)):
                found = getattr(namespace, name)
        return generic_kernel(self, name) if found is None else as_shared(name, found)

    def constant(self, scalar: Any, raw: Any) -> Any:
        dtype = raw.dtype
        # 0.0 and -0.0 are one key to a dictionary; integers out of range must reach the kernel, which refuses them.
        if not scalar or dtype.kind not in "fc" or promote_scalar(dtype, type(scalar)) is not dtype:
            return scalar
        if len(self.constants) >= 4096:
            self.constants.clear()
        # Committed to no device, so it goes with arrays of any.
        return self.constants.setdefault((scalar, dtype), jnp.asarray(np.asarray(scalar, dtype)))

    def scipy(self, name: str) -> Callable[..., Any] | None:
        return own_function(name, functools.cache(lambda: on_host(self, scipy_function(name))))

    def wrap(self, result: Any) -> Any:
        return jnp.asarray(result)

    # --- in and out: memory that others may write is never shared ----------------------------------------------------

    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError("asarray(): JAX's arrays share no memory that can be written\nFix: copy=None")
        # A copy of our own first: JAX may share memory that is aligned as it likes.
        values = np.array(array, copy=True, subok=False, order="C", dtype=array.dtype.newbyteorder("="))
        return jax.device_put(values, self._devices[place])

    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        if copy is False and self.place_of(raw)[0] != "cpu":
            raise CopyRequiredError("numpy(): the host does not share the memory of a GPU\nFix: copy=None")
        host = np.asarray(raw)  # on the host the array's own memory, which NumPy then refuses to write
        return np.array(host, copy=True) if copy else host

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        if type(producer) is self.array_type:
            return self._from_jax(producer, place or self.place_of(producer), copy=copy)
        if copy is False:
            raise CopyRequiredError("from_dlpack(): JAX's arrays share no memory that can be written\nFix: copy=None")
        on_host = place is not None and place[0] == "cpu"  # managed memory is the host's too
        if on_host or int(producer.__dlpack_device__()[0]) not in _CUDA_KINDS:
            # Through NumPy: JAX takes few layouts, and its own import may share memory that is written later.
            array = load("numpy").from_dlpack(producer, None, copy=None)
            return self.from_numpy(array, place or next(iter(self._devices)), copy=None)
        raw = jnp.array(jnp.from_dlpack(producer), copy=True)
        return raw if place is None else self.move(raw, place)

    def _from_jax(self, raw: Any, place: Place, *, copy: bool | None) -> Any:
        if copy is False and (self.place_of(raw) != place or raw.weak_type):
            raise CopyRequiredError(
                "from_dlpack(): the array is weakly typed or lies on another device\nFix: copy=None"
            )
        if raw.weak_type:
            raw = jnp.asarray(raw, raw.dtype)  # a weak type gives way to others in ways that are not ours
        return self.copy(raw) if copy else self.move(raw, place)

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        # JAX cannot say that memory must not be written, so the consumer gets memory of its own unless it forbids that.
        if keywords.pop("copy", None) is False:
            versioned = (keywords.get("max_version") or (0, 0)) >= (1, 0)
            if versioned and self.place_of(raw)[0] == "cpu":
                return np.asarray(raw).__dlpack__(copy=False, **keywords)  # marked as read-only
            keywords.pop("max_version", None)
            return raw.__dlpack__(**keywords)
        if self.place_of(raw)[0] == "cpu" and raw.dtype.kind != "V":  # bfloat16 is not NumPy's to export
            return np.array(raw, copy=True).__dlpack__(**keywords)  # of any version, and to be written
        if (keywords.get("max_version") or (1, 0)) < (1, 0):
            del keywords["max_version"]  # the oldest form, which JAX does not call a version
        return jnp.array(raw, copy=True).__dlpack__(**keywords)

    def copy(self, raw: Any) -> Any:
        return jnp.array(raw, copy=True)

    def move(self, raw: Any, place: Place) -> Any:
        return raw if self.place_of(raw) == place else jax.device_put(raw, self._devices[place])

    # --- memory ------------------------------------------------------------------------------------------------------

    def owner(self, raw: Any) -> Any:
        return raw

    def is_writable(self, raw: Any) -> bool:
        return True

    def write(self, raw: Any, key: Any, value: Any) -> None:
        raise TypeError("JAX's arrays are not written")

    # --- running -----------------------------------------------------------------------------------------------------

    def set_float32_matmul_precision(self, precision: str) -> None:
        jax.config.update("jax_default_matmul_precision", "tensorfloat32" if precision == "high" else "highest")

    def memory_info(self, place: Place) -> MemoryInfo:
        figures = self._devices[place].memory_stats() or {}  # the host tells none
        total, used = figures.get("bytes_limit"), figures.get("bytes_in_use")
        return MemoryInfo(used=used, reserved=figures.get("pool_bytes"), total=total)
