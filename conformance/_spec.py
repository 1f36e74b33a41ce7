"""The standard as data: what there has to be, read from ``spec/array_api_2025_12.json``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gradarray as ga

FOLDER = Path(__file__).resolve().parent / "spec"


@cache
def data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "array_api_2025_12.json").read_text(encoding="utf-8"))
    return found


def functions(*namespaces: str) -> list[dict[str, Any]]:
    """The entries of functions, methods and attributes, of the given namespaces."""
    return [entry for entry in data()["functions"] if entry["namespace"] in namespaces]


def names(*namespaces: str) -> list[str]:
    """Qualified names, such as ``"main.sum"``, ``"linalg.det"`` or ``"array.__add__"``."""
    found = [f"{entry['namespace']}.{entry['name']}" for entry in functions(*namespaces)]
    if "array" in namespaces:
        operators = data()["array_object"]
        found += [f"array.{name}" for name in operators["reflected_in_spec_text"] + operators["inplace_in_spec_text"]]
    if "constants" in namespaces:
        found += [f"constants.{constant['name']}" for constant in data()["constants"]]
    if "dtypes" in namespaces:
        found += [f"dtypes.{name}" for name in data()["dtypes"]]
    return found


EVERYTHING = ("main", "linalg", "fft", "info", "array", "dtype", "constants", "dtypes")


def home(namespace: str) -> Any:
    """The object that the names of a namespace are attributes of, in gradarray."""
    if namespace == "array":
        return ga.Array
    if namespace == "info":
        return ga.__array_namespace_info__()
    if namespace in ("linalg", "fft"):
        return getattr(ga, namespace)
    return ga


def find(qualified: str) -> Any:
    """What gradarray has under a qualified name, looked up now: faults may have been put in."""
    namespace, _, name = qualified.partition(".")
    return getattr(home(namespace), name)


DTYPES: dict[str, np.dtype[Any]] = {name: np.dtype(name) for name in data()["dtypes"]}
KINDS: dict[str, str] = {name: entry["kind"] for name, entry in data()["dtypes"].items()}
PROMOTIONS: dict[tuple[str, str], str] = {
    (first, second): result for first, second, result in data()["promotion_table"]
}
