"""Operators of arrays: forward, reflected and in place; indexing and assignment. NumPy is the reference."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from ._arrays import agree, array, ga, host, plain
from ._cases import covers, quick, unchanged
from ._draw import SPECIAL, Draw, Shape, Values, call

BINARY: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "add": (operator.add, "numeric"),
    "sub": (operator.sub, "numeric"),
    "mul": (operator.mul, "numeric"),
    "truediv": (operator.truediv, "floating"),
    "floordiv": (operator.floordiv, "real"),
    "mod": (operator.mod, "real"),
    "pow": (operator.pow, "floating"),
    "matmul": (operator.matmul, "numeric"),
    "and": (operator.and_, "bool+integral"),
    "or": (operator.or_, "bool+integral"),
    "xor": (operator.xor, "bool+integral"),
    "lshift": (operator.lshift, "integral"),
    "rshift": (operator.rshift, "integral"),
}
COMPARISONS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "eq": (operator.eq, "all"),
    "ne": (operator.ne, "all"),
    "lt": (operator.lt, "real"),
    "le": (operator.le, "real"),
    "gt": (operator.gt, "real"),
    "ge": (operator.ge, "real"),
}
UNARY: dict[str, tuple[Callable[[Any], Any], str]] = {
    "abs": (operator.abs, "numeric"),
    "neg": (operator.neg, "numeric"),
    "pos": (operator.pos, "numeric"),
    "invert": (operator.invert, "bool+integral"),
}
#: The operators in place as functions: ``operator.iadd`` and its like.
IN_PLACE = {name: getattr(operator, f"i{name}") for name in BINARY}
LOWEST = {"floordiv": 1.0, "mod": 1.0, "truediv": 0.5, "pow": 0.25, "lshift": 0, "rshift": 0}
HIGHEST = {"pow": 3.0}


def _operands(d: Draw, name: str, kind: str) -> tuple[Any, Any]:
    if name == "matmul":
        first, second = d.promotable(kind)
        k, m, n = d.side(), d.side(), d.side()
        return d.values(first, (m, k)), d.values(second, (k, n))
    return d.pair(kind, low=LOWEST.get(name, -5), high=HIGHEST.get(name, 5), scalars=False)


def _agree(found: Any, expected: Any) -> None:
    agree(found, np.asarray(expected), tolerance=64, scale=32)


def _silently(function: Callable[..., Any], *args: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=covers(f"array.__{name}__")) for name in (*BINARY, *COMPARISONS)]
)
@quick
@given(data=st.data())
def test_forward(name: str, device: str, data: Any) -> None:
    d = Draw(data.draw)
    function, kind = {**BINARY, **COMPARISONS}[name]
    x1, x2 = _operands(d, name, kind)
    if name != "matmul" and d.flag():
        x2 = d.scalar(x1.dtype, low=max(LOWEST.get(name, 0), 0), high=3)
    note(f"{name}{call(x1, x2)}")
    first = array(x1, device)
    second = array(x2, device) if isinstance(x2, np.ndarray) else x2
    expected = _silently(function, x1, x2)
    for found in (_silently(function, first, second), _silently(getattr(first, f"__{name}__"), second)):
        _agree(plain(found, ga.get_device(device)), expected)
    unchanged((first,), (x1,))


@pytest.mark.parametrize("name", [pytest.param(name, marks=covers(f"array.__r{name}__")) for name in BINARY])
@quick
@given(data=st.data())
def test_reflected(name: str, device: str, data: Any) -> None:
    d = Draw(data.draw)
    function, kind = BINARY[name]
    x1, x2 = _operands(d, name, kind)
    note(f"{name}{call(x1, x2)}")
    second = array(x2, device)
    found = _silently(getattr(second, f"__r{name}__"), array(x1, device))
    _agree(plain(found, ga.get_device(device)), _silently(function, x1, x2))
    if name == "matmul":
        with pytest.raises(TypeError):
            function(2, second)
        return
    scalar = d.scalar(x2.dtype, low=max(LOWEST.get(name, 0), 0), high=3)
    expected = _silently(function, scalar, x2)
    _agree(plain(_silently(function, scalar, second), ga.get_device(device)), expected)
    _agree(plain(_silently(getattr(second, f"__r{name}__"), scalar), ga.get_device(device)), expected)
    unchanged((second,), (x2,))


@pytest.mark.parametrize("name", [pytest.param(name, marks=covers(f"array.__i{name}__")) for name in BINARY])
@quick
@given(data=st.data())
def test_in_place(name: str, device: str, data: Any) -> None:
    d = Draw(data.draw)
    function, kind = BINARY[name]
    low, high = LOWEST.get(name, -5), HIGHEST.get(name, 5)
    if name == "matmul":
        dtype, m, k = d.dtype(kind), d.side(), d.side()
        x1, x2 = d.values(dtype, (m, k)), d.values(dtype, (k, k))
    else:
        dtype, shape = d.dtype(kind), d.shape()
        x1 = d.values(dtype, shape, low=low, high=high)
        x2 = d.values(dtype, d.stretchable(shape), low=low, high=high)
        if d.rarely():
            x2 = d.scalar(dtype, low=max(low, 0), high=3)
    note(f"{name}{call(x1, x2)}")
    x = array(x1, device)
    alias = x
    second = array(x2, device) if isinstance(x2, np.ndarray) else x2
    result = _silently(IN_PLACE[name], x, second)
    assert result is alias, "an operator in place answers with the array itself"
    _agree(plain(alias, ga.get_device(device)), _silently(function, x1, x2))
    unchanged((second,), (x2,))


@pytest.mark.parametrize("name", [pytest.param(name, marks=covers(f"array.__{name}__")) for name in UNARY])
@quick
@given(data=st.data())
def test_unary(name: str, device: str, data: Any) -> None:
    d = Draw(data.draw)
    function, kind = UNARY[name]
    x = d.array(kind, special=SPECIAL)
    _agree(plain(_silently(function, array(x, device)), ga.get_device(device)), _silently(function, x))


@pytest.mark.parametrize("name", list(BINARY))
def test_in_place_refuses_to_change_the_shape(name: str, device: str) -> None:
    x = array(np.ones((1, 2), "int64" if name in ("and", "or", "xor", "lshift", "rshift") else "float64"), device)
    other = array(np.ones((2, 3) if name == "matmul" else (3, 2), host(x).dtype), device)
    with pytest.raises(ValueError):
        IN_PLACE[name](x, other)
    assert x.shape == (1, 2)
    assert np.all(host(x) == 1)


def test_foreign_operands_are_refused(device: str) -> None:
    x = array(np.ones(2), device)
    for other in ("2", None, object(), [1.0, 2.0], {}):
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
            with pytest.raises(TypeError):
                BINARY[name][0](x, other)
            if isinstance(other, str) and name == "mod":
                continue  # Python formats the text before it asks the array.
            with pytest.raises(TypeError):
                BINARY[name][0](other, x)


# --- indexing --------------------------------------------------------------------------------------------------------


def _slice(d: Draw, length: int) -> slice:
    step = d.pick(None, 1, 2, -1, -2)
    if step is not None and step < 0:
        start, stop = d.integer(-length, length - 1) if length else None, d.integer(-length - 1, length - 1)
        if not length:
            return slice(None, None, step)
    else:
        start, stop = d.integer(-length, length), d.integer(-length, length)
    return slice(d.pick(None, start), d.pick(None, stop), step)


def _basic(d: Draw, shape: Shape, *, new_axes: bool = True) -> Any:
    parts: list[Any] = [
        d.integer(-length, length - 1) if length and d.flag() else _slice(d, length) for length in shape
    ]
    if d.flag():
        place, width = d.integer(0, len(parts)), d.integer(0, 2)
        parts[place : place + width] = [Ellipsis]
    for _ in range(d.pick(0, 0, 1, 2) if new_axes else 0):
        parts.insert(d.integer(0, len(parts)), None)
    if len(parts) == 1 and d.flag():
        return parts[0]
    return tuple(parts)


def _key(d: Draw, shape: Shape, *, new_axes: bool = True) -> tuple[Any, bool]:
    """A key that the standard describes, with NumPy arrays in it; and whether it has an array."""
    kind = d.integer(0, 3)
    if kind == 0:
        return d.values("bool", shape[: d.integer(0, len(shape))]), True
    if kind == 1 and shape and all(shape):
        count = (d.side(),)
        parts: list[Any] = [
            d.values(d.pick("int64", "int32"), count, low=-length, high=length - 1)
            if d.flag()
            else d.integer(-length, length - 1)
            for length in shape
        ]
        if any(isinstance(part, np.ndarray) for part in parts):
            return tuple(parts), True
    return _basic(d, shape, new_axes=new_axes), False


def _of_gradarray(key: Any, device: str) -> Any:
    if isinstance(key, tuple):
        return tuple([_of_gradarray(part, device) for part in key])
    return array(key, device) if isinstance(key, np.ndarray) else key


@covers("array.__getitem__")
@quick
@given(data=st.data())
def test_getitem(device: str, data: Any) -> None:
    d = Draw(data.draw)
    x = d.array("all")
    key, _ = _key(d, x.shape)
    note(f"{call(x)}[{key!r}]")
    own = array(x, device)
    _agree(plain(own[_of_gradarray(key, device)], ga.get_device(device)), x[key])
    unchanged((own,), (x,))


def _value(d: Draw, x: Values, key: Any) -> Any:
    """A value that fits into ``x[key]``: an array of a dtype that promotes to x's, or a Python number."""
    if d.rarely():
        return d.scalar(x.dtype)
    if isinstance(key, np.ndarray) and key.dtype == bool:
        return d.values(x.dtype, ())
    dtype = d.pick(*[other for other in (np.dtype("int8"), np.dtype("float32"), x.dtype) if _promotes(other, x.dtype)])
    return d.values(dtype, d.stretchable(np.shape(x[key])))


def _promotes(source: Any, target: Any) -> bool:
    return bool(source == target or (source.kind == target.kind and np.can_cast(source, target)))


@covers("array.__setitem__")
@quick
@given(data=st.data())
def test_setitem(device: str, data: Any) -> None:
    d = Draw(data.draw)
    x = d.array("all")
    key, advanced = _key(d, x.shape, new_axes=False)  # the standard does not have them in assignments
    if advanced and isinstance(key, tuple):
        # The order of writes to one element is nobody's promise.
        key = tuple([part if isinstance(part, int) else part[:1] for part in key])
    value = _value(d, x, key)
    note(f"{call(x)}[{key!r}] = {call(value)}")
    own = array(x, device)
    own[_of_gradarray(key, device)] = array(value, device) if isinstance(value, np.ndarray) else value
    expected = x.copy()
    expected[key] = value
    _agree(plain(own, ga.get_device(device)), expected)


def test_views_see_writes(device: str) -> None:
    x = array(np.zeros((2, 3)), device)
    view = x[1, :]
    view[0] = 5.0
    x[1, 1] = 7.0
    assert host(x).tolist() == [[0, 0, 0], [5, 7, 0]]
    assert host(view).tolist() == [5, 7, 0]


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (2, IndexError),
        ((0, 0, 0), IndexError),
        ((Ellipsis, Ellipsis), IndexError),
        ("a", (IndexError, TypeError)),
        (1.5, (IndexError, TypeError)),
    ],
    ids=str,
)
def test_bad_keys_are_refused(key: Any, error: Any, device: str) -> None:
    x = array(np.zeros((2, 3)), device)
    with pytest.raises(error):
        x[key]
    with pytest.raises(error):
        x[key] = 1.0
    assert np.all(host(x) == 0)
