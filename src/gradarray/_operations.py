"""What is known of each operation besides its value: its derivative, or the statement that it has none.

A derivative is said on top of the function, one rule for each differentiable input. A rule's parameter names say what
it reads, and so what the graph keeps: ``xp`` (a namespace), ``g`` (the cotangent of the result), then any of the
function's inputs by name, ``out`` for the result, ``shape`` for the shape of the input that the rule is for, ``like``
for that input's description (shape, dtype, device; no data). Keyword-only names are the static parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
#: A plain function: its code object is read.
Rule = Any

#: Positions that stand for something other than a saved value in what a rule reads.
SHAPE, LIKE = -1, -2


def same(xp: Any, g: Any) -> Any:
    """The rule that passes the cotangent on as it is; the engine knows it and does not call it."""
    return g


class Call:
    """One rule as backward calls it: for which input, what it reads, which parameters it takes."""

    __slots__ = ("first", "form", "index", "names", "reads", "rule")

    def __init__(self, index: int, rule: Rule, reads: tuple[int, ...], names: tuple[str, ...]) -> None:
        self.index = index
        self.rule = rule
        self.reads = reads
        self.names = names
        # How to call it: 0, with the cotangent only; 1, with one saved value; 2, with anything; 3, not at all.
        self.form = 2 if names or len(reads) > 1 or (reads and reads[0] < 0) else len(reads)
        if rule is same:
            self.form = 3
        self.first = reads[0] if reads else 0


class Plan:
    """What to keep at recording and what to call in backward, for one set of tracked inputs of one operation."""

    __slots__ = (
        "_masking",
        "calls",
        "joint",
        "keeps",
        "keeps_first",
        "keeps_out",
        "keeps_second",
        "masks",
        "nothing",
        "operation",
    )

    def __init__(self, operation: Operation, calls: tuple[Call, ...], joint: Call | None, n_inputs: int) -> None:
        self.operation = operation
        self.masks = operation.masks
        self.calls = calls
        self.joint = joint
        read = {position for call in (*calls, *((joint,) if joint else ())) for position in call.reads}
        self.keeps = tuple(position in read for position in range(n_inputs))
        self.keeps_out = n_inputs in read
        self.keeps_first = 0 in read and n_inputs > 0
        self.keeps_second = 1 in read and n_inputs > 1
        #: What a node saves where nothing is read, shared by all: a tuple less for the cyclic collector to look at.
        self.nothing = None if read & set(range(n_inputs + 1)) else (None,) * (n_inputs + 1)
        self._masking: Plan | None = None

    def masking(self) -> Plan:
        """The same plan for a node that multiplies by a cotangent in which a zero says that an element is idle."""
        if self.masks:
            return self
        if self._masking is None:
            other = copy(self)
            other.masks = True
            self._masking = other
        return self._masking


def kernel_name(function: Any) -> str:
    """The name by which a backend knows the raw function of an operation.

    It is the function's own; in the rooms of `gradarray.scipy`, where other functions have the names of the standard's,
    the room's stands in front: ``"special.gamma"``.
    """
    package, _, room = function.__module__.partition(".scipy.")
    if package != "gradarray" or not room:
        return str(function.__name__)
    return f"{room.partition('.')[0]}.{function.__name__}"


def positional_names(function: Any) -> tuple[str, ...]:
    """The names of a function's positional parameters, a variadic one last.

    Read off the code object: `inspect.signature` of two hundred functions would be a third of the import.
    """
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    if code.co_flags & 0x04:
        return (*names, code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return names


class Operation:
    """One operation of the library.

    Attributes
    ----------
    function : callable
        The public function.
    statement : str
        ``"derivative"``, ``"constant"`` (the derivative is zero), ``"composite"`` (made of other operations, whose
        derivatives it has) or ``"none"`` (there is no derivative: a tracked input is refused).
    kind : str or None
        How the rule is transposed, and which parts of its result a zero in the cotangent belongs to:
        ``"elementwise"`` (each element by itself, multiplied by a number), ``"pointwise"`` (each by itself, but not
        holomorphic), ``"linear"``, ``"bilinear"`` (linear in each of two inputs), ``"reduction"`` (of the axes that its
        parameters say), ``"scan"`` (along the axis that they say), ``"matrix"`` (each matrix of a stack by itself), or
        None for anything else.
    masks : bool
        Whether the rule puts exact zeros into a cotangent where an input does not matter.
    rules : dict
        The rule for each differentiable input.
    joint : callable or None
        One rule for all inputs at once.
    reason : str
        Why there is no derivative, where there is none.
    """

    __slots__ = ("function", "inputs", "joint", "kind", "masks", "name", "plans", "reason", "rules", "statement")

    def __init__(
        self,
        function: Callable[..., Any],
        statement: str,
        *,
        rules: dict[str, Rule] | None = None,
        joint: Rule | None = None,
        kind: str | None = None,
        masks: bool = False,
        reason: str = "",
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.statement = statement
        self.rules = rules or {}
        self.joint = joint
        self.kind = kind
        self.masks = masks
        self.reason = reason
        self.inputs = positional_names(function)
        for name in self.rules:
            if name not in self.inputs:
                raise TypeError(f"{self.name}: a rule is given for {name!r}, which is not one of {self.inputs}")
        self.plans: dict[tuple[bool, ...], Plan] = {}

    def plan(self, tracked: tuple[bool, ...]) -> Plan:
        """The plan for the given tracked inputs, worked out at its first use."""
        try:
            return self.plans[tracked]
        except KeyError:
            pass
        n = len(tracked)
        calls = []
        joint = None
        if self.joint is not None:
            joint = self._call(-1, self.joint, n)
        else:
            for index, name in enumerate(self.inputs[:n]):
                if tracked[index] and name in self.rules:
                    calls.append(self._call(index, self.rules[name], n))
        return self.plans.setdefault(tracked, Plan(self, tuple(calls), joint, n))

    def _call(self, index: int, rule: Rule, n_inputs: int) -> Call:
        reads: list[int] = []
        for name in positional_names(rule)[2:]:
            if name == "out":
                reads.append(n_inputs)
            elif name == "shape":
                reads.append(SHAPE)
            elif name == "like":
                reads.append(LIKE)
            else:
                reads.append(self.inputs.index(name))
        code = rule.__code__
        names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        return Call(index, rule, tuple(reads), names)


OPERATIONS: dict[Callable[..., Any], Operation] = {}


def derivative(
    *, kind: str | None = None, masks: bool = False, joint: Rule | None = None, **rules: Rule
) -> Callable[[Function], Function]:
    """Say the derivative of an operation: for each differentiable input, by name, its vjp rule.

    Parameters
    ----------
    kind : {"elementwise", "pointwise", "linear", "bilinear", "reduction", "scan", "matrix"}, optional
        How the rule is transposed for forward mode; see `Operation`.
    masks : bool, default: False
        Whether the rule puts exact zeros into a cotangent where an input does not matter, as that of ``where`` does.
    joint : callable, optional
        One rule for all inputs: returns a cotangent per input (or per item of the one sequence that is the input),
        None where there is none. Takes the keyword ``needed`` if it wants to know which are asked for.
    **rules : callable
        ``input=lambda xp, g, ...: cotangent``. The engine reduces broadcast axes, casts, and takes the real part.
    """

    def decorate(function: Function) -> Function:
        OPERATIONS[function] = Operation(function, "derivative", rules=rules, joint=joint, kind=kind, masks=masks)
        return function

    return decorate


def constant(function: Function) -> Function:
    """Say that the derivative of an operation is zero: its result is never tracked."""
    OPERATIONS[function] = Operation(function, "constant")
    return function


def composite(function: Function) -> Function:
    """Say that an operation is made of other operations and has its derivative from them."""
    OPERATIONS[function] = Operation(function, "composite")
    return function


def no_derivative(reason: str) -> Callable[[Function], Function]:
    """Say that an operation has no derivative, and why: a tracked array is refused."""

    def decorate(function: Function) -> Function:
        OPERATIONS[function] = Operation(function, "none", reason=reason)
        return function

    return decorate
