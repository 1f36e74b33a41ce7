"""Derivatives of functions: what takes a function of arrays, or of nested containers of them, and differentiates it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _dispatch, _engine, _errors, _forward
from .._array import Array
from .._dtypes import DIFFERENTIABLE, kind_of
from .._graph import DETACHED, Leaf, Slot, enable_grad, nesting, next_sequence, no_grad, recording
from ..ops._extras import variable
from ..ops.conversion import asarray
from ..ops.creation import zeros
from ..ops.data_type import astype
from ..ops.manipulation import reshape, stack
from . import _trees

Argnums = int | tuple[int, ...]


class _Trace:
    """One recorded run of a function: its variables, its outputs, and the nodes between.

    Every variable has a node that nothing else has, made before the function runs. So nested derivatives cannot confuse
    theirs, and what was recorded before is not walked through.
    """

    def __init__(self, op: str, function: Callable[..., Any], args: Sequence[Any], argnums: Argnums, has_aux: bool):
        self.op = op
        self.outer = recording.get()
        self.start = next_sequence()
        self.variables: list[Array | None] = []
        self.trees: list[tuple[int, Any, _trees.Rebuild]] = []
        self.tracked = False
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        changed = list(args)
        for number in numbers:
            if not isinstance(number, int) or not -len(args) <= number < len(args):
                raise _errors.ArgumentValueError(
                    f"{op}(): there is no argument {number!r} among the {len(args)} positional ones\n"
                    f"Fix: pass argnums within range({len(args)})"
                )
            leaves, rebuild = _trees.flatten(args[number], f"args[{number % len(args)}]")
            alone = _trees.children(args[number]) is None
            new = [self._variable(name, leaf, alone) for name, leaf in leaves]
            changed[number] = rebuild(
                [leaf if variable is None else variable for (_, leaf), variable in zip(leaves, new, strict=True)]
            )
            self.trees.append((len(new), args[number], rebuild))
            self.variables.extend(new)
        depth = nesting.set(nesting.get() + 1)
        try:
            with enable_grad():
                result = function(*changed)
        finally:
            nesting.reset(depth)
        if has_aux:
            if not isinstance(result, tuple) or len(result) != 2:
                raise _errors.ArgumentTypeError(
                    f"{op}(): with has_aux=True the function must return a tuple of two, a result and further data, "
                    f"not {_errors.describe(result)}\nFix: return result, further"
                )
            result, self.aux = result
        else:
            self.aux = None
        self.named_outputs, self.rebuild_output = _trees.flatten(result, "result")
        self.outputs = [leaf for _, leaf in self.named_outputs]
        self.nodes = [y._tracked if type(y) is Array else None for y in self.outputs]
        variables = [self.node_of(v) for v in self.variables if v is not None]
        order = _engine.order_of([node for node in self.nodes if node is not None], after=self.start)
        self.order = _engine.leading_to(order, variables)
        own = set(variables)
        #: Whether the results depend on something that is tracked outside, so that their computation is recorded too.
        self.record = bool(self.outer) and (
            self.tracked
            or any(_is_outside(node, own, self.start) for node in self.nodes)
            or any(_is_outside(parent, own, self.start) for node in order for parent in node.parents)
        )

    def _variable(self, name: str, x: Any, alone: bool) -> Array | None:
        if isinstance(x, (float, complex, np.floating, np.complexfloating)) or (
            isinstance(x, np.ndarray) and kind_of(x.dtype) in "fc"
        ):
            x = asarray(x, copy=True)
        if type(x) is not Array or x.dtype not in DIFFERENTIABLE:
            if not alone:
                return None
            raise _errors.DTypeError(
                _errors.message(
                    self.op,
                    "only floating-point arrays, and containers of them, can be differentiated with respect to",
                    [(name, x)],
                    "make a floating-point array of it, or leave it out of argnums",
                )
            )
        self.tracked = self.tracked or x.requires_grad
        with enable_grad():
            copied: Array = variable(x)
            return copied

    @staticmethod
    def node_of(x: Array) -> Any:
        return x._node

    def released(self, x: Any) -> Any:
        """A result as the caller gets it: with its history only if that leads outside."""
        if type(x) is Array and not self.record and x._tracked is not None:
            return _dispatch.wrap(x._data, x._device, DETACHED)
        return x

    def value(self) -> Any:
        """What the function returned."""
        return self.rebuild_output([self.released(y) for y in self.outputs])

    def further(self) -> Any:
        """The further data that the function returned with ``has_aux``."""
        leaves, rebuild = _trees.flatten(self.aux)
        return rebuild([self.released(x) for _, x in leaves])

    def pull(self, seeds: Sequence[Array | None], *, retain_graph: bool, sparse: bool = False) -> list[Array | None]:
        """The cotangent of every variable from those of the outputs; zeros where there is no dependence."""
        pairs = [
            (y, g)
            for y, g, node in zip(self.outputs, seeds, self.nodes, strict=True)
            if node is not None and g is not None
        ]
        wanted = [self.node_of(v) for v in self.variables if v is not None]
        record = self.record or (bool(recording.get()) and any(g._tracked is not None for _, g in pairs))
        found: dict[Any, Any] = {}
        if pairs:
            found = _engine.walk(
                [y for y, _ in pairs],
                [g for _, g in pairs],
                op=self.op,
                retain_graph=retain_graph or record,
                create_graph=record,
                wanted=wanted,
                after=self.start,
                sparse=sparse,
            )
        reached = list(found)
        got = dict(zip(reached, _engine.gradients(found, reached, record), strict=True))
        return [
            None if v is None else got[self.node_of(v)] if self.node_of(v) in got else _zeros_for(v)
            for v in self.variables
        ]

    def push(self, tangents: Sequence[Array | None], *, sparse: bool = False) -> list[Any]:
        """The tangent of every output from those of the variables."""
        pairs = [(v, t) for v, t in zip(self.variables, tangents, strict=True) if v is not None and t is not None]
        record = bool(recording.get()) and (self.record or any(t._tracked is not None for _, t in pairs))
        start = {self.node_of(v): t if record else t._data for v, t in pairs}
        found = _forward.push(self.order, start, self.nodes, record=record, sparse=sparse)
        results: list[Any] = []
        for y, tangent in zip(self.outputs, found, strict=True):
            if type(y) is not Array or y.dtype not in DIFFERENTIABLE:
                results.append(None)
            elif tangent is None:
                results.append(_zeros_for(y))
            elif record:
                results.append(tangent)
            else:
                results.append(_engine.own(y._device, tangent))
        return results

    def as_arguments(self, leaves: Sequence[Any]) -> list[Any]:
        """One container for each differentiated argument, from a value for each variable."""
        at = 0
        built = []
        for size, _, rebuild in self.trees:
            built.append(rebuild(leaves[at : at + size]))
            at += size
        return built


def _is_outside(node: Any, own: set[Any], start: int) -> bool:
    if node is None or node in own:
        return False
    if type(node) is Leaf:
        return True
    return bool((node.node if type(node) is Slot else node).sequence <= start)


def _zeros_for(x: Array) -> Array:
    return zeros(x.shape, dtype=x.dtype, device=x._device)


def _scalar(op: str, trace: _Trace) -> Array:
    """The one 0-d real result that a gradient is of."""
    y = trace.outputs[0] if len(trace.outputs) == 1 else None
    result = trace.rebuild_output(trace.outputs)
    if y is not result or type(y) is not Array:
        raise _errors.ArgumentTypeError(
            _errors.message(op, "the function must return one array", [("result", result)], "return a 0-d array")
        )
    if y.shape != ():
        fix = "reduce it, for example by sum, or use jacobian or vjp"
        raise _errors.NonScalarGradientError(
            _errors.message(op, "the function must return a 0-d array", [("result", y)], fix)
        )
    if kind_of(y.dtype) != "f":
        fix = "return real(...) or another real floating-point number, or use vjp"
        raise _errors.DTypeError(
            _errors.message(op, "the function must return a real floating-point number", [("result", y)], fix)
        )
    return y


def _checked(op: str, name: str, given: Any, x: Array) -> Array:
    """A cotangent or tangent for `x`: of its shape and device; numbers and NumPy arrays are taken where they fit."""
    if type(given) is not Array and isinstance(given, (int, float, complex, np.ndarray, np.generic)):
        given = astype(asarray(given, device=x._device), x.dtype)
    _engine.check_gradient(op, x, given, name)
    checked: Array = given
    return checked


def value_and_grad(
    function: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Function that returns the value of a function and its gradient.

    Parameters
    ----------
    function : callable
        Returns a 0-d real array.
    argnums : int or tuple of int, default: 0
        With respect to which positional arguments.
    has_aux : bool, default: False
        Whether `function` returns a pair: the value, and further data that is passed on.

    Returns
    -------
    callable
        Takes the arguments of `function`; returns the value (with `has_aux` the pair) and the gradient, as `grad` does.
    """
    _check_function("value_and_grad", function)

    @functools.wraps(function)
    def differentiated(*args: Any, **keywords: Any) -> tuple[Any, Any]:
        trace = _Trace("value_and_grad", functools.partial(function, **keywords), args, argnums, has_aux)
        gradient = _gradient("value_and_grad", trace, argnums)
        value = trace.value()
        return ((value, trace.further()) if has_aux else value), gradient

    return differentiated


def _gradient(op: str, trace: _Trace, argnums: Argnums) -> Any:
    y = _scalar(op, trace)
    one = None if y._tracked is None else _engine.seed(op, y, None)
    found = trace.as_arguments(trace.pull([one], retain_graph=False))
    return found[0] if isinstance(argnums, int) else tuple(found)


def grad(function: Any, argnums: Any = 0, *, has_aux: bool = False, **options: Any) -> Any:
    """Function that returns the gradient of a function; or, given arrays, their gradients.

    Parameters
    ----------
    function : callable
        Returns a 0-d real array. Instead of a function, an array or a sequence of them: see `gradients`, which is then
        called with everything that is given.
    argnums : int or tuple of int, default: 0
        With respect to which positional arguments. Each is a floating-point array or a nested container of arrays
        (dict, list, tuple, named tuple, dataclass); Python and NumPy floats are taken as arrays.
    has_aux : bool, default: False
        Whether `function` returns a pair: the value, and further data that is passed on.

    Returns
    -------
    callable
        Takes the arguments of `function`. Returns the gradient, an array or container like the argument, of its shape,
        dtype and device: a tuple of them if `argnums` is one, and with `has_aux` a pair of it and the further data.
        Zeros where the value does not depend on the argument; None for leaves that are not floating-point arrays.

    Raises
    ------
    NonScalarGradientError
        When called, if the function returns an array that is not 0-d.
    DTypeError
        When called, if the result is not real, or the argument not floating-point.

    See Also
    --------
    value_and_grad, vjp, jacobian, hessian

    Notes
    -----
    The result can be differentiated again, to any order. For a complex argument the gradient is dL/dx + i dL/dy.

    Examples
    --------
    >>> import gradarray as ga
    >>> ga.grad(lambda x: ga.sum(x**3))(ga.asarray([1.0, 2.0]))
    Array([ 3., 12.], dtype=float64, device='cpu')
    >>> ga.grad(ga.grad(lambda x: x**3))(2.0)
    Array(12., dtype=float64, device='cpu')
    """
    if not callable(function):
        return gradients(function, argnums, **options)
    if options:
        raise _errors.ArgumentTypeError(
            f"grad(): {', '.join(options)} cannot be given with a function\n"
            "Fix: pass arrays, as gradients(y, xs) takes them"
        )
    _check_function("grad", function)

    @functools.wraps(function)
    def gradient(*args: Any, **keywords: Any) -> Any:
        trace = _Trace("grad", functools.partial(function, **keywords), args, argnums, has_aux)
        found = _gradient("grad", trace, argnums)
        return (found, trace.further()) if has_aux else found

    return gradient


def gradients(
    y: Array | Sequence[Array],
    xs: Any,
    *,
    gradient: Array | Sequence[Array | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> Any:
    """Gradient of arrays with respect to others; nothing is accumulated in any ``.grad``.

    Parameters
    ----------
    y : Array or sequence of Array
        What to differentiate; the gradients of several are added.
    xs : Array or nested container of Array
        Leaves or results of recorded operations.
    gradient : Array or sequence of Array, optional
        The cotangent of each `y`. Needed unless it has one element.
    retain_graph, create_graph : bool, default: False
        As for ``backward()``.

    Returns
    -------
    Array or nested container of Array
        Like `xs`; zeros where `y` does not depend on an array.

    Raises
    ------
    NotTrackedError
        If nothing of `y`, or one of `xs`, is tracked.
    """
    ys = [y] if type(y) is Array else list(y)
    given = [gradient] * len(ys) if gradient is None or type(gradient) is Array else list(gradient)
    seeds = [_engine.seed("gradients", part, g) for part, g in zip(ys, given, strict=True)]
    leaves, rebuild = _trees.flatten(xs, "xs")
    for name, x in leaves:
        if type(x) is not Array or x._tracked is None:
            raise _errors.NotTrackedError(
                _errors.message("gradients", f"{name} is not tracked", [(name, x)], "make it with requires_grad=True")
            )
    nodes = [x._tracked for _, x in leaves]
    found = _engine.walk(
        ys,
        seeds,
        op="gradients",
        retain_graph=retain_graph or create_graph,
        create_graph=create_graph,
        wanted=list(dict.fromkeys(nodes)),
    )
    reached = list(found)
    got = dict(zip(reached, _engine.gradients(found, reached, create_graph), strict=True))
    return rebuild([got[node] if node in got else _zeros_for(x) for node, (_, x) in zip(nodes, leaves, strict=True)])


def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Value of a function, and the function that carries cotangents back through it.

    Parameters
    ----------
    function : callable
        Returns an array or a nested container of arrays.
    *primals
        Its arguments: floating-point arrays or nested containers of arrays.
    has_aux : bool, default: False
        Whether `function` returns a pair: the result, and further data that is passed on.

    Returns
    -------
    value
        What `function` returned.
    pull : callable
        Takes a cotangent of the structure and shapes of the value; returns a tuple with one for each of `primals`. Can
        be called any number of times.
    aux
        The further data, with `has_aux`.
    """
    _check_function("vjp", function)
    trace = _Trace("vjp", function, primals, tuple(range(len(primals))), has_aux)
    value = trace.value()

    def pull(cotangent: Any) -> tuple[Any, ...]:
        given = _trees.leaves_like("vjp", "cotangent", cotangent, value, "the result")
        seeds = [
            None
            if type(y) is not Array or node is None
            else _checked("vjp", name.replace("result", "cotangent", 1), g, y)
            for (name, y), node, g in zip(trace.named_outputs, trace.nodes, given, strict=True)
        ]
        return tuple(trace.as_arguments(trace.pull(seeds, retain_graph=True)))

    return (value, pull, trace.further()) if has_aux else (value, pull)


def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], *, has_aux: bool = False) -> Any:
    """Value of a function, and its derivative along a direction.

    Parameters
    ----------
    function : callable
        Returns an array or a nested container of arrays.
    primals : sequence
        Its arguments: floating-point arrays or nested containers of arrays.
    tangents : sequence
        The direction, of the structure and shapes of `primals`.
    has_aux : bool, default: False
        Whether `function` returns a pair: the result, and further data that is passed on.

    Returns
    -------
    value
        What `function` returned.
    tangent
        The derivative of the value along the direction, like it; None for what is not a floating-point array.
    aux
        The further data, with `has_aux`.
    """
    primals, tangents = tuple(primals), tuple(tangents)
    value, push, *further = _linearize("jvp", function, primals, has_aux)
    return (value, push(*tangents), *further)


def linearize(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Value of a function, and the function that pushes directions through its derivative there.

    Parameters
    ----------
    function, *primals, has_aux
        As for `vjp`.

    Returns
    -------
    value
        What `function` returned.
    push : callable
        Takes a tangent for each of `primals`; returns that of the value. `function` is not run again: what it recorded
        is kept, so many directions cost little.
    aux
        The further data, with `has_aux`.
    """
    return _linearize("linearize", function, primals, has_aux)


def _linearize(op: str, function: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool) -> Any:
    _check_function(op, function)
    trace = _Trace(op, function, primals, tuple(range(len(primals))), has_aux)
    value = trace.value()

    def push(*tangents: Any) -> Any:
        given = _trees.leaves_like(op, "tangents", tangents, primals, "the arguments")
        names = [name for number, x in enumerate(primals) for name, _ in _trees.flatten(x, f"tangents[{number}]")[0]]
        checked = [
            None if v is None else _checked(op, name, t, v)
            for name, t, v in zip(names, given, trace.variables, strict=True)
        ]
        return trace.rebuild_output(trace.push(checked))

    return (value, push, trace.further()) if has_aux else (value, push)


def jacobian(
    function: Callable[..., Any], argnums: Argnums = 0, *, mode: str = "auto", has_aux: bool = False
) -> Callable[..., Any]:
    """Function that returns the matrix of all first derivatives of a function.

    Parameters
    ----------
    function : callable
        Returns an array or a nested container of arrays.
    argnums : int or tuple of int, default: 0
        With respect to which positional arguments: floating-point arrays or nested containers of arrays.
    mode : {"auto", "forward", "reverse"}, default: "auto"
        Whether to push one direction for each element of the arguments, or to pull one for each element of the result;
        ``"auto"`` takes the fewer.
    has_aux : bool, default: False
        Whether `function` returns a pair: the result, and further data that is passed on.

    Returns
    -------
    callable
        Takes the arguments of `function`. Returns, in the structure of the result, for each of its arrays the structure
        of the argument (a tuple of them if `argnums` is one) with arrays of shape ``result.shape + argument.shape``,
        of the argument's dtype and device.

    Raises
    ------
    DTypeError
        When called with ``mode="forward"`` on complex arguments, or with a complex result: a complex function that is
        not holomorphic has no such matrix. Use `jvp` or `vjp`.
    """
    _check_function("jacobian", function)
    if mode not in ("auto", "forward", "reverse"):
        raise _errors.ArgumentValueError(
            f"jacobian(): there is no mode {mode!r}\nFix: use 'auto', 'forward' or 'reverse'"
        )

    @functools.wraps(function)
    def matrix(*args: Any, **keywords: Any) -> Any:
        trace = _Trace("jacobian", functools.partial(function, **keywords), args, argnums, has_aux)
        blocks = _blocks(trace, mode)
        built = []
        for row in blocks:
            found = trace.as_arguments(row)
            built.append(found[0] if isinstance(argnums, int) else tuple(found))
        result = trace.rebuild_output(built)
        return (result, trace.further()) if has_aux else result

    return matrix


def _blocks(trace: _Trace, mode: str) -> list[list[Any]]:
    """For each output a block of derivatives for each variable."""
    for name, x in (
        *trace.named_outputs,
        *((f"argument {number}", v) for number, v in enumerate(trace.variables) if v is not None),
    ):
        if type(x) is not Array or kind_of(x.dtype) != "f":
            raise _errors.DTypeError(
                _errors.message(
                    "jacobian",
                    "arguments and results must be real floating-point arrays",
                    [(name, x)],
                    "split complex numbers into real and imaginary parts, or use jvp or vjp",
                )
            )
    size_in = sum(v.size for v in trace.variables if v is not None)
    size_out = sum(y.size for y in trace.outputs)
    if mode == "auto":
        mode = "forward" if size_in <= size_out else "reverse"
    return _columns(trace) if mode == "forward" else _rows(trace)


def _unit(x: Array, position: int) -> Array:
    values = np.zeros(x.size, x.dtype)
    values[position] = 1
    return asarray(values.reshape(x.shape), device=x._device)


def _rows(trace: _Trace) -> list[list[Any]]:
    variables = trace.variables
    blocks: list[list[Any]] = []
    for number, y in enumerate(trace.outputs):
        rows = []
        if trace.nodes[number] is not None:
            for position in range(y.size):
                seeds = [_unit(y, position) if other == number else None for other in range(len(trace.outputs))]
                rows.append(trace.pull(seeds, retain_graph=True, sparse=True))
        blocks.append(
            [
                None if v is None else _joined(list(parts), y.shape, v, trace.record)
                for v, parts in zip(variables, zip(*rows, strict=True) if rows else [()] * len(variables), strict=True)
            ]
        )
    return blocks


def _joined(parts: list[Array], shape: tuple[int, ...], x: Array, record: bool) -> Array:
    if not parts:
        return zeros((*shape, *x.shape), dtype=x.dtype, device=x._device)
    with enable_grad() if record else no_grad():
        return reshape(stack(parts), (*shape, *x.shape))


def _columns(trace: _Trace) -> list[list[Any]]:
    variables = trace.variables
    columns: list[list[list[Array]]] = []
    for number, x in enumerate(variables):
        found = []
        for position in range(0 if x is None else x.size):
            assert x is not None
            tangents = [_unit(x, position) if other == number else None for other in range(len(variables))]
            found.append(trace.push(tangents, sparse=True))
        columns.append(found)
    blocks: list[list[Any]] = []
    for index, y in enumerate(trace.outputs):
        row: list[Any] = []
        for x, found in zip(variables, columns, strict=True):
            if x is None:
                row.append(None)
            elif not found:
                row.append(zeros((*y.shape, *x.shape), dtype=x.dtype, device=x._device))
            else:
                with enable_grad() if trace.record else no_grad():
                    block = reshape(stack([tangents[index] for tangents in found], axis=-1), (*y.shape, *x.shape))
                    row.append(astype(block, x.dtype, copy=False))
        blocks.append(row)
    return blocks


def hessian(function: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False) -> Callable[..., Any]:
    """Function that returns the matrix of all second derivatives of a function.

    Parameters
    ----------
    function : callable
        Returns a 0-d real array.
    argnums : int or tuple of int, default: 0
        With respect to which positional arguments: floating-point arrays or nested containers of arrays.
    has_aux : bool, default: False
        Whether `function` returns a pair: the value, and further data that is passed on.

    Returns
    -------
    callable
        Takes the arguments of `function`. Returns, in the structure of the gradient, for each of its arrays the
        structure of the argument with arrays of shape ``x.shape + other.shape``.

    Notes
    -----
    Computed forward over reverse: the gradient is recorded once, and one direction pushed for each element.
    """
    return jacobian(grad(function, argnums, has_aux=has_aux), argnums, mode="forward", has_aux=has_aux)


def hvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """Product of the matrix of second derivatives with a direction, without the matrix.

    Parameters
    ----------
    function : callable
        Returns a 0-d real array.
    primals : sequence
        Its arguments: floating-point arrays or nested containers of arrays.
    tangents : sequence
        The direction, of the structure and shapes of `primals`.

    Returns
    -------
    tuple
        The derivative of the gradient along the direction: one for each of `primals`, like it.

    Notes
    -----
    Computed forward over reverse.
    """
    primals = tuple(primals)
    product: tuple[Any, ...] = jvp(grad(function, tuple(range(len(primals)))), primals, tangents)[1]
    return product


def stop_gradient(x: Any) -> Any:
    """The same values as constants: derivatives stop here.

    Parameters
    ----------
    x : Array or nested container of arrays
        Anything; what is not an array is passed on.

    Returns
    -------
    Array or nested container of arrays
        Aliases of the arrays, without history.
    """
    leaves, rebuild = _trees.flatten(x)
    return rebuild([leaf.detach() if type(leaf) is Array else leaf for _, leaf in leaves])


def _check_function(op: str, function: Any) -> None:
    if not callable(function):
        raise _errors.ArgumentTypeError(
            _errors.message(op, "the first argument must be a function", [("function", function)])
        )
