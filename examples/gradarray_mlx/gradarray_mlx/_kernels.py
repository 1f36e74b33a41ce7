"""What MLX computes itself, and the way to NumPy's kernels for everything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import numpy as np

from gradarray.backend import guarded, load

from ._arrays import dtype_of, from_host, to_host

Kernel = Callable[..., Any]

#: Of real floating-point numbers MLX computes these as the standard wants them. Not `exp`, `sin`, `cos`, `logaddexp`:
#: of float64 they have the digits of float32. Not `sign`, which has 0 for NaN.
UNARY: dict[str, Kernel] = {
    "abs": mx.abs,
    "acos": mx.arccos,
    "asin": mx.arcsin,
    "atan": mx.arctan,
    "ceil": mx.ceil,
    "cosh": mx.cosh,
    "expm1": mx.expm1,
    "floor": mx.floor,
    "isfinite": mx.isfinite,
    "isnan": mx.isnan,
    "log": mx.log,
    "log1p": mx.log1p,
    "negative": mx.negative,
    "sinh": mx.sinh,
    "sqrt": mx.sqrt,
    "square": mx.square,
    "tan": mx.tan,
    "tanh": mx.tanh,
}
BINARY: dict[str, Kernel] = {
    "add": mx.add,
    "divide": mx.divide,
    "equal": mx.equal,
    "greater": mx.greater,
    "greater_equal": mx.greater_equal,
    "less": mx.less,
    "less_equal": mx.less_equal,
    "matmul": mx.matmul,
    "maximum": mx.maximum,
    "minimum": mx.minimum,
    "multiply": mx.multiply,
    "not_equal": mx.not_equal,
    "subtract": mx.subtract,
}
REDUCTIONS: dict[str, Kernel] = {"max": mx.max, "mean": mx.mean, "min": mx.min, "prod": mx.prod, "sum": mx.sum}
_REAL = frozenset((mx.float32, mx.float64))


# --- of any data type ------------------------------------------------------------------------------------------------


def _reshape(x: Any, shape: Any, copy: bool | None = None, **where: Any) -> Any:
    return mx.reshape(x, shape, **where)  # no one can tell a copy from a view


def _choose(condition: Any, x1: Any, x2: Any, **where: Any) -> Any:
    if x1.dtype != x2.dtype:
        raise TypeError("MLX would promote by a rule of its own")
    return mx.where(condition, x1, x2, **where)


#: Functions that move elements and look at none.
LAYOUT: dict[str, Kernel] = {
    "broadcast_to": mx.broadcast_to,
    "expand_dims": mx.expand_dims,
    "permute_dims": mx.permute_dims,
    "reshape": _reshape,
    "squeeze": mx.squeeze,
    "where": _choose,
}


# --- where it is computed --------------------------------------------------------------------------------------------


def kernel(name: str) -> Kernel:
    """The kernel of the given name: MLX's function, and NumPy's for all that MLX refuses, or only NumPy's."""
    elsewhere = _quotient if name == "divide" else _on_host(name)
    if name in LAYOUT:
        return _guarded(_evaluated(LAYOUT[name]), elsewhere)
    if name in UNARY:
        return _guarded(_of_real(UNARY[name]), elsewhere, operands=1)
    if name in BINARY:
        return _guarded(_of_real(BINARY[name]), elsewhere, operands=2)
    if name in REDUCTIONS:
        return _guarded(_of_real(REDUCTIONS[name]), elsewhere, over_axes=True)
    return elsewhere


def _guarded(function: Kernel, elsewhere: Kernel, **form: Any) -> Kernel:
    """The function, and another one for what it refuses: that answers, or refuses in words that gradarray knows."""
    return guarded(function, Exception, lambda _, args, keywords: elsewhere(*args, **keywords), **form)


def _evaluated(function: Kernel) -> Kernel:
    """A function whose result has its values.

    MLX would compute them when they are read: in no other thread than this one, and with its errors there.
    """

    def evaluated(*args: Any, **keywords: Any) -> Any:
        result = function(*args, stream=mx.cpu, **keywords)
        mx.eval(result)
        return result

    return evaluated


def _of_real(function: Kernel) -> Kernel:
    """A function of real floating-point numbers only, and of Python scalars beside them."""
    compute = _evaluated(function)
    return lambda *operands, **keywords: compute(*[_real(x) for x in operands], **keywords)


def _real(x: Any) -> Any:
    if type(x) is not mx.array:
        return float(x)  # of integers MLX takes those of 64 bits only
    if x.dtype not in _REAL:
        raise TypeError("MLX's rules for booleans, integers and complex numbers are not the standard's")
    if not x.size:
        raise ValueError("MLX's sum over an empty axis may go on for ever, and its product is 0")
    return x


def _on_host(name: str) -> Kernel:
    """NumPy's kernel, for arrays of MLX. They lie in the host's memory, so only results are copied."""
    function = load("numpy").kernel(name)
    return lambda *args, **keywords: _back(function(*_host(args), **_host(keywords)))


def _quotient(x1: Any, x2: Any) -> Any:
    """NumPy's ``divide``, whose quotients of integers are of float64: here they have the default data type."""
    quotient = _on_host("divide")(x1, x2)
    array = x1 if type(x1) is mx.array else x2
    return from_host(to_host(quotient).astype(np.float32)) if dtype_of(array.dtype).kind in "biu" else quotient


def _host(x: Any) -> Any:
    """An argument of a kernel as NumPy takes it: arrays, data types and devices, and sequences and keys of them."""
    if isinstance(x, mx.array):
        return to_host(x)
    if isinstance(x, mx.Dtype):
        return dtype_of(x)
    if isinstance(x, mx.Device):
        return load("numpy").raw_device(("cpu", None))
    if type(x) in (tuple, list):
        return type(x)([_host(part) for part in x])
    if type(x) is dict:
        return {name: _host(part) for name, part in x.items()}
    return x


def _back(result: Any) -> Any:
    """A result of NumPy as arrays of MLX; what is no array stays as it is."""
    if isinstance(result, (tuple, list)):
        return tuple([_back(part) for part in result])
    return from_host(np.asarray(result)) if isinstance(result, (np.ndarray, np.generic)) else result
