"""Laws of the whole: gradarray's arrays on the backend, their data types, writes and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ... import _dtypes, linalg
from ..._array import Array
from ..._errors import ReadOnlyError, ScalarOverflowError
from .examination import Examination, HostArray, agree, expect


def _namespace() -> Any:
    import gradarray

    return gradarray


# --- data types ------------------------------------------------------------------------------------------------------

_PROMOTED = "gradarray's rule for mixed operands and Python scalars"


def promotion(exam: Examination) -> None:
    """Operands of two data types, and an array beside a Python scalar."""
    ga = _namespace()
    for first in exam.dtypes:
        for second in exam.dtypes:
            if _dtypes.promote(first, second) not in exam.dtypes:
                continue
            x, y = np.array([1, 0, 2], first), np.array([1, 1, 0], second)
            common = _dtypes.promote(first, second)
            with exam.law("promotion", _PROMOTED):
                sums = exam.array(x) + exam.array(y)
                agree(sums._host(), np.add(x, y).astype(common), f"{first} + {second}")
            with exam.law("promotion", _PROMOTED):
                same = exam.array(x) == exam.array(y)
                agree(same._host(), np.equal(x, y), f"{first} == {second}")
        _beside_scalars(exam, first)
    for name, expected in (
        ("concat", np.array([1.0, 2.0, 0.5, 0.25])),
        ("stack", np.array([[1.0, 2.0], [0.5, 0.25]])),
    ):
        with exam.law("promotion", _PROMOTED):
            pair = [exam.array([1, 2], exam.integer), exam.array([0.5, 0.25], exam.real)]
            common = _dtypes.promote(exam.integer, exam.real)
            if common in exam.dtypes:
                agree(getattr(ga, name)(pair)._host(), expected.astype(common), f"{name} of integers and floats")
    with exam.law("promotion", "integers given to a floating-point function become the default real dtype"):
        found = ga.exp(exam.array([0, 1], exam.integer))._host()
        agree(found, np.exp(np.array([0, 1], exam.real)), "exp of integers", units=4)
    for dtype in exam.of_kind("iu"):
        with exam.law("promotion", "an integer that the data type cannot hold is an error"):
            _check_overflow(exam, dtype)


def _beside_scalars(exam: Examination, dtype: Any) -> None:
    x = np.array([1, 0, 2], dtype)
    for number in (True, 2, 2.5, 1 + 2j):
        common = _dtypes.promote_scalar(dtype, type(number))
        if common not in exam.dtypes:
            continue
        expected = (x.astype(common) + common.type(number)).astype(common)
        with exam.law("promotion", _PROMOTED):
            agree((exam.array(x) + number)._host(), expected, f"{dtype} + {number!r}")
            agree((number + exam.array(x))._host(), expected, f"{number!r} + {dtype}")


def _check_overflow(exam: Examination, dtype: Any) -> None:
    too_large = int(np.iinfo(dtype).max) + 1
    try:
        found = exam.array([1], dtype) + too_large
    except ScalarOverflowError:
        return
    raise AssertionError(f"{dtype} + {too_large} is {found!r}, expected ScalarOverflowError")


# --- writes ----------------------------------------------------------------------------------------------------------


def writes(exam: Examination) -> None:
    """Writes in place, and what is seen of them through views and in gradients."""
    ga = _namespace()
    if not exam.mutable and not exam.backend.immutable:
        with exam.law("writes", "an array that cannot be written says so"):
            x = exam.array([1.0, 2.0], exam.real)
            try:
                x[0] = 3.0
            except ReadOnlyError:
                return
            raise AssertionError("x[0] = 3.0 raises no ReadOnlyError, though is_writable is False")
        return
    with exam.law("writes", "a write through a view is seen in the array"):
        x = exam.array([[1.0, 2.0], [3.0, 4.0]], exam.real)
        before = x._host().copy()
        x[0][1] = 9.0
        x[1, :] *= 2.0
        x[...] += x
        before[0, 1] = 9.0
        before[1] *= 2
        agree(x._host(), before * 2, "an array after writes through views")
    with exam.law("writes", "a stretched array is not written"):
        row = ga.broadcast_to(exam.array([1.0, 2.0], exam.real), (3, 2))
        if exam.backend.shares_memory(row._data, row[0]._data):
            try:
                row[0, 0] = 5.0
            except ReadOnlyError:
                pass
            else:
                expect(row._host()[1, 0] == 1.0, f"a write into one element of a stretched array gives {row._host()}")
    with exam.law("writes", "a value that a graph has saved is not lost under a recorded write"):
        x = exam.array([1.0, 2.0, 3.0], exam.real).requires_grad_()
        y = x * 2
        z = y * y
        try:
            y[0] = 10.0
            ga.sum(z + y).backward()
        except ga.OverwrittenValueError:
            expect(exam.backend.snapshot(x._data) is None, "backward found the saved value overwritten")
            return
        assert x.grad is not None
        agree(x.grad._host(), np.array([8.0, 18.0, 26.0], exam.real), "the gradient after a write under a saved value")


# --- derivatives -----------------------------------------------------------------------------------------------------


def gradients(exam: Examination) -> None:
    """Derivatives to second order, forward and reverse, beside finite differences."""
    from .._gradients import check_grads

    precise = np.finfo(exam.real).bits >= 64
    how: dict[str, Any] = {} if precise else {"step": 1e-2, "rtol": 1e-2, "atol": 1e-2}
    if not precise:
        exam.leave_out(f"close comparison of derivatives: {exam.real} allows a coarse one only")
    for name, f, operands in _differentiated(exam):
        with exam.law("gradients", "both modes agree with finite differences, to second order"):
            try:
                check_grads(f, operands, device=exam.device, **how)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None
            except Exception as error:
                error.add_note(f"{name}:")
                raise


def _differentiated(exam: Examination) -> Iterator[tuple[str, Callable[..., Array], list[HostArray]]]:
    """Functions of every chapter, with operands away from kinks."""
    ga = _namespace()

    def real(*shape: int, low: float = 0.5, seed: int = 0) -> HostArray:
        return np.random.default_rng(seed).uniform(low, 2.0, shape).astype(exam.real)

    def numbers(*values: Any) -> Array:
        return exam.array(np.array(values), exam.index)

    def mask(*values: bool) -> Array:
        return exam.array(np.array(values))

    def written(x: Array) -> Array:
        y = x * 1.0
        y[1:, :] = x[:-1, :] * x[1:, :]
        y[0, ...][1:2] *= 3.0
        result: Array = ga.sum(y * y, axis=0)
        return result

    def definite(x: Array) -> Array:
        eye = ga.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        result: Array = ga.matmul(x, ga.matrix_transpose(x)) + eye
        return result

    x, y = real(2, 3), real(3, seed=1)
    square = real(2, 2, seed=2) + np.array([[2.0, 0.0], [0.5, 1.0]], exam.real)
    cases: list[tuple[str, Callable[..., Array], list[HostArray]]] = [
        ("sin(x) * exp(x) + tanh(x)", lambda x: ga.sin(x) * ga.exp(x) + ga.tanh(x), [x]),
        ("x / y and x**y, broadcast", lambda x, y: x / y + ga.pow(x, y), [x, y]),
        ("where and maximum", lambda x: ga.where(x > 1, x * x, ga.maximum(x, 0.75) * 3.0), [x]),
        ("sum and mean", lambda x: ga.sum(x * x, axis=0) * ga.mean(x), [x]),
        ("max and var", lambda x: ga.max(x, axis=1) * ga.var(x), [x]),
        ("prod and cumulative_sum", lambda x: ga.prod(x, axis=1) + ga.cumulative_sum(x, axis=1)[:, -1], [x]),
        ("x[1:, ::-1] and x[..., None, 0]", lambda x: x[1:, ::-1] * x[..., None, 0], [x]),
        ("x[[1, 0, 1, 1]]", lambda x: x[numbers(1, 0, 1, 1)] ** 2, [x]),
        ("x[mask]", lambda x: x[:, mask(True, False, True)] ** 2, [x]),
        ("take and take_along_axis", lambda x: ga.take(x, numbers(2, 2, 0), axis=1) * _sorted(ga, x), [x]),
        ("reshape, permute_dims, concat", lambda x: ga.concat([ga.reshape(x, (3, 2)).T, x], axis=0) ** 2, [x]),
        ("matmul and tensordot", lambda x: ga.matmul(x, x[0, :] ** 2) * ga.tensordot(x, x, axes=2), [x]),
        ("linalg.solve", lambda x: linalg.solve(x, x[:, 0] ** 2), [square]),
        ("linalg.det and inv", lambda x: linalg.det(x) * linalg.inv(x), [square]),
        ("linalg.cholesky", lambda x: linalg.cholesky(definite(x)), [square]),
        ("linalg.eigvalsh", lambda x: linalg.eigvalsh(definite(x)), [square]),
        ("linalg.svdvals", lambda x: linalg.svdvals(x), [square]),
    ]
    if exam.complex is not None:
        z = (real(3, seed=4) + 1j * real(3, seed=5)).astype(exam.complex)
        cases += [
            ("exp(z) * conj(z) + abs(z)", lambda z: ga.exp(z) * ga.conj(z) + ga.abs(z), [z]),
            ("fft.rfft", lambda x: ga.fft.rfft(x) ** 2, [y]),
            ("fft.fft and ifft", lambda z: ga.fft.ifft(ga.fft.fft(z) ** 2), [z]),
        ]
    if exam.mutable:
        cases.append(("writes through views", written, [x]))
    else:
        exam.leave_out("derivatives of writes in place")
    yield from cases


def _sorted(ga: Any, x: Array) -> Array:
    result: Array = ga.take_along_axis(x, ga.argsort(x, axis=1), axis=1)
    return result


LAWS = (promotion, writes, gradients)
