"""Distributions: SciPy's values on every device, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import gradarray as ga
from gradarray.scipy import stats

UNIT = np.asarray([0.05, 0.3, 0.5, 0.77, 0.99])
POINTS = np.asarray([-6.0, -1.3, -0.2, 0.0, 0.4, 1.0, 1.9, 7.5])
#: Shape parameters of each continuous family; those without distribution function have a density only.
CONTINUOUS = {
    "beta": (1.7, 2.2),
    "cauchy": (),
    "chi2": (3.5,),
    "expon": (),
    "f": (3.0, 5.5),
    "gamma": (1.8,),
    "gumbel_l": (),
    "gumbel_r": (),
    "halfnorm": (),
    "invgamma": (2.6,),
    "laplace": (),
    "logistic": (),
    "lognorm": (0.7,),
    "norm": (),
    "pareto": (2.4,),
    "rayleigh": (),
    "skewnorm": (-1.5,),
    "t": (4.5,),
    "uniform": (),
    "vonmises": (1.4,),
    "weibull_min": (1.6,),
}
DISCRETE = {"bernoulli": (0.3,), "binom": (7, 0.3), "geom": (0.3,), "nbinom": (2.5, 0.3), "poisson": (2.2,)}
WITH_DENSITY_ONLY = ("skewnorm", "vonmises")
WITH_QUANTILES = [name for name in CONTINUOUS if name not in WITH_DENSITY_ONLY]
WITH_MOMENTS = [name for name in CONTINUOUS if name not in ("cauchy", "vonmises")]
WITH_ENTROPY = [name for name in CONTINUOUS if name not in ("f", "skewnorm", "vonmises")]


def close(found, expected, rtol=2e-12):
    assert type(found) is ga.Array
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=rtol, atol=1e-300)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        (name, method)
        for name in CONTINUOUS
        for method in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf")
        if "pdf" in method or name not in WITH_DENSITY_ONLY
    ],
)
def test_continuous_families(name, method, device):
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    shapes = CONTINUOUS[name]
    with np.errstate(all="ignore"):
        for parameters in (shapes, (*shapes, 0.5), (*shapes, -0.3, 1.7)):
            expected = getattr(theirs, method)(POINTS, *parameters)
            found = getattr(ours, method)(ga.asarray(POINTS), *parameters)
            assert found.device is device
            close(found, expected)


@pytest.mark.parametrize("name", WITH_QUANTILES)
def test_quantiles(name, device):
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    parameters = (*CONTINUOUS[name], -0.3, 1.7)
    for method in ("ppf", "isf"):
        close(getattr(ours, method)(ga.asarray(UNIT), *parameters), getattr(theirs, method)(UNIT, *parameters))
        outside = getattr(ours, method)(ga.asarray([-0.1, 1.1]), *parameters)
        assert np.all(np.isnan(outside.to_device("cpu").numpy()))
    close(ours.median(*parameters), theirs.median(*parameters))


@pytest.mark.parametrize("name", WITH_MOMENTS)
def test_moments(name, device):
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    parameters = (*CONTINUOUS[name], -0.3, 1.7)
    for method in ("mean", "var", "std"):
        close(getattr(ours, method)(*parameters), getattr(theirs, method)(*parameters))


@pytest.mark.parametrize("name", WITH_ENTROPY)
def test_entropy(name, device):
    parameters = (*CONTINUOUS[name], -0.3, 1.7)
    close(getattr(stats, name).entropy(*parameters), getattr(scipy.stats, name).entropy(*parameters), rtol=1e-10)


@pytest.mark.parametrize("name", DISCRETE)
def test_discrete_families(name, device):
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    k = np.asarray([-1.0, 0.0, 0.5, 1.0, 2.0, 3.7, 7.0, 9.0])
    for parameters in (DISCRETE[name], (*DISCRETE[name], 1)):
        for method in ("logpmf", "pmf", "cdf", "sf"):
            expected = getattr(theirs, method)(k, *parameters)
            np.testing.assert_allclose(
                getattr(ours, method)(ga.asarray(k), *parameters).to_device("cpu").numpy(),
                expected,
                rtol=1e-12,
                atol=1e-15,
            )
        for method in ("mean", "var", "std"):
            close(getattr(ours, method)(*parameters), getattr(theirs, method)(*parameters))


def test_parameters_that_make_no_sense_give_nan(device):
    x = ga.asarray([0.5, 0.7])
    for found in (
        stats.norm.pdf(x, 0.0, -1.0),
        stats.gamma.cdf(x, -1.0),
        stats.beta.logpdf(x, 1.0, 0.0),
        stats.poisson.pmf(ga.asarray([1.0, 2.0]), -1.0),
        stats.binom.cdf(ga.asarray([1.0, 2.0]), 3.5, 0.5),
    ):
        assert np.all(np.isnan(found.to_device("cpu").numpy()))


def test_outside_the_support_the_gradient_is_zero(device):
    x = ga.asarray([-1.0, 0.5], requires_grad=True)
    scale = ga.asarray(2.0, requires_grad=True)
    ga.sum(stats.gamma.pdf(x, 2.5, scale=scale)).backward()
    inside = ga.asarray(0.5, requires_grad=True)
    stats.gamma.pdf(inside, 2.5, scale=2.0).backward()
    assert x.grad.tolist() == [0.0, inside.grad.item()]
    assert np.isfinite(scale.grad.item())


def test_parameters_are_broadcast_and_given_by_name(device):
    x = np.asarray([[0.5], [1.5]])
    a = np.asarray([1.0, 2.0, 3.0])
    found = stats.gamma.logpdf(ga.asarray(x), a=ga.asarray(a), scale=2.0)
    assert found.shape == (2, 3)
    close(found, scipy.stats.gamma.logpdf(x, a=a, scale=2.0))


def test_frozen_members(device):
    member = stats.norm(1.0, scale=2.0)
    close(member.cdf(ga.asarray(UNIT)), scipy.stats.norm(1.0, scale=2.0).cdf(UNIT))
    close(member.mean(), 1.0)
    assert repr(member) == "<gradarray.scipy.stats.norm(1.0, scale=2.0)>"
    assert repr(stats.norm) == "<gradarray.scipy.stats.norm>"
    with pytest.raises(AttributeError, match="the distribution 'norm' has no method 'rvs'"):
        member.rvs()


def test_float32_stays_float32(device):
    x = ga.asarray(UNIT, dtype=ga.float32)
    assert stats.norm.cdf(x, 0.5, 2.0).dtype == ga.float32
    assert stats.beta.logpdf(x, 2.0, 3).dtype == ga.float32


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3)])
def test_multivariate_normal(shape, device):
    rng = np.random.default_rng(0)
    x, mean, root = rng.normal(size=shape), rng.normal(size=3), rng.normal(size=(3, 3))
    for covariance in (root @ root.T + np.eye(3), np.asarray([1.0, 2.0, 0.5])):
        expected = scipy.stats.multivariate_normal.logpdf(x, mean, covariance)
        found = stats.multivariate_normal.logpdf(ga.asarray(x), ga.asarray(mean), ga.asarray(covariance))
        assert found.shape == shape[:-1]
        close(found, expected)
    close(
        stats.multivariate_normal.pdf(ga.asarray(x), cov=2.0), scipy.stats.multivariate_normal.pdf(x, np.zeros(3), 2.0)
    )


def test_dirichlet(device):
    rng = np.random.default_rng(0)
    alpha = np.asarray([0.7, 2.0, 3.5])
    x = rng.dirichlet(alpha, size=4).T
    expected = scipy.stats.dirichlet.logpdf(x, alpha)
    close(stats.dirichlet.logpdf(ga.asarray(x), ga.asarray(alpha)), expected)
    close(stats.dirichlet.logpdf(ga.asarray(x[:-1]), ga.asarray(alpha)), expected, rtol=1e-9)
    close(stats.dirichlet.pdf(ga.asarray(x[:, 0]), ga.asarray(alpha)), np.exp(expected[0]))


def test_errors_name_function_and_cure():
    x = ga.ones(2)
    with pytest.raises(ga.ArgumentTypeError, match=r"gamma.logpdf\(\): a is missing\nFix: pass a"):
        stats.gamma.logpdf(x)
    with pytest.raises(ga.ArgumentTypeError, match=r"norm.cdf\(\): its parameters are loc, scale\nFix"):
        stats.norm.cdf(x, 0.0, 1.0, 2.0)
    with pytest.raises(ga.ArgumentTypeError, match=r"norm.cdf\(\): its parameters are loc, scale\nFix"):
        stats.norm.cdf(x, 0.0, loc=1.0)
    with pytest.raises(ga.ArgumentTypeError, match=r"norm\(\): its parameters are"):
        stats.norm(sigma=1.0)
    with pytest.raises(ga.DeviceMismatchError, match=r"norm.logpdf\(\)"):
        stats.norm.pdf(x, ga.ones(2, device="strict"))
    with pytest.raises(ga.ShapeError, match=r"multivariate_normal.logpdf\(\)(.|\n)*do not belong together"):
        stats.multivariate_normal.logpdf(x, cov=ga.eye(3))
    with pytest.raises(
        ga.ArgumentValueError, match=r"vonmises.cdf\(\): this family does not have it here\nFix: scipy.stats"
    ):
        stats.vonmises.cdf(x, 1.0)
    with pytest.raises(ga.LinearAlgebraError):
        stats.multivariate_normal.logpdf(x, cov=-ga.eye(2))
    with pytest.raises(ga.ShapeError, match=r"dirichlet.logpdf\(\)(.|\n)*do not belong together"):
        stats.dirichlet.logpdf(x, ga.ones(4))


def test_shape_parameters_without_a_known_derivative_are_refused_by_name():
    n = ga.asarray(3.0, requires_grad=True)
    y = stats.poisson.cdf(ga.asarray([0.0, 1.0]), n)
    ga.sum(y).backward()
    assert n.grad is not None
    a = ga.asarray(1.5)
    with pytest.raises(
        ga.NoDerivativeError, match=r"gammainc\(\): the second derivative with respect to a is not known"
    ):
        ga.hessian(lambda a: stats.gamma.cdf(ga.asarray(0.5), a))(a)
