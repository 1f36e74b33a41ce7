"""A plugin for pytest that writes what a run came to, and each failure in a line, to the file CLIENT_TALLY."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

#: Errors that say that a gradient, or a history, would be lost or is not known: refusals by name, no wrong results.
REFUSALS = ("TrackedConversionError", "NoDerivativeError", "cannot be copied with its history")
counts: Counter[str] = Counter()
failures: list[dict[str, str]] = []


def pytest_runtest_logreport(report: Any) -> None:
    """Count a test at its end, or where it ended early."""
    if report.when == "teardown" and report.outcome != "failed":
        return
    if report.when == "setup" and report.outcome == "passed":
        return
    outcome = report.outcome
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if outcome == "skipped" else "xpassed"
    if outcome == "failed":
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message if crash else str(report.longrepr)[-500:]
        if any(name in message for name in REFUSALS):
            outcome = "refused"
        failures.append(
            {
                "test": report.nodeid,
                "kind": outcome,
                "message": message.strip().splitlines()[0][:200] if message else "",
            }
        )
    counts[outcome] += 1


def pytest_sessionfinish() -> None:
    """Write the tally."""
    path = os.environ.get("CLIENT_TALLY")
    if path:
        Path(path).write_text(json.dumps({"counts": dict(counts), "failures": failures}))
