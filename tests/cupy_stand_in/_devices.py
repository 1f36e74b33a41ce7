"""Devices, streams and events that are pretended, and what is current in each thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

COUNT = 2


class CUDARuntimeError(RuntimeError):
    """What the runtime says."""


class Settings:
    """How the stand-in behaves: changed by tests."""

    def __init__(self) -> None:
        #: Whether work waits on its stream until something synchronizes.
        self.deferred = False
        #: Whether a kernel has broken the context: everything fails from then on.
        self.broken = False
        #: The name, device and stream of each launch, if it is a list.
        self.log: list[tuple[str, int, int]] | None = None


settings = Settings()


class Queue:
    """The work of one stream on one device, in order."""

    def __init__(self) -> None:
        self.work: deque[Callable[[], None]] = deque()
        #: Memory that the next allocation takes.
        self.freed: list[Any] = []
        self.pushed = 0
        self.done = 0

    def push(self, work: Callable[[], None]) -> None:
        self.work.append(work)
        self.pushed += 1

    def run(self, until: int | None = None) -> None:
        while self.work and (until is None or self.done < until):
            self.done += 1
            self.work.popleft()()


class Device:
    """A device; entering it makes it current."""

    __hash__ = None  # as CuPy's

    def __init__(self, device: Any = None) -> None:
        self.id = current.device if device is None else int(device)

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __enter__(self) -> Device:
        current.stack.append(current.device)
        self.use()
        return self

    def __exit__(self, *error: object) -> None:
        current.device = current.stack.pop()

    def use(self) -> Device:
        if not 0 <= self.id < COUNT:
            raise CUDARuntimeError("cudaErrorInvalidDevice: invalid device ordinal")
        current.device = self.id
        return self

    def synchronize(self) -> None:
        for stream in Stream.all:
            stream._queue(self.id).run()

    @property
    def mem_info(self) -> tuple[int, int]:
        return 6 << 30, 8 << 30


class Event:
    """A place in a stream's work."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        self._queue = Queue()
        self._until = 0

    def record(self, stream: Stream | None = None) -> None:
        self._queue = (stream or get_current_stream())._queue()
        self._until = self._queue.pushed

    def synchronize(self) -> None:
        self._queue.run(self._until)


class Stream:
    """A stream. The null stream belongs to every device; every other one to the device on which it was made."""

    all: list[Stream] = []
    null: Stream
    ptds: Stream

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: int = 0) -> None:
        self.ptr = 0 if null else 2 if ptds else 1000 + len(Stream.all)
        self.device_id = -1 if null or ptds else current.device
        self._queues = [Queue() for _ in range(COUNT)]
        self._entered: list[int] = []
        Stream.all.append(self)

    def _queue(self, device: int | None = None) -> Queue:
        return self._queues[current.device if device is None else device]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.ptr == self.ptr

    def __hash__(self) -> int:
        return self.ptr

    def __enter__(self) -> Stream:
        if self.device_id not in (-1, current.device):
            raise RuntimeError(
                f"The device that the stream is created on ({self.device_id}) does not match with the current device "
                f"({current.device})"
            )
        current.entered.append((current.device, current.streams[current.device]))
        current.streams[current.device] = self
        return self

    def __exit__(self, *error: object) -> None:
        device, before = current.entered.pop()
        current.streams[device] = before

    def use(self) -> Stream:
        current.streams[current.device] = self
        return self

    def record(self, event: Event | None = None) -> Event:
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        queue, until = event._queue, event._until
        self._queue(self.device_id if self.device_id >= 0 else None).push(lambda: queue.run(until))

    def synchronize(self) -> None:
        self._queue(self.device_id if self.device_id >= 0 else None).run()


class _Current(threading.local):
    def __init__(self) -> None:
        self.device = 0
        self.stack: list[int] = []
        self.streams = [Stream.null] * COUNT
        self.entered: list[tuple[int, Stream]] = []


class _First:
    device = 0


current: Any = _First()
Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)
current = _Current()


def get_current_stream(device_id: int = -1) -> Stream:
    return current.streams[current.device if device_id == -1 else device_id]


RUNTIME = {
    "CUDARuntimeError": CUDARuntimeError,
    "getDevice": lambda: current.device,
    "getDeviceCount": lambda: COUNT,
    "setDevice": lambda device: Device(device).use() and None,
}
