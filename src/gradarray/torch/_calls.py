"""How functions of arrays become functions of tensors: unwrap, bring to PyTorch's data type, call, wrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

import gradarray as ga

from .. import _devices, _errors, _mutation
from .._array import Array
from . import _types
from ._tensor import Tensor

_REAL = (int, float)
_OPERANDS = (Tensor, int, float, complex, Array, np.ndarray, np.generic)


def wrap(array: Array, kind: type[Tensor] = Tensor) -> Tensor:
    """A tensor around an array."""
    result = object.__new__(kind)
    result._array = array
    result._gradient = None
    return result


def raw(x: Any) -> Any:
    """An argument with an array in the place of each tensor."""
    if isinstance(x, Tensor):
        return x._array
    if type(x) is tuple or type(x) is list:
        return type(x)([raw(part) for part in x])
    if type(x) is dict:
        return {key: raw(part) for key, part in x.items()}
    return x


def wrapped(x: Any) -> Any:
    """A result with a tensor in the place of each array."""
    if type(x) is Array:
        return wrap(x)
    if type(x) is tuple or type(x) is list:
        return type(x)([wrapped(part) for part in x])
    if type(x) is dict:
        return {key: wrapped(part) for key, part in x.items()}
    return x


class TensorDeviceError(_errors.DeviceMismatchError):
    """Operands on different devices, in PyTorch's words."""

    def __init__(self, op: str, operands: Sequence[tuple[str, Any]]) -> None:
        super().__init__(op, operands)
        self.args = (f"Expected all tensors to be on the same device\n{self.args[0]}",)

    @staticmethod
    def _fix(name: str, reference: str, device: Any) -> str:
        return f"{name}.to({reference}.device)"


def call(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Call a function of arrays with tensors."""
    try:
        return wrapped(function(*map(raw, args), **{name: raw(value) for name, value in keywords.items()}))
    except _errors.DeviceMismatchError as error:
        raise TensorDeviceError(error.op, error.operands) from None


def operand(x: Any) -> Any:
    """An operand as gradarray takes it: an array or a Python number; other things stay what they are."""
    if isinstance(x, Tensor):
        return x._array
    if isinstance(x, np.generic):
        return x.item()
    return ga.asarray(x, device="cpu") if isinstance(x, np.ndarray) else x


def converted(operands: Sequence[Any], *, floating: bool = False) -> list[Any]:
    """Operands as gradarray takes them, the arrays in the data type in which PyTorch computes."""
    found = [operand(x) for x in operands]
    arrays = [x for x in found if type(x) is Array]
    if len(arrays) == len(found) == 1 and not floating:
        return found
    common = _types.result_of(found)
    if common is None:
        return found
    if floating and common.kind in "biu":
        common = _types.get_default_dtype()._dtype
    return [ga.astype(x, common) if type(x) is Array and x.dtype is not common else x for x in found]


def binary(function: Callable[..., Any], x1: Any, x2: Any, *, floating: bool = False) -> Tensor:
    """An elementwise function of two operands in PyTorch's common data type."""
    if type(x1) is Tensor:
        first = x1._array
        dtype = first.dtype
        # Most operations meet floating-point tensors of one data type, or numbers that do not change it.
        if dtype.kind == "f":
            second = x2
            if type(x2) in _REAL or (type(x2) is Tensor and (second := x2._array).dtype is dtype):
                try:
                    return wrap(function(first, second))
                except _errors.DeviceMismatchError as error:
                    raise TensorDeviceError(error.op, error.operands) from None
    return cast(Tensor, call(function, *converted((x1, x2), floating=floating)))


def operator(function: Callable[..., Any], x1: Any, x2: Any, *, floating: bool = False) -> Tensor:
    """`binary` for an operator: what is neither a number nor an array may have an operator of its own."""
    if not (isinstance(x1, _OPERANDS) and isinstance(x2, _OPERANDS)):
        return cast(Tensor, NotImplemented)
    return binary(function, x1, x2, floating=floating)


def matmul(input: Any, other: Any) -> Tensor:  # noqa: A002 - PyTorch's name
    """Matrix product of two tensors of one data type, as the operator ``@`` computes it.

    Raises
    ------
    DTypeError
        If the data types differ: PyTorch does not promote here.
    """
    x1, x2 = operand(input), operand(other)
    if type(x1) is Array and type(x2) is Array and x1.dtype is not x2.dtype and x1._device is x2._device:
        raise _errors.DTypeError(
            _errors.message(
                "matmul",
                "both tensors must have one data type",
                [("input", x1), ("other", x2)],
                f"other.to({_types.of_dtype(x1.dtype)})",
            )
        )
    return cast(Tensor, call(ga.matmul, x1, x2))


# --- in place --------------------------------------------------------------------------------------------------------


def write(op: str, tensor: Tensor, value: Any, key: Any = ...) -> Tensor:
    """Write into the memory of a tensor; the tensor itself."""
    call(_mutation.assign, tensor, key, value, op=op)
    return tensor


def update(function: Callable[..., Any], tensor: Tensor, other: Any) -> Tensor:
    """``tensor op= other``: dtype and shape of the tensor stay."""
    call(_mutation.update, tensor, function, operand(other))
    return tensor


def in_place(plain: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The method that writes what a function gives into the memory of the tensor: its name ends in an underscore."""
    name = plain + "_"

    def method(self: Tensor, *args: Any, **keywords: Any) -> Tensor:
        value = function(self, *args, **keywords)._array
        if value.shape != self._array.shape:
            raise _errors.ShapeError(
                _errors.message(
                    name,
                    f"the result has shape {value.shape}; in place the shape cannot change",
                    [("x", self._array)],
                    f"write x = x.{plain}(...)",
                )
            )
        return write(name, self, value)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As `{plain}`, in place: the result is written into the memory of the tensor."
    return method


def default_place(device: Any) -> _devices.Device:
    """The device of an argument; the default device for None."""
    return _types.own_device(device) or _devices.default_device()
