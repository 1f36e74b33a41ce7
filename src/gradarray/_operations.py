"""What is known of each operation besides its value: its derivative, or the statement that it has none.

A derivative is said on top of the function, one rule for each differentiable input. A rule's parameter names say what it
reads, and so what the graph keeps: ``xp`` (a namespace), ``g`` (the cotangent of the result), then any of the function's
inputs by name, ``out`` for the result, ``shape`` for the shape of the input that the rule is for, ``like`` for that
input's description (shape, dtype, device; no data). Keyword-only names are the operation's static parameters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
Rule = Callable[..., Any]

#: Positions that stand for something other than a saved value in what a rule reads.
SHAPE, LIKE = -1, -2


class Call:
    """One rule as backward calls it: for which input, what it reads, which parameters it takes."""

    __slots__ = ("first", "form", "index", "names", "reads", "rule")

    def __init__(self, index: int, rule: Rule, reads: tuple[int, ...], names: tuple[str, ...]) -> None:
        self.index = index
        self.rule = rule
        self.reads = reads
        self.names = names
        # How to call it: 0, with the cotangent only; 1, with one saved value; 2, with anything.
        self.form = 2 if names or len(reads) > 1 or (reads and reads[0] < 0) else len(reads)
        self.first = reads[0] if reads else 0


class Plan:
    """What to keep at recording and what to call in backward, for one set of tracked inputs of one operation."""

    __slots__ = ("calls", "joint", "keeps", "keeps_first", "keeps_out", "keeps_second", "operation")

    def __init__(self, operation: Operation, calls: tuple[Call, ...], joint: Call | None, n_inputs: int) -> None:
        self.operation = operation
        self.calls = calls
        self.joint = joint
        read = {position for call in (*calls, *((joint,) if joint else ())) for position in call.reads}
        self.keeps = tuple(position in read for position in range(n_inputs))
        self.keeps_out = n_inputs in read
        self.keeps_first = 0 in read and n_inputs > 0
        self.keeps_second = 1 in read and n_inputs > 1


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
        ``"elementwise"``, ``"linear"`` or None for anything else: how the rule is transposed.
    rules : dict
        The rule for each differentiable input.
    joint : callable or None
        One rule for all inputs at once.
    reason : str
        Why there is no derivative, where there is none.
    """

    __slots__ = ("function", "inputs", "joint", "kind", "name", "plans", "reason", "rules", "statement")

    def __init__(
        self,
        function: Callable[..., Any],
        statement: str,
        *,
        rules: dict[str, Rule] | None = None,
        joint: Rule | None = None,
        kind: str | None = None,
        reason: str = "",
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.statement = statement
        self.rules = rules or {}
        self.joint = joint
        self.kind = kind
        self.reason = reason
        self.inputs = tuple(
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.VAR_POSITIONAL)
        )
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
        names: list[str] = []
        parameters = list(inspect.signature(rule).parameters.values())
        for parameter in parameters[2:]:
            if parameter.kind is parameter.KEYWORD_ONLY:
                names.append(parameter.name)
            elif parameter.name == "out":
                reads.append(n_inputs)
            elif parameter.name == "shape":
                reads.append(SHAPE)
            elif parameter.name == "like":
                reads.append(LIKE)
            else:
                reads.append(self.inputs.index(parameter.name))
        return Call(index, rule, tuple(reads), tuple(names))


OPERATIONS: dict[Callable[..., Any], Operation] = {}


def derivative(
    *, kind: str | None = None, joint: Rule | None = None, **rules: Rule
) -> Callable[[Function], Function]:
    """Say the derivative of an operation: for each differentiable input, by name, its vjp rule.

    Parameters
    ----------
    kind : {"elementwise", "linear"}, optional
        How the rule is transposed for forward mode.
    joint : callable, optional
        One rule for all inputs: returns a cotangent per input (or per item of the one sequence that is the input),
        None where there is none. Takes the keyword ``needed`` if it wants to know which are asked for.
    **rules : callable
        ``input=lambda xp, g, ...: cotangent``. The engine reduces broadcast axes, casts, and takes the real part.
    """

    def decorate(function: Function) -> Function:
        OPERATIONS[function] = Operation(function, "derivative", rules=rules, joint=joint, kind=kind)
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
