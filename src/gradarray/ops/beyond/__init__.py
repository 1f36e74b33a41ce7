"""Names beyond the standard that libraries call on any namespace that has them: with NumPy's meaning, wholly.

All are made of the standard's functions, so they are differentiated to any order and run on every backend.
"""

from .general import allclose, cumprod, cumsum, diag, hstack, isclose, logspace, median, transpose, vstack
from .missing import nancumprod, nancumsum, nanmax, nanmean, nanmedian, nanmin, nanprod, nanstd, nansum, nanvar
from .norms import norm
from .numpys import einsum, pad

__all__ = [
    "allclose",
    "cumprod",
    "cumsum",
    "diag",
    "einsum",
    "hstack",
    "isclose",
    "logspace",
    "median",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "norm",
    "pad",
    "transpose",
    "vstack",
]
