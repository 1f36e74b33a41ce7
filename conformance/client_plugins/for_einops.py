"""einops' tests of its operations: a class for a library is all that it takes to register one."""

from __future__ import annotations

from typing import Any

import einops.tests
import numpy as np
from einops._backends import AbstractBackend, TorchBackend
from namespace import NAME, xp

_ARRAY = type(xp.empty(0))


class Guest(AbstractBackend):
    """The namespace as einops sees a library."""

    framework_name = NAME

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, _ARRAY)

    def from_numpy(self, x: Any) -> Any:
        array = xp.asarray(np.ascontiguousarray(x) if np.ndim(x) else x)
        if hasattr(array, "requires_grad") and xp.isdtype(array.dtype, "real floating"):
            array.requires_grad = True  # their test of gradients looks at it
        return array

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x.detach() if hasattr(x, "detach") else x)

    def arange(self, start: int, stop: int) -> Any:
        return xp.arange(start, stop)

    def reshape(self, x: Any, shape: Any) -> Any:
        return xp.reshape(x, tuple(shape))

    def transpose(self, x: Any, axes: Any) -> Any:
        return xp.permute_dims(x, tuple(axes))

    def reduce(self, x: Any, operation: str, axes: Any) -> Any:
        return getattr(xp, operation)(x, axis=tuple(axes))

    def stack_on_zeroth_dimension(self, tensors: list[Any]) -> Any:
        return xp.stack(list(tensors))

    def add_axis(self, x: Any, new_position: int) -> Any:
        return xp.expand_dims(x, axis=new_position)

    def tile(self, x: Any, repeats: Any) -> Any:
        return xp.tile(x, tuple(repeats))

    def concat(self, tensors: Any, axis: int) -> Any:
        return xp.concat(list(tensors), axis=axis)

    def is_float_type(self, x: Any) -> bool:
        return bool(xp.isdtype(x.dtype, "real floating"))

    def einsum(self, pattern: str, *x: Any) -> Any:
        return xp.einsum(pattern, *x)


def _collected(symbolic: bool = False, layers: bool = False) -> list[Any]:
    # PyTorch beside: their test of gradients compares with it.
    return [] if symbolic or layers else [Guest(), *([] if NAME == "torch" else [TorchBackend()])]


einops.tests.collect_test_backends = _collected
