"""Tensors as text, the way that PyTorch prints them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _devices
from . import _types

#: What `set_printoptions` sets, with PyTorch's defaults.
_options: dict[str, Any] = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    *,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed; what is not given stays as it is, but `sci_mode` is chosen anew.

    Parameters
    ----------
    precision : int, optional
        Digits after the point; 4 at first.
    threshold : int, optional
        From how many elements on the middle is left out; 1000 at first.
    edgeitems : int, optional
        How many elements are shown at each end then; 3 at first.
    linewidth : int, optional
        Characters in a line; 80 at first.
    sci_mode : bool, optional
        Whether numbers have an exponent; by default if they are very large, small or different.
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options.update({name: value for name, value in given.items() if value is not None})
    _options["sci_mode"] = sci_mode


class _Format:
    """One format for all numbers of a tensor: as wide as the widest, with a point or an exponent if one needs it."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.floating = values.dtype.kind == "f"
        self.whole = True
        self.exponent = False
        self.width = 1
        if not self.floating:
            self.width = max((len(str(value)) for value in values.ravel().tolist()), default=1)
            return
        # Zero, infinities and NaN fit every format, so the others decide.
        counted = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        if counted.size:
            sizes = np.abs(counted)
            largest, smallest = float(sizes.max()), float(sizes.min())
            self.whole = bool(np.all(counted == np.ceil(counted)))
            self.exponent = largest / smallest > 1000 or largest > 1e8 or (not self.whole and smallest < 1e-4)
        if _options["sci_mode"] is not None:
            self.exponent = _options["sci_mode"]
        self.width = max((len(self._bare(value)) for value in counted.tolist()), default=1)

    def _bare(self, value: float) -> str:
        if self.exponent:
            return f"{value:.{_options['precision']}e}"
        if self.whole:
            return f"{value:.0f}." if math.isfinite(value) else f"{value}"
        return f"{value:.{_options['precision']}f}"

    def __call__(self, value: Any) -> str:
        text = self._bare(value) if self.floating else str(value)
        return text.rjust(self.width)


class _ComplexFormat:
    """The format of the real and that of the imaginary parts."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.real, self.imaginary = _Format(values.real), _Format(values.imag)
        self.width = self.real.width + self.imaginary.width + 1

    def __call__(self, value: complex) -> str:
        imaginary = self.imaginary(value.imag).lstrip()
        sign = "" if imaginary.startswith(("+", "-")) else "+"
        return f"{self.real(value.real)}{sign}{imaginary}j"


def _shown(values: np.ndarray[Any, Any], cut: bool) -> np.ndarray[Any, Any]:
    """The elements that are shown, which alone decide the format."""
    edge = _options["edgeitems"]
    for axis, length in enumerate(values.shape if cut else ()):
        if length > 2 * edge:
            values = np.take(values, [*range(edge), *range(length - edge, length)], axis=axis)
    return values


def _body(values: np.ndarray[Any, Any], form: Any, indent: int, cut: bool) -> str:
    if values.ndim == 0:
        return str(form(values.item()))
    edge = _options["edgeitems"]
    cut_here = cut and len(values) > 2 * edge
    parts = [*values[:edge], *values[len(values) - edge :]] if cut_here else list(values)
    if values.ndim > 1:
        texts = [_body(part, form, indent + 1, cut) for part in parts]
        if cut_here:
            texts.insert(edge, "...")
        return "[" + ("," + "\n" * (values.ndim - 1) + " " * (indent + 1)).join(texts) + "]"
    texts = [form(part.item()) for part in parts]
    if cut_here:
        texts.insert(edge, " ...")
    in_line = max(1, (_options["linewidth"] - indent) // (form.width + 2))
    lines = [", ".join(texts[start : start + in_line]) for start in range(0, len(texts), in_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def text_of(tensor: Any, opening: str = "tensor(") -> str:
    """The tensor as PyTorch prints it."""
    array = tensor._array
    own, default = array.dtype, _types.get_default_dtype()._dtype
    further = []
    if array.device is not _devices.cpu():
        further.append(f"device={str(array.device)!r}")
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            further.append(f"size={tuple(array.shape)}")
        if own is not default:
            further.append(f"dtype={_types.of_dtype(own)}")
    else:
        if own not in (default, _types.complex_of(default), _types.int64._dtype, _types.bool._dtype):
            further.append(f"dtype={_types.of_dtype(own)}")
        values = array._host()
        if values.dtype.kind == "V":  # bfloat16
            values = values.astype(np.float32)
        cut = array.size > _options["threshold"]
        form = (_ComplexFormat if values.dtype.kind == "c" else _Format)(_shown(values, cut))
        body = _body(values, form, len(opening), cut)
    made_by = tensor.grad_fn
    if made_by is not None:
        further.append(f"grad_fn=<{made_by.name()}>")
    elif array.requires_grad:
        further.append("requires_grad=True")
    return _with(opening + body, further, len(opening)) + ")"


def _with(text: str, further: list[str], indent: int) -> str:
    """The text and what is said after it, in new lines where the last one gets too long."""
    length = len(text) - (text.rfind("\n") + 1) + 2
    for part in further:
        if length + len(part) + 2 > _options["linewidth"]:
            text += ",\n" + " " * indent + part
            length = indent + len(part)
        else:
            text += ", " + part
            length += len(part) + 2
    return text
