"""Values, dtypes and shapes of the Fourier transforms, against their definition in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ._arrays import HERE
from ._cases import Cases, quick
from ._draw import Call, Draw, call

CASES = Cases("fft")
TRANSFORMS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
NORMS = ("backward", "ortho", "forward")


def _fit(x: Any, axis: int, length: int) -> Any:
    """`x` cut, or filled with zeros, to a length along an axis."""
    x = np.moveaxis(x, axis, -1)[..., :length]
    padding = [(0, 0)] * (x.ndim - 1) + [(0, length - x.shape[-1])]
    return np.moveaxis(np.pad(x, padding), -1, axis)


def _matrix(n: int, sign: int) -> Any:
    k = np.arange(n)
    return np.exp(sign * 2j * np.pi * (k[:, None] * k % n) / n)


def _one(x: Any, axis: int, n: int, sign: int, norm: str) -> Any:
    """The sum of the definition along one axis; the factor is that of a transform in the direction of `sign`."""
    result = np.moveaxis(np.moveaxis(_fit(x, axis, n), axis, -1) @ _matrix(n, sign), -1, axis)
    divided = norm == ("backward" if sign > 0 else "forward")
    return result / (n if divided else n**0.5 if norm == "ortho" else 1)


def _halved(x: Any, axis: int, n: int) -> Any:
    return _fit(x, axis, n // 2 + 1)


def _mirrored(x: Any, axis: int, n: int) -> Any:
    """The whole of a Hermitian-symmetric signal of length n from its first half."""
    half = np.moveaxis(_fit(x, axis, n // 2 + 1), axis, -1).copy()
    half[..., 0] = half[..., 0].real
    if n % 2 == 0:
        half[..., -1] = half[..., -1].real
    rest = np.conj(half[..., 1 : (n + 1) // 2][..., ::-1])
    return np.moveaxis(np.concatenate([half, rest], axis=-1), -1, axis)


def _dtype(x: Any, kind: str) -> Any:
    single = x.dtype in (np.float32, np.complex64)
    return np.dtype({"f": "float32", "c": "complex64"}[kind] if single else {"f": "float64", "c": "complex128"}[kind])


def _reference(name: str) -> Any:
    def one_axis(x: Any, n: Any = None, axis: int = -1, norm: str = "backward") -> Any:
        length = x.shape[axis] if n is None else n
        if name in ("irfft", "hfft") and n is None:
            length = 2 * (x.shape[axis] - 1)
        z = x.astype(np.complex128)
        if name in ("fft", "ifft"):
            return _one(z, axis, length, -1 if name == "fft" else 1, norm).astype(_dtype(x, "c"))
        if name == "rfft":
            return _halved(_one(z, axis, length, -1, norm), axis, length).astype(_dtype(x, "c"))
        if name == "ihfft":
            return _halved(_one(z, axis, length, 1, norm), axis, length).astype(_dtype(x, "c"))
        whole = _mirrored(z, axis, length)
        return _one(whole, axis, length, -1 if name == "hfft" else 1, norm).real.astype(_dtype(x, "f"))

    def several_axes(x: Any, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        axes = tuple(range(x.ndim)) if axes is None else axes
        lengths = [x.shape[axis] for axis in axes] if s is None else list(s)
        z = x.astype(np.complex128)
        sign = 1 if name.startswith("i") else -1
        if name == "irfftn":
            if s is None:
                lengths[-1] = 2 * (x.shape[axes[-1]] - 1)
            for axis, length in zip(axes[:-1], lengths[:-1], strict=True):
                z = _one(z, axis, length, sign, norm)
            z = _mirrored(z, axes[-1], lengths[-1])
            return _one(z, axes[-1], lengths[-1], sign, norm).real.astype(_dtype(x, "f"))
        for axis, length in zip(axes, lengths, strict=True):
            z = _one(z, axis, length, sign, norm)
        if name == "rfftn":
            z = _halved(z, axes[-1], lengths[-1])
        return z.astype(_dtype(x, "c"))

    return one_axis if name in TRANSFORMS else several_axes


def _kind(name: str) -> str:
    return "real floating" if name in ("rfft", "rfftn", "ihfft") else "complex floating"


@CASES.case(*TRANSFORMS, reference={name: _reference(name) for name in TRANSFORMS}, tolerance=256, absolute=8)
def one_axis(d: Draw, name: str) -> Call:
    x = d.array(_kind(name), 1, 3, empty=False)
    axis = d.axis(x.ndim)
    n = d.pick(None, 4, 3, 5, 6, 2)
    if name in ("irfft", "hfft") and x.shape[axis] == 1 and n is None:
        n = d.pick(1, 2, 4)
    kwargs: dict[str, Any] = {"n": n} if n is not None else d.some(n=None)
    if axis not in (-1, x.ndim - 1) or d.flag():
        kwargs["axis"] = axis
    return call(x, **kwargs, **d.some(norm=d.pick(*NORMS)))


_SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn")


@CASES.case(*_SEVERAL, reference={name: _reference(name) for name in _SEVERAL}, tolerance=512, absolute=16)
def several_axes(d: Draw, name: str) -> Call:
    x = d.array(_kind(name), 1, 3, empty=False)
    axes = d.pick(None, tuple(d.distinct_axes(x.ndim, d.integer(1, x.ndim))))
    last = x.shape[-1 if axes is None else axes[-1]]
    s: Any = None
    if d.flag() or (name == "irfftn" and last == 1):
        # Lengths without axes are deprecated in NumPy and unclear in the standard.
        axes = tuple(range(x.ndim)) if axes is None else axes
        s = tuple([d.pick(2, 3, 4, 5) for _ in axes])
    kwargs: dict[str, Any] = {"s": s} if s is not None else d.some(s=None)
    if axes is not None or d.flag():
        kwargs["axes"] = axes
    return call(x, **kwargs, **d.some(norm=d.pick(*NORMS)))


@CASES.case("fftfreq", "rfftfreq", tolerance=8, absolute=1)
def frequencies(d: Draw) -> Call:
    dtype = d.pick(None, np.dtype("float32"), np.dtype("float64"))
    return call(d.integer(1, 8), device=HERE, **d.some(d=d.pick(1.0, 0.5, 2.0, 0.1), dtype=dtype))


@CASES.case("fftshift", "ifftshift")
def shifts(d: Draw) -> Call:
    x = d.array("floating", 1, 3)
    return call(x, **d.some(axes=d.axes(x.ndim)))


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)
