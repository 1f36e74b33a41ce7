"""Every name and signature of CuPy that the backend uses is there in the real library. It can be had without a GPU."""

import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "cupy_contract.py"
installed = [d.metadata["Name"] for d in distributions() if (d.metadata["Name"] or "").lower().startswith("cupy")]


@pytest.mark.skipif(not installed, reason="CuPy is not installed: make test CUPY=1")
def test_contract():
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    looked_at = int(run.stdout.rsplit(": ", 1)[1].split()[0])
    assert looked_at > 400
