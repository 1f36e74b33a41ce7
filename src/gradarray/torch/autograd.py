"""Gradients: PyTorch's module ``torch.autograd``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradarray as ga

from .. import _errors
from .._array import Array
from .._engine import order_of
from .._graph import enable_grad, no_grad, set_grad_enabled
from ..autograd import detect_anomaly
from . import _functional as functional
from ._calls import call, raw
from ._tensor import Tensor

__all__ = ["backward", "detect_anomaly", "enable_grad", "functional", "grad", "no_grad", "set_grad_enabled"]


def _several(x: Any) -> list[Any]:
    return [x] if isinstance(x, (Tensor, Array)) or x is None else list(x)


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Gradients of tensors with respect to others; nothing is accumulated in any ``.grad``.

    Parameters
    ----------
    outputs : Tensor or sequence of Tensor
        What to differentiate; the gradients of several are added.
    inputs : Tensor or sequence of Tensor
        Leaves or results of recorded operations.
    grad_outputs : Tensor or sequence of Tensor, optional
        The cotangent of each output. Needed unless it has one element.
    retain_graph : bool, optional
        Keep what the graph has saved; by default as `create_graph` says.
    create_graph : bool, default: False
        Record the computation of the gradients.
    allow_unused : bool, optional
        Give None for an input that the outputs do not depend on; by default as `materialize_grads` says.
    materialize_grads : bool, default: False
        Give zeros for such an input.

    Returns
    -------
    tuple of Tensor
        One for each input.

    Raises
    ------
    NotTrackedError
        If an output, or an input, is not tracked, or if the outputs do not depend on an input and that is not allowed.
    """
    ys, xs = _several(outputs), _several(inputs)
    used = [True] * len(xs) if materialize_grads else _used(ys, xs)
    if not allow_unused and not all(used):
        number = used.index(False)
        raise _errors.NotTrackedError(
            _errors.message(
                "grad",
                f"the outputs do not depend on inputs[{number}]",
                [(f"inputs[{number}]", raw(xs[number]))],
                "allow_unused=True gives None for it, materialize_grads=True gives zeros",
            )
        )
    found = call(
        ga.autograd.gradients,
        ys,
        [x for x, needed in zip(xs, used, strict=True) if needed],
        gradient=None if grad_outputs is None else _several(grad_outputs),
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
    )
    rest = iter(found)
    return tuple([next(rest) if needed else None for needed in used])


def _used(ys: list[Any], xs: list[Any]) -> list[bool]:
    """Whether any of some tensors depends on each of others; True for what is not tracked, which is refused later."""
    starts = [node for y in ys if (node := raw(y)._tracked) is not None]
    seen = set(starts)
    for node in order_of(starts) if starts else ():
        seen.add(node)
        seen.update(node.parents)
    return [(node := raw(x)._tracked) is None or node in seen for x in xs]


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Accumulate the gradients of tensors into every leaf that they depend on; see `Tensor.backward`."""
    ys = _several(tensors)
    seeds = [None] * len(ys) if grad_tensors is None else _several(grad_tensors)
    for number, (y, seed) in enumerate(zip(ys, seeds, strict=True)):
        # The graphs may share nodes, which must last until the last of them.
        keep = retain_graph or create_graph or number < len(ys) - 1
        y.backward(seed, retain_graph=keep, create_graph=create_graph, inputs=inputs)
