"""Whether operations are recorded: gradarray's own switches under PyTorch's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _graph
from .._graph import is_grad_enabled, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "is_grad_enabled", "no_grad", "set_grad_enabled"]


class _Switch(_graph._Mode):
    """Context manager and decorator, also without parentheses."""

    __slots__ = ()

    def __new__(cls, function: Any = None) -> Any:
        return cls()(function) if callable(function) else super().__new__(cls)


class no_grad(_Switch):
    """Context manager and decorator: do not record operations."""

    __slots__ = ()

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__(False)


class enable_grad(_Switch):
    """Context manager and decorator: record operations, inside a ``no_grad`` block too."""

    __slots__ = ()

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__(True)


class inference_mode(_Switch):
    """Context manager and decorator: do not record operations, as `no_grad`, unless `mode` is False."""

    __slots__ = ()

    def __init__(self, mode: Any = True) -> None:
        super().__init__(not mode)
