"""The array object of the standard, with PyTorch's words for gradients.

Everything that computes is one line that names the function it stands for; the functions themselves are in `ops`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from . import _dtypes, _errors
from ._devices import Device, get_device
from ._dtypes import DType
from ._graph import Leaf, Node, Slot, View
from ._methods import Methods

API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

Scalar = bool | int | float | complex


class Array(Methods):
    """An n-dimensional array on one device, whose history can be differentiated.

    Arrays are made by the creation functions (`asarray`, `zeros`, ...), never by calling this class.

    See Also
    --------
    gradarray.asarray
    """

    # No __init__: the library makes arrays by Array() and fills the slots, which costs half of any constructor.
    __slots__ = ("__weakref__", "_data", "_device", "_node")

    _data: Any
    _device: Device
    #: None, a Leaf, a Node, a Slot, or a View.
    _node: Any

    # --- attributes of the standard ----------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """Data type of the elements (standard: Array object, ``dtype``)."""
        raw = self._data.dtype
        return raw if type(self._data) is np.ndarray else self._device.backend.dtype(raw)

    @property
    def device(self) -> Device:
        """Device on which the data lies (standard: Array object, ``device``)."""
        return self._device

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis (standard: Array object, ``shape``)."""
        return tuple(self._data.shape)

    @property
    def ndim(self) -> int:
        """Number of axes (standard: Array object, ``ndim``)."""
        return len(self._data.shape)

    @property
    def size(self) -> int:
        """Number of elements (standard: Array object, ``size``)."""
        size = 1
        for length in self._data.shape:
            size *= length
        return size

    @property
    def T(self) -> Array:
        """Transpose of a 2-D array (standard: Array object, ``T``)."""
        if self.ndim != 2:
            raise _errors.ShapeError(
                _errors.message("T", "only a 2-D array has it", [("x", self)], "use permute_dims, or mT for stacks")
            )
        return _manipulation.permute_dims(self, (1, 0))

    @property
    def mT(self) -> Array:
        """Transpose of each matrix of a stack (standard: Array object, ``mT``)."""
        return _linear_algebra.matrix_transpose(self)

    # --- gradients ---------------------------------------------------------------------------------------------------

    @property
    def _tracked(self) -> Any:
        node = self._node
        return node.resolve() if type(node) is View else node

    @property
    def requires_grad(self) -> bool:
        """Whether operations on the array are recorded; can be set on leaves."""
        return self._tracked is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True, /) -> Array:
        """Turn recording of this leaf on or off, in place.

        Parameters
        ----------
        requires_grad : bool, default: True
            Whether operations on the array are recorded from now on.

        Returns
        -------
        Array
            The array itself.

        Raises
        ------
        DTypeError
            If the array is not of a floating-point dtype.
        GradientError
            If the array is the result of a recorded operation and recording is to be turned off.
        """
        node = self._tracked
        if requires_grad:
            if node is None:
                if self.dtype not in _dtypes.DIFFERENTIABLE:
                    raise _errors.DTypeError(
                        _errors.message(
                            "requires_grad_",
                            "only real and complex floating-point arrays can require grad",
                            [("x", self)],
                            "x = gradarray.astype(x, gradarray.float64) first",
                        )
                    )
                self._node = Leaf(self._data.shape, self._data.dtype, self._device)
        elif type(node) is Leaf and self._node is node:
            self._node = None
        elif node is not None:
            raise _errors.GradientError(
                _errors.message(
                    "requires_grad_", "only a leaf can stop requiring grad", [("x", self)], "use x.detach()"
                )
            )
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the array is not the result of a recorded operation."""
        node = self._tracked
        return node is None or (node is self._node and type(node) is Leaf)

    @property
    def grad(self) -> Array | None:
        """Gradient that ``backward()`` has accumulated, with the shape, dtype and device of the array; or None.

        Of an array that is not a leaf only after `retain_grad`.
        """
        node = self._node
        if type(node) is Leaf:
            return node.grad
        if node is not None and self._tracked is not None:
            kept, gradient = _hooks.retained(self)
            if kept:
                return gradient
            warnings.warn(
                "the .grad of an array that is not a leaf is not kept; call retain_grad() before backward(), or "
                "differentiate with respect to a leaf (an array made with requires_grad=True)",
                UserWarning,
                stacklevel=2,
            )
        return None

    @grad.setter
    def grad(self, value: Array | None) -> None:
        node = self._node
        if type(node) is not Leaf:
            if node is not None and self._tracked is not None and _hooks.retained(self)[0]:
                if value is not None:
                    _engine.check_gradient("grad", self, value, "value")
                _hooks.replace_retained(self, value)
                return
            if value is None:
                return
            raise _errors.NotTrackedError(
                _errors.message(
                    "grad", "only a leaf that requires grad has a gradient", [("x", self)], "requires_grad_()"
                )
            )
        if value is not None:
            _engine.check_gradient("grad", self, value, "value")
        node.grad = value

    @property
    def grad_fn(self) -> Node | None:
        """Recorded operation that made the array, or None."""
        node = self._tracked
        if type(node) is Slot:
            return node.node
        return node if type(node) is Node else None

    def backward(
        self,
        gradient: Array | None = None,
        *,
        retain_graph: bool = False,
        create_graph: bool = False,
        inputs: Sequence[Array] | None = None,
    ) -> None:
        """Accumulate the gradient of this array into the ``.grad`` of every leaf it depends on.

        For a complex leaf the gradient of a real result L is dL/dx + i dL/dy, so that ``z -= rate * z.grad`` descends.

        Parameters
        ----------
        gradient : Array, optional
            Cotangent of this array, of its shape, on its device. Needed unless the array has one element.
        retain_graph : bool, default: False
            Keep what the graph has saved, so that ``backward()`` can be called again.
        create_graph : bool, default: False
            Record the computation of the gradients, so that they can be differentiated; implies `retain_graph`.
        inputs : sequence of Array, optional
            Accumulate into these leaves only.

        Raises
        ------
        NotTrackedError
            If the array does not depend on any array that requires grad.
        NonScalarGradientError
            If `gradient` is missing and the array has several elements.
        FreedGraphError
            If an earlier call has freed the graph.
        OverwrittenValueError
            If a value that a derivative needs was overwritten without recording.
        """
        _engine.backward(
            self, gradient, retain_graph=retain_graph or create_graph, create_graph=create_graph, inputs=inputs
        )

    def register_hook(self, hook: Callable[[Array], Array | None], /) -> _hooks.HookHandle:
        """Call a function with the gradient of this array in every ``backward()`` that reaches it.

        Parameters
        ----------
        hook : callable
            Takes the whole gradient: for a leaf the sum that is about to be added to ``.grad``. It may return another
            array of its shape, dtype and device, to go on with in its place; what it returns as None changes nothing.
            With ``create_graph`` what it computes is recorded.

        Returns
        -------
        HookHandle
            Its ``remove()`` takes the hook away.

        Raises
        ------
        NotTrackedError
            If the array does not require grad.

        Notes
        -----
        The hook belongs to the value that the array has now: after a recorded write into the array it sees the
        gradient of the value before the write. Hooks are called in the order in which they were registered.
        """
        return _hooks.register(self, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Array], None], /) -> _hooks.HookHandle:
        """Call a function with this leaf each time after ``backward()`` has added to its ``.grad``.

        Parameters
        ----------
        hook : callable
            Takes the array. It may use and clear ``.grad``.

        Returns
        -------
        HookHandle
            Its ``remove()`` takes the hook away.

        Raises
        ------
        NotTrackedError
            If the array is not a leaf that requires grad.
        """
        return _hooks.register_afterwards(self, hook)

    def retain_grad(self) -> None:
        """Keep the gradient of this array in ``.grad`` though it is not a leaf; nothing changes for a leaf.

        Raises
        ------
        NotTrackedError
            If the array does not require grad.
        """
        _hooks.retain(self)

    def detach(self) -> Array:
        """Alias of the array without history: the values are shared, gradients do not flow back."""
        return _dispatch.alias(self._data, self)

    # --- leaving the library -----------------------------------------------------------------------------------------

    def item(self) -> Scalar:
        """Value of a one-element array as a Python number; works on tracked arrays."""
        if self.size != 1:
            raise _errors.ShapeError(
                _errors.message("item", "only an array of one element is a number", [("x", self)], "use tolist()")
            )
        value: Scalar = self._host().item()
        return value

    def tolist(self) -> Any:
        """Values as nested lists of Python numbers; works on tracked arrays."""
        return self._host().tolist()

    def numpy(self) -> np.ndarray[Any, Any]:
        """NumPy array that shares the memory of an untracked array where it lies in host memory.

        Raises
        ------
        TrackedConversionError
            If the array requires grad; the message names ``detach()``.
        DeviceError
            If the array does not lie in host memory.
        """
        return self.__array__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return _numpy_protocols.to_numpy(self, dtype, copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _numpy_protocols.array_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _numpy_protocols.array_function(function, args, kwargs)

    def _host(self) -> np.ndarray[Any, Any]:
        return self._device.backend.to_numpy(self._data, copy=None)

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """Array with the same values on another device; the array itself if it is there already.

        Differentiable: the cotangent is carried back to this array's device (standard: Array object, ``to_device``).

        Parameters
        ----------
        device : Device or str
            Where to.
        stream : optional
            Must be None: the copy is made on the streams that are current, and ordered with them.
        """
        if stream is not None:
            raise _errors.ArgumentValueError(
                f"to_device(): stream is {stream!r}\nFix: pass None, and make the stream current in its own library"
            )
        return _conversion.transfer(self, get_device(device))

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Capsule for exchange with another library (standard: Array object, ``__dlpack__``)."""
        if self.requires_grad:
            raise _errors.ExportError(
                _errors.message(
                    "__dlpack__",
                    "an array that requires grad cannot be exported: its gradient would be lost",
                    [("x", self)],
                    "export x.detach()",
                )
            )
        # Keywords are passed on only when given: older producers do not have them.
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        keywords = {name: value for name, value in given.items() if value is not None}
        try:
            return self._device.backend.to_dlpack(self._data, **keywords)
        except (BufferError, ValueError, RuntimeError) as error:
            raise _errors.ExportError(
                _errors.message("__dlpack__", str(error), [("x", self)], "export a copy: asarray(x, copy=True)")
            ) from error

    def __dlpack_device__(self) -> tuple[Any, int]:
        """DLPack's name of the device: a type and an index (standard: Array object, ``__dlpack_device__``)."""
        kind, index = self._data.__dlpack_device__()
        return kind, index

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """Namespace of the standard for this array: the module ``gradarray``.

        Raises
        ------
        ArgumentValueError
            If `api_version` is not a version of the standard that gradarray conforms to.
        """
        if api_version is not None and api_version not in API_VERSIONS:
            raise _errors.ArgumentValueError(
                f"__array_namespace__(): there is no version {api_version!r} of the standard here\n"
                f"Fix: use one of {', '.join(API_VERSIONS)}"
            )
        return sys.modules["gradarray"]

    # --- Python's protocols ------------------------------------------------------------------------------------------

    def _number(self, op: str) -> Any:
        if self.size != 1:
            raise _errors.ShapeError(
                _errors.message(
                    op, "only an array of one element is a number", [("x", self)], "reduce or index it first"
                )
            )
        return self._host().item()

    def __bool__(self) -> bool:
        return bool(self._number("bool"))

    def __int__(self) -> int:
        value = self._number("int")
        if isinstance(value, complex):
            raise _errors.DTypeError(
                _errors.message("int", "a complex number is not an integer", [("x", self)], "take real(x)")
            )
        return int(value)

    def __float__(self) -> float:
        value = self._number("float")
        if isinstance(value, complex):
            raise _errors.DTypeError(
                _errors.message("float", "a complex number is not a real one", [("x", self)], "take real(x)")
            )
        return float(value)

    def __complex__(self) -> complex:
        return complex(self._number("complex"))

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise _errors.DTypeError(
                _errors.message("index", "only an integer array is an index", [("x", self)], "astype it to int64")
            )
        return int(self._number("index"))

    def __len__(self) -> int:
        if not self._data.shape:
            raise _errors.ArgumentTypeError(_errors.message("len", "a 0-d array has no length", [("x", self)]))
        return int(self._data.shape[0])

    def __iter__(self) -> Iterator[Array]:
        if not self._data.shape:
            raise _errors.ArgumentTypeError(
                _errors.message("iter", "a 0-d array cannot be iterated over", [("x", self)], "use item()")
            )
        return (self[index] for index in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(_utility.any(self == value))

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        values = np.array2string(self._host(), separator=", ", prefix="Array(")
        tracked = ", requires_grad=True" if self.requires_grad else ""
        return f"Array({values}, dtype={self.dtype}, device={str(self._device)!r}{tracked})"

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if spec and not self._data.shape else format(str(self), spec)

    def __copy__(self) -> Array:
        return _conversion.asarray(self, copy=True)

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return _rebuild(*self._state(copy=True))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _rebuild, self._state(copy=False)

    def _state(self, *, copy: bool) -> tuple[Any, ...]:
        node = self._tracked
        if node is not None and type(node) is not Leaf:
            raise _errors.GradientError(
                _errors.message(
                    "pickle",
                    "an array that is the result of a recorded operation cannot be copied with its history",
                    [("x", self)],
                    "use x.detach()",
                )
            )
        values = self._device.backend.to_numpy(self._data, copy=True if copy else None)
        grad = self._node.grad if type(self._node) is Leaf else None
        if copy and grad is not None:
            grad = _rebuild(*grad._state(copy=True))
        return values, str(self._device), node is not None, grad

    # --- operators of the standard -----------------------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Array:
        return _indexing.get(self, key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        _mutation.assign(self, key, value)

    def __neg__(self) -> Array:
        return unary(negative, self)

    def __pos__(self) -> Array:
        return unary(positive, self)

    def __abs__(self) -> Array:
        return unary(abs, self)

    def __invert__(self) -> Array:
        return unary(bitwise_invert, self)

    def __add__(self, other: Any, /) -> Array:
        try:
            return binary(add, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __radd__(self, other: Any, /) -> Array:
        try:
            return binary(add, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __iadd__(self, other: Any, /) -> Array:
        return update(self, add, other)

    def __sub__(self, other: Any, /) -> Array:
        try:
            return binary(subtract, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rsub__(self, other: Any, /) -> Array:
        try:
            return binary(subtract, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __isub__(self, other: Any, /) -> Array:
        return update(self, subtract, other)

    def __mul__(self, other: Any, /) -> Array:
        try:
            return binary(multiply, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rmul__(self, other: Any, /) -> Array:
        try:
            return binary(multiply, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __imul__(self, other: Any, /) -> Array:
        return update(self, multiply, other)

    def __truediv__(self, other: Any, /) -> Array:
        try:
            return binary(divide, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rtruediv__(self, other: Any, /) -> Array:
        try:
            return binary(divide, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __itruediv__(self, other: Any, /) -> Array:
        return update(self, divide, other)

    def __floordiv__(self, other: Any, /) -> Array:
        try:
            return binary(floor_divide, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rfloordiv__(self, other: Any, /) -> Array:
        try:
            return binary(floor_divide, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ifloordiv__(self, other: Any, /) -> Array:
        return update(self, floor_divide, other)

    def __mod__(self, other: Any, /) -> Array:
        try:
            return binary(remainder, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rmod__(self, other: Any, /) -> Array:
        try:
            return binary(remainder, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __imod__(self, other: Any, /) -> Array:
        return update(self, remainder, other)

    def __pow__(self, other: Any, /) -> Array:
        try:
            return binary(pow, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rpow__(self, other: Any, /) -> Array:
        try:
            return binary(pow, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ipow__(self, other: Any, /) -> Array:
        return update(self, pow, other)

    def __matmul__(self, other: Any, /) -> Array:
        try:
            return matmul(self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rmatmul__(self, other: Any, /) -> Array:
        try:
            return matmul(other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __imatmul__(self, other: Any, /) -> Array:
        return update(self, matmul, other)

    def __and__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_and, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rand__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_and, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __iand__(self, other: Any, /) -> Array:
        return update(self, bitwise_and, other)

    def __or__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_or, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ror__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_or, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ior__(self, other: Any, /) -> Array:
        return update(self, bitwise_or, other)

    def __xor__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_xor, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rxor__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_xor, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ixor__(self, other: Any, /) -> Array:
        return update(self, bitwise_xor, other)

    def __lshift__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_left_shift, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rlshift__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_left_shift, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ilshift__(self, other: Any, /) -> Array:
        return update(self, bitwise_left_shift, other)

    def __rshift__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_right_shift, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __rrshift__(self, other: Any, /) -> Array:
        try:
            return binary(bitwise_right_shift, other, self)
        except ArgumentTypeError:
            return _not_ours(other)

    def __irshift__(self, other: Any, /) -> Array:
        return update(self, bitwise_right_shift, other)

    def __eq__(self, other: Any, /) -> Array:  # type: ignore[override]
        try:
            return binary(equal, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ne__(self, other: Any, /) -> Array:  # type: ignore[override]
        try:
            return binary(not_equal, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __lt__(self, other: Any, /) -> Array:
        try:
            return binary(less, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __le__(self, other: Any, /) -> Array:
        try:
            return binary(less_equal, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __gt__(self, other: Any, /) -> Array:
        try:
            return binary(greater, self, other)
        except ArgumentTypeError:
            return _not_ours(other)

    def __ge__(self, other: Any, /) -> Array:
        try:
            return binary(greater_equal, self, other)
        except ArgumentTypeError:
            return _not_ours(other)


def _not_ours(other: Any) -> Array:
    """Inside an ``except``: let a foreign operand try its own reflected operator, unless it is an array."""
    if hasattr(other, "__dlpack__"):
        raise  # noqa: PLE0704 - called from an except clause only
    return cast(Array, NotImplemented)


def _rebuild(values: np.ndarray[Any, Any], device: str, requires_grad: bool, grad: Array | None) -> Array:
    array = _conversion.asarray(values, device=device, requires_grad=requires_grad)
    if grad is not None:
        array._node.grad = grad
    return array


# The functions that the operators stand for need the class above: this cycle is closed here and nowhere else.
from . import _dispatch, _engine, _hooks, _mutation, _numpy_protocols  # noqa: E402
from ._dispatch import binary, unary  # noqa: E402
from ._errors import ArgumentTypeError  # noqa: E402
from ._mutation import update  # noqa: E402
from .ops import conversion as _conversion  # noqa: E402
from .ops import indexing as _indexing  # noqa: E402
from .ops import linear_algebra as _linear_algebra  # noqa: E402
from .ops import manipulation as _manipulation  # noqa: E402
from .ops import utility as _utility  # noqa: E402
from .ops.elementwise import (  # noqa: E402
    abs,
    add,
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    divide,
    equal,
    floor_divide,
    greater,
    greater_equal,
    less,
    less_equal,
    multiply,
    negative,
    not_equal,
    positive,
    pow,
    remainder,
    subtract,
)
from .ops.linear_algebra import matmul  # noqa: E402
