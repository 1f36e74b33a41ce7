"""DLPack, the NumPy bridge, conversion to Python, pickling: what crosses the border, and what is refused there."""

import copy
import gc
import pickle

import numpy as np
import pytest

import gradarray as ga


def address(array):
    return array.__array_interface__["data"][0]


class TestDLPack:
    def test_numpy_import_and_export_share_memory(self):
        a = np.arange(4.0)
        x = ga.from_dlpack(a)
        assert address(x.numpy()) == address(a)
        b = np.from_dlpack(x)
        assert address(b) == address(a)
        a[1] = 50.0
        assert x.tolist()[1] == 50.0 and b[1] == 50.0

    def test_import_keeps_the_owner_alive(self):
        a = np.arange(4.0)
        x = ga.from_dlpack(a)
        del a
        gc.collect()
        junk = [np.full(4, -1.0) for _ in range(50)]
        assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
        assert len(junk) == 50

    def test_copy_keyword(self):
        a = np.arange(4.0)
        x = ga.from_dlpack(a, copy=True)
        assert address(x.numpy()) != address(a)
        assert address(ga.from_dlpack(a, copy=False).numpy()) == address(a)
        with pytest.raises(ga.CopyRequiredError, match="needs a copy") as caught:
            ga.from_dlpack(a, device="strict:device1", copy=False)
        assert isinstance(caught.value, BufferError) and isinstance(caught.value, ValueError)

    def test_device_keyword(self):
        x = ga.from_dlpack(np.arange(3.0), device="strict:device1")
        assert x.device == "strict:device1" and x.tolist() == [0.0, 1.0, 2.0]

    def test_arrays_of_ours_stay_in_their_graph(self, device):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        y = ga.from_dlpack(x * 2.0)
        ga.sum(y).backward()
        assert y.device == device
        assert x.grad.tolist() == [2.0, 2.0]

    def test_tracked_array_is_not_exported(self, device):
        x = ga.asarray([1.0], requires_grad=True)
        for array in (x, x * 2.0):
            with pytest.raises(ga.ExportError, match=r"x\.detach\(\)") as caught:
                array.__dlpack__()
            assert isinstance(caught.value, BufferError)
        assert ga.from_dlpack(x.detach()).tolist() == [1.0]

    def test_versioned_capsules_and_read_only_data(self):
        a = np.arange(3.0)
        a.flags.writeable = False
        x = ga.asarray(a)
        assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))
        with pytest.raises(ga.ExportError):
            x.__dlpack__()
        assert not np.from_dlpack(x).flags.writeable
        assert "dltensor" in repr(ga.asarray([1.0]).__dlpack__())

    def test_device_of_export(self):
        assert ga.asarray([1.0]).__dlpack_device__() == (1, 0)

    def test_negative_strides_are_exported_as_a_copy_or_refused(self):
        x = ga.asarray([1.0, 2.0, 3.0])[::-1]
        assert np.from_dlpack(x).strides == (8,)
        assert np.from_dlpack(x).tolist() == [3.0, 2.0, 1.0]
        with pytest.raises(ga.ExportError, match="negative strides"):
            x.__dlpack__(copy=False)

    def test_not_exportable_objects(self):
        with pytest.raises(ga.ArgumentTypeError, match="no __dlpack__"):
            ga.from_dlpack([1.0])

        class Odd:
            def __dlpack_device__(self):
                return 99, 0

            def __dlpack__(self, **keywords):
                raise AssertionError("must not be asked")

        with pytest.raises(ga.UnknownDeviceError, match="kind 99"):
            ga.from_dlpack(Odd())

        class Broken:
            def __dlpack_device__(self):
                return 1, 0

            def __dlpack__(self, **keywords):
                raise BufferError("no luck")

        with pytest.raises(ga.ExportError, match="no luck"):
            ga.from_dlpack(Broken())

    def test_producer_without_keywords(self):
        class Old:
            def __init__(self):
                self.array = np.arange(3.0)

            def __dlpack_device__(self):
                return 1, 0

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

        old = Old()
        x = ga.from_dlpack(old)
        assert address(x.numpy()) == address(old.array)
        y = ga.from_dlpack(old, copy=True)
        assert address(y.numpy()) != address(old.array)

    def test_torch_both_ways_by_pointer(self):
        torch = pytest.importorskip("torch")
        t = torch.arange(4, dtype=torch.float64)
        x = ga.from_dlpack(t)
        assert address(x.numpy()) == t.data_ptr()
        back = torch.from_dlpack(x)
        assert back.data_ptr() == t.data_ptr()
        own = ga.asarray([1.0, 2.0])
        assert torch.from_dlpack(own).data_ptr() == address(own.numpy())
        assert torch.from_dlpack(own[::-1]).tolist() == [2.0, 1.0], "torch aborts on a negative stride"
        with pytest.raises(ga.ExportError):
            ga.from_dlpack(torch.ones(2, requires_grad=True))
        with pytest.raises(BufferError):
            torch.from_dlpack(ga.asarray([1.0], requires_grad=True))
        with pytest.raises(ga.ForeignArrayError, match="from_dlpack"):
            ga.asarray(t)
        with pytest.raises(ga.ForeignArrayError, match="from_dlpack"):
            own + torch.ones(2)


class TestNumPyBridge:
    def test_asarray_shares_memory_and_keeps_the_dtype(self):
        a = np.arange(3, dtype=np.float32)
        x = ga.asarray(a)
        assert x.dtype == ga.float32
        a[0] = 9.0
        assert x.tolist() == [9.0, 1.0, 2.0]
        x[1] = 7.0
        assert a[1] == 7.0
        assert address(x.numpy()) == address(a)
        assert address(np.asarray(x)) == address(a)

    def test_copy_argument(self):
        a = np.arange(3.0)
        assert address(ga.asarray(a, copy=True).numpy()) != address(a)
        assert address(ga.asarray(a, copy=False).numpy()) == address(a)
        with pytest.raises(ga.CopyRequiredError):
            ga.asarray(a, copy=False, dtype=ga.float32)
        with pytest.raises(ga.CopyRequiredError):
            ga.asarray([1.0], copy=False)
        with pytest.raises(ga.CopyRequiredError):
            ga.asarray(ga.asarray(a), copy=False, dtype=ga.float32)

    def test_layouts_and_byte_order(self):
        swapped = np.arange(3, dtype=">f8")
        assert ga.asarray(swapped).dtype == ga.float64
        assert ga.asarray(swapped).tolist() == [0.0, 1.0, 2.0]
        with pytest.raises(ga.CopyRequiredError):
            ga.asarray(swapped, copy=False)
        a = np.arange(6.0).reshape(2, 3)
        for view in (a[::-1], a.T, a[:, ::-2], np.zeros((1, 3))[::-1]):
            assert ga.asarray(view).tolist() == view.tolist()

    @pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
    def test_subclasses_become_plain(self):
        x = ga.asarray(np.matrix([[1.0, 2.0]]))
        assert type(x.numpy()) is np.ndarray

    def test_tracked_array_does_not_become_numpy(self, device):
        x = ga.asarray([1.0], requires_grad=True)
        for convert in (np.asarray, lambda x: x.numpy(), lambda x: np.array(x)):
            with pytest.raises(ga.TrackedConversionError, match=r"x\.detach\(\)\.numpy\(\)"):
                convert(x * 1.0)
        with ga.no_grad():
            assert (x * 2.0).tolist() == [2.0]

    def test_array_elsewhere_does_not_become_numpy(self):
        with pytest.raises(ga.DeviceError, match="to_device"):
            np.asarray(ga.zeros(2, device="strict:device1"))
        assert np.asarray(ga.ones(2, device="strict:cpu")).tolist() == [1.0, 1.0]

    def test_array_protocol_arguments(self):
        x = ga.asarray([1.0, 2.0])
        assert np.asarray(x, dtype=np.float32).dtype == np.float32
        assert address(np.array(x, copy=True)) != address(x.numpy())
        with pytest.raises(ValueError, match="needs a copy"):
            np.asarray(x, dtype=np.float32, copy=False)

    @pytest.mark.parametrize("scalar", [np.float64(2.0), np.float32(2.0)])
    def test_numpy_scalars_on_either_side(self, device, scalar):
        x = ga.asarray([1.0, 3.0], requires_grad=True)
        left, right = scalar * x, x * scalar
        assert type(left) is type(right) is ga.Array
        ga.sum(left + right + (np.float64(1.0) - x) + x / scalar).backward()
        assert x.grad.tolist() == [3.5, 3.5]
        for compared in (np.float64(1.0) < x, x > np.float64(1.0), np.float32(2.0) == x, np.float64(1.0) >= x):
            assert type(compared) is ga.Array and compared.dtype == ga.bool

    def test_numpy_arrays_stay_in_the_namespace(self):
        x = ga.asarray([1.0, 3.0], requires_grad=True)
        a = np.asarray([2.0, 4.0])
        for result in (a * x, x * a, a - x, a @ x, np.add(a, x), np.exp(x), np.sin(x), np.abs(x), np.power(x, 2)):
            assert type(result) is ga.Array and result.requires_grad
        assert (a == x).tolist() == [False, False]
        ga.sum(a * x).backward()
        assert x.grad.tolist() == [2.0, 4.0]

    def test_numpy_functions_dispatch_or_refuse(self):
        x = ga.asarray([1.0, 2.0], requires_grad=True)
        for function in (
            np.sum,
            np.mean,
            np.exp,
            np.median,
            lambda x: np.stack([x, x]),
            lambda x: np.concatenate([x, x]),
        ):
            result = function(x)
            assert type(result) is ga.Array and result.requires_grad
        assert np.add.reduce(x).item() == 3.0
        for function in (lambda x: np.histogram2d(x, x), lambda x: np.pad(x, 1, lambda *_: None)):
            with pytest.raises(ga.TrackedConversionError):
                function(x)
        assert np.percentile(x.detach(), 50) == 1.5
        assert np.cbrt(ga.asarray([8.0])).tolist() == [2.0]

    def test_numpy_in_place(self):
        a = np.ones(2)
        a += ga.asarray([1.0, 2.0])
        assert type(a) is np.ndarray and a.tolist() == [2.0, 3.0]
        with pytest.raises(ga.TrackedConversionError):
            a += ga.asarray([1.0, 2.0], requires_grad=True)
        assert a.tolist() == [2.0, 3.0]

    def test_numpy_indices_and_values(self):
        x = ga.asarray([1.0, 2.0, 3.0], requires_grad=True)
        assert x[np.asarray([0, 2])].tolist() == [1.0, 3.0]
        assert x[np.asarray([True, False, True])].tolist() == [1.0, 3.0]
        assert x[np.int64(1)].item() == 2.0
        assert x[[0, 1]].tolist() == [1.0, 2.0]
        y = x * 1.0
        y[np.asarray([0])] = np.asarray([5.0])
        assert y.tolist() == [5.0, 2.0, 3.0]

    def test_testing_functions(self):
        x = ga.asarray([1.0, 2.0])
        np.testing.assert_allclose(x, [1.0, 2.0])
        np.testing.assert_array_equal(x, x)
        with pytest.raises(AssertionError):
            np.testing.assert_allclose(x, [1.0, 3.0])


class TestPython:
    def test_numbers(self, device):
        x = ga.asarray(2.5, requires_grad=True)
        assert (float(x), int(x), complex(x), bool(x), x.item(), x.tolist()) == (2.5, 2, 2.5 + 0j, True, 2.5, 2.5)
        assert float(ga.asarray([[2.0]])) == 2.0
        assert range(ga.asarray(3)) == range(3)
        assert [10, 20][ga.asarray(1)] == 20
        assert f"{x:.2f}" == "2.50"

    def test_containers(self, device):
        x = ga.asarray([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        assert len(x) == 2
        rows = list(x)
        assert all(row.requires_grad for row in rows) and rows[1].tolist() == [3.0, 4.0]
        assert 3.0 in x and 7.0 not in x
        assert hash(x) == hash(x) and x in {x: 1}

    def test_repr_shows_values_dtype_device_and_tracking(self, device):
        x = ga.asarray([1.0, 2.0], dtype=ga.float32, requires_grad=True)
        assert repr(x) == f"Array([1., 2.], dtype=float32, device='{device}', requires_grad=True)"
        assert str(ga.asarray(3)) == f"Array(3, dtype=int64, device='{device}')"

    def test_copy_pickle_and_deepcopy(self, device):
        x = ga.asarray([1.0, 2.0], dtype=ga.float32, requires_grad=True)
        ga.sum(x * x).backward()
        for duplicate in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert duplicate.tolist() == [1.0, 2.0] and duplicate.dtype == ga.float32
            assert duplicate.device is device and duplicate.requires_grad and duplicate.is_leaf
            assert duplicate.grad.tolist() == [2.0, 4.0]
            with ga.no_grad():
                duplicate.grad[0] = -1.0
                duplicate[0] = 9.0
        assert x.grad.tolist() == [2.0, 4.0] and x.tolist() == [1.0, 2.0]
        y = copy.copy(x)
        assert y is not x and y.requires_grad
        with pytest.raises(ga.GradientError, match=r"x\.detach\(\)"):
            pickle.dumps(x * 2.0)

    def test_nested_sequences(self, device):
        x, y = ga.asarray(1.0, requires_grad=True), ga.asarray(2.0, requires_grad=True)
        v = ga.asarray([[x, 3.0], [y, x]])
        assert v.tolist() == [[1.0, 3.0], [2.0, 1.0]] and v.device is device
        ga.sum(v * v).backward()
        assert (x.grad.item(), y.grad.item()) == (4.0, 4.0)
        assert ga.asarray([ga.asarray(1), 2.5]).dtype == ga.float64

    def test_buffers(self):
        import array

        assert ga.asarray(array.array("d", [1.0, 2.0])).tolist() == [1.0, 2.0]
        assert ga.asarray(memoryview(b"ab")).tolist() == [97, 98]

    def test_a_lower_kind_takes_what_it_can_hold(self, device):
        assert ga.asarray([1, 0], dtype=ga.bool).tolist() == [True, False]
        assert ga.asarray([2.0, -3.0, 1.9, -1.9], dtype=ga.int8).tolist() == [2, -3, 1, -1]
        assert ga.asarray(1 + 0j, dtype=ga.float32).item() == 1.0
        for value, dtype in (
            (2, ga.bool),
            (1j, ga.float64),
            (float("nan"), ga.int32),
            (1e30, ga.int64),
        ):
            with pytest.raises(ga.DTypeError, match="without loss"):
                ga.asarray([value], dtype=dtype)

    def test_errors_are_those_that_clients_expect(self):
        with pytest.raises(np.linalg.LinAlgError):
            ga.linalg.cholesky(-ga.eye(2))
