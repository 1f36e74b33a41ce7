"""Entropy, divergences and robust losses, element by element."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._operations import derivative
from ...ops.elementwise._domain import floating
from .._kernels import from_scipy
from ._domain import several

from_scipy(*["special." + name for name in "entr rel_entr kl_div huber pseudo_huber".split()])


@derivative(x=lambda xp, g, x: g * (-xp.log(x) - 1), kind="elementwise")
def entr(x: Array, /) -> Array:
    """Entropy of each element, ``-x * log(x)``; 0 at 0 and minus infinity below.

    Parameters
    ----------
    x : Array
        Real floating-point. Integers and booleans count as float64.

    Returns
    -------
    Array
        Of the shape of `x`; floating-point.

    Notes
    -----
    As ``scipy.special.entr``.
    """
    return floating(entr, x)


@derivative(
    x=lambda xp, g, x, y: g * (xp.log(x) - xp.log(y) + 1),
    y=lambda xp, g, x, y: g * (-x / xp.where((x == 0) & (y == 0), math.inf, y)),
    kind="elementwise",
)
def rel_entr(x: Any, y: Any, /) -> Array:
    """Relative entropy, ``x * log(x / y)``; 0 where `x` is 0 and `y` is not negative.

    Parameters
    ----------
    x, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.rel_entr``.
    """
    return several(rel_entr, x, y)


@derivative(
    x=lambda xp, g, x, y: g * (xp.log(x) - xp.log(y)),
    y=lambda xp, g, x, y: g * (1 - x / xp.where((x == 0) & (y == 0), math.inf, y)),
    kind="elementwise",
)
def kl_div(x: Any, y: Any, /) -> Array:
    """Kullback-Leibler divergence, ``x * log(x / y) - x + y``; `y` where `x` is 0 and `y` is not negative.

    Parameters
    ----------
    x, y : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.kl_div``.
    """
    return several(kl_div, x, y)


@derivative(
    delta=lambda xp, g, delta, r: g * xp.where(xp.abs(r) > delta, xp.abs(r) - delta, 0),
    r=lambda xp, g, delta, r: g * xp.where(xp.abs(r) > delta, delta * xp.sign(r), r),
    kind="elementwise",
)
def huber(delta: Any, r: Any, /) -> Array:
    """Huber loss: quadratic in `r` up to `delta`, linear beyond.

    Parameters
    ----------
    delta, r : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.huber``.
    """
    return several(huber, delta, r)


@derivative(
    delta=lambda xp, g, delta, r, out: g * (2 * out / delta - r * (r / delta) / xp.sqrt(1 + (r / delta) ** 2)),
    r=lambda xp, g, delta, r: g * (r / xp.sqrt(1 + (r / delta) ** 2)),
    kind="elementwise",
)
def pseudo_huber(delta: Any, r: Any, /) -> Array:
    """Pseudo-Huber loss, ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``.

    Parameters
    ----------
    delta, r : Array or number
        Real floating-point. They are broadcast together; one must be an array. Integers alone count as float64.

    Returns
    -------
    Array
        Of the shape of the parameters broadcast; floating-point.

    Notes
    -----
    As ``scipy.special.pseudo_huber``.
    """
    return several(pseudo_huber, delta, r)
