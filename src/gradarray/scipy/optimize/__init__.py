"""Roots and minima: SciPy's algorithms, and derivatives in what the functions depend on."""

from ._least_squares import curve_fit, least_squares
from ._minimize import minimize, minimize_scalar
from ._roots import bisect, brenth, brentq, fixed_point, newton, ridder, root, root_scalar, toms748

__all__ = [
    "bisect",
    "brenth",
    "brentq",
    "curve_fit",
    "fixed_point",
    "least_squares",
    "minimize",
    "minimize_scalar",
    "newton",
    "ridder",
    "root",
    "root_scalar",
    "toms748",
]
