"""Filters of signals, in the signal and in the coefficients."""

import numpy as np
import scipy.signal
from gradient_cases import Case, complex_, real

import gradarray as ga

SOS = scipy.signal.butter(2, 0.3, output="sos")
B, A = np.asarray([0.3, 0.5, 0.1]), np.asarray([1.2, -0.4, 0.2])


def _on(like, values):
    return ga.asarray(values, device=like.device)


CASES = [
    *[
        Case(
            f"signal.{name}",
            lambda sp, x, y, name=name, mode=mode: getattr(sp.signal, name)(x, y, mode),
            (real(5), real(3, seed=1)),
        )
        for name in ("convolve", "correlate", "fftconvolve", "oaconvolve")
        for mode in ("full", "same", "valid")
    ],
    Case(
        "signal.convolve", lambda sp, x, y: sp.signal.convolve(x, y, method="fft"), (complex_(4), complex_(3, seed=1))
    ),
    Case("signal.correlate", lambda sp, x, y: sp.signal.correlate(x, y), (complex_(4), complex_(2, seed=1))),
    Case("signal.convolve", lambda sp, x, y: sp.signal.convolve(x, y), (real(3, 2), real(2, 2, seed=1))),
    Case("signal.lfilter", lambda sp, b, a, x: sp.signal.lfilter(b, a, x), (B, A, real(6))),
    Case("signal.lfilter", lambda sp, b, a, x: sp.signal.lfilter(b, a, x, axis=0), (B, A, complex_(4, 2))),
    Case(
        "signal.lfilter",
        lambda sp, b, a, x: sp.signal.lfilter(b, a, x),
        (complex_(2), complex_(3, seed=1) / 4 + 1, complex_(4)),
    ),
    Case(
        "signal.lfilter", lambda sp, b, a, x, z: sp.signal.lfilter(b, a, x, zi=z)[0], (B, A, real(4), real(2, seed=3))
    ),
    Case(
        "signal.lfilter", lambda sp, b, a, x, z: sp.signal.lfilter(b, a, x, zi=z)[1], (B, A, real(4), real(2, seed=3))
    ),
    Case("signal.recursion", lambda sp, a, x: sp.signal.recursion(a, x), (A[1:], real(2, 5))),
    Case("signal.recursion", lambda sp, a, x: sp.signal.recursion(a, x), (complex_(2) / 4, complex_(4, seed=2))),
    Case("signal.lfilter_zi", lambda sp, b, a: sp.signal.lfilter_zi(b, a), (B, A)),
    Case("signal.sosfilt", lambda sp, sos, x: sp.signal.sosfilt(sos, x), (SOS, real(5))),
    Case("signal.sosfilt_zi", lambda sp, sos: sp.signal.sosfilt_zi(sos), (SOS,)),
    Case("signal.filtfilt", lambda sp, b, a, x: sp.signal.filtfilt(b, a, x, padlen=3), (B, A, real(6))),
    Case("signal.sosfiltfilt", lambda sp, sos, x: sp.signal.sosfiltfilt(sos, x, padlen=3), (SOS, real(5))),
    Case("signal.savgol_filter", lambda sp, x: sp.signal.savgol_filter(x, 5, 2) ** 2, (real(7),)),
    Case("signal.savgol_filter", lambda sp, x: sp.signal.savgol_filter(x, 3, 1, mode="mirror"), (real(5),)),
    Case("signal.detrend", lambda sp, x: sp.signal.detrend(x, bp=[3]) ** 2, (real(7),)),
    Case("signal.detrend", lambda sp, x: sp.signal.detrend(x, type="constant"), (real(3),)),
    Case("signal.wiener", lambda sp, x: sp.signal.wiener(x, 3), (real(6),)),
    Case("signal.upfirdn", lambda sp, h, x: sp.signal.upfirdn(h, x, 3, 2), (real(3), real(4, seed=1))),
    Case("signal.resample_poly", lambda sp, x: sp.signal.resample_poly(x, 3, 2), (real(5),)),
    Case(
        "signal.resample_poly", lambda sp, x, w: sp.signal.resample_poly(x, 2, 1, window=w), (real(4), real(3, seed=1))
    ),
]
