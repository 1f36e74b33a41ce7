"""Densities of vectors."""

from __future__ import annotations

import math
from typing import Any

from ..._array import Array
from ..._dispatch import check_devices
from ..._errors import ShapeError
from ...linalg import cholesky, diagonal, solve
from ...ops.conversion import asarray
from ...ops.creation import eye
from ...ops.elementwise import exp, log
from ...ops.elementwise._domain import as_floating
from ...ops.manipulation import broadcast_to, expand_dims, moveaxis
from ...ops.statistical import sum as total
from .. import special


class _multivariate_normal:
    """The normal distribution of vectors."""

    def logpdf(self, x: Array, mean: Any = None, cov: Any = 1) -> Array:
        """Logarithm of the density at the vectors along the last axis of `x`.

        Parameters
        ----------
        x : Array
            Of the shape ``(..., n)``.
        mean : Array, optional
            Of the shape ``(n,)``; 0 without it.
        cov : Array or number, default: 1
            The covariance: a positive definite matrix, the ``n`` variances, or one variance for all.

        Returns
        -------
        Array
            Of the shape ``(...)``.

        Raises
        ------
        LinearAlgebraError
            If `cov` is not positive definite.
        ShapeError
            If the shapes do not belong together.
        """
        check_devices("multivariate_normal.logpdf", [("x", x), ("mean", mean), ("cov", cov)])
        x = as_floating(asarray(x))
        length = x.shape[-1] if x.ndim else 1
        centred = x if mean is None else x - as_floating(asarray(mean, device=x.device))
        matrix = as_floating(asarray(cov, device=x.device, dtype=None if isinstance(cov, Array) else x.dtype))
        if matrix.ndim < 2:
            matrix = eye(length, dtype=x.dtype, device=x.device) * matrix
        if matrix.shape != (length, length) or not x.ndim or centred.shape != x.shape:
            raise ShapeError(
                f"multivariate_normal.logpdf(): x {x.shape}, x - mean {centred.shape} and cov {matrix.shape} do not "
                "belong together\nFix: pass (..., n), (n,) and (n, n)"
            )
        factor = cholesky(matrix)
        standard = solve(broadcast_to(factor, (*x.shape[:-1], length, length)), expand_dims(centred, axis=-1))[..., 0]
        spread = total(log(diagonal(factor)))
        return -total(standard * standard, axis=-1) / 2 - spread - length / 2 * math.log(2 * math.pi)

    def pdf(self, x: Array, mean: Any = None, cov: Any = 1) -> Array:
        """Density at the vectors along the last axis of `x`; see `logpdf`."""
        return exp(self.logpdf(x, mean, cov))


class _dirichlet:
    """The Dirichlet distribution of proportions."""

    def logpdf(self, x: Array, alpha: Array) -> Array:
        """Logarithm of the density at the vectors along the first axis of `x`.

        Parameters
        ----------
        x : Array
            Of the shape ``(n, ...)``, or ``(n - 1, ...)`` without the last proportion.
        alpha : Array
            Concentrations, of the shape ``(n,)``.

        Returns
        -------
        Array
            Of the shape ``(...)``.

        Raises
        ------
        ShapeError
            If the shapes do not belong together.

        Notes
        -----
        That the proportions add up to 1 is not checked: their gradient is that of the formula in each of them.
        """
        check_devices("dirichlet.logpdf", [("x", x), ("alpha", alpha)])
        x, alpha = as_floating(asarray(x)), as_floating(asarray(alpha))
        if alpha.ndim != 1 or not x.ndim or x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
            raise ShapeError(
                f"dirichlet.logpdf(): x {x.shape} and alpha {alpha.shape} do not belong together\n"
                "Fix: pass (n, ...) and (n,)"
            )
        powers = alpha - 1
        if x.shape[0] == alpha.shape[0]:
            terms = special.xlogy(powers, moveaxis(x, 0, -1))
            logarithm = total(terms, axis=-1)
        else:
            logarithm = total(special.xlogy(powers[:-1], moveaxis(x, 0, -1)), axis=-1)
            logarithm = logarithm + special.xlogy(powers[-1], 1 - total(x, axis=0))
        return logarithm + special.gammaln(total(alpha)) - total(special.gammaln(alpha))

    def pdf(self, x: Array, alpha: Array) -> Array:
        """Density at the vectors along the first axis of `x`; see `logpdf`."""
        return exp(self.logpdf(x, alpha))


multivariate_normal = _multivariate_normal()
dirichlet = _dirichlet()
