"""The completeness of these tests is tested too: no name of the standard is without a value test."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from . import _spec

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py") if path.stem != "test_completeness")


def _covered(module: ModuleType) -> set[str]:
    """The names in the `covers` marks of the tests that pytest collects from a module, parameters included."""
    found: set[str] = set()
    for name, function in vars(module).items():
        if not (name.startswith("test_") and inspect.isfunction(function)):
            continue
        for mark in getattr(function, "pytestmark", []):
            if mark.name == "covers":
                found.update(mark.args)
            elif mark.name == "parametrize":
                for parameters in mark.args[1]:
                    marks: Any = getattr(parameters, "marks", ())
                    found.update(part for own in marks if own.mark.name == "covers" for part in own.mark.args)
    return found


def missing(names: list[str], covered: set[str]) -> list[str]:
    return [name for name in names if name not in covered]


@pytest.fixture(scope="module")
def covered() -> set[str]:
    found: set[str] = set()
    for name in MODULES:
        found |= _covered(importlib.import_module(f".{name}", __package__))
    return found


@pytest.mark.parametrize("namespace", _spec.EVERYTHING)
def test_every_name_has_a_value_test(namespace: str, covered: set[str]) -> None:
    names = _spec.names(namespace)
    assert names
    assert missing(names, covered) == []


def test_marks_name_nothing_else(covered: set[str]) -> None:
    assert covered - set(_spec.names(*_spec.EVERYTHING)) == set()


def test_a_missing_test_is_noticed(covered: set[str]) -> None:
    names = _spec.names(*_spec.EVERYTHING)
    assert missing([*names, "main.not_there"], covered) == ["main.not_there"]
    assert missing(names, covered - {"linalg.det"}) == ["linalg.det"]


def test_numbers_of_the_standard() -> None:
    """The data itself is whole: the counts that the standard's own index gives."""
    counts = {namespace: len(_spec.names(namespace)) for namespace in _spec.EVERYTHING}
    assert counts == {
        "main": 136,
        "linalg": 25,
        "fft": 14,
        "info": 5,
        "array": 7 + 34 + 13 + 13,
        "dtype": 1,
        "constants": 5,
        "dtypes": 13,
    }
