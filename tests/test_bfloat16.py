"""bfloat16: a data type beyond the standard and beyond NumPy, wherever the library beneath computes in it."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from conftest import CUDA

import gradarray as ga

ml_dtypes = pytest.importorskip("ml_dtypes")
INSTALLED = [name for name in ("torch", "jax") if importlib.util.find_spec(name)]
WHERE = [CUDA, *{"torch": ["torch:cpu"], "jax": ["jax:cpu:0"]}.get("torch" if "torch" in INSTALLED else "", [])]
WHERE += ["jax:cpu:0"] if "jax" in INSTALLED and "jax:cpu:0" not in WHERE else []


@pytest.fixture(params=WHERE)
def device(request):
    with ga.device(request.param) as found:
        yield found


def array(values, **keywords):
    return ga.asarray(values, dtype=ga.bfloat16, **keywords)


def test_the_dtype():
    assert ga.bfloat16 == np.dtype(ml_dtypes.bfloat16)
    assert ga.isdtype(ga.bfloat16, "real floating") and ga.isdtype(ga.bfloat16, "numeric")
    assert not ga.isdtype(ga.bfloat16, "integral")
    assert ga.finfo(ga.bfloat16).bits == 16 and ga.finfo(ga.bfloat16).eps == 2.0**-7


@pytest.mark.parametrize(
    ("other", "common"),
    [("bool", "bfloat16"), ("int8", "bfloat16"), ("uint8", "bfloat16"), ("int16", "float32"), ("uint32", "float64")]
    + [("float16", "float32"), ("float32", "float32"), ("float64", "float64"), ("complex64", "complex64")],
)
def test_promotion_loses_nothing(other, common):
    assert ga.result_type(ga.bfloat16, np.dtype(other)).name == common
    assert ga.result_type(np.dtype(other), ga.bfloat16).name == common


def test_python_numbers_leave_it():
    assert ga.result_type(ga.bfloat16, 2.0) == ga.result_type(ga.bfloat16, 2) == ga.result_type(True, ga.bfloat16)
    assert ga.result_type(ga.bfloat16, 2j) == ga.complex64


def test_values_and_gradients(device):
    x = array([0.5, 1.0, 2.0], requires_grad=True)
    y = ga.exp(x) * 2.0 + x / 4 - ga.maximum(x, 1.0)
    assert y.dtype == ga.bfloat16 and y.device is device
    ga.sum(y * y).backward()
    assert x.grad.dtype == ga.bfloat16
    values = np.asarray([0.5, 1.0, 2.0])
    expected = np.exp(values) * 2 + values / 4 - np.maximum(values, 1.0)
    assert y.detach().tolist() == pytest.approx(expected.tolist(), rel=0.02)
    slope = np.exp(values) * 2 + 0.25 - np.asarray([0.0, 0.5, 1.0])
    assert x.grad.tolist() == pytest.approx((2 * expected * slope).tolist(), rel=0.05)


def test_functions_keep_it(device):
    x = array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
    results = (
        ga.sum(x),
        ga.mean(x, axis=0),
        ga.max(x),
        ga.prod(x, axis=1),
        ga.abs(x),
        ga.sign(x),
        ga.where(x > 0, x, 0),
    )
    results += (x @ x.T, ga.concat([x, x]), ga.sort(x), ga.cumulative_sum(x, axis=1), x[:, 1:], x[x > 0], ga.round(x))
    results += (
        ga.zeros_like(x),
        ga.full((2,), 1.5, dtype=ga.bfloat16),
        ga.take(x, ga.asarray([0, 0]), axis=0),
        x // 2,
        x % 2,
    )
    assert {result.dtype for result in results} == {ga.bfloat16}
    assert ga.mean(x).item() == pytest.approx(5 / 6, rel=0.01)
    assert (ga.argmax(x).item(), ga.isfinite(x).dtype) == (4, ga.bool)
    assert ga.astype(x, ga.float32).tolist() == x.tolist()
    assert ga.astype(ga.asarray([1.01], dtype=ga.float32), ga.bfloat16).item() == pytest.approx(1.0078125)


def test_integers_and_others_promote(device):
    x = array([1.0, 2.0])
    assert (x + ga.asarray([1, 2], dtype=ga.int8)).dtype == ga.bfloat16
    assert (x + ga.asarray([1.0, 2.0], dtype=ga.float32)).dtype == ga.float32
    assert (x * 2j).dtype == ga.complex64


def test_indexed_gradients_add_up(device):
    x = array([1.0, 2.0, 3.0], requires_grad=True)
    ga.sum(x[ga.asarray([0, 2, 0])] * 1.5).backward()
    assert x.grad.tolist() == [3.0, 0.0, 1.5] and x.grad.dtype == ga.bfloat16


def test_a_training_step(device):
    rng = np.random.default_rng(0)
    w = array(rng.standard_normal((3, 2)).tolist(), requires_grad=True)
    x = array(rng.standard_normal((4, 3)).tolist())
    before = ga.mean((x @ w) ** 2)
    before.backward()
    with ga.no_grad():
        w -= w.grad * 0.1
    assert ga.mean((x @ w) ** 2).item() < before.item()
    assert w.dtype == ga.bfloat16


@pytest.mark.parametrize("where", ["cpu", "strict:cpu"])
def test_where_nothing_computes_in_it_it_is_refused(where):
    for make in (lambda: ga.zeros(2, dtype=ga.bfloat16, device=where), lambda: ga.ones(2, device=where).astype("x")):
        with pytest.raises((ga.DTypeError, AttributeError)):
            make()
    with pytest.raises(ga.DTypeError, match="bfloat16"):
        ga.asarray([1.0], dtype=ga.bfloat16, device=where)
    with pytest.raises(ga.DTypeError, match="bfloat16"):
        array([1.0], device=CUDA).to_device(where)


def test_numpy_arrays_of_it_cross(device):
    a = np.asarray([1.5, -2.0], ml_dtypes.bfloat16)
    x = ga.asarray(a, device=device)
    assert x.dtype == ga.bfloat16 and x.tolist() == [1.5, -2.0]
    assert "bfloat16" in repr(x)


def test_without_the_package_the_error_names_it():
    code = (
        "import sys\nsys.modules['ml_dtypes'] = None\nimport gradarray as ga\n"
        "assert not hasattr(ga, 'bfloat16')\n"
        "for ask in (lambda: ga.bfloat16, lambda: ga.zeros(1, dtype='bfloat16')):\n"
        "    try:\n        ask()\n    except (AttributeError, ga.MissingExtraError) as error:\n        print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.count("Fix: pip install ml_dtypes") == 2
