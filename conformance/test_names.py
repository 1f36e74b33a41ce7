"""Every name of the standard is there, and `__all__` says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from . import _spec
from ._arrays import array, ga
from ._cases import covers


@pytest.mark.parametrize("name", _spec.names("main", "linalg", "fft", "info"))
def test_function_exists(name: str) -> None:
    assert callable(_spec.find(name))


@pytest.mark.parametrize("name", _spec.names("array"))
def test_member_of_arrays_exists(name: str, device: str) -> None:
    member = name.removeprefix("array.")
    x = array(np.ones((2, 2)), device)
    is_method = member.startswith("__") or member == "to_device"
    assert callable(getattr(x, member)) == is_method
    if not is_method:
        assert isinstance(getattr(ga.Array, member), property)


@pytest.mark.parametrize("constant", _spec.data()["constants"], ids=lambda constant: constant["name"])
def test_constants(constant: dict[str, str]) -> None:
    value = getattr(ga, constant["name"])
    if constant["value"] == "None":
        assert value is None
        return
    expected = float(constant["value"])
    assert type(value) is float
    assert value == expected or (math.isnan(value) and math.isnan(expected))


for _constant in _spec.data()["constants"]:
    test_constants = covers(f"constants.{_constant['name']}")(test_constants)


@pytest.mark.parametrize("name", [pytest.param(name, marks=covers(f"dtypes.{name}")) for name in _spec.DTYPES])
def test_dtypes(name: str, device: str) -> None:
    dtype = getattr(ga, name)
    x = ga.zeros(2, dtype=dtype, device=device)
    assert x.dtype is dtype or x.dtype == dtype
    assert ga.isdtype(dtype, _spec.KINDS[name])
    assert ga.__array_namespace_info__().dtypes(device=device)[name] == dtype


@pytest.mark.parametrize("name", _spec.DTYPES)
@covers("dtype.__eq__")
def test_dtypes_compare(name: str) -> None:
    dtype = getattr(ga, name)
    assert {other for other in _spec.DTYPES if dtype == getattr(ga, other)} == {name}
    assert isinstance(dtype == ga.float32, bool)
    assert hash(dtype) == hash(ga.zeros(1, dtype=dtype).dtype)
    assert dtype != "nonsense"


def _public(module: Any) -> set[str]:
    return set(module.__all__)


@pytest.mark.parametrize("namespace", ["main", "linalg", "fft"])
def test_all_lists_the_standard(namespace: str) -> None:
    module = _spec.home(namespace)
    wanted = {entry["name"] for entry in _spec.functions(namespace)}
    if namespace == "main":
        wanted |= {constant["name"] for constant in _spec.data()["constants"]} | set(_spec.DTYPES) | {"linalg", "fft"}
    assert wanted - _public(module) == set()
    assert len(module.__all__) == len(_public(module)), "a name is listed twice"
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


# Molecular models call NumPy's norm on any namespace.
@pytest.mark.parametrize(("namespace", "beyond"), [("linalg", {"norm"}), ("fft", set())])
def test_extensions_have_nothing_else(namespace: str, beyond: set[str]) -> None:
    assert _public(_spec.home(namespace)) == {entry["name"] for entry in _spec.functions(namespace)} | beyond


def test_versions() -> None:
    assert ga.__array_api_version__ == _spec.data()["version"]


def test_star_import_and_dir_agree_with_all() -> None:
    names: dict[str, Any] = {}
    exec("from gradarray import *", names)
    names.pop("__builtins__")
    assert set(names) == _public(ga)
    assert _public(ga) <= set(dir(ga))
