"""Run the official suite of the array API standard (data-apis/array-api-tests) against gradarray.

    python conformance/run.py --suite ../array-api-tests
    python conformance/run.py --suite ../array-api-tests --device strict:device1 --tracked --max-examples 100

Prints the counts, writes them to ``conformance/results/<target>.json``, and exits with 1 if a test fails. Arguments
that it does not know go to pytest, for example ``-k fft`` or ``--derandomize``. The checkout (with its submodule
``array-api``) is only read.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
API_VERSION = "2025.12"
CORRECTIONS = [
    "test_can_cast: None equals NumPy's float64",
    "test_dunder_dlpack: a copy to the host may be refused (data-apis/array-api-tests#457)",
]
SPECIAL_CASES = "test_special_cases.py"
LIBRARIES = ("numpy", "array-api-compat", "array-api-strict", "torch", "cupy", "jax", "dask")
PACKAGES = ("gradarray", *LIBRARIES, "hypothesis", "pytest")


def main(arguments: list[str] | None = None) -> int:
    options, extra = parse(arguments)
    target = target_name(options.device, tracked=options.tracked, stand_in=options.stand_in)
    if options.stand_in:
        sys.path.insert(0, str(HERE.parent))
        from tests.cupy_stand_in import install

        install()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gradarray-suite-") as scratch:
        runs = [Run(options, target, Path(scratch), extra)]
        outcomes, repeats = runs[0].outcomes(), {}
        for number in range(1, options.special_cases):
            again = Run(options, target, Path(scratch), extra, only=SPECIAL_CASES, number=number)
            runs.append(again)
            repeats.update({f"{name} (repeat {number})": outcome for name, outcome in again.outcomes().items()})
    report = summary(options, extra, outcomes, repeats, seconds=time.monotonic() - started)
    if not options.no_results:
        path = HERE / "results" / f"{target}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(f"{target}: {_sentence(report['counts'])}")
    if repeats:
        print(f"special cases, {options.special_cases - 1} times more: {_sentence(report['special_cases_repeated'])}")
    for name in report["failures"]:
        print(f"  failed: {name}")
    bad = [run for run in runs if not run.ended_well]
    if bad and not report["failures"]:
        print("  a pytest process did not end as it should; see its output above")
    return 1 if report["failures"] or bad or not report["counts"].get("passed") else 0


def parse(arguments: list[str] | None) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", required=True, type=Path, help="checkout of data-apis/array-api-tests")
    parser.add_argument("--device", default="cpu", help="where the suite's arrays lie, such as strict:device1")
    parser.add_argument("--tracked", action="store_true", help="every floating-point array is part of a graph")
    parser.add_argument("--max-examples", type=int, default=100, help="the suite's own option")
    parser.add_argument("--special-cases", type=int, default=1, metavar="K", help="run the special cases K times")
    parser.add_argument("--processes", type=int, default=1, help="split the tests over so many processes")
    parser.add_argument("--shrink", action="store_true", help="let hypothesis shrink failing examples (slow)")
    parser.add_argument(
        "--stand-in",
        nargs="?",
        const="eager",
        choices=("eager", "deferred"),
        help="run cuda devices on the stand-in for CuPy, whose work is done at once or only when it is waited for",
    )
    parser.add_argument("--as-is", action="store_true", help="without correcting the suite's mistakes (see the plugin)")
    parser.add_argument("--no-results", action="store_true", help="only print, for partial runs")
    options, extra = parser.parse_known_args(arguments)
    options.suite = options.suite.resolve()
    if not (options.suite / "array_api_tests").is_dir():
        parser.error(f"{options.suite} is not a checkout of data-apis/array-api-tests")
    if not (options.suite / "array-api" / "src").is_dir():
        parser.error(f"{options.suite / 'array-api'} is empty: check out the submodule")
    return options, extra


def missing_dtypes(device: str) -> list[str]:
    """Dtypes of the standard that arrays on the device cannot have: the suite leaves them out."""
    import gradarray as ga

    info = ga.__array_namespace_info__()
    return sorted(set(info.dtypes(device="cpu")) - set(info.dtypes(device=device)) - {"float16"})


def target_name(device: str, *, tracked: bool, stand_in: str | None) -> str:
    parts = [device.replace(":", "-")]
    if stand_in:
        parts += ["stand-in", stand_in]
    return "-".join([*parts, "tracked"] if tracked else parts)


class Run:
    """One run over the whole suite or one file of it, in one or several processes."""

    def __init__(
        self,
        options: argparse.Namespace,
        target: str,
        scratch: Path,
        extra: list[str],
        *,
        only: str = "",
        number: int = 0,
    ) -> None:
        self.ended_well = True
        self.reports: list[Path] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        xfails = HERE / f"xfails-{target}.txt"
        command = [sys.executable, "-m", "pytest", "-p", "conformance.suite_plugin", "-p", "no:cacheprovider"]
        command += ["-c", str(options.suite / "pytest.ini"), "--rootdir", str(options.suite)]
        command += [str(options.suite / "array_api_tests" / only), "-q", "--disable-deadline"]
        command += ["--max-examples", str(options.max_examples), "--tb=short", "--disable-warnings"]
        if xfails.exists():
            command += ["--xfails-file", str(xfails)]
        for part in range(options.processes):
            folder = scratch / f"{number}-{part}"
            folder.mkdir()
            self.reports.append(folder / "outcomes.json")
            environment = self.environment(options, folder)
            environment["GRADARRAY_SUITE_PART"] = f"{part}/{options.processes}"
            environment["GRADARRAY_SUITE_REPORT"] = str(self.reports[-1])
            self.processes.append(subprocess.Popen([*command, *extra], env=environment, cwd=folder))

    @staticmethod
    def environment(options: argparse.Namespace, folder: Path) -> dict[str, str]:
        module = "gradarray"
        if options.device != "cpu" or options.tracked:
            call = f'testing.namespace(device="{options.device}", tracked={options.tracked})'
            module = f"exec('import gradarray.testing as testing; xp = {call}')"
        paths = [str(HERE.parent), os.environ.get("PYTHONPATH", "")]
        return {
            **os.environ,
            "ARRAY_API_TESTS_MODULE": module,
            "ARRAY_API_TESTS_VERSION": API_VERSION,
            "ARRAY_API_TESTS_SKIP_DTYPES": ",".join(missing_dtypes(options.device)),
            "GRADARRAY_SUITE_AS_IS": "1" if options.as_is else "0",
            "GRADARRAY_SUITE_SHRINK": "1" if options.shrink else "0",
            "GRADARRAY_SUITE_TRACKED": "1" if options.tracked else "0",
            "GRADARRAY_SUITE_STAND_IN": options.stand_in or "",
            # Nothing is written into the checkout: neither examples nor byte code.
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        }

    def outcomes(self) -> dict[str, str]:
        """The outcome of each test by its name, when all processes have ended."""
        found: dict[str, str] = {}
        for process, report in zip(self.processes, self.reports, strict=True):
            # 5: no test was selected, as happens to a part of a small selection.
            self.ended_well &= process.wait() in (0, 5)
            if report.exists():
                found.update(json.loads(report.read_text(encoding="utf-8")))
        return found


def summary(
    options: argparse.Namespace,
    extra: list[str],
    outcomes: dict[str, str],
    repeats: dict[str, str],
    *,
    seconds: float,
) -> dict[str, Any]:
    return {
        "device": options.device,
        "tracked": options.tracked,
        "stand_in": options.stand_in,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "max_examples": options.max_examples,
        "extra_arguments": extra,
        "suite_corrected": [] if options.as_is else CORRECTIONS,
        "suite_commit": commit(options.suite),
        "standard_commit": commit(options.suite / "array-api"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "versions": versions(),
        "seconds": round(seconds),
        "counts": _counts(outcomes),
        "special_cases_runs": options.special_cases,
        "special_cases_repeated": _counts(repeats),
        "failures": sorted(name for name, outcome in {**outcomes, **repeats}.items() if outcome == "failed"),
    }


def _counts(outcomes: dict[str, str]) -> dict[str, int]:
    counts = Counter(outcomes.values())
    always, sometimes = ("passed", "failed", "skipped"), ("xfailed", "xpassed")
    return {name: counts[name] for name in (*always, *sometimes) if counts[name] or name in always}


def _sentence(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def commit(folder: Path) -> str | None:
    try:
        command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()


def versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
