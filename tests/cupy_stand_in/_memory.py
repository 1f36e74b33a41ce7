"""Memory of the pretended devices: NumPy bytes that know their device and the stream on which they were allocated."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _devices
from ._devices import settings


class Memory:
    """Allocated memory. Once it is free, the next allocation on the same stream may have it, whoever reads it still."""

    def __init__(self, size: int) -> None:
        self.buffer = np.full(size, 0xFF if settings.deferred else 0, np.uint8)
        self.size = size
        self.ptr = self.buffer.ctypes.data
        self.device_id = _devices.current.device
        self._queue = _devices.get_current_stream()._queue()
        while self._queue.freed:
            self._queue.push(functools.partial(self._queue.freed.pop().fill, 0xFF))
        _pool.used += size

    @property
    def device(self) -> _devices.Device:
        return _devices.Device(self.device_id)

    def __del__(self) -> None:
        _pool.used -= self.size
        if settings is not None and settings.deferred:
            self._queue.freed.append(self.buffer)


class ManagedMemory(Memory):
    """Memory that the host sees too."""


class UnownedMemory:
    """Memory of somebody else."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        self.ptr, self.size, self._owner = ptr, size, owner
        self.device_id = device_id


class MemoryPointer:
    """A place in memory."""

    def __init__(self, mem: Any, offset: int) -> None:
        self.mem = mem
        self.ptr = mem.ptr + offset

    @property
    def device_id(self) -> int:
        return self.mem.device_id

    @property
    def device(self) -> _devices.Device:
        return _devices.Device(self.device_id)

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)


class MemoryPool:
    """What the default pool tells of itself."""

    def __init__(self) -> None:
        self.used = 0

    def used_bytes(self) -> int:
        return self.used

    def total_bytes(self) -> int:
        return max(self.used, 512)


_pool = MemoryPool()


def get_default_memory_pool() -> MemoryPool:
    return _pool


def malloc_managed(size: int) -> MemoryPointer:
    return MemoryPointer(ManagedMemory(size), 0)


_allocator: Callable[[int], MemoryPointer] = lambda size: MemoryPointer(Memory(size), 0)


def alloc(size: int) -> MemoryPointer:
    return _allocator(size)


def get_allocator() -> Callable[[int], MemoryPointer]:
    return _allocator


def set_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> None:
    global _allocator
    _allocator = allocator or (lambda size: MemoryPointer(Memory(size), 0))


@contextlib.contextmanager
def using_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> Iterator[None]:
    before = _allocator
    set_allocator(allocator)
    try:
        yield
    finally:
        set_allocator(before)


_pinned: set[int] = set()


class _Pinned(np.ndarray[Any, Any]):
    def __del__(self) -> None:
        if self.base is None:
            _pinned.discard(self.ctypes.data)


def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> np.ndarray[Any, Any]:
    memory = _Pinned(shape, dtype, order=order)
    _pinned.add(memory.ctypes.data)
    return memory.view(np.ndarray)


def is_memory_pinned(data: int) -> bool:
    return data in _pinned


NAMESPACE = {
    function.__name__: function
    for function in (
        ManagedMemory,
        Memory,
        MemoryPointer,
        UnownedMemory,
        alloc,
        get_allocator,
        malloc_managed,
        set_allocator,
        using_allocator,
    )
}
