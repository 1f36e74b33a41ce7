"""Data types, and the one rule by which they promote on every backend.

A gradarray dtype is a NumPy dtype instance: hashable, comparable and understood by every client. Within the pairs that
the standard defines, promotion is the standard's. Outside them (an integer with a floating-point array, a boolean with
a number, an unsigned 64-bit with a signed integer) it is NumPy's lattice, on every backend: the result can hold both
kinds, so nothing is ever truncated. Python scalars never widen an array of their own or a higher kind.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._errors import ArgumentTypeError, DTypeError, MissingExtraError

DType = np.dtype[Any]

bool = np.dtype("bool")
int8 = np.dtype("int8")
int16 = np.dtype("int16")
int32 = np.dtype("int32")
int64 = np.dtype("int64")
uint8 = np.dtype("uint8")
uint16 = np.dtype("uint16")
uint32 = np.dtype("uint32")
uint64 = np.dtype("uint64")
float16 = np.dtype("float16")
float32 = np.dtype("float32")
float64 = np.dtype("float64")
complex64 = np.dtype("complex64")
complex128 = np.dtype("complex128")

SIGNED = (int8, int16, int32, int64)
UNSIGNED = (uint8, uint16, uint32, uint64)
REAL_FLOATING = (float32, float64)
COMPLEX_FLOATING = (complex64, complex128)
STANDARD = (bool, *SIGNED, *UNSIGNED, *REAL_FLOATING, *COMPLEX_FLOATING)
#: float16 is not in the standard; NumPy and the GPU libraries have it, so it is taken wherever the backend has it. So
#: is bfloat16, once somebody has asked for it: it is a type of the package ml_dtypes.
SUPPORTED = {*STANDARD, float16}
#: Equal dtypes need not be one object; comparing with `is` wants the one that stands here.
_CANONICAL = {dtype: dtype for dtype in SUPPORTED}
#: The dtypes whose arrays can require grad.
DIFFERENTIABLE = {float16, *REAL_FLOATING, *COMPLEX_FLOATING}

KINDS: dict[str, tuple[DType, ...]] = {
    "bool": (bool,),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": (float16, *REAL_FLOATING),
    "complex floating": COMPLEX_FLOATING,
    "numeric": (*SIGNED, *UNSIGNED, float16, *REAL_FLOATING, *COMPLEX_FLOATING),
}

DEFAULTS: dict[str, DType] = {
    "real floating": float64,
    "complex floating": complex128,
    "integral": int64,
    "indexing": int64,
}

_SCALAR_DEFAULTS: dict[type, DType] = {
    builtins.bool: bool,
    int: int64,
    float: float64,
    complex: complex128,
}
#: Position of a kind in the order bool < integer < real floating < complex floating.
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_SCALAR_RANK: dict[type, int] = {builtins.bool: 0, int: 1, float: 2, complex: 3}

_pairs: dict[tuple[DType, DType], DType] = {}


def bfloat16() -> DType:
    """The data type bfloat16, which NumPy knows through the package ml_dtypes.

    Raises
    ------
    MissingExtraError
        If the package is not installed.
    """
    try:
        import ml_dtypes
    except ImportError as error:
        raise MissingExtraError(
            f"bfloat16: it needs a package that is not installed ({error})\nFix: pip install ml_dtypes"
        ) from error
    dtype = np.dtype(ml_dtypes.bfloat16)
    if dtype not in _CANONICAL:
        for kind in ("real floating", "numeric"):
            KINDS[kind] = (*KINDS[kind], dtype)
        DIFFERENTIABLE.add(dtype)
        SUPPORTED.add(dtype)
    return _CANONICAL.setdefault(dtype, dtype)


def kind_of(dtype: DType) -> str:
    """NumPy's letter for the kind of a data type; to NumPy bfloat16 is of none."""
    return "f" if dtype.kind == "V" else dtype.kind


def _promote_bfloat16(other: DType) -> DType:
    """The smallest data type that holds bfloat16, whose mantissa has 8 bits, and another one."""
    if other.kind in "biu":
        return bfloat16() if other.itemsize == 1 else float32 if other.itemsize == 2 else float64
    return float32 if other is float16 else other


def as_dtype(dtype: Any, *, op: str = "dtype") -> DType:
    """The gradarray dtype that `dtype` stands for: a dtype, one of Python's number types, or a NumPy name."""
    if isinstance(dtype, np.dtype):
        known = _CANONICAL.get(dtype)
        if known is not None:
            return known
        found = dtype
    elif dtype == "bfloat16":
        return bfloat16()
    elif dtype in _SCALAR_DEFAULTS:
        return _SCALAR_DEFAULTS[dtype]
    elif isinstance(dtype, (str, type)):
        try:
            found = np.dtype(dtype)
        except TypeError:
            raise DTypeError(_unknown(op, dtype)) from None
    else:
        raise DTypeError(_unknown(op, dtype))
    try:
        return _CANONICAL[found.newbyteorder("=")]
    except KeyError:
        if found.name == "bfloat16":
            return bfloat16()
        raise DTypeError(_unknown(op, dtype)) from None


def _unknown(op: str, dtype: Any) -> str:
    names = ", ".join(d.name for d in STANDARD)
    return f"{op}(): {dtype!r} is not a data type that gradarray has\nFix: use one of {names}"


def scalar_dtype(scalar: builtins.bool | int | float | complex) -> DType:
    """The default dtype of a Python scalar that meets no array."""
    return _SCALAR_DEFAULTS[type(scalar)]


def promote(first: DType, second: DType) -> DType:
    """The dtype that two array dtypes promote to."""
    if first is second:
        return first
    try:
        return _pairs[first, second]
    except KeyError:
        if first.kind == "V" or second.kind == "V":
            common = _promote_bfloat16(second if first.kind == "V" else first)
        else:
            common = np.result_type(first, second)
        return _pairs.setdefault((first, second), common)


def promote_scalar(dtype: DType, scalar_type: type) -> DType:
    """The dtype that an array dtype promotes to when it meets a Python scalar of the given type."""
    rank, scalar_rank = _RANK[kind_of(dtype)], _SCALAR_RANK[scalar_type]
    if scalar_rank <= rank:
        return dtype
    if scalar_rank == 3 and rank == 2:
        return complex64 if dtype.itemsize <= 4 else complex128
    return {1: int64, 2: float64, 3: complex128}[scalar_rank]


def to_floating(dtype: DType) -> DType:
    """The dtype in which a floating-point function takes `dtype`: itself, or the default real dtype for integers."""
    return dtype if dtype in DIFFERENTIABLE else float64


def result_dtype(dtypes: list[DType], scalar_types: list[type]) -> DType:
    """Fold any number of array dtypes, then any number of Python scalar types, into one dtype."""
    if not (dtypes or scalar_types):
        raise ArgumentTypeError("result_type(): nothing was given\nFix: pass an array, a dtype or a number")
    folded = dtypes[0] if dtypes else bool
    for dtype in dtypes[1:]:
        folded = promote(folded, dtype)
    for scalar_type in scalar_types:
        folded = promote_scalar(folded, scalar_type)
    return folded


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Whether `dtype` is of the given kind: a dtype, one of the standard's kind names, or a tuple of either."""
    own = as_dtype(dtype, op="isdtype")
    if isinstance(kind, tuple):
        return any(isdtype(own, part) for part in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            names = ", ".join(map(repr, KINDS))
            raise ArgumentTypeError(f"isdtype(): {kind!r} is not a kind of data type\nFix: use one of {names}")
        return own in KINDS[kind]
    return own == as_dtype(kind, op="isdtype")


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """Limits of a floating-point data type, as Python numbers (what `finfo` returns)."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """Limits of an integer data type, as Python integers (what `iinfo` returns)."""

    bits: int
    max: int
    min: int
    dtype: DType


def float_info(dtype: DType) -> FloatInfo:
    """The limits of a floating-point dtype; those of the components for a complex one."""
    if dtype not in DIFFERENTIABLE:
        raise DTypeError(f"finfo(): {dtype} is not a floating-point data type\nFix: use iinfo for integers")
    if dtype.kind == "V":
        import ml_dtypes

        info: Any = ml_dtypes.finfo(dtype)
    else:
        info = np.finfo(dtype)
    return FloatInfo(
        bits=int(info.bits),
        eps=float(info.eps),
        max=float(info.max),
        min=float(info.min),
        smallest_normal=float(info.smallest_normal),
        dtype=np.dtype(info.dtype),
    )


def integer_info(dtype: DType) -> IntegerInfo:
    """The limits of an integer dtype."""
    if dtype.kind not in "iu":
        raise DTypeError(f"iinfo(): {dtype} is not an integer data type\nFix: use finfo for floating-point types")
    info = np.iinfo(dtype)
    return IntegerInfo(bits=int(info.bits), max=int(info.max), min=int(info.min), dtype=dtype)
