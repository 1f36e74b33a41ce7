"""NumPy's ``fft``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradarray as ga

from .. import _errors
from .._array import Array
from ._table import FUNCTIONS, array, implements, written


def _of_one_axis(name: str) -> None:
    function: Callable[..., Array] = getattr(ga.fft, name)

    def transform(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
        found = function(array(a), n=None if n is None else int(n), axis=axis, norm=norm or "backward")
        return written(found, out, f"fft.{name}")

    FUNCTIONS[f"fft.{name}"] = transform


def _of_several(name: str, theirs: str, default: tuple[int, int] | None) -> None:
    function: Callable[..., Array] = getattr(ga.fft, name)

    def transform(a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None) -> Any:
        x = array(a)
        if axes is None and s is not None:
            axes = tuple(range(-len(s), 0))
        elif axes is None:
            axes = tuple(range(x.ndim))
        axes = tuple(axes)
        if s is not None:
            if len(s) != len(axes):
                raise _errors.ArgumentValueError(f"numpy.fft.{theirs}(): s and axes are not as many\nFix: pass pairs")
            # -1 stands for the length that is there.
            s = tuple(
                [x.shape[axis] if length in (-1, None) else int(length) for length, axis in zip(s, axes, strict=True)]
            )
        repeated = len({axis % x.ndim for axis in axes}) != len(axes)
        if repeated:
            return NotImplemented
        return written(function(x, s=s, axes=axes, norm=norm or "backward"), out, f"fft.{theirs}")

    def of_two(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
        return transform(a, s, axes, norm, out)

    FUNCTIONS[f"fft.{theirs}"] = transform if default is None else of_two


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    _of_one_axis(_name)
for _name in ("fft", "ifft", "rfft", "irfft"):
    _of_several(f"{_name}n", f"{_name}n", None)
    _of_several(f"{_name}n", f"{_name}2", (-2, -1))


@implements("fft.fftshift")
def _fftshift(x: Any, axes: Any = None) -> Any:
    return ga.fft.fftshift(array(x), axes=axes)


@implements("fft.ifftshift")
def _ifftshift(x: Any, axes: Any = None) -> Any:
    return ga.fft.ifftshift(array(x), axes=axes)
