"""`gpu.py`, tried without a GPU: a script that is run once in a while must not fail for itself."""

import json
import subprocess
import sys
from pathlib import Path

from conformance import gpu

HERE = Path(gpu.__file__).parent
#: Those that take long are tests of their own already.
SLOW = ("laws_of_the_backend", "gradient_cases")


def test_the_script_runs_on_the_stand_in(tmp_path):
    out = tmp_path / "gpu.json"
    names = [name for name, _, _ in gpu.CHECKS if name not in SLOW]
    command = [sys.executable, str(HERE / "gpu.py"), "--stand-in", "--out", str(out), "--only", *names]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(out.read_text())
    assert run.returncode == 0, run.stdout + run.stderr
    assert list(found) == names
    assert {name for name, outcome in found.items() if outcome["outcome"] == "left out"} == {
        "official_suite",  # it lies elsewhere
        "exchange_with_torch",
        "order_of_torch_streams",
        "pinned_memory",
    }
    assert found["poison"]["found"]["a singular matrix"] == "alive"
    assert "training_step            well" in run.stdout


def test_faults_and_errors_are_told_apart():
    def fault(run):
        gpu.expect(False, "other values")

    def error(run):
        raise RuntimeError("no")

    assert gpu.attempt(None, fault) == {"outcome": "FAULT", "found": "other values"}
    assert gpu.attempt(None, error)["outcome"] == "ERROR"
    assert gpu.attempt(None, lambda run: {"left out": "why"})["outcome"] == "left out"
    assert gpu.attempt(None, lambda run: {"a": 1})["outcome"] == "well"


def test_all_of_it_fits_into_its_time():
    assert sum(seconds for _, seconds, _ in gpu.CHECKS) <= 620  # as each takes at most; the run stops at its limit
    assert gpu.LIMIT <= 480
