"""Random tensors, from one generator that `manual_seed` sets."""

# ruff: noqa: A002 - PyTorch's names

from __future__ import annotations

from typing import Any

import numpy as np

import gradarray as ga

from .. import _dtypes, _errors
from . import _types
from ._calls import binary, default_place, raw, wrap, write
from ._tensor import Tensor


class Generator:
    """A source of random numbers with a state of its own.

    Parameters
    ----------
    device : device or str, optional
        Taken and not needed: the numbers are the same on every device.
    """

    def __init__(self, device: Any = None) -> None:
        self.device = _types.device(default_place(device))
        self.seed()

    def manual_seed(self, seed: int) -> Generator:
        """Start from a seed: the same numbers come after the same seed."""
        self._seed = int(seed)
        self._source = np.random.default_rng(self._seed & 0xFFFF_FFFF_FFFF_FFFF)
        return self

    def seed(self) -> int:
        """Start from a seed that is drawn by the system; the seed."""
        self.manual_seed(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that was started from."""
        return self._seed


default_generator = Generator("cpu")


def manual_seed(seed: int) -> Generator:
    """Start the random numbers from a seed: the same ones come after the same seed."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Start the random numbers from a seed that is drawn by the system; the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the random numbers were started from."""
    return default_generator.initial_seed()


def _drawn(generator: Generator | None, kind: str, size: tuple[int, ...], *args: Any) -> np.ndarray[Any, Any]:
    """Random numbers of a kind: the one place where they come from."""
    source = (default_generator if generator is None else generator)._source
    return np.asarray(getattr(source, kind)(*args, size=size))


def _tensor(values: np.ndarray[Any, Any], own: _dtypes.DType, device: Any, requires_grad: bool) -> Tensor:
    place = default_place(device)
    return wrap(ga.asarray(values.astype(own), device=place, requires_grad=requires_grad))


def _floating(op: str, dtype: Any) -> _dtypes.DType:
    own = _types.own_dtype(dtype, op) or _types.default_of("f")
    if _dtypes.kind_of(own) != "f":
        raise _errors.DTypeError(
            f"{op}(): random numbers of {own} are not drawn here\nFix: use torch.float32, or randint"
        )
    return own


def randn(
    *size: Any,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Tensor of numbers from the standard normal distribution."""
    values = _drawn(generator, "standard_normal", _types.size_of("randn", size))
    return _tensor(values, _floating("randn", dtype), device, requires_grad)


def rand(
    *size: Any,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Tensor of numbers that are evenly distributed from 0 to 1, which is not included."""
    own = _floating("rand", dtype)
    # Rounding to a narrower type must not give 1.
    values = _drawn(generator, "random", _types.size_of("rand", size))
    return _tensor(np.minimum(values, 1 - float(ga.finfo(own).eps) / 2), own, device, requires_grad)


def randint(
    low: int,
    high: Any = None,
    size: Any = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Tensor of integers from `low`, by default 0, up to `high`, which is not included."""
    if size is None:  # randint(high, size)
        low, high, size = 0, low, high
    own = _types.own_dtype(dtype, "randint") or _dtypes.int64
    values = _drawn(generator, "integers", _types.size_of("randint", (size,)), low, high)
    return _tensor(values, own, device, requires_grad)


def randperm(n: int, *, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Tensor:
    """The integers below `n` in random order."""
    own = _types.own_dtype(dtype, "randperm") or _dtypes.int64
    return _tensor(np.argsort(_drawn(generator, "random", (n,)), kind="stable"), own, device, False)


def normal(mean: Any, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None) -> Tensor:
    """Tensor of numbers from normal distributions, one for each mean and standard deviation, or of a size."""
    if size is not None:
        return _scaled(randn(size, generator=generator), mean, std)
    like = mean if isinstance(mean, Tensor) else std
    shape = ga.broadcast_shapes(*[x._array.shape for x in (mean, std) if isinstance(x, Tensor)])
    found = randn(shape, generator=generator, dtype=like.dtype, device=like.device)
    with ga.no_grad():
        return _scaled(found, mean, std)


def _scaled(drawn: Tensor, mean: Any, std: Any) -> Tensor:
    return binary(ga.add, binary(ga.multiply, drawn, std), mean)


def bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor:
    """Tensor of ones, each with the probability that stands in its place, and zeros."""
    drawn = rand(input.shape, generator=generator, dtype=ga.float64, device=input.device)
    return wrap(ga.astype(drawn._array < input._array.detach(), input._array.dtype))


def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Tensor from the standard normal distribution, with the shape, data type and device of another."""
    kind, place = dtype or input.dtype, device or input.device
    return randn(input.shape, dtype=kind, device=place, requires_grad=requires_grad)


def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Tensor of numbers from 0 to 1, with the shape, data type and device of another."""
    kind, place = dtype or input.dtype, device or input.device
    return rand(input.shape, dtype=kind, device=place, requires_grad=requires_grad)


def uniform_(input: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Numbers that are evenly distributed from `a` to `b` in the place of all elements."""
    drawn = rand(input.shape, generator=generator, dtype=input.dtype, device=input.device)
    return write("uniform_", input, raw(drawn * (b - a) + a))


def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Numbers from a normal distribution in the place of all elements."""
    drawn = randn(input.shape, generator=generator, dtype=input.dtype, device=input.device)
    return write("normal_", input, raw(drawn * std + mean))


METHODS = {"uniform_": uniform_, "normal_": normal_}
