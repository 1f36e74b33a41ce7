"""Hold the CuPy backend, and the stand-in for CuPy, to what the real library looks like. It needs no driver.

Run by ``tests/test_cupy_contract.py`` in a process of its own: the real library and the stand-in have one name. Prints
what does not fit, a line each, and then how much was looked at.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import array_api_compat.cupy as xp
import cupy
import cupyx
import numpy as np
from cupy._core import _routines_linalg
from cupy.cuda import runtime

TESTS = Path(__file__).parent
BACKEND = TESTS.parent / "backends" / "gradarray_cupy"
#: What the names in the backend's source stand for.
ROOTS: dict[str, Any] = {
    "cupy": cupy,
    "cupyx": cupyx,
    "xp": xp,
    "xp_linalg": xp.linalg,
    "xp_fft": xp.fft,
    "runtime": runtime,
    "routines": _routines_linalg,
}
#: Attributes of objects that only exist on a device, by the class that has them.
MEMBERS = {
    cupy.ndarray: (
        "astype base conj conjugate copy data device dtype flags get itemsize nbytes ndim real reshape shape size "
        "strides transpose view __dlpack__ __dlpack_device__ __setitem__"
    ),
    cupy.cuda.MemoryPointer: "device_id mem ptr __add__",
    cupy.cuda.UnownedMemory: "ptr device_id",
    cupy.cuda.Device: "id mem_info synchronize __enter__ __exit__",
    cupy.cuda.Stream: "record wait_event synchronize null __enter__ __exit__",
    cupy.cuda.Event: "record",
}
KINDS = {"?": 0, **dict.fromkeys("bBhHiIlLqQ", 1), **dict.fromkeys("eEfd", 2), **dict.fromkeys("FD", 3)}

problems: list[str] = []
looked_at = 0


def check(fits: bool, problem: str) -> None:
    global looked_at
    looked_at += 1
    if not fits:
        problems.append(problem)


# --- the backend's source --------------------------------------------------------------------------------------------


def source_trees() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(BACKEND.glob("*.py")):
        yield path.name, ast.parse(path.read_text(encoding="utf-8"))


def resolved(node: ast.AST) -> tuple[str, Any] | None:
    """The dotted name of an expression and what it stands for; None if it does not begin with the library."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in ROOTS or not names:
        return None
    found, dotted = ROOTS[node.id], node.id
    for name in reversed(names):
        dotted += f".{name}"
        if not hasattr(found, name):
            return dotted, None
        found = getattr(found, name)
    return dotted, found


def names_and_signatures() -> None:
    for file, tree in source_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                known = resolved(node)
                check(known is None or known[1] is not None, f"{file}:{node.lineno}: there is no {known and known[0]}")
            if isinstance(node, ast.Call) and (known := resolved(node.func)) and known[1] is not None:
                check(takes(known[1], node), f"{file}:{node.lineno}: {known[0]} does not take {ast.unparse(node)}")


def takes(function: Any, call: ast.Call) -> bool:
    """Whether a function's signature has room for the arguments of a call; True where it does not show one."""
    if any(isinstance(part, ast.Starred) for part in call.args) or any(part.arg is None for part in call.keywords):
        return True
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*call.args, **{str(part.arg): part.value for part in call.keywords})
    except TypeError:
        return False
    return True


def members() -> None:
    for owner, names in MEMBERS.items():
        for name in names.split():
            check(hasattr(owner, name), f"{owner.__name__} has no {name}")


def facts() -> None:
    """What the backend's code relies on without a name."""
    check(cupy.cuda.Device.__hash__ is None, "devices are hashable")
    null = cupy.cuda.Stream.null
    check((null.ptr, null.device_id) == (0, -1), "the null stream has an address, or a device")
    check(isinstance(cupy.ndarray, type), "arrays are not of one class")
    check(issubclass(runtime.CUDARuntimeError, RuntimeError), "an error of the runtime is no RuntimeError")
    check(issubclass(cupy.cuda.memory.OutOfMemoryError, MemoryError), "being out of memory is no MemoryError")
    check(cupy.add is xp.add and cupy.matmul is not None, "the namespace has functions of its own for add")
    for name in ("equal_nan", "return_inverse"):
        check(name in inspect.signature(cupy.unique).parameters, f"cupy.unique has no {name}")


def kernels() -> None:
    """Every kernel is found, on a machine that pretends to have one device."""
    import gradarray as ga

    count, runtime_module = runtime.getDeviceCount, sys.modules["gradarray_cupy._backend"].runtime
    runtime_module.getDeviceCount = lambda: 1
    try:
        backend = sys.modules["gradarray_cupy"].CuPyBackend()
    finally:
        runtime_module.getDeviceCount = count
    composite = {name for name in ga.__all__ if inspect.isclass(getattr(ga, name))}
    for module, names in ((ga, ga.__all__), (ga.linalg, ga.linalg.__all__), (ga.fft, ga.fft.__all__)):
        for name in names:
            if name in composite or not callable(getattr(module, name)) or not hasattr(xp, name):
                continue
            try:
                found = callable(backend.kernel(name))
            except AttributeError as error:
                found = False
                print(error)
            check(found, f"there is no kernel {name}")


def special_functions() -> None:
    """What is taken for SciPy's special functions are functions of each element."""
    import gradarray.scipy.special  # noqa: F401 - fills the table
    from gradarray._kernels import BEYOND

    theirs = importlib.import_module("cupyx.scipy.special")
    for name in [name.partition(".")[2] for name in BEYOND if name.startswith("special.")]:
        found = getattr(theirs, name, None)
        # The first is made of ufuncs; the others have kernels of our own.
        known = name in ("polygamma", "lambertw", "spherical_yn")
        check(found is None or known or isinstance(found, cupy.ufunc), f"cupyx.scipy.special.{name} is no ufunc")


# --- the stand-in ----------------------------------------------------------------------------------------------------


def stand_in() -> None:
    sys.path.insert(0, str(TESTS))
    from cupy_stand_in import _arrays, _devices, _fft, _functions, _linalg, _memory, _special

    rooms: list[tuple[str, ModuleType | Any, dict[str, Any]]] = [
        ("cupy", cupy, _functions.NAMESPACE),
        ("cupy.linalg", cupy.linalg, _linalg.NAMESPACE),
        ("cupy.fft", cupy.fft, _fft.NAMESPACE),
        ("cupy.cuda", cupy.cuda, _memory.NAMESPACE),
        ("cupy.cuda.runtime", runtime, _devices.RUNTIME),
        ("cupyx.scipy.special", importlib.import_module("cupyx.scipy.special"), _special.NAMESPACE),
        ("cupyx", cupyx, {"errstate": _linalg.errstate, "scatter_add": _functions.scatter_add}),
    ]
    for where, real, pretended in rooms:
        for name, own in pretended.items():
            check(hasattr(real, name), f"the stand-in has {where}.{name}, the library has not")
            if hasattr(real, name) and inspect.isfunction(own):
                check(same_parameters(getattr(real, name), own), f"{where}.{name} has other parameters")
    for name in ("Device", "Event", "Stream", "get_current_stream"):
        check(hasattr(cupy.cuda, name), f"there is no cupy.cuda.{name}")
    for owner, own in ((cupy.ndarray, _arrays.ndarray), (cupy.cuda.Stream, _devices.Stream)):
        for name in vars(own):
            if not name.startswith("_") and name != "all":
                check(hasattr(owner, name), f"the stand-in's {own.__name__} has {name}, the library's has not")
    for name, own in _functions.ufuncs.items():
        if isinstance(own, _functions.ufunc):
            letters = {letter for loop in getattr(cupy, name).types for letter in loop.split("->")[0]}
            highest = max(KINDS[letter] for letter in letters if letter in KINDS)
            check(highest == {"i": 1, "f": 2, "c": 3}[own._highest], f"{name} takes kinds up to {highest}")


def same_parameters(real: Any, own: Any) -> bool:
    try:
        theirs = inspect.signature(real).parameters
    except (TypeError, ValueError):
        return True
    ours = inspect.signature(own).parameters
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in (*ours.values(), *theirs.values())):
        return True  # it hands on what it gets
    return set(ours) <= set(theirs) and [name for name in ours if name in theirs] == [n for n in theirs if n in ours]


if __name__ == "__main__":
    assert "stand.in" not in cupy.__version__
    assert np.dtype("float32") == cupy.dtype("float32")
    import gradarray_cupy  # noqa: F401

    for part in (names_and_signatures, members, facts, kernels, special_functions, stand_in):
        part()
    print("\n".join([*problems, f"CuPy {cupy.__version__}: {looked_at} looked at, {len(problems)} problems"]))
    sys.exit(bool(problems))
