"""The table of derivatives in the documentation: made here, by trying each entry, and compared with what stands there.

``GRADARRAY_WRITE=1 pytest tests/test_derivative_table.py`` writes it anew.
"""

import importlib
import os
import pkgutil
from pathlib import Path

import gradient_cases
import numpy as np
import pytest
from gradient_cases import Case

import gradarray as ga
from gradarray import _operations
from gradarray.testing import check_grads

PAGE = Path(__file__).parents[1] / "docs" / "derivatives.md"
#: Each way to a derivative, outermost mode first.
PATHS = (("rev",), ("fwd",), ("rev", "rev"), ("fwd", "rev"), ("rev", "fwd"), ("fwd", "fwd"))

CASES = {}
for _module in pkgutil.iter_modules(gradient_cases.__path__):
    for _case in importlib.import_module(f"gradient_cases.{_module.name}").CASES:
        if _case.order >= 2 and all(np.size(x) for x in _case.args):
            CASES.setdefault(_case.op, []).append(_case)


def operations():
    """The name of every operation of the namespace with a derivative, its own or that of what it is made of."""
    for prefix, namespace in (("", ga), ("linalg.", ga.linalg), ("fft.", ga.fft)):
        for name in namespace.__all__:
            known = _operations.OPERATIONS.get(getattr(namespace, name)) if callable(getattr(namespace, name)) else None
            # A few functions of linalg are those of the main namespace.
            if known is None or (prefix and getattr(ga, name, None) is getattr(namespace, name)):
                continue
            if known.statement == "derivative" or (known.statement == "composite" and prefix + name in CASES):
                yield prefix + name, known
    yield "x[...]", _operations.OPERATIONS[importlib.import_module("gradarray.ops._extras").getitem]


def is_complex(case):
    return any(np.asarray(x).dtype.kind == "c" for x in case.args)


def real_case(name):
    cases = [case for case in CASES["getitem" if name == "x[...]" else name] if not is_complex(case)]
    return min(cases, key=lambda case: sum(np.size(x) for x in case.args)) if cases else None


def complex_case(name):
    """A case of complex numbers; None if the operation does not take them."""
    cases = [case for case in CASES["getitem" if name == "x[...]" else name] if is_complex(case)]
    if cases:
        return min(cases, key=lambda case: sum(np.size(x) for x in case.args))
    real = real_case(name)
    rng = np.random.default_rng(0)
    case = Case(real.op, real.f, tuple(x + 1j * rng.uniform(0.2, 0.7, np.shape(x)) for x in real.args))
    try:
        y = case.f(ga, *[ga.asarray(x, requires_grad=True) for x in case.args])
    except (ga.DTypeError, ga.ArgumentTypeError):
        return None
    assert y.requires_grad
    return case


def holds(case, path):
    """Whether the derivative of a case along a path agrees with finite differences."""
    args = [np.asarray(x) for x in case.args]
    f = differentiated(lambda *arrays: case.f(ga, *arrays), args, path[1:])
    try:
        for g in f:
            check_grads(g, args, order=1, modes=path[:1], rtol=1e-4, atol=1e-5)
    except AssertionError:
        return False
    return True


def differentiated(f, args, path):
    """The function itself, or its derivatives in one mode: one for each argument."""
    if not path:
        return [f]
    rng = np.random.default_rng(1)
    arrays = [ga.asarray(x, copy=True) for x in args]
    y = f(*arrays)
    cotangent = ga.astype(ga.asarray(rng.uniform(0.5, 1.5, y.shape)), y.dtype)
    tangents = [ga.asarray(rng.uniform(0.5, 1.5, x.shape).astype(x.dtype)) for x in args]
    if path == ("fwd",):
        return [lambda *points: ga.jvp(f, points, tangents)[1]]
    return [lambda *points, n=n: ga.vjp(f, *points)[1](cotangent)[n] for n in range(len(args))]


@pytest.fixture(scope="module")
def table():
    """For each operation its statement, and for real and for complex numbers which entries hold; None if not taken."""
    rows = {}
    for name, known in operations():
        cases = real_case(name), complex_case(name)
        rows[name] = known, [None if case is None else [holds(case, path) for path in PATHS] for case in cases]
    return rows


def page(table):
    """The text of the page."""
    entries = [holds for _, kinds in table.values() for row in kinds if row is not None for holds in row]
    head = ["rev", "fwd", "rev rev", "fwd rev", "rev fwd", "fwd fwd"]
    lines = [
        "# Table of derivatives",
        "",
        "Every operation of the standard that has a derivative, in both modes and to second order. `rev` is the",
        "gradient that `backward()` and `vjp` carry back, `fwd` the derivative along a direction that `jvp` pushes",
        "forward; `fwd rev` is the forward derivative of a gradient, and so on. All come from one rule for each input.",
        "",
        "Each entry is compared with central finite differences in double precision. A test makes this page, and fails",
        "if it differs. `yes` stands for agreement, `-` for complex numbers where an operation takes none. A composite",
        "is made of other operations and has their derivatives. The rule says how it is transposed for forward mode:",
        "see [how a rule is written](add_an_op.md).",
        "",
        f"{sum(entries)} of {len(entries)} entries hold, for {len(table)} operations.",
        "",
        "Comparisons, counts, indices, `floor`, `round` and their like are constants: see",
        "[conventions](conventions.md).",
        "Another test draws shapes at random: 0-d, empty, broadcast, in stacks.",
        "",
        "| operation | rule | real: " + " | ".join(head) + " | complex: " + " | ".join(head) + " |",
        "| --- " * (2 + 2 * len(head)) + "|",
    ]
    for name, (known, kinds) in table.items():
        rule = "composite" if known.statement == "composite" else known.kind or "own"
        marks = [
            mark
            for row in kinds
            for mark in (["-"] * len(head) if row is None else ["yes" if found else "**no**" for found in row])
        ]
        lines.append(f"| `{name}` | {rule} | " + " | ".join(marks) + " |")
    lines += [
        "",
        "The page is written anew by `GRADARRAY_WRITE=1 pytest tests/test_derivative_table.py`.",
        "",
    ]
    return "\n".join(lines)


def test_every_entry_holds(table):
    gaps = [
        (name, kind, " of ".join(path))
        for name, (_, kinds) in table.items()
        for kind, row in zip(("real", "complex"), kinds, strict=True)
        if row is not None
        for path, found in zip(PATHS, row, strict=True)
        if not found
    ]
    assert gaps == []
    assert len(table) > 110


def test_page_is_up_to_date(table):
    text = page(table)
    if os.environ.get("GRADARRAY_WRITE") == "1":
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "write it anew: GRADARRAY_WRITE=1 pytest " + __file__


def case_of(rule):
    """A case of the sine with another rule."""

    @ga.autograd.custom_rule(x=rule, kind="elementwise")
    def sine(x, /):
        return ga.sin(x)

    return Case("sine", lambda xp, x: sine(x), (np.asarray([0.5, 1.0]),))


def test_gaps_are_found():
    right = case_of(lambda xp, g, x: g * xp.cos(x))
    assert all(holds(right, path) for path in PATHS)
    wrong = case_of(lambda xp, g, x: g * xp.cos(x) * 1.001)
    assert not any(holds(wrong, path) for path in PATHS[:2])
    # Right at first order only: the derivative of the cosine is cut off.
    cut = case_of(lambda xp, g, x: g * xp.cos(ga.stop_gradient(x) if isinstance(x, ga.Array) else x))
    assert [holds(cut, path) for path in PATHS] == [True, True, False, False, False, False]
