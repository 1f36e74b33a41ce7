"""The backend protocol over JAX's arrays, computed eagerly. JAX's own transformations are not used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradarray.backend import Backend, CopyRequiredError, DType, Place, corrected, generic_kernel, standard_dtypes

from . import _indexing
from ._kernels import KERNELS, as_shared

#: Types of devices: JAX's name of the platform, and gradarray's.
_TYPES = {"cpu": "cpu", "gpu": "cuda", "cuda": "cuda"}


class JaxBackend(Backend):
    """JAX: every CPU device that it was told to make, and every CUDA device that there is.

    Loading it switches JAX's double precision on.
    """

    name = "jax"
    immutable = True
    xp = jnp

    def __init__(self) -> None:
        jax.config.update("jax_enable_x64", True)
        super().__init__()
        self.array_type = type(jnp.zeros(()))
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

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        return standard_dtypes

    # --- kernels -----------------------------------------------------------------------------------------------------

    def kernel(self, name: str) -> Callable[..., Any]:
        if name in ("assign", "getitem", "scatter", "unwritten", "written"):
            return as_shared(getattr(_indexing, name))
        found = KERNELS.get(name) or corrected(jnp, name)
        for namespace in (jnp.linalg, jnp.fft, jnp):
            if found is None and callable(getattr(namespace, name, None)):
                found = getattr(namespace, name)
        return generic_kernel(self, name) if found is None else as_shared(found)

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
        if copy is False:
            raise CopyRequiredError("numpy(): JAX's arrays share no memory that can be written\nFix: copy=None")
        return np.array(raw, copy=True)

    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError("from_dlpack(): JAX's arrays share no memory that can be written\nFix: copy=None")
        if isinstance(producer, np.ndarray):
            return self.from_numpy(producer, place or next(iter(self._devices)), copy=None)
        if int(producer.__dlpack_device__()[0]) == 1:
            # Through NumPy: JAX takes no strides.
            return self.from_numpy(np.from_dlpack(producer), place or next(iter(self._devices)), copy=None)
        raw = jnp.array(jnp.from_dlpack(producer), copy=True)
        return raw if place is None else self.move(raw, place)

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        # The consumer may write, so it gets memory of its own unless it asks for ours.
        shared = keywords.pop("copy", None) is False
        if (keywords.get("max_version") or (1, 0)) < (1, 0):
            del keywords["max_version"]  # the oldest form, which JAX does not call a version
        return (raw if shared else jnp.array(raw, copy=True)).__dlpack__(**keywords)

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
