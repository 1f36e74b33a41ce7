"""Every derivative against finite differences, to second order, on every backend."""

from __future__ import annotations

import importlib
import pkgutil

import gradient_cases
import pytest

import gradarray as ga
from gradarray.testing import check_grads

CASES = {
    module.name: importlib.import_module(f"gradient_cases.{module.name}").CASES
    for module in pkgutil.iter_modules(gradient_cases.__path__)
}


# At equal singular values the polar factor is smooth, but that cannot be told from its cotangents.
@pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning")
@pytest.mark.parametrize("device", ["cpu", "strict:device1"])
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{name}-{case}") for name, cases in CASES.items() for case in cases],
)
def test_derivative_agrees_with_finite_differences(case, device):
    check_grads(lambda *arrays: case.f(ga, *arrays), case.args, order=case.order, device=device)
