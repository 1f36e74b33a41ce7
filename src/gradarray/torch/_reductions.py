"""Reductions, sums along an axis, and sorting. PyTorch's `dim` may be NumPy's `axis` here as there."""

# ruff: noqa: A001, A002 - PyTorch's names

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any, cast

import gradarray as ga

from .. import _errors
from .._array import Array
from . import _types
from ._calls import binary, call, converted
from ._tensor import Tensor

_ALIASES = {"axis": "dim", "keepdims": "keepdim"}


def _with_aliases(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with NumPy's names of its arguments too."""

    @functools.wraps(function)
    def called(*args: Any, **keywords: Any) -> Any:
        for alias, name in _ALIASES.items():
            if alias in keywords:
                keywords[name] = keywords.pop(alias)
        return function(*args, **keywords)

    return called


def _dims(dim: Any) -> Any:
    """The axes of a reduction; for PyTorch none means all of them."""
    return None if dim is None or (isinstance(dim, (tuple, list)) and not dim) else dim


def returns(name: str, *fields: str) -> Any:
    """A named tuple that prints as PyTorch's results do."""
    base = namedtuple(name, fields)  # type: ignore[misc]

    def text(self: Any) -> str:
        parts = ",\n".join(f"{field}={value!r}" for field, value in zip(fields, self, strict=True))
        return f"torch.return_types.{name}(\n{parts})"

    return type(name, (base,), {"__slots__": (), "__repr__": text, "__doc__": f"What `{name}` along an axis gives."})


_max, _min, _median = (
    returns("max", "values", "indices"),
    returns("min", "values", "indices"),
    returns("median", "values", "indices"),
)
_sort, _topk = returns("sort", "values", "indices"), returns("topk", "values", "indices")


def _total(op: str, input: Tensor, dtype: Any) -> Any:
    """The data type of a sum or product: PyTorch has int64 for all integers, unsigned ones too."""
    own = _types.own_dtype(dtype, op)
    return ga.int64 if own is None and input._array.dtype.kind == "u" else own


@_with_aliases
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum along axes, by default all; of booleans and integers it is int64."""
    own = _total("sum", input, dtype)
    return cast(Tensor, call(ga.sum, input, axis=_dims(dim), keepdims=keepdim, dtype=own))


@_with_aliases
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum of what is not NaN along axes, by default all."""
    own = _total("nansum", input, dtype)
    return cast(Tensor, call(ga.nansum, input, axis=_dims(dim), keepdims=keepdim, dtype=own))


@_with_aliases
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Product along an axis, by default all."""
    own = _total("prod", input, dtype)
    return cast(Tensor, call(ga.prod, input, axis=dim, keepdims=keepdim, dtype=own))


def _floating(op: str, input: Tensor, dtype: Any) -> Array:
    own = _types.own_dtype(dtype, op)
    x = input._array if own is None else ga.astype(input._array, own, copy=False)
    if x.dtype.kind in "biu":
        raise _errors.DTypeError(
            _errors.message(op, "only floating-point and complex tensors have it", [("input", x)], "x.float() first")
        )
    return x


@_with_aliases
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean along axes, by default all.

    Raises
    ------
    DTypeError
        If the tensor is not of a floating-point or complex dtype, as in PyTorch.
    """
    return cast(Tensor, call(ga.mean, _floating("mean", input, dtype), axis=_dims(dim), keepdims=keepdim))


@_with_aliases
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean of what is not NaN along axes, by default all."""
    return cast(Tensor, call(ga.nanmean, _floating("nanmean", input, dtype), axis=_dims(dim), keepdims=keepdim))


def _correction(dim: Any, correction: float, unbiased: bool | None) -> tuple[Any, float]:
    if isinstance(dim, bool):  # PyTorch's older form: var(input, unbiased)
        dim, unbiased = None, dim
    return _dims(dim), correction if unbiased is None else float(unbiased)


@_with_aliases
def var(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: float = 1
) -> Tensor:
    """Variance along axes, by default all: the sum of squares is divided by ``n - correction``."""
    axis, less = _correction(dim, correction, unbiased)
    return cast(Tensor, call(ga.var, _floating("var", input, None), axis=axis, correction=less, keepdims=keepdim))


@_with_aliases
def std(
    input: Tensor, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: float = 1
) -> Tensor:
    """Standard deviation along axes, by default all: the root of `var`, whose correction is 1."""
    axis, less = _correction(dim, correction, unbiased)
    return cast(Tensor, call(ga.std, _floating("std", input, None), axis=axis, correction=less, keepdims=keepdim))


def _along(x: Array, indices: Array, dim: int, keepdim: bool) -> tuple[Array, Array]:
    """The elements at indices along an axis of length 1, and the indices."""
    values = ga.take_along_axis(x, indices, axis=dim)
    return (values, indices) if keepdim else (ga.squeeze(values, dim), ga.squeeze(indices, dim))


def _extreme(input: Tensor, dim: Any, keepdim: bool, whole: Any, where: Any, pairwise: Any, kind: Any) -> Any:
    if dim is None:
        return call(whole, input)
    if isinstance(dim, (Tensor, Array)):
        return binary(pairwise, input, dim)
    if not input._array.ndim:
        return kind(input.clone(), call(ga.zeros_like, input, dtype=ga.int64))
    return kind(*call(lambda x: _along(x, where(x, axis=dim, keepdims=True), dim, keepdim), input))


@_with_aliases
def max(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Largest element; along an axis the largest ones and their indices; with another tensor the larger elements.

    Along an axis the derivative is that of the element whose index is given.
    """
    return _extreme(input, dim if other is None else other, keepdim, ga.max, ga.argmax, ga.maximum, _max)


@_with_aliases
def min(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    """Smallest element; along an axis the smallest ones and their indices; with another tensor the smaller elements.

    Along an axis the derivative is that of the element whose index is given.
    """
    return _extreme(input, dim if other is None else other, keepdim, ga.min, ga.argmin, ga.minimum, _min)


@_with_aliases
def amax(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Largest element along axes, by default all; equal ones share the derivative."""
    return cast(Tensor, call(ga.max, input, axis=_dims(dim), keepdims=keepdim))


@_with_aliases
def amin(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Smallest element along axes, by default all; equal ones share the derivative."""
    return cast(Tensor, call(ga.min, input, axis=_dims(dim), keepdims=keepdim))


@_with_aliases
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Index of the largest element along an axis, by default of the flattened tensor."""
    return cast(Tensor, call(ga.argmax, input, axis=dim, keepdims=keepdim))


@_with_aliases
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Index of the smallest element along an axis, by default of the flattened tensor."""
    return cast(Tensor, call(ga.argmin, input, axis=dim, keepdims=keepdim))


@_with_aliases
def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements along axes are true."""
    return cast(Tensor, call(ga.all, input, axis=_dims(dim), keepdims=keepdim))


@_with_aliases
def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether any element along axes is true."""
    return cast(Tensor, call(ga.any, input, axis=_dims(dim), keepdims=keepdim))


@_with_aliases
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """Number of elements along axes that are not 0."""
    return cast(Tensor, call(ga.count_nonzero, input, axis=_dims(dim)))


def _middle(x: Array, dim: int) -> Array:
    """The index of the lower one of the middle elements along an axis; of the first NaN where there is one."""
    place = ga.argsort(x, axis=dim)
    length = x.shape[dim]
    key = (slice(None),) * (dim % x.ndim) + (slice((length - 1) // 2, (length - 1) // 2 + 1),)
    bad = ga.isnan(x)
    return ga.where(
        ga.any(bad, axis=dim, keepdims=True), ga.argmax(ga.astype(bad, ga.int8), axis=dim, keepdims=True), place[key]
    )


@_with_aliases
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Lower one of the middle elements, as in PyTorch; along an axis also their indices."""
    if dim is None:
        return call(lambda x: _along(ga.reshape(x, (-1,)), _middle(ga.reshape(x, (-1,)), 0), 0, False)[0], input)
    return _median(*call(lambda x: _along(x, _middle(x, dim), dim, keepdim), input))


@_with_aliases
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Norm of the vectors along axes, by default of all elements; the sum of singular values for ``p="nuc"``."""
    x = _floating("norm", input, dtype)
    if p == "nuc":
        return cast(Tensor, call(ga.linalg.norm, x, "nuc", (0, 1) if dim is None else dim, keepdim))
    order = 2 if p in ("fro", None) else p
    return cast(Tensor, call(ga.linalg.vector_norm, x, axis=_dims(dim), keepdims=keepdim, ord=order))


# --- along an axis -----------------------------------------------------------------------------------------------


@_with_aliases
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Running sum along an axis."""
    return cast(Tensor, call(ga.cumulative_sum, input, axis=dim, dtype=_total("cumsum", input, dtype)))


@_with_aliases
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Running product along an axis."""
    return cast(Tensor, call(ga.cumulative_prod, input, axis=dim, dtype=_total("cumprod", input, dtype)))


@_with_aliases
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along an axis."""
    return cast(Tensor, call(ga.diff, input, axis=dim, n=n, prepend=prepend, append=append))


def _shifted(x: Array, dim: Any) -> tuple[Array, Array]:
    """The tensor without its largest elements along axes, and these; infinite ones are left in."""
    top = ga.max(x.detach(), axis=dim, keepdims=True)
    top = ga.where(ga.isfinite(top), top, ga.zeros_like(top))
    return x - top, top


@_with_aliases
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of exponentials along axes, without overflow."""

    def own(x: Array) -> Array:
        shifted, top = _shifted(x, _dims(dim))
        found = ga.log(ga.sum(ga.exp(shifted), axis=_dims(dim), keepdims=True)) + top
        return found if keepdim else ga.squeeze(found, tuple(range(x.ndim)) if _dims(dim) is None else dim)

    return cast(Tensor, call(own, *converted((input,), floating=True)))


@_with_aliases
def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Exponentials along an axis, divided by their sum."""

    def own(x: Array) -> Array:
        powers = ga.exp(_shifted(x, dim)[0])
        return powers / ga.sum(powers, axis=dim, keepdims=True)

    return cast(Tensor, call(own, _floating("softmax", input, dtype)))


@_with_aliases
def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Logarithm of `softmax`, without overflow."""

    def own(x: Array) -> Array:
        shifted = _shifted(x, dim)[0]
        return shifted - ga.log(ga.sum(ga.exp(shifted), axis=dim, keepdims=True))

    return cast(Tensor, call(own, _floating("log_softmax", input, dtype)))


# --- order -------------------------------------------------------------------------------------------------------


@_with_aliases
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Indices that sort along an axis."""
    return cast(Tensor, call(ga.argsort, input, axis=dim, descending=descending, stable=stable))


def _sorted(x: Array, dim: int, descending: bool, stop: int | None = None) -> tuple[Array, Array]:
    if not x.ndim:
        return ga.asarray(x, copy=True), ga.zeros_like(x, dtype=ga.int64)
    place = ga.argsort(x, axis=dim, descending=descending)
    if stop is not None:
        place = place[(slice(None),) * (dim % x.ndim) + (slice(stop),)]
    return ga.take_along_axis(x, place, axis=dim), place


@_with_aliases
def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """Elements in order along an axis, and where each was."""
    return _sort(*call(_sorted, input, dim, descending))


@_with_aliases
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The `k` largest elements along an axis, or the smallest, in order, and where they were.

    Raises
    ------
    ArgumentValueError
        If there are not so many.
    """
    length = input.size(dim) if input.ndim else 1
    if not 0 <= k <= length:
        raise _errors.ArgumentValueError(
            _errors.message("topk", f"k is {k}, and there are {length}", [("input", input._array)], "use a smaller k")
        )
    return _topk(*call(_sorted, input, dim, largest, k))


def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: None = None
) -> Any:
    """Elements that are different, in order; and, if asked for, which each one is, and how often each occurs.

    Raises
    ------
    ArgumentValueError
        If `dim` is given: there is no such function in the standard.
    """
    if dim is not None:
        raise _errors.ArgumentValueError(
            "unique(): dim is not taken\nFix: gradarray.unique_values has the elements of the whole tensor"
        )
    values, _, inverse, counts = call(lambda x: tuple(ga.unique_all(x)), input)
    found = [values, *([inverse] if return_inverse else []), *([counts] if return_counts else [])]
    return found[0] if len(found) == 1 else tuple(found)


def searchsorted(sorted_sequence: Tensor, input: Any, *, right: bool = False) -> Tensor:
    """Where to put elements into a sorted 1-D tensor so that it stays sorted."""
    x = input if isinstance(input, Tensor) else ga.asarray(input, dtype=sorted_sequence._array.dtype)
    return cast(Tensor, call(ga.searchsorted, sorted_sequence, x, side="right" if right else "left"))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(sum, nansum, prod, mean, nanmean, var, std, max, min, amax, amin, argmax, argmin, all, any, count_nonzero),
        *(median, norm, cumsum, cumprod, diff, logsumexp, softmax, log_softmax, argsort, sort, topk, unique),
    )
}
#: What is also a method that writes in place.
IN_PLACE = ("cumprod", "cumsum")
