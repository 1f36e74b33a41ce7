"""What all families of distributions share: location and scale, the support, and parameters that make no sense."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._array import Array
from ..._devices import Device, default_device
from ..._dispatch import check_devices
from ..._errors import ArgumentTypeError, ArgumentValueError
from ...ops.conversion import asarray
from ...ops.data_type import result_type
from ...ops.elementwise import exp, floor, isnan, log, log1p, sqrt
from ...ops.elementwise._domain import as_floating
from ...ops.searching import where

Parameter = Any


class Distribution:
    """One family, as an object with SciPy's methods; called with its parameters it gives a member with these frozen.

    Subclasses say what the standard member does, with location 0 and scale 1, within the support: methods with an
    underscore, of an array `x` (or of probabilities `q`) and the shape parameters. Everything is made of public
    functions, so every method is differentiated with respect to every argument.
    """

    #: Names of the shape parameters.
    shapes: tuple[str, ...] = ()
    #: The parameters beyond the shapes, with their defaults.
    frame: tuple[tuple[str, float], ...] = ()

    def __repr__(self) -> str:
        return f"<gradarray.scipy.stats.{self.name}>"

    @property
    def name(self) -> str:
        """The family's name in SciPy."""
        return type(self).__name__.lstrip("_")

    def __call__(self, *args: Parameter, **keywords: Parameter) -> Frozen:
        """The member with these parameters."""
        self._parameters(self.name, args, keywords)
        return Frozen(self, args, keywords)

    def _valid(self, *shapes: Array) -> Any:
        """Where the shape parameters make sense: above 0 unless a family says otherwise."""
        valid: Any = True
        for shape in shapes:
            valid = (shape > 0) & valid
        return valid

    def _missing(self, method: str) -> ArgumentValueError:
        return ArgumentValueError(
            f"{self.name}.{method}(): this family does not have it here\n"
            f"Fix: scipy.stats.{self.name}.{method} of x.detach().numpy(), without a gradient"
        )

    def _parameters(self, method: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        names = [*self.shapes, *[name for name, _ in self.frame]]
        defaults = dict(self.frame)
        op = method if method == self.name else f"{self.name}.{method}"
        if len(args) > len(names) or not set(keywords) <= set(names[len(args) :]):
            listed = ", ".join(names)
            raise ArgumentTypeError(f"{op}(): its parameters are {listed or 'none'}\nFix: pass those, each once")
        found = dict(zip(names, args, strict=False)) | keywords
        missing = [name for name in self.shapes if name not in found]
        if missing:
            raise ArgumentTypeError(f"{op}(): {missing[0]} is missing\nFix: pass {', '.join(self.shapes)}")
        return [found.get(name, defaults.get(name)) for name in names]

    def _arrays(self, method: str, inputs: list[tuple[str, Any]]) -> list[Array]:
        """Every input as a floating-point array on one device, of one precision."""
        check_devices(f"{self.name}.{method}", inputs)
        device = _device_of([x for _, x in inputs])
        arrays = [as_floating(asarray(x, device=device)) for _, x in inputs if isinstance(x, (Array, np.ndarray))]
        dtype = result_type(*arrays) if arrays else None
        return [
            asarray(x, dtype=dtype, device=device) if not isinstance(x, Array) else as_floating(x) for _, x in inputs
        ]


def _device_of(inputs: list[Any]) -> Device:
    return next((x.device for x in inputs if isinstance(x, Array)), default_device())


class Frozen:
    """A member of a family: its methods take no parameters."""

    def __init__(self, family: Distribution, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self.family = family
        self._args = args
        self._keywords = keywords

    def __repr__(self) -> str:
        given = [*map(repr, self._args), *[f"{name}={value!r}" for name, value in self._keywords.items()]]
        return f"<gradarray.scipy.stats.{self.family.name}({', '.join(given)})>"

    def __getattr__(self, name: str) -> Callable[..., Array]:
        method = getattr(type(self.family), name, None)
        if name.startswith("_") or not callable(method):
            raise AttributeError(f"the distribution {self.family.name!r} has no method {name!r}")

        def frozen(*x: Any) -> Array:
            result: Array = method(self.family, *x, *self._args, **self._keywords)
            return result

        return frozen


class Continuous(Distribution):
    """A family with a density, moved by `loc` and stretched by `scale`."""

    frame = (("loc", 0.0), ("scale", 1.0))
    #: Where the density of the standard member is not 0.
    support: tuple[float, float] = (-math.inf, math.inf)

    # --- what a family says -----------------------------------------------------------------------------------------

    def _logpdf(self, x: Array, *shapes: Array) -> Array:
        raise NotImplementedError

    def _cdf(self, x: Array, *shapes: Array) -> Array:
        raise self._missing("cdf")

    def _sf(self, x: Array, *shapes: Array) -> Array:
        return 1 - self._cdf(x, *shapes)

    def _logcdf(self, x: Array, *shapes: Array) -> Array:
        return _log_of(self._cdf(x, *shapes), self._sf(x, *shapes))

    def _logsf(self, x: Array, *shapes: Array) -> Array:
        return _log_of(self._sf(x, *shapes), self._cdf(x, *shapes))

    def _ppf(self, q: Array, *shapes: Array) -> Array:
        raise self._missing("ppf")

    def _isf(self, q: Array, *shapes: Array) -> Array:
        return self._ppf(1 - q, *shapes)

    def _mean(self, *shapes: Array) -> Any:
        raise self._missing("mean")

    def _var(self, *shapes: Array) -> Any:
        raise self._missing("var")

    def _entropy(self, *shapes: Array) -> Any:
        raise self._missing("entropy")

    # --- SciPy's methods --------------------------------------------------------------------------------------------

    def logpdf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of the density at `x`; minus infinity outside the support, NaN for parameters that make no sense.

        Parameters
        ----------
        x : Array or number
            Where.
        *args, **keywords : Array or number
            The shape parameters, then ``loc`` and ``scale``; broadcast with `x`.

        Returns
        -------
        Array
            Of the shape of everything broadcast.
        """
        return self._over_points("logpdf", x, args, keywords, -math.inf, -math.inf, lambda z, scale: -log(scale))

    def pdf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Density at `x`; see `logpdf`."""
        return exp(self.logpdf(x, *args, **keywords))

    def cdf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Probability of at most `x`; parameters as for `logpdf`."""
        return self._over_points("cdf", x, args, keywords, 0.0, 1.0)

    def sf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Probability of more than `x`, precise where that is small; parameters as for `logpdf`."""
        return self._over_points("sf", x, args, keywords, 1.0, 0.0)

    def logcdf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of `cdf`."""
        return self._over_points("logcdf", x, args, keywords, -math.inf, 0.0)

    def logsf(self, x: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of `sf`."""
        return self._over_points("logsf", x, args, keywords, 0.0, -math.inf)

    def ppf(self, q: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Quantile: the inverse of `cdf` at `q`; NaN outside 0 to 1."""
        return self._over_probabilities("ppf", q, args, keywords)

    def isf(self, q: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Inverse of `sf` at `q`; NaN outside 0 to 1."""
        return self._over_probabilities("isf", q, args, keywords)

    def median(self, *args: Parameter, **keywords: Parameter) -> Array:
        """The quantile at one half."""
        return self.ppf(0.5, *args, **keywords)

    def mean(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Expected value."""
        return self._figure("mean", args, keywords, lambda value, loc, scale: loc + scale * value)

    def var(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Variance."""
        return self._figure("var", args, keywords, lambda value, loc, scale: value * scale * scale + 0 * loc)

    def std(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Standard deviation."""
        return sqrt(self.var(*args, **keywords))

    def entropy(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Differential entropy."""
        return self._figure("entropy", args, keywords, lambda value, loc, scale: value + log(scale) + 0 * loc)

    # --- how ---------------------------------------------------------------------------------------------------------

    def _inputs(self, method: str, first: list[tuple[str, Any]], args: Any, keywords: Any) -> list[Array]:
        parameters = self._parameters(method, args, keywords)
        names = [*self.shapes, "loc", "scale"]
        return self._arrays(method, [*first, *zip(names, parameters, strict=True)])

    def _over_points(
        self, method: str, x: Any, args: Any, keywords: Any, below: float, above: float, beside: Any = None
    ) -> Array:
        x, *shapes, loc, scale = self._inputs(method, [("x", x)], args, keywords)
        z = (x - loc) / scale
        value = getattr(self, f"_{method}")(z, *shapes)
        if beside is not None:
            value = value + beside(z, scale)
        low, high = self.support
        if low > -math.inf:
            value = where(z < low, below, value)
        if high < math.inf:
            value = where(z > high, above, value)
        return where(self._valid(*shapes) & (scale > 0) | isnan(z), value, math.nan)

    def _over_probabilities(self, method: str, q: Any, args: Any, keywords: Any) -> Array:
        q, *shapes, loc, scale = self._inputs(method, [("q", q)], args, keywords)
        value = loc + scale * getattr(self, f"_{method}")(q, *shapes)
        return where(self._valid(*shapes) & (scale > 0) & (q >= 0) & (q <= 1), value, math.nan)

    def _figure(self, method: str, args: Any, keywords: Any, moved: Callable[[Any, Array, Array], Array]) -> Array:
        *shapes, loc, scale = self._inputs(method, [], args, keywords)
        value = moved(getattr(self, f"_{method}")(*shapes), loc, scale)
        return where(self._valid(*shapes) & (scale > 0), value, math.nan)


def _log_of(probability: Array, rest: Array) -> Array:
    """The logarithm of a probability, precise near 1 too, where `rest` is small."""
    return where(rest < 0.5, log1p(-rest), log(probability))


class Discrete(Distribution):
    """A family of probabilities of integers, moved by `loc`."""

    frame = (("loc", 0.0),)
    #: The smallest integer of the standard member.
    lowest = 0

    def _logpmf(self, k: Array, *shapes: Array) -> Array:
        raise NotImplementedError

    def _cdf(self, k: Array, *shapes: Array) -> Array:
        raise NotImplementedError

    def _sf(self, k: Array, *shapes: Array) -> Array:
        raise NotImplementedError

    def _highest(self, *shapes: Array) -> Any:
        """The largest integer."""
        return math.inf

    def _mean(self, *shapes: Array) -> Any:
        raise NotImplementedError

    def _var(self, *shapes: Array) -> Any:
        raise NotImplementedError

    def logpmf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of the probability of `k`; minus infinity for what is not an integer of the support.

        Parameters
        ----------
        k : Array or number
            Where. It has no gradient.
        *args, **keywords : Array or number
            The shape parameters, then ``loc``; broadcast with `k`.

        Returns
        -------
        Array
            Of the shape of everything broadcast.
        """
        k, *shapes = self._inputs("logpmf", k, args, keywords)
        inside = (k >= self.lowest) & (k <= self._highest(*shapes)) & (floor(k) == k)
        value = where(inside, self._logpmf(k, *shapes), -math.inf)
        return where(self._valid(*shapes), value, math.nan)

    def pmf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Probability of `k`; see `logpmf`."""
        return exp(self.logpmf(k, *args, **keywords))

    def cdf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Probability of at most `k`; parameters as for `logpmf`."""
        return self._cumulative("cdf", k, args, keywords, 0.0, 1.0)

    def sf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Probability of more than `k`, precise where that is small; parameters as for `logpmf`."""
        return self._cumulative("sf", k, args, keywords, 1.0, 0.0)

    def logcdf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of `cdf`."""
        return _log_of(self.cdf(k, *args, **keywords), self.sf(k, *args, **keywords))

    def logsf(self, k: Any, *args: Parameter, **keywords: Parameter) -> Array:
        """Logarithm of `sf`."""
        return _log_of(self.sf(k, *args, **keywords), self.cdf(k, *args, **keywords))

    def mean(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Expected value."""
        _, *shapes = self._inputs("mean", 0.0, args, keywords)
        loc = self._parameters("mean", args, keywords)[-1]
        return where(self._valid(*shapes), self._mean(*shapes) + loc, math.nan)

    def var(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Variance."""
        _, *shapes = self._inputs("var", 0.0, args, keywords)
        return where(self._valid(*shapes), self._var(*shapes), math.nan)

    def std(self, *args: Parameter, **keywords: Parameter) -> Array:
        """Standard deviation."""
        return sqrt(self.var(*args, **keywords))

    def _inputs(self, method: str, k: Any, args: Any, keywords: Any) -> list[Array]:
        parameters = self._parameters(method, args, keywords)
        k, *shapes, loc = self._arrays(method, [("k", k), *zip([*self.shapes, "loc"], parameters, strict=True)])
        # A probability of integers does not move with them a little: they are constants.
        return [k.detach() - loc.detach(), *shapes]

    def _cumulative(self, method: str, k: Any, args: Any, keywords: Any, below: float, above: float) -> Array:
        k, *shapes = self._inputs(method, k, args, keywords)
        k = floor(k)
        value = where(k < self.lowest, below, getattr(self, f"_{method}")(k, *shapes))
        value = where(k >= self._highest(*shapes), above, value)
        return where(self._valid(*shapes), value, math.nan)
