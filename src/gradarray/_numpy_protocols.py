"""NumPy's protocols: what NumPy does with an array of ours, without ever dropping a gradient in silence."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _errors

if TYPE_CHECKING:
    from ._array import Array

#: NumPy's ufuncs whose name differs from the standard's; every other one is looked up under its own name.
_UFUNC_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
    "vecdot": "vecdot",
}
#: The reductions of ufuncs that have a name in the standard.
_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
#: NumPy's functions that are the standard's, in the arguments they share, under another name.
_FUNCTION_NAMES = {
    "amax": "max",
    "amin": "min",
    "concatenate": "concat",
    "cumsum": "cumulative_sum",
    "cumprod": "cumulative_prod",
    "transpose": "permute_dims",
    "absolute": "abs",
}


def to_numpy(x: Array, dtype: Any, copy: bool | None) -> np.ndarray[Any, Any]:
    """The NumPy array of an untracked array in host memory."""
    if x.requires_grad:
        raise _errors.TrackedConversionError(
            _errors.message(
                "numpy",
                "an array that requires grad does not turn into a NumPy array: its gradient would be lost",
                [("x", x)],
                "x.detach().numpy()",
            )
        )
    device = x._device
    if device.type != "cpu":
        raise _errors.DeviceError(
            _errors.message("numpy", "the array does not lie in host memory", [("x", x)], "x.to_device('cpu').numpy()")
        )
    values = device.backend.to_numpy(x._data, copy=copy)
    if dtype is not None and np.dtype(dtype) != values.dtype:
        if copy is False:
            raise _errors.CopyRequiredError(
                _errors.message("numpy", "a change of dtype needs a copy", [("x", x)], "copy=None")
            )
        values = values.astype(dtype)
    return values


def array_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy ufunc called with an array of ours: our function of that meaning, or nothing."""
    from ._array import Array

    namespace = sys.modules["gradarray"]
    out = kwargs.pop("out", None)
    if out is not None and any(type(x) is Array and x.requires_grad for x in inputs):
        raise _lost(ufunc.__name__, inputs)
    # NumPy hands over its scalars as 0-d arrays; a scalar has no device.
    inputs = tuple([x[()] if isinstance(x, np.ndarray) and not x.ndim else x for x in inputs])
    function = None
    if method == "__call__" and not kwargs:
        function = getattr(namespace, _UFUNC_NAMES.get(ufunc.__name__, ufunc.__name__), None)
    elif method == "reduce" and set(kwargs) <= {"axis", "keepdims", "dtype"}:
        function = getattr(namespace, _REDUCTIONS.get(ufunc.__name__, ""), None)
        if kwargs.get("dtype", 0) is None:
            del kwargs["dtype"]
        kwargs.setdefault("axis", 0)
    if function is None:
        return _through_numpy(getattr(ufunc, method), inputs, {**kwargs, **({} if out is None else {"out": out})})
    result = function(*inputs, **kwargs)
    if out is None:
        return result
    (target,) = out
    if isinstance(target, Array):
        target[...] = result
    else:
        np.copyto(target, result.numpy(), casting="same_kind")
    return target


def array_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy function called with an array of ours: our function of that name where it takes the arguments."""
    namespace = sys.modules["gradarray"]
    name = function.__name__
    module = function.__module__.rpartition(".")[2]
    home = getattr(namespace, module, namespace) if module in ("linalg", "fft") else namespace
    ours = getattr(home, _FUNCTION_NAMES.get(name, name), None)
    if ours is not None:
        try:
            return ours(*args, **kwargs)
        except TypeError as error:
            if isinstance(error, _errors.GradarrayError):
                raise
            # The signatures differ: NumPy's has more parameters. Without a gradient NumPy itself can answer.
    return _through_numpy(function, args, kwargs)


def _through_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if _any_tracked((args, kwargs)):
        raise _lost(function.__name__, args)
    return function(*_converted(args), **_converted(kwargs))


def _any_tracked(obj: Any) -> bool:
    from ._array import Array

    if type(obj) is Array:
        return obj.requires_grad
    if isinstance(obj, (tuple, list)):
        return any(_any_tracked(part) for part in obj)
    return isinstance(obj, dict) and any(_any_tracked(part) for part in obj.values())


def _converted(obj: Any) -> Any:
    from ._array import Array

    if type(obj) is Array:
        return obj.__array__()
    if type(obj) in (tuple, list):
        return type(obj)(_converted(part) for part in obj)
    if type(obj) is dict:
        return {name: _converted(part) for name, part in obj.items()}
    return obj


def _lost(name: str, inputs: Any) -> _errors.TrackedConversionError:
    operands = [(f"argument {position}", x) for position, x in enumerate(inputs)]
    return _errors.TrackedConversionError(
        _errors.message(
            f"numpy.{name}",
            "NumPy's function has no equivalent in gradarray and would lose the gradient",
            operands,
            "use gradarray's functions, or x.detach()",
        )
    )
