"""Special functions: SciPy's values on every device, and what is refused."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.special
from scipy_cases.special import BOTH, COMPLEX, OF_ONE, OF_SEVERAL, PARAMETERS, SMALL

import gradarray as ga
from gradarray.scipy import special

EDGES = np.asarray([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 40.0, -40.0, 1e-12, np.inf, -np.inf, np.nan])


def check(name, *operands, device, rtol=5e-13):
    """Compare a function with SciPy's own at the given operands; arrays lie on the device."""
    expected = getattr(scipy.special, name)(*operands)
    ours = [ga.asarray(x, device=device) if isinstance(x, np.ndarray) else x for x in operands]
    found = getattr(special, name)(*ours)
    assert type(found) is ga.Array
    assert found.device == device
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=rtol, atol=1e-300)


@pytest.mark.parametrize("name", OF_ONE)
def test_values_of_functions_of_one_element(name, device):
    check(name, OF_ONE[name], device=device)


@pytest.mark.parametrize("name", OF_ONE)
def test_special_values(name, device):
    check(name, EDGES, device=device)


@pytest.mark.parametrize("name", [name for name in OF_ONE if name not in ("lambertw", "ellipkm1")])
def test_float32_stays_float32(name, device):
    check(name, OF_ONE[name].astype(np.float32), device=device, rtol=2e-5)


@pytest.mark.parametrize("name", [*COMPLEX, "lambertw"])
def test_values_at_complex_numbers(name, device):
    check(name, SMALL + 0.7, device=device)


@pytest.mark.parametrize("name", OF_SEVERAL)
def test_values_of_functions_of_several_operands(name, device):
    operands, _ = OF_SEVERAL[name]
    check(name, *operands, device=device)
    check(name, *operands[:-1], operands[-1][:1], device=device)


@pytest.mark.parametrize("name", [*OF_ONE, "gammasgn", "zetac", "zeta"])
def test_integers_count_as_the_default_real_dtype(name, device):
    x = ga.asarray([1, 2], dtype=ga.int32)
    expected = getattr(scipy.special, name)(np.asarray([1.0, 2.0]))
    found = getattr(special, name)(x)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=5e-13)


@pytest.mark.parametrize("kind", ["jn", "yn", "in", "kn"])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_spherical_bessel_functions(kind, n, device):
    name = f"spherical_{kind}"
    for x in (BOTH, BOTH * 10, SMALL):
        for derivative in (False, True):
            expected = getattr(scipy.special, name)(n, x, derivative)
            found = getattr(special, name)(n, ga.asarray(x), derivative)
            np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=1e-11)


def test_order_of_a_spherical_bessel_function_is_checked():
    with pytest.raises(ga.ArgumentValueError, match=r"spherical_jn\(\): n is -1\nFix: give an order of 0 or more"):
        special.spherical_jn(-1, ga.ones(2))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_multigammaln(d, device):
    x = np.asarray([2.5, 3.0, 17.0])
    found = special.multigammaln(ga.asarray(x), d)
    np.testing.assert_allclose(found.to_device("cpu").numpy(), scipy.special.multigammaln(x, d), rtol=1e-13)


def test_multigammaln_refuses_what_it_is_not_defined_for():
    with pytest.raises(
        ga.ArgumentValueError, match=r"multigammaln\(\): an element of a is not above \(d - 1\) / 2 = 1.0"
    ):
        special.multigammaln(ga.asarray([1.0, 3.0]), 3)
    with pytest.raises(ga.ArgumentValueError, match=r"multigammaln\(\): d is 0"):
        special.multigammaln(ga.asarray([1.0, 3.0]), 0)


AXES = [None, 0, 1, (0, 1), -1]


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_logsumexp(axis, keepdims, device):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(3, 4)) * 300, rng.normal(size=(3, 4))
    a[0, 1], b[2, 2] = -np.inf, 0.0
    with np.errstate(all="ignore"):
        for factors in (None, b, np.abs(b)):
            for return_sign in (False, True):
                expected = scipy.special.logsumexp(a, axis, factors, keepdims, return_sign)
                ours = None if factors is None else ga.asarray(factors)
                found = special.logsumexp(ga.asarray(a), axis, ours, keepdims, return_sign)
                for mine, theirs in zip(*[x if return_sign else [x] for x in (found, expected)], strict=True):
                    assert mine.shape == np.shape(theirs)
                    np.testing.assert_allclose(mine.to_device("cpu").numpy(), theirs, rtol=1e-13)


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax(name, axis, device):
    x = np.random.default_rng(0).normal(size=(3, 4)) * 200
    found = getattr(special, name)(ga.asarray(x), axis)
    np.testing.assert_allclose(found.to_device("cpu").numpy(), getattr(scipy.special, name)(x, axis), rtol=1e-13)


def test_logsumexp_of_minus_infinities_has_gradient_zero(device):
    a = ga.asarray([[-np.inf, -np.inf], [0.0, -np.inf]], requires_grad=True)
    y = special.logsumexp(a, axis=1)
    assert y.detach().to_device("cpu").numpy().tolist() == [-np.inf, 0.0]
    ga.sum(y).backward()
    assert a.grad.to_device("cpu").numpy().tolist() == [[0.0, 0.0], [1.0, 0.0]]


#: Derivatives in a parameter, by mpmath 1.3 with 40 digits.
GAMMA_SLOPES = [
    (0.5, 20.0, -1.2713224714768203e-09),
    (2e-05, 3.0, -0.01304937093922297),
    (3.0, 40.0, -9.974330300089282e-15),
    (30.0, 10.0, -2.835613268086458e-07),
    (30.0, 29.5, -0.073345169841069),
    (300.0, 250.0, -0.0002300431820719598),
    (3000.0, 3100.0, -0.0014031076087078632),
]
BETA_SLOPES = [
    (50.0, 0.5, 0.5, -6.960030580375094e-17),
    (50.0, 0.5, 0.9999, -0.0007959217914917173),
    (100.0, 200.0, 0.2, -1.867110100925681e-08),
    (100.0, 200.0, 0.35, -0.02647707638758379),
    (0.001, 0.001, 0.2, -250.34567985915146),
    (1000.0, 0.5, 0.999, -0.0002075796534302077),
]


def test_derivatives_in_parameters_are_precise_in_the_tails_too(device):
    for name, slopes in (("gammainc", GAMMA_SLOPES), ("betainc", BETA_SLOPES)):
        a, *others, expected = [ga.asarray(column) for column in np.asarray(slopes).T.copy()]
        a.requires_grad_()
        ga.sum(getattr(special, name)(a, *others)).backward()
        np.testing.assert_allclose(
            a.grad.to_device("cpu").numpy(), expected.to_device("cpu").numpy(), rtol=1e-10, err_msg=name
        )


def test_derivatives_in_parameters_at_the_ends(device):
    a = ga.asarray([1.5, 1.5, 1e-9, -1.0], requires_grad=True)
    ga.sum(special.gammainc(a, ga.asarray([0.0, np.inf, 1.0, 1.0]))).backward()
    np.testing.assert_array_equal(a.grad.to_device("cpu").numpy(), [0.0, 0.0, np.nan, np.nan])
    df = ga.asarray([np.inf, 3.0], requires_grad=True)
    ga.sum(special.stdtr(df, ga.asarray([1.0, 0.0]))).backward()
    assert df.grad.to_device("cpu").numpy().tolist() == [0.0, 0.0]


def test_second_derivatives_in_parameters_are_refused():
    functions = {
        "gammainc": lambda a: special.gammainc(a, ga.asarray(1.0)),
        "betainc": lambda a: special.betainc(a, ga.asarray(2.0), ga.asarray(0.5)),
    }
    for name, function in functions.items():
        with pytest.raises(
            ga.NoDerivativeError, match=rf"{name}\(\): the second derivative with respect to a is not known"
        ):
            ga.grad(ga.grad(function))(ga.asarray(1.5))


REFUSED = [
    (name, position, parameter)
    for name in [*OF_SEVERAL, "zeta", "zetac"]
    for position, parameter in enumerate(inspect.signature(getattr(special, name)).parameters)
    if name == "zetac" or (name not in PARAMETERS and OF_SEVERAL[name][1].ljust(4)[position] == " ")
]


@pytest.mark.filterwarnings("ignore:non-integer arg n is deprecated:DeprecationWarning")
@pytest.mark.parametrize(("name", "position", "parameter"), REFUSED)
def test_parameters_without_a_known_derivative_are_refused_by_name(name, position, parameter):
    operands = [np.asarray(1.5)] if name == "zetac" else OF_SEVERAL[name][0]
    arrays = [ga.asarray(np.asarray(x, float)) for x in operands]
    arrays[position].requires_grad_()
    y = getattr(special, name)(*arrays)
    assert y.requires_grad
    with pytest.raises(
        ga.NoDerivativeError,
        match=rf"{name}\(\): the derivative with respect to {parameter} is not known\nFix: pass {parameter}.detach\(\)",
    ):
        ga.sum(y).backward()
    # The others have theirs.
    with pytest.raises(ga.NoDerivativeError):
        ga.jvp(getattr(special, name), tuple(x.detach() for x in arrays), tuple(ga.ones(x.shape) for x in arrays))


@pytest.mark.parametrize("name", ["psi", "ive"])
def test_derivatives_that_hold_for_real_numbers_only_are_refused_at_complex_ones(name):
    z = ga.asarray([0.5 + 1j], requires_grad=True)
    y = special.psi(z) if name == "psi" else special.ive(0.5, z)
    with pytest.raises(ga.NoDerivativeError, match=rf"{name}\(\): at complex numbers its derivative is not known"):
        y.backward(ga.ones_like(y))


def test_sign_of_the_gamma_function_is_not_tracked():
    assert not special.gammasgn(ga.asarray([0.5], requires_grad=True)).requires_grad


def test_operands_on_two_devices_are_refused():
    x, y = ga.ones(2), ga.ones(2, device="strict")
    for function in (special.gammainc, special.beta, special.xlogy):
        with pytest.raises(ga.DeviceMismatchError, match=rf"{function.__name__}\(\)"):
            function(x, y)
    with pytest.raises(ga.DeviceMismatchError, match=r"logsumexp\(\)"):
        special.logsumexp(x, b=y)


def test_numbers_alone_are_refused():
    with pytest.raises(ga.ArgumentTypeError, match=r"gammainc\(\): at least one operand must be an array"):
        special.gammainc(1.0, 2.0)


def test_special_is_a_name_of_the_namespace():
    assert ga.special is special
    assert ga.scipy.special is special
    assert hasattr(ga, "special")
    assert special.digamma is special.psi


def test_gradarray_imports_neither_scipy_nor_its_own_special_functions():
    import subprocess
    import sys

    code = "import sys, gradarray; print([name for name in sys.modules if 'scipy' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
