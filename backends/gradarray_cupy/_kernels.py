"""CuPy's own functions as kernels, and the corrections where CuPy differs from the standard or from NumPy.

Operands have one data type, or one of them is a Python scalar. Every kernel here works on the current device.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import array_api_compat.cupy as xp
import array_api_compat.cupy.fft as xp_fft
import array_api_compat.cupy.linalg as xp_linalg
import cupy
import cupyx
import numpy as np

from gradarray.backend import ArgumentValueError, Corrections, load

Kernel = Callable[..., Any]

#: Functions of each element that are the standard's as they are.
_BARE = (
    "acos acosh add asin asinh atan atanh bitwise_and bitwise_invert bitwise_or bitwise_xor cos cosh divide equal exp "
    "log10 log2 logaddexp multiply not_equal reciprocal sin sinh tan"
).split()

KERNELS: dict[str, Kernel] = {name: getattr(xp, name) for name in _BARE} | {"matmul": cupy.matmul}
_corrections = Corrections(xp)


def kernel(function: Kernel) -> Kernel:
    """Put a function into the table under its own name."""
    KERNELS[function.__name__.rstrip("_")] = function
    return function


def kind_of(x: Any) -> str:
    """The kind of an operand's data type, or of a Python scalar."""
    if isinstance(x, cupy.ndarray):
        kind: str = x.dtype.kind
        return "f" if kind == "V" else kind  # bfloat16 is of no kind to NumPy
    return {bool: "b", int: "i", float: "f", complex: "c"}[type(x)]


def _refusing(name: str, kind: str, of: Callable[..., bool]) -> Kernel:
    """A function that refuses a kind of data type, of any or of all operands: CuPy has an answer, NumPy has not."""
    function = getattr(xp, name)

    def refusing(*operands: Any) -> Any:
        if of([kind_of(x) == kind for x in operands]):
            raise TypeError(f"{name} is not defined for operands of kind {kind!r}")
        return function(*operands)

    return refusing


for _name in "atan2 copysign hypot less less_equal greater greater_equal maximum minimum".split():
    KERNELS[_name] = _refusing(_name, "c", any)
for _name in "bitwise_left_shift bitwise_right_shift negative positive square subtract".split():
    KERNELS[_name] = _refusing(_name, "b", all)


# --- elementwise -----------------------------------------------------------------------------------------------------


@kernel
def nextafter(x1: Any, x2: Any) -> Any:
    if "c" in (kind_of(x1), kind_of(x2)):
        raise TypeError("complex numbers have no order")
    return cupy.where(x1 == x2, x2, cupy.nextafter(x1, x2))


@kernel
def sign(x: Any) -> Any:
    if x.dtype.kind == "b":
        raise TypeError("booleans are not numbers here")
    return _corrections.sign(x)


@kernel
def round_(x: Any) -> Any:
    return cupy.rint(x) if kind_of(x) in "fc" else x.copy()


@kernel
def pow_(x1: Any, x2: Any) -> Any:
    kind = kind_of(x1) if isinstance(x1, cupy.ndarray) else kind_of(x2)
    if kind == "b":
        raise TypeError("booleans are not numbers here")
    if kind == "i" and (x2 < 0 if not isinstance(x2, cupy.ndarray) else bool((x2 < 0).any())):
        raise ArgumentValueError(
            "pow(): a negative integer power of an integer is not an integer\n"
            "Fix: x1 = gradarray.astype(x1, gradarray.float64)"
        )
    out = cupy.power(x1, x2)
    if out.dtype.kind != "c":
        return out
    zeros = [x == 0 if isinstance(x, cupy.ndarray) else cupy.asarray(x == 0) for x in (x1, x2)]
    return cupy.where(zeros[0] & zeros[1], cupy.ones_like(out), out)


def _quotient(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Floor of the quotient and remainder, by the steps of C's `fmod` that NumPy takes too: CuPy rounds first."""
    rest = cupy.fmod(x1, x2)
    other_side = (rest != 0) & (cupy.signbit(rest) != cupy.signbit(x2))
    shifted = cupy.where(other_side, rest + x2, rest)
    exact = (x1 - rest) / x2
    exact = cupy.where(other_side, exact - 1, exact)
    whole = cupy.floor(exact)
    whole = cupy.where(exact - whole > 0.5, whole + 1, whole)
    plain = x1 / x2
    whole = cupy.where(exact == 0, cupy.copysign(cupy.zeros_like(plain), plain), whole)
    remainder = cupy.where(shifted == 0, cupy.copysign(shifted, x2), shifted)
    return whole, remainder


def _arrays(x1: Any, x2: Any) -> tuple[Any, Any]:
    dtype = (x1 if isinstance(x1, cupy.ndarray) else x2).dtype
    first, second = [x if isinstance(x, cupy.ndarray) else as_scalar(x, dtype) for x in (x1, x2)]
    if first.dtype.kind in "bc":
        raise TypeError(f"there is no remainder of {first.dtype}")
    return first, second


@kernel
def floor_divide(x1: Any, x2: Any) -> Any:
    x1, x2 = _arrays(x1, x2)
    if kind_of(x1) != "f":
        return cupy.floor_divide(x1, x2)
    ordinary = cupy.isfinite(x1) & cupy.isfinite(x2) & (x2 != 0)
    return cupy.where(ordinary, _quotient(x1, x2)[0], cupy.floor(x1 / x2))


@kernel
def remainder(x1: Any, x2: Any) -> Any:
    x1, x2 = _arrays(x1, x2)
    return _quotient(x1, x2)[1] if kind_of(x1) == "f" else cupy.remainder(x1, x2)


def _of_complex(name: str) -> Kernel:
    """A function whose special cases of complex numbers CuPy does not have: those are left to NumPy."""
    own = getattr(xp, name)

    def of_complex(x: Any) -> Any:
        # A zero may be negative, and lie on the other side of a cut then.
        if x.dtype.kind != "c" or bool((cupy.isfinite(x) & (x.real != 0)).all()):
            return own(x)
        return on_host(name)(x)

    return of_complex


for _name in "acosh log log1p sqrt tanh expm1".split():
    KERNELS[_name] = _of_complex(_name)


# --- zeros keep their sign -------------------------------------------------------------------------------------------


def as_scalar(value: Any, dtype: Any) -> Any:
    """A 0-d array of a Python scalar. CuPy fills with zeros byte by byte: by way of one axis their sign is kept."""
    return cupy.asarray(np.asarray([value], dtype)).reshape(())


def is_signed_zero(value: Any) -> bool:
    """Whether a Python scalar is a zero with a negative part."""
    if isinstance(value, complex):
        return is_signed_zero(value.real) or is_signed_zero(value.imag)
    return isinstance(value, float) and value == 0 and math.copysign(1.0, value) < 0


@kernel
def full(shape: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    if is_signed_zero(fill_value):
        return cupy.broadcast_to(as_scalar(fill_value, dtype or type(fill_value)), shape).copy()
    return cupy.full(shape, fill_value, dtype)


@kernel
def full_like(x: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    return full(x.shape, fill_value, dtype=dtype or x.dtype)


@kernel
def linspace(start: Any, stop: Any, num: int, *, dtype: Any = None, endpoint: bool = True) -> Any:
    # Small, and the same digits as on the host.
    return cupy.asarray(np.linspace(start, stop, num, endpoint, dtype=dtype))


# --- reductions ------------------------------------------------------------------------------------------------------


@kernel
def sum_(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if axis == ():
        return x.astype(dtype or (np.int64 if x.dtype.kind == "b" else x.dtype), copy=True)
    return cupy.sum(x, axis=axis, dtype=dtype, keepdims=keepdims)


@kernel
def prod(x: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if axis == ():
        return x.astype(dtype or (np.int64 if x.dtype.kind == "b" else x.dtype), copy=True)
    return cupy.prod(x, axis=axis, dtype=dtype, keepdims=keepdims)


def _over_axes(name: str) -> Kernel:
    own = getattr(cupy, name)

    def over_axes(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axis == ():
            return x.copy() if name in ("max", "min") or x.dtype.kind == "b" else x != 0
        return own(x, axis=axis, keepdims=keepdims)

    return over_axes


for _name in ("all", "any", "max", "min"):
    KERNELS[_name] = _over_axes(_name)


@kernel
def count_nonzero(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return sum_(x != 0, axis=axis, dtype=np.int64, keepdims=keepdims)


def _count(x: Any, axis: Any) -> int:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[position] for position in axes)


@kernel
def mean(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    if x.dtype.itemsize == 2:  # sums of float16 overflow early
        wide = x.astype(np.float32)
        return (sum_(wide, axis=axis, keepdims=keepdims) / _count(x, axis)).astype(x.dtype)
    total, count = sum_(x, axis=axis, keepdims=keepdims), _count(x, axis)
    return total / count if count else total * math.nan


@kernel
def var(x: Any, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    centred = x - mean(x, axis=axis, keepdims=True)
    return sum_(centred * centred, axis=axis, keepdims=keepdims) / as_scalar(_count(x, axis) - correction, x.dtype)


@kernel
def std(x: Any, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return cupy.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


# --- choosing and moving ---------------------------------------------------------------------------------------------


def check_bounds(indices: Any, length: int) -> None:
    """Refuse indices out of bounds: CuPy lets them go round."""
    if indices.size and bool(((indices < -length) | (indices >= length)).any()):
        raise IndexError(f"an index is out of bounds for an axis of length {length}")


@kernel
def take(x: Any, indices: Any, *, axis: Any = None) -> Any:
    # gradarray has looked at the indices: CuPy would let those out of bounds go round.
    return cupy.take(x, indices, axis=axis)


@kernel
def take_along_axis(x: Any, indices: Any, *, axis: int = -1) -> Any:
    return cupy.take_along_axis(x, indices, axis)


@kernel
def repeat(x: Any, repeats: Any, *, axis: Any = None) -> Any:
    if not isinstance(repeats, cupy.ndarray):
        return cupy.repeat(x, repeats, axis)
    if axis is None:
        x, axis = x.reshape(-1), 0
    ends = cupy.cumsum(cupy.broadcast_to(repeats.reshape(-1), (x.shape[axis],)))
    if bool((repeats < 0).any()):
        raise ValueError("repeats may not be negative")
    numbers = cupy.arange(int(ends[-1]) if ends.size else 0)
    return cupy.take(x, cupy.searchsorted(ends, numbers, side="right"), axis=axis)


@kernel
def where(condition: Any, x1: Any, x2: Any) -> Any:
    array = x1 if isinstance(x1, cupy.ndarray) else x2
    first, second = [as_scalar(x, array.dtype) if is_signed_zero(x) else x for x in (x1, x2)]
    return cupy.where(condition, first, second)


@kernel
def finfo(dtype: Any) -> Any:
    if dtype.kind != "V":
        return np.finfo(dtype)
    import ml_dtypes

    return ml_dtypes.finfo(dtype)


@kernel
def astype(x: Any, dtype: Any, *, copy: bool = True) -> Any:
    return x.astype(dtype, copy=copy)


@kernel
def permute_dims(x: Any, axes: Any) -> Any:
    return x.transpose(axes)


# --- linear algebra --------------------------------------------------------------------------------------------------


def _telling(name: str) -> Kernel:
    """A function that raises where there is no answer. To know that it has to wait for the device."""
    own = getattr(xp_linalg, name)

    def telling(*args: Any, **keywords: Any) -> Any:
        with cupyx.errstate(linalg="raise"):
            return own(*args, **keywords)

    return telling


for _name in "cholesky eigh eigvalsh inv solve svd svdvals".split():
    KERNELS[_name] = _telling(_name)


def _general_eigen(name: str) -> Kernel:
    """Eigenvalues of general matrices, which older CUDA libraries do not have: computed on the host there."""

    def general_eigen(x: Any) -> Any:
        dtype = np.result_type(x.dtype, np.complex64)
        try:
            out = _telling(name)(x)
        except (AttributeError, NotImplementedError, RuntimeError):
            return on_host(name)(x)
        # The standard's are complex always.
        return tuple([part.astype(dtype) for part in out]) if isinstance(out, tuple) else out.astype(dtype)

    return general_eigen


KERNELS["eig"], KERNELS["eigvals"] = _general_eigen("eig"), _general_eigen("eigvals")


# --- transforms over several axes: CuPy wants to know all of them ----------------------------------------------------


def _over_several(name: str) -> Kernel:
    own = getattr(xp_fft, name)

    def over_several(x: Any, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        if axes is None:
            axes = tuple(range(x.ndim)) if s is None else tuple(range(x.ndim - len(s), x.ndim))
        if s is None and name != "irfftn":
            s = tuple([x.shape[axis] for axis in axes])
        return own(x, s=s, axes=axes, norm=norm)

    return over_several


for _name in "fftn ifftn irfftn rfftn".split():
    KERNELS[_name] = _over_several(_name)


# --- on the host -----------------------------------------------------------------------------------------------------

#: What libraries beneath CuPy do not do with nothing: with an empty operand the host answers.
NOT_OF_EMPTY = frozenset(
    (
        "argmax argmin argsort cholesky cross cumulative_prod cumulative_sum det diff eig eigh eigvals eigvalsh fft "
        "fftn hfft ifft ifftn ihfft inv irfft irfftn isin matmul matrix_norm matrix_power matrix_rank max mean min "
        "pinv prod qr repeat rfft rfftn roll searchsorted slogdet solve sort std sum svd svdvals take take_along_axis "
        "tensordot trace unique_all unique_counts unique_inverse unique_values var vecdot vector_norm"
    ).split()
)


def on_host(name: str) -> Kernel:
    """The kernel of the NumPy backend, with the result on the current device."""

    def run(*args: Any, **keywords: Any) -> Any:
        function = load("numpy").kernel(name)
        return _to_device(function(*_to_host(args), **{key: _to_host(part) for key, part in keywords.items()}))

    return run


def _to_host(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return type(x)([_to_host(part) for part in x])
    return x.get() if isinstance(x, cupy.ndarray) else x


def _to_device(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple([_to_device(part) for part in x])
    values = np.asarray(x)
    return cupy.asarray(values.reshape(-1)).reshape(values.shape)


def not_of_empty(name: str, function: Kernel) -> Kernel:
    """A kernel that leaves empty operands to the host."""
    host = on_host(name)

    def run(*args: Any, **keywords: Any) -> Any:
        if any(isinstance(x, cupy.ndarray) and not x.size for x in args):
            return host(*args, **keywords)
        return function(*args, **keywords)

    return run
