"""What the graph keeps alive: what the rules of the tracked inputs name, nothing else, and nothing after backward.

And a rule names only what it reads, so what is kept is needed.
"""

import dis
import functools
import gc
import importlib
import inspect
import itertools
import pkgutil
import weakref
from contextlib import contextmanager

import gradient_cases
import numpy as np
import pytest
from gradient_cases import Case, real

import gradarray as ga
from gradarray import _dispatch, _operations
from gradarray._devices import Kernels
from gradarray._graph import Leaf, Slot
from gradarray._kernels import RuleNamespace
from gradarray.autograd import custom_rule

CPU = ga.get_device("cpu")
CASES = [
    case
    for module in pkgutil.iter_modules(gradient_cases.__path__)
    for case in importlib.import_module(f"gradient_cases.{module.name}").CASES
]
#: The operations of the library itself that have a rule; test modules and what they import add some of their own.
OPERATIONS = {
    known.name: known
    for known in _operations.OPERATIONS.values()
    if known.statement == "derivative"
    and known.function.__module__.startswith("gradarray.")
    and not known.function.__module__.startswith(("gradarray.testing", "gradarray.scipy"))
}


# --- what a rule names ----------------------------------------------------------------------------------------------


@functools.cache
def names_of(rule):
    """What a rule names beyond `xp` and `g`: the positional parameters, and the keyword-only ones."""
    parameters = list(inspect.signature(rule).parameters.values())[2:]
    keywords = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    return [p.name for p in parameters if p.name not in keywords], keywords


def rules_of(operation):
    """Every rule of an operation, by the input that it is for."""
    return {**operation.rules, **({"joint": operation.joint} if operation.joint is not None else {})}


def unread(rule):
    """The positional names of a rule that its code never loads; what a nested function closes over counts as read."""
    code = rule.__code__
    loaded = set(code.co_cellvars)
    for instruction in dis.get_instructions(code):
        # Newer interpreters load two variables at once, or store one and load another: their name then is a tuple.
        if "LOAD_FAST" in instruction.opname:
            names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            loaded.update(names[1:] if instruction.opname.startswith("STORE") else names)
    return [name for name in names_of(rule)[0] if name not in loaded]


@pytest.mark.parametrize("name", OPERATIONS)
def test_rule_reads_every_name_that_it_has(name):
    for tracked, rule in rules_of(OPERATIONS[name]).items():
        assert unread(rule) == [], f"{name}: the rule for {tracked} makes the graph keep what it does not read"


def test_a_name_that_is_not_read_is_found():
    def nested(xp, g, x, y, out):
        def product():
            return g * x

        return product() + out

    assert unread(nested) == ["y"]
    assert unread(lambda xp, g, x, out, like: g * x) == ["out", "like"]
    assert unread(lambda xp, g, x, *, axis: g * x) == []


# --- what is alive ---------------------------------------------------------------------------------------------------


def arrays_in(x):
    """The NumPy arrays in nested tuples, lists and dictionaries."""
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, (tuple, list, dict)):
        for part in x.values() if isinstance(x, dict) else x:
            yield from arrays_in(part)


class Buffers:
    """The memory that kernels took and gave while this was watching, and which of it is still there."""

    #: Who watches now.
    watching = None

    def __init__(self):
        self._found = []
        self._newest = {}

    @contextmanager
    def watch(self):
        Buffers.watching = self
        try:
            yield self
        finally:
            Buffers.watching = None

    def note(self, name, arguments, out):
        for number, raw in enumerate(arrays_in(arguments)):
            self.add(raw, f"argument {number} of {name}")
        for raw in arrays_in(out):
            self.add(raw, f"result of {name}")

    def add(self, raw, description):
        owner = CPU.backend.owner(raw)
        newest = self._newest.get(id(owner))
        # The memory of a dead array may be that of a new one, under the same identity.
        if newest is None or newest() is not owner:
            reference = self._newest[id(owner)] = weakref.ref(owner)
            self._found.append((reference, f"{description}, {owner.dtype} {owner.shape}"))

    def alive(self, *elsewhere):
        """What is still there, by identity; what the backend keeps, and what is held `elsewhere`, does not count."""
        kept = {id(CPU.backend.owner(raw)) for raw in arrays_in((CPU.constants, elsewhere))}
        owners = [(reference(), description) for reference, description in self._found]
        return {id(owner): text for owner, text in owners if owner is not None and id(owner) not in kept}


@pytest.fixture(scope="module", autouse=True)
def watched_kernels():
    """Every kernel of the device `cpu` shows the buffers of who is watching what it took and gave."""
    backend = CPU.backend
    plain = backend.kernel

    def kernel(name):
        function = plain(name)

        def watched(*arguments, **keywords):
            out = function(*arguments, **keywords)
            if Buffers.watching is None:
                return out
            # NumPy answers 0-d with scalars, of which dispatch makes arrays: made here, they are seen.
            if isinstance(out, np.generic):
                out = np.asarray(out)
            elif isinstance(out, tuple):
                parts = [np.asarray(part) if isinstance(part, np.generic) else part for part in out]
                out = type(out)(*parts) if hasattr(out, "_fields") else tuple(parts)
            Buffers.watching.note(name, (arguments, keywords), out)
            return out

        return watched

    with pytest.MonkeyPatch.context() as patch:
        # In the object's own dictionary, so that the method of its class is there again afterwards.
        patch.setitem(vars(backend), "kernel", kernel)
        patch.setattr(CPU, "kernels", Kernels(backend))
        patch.setattr(CPU, "elementwise", {})
        patch.setattr(CPU, "xp", RuleNamespace(backend))
        yield


def nodes_from(ends):
    """Every node that the given ones depend on, and they themselves."""
    found, stack = set(), list(ends)
    while stack:
        node = stack.pop()
        node = node.node if type(node) is Slot else node
        if node is not None and type(node) is not Leaf and node not in found:
            found.add(node)
            stack.extend(node.parents)
    return found


def rules_for(node):
    """The rules that serve the tracked inputs of a node, each with the input that it is for."""
    operation = node.plan.operation
    if operation.joint is not None:
        return {"joint": operation.joint}
    names = [name for name, parent in zip(operation.inputs, node.parents, strict=False) if parent is not None]
    return {name: operation.rules[name] for name in names if name in operation.rules}


def value_of(node, name):
    """The saved value that a name in a rule stands for."""
    inputs = list(inspect.signature(node.plan.operation.function).parameters)
    return node.saved[-1 if name == "out" else inputs.index(name)]


def named(node):
    """The arrays that the rules of a node say they read: what it may keep. From the signatures, not from the plan."""
    parameters = getattr(node, "parameters", {})
    # Forward mode applies a linear operation itself, with all of its parameters.
    found = [parameters] if node.plan.operation.kind == "linear" else []
    for rule in rules_for(node).values():
        values, keywords = names_of(rule)
        found.extend(parameters.get(name) for name in keywords)
        found.extend(value_of(node, name) for name in values if name not in ("shape", "like"))
    return found


def wasted(ends, buffers, *elsewhere):
    """Descriptions of the memory that is still there although no rule of the graph names it."""
    expected = {id(CPU.backend.owner(raw)) for node in nodes_from(ends) for raw in arrays_in(named(node))}
    return [text for key, text in buffers.alive(*elsewhere).items() if key not in expected]


@pytest.fixture
def without_collector():
    """The cyclic collector is off: what is dropped must go by reference counting alone."""
    gc.disable()
    yield
    gc.enable()


def recorded(f, values, tracked):
    """The node of the result of `f` (None if it is not tracked), its shape and dtype, and the memory that was seen.

    The arguments are fresh arrays, made of leaves that require grad or not. All arrays are gone when this returns.
    """
    with Buffers().watch() as buffers:
        leaves = [
            ga.asarray(np.asarray(value), copy=True, requires_grad=choice)
            for value, choice in zip(values, tracked, strict=True)
        ]
        y = f(*[leaf * 1.0 for leaf in leaves])
    return y._tracked, (y.shape, y.dtype), buffers


def array_at(node, shape, dtype):
    """An array in the place of one that is gone."""
    return _dispatch.wrap(np.zeros(shape, dtype), CPU, node)


def constants_of(case):
    """Arrays that the module of a case holds itself."""
    return [x for x in case.f.__globals__.values() if isinstance(x, np.ndarray)]


# --- programs --------------------------------------------------------------------------------------------------------


def _written_in_place(xp, x, y):
    x[1:] = y
    return x * x


def _written_through_a_view(xp, x, y):
    part = xp.permute_dims(x, (1, 0))[0]
    part[xp.asarray([0, 1, 0])] = y
    return part * xp.sum(x * x)


def _gradient_of_what_was_written(xp, x, y):
    def total(y):
        z = x * y[0]
        z[1:] = y
        return xp.sum(z**3)

    return xp.grad(total)(y) ** 2


#: Operations that only writes, devices, masks and derivatives of functions record, each in a program of its own.
FURTHER = [
    Case("assign", _written_in_place, (real(3), real(2, seed=1))),
    Case("written", _written_through_a_view, (real(2, 3), real(3, seed=1))),
    Case("unwritten", _gradient_of_what_was_written, (real(3), real(2, seed=1))),
    Case("variable", lambda xp, x: xp.grad(lambda z: xp.sum(xp.sin(z) * x))(x) * 2.0, (real(3),)),
    Case("settle", lambda xp, x: xp.where(x > 0, xp.sqrt(xp.maximum(x, 0.0)), 0), (np.asarray([-1.0, 0.0, 2.0]),)),
    Case("move", lambda xp, x: (x.to_device("strict:device1") ** 2).to_device("cpu") * x, (real(3),)),
    Case("real_part", lambda xp, x, y: (x * (y * 1j + 1)).real ** 2, (real(3), real(3, seed=1))),
    Case("imag_part", lambda xp, x, y: (x * (y * 1j + 1)).imag ** 2, (real(3), real(3, seed=1))),
    Case("triu", lambda xp, x: xp.triu(x * x, k=1), (real(3, 3),)),
    Case("cofactors", lambda xp, x: xp.grad(xp.linalg.det)(x), (real(4, 4),)),
]


def params(cases):
    """The cases as parameters of a test."""
    return [pytest.param(case, id=str(case)) for case in cases]


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("case", params((*CASES, *FURTHER)))
def test_alive_is_what_rules_name_and_nothing_after_backward(case):
    outside = constants_of(case)
    for tracked in itertools.product((True, False), repeat=len(case.args)):
        node, (shape, dtype), buffers = recorded(functools.partial(case.f, ga), case.args, tracked)
        if node is not None:
            assert wasted([node], buffers, outside) == []
            array_at(node, shape, dtype).backward(ga.ones(shape, dtype=dtype))
        assert list(buffers.alive(outside).values()) == []


def gradient_graph(case, buffers):
    """The leaves, all tracked, and for each gradient in them that is tracked itself its node, shape and dtype."""
    leaves = [ga.asarray(np.asarray(value), copy=True, requires_grad=True) for value in case.args]
    with buffers.watch():
        y = case.f(ga, *[leaf * 1.0 for leaf in leaves])
        found = ()
        if y.requires_grad:
            found = ga.grad(y, leaves, gradient=ga.ones(y.shape, dtype=y.dtype), create_graph=True)
    return leaves, [(g._tracked, g.shape, g.dtype) for g in found if g is not None and g.requires_grad]


@pytest.mark.usefixtures("without_collector")
@pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning")
@pytest.mark.parametrize("case", params((*CASES, *FURTHER)))
def test_graph_of_a_gradient_keeps_what_rules_name_and_nothing_after_backward(case):
    buffers = Buffers()
    leaves, ends = gradient_graph(case, buffers)
    outside = (constants_of(case), [leaf._data for leaf in leaves])
    assert wasted([node for node, _, _ in ends], buffers, outside) == []
    if ends:
        ones = [ga.ones(shape, dtype=dtype) for _, shape, dtype in ends]
        ga.grad([array_at(*end) for end in ends], leaves, gradient=ones)
    assert list(buffers.alive(outside).values()) == []


# --- whether what is kept is needed ----------------------------------------------------------------------------------


class Touched(Exception):
    """Somebody looked at the values of what has none."""


def _touched(*_, **__):
    raise Touched


class Valueless:
    """What stands for an array: it has a shape and a dtype, and answers everything else with `Touched`."""

    def __init__(self, raw):
        self.shape, self.dtype, self.ndim, self.size = raw.shape, raw.dtype, raw.ndim, raw.size

    def __getattr__(self, name):
        raise Touched


for _name in (
    "array array_ufunc array_function getitem iter len bool neg pos abs add radd sub rsub mul rmul truediv rtruediv "
    "pow rpow matmul rmatmul eq ne lt le gt ge"
).split():
    setattr(Valueless, f"__{_name}__", _touched)


def needs(node, tracked, rule, name):
    """Whether a rule, called for one input of a node, looks at the values of what a name stands for."""
    values, keywords = names_of(rule)
    inputs = list(inspect.signature(node.plan.operation.function).parameters)
    parent = node.parents if tracked == "joint" else node.parents[inputs.index(tracked)]
    arguments = []
    for other in values:
        if other == "shape":
            arguments.append(parent.shape)
        elif other == "like":
            arguments.append(parent)
        else:
            value = value_of(node, other)
            if other == name:
                if not isinstance(value, (np.ndarray, tuple)):
                    return False  # a Python scalar costs nothing
                value = tuple(map(Valueless, value)) if isinstance(value, tuple) else Valueless(value)
            arguments.append(value)
    parameters = {
        other: tuple(up is not None for up in node.parents) if other == "needed" else node.parameters[other]
        for other in keywords
    }
    if node.shape is None:
        g = [np.ones(part.shape, part.dtype) for part in node.saved[-1]]
    else:
        g = np.ones(node.shape, node.dtype)
    try:
        with np.errstate(all="ignore"):
            rule(CPU.xp, g, *arguments, **parameters)
    except Touched:
        return True
    return False


@pytest.fixture(scope="module")
def found_needed():
    """The operations that the cases record, and for each of their rules the names whose values it needs somewhere."""
    seen, needed = set(), set()
    for case in (*CASES, *FURTHER):
        y = case.f(ga, *[ga.asarray(np.asarray(value), copy=True, requires_grad=True) * 1.0 for value in case.args])
        _, ends = gradient_graph(case, Buffers())
        for node in nodes_from([y._tracked, *[node for node, _, _ in ends]]):
            seen.add(node.name)
            if node.device is not CPU:
                continue
            for tracked, rule in rules_for(node).items():
                for name in names_of(rule)[0]:
                    key = (node.name, tracked, name)
                    if name not in ("shape", "like") and key not in needed and needs(node, tracked, rule, name):
                        needed.add(key)
    return seen, needed


@pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning")
@pytest.mark.parametrize("name", OPERATIONS)
def test_rule_needs_the_values_of_what_it_names(name, found_needed):
    seen, needed = found_needed
    assert name in seen, f"no case records {name}"
    for tracked, rule in rules_of(OPERATIONS[name]).items():
        for kept in names_of(rule)[0]:
            assert kept in ("shape", "like") or (name, tracked, kept) in needed, (
                f"{name}: the rule for {tracked} keeps {kept}, and never looks at its values"
            )


# --- known answers, and what must be found ---------------------------------------------------------------------------


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize(
    ("name", "tracked", "kept"),
    [
        ("add", (True, True), ""),
        ("multiply", (True, True), "x1 x2"),
        ("multiply", (True, False), "x2"),
        ("multiply", (False, True), "x1"),
        ("divide", (True, False), "x2"),
        ("divide", (True, True), "x2 out"),
        ("matmul", (True, False), "x2"),
        ("matmul", (False, True), "x1"),
        ("exp", (True,), "out"),
        ("tanh", (True,), "out"),
        ("log", (True,), "x"),
        ("square", (True,), "x"),
        ("negative", (True,), ""),
        ("sum", (True,), ""),
        ("mean", (True,), ""),
        ("max", (True,), "x out"),
        ("maximum", (True, True), "x1 x2 out"),
        ("atan2", (True, False), "x1 x2"),
    ],
)
def test_kept_is_as_written_down_here(name, tracked, kept):
    """The signatures themselves against a table: a name more in a rule is seen here."""
    values = [np.asarray([[1.0, 2.0], [3.0, 5.0]]) + number for number in range(len(tracked))]
    buffers = Buffers()
    arrays = [
        (ga.asarray(value, copy=True, requires_grad=choice) * 1.0)
        for value, choice in zip(values, tracked, strict=True)
    ]
    for label, x in zip(_operations.OPERATIONS[getattr(ga, name)].inputs, arrays, strict=True):
        buffers.add(x._data, label)
    y = getattr(ga, name)(*arrays)
    buffers.add(y._data, "out")
    node = y.grad_fn
    del arrays, x, y
    assert [text.partition(",")[0] for text in buffers.alive().values()] == kept.split()
    assert node.name == name


def wasted_by(f, *tracked):
    values = [np.asarray([1.0, 2.0, 4.0])] * len(tracked)
    node, _, buffers = recorded(f, values, tracked)
    return wasted([node], buffers)


@pytest.mark.usefixtures("without_collector")
class TestWasteIsFound:
    """The checks of this module fail where they should."""

    def test_a_rule_that_names_what_it_does_not_read(self):
        @custom_rule(x=lambda xp, g, x, out: g * out)
        def wasteful(x, /):
            return ga.exp(x)

        # It is named, and so it is kept: only reading the rule finds it.
        assert wasted_by(wasteful, True) == []
        assert unread(_operations.OPERATIONS[wasteful].rules["x"]) == ["x"]

    def test_a_rule_that_hands_on_what_nobody_reads(self):
        def helper(xp, g, x, out):
            return g * out + 0 * len(x.shape)

        @custom_rule(x=lambda xp, g, x, out: helper(xp, g, x, out))
        def wasteful(x, /):
            return ga.exp(x)

        rule = _operations.OPERATIONS[wasteful].rules["x"]
        node = wasteful(ga.asarray([1.0, 2.0], requires_grad=True)).grad_fn
        assert unread(rule) == []
        assert not needs(node, "x", rule, "x")
        assert needs(node, "x", rule, "out")

    def test_a_function_that_keeps_an_array_by_itself(self):
        drawer = []

        @custom_rule(x=lambda xp, g, out: g * out)
        def wasteful(x, /):
            drawer.append(x)
            return ga.exp(x)

        assert wasted_by(wasteful, True) == ["result of multiply, float64 (3,)"]
        drawer.clear()
        assert wasted_by(lambda x: ga.exp(x), True) == []

    def test_a_parameter_that_no_rule_names(self):
        @custom_rule(x=lambda xp, g, *, factor: g * factor)
        def scaled(x, /, *, factor, unused):
            return x * factor

        assert wasted_by(lambda x: scaled(x, factor=2.0, unused=None), True) == []
        assert wasted_by(lambda x: scaled(x, factor=2.0, unused=ga.exp(x.detach())._data), True) == [
            "result of exp, float64 (3,)"
        ]

    @pytest.mark.parametrize(("flag", "text"), [("keeps_first", "result of multiply"), ("keeps_out", "result of sum")])
    def test_a_plan_that_keeps_more_than_the_rules_name(self, flag, text, monkeypatch):
        plan = _operations.OPERATIONS[ga.sum].plan((True,))
        assert wasted_by(ga.sum, True) == []
        monkeypatch.setattr(plan, "nothing", None)
        assert wasted_by(ga.sum, True) == []
        monkeypatch.setattr(plan, flag, True)
        assert [found.partition(",")[0] for found in wasted_by(ga.sum, True)] == [text]

    def test_a_plan_of_two_inputs_that_keeps_both(self, monkeypatch):
        monkeypatch.setattr(_operations.OPERATIONS[ga.multiply].plan((True, False)), "keeps_first", True)
        # The factor, and the leaf that it was made of by a multiplication too.
        assert len(wasted_by(ga.multiply, True, False)) == 2

    def test_a_graph_that_backward_does_not_let_go(self):
        node, (shape, dtype), buffers = recorded(lambda x: ga.exp(x), [np.asarray([1.0, 2.0])], (True,))
        array_at(node, shape, dtype).backward(ga.ones(shape), retain_graph=True)
        assert list(buffers.alive().values()) == ["result of exp, float64 (2,)"]
        array_at(node, shape, dtype).backward(ga.ones(shape))
        assert list(buffers.alive().values()) == []


@pytest.mark.usefixtures("without_collector")
def test_index_of_the_last_operation_is_let_go_by_backward():
    index = ga.asarray([2, 0])
    node, (shape, dtype), buffers = recorded(lambda x: x[index], [np.asarray([1.0, 2.0, 4.0])], (True,))
    array_at(node, shape, dtype).backward(ga.ones(shape, dtype=dtype))
    assert list(buffers.alive([index._data]).values()) == []
