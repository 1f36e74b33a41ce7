"""Methods that NumPy's arrays have and the standard's have not: libraries call them on any array they are given.

Each is one line that names the function it stands for, with NumPy's parameters in NumPy's order. What NumPy's method
does in place (`sort`, `fill`, `resize`) is not here.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dtypes, _errors

if TYPE_CHECKING:
    from ._array import Array


def _functions() -> Any:
    return sys.modules["gradarray"]  # it is complete when an array is there to call a method of


def _extras() -> Any:
    return sys.modules["gradarray.ops._extras"]


class Methods:
    """NumPy's methods, over the namespace's functions."""

    __slots__ = ()

    # --- parts of complex numbers ------------------------------------------------------------------------------------

    @property
    def real(self: Any) -> Array:
        """Real part: a view of a complex array, a real one itself. Differentiable, and written through."""
        return self if self.dtype.kind != "c" else _extras().real_part(self)  # type: ignore[no-any-return]

    @real.setter
    def real(self: Any, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self: Any) -> Array:
        """Imaginary part: a view of a complex array, zeros of a real one. Differentiable, and written through."""
        return _functions().imag(self) if self.dtype.kind != "c" else _extras().imag_part(self)  # type: ignore[no-any-return]

    @imag.setter
    def imag(self: Any, value: Any) -> None:
        if self.dtype.kind != "c":
            raise _errors.DTypeError(
                _errors.message("imag", "a real array has no imaginary part to write", [("x", self)], "astype it first")
            )
        self.imag[...] = value

    # --- shapes ------------------------------------------------------------------------------------------------------

    def reshape(self: Any, *shape: Any, copy: bool | None = None) -> Array:
        """Array of another shape with the same elements; see `reshape`."""
        lengths = shape[0] if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)) else shape
        if _is_number(lengths):
            lengths = (lengths,)
        return _functions().reshape(self, lengths, copy=copy)  # type: ignore[no-any-return]

    def ravel(self: Any) -> Array:
        """Array of one axis; a view where that is possible."""
        return _functions().reshape(self, (-1,))  # type: ignore[no-any-return]

    def flatten(self: Any) -> Array:
        """Array of one axis, a copy."""
        return _functions().reshape(self, (-1,), copy=True)  # type: ignore[no-any-return]

    def transpose(self: Any, *axes: Any) -> Array:
        """Array with its axes in another order, by default in reverse; see `transpose`."""
        order = axes[0] if len(axes) == 1 and (axes[0] is None or not isinstance(axes[0], (int, np.integer))) else axes
        return _functions().transpose(self, order or None)  # type: ignore[no-any-return]

    def swapaxes(self: Any, axis1: int, axis2: int) -> Array:
        """Array with two axes in each other's place, a view."""
        order = list(range(self.ndim))
        order[axis1], order[axis2] = order[axis2], order[axis1]
        return _functions().permute_dims(self, tuple(order))  # type: ignore[no-any-return]

    def squeeze(self: Any, axis: Any = None) -> Array:
        """Array without axes of length 1: those named, or all; see `squeeze`."""
        if axis is None:
            axis = tuple([number for number, length in enumerate(self.shape) if length == 1])
        return _functions().squeeze(self, axis)  # type: ignore[no-any-return]

    def repeat(self: Any, repeats: Any, axis: int | None = None) -> Array:
        """Array with each element several times; see `repeat`."""
        return _functions().repeat(self, repeats, axis=axis)  # type: ignore[no-any-return]

    def take(self: Any, indices: Any, axis: int | None = None) -> Array:
        """Elements at indices along an axis, or of the flattened array; see `take`."""
        x = self if axis is not None else self.ravel()
        return _functions().take(x, _indices(x, indices), axis=axis or 0)  # type: ignore[no-any-return]

    # --- data --------------------------------------------------------------------------------------------------------

    def astype(self: Any, dtype: Any, *, copy: bool = True) -> Array:
        """Array of another data type; see `astype`."""
        return _functions().astype(self, dtype, copy=copy)  # type: ignore[no-any-return]

    def copy(self: Any) -> Array:
        """Array with the same values in memory of its own; it stays part of the graph."""
        return _functions().asarray(self, copy=True)  # type: ignore[no-any-return]

    def view(self: Any, dtype: Any = None) -> Array:
        """The same array, or complex numbers as pairs of real ones along the last axis, or pairs as complex numbers.

        Raises
        ------
        DTypeError
            If the bits would be taken for other numbers: that has no derivative, and no meaning on other libraries.
        """
        functions = _functions()
        wanted = self.dtype if dtype is None else _dtypes.as_dtype(dtype, op="view")
        if wanted == self.dtype:
            return self[...]  # type: ignore[no-any-return]
        if self.ndim and _COMPLEX_OF.get(wanted, wanted) == self.dtype:
            pairs = functions.stack([functions.real(self), functions.imag(self)], axis=-1)
            return pairs.reshape(*self.shape[:-1], 2 * self.shape[-1])  # type: ignore[no-any-return]
        if self.ndim and _COMPLEX_OF.get(self.dtype, self.dtype) == wanted and self.shape[-1] % 2 == 0:
            return self[..., ::2] + self[..., 1::2] * 1j  # type: ignore[no-any-return]
        raise _errors.DTypeError(
            _errors.message("view", f"the bits of {self.dtype} are not {wanted} here", [("x", self)], "use astype")
        )

    # --- reductions --------------------------------------------------------------------------------------------------

    def sum(self: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
        """Sum along axes; see `sum`."""
        return _functions().sum(self, axis=axis, dtype=dtype, keepdims=keepdims)  # type: ignore[no-any-return]

    def prod(self: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Array:
        """Product along axes; see `prod`."""
        return _functions().prod(self, axis=axis, dtype=dtype, keepdims=keepdims)  # type: ignore[no-any-return]

    def mean(self: Any, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Mean along axes; see `mean`."""
        return _functions().mean(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def var(self: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Array:
        """Variance along axes; see `var`, whose ``correction`` is `ddof`."""
        return _functions().var(self, axis=axis, correction=ddof, keepdims=keepdims)  # type: ignore[no-any-return]

    def std(self: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Array:
        """Standard deviation along axes; see `std`, whose ``correction`` is `ddof`."""
        return _functions().std(self, axis=axis, correction=ddof, keepdims=keepdims)  # type: ignore[no-any-return]

    def max(self: Any, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Largest element along axes; see `max`."""
        return _functions().max(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def min(self: Any, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Smallest element along axes; see `min`."""
        return _functions().min(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def argmax(self: Any, axis: int | None = None, *, keepdims: bool = False) -> Array:
        """Index of the largest element; see `argmax`."""
        return _functions().argmax(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def argmin(self: Any, axis: int | None = None, *, keepdims: bool = False) -> Array:
        """Index of the smallest element; see `argmin`."""
        return _functions().argmin(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def all(self: Any, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Whether all elements along axes are true; see `all`."""
        return _functions().all(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def any(self: Any, axis: Any = None, *, keepdims: bool = False) -> Array:
        """Whether any element along axes is true; see `any`."""
        return _functions().any(self, axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]

    def cumsum(self: Any, axis: int | None = None, dtype: Any = None) -> Array:
        """Running sum; see `cumsum`."""
        return _functions().cumsum(self, axis, dtype)  # type: ignore[no-any-return]

    def cumprod(self: Any, axis: int | None = None, dtype: Any = None) -> Array:
        """Running product; see `cumprod`."""
        return _functions().cumprod(self, axis, dtype)  # type: ignore[no-any-return]

    # --- elements ----------------------------------------------------------------------------------------------------

    def clip(self: Any, min: Any = None, max: Any = None) -> Array:  # noqa: A002 - NumPy's names
        """Elements within bounds; see `clip`."""
        return _functions().clip(self, min, max)  # type: ignore[no-any-return]

    def conj(self: Any) -> Array:
        """Complex conjugates; see `conj`."""
        return _functions().conj(self)  # type: ignore[no-any-return]

    def nonzero(self: Any) -> tuple[Array, ...]:
        """Indices of the elements that are not 0; see `nonzero`."""
        return _functions().nonzero(self)  # type: ignore[no-any-return]

    def argsort(self: Any, axis: int = -1) -> Array:
        """Indices that sort along an axis; see `argsort`."""
        return _functions().argsort(self, axis=axis)  # type: ignore[no-any-return]


#: The complex data type whose parts are of a real one.
_COMPLEX_OF = {_dtypes.float32: _dtypes.complex64, _dtypes.float64: _dtypes.complex128}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) or getattr(value, "ndim", None) == 0


def _indices(x: Any, indices: Any) -> Any:
    return _functions().asarray(indices, device=x.device) if isinstance(indices, (int, list, tuple)) else indices
