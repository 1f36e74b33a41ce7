"""A few of CuPy's special functions: ufuncs of real numbers only, over SciPy's."""

from __future__ import annotations

import scipy.special

from ._functions import ufunc


class special(ufunc):
    """A special function of each element."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.name = name
        self._highest = "f"
        self._function = getattr(scipy.special, name)


_NAMES = (
    "beta betainc erf erfc expit gamma gammainc gammaln i0 i1 j0 j1 log_ndtr logit ndtr psi rgamma xlogy zeta".split()
)
NAMESPACE = {name: special(name) for name in _NAMES}
