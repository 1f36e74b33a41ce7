from .._array import Array
from .._dispatch import run, run_view, run_sequence, binary, as_array
from .._operations import derivative, constant
from ._arguments import *
from ._arguments import axis_of, shape_of, reduction_axis
from ._rules import expand

@constant
def any(x, /, *, axis=None, keepdims=False): return run(any, x, axis=axis, keepdims=keepdims)
