"""Tensors from data, from shapes and from chance."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

import gradarray as ga

from .. import _devices, _dtypes, _errors
from .._array import Array
from . import _types
from ._calls import call, default_place, raw, wrap
from ._tensor import Tensor

# --- from data ---------------------------------------------------------------------------------------------------


def _has_dtypes(data: Any) -> bool:
    """Whether anything in nested sequences brings a data type with it, as Python's numbers do not."""
    if isinstance(data, (list, tuple)):
        return any(map(_has_dtypes, data))
    return isinstance(data, (Array, np.ndarray, np.generic))


def _array_of(data: Any, dtype: Any, device: Any, copy: bool | None, op: str) -> Array:
    own = _types.own_dtype(dtype, op)
    data = raw(data)
    if isinstance(data, Array):
        return ga.asarray(data, dtype=own, device=_types.own_device(device), copy=copy)
    place = default_place(device)
    if isinstance(data, np.ndarray):
        return ga.asarray(data, dtype=own, device=place, copy=copy)
    found = ga.asarray(data, dtype=own, device=place)
    if own is None and found.dtype.kind in "fc" and not _has_dtypes(data):
        found = ga.astype(found, _types.default_of(found.dtype.kind), copy=False)
    return found


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Tensor with the values of `data`, always copied and without history.

    Parameters
    ----------
    data : number, nested sequence, numpy.ndarray, Tensor or Array
        The values. Floating-point numbers become the default data type, integers int64; arrays keep theirs.
    dtype : dtype, optional
        Data type of the result.
    device : device or str, optional
        Where to create it; by default where `data` lies, or the default device.
    requires_grad : bool, default: False
        Record operations on the result.

    Returns
    -------
    Tensor
        A leaf.

    Raises
    ------
    DTypeError
        If the data type cannot hold the values, or cannot require grad.
    """
    with ga.no_grad():
        found = _array_of(data, dtype, device, True, "tensor").detach()
        found = ga.asarray(found, copy=True) if isinstance(data, (Tensor, Array)) else found
    return wrap(ga.asarray(found, requires_grad=requires_grad))


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Tensor with the values of `data`: in the same memory and with its history where that is possible."""
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype)
    return wrap(_array_of(data, dtype, device, None, "as_tensor"))


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """Tensor with the values of `obj`, in the same memory where that is possible; see `gradarray.asarray`."""
    return wrap(ga.asarray(_array_of(obj, dtype, device, copy, "asarray"), requires_grad=requires_grad))


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """Tensor in the memory of a NumPy array, of its data type.

    Raises
    ------
    ArgumentTypeError
        If it is not a NumPy array.
    """
    if not isinstance(ndarray, np.ndarray):
        raise _errors.ArgumentTypeError(
            _errors.message("from_numpy", "a NumPy array is expected", [("ndarray", ndarray)], "use torch.tensor")
        )
    return wrap(ga.asarray(ndarray, device="cpu"))


def from_dlpack(ext_tensor: Any) -> Tensor:
    """Tensor with the data of another library's array, in the same memory where that is possible."""
    return wrap(ga.from_dlpack(raw(ext_tensor)))


# --- from shapes and numbers -------------------------------------------------------------------------------------


def _filled(name: str) -> Callable[..., Tensor]:
    own = getattr(ga, name)

    def function(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        lengths = _types.size_of(name, size)
        wanted = _types.own_dtype(dtype, name) or _types.default_of("f")
        return wrap(own(lengths, dtype=wanted, device=default_place(device), requires_grad=requires_grad))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `gradarray.{name}`; the lengths are given one by one or as a tuple, the dtype is float32."
    return function


def _filled_like(name: str) -> Callable[..., Tensor]:
    own = getattr(ga, name)

    def function(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        wanted, place = _types.own_dtype(dtype, name), _types.own_device(device)
        return cast(Tensor, call(own, input, dtype=wanted, device=place, requires_grad=requires_grad))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `gradarray.{name}`: shape, data type and device are those of another tensor."
    return function


zeros, ones, empty = _filled("zeros"), _filled("ones"), _filled("empty")
zeros_like, ones_like, empty_like = _filled_like("zeros_like"), _filled_like("ones_like"), _filled_like("empty_like")


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Tensor of the given shape, filled with one value, whose kind decides the data type."""
    value = fill_value.item() if isinstance(fill_value, (Tensor, np.generic)) else fill_value
    wanted = _types.own_dtype(dtype, "full") or _types.default_of(np.asarray(value).dtype.kind)
    value = float(value) if wanted.kind in "f" else value
    lengths = _types.size_of("full", (size,))
    return wrap(ga.full(lengths, value, dtype=wanted, device=default_place(device), requires_grad=requires_grad))


def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Tensor filled with one value, with the shape, data type and device of another."""
    place = input._array.device if device is None else device
    kind = input.dtype if dtype is None else dtype
    return full(input.shape, fill_value, dtype=kind, device=place, requires_grad=requires_grad)


def _number(x: Any) -> Any:
    return x.item() if isinstance(x, (Tensor, np.generic)) else x


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """1-D tensor of evenly spaced values from `start` up to `end`, which is not included.

    Of integers the data type is int64, else the default one.
    """
    first, last, distance = _number(start), _number(end), _number(step)
    if last is None:
        first, last = 0, first
    whole = all(isinstance(value, int) for value in (first, last, distance))
    wanted = _types.own_dtype(dtype, "arange") or _types.default_of("i" if whole else "f")
    place = default_place(device)
    return wrap(ga.arange(first, last, distance, dtype=wanted, device=place, requires_grad=requires_grad))


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """1-D tensor of so many evenly spaced values, both ends included."""
    first, last = _number(start), _number(end)
    wanted = _types.own_dtype(dtype, "linspace") or _types.default_of("c" if isinstance(first + last, complex) else "f")
    place = default_place(device)
    return wrap(ga.linspace(first, last, steps, dtype=wanted, device=place, requires_grad=requires_grad))


def logspace(
    start: float,
    end: float,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """1-D tensor of so many powers of `base`, whose exponents are evenly spaced."""
    wanted = _types.own_dtype(dtype, "logspace") or _types.default_of("f")
    with _devices.device(default_place(device)):
        found = ga.logspace(_number(start), _number(end), steps, base=base, dtype=wanted)
    return wrap(ga.asarray(found, requires_grad=requires_grad))


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """2-D tensor with ones in its diagonal and zeros elsewhere."""
    wanted = _types.own_dtype(dtype, "eye") or _types.default_of("f")
    return wrap(ga.eye(n, m, dtype=wanted, device=default_place(device), requires_grad=requires_grad))


# --- like a tensor: methods --------------------------------------------------------------------------------------


def _new(name: str, maker: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        kind = self.dtype if dtype is None else dtype
        place = self._array.device if device is None else device
        return maker(*args, dtype=kind, device=place, requires_grad=requires_grad)

    method.__name__ = method.__qualname__ = f"new_{name}"
    method.__doc__ = f"As `{name}`, by default of the data type and on the device of this tensor."
    return method


def _cast(name: str, own: _dtypes.DType) -> Callable[[Tensor], Tensor]:
    def method(self: Tensor) -> Tensor:
        return self.to(_types.of_dtype(own))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The tensor in the data type {own}; itself if it is of that type."
    return method


def type_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor in the data type of another."""
    return input.to(other.dtype)


METHODS: dict[str, Callable[..., Any]] = {
    **{f"new_{name}": _new(name, maker) for name, maker in (("zeros", zeros), ("ones", ones), ("empty", empty))},
    "new_full": _new("full", full),
    "new_tensor": _new("tensor", tensor),
    "type_as": type_as,
    **{
        name: _cast(name, own)
        for name, own in (
            *(("bool", ga.bool), ("byte", ga.uint8), ("char", ga.int8), ("short", ga.int16), ("int", ga.int32)),
            *(("long", ga.int64), ("half", ga.float16), ("float", ga.float32), ("double", ga.float64)),
            *(("cfloat", ga.complex64), ("cdouble", ga.complex128)),
        )
    },
}
