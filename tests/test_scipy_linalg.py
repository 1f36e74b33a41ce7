"""Linear algebra beyond the standard: SciPy's values on every device, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import gradarray as ga
from gradarray.scipy import linalg

RNG = np.random.default_rng(0)
MATRIX, VECTOR = RNG.normal(size=(3, 3)) / 2 + 2 * np.eye(3), RNG.normal(size=3)
POSITIVE = MATRIX @ MATRIX.T


def close(found, expected):
    assert found.shape == expected.shape
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", "expm logm sqrtm cosm sinm tanm coshm sinhm tanhm".split())
def test_functions_of_matrices(name, device):
    for matrix in (MATRIX, MATRIX + 0.3j):
        close(getattr(linalg, name)(ga.asarray(matrix)), getattr(scipy.linalg, name)(matrix))
    stack = np.stack([MATRIX, POSITIVE])
    expected = np.stack([getattr(scipy.linalg, name)(matrix) for matrix in stack])
    close(getattr(linalg, name)(ga.asarray(stack)), expected)


def test_functions_of_real_matrices_that_are_complex(device):
    matrix = np.asarray([[-1.0, 0.2], [0.1, 2.0]])
    for name in ("logm", "sqrtm"):
        close(getattr(linalg, name)(ga.asarray(matrix)), getattr(scipy.linalg, name)(matrix))


def test_derivative_of_the_exponential_along_a_direction(device):
    for found, expected in zip(
        linalg.expm_frechet(ga.asarray(MATRIX), ga.asarray(POSITIVE)),
        scipy.linalg.expm_frechet(MATRIX, POSITIVE),
        strict=True,
    ):
        close(found, expected)


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit_diagonal", [False, True])
def test_triangular_systems(trans, lower, unit_diagonal, device):
    for matrix, right in ((MATRIX, VECTOR), (MATRIX + 1j, MATRIX)):
        expected = scipy.linalg.solve_triangular(matrix, right, trans, lower, unit_diagonal)
        close(linalg.solve_triangular(ga.asarray(matrix), ga.asarray(right), trans, lower, unit_diagonal), expected)


@pytest.mark.parametrize("lower", [False, True])
def test_one_triangle_is_read(lower, device):
    matrix = POSITIVE + np.triu(MATRIX, 1) * (1 if lower else 0) + np.tril(MATRIX, -1) * (0 if lower else 1)
    close(linalg.cholesky(ga.asarray(matrix), lower), scipy.linalg.cholesky(matrix, lower))


@pytest.mark.parametrize("lower", [False, True])
def test_systems_with_known_factors(lower, device):
    for matrix in (POSITIVE, POSITIVE + 1j * (np.triu(MATRIX, 1) - np.triu(MATRIX, 1).T)):
        close(linalg.cholesky(ga.asarray(matrix), lower), scipy.linalg.cholesky(matrix, lower))
        factor = linalg.cho_factor(ga.asarray(matrix), lower)
        for right in (VECTOR, MATRIX):
            expected = scipy.linalg.cho_solve(scipy.linalg.cho_factor(matrix, lower), right)
            close(linalg.cho_solve(factor, ga.asarray(right).astype(factor[0].dtype)), expected)
    lu, pivots = scipy.linalg.lu_factor(MATRIX[::-1])
    for trans in (0, 1, 2):
        expected = scipy.linalg.lu_solve((lu, pivots), VECTOR, trans)
        close(linalg.lu_solve((ga.asarray(lu), pivots), ga.asarray(VECTOR), trans), expected)


def test_matrices_of_a_known_form(device):
    bands = RNG.normal(size=(4, 6)) + np.asarray([[0], [5], [0], [0]])
    for right in (RNG.normal(size=6), RNG.normal(size=(6, 2))):
        expected = scipy.linalg.solve_banded((2, 1), bands, right)
        close(linalg.solve_banded((2, 1), ga.asarray(bands), ga.asarray(right)), expected)
    close(linalg.block_diag(ga.asarray(MATRIX), ga.asarray(VECTOR)), scipy.linalg.block_diag(MATRIX, VECTOR))
    close(
        linalg.toeplitz(ga.asarray(VECTOR), ga.asarray(VECTOR[:2] + 1)), scipy.linalg.toeplitz(VECTOR, VECTOR[:2] + 1)
    )
    close(linalg.toeplitz(ga.asarray(VECTOR + 1j)), scipy.linalg.toeplitz(VECTOR + 1j))
    close(linalg.circulant(ga.asarray(VECTOR)), scipy.linalg.circulant(VECTOR))
    column = np.asarray([3.0, 0.4, 0.1])
    close(linalg.solve_toeplitz(ga.asarray(column), ga.asarray(VECTOR)), scipy.linalg.solve_toeplitz(column, VECTOR))


@pytest.mark.parametrize("kind", [None, "general", "sym", "pos", "her", "upper triangular", "lower triangular"])
def test_solve(kind, device):
    expected = scipy.linalg.solve(POSITIVE, VECTOR, assume_a=kind)
    close(linalg.solve(ga.asarray(POSITIVE), ga.asarray(VECTOR), assume_a=kind), expected)
    close(linalg.solve(ga.asarray(MATRIX), ga.asarray(MATRIX), transposed=True), scipy.linalg.solve(MATRIX.T, MATRIX))


def test_errors_name_function_and_cure():
    x = ga.ones((2, 3))
    with pytest.raises(ga.ShapeError, match=r"expm\(\)"):
        linalg.expm(x)
    with pytest.raises(ga.ShapeError, match=r"solve_banded\(\): ab must have 3 rows"):
        linalg.solve_banded((1, 1), x, ga.ones(3))
    with pytest.raises(ga.ArgumentValueError, match=r"solve_triangular\(\): there is no trans 3\nFix"):
        linalg.solve_triangular(ga.eye(2), ga.ones(2), 3)
    with pytest.raises(ga.ArgumentValueError, match=r"solve\(\): there is no assumption 'other'"):
        linalg.solve(ga.eye(2), ga.ones(2), assume_a="other")
    with pytest.raises(ga.DeviceMismatchError, match=r"solve_triangular\(\)"):
        linalg.solve_triangular(ga.eye(2), ga.ones(2, device="strict"))
    with pytest.raises(ga.LinearAlgebraError):
        linalg.solve_triangular(ga.zeros((2, 2)), ga.ones(2))
