"""The tensor: gradarray's array with PyTorch's attributes.

A tensor holds one array, so what gradarray promises of arrays (memory that is shared, writes in place, the record)
holds of tensors. Most methods are functions of this package, and are attached to the class where it is put together.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

import gradarray as ga

from .. import _errors, _hooks
from .._array import Array
from . import _missing, _types
from ._graph import Function
from ._printing import text_of


class Tensor:
    """An n-dimensional tensor on one device, whose history can be differentiated.

    Made by `tensor`, `zeros` and their like. A tensor has PyTorch's methods; what it computes is gradarray's.

    Parameters
    ----------
    *data
        A nested sequence of numbers, or the lengths of a tensor without values: PyTorch's old form. Use `tensor`.

    Attributes
    ----------
    array : Array
        The gradarray array inside: what the rest of gradarray takes. `as_tensor` goes the other way.
    """

    __slots__ = ("__weakref__", "_array", "_gradient")

    _array: Array
    #: The tensor around the array's gradient, so that there is one of them.
    _gradient: Tensor | None

    def __new__(cls, *data: Any) -> Tensor:
        if len(data) == 1 and not isinstance(data[0], int):
            given = data[0]._array.detach() if isinstance(data[0], Tensor) else data[0]
            values = ga.asarray(given, dtype=_types.get_default_dtype()._dtype)
        else:
            values = ga.empty(_types.size_of("Tensor", data or (0,)), dtype=_types.get_default_dtype()._dtype)
        return wrap(values, cls)

    @property
    def array(self) -> Array:
        """The gradarray array inside, with its history. Not a name of PyTorch's."""
        return self._array

    # --- what it is --------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> _types.Size:
        """Length of each axis."""
        return _types.Size(self._array.shape)

    @property
    def dtype(self) -> _types.dtype:
        """Data type of the elements."""
        return _types.of_dtype(self._array.dtype)

    @property
    def device(self) -> _types.device:
        """Where the data lies."""
        return _types.device(self._array.device)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._array.ndim

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._array.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.itemsize * self._array.size

    @property
    def is_cuda(self) -> bool:
        """Whether the data lies on a GPU of NVIDIA's."""
        return self._array.device.type == "cuda"

    @property
    def is_cpu(self) -> bool:
        """Whether the data lies in the memory of the host."""
        return self._array.device.type == "cpu"

    def size(self, dim: int | None = None) -> Any:
        """Length of each axis, or of one."""
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        """Number of axes."""
        return self._array.ndim

    def numel(self) -> int:
        """Number of elements."""
        return self._array.size

    nelement = numel

    def element_size(self) -> int:
        """Bytes of one element."""
        return self.itemsize

    def is_floating_point(self) -> bool:
        """Whether the data type is a real floating-point one."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the data type is complex."""
        return self.dtype.is_complex

    # --- gradients ---------------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether operations on the tensor are recorded; can be set on leaves."""
        return self._array.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self._array.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Turn recording of this leaf on or off, in place."""
        self._array.requires_grad_(requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor is not the result of a recorded operation."""
        return self._array.is_leaf

    @property
    def grad(self) -> Tensor | None:
        """Gradient that ``backward()`` has accumulated, or None."""
        found = self._array.grad
        if found is None:
            self._gradient = None
        elif self._gradient is None or self._gradient._array is not found:
            self._gradient = wrap(found)
        return self._gradient

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        self._array.grad = raw(value)

    @property
    def grad_fn(self) -> Function | None:
        """Recorded operation that made the tensor, or None."""
        node = self._array.grad_fn
        return None if node is None else Function(node)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensor | Sequence[Tensor] | None = None,
    ) -> None:
        """Accumulate the gradient of this tensor into the ``.grad`` of every leaf it depends on.

        Parameters
        ----------
        gradient : Tensor, optional
            Cotangent of this tensor. Needed unless the tensor has one element.
        retain_graph : bool, optional
            Keep what the graph has saved; by default as `create_graph` says.
        create_graph : bool, default: False
            Record the computation of the gradients.
        inputs : Tensor or sequence of Tensor, optional
            Accumulate into these leaves only.
        """
        leaves = [inputs] if isinstance(inputs, Tensor) else inputs
        call(
            Array.backward,
            self,
            gradient,
            retain_graph=create_graph if retain_graph is None else retain_graph,
            create_graph=create_graph,
            inputs=None if leaves is None else list(leaves),
        )

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> _hooks.HookHandle:
        """Call a function with the gradient of this tensor in every ``backward()`` that reaches it."""
        return self._array.register_hook(lambda gradient: cast("Array | None", raw(hook(wrap(gradient)))))

    def retain_grad(self) -> None:
        """Keep the gradient of this tensor in ``.grad`` though it is not a leaf."""
        self._array.retain_grad()

    def detach(self) -> Tensor:
        """The same values without history, in the same memory."""
        return wrap(self._array.detach())

    @property
    def data(self) -> Tensor:
        """The same values without history, in the same memory; what is set is written into that memory."""
        return self.detach()

    @data.setter
    def data(self, value: Tensor) -> None:
        if value._array._data is not self._array._data:
            with ga.no_grad():
                write("data", self, value)

    # --- values ------------------------------------------------------------------------------------------------------

    def item(self) -> Any:
        """Value of a tensor of one element as a Python number."""
        return self._array.item()

    def tolist(self) -> Any:
        """Values as nested lists of Python numbers."""
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """NumPy array that shares the memory of an untracked tensor in the memory of the host.

        With `force` a tracked tensor, and one on another device, is taken too.

        Raises
        ------
        TrackedConversionError
            If the tensor requires grad.
        DeviceError
            If the tensor does not lie in the memory of the host.
        """
        if force:
            return self._array.detach().to_device("cpu").numpy()
        if self._array.requires_grad:
            raise _errors.TrackedConversionError(
                _errors.message(
                    "numpy",
                    "a tensor that requires grad does not turn into a NumPy array: its gradient would be lost",
                    [("x", self._array)],
                    "x.detach().numpy()",
                )
            )
        if self._array.device.type != "cpu":
            raise _errors.DeviceError(
                _errors.message(
                    "numpy", "the tensor does not lie in host memory", [("x", self._array)], "x.cpu().numpy()"
                )
            )
        return self._array.numpy()

    def to(self, *args: Any, **keywords: Any) -> Tensor:
        """The tensor on another device, in another data type, or both; itself if there is nothing to do.

        Parameters
        ----------
        *args
            A device, a data type, or both in this order; or a tensor whose device and data type are taken.
        dtype, device : optional
            The same by name.
        copy : bool, default: False
            Whether to copy even if there is nothing to do.
        non_blocking : bool, default: False
            Taken and not needed: work is ordered on streams as it is.
        """
        wanted: dict[str, Any] = {"device": None, "dtype": None}
        for part in args:
            if isinstance(part, Tensor):
                wanted = {"device": part._array.device, "dtype": part.dtype}
            else:
                is_dtype = isinstance(part, (_types.dtype, np.dtype, type))
                wanted["dtype" if is_dtype else "device"] = part
        again = keywords.pop("copy", False)
        keywords.pop("non_blocking", None)
        for name in keywords:
            if name not in wanted:
                raise _errors.ArgumentTypeError(f"to(): there is no argument {name!r}\nFix: use dtype, device or copy")
        wanted.update(keywords)
        own = _types.own_dtype(wanted["dtype"], "to")
        place = _types.own_device(wanted["device"]) or self._array.device
        found = self._array.to_device(place)
        if own is not None and own != found.dtype:
            return wrap(ga.astype(found, own))
        if found is self._array:
            return wrap(ga.asarray(found, copy=True)) if again else self
        return wrap(found)

    def cpu(self) -> Tensor:
        """The tensor in the memory of the host; itself if it is there."""
        return self if self.is_cpu else self.to("cpu")

    def cuda(self, device: Any = None) -> Tensor:
        """The tensor on a GPU; itself if it is there."""
        return self.to("cuda" if device is None else device)

    # --- axes --------------------------------------------------------------------------------------------------------

    @property
    def T(self) -> Tensor:
        """The tensor with its axes in reverse."""
        return wrap(ga.transpose(self._array))

    @property
    def mT(self) -> Tensor:
        """Transpose of each matrix of a stack."""
        return wrap(self._array.mT)

    @property
    def mH(self) -> Tensor:
        """Conjugate transpose of each matrix of a stack."""
        return wrap(ga.conj(self._array.mT))

    @property
    def H(self) -> Tensor:
        """Conjugate transpose of a matrix."""
        return wrap(ga.conj(self._array.T))

    @property
    def real(self) -> Tensor:
        """Real part, in the same memory."""
        return wrap(self._array.real)

    @property
    def imag(self) -> Tensor:
        """Imaginary part, in the same memory."""
        return wrap(self._array.imag)

    # --- Python's protocols ------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        return self._array.__index__()

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        return map(wrap, iter(self._array))

    def __contains__(self, value: Any) -> bool:
        return raw(value) in self._array

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return text_of(self)

    def __format__(self, spec: str) -> str:
        return format(self.item() if not self._array.shape else str(self), spec)

    def __copy__(self) -> Tensor:
        return wrap(copy.copy(self._array), type(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return wrap(copy.deepcopy(self._array, memo), type(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (self._array, type(self))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_missing.explain(name, "a tensor"), name=name, obj=self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self._array.__array__(dtype, copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return call(getattr(ufunc, method), *inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return call(function, *args, **kwargs)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return self._array.__dlpack_device__()

    # --- operators ---------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Tensor:
        return wrap(self._array[raw(key)])

    def __setitem__(self, key: Any, value: Any, /) -> None:
        write("setitem", self, value, raw(key))

    def __neg__(self) -> Tensor:
        return wrap(-self._array)

    def __pos__(self) -> Tensor:
        return self

    def __abs__(self) -> Tensor:
        return wrap(abs(self._array))

    def __invert__(self) -> Tensor:
        return wrap(~self._array)

    def __add__(self, other: Any, /) -> Tensor:
        return operator(ga.add, self, other)

    def __radd__(self, other: Any, /) -> Tensor:
        return operator(ga.add, other, self)

    def __iadd__(self, other: Any, /) -> Tensor:
        return update(ga.add, self, other)

    def __sub__(self, other: Any, /) -> Tensor:
        return operator(ga.subtract, self, other)

    def __rsub__(self, other: Any, /) -> Tensor:
        return operator(ga.subtract, other, self)

    def __isub__(self, other: Any, /) -> Tensor:
        return update(ga.subtract, self, other)

    def __mul__(self, other: Any, /) -> Tensor:
        return operator(ga.multiply, self, other)

    def __rmul__(self, other: Any, /) -> Tensor:
        return operator(ga.multiply, other, self)

    def __imul__(self, other: Any, /) -> Tensor:
        return update(ga.multiply, self, other)

    def __truediv__(self, other: Any, /) -> Tensor:
        return operator(ga.divide, self, other, floating=True)

    def __rtruediv__(self, other: Any, /) -> Tensor:
        return operator(ga.divide, other, self, floating=True)

    def __itruediv__(self, other: Any, /) -> Tensor:
        return update(ga.divide, self, other)

    def __floordiv__(self, other: Any, /) -> Tensor:
        return operator(ga.floor_divide, self, other)

    def __rfloordiv__(self, other: Any, /) -> Tensor:
        return operator(ga.floor_divide, other, self)

    def __ifloordiv__(self, other: Any, /) -> Tensor:
        return update(ga.floor_divide, self, other)

    def __mod__(self, other: Any, /) -> Tensor:
        return operator(ga.remainder, self, other)

    def __rmod__(self, other: Any, /) -> Tensor:
        return operator(ga.remainder, other, self)

    def __imod__(self, other: Any, /) -> Tensor:
        return update(ga.remainder, self, other)

    def __pow__(self, other: Any, /) -> Tensor:
        return operator(ga.pow, self, other)

    def __rpow__(self, other: Any, /) -> Tensor:
        return operator(ga.pow, other, self)

    def __ipow__(self, other: Any, /) -> Tensor:
        return update(ga.pow, self, other)

    def __matmul__(self, other: Any, /) -> Tensor:
        return matmul(self, other) if isinstance(other, (Tensor, Array)) else NotImplemented

    def __rmatmul__(self, other: Any, /) -> Tensor:
        return matmul(other, self) if isinstance(other, (Tensor, Array)) else NotImplemented

    def __and__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_and, self, other)

    def __rand__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_and, other, self)

    def __iand__(self, other: Any, /) -> Tensor:
        return update(ga.bitwise_and, self, other)

    def __or__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_or, self, other)

    def __ror__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_or, other, self)

    def __ior__(self, other: Any, /) -> Tensor:
        return update(ga.bitwise_or, self, other)

    def __xor__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_xor, self, other)

    def __rxor__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_xor, other, self)

    def __ixor__(self, other: Any, /) -> Tensor:
        return update(ga.bitwise_xor, self, other)

    def __lshift__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_left_shift, self, other)

    def __rshift__(self, other: Any, /) -> Tensor:
        return operator(ga.bitwise_right_shift, self, other)

    def __eq__(self, other: Any, /) -> Tensor:  # type: ignore[override]
        return operator(ga.equal, self, other)

    def __ne__(self, other: Any, /) -> Tensor:  # type: ignore[override]
        return operator(ga.not_equal, self, other)

    def __lt__(self, other: Any, /) -> Tensor:
        return operator(ga.less, self, other)

    def __le__(self, other: Any, /) -> Tensor:
        return operator(ga.less_equal, self, other)

    def __gt__(self, other: Any, /) -> Tensor:
        return operator(ga.greater, self, other)

    def __ge__(self, other: Any, /) -> Tensor:
        return operator(ga.greater_equal, self, other)


# The functions that the methods stand for need the class above: this cycle is closed here and nowhere else.
from ._calls import call, matmul, operator, raw, update, wrap, write  # noqa: E402
