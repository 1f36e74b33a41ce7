"""Run the tests of libraries that take any array namespace, as installed from PyPI, on gradarray.

    python conformance/clients.py                              every suite
    python conformance/clients.py --only scipy,sklearn         some of them
    python conformance/clients.py --tracked --only scipy       every floating-point array requires grad
    python conformance/clients.py --namespace torch            a peer
    python conformance/clients.py --flow                       SciPy's functions that let gradients through, counted
    python conformance/clients.py --write-docs                 docs/ecosystem.md, from the results on record

Nothing in those libraries is changed. They are installed into a virtual environment of their own, outside the
repository; results go to conformance/results. It exits with 1 if anything failed that is not in
client_plugins/known.toml, and if what is listed there passes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import fnmatch
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
PLUGINS = HERE / "client_plugins"
RESULTS = HERE / "results"
PAGE = ROOT / "docs" / "ecosystem.md"
PACKAGES = (
    "scipy==1.17.1 scikit-learn==1.9.1 array-api-extra==0.11.5 array-api-strict==2.6.1 xarray==2026.9.0 einops==0.8.2 "
    "ipax==0.12 pandas matplotlib joblib pytest pytest-timeout hypothesis torch==2.13.0"
).split()
PEERS = ("array_api_strict", "torch")


@dataclass(frozen=True)
class Suite:
    """The tests of one library.

    Attributes
    ----------
    title, package : str
        What it is called, and which package has it.
    targets : tuple of str
        What pytest runs, as modules; for `sources` within the package's source distribution.
    search : str
        Instead of targets: run the package's test files in which this pattern is found.
    script : str
        Instead of tests: a program of `client_plugins`, which prints ``N passed, M failed`` at the end.
    """

    title: str
    package: str
    targets: tuple[str, ...] = ()
    search: str = ""
    script: str = ""
    sources: bool = False
    options: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


SUITES = {
    "scipy": Suite(
        "SciPy",
        "scipy",
        tuple(
            f"scipy.{part}"
            for part in "special stats signal ndimage fft integrate optimize differentiate cluster spatial interpolate "
            "linalg constants _lib".split()
        ),
    ),
    "sklearn": Suite("scikit-learn", "scikit-learn", search=r"yield_namespace|array_api|parametrize_with_checks"),
    "xpx": Suite(
        "array-api-extra",
        "array-api-extra",
        ("array_api_extra.tests.main",),
        options=("-W", "ignore", "-W", "error:`xpx.:DeprecationWarning"),
    ),
    "xarray": Suite("xarray", "xarray", ("xarray.tests.test_array_api",)),
    "einops": Suite(
        "einops",
        "einops",
        tuple(f"einops.tests.{part}" for part in ("test_ops", "test_einsum", "test_packing", "test_other")),
        options=("-k", "not torch"),
        environment={"EINOPS_TEST_BACKENDS": "numpy,torch"},
    ),
    "ipax": Suite("ipax", "ipax", ("tests",), sources=True, options=("-o", "addopts=")),
    "ipax_problems": Suite("ipax, with derivatives of the namespace", "ipax", script="ipax_problems.py"),
    "deepmd": Suite("DeePMD-kit", "deepmd-kit", script="deepmd_forces.py", extra=("deepmd-kit==3.2.0",)),
}


# --- environments ----------------------------------------------------------------------------------------------------


def environment(path: Path | None, extra: tuple[str, ...] = ()) -> Path:
    """The interpreter of an environment with the clients, made if it is not there; `path` is used as it is."""
    if path is not None:
        return path / "bin" / "python"
    wanted = [*PACKAGES, *extra]
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gradarray"
    found = cache / f"clients-{hashlib.sha256(' '.join(wanted).encode()).hexdigest()[:12]}"
    python, ready = found / "bin" / "python", found / "ready"
    if not ready.exists():
        print(f"making an environment with {' '.join(wanted)} ...", flush=True)
        venv.create(found, clear=True, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *wanted], check=True)
        subprocess.run([*pip, "-e", f"{ROOT}[strict,scipy]"], check=True)
        ready.touch()
    return python


def _version(python: Path, package: str) -> str:
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def _files(python: Path, suite: Suite) -> list[str]:
    """The test files of an installed package in which a pattern is found."""
    code = "import importlib, sys; print(importlib.import_module(sys.argv[1]).__path__[0])"
    module = {"scikit-learn": "sklearn"}.get(suite.package, suite.package)
    found = subprocess.run([python, "-c", code, module], capture_output=True, text=True, check=True)
    folder = Path(found.stdout.strip())
    return sorted(str(f) for f in folder.rglob("test_*.py") if re.search(suite.search, f.read_text(encoding="utf-8")))


def _sources(python: Path, suite: Suite, folder: Path) -> None:
    """Unpack the source distribution of the installed version, whose tests are not in the wheel."""
    what = f"{suite.package}=={_version(python, suite.package)}"
    command = [python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, what]
    subprocess.run([str(part) for part in command], check=True)
    (archive,) = folder.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", archive, "--strip-components=1", "-C", folder], check=True)
    for own in (folder / "src", folder / suite.package):  # the installed package is tested
        if own.exists():
            own.rename(own.with_name(f"{own.name}-not-this"))


# --- runs ------------------------------------------------------------------------------------------------------------


def run(name: str, suite: Suite, namespace: str, *, tracked: bool, path: Path | None) -> dict[str, Any]:
    """Run one suite and give its result."""
    python = environment(path, suite.extra)
    variables = {
        **os.environ,
        **suite.environment,
        "CLIENT_NAMESPACE": namespace,
        "CLIENT_TRACKED": "1" if tracked else "0",
        "PYTHONPATH": str(PLUGINS),
        "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "SCIPY_ARRAY_API": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        tally = where / "tally.json"
        variables["CLIENT_TALLY"] = str(tally)
        if suite.script:
            command = [python, PLUGINS / suite.script]
        else:
            if suite.sources:
                _sources(python, suite, where)
            plugins = [
                "-p",
                f"for_{name}",
                "-p",
                "tally",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "-p",
                "no:randomly",
            ]
            options = [
                "-q",
                "--no-header",
                "--tb=line",
                "--timeout=300",
                *([] if "-W" in suite.options else ["-W", "ignore"]),
            ]
            targets = (
                _files(python, suite) if suite.search else [*([] if suite.sources else ["--pyargs"]), *suite.targets]
            )
            command = [python, "-m", "pytest", *plugins, *options, *suite.options, *targets]
        done = subprocess.run(
            [str(part) for part in command], cwd=where, env=variables, capture_output=True, text=True, check=False
        )
        if not tally.exists():
            raise SystemExit(f"{name}: the run came to nothing\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        found = json.loads(tally.read_text())
    return {
        "suite": name,
        "namespace": namespace,
        "tracked": tracked,
        "date": dt.date.today().isoformat(),
        "version": f"{suite.package} {_version(python, suite.package)}",
        "counts": dict(sorted(found["counts"].items())),
        "failures": sorted(found["failures"], key=lambda failure: failure["test"]),
    }


def known(name: str, *, tracked: bool) -> dict[str, str]:
    """Failures that are not gradarray's: a pattern of tests, and why."""
    entries: dict[str, dict[str, str]] = tomllib.loads((PLUGINS / "known.toml").read_text(encoding="utf-8"))
    return entries.get(name, {}) | (entries.get(f"{name}-tracked", {}) if tracked else {})


def unexpected(result: dict[str, Any]) -> list[str]:
    """What failed and is not known to, and what is known to fail and did not."""
    if result["namespace"] != "gradarray":
        return []
    patterns = known(result["suite"], tracked=result["tracked"])
    failed = [failure["test"] for failure in result["failures"] if failure["kind"] != "refused"]
    lines = [f"failed: {test}" for test in failed if not any(fnmatch.fnmatch(test, p) for p in patterns)]
    return lines + [f"known to fail, and did not: {p}" for p in patterns if not fnmatch.filter(failed, p)]


def _file(name: str, namespace: str, tracked: bool) -> Path:
    return RESULTS / f"clients-{name}-{namespace}{'-tracked' if tracked else ''}.json"


def on_record() -> dict[tuple[str, str, bool], dict[str, Any]]:
    """The results of earlier runs."""
    found = [json.loads(file.read_text()) for file in sorted(RESULTS.glob("clients-*.json"))]
    return {(r["suite"], r["namespace"], r["tracked"]): r for r in found if r.get("suite") in SUITES}


# --- what is shown ---------------------------------------------------------------------------------------------------


def summary(result: dict[str, Any] | None) -> str:
    """A result in a cell of a table."""
    if result is None:
        return ""
    counts = result["counts"]
    failed = counts.get("failed", 0) + counts.get("error", 0)
    text = f"{counts.get('passed', 0):,} / {failed} / {counts.get('skipped', 0):,}"
    return f"{text}, {counts['refused']:,} refused" if counts.get("refused") else text


def table(results: dict[tuple[str, str, bool], dict[str, Any]]) -> list[str]:
    """The table of all results, in Markdown."""
    lines = [
        "| library | version | gradarray | gradarray, everything tracked | array-api-strict | PyTorch |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, suite in SUITES.items():
        own = results.get((name, "gradarray", False))
        if own is None:
            continue
        cells = [own, results.get((name, "gradarray", True)), *[results.get((name, peer, False)) for peer in PEERS]]
        lines.append(f"| {suite.title} | {own['version'].split()[-1]} | {' | '.join(map(summary, cells))} |")
    return lines


def page() -> str:
    """The page docs/ecosystem.md, from the results on record."""
    results = on_record()
    lines = [
        "# What runs on gradarray",
        "",
        "Libraries that take any array namespace have tests of that. They are run on gradarray as installed from PyPI,",
        "with nothing changed on their side, by `python conformance/clients.py`, which writes this page too.",
        "",
        "Each cell says how many tests passed / failed / were skipped by the library itself. With everything tracked,",
        "every floating-point array that a test makes requires a gradient: *refused* are those where the library's own",
        "code leaves the namespace, and a gradient would be lost. Those are errors that say where the function is that",
        "takes its place; none is a wrong result.",
        "",
        *table(results),
        "",
    ]
    notes = [(name, known(name, tracked=True)) for name in SUITES if (name, "gradarray", False) in results]
    if any(entries for _, entries in notes):
        lines += ["## Failures that are not gradarray's", ""]
        for name, entries in notes:
            lines += [f"- {SUITES[name].title}, `{pattern}`: {reason}" for pattern, reason in entries.items()]
        lines.append("")
    flow = RESULTS / "clients-flow.json"
    if flow.exists():
        lines += flow_section(json.loads(flow.read_text()))
    dates = sorted(result["date"] for result in results.values())
    lines += [f"Runs of {dates[0]} to {dates[-1]}." if dates else "No run is on record.", ""]
    return "\n".join(lines)


def flow_section(flow: dict[str, Any]) -> list[str]:
    """What the count of SciPy's functions came to."""
    lines = [
        "## Gradients through SciPy",
        "",
        f"Of {flow['called']} public callables of SciPy with floating-point results, {flow['flows']} let the gradient",
        "through, and it equals finite differences of the same callable on NumPy's arrays. The others hand their",
        "arrays to compiled code, and refuse tracked ones; `gradarray.scipy` has functions of the same names for most.",
        "",
        "| module | differentiated | refused |",
        "| --- | --- | --- |",
    ]
    for module, counts in flow["modules"].items():
        refused = ", ".join(f"`{name}`" for name in counts["refused"])
        lines.append(f"| `{module}` | {counts['flows']} | {refused} |")
    return [*lines, ""]


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SUITES), help="suites, separated by commas")
    parser.add_argument("--namespace", default="gradarray", help="which namespace to run on")
    parser.add_argument("--tracked", action="store_true", help="every floating-point array requires grad")
    parser.add_argument("--flow", action="store_true", help="count SciPy's functions that let gradients through")
    parser.add_argument("--environment", type=Path, help="an environment that has everything")
    parser.add_argument("--no-results", action="store_true", help="write nothing")
    parser.add_argument("--write-docs", action="store_true", help="write docs/ecosystem.md from the results on record")
    options = parser.parse_args()
    if options.write_docs:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if options.flow:
        return count_flow(options)
    bad = []
    for name in options.only.split(","):
        result = run(name, SUITES[name], options.namespace, tracked=options.tracked, path=options.environment)
        print(f"{name} on {options.namespace}{', tracked' if options.tracked else ''}: {summary(result)}", flush=True)
        bad += [f"{name}: {line}" for line in unexpected(result)]
        if options.tracked:  # thousands are refused, by the same few functions
            result["failures"] = [failure for failure in result["failures"] if failure["kind"] != "refused"]
        if not options.no_results:
            text = json.dumps(result, indent=1) + "\n"
            _file(name, options.namespace, options.tracked).write_text(text)
    print("\n".join(["", *table(on_record()), "", *bad]))
    return bool(bad)


def count_flow(options: argparse.Namespace) -> int:
    """Run the count in the clients' environment."""
    python = environment(options.environment)
    arguments = [] if options.no_results else ["--results", str(RESULTS / "clients-flow.json")]
    variables = {**os.environ, "SCIPY_ARRAY_API": "1"}
    return subprocess.run([python, HERE / "flow.py", *arguments], env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
