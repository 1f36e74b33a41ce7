"""Functions of one's own with derivative rules of one's own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .. import _backend, _dispatch, _errors
from .._array import Array
from .._devices import Device
from .._graph import no_grad
from .._operations import OPERATIONS, Operation, Rule

Function = TypeVar("Function", bound=Callable[..., Any])


def custom_rule(*, kind: str | None = None, joint: Rule | None = None, **rules: Rule) -> Callable[[Function], Function]:
    """Decorator: give a function of arrays a derivative of its own.

    The function is written with gradarray's functions. Its positional parameters are arrays; its keyword-only
    parameters are static. It returns an array, or a tuple of arrays. It is recorded as one operation.

    Parameters
    ----------
    kind : {"elementwise", "pointwise"}, optional
        Whether each element of the result comes from one element of each input; forward mode and structural zeros
        then cost less. ``"elementwise"``: its rules multiply the cotangent by numbers, conjugated where the function
        is complex. ``"pointwise"``: anything else, such as a complex function that is not holomorphic.
    joint : callable, optional
        One rule for all inputs at once: it returns a sequence with a cotangent, or None, for each.
    **rules : callable
        For each differentiable parameter, by name, the rule that carries a cotangent back: ``rule(xp, g, ...)``. `xp`
        is the namespace to compute in, `g` the cotangent of the result (a list of them, None for those that nobody
        used, where the function returns a tuple). Further positional parameters say what the rule reads, and so what
        the graph keeps: a parameter of the function by its name, ``out`` for the result, ``shape`` for the shape of
        the input that the rule is for. Keyword-only parameters are the static ones of the same name. The engine sums
        over broadcast axes, casts, and takes the real part for a real input. A rule is plain code of the standard over
        `xp`; then it serves any order of derivative, forward and reverse.

    Returns
    -------
    callable
        The decorator. The decorated function can also be called in rules, on whatever they are given.

    Raises
    ------
    TypeError
        If a rule is given for a name that is no positional parameter.

    See Also
    --------
    raw_function : for functions that do not work on gradarray's arrays.

    Examples
    --------
    >>> import gradarray as ga
    >>> @ga.autograd.custom_rule(x=lambda xp, g, x: g * (1 / (1 + xp.exp(-x))), kind="elementwise")
    ... def softplus(x, /):
    ...     return ga.maximum(x, 0) + ga.log1p(ga.exp(-ga.abs(x)))
    >>> ga.grad(ga.grad(softplus))(0.0)
    Array(0.25, dtype=float64, device='cpu')
    """

    def decorate(function: Function) -> Function:
        def run(device: Device, raws: Sequence[Any], parameters: dict[str, Any]) -> Any:
            arrays = [_dispatch.wrap(raw, device) if type(raw) is device.array_type else raw for raw in raws]
            with no_grad():
                result = function(*arrays, **parameters)
            parts = result if isinstance(result, tuple) else (result,)
            for part in parts:
                if type(part) is not Array or part._device is not device:
                    raise _errors.ArgumentTypeError(
                        _errors.message(
                            function.__name__,
                            f"a function with a custom rule must return arrays on {device}",
                            [("returned", part)],
                        )
                    )
            # A view or an input itself would share memory that the graph takes for the result's own.
            owned = [_own(part, arrays) for part in parts]
            return tuple(owned) if isinstance(result, tuple) else owned[0]

        return _decorated(function, run, kind, joint, rules)

    return decorate


def raw_function(
    *, backend: str = "numpy", kind: str | None = None, joint: Rule | None = None, **rules: Rule
) -> Callable[[Function], Function]:
    """Decorator: make a function of raw arrays, such as compiled code, one of gradarray's, with a derivative.

    Parameters
    ----------
    backend : str, default: "numpy"
        The backend whose raw arrays the function takes and returns.
    kind, joint, **rules
        As for `custom_rule`. Where a rule needs another such function, decorate that one too and call it: it takes
        what rules are given.

    Returns
    -------
    callable
        The decorator. The decorated function takes gradarray's arrays on devices of that backend, and returns such.

    Raises
    ------
    DeviceError
        From the decorated function, for arrays of another backend.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> import gradarray as ga
    >>> @ga.autograd.raw_function(x=lambda xp, g, x: g * (2 / math.sqrt(math.pi)) * xp.exp(-x * x), kind="elementwise")
    ... def erf(x, /):
    ...     return np.vectorize(math.erf)(x)
    >>> ga.grad(ga.grad(erf))(0.0)
    Array(-0., dtype=float64, device='cpu')
    """

    def decorate(function: Function) -> Function:
        def run(device: Device, raws: Sequence[Any], parameters: dict[str, Any]) -> Any:
            if device.backend.name != backend:
                raise _errors.DeviceError(
                    f"{function.__name__}(): it computes on arrays of the backend {backend!r}, not on {device}\n"
                    f"Fix: move the arrays with to_device first"
                )
            result = function(*raws, **parameters)
            wrap = device.backend.wrap
            return tuple([wrap(part) for part in result]) if isinstance(result, tuple) else wrap(result)

        return _decorated(function, run, kind, joint, rules)

    return decorate


Run = Callable[[Device, Sequence[Any], dict[str, Any]], Any]


def _decorated(function: Function, run: Run, kind: str | None, joint: Rule | None, rules: dict[str, Rule]) -> Function:
    defaults = function.__kwdefaults__ or {}

    @functools.wraps(function)
    def call(*inputs: Any, **given: Any) -> Any:
        parameters = {**defaults, **given}
        if inputs and not any(type(x) is Array for x in inputs):
            raw = _run_raw(run, inputs, parameters)
            if raw is not None:
                return raw
        device, raws, nodes = _dispatch.unwrap(call, inputs)
        out = run(device, raws, parameters)
        if isinstance(out, tuple):
            return _dispatch.finish_several(call, out, device, raws, nodes, parameters)
        return _dispatch.finish(call, out, device, raws, nodes, parameters)

    if kind not in (None, "elementwise", "pointwise"):
        raise _errors.ArgumentValueError(
            f"{function.__name__}: there is no kind {kind!r} for functions of one's own\n"
            "Fix: use 'elementwise', 'pointwise' or None"
        )
    known = Operation(function, "derivative", rules=rules, joint=joint, kind=kind)
    known.function = call
    OPERATIONS[call] = known
    return call  # type: ignore[return-value]


def _run_raw(run: Run, inputs: Sequence[Any], parameters: dict[str, Any]) -> Any:
    """The raw result for raw arrays, as rules pass them; None if they are not raw arrays of a loaded backend."""
    for backend in _backend.loaded():
        for x in inputs:
            if type(x) is backend.array_type:
                return run(Device(backend.name, *backend.place_of(x)), inputs, parameters)
    return None


def _own(part: Array, arrays: Sequence[Any]) -> Any:
    backend = part._device.backend
    shared = any(type(x) is Array and backend.shares_memory(part._data, x._data) for x in arrays)
    return backend.copy(part._data) if shared else part._data
