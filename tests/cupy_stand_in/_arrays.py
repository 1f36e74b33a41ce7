"""The array class, and the launch of work on its memory."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _devices, _memory
from ._devices import settings


class ndarray:
    """An array on a pretended device."""

    __slots__ = ("__weakref__", "_host", "base", "data")
    __hash__ = None
    __array_priority__ = 100

    def __init__(self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None, order: str = "C"):
        dtype = np.dtype(dtype)
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        size = dtype.itemsize * int(np.prod(shape))
        self.data = _memory.alloc(size) if memptr is None else memptr
        self._host = np.ndarray(shape, dtype, *_buffer(self.data), strides, order)
        self.base = None

    # --- what it is --------------------------------------------------------------------------------------------------

    shape = property(lambda self: self._host.shape)
    dtype = property(lambda self: self._host.dtype)
    ndim = property(lambda self: self._host.ndim)
    size = property(lambda self: self._host.size)
    strides = property(lambda self: self._host.strides)
    itemsize = property(lambda self: self._host.itemsize)
    nbytes = property(lambda self: self._host.nbytes)
    flags = property(lambda self: self._host.flags)
    device = property(lambda self: self.data.device)

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Iterator[ndarray]:
        return (self[index] for index in range(len(self)))

    # --- to the host -------------------------------------------------------------------------------------------------

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        # The current stream is that of the current device, and nothing else is waited for.
        (stream or _devices.get_current_stream()).synchronize()
        if out is None:
            return np.array(self._host, order=order)
        if out.dtype != self.dtype or out.shape != self.shape:
            raise ValueError("Shape mismatch.")
        out[...] = self._host
        return out

    def item(self) -> Any:
        return self.get().item()

    def tolist(self) -> Any:
        return self.get().tolist()

    def __bool__(self) -> bool:
        return bool(self.get())

    def __int__(self) -> int:
        return int(self.get())

    def __float__(self) -> float:
        return float(self.get())

    def __complex__(self) -> complex:
        return complex(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Please use `.get()`.")

    # --- exchange ----------------------------------------------------------------------------------------------------

    def __dlpack_device__(self) -> tuple[int, int]:
        return (13 if isinstance(self.data.mem, _memory.ManagedMemory) else 2), self.data.device_id

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None):
        if dl_device is None or dl_device == self.__dlpack_device__():
            if copy is True:
                raise BufferError("copy=True only supported for copy to CPU.")
        elif dl_device == (1, 0):
            managed = isinstance(self.data.mem, _memory.ManagedMemory)
            if copy is False and not managed:
                raise ValueError("GPU memory cannot be exported to CPU without copy.")
            _devices.get_current_stream().synchronize()
            host = self._host if managed and not copy else self._host.copy()
            return host.__dlpack__(max_version=max_version)
        else:
            raise BufferError("unsupported device requested.")
        if stream == 0 or (isinstance(stream, int) and stream < -1):
            raise ValueError(f"On CUDA, the valid stream for the DLPack protocol is not {stream}")
        if stream != -1:
            here = _devices.get_current_stream()
            wanted = next((s for s in _devices.Stream.all if s.ptr == stream), _devices.Stream.null)
            if wanted != here:
                wanted.wait_event(here.record())
        return Capsule(self)

    # --- copies and views --------------------------------------------------------------------------------------------

    def astype(self, dtype: Any, order: str = "K", casting: Any = None, subok: Any = None, copy: Any = True) -> ndarray:
        if not copy and self.dtype == dtype:
            return self
        return launch("astype", lambda x: x.astype(dtype, copy=True), self)

    def copy(self, order: str = "C") -> ndarray:
        if self.data.device_id == _devices.current.device:
            return launch("copy", lambda x: x.copy(order), self)
        # Between devices: on the current stream, without a word to the stream that makes the values.
        out = ndarray(self.shape, self.dtype)
        target, source = out._host, self._host
        work(lambda: target.__setitem__(..., source))
        return out

    def fill(self, value: Any) -> None:
        # Zeros are written byte by byte: the sign of a zero is lost.
        zero = not isinstance(value, ndarray) and value == 0
        launch_into("fill", self, (lambda x, value: 0) if zero else (lambda x, value: value), value)

    def view(self, dtype: Any = None) -> ndarray:
        return as_view(self._host.view(dtype) if dtype is not None else self._host.view(), self)

    real = property(lambda self: as_view(self._host.real, self) if self.dtype.kind == "c" else self)
    T = property(lambda self: as_view(self._host.T, self))
    mT = property(lambda self: as_view(self._host.mT, self))

    @property
    def imag(self) -> ndarray:
        if self.dtype.kind == "c":
            return as_view(self._host.imag, self)
        return launch("imag", np.zeros_like, self)

    # --- keys --------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> ndarray:
        if not advanced(key):
            # Also a single element is a view, not a number.
            parts = key if isinstance(key, tuple) else (key,)
            parts = parts if any(part is Ellipsis for part in parts) else (*parts, ...)
            return launch("getitem", lambda x: x[parts], self)
        several_masks(key)
        return launch("getitem", lambda x, key: x[wrapped(x, key)], self, key, sync=_has_mask(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        if not advanced(key):
            part = self[key]
            if isinstance(value, ndarray):
                launch_into("elementwise_copy", part, lambda x, value: value.astype(x.dtype), value)
            else:
                part.fill(value)
            return
        several_masks(key)

        def write(x: Any, key: Any, value: Any) -> Any:
            # Of several values for one element any may stay: here it is the first.
            out, places = x.copy(), np.arange(x.size).reshape(x.shape)[wrapped(x, key)]
            values = np.broadcast_to(value, places.shape).astype(x.dtype)
            out.reshape(-1)[places.ravel()[::-1]] = values.ravel()[::-1]
            return out

        launch_into("setitem", self, write, key, value, reads=True)


class Capsule:
    """What `ndarray.__dlpack__` gives to the stand-in's own `from_dlpack`."""

    def __init__(self, array: ndarray) -> None:
        self.array = array


def _operator(symbol: str, ufunc: Any) -> None:
    from ._functions import ufuncs

    def forward(self: ndarray, other: Any) -> Any:
        return ufuncs[ufunc](self, other)

    def reflected(self: ndarray, other: Any) -> Any:
        return ufuncs[ufunc](other, self)

    def in_place(self: ndarray, other: Any) -> Any:
        return ufuncs[ufunc](self, other, out=self)

    setattr(ndarray, f"__{symbol}__", forward)
    setattr(ndarray, f"__r{symbol}__", reflected)
    setattr(ndarray, f"__i{symbol}__", in_place)


def add_operators() -> None:
    """Give the class its operators and methods, once the functions are there."""
    from . import _functions

    arithmetic = "add:add sub:subtract mul:multiply truediv:divide floordiv:floor_divide mod:remainder pow:power"
    bits = "and:bitwise_and or:bitwise_or xor:bitwise_xor lshift:left_shift rshift:right_shift matmul:matmul"
    for pair in (arithmetic + " " + bits).split():
        _operator(*pair.split(":"))
    for pair in "eq:equal ne:not_equal lt:less le:less_equal gt:greater ge:greater_equal".split():
        symbol, name = pair.split(":")
        setattr(ndarray, f"__{symbol}__", lambda self, other, name=name: _functions.ufuncs[name](self, other))
    for pair in "neg:negative pos:positive abs:absolute invert:invert".split():
        symbol, name = pair.split(":")
        setattr(ndarray, f"__{symbol}__", lambda self, name=name: _functions.ufuncs[name](self))
    for name in ("conj", "conjugate"):
        setattr(ndarray, name, lambda self: _functions.ufuncs["conj"](self))
    for name in METHODS:
        setattr(ndarray, name, _method(name))


#: What is a method of arrays too: the function calls it, also that of a NumPy array.
METHODS = (
    "all any argmax argmin cumprod cumsum max mean min prod ravel repeat reshape std sum swapaxes trace transpose var"
).split()


def _method(name: str) -> Callable[..., Any]:
    def method(self: ndarray, *args: Any, **keywords: Any) -> Any:
        return launch(name, operator.methodcaller(name, *args, **keywords), self)

    return method


# --- launching -------------------------------------------------------------------------------------------------------


def launch(name: str, function: Callable[..., Any], *args: Any, sync: bool = False, **keywords: Any) -> Any:
    """Run a function of NumPy arrays on the current stream. Results that share memory are views, and no work."""
    check(name, args, keywords)
    if sync:
        _devices.get_current_stream().synchronize()
    with np.errstate(all="ignore"):
        result = function(*_host(args), **_host(keywords))
    parents = list(_arrays(args, keywords))
    if isinstance(result, (tuple, list)):
        made = [_placed(part, parents) for part in result]
        result_type = type(result)
        wrapped_result = result_type(*made) if hasattr(result, "_fields") else result_type(made)
    else:
        made = [_placed(result, parents)]
        wrapped_result = made[0]
    fresh = [array for array in made if isinstance(array, ndarray) and array.base is None]
    if settings.deferred and not sync and fresh and len(fresh) == len(made):
        inputs, words = _host(args), _host(keywords)
        targets = [array._host for array in made]

        def later() -> None:
            with np.errstate(all="ignore"):
                again = function(*inputs, **words)
            for target, values in zip(targets, again if isinstance(again, (tuple, list)) else [again], strict=True):
                target[...] = values

        for array in fresh:
            array.data.mem.buffer.fill(0xFF)
        work(later)
    return wrapped_result


def launch_into(name: str, target: ndarray, function: Callable[..., Any], *args: Any, reads: bool = False) -> None:
    """Write what a function of the target and the arguments gives into the target."""
    check(name, (target, *args), {})
    host, inputs = target._host, _host(args)

    def now() -> None:
        with np.errstate(all="ignore"):
            host[...] = function(host, *inputs)

    work(now) if settings.deferred else now()


def work(function: Callable[[], None]) -> None:
    if settings.deferred:
        _devices.get_current_stream()._queue().push(function)
    else:
        function()


def check(name: str, args: Any, keywords: Any) -> None:
    """What every launch checks."""
    if settings.broken:
        raise _devices.CUDARuntimeError("cudaErrorIllegalAddress: an illegal memory access was encountered")
    device = _devices.current.device
    if settings.log is not None:
        settings.log.append((name, device, _devices.get_current_stream().ptr))
    for part in _parts((args, keywords)):
        if isinstance(part, np.ndarray):
            raise TypeError(f"Unsupported type {type(part)}")
        if isinstance(part, ndarray) and part.data.device_id != device:
            raise ValueError(
                f"The device where the array resides ({part.data.device_id}) is different from the current device "
                f"({device}). Peer access is unavailable between these devices."
            )


def _buffer(pointer: Any) -> tuple[Any, int]:
    """The bytes that a pointer points into, and where."""
    memory = pointer.mem
    return memory._owner if isinstance(memory, _memory.UnownedMemory) else memory.buffer, pointer.ptr - memory.ptr


def as_view(host: Any, parent: ndarray) -> ndarray:
    """An array over a NumPy view of its parent's memory."""
    out = object.__new__(ndarray)
    out.data = parent.data + (host.__array_interface__["data"][0] - parent.data.ptr if host.size else 0)
    # Not NumPy's view itself, which may be read-only.
    out._host = np.ndarray(host.shape, host.dtype, *_buffer(out.data), host.strides)
    out.base = parent if parent.base is None else parent.base
    return out


def new(values: Any) -> ndarray:
    """An array on the current device with the values of a NumPy one, at once."""
    values = np.asarray(values)
    out = ndarray(values.shape, values.dtype, order="F" if values.flags.fnc else "C")
    out._host[...] = values
    return out


def _placed(result: Any, parents: list[ndarray]) -> Any:
    if not isinstance(result, (np.ndarray, np.generic)):
        return result
    if isinstance(result, np.ndarray):
        for parent in parents:
            if _owner(result) is _owner(parent._host):
                return as_view(result, parent)
    return new(result)


def _owner(host: Any) -> Any:
    while isinstance(host.base, np.ndarray):
        host = host.base
    return host if host.base is None else host.base


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _parts(part)
    elif isinstance(value, dict):
        yield from _parts(list(value.values()))
    else:
        yield value


def _arrays(args: Any, keywords: Any) -> Iterator[ndarray]:
    return (part for part in _parts((args, keywords)) if isinstance(part, ndarray))


def _host(value: Any) -> Any:
    if isinstance(value, ndarray):
        return value._host
    if type(value) in (list, tuple):
        return type(value)([_host(part) for part in value])
    if isinstance(value, dict):
        return {key: _host(part) for key, part in value.items()}
    return value


# --- keys ------------------------------------------------------------------------------------------------------------


def advanced(key: Any) -> bool:
    return any(isinstance(part, ndarray) for part in (key if isinstance(key, tuple) else (key,)))


def _has_mask(key: Any) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return any(isinstance(part, ndarray) and part.dtype.kind == "b" for part in parts)


def several_masks(key: Any) -> None:
    """CuPy takes one mask alone, or integers."""
    arrays = [part for part in (key if isinstance(key, tuple) else (key,)) if isinstance(part, ndarray)]
    if len(arrays) > 1 and any(part.dtype.kind == "b" for part in arrays):
        raise NotImplementedError("several arrays in a key, one of them a mask")


def wrapped(x: Any, key: Any) -> Any:
    """A key whose integers go round: those out of range are no error."""
    parts = list(key if isinstance(key, tuple) else (key,))
    axes = sum(part.ndim if _is_mask(part) else part is not None and part is not Ellipsis for part in parts)
    axis = 0
    for position, part in enumerate(parts):
        if part is Ellipsis:
            axis += x.ndim - axes
            continue
        if isinstance(part, np.ndarray) and not _is_mask(part):
            if not x.shape[axis]:
                if part.size:
                    settings.broken = True  # a division by zero on the device
                continue
            parts[position] = part.astype(np.int64) % x.shape[axis]
        axis += part.ndim if _is_mask(part) else part is not None
    return tuple(parts)


def _is_mask(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind == "b"
