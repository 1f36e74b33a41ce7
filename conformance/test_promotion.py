"""The standard's promotion table, through everything that promotes; and the rule where the standard has none.

Outside of the table, mixed kinds are NumPy's lattice, on every device: the result can hold both kinds. Python numbers
never widen an array of their own or of a higher kind.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from . import _spec
from ._arrays import array, ga, host

NAMES = list(_spec.DTYPES)
PAIRS = list(_spec.PROMOTIONS)
_RANKS = {"bool": 0, "signed integer": 1, "unsigned integer": 1, "real floating": 2, "complex floating": 3}
MIXED = [pair for pair in product(NAMES, NAMES) if pair not in _spec.PROMOTIONS]
SHAPES = [((2,), (2,)), ((), (2,)), ((2,), ()), ((), ())]


def _ones(name: str, shape: tuple[int, ...], device: str) -> Any:
    return array(np.ones(shape, name), device)


def _numeric(first: str, second: str) -> bool:
    return (first, second) != ("bool", "bool")


#: Each takes two arrays of ones; the values of the results are known, and must not be changed by the promotion.
THROUGH: dict[str, tuple[Callable[[Any, Any], Any], Callable[[str, str], bool], Any]] = {
    "add": (lambda x1, x2: ga.add(x1, x2), _numeric, 2),
    "operator": (operator.mul, _numeric, 1),
    "maximum": (
        lambda x1, x2: ga.maximum(x1, x2),
        lambda first, second: _numeric(first, second) and "complex" not in first + second,
        1,
    ),
    "concat": (lambda x1, x2: ga.concat([ga.reshape(x1, (-1,)), ga.reshape(x2, (-1,))]), lambda *_: True, 1),
    "stack": (lambda x1, x2: ga.stack(ga.broadcast_arrays(x1, x2)), lambda *_: True, 1),
    "where": (lambda x1, x2: ga.where(ga.asarray([True, False], device=x1.device), x1, x2), lambda *_: True, 1),
    "matmul": (lambda x1, x2: ga.matmul(ga.reshape(x1, (1, -1)), ga.reshape(x2, (-1, 1))), _numeric, None),
    "vecdot": (lambda x1, x2: ga.vecdot(*ga.broadcast_arrays(x1, x2, ga.zeros(2, device=x1.device))[:2]), _numeric, 2),
}


def _check(name: str, pair: tuple[str, str], expected: str, device: str) -> None:
    function, applies, value = THROUGH[name]
    if not applies(*pair):
        return
    for shapes in SHAPES:
        if name == "matmul" and shapes[0] != shapes[1]:
            continue
        result = function(_ones(pair[0], shapes[0], device), _ones(pair[1], shapes[1], device))
        assert result.dtype == np.dtype(expected), f"{name} of {pair} with shapes {shapes}: {result.dtype}"
        assert result.device == device
        if value is not None:
            assert np.all(host(result) == value), f"{name} of {pair} with shapes {shapes}"


@pytest.mark.parametrize("name", THROUGH)
def test_table(name: str, device: str) -> None:
    for pair in PAIRS:
        _check(name, pair, _spec.PROMOTIONS[pair], device)


@pytest.mark.parametrize("name", THROUGH)
def test_mixed_kinds(name: str, device: str) -> None:
    for pair in MIXED:
        _check(name, pair, str(np.result_type(*pair)), device)


def test_result_type(device: str) -> None:
    for first, second in product(NAMES, NAMES):
        expected = np.dtype(_spec.PROMOTIONS.get((first, second)) or np.result_type(first, second))
        for shape1, shape2 in SHAPES:
            x1, x2 = _ones(first, shape1, device), _ones(second, shape2, device)
            assert ga.result_type(x1, x2) == expected
            assert ga.result_type(x1, np.dtype(second)) == expected
            assert ga.result_type(np.dtype(first), x2) == expected
        assert ga.result_type(getattr(ga, first), getattr(ga, second)) == expected


def test_result_type_of_several_does_not_depend_on_the_order_of_scalars() -> None:
    assert ga.result_type(1.5, ga.int8, ga.int16) == ga.float64
    assert ga.result_type(ga.float32, 1, 2.5, True) == ga.float32
    assert ga.result_type(1j, ga.float32) == ga.complex64
    assert ga.result_type(1j, ga.float32, ga.float64) == ga.complex128
    assert ga.result_type(1, 2.0) == ga.float64
    assert ga.result_type(True) == ga.bool
    with pytest.raises((TypeError, ValueError)):
        ga.result_type()


# --- in place --------------------------------------------------------------------------------------------------------


def test_in_place_keeps_the_dtype(device: str) -> None:
    for (first, second), expected in _spec.PROMOTIONS.items():
        if "bool" in (first, second):
            continue
        x = _ones(first, (2,), device)
        try:
            x += _ones(second, (2,), device)
        except TypeError:
            assert expected != first, (first, second)
            assert host(x).tolist() == [1, 1], "a refused operation has written"
        else:
            assert host(x).tolist() == [2, 2]
        assert x.dtype == np.dtype(first)


def test_in_place_refuses_a_higher_kind(device: str) -> None:
    for first, second in product(NAMES, NAMES):
        if _RANKS[_spec.KINDS[first]] >= _RANKS[_spec.KINDS[second]]:
            continue
        x = _ones(first, (2,), device)
        with pytest.raises(TypeError):
            x += _ones(second, (2,), device)
            pytest.fail(f"{first} += {second} was not refused")
        assert (x.dtype, host(x).tolist()) == (np.dtype(first), [1, 1])


# --- Python numbers --------------------------------------------------------------------------------------------------

_SCALARS: dict[type, Any] = {bool: True, int: 1, float: 1.0, complex: 1.0 + 0j}


def _with_scalar(name: str, kind: type) -> np.dtype[Any]:
    """The documented rule: an array keeps its dtype unless the number's kind is higher."""
    own, wanted = _RANKS[_spec.KINDS[name]], list(_SCALARS).index(kind)
    if wanted <= own:
        return np.dtype(name)
    if wanted == 3 and own == 2:
        return np.dtype("complex64" if name == "float32" else "complex128")
    return np.dtype({1: "int64", 2: "float64", 3: "complex128"}[wanted])


@pytest.mark.parametrize("kind", _SCALARS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_python_numbers(name: str, kind: type, device: str) -> None:
    expected = _with_scalar(name, kind)
    scalar = _SCALARS[kind]
    for shape in ((), (2,)):
        x = _ones(name, shape, device)
        assert ga.result_type(x, scalar) == expected
        assert ga.result_type(np.dtype(name), scalar) == expected
        condition = ga.ones(shape, dtype=ga.bool, device=device)
        results = [ga.where(condition, x, scalar), ga.where(condition, scalar, x)]
        if expected != np.dtype("bool"):
            results += [x * scalar, scalar * x, ga.multiply(x, scalar), ga.multiply(scalar, x)]
        for result in results:
            assert (result.dtype, result.shape, result.device) == (expected, shape, ga.get_device(device))
            assert np.all(host(result) == 1)


@pytest.mark.parametrize("name", [name for name, kind in _spec.KINDS.items() if "integer" in kind])
def test_python_integers_out_of_range(name: str, device: str) -> None:
    limits = np.iinfo(name)
    x = _ones(name, (2,), device)
    for value in (int(limits.max) + 1, int(limits.min) - 1):
        with pytest.raises(OverflowError):
            x + value
        with pytest.raises(OverflowError):
            ga.subtract(value, x)
        with pytest.raises(OverflowError):
            x += value
        with pytest.raises(OverflowError):
            x[0] = value
        assert host(x).tolist() == [1, 1]
    assert int((ga.zeros_like(x) + int(limits.max))[0]) == limits.max


def test_nothing_is_truncated(device: str) -> None:
    """A Python number of a higher kind counts with all its digits."""
    x = array(np.asarray([1, 2], "int32"), device)
    assert host(x + 0.5).tolist() == [1.5, 2.5]
    assert host(0.5 * x).tolist() == [0.5, 1.0]
    assert host(x * 1j).tolist() == [1j, 2j]
    assert host(ga.where(x > 1, x, 0.25)).tolist() == [0.25, 2.0]
    assert host(array(np.asarray([True, False]), device) + 2).tolist() == [3, 2]


# --- integers given to floating-point functions ----------------------------------------------------------------------

_FLOATING = ("cos", "exp", "expm1", "log1p", "sin", "sqrt", "tanh", "mean", "std", "var")


@pytest.mark.parametrize("name", _FLOATING)
def test_integers_are_taken_as_default_floats(name: str, device: str) -> None:
    for dtype in ("int8", "uint8", "int64", "bool"):
        values = np.asarray([0, 1, 1], dtype)
        found = getattr(ga, name)(array(values, device))
        assert found.dtype == ga.float64, dtype
        expected = getattr(np, name)(values.astype("float64"))
        assert np.allclose(host(found), expected, rtol=1e-14)


@pytest.mark.parametrize(("name", "value"), [("divide", 0.5), ("atan2", 0.4636476090008061), ("hypot", 5**0.5)])
def test_two_integers_are_taken_as_default_floats(name: str, value: float, device: str) -> None:
    for first, second in product(("int8", "uint16", "int64"), ("int32", "uint8")):
        found = getattr(ga, name)(_ones(first, (2,), device), 2 * _ones(second, (2,), device))
        assert found.dtype == ga.float64
        assert np.allclose(host(found), value, rtol=1e-14)
