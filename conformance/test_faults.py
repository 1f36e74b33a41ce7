"""The faults that `blind_spots.py` puts in: that the list is whole, and that the value tests see some of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import _faults, _spec, test_values_creation, test_values_fft, test_values_linalg, test_values_reductions
from ._arrays import array, ga
from ._cases import check
from ._draw import SeededDraw

_TABLES = (test_values_creation, test_values_fft, test_values_linalg, test_values_reductions)
_CASES = {case.name: case for table in _TABLES for case in table.CASES.cases.values()}


def test_the_list_is_whole() -> None:
    faults = _faults.listed()
    assert len(faults) == len(set(faults)) == 98
    assert {fault.function for fault in faults} <= set(_spec.names("main", "linalg", "fft"))
    assert set(map(str, faults)) <= set(map(str, _faults.everything())) | {"main.empty:value"}


@pytest.mark.parametrize(
    "fault",
    [
        _faults.Fault("main.tril"),
        _faults.Fault("main.tril", "k"),
        _faults.Fault("main.searchsorted", "side"),
        _faults.Fault("main.std", "correction"),
        _faults.Fault("linalg.svd"),
        _faults.Fault("linalg.pinv", "rtol"),
        _faults.Fault("fft.hfft", "norm"),
    ],
    ids=str,
)
def test_a_fault_is_seen(fault: _faults.Fault, device: str) -> None:
    case = _CASES[fault.function]
    calls = [case.draw(SeededDraw(seed)) for seed in range(40)]
    for drawn in calls:
        check(case, drawn, device)
    with _faults.put_in(fault), pytest.raises(AssertionError):
        for drawn in calls:
            check(case, drawn, device)


def test_a_fault_is_taken_out_again() -> None:
    right = ga.linalg.det
    with pytest.raises(ZeroDivisionError), _faults.put_in(_faults.Fault("linalg.det")):
        assert float(ga.linalg.det(array(np.eye(2)))) == 2.0
        raise ZeroDivisionError
    assert ga.linalg.det is right


def test_lists_of_expected_failures_are_empty() -> None:
    lists = list(Path(__file__).parent.glob("xfails-*.txt"))
    assert lists
    assert [path.name for path in lists if path.read_text(encoding="utf-8").strip()] == []
