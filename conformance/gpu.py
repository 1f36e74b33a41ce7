"""Everything that only a GPU can show of the CuPy backend, in one run of at most eight minutes.

    python conformance/gpu.py --out conformance/results/gpu.json
    python conformance/gpu.py --suite ../array-api-tests --packages wheels/ --out results.json

Needs one CUDA device, CuPy and array-api-compat; PyTorch with CUDA for the comparisons with it; gradarray need not be
installed. Each check stands alone: what one finds is written to the output at once, and a table of all comes last. The
exit status is 1 if a check found a fault. What can break the device's context runs in a process of its own.
``--stand-in`` runs what can be run without a GPU, to try the script.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIMIT = 480.0

CHECKS: list[tuple[str, float, Callable[[Run], dict[str, Any]]]] = []


class Fault(AssertionError):
    """What a check found wrong."""


def check(*, seconds: float) -> Callable[[Callable[[Run], dict[str, Any]]], Callable[[Run], dict[str, Any]]]:
    """Enter a check into the list, with the time that it needs at most."""

    def enter(function: Callable[[Run], dict[str, Any]]) -> Callable[[Run], dict[str, Any]]:
        CHECKS.append((function.__name__, seconds, function))
        return function

    return enter


def expect(fits: bool, otherwise: str) -> None:
    if not fits:
        raise Fault(otherwise)


# --- the run ---------------------------------------------------------------------------------------------------------


class Run:
    """The libraries, the options, and what was found so far."""

    def __init__(self, options: argparse.Namespace, path: list[str]) -> None:
        self.options = options
        self.path = path
        self.started = time.monotonic()
        self.found: dict[str, Any] = {}
        self.np = importlib.import_module("numpy")
        self.cupy = importlib.import_module("cupy")
        self.ga = importlib.import_module("gradarray")
        self.device = self.ga.get_device(options.device)
        try:
            torch = importlib.import_module("torch")
            self.torch = torch if torch.cuda.is_available() else None
        except ImportError:
            self.torch = None

    @property
    def left(self) -> float:
        return LIMIT - (time.monotonic() - self.started)

    def array(self, values: Any, **keywords: Any) -> Any:
        return self.ga.asarray(self.np.asarray(values), device=self.device, **keywords)

    def synchronize(self) -> None:
        self.cupy.cuda.Device(self.device.index or 0).synchronize()

    def busy(self, milliseconds: float) -> None:
        """Keep the current stream busy, so that what does not wait for it is seen."""
        if not self.options.stand_in:
            spin(self.cupy, milliseconds)

    def microseconds(self, function: Callable[[], Any], calls: int = 500) -> float:
        """The time of one call as the host sees it: the least of several means."""
        if self.options.stand_in:
            calls = 5
        function()
        best = float("inf")
        for _ in range(5):
            self.synchronize()
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best = min(best, (time.perf_counter() - start) / calls)
        return round(best * 1e6, 2)

    def python(self, code: str) -> tuple[int, str]:
        """The exit status and the last line of a program in a process of its own."""
        prelude = "import warnings; warnings.simplefilter('ignore')\n"
        if self.options.stand_in:
            prelude += "from tests.cupy_stand_in import install; install()\n"
        run = subprocess.run(
            [sys.executable, "-c", prelude + code],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=environment(self.path),
        )
        lines = (run.stdout + run.stderr).strip().splitlines()
        return run.returncode, lines[-1][:200] if lines else ""


_spin: Any = None


def spin(cupy: Any, milliseconds: float) -> None:
    global _spin
    if _spin is None:
        source = 'extern "C" __global__ void spin(long long n) { long long t = clock64(); while (clock64() - t < n); }'
        _spin = cupy.RawKernel(source, "spin")
    clock = cupy.cuda.Device().attributes.get("ClockRate", 1_700_000)  # in kHz: ticks of a millisecond
    _spin((1,), (1,), (int(milliseconds * clock),))


def environment(path: list[str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "CUPY_NVRTC_USE_PCH": "1"}


@contextmanager
def importable(options: argparse.Namespace) -> Iterator[list[str]]:
    """Make the source tree importable, with its backends found, also where nothing is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["gradarray.backends"]
    with tempfile.TemporaryDirectory(prefix="gradarray-gpu-") as folder:
        metadata = Path(folder) / "gradarray-0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gradarray\nVersion: {project['version']}\n")
        lines = ["[gradarray.backends]", *[f"{name} = {target}" for name, target in points.items()]]
        (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
        given = [str(options.packages.resolve())] if options.packages else []
        path = [*[str(ROOT / part) for part in ("src", "backends", "tests", ".")], folder, *given]
        sys.path[:0] = path
        yield path


# --- what is there ---------------------------------------------------------------------------------------------------


@check(seconds=10)
def environment_of_the_run(run: Run) -> dict[str, Any]:
    cupy = run.cupy
    found: dict[str, Any] = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "numpy": run.np.__version__,
        "cupy": cupy.__version__,
        "torch": run.torch.__version__ if run.torch else None,
        "devices": cupy.cuda.runtime.getDeviceCount(),
        "memory": repr(run.ga.memory_info(run.device)),
    }
    if not run.options.stand_in:
        found["name"] = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        found["driver"] = cupy.cuda.runtime.driverGetVersion()
        found["runtime"] = cupy.cuda.runtime.runtimeGetVersion()
    return found


# --- right answers ---------------------------------------------------------------------------------------------------


@check(seconds=90)
def laws_of_the_backend(run: Run) -> dict[str, Any]:
    report = run.ga.testing.check_backend("cupy")
    return {"checks": report.total, "left out": list(report.left_out[next(iter(report.left_out))])}


@check(seconds=90)
def gradient_cases(run: Run) -> dict[str, Any]:
    """The gradient cases of the tests, as many as the time reaches."""
    folder = importlib.import_module("gradient_cases").__path__
    names = [module.name for module in pkgutil.iter_modules(folder)]
    cases = [case for name in names for case in importlib.import_module(f"gradient_cases.{name}").CASES]
    end = time.monotonic() + (70 if not run.options.stand_in else 3)
    wrong, checked = [], 0
    for case in cases:
        if time.monotonic() > end:
            break
        checked += 1
        try:
            run.ga.testing.check_grads(
                lambda *arrays, case=case: case.f(run.ga, *arrays), case.args, order=case.order, device=run.device
            )
        except Exception as error:
            wrong.append(f"{case}: {type(error).__name__}: {str(error).splitlines()[0][:200]}")
    expect(not wrong, f"{len(wrong)} of {checked} are wrong: {wrong[:20]}")
    return {"checked": checked, "of": len(cases)}


@check(seconds=200)
def official_suite(run: Run) -> dict[str, Any]:
    if run.options.suite is None:
        return {"left out": "no --suite was given"}
    command = [sys.executable, str(HERE / "run.py"), "--suite", str(run.options.suite), "--device", str(run.device)]
    command += ["--max-examples", str(run.options.max_examples), "--no-results"]
    command += ["--processes", str(min(8, os.cpu_count() or 1))]
    if run.options.stand_in:
        command += ["--stand-in", "-k", "fft"]
    output = subprocess.run(
        command, capture_output=True, text=True, timeout=190, check=False, env=environment(run.path)
    )
    summary = [line for line in output.stdout.splitlines() if "passed" in line or line.startswith("  failed")]
    expect(output.returncode == 0, "; ".join(summary[-40:]) or (output.stdout + output.stderr)[-1000:])
    return {"counts": summary[-1]}


@check(seconds=20)
def poison(run: Run) -> dict[str, Any]:
    """What breaks the device's context in CuPy itself must not: each in a process of its own."""
    prelude = (
        f"import gradarray as ga\n"
        f"d = {str(run.device)!r}\n"
        "def alive(): assert ga.sum(ga.ones(3, device=d)).item() == 3.0; print('alive')\n"
    )
    programs = {
        "adding into nothing": (
            "x = ga.zeros((0, 3), device=d, requires_grad=True)\n"
            "ga.sum(x[ga.zeros(0, dtype=ga.int64, device=d)]).backward()\nalive()"
        ),
        "indices out of bounds": (
            "x = ga.zeros(3, device=d)\ntry: x[ga.asarray([0, 10**9], device=d)]\nexcept ga.IndexingError: alive()"
        ),
        "a singular matrix": ("try: ga.linalg.inv(ga.zeros((3, 3), device=d))\nexcept ga.LinearAlgebraError: alive()"),
        "sorting nothing": "ga.sort(ga.zeros((0, 3), device=d), axis=0); ga.argsort(ga.zeros(0, device=d)); alive()",
    }
    if run.torch:
        programs["a negative stride for PyTorch"] = (
            "import torch\nassert torch.from_dlpack(ga.arange(3, device=d)[::-1]).tolist() == [2, 1, 0]; alive()"
        )
    found = {name: run.python(prelude + code) for name, code in programs.items()}
    bad = {name: result for name, result in found.items() if result != (0, "alive")}
    expect(not bad, f"{bad}")
    return dict.fromkeys(found, "alive")


# --- exchange --------------------------------------------------------------------------------------------------------


@check(seconds=15)
def exchange_with_torch(run: Run) -> dict[str, Any]:
    """DLPack both ways, by pointer, for every dtype and layout."""
    torch, ga = run.torch, run.ga
    if torch is None:
        return {"left out": "there is no PyTorch with CUDA here"}
    found: dict[str, Any] = {}
    for dtype in ga.__array_namespace_info__().dtypes(device=run.device):
        x = ga.ones((3, 4), dtype=getattr(ga, dtype), device=run.device)
        t = torch.from_dlpack(x)
        back = ga.from_dlpack(t)
        expect(t.data_ptr() == x._data.data.ptr == back._data.data.ptr, f"{dtype} was copied on the way")
        expect(back.dtype == x.dtype, f"{dtype} came back as {back.dtype}")
        found[dtype] = str(t.dtype)
    whole = ga.reshape(ga.arange(12.0, device=run.device), (3, 4))
    for name, x in {"transposed": whole.T, "strided": whole[::2, 1::2], "0-d": whole[0, 0], "empty": whole[:0]}.items():
        t = torch.from_dlpack(x)
        expect(t.cpu().numpy().tolist() == x.to_device("cpu").tolist(), f"{name}: other values")
        expect(not x.size or t.data_ptr() == x._data.data.ptr, f"{name}: copied on the way")
    try:
        ga.from_dlpack(torch.ones(3, device="cuda", requires_grad=True))
    except ga.ExportError:
        found["requires_grad"] = "refused"
    else:
        raise Fault("a tensor that requires grad was taken without a word")
    return found


@check(seconds=15)
def order_of_streams(run: Run) -> dict[str, Any]:
    """Backward under a slow kernel, from another stream than forward's: never a wrong gradient."""
    ga, cupy, np = run.ga, run.cupy, run.np
    values = np.linspace(-1.0, 1.0, 1 << 16)
    wrong = 0
    for _ in range(5):
        one, other = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
        x = run.array(values, requires_grad=True)
        run.synchronize()
        with one:
            run.busy(20)
            first = x * x * ga.exp(x)
        with other:
            run.busy(10)
            second = ga.sin(x)
        cupy.cuda.Stream.null.wait_event(one.record())
        cupy.cuda.Stream.null.wait_event(other.record())
        y = ga.sum(first + second)
        with cupy.cuda.Stream(non_blocking=True):
            y.backward()
            g = x.grad.to_device("cpu").numpy()
        expected = (2 * values + values**2) * np.exp(values) + np.cos(values)
        wrong += not np.allclose(g, expected)
    expect(not wrong, f"{wrong} of 5 gradients are wrong")
    found: dict[str, Any] = {"gradients": "right"}
    if run.torch:
        races = 0
        for _ in range(5):
            with cupy.cuda.Stream(non_blocking=True):
                x = ga.zeros(1 << 20, device=run.device)
                run.busy(10)
                x += 1.0
                stream = run.torch.cuda.Stream()
                with run.torch.cuda.stream(stream):
                    total = run.torch.from_dlpack(x).sum()
                stream.synchronize()
                races += float(total) != float(1 << 20)
        expect(not races, f"PyTorch read too early {races} times of 5")
        found["export to PyTorch"] = "ordered"
    return found


@check(seconds=10)
def order_of_torch_streams(run: Run) -> dict[str, Any]:
    """The same with PyTorch's tensors beneath."""
    torch, ga, np = run.torch, run.ga, run.np
    if torch is None:
        return {"left out": "there is no PyTorch with CUDA here"}
    values = np.linspace(-1.0, 1.0, 1 << 16)
    wrong = 0
    for _ in range(5):
        x = ga.asarray(values, device="torch:cuda:0", requires_grad=True)
        side, main = torch.cuda.Stream(), torch.cuda.current_stream()
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000)
            y = x * x * ga.exp(x)
        main.wait_stream(side)
        total = ga.sum(y)
        with torch.cuda.stream(torch.cuda.Stream()):
            total.backward()
            g = x.grad.to_device("cpu").numpy()
        wrong += not np.allclose(g, (2 * values + values**2) * np.exp(values))
    expect(not wrong, f"{wrong} of 5 gradients are wrong")
    return {"gradients": "right"}


@check(seconds=10)
def pinned_memory(run: Run) -> dict[str, Any]:
    """Pinned memory that is written right after it was handed over."""
    if run.options.stand_in:
        return {"left out": "the tests do it on the stand-in"}
    import cupyx  # type: ignore[import-not-found]

    wrong = 0
    for _ in range(5):
        source = cupyx.empty_pinned((1 << 20,))
        source[...] = 1.0
        run.busy(10)
        x = run.array(source)
        source[...] = 50.0
        wrong += float(run.ga.max(x).item()) != 1.0
    expect(not wrong, f"{wrong} of 5 arrays have what was written later")
    return {"arrays": "right"}


# --- speed -----------------------------------------------------------------------------------------------------------


@check(seconds=30)
def transfers(run: Run) -> dict[str, Any]:
    """Bandwidths to and from the device beside CuPy's own, and beside pinned memory, in GB/s."""
    cupy, np = run.cupy, run.np
    size = (1 << 26) if not run.options.stand_in else 1 << 10
    host, x = np.ones(size, np.float32), run.array(np.ones(size, np.float32))

    def rate(function: Callable[[], Any]) -> float:
        best = float("inf")
        for _ in range(4):
            run.synchronize()
            start = time.perf_counter()
            function()
            run.synchronize()
            best = min(best, time.perf_counter() - start)
        return round(host.nbytes / best / 1e9, 2)

    found = {
        "to the device": rate(lambda: run.array(host)),
        "to the device, CuPy": rate(lambda: cupy.asarray(host)),
        "from the device": rate(lambda: x.to_device("cpu")),
        "from the device, CuPy": rate(lambda: x._data.get()),
    }
    if not run.options.stand_in:
        import cupyx

        pinned = cupyx.empty_pinned(host.shape, host.dtype)
        found["from the device into pinned memory, CuPy"] = rate(lambda: x._data.get(out=pinned))
        found["to the device from pinned memory, CuPy"] = rate(lambda: x._data.set(pinned))
    return found


@check(seconds=40)
def overhead(run: Run) -> dict[str, Any]:
    """Microseconds of one operation on a small array: gradarray's, CuPy's, PyTorch's."""
    ga, cupy, torch = run.ga, run.cupy, run.torch
    values = run.np.linspace(0.1, 1.0, 16, dtype=run.np.float32)
    x, raw = run.array(values), cupy.asarray(values)
    t = torch.asarray(values, device="cuda") if torch else None
    m, raw_m = ga.reshape(x, (4, 4)), raw.reshape(4, 4)
    tracked = x.detach().requires_grad_()
    index, raw_index = run.array([0, 3, 5]), cupy.asarray([0, 3, 5])
    rows: dict[str, tuple[Callable[[], Any], ...]] = {
        "multiply": (lambda: x * x, lambda: raw * raw, lambda: t * t),
        "multiply by a number": (lambda: x * 2.0, lambda: raw * 2.0, lambda: t * 2.0),
        "multiply, recorded": (lambda: tracked * tracked, lambda: raw * raw, lambda: t * t),
        "exp": (lambda: ga.exp(x), lambda: cupy.exp(raw), lambda: torch.exp(t)),
        "sum": (lambda: ga.sum(x), lambda: cupy.sum(raw), lambda: torch.sum(t)),
        "matmul": (lambda: m @ m, lambda: raw_m @ raw_m, lambda: t.reshape(4, 4) @ t.reshape(4, 4)),
        "slice": (lambda: x[2:5], lambda: raw[2:5], lambda: t[2:5]),
        "reshape": (lambda: ga.reshape(x, (4, 4)), lambda: raw.reshape(4, 4), lambda: t.reshape(4, 4)),
        "maximum": (lambda: ga.maximum(x, x), lambda: cupy.maximum(raw, raw), lambda: torch.maximum(t, t)),
        "indices": (lambda: x[index], lambda: raw[raw_index], lambda: t[:3]),
    }
    found = {}
    for name, functions in rows.items():
        times = [run.microseconds(function) for function in functions[: 3 if torch else 2]]
        found[name] = dict(zip(("gradarray", "cupy", "torch"), times, strict=False))
    return found


@check(seconds=40)
def training_step(run: Run) -> dict[str, Any]:
    """A step of a wide network: milliseconds beside PyTorch's, and the gradients beside those on the host."""
    ga, np = run.ga, run.np
    width = 1024 if not run.options.stand_in else 16
    rng = np.random.default_rng(0)
    data = rng.standard_normal((width, width)).astype(np.float32)
    weights = [(rng.standard_normal((width, width)) / width**0.5).astype(np.float32) for _ in range(3)]

    def loss(x: Any, parameters: list[Any]) -> Any:
        for w in parameters[:-1]:
            x = ga.maximum(x @ w, 0.0)
        return ga.mean((x @ parameters[-1]) ** 2)

    def step(device: Any) -> list[Any]:
        parameters = [ga.asarray(w, device=device, requires_grad=True) for w in weights]
        loss(ga.asarray(data, device=device), parameters).backward()
        return parameters

    here, there = step(run.device), step("cpu")
    for p, q in zip(here, there, strict=True):
        g, h = p.grad.to_device("cpu").numpy(), q.grad.numpy()
        expect(float(abs(g - h).max()) < 1e-4 * float(abs(h).max()), "the gradients are not those of the host")
    x = run.array(data)

    def timed() -> None:
        for p in here:
            p.grad = None
        loss(x, here).backward()

    found = {"gradarray, ms": milliseconds(run, timed)}
    before = run.ga.memory_info(run.device).used
    for _ in range(5):
        timed()
    after = run.ga.memory_info(run.device).used
    expect(after <= before, f"each step leaves memory behind: {before} bytes became {after}")
    if run.torch:
        torch = run.torch
        tensors = [torch.asarray(w, device="cuda").requires_grad_() for w in weights]
        tx = torch.asarray(data, device="cuda")

        def torch_step() -> None:
            y = tx
            for w in tensors[:-1]:
                y = torch.relu(y @ w)
            for w in tensors:
                w.grad = None
            ((y @ tensors[-1]) ** 2).mean().backward()
            torch.cuda.synchronize()

        found["PyTorch, ms"] = milliseconds(run, torch_step)
    return found


def milliseconds(run: Run, function: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(10):
        run.synchronize()
        start = time.perf_counter()
        function()
        run.synchronize()
        best = min(best, time.perf_counter() - start)
    return round(best * 1e3, 3)


@check(seconds=15)
def precision(run: Run) -> dict[str, Any]:
    """Relative errors of a float32 product, exact and fast."""
    ga, np = run.ga, run.np
    values = np.random.default_rng(0).standard_normal((256, 256)).astype(np.float32)
    exact = values.astype(np.float64) @ values.astype(np.float64)
    found = {}
    try:
        for name in ("highest", "high"):
            ga.set_float32_matmul_precision(name)
            x = run.array(values)
            error = abs((x @ x).to_device("cpu").numpy() - exact).max() / abs(exact).max()
            found[name] = f"{error:.1e}"
            expect(error < (1e-5 if name == "highest" else 1e-2), f"with {name!r} the error is {error:.1e}")
    finally:
        ga.set_float32_matmul_precision("highest")
    return found


# --- running ---------------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    with importable(options) as path:
        if options.stand_in:
            importlib.import_module("tests.cupy_stand_in").install()
        run = Run(options, path)
        warnings.simplefilter("ignore")
        for name, seconds, function in CHECKS:
            if options.only and name not in options.only:
                continue
            start = time.monotonic()
            if run.left < min(seconds, 20):
                outcome: dict[str, Any] = {"outcome": "left out", "found": "no time was left"}
            else:
                outcome = attempt(run, function)
            outcome["seconds"] = round(time.monotonic() - start, 1)
            run.found[name] = outcome
            options.out.write_text(json.dumps(run.found, indent=2, default=str) + "\n", encoding="utf-8")
            print(f"[{time.monotonic() - run.started:5.0f} s] {name}: {outcome['outcome']}", flush=True)
        print(table(run.found))
        return int(any(outcome["outcome"] not in ("well", "left out") for outcome in run.found.values()))


def attempt(run: Run, function: Callable[[Run], dict[str, Any]]) -> dict[str, Any]:
    try:
        found = function(run)
    except AssertionError as error:
        return {"outcome": "FAULT", "found": str(error)[:4000]}
    except Exception as error:
        where = traceback.format_exc().splitlines()[-12:]
        return {"outcome": "ERROR", "found": f"{type(error).__name__}: {error}"[:1000], "where": where}
    return {"outcome": "left out" if "left out" in found and len(found) == 1 else "well", "found": found}


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("gpu.json"), help="where what was found is written")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--suite", type=Path, help="checkout of data-apis/array-api-tests, for the official suite")
    parser.add_argument("--max-examples", type=int, default=5, help="of the official suite")
    parser.add_argument("--packages", type=Path, help="folder of packages to import that are not installed")
    parser.add_argument("--only", nargs="*", help="names of checks")
    parser.add_argument("--stand-in", action="store_true", help="without a GPU, to try the script")
    return parser.parse_args(arguments)


def table(found: dict[str, Any]) -> str:
    lines = [""]
    for name, outcome in found.items():
        lines.append(f"{name:<24} {outcome['outcome']:<9} {outcome['seconds']:6.1f} s")
        details = outcome["found"] if isinstance(outcome["found"], dict) else {"": outcome["found"]}
        lines += [f"    {key}: {value}"[:160] for key, value in details.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
