"""JAX's own functions as kernels, and the corrections where JAX differs from the standard or from NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gradarray.backend import ArgumentValueError, Corrections, guarded, load

Kernel = Callable[..., Any]

#: Functions of two operands of one data type that are the standard's as they are.
BINARY = (
    "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign equal hypot less "
    "less_equal greater greater_equal logical_and logical_or logical_xor multiply nextafter not_equal subtract"
).split()
#: What JAX computes without telling that there is no answer, or on one platform only: computed on the host.
_ON_HOST = "cholesky eig eigvals inv solve".split()

KERNELS: dict[str, Kernel] = {}
_corrections = Corrections(jnp)


def kernel(function: Kernel) -> Kernel:
    """Put a function into the table under its own name."""
    KERNELS[function.__name__.rstrip("_")] = function
    return function


def as_shared(name: str, function: Kernel) -> Kernel:
    """A kernel whose errors are those that gradarray can tell apart."""
    if name in _TOLD_APART:
        return function  # a frame less
    return guarded(function, TypeError, _raise, operands=2 if name == "matmul" else None)


def _raise(error: Exception, args: Any, keywords: Any) -> Any:
    # In the words of Python and NumPy a shape is a wrong value, not a wrong type.
    raise ValueError(str(error)) if "shape" in str(error) or "dimension" in str(error) else error


def _of_two(function: Kernel) -> Kernel:
    """A function of two arrays that takes a Python scalar in the place of either.

    JAX would take a scalar as an array of a weak type, which gives way to others in ways that are not ours.
    """

    @functools.wraps(function)
    def of_two(x1: Any, x2: Any) -> Any:
        if type(x1) in _SCALARS:
            x1 = _scalar(x1, x2.dtype)
        elif type(x2) in _SCALARS:
            x2 = _scalar(x2, x1.dtype)
        try:
            return function(x1, x2)
        except TypeError as error:
            return _raise(error, (x1, x2), {})

    return of_two


_SCALARS = frozenset((bool, int, float, complex))


def _scalar(x: Any, dtype: Any) -> Any:
    return np.asarray(x, dtype)


KERNELS |= {name: _of_two(getattr(jnp, name)) for name in BINARY}
KERNELS["matmul"] = jnp.matmul  # that of jnp.linalg calls it


def on_host(name: str) -> Kernel:
    """The kernel of the NumPy backend, on the host, with the result where the operands are."""

    def run(*args: Any, **keywords: Any) -> Any:
        device = next(x.device for x in args if isinstance(x, jax.Array))
        host = [np.asarray(x) if isinstance(x, jax.Array) else x for x in args]
        result = load("numpy").kernel(name)(*host, **keywords)
        if isinstance(result, tuple):
            return tuple([jax.device_put(np.asarray(part), device) for part in result])
        return jax.device_put(np.asarray(result), device)

    return run


for _name in _ON_HOST:
    KERNELS[_name] = on_host(_name)


def _of_complex(name: str) -> Kernel:
    """A function whose special cases of complex numbers JAX does not have: those are left to NumPy."""
    own = getattr(jnp, name)
    special = on_host(name)

    def of_complex(x: Any) -> Any:
        if x.dtype.kind == "c" and not bool(jnp.isfinite(x).all()):
            return special(x)
        return own(x)

    return of_complex


_TRANSCENDENTAL = (
    "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 sin sinh sqrt tan tanh".split()
)
_UNARY = frozenset((*_TRANSCENDENTAL, "abs", "ceil", "floor", "negative", "positive", "sign", "square", "trunc"))
#: Functions that raise no TypeError for a shape: `_of_two` has seen to it, or JAX itself.
_TOLD_APART = frozenset((*BINARY, *_UNARY, *"all any count_nonzero max mean min sum where".split()))
for _name in _TRANSCENDENTAL:
    KERNELS[_name] = _of_complex(_name)


# --- elementwise -----------------------------------------------------------------------------------------------------


def _kind(x: Any) -> str:
    kind: str = x.dtype.kind
    return "f" if kind == "V" else kind  # bfloat16 is of no kind to NumPy


def _numbers(name: str) -> Kernel:
    own = getattr(jnp, name)

    def numbers(x: Any) -> Any:
        if _kind(x) == "b":
            raise TypeError("booleans are not numbers here")
        return own(x)

    return numbers


for _name in ("negative", "square", "positive"):
    KERNELS[_name] = _numbers(_name)


@kernel
def sign(x: Any) -> Any:
    if _kind(x) == "b":
        raise TypeError("booleans are not numbers here")
    if _kind(x) == "c":
        return _corrections.sign(x)
    out = jnp.sign(x)
    return jnp.where(x == 0, jnp.zeros_like(out), out)  # of -0 too


@kernel
@_of_two
def divide(x1: Any, x2: Any) -> Any:
    if _kind(x1) not in "fc":
        x1, x2 = x1.astype(np.float64), x2.astype(np.float64)
    return jnp.divide(x1, x2)


@kernel
@_of_two
def floor_divide(x1: Any, x2: Any) -> Any:
    if _kind(x1) == "b":
        raise TypeError("booleans are not numbers here")
    out = _corrections.floor_divide(x1, x2)
    # The quotient of a zero keeps its sign.
    return jnp.where((x1 == 0) & (x2 != 0), x1 / x2, out) if _kind(x1) == "f" else out


@kernel
@_of_two
def remainder(x1: Any, x2: Any) -> Any:
    if _kind(x1) == "b":
        raise TypeError("booleans are not numbers here")
    out = jnp.remainder(x1, x2)
    # A remainder of 0 has the sign of the divisor.
    return jnp.where(out == 0, jnp.copysign(out, x2), out) if _kind(x1) == "f" else out


@kernel
@_of_two
def pow_(x1: Any, x2: Any) -> Any:
    if _kind(x1) == "b":
        raise TypeError("booleans are not numbers here")
    if _kind(x1) == "i" and bool((x2 < 0).any()):
        raise ArgumentValueError(
            "pow(): a negative integer power of an integer is not an integer\n"
            "Fix: x1 = gradarray.astype(x1, gradarray.float64)"
        )
    out = jnp.power(x1, x2)
    return jnp.where((x1 == 0) & (x2 == 0), jnp.ones_like(out), out) if _kind(x1) == "c" else out


def _real(name: str) -> Kernel:
    own = getattr(jnp, name)

    def real(x1: Any, x2: Any) -> Any:
        if _kind(x1) not in "f":
            raise TypeError("only real floating-point numbers have one")
        return own(x1, x2)

    return _of_two(real)


KERNELS["logaddexp"] = _real("logaddexp")


# --- the rest --------------------------------------------------------------------------------------------------------


@kernel
def where(condition: Any, x1: Any, x2: Any) -> Any:
    if type(x1) is type(x2):
        return jnp.where(condition, x1, x2)
    if not hasattr(x1, "dtype") and hasattr(x2, "dtype"):
        x1 = _scalar(x1, np.result_type(x2.dtype, type(x1)) if isinstance(x1, complex) else x2.dtype)
    elif not hasattr(x2, "dtype") and hasattr(x1, "dtype"):
        x2 = _scalar(x2, np.result_type(x1.dtype, type(x2)) if isinstance(x2, complex) else x1.dtype)
    return jnp.where(condition, x1, x2)


@kernel
def astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    return jnp.array(x, copy=True) if copy and x.dtype == dtype else x.astype(dtype)


@kernel
def searchsorted(x1: Any, x2: Any, *, side: str = "left", sorter: Any = None) -> Any:
    return jnp.searchsorted(x1, x2, side=side, sorter=sorter).astype(np.int64)


@kernel
def diagonal(x: Any, *, offset: int = 0) -> Any:
    return jnp.diagonal(x, offset, -2, -1)


@kernel
def take(x: Any, indices: Any, *, axis: Any = None) -> Any:
    # gradarray has looked at the indices: JAX would answer those out of bounds with NaN.
    return jnp.take(x, indices, axis=axis)


@kernel
def reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    if copy is None and type(shape) is tuple and -1 not in shape:
        return jax.lax.reshape(x, shape)  # what JAX's own function does in the end
    return jnp.reshape(x, shape, copy=copy)


def _filled(name: str) -> Kernel:
    own, on_the_host = getattr(jnp, name), getattr(np, name)

    def filled(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        if device is None or dtype is None or prod(shape) > _SMALL:
            return own(shape, dtype=dtype, device=device)
        # To fill a few elements on a device of one's choice costs JAX more than to take them there.
        return jax.device_put(on_the_host(shape, dtype), device)

    return filled


_SMALL = 1024
KERNELS["zeros"], KERNELS["ones"] = _filled("zeros"), _filled("ones")
