"""Completeness: every operation of the namespace has a docstring, the standard's signature, a derivative or a
statement, and a gradient case; its rule runs raw and recorded, and keeps what it reads and nothing else."""

import importlib
import inspect
import json
import pkgutil
import sys
from pathlib import Path

import gradient_cases
import numpy as np
import pytest

import gradarray as ga
from gradarray import _operations
from gradarray._graph import Leaf, Node, Slot

SPEC = json.loads((Path(__file__).parents[1] / "conformance/spec/array_api_2025_12.json").read_text())
CASES = [
    case
    for module in pkgutil.iter_modules(gradient_cases.__path__)
    for case in importlib.import_module(f"gradient_cases.{module.name}").CASES
]
NAMED = {
    (f"{entry['namespace']}." if entry["namespace"] != "main" else "") + entry["name"]: entry
    for entry in SPEC["functions"]
    if entry["namespace"] in ("main", "linalg", "fft") and entry["name"] != "__array_namespace_info__"
}
#: Results of these are floating-point but do not depend differentiably on any array argument.
CREATION = {
    "arange",
    "empty",
    "empty_like",
    "eye",
    "fft.fftfreq",
    "fft.rfftfreq",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
}


def function_of(name):
    namespace, _, last = name.rpartition(".")
    return getattr(getattr(ga, namespace) if namespace else ga, last)


def stated(name):
    return _operations.OPERATIONS.get(function_of(name))


@pytest.mark.parametrize("name", NAMED)
def test_operation_says_what_its_derivative_is(name):
    known = stated(name)
    if known is None:
        # Functions of dtypes and shapes have no array result to differentiate.
        assert name in {"can_cast", "finfo", "iinfo", "isdtype", "result_type", "broadcast_shapes"}, (
            f"{name} has neither a rule nor a statement"
        )
        return
    assert known.statement in ("derivative", "constant", "composite", "none")
    assert known.statement != "derivative" or known.rules or known.joint
    assert known.statement != "none" or known.reason
    assert known.kind in (None, "elementwise", "linear", "bilinear", "pointwise", "reduction", "scan", "matrix")


@pytest.mark.parametrize("name", NAMED)
def test_operation_has_a_docstring(name):
    text = inspect.getdoc(function_of(name))
    assert text, f"{name} has no docstring"
    first = text.splitlines()[0]
    assert first.endswith(".") and len(first) < 120
    for section in ("Returns\n-------", "Notes\n-----", "Standard: "):
        assert section in text, f"{name}: the docstring has no section {section.splitlines()[0]}"
    parameters = list(inspect.signature(function_of(name)).parameters)
    if parameters:
        assert "Parameters\n----------" in text
    for parameter in parameters:
        assert parameter in text.partition("Parameters\n")[2], f"{name}: {parameter} is not described"


@pytest.mark.parametrize("name", NAMED)
def test_operation_has_the_signature_of_the_standard(name):
    ours = inspect.signature(function_of(name)).parameters
    theirs = {p["name"]: p for p in NAMED[name]["parameters"]}
    extra = set(ours) - set(theirs)
    assert extra <= {"requires_grad"}, f"{name} has parameters that the standard has not: {extra}"
    assert [n for n in ours if n in theirs] == list(theirs)


@pytest.mark.parametrize("name", NAMED)
def test_differentiable_operation_has_a_gradient_case(name):
    known = stated(name)
    if known is None or known.statement in ("constant", "none") or name in CREATION:
        return
    last = name.rpartition(".")[2]
    names = {case.op for case in CASES}
    own = {"asarray", "from_dlpack", "full", "full_like", "linspace", "meshgrid", "tril", "triu", "isin"}
    assert name in names or last in names or f"linalg.{last}" in names or last in own, f"{name} has no gradient case"


def _nodes(y):
    found, stack = [], [y._tracked]
    while stack:
        node = stack.pop()
        if type(node) is Slot:
            node = node.node
        if type(node) is Leaf or node is None or node in found:
            continue
        found.append(node)
        stack.extend(node.parents)
    return found


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in CASES])
def test_graph_keeps_exactly_what_rules_read(case):
    leaves = [ga.asarray(np.asarray(value), copy=True, requires_grad=True) for value in case.args]
    y = case.f(ga, *leaves)
    for node in _nodes(y) if y.requires_grad else ():
        assert type(node) is Node
        tracked = tuple(parent is not None for parent in node.parents)
        plan = node.plan.operation.plan(tracked)
        *inputs, out = node.saved
        for position, value in enumerate(inputs):
            assert (value is not None) <= plan.keeps[position], f"{node.name} keeps input {position} that no rule reads"
        assert (out is not None) == plan.keeps_out
        read = {position for call in (*plan.calls, *((plan.joint,) if plan.joint else ())) for position in call.reads}
        assert read <= set(range(-2, len(node.saved)))


def test_registered_operations_are_all_stated():
    for function, known in _operations.OPERATIONS.items():
        assert known.function is function
        for rule in (*known.rules.values(), *((known.joint,) if known.joint else ())):
            names = list(inspect.signature(rule).parameters)
            assert names[:2] == ["xp", "g"], f"{known.name}: a rule begins with xp and g, not {names[:2]}"


def test_rules_make_no_array_of_a_shape_and_name_no_dtype_or_device():
    forbidden = ("xp.zeros(", "xp.ones(", "xp.empty(", "xp.full(", "xp.asarray(", "xp.eye(", "xp.linspace(")
    for known in _operations.OPERATIONS.values():
        # Other tests, and people, add operations of their own.
        module = sys.modules.get(known.function.__module__)
        if getattr(module, known.name, None) is not known.function:
            continue
        for rule in (*known.rules.values(), *((known.joint,) if known.joint else ())):
            text = inspect.getsource(rule)
            for word in forbidden:
                assert word not in text, f"{known.name}: a rule calls {word}...); use *_like or spread"


def test_results_share_no_memory_unless_they_are_views():
    x = ga.asarray([[1.0, 2.0], [3.0, 4.0]])
    backend = x.device.backend
    for name in NAMED:
        known = stated(name)
        if known is None or known.statement == "none":
            continue
        function = function_of(name)
        arguments = [p for p in NAMED[name]["parameters"] if p["required"]]
        if len(arguments) != 1:
            continue
        try:
            result = function(x)
        except (TypeError, ValueError):
            continue
        for part in result if isinstance(result, tuple) else (result,):
            if type(part) is ga.Array and part is not x and backend.shares_memory(part._data, x._data):
                assert type(part._node).__name__ == "View", f"{name} shares memory with its input but is no view"
