"""What third parties run: gradient checks of functions, checks of backends, namespaces for conformance suites."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from . import _engine
from ._array import Array
from ._devices import Device, get_device
from ._dispatch import record
from ._dtypes import DIFFERENTIABLE
from ._graph import Leaf
from ._info import NamespaceInfo
from ._operations import derivative
from .ops.conversion import asarray

__all__ = ["check_grads", "namespace"]


def check_grads(
    f: Callable[..., Array],
    args: Sequence[Any],
    *,
    order: int = 2,
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
        Up to which order: the gradient is checked in turn as a function of the same arguments.
    device : Device or str, optional
        Where to compute.
    step : float, default: 1e-6
        Step of the differences, relative to values of size 1.
    rtol, atol : float
        Tolerances of the comparison.
    seed : int, default: 0
        Of the random directions in which the result is projected.

    Raises
    ------
    AssertionError
        If a derivative differs; the message names the argument, the order and both values.
    """
    values = [np.asarray(a.detach().numpy() if isinstance(a, Array) else a) for a in args]
    where = get_device("cpu" if device is None else device)
    _check_order(f, values, 1, order, where, step, rtol, atol, seed)


def _check_order(
    f: Callable[..., Array],
    values: list[np.ndarray[Any, Any]],
    number: int,
    order: int,
    device: Any,
    step: float,
    rtol: float,
    atol: float,
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)

    def evaluate(points: Sequence[np.ndarray[Any, Any]]) -> Any:
        return np.asarray(f(*[asarray(p, device=device) for p in points])._host())

    out = evaluate(values)
    weights = _direction(rng, out.shape, out.dtype)
    leaves = [asarray(v, device=device, copy=True, requires_grad=True) for v in values]
    y = f(*leaves)
    gradients = _gradients(y, leaves, asarray(weights.astype(out.dtype), device=device), create_graph=False)
    for position, (value, gradient) in enumerate(zip(values, gradients, strict=True)):
        got = np.zeros(value.shape, value.dtype) if gradient is None else gradient._host()
        if got.shape != value.shape or got.dtype != value.dtype:
            raise AssertionError(
                f"order {number}, argument {position}: the gradient is {got.dtype} {got.shape}, "
                f"the argument {value.dtype} {value.shape}"
            )
        direction = _direction(rng, value.shape, value.dtype)
        ahead, behind = list(values), list(values)
        ahead[position] = value + step * direction
        behind[position] = value - step * direction
        difference = (evaluate(ahead) - evaluate(behind)) / (2 * step)
        # The gradient of a real L in a complex z is dL/dx + i dL/dy: its inner product with a direction is real.
        expected = float(np.sum(np.real(np.conj(weights) * difference)))
        found = float(np.sum(np.real(np.conj(got) * direction)))
        if not np.isclose(found, expected, rtol=rtol, atol=atol * max(1.0, float(np.sum(np.abs(got))))):
            raise AssertionError(
                f"order {number}, argument {position}: the derivative along a random direction is {found!r}, "
                f"finite differences give {expected!r}"
            )
    if number >= order:
        return
    cotangent = asarray(weights.astype(out.dtype), device=device)
    for position in range(len(values)):

        def derivative(*arrays: Array, position: int = position) -> Array:
            tracked = [a if a.requires_grad else asarray(a, copy=True, requires_grad=True) for a in arrays]
            found = _gradients(f(*tracked), tracked, cotangent, create_graph=True)[position]
            return tracked[position] * 0 if found is None else found

        _check_order(derivative, values, number + 1, order, device, step, rtol * 10, atol * 10, seed + 1)


def _gradients(y: Array, leaves: Sequence[Array], cotangent: Array, *, create_graph: bool) -> list[Array | None]:
    if not y.requires_grad:
        return [None] * len(leaves)
    nodes = [leaf._tracked for leaf in leaves]
    found = _engine.walk(
        [y], [cotangent], op="check_grads", retain_graph=create_graph, create_graph=create_graph, wanted=nodes
    )
    gradients: list[Array | None] = []
    for leaf, node in zip(leaves, nodes, strict=True):
        g = found.get(node)
        gradients.append(None if g is None else g if create_graph else _engine.own(leaf._device, g))
    return gradients


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


@derivative(x=lambda xp, g: g, kind="linear")
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
