"""Laws of memory: who owns it, who shares it, and what a write changes."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from .examination import Examination, HostArray, agree, expect

_VALUES = np.arange(6.0).reshape(2, 3)


def _values(exam: Examination) -> HostArray:
    return _VALUES.astype(exam.real)


def _shares(exam: Examination, first: Any, second: Any) -> bool:
    """Whether a write into the first array is seen in the second: what sharing means, whoever owns what."""
    before = exam.host(second)
    kept = exam.host(first)
    exam.backend.write(first, ..., 1000.0)
    changed = not np.array_equal(exam.host(second), before)
    exam.backend.write(first, ..., exam.raw(kept))
    return changed


# --- who owns --------------------------------------------------------------------------------------------------------


def owner(exam: Examination) -> None:
    """Owners of memory, and `shares_memory`, compared with what writes show."""
    backend = exam.backend
    mutable = exam.mutable
    raw = exam.raw(_values(exam))
    with exam.law("owner", "the same object each time"):
        expect(backend.owner(raw) is backend.owner(raw), "two calls give two objects")
        expect(backend.shares_memory(raw, raw), "shares_memory(x, x) is False")
    if mutable:
        with exam.law("owner", "an object that a weak reference can be made of: the ledger of writes holds one"):
            weakref.ref(backend.owner(raw))
    other = exam.raw(_values(exam))
    with exam.law("shares_memory", "False for arrays with memory of their own"):
        expect(not backend.shares_memory(raw, other), "it is True for two arrays made apart")
        expect(backend.owner(raw) is not backend.owner(other), "two arrays made apart have one owner")
    if not mutable:
        return
    shared = []
    for name, view in exam.views(raw):
        # What follows from writes alone: neither `owner` nor `is_writable` is asked.
        really = _shares(exam, raw, view)
        if really:
            shared.append((name, view))
        with exam.law("owner", "the same object for every view of one buffer"):
            same = backend.owner(view) is backend.owner(raw)
            seen = "is seen" if really else "is not seen"
            expect(same == really, f"a write into x {seen} in {name}, but owner({name}) is owner(x) is {same}")
        with exam.law("shares_memory", "whether two arrays belong to one buffer"):
            for found in (backend.shares_memory(view, raw), backend.shares_memory(raw, view)):
                expect(found == really, f"a write into x {seen} in {name}, but shares_memory says {found}")
    for (name, view), (other_name, other_view) in pairwise(shared):
        with exam.law("shares_memory", "whether two arrays belong to one buffer"):
            expect(backend.shares_memory(view, other_view), f"it is False for {name} and {other_name}, both views of x")
    with exam.law("reverses", "whether a slice with a negative step is a view"):
        backwards = exam.kernel("getitem")(raw, key=(slice(None), slice(None, None, -1)))
        stated, really = backend.reverses, _shares(exam, raw, backwards)
        expect(stated is really, f"it is {stated}, but that a write into x is seen in x[:, ::-1] is {really}")
    if not shared:
        exam.leave_out("laws of views: the library makes none")


def is_owner(exam: Examination) -> None:
    """Arrays that own their buffer."""
    backend = exam.backend
    raw = exam.raw(_values(exam))
    with exam.law("is_owner", "True or False"):
        expect(type(backend.is_owner(raw)) is bool, f"it answers {backend.is_owner(raw)!r}")
    for name, view in exam.views(raw):
        with exam.law("is_owner", "True only if nothing but the array and its views holds the buffer"):
            if backend.is_owner(view):
                expect(not backend.shares_memory(view, raw), f"it is True for {name}, whose buffer x holds too")
    mine = _values(exam)
    with exam.law("is_owner", "True only if nothing but the array and its views holds the buffer"):
        shared = backend.from_numpy(mine.reshape(3, 2), exam.place, copy=None)
        if backend.is_owner(shared):
            mine[...] = 7
            text = "it is True for an array that shares the memory of a NumPy array"
            expect(not np.array_equal(exam.host(shared), mine.reshape(3, 2)), text)
    if not backend.is_owner(raw):
        exam.leave_out("is_owner: it is False for a fresh array, so none is known to be seen by nobody else")


def references(exam: Examination) -> None:
    """Counts of references."""
    backend = exam.backend
    raw = exam.raw(_values(exam))
    alone = _count(exam, raw)
    if alone is None:
        with exam.law("references", "None where that is not known, whatever the array"):
            found = backend.references(exam.raw(1.0, exam.real))
            expect(found is None, f"it is {found} for another array")
        exam.leave_out("references: it answers None, so no array is known to be seen by nobody else")
        return
    law = "one more for every holder of the array and, if it owns its buffer, of a view of it"
    with exam.law("references", law):
        _expect_count(alone, _count(exam, raw), "when asked again")
        holders = [raw]
        _expect_count(alone + 1, _count(exam, raw), "with one more holder")
        holders.append(raw)
        _expect_count(alone + 2, _count(exam, raw), "with two more holders")
        del holders
        _expect_count(alone, _count(exam, raw), "after the holders are gone")
    if not backend.is_owner(raw):
        return
    with exam.law("references", law):
        view = exam.kernel("reshape")(raw, shape=(6,))
        if backend.shares_memory(view, raw):
            _expect_count(alone + 1, _count(exam, raw), "with a view")
            view = exam.kernel("getitem")(view, key=slice(1, 3))
            _expect_count(alone + 1, _count(exam, raw), "with a view of a view")
        del view
        _expect_count(alone, _count(exam, raw), "after the view is gone")


def _count(exam: Examination, raw: Any) -> int | None:
    # Every count is taken here: what the interpreter itself holds is then the same each time.
    return exam.backend.references(raw)


def _expect_count(expected: int, found: int | None, when: str) -> None:
    expect(found == expected, f"{when} it is {found}, expected {expected}")


# --- what a write changes --------------------------------------------------------------------------------------------


def is_writable(exam: Examination) -> None:
    """Arrays that may be written, compared with what a write to one element changes."""
    backend = exam.backend
    raw = exam.raw(_values(exam))
    with exam.law("is_writable", "True or False"):
        expect(type(backend.is_writable(raw)) is bool, f"it answers {backend.is_writable(raw)!r}")
    if not exam.mutable:
        return
    for dtype in exam.dtypes:
        with exam.law("is_writable", "whether write may be called"):
            for shape in ((2, 3), (), (0, 3)):
                expect(exam.writable(exam.raw(np.ones(shape), dtype)), f"it is False for a fresh {dtype} array {shape}")
    stretched = [
        ("broadcast_to(x, (2, 2, 3))", exam.kernel("broadcast_to")(raw, shape=(2, 2, 3))),
        ("broadcast_to(x[:1], (4, 3))", _stretched(exam, raw)),
        ("broadcast_to(x[0, 0], (2,))", _stretched(exam, raw, scalar=True)),
    ]
    for name, view in [*stretched, *exam.views(raw)]:
        with exam.law("is_writable", "False for read-only memory and for stretched views"):
            if exam.writable(view):
                _check_one_element(exam, name, view)
    with exam.law("is_writable", "False for read-only memory and for stretched views"):
        array = np.broadcast_to(np.arange(3.0).astype(exam.real), (2, 3))
        shared = backend.from_numpy(array, exam.place, copy=None)
        if exam.writable(shared):
            _check_one_element(exam, "an array made from a stretched NumPy array", shared)


def _stretched(exam: Examination, raw: Any, *, scalar: bool = False) -> Any:
    key, shape = ((0, 0, ...), (2,)) if scalar else ((slice(0, 1), ...), (4, 3))
    return exam.kernel("broadcast_to")(exam.kernel("getitem")(raw, key=key), shape=shape)


def _check_one_element(exam: Examination, name: str, view: Any) -> None:
    before = exam.host(view)
    if not before.size:
        return
    expected = before.copy()
    expected.flat[0] = 77
    exam.backend.write(view, (0,) * before.ndim, 77.0)
    agree(exam.host(view), expected, f"{name}, said to be writable, after a write into one element")
    exam.backend.write(view, (0,) * before.ndim, float(before.flat[0]))


def _keys() -> Iterator[tuple[str, Any, tuple[int, ...]]]:
    """Keys as a user writes them, with arrays as NumPy's, and a shape of values that broadcasts to what they pick."""
    yield "...", ..., (2, 3)
    yield "...", ..., (3,)
    yield "()", (), (2, 3)
    yield "1", 1, (3,)
    yield "-1", -1, ()
    yield "(0, 2)", (0, 2), ()
    yield "1:", slice(1, None), (1, 3)
    yield "(:, ::-1)", (slice(None), slice(None, None, -1)), (2, 3)
    yield "(:, ::2)", (slice(None), slice(None, None, 2)), (2, 1)
    yield "(..., 1)", (..., 1), (2,)
    yield "(None, 0)", (None, 0), (1, 3)
    yield "1:9 (past the end)", slice(1, 9), (3,)
    yield "5:9 (nothing)", slice(5, 9), (3,)
    yield "[1, 0]", np.array([1, 0]), (2, 3)
    yield "[-1]", np.array([-1]), (3,)
    yield "([0, 1], [2, 0])", (np.array([0, 1]), np.array([2, 0])), (2,)
    yield "(:, [2, 0])", (slice(None), np.array([2, 0])), (2, 2)
    yield "(1, [0, 2])", (1, np.array([0, 2])), (2,)
    yield "([[0], [1]], [0, 2])", (np.array([[0], [1]]), np.array([0, 2])), (2, 2)
    yield "no integers", np.zeros(0, np.int64), (0, 3)
    yield "a mask", np.array([[True, False, True], [False, True, True]]), (4,)
    yield "a mask of rows", np.array([False, True]), (1, 3)
    yield "a mask of nothing", np.zeros((2, 3), bool), ()
    yield "(:, a mask)", (slice(None), np.array([True, False, True])), (2, 2)


def raw_key(exam: Examination, key: Any) -> Any:
    """A key with raw arrays in the place of NumPy's."""
    if type(key) is tuple:
        return tuple(raw_key(exam, part) for part in key)
    if not isinstance(key, np.ndarray):
        return key
    return exam.raw(key, key.dtype if key.dtype.kind == "b" else exam.index)


def write(exam: Examination) -> None:
    """Writes in place, for every form of key."""
    if not exam.mutable:
        return
    for name, key, shape in _keys():
        values = (np.arange(np.prod(shape, dtype=int), dtype=float) + 10).reshape(shape)
        for dtype in dict.fromkeys([exam.real, exam.integer, *exam.of_kind("b"), *exam.of_kind("c")[-1:]]):
            with exam.law("write", "x[key] = value in place, broadcasting"):
                cast = values.astype(dtype)
                _check_write(exam, name, key, dtype, exam.raw(cast), cast)
        with exam.law("write", "the value may be a Python scalar"):
            _check_write(exam, name, key, exam.real, 2.5, 2.5)
            _check_write(exam, name, key, exam.integer, 5, 5)
    backend = exam.backend
    with exam.law("write", "x[key] = value in place, broadcasting"):
        raw = exam.raw(1.0, exam.real)
        backend.write(raw, ..., exam.raw(3.0, exam.real))
        agree(exam.host(raw), np.array(3.0, exam.real), "a 0-d array after write(x, ..., 3.0)")
    for name in [name for name, _ in exam.views(exam.raw(_values(exam)))]:
        with exam.law("write", "through a view, what it shares changes too"):
            raw = exam.raw(_values(exam))
            view = dict(exam.views(raw))[name]
            shared = backend.shares_memory(raw, view)
            if not exam.writable(view):
                continue
            backend.write(view, ..., 50.0)
            agree(exam.host(view), np.full(view.shape, 50.0, exam.real), f"{name} after write(..., 50.0)")
            count = int(np.sum(exam.host(raw) == 50.0))
            wanted = int(np.prod(view.shape)) if shared else 0
            expect(count == wanted, f"a write into {name} changes {count} elements of x, expected {wanted}")
    with exam.law("write", "of values for one element, one is there afterwards"):
        raw = exam.raw([1.0, 2.0], exam.real)
        backend.write(raw, raw_key(exam, np.array([0, 0])), exam.raw([3.0, 4.0], exam.real))
        found = exam.host(raw)
        expect(found[0] in (3.0, 4.0) and found[1] == 2.0, f"[1, 2] with [3, 4] written at [0, 0] is {found}")


def _check_write(exam: Examination, name: str, key: Any, dtype: Any, value: Any, host_value: Any) -> None:
    before = _VALUES.astype(dtype)
    raw = exam.raw(before)
    expected = before.copy()
    expected[key] = host_value
    exam.backend.write(raw, raw_key(exam, key), value)
    agree(exam.host(raw), expected, f"an array of {dtype} after a write at {name}")


def updater(exam: Examination) -> None:
    """Operations in place without a temporary."""
    backend = exam.backend
    if not exam.mutable:
        return
    before = _values(exam) + 1
    one_row = before[0]
    others: list[tuple[str, Any, bool]] = [
        ("an array of its shape", before + 2, True),
        ("an array that broadcasts to its shape", one_row, True),
        ("a 0-d array", np.array(3.0, exam.real), True),
        ("a larger array", np.stack([before, before]), False),
        ("2", 2, True),
        ("2.5", 2.5, True),
        ("itself", None, True),
        *[(f"an array of {d}", before.astype(d), np.result_type(exam.real, d) == exam.real) for d in exam.dtypes],
    ]
    answered = False
    for name in ("add", "subtract", "multiply", "divide", "pow", "maximum", "matmul"):
        for what, value, fits in others:
            with exam.law("updater", "does the operation in place; None unless the result has the shape and dtype"):
                raw = exam.raw(before)
                other = raw if value is None else exam.raw(value) if isinstance(value, np.ndarray) else value
                run = backend.updater(name, raw, other)
                agree(exam.host(raw), before, f"the array after updater({name!r}, x, {what}) alone")
                if run is None:
                    continue
                answered = True
                expect(fits, f"updater({name!r}, x, {what}) is not None, but the result is of another shape or dtype")
                _check_update(exam, name, what, raw, other, run)
        with exam.law("updater", "None unless the result has the shape and dtype"):
            run = backend.updater(name, exam.raw([1, 2], exam.integer), 2.5)
            expect(run is None, f"updater({name!r}, x, 2.5) is not None for integers")
            run = backend.updater("divide", exam.raw([1, 2], exam.integer), 2)
            expect(run is None, "updater('divide', x, 2) is not None for integers")
    if not answered:
        exam.leave_out("updater: it always answers None")


def _check_update(exam: Examination, name: str, what: str, raw: Any, other: Any, run: Callable[[], Any]) -> None:
    kernel = exam.kernel(name)
    result = exam.host(kernel(exam.backend.copy(raw), other))
    kept = None if other is raw or not hasattr(other, "dtype") else exam.host(other)
    run()
    agree(exam.host(raw), result, f"the array after updater({name!r}, x, {what})()", units=4)
    if kept is not None:
        agree(exam.host(other), kept, f"the operand of updater({name!r}, x, {what})()")


def snapshot(exam: Examination) -> None:
    """Copies of whole buffers, through which any view is seen as it was."""
    backend = exam.backend
    raw = exam.raw(_values(exam))
    if not exam.mutable:
        return
    if backend.snapshot(raw) is None:
        exam.leave_out("snapshot: it answers None, so backward refuses what a recorded write has overwritten")
        return
    names = ["x", *[name for name, _ in exam.views(raw)]]
    for name in names:
        with exam.law("snapshot", "any array of the buffer as it was: later writes do not change it"):
            raw = exam.raw(_values(exam))
            views = {"x": raw, **dict(exam.views(raw))}
            if not backend.shares_memory(views[name], raw):
                continue
            before = {other: exam.host(view) for other, view in views.items()}
            see = backend.snapshot(views[name])
            if see is None:
                continue
            backend.write(raw, ..., 50.0)
            _check_seen(exam, f"after snapshot({name})", views, before, see)
            backend.write(raw, ..., 60.0)
            _check_seen(exam, f"after snapshot({name}) and a second write", views, before, see)
    with exam.law("snapshot", "any array of the buffer as it was: later writes do not change it"):
        whole = exam.raw(_values(exam))
        part = exam.kernel("getitem")(whole, key=(1, slice(1, None)))
        if backend.shares_memory(whole, part):
            del whole
            see = backend.snapshot(part)
            expect(see is not None, "it answers None for a view whose root is gone")
            assert see is not None
            kept = exam.host(part)
            backend.write(part, ..., 50.0)
            agree(exam.host(see(part)), kept, "a view whose root is gone, after a write")


def _check_seen(exam: Examination, when: str, views: Any, before: Any, see: Callable[[Any], Any]) -> None:
    raw = views["x"]
    for name, view in views.items():
        if exam.backend.shares_memory(view, raw):
            seen = see(view)
            agree(exam.host(seen), before[name], f"{name} {when}")
            expect(type(seen) is exam.backend.array_type, f"{name} {when} is a {type(seen)!r}")
            place = exam.backend.place_of(seen)
            expect(place == exam.place, f"{name} {when} lies at {place!r}")


LAWS = (owner, is_writable, write, updater, snapshot, is_owner, references)
