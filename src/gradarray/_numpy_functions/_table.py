"""The table from NumPy's functions to what stands for them here, and what all of its entries share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._dispatch import as_array, wrap
from ..ops.conversion import asarray
from ..ops.data_type import astype

Function = TypeVar("Function", bound=Callable[..., Any])

#: By name within NumPy (``"sum"``, ``"linalg.norm"``): functions with NumPy's signatures, made of gradarray's. One that
#: answers NotImplemented has no equivalent for these arguments. They run with the operands' device as the default one,
#: so that what they create lies there.
FUNCTIONS: dict[str, Callable[..., Any]] = {}


def implements(*names: str) -> Callable[[Function], Function]:
    """Enter a function for those of NumPy that have these names, as far as the installed NumPy has them."""

    def decorate(function: Function) -> Function:
        for name in names:
            FUNCTIONS[name] = function
        return function

    return decorate


# --- operands --------------------------------------------------------------------------------------------------------


def array(x: Any) -> Array:
    """`x` as an array: a NumPy array lies on the CPU, as everywhere; numbers and sequences on the default device."""
    if type(x) is Array:
        return x
    return as_array(array, x) if isinstance(x, np.ndarray) else asarray(x)


def operand(x: Any) -> Any:
    """`x` as an array, but a Python number as it is: it widens no other operand."""
    return x if type(x) in (bool, int, float, complex) else array(x)


def floating(x: Any) -> Array:
    """`x` as an array of a floating-point data type."""
    values = array(x)
    if values.dtype in _dtypes.DIFFERENTIABLE:
        return values
    found: Array = astype(values, asarray(0.0).dtype)
    return found


def mask(x: Any) -> Array:
    """`x` as a boolean array."""
    values = array(x)
    return values if values.dtype == _dtypes.bool else values != 0


def host(x: Any) -> np.ndarray[Any, Any]:
    """The values of an array as NumPy's, without history, for what is piecewise constant; not to be written into."""
    if type(x) is not Array:
        return np.asarray(x)
    values = x._host().view()
    values.flags.writeable = False
    return values


def placed(values: np.ndarray[Any, Any], like: Array) -> Array:
    """A NumPy array as one of ours on the device of another, in memory of its own."""
    device = like.device
    # What NumPy answers may share the memory of an operand, behind the back of the record.
    copy = None if values.flags.owndata and values.flags.writeable else True
    return wrap(device.backend.from_numpy(values, (device.type, device.index), copy=copy), device)


def numbers_like(values: np.ndarray[Any, Any], like: Array) -> Array:
    """Real numbers on the device of another array, in its precision: the device may have no other one."""
    dtype = like.dtype if like.dtype in _dtypes.DIFFERENTIABLE else asarray(0.0).dtype
    if _dtypes.kind_of(dtype) == "c":
        dtype = _dtypes.float32 if dtype == _dtypes.complex64 else _dtypes.float64
    return placed(np.asarray(values).astype(dtype), like)


def is_complex(x: Any) -> bool:
    """Whether an array or a number is complex."""
    return isinstance(x, complex) if not hasattr(x, "dtype") else _dtypes.kind_of(x.dtype) == "c"


def normal_axis(axis: Any, ndim: int) -> int:
    """A non-negative axis of as many."""
    try:
        return int(np.lib.array_utils.normalize_axis_index(axis, ndim))
    except np.exceptions.AxisError as error:
        raise _errors.AxisError(f"{error}\nFix: pass one from {-ndim} to {ndim - 1}") from None


def normal_axes(axes: Any, ndim: int) -> tuple[int, ...]:
    """Non-negative axes of as many, each named once."""
    parts = axes if isinstance(axes, (tuple, list)) else (axes,)
    found = tuple([normal_axis(axis, ndim) for axis in parts])
    if len(set(found)) != len(found):
        raise _errors.AxisError(f"the axes {tuple(parts)} name one of {ndim} twice\nFix: name each once")
    return found


def tracked(*objects: Any) -> bool:
    """Whether anything in nested sequences and dictionaries requires a gradient."""
    for part in objects:
        if type(part) is Array:
            if part.requires_grad:
                return True
        elif isinstance(part, (tuple, list)):
            if tracked(*part):
                return True
        elif isinstance(part, dict) and tracked(*part.values()):
            return True
    return False


def first_array(*objects: Any) -> Array | None:
    """The first array of ours in nested sequences and dictionaries."""
    for part in objects:
        if type(part) is Array:
            return part
        if isinstance(part, dict):
            part = tuple(part.values())
        if isinstance(part, (tuple, list)):
            found = first_array(*part)
            if found is not None:
                return found
    return None


# --- results ---------------------------------------------------------------------------------------------------------


def lost(name: str, inputs: Any, problem: str | None = None, fix: str | None = None) -> _errors.TrackedConversionError:
    """The error for a function of NumPy that would cut a tracked array off from its history."""
    operands = [(f"argument {position}", x) for position, x in enumerate(inputs)]
    return _errors.TrackedConversionError(
        _errors.message(
            f"numpy.{name}",
            problem
            or "NumPy's function has no equivalent in gradarray for these arguments and would lose the gradient",
            operands,
            fix or "use gradarray's functions, those of gradarray.scipy, or x.detach()",
        )
    )


def cast(x: Any, dtype: Any, casting: str = "same_kind", name: str = "astype") -> Any:
    """`x` in another data type, if NumPy's rule of casting allows it."""
    if dtype is None:
        return x
    wanted = _dtypes.as_dtype(dtype, op=f"numpy.{name}")
    x = array(x)
    if x.dtype == wanted:
        return x
    if not np.can_cast(x.dtype, wanted, casting):  # type: ignore[arg-type]
        raise _errors.DTypeError(
            _errors.message(
                f"numpy.{name}", f"{x.dtype} is not cast to {wanted} by the rule {casting!r}", [("x", x)], "astype it"
            )
        )
    if is_complex(x) and wanted.kind != "c":
        from ..ops.elementwise import real

        x = real(x)
    return astype(x, wanted)


def _fits(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of one shape can be stretched to another."""
    inner = target[len(target) - len(shape) :]
    return len(shape) <= len(target) and all(one in (1, other) for one, other in zip(shape, inner, strict=True))


def written(result: Any, out: Any, name: str = "out", casting: str = "same_kind", where: Any = True) -> Any:
    """`result`; if there is an `out`, written into it, recorded if it is an array of ours."""
    if type(out) is tuple:
        (out,) = out
    if out is None:
        return result
    if isinstance(out, Array):
        if not _fits(result.shape, out.shape):
            raise _errors.ShapeError(
                _errors.message(
                    f"numpy.{name}",
                    "the result does not fit into out",
                    [("result", result), ("out", out)],
                    "reshape it",
                )
            )
        value = cast(result, out.dtype, casting, name)
        if where is not True:
            from ..ops.searching import where as choose

            value = choose(mask(where), value, out)
        out[...] = value
        return out
    if result.requires_grad:
        raise lost(
            name,
            (result, out),
            "out is NumPy's array, which has no history: the gradient would be lost",
            "pass an array of gradarray's as out, or x.detach()",
        )
    np.copyto(out, host(result), casting=casting, where=True if where is True else host(where))  # type: ignore[arg-type]
    return out
