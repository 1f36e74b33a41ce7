# ruff: noqa: A004, F401, I001 - PyTorch's names, by chapter
"""PyTorch's spelling of gradarray: ``import gradarray.torch as torch``.

The functions, the record and the devices are gradarray's; here are PyTorch's names for them, its `Tensor`, its float32
default and its way to print. PyTorch itself is not needed. The core never imports this package.

A name of PyTorch's that is not here raises an AttributeError that says what to use instead.
"""

from math import e, inf, nan, pi
from typing import Any, cast

from .. import newaxis
from .._backend import set_float32_matmul_precision
from . import _tensor  # first: it closes the cycle between tensors and functions
from . import _creation, _missing, _pointwise, _random, _reductions, _shapes, _types
from . import autograd, backends, cuda, fft, func, linalg
from ._creation import (
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    from_numpy,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)
from ._gradients import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from ._inspection import (
    finfo,
    get_default_device,
    iinfo,
    is_complex,
    is_floating_point,
    is_nonzero,
    is_tensor,
    numel,
    promote_types,
    result_type,
    set_default_device,
)
from ._pointwise import allclose, equal, isclose, where
from ._printing import set_printoptions
from ._random import (
    Generator,
    bernoulli,
    default_generator,
    initial_seed,
    manual_seed,
    normal,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    seed,
)
from ._reductions import searchsorted
from ._shapes import (
    broadcast_shapes,
    broadcast_tensors,
    cat,
    concat,
    concatenate,
    einsum,
    hstack,
    isin,
    meshgrid,
    stack,
    tensordot,
    vstack,
)
from ._calls import in_place as _in_place
from ._tensor import Tensor
from ._types import (
    Size,
    bool,
    cdouble,
    cfloat,
    complex128,
    complex64,
    device,
    double,
    dtype,
    float,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    int,
    int16,
    int32,
    int64,
    int8,
    long,
    set_default_dtype,
    short,
    uint16,
    uint32,
    uint64,
    uint8,
)

# What the tables name: each is a function of this module, and a method of tensors.
_tables = {**_pointwise.FUNCTIONS, **_reductions.FUNCTIONS, **_shapes.FUNCTIONS}
globals().update(_tables)
_methods = {
    **_tables,
    **_shapes.METHODS,
    **_creation.METHODS,
    **_random.METHODS,
    "allclose": allclose,
    "bernoulli": bernoulli,
    "equal": equal,
    "isclose": isclose,
    "isin": isin,
}
for _name, _method in _methods.items():
    if not hasattr(Tensor, _name):  # `real` and `imag` are attributes of tensors
        setattr(Tensor, _name, _method)
for _name in (*_pointwise.IN_PLACE, *_reductions.IN_PLACE, *_shapes.IN_PLACE):
    setattr(Tensor, _name + "_", _in_place(_name, cast(Any, _methods[_name])))

__all__ = [name for name in sorted(globals()) if not name.startswith("_") and name not in ("Any", "cast")]


def __getattr__(name: str) -> Any:
    if name == "bfloat16":  # it needs a package that is an extra
        try:
            return _types.named_dtype(name)
        except ImportError as error:
            raise AttributeError(str(error)) from error
    raise AttributeError(_missing.explain(name), name=name)
