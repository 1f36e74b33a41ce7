"""Names, kinds and defaults of all parameters are the standard's."""

from __future__ import annotations

import ast
import inspect
from inspect import Parameter
from typing import Any

import numpy as np
import pytest

from . import _spec
from ._arrays import array

_KINDS = {
    "positional_only": Parameter.POSITIONAL_ONLY,
    "positional_or_keyword": Parameter.POSITIONAL_OR_KEYWORD,
    "keyword_only": Parameter.KEYWORD_ONLY,
    "var_positional": Parameter.VAR_POSITIONAL,
    "var_keyword": Parameter.VAR_KEYWORD,
}


def _entries(*namespaces: str) -> list[Any]:
    return [pytest.param(entry, id=f"{entry['namespace']}.{entry['name']}") for entry in _spec.functions(*namespaces)]


def _expected(entry: dict[str, Any], *, bound: bool = False) -> list[tuple[str, Any, Any]]:
    found = []
    for parameter in entry["parameters"][1 if bound else 0 :]:
        default = ast.literal_eval(parameter["default"]) if "default" in parameter else Parameter.empty
        found.append((parameter["name"], _KINDS[parameter["kind"]], default))
    return found


def _actual(function: Any) -> list[tuple[str, Any, Any]]:
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def creates(entry: dict[str, Any]) -> bool:
    """Whether the function makes arrays on a device of the caller's choice, and so has `requires_grad`."""
    return entry["namespace"] in ("main", "fft") and any(p["name"] == "device" for p in entry["parameters"])


def _compare(actual: list[tuple[str, Any, Any]], expected: list[tuple[str, Any, Any]]) -> None:
    assert [name for name, _, _ in actual] == [name for name, _, _ in expected]
    for (name, kind, default), (_, wanted_kind, wanted_default) in zip(actual, expected, strict=True):
        assert kind is wanted_kind, f"{name} is {kind.description}, not {wanted_kind.description}"
        assert default == wanted_default, f"{name} is {default!r} by default, not {wanted_default!r}"
        assert type(default) is type(wanted_default), f"{name} is {default!r} by default, not {wanted_default!r}"


@pytest.mark.parametrize("entry", _entries("main", "linalg", "fft", "info"))
def test_function(entry: dict[str, Any]) -> None:
    actual = _actual(_spec.find(f"{entry['namespace']}.{entry['name']}"))
    if creates(entry) and actual and actual[-1] == ("requires_grad", Parameter.KEYWORD_ONLY, False):
        actual.pop()
    _compare(actual, _expected(entry))


@pytest.mark.parametrize(
    "entry", [pytest.param(entry, id=entry["name"]) for entry in _spec.functions("array") if entry["kind"] == "method"]
)
def test_bound_method(entry: dict[str, Any], device: str) -> None:
    x = array(np.ones((2, 2)), device)
    _compare(_actual(getattr(x, entry["name"])), _expected(entry, bound=True))


@pytest.mark.parametrize(
    "name",
    _spec.data()["array_object"]["reflected_in_spec_text"] + _spec.data()["array_object"]["inplace_in_spec_text"],
)
def test_bound_operator_without_a_stub(name: str) -> None:
    method = getattr(array(np.ones((2, 2))), name)
    _compare(_actual(method), [("other", Parameter.POSITIONAL_ONLY, Parameter.empty)])


@pytest.mark.parametrize("entry", _entries("main", "linalg", "fft"))
def test_every_parameter_is_annotated(entry: dict[str, Any]) -> None:
    signature = inspect.signature(_spec.find(f"{entry['namespace']}.{entry['name']}"))
    assert [p.name for p in signature.parameters.values() if p.annotation is Parameter.empty] == []
    assert signature.return_annotation is not inspect.Signature.empty
