"""Every derivative at shapes and parameters that are drawn: 0-d, empty, broadcast, in stacks; real and complex.

For each operation a program draws what it is called with; then both modes, and every mixture of two, are compared with
finite differences. Values are distinct and away from 0, so that no kink is near.
"""

import zlib
from math import prod

import numpy as np
import pytest
from conftest import DEVICES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes
from test_derivative_table import operations

import gradarray as ga
from gradarray.testing import check_grads

# Equal singular values of empty matrices and the like are no concern here.
pytestmark = pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning")

SHAPES = array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
FULL_SHAPES = array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3)
#: Stacks of square matrices: an empty stack and matrices of no rows among them.
STACKS = array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=2)


class Program:
    """What one test draws: values, parameters, and the function of arrays that they make."""

    def __init__(self, data, name):
        self.data = data
        self.name = name
        self.function = ga
        for part in name.split("."):
            self.function = getattr(self.function, part, None)
        self.count = 0

    def draw(self, strategy):
        return self.data.draw(strategy)

    def values(self, shape, *, complex_=False, low=0.35, high=1.65, signed=True):
        """Distinct numbers whose magnitudes lie between two bounds."""
        self.count += 1
        rng = np.random.default_rng(zlib.crc32(f"{self.name}{shape}{self.count}".encode()))
        size = prod(shape)

        def part():
            x = rng.permutation(np.linspace(low, high, size) + rng.uniform(0, 0.2 / (size + 1), size))
            return (x * rng.choice([-1.0, 1.0], size) if signed else x).reshape(shape)

        return part() + 1j * part() if complex_ else part()

    def kind(self):
        """Whether to draw complex numbers."""
        return self.draw(st.booleans())

    def axis(self, ndim, *, none=True, several=True):
        """One axis, several, or all of them as None."""
        choices = [st.none()] if none else []
        if ndim:
            choices.append(st.integers(-ndim, ndim - 1))
            if several:
                choices.append(st.lists(st.integers(0, ndim - 1), unique=True, min_size=1).map(tuple))
        return self.draw(st.one_of(choices))


# --- one drawing function for each family: it gives the function of arrays and their values --------------------------

REAL_ONLY = set("atan2 clip copysign hypot logaddexp max maximum min minimum nextafter remainder sort std var".split())
POSITIVE = set("log log10 log1p log2 sqrt reciprocal".split())
SMALL = {"acos", "asin", "atanh", "atan", "tan"}


def unary(p):
    low, high = (0.2, 0.6) if p.name in SMALL else (1.2, 2.0) if p.name == "acosh" else (0.35, 1.65)
    complex_ = p.name in ("imag", "real", "conj", "sign") or (p.name not in REAL_ONLY and p.kind())
    signed = p.name not in POSITIVE | {"acosh"}
    return p.function, [p.values(p.draw(SHAPES), complex_=complex_, low=low, high=high, signed=signed)]


def binary(p):
    shapes = p.draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3)).input_shapes
    takes_complex = p.name not in REAL_ONLY
    signed = p.name != "pow"
    args = [p.values(shape, complex_=takes_complex and p.kind(), signed=signed) for shape in shapes]
    if p.name == "remainder":
        args[1] = 3.0 + args[1] / 3  # no multiple is near
        args[0] = args[0] * 0.9
    return p.function, args


def with_scalar(p):
    x = p.values(p.draw(SHAPES), signed=False)
    scalar = p.draw(st.sampled_from([2, 0.5, 3.0, -1.5]))
    if p.draw(st.booleans()) and scalar > 0:
        return (lambda x: p.function(scalar, x)), [x]
    return (lambda x: p.function(x, scalar)), [x]


def clip(p):
    shapes = p.draw(mutually_broadcastable_shapes(num_shapes=3, max_dims=2, min_side=0, max_side=3)).input_shapes
    x, low, high = (p.values(shape) for shape in shapes)
    return ga.clip, [x, low - 1.91, high + 1.87]


def where(p):
    shapes = p.draw(mutually_broadcastable_shapes(num_shapes=3, max_dims=3, min_side=0, max_side=3)).input_shapes
    mask = p.values(shapes[0]) > 0
    return (
        lambda x, y: ga.where(ga.asarray(mask, device=x.device), x, y) ** 2,
        [p.values(shape, complex_=p.kind()) for shape in shapes[1:]],
    )


def reduction(p):
    # Of nothing there is no extreme, and no mean.
    shape = p.draw(FULL_SHAPES if p.name in ("max", "mean", "min") else SHAPES)
    axis, keepdims = p.axis(len(shape)), p.draw(st.booleans())
    keywords = {}
    if p.name in ("std", "var"):
        # One element has no spread: that is a kink of std.
        shape = tuple(length + 2 for length in shape) or (3,)
        keywords["correction"] = p.draw(st.sampled_from([0, 1, 0.5]))
    complex_ = p.name not in REAL_ONLY and p.kind()
    return (lambda x: p.function(x, axis=axis, keepdims=keepdims, **keywords)), [p.values(shape, complex_=complex_)]


def cumulative(p):
    shape = p.draw(array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    axis, initial = p.axis(len(shape), none=len(shape) == 1, several=False), p.draw(st.booleans())
    return (lambda x: p.function(x, axis=axis, include_initial=initial)), [p.values(shape, complex_=p.kind())]


def manipulation(p):
    shape = p.draw(SHAPES)
    ndim, name = len(shape), p.name
    x = p.values(shape, complex_=p.kind())
    square = lambda f: lambda x: f(x) ** 2
    if name == "reshape":
        wanted = p.draw(st.sampled_from([(-1,) if x.size else (x.size,), (1, x.size), tuple(reversed(shape))]))
        return square(lambda x: ga.reshape(x, wanted)), [x]
    if name == "permute_dims":
        order = tuple(p.draw(st.permutations(range(ndim))))
        return square(lambda x: ga.permute_dims(x, order)), [x]
    if name == "moveaxis":
        order = tuple(p.draw(st.permutations(range(ndim))))
        return square(lambda x: ga.moveaxis(x, tuple(range(ndim)), order)), [x]
    if name in ("flip", "roll"):
        axis = p.axis(ndim)
        if name == "flip":
            return square(lambda x: ga.flip(x, axis=axis)), [x]
        count = len(axis) if isinstance(axis, tuple) else 1
        shift = tuple(p.draw(st.lists(st.integers(-4, 4), min_size=count, max_size=count)))
        return square(lambda x: ga.roll(x, shift if isinstance(axis, tuple) else shift[0], axis=axis)), [x]
    if name == "expand_dims":
        axis = p.draw(st.integers(-ndim - 1, ndim))
        return square(lambda x: ga.expand_dims(x, axis=axis)), [x]
    if name == "squeeze":
        x = np.expand_dims(x, p.draw(st.integers(0, ndim)))
        axes = tuple(n for n, length in enumerate(x.shape) if length == 1)
        return square(lambda x: ga.squeeze(x, axis=axes)), [x]
    if name == "broadcast_to":
        wanted = (2, *[3 if length == 1 else length for length in shape])
        return square(lambda x: ga.broadcast_to(x, wanted)), [x]
    if name == "broadcast_arrays":
        return (lambda x, y: ga.broadcast_arrays(x, y)[0] * ga.broadcast_arrays(x, y)[1]), [x, p.values((1,) * ndim)]
    if name == "repeat":
        axis = p.axis(ndim, several=False)
        length = x.size if axis is None else shape[axis]
        repeats = p.draw(st.one_of(st.integers(0, 3), st.lists(st.integers(0, 3), min_size=length, max_size=length)))
        dtype = np.int64
        return square(
            lambda x: ga.repeat(
                x,
                repeats if isinstance(repeats, int) else ga.asarray(np.asarray(repeats, dtype), device=x.device),
                axis=axis,
            )
        ), [x]
    if name == "tile":
        repetitions = tuple(p.draw(st.lists(st.integers(0, 2), max_size=3)))
        return square(lambda x: ga.tile(x, repetitions)), [x]
    if name in ("tril", "triu", "matrix_transpose"):
        x = p.values((*p.draw(STACKS), p.draw(st.integers(0, 3)), p.draw(st.integers(0, 3))), complex_=p.kind())
        k = p.draw(st.integers(-3, 3))
        keywords = {} if name == "matrix_transpose" else {"k": k}
        return square(lambda x: p.function(x, **keywords)), [x]
    if name == "astype":
        return (lambda x: ga.astype(x, ga.complex128) ** 2), [x]
    assert name == "asarray"
    return (lambda x: ga.asarray(x, copy=True) ** 2), [x]


def joining(p):
    shape = p.draw(array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    axis = p.draw(st.integers(-len(shape), len(shape) - 1))
    if p.name == "stack":
        args = [p.values(shape, complex_=p.kind()) for _ in range(2)]
        return (lambda *xs: ga.stack([xs[0], xs[1], xs[0]], axis=axis) ** 2), args
    if p.name == "unstack":
        x = p.values(tuple(length + 1 for length in shape), complex_=p.kind())
        return (lambda x: ga.unstack(x, axis=axis)[0] * ga.unstack(x, axis=axis)[-1]), [x]
    if p.name == "meshgrid":
        args = [p.values((p.draw(st.integers(0, 3)),)) for _ in range(2)]
        indexing = p.draw(st.sampled_from(["xy", "ij"]))
        return (lambda *xs: ga.multiply(*ga.meshgrid(*xs, indexing=indexing))), args
    lengths = p.draw(st.lists(st.integers(0, 3), min_size=2, max_size=2))
    shapes = [(*shape[: axis % len(shape)], length, *shape[axis % len(shape) + 1 :]) for length in lengths]
    if p.draw(st.booleans()):
        axis = None
    return (lambda *xs: ga.concat(xs, axis=axis) ** 2), [p.values(s, complex_=p.kind()) for s in shapes]


def searching(p):
    shape = p.draw(array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    axis = p.draw(st.integers(-len(shape), len(shape) - 1))
    if p.name == "sort":
        descending = p.draw(st.booleans())
        return (lambda x: ga.sort(x, axis=axis, descending=descending) * x), [p.values(shape)]
    if p.name == "diff":
        n = p.draw(st.integers(1, 2))
        return (lambda x: ga.diff(x, axis=axis, n=n) ** 2), [p.values(shape, complex_=p.kind())]
    part = (lambda x: p.function(x)) if p.name == "unique_values" else (lambda x: p.function(x).values)
    return (lambda x: part(x) ** 2), [p.values(shape)]


def indexing(p):
    shape = p.draw(FULL_SHAPES)
    x = p.values(shape, complex_=p.kind())
    if p.name == "x[...]":
        key = p.draw(keys(shape))
        on = lambda part, x: ga.asarray(part, device=x.device) if isinstance(part, np.ndarray) else part
        return (lambda x: x[tuple([on(part, x) for part in key])] ** 2), [x]
    axis = p.draw(st.integers(-len(shape), len(shape) - 1))
    length = shape[axis]
    if p.name == "take":
        indices = np.asarray(p.draw(st.lists(st.integers(-length, length - 1), max_size=4)), np.int64)
        return (lambda x: ga.take(x, ga.asarray(indices, device=x.device), axis=axis) ** 2), [x]
    count = p.draw(st.integers(0, 3))
    wanted = list(shape)
    wanted[axis] = count
    indices = np.random.default_rng(count).integers(-length, length, wanted)
    return (lambda x: ga.take_along_axis(x, ga.asarray(indices, device=x.device), axis=axis) ** 2), [x]


@st.composite
def keys(draw, shape):
    """A key: slices both ways, integers, Ellipsis, None, arrays of integers with repeats, masks; mixed."""
    parts = []
    arrays = draw(st.integers(1, 3))
    for length in shape[: draw(st.integers(0, len(shape)))]:
        bound = st.one_of(st.none(), st.integers(-length - 1, length + 1))
        step = st.sampled_from([None, 1, 2, -1, -2])
        part = draw(
            st.one_of(
                st.builds(slice, bound, bound, step),
                st.integers(-length, length - 1),
                st.lists(st.integers(-length, length - 1), min_size=arrays, max_size=arrays).map(np.asarray),
                st.lists(st.booleans(), min_size=length, max_size=length).map(np.asarray)
                if not any(isinstance(part, np.ndarray) for part in parts)
                else st.integers(0, length - 1),
            )
        )
        if isinstance(part, np.ndarray) and part.dtype == bool and any(isinstance(p, np.ndarray) for p in parts):
            part = slice(None)
        if isinstance(part, np.ndarray) and any(isinstance(p, np.ndarray) and p.dtype == bool for p in parts):
            part = slice(None)
        parts.append(part)
    if draw(st.booleans()):
        parts.append(Ellipsis)
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), None)
    return tuple(parts)


def products(p):
    stacks = p.draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=2)).input_shapes
    n, m, k = (p.draw(st.integers(0, 3)) for _ in range(3))
    last = p.name.rpartition(".")[2]
    kinds = [p.kind(), p.kind()]
    if last == "matmul":
        shapes = [(*stacks[0], n, m), (*stacks[1], m, k)]
        if p.draw(st.booleans()):
            shapes[0] = (m,)
        if p.draw(st.booleans()):
            shapes[1] = (m,)
    elif last == "tensordot":
        shapes = [(n, m), (m, k)]
        return (lambda x, y: p.function(x, y, axes=1)), [
            p.values(s, complex_=c) for s, c in zip(shapes, kinds, strict=True)
        ]
    elif last == "vecdot":
        shapes = [(*stacks[0], n), (*stacks[1], n)]
    elif last == "outer":
        shapes = [(n,), (m,)]
    else:
        shapes = [(*stacks[0], 3), (*stacks[1], 3)]
    return p.function, [p.values(s, complex_=c) for s, c in zip(shapes, kinds, strict=True)]


def matrices(p):
    stack = p.draw(STACKS)
    n, m = p.draw(st.integers(0, 3)), p.draw(st.integers(0, 3))
    last = p.name.rpartition(".")[2]
    complex_ = p.kind()
    rectangular = p.values((*stack, n, m), complex_=complex_)
    square = p.values((*stack, n, n), complex_=complex_)
    # Separate eigenvalues and singular values, all away from 0.
    regular = square * 0.2 + np.diag(np.arange(1.0, n + 1))
    definite = lambda x: (x + ga.conj(ga.matrix_transpose(x))) / 2 + 0.0
    if last in ("trace", "diagonal"):
        offset = p.draw(st.integers(-3, 3))
        return (lambda x: p.function(x, offset=offset) ** 2), [rectangular]
    if last == "matrix_power":
        power = p.draw(st.integers(-2, 3))
        return (lambda x: p.function(x, power)), [regular]
    if last == "vector_norm":
        axis, order = p.axis(rectangular.ndim), p.draw(st.sampled_from([1, 2, 3, 0.5, -1, np.inf, -np.inf]))
        keepdims = p.draw(st.booleans())
        if not rectangular.size:
            order = 2
        return (lambda x: p.function(x, axis=axis, ord=order, keepdims=keepdims)), [rectangular]
    if last == "matrix_norm":
        order = p.draw(st.sampled_from(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])) if n else "fro"
        return (lambda x: p.function(x, ord=order)), [regular]
    if last == "pinv":
        wide = p.values((*stack, n, n + 1), complex_=complex_) * 0.1
        wide[..., :n] += np.diag(np.arange(1.0, n + 1))
        return p.function, [np.swapaxes(wide, -1, -2) if p.draw(st.booleans()) else wide]
    if last == "solve":
        shape = (n,) if p.draw(st.booleans()) else (*stack, n, p.draw(st.integers(0, 2)))
        return p.function, [regular, p.values(shape, complex_=p.kind())]
    if last == "slogdet":
        return (lambda x: p.function(x).logabsdet), [regular]
    if last == "cholesky":
        upper = p.draw(st.booleans())
        return (lambda x: p.function(definite(x), upper=upper)), [regular * 0.3 + 2 * np.eye(n)]
    if last == "eigh":
        return (lambda x: weighted_projectors(p.function(definite(x)).eigenvectors)), [regular]
    if last in ("eigvalsh",):
        return (lambda x: p.function(definite(x))), [regular]
    if last == "eig":
        return (lambda x: ga.real(p.function(x).eigenvalues)), [regular]
    if last == "eigvals":
        return (lambda x: ga.real(p.function(x))), [regular]
    if last == "qr":
        return (lambda x: p.function(x)[0] * 1.0), [regular]
    if last == "svd":
        return (lambda x: weighted_projectors(p.function(x, full_matrices=False)[0])), [regular]
    return p.function, [regular]


def weighted_projectors(vectors):
    """The projector on each column, weighted: what does not depend on the phase of the vectors."""
    n = vectors.shape[-1]
    weights = ga.arange(1.0, n + 1, dtype=ga.float64, device=vectors.device)
    return ga.matmul(vectors * weights, ga.conj(ga.matrix_transpose(vectors)))


def transform(p):
    last = p.name.rpartition(".")[2]
    shape = p.draw(array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    norm = p.draw(st.sampled_from(["backward", "ortho", "forward"]))
    x = p.values(
        shape, complex_=last not in ("rfft", "rfftn", "ihfft") and (last in ("irfft", "hfft", "irfftn") or p.kind())
    )
    if last in ("fftshift", "ifftshift"):
        axes = p.axis(len(shape))
        return (lambda x: p.function(x, axes=axes) ** 2), [x]
    if last.endswith("n"):
        axes = p.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True).map(tuple))
        lengths = tuple(p.draw(st.lists(st.integers(2, 4), min_size=len(axes), max_size=len(axes))))
        s = p.draw(st.sampled_from([None, lengths])) if last != "irfftn" else lengths
        return (lambda x: p.function(x, s=s, axes=axes, norm=norm)), [x]
    axis = p.draw(st.integers(-len(shape), len(shape) - 1))
    n = p.draw(st.one_of(st.none(), st.integers(2, 5))) if last not in ("irfft", "hfft") else p.draw(st.integers(2, 5))
    return (lambda x: p.function(x, n=n, axis=axis, norm=norm)), [x]


FAMILIES = {
    unary: (
        "abs acos acosh asin asinh atan atanh conj cos cosh exp expm1 imag log log10 log1p log2 negative positive real "
        "reciprocal sign sin sinh sqrt square tan tanh"
    ),
    binary: "add atan2 copysign divide hypot logaddexp maximum minimum multiply nextafter pow remainder subtract",
    clip: "clip",
    where: "where",
    reduction: "max mean min prod std sum var",
    cumulative: "cumulative_prod cumulative_sum",
    manipulation: (
        "asarray astype broadcast_arrays broadcast_to expand_dims flip matrix_transpose moveaxis permute_dims repeat "
        "reshape roll squeeze tile tril triu"
    ),
    joining: "concat meshgrid stack unstack",
    searching: "diff sort unique_all unique_counts unique_inverse unique_values",
    indexing: "take take_along_axis x[...]",
    products: "matmul tensordot vecdot linalg.outer linalg.cross",
    matrices: (
        "linalg.cholesky linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv "
        "linalg.matrix_norm linalg.matrix_power linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd "
        "linalg.svdvals linalg.trace linalg.vector_norm"
    ),
    transform: (
        "fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftshift "
        "fft.ifftshift"
    ),
}
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names.split()}


def test_every_operation_belongs_to_a_family():
    # What is beyond the standard is made of those here.
    assert set(FAMILY_OF) == {name for name, known in operations() if ".beyond." not in known.function.__module__}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", FAMILY_OF)
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_derivatives_agree_with_finite_differences(name, device, data):
    family = FAMILY_OF[name]
    if family is binary and name in ("add", "divide", "multiply", "pow", "subtract"):
        family = data.draw(st.sampled_from([binary, binary, with_scalar]))
    f, args = family(Program(data, name))
    check_grads(f, args, device=device, rtol=1e-4, atol=1e-5)
