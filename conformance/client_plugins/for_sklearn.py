"""scikit-learn's tests of array-API support: its lists of namespaces have ours, alone and mixed with others."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

import sklearn.utils._array_api as theirs
from namespace import NAME, keep, parameters

#: Two devices of the namespace, by the names that scikit-learn's tests take.
_DEVICES: tuple[str | None, str] = {"array_api_strict": ("CPU_DEVICE", "device1")}.get(NAME, (None, "cpu"))


def _namespaces(include_numpy_namespaces: bool = True) -> Iterator[str]:
    yield NAME


def _combinations(include_numpy_namespaces: bool = True) -> Iterator[tuple[str, str | None, str]]:
    yield from ((NAME, _DEVICES[0], "float64"), (NAME, _DEVICES[0], "float32"), (NAME, _DEVICES[1], "float32"))


def _mixed() -> Iterator[tuple[Any, Any, str]]:
    ours = theirs.NamespaceAndDevice(NAME, _DEVICES[1])
    for other, device in (("numpy", None), ("torch", "cpu"), ("array_api_strict", "device1")):
        if other == NAME:
            continue
        there = theirs.NamespaceAndDevice(other, device)
        yield there, ours, f"{other} to {NAME}"
        if other != "array_api_strict":
            yield ours, there, f"{NAME} to {other}"


theirs.yield_namespaces = _namespaces
theirs.yield_namespace_device_dtype_combinations = _combinations
theirs.yield_mixed_namespace_input_permutations = _mixed

import sklearn.utils.estimator_checks as checks  # noqa: E402 - it takes the lists when it is imported

_original = checks._yield_array_api_checks


def _array_api_checks(estimator: Any, only_numpy: bool = False) -> Iterator[Any]:
    for check in () if only_numpy else _original(estimator, only_numpy=False):
        if getattr(check, "func", None) is checks.check_array_api_same_namespace:
            check = functools.partial(check.func, array_namespace=NAME, device_name=_DEVICES[1])
        yield check


checks._yield_array_api_checks = _array_api_checks


def _about_us(item: Any) -> bool:
    given = parameters(item)
    if {"array_namespace", "namespace"} & set(given):
        return True
    text = repr(list(given.values()))
    return NAME in text and "array_api" in f"{item.nodeid} {text} {getattr(item, 'fixturenames', ())}"


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep the tests that have the namespace among their parameters."""
    keep(config, items, _about_us)
