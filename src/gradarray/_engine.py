"""Backward: the order of the walk, the fitting of cotangents, accumulation."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from . import _dispatch, _errors, _mutation
from ._array import Array
from ._devices import Device
from ._graph import Leaf, Node, Slot, enable_grad, no_grad
from ._operations import SHAPE, Call

_by_sequence = attrgetter("sequence")
#: Adding to a leaf's gradient is a read and a write; threads may share leaves.
_gradient_lock = threading.Lock()


def backward(
    y: Array,
    gradient: Array | None,
    *,
    retain_graph: bool,
    create_graph: bool,
    inputs: Sequence[Array] | None,
) -> None:
    """Accumulate into leaves; see `Array.backward`."""
    leaves = None
    if inputs is not None:
        leaves = [_leaf_of(x, position) for position, x in enumerate(inputs)]
    cotangents = walk(
        [y],
        [gradient],
        op="backward",
        retain_graph=retain_graph,
        create_graph=create_graph,
        wanted=leaves,
    )
    # Every gradient is ready before the first leaf is touched: an error above leaves all of them as they were.
    ready = _recorded_gradients(cotangents) if create_graph else _owned_gradients(cotangents)
    with _gradient_lock:
        for leaf, g in ready:
            leaf.grad = g if leaf.grad is None else _sum(leaf.grad, g, create_graph)


def _recorded_gradients(cotangents: dict[Any, Any]) -> list[tuple[Leaf, Array]]:
    """The gradient of each leaf as a recorded copy: rules may have passed one array on to several leaves."""
    with enable_grad():
        return [(leaf, _astype(g, g.dtype, copy=True)) for leaf, g in cotangents.items() if type(leaf) is Leaf]


def _owned_gradients(cotangents: dict[Any, Any]) -> list[tuple[Leaf, Array]]:
    """The gradient of each leaf as an array whose memory nobody else sees: copied, unless that is certain already."""
    ready = []
    for leaf in [leaf for leaf in cotangents if type(leaf) is Leaf]:
        device = leaf.device
        backend = device.backend
        if backend not in _alone:
            # How many references there are when the dictionary's is the only one: measured, for it depends on the
            # interpreter. Until it is known nothing is taken for certain.
            probe = backend.from_numpy(np.zeros(1, np.float32), (device.type, device.index), copy=True)
            found = {leaf: probe}
            del probe
            _alone[backend] = _count(device, found, leaf)
        count = _count(device, cotangents, leaf)
        g = cotangents.pop(leaf)
        if count is not None and count == _alone[backend]:
            ready.append((leaf, _dispatch.wrap(g, device)))
        else:
            ready.append((leaf, own(device, g)))
    return ready


#: What `_count` answers for an array that only the dictionary holds.
_alone: dict[Any, int | None] = {}


def _count(device: Device, cotangents: dict[Any, Any], leaf: Leaf) -> int | None:
    g = cotangents[leaf]
    if type(g) is not device.array_type or not device.backend.is_owner(g):
        return None
    return device.backend.references(g)


def zero_grad(arrays: Iterable[Array]) -> None:
    """Clear the gradients of arrays: each ``.grad`` is None afterwards.

    Parameters
    ----------
    arrays : iterable of Array
        Leaves that require grad; others are left alone.
    """
    for x in arrays:
        x.grad = None


def _sum(old: Array, new: Array, create_graph: bool) -> Array:
    with enable_grad() if create_graph else no_grad():
        return old + new


def _leaf_of(x: Array, position: int) -> Leaf:
    node = x._node if type(x) is Array else None
    if type(node) is not Leaf:
        raise _errors.NotTrackedError(
            _errors.message(
                "backward",
                f"inputs[{position}] is not a leaf that requires grad",
                [(f"inputs[{position}]", x)],
                "pass arrays made with requires_grad=True",
            )
        )
    return node


def check_gradient(op: str, y: Array, gradient: Any, name: str) -> None:
    """Refuse a gradient that has not the shape, a dtype of the kind, or the device of its array."""
    if type(gradient) is not Array:
        raise _errors.ArgumentTypeError(
            _errors.message(op, f"{name} must be an array", [(name, gradient)], f"gradarray.asarray({name})")
        )
    operands = [("x", y), (name, gradient)]
    if gradient._device is not y._device:
        raise _dispatch.mismatch_of(op, operands)
    if gradient.shape != y.shape:
        fix = f"reshape {name} to {y.shape}"
        raise _errors.ShapeError(_errors.message(op, f"{name} must have the array's shape", operands, fix))
    if gradient.dtype != y.dtype:
        fix = f"gradarray.astype({name}, x.dtype)"
        raise _errors.DTypeError(_errors.message(op, f"{name} must have the array's data type", operands, fix))


def walk(
    outputs: Sequence[Array],
    gradients: Sequence[Array | None],
    *,
    op: str,
    retain_graph: bool,
    create_graph: bool,
    wanted: Sequence[Any] | None,
) -> dict[Any, Any]:
    """Carry cotangents from outputs down to leaves.

    Returns the cotangent of every leaf reached (of every node in `wanted`, if given): raw, or an `Array` if
    `create_graph`.
    """
    cotangents: dict[Any, Any] = {}
    starts = []
    for y, gradient in zip(outputs, gradients, strict=True):
        node = y._tracked
        if node is None:
            fix = "make a leaf with requires_grad=True, and compute outside no_grad"
            raise _errors.NotTrackedError(
                _errors.message(op, "the array depends on nothing that requires grad", [("x", y)], fix)
            )
        if gradient is None:
            if y.size != 1:
                fix = "reduce it to one element, for example by sum, or pass gradient= of its shape"
                raise _errors.NonScalarGradientError(
                    _errors.message(op, "an array of several elements needs a gradient", [("x", y)], fix)
                )
            if y.dtype.kind == "c":
                fix = "take real(x) or another real function of it, or pass gradient="
                raise _errors.NonScalarGradientError(
                    _errors.message(op, "a complex result needs a gradient", [("x", y)], fix)
                )
            g: Any = y._device.kernels[_ones_like](y._data)
            seed = _dispatch.wrap(g, y._device)
        else:
            check_gradient(op, y, gradient, "gradient")
            seed = gradient
        g = seed if create_graph else seed._data
        starts.append(node)
        _add(cotangents, set(), node, g)
    order = _order(starts, op)
    keep = set(wanted) if wanted is not None else None
    if keep is not None:
        order = _leading_to(order, keep)
    with enable_grad() if create_graph else no_grad(), starts[0].device.backend.quiet():
        _carry(order, cotangents, keep, retain_graph, create_graph)
    if keep is not None:
        return {node: cotangents[node] for node in cotangents if node in keep}
    return cotangents


def _order(starts: Sequence[Any], op: str) -> list[Node]:
    """Every node that the starts depend on, latest first."""
    stack = [node.node if type(node) is Slot else node for node in starts]
    seen = set(stack)
    nodes = []
    while stack:
        node = stack.pop()
        if type(node) is Leaf:
            continue
        nodes.append(node)
        if node.saved is None:
            raise _freed(node)
        for parent in node.parents:
            if parent is None or type(parent) is Leaf:
                continue
            if type(parent) is Slot:
                parent = parent.node
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    nodes.sort(key=_by_sequence, reverse=True)
    return nodes


def _leading_to(order: list[Node], wanted: set[Any]) -> list[Node]:
    """The nodes of `order` through which some wanted node is reached."""
    useful = {node.node if type(node) is Slot else node for node in wanted}
    leading = []
    for node in reversed(order):
        if any((parent.node if type(parent) is Slot else parent) in useful for parent in node.parents):
            useful.add(node)
            leading.append(node)
        elif node in useful:
            leading.append(node)
    leading.reverse()
    return leading


def _freed(node: Node) -> _errors.FreedGraphError:
    return _errors.FreedGraphError(
        f"backward(): the graph was freed by an earlier backward, at {node.plan.operation.name}()\n"
        "Fix: pass retain_graph=True to the earlier call, or compute the result again"
    )


def _carry(
    order: list[Node], cotangents: dict[Any, Any], keep: set[Any] | None, retain_graph: bool, create_graph: bool
) -> None:
    """Call the rules of every node, latest first, and add up what they give for each input."""
    owned: set[Any] = set()
    ledger = _mutation.ledger
    get, pop = cotangents.get, cotangents.pop
    for node in order:
        g = pop(node, None) if keep is None or node not in keep else get(node)
        saved = node.saved
        if saved is None:
            raise _freed(node)
        parents = node.parents
        if not retain_graph:
            # Cut at once, used or not: what is upstream can then be freed while the walk goes on.
            node.saved = None
            node.parents = ()
        if g is None:
            continue
        plan = node.plan
        if ledger:
            saved = _mutation.recover(node, saved)
        if create_graph:
            saved = _wrapped(node, parents, saved)
            xp: Any = recorded
        else:
            xp = node.device.xp
        if plan.joint is not None:
            results = _call_joint(plan.joint, xp, g, node, parents, saved)
            for parent, result in zip(parents, results, strict=True):
                if parent is not None and result is not None:
                    _add(cotangents, owned, parent, fit(xp, result, parent, create_graph))
            continue
        for call in plan.calls:
            parent = parents[call.index]
            form = call.form
            if form == 3:
                result = g
            elif form == 0:
                result = call.rule(xp, g)
            elif form == 1:
                result = call.rule(xp, g, saved[call.first])
            else:
                parameters = {name: node.parameters[name] for name in call.names}
                result = call.rule(xp, g, *_read(call.reads, saved, parent), **parameters)
            if result is None:
                continue
            if result is g:
                # Its shape is known: asking the array costs more than asking the node.
                if node.shape != parent.shape or node.dtype is not parent.dtype:
                    result = fit(xp, result, parent, create_graph)
            else:
                raw = result._data if create_graph else result
                if raw.shape != parent.shape or raw.dtype is not parent.dtype:
                    result = fit(xp, result, parent, create_graph)
            old = get(parent)
            if old is None:
                if type(parent) is Slot:
                    _add(cotangents, owned, parent, result)
                else:
                    cotangents[parent] = result
            elif parent in owned:
                old += result
            else:
                total = cotangents[parent] = old + result
                # What a NumPy addition made belongs to the engine: the next one can go into it. (0-d gives a scalar.)
                if type(total) is np.ndarray:
                    owned.add(parent)


def _read(reads: tuple[int, ...], saved: tuple[Any, ...], parent: Any) -> list[Any]:
    return [saved[position] if position >= 0 else parent.shape if position == SHAPE else parent for position in reads]


def _call_joint(
    joint: Call, xp: Any, g: Any, node: Node, parents: tuple[Any, ...], saved: tuple[Any, ...]
) -> Sequence[Any]:
    keywords: dict[str, Any] = {}
    for name in joint.names:
        keywords[name] = tuple(parent is not None for parent in parents) if name == "needed" else node.parameters[name]
    reads = [saved[position] if position >= 0 else parents for position in joint.reads]
    results: Sequence[Any] = joint.rule(xp, g, *reads, **keywords)
    return results


def _wrapped(node: Node, parents: tuple[Any, ...], saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """Saved raw values as arrays again, each with the node that it came from."""
    device = node.device
    wrapped = [
        raw if type(raw) is not device.array_type else _dispatch.wrap(raw, _device_of(parent, device), parent)
        for raw, parent in zip(saved, parents, strict=False)
    ]
    out = saved[-1]
    if type(out) is tuple:
        wrapped.append(
            tuple(
                _dispatch.wrap(
                    raw,
                    device,
                    Slot(node, index, raw.shape, raw.dtype, device) if _is_inexact(device, raw) else None,
                )
                for index, raw in enumerate(out)
            )
        )
    else:
        wrapped.append(None if out is None else _dispatch.wrap(out, device, node))
    return tuple(wrapped)


def _device_of(parent: Any, device: Device) -> Device:
    return device if parent is None else parent.device


def _is_inexact(device: Device, raw: Any) -> bool:
    return device.backend.dtype(raw.dtype).kind in "fc"


def fit(xp: Any, g: Any, parent: Any, create_graph: bool) -> Any:
    """A rule's result in the shape and dtype of the input that it is for: broadcast axes summed, real part taken."""
    raw = g._data if create_graph else g
    shape = parent.shape
    if raw.shape != shape:
        g = _reduce(xp, g, tuple(raw.shape), tuple(shape))
        raw = g._data if create_graph else g
    if raw.dtype is not parent.dtype and raw.dtype != parent.dtype:
        backend = parent.device.backend
        dtype = backend.dtype(parent.dtype)
        if backend.dtype(raw.dtype).kind == "c" and dtype.kind != "c":
            g = xp.real(g)
        g = xp.astype(g, dtype)
    return g


def _reduce(xp: Any, g: Any, shape: tuple[int, ...], wanted: tuple[int, ...]) -> Any:
    extra = len(shape) - len(wanted)
    axes = (
        *range(extra),
        *[axis + extra for axis, length in enumerate(wanted) if length == 1 and shape[axis + extra] != 1],
    )
    if axes:
        g = xp.sum(g, axis=axes, keepdims=True)
    return xp.reshape(g, wanted)


def _add(cotangents: dict[Any, Any], owned: set[Any], node: Any, g: Any) -> None:
    """Add a cotangent to what a node has so far; several outputs keep a list in their common node's place."""
    if type(node) is Slot:
        slots = cotangents.get(node.node)
        if slots is None:
            slots = cotangents[node.node] = [None] * node.node.outputs
        slots[node.index] = g if slots[node.index] is None else slots[node.index] + g
        return
    old = cotangents.get(node)
    cotangents[node] = g if old is None else old + g
    owned.discard(node)


def own(device: Device, g: Any) -> Array:
    """A cotangent as an array that shares its memory with nothing else."""
    if type(g) is not device.array_type:
        g = device.backend.wrap(g)
    return _dispatch.wrap(device.backend.copy(g), device)


from .ops._extras import recorded  # noqa: E402
from .ops.creation import ones_like as _ones_like  # noqa: E402 - the engine is imported by the class that ops need
from .ops.data_type import astype as _astype  # noqa: E402
