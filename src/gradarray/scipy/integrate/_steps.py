"""The steps that a solver of differential equations has taken, once more in recorded operations.

SciPy's solver chooses the steps; they count as constants. What a step computes from the values before is then recorded,
and so the solution has derivatives of any order, in both modes, with respect to everything that it depends on. They are
the derivatives of the computed numbers: there is no second equation to be solved backwards, which would be unstable
where the first one is stable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._devices import Device
from ..._graph import no_grad
from ...autograd import jacobian
from ...ops import elementwise
from ...ops.conversion import asarray
from ...ops.data_type import astype
from ...ops.linear_algebra import matmul, matrix_transpose
from ...ops.manipulation import concat, expand_dims, reshape, stack
from ..optimize._implicit import Equation, solved

Slope = Callable[[Array, Array], Array]


class Segment:
    """One step, and the polynomial between its ends.

    Attributes
    ----------
    t, width : Array
        Where it starts and how far it goes.
    y, end : Array
        The values at its ends.
    """

    def __init__(self, t: Array, width: Array, y: Array, end: Array) -> None:
        self.t = t
        self.width = width
        self.y = y
        self.end = end

    def __call__(self, t: Array) -> Array:
        """Values at a vector of points, in columns."""
        raise NotImplementedError

    def share(self, t: Array) -> Array:
        """How far points lie within the step, as a fraction of it."""
        return elementwise.divide(t - self.t, self.width)

    def constants(self, values: Any) -> Array:
        """Numbers in the dtype of the values."""
        return asarray(np.asarray(values, float), dtype=self.y.dtype, device=self.y.device)


def _combined(factors: Any, rows: Array) -> Array:
    """The sum of rows, each multiplied by a number."""
    return matmul(asarray(np.asarray(factors, float), dtype=rows.dtype, device=rows.device), rows)


def _powers(x: Array, count: int) -> Array:
    """A vector to the powers from 1, in rows."""
    found = [x]
    for _ in range(count - 1):
        found.append(found[-1] * x)
    return stack(found)


class _Polynomial(Segment):
    """A polynomial in the fraction of the step, given by its coefficients, without that of degree 0, in columns."""

    coefficients: Array

    def __call__(self, t: Array) -> Array:
        powers = astype(_powers(self.share(t), self.coefficients.shape[-1]), self.y.dtype, copy=False)
        return expand_dims(self.y, axis=-1) + matmul(self.coefficients, powers)


class _Nested(Segment):
    """The polynomial of DOP853: of factors ``x`` and ``1 - x`` in turn."""

    parts: list[Array]

    def __call__(self, t: Array) -> Array:
        x = self.share(t)
        found: Any = None
        for place, part in enumerate(reversed(self.parts)):
            part = expand_dims(part, axis=-1)
            found = (part if found is None else found + part) * (x if place % 2 == 0 else 1 - x)
        return elementwise.add(expand_dims(self.y, axis=-1), found)


class Explicit:
    """Explicit methods of Runge and Kutta, with the coefficients of SciPy's solver."""

    def __init__(self, solver: Any, slope: Slope, *, between: bool) -> None:
        self.solver = solver
        self.slope = slope
        self.between = between
        self.last: Array | None = None

    def step(self, t: Array, width: Array, y: Array) -> Segment:
        """One step on."""
        solver = self.solver
        slopes = [self.slope(t, y) if self.last is None else self.last]
        for row, share in zip(solver.A[1:], solver.C[1:], strict=True):
            slopes.append(self._stage(slopes, row, share, t, width, y))
        end = y + width * _combined(solver.B, stack(slopes))
        self.last = self.slope(t + width, end)
        slopes.append(self.last)
        if not hasattr(solver, "A_EXTRA"):
            polynomial = _Polynomial(t, width, y, end)
            if self.between:
                polynomial.coefficients = width * matmul(
                    matrix_transpose(stack(slopes)), polynomial.constants(solver.P)
                )
            return polynomial
        nested = _Nested(t, width, y, end)
        if self.between:
            for row, share in zip(solver.A_EXTRA, solver.C_EXTRA, strict=True):
                slopes.append(self._stage(slopes, row, share, t, width, y))
            rise = end - y
            rest = width * matmul(nested.constants(solver.D), stack(slopes))
            first = width * slopes[0]
            nested.parts = [
                rise, first - rise, 2 * rise - width * self.last - first, *[rest[k] for k in range(rest.shape[0])]
            ]  # fmt: skip
        return nested

    def _stage(self, slopes: list[Array], row: Any, share: float, t: Array, width: Array, y: Array) -> Array:
        change = width * _combined(row[: len(slopes)], stack(slopes))
        return self.slope(t + float(share) * width, y + change)


#: The points of Radau's method of order 5, and its matrix: the integrals of the polynomials that are 1 at one of them.
_POINTS = np.asarray([(4 - 6**0.5) / 10, (4 + 6**0.5) / 10, 1.0])
_INVERSE = np.linalg.inv(_POINTS[:, None] ** np.arange(3))
_MATRIX = (_POINTS[:, None] ** np.arange(1, 4) / np.arange(1, 4)) @ _INVERSE


class Implicit:
    """Radau's method of order 5, for stiff equations."""

    def __init__(self, op: str, slope: Slope, *, between: bool) -> None:
        self.op = op
        self.slope = slope
        self.between = between

    def step(self, t: Array, width: Array, y: Array) -> Segment:
        """One step on."""
        stages, size = len(_POINTS), y.shape[0]

        def equations(flat: Array) -> Array:
            changes = reshape(flat, (stages, size))
            slopes = [self.slope(t + float(share) * width, y + changes[k]) for k, share in enumerate(_POINTS)]
            matrix = asarray(_MATRIX, dtype=y.dtype, device=y.device)
            return reshape(changes - width * matmul(matrix, stack(slopes)), (-1,))

        def derivative(flat: Array) -> Array:
            # That of each slope in the unknowns is found once: of all equations at once it would cost thrice as much.
            changes = reshape(flat, (stages, size))
            slopes = [
                width * jacobian(lambda point, share=share: self.slope(t + float(share) * width, point))(y + changes[k])
                for k, share in enumerate(_POINTS)
            ]
            eye = asarray(np.eye(size), dtype=y.dtype, device=y.device)
            rows = [
                concat([eye * float(k == j) - float(_MATRIX[k, j]) * slopes[j] for j in range(stages)], axis=1)
                for k in range(stages)
            ]
            return concat(rows, axis=0)

        equation = Equation(self.op, equations, y.device, jacobian=derivative)
        with no_grad():
            start = float(width._host()) * self.slope(t, y)._host()
            found = _newton(self.op, equations, derivative, y.device, np.outer(_POINTS, start).reshape(-1))
        changes = reshape(solved(equation, found), (stages, size))
        polynomial = _Polynomial(t, width, y, y + changes[stages - 1])
        if self.between:
            inverse = np.linalg.inv(_POINTS[:, None] ** np.arange(1, 4))
            polynomial.coefficients = matmul(matrix_transpose(changes), polynomial.constants(inverse.T))
        return polynomial


def _newton(
    op: str,
    equations: Callable[[Array], Array],
    derivative: Callable[[Array], Array],
    device: Device,
    x: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:
    """The solution of the equations of one step, by Newton's method down to rounding errors."""
    former = np.inf
    for _ in range(50):
        point = asarray(x, device=device)
        change = np.linalg.solve(derivative(point)._host(), equations(point)._host())
        x = x - change
        size = float(np.max(np.abs(change), initial=0.0))
        scale = float(np.max(np.abs(x), initial=0.0))
        if size <= 1e-13 * scale or (size <= 1e-8 * scale and size >= former / 2):
            return x
        former = size
    raise _errors.NoDerivativeError(
        f"{op}(): the equations of a step, whose solution the derivative needs, have not been solved\n"
        "Fix: choose smaller tolerances, or detach what the solution depends on if no gradient is wanted"
    )


class Solution:
    """The solution between the first point and the last one.

    Attributes
    ----------
    ts : numpy.ndarray
        The ends of the steps.
    """

    def __init__(self, ts: np.ndarray[Any, Any], segments: Sequence[Segment], *, later: bool = False) -> None:
        self.ts = ts
        self.segments = segments
        #: Whether an end of two steps belongs to the later one, as for SciPy's methods of several steps.
        self.later = later

    def columns(self, t: Array) -> Array:
        """Values at a vector of points, in columns, whatever their order."""
        host = t._host()
        rising = self.ts[-1] >= self.ts[0]
        count = len(self.segments)
        order = self.ts if rising else self.ts[::-1]
        places = np.searchsorted(order, host, side="left" if rising != self.later else "right") - 1
        places = np.clip(places, 0, count - 1)
        places = places if rising else count - 1 - places
        parts, at = [], 0
        while at < len(places):
            stop = at
            while stop < len(places) and places[stop] == places[at]:
                stop += 1
            parts.append(self.segments[places[at]](t[at:stop]))
            at = stop
        return concat(parts, axis=-1)
