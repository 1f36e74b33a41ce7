"""NumPy's polynomials by their coefficients, special functions and functions with a wider domain."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import gradarray as ga

from .. import _errors
from .._array import Array
from ._calculus import _convolve
from ._linalg import _eigvals, _lstsq
from ._table import FUNCTIONS, array, floating, host, implements, is_complex, operand

# --- polynomials -----------------------------------------------------------------------------------------------------


@implements("polyval")
def _polyval(p: Any, x: Any) -> Any:
    if isinstance(p, np.poly1d) or isinstance(x, np.poly1d):
        return NotImplemented
    coefficients, points = array(p), array(x)
    found = ga.zeros_like(points) + coefficients[0] if coefficients.shape[0] else ga.zeros_like(points)
    for position in range(1, coefficients.shape[0]):
        found = found * points + coefficients[position]
    return found


@implements("polyadd")
def _polyadd(a1: Any, a2: Any) -> Any:
    first, second = _equally_long(a1, a2)
    return first + second


@implements("polysub")
def _polysub(a1: Any, a2: Any) -> Any:
    first, second = _equally_long(a1, a2)
    return first - second


def _equally_long(a1: Any, a2: Any) -> tuple[Array, Array]:
    parts = [_at_least_one(x) for x in (a1, a2)]
    length = builtins.max(x.shape[0] for x in parts)
    first, second = [ga.concat([ga.zeros((length - x.shape[0],), dtype=x.dtype), x]) for x in parts]
    return first, second


def _at_least_one(x: Any) -> Array:
    found = array(x)
    return ga.reshape(found, (1,)) if found.ndim == 0 else found


def _without_leading_zeros(x: Array) -> Array:
    there = np.flatnonzero(host(x))
    return x[int(there[0]) :] if there.size else x[:0]


@implements("polymul")
def _polymul(a1: Any, a2: Any) -> Any:
    first, second = [_without_leading_zeros(_at_least_one(x)) for x in (a1, a2)]
    first, second = [x if x.shape[0] else ga.zeros((1,), dtype=x.dtype) for x in (first, second)]
    return _convolve(first, second)


@implements("polyder")
def _polyder(p: Any, m: int = 1) -> Any:
    x = array(p)
    if m < 0:
        raise _errors.ArgumentValueError(f"numpy.polyder(): m is {m}\nFix: pass 0 or more")
    for _ in range(int(m)):
        if x.shape[0] == 0:
            break
        powers = ga.arange(x.shape[0] - 1, 0, -1)
        x = x[:-1] * (
            powers if x.dtype.kind in "biu" else ga.astype(powers, ga.real(x).dtype if is_complex(x) else x.dtype)
        )
    return x


@implements("polyint")
def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    x = floating(p)
    if m < 0:
        raise _errors.ArgumentValueError(f"numpy.polyint(): m is {m}\nFix: pass 0 or more")
    constants = ga.zeros((m,), dtype=x.dtype) if k is None else _at_least_one(k)
    constants = ga.broadcast_to(constants, (m,)) if constants.shape[0] == 1 else constants
    if constants.shape[0] < m:
        raise _errors.ShapeError(
            f"numpy.polyint(): there are fewer constants than {m}\nFix: pass one for each integral"
        )
    for position in range(int(m)):
        divided = x / ga.astype(ga.arange(x.shape[0], 0, -1), ga.real(x).dtype)
        x = ga.concat([divided, constants[position : position + 1]])
    return x


@implements("poly")
def _poly(seq_of_zeros: Any) -> Any:
    zeros = _at_least_one(seq_of_zeros)
    zeros = _eigvals(zeros) if zeros.ndim == 2 else floating(zeros)
    found = ga.ones((1,), dtype=zeros.dtype)
    for position in range(zeros.shape[0]):
        nothing = ga.zeros((1,), dtype=found.dtype)
        found = ga.concat([found, nothing]) - ga.concat([nothing, found * zeros[position]])
    if is_complex(found):
        values = host(zeros)
        if np.all(np.sort(values) == np.sort(values.conjugate())):
            return ga.real(found)
    return found


@implements("roots")
def _roots(p: Any) -> Any:
    x = floating(p)
    there = np.flatnonzero(host(x))
    if not there.size:
        return ga.zeros((0,), dtype=x.dtype)
    behind = x.shape[0] - int(there[-1]) - 1
    x = x[int(there[0]) : int(there[-1]) + 1]
    degree = x.shape[0] - 1
    if not degree:
        return ga.zeros((behind,), dtype=x.dtype)
    first = ga.reshape(-x[1:] / x[0], (1, degree))
    rest = ga.eye(degree - 1, degree, dtype=x.dtype)
    found = _eigvals(ga.concat([first, rest], axis=0))
    return ga.concat([found, ga.zeros((behind,), dtype=found.dtype)])


@implements("polyfit")
def _polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    points, values = floating(x), floating(y)
    if full or cov:
        return NotImplemented
    if points.ndim != 1 or values.ndim not in (1, 2) or points.shape[0] != values.shape[0] or not points.shape[0]:
        raise _errors.ArgumentTypeError("numpy.polyfit(): x must be 1-D, and y of its length\nFix: reshape them")
    order = int(deg)
    if order < 0:
        raise _errors.ArgumentValueError(f"numpy.polyfit(): deg is {deg}\nFix: pass 0 or more")
    left, right = _vander(points, order + 1), values
    if w is not None:
        weights = floating(w)
        left = left * ga.expand_dims(weights, axis=1)
        right = right * (weights if right.ndim == 1 else ga.expand_dims(weights, axis=1))
    scale = ga.sqrt(ga.sum(left * left, axis=0))
    tolerance = points.shape[0] * ga.finfo(points.dtype).eps if rcond is None else rcond
    found = _lstsq(left / scale, right, tolerance).x
    return found / (scale if found.ndim == 1 else ga.expand_dims(scale, axis=1))


@implements("vander")
def _vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    points = array(x)
    if points.ndim != 1:
        raise _errors.ShapeError(_errors.message("numpy.vander", "x must be 1-D", [("x", points)], "reshape it"))
    points = ga.astype(points, ga.int64, copy=False) if points.dtype.kind in "bi" else points
    count = points.shape[0] if N is None else int(N)
    powers = [ga.ones_like(points)]
    for _ in range(count - 1):
        powers.append(powers[-1] * points)
    columns = powers[:count] if increasing else powers[:count][::-1]
    return ga.stack(columns, axis=1) if columns else ga.zeros((points.shape[0], 0), dtype=points.dtype)


# --- special functions -----------------------------------------------------------------------------------------------


@implements("sinc")
def _sinc(x: Any) -> Any:
    from ..scipy import special

    return special.sinc(floating(x))


@implements("i0")
def _i0(x: Any) -> Any:
    from ..scipy import special

    points = floating(x)
    return NotImplemented if is_complex(points) else special.i0(points)


# --- with a wider domain ---------------------------------------------------------------------------------------------


def _complex_where(x: Array, outside: Callable[[Array], Array]) -> Array:
    """A real array as a complex one if any element lies where the real function has no value."""
    return x if is_complex(x) or not bool(ga.any(outside(x))) else x + 0j


def _widened(name: str, function: Callable[[Array], Array], outside: Callable[[Array], Array]) -> None:
    def widened(x: Any) -> Any:
        return function(_complex_where(floating(x), outside))

    FUNCTIONS[f"emath.{name}"] = widened


for _name, _function, _outside in (
    ("sqrt", ga.sqrt, lambda x: x < 0),
    ("log", ga.log, lambda x: x < 0),
    ("log2", ga.log2, lambda x: x < 0),
    ("log10", ga.log10, lambda x: x < 0),
    ("arccos", ga.acos, lambda x: ga.abs(x) > 1),
    ("arcsin", ga.asin, lambda x: ga.abs(x) > 1),
    ("arctanh", ga.atanh, lambda x: ga.abs(x) > 1),
):
    _widened(_name, _function, _outside)


@implements("emath.logn")
def _logn(n: Any, x: Any) -> Any:
    points, base = floating(x), operand(n)
    below = ga.log(_complex_where(base, lambda b: b < 0)) if type(base) is Array else math.log(base)
    return ga.log(_complex_where(points, lambda each: each < 0)) / below


@implements("emath.power")
def _power(x: Any, p: Any) -> Any:
    base, exponent = operand(x), operand(p)
    if type(base) is Array:
        base = _complex_where(floating(base), lambda each: each < 0)
    return base**exponent
