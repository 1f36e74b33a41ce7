"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._arrays import launch


def _plain(name: str) -> Callable[..., Any]:
    own = getattr(np.fft, name)
    function = lambda *args, **keywords: launch(name, own, *args, **keywords)
    function.__name__ = name
    return function


_NAMES = "fft ifft fftn ifftn fft2 ifft2 rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift".split()
NAMESPACE = {name: _plain(name) for name in _NAMES}
