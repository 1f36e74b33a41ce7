"""Passing the values of a drawn call to gradarray and to array-api-strict, and reading their results."""

from __future__ import annotations

from typing import Any

import array_api_strict as strict
import numpy as np

import gradarray as ga

# Taken now, so that a fault that is put into the namespace later is met only where a test looks for it.
from gradarray import Array, asarray

strict.set_array_api_strict_flags(api_version="2025.12")

_STRICT_DTYPES = {getattr(strict, name): np.dtype(name) for name in strict.__array_namespace_info__().dtypes()}
_OWN_DTYPES = {dtype: raw for raw, dtype in _STRICT_DTYPES.items()}
_FLOATING = "fc"


class _Here:
    """Stands in a drawn call for the device that the test runs on; strict, as the reference, gets None."""

    def __repr__(self) -> str:
        return "HERE"


HERE = _Here()


def array(values: Any, device: Any = None, *, tracked: bool = False) -> Array:
    """A gradarray array with a copy of the values."""
    values = np.array(values)
    return asarray(values, device=device, requires_grad=tracked and values.dtype.kind in _FLOATING)


def host(x: Array) -> np.ndarray[Any, Any]:
    """The values of an array, tracked or not, as a NumPy array."""
    assert type(x) is Array, f"{x!r} of type {type(x)} is not a gradarray array"
    return np.asarray(x.detach().to_device("cpu").numpy())


def to_gradarray(tree: Any, device: Any, *, tracked: bool = False) -> Any:
    if isinstance(tree, np.ndarray):
        return array(tree, device, tracked=tracked)
    if tree is HERE:
        return device
    if isinstance(tree, (list, tuple)):
        return type(tree)([to_gradarray(part, device, tracked=tracked) for part in tree])
    if isinstance(tree, dict):
        return {name: to_gradarray(part, device, tracked=tracked) for name, part in tree.items()}
    return tree


def to_strict(tree: Any) -> Any:
    if isinstance(tree, np.ndarray):
        return strict.asarray(tree.copy())
    if isinstance(tree, np.dtype):
        return _OWN_DTYPES[tree]
    if tree is HERE:
        return None
    if isinstance(tree, (list, tuple)):
        return type(tree)([to_strict(part) for part in tree])
    if isinstance(tree, dict):
        return {name: to_strict(part) for name, part in tree.items()}
    return tree


def plain(tree: Any, device: Any = None) -> Any:
    """A result with NumPy arrays and dtypes; arrays of ours must be on the given device."""
    if isinstance(tree, Array):
        assert device is None or tree.device == device, f"the result is on {tree.device}, not on {device}"
        return host(tree)
    if isinstance(tree, type(strict.asarray(0))):
        return np.asarray(tree)
    if isinstance(tree, (list, tuple)):
        return tuple([plain(part, device) for part in tree])
    if isinstance(tree, type(strict.float64)):
        return _STRICT_DTYPES[tree]
    return tree


def tracked_parts(tree: Any) -> bool:
    """Whether something in the tree could be tracked."""
    if isinstance(tree, np.ndarray):
        return tree.dtype.kind in _FLOATING
    if isinstance(tree, (list, tuple)):
        return any(map(tracked_parts, tree))
    return False


def agree(found: Any, expected: Any, *, tolerance: float = 0.0, scale: float = 0.0, signed_zeros: bool = False) -> None:
    """Assert that two results have the same structure, dtypes, shapes and, within `tolerance` units, values.

    A unit is the machine epsilon of the dtype, relative to the expected value, or to `scale` if that is larger.
    """
    if isinstance(expected, tuple):
        assert isinstance(found, tuple), f"{found!r} is not a tuple"
        assert len(found) == len(expected), f"{len(found)} results in place of {len(expected)}"
        for one, other in zip(found, expected, strict=True):
            agree(one, other, tolerance=tolerance, scale=scale, signed_zeros=signed_zeros)
        return
    if not isinstance(expected, np.ndarray):
        assert type(found) is type(expected), f"{type(found)} in place of {type(expected)}"
        assert found == expected, f"{found!r} in place of {expected!r}"
        return
    assert isinstance(found, np.ndarray), f"{found!r} is not an array"
    assert found.dtype == expected.dtype, f"dtype {found.dtype} in place of {expected.dtype}"
    assert found.shape == expected.shape, f"shape {found.shape} in place of {expected.shape}"
    if expected.dtype.kind not in _FLOATING:
        assert np.array_equal(found, expected), f"{found!r} in place of {expected!r}"
        return
    if expected.dtype.kind == "c":
        parts = [(found.real, expected.real), (found.imag, expected.imag)]
        signed_zeros = False  # In products of parts they depend on the order of the terms.
        size = np.abs(expected)
        scale = max(scale, float(np.max(size[np.isfinite(size)], initial=0)) if tolerance else 0.0)
    else:
        parts = [(found, expected)]
    for one, other in parts:
        _close(one, other, tolerance, scale)
        if signed_zeros:
            zero = (other == 0) & (one == 0)
            same = np.signbit(one) == np.signbit(other)
            assert np.all(same | ~zero), f"a zero of the wrong sign: {found!r} in place of {expected!r}"


def _close(found: Any, expected: Any, tolerance: float, scale: float) -> None:
    finite = np.isfinite(expected)
    assert np.array_equal(found[~finite], expected[~finite], equal_nan=True), f"{found!r} in place of {expected!r}"
    assert np.all(np.isfinite(found[finite])), f"{found!r} in place of {expected!r}"
    unit = tolerance * float(np.finfo(expected.dtype).eps)
    bound = unit * np.maximum(np.abs(expected[finite]), scale)
    error = np.abs(found[finite].astype(np.float64) - expected[finite].astype(np.float64))
    assert np.all(error <= bound), f"{found!r} in place of {expected!r} (off by {np.max(error)!r})"


__all__ = ["HERE", "agree", "array", "ga", "host", "plain", "strict", "to_gradarray", "to_strict", "tracked_parts"]
