"""Solutions of equations: found by whichever algorithm, differentiated by the theorem of implicit functions.

A solution x(p) of F(x, p) = 0 has the derivative -(dF/dx)^-1 dF/dp. The rule computes both at the solution, in recorded
operations where the derivative is to be differentiated again: there the solution stands for the operation itself.
So the derivative is right to any order, however the solution was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._dispatch import finish
from ..._graph import no_grad, recording
from ..._operations import derivative
from ...autograd import grad, jacobian, jvp
from ...linalg.systems import solve
from ...ops import _rules, elementwise
from ...ops.conversion import asarray
from ...ops.creation import ones_like
from ...ops.data_type import astype
from ...ops.linear_algebra import matrix_transpose
from ...ops.manipulation import reshape
from ...ops.statistical import sum as sum_
from .._captures import Captured, brought, derivative_mode

#: How far, relative to its size, a step of Newton's method may move what counts as a solution.
_CLOSE = 1e-4


class Equation(Captured):
    """A system of equations of the caller: a function that is zero at the solution.

    Attributes
    ----------
    elementwise : bool
        Whether each element of the value depends on the same element of the argument only.
    doubt : str
        Why the solution may be none: then there is a derivative only if a step of Newton's method stays there.
    jacobian : callable
        The Jacobian at a vector of unknowns.
    """

    def __init__(
        self,
        op: str,
        function: Callable[[Array], Array],
        device: Device,
        *,
        elementwise: bool = False,
        jacobian: Callable[[Array], Array] | None = None,
    ) -> None:
        super().__init__(op, function, device)
        self.elementwise = elementwise
        self.doubt = ""
        self.jacobian = jacobian

    def carried_back(self, x: Array, g: Array, *, record: bool) -> Array:
        """The cotangent of the value at a solution from that of the solution."""
        with derivative_mode(record):
            if self.elementwise:
                slope = jvp(self.function, (x,), (ones_like(x),))[1]
                if not np.all(slope._host()):
                    raise self._singular()
                self._believe(x, lambda value: value / slope._host())
                return elementwise.divide(-g, _rules.conj(slope))
            if x.dtype.kind == "c":
                raise _errors.NoDerivativeError(
                    f"{self.op}(): the derivative of a system of complex equations is not known\n"
                    "Fix: solve for the real and imaginary parts"
                )
            size = x.size
            matrix = self._matrix(x)
            if matrix.shape != (size, size):
                raise _errors.ShapeError(
                    _errors.message(
                        self.op,
                        f"there are {matrix.shape[0]} equations for {size} unknowns",
                        [("x", x)],
                        "use least_squares",
                    )
                )
            host = matrix._host()
            if size and not np.linalg.cond(_balanced(host)) * np.finfo(host.dtype).eps < 1:
                raise self._singular()
            self._believe(x, lambda value: np.linalg.solve(host, value.reshape(-1)))
            return reshape(-solve(matrix_transpose(matrix), reshape(astype(g, matrix.dtype), (-1,))), x.shape)

    def _matrix(self, x: Array) -> Array:
        vector = reshape(x, (-1,))
        if self.jacobian is not None:
            return self.jacobian(vector)

        def flat(point: Array) -> Array:
            return reshape(self.function(reshape(point, x.shape)), (-1,))

        found: Array = jacobian(flat)(vector)
        return found

    def _believe(self, x: Array, step: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> None:
        """Raise where a solution in doubt is none."""
        if not self.doubt:
            return
        with no_grad():
            moved = np.abs(step(self.function(x.detach())._host()))
        if not np.all(moved <= _CLOSE * (1 + np.max(np.abs(x._host()), initial=0))):
            raise _errors.NoDerivativeError(
                f"{self.op}(): there is no derivative, for no solution was found: {self.doubt}\n"
                "Fix: start elsewhere, allow more iterations, or loosen the tolerances"
            )

    def _singular(self) -> _errors.NoDerivativeError:
        return _errors.NoDerivativeError(
            f"{self.op}(): the Jacobian is singular at the solution, which has no derivative there\n"
            f"Fix: differentiate at another point, or detach the arguments if no gradient is wanted"
        )


def _balanced(matrix: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A matrix with rows and columns of about the same size: how equations are scaled does not make them singular."""
    for axis in (1, 0):
        size = np.max(np.abs(matrix), axis=axis, keepdims=True)
        matrix = matrix / np.where(size > 0, size, 1)
    return matrix


def _solution(xp: Any, g: Any, out: Any, *, equation: Equation) -> list[Any]:
    record = isinstance(g, Array)
    x = brought(out, equation.device)
    seed = equation.carried_back(x, brought(g, equation.device), record=record)
    return equation.pull(x, seed, equation.inputs, record=record)


@derivative(joint=_solution)
def solution(*captured: Any, equation: Equation, values: Any) -> Any:
    """What an algorithm has found for the unknowns of an equation, as a function of what the equation depends on."""
    x = asarray(np.asarray(values), device=equation.device, copy=True)
    if not equation.inputs or not recording.get():
        return x
    nodes = equation.inputs
    return finish(solution, x._data, x.device, (None,) * len(nodes), nodes, {"equation": equation})


def solved(equation: Equation, values: Any) -> Array:
    """The solution of an equation that has been found: an array that is tracked if the equation depends on any."""
    if recording.get():
        # Once more at the solution itself: there it must depend on everything that its derivatives depend on.
        equation.noted(asarray(np.asarray(values), device=equation.device, copy=True))
    found: Array = solution(equation=equation, values=values)
    return found


def slope(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """The gradient of a function of one array with a single real value."""
    found: Callable[[Array], Array] = grad(lambda x: sum_(function(x)))
    return found
