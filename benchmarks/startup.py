"""The time of ``import gradarray`` beside that of ``import numpy``, each in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys

from timing import Table, duration

_CODE = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def _once(module: str) -> float:
    # Compiled files are what an installed package has; an editable one gets them at its first import.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", _CODE.format(module)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(run.stdout)


def imports(repeats: int = 12) -> Table:
    """Interleaved, the minimum of each."""
    best = {"numpy": float("inf"), "gradarray": float("inf")}
    for _ in range(repeats):
        best = {module: min(seconds, _once(module)) for module, seconds in best.items()}
    table = Table("Import", "in a fresh interpreter; gradarray's contains numpy's", ("", "time", "ratio", "goal"))
    table.add("numpy", duration(best["numpy"]), "", "")
    table.add("gradarray", duration(best["gradarray"]), f"{best['gradarray'] / best['numpy']:.2f}", "<= 1.5")
    return table
