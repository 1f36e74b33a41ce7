"""Names beyond the standard: they are NumPy's wholly, on every backend, NaN and empty arrays included."""

import itertools
import math
import warnings

import numpy as np
import pytest

import gradarray as ga

ARRAYS = {
    "vector": np.asarray([3.0, -1.0, 2.0, 2.0]),
    "matrix": np.asarray([[1.0, np.nan, 3.0], [-2.0, 0.5, np.nan]]),
    "stack": np.arange(12.0).reshape(2, 2, 3) - 5,
    "all NaN": np.full((2, 3), np.nan),
    "infinite": np.asarray([[np.inf, 1.0, -np.inf], [np.nan, np.inf, 0.0]]),
    "integers": np.asarray([[3, 1, 2], [5, -4, 0]]),
    "booleans": np.asarray([[True, False, True]]),
    "float32": np.asarray([[0.5, np.nan], [2.5, -1.0]], np.float32),
    "empty": np.zeros((0, 3)),
    "0-d": np.asarray(2.5),
}
REDUCTIONS = "median nansum nanprod nanmax nanmin nanmean nanmedian nanvar nanstd".split()


def agree(found, expected, *, rtol=1e-6):
    assert type(found) is ga.Array and found.shape == np.shape(expected)
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=rtol, atol=1e-7)


def numpys(name, *args, **keywords):
    """NumPy's answer; None where it refuses."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return getattr(np, name)(*args, **keywords)
        except (ValueError, TypeError, IndexError):
            return None


#: The standard has no order of booleans.
WITHOUT_ORDER = [(name, "booleans") for name in ("median", "nanmedian", "nanmax", "nanmin")]


@pytest.mark.parametrize(
    ("name", "values"), [case for case in itertools.product(REDUCTIONS, ARRAYS) if case not in WITHOUT_ORDER]
)
def test_reductions(name, values, device):
    array = ARRAYS[values]
    # NumPy takes axis 0 of a 0-d array in some functions.
    axes = (None,) if not array.ndim else (None, 0, -1, (0, 1))
    for axis, keepdims in itertools.product(axes, (False, True)):
        expected = numpys(name, array, axis=axis, keepdims=keepdims)
        call = lambda axis=axis, keepdims=keepdims: getattr(ga, name)(ga.asarray(array), axis, keepdims=keepdims)
        if expected is None:
            with pytest.raises(ga.GradarrayError):
                call()
            continue
        found = call()
        agree(found, expected)
        if values not in ("integers", "booleans"):
            assert found.dtype == expected.dtype


def test_freedom_is_taken_off_the_count(device):
    array = ARRAYS["matrix"]
    for ddof in (0, 1, 2):
        agree(ga.nanvar(ga.asarray(array), 1, ddof=ddof), numpys("nanvar", array, 1, ddof=ddof))


@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nancumsum", "nancumprod"])
def test_data_type_to_compute_in(name, device):
    array = ARRAYS["float32"]
    found = getattr(ga, name)(ga.asarray(array), 1, ga.float64)
    assert found.dtype == ga.float64
    agree(found, numpys(name, array, 1, np.float64))


@pytest.mark.parametrize("name", ["nancumsum", "nancumprod"])
@pytest.mark.parametrize("values", ["matrix", "integers", "float32", "empty"])
def test_running_sums_and_products_without_nan(name, values, device):
    for axis in (None, 0, -1):
        agree(getattr(ga, name)(ga.asarray(ARRAYS[values]), axis), numpys(name, ARRAYS[values], axis))


@pytest.mark.parametrize("k", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize("shape", [(0,), (1,), (3,), (2, 3), (3, 2), (0, 2)])
def test_diag(k, shape, device):
    array = np.arange(1.0, 1 + math.prod(shape)).reshape(shape)
    agree(ga.diag(ga.asarray(array), k), np.diag(array, k))
    assert ga.diag(ga.asarray(array.astype(np.int32))).dtype == ga.int32


def test_diag_of_other_shapes_is_refused(device):
    for shape in ((), (2, 2, 2)):
        with pytest.raises(ga.ShapeError, match="one or two axes"):
            ga.diag(ga.zeros(shape))


def test_shapes(device):
    a, b = np.arange(6.0).reshape(2, 3), np.arange(2.0).reshape(2, 1)
    agree(ga.transpose(ga.asarray(a)), a.T)
    agree(ga.transpose(ga.zeros((2, 3, 4)), (1, 2, 0)), np.zeros((3, 4, 2)))
    agree(ga.hstack([ga.asarray(a), ga.asarray(b)]), np.hstack([a, b]))
    agree(ga.hstack([ga.asarray(a[0]), ga.asarray(1.0)]), np.hstack([a[0], 1.0]))
    agree(ga.vstack([ga.asarray(a), ga.asarray(a[0])]), np.vstack([a, a[0]]))
    for running in ("cumsum", "cumprod"):
        agree(getattr(ga, running)(ga.asarray(a)), getattr(np, running)(a))
        agree(getattr(ga, running)(ga.asarray(a), axis=1), getattr(np, running)(a, axis=1))
    assert ga.cumsum(ga.asarray([1, 2], dtype=ga.int8), dtype=ga.float32).dtype == ga.float32


def test_closeness(device):
    a = np.asarray([1.0, np.inf, -np.inf, np.nan, 1e10, 0.0, 2.0])
    b = np.asarray([1.0 + 1e-7, np.inf, np.inf, np.nan, 1.00001e10, 1e-9, 2.1])
    for equal_nan in (False, True):
        found = ga.isclose(ga.asarray(a), ga.asarray(b), equal_nan=equal_nan)
        assert found.tolist() == np.isclose(a, b, equal_nan=equal_nan).tolist()
    assert ga.isclose(ga.asarray([1, 2]), 1).tolist() == [True, False]
    assert ga.allclose(ga.asarray([1.0, 2.0]), ga.asarray([1.0, 2.0 + 1e-9])) is True
    assert ga.allclose(ga.asarray([1.0]), ga.asarray([1.1])) is False
    assert ga.allclose(1.0, ga.asarray([1.1], requires_grad=True), atol=0.2) is True


def test_logspace(device):
    agree(ga.logspace(0.0, 3.0, 4), np.logspace(0.0, 3.0, 4))
    agree(ga.logspace(1, 2, 5, endpoint=False, base=2.0), np.logspace(1, 2, 5, endpoint=False, base=2.0))
    assert ga.logspace(0, 1, 3, dtype=ga.float32).dtype == ga.float32


def test_a_gradient_passes_holes_by(device):
    x = ga.asarray([1.0, float("nan"), 3.0], requires_grad=True)
    ga.nanmean(x * x).backward()
    assert x.grad.tolist()[::2] == [1.0, 3.0] and x.grad.tolist()[1] == 0.0


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape", [(4,), (3, 2), (2, 3, 2), (), (0,)])
def test_norm(shape, keepdims, device):
    array = np.random.default_rng(0).normal(size=shape)
    axes = [None, *range(-1, len(shape)), *([(0, 1), (-1, 0)] if len(shape) > 1 else [])]
    orders = (None, 0, 1, 2, -1, 3, np.inf, -np.inf, "fro", "nuc", "other")
    for axis, ord in itertools.product(axes, orders if array.size else (None, 0, 1, 2, 3, "other")):
        expected = norm_of(array, ord, axis, keepdims)
        if expected is None:
            with pytest.raises(ga.GradarrayError):
                ga.linalg.norm(ga.asarray(array), ord, axis, keepdims)
        else:
            agree(ga.linalg.norm(ga.asarray(array), ord, axis, keepdims), expected)


def norm_of(*args):
    """NumPy's norm; None where it refuses."""
    with np.errstate(all="ignore"):
        try:
            return np.linalg.norm(*args)
        except (ValueError, TypeError, IndexError):
            return None


def test_norm_refuses_what_it_is_not():
    x = ga.ones((2, 2, 2))
    with pytest.raises(ga.ShapeError, match=r"norm\(\): norms are of one axis or two, not of 3"):
        ga.linalg.norm(x, 2)
    with pytest.raises(ga.ArgumentValueError, match=r"norm\(\): there is no vector norm 'fro'"):
        ga.linalg.norm(x, "fro", axis=0)
    with pytest.raises(ga.ArgumentValueError, match=r"norm\(\): there is no matrix norm 3"):
        ga.linalg.norm(x, 3, axis=(0, 1))


def test_einsum(device):
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(2, 3, 4)), rng.normal(size=(4, 3)), rng.normal(size=(3,))
    for text in ("ijk,kj->i", "ijk,lj->ikl", "...k,kj->...j", "ijk,kj"):
        other = rng.normal(size=(5, 3)) if "l" in text else b
        agree(ga.einsum(text, ga.asarray(a), ga.asarray(other)), np.einsum(text, a, other))
    agree(ga.einsum("ijk,kj,j", *map(ga.asarray, (a, b, c)), optimize=True), np.einsum("ijk,kj,j", a, b, c))
    agree(ga.einsum(ga.asarray(b), [0, 1], ga.asarray(c), [1], [0]), b @ c)
    with pytest.raises(ga.ShapeError, match=r"einsum\(\)"):
        ga.einsum("ij,jk", ga.asarray(c), ga.asarray(b))


@pytest.mark.parametrize("mode", ["constant", "edge", "linear_ramp", "maximum", "mean", "reflect", "symmetric", "wrap"])
def test_pad(mode, device):
    array = np.arange(6.0).reshape(2, 3) ** 2
    for width in (1, (2, 0), ((0, 1), (2, 3))):
        agree(ga.pad(ga.asarray(array), width, mode), np.pad(array, width, mode))
    with pytest.raises(ga.ArgumentValueError, match=r"pad\(\): there is no mode 'other'"):
        ga.pad(ga.asarray(array), 1, "other")
