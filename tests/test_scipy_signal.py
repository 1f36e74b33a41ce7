"""Filters of signals: SciPy's values on every device, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal

import gradarray as ga
from gradarray.scipy import signal

RNG = np.random.default_rng(0)
LONG, SHORT = RNG.normal(size=32), RNG.normal(size=5)
IMAGE, PATCH = RNG.normal(size=(7, 6)), RNG.normal(size=(3, 2))
SOS = scipy.signal.butter(4, 0.3, output="sos")
B, A = scipy.signal.butter(3, 0.3)


def check(name, *operands, **keywords):
    """Compare a function with SciPy's own."""
    expected = getattr(scipy.signal, name)(*operands, **keywords)
    ours = [ga.asarray(x) if isinstance(x, np.ndarray) else x for x in operands]
    keywords = {key: ga.asarray(x) if isinstance(x, np.ndarray) else x for key, x in keywords.items()}
    found = getattr(signal, name)(*ours, **keywords)
    for mine, theirs in zip(*[x if isinstance(x, tuple) else (x,) for x in (found, expected)], strict=True):
        assert mine.shape == theirs.shape
        np.testing.assert_allclose(mine.to_device("cpu").numpy(), theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("method", ["auto", "direct", "fft"])
def test_convolution(mode, method, device):
    for first, second in ((LONG, SHORT), (SHORT, LONG), (IMAGE, PATCH), (LONG + 1j, SHORT), (LONG, SHORT * 1j + 2)):
        if first.ndim == 1 or mode != "valid":
            check("convolve", first, second, mode, method)
            check("correlate", first, second, mode, method)
    check("convolve", IMAGE, PATCH, mode, method)


@pytest.mark.parametrize("name", ["fftconvolve", "oaconvolve"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolution_by_transforms(name, mode, device):
    check(name, LONG, SHORT, mode)
    check(name, IMAGE, PATCH, mode)
    check(name, IMAGE, RNG.normal(size=(7, 2)), mode, axes=1)


def test_recursive_filters(device):
    check("lfilter", B, A, LONG)
    check("lfilter", B * 2, A * 2, IMAGE, axis=0)
    check("lfilter", np.asarray([1.0, 0.5]), np.asarray([1.0]), LONG)
    check("lfilter", np.asarray([1.0]), np.asarray([2.0, 0.5, 0.3]), LONG)
    check("lfilter", B + 0.1j, A, LONG + 1j)
    check("lfilter", B, A, LONG, zi=np.asarray([0.3, -0.2, 0.1]))
    check("lfilter", B, A, LONG[:2], zi=np.asarray([0.3, -0.2, 0.1]))
    check("lfilter", B[:2], A, IMAGE, axis=0, zi=RNG.normal(size=(3, 6)))
    check("lfilter_zi", B, A)
    check("lfilter_zi", B[:2], A)
    check("sosfilt", SOS, LONG)
    check("sosfilt", SOS, IMAGE, axis=0, zi=RNG.normal(size=(2, 2, 6)))
    check("sosfilt_zi", SOS)


@pytest.mark.parametrize("padtype", ["odd", "even", "constant", None])
def test_filters_both_ways(padtype, device):
    check("filtfilt", B, A, LONG, padtype=padtype)
    check("filtfilt", B, A, RNG.normal(size=(20, 2)), axis=0, padtype=padtype, padlen=5)
    check("sosfiltfilt", SOS, LONG, padtype=padtype)


@pytest.mark.parametrize("mode", ["interp", "mirror", "constant", "nearest", "wrap"])
def test_savgol_filter(mode, device):
    check("savgol_filter", LONG, 5, 2, mode=mode, cval=0.5)
    check("savgol_filter", IMAGE, 5, 3, deriv=1, delta=0.5, axis=0, mode=mode)


def test_detrend(device):
    check("detrend", LONG)
    check("detrend", IMAGE, axis=0, type="constant")
    check("detrend", LONG, bp=[10, 20])


def test_wiener(device):
    check("wiener", LONG, 3)
    check("wiener", IMAGE, (3, 5))
    check("wiener", IMAGE, 3, 0.4)


@pytest.mark.parametrize(("up", "down"), [(1, 1), (3, 2), (2, 3), (1, 4), (5, 1)])
def test_other_rates(up, down, device):
    check("upfirdn", SHORT, LONG, up, down)
    check("upfirdn", SHORT, IMAGE, up, down, axis=0)
    check("resample_poly", LONG, up, down)
    check("resample_poly", IMAGE, up, down, axis=1)
    check("resample_poly", LONG, up, down, window=SHORT)


def test_float32_stays_float32(device):
    x = ga.asarray(LONG, dtype=ga.float32)
    for found in (
        signal.convolve(x, x[:3]),
        signal.lfilter(ga.asarray(B, dtype=ga.float32), ga.asarray(A, dtype=ga.float32), x),
        signal.detrend(x),
        signal.savgol_filter(x, 5, 2),
        signal.resample_poly(x, 3, 2),
    ):
        assert found.dtype == ga.float32


def test_errors_name_function_and_cure():
    x = ga.ones(4)
    with pytest.raises(ga.ArgumentValueError, match=r"convolve\(\): there is no mode 'other'\nFix"):
        signal.convolve(x, x, "other")
    with pytest.raises(ga.ArgumentValueError, match=r"convolve\(\): there is no method 'other'\nFix"):
        signal.convolve(x, x, method="other")
    with pytest.raises(ga.ShapeError, match=r"correlate\(\): both must have as many axes"):
        signal.correlate(x, ga.ones((2, 2)))
    with pytest.raises(ga.ShapeError, match=r"convolve\(\): for mode 'valid'"):
        signal.convolve(ga.ones((2, 3)), ga.ones((3, 2)), "valid")
    with pytest.raises(ga.DeviceMismatchError, match=r"convolve\(\)"):
        signal.convolve(x, ga.ones(4, device="strict"))
    with pytest.raises(ga.ShapeError, match=r"lfilter\(\): b must be 1-D"):
        signal.lfilter(ga.ones((2, 2)), x, x)
    with pytest.raises(ga.ShapeError, match=r"lfilter\(\): zi must have the shape \(1,\)"):
        signal.lfilter(ga.ones(2), ga.ones(1), x, zi=ga.ones(3))
    with pytest.raises(ga.ShapeError, match=r"sosfilt\(\): sos must have the shape \(n, 6\)"):
        signal.sosfilt(ga.ones((2, 5)), x)
    with pytest.raises(ga.ArgumentValueError, match=r"filtfilt\(\): there is no method 'gust' here"):
        signal.filtfilt(ga.asarray(B), ga.asarray(A), x, method="gust")
    with pytest.raises(ga.ShapeError, match=r"filtfilt\(\): the signal must be longer than padlen"):
        signal.filtfilt(ga.asarray(B), ga.asarray(A), x)
    with pytest.raises(ga.ArgumentValueError, match=r"savgol_filter\(\): the window of 5 is longer"):
        signal.savgol_filter(x, 5, 2)
    with pytest.raises(ga.ArgumentValueError, match=r"detrend\(\): there is no type 'other'"):
        signal.detrend(x, type="other")
    with pytest.raises(ga.ArgumentValueError, match=r"upfirdn\(\): there is no mode 'wrap' here"):
        signal.upfirdn(x, x, mode="wrap")
