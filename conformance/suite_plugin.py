"""pytest plugin for runs of the official suite; `run.py` loads it and says what to do through the environment.

``GRADARRAY_SUITE_TRACKED``: every floating-point array that the suite generates is part of a graph.
``GRADARRAY_SUITE_SHRINK``: whether hypothesis shrinks failing examples, which is what makes failing runs slow.
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
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
#: Tests that export an array to other libraries. A tracked array refuses that, by design, and names `detach`: these
#: tests get what it names.
EXPORTS = ("test_dunder_dlpack",)

exporting = Event()
outcomes: dict[str, str] = {}


def namespace(*, device: str, tracked: bool) -> ModuleType:
    """gradarray on a device, without the dtypes that the device does not have: the suite skips what is not there."""
    from gradarray import testing

    xp = testing.namespace(device=device, tracked=tracked)
    info = xp.__array_namespace_info__()
    for name in set(DTYPES) - set(info.dtypes()):
        delattr(xp, name)
    return xp


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """After the suite's own conftest has loaded its profile."""
    if os.environ.get("GRADARRAY_SUITE_SHRINK") != "1":
        phases = [phase for phase in settings().phases if phase in (Phase.explicit, Phase.reuse, Phase.generate)]
        settings.register_profile("gradarray-suite", settings(), phases=phases)
        settings.load_profile("gradarray-suite")
    if os.environ.get("GRADARRAY_SUITE_TRACKED") == "1":
        from array_api_tests import hypothesis_helpers

        hypothesis_helpers.arrays_no_scalars = tracking(hypothesis_helpers.arrays_no_scalars)


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
