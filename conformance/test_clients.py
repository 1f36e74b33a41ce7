"""The page on clients agrees with the results on record, and failures are told apart."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

_spec = importlib.util.spec_from_file_location("clients_runner", Path(__file__).with_name("clients.py"))
assert _spec is not None and _spec.loader is not None
clients = sys.modules["clients_runner"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(clients)


def _result(*failures: tuple[str, str], **others: Any) -> dict[str, Any]:
    listed = [{"test": test, "kind": kind, "message": ""} for test, kind in failures]
    return {"suite": "xpx", "namespace": "gradarray", "tracked": False, "failures": listed, **others}


def test_page_is_up_to_date() -> None:
    assert clients.PAGE.read_text(encoding="utf-8") == clients.page(), "python conformance/clients.py --write-docs"


def test_results_on_record_have_no_failure_that_is_not_known() -> None:
    results = clients.on_record()
    assert {"scipy", "sklearn", "xpx", "xarray", "einops", "ipax", "deepmd"} <= {name for name, _, _ in results}
    assert {key: clients.unexpected(result) for key, result in results.items() if clients.unexpected(result)} == {}


def test_as_many_pass_as_on_any_peer() -> None:
    results = clients.on_record()
    for name in ("scipy", "sklearn", "xpx", "xarray"):
        own = results[name, "gradarray", False]["counts"]["passed"]
        for peer in clients.PEERS:
            assert own >= results[name, peer, False]["counts"].get("passed", 0), f"{name} on {peer}"


def test_gradients_on_record() -> None:
    flow = json.loads((clients.RESULTS / "clients-flow.json").read_text())
    assert flow["flows"] >= 256
    assert all(not counts["wrong"] for counts in flow["modules"].values())


@pytest.mark.parametrize(
    ("result", "lines"),
    [
        (_result(("a::TestNUnique::test_delegates[x]", "failed")), []),
        (_result(("a::TestNUnique::test_delegates[x]", "failed"), ("b", "failed")), ["failed: b"]),
        (_result(("a::TestNUnique::test_delegates[x]", "failed"), ("b", "refused")), []),
        (_result(), ["known to fail, and did not: *TestNUnique::test_delegates*"]),
        (_result(("b", "failed"), namespace="torch"), []),
    ],
)
def test_failures_are_known_or_not(result: dict[str, Any], lines: list[str]) -> None:
    assert clients.unexpected(result) == lines


def test_cells() -> None:
    assert clients.summary(None) == ""
    assert clients.summary({"counts": {"passed": 1234, "failed": 1, "error": 2, "skipped": 5}}) == "1,234 / 3 / 5"
    assert clients.summary({"counts": {"passed": 1, "refused": 2000}}) == "1 / 0 / 0, 2,000 refused"
