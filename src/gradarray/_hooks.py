"""What people hang on a graph: hooks on gradients, and gradients kept at nodes that are not leaves."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from . import _engine, _errors
from ._array import Array
from ._graph import Leaf, Node, Slot

Hook = Callable[[Array], Array | None]
Observer = Callable[[Array], None]


class Attached:
    """The hooks of one leaf, or of one node for each of its outputs.

    Attributes
    ----------
    hooks : dict
        For each output (0 where there is one) its hooks, in the order in which they were registered.
    afterwards : dict
        For a leaf: what is called when its gradient was accumulated.
    retained : dict
        For each output whose gradient is kept: the gradient, or None as long as there is none.
    array : weakref.ref or None
        For a leaf: the array that `afterwards` is called with.
    where : tuple or None
        The line of the user's program that recorded the node, noted by ``detect_anomaly``.
    """

    __slots__ = ("afterwards", "array", "hooks", "retained", "where")

    def __init__(self) -> None:
        self.hooks: dict[int, dict[int, Hook]] = {}
        self.afterwards: dict[int, Observer] = {}
        self.retained: dict[int, Array | None] = {}
        self.array: weakref.ref[Array] | None = None
        self.where: tuple[str, int, str] | None = None


class HookHandle:
    """What registering a hook returns: takes the hook away again.

    Also a context manager, which removes the hook at the end of its block.
    """

    __slots__ = ("_hooks", "_number")

    def __init__(self, hooks: dict[int, Any], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        self._number = next(_numbers)
        hooks[self._number] = hook

    def remove(self) -> None:
        """Take the hook away; nothing happens if it is gone already."""
        self._hooks.pop(self._number, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


_numbers = itertools.count()


def attached(node: Leaf | Node) -> Attached:
    """What hangs on a node; made if there is nothing yet."""
    try:
        found: Attached = node.attached
    except AttributeError:
        found = node.attached = Attached()
        _engine.attached_anywhere = True
    return found


def _place(node: Any) -> tuple[Leaf | Node, int]:
    return (node.node, node.index) if type(node) is Slot else (node, 0)


def register(x: Array, hook: Hook) -> HookHandle:
    """Register a hook on the gradient of an array; see `Array.register_hook`."""
    node = x._tracked
    if node is None:
        raise _untracked("register_hook", x)
    node, index = _place(node)
    return HookHandle(attached(node).hooks.setdefault(index, {}), hook)


def register_afterwards(x: Array, hook: Observer) -> HookHandle:
    """Register what is called after accumulation; see `Array.register_post_accumulate_grad_hook`."""
    node = x._node
    if type(node) is not Leaf:
        raise _errors.NotTrackedError(
            _errors.message(
                "register_post_accumulate_grad_hook",
                "only a leaf that requires grad accumulates a gradient",
                [("x", x)],
                "use register_hook, or x.requires_grad_()",
            )
        )
    here = attached(node)
    here.array = weakref.ref(x)
    return HookHandle(here.afterwards, hook)


def retain(x: Array) -> None:
    """Keep the gradient of an array that is not a leaf; see `Array.retain_grad`."""
    node = x._tracked
    if node is None:
        raise _untracked("retain_grad", x)
    if type(node) is not Leaf:
        node, index = _place(node)
        attached(node).retained.setdefault(index, None)


def retained(x: Array) -> tuple[bool, Array | None]:
    """Whether the gradient of an array that is not a leaf is kept, and what it is."""
    node, index = _place(x._tracked)
    kept = getattr(node, "attached", None)
    if kept is None or index not in kept.retained:
        return False, None
    return True, kept.retained[index]


def replace_retained(x: Array, value: Array | None) -> None:
    """Set the kept gradient of an array whose gradient is kept."""
    node, index = _place(x._tracked)
    node.attached.retained[index] = value


def _untracked(op: str, x: Array) -> _errors.NotTrackedError:
    return _errors.NotTrackedError(
        _errors.message(op, "the array does not require grad", [("x", x)], "x.requires_grad_() first")
    )


# --- what the engine calls -------------------------------------------------------------------------------------------


def applied(node: Any, g: Any, index: int, record: bool) -> Any:
    """A complete cotangent after the hooks of its node have seen it; kept if that was asked for."""
    here: Attached | None = getattr(node, "attached", None)
    if here is None:
        return g
    for hook in tuple(here.hooks.get(index, {}).values()):
        seen = g if record else _engine.own(node.device, g)
        replaced = hook(seen)
        if replaced is not None:
            _check(seen, replaced)
            g = replaced if record else replaced._data
    if index in here.retained:
        new = g if record else _engine.own(node.device, g)
        old = here.retained[index]
        here.retained[index] = new if old is None else _engine.added(old, new, record)
    return g


def _check(g: Array, replaced: Any) -> None:
    if type(replaced) is not Array:
        raise _errors.ArgumentTypeError(
            _errors.message(
                "register_hook",
                "a hook must return an array or None",
                [("gradient", g), ("returned", replaced)],
                "return the new gradient, or nothing",
            )
        )
    _engine.check_gradient("register_hook", g, replaced, "returned")


def after_accumulation(leaves: list[Leaf]) -> None:
    """Call what is registered on the leaves whose gradients were accumulated."""
    for leaf in leaves:
        here: Attached | None = getattr(leaf, "attached", None)
        if here is None or not here.afterwards or here.array is None:
            continue
        x = here.array()
        if x is not None:
            for hook in tuple(here.afterwards.values()):
                hook(x)
