"""Backends each of which breaks one law, for the tests of `check_backend`."""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np

import gradarray as ga
from gradarray.backend import MemoryInfo
from gradarray_numpy import NumPyBackend
from gradarray_strict import StrictBackend

#: A few data types are enough to find the faults, and quick.
FEW = tuple(np.dtype(name) for name in ("bool", "int32", "int64", "uint8", "float32", "float64", "complex128"))
FEWEST = tuple(np.dtype(name) for name in ("bool", "int64", "float64"))
#: By name: the member whose law is broken, and the class that breaks it.
FAULTS = {}


def breaks(member, *, name=None):
    """Decorator: a class whose instances break a law of a member."""

    def register(cls):
        cls.name = "faulty"
        if "dtypes" not in vars(cls):
            cls.dtypes = lambda self, place: FEW
        FAULTS[name or cls.__name__] = (member, cls)
        return cls

    return register


def broken_kernel(kernel, name):
    """Decorator: a function that makes a wrong kernel of the right one."""

    def register(make):
        class Broken(NumPyBackend):
            def kernel(self, wanted):
                right = super().kernel(wanted)
                return make(right) if wanted == kernel else right

        breaks(f"kernel({kernel!r})", name=name)(Broken)
        return make

    return register


# What a backend says of itself.


@breaks("name")
class NameWithColon(NumPyBackend):
    def __init__(self):
        super().__init__()
        self.name = "faulty:name"


@breaks("array_type")
class AnotherArrayType(NumPyBackend):
    array_type = np.generic


@breaks("xp")
class NamespaceWithoutLinalg(NumPyBackend):
    xp = SimpleNamespace(
        **{name: getattr(NumPyBackend.xp, name) for name in ga.__all__ if hasattr(NumPyBackend.xp, name)}
    )
    del xp.linalg


@breaks("xp")
class FunctionOfAnotherSignature(NumPyBackend):
    xp = SimpleNamespace(**vars(NumPyBackend.xp))
    xp.sum = lambda x, dim=None: np.sum(x, dim)


@breaks("promotes")
class OtherPromotion(NumPyBackend):
    def kernel(self, name):
        right = super().kernel(name)
        if name != "add":
            return right

        def add(x1, x2):
            kinds = {x.dtype.name for x in (x1, x2) if isinstance(x, np.ndarray)}
            out = right(x1, x2)
            return out.astype(np.float32) if kinds == {"int64", "float32"} else out

        return add


@breaks("promotes")
class ClaimsToPromote(StrictBackend):
    promotes = True

    def devices(self):
        return super().devices()[:1]

    def dtypes(self, place):
        return FEWEST


@breaks("promotes")
class PromotesIsNoBool(NumPyBackend):
    promotes = 1


@breaks("promotes")
class SumsInNarrowIntegers(NumPyBackend):
    def kernel(self, name):
        right = super().kernel(name)
        return (lambda x, **keywords: right(x, **{"dtype": x.dtype, **keywords})) if name == "sum" else right


@breaks("promotion")
class WrapsOverflowAround(NumPyBackend):
    def kernel(self, name):
        right = super().kernel(name)
        if name != "add":
            return right
        return lambda x1, x2: right(x1, np.array(x2).astype(x1.dtype) if type(x2) is int else x2)


# Where arrays lie.


@breaks("devices")
class TypeWithColon(NumPyBackend):
    def devices(self):
        return (("cpu:0", None),)

    def place_of(self, raw):
        return ("cpu:0", None)


@breaks("devices")
class ChangingDevices(NumPyBackend):
    more = ()

    def devices(self):
        self.more = (*self.more, ("cpu", len(self.more)))
        return (("cpu", None), *self.more[1:])


@breaks("place_of")
class ElsewherePlace(NumPyBackend):
    def place_of(self, raw):
        return ("cpu", 1)


@breaks("raw_device")
class DeviceNotRecognized(NumPyBackend):
    def recognize(self, device):
        return None


@breaks("recognize")
class RecognizesEverything(NumPyBackend):
    def recognize(self, device):
        return ("cpu", None)


@breaks("move")
class MoveIgnoresPlace(StrictBackend):
    def devices(self):
        return super().devices()[:2]

    def dtypes(self, place):
        return FEWEST

    def move(self, raw, place):
        return raw


@breaks("move")
class MoveAlwaysCopies(NumPyBackend):
    def move(self, raw, place):
        return raw.copy()


# Data types.


@broken_kernel("finfo", "PrecisionOfAnotherDType")
def _(right):
    return lambda dtype: np.finfo(np.float32)


@broken_kernel("ones", "OnesOfTheDefaultDType")
def _(right):
    return lambda shape, *, dtype=None, device=None: right(shape, device=device)


@breaks("raw_dtype")
class WrongDTypeMap(NumPyBackend):
    def raw_dtype(self, dtype):
        return np.dtype("int64") if dtype == "int32" else dtype


@breaks("dtype")
class WrongDTypeOfArrays(NumPyBackend):
    def dtype(self, raw_dtype):
        return np.dtype("float64") if raw_dtype == "float32" else super().dtype(raw_dtype)


@breaks("raw_dtype")
class MissingDTypeIsKeyError(NumPyBackend):
    def raw_dtype(self, dtype):
        return {known: known for known in self.dtypes(("cpu", None))}[dtype]


@breaks("dtypes")
class DTypesBeyondOurs(NumPyBackend):
    def dtypes(self, place):
        return (*super().dtypes(place), np.dtype("datetime64[s]"))


@breaks("default_dtypes")
class NoDefaultForIndices(NumPyBackend):
    def default_dtypes(self, place):
        defaults = super().default_dtypes(place)
        del defaults["indexing"]
        return defaults


# Kernels.


@broken_kernel("exp", "ChangesItsOperand")
def _(right):
    return lambda x: np.exp(x, out=x) if x.dtype.kind in "fc" and x.flags.writeable else right(x)


@broken_kernel("cos", "WrongValues")
def _(right):
    return np.sin


@broken_kernel("mean", "WrongDType")
def _(right):
    return lambda x, **keywords: np.mean(x, dtype=np.float64 if x.dtype.kind == "f" else None, **keywords)


@broken_kernel("stack", "WrongShape")
def _(right):
    return lambda arrays, *, axis=0: right(arrays, axis=0)


@broken_kernel("sqrt", "WrongSpecialCase")
def _(right):
    return lambda x: right(x) + 0  # the root of -0 is -0


@broken_kernel("max", "LosesNaN")
def _(right):
    return np.nanmax


@broken_kernel("prod", "FailsOnEmptyArrays")
def _(right):
    return lambda x, **keywords: right(x, **keywords) if x.size else x[0]


@broken_kernel("roll", "ParameterOfAnotherName")
def _(right):
    return lambda x, places, axis=None: right(x, places, axis=axis)


@broken_kernel("positive", "SharesItsOperand")
def _(right):
    return lambda x: x


@broken_kernel("diagonal", "FirstTwoAxes")
def _(right):
    return np.diagonal


@breaks("kernel('hypot')")
class MissingKernel(NumPyBackend):
    def kernel(self, name):
        if name == "hypot":
            raise AttributeError("there is no hypot")
        return super().kernel(name)


@breaks("wrap")
class WrapLeavesScalars(NumPyBackend):
    def wrap(self, result):
        return result


@breaks("constant")
class ConstantChangesDType(NumPyBackend):
    def constant(self, scalar, raw):
        return np.asarray(scalar, np.float64) if raw.dtype.kind == "f" else scalar


@breaks("constant")
class ConstantForgetsSignOfZero(NumPyBackend):
    def constant(self, scalar, raw):
        return self.constants.setdefault((scalar, raw.dtype), np.asarray(scalar, raw.dtype)) if scalar == 0 else scalar


@breaks("quiet")
class NotQuiet(NumPyBackend):
    def quiet(self):
        return nullcontext()


@breaks("quiet")
class QuietForEver(NumPyBackend):
    def quiet(self):
        np.seterr(all="ignore")
        return nullcontext()


@breaks("has_streams")
class StreamsThatAreDenied(NumPyBackend):
    def current_stream(self, place):
        return "a stream"


@breaks("current_stream")
class NoDefaultStream(NumPyBackend):
    has_streams = True

    def current_stream(self, place):
        return "a stream"


@breaks("current_place")
class CurrentPlaceThatIsNone(NumPyBackend):
    def current_place(self):
        return ("gpu", 7)


@breaks("on_stream")
class StreamThatStays(NumPyBackend):
    has_streams = True
    stream = None

    def current_stream(self, place):
        return self.stream

    def on_stream(self, place, stream):
        self.stream = "a stream"
        return nullcontext()


@breaks("wait_for")
class WaitThatFails(NumPyBackend):
    def wait_for(self, place, stream, other_place, other):
        raise RuntimeError("no")


@breaks("set_float32_matmul_precision")
class HighestThatIsNot(NumPyBackend):
    def kernel(self, name):
        right = super().kernel(name)
        if name != "matmul":
            return right
        return lambda x, y: right(x, y) * np.asarray(1.001, x.dtype) if x.dtype == np.float32 else right(x, y)


@breaks("memory_info")
class MemoryThatDoesNotGrow(NumPyBackend):
    def memory_info(self, place):
        return MemoryInfo(used=100, reserved=200)


@breaks("memory_info")
class MemoryInAnotherForm(NumPyBackend):
    def memory_info(self, place):
        return 100, 200


@breaks("scipy")
class SpecialFunctionsOfSixDigits(NumPyBackend):
    def scipy(self, name):
        found = super().scipy(name)
        return (lambda x: found(x) * np.asarray(1.000001, x.dtype)) if name == "special.j0" else found


@breaks("compute")
class ComputeCopies(NumPyBackend):
    def compute(self, *raws):
        return tuple(raw.copy() for raw in raws)


# In and out.


@breaks("from_numpy")
class FromNumPyAliases(NumPyBackend):
    def from_numpy(self, array, place, *, copy):
        return super().from_numpy(array, place, copy=None)


@breaks("from_numpy")
class FromNumPyCopiesSilently(NumPyBackend):
    def from_numpy(self, array, place, *, copy):
        return super().from_numpy(array, place, copy=True)


@breaks("from_numpy")
class FromNumPySharesOneWay(NumPyBackend):
    def from_numpy(self, array, place, *, copy):
        raw = super().from_numpy(array, place, copy=copy)
        if not copy:
            raw = raw.view()
            raw.flags.writeable = False
        return raw


@breaks("from_numpy")
class FromNumPyWithoutCopyRequiredError(NumPyBackend):
    def from_numpy(self, array, place, *, copy):
        if copy is False:
            raise ValueError("no copy")
        return super().from_numpy(array, place, copy=copy)


@breaks("to_numpy")
class ToNumPyAliases(NumPyBackend):
    def to_numpy(self, raw, *, copy):
        return raw


@breaks("to_numpy")
class ToNumPyCopiesSilently(NumPyBackend):
    def to_numpy(self, raw, *, copy):
        return np.array(raw)


@breaks("to_numpy")
class ToNumPyLosesEmptyAxes(NumPyBackend):
    def to_numpy(self, raw, *, copy):
        array = super().to_numpy(raw, copy=copy)
        return array if array.size else array.reshape(-1)


@breaks("to_numpy")
class ToNumPyReadOnlyCopy(NumPyBackend):
    def to_numpy(self, raw, *, copy):
        array = super().to_numpy(raw, copy=copy)
        if copy:
            array.flags.writeable = False
        return array


@breaks("from_dlpack")
class ImportAliases(NumPyBackend):
    def from_dlpack(self, producer, place, *, copy):
        return super().from_dlpack(producer, place, copy=None)


@breaks("from_dlpack")
class ImportMakesAxes(NumPyBackend):
    def from_dlpack(self, producer, place, *, copy):
        return np.atleast_1d(super().from_dlpack(producer, place, copy=copy))


@breaks("to_dlpack")
class ExportNeedsAStream(NumPyBackend):
    def to_dlpack(self, raw, *, stream=None):
        return super().to_dlpack(raw)


@breaks("to_dlpack")
class ExportsNegativeStrides(NumPyBackend):
    def to_dlpack(self, raw, **keywords):
        return raw.__dlpack__(**keywords)


@breaks("to_dlpack")
class ExportCopiesSilently(NumPyBackend):
    def to_dlpack(self, raw, **keywords):
        return raw.copy().__dlpack__(**keywords)


@breaks("copy")
class CopyShares(NumPyBackend):
    def copy(self, raw):
        return raw[...]


# Memory.


@breaks("owner")
class EveryViewOwns(NumPyBackend):
    def owner(self, raw):
        return raw


@breaks("owner")
class OwnerIsMadeAnew(NumPyBackend):
    def owner(self, raw):
        return super().owner(raw).view()


@breaks("owner")
class OwnerWithoutWeakReference(NumPyBackend):
    def owner(self, raw):
        key = id(super().owner(raw))
        return self.constants.setdefault(key, (key,))


@breaks("reverses")
class ReversesUnasked(NumPyBackend):
    reverses = False


@breaks("shares_memory")
class SharesEverything(NumPyBackend):
    def shares_memory(self, first, second):
        return True


@breaks("shares_memory")
class SharesOnlyCells(NumPyBackend):
    def shares_memory(self, first, second):
        return np.shares_memory(first, second)


@breaks("is_writable")
class StretchedViewsAreWritable(NumPyBackend):
    def is_writable(self, raw):
        return True

    def write(self, raw, key, value):
        np.lib.stride_tricks.as_strided(raw, raw.shape, raw.strides, writeable=True)[key] = value


@breaks("is_writable")
class WritableIsNoBool(NumPyBackend):
    def is_writable(self, raw):
        return np.bool_(super().is_writable(raw))


@breaks("is_writable")
class EmptyArraysAreNot(NumPyBackend):
    def is_writable(self, raw):
        return super().is_writable(raw) and raw.size > 0


@breaks("write")
class WritesIntoACopy(NumPyBackend):
    def write(self, raw, key, value):
        if isinstance(key, np.ndarray):
            raw[key][...] = value
        else:
            raw[key] = value


@breaks("write")
class WriteDoesNotBroadcast(NumPyBackend):
    def write(self, raw, key, value):
        if np.shape(value) != raw[key].shape and np.ndim(value):
            raise ValueError("another shape")
        raw[key] = value


@breaks("updater")
class UpdatesAtOnce(NumPyBackend):
    def updater(self, name, raw, other):
        run = super().updater(name, raw, other)
        if run is not None:
            run()
            return lambda: raw
        return None


@breaks("updater")
class UpdatesInNarrowDType(NumPyBackend):
    def updater(self, name, raw, other):
        if name != "add" or np.ndim(other) > raw.ndim:
            return None
        return lambda: np.add(raw, other, out=raw, casting="unsafe")


@breaks("snapshot")
class SnapshotSeesLaterWrites(NumPyBackend):
    def snapshot(self, raw):
        return lambda view: view


@breaks("snapshot")
class SnapshotOfOneViewOnly(NumPyBackend):
    def snapshot(self, raw):
        before = raw.copy()
        return lambda view: before if view.shape == raw.shape else view.copy()


@breaks("is_owner")
class AlwaysOwner(NumPyBackend):
    def is_owner(self, raw):
        return True


@breaks("is_owner")
class OwnerIsNoBool(NumPyBackend):
    def is_owner(self, raw):
        return int(super().is_owner(raw))


@breaks("references")
class ReferencesOfScalarsOnly(NumPyBackend):
    def references(self, raw):
        return None if raw.ndim else super().references(raw)


@breaks("references")
class ConstantReferences(NumPyBackend):
    def references(self, raw):
        return 2


# Kernels beyond the standard.


@broken_kernel("getitem", "MaskPicksNothing")
def _(right):
    def getitem(x, *, key):
        return right(x, key=key)[:0] if isinstance(key, np.ndarray) and key.dtype == bool else right(x, key=key)

    return getitem


@broken_kernel("scatter", "ForgetsRepeats")
def _(right):
    def scatter(g, *, like, key):
        out = np.zeros(like.shape, g.dtype)
        out[key] = g
        return out

    return scatter


@broken_kernel("scatter_along_axis", "ForgetsRepeatsAlongAxis")
def _(right):
    def scatter_along_axis(g, indices, *, like, axis):
        out = np.zeros(like.shape, g.dtype)
        np.put_along_axis(out, indices, g, axis)
        return out

    return scatter_along_axis


@broken_kernel("spread", "SpreadKeepsItsShape")
def _(right):
    return lambda g, *, like: g


@broken_kernel("zeros_for", "ZerosOfAnotherDType")
def _(right):
    return lambda g, *, like: np.zeros(like.shape)


@broken_kernel("numbers", "NumbersByColumns")
def _(right):
    return lambda *, like: np.arange(np.prod(like.shape, dtype=int)).reshape(like.shape, order="F")


@broken_kernel("assign", "AssignsInPlace")
def _(right):
    def assign(x, value, *, path, key):
        result = right(x, value, path=path, key=key)
        x[...] = result
        return result

    return assign


@broken_kernel("written", "CountsWhatWasOverwritten")
def _(right):
    def written(x, *, path, key):
        for operation, parameters in path:
            x = NumPyBackend().kernel(operation.__name__)(x, **parameters)
        return np.array(x[key])

    return written


@broken_kernel("unwritten", "AddsWhatWasWrittenTwice")
def _(right):
    def unwritten(g, *, like, path, key):
        result = right(g, like=like, path=path, key=key)
        return result * 2 if isinstance(key, np.ndarray) and key.size > len(np.unique(key)) else result

    return unwritten


@broken_kernel("settle", "SettlesNothing")
def _(right):
    return lambda x, idle, bad: np.array(x)


@broken_kernel("move", "StaysHere")
def _(right):
    return lambda x, *, like: x[...] if like.device.backend_name == "faulty" else np.zeros_like(x)
