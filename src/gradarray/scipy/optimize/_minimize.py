"""Minima of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._operations import composite
from ...autograd import grad, jacobian
from ...ops.conversion import asarray
from ...ops.searching import where
from ...ops.statistical import sum as sum_
from .._captures import Captured, device_for, floating, kept, values_of
from .._kernels import scipy_function
from ._arguments import active, host, known, on_device, untracked
from ._implicit import Equation, slope, solved

_WITHOUT_SLOPE = ("nelder-mead", "powell", "cobyla", "cobyqa")
_WITH_CURVATURE = ("dogleg", "trust-ncg", "trust-exact", "trust-krylov")
_METHODS = (
    *_WITHOUT_SLOPE, "cg", "bfgs", "newton-cg", "l-bfgs-b", "tnc", "slsqp", "trust-constr", *_WITH_CURVATURE,
)  # fmt: skip


def _bounds(op: str, bounds: Any, size: int) -> tuple[Any, Any, Any]:
    """Bounds as SciPy takes them, and the lower and upper ones."""
    if bounds is None:
        return None, -np.inf, np.inf
    if hasattr(bounds, "lb"):
        untracked(op, "bounds", bounds.lb, bounds.ub)
        lower, upper = host(bounds.lb), host(bounds.ub)
    else:
        untracked(op, "bounds", *bounds)
        pairs = [tuple(pair) for pair in bounds]
        if len(pairs) != size:
            raise _errors.ShapeError(
                f"{op}(): there are {len(pairs)} pairs of bounds for {size} unknowns\nFix: pass one for each"
            )
        lower = np.asarray([-np.inf if low is None else float(low) for low, _ in pairs])
        upper = np.asarray([np.inf if high is None else float(high) for _, high in pairs])
    lower, upper = np.broadcast_to(lower, (size,)), np.broadcast_to(upper, (size,))
    return list(zip(lower.tolist(), upper.tolist(), strict=True)), lower, upper


@composite
def minimize(
    fun: Any,
    x0: Any,
    args: Any = (),
    method: Any = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: Any = None,
    callback: Any = None,
    options: Any = None,
) -> Any:
    """Minimum of a function of several unknowns.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` of a 1-D array: a real number. Written with gradarray's functions.
    x0 : array_like
        Where to start, 1-D. The minimum does not depend on it: the derivative is zero.
    args : tuple, optional
        Further arguments of `fun`. The minimum is differentiable in arrays among them, and in those that `fun` closes
        over; the latter must not be written before derivatives are taken.
    method : str, optional
        One of SciPy's. By default "L-BFGS-B" with bounds and "BFGS" without.
    jac : callable, bool or str, optional
        The gradient for the algorithm: by default gradarray's own. ``jac(x, *args)``; True says that `fun` returns it
        besides its value; "2-point", "3-point" and "cs" are differences.
    hess, hessp : callable, optional
        Second derivatives, or their product with a vector, for algorithms that use them. By default gradarray's own
        where they are needed.
    bounds : sequence of pairs or scipy.optimize.Bounds, optional
        Within which the unknowns are. Those that end at a bound do not move: their derivative is zero.
    constraints : ()
        Not taken.
    tol : float, optional
        Tolerance. Derivatives are as exact as the minimum.
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
    ArgumentValueError
        If constraints are given, or the method is not known.
    NoDerivativeError
        When a gradient is taken, if the matrix of second derivatives is singular at the minimum, or if no minimum was
        found. If bounds are tracked.

    Notes
    -----
    As ``scipy.optimize.minimize``. Derivative: that of the point at which the gradient is zero, as the theorem of
    implicit functions has it, to any order.
    """
    op = "minimize"
    name = str(method if method is not None else "l-bfgs-b" if bounds is not None else "bfgs").lower()
    known(op, "method", name, _METHODS)
    if not isinstance(constraints, (tuple, list)) or len(constraints):
        raise _errors.ArgumentValueError(
            "minimize(): constraints are not taken\nFix: pass bounds, or put a penalty into the function"
        )
    device = device_for(op, ("x0", x0), ("args", args))
    args = kept(args)

    def function(x: Array) -> Array:
        value = fun(x, *args)
        return floating(values_of(op, value[0] if jac is True else value, device))

    start = np.atleast_1d(np.asarray(host(x0)))
    theirs, lower, upper = _bounds(op, bounds, start.size)
    value = Captured(op, function, device)
    # SciPy's algorithms do not see what the derivative depends on: that is found at the solution.
    given: Any = jac
    if name in _WITHOUT_SLOPE:
        given = None
    elif jac is None or jac is False:
        given = on_device(op, slope(function), (), device)
    elif jac is True:
        given = on_device(op, lambda x: fun(x, *args)[1], (), device)
    elif callable(jac):
        given = on_device(op, jac, args, device)
    further: dict[str, Any] = {}
    if callable(hess):
        further["hess"] = on_device(op, hess, args, device)
    elif callable(hessp):
        # SciPy puts the vector behind the point, and ahead of further arguments.
        further["hessp"] = on_device(op, hessp, args, device)
    elif hess is not None:
        further["hess"] = hess
    elif name in _WITH_CURVATURE:
        further["hess"] = on_device(op, jacobian(slope(function)), (), device)
    result = scipy_function("optimize.minimize")(
        lambda x: value.host(x).reshape(-1)[0],
        start,
        method=method,
        jac=given,
        bounds=theirs,
        tol=tol,
        callback=callback,
        options=options,
        **further,
    )
    fixed = active(np.asarray(result.x), lower, upper)
    equation = Equation(op, _stationary(slope(function), result.x, fixed), device)
    equation.nodes.update(value.nodes)
    equation.doubt = "" if result.success else str(result.message)
    result.x = solved(equation, result.x)
    result.fun = function(result.x)
    return result


def _stationary(
    gradient: Callable[[Array], Array], x: np.ndarray[Any, Any], fixed: np.ndarray[Any, Any]
) -> Callable[[Array], Array]:
    """The equations of a minimum: the gradient is zero; what lies at a bound stays there."""
    if not fixed.any():
        return gradient

    def equations(point: Array) -> Array:
        mask, place = (asarray(values, device=point.device) for values in (fixed, np.array(x)))
        return where(mask, point - place, gradient(point))

    return equations


@composite
def minimize_scalar(
    fun: Any,
    bracket: Any = None,
    bounds: Any = None,
    args: Any = (),
    method: Any = None,
    tol: Any = None,
    options: Any = None,
) -> Any:
    """Minimum of a function of one unknown.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args)`` of a 0-d array: a real number.
    bracket : sequence of numbers, optional
        Where to start: two points, or three of which the middle one is the lowest.
    bounds : sequence of two numbers, optional
        Between which the minimum is sought, for the method "bounded".
    args : tuple, optional
        Further arguments of `fun`. The minimum is differentiable in arrays among them, and in those that `fun` closes
        over; the latter must not be written before derivatives are taken.
    method : {"brent", "golden", "bounded"}, optional
        By default "bounded" with bounds and "brent" without.
    tol : float, optional
        Tolerance. Derivatives are as exact as the minimum.
    options : dict, optional
        Of the method.

    Returns
    -------
    scipy.optimize.OptimizeResult
        As SciPy's; ``x`` and ``fun`` are 0-d arrays.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the second derivative is 0 at the minimum, or if the minimum lies at a bound.

    Notes
    -----
    As ``scipy.optimize.minimize_scalar``. Derivative: as of `minimize`.
    """
    op = "minimize_scalar"
    if method is not None:
        known(op, "method", str(method).lower(), ("brent", "golden", "bounded"))
    device = device_for(op, ("bracket", bracket), ("bounds", bounds), ("args", args))
    args = kept(args)

    def function(x: Array) -> Array:
        return floating(values_of(op, fun(x, *args), device))

    value = Captured(op, function, device)
    result = scipy_function("optimize.minimize_scalar")(
        lambda x: value.host(x).reshape(-1)[0],
        bracket=None if bracket is None else tuple(host(x) for x in bracket),
        bounds=None if bounds is None else tuple(host(x) for x in bounds),
        method=method,
        tol=tol,
        options=options,
    )
    equation = Equation(op, grad(lambda x: sum_(function(x))), device, elementwise=True)
    equation.nodes.update(value.nodes)
    if bounds is not None:
        equation.doubt = "the minimum lies at a bound"
    elif not result.success:
        equation.doubt = str(result.message)
    result.x = solved(equation, result.x)
    result.fun = function(result.x)
    return result
