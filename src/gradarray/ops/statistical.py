from .._array import Array
from .._dispatch import run, run_view, run_sequence, binary, as_array
from .._operations import derivative, constant
from ._arguments import *
from ._arguments import axis_of, shape_of, reduction_axis
from ._rules import expand

@derivative(x=lambda xp, g, like, *, axis, keepdims: xp.spread(expand(xp, g, axis, keepdims, len(like.shape)), like=like), kind="linear")
def sum(x, /, *, axis=None, dtype=None, keepdims=False): return run(sum, x, axis=reduction_axis(sum, x, axis), dtype=dtype, keepdims=keepdims)
