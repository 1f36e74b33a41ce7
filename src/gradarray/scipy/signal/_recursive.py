"""Recursive filters: what goes out comes in again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _errors
from ..._array import Array
from ..._backend import Backend
from ..._dispatch import check_devices, run
from ..._kernels import scipy_function
from ..._operations import composite, derivative
from ...linalg.systems import solve
from ...ops import _rules
from ...ops._arguments import axis_of
from ...ops.conversion import asarray
from ...ops.creation import eye, zeros
from ...ops.data_type import astype, result_type
from ...ops.manipulation import concat, flip, moveaxis, stack
from .._filters import operand
from .._kernels import Kernel, kernel, on_host


def _shift_products(xp: Any, g: Any, out: Any, count: int) -> Any:
    """For each delay the sum of a signal times the other delayed, over everything."""
    length = out.shape[-1]
    sums = []
    for delay in range(1, count + 1):
        if delay < length:
            sums.append(xp.sum(g[..., delay:] * _rules.conj(out[..., : length - delay])))
        else:
            sums.append(xp.sum(g) * 0)
    return xp.stack(sums)


def _back(xp: Any, g: Any, a: Any) -> Any:
    """The transpose of the recursion: the same in reverse."""
    return xp.flip(xp.scipy.signal.recursion(_rules.conj(a), xp.flip(g, axis=-1)), axis=-1)


@derivative(
    a=lambda xp, g, a, out: -_shift_products(xp, _back(xp, g, a), out, a.shape[0]),
    x=lambda xp, g, a: _back(xp, g, a),
)
def recursion(a: Array, x: Array, /) -> Array:
    """The solution of ``y[n] = x[n] - a[0] y[n - 1] - a[1] y[n - 2] - ...`` along the last axis."""
    return run(recursion, a, x)


@kernel("signal.recursion")
def _recursion(backend: Backend) -> Kernel:
    lfilter = scipy_function("signal.lfilter")

    def solved(a: Any, x: Any) -> Any:
        dtype = np.result_type(a, x)
        one = np.ones(1, a.dtype)
        return lfilter(one, np.concatenate([one, a]), x, axis=-1).astype(dtype)

    return on_host(backend, solved)


def _coefficients(op: Any, b: Any, a: Any, x: Any) -> tuple[Array, Array, Array]:
    check_devices(op.__name__, [("b", b), ("a", a), ("x", x)])
    device = next((part.device for part in (x, b, a) if isinstance(part, Array)), None)
    arrays = [operand(op, asarray(part, device=device)) for part in (b, a, x)]
    dtype = result_type(*[part for part, given in zip(arrays, (b, a, x), strict=True) if isinstance(given, Array)])
    kinds = result_type(*arrays)
    common = kinds if kinds.kind == "c" else dtype
    b, a, x = (astype(part, common, copy=False) for part in arrays)
    for name, part in (("b", b), ("a", a)):
        if part.ndim != 1 or not part.size:
            raise _errors.ShapeError(_errors.message(op.__name__, f"{name} must be 1-D", [(name, part)], "reshape it"))
    return b, a, x


def _delayed(x: Array, delay: int) -> Array:
    """`x` moved along the last axis by a number of elements, zeros before it."""
    if not delay:
        return x
    length = x.shape[-1]
    before = zeros((*x.shape[:-1], min(delay, length)), dtype=x.dtype, device=x.device)
    return concat([before, x[..., : max(length - delay, 0)]], axis=-1)


def _filtered(b: Array, a: Array, x: Array, initial: Array | None) -> tuple[Array, Array]:
    """The result along the last axis, and the state at the end; the state comes before, or is 0."""
    b, a = b / a[0], a / a[0]
    order = max(b.size, a.size) - 1
    length = x.shape[-1]
    total = b[0] * x
    for delay in range(1, b.size):
        total = total + b[delay] * _delayed(x, delay)
    if initial is not None and order:
        state = initial[..., : min(order, length)]
        rest = zeros((*x.shape[:-1], length - state.shape[-1]), dtype=x.dtype, device=x.device)
        total = total + concat([state, rest], axis=-1)
    y = recursion(a[1:], total) if a.size > 1 else total
    ends = []
    for number in range(order):
        end = 0 * x[..., 0] if length else 0 * zeros(x.shape[:-1], dtype=x.dtype, device=x.device)
        for delay in range(number + 1, order + 1):
            at = length - (delay - number)
            if at < 0:
                continue
            if delay < b.size:
                end = end + b[delay] * x[..., at]
            if delay < a.size:
                end = end - a[delay] * y[..., at]
        if initial is not None and number + length < order:
            end = end + initial[..., number + length]
        ends.append(end)
    final = stack(ends, axis=-1) if ends else zeros((*x.shape[:-1], 0), dtype=x.dtype, device=x.device)
    return y, final


@composite
def lfilter(b: Array, a: Array, x: Array, axis: int = -1, zi: Array | None = None) -> Any:
    """Signal after a digital filter of numerator `b` and denominator `a`.

    Parameters
    ----------
    b, a : Array
        Coefficients, 1-D; the first of `a` is not 0.
    x : Array
        Floating-point numbers; integers count as float64.
    axis : int, default: -1
        The axis of time.
    zi : Array, optional
        The state before: of the shape of `x` with ``max(len(a), len(b)) - 1`` along the axis.

    Returns
    -------
    Array, or tuple of two
        The result, of the shape of `x`; with `zi` also the state at the end.

    Raises
    ------
    DeviceMismatchError
        If the arrays are not on one device.
    ShapeError
        If `b` or `a` is not 1-D, or `zi` has another shape.

    Notes
    -----
    As ``scipy.signal.lfilter``. Differentiable in the signal, the coefficients and the state.
    """
    b, a, x = _coefficients(lfilter, b, a, x)
    axis = axis_of(lfilter, x, axis)
    moved = moveaxis(x, axis, -1)
    state = None
    if zi is not None:
        check_devices("lfilter", [("x", x), ("zi", zi)])
        state = moveaxis(astype(operand(lfilter, asarray(zi, device=x.device)), x.dtype, copy=False), axis, -1)
        expected = (*moved.shape[:-1], max(a.size, b.size) - 1)
        if state.shape != expected:
            raise _errors.ShapeError(
                _errors.message("lfilter", f"zi must have the shape {expected} along the axis", [("x", x), ("zi", zi)])
            )
    y, final = _filtered(b, a, moved, state)
    result = moveaxis(y, -1, axis)
    return result if zi is None else (result, moveaxis(final, -1, axis))


@composite
def lfilter_zi(b: Array, a: Array) -> Array:
    """State in which a filter answers a constant input of 1 with a constant at once.

    Parameters
    ----------
    b, a : Array
        Coefficients, as for `lfilter`.

    Returns
    -------
    Array
        Of the shape ``(max(len(a), len(b)) - 1,)``.

    Notes
    -----
    As ``scipy.signal.lfilter_zi``.
    """
    b, a, _ = _coefficients(lfilter_zi, b, a, a if isinstance(a, Array) else b)
    b, a = b / a[0], a / a[0]
    order = max(a.size, b.size) - 1
    if not order:
        return b[:0]

    def lengthened(part: Array) -> Array:
        return concat([part, zeros(order + 1 - part.size, dtype=part.dtype, device=part.device)])

    b, a = lengthened(b), lengthened(a)
    # One step of the state: what is left of it, less what is fed back.
    ahead = eye(order, k=1, dtype=a.dtype, device=a.device)
    first = eye(1, order, dtype=a.dtype, device=a.device)
    step = ahead - a[1:, None] * first
    return solve(eye(order, dtype=a.dtype, device=a.device) - step, b[1:] - a[1:] * b[0])


@composite
def sosfilt(sos: Array, x: Array, axis: int = -1, zi: Array | None = None) -> Any:
    """Signal after a chain of filters of second order.

    Parameters
    ----------
    sos : Array
        Coefficients, of the shape ``(n, 6)``.
    x : Array
        Floating-point numbers; integers count as float64.
    axis : int, default: -1
        The axis of time.
    zi : Array, optional
        The states before, of the shape ``(n, ..., 2, ...)``.

    Returns
    -------
    Array, or tuple of two
        The result, of the shape of `x`; with `zi` also the states at the end.

    Raises
    ------
    ShapeError
        If `sos` has another shape.

    Notes
    -----
    As ``scipy.signal.sosfilt``. Differentiable in the signal, the coefficients and the states.
    """
    check_devices("sosfilt", [("sos", sos), ("x", x), ("zi", zi)])
    device = next((part.device for part in (x, sos) if isinstance(part, Array)), None)
    x, sections = operand(sosfilt, asarray(x, device=device)), operand(sosfilt, asarray(sos, device=device))
    if sections.ndim != 2 or sections.shape[1] != 6:
        raise _errors.ShapeError(_errors.message("sosfilt", "sos must have the shape (n, 6)", [("sos", sections)]))
    states = []
    for number in range(sections.shape[0]):
        b, a = sections[number, :3], sections[number, 3:]
        if zi is None:
            x = lfilter(b, a, x, axis)
        else:
            x, final = lfilter(b, a, x, axis, zi[number, ...])
            states.append(final)
    return x if zi is None else (x, stack(states))


@composite
def sosfilt_zi(sos: Array) -> Array:
    """States in which a chain of filters answers a constant input of 1 with a constant at once.

    Parameters
    ----------
    sos : Array
        Coefficients, of the shape ``(n, 6)``.

    Returns
    -------
    Array
        Of the shape ``(n, 2)``.

    Notes
    -----
    As ``scipy.signal.sosfilt_zi``.
    """
    sections = operand(sosfilt_zi, asarray(sos))
    states: list[Array] = []
    scale: Any = 1.0
    for number in range(sections.shape[0]):
        b, a = sections[number, :3], sections[number, 3:]
        states.append(scale * lfilter_zi(b, a))
        scale = scale * b.sum() / a.sum()
    return stack(states)


def _ends(op: str, x: Array, padtype: Any, padlen: int) -> Array:
    """The signal with ends beyond its own, along the last axis."""
    if padtype is None or not padlen:
        return x
    if padtype not in ("odd", "even", "constant"):
        raise _errors.ArgumentValueError(
            f"{op}(): there is no padtype {padtype!r}\nFix: use 'odd', 'even' or 'constant'"
        )
    length = x.shape[-1]
    if length <= padlen:
        raise _errors.ShapeError(
            _errors.message(op, f"the signal must be longer than padlen, {padlen}", [("x", x)], "give a smaller padlen")
        )
    first, last = x[..., :1], x[..., length - 1 :]
    before, after = flip(x[..., 1 : padlen + 1], axis=-1), flip(x[..., length - 1 - padlen : length - 1], axis=-1)
    if padtype == "odd":
        before, after = 2 * first - before, 2 * last - after
    elif padtype == "constant":
        before, after = first + 0 * before, last + 0 * after
    return concat([before, x, after], axis=-1)


@composite
def filtfilt(
    b: Array,
    a: Array,
    x: Array,
    axis: int = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: None = None,
) -> Array:
    """Signal after a digital filter forward and backward, without a shift in time.

    Parameters
    ----------
    b, a, x, axis
        As for `lfilter`.
    padtype : {"odd", "even", "constant"}, optional
        How the signal goes on beyond its ends.
    padlen : int, optional
        How far; by default three times the number of coefficients.
    method : {"pad"}
        SciPy's method ``"gust"`` is not there.

    Returns
    -------
    Array
        Of the shape of `x`.

    Raises
    ------
    ArgumentValueError
        If there is no such padtype or method.
    ShapeError
        If the signal is not longer than `padlen`.

    Notes
    -----
    As ``scipy.signal.filtfilt``. Differentiable in the signal and the coefficients.
    """
    if method != "pad" or irlen is not None:
        raise _errors.ArgumentValueError(f"filtfilt(): there is no method {method!r} here\nFix: use 'pad'")
    b, a, x = _coefficients(filtfilt, b, a, x)
    axis = axis_of(filtfilt, x, axis)
    state = lfilter_zi(b, a)
    extent = 3 * max(a.size, b.size) if padlen is None else int(padlen)
    return _both_ways(
        "filtfilt", moveaxis(x, axis, -1), axis, padtype, extent, lambda y: lfilter(b, a, y, -1, state * y[..., :1])[0]
    )


@composite
def sosfiltfilt(sos: Array, x: Array, axis: int = -1, padtype: str | None = "odd", padlen: int | None = None) -> Array:
    """Signal after a chain of filters of second order forward and backward, without a shift in time.

    Parameters
    ----------
    sos, x, axis
        As for `sosfilt`.
    padtype, padlen
        As for `filtfilt`.

    Returns
    -------
    Array
        Of the shape of `x`.

    Notes
    -----
    As ``scipy.signal.sosfiltfilt``.
    """
    check_devices("sosfiltfilt", [("sos", sos), ("x", x)])
    x = operand(sosfiltfilt, asarray(x))
    sections = operand(sosfiltfilt, asarray(sos, device=x.device))
    axis = axis_of(sosfiltfilt, x, axis)
    states = sosfilt_zi(sections)
    host = sections.detach()._host()
    taps = 2 * sections.shape[0] + 1 - min(int((host[:, 2] == 0).sum()), int((host[:, 5] == 0).sum()))
    extent = 3 * taps if padlen is None else int(padlen)

    def there(y: Array) -> Array:
        shape = (sections.shape[0], *(1,) * (y.ndim - 1), 2)
        found: Array = sosfilt(sections, y, -1, states.reshape(shape) * y[None, ..., :1])[0]
        return found

    return _both_ways("sosfiltfilt", moveaxis(x, axis, -1), axis, padtype, extent, there)


def _both_ways(op: str, x: Array, axis: int, padtype: Any, padlen: int, there: Any) -> Array:
    padlen = 0 if padtype is None else padlen
    y = flip(there(flip(there(_ends(op, x, padtype, padlen)), axis=-1)), axis=-1)
    return moveaxis(y[..., padlen : y.shape[-1] - padlen], -1, axis)
