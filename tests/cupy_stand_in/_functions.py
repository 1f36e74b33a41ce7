"""The namespace: NumPy's functions on pretended devices, with what CuPy does otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _devices
from ._arrays import METHODS, Capsule, _host, add_operators, launch, launch_into, ndarray, work, wrapped
from ._devices import settings
from ._memory import is_memory_pinned

#: Names of the real library that are NumPy's own.
_SAME = (
    "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp float16 float32 float64 complex64 complex128 e "
    "inf nan pi newaxis dtype number integer floating signedinteger unsignedinteger complexfloating issubdtype "
    "isdtype finfo iinfo broadcast_shapes promote_types"
).split()

#: The highest kind of number that a ufunc takes: integers, real numbers, or complex ones.
_HIGHEST = {
    "i": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
    "f": (
        "ceil floor floor_divide fmod logaddexp logical_and logical_not logical_or logical_xor remainder signbit trunc"
    ),
    "c": (
        "absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh conj copysign cos cosh divide equal "
        "exp expm1 greater greater_equal hypot isfinite isinf isnan less less_equal log log10 log1p log2 maximum "
        "minimum multiply negative nextafter not_equal positive power reciprocal rint sign sin sinh sqrt square "
        "subtract tan tanh"
    ),
}
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}


def _power(x1: Any, x2: Any) -> Any:
    if np.result_type(x1, x2).kind in "iu":
        # Negative exponents are no error.
        out = np.asarray(np.power(x1, np.maximum(x2, 0) if isinstance(x2, np.ndarray) else max(x2, 0)))
        return np.where(np.asarray(x2) < 0, out.dtype.type(0), out)
    return np.power(x1, x2)


def _subtract(x1: Any, x2: Any) -> Any:
    return np.not_equal(x1, x2) if np.result_type(x1, x2).kind == "b" else np.subtract(x1, x2)


def _remainder(x1: Any, x2: Any) -> Any:
    if np.result_type(x1, x2).kind in "biu":
        return np.remainder(x1, x2)
    return x1 - np.floor(np.divide(x1, x2)) * x2


def _floor_divide(x1: Any, x2: Any) -> Any:
    return np.floor_divide(x1, x2) if np.result_type(x1, x2).kind in "biu" else np.floor(np.divide(x1, x2))


def _without_special_cases(name: str) -> Callable[[Any], Any]:
    own = getattr(np, name)

    def function(x: Any) -> Any:
        if x.dtype.kind != "c":
            return own(x)
        out = own(x)
        return np.where(np.isfinite(x.real) & np.isfinite(x.imag), out, out.dtype.type(complex(np.nan, np.nan)))

    return function


def _of_bool(name: str, as_type: Any) -> Callable[[Any], Any]:
    """CuPy takes booleans where NumPy refuses them."""
    own = getattr(np, name)
    return lambda x: own(x.astype(as_type)) if x.dtype.kind == "b" else own(x)


def _any_complex(name: str) -> Callable[..., Any]:
    """CuPy has a loop for complex numbers where there is nothing to compute."""
    own = getattr(np, name)
    return lambda *xs: own(*[x.real if np.iscomplexobj(x) else x for x in xs])


_ODD: dict[str, Callable[..., Any]] = {
    "power": _power,
    "subtract": _subtract,
    "remainder": _remainder,
    "floor_divide": _floor_divide,
    "negative": _of_bool("negative", np.int8),
    "positive": _of_bool("positive", np.int8),
    "square": _of_bool("square", np.int8),
    "sign": _of_bool("sign", np.int8),
    **{name: _without_special_cases(name) for name in "arccosh log log1p sqrt tanh".split()},
    **{name: _any_complex(name) for name in "arctan2 copysign hypot nextafter".split()},
}


class ufunc:
    """A function of each element."""

    def __init__(self, name: str, highest: str) -> None:
        self.__name__ = self.name = name
        self._highest = highest
        self._function = _ODD.get(name) or getattr(np, name)

    def __call__(self, *args: Any, out: Any = None, dtype: Any = None) -> Any:
        arrays = [x for x in args if isinstance(x, ndarray)]
        if not arrays and any(isinstance(x, np.ndarray) for x in args):
            raise TypeError(f"Unsupported type {np.ndarray}")
        if any(_RANK[x.dtype.kind] > _RANK[self._highest] for x in arrays):
            raise TypeError(f"Wrong type of arguments for cupy_{self.name}")
        if out is None:
            return launch(self.name, self._function, *args)
        if not np.can_cast(np.result_type(*_host(args)), out.dtype, "same_kind"):
            raise TypeError("output (typecode) could not be coerced")
        launch_into(self.name, out, lambda x, *xs: self._function(*xs), *args)
        return out

    def at(self, target: ndarray, key: Any, value: Any) -> None:
        if self.name != "add":
            raise NotImplementedError
        scatter_add(target, key, value)


ufuncs: dict[str, Any] = {name: ufunc(name, kind) for kind, names in _HIGHEST.items() for name in names.split()}
_SCATTERED = frozenset("float16 float32 float64 int32 uint32 uint64".split())


def scatter_add(a: ndarray, slices: Any, value: Any) -> None:
    if a.dtype.name not in _SCATTERED:
        raise TypeError("cupy.add.at only supports int32, float16, float32, float64, uint32, uint64 as data type")
    if not a.size:
        settings.broken = True
        return

    def add(x: Any, key: Any, value: Any) -> Any:
        out = x.copy()
        np.add.at(out, wrapped(x, key), value)
        return out

    launch_into("scatter_add", a, add, slices, value)


def _plain(name: str, *, sync: bool = False) -> Callable[..., Any]:
    own = getattr(np, name)

    def function(*args: Any, **keywords: Any) -> Any:
        if args and isinstance(args[0], np.ndarray) and name in METHODS:
            return own(*args, **keywords)  # silently, on the host: the array's own method is called
        return launch(name, own, *args, sync=sync, **keywords)

    function.__name__ = name
    return function


_LAUNCHED = (
    "all any argmax argmin argsort broadcast_arrays broadcast_to concatenate concat count_nonzero cross cumprod "
    "cumsum diag diagonal diff dot einsum empty_like expand_dims flip full_like imag isin max mean "
    "meshgrid min moveaxis ones_like outer permute_dims prod ravel real reshape roll sort squeeze stack std sum "
    "swapaxes take_along_axis tensordot tile trace transpose tril triu var where zeros_like matrix_transpose "
    "ascontiguousarray"
).split()
_CREATION = "arange empty eye full linspace ones zeros identity".split()


def matmul(x1: ndarray, x2: ndarray, out: Any = None) -> ndarray:
    # NumPy's product of bfloat16 is float32.
    return launch("matmul", lambda x, y: np.matmul(x, y).astype(np.result_type(x, y)), x1, x2)


def repeat(a: ndarray, repeats: Any, axis: Any = None) -> ndarray:
    if not isinstance(repeats, (int, list, tuple)):
        raise ValueError("cupy.ndarray cannot be specified as `repeats` argument.")
    return launch("repeat", lambda x: np.repeat(x, repeats, axis), a)


def take(a: ndarray, indices: Any, axis: Any = None, out: Any = None) -> ndarray:
    def taken(x: Any, indices: Any) -> Any:
        length = x.size if axis is None else x.shape[axis]
        if not length and np.size(indices):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        return np.take(x, np.asarray(indices, np.int64) % max(length, 1), axis)

    return launch("take", taken, a, indices)


def clip(a: ndarray, a_min: Any = None, a_max: Any = None, out: Any = None) -> ndarray:
    return launch("clip", np.clip, a, a_min, a_max)


def nonzero(a: ndarray) -> tuple[ndarray, ...]:
    if not a.ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed.")
    return launch("nonzero", np.nonzero, a, sync=True)


def unique(ar: ndarray, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True):
    return launch(
        "unique", np.unique, ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan, sync=True
    )


def searchsorted(a: ndarray, v: ndarray, side: str = "left", sorter: Any = None) -> ndarray:
    # NumPy would refuse a sorter that is garbage still.
    return launch("searchsorted", np.searchsorted, a, v, side, sorter, sync=sorter is not None)


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    return np.can_cast(from_.dtype if isinstance(from_, ndarray) else from_, to, casting)


def argwhere(a: ndarray) -> ndarray:
    return launch("argwhere", np.argwhere, a, sync=True)


def array(obj: Any, dtype: Any = None, copy: Any = True, order: Any = "K", subok=False, ndmin=0, *, blocking=False):
    if isinstance(obj, ndarray):
        if obj.data.device_id != _devices.current.device:
            return obj.copy().astype(dtype or obj.dtype, copy=False)
        return obj.astype(dtype or obj.dtype, copy=copy or obj.dtype != (dtype or obj.dtype))
    if isinstance(obj, (list, tuple)) and any(isinstance(part, ndarray) for part in obj):
        return launch("stack", lambda parts: np.stack(parts).astype(dtype), list(obj))
    values = np.asarray(obj, dtype)
    out = ndarray(values.shape, values.dtype, order="F" if values.flags.fnc else "C")
    # A 0-d array is filled, which loses the sign of a zero. Others are copied on the stream, out of memory of CuPy's
    # own, unless they are pinned: those are read later.
    if not values.ndim and values.dtype.kind in "fc":
        values = values + 0
    elif not is_memory_pinned(values.ctypes.data):
        values = values.copy()
    target = out._host
    work(lambda: target.__setitem__(..., values))
    return out


def asarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None, blocking: bool = False) -> ndarray:
    return array(a, dtype, copy, order)


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    return a.get(stream, order, out) if isinstance(a, ndarray) else np.asarray(a)


def from_dlpack(array: Any, *, device: Any = None, copy: Any = None) -> ndarray:
    if device is not None:
        raise NotImplementedError("from_dlpack() does not support device yet.")
    kind, number = array.__dlpack_device__()
    if kind == 1:
        raise TypeError("CPU arrays cannot be directly imported to CuPy. Use `cupy.array(numpy.from_dlpack(input))`.")
    with _devices.Device(number):
        stream = _devices.get_current_stream().ptr or 1
        capsule = array.__dlpack__(stream=stream, max_version=(1, 0), copy=copy)
    assert isinstance(capsule, Capsule)
    source = capsule.array
    return ndarray(source.shape, source.dtype, source.data, source.strides)


def result_type(*args: Any) -> Any:
    return np.result_type(*[x.dtype if isinstance(x, ndarray) else x for x in args])


def _namespace() -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(np, name) for name in _SAME}
    found["bool"] = np.bool_
    found |= ufuncs
    found |= {name: _plain(name) for name in _LAUNCHED}
    found |= {name: _plain(name, sync=False) for name in _CREATION}
    aliases = (
        "abs:absolute acos:arccos acosh:arccosh asin:arcsin asinh:arcsinh atan:arctan atan2:arctan2 atanh:arctanh "
        "bitwise_invert:invert bitwise_left_shift:left_shift bitwise_right_shift:right_shift pow:power "
        "conjugate:conj amax:max amin:min true_divide:divide bitwise_not:invert"
    )
    found |= {pair.split(":")[0]: found[pair.split(":")[1]] for pair in aliases.split()}
    found["round"] = found["around"] = lambda a, decimals=0, out=None: launch("round", np.round, a, decimals)
    return found


#: What the module ``cupy`` has. Not this module's own globals: several names are those of builtins.
NAMESPACE = _namespace() | {
    function.__name__: function
    for function in (
        argwhere,
        array,
        asarray,
        asnumpy,
        can_cast,
        clip,
        from_dlpack,
        matmul,
        nonzero,
        repeat,
        result_type,
        searchsorted,
        take,
        ufunc,
        unique,
    )
}
ufuncs["matmul"] = NAMESPACE["matmul"]
add_operators()
