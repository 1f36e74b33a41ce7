"""check_backend: it passes the backends that there are, and reports every broken law of one that is not right."""

import re

import frozen_backend  # noqa: F401 - makes it known
import numpy as np
import pytest
from broken_backends import FAULTS, FEW

import gradarray as ga
from gradarray.backend import Backend, CopyRequiredError, DTypeError
from gradarray.testing import check_backend
from gradarray_numpy import NumPyBackend


@pytest.fixture(scope="module")
def report():
    """The report on NumPy's backend."""
    return check_backend("numpy")


class TestRightBackends:
    def test_numpy(self, report):
        assert set(report.checks) == {"cpu"}
        assert report.total > 5000
        looked_up = "asarray broadcast_shapes can_cast from_dlpack iinfo isdtype result_type matrix_rank".split()
        assert report.left_out["cpu"] == (
            "move to another place: there is only one",
            *[f"values of {name}, whose kernel is looked up, not called" for name in looked_up],
        )

    def test_every_member_is_checked(self, report):
        members = {name for name in vars(Backend) if not name.startswith("_")} | set(Backend.__annotations__)
        for checks in report.checks.values():
            assert members <= {name.partition("(")[0] for name in checks}

    def test_strict(self):
        report = check_backend("strict")
        assert set(report.checks) == {"cpu", "device1", "device2", "no_float64", "no_x64"}

    def test_immutable(self):
        report = check_backend("frozen")
        assert "every check that writes raw arrays: the backend is immutable" in report.left_out["cpu"]
        assert report.checks["cpu"]["writes"] >= 3

    def test_torch(self):
        pytest.importorskip("torch")
        report = check_backend("torch")
        assert "cpu" in report.checks and report.total > 5000

    def test_report_as_text(self, report):
        text = str(report)
        assert text.startswith(f"numpy: {report.total} checks passed\n  at cpu: ")
        assert re.search(r"\bcopy \d+, ", text) and re.search(r"\bkernel \d+, ", text)
        assert "    left out: move to another place: there is only one" in text

    def test_what_a_library_does_not_have_is_left_out(self):
        report = check_backend(Limited())
        left_out = report.left_out["cpu"]
        for dtype in ("int64", "uint32", "float64", "complex64", "complex128"):
            assert f"every check with {dtype}, which is not in dtypes(place)" in left_out
        assert "every check that writes raw arrays: is_writable is False for a fresh array" in left_out
        assert "derivatives of writes in place" in left_out
        assert "values of fft, whose kernel has no operands here" in left_out
        assert "references: it answers None, so no array is known to be seen by nobody else" in left_out
        assert left_out[-3:] == ("write: no check", "updater: no check", "snapshot: no check")
        assert report.checks["cpu"]["gradients"] > 10

    def test_unregistered_backends_stay_unknown(self):
        class Unknown(NumPyBackend):
            name = "unknown"

        check_backend(Unknown())
        with pytest.raises(ga.UnknownDeviceError):
            ga.get_device("unknown:cpu")

    def test_what_is_no_backend(self):
        with pytest.raises(ga.UnknownDeviceError):
            check_backend("nonsense")
        with pytest.raises(ga.ArgumentTypeError, match="is not a backend"):
            check_backend(np)


class Limited(NumPyBackend):
    """A library of narrow data types and arrays that are never written, as far as gradarray may know."""

    name = "limited"
    promotes = False
    there = tuple(np.dtype(name) for name in ("bool", "int32", "uint8", "float32"))
    narrow = {np.dtype("int64"): np.int32, np.dtype("float64"): np.float32}

    def dtypes(self, place):
        return self.there

    def raw_dtype(self, dtype):
        if dtype not in self.there:
            raise DTypeError(f"the library has no {dtype}")
        return dtype

    def dtype(self, raw_dtype):
        return np.dtype(raw_dtype.name)

    def default_dtypes(self, place):
        integers = dict.fromkeys(["integral", "indexing"], np.dtype("int32"))
        return {"real floating": np.dtype("float32"), "complex floating": np.dtype("complex64"), **integers}

    def kernel(self, name):
        found = super().kernel(name)
        return lambda *args, **keywords: self._narrowed(found(*args, **keywords))

    def _narrowed(self, result):
        if isinstance(result, tuple):
            return tuple(self._narrowed(part) for part in result)
        dtype = getattr(result, "dtype", None)
        return result.astype(self.narrow[dtype]) if isinstance(dtype, np.dtype) and dtype in self.narrow else result

    def constant(self, scalar, raw):
        return scalar

    def from_numpy(self, array, place, *, copy):
        if copy is False:
            raise CopyRequiredError("its arrays are immutable")
        return super().from_numpy(array, place, copy=True)

    def to_numpy(self, raw, *, copy):
        if copy is False:
            raise CopyRequiredError("its arrays are immutable")
        return np.array(raw)

    def from_dlpack(self, producer, place, *, copy):
        if copy is False:
            raise BufferError("its arrays are immutable")
        return super().from_dlpack(producer, place, copy=True)

    def is_writable(self, raw):
        return False

    def is_owner(self, raw):
        return False

    def references(self, raw):
        return None


def test_without_a_fault_nothing_is_reported():
    class Right(NumPyBackend):
        name = "faulty"

        def dtypes(self, place):
            return FEW

    assert check_backend(Right()).total > 3000


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_law_is_reported(fault):
    member, broken = FAULTS[fault]
    with pytest.raises(AssertionError) as caught:
        check_backend(broken())
    text = str(caught.value)
    places = r"(cpu|device1)[^:\n]*(:\d+)?"
    assert re.search(rf"^faulty(:name)? at {places}: {re.escape(member)}: .+\n    .+", text, re.MULTILINE), text
    assert re.match(r"backend 'faulty(:name)?': \d+ of \d+ checks failed, of \d+ laws?\n", text)


def test_a_report_has_every_failure_with_its_values():
    class Twice(NumPyBackend):
        name = "twice"

        def copy(self, raw):
            return raw[...]

        def kernel(self, name):
            return np.sin if name == "cos" else super().kernel(name)

    with pytest.raises(AssertionError) as caught:
        check_backend(Twice())
    text = str(caught.value)
    assert "twice at cpu: copy: writes to one are never seen by the other\n    x after a write into its copy is" in text
    assert (
        "twice at cpu: kernel('cos'): the standard's values, shapes and special cases\n    cos(float32 (2, 3)) is"
        in text
    )
    assert re.search(r"cos\(float32 \(2, 3\)\) is \[\[.*\]\] \(float32, shape \(2, 3\)\), expected \[\[", text)
    assert re.search(r"\n    \(\d+ such failures\)", text)
    assert "gradients: both modes agree with finite differences" in text


def test_a_backend_without_its_base():
    class Hasty(NumPyBackend):
        name = "hasty"

        def __init__(self):
            pass

    with pytest.raises(AssertionError, match=r"backend 'hasty': constants and rule_namespace: .* was not called"):
        check_backend(Hasty())


def test_no_devices_at_all():
    class Nowhere(NumPyBackend):
        name = "nowhere"
        found = ()

        def devices(self):
            return self.found

    with pytest.raises(AssertionError, match=r"backend 'nowhere': devices: never empty.*\n.*devices\(\) is \(\)"):
        check_backend(Nowhere())
    Nowhere.found = ("cpu", "gpu")
    with pytest.raises(AssertionError, match="backend 'nowhere': devices: .*\n.*raised ValueError"):
        check_backend(Nowhere())
