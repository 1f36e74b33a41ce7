"""Values, dtypes and shapes of the element-wise functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ._cases import Cases, quick
from ._draw import SPECIAL, Call, Draw, call

CASES = Cases("main")

#: Intervals in which the functions of one floating-point argument are real.
_INTERVALS = {
    "acos": (-1, 1),
    "acosh": (1, 9),
    "asin": (-1, 1),
    "asinh": (-9, 9),
    "atan": (-9, 9),
    "atanh": (-0.95, 0.95),
    "cos": (-9, 9),
    "cosh": (-5, 5),
    "exp": (-5, 5),
    "expm1": (-5, 5),
    "log": (0.1, 9),
    "log1p": (-0.9, 9),
    "log2": (0.1, 9),
    "log10": (0.1, 9),
    "reciprocal": (0.2, 9),
    "sin": (-9, 9),
    "sinh": (-5, 5),
    "sqrt": (0, 9),
    "tan": (-1.5, 1.5),
    "tanh": (-5, 5),
}


@CASES.case(*_INTERVALS, tolerance=16, signed_zeros=True)
def floating(d: Draw, name: str) -> Call:
    low, high = _INTERVALS[name]
    dtype = d.dtype("floating")
    # The complex special values are the official suite's matter.
    return call(d.values(dtype, d.shape(), low=low, high=high, special=() if dtype.kind == "c" else SPECIAL))


_NUMERIC = ("abs", "conj", "isfinite", "isinf", "isnan", "negative", "positive", "real", "round", "sign", "square")


@CASES.case(*_NUMERIC, tolerance=4)
def numeric(d: Draw, name: str) -> Call:
    dtype = d.dtype("numeric")
    special = () if dtype.kind == "c" and name in ("sign", "square") else SPECIAL
    return call(d.values(dtype, d.shape(), special=special))


@CASES.case("ceil", "floor", "trunc", signed_zeros=True)
def real(d: Draw) -> Call:
    return call(d.array("real", special=SPECIAL))


@CASES.case("imag")
def complex_(d: Draw) -> Call:
    return call(d.array("complex floating", special=SPECIAL))


@CASES.case("signbit")
def real_floating(d: Draw) -> Call:
    return call(d.array("real floating", special=SPECIAL))


@CASES.case("bitwise_invert")
def bits(d: Draw) -> Call:
    return call(d.array("bool+integral"))


@CASES.case("logical_not")
def truth(d: Draw) -> Call:
    return call(d.array("bool"))


# --- two arguments ---------------------------------------------------------------------------------------------------


@CASES.case("add", "subtract", "multiply", tolerance=4)
def arithmetic(d: Draw) -> Call:
    return call(*d.pair("numeric"))


@CASES.case("divide", tolerance=8)
def division(d: Draw) -> Call:
    return call(*d.pair("floating", low=0.5))


@CASES.case("pow", tolerance=64)
def power(d: Draw) -> Call:
    if d.flag():
        return call(*d.pair("integral", low=0, high=3))
    return call(*d.pair("floating", low=0.25, high=3))


@CASES.case("floor_divide", "remainder", tolerance=16)
def whole_division(d: Draw) -> Call:
    x1, x2 = d.pair("real", low=1, high=9)
    if d.flag():
        x1, x2 = _signed(d, x1), _signed(d, x2)
    return call(x1, x2)


def _signed(d: Draw, x: Any) -> Any:
    """Some elements negative, none zero, where the dtype has negative values."""
    if not isinstance(x, np.ndarray) or x.dtype.kind == "u":
        return x
    return np.asarray(np.where(d.rng.integers(0, 2, x.shape), x, -x)).astype(x.dtype)


@CASES.case("atan2", "copysign", "hypot", "logaddexp", "nextafter", tolerance=8, signed_zeros=True)
def two_real_floating(d: Draw) -> Call:
    return call(*d.pair("real floating", special=SPECIAL if d.flag() else ()))


@CASES.case("maximum", "minimum")
def extremes(d: Draw) -> Call:
    return call(*d.pair("real", special=(np.nan, np.inf, -np.inf)))


@CASES.case("equal", "not_equal")
def equality(d: Draw) -> Call:
    return call(*d.pair("all", low=-1, high=1, special=SPECIAL))


@CASES.case("greater", "greater_equal", "less", "less_equal")
def order(d: Draw) -> Call:
    return call(*d.pair("real", low=-2, high=2, special=SPECIAL))


@CASES.case("bitwise_and", "bitwise_or", "bitwise_xor")
def two_bits(d: Draw) -> Call:
    return call(*d.pair("bool+integral"))


@CASES.case("bitwise_left_shift", "bitwise_right_shift")
def shifts(d: Draw) -> Call:
    x1, x2 = d.pair("integral", low=0, high=5, scalars=False)
    return call(_signed(d, x1), d.scalar(x1.dtype) if d.rarely() else x2)


@CASES.case("logical_and", "logical_or", "logical_xor")
def two_truths(d: Draw) -> Call:
    return call(*d.pair("bool"))


def _clipped(x: Any, min: Any = None, max: Any = None) -> Any:
    result = x
    if min is not None:
        result = np.maximum(result, min)
    if max is not None:
        result = np.minimum(result, max)
    return np.asarray(result).astype(x.dtype)


@CASES.case("clip", reference=_clipped)
def bounds(d: Draw) -> Call:
    dtype = d.dtype("real")
    shapes = d.shapes(3)

    def bound(shape: Any, low: int, high: int) -> Any:
        if d.rarely():
            return None
        return d.scalar(dtype, low=max(low, 0), high=high) if d.rarely() else d.values(dtype, shape, low=low, high=high)

    x = d.values(dtype, shapes[0], low=-5, high=9)
    lower, upper = bound(shapes[1], -3, 1), bound(shapes[2], 1, 5)
    if d.flag():
        return call(x, lower, upper)
    return call(x, **d.some(min=lower, max=upper))


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)
