"""The extension for linear algebra.

Factors are compared through what does not depend on the choice that each leaves (signs, phases, bases of a space).
Functions of a Hermitian argument get the Hermitian part of theirs: finite differences step in every direction.
"""

from math import inf

import numpy as np

from gradient_cases import Case, complex_, real


def _hermitian(xp, x):
    return (x + xp.conj(xp.matrix_transpose(x))) / 2


def _adjoint(xp, x):
    return xp.conj(xp.matrix_transpose(x))


def _definite(xp, x):
    return xp.matmul(x, _adjoint(xp, x)) + xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)


def _weights(xp, x):
    """Distinct numbers of the shape of `x` that are constants."""
    number = 1
    for length in x.shape:
        number *= length
    return xp.reshape(xp.arange(1.0, number + 1.0, dtype=xp.float64, device=x.device), x.shape)


def _projectors(xp, vectors):
    """The projector on each column, weighted."""
    weights = _weights(xp, xp.real(vectors[..., 0, :]))
    return xp.matmul(vectors * xp.expand_dims(weights, axis=-2), _adjoint(xp, vectors))


def _case(name, *args, order=2, **parameters):
    return Case(f"linalg.{name}", lambda xp, *arrays: getattr(xp.linalg, name)(*arrays, **parameters), args, order)


def _of(name, f, *args, order=2):
    return Case(f"linalg.{name}", f, args, order)


def _singular(n, rank, *, kind=real):
    left, right = kind(n, rank, seed=3), kind(rank, n, seed=4)
    return left @ right


# --- products --------------------------------------------------------------------------------------------------------

PRODUCTS = [
    _case("matmul", real(2, 3), real(3, 2, seed=1)),
    _case("tensordot", real(2, 3), real(2, 3, seed=1)),
    _case("vecdot", real(2, 3), real(2, 3, seed=1)),
    _of("matrix_transpose", lambda xp, x: xp.linalg.matrix_transpose(x) * 2.0, real(2, 3)),
    _case("outer", real(2), real(3, seed=1)),
    _case("outer", complex_(2), complex_(3, seed=1)),
    _case("outer", real(2), complex_(3, seed=1)),
    _case("outer", real(0), real(3, seed=1)),
    _case("cross", real(3), real(3, seed=1)),
    _case("cross", complex_(2, 3), complex_(2, 3, seed=1)),
    _case("cross", real(3, 1), complex_(2, 3, 2, seed=1), axis=-2),
    _case("cross", real(3, 2), real(3, 2, seed=1), axis=0),
    _case("cross", real(0, 3), real(3, seed=1)),
    _of("diagonal", lambda xp, x: xp.linalg.diagonal(x) * xp.linalg.diagonal(x), real(3, 3)),
    *[
        _of("diagonal", lambda xp, x, k=k: xp.linalg.diagonal(x, offset=k) * x[..., :1, 0], x)
        for x in (real(2, 4), complex_(2, 4, 2))
        for k in (-4, -3, -1, 0, 2, 5)
    ],
    _of("diagonal", lambda xp, x: xp.linalg.diagonal(x) * 2.0, real(0, 3)),
    _of("trace", lambda xp, x: xp.linalg.trace(x) ** 2, real(3, 3)),
    _of("trace", lambda xp, x: xp.linalg.trace(x, offset=-2) ** 2, real(2, 5, 3)),
    _of("trace", lambda xp, x: xp.linalg.trace(x, offset=1) ** 2, complex_(2, 4)),
    _of("trace", lambda xp, x: xp.linalg.trace(x, offset=9) + x[0, 0], real(2, 2)),
    _of("trace", lambda xp, x: xp.linalg.trace(x, dtype=xp.complex128) ** 2, real(2, 2)),
    *[
        _of("matrix_power", lambda xp, x, n=n: xp.linalg.matrix_power(x, n), x)
        for x in (real(2, 2) + 2 * np.eye(2), complex_(2, 3, 3) + 3 * np.eye(3))
        for n in (-3, -1, 0, 1, 2, 5)
    ],
    _of("matrix_power", lambda xp, x: xp.linalg.matrix_power(x, 3), real(0, 0)),
]

# --- norms -----------------------------------------------------------------------------------------------------------

NORMS = [
    *[
        _case("vector_norm", x, ord=order)
        for x in (real(4), complex_(4))
        for order in (2, 2.0, 1, inf, -inf, 0, 3, 0.5, 1.5, -1, -2)
    ],
    _case("vector_norm", real()),
    _case("vector_norm", complex_(), ord=3),
    _case("vector_norm", real(2, 3, 2), axis=1),
    _case("vector_norm", complex_(2, 3, 2), axis=(0, -1)),
    _case("vector_norm", real(2, 3, 2), axis=(2, 0), ord=3, keepdims=True),
    _case("vector_norm", real(2, 3), axis=-1, ord=1, keepdims=True),
    _case("vector_norm", complex_(2, 3), axis=0, ord=inf, keepdims=True),
    _case("vector_norm", real(2, 3), axis=(), ord=2),
    _case("vector_norm", real(2, 0), axis=1),
    _case("vector_norm", real(0, 2), axis=1, ord=3),
    *[
        _case("matrix_norm", x, ord=order)
        for x in (real(3, 2), complex_(2, 2, 3))
        for order in ("fro", "nuc", 1, -1, 2, -2, inf, -inf)
    ],
    _case("matrix_norm", real(2, 3, 2), ord="nuc", keepdims=True),
    _case("matrix_norm", real(2, 3, 2), keepdims=True),
    _case("matrix_norm", real(2, 3, 2), ord=inf, keepdims=True),
    _of("matrix_rank", lambda xp, x: x * xp.astype(xp.linalg.matrix_rank(x), x.dtype), real(3, 2)),
]

# --- systems ---------------------------------------------------------------------------------------------------------

_regular = real(3, 3) + 3 * np.eye(3)
_regular_complex = complex_(2, 3, 3) + 3 * np.eye(3)

SYSTEMS = [
    _case("inv", _regular),
    _case("inv", _regular_complex),
    _case("inv", real(0, 0)),
    _case("inv", np.zeros((0, 2, 2))),
    _case("pinv", real(3, 2)),
    _case("pinv", complex_(2, 2, 3)),
    _case("pinv", real(2, 3, 3), rtol=1e-8),
    _case("pinv", real(0, 3)),
    # Of a matrix that keeps its rank in every direction.
    _of("pinv", lambda xp, x, y: xp.linalg.pinv(xp.matmul(x, y), rtol=1e-6), complex_(3, 1), complex_(1, 3, seed=1)),
    _case("solve", _regular, real(3, seed=1)),
    _case("solve", _regular, real(3, 2, seed=1)),
    _case("solve", _regular_complex, complex_(3, seed=1)),
    _case("solve", _regular_complex, complex_(3, 2, seed=1)),
    _case("solve", _regular, complex_(2, 3, 1, seed=1)),
    _case("solve", _regular_complex, real(2, 3, 2, seed=1)),
    _case("solve", _regular_complex[:1], complex_(4, 1, 3, 2, seed=1)),
    _case("solve", np.zeros((0, 0)), np.zeros((0, 2))),
    *[_case("det", x) for x in (real(1, 1), real(2, 2), real(3, 3), real(4, 4), real(2, 5, 5))],
    *[_case("det", x) for x in (complex_(2, 1, 1), complex_(2, 2), complex_(3, 3), complex_(2, 4, 4))],
    _of("det", lambda xp, x: xp.linalg.det(x) + xp.sum(x), np.zeros((0, 0))),
    *[_case("det", _singular(n, n - d)) for n, d in ((2, 1), (3, 1), (3, 2), (4, 1), (5, 2), (5, 3), (6, 1))],
    *[_case("det", _singular(n, n - d, kind=complex_)) for n, d in ((2, 1), (3, 2), (4, 1), (5, 2), (5, 3))],
    *[_case("det", np.diag(values)) for values in ((1.0, 2.0, 0.0), (1.0, 1.0, 1.0, 1.0), (2.0, 2.0, 0.0, 0.0, 1.0))],
    _case("det", np.zeros((4, 4))),
    _case("det", np.stack([real(4, 4), _singular(4, 3), _singular(4, 2), np.eye(4)])),
    _case("det", real(4, 4) + 2 * np.eye(4), order=3),
    _case("det", _singular(3, 2), order=3),
    *[
        _of("slogdet", lambda xp, x: xp.linalg.slogdet(x).logabsdet, x)
        for x in (_regular, _regular_complex, real(2, 1, 1))
    ],
    _of("slogdet", lambda xp, x: xp.linalg.slogdet(x).sign * x[0, 0], _regular),
    _of("slogdet", lambda xp, x: xp.linalg.slogdet(x).sign, _regular_complex),
    _of("slogdet", lambda xp, x: xp.linalg.slogdet(x)[0] * xp.exp(xp.linalg.slogdet(x)[1]), _regular_complex),
]

# --- decompositions --------------------------------------------------------------------------------------------------


def _qr(x, mode, f):
    return _of("qr", lambda xp, x: f(xp, *xp.linalg.qr(x, mode=mode)), x)


def _svd(x, full, f, order=2):
    return _of("svd", lambda xp, x: f(xp, *xp.linalg.svd(x, full_matrices=full)), x, order=order)


def _outer_projector(xp, q, length):
    further = q[..., length:]
    return xp.matmul(further, _adjoint(xp, further))


def _exponential(xp, x):
    values, vectors = xp.linalg.eigh(_hermitian(xp, x))
    return xp.matmul(vectors * xp.expand_dims(xp.exp(values), axis=-2), _adjoint(xp, vectors))


_MATRICES = (real(3, 3), real(4, 2), real(2, 4), complex_(3, 3), complex_(2, 4, 2), complex_(2, 4))

DECOMPOSITIONS = [
    *[
        _of("cholesky", lambda xp, x, upper=upper: xp.linalg.cholesky(_definite(xp, x), upper=upper), x)
        for x in (real(1, 1), real(3, 3), complex_(2, 3, 3))
        for upper in (False, True)
    ],
    _of("cholesky", lambda xp, x: xp.linalg.cholesky(_hermitian(xp, x)), complex_(3, 3) / 9 + 2 * np.eye(3)),
    _of("cholesky", lambda xp, x: xp.linalg.cholesky(x), np.zeros((0, 0))),
    # The signs that LAPACK chooses for the diagonal of R are constant nearby: Q and R themselves can be compared.
    *[_qr(x, mode, lambda xp, q, r: r * 1.0) for x in _MATRICES for mode in ("reduced", "complete")],
    *[_qr(x, "reduced", lambda xp, q, r: q * 1.0) for x in _MATRICES],
    *[_qr(x, "complete", lambda xp, q, r: q[..., : min(q.shape[-1], r.shape[-1])] * 1.0) for x in _MATRICES],
    *[
        _qr(x, "complete", lambda xp, q, r: xp.matmul(_projectors(xp, q)[..., :1, :], r))
        for x in (real(3, 3), real(2, 4), complex_(2, 4))
    ],
    *[
        _qr(x, "complete", lambda xp, q, r: _outer_projector(xp, q, r.shape[-1]))
        for x in (real(4, 2), complex_(2, 4, 2))
    ],
    _qr(real(0, 3), "reduced", lambda xp, q, r: xp.matmul(q, r)),
    *[
        _of("eigh", lambda xp, x: xp.linalg.eigh(_hermitian(xp, x)).eigenvalues, x)
        for x in (real(1, 1), real(4, 4), complex_(2, 3, 3))
    ],
    *[
        _of("eigh", lambda xp, x: _projectors(xp, xp.linalg.eigh(_hermitian(xp, x)).eigenvectors), x)
        for x in (real(4, 4), complex_(2, 3, 3))
    ],
    _of("eigh", _exponential, complex_(3, 3)),
    _of("eigh", lambda xp, x: xp.abs(xp.linalg.eigh(_hermitian(xp, x)).eigenvectors), complex_(3, 3)),
    _of("eigh", lambda xp, x: xp.linalg.eigh(x).eigenvectors * 1.0, np.zeros((0, 0))),
    *[
        _of("eigvalsh", lambda xp, x: xp.linalg.eigvalsh(_hermitian(xp, x)), x)
        for x in (real(3, 3), complex_(2, 3, 3), np.zeros((2, 0, 0)))
    ],
    *[_of("eig", lambda xp, x: xp.linalg.eig(x).eigenvalues, x) for x in (real(2, 2), real(4, 4), complex_(2, 3, 3))],
    *[
        _of("eig", lambda xp, x: _projectors(xp, xp.linalg.eig(x).eigenvectors), x)
        for x in (real(4, 4), complex_(2, 3, 3))
    ],
    _of("eig", lambda xp, x: xp.abs(xp.linalg.eig(x)[1]), complex_(3, 3)),
    *[_case("eigvals", x) for x in (real(4, 4), complex_(2, 3, 3), np.zeros((0, 0)))],
    *[_svd(x, full, lambda xp, u, s, vh: s * 1.0) for x in _MATRICES for full in (False, True)],
    *[
        _svd(x, full, lambda xp, u, s, vh: xp.matmul(u[..., :2], vh[..., :2, :]))
        for x in _MATRICES
        for full in (False, True)
    ],
    *[_svd(x, True, lambda xp, u, s, vh: _projectors(xp, u[..., : s.shape[-1]])) for x in _MATRICES],
    *[_svd(x, False, lambda xp, u, s, vh: _projectors(xp, _adjoint(xp, vh))) for x in _MATRICES],
    *[
        _svd(x, True, lambda xp, u, s, vh: _outer_projector(xp, u, s.shape[-1]))
        for x in (real(4, 2), complex_(2, 4, 2))
    ],
    *[
        _svd(x, True, lambda xp, u, s, vh: _outer_projector(xp, _adjoint(xp, vh), s.shape[-1]))
        for x in (real(2, 4), complex_(2, 4))
    ],
    *[
        _svd(x, False, lambda xp, u, s, vh: xp.matmul(u * xp.expand_dims(xp.exp(s), axis=-2), vh))
        for x in (real(3, 2), complex_(2, 3))
    ],
    _svd(real(0, 3), False, lambda xp, u, s, vh: xp.matmul(u, vh)),
    # The polar factor is smooth where singular values are equal; its gradient's derivative is not had from the factors.
    _svd(np.eye(3), False, lambda xp, u, s, vh: xp.matmul(u, vh), order=1),
    *[_case("svdvals", x) for x in (*_MATRICES, np.zeros((0, 3)))],
]

CASES = [*PRODUCTS, *NORMS, *SYSTEMS, *DECOMPOSITIONS]
