"""Reading and writing at keys as NumPy takes them; positions are worked out on the host, so none is out of bounds."""

from __future__ import annotations

from math import prod
from typing import Any

import jax.numpy as jnp
import numpy as np

from gradarray.backend import load

Positions = np.ndarray[Any, Any]
_COMPONENTS = ("real_part", "imag_part")


def getitem(x: Any, *, key: Any) -> Any:
    """``x[key]``; JAX itself would take the nearest element where an index is out of bounds."""
    shape = x.shape
    if type(key) is slice and shape:
        return x[key]
    if type(key) is int and shape and -shape[0] <= key < shape[0]:
        return x[key]
    host_key = _host(key)
    if _is_basic(host_key):
        # One cell that stands for all: it is only asked whether the key fits.
        np.broadcast_to(np.int8(0), shape)[host_key]
        return x[host_key]
    places = np.arange(prod(shape)).reshape(shape)[host_key]
    return jnp.take(x.reshape(-1), places.ravel(), mode="clip").reshape(places.shape)


def scatter(g: Any, *, like: Any, key: Any) -> Any:
    """Zeros like `like` to which `g` is added at `key`."""
    shape = tuple(like.shape)
    places = np.arange(prod(shape)).reshape(shape)[_host(key)]
    flat = jnp.zeros(prod(shape), g.dtype, device=g.device)
    return flat.at[places.ravel()].add(g.reshape(-1)).reshape(shape)


def assign(x: Any, value: Any, *, path: Any, key: Any) -> Any:
    """A copy of `x` with `value` written through the views of `path`, at `key`; the last of several values stays."""
    # A number stays on the host, where JAX takes it from; it goes wherever it is written to.
    value = jnp.asarray(value, x.dtype) if hasattr(value, "dtype") else np.asarray(value, x.dtype)
    host_key = _host(key)
    if not path and _is_basic(host_key):
        region = np.broadcast_to(np.int8(0), tuple(x.shape))[host_key]
        return x.at[host_key].set(_fitted(value, region.shape) if value.ndim else value)
    places = _places(tuple(x.shape), path, host_key)
    found, chosen = _last(places)
    values = _fitted(value, places.shape).reshape(-1)[chosen]
    component = _component(path)
    if component:
        there = x.reshape(-1)[found]
        values = values.real + 1j * there.imag if component == "real_part" else there.real + 1j * values.real
    return x.reshape(-1).at[found].set(values, unique_indices=True).reshape(x.shape)


def written(x: Any, *, path: Any, key: Any) -> Any:
    """What `assign` overwrites; 0 where a repeated index wrote an element that a later one overwrote."""
    places = _places(tuple(x.shape), path, _host(key))
    _, chosen = _last(places)
    stays = np.zeros(places.size, bool)
    stays[chosen] = True
    part = jnp.take(x.reshape(-1), places.ravel(), mode="clip")
    component = _component(path)
    if component:
        part = part.real if component == "real_part" else part.imag
    return jnp.where(stays, part, jnp.zeros_like(part)).reshape(places.shape)


def unwritten(g: Any, *, like: Any, path: Any, key: Any) -> Any:
    """The transpose of `written`: zeros like `like` with `g` assigned."""
    dtype = jnp.result_type(g.dtype, jnp.complex64) if _component(path) else g.dtype
    return assign(jnp.zeros(tuple(like.shape), dtype, device=g.device), g, path=path, key=key)


def _host(key: Any) -> Any:
    if type(key) is tuple:
        return tuple([_host(part) for part in key])
    return np.asarray(key) if hasattr(key, "dtype") else key


def _is_basic(key: Any) -> bool:
    parts = key if type(key) is tuple else (key,)
    return not any(isinstance(part, np.ndarray) for part in parts)


def _component(path: Any) -> str | None:
    """Of which part of complex numbers a path is, if it is of one: that does not move them."""
    return next((operation.__name__ for operation, _ in path if operation.__name__ in _COMPONENTS), None)


def _places(shape: tuple[int, ...], path: Any, key: Any) -> Positions:
    """The row-major number of each element that is reached through the views of a path, at a key."""
    places: Any = np.arange(prod(shape)).reshape(shape)
    for operation, parameters in path:
        if operation.__name__ in _COMPONENTS:
            continue
        host = {name: _host(value) for name, value in parameters.items()}
        places = load("numpy").kernel(operation.__name__)(places, **host)
    return np.asarray(places[key])


def _last(places: Positions) -> tuple[Positions, Positions]:
    """Each number that occurs, once, and the last position at which it stands."""
    flat = places.ravel()
    found, reversed_position = np.unique(flat[::-1], return_index=True)
    return found, flat.size - 1 - reversed_position


def _fitted(value: Any, shape: tuple[int, ...]) -> Any:
    """A value in the shape of what it is written to; leading axes of length 1 go, as in NumPy."""
    extra = value.ndim - len(shape)
    if extra > 0 and set(value.shape[:extra]) <= {1}:
        value = value.reshape(value.shape[extra:])
    return jnp.broadcast_to(value, shape)
