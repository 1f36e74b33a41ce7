"""The recorded graph: leaves, nodes, outputs of several, and the mode that says whether anything is recorded.

A node holds raw data and other nodes, never an `Array`, so graphs have no cycles and reference counting alone frees
their buffers.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Generator
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from ._array import Array
    from ._devices import Device
    from ._operations import Plan

#: Numbers nodes and writes in the order in which they happened.
next_sequence: Callable[[], int] = itertools.count(1).__next__

#: Whether operations are recorded: False, True, or the observers of every node that is.
recording: ContextVar[bool | Observers] = ContextVar("gradarray_recording", default=True)
#: The observers that recording has once it is enabled; None where nobody looks.
observers: ContextVar[Observers | None] = ContextVar("gradarray_observers", default=None)


#: How many functions that are being differentiated lie around what runs now.
nesting: ContextVar[int] = ContextVar("gradarray_nesting", default=0)


class Observers:
    """Who looks at every node when it is recorded: `see` what an operation is, `keep` what it has saved.

    Attributes
    ----------
    see : tuple of callable
        Called with each node.
    keep : callable or None
        Called with each node that has saved something, to put something else in the place of ``node.saved``.
    """

    __slots__ = ("keep", "see")

    def __init__(self, see: tuple[Callable[[Node], None], ...], keep: Callable[[Node], None] | None) -> None:
        self.see = see
        self.keep = keep

    def note(self, node: Node) -> None:
        """Show a new node to everybody."""
        for see in self.see:
            see(node)
        if self.keep is not None and node.plan.nothing is None:
            self.keep(node)


class observing:
    """Context manager: further observers of what is recorded in this thread or task."""

    __slots__ = ("_keep", "_see", "_tokens")

    def __init__(
        self, *, see: Callable[[Node], None] | None = None, keep: Callable[[Node], None] | None = None
    ) -> None:
        self._see = (see,) if see is not None else ()
        self._keep = keep
        self._tokens: list[tuple[Token[Any], Token[Any]]] = []

    def __enter__(self) -> None:
        former = observers.get()
        here = Observers(
            (former.see if former is not None else ()) + self._see,
            self._keep if self._keep is not None or former is None else former.keep,
        )
        self._tokens.append((observers.set(here), recording.set(here if recording.get() else False)))

    def __exit__(self, *error: object) -> None:
        first, second = self._tokens.pop()
        recording.reset(second)
        observers.reset(first)


class Leaf:
    """The end of a graph that belongs to an array that requires grad: where its gradient is kept."""

    __slots__ = ("attached", "device", "dtype", "grad", "shape")

    #: Hooks; unset where there are none.
    attached: Any
    name = "leaf"
    parents = ()

    def __init__(self, shape: tuple[int, ...], dtype: Any, device: Device) -> None:
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self.grad: Array | None = None


class Node:
    """One recorded operation.

    Attributes
    ----------
    plan : Plan
        Which rules to call, and what each reads.
    parents : tuple
        For each input its Leaf, Node or Slot, or None if it is not tracked.
    saved : tuple, Kept or None
        For each input, then the output: the raw value if some rule reads it, else None. None once freed.
    parameters : dict
        The operation's static parameters; unset where there are none.
    shape, dtype, device
        Of the output, dtype as the backend has it; for several outputs, None: each Slot has its own.
    sequence : int
        Larger than that of every parent.
    outputs : int
        Number of outputs; unset where there is one.
    attached : Attached
        Hooks and the like; unset where there are none.
    stream
        The stream of the backend that it was recorded on; unset where that is the default one.
    """

    __slots__ = (
        "attached",
        "device",
        "dtype",
        "outputs",
        "parameters",
        "parents",
        "plan",
        "saved",
        "sequence",
        "shape",
        "stream",
    )

    plan: Plan
    parents: tuple[Any, ...]
    saved: tuple[Any, ...] | Kept | None
    parameters: dict[str, Any]
    shape: Any
    dtype: Any
    device: Device
    sequence: int
    outputs: int
    attached: Any
    stream: Any

    @property
    def name(self) -> str:
        """Name of the operation."""
        return self.plan.operation.name

    def __repr__(self) -> str:
        return f"<gradarray graph node: {self.name}>"


class Kept:
    """What stands in the place of a node's saved values when somebody else keeps them."""

    __slots__ = ()

    def values(self, node: Node) -> tuple[Any, ...]:
        """The saved values as they were when the node was recorded, whatever was written since."""
        raise NotImplementedError


class Slot:
    """One output of a node that has several."""

    __slots__ = ("device", "dtype", "index", "node", "shape")

    @property
    def name(self) -> str:
        """Name of the operation."""
        return self.node.name

    @property
    def parents(self) -> tuple[Any, ...]:
        """What the operation was recorded on."""
        return self.node.parents

    def __init__(self, node: Node, index: int, shape: tuple[int, ...], dtype: Any, device: Device) -> None:
        self.node = node
        self.index = index
        self.shape = shape
        self.dtype = dtype
        self.device = device


_UNRESOLVED = object()


class View:
    """What an array that shares the memory of another has in place of a node.

    It is resolved to a node when it is used in a recorded operation, and again after the root's history has changed:
    so every view sees what was written through any other.

    Attributes
    ----------
    base : Array or None
        The array that the view was taken of, itself a view or the root. None for a detached alias: it shares memory
        but has no history.
    root : Array or None
        The array at the end of the chain of bases, which owns the history.
    """

    __slots__ = ("base", "node", "operation", "parameters", "root", "root_node")

    def __init__(self, base: Array | None, operation: Callable[..., Any] | None, parameters: dict[str, Any]) -> None:
        self.base = base
        self.operation = operation
        self.parameters = parameters
        self.root: Array | None = None
        if base is not None:
            self.root = base._node.root if type(base._node) is View else base
        self.root_node: Any = _UNRESOLVED
        self.node: Any = None

    def resolve(self) -> Any:
        """The node that this view stands for now; None if it is not tracked."""
        root = self.root
        if root is None:
            return None
        root_node = root._node
        if root_node is self.root_node:
            return self.node
        from ._dispatch import record

        stale = [self]
        node = root_node
        while True:
            base = stale[-1].base
            assert base is not None
            above = base._node
            if type(above) is not View:
                break
            if above.root_node is root_node:
                node = above.node
                break
            stale.append(above)
        for view in reversed(stale):
            if node is not None:
                assert view.base is not None and view.operation is not None
                data = view.base._data
                out = view._shape_of(data)
                node = record(view.operation, view.base._device, (data,), out, (node,), view.parameters)
            view.node = node
            view.root_node = root_node
        return self.node

    def path(self) -> tuple[tuple[Callable[..., Any], dict[str, Any]], ...]:
        """The operations that lead from the root to this view, each with its parameters."""
        steps = []
        view: Any = self
        while type(view) is View:
            steps.append((view.operation, view.parameters))
            view = view.base._node if view.base is not None else None
        return tuple(reversed(steps))

    def _shape_of(self, data: Any) -> Any:
        # Views move no data: running the kernel again is how the result's shape and dtype are known.
        assert self.base is not None and self.operation is not None
        return self.base._device.kernels[self.operation](data, **self.parameters)


#: The one view that stands for "shares memory with something, and has no history".
DETACHED = View(None, None, {})


Function = TypeVar("Function", bound=Callable[..., Any])


def _mode(enabled: bool) -> bool | Observers:
    return (observers.get() or True) if enabled else False


class _Mode:
    """Context manager and decorator that sets whether operations are recorded, in this thread or task only."""

    __slots__ = ("_enabled", "_tokens")

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled
        self._tokens: list[Token[bool | Observers]] = []

    def __enter__(self) -> None:
        self._tokens.append(recording.set(_mode(self._enabled)))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        recording.reset(self._tokens.pop())

    def __call__(self, function: Function) -> Function:
        return cast(Function, _decorate(self._enabled, function))


def _decorate(enabled: bool, function: Callable[..., Any]) -> Callable[..., Any]:
    import inspect  # only here: it costs more than the rest of this module

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with _Mode(enabled):
                return await function(*args, **kwargs)

        return coroutine
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            # The mode holds only while the generator's own code runs, never in its caller between two values.
            inner = function(*args, **kwargs)
            resume: Callable[[], Any] = inner.__next__
            try:
                while True:
                    try:
                        with _Mode(enabled):
                            value = resume()
                    except StopIteration as stop:
                        return stop.value
                    try:
                        sent = yield value
                        resume = functools.partial(inner.send, sent)
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        resume = functools.partial(inner.throw, error)
            finally:
                with _Mode(enabled):
                    inner.close()

        return generator

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with _Mode(enabled):
            return function(*args, **kwargs)

    return call


class no_grad(_Mode):
    """Context manager and decorator: do not record operations.

    Per thread and per task: a new thread starts with recording enabled.

    Examples
    --------
    >>> import gradarray as ga
    >>> x = ga.asarray([1.0, 2.0], requires_grad=True)
    >>> with ga.no_grad():
    ...     (x * 2).requires_grad
    False
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(False)


class enable_grad(_Mode):
    """Context manager and decorator: record operations, inside a ``no_grad`` block too."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(True)


class set_grad_enabled(_Mode):
    """Context manager and decorator: record operations or not, as `enabled` says.

    Called as a plain function it sets the mode at once, for the rest of the thread or task; used in a ``with`` block it
    restores the former mode at the end.

    Parameters
    ----------
    enabled : bool
        Whether to record.
    """

    __slots__ = ("_former",)

    def __init__(self, enabled: bool) -> None:
        super().__init__(bool(enabled))
        self._former = recording.get()
        recording.set(_mode(self._enabled))

    def __enter__(self) -> None:
        recording.set(_mode(self._enabled))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        recording.set(self._former)

    def __call__(self, function: Function) -> Function:
        recording.set(self._former)
        return super().__call__(function)


def is_grad_enabled() -> bool:
    """Whether operations are recorded in this thread or task."""
    return bool(recording.get())
