"""Linear algebra functions of the main namespace."""

from gradient_cases import Case, complex_, real


def _matmul(*args):
    return Case("matmul", lambda xp, x1, x2: xp.matmul(x1, x2), args)


def _tensordot(axes, *args):
    return Case("tensordot", lambda xp, x1, x2: xp.tensordot(x1, x2, axes=axes), args)


def _vecdot(axis, *args):
    return Case("vecdot", lambda xp, x1, x2: xp.vecdot(x1, x2, axis=axis), args)


CASES = [
    # Every combination of a vector, a matrix and a stack; stacks that broadcast in either operand and in both.
    _matmul(real(3), real(3, seed=1)),
    _matmul(real(3), real(3, 2, seed=1)),
    _matmul(real(2, 3), real(3, seed=1)),
    _matmul(real(2, 3), real(3, 2, seed=1)),
    _matmul(real(3), real(2, 3, 2, seed=1)),
    _matmul(real(2, 2, 3), real(3, seed=1)),
    _matmul(real(2, 3), real(2, 2, 3, 2, seed=1)),
    _matmul(real(2, 1, 2, 3), real(3, 2, seed=1)),
    _matmul(real(2, 2, 3), real(2, 3, 2, seed=1)),
    _matmul(real(2, 1, 2, 3), real(3, 3, 1, seed=1)),
    _matmul(real(1, 2, 3), real(2, 3, 2, seed=1)),
    _matmul(real(0, 3), real(3, 2, seed=1)),
    _matmul(real(2, 0), real(0, 2, seed=1)),
    _matmul(real(0, 2, 3), real(3, 2, seed=1)),
    _matmul(complex_(2, 3), complex_(3, 2, seed=1)),
    _matmul(complex_(3), complex_(2, 3, 2, seed=1)),
    _matmul(complex_(2, 2, 3), complex_(3, seed=1)),
    _matmul(complex_(2, 3), complex_(2, 3, 2, seed=1)),
    _matmul(complex_(2, 2, 3), complex_(3, 2, seed=1)),
    _matmul(real(2, 3), complex_(3, 2, seed=1)),
    _matmul(complex_(2, 3), real(2, 3, 2, seed=1)),
    Case("matmul", lambda xp, x: xp.matmul(x, xp.matmul(x, x)), (real(2, 2),)),
    Case("matrix_transpose", lambda xp, x: xp.matrix_transpose(x) * xp.matrix_transpose(x), (real(2, 3),)),
    Case("matrix_transpose", lambda xp, x: xp.matrix_transpose(x) * x[0], (complex_(2, 3, 3),)),
    Case("matrix_transpose", lambda xp, x: xp.matrix_transpose(x) * 2.0, (real(2, 0, 3),)),
    _tensordot(0, real(2), real(3, seed=1)),
    _tensordot(0, real(), real(3, seed=1)),
    _tensordot(1, real(2, 3), real(3, 2, seed=1)),
    _tensordot(2, real(2, 3, 2), real(3, 2, 2, seed=1)),
    _tensordot(2, complex_(2, 3), complex_(2, 3, seed=1)),
    _tensordot(((2, 0), (1, 2)), real(2, 3, 4), real(5, 4, 2, seed=1)),
    _tensordot(((-1, 0), (-2, 0)), complex_(2, 3, 4), complex_(2, 4, 3, seed=1)),
    _tensordot(([1, 2, 0], [0, 1, 2]), real(2, 3, 4), complex_(3, 4, 2, seed=1)),
    _tensordot(((), ()), real(2, 1), complex_(3, seed=1)),
    _tensordot(1, real(2, 0), real(0, 3, seed=1)),
    _vecdot(-1, real(3), real(3, seed=1)),
    _vecdot(-1, complex_(3), complex_(3, seed=1)),
    _vecdot(-2, complex_(3, 2), complex_(2, 3, 1, seed=1)),
    _vecdot(-1, real(2, 1, 3), complex_(2, 3, seed=1)),
    _vecdot(-1, complex_(2, 3), real(3, seed=1)),
    _vecdot(0, real(3, 2), real(3, 2, seed=1)),
    _vecdot(-1, real(2, 0), real(2, 0, seed=1)),
]
