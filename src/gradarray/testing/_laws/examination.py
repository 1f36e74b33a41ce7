"""One place of a backend under examination: how its arrays are made and read, and what came of each check."""

from __future__ import annotations

import functools
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ... import _backend, _dispatch, _dtypes
from ..._array import Array
from ..._devices import Device
from ..._dtypes import DType

HostArray = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Failure:
    """A law that did not hold: at which place, of which member, and what was seen."""

    place: str
    member: str
    law: str
    seen: str


class Examination:
    """What the laws need to know of one place, and what they found out there.

    Attributes
    ----------
    backend, device, place
        What is examined.
    dtypes : tuple of dtype
        The data types that arrays can have here.
    real, integer : dtype
        The default data types here.
    complex : dtype or None
        The default complex data type; None where there is none.
    checks : Counter
        The number of checks for each member.
    left_out : list of str
        What could not be checked here, and why.
    failures : list of Failure
        The laws that did not hold.
    """

    def __init__(self, backend: _backend.Backend, device: Device) -> None:
        self.backend = backend
        self.device = device
        self.place = (device.type, device.index)
        self.name = device.type if device.index is None else f"{device.type}:{device.index}"
        self.checks: Counter[str] = Counter()
        self.left_out: list[str] = []
        self.failures: list[Failure] = []
        self.dtypes: tuple[DType, ...] = _dtypes.STANDARD
        defaults = _dtypes.DEFAULTS
        with self.law("dtypes", "it answers"):
            self.dtypes = tuple(backend.dtypes(self.place))
        with self.law("default_dtypes", "it answers"):
            defaults = {**defaults, **backend.default_dtypes(self.place)}
        self.real = self.available(defaults["real floating"])
        self.integer = self.available(defaults["integral"])
        self.index = self.available(defaults["indexing"])
        self.complex = self.available(defaults["complex floating"]) if self.of_kind("c") else None

    # --- outcomes ----------------------------------------------------------------------------------------------------

    @contextmanager
    def law(self, member: str, law: str) -> Iterator[None]:
        """Count the check in the block, and collect its failure: every exception is one."""
        self.checks[member] += 1
        try:
            yield
        except Exception as error:
            self._fail(member, law, error)

    def attempt(self, check: Callable[[Examination], None]) -> None:
        """Make the checks of a function; where what they have in common fails, that is collected."""
        try:
            check(self)
        except Exception as error:
            self._fail(check.__name__, "its checks can be made", error)

    def _fail(self, member: str, law: str, error: Exception) -> None:
        seen = str(error) if isinstance(error, AssertionError) else f"{_described(error)}{_location(error)}"
        self.failures.append(Failure(self.name, member, law, seen))

    def leave_out(self, what: str) -> None:
        """Note, once, what was not checked."""
        if what not in self.left_out:
            self.left_out.append(what)

    # --- data types --------------------------------------------------------------------------------------------------

    def of_kind(self, kinds: str) -> list[DType]:
        """The data types here whose NumPy kind is one of the letters."""
        return [dtype for dtype in self.dtypes if dtype.kind in kinds]

    def available(self, dtype: DType) -> DType:
        """`dtype`, or the widest one of its kind if there is none here."""
        there = self.of_kind(dtype.kind)
        return dtype if dtype in there or not there else max(there, key=lambda other: other.itemsize)

    # --- arrays ------------------------------------------------------------------------------------------------------

    def raw(self, values: Any, dtype: DType | None = None) -> Any:
        """A raw array here, with memory of its own."""
        return self.backend.from_numpy(np.array(values, dtype), self.place, copy=True)

    def host(self, raw: Any) -> HostArray:
        """The values of a raw array, in memory of their own."""
        return np.array(self.backend.to_numpy(*self.backend.compute(raw), copy=None), copy=True)

    def array(self, values: Any, dtype: DType | None = None) -> Array:
        """A gradarray array here."""
        return _dispatch.wrap(self.raw(values, dtype), self.device)

    def kernel(self, name: str) -> Callable[..., Any]:
        """The kernel of the given name; its results are made raw arrays, as dispatch does."""
        kernel = self.backend.kernel(name)

        def run(*args: Any, **keywords: Any) -> Any:
            return self.wrapped(kernel(*args, **keywords))

        return run

    def wrapped(self, result: Any) -> Any:
        """A kernel's result as a raw array; several as a tuple of them."""
        if type(result) is self.backend.array_type:
            return result
        if isinstance(result, (tuple, list)):
            return tuple(self.wrapped(part) for part in result)
        return self.backend.wrap(result)

    def writable(self, raw: Any) -> bool:
        """Whether a raw array can be written in place."""
        return not self.backend.immutable and bool(self.backend.is_writable(raw))

    @functools.cached_property
    def mutable(self) -> bool:
        """Whether the library has arrays that can be written at all."""
        mutable = self.writable(self.raw([1.0, 2.0], self.real))
        if not mutable:
            why = "the backend is immutable" if self.backend.immutable else "is_writable is False for a fresh array"
            self.leave_out(f"every check that writes raw arrays: {why}")
        return mutable

    def views(self, raw: Any) -> list[tuple[str, Any]]:
        """Arrays that a library may make views of a raw array of shape (2, 3), each with its name."""
        kernel = self.kernel
        made = [
            ("x[1:, ::2]", kernel("getitem")(raw, key=(slice(1, None), slice(None, None, 2)))),
            ("x[..., 0]", kernel("getitem")(raw, key=(..., 0))),
            ("x[1, 2, ...]", kernel("getitem")(raw, key=(1, 2, ...))),
            ("reshape(x, (3, 2))", kernel("reshape")(raw, shape=(3, 2))),
            ("permute_dims(x, (1, 0))", kernel("permute_dims")(raw, axes=(1, 0))),
            ("matrix_transpose(x)", kernel("matrix_transpose")(raw)),
            ("expand_dims(x, 0)", kernel("expand_dims")(raw, axis=0)),
            ("flip(x, 1)", kernel("flip")(raw, axis=1)),
            ("diagonal(x)", kernel("diagonal")(raw, offset=0)),
            ("broadcast_to(x, (2, 2, 3))", kernel("broadcast_to")(raw, shape=(2, 2, 3))),
        ]
        name, view = made[3]
        return [*made, (f"{name}[0]", kernel("getitem")(view, key=(0, ...)))]


# --- comparison ------------------------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """A value as it stands in a message."""
    if isinstance(value, np.ndarray):
        text = np.array2string(value, threshold=30, max_line_width=10_000, separator=", ").replace("\n", "")
        return f"{text} ({value.dtype}, shape {value.shape})"
    return repr(value)


def expect(holds: Any, text: str) -> None:
    """Fail with the text unless the condition holds."""
    if not holds:
        raise AssertionError(text)


def agree(
    found: HostArray, expected: HostArray, what: object = "the result", *, units: float = 0.0, signed: bool = False
) -> None:
    """Fail unless shape, dtype and values are the expected ones.

    Values may differ by so many units of the dtype's precision, relative to the largest. NaN agrees with NaN; with
    `signed`, 0 does not agree with -0.
    """
    alike = found.shape == expected.shape and found.dtype == expected.dtype
    # The common case first: there are thousands of comparisons, and most results are the same bit for bit.
    if alike and found.tobytes() == expected.tobytes():
        return
    if not (alike and _close(found, expected, units)):
        raise AssertionError(f"{what} is {shown(found)}, expected {shown(expected)}")
    if signed and expected.dtype.kind == "f":
        zero = expected == 0
        if not np.array_equal(np.signbit(found[zero]), np.signbit(expected[zero])):
            raise AssertionError(f"{what} is {shown(found)}, expected {shown(expected)}: a zero has another sign")


def _close(found: HostArray, expected: HostArray, units: float) -> bool:
    if expected.dtype.kind not in "fc":
        return bool(np.array_equal(found, expected))
    if not units:
        return bool(np.array_equal(found, expected, equal_nan=True))
    finite = np.abs(expected[np.isfinite(expected)])
    tolerance = units * float(np.finfo(expected.dtype).eps) * max(1.0, float(np.max(finite, initial=0.0)))
    return bool(np.allclose(found, expected, rtol=0.0, atol=tolerance, equal_nan=True))


def outcome(function: Callable[[], Any]) -> Any:
    """What a call returns, or the class of what it raises."""
    try:
        return function()
    except Exception as error:
        return type(error)


def _described(error: Exception) -> str:
    doing = "".join(f"{note} " for note in reversed(getattr(error, "__notes__", ())))
    text = str(error).strip().replace("\n", "; ")
    return f"{doing}raised {type(error).__name__}{': ' if text else ''}{text}"


def _location(error: Exception) -> str:
    """Where an error was raised, as the author of a backend would look for it: outside of this package."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not frame.f_code.co_filename.startswith(_HERE):
            found = f" ({Path(frame.f_code.co_filename).name}, line {line})"
    return found


_HERE = str(Path(__file__).parent.parent)
