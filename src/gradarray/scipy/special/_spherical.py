"""Spherical Bessel functions."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..._array import Array
from ..._backend import Backend
from ..._dispatch import as_array, run
from ..._errors import ArgumentValueError
from ..._kernels import BEYOND, scipy_function
from ..._operations import derivative
from ...ops import _rules
from ...ops._arguments import integer
from ...ops.elementwise._domain import as_floating
from .._kernels import Kernel, on_host


def _kernel(name: str, backend: Backend) -> Kernel:
    return on_host(backend, scipy_function(name))


for _name in ("jn", "yn", "in", "kn"):
    BEYOND[f"special.spherical_{_name}"] = partial(_kernel, f"special.spherical_{_name}")


def _slope_jn(function: Any, n: int, z: Any) -> Any:
    if not n:
        return -function(1, z)
    return (n * function(n - 1, z) - (n + 1) * function(n + 1, z)) / (2 * n + 1)


@derivative(z=lambda xp, g, n, z: g * _rules.conj(_slope_jn(xp.scipy.special.spherical_jn, n, z)), kind="elementwise")
def spherical_jn(n: int, z: Array, derivative: bool = False) -> Array:
    """Spherical Bessel function of the first kind.

    Parameters
    ----------
    n : int
        Order, 0 or more.
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.
    derivative : bool, default: False
        Whether to give the derivative with respect to `z` instead.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Raises
    ------
    ArgumentValueError
        If `n` is negative.

    Notes
    -----
    As ``scipy.special.spherical_jn``.
    """
    order, z = _order(spherical_jn, n), as_floating(as_array(spherical_jn, z))
    if derivative:
        slope: Array = _slope_jn(spherical_jn, order, z)
        return slope
    return run(spherical_jn, order, z)


def _slope_yn(function: Any, n: int, z: Any) -> Any:
    if not n:
        return -function(1, z)
    return (n * function(n - 1, z) - (n + 1) * function(n + 1, z)) / (2 * n + 1)


@derivative(z=lambda xp, g, n, z: g * _rules.conj(_slope_yn(xp.scipy.special.spherical_yn, n, z)), kind="elementwise")
def spherical_yn(n: int, z: Array, derivative: bool = False) -> Array:
    """Spherical Bessel function of the second kind.

    Parameters
    ----------
    n : int
        Order, 0 or more.
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.
    derivative : bool, default: False
        Whether to give the derivative with respect to `z` instead.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Raises
    ------
    ArgumentValueError
        If `n` is negative.

    Notes
    -----
    As ``scipy.special.spherical_yn``.
    """
    order, z = _order(spherical_yn, n), as_floating(as_array(spherical_yn, z))
    if derivative:
        slope: Array = _slope_yn(spherical_yn, order, z)
        return slope
    return run(spherical_yn, order, z)


def _slope_in(function: Any, n: int, z: Any) -> Any:
    if not n:
        return function(1, z)
    return (n * function(n - 1, z) + (n + 1) * function(n + 1, z)) / (2 * n + 1)


@derivative(z=lambda xp, g, n, z: g * _rules.conj(_slope_in(xp.scipy.special.spherical_in, n, z)), kind="elementwise")
def spherical_in(n: int, z: Array, derivative: bool = False) -> Array:
    """Spherical modified Bessel function of the first kind.

    Parameters
    ----------
    n : int
        Order, 0 or more.
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.
    derivative : bool, default: False
        Whether to give the derivative with respect to `z` instead.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Raises
    ------
    ArgumentValueError
        If `n` is negative.

    Notes
    -----
    As ``scipy.special.spherical_in``.
    """
    order, z = _order(spherical_in, n), as_floating(as_array(spherical_in, z))
    if derivative:
        slope: Array = _slope_in(spherical_in, order, z)
        return slope
    return run(spherical_in, order, z)


def _slope_kn(function: Any, n: int, z: Any) -> Any:
    if not n:
        return -function(1, z)
    return -(n * function(n - 1, z) + (n + 1) * function(n + 1, z)) / (2 * n + 1)


@derivative(z=lambda xp, g, n, z: g * _rules.conj(_slope_kn(xp.scipy.special.spherical_kn, n, z)), kind="elementwise")
def spherical_kn(n: int, z: Array, derivative: bool = False) -> Array:
    """Spherical modified Bessel function of the second kind.

    Parameters
    ----------
    n : int
        Order, 0 or more.
    z : Array
        Real or complex floating-point. Integers and booleans count as float64.
    derivative : bool, default: False
        Whether to give the derivative with respect to `z` instead.

    Returns
    -------
    Array
        Of the shape of `z`; floating-point.

    Raises
    ------
    ArgumentValueError
        If `n` is negative.

    Notes
    -----
    As ``scipy.special.spherical_kn``.
    """
    order, z = _order(spherical_kn, n), as_floating(as_array(spherical_kn, z))
    if derivative:
        slope: Array = _slope_kn(spherical_kn, order, z)
        return slope
    return run(spherical_kn, order, z)


def _order(op: Any, n: Any) -> int:
    order = integer(op, "n", n)
    if order < 0:
        raise ArgumentValueError(f"{op.__name__}(): n is {order}\nFix: give an order of 0 or more")
    return order
