"""Sums of exponentials that do not overflow."""

from __future__ import annotations

from typing import Any

from ..._array import Array
from ..._dispatch import as_array, check_devices
from ..._graph import no_grad
from ..._operations import composite
from ...ops.conversion import asarray
from ...ops.elementwise import abs as absolute
from ...ops.elementwise import exp, isfinite, isinf, log, real, sign
from ...ops.elementwise._domain import as_floating
from ...ops.manipulation import squeeze
from ...ops.searching import where
from ...ops.statistical import max as largest
from ...ops.statistical import sum as total_of


@composite
def logsumexp(
    a: Array, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Array | tuple[Array, Array]:
    """Logarithm of the sum of the exponentials of the elements.

    Parameters
    ----------
    a : Array
        Real or complex floating-point. Integers and booleans count as float64.
    axis : int or tuple of int, optional
        Axes to sum over; all without it.
    b : Array or number, optional
        Factors of the exponentials, broadcast with `a`; negative ones too.
    keepdims : bool, default: False
        Whether the axes stay, with length 1.
    return_sign : bool, default: False
        Whether to give the logarithm of the absolute value of the sum, and its sign besides. Without it a negative sum
        of real numbers is NaN.

    Returns
    -------
    Array, or tuple of two
        The logarithm, and the sign if it is asked for.

    Notes
    -----
    As ``scipy.special.logsumexp``. Where all elements are minus infinity the gradient is 0.
    """
    check_devices("logsumexp", [("a", a), ("b", b)])
    a = as_floating(as_array(logsumexp, a))
    shift = _shift(a, axis)
    terms = exp(a - shift)
    if b is not None:
        factor = as_floating(asarray(b, device=a.device))
        terms = factor * where((factor == 0) & isinf(terms), 0.0, terms)
    total = total_of(terms, axis=axis, keepdims=True)
    # Nothing but zeros: the logarithm is minus infinity, and no element makes a difference.
    nothing = total == 0
    size = absolute(total) if return_sign else total
    logarithm = where(nothing, -float("inf"), log(where(nothing, 1.0, size))) + shift
    direction = sign(total)
    if not keepdims:
        axes = tuple(range(a.ndim)) if axis is None else axis
        logarithm, direction = (squeeze(part, axes) if part.ndim else part for part in (logarithm, direction))
    return (logarithm, direction) if return_sign else logarithm


@composite
def softmax(x: Array, axis: Any = None) -> Array:
    """Exponentials of the elements, divided by their sum.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.
    axis : int or tuple of int, optional
        Axes over which the results sum to 1; all without it.

    Returns
    -------
    Array
        Of the shape of `x`.

    Notes
    -----
    As ``scipy.special.softmax``.
    """
    x = as_floating(as_array(softmax, x))
    powers = exp(x - _shift(x, axis))
    return powers / total_of(powers, axis=axis, keepdims=True)


@composite
def log_softmax(x: Array, axis: Any = None) -> Array:
    """Logarithm of the `softmax` of the elements, precise where that is small.

    Parameters
    ----------
    x : Array
        Real or complex floating-point. Integers and booleans count as float64.
    axis : int or tuple of int, optional
        Axes over which the exponentials of the results sum to 1; all without it.

    Returns
    -------
    Array
        Of the shape of `x`.

    Notes
    -----
    As ``scipy.special.log_softmax``.
    """
    x = as_floating(as_array(log_softmax, x))
    shifted = x - _shift(x, axis)
    return shifted - log(total_of(exp(shifted), axis=axis, keepdims=True))


def _shift(x: Array, axis: Any) -> Array:
    """The largest real part, which is taken off so that nothing overflows; it makes no difference to the derivative."""
    with no_grad():
        parts = real(x.detach()) if x.dtype.kind == "c" else x.detach()
        if not x.size:
            return total_of(parts, axis=axis, keepdims=True)
        top = largest(parts, axis=axis, keepdims=True)
        return where(isfinite(top), top, 0.0)
