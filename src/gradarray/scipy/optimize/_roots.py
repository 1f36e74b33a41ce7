"""Solutions of equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._operations import composite
from ...ops.conversion import asarray
from .._captures import device_for, floating, kept, values_of
from .._kernels import scipy_function
from ._arguments import host, known, on_device
from ._implicit import Equation, solved

_METHODS = (
    "hybr", "lm", "broyden1", "broyden2", "anderson", "linearmixing", "diagbroyden", "excitingmixing", "krylov",
    "df-sane",
)  # fmt: skip
_SCALAR_METHODS = ("bisect", "brentq", "brenth", "ridder", "toms748", "newton", "secant", "halley")
_RTOL = 4 * float(np.finfo(float).eps)


def _function(op: str, fun: Any, args: tuple[Any, ...], device: Device) -> Callable[[Array], Array]:
    """A function of the caller as one of one array that returns an array."""
    if not callable(fun):
        raise _errors.ArgumentTypeError(_errors.message(op, "the first argument must be a function", [("f", fun)]))
    return lambda x: floating(values_of(op, fun(x, *args), device))


def _first_of(fun: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: fun(*args)[0]


def _further_of(fun: Callable[..., Any], number: int = 1) -> Callable[..., Any]:
    return lambda *args: fun(*args)[number]


@composite
def root(
    fun: Any,
    x0: Any,
    args: Any = (),
    method: str = "hybr",
    jac: Any = None,
    tol: Any = None,
    callback: Any = None,
    options: Any = None,
) -> Any:
    """Solution of a system of as many equations as there are unknowns.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` of an array of unknowns: an array, or a sequence of as many values, which are 0 at the
        solution. Written with gradarray's functions.
    x0 : array_like
        Where to start. The solution does not depend on it: the derivative is zero.
    args : tuple, optional
        Further arguments of `fun`. The solution is differentiable in arrays among them, and in those that `fun` closes
        over; the latter must not be written before derivatives are taken.
    method : str, default: "hybr"
        One of SciPy's: "hybr", "lm", "broyden1", "broyden2", "anderson", "linearmixing", "diagbroyden",
        "excitingmixing", "krylov", "df-sane".
    jac : callable or bool, optional
        The Jacobian for the algorithm, ``jac(x, *args)``; True says that `fun` returns it besides its value.
    tol : float, optional
        Tolerance.
    callback : callable, optional
        Called as SciPy calls it, with NumPy's arrays.
    options : dict, optional
        Of the method.

    Returns
    -------
    scipy.optimize.OptimizeResult
        As SciPy's: ``x`` and ``fun`` are arrays on the device of `x0`, or else of `args`.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the Jacobian is singular at the solution, or if no solution was found.

    Notes
    -----
    As ``scipy.optimize.root``. Derivative: that of the solution of the equations, as the theorem of implicit functions
    has it, to any order, with the Jacobian that gradarray finds itself.
    """
    known("root", "method", method, _METHODS)
    device = device_for("root", ("x0", x0), ("args", args))
    args = kept(args)
    value = _first_of(fun) if jac is True else fun
    equation = Equation("root", _function("root", value, args, device), device)
    given: Any = None
    if jac is True or callable(jac):
        given = on_device("root", _further_of(fun) if jac is True else jac, args, device)
    result = scipy_function("optimize.root")(
        equation.host, host(x0), method=method, jac=given, tol=tol, callback=callback, options=options
    )
    equation.doubt = "" if result.success else str(result.message)
    result.x = solved(equation, result.x)
    result.fun = asarray(np.asarray(result.fun), device=device)
    return result


# --- one equation ----------------------------------------------------------------------------------------------------


def _number(equation: Equation) -> Callable[[Any], Any]:
    """The function as the algorithms for one unknown call it: a number for a number."""

    def called(x: Any, *_: Any) -> Any:
        value = equation.host(x)
        return value.item() if value.size == 1 and not np.ndim(x) else value

    return called


def _scalar_equation(op: str, f: Any, args: Any, *operands: tuple[str, Any]) -> tuple[Equation, tuple[Any, ...]]:
    device = device_for(op, *operands, ("args", args))
    args = kept(args)
    return Equation(op, _function(op, f, args, device), device, elementwise=True), args


@composite
def root_scalar(
    f: Any,
    args: Any = (),
    method: Any = None,
    bracket: Any = None,
    fprime: Any = None,
    fprime2: Any = None,
    x0: Any = None,
    x1: Any = None,
    xtol: Any = None,
    rtol: Any = None,
    maxiter: Any = None,
    options: Any = None,
) -> Any:
    """Solution of an equation in one unknown.

    Parameters
    ----------
    f : callable
        ``f(x, *args)`` of a 0-d array, which is 0 at the solution.
    args : tuple, optional
        Further arguments of `f`. The solution is differentiable in arrays among them, and in those that `f` closes
        over; the latter must not be written before derivatives are taken.
    method : str, optional
        One of SciPy's: "bisect", "brentq", "brenth", "ridder", "toms748", "newton", "secant", "halley".
    bracket : sequence of two numbers, optional
        Between which the solution lies.
    fprime, fprime2 : callable or bool, optional
        First and second derivative for the algorithm; True says that `f` returns them besides its value.
    x0, x1 : number, optional
        Where to start. The solution does not depend on it: the derivative is zero.
    xtol, rtol : float, optional
        Tolerances.
    maxiter : int, optional
        Limit of iterations.
    options : dict, optional
        Of the method.

    Returns
    -------
    scipy.optimize.RootResults
        As SciPy's; ``root`` is a 0-d array.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the derivative of `f` is 0 at the solution, or if no solution was found.

    Notes
    -----
    As ``scipy.optimize.root_scalar``. Derivative: as of `root`.
    """
    if method is not None:
        known("root_scalar", "method", str(method).lower(), _SCALAR_METHODS)
    several = fprime is True or fprime2 is True
    value = _first_of(f) if several else f
    equation, kept_ = _scalar_equation("root_scalar", value, args, ("x0", x0), ("x1", x1), ("bracket", bracket))
    slopes = []
    for order, slope in ((1, fprime), (2, fprime2)):
        further = _further_of(f, order) if slope is True else slope
        slopes.append(_plain("root_scalar", further, kept_, equation.device))
    result = scipy_function("optimize.root_scalar")(
        _number(equation),
        method=method,
        bracket=None if bracket is None else [host(x) for x in bracket],
        fprime=slopes[0],
        fprime2=slopes[1],
        x0=host(x0),
        x1=host(x1),
        xtol=xtol,
        rtol=rtol,
        maxiter=maxiter,
        options=options,
    )
    equation.doubt = "" if result.converged else str(result.flag)
    result.root = solved(equation, result.root)
    return result


def _plain(op: str, slope: Any, args: tuple[Any, ...], device: Device) -> Any:
    if not callable(slope):
        return None
    called = on_device(op, slope, args, device)
    return lambda x, *_: called(x) if np.ndim(x) else called(x).item()


def _is_several(x: Any) -> bool:
    return bool(np.size(host(x)) > 1)


@composite
def newton(
    func: Any,
    x0: Any,
    fprime: Any = None,
    args: Any = (),
    tol: float = 1.48e-8,
    maxiter: int = 50,
    fprime2: Any = None,
    x1: Any = None,
    rtol: float = 0.0,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown, or of several such, by the method of Newton, the secant or Halley.

    Parameters
    ----------
    func : callable
        ``func(x, *args)``, which is 0 at the solution. For an array `x0` each element of the value depends on the same
        element of ``x`` only.
    x0 : number or array_like
        Where to start, real or complex. The solution does not depend on it: the derivative is zero.
    fprime, fprime2 : callable, optional
        First and second derivative for the algorithm; without, the secant.
    args : tuple, optional
        Further arguments of `func`. The solution is differentiable in arrays among them, and in those that `func`
        closes over; the latter must not be written before derivatives are taken.
    tol, rtol : float
        Tolerances.
    maxiter : int, default: 50
        Limit of iterations.
    x1 : number, optional
        Where to start besides.
    full_output : bool, default: False
        Return further results.
    disp : bool, default: True
        Raise RuntimeError where no solution is found.

    Returns
    -------
    Array or tuple
        The solution; with `full_output` and what SciPy tells besides.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the derivative of `func` is 0 at the solution.

    Notes
    -----
    As ``scipy.optimize.newton``. Derivative: as of `root`.
    """
    equation, kept_ = _scalar_equation("newton", func, args, ("x0", x0), ("x1", x1))
    found = scipy_function("optimize.newton")(
        _number(equation),
        host(x0),
        fprime=_plain("newton", fprime, kept_, equation.device),
        tol=tol,
        maxiter=maxiter,
        fprime2=_plain("newton", fprime2, kept_, equation.device),
        x1=host(x1),
        rtol=rtol,
        full_output=True,
        disp=disp,
    )
    if _is_several(x0):
        values, converged, flat = found
        equation.doubt = "" if np.all(converged) else "the iteration has not converged everywhere"
        x = solved(equation, values)
        return (
            type(found)(x, converged, flat)
            if full_output and hasattr(found, "_fields")
            else ((x, converged, flat) if full_output else x)
        )
    values, further = found
    equation.doubt = "" if further.converged else str(further.flag)
    x = solved(equation, values)
    further.root = x
    return (x, further) if full_output else x


def _bracketed(op: str, f: Any, a: Any, b: Any, args: Any, full_output: bool, options: dict[str, Any]) -> Any:
    equation, _ = _scalar_equation(op, f, args, ("a", a), ("b", b))
    number, ends = _number(equation), (host(a), host(b))
    if np.sign(number(ends[0])) * np.sign(number(ends[1])) > 0:
        raise _errors.ArgumentValueError(f"{op}(): f has the same sign at both ends\nFix: enclose a change of sign")
    values, further = scipy_function(f"optimize.{op}")(number, *ends, full_output=True, **options)
    equation.doubt = "" if further.converged else str(further.flag)
    x = solved(equation, values)
    further.root = x
    return (x, further) if full_output else x


@composite
def brentq(
    f: Any,
    a: Any,
    b: Any,
    args: Any = (),
    xtol: float = 2e-12,
    rtol: float = _RTOL,
    maxiter: int = 100,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown within an interval, by Brent's method with a quadratic interpolation.

    Parameters
    ----------
    f : callable
        ``f(x, *args)`` of a 0-d array; of different signs at the ends.
    a, b : number
        The ends of the interval. The solution does not depend on them: the derivative is zero.
    args : tuple, optional
        Further arguments of `f`. The solution is differentiable in arrays among them, and in those that `f` closes
        over; the latter must not be written before derivatives are taken.
    xtol, rtol : float
        Tolerances.
    maxiter : int, default: 100
        Limit of iterations.
    full_output : bool, default: False
        Return ``RootResults`` besides.
    disp : bool, default: True
        Raise RuntimeError where no solution is found.

    Returns
    -------
    Array or tuple
        The solution, 0-d; with `full_output` and SciPy's further results.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the derivative of `f` is 0 at the solution.

    Notes
    -----
    As ``scipy.optimize.brentq``. Derivative: as of `root`.
    """
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "disp": disp}
    return _bracketed("brentq", f, a, b, args, full_output, options)


@composite
def brenth(
    f: Any,
    a: Any,
    b: Any,
    args: Any = (),
    xtol: float = 2e-12,
    rtol: float = _RTOL,
    maxiter: int = 100,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown within an interval, by Brent's method with a hyperbolic interpolation.

    Parameters and results are those of `brentq`.

    Notes
    -----
    As ``scipy.optimize.brenth``. Derivative: as of `root`.
    """
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "disp": disp}
    return _bracketed("brenth", f, a, b, args, full_output, options)


@composite
def ridder(
    f: Any,
    a: Any,
    b: Any,
    args: Any = (),
    xtol: float = 2e-12,
    rtol: float = _RTOL,
    maxiter: int = 100,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown within an interval, by Ridder's method.

    Parameters and results are those of `brentq`.

    Notes
    -----
    As ``scipy.optimize.ridder``. Derivative: as of `root`.
    """
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "disp": disp}
    return _bracketed("ridder", f, a, b, args, full_output, options)


@composite
def bisect(
    f: Any,
    a: Any,
    b: Any,
    args: Any = (),
    xtol: float = 2e-12,
    rtol: float = _RTOL,
    maxiter: int = 100,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown within an interval, by bisection.

    Parameters and results are those of `brentq`.

    Notes
    -----
    As ``scipy.optimize.bisect``. Derivative: as of `root`.
    """
    options = {"xtol": xtol, "rtol": rtol, "maxiter": maxiter, "disp": disp}
    return _bracketed("bisect", f, a, b, args, full_output, options)


@composite
def toms748(
    f: Any,
    a: Any,
    b: Any,
    args: Any = (),
    k: int = 1,
    xtol: float = 2e-12,
    rtol: float = _RTOL,
    maxiter: int = 100,
    full_output: bool = False,
    disp: bool = True,
) -> Any:
    """Solution of an equation in one unknown within an interval, by Algorithm 748 of Alefeld, Potra and Shi.

    Parameters and results are those of `brentq`; `k` is the number of Newton steps in each iteration.

    Notes
    -----
    As ``scipy.optimize.toms748``. Derivative: as of `root`.
    """
    options = {"k": k, "xtol": xtol, "rtol": rtol, "maxiter": maxiter, "disp": disp}
    return _bracketed("toms748", f, a, b, args, full_output, options)


@composite
def fixed_point(
    func: Any, x0: Any, args: Any = (), xtol: float = 1e-8, maxiter: int = 500, method: str = "del2"
) -> Array:
    """Point that a function maps onto itself.

    Parameters
    ----------
    func : callable
        ``func(x, *args)``: an array of the shape of ``x``.
    x0 : array_like
        Where to start. The fixed point does not depend on it: the derivative is zero.
    args : tuple, optional
        Further arguments of `func`. The point is differentiable in arrays among them, and in those that `func` closes
        over; the latter must not be written before derivatives are taken.
    xtol : float, default: 1e-8
        Tolerance.
    maxiter : int, default: 500
        Limit of iterations.
    method : {"del2", "iteration"}, default: "del2"
        With Steffensen's acceleration or without.

    Returns
    -------
    Array
        The fixed point, of the shape of `x0`.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the Jacobian of ``x - func(x)`` is singular there.

    Notes
    -----
    As ``scipy.optimize.fixed_point``. Derivative: as of `root`.
    """
    known("fixed_point", "method", method, ("del2", "iteration"))
    op = "fixed_point"
    device = device_for(op, ("x0", x0), ("args", args))
    args = kept(args)
    function = _function(op, func, args, device)
    mapped = Equation(op, function, device)
    values = scipy_function("optimize.fixed_point")(
        lambda x: mapped.host(x), host(x0), xtol=xtol, maxiter=maxiter, method=method
    )
    equation = Equation(op, lambda x: x - function(x), device, elementwise=not np.ndim(values))
    equation.nodes = mapped.nodes
    return solved(equation, values)
