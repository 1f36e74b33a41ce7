"""Arrays on two devices, in every argument position of every function and operator: an error before any kernel runs.

The positions are read off the standard's signatures, so a function that is added is tested without a line here.
"""

import importlib.util
import json
from pathlib import Path

import pytest
from conftest import DEVICES

import gradarray as ga
from gradarray._devices import Kernels

SPEC = json.loads((Path(__file__).parents[1] / "conformance/spec/array_api_2025_12.json").read_text())
INTEGERS = ("bitwise", "shift", "__and__", "__or__", "__xor__")
LOGICAL = ("logical",)
#: Arguments that are integers whatever the others are.
INDICES = {"indices", "repeats", "sorter", "key"}
#: Where most arrays are, and the other device that one is put on: of another backend, or of the same.
PAIRS = [(device, "strict:device2") for device in DEVICES]
PAIRS += [("strict:cpu", "strict:device1"), ("strict:device2", "cpu")]
if ga.get_device("cuda").backend.devices()[1:]:
    PAIRS.append(("cuda:0", "cuda:1"))
if importlib.util.find_spec("jax"):
    PAIRS += [("jax:cpu:0", "jax:cpu:7"), ("jax:cpu:3", "cpu")]


def is_array(parameter):
    return "array" in str(parameter["annotation"])


def positions():
    """Every function with the names of two or more array arguments, or of several items of one."""
    for entry in SPEC["functions"]:
        name, namespace = entry["name"], entry["namespace"]
        if namespace not in ("main", "linalg", "fft", "array") or name in ("asarray", "result_type", "can_cast"):
            continue
        arrays = [p for p in entry["parameters"] if is_array(p)]
        several = any(p["kind"] == "var_positional" or "Tuple[array" in str(p["annotation"]) for p in arrays)
        if namespace == "array" and name in ("__getitem__", "__setitem__"):
            several = False
        if len(arrays) < 2 and not several:
            continue
        label = name if namespace in ("main", "array") else f"{namespace}.{name}"
        if several:
            for position in range(3):
                yield pytest.param(entry, arrays, position, id=f"{label}-arrays[{position}]")
        else:
            for position, parameter in enumerate(arrays):
                yield pytest.param(entry, arrays, position, id=f"{label}-{parameter['name']}")


def values(entry, parameter):
    name = entry["name"]
    if parameter["name"] in INDICES or any(word in name for word in INTEGERS):
        return [[0, 1], [1, 0]]
    if any(word in name for word in LOGICAL) or parameter["name"] == "condition":
        return [[True, False], [False, True]]
    return [[1.0, 2.0], [0.5, 3.0]]


@pytest.fixture(params=PAIRS, ids="-".join)
def pair(request):
    return tuple(ga.get_device(name) for name in request.param)


@pytest.fixture
def home(pair):
    return pair[0]


@pytest.fixture
def other(pair):
    return pair[1]


@pytest.fixture
def kernels_run(pair, monkeypatch):
    """The names of the kernels that run on either device from now on."""
    run = []

    class Counting(Kernels):
        def __missing__(self, operation):
            kernel = self.backend.kernel(operation.__name__)

            def counted(*args, **keywords):
                run.append(operation.__name__)
                return kernel(*args, **keywords)

            return counted

    def count():
        for device in pair:
            monkeypatch.setattr(device, "kernels", Counting(device.backend))
            monkeypatch.setattr(device, "elementwise", {})
        return run

    return count


def call(entry, arrays, operands):
    """Call a function of the specification with an operand for each of its array parameters."""
    name = entry["name"]
    if entry["namespace"] == "array":
        return getattr(operands[0], name)(*operands[1:])
    namespace = ga if entry["namespace"] == "main" else getattr(ga, entry["namespace"])
    function = getattr(namespace, name)
    if arrays[0]["kind"] == "var_positional":
        return function(*operands)
    if len(arrays) == 1:
        return function(operands)
    keyword = {p["name"]: x for p, x in zip(arrays, operands, strict=True) if p["kind"] == "keyword_only"}
    positional = [x for p, x in zip(arrays, operands, strict=True) if p["kind"] != "keyword_only"]
    return function(*positional, **keyword)


@pytest.mark.parametrize("tracked", [False, True], ids=["plain", "tracked"])
@pytest.mark.parametrize(("entry", "arrays", "position"), list(positions()))
def test_mismatch_is_an_error_before_any_kernel_runs(entry, arrays, position, tracked, home, other, kernels_run):
    several = len(arrays) == 1 or arrays[0]["kind"] == "var_positional"
    parameters = [arrays[0]] * 3 if several else arrays
    operands = [
        ga.asarray(values(entry, parameter), device=other if number == position else home)
        for number, parameter in enumerate(parameters)
    ]
    if tracked:
        operands = [x.requires_grad_() if x.dtype in (ga.float32, ga.float64) else x for x in operands]
    before = [x.tolist() for x in operands]
    run = kernels_run()
    with pytest.raises(ga.DeviceMismatchError) as caught:
        call(entry, arrays, operands)
    assert run == []
    text = str(caught.value)
    assert "gradarray never copies between devices implicitly" in text and str(other) in text and str(home) in text
    assert "<-- differs" in text and "Fix: " in text
    assert [x.tolist() for x in operands] == before


@pytest.mark.parametrize(
    "name",
    [
        f"__{reflected}{op}__"
        for reflected in "ri"
        for op in ("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split())
    ],
)
def test_reflected_and_in_place_operators(name, home, other, kernels_run):
    integer = any(word in name for word in ("and", "or", "shift"))
    first, second = (
        ga.asarray([[1, 0], [0, 1]] if integer else [[1.0, 0.5], [0.5, 1.0]], device=d) for d in (home, other)
    )
    before = first.tolist()
    run = kernels_run()
    with pytest.raises(ga.DeviceMismatchError):
        getattr(first, name)(second)
    assert run == [] and first.tolist() == before


def test_arguments_that_take_part_in_other_ways(home, other, kernels_run):
    x = ga.asarray([1.0, 2.0], device=home, requires_grad=True)
    index = ga.asarray([0], device=other)
    other = ga.asarray([1.0, 2.0], device=other)
    y = x * 2.0
    plain = ga.asarray([1.0, 2.0], device=home)
    run = kernels_run()
    for use in (
        lambda: y.backward(other),
        lambda: setattr(x, "grad", other),
        lambda: plain[index],
        lambda: plain.__setitem__(index, 0.0),
        lambda: plain.__setitem__(slice(None), other),
        lambda: ga.asarray([plain, other]),
        lambda: ga.clip(plain, other, None),
        lambda: ga.clip(plain, None, other),
    ):
        with pytest.raises(ga.DeviceMismatchError):
            use()
    assert run == [] and x.grad is None and plain.tolist() == [1.0, 2.0]
