"""Keys as NumPy takes them: slices with negative steps, integers of any width, the last of several writes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ._kernels import with_host


def getitem(x: Any, *, key: Any) -> Any:
    """``x[key]``: a view for slices with positive steps, integers, Ellipsis and None."""
    if type(key) is int or (type(key) is slice and key.step is None):
        return x[key]
    return _guarded_getitem(x, key=key)


def _getitem(x: Any, *, key: Any) -> Any:
    if not _is_reversed(key):
        return x[_key(key)]
    parts = _expanded(x, key)
    # First what runs backwards, axis by axis; then the rest.
    axis = 0
    for position, part in enumerate(parts):
        if isinstance(part, slice) and part.step is not None and part.step < 0:
            start, stop, step = part.indices(x.shape[axis])
            length = max(0, (start - stop - step - 1) // -step)
            first = start + (length - 1) * step
            forward = slice(first, start + 1, -step) if length else slice(0, 0)
            x = torch.flip(x[(slice(None),) * axis + (forward,)], (axis,))
            parts[position] = slice(None)
        axis += _axes(part)
    return x[_key(tuple(parts))]


_guarded_getitem = with_host("getitem", _getitem)


def write(x: Any, key: Any, value: Any) -> None:
    """``x[key] = value``; of several values for one element the last one stays."""
    if (type(key) is int or (type(key) is slice and key.step is None)) and x.dtype not in _WIDE_UNSIGNED:
        x[key] = value
        return
    parts = key if type(key) is tuple else (key,)
    if x.dtype in _WIDE_UNSIGNED:
        _write_on_host(x, tuple([_host(part) for part in parts]), _host(value))
        return
    has_integers = any(isinstance(part, torch.Tensor) and part.dtype != torch.bool for part in parts)
    if not _is_reversed(key) and not (has_integers and isinstance(value, torch.Tensor) and value.numel() > 1):
        x[_key(key)] = value
        return
    numbers = np.arange(x.numel()).reshape(tuple(x.shape))
    places = np.asarray(numbers[tuple([_host(part) for part in parts])])
    flat = places.ravel()
    # The last place at which each number stands.
    found, last = np.unique(flat[::-1], return_index=True)
    index = tuple(torch.from_numpy(i).to(x.device) for i in np.unravel_index(found, tuple(x.shape)))
    if isinstance(value, torch.Tensor) and value.numel() != 1:
        chosen = torch.from_numpy(flat.size - 1 - last).to(x.device)
        value = value.broadcast_to(tuple(places.shape)).reshape(-1)[chosen]
    elif isinstance(value, torch.Tensor):
        value = value.reshape(())
    if x.ndim:
        x[index] = value
    elif found.size:
        x.copy_(torch.as_tensor(value).reshape(()))


#: What PyTorch can hold, but has few functions for.
_WIDE_UNSIGNED = (torch.uint16, torch.uint32, torch.uint64)


def _write_on_host(x: Any, key: Any, value: Any) -> None:
    host = x.detach().cpu().numpy()
    host[key] = value
    if x.device.type != "cpu":
        x.copy_(torch.from_numpy(host))


def scatter(g: Any, *, like: Any, key: Any) -> Any:
    """Zeros like `like` to which `g` is added at `key`."""
    shape = tuple(like.shape)
    size = int(np.prod(shape))
    numbers = torch.arange(size, device=g.device).reshape(shape)
    out = torch.zeros(size, dtype=g.dtype, device=g.device)
    return out.index_add_(0, getitem(numbers, key=key).reshape(-1), g.reshape(-1)).reshape(shape)


def _is_reversed(key: Any) -> bool:
    parts = key if type(key) is tuple else (key,)
    return any(isinstance(part, slice) and part.step is not None and part.step < 0 for part in parts)


def _key(key: Any) -> Any:
    """The key with indices as PyTorch wants them."""
    if type(key) is tuple:
        return tuple([part for parts in key for part in _parts(parts)])
    parts = _parts(key)
    return parts[0] if len(parts) == 1 else parts


def _parts(part: Any) -> tuple[Any, ...]:
    if not isinstance(part, torch.Tensor):
        return (part,)
    if part.dtype != torch.bool:
        return (part.to(torch.int64),)  # of uint8 PyTorch would make a mask
    # An empty mask fits everywhere.
    return part.nonzero(as_tuple=True) if part.ndim and not part.numel() else (part,)


def _expanded(x: Any, key: Any) -> list[Any]:
    """The parts of a key with full slices in the place of an Ellipsis."""
    parts = list(key if type(key) is tuple else (key,))
    if any(part is Ellipsis for part in parts):
        at = next(position for position, part in enumerate(parts) if part is Ellipsis)
        rest = sum(_axes(part) for part in parts if part is not Ellipsis)
        parts[at : at + 1] = [slice(None)] * (x.ndim - rest)
    return parts


def _axes(part: Any) -> int:
    """How many axes a part of a key stands for."""
    if part is None:
        return 0
    return part.ndim if isinstance(part, torch.Tensor) and part.dtype == torch.bool else 1


def _host(part: Any) -> Any:
    return part.cpu().numpy() if isinstance(part, torch.Tensor) else part
