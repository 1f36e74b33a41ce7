"""Who keeps what a graph has saved: hooks that pack and unpack it, and checkpoints that compute it again."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from .. import _dispatch, _errors, _mutation
from .._array import Array
from .._graph import DETACHED, Kept, Node, enable_grad, nesting, next_sequence, observing
from . import _trees

# --- pack and unpack -------------------------------------------------------------------------------------------------


class saved_values_hooks(observing):
    """Context manager: pass every value that the graph saves through functions of one's own.

    Parameters
    ----------
    pack : callable
        Called with each array that is saved when an operation is recorded. Whatever it returns is kept instead.
    unpack : callable
        Called with what `pack` returned when a derivative needs the value; returns an array of the same shape, dtype
        and device. It may be called more than once, with ``retain_graph`` or ``create_graph``.

    Raises
    ------
    GradientError
        From ``backward()``, if `unpack` returns anything else.

    Notes
    -----
    Only what operations of this thread or task save inside the block. Of several such blocks the innermost counts.

    Examples
    --------
    >>> import gradarray as ga
    >>> x = ga.asarray([1.0, 2.0], requires_grad=True)
    >>> with ga.autograd.saved_values_hooks(lambda value: value.tolist(), ga.asarray):
    ...     y = ga.sum(x * x)
    >>> y.backward()
    >>> x.grad
    Array([2., 4.], dtype=float64, device='cpu')
    """

    __slots__ = ()

    def __init__(self, pack: Callable[[Array], Any], unpack: Callable[[Any], Array]) -> None:
        def keep(node: Node) -> None:
            saved = node.saved
            assert type(saved) is tuple
            node.saved = _Packed(
                tuple([_pack(node, pack, part) for part in saved]),
                unpack,
            )

        super().__init__(keep=keep)


class _Packed(Kept):
    """Saved values as `pack` left them."""

    __slots__ = ("_parts", "_unpack")

    def __init__(self, parts: tuple[Any, ...], unpack: Callable[[Any], Array]) -> None:
        self._parts = parts
        self._unpack = unpack

    def values(self, node: Node) -> tuple[Any, ...]:
        unpacked = tuple([_unpack(node, self._unpack, part) for part in self._parts])
        return _mutation.recover(node, unpacked) if _mutation.ledger else unpacked


class _Part:
    """What stands for one saved array."""

    __slots__ = ("dtype", "packed", "shape")

    def __init__(self, packed: Any, shape: tuple[int, ...], dtype: Any) -> None:
        self.packed = packed
        self.shape = shape
        self.dtype = dtype


def _pack(node: Node, pack: Callable[[Array], Any], raw: Any) -> Any:
    if type(raw) is tuple:
        return tuple([_pack(node, pack, part) for part in raw])
    if type(raw) is not node.device.array_type:
        return raw
    array: Any = raw
    return _Part(pack(_dispatch.wrap(array, node.device, DETACHED)), tuple(array.shape), array.dtype)


def _unpack(node: Node, unpack: Callable[[Any], Array], part: Any) -> Any:
    if type(part) is tuple:
        return tuple([_unpack(node, unpack, inner) for inner in part])
    if type(part) is not _Part:
        return part
    x = unpack(part.packed)
    dtype = node.device.backend.dtype(part.dtype)
    if type(x) is not Array or x._device is not node.device or x.shape != part.shape or x.dtype != dtype:
        raise _errors.GradientError(
            _errors.message(
                "saved_values_hooks",
                f"unpack must return what {node.name}() saved: {dtype} {part.shape} {node.device}",
                [("unpacked", x)],
                "return an array with the shape, data type and device that pack was given",
            )
        )
    return x._data


# --- checkpoint ------------------------------------------------------------------------------------------------------


def checkpoint(function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Any:
    """Run a function without keeping what its derivatives need; backward runs it again.

    Parameters
    ----------
    function : callable
        Must do the same each time it is called with the same arguments: no random numbers that are drawn anew, no
        state that changes.
    *args, **keywords
        Its arguments: anything. Arrays among them, also in nested containers, are kept until backward.

    Returns
    -------
    object
        What `function` returns; arrays that it depends on, arguments or not, get their gradients, to any order.

    Raises
    ------
    GradientError
        From ``backward()``, if the second run records other operations than the first.
    OverwrittenValueError
        From ``backward()``, if an argument or another value that the second run reads was overwritten meanwhile.

    Notes
    -----
    Saves memory for time: what lies inside is computed twice. The graph itself is kept, without its values.
    """
    region = _Region(function, args, keywords)
    with observing(keep=region.drop):
        result = function(*args, **keywords)
    region.close()
    return result


class _Region:
    """One checkpointed call: which operations it recorded, and how to get their saved values back."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self._call = function, args, keywords
        self._start = next_sequence()
        self._depth = nesting.get()
        self._closed = False
        self._names: list[str] = []
        self._values: dict[int, tuple[Any, ...]] = {}
        #: Buffers that the second run will read again, as far as they are known. Held, so that a write is noted.
        self._owners: dict[int, Any] = {}
        for _, x in _trees.flatten((args, keywords))[0]:
            if type(x) is Array:
                owner = x._device.backend.owner(x._data)
                self._owners[id(owner)] = owner

    def drop(self, node: Node) -> None:
        """Take the saved values of a new node away."""
        if nesting.get() != self._depth:
            return  # a derivative inside the function, which needs them at once
        for part in _arrays(node):
            owner = node.device.backend.owner(part)
            try:
                self._owners.setdefault(id(owner), weakref.ref(owner))
            except TypeError:
                self._owners.setdefault(id(owner), owner)
        node.saved = _Dropped(self, len(self._names))
        self._names.append(node.name)

    def close(self) -> None:
        """Note the end of the first run: what is alive now was not made for it alone."""
        self._closed = True
        alive = {key: owner() if type(owner) is weakref.ref else owner for key, owner in self._owners.items()}
        self._owners = {key: owner for key, owner in alive.items() if owner is not None}

    def values(self, number: int) -> tuple[Any, ...]:
        """The saved values of the node of the given number, which are forgotten then."""
        if not self._closed:
            raise _errors.GradientError(
                "checkpoint(): backward() was called inside the function\n"
                "Fix: call it outside, or use gradarray.grad inside"
            )
        if number not in self._values:
            self._run_again()
        return self._values.pop(number)

    def _run_again(self) -> None:
        function, args, keywords = self._call
        now = next_sequence()
        for key in self._owners:
            for write in _mutation.ledger.get(key, ()):
                if self._start < write.sequence < now:
                    raise _errors.OverwrittenValueError(
                        f"checkpoint(): a value that the second run reads was overwritten by {write.op}\n"
                        "Fix: write after backward(), or write into a copy"
                    )
        found: list[tuple[Node, tuple[Any, ...]]] = []
        depth = nesting.get()

        def take(node: Node) -> None:
            if nesting.get() == depth and type(node.saved) is tuple:
                found.append((node, node.saved))

        with enable_grad(), observing(keep=take):
            function(*args, **keywords)
        names = [node.name for node, _ in found]
        if names != self._names:
            first = next((i for i, (a, b) in enumerate(zip(names, self._names, strict=False)) if a != b), None)
            where = (
                f"operation {first} is {names[first]}() instead of {self._names[first]}()"
                if first is not None
                else f"{len(names)} operations instead of {len(self._names)}"
            )
            raise _errors.GradientError(
                f"checkpoint(): the function recorded other operations when it was run again: {where}\n"
                "Fix: let it do the same for the same arguments: seed random numbers inside it"
            )
        # Against the order of the second run, in which the function may have written into what it had made itself.
        self._values = {number: _mutation.recover(node, saved) for number, (node, saved) in enumerate(found)}


class _Dropped(Kept):
    """Saved values that are computed again when they are needed."""

    __slots__ = ("_number", "_region")

    def __init__(self, region: _Region, number: int) -> None:
        self._region = region
        self._number = number

    def values(self, node: Node) -> tuple[Any, ...]:
        return self._region.values(self._number)


def _arrays(node: Node) -> list[Any]:
    saved: Any = node.saved
    parts = [part for raw in saved for part in (raw if type(raw) is tuple else (raw,))]
    return [part for part in parts if type(part) is node.device.array_type]
