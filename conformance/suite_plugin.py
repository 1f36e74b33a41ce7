"""pytest plugin for runs of the official suite; `run.py` loads it and says what to do through the environment.

``GRADARRAY_SUITE_TRACKED``: every floating-point array that the suite generates is part of a graph.
``GRADARRAY_SUITE_STAND_IN``: ``cuda`` devices are those of the stand-in for CuPy, "eager" or "deferred".
``GRADARRAY_SUITE_SHRINK``: whether hypothesis shrinks failing examples, which is what makes failing runs slow.
``GRADARRAY_SUITE_AS_IS``: without the correction of the suite that `correct` makes.
``GRADARRAY_SUITE_PART``: ``"1/3"`` runs every third test, from the second one.
``GRADARRAY_SUITE_REPORT``: the file to write the outcome of every test to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import Phase, settings

#: Tests that export an array to other libraries. A tracked array refuses that, by design, and names `detach`: these
#: tests get what it names.
EXPORTS = ("test_dunder_dlpack",)

if os.environ.get("GRADARRAY_SUITE_STAND_IN"):
    # Before the suite imports the namespace.
    from tests import cupy_stand_in

    cupy_stand_in.install()
    cupy_stand_in.settings.deferred = os.environ["GRADARRAY_SUITE_STAND_IN"] == "deferred"

exporting = Event()
outcomes: dict[str, str] = {}


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """After the suite's own conftest has loaded its profile."""
    if os.environ.get("GRADARRAY_SUITE_SHRINK") != "1":
        phases = [phase for phase in settings().phases if phase in (Phase.explicit, Phase.reuse, Phase.generate)]
        settings.register_profile("gradarray-suite", settings(), phases=phases)
        settings.load_profile("gradarray-suite")
    if os.environ.get("GRADARRAY_SUITE_AS_IS") != "1":
        correct()
    if os.environ.get("GRADARRAY_SUITE_TRACKED") == "1":
        from array_api_tests import hypothesis_helpers  # type: ignore[import-not-found]

        hypothesis_helpers.arrays_no_scalars = tracking(hypothesis_helpers.arrays_no_scalars)


def correct() -> None:
    """Mend the suite where it asks for what the standard does not. See `let_copies_be_refused` too.

    Let the suite's promotion table answer with something that equals no dtype where it has no entry.

    `test_can_cast` compares ``table.get(pair)`` with a dtype, and in NumPy ``None == numpy.dtype("float64")``: as it
    is, it demands that complex numbers can be cast to float64, of every library whose dtypes are NumPy's.
    """
    from array_api_tests import dtype_helpers

    table = dtype_helpers.promotion_table
    nothing = object()
    get = table.get
    table.get = lambda key: get(key, nothing)
    let_copies_be_refused()


def let_copies_be_refused() -> None:
    """Accept the BufferError of an array that is not on the host and shall be exported to it without a copy.

    The standard asks for it, and the suite does too since data-apis/array-api-tests#457.
    """
    from array_api_tests import test_dlpack  # type: ignore[import-not-found]

    handle = test_dlpack.test_dunder_dlpack.hypothesis
    inner = handle.inner_test

    @wraps(inner)
    def test(x: Any, copy_kw: Any, dl_device_kw: Any, **drawn: Any) -> None:
        try:
            inner(x=x, copy_kw=copy_kw, dl_device_kw=dl_device_kw, **drawn)
        except BufferError:
            if copy_kw.get("copy") is not False or dl_device_kw.get("dl_device") in (None, x.__dlpack_device__()):
                raise

    handle.inner_test = test


def tracking(strategy: Callable[..., Any]) -> Callable[..., Any]:
    """The strategy with each floating-point array the tracked result of an operation."""
    from gradarray.testing import track

    @wraps(strategy)
    def arrays_no_scalars(*args: Any, **keywords: Any) -> Any:
        return strategy(*args, **keywords).map(lambda x: x.detach() if exporting.is_set() else track(x))

    return arrays_no_scalars


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    if getattr(item, "originalname", "") in EXPORTS:
        exporting.set()
    try:
        return (yield)
    finally:
        exporting.clear()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, _, parts = os.environ.get("GRADARRAY_SUITE_PART", "0/1").partition("/")
    items[:] = items[int(part) :: int(parts)]


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        outcomes[report.nodeid] = "failed"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if report.skipped else "xpassed"
    elif report.when == "call" or report.outcome != "passed":
        outcome = report.outcome
    else:
        return
    if outcomes.get(report.nodeid) != "failed":
        outcomes[report.nodeid] = outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    target = os.environ.get("GRADARRAY_SUITE_REPORT")
    if target:
        Path(target).write_text(json.dumps(outcomes), encoding="utf-8")
