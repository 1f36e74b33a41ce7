"""Views of arrays whose library has no writes in place: what the memory does elsewhere is kept here in a table.

A write makes a new raw array for the root, and every alias of it that is alive is derived anew. So values alias as in
NumPy on every backend. Backends that can write never come here.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from ._array import Array


class _Link(NamedTuple):
    """How an alias is had from the array that it was taken of, which lives as long as the alias does."""

    base: Array
    operation: Callable[..., Any] | None
    parameters: dict[str, Any]


_links: dict[int, _Link] = {}
_aliases: dict[int, dict[int, weakref.ref[Array]]] = {}


def link(alias: Array, base: Array, operation: Callable[..., Any] | None, parameters: dict[str, Any]) -> None:
    """Note that an array is an alias of another: the result of a view operation, or the same (None)."""
    key = id(alias)
    _links[key] = _Link(base, operation, parameters)
    _aliases.setdefault(id(base), {})[key] = weakref.ref(alias, functools.partial(_forget, key, id(base)))


def _forget(key: int, base: int, _: weakref.ref[Array]) -> None:
    # The link first: it may hold the last reference to the base.
    siblings = _aliases.get(base)
    if siblings is not None:
        siblings.pop(key, None)
        if not siblings:
            _aliases.pop(base, None)
    _links.pop(key, None)


def path_of(x: Array) -> tuple[Array, tuple[tuple[Callable[..., Any], dict[str, Any]], ...]]:
    """The root of an alias, and the operations that lead from it to the alias."""
    steps = []
    while id(x) in _links:
        base, operation, parameters = _links[id(x)]
        if operation is not None:
            steps.append((operation, parameters))
        x = base
    return x, tuple(reversed(steps))


def is_stretched(x: Array) -> bool:
    """Whether several elements of an alias stand for one of its root."""
    while id(x) in _links:
        base, operation, _ = _links[id(x)]
        if operation is not None and operation.__name__ == "broadcast_to" and x.size > base.size:
            return True
        x = base
    return False


def write(x: Array, key: Any, value: Any) -> None:
    """``x[key] = value`` for a raw key and value: the root and all its aliases get new values."""
    root, path = path_of(x)
    root._data = x._device.kernels[_assign](root._data, value, path=path, key=key)
    _derive(root)


def _derive(base: Array) -> None:
    stack = [base]
    while stack:
        base = stack.pop()
        for key, reference in list(_aliases.get(id(base), {}).items()):
            alias = reference()
            if alias is None:
                continue
            _, operation, parameters = _links[key]
            raw = base._data if operation is None else base._device.kernels[operation](base._data, **parameters)
            alias._data = raw if type(raw) is base._device.array_type else base._device.backend.wrap(raw)
            stack.append(alias)


from .ops._extras import assign as _assign  # noqa: E402 - operations need the class that needs this module
