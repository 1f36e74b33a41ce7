from .._array import Array
from .._dispatch import run, run_view, run_sequence, binary, as_array
from .._operations import derivative, constant
from ._arguments import *
from ._arguments import axis_of, shape_of, reduction_axis
from ._rules import expand

@derivative(x=lambda xp, g: xp.matrix_transpose(g))
def matrix_transpose(x, /): return run_view(matrix_transpose, as_array(matrix_transpose,x))
@constant
def matmul(x1, x2, /): return binary(matmul, x1, x2)
