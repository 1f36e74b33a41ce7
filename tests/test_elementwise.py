"""Values of the elementwise functions, the data types that they take, and the special cases that libraries miss."""

import itertools
from inspect import signature
from math import inf, nan

import numpy as np
import pytest

import gradarray as ga
from gradarray.ops import elementwise

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

NUMPY_NAMES = {"bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift"}
FLOATING = (
    "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal sin sinh sqrt tan tanh "
    "atan2 copysign hypot logaddexp nextafter divide"
).split()
INTEGERS = ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert", "bitwise_left_shift", "bitwise_right_shift"]
REAL = (
    "atan2 ceil copysign floor floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum "
    "nextafter remainder signbit trunc"
).split()
ALL = [name for name in elementwise.__all__ if name != "clip"]


def operands(name, dtype, device):
    values = [[0.25, 0.5, 0.75], [0.5, 0.5, 0.25]] if np.dtype(dtype).kind in "fc" else [[1, 2, 5], [2, 2, 1]]
    if name == "acosh":
        values[0] = [1.5, 2, 3]
    count = len(signature(getattr(ga, name)).parameters)
    return [ga.asarray(np.asarray(value).astype(dtype), device=device) for value in values[:count]]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dtype", [ga.float32, ga.float64, ga.complex128, ga.int32, ga.uint8, ga.bool])
def test_values_and_domain_are_the_same_everywhere(name, dtype, device):
    arrays = operands(name, dtype, device)
    refused = (
        (dtype.kind == "c" and name in REAL)
        or (dtype.kind in "fc" and name in INTEGERS)
        or (
            dtype.kind == "b"
            and name
            in ("subtract", "negative", "positive", "sign", "square", "floor_divide", "remainder", "pow")
            + ("bitwise_left_shift", "bitwise_right_shift")
        )
    )
    if refused:
        with pytest.raises(ga.DTypeError, match=rf"^{name}\(\)"):
            getattr(ga, name)(*arrays)
        return
    found = getattr(ga, name)(*arrays)
    raws = [x.to_device("cpu").numpy() for x in arrays]
    if name in FLOATING and dtype.kind not in "fc":
        raws = [raw.astype("float64") for raw in raws]
    if dtype.kind == "b" and name in ("round", "conj"):
        expected = raws[0]
    else:
        expected = getattr(np, NUMPY_NAMES.get(name, name))(*raws)
    assert found.dtype == expected.dtype
    assert found.device == device
    np.testing.assert_allclose(found.tolist(), expected.tolist(), rtol=1e-6 if dtype == ga.float32 else 1e-14)


@pytest.mark.parametrize("name", [name for name in ALL if name not in INTEGERS])
def test_the_result_has_memory_of_its_own(name, device):
    for dtype in (ga.float64, ga.complex128, ga.int64, ga.bool):
        arrays = operands(name, dtype, device)
        before = [x.tolist() for x in arrays]
        try:
            out = getattr(ga, name)(*arrays)
        except ga.DTypeError:
            continue
        out[...] = ga.zeros_like(out)
        assert [x.tolist() for x in arrays] == before


@pytest.mark.parametrize("name", [name for name in FLOATING if name not in ("acosh",)])
def test_small_integers_count_as_float64(name, device):
    arrays = [ga.asarray([1, 1], dtype=ga.int8, device=device)] * len(signature(getattr(ga, name)).parameters)
    assert getattr(ga, name)(*arrays).dtype == ga.float64
    if len(arrays) == 2:
        for scalar in (1, 2.5):
            assert getattr(ga, name)(arrays[0], scalar).dtype == ga.float64
            assert getattr(ga, name)(scalar, arrays[0]).dtype == ga.float64
        single = ga.asarray([1.0, 2.0], dtype=ga.float32, device=device)
        assert getattr(ga, name)(arrays[0], single).dtype == ga.float32
        assert getattr(ga, name)(single, arrays[0]).dtype == ga.float32


@pytest.mark.parametrize("op", [lambda x: x / 2, lambda x: 2 / x, lambda x: x / x])
@pytest.mark.parametrize("dtype", [ga.bool, ga.int8, ga.uint64])
def test_operators_take_integers_too(op, dtype, device):
    x = ga.ones(2, dtype=dtype, device=device)
    assert op(x).dtype == ga.float64


def test_booleans_in_arithmetic(device):
    x, y = ga.asarray([True, True, False], device=device), ga.asarray([True, False, False], device=device)
    assert (x + y).tolist() == [True, True, False]
    assert (x * y).tolist() == [True, False, False]
    assert ga.maximum(x, y).tolist() == [True, True, False]
    assert ga.minimum(x, y).tolist() == [True, False, False]
    assert (x > y).tolist() == [False, True, False]
    assert (x + 1).dtype == ga.int64
    assert (ga.asarray([1.5], device=device) + True).tolist() == [2.5]
    assert (False - ga.asarray([3], device=device)).tolist() == [-3]
    assert (x * 2.5).tolist() == [2.5, 2.5, 0.0]
    for op in (lambda: x - y, lambda: -x, lambda: +x, lambda: x // y, lambda: x % y, lambda: x**y, lambda: x << y):
        with pytest.raises(ga.DTypeError):
            op()


def test_negative_integer_powers_of_integers(device):
    x = ga.asarray([1, 2], device=device)
    for exponent in (-1, ga.asarray([1, -2], device=device)):
        with pytest.raises(ga.ArgumentValueError, match="astype"):
            x**exponent
    assert (x**-1.0).tolist() == [1.0, 0.5]
    with pytest.raises(ga.ShapeError):
        x ** ga.asarray([1, 2, 3], device=device)


def test_complex_numbers_have_no_order(device):
    z = ga.asarray([1 + 2j, 2], device=device)
    for op in (
        lambda: z < z,
        lambda: z >= 1,
        lambda: ga.abs(z) < 1j,
        lambda: ga.maximum(z, z),
        lambda: ga.clip(z, 0, 1),
    ):
        with pytest.raises(ga.DTypeError):
            op()


def test_numbers_as_truths(device):
    x, y = ga.asarray([0, 2, 0, 3], device=device), ga.asarray([0.0, 0.0, nan, 1.5], device=device)
    assert ga.logical_and(x, y).tolist() == [False, False, False, True]
    assert ga.logical_or(x, y).tolist() == [False, True, True, True]
    assert ga.logical_xor(x, y).tolist() == [False, True, True, False]
    assert ga.logical_not(x).tolist() == [True, False, True, False]
    assert ga.logical_and(x, True).tolist() == [False, True, False, True]


def test_values_that_the_official_suite_does_not_look_at(device):
    x, y = ga.asarray([3.0, -5.0, 8.0], device=device), ga.asarray([4.0, 12.0, -15.0], device=device)
    assert ga.hypot(x, y).tolist() == [5.0, 13.0, 17.0]
    assert ga.maximum(x, y).tolist() == [4.0, 12.0, 8.0]
    assert ga.minimum(x, y).tolist() == [3.0, -5.0, -15.0]
    np.testing.assert_allclose(ga.hypot(x * 1e200, y * 1e200).tolist(), [5e200, 1.3e201, 1.7e201], rtol=1e-14)
    expected = np.log(np.exp([3.0, -5, 8]) + np.exp([4.0, 12, -15]))
    np.testing.assert_allclose(ga.logaddexp(x, y).tolist(), expected, rtol=1e-14)
    assert ga.logaddexp(x * 1e3, x * 1e3).tolist()[0] == 3000.0 + np.log(2)
    p, q = ga.asarray([True, True, False, False], device=device), ga.asarray([True, False, True, False], device=device)
    assert ga.logical_and(p, q).tolist() == [True, False, False, False]
    assert ga.logical_or(p, q).tolist() == [True, True, True, False]
    assert ga.logical_xor(p, q).tolist() == [False, True, True, False]


# --- clip ------------------------------------------------------------------------------------------------------------


def test_clip_keeps_the_data_type(device):
    for dtype in (ga.float32, ga.int8, ga.uint16):
        x = ga.asarray([1, 2, 7], dtype=dtype, device=device)
        bound = ga.asarray([2], dtype=dtype, device=device)
        for low, high in itertools.product((None, 2, bound), (None, 5, bound)):
            found = ga.clip(x, low, high)
            assert found.dtype == dtype
            assert found.tolist() == np.clip([1, 2, 7], 2 if low is not None else -9, _bound(high)).tolist()
            assert found is not x
    assert ga.clip(ga.asarray([1, 2], device=device), 1.5).tolist() == [1.5, 2.0]


def _bound(high):
    return 9 if high is None else 5 if high == 5 else 2


def test_clip_broadcasts_all_three(device):
    x = ga.asarray([[0.0], [5.0]], device=device)
    low, high = ga.asarray([1.0, 2.0, 3.0], device=device), ga.asarray(4.0, device=device)
    assert ga.clip(x, low, high).tolist() == [[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]
    assert ga.clip(x, min=3, max=low).tolist() == [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]
    np.testing.assert_array_equal(ga.clip(ga.asarray([nan, 1.0], device=device), nan, 2.0).tolist(), [nan, nan])


def test_clip_names_itself_where_devices_differ():
    x, low = ga.asarray([1.0]), ga.asarray([1.0], device="strict:device1")
    with pytest.raises(ga.DeviceMismatchError, match=r"^clip\(\)") as caught:
        ga.clip(x, 0.0, low)
    assert caught.value.op == "clip"
    assert [name for name, _ in caught.value.operands] == ["x", "max"]


# --- special cases ---------------------------------------------------------------------------------------------------


def test_floor_division_of_and_by_infinity(device):
    values = [inf, -inf, inf, -inf, 5.0, -5.0, 5.0, -5.0, 0.0, inf, nan, 7.0, -7.0, 1.0]
    others = [2.0, 2.0, -2.0, -2.0, inf, inf, -inf, -inf, inf, inf, 1.0, 2.0, 2.0, 0.0]
    expected = [inf, -inf, -inf, inf, 0.0, -0.0, -0.0, 0.0, 0.0, nan, nan, 3.0, -4.0, inf]
    for dtype in (ga.float32, ga.float64):
        x, y = ga.asarray(values, dtype=dtype, device=device), ga.asarray(others, dtype=dtype, device=device)
        found = ga.floor_divide(x, y)
        np.testing.assert_array_equal(found.tolist(), expected)
        np.testing.assert_array_equal(1 / np.asarray(found.tolist()), 1 / np.asarray(expected))  # the signs of zeros
        assert found.dtype == dtype
    assert (ga.asarray([inf, 5.0], device=device) // 2).tolist() == [inf, 2.0]
    assert (ga.asarray([5, 7], device=device) // 2).tolist() == [2, 3]


PARTS = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, inf, -inf, nan]


def _is(found, expected, *, free=False):
    """Whether two complex numbers are equal, NaN to NaN, 0 to 0 of its sign unless that is free."""
    np.testing.assert_array_equal([found.real, found.imag], [expected.real, expected.imag])
    if not free and expected.imag == expected.imag:
        assert np.signbit(found.imag) == np.signbit(expected.imag)


@pytest.mark.parametrize("dtype", [ga.complex64, ga.complex128])
@pytest.mark.parametrize(("a", "b"), list(itertools.product(PARTS, PARTS)))
def test_complex_expm1_and_tanh(a, b, dtype, device):
    z = ga.asarray(np.asarray(complex(a, b), dtype=dtype), device=device)
    expm1, tanh = ga.expm1(z).item(), ga.tanh(z).item()
    wild = not np.isfinite(b)
    if a == 0 and b == 0:
        _is(expm1, complex(0.0, b))
        _is(tanh, complex(a, b))
    elif a == inf and b == 0:
        _is(expm1, complex(inf, b))
    elif a == inf and wild:
        assert abs(expm1.real) == inf and expm1.imag != expm1.imag
    elif a == -inf:
        _is(expm1, complex(-1.0, np.copysign(0.0, np.sin(b)) if not wild else 0.0), free=wild)
    elif a != a or wild:
        _is(expm1, complex(nan, b if b == 0 else nan))
    else:
        np.testing.assert_allclose(expm1, np.exp(complex(a, b)) - 1, rtol=1e-5 if dtype == ga.complex64 else 1e-14)
    if abs(a) == inf:
        _is(tanh, complex(np.sign(a), np.copysign(0.0, b)), free=b != b)
    elif a != a:
        _is(tanh, complex(nan, b if b == 0 else nan))


@pytest.mark.parametrize("dtype", [ga.complex64, ga.complex128])
def test_sign_of_complex_numbers_of_every_size(dtype, device):
    values = [3e-30 + 4e-30j, -2e-23, 1e-44 + 1e-44j, 3e38 + 3e38j, 0j, complex(-0.0, -0.0), complex(inf, 1), 5j, nan]
    values[:4] = np.asarray(values[:4], dtype)
    diagonal = (1 + 1j) / np.sqrt(2)
    found = ga.sign(ga.asarray(np.asarray(values, dtype), device=device)).tolist()
    np.testing.assert_allclose(found[:-1], [0.6 + 0.8j, -1, diagonal, diagonal, 0, 0, 1, 1j], rtol=1e-6)
    assert found[-1] != found[-1]
    assert not np.signbit(found[5].real) and not np.signbit(found[5].imag)


# --- NumPy's kernels -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
def test_where_beside_zero_is_where(dtype):
    rng = np.random.default_rng(0)
    values = rng.standard_normal(3000).astype(dtype)
    if dtype != "int64":
        values[:6] = [inf, -inf, nan, -0.0, 0.0, 1.0]
    condition = rng.standard_normal(3000) > 0
    for shape in ((3000,), (3, 1000), (1000, 3)):
        for step in (1, -1):
            x, c = values.reshape(shape)[::step], condition.reshape(shape)[..., ::step]
            for found, expected in (
                (ga.where(ga.asarray(c), ga.asarray(x), 0), np.where(c, x, 0)),
                (ga.where(ga.asarray(c), 0, ga.asarray(x)), np.where(c, 0, x)),
                (ga.where(ga.asarray(c), ga.asarray(x[:1]), 0), np.where(c, x[:1], 0)),
                (ga.where(ga.asarray(c), ga.asarray(x), 0.5), np.where(c, x, 0.5)),
            ):
                assert found.dtype == expected.dtype
                np.testing.assert_array_equal(found.numpy(), expected)


def test_square_is_chosen_where_it_is_the_power(device):
    for dtype in (ga.float32, ga.complex64, ga.int8, ga.uint16):
        x = ga.asarray([1, 3], dtype=dtype, device=device)
        assert (x**2).tolist() == [1, 9]
        assert (x**2).dtype == dtype
    x = ga.asarray([1.0, 3.0], dtype=ga.float32, device=device)
    assert (x ** ga.asarray(2.0, dtype=ga.float64, device=device)).dtype == ga.float64
    assert (x ** (2 + 0j)).dtype == ga.complex64
    assert (ga.asarray([1, 3], device=device) ** 2.0).dtype == ga.float64
    assert (2 ** ga.asarray(2.0, device=device)).item() == 4.0
