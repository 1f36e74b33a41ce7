"""Drawing of calls: hypothesis decides on structure (shapes, dtypes, keywords) and on the seed of the values.

Values from a seed are quicker and more varied than values drawn one by one, and the tests have to be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import _spec

Values = np.ndarray[Any, Any]
Shape = tuple[int, ...]

_KINDS = {
    "bool": ("bool",),
    "signed": ("signed integer",),
    "unsigned": ("unsigned integer",),
    "integral": ("signed integer", "unsigned integer"),
    "real floating": ("real floating",),
    "complex floating": ("complex floating",),
    "floating": ("real floating", "complex floating"),
    "real": ("signed integer", "unsigned integer", "real floating"),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
    "all": ("bool", "signed integer", "unsigned integer", "real floating", "complex floating"),
}
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


@dataclass(frozen=True)
class Call:
    """Arguments of one call; NumPy arrays and dtypes stand for those of the library that is called."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = [_shown(value) for value in self.args]
        return f"({', '.join(shown + [f'{name}={_shown(value)}' for name, value in self.kwargs.items()])})"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array({value.tolist()}, {value.dtype}, shape={value.shape})"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(_shown, value))})"
    return repr(value)


def call(*args: Any, **kwargs: Any) -> Call:
    return Call(args, kwargs)


def dtypes_of(kind: str) -> list[np.dtype[Any]]:
    """The standard's dtypes of one of the kinds above, or of its ``+``-joined kinds."""
    wanted = {part for name in kind.split("+") for part in _KINDS[name]}
    return [dtype for name, dtype in _spec.DTYPES.items() if _spec.KINDS[name] in wanted]


class Draw:
    """What a case draws its call from."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        self.rng = np.random.default_rng(self.integer(0, 2**32 - 1))

    # --- numbers and choices -----------------------------------------------------------------------------------------

    def integer(self, low: int, high: int) -> int:
        return int(self._draw(st.integers(low, high)))

    def pick(self, *options: Any) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def flag(self) -> bool:
        return bool(self.integer(0, 1))

    def rarely(self) -> bool:
        return self.integer(0, 4) == 4

    def some(self, **keywords: Any) -> dict[str, Any]:
        """Most of the keywords: those left out show what the default is."""
        return {name: value for name, value in keywords.items() if not self.rarely()}

    # --- arrays ------------------------------------------------------------------------------------------------------

    def dtype(self, kind: str) -> np.dtype[Any]:
        return self.pick(*dtypes_of(kind))  # type: ignore[no-any-return]

    def side(self, *, empty: bool = True) -> int:
        return int(self.pick(3, 2, 4, 1, 2, 3, 5, 2, 3, 4, 1, 0 if empty else 2))

    def shape(self, min_dims: int = 0, max_dims: int = 3, *, empty: bool = True) -> Shape:
        return tuple([self.side(empty=empty) for _ in range(self.integer(min_dims, max_dims))])

    def shapes(self, count: int, max_dims: int = 3, *, empty: bool = True) -> list[Shape]:
        """Shapes that broadcast together."""
        result = self.shape(max_dims=max_dims, empty=empty)
        return [self.stretchable(result) for _ in range(count)]

    def stretchable(self, shape: Shape) -> Shape:
        """A shape that broadcasts to the given one."""
        kept = shape[self.integer(0, len(shape)) if self.rarely() else 0 :]
        return tuple([1 if self.rarely() else length for length in kept])

    def values(
        self, dtype: Any, shape: Shape, *, low: float = -5, high: float = 5, special: Sequence[float] = ()
    ) -> Values:
        """Values of which about half lie on a coarse grid, so that ties, zeros and halves are met."""
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return np.asarray(self.rng.integers(0, 2, shape).astype(bool))
        if dtype.kind in "iu":
            least = max(int(np.ceil(low)), 0) if dtype.kind == "u" else int(np.ceil(low))
            return np.asarray(self.rng.integers(least, int(np.floor(high)) + 1, shape)).astype(dtype)
        if dtype.kind == "c":
            part = np.dtype("float32" if dtype.itemsize == 8 else "float64")
            real = self.values(part, shape, low=low, high=high, special=special)
            imaginary = self.values(part, shape, low=low, high=high, special=special)
            result = np.empty(shape, dtype)
            result.real, result.imag = real, imaginary
            return result
        smooth = self.rng.uniform(low, high, shape)
        grid = np.clip(np.round(2 * smooth) / 2, low, high)
        result = np.where(self.rng.integers(0, 2, shape) == 1, smooth, grid)
        if special:
            odd = self.rng.choice(np.asarray(special), shape)
            result = np.where(self.rng.integers(0, 6, shape) == 0, odd, result)
        return np.asarray(result).astype(dtype)

    def array(
        self,
        kind: str,
        min_dims: int = 0,
        max_dims: int = 3,
        *,
        empty: bool = True,
        low: float = -5,
        high: float = 5,
        special: Sequence[float] = (),
    ) -> Values:
        dtype = self.dtype(kind)
        return self.values(dtype, self.shape(min_dims, max_dims, empty=empty), low=low, high=high, special=special)

    def promotable(self, kind: str) -> tuple[np.dtype[Any], np.dtype[Any]]:
        """Two dtypes of the kind for which the standard defines promotion; the same one half of the time."""
        first = self.dtype(kind)
        if self.flag():
            return first, first
        partners = [other for other in dtypes_of(kind) if (first.name, other.name) in _spec.PROMOTIONS]
        return first, self.pick(*partners)

    def scalar(self, dtype: np.dtype[Any], *, low: float = 0, high: float = 5) -> Any:
        """A Python number that the standard lets meet an array of the dtype."""
        own: type = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype.kind]
        kinds = [bool] if own is bool else [int, float, complex][: 1 + [int, float, complex].index(own)]
        kind = self.pick(*kinds)
        least = max(low, 0) if dtype.kind == "u" else low
        value = int(self.rng.integers(int(np.ceil(least)), int(high) + 1))
        return kind(value + 0.25) if kind in (float, complex) and value + 0.25 <= high else kind(value)

    def pair(
        self, kind: str, *, low: float = -5, high: float = 5, special: Sequence[float] = (), scalars: bool = True
    ) -> tuple[Any, Any]:
        """Two operands that broadcast and promote together; sometimes one of them is a Python number."""
        first, second = self.promotable(kind)
        shapes = self.shapes(2)
        operands: list[Any] = [
            self.values(dtype, shape, low=low, high=high, special=special)
            for dtype, shape in zip((first, second), shapes, strict=True)
        ]
        if scalars and self.rarely():
            replaced = self.integer(0, 1)
            operands[replaced] = self.scalar((first, second)[1 - replaced], low=low, high=high)
        return operands[0], operands[1]

    # --- axes --------------------------------------------------------------------------------------------------------

    def axis(self, ndim: int) -> int:
        """An axis, counted from the front or from the back."""
        return self.integer(-ndim, ndim - 1)

    def axes(self, ndim: int, *, none: bool = True) -> int | tuple[int, ...] | None:
        """None, one axis or several."""
        options: list[Any] = [None] if none else []
        options += [tuple(self.distinct_axes(ndim))]
        if ndim:
            options += [self.axis(ndim)]
        return self.pick(*options)  # type: ignore[no-any-return]

    def distinct_axes(self, ndim: int, count: int | None = None) -> list[int]:
        if count is None:
            count = self.integer(0, ndim)
        chosen = self.rng.permutation(ndim)[:count]
        return [int(axis) - (ndim if self.rng.integers(0, 2) else 0) for axis in chosen]


class SeededDraw(Draw):
    """A draw without hypothesis: everything follows from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high, endpoint=True))
