"""Fourier transforms: PyTorch's module ``torch.fft``, over `gradarray.fft`."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import gradarray as ga

from . import _missing, _types
from ._calls import call, converted, default_place, wrap
from ._tensor import Tensor


def _along_one(name: str) -> Callable[..., Tensor]:
    own = getattr(ga.fft, name)

    def function(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
        given = converted((input,), floating=True)
        return cast(Tensor, call(own, *given, n=n, axis=dim, norm=norm or "backward"))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `gradarray.fft.{name}`; `dim` is the axis."
    return function


def _along_several(name: str) -> Callable[..., Tensor]:
    own = getattr(ga.fft, name)

    def function(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
        given = converted((input,), floating=True)
        return cast(Tensor, call(own, *given, s=s, axes=dim, norm=norm or "backward"))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `gradarray.fft.{name}`; `dim` are the axes."
    return function


fft, ifft, rfft, irfft, hfft, ihfft = map(_along_one, ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fftn, ifftn, rfftn, irfftn = map(_along_several, ("fftn", "ifftn", "rfftn", "irfftn"))


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequencies in rising order, 0 in the middle."""
    return cast(Tensor, call(ga.fft.fftshift, input, axes=dim))


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """What `fftshift` was given."""
    return cast(Tensor, call(ga.fft.ifftshift, input, axes=dim))


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """The frequencies of `fft`."""
    own = _types.own_dtype(dtype, "fftfreq") or _types.default_of("f")
    return wrap(ga.fft.fftfreq(n, d=d, dtype=own, device=default_place(device)))


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """The frequencies of `rfft`."""
    own = _types.own_dtype(dtype, "rfftfreq") or _types.default_of("f")
    return wrap(ga.fft.rfftfreq(n, d=d, dtype=own, device=default_place(device)))


def __getattr__(name: str) -> Any:
    raise AttributeError(_missing.explain(name, "gradarray.torch.fft"), name=name)


__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]
