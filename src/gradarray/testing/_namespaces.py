"""Namespaces whose arrays are created on a given device, tracked or not, for conformance suites."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .._array import Array
from .._devices import Device, get_device
from .._dispatch import record
from .._dtypes import DIFFERENTIABLE
from .._graph import Leaf
from .._info import NamespaceInfo
from .._operations import derivative, same

_CREATION = (
    "arange asarray empty empty_like eye from_dlpack full full_like linspace ones ones_like zeros zeros_like".split()
)


def namespace(*, device: Any = None, tracked: bool = False) -> ModuleType:
    """A namespace whose arrays are created on a given device, tracked or not, for runs of conformance suites.

    Parameters
    ----------
    device : Device or str, optional
        The default device of its creation functions, and the only one that its inspection shows.
    tracked : bool, default: False
        Whether every floating-point array that a creation function returns is the tracked result of an operation.

    Returns
    -------
    module
        Everything that ``gradarray`` has, under the name ``gradarray``.
    """
    import gradarray

    where = get_device("cpu" if device is None else device)
    xp = ModuleType("gradarray")
    for name in gradarray.__all__:
        setattr(xp, name, getattr(gradarray, name))
    for name in _CREATION:
        setattr(xp, name, _created(getattr(gradarray, name), where, tracked))
    xp.fft = ModuleType("gradarray.fft")  # type: ignore[attr-defined]
    for name in gradarray.fft.__all__:
        setattr(xp.fft, name, getattr(gradarray.fft, name))
    for name in ("fftfreq", "rfftfreq"):
        setattr(xp.fft, name, _created(getattr(gradarray.fft, name), where, tracked))
    info = _Info(where)
    xp.__array_namespace_info__ = lambda: info  # type: ignore[attr-defined]
    return xp


def track(x: Array) -> Array:
    """`x`, now the tracked result of an operation if it is a floating-point array: same memory, new history."""
    if x.dtype in DIFFERENTIABLE and not x.requires_grad:
        leaf = Leaf(x._data.shape, x._data.dtype, x._device)
        x._node = record(_identity, x._device, (None,), x._data, (leaf,), {})
    return x


@derivative(x=same, kind="elementwise")
def _identity(x: Array, /) -> Array:
    return x


def _created(function: Callable[..., Array], device: Device, tracked: bool) -> Callable[..., Array]:
    follows = function.__name__.endswith("_like")

    @functools.wraps(function)
    def create(*args: Any, **keywords: Any) -> Array:
        if keywords.get("device") is None and not follows and not (args and isinstance(args[0], Array)):
            keywords["device"] = device
        result = function(*args, **keywords)
        return track(result) if tracked else result

    return create


class _Info(NamespaceInfo):
    __slots__ = ("_device",)

    def __init__(self, device: Device) -> None:
        self._device = device

    def default_device(self) -> Device:
        return self._device

    def devices(self) -> tuple[Device, ...]:
        return (self._device,)

    def default_dtypes(self, *, device: Any = None) -> Any:
        return super().default_dtypes(device=device or self._device)

    def dtypes(self, *, device: Any = None, kind: Any = None) -> Any:
        return super().dtypes(device=device or self._device, kind=kind)
