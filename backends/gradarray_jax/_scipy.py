"""JAX's special functions that agree with SciPy's to the last digits, special cases included.

Others do not: ``log_ndtr`` has 3 digits at 7, ``gammaln(-inf)`` and ``digamma(0)`` differ from SciPy, ``exp1`` takes
minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.scipy.special
import numpy as np

Kernel = Callable[..., Any]

_FUNCTIONS = {
    name: getattr(jax.scipy.special, name)
    for name in "entr erf erfc erfcx erfinv expit i0 i0e i1 i1e logit ndtr ndtri".split()
    if hasattr(jax.scipy.special, name)
}
_PRECISE = frozenset((np.dtype("float32"), np.dtype("float64")))


def own_function(name: str, otherwise: Callable[[], Kernel]) -> Kernel | None:
    """JAX's function for SciPy's of that name; what it does not take, such as complex numbers, goes elsewhere."""
    room, _, function = name.partition(".")
    own = _FUNCTIONS.get(function) if room == "special" else None
    if own is None:
        return None

    def of_one(x: Any) -> Any:
        return own(x) if x.dtype in _PRECISE else otherwise()(x)

    return of_one
