"""PyTorch's own functions as kernels, and the corrections where PyTorch differs from the standard.

Operands have one data type. What PyTorch does not compute for a data type is computed on the host by the kernel of the
NumPy backend: that holds for the wide unsigned integers, which PyTorch has, but for few functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import array_api_compat.torch as xp
import array_api_compat.torch.linalg as xp_linalg
import numpy as np
import torch

from gradarray.backend import ArgumentValueError, Corrections, DTypeError, guarded, load, supported_dtypes

Kernel = Callable[..., Any]

#: By the standard's name, PyTorch's; where they are the standard's in every case.
_UNARY = {
    name: name
    for name in (
        "acosh asin asinh atan atanh cos cosh exp isfinite isnan log log10 log2 logical_not negative reciprocal sin "
        "sinh sqrt tan"
    ).split()
} | {"bitwise_invert": "bitwise_not"}
_BINARY = {
    name: name
    for name in (
        "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign greater "
        "greater_equal hypot less less_equal logical_and logical_or logical_xor multiply nextafter not_equal"
    ).split()
} | {"equal": "eq"}

#: Functions of two tensors that have a definition of their own below.
_OF_TWO = frozenset("divide floor_divide logaddexp matmul maximum minimum pow remainder solve subtract".split())
#: Functions of one tensor, over axes.
_REDUCTIONS = frozenset("all any count_nonzero max min".split())
#: Functions that guard themselves, as `with_host` would: to hand on any arguments costs as much as the rest.
_GUARDED = frozenset("astype concat mean permute_dims reshape stack sum where zeros".split())
#: PyTorch's data types by NumPy's.
RAW_DTYPES = {dtype: getattr(torch, dtype.name) for dtype in supported_dtypes if hasattr(torch, dtype.name)}

KERNELS: dict[str, Kernel] = {name: getattr(torch, own) for name, own in _UNARY.items()}
_corrections = Corrections(xp)


def kernel(function: Kernel) -> Kernel:
    """Put a function into the table under its own name."""
    KERNELS[function.__name__.rstrip("_")] = function
    return function


def raw_dtype(dtype: Any) -> Any:
    """PyTorch's data type for a gradarray dtype, and for itself."""
    if type(dtype) is torch.dtype:
        return dtype  # a rule names the raw dtype of what it is given
    try:
        return RAW_DTYPES[dtype]
    except KeyError:
        if dtype.kind == "V":
            return torch.bfloat16
        raise DTypeError(f"PyTorch has no data type {dtype}\nFix: use float32") from None


def _of_two(function: Kernel) -> Kernel:
    """A function of two tensors that takes a Python scalar in the place of either."""

    @functools.wraps(function)
    def of_two(x1: Any, x2: Any) -> Any:
        if type(x1) is not torch.Tensor:
            x1 = _scalar(x1, repr(x1), x2.dtype)
        elif type(x2) is not torch.Tensor:
            x2 = _scalar(x2, repr(x2), x1.dtype)
        return function(x1, x2)

    return of_two


@functools.lru_cache(maxsize=4096)
def _scalar(x: Any, text: str, dtype: Any) -> Any:
    """A Python scalar as a 0-d tensor, which goes with tensors of any device. By its text: 0.0 and -0.0 are equal."""
    try:
        return torch.tensor(x, dtype=dtype)
    except (ValueError, RuntimeError) as error:
        raise OverflowError(str(error)) from error


KERNELS["matmul"] = torch.matmul
KERNELS |= {name: _of_two(getattr(torch, own)) for name, own in _BINARY.items()}


# --- elementwise -----------------------------------------------------------------------------------------------------


@kernel
@_of_two
def subtract(x1: Any, x2: Any) -> Any:
    if not x1.is_complex():
        return torch.subtract(x1, x2)
    # PyTorch adds the product of -1 and the second operand, which loses the sign of a zero.
    return torch.complex(x1.real - x2.real, x1.imag - x2.imag)


@kernel
@_of_two
def divide(x1: Any, x2: Any) -> Any:
    # PyTorch's quotient of integers is of its own default type.
    return torch.divide(x1, x2) if x1.is_floating_point() or x1.is_complex() else x1.double() / x2.double()


@kernel
@_of_two
def remainder(x1: Any, x2: Any) -> Any:
    out = torch.remainder(x1, x2)
    # A remainder of 0 has the sign of the divisor.
    return torch.where(out == 0, torch.copysign(out, x2), out) if out.is_floating_point() else out


@kernel
@_of_two
def floor_divide(x1: Any, x2: Any) -> Any:
    return _corrections.floor_divide(x1, x2)


@kernel
def acos(x: Any) -> Any:
    out = torch.acos(x)
    if not x.is_complex():
        return out
    # The imaginary part has the other sign than that of the operand, 0 included.
    return torch.complex(out.real, torch.copysign(out.imag, -x.imag))


@kernel
def expm1(x: Any) -> Any:
    return _corrections.expm1(x) if x.is_complex() else torch.expm1(x)


@kernel
def tanh(x: Any) -> Any:
    return _corrections.tanh(x) if x.is_complex() else torch.tanh(x)


@kernel
def log1p(x: Any) -> Any:
    if not x.is_complex():
        return torch.log1p(x)
    return torch.where(torch.isfinite(x), torch.log1p(x), torch.log(x))


@kernel
@_of_two
def logaddexp(x1: Any, x2: Any) -> Any:
    if not x1.is_floating_point():
        raise TypeError("only real floating-point numbers have one")
    return torch.logaddexp(x1, x2)


@kernel
def pow_(x1: Any, x2: Any) -> Any:
    if type(x1) is not torch.Tensor:
        x1 = _scalar(x1, repr(x1), x2.dtype)
    elif type(x2) is not torch.Tensor and x1.is_floating_point():
        return torch.pow(x1, x2)
    elif type(x2) is not torch.Tensor:
        x2 = _scalar(x2, repr(x2), x1.dtype)
    if x1.dtype is torch.bool:
        raise TypeError("booleans are not numbers here")
    if not x1.is_complex():
        if not x1.is_floating_point() and bool((x2 < 0).any()):
            raise ArgumentValueError(
                "pow(): a negative integer power of an integer is not an integer\n"
                "Fix: x1 = gradarray.astype(x1, gradarray.float64)"
            )
        return torch.pow(x1, x2)
    return torch.where((x1 == 0) & (x2 == 0), 1, torch.pow(x1, x2))


@kernel
def sign(x: Any) -> Any:
    if x.dtype is torch.bool:
        raise TypeError("booleans are not numbers here")
    return _corrections.sign(x) if x.is_complex() else xp.sign(x)


@kernel
def square(x: Any) -> Any:
    if x.dtype is torch.bool:
        raise TypeError("booleans are not numbers here")
    return torch.square(x)


@kernel
def positive(x: Any) -> Any:
    if x.dtype is torch.bool:
        raise TypeError("booleans are not numbers here")
    return x.clone()


# --- sets ------------------------------------------------------------------------------------------------------------


@kernel
def unique_values(x: Any) -> Any:
    return torch.unique(x)


@kernel
def unique_counts(x: Any) -> tuple[Any, Any]:
    values, counts = torch.unique(x, return_counts=True)
    return values, counts


@kernel
def unique_inverse(x: Any) -> tuple[Any, Any]:
    values, inverse = torch.unique(x, return_inverse=True)
    return values, inverse.reshape(x.shape)


@kernel
def unique_all(x: Any) -> tuple[Any, Any, Any, Any]:
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(-1)
    numbers = torch.arange(inverse.numel(), device=x.device)
    first = torch.zeros_like(counts).scatter_reduce_(0, inverse, numbers, "amin", include_self=False)
    return values, first, inverse.reshape(x.shape), counts


# --- shapes and choices ----------------------------------------------------------------------------------------------


@kernel
def where(condition: Any, x1: Any, x2: Any) -> Any:
    try:
        return torch.where(condition if condition.dtype is torch.bool else condition != 0, x1, x2)
    except RuntimeError as error:
        return _elsewhere("where", error, (condition, x1, x2), {})


@kernel
def take(x: Any, indices: Any, *, axis: Any = None) -> Any:
    if axis is not None and not x.is_cuda:
        try:
            return torch.index_select(x, axis, indices if indices.dtype is torch.int64 else indices.long())
        except (IndexError, RuntimeError):
            pass  # PyTorch refuses negative indices here; on a GPU it would be too late then
    return xp.take(x, indices.long(), axis=axis)


@kernel
def take_along_axis(x: Any, indices: Any, *, axis: int = -1) -> Any:
    return xp.take_along_axis(x, indices.long(), axis=axis)


@kernel
def reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    try:
        return torch.reshape(x, shape) if copy is None else xp.reshape(x, shape, copy=copy)
    except RuntimeError as error:
        return _elsewhere("reshape", error, (x, shape), {"copy": copy})


@kernel
def permute_dims(x: Any, axes: Any) -> Any:
    try:
        return torch.permute(x, axes)
    except RuntimeError as error:
        return _elsewhere("permute_dims", error, (x, axes), {})


@kernel
def concat(arrays: Any, *, axis: int | None = 0) -> Any:
    try:
        return torch.concat(arrays, axis) if axis is not None else xp.concat(arrays, axis=None)
    except RuntimeError as error:
        return _elsewhere("concat", error, (arrays,), {"axis": axis})


@kernel
def stack(arrays: Any, *, axis: int = 0) -> Any:
    try:
        return torch.stack(arrays, axis)
    except RuntimeError as error:
        return _elsewhere("stack", error, (arrays,), {"axis": axis})


@kernel
def astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    wanted = raw_dtype(dtype)
    try:
        return x.to(wanted) if x.dtype is not wanted else x.to(wanted, copy=copy)
    except RuntimeError as error:
        return _elsewhere("astype", error, (x, dtype), {"copy": copy})


@kernel
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    try:
        return torch.zeros(shape, dtype=None if dtype is None else raw_dtype(dtype), device=device)
    except RuntimeError as error:
        raise told_apart(error) from error


# --- the rest --------------------------------------------------------------------------------------------------------


@kernel
def roll(x: Any, shift: Any, *, axis: Any = None) -> Any:
    if axis is None:
        return torch.roll(x, shift)
    axes = axis if isinstance(axis, tuple) else (axis,)
    return torch.roll(x, shift if isinstance(shift, tuple) else (shift,) * len(axes), axes)


@kernel
def sum_(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    try:
        if dtype is None and not keepdims:
            if axis is None:
                return torch.sum(x)
            if axis != ():
                return torch.sum(x, axis)
        raw = None if dtype is None else raw_dtype(dtype)
        if axis == ():
            return x.to(raw, copy=True) if raw is not None else x.clone()  # PyTorch sums over all axes then
        return torch.sum(x, axis, keepdim=keepdims, dtype=raw)
    except RuntimeError as error:
        return _elsewhere("sum", error, (x,), {"axis": axis, "dtype": dtype, "keepdims": keepdims})


def _over_axes(name: str) -> Kernel:
    own = getattr(xp, name)

    def over_axes(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axis == ():
            return x.clone() if x.dtype is torch.bool else x != 0  # PyTorch answers with the operand, or over all
        return own(x, axis=axis, keepdims=keepdims)

    return over_axes


KERNELS["all"], KERNELS["any"] = _over_axes("all"), _over_axes("any")


@kernel
def count_nonzero(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return sum_(x != 0, axis=axis, dtype=torch.int64, keepdims=keepdims)


@kernel
def mean(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    try:
        if axis is None and not keepdims:
            return torch.mean(x)
        if axis == ():
            return x.clone()  # PyTorch takes that of all axes then
        return torch.mean(x, axis, keepdim=keepdims)
    except RuntimeError as error:
        return _elsewhere("mean", error, (x,), {"axis": axis, "keepdims": keepdims})


def _extreme(name: str) -> Kernel:
    of_all, own = getattr(torch, name), getattr(xp, name)

    def extreme(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axis is None and not keepdims:
            return of_all(x)
        return own(x, axis=axis, keepdims=keepdims)

    return extreme


KERNELS["max"], KERNELS["min"] = _extreme("max"), _extreme("min")


@kernel
def std(x: Any, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return torch.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


@kernel
def var(x: Any, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    centred = x - mean(x, axis=axis, keepdims=True)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    count = 1
    for position in axes:
        count *= x.shape[position]
    return xp.sum(centred * centred, axis=axis, keepdims=keepdims) / (count - correction)


@kernel
def solve(x1: Any, x2: Any) -> Any:
    # Of a stack of matrices and as many rows PyTorch takes each row for the right side of one.
    return torch.linalg.solve(x1, x2) if x1.ndim == 2 else xp_linalg.solve(x1, x2)


def _transform(name: str) -> Kernel:
    own = getattr(torch.fft, name)

    def transform(x: Any, *, n: Any = None, axis: int = -1, norm: str = "backward") -> Any:
        if x.numel():
            return own(x, n=n, dim=axis, norm=norm)
        # PyTorch's library refuses them. The result is empty too, or of zeros: what it is of one row of zeros.
        shape = list(x.shape)
        length = shape[axis] or 1
        one = own(torch.zeros(length, dtype=x.dtype, device=x.device), n=n or (None if shape[axis] else n), norm=norm)
        shape[axis] = one.shape[0]
        return torch.zeros(shape, dtype=one.dtype, device=x.device)

    return transform


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    KERNELS[_name] = _transform(_name)


# --- on the host -----------------------------------------------------------------------------------------------------


def with_host(name: str, function: Kernel) -> Kernel:
    """A kernel that leaves to NumPy what PyTorch does not compute for the operands' data types.

    PyTorch's errors are almost all of one class; they become those that gradarray can tell apart.
    """
    if name in _GUARDED:
        return function
    return guarded(
        function,
        RuntimeError,
        functools.partial(_elsewhere, name),
        operands=1 if name in _UNARY else 2 if name in _BINARY or name in _OF_TWO else None,
        over_axes=name in _REDUCTIONS,
    )


def _elsewhere(name: str, error: Exception, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The answer of the NumPy backend's kernel, if PyTorch's error says that it has none."""
    if not any(phrase in str(error) for phrase in ("not implemented for", "not supported", "unsupported")):
        raise told_apart(error) from error
    tensors = [x for x in args if isinstance(x, torch.Tensor)]
    device = tensors[0].device if tensors else None
    own = load("numpy").kernel(name)
    return _to_device(own(*[_to_host(x) for x in args], **{k: _to_host(x) for k, x in keywords.items()}), device)


def told_apart(error: Exception) -> Exception:
    """An error of PyTorch as one of Python's or NumPy's."""
    if isinstance(error, torch.OutOfMemoryError):
        return MemoryError(str(error))
    if type(error).__name__ == "_LinAlgError":
        return np.linalg.LinAlgError(str(error))
    if "out of bounds" in str(error) or "out of range" in str(error):
        return IndexError(str(error))
    return ValueError(str(error))


def _to_host(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return type(x)([_to_host(part) for part in x]) if type(x) in (tuple, list) else x
    return x.detach().cpu().resolve_conj().resolve_neg().numpy() if isinstance(x, torch.Tensor) else x


def _to_device(x: Any, device: Any) -> Any:
    if isinstance(x, tuple):
        return tuple([_to_device(part, device) for part in x])
    return torch.as_tensor(np.array(x, order="C"), device=device)
