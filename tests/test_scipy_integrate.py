"""Integrals: SciPy's values on every device, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate

import gradarray as ga
from gradarray.scipy import integrate

RNG = np.random.default_rng(0)
TABLE, PLACES = RNG.normal(size=(3, 9)), np.sort(RNG.uniform(0.0, 3.0, 9))


def host(x):
    return x.detach().to_device("cpu").numpy()


@pytest.mark.parametrize("name", ["trapezoid", "cumulative_trapezoid", "simpson", "cumulative_simpson"])
def test_integrals_of_samples(name, device):
    ours, theirs = getattr(integrate, name), getattr(scipy.integrate, name)
    for length in (9, 8):
        y, x = TABLE[:, :length], PLACES[:length]
        for keywords in ({}, {"dx": 0.3}, {"axis": 0}):
            np.testing.assert_allclose(host(ours(ga.asarray(y), **keywords)), theirs(y, **keywords), rtol=1e-11)
        np.testing.assert_allclose(host(ours(ga.asarray(y), x=ga.asarray(x))), theirs(y, x=x), rtol=1e-10)


def test_romb(device):
    np.testing.assert_allclose(
        host(integrate.romb(ga.asarray(TABLE), dx=0.5)), scipy.integrate.romb(TABLE, dx=0.5), rtol=1e-12
    )


def test_integrals_of_functions(device):
    p = ga.asarray(0.7, requires_grad=True)
    value, _ = integrate.quad(lambda x: ga.exp(-p * x * x), 0.0, float("inf"))
    np.testing.assert_allclose(host(value), np.sqrt(np.pi / 0.7) / 2, rtol=1e-9)
    value.backward()
    np.testing.assert_allclose(host(p.grad), -np.sqrt(np.pi) / 4 * 0.7**-1.5, rtol=1e-8)


def test_limits(device):
    a, b = ga.asarray(0.2, requires_grad=True), ga.asarray(1.1, requires_grad=True)
    integrate.quad(ga.cos, a, b)[0].backward()
    np.testing.assert_allclose([host(a.grad), host(b.grad)], [-np.cos(0.2), np.cos(1.1)], rtol=1e-10)


def test_double_integrals(device):
    p = ga.asarray(2.0, requires_grad=True)
    value, _ = integrate.dblquad(lambda y, x: p * x * y * y, 0.0, 2.0, 0.0, 1.0)
    np.testing.assert_allclose(host(value), 2.0 * 2.0 / 3.0, rtol=1e-9)
    value.backward()
    np.testing.assert_allclose(host(p.grad), 2.0 / 3.0, rtol=1e-9)
