"""Integrals of functions that are given as such: adaptive quadrature, and derivatives under the integral sign."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._dispatch import finish
from ..._graph import recording
from ..._operations import composite, derivative
from ...ops.conversion import asarray
from ...ops.elementwise import cos, imag, real, sin
from ...ops.manipulation import concat, reshape, stack
from ...ops.statistical import sum as sum_
from .._captures import Captured, brought, derivative_mode, device_for, floating, kept, values_of
from .._kernels import scipy_function
from ..optimize._arguments import host, known, untracked

#: Up to how many elements a gradient is integrated one by one, each to its own tolerance.
_FEW = 3


class Integrand(Captured):
    """A function of the caller's under an integral.

    Attributes
    ----------
    integrate : callable
        Integrates a function of one number between the same limits, in the same way: its values arrays of ours.
    weight : callable or None
        What the function is multiplied by; None where that changes with the limits.
    """

    def __init__(
        self,
        op: str,
        function: Callable[[Array], Array],
        device: Device,
        integrate: Callable[[Callable[[Array], Array], Any, Any, int], Array],
        weight: Callable[[Array], Any] | None,
    ) -> None:
        super().__init__(op, function, device)
        self.integrate = integrate
        self.weight = weight

    def at(self, x: Array) -> Any:
        """The integrand at a limit."""
        if self.weight is None:
            raise _errors.NoDerivativeError(
                f"{self.op}(): the derivative with respect to limits that the weight depends on is not known\n"
                "Fix: detach the limits, or write the weight into the function"
            )
        return self.function(x) * self.weight(x)


def _integral(xp: Any, g: Any, a: Any, b: Any, *, integrand: Integrand, needed: tuple[bool, ...]) -> list[Any]:
    record = isinstance(g, Array)
    device = integrand.device
    a, b, g = (brought(x, device) for x in (a, b, g))
    found: list[Any] = []
    with derivative_mode(record):
        for x, sign in ((a, -1), (b, 1)):
            if not needed[len(found)] or math.isinf(x._host().item()):
                found.append(None)
            else:
                found.append(sign * sum_(g * integrand.at(x)))
        nodes = integrand.inputs
        if nodes:
            found.extend(_under_the_sign(integrand, g, a, b, nodes, record=record))
    return [x._data if isinstance(x, Array) and not record else x for x in found]


def _under_the_sign(integrand: Integrand, g: Array, a: Array, b: Array, nodes: Any, *, record: bool) -> list[Any]:
    """For each node the integral of the derivative, as one vector of real numbers that is taken apart again."""
    sizes = [math.prod(node.shape) for node in nodes]
    dtypes = [node.device.backend.dtype(node.dtype) for node in nodes]
    zeros = [asarray(np.zeros(size), device=integrand.device) for size in sizes]
    kept_values: dict[float, Array] = {}
    # Of a number the integral is found once, and what comes of linearity in the cotangent needs none.
    single = not g.ndim and g.dtype.kind != "c"
    seed = asarray(1.0, dtype=g.dtype, device=integrand.device) if single else g

    def gradient(x: Array) -> Array:
        place = x._host().item()
        if place in kept_values:
            return kept_values[place]
        parts: list[Array] = []
        for part, dtype, zero in zip(integrand.pull(x, seed, nodes, record=record), dtypes, zeros, strict=True):
            value = zero if part is None else reshape(brought(part, integrand.device), (-1,))
            parts.append(real(value) if value.dtype.kind == "c" else value)
            if dtype.kind == "c":
                parts.append(imag(value) if value.dtype.kind == "c" else zero)
        found = concat(parts)
        if not record:  # what is recorded must be computed anew, for it to be seen what it depends on
            kept_values[place] = found
        return found

    total = sum(size * (2 if dtype.kind == "c" else 1) for size, dtype in zip(sizes, dtypes, strict=True))
    vector = integrand.integrate(gradient, a, b, total)
    found, at = [], 0
    for node, size, dtype in zip(nodes, sizes, dtypes, strict=True):
        part = vector[at : at + size]
        at += size
        if dtype.kind == "c":
            part = part + 1j * vector[at : at + size]
            at += size
        part = reshape(part, tuple(node.shape))
        found.append(g * part if single else part)
    return found


@derivative(joint=_integral)
def integral(a: Any, b: Any, *captured: Any, integrand: Integrand, value: Any) -> Any:
    """An integral that has been found, as a function of its limits and of what the integrand depends on."""
    device = integrand.device
    out = asarray(np.asarray(value), device=device, copy=True)
    limits = [x if isinstance(x, Array) else asarray(float(x), device=device) for x in (a, b)]
    nodes = (*[x._tracked for x in limits], *integrand.inputs)
    if not recording.get() or not any(node is not None for node in nodes):
        return out
    raws = (*[x._data for x in limits], *[None] * len(integrand.inputs))
    return finish(integral, out._data, device, raws, nodes, {"integrand": integrand})


def _limits(op: str, a: Any, b: Any) -> Any:
    for name, x in (("a", a), ("b", b)):
        if isinstance(x, Array) and (x.ndim or x.dtype.kind == "c"):
            raise _errors.ShapeError(
                _errors.message(op, "limits must be real numbers", [(name, x)], "integrate for each limit")
            )
    return tuple(floating(x) if isinstance(x, Array) else float(x) for x in (a, b))


_WEIGHTS: dict[Any, Callable[[Any], Callable[[Array], Any]]] = {
    None: lambda wvar: lambda x: 1.0,
    "cos": lambda wvar: lambda x: cos(wvar * x),
    "sin": lambda wvar: lambda x: sin(wvar * x),
    "cauchy": lambda wvar: lambda x: 1 / (x - wvar),
}


@composite
def quad(
    func: Any,
    a: Any,
    b: Any,
    args: Any = (),
    full_output: int = 0,
    epsabs: float = 1.49e-8,
    epsrel: float = 1.49e-8,
    limit: int = 50,
    points: Any = None,
    weight: Any = None,
    wvar: Any = None,
    wopts: Any = None,
    maxp1: int = 50,
    limlst: int = 50,
    complex_func: bool = False,
) -> tuple[Any, ...]:
    """Integral of a function between two limits, by QUADPACK.

    Parameters
    ----------
    func : callable
        ``func(x, *args)`` of a 0-d array: a number. Written with gradarray's functions.
    a, b : float or Array
        Limits, 0-d; also infinite.
    args : tuple, optional
        Further arguments of `func`. The integral is differentiable in arrays among them, and in those that `func`
        closes over; the latter must not be written before derivatives are taken.
    full_output : int, default: 0
        Return further results.
    epsabs, epsrel : float
        Tolerances.
    limit : int, default: 50
        Limit of subintervals.
    points : sequence of float, optional
        Where the function is not smooth.
    weight : {"cos", "sin", "alg", "alg-loga", "alg-logb", "alg-log", "cauchy"}, optional
        A factor of the function, with the parameters `wvar`.
    wopts, maxp1, limlst
        Handed to SciPy.
    complex_func : bool, default: False
        Whether the function is complex.

    Returns
    -------
    tuple
        The integral, a 0-d array; an estimate of its error; with `full_output` what SciPy tells besides.

    Raises
    ------
    NoDerivativeError
        If `points` or `wvar` are tracked. When a gradient is taken, with respect to limits that the weight depends on.

    Notes
    -----
    As ``scipy.integrate.quad``. Derivative: in the limits the function at them; in what the function depends on the
    integral of its derivative, found in the same way; to any order.
    """
    op = "quad"
    known(op, "weight", weight, (None, "cos", "sin", "alg", "alg-loga", "alg-logb", "alg-log", "cauchy"))
    untracked(op, "points", points)
    untracked(op, "wvar", wvar)
    device = device_for(op, ("a", a), ("b", b), ("args", args))
    args = kept(args)
    low, high = _limits(op, a, b)
    options: dict[str, Any] = {
        "epsabs": epsabs, "epsrel": epsrel, "limit": limit, "points": host(points), "weight": weight,
        "wvar": host(wvar), "wopts": wopts, "maxp1": maxp1, "limlst": limlst,
    }  # fmt: skip

    def function(x: Array) -> Array:
        return floating(values_of(op, func(x, *args), device))

    if complex_func:
        parts = [
            quad(lambda x, part=part: part(function(x)), low, high, (), full_output, **options)
            for part in (_real, _imaginary)
        ]
        errors = parts[0][1] + 1j * parts[1][1]
        further = ({"real": parts[0][2:], "imag": parts[1][2:]},) if full_output else ()
        return (parts[0][0] + 1j * parts[1][0], errors, *further)

    def integrate(vector: Callable[[Array], Array], start: Any, end: Any, size: int) -> Array:
        if weight is None and size > _FEW:
            vectors: Array = quad_vec(vector, start, end, epsabs=epsabs, epsrel=epsrel, points=host(points))[0]
            return vectors
        return stack([quad(lambda x, place=place: vector(x)[place], start, end, **options)[0] for place in range(size)])

    factor = _WEIGHTS[weight](host(wvar)) if weight in _WEIGHTS else None
    integrand = Integrand(op, function, device, integrate, factor)

    def number(x: float) -> float:
        value = integrand.host(x)
        if value.size != 1 or value.dtype.kind == "c":
            raise _errors.ArgumentTypeError(
                _errors.message(
                    op, "the function must return a real number", [("returned", value)], "use quad_vec, or complex_func"
                )
            )
        return float(value.reshape(()))

    found = scipy_function("integrate.quad")(number, host(low), host(high), full_output=full_output, **options)
    return (integral(low, high, integrand=integrand, value=found[0]), *found[1:])


def _real(x: Array) -> Array:
    return real(x) if x.dtype.kind == "c" else x


def _imaginary(x: Array) -> Array:
    return imag(x) if x.dtype.kind == "c" else x * 0


@composite
def quad_vec(
    f: Any,
    a: Any,
    b: Any,
    epsabs: float = 1e-200,
    epsrel: float = 1e-8,
    norm: str = "2",
    cache_size: float = 100e6,
    limit: int = 10000,
    workers: Any = 1,
    points: Any = None,
    quadrature: Any = None,
    full_output: bool = False,
    *,
    args: Any = (),
) -> tuple[Any, ...]:
    """Integral of a function whose values are arrays.

    Parameters
    ----------
    f : callable
        ``f(x, *args)`` of a 0-d array: an array, always of the same shape. Written with gradarray's functions.
    a, b : float or Array
        Limits, 0-d; also infinite.
    epsabs, epsrel : float
        Tolerances.
    norm : {"2", "max"}, default: "2"
        By which the error is measured.
    cache_size, limit, quadrature
        Handed to SciPy.
    workers : 1
        The function is not called in other processes.
    points : sequence of float, optional
        Where the function is not smooth.
    full_output : bool, default: False
        Return further results.
    args : tuple, optional
        Further arguments of `f`. The integral is differentiable in arrays among them, and in those that `f` closes
        over; the latter must not be written before derivatives are taken.

    Returns
    -------
    tuple
        The integral, an array; an estimate of its error; with `full_output` what SciPy tells besides.

    Raises
    ------
    ArgumentValueError
        If `workers` is anything else.
    NoDerivativeError
        If `points` are tracked.

    Notes
    -----
    As ``scipy.integrate.quad_vec``. Derivative: as of `quad`.
    """
    op = "quad_vec"
    if workers != 1:
        raise _errors.ArgumentValueError("quad_vec(): the function is not called in other processes\nFix: pass 1")
    untracked(op, "points", points)
    device = device_for(op, ("a", a), ("b", b), ("args", args))
    args = kept(args)
    low, high = _limits(op, a, b)
    options: dict[str, Any] = {
        "epsabs": epsabs, "epsrel": epsrel, "norm": norm, "cache_size": cache_size, "limit": limit,
        "points": host(points), "quadrature": quadrature,
    }  # fmt: skip

    def function(x: Array) -> Array:
        return floating(values_of(op, f(x, *args), device))

    def integrate(vector: Callable[[Array], Array], start: Any, end: Any, size: int) -> Array:
        found: Array = quad_vec(vector, start, end, **options)[0]
        return found

    integrand = Integrand(op, function, device, integrate, lambda x: 1.0)
    found = scipy_function("integrate.quad_vec")(
        integrand.host, float(host(low)), float(host(high)), full_output=full_output, **options
    )
    return (integral(low, high, integrand=integrand, value=found[0]), *found[1:])


@composite
def dblquad(
    func: Any, a: Any, b: Any, gfun: Any, hfun: Any, args: Any = (), epsabs: float = 1.49e-8, epsrel: float = 1.49e-8
) -> tuple[Array, Any]:
    """Integral of a function of two variables, by QUADPACK in each.

    Parameters
    ----------
    func : callable
        ``func(y, x, *args)`` of 0-d arrays: a number. Written with gradarray's functions.
    a, b : float or Array
        Limits of ``x``.
    gfun, hfun : callable, float or Array
        Limits of ``y``, or functions of ``x`` that give them.
    args : tuple, optional
        Further arguments of `func`.
    epsabs, epsrel : float
        Tolerances.

    Returns
    -------
    integral : Array
        0-d.
    error : float
        An estimate.

    Notes
    -----
    As ``scipy.integrate.dblquad``. Differentiable in the limits and in everything that the functions depend on.
    """
    args = kept(args)
    device = device_for("dblquad", ("a", a), ("b", b), ("gfun", gfun), ("hfun", hfun), ("args", args))

    def inner(x: Array) -> Array:
        low, high = (side(x) if callable(side) else side for side in (gfun, hfun))
        found: Array = quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]
        return found

    start = a if isinstance(a, Array) else asarray(float(a), device=device)
    found = quad(inner, start, b, epsabs=epsabs, epsrel=epsrel)
    return found[0], found[1]


@composite
def fixed_quad(func: Any, a: Any, b: Any, args: Any = (), n: int = 5) -> tuple[Array, None]:
    """Integral of a function between two limits, by Gauss's rule of an order.

    Parameters
    ----------
    func : callable
        ``func(x, *args)`` of a 1-D array of points: values with the points along the last axis.
    a, b : float or Array
        Limits, 0-d and finite.
    args : tuple, optional
        Further arguments of `func`.
    n : int, default: 5
        Number of points.

    Returns
    -------
    integral : Array
        Without the last axis.
    none : None
        As in SciPy.

    Raises
    ------
    ArgumentValueError
        If a limit is infinite.

    Notes
    -----
    As ``scipy.integrate.fixed_quad``. Differentiable in the limits and in everything that the function depends on.
    """
    op = "fixed_quad"
    given = args if isinstance(args, (tuple, list)) else (args,)
    device = device_for(op, ("a", a), ("b", b), ("args", given))
    low, high = _limits(op, a, b)
    if math.isinf(float(host(low))) or math.isinf(float(host(high))):
        raise _errors.ArgumentValueError("fixed_quad(): limits must be finite\nFix: use quad")
    places, weights = (asarray(np.real(x), device=device) for x in scipy_function("special.roots_legendre")(n))
    points = (high - low) * (places + 1) / 2.0 + low
    values = values_of(op, func(points, *given), device)
    return (high - low) / 2.0 * sum_(weights * values, axis=-1), None
