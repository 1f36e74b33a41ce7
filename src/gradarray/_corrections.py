"""Elementwise functions as gradarray wants them, written over the standard for libraries that differ.

They differ in special cases of the standard, and in what they do outside of it: with booleans, with integers where
floating-point numbers are expected, and where the answer could share the memory of the input. A backend puts what it
needs of this into its table of kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

from ._errors import ArgumentValueError

#: Between these, complex numbers of either precision can be divided by their magnitude.
LOW, HIGH = 2.0**-62, 2.0**62


class Corrections:
    """Corrected functions over a namespace of the standard. Each is a method; its public name is the method's.

    Two operands have one data type, or one of them is a Python scalar.
    """

    def __init__(self, xp: Any) -> None:
        self._xp = xp

    def _isdtype(self, dtype: Any, kind: Any) -> bool:
        try:
            found: bool = self._xp.isdtype(dtype, kind)
        except TypeError:  # NumPy's own does not take bfloat16 for a data type
            found = "real floating" in (kind if isinstance(kind, tuple) else (kind,))
        return found

    def _is(self, kind: Any, *operands: Any) -> bool:
        """Whether every operand is of a kind of data type; a Python scalar counts where it has that type itself."""
        scalar = {"bool": bool, "integral": int, "real floating": float}[kind]
        return all(self._isdtype(x.dtype, kind) if hasattr(x, "dtype") else type(x) is scalar for x in operands)

    def _copy(self, x: Any) -> Any:
        return self._xp.asarray(x, copy=True)

    def _numbers(self, *operands: Any) -> list[Any]:
        """Booleans as integers; anything else as it is."""
        xp = self._xp
        return [
            (xp.astype(x, xp.int8) if hasattr(x, "dtype") else int(x)) if self._is("bool", x) else x for x in operands
        ]

    def _truths(self, *operands: Any) -> list[Any]:
        """Numbers as booleans, true unless 0."""
        return [x if self._is("bool", x) else x != 0 for x in operands]

    # --- booleans, integers, copies ----------------------------------------------------------------------------------

    def abs(self, x: Any) -> Any:
        return self._copy(x) if self._is("bool", x) else self._xp.abs(x)

    def conj(self, x: Any) -> Any:
        return self._xp.conj(x) if self._isdtype(x.dtype, "complex floating") else self._copy(x)

    def real(self, x: Any) -> Any:
        return self._copy(self._xp.real(x) if self._isdtype(x.dtype, "complex floating") else x)

    def imag(self, x: Any) -> Any:
        if self._isdtype(x.dtype, "complex floating"):
            return self._copy(self._xp.imag(x))
        return self._xp.zeros_like(x)

    def _rounded(self, name: str, x: Any) -> Any:
        return self._copy(x) if self._isdtype(x.dtype, ("bool", "integral")) else getattr(self._xp, name)(x)

    def floor(self, x: Any) -> Any:
        return self._rounded("floor", x)

    def ceil(self, x: Any) -> Any:
        return self._rounded("ceil", x)

    def trunc(self, x: Any) -> Any:
        return self._rounded("trunc", x)

    def round(self, x: Any) -> Any:
        return self._rounded("round", x)

    def isfinite(self, x: Any) -> Any:
        return self._xp.isfinite(*self._numbers(x))

    def isinf(self, x: Any) -> Any:
        return self._xp.isinf(*self._numbers(x))

    def isnan(self, x: Any) -> Any:
        return self._xp.isnan(*self._numbers(x))

    def signbit(self, x: Any) -> Any:
        (x,) = self._numbers(x)
        return x < 0 if self._is("integral", x) else self._xp.signbit(x)

    def add(self, x1: Any, x2: Any) -> Any:
        return (self._xp.logical_or if self._is("bool", x1, x2) else self._xp.add)(x1, x2)

    def multiply(self, x1: Any, x2: Any) -> Any:
        return (self._xp.logical_and if self._is("bool", x1, x2) else self._xp.multiply)(x1, x2)

    def maximum(self, x1: Any, x2: Any) -> Any:
        return (self._xp.logical_or if self._is("bool", x1, x2) else self._xp.maximum)(x1, x2)

    def minimum(self, x1: Any, x2: Any) -> Any:
        return (self._xp.logical_and if self._is("bool", x1, x2) else self._xp.minimum)(x1, x2)

    def less(self, x1: Any, x2: Any) -> Any:
        return self._xp.less(*self._numbers(x1, x2))

    def less_equal(self, x1: Any, x2: Any) -> Any:
        return self._xp.less_equal(*self._numbers(x1, x2))

    def greater(self, x1: Any, x2: Any) -> Any:
        return self._xp.greater(*self._numbers(x1, x2))

    def greater_equal(self, x1: Any, x2: Any) -> Any:
        return self._xp.greater_equal(*self._numbers(x1, x2))

    def logical_and(self, x1: Any, x2: Any) -> Any:
        return self._xp.logical_and(*self._truths(x1, x2))

    def logical_or(self, x1: Any, x2: Any) -> Any:
        return self._xp.logical_or(*self._truths(x1, x2))

    def logical_xor(self, x1: Any, x2: Any) -> Any:
        return self._xp.logical_xor(*self._truths(x1, x2))

    def logical_not(self, x: Any) -> Any:
        return self._xp.logical_not(*self._truths(x))

    def divide(self, x1: Any, x2: Any) -> Any:
        xp = self._xp
        array = x1 if hasattr(x1, "dtype") else x2
        if self._isdtype(array.dtype, ("bool", "integral")):
            dtype = xp.__array_namespace_info__().default_dtypes(device=array.device)["real floating"]
            x1, x2 = [xp.astype(x, dtype) if hasattr(x, "dtype") else float(x) for x in (x1, x2)]
        return xp.divide(x1, x2)

    def pow(self, x1: Any, x2: Any) -> Any:
        try:
            return self._xp.pow(x1, x2)
        except ValueError as error:
            if "negative integer power" not in str(error):
                raise
            raise ArgumentValueError(
                "pow(): a negative integer power of an integer is not an integer\n"
                "Fix: x1 = gradarray.astype(x1, gradarray.float64)"
            ) from error

    # --- special cases -----------------------------------------------------------------------------------------------

    def floor_divide(self, x1: Any, x2: Any) -> Any:
        """The floor of the quotient where a number is infinite: libraries take a remainder first, which is NaN."""
        xp = self._xp
        out = xp.floor_divide(x1, x2)
        if not self._is("real floating", out):
            return out
        infinite = [xp.isinf(x) if hasattr(x, "dtype") else x in (inf, -inf) for x in (x1, x2)]
        return xp.where(xp.logical_or(*infinite), xp.floor(x1 / x2), out)

    def sign(self, x: Any) -> Any:
        """Directions of complex numbers whose magnitude is too large for the data type, or too small to be precise."""
        xp = self._xp
        out = xp.sign(x)
        if not self._isdtype(out.dtype, "complex floating"):
            return out
        size = xp.abs(x)
        # One factor for both precisions: it brings the smallest numbers up to normal ones, the largest far down.
        factor = xp.where(size < LOW, 4 * HIGH, xp.where(size > HIGH, LOW / 4, xp.ones_like(size)))
        # Infinite parts outweigh finite ones.
        finite = xp.isfinite(x)
        ends = [xp.where(xp.isinf(part), xp.copysign(xp.ones_like(part), part), 0) for part in (xp.real(x), xp.imag(x))]
        scaled = xp.where(finite, x * factor, ends[0] + 1j * ends[1])
        unknown = xp.isnan(x) | (x == 0)
        return xp.where(unknown, xp.where(x == 0, 0j, out), scaled / xp.where(unknown, 1, xp.abs(scaled)))

    def expm1(self, x: Any) -> Any:
        """Special cases of complex numbers: libraries multiply an infinite or NaN real part by a sine of 0."""
        xp = self._xp
        out = xp.expm1(x)
        if not self._isdtype(out.dtype, "complex floating"):
            return out
        a, b = xp.real(x), xp.imag(x)
        flat, wild = b == 0, xp.logical_not(xp.isfinite(b))
        cases: tuple[tuple[Any, complex], ...] = (
            ((a == 0) & flat, complex(0.0, 0.0)),
            ((a == inf) & flat, complex(inf, 0.0)),
            (xp.isnan(a) & flat, complex(nan, 0.0)),
            ((a == inf) & wild, complex(inf, nan)),
            ((a == -inf) & wild, complex(-1.0, 0.0)),
        )
        out = self._with_cases(out, b, cases)
        return self._with_cases(out, xp.sin(b), (((a == -inf) & xp.isfinite(b), complex(-1.0, 0.0)),))

    def tanh(self, x: Any) -> Any:
        """Complex numbers far to the right or left: the standard wants the sign of the imaginary part to stay."""
        xp = self._xp
        out = xp.tanh(x)
        if not self._isdtype(out.dtype, "complex floating"):
            return out
        a, b = xp.real(x), xp.imag(x)
        return self._with_cases(out, b, ((a == inf, complex(1.0, 0.0)), (a == -inf, complex(-1.0, 0.0))))

    def _with_cases(self, out: Any, imag: Any, cases: tuple[tuple[Any, complex], ...]) -> Any:
        """`out` with the values of special cases, conjugated where the imaginary part is negative."""
        xp = self._xp
        below = xp.signbit(imag)
        above = xp.logical_not(below)
        for where, value in cases:
            out = xp.where(where & above, value, xp.where(where & below, value.conjugate(), out))
        return out


def corrected(xp: Any, name: str) -> Callable[..., Any] | None:
    """The corrected function of the given name over a namespace; None where there is none."""
    if name.startswith("_"):
        return None
    found: Callable[..., Any] | None = getattr(Corrections(xp), name, None)
    return found
