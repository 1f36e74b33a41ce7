"""How gradarray calls the kernels of the standard: for each function a few calls, with operands of every kind.

Operands are NumPy's arrays, of the data types that a place has; `kernels` turns them into raw ones.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

import numpy as np

from ... import _backend
from ..._dtypes import DType
from .examination import Examination, HostArray, outcome

FLOATING = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 log log1p log2 log10 sqrt reciprocal"
).split()
UNARY = (
    "abs negative positive square sign floor ceil trunc round isfinite isinf isnan signbit real imag conj "
    "bitwise_invert logical_not"
).split()
FLOATING_PAIRS = "atan2 hypot logaddexp copysign nextafter".split()
BINARY = (
    "add subtract multiply divide floor_divide remainder pow equal not_equal less less_equal greater greater_equal "
    "maximum minimum logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
    "bitwise_right_shift"
).split()
#: Where a function is defined, if not everywhere.
_DOMAINS = {
    **dict.fromkeys(["asin", "acos", "atanh"], (-0.9, 0.9)),
    "acosh": (1.1, 3.0),
    **dict.fromkeys(["log", "log2", "log10", "log1p", "sqrt", "reciprocal"], (0.2, 3.0)),
}
#: Functions whose result may share the memory of an operand: gradarray takes it for a view.
VIEWS = frozenset(
    "broadcast_arrays broadcast_to diagonal expand_dims flip getitem matrix_transpose meshgrid moveaxis permute_dims "
    "reshape spread squeeze unstack".split()
)
#: Functions that answer with indices, which have the default dtype of indices.
INDICES = frozenset(
    "argmax argmin argsort count_nonzero nonzero searchsorted unique_all unique_counts unique_inverse".split()
)


@dataclass(frozen=True)
class Call:
    """One call of a kernel.

    Attributes
    ----------
    name : str
        The function.
    args, keywords
        What it is given; NumPy's arrays become raw ones. `HERE` as a device is the place's own.
    units : float
        By how many units of precision, relative to the largest value, the result may differ.
    special : bool
        Whether the sign of zeros counts.
    parts : callable, optional
        What is compared of results that are not unique: NumPy's results and operands to arrays.
    """

    name: str
    args: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)
    units: float = 0.0
    special: bool = False
    parts: Callable[[Any, HostArray], Any] | None = None

    def __str__(self) -> str:
        shown = [_shown(a) for a in self.args] + [f"{name}={_shown(value)}" for name, value in self.keywords.items()]
        return f"{self.name}({', '.join(shown)})"


#: Stands for the raw device of the place.
HERE = "the place's own device"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_shown, value))})"
    return str(value)


class Operands:
    """NumPy's arrays of the data types that a place has."""

    def __init__(
        self, dtypes: tuple[DType, ...], real: DType, integer: DType, index: DType, complex_: DType | None
    ) -> None:
        self.all = dtypes
        self.numeric = [dtype for dtype in dtypes if dtype.kind in "iufc"]
        self.floating = [dtype for dtype in dtypes if dtype.kind in "fc"]
        self.whole = [dtype for dtype in dtypes if dtype.kind in "iu"]
        self.real_floating = [dtype for dtype in dtypes if dtype.kind in "f"]
        self.real_numeric = [dtype for dtype in dtypes if dtype.kind in "iuf"]
        self.real, self.integer, self.index = real, integer, index
        self.complex = [] if complex_ is None else [complex_]
        #: The data types in which everything is tried, beside those in which one shape has to do.
        self.main = [self.real, *self.complex]

    def make(self, dtype: DType, *shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> HostArray:
        """Values of the given dtype: floating-point ones between the limits, integers from -3 to 3 but not 0."""
        return _made(dtype, shape, seed, low, high)

    def integers(self, *values: Any) -> HostArray:
        """The given indices."""
        return np.array(values, self.index)

    def summed(self, dtype: DType) -> DType:
        """The data type in which integers are summed; signed for unsigned ones that have no wider sibling here."""
        if dtype.itemsize >= self.integer.itemsize:
            return dtype
        sibling = np.dtype(f"uint{8 * self.integer.itemsize}")
        return sibling if dtype.kind == "u" and sibling in self.all else self.integer


@functools.cache
def _made(dtype: DType, shape: tuple[int, ...], seed: int, low: float, high: float) -> HostArray:
    rng = np.random.default_rng(seed + 1)
    if dtype.kind in "fc":
        values: Any = rng.uniform(low, high, shape)
        if dtype.kind == "c":
            values = values + 1j * rng.uniform(low, high, shape)
    elif dtype.kind == "b":
        values = rng.integers(0, 2, shape)
    else:
        values = rng.integers(1, 4, shape)
        if dtype.kind == "i":
            values = values * rng.choice([-1, 1], shape)
    made = np.asarray(values).astype(dtype)
    made.flags.writeable = False
    return made


def table(exam: Examination) -> list[tuple[Call, Any]]:
    """Every call for the data types of a place, with NumPy's results; those that NumPy refuses are not in it.

    A library may well take what NumPy refuses, such as complex numbers in an order.
    """
    return _table(operands(exam))


@functools.cache
def _operands(dtypes: tuple[DType, ...], *defaults: Any) -> Operands:
    return Operands(dtypes, *defaults)


def operands(exam: Examination) -> Operands:
    """Operands for a place; the same ones for places with the same data types."""
    return _operands(exam.dtypes, exam.real, exam.integer, exam.index, exam.complex)


@functools.cache
def _table(operands: Operands) -> list[tuple[Call, Any]]:
    backend = _backend.load("numpy")
    found = []
    for chapter in _CHAPTERS:
        for call in chapter(operands):
            expected = outcome(functools.partial(_numpy_result, backend, call))
            if not isinstance(expected, type):
                found.append((call, expected))
    return found


def _numpy_result(backend: _backend.Backend, call: Call) -> Any:
    device = backend.raw_device(("cpu", None))
    keywords = {name: device if value is HERE else value for name, value in call.keywords.items()}
    return as_host(backend.kernel(call.name)(*call.args, **keywords))


def as_host(result: Any) -> Any:
    """A result of a kernel of NumPy's as an array; several as a tuple of them."""
    return tuple(map(as_host, result)) if isinstance(result, (tuple, list)) else np.asarray(result)


def elementwise(v: Operands) -> Iterator[Call]:
    """Elementwise functions: each dtype, 0-d, empty, the special values, Python scalars."""
    special = np.array([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 1e4, -1e4])
    for name in FLOATING:
        low, high = _DOMAINS.get(name, (-2.0, 2.0))
        for dtype in v.floating:
            yield Call(name, (v.make(dtype, 2, 3, low=low, high=high),), units=32)
        for shape in ((), (0, 3)):
            yield Call(name, (v.make(v.real, *shape, low=low, high=high),), units=32)
        yield Call(name, (special.astype(v.real),), units=32, special=True)
    for name in UNARY:
        for dtype in v.all:
            yield Call(name, (v.make(dtype, 2, 3),), units=4)
        for shape in ((), (0, 3)):
            dtype = v.integer if name == "bitwise_invert" else v.real
            yield Call(name, (v.make(dtype, *shape),))
        # The standard does not say which zero the sign of a zero is.
        yield Call(name, (special.astype(v.real),), special=name != "sign")
    for name in FLOATING_PAIRS:
        for dtype in v.real_floating:
            yield Call(name, (v.make(dtype, 2, 3), v.make(dtype, 2, 3, seed=5)), units=16)
        yield from _pairs(name, v, v.real, 16)
        first, second = np.meshgrid(special.astype(v.real), special[:7].astype(v.real))
        yield Call(name, (first, second), units=16, special=True)
    for name in BINARY:
        for dtype in v.all:
            second = v.make(dtype, 2, 3, seed=5, low=0.5)
            yield Call(name, (v.make(dtype, 2, 3), np.abs(second) if dtype.kind == "i" else second), units=16)
        yield from _pairs(name, v, v.integer if name.startswith("bitwise") else v.real, 16)
        if not name.startswith(("bitwise", "remainder", "floor_divide", "pow")):
            first, second = np.meshgrid(special.astype(v.real), special[:7].astype(v.real))
            yield Call(name, (first, second), special=not name.startswith(("maximum", "minimum")))
    for x in (v.make(v.real, 2, 3), v.make(v.integer, 4)):
        yield Call("clip", (x,), {"min": -1, "max": 1})
        yield Call("clip", (x,), {"max": 1})
    for dtype in (v.real, v.integer, *v.complex):
        condition = v.make(np.dtype(bool), 2, 3)
        yield Call("where", (condition, v.make(dtype, 2, 3), v.make(dtype, 3, seed=5)))
        yield Call("where", (condition, v.make(dtype), v.make(dtype, 2, 1)))
    for number in (0, 2.5, inf):
        yield Call("where", (v.make(np.dtype(bool), 2, 3), v.make(v.real, 2, 3), number))
        yield Call("where", (v.make(np.dtype(bool), 2, 3), number, v.make(v.real, 2, 3)))
        yield Call("where", (v.make(np.dtype(bool), 40, 50), v.make(v.real, 40, 50), number))


def _pairs(name: str, v: Operands, dtype: DType, units: float) -> Iterator[Call]:
    """Shapes that broadcast, 0-d and empty ones, and Python scalars as either operand."""
    shapes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
        ((3,), (2, 1)),
        ((), (2, 3)),
        ((2, 3), ()),
        ((), ()),
        ((0, 3), (3,)),
    )
    for first, second in shapes:
        x, y = v.make(dtype, *first, low=0.5), v.make(dtype, *second, seed=5, low=0.5)
        yield Call(name, (np.asarray(np.abs(x)), np.asarray(np.abs(y))), units=units)
    x = np.abs(v.make(dtype, 2, 3, low=0.5))
    for number in (2,) if dtype.kind == "i" else (2, 0.5):
        yield Call(name, (x, number), units=units)
        yield Call(name, (number, x), units=units)


def creation(v: Operands) -> Iterator[Call]:
    """Creation functions, which get a dtype and a device."""
    for dtype in v.all:
        for name in ("zeros", "ones", "empty"):
            for shape in ((2, 3), (), (0, 3)):
                yield Call(name, (shape,), {"dtype": dtype, "device": HERE})
        yield Call("full", ((2, 3), True if dtype.kind == "b" else 2), {"dtype": dtype, "device": HERE})
        yield Call("eye", (2, 3), {"k": 1, "dtype": dtype, "device": HERE})
        yield Call("zeros_like", (v.make(v.real, 2, 3),), {"dtype": dtype})
        yield Call("ones_like", (v.make(v.real, 2, 3),), {"dtype": dtype})
        for name in ("zeros_like", "ones_like", "empty_like"):
            yield Call(name, (v.make(dtype, 2, 3),))
            yield Call(name, (v.make(dtype),))
    for dtype in v.main:
        yield Call("full", ((), 2.5), {"dtype": dtype, "device": HERE})
        yield Call("full_like", (v.make(dtype, 2, 3), 2.5))
        yield Call("full_like", (v.make(dtype), -1))
    yield Call("arange", (0, 5, 2), {"dtype": v.integer, "device": HERE})
    yield Call("arange", (5, 0, -2), {"dtype": v.integer, "device": HERE})
    yield Call("arange", (0.0, 1.0, 0.25), {"dtype": v.real, "device": HERE})
    yield Call("arange", (3, 0, 1), {"dtype": v.real, "device": HERE})
    for endpoint in (True, False):
        for number in (0, 1, 5):
            keywords = {"num": number, "dtype": v.real, "endpoint": endpoint, "device": HERE}
            yield Call("linspace", (0.0, 2.0), keywords, units=4)
    for k in (-1, 0, 2):
        for name in ("tril", "triu"):
            yield Call(name, (v.make(v.real, 2, 3, 4),), {"k": k})
    for dtype in (v.integer, *v.complex):
        yield Call("tril", (v.make(dtype, 3, 3),))
        yield Call("triu", (v.make(dtype, 3, 3),))
    for indexing_ in ("xy", "ij"):
        yield Call("meshgrid", (v.make(v.real, 2), v.make(v.real, 3)), {"indexing": indexing_})


def data_types(v: Operands) -> Iterator[Call]:
    """Casts from each data type to each other."""
    for own in v.all:
        for wanted in v.all:
            if own.kind == "c" and wanted.kind != "c":
                continue
            low = 0.0 if wanted.kind == "u" else -2.0
            x = v.make(own, 2, 3, low=low)
            yield Call("astype", (np.abs(x) if wanted.kind == "u" and own.kind == "i" else x, wanted))
    yield Call("astype", (v.make(v.integer, 2, 3),), {"dtype": v.real})
    yield Call("astype", (v.make(v.real),), {"dtype": v.real, "copy": True})


def manipulation(v: Operands) -> Iterator[Call]:
    """Manipulation functions."""
    for dtype in (v.real, v.integer, np.dtype(bool), *v.complex):
        x = v.make(dtype, 2, 3)
        yield Call("broadcast_to", (x,), {"shape": (4, 2, 3)})
        yield Call("broadcast_to", (x, (1, 2, 3)))
        yield Call("reshape", (x,), {"shape": (3, -1)})
        yield Call("permute_dims", (x,), {"axes": (1, 0)})
        yield Call("concat", ((x, v.make(dtype, 1, 3)),), {"axis": 0})
        yield Call("stack", ((x, v.make(dtype, 2, 3, seed=4)),), {"axis": 1})
        yield Call("flip", (x,), {"axis": 1})
        yield Call("roll", (x,), {"shift": 1, "axis": 1})
        yield Call("repeat", (x, 2), {"axis": 1})
        yield Call("tile", (x, (2, 1, 2)))
    x, y = v.make(v.real, 2, 3), v.make(v.real, 2, 1, 3)
    scalar, empty = v.make(v.real), v.make(v.real, 0, 3)
    yield Call("broadcast_to", (scalar,), {"shape": (2, 3)})
    yield Call("broadcast_to", (scalar,), {"shape": ()})
    yield Call("broadcast_arrays", (x, v.make(v.real, 1, 3), scalar))
    yield Call("concat", ([x, x],), {"axis": 1})
    yield Call("concat", ((x, empty),))
    yield Call("concat", ((x, x),), {"axis": None})
    yield Call("concat", ((x,),), {"axis": 0})
    axis: Any
    for axis in (0, -1, 2, (0, 2), ()):
        yield Call("expand_dims", (x,), {"axis": axis})
    for axes in (None, 0, (0, 1)):
        yield Call("flip", (x,), {"axis": axes})
    yield Call("moveaxis", (y, 0, -1))
    for shape in ((3, 2), (6,), (-1,), (1, 2, 3)):
        yield Call("reshape", (x, shape))
    yield Call("reshape", (x.T, (6,)))
    yield Call("reshape", (scalar,), {"shape": (1,)})
    yield Call("reshape", (v.make(v.real, 1),), {"shape": ()})
    yield Call("reshape", (empty,), {"shape": (0,)})
    yield Call("permute_dims", (scalar,), {"axes": ()})
    yield Call("permute_dims", (y, (2, 0, 1)))
    yield Call("repeat", (x, v.integers(1, 0, 2)), {"axis": 1})
    yield Call("repeat", (v.make(v.real, 3), v.integers(1, 0, 2)))
    for shift, place in ((1, None), (-1, 1), ((1, 2), (0, 1)), (1, (0, 1)), (0, 0)):
        yield Call("roll", (x,), {"shift": shift, "axis": place})
    yield Call("roll", (x, 1), {"axis": 0})
    for axis in (1, (1,), -2, ()):
        yield Call("squeeze", (y,), {"axis": axis})
    yield Call("stack", ([scalar, scalar],), {"axis": 0})
    yield Call("stack", ((x,),), {"axis": -1})
    yield Call("tile", (scalar, (2,)))
    yield Call("tile", (x, ()))
    yield Call("unstack", (x,), {"axis": 1})
    yield Call("diff", (x,), {"axis": 1, "n": 1})


def indexing(v: Operands) -> Iterator[Call]:
    """Indexing functions; negative indices count from the end."""
    for dtype in (v.real, np.dtype(bool), *v.complex):
        x = v.make(dtype, 2, 3)
        yield Call("take", (x, v.integers(2, 0, -1, 2)), {"axis": 1})
        yield Call("take", (x, v.integers()), {"axis": 0})
        yield Call("take_along_axis", (x, v.integers([0, 2], [1, -1])), {"axis": 1})
        yield Call("take_along_axis", (x, v.integers([0, 1, 1])), {"axis": 0})
    yield Call("take_along_axis", (v.make(v.real, 1, 3), v.integers([0], [2])), {"axis": -1})


def reductions(v: Operands) -> Iterator[Call]:
    """Statistical functions, and those of truth values."""
    axes: tuple[Any, ...] = (None, 0, -1, (0, 1), ())
    for name in ("sum", "prod"):
        for dtype in v.floating:
            yield Call(name, (v.make(dtype, 2, 3),), {"axis": None, "keepdims": False}, units=16)
        for dtype in v.whole:
            keywords: dict[str, Any] = {"axis": None, "dtype": v.summed(dtype), "keepdims": False}
            yield Call(name, (v.make(dtype, 2, 3),), keywords)
        for dtype in v.main:
            yield Call(name, (v.make(v.real, 2, 3),), {"axis": 0, "dtype": dtype, "keepdims": True}, units=16)
        for axis in axes:
            yield Call(name, (v.make(v.real, 2, 3),), {"axis": axis, "keepdims": axis == 0}, units=16)
        for shape in ((0, 3), ()):
            yield Call(name, (v.make(v.real, *shape),), {"axis": None, "keepdims": False}, units=4)
        yield Call(name, (v.make(v.real, 0, 3),), {"axis": 0})
    for name in ("max", "min"):
        for dtype in v.real_numeric:
            yield Call(name, (v.make(dtype, 2, 3),), {"axis": None, "keepdims": False})
        for axis in axes:
            yield Call(name, (v.make(v.real, 2, 3),), {"axis": axis, "keepdims": axis == 0})
        yield Call(name, (np.array([1.0, nan, 2.0], v.real),), {"axis": None, "keepdims": False})
    for name in ("mean", "var", "std"):
        extra = {} if name == "mean" else {"correction": 1.0}
        for dtype in v.floating if name == "mean" else v.real_floating:
            yield Call(name, (v.make(dtype, 2, 3),), {"axis": None, "keepdims": False, **extra}, units=16)
        for axis in axes[:4]:
            keywords = {"axis": axis, "keepdims": axis == 0}
            yield Call(name, (v.make(v.real, 2, 3),), {**keywords, **extra}, units=16)
    for name in ("cumulative_sum", "cumulative_prod"):
        for dtype in v.numeric:
            wanted = None if dtype in v.floating else v.summed(dtype)
            yield Call(name, (v.make(dtype, 2, 3),), {"axis": 1, "dtype": wanted, "include_initial": False}, units=16)
        for initial in (True, False):
            keywords = {"axis": 0, "dtype": v.real, "include_initial": initial}
            yield Call(name, (v.make(v.real, 2, 3),), keywords, units=16)
            yield Call(name, (v.make(v.real, 3),), {"axis": 0, "include_initial": initial}, units=16)
    for name in ("all", "any"):
        for dtype in v.all:
            yield Call(name, (v.make(dtype, 2, 3),), {"axis": None, "keepdims": False})
        for axis in axes:
            yield Call(name, (v.make(np.dtype(bool), 2, 3),), {"axis": axis, "keepdims": axis == 0})
        yield Call(name, (v.make(np.dtype(bool), 0, 3),), {"axis": 0, "keepdims": False})


def searching(v: Operands) -> Iterator[Call]:
    """Searching, sorting and sets."""
    axis: Any
    for name in ("argmax", "argmin"):
        for axis in (None, 0, -1):
            yield Call(name, (v.make(v.real, 2, 3),), {"axis": axis, "keepdims": axis == 0})
        yield Call(name, (v.make(v.integer, 2, 4),), {"axis": 1, "keepdims": False})
    for dtype in v.all:
        yield Call("count_nonzero", (v.make(dtype, 2, 3),), {"axis": None, "keepdims": False})
    for axis in (0, (0, 1), ()):
        yield Call("count_nonzero", (v.make(np.dtype(bool), 2, 3),), {"axis": axis, "keepdims": axis == 0})
    for dtype in (v.real, np.dtype(bool)):
        yield Call("nonzero", (v.make(dtype, 2, 3),))
    repeated = np.array([[3, 1, 2], [1, 1, 3]])
    for dtype in v.real_numeric:
        for descending in (False, True):
            ordering = {"axis": 1, "descending": descending, "stable": True}
            yield Call("sort", (repeated.astype(dtype),), ordering)
            yield Call("argsort", (repeated.astype(dtype),), ordering)
    yield Call("sort", (v.make(v.real, 3, 2),), {"axis": 0, "descending": False, "stable": False})
    yield Call("argsort", (v.make(v.real, 0, 2),), {"axis": 0, "descending": False, "stable": True})
    ordered = np.array([0.0, 1.0, 1.0, 3.0], v.real)
    wanted = np.array([[1.0, -1.0], [4.0, 2.0]], v.real)
    for side in ("left", "right"):
        yield Call("searchsorted", (ordered, wanted), {"side": side, "sorter": None})
        keywords: dict[str, Any] = {"side": side, "sorter": v.integers(3, 2, 1, 0)}
        yield Call("searchsorted", (ordered[::-1].copy(), wanted), keywords)
    for dtype in (v.real, v.integer, np.dtype(bool)):
        for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
            yield Call(name, (repeated.astype(dtype),))
    yield Call("isin", (repeated.astype(v.integer), np.array([1, 5], v.integer)))


def products(v: Operands) -> Iterator[Call]:
    """Products of the main namespace, and those of the extension that need no decomposition."""
    shapes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
        ((2, 3), (3, 4)),
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 1, 2, 3), (4, 3, 2)),
        ((0, 3), (3, 2)),
        ((2, 0), (0, 2)),
    )
    for dtype in v.numeric:
        yield Call("matmul", (v.make(dtype, 2, 3), v.make(dtype, 3, 2)), units=16)
    for first, second in shapes:
        yield Call("matmul", (v.make(v.real, *first), v.make(v.real, *second)), units=16)
    for dtype in (v.real, v.integer, *v.complex):
        x, y = v.make(dtype, 2, 3, 4), v.make(dtype, 3, 4, 2)
        yield Call("matrix_transpose", (x,))
        yield Call("tensordot", (x, y), {"axes": ((1, 2), (0, 1))}, units=32)
        yield Call("tensordot", (x, y), {"axes": ((2, 0), (1, 2))}, units=32)
        yield Call("vecdot", (v.make(dtype, 2, 3), v.make(dtype, 3, seed=4)), {"axis": -1}, units=16)
        yield Call("vecdot", (v.make(dtype, 3, 2), v.make(dtype, 3, 2, seed=4)), {"axis": -2}, units=16)
        yield Call("outer", (v.make(dtype, 2), v.make(dtype, 3)), units=4)
        yield Call("cross", (v.make(dtype, 2, 3), v.make(dtype, 2, 3, seed=4)), {"axis": -1}, units=16)
        for offset in (-1, 0, 2):
            yield Call("diagonal", (v.make(dtype, 2, 3, 4),), {"offset": offset})
        if dtype.kind in "fc":
            yield Call("trace", (v.make(dtype, 2, 3, 3),), {"offset": 1}, units=16)
            yield Call("matrix_power", (v.make(dtype, 2, 2, 2), 3), units=64)
    yield Call("tensordot", (v.make(v.real, 2), v.make(v.real, 3)), {"axes": ((), ())}, units=4)
    yield Call("cross", (v.make(v.real, 3, 1), v.make(v.real, 3, 2)), {"axis": -2}, units=16)


def _adjoint(x: HostArray) -> HostArray:
    return np.conj(np.swapaxes(x, -1, -2))


def _eigh_parts(found: Any, x: HostArray) -> Any:
    values, vectors = found
    return values, vectors * values[..., None, :] @ _adjoint(vectors), _adjoint(vectors) @ vectors


def _eig_parts(found: Any, x: HostArray) -> Any:
    values, vectors = found
    return np.sort_complex(values), x @ vectors - vectors * values[..., None, :], np.linalg.norm(vectors, axis=-2)


def _svd_parts(found: Any, x: HostArray) -> Any:
    left, values, right = found
    k = values.shape[-1]
    return values, left[..., :k] * values[..., None, :] @ right[..., :k, :], _adjoint(left) @ left


def _qr_parts(found: Any, x: HostArray) -> Any:
    q, r = found
    return q @ r, _adjoint(q) @ q, np.tril(r, -1)


def linear_algebra(v: Operands) -> Iterator[Call]:
    """The extension's decompositions, systems and norms: of what is not unique, that which is."""
    for dtype in v.main:
        x, stack, wide = v.make(dtype, 3, 3), v.make(dtype, 2, 3, 3, seed=3), v.make(dtype, 2, 4)
        definite = stack @ _adjoint(stack) + np.eye(3, dtype=dtype)
        hermitian = x + _adjoint(x)
        for upper in (False, True):
            yield Call("cholesky", (definite,), {"upper": upper}, units=256)
        yield Call("det", (stack,), units=256)
        yield Call("slogdet", (stack,), units=256)
        yield Call("inv", (definite,), units=256)
        yield Call("solve", (definite, v.make(dtype, 2, 3, 2)), units=256)
        yield Call("solve", (definite[0], v.make(dtype, 3)), units=256)
        yield Call("pinv", (wide,), {"rtol": np.array(1e-4, v.real)}, units=256)
        yield Call("eigh", (hermitian,), units=256, parts=_eigh_parts)
        yield Call("eigvalsh", (hermitian,), units=256)
        yield Call("eig", (x,), units=256, parts=_eig_parts)
        yield Call("eigvals", (x,), units=256, parts=lambda found, x: (np.sort_complex(found),))
        for full in (False, True):
            yield Call("svd", (wide,), {"full_matrices": full}, units=256, parts=_svd_parts)
        yield Call("svdvals", (wide,), units=256)
        for mode in ("reduced", "complete"):
            yield Call("qr", (_adjoint(wide),), {"mode": mode}, units=256, parts=_qr_parts)
            yield Call("qr", (wide,), {"mode": mode}, units=256, parts=_qr_parts)
        yield Call("matrix_norm", (stack,), {"keepdims": False, "ord": "fro"}, units=64)
        for ord_ in (2, 1, 3):
            yield Call("vector_norm", (wide,), {"axis": 1, "keepdims": False, "ord": ord_}, units=64)
        for axis in (None, (0, 1)):
            yield Call("vector_norm", (wide,), {"axis": axis, "keepdims": True, "ord": 2}, units=64)


def fourier(v: Operands) -> Iterator[Call]:
    """The extension for Fourier transforms."""
    for dtype in v.complex:
        for norm in ("backward", "ortho", "forward"):
            for name in ("fft", "ifft"):
                yield Call(name, (v.make(dtype, 2, 4),), {"n": 4, "axis": 1, "norm": norm}, units=64)
            for name in ("fftn", "ifftn"):
                yield Call(name, (v.make(dtype, 2, 4),), {"s": (2, 4), "axes": (0, 1), "norm": norm}, units=64)
            yield Call("rfft", (v.make(v.real, 2, 5),), {"n": 5, "axis": 1, "norm": norm}, units=64)
            yield Call("irfft", (_half(v.make(dtype, 2, 3)),), {"n": 4, "axis": 1, "norm": norm}, units=64)
        for length in (1, 3, 7):
            yield Call("fft", (v.make(dtype, 4, 2),), {"n": length, "axis": 0, "norm": "backward"}, units=64)
            yield Call("rfft", (v.make(v.real, 4, 2),), {"n": length, "axis": 0, "norm": "backward"}, units=64)
        yield Call("irfft", (_half(v.make(dtype, 3)),), {"n": 5, "axis": 0, "norm": "backward"}, units=64)
        yield Call("hfft", (_half(v.make(dtype, 3)),), {"n": 4}, units=64)
        yield Call("ihfft", (v.make(v.real, 4),), {"n": 4}, units=64)
        yield Call("rfftn", (v.make(v.real, 2, 4),), units=64)
        yield Call("irfftn", (np.fft.rfftn(v.make(v.real, 2, 4)).astype(dtype),), units=64)
        yield Call("fftshift", (v.make(dtype, 2, 3),))
        yield Call("ifftshift", (v.make(dtype, 2, 3),))
    for name in ("fftfreq", "rfftfreq"):
        for number in (4, 5):
            yield Call(name, (number,), {"d": 0.5, "dtype": v.real, "device": HERE}, units=4)


def _half(x: HostArray) -> HostArray:
    """The first half of a spectrum: its first and last numbers are real, which libraries take for granted."""
    x = x.copy()
    x[..., 0] = x[..., 0].real
    x[..., -1] = x[..., -1].real
    return x


_CHAPTERS: tuple[Callable[[Operands], Iterator[Call]], ...] = (
    elementwise,
    creation,
    data_types,
    manipulation,
    indexing,
    reductions,
    searching,
    products,
    linear_algebra,
    fourier,
)
