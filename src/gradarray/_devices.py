"""Devices: interned names of a place where data lies and of the library that holds it.

Grammar: ``[backend:]type[:index]``, for example ``"cpu"``, ``"cuda:1"``, ``"torch:cuda:0"``, ``"strict:device1"``. A
bare ``cpu`` is NumPy's and a bare ``cuda`` CuPy's; a bare backend name is that backend's first device.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any

from . import _backend
from ._errors import ArgumentTypeError, UnknownDeviceError
from ._operations import kernel_name

#: The backend that a device type belongs to when no backend is named.
_BARE_TYPES = {"cpu": "numpy", "cuda": "cupy"}


class Kernels(dict[Any, Callable[..., Any]]):
    """The raw function of each operation on one device, looked up in the backend at first use."""

    __slots__ = ("backend",)

    def __init__(self, backend: _backend.Backend) -> None:
        super().__init__()
        self.backend = backend

    def __missing__(self, operation: Callable[..., Any]) -> Callable[..., Any]:
        kernel = self.backend.kernel(kernel_name(operation))
        self[operation] = kernel
        return kernel


class Device:
    """A device: one backend's name for one place where arrays lie.

    Instances are interned: two devices are equal exactly when they are the same object, which is what the check on
    every operation compares. Get one with :func:`gradarray.get_device` or from ``array.device``.

    Attributes
    ----------
    backend_name, type, index
        The three parts of the name; ``index`` is None for a device that is the only one of its type.
    """

    __slots__ = (
        "array_type",
        "backend",
        "backend_name",
        "constants",
        "elementwise",
        "has_streams",
        "index",
        "kernels",
        "promotes",
        "type",
        "xp",
    )

    _interned: dict[tuple[str, str, int | None], Device] = {}

    backend: _backend.Backend
    kernels: Kernels
    elementwise: dict[Any, Callable[..., Any]]
    constants: dict[tuple[Any, Any], Any]
    array_type: type
    promotes: bool
    has_streams: bool
    xp: Any
    backend_name: str
    type: str
    index: int | None

    def __new__(cls, backend_name: str, type: str, index: int | None = None) -> Device:
        key = (backend_name, type, index)
        try:
            return cls._interned[key]
        except KeyError:
            pass
        backend = _backend.load(backend_name)
        if (type, index) not in backend.devices():
            raise UnknownDeviceError(_unknown(str(key[0]) + ":" + type + ("" if index is None else f":{index}")))
        # setdefault, not assignment: two threads may meet here, and only one object may ever be seen.
        return cls._interned.setdefault(key, cls._unnamed(backend, type, index))

    @classmethod
    def _unnamed(cls, backend: _backend.Backend, type: str, index: int | None) -> Device:
        """A device that no name finds."""
        self = object.__new__(cls)
        self.backend_name, self.type, self.index = backend.name, type, index
        self.backend = backend
        self.array_type = backend.array_type
        self.promotes = backend.promotes
        self.has_streams = backend.has_streams
        self.xp = backend.rule_namespace
        self.constants = backend.constants
        self.elementwise = {}
        self.kernels = Kernels(backend)
        return self

    def __str__(self) -> str:
        name = self.type if self.index is None else f"{self.type}:{self.index}"
        return name if _BARE_TYPES.get(self.type) == self.backend_name else f"{self.backend_name}:{name}"

    def __repr__(self) -> str:
        return f"gradarray.Device({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Device):
            return self is other
        try:
            return self is get_device(other)
        except (UnknownDeviceError, ArgumentTypeError, ImportError):
            return False

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Callable[..., Device], tuple[str, str, int | None]]:
        return Device, (self.backend_name, self.type, self.index)


def get_device(device: Any) -> Device:
    """The :class:`Device` that `device` stands for.

    Parameters
    ----------
    device : Device, str or a library's own device object
        A device, text in the grammar ``[backend:]type[:index]``, or what an array library calls a device.

    Raises
    ------
    UnknownDeviceError
        If there is no such device; the message lists those there are.
    MissingBackendError
        If the backend's library is not installed; the message names the extra to install.
    """
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return _parse(device)
    for backend in _backend.loaded():
        place = backend.recognize(device)
        if place is not None:
            return Device(backend.name, *place)
    raise ArgumentTypeError(
        f"device: {device!r} of type {type(device).__qualname__} is not a device\n"
        f"Fix: use one of {', '.join(repr(str(d)) for d in available())}"
    )


def _parse(text: str) -> Device:
    head, _, rest = text.partition(":")
    if head in _backend.names() and head not in _BARE_TYPES:
        backend_name, place = head, rest
    elif head in _BARE_TYPES:
        backend_name, place = _BARE_TYPES[head], text
        if backend_name not in _backend.names():
            raise UnknownDeviceError(_unknown(text))
    else:
        raise UnknownDeviceError(_unknown(text))
    backend = _backend.load(backend_name)
    if not place:
        kind, index = backend.devices()[0]
        return Device(backend_name, kind, index)
    kind, _, number = place.partition(":")
    if number and not number.isdecimal():
        raise UnknownDeviceError(_unknown(text))
    wanted = int(number) if number else None
    places = backend.devices()
    # "cuda" means "cuda:0", and "cpu:0" means "cpu" where there is only one.
    for candidate in (wanted, 0 if wanted is None else None if wanted == 0 else wanted):
        if (kind, candidate) in places:
            return Device(backend_name, kind, candidate)
    raise UnknownDeviceError(_unknown(text))


def _unknown(text: str) -> str:
    return (
        f"device: there is no device {text!r} here\n"
        f"Fix: use one of {', '.join(repr(str(d)) for d in available())}, or install the extra of another backend"
    )


def available() -> tuple[Device, ...]:
    """Every device of every backend that is loaded, NumPy's first."""
    return tuple(Device(b.name, kind, index) for b in _backend.loaded() for kind, index in b.devices())


def cpu() -> Device:
    """NumPy's device."""
    return Device("numpy", "cpu", None)


def memory_info(device: Any) -> _backend.MemoryInfo:
    """Figures of a device's memory.

    Parameters
    ----------
    device : Device or str
        The device.

    Returns
    -------
    MemoryInfo
        ``used``, ``reserved``, ``free`` and ``total`` in bytes, each None where the library does not tell.

    Raises
    ------
    UnknownDeviceError
        If there is no such device.
    """
    found = get_device(device)
    return found.backend.memory_info((found.type, found.index))


_default: Device | None = None
_context_device: ContextVar[Device | None] = ContextVar("gradarray_device", default=None)


def default_device() -> Device:
    """The device on which arrays are created when neither an argument nor an input says where."""
    device = _context_device.get()
    if device is not None:
        return device
    if _default is not None:
        return _default
    return cpu()


def set_default_device(device: Any) -> None:
    """Set the device on which arrays are created by default; None restores ``cpu``.

    Affects creation only, in every thread; it moves nothing. ``with gradarray.device(...)`` takes precedence.
    """
    global _default
    _default = None if device is None else get_device(device)


class device:
    """Context manager: create arrays on the given device inside the block.

    Affects creation only, in the current thread or task; it moves nothing. A ``device=`` argument takes precedence.

    Examples
    --------
    >>> import gradarray as ga
    >>> with ga.device("cpu"):
    ...     ga.zeros(3).device
    gradarray.Device('cpu')
    """

    __slots__ = ("_tokens", "device")

    def __init__(self, device: Any) -> None:
        self.device = get_device(device)
        self._tokens: list[Token[Device | None]] = []

    def __enter__(self) -> Device:
        self._tokens.append(_context_device.set(self.device))
        return self.device

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _context_device.reset(self._tokens.pop())


def read_environment() -> None:
    """Take the default device from the environment variable GRADARRAY_DEVICE, if it is set."""
    name = os.environ.get("GRADARRAY_DEVICE")
    if name:
        set_default_device(name)
