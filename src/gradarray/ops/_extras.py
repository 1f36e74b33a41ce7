"""The short list of operations beyond the standard that derivative rules use, themselves with derivatives.

Their raw kernels are those of `_kernels`. `recorded` is the namespace that a rule gets when its work is recorded:
gradarray's functions and these.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from .._dispatch import finish, run, run_view, unwrap, wrap
from .._graph import Node, next_sequence
from .._operations import OPERATIONS, Plan, derivative, same


class Description(NamedTuple):
    """Shape, dtype and device of an array, without its data or history."""

    shape: tuple[int, ...]
    dtype: Any
    device: Any


def _describe(like: Any) -> Description:
    return Description(tuple(like.shape), like.dtype, like.device)


@derivative(g=same, kind="linear")
def spread(g: Any, /, *, like: Any) -> Any:
    """`g` broadcast to the shape of `like`."""
    return run(spread, g, like=_describe(like))


@derivative(g=lambda xp, g, *, key: xp.getitem(g, key=key), kind="linear")
def scatter(g: Any, /, *, like: Any, key: Any) -> Any:
    """Zeros like `like` to which `g` is added at the raw key."""
    return run(scatter, g, like=_describe(like), key=key)


@derivative(x=lambda xp, g, like, *, key: xp.scatter(g, like=like, key=key), kind="linear", masks=True)
def getitem(x: Any, /, *, key: Any) -> Any:
    """``x[key]`` for a raw key."""
    return run(getitem, x, key=key)


@derivative(
    g=lambda xp, g, indices, *, axis: xp.take_along_axis(g, indices, axis=axis),
    kind="linear",
)
def scatter_along_axis(g: Any, indices: Any, /, *, like: Any, axis: int) -> Any:
    """The transpose of ``take_along_axis``."""
    return run(scatter_along_axis, g, indices, like=_describe(like), axis=axis)


@derivative(
    x=lambda xp, g, *, path, key: xp.assign(g, 0, path=path, key=key),
    value=lambda xp, g, *, path, key: xp.written(g, path=path, key=key),
    kind="linear",
    masks=True,
)
def assign(x: Any, value: Any, /, *, path: Any, key: Any) -> Any:
    """A copy of `x` with `value` written through the views of `path`, at the raw key."""
    return run(assign, x, value, path=path, key=key)


@derivative(
    x=lambda xp, g, like, *, path, key: xp.unwritten(g, like=like, path=path, key=key), kind="linear", masks=True
)
def written(x: Any, /, *, path: Any, key: Any) -> Any:
    """What `assign` overwrites; 0 where a repeated index wrote an element that a later one overwrote."""
    return run(written, x, path=path, key=key)


@derivative(g=lambda xp, g, *, path, key: xp.written(g, path=path, key=key), kind="linear")
def unwritten(g: Any, /, *, like: Any, path: Any, key: Any) -> Any:
    """The transpose of `written`: zeros like `like` with `g` assigned."""
    return run(unwritten, g, like=_describe(like), path=path, key=key)


@derivative(x=same, kind="linear")
def real_part(x: Any, /) -> Any:
    """The real part of a complex array, in its memory."""
    return run_view(real_part, x)


@derivative(x=lambda xp, g: g * 1j, kind="linear")
def imag_part(x: Any, /) -> Any:
    """The imaginary part of a complex array, in its memory."""
    return run_view(imag_part, x)


@derivative(x=lambda xp, g, like: xp.move(g, like=like))
def move(x: Any, /, *, like: Any) -> Any:
    """The values of `x` on the device of `like`."""
    device, (raw,), nodes = unwrap(move, (x,))
    there = like.device
    if there is device:
        return x
    out = device.xp.move(raw, like=like)
    result = wrap(out, there)
    return finish(move, result._data, there, (None,), nodes, {})


@derivative(x=same, kind="elementwise")
def variable(x: Any, /) -> Any:
    """The values of `x`, in the same memory, at a node of their own: the argument of a function to differentiate.

    Like a leaf it is not written while operations are recorded.
    """
    if x.requires_grad:
        return finish(variable, x._data, x._device, (x._data,), (x._node,), {})
    node = Node()
    node.plan = _start
    node.parents = ()
    node.saved = _start.nothing
    node.shape = x._data.shape
    node.dtype = x._data.dtype
    node.device = x._device
    node.sequence = next_sequence()
    return wrap(x._data, x._device, node)


#: Of a variable whose values are constants elsewhere: the graph begins there.
_start = Plan(OPERATIONS[variable], (), None, 1)


@derivative(
    x=lambda xp, g, idle, bad: xp.where(bad | (xp.isnan(g) & idle), 0, g),
    kind="elementwise",
    masks=True,
)
def settle(x: Any, idle: Any, bad: Any, /) -> Any:
    """`x` with 0 in the place of what is bad: NaN where an element is idle. No derivative is NaN there either."""
    return run(settle, x, idle, bad)


class _Recorded:
    """gradarray's namespace with the extras, as derivative rules see it when their work is recorded."""

    def __getattr__(self, name: str) -> Any:
        here = sys.modules[__name__]
        found = getattr(here, name) if name in _NAMES else getattr(sys.modules["gradarray"], name)
        setattr(self, name, found)
        return found


_NAMES = {
    "assign",
    "getitem",
    "imag_part",
    "move",
    "real_part",
    "scatter",
    "scatter_along_axis",
    "settle",
    "spread",
    "unwritten",
    "written",
}
recorded = _Recorded()
