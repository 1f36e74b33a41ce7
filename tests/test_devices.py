"""Devices: names, defaults, backends found and missing, and the mismatch that is refused before any work."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import gradarray as ga
from gradarray import _backend


def test_devices_are_interned_and_round_trip():
    for name in ("cpu", "strict:cpu", "strict:device1"):
        device = ga.get_device(name)
        assert str(device) == name
        assert ga.get_device(str(device)) is device
        assert pickle.loads(pickle.dumps(device)) is device
        assert copy.deepcopy(device) is device
        assert device == name and name == device and device != "nonsense"
        assert {device: 1}[ga.get_device(name)] == 1
        assert {device: 1}[name] == 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("cpu", "cpu"), ("cpu:0", "cpu"), ("numpy:cpu", "cpu"), ("numpy", "cpu"), ("strict", "strict:cpu")],
)
def test_grammar(text, canonical):
    assert str(ga.get_device(text)) == canonical


def test_library_device_objects_are_understood():
    import array_api_strict

    assert ga.get_device(array_api_strict.Device("device1")) is ga.get_device("strict:device1")
    assert ga.get_device("strict:device1") == array_api_strict.Device("device1")


@pytest.mark.parametrize("text", ["nonsense", "cpu:1", "cpu:x", "strict:device9", "", ":", "tpu:0"])
def test_unknown_devices_list_those_there_are(text):
    with pytest.raises(ga.UnknownDeviceError, match="Fix: use one of 'cpu'"):
        ga.get_device(text)


def test_not_a_device():
    with pytest.raises(ga.ArgumentTypeError, match="is not a device"):
        ga.zeros(1, device=3.5)


def test_missing_library_names_its_extra(monkeypatch):
    class Missing:
        name = "ghost"

        def load(self):
            raise ModuleNotFoundError("No module named 'ghostlib'")

    monkeypatch.setitem(_backend._found(), "ghost", Missing())
    with pytest.raises(ga.MissingBackendError, match=r"pip install 'gradarray\[ghost\]'") as caught:
        ga.zeros(1, device="ghost:cpu")
    assert isinstance(caught.value, ImportError)
    monkeypatch.delitem(_backend._found(), "ghost")


def test_cuda_without_its_library_or_a_gpu_is_refused():
    code = (
        "import sys\n"
        "sys.modules['cupy'] = None\n"
        "import gradarray as ga\n"
        "try:\n    ga.zeros(1, device='cuda')\n"
        "except ga.MissingBackendError as error:\n    print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Fix: pip install 'gradarray[cupy]'" in run.stdout


def test_a_library_without_a_device_is_refused(monkeypatch):
    cupy = pytest.importorskip("cupy")
    backend = ga.get_device("cuda").backend
    monkeypatch.setattr("gradarray_cupy._backend.runtime.getDeviceCount", lambda: 0)
    with pytest.raises(ga.MissingBackendError, match="finds no CUDA device") as caught:
        type(backend)()
    assert "Fix: use 'cpu'" in str(caught.value)
    assert cupy.ndarray is backend.array_type


def test_backend_loads_once_from_many_threads(monkeypatch):
    loads = []

    class Counted:
        name = "counted"

        def load(self):
            def make():
                loads.append(1)
                return ga.get_device("cpu").backend

            return make

    monkeypatch.setitem(_backend._found(), "counted", Counted())
    threads = [threading.Thread(target=_backend.load, args=("counted",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == [1]
    del _backend._backends["counted"]


def test_core_imports_no_backend_by_name():
    script = (
        "import sys, gradarray as ga; ga.ones(2);"
        "assert 'array_api_strict' not in sys.modules and 'torch' not in sys.modules and 'cupy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_default_device_precedence():
    assert ga.zeros(1).device == "cpu"
    ga.set_default_device("strict:device1")
    try:
        assert ga.zeros(1).device == "strict:device1"
        with ga.device("strict:device2"):
            assert ga.zeros(1).device == "strict:device2"
            assert ga.asarray([1.0]).device == "strict:device2"
            assert ga.zeros(1, device="cpu").device == "cpu"
            x = ga.zeros(1, device="cpu")
            assert ga.zeros_like(x).device == "cpu"
            assert ga.asarray(x).device == "cpu", "a context moves nothing"
            assert ga.__array_namespace_info__().default_device() == "strict:device2"
        assert ga.zeros(1).device == "strict:device1"
    finally:
        ga.set_default_device(None)
    assert ga.zeros(1).device == "cpu"


def test_environment_variable_is_read_at_import():
    script = "import gradarray as ga; print(ga.zeros(1).device)"
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "GRADARRAY_DEVICE": "strict:device2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "strict:device2"


HERE, THERE = "cpu", "strict:device1"


def _arrays():
    x = ga.asarray([[1.0, 2.0], [3.0, 4.0]], device=HERE, requires_grad=True)
    return {
        "x": x,
        "square": ga.asarray([[2.0, 1.0], [1.0, 3.0]], device=HERE),
        "far": ga.asarray([[1.0, 2.0], [3.0, 4.0]], device=THERE),
        "row": ga.asarray([1.0, 2.0], device=HERE),
        "far_row": ga.asarray([1.0, 2.0], device=THERE),
        "far_index": ga.asarray([0, 1], device=THERE),
        "far_number": ga.asarray(1.0, device=THERE),
        "far_count": ga.asarray(1, device=THERE),
        "numpy": np.ones((2, 2)),
    }


MISMATCHES = {
    "add": lambda a: ga.add(a["x"], a["far"]),
    "operator": lambda a: a["x"] * a["far"],
    "reflected": lambda a: a["far"] - a["x"],
    "0-d": lambda a: a["x"] * a["far_number"],
    "numpy array": lambda a: a["far"] + a["numpy"],
    "in place": lambda a: a["square"].__iadd__(a["far"]),
    "comparison": lambda a: a["x"] < a["far"],
    "matmul": lambda a: a["x"] @ a["far"],
    "where condition": lambda a: ga.where(a["far"] > 0, a["x"], a["x"]),
    "where value": lambda a: ga.where(a["x"] > 0, a["x"], a["far"]),
    "concat": lambda a: ga.concat([a["x"], a["far"]]),
    "stack": lambda a: ga.stack([a["x"], a["far"]]),
    "meshgrid": lambda a: ga.meshgrid(a["row"], a["far_row"]),
    "broadcast_arrays": lambda a: ga.broadcast_arrays(a["x"], a["far"]),
    "asarray of a list": lambda a: ga.asarray([a["row"], a["far_row"]]),
    "index": lambda a: a["x"][a["far_index"]],
    "index in a tuple": lambda a: a["x"][:, a["far_index"]],
    "mask": lambda a: a["x"][a["far"] > 2],
    "numpy index": lambda a: a["far"][np.asarray([0])],
    "take": lambda a: ga.take(a["x"], a["far_index"], axis=0),
    "take_along_axis": lambda a: ga.take_along_axis(a["x"], ga.asarray([[0, 1]], device=THERE), axis=0),
    "assigned value": lambda a: a["square"].__setitem__(0, a["far_row"]),
    "assignment index": lambda a: a["square"].__setitem__(a["far"] > 2, 0.0),
    "clip bound": lambda a: ga.clip(a["x"], a["far_number"], None),
    "clip upper bound": lambda a: ga.clip(a["x"], None, a["far"]),
    "repeats": lambda a: ga.repeat(a["row"], a["far_index"]),
    "searchsorted": lambda a: ga.searchsorted(a["row"], a["far_row"]),
    "sorter": lambda a: ga.searchsorted(a["row"], a["row"], sorter=a["far_index"]),
    "isin": lambda a: ga.isin(a["row"], a["far_row"]),
    "prepend": lambda a: ga.diff(a["row"], prepend=a["far_row"]),
    "append": lambda a: ga.diff(a["row"], append=a["far_row"]),
    "solve": lambda a: ga.linalg.solve(a["square"], a["far"]),
    "tensordot": lambda a: ga.tensordot(a["x"], a["far"]),
    "vecdot": lambda a: ga.vecdot(a["x"], a["far"]),
    "cross": lambda a: ga.linalg.cross(ga.zeros(3), ga.zeros(3, device=THERE)),
    "outer": lambda a: ga.linalg.outer(a["row"], a["far_row"]),
    "rank tolerance": lambda a: ga.linalg.matrix_rank(a["square"], rtol=a["far_number"]),
    "pinv tolerance": lambda a: ga.linalg.pinv(a["square"], rtol=a["far_number"]),
    "gradient": lambda a: ga.sum(a["x"]).backward(a["far_number"]),
    "grad": lambda a: setattr(a["x"], "grad", a["far"]),
}


@pytest.mark.parametrize("name", MISMATCHES)
def test_every_array_argument_is_checked_before_any_work(name):
    arrays = _arrays()
    before = {key: value.tolist() for key, value in arrays.items()}
    with pytest.raises(ga.DeviceMismatchError) as caught:
        MISMATCHES[name](arrays)
    text = str(caught.value)
    assert "gradarray never copies between devices implicitly" in text
    assert "cpu" in text and "strict:device1" in text and "<-- differs" in text and "Fix: " in text
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, RuntimeError)
    assert len({x.device for _, x in caught.value.operands}) == 2
    assert text.startswith(f"{caught.value.op}(): operands are on 2 devices")
    assert {key: value.tolist() for key, value in arrays.items()} == before
    assert arrays["x"].grad is None


def test_mismatch_message():
    first = ga.zeros((2, 3), dtype=ga.float32, device="cpu", requires_grad=True)
    second = ga.zeros((4, 3), dtype=ga.float32, device="strict:device1")
    with pytest.raises(ga.DeviceMismatchError) as caught:
        ga.concat([first, second])
    lines = str(caught.value).splitlines()
    assert lines[0] == "concat(): operands are on 2 devices; gradarray never copies between devices implicitly"
    assert lines[1].split() == ["arrays[0]", "float32", "(2,", "3)", "cpu", "requires_grad"]
    assert lines[2].split() == ["arrays[1]", "float32", "(4,", "3)", "strict:device1", "<--", "differs"]
    assert lines[3] == "Fix: arrays[1].to_device(arrays[0].device)"
    error = pickle.loads(pickle.dumps(ga.DeviceMismatchError("add", [("x1", second), ("x2", first.detach())])))
    assert error.op == "add"


def test_same_memory_different_backend_names_from_dlpack():
    with pytest.raises(ga.BackendMismatchError, match=r"gradarray.from_dlpack\(x2, device='cpu'\)"):
        ga.zeros(2, device="cpu") + ga.zeros(2, device="strict:cpu")


def test_python_and_numpy_scalars_have_no_device(device):
    x = ga.asarray([1.0, 2.0], dtype=ga.float32)
    assert (x * 2).dtype == ga.float32
    assert (x * np.float32(2)).tolist() == [2.0, 4.0]
    assert (np.float64(2) * x).dtype == ga.float64
    assert (x + np.int64(1)).dtype == ga.float64
    assert (x * np.float64(2)).device == device


def test_to_device_round_trip(device):
    x = ga.asarray([1.0, 2.0])
    assert x.to_device(device) is x
    for target in ("cpu", "strict:device2"):
        y = x.to_device(target)
        assert y.device == target and y.tolist() == x.tolist()
    with pytest.raises(ga.ArgumentValueError, match="stream"):
        x.to_device("cpu", stream=1)


def test_dtype_that_a_device_lacks_is_refused():
    with pytest.raises(ga.DTypeError, match="the device strict:no_float64 has no float64"):
        ga.zeros(2, dtype=ga.float64, device="strict:no_float64")
    with pytest.raises(ga.DTypeError, match="strict:no_float64"):
        ga.zeros(2, dtype=ga.float64).to_device("strict:no_float64")
    assert ga.zeros(2, device="strict:no_float64").dtype == ga.float32


def test_inspection(device):
    info = ga.__array_namespace_info__()
    assert isinstance(info.devices(), tuple) and device in info.devices()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.default_dtypes()["real floating"] == ga.float64
    assert info.dtypes(device=device, kind="bool") == {"bool": ga.bool}
    assert set(info.dtypes(kind=("signed integer", "bool"))) == {"bool", "int8", "int16", "int32", "int64"}
    with pytest.raises(ga.ArgumentTypeError):
        info.dtypes(kind="nonsense")
    with pytest.raises(ga.ArgumentTypeError):
        info.dtypes(kind=3)


def test_devices_are_a_tuple_to_which_a_list_can_be_added():
    devices = ga.__array_namespace_info__().devices()
    assert isinstance(devices, tuple) and devices[0] is ga.get_device("cpu")
    assert (devices + [None])[-1] is None and devices + () == devices
