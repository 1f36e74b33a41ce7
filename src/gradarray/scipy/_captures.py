"""Functions given by the caller, and the tracked arrays that they depend on besides their argument.

A function handed to SciPy may get parameters as arguments or close over them. Either way they are found in the graph of
what it returns, and become the inputs of the operation that SciPy's algorithm is recorded as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .. import _dtypes, _engine, _errors
from .._array import Array
from .._devices import Device, default_device
from .._dispatch import check_devices, wrap
from .._graph import Leaf, Slot, View, enable_grad, next_sequence, no_grad, recording
from ..ops._extras import variable
from ..ops.conversion import asarray
from ..ops.data_type import astype
from ..ops.elementwise import real
from ..ops.manipulation import reshape, stack


def device_for(op: str, *operands: tuple[str, Any]) -> Device:
    """The common device of the arrays of ours among named operands, and in tuples of them; or the default device."""
    arrays: list[tuple[str, Any]] = []
    for name, x in operands:
        if isinstance(x, Array):
            arrays.append((name, x))
        elif isinstance(x, (tuple, list)):
            arrays.extend((f"{name}[{place}]", part) for place, part in enumerate(x) if isinstance(part, Array))
    check_devices(op, arrays)
    return arrays[0][1].device if arrays else default_device()


def values_of(op: str, x: Any, device: Device, what: str = "the function") -> Array:
    """What a function of the caller returned, as one array: an array, a number, or a nested sequence of them."""
    if isinstance(x, Array):
        if x.device is not device:
            raise _errors.DeviceMismatchError(op, [("argument", asarray(0.0, device=device)), ("result", x)])
        return x
    if isinstance(x, (list, tuple)):
        parts = [values_of(op, part, device, what) for part in x]
        if not parts:
            return asarray([], device=device)
        common = _dtypes.result_dtype([part.dtype for part in parts], [])
        return stack([astype(part, common, copy=False) for part in parts])
    if isinstance(x, (int, float, complex, np.ndarray, np.generic)):
        return asarray(x, device=device)
    raise _errors.ArgumentTypeError(
        _errors.message(op, f"{what} must return an array or numbers", [("returned", x)], "return an array")
    )


def floating(x: Array) -> Array:
    """`x` in a floating-point dtype: integers as float64."""
    return x if x.dtype in _dtypes.DIFFERENTIABLE else astype(x, _dtypes.float64)


def kept(args: Any) -> tuple[Any, ...]:
    """Arguments as a tuple, tracked arrays with a copy of their values: what is written later is not seen."""
    given: tuple[Any, ...] = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    if not recording.get():
        return given
    found = []
    for x in given:
        if isinstance(x, Array) and x.requires_grad:
            node = x._node.resolve() if type(x._node) is View else x._node
            x = wrap(x._device.backend.copy(x._data), x._device, node)
        found.append(x)
    return tuple(found)


def _key(node: Any) -> Any:
    return (node.node, node.index) if type(node) is Slot else node


def outside(y: Array, start: int, own: Iterable[Any] = ()) -> dict[Any, Any]:
    """The nodes recorded up to a sequence number, and the leaves, that an array depends on, by their identity."""
    found: dict[Any, Any] = {}
    own = set(own)
    stack_ = [y._tracked]
    seen: set[Any] = set()
    while stack_:
        node = stack_.pop()
        key = _key(node)
        if node is None or node in own or key in seen:
            continue
        seen.add(key)
        inner = node.node if type(node) is Slot else node
        if type(inner) is Leaf or inner.sequence <= start:
            found[key] = node
        else:
            stack_.extend(inner.parents)
    return found


class Captured:
    """A function of the caller of one array, and what it was seen to depend on.

    Attributes
    ----------
    op : str
        Who calls it, for errors.
    function : callable
        Of one array of ours; gives one array of ours.
    device : Device
        Where both lie.
    nodes : dict
        The nodes of the tracked arrays that results depended on so far.
    """

    def __init__(self, op: str, function: Callable[[Array], Array], device: Device) -> None:
        self.op = op
        self.function = function
        self.device = device
        self.nodes: dict[Any, Any] = {}

    def host(self, x: Any) -> np.ndarray[Any, Any]:
        """The values at a NumPy array, in NumPy's memory; what they depend on is noted."""
        # A copy: SciPy may write into what it gets.
        return np.array(self.noted(asarray(np.asarray(x), device=self.device, copy=True))._host())

    def noted(self, x: Array) -> Array:
        """The value at an untracked array, without history; what it depends on is noted."""
        start = next_sequence()
        y = self.function(x)
        if y._tracked is not None:
            self.nodes.update(outside(y, start))
            y = y.detach()
        return y

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The nodes noted, in a fixed order."""
        return tuple(self.nodes.values())

    def pull(self, x: Array, seed: Array, nodes: Sequence[Any], *, record: bool) -> list[Any]:
        """The cotangent of each node from that of the value at `x`, which itself counts as constant; None for zero.

        Raw arrays, unless the computation is recorded.
        """
        y, start, point = self.traced(x)
        if y._tracked is None:
            return [None] * len(nodes)
        strange = set(outside(y, start, [point._tracked])) - {_key(node) for node in nodes}
        if strange:
            raise _errors.NoDerivativeError(
                f"{self.op}(): the function depends on a tracked array that it did not depend on before\n"
                "Fix: pass it in args, or let the function use it at every point"
            )
        with derivative_mode(record):
            seed = astype(real(seed) if seed.dtype.kind == "c" and y.dtype.kind != "c" else seed, y.dtype, copy=False)
            seed = seed if seed.shape == y.shape else reshape(seed, y.shape)
        found = _engine.walk(
            [y],
            [seed],
            op=self.op,
            retain_graph=record,
            create_graph=record,
            wanted=nodes,
            after=start,
        )
        return [found.get(node) for node in nodes]

    def traced(self, x: Array) -> tuple[Array, int, Array]:
        """The value at a variable that stands on top of a tracked `x`; the sequence number before, and the variable."""
        start = next_sequence()
        with enable_grad():
            point = variable(x) if x.requires_grad else x
            return self.function(point), start, point


def derivative_mode(record: bool) -> Any:
    """The mode in which a rule of one's own computes."""
    return enable_grad() if record else no_grad()


def brought(x: Any, device: Device) -> Array:
    """What a rule is given, raw or not, as an array."""
    return x if isinstance(x, Array) else wrap(x, device)
