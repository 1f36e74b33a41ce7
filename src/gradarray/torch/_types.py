"""What PyTorch has classes of its own for: data types, devices and sizes; and its rule of promotion."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from operator import index
from typing import Any

from .. import _devices, _dtypes, _errors
from .._array import Array

_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_COMPLEX_OF = {_dtypes.float16: _dtypes.complex64, _dtypes.float32: _dtypes.complex64}


class Size(tuple[builtins.int, ...]):
    """Length of each axis: a tuple that prints as PyTorch's does."""

    __slots__ = ()

    def numel(self) -> builtins.int:
        """Number of elements of a tensor of this size."""
        count = 1
        for length in self:
            count *= length
        return count

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Size:
        return Size(super().__add__(tuple(other)))


class dtype:
    """Data type of a tensor, named as PyTorch names it.

    Attributes
    ----------
    is_floating_point, is_complex, is_signed : bool
        What kind of numbers it holds.
    itemsize : int
        Bytes of one element.
    """

    __slots__ = ("_dtype", "_name", "is_complex", "is_floating_point", "is_signed", "itemsize")

    def __init__(self, name: str, own: _dtypes.DType) -> None:
        self._name = name
        self._dtype = own
        kind = _dtypes.kind_of(own)
        self.is_floating_point = kind == "f"
        self.is_complex = kind == "c"
        self.is_signed = kind not in "bu"
        self.itemsize = own.itemsize

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return named_dtype, (self._name,)


bool = dtype("bool", _dtypes.bool)  # noqa: A001
int8 = dtype("int8", _dtypes.int8)
int16 = dtype("int16", _dtypes.int16)
int32 = dtype("int32", _dtypes.int32)
int64 = dtype("int64", _dtypes.int64)
uint8 = dtype("uint8", _dtypes.uint8)
uint16 = dtype("uint16", _dtypes.uint16)
uint32 = dtype("uint32", _dtypes.uint32)
uint64 = dtype("uint64", _dtypes.uint64)
float16 = dtype("float16", _dtypes.float16)
float32 = dtype("float32", _dtypes.float32)
float64 = dtype("float64", _dtypes.float64)
complex64 = dtype("complex64", _dtypes.complex64)
complex128 = dtype("complex128", _dtypes.complex128)

half, float, double = float16, float32, float64  # noqa: A001 - PyTorch's names
short, int, long = int16, int32, int64  # noqa: A001
cfloat, cdouble = complex64, complex128

#: By gradarray's data type; bfloat16 is added when somebody asks for it, for it needs a package.
_BY_OWN = {
    each._dtype: each
    for each in (
        *(bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
        *(float16, float32, float64, complex64, complex128),
    )
}


def named_dtype(name: str) -> dtype:
    """The data type of a name without ``torch.``."""
    return of_dtype(_dtypes.as_dtype(name))


def of_dtype(own: _dtypes.DType) -> dtype:
    """PyTorch's data type for gradarray's."""
    found = _BY_OWN.get(own)
    return _BY_OWN.setdefault(own, dtype(own.name, own)) if found is None else found


def own_dtype(given: Any, op: str) -> _dtypes.DType | None:
    """Gradarray's data type for PyTorch's, for one of Python's types of number, or None for None."""
    if given is None:
        return None
    if isinstance(given, dtype):
        return given._dtype
    if given is builtins.float:
        return _default
    if given is complex:
        return complex_of(_default)
    return _dtypes.as_dtype(given, op=op)


def complex_of(own: _dtypes.DType) -> _dtypes.DType:
    """The complex data type with parts of a real one."""
    return _COMPLEX_OF.get(own, _dtypes.complex128)


_default: _dtypes.DType = _dtypes.float32


def get_default_dtype() -> dtype:
    """Data type of the floating-point tensors that are made without one: float32, unless it was set."""
    return of_dtype(_default)


def set_default_dtype(d: Any, /) -> None:
    """Set the data type of the floating-point tensors that are made without one.

    Raises
    ------
    DTypeError
        If it is not a real floating-point data type.
    """
    global _default
    own = own_dtype(d, "set_default_dtype")
    if own is None or _dtypes.kind_of(own) != "f":
        raise _errors.DTypeError(
            f"set_default_dtype(): {d!r} is not a floating-point data type\nFix: use torch.float32 or torch.float64"
        )
    _default = own


def default_of(kind: str) -> _dtypes.DType:
    """Gradarray's data type for Python numbers of one of NumPy's kinds."""
    if kind == "f":
        return _default
    return {"b": _dtypes.bool, "i": _dtypes.int64, "c": complex_of(_default)}[kind]


# --- devices ---------------------------------------------------------------------------------------------------------


class device:
    """Where a tensor lies; as a context manager, where tensors are created inside the block.

    Parameters
    ----------
    type : str, device or Device
        ``"cpu"``, ``"cuda"``, ``"cuda:1"``, or any of gradarray's devices, such as ``"jax:cuda:0"``.
    index : int, optional
        The number of the device, if it is not in the text.

    Attributes
    ----------
    type : str
        The name without the number.
    index : int or None
        The number.
    """

    __slots__ = ("_blocks", "index", "type")

    type: str
    index: builtins.int | None

    def __init__(self, type: Any, index: builtins.int | None = None) -> None:  # noqa: A002 - PyTorch's name
        self._blocks: list[_devices.device] = []
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
        elif isinstance(type, builtins.int) and not isinstance(type, builtins.bool):
            self.type, self.index = "cuda", type
        elif isinstance(type, (str, _devices.Device)):
            head, _, number = str(type).rpartition(":")
            plain = head != "" and number.isdecimal()
            self.type, self.index = (head, builtins.int(number)) if plain else (str(type), None)
        else:
            raise _errors.ArgumentTypeError(
                _errors.message("device", "this is not a device", [("type", type)], "pass text such as 'cpu' or 'cuda'")
            )
        if index is not None:
            if self.index is not None and not isinstance(type, device):
                raise _errors.ArgumentValueError(
                    f"device(): {str(type)!r} has a number already\nFix: leave index={index} out"
                )
            self.index = index

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{number})"

    def __eq__(self, other: object) -> builtins.bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> builtins.int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return device, (str(self),)

    def __enter__(self) -> device:
        block = _devices.device(own_device(self))
        block.__enter__()
        self._blocks.append(block)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._blocks.pop().__exit__(kind, error, traceback)


def own_device(given: Any) -> _devices.Device | None:
    """Gradarray's device for PyTorch's, or None for None.

    Raises
    ------
    UnknownDeviceError
        If there is no such device here; the message lists those there are.
    """
    if given is None:
        return None
    if isinstance(given, builtins.int):
        given = device(given)
    return _devices.get_device(str(given) if isinstance(given, device) else given)


# --- arguments -------------------------------------------------------------------------------------------------------


def size_of(op: str, given: tuple[Any, ...]) -> tuple[builtins.int, ...]:
    """The lengths or axes that a function was given one by one, or as one sequence."""
    parts: Iterable[Any] = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
    try:
        return tuple([index(part) for part in parts])
    except TypeError:
        raise _errors.ArgumentTypeError(
            f"{op}(): integers are expected, not {given!r}\nFix: pass them one by one, or as one tuple"
        ) from None


# --- promotion -------------------------------------------------------------------------------------------------------


def promote(first: _dtypes.DType, second: _dtypes.DType) -> _dtypes.DType:
    """The data type of two by PyTorch's rule: an integer beside a floating-point number does not widen it."""
    kinds = _KINDS[_dtypes.kind_of(first)], _KINDS[_dtypes.kind_of(second)]
    low, high = (first, second) if kinds[0] < kinds[1] else (second, first)
    if kinds[0] == kinds[1] or (max(kinds) == 3 and min(kinds) == 2):
        return _dtypes.promote(first, second)
    return high if low is not high else first


def result_of(operands: Iterable[Any]) -> _dtypes.DType | None:
    """The data type in which PyTorch computes with arrays and Python numbers; None if there is no array among them.

    A 0-d array, and a number still more, only decides if it is of a higher kind than the arrays that have axes.
    """
    found: list[_dtypes.DType | None] = [None, None, None]
    for x in operands:
        if isinstance(x, Array):
            place, own = (0 if x._data.shape else 1), x.dtype
        elif isinstance(x, (builtins.bool, builtins.int, builtins.float, complex)):
            place, own = 2, default_of({builtins.bool: "b", builtins.int: "i", complex: "c"}.get(type(x), "f"))
        else:
            continue
        former = found[place]
        found[place] = own if former is None else promote(former, own)
    if found[0] is found[1] is None:
        return None
    result = found[2]
    for higher in (found[1], found[0]):
        result = higher if result is None else result if higher is None else _combined(higher, result)
    return result


def _combined(higher: _dtypes.DType, lower: _dtypes.DType) -> _dtypes.DType:
    ranks = _KINDS[_dtypes.kind_of(higher)], _KINDS[_dtypes.kind_of(lower)]
    if ranks[0] >= ranks[1]:
        return higher
    return complex_of(higher) if ranks == (2, 3) else promote(higher, lower)
