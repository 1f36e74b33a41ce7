"""Functions beyond the standard."""

import numpy as np

from gradient_cases import Case, complex_, real

HOLES = np.asarray([[1.0, np.nan, 3.0], [-2.0, 0.5, np.nan]])


def _with_holes(xp, x):
    """`x` with NaN in some places, whose gradient is 0."""
    return xp.where(xp.asarray(np.isnan(HOLES).tolist(), device=x.device), float("nan"), x)


CASES = [
    Case("diag", lambda xp, x: xp.diag(x) ** 2, (real(3),)),
    Case("diag", lambda xp, x: xp.diag(x, 2), (complex_(2),)),
    Case("diag", lambda xp, x: xp.diag(x, -1) ** 2, (real(3),)),
    Case("diag", lambda xp, x: xp.diag(x, 1) ** 2, (real(2, 3),)),
    Case("transpose", lambda xp, x: xp.transpose(x) ** 2, (real(2, 3, 2),)),
    Case("transpose", lambda xp, x: xp.transpose(x, (1, 0)), (complex_(2, 3),)),
    Case("hstack", lambda xp, x, y: xp.hstack([x, y]) ** 2, (real(2, 3), real(2, 1, seed=1))),
    Case("hstack", lambda xp, x, y: xp.hstack((x, y)), (real(2), real(3, seed=1))),
    Case("vstack", lambda xp, x, y: xp.vstack([x, y]) ** 2, (real(3), real(2, 3, seed=1))),
    Case("cumsum", lambda xp, x: xp.cumsum(x) ** 2, (real(2, 3),)),
    Case("cumsum", lambda xp, x: xp.cumsum(x, 0), (complex_(2, 3),)),
    Case("cumprod", lambda xp, x: xp.cumprod(x, axis=1), (real(2, 3),)),
    Case("cumprod", lambda xp, x: xp.cumprod(x), (real(2, 2),)),
    Case("median", lambda xp, x: xp.median(x) ** 2, (real(2, 3),)),
    Case("median", lambda xp, x: xp.median(x, axis=1, keepdims=True) * x, (real(2, 3),)),
    Case("median", lambda xp, x: xp.median(x, axis=(0, 2)), (real(2, 2, 3),)),
    Case("nansum", lambda xp, x: xp.nansum(_with_holes(xp, x) ** 2, axis=0), (real(2, 3),)),
    Case("nanprod", lambda xp, x: xp.nanprod(_with_holes(xp, x), axis=1), (real(2, 3),)),
    Case("nanmax", lambda xp, x: xp.nanmax(_with_holes(xp, x), axis=1) ** 2, (real(2, 3),)),
    Case("nanmin", lambda xp, x: xp.nanmin(_with_holes(xp, x)) ** 2, (real(2, 3),)),
    Case("nanmean", lambda xp, x: xp.nanmean(_with_holes(xp, x) ** 2, axis=1), (real(2, 3),)),
    Case("nanmean", lambda xp, x: xp.nanmean(x), (complex_(2, 3),)),
    Case("nanvar", lambda xp, x: xp.nanvar(_with_holes(xp, x), axis=1, ddof=1), (real(2, 3),)),
    Case("nanmean", lambda xp, x: xp.nanmean(_with_holes(xp, x) ** 2, 0, xp.float64), (real(2, 3),)),
    Case("nanmedian", lambda xp, x: xp.nanmedian(_with_holes(xp, x), axis=1) ** 2, (real(2, 3),)),
    Case("nanmedian", lambda xp, x: xp.nanmedian(x, keepdims=True) * x, (real(2, 3),)),
    Case("nancumsum", lambda xp, x: xp.nancumsum(_with_holes(xp, x), 1) ** 2, (real(2, 3),)),
    Case("nancumprod", lambda xp, x: xp.nancumprod(_with_holes(xp, x)), (real(2, 3),)),
    Case("einsum", lambda xp, x, y: xp.einsum("ij,jk->ki", x, y), (real(2, 3), real(3, 2, seed=1))),
    Case("einsum", lambda xp, x: xp.einsum("...ii->...", x * x), (complex_(2, 2, 2),)),
    Case("pad", lambda xp, x: xp.pad(x, ((1, 0), (2, 1)), "reflect") ** 2, (real(2, 3),)),
    Case("pad", lambda xp, x: xp.pad(x, 1) ** 2, (real(3),)),
    Case("linalg.norm", lambda xp, x: xp.linalg.norm(x), (real(2, 2, 2),)),
    Case("linalg.norm", lambda xp, x: xp.linalg.norm(x, axis=0, keepdims=True) * x, (complex_(2, 3),)),
    Case("linalg.norm", lambda xp, x: xp.linalg.norm(x, 3, axis=-1), (real(2, 3),)),
    Case("linalg.norm", lambda xp, x: xp.linalg.norm(x, "nuc", axis=(2, 0)), (real(2, 2, 3),)),
    Case("linalg.norm", lambda xp, x: xp.linalg.norm(x, 2), (real(2, 3),)),
    Case("nanstd", lambda xp, x: xp.nanstd(_with_holes(xp, x), keepdims=True), (real(2, 3),)),
]
