"""PyTorch's special functions that agree with SciPy's to the last digits, special cases included.

Others do not: ``bessel_j0`` and its like are right to 6 digits, ``ndtr`` is 0 in the lower tail, ``polygamma`` has 9.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Kernel = Callable[..., Any]

_UNARY = "entr erf erfc erfcx erfinv exp2 expit i0 i0e i1 i1e log_ndtr logit ndtri psi".split()
_BINARY = "gammainc gammaincc xlog1py xlogy zeta".split()
_OTHER_NAMES = {
    "k0": "modified_bessel_k0",
    "k0e": "scaled_modified_bessel_k0",
    "k1": "modified_bessel_k1",
    "k1e": "scaled_modified_bessel_k1",
}
_FUNCTIONS = {name: getattr(torch.special, name) for name in (*_UNARY, *_BINARY)} | {
    name: getattr(torch.special, own) for name, own in _OTHER_NAMES.items()
}
_PRECISE = frozenset((torch.float32, torch.float64))


def own_function(name: str, otherwise: Callable[[], Kernel]) -> Kernel | None:
    """PyTorch's function for SciPy's of that name; what it does not take, such as complex numbers, goes elsewhere."""
    room, _, function = name.partition(".")
    own = _FUNCTIONS.get(function) if room == "special" else None
    if own is None:
        return None

    if function in _BINARY:

        def of_two(x1: Any, x2: Any) -> Any:
            if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor) and x1.dtype is x2.dtype in _PRECISE:
                return own(x1, x2)
            return otherwise()(x1, x2)

        return of_two

    def of_one(x: Any) -> Any:
        return own(x) if x.dtype in _PRECISE else otherwise()(x)

    return of_one
