"""Fourier transforms: the standard's extension ``fft``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import _dtypes, _errors
from ._array import Array
from ._dispatch import as_array, run
from ._operations import composite, constant, derivative
from .ops import data_type, elementwise, manipulation
from .ops._arguments import axes_of, axis_of, default_dtype, device_of, dtype_of, integer
from .ops.creation import _create

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

#: The normalisation with which the opposite transform is the adjoint: neither scales, or both do.
_OPPOSITE = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


# --- arguments -------------------------------------------------------------------------------------------------------


def _checked_norm(op: Callable[..., Any], norm: Any) -> str:
    if not isinstance(norm, str) or norm not in _OPPOSITE:
        names = ", ".join(map(repr, _OPPOSITE))
        raise _errors.ArgumentValueError(f"{op.__name__}(): there is no norm {norm!r}\nFix: pass one of {names}")
    return norm


def _complex(op: Callable[..., Any], x: Any) -> Array:
    """`x` as a complex array; real ones keep their precision, integers become the default complex dtype."""
    array = as_array(op, x)
    dtype = array.dtype
    if dtype.kind == "c":
        return array
    if dtype not in _dtypes.DIFFERENTIABLE:
        dtype = default_dtype(array.device, "real floating")
    return data_type.astype(array, _dtypes.promote_scalar(dtype, complex))


def _real(op: Callable[..., Any], x: Any) -> Array:
    """`x` as a real floating-point array; integers become the default real dtype."""
    array = as_array(op, x)
    if array.dtype.kind == "c":
        fix = "take fft, or real(x) if the imaginary part is zero"
        raise _errors.DTypeError(_errors.message(op.__name__, "x must be real", [("x", array)], fix))
    if array.dtype not in _dtypes.DIFFERENTIABLE:
        return data_type.astype(array, default_dtype(array.device, "real floating"))
    return array


def _length(op: Callable[..., Any], x: Array, n: Any, default: int) -> int:
    length = default if n is None else integer(op, "n", n)
    if length < 1:
        problem = f"there is no transform of length {length}"
        raise _errors.ArgumentValueError(_errors.message(op.__name__, problem, [("x", x)], "pass n of 1 or more"))
    return length


def _lengths(
    op: Callable[..., Any], x: Array, s: Any, axes: Any, *, half: bool = False
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lengths and the axes of a transform; with `half`, `x` has half of a spectrum along the last of them."""
    if s is not None and axes is None:
        raise _errors.ArgumentValueError(
            _errors.message(op.__name__, "s is given without axes", [("x", x)], "pass the axes that s is for")
        )
    numbers = tuple(range(x.ndim)) if axes is None else axes_of(op, x, axes)
    given: Sequence[Any] = [None] * len(numbers) if s is None else s
    if len(given) != len(numbers):
        problem = f"s has {len(given)} lengths for {len(numbers)} axes"
        raise _errors.ArgumentValueError(_errors.message(op.__name__, problem, [("x", x)], "pass one for each axis"))
    lengths = []
    for position, (axis, wanted) in enumerate(zip(numbers, given, strict=True)):
        default = x.shape[axis]
        if half and position == len(numbers) - 1:
            default = 2 * (default - 1)
        if wanted is not None and integer(op, "s", wanted) == -1:
            wanted = None
        lengths.append(_length(op, x, wanted, default))
    return tuple(lengths), numbers


def _last_axis(op: Callable[..., Any], x: Array, axes: tuple[int, ...]) -> None:
    if not axes:
        raise _errors.AxisError(
            _errors.message(op.__name__, "at least one axis must be transformed", [("x", x)], "pass axes")
        )


# --- derivative rules ------------------------------------------------------------------------------------------------


def _resized(xp: Any, g: Any, like: Any) -> Any:
    """The transpose of padding with zeros, or cropping, to the length of a transform: `g` in the shape of `like`."""
    wanted = tuple(like.shape)
    if tuple(g.shape) == wanted:
        return g
    key = tuple([slice(0, min(have, want)) for have, want in zip(g.shape, wanted, strict=True)])
    g = xp.getitem(g, key=key)
    return g if tuple(g.shape) == wanted else xp.scatter(g, like=like, key=key)


def _weighted(xp: Any, half: Any, n: int, axis: int, weight: float) -> Any:
    """Half of a Hermitian spectrum of length `n`, with the bins that stand for two of them multiplied by `weight`.

    Bin 0, and the last one of an even length, are their own mirror images.
    """
    before = (slice(None),) * axis
    ends = (slice(0, 1), slice(1, (n + 1) // 2), slice((n + 1) // 2, n // 2 + 1))
    first, twice, last = [xp.getitem(half, key=(*before, end)) for end in ends]
    return xp.concat([first, weight * twice, last], axis=axis)


def _fft_x(xp: Any, g: Any, like: Any, *, n: int, axis: int, norm: str) -> Any:
    return _resized(xp, xp.fft.ifft(g, n=n, axis=axis, norm=_OPPOSITE[norm]), like)


def _ifft_x(xp: Any, g: Any, like: Any, *, n: int, axis: int, norm: str) -> Any:
    return _resized(xp, xp.fft.fft(g, n=n, axis=axis, norm=_OPPOSITE[norm]), like)


def _fftn_x(xp: Any, g: Any, like: Any, *, s: tuple[int, ...], axes: tuple[int, ...], norm: str) -> Any:
    return _resized(xp, xp.fft.ifftn(g, s=s, axes=axes, norm=_OPPOSITE[norm]), like)


def _ifftn_x(xp: Any, g: Any, like: Any, *, s: tuple[int, ...], axes: tuple[int, ...], norm: str) -> Any:
    return _resized(xp, xp.fft.fftn(g, s=s, axes=axes, norm=_OPPOSITE[norm]), like)


def _rfft_x(xp: Any, g: Any, like: Any, *, n: int, axis: int, norm: str) -> Any:
    # irfft counts the inner bins twice, where the adjoint of rfft counts each once.
    return _resized(xp, xp.fft.irfft(_weighted(xp, g, n, axis, 0.5), n=n, axis=axis, norm=_OPPOSITE[norm]), like)


def _irfft_x(xp: Any, g: Any, like: Any, *, n: int, axis: int, norm: str) -> Any:
    return _resized(xp, _weighted(xp, xp.fft.rfft(g, n=n, axis=axis, norm=_OPPOSITE[norm]), n, axis, 2.0), like)


# --- complex transforms ----------------------------------------------------------------------------------------------


@derivative(x=_fft_x, kind="linear")
def fft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Discrete Fourier transform along one axis.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    n : int, optional
        Length of the transform: `x` is cropped or padded with zeros to it. By default the length of the axis.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by nothing, by ``sqrt(n)``, or by ``n``.

    Returns
    -------
    Array
        Complex array of the shape of `x`, with length `n` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    ArgumentValueError
        If `n` is less than 1 or `norm` is another word.

    Notes
    -----
    Derivative: the inverse transform of the cotangent, with the opposite norm.

    Standard: Fourier transform extension, ``fft``.
    """
    x = _complex(fft, x)
    axis = axis_of(fft, x, axis)
    return run(fft, x, n=_length(fft, x, n, x.shape[axis]), axis=axis, norm=_checked_norm(fft, norm))


@derivative(x=_ifft_x, kind="linear")
def ifft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Inverse of the discrete Fourier transform along one axis.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    n : int, optional
        Length of the transform: `x` is cropped or padded with zeros to it. By default the length of the axis.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by ``n``, by ``sqrt(n)``, or by nothing.

    Returns
    -------
    Array
        Complex array of the shape of `x`, with length `n` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    ArgumentValueError
        If `n` is less than 1 or `norm` is another word.

    Notes
    -----
    Derivative: the transform of the cotangent, with the opposite norm.

    Standard: Fourier transform extension, ``ifft``.
    """
    x = _complex(ifft, x)
    axis = axis_of(ifft, x, axis)
    return run(ifft, x, n=_length(ifft, x, n, x.shape[axis]), axis=axis, norm=_checked_norm(ifft, norm))


@derivative(x=_fftn_x, kind="linear")
def fftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """Discrete Fourier transform along several axes.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    s : sequence of int, optional
        Length of the transform for each of `axes`, which must be given too; -1 for the length of the axis.
    axes : sequence of int, optional
        The axes, each once; all of them if it is not given.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by nothing, by the square root of the product of the lengths, or by that product.

    Returns
    -------
    Array
        Complex array of the shape of `x`, with the lengths `s` along the axes.

    Raises
    ------
    AxisError
        If `x` does not have an axis, or one is named twice.
    ArgumentValueError
        If `s` is given without `axes`, does not fit them or has a length less than 1, or `norm` is another word.

    Notes
    -----
    Derivative: the inverse transform of the cotangent, with the opposite norm.

    Standard: Fourier transform extension, ``fftn``.
    """
    x = _complex(fftn, x)
    lengths, numbers = _lengths(fftn, x, s, axes)
    norm = _checked_norm(fftn, norm)
    return run(fftn, x, s=lengths, axes=numbers, norm=norm) if numbers else _copy(x)


@derivative(x=_ifftn_x, kind="linear")
def ifftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """Inverse of the discrete Fourier transform along several axes.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    s : sequence of int, optional
        Length of the transform for each of `axes`, which must be given too; -1 for the length of the axis.
    axes : sequence of int, optional
        The axes, each once; all of them if it is not given.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by the product of the lengths, by its square root, or by nothing.

    Returns
    -------
    Array
        Complex array of the shape of `x`, with the lengths `s` along the axes.

    Raises
    ------
    AxisError
        If `x` does not have an axis, or one is named twice.
    ArgumentValueError
        If `s` is given without `axes`, does not fit them or has a length less than 1, or `norm` is another word.

    Notes
    -----
    Derivative: the transform of the cotangent, with the opposite norm.

    Standard: Fourier transform extension, ``ifftn``.
    """
    x = _complex(ifftn, x)
    lengths, numbers = _lengths(ifftn, x, s, axes)
    norm = _checked_norm(ifftn, norm)
    return run(ifftn, x, s=lengths, axes=numbers, norm=norm) if numbers else _copy(x)


def _copy(x: Array) -> Array:
    return data_type.astype(x, x.dtype, copy=True)


# --- transforms of real signals --------------------------------------------------------------------------------------


@derivative(x=_rfft_x, kind="linear")
def rfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Discrete Fourier transform of a real signal along one axis: the half that determines the rest.

    Parameters
    ----------
    x : Array
        Real array; integers become the default real dtype.
    n : int, optional
        Length of the transform: `x` is cropped or padded with zeros to it. By default the length of the axis.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by nothing, by ``sqrt(n)``, or by ``n``.

    Returns
    -------
    Array
        Complex array of the precision and shape of `x`, with length ``n // 2 + 1`` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    DTypeError
        If `x` is complex.
    ArgumentValueError
        If `n` is less than 1 or `norm` is another word.

    Notes
    -----
    Derivative: `irfft` of the cotangent with the opposite norm and half of its inner bins.

    Standard: Fourier transform extension, ``rfft``.
    """
    x = _real(rfft, x)
    axis = axis_of(rfft, x, axis)
    return run(rfft, x, n=_length(rfft, x, n, x.shape[axis]), axis=axis, norm=_checked_norm(rfft, norm))


@derivative(x=_irfft_x, kind="linear")
def irfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Real signal along one axis that has the given half of a spectrum: the inverse of `rfft`.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    n : int, optional
        Length of the signal; `x` is cropped or padded with zeros to ``n // 2 + 1``. By default, with ``M`` the length
        of the axis, ``2 * (M - 1)``: an odd length must be given.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by ``n``, by ``sqrt(n)``, or by nothing.

    Returns
    -------
    Array
        Real array of the precision and shape of `x`, with length `n` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    ArgumentValueError
        If the length is less than 1 or `norm` is another word.

    Notes
    -----
    The imaginary parts of bin 0, and of the last one if `n` is even, do not matter. Derivative: `rfft` of the cotangent
    with the opposite norm and twice its inner bins.

    Standard: Fourier transform extension, ``irfft``.
    """
    x = _complex(irfft, x)
    axis = axis_of(irfft, x, axis)
    length = _length(irfft, x, n, 2 * (x.shape[axis] - 1))
    return run(irfft, x, n=length, axis=axis, norm=_checked_norm(irfft, norm))


@composite
def rfftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """Discrete Fourier transform of a real signal along several axes: the half that determines the rest.

    Parameters
    ----------
    x : Array
        Real array; integers become the default real dtype.
    s : sequence of int, optional
        Length of the transform for each of `axes`, which must be given too; -1 for the length of the axis.
    axes : sequence of int, optional
        The axes, each once; all of them if it is not given. The last one is halved.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by nothing, by the square root of the product of the lengths, or by that product.

    Returns
    -------
    Array
        Complex array of the precision and shape of `x`, with the lengths `s` along the axes, ``s[-1] // 2 + 1`` along
        the last of them.

    Raises
    ------
    AxisError
        If `x` does not have an axis, one is named twice, or there is none.
    DTypeError
        If `x` is complex.
    ArgumentValueError
        If `s` is given without `axes`, does not fit them or has a length less than 1, or `norm` is another word.

    Notes
    -----
    Standard: Fourier transform extension, ``rfftn``.
    """
    x = _real(rfftn, x)
    lengths, numbers = _lengths(rfftn, x, s, axes)
    _last_axis(rfftn, x, numbers)
    half = rfft(x, n=lengths[-1], axis=numbers[-1], norm=_checked_norm(rfftn, norm))
    return fftn(half, s=lengths[:-1], axes=numbers[:-1], norm=norm) if numbers[1:] else half


@composite
def irfftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """Real signal along several axes that has the given half of a spectrum: the inverse of `rfftn`.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    s : sequence of int, optional
        Length of the signal for each of `axes`, which must be given too. By default, and for -1, the length of the
        axis, and ``2 * (M - 1)`` for the last one of length ``M``.
    axes : sequence of int, optional
        The axes, each once; all of them if it is not given. The last one is the halved one.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by the product of the lengths, by its square root, or by nothing.

    Returns
    -------
    Array
        Real array of the precision and shape of `x`, with the lengths `s` along the axes.

    Raises
    ------
    AxisError
        If `x` does not have an axis, one is named twice, or there is none.
    ArgumentValueError
        If `s` is given without `axes`, does not fit them or has a length less than 1, or `norm` is another word.

    Notes
    -----
    Standard: Fourier transform extension, ``irfftn``.
    """
    x = _complex(irfftn, x)
    lengths, numbers = _lengths(irfftn, x, s, axes, half=True)
    _last_axis(irfftn, x, numbers)
    _checked_norm(irfftn, norm)
    if numbers[1:]:
        x = ifftn(x, s=lengths[:-1], axes=numbers[:-1], norm=norm)
    return irfft(x, n=lengths[-1], axis=numbers[-1], norm=norm)


@composite
def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Discrete Fourier transform along one axis of a Hermitian signal of which half is given.

    Parameters
    ----------
    x : Array
        Complex array; a real one is taken as complex of its precision.
    n : int, optional
        Length of the transform; `x` is cropped or padded with zeros to ``n // 2 + 1``. By default, with ``M`` the
        length of the axis, ``2 * (M - 1)``: an odd length must be given.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by nothing, by ``sqrt(n)``, or by ``n``.

    Returns
    -------
    Array
        Real array of the precision and shape of `x`, with length `n` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    ArgumentValueError
        If the length is less than 1 or `norm` is another word.

    Notes
    -----
    Standard: Fourier transform extension, ``hfft``.
    """
    opposite = _OPPOSITE[_checked_norm(hfft, norm)]
    x = _complex(hfft, x)
    axis = axis_of(hfft, x, axis)
    length = _length(hfft, x, n, 2 * (x.shape[axis] - 1))
    return irfft(elementwise.conj(x), n=length, axis=axis, norm=opposite)


@composite
def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Half of the Hermitian signal along one axis whose transform is real: the inverse of `hfft`.

    Parameters
    ----------
    x : Array
        Real array; integers become the default real dtype.
    n : int, optional
        Length of the transform: `x` is cropped or padded with zeros to it. By default the length of the axis.
    axis : int, default: -1
        The axis.
    norm : {"backward", "ortho", "forward"}, default: "backward"
        Divide by ``n``, by ``sqrt(n)``, or by nothing.

    Returns
    -------
    Array
        Complex array of the precision and shape of `x`, with length ``n // 2 + 1`` along the axis.

    Raises
    ------
    AxisError
        If `x` does not have the axis.
    DTypeError
        If `x` is complex.
    ArgumentValueError
        If `n` is less than 1 or `norm` is another word.

    Notes
    -----
    Standard: Fourier transform extension, ``ihfft``.
    """
    opposite = _OPPOSITE[_checked_norm(ihfft, norm)]
    x = _real(ihfft, x)
    axis = axis_of(ihfft, x, axis)
    return elementwise.conj(rfft(x, n=_length(ihfft, x, n, x.shape[axis]), axis=axis, norm=opposite))


# --- frequencies and their order -------------------------------------------------------------------------------------


@constant
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the bins of a transform, in its order: from 0 up, then the negative ones.

    Parameters
    ----------
    n : int
        Length of the transform.
    d : float, default: 1.0
        Distance of neighbouring samples.
    dtype : dtype, optional
        Real floating-point data type; the default one if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.

    Returns
    -------
    Array
        Array of shape ``(n,)``.

    Raises
    ------
    ArgumentValueError
        If `n` is less than 1 or `d` is 0.
    DTypeError
        If `dtype` is not real floating-point.

    Notes
    -----
    Standard: Fourier transform extension, ``fftfreq``.
    """
    return _frequencies(fftfreq, n, d, dtype, device)


@constant
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the bins of the transform of a real signal, none of them negative.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, default: 1.0
        Distance of neighbouring samples.
    dtype : dtype, optional
        Real floating-point data type; the default one if it is not given.
    device : Device or str, optional
        Device; the default device if it is not given.

    Returns
    -------
    Array
        Array of shape ``(n // 2 + 1,)``.

    Raises
    ------
    ArgumentValueError
        If `n` is less than 1 or `d` is 0.
    DTypeError
        If `dtype` is not real floating-point.

    Notes
    -----
    Standard: Fourier transform extension, ``rfftfreq``.
    """
    return _frequencies(rfftfreq, n, d, dtype, device)


def _frequencies(op: Callable[..., Array], n: Any, d: Any, dtype: Any, device: Any) -> Array:
    number = integer(op, "n", n)
    distance = float(d)
    if number < 1 or not distance:
        problem = f"there are no frequencies for n={number} and d={distance}"
        raise _errors.ArgumentValueError(f"{op.__name__}(): {problem}\nFix: pass n of 1 or more and d other than 0")
    where = device_of(device)
    wanted = dtype_of(op, dtype) or default_dtype(where, "real floating")
    if wanted not in _dtypes.KINDS["real floating"]:
        raise _errors.DTypeError(f"{op.__name__}(): frequencies cannot be {wanted}\nFix: use a real floating dtype")
    return _create(op, where, False, number, d=distance, dtype=wanted)


@composite
def fftshift(x: Array, /, *, axes: Any = None) -> Array:
    """Spectrum with frequency 0 moved to the centre of each axis.

    Parameters
    ----------
    x : Array
        Array of any dtype.
    axes : int or sequence of int, optional
        The axes, each once; all of them if it is not given.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`.

    Raises
    ------
    AxisError
        If `x` does not have an axis, or one is named twice.

    Notes
    -----
    Standard: Fourier transform extension, ``fftshift``.
    """
    x = as_array(fftshift, x)
    numbers = tuple(range(x.ndim)) if axes is None else axes_of(fftshift, x, axes)
    return _rolled(x, tuple([x.shape[axis] // 2 for axis in numbers]), numbers)


@composite
def ifftshift(x: Array, /, *, axes: Any = None) -> Array:
    """Inverse of `fftshift`: frequency 0 moved from the centre of each axis to its start.

    Parameters
    ----------
    x : Array
        Array of any dtype.
    axes : int or sequence of int, optional
        The axes, each once; all of them if it is not given.

    Returns
    -------
    Array
        Array of the shape and dtype of `x`.

    Raises
    ------
    AxisError
        If `x` does not have an axis, or one is named twice.

    Notes
    -----
    Standard: Fourier transform extension, ``ifftshift``.
    """
    x = as_array(ifftshift, x)
    numbers = tuple(range(x.ndim)) if axes is None else axes_of(ifftshift, x, axes)
    return _rolled(x, tuple([-(x.shape[axis] // 2) for axis in numbers]), numbers)


def _rolled(x: Array, shift: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    return manipulation.roll(x, shift, axis=axes) if axes else _copy(x)
