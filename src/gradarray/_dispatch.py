"""The one path of every operation: unwrap, check devices, run the kernel, wrap, record.

Nothing else in the library unwraps operands or records. `unary` and `binary` are the fast forms, `run` the general one.
A function that wants to call its kernel in its own body ends with `finish`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from . import _dtypes, _errors, _streams
from ._array import Array
from ._devices import Device, cpu
from ._graph import DETACHED, Node, Slot, View, next_sequence, recording
from ._operations import OPERATIONS, Operation, Plan

_SCALARS = frozenset((bool, int, float, complex))
_REAL_SCALARS = frozenset((bool, int, float))

Operand: TypeAlias = Array | np.ndarray[Any, Any] | np.generic | bool | int | float | complex


def wrap(raw: Any, device: Device, node: Any = None) -> Array:
    """An array around a raw one."""
    result = Array()
    result._data = raw if type(raw) is device.array_type else device.backend.wrap(raw)
    result._device = device
    result._node = node
    return result


def unary(operation: Callable[..., Array], x: Operand) -> Array:
    """Run an elementwise operation of one array."""
    if type(x) is not Array:
        x = as_array(operation, x)
    device = x._device
    data = x._data
    try:
        kernel = device.elementwise[operation]
    except KeyError:
        kernel = _elementwise_kernel(operation, device)
    try:
        out = kernel(data)
    except Exception as error:
        raise translated(error, operation, (x,)) from error
    if type(out) is not device.array_type:
        out = device.backend.wrap(out)
    result = Array()
    result._data = out
    result._device = device
    node = x._node
    if node is None or not recording.get():
        result._node = None
    else:
        result._node = record_one(operation, device, data, out, node)
    return result


def binary(operation: Callable[..., Array], x1: Operand, x2: Operand) -> Array:
    """Run an elementwise operation of two arrays, or of an array and a Python scalar."""
    if type(x1) is Array and type(x2) is Array and (device := x1._device) is x2._device:
        first = x1._data
        second = x2._data
        node1 = x1._node
        node2 = x2._node
    elif type(x1) is Array and type(x2) in _REAL_SCALARS:
        device = x1._device
        first = x1._data
        second = device.constants.get((x2, first.dtype))
        if second is None:
            second = device.backend.constant(x2, first)
        node1 = x1._node
        node2 = None
    else:
        device, (first, second), (node1, node2) = unwrap(operation, (x1, x2))
    try:
        kernel = device.elementwise[operation]
    except KeyError:
        kernel = _elementwise_kernel(operation, device)
    try:
        out = kernel(first, second)
    except Exception as error:
        raise translated(error, operation, (x1, x2)) from error
    if type(out) is not device.array_type:
        out = device.backend.wrap(out)
    result = Array()
    result._data = out
    result._device = device
    if node1 is node2 is None or not (mode := recording.get()):
        result._node = None
        return result
    # Recorded here and not by `record`: a call less is a tenth of the whole.
    if type(node1) is View:
        node1 = node1.resolve()
    if type(node2) is View:
        node2 = node2.resolve()
    plans = _both_plans if node2 is not None else _first_plans
    if node1 is None:
        if node2 is None:
            result._node = None
            return result
        plans = _second_plans
    try:
        plan = plans[operation]
    except KeyError:
        result._node = None
        found = _plan(plans, operation, (node1 is not None, node2 is not None))
        if found is None:
            return result
        plan = found
    if not device.promotes:
        if type(x2) in _REAL_SCALARS:
            second = x2  # a rule asks for the number that stands there, and not for a backend's constant
        first, second = promote(device, first, second)
    result._node = record = Node()
    record.plan = plan
    record.parents = (node1, node2)
    record.saved = plan.nothing or (
        first if plan.keeps_first else None,
        second if plan.keeps_second else None,
        out if plan.keeps_out else None,
    )
    record.shape = out.shape
    record.dtype = out.dtype
    record.device = device
    record.sequence = next_sequence()
    if mode is not True:
        mode.note(record)
    if device.has_streams:
        _streams.note(record)
    return result


def _elementwise_kernel(operation: Callable[..., Any], device: Device) -> Callable[..., Any]:
    """Put an operation's kernel into the device's plain table, which costs less to read than one that loads."""
    kernel = device.kernels[operation]
    if not device.promotes and len(OPERATIONS[operation].inputs) == 2:
        promoted = kernel

        def promoting(first: Any, second: Any) -> Any:
            # Libraries have one object for each of their data types, or few: the comparison by value is the slow one.
            if type(first) is type(second) and first.dtype is second.dtype:
                return promoted(first, second)
            return promoted(*promote(device, first, second))

        kernel = promoting
    return device.elementwise.setdefault(operation, kernel)


def run(operation: Callable[..., Any], *inputs: Any, **parameters: Any) -> Array:
    """Run an operation whose kernel takes the inputs and the parameters as the public function does."""
    device, raws, nodes = unwrap(operation, inputs)
    try:
        out = device.kernels[operation](*raws, **parameters)
    except Exception as error:
        raise translated(error, operation, inputs) from error
    return finish(operation, out, device, raws, nodes, parameters)


def run_several(operation: Callable[..., Any], *inputs: Any, **parameters: Any) -> tuple[Array, ...]:
    """`run` for an operation with several results."""
    device, raws, nodes = unwrap(operation, inputs)
    try:
        outs = tuple(device.kernels[operation](*raws, **parameters))
    except Exception as error:
        raise translated(error, operation, inputs) from error
    return finish_several(operation, outs, device, raws, nodes, parameters)


def run_sequence(operation: Callable[..., Any], arrays: Sequence[Any], **parameters: Any) -> Array:
    """`run` for an operation whose input is one sequence of arrays."""
    device, raws, nodes = unwrap(operation, arrays, sequence=True)
    try:
        out = device.kernels[operation](raws, **parameters)
    except Exception as error:
        raise translated(error, operation, arrays, sequence=True) from error
    return finish(operation, out, device, raws, nodes, parameters)


def run_view(operation: Callable[..., Any], x: Array, **parameters: Any) -> Array:
    """`run` for an operation whose result may share the memory of its input."""
    device = x._device
    data = x._data
    try:
        out = device.kernels[operation](data, **parameters)
    except Exception as error:
        raise translated(error, operation, (x,)) from error
    backend = device.backend
    if type(out) is not device.array_type or not (backend.immutable or backend.shares_memory(out, data)):
        return finish(operation, out, device, (data,), (x._node,), parameters)
    return view(operation, out, x, parameters)


def view(operation: Callable[..., Any], out: Any, x: Array, parameters: dict[str, Any]) -> Array:
    """Wrap a raw result that shares the memory of `x`."""
    result = alias(out, x, operation, parameters)
    above = x._node
    if above is DETACHED:
        return result
    node = above.resolve() if type(above) is View else above
    if node is not None and not recording.get():
        return result
    result._node = here = View(x, operation, parameters)
    if node is not None:
        # What `View.resolve` would find out by running the kernel again is known here.
        here.node = record_one(operation, x._device, x._data, result._data, node, parameters)
        here.root_node = here.root._node if here.root is not None else None
    return result


def alias(
    out: Any, x: Array, operation: Callable[..., Any] | None = None, parameters: dict[str, Any] | None = None
) -> Array:
    """An array without history around a raw one that shares the memory of `x`: a view, or the same."""
    device = x._device
    result = Array()
    result._data = out if type(out) is device.array_type else device.backend.wrap(out)
    result._device = device
    result._node = DETACHED
    if device.backend.immutable:
        _aliases.link(result, x, operation, parameters or {})
    return result


def unwrap(
    operation: Callable[..., Any], inputs: Sequence[Any], *, sequence: bool = False
) -> tuple[Device, tuple[Any, ...], tuple[Any, ...]]:
    """The common device of the inputs, their raw values and their nodes; every device is checked before any work.

    Python scalars stay what they are; NumPy arrays are constants on ``cpu``; NumPy scalars are constants of their dtype
    on the device of the others.
    """
    device: Device | None = None
    plain = True
    for x in inputs:
        if type(x) is Array:
            if device is None:
                device = x._device
            elif x._device is not device:
                raise mismatch(operation, inputs, sequence=sequence)
        else:
            plain = False
    if plain and device is not None:
        return device, tuple([x._data for x in inputs]), tuple([x._node for x in inputs])
    if device is None:
        if not any(isinstance(x, (np.ndarray, np.generic)) for x in inputs):
            raise not_arrays(operation, inputs, sequence=sequence)
        device = cpu()
    # The graph may keep a constant, and NumPy's writes are not seen: what is recorded gets a copy of its own.
    copy = True if recording.get() and any(type(x) is Array and x._node is not None for x in inputs) else None
    raws, nodes = [], []
    for position, x in enumerate(inputs):
        if type(x) is Array:
            raws.append(x._data)
            nodes.append(x._node)
            continue
        nodes.append(None)
        if type(x) in _SCALARS:
            raws.append(x)
        elif isinstance(x, np.generic):
            raws.append(device.backend.from_numpy(np.asarray(x), (device.type, device.index), copy=True))
        elif isinstance(x, np.ndarray):
            if device is not cpu():
                raise mismatch(operation, inputs, sequence=sequence)
            raws.append(device.backend.from_numpy(x, (device.type, device.index), copy=copy))
        else:
            name = input_name(operation, position, sequence)
            raise foreign(operation, name, x)
    return device, tuple(raws), tuple(nodes)


def as_array(operation: Callable[..., Any], x: Any) -> Array:
    """`x` as an array operand: an array itself, or a NumPy array or scalar as a constant on ``cpu``."""
    if type(x) is Array:
        return x
    if isinstance(x, (np.ndarray, np.generic)):
        device = cpu()
        return wrap(device.backend.from_numpy(np.asarray(x), (device.type, device.index), copy=None), device)
    if type(x) in _SCALARS:
        raise not_arrays(operation, (x,), sequence=False)
    raise foreign(operation, input_name(operation, 0, False), x)


def promote(device: Device, first: Any, second: Any) -> tuple[Any, Any]:
    """Two raw operands in their common dtype, on backends whose kernels do not promote by our rule."""
    if type(first) in _SCALARS:
        return _beside(device, second, first)[::-1]
    if type(second) in _SCALARS:
        return _beside(device, first, second)
    if first.dtype == second.dtype:
        return first, second
    backend = device.backend
    dtype1, dtype2 = backend.dtype(first.dtype), backend.dtype(second.dtype)
    common = _dtypes.promote(dtype1, dtype2)
    return (
        first if common is dtype1 else _cast(device, first, common),
        second if common is dtype2 else _cast(device, second, common),
    )


def _beside(device: Device, raw: Any, scalar: Any) -> tuple[Any, Any]:
    """A raw array in the dtype that it has beside a Python scalar, and the scalar; True and False are numbers there."""
    dtype = device.backend.dtype(raw.dtype)
    common = _dtypes.promote_scalar(dtype, type(scalar))
    if type(scalar) is bool and dtype is not _dtypes.bool:
        scalar = int(scalar)
    return (raw if common is dtype else _cast(device, raw, common)), scalar


def _cast(device: Device, raw: Any, dtype: _dtypes.DType) -> Any:
    return device.backend.kernel("astype")(raw, dtype)


# --- recording -------------------------------------------------------------------------------------------------------


def record_one(
    operation: Callable[..., Any],
    device: Device,
    data: Any,
    out: Any,
    node: Any,
    parameters: dict[str, Any] | None = None,
) -> Node | None:
    """Record an operation of one input and one output; None if the input is not tracked."""
    if type(node) is View:
        node = node.resolve()
        if node is None:
            return None
    try:
        plan = _unary_plans[operation]
    except KeyError:
        found = _plan(_unary_plans, operation, (True,))
        if found is None:
            return None
        plan = found
    record = Node()
    record.plan = plan
    record.parents = (node,)
    record.saved = plan.nothing or (data if plan.keeps_first else None, out if plan.keeps_out else None)
    if parameters is not None:
        record.parameters = parameters
    record.shape = out.shape
    record.dtype = out.dtype
    record.device = device
    record.sequence = next_sequence()
    if (mode := recording.get()) is not True and mode:
        mode.note(record)
    if device.has_streams:
        _streams.note(record)
    return record


_unary_plans: dict[Any, Plan] = {}
_first_plans: dict[Any, Plan] = {}
_second_plans: dict[Any, Plan] = {}
_both_plans: dict[Any, Plan] = {}


def _plan(plans: dict[Any, Plan], operation: Callable[..., Any], tracked: tuple[bool, ...]) -> Plan | None:
    """The plan of an operation, kept in a table of its own; None, not kept, if the result is not tracked."""
    plan = OPERATIONS[operation].plan(tracked)
    if not plan.calls and plan.joint is None:
        _check_untracked(plan.operation)
        return None
    return plans.setdefault(operation, plan)


def _check_untracked(known: Operation) -> None:
    """Refuse a tracked input of an operation that has no derivative at all."""
    if known.statement == "none":
        raise _errors.NoDerivativeError(
            f"{known.name}(): an array that requires grad was given, and there is no derivative: {known.reason}\n"
            f"Fix: call {known.name}(x.detach()) if no gradient is wanted"
        )
    if known.statement not in ("constant", "derivative"):
        raise TypeError(f"{known.name} is stated to be {known.statement} but was recorded as an operation")


def record(
    operation: Callable[..., Any],
    device: Device,
    raws: tuple[Any, ...],
    out: Any,
    nodes: tuple[Any, ...],
    parameters: dict[str, Any],
) -> Node | None:
    """Record an operation; None if nothing it depends on is tracked. `out` is a tuple where there are several."""
    nodes = tuple([node.resolve() if type(node) is View else node for node in nodes])
    tracked = tuple([node is not None for node in nodes])
    if True not in tracked:
        return None
    known = OPERATIONS[operation]
    try:
        plan = known.plans[tracked]
    except KeyError:
        plan = known.plan(tracked)
    if not plan.calls and plan.joint is None:
        _check_untracked(known)
        return None
    node = Node()
    node.plan = plan
    node.parents = nodes
    node.saved = plan.nothing or (
        *[raw if keeps else None for raw, keeps in zip(raws, plan.keeps, strict=True)],
        out if plan.keeps_out else None,
    )
    node.parameters = parameters
    node.device = device
    if type(out) is tuple:
        node.outputs = len(out)
        node.shape = node.dtype = None
    else:
        node.shape = out.shape
        node.dtype = out.dtype
    node.sequence = next_sequence()
    if (mode := recording.get()) is not True and mode:
        mode.note(node)
    if device.has_streams:
        _streams.note(node)
    return node


def finish(
    operation: Callable[..., Any],
    out: Any,
    device: Device,
    raws: tuple[Any, ...],
    nodes: tuple[Any, ...],
    parameters: dict[str, Any],
) -> Array:
    """Wrap a kernel's result and record the operation."""
    if type(out) is not device.array_type:
        out = device.backend.wrap(out)
    result = Array()
    result._data = out
    result._device = device
    result._node = None
    for node in nodes:
        if node is not None:
            if recording.get():
                if len(nodes) == 1:
                    result._node = record_one(operation, device, raws[0], out, node, parameters)
                else:
                    result._node = record(operation, device, raws, out, nodes, parameters)
            break
    return result


def finish_several(
    operation: Callable[..., Any],
    outs: tuple[Any, ...],
    device: Device,
    raws: tuple[Any, ...],
    nodes: tuple[Any, ...],
    parameters: dict[str, Any],
) -> tuple[Array, ...]:
    """`finish` for an operation with several results; only floating-point results are tracked."""
    results = tuple([wrap(out, device) for out in outs])
    outs = tuple([result._data for result in results])
    if recording.get() and any(node is not None for node in nodes):
        node = record(operation, device, raws, outs, nodes, parameters)
        if node is not None:
            for index, result in enumerate(results):
                if result.dtype in _dtypes.DIFFERENTIABLE:
                    out = result._data
                    result._node = Slot(node, index, out.shape, out.dtype, device)
    return results


# --- errors ----------------------------------------------------------------------------------------------------------


def input_name(operation: Callable[..., Any], position: int, sequence: bool) -> str:
    """The name of an input as the caller knows it."""
    known = OPERATIONS.get(operation)
    names = known.inputs if known else ()
    if sequence:
        return f"{names[0] if names else 'arrays'}[{position}]"
    return names[position] if position < len(names) else f"argument {position}"


def named(operation: Callable[..., Any], inputs: Sequence[Any], sequence: bool = False) -> list[tuple[str, Any]]:
    """Each input with its name, for an error message."""
    return [(input_name(operation, position, sequence), x) for position, x in enumerate(inputs)]


def mismatch(
    operation: Callable[..., Any], inputs: Sequence[Any], *, sequence: bool = False
) -> _errors.DeviceMismatchError:
    """The error for operands on different devices; a NumPy array counts as an array on ``cpu``."""
    return mismatch_of(operation.__name__, named(operation, inputs, sequence))


def mismatch_of(op: str, operands: Sequence[tuple[str, Any]]) -> _errors.DeviceMismatchError:
    """The error for named operands on different devices."""
    arrays: list[tuple[str, Array]] = []
    for name, x in operands:
        if type(x) is Array:
            arrays.append((name, x))
        elif isinstance(x, np.ndarray):
            arrays.append((name, wrap(np.asarray(x), cpu())))
    kinds = {x._device.type for _, x in arrays}
    if len(kinds) == 1 and kinds <= {"cpu", "cuda"} and len({x._device.index or 0 for _, x in arrays}) == 1:
        return _errors.BackendMismatchError(op, arrays)
    return _errors.DeviceMismatchError(op, arrays)


def check_devices(op: str, operands: Sequence[tuple[str, Any]]) -> None:
    """Raise DeviceMismatchError unless every array among the named operands is on one device."""
    device: Device | None = None
    for _, x in operands:
        if type(x) is Array:
            here = x._device
        elif isinstance(x, np.ndarray):
            here = cpu()
        else:
            continue
        if device is None:
            device = here
        elif here is not device:
            raise mismatch_of(op, operands)


def foreign(operation: Callable[..., Any], name: str, x: Any) -> _errors.ArgumentTypeError:
    """The error for an operand that is not an array of ours."""
    operands = [(name, x)]
    op = operation.__name__
    if hasattr(x, "__dlpack__"):
        fix = f"gradarray.from_dlpack({name})"
        return _errors.ForeignArrayError(_errors.message(op, "an array of another library was given", operands, fix))
    fix = f"gradarray.asarray({name})"
    return _errors.ArgumentTypeError(_errors.message(op, f"{name} is not an array", operands, fix))


def not_arrays(operation: Callable[..., Any], inputs: Sequence[Any], *, sequence: bool) -> _errors.ArgumentTypeError:
    """The error for a call without any array."""
    for position, x in enumerate(inputs):
        if type(x) not in _SCALARS:
            return foreign(operation, input_name(operation, position, sequence), x)
    operands = named(operation, inputs, sequence)
    problem = "at least one operand must be an array" if operands else "at least one array is needed"
    return _errors.ArgumentTypeError(
        _errors.message(operation.__name__, problem, operands, "gradarray.asarray(...) makes an array of a scalar")
    )


def translated(
    error: Exception, operation: Callable[..., Any], inputs: Sequence[Any], *, sequence: bool = False
) -> Exception:
    """A backend's exception as one of ours, with the operands named; called from an ``except``, raises others again."""
    if isinstance(error, (_errors.GradarrayError, MemoryError, FloatingPointError, Warning)):
        raise  # noqa: PLE0704
    op, operands = operation.__name__, named(operation, inputs, sequence)
    text = str(error).strip() or type(error).__name__
    if type(error).__name__ == "LinAlgError":
        return _errors.LinearAlgebraError(_errors.message(op, text, operands, "check the matrix, or regularise it"))
    if isinstance(error, OverflowError):
        fix = "use a scalar that the array's data type holds, or astype the array first"
        return _errors.ScalarOverflowError(_errors.message(op, text, operands, fix))
    if isinstance(error, TypeError):
        fix = "convert an operand with gradarray.astype"
        return _errors.DTypeError(_errors.message(op, _first_line(text), operands, fix))
    if isinstance(error, IndexError):
        return _errors.IndexingError(_errors.message(op, text, operands, "use indices within the shape"))
    if isinstance(error, ValueError):
        return _errors.ShapeError(_errors.message(op, text, operands, "make the shapes fit, for example by reshape"))
    raise  # noqa: PLE0704


def _first_line(text: str) -> str:
    # NumPy's own text for a missing loop speaks of ufuncs and casting rules; our operand lines say it better.
    return "the operation does not take operands of these data types" if "ufunc" in text else text


from . import _aliases  # noqa: E402 - operations need this module, and the aliases need operations
