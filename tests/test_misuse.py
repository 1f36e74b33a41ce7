"""Bad input: each gets a typed error that names the function, what was given and the cure, and changes nothing."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gradarray as ga


@dataclass(frozen=True)
class Misuse:
    """A call that must fail: with which exception (of ours, and the built-in that it also is), saying what."""

    name: str
    call: Any
    error: type
    builtin: type
    text: str


def _freed(o):
    y = ga.sum(o.x * o.x)
    y.backward()
    o.x.grad = None
    y.backward()


def _freed_part(o):
    h = o.x * o.x
    ga.sum(h).backward()
    o.x.grad = None
    ga.sum(h * 2.0).backward()


def _overwritten(o):
    h = o.x * 1.0
    y = ga.sum(h * h)
    with ga.no_grad():
        h += 1.0
    y.backward()


class Foreign:
    """An array of a library that gradarray does not know."""

    dtype = "float32"
    shape = (2,)

    def __dlpack__(self, **keywords):
        raise AssertionError("must not be asked")

    def __dlpack_device__(self):
        return 1, 0


MISUSES = [
    # wrong types
    Misuse(
        "add of a list",
        lambda o: ga.add(o.x, [1.0, 2.0]),
        ga.ArgumentTypeError,
        TypeError,
        r"add\(\): x2 is not an array(.|\n)*gradarray.asarray\(x2\)",
    ),
    Misuse("add of None", lambda o: ga.add(None, o.x), ga.ArgumentTypeError, TypeError, r"add\(\)"),
    Misuse("add of a string", lambda o: ga.add(o.x, "1"), ga.ArgumentTypeError, TypeError, r"x2 is not an array"),
    Misuse(
        "two scalars",
        lambda o: ga.multiply(2.0, 3.0),
        ga.ArgumentTypeError,
        TypeError,
        r"at least one operand must be an array",
    ),
    Misuse(
        "scalar to a function of one array",
        lambda o: ga.exp(1.0),
        ga.ArgumentTypeError,
        TypeError,
        r"exp\(\): at least one operand must be an array",
    ),
    Misuse(
        "foreign array",
        lambda o: ga.add(o.x, Foreign()),
        ga.ForeignArrayError,
        TypeError,
        r"another library(.|\n)*from_dlpack\(x2\)",
    ),
    Misuse("foreign array in an operator", lambda o: o.x * Foreign(), ga.ForeignArrayError, TypeError, r"from_dlpack"),
    Misuse(
        "foreign array to asarray",
        lambda o: ga.asarray(Foreign()),
        ga.ForeignArrayError,
        TypeError,
        r"from_dlpack\(obj\)",
    ),
    Misuse("asarray of text", lambda o: ga.asarray("text"), ga.ArgumentTypeError, TypeError, r"asarray\(\)"),
    Misuse(
        "asarray of a list of text",
        lambda o: ga.asarray(["a", "b"]),
        ga.DTypeError,
        TypeError,
        r"values of type str are not numbers",
    ),
    Misuse("asarray of None", lambda o: ga.asarray(None), ga.ArgumentTypeError, TypeError, r"asarray\(\)"),
    Misuse("asarray of a ragged list", lambda o: ga.asarray([[1.0], [1.0, 2.0]]), ga.ShapeError, ValueError, r"ragged"),
    Misuse("asarray of ragged arrays", lambda o: ga.asarray([o.x, o.scalar]), ga.ShapeError, ValueError, r"ragged"),
    Misuse(
        "asarray of objects",
        lambda o: ga.asarray(np.asarray([None, 1], dtype=object)),
        ga.DTypeError,
        TypeError,
        r"not a data type that gradarray has",
    ),
    Misuse(
        "asarray of dates",
        lambda o: ga.asarray(np.asarray(["2020-01-01"], dtype="M8[D]")),
        ga.DTypeError,
        TypeError,
        r"not a data type",
    ),
    Misuse(
        "from_dlpack of a list",
        lambda o: ga.from_dlpack([1.0]),
        ga.ArgumentTypeError,
        TypeError,
        r"no __dlpack__(.|\n)*asarray",
    ),
    Misuse("concat of an array", lambda o: ga.concat(3.0), ga.ArgumentTypeError, TypeError, r"concat\(\)"),
    Misuse("concat of nothing", lambda o: ga.concat([]), ga.GradarrayError, Exception, r"concat\(\)"),
    Misuse(
        "stack of a list of lists",
        lambda o: ga.stack([[1.0], [2.0]]),
        ga.ArgumentTypeError,
        TypeError,
        r"stack\(\): arrays\[0\] is not an array",
    ),
    # dtypes
    Misuse(
        "unknown dtype name",
        lambda o: ga.zeros(2, dtype="float33"),
        ga.DTypeError,
        TypeError,
        r"'float33' is not a data type(.|\n)*float64",
    ),
    Misuse("dtype that is none", lambda o: ga.zeros(2, dtype=3), ga.DTypeError, TypeError, r"not a data type"),
    Misuse(
        "bitwise of floats",
        lambda o: ga.bitwise_and(o.plain, o.plain),
        ga.DTypeError,
        TypeError,
        r"bitwise_and\(\)(.|\n)*float64",
    ),
    Misuse("invert of floats", lambda o: ~o.plain, ga.DTypeError, TypeError, r"bitwise_invert\(\)"),
    Misuse("shift of floats", lambda o: o.plain << 1, ga.DTypeError, TypeError, r"bitwise_left_shift\(\)"),
    Misuse("subtract of booleans", lambda o: o.flags - o.flags, ga.DTypeError, TypeError, r"subtract\(\)"),
    Misuse("floor of complex", lambda o: ga.floor(o.complex), ga.DTypeError, TypeError, r"floor\(\)"),
    Misuse("order of complex", lambda o: o.complex < o.complex, ga.DTypeError, TypeError, r"less\(\)"),
    Misuse("complex to real", lambda o: ga.astype(o.complex, ga.float64), ga.DTypeError, TypeError, r"astype\(\)"),
    Misuse(
        "complex list as float", lambda o: ga.asarray([1j], dtype=ga.float64), ga.DTypeError, TypeError, r"without loss"
    ),
    Misuse(
        "NaN as integer",
        lambda o: ga.asarray([float("nan")], dtype=ga.int64),
        ga.DTypeError,
        TypeError,
        r"without loss",
    ),
    Misuse(
        "fraction fills integers",
        lambda o: ga.full(2, 1.5, dtype=ga.int64),
        ga.DTypeError,
        TypeError,
        r"full\(\)(.|\n)*without loss",
    ),
    Misuse(
        "integer requires grad",
        lambda o: ga.asarray([1], requires_grad=True),
        ga.DTypeError,
        TypeError,
        r"only real and complex floating-point arrays can require grad",
    ),
    Misuse(
        "isdtype of an unknown kind",
        lambda o: ga.isdtype(ga.float64, "fractional"),
        ga.GradarrayError,
        TypeError,
        r"'fractional' is not a kind",
    ),
    Misuse("finfo of an integer", lambda o: ga.finfo(ga.int32), ga.DTypeError, TypeError, r"finfo\(\): int32"),
    Misuse("iinfo of a float", lambda o: ga.iinfo(ga.float32), ga.DTypeError, TypeError, r"iinfo\(\): float32"),
    Misuse(
        "result_type of nothing",
        lambda o: ga.result_type(),
        ga.ArgumentTypeError,
        TypeError,
        r"result_type\(\): nothing was given",
    ),
    # numbers out of range
    Misuse(
        "scalar out of range", lambda o: o.small + 300, ga.ScalarOverflowError, OverflowError, r"add\(\)(.|\n)*int8"
    ),
    Misuse(
        "list out of range",
        lambda o: ga.asarray([300], dtype=ga.int8),
        ga.ScalarOverflowError,
        OverflowError,
        r"asarray\(\)",
    ),
    Misuse(
        "larger than any integer", lambda o: ga.asarray(2**64), ga.ScalarOverflowError, OverflowError, r"asarray\(\)"
    ),
    Misuse(
        "assigned out of range",
        lambda o: o.small.__setitem__(0, 300),
        ga.ScalarOverflowError,
        OverflowError,
        r"setitem\(\)(.|\n)*int8",
    ),
    # shapes
    Misuse(
        "shapes do not broadcast",
        lambda o: o.x + ga.ones(3),
        ga.ShapeError,
        ValueError,
        r"add\(\)(.|\n)*\(2,\)(.|\n)*\(3,\)",
    ),
    Misuse("negative length", lambda o: ga.zeros((2, -1)), ga.ShapeError, ValueError, r"zeros\(\)(.|\n)*negative"),
    Misuse("fractional length", lambda o: ga.zeros(2.5), ga.ArgumentTypeError, TypeError, r"shape must be an integer"),
    Misuse("reshape to another size", lambda o: ga.reshape(o.x, (3,)), ga.ShapeError, ValueError, r"reshape\(\)"),
    Misuse(
        "reshape with two unknowns",
        lambda o: ga.reshape(o.x, (-1, -1)),
        ga.ShapeError,
        ValueError,
        r"several lengths of -1",
    ),
    Misuse(
        "broadcast_to a smaller shape",
        lambda o: ga.broadcast_to(o.x, (3,)),
        ga.ShapeError,
        ValueError,
        r"broadcast_to\(\)",
    ),
    Misuse(
        "broadcast_shapes",
        lambda o: ga.broadcast_shapes((2,), (3,)),
        ga.ShapeError,
        ValueError,
        r"broadcast_shapes\(\)",
    ),
    Misuse(
        "concat of unequal shapes",
        lambda o: ga.concat([ga.ones((2, 2)), ga.ones((2, 3))]),
        ga.ShapeError,
        ValueError,
        r"concat\(\)(.|\n)*arrays\[1\]",
    ),
    Misuse(
        "stack of unequal shapes", lambda o: ga.stack([ga.ones(2), ga.ones(3)]), ga.ShapeError, ValueError, r"stack\(\)"
    ),
    Misuse(
        "matmul of unequal lengths",
        lambda o: ga.ones((2, 3)) @ ga.ones((2, 3)),
        ga.ShapeError,
        ValueError,
        r"matmul\(\)",
    ),
    Misuse("matmul of a 0-d array", lambda o: o.x @ o.scalar, ga.ShapeError, ValueError, r"matmul\(\)"),
    Misuse("squeeze of a long axis", lambda o: ga.squeeze(o.x, axis=0), ga.ShapeError, ValueError, r"squeeze\(\)"),
    Misuse(
        "transpose of three axes", lambda o: ga.ones((1, 2, 3)).T, ga.ShapeError, ValueError, r"only a 2-D array has it"
    ),
    Misuse("inverse of a row", lambda o: ga.linalg.inv(o.x), ga.ShapeError, ValueError, r"inv\(\)"),
    Misuse(
        "determinant of a rectangle", lambda o: ga.linalg.det(ga.ones((2, 3))), ga.ShapeError, ValueError, r"det\(\)"
    ),
    Misuse(
        "item of several", lambda o: o.x.item(), ga.ShapeError, ValueError, r"item\(\): only an array of one element"
    ),
    Misuse(
        "bool of several", lambda o: bool(o.x), ga.ShapeError, ValueError, r"bool\(\): only an array of one element"
    ),
    Misuse(
        "in place to another shape",
        lambda o: o.plain.__iadd__(ga.ones((3, 2))),
        ga.ShapeError,
        ValueError,
        r"in place the shape cannot change",
    ),
    Misuse(
        "len of a 0-d array",
        lambda o: len(o.scalar),
        ga.ArgumentTypeError,
        TypeError,
        r"len\(\): a 0-d array has no length",
    ),
    Misuse(
        "iteration over a 0-d array",
        lambda o: list(o.scalar),
        ga.ArgumentTypeError,
        TypeError,
        r"0-d array cannot be iterated",
    ),
    # axes and indices
    Misuse(
        "axis out of range", lambda o: ga.sum(o.x, axis=1), ga.AxisError, ValueError, r"sum\(\): axis 1 is out of range"
    ),
    Misuse(
        "axis twice", lambda o: ga.sum(ga.ones((2, 2)), axis=(0, -2)), ga.AxisError, ValueError, r"names an axis twice"
    ),
    Misuse(
        "axis of a wrong type",
        lambda o: ga.sum(o.x, axis=0.5),
        ga.ArgumentTypeError,
        TypeError,
        r"axis must be an integer",
    ),
    Misuse("flip out of range", lambda o: ga.flip(o.x, axis=3), ga.AxisError, ValueError, r"flip\(\)"),
    Misuse(
        "permutation of other axes",
        lambda o: ga.permute_dims(o.x, (0, 1)),
        ga.GradarrayError,
        ValueError,
        r"permute_dims\(\)",
    ),
    Misuse(
        "expand_dims out of range", lambda o: ga.expand_dims(o.x, axis=5), ga.AxisError, IndexError, r"expand_dims\(\)"
    ),
    Misuse("index out of range", lambda o: o.x[5], ga.IndexingError, IndexError, r"getitem\(\)"),
    Misuse("too many indices", lambda o: o.x[0, 0], ga.IndexingError, IndexError, r"getitem\(\)"),
    Misuse(
        "fractional index",
        lambda o: o.x[1.5],
        ga.IndexingError,
        IndexError,
        r"an index must be an integer(.|\n)*float 1.5",
    ),
    Misuse(
        "fractional index array",
        lambda o: o.x[o.plain],
        ga.IndexingError,
        IndexError,
        r"an index must be an integer(.|\n)*float64",
    ),
    Misuse("fractional slice", lambda o: o.x[0.5:], ga.IndexingError, IndexError, r"an index must be an integer"),
    Misuse(
        "mask of another shape",
        lambda o: o.x[ga.asarray([True, False, True])],
        ga.IndexingError,
        IndexError,
        r"getitem\(\)",
    ),
    Misuse(
        "take out of range", lambda o: ga.take(o.x, ga.asarray([7]), axis=0), ga.IndexingError, IndexError, r"take\(\)"
    ),
    Misuse("take at fractions", lambda o: ga.take(o.x, o.plain, axis=0), ga.GradarrayError, Exception, r"take\(\)"),
    Misuse(
        "fraction as index of a list",
        lambda o: [1, 2][ga.asarray(1.0)],
        ga.DTypeError,
        TypeError,
        r"only an integer array is an index",
    ),
    # values of arguments
    Misuse("step of zero", lambda o: ga.arange(0, 3, 0), ga.ArgumentValueError, ValueError, r"arange\(\): step is 0"),
    Misuse(
        "negative number of values",
        lambda o: ga.linspace(0.0, 1.0, -1),
        ga.ArgumentValueError,
        ValueError,
        r"linspace\(\): num is -1",
    ),
    Misuse(
        "arange of a tracked end",
        lambda o: ga.arange(o.tracked_scalar),
        ga.NoDerivativeError,
        RuntimeError,
        r"arange\(\)(.|\n)*item\(\)",
    ),
    Misuse(
        "indexing of meshgrid",
        lambda o: ga.meshgrid(o.x, indexing="yx"),
        ga.ArgumentValueError,
        ValueError,
        r"meshgrid\(\): indexing is 'yx'",
    ),
    Misuse("negative repeats", lambda o: ga.repeat(o.x, -1), ga.GradarrayError, ValueError, r"repeat\(\)"),
    Misuse("norm of an fft", lambda o: ga.fft.fft(o.x, norm="both"), ga.ArgumentValueError, ValueError, r"fft\(\)"),
    Misuse(
        "side of searchsorted",
        lambda o: ga.searchsorted(o.plain, o.plain, side="middle"),
        ga.ArgumentValueError,
        ValueError,
        r"searchsorted\(\)",
    ),
    Misuse(
        "version of the standard",
        lambda o: o.x.__array_namespace__(api_version="1999.12"),
        ga.ArgumentValueError,
        ValueError,
        r"no version '1999.12'",
    ),
    Misuse(
        "singular matrix",
        lambda o: ga.linalg.inv(ga.zeros((2, 2))),
        ga.LinearAlgebraError,
        ValueError,
        r"inv\(\)(.|\n)*[Ss]ingular",
    ),
    Misuse(
        "not positive definite",
        lambda o: ga.linalg.cholesky(-ga.eye(2)),
        ga.LinearAlgebraError,
        ValueError,
        r"cholesky\(\)",
    ),
    # devices
    Misuse(
        "unknown device",
        lambda o: ga.zeros(2, device="gpu9"),
        ga.UnknownDeviceError,
        ValueError,
        r"no device 'gpu9'(.|\n)*'cpu'",
    ),
    Misuse(
        "device of a wrong type", lambda o: ga.zeros(2, device=7), ga.ArgumentTypeError, TypeError, r"is not a device"
    ),
    Misuse("two devices", lambda o: o.x + o.far, ga.DeviceMismatchError, RuntimeError, r"x2\.to_device\(x1\.device\)"),
    # copies
    Misuse(
        "list without a copy",
        lambda o: ga.asarray([1.0], copy=False),
        ga.CopyRequiredError,
        ValueError,
        r"can only be copied",
    ),
    Misuse(
        "cast without a copy",
        lambda o: ga.asarray(o.plain, dtype=ga.float32, copy=False),
        ga.CopyRequiredError,
        BufferError,
        r"needs a copy",
    ),
    Misuse(
        "reshape without a copy",
        lambda o: ga.reshape(ga.ones((2, 3)).T, (6,), copy=False),
        ga.CopyRequiredError,
        ValueError,
        r"reshape\(\)",
    ),
    # writes
    Misuse("write into a leaf", lambda o: o.x.__setitem__(0, 1.0), ga.LeafWriteError, RuntimeError, r"no_grad"),
    Misuse(
        "write into a stretched view",
        lambda o: ga.broadcast_to(o.plain, (3, 2)).__setitem__(0, 1.0),
        ga.ReadOnlyError,
        ValueError,
        r"write into a copy",
    ),
    Misuse(
        "write of an unfitting shape",
        lambda o: o.plain.__setitem__(slice(None), ga.ones(3)),
        ga.ShapeError,
        ValueError,
        r"setitem\(\)",
    ),
    Misuse(
        "write of a complex number into integers",
        lambda o: o.small.__setitem__(0, 0.5j),
        ga.DTypeError,
        TypeError,
        r"without loss",
    ),
    Misuse("write at a bad index", lambda o: o.plain.__setitem__(9, 0.5), ga.IndexingError, IndexError, r"setitem\(\)"),
    Misuse(
        "write of a foreign array",
        lambda o: o.plain.__setitem__(0, Foreign()),
        ga.ForeignArrayError,
        TypeError,
        r"from_dlpack",
    ),
    # gradients
    Misuse(
        "backward without history",
        lambda o: ga.sum(o.plain).backward(),
        ga.NotTrackedError,
        RuntimeError,
        r"depends on nothing that requires grad(.|\n)*requires_grad=True",
    ),
    Misuse(
        "backward of several elements",
        lambda o: (o.x * 2.0).backward(),
        ga.NonScalarGradientError,
        RuntimeError,
        r"needs a gradient",
    ),
    Misuse(
        "backward of a complex result",
        lambda o: ga.sum(o.x * 1j).backward(),
        ga.NonScalarGradientError,
        ValueError,
        r"a complex result needs a gradient",
    ),
    Misuse("backward twice", _freed, ga.FreedGraphError, RuntimeError, r"retain_graph=True"),
    Misuse("backward into a freed part", _freed_part, ga.FreedGraphError, RuntimeError, r"multiply\(\)"),
    Misuse(
        "gradient of another shape",
        lambda o: (o.x * 2.0).backward(ga.ones(3)),
        ga.ShapeError,
        ValueError,
        r"gradient must have the array's shape",
    ),
    Misuse(
        "gradient of another dtype",
        lambda o: (o.x * 2.0).backward(ga.ones(2, dtype=ga.float32)),
        ga.DTypeError,
        TypeError,
        r"gradient must have the array's data type",
    ),
    Misuse(
        "gradient that is a list",
        lambda o: (o.x * 2.0).backward([1.0, 1.0]),
        ga.ArgumentTypeError,
        TypeError,
        r"gradient must be an array",
    ),
    Misuse(
        "inputs that are no leaves",
        lambda o: ga.sum(o.x).backward(inputs=[o.x * 1.0]),
        ga.NotTrackedError,
        RuntimeError,
        r"inputs\[0\] is not a leaf",
    ),
    Misuse(
        "grad of another shape",
        lambda o: setattr(o.x, "grad", ga.ones(3)),
        ga.ShapeError,
        ValueError,
        r"value must have the array's shape",
    ),
    Misuse(
        "grad of an untracked array",
        lambda o: setattr(o.plain, "grad", ga.ones(2)),
        ga.NotTrackedError,
        RuntimeError,
        r"only a leaf",
    ),
    Misuse("overwritten value", _overwritten, ga.OverwrittenValueError, RuntimeError, r"multiply\(\)(.|\n)*Fix"),
    Misuse(
        "result stops requiring grad",
        lambda o: (o.x * 1.0).requires_grad_(False),
        ga.GradientError,
        RuntimeError,
        r"detach",
    ),
    Misuse(
        "tracked array to NumPy",
        lambda o: np.asarray(o.x),
        ga.TrackedConversionError,
        TypeError,
        r"x\.detach\(\)\.numpy\(\)",
    ),
    Misuse("tracked array to DLPack", lambda o: o.x.__dlpack__(), ga.ExportError, BufferError, r"x\.detach\(\)"),
    Misuse(
        "tracked array to a NumPy function",
        lambda o: np.frompyfunc(float, 1, 1)(o.x),
        ga.TrackedConversionError,
        TypeError,
        r"no equivalent",
    ),
    Misuse("int of a complex number", lambda o: int(ga.asarray(1j)), ga.DTypeError, TypeError, r"int\(\)"),
    Misuse("float of a complex number", lambda o: float(ga.asarray(1j)), ga.DTypeError, TypeError, r"float\(\)"),
]


class Operands:
    """What the calls above are given, fresh for each."""

    def __init__(self):
        self.x = ga.asarray([1.0, 2.0], requires_grad=True)
        self.plain = ga.asarray([1.0, 2.0])
        self.scalar = ga.asarray(1.0)
        self.tracked_scalar = ga.asarray(1.0, requires_grad=True)
        self.flags = ga.asarray([True, False])
        self.small = ga.asarray([1, 2], dtype=ga.int8)
        self.complex = ga.asarray([1j, 2.0])
        here = self.x.device
        self.far = ga.asarray([1.0, 2.0], device="strict:device2" if here != "strict:device2" else "cpu")

    def values(self):
        return {name: copy.deepcopy(array.tolist()) for name, array in vars(self).items()}


def test_table_is_large_enough_and_has_no_double():
    assert len(MISUSES) >= 60
    assert len({m.name for m in MISUSES}) == len(MISUSES)


@pytest.mark.parametrize("misuse", [pytest.param(m, id=m.name) for m in MISUSES])
def test_misuse_is_a_typed_error_and_changes_nothing(device, misuse):
    operands = Operands()
    before = operands.values()
    with pytest.raises(misuse.error, match=misuse.text) as caught:
        misuse.call(operands)
    assert isinstance(caught.value, misuse.builtin)
    assert isinstance(caught.value, ga.GradarrayError)
    assert operands.values() == before
    for name, array in vars(operands).items():
        assert array.requires_grad == (name in ("x", "tracked_scalar"))
        if name not in ("x",):
            assert array.grad is None
    ga.sum(operands.x * 3.0).backward(inputs=[operands.x]) if operands.x.grad is None else None
    assert operands.x.grad is not None, "the array can still be differentiated"
