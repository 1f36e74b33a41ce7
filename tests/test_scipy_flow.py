"""Gradients go through SciPy's public functions, or are refused by name: none is cut off, and none is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import scipy

FLOW = Path(__file__).parent.parent / "conformance" / "flow.py"

pytestmark = pytest.mark.skipif(
    tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17), reason="the calls are those of SciPy 1.17"
)


@pytest.fixture(scope="module")
def flow(tmp_path_factory):
    """What all calls came to; in a process of its own, where SciPy is imported with its array API."""
    path = tmp_path_factory.mktemp("flow") / "flow.json"
    run = subprocess.run([sys.executable, FLOW, "--results", path], capture_output=True, text=True, check=False)
    assert path.exists(), run.stdout + run.stderr
    return json.loads(path.read_text())


def test_no_gradient_is_wrong_or_cut_off(flow):
    assert {module: counts["wrong"] for module, counts in flow["modules"].items() if counts["wrong"]} == {}


def test_as_many_are_differentiated_as_can_be(flow):
    assert flow["flows"] >= 270
    refused = {f"{module}.{name}" for module, counts in flow["modules"].items() for name in counts["refused"]}
    # Those go through compiled code.
    assert {"signal.lfilter", "ndimage.gaussian_filter", "linalg.expm", "fft.dct"} <= refused
    assert flow["flows"] + len(refused) == flow["called"]
