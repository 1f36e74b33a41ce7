"""What GPUs of NVIDIA's there are: PyTorch's module ``torch.cuda``."""

from __future__ import annotations

from typing import Any

from .. import _devices, _errors
from . import _missing, _types

__all__ = ["device_count", "is_available", "memory_allocated", "memory_reserved"]


def is_available() -> bool:
    """Whether there is a GPU, and CuPy to compute on it."""
    return device_count() > 0


def device_count() -> int:
    """Number of GPUs."""
    try:
        backend = _devices.get_device("cuda").backend
    except (_errors.DeviceError, ImportError):
        return 0
    return len(backend.devices())


def memory_allocated(device: Any = "cuda") -> int:
    """Bytes that tensors take on a GPU."""
    return int(_devices.memory_info(_types.own_device(device)).used or 0)


def memory_reserved(device: Any = "cuda") -> int:
    """Bytes that are kept on a GPU for tensors."""
    return int(_devices.memory_info(_types.own_device(device)).reserved or 0)


def __getattr__(name: str) -> Any:
    raise AttributeError(_missing.explain(name, "gradarray.torch.cuda"), name=name)
