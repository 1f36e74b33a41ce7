"""Anomaly detection: which line of the forward program the operation stands on whose derivative is NaN."""

from __future__ import annotations

import linecache
import sys
from contextvars import ContextVar, Token
from typing import Any

from . import _errors, _hooks
from ._graph import Node, observing

_looking: ContextVar[bool] = ContextVar("gradarray_detect_anomaly", default=False)


class detect_anomaly:
    """Context manager: raise an error where the backward of an operation makes NaN, and name the line that recorded it.

    Per thread and task. Operations recorded inside note the line of the program that called them; every `backward`
    inside checks each cotangent. Both cost time, so it is for debugging only.

    Raises
    ------
    AnomalyError
        From ``backward()`` and its kin, at the first cotangent that holds NaN while the one that it was made from does
        not matter.

    Examples
    --------
    >>> import gradarray as ga
    >>> x = ga.asarray([0.0], requires_grad=True)
    >>> try:
    ...     with ga.autograd.detect_anomaly():
    ...         ga.sum(ga.sqrt(x) * 0).backward()
    ... except ga.AnomalyError as error:
    ...     print(str(error).splitlines()[0])
    backward(): the derivative of sqrt() is NaN
    """

    __slots__ = ("_observing", "_tokens")

    def __init__(self) -> None:
        self._observing = observing(see=_note)
        self._tokens: list[Token[bool]] = []

    def __enter__(self) -> None:
        self._observing.__enter__()
        self._tokens.append(_looking.set(True))

    def __exit__(self, *error: object) -> None:
        _looking.reset(self._tokens.pop())
        self._observing.__exit__(*error)


def looking() -> bool:
    """Whether walks of this thread or task check what rules give."""
    return _looking.get()


def _note(node: Node) -> None:
    """Write down which line outside the library made a node."""
    frame = sys._getframe(2)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    _hooks.attached(node).where = (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def _is_ours(module: str) -> bool:
    return module == "gradarray" or module.startswith(("gradarray.", "gradarray_", "contextlib"))


def line_of(node: Node) -> str | None:
    """The line that recorded a node, as a traceback shows it; None if that was not noted."""
    attached = getattr(node, "attached", None)
    if attached is None or attached.where is None:
        return None
    file, number, function = attached.where
    text = linecache.getline(file, number).strip()
    return f'  File "{file}", line {number}, in {function}' + (f"\n    {text}" if text else "")


def check(node: Node, result: Any) -> None:
    """Raise AnomalyError if a rule's result holds NaN."""
    raw = getattr(result, "_data", result)
    xp = node.device.xp
    if not bool(xp.any(xp.isnan(raw))):
        return
    line = line_of(node)
    raise _errors.AnomalyError(
        f"backward(): the derivative of {node.plan.operation.name}() is NaN\n"
        + (f"It was recorded here:\n{line}\n" if line else "It was recorded outside detect_anomaly: no line is known\n")
        + "Fix: keep its input away from where the derivative does not exist, or use where() so that it does not matter"
    )
