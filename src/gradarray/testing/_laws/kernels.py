"""Laws of kernels: that each is there, answers as NumPy's does, and changes nothing but its result."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np

from ... import _backend, _dispatch, _dtypes
from . import calls
from .examination import Examination, HostArray, agree, expect, outcome
from .places import functions

#: Kernels that gradarray does not call, and that have no raw array to give, or to take.
_LOOKED_UP = frozenset("asarray broadcast_shapes can_cast from_dlpack iinfo isdtype matrix_rank result_type".split())


def existence(exam: Examination) -> None:
    """A kernel for every function of the standard."""
    for _, name, _ in functions():
        with exam.law(f"kernel({name!r})", "there is one for every function of the standard"):
            kernel = exam.backend.kernel(name)
            expect(callable(kernel), f"kernel({name!r}) is {kernel!r}")
    called = {call.name for call, _ in calls.table(exam)} | {"finfo"}
    for _, name, _ in functions():
        if name not in called:
            reason = "is looked up, not called" if name in _LOOKED_UP else "has no operands here"
            exam.leave_out(f"values of {name}, whose kernel {reason}")
    for dtype in exam.of_kind("f"):
        with exam.law("kernel('finfo')", "it takes the library's dtypes: derivative rules ask it for the precision"):
            eps = float(exam.backend.kernel("finfo")(exam.raw([1.0], dtype).dtype).eps)
            expect(eps == float(np.finfo(dtype).eps), f"finfo({dtype}).eps is {eps!r}")


# --- values ----------------------------------------------------------------------------------------------------------


def values(exam: Examination) -> None:
    """The calls of the table, beside NumPy's results."""
    for call, expected in calls.table(exam):
        _check_call(exam, call, expected)


def _check_call(exam: Examination, call: calls.Call, expected: Any) -> None:
    backend = exam.backend
    member = f"kernel({call.name!r})"
    operands: list[tuple[Any, HostArray]] = []

    def raw(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            operands.append((exam.raw(value), value))
            return operands[-1][0]
        if isinstance(value, (tuple, list)):
            return type(value)(raw(part) for part in value)
        return backend.raw_device(exam.place) if value is calls.HERE else value

    results: list[Any] = []
    with exam.law(member, "the standard's values, shapes and special cases"):
        args = [raw(value) for value in call.args]
        keywords = {name: raw(value) for name, value in call.keywords.items()}
        try:
            results = _flat(backend.kernel(call.name)(*args, **keywords))
        except Exception as error:
            error.add_note(str(call))
            raise
        results = [result if type(result) is backend.array_type else backend.wrap(result) for result in results]
        for result in results:
            if type(result) is not backend.array_type:
                raise AssertionError(f"{call} gives a {type(result)!r}")
            if (place := backend.place_of(result)) != exam.place:
                raise AssertionError(f"the result of {call} lies at {place!r}")
        _compare(exam, call, [exam.host(result) for result in results], expected)
    with exam.law(member, "an operand is never changed"):
        for operand, before in operands:
            agree(exam.host(operand), before, _After(call))
    if call.name in calls.VIEWS or not exam.mutable:
        return
    with exam.law(member, "memory of its own, but for the results that gradarray takes for views"):
        for result in results:
            for operand, before in operands:
                if before.size and backend.shares_memory(result, operand):
                    raise AssertionError(f"the result of {call} shares the memory of an operand")


class _After:
    """What is compared once a kernel has run: its words are made only if they are needed."""

    def __init__(self, call: calls.Call) -> None:
        self._call = call

    def __str__(self) -> str:
        return f"an operand of {self._call} after the call"


def _flat(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _compare(exam: Examination, call: calls.Call, found: list[HostArray], expected: Any) -> None:
    wanted = [_at_home(exam, call, part) for part in _flat(expected)]
    if len(found) != len(wanted):
        raise AssertionError(f"{call} has {len(found)} results, expected {len(wanted)}")
    if call.name.startswith("empty"):
        found = [np.zeros_like(part) for part in found]
        wanted = [np.zeros_like(part) for part in wanted]
    if call.parts is not None:
        for one, other in zip(found, wanted, strict=True):
            same = one.shape == other.shape and one.dtype == other.dtype
            expect(same, f"a result of {call} is {one.dtype} {one.shape}, expected {other.dtype} {other.shape}")
        operand = call.args[0]
        several = isinstance(expected, tuple)
        found = list(call.parts(found if several else found[0], operand))
        wanted = list(call.parts(wanted if several else wanted[0], operand))
    for one, other in zip(found, wanted, strict=True):
        agree(one, other, call, units=call.units, signed=call.special)


def _at_home(exam: Examination, call: calls.Call, expected: HostArray) -> HostArray:
    """NumPy's result in the dtype that it has at the place: there may be no int64, or another one for indices."""
    dtype = expected.dtype
    if call.name == "divide" and all(np.result_type(x).kind in "biu" for x in call.args):
        return expected.astype(exam.real)
    if call.name in calls.INDICES and dtype == np.int64 and dtype not in [a.dtype for a in call.args[:1]]:
        return expected.astype(exam.index)
    return expected.astype(exam.available(dtype))


def wrap(exam: Examination) -> None:
    """What becomes of results that are not yet raw arrays."""
    backend = exam.backend
    matrix, vector = exam.raw(np.ones((2, 2)), exam.real), exam.raw([1.0, 2.0], exam.real)
    scalars: list[tuple[str, Callable[[], Any], HostArray]] = [
        ("sum(x)", lambda: backend.kernel("sum")(vector, axis=None, keepdims=False), np.array(3.0, exam.real)),
        ("x[0]", lambda: backend.kernel("getitem")(vector, key=0), np.array(1.0, exam.real)),
        ("x @ x", lambda: backend.kernel("matmul")(vector, vector), np.array(5.0, exam.real)),
        ("det(x)", lambda: backend.kernel("det")(matrix), np.array(0.0, exam.real)),
        ("all(x)", lambda: backend.kernel("all")(vector, axis=None, keepdims=False), np.array(True)),
        ("x", lambda: vector, np.array([1.0, 2.0], exam.real)),
        ("add(x, x)", lambda: backend.kernel("add")(vector, vector), np.array([2.0, 4.0], exam.real)),
    ]
    for name, make, expected in scalars:
        with exam.law("wrap", "a kernel's result as a raw array: exactly array_type"):
            wrapped = backend.wrap(make())
            expect(type(wrapped) is backend.array_type, f"wrap({name}) is a {type(wrapped)!r}")
            agree(exam.host(wrapped), expected, f"wrap({name})")
            expect(backend.place_of(wrapped) == exam.place, f"wrap({name}) lies at {backend.place_of(wrapped)!r}")


# --- scalars and promotion -------------------------------------------------------------------------------------------


def _called(exam: Examination, name: str, first: Any, second: Any) -> Any:
    """A kernel of two operands as dispatch calls it: promoted first where the backend does not promote."""
    if not exam.backend.promotes:
        first, second = _dispatch.promote(exam.device, first, second)
    return exam.host(exam.kernel(name)(first, second))


def constant(exam: Examination) -> None:
    """Python scalars as the backend would rather have them."""
    backend = exam.backend
    numbers = (True, False, 0, 1, 2, -3, 300, 0.0, -0.0, 2.5, -1.5, 1e300, inf, nan)
    asked: list[tuple[Any, Any, Any]] = []
    for dtype in dict.fromkeys([*exam.of_kind("b"), *exam.of_kind("u")[:1], exam.integer, *exam.of_kind("fc")]):
        raw = exam.raw([1, 0, 1], dtype)
        for number in numbers:
            with exam.law("constant", "the kernel's result stays the same"):
                constant = backend.constant(number, raw)
                asked.append((number, dtype, constant))
                if constant is number:
                    continue
                for name in ("add", "multiply", "copysign", "less", "pow"):
                    _check_constant(exam, name, number, dtype, (raw, number), (raw, constant))
                for name in ("subtract", "divide"):
                    _check_constant(exam, name, number, dtype, (number, raw), (constant, raw))
    for number, dtype, constant in asked:
        if type(constant) is backend.array_type:
            with exam.law("constant", "never changed: it may be shared"):
                text = f"constant({number!r}, an array of {dtype})"
                agree(exam.host(constant), np.array(number, exam.host(constant).dtype), text, signed=True)


def _check_constant(exam: Examination, name: str, number: Any, dtype: Any, plain: Any, other: Any) -> None:
    expected = outcome(lambda: _called(exam, name, *plain))
    found = outcome(lambda: _called(exam, name, *other))
    what = f"{name} of an array of {dtype} and constant({number!r})"
    if isinstance(expected, type) or isinstance(found, type):
        expect(isinstance(expected, type) == isinstance(found, type), f"{what} is {found!r}, without it {expected!r}")
    else:
        agree(found, expected, what, signed=True)


def promotes(exam: Examination) -> None:
    """Kernels that promote themselves."""
    if not exam.backend.promotes:
        exam.leave_out("promotes: it is False, so gradarray casts the operands")
        return
    law = "the kernels promote mixed operands and Python scalars by gradarray's rule"
    for first in exam.dtypes:
        for second in exam.dtypes:
            common = _dtypes.promote(first, second)
            if common not in exam.dtypes:
                continue
            x, y = np.array([1, 0, 2], first), np.array([1, 1, 0], second)
            with exam.law("promotes", law):
                found = exam.host(exam.kernel("add")(exam.raw(x), exam.raw(y)))
                agree(found, np.add(x, y).astype(common), f"add of {first} and {second}")
        for number in (True, 2, 2.5, 1 + 2j):
            common = _dtypes.promote_scalar(first, type(number))
            if common not in exam.dtypes or (type(number) is bool and first.kind == "b"):
                continue
            x = np.array([1, 0, 2], first)
            expected = x.astype(common) * common.type(number)
            with exam.law("promotes", law):
                agree(exam.host(exam.kernel("multiply")(exam.raw(x), number)), expected, f"{first} times {number!r}")
                agree(exam.host(exam.kernel("multiply")(number, exam.raw(x))), expected, f"{number!r} times {first}")
        if first.kind in "iu" and calls.operands(exam).summed(first).kind == first.kind:
            with exam.law("promotes", "the sum of integers is of the default integer dtype, or its unsigned sibling"):
                x = np.array([1, 0, 2], first)
                summed = calls.operands(exam).summed(first)
                found = exam.host(exam.kernel("sum")(exam.raw(x), axis=None, keepdims=False))
                agree(found, np.array(3, summed), f"the sum of {first}")
    narrow, wide = exam.real, exam.integer
    for name in ("subtract", "divide", "less", "equal", "maximum", "matmul"):
        with exam.law("promotes", law):
            x, y = np.array([1, 2, 3], wide), np.array([0.5, 4.0, 2.0], narrow)
            expected = calls.as_host(_backend.load("numpy").kernel(name)(x, y))
            expected = expected.astype(exam.available(expected.dtype))
            agree(exam.host(exam.kernel(name)(exam.raw(x), exam.raw(y))), expected, f"{name} of {wide} and {narrow}")


# --- running ---------------------------------------------------------------------------------------------------------


def quiet(exam: Examination) -> None:
    """Floating-point warnings."""
    backend = exam.backend
    largest = float(np.finfo(exam.real).max)
    cases: tuple[tuple[str, list[float], list[float] | None], ...] = (
        ("divide", [1.0, 0.0, -1.0], [0.0, 0.0, 0.0]),
        ("remainder", [1.0], [0.0]),
        ("multiply", [largest, 0.0], [10.0, inf]),
        ("subtract", [inf], [inf]),
        ("pow", [0.0, largest], [-1.0, 2.0]),
        ("log", [0.0, -1.0], None),
        ("sqrt", [-1.0], None),
        ("exp", [1e5, -1e5], None),
        ("acos", [2.0], None),
        ("reciprocal", [0.0], None),
        ("sum", [inf, -inf], None),
    )
    for name, *lists in cases:
        with exam.law("quiet", "floating-point warnings are silent"):
            operands = [exam.raw(values, exam.real) for values in lists if values is not None]
            kernel = exam.kernel(name)
            with np.errstate(all="warn"), warnings.catch_warnings():
                warnings.simplefilter("error")
                with backend.quiet(), backend.quiet():
                    exam.host(kernel(*operands))
    with exam.law("quiet", "it ends with its block"), np.errstate(all="warn"):
        before = np.geterr()
        with backend.quiet():
            pass
        expect(np.geterr() == before, f"NumPy's settings were {before}, afterwards {np.geterr()}")


def compute(exam: Examination) -> None:
    """Deferred values."""
    backend = exam.backend
    first, second = exam.raw([1.0, 2.0], exam.real), exam.raw(3, exam.integer)
    with exam.law("compute", "the values, one for each array; the arrays themselves where nothing is lazy"):
        for arrays in ((first, second), (first,), ()):
            found = backend.compute(*arrays)
            expect(isinstance(found, tuple) and len(found) == len(arrays), f"of {len(arrays)} arrays it is {found!r}")
            for one, raw in zip(found, arrays, strict=True):
                expect(backend.is_lazy or one is raw, "an array comes back as another object")
                agree(exam.host(one), exam.host(raw), "a computed array")


#: Special functions of one element that libraries have, and points on both sides of the edges of their domains.
_SPECIAL = (
    "cbrt dawsn entr erf erfc erfcx erfi erfinv exp1 exp10 exp2 expi expit gamma gammaln i0 i0e i1 i1e j0 j1 k0 k0e k1 "
    "k1e log_expit log_ndtr logit ndtr ndtri psi rgamma sinc y0 y1"
).split()
_POINTS = [0.3, 0.8, 1.0, 1.7, 6.2, 30.0, 0.0, -0.4, -1.0, -3.6, -40.0, inf, -inf, nan]


def scipy(exam: Examination) -> None:
    """The library's own functions in the place of SciPy's."""
    with exam.law("scipy", "None for what the library does not have"):
        expect(exam.backend.scipy("special.there_is_no_such_function") is None, "it is there")
    try:
        import scipy.special
    except ImportError:
        exam.leave_out("values of the library's own special functions: SciPy is not installed")
        return
    for dtype in [dtype for dtype in exam.of_kind("f") if dtype.itemsize >= 4]:
        for name in _SPECIAL:
            own = exam.backend.scipy(f"special.{name}")
            if own is None:
                continue
            at = np.asarray(_POINTS, dtype)
            with exam.law("scipy", "SciPy's values to the precision of the dtype, special cases included"):
                with exam.backend.quiet(), np.errstate(all="ignore"):
                    found = exam.host(own(exam.raw(at)))
                    expected = getattr(scipy.special, name)(at)
                expect(found.dtype == dtype, f"{name} of {dtype} is {found.dtype}")
                agree(found, expected, f"{name} of {dtype}", units=64)


LAWS = (existence, values, wrap, constant, promotes, quiet, scipy, compute)
