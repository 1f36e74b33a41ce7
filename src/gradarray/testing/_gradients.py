"""Derivatives compared with finite differences."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._array import Array
from .._devices import Device, get_device
from .._devices import device as device_context
from .._errors import ArgumentValueError
from .._graph import no_grad
from ..autograd import _functional
from ..ops.conversion import asarray
from ..ops.creation import zeros_like


def check_grads(
    f: Callable[..., Array],
    args: Sequence[Any],
    *,
    order: int = 2,
    modes: Sequence[str] = ("fwd", "rev"),
    device: Any = None,
    step: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-6,
    seed: int = 0,
) -> None:
    """Compare the derivatives of a function with central finite differences.

    Parameters
    ----------
    f : callable
        A function of arrays that returns one array.
    args : sequence of array_like
        Real or complex floating-point values, best in double precision, where `f` is smooth.
    order : int, default: 2
        Up to which order: each derivative is checked in turn as a function of the same arguments, in every mode.
    modes : sequence of {"fwd", "rev"}, default: both
        Which derivatives: along a direction (`jvp`), of a projection of the result (`vjp`).
    device : Device or str, optional
        Where to compute.
    step : float, default: 1e-6
        Step of the differences, relative to values of size 1.
    rtol, atol : float
        Tolerances of the comparison, at each further order ten times wider.
    seed : int, default: 0
        Of the random directions, and of those in which the result is projected.

    Raises
    ------
    AssertionError
        If a derivative differs, or has not its argument's (forward: the result's) shape, dtype and device; the message
        names the argument, the modes that led there and both values. What a derivative itself raises is passed on,
        with a note that names the same.
    """
    if not modes or not set(modes) <= {"fwd", "rev"}:
        raise ArgumentValueError(f"check_grads(): modes are {modes!r}\nFix: give 'fwd', 'rev' or both")
    values = [np.asarray(a._host() if isinstance(a, Array) else a) for a in args]
    where = get_device("cpu" if device is None else device)
    with device_context(where):
        _Check(tuple(modes), where, step).run(f, values, (), order, rtol, atol, seed)


class _Check:
    """The comparison of one function's derivatives, and of theirs, with finite differences."""

    def __init__(self, modes: tuple[str, ...], device: Device, step: float) -> None:
        self.modes = modes
        self.device = device
        self.step = step

    def run(
        self,
        f: Callable[..., Array],
        values: list[np.ndarray[Any, Any]],
        path: tuple[str, ...],
        order: int,
        rtol: float,
        atol: float,
        seed: int,
    ) -> None:
        rng = np.random.default_rng(seed)
        arrays = [asarray(v, device=self.device, copy=True) for v in values]
        out = f(*arrays)
        shape, dtype = out.shape, out.dtype
        weights = _direction(rng, shape, dtype)
        directions = [_direction(rng, v.shape, v.dtype) for v in values]
        cotangent = asarray(weights.astype(dtype), device=self.device)
        tangents = [asarray(d.astype(v.dtype), device=self.device) for d, v in zip(directions, values, strict=True)]
        differences = [self._difference(f, values, position, d) for position, d in enumerate(directions)]
        # The gradient of a real L in a complex z is dL/dx + i dL/dy: its inner product with a direction is real.
        expected = [float(np.sum(np.real(np.conj(weights) * d))) for d in differences]

        def compare(mode: str, position: int, got: Array, like: Array, other: np.ndarray[Any, Any]) -> None:
            where = self._named(mode, path, position)
            if (got.shape, got.dtype, got.device) != (like.shape, like.dtype, like.device):
                raise AssertionError(
                    f"{where}: the derivative is {got.dtype} {got.shape} {got.device}, "
                    f"it must be {like.dtype} {like.shape} {like.device}"
                )
            found = float(np.sum(np.real(np.conj(got._host()) * other)))
            size = max(1.0, float(np.sum(np.abs(got._host()))))
            if not np.isclose(found, expected[position], rtol=rtol, atol=atol * size):
                raise AssertionError(
                    f"{where}: the derivative along a random direction is {found!r}, "
                    f"finite differences give {expected[position]!r}"
                )

        # A direction for each argument in turn, and a projection of what comes out.
        def forward(*points: Any, position: int) -> Array:
            zero = [zeros_like(a) if other != position else tangents[position] for other, a in enumerate(points)]
            tangent: Array = _functional.jvp(f, points, zero)[1]
            return tangent

        def reverse(*points: Any, position: int) -> Array:
            cotangents: tuple[Array, ...] = _functional.vjp(f, *points)[1](cotangent)
            return cotangents[position]

        for mode, derivative_of in (("fwd", forward), ("rev", reverse)):
            if mode not in self.modes:
                continue
            for position, x in enumerate(arrays):
                try:
                    got = derivative_of(*arrays, position=position)
                except Exception as error:
                    error.add_note(f"check_grads(): {self._named(mode, path, position)}")
                    raise
                if mode == "fwd":
                    compare(mode, position, got, out, weights)
                else:
                    compare(mode, position, got, x, directions[position])
                if len(path) + 1 < order:
                    inner = functools.partial(derivative_of, position=position)
                    self.run(inner, values, (mode, *path), order, rtol * 10, atol * 10, seed + 1)

    @staticmethod
    def _named(mode: str, path: tuple[str, ...], position: int) -> str:
        return f"{' of '.join((mode, *path))}, argument {position}"

    def _difference(
        self, f: Callable[..., Array], values: list[np.ndarray[Any, Any]], position: int, direction: Any
    ) -> np.ndarray[Any, Any]:
        both = []
        for sign in (1, -1):
            points = list(values)
            # In the dtype of the value: a device may have no wider one.
            points[position] = (values[position] + sign * self.step * direction).astype(values[position].dtype)
            with no_grad():
                both.append(np.asarray(f(*[asarray(p, device=self.device) for p in points])._host()))
        return np.asarray((both[0] - both[1]) / (2 * self.step))


def _direction(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    real = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    if np.dtype(dtype).kind != "c":
        return np.asarray(real)
    return np.asarray(real + 1j * rng.uniform(-1, 1, shape))
