"""Least squares, and curves fitted by them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._graph import recording
from ..._operations import composite
from ...autograd import jacobian
from ...linalg.decompositions import cholesky
from ...linalg.systems import inv, solve
from ...ops.conversion import asarray
from ...ops.elementwise import atan, log1p, sqrt
from ...ops.linear_algebra import matmul, matrix_transpose
from ...ops.manipulation import reshape
from ...ops.searching import where
from ...ops.statistical import sum as sum_
from .._captures import Captured, device_for, floating, kept, values_of
from .._kernels import scipy_function
from ._arguments import active, host, known, on_device, untracked
from ._implicit import Equation, slope, solved
from ._minimize import _stationary


def _huber(z: Array) -> Array:
    # The square root is taken where it counts only: at 0 it has no derivative.
    outside = z > 1
    return where(outside, 2 * sqrt(where(outside, z, 1.0)) - 1, z)


_LOSSES = {
    "linear": lambda z: z,
    "soft_l1": lambda z: 2 * (sqrt(1 + z) - 1),
    "huber": _huber,
    "cauchy": log1p,
    "arctan": atan,
}


@composite
def least_squares(
    fun: Any,
    x0: Any,
    jac: Any = "2-point",
    bounds: Any = (-np.inf, np.inf),
    method: str = "trf",
    ftol: Any = 1e-8,
    xtol: Any = 1e-8,
    gtol: Any = 1e-8,
    x_scale: Any = None,
    loss: str = "linear",
    f_scale: float = 1.0,
    diff_step: Any = None,
    tr_solver: Any = None,
    tr_options: Any = None,
    jac_sparsity: Any = None,
    max_nfev: Any = None,
    verbose: int = 0,
    args: Any = (),
    kwargs: Any = None,
    callback: Any = None,
    workers: Any = None,
) -> Any:
    """Unknowns for which the sum of squares of residuals, or of a loss that grows less, is smallest.

    Parameters
    ----------
    fun : callable
        ``fun(x, *args, **kwargs)`` of a 1-D array: the residuals, a 1-D array.
    x0 : array_like
        Where to start. The solution does not depend on it: the derivative is zero.
    jac : callable or str, default: "2-point"
        The Jacobian for the algorithm: ``jac(x, *args, **kwargs)``, or "3-point" or "cs" for differences. By default
        gradarray's own, where SciPy takes differences.
    bounds : pair of array_like or scipy.optimize.Bounds, optional
        Lower and upper bounds. Unknowns that end at a bound do not move: their derivative is zero.
    method : {"trf", "dogbox", "lm"}, default: "trf"
        The algorithm.
    ftol, xtol, gtol : float or None, default: 1e-8
        Tolerances. Derivatives are as exact as the solution.
    loss : {"linear", "soft_l1", "huber", "cauchy", "arctan"}, default: "linear"
        What is summed, of the squares. A function is not taken.
    f_scale : float, default: 1.0
        Above which size residuals count less.
    x_scale, diff_step, tr_solver, tr_options, jac_sparsity, max_nfev, verbose, callback, workers
        Handed to SciPy; `callback` gets NumPy's arrays.
    args : tuple, optional
        Further arguments of `fun`. The solution is differentiable in arrays among them, and in those that `fun` closes
        over; the latter must not be written before derivatives are taken.
    kwargs : dict, optional
        Further arguments by name.

    Returns
    -------
    scipy.optimize.OptimizeResult
        As SciPy's: ``x``, ``fun`` and ``cost`` are arrays on the device of `x0`, or else of `args`.

    Raises
    ------
    NoDerivativeError
        When a gradient is taken, if the matrix of second derivatives is singular at the solution, or if none was found.
        If bounds or the scale are tracked.

    Notes
    -----
    As ``scipy.optimize.least_squares``. Derivative: that of the point at which the gradient of the sum is zero, as the
    theorem of implicit functions has it, to any order.
    """
    op = "least_squares"
    known(op, "method", method, ("trf", "dogbox", "lm"))
    if callable(loss):
        raise _errors.ArgumentTypeError(
            "least_squares(): a function for loss is not taken\nFix: pass the name of a loss, or use minimize"
        )
    known(op, "loss", loss, tuple(_LOSSES))
    untracked(op, "f_scale", f_scale)
    device = device_for(op, ("x0", x0), ("args", args))
    args = kept(args)
    named = dict(kwargs or {})

    def residuals(x: Array) -> Array:
        return reshape(floating(values_of(op, fun(x, *args, **named), device)), (-1,))

    def cost(x: Array) -> Array:
        z = (residuals(x) / float(f_scale)) ** 2
        return 0.5 * float(f_scale) ** 2 * sum_(_LOSSES[loss](z))

    start = np.atleast_1d(np.asarray(host(x0)))
    pair = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else tuple(bounds)
    untracked(op, "bounds", *pair)
    lower, upper = (np.asarray(host(side)) for side in pair)
    value = Captured(op, residuals, device)
    given: Any = jac
    if isinstance(jac, str) and jac == "2-point":
        given = on_device(op, jacobian(residuals), (), device)
    elif callable(jac):
        given = on_device(op, lambda x: jac(x, *args, **named), (), device)
    result = scipy_function("optimize.least_squares")(
        value.host,
        start,
        jac=given,
        bounds=(lower, upper),
        method=method,
        ftol=ftol,
        xtol=xtol,
        gtol=gtol,
        loss=loss,
        f_scale=float(f_scale),
        **{
            name: option
            for name, option in (
                ("x_scale", x_scale),
                ("diff_step", diff_step),
                ("tr_solver", tr_solver),
                ("tr_options", tr_options),
                ("jac_sparsity", jac_sparsity),
                ("max_nfev", max_nfev),
                ("verbose", verbose),
                ("callback", callback),
                ("workers", workers),
            )
            if option is not None
        },
    )
    fixed = active(np.asarray(result.x), lower, upper)
    equation = Equation(op, _stationary(slope(cost), result.x, fixed), device)
    equation.nodes.update(value.nodes)
    equation.doubt = "" if result.success else str(result.message)
    result.x = solved(equation, result.x)
    result.fun = residuals(result.x)
    result.cost = cost(result.x)
    return result


@composite
def curve_fit(
    f: Any,
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: bool = False,
    check_finite: Any = None,
    bounds: Any = (-np.inf, np.inf),
    method: Any = None,
    jac: Any = None,
    *,
    full_output: bool = False,
    nan_policy: Any = None,
    **kwargs: Any,
) -> tuple[Array, Array]:
    """Parameters of a function that fit data best, and their covariance.

    Parameters
    ----------
    f : callable
        ``f(xdata, *parameters)``; the parameters are 0-d arrays.
    xdata : array_like
        Passed on to `f`.
    ydata : array_like
        What `f` shall give, 1-D.
    p0 : array_like, optional
        Where to start; 1 for each parameter by default. The derivative is zero.
    sigma : array_like, optional
        Standard deviations of `ydata`, or their covariance matrix.
    absolute_sigma : bool, default: False
        Whether `sigma` is absolute; otherwise the covariance is scaled by what is left over.
    check_finite : bool, optional
        Refuse data that are not finite; by default True.
    bounds : pair of array_like, optional
        Of the parameters.
    method : {"lm", "trf", "dogbox"}, optional
        By default "trf" with bounds and "lm" without.
    jac : callable or str, optional
        ``jac(xdata, *parameters)``, for the algorithm; by default gradarray's own.
    full_output : False
        Further results are not given.
    nan_policy : None
        Not taken.
    **kwargs
        Handed to `least_squares`.

    Returns
    -------
    popt : Array
        The parameters.
    pcov : Array
        Their covariance.

    Raises
    ------
    ArgumentValueError
        If the data are not finite, if there are too few, or for what is not taken.
    RuntimeError
        If no solution is found.

    Notes
    -----
    As ``scipy.optimize.curve_fit``; a singular Jacobian is an error, where SciPy gives an infinite covariance.
    Differentiable in the data, in `sigma`, and in what `f` closes over, to any order; as `least_squares`.
    """
    op = "curve_fit"
    if full_output or nan_policy is not None:
        raise _errors.ArgumentValueError(
            "curve_fit(): full_output and nan_policy are not taken\nFix: leave them out, or use least_squares"
        )
    device = device_for(op, ("xdata", xdata), ("ydata", ydata), ("sigma", sigma), ("p0", p0))
    y = reshape(floating(values_of(op, ydata, device, "ydata")), (-1,))
    if isinstance(xdata, (list, tuple, np.ndarray)):
        xdata = values_of(op, xdata, device, "xdata")
    if check_finite or check_finite is None:
        for name, x in (("ydata", y), ("xdata", xdata)):
            if isinstance(x, Array) and not np.all(np.isfinite(x._host())):
                raise _errors.ArgumentValueError(
                    _errors.message(op, f"{name} has values that are not finite", [(name, x)], "leave them out")
                )
    if p0 is None:
        count = len(inspect.signature(f).parameters) - 1
        start: Any = np.ones(count)
    else:
        start = np.atleast_1d(np.asarray(host(p0)))
    scale = None if sigma is None else floating(values_of(op, sigma, device, "sigma"))
    factor = cholesky(scale) if scale is not None and scale.ndim == 2 else None

    def weighted(x: Array) -> Array:
        if factor is not None:
            return solve(factor, x)
        if scale is None:
            return x
        return x / (scale if x.ndim == 1 else reshape(scale, (-1, 1)))

    def residuals(p: Array) -> Array:
        found = values_of(op, f(xdata, *[p[place] for place in range(p.shape[0])]), device)
        return weighted(reshape(found, (-1,)) - y)

    if method is None:
        side = [np.asarray(host(x)) for x in ((bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds)]
        method = "trf" if np.any(np.isfinite(side[0])) or np.any(np.isfinite(side[1])) else "lm"
    if y.shape[0] < start.size and method == "lm":
        raise _errors.ArgumentValueError(
            _errors.message(op, f"there are fewer data than the {start.size} parameters", [("ydata", y)], "use 'trf'")
        )
    given: Any = "2-point" if jac is None else jac
    if callable(jac):
        given = lambda p: weighted(  # noqa: E731
            values_of(op, jac(xdata, *[p[place] for place in range(p.shape[0])]), device)
        )
    result = least_squares(residuals, asarray(start, device=device), jac=given, bounds=bounds, method=method, **kwargs)
    if not result.success:
        raise RuntimeError(f"curve_fit(): no solution was found: {result.message}")
    matrix = jacobian(residuals)(result.x) if recording.get() else jacobian(residuals)(result.x.detach())
    covariance = inv(matmul(matrix_transpose(matrix), matrix))
    if not absolute_sigma:
        if y.shape[0] <= start.size:
            raise _errors.ArgumentValueError(
                _errors.message(op, "the covariance cannot be scaled: there are no data left over", [("ydata", y)])
            )
        covariance = covariance * (2 * result.cost / (y.shape[0] - start.size))
    return result.x, covariance
