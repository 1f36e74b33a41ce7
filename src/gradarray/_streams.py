"""Streams and current devices: a walk computes each operation where and on which stream it was recorded.

Some libraries work on a current device only, and queue their work on streams that do not wait for one another. A node
knows its stream, if that was not the default one. During a walk back each stream waits for those that made the
cotangents that it reads, and at the end all wait for all: only then are values let go that were used on another stream
than that which may have their memory next.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, TypeAlias

from ._devices import Device
from ._graph import Node, Slot

#: A device and one of its streams.
Lane: TypeAlias = tuple[Device, Any]

#: Whether any node was ever recorded on a device with streams: until then no walk looks for them.
noted_anywhere = False


def note(node: Node) -> None:
    """Note on which stream a node is recorded, if it is not the default one."""
    global noted_anywhere
    noted_anywhere = True
    device = node.device
    stream = device.backend.current_stream((device.type, device.index))
    if stream is not None:
        node.stream = stream


def lanes(order: Sequence[Node], starts: Sequence[Any] = (), *, back: bool) -> Lanes | None:
    """What a walk over the nodes must do about streams and devices; None if all are current.

    Backward, each node has its own stream. Forward, the one that is current on its device.
    """
    if not noted_anywhere:
        return None
    current: dict[Device, Any] = {}
    for device in {node.device for node in (*order, *starts)}:
        if device.has_streams:
            current[device] = device.backend.current_stream((device.type, device.index))
    if not current:
        return None
    used = set(current.items())
    for node in order:
        if node.device in current:
            # What was recorded on the default stream runs on the current one, which has to wait for it.
            used.add((node.device, getattr(node, "stream", None)))
    elsewhere = any(device.backend.current_place() not in (None, (device.type, device.index)) for device in current)
    return Lanes(current, used, back=back) if elsewhere or len(used) > 1 else None


class Lanes(AbstractContextManager["Lanes"]):
    """The devices and streams of one walk."""

    def __init__(self, current: dict[Device, Any], used: set[Lane], *, back: bool) -> None:
        self._current = current
        self._used = list(used)
        self._back = back
        #: The lane on which the cotangent of a node was made.
        self._made: dict[Any, Lane] = {}
        self._held: list[Any] = []
        self._lane: Lane | None = None
        self._here: AbstractContextManager[Any] = nullcontext()

    def __enter__(self) -> Lanes:
        self._meet()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._switch(None)
        self._meet()
        self._held.clear()

    def at(self, device: Device) -> None:
        """Go to a device, and to the stream that was current there."""
        self._switch((device, self._current[device]) if device in self._current else None)

    def enter(self, node: Node, parents: Sequence[Any] = (), *values: Any) -> None:
        """Go to a node's device and stream, to make cotangents of its parents; `values` are what it reads."""
        if len(self._used) > 1:
            self._held.append(values)
        lane = None
        if node.device in self._current:
            stream = getattr(node, "stream", None) if self._back else None
            lane = (node.device, self._current[node.device] if stream is None else stream)
        self._switch(lane)
        if not self._back:
            return
        if lane is not None:
            self._read(node, lane)
        for parent in parents:
            if parent is None or parent.device not in self._current:
                continue
            # What a move gives to another device is made on the stream that is current there.
            there = lane if parent.device is node.device else (parent.device, self._current[parent.device])
            assert there is not None
            self._read(_own(parent), there)
            self._made[_own(parent)] = there

    def _read(self, node: Any, lane: Lane) -> None:
        """Let a lane wait for the one on which the cotangent of a node was made."""
        made = self._made.get(node)
        if made is not None and made != lane:
            _wait(lane, made)

    def _meet(self) -> None:
        """Make every stream wait for all the others."""
        first, *others = self._used
        for lane in others:
            _wait(first, lane)
        for lane in others:
            _wait(lane, first)

    def _switch(self, lane: Lane | None) -> None:
        if lane == self._lane:
            return
        self._here.__exit__(None, None, None)
        self._here, self._lane = nullcontext(), None
        if lane is not None:
            device, stream = lane
            here = device.backend.on_stream((device.type, device.index), stream)
            here.__enter__()
            self._here, self._lane = here, lane


def _own(node: Any) -> Any:
    return node.node if type(node) is Slot else node


def _wait(lane: Lane, other: Lane) -> None:
    """Let later work on the first stream begin after the work on the second so far."""
    (device, stream), (there, its_stream) = lane, other
    if device.backend is there.backend:
        place, other_place = (device.type, device.index), (there.type, there.index)
        device.backend.wait_for(place, stream, other_place, its_stream)
