"""Functions of elements. Those that gradarray has under another name, or with other arguments, stand in tables."""

# ruff: noqa: A001, A002 - PyTorch's names

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, cast

import gradarray as ga

from .. import _errors
from .._array import Array
from . import _types
from ._calls import binary, call, converted
from ._tensor import Tensor

#: PyTorch's name and gradarray's, of functions whose result is floating-point whatever they are given.
_FLOATING = {
    **{name: name for name in "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2".split()},
    **{name: name for name in "reciprocal sin sinh sqrt tan tanh".split()},
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctanh": "atanh",
}
#: Those that keep the data type, or give booleans.
_KEEPING = {
    **{name: name for name in "abs ceil floor trunc sign signbit square positive conj isfinite isinf isnan".split()},
    "logical_not": "logical_not",
    "absolute": "abs",
    "bitwise_not": "bitwise_invert",
    "fix": "trunc",
    "neg": "negative",
    "negative": "negative",
    "real": "real",
    "imag": "imag",
}
#: Those of two operands.
_BINARY = {
    **{name: name for name in "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor".split()},
    **{name: name for name in "floor_divide hypot logaddexp maximum minimum nextafter remainder".split()},
    **{name: name for name in "not_equal greater greater_equal less less_equal".split()},
    "eq": "equal",
    "ne": "not_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "lt": "less",
    "le": "less_equal",
    "mul": "multiply",
    "multiply": "multiply",
    "pow": "pow",
}
_BINARY_FLOATING = {"atan2": "atan2", "arctan2": "atan2", "copysign": "copysign"}
_LOGICAL = ("logical_and", "logical_or", "logical_xor")


def _named(function: Callable[..., Tensor], name: str, ours: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `gradarray.{ours}`, for tensors, in PyTorch's data type."
    return function


def _unary(name: str, ours: str, floating: builtins.bool) -> Callable[..., Tensor]:
    own = getattr(ga, ours)

    def function(input: Tensor) -> Tensor:
        return cast(Tensor, call(own, *converted((input,), floating=floating)))

    return _named(function, name, ours)


def _of_two(name: str, ours: str, floating: builtins.bool) -> Callable[..., Tensor]:
    own = getattr(ga, ours)

    def function(input: Any, other: Any) -> Tensor:
        return binary(own, input, other, floating=floating)

    return _named(function, name, ours)


def _logical(name: str) -> Callable[..., Tensor]:
    own = getattr(ga, name)

    def function(input: Tensor, other: Tensor) -> Tensor:
        def compared(x1: Array, x2: Array) -> Array:
            return cast(Array, own(ga.astype(x1, ga.bool), ga.astype(x2, ga.bool)))

        return cast(Tensor, call(compared, input, other))

    return _named(function, name, name)


FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    **{name: _unary(name, ours, True) for name, ours in _FLOATING.items()},
    **{name: _unary(name, ours, False) for name, ours in _KEEPING.items()},
    **{name: _of_two(name, ours, False) for name, ours in _BINARY.items()},
    **{name: _of_two(name, ours, True) for name, ours in _BINARY_FLOATING.items()},
    **{name: _logical(name) for name in _LOGICAL},
}


# --- with other arguments ----------------------------------------------------------------------------------------


def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Sum of two tensors, the second one times `alpha`."""
    return binary(ga.add, input, other if alpha == 1 else binary(ga.multiply, other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """Difference of two tensors, the second one times `alpha`."""
    return binary(ga.subtract, input, other if alpha == 1 else binary(ga.multiply, other, alpha))


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """Quotient of two tensors; of integers too it is floating-point, unless it is rounded.

    Parameters
    ----------
    input, other : Tensor or number
        Dividend and divisor.
    rounding_mode : {None, "trunc", "floor"}, optional
        Round towards 0, or down.

    Raises
    ------
    ArgumentValueError
        If `rounding_mode` is another.
    """
    if rounding_mode is None:
        return binary(ga.divide, input, other, floating=True)
    if rounding_mode == "floor":
        return binary(ga.floor_divide, input, other)
    if rounding_mode != "trunc":
        raise _errors.ArgumentValueError(
            f"div(): there is no rounding_mode {rounding_mode!r}\nFix: use None, 'trunc' or 'floor'"
        )
    common = _types.result_of(converted((input, other)))
    found = call(ga.trunc, binary(ga.divide, input, other, floating=True))
    return cast(Tensor, call(ga.astype, found, common, copy=False))


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Each element rounded to the nearest number of so many decimals, to the even one of two.

    The derivative is 0.
    """
    if decimals == 0:
        return cast(Tensor, call(ga.round, input))
    scale = 10.0 ** builtins.abs(decimals)

    def rounded(x: Array) -> Array:
        if x.dtype.kind in "iu":
            raise _errors.DTypeError(
                _errors.message("round", "integers have no decimals", [("input", x)], "leave decimals out")
            )
        return ga.round(x * scale) / scale if decimals > 0 else ga.round(x / scale) * scale

    return cast(Tensor, call(rounded, input))


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Elements within bounds; see `gradarray.clip`.

    Parameters
    ----------
    input : Tensor
        Tensor of real numbers.
    min, max : Tensor or number, optional
        The bounds.
    """
    given = [bound for bound in (min, max) if bound is not None]
    x, *bounds = converted((input, *given))
    low = bounds.pop(0) if min is not None else None
    return cast(Tensor, call(ga.clip, x, low, bounds[0] if bounds else None))


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where the condition is true and of `other` elsewhere; alone, the indices of what is true."""
    if input is None and other is None:
        return call(ga.nonzero, condition)
    x1, x2 = converted((input, other))
    if type(x1) is not Array and type(x2) is not Array:
        kind = "c" if isinstance(x1 + x2, complex) else "f" if isinstance(x1 + x2, float) else "i"
        kind = "b" if type(x1) is type(x2) is builtins.bool else kind
        x1 = ga.asarray(x1, dtype=_types.default_of(kind), device=condition._array.device)
    return call(ga.where, condition, x1, x2)


def relu(input: Tensor) -> Tensor:
    """Elements that are positive, and 0 in the place of the others; the derivative at 0 is 0."""
    return cast(Tensor, call(lambda x: ga.where(x <= 0, ga.zeros_like(x), x), input))


def sigmoid(input: Tensor) -> Tensor:
    """Logistic function of each element, ``1 / (1 + exp(-x))``."""
    return cast(Tensor, call(lambda x: ga.tanh(x / 2) * 0.5 + 0.5, *converted((input,), floating=True)))


def rsqrt(input: Tensor) -> Tensor:
    """Reciprocal of the square root of each element."""
    return cast(Tensor, call(lambda x: ga.reciprocal(ga.sqrt(x)), *converted((input,), floating=True)))


def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element."""
    return binary(ga.pow, 2.0, input)


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """Values between two tensors, ``input + weight * (end - input)``."""
    x1, x2, part = converted((input, end, weight))
    return cast(Tensor, call(lambda x1, x2, part: x1 + part * (x2 - x1), x1, x2, part))


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: builtins.bool = False
) -> Tensor:
    """Whether elements differ by no more than ``atol + rtol * abs(other)``."""
    return cast(Tensor, call(ga.isclose, input, other, rtol, atol, equal_nan))


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: builtins.bool = False
) -> builtins.bool:
    """Whether all elements are close; see `isclose`."""
    return cast(builtins.bool, call(ga.allclose, input, other, rtol, atol, equal_nan))


def equal(input: Tensor, other: Tensor) -> builtins.bool:
    """Whether two tensors have one shape and the same elements; `eq` compares the elements."""
    if input._array.shape != other._array.shape:
        return False
    return builtins.bool(call(ga.all, binary(ga.equal, input, other)))


subtract, divide, true_divide, clip = sub, div, div, clamp

FUNCTIONS.update(
    {
        name: globals()[name]
        for name in "add clamp clip div divide exp2 lerp relu round rsqrt sigmoid sub subtract true_divide".split()
    }
)


#: What is also a method that writes in place, with an underscore after its name.
IN_PLACE = (
    *_FLOATING,
    *"abs absolute add atan2 bitwise_and bitwise_not bitwise_or bitwise_xor ceil clamp clip copysign div".split(),
    *"divide eq exp2 fix floor floor_divide ge greater greater_equal gt hypot le lerp less less_equal".split(),
    *"logical_and logical_not logical_or logical_xor lt mul multiply ne neg negative nextafter not_equal".split(),
    *"pow relu remainder round rsqrt sigmoid sign square sub subtract true_divide trunc".split(),
)
