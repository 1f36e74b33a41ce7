"""What third parties run: gradient checks of functions, checks of backends, namespaces for conformance suites."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ._array import Array
from ._devices import Device, get_device
from ._devices import device as device_context
from ._dispatch import record
from ._dtypes import DIFFERENTIABLE
from ._errors import ArgumentValueError
from ._graph import Leaf, no_grad
from ._info import NamespaceInfo
from ._operations import derivative, same
from .autograd import _functional
from .ops.conversion import asarray
from .ops.creation import zeros_like

__all__ = ["check_grads", "namespace"]


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
        names the argument, the modes that led there and both values.
    """
    if not modes or not set(modes) <= {"fwd", "rev"}:
        raise ArgumentValueError(f"check_grads(): modes are {modes!r}\nFix: give 'fwd', 'rev' or both")
    values = [np.asarray(a.detach().numpy() if isinstance(a, Array) else a) for a in args]
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
            where = f"{' of '.join((mode, *path))}, argument {position}"
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
                got = derivative_of(*arrays, position=position)
                if mode == "fwd":
                    compare(mode, position, got, out, weights)
                else:
                    compare(mode, position, got, x, directions[position])
                if len(path) + 1 < order:
                    inner = functools.partial(derivative_of, position=position)
                    self.run(inner, values, (mode, *path), order, rtol * 10, atol * 10, seed + 1)

    def _difference(
        self, f: Callable[..., Array], values: list[np.ndarray[Any, Any]], position: int, direction: Any
    ) -> np.ndarray[Any, Any]:
        both = []
        for sign in (1, -1):
            points = list(values)
            points[position] = values[position] + sign * self.step * direction
            with no_grad():
                both.append(np.asarray(f(*[asarray(p, device=self.device) for p in points])._host()))
        return np.asarray((both[0] - both[1]) / (2 * self.step))


def _direction(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    real = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    if np.dtype(dtype).kind != "c":
        return np.asarray(real)
    return np.asarray(real + 1j * rng.uniform(-1, 1, shape))


_CREATION = (
    "arange asarray empty empty_like eye from_dlpack full full_like linspace ones ones_like zeros zeros_like".split()
)


def namespace(*, device: Any = None, tracked: bool = False) -> ModuleType:
    """A namespace whose arrays are created on a given device, tracked or not, for runs of conformance suites.

    Parameters
    ----------
    device : Device or str, optional
        The default device of its creation functions, and the only one that its inspection shows.
    tracked : bool, default: False
        Whether every floating-point array that a creation function returns is the tracked result of an operation.

    Returns
    -------
    module
        Everything that ``gradarray`` has, under the name ``gradarray``.
    """
    import gradarray

    where = get_device("cpu" if device is None else device)
    xp = ModuleType("gradarray")
    for name in gradarray.__all__:
        setattr(xp, name, getattr(gradarray, name))
    for name in _CREATION:
        setattr(xp, name, _created(getattr(gradarray, name), where, tracked))
    xp.fft = ModuleType("gradarray.fft")  # type: ignore[attr-defined]
    for name in gradarray.fft.__all__:
        setattr(xp.fft, name, getattr(gradarray.fft, name))
    for name in ("fftfreq", "rfftfreq"):
        setattr(xp.fft, name, _created(getattr(gradarray.fft, name), where, tracked))
    info = _Info(where)
    xp.__array_namespace_info__ = lambda: info  # type: ignore[attr-defined]
    return xp


def track(x: Array) -> Array:
    """`x`, now the tracked result of an operation if it is a floating-point array: same memory, new history."""
    if x.dtype in DIFFERENTIABLE and not x.requires_grad:
        leaf = Leaf(x._data.shape, x._data.dtype, x._device)
        x._node = record(_identity, x._device, (None,), x._data, (leaf,), {})
    return x


@derivative(x=same, kind="elementwise")
def _identity(x: Array, /) -> Array:
    return x


def _created(function: Callable[..., Array], device: Device, tracked: bool) -> Callable[..., Array]:
    follows = function.__name__.endswith("_like")

    @functools.wraps(function)
    def create(*args: Any, **keywords: Any) -> Array:
        if keywords.get("device") is None and not follows and not (args and isinstance(args[0], Array)):
            keywords["device"] = device
        result = function(*args, **keywords)
        return track(result) if tracked else result

    return create


class _Info(NamespaceInfo):
    __slots__ = ("_device",)

    def __init__(self, device: Device) -> None:
        self._device = device

    def default_device(self) -> Device:
        return self._device

    def devices(self) -> tuple[Device, ...]:
        return (self._device,)

    def default_dtypes(self, *, device: Any = None) -> Any:
        return super().default_dtypes(device=device or self._device)

    def dtypes(self, *, device: Any = None, kind: Any = None) -> Any:
        return super().dtypes(device=device or self._device, kind=kind)
