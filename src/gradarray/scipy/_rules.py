"""Rules that the rooms share."""

from __future__ import annotations

from typing import Any

from .._errors import NoDerivativeError
from .._operations import Rule
from ..ops._rules import is_complex


def unknown(function: str, parameter: str, *, second: bool = False) -> Rule:
    """The rule for a parameter whose derivative is not known: it refuses, where no rule at all would give zero.

    With `second` it is the second derivative that is not known: the operation is the first one.
    """
    what = "second derivative" if second else "derivative"

    def rule(xp: Any, g: Any) -> Any:
        raise NoDerivativeError(
            f"{function}(): the {what} with respect to {parameter} is not known\n"
            f"Fix: pass {parameter}.detach() if no gradient with respect to it is wanted"
        )

    return rule


def real_only(function: str, x: Any) -> Any:
    """`x`, where a rule holds for real numbers only; a refusal at complex ones."""
    if is_complex(x):
        raise NoDerivativeError(
            f"{function}(): at complex numbers its derivative is not known\n"
            f"Fix: pass x.detach() if no gradient is wanted"
        )
    return x
