"""SciPy's names for what it computes in compiled code, differentiable to any order, on every backend.

Much of SciPy is pure array code, and takes gradarray's arrays as it is. What it hands to compiled code would lose the
gradient, so SciPy refuses a tracked array there. The function of the same name in these modules takes its place.
"""

from . import integrate, interpolate, linalg, ndimage, optimize, signal, special, stats

__all__ = ["integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "special", "stats"]
