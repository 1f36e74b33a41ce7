"""Writes in place: what is recorded of them, and the ledger that catches a write under a value that a graph has saved.

Values alias as in NumPy. A recorded write gives the root of the written buffer a new history, in which what was there
before gets no gradient any more. What a graph has saved survives a recorded write: the old content is copied first,
unless nobody else sees the buffer. After a write that is not recorded, backward refuses the values it overwrote.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from . import _aliases, _dispatch, _dtypes, _errors
from ._array import Array
from ._devices import Device
from ._graph import DETACHED, Leaf, Node, View, next_sequence, recording
from .ops import _extras, conversion, indexing


class Write:
    """One write into a buffer: when, by what, and how to see what was there before, if it was copied."""

    __slots__ = ("before", "op", "sequence")

    def __init__(self, sequence: int, op: str, before: Callable[[Any], Any] | None) -> None:
        self.sequence = sequence
        self.op = op
        self.before = before


#: For each buffer that was written while a graph may have saved it, by the identity of its owner: the writes in order.
#: Entries die with their buffer.
ledger: dict[int, list[Write]] = {}
_owners: dict[int, weakref.ref[Any]] = {}


def _forget(key: int) -> None:
    ledger.pop(key, None)
    _owners.pop(key, None)


def _forgotten(key: int, _: weakref.ref[Any]) -> None:
    _forget(key)


def _references(x: Array) -> int | None:
    return x._device.backend.references(x._data)


#: What `_references` answers for an array that nobody else sees, on each backend. Measured, not counted by hand: it
#: depends on the interpreter.
_alone: dict[Any, int | None] = {}


def _is_exclusive(x: Array) -> bool:
    """Whether it is certain that nobody but `x`, and what it is a view of, sees its buffer: no graph, no other view."""
    chain = [x]
    while type(chain[-1]._node) is View and (base := chain[-1]._node.base) is not None:
        chain.append(base)
    backend = x._device.backend
    if backend not in _alone:
        place = (x._device.type, x._device.index)
        fresh = _dispatch.wrap(backend.from_numpy(np.zeros(1, np.float32), place, copy=True), x._device)
        _alone[backend] = _references(fresh)
    alone = _alone[backend]
    root = chain.pop()
    if alone is None or not backend.is_owner(root._data):
        return False
    counts = [_references(view) for view in chain]
    held = _references(root)
    # Every view of the chain holds the buffer of the root once.
    return held is not None and held <= alone + len(chain) and all(c is not None and c <= alone for c in counts)


#: How large a buffer may be to be copied before a write that is not recorded, and how often that is done.
_FEW_BYTES, _COPIES = 4096, 64


def _bytes(owner: Any) -> int:
    size = getattr(owner, "nbytes", None)
    if size is None:
        return _FEW_BYTES + 1
    return int(size() if callable(size) else size)


def _note(device: Device, raw: Any, op: str, *, recorded: bool) -> None:
    """Enter a write that is about to happen, after copying what it overwrites if it is recorded, or little."""
    backend = device.backend
    owner = backend.owner(raw)
    key = id(owner)
    if key not in ledger:
        ledger[key] = []
        _owners[key] = weakref.ref(owner, functools.partial(_forgotten, key))
    writes = ledger[key]
    # Counters and step sizes are changed in place between recorded operations: to copy a few is better than to refuse
    # their graph. Under no_grad, in training loops, nothing is copied.
    few = not recorded and bool(recording.get()) and _bytes(owner) <= _FEW_BYTES
    before = backend.snapshot(raw) if recorded or few else None
    if few and len(writes) >= _COPIES:
        del writes[0]
        writes[0].before = None  # what was there earlier is refused now, not mistaken for what came later
    if writes and before is None and writes[-1].before is None:
        writes.pop()
    writes.append(Write(next_sequence(), op, before))


def recover(node: Node, saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """The saved values of a node as they were when it was recorded."""
    backend = node.device.backend
    found = []
    for raw in saved:
        if type(raw) is tuple:
            found.append(recover_values(node, raw))
        elif type(raw) is backend.array_type:
            found.append(_recover(node, raw))
        else:
            found.append(raw)
    return tuple(found)


def recover_values(node: Node, raws: tuple[Any, ...]) -> tuple[Any, ...]:
    """`recover` for a tuple of outputs."""
    return tuple(_recover(node, raw) for raw in raws)


def _recover(node: Node, raw: Any) -> Any:
    writes = ledger.get(id(node.device.backend.owner(raw)))
    if not writes:
        return raw
    for write in writes:
        if write.sequence > node.sequence:
            if write.before is not None:
                return write.before(raw)
            raise _errors.OverwrittenValueError(
                f"backward(): a value that the derivative of {node.plan.operation.name}() needs was overwritten by "
                f"{write.op}, which was not recorded\n"
                f"  {node.device.backend.dtype(raw.dtype)} {tuple(raw.shape)} {node.device}\n"
                "Fix: write after backward(), or write into a copy"
            )
    return raw


def assign(x: Array, key: Any, value: Any, *, op: str = "setitem") -> None:
    """``x[key] = value``."""
    _dispatch.check_devices(op, [("x", x), *indexing.key_operands(key), ("value", value)])
    raw_key = indexing.raw_key(op, x, key)
    device = x._device
    value_raw, value_node = _value(op, x, value)
    immutable = device.backend.immutable
    if not device.backend.is_writable(x._data) or (immutable and _aliases.is_stretched(x)):
        raise _errors.ReadOnlyError(
            _errors.message(op, "the memory of the array is read-only or stretched", [("x", x)], "write into a copy")
        )
    node = x._tracked
    recorded = bool(recording.get()) and not (node is None and value_node is None)
    root = x
    path: Any = ()
    if recorded:
        if type(x._node) is View and x._node is not DETACHED:
            root, path = cast(Array, x._node.root), x._node.path()
        elif x._node is DETACHED and not _is_exclusive(x):
            raise _errors.GradientError(
                _errors.message(
                    op,
                    "a tracked value cannot be written through a detached alias: the array that shares its memory "
                    "would change without its history",
                    [("x", x), ("value", value)],
                    "write into gradarray.asarray(x, copy=True)",
                )
            )
        if type(root._node) is Leaf or (
            type(root._node) is Node and root._node.plan.operation.function is _extras.variable
        ):
            raise _errors.LeafWriteError(
                _errors.message(
                    op,
                    "a leaf that requires grad, the argument of a function that is differentiated, or a view of one, "
                    "cannot be written while operations are recorded",
                    [("x", x)],
                    "write inside `with gradarray.no_grad():`, or into a copy",
                )
            )
    owner = id(device.backend.owner(x._data))
    known = list(ledger.get(owner, ()))
    if immutable:
        pass  # what a graph has saved stays what it is
    elif _is_exclusive(x):
        _forget(owner)
    else:
        _note(device, x._data, op, recorded=recorded)
    try:
        if immutable:
            _aliases.write(x, raw_key, value_raw)
        else:
            device.backend.write(x._data, raw_key, value_raw)
    except Exception as error:
        # Nothing was written, so nothing must be found overwritten.
        if owner in ledger:
            ledger[owner][:] = known
        raise _translated(error, op, x, value) from error
    if recorded:
        root_node = root._tracked
        root._node = _dispatch.record(
            _extras.assign,
            device,
            (root._data, value_raw),
            root._data,
            (root_node, value_node),
            {"path": path, "key": indexing.frozen_key(device, raw_key)},
        )


def update(x: Array, operation: Callable[[Any, Any], Array], other: Any) -> Array:
    """``x op= other``: dtype and shape of `x` stay."""
    op = operation.__name__
    if _updated_without_temporary(x, op, other):
        return x
    result = operation(x, other)
    if result.shape != x.shape:
        raise _errors.ShapeError(
            _errors.message(
                op,
                f"the result has shape {result.shape}; in place the shape cannot change",
                [("x1", x), ("x2", other)],
                f"write x = {op}(x, other)",
            )
        )
    assign(x, ..., result, op=op)
    return x


def _updated_without_temporary(x: Array, op: str, other: Any) -> bool:
    """Do ``x op= other`` in the buffer of `x` where that is not recorded and the backend knows how."""
    if type(other) is Array:
        if other._device is not x._device or (recording.get() and other.requires_grad):
            return False
        raw = other._data
    elif type(other) in (int, float):
        raw = other
    else:
        return False
    if recording.get() and x.requires_grad:
        return False
    backend = x._device.backend
    if backend.immutable:
        return False
    exclusive = _is_exclusive(x)  # before the updater, which holds the buffer too
    run = backend.updater(op, x._data, raw)
    if run is None or not backend.is_writable(x._data):
        return False
    if exclusive:
        _forget(id(backend.owner(x._data)))
    else:
        _note(x._device, x._data, op, recorded=False)
    run()
    return True


def _value(op: str, x: Array, value: Any) -> tuple[Any, Any]:
    """The raw value in the dtype of `x` (or a Python scalar), and its node."""
    device = x._device
    dtype = x.dtype
    if op == "setitem" and dtype.kind in "iu":
        value = _whole(x, value)
    if type(value) in (bool, int, float, complex):
        if _dtypes.promote_scalar(dtype, type(value)) is not dtype:
            raise _narrowing(op, x, value)
        if dtype.kind in "iu" and not (limits := np.iinfo(dtype)).min <= value <= limits.max:
            raise _errors.ScalarOverflowError(
                _errors.message(op, f"{value} is not within the range of {dtype}", [("x", x), ("value", value)])
            )
        return value, None
    if type(value) is not Array:
        if isinstance(value, np.generic):
            place = (device.type, device.index)
            value = _dispatch.wrap(device.backend.from_numpy(np.asarray(value), place, copy=True), device)
        elif isinstance(value, (list, tuple)):
            value = conversion.from_nested(value, device)
        else:
            value = _dispatch.as_array(_extras.assign, value)
    node = value._tracked
    if value.dtype is dtype:
        return value._data, node
    if not (np.can_cast(value.dtype, dtype, "same_kind") or (value.dtype.kind in "iu" and dtype.kind in "iu")):
        raise _narrowing(op, x, value)
    cast = device.backend.kernel("astype")
    raw = cast(value._data, dtype)
    if dtype.kind in "iu" and not np.can_cast(value.dtype, dtype, "safe"):
        host = value._host()
        if np.any(host != host.astype(dtype)):
            raise _errors.ScalarOverflowError(
                _errors.message(op, f"a value is not within the range of {dtype}", [("x", x), ("value", value)])
            )
    return raw, node


def _whole(x: Array, value: Any) -> Any:
    """A floating-point value as the integers that NumPy stores for it, towards 0; only where there is an answer."""
    dtype = x.dtype
    if isinstance(value, (Array, np.ndarray, np.generic)):
        if value.dtype.kind != "f" or (
            type(value) is Array and (value._device is not x._device or value.requires_grad)
        ):
            return value
        host = value._host() if type(value) is Array else np.asarray(value)
    elif type(value) is float:
        host = np.asarray(value)
    else:
        return value
    cut = conversion.whole(host, dtype)
    if cut is None:
        raise _errors.ScalarOverflowError(
            _errors.message(
                "setitem", f"a value is not a number within the range of {dtype}", [("x", x), ("value", value)]
            )
        )
    if type(value) is float:
        return int(value)
    return _dispatch.wrap(x._device.backend.from_numpy(cut, (x._device.type, x._device.index), copy=True), x._device)


def _narrowing(op: str, x: Array, value: Any) -> _errors.DTypeError:
    return _errors.DTypeError(
        _errors.message(
            op,
            f"the value cannot be held by dtype {x.dtype} without loss; the dtype of an array never changes in place",
            [("x", x), ("value", value)],
            "make x of a wider data type, or astype the value",
        )
    )


def _translated(error: Exception, op: str, x: Array, value: Any) -> Exception:
    def named() -> None: ...

    named.__name__ = op
    return _dispatch.translated(error, named, (x, value))
