"""Linear algebra and Fourier transforms: derivatives where they are not smooth or not obvious; conventions; errors."""

from contextlib import suppress
from math import inf, nan

import numpy as np
import pytest
from both_modes import check_forward
from numpy.testing import assert_allclose, assert_array_equal

import gradarray as ga
from gradarray import linalg
from gradarray.testing import check_grads


def leaf(x):
    return ga.asarray(np.asarray(x), requires_grad=True)


def constant(x):
    return ga.asarray(np.asarray(x))


def values(x):
    return x.detach().to_device("cpu").numpy()


def gradient(f, x):
    """The gradient of the sum of ``f``, as a NumPy array."""
    x = leaf(x)
    ga.sum(f(x)).backward()
    assert x.grad.dtype == x.dtype and x.grad.shape == x.shape and x.grad.device is x.device
    check_forward(f, [x], [values(x.grad)])
    return values(x.grad)


def hessian_of_sum(f, x):
    """The gradient of the sum of the gradient."""
    x = leaf(x)
    ga.sum(f(x)).backward(create_graph=True)
    first, x.grad = x.grad, None
    if not first.requires_grad:
        return np.zeros(x.shape)
    ga.sum(ga.real(first) if first.dtype == ga.complex128 else first).backward()
    return np.zeros(x.shape) if x.grad is None else values(x.grad)


pytestmark = [
    pytest.mark.usefixtures("device"),
    # What it says is tested on its own.
    pytest.mark.filterwarnings("ignore::gradarray.UndeterminedDerivativeWarning"),
]

ZERO = np.zeros((2, 2))
EYE = np.eye(2)


class TestDeterminant:
    def test_singular_matrices_have_the_cofactors_as_gradient(self):
        assert_array_equal(gradient(linalg.det, [[1.0, 3.0], [2.0, 6.0]]), [[6, -2], [-3, 1]])
        assert_array_equal(gradient(linalg.det, [[1.0, 2.0], [2.0, 4.0]]), [[4, -2], [-2, 1]])
        assert_array_equal(gradient(linalg.det, np.diag([1.0, 2.0, 0.0])), np.diag([0.0, 0.0, 2.0]))
        assert_array_equal(gradient(linalg.det, np.diag([1.0, 0.0, 0.0])), np.zeros((3, 3)))
        assert_array_equal(gradient(linalg.det, ZERO), ZERO)
        assert_array_equal(gradient(linalg.det, [[0.0]]), [[1]])

    def test_singular_matrices_of_more_than_three_rows(self):
        assert_allclose(gradient(linalg.det, np.diag([1.0, 2.0, 0.0, 3.0])), np.diag([0, 0, 6.0, 0]), atol=1e-12)
        assert_allclose(gradient(linalg.det, np.diag([1.0, 0.0, 0.0, 3.0])), np.zeros((4, 4)), atol=1e-12)
        assert_array_equal(gradient(linalg.det, np.zeros((4, 4))), np.zeros((4, 4)))

    def test_second_order_at_singular_matrices(self):
        # det(diag(1, 2, x, y)) = 2 x y: the second derivative at x = y = 0 is in those two elements only.
        x = leaf(np.diag([1.0, 2.0, 0.0, 0.0]))
        linalg.det(x).backward(create_graph=True)
        first, x.grad = x.grad, None
        first[2, 2].backward(retain_graph=True)
        expected = np.zeros((4, 4))
        expected[3, 3] = 2
        assert_allclose(values(x.grad), expected, atol=1e-12)
        x.grad = None
        first[2, 3].backward()
        expected = np.zeros((4, 4))
        expected[3, 2] = -2
        assert_allclose(values(x.grad), expected, atol=1e-12)

    def test_stack_of_singular_and_regular_matrices(self):
        x = np.stack([np.diag([1.0, 2.0, 0.0, 3.0]), np.eye(4), np.zeros((4, 4))])
        expected = np.stack([np.diag([0.0, 0.0, 6.0, 0.0]), np.eye(4), np.zeros((4, 4))])
        assert_allclose(gradient(linalg.det, x), expected, atol=1e-12)

    def test_slogdet_of_a_singular_matrix(self):
        sign, log = linalg.slogdet(constant(ZERO))
        assert (float(sign), float(log)) == (0, -inf)
        stack = np.stack([2 * EYE, ZERO])
        found = gradient(lambda x: linalg.slogdet(x).logabsdet, stack)
        assert_array_equal(found[0], EYE / 2)
        assert np.isnan(found[1]).all()
        # Where the cotangent is zero, the singular matrix does not spoil the rest.
        found = gradient(lambda x: linalg.slogdet(x).logabsdet[:1], stack)
        assert_array_equal(found, [EYE / 2, ZERO])

    def test_slogdet_sign_is_constant_for_real_matrices_and_turns_for_complex_ones(self):
        x = leaf([[0.0, 1.0], [1.0, 0.0]])
        y = linalg.slogdet(x)
        (y.sign * 3 + y.logabsdet).backward()
        assert_array_equal(values(x.grad), [[0, 1], [1, 0]])
        # d sign = i sign dt with the phase t of the determinant, here of z itself.
        z = np.exp(0.3j)
        found = gradient(lambda x: ga.real(linalg.slogdet(x).sign), [[z]])
        assert_allclose(found, [[-np.sin(0.3) * 1j * z]])


class TestNorms:
    @pytest.mark.parametrize("order", [2, 1, inf, -inf, 0, 3, 1.5, 0.5, -1, -2])
    @pytest.mark.parametrize("dtype", [np.float64, np.complex128])
    def test_zero_vector_has_gradient_zero_at_first_and_second_order(self, order, dtype):
        def norm(x):
            return linalg.vector_norm(x, ord=order) + 0 * ga.sum(ga.real(x) if dtype is np.complex128 else x)

        with np.errstate(divide="ignore"):
            assert_array_equal(gradient(norm, np.zeros(3, dtype)), np.zeros(3))
            assert_array_equal(hessian_of_sum(norm, np.zeros(3, dtype)), np.zeros(3))

    @pytest.mark.parametrize("order", [3, 1.5, 0.5, -1])
    def test_zero_elements_have_gradient_zero(self, order):
        with np.errstate(divide="ignore"):
            found = gradient(lambda x: linalg.vector_norm(x, ord=order), [0.0, 1.0, -2.0])
            second = hessian_of_sum(lambda x: linalg.vector_norm(x, ord=order), [0.0, 1.0, -2.0])
        assert found[0] == 0 and np.isfinite(found).all()
        assert second[0] == 0 and np.isfinite(second).all()

    def test_norms_that_peers_return(self):
        assert_array_equal(gradient(lambda x: linalg.vector_norm(x, ord=1), [0.0, 1.0, -2.0]), [0, 1, -1])
        assert_allclose(
            gradient(lambda x: linalg.vector_norm(x, ord=3), [0.0, 1.0, 2.0]), [0, 0.2311, 0.9245], atol=1e-4
        )
        assert_allclose(gradient(lambda x: linalg.vector_norm(x, ord=0.5), [0.0, 1.0, 4.0]), [0, 3, 1.5])

    def test_equal_extreme_elements_share(self):
        assert_array_equal(gradient(lambda x: linalg.vector_norm(x, ord=inf), [1.0, -2.0, 2.0]), [0, -0.5, 0.5])
        assert_array_equal(gradient(lambda x: linalg.vector_norm(x, ord=-inf), [1.0, -1.0, 2.0]), [0.5, -0.5, 0])
        found = gradient(lambda x: linalg.vector_norm(x, ord=inf, axis=1), [[3j, 3.0], [1.0, 0.0]])
        assert_allclose(found, [[0.5j, 0.5], [1, 0]])

    def test_order_zero_is_constant(self):
        x = leaf([0.0, 1.0, 2.0])
        y = linalg.vector_norm(x, ord=0)
        assert float(y) == 2 and y.dtype == ga.float64 and not y.requires_grad

    def test_matrix_norms(self):
        assert_array_equal(gradient(linalg.matrix_norm, ZERO), ZERO)
        assert_allclose(gradient(lambda x: linalg.matrix_norm(x, ord="nuc"), EYE), EYE, atol=1e-15)
        assert_allclose(gradient(lambda x: linalg.matrix_norm(x, ord=2), EYE), EYE / 2, atol=1e-15)
        assert_array_equal(
            gradient(lambda x: linalg.matrix_norm(x, ord=1), [[1.0, 2.0], [-3.0, 2.0]]), [[0.5, 0.5], [-0.5, 0.5]]
        )
        assert_array_equal(
            gradient(lambda x: linalg.matrix_norm(x, ord=inf), [[1.0, -2.0], [0.0, 2.0]]), [[1, -1], [0, 0]]
        )

    def test_empty_and_one_element(self):
        assert_array_equal(gradient(linalg.vector_norm, np.zeros(0)), np.zeros(0))
        assert_array_equal(gradient(linalg.vector_norm, [-3.0]), [-1])
        assert_array_equal(gradient(linalg.vector_norm, -3.0), -1)

    def test_single_precision_stays(self):
        x = leaf(np.asarray([3, 4j], np.complex64))
        y = linalg.vector_norm(x)
        assert y.dtype == ga.float32
        y.backward()
        assert x.grad.dtype == ga.complex64


class TestSpectra:
    def test_values_at_repeated_and_zero_values(self):
        assert_allclose(gradient(linalg.svdvals, EYE), EYE, atol=1e-15)
        assert_allclose(gradient(linalg.svdvals, np.diag([1.0, 0.0])), EYE, atol=1e-15)
        assert_allclose(gradient(linalg.svdvals, ZERO), EYE, atol=1e-15)
        assert_allclose(gradient(lambda x: ga.max(linalg.svdvals(x)), np.ones((3, 3))), np.ones((3, 3)) / 3)
        assert_allclose(gradient(linalg.eigvalsh, 2 * EYE), EYE, atol=1e-15)
        assert_allclose(gradient(lambda x: linalg.eigh(x).eigenvalues, EYE), EYE, atol=1e-15)
        assert np.isfinite(hessian_of_sum(linalg.svdvals, EYE)).all()
        assert np.isfinite(hessian_of_sum(linalg.svdvals, ZERO)).all()
        assert np.isfinite(hessian_of_sum(linalg.eigvalsh, EYE)).all()

    def test_eigenvalue_gradient_is_symmetric(self):
        found = gradient(lambda x: linalg.eigvalsh(x)[0], [[2.0, 1.0], [1.0, 3.0]])
        assert_allclose(found, [[0.7236068, -0.4472136], [-0.4472136, 0.2763932]], atol=1e-7)

    @pytest.mark.parametrize("n", [2, 5])
    def test_projector_on_all_equal_eigenvalues(self, n):
        def projector(x):
            v = linalg.eigh(x).eigenvectors[:, :-1]
            return ga.matmul(v, ga.matrix_transpose(v)) * constant(np.arange(n * n, dtype=float).reshape(n, n))

        rng = np.random.default_rng(0)
        q = np.linalg.qr(rng.normal(size=(n, n)))[0]
        x = q @ np.diag([1.0] * (n - 1) + [4.0]) @ q.T
        step = rng.normal(size=(n, n))
        step = step + step.T
        found = gradient(projector, x)
        ahead, behind = (float(ga.sum(projector(constant(x + h * step)))) for h in (1e-6, -1e-6))
        assert_allclose(np.sum(found * step), (ahead - behind) / 2e-6, rtol=1e-6)
        assert np.isfinite(gradient(projector, np.eye(n))).all()

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("size", [2, 3])
    def test_what_equal_values_leave_undetermined_is_warned_of(self, size):
        eye = np.eye(size)

        def exponential(x):
            w, v = linalg.eigh(x)
            return (v * ga.exp(w)) @ v.mT

        def first_vector(x):
            return linalg.eigh(x).eigenvectors[:, 0]

        if ga.asarray(0.0).device != "cpu":
            gradient(exponential, eye)  # only where looking at the values is free
            return
        text = r"eigh\(\): derivatives through the vectors of equal eigenvalues[\s\S]*Fix: use only the values"
        with pytest.warns(ga.UndeterminedDerivativeWarning, match=text):
            ga.grad(lambda x: ga.sum(exponential(x) * constant(np.arange(size * size).reshape(size, size))))(
                constant(eye)
            )
        with pytest.warns(ga.UndeterminedDerivativeWarning, match=r"svd\(\): .* equal singular values"):
            ga.grad(lambda x: ga.sum(linalg.svd(x).U * constant(np.arange(size * size).reshape(size, size))))(
                constant(eye)
            )
        with pytest.warns(ga.UndeterminedDerivativeWarning, match=r"eig\(\): .* equal eigenvalues"):
            ga.grad(lambda x: ga.sum(ga.real(linalg.eig(x).eigenvectors)))(constant(eye))
        # Neither values alone, nor separate ones, nor vectors of others that happen to be separate.
        gradient(linalg.eigvalsh, eye)
        gradient(linalg.svdvals, eye)
        gradient(exponential, np.diag(np.arange(size) + 1.0))
        if size > 2:
            gradient(first_vector, np.diag([1.0, 2.0, 2.0]))

    def test_vectors_at_equal_values_are_finite(self):
        assert_array_equal(gradient(lambda x: linalg.eigh(x).eigenvectors, EYE), ZERO)
        assert np.isfinite(gradient(lambda x: linalg.svd(x).U, EYE)).all()
        assert np.isfinite(gradient(lambda x: linalg.svd(x).Vh, ZERO)).all()
        assert np.isfinite(gradient(lambda x: ga.real(linalg.eig(x).eigenvectors), EYE)).all()

    def test_low_rank_approximation_of_a_matrix_of_that_rank(self):
        rng = np.random.default_rng(1)
        x = rng.normal(size=(5, 2)) @ rng.normal(size=(2, 4))
        weights = constant(rng.normal(size=(5, 4)))

        def approximation(x):
            u, s, vh = linalg.svd(x, full_matrices=False)
            return ga.matmul(u[:, :2] * s[:2], vh[:2, :]) * weights

        # In directions that keep the rank the approximation is the matrix itself.
        u = np.linalg.svd(x)[0]
        inside = u[:, :2] @ rng.normal(size=(2, 4))
        assert_allclose(np.sum(gradient(approximation, x) * inside), np.sum(values(weights) * inside), rtol=1e-8)

    def test_eig_of_a_real_matrix_is_complex_and_its_gradient_real(self):
        for x in (np.asarray([[1.0, 2.0], [0.5, 3.0]]), np.asarray([[0, -1], [1, 0]], np.float32)):
            array = leaf(x)
            w, v = linalg.eig(array)
            precision = ga.complex128 if x.dtype == np.float64 else ga.complex64
            assert w.dtype == v.dtype == linalg.eigvals(array).dtype == precision
            ga.sum(ga.abs(w)).backward()
            assert array.grad.dtype == array.dtype
        assert_allclose(gradient(lambda x: ga.real(linalg.eigvals(x)), [[1.0, 2.0], [0.5, 3.0]]), EYE, atol=1e-12)

    @pytest.mark.parametrize("f", [lambda x: linalg.eigvals(x)[0], lambda x: linalg.eig(x).eigenvalues[0]])
    def test_defective_matrix_has_an_infinite_derivative(self, f):
        # The computed vectors are dependent exactly or up to rounding errors.
        x = leaf([[0.0, 1.0], [0.0, 0.0]])
        y = ga.real(f(x))
        with suppress(ga.NoDerivativeError):
            y.backward()
            assert np.abs(values(x.grad)).max() > 1e10

    def test_full_matrices_of_a_wide_matrix(self):
        rng = np.random.default_rng(2)
        x, weights = rng.normal(size=(2, 3)), constant(np.arange(9.0).reshape(3, 3))

        def complement(x):
            v = linalg.svd(x, full_matrices=True).Vh[2:, :]
            return ga.matmul(ga.matrix_transpose(v), v) * weights

        def projector(x):
            v = linalg.svd(x, full_matrices=False).Vh
            return -ga.matmul(ga.matrix_transpose(v), v) * weights

        assert_allclose(gradient(complement, x), gradient(projector, x), atol=1e-12)


class TestFactors:
    def test_cholesky_gradient_is_symmetric_and_agrees_along_symmetric_directions(self):
        x = np.asarray([[2.0, 1.0], [1.0, 3.0]])
        found = gradient(linalg.cholesky, x)
        assert abs(found[0, 1] - found[1, 0]) < 1e-12
        direction = np.asarray([[0.3, -0.7], [-0.7, 0.2]])
        ahead, behind = (np.linalg.cholesky(x + h * direction).sum() for h in (1e-6, -1e-6))
        assert_allclose(np.sum(found * direction), (ahead - behind) / 2e-6, atol=1e-8)
        assert_allclose(found, [[0.2558336368, 0.1954395076], [0.1954395076, 0.3162277660]], atol=1e-9)
        assert_allclose(gradient(lambda x: linalg.cholesky(x, upper=True), x), found)

    def test_cholesky_of_a_complex_matrix_is_hermitian(self):
        x = np.asarray([[2, 1 - 0.5j], [1 + 0.5j, 3]])
        found = gradient(lambda x: ga.imag(linalg.cholesky(x)) + ga.abs(linalg.cholesky(x)), x)
        assert_allclose(found, found.conj().T)

    @pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4)])
    def test_qr_that_peers_return(self, shape):
        x = np.random.default_rng(3).normal(size=shape)
        check_grads(lambda x: linalg.qr(x).R * 1.0, [x], device=ga.zeros(()).device)

    def test_qr_of_dependent_columns_has_no_derivative(self):
        x = leaf([[0.0, 0.0], [0.0, 1.0]])
        y = ga.sum(linalg.qr(x).R)
        with pytest.raises(ga.NoDerivativeError, match="qr.*linearly dependent"):
            y.backward()

    def test_results_are_named(self):
        x = constant(EYE)
        assert linalg.qr(x)._fields == ("Q", "R")
        assert linalg.svd(x)._fields == ("U", "S", "Vh")
        assert linalg.eigh(x)._fields == linalg.eig(x)._fields == ("eigenvalues", "eigenvectors")
        assert linalg.slogdet(x)._fields == ("sign", "logabsdet")


class TestSolve:
    def test_one_right_side_for_a_stack(self):
        a = leaf([[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.0], [1.0, 5.0]]])
        b = leaf([1.0, 2.0])
        x = linalg.solve(a, b)
        ga.sum(x).backward()
        assert_allclose(values(x), [[1 / 11, 7 / 11], [0.5, 0.3]])
        assert_allclose(values(b.grad), [0.5818181818, 0.4727272727])
        assert_allclose(
            values(a.grad),
            [[[-0.0165289256, -0.1157024793], [-0.0247933884, -0.1735537190]], [[-0.2, -0.12], [-0.1, -0.06]]],
        )

    def test_two_axes_are_matrices_also_where_a_vector_would_fit(self):
        # Two systems and a matrix of two columns, not two vectors.
        a = constant(np.stack([EYE, 2 * EYE]))
        b = constant([[1.0, 2.0], [3.0, 4.0]])
        assert_allclose(values(linalg.solve(a, b)), [[[1, 2], [3, 4]], [[0.5, 1], [1.5, 2]]])

    def test_singular(self):
        for call in (lambda: linalg.inv(leaf(ZERO)), lambda: linalg.solve(leaf(ZERO), constant([1.0, 2.0]))):
            with pytest.raises(ga.LinearAlgebraError, match="x"):
                call()

    def test_pinv_of_a_matrix_of_lower_rank(self):
        assert_allclose(gradient(linalg.pinv, np.ones((2, 2))), np.full((2, 2), -0.25), atol=1e-12)
        assert_array_equal(gradient(linalg.pinv, ZERO), ZERO)

    def test_mixed_data_types(self):
        a, b = leaf(np.asarray(EYE, np.float32)), leaf(np.asarray([1, 2j]))
        x = linalg.solve(a, b)
        assert x.dtype == ga.complex128
        ga.sum(ga.real(x)).backward()
        assert a.grad.dtype == ga.float32 and b.grad.dtype == ga.complex128
        assert linalg.solve(constant([[2, 0], [0, 4]]), constant([1, 1])).dtype == ga.float64


class TestDiagonals:
    def test_trace_of_matrices_that_are_not_square(self):
        assert_array_equal(gradient(linalg.trace, np.zeros((5, 2))), np.eye(5, 2))
        assert_array_equal(gradient(linalg.trace, np.zeros((2, 5))), np.eye(2, 5))

    def test_offsets(self):
        found = gradient(
            lambda x: linalg.trace(x, offset=-3) + 2.0 * linalg.trace(x, offset=1), np.arange(15.0).reshape(5, 3)
        )
        assert_array_equal(found, np.eye(5, 3, k=-3) + 2 * np.eye(5, 3, k=1))
        found = gradient(lambda x: linalg.diagonal(x, offset=2) * constant([1.0, 2.0]), np.ones((2, 3, 4)))
        assert_array_equal(found, [[[0, 0, 1, 0], [0, 0, 0, 2], [0, 0, 0, 0]]] * 2)
        assert_array_equal(gradient(lambda x: linalg.trace(x, offset=7) + 0 * x[0, 0], ZERO), ZERO)

    def test_diagonal_of_integers_and_of_a_stack(self):
        x = np.arange(24).reshape(2, 3, 4)
        assert_array_equal(values(linalg.diagonal(constant(x), offset=-1)), np.diagonal(x, -1, 1, 2))

    def test_a_write_is_seen_through_a_diagonal(self):
        x = leaf([[1.0, 2.0], [3.0, 4.0]])
        y = x * 1.0
        d = linalg.diagonal(y)
        y[0, 0] = 10.0
        ga.sum(d * d).backward()
        assert_array_equal(values(d), [10, 4])
        assert_array_equal(values(x.grad), [[0, 0], [0, 8]])
        # NumPy's diagonals are read-only; where they can be written, the matrix is.
        z = constant(EYE.copy())
        if z.device.backend.is_writable(linalg.diagonal(z)._data):
            linalg.diagonal(z)[0] = 5.0
            assert values(z)[0, 0] == 5.0
        else:
            with pytest.raises(ga.ReadOnlyError):
                linalg.diagonal(z)[0] = 1.0


class TestPowersAndRank:
    def test_power_never_is_its_argument(self):
        x = ga.asarray([[1.0, 2.0], [3.0, 4.0]])
        y = linalg.matrix_power(x, 1)
        x[0, 0] = 9.0
        assert float(y[0, 0]) == 1

    def test_power_zero_is_the_identity_with_derivative_zero(self):
        assert_array_equal(gradient(lambda x: linalg.matrix_power(x, 0), [[nan, 2.0], [3.0, 4.0]]), ZERO)
        assert_array_equal(values(linalg.matrix_power(constant(np.ones((3, 2, 2))), 0)), [EYE] * 3)

    def test_powers_of_integers(self):
        x = constant([[1, 1], [0, 1]])
        assert linalg.matrix_power(x, 3).dtype == x.dtype
        assert_array_equal(values(linalg.matrix_power(x, 5)), [[1, 5], [0, 1]])
        assert_array_equal(values(linalg.matrix_power(x, -2)), [[1, -2], [0, 1]])
        assert linalg.matrix_power(x, 0).dtype == x.dtype

    def test_rank(self):
        x = leaf(np.stack([EYE, np.ones((2, 2)), ZERO, np.diag([1, 1e-9])]))
        rank = linalg.matrix_rank(x)
        assert_array_equal(values(rank), [2, 1, 0, 2])
        assert rank.dtype == ga.int64 and not rank.requires_grad
        assert_array_equal(values(linalg.matrix_rank(x, rtol=1e-6)), [2, 1, 0, 1])
        assert_array_equal(values(linalg.matrix_rank(x, rtol=constant([2.0, 0.1, 0.1, 1e-12]))), [0, 1, 0, 2])
        assert_array_equal(values(linalg.matrix_rank(constant(np.zeros((3, 0, 2))))), [0, 0, 0])

    def test_rtol_is_on_the_device(self):
        x = constant(np.ones((2, 2)))
        other = "strict:device2" if str(x.device) != "strict:device2" else "cpu"
        for function in (linalg.matrix_rank, linalg.pinv):
            with pytest.raises(ga.DeviceMismatchError, match="rtol"):
                function(x, rtol=ga.asarray(0.1, device=other))
            with pytest.raises(ga.DTypeError):
                function(x, rtol=constant(1))


class TestProducts:
    def test_first_operand_of_vecdot_is_conjugated(self):
        x1, x2 = leaf(np.asarray([1j, 2.0])), leaf(np.asarray([1.0, 1j]))
        y = linalg.vecdot(x1, x2)
        assert complex(y) == -1j + 2j
        ga.real(y).backward()
        assert_array_equal(values(x1.grad), [1, 1j])
        assert_array_equal(values(x2.grad), [1j, 2])

    def test_contracted_axes_are_not_stretched(self):
        one, three = constant(np.ones((2, 1))), constant(np.ones((2, 3)))
        for call in (
            lambda: ga.vecdot(one, three),
            lambda: linalg.cross(one, three),
            lambda: ga.tensordot(one, three, axes=((1,), (1,))),
            lambda: ga.matmul(three, three),
        ):
            with pytest.raises(ga.ShapeError):
                call()

    def test_wrong_arguments(self):
        x, vector, number = constant(np.ones((2, 3))), constant(np.ones(3)), constant(1.0)
        for call, error in (
            (lambda: ga.matmul(x, number), ga.ShapeError),
            (lambda: ga.matmul(x, 2.0), ga.ArgumentTypeError),
            (lambda: ga.matrix_transpose(vector), ga.ShapeError),
            (lambda: ga.vecdot(x, vector, axis=-2), ga.AxisError),
            (lambda: ga.vecdot(x, vector, axis=0), ga.AxisError),
            (lambda: ga.vecdot(number, vector), ga.AxisError),
            (lambda: ga.tensordot(x, vector), ga.AxisError),
            (lambda: ga.tensordot(x, x, axes=((0, 0), (0, 0))), ga.AxisError),
            (lambda: ga.tensordot(x, x, axes=((0, 1), (0,))), ga.ShapeError),
            (lambda: linalg.cross(constant([1.0, 2.0]), constant([1.0, 2.0])), ga.ShapeError),
            (lambda: linalg.outer(x, vector), ga.ShapeError),
            (lambda: linalg.det(x), ga.ShapeError),
            (lambda: linalg.inv(vector), ga.ShapeError),
            (lambda: linalg.svd(vector), ga.ShapeError),
            (lambda: linalg.trace(vector), ga.ShapeError),
            (lambda: linalg.solve(constant(EYE), vector), ga.ShapeError),
            (lambda: linalg.matrix_power(constant(EYE), 0.5), ga.ArgumentTypeError),
            (lambda: linalg.vector_norm(x, ord="fro"), ga.ArgumentValueError),
            (lambda: linalg.matrix_norm(x, ord=3), ga.ArgumentValueError),
            (lambda: linalg.qr(x, mode="r"), ga.ArgumentValueError),
            (lambda: linalg.cholesky(constant(-EYE)), ga.LinearAlgebraError),
        ):
            with pytest.raises(error):
                call()

    def test_operands_on_two_devices(self):
        x = constant(EYE)
        other = ga.asarray(EYE, device="strict:device2" if str(x.device) != "strict:device2" else "cpu")
        for function in (ga.matmul, ga.tensordot, ga.vecdot, linalg.solve, linalg.outer, linalg.cross):
            with pytest.raises(ga.DeviceMismatchError, match=function.__name__):
                function(x, other)

    def test_integers_are_taken_as_the_default_real_dtype(self):
        x = constant([[2, 1], [1, 3]])
        for function in (linalg.inv, linalg.det, linalg.svdvals, linalg.eigvalsh, linalg.cholesky, linalg.pinv):
            assert function(x).dtype == ga.float64
        assert linalg.vector_norm(x).dtype == linalg.matrix_norm(x).dtype == ga.float64
        for function in (ga.matmul, ga.tensordot, ga.vecdot):
            assert function(x, x).dtype == x.dtype
        assert ga.matmul(x, ga.astype(x, ga.float32)).dtype == ga.float64


class TestFourier:
    def test_irfft_counts_inner_bins_twice(self):
        z = np.asarray([1 + 0j, 2 - 1j, 0.5 + 3j])

        def run(n):
            return gradient(lambda z: ga.fft.irfft(z, n=n) * ga.arange(1, n + 1, dtype=ga.float64), z)

        assert_allclose(run(4), [2.5, -1 + 1j, -0.5], atol=1e-9)
        assert_allclose(run(5), [3, -1 + 1.37638192j, -1 + 0.324919696j], atol=1e-8)

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_precision_stays(self, dtype):
        x = constant(np.ones(6, dtype))
        precision = ga.complex64 if dtype is np.float32 else ga.complex128
        for name in ("fft", "ifft", "fftn", "ifftn", "rfft", "rfftn", "ihfft"):
            assert getattr(ga.fft, name)(x).dtype == precision, name
        for name in ("irfft", "irfftn", "hfft"):
            assert getattr(ga.fft, name)(x).dtype == x.dtype, name
        tracked = leaf(np.ones(6, dtype))
        ga.sum(ga.abs(ga.fft.fft(tracked))).backward()
        assert tracked.grad.dtype == tracked.dtype

    def test_integers(self):
        assert ga.fft.fft(constant([1, 2, 3])).dtype == ga.complex128
        assert_allclose(values(ga.fft.rfft(constant([1, 2, 3]))), np.fft.rfft([1, 2, 3]))
        assert_array_equal(values(ga.fft.fftshift(constant([0, 1, 2]))), [2, 0, 1])

    @pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
    @pytest.mark.parametrize("s", [None, (4, 5), (2, 6)])
    def test_values_of_the_composites(self, norm, s):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(3, 4))
        z = x + 1j * rng.normal(size=(3, 4))
        axes = None if s is None else (0, 1)
        n = None if s is None else s[1]
        for name, argument, parameters in (
            ("rfftn", x, {"s": s, "axes": axes}),
            ("irfftn", z, {"s": s, "axes": axes}),
            ("fftn", z, {"s": s, "axes": axes}),
            ("hfft", z, {"n": n}),
            ("ihfft", x, {"n": n, "axis": 0}),
        ):
            found = getattr(ga.fft, name)(constant(argument), norm=norm, **parameters)
            assert_allclose(values(found), getattr(np.fft, name)(argument, norm=norm, **parameters), atol=1e-12)

    @pytest.mark.parametrize("n", [1, 2, 5, 8])
    def test_frequencies(self, n):
        here = ga.zeros(()).device
        for name in ("fftfreq", "rfftfreq"):
            found = getattr(ga.fft, name)(n, d=0.25)
            assert_array_equal(values(found), getattr(np.fft, name)(n, d=0.25))
            assert found.device is here and found.dtype == ga.float64
            assert getattr(ga.fft, name)(n, dtype=ga.float32).dtype == ga.float32
            assert str(getattr(ga.fft, name)(n, device="strict:device2").device) == "strict:device2"
            with pytest.raises(ga.DTypeError):
                getattr(ga.fft, name)(n, dtype=ga.int64)
            with pytest.raises(ga.ArgumentValueError):
                getattr(ga.fft, name)(0)

    def test_shifts_undo_each_other(self):
        for shape in ((4,), (5,), (2, 3), ()):
            x = np.random.default_rng(0).normal(size=shape)
            if shape:
                assert_array_equal(values(ga.fft.fftshift(constant(x))), np.fft.fftshift(x))
            assert_array_equal(values(ga.fft.ifftshift(ga.fft.fftshift(constant(x)))), x)

    def test_wrong_arguments(self):
        x, z = constant(np.ones((2, 3))), constant(np.ones((2, 3), complex))
        for call, error in (
            (lambda: ga.fft.fft(z, n=0), ga.ArgumentValueError),
            (lambda: ga.fft.fft(z, norm="none"), ga.ArgumentValueError),
            (lambda: ga.fft.fft(z, axis=2), ga.AxisError),
            (lambda: ga.fft.fft(constant(1.0)), ga.AxisError),
            (lambda: ga.fft.rfft(z), ga.DTypeError),
            (lambda: ga.fft.ihfft(z), ga.DTypeError),
            (lambda: ga.fft.rfftn(x, axes=()), ga.AxisError),
            (lambda: ga.fft.fftn(z, s=(2, 2)), ga.ArgumentValueError),
            (lambda: ga.fft.fftn(z, s=(2,), axes=(0, 1)), ga.ArgumentValueError),
            (lambda: ga.fft.fftn(z, axes=(0, 0)), ga.AxisError),
            (lambda: ga.fft.irfft(z[:, :1]), ga.ArgumentValueError),
        ):
            with pytest.raises(error):
                call()


@pytest.mark.parametrize(("values", "expected"), [(np.zeros((2, 2)), 0.0), (np.ones((2, 2)), 0.5)])
def test_nuclear_norm_has_the_subgradient_of_least_norm(device, values, expected):
    x = ga.asarray(values, requires_grad=True)
    ga.linalg.matrix_norm(x, ord="nuc").backward()
    np.testing.assert_allclose(x.grad.tolist(), np.full((2, 2), expected), atol=1e-12)
