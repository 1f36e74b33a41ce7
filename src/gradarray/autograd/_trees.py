"""Nested containers of arrays: dict, list, tuple, named tuple and dataclass, taken apart and put together again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from .. import _errors

#: Puts a container together again from its parts.
Rebuild = Callable[[Sequence[Any]], Any]


def children(tree: Any) -> tuple[list[str], list[Any], Rebuild] | None:
    """The parts of a container, how each is written after the container's name, and how to rebuild it; None for a leaf.

    The rebuilt container is of the same class. A dataclass instance is copied, so what is not a field stays.
    """
    kind = type(tree)
    if isinstance(tree, dict):
        keys = list(tree)

        def rebuild_dict(parts: Sequence[Any]) -> Any:
            if kind is dict:
                return dict(zip(keys, parts, strict=True))
            new = copy.copy(tree)
            new.update(zip(keys, parts, strict=True))
            return new

        return [f"[{key!r}]" for key in keys], list(tree.values()), rebuild_dict
    if isinstance(tree, tuple):
        if hasattr(tree, "_fields"):
            return [f".{name}" for name in tree._fields], list(tree), lambda parts: kind(*parts)
        return _numbered(tree), list(tree), kind
    if isinstance(tree, list):
        return _numbered(tree), tree, kind
    if hasattr(kind, "__dataclass_fields__"):
        names = list(kind.__dataclass_fields__)

        def rebuild_dataclass(parts: Sequence[Any]) -> Any:
            new = copy.copy(tree)
            for name, part in zip(names, parts, strict=True):
                object.__setattr__(new, name, part)  # frozen ones too
            return new

        return [f".{name}" for name in names], [getattr(tree, name) for name in names], rebuild_dataclass
    return None


def _numbered(parts: Sequence[Any]) -> list[str]:
    return [f"[{position}]" for position in range(len(parts))]


def flatten(tree: Any, name: str = "") -> tuple[list[tuple[str, Any]], Rebuild]:
    """Every leaf of a nested container with its name, and a function that rebuilds the container from new leaves."""
    found = children(tree)
    if found is None:
        return [(name, tree)], lambda leaves: leaves[0]
    labels, parts, rebuild = found
    leaves: list[tuple[str, Any]] = []
    sizes: list[tuple[int, Rebuild]] = []
    for label, part in zip(labels, parts, strict=True):
        inner, inner_rebuild = flatten(part, name + label)
        leaves.extend(inner)
        sizes.append((len(inner), inner_rebuild))

    def build(new: Sequence[Any]) -> Any:
        at = 0
        built = []
        for size, inner_rebuild in sizes:
            built.append(inner_rebuild(new[at : at + size]))
            at += size
        return rebuild(built)

    return leaves, build


def leaves_like(op: str, name: str, tree: Any, like: Any, like_name: str) -> list[Any]:
    """The leaves of a container that must have the structure of another one."""
    found, expected = children(tree), children(like)
    if expected is None:
        return [tree]
    if found is None or type(tree) is not type(like) or found[0] != expected[0]:
        raise _errors.ArgumentTypeError(
            f"{op}(): {name} has not the structure of {like_name}: {_outline(tree)} instead of {_outline(like)}\n"
            f"Fix: pass containers of the same classes, keys and lengths"
        )
    return [
        leaf
        for label, part, part_like in zip(found[0], found[1], expected[1], strict=True)
        for leaf in leaves_like(op, name + label, part, part_like, like_name + label)
    ]


def _outline(tree: Any) -> str:
    found = children(tree)
    if found is None:
        return _errors.describe(tree)
    return f"{type(tree).__name__} of {', '.join(found[0]) or 'nothing'}"
