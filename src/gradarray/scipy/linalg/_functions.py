"""Functions of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._array import Array
from ..._backend import Backend
from ..._dispatch import run
from ..._kernels import scipy_function
from ..._operations import composite, derivative
from ...linalg import inv
from ...linalg._matrices import adjoint, square_matrices
from ...ops.elementwise import imag, real
from ...ops.elementwise._domain import as_floating
from .._kernels import Kernel, kernel, on_host


def _along(xp: Any, function: Any, a: Any, direction: Any) -> Any:
    """The derivative of a function of matrices along a direction: a block of the function of a larger matrix."""
    size = a.shape[-1]
    direction = direction + 0 * a  # of one data type
    a = a + 0 * direction
    top = xp.concat([a, direction], axis=-1)
    bottom = xp.concat([0 * a, a], axis=-1)
    return function(xp.concat([top, bottom], axis=-2))[..., :size, size:]


def _each(name: str) -> Any:
    """A function of SciPy of one matrix, over stacks."""

    def of_stack(a: Any) -> Any:
        function = scipy_function(f"linalg.{name}")
        flat = a.reshape((-1, *a.shape[-2:]))
        found = [function(matrix) for matrix in flat]
        if not found:
            return np.zeros(a.shape, a.dtype)
        out = np.stack(found).reshape(a.shape)
        return out.astype(np.result_type(a.dtype, np.complex64) if out.dtype.kind == "c" else a.dtype)

    return of_stack


@kernel("linalg.expm")
def _expm(backend: Backend) -> Kernel:
    return on_host(backend, _each("expm"))


@kernel("linalg.logm")
def _logm(backend: Backend) -> Kernel:
    return on_host(backend, _each("logm"))


@kernel("linalg.sqrtm")
def _sqrtm(backend: Backend) -> Kernel:
    return on_host(backend, _each("sqrtm"))


@derivative(A=lambda xp, g, A: _along(xp, xp.scipy.linalg.expm, adjoint(xp, A), g), kind="matrix")
def expm(A: Array, /) -> Array:
    """Exponential of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``, real or complex floating-point; integers count as float64.

    Returns
    -------
    Array
        Of the shape of `A`.

    Raises
    ------
    ShapeError
        If the matrices are not square.

    Notes
    -----
    As ``scipy.linalg.expm``. The derivative, of any order, is a block of the exponential of a larger matrix.
    """
    return run(expm, as_floating(square_matrices(expm, A)))


@derivative(A=lambda xp, g, A: _along(xp, xp.scipy.linalg.logm, adjoint(xp, A), g), kind="matrix")
def logm(A: Array, /) -> Array:
    """Principal logarithm of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``, real or complex floating-point; integers count as float64.

    Returns
    -------
    Array
        Of the shape of `A`; complex where eigenvalues of real matrices are negative.

    Raises
    ------
    ShapeError
        If the matrices are not square.

    Notes
    -----
    As ``scipy.linalg.logm``.
    """
    return run(logm, as_floating(square_matrices(logm, A)))


@derivative(A=lambda xp, g, A: _along(xp, xp.scipy.linalg.sqrtm, adjoint(xp, A), g), kind="matrix")
def sqrtm(A: Array, /) -> Array:
    """Principal square root of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``, real or complex floating-point; integers count as float64.

    Returns
    -------
    Array
        Of the shape of `A`; complex where eigenvalues of real matrices are negative.

    Raises
    ------
    ShapeError
        If the matrices are not square.

    Notes
    -----
    As ``scipy.linalg.sqrtm``. There is no derivative at singular matrices.
    """
    return run(sqrtm, as_floating(square_matrices(sqrtm, A)))


@composite
def expm_frechet(A: Array, E: Array, method: Any = None, compute_expm: bool = True, check_finite: bool = True) -> Any:
    """Derivative of the exponential of a matrix along a direction.

    Parameters
    ----------
    A, E : Array
        The matrix and the direction, of the shape ``(..., n, n)``.
    method, check_finite
        Not used.
    compute_expm : bool, default: True
        Whether to give the exponential too.

    Returns
    -------
    Array, or tuple of two
        The exponential if it is asked for, and its derivative.

    Notes
    -----
    As ``scipy.linalg.expm_frechet``.
    """
    import gradarray

    slope = _along(gradarray, expm, as_floating(square_matrices(expm_frechet, A)), as_floating(E))
    return (expm(A), slope) if compute_expm else slope


def _parts(A: Array) -> tuple[Array, Array]:
    """The exponentials of the matrix times the imaginary unit, and of its negative."""
    return expm(1j * A), expm(-1j * A)


@composite
def cosm(A: Array) -> Array:
    """Cosine of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.cosm``.
    """
    A = as_floating(square_matrices(cosm, A))
    if A.dtype.kind != "c":
        return real(expm(1j * A))
    first, second = _parts(A)
    return (first + second) / 2


@composite
def sinm(A: Array) -> Array:
    """Sine of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.sinm``.
    """
    A = as_floating(square_matrices(sinm, A))
    if A.dtype.kind != "c":
        return imag(expm(1j * A))
    first, second = _parts(A)
    return -0.5j * (first - second)


@composite
def tanm(A: Array) -> Array:
    """Tangent of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.tanm``.
    """
    return inv(cosm(A)) @ sinm(A)


@composite
def coshm(A: Array) -> Array:
    """Hyperbolic cosine of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.coshm``.
    """
    return (expm(A) + expm(-A)) / 2


@composite
def sinhm(A: Array) -> Array:
    """Hyperbolic sine of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.sinhm``.
    """
    return (expm(A) - expm(-A)) / 2


@composite
def tanhm(A: Array) -> Array:
    """Hyperbolic tangent of each square matrix of a stack.

    Parameters
    ----------
    A : Array
        Of the shape ``(..., n, n)``.

    Returns
    -------
    Array
        Of the shape of `A`.

    Notes
    -----
    As ``scipy.linalg.tanhm``.
    """
    return inv(coshm(A)) @ sinhm(A)
