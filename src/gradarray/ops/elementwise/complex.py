"""The parts of complex numbers. Each function is linear over the real numbers."""

from __future__ import annotations

from ..._array import Array
from ..._dispatch import unary
from ..._operations import derivative, same
from .. import _rules


@derivative(x=same, kind="linear")
def real(x: Array, /) -> Array:
    """Real part of each element.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape of `x`, in memory of its own: for complex numbers of the real dtype of the same precision, for
        others a copy.

    Notes
    -----
    Standard: Elementwise functions, ``real``.
    """
    return unary(real, x)


@derivative(x=lambda xp, g: g * 1j, kind="linear")
def imag(x: Array, /) -> Array:
    """Imaginary part of each element.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape of `x`, in memory of its own: for complex numbers of the real dtype of the same precision, for
        others zeros of their dtype.

    Notes
    -----
    Standard: Elementwise functions, ``imag``.
    """
    return unary(imag, x)


@derivative(x=lambda xp, g: _rules.conj(g), kind="linear")
def conj(x: Array, /) -> Array:
    """Complex conjugate of each element.

    Parameters
    ----------
    x : Array
        Numbers of any kind.

    Returns
    -------
    Array
        Of the shape and dtype of `x`, in memory of its own: for numbers that are not complex a copy.

    Notes
    -----
    Standard: Elementwise functions, ``conj``.
    """
    return unary(conj, x)
