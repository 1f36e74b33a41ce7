"""Laws of where arrays lie, of their data types, and of what a backend says of itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _dtypes
from ..._backend import Backend
from ..._errors import DTypeError
from ..._operations import OPERATIONS
from .examination import Examination, agree, expect


def identity(exam: Examination) -> None:
    """Name, class of arrays, and flags."""
    backend = exam.backend
    with exam.law("name", "a non-empty name without a colon, in front of the colon of a device"):
        name = backend.name
        expect(isinstance(name, str) and name and ":" not in name, f"the name is {name!r}")
        expect(name not in ("cpu", "cuda"), f"{name!r} names a device of NumPy's or CuPy's backend")
    with exam.law("array_type", "the class of raw arrays"):
        expect(isinstance(backend.array_type, type), f"array_type is {backend.array_type!r}, not a class")
        raw = exam.raw([1.0, 2.0], exam.real)
        expect(type(raw) is backend.array_type, f"from_numpy gives {type(raw)!r}, array_type is {backend.array_type!r}")
    for flag in ("promotes", "immutable", "reverses", "is_lazy"):
        with exam.law(flag, "True or False"):
            expect(type(getattr(backend, flag)) is bool, f"{flag} is {getattr(backend, flag)!r}")
    with exam.law("constants", "a dictionary of its own"):
        expect(isinstance(vars(backend).get("constants"), dict), "Backend.__init__ was not called")


@functools.cache
def functions() -> tuple[tuple[str, str, Callable[..., Any]], ...]:
    """Every function of the standard: ``""``, ``"linalg"`` or ``"fft"``, its name, and gradarray's function."""
    import gradarray

    from ...ops import beyond  # not the standard's, and made of what is

    return tuple(
        (extension, name, getattr(namespace, name))
        for extension, namespace in (("", gradarray), ("linalg", gradarray.linalg), ("fft", gradarray.fft))
        for name in namespace.__all__
        if inspect.isfunction(function := getattr(namespace, name))
        and function in OPERATIONS
        and not function.__module__.startswith(beyond.__name__)
    )


def namespace(exam: Examination) -> None:
    """The standard over raw arrays, and as derivative rules see it."""
    rules = exam.backend.rule_namespace
    for extension, name, function in functions():
        qualified = f"{extension}.{name}" if extension else name
        with exam.law("xp", "every function of the standard, with its signature"):
            home = getattr(exam.backend.xp, extension) if extension else exam.backend.xp
            _check_signature(qualified, getattr(home, name, None), function)
        with exam.law("rule_namespace", "the kernels under the names of the standard"):
            home = getattr(rules, extension) if extension else rules
            expect(callable(getattr(home, name, None)), f"there is no {qualified}")


def _check_signature(name: str, found: Any, function: Callable[..., Any]) -> None:
    expect(callable(found), f"there is no function {name}")
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # compiled functions often do not show theirs
        return
    parameters = inspect.signature(function).parameters.values()
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "requires_grad"]
    try:
        signature.bind(*positional, **dict.fromkeys(named))
    except TypeError as error:
        raise AssertionError(f"{name}{signature} does not take what the standard's function does: {error}") from None


class _Stranger:
    """An object whose comparisons fail."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not to be compared")

    __hash__ = None  # type: ignore[assignment]


def places(exam: Examination) -> None:
    """Places, and the library's own words for them."""
    backend = exam.backend
    with exam.law("devices", "never empty, always the same, each place once"):
        found = backend.devices()
        expect(isinstance(found, tuple) and found, f"devices() is {found!r}")
        expect(backend.devices() == found, f"devices() was {found!r}, then {backend.devices()!r}")
        expect(len(set(found)) == len(found), f"devices() names a place twice: {found!r}")
    with exam.law("devices", "pairs of a type without a colon and an index or None"):
        kind, index = exam.place
        expect(isinstance(kind, str) and kind and ":" not in kind, f"the type of {exam.place!r} is no name")
        expect(index is None or (type(index) is int and index >= 0), f"the index of {exam.place!r} is no index")
    with exam.law("raw_device", "recognize(raw_device(place)) == place"):
        device = backend.raw_device(exam.place)
        found_place = backend.recognize(device)
        expect(found_place == exam.place, f"recognize({device!r}) is {found_place!r}, expected {exam.place!r}")
    for stranger in (None, object(), 3.5, _Stranger()):
        with exam.law("recognize", "None for anything that is no device of the library"):
            found_place = backend.recognize(stranger)
            expect(found_place is None, f"recognize({type(stranger).__name__} object) is {found_place!r}")
    for shape in ((), (2, 3), (0,)):
        with exam.law("place_of", "where the array was made"):
            _lies_here(exam, f"from_numpy at {exam.place!r}", exam.raw(np.ones(shape), exam.real))
    with exam.law("place_of", "where the array was made"):
        device = backend.raw_device(exam.place)
        raw = exam.kernel("zeros")((2,), dtype=exam.real, device=device)
        _lies_here(exam, f"zeros(..., device={device!r})", raw)
        _lies_here(exam, "the sum of two arrays there", exam.kernel("add")(raw, raw))


def _lies_here(exam: Examination, what: str, raw: Any) -> None:
    place = exam.backend.place_of(raw)
    expect(place == exam.place, f"place_of {what} is {place!r}, expected {exam.place!r}")
    expect(place in exam.backend.devices(), f"place_of {what} is {place!r}, which is not one of devices()")


def dtypes(exam: Examination) -> None:
    """Data types, both ways."""
    backend = exam.backend
    with exam.law("dtypes", "some of gradarray's data types, each once"):
        found = backend.dtypes(exam.place)
        expect(isinstance(found, tuple) and len(set(found)) == len(found), f"dtypes(place) is {found!r}")
        expect(set(found) <= _dtypes.SUPPORTED, f"{set(found) - _dtypes.SUPPORTED!r} are not gradarray's")
        expect(_dtypes.bool in found, f"dtypes(place) has no bool: {found!r}")
    for missing in _dtypes.STANDARD:
        if missing not in exam.dtypes:
            exam.leave_out(f"every check with {missing}, which is not in dtypes(place)")
    with exam.law("default_dtypes", "one for each of the standard's kinds, of those here"):
        _check_defaults(exam, backend.default_dtypes(exam.place))
    for dtype in exam.dtypes:
        with exam.law("raw_dtype", "dtype(raw_dtype(d)) == d"):
            back = backend.dtype(backend.raw_dtype(dtype))
            expect(isinstance(back, np.dtype) and back == dtype, f"{dtype} comes back as {back!r}")
        with exam.law("dtype", "the dtype of arrays made with it"):
            raw = exam.raw([1, 0], dtype)
            expect(backend.dtype(raw.dtype) == dtype, f"dtype of an array of {dtype} is {backend.dtype(raw.dtype)!r}")
            again = backend.raw_dtype(backend.dtype(raw.dtype))
            expect(again == raw.dtype, f"raw_dtype(dtype(raw.dtype)) is {again!r}, expected {raw.dtype!r}")
            agree(exam.host(raw), np.array([1, 0], dtype), f"an array of {dtype}")
        with exam.law("kernel('ones')", "creation functions take gradarray's dtypes"):
            ones = exam.kernel("ones")((2,), dtype=dtype, device=backend.raw_device(exam.place))
            agree(exam.host(ones), np.ones(2, dtype), f"ones of {dtype}")
    somewhere = {dtype for place in backend.devices() for dtype in backend.dtypes(place)}
    for dtype in sorted(_dtypes.SUPPORTED - somewhere, key=str):
        with exam.law("raw_dtype", "DTypeError where the library has none"):
            _check_missing(backend, dtype)


def _check_defaults(exam: Examination, found: dict[str, Any]) -> None:
    for kind, letter in (("real floating", "f"), ("complex floating", "c"), ("integral", "i"), ("indexing", "i")):
        if kind not in found and not exam.of_kind(letter):
            continue
        expect(kind in found, f"there is no default for {kind!r}: {found!r}")
        dtype = found[kind]
        expect(np.dtype(dtype).kind == letter, f"the default for {kind!r} is {dtype}")
        if exam.of_kind(letter):
            expect(dtype in exam.dtypes, f"the default for {kind!r}, {dtype}, is not one of dtypes(place)")


def _check_missing(backend: Backend, dtype: Any) -> None:
    try:
        raw = backend.raw_dtype(dtype)
    except DTypeError:
        return
    # The library may know the data type without a place that has it.
    expect(backend.dtype(raw) == dtype, f"raw_dtype({dtype}) is {raw!r}, which is {backend.dtype(raw)!r}")


LAWS = (identity, namespace, places, dtypes)
