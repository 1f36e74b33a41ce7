"""Raw functions beyond the standard that derivative rules need, written over the standard for every backend.

A backend that has something better overrides them in `Backend.kernel`. `like` is the description of an array: anything
with `shape` and `device`; no data is read from it. A `path` is the chain of view operations from a root to a view.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import MissingExtraError

if TYPE_CHECKING:
    from ._backend import Backend

#: View operations that lead from a complex array to a real one.
COMPONENTS = ("real_part", "imag_part")

Path = tuple[tuple[Callable[..., Any], dict[str, Any]], ...]


class RuleNamespace:
    """The standard over raw arrays, with the extras of this module, as derivative rules see it.

    Attributes are the backend's kernels, kept once they were looked up. What `gradarray.scipy` has beyond the standard
    is found as there: ``xp.scipy.special.gamma``.
    """

    def __init__(self, backend: Backend, *, nested: bool = False, room: str = "") -> None:
        self._backend = backend
        self._room = room
        if not nested:
            self.linalg = RuleNamespace(backend, nested=True)
            self.fft = RuleNamespace(backend, nested=True)
            self.scipy = _Rooms(backend)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        kernel = self._backend.kernel(f"{self._room}.{name}" if self._room else name)
        setattr(self, name, kernel)
        return kernel


class _Rooms:
    """The rooms of `gradarray.scipy` over raw arrays."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def __getattr__(self, name: str) -> RuleNamespace:
        if name.startswith("_"):
            raise AttributeError(name)
        room = RuleNamespace(self._backend, nested=True, room=name)
        setattr(self, name, room)
        return room


class GenericKernels:
    """The extras over a backend's own namespace. Each is a method; its public name is the method's."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._xp = backend.xp

    def _raw_device(self, like: Any) -> Any:
        return self._backend.raw_device((like.device.type, like.device.index))

    def getitem(self, x: Any, *, key: Any) -> Any:
        """``x[key]``, for any key that the library takes."""
        return x[key]

    def real_part(self, x: Any) -> Any:
        """The real part of a complex array, in its memory where the library can."""
        return self._xp.real(x)

    def imag_part(self, x: Any) -> Any:
        """The imaginary part of a complex array, in its memory where the library can."""
        return self._xp.imag(x)

    def spread(self, g: Any, *, like: Any) -> Any:
        """`g` broadcast to the shape of `like`."""
        return self._xp.broadcast_to(g, tuple(like.shape))

    def zeros_for(self, g: Any, *, like: Any) -> Any:
        """Zeros of the shape of `like` with the dtype of `g`."""
        return self._xp.zeros(tuple(like.shape), dtype=g.dtype, device=self._raw_device(like))

    def numbers(self, *, like: Any) -> Any:
        """The row-major number of each element of `like`."""
        shape = tuple(like.shape)
        return self._xp.reshape(self._xp.arange(prod(shape), device=self._raw_device(like)), shape)

    def scatter(self, g: Any, *, like: Any, key: Any) -> Any:
        """Zeros like `like` to which `g` is added at `key`, repeated elements as often as they occur."""
        if is_basic(key):
            out = self._backend.kernel("zeros_for")(g, like=like)
            self._backend.write(out, key, g)
            return out
        return self._scatter_at(g, self._backend.kernel("getitem")(self.numbers(like=like), key=key), like)

    def _scatter_at(self, g: Any, positions: Any, like: Any) -> Any:
        # The standard has neither scatter-add nor assignment at integer arrays. So: sort by position, add up each run
        # of equal positions pairwise (a round for each doubling of the longest run, and no digits lost), then let every
        # element look its sum up.
        xp = self._xp
        # Functions of indices differ in their dtypes; the backend's kernels know.
        argsort, searchsorted = self._backend.kernel("argsort"), self._backend.kernel("searchsorted")
        size = prod(like.shape)
        device = self._raw_device(like)
        positions, values = xp.reshape(positions, (-1,)), xp.reshape(g, (-1,))
        if not positions.shape[0]:
            return self._backend.kernel("zeros_for")(g, like=like)
        order = argsort(positions, stable=True)
        positions, values = xp.take(positions, order, axis=0), xp.take(values, order, axis=0)
        while True:
            rank = xp.arange(positions.shape[0], device=device) - searchsorted(positions, positions)
            first = rank % 2 == 0
            if bool(xp.all(first)):
                break
            follows = positions[1:] == positions[:-1]
            partner = xp.where(follows, values[1:], xp.zeros_like(values[1:]))
            values = values + xp.concat([partner, xp.zeros_like(values[:1])])
            positions, values = positions[first], values[first]
        elements = xp.arange(size, device=device)
        at = searchsorted(positions, elements)
        at = xp.where(at < positions.shape[0], at, xp.zeros_like(at))
        hit = xp.take(positions, at, axis=0) == elements
        zeros = xp.zeros((size,), dtype=g.dtype, device=device)
        return xp.reshape(xp.where(hit, xp.take(values, at, axis=0), zeros), tuple(like.shape))

    def scatter_along_axis(self, g: Any, indices: Any, *, like: Any, axis: int) -> Any:
        """The transpose of ``take_along_axis``: zeros like `like` with `g` added at `indices` along `axis`."""
        xp = self._xp
        shape = tuple(g.shape)
        key = []
        for position, length in enumerate(shape):
            if position == axis:
                key.append(xp.broadcast_to(indices, shape))
                continue
            # An axis that take_along_axis stretched has length 1 in `like`: all of it goes to element 0.
            steps = xp.arange(length, device=self._raw_device(like))
            if like.shape[position] != length:
                steps = xp.zeros_like(steps)
            view = [1] * len(shape)
            view[position] = length
            key.append(xp.broadcast_to(xp.reshape(steps, tuple(view)), shape))
        return self._backend.kernel("scatter")(g, like=like, key=tuple(key))

    def assign(self, x: Any, value: Any, *, path: Path, key: Any) -> Any:
        """A copy of `x` with `value` written through the views of `path`, at `key`."""
        levels = [self._backend.copy(x)]
        for operation, parameters in path:
            levels.append(self._backend.kernel(operation.__name__)(levels[-1], **parameters))
        self._backend.write(levels[-1], key, value)
        # In the layout of the copy a view may have become a copy itself: then it is written back, level by level.
        for (operation, parameters), base, part in reversed(list(zip(path, levels, levels[1:], strict=False))):
            if not self._backend.shares_memory(base, part):
                self._write_back(operation.__name__, parameters, base, part)
        return levels[0]

    def _write_back(self, name: str, parameters: dict[str, Any], base: Any, part: Any) -> None:
        xp = self._xp
        if name == "getitem":
            self._backend.write(base, parameters["key"], part)
            return
        if name == "permute_dims":
            axes = [axis % part.ndim for axis in parameters["axes"]]
            part = xp.permute_dims(part, tuple(axes.index(axis) for axis in range(part.ndim)))
        elif name == "matrix_transpose":
            part = xp.matrix_transpose(part)
        elif name == "flip":
            part = xp.flip(part, **parameters)
        elif name == "real_part":
            part = part + 1j * xp.imag(base)
        elif name == "imag_part":
            part = xp.real(base) + 1j * part
        self._backend.write(base, ..., xp.reshape(part, tuple(base.shape)))

    def written(self, x: Any, *, path: Path, key: Any) -> Any:
        """What `assign` overwrites; 0 where a repeated index wrote an element that a later one overwrote."""
        part = self._region(x, path, key)
        if is_basic(key):
            return part
        xp = self._xp
        device = self._backend.raw_device(self._backend.place_of(x))
        order = xp.reshape(xp.arange(prod(part.shape), device=device), tuple(part.shape))
        nowhere = xp.zeros(tuple(x.shape), dtype=order.dtype, device=device)
        # The part of a complex number does not move it.
        path = tuple([step for step in path if step[0].__name__ not in COMPONENTS])
        last = self._region(self.assign(nowhere, order, path=path, key=key), path, key)
        return xp.where(last == order, part, xp.zeros_like(part))

    def _region(self, x: Any, path: Path, key: Any) -> Any:
        for operation, parameters in path:
            x = self._backend.kernel(operation.__name__)(x, **parameters)
        return self._backend.kernel("getitem")(x, key=key)

    def unwritten(self, g: Any, *, like: Any, path: Path, key: Any) -> Any:
        """The transpose of `written`: zeros like `like` with `g` assigned."""
        zeros = self._backend.kernel("zeros_for")(g, like=like)
        if any(operation.__name__ in COMPONENTS for operation, _ in path):
            zeros = zeros * 1j  # `g` is of one part, the zeros are of the whole
        return self.assign(zeros, g, path=path, key=key)

    def settle(self, x: Any, idle: Any, bad: Any) -> Any:
        """`x` with 0 in the place of what is bad."""
        return self._xp.where(bad, self._xp.zeros_like(x), x)

    def move(self, x: Any, *, like: Any) -> Any:
        """The values of `x` on the device of `like`, of whichever backend."""
        target = like.device.backend
        place = (like.device.type, like.device.index)
        if target is self._backend:
            return target.move(x, place)
        if place[0] == "cuda" and self._backend.place_of(x) == place:
            # One GPU through two libraries: the copy need not go by way of the host.
            return target.from_dlpack(x, place, copy=True)
        return target.from_numpy(self._backend.to_numpy(x, copy=None), place, copy=True)


#: Kernels of the rooms beyond the standard, by room and name: each takes a backend and gives its raw function.
BEYOND: dict[str, Callable[[Backend], Callable[..., Any]]] = {}


def generic(backend: Backend, name: str) -> Callable[..., Any]:
    """The generic kernel of the given name over a backend's own namespace; AttributeError if there is none."""
    if name in BEYOND:
        return BEYOND[name](backend)
    if name.startswith("_") or not hasattr(GenericKernels, name):
        raise AttributeError(f"backend {backend.name!r} has no function {name!r}")
    kernel: Callable[..., Any] = getattr(GenericKernels(backend), name)
    return kernel


Rescue = Callable[[Exception, tuple[Any, ...], dict[str, Any]], Any]


def guarded(
    function: Callable[..., Any],
    errors: type[Exception],
    rescue: Rescue,
    *,
    operands: int | None = None,
    over_axes: bool = False,
) -> Callable[..., Any]:
    """A kernel that answers with ``rescue(error, args, keywords)`` where the function raises one of some errors.

    `operands` is how many it has, if it has nothing else; `over_axes` says that it is a reduction with ``axis`` and
    ``keepdims``. Those are called most and have forms of their own: to hand on any arguments costs as much as an
    operation of NumPy.
    """
    if operands == 1:

        def of_one(x: Any) -> Any:
            try:
                return function(x)
            except errors as error:
                return rescue(error, (x,), {})

        return of_one
    if operands == 2:

        def of_two(x1: Any, x2: Any) -> Any:
            try:
                return function(x1, x2)
            except errors as error:
                return rescue(error, (x1, x2), {})

        return of_two
    if over_axes:

        def reduction(x: Any, *, axis: Any = None, keepdims: bool = False, **others: Any) -> Any:
            try:
                if others:
                    return function(x, axis=axis, keepdims=keepdims, **others)
                return function(x, axis=axis, keepdims=keepdims)
            except errors as error:
                return rescue(error, (x,), {"axis": axis, "keepdims": keepdims, **others})

        return reduction

    @functools.wraps(function)
    def of_any(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except errors as error:
            return rescue(error, args, keywords)

    return of_any


def scipy_function(name: str, package: str = "scipy") -> Callable[..., Any]:
    """SciPy's own function of a dotted name, or that of a package built like it; MissingExtraError without the package.

    SciPy puts a choice of array library around its ufuncs; it is taken off, for the library is known here.
    """
    module, _, function = name.rpartition(".")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(f"{package}.{module}"), function)
    except ImportError as error:
        raise MissingExtraError(
            f"{name}(): it needs a package that is not installed ({error})\nFix: pip install 'gradarray[scipy]'"
        ) from error
    inner: Callable[..., Any] = inspect.unwrap(found)
    return inner if isinstance(inner, np.ufunc) else found


def on_host(backend: Backend, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy arrays as one of a backend's raw arrays; on the CPU most libraries share their memory."""
    if backend.array_type is np.ndarray:
        return function
    array_type = backend.array_type

    def brought(x: Any) -> Any:
        if isinstance(x, array_type):
            return backend.to_numpy(x, copy=None)
        return tuple([brought(part) for part in x]) if type(x) is tuple else x

    def computed(*args: Any, **keywords: Any) -> Any:
        place = next((backend.place_of(x) for x in args if isinstance(x, array_type)), backend.devices()[0])
        out = function(*[brought(x) for x in args], **{name: brought(value) for name, value in keywords.items()})
        if type(out) is tuple:
            return tuple([backend.from_numpy(np.asarray(part), place, copy=None) for part in out])
        return backend.from_numpy(np.asarray(out), place, copy=None)

    return computed


def is_basic(key: Any) -> bool:
    """Whether a raw key has only integers, slices, Ellipsis and None: each element is then picked at most once."""
    parts = key if type(key) is tuple else (key,)
    return all(part is None or part is Ellipsis or isinstance(part, (int, slice)) for part in parts)


def numpy_snapshot(owner: np.ndarray[Any, Any]) -> Callable[[Any], Any]:
    """Copy the memory that a NumPy array owns; the function gives for any view of it the same view of the copy."""
    low, high = np.lib.array_utils.byte_bounds(owner)
    copied = np.asarray(_Memory(low, high - low)).copy()

    def before(view: Any) -> Any:
        offset = view.__array_interface__["data"][0] - low
        return np.ndarray(view.shape, view.dtype, copied, offset, view.strides)

    return before


class _Memory:
    """A span of addresses, as NumPy reads memory that it does not own."""

    def __init__(self, address: int, length: int) -> None:
        self.__array_interface__ = {"shape": (length,), "typestr": "|u1", "data": (address, True), "version": 3}
