"""Forward: tangents pushed up the graph that backward walks down, with the same rules.

An elementwise rule multiplies by a number, and so is its own transpose (conjugated on both sides where it is complex).
A linear operation is applied to the tangent itself, a bilinear one to each tangent beside the other operand. Any other
rule is linear in its cotangent: it is recorded once, with a cotangent that is tracked, and the walk back through what
it did is its transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from . import _dispatch, _engine, _mutation, _streams
from ._array import Array
from ._graph import Node, Slot, enable_grad, no_grad
from ._operations import Call
from .ops import _rules
from .ops._extras import recorded, variable
from .ops.creation import zeros


def push(
    order: Sequence[Node], tangents: dict[Any, Any], outputs: Sequence[Any], *, record: bool, sparse: bool
) -> list[Any]:
    """Push tangents up.

    Parameters
    ----------
    order : sequence of Node
        The nodes between, latest first as the engine orders them.
    tangents : dict
        For each node at the bottom its tangent: raw, or an `Array` if `record`.
    outputs : sequence of Node, Slot or None
        Where tangents are wanted.
    record : bool
        Whether to record the computation, so that the results can be differentiated.
    sparse : bool
        Whether zeros in the tangents say that these elements do not matter.

    Returns
    -------
    list
        The tangent of each output, as they are given; None where it is zero.
    """
    found = dict(tangents)
    masked = set(tangents) if sparse else set()
    slots = _slots(order, outputs)
    device = order[0].device if order else None
    # All on the current streams: they wait for those on which the nodes were recorded.
    with (
        enable_grad() if record else no_grad(),
        _quiet(device),
        _streams.lanes(order, back=False) or nullcontext() as lanes,
    ):
        for node in reversed(order):
            parts = [_tangent(found, parent) for parent in node.parents]
            if node not in tangents and any(part is not None for part in parts):
                if lanes is not None:
                    lanes.enter(node)
                under = bool(masked) and any(_own(parent) in masked for parent in node.parents)
                if under or node.plan.masks:
                    masked.add(node)
                found[node] = _push_one(node, parts, slots.get(node, {}), record, under)
    return [None if node is None else _tangent(found, node) for node in outputs]


def _quiet(device: Any) -> Any:
    return nullcontext() if device is None else device.backend.quiet()


def _slots(order: Sequence[Node], outputs: Sequence[Any]) -> dict[Node, dict[int, Slot]]:
    """For each node of several outputs those that are used."""
    slots: dict[Node, dict[int, Slot]] = {}
    for used in (outputs, *[node.parents for node in order]):
        for node in used:
            if type(node) is Slot:
                slots.setdefault(node.node, {})[node.index] = node
    return slots


def _tangent(found: dict[Any, Any], node: Any) -> Any:
    if type(node) is Slot:
        parts = found.get(node.node)
        return parts.get(node.index) if type(parts) is dict else None
    return found.get(node) if node is not None else None


def _own(node: Any) -> Any:
    return node.node if type(node) is Slot else node


def _push_one(node: Node, tangents: list[Any], slots: dict[int, Slot], record: bool, under: bool) -> Any:
    """The tangent of a node's output, or of each used output, from those of its inputs.

    `under` says that zeros in them may stand where the input does not matter.
    """
    saved: Any = node.saved
    if type(saved) is not tuple:
        if saved is None:
            raise _engine.freed(node)
        saved = saved.values(node)
    elif _mutation.ledger:
        saved = _mutation.recover(node, saved)
    kind = node.plan.operation.kind
    if node.plan.joint is None and node.shape is not None:
        if kind == "elementwise" or (kind == "pointwise" and not _has_complex(node)):
            return _elementwise(node, tangents, saved, record, under)
        if kind == "linear" or kind == "bilinear":
            result = _linear(node, tangents, saved, record)
            if result is not None:
                return result
    return _transposed(node, tangents, saved, slots, record, under)


def _has_complex(node: Node) -> bool:
    backend = node.device.backend
    return any(parent is not None and backend.dtype(parent.dtype).kind == "c" for parent in node.parents)


def _elementwise(node: Node, tangents: list[Any], saved: Any, record: bool, under: bool) -> Any:
    xp: Any = node.device.xp
    if record:
        saved = _engine.wrapped(node, saved, tracked=True)
        xp = recorded
    holomorphic = node.device.backend.dtype(node.dtype).kind == "c"
    total = None
    for call in node.plan.calls:
        tangent = tangents[call.index]
        if tangent is None:
            continue
        if call.form == 3:
            result = tangent
        else:
            result = _called(xp, call, node, _rules.conj(tangent) if holomorphic else tangent, saved)
            if result is None:
                continue
            if under:
                result = _engine.without_nan(xp, result, tangent, node)
            if holomorphic:
                result = _rules.conj(result)
        total = result if total is None else total + result
    return None if total is None else _like_output(xp, total, node, record)


def _called(xp: Any, call: Call, node: Node, g: Any, saved: Any) -> Any:
    parameters = _engine.parameters_of(node, call.names)
    return call.rule(xp, g, *_engine.read(call.reads, saved, node.parents[call.index]), **parameters)


def _like_output(xp: Any, tangent: Any, node: Node, record: bool) -> Any:
    raw = tangent._data if record else tangent
    if tuple(raw.shape) != tuple(node.shape):
        tangent = xp.spread(tangent, like=node)
    if raw.dtype != node.dtype:
        tangent = xp.astype(tangent, node.device.backend.dtype(node.dtype))
    return tangent


def _linear(node: Node, tangents: list[Any], saved: Any, record: bool) -> Any:
    """The operation itself, applied to each tangent in turn; None where an input that it needs besides was not kept."""
    operation = node.plan.operation
    if operation.kind == "linear" and len(operation.rules) > 1:
        return None  # linear in all of them together
    device = node.device
    if record:
        saved = _engine.wrapped(node, saved, tracked=True)
    total = None
    for position, tangent in enumerate(tangents):
        if tangent is None:
            continue
        inputs = [*saved[:position], tangent, *saved[position + 1 : len(tangents)]]
        if any(x is None for x in inputs):
            return None
        if operation.kind == "bilinear" and not record and not device.promotes:
            inputs = list(_dispatch.promote(device, *inputs))
        if not record:
            result = device.kernels[operation.function](*inputs, **_parameters(node))
            result = result if type(result) is device.array_type else device.backend.wrap(result)
        elif len(inputs) == 1:
            result = _dispatch.run_view(operation.function, tangent, **_parameters(node))
        elif operation.kind == "bilinear":
            result = operation.function(*inputs, **_parameters(node))  # the public one promotes
        else:
            result = _dispatch.run(operation.function, *inputs, **_parameters(node))
        total = result if total is None else total + result
    return total


def _parameters(node: Node) -> dict[str, Any]:
    return getattr(node, "parameters", {})


def _transposed(node: Node, tangents: list[Any], saved: Any, slots: dict[int, Slot], record: bool, under: bool) -> Any:
    """The transpose of the node's rules: recorded on a cotangent that is tracked, and walked back."""
    several = node.shape is None
    parents = node.parents
    plan = node.plan
    saved = _engine.wrapped(node, saved, tracked=record)
    cotangents = {index: _tracked_zeros(slot) for index, slot in (slots.items() if several else [(0, node)])}
    results: list[Array] = []
    seeds: list[Array] = []

    def collect(parent: Any, tangent: Any, result: Any) -> None:
        if tangent is None or result is None:
            return
        result = _engine.fit(recorded, result, parent, True)
        if type(result) is Array and result._tracked is not None:
            results.append(result)
            seeds.append(tangent if record else _dispatch.wrap(tangent, parent.device))

    with enable_grad():
        g: Any = [cotangents.get(index) for index in range(node.outputs)] if several else cotangents[0]
        if plan.joint is not None:
            for parent, tangent, result in zip(
                parents, tangents, _engine.call_joint(plan.joint, recorded, g, node, parents, saved), strict=True
            ):
                collect(parent, tangent, result)
        else:
            for call in plan.calls:
                if tangents[call.index] is not None:
                    collect(parents[call.index], tangents[call.index], _called(recorded, call, node, g, saved))
    leaves = {index: g._node for index, g in cotangents.items()}
    if not results:
        return {} if several else None
    found = _engine.walk(
        results,
        seeds,
        op="jvp",
        retain_graph=record,
        create_graph=record,
        wanted=list(leaves.values()),
        sparse=under,
    )
    if several:
        return {index: found.get(leaf) for index, leaf in leaves.items()}
    return found.get(leaves[0])


def _tracked_zeros(like: Node | Slot) -> Array:
    dtype = like.device.backend.dtype(like.dtype)
    x: Array = variable(zeros(tuple(like.shape), dtype=dtype, device=like.device))
    return x
