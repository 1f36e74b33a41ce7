"""Data types of derivatives: a gradient has its leaf's, a tangent its result's, and what lies between is not wider."""

import importlib
import itertools
import pkgutil

import gradient_cases
import numpy as np
import pytest

import gradarray as ga
from gradarray._devices import Kernels
from gradarray._kernels import RuleNamespace
from gradarray.autograd import custom_rule

DEVICES = ("cpu", "strict:device1")
CASES = [
    case
    for module in pkgutil.iter_modules(gradient_cases.__path__)
    for case in importlib.import_module(f"gradient_cases.{module.name}").CASES
]
SINGLE = {"f": ga.float32, "c": ga.complex64}
DOUBLE = {"f": ga.float64, "c": ga.complex128}

#: At equal singular values the polar factor is smooth, but that cannot be told from its cotangents.
pytestmark = pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning")


def described(x):
    return x.shape, x.dtype, x.device


def ones(x):
    return ga.ones(x.shape, dtype=x.dtype, device=x.device)


def arrays_of(case, precisions, device, **keywords):
    values = [np.asarray(value) for value in case.args]
    return [
        ga.asarray(value, dtype=precision[value.dtype.kind], device=device, copy=True, **keywords)
        for value, precision in zip(values, precisions, strict=True)
    ]


def check_derivatives(f, arrays):
    """Assert that every derivative of `f` has the shape, dtype and device of the array that it is for."""
    leaves = [ga.asarray(x, copy=True, requires_grad=True) for x in arrays]
    y = f(*leaves)
    value = described(y)
    if y.requires_grad:
        y.backward(ones(y))
        for leaf in leaves:
            assert leaf.grad is None or described(leaf.grad) == described(leaf)
    out, pull = ga.vjp(f, *arrays)
    assert described(out) == value
    for x, g in zip(arrays, pull(ones(out)), strict=True):
        assert described(g) == described(x)
    out, tangent = ga.jvp(f, arrays, [ones(x) for x in arrays])
    assert described(out) == value
    assert described(tangent) == value


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in CASES])
def test_derivatives_are_like_what_they_are_for(case, device):
    """In single precision, and with operands of both precisions, whichever of them is the wider one."""
    with ga.device(device):
        for precisions in itertools.product((SINGLE, DOUBLE), repeat=len(case.args)):
            if DOUBLE in precisions and SINGLE not in precisions:
                continue
            check_derivatives(lambda *arrays: case.f(ga, *arrays), arrays_of(case, precisions, device))


# --- nothing wider on the way ----------------------------------------------------------------------------------------

WIDE = (ga.float64, ga.complex128)


class SingleNamespace:
    """gradarray in single precision: where a case asks for a wider type it gets the narrow one."""

    float64 = ga.float32
    complex128 = ga.complex64

    @staticmethod
    def asarray(values, **keywords):
        rows = values if isinstance(values, list) else [values]
        parts = [x for row in rows for x in (row if isinstance(row, list) else [row])]
        if any(type(x) is ga.Array for x in parts):
            return ga.asarray(values, **keywords)  # arrays have their type already
        values = np.asarray(values)
        # Integers of 32 bits or more beside float32 make float64, by the rule of promotion.
        narrow = {"f": ga.float32, "c": ga.complex64, "i": ga.int16, "b": ga.bool}[values.dtype.kind]
        return ga.asarray(values.astype(narrow), **keywords)

    def __getattr__(self, name):
        return getattr(ga, name)


def raw_arrays(x, kind):
    """The raw arrays, and NumPy's scalars, in nested tuples, lists and dictionaries."""
    if isinstance(x, (kind, np.generic)):
        yield x
    elif isinstance(x, (tuple, list, dict)):
        for part in x.values() if isinstance(x, dict) else x:
            yield from raw_arrays(part, kind)


class Watch:
    """What the kernels of a device took and gave that is wider than single precision."""

    def __init__(self, device):
        self.device = ga.get_device(device)
        self.seen = []
        self.stage = None

    def __enter__(self):
        self.seen = []

    def __exit__(self, *error):
        self.stage = None

    def during(self, stage):
        self.stage = stage

    def note(self, name, arguments, out):
        backend = self.device.backend
        for what, arrays in (("takes", arguments), ("gives", out)):
            for raw in raw_arrays(arrays, self.device.array_type):
                if backend.dtype(raw.dtype) in WIDE:
                    self.seen.append(f"{self.stage}: {name} {what} {backend.dtype(raw.dtype)} {tuple(raw.shape)}")


@pytest.fixture(scope="module", params=DEVICES)
def watch(request):
    found = Watch(request.param)
    device, backend = found.device, found.device.backend
    plain = backend.kernel

    def kernel(name):
        function = plain(name)

        def watched(*arguments, **keywords):
            out = function(*arguments, **keywords)
            if found.stage is not None:
                found.note(name, (arguments, keywords), out)
            return out

        return watched

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(backend), "kernel", kernel)
        patch.setattr(device, "kernels", Kernels(backend))
        patch.setattr(device, "elementwise", {})
        patch.setattr(device, "xp", RuleNamespace(backend))
        yield found


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in CASES])
def test_single_precision_stays_single_on_the_way(case, watch):
    """Forward, backward, tangents and second order, with kernels that show what they take and give.

    The operators in a rule are no kernels where it runs on raw arrays; where it is recorded they are operations, which
    have kernels. What is wide stays wide until something casts it, and that is a kernel in both.
    """
    single = SingleNamespace()

    def f(*arrays):
        return case.f(single, *arrays)

    with ga.device(watch.device), watch:
        arrays = arrays_of(case, [SINGLE] * len(case.args), watch.device)
        watch.during("forward")
        cotangent = ones(f(*arrays))
        watch.during("backward")
        ga.vjp(f, *arrays)[1](cotangent)
        watch.during("jvp")
        ga.jvp(f, arrays, [ones(x) for x in arrays])
        watch.during("recorded backward")
        leaves = [ga.asarray(x, copy=True, requires_grad=True) for x in arrays]
        y = f(*leaves)
        found = ga.grad(y, leaves, gradient=cotangent, create_graph=True) if y.requires_grad else ()
        for leaf, g in zip(leaves, found, strict=False):
            assert g is None or described(g) == described(leaf)
        found = [g for g in found if g is not None and g.requires_grad]
        watch.during("second backward")
        if found:
            for leaf, g in zip(leaves, ga.grad(found, leaves, gradient=[ones(g) for g in found]), strict=True):
                assert g is None or described(g) == described(leaf)
    assert watch.seen == []


def test_a_wide_temporary_is_found(watch):
    """The check fails where it should: inside a rule, though the engine makes the result narrow again."""

    @custom_rule(x=lambda xp, g, x: xp.cos(xp.astype(x, ga.float64)) * xp.astype(g, ga.float64))
    def wasteful(x, /):
        return ga.sin(x)

    x = ga.asarray([0.5, 1.0], dtype=ga.float32, device=watch.device)
    with watch:
        watch.during("forward")
        wasteful(x)
        assert watch.seen == []
        watch.during("backward")
        ga.vjp(wasteful, x)[1](ones(x))
    assert "backward: cos gives float64 (2,)" in watch.seen


# --- every pair of types, and the smallest shapes --------------------------------------------------------------------

FLOATING = (ga.float32, ga.float64, ga.complex64, ga.complex128)
#: Functions of two operands of any floating-point type, one of shape (2, 2), one of shape (2,).
PAIRS = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / (y + 3),
    "pow": lambda x, y: (x + 3) ** y,
    "matmul": ga.matmul,
    "tensordot": lambda x, y: ga.tensordot(x, y, axes=1),
    "vecdot": ga.vecdot,
    "where": lambda x, y: ga.where(ga.asarray([True, False], device=x.device), x, y),
    "concat": lambda x, y: ga.concat([x, y[None, :]]),
    "stack": lambda x, y: ga.stack([x[0], y]),
    "outer": lambda x, y: ga.linalg.outer(x[0], y),
    "solve": lambda x, y: ga.linalg.solve(x + 4 * ga.eye(2, dtype=x.dtype, device=x.device), y),
    "diff": lambda x, y: ga.diff(x, append=y[:, None]),
    "in place": lambda x, y: _written(ga.zeros((2, 2), dtype=ga.result_type(x, y), device=x.device), x, y),
}


def _written(z, x, y):
    z[...] = x
    z[0] = y
    return z * z


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PAIRS)
def test_every_pair_of_types(name, device):
    for first, second in itertools.product(FLOATING, repeat=2):
        x = ga.asarray([[0.5, 1.0], [2.0, -0.5]], dtype=first, device=device)
        y = ga.asarray([1.0, 2.0], dtype=second, device=device)
        check_derivatives(PAIRS[name], [x, y])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("second", [ga.float32, ga.float64])
@pytest.mark.parametrize("first", [ga.float32, ga.float64])
@pytest.mark.parametrize(
    "name", ["add", "multiply", "divide", "pow", "maximum", "atan2", "hypot", "logaddexp", "where"]
)
def test_shapes_of_both_operands(name, first, second, device):
    """0-d and empty leaves, beside one another and beside a matrix."""

    def f(x, y):
        return ga.where(x > 0, x, y) if name == "where" else getattr(ga, name)(x, y)

    for shapes in (((), ()), ((), (2, 3)), ((2, 3), ()), ((0,), ()), ((), (0, 3)), ((0, 3), (3,)), ((2, 0), (1, 1))):
        arrays = [
            ga.full(shape, 1.5, dtype=dtype, device=device)
            for shape, dtype in zip(shapes, (first, second), strict=True)
        ]
        check_derivatives(f, arrays)


#: Functions of one operand of any shape.
ANY_SHAPE = {
    "sum": ga.sum,
    "mean": ga.mean,
    "prod": ga.prod,
    "max": ga.max,
    "min": ga.min,
    "var": ga.var,
    "std": lambda x: ga.std(x * 2.0),
    "vector_norm": ga.linalg.vector_norm,
    "reshape": lambda x: ga.reshape(x, (-1,)) if x.size else ga.reshape(x, (*x.shape, 1)),
    "flip": ga.flip,
    "roll": lambda x: ga.roll(x, 1),
    "tile": lambda x: ga.tile(x, (2,)),
    "expand_dims": lambda x: ga.expand_dims(x, axis=0),
    "broadcast_to": lambda x: ga.broadcast_to(x, (2, *x.shape)),
    "getitem": lambda x: x[...],
    "itself": lambda x: x,
    "astype": lambda x: ga.astype(x, ga.complex128),
    "abs": ga.abs,
    "clip": lambda x: ga.clip(x, 0.0, 1.0),
    "stack": lambda x: ga.stack([x, x]),
    "unique_values": ga.unique_values,
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("name", "shape"),
    [
        pytest.param(name, shape, id=f"{name}-{shape}")
        for name in ANY_SHAPE
        for shape in ((), (0,), (0, 3), (1,), (2, 0, 1))
        if 0 not in shape or name not in ("max", "min")  # there is nothing to choose from
    ],
)
def test_smallest_shapes(name, shape, device):
    for dtype in (ga.float32, ga.float64):
        check_derivatives(ANY_SHAPE[name], [ga.full(shape, 0.5, dtype=dtype, device=device)])


@pytest.mark.parametrize(
    "name", ["exp", "log", "sqrt", "tanh", "sin", "square", "abs", "reciprocal", "sum", "mean", "max"]
)
def test_half_precision(name):
    x = ga.asarray([[0.5, 1.0], [2.0, 0.25]], dtype="float16")
    check_derivatives(getattr(ga, name), [x])
    check_derivatives(lambda x, y: getattr(ga, name)(x * y), [x, ga.astype(x, ga.float32)])


# --- several uses, several orders ------------------------------------------------------------------------------------


def test_uses_in_several_precisions_are_added_in_that_of_the_leaf(device):
    x = ga.asarray([1.0, 2.0], dtype=ga.float32, requires_grad=True)
    wide = ga.asarray([3.0, 4.0])
    turned = ga.asarray([1j, 2j])
    for _ in range(2):
        y = ga.sum(x * x) + ga.sum(x * wide) + ga.sum(ga.abs(x * turned))
        assert y.dtype == ga.float64
        y.backward()
        assert described(x.grad) == described(x)
    np.testing.assert_allclose(x.grad.tolist(), [2 * (2 + 3 + 1), 2 * (4 + 4 + 2)])


def test_derivatives_of_functions(device):
    x = ga.asarray([1.0, 2.0, 3.0], dtype=ga.float32)

    def f(x):
        return ga.sum(x**3)

    value, gradient = ga.value_and_grad(f)(x)
    assert (value.dtype, value.shape) == (ga.float32, ())
    assert described(gradient) == described(x)
    for mode in ("forward", "reverse"):
        matrix = ga.jacobian(lambda x: x * x, mode=mode)(x)
        assert (matrix.shape, matrix.dtype, matrix.device) == ((3, 3), ga.float32, device)
    matrix = ga.hessian(f)(x)
    assert (matrix.shape, matrix.dtype, matrix.device) == ((3, 3), ga.float32, device)
    assert all(described(part) == described(x) for part in ga.hvp(f, (x,), (x,))[1:])
    out, push = ga.linearize(ga.exp, x)
    assert described(out) == described(push(x)) == described(x)
    assert described(ga.grad(ga.grad(lambda x: x**3))(x[0])) == described(x[0])


def test_derivatives_of_wide_functions_of_narrow_arguments(device):
    """The result is wider than the argument: its derivative along the argument is as wide as the result."""
    x = ga.asarray([1.0, 2.0], dtype=ga.float32)

    def f(x):
        return ga.astype(x, ga.float64) * 3.0

    reverse = ga.jacobian(f, mode="reverse")(x)
    forward = ga.jacobian(f, mode="forward")(x)
    assert reverse.tolist() == forward.tolist() == [[3.0, 0.0], [0.0, 3.0]]
    assert described(ga.jvp(f, (x,), (x,))[1]) == described(f(x))
    assert described(ga.vjp(f, x)[1](f(x))[0]) == described(x)


@pytest.mark.parametrize("where", DEVICES)
def test_rule_may_cast_to_the_type_of_its_cotangent(where):
    """Code over the standard's namespace, as rules are, may say ``g.dtype``; it names no type."""

    @custom_rule(x=lambda xp, g, x: g * xp.astype(x > 0, g.dtype), kind="elementwise")
    def positive_part(x, /):
        return ga.maximum(x, 0)

    check_derivatives(positive_part, [ga.asarray([1.0, -2.0], dtype=ga.float32, device=where)])
