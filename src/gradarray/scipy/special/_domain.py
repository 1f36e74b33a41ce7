"""The data types that special functions of several operands take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _dtypes
from ..._array import Array
from ..._dispatch import finish, translated, unwrap
from ...ops._arguments import default_dtype

_SCALARS = frozenset((bool, int, float, complex))


def several(operation: Callable[..., Array], *inputs: Any, whole: tuple[int, ...] = ()) -> Array:
    """Run an elementwise operation of several operands, all in the precision of their common floating-point dtype.

    Python scalars become arrays before the kernel and the rules see them: those ask special functions of them. The
    operands at the positions `whole` reach the kernel as integers if they are integers: SciPy counts with them.
    """
    device, raws, nodes = unwrap(operation, inputs)
    backend = device.backend
    dtypes = [backend.dtype(raw.dtype) for raw in raws if type(raw) not in _SCALARS]
    common = _dtypes.result_dtype(dtypes, [type(raw) for raw in raws if type(raw) in _SCALARS])
    if common not in _dtypes.DIFFERENTIABLE:
        common = default_dtype(device, "real floating")
    kept, operands = [], []
    for position, raw in enumerate(raws):
        if type(raw) in _SCALARS:
            raw = backend.from_numpy(np.asarray(raw), (device.type, device.index), copy=True)
        own = backend.dtype(raw.dtype)
        dtype = _precise(own, common)
        kept.append(raw if dtype is own else backend.kernel("astype")(raw, dtype))
        operands.append(raw if position in whole and own.kind in "iu" else kept[-1])
    try:
        out = device.kernels[operation](*operands)
    except Exception as error:
        raise translated(error, operation, inputs) from error
    return finish(operation, out, device, tuple(kept), nodes, {})


def _precise(dtype: _dtypes.DType, common: _dtypes.DType) -> _dtypes.DType:
    """The dtype of an operand in the precision of the common one: beside a complex operand real ones stay real."""
    if common.kind != "c" or dtype.kind == "c":
        return common
    return _dtypes.float32 if common is _dtypes.complex64 else _dtypes.float64
