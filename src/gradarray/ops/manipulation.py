from .._array import Array
from .._dispatch import run, run_view, run_sequence, binary, as_array
from .._operations import derivative, constant
from ._arguments import *
from ._arguments import axis_of, shape_of, reduction_axis
from ._rules import expand

@derivative(x=lambda xp, g, shape: xp.reshape(g, shape))
def reshape(x, /, shape, *, copy=None):
    return run_view(reshape, as_array(reshape, x), shape=shape_of(reshape, shape, unknown=True))
@derivative(x=lambda xp, g, *, axes: xp.permute_dims(g, axes=tuple(sorted(range(len(axes)), key=axes.__getitem__))))
def permute_dims(x, /, axes):
    return run_view(permute_dims, as_array(permute_dims, x), axes=tuple(axes))
@derivative(x=lambda xp, g: g)
def broadcast_to(x, /, shape):
    return run_view(broadcast_to, as_array(broadcast_to, x), shape=shape_of(broadcast_to, shape))
@derivative(joint=lambda xp, g, *, axis, needed: [xp.getitem(g, key=(slice(None),)*axis+(i,)) for i in range(len(needed))])
def stack(arrays, /, *, axis=0):
    return run_sequence(stack, tuple(arrays), axis=axis)
