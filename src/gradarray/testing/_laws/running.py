"""Laws of where and how work runs: current places, streams, precision, memory."""

from __future__ import annotations

import numpy as np

from ..._backend import MemoryInfo
from .examination import Examination, agree, expect


def streams(exam: Examination) -> None:
    """Streams, and the place that is current."""
    backend, place = exam.backend, exam.place
    with exam.law("has_streams", "where it is False, every stream is the default one"):
        expect(backend.has_streams or backend.current_stream(place) is None, "current_stream is not None")
    stream = backend.current_stream(place)
    with exam.law("current_stream", "None for the default one, on which a program begins"):
        expect(stream is None, f"it is {stream!r}")
    before = backend.current_place()
    with exam.law("current_place", "a member of devices(), or None"):
        expect(before is None or before in backend.devices(), f"it is {before!r}")
    with exam.law("on_stream", "work in its block is at the place and on the stream, and afterwards where it was"):
        with backend.on_stream(place, stream):
            expect(
                backend.current_place() in (None, place), f"in the block, current_place is {backend.current_place()!r}"
            )
            expect(backend.current_stream(place) == stream, "in the block, current_stream is another")
            x = exam.raw([1.0, 2.0], exam.real)
            agree(exam.host(x + x), np.array([2.0, 4.0], exam.real), "a sum in the block")
        expect(backend.current_place() == before, f"afterwards, current_place is {backend.current_place()!r}")
        expect(backend.current_stream(place) == stream, "afterwards, current_stream is another")
    with exam.law("wait_for", "work that is queued afterwards begins after that which was queued before"):
        for other in backend.devices():
            x = exam.backend.copy(exam.raw([1.0, 2.0], exam.real))
            backend.wait_for(place, stream, other, backend.current_stream(other))
            agree(exam.host(x), np.array([1.0, 2.0], exam.real), f"an array after a wait for {other}")


def precision(exam: Examination) -> None:
    """Products of float32 matrices."""
    dtype = np.dtype("float32")
    if dtype not in exam.dtypes:
        exam.leave_out("set_float32_matmul_precision: there is no float32")
        return
    with exam.law("set_float32_matmul_precision", "'highest' computes in float32, and 'high' is taken too"):
        values = (np.arange(1, 17, dtype=dtype) / 7).reshape(4, 4)
        exact = values.astype("float64") @ values.astype("float64")
        try:
            for name, tolerance in (("high", 1e-2), ("highest", 1e-6)):
                exam.backend.set_float32_matmul_precision(name)
                found = exam.host(exam.kernel("matmul")(exam.raw(values), exam.raw(values)))
                error = float(np.max(np.abs(found - exact) / exact))
                expect(error <= tolerance, f"with {name!r} the relative error of a product is {error:.1e}")
        finally:
            exam.backend.set_float32_matmul_precision("highest")


def memory_info(exam: Examination) -> None:
    """Figures of memory."""
    backend, place = exam.backend, exam.place
    with exam.law("memory_info", "numbers of bytes, or None for what the library does not tell"):
        before = backend.memory_info(place)
        expect(isinstance(before, MemoryInfo), f"it answers {before!r}")
        for name in MemoryInfo.__slots__:
            figure = getattr(before, name)
            expect(figure is None or (type(figure) is int and figure >= 0), f"{name} is {figure!r}")
        kept = exam.raw(np.zeros(1 << 16), exam.real)
        after = backend.memory_info(place)
        if before.used is not None and after.used is not None:
            grown = after.used - before.used
            expect(
                grown >= exam.host(kept).nbytes,
                f"used grew by {grown} under an array of {exam.host(kept).nbytes} bytes",
            )
            expect(after.reserved is None or after.reserved >= after.used, "reserved is less than used")


LAWS = (streams, precision, memory_info)
