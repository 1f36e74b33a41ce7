"""A stand-in for CuPy over NumPy, with CuPy's traps built in, so that the CuPy backend runs where there is no GPU.

It proves plumbing only: devices, streams, memory, and the places where CuPy differs from NumPy. Two devices are
pretended. Operands on another device than the current one are an error, as between GPUs without peer access. With
`settings.deferred` work is queued on the current stream and done when something waits for it; until then there is
garbage in the results, and in memory that was freed on its own stream. ``tests/test_cupy_contract.py`` holds it to what
the real library looks like.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from . import _arrays, _devices, _fft, _functions, _linalg, _memory, _special
from ._devices import settings

__all__ = ["install", "settings"]


def install() -> types.ModuleType:
    """Put the stand-in into the place of ``cupy`` and ``cupyx``, whether they are there or not."""
    for name in list(sys.modules):
        if name.split(".")[0] in ("cupy", "cupyx", "gradarray_cupy") or name.startswith("array_api_compat.cupy"):
            del sys.modules[name]
    cupy = _module("cupy", _functions.NAMESPACE)
    cupy.__version__ = "14.2.0+stand.in"
    cupy.ndarray = _arrays.ndarray
    cupy.get_default_memory_pool = _memory.get_default_memory_pool
    cupy.linalg = _module("cupy.linalg", _linalg.NAMESPACE)
    cupy.fft = _module("cupy.fft", _fft.NAMESPACE)
    cupy.cuda = _module("cupy.cuda", _memory.NAMESPACE)
    for name in ("Device", "Event", "Stream", "get_current_stream"):
        setattr(cupy.cuda, name, getattr(_devices, name))
    cupy.cuda.is_available = lambda: True
    cupy.cuda.runtime = _module("cupy.cuda.runtime", _devices.RUNTIME)
    cupy.cuda.device = _module("cupy.cuda.device", {"Device": _devices.Device})
    pinned = {"is_memory_pinned": _memory.is_memory_pinned}
    cupy.cuda.pinned_memory = _module("cupy.cuda.pinned_memory", pinned)
    cupy._core = _module("cupy._core", {})
    names = ("COMPUTE_TYPE_DEFAULT", "COMPUTE_TYPE_TF32", "get_compute_type", "set_compute_type")
    cupy._core._routines_linalg = _module(
        "cupy._core._routines_linalg", {name: getattr(_linalg, name) for name in names}
    )
    cupyx = {"errstate": _linalg.errstate, "scatter_add": _functions.scatter_add, "empty_pinned": _memory.empty_pinned}
    _module("cupyx", cupyx)
    _module("cupyx.scipy", {})
    _module("cupyx.scipy.special", _special.NAMESPACE)
    return cupy


def _module(name: str, contents: dict[str, Any]) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__path__ = []
    module.__dict__.update(contents)
    sys.modules[name] = module
    return module
