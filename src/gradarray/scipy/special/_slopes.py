"""Derivatives of the incomplete gamma and beta functions in their parameters, for which there is no closed form.

Each is the integral of a density times its score, the derivative of its logarithm. Over all of the support that is 0,
so the integral on either side of the argument will do. On the smaller side the score has one sign, and no digits are
lost; the quadrature rules are double exponential, for which singular ends do not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._array import Array
from ..._backend import Backend
from ..._operations import derivative
from .._kernels import Kernel, kernel, on_host, scipy_function
from .._rules import unknown
from ._domain import several

_STEP = 1 / 32
#: Elements at once: the quadrature has some 600 points for each.
_CHUNK = 4096

#: Below, the mass lies at points that no double has a logarithm for: NaN is given.
_LEAST = 1e-5

_abscissas = np.arange(-16, 3.3, _STEP)
_power = np.pi / 2 * np.sinh(_abscissas)
#: The rule from 0 to 1, singular at 0: logarithms of the points, what is left to 1, and logarithms of the weights.
_LOG_POINTS = -np.logaddexp(0, -2 * _power)
_LEFT = 1 / (1 + np.exp(2 * _power))
_LOG_WEIGHTS = np.log(_STEP * np.pi * np.cosh(_abscissas)) + _LOG_POINTS - np.logaddexp(0, 2 * _power)
_abscissas = np.arange(-3.7, 3.2, _STEP)
_power = np.pi / 2 * np.sinh(_abscissas)
#: The rule from 0 to infinity.
_FAR_POINTS = np.exp(_power)
_FAR_LOG_WEIGHTS = np.log(_STEP * np.pi / 2 * np.cosh(_abscissas)) + _power


def _in_chunks(function: Any, *operands: Any) -> Any:
    """A function of columns of elements, a few at a time, over operands that are broadcast."""
    dtype = np.result_type(*operands)
    shape = np.broadcast_shapes(*[x.shape for x in operands])
    columns = [np.broadcast_to(x, shape).reshape(-1, 1).astype(np.float64) for x in operands]
    out = np.empty(columns[0].shape[0])
    with np.errstate(all="ignore"):
        for start in range(0, out.size, _CHUNK):
            out[start : start + _CHUNK] = function(*[column[start : start + _CHUNK] for column in columns])
    return out.reshape(shape).astype(dtype)


def _gamma(a: Any, x: Any) -> Any:
    """The derivative of the regularised lower incomplete gamma function in `a`."""
    gammaln, psi = scipy_function("special.gammaln"), scipy_function("special.psi")
    centre, norm = psi(a), gammaln(a)
    log_x = np.log(x)
    below = log_x < centre
    log_t = log_x + _LOG_POINTS
    near = np.sum(np.exp((a - 1) * log_t - np.exp(log_t) - norm + log_x + _LOG_WEIGHTS) * (log_t - centre), axis=1)
    # On the far side the density falls at this rate, or the tail is as wide as the peak.
    scale = x / (np.maximum(x - a, 0) + np.sqrt(x) + 1)
    t = x + scale * _FAR_POINTS
    terms = np.exp((a - 1) * np.log(t) - t - norm + np.log(scale) + _FAR_LOG_WEIGHTS) * (np.log(t) - centre)
    far = -np.sum(np.where(np.isfinite(terms), terms, 0), axis=1)
    slope = np.where(below[:, 0], near, far)
    slope = np.where((x[:, 0] == 0) | np.isposinf(x[:, 0]), 0, slope)
    return np.where((a[:, 0] >= _LEAST) & (x[:, 0] >= 0), slope, np.nan)


def _beta(a: Any, b: Any, x: Any) -> Any:
    """The derivative of the regularised incomplete beta function in `a`."""
    psi, betaln = scipy_function("special.psi"), scipy_function("special.betaln")
    centre, norm = psi(a) - psi(a + b), betaln(a, b)
    log_x, log_rest = np.log(x), np.log1p(-x)
    below = log_x < centre
    log_t = log_x + _LOG_POINTS
    # 1 - t is what is left of x, and what is beyond it.
    log_left = np.log((1 - x) + x * _LEFT)
    terms = np.exp((a - 1) * log_t + (b - 1) * log_left - norm + log_x + _LOG_WEIGHTS) * (log_t - centre)
    near = np.sum(terms, axis=1)
    log_s = log_rest + _LOG_POINTS
    log_t = np.log(x + (1 - x) * _LEFT)
    terms = np.exp((b - 1) * log_s + (a - 1) * log_t - norm + log_rest + _LOG_WEIGHTS) * (log_t - centre)
    far = -np.sum(terms, axis=1)
    slope = np.where(below[:, 0], near, far)
    slope = np.where((x[:, 0] == 0) | (x[:, 0] == 1), 0, slope)
    valid = (a[:, 0] >= _LEAST) & (b[:, 0] >= _LEAST) & (x[:, 0] >= 0) & (x[:, 0] <= 1)
    return np.where(valid, slope, np.nan)


@derivative(
    a=unknown("gammainc", "a", second=True),
    x=lambda xp, g, a, x: g * _scored_gamma(xp, a, x),
    kind="elementwise",
)
def gammainc_slope(a: Any, x: Any, /) -> Array:
    """Derivative of `gammainc` in `a`."""
    return several(gammainc_slope, a, x)


def _scored_gamma(xp: Any, a: Any, x: Any) -> Any:
    special = xp.scipy.special
    return xp.exp(special.xlogy(a - 1, x) - x - special.gammaln(a)) * (xp.log(x) - special.psi(a))


@derivative(
    a=unknown("betainc", "a", second=True),
    b=unknown("betainc", "b", second=True),
    x=lambda xp, g, a, b, x: g * _scored_beta(xp, a, b, x),
    kind="elementwise",
)
def betainc_slope(a: Any, b: Any, x: Any, /) -> Array:
    """Derivative of `betainc` in `a`."""
    return several(betainc_slope, a, b, x)


def _scored_beta(xp: Any, a: Any, b: Any, x: Any) -> Any:
    special = xp.scipy.special
    density = xp.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))
    return density * (xp.log(x) - special.psi(a) + special.psi(a + b))


@kernel("special.gammainc_slope")
def _gammainc_slope(backend: Backend) -> Kernel:
    return on_host(backend, lambda a, x: _in_chunks(_gamma, a, x))


@kernel("special.betainc_slope")
def _betainc_slope(backend: Backend) -> Kernel:
    return on_host(backend, lambda a, b, x: _in_chunks(_beta, a, b, x))
