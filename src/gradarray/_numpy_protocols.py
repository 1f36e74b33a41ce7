"""NumPy's protocols: what NumPy does with an array of ours, without ever dropping a gradient in silence.

What stands for each of NumPy's functions is in `_numpy_functions`, which is loaded when the first of them is called.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _devices, _errors

if TYPE_CHECKING:
    from ._array import Array

#: The ufuncs of one and two operands that are the standard's of the same or another name: called without keywords they
#: need nothing else. The others, and all with keywords, are in `_numpy_functions`.
_PLAIN = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "power": "pow",
    **{
        name: name
        for name in (
            "add cos cosh divide equal exp expm1 greater greater_equal hypot less less_equal log log10 log1p log2 "
            "logaddexp matmul maximum minimum multiply negative not_equal sin sinh sqrt square subtract tan tanh"
        ).split()
    },
}
#: By ufunc of NumPy: the function that `_PLAIN` names.
_plain: dict[Any, Any] = {}


def to_numpy(x: Array, dtype: Any, copy: bool | None) -> np.ndarray[Any, Any]:
    """The NumPy array of an untracked array in host memory."""
    if x.requires_grad:
        raise _errors.TrackedConversionError(
            _errors.message(
                "numpy",
                "an array that requires grad does not turn into a NumPy array: its gradient would be lost",
                [("x", x)],
                "x.detach().numpy() if no gradient is wanted; for what SciPy computes in compiled code, the function "
                "of the same name in gradarray.scipy, which is differentiated",
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
    """A NumPy ufunc, or SciPy's, with an array of ours: our function of that meaning, or nothing."""
    if not _plain:
        namespace = sys.modules["gradarray"]
        _plain.update({getattr(np, name): getattr(namespace, ours) for name, ours in _PLAIN.items()})
    # NumPy hands over its scalars as 0-d arrays; a scalar has no device.
    inputs = tuple([x[()] if isinstance(x, np.ndarray) and not x.ndim else x for x in inputs])
    plain = not kwargs and method == "__call__" and ufunc in _plain
    if plain and not (list in (kinds := [type(x) for x in inputs]) or tuple in kinds):
        return _plain[ufunc](*inputs)
    from ._numpy_functions import _table, _ufuncs

    like = _table.first_array(inputs, kwargs)
    assert like is not None
    given = {name: value for name, value in kwargs.items() if value is not np._NoValue}
    with _devices.device(like.device):
        if method == "__call__":
            found = _ufuncs.called(ufunc, inputs, dict(given))
        else:
            found = _ufuncs.method(ufunc, method, inputs, dict(given))
    if found is NotImplemented:
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        return _through_numpy(getattr(ufunc, method), name, inputs, given)
    return found


def array_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy function with an array of ours: what stands for it, or NumPy's itself where no gradient can be lost."""
    from ._numpy_functions import _table, find

    if any(value is np._NoValue for value in kwargs.values()):
        kwargs = {name: value for name, value in kwargs.items() if value is not np._NoValue}
    ours = find(function)
    if ours is not None:
        like = _table.first_array(args, kwargs)
        if like is None:
            found = ours(*args, **kwargs)
        else:
            with _devices.device(like.device):
                found = ours(*args, **kwargs)
        if found is not NotImplemented:
            return found
    module = function.__module__.rpartition(".")[2]
    name = f"{module}.{function.__name__}" if module in ("linalg", "fft") else function.__name__
    return _through_numpy(function, name, args, kwargs)


def _through_numpy(function: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """NumPy's own answer for untracked arrays, as arrays of ours on their device."""
    from ._array import Array
    from ._numpy_functions import _constants, _table

    if _table.tracked(args, kwargs):
        raise _table.lost(name, args)
    kwargs = dict(kwargs)
    like = _table.first_array(args, kwargs)
    outs = kwargs.get("out")
    outs = outs if isinstance(outs, tuple) else (outs,)
    # NumPy must not write into our memory behind the back of the record.
    ours = any(isinstance(out, Array) for out in outs)
    if ours:
        kwargs.pop("out")
    found = function(*_constants.brought(args), **_constants.brought(kwargs))
    if like is None or (outs != (None,) and not ours):
        return found
    found = _constants.returned(found, like)
    if not ours:
        return found
    results = found if isinstance(found, tuple) else (found,)
    kept = tuple([_table.written(part, out, name) for part, out in zip(results, outs, strict=True)])
    return kept if isinstance(found, tuple) else kept[0]
