"""What an array library must provide to hold gradarray's data, and the registry of those that do.

A backend is found through the entry-point group ``gradarray.backends`` and loaded when its name is first used. The core
never imports one by name. ``gradarray.testing.check_backend`` checks the laws that are written here.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dtypes
from ._dtypes import DType
from ._errors import ArgumentValueError, MissingBackendError, UnknownDeviceError
from ._kernels import RuleNamespace

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: A place within a backend: a device type and an index, which is None where there is only one.
Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class MemoryInfo:
    """Figures of a device's memory in bytes (what `memory_info` returns); None where they are not known.

    Attributes
    ----------
    used
        In arrays that are alive.
    reserved
        Taken from the system by the library: `used`, and what it keeps for later arrays.
    free, total
        Of the device as a whole, for every process.
    """

    used: int | None = None
    reserved: int | None = None
    free: int | None = None
    total: int | None = None


class Backend(ABC):
    """One array library, seen through the few verbs that gradarray needs.

    "Raw" means an array of the library itself. Every member states its law; everything that has a body here is generic
    and may be overridden where the library has something better.
    """

    #: The name in front of the colon of a device.
    name: str
    #: The class of raw arrays. Every kernel's result is, or is made by `wrap` into, exactly this type.
    array_type: type
    #: True if the kernels themselves promote mixed operands and Python scalars by the rule of `_dtypes`.
    promotes: bool = False
    #: True if raw arrays are never written: `write`, `updater` and `snapshot` are not called then, and a write makes
    #: new arrays with the kernel ``assign``.
    immutable: bool = False
    #: True if a slice with a negative step is a view; if not, it is a copy.
    reverses: bool = True
    #: True if work is deferred until `compute`.
    is_lazy: bool = False
    #: True if work is queued on streams that need not wait for one another.
    has_streams: bool = False
    #: What `constant` has made and keeps, by scalar and raw dtype.
    constants: dict[tuple[Any, Any], Any]
    #: The standard over raw arrays: every function of the standard, its signatures, `linalg` and `fft`.
    xp: Any
    #: `xp` as derivative rules see it: with the extras of `RuleNamespace`.
    rule_namespace: Any

    def __init__(self) -> None:
        self.constants = {}
        self.rule_namespace = RuleNamespace(self)

    # --- where -------------------------------------------------------------------------------------------------------

    @abstractmethod
    def devices(self) -> tuple[Place, ...]:
        """Every usable place, the default one first. Law: never empty, always the same."""

    @abstractmethod
    def place_of(self, raw: Any) -> Place:
        """Where a raw array lies. Law: a member of `devices()`."""

    @abstractmethod
    def raw_device(self, place: Place) -> Any:
        """The library's own device object. Law: `recognize(raw_device(p)) == p`."""

    def recognize(self, device: Any) -> Place | None:
        """The place that a library's own device object stands for; None for anything else."""
        for place in self.devices():
            try:
                if type(device) is type(self.raw_device(place)) and device == self.raw_device(place):
                    return place
            except Exception:  # a foreign __eq__ may do anything; a device that cannot be compared is not ours
                continue
        return None

    # --- dtypes ------------------------------------------------------------------------------------------------------

    def dtype(self, raw_dtype: Any) -> DType:
        """The gradarray dtype of a raw dtype. Law: the inverse of `raw_dtype`."""
        return _dtypes.as_dtype(raw_dtype)

    def raw_dtype(self, dtype: DType) -> Any:
        """The library's dtype for a gradarray dtype, and for itself. Law: DTypeError where the library has none."""
        return dtype

    def dtypes(self, place: Place) -> tuple[DType, ...]:
        """The dtypes that arrays at `place` can have. Law: at least the standard's where the library has them."""
        return _dtypes.STANDARD

    def default_dtypes(self, place: Place) -> dict[str, DType]:
        """The dtype of each of the standard's four kinds of default at `place`."""
        return dict(_dtypes.DEFAULTS)

    # --- kernels -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def kernel(self, name: str) -> Callable[..., Any]:
        """The raw function of an operation. Law: the standard's values, shapes and special cases; parameters by the
        standard's names, with gradarray dtypes; a new array or a view, never a changed operand."""

    def scipy(self, name: str) -> Callable[..., Any] | None:
        """The library's own function for one of SciPy's, by its name there (``"special.gamma"``); None if it has none.
        Law: SciPy's values to the precision of the dtype, special cases included. What a library does not have is
        computed by SciPy on the host."""
        return None

    @abstractmethod
    def wrap(self, result: Any) -> Any:
        """A kernel's result as a raw array, where the library answers 0-d with scalars of its own."""

    def constant(self, scalar: Any, raw: Any) -> Any:
        """A real Python scalar as a kernel best takes it beside a raw array. Law: the kernel's result stays the same;
        the answer may be shared and is never written."""
        return scalar

    # --- in and out --------------------------------------------------------------------------------------------------

    @abstractmethod
    def from_numpy(self, array: np.ndarray[Any, Any], place: Place, *, copy: bool | None) -> Any:
        """A raw array with the values of a NumPy array. Law: shares memory only where writes are seen both ways, never
        if `copy` is True; CopyRequiredError if `copy` is False and it cannot."""

    @abstractmethod
    def to_numpy(self, raw: Any, *, copy: bool | None) -> np.ndarray[Any, Any]:
        """A NumPy array with the values of a raw one; `copy` as in `from_numpy`."""

    @abstractmethod
    def from_dlpack(self, producer: Any, place: Place | None, *, copy: bool | None) -> Any:
        """Import an object that has `__dlpack__`. Law: zero-copy where the memory allows; `copy` as in `from_numpy`."""

    def to_dlpack(self, raw: Any, **keywords: Any) -> Any:
        """A capsule for another library; only the keywords that the consumer gave. Law: BufferError rather than a
        silent copy where ``copy=False``, and never a capsule that a consumer is known to die of."""
        return raw.__dlpack__(**keywords)

    @abstractmethod
    def copy(self, raw: Any) -> Any:
        """A raw array with its own memory. Law: writes to one are never seen by the other."""

    def move(self, raw: Any, place: Place) -> Any:
        """The values at another place of the same backend. Law: `raw` itself if it lies there already."""
        if self.place_of(raw) == place:
            return raw
        return self.from_numpy(self.to_numpy(raw, copy=None), place, copy=True)

    # --- memory ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def owner(self, raw: Any) -> Any:
        """The object that owns the memory of a raw array. Law: the same object for every view of one buffer."""

    @abstractmethod
    def is_writable(self, raw: Any) -> bool:
        """Whether `write` may be called. Law: False for read-only memory and for stretched views."""

    @abstractmethod
    def write(self, raw: Any, key: Any, value: Any) -> None:
        """``raw[key] = value`` in place, broadcasting; the value has the array's dtype or is a Python scalar."""

    def updater(self, name: str, raw: Any, other: Any) -> Callable[[], Any] | None:
        """A function that does ``raw op= other`` without a temporary; None where there is no better way than to write
        the result. Law: None unless the result has the shape and dtype of `raw`."""
        return None

    def snapshot(self, raw: Any) -> Callable[[Any], Any] | None:
        """Copy the whole buffer that `raw` belongs to. Returns a function that takes any raw array of that buffer and
        gives the same array over the copy, or None where the library does not show its strides. Law: later writes to
        the buffer do not change what the function gives."""
        return None

    def is_owner(self, raw: Any) -> bool:
        """Whether a raw array owns its buffer. Law: True only if nothing but `raw` and its views holds the buffer."""
        return False

    def references(self, raw: Any) -> int | None:
        """How many references there are to a raw array; None where that is not known. Law: one more for every holder
        of the array and, if it owns its buffer, of a view of it."""
        return None

    def shares_memory(self, first: Any, second: Any) -> bool:
        """Whether two raw arrays belong to one buffer."""
        return self.owner(first) is self.owner(second)

    # --- running -----------------------------------------------------------------------------------------------------

    def quiet(self) -> AbstractContextManager[Any]:
        """A context in which floating-point warnings are silent: derivative rules divide by zero on purpose."""
        return nullcontext()

    def current_stream(self, place: Place) -> Any:
        """The stream on which this thread's work at `place` is queued. Law: None for the default one."""
        return None

    def current_place(self) -> Place | None:
        """The one place that this thread works at now, whatever the operands; None if the library has no such thing."""
        return None

    def on_stream(self, place: Place, stream: Any) -> AbstractContextManager[Any]:
        """A context in which this thread works at `place`, on a stream; None is the default one."""
        return nullcontext()

    def wait_for(  # noqa: B027 - nothing to do where there are no streams
        self, place: Place, stream: Any, other_place: Place, other: Any
    ) -> None:
        """Let what is queued from now on at one place and stream begin after what is queued so far at another."""

    def set_float32_matmul_precision(self, precision: str) -> None:  # noqa: B027 - as above
        """How exactly products of float32 matrices are computed: "highest" or "high". Law: no effect where the library
        has one way only."""

    def memory_info(self, place: Place) -> MemoryInfo:
        """Figures of the memory at `place`. Law: None for each that the library does not tell."""
        return MemoryInfo()

    def compute(self, *raws: Any) -> tuple[Any, ...]:
        """The values of lazy arrays, in one pass; the arrays themselves where nothing is lazy."""
        return raws


_lock = threading.RLock()
_backends: dict[str, Backend] = {}
_entry_points: dict[str, EntryPoint] | None = None


def _found() -> dict[str, EntryPoint]:
    global _entry_points
    if _entry_points is None:
        from importlib.metadata import entry_points  # not at import: it costs a quarter of NumPy's

        _entry_points = {point.name: point for point in entry_points(group="gradarray.backends")}
    return _entry_points


def names() -> tuple[str, ...]:
    """The name of every backend that is installed or registered, loaded or not."""
    return tuple(dict.fromkeys((*_backends, *_found())))


def register(backend: Backend) -> None:
    """Make a backend known under its name without an entry point.

    Parameters
    ----------
    backend : Backend
        The backend. It takes the place of one of the same name that no device has been made of yet.
    """
    with _lock:
        _backends[backend.name] = backend


def load(name: str) -> Backend:
    """The backend of the given name, loaded at its first use, once, whatever the number of threads."""
    try:
        return _backends[name]
    except KeyError:
        pass
    with _lock:
        if name in _backends:
            return _backends[name]
        point = _found().get(name)
        if point is None:
            raise UnknownDeviceError(
                f"device: there is no backend {name!r} here\nFix: use one of {', '.join(map(repr, names()))}"
            )
        try:
            backend: Backend = point.load()()
        except MissingBackendError:
            raise  # the library is there, but not what it needs
        except ImportError as error:
            raise MissingBackendError(
                f"device: the backend {name!r} needs a library that is not installed ({error})\n"
                f"Fix: pip install 'gradarray[{name}]'"
            ) from error
        if _precision is not None:
            backend.set_float32_matmul_precision(_precision)
        _backends[name] = backend
        return backend


_precision: str | None = None


def set_float32_matmul_precision(precision: str) -> None:
    """Set how exactly products of float32 matrices are computed, on every backend that has more than one way.

    Affects the whole process, and the libraries beneath themselves.

    Parameters
    ----------
    precision : {"highest", "high"}
        ``"highest"``, the default: in float32. ``"high"``: in a faster format with fewer digits where the hardware has
        one, such as TensorFloat-32 on NVIDIA's GPUs, which has 10 bits of mantissa. It holds for backward too.

    Raises
    ------
    ArgumentValueError
        If `precision` is something else.
    """
    global _precision
    if precision not in ("highest", "high"):
        raise ArgumentValueError(
            f"set_float32_matmul_precision(): there is no precision {precision!r}\nFix: use 'highest' or 'high'"
        )
    with _lock:
        _precision = precision
        for backend in _backends.values():
            backend.set_float32_matmul_precision(precision)


def loaded() -> tuple[Backend, ...]:
    """Every backend that is loaded, NumPy's first."""
    load("numpy")
    return tuple(sorted(_backends.values(), key=lambda backend: backend.name != "numpy"))
