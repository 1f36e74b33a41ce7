"""NumPy's ufuncs, their methods, and those of ``scipy.special``, on arrays of ours."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from .._array import Array
from ..ops._extras import Description, scatter
from ._table import array, cast, floating, host, mask, normal_axes, normal_axis, operand, placed, tracked, written

# --- what stands for each --------------------------------------------------------------------------------------------

#: NumPy's ufuncs whose name differs from the standard's.
_NAMES = {
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
    "mod": "remainder",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
}


def _halves(x1: Any, x2: Any) -> tuple[Any, Any]:
    first, second = operand(x1), operand(x2)
    return (first, second) if Array in (type(first), type(second)) else (array(first), second)


def _fmod(x1: Any, x2: Any) -> Array:
    first, second = _halves(x1, x2)
    if _kind(first, second) in "iub":
        # The sign of the dividend: the remainder of what is positive.
        left = ga.remainder(ga.abs(array(first)), ga.abs(array(second)))
        return ga.where(array(first) < 0, -left, left)
    # Not from the remainder, whose sign is the divisor's: the digits that it loses do not come back.
    left = ga.remainder(ga.abs(floating(first)), ga.abs(floating(second)))
    return ga.where(array(first) < 0, -left, left) if tracked(first, second) else ga.copysign(left, floating(first))


def _kind(*operands: Any) -> str:
    dtypes = [x.dtype for x in operands if type(x) is Array]
    scalars = [type(x) for x in operands if type(x) is not Array]
    return _dtypes.kind_of(_dtypes.result_dtype(dtypes, scalars))


def _fmax(x1: Any, x2: Any) -> Array:
    return _without_nan(ga.maximum, x1, x2)


def _fmin(x1: Any, x2: Any) -> Array:
    return _without_nan(ga.minimum, x1, x2)


def _without_nan(function: Callable[..., Array], x1: Any, x2: Any) -> Array:
    first, second = [array(x) for x in _halves(x1, x2)]
    if _kind(first, second) not in "fc":
        return function(first, second)
    found = ga.where(ga.isnan(array(second)), first, function(first, second))
    return ga.where(ga.isnan(array(first)), second, found)


def _float_power(x1: Any, x2: Any) -> Array:
    first, second = _halves(x1, x2)
    wide = ga.complex128 if _kind(first, second) == "c" else ga.float64
    return ga.pow(*[ga.astype(x, wide) if type(x) is Array and x.dtype != wide else x for x in (first, second)])


def _heaviside(x1: Any, x2: Any) -> Array:
    first, second = [array(x) for x in _halves(x1, x2)]
    step = ga.where(first > 0, 1.0, ga.where(ga.isnan(first), math.nan, 0.0))
    return ga.where(first == 0, second, ga.astype(step, _dtypes.to_floating(first.dtype), copy=False))


def _logaddexp2(x1: Any, x2: Any) -> Array:
    first, second = _halves(x1, x2)
    return ga.logaddexp(first * _LN2, second * _LN2) / _LN2


_LN2 = math.log(2)


def _divmod(x1: Any, x2: Any) -> tuple[Array, Array]:
    first, second = _halves(x1, x2)
    return ga.floor_divide(first, second), ga.remainder(first, second)


def _modf(x: Any) -> tuple[Array, Array]:
    x = floating(x)
    whole = ga.trunc(x)
    # The difference of equal infinities is NaN; of an infinity nothing is left.
    return ga.copysign(ga.where(ga.isinf(x), 0.0, x - whole), x.detach()), whole


def _frexp(x: Any) -> tuple[Array, Array]:
    x = floating(x)
    mantissa, exponent = np.frexp(host(x))
    if not x.requires_grad:
        return placed(mantissa, x), placed(exponent, x)
    return x * placed(np.ldexp(np.ones_like(mantissa), -exponent), x), placed(exponent, x)


def _ldexp(x1: Any, x2: Any) -> Array:
    x, exponent = floating(x1), array(x2)
    return x * placed(np.ldexp(np.ones((), x.dtype), host(exponent)), exponent)


def _spacing(x: Any) -> Array:
    return placed(np.asarray(np.spacing(host(x))), array(x))


def _cbrt(x: Any) -> Any:
    from ..scipy import special

    return special.cbrt(floating(x))


def _matvec(x1: Any, x2: Any) -> Array:
    return ga.matmul(array(x1), ga.expand_dims(array(x2), axis=-1))[..., 0]


def _vecmat(x1: Any, x2: Any) -> Array:
    left = array(x1)
    left = ga.conj(left) if left.dtype.kind == "c" else left
    return ga.matmul(ga.expand_dims(left, axis=-2), array(x2))[..., 0, :]


def _reciprocal(x: Any) -> Any:
    # Of integers NumPy answers integers.
    x = array(x)
    return NotImplemented if x.dtype.kind in "biu" else ga.reciprocal(x)


def _rint(x: Any) -> Array:
    return ga.round(floating(x))


#: NumPy's ufuncs that the standard has not.
_OWN: dict[str, Callable[..., Any]] = {
    "cbrt": _cbrt,
    "deg2rad": lambda x: floating(x) * (math.pi / 180),
    "degrees": lambda x: floating(x) * (180 / math.pi),
    "divmod": _divmod,
    "exp2": lambda x: ga.pow(2.0, floating(x)),
    "fabs": lambda x: ga.abs(floating(x)),
    "float_power": _float_power,
    "fmax": _fmax,
    "fmin": _fmin,
    "fmod": _fmod,
    "frexp": _frexp,
    "heaviside": _heaviside,
    "ldexp": _ldexp,
    "logaddexp2": _logaddexp2,
    "matvec": _matvec,
    "modf": _modf,
    "rad2deg": lambda x: floating(x) * (180 / math.pi),
    "radians": lambda x: floating(x) * (math.pi / 180),
    "reciprocal": _reciprocal,
    "rint": _rint,
    "spacing": _spacing,
    "vecmat": _vecmat,
}
#: The reductions of ufuncs that have a name in the standard.
_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "add": ga.sum,
    "multiply": ga.prod,
    "maximum": ga.max,
    "minimum": ga.min,
    "logical_and": ga.all,
    "logical_or": ga.any,
}
_SCANS: dict[str, Callable[..., Any]] = {"add": ga.cumulative_sum, "multiply": ga.cumulative_prod}
#: Ufuncs that give the same in any order, so that they reduce several axes at once; and those without an identity.
_ORDERLESS = frozenset(
    "add multiply maximum minimum fmax fmin logical_and logical_or logical_xor logaddexp logaddexp2 hypot bitwise_and "
    "bitwise_or bitwise_xor gcd lcm".split()
)
_IDENTITY_WITH_EMPTY = {"add": 0, "multiply": 1, "hypot": 0, "logaddexp": -math.inf, "logaddexp2": -math.inf}


@cache
def find(ufunc: Any) -> Callable[..., Any] | None:
    """Our function of the meaning of a ufunc of NumPy or SciPy; None if there is none."""
    name = ufunc.__name__
    if getattr(np, name, None) is ufunc:
        return _OWN.get(name) or getattr(ga, _NAMES.get(name, name), None)
    special = sys.modules.get("scipy.special")
    theirs = getattr(special, name, None)
    if theirs is not None and (theirs is ufunc or _unwrapped(theirs) is ufunc):
        from ..scipy import special as ours

        # Two of SciPy's are the standard's.
        return getattr(ga, name) if name in ("expm1", "log1p") else getattr(ours, name, None)
    return None


def _unwrapped(function: Any) -> Any:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


# --- calls -----------------------------------------------------------------------------------------------------------


def called(ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A ufunc called with arrays of ours and keywords; NotImplemented where nothing stands for it."""
    function = find(ufunc)
    if function is None:
        return NotImplemented
    out, where = kwargs.pop("out", None), kwargs.pop("where", True)
    dtype, casting = kwargs.pop("dtype", None), kwargs.pop("casting", "same_kind")
    for ignored in ("order", "subok"):
        kwargs.pop(ignored, None)
    if ufunc.signature is not None:
        found = _generalized(function, ufunc, inputs, kwargs)
        if found is NotImplemented:
            return found
    elif kwargs:
        return NotImplemented
    else:
        found = function(*_cast_inputs(ufunc, inputs, dtype, casting))
        if found is NotImplemented:
            return found
    if dtype is not None and type(found) is Array and found.dtype != dtype:
        found = cast(found, dtype, "unsafe", ufunc.__name__)
    if out is None and where is True:
        return found
    results = found if type(found) is tuple else (found,)
    outs = out if out is not None else (None,) * len(results)
    kept = tuple(
        [_kept(part, target, where, ufunc.__name__, casting) for part, target in zip(results, outs, strict=True)]
    )
    return kept if type(found) is tuple else kept[0]


def _kept(result: Array, out: Any, where: Any, name: str, casting: str) -> Any:
    if out is not None:
        return written(result, out, name, casting, where)
    # What a ufunc leaves out has no value; here it is 0.
    chosen = mask(where)
    return ga.where(chosen, result, False if result.dtype.kind == "b" else 0)


def _cast_inputs(ufunc: Any, inputs: tuple[Any, ...], dtype: Any, casting: str) -> list[Any]:
    if dtype is None or _dtypes.as_dtype(dtype).kind == "b":
        return [operand(x) for x in inputs]
    return [cast(x, dtype, casting, ufunc.__name__) for x in inputs]


def _generalized(function: Any, ufunc: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A ufunc of vectors or matrices, whose axes may be named."""
    axis, axes, keepdims = kwargs.pop("axis", None), kwargs.pop("axes", None), kwargs.pop("keepdims", False)
    if kwargs:
        return NotImplemented
    arrays = [array(x) for x in inputs]
    target = None
    if axes is not None:
        axes = [tuple(part) if isinstance(part, (tuple, list)) else (part,) for part in axes]
        arrays = [ga.moveaxis(x, part, tuple(range(-len(part), 0))) for x, part in zip(arrays, axes, strict=False)]
        target = axes[len(arrays)] if len(axes) > len(arrays) else None
    elif axis is not None:
        arrays = [ga.moveaxis(x, axis, -1) for x in arrays]
    found = function(*arrays)
    if target:
        found = ga.moveaxis(found, tuple(range(-len(target), 0)), target)
    if keepdims:
        found = ga.expand_dims(found, axis=-1 if axis is None else axis)
    return found


# --- methods ---------------------------------------------------------------------------------------------------------


def method(ufunc: Any, name: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a ufunc; NotImplemented where nothing stands for it."""
    function = find(ufunc)
    if function is None or ufunc.signature is not None:
        return NotImplemented
    if name == "at":
        return _at(function, ufunc, *inputs)
    if ufunc.nin != 2 or ufunc.nout != 1:
        return NotImplemented
    if name == "outer":
        first, second = [array(x) for x in inputs]
        first = ga.reshape(first, first.shape + (1,) * second.ndim)
        return called(ufunc, (first, second), kwargs)
    out = kwargs.pop("out", None)
    known: dict[str, Callable[..., Any]] = {"reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduceat}
    found = known[name](function, ufunc.__name__, *inputs, **kwargs)
    return found if found is NotImplemented else written(found, out, f"{ufunc.__name__}.{name}")


def _reduce(
    function: Any,
    name: str,
    x: Any,
    axis: Any = 0,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    x, keepdims = array(x), bool(keepdims)
    axes = tuple(range(x.ndim)) if axis is None else normal_axes(axis, x.ndim)
    if name in _REDUCTIONS:
        from . import _reductions

        known: Any = getattr(_reductions, f"_{_REDUCTIONS[name].__name__}")
        if name in ("logical_and", "logical_or"):
            found = known(x, axes, None, keepdims, where=where)
            return found if initial is None else function(found, initial)
        if name in ("maximum", "minimum"):
            return known(x if dtype is None else cast(x, dtype), axes, None, keepdims, initial, where)
        return known(x, axes, dtype, None, keepdims, initial, where)
    if where is not True:
        return NotImplemented
    if len(axes) > 1 and name not in _ORDERLESS:
        raise _errors.ArgumentValueError(
            f"numpy.{name}.reduce(): it depends on the order, and takes one axis\nFix: reduce one after another"
        )
    x = x if dtype is None else cast(x, dtype)
    kept = [number for number in range(x.ndim) if number not in axes]
    rows = ga.reshape(
        ga.permute_dims(x, (*axes, *kept)),
        (math.prod([x.shape[number] for number in axes]), *[x.shape[number] for number in kept]),
    )
    if rows.shape[0]:
        parts = ga.unstack(rows, axis=0)
        if initial is not None:
            parts = (function(initial, parts[0]), *parts[1:])
        found = functools.reduce(function, parts)
    elif initial is not None or name in _IDENTITY_WITH_EMPTY:
        found = ga.full(rows.shape[1:], _IDENTITY_WITH_EMPTY[name] if initial is None else initial, dtype=x.dtype)
    else:
        raise _errors.ShapeError(
            _errors.message(f"numpy.{name}.reduce", "there are no elements", [("x", x)], "pass initial=")
        )
    if keepdims:
        found = ga.reshape(found, tuple([1 if number in axes else length for number, length in enumerate(x.shape)]))
    return found


def _accumulate(function: Any, name: str, x: Any, axis: Any = 0, dtype: Any = None) -> Any:
    x = array(x)
    axis = normal_axis(axis, x.ndim)
    if name in _SCANS:
        return _SCANS[name](x, axis=axis, dtype=dtype)
    x = x if dtype is None else cast(x, dtype)
    found: list[Array] = []
    for part in ga.unstack(x, axis=axis):
        found.append(function(found[-1], part) if found else part)
    return ga.stack(found, axis=axis) if found else x


def _reduceat(function: Any, name: str, x: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> Any:
    x = array(x)
    axis = normal_axis(axis, x.ndim)
    starts = [int(index) for index in host(indices)]
    before = (slice(None),) * axis
    found = []
    for start, stop in zip(starts, [*starts[1:], x.shape[axis]], strict=True):
        if not 0 <= start < x.shape[axis]:
            raise _errors.IndexingError(f"numpy.{name}.reduceat(): {start} is out of range\nFix: use indices within")
        part = x[(*before, slice(start, max(stop, start + 1)))]
        found.append(_reduce(function, name, part, axis, dtype))
    return ga.stack(found, axis=axis)


def _at(function: Any, ufunc: Any, a: Any, indices: Any, b: Any = None) -> Any:
    if not isinstance(a, Array):
        if tracked(b):
            return NotImplemented
        ufunc.at(a, *[host(x) if isinstance(x, Array) else x for x in ((indices,) if b is None else (indices, b))])
        return None
    numbers = np.reshape(np.arange(math.prod(a.shape)), a.shape)
    key = (
        tuple([host(part) if isinstance(part, Array) else part for part in indices])
        if isinstance(indices, tuple)
        else (host(indices) if isinstance(indices, Array) else indices)
    )
    places = np.asarray(numbers[key])
    flat = np.reshape(places, -1)
    values = None
    if b is not None:
        values = ga.reshape(ga.broadcast_to(array(b), places.shape), (-1,))
    old = ga.reshape(a, (-1,))
    if ufunc.__name__ in ("add", "subtract") and values is not None:
        like = Description(old.shape, values.dtype, a.device)
        total = scatter(values, like=like, key=placed(flat, a)._data)
        a[...] = ga.reshape(cast(function(old, total), a.dtype), a.shape)
        return None
    # In turns, in each of which no element is written twice.
    order = np.argsort(flat, kind="stable")
    first = np.concatenate([[True], flat[order][1:] != flat[order][:-1]]) if flat.size else np.zeros(0, bool)
    starts = np.maximum.accumulate(np.where(first, np.arange(flat.size), 0)) if flat.size else np.zeros(0, int)
    turn = np.empty(flat.size, int)
    turn[order] = np.arange(flat.size) - starts
    for number in range(int(turn.max()) + 1 if flat.size else 0):
        chosen = np.flatnonzero(turn == number)
        key = tuple([placed(np.asarray(each), a) for each in np.unravel_index(flat[chosen], a.shape)])
        now = a[key] if key else a
        other = () if values is None else (ga.take(values, placed(chosen, a), axis=0),)
        a[key or ...] = cast(function(now, *other), a.dtype)
    return None
