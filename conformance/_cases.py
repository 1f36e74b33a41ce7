"""Value tests as a table: for each function how to draw a call, what it must return, and how close.

The default reference is the function of the same name in array-api-strict.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, note, settings

from . import _spec
from ._arrays import agree, ga, host, plain, strict, to_gradarray, to_strict, tracked_parts
from ._draw import Call, Draw

Reference = Callable[..., Any]

#: Set by `blind_spots.py`, to which only matters that a test fails.
NO_SHRINK = bool(os.environ.get("GRADARRAY_NO_SHRINK"))

#: Few examples of every function: the tests always run. CI runs the same ones every time.
quick = settings(
    max_examples=int(os.environ.get("GRADARRAY_EXAMPLES", "40")),
    derandomize=bool(os.environ.get("CI")),
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate) if NO_SHRINK else (Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def covers(*names: str) -> pytest.MarkDecorator:
    """Mark of a test that compares the values of the named functions: ``"main.sum"``, ``"linalg.det"``, ..."""
    return pytest.mark.covers(*names)


@dataclass(frozen=True)
class Case:
    """How one function is tested.

    Attributes
    ----------
    name : str
        Qualified name: ``"main.sum"``.
    draw : callable
        ``draw(d)`` makes a `Call` from a `Draw`.
    reference : callable, optional
        Takes the call's own NumPy arguments and returns NumPy results; by default strict's function is called.
    check : callable, optional
        ``check(found, call)`` asserts that a result is right, for results that are not unique.
    tolerance, absolute : float
        Units in the last place; relative to the largest operand as well as to the value if `absolute` is not 0.
    """

    name: str
    draw: Callable[[Draw], Call]
    reference: Reference | None = None
    check: Callable[[Any, Call], None] | None = None
    tolerance: float = 0.0
    absolute: float = 0.0
    signed_zeros: bool = False


class Cases:
    """The cases of one chapter."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self.cases: dict[str, Case] = {}

    def case(self, *names: str, **how: Any) -> Callable[[Callable[..., Call]], Callable[..., Call]]:
        """Register a draw for one or several functions; `reference` may be a dict by name.

        A draw of several functions gets the function's name as a second argument if it has a parameter for it.
        """

        def register(draw: Callable[..., Call]) -> Callable[..., Call]:
            takes_name = draw.__code__.co_argcount > 1
            for name in names:
                own = {key: value[name] if isinstance(value, dict) else value for key, value in how.items()}
                drawn = (lambda d, name=name: draw(d, name)) if takes_name else draw
                self.cases[name] = Case(f"{self.namespace}.{name}", drawn, **own)
            return draw

        return register

    def parameters(self) -> list[Any]:
        return [pytest.param(name, marks=covers(f"{self.namespace}.{name}")) for name in self.cases]

    def check(self, name: str, device: str, data: Any) -> None:
        """Compare one drawn call, inside a hypothesis test."""
        case = self.cases[name]
        d = Draw(data.draw)
        drawn = case.draw(d)
        tracked = tracked_parts(drawn.args) and d.rarely()
        note(f"{case.name}{drawn}{' with tracked arrays' if tracked else ''}")
        check(case, drawn, device, tracked=tracked)


def check(case: Case, drawn: Call, device: str, *, tracked: bool = False) -> None:
    """Compare gradarray's answer to a call with the reference's."""
    function = _spec.find(case.name)
    args = to_gradarray(drawn.args, device, tracked=tracked)
    kwargs = to_gradarray(drawn.kwargs, device)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*args, **kwargs)
        except ga.NoDerivativeError:
            # Refusing is allowed; answering without a gradient would not be, but other tests see to that.
            if not tracked:
                raise
            return
        found = plain(result, ga.get_device(device))
        unchanged(args, drawn.args)
        if case.check is not None:
            case.check(found, drawn)
            return
        expected = expectation(case, drawn)
    scale = case.absolute * largest(drawn.args) if case.absolute else 0.0
    agree(found, expected, tolerance=case.tolerance, scale=scale, signed_zeros=case.signed_zeros)


def expectation(case: Case, drawn: Call) -> Any:
    if case.reference is not None:
        expected = case.reference(*drawn.args, **drawn.kwargs)
        if isinstance(expected, tuple) and expected and isinstance(expected[0], np.generic):
            return tuple([np.asarray(part) for part in expected])
        return np.asarray(expected) if isinstance(expected, np.generic) else plain(expected)
    namespace, _, name = case.name.partition(".")
    home = strict if namespace == "main" else getattr(strict, namespace)
    return plain(getattr(home, name)(*to_strict(drawn.args), **to_strict(drawn.kwargs)))


def largest(tree: Any) -> float:
    """The largest finite magnitude among the operands, at least 1."""
    if isinstance(tree, np.ndarray):
        size = np.abs(tree.astype(np.complex128))
        return float(np.max(size[np.isfinite(size)], initial=1.0))
    if isinstance(tree, (list, tuple)):
        return max([1.0, *map(largest, tree)])
    return 1.0


def unchanged(args: Any, values: Any) -> None:
    """Assert that the operands still have their values."""
    if isinstance(values, np.ndarray):
        assert np.array_equal(host(args), values, equal_nan=values.dtype.kind in "fc"), "an operand was changed"
    elif isinstance(values, (list, tuple)):
        for one, other in zip(args, values, strict=True):
            unchanged(one, other)
