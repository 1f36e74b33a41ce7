"""Filters of images and interpolation: SciPy's values on every device, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage

import gradarray as ga
from gradarray.scipy import ndimage

RNG = np.random.default_rng(0)
IMAGE, LINE = RNG.normal(size=(5, 6)), RNG.normal(size=7)
PLACES = np.stack([RNG.uniform(-3, 8, (4, 3)), RNG.uniform(-3, 9, (4, 3))])
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-wrap", "grid-mirror", "grid-constant")


def check(name, *operands, rtol=1e-10, **keywords):
    """Compare a function with SciPy's own."""
    expected = getattr(scipy.ndimage, name)(*operands, **keywords)
    ours = [ga.asarray(x) if isinstance(x, np.ndarray) else x for x in operands]
    found = getattr(ndimage, name)(*ours, **keywords)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=rtol, atol=1e-11)


@pytest.mark.parametrize("mode", MODES)
def test_linear_filters(mode, device):
    for weights in ([1.0, 2.0, 3.0], [1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0] * 3):
        check("correlate1d", IMAGE, weights, axis=0, mode=mode, origin=-1, cval=0.7)
        check("convolve1d", IMAGE, weights, mode=mode, origin=0)
    check("correlate", IMAGE, RNG.normal(size=(2, 3)), mode=mode, origin=(0, -1))
    check("convolve", IMAGE, RNG.normal(size=(2, 3)), mode=mode, origin=(0, 1))
    check("convolve", IMAGE, RNG.normal(size=(3, 4)), mode=mode, cval=0.5)
    check("uniform_filter", IMAGE, (3, 2), mode=mode, origin=(1, 0))
    check("uniform_filter1d", LINE, 4, mode=mode)
    check("sobel", IMAGE, mode=mode)
    check("prewitt", IMAGE, axis=0, mode=mode)
    check("laplace", IMAGE, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_gaussian_filters(mode, device):
    check("gaussian_filter", IMAGE, 1.3, mode=mode)
    check("gaussian_filter", IMAGE, (1.3, 0.5), order=(1, 2), mode=mode)
    check("gaussian_filter", IMAGE, 1.0, axes=(1,), mode=mode)
    check("gaussian_filter1d", LINE, 2.0, order=3, mode=mode, radius=3)
    check("gaussian_laplace", IMAGE, 1.0, mode=mode)
    check("gaussian_gradient_magnitude", IMAGE, 1.0, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_filters_that_choose(mode, device):
    for name in ("maximum_filter", "minimum_filter", "median_filter"):
        check(name, IMAGE, 3, mode=mode)
        check(name, IMAGE, (2, 3), mode=mode, origin=(0, -1))
        check(name, IMAGE, footprint=[[0, 1], [1, 1]], mode=mode, cval=0.2)
    check("rank_filter", IMAGE, -2, 3, mode=mode)
    check("percentile_filter", IMAGE, 30, 3, mode=mode)
    check("percentile_filter", IMAGE, -20, 3, mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", range(6))
def test_interpolation(mode, order, device):
    check("map_coordinates", IMAGE, PLACES, order=order, mode=mode, cval=0.3)
    check("shift", IMAGE, (0.7, -1.2), order=order, mode=mode)
    check("zoom", IMAGE, (1.7, 0.6), order=order, mode=mode)
    matrix = np.asarray([[0.9, 0.21], [-0.33, 1.1]])
    check("affine_transform", IMAGE, matrix, (0.5, -0.2), order=order, mode=mode)
    check("affine_transform", IMAGE, np.asarray([0.93, 1.07]), 0.1, (4, 7), order=order, mode=mode)


def test_zoom_of_areas(device):
    check("zoom", IMAGE, 2, order=1, mode="nearest", grid_mode=True)


@pytest.mark.parametrize("mode", ["mirror", "reflect", "grid-wrap", "nearest"])
def test_spline_coefficients(mode, device):
    for order in (2, 3, 5):
        check("spline_filter1d", IMAGE, order, 0, mode=mode)
    check("spline_filter", IMAGE, 3, mode=mode)


def test_float32_stays_float32(device):
    x = ga.asarray(IMAGE, dtype=ga.float32)
    for found in (
        ndimage.gaussian_filter(x, 1.0),
        ndimage.correlate(x, [[1.0, 2.0], [3.0, 4.0]]),
        ndimage.median_filter(x, 3),
        ndimage.spline_filter(x),
        ndimage.shift(x, 0.5),
    ):
        assert found.dtype == ga.float32


def test_errors_name_function_and_cure():
    x = ga.asarray(IMAGE)
    with pytest.raises(ga.ArgumentValueError, match=r"gaussian_filter\(\): output is not taken|gaussian_filter"):
        ndimage.gaussian_filter(x, 1.0, output=x)
    with pytest.raises(ga.ArgumentValueError, match=r"correlate1d\(\): there is no mode 'other'\nFix: use one of"):
        ndimage.correlate1d(x, [1.0], mode="other")
    with pytest.raises(ga.ArgumentValueError, match=r"correlate1d\(\): the origin 2 lies outside"):
        ndimage.correlate1d(x, [1.0, 2.0, 3.0], origin=2)
    with pytest.raises(ga.ShapeError, match=r"correlate\(\): the weights must have 2 axes"):
        ndimage.correlate(x, [1.0, 2.0])
    with pytest.raises(ga.DeviceMismatchError, match=r"correlate\(\)"):
        ndimage.correlate(x, ga.ones((2, 2), device="strict"))
    with pytest.raises(ga.ArgumentValueError, match=r"maximum_filter\(\): size and footprint are missing"):
        ndimage.maximum_filter(x)
    with pytest.raises(ga.ArgumentValueError, match=r"rank_filter\(\): there is no rank 9 of 9"):
        ndimage.rank_filter(x, 9, 3)
    with pytest.raises(ga.ShapeError, match=r"map_coordinates\(\): there must be a coordinate for each axis"):
        ndimage.map_coordinates(x, ga.ones((3, 2)))
    with pytest.raises(ga.ArgumentValueError, match=r"shift\(\): the order of a spline is 0 to 5, not 6"):
        ndimage.shift(x, 1.0, order=6)
    with pytest.raises(ga.AxisError, match=r"laplace\(\): axes \(2,\) are out of range"):
        ndimage.laplace(x, axes=(2,))
    sigma = ga.asarray(1.0, requires_grad=True)
    with pytest.raises(
        ga.NoDerivativeError, match=r"gaussian_filter\(\): the derivative with respect to sigma is not known"
    ):
        ndimage.gaussian_filter(x, sigma)
