"""Systems of linear equations with a banded matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._dispatch import run
from ..._operations import derivative
from ...ops import _rules
from .._kernels import Kernel, kernel, on_host, scipy_function

if TYPE_CHECKING:
    from ..._backend import Backend


@kernel("interpolate.solve_banded")
def _solve_banded_kernel(backend: Backend) -> Kernel:
    theirs = scipy_function("linalg.solve_banded")

    def solved(ab: Any, b: Any, *, lower: int, upper: int) -> Any:
        if not b.size:
            return np.zeros(b.shape, np.result_type(ab, b))
        return theirs((lower, upper), ab, b, check_finite=False)

    return on_host(backend, solved)


def _shifted(xp: Any, row: Any, places: int) -> Any:
    """A row with each element `places` further to the left, and zeros behind."""
    if not places:
        return row
    lost = row[:places] if places > 0 else row[places:]
    nothing = xp.zeros_like(lost)
    return xp.concat([row[places:], nothing]) if places > 0 else xp.concat([nothing, row[:places]])


def _adjoint(xp: Any, ab: Any, lower: int, upper: int) -> Any:
    """The bands of the adjoint matrix, which has `upper` below and `lower` above."""
    rows = [
        _shifted(xp, _rules.conj(ab[lower + upper - position, ...]), position - lower)
        for position in range(lower + upper + 1)
    ]
    return xp.stack(rows, axis=0)


def _solve_banded(
    xp: Any, g: Any, ab: Any, out: Any, *, lower: int, upper: int, needed: tuple[bool, bool]
) -> list[Any]:
    g = xp.scipy.interpolate.solve_banded(_adjoint(xp, ab, lower, upper), g, lower=upper, upper=lower)
    bands = None
    if needed[0]:
        # Element (i, j) of the matrix is column j of the band i - j + upper.
        out = _rules.conj(out)
        rows = []
        for position in range(lower + upper + 1):
            rows.append(-xp.sum(_below(xp, g, position - upper) * out, axis=1))
        bands = xp.stack(rows, axis=0)
    return [bands, g if needed[1] else None]


def _below(xp: Any, g: Any, places: int) -> Any:
    """The rows that lie `places` below, and zeros where there are none."""
    if not places:
        return g
    lost = g[:places, ...] if places > 0 else g[places:, ...]
    nothing = xp.zeros_like(lost)
    return (
        xp.concat([g[places:, ...], nothing], axis=0) if places > 0 else xp.concat([nothing, g[:places, ...]], axis=0)
    )


@derivative(joint=_solve_banded)
def solve_banded(ab: Array, b: Array, /, *, lower: int, upper: int) -> Array:
    """Solution of a system of linear equations whose matrix has non-zero elements near the diagonal only.

    Parameters
    ----------
    ab : Array
        The diagonals of the matrix, from the uppermost to the lowest, each in the columns in which it stands in the
        matrix: of shape ``(lower + upper + 1, M)``, and ``M`` must be greater than `lower` and `upper`.
    b : Array
        Right sides, of shape ``(M, K)``.
    lower, upper : int
        The number of diagonals below and above the main one.

    Returns
    -------
    Array
        Of the shape of `b`.

    Raises
    ------
    LinearAlgebraError
        If the matrix is singular.
    """
    if ab.shape[1] <= max(lower, upper):
        # LAPACK wants every diagonal to have an element; no spline of this library has fewer.
        raise _errors.ShapeError(
            _errors.message("solve_banded", "there are more diagonals than rows", [("ab", ab)], "solve a full matrix")
        )
    return run(solve_banded, ab, b, lower=lower, upper=upper)
