"""Faults to put into the namespace, in the words of ``spec/suite_blind_spots.txt``.

``name:value``: the (first) result is wrong. ``name:ignore:KEYWORD``: the keyword is taken and ignored.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _spec
from ._arrays import ga

# Taken before any fault is in.
_add, _logical_not = ga.add, ga.logical_not


@dataclass(frozen=True)
class Fault:
    """One fault of one function.

    Attributes
    ----------
    function : str
        Qualified name: ``"linalg.det"``.
    keyword : str, optional
        The keyword that is ignored; None if the result is wrong.
    """

    function: str
    keyword: str | None = None

    def __str__(self) -> str:
        return f"{self.function}:{'value' if self.keyword is None else f'ignore:{self.keyword}'}"


def listed() -> list[Fault]:
    """The faults that the official suite does not see."""
    found = []
    namespace = ""
    for line in (_spec.FOLDER / "suite_blind_spots.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            namespace = line.strip("[]")
        elif line and not line.startswith("#"):
            name, kind, *keyword = line.split(":")
            assert kind == ("ignore" if keyword else "value"), line
            found.append(Fault(f"{namespace}.{name}", *keyword))
    return found


#: What cannot be wrong in a way that can be seen.
_UNOBSERVABLE = {
    "main.empty:value",
    "main.empty_like:value",
    "main.__array_namespace_info__:value",
    "info.capabilities:value",
    "array.__dlpack__:value",
    "array.__setitem__:value",
    "array.__dlpack__:ignore:stream",
    "array.to_device:ignore:stream",
}


def everything() -> list[Fault]:
    """A wrong value of every name of the standard, and every parameter with a default ignored."""
    found = []
    for entry in _spec.functions("main", "linalg", "fft", "info", "array"):
        if entry["kind"] == "attribute" or entry["alias_of_main"]:
            continue
        name = f"{entry['namespace']}.{entry['name']}"
        found.append(Fault(name))
        found += [Fault(name, p["name"]) for p in entry["parameters"] if "default" in p]
    stubs = {fault.function for fault in found}
    found += [Fault(name) for name in _spec.names("array") if name not in stubs and name.endswith("__")]
    return [fault for fault in found if str(fault) not in _UNOBSERVABLE]


@contextlib.contextmanager
def put_in(fault: Fault) -> Iterator[None]:
    """The namespace with the fault, inside the block."""
    namespace, _, name = fault.function.partition(".")
    home = type(_spec.home(namespace)) if namespace == "info" else _spec.home(namespace)
    right = getattr(home, name)
    setattr(home, name, _faulty(right, fault))
    try:
        yield
    finally:
        setattr(home, name, right)


def _faulty(function: Callable[..., Any], fault: Fault) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def faulty(*args: Any, **kwargs: Any) -> Any:
        if fault.keyword is None:
            return wrong(function(*args, **kwargs))
        given = signature.bind(*args, **kwargs)
        given.arguments.pop(fault.keyword, None)
        # From the ignored one on, what was given by position has to be given by name.
        keywords = {
            name: value
            for name, value in given.arguments.items()
            if signature.parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        }
        for name in keywords:
            del given.arguments[name]
        return function(*given.args, **keywords, **given.kwargs)

    return faulty


def wrong(result: Any) -> Any:
    """A wrong result of the same type, in place of a right one."""
    if isinstance(result, ga.Array):
        if result.dtype == ga.bool:
            return _logical_not(result)
        with ga.no_grad():
            return _add(result, 1)
    if isinstance(result, tuple):
        parts = [wrong(part) if place == 0 else part for place, part in enumerate(result)]
        return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
    if isinstance(result, bool):
        return not result
    if isinstance(result, (int, float, complex)):
        return result + 1
    if isinstance(result, np.dtype):
        return np.dtype("float32" if result == np.dtype("float64") else "float64")
    if isinstance(result, dict):
        return dict(list(result.items())[1:])
    if isinstance(result, ga.Device):
        return ga.get_device("strict:device2")
    return None
