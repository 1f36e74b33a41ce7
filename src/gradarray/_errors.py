"""Every exception and warning that gradarray raises, and the sentences that describe operands.

Each class also derives from the built-in exception that a NumPy or PyTorch user would expect to catch, so that
``except ValueError`` and its like keep working. A message names the function, the operands and the cure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class GradarrayError(Exception):
    """Base class of every exception that gradarray defines."""


class DTypeError(GradarrayError, TypeError):
    """A data type that the operation does not take."""


class ShapeError(GradarrayError, ValueError):
    """Shapes that do not fit together, or a shape that the operation does not take."""


class AxisError(GradarrayError, ValueError, IndexError):
    """An axis that the array does not have."""


class IndexingError(GradarrayError, IndexError):
    """An index that the array does not take."""


class ArgumentTypeError(GradarrayError, TypeError):
    """An argument of the wrong type."""


class ArgumentValueError(GradarrayError, ValueError):
    """An argument of the right type with a value that the operation does not take."""


class ForeignArrayError(ArgumentTypeError):
    """An array of another library where a gradarray array is expected."""


class ScalarOverflowError(GradarrayError, OverflowError):
    """A Python integer that the data type of the array cannot hold."""


class ReadOnlyError(GradarrayError, ValueError):
    """A write into memory that is read-only, or into a stretched view whose elements share one cell."""


class LinearAlgebraError(GradarrayError, np.linalg.LinAlgError):
    """A matrix for which the decomposition or solution does not exist; a ``numpy.linalg.LinAlgError`` too."""


class DeviceError(GradarrayError):
    """Anything that is wrong with a device; base class of the device errors."""


class UnknownDeviceError(DeviceError, ValueError):
    """A device that does not exist here, or text that names none."""


class MissingBackendError(DeviceError, ImportError):
    """A backend whose array library is not installed."""


class MissingExtraError(GradarrayError, ImportError):
    """A feature whose library is not installed."""


class DeviceMismatchError(DeviceError, ValueError, RuntimeError):
    """Operands on different devices.

    Attributes
    ----------
    op : str
        Name of the function that was called.
    operands : tuple of (str, array)
        The operands that took part, each with the name of its parameter.
    """

    def __init__(self, op: str, operands: Sequence[tuple[str, Any]]) -> None:
        self.op = op
        self.operands = tuple(operands)
        super().__init__(_mismatch_message(op, self.operands, self._fix))

    def __reduce__(self) -> tuple[type, tuple[str, tuple[tuple[str, Any], ...]]]:
        return type(self), (self.op, self.operands)

    @staticmethod
    def _fix(name: str, reference: str, device: Any) -> str:
        return f"{name}.to_device({reference}.device)"


class BackendMismatchError(DeviceMismatchError):
    """Operands in the same physical memory that belong to different array libraries."""

    @staticmethod
    def _fix(name: str, reference: str, device: Any) -> str:
        return f"gradarray.from_dlpack({name}, device={str(device)!r})"


class CopyRequiredError(GradarrayError, BufferError, ValueError):
    """``copy=False`` was asked for where only a copy can answer."""


class ExportError(GradarrayError, BufferError):
    """An array that cannot be exported through DLPack as it is."""


class TrackedConversionError(ArgumentTypeError):
    """A conversion that would drop the gradient of a tracked array in silence."""


class GradientError(GradarrayError, RuntimeError):
    """Anything that is wrong with a graph or a gradient; base class of the gradient errors."""


class NoDerivativeError(GradientError):
    """An operation without a derivative was given an array that requires grad."""


class FreedGraphError(GradientError):
    """Backward walked into a graph that an earlier backward has freed."""


class NonScalarGradientError(GradientError, ValueError):
    """``backward()`` of an array of several elements without a ``gradient``."""


class NotTrackedError(GradientError):
    """A gradient was asked of, or for, an array that is not part of any graph."""


class OverwrittenValueError(GradientError):
    """A value that backward needs was overwritten without recording."""


class LeafWriteError(GradientError):
    """A write, while recording, into a leaf that requires grad or into a view of one."""


class AnomalyError(GradientError):
    """A derivative came out as NaN while ``detect_anomaly`` was looking."""


class UndeterminedDerivativeWarning(UserWarning):
    """A derivative has terms that are not determined, and that were taken for 0."""


def describe(x: Any) -> str:
    """Dtype, shape, device and tracking of one operand, in the words of the error messages."""
    if hasattr(x, "_device") and hasattr(x, "dtype"):
        tracked = "  requires_grad" if x.requires_grad else ""
        return f"{x.dtype!s} {tuple(x.shape)} {x.device}{tracked}"
    if hasattr(x, "dtype") and hasattr(x, "shape"):
        kind = type(x)
        return f"{kind.__module__}.{kind.__qualname__} {x.dtype!s} {tuple(x.shape)}"
    if isinstance(x, (bool, int, float, complex, str)) or x is None:
        text = repr(x)
        return f"{type(x).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
    return f"{type(x).__module__}.{type(x).__qualname__}"


def operand_lines(operands: Sequence[tuple[str, Any]]) -> str:
    """One indented line per operand: its name and its description."""
    width = max((len(name) for name, _ in operands), default=0)
    return "\n".join(f"  {name:<{width}}  {describe(x)}" for name, x in operands)


def message(op: str, problem: str, operands: Sequence[tuple[str, Any]], fix: str | None = None) -> str:
    """The full text of an error: function and problem, the operands, the cure."""
    lines = [f"{op}(): {problem}"]
    if operands:
        lines.append(operand_lines(operands))
    if fix:
        lines.append(f"Fix: {fix}")
    return "\n".join(lines)


def _mismatch_message(op: str, operands: tuple[tuple[str, Any], ...], fix: Any) -> str:
    reference, first = operands[0]
    devices = list(dict.fromkeys(x.device for _, x in operands))
    width = max(len(name) for name, _ in operands)
    lines = [f"{op}(): operands are on {len(devices)} devices; gradarray never copies between devices implicitly"]
    fixes = []
    for name, x in operands:
        differs = x.device is not first.device
        dtype_shape = f"{x.dtype!s} {tuple(x.shape)}"
        lines.append(
            f"  {name:<{width}}  {dtype_shape:<24} {x.device!s:<14}"
            f"{'  requires_grad' if x.requires_grad else ''}{'  <-- differs' if differs else ''}".rstrip()
        )
        if differs:
            fixes.append(fix(name, reference, first.device))
    lines.append("Fix: " + "; ".join(fixes))
    return "\n".join(lines)
