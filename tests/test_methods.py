"""NumPy's methods on arrays of ours: the same answers, with gradients."""

import numpy as np
import pytest

import gradarray as ga

VALUES = np.asarray([[3.0, 1.0, 2.0], [0.5, -4.0, 2.5]])
CALLS = {
    "reshape": lambda x: x.reshape(3, 2),
    "reshape of a tuple": lambda x: x.reshape((6, 1)),
    "reshape of a list": lambda x: x.reshape([-1]),
    "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(),
    "transpose": lambda x: x.transpose(),
    "transpose of axes": lambda x: x.transpose(1, 0),
    "transpose of a tuple": lambda x: x.transpose((1, 0)),
    "swapaxes": lambda x: x.swapaxes(0, -1),
    "squeeze": lambda x: x.reshape(1, 2, 3, 1).squeeze(),
    "squeeze one": lambda x: x.reshape(1, 2, 3, 1).squeeze(axis=0),
    "repeat": lambda x: x.repeat(2, axis=1),
    "repeat all": lambda x: x.repeat(2),
    "take": lambda x: x.take([1, 0], axis=0),
    "take flat": lambda x: x.take([5, 0]),
    "copy": lambda x: x.copy(),
    "view": lambda x: x.view(),
    "view as it is": lambda x: x.view(float),
    "sum": lambda x: x.sum(),
    "sum along": lambda x: x.sum(0),
    "sum keepdims": lambda x: x.sum(axis=1, keepdims=True),
    "prod": lambda x: x.prod(1),
    "mean": lambda x: x.mean(axis=0),
    "var": lambda x: x.var(axis=1, ddof=1),
    "std": lambda x: x.std(),
    "max": lambda x: x.max(axis=0),
    "min": lambda x: x.min(),
    "argmax": lambda x: x.argmax(),
    "argmin": lambda x: x.argmin(axis=1),
    "all": lambda x: (x > -9).all(),
    "any": lambda x: (x > 9).any(axis=0),
    "cumsum": lambda x: x.cumsum(),
    "cumsum along": lambda x: x.cumsum(axis=1),
    "cumprod": lambda x: x.cumprod(axis=0),
    "clip": lambda x: x.clip(0.0, 2.0),
    "clip above": lambda x: x.clip(max=1.0),
    "conj": lambda x: (x + 1j * x).conj(),
    "nonzero": lambda x: (x > 1.5).nonzero()[1],
    "argsort": lambda x: x.argsort(axis=1),
    "astype": lambda x: x.astype(np.float32),
    "astype of Python's": lambda x: x.astype(int),
    "complex as pairs": lambda x: (x + 2j * x).view(float),
    "pairs as complex": lambda x: x.reshape(3, 2).view(complex),
}


@pytest.mark.parametrize("name", CALLS)
def test_like_numpy(name, device):
    found, expected = CALLS[name](ga.asarray(VALUES)), CALLS[name](VALUES)
    assert type(found) is ga.Array and found.shape == np.shape(expected) and found.dtype == expected.dtype
    np.testing.assert_allclose(found.to_device("cpu").numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in CALLS if name.split()[0] not in ("all", "any", "nonzero")])
def test_gradients_flow(name):
    x = ga.asarray(VALUES, requires_grad=True)
    result = CALLS[name](x)
    assert result.requires_grad == (result.dtype.kind in "fc")
    if result.requires_grad:
        ga.sum(ga.abs(result) ** 2).backward()
        assert x.grad.shape == x.shape and ga.count_nonzero(x.grad).item() > 0


def test_views_are_written_through(device):
    x = ga.asarray(VALUES)
    x.ravel()[0] = 50.0
    x.view()[1, 1] = 60.0
    assert x[0, 0].item() == 50.0 and x[1, 1].item() == 60.0
    x.copy()[0, 0] = 1.0
    assert x[0, 0].item() == 50.0


def test_bits_are_not_taken_for_other_numbers():
    with pytest.raises(ga.DTypeError, match="Fix: use astype"):
        ga.asarray(VALUES).view(np.int64)


def test_what_works_in_place_is_not_there():
    for name in ("sort", "fill", "resize", "put", "partition"):
        assert not hasattr(ga.asarray(VALUES), name)
