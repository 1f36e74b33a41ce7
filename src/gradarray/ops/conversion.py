"""Creation from other data: `asarray` and `from_dlpack`, and the crossings between devices and libraries."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _dtypes, _errors
from .._array import Array
from .._devices import Device, cpu, get_device
from .._dispatch import alias, check_devices, foreign, wrap
from .._dtypes import DType
from .._operations import composite
from . import _extras
from ._arguments import default_dtype, device_of, dtype_of

Scalar = bool | int | float | complex
SCALARS = frozenset((bool, int, float, complex))
#: The standard's data types, to be looked up: to compare with each costs more than all else here.
_ALWAYS = frozenset(_dtypes.STANDARD)
#: DLPack's device kinds: memory that the host reads, and memory of a CUDA device.
_HOST_KINDS, _MANAGED, _CUDA_KINDS = frozenset((1, 3, 11)), 13, frozenset((2, 13))


def leaf(x: Array, requires_grad: bool) -> Array:
    """`x`, made a leaf that requires grad if that is asked for."""
    return x.requires_grad_() if requires_grad else x


def check_dtype(op: Callable[..., Any], dtype: DType, device: Device) -> DType:
    """`dtype`, if the device has it."""
    place = (device.type, device.index)
    if device.backend.dtypes(place) is _dtypes.STANDARD and dtype in _ALWAYS:
        return dtype
    if dtype not in _dtypes.STANDARD:
        device.backend.raw_dtype(dtype)  # DTypeError where the library has none
    if dtype not in device.backend.dtypes(place) and dtype in _dtypes.STANDARD:
        there = ", ".join(d.name for d in device.backend.dtypes(place))
        raise _errors.DTypeError(f"{op.__name__}(): the device {device} has no {dtype}\nFix: use one of {there}")
    return dtype


def scalar_dtype(device: Device, value: Scalar) -> DType:
    """The default dtype of a Python number on a device."""
    if isinstance(value, bool):
        return _dtypes.bool
    kind = {int: "integral", float: "real floating", complex: "complex floating"}[type(value)]
    return default_dtype(device, kind)


# --- from other data -------------------------------------------------------------------------------------------------


@composite
def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Array:
    """Array with the values of `obj`.

    Differentiable: an array stays part of its graph, and a sequence of tracked arrays is stacked with theirs.

    Parameters
    ----------
    obj : Array, numpy.ndarray, scalar, nested sequence, or object with the buffer protocol
        The values. A NumPy array keeps its dtype, and its memory is shared unless `copy` or `dtype` forbids it.
    dtype : dtype, optional
        Data type of the result; by default that of `obj`, for Python numbers the default dtype of their kind.
    device : Device or str, optional
        Device of the result; by default that of `obj` if it is an array, else the default device.
    copy : bool, optional
        True: always copy. False: never. None: only if it is needed.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array; `obj` itself if it is an array and nothing has to be done.

    Raises
    ------
    CopyRequiredError
        If `copy` is False and only a copy can answer.
    DTypeError
        If gradarray has no such data type, or `dtype` cannot hold the values without loss. Python's fractions are cut
        where `dtype` asks for integers, as in NumPy.
    DeviceMismatchError
        If a sequence has arrays on different devices.
    ForeignArrayError
        If `obj` is an array of another library; the message names `from_dlpack`.

    Notes
    -----
    Standard: Creation functions, ``asarray``.
    """
    wanted = dtype_of(asarray, dtype)
    if isinstance(obj, Array):
        return _from_array(obj, wanted, device, copy, requires_grad)
    where = device_of(device) if device is not None or not _holds_arrays(obj) else None
    if isinstance(obj, (np.ndarray, np.generic)):
        assert where is not None
        result = _from_numpy(np.asarray(obj), wanted, where, None if isinstance(obj, np.generic) else copy)
    elif type(obj) in SCALARS or isinstance(obj, (list, tuple, range)):
        if copy is False:
            raise _errors.CopyRequiredError("asarray(): Python numbers can only be copied\nFix: copy=None")
        result = from_nested(obj, where, wanted)
    elif hasattr(obj, "__dlpack__"):
        raise foreign(asarray, "obj", obj)
    else:
        assert where is not None
        result = _from_numpy(_buffer(obj), wanted, where, copy)
    return leaf(result, requires_grad)


def _from_array(x: Array, dtype: DType | None, device: Any, copy: bool | None, requires_grad: bool) -> Array:
    from .data_type import astype

    where = x._device if device is None else get_device(device)
    if copy is False and (where is not x._device or dtype not in (None, x.dtype)):
        raise _errors.CopyRequiredError(
            _errors.message("asarray", "a change of dtype or device needs a copy", [("obj", x)], "copy=None")
        )
    result = transfer(x, where)
    if dtype is not None and dtype != x.dtype:
        result = astype(result, dtype)
    elif copy and result is x:
        result = astype(x, x.dtype, copy=True)
    if requires_grad and not result.requires_grad:
        if result is x:
            # The flag belongs to the new array, not to the one that shares its memory.
            tracked = x._node is not None
            result = alias(x._data, x)
            if not tracked:
                result._node = None
        result.requires_grad_()
    return result


def _from_numpy(array: np.ndarray[Any, Any], dtype: DType | None, device: Device, copy: bool | None) -> Array:
    own = _dtypes.as_dtype(array.dtype, op="asarray")
    target = own if dtype is None else dtype
    check_dtype(asarray, target, device)
    if target != own:
        if copy is False:
            raise _errors.CopyRequiredError(
                _errors.message("asarray", "a change of dtype needs a copy", [("obj", array)], "copy=None")
            )
        if own.kind == "c" and target.kind != "c":
            raise _errors.DTypeError(
                _errors.message("asarray", f"complex values cannot be {target}", [("obj", array)], "take the real part")
            )
        array, copy = array.astype(target), None
    return wrap(device.backend.from_numpy(array, (device.type, device.index), copy=copy), device)


def _buffer(obj: Any) -> np.ndarray[Any, Any]:
    try:
        if hasattr(obj, "__array__"):
            return np.asarray(obj)
        return np.asarray(memoryview(obj))
    except (TypeError, ValueError):
        problem = "Unsupported: obj is neither a number nor a sequence or a buffer of numbers"
        raise _errors.ArgumentTypeError(
            _errors.message("asarray", problem, [("obj", obj)], "pass numbers, or an array")
        ) from None


def _holds_arrays(obj: Any) -> bool:
    if isinstance(obj, (list, tuple)):
        return not SCALARS.issuperset(map(type, obj)) and any(_holds_arrays(part) for part in obj)
    return isinstance(obj, Array)


def from_nested(obj: Any, device: Device | None = None, dtype: DType | None = None) -> Array:
    """An array of a Python number, or of a nested sequence of numbers, NumPy arrays and arrays."""
    if _holds_arrays(obj):
        return _stacked(obj, device, dtype)
    where = device_of(device)
    try:
        values = np.array(obj)
    except OverflowError:
        raise _errors.ScalarOverflowError("asarray(): a Python integer is too large for any data type") from None
    except ValueError:
        raise _errors.ShapeError(
            "asarray(): the nested sequence is ragged: its parts differ in length\nFix: make all parts equally long"
        ) from None
    own = _natural_dtype(obj, values, where)
    target = own if dtype is None else dtype
    check_dtype(asarray, target, where)
    cast = values if values.dtype == target else None
    if values.size and _rank(own) > _rank(target) and (cast := _exact(values, target)) is None:
        raise _errors.DTypeError(
            f"asarray(): values of kind {own} cannot be {target} without loss\n"
            "Fix: pass a wider dtype, or convert afterwards with astype"
        )
    try:
        cast = np.array(obj, dtype=target) if cast is None else cast
    except OverflowError as error:
        raise _errors.ScalarOverflowError(f"asarray(): {error}\nFix: use a wider dtype") from None
    return wrap(where.backend.from_numpy(cast, (where.type, where.index), copy=None), where)


def _natural_dtype(obj: Any, values: np.ndarray[Any, Any], device: Device) -> DType:
    """The dtype of a nested sequence that does not ask for one: by Python's kinds, not by what NumPy made of them."""
    if not _only_python_numbers(obj):
        if _dtypes.kind_of(values.dtype) in "bifcu":
            return _dtypes.as_dtype(values.dtype, op="asarray")
        raise _errors.DTypeError(
            f"asarray(): values of type {_odd_one(obj)} are not numbers\nFix: pass numbers, or arrays of numbers"
        )
    if not values.size:
        return default_dtype(device, "real floating")
    if values.dtype.kind in "bic" or (values.dtype.kind == "f" and not _only_integers(obj)):
        sample: Scalar = values.dtype.type(0).item()
        return scalar_dtype(device, sample)
    # Integers beyond int64: NumPy makes uint64, floats or objects of them, depending on their neighbours.
    return default_dtype(device, "integral")


def _exact(values: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any] | None:
    """The values in a data type of a lower kind: 1 is a boolean too, a fraction is cut; or None."""
    if values.dtype.kind == "f" and dtype.kind in "iu":
        return whole(values, dtype)
    if values.dtype.kind not in "iufc":
        return None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that imaginary parts of 0 are dropped
        cast = values.astype(dtype)
        return cast if np.all(cast == values) else None


def whole(values: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any] | None:
    """Floating-point numbers as the integers that NumPy makes of them, towards 0; None where there are none."""
    limits, parts = np.iinfo(dtype), np.trunc(values)
    # As floats the limits may lie one step outside, so the upper one is excluded together with what rounds to it.
    if not np.all((parts >= float(limits.min)) & (parts < float(limits.max) + 1)):
        return None
    cut: np.ndarray[Any, Any] = parts.astype(dtype)
    return cut


def _only_integers(obj: Any) -> bool:
    return (
        all(_only_integers(part) for part in obj) if isinstance(obj, (list, tuple)) else isinstance(obj, (int, range))
    )


def _rank(dtype: DType) -> int:
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[_dtypes.kind_of(dtype)]


def _only_python_numbers(obj: Any) -> bool:
    if isinstance(obj, (list, tuple)):
        return SCALARS.issuperset(map(type, obj)) or all(_only_python_numbers(part) for part in obj)
    return type(obj) in SCALARS or isinstance(obj, range)


def _odd_one(obj: Any) -> str:
    if isinstance(obj, (list, tuple)):
        return next((found for part in obj if (found := _odd_one(part))), "")
    return "" if type(obj) in SCALARS else type(obj).__qualname__


def _stacked(obj: Any, device: Device | None, dtype: DType | None) -> Array:
    from .data_type import astype
    from .manipulation import stack

    leaves: list[Any] = []
    _collect(obj, leaves)
    check_devices("asarray", [(f"obj[{position}]", leaf) for position, leaf in enumerate(leaves)])
    here = next(leaf._device for leaf in leaves if isinstance(leaf, Array))
    dtypes = [_dtypes.as_dtype(leaf.dtype) for leaf in leaves if type(leaf) not in SCALARS]
    common = dtype or _dtypes.result_dtype(dtypes, [type(leaf) for leaf in leaves if type(leaf) in SCALARS])

    def build(part: Any) -> Array:
        if isinstance(part, (list, tuple)):
            if not part:
                return wrap(here.backend.from_numpy(np.empty(0, common), (here.type, here.index), copy=None), here)
            return stack([build(item) for item in part])
        array = part if isinstance(part, Array) else asarray(part, device=here)
        return array if array.dtype == common else astype(array, common)

    try:
        result = build(obj)
    except _errors.ShapeError as error:
        raise _errors.ShapeError(f"asarray(): the nested sequence is ragged\n{error}") from None
    return result if device is None else transfer(result, device)


def _collect(obj: Any, leaves: list[Any]) -> None:
    if isinstance(obj, (list, tuple)):
        for part in obj:
            _collect(part, leaves)
    elif isinstance(obj, (Array, np.ndarray, np.generic)) or type(obj) in SCALARS:
        leaves.append(obj)
    else:
        raise foreign(asarray, f"obj[{len(leaves)}]", obj)


def transfer(x: Array, device: Device) -> Array:
    """`x` on another device, recorded; `x` itself if it is there."""
    if x._device is device:
        return x
    check_dtype(Array.to_device, x.dtype, device)
    return _extras.move(x, like=_extras.Description(x.shape, x.dtype, device))  # type: ignore[no-any-return]


def _shared(x: Array, device: Device, copy: bool | None) -> Array | None:
    """An array of another backend over the same memory of the host; None if there is no such thing.

    Only if a copy is forbidden. A graph on one of the two does not see what is written through the other, nor does the
    host what a GPU is writing: that two arrays of ours share memory over a border has to be asked for.
    """
    if copy is not False or x._device is device or device.type != "cpu" or (x._node is not None and x.requires_grad):
        return None
    check_dtype(from_dlpack, x.dtype, device)
    try:
        host = x._device.backend.to_numpy(x._data, copy=False)
        raw = device.backend.from_numpy(host, (device.type, device.index), copy=False)
    except _errors.CopyRequiredError:
        return None
    return wrap(raw, device)


@composite
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None, requires_grad: bool = False) -> Array:
    """Array that holds the data of another library's array, without a copy where the memory allows.

    Differentiable where `x` is a gradarray array.

    Parameters
    ----------
    x : object with ``__dlpack__`` and ``__dlpack_device__``
        The array to import.
    device : Device or str, optional
        Device of the result; by default ``cpu`` for host memory and ``cuda`` for CUDA memory.
    copy : bool, optional
        True: always copy. False: never. None: only if it is needed.
    requires_grad : bool, default: False
        Make the result a leaf whose gradient is recorded.

    Returns
    -------
    Array
        The array; it keeps the owner of shared memory alive.

    Raises
    ------
    CopyRequiredError
        If `copy` is False and the result would have to be a copy.
    ExportError
        If the other library refuses to export the array.
    ArgumentTypeError
        If `x` has no ``__dlpack__``.

    Notes
    -----
    Standard: Creation functions, ``from_dlpack``.
    """
    if isinstance(x, Array):
        shared = None if device is None else _shared(x, get_device(device), copy)
        if shared is not None:
            return leaf(shared, requires_grad)
        return asarray(x, device=device, copy=copy, requires_grad=requires_grad)
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        raise _errors.ArgumentTypeError(
            _errors.message("from_dlpack", "x has no __dlpack__", [("x", x)], "gradarray.asarray(x)")
        )
    target = None if device is None else get_device(device)
    if isinstance(x, np.ndarray):
        _dtypes.as_dtype(x.dtype, op="from_dlpack")  # it has data types that no other library knows
    try:
        reader = _reader(x, target)
        crosses = target is not None and target is not reader
        if crosses and copy is False:
            raise _errors.CopyRequiredError(
                f"from_dlpack(): the data lies on {reader}; {target} needs a copy\nFix: copy=None"
            )
        place = (reader.type, reader.index)
        raw = reader.backend.from_dlpack(_unmarked(x, copy), place, copy=None if crosses else copy)
    except (_errors.GradarrayError, MemoryError):
        raise
    except Exception as error:
        if copy is False and isinstance(error, (BufferError, ValueError)):
            raise _errors.CopyRequiredError(f"from_dlpack(): {error}\nFix: copy=None") from error
        raise _errors.ExportError(
            _errors.message(
                "from_dlpack", f"the array was not exported: {error}", [("x", x)], "detach or copy it first"
            )
        ) from error
    own = _dtypes.as_dtype(reader.backend.dtype(raw.dtype), op="from_dlpack")
    check_dtype(from_dlpack, own, target or reader)
    result = wrap(raw, reader)
    if target is not None:
        result = transfer(result, target)
    return leaf(result, requires_grad)


def _reader(x: Any, target: Device | None) -> Device:
    """The device that imports a foreign array: the target if that shares its memory, else the one for such memory."""
    kind, number = x.__dlpack_device__()
    kind = int(kind)
    on_host = target is not None and target.type == "cpu"
    # Managed memory is the host's too, but only if that is asked for.
    if kind in _HOST_KINDS or (kind == _MANAGED and on_host):
        return target if target is not None and on_host else cpu()
    if kind in _CUDA_KINDS:
        there = target is not None and (target.type, target.index or 0) == ("cuda", int(number))
        return target if target is not None and there else get_device(f"cuda:{int(number)}")
    raise _errors.UnknownDeviceError(
        f"from_dlpack(): no backend reads DLPack devices of kind {kind}\nFix: move the array to the host first"
    )


def _unmarked(x: Any, copy: bool | None) -> Any:
    """A foreign array with the values that it stands for in its memory.

    PyTorch marks a tensor as conjugated or negated instead of computing its values. It refuses to export the one, and
    exports the other with the wrong sign.
    """
    for mark, resolve in (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")):
        if hasattr(x, resolve) and getattr(x, mark)():
            if copy is False:
                raise _errors.CopyRequiredError(
                    "from_dlpack(): the values of a conjugated or negated tensor are not in its memory\nFix: copy=None"
                )
            x = getattr(x, resolve)()
    return x
