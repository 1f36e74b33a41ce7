"""Backward: the order of the walk, the fitting of cotangents, accumulation."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext
from operator import attrgetter
from typing import Any

import numpy as np

from . import _dispatch, _errors, _mutation, _streams
from ._array import Array
from ._devices import Device
from ._dtypes import DIFFERENTIABLE
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
        [seed("backward", y, gradient)],
        op="backward",
        retain_graph=retain_graph,
        create_graph=create_graph,
        wanted=leaves,
    )
    found = [leaf for leaf in cotangents if type(leaf) is Leaf]
    # Every gradient is ready before the first leaf is touched: an error above leaves all of them as they were.
    ready = list(zip(found, gradients(cotangents, found, create_graph), strict=True))
    with _gradient_lock:
        for leaf, g in ready:
            leaf.grad = g if leaf.grad is None else added(leaf.grad, g, create_graph)
    if attached_anywhere:
        _hooks.after_accumulation(found)


def gradients(cotangents: dict[Any, Any], nodes: Sequence[Any], recorded: bool) -> list[Array]:
    """The cotangents of nodes, which are taken out, as arrays whose memory nobody else sees."""
    if recorded:
        # Copies: rules may have passed one array on to several leaves.
        with enable_grad():
            return [_astype(g, g.dtype, copy=True) for g in map(cotangents.pop, nodes)]
    return [_owned(cotangents, node) for node in nodes]


def _owned(cotangents: dict[Any, Any], node: Any) -> Array:
    """A cotangent as an array of its own: copied, unless it is certain already that nobody else sees its memory."""
    device = node.device
    backend = device.backend
    if backend not in _alone:
        # How many references there are when the dictionary's is the only one: measured, for it depends on the
        # interpreter. Until it is known nothing is taken for certain.
        probe = backend.from_numpy(np.zeros(1, np.float32), (device.type, device.index), copy=True)
        found = {node: probe}
        del probe
        _alone[backend] = _count(device, found, node)
    count = _count(device, cotangents, node)
    g = cotangents.pop(node)
    if count is not None and count == _alone[backend]:
        return _dispatch.wrap(g, device)
    return own(device, g)


#: What `_count` answers for an array that only the dictionary holds.
_alone: dict[Any, int | None] = {}


def _count(device: Device, cotangents: dict[Any, Any], node: Any) -> int | None:
    g = cotangents[node]
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


def added(old: Array, new: Array, create_graph: bool) -> Array:
    """The sum of two gradients, recorded or not."""
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


def seed(op: str, y: Array, gradient: Array | None) -> Array:
    """The cotangent that a walk starts with at an output: the given one, or 1 where there is one real element."""
    if y._tracked is None:
        fix = "make a leaf with requires_grad=True, and compute outside no_grad"
        raise _errors.NotTrackedError(
            _errors.message(op, "the array depends on nothing that requires grad", [("x", y)], fix)
        )
    if gradient is not None:
        check_gradient(op, y, gradient, "gradient")
        return gradient
    if y.size != 1:
        fix = "reduce it to one element, for example by sum, or pass gradient= of its shape"
        raise _errors.NonScalarGradientError(
            _errors.message(op, "an array of several elements needs a gradient", [("x", y)], fix)
        )
    if y.dtype.kind == "c":
        fix = "take real(x) or another real function of it, or pass gradient="
        raise _errors.NonScalarGradientError(_errors.message(op, "a complex result needs a gradient", [("x", y)], fix))
    return _dispatch.wrap(y._device.kernels[_ones_like](y._data), y._device)


def walk(
    outputs: Sequence[Array],
    seeds: Sequence[Array],
    *,
    op: str,
    retain_graph: bool,
    create_graph: bool,
    wanted: Sequence[Any] | None,
    after: int = 0,
    sparse: bool = False,
) -> dict[Any, Any]:
    """Carry cotangents from outputs down to leaves.

    Parameters
    ----------
    outputs, seeds : sequence of Array
        Tracked arrays, and the cotangent of each.
    op : str
        Who asks, for errors.
    retain_graph, create_graph : bool
        As for `Array.backward`.
    wanted : sequence of Leaf, Node or Slot, optional
        Where cotangents are wanted; at every leaf by default.
    after : int, default: 0
        Do not walk below this sequence number.
    sparse : bool, default: False
        Whether zeros in the seeds say that these elements do not matter.

    Returns
    -------
    dict
        The cotangent of every leaf reached, or of every wanted node: raw, or an `Array` if `create_graph`.
    """
    cotangents: dict[Any, Any] = {}
    starts = [y._tracked for y in outputs]
    keep = {node.node if type(node) is Slot else node for node in wanted} if wanted is not None else None
    order = order_of(starts, after=after)
    if keep is not None:
        order = leading_to(order, keep)
    masked = {node.node if type(node) is Slot else node for node in starts} if sparse else set()
    with enable_grad() if create_graph else no_grad(), starts[0].device.backend.quiet():
        with _streams.lanes(order, starts, back=True) or nullcontext() as lanes:
            for node, g in zip(starts, seeds, strict=True):
                if lanes is not None:
                    lanes.at(node.device)
                _add(cotangents, set(), node, g if create_graph else g._data)
            _carry(order, cotangents, keep, masked, retain_graph, create_graph, lanes)
        if attached_anywhere:
            for node, g in list(cotangents.items()):
                if type(node) is Leaf and (keep is None or node in keep):
                    cotangents[node] = _hooks.applied(node, g, 0, create_graph)
    if wanted is None:
        return cotangents
    found = {}
    for node in wanted:
        here = cotangents.get(node.node if type(node) is Slot else node)
        if type(node) is Slot and here is not None:
            here = here[node.index]
        if here is not None:
            found[node] = here
    return found


def order_of(starts: Sequence[Any], *, after: int = 0) -> list[Node]:
    """Every node after a sequence number that the starts depend on, latest first."""
    stack = [node.node if type(node) is Slot else node for node in starts]
    seen = set(stack)
    nodes = []
    while stack:
        node = stack.pop()
        if type(node) is Leaf or node.sequence <= after:
            continue
        nodes.append(node)
        if node.saved is None:
            raise freed(node)
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


def leading_to(order: list[Node], wanted: Collection[Any]) -> list[Node]:
    """The nodes of `order` through which some wanted node is reached."""
    useful = set(wanted)
    leading = []
    for node in reversed(order):
        if any((parent.node if type(parent) is Slot else parent) in useful for parent in node.parents):
            useful.add(node)
            leading.append(node)
        elif node in useful:
            leading.append(node)
    leading.reverse()
    return leading


def freed(node: Node) -> _errors.FreedGraphError:
    """The error for a node whose saved values are gone."""
    return _errors.FreedGraphError(
        f"backward(): the graph was freed by an earlier backward, at {node.plan.operation.name}()\n"
        "Fix: pass retain_graph=True to the earlier call, or compute the result again"
    )


def _carry(
    order: list[Node],
    cotangents: dict[Any, Any],
    keep: Collection[Any] | None,
    masked: set[Any],
    retain_graph: bool,
    create_graph: bool,
    lanes: _streams.Lanes | None,
) -> None:
    """Call the rules of every node, latest first, and add up what they give for each input.

    `masked` are the nodes in whose cotangents a zero says that the element does not matter: it grows on the way.
    """
    owned: set[Any] = set()
    ledger = _mutation.ledger
    anomalies = _anomaly.looking()
    hooked = attached_anywhere
    get, pop = cotangents.get, cotangents.pop
    for node in order:
        g = pop(node, None) if keep is None or node not in keep else get(node)
        saved: Any = node.saved
        parents = node.parents
        if type(saved) is not tuple:
            if saved is None:
                raise freed(node)
            saved = saved.values(node) if g is not None else ()
        elif ledger and g is not None:
            saved = _mutation.recover(node, saved)
        if not retain_graph:
            # Cut at once, used or not: what is upstream can then be freed while the walk goes on.
            node.saved = None
            node.parents = ()
        if g is None:
            if not retain_graph:
                node.parameters = {}
            continue
        if lanes is not None:
            lanes.enter(node, parents, g, saved)
        if hooked:
            g = _hooked(node, g, create_graph)
            if keep is not None and node in keep:
                cotangents[node] = g
        plan = node.plan
        if create_graph:
            saved = wrapped(node, saved, tracked=True)
            xp: Any = recorded
        else:
            xp = node.device.xp
        # Whether to look at what the rules give: under a mask, or for anomalies.
        careful = anomalies
        if masked or plan.masks:
            under = node in masked
            careful = under or anomalies
            if under or plan.masks:
                for parent in parents:
                    masked.add(parent.node if type(parent) is Slot else parent)
        if plan.joint is not None:
            results = call_joint(plan.joint, xp, g, node, parents, saved)
            for parent, result in zip(parents, results, strict=True):
                if parent is not None and result is not None:
                    if careful:
                        result = _looked_at(xp, result, g, node, node in masked, anomalies)
                    _add(cotangents, owned, parent, fit(xp, result, parent, create_graph))
            if not retain_graph:
                node.parameters = {}
            continue
        form = 0
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
                parameters = parameters_of(node, call.names)
                result = call.rule(xp, g, *read(call.reads, saved, parent), **parameters)
            if result is None:
                continue
            if lanes is not None and parent.device is not node.device:
                lanes.at(parent.device)  # what follows is for the input
            if careful and form:
                result = _looked_at(xp, result, g, node, node in masked, anomalies)
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
        if form == 2 and not retain_graph:
            node.parameters = {}  # index arrays among them


#: Whether any hook was ever registered: until then no walk looks for them.
attached_anywhere = False


def _hooked(node: Node, g: Any, record: bool) -> Any:
    if type(g) is not list:
        return _hooks.applied(node, g, 0, record)
    return [part if part is None else _hooks.applied(node, part, index, record) for index, part in enumerate(g)]


def _looked_at(xp: Any, result: Any, g: Any, node: Node, under: bool, anomalies: bool) -> Any:
    """A rule's result, under a mask without NaN that only a zero makes; AnomalyError if there is any, and one looks."""
    if under and result is not g:
        result = without_nan(xp, result, g, node)
        if type(result) is Array:
            _mark(result._tracked, g, node)
    if anomalies:
        _anomaly.check(node, result)
    return result


def without_nan(xp: Any, result: Any, g: Any, node: Node) -> Any:
    """A rule's result with 0 in the place of NaN where all of the cotangent that the element comes from is exactly 0.

    There the result does not depend on the element, whatever its derivative is: 0 times infinity is 0.
    """
    operation = node.plan.operation
    kind = operation.kind
    # What is linear, or puts zeros in itself, multiplies by no number that could be infinite.
    if kind == "linear" or operation.masks:
        return result
    # Where the computation is recorded the derivatives of the result will have to be settled too.
    recorded = type(result) is Array
    if not recorded and not _rules.may_have_nan(result):
        return result
    if kind == "elementwise" or kind == "pointwise":
        idle = g == 0
    elif kind == "reduction":
        idle = _rules.expand(xp, g == 0, **parameters_of(node, ("axis", "keepdims")), ndim=result.ndim)
    elif kind == "scan":
        idle = xp.all(g == 0, **parameters_of(node, ("axis",)), keepdims=True)
    else:
        idle = True
        batch = result.ndim - 2 if kind == "matrix" else 0
        for part in g if type(g) is list else (g,):
            if part is not None:
                zero = part == 0
                if part.ndim > batch:
                    zero = xp.all(zero, axis=tuple(range(batch, part.ndim)))
                idle = (xp.reshape(zero, (*zero.shape, 1, 1)) if batch else zero) & idle
    bad = xp.isnan(result) & idle
    return xp.settle(result, idle, bad) if recorded else xp.where(bad, 0, result)


def _mark(node: Any, g: Any, below: Node) -> None:
    """Note of the nodes that a rule made that they multiply by a cotangent with zeros of a mask."""
    starts = {part._tracked for part in (g if type(g) is list else (g,)) if part is not None}
    stack, seen = [node], set(starts)
    while stack:
        node = stack.pop()
        if type(node) is Slot:
            node = node.node
        if type(node) is not Node or node in seen or node.sequence <= below.sequence:
            continue
        seen.add(node)
        node.plan = node.plan.masking()
        stack.extend(node.parents)


def parameters_of(node: Node, names: tuple[str, ...]) -> dict[str, Any]:
    """Parameters of a node, which another thread may have freed since the walk began."""
    try:
        return {name: node.parameters[name] for name in names}
    except KeyError:
        raise freed(node) from None


def read(reads: tuple[int, ...], saved: tuple[Any, ...], parent: Any) -> list[Any]:
    return [saved[position] if position >= 0 else parent.shape if position == SHAPE else parent for position in reads]


def call_joint(
    joint: Call, xp: Any, g: Any, node: Node, parents: tuple[Any, ...], saved: tuple[Any, ...]
) -> Sequence[Any]:
    keywords = parameters_of(node, tuple(name for name in joint.names if name != "needed"))
    if "needed" in joint.names:
        keywords["needed"] = tuple(parent is not None for parent in parents)
    reads = [saved[position] if position >= 0 else parents for position in joint.reads]
    results: Sequence[Any] = joint.rule(xp, g, *reads, **keywords)
    return results


def wrapped(node: Node, saved: tuple[Any, ...], *, tracked: bool) -> tuple[Any, ...]:
    """Saved raw values as arrays again, each with the node that it came from if they are to be tracked."""
    device = node.device
    parents = node.parents or (None,) * (len(saved) - 1)
    arrays: list[Any] = [
        raw
        if type(raw) is not device.array_type
        else _dispatch.wrap(raw, _device_of(parent, device), parent if tracked else None)
        for raw, parent in zip(saved, parents, strict=False)
    ]
    out = saved[-1]
    if type(out) is tuple:
        arrays.append(
            tuple(
                _dispatch.wrap(
                    raw,
                    device,
                    Slot(node, index, raw.shape, raw.dtype, device) if tracked and _is_inexact(device, raw) else None,
                )
                for index, raw in enumerate(out)
            )
        )
    else:
        arrays.append(None if out is None else _dispatch.wrap(out, device, node if tracked else None))
    return tuple(arrays)


def _device_of(parent: Any, device: Device) -> Device:
    return device if parent is None else parent.device


def _is_inexact(device: Device, raw: Any) -> bool:
    return device.backend.dtype(raw.dtype) in DIFFERENTIABLE


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


from . import _anomaly, _hooks  # noqa: E402 - both need the engine
from .ops import _rules  # noqa: E402
from .ops._extras import recorded  # noqa: E402
from .ops.creation import ones_like as _ones_like  # noqa: E402 - the engine is imported by the class that ops need
from .ops.data_type import astype as _astype  # noqa: E402
