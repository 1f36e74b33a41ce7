"""What CuPy does otherwise than NumPy, and what the backend does about it. Without a GPU the stand-in takes its place.

Each test fails if the backend leaves the matter to CuPy: the stand-in has the trap built in.
"""

import importlib
import math
import pkgutil

import cupy_stand_in
import gradient_cases
import numpy as np
import pytest

import gradarray as ga
from gradarray.testing import check_backend, check_grads

cupy = pytest.importorskip("cupy")
stand_in = pytest.mark.skipif(not cupy.__version__.endswith("stand.in"), reason="asks the stand-in what it has seen")
two_devices = pytest.mark.skipif(cupy.cuda.runtime.getDeviceCount() < 2, reason="there is one device")
settings = cupy_stand_in.settings

FIRST = ga.get_device("cuda:0")
LAST = ga.get_device(f"cuda:{cupy.cuda.runtime.getDeviceCount() - 1}")


def array(values, dtype=ga.float64, device=LAST, **keywords):
    return ga.asarray(values, dtype=dtype, device=device, **keywords)


@pytest.fixture
def deferred():
    """Work is done only when something waits for it."""
    settings.deferred = True
    yield
    for number in range(2):
        cupy.cuda.Device(number).synchronize()
    settings.deferred = False


def test_laws():
    assert check_backend("cupy").total > 5000


@stand_in
def test_laws_where_work_is_deferred(deferred):
    assert check_backend("cupy").total > 5000


@stand_in
def test_gradients_where_work_is_deferred(deferred):
    """Every case of the gradients: no rule reads what is not there yet."""
    names = [module.name for module in pkgutil.iter_modules(gradient_cases.__path__)]
    cases = [case for name in names for case in importlib.import_module(f"gradient_cases.{name}").CASES]
    for case in cases:
        check_grads(lambda *arrays, case=case: case.f(ga, *arrays), case.args, order=1, device=LAST)
    assert len(cases) > 1000


class TestDevices:
    @two_devices
    def test_kernels_run_on_the_device_of_their_operands(self):
        x, y = array([1.0, 2.0], requires_grad=True), array([1.0, 2.0], device=FIRST, requires_grad=True)
        for current in (0, 1):
            with cupy.cuda.Device(current):
                for operand in (x, y):
                    result = ga.sum(ga.exp(operand) * 2.0 + ga.zeros_like(operand)[::-1])
                    result.backward()
                    assert result.device is operand.device and operand.grad.device is operand.device
                    assert cupy.cuda.runtime.getDevice() == current
        assert x.grad.tolist() == pytest.approx([4 * math.exp(1.0), 4 * math.exp(2.0)])

    @two_devices
    def test_creation_has_the_device_that_was_named(self):
        with cupy.cuda.Device(0):
            for made in (ga.zeros(2, device=LAST), ga.arange(3, device=LAST), ga.eye(2, device=LAST)):
                assert made.device is LAST and made._data.device.id == LAST.index
            with ga.device(LAST):
                assert ga.linspace(0.0, 1.0, 3)._data.device.id == LAST.index

    def test_devices_of_the_library_are_taken(self):
        own = cupy.cuda.Device(LAST.index)
        with pytest.raises(TypeError):
            hash(own)
        assert ga.get_device(own) is LAST
        x = ga.zeros(1, device=own)
        assert x.device is LAST and x.device == own

    @two_devices
    def test_values_are_read_on_the_device_s_own_stream(self, deferred):
        with cupy.cuda.Device(0):
            x = array([1.0, 2.0]) * 3.0
            assert x.tolist() == [3.0, 6.0]

    @stand_in
    def test_arrays_of_the_host_are_refused_before_any_work(self):
        x = array([1.0, 2.0])
        settings.log = []
        try:
            for function in (ga.add, ga.matmul, ga.maximum):
                with pytest.raises(ga.DeviceMismatchError):
                    function(x, np.ones(2))
            for function in (lambda a: x[a], lambda a: ga.take(x, a), lambda a: ga.where(a == 0, x, x)):
                with pytest.raises(ga.DeviceMismatchError):
                    function(np.asarray([0, 1]))
            assert settings.log == []
        finally:
            settings.log = None


class TestIndices:
    @pytest.mark.parametrize("index", [2, -3])
    def test_out_of_bounds_is_an_error(self, index):
        x = array([1.0, 2.0])
        indices = array([0, index], ga.int64)
        for function in (lambda: x[indices], lambda: ga.take(x, indices), lambda: ga.take_along_axis(x, indices)):
            with pytest.raises(ga.IndexingError):
                function()
        with pytest.raises(ga.IndexingError):
            x[indices] = 0.0
        with pytest.raises(ga.IndexingError):
            x[None, ..., indices]
        assert x.tolist() == [1.0, 2.0]

    def test_into_nothing_nothing_is_added(self):
        x = ga.zeros((0, 3), device=LAST, requires_grad=True)
        nowhere = ga.zeros(0, dtype=ga.int64, device=LAST)
        for part in (x[nowhere], ga.take(x, nowhere, axis=0), ga.take_along_axis(x, ga.zeros_like(x, dtype=ga.int64))):
            ga.sum(part).backward()
        assert x.grad.shape == (0, 3)
        assert not settings.broken

    @pytest.mark.parametrize("dtype", [ga.float16, ga.float32, ga.float64, ga.complex64, ga.complex128])
    def test_gradients_add_up_in_every_dtype(self, dtype):
        x = array([1.0, 2.0, 3.0], dtype, requires_grad=True)
        y = x[array([0, 2, 0, -1], ga.int64)]
        y.backward(array([1.0, 2.0, 3.0, 4.0], dtype))
        assert x.grad.dtype == dtype and ga.real(x.grad).tolist() == [4.0, 0.0, 6.0]

    @pytest.mark.parametrize("dtype", [d for d in ga.__array_namespace_info__().dtypes().values() if d.kind in "iu"])
    def test_integers_add_up_in_every_dtype(self, dtype):
        scatter = LAST.backend.kernel("scatter")
        values, index = array([1, 2, 3], dtype), array([1, 0, 1], ga.int64)
        found = scatter(values._data, like=ga.zeros(3, device=LAST), key=index._data)
        assert found.get().tolist() == [2, 4, 0] and found.dtype == dtype

    def test_the_last_of_several_writes_stays(self):
        x = ga.zeros((2, 3), device=LAST)
        x[:, array([1, 1, 2, 1], ga.int64)] = array([1.0, 2.0, 3.0, 4.0])
        assert x.tolist() == [[0.0, 4.0, 3.0]] * 2
        row = x[1, ::-1]
        row[array([0, 0], ga.int64)] = array([7.0, 8.0])
        assert x.tolist() == [[0.0, 4.0, 3.0], [0.0, 4.0, 8.0]]

    def test_masks_beside_other_arrays(self):
        values = np.arange(12.0).reshape(3, 4)
        x = array(values)
        rows, columns = np.asarray([True, False, True]), np.asarray([3, 0])
        own = array(rows, ga.bool), array(columns, ga.int64)
        assert x[own].tolist() == values[rows, columns].tolist()
        assert x[own[0], array([True, False, False, True], ga.bool)].tolist() == [0.0, 11.0]
        x[own] = array([-1.0, -2.0])
        assert x[0, 3].item() == -1.0 and x[2, 0].item() == -2.0


class TestValues:
    def test_singular_matrices_are_errors(self):
        zeros = ga.zeros((2, 2), device=LAST)
        for function in (ga.linalg.inv, ga.linalg.cholesky, lambda x: ga.linalg.solve(x, x)):
            with pytest.raises(ga.LinearAlgebraError):
                function(zeros)
        assert ga.linalg.det(zeros).item() == 0.0

    def test_zeros_keep_their_sign(self):
        x = ga.ones(3, device=LAST)
        x[0] = -0.0
        x[1:2] = -0.0
        condition = array([True, False, True], ga.bool)
        made = [
            array(-0.0),
            ga.full((2,), -0.0, device=LAST),
            ga.full_like(x, -0.0),
            x[:2],
            ga.where(condition, -0.0, x)[0],
            array([-0.0, 1.0])[0],
        ]
        for zero in made:
            assert ga.all(ga.signbit(zero)) and ga.all(zero == 0.0)

    def test_repeats_may_be_an_array(self):
        x = array([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        repeated = ga.repeat(x, array([2, 0], ga.int64), axis=0)
        assert repeated.tolist() == [[1.0, 2.0]] * 2
        ga.sum(repeated).backward()
        assert x.grad.tolist() == [[2.0, 2.0], [0.0, 0.0]]
        with pytest.raises(ga.GradarrayError):
            ga.repeat(x, array([1, -1], ga.int64), axis=0)

    def test_no_integer_power_of_negative_numbers(self):
        with pytest.raises(ga.ArgumentValueError, match="astype"):
            array([2, 3], ga.int64) ** array([1, -1], ga.int64)

    @pytest.mark.parametrize("first", [-7.5, -1.0, 0.0, 1.0, 5.0, math.inf])
    def test_remainders_are_those_of_numpy(self, first):
        others = np.asarray([0.1, -0.1, 3.0, -3.0, math.inf, -math.inf])
        x, y = ga.full((6,), first, device=LAST), array(others)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal((x % y).tolist(), np.remainder(first, others))
        finite = others[:4]
        if math.isfinite(first):
            np.testing.assert_array_equal((x[:4] // y[:4]).tolist(), np.floor_divide(first, finite))


class TestMemory:
    def test_import_and_export_share_memory(self):
        with cupy.cuda.Device(LAST.index):
            raw = cupy.arange(4.0)
            x = ga.from_dlpack(raw)
            assert x.device is LAST and x._data.data.ptr == raw.data.ptr
            back = cupy.from_dlpack(x)
            assert back.data.ptr == raw.data.ptr and x.__dlpack_device__() == (2, LAST.index)
            copied = ga.from_dlpack(raw, copy=True)
        assert copied._data.data.ptr != raw.data.ptr and copied.tolist() == [0.0, 1.0, 2.0, 3.0]

    def test_arrays_that_must_not_be_written_are_copied(self):
        with cupy.cuda.Device(LAST.index):
            raw = cupy.arange(3.0)

        class Immutable:
            """An array of JAX on a GPU, as far as DLPack shows it."""

            __module__ = "jaxlib"

            def __dlpack_device__(self):
                return raw.__dlpack_device__()

            def __dlpack__(self, **keywords):
                return raw.__dlpack__(**keywords)

        x = ga.from_dlpack(Immutable())
        x += 1.0
        assert raw.get().tolist() == [0.0, 1.0, 2.0] and x.tolist() == [1.0, 2.0, 3.0]
        with pytest.raises(ga.CopyRequiredError):
            ga.from_dlpack(Immutable(), copy=False)

    @two_devices
    def test_import_to_another_device_is_a_copy_or_refused(self):
        raw = array([1.0, 2.0])._data
        assert ga.from_dlpack(raw, device=FIRST).device is FIRST
        with pytest.raises(ga.CopyRequiredError):
            ga.from_dlpack(raw, device=FIRST, copy=False)
        assert ga.from_dlpack(raw, device="cpu").tolist() == [1.0, 2.0]

    def test_export_of_a_copy(self):
        x = array([1.0, 2.0])
        capsule = x.__dlpack__(copy=True, max_version=(1, 0))
        if cupy.__version__.endswith("stand.in"):
            assert capsule.array.data.ptr != x._data.data.ptr
        assert np.from_dlpack(x, device="cpu").tolist() == [1.0, 2.0]
        with pytest.raises(ga.ExportError):
            x.__dlpack__(copy=False, dl_device=(1, 0))

    def test_negative_strides_are_exported_as_a_copy_or_refused(self):
        x = array([1.0, 2.0, 3.0])[::-1]
        assert x._data.strides == (-8,)
        with cupy.cuda.Device(LAST.index):
            assert cupy.from_dlpack(x).strides == (8,) and cupy.from_dlpack(x).get().tolist() == [3.0, 2.0, 1.0]
        with pytest.raises(ga.ExportError, match="negative strides"):
            x.__dlpack__(copy=False)

    def test_managed_memory_is_shared_with_the_host_if_that_is_asked_for(self, deferred):
        with cupy.cuda.using_allocator(cupy.cuda.malloc_managed), cupy.cuda.Device(LAST.index):
            raw = cupy.ones(3)
        x = ga.from_dlpack(raw) if raw.__dlpack_device__()[0] == 13 else pytest.fail("it is not managed memory")
        x += 1.0
        host = ga.from_dlpack(x, device="cpu", copy=False)
        assert host.tolist() == [2.0, 2.0, 2.0], "the host has to wait for the device"
        assert host.numpy().ctypes.data == raw.data.ptr
        for copied in (ga.from_dlpack(x, device="cpu"), x.to_device("cpu")):
            assert copied.numpy().ctypes.data != raw.data.ptr
        with pytest.raises(ga.CopyRequiredError):
            ga.from_dlpack(array([1.0]), device="cpu", copy=False)

    @stand_in
    def test_pinned_memory_may_be_written_as_soon_as_it_was_read(self, deferred):
        import cupyx

        source = cupyx.empty_pinned((3,))
        source[...] = 1.0
        x = array(source)
        source[...] = 50.0
        assert x.tolist() == [1.0, 1.0, 1.0]

    def test_memory_is_counted(self):
        before = ga.memory_info(LAST)
        kept = ga.zeros(1 << 16, device=LAST)
        after = ga.memory_info(LAST)
        assert after.used - before.used >= kept.size * 8
        assert after.reserved >= after.used and 0 < after.free <= after.total
        assert ga.memory_info("cpu") == ga.MemoryInfo()

    def test_a_recorded_write_keeps_what_the_graph_has_saved(self):
        x = array([1.0, 2.0], requires_grad=True)
        y = x * 1.0
        squared = y * y
        y[0] = 5.0
        ga.sum(squared).backward()
        assert x.grad.tolist() == [2.0, 4.0]


class TestPrecision:
    def test_the_library_is_told(self):
        from cupy._core import _routines_linalg as routines

        try:
            ga.set_float32_matmul_precision("high")
            assert routines.get_compute_type("float32") == routines.COMPUTE_TYPE_TF32
        finally:
            ga.set_float32_matmul_precision("highest")
        assert routines.get_compute_type("float32") == routines.COMPUTE_TYPE_DEFAULT

    def test_other_words_are_refused(self):
        with pytest.raises(ga.ArgumentValueError, match="'highest' or 'high'"):
            ga.set_float32_matmul_precision("low")
