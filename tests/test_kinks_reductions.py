"""Derivatives of reductions and of sort where they are not smooth: least norm, shared evenly, never NaN."""

import numpy as np
import pytest
from both_modes import check_forward
from numpy.testing import assert_allclose, assert_array_equal

import gradarray as ga


def gradient(f, x, dtype=None, device=None):
    """The gradient of the sum of ``f``, as a NumPy array."""
    leaf = ga.asarray(np.asarray(x, dtype=dtype or np.float64), device=device, requires_grad=True)
    y = ga.sum(f(leaf))
    assert y.dtype == leaf.dtype
    y.backward()
    assert leaf.grad.dtype == leaf.dtype and leaf.grad.shape == leaf.shape and leaf.grad.device is leaf.device
    found = leaf.grad.to_device("cpu").numpy()
    if leaf.size < 100:
        check_forward(f, [leaf], [found])
    return found


def second(f, x, device=None):
    """The gradient of the sum of the gradient: the Hessian, contracted with ones."""
    leaf = ga.asarray(np.asarray(x, dtype=np.float64), device=device, requires_grad=True)
    ga.sum(f(leaf)).backward(create_graph=True)
    first, leaf.grad = leaf.grad, None
    if not first.requires_grad:
        return np.zeros(leaf.shape)
    ga.sum(first).backward()
    return np.zeros(leaf.shape) if leaf.grad is None else leaf.grad.to_device("cpu").numpy()


def weighted(f, weights):
    return lambda x: f(x) * ga.asarray(np.asarray(weights, dtype=np.float64), device=x.device)


class TestMaxMin:
    def test_ties_get_equal_shares(self, device):
        assert_array_equal(gradient(ga.max, [1, 2, 2]), [0, 0.5, 0.5])
        assert_array_equal(gradient(ga.min, [1, 1, 2, 1]), np.asarray([1, 1, 0, 1]) / 3)

    def test_ties_are_shared_within_each_slice(self, device):
        x = [[1, 3, 3], [2, 2, 2]]
        assert_allclose(gradient(lambda x: ga.max(x, axis=1), x), [[0, 0.5, 0.5], [1 / 3] * 3])
        assert_array_equal(gradient(lambda x: ga.max(x, axis=0, keepdims=True), x), [[0, 1, 1], [1, 0, 0]])
        assert_array_equal(gradient(lambda x: ga.min(x, axis=(0, 1)), x), [[1, 0, 0], [0, 0, 0]])

    def test_signed_zeros_and_infinities_tie(self, device):
        assert_array_equal(gradient(ga.max, [0.0, -0.0]), [0.5, 0.5])
        assert_array_equal(gradient(ga.max, [np.inf, np.inf, 1]), [0.5, 0.5, 0])
        assert_array_equal(gradient(ga.min, [-np.inf, np.inf]), [1, 0])

    @pytest.mark.parametrize("reduce", [ga.max, ga.min])
    def test_nan_elements_get_the_gradient(self, reduce, device):
        assert_array_equal(gradient(reduce, [1, np.nan, 2]), [0, 1, 0])
        assert_array_equal(gradient(reduce, [np.nan, 3, np.nan]), [0.5, 0, 0.5])
        assert_array_equal(gradient(lambda x: reduce(x, axis=1), [[np.nan, 1], [2, 2]]), [[1, 0], [0.5, 0.5]])

    def test_many_ties_are_counted_in_a_wide_type(self, device):
        shares = gradient(ga.max, np.ones(66_000), np.float32)
        assert_allclose(np.sum(shares, dtype=np.float64), 1, rtol=1e-6)

    def test_many_ties_of_half_precision(self):
        shares = gradient(ga.max, np.ones(66_000), np.float16)
        assert np.all(shares > 0)
        assert_allclose(np.sum(shares, dtype=np.float64), 1, rtol=1e-2)

    def test_second_order_shares_too(self, device):
        assert_array_equal(second(lambda x: ga.max(x) ** 2, [1, 2, 2]), [0, 1, 1])
        assert_array_equal(second(ga.max, [1, 2, 2]), [0, 0, 0])

    def test_range_of_equal_elements(self, device):
        assert_array_equal(gradient(lambda x: ga.max(x) - ga.min(x), [2, 2]), [0, 0])

    def test_nothing_to_reduce(self, device):
        with pytest.raises(ga.ShapeError, match=r"max\(\)"):
            ga.max(ga.zeros((0,)))
        assert gradient(lambda x: ga.max(x, axis=1), np.ones((0, 2))).shape == (0, 2)


class TestProducts:
    def test_prod_is_exact_with_zeros(self, device):
        assert_array_equal(gradient(ga.prod, [0, 2, 3]), [6, 0, 0])
        assert_array_equal(gradient(ga.prod, [0, 0, 3]), [0, 0, 0])
        assert_array_equal(gradient(lambda x: ga.prod(x, axis=0), [[0, 2], [3, 4]]), [[3, 4], [0, 2]])

    def test_prod_is_exact_with_zeros_in_second_order(self, device):
        assert_array_equal(second(ga.prod, [0, 2, 3]), [5, 3, 2])
        assert_array_equal(second(ga.prod, [0, 0, 3]), [3, 3, 0])
        assert_array_equal(second(ga.prod, [0, 0, 0]), [0, 0, 0])

    def test_prod_is_exact_with_zeros_in_third_order(self, device):
        # x y z: all third derivatives are those of distinct variables, each 1; six of them.
        def third(x):
            leaf = ga.asarray(np.asarray(x, dtype=np.float64), requires_grad=True)
            y = ga.prod(leaf)
            for _ in range(3):
                y.backward(create_graph=True)
                y, leaf.grad = ga.sum(leaf.grad), None
            return y.item()

        assert third([0, 0, 0]) == 6
        assert third([0, 2, 3]) == 6

    def test_prod_of_complex_zeros(self, device):
        leaf = ga.asarray(np.asarray([0, 1 + 2j, 3j]), requires_grad=True)
        ga.real(ga.prod(leaf)).backward()
        assert_array_equal(leaf.grad.to_device("cpu").numpy(), [np.conj((1 + 2j) * 3j), 0, 0])

    def test_prod_of_no_elements(self, device):
        assert gradient(ga.prod, np.ones((0,))).shape == (0,)
        assert ga.prod(ga.zeros((2, 0)), axis=1).tolist() == [1, 1]

    def test_cumulative_prod_is_exact_with_zeros(self, device):
        assert_array_equal(gradient(ga.cumulative_prod, [2, 0, 3]), [1, 8, 0])
        assert_array_equal(gradient(ga.cumulative_prod, [0, 0, 3]), [1, 0, 0])
        weights = [1, 10, 100, 1000]
        with_initial = weighted(lambda x: ga.cumulative_prod(x, include_initial=True), weights)
        assert_array_equal(gradient(with_initial, [2, 0, 3]), [10, 2 * (100 + 3000), 0])

    def test_cumulative_prod_is_exact_with_zeros_in_second_order(self, device):
        # x + x y + x y z at (2, 0, 3) and at (0, 0, 3)
        assert_array_equal(second(ga.cumulative_prod, [2, 0, 3]), [4, 4 + 2, 2])
        assert_array_equal(second(ga.cumulative_prod, [0, 0, 3]), [4, 4, 0])

    @pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 31])
    def test_cumulative_prod_of_any_length(self, count, device):
        x = np.random.default_rng(0).uniform(0.5, 1.5, count)
        expected = [
            sum(np.prod(np.delete(x[: stop + 1], position)) for stop in range(position, count))
            for position in range(count)
        ]
        assert_allclose(gradient(ga.cumulative_prod, x), expected)


class TestMoments:
    @pytest.mark.parametrize("value", [2.0, 0.1, 0.0, 1e-300])
    def test_std_of_equal_elements(self, value, device):
        assert_array_equal(gradient(ga.std, [value] * 3), [0, 0, 0])
        assert_array_equal(second(ga.std, [value] * 3), [0, 0, 0])
        assert_array_equal(gradient(lambda x: ga.std(x, correction=1), [value] * 3), [0, 0, 0])

    def test_std_of_one_element(self, device):
        assert_array_equal(gradient(ga.std, [2.0]), [0])
        assert_array_equal(gradient(ga.std, 2.0), 0)
        assert_array_equal(second(ga.std, [2.0]), [0])

    def test_std_of_equal_elements_beside_others(self, device):
        got = gradient(lambda x: ga.std(x, axis=1), [[2, 2], [1, 3]])
        assert_array_equal(got, [[0, 0], [-0.5, 0.5]])

    @pytest.mark.parametrize("value", [2.0, 0.1])
    def test_var_of_equal_elements(self, value, device):
        assert_allclose(gradient(ga.var, [value] * 3), [0, 0, 0], atol=1e-15)
        assert_allclose(second(ga.var, [value] * 3), [0, 0, 0], atol=1e-15)
        assert_array_equal(gradient(ga.var, [value]), [0])

    @pytest.mark.parametrize("moment", [ga.var, ga.std])
    def test_no_positive_divisor_gives_nan(self, moment, device):
        x = ga.asarray([[1.0, 2.0, 3.0]])
        assert np.isnan(moment(x, correction=3).item())
        assert np.isnan(moment(x, correction=3.5).item())
        assert ga.all(ga.isnan(moment(x, axis=0, correction=1))).item()
        assert np.isnan(moment(ga.zeros((0,))).item())

    def test_mean_of_no_elements(self, device):
        assert np.isnan(ga.mean(ga.zeros((0,))).item())
        assert gradient(ga.mean, np.ones((0,))).shape == (0,)

    def test_mean_of_many_elements_of_half_precision(self):
        assert_allclose(np.sum(gradient(ga.mean, np.ones(66_000), np.float16), dtype=np.float64), 1, rtol=1e-2)


class TestSort:
    def test_ties_get_equal_shares(self, device):
        assert_array_equal(gradient(weighted(ga.sort, [1, 2]), [1, 1]), [1.5, 1.5])
        assert_array_equal(gradient(weighted(ga.sort, [1, 2, 4, 8]), [3, 1, 3, 3]), [14 / 3, 1, 14 / 3, 14 / 3])

    @pytest.mark.parametrize("stable", [True, False])
    def test_ties_in_descending_order(self, stable, device):
        f = weighted(lambda x: ga.sort(x, descending=True, stable=stable), [1, 2, 4])
        assert_array_equal(gradient(f, [1, 5, 1]), [3, 1, 3])

    def test_ties_along_an_axis(self, device):
        f = weighted(lambda x: ga.sort(x, axis=0), [[1, 10], [2, 20]])
        assert_array_equal(gradient(f, [[7, 2], [7, 1]]), [[1.5, 20], [1.5, 10]])

    def test_agrees_with_max_and_min(self, device):
        x = [2, 1, 2, 1]
        assert_array_equal(gradient(lambda x: ga.sort(x)[-1:], x), gradient(ga.max, x))
        assert_array_equal(gradient(lambda x: ga.sort(x)[0], x), gradient(ga.min, x))

    def test_nan_is_last_and_keeps_its_own_share(self, device):
        x = [np.nan, 1, np.nan, 0]
        assert_array_equal(ga.sort(ga.asarray(x)).tolist()[:2], [0, 1])
        assert_array_equal(gradient(weighted(ga.sort, [1, 2, 4, 8]), x), [4, 2, 8, 1])

    def test_many_ties_of_single_precision(self):
        shares = gradient(lambda x: ga.sort(x)[-1:], np.ones(66_000), np.float32)
        assert_allclose(np.sum(shares, dtype=np.float64), 1, rtol=1e-6)

    def test_second_order(self, device):
        assert_array_equal(second(lambda x: ga.sort(x) ** 2, [1, 1]), [2, 2])


class TestSums:
    def test_of_no_elements(self, device):
        assert gradient(ga.sum, np.ones((0, 2))).shape == (0, 2)
        assert ga.sum(ga.zeros((0, 2)), axis=0).tolist() == [0, 0]

    def test_an_integer_result_is_a_constant(self, device):
        x = ga.asarray([1.0, 2.5], requires_grad=True)
        for f in (ga.sum, ga.prod, ga.cumulative_sum, ga.cumulative_prod):
            y = f(x, dtype=ga.int64)
            assert y.dtype == ga.int64 and not y.requires_grad

    def test_gradient_comes_back_in_the_dtype_of_the_input(self, device):
        x = ga.asarray(np.asarray([1, 2], dtype=np.float32), requires_grad=True)
        for f in (ga.sum, ga.prod, ga.cumulative_sum, ga.cumulative_prod):
            y = ga.sum(ga.real(f(x, dtype=ga.complex128)))
            assert y.dtype == ga.float64
            y.backward()
            assert x.grad.dtype == ga.float32
