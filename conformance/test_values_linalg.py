"""Values, dtypes and shapes of linear algebra: the chapter of the main namespace and the extension."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ._arrays import agree, array, ga
from ._cases import Cases, covers, quick
from ._draw import Call, Draw, Shape, Values, call

MAIN = Cases("main")
CASES = Cases("linalg")


# --- products --------------------------------------------------------------------------------------------------------


@MAIN.case("matmul", tolerance=64, absolute=64)
def matmul(d: Draw) -> Call:
    first, second = d.promotable("numeric")
    k, m, n = d.side(), d.side(), d.side()
    shape1, shape2 = d.shapes(2, 2)
    left: Shape = (k,) if d.rarely() else (*shape1, m, k)
    right: Shape = (k,) if d.rarely() else (*shape2, k, n)
    return call(d.values(first, left), d.values(second, right))


@MAIN.case("matrix_transpose")
def matrix_transpose(d: Draw) -> Call:
    return call(d.array("all", 2, 4))


@MAIN.case("tensordot", tolerance=64, absolute=256)
def tensordot(d: Draw) -> Call:
    first, second = d.promotable("numeric")
    shared = d.shape(0, 2)
    before, after = d.shape(0, 2), d.shape(0, 2)
    if d.flag():
        x1, x2 = d.values(first, before + shared), d.values(second, shared + after)
        return call(x1, x2, **({"axes": len(shared)} if len(shared) != 2 else d.some(axes=2)))
    order1, order2 = d.distinct_axes(len(before + shared)), d.distinct_axes(len(shared + after))
    count = min(len(order1), len(order2), len(shared))
    order1, order2 = order1[:count], order2[:count]
    shape1, shape2 = list(before + shared), list(shared + after)
    for axis1, axis2, length in zip(order1, order2, shared, strict=False):
        shape1[axis1] = shape2[axis2] = length
    return call(d.values(first, tuple(shape1)), d.values(second, tuple(shape2)), axes=(tuple(order1), tuple(order2)))


def _vecdot(x1: Any, x2: Any, axis: int = -1) -> Any:
    x1, x2 = np.broadcast_arrays(x1, x2)
    return np.sum(np.conj(x1) * x2, axis=axis, dtype=np.result_type(x1, x2))


@MAIN.case("vecdot", reference=_vecdot, tolerance=64, absolute=64)
def vecdot(d: Draw) -> Call:
    first, second = d.promotable("numeric")
    shape = d.shape(1, 3)
    axis = d.integer(-len(shape), -1)
    stretched = tuple([1 if d.rarely() and place != axis + len(shape) else n for place, n in enumerate(shape)])
    x1, x2 = d.values(first, shape), d.values(second, stretched)
    if d.flag():
        x1, x2 = x2, x1
    return call(x1, x2, **({"axis": axis} if axis != -1 else d.some(axis=axis)))


@CASES.case("cross", tolerance=64, absolute=64)
def cross(d: Draw) -> Call:
    first, second = d.promotable("numeric")
    shape = d.shape(0, 2)
    axis = d.integer(-len(shape) - 1, -1)

    def operand(dtype: Any) -> Values:
        own = [1 if d.rarely() else length for length in shape]
        own.insert(len(shape) + 1 + axis, 3)
        return d.values(dtype, tuple(own))

    return call(operand(first), operand(second), **({"axis": axis} if axis != -1 else d.some(axis=axis)))


@CASES.case("outer", tolerance=8)
def outer(d: Draw) -> Call:
    first, second = d.promotable("numeric")
    return call(d.values(first, (d.side(),)), d.values(second, (d.side(),)))


# --- parts and sums --------------------------------------------------------------------------------------------------


@CASES.case("diagonal")
def diagonal(d: Draw) -> Call:
    return call(d.array("all", 2, 4), **d.some(offset=d.integer(-3, 3)))


@CASES.case("trace", tolerance=64, absolute=64)
def trace(d: Draw) -> Call:
    x = d.array("numeric", 2, 4)
    kinds = {"i": "signed", "u": "unsigned", "f": "real floating", "c": "complex floating"}
    dtype = d.pick(None, d.dtype(kinds[x.dtype.kind]))
    return call(x, **d.some(offset=d.integer(-3, 3), dtype=dtype))


@CASES.case("matrix_norm", tolerance=256, absolute=16)
def matrix_norm(d: Draw) -> Call:
    x = d.array("floating", 2, 4, empty=False)
    return call(x, **d.some(keepdims=d.flag(), ord=d.pick("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)))


def _vector_norm(x: Any, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The definition, in double precision."""
    size = np.abs(x).astype(np.float64)
    if ord == np.inf:
        result = np.max(size, axis=axis, keepdims=keepdims)
    elif ord == -np.inf:
        result = np.min(size, axis=axis, keepdims=keepdims)
    elif ord == 0:
        result = np.sum(size != 0, axis=axis, keepdims=keepdims)
    else:
        result = np.sum(size**ord, axis=axis, keepdims=keepdims) ** (1 / ord)
    return np.asarray(result).astype(x.real.dtype)


@CASES.case("vector_norm", reference=_vector_norm, tolerance=64, absolute=8)
def vector_norm(d: Draw) -> Call:
    x = d.array("floating", empty=False, low=0.25)
    axis = d.axes(x.ndim)
    if axis == ():
        axis = None
    ord = d.pick(2, 1, 0, np.inf, -np.inf, 3, -1, -2, 0.5, 2.5)
    return call(x, **d.some(axis=axis, keepdims=d.flag(), ord=ord))


# --- square matrices -------------------------------------------------------------------------------------------------


def _square(d: Draw, kind: str = "floating") -> Values:
    """Matrices far from singular."""
    dtype = d.dtype(kind)
    n = d.pick(3, 2, 4, 1, 5)
    x = d.values(dtype, (*d.shape(0, 2), n, n), low=-2, high=2)
    return np.asarray(x + 6 * np.eye(n)).astype(dtype)


def _hermitian(d: Draw) -> Values:
    x = _square(d)
    return np.asarray(x + np.conj(np.swapaxes(x, -1, -2))).astype(x.dtype)


@CASES.case("det", "inv", "slogdet", tolerance=2000, absolute=1)
def square(d: Draw) -> Call:
    return call(_square(d))


@CASES.case("matrix_power", tolerance=2000, absolute=100)
def matrix_power(d: Draw) -> Call:
    return call(_square(d), d.pick(2, 0, 1, 3, -1, -2))


@CASES.case("solve", tolerance=2000, absolute=1)
def solve(d: Draw) -> Call:
    first, second = d.promotable("floating")
    n, k = d.pick(3, 2, 4, 1), d.side()
    shape1, shape2 = d.shapes(2, 2)
    x1 = np.asarray(d.values(first, (*shape1, n, n), low=-2, high=2) + 6 * np.eye(n)).astype(first)
    return call(x1, d.values(second, (n,) if d.rarely() else (*shape2, n, k)))


@CASES.case("cholesky", tolerance=2000, absolute=1)
def cholesky(d: Draw) -> Call:
    return call(_hermitian(d), **d.some(upper=d.flag()))


# --- decompositions: by what they promise ----------------------------------------------------------------------------


def _wide(x: Any) -> Any:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _near(found: Any, expected: Any, like: Any, units: float = 4000) -> None:
    eps = float(np.finfo(like.dtype).eps)
    size = float(np.max(np.abs(expected), initial=1.0))
    assert found.shape == expected.shape, f"shape {found.shape} in place of {expected.shape}"
    error = float(np.max(np.abs(found - expected), initial=0.0))
    assert error <= units * eps * size, f"{found!r} in place of {expected!r}"


def _t(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _identity(x: Any, like: Any) -> None:
    """Assert that the columns are orthonormal."""
    product = _t(_wide(x)) @ _wide(x)
    _near(product, np.broadcast_to(np.eye(x.shape[-1]), product.shape).astype(product.dtype), like)


def _complex_dtype(x: Any) -> Any:
    return np.result_type(x.dtype, np.complex64)


def _eigh(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    values, vectors = found
    assert (values.dtype, vectors.dtype) == (x.real.dtype, x.dtype)
    _near(values, np.linalg.eigvalsh(x), x)
    _identity(vectors, x)
    _near((_wide(vectors) * values[..., None, :]) @ _t(_wide(vectors)), _wide(x), x)


def _eigvalsh(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    assert found.dtype == x.real.dtype
    _near(found, np.linalg.eigvalsh(x), x)


@CASES.case("eigh", "eigvalsh", check={"eigh": _eigh, "eigvalsh": _eigvalsh})
def hermitian(d: Draw) -> Call:
    return call(_hermitian(d))


def _eigvals(found: Any, drawn: Call) -> None:
    """Each value of one list has its partner in the other."""
    (x,) = drawn.args
    assert found.dtype == _complex_dtype(x)
    expected = np.linalg.eigvals(_wide(x).astype(np.complex128))
    assert found.shape == expected.shape
    n = x.shape[-1]
    bound = 4000 * float(np.finfo(x.dtype).eps) * max(1.0, float(np.max(np.abs(expected), initial=0)))
    for one, other in zip(found.reshape(-1, n), expected.reshape(-1, n), strict=True):
        assert abs(np.sum(one) - np.sum(other)) <= n * bound
        distances = np.abs(one[:, None] - other[None, :])
        # Nearly equal eigenvalues are badly determined: a root of the bound is all that can be asked of one pair.
        assert np.all(np.min(distances, axis=0) <= max(bound, bound ** (1 / n)))
        assert np.all(np.min(distances, axis=1) <= max(bound, bound ** (1 / n)))


def _eig(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    values, vectors = found
    _eigvals(values, drawn)
    assert vectors.dtype == _complex_dtype(x)
    _near(_wide(x) @ _wide(vectors), _wide(vectors) * values[..., None, :], x)
    norms = np.linalg.norm(_wide(vectors), axis=-2)
    _near(norms, np.ones_like(norms), x)


@CASES.case("eig", "eigvals", check={"eig": _eig, "eigvals": _eigvals})
def general(d: Draw) -> Call:
    return call(_square(d))


def _matrices(d: Draw) -> Values:
    return d.array("floating", 2, 4, empty=False)


def _svd(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    u, s, vh = found
    m, n = x.shape[-2:]
    k = min(m, n)
    full = drawn.kwargs.get("full_matrices", True)
    assert (u.dtype, s.dtype, vh.dtype) == (x.dtype, x.real.dtype, x.dtype)
    assert u.shape == (*x.shape[:-2], m, m if full else k)
    assert vh.shape == (*x.shape[:-2], n if full else k, n)
    _near(s, np.linalg.svd(x, compute_uv=False), x)
    _identity(u, x)
    _identity(_t(vh), x)
    _near((_wide(u)[..., :k] * s[..., None, :]) @ _wide(vh)[..., :k, :], _wide(x), x)


@CASES.case("svd", check=_svd)
def svd(d: Draw) -> Call:
    return call(_matrices(d), **d.some(full_matrices=d.flag()))


@CASES.case("svdvals", tolerance=256, absolute=4)
def svdvals(d: Draw) -> Call:
    return call(_matrices(d))


def _qr(found: Any, drawn: Call) -> None:
    (x,) = drawn.args
    q, r = found
    m, n = x.shape[-2:]
    k = m if drawn.kwargs.get("mode") == "complete" else min(m, n)
    assert (q.dtype, r.dtype) == (x.dtype, x.dtype)
    assert (q.shape, r.shape) == ((*x.shape[:-2], m, k), (*x.shape[:-2], k, n))
    _identity(q, x)
    assert np.array_equal(r, np.triu(r))
    _near(_wide(q) @ _wide(r), _wide(x), x)


@CASES.case("qr", check=_qr)
def qr(d: Draw) -> Call:
    return call(_matrices(d), **d.some(mode=d.pick("reduced", "complete")))


def _with_singular_values(d: Draw) -> Values:
    """Matrices with singular values 8, 4, 0.4, 0.02, ...: a gap for each rtol that is drawn to lie in."""
    dtype = d.dtype("floating")
    shape, m, n = d.shape(0, 2, empty=False), d.pick(3, 4, 2, 1), d.pick(3, 2, 4, 1)
    k = min(m, n)
    x = d.values(dtype, (*shape, m, n), low=-1, high=1)
    u, _, vh = np.linalg.svd(_wide(x), full_matrices=False)
    return np.asarray((u * np.asarray([8, 4, 0.4, 0.02][:k])) @ vh).astype(dtype)


def _with_rtol(d: Draw) -> Call:
    x = _with_singular_values(d)
    part = x.real.dtype
    rtol = d.pick(None, 0.2, 0.01, 0.7, d.values(part, x.shape[:-2], low=0.2, high=0.4))
    return call(x, **d.some(rtol=rtol))


CASES.case("matrix_rank")(_with_rtol)


def _pseudo_inverse(x: Any, rtol: Any = None) -> Any:
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if rtol is None:
        rtol = max(x.shape[-2:]) * np.finfo(x.dtype).eps
    kept = s > np.asarray(rtol)[..., None] * np.max(s, axis=-1, keepdims=True)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0)
    return (_t(vh) @ (inverse[..., :, None] * _t(u))).astype(x.dtype)


CASES.case("pinv", reference=_pseudo_inverse, tolerance=20000, absolute=1)(_with_rtol)


@pytest.mark.parametrize("name", MAIN.parameters())
@quick
@given(data=st.data())
def test_main_values(name: str, device: str, data: Any) -> None:
    MAIN.check(name, device, data)


@pytest.mark.parametrize("name", CASES.parameters())
@quick
@given(data=st.data())
def test_values(name: str, device: str, data: Any) -> None:
    CASES.check(name, device, data)


_ALIASES = ("matmul", "matrix_transpose", "tensordot", "vecdot")


@pytest.mark.parametrize("name", [pytest.param(name, marks=covers(f"linalg.{name}")) for name in _ALIASES])
def test_aliases_are_the_same_functions(name: str) -> None:
    assert getattr(ga.linalg, name) is getattr(ga, name)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("eig", ("eigenvalues", "eigenvectors")),
        ("eigh", ("eigenvalues", "eigenvectors")),
        ("qr", ("Q", "R")),
        ("slogdet", ("sign", "logabsdet")),
        ("svd", ("U", "S", "Vh")),
    ],
)
def test_results_have_names(name: str, fields: tuple[str, ...], device: str) -> None:
    found = getattr(ga.linalg, name)(array(np.eye(2), device))
    assert found._fields == fields
    assert isinstance(found, tuple)


def test_matrix_rank_and_pinv_agree_about_the_default() -> None:
    x = np.diag([1.0, 1e-3, 1e-17])
    assert int(ga.linalg.matrix_rank(array(x))) == 2
    agree(ga.linalg.pinv(array(x)).numpy(), np.diag([1.0, 1e3, 0.0]), tolerance=16, scale=1e3)
