"""Ordinary differential equations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from ... import _dtypes, _errors
from ..._array import Array
from ..._devices import Device
from ..._graph import recording
from ..._operations import composite
from ...ops.conversion import asarray
from ...ops.data_type import astype
from ...ops.manipulation import concat, expand_dims, permute_dims, reshape, stack
from .._captures import device_for, floating, kept, values_of
from .._kernels import scipy_function
from ..optimize._arguments import host, known, on_device, untracked
from ._steps import Explicit, Implicit, Segment, Solution

_EXPLICIT = ("RK45", "RK23", "DOP853")
_METHODS = (*_EXPLICIT, "Radau", "BDF", "LSODA")


class _Problem:
    """An equation of the caller's, as SciPy's solvers see it and as recorded operations do.

    Attributes
    ----------
    tracked : bool
        Whether a slope that a solver asked for depended on a tracked array.
    """

    def __init__(self, op: str, fun: Callable[..., Any], args: tuple[Any, ...], device: Device, vectorized: bool):
        if not callable(fun):
            raise _errors.ArgumentTypeError(_errors.message(op, "the first argument must be a function", [("f", fun)]))
        self.op = op
        self.fun = fun
        self.args = args
        self.device = device
        self.vectorized = vectorized
        self.tracked = False

    def slope(self, t: Array, y: Array) -> Array:
        """The slope at a point."""
        if self.vectorized:
            found = values_of(self.op, self.fun(t, expand_dims(y, axis=-1), *self.args), self.device)
        else:
            found = values_of(self.op, self.fun(t, y, *self.args), self.device)
        found = floating(found)
        if found.size != y.size:
            problem = "the function must return as many values as there are unknowns"
            raise _errors.ShapeError(_errors.message(self.op, problem, [("y", y), ("returned", found)], "check it"))
        return reshape(found, y.shape)

    def host(self, t: float, y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The slope at a point in NumPy's memory."""
        found = self.slope(self.time(t), asarray(np.asarray(y), device=self.device, copy=True))
        self.tracked = self.tracked or found.requires_grad
        return np.array(found.detach()._host())

    def time(self, t: Any) -> Array:
        """A moment as an array."""
        return asarray(float(t), dtype=_dtypes.float64, device=self.device)

    def in_wide(self, t: Array, y: Array) -> Array:
        """The slope in the dtype of the unknowns, which SciPy makes a wide one."""
        return astype(self.slope(t, y), y.dtype, copy=False)


def _start(op: str, y0: Any, device: Device) -> Array:
    y = floating(values_of(op, y0, device, "y0"))
    if y.ndim != 1:
        raise _errors.ShapeError(_errors.message(op, "the values to start with must be 1-D", [("y0", y)], "reshape y0"))
    return astype(y, _dtypes.complex128 if y.dtype.kind == "c" else _dtypes.float64, copy=False)


def _moment(op: str, name: str, t: Any, device: Device) -> Array:
    found = values_of(op, t, device, name)
    if found.ndim or found.dtype.kind == "c":
        raise _errors.ShapeError(_errors.message(op, "moments must be real numbers", [(name, found)], "pass numbers"))
    return astype(found, _dtypes.float64, copy=False)


def _walked(
    method: Explicit | Implicit, start: Array, end: Array, middle: np.ndarray[Any, Any], y: Array
) -> list[Segment]:
    """The steps from one moment by way of others to the last one."""
    moments = [start, *[asarray(float(t), dtype=start.dtype, device=start.device) for t in middle], end]
    segments: list[Segment] = []
    for first, second in pairwise(moments):
        segments.append(method.step(first, second - first, y))
        y = segments[-1].end
    return segments


def _noting(solver: Any) -> tuple[Any, list[float]]:
    """A solver of SciPy's that notes where its steps end."""
    ends: list[float] = []

    class Noting(solver):  # type: ignore[misc]
        def step(self) -> Any:
            if not ends:
                ends.append(float(self.t))
            message = super().step()
            if self.status != "failed":
                ends.append(float(self.t))
            return message

    return Noting, ends


def _stiff(problem: _Problem, times: Array, y0: Array, mesh: Any, values: Any, *, between: bool) -> Any:
    """The solution at moments, the first of which it starts at: SciPy's values, with derivatives by Radau's method.

    `mesh` is where that method's steps end; every moment is another such end.
    """
    moments = times._host()
    sign = 1 if moments[-1] >= moments[0] else -1
    method = Implicit(problem.op, problem.in_wide, between=between)
    columns, segments, y = [y0], [], y0
    for place in range(1, len(moments)):
        low, high = moments[place - 1], moments[place]
        inside = mesh[(sign * mesh > sign * low) & (sign * mesh < sign * high)]
        # Where a step of the mesh ends a rounding error beside a moment, there is none.
        inside = inside[np.minimum(np.abs(inside - low), np.abs(inside - high)) > 1e-12 * max(abs(low), abs(high))]
        if low != high:
            segments += _walked(method, times[place - 1], times[place], inside, y)
            y = segments[-1].end
        columns.append(y)
    found = stack(columns, axis=-1)
    if values is not None:
        found = _with_values(found, values)
    return found, segments


def _with_values(x: Array, values: Any) -> Array:
    """The derivatives of an array with other values, which differ from its own by less than the tolerances."""
    with np.errstate(invalid="ignore"):
        change = np.asarray(values) - x._host()
    # Where a solution runs off to infinity both are.
    change = np.where(np.isfinite(change), change, 0)
    return x + asarray(change, dtype=x.dtype, device=x.device)


class OdeSolution:
    """Solution of an equation as a function of time.

    Attributes
    ----------
    t_min, t_max : float
        Between which it was found.
    ts : numpy.ndarray
        Where the solver's steps end.

    Notes
    -----
    As ``scipy.integrate.OdeSolution``; differentiable in the time, and in all that the solution is.
    """

    def __init__(self, solution: Solution, theirs: Any, device: Device) -> None:
        self._solution = solution
        self._theirs = theirs
        self._device = device
        self.ts = np.asarray(theirs.ts)
        self.t_min, self.t_max = float(theirs.t_min), float(theirs.t_max)
        self.n_segments = int(theirs.n_segments)

    def __call__(self, t: Any) -> Array:
        """Values at times.

        Parameters
        ----------
        t : array_like
            A number, or 1-D.

        Returns
        -------
        Array
            Of shape ``(n,)`` or ``(n, len(t))``.
        """
        times = astype(values_of("OdeSolution", t, self._device, "t"), _dtypes.float64, copy=False)
        if times.ndim > 1:
            raise _errors.ShapeError(
                _errors.message("OdeSolution", "times must be a number or 1-D", [("t", times)], "reshape t")
            )
        values = np.asarray(self._theirs(times._host()))
        found = self._solution.columns(reshape(times, (-1,)))
        return reshape(_with_values(found, values.reshape(found.shape)), values.shape)


@composite
def solve_ivp(
    fun: Any,
    t_span: Any,
    y0: Any,
    method: str = "RK45",
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: Any = None,
    **options: Any,
) -> Any:
    """Solution of a system of ordinary differential equations that starts with given values.

    Parameters
    ----------
    fun : callable
        ``fun(t, y, *args)`` of a 0-d and a 1-D array: the slope, as many values as `y` has. Written with gradarray's
        functions.
    t_span : pair of float or Array
        Where to start, and where to end.
    y0 : array_like
        Values to start with, 1-D; real or complex.
    method : {"RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"}, default: "RK45"
        The solver; the last three are for stiff equations.
    t_eval : array_like, optional
        Times at which the solution is wanted, in order; by default where the solver's steps end.
    dense_output : bool, default: False
        Whether to give the solution as a function of time, too.
    events : None
        Not taken.
    vectorized : bool, default: False
        Whether `fun` takes several points in columns. It gets one column.
    args : tuple, optional
        Further arguments of `fun`.
    **options
        Of the solver: ``rtol``, ``atol``, ``first_step``, ``max_step``, ``jac`` and others.

    Returns
    -------
    scipy.integrate.OdeResult
        As SciPy's; ``t`` and ``y`` are arrays on the device of the arguments, float64 or complex128.

    Raises
    ------
    ArgumentValueError
        If events are given, the method is not known, or times lie outside of the span or not in order.
    ShapeError
        If `y0` or `t_eval` is not 1-D, or `fun` returns another number of values.
    NoDerivativeError
        If the method is one for stiff equations, and complex values are tracked, or the solver fails.

    Notes
    -----
    As ``scipy.integrate.solve_ivp``. Differentiable in `y0`, in arrays among `args` and those that `fun` closes over,
    in both ends of `t_span` and in `t_eval`, to any order. SciPy's solver chooses the steps, which count as constant;
    they are then computed once more in recorded operations. So the derivatives are those of the numbers that come out,
    as exact as these, and take memory for each step. For "Radau", "BDF" and "LSODA" the recorded steps are those of
    Radau's method of order 5 at the same tolerances, and the values SciPy's.
    """
    op = "solve_ivp"
    known(op, "method", method, _METHODS)
    if events is not None:
        raise _errors.ArgumentValueError(
            "solve_ivp(): events are not taken\nFix: find the time with root_scalar, of the solution as a function"
        )
    ends = list(t_span) if isinstance(t_span, (tuple, list)) else [t_span[0], t_span[1]]
    given = () if args is None else args
    device = device_for(op, ("y0", y0), ("t_span", ends), ("t_eval", t_eval), ("args", given))
    start, end = (_moment(op, f"t_span[{place}]", t, device) for place, t in enumerate(ends))
    values = _start(op, y0, device)
    times = None if t_eval is None else astype(values_of(op, t_eval, device, "t_eval"), _dtypes.float64, copy=False)
    if times is not None:
        _check_times(op, times, start, end)
    problem = _Problem(op, fun, kept(given), device, bool(vectorized))
    options = _options(op, options, problem)

    def solver_of(name: str) -> Any:
        return scipy_function(f"integrate.{name}")

    def solve(solver: Any, *, dense: bool, at: Any) -> Any:
        return scipy_function("integrate.solve_ivp")(
            problem.host, (float(start._host()), float(end._host())), values._host(), solver, at, dense, **options
        )

    noting, mesh = _noting(solver_of(method))
    result = solve(noting, dense=dense_output, at=None if times is None else times._host())
    if not mesh:
        mesh.append(float(start._host()))
    theirs = result.sol
    tracked = bool(recording.get()) and (
        problem.tracked or any(x is not None and x.requires_grad for x in (start, end, values, times))
    )
    if not (tracked or dense_output):
        result.t = asarray(np.asarray(result.t, float), device=device)
        result.y = asarray(np.asarray(result.y), device=device)
        return result
    if not result.success:
        if method not in _EXPLICIT:
            _refuse_failed(result)
        # As far as the solver came.
        end = asarray(mesh[-1], dtype=start.dtype, device=device)
        times = None if times is None else times[: len(result.t)]
    moments = np.asarray(mesh)
    if method in _EXPLICIT:
        walker: Any = Explicit(solver_of(method), problem.in_wide, between=times is not None or dense_output)
        # With times of their own the solution does not depend on where it ends.
        last = end if times is None else end.detach()
        segments = _walked(walker, start, last, moments[1:-1], values) if len(moments) > 1 else []
        if times is None:
            behind = [reshape(end, (1,))] if segments else []
            result.t = concat([reshape(start, (1,)), asarray(moments[1:-1], device=device), *behind])
            columns = stack([values, *[part.end for part in segments]], axis=-1)
        else:
            result.t = times
            columns = _at(Solution(moments, segments), times, values)
        result.y = _with_values(columns, result.y) if columns.shape[-1] else columns
    else:
        if values.dtype.kind == "c":
            raise _errors.NoDerivativeError(
                f"solve_ivp(): {method} has no derivative for complex values\n"
                "Fix: use RK45, or the real and imaginary parts as unknowns"
            )
        if method != "Radau":
            noting, mesh = _noting(solver_of("Radau"))
            allowed = ("rtol", "atol", "max_step", "first_step", "jac", "jac_sparsity")
            options = {name: option for name, option in options.items() if name in allowed}
            solve(noting, dense=False, at=None)
        if times is None:
            inner = asarray(moments[1:-1], device=device)
            result.t = concat([reshape(start, (1,)), inner, reshape(end, (1,))])
            result.y, segments = _stiff(problem, result.t, values, np.asarray(mesh), result.y, between=dense_output)
        else:
            result.y, segments = _stiff_at(problem, start, end, values, times, np.asarray(mesh), result.y, dense_output)
            result.t = times
        moments = np.asarray([segments[0].t.item(), *[(part.t + part.width).item() for part in segments]])
    if dense_output:
        at_the_end = method in ("BDF", "LSODA")
        result.sol = OdeSolution(Solution(moments, segments, later=at_the_end), theirs, device)
    return result


def _check_times(op: str, times: Array, start: Array, end: Array) -> None:
    operands = [("t_eval", times), ("t_span[0]", start), ("t_span[1]", end)]
    if times.ndim != 1:
        raise _errors.ShapeError(_errors.message(op, "times must be 1-D", operands, "reshape t_eval"))
    moments, low, high = times._host(), float(start._host()), float(end._host())
    if np.any(moments < min(low, high)) or np.any(moments > max(low, high)):
        raise _errors.ArgumentValueError(
            _errors.message(op, "t_eval has times outside of t_span", operands, "choose a longer t_span")
        )
    if np.any(np.diff(moments) * (1 if high >= low else -1) <= 0):
        raise _errors.ArgumentValueError(
            _errors.message(op, "the times of t_eval are not in order, from t_span[0] on", operands, "sort t_eval")
        )


def _options(op: str, options: dict[str, Any], problem: _Problem) -> dict[str, Any]:
    found = {}
    for name, option in options.items():
        untracked(op, name, option)
        if name == "jac" and callable(option):
            found[name] = on_device(op, option, problem.args, problem.device)
        else:
            found[name] = host(option)
    return found


def _refuse_failed(result: Any) -> NoReturn:
    raise _errors.NoDerivativeError(
        f"solve_ivp(): there is no derivative, for the solver failed: {result.message}\n"
        "Fix: choose another method or other tolerances, or detach what the solution depends on"
    )


def _at(solution: Solution, times: Array, y0: Array) -> Array:
    if times.shape[0]:
        return solution.columns(times)
    return reshape(y0[:0], (0, 0)) if not y0.shape[0] else expand_dims(y0, axis=-1)[:, :0]


def _stiff_at(
    problem: _Problem,
    start: Array,
    end: Array,
    y0: Array,
    times: Array,
    mesh: Any,
    values: Any,
    dense: bool,
) -> tuple[Array, list[Segment]]:
    """The solution at times of their own; on to the end, where all of it is wanted."""
    parts = [reshape(start, (1,)), times]
    if dense or not times.shape[0]:
        parts.append(reshape(end.detach(), (1,)))
    found, segments = _stiff(problem, concat(parts), y0, mesh, None, between=dense)
    found = found[:, 1 : 1 + times.shape[0]]
    return (_with_values(found, values) if times.shape[0] else found), segments


@composite
def odeint(
    func: Any,
    y0: Any,
    t: Any,
    args: Any = (),
    Dfun: Any = None,
    col_deriv: int = 0,
    full_output: int = 0,
    ml: Any = None,
    mu: Any = None,
    rtol: Any = None,
    atol: Any = None,
    tcrit: Any = None,
    h0: float = 0.0,
    hmax: float = 0.0,
    hmin: float = 0.0,
    ixpr: int = 0,
    mxstep: int = 0,
    mxhnil: int = 0,
    mxordn: int = 12,
    mxords: int = 5,
    printmessg: int = 0,
    tfirst: bool = False,
) -> Any:
    """Solution of a system of ordinary differential equations, by LSODA of ODEPACK.

    Parameters
    ----------
    func : callable
        ``func(y, t, *args)``, with `tfirst` ``func(t, y, *args)``, of a 1-D and a 0-d array: the slope, as many values
        as `y` has. Written with gradarray's functions.
    y0 : array_like
        Values to start with, real and 1-D, or a number.
    t : array_like
        Times at which the solution is wanted, 1-D and in order; it starts at the first.
    args : tuple, optional
        Further arguments of `func`.
    Dfun : callable, optional
        The Jacobian, called as `func`.
    full_output : int, default: 0
        Return further results.
    rtol, atol : float or array_like, optional
        Tolerances, by default 1.49e-8.
    tfirst : bool, default: False
        Whether the time is the first argument of the functions.
    col_deriv, ml, mu, tcrit, h0, hmax, hmin, ixpr, mxstep, mxhnil, mxordn, mxords, printmessg
        Handed to SciPy.

    Returns
    -------
    Array or tuple
        The solution, of shape ``(len(t), len(y0))``; with `full_output` and what SciPy tells besides.

    Raises
    ------
    ShapeError
        If `y0` or `t` have more axes, or `func` returns another number of values.
    DTypeError
        If `y0` is complex.

    Notes
    -----
    As ``scipy.integrate.odeint``. Differentiable in `y0`, `t`, arrays among `args` and those that `func` closes over,
    to any order, as `solve_ivp` is for methods for stiff equations.
    """
    op = "odeint"
    args = args if isinstance(args, tuple) else (args,)
    device = device_for(op, ("y0", y0), ("t", t), ("args", args))
    first = values_of(op, y0, device, "y0")
    values = _start(op, reshape(first, (1,)) if first.ndim == 0 else first, device)
    if values.dtype.kind == "c":
        raise _errors.DTypeError(
            _errors.message(op, "the values must be real", [("y0", values)], "use solve_ivp for complex ones")
        )
    times = astype(values_of(op, t, device, "t"), _dtypes.float64, copy=False)
    if times.ndim != 1 or not times.shape[0]:
        raise _errors.ShapeError(
            _errors.message(op, "times must be 1-D, and one at least", [("t", times)], "reshape t")
        )
    fun = func if tfirst else lambda moment, y, *rest: func(y, moment, *rest)
    problem = _Problem(op, fun, kept(args), device, False)
    given = None
    if Dfun is not None:
        slope = Dfun if tfirst else lambda moment, y, *rest: Dfun(y, moment, *rest)
        given = on_device(op, slope, problem.args, device)
    untracked(op, "rtol", rtol)
    untracked(op, "atol", atol)
    found = scipy_function("integrate.odeint")(
        problem.host,
        values._host(),
        times._host(),
        Dfun=given,
        col_deriv=col_deriv,
        full_output=full_output,
        ml=ml,
        mu=mu,
        rtol=host(rtol),
        atol=host(atol),
        tcrit=host(tcrit),
        h0=h0,
        hmax=hmax,
        hmin=hmin,
        ixpr=ixpr,
        mxstep=mxstep,
        mxhnil=mxhnil,
        mxordn=mxordn,
        mxords=mxords,
        printmessg=printmessg,
        tfirst=True,
    )
    further = found[1:] if full_output else ()
    theirs = found[0] if full_output else found
    y = asarray(np.asarray(theirs), device=device)
    if recording.get() and (problem.tracked or values.requires_grad or times.requires_grad):
        mesh = _radau(problem, times, values, rtol, atol)
        columns, _ = _stiff(problem, times, values, mesh, np.asarray(theirs).T, between=False)
        y = permute_dims(columns, (1, 0))
    return (y, *further) if full_output else y


def _radau(problem: _Problem, times: Array, y0: Array, rtol: Any, atol: Any) -> np.ndarray[Any, Any]:
    """Where the steps of Radau's method end at given tolerances."""
    noting, mesh = _noting(scipy_function("integrate.Radau"))
    moments = times._host()
    scipy_function("integrate.solve_ivp")(
        problem.host,
        (float(moments[0]), float(moments[-1])),
        y0._host(),
        noting,
        rtol=1.49012e-8 if rtol is None else np.min(host(rtol)),
        atol=1.49012e-8 if atol is None else host(atol),
    )
    return np.asarray(mesh)
