"""Questions about tensors and data types, and what is set for the whole program."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

from typing import Any

import numpy as np

import gradarray as ga

from .. import _devices
from . import _types
from ._calls import operand
from ._tensor import Tensor


def is_tensor(obj: Any) -> bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Whether the data type is a real floating-point one."""
    return input.is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the data type is complex."""
    return input.is_complex()


def is_nonzero(input: Tensor) -> bool:
    """Whether the only element is not 0."""
    return bool(input)


def numel(input: Tensor) -> int:
    """Number of elements."""
    return input.numel()


def finfo(type: Any = None) -> Any:
    """Limits of a floating-point data type, by default the default one; see `gradarray.finfo`."""
    return ga.finfo(_types.own_dtype(type, "finfo") or _types.default_of("f"))


def iinfo(type: Any) -> Any:
    """Limits of an integer data type; see `gradarray.iinfo`."""
    return ga.iinfo(_types.own_dtype(type, "iinfo"))


def result_type(tensor1: Any, tensor2: Any) -> _types.dtype:
    """Data type in which PyTorch computes with two tensors or numbers."""
    found = _types.result_of([operand(tensor1), operand(tensor2)])
    if found is None:  # two numbers
        found = _types.default_of(np.result_type(tensor1, tensor2).kind)
    return _types.of_dtype(found)


def promote_types(type1: Any, type2: Any) -> _types.dtype:
    """Data type to which two promote."""
    first, second = _types.own_dtype(type1, "promote_types"), _types.own_dtype(type2, "promote_types")
    assert first is not None and second is not None
    return _types.of_dtype(_types.promote(first, second))


def get_default_device() -> _types.device:
    """Device on which tensors are created without one."""
    return _types.device(_devices.default_device())


def set_default_device(device: Any) -> None:
    """Set the device on which tensors are created without one; None restores the host."""
    _devices.set_default_device(_types.own_device(device))
