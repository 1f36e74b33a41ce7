"""Interpolation, under SciPy's names: differentiable in the values, the points and where it is evaluated.

The interpolators are objects, as in SciPy. Of their arguments, those that are gradarray's arrays say on which device
and how precisely they compute; NumPy's arrays and sequences beside them are constants.
"""

from ._banded import solve_banded  # noqa: F401 - rules look for it here
from ._bsplines import BSpline, make_interp_spline
from ._cubic import Akima1DInterpolator, CubicHermiteSpline, CubicSpline, PchipInterpolator
from ._grid import RegularGridInterpolator, interpn
from ._one import interp1d
from ._piecewise import PPoly
from ._polynomials import (
    BarycentricInterpolator,
    KroghInterpolator,
    barycentric_interpolate,
    krogh_interpolate,
    pchip_interpolate,
)
from ._scattered import LinearNDInterpolator, NearestNDInterpolator, RBFInterpolator, griddata

__all__ = [
    "Akima1DInterpolator",
    "BSpline",
    "BarycentricInterpolator",
    "CubicHermiteSpline",
    "CubicSpline",
    "KroghInterpolator",
    "LinearNDInterpolator",
    "NearestNDInterpolator",
    "PPoly",
    "PchipInterpolator",
    "RBFInterpolator",
    "RegularGridInterpolator",
    "barycentric_interpolate",
    "griddata",
    "interp1d",
    "interpn",
    "krogh_interpolate",
    "make_interp_spline",
    "pchip_interpolate",
]
