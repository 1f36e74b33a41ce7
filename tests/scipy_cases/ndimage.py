"""Filters of images and interpolation, in the image, in weights and in coordinates."""

import numpy as np
from gradient_cases import Case, real

#: Between the elements, within and beyond the ends.
PLACES = np.asarray([[0.3, 1.6, -0.4], [0.7, 2.2, 1.4]])

CASES = [
    *[
        Case(
            "ndimage.correlate1d",
            lambda sp, x, w, mode=mode: sp.ndimage.correlate1d(x, w, 0, mode=mode),
            (real(4, 2), real(3, seed=1)),
        )
        for mode in ("reflect", "constant", "nearest", "mirror", "wrap")
    ],
    Case("ndimage.convolve1d", lambda sp, x, w: sp.ndimage.convolve1d(x, w), (real(4), real(2, seed=1))),
    Case("ndimage.correlate", lambda sp, x, w: sp.ndimage.correlate(x, w), (real(3, 3), real(2, 2, seed=1))),
    Case("ndimage.convolve", lambda sp, x, w: sp.ndimage.convolve(x, w, mode="wrap"), (real(3, 3), real(2, 2, seed=1))),
    Case("ndimage.gaussian_filter", lambda sp, x: sp.ndimage.gaussian_filter(x, 0.8) ** 2, (real(3, 3),)),
    Case("ndimage.gaussian_filter1d", lambda sp, x: sp.ndimage.gaussian_filter1d(x, 0.8, order=1), (real(5),)),
    Case("ndimage.uniform_filter", lambda sp, x: sp.ndimage.uniform_filter(x, 2) ** 2, (real(3, 3),)),
    Case("ndimage.uniform_filter1d", lambda sp, x: sp.ndimage.uniform_filter1d(x, 3), (real(5),)),
    Case("ndimage.laplace", lambda sp, x: sp.ndimage.laplace(x), (real(3, 3),)),
    Case("ndimage.sobel", lambda sp, x: sp.ndimage.sobel(x), (real(3, 3),)),
    Case("ndimage.prewitt", lambda sp, x: sp.ndimage.prewitt(x, 0), (real(3, 3),)),
    Case("ndimage.gaussian_laplace", lambda sp, x: sp.ndimage.gaussian_laplace(x, 0.7), (real(3, 3),)),
    Case(
        "ndimage.gaussian_gradient_magnitude",
        lambda sp, x: sp.ndimage.gaussian_gradient_magnitude(x, 0.7),
        (real(3, 4),),
    ),
    *[
        Case(f"ndimage.{name}", lambda sp, x, name=name: getattr(sp.ndimage, name)(x, 2) ** 2, (real(3, 3),))
        for name in ("maximum_filter", "minimum_filter", "median_filter")
    ],
    Case("ndimage.rank_filter", lambda sp, x: sp.ndimage.rank_filter(x, 1, 3) ** 2, (real(5),)),
    Case("ndimage.percentile_filter", lambda sp, x: sp.ndimage.percentile_filter(x, 40, 3) ** 2, (real(5),)),
    Case("ndimage.spline_filter1d", lambda sp, x: sp.ndimage.spline_filter1d(x, 3, 0) ** 2, (real(4, 2),)),
    Case("ndimage.spline_filter", lambda sp, x: sp.ndimage.spline_filter(x, 2), (real(3, 3),)),
    *[
        Case(
            "ndimage.map_coordinates",
            lambda sp, x, at, order=order, mode=mode: sp.ndimage.map_coordinates(x, at, order=order, mode=mode),
            (real(4, 4), PLACES),
        )
        for order, mode in ((1, "reflect"), (3, "mirror"), (3, "nearest"), (2, "grid-wrap"), (5, "constant"))
    ],
    Case(
        "ndimage.map_coordinates", lambda sp, x: sp.ndimage.map_coordinates(x, [[0.6], [1.2]], order=0), (real(3, 3),)
    ),
    Case(
        "ndimage.shift", lambda sp, x, d: sp.ndimage.shift(x, d, mode="mirror"), (real(4, 4), np.asarray([0.3, -0.6]))
    ),
    Case("ndimage.zoom", lambda sp, x: sp.ndimage.zoom(x, 1.6), (real(4),)),
    Case(
        "ndimage.affine_transform",
        lambda sp, x, m, o: sp.ndimage.affine_transform(x, m, o, order=3, mode="mirror"),
        (real(3, 3), np.asarray([[0.9, 0.2], [-0.3, 1.1]]), np.asarray([0.24, -0.13])),
    ),
]
