"""Raw functions for what SciPy computes in compiled code: each library's own, or SciPy's on the host."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from .._kernels import BEYOND, on_host, scipy_function

if TYPE_CHECKING:
    from .._backend import Backend

Kernel = Callable[..., Any]

__all__ = ["Kernel", "from_scipy", "kernel", "on_host", "scipy_function"]


def from_scipy(*names: str) -> None:
    """Give operations of these dotted names the kernels that SciPy's functions of the same names are."""
    for name in names:
        BEYOND[name] = partial(_own_or_host, name)


def _own_or_host(name: str, backend: Backend) -> Kernel:
    return backend.scipy(name) or on_host(backend, scipy_function(name))


def kernel(name: str) -> Callable[[Callable[[Any], Kernel]], Callable[[Any], Kernel]]:
    """Give the operation of a dotted name the kernel that the decorated function makes for a backend."""

    def decorate(factory: Callable[[Any], Kernel]) -> Callable[[Any], Kernel]:
        BEYOND[name] = factory
        return factory

    return decorate
