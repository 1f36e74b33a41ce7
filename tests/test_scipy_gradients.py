"""Every derivative of `gradarray.scipy` against finite differences, to second order, on every backend."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
import scipy_cases

import gradarray as ga
from gradarray.testing import check_grads

CASES = {
    module.name: importlib.import_module(f"scipy_cases.{module.name}").CASES
    for module in pkgutil.iter_modules(scipy_cases.__path__)
}
#: Rooms that are made of public functions, but for these operations.
COMPOSITES = ("integrate", "ndimage", "optimize", "signal", "stats")
PRIMITIVES = ("signal.recursion",)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{name}-{case}") for name, cases in CASES.items() for case in cases],
)
def test_derivative_agrees_with_finite_differences(case, device):
    # What is made of public functions has its second derivatives from theirs, which are checked on every backend.
    made = case.op.split(".")[0] in COMPOSITES and case.op not in PRIMITIVES
    order = 1 if made and device != "cpu" else case.order
    check_grads(lambda *arrays: case.f(ga.scipy, *arrays), case.args, order=order, device=device)


#: What has no derivative of its own to check: constants, other names, classes whose methods have cases, and functions
#: of the standard under SciPy's name. Minima that are found to half of the digits have no differences to compare with:
#: `test_scipy_optimize` has their derivatives by formulas.
WITHOUT_A_CASE = {
    "integrate": {"OdeSolution"},
    "linalg": set("det eigh eigvalsh inv norm pinv svd svdvals cho_factor".split()),
    "optimize": set("curve_fit least_squares minimize_scalar".split()),
    "special": {"digamma", "gammasgn", "zetac"},
}


@pytest.mark.parametrize("room", ga.scipy.__all__)
def test_every_function_has_a_case(room):
    public = set(getattr(ga.scipy, room).__all__) - WITHOUT_A_CASE.get(room, set())
    tried = {case.op.split(".")[1] for case in CASES[room]}
    assert public - tried == set()
