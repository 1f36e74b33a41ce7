"""Zeros that say that an element does not matter: no infinite derivative makes NaN of them, in any mode or order."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import gradarray as ga

pytestmark = pytest.mark.usefixtures("device")

X = [-1.0, 0.0, 2.0]


def array(values):
    return ga.asarray(np.asarray(values, dtype=np.float64))


def columns(x):
    return ga.stack([ga.maximum(x, 0.0), 0.0 * x], axis=1)


def rows(x):
    """One row for each element, of NaN where it is 0."""
    return ga.stack([x / x, x], axis=1)


#: Functions whose elements 0 and 1 do not matter, each with the derivatives of its last element at 2.
PROGRAMS = {
    "log": (lambda x: ga.where(x > 0, ga.log(x), 0.0), 1 / 2, -1 / 4),
    "sqrt": (lambda x: ga.where(x > 0, ga.sqrt(x), 0.0), 0.5 * 2**-0.5, -0.25 * 2**-1.5),
    "reciprocal": (lambda x: ga.where(x > 0, 1 / x, 0.0), -1 / 4, 2 / 8),
    "quotient": (lambda x: ga.where(x > 0, ga.sqrt(x) / x, 0.0), -0.5 * 2**-1.5, 0.75 * 2**-2.5),
    "entropy": (lambda x: ga.where(x > 0, x * ga.log(x), 0.0), np.log(2) + 1, 1 / 2),
    "infinite only at second order": (lambda x: ga.where(x > 0, x**1.5, 0.0), 1.5 * 2**0.5, 0.75 * 2**-0.5),
    "other branch": (lambda x: ga.where(x <= 0, 0.0, ga.log(x)), 1 / 2, -1 / 4),
    "chosen by mask": (lambda x: ga.log(x)[x > 0], 1 / 2, -1 / 4),
    "chosen by integers": (lambda x: ga.log(x)[ga.asarray([2])], 1 / 2, -1 / 4),
    "chosen by slice": (lambda x: ga.log(x)[2:], 1 / 2, -1 / 4),
    "taken": (lambda x: ga.take(ga.log(x), ga.asarray([2])), 1 / 2, -1 / 4),
    "taken along an axis": (lambda x: ga.take_along_axis(ga.log(x), ga.asarray([2])), 1 / 2, -1 / 4),
    "unstacked": (lambda x: ga.unstack(ga.log(x))[2], 1 / 2, -1 / 4),
    "greatest": (lambda x: ga.max(ga.where(x > 0, ga.log(x), -5.0)), 1 / 2, -1 / 4),
    "above the input": (lambda x: ga.sqrt(ga.where(x > 0, x, 0.0)), 0.5 * 2**-0.5, -0.25 * 2**-1.5),
    "through a chain": (lambda x: ga.where(x > 0, ga.exp(ga.sqrt(ga.log(x) + 1)), 0.0), None, None),
    "through views": (lambda x: ga.where(x > 0, ga.reshape(ga.log(ga.reshape(x, (3, 1))), (3,)), 0.0), 1 / 2, -1 / 4),
    "through a sum of squares": (lambda x: ga.where(x > 0, ga.sqrt(ga.sum(columns(x) ** 2, axis=1)), 0.0), 1.0, 0.0),
    "through rows": (
        lambda x: ga.where(x > 0, ga.linalg.vector_norm(rows(x), axis=1), 0.0),
        2 / 5**0.5,
        5**-1.5,
    ),
    "through products of rows": (lambda x: ga.where(x > 0, ga.prod(rows(x), axis=1), 0.0), 1.0, 0.0),
    "through matrices": (
        lambda x: ga.where(x > 0, ga.linalg.slogdet(ga.expand_dims(x, axis=(1, 2)) * ga.eye(1)).logabsdet, 0.0),
        1 / 2,
        -1 / 4,
    ),
}


def written(x):
    y = ga.log(x)
    y[:2] = 0.0
    return y


def masked_in_place(x):
    y = ga.log(x)
    y[x <= 0] = 0.0
    return y


PROGRAMS["written over"] = (written, 1 / 2, -1 / 4)
PROGRAMS["written over by mask"] = (masked_in_place, 1 / 2, -1 / 4)


@pytest.fixture(params=PROGRAMS, ids=lambda name: name.replace(" ", "-"))
def program(request):
    f, first, second = PROGRAMS[request.param]
    return (lambda x: ga.sum(f(x))), first, second


def check_first(found, expected):
    found = np.asarray(found)
    assert_array_equal(found[:2], 0.0)
    assert np.isfinite(found[2])
    if expected is not None:
        np.testing.assert_allclose(found[2], expected, rtol=1e-12, atol=1e-15)


def check_second(found, expected):
    found = np.asarray(found)
    assert_array_equal(found[:2], 0.0)
    check_first(found[2], expected)


class TestPrograms:
    def test_backward(self, program):
        f, first, _ = program
        x = ga.asarray(X, requires_grad=True)
        f(x).backward()
        check_first(x.grad.tolist(), first)

    def test_forward(self, program):
        f, first, _ = program
        check_first(ga.jacobian(f, mode="forward")(array(X)).tolist(), first)
        # A direction that moves everything, too.
        pushed = ga.jvp(f, (array(X),), (ga.ones(3),))[1].item()
        check_first([0.0, 0.0, pushed], first)

    @pytest.mark.parametrize("mode", ["forward", "reverse"])
    def test_second_order(self, program, mode):
        f, _, second = program
        check_second(ga.jacobian(ga.grad(f), mode=mode)(array(X)).tolist(), second)
        check_second(ga.jacobian(ga.jacobian(f, mode="forward"), mode=mode)(array(X)).tolist(), second)

    def test_backward_of_backward(self, program):
        f, _, second = program
        x = ga.asarray(X, requires_grad=True)
        f(x).backward(create_graph=True)
        g, x.grad = x.grad, None
        ga.sum(g).backward()
        check_first(x.grad.tolist(), second)


class TestOnlyWhatDoesNotMatter:
    def test_a_zero_gradient_that_matters_is_left_alone_at_second_order(self):
        # At a perfect fit the cotangent of log is exactly 0, by chance and not by a mask: the curvature is not 0.
        fit = lambda x: (ga.log(x)[0] - np.log(2.0)) ** 2
        x = array([2.0, 0.0])
        for h in (ga.hessian(fit)(x), ga.jacobian(ga.grad(fit), mode="reverse")(x)):
            assert_array_equal(h.tolist(), [[0.5, 0.0], [0.0, 0.0]])

    def test_infinite_derivatives_stay_where_they_matter(self):
        x = array([0.0, 4.0])
        assert ga.grad(lambda x: ga.sum(ga.sqrt(x)))(x).tolist() == [np.inf, 0.25]
        assert ga.grad(lambda x: ga.sum(ga.where(x >= 0, ga.sqrt(x), 0.0)))(x).tolist() == [np.inf, 0.25]
        assert np.isnan(ga.grad(lambda x: ga.sum(ga.sqrt(x) * 0.0))(x).tolist()[0])

    def test_overflow_in_the_branch_that_is_not_taken(self):
        f = lambda x: ga.sum(ga.where(x < 5, ga.exp(x), x))
        assert ga.grad(f)(array([0.0, 1000.0])).tolist() == [1.0, 1.0]
        assert ga.hessian(f)(array([0.0, 1000.0])).tolist() == [[1.0, 0.0], [0.0, 0.0]]

    def test_nan_that_matters_stays(self):
        x = array([np.nan, 4.0])
        found = ga.grad(lambda x: ga.sum(ga.where(ga.isnan(x), x * x, ga.sqrt(x))))(x).tolist()
        assert np.isnan(found[0]) and found[1] == 0.25
        assert np.isnan(ga.grad(lambda x: ga.sum(ga.log(x)[:1] * x[:1]))(array([np.nan, 1.0])).tolist()[0])

    def test_programs_without_masks_are_not_looked_at(self, monkeypatch):
        from gradarray import _engine

        monkeypatch.setattr(_engine, "without_nan", None)
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        ga.sum(ga.tanh(x @ ga.ones((2, 2))) * ga.exp(x)).backward()
        assert np.isfinite(x.grad.tolist()).all()

    def test_complex_numbers(self):
        z = ga.asarray([0j, 2j], requires_grad=True)
        ga.sum(ga.real(ga.where(ga.abs(z) > 0, ga.log(z), 0.0))).backward()
        assert z.grad.tolist() == [0, 0.5j]

    def test_matrices_that_do_not_matter(self):
        stack = np.stack([2 * np.eye(2), np.zeros((2, 2))])
        f = lambda x: ga.sum(ga.linalg.slogdet(x).logabsdet[:1])
        for found in (ga.grad(f)(array(stack)), ga.jacobian(f, mode="forward")(array(stack))):
            assert_array_equal(found.tolist(), np.stack([np.eye(2) / 2, np.zeros((2, 2))]))
