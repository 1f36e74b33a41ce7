"""The backend of the documentation's walk: a package of its own over a real library, MLX, held against every law."""

import re
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import gradarray as ga
from gradarray import _backend
from gradarray._devices import Device
from gradarray.testing import check_backend, check_grads

mx = pytest.importorskip("mlx.core")

PACKAGE = Path(__file__).parents[1] / "examples" / "gradarray_mlx"
RANDOM = np.random.default_rng(7)
VECTOR, MATRIX = RANDOM.uniform(0.2, 0.9, 4), RANDOM.uniform(0.2, 0.9, (3, 4))


@pytest.fixture(scope="module", autouse=True)
def backend():
    """The backend, known while this module runs: other tests list the backends that there are."""
    sys.path.insert(0, str(PACKAGE))
    try:
        from gradarray_mlx import MLXBackend
    finally:
        sys.path.remove(str(PACKAGE))
    found = MLXBackend()
    before = _backend._backends.get("mlx")
    _backend.register(found)
    yield found
    del _backend._backends["mlx"]
    Device._interned.pop(("mlx", "cpu", None), None)
    if before is not None:
        _backend._backends["mlx"] = before


def test_laws():
    report = check_backend("mlx")
    assert report.total > 5000
    left_out = report.left_out["cpu"]
    assert "every check with complex128, which is not in dtypes(place)" in left_out
    assert "every check that writes raw arrays: the backend is immutable" in left_out
    assert not any("float64" in what for what in left_out)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (lambda x, y: ga.exp(x) / (ga.sqrt(y) + x), (MATRIX, VECTOR)),
        (lambda x, y: ga.matmul(ga.tanh(x), ga.log(y)), (MATRIX, VECTOR)),
        (lambda x: ga.max(x, axis=0) * ga.mean(x) - ga.prod(x, axis=1, keepdims=True), (MATRIX,)),
        (lambda x: ga.permute_dims(x, (1, 0))[ga.asarray([0, 2, 0], device="mlx")], (MATRIX,)),
        (lambda x: ga.where(x > 0.5, ga.sin(x), x**3), (MATRIX,)),
        (lambda x: ga.cumulative_sum(ga.sort(x)) * ga.flip(ga.reshape(x, (4,))), (VECTOR,)),
        (lambda x: ga.linalg.solve(x @ x.T + ga.eye(3, dtype=ga.float64, device="mlx"), x), (MATRIX,)),
    ],
)
def test_derivatives(f, args):
    check_grads(f, args, device="mlx")


def test_written_arrays():
    x = ga.asarray([1.0, 2.0, 3.0], device="mlx", requires_grad=True)
    y = x * 2.0
    y[1:][::-1][0] = x[0]
    ga.sum(y * x).backward()
    assert y.tolist() == [2.0, 4.0, 1.0] and type(y._data) is mx.array
    assert x.grad.tolist() == [4.0 + 3.0, 8.0, 1.0]


def test_digits_of_double_precision():
    x = ga.asarray(VECTOR, device="mlx")
    assert x.dtype == ga.float64
    for name in ("exp", "sin", "cos", "log", "tanh"):
        np.testing.assert_allclose(getattr(ga, name)(x).numpy(), getattr(np, name)(VECTOR), rtol=1e-14)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean"])
def test_empty_axes(name):
    x = ga.zeros((0, 3), device="mlx")
    if name in ("max", "min"):
        with pytest.raises(ga.ShapeError):
            getattr(ga, name)(x, axis=0)
    else:
        expected = {"sum": 0.0, "prod": 1.0, "mean": np.nan}[name]
        np.testing.assert_array_equal(getattr(ga, name)(x, axis=0).numpy(), [expected] * 3)


def test_values_are_read_in_another_thread():
    x = ga.asarray([1.0, 2.0], device="mlx", requires_grad=True)
    y = ga.sum(x * x + 1.0)
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert float(y) == 7.0 and x.grad.tolist() == [2.0, 4.0]


def test_the_users_arrays_are_copied():
    own = mx.array([1.0, 2.0])
    x = ga.from_dlpack(own)
    own[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    with pytest.raises(ga.DTypeError):
        ga.asarray([1j], dtype=ga.complex128, device="mlx")


def test_excerpts_in_the_documentation():
    source = "\n".join(path.read_text() for path in sorted((PACKAGE / "gradarray_mlx").glob("*.py")))
    page = (PACKAGE.parents[1] / "docs" / "add_a_backend.md").read_text()
    *excerpts, _ = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)  # the last one is a user's
    assert len(excerpts) == 4
    for excerpt in excerpts:
        for line in excerpt.splitlines():
            assert line in source


def test_two_devices_do_not_mix():
    x, y = ga.asarray([1.0, 2.0], device="mlx"), ga.asarray([3.0, 4.0], dtype=ga.float32)
    with pytest.raises(ga.DeviceMismatchError, match=r"Fix: gradarray.from_dlpack\(x2, device='mlx:cpu'\)"):
        x + y
    z = x + ga.from_dlpack(y, device="mlx:cpu")
    assert str(z.device) == "mlx:cpu" and z.tolist() == [4.0, 6.0]
