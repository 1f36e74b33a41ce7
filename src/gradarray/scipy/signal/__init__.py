"""Filters of signals, differentiable in the signal and in the coefficients."""

from ._convolution import convolve, correlate, fftconvolve, oaconvolve
from ._recursive import filtfilt, lfilter, lfilter_zi, sosfilt, sosfilt_zi, sosfiltfilt
from ._recursive import recursion as recursion  # for its own rule
from ._smoothing import detrend, resample_poly, savgol_filter, upfirdn, wiener

__all__ = [
    "convolve",
    "correlate",
    "detrend",
    "fftconvolve",
    "filtfilt",
    "lfilter",
    "lfilter_zi",
    "oaconvolve",
    "resample_poly",
    "savgol_filter",
    "sosfilt",
    "sosfilt_zi",
    "sosfiltfilt",
    "upfirdn",
    "wiener",
]
