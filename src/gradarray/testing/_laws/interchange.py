"""Laws of what crosses the border: NumPy arrays, DLPack, copies and moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._errors import CopyRequiredError
from .examination import Examination, HostArray, agree, expect

_SHARED = "shares memory only where writes are seen both ways"
_OWN = "never shares memory if copy is True"
_REFUSED = "CopyRequiredError if copy is False and it cannot"


class _Subclass(np.ndarray[Any, Any]):
    """A subclass of NumPy's array, such as a matrix or a masked array."""


def _layouts() -> Iterator[tuple[str, HostArray]]:
    """NumPy arrays as users have them; all but the first three have their memory in an unusual order."""
    whole = np.arange(12.0).reshape(3, 4)
    yield "a whole array", np.arange(6.0).reshape(2, 3)
    yield "a 0-d array", np.array(2.5)
    yield "an empty array", np.zeros((0, 3))
    yield "a transposed array", whole.T
    yield "a reversed array", whole[::-1, ::-2]
    yield "a slice with steps", whole[1:, ::2]
    yield "a stretched array", np.broadcast_to(np.arange(3.0), (2, 3))
    yield "a byte-swapped array", np.arange(3, dtype=">f8")
    yield "an array of a subclass", np.arange(3.0).view(_Subclass)


def _here(exam: Examination, array: HostArray) -> HostArray:
    """The array in the default real dtype, in its own layout where that is the dtype already."""
    if exam.real == np.float64:
        return array
    dtype = exam.real if array.dtype.isnative else exam.real.newbyteorder("S")
    copied = np.empty_like(array, dtype=dtype)
    copied[...] = array
    return copied


def from_numpy(exam: Examination) -> None:
    """NumPy's arrays become raw ones."""
    backend, place = exam.backend, exam.place
    for name, array in _layouts():
        array = _here(exam, array)
        expected = np.array(array, exam.real, subok=False)
        for copied in (None, True):
            with exam.law("from_numpy", "the values of the NumPy array"):
                raw = backend.from_numpy(array, place, copy=copied)
                expect(type(raw) is backend.array_type, f"{name} becomes a {type(raw)!r}")
                agree(exam.host(raw), expected, f"{name} with copy={copied}")
                expect(backend.place_of(raw) == place, f"{name} comes to {backend.place_of(raw)!r}")
        with exam.law("from_numpy", _REFUSED):
            raw = _unless_refused(lambda array=array: backend.from_numpy(array, place, copy=False))
            if raw is not None:
                agree(exam.host(raw), expected, f"{name} with copy=False")
    for name, array in list(_layouts())[:6]:
        array = _here(exam, array)
        if not array.size:
            continue
        for copied, law in ((True, _OWN), (None, _SHARED), (False, _SHARED)):
            with exam.law("from_numpy", law):
                mine = array.copy(order="K")
                raw = _unless_refused(lambda mine=mine, copied=copied: backend.from_numpy(mine, place, copy=copied))
                if raw is not None:
                    _check_sharing(exam, raw, mine, copied, f"{name} given with copy={copied}")
    with exam.law("from_numpy", "read-only memory is not written"):
        mine = np.arange(3.0).astype(exam.real)
        view = mine.view()
        view.flags.writeable = False
        raw = backend.from_numpy(view, place, copy=None)
        if exam.writable(raw):
            backend.write(raw, ..., 9.0)
            agree(mine, np.arange(3.0).astype(exam.real), "the read-only memory after a write into the raw array")


def _unless_refused(make: Any) -> Any:
    try:
        return make()
    except CopyRequiredError:
        return None


def _check_sharing(exam: Examination, raw: Any, array: HostArray, copied: bool | None, what: str) -> None:
    """Writes on either side are seen on both, or on neither; on neither with copy=True, on both with False."""
    before = np.array(array)
    seen = []
    if array.flags.writeable:
        array[...] = 7
        seen.append(("a write into the NumPy array", "the raw array", not _same(exam.host(raw), before)))
        array[...] = before
    if exam.writable(raw):
        exam.backend.write(raw, ..., 5)
        seen.append(("a write into the raw array", "the NumPy array", not _same(array, before)))
    for written, other, changed in seen:
        if copied is True:
            expect(not changed, f"{what}: {written} is seen in {other}")
        elif copied is False:
            expect(changed, f"{what}: {written} is not seen in {other}")
    if copied is None and len(seen) == 2:
        expect(seen[0][2] == seen[1][2], f"{what}: {seen[0][0]} is seen: {seen[0][2]}; {seen[1][0]}: {seen[1][2]}")
    if array.flags.writeable and not exam.writable(raw):
        expect(not seen[0][2], f"{what}: {seen[0][0]} changes the raw array, which cannot be written itself")


def _same(first: HostArray, second: HostArray) -> bool:
    return first.shape == second.shape and bool(np.array_equal(first, second))


def to_numpy(exam: Examination) -> None:
    """Raw arrays become NumPy's."""
    backend = exam.backend
    for dtype in exam.dtypes:
        for shape in ((), (2, 3), (0, 2)):
            expected = np.ones(shape, dtype)
            for copied in (None, True):
                with exam.law("to_numpy", "the values of the raw array"):
                    array = backend.to_numpy(exam.raw(expected), copy=copied)
                    expect(isinstance(array, np.ndarray), f"a {type(array)!r} comes out")
                    agree(array, expected, f"an array of {dtype} with copy={copied}")
    values = np.arange(6.0).reshape(2, 3).astype(exam.real)
    with exam.law("to_numpy", _REFUSED):
        array = _unless_refused(lambda: backend.to_numpy(exam.raw(values), copy=False))
        if array is not None:
            agree(array, values, "an array with copy=False")
    for copied, law in ((True, _OWN), (None, _SHARED), (False, _SHARED)):
        with exam.law("to_numpy", law):
            raw = exam.raw(values)
            array = _unless_refused(lambda raw=raw, copied=copied: backend.to_numpy(raw, copy=copied))
            if array is not None:
                _check_sharing(exam, raw, array, copied, f"an array taken with copy={copied}")
    with exam.law("to_numpy", "a copy can be written"):
        expect(backend.to_numpy(exam.raw(values), copy=True).flags.writeable, "the copy is read-only")
    for name, view in exam.views(exam.raw(values)):
        with exam.law("to_numpy", "the values of the raw array"):
            agree(
                backend.to_numpy(view, copy=True), np.array(backend.to_numpy(backend.copy(view), copy=None)), f"{name}"
            )


class _Exported:
    """A raw array as another library's consumer sees it: with nothing but DLPack's two methods."""

    def __init__(self, exam: Examination, raw: Any) -> None:
        self._exam = exam
        self._raw = raw

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self._raw.__dlpack_device__()
        return int(kind), int(number)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self._exam.backend.to_dlpack(self._raw, **keywords)


class _Producer:
    """A NumPy array with nothing but DLPack's two methods, such as another library's array."""

    def __init__(self, array: HostArray) -> None:
        self._array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self._array.__dlpack_device__()
        return int(kind), int(number)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self._array.__dlpack__(**keywords)


def dlpack(exam: Examination) -> None:
    """Import and export without NumPy's protocols."""
    backend = exam.backend
    values = np.arange(6.0).reshape(2, 3).astype(exam.real)
    try:
        host = _Exported(exam, exam.raw(values)).__dlpack_device__()[0] == 1
    except Exception as error:
        exam.leave_out(f"to_dlpack and from_dlpack: arrays do not say where they lie ({type(error).__name__})")
        return
    for dtype in exam.dtypes:
        expected = np.ones((2, 2), dtype)
        with exam.law("to_dlpack", "from_dlpack(to_dlpack(x)) has the values of x"):
            try:
                back = backend.from_dlpack(_Exported(exam, exam.raw(expected)), exam.place, copy=None)
            except BufferError as error:
                exam.leave_out(f"to_dlpack of {dtype}, which is refused: {error}")
                continue
            expect(type(back) is backend.array_type, f"a {type(back)!r} comes back")
            agree(exam.host(back), expected, f"an array of {dtype} that went out and came back")
            expect(backend.place_of(back) == exam.place, f"it comes back to {backend.place_of(back)!r}")
    if not host:
        exam.leave_out("DLPack with NumPy: the memory is not the host's")
        return
    _imports(exam, values)
    _exports(exam, values)


def _imports(exam: Examination, values: HostArray) -> None:
    backend = exam.backend
    for place in (exam.place, None):
        for copied, law in ((True, _OWN), (None, _SHARED), (False, _SHARED)):
            with exam.law("from_dlpack", law):
                mine = values.copy()
                try:
                    raw = backend.from_dlpack(_Producer(mine), place, copy=copied)
                except (BufferError, ValueError) as error:
                    expect(copied is False, f"with copy={copied} it raised {type(error).__name__}: {error}")
                    continue
                agree(exam.host(raw), values, f"an import with copy={copied}")
                expect(type(raw) is backend.array_type, f"a {type(raw)!r} comes in")
                if place is not None:
                    expect(backend.place_of(raw) == place, f"the import comes to {backend.place_of(raw)!r}")
                _check_sharing(exam, raw, mine, copied, f"an import with copy={copied}")
    for name, array in list(_layouts())[1:6]:
        # Some libraries end the process when they are handed a negative stride.
        if min(array.strides, default=0) < 0:
            continue
        with exam.law("from_dlpack", "the values of the other library's array"):
            array = _here(exam, array)
            agree(exam.host(backend.from_dlpack(_Producer(array), exam.place, copy=None)), array, name)


def _exports(exam: Examination, values: HostArray) -> None:
    backend = exam.backend
    for name, view in [("a whole array", exam.raw(values)), *exam.views(exam.raw(values))]:
        with exam.law("to_dlpack", "another library reads the values"):
            try:
                taken = np.from_dlpack(_Exported(exam, view))
            except BufferError as error:
                exam.leave_out(f"to_dlpack of {name}, which is refused: {error}")
                continue
            agree(np.array(taken), exam.host(view), name)
            expect(min(taken.strides, default=0) >= 0, f"{name} goes out with negative strides {taken.strides}")
        with exam.law("to_dlpack", "BufferError rather than a silent copy where copy=False"):
            try:
                taken = np.from_dlpack(_Exported(exam, view), copy=False)
            except (BufferError, ValueError):
                continue
            if exam.writable(view):
                backend.write(view, ..., 8)
                agree(np.array(taken), np.full(taken.shape, 8, taken.dtype), f"{name} after a write, taken with False")
    with exam.law("to_dlpack", "it takes the keywords that a consumer gives, and none that it does not"):
        raw = exam.raw(values)
        for keywords in ({}, {"max_version": (1, 0)}, {"copy": True}, {"max_version": (1, 0), "copy": True}):
            expect(backend.to_dlpack(raw, **keywords) is not None, f"no capsule for {keywords}")


def copy(exam: Examination) -> None:
    """Copies have memory of their own."""
    backend = exam.backend
    values = np.arange(6.0).reshape(2, 3).astype(exam.real)
    for dtype in exam.dtypes:
        with exam.law("copy", "the same values, data type and place"):
            expected = np.array([[0, 1], [1, 1]], dtype)
            copied = backend.copy(exam.raw(expected))
            expect(type(copied) is backend.array_type, f"the copy is a {type(copied)!r}")
            agree(exam.host(copied), expected, f"the copy of an array of {dtype}")
            expect(backend.place_of(copied) == exam.place, f"the copy lies at {backend.place_of(copied)!r}")
    if not exam.mutable:
        return
    for name, view in [
        ("x", exam.raw(values)),
        ("a 0-d array", exam.raw(1.0, exam.real)),
        *exam.views(exam.raw(values)),
    ]:
        with exam.law("copy", "writes to one are never seen by the other"):
            before = exam.host(view)
            copied = backend.copy(view)
            expect(exam.writable(copied), f"the copy of {name} cannot be written")
            backend.write(copied, ..., 9)
            agree(exam.host(view), before, f"{name} after a write into its copy")
            copied = backend.copy(view)
            if exam.writable(view):
                backend.write(view, ..., 7)
                agree(exam.host(copied), before, f"the copy of {name} after a write into {name}")
            expect(not backend.shares_memory(copied, view), f"shares_memory({name}, its copy) is True")


def move(exam: Examination) -> None:
    """Moves between the places of the backend."""
    backend = exam.backend
    raw = exam.raw([1.0, 2.0], exam.real)
    with exam.law("move", "the array itself if it lies there already"):
        expect(backend.move(raw, exam.place) is raw, f"move(x, {exam.place!r}) is another object")
    if len(backend.devices()) == 1:
        exam.leave_out("move to another place: there is only one")
    for place in backend.devices():
        if place == exam.place:
            continue
        for dtype in (d for d in exam.dtypes if d in backend.dtypes(place)):
            with exam.law("move", "the values at another place of the same backend"):
                expected = np.array([[1, 0], [1, 1]], dtype)
                raw = exam.raw(expected)
                moved = backend.move(raw, place)
                expect(type(moved) is backend.array_type, f"a {type(moved)!r} comes to {place!r}")
                found = backend.place_of(moved)
                expect(found == place, f"an array moved to {place!r} lies at {found!r}")
                agree(exam.host(moved), expected, f"an array of {dtype} moved to {place!r}")
                expect(backend.place_of(raw) == exam.place, f"the array itself went to {backend.place_of(raw)!r}")


LAWS = (from_numpy, to_numpy, dlpack, copy, move)
