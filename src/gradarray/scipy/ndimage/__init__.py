"""Filters of images and interpolation, differentiable in the image, and in weights and coordinates."""

from ._interpolation import affine_transform, map_coordinates, shift, spline_filter, spline_filter1d, zoom
from ._linear import (
    convolve,
    convolve1d,
    correlate,
    correlate1d,
    gaussian_filter,
    gaussian_filter1d,
    gaussian_gradient_magnitude,
    gaussian_laplace,
    laplace,
    prewitt,
    sobel,
    uniform_filter,
    uniform_filter1d,
)
from ._order import maximum_filter, median_filter, minimum_filter, percentile_filter, rank_filter

__all__ = [
    "affine_transform",
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "gaussian_filter",
    "gaussian_filter1d",
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "laplace",
    "map_coordinates",
    "maximum_filter",
    "median_filter",
    "minimum_filter",
    "percentile_filter",
    "prewitt",
    "rank_filter",
    "shift",
    "sobel",
    "spline_filter",
    "spline_filter1d",
    "uniform_filter",
    "uniform_filter1d",
    "zoom",
]
