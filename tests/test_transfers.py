"""Crossings between libraries and devices: values, memory that is shared or is not, gradients, and the known traps."""

import importlib.util
import itertools
import os
import subprocess
import sys
from pathlib import Path

import array_api_strict
import numpy as np
import pytest

import gradarray as ga

LIBRARIES = [name for name in ("torch", "jax") if importlib.util.find_spec(name)]
if "torch" in LIBRARIES:
    import torch
if "jax" in LIBRARIES:
    import jax.numpy as jnp

    ga.get_device("jax")  # loading the backend switches double precision on

#: Devices in host memory; array-api-strict's device1 pretends to have memory of its own.
DEVICES = ["cpu", "strict:cpu", "strict:device1", "torch:cpu", "jax:cpu:0"]
DEVICES = [name for name in DEVICES if name.split(":")[0] in ("cpu", "strict", *LIBRARIES)]
#: Devices between which arrays are moved.
PLACES = [*DEVICES, "strict:device2", "strict:no_float64"]
DTYPES = [*ga.__array_namespace_info__().dtypes(device="cpu").values(), ga.float16]

#: Data types of PyTorch and JAX that NumPy's DLPack does not carry. gradarray has the first, through ml_dtypes.
NOT_OF_NUMPY = ["bfloat16", "float8_e4m3fn"] if importlib.util.find_spec("ml_dtypes") else ["float8_e4m3fn"]

#: How each producer comes to the values of a NumPy array, without a copy where the library can.
MAKERS = {
    "numpy array": lambda array: array,
    "strict array": lambda array: array_api_strict.from_dlpack(array),
    "torch tensor": lambda array: torch.from_numpy(array),
    "jax array": lambda array: jnp.array(array, copy=True),
    **{name: lambda array, name=name: ga.asarray(array, device=name) for name in PLACES},
}
FOREIGN = [name for name in MAKERS if name.endswith(("array", "tensor")) and name.split()[0] not in ("torch", "jax")]
FOREIGN += [name for name in MAKERS if name.split()[0] in LIBRARIES]

LAYOUTS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "strided": lambda x: x[::2, 1:],
    "negative": lambda x: x[::-1, ::-2],
    "0-d": lambda x: x[1, 2, ...],
    "empty": lambda x: x[:0, :],
    "read-only": lambda x: x,
}

#: Whose memory an import with copy=None or copy=False takes, from each producer. Everything else is a copy. Memory that
#: the producer may write never goes to JAX; JAX's never goes to PyTorch, which would write it.
_WRITABLE = {"cpu", "strict:cpu", "torch:cpu"}
_IMMUTABLE = {"cpu", "strict:cpu", "jax:cpu:0"}
IMPORTS_THAT_SHARE = {
    "numpy array": _WRITABLE,
    "strict array": _WRITABLE,
    "torch tensor": _WRITABLE,
    "jax array": _IMMUTABLE,
    "cpu": _WRITABLE,
    "strict:cpu": _WRITABLE,
    "strict:device1": {"strict:device1"},
    "torch:cpu": _WRITABLE,
    "jax:cpu:0": _IMMUTABLE,
}
#: Whose memory a library gets that calls its own `from_dlpack` with an array of ours. JAX's own import is left out: it
#: shares by alignment.
EXPORTS_THAT_SHARE = {
    "cpu": {"numpy array", "strict array", "torch tensor"},
    "strict:cpu": {"numpy array", "strict array", "torch tensor"},
    "strict:device1": {"numpy array", "strict array", "torch tensor"},
    "torch:cpu": {"numpy array", "strict array", "torch tensor"},
    "jax:cpu:0": {"numpy array", "strict array", "torch tensor"},
}
#: Whose memory is lent only to a consumer that forbids a copy: it must not write.
LENT_IF_ASKED = {"jax:cpu:0"}


def library(name):
    """The library that holds the memory of a producer or device."""
    return {"cpu": "numpy"}.get(name, name.split()[0].split(":")[0])


def has_layout(producer, layout):
    """Whether there are arrays of the layout that are not like those of another: PyTorch and JAX lack some."""
    if layout == "read-only":
        return producer in ("numpy array", "strict array", "cpu", "strict:cpu")
    return layout != "negative" or library(producer) not in ("torch", "jax")


def takes(name, dtype):
    """Whether arrays of a producer or device can have the dtype."""
    if name == "strict:no_float64" and dtype in (ga.float64, ga.complex128):
        return False
    return dtype != ga.float16 or library(name) != "strict"


def common_dtypes(first, second):
    return [dtype for dtype in DTYPES if takes(first, dtype) and takes(second, dtype)]


def import_shares(producer, consumer, layout):
    refused = consumer == "torch:cpu" != producer and layout in ("negative", "read-only")
    return consumer in IMPORTS_THAT_SHARE[producer] and not refused


def values(dtype):
    """A 3 x 4 NumPy array of distinct values, as far as the dtype has them."""
    whole = np.arange(12).reshape(3, 4)
    if dtype.kind == "b":
        return whole % 3 == 1
    if dtype.kind != "u":
        whole = whole - 5
    return (whole + 1j * whole[::-1] if dtype.kind == "c" else whole).astype(dtype)


def produce(producer, dtype, layout):
    base = values(dtype)
    base.flags.writeable = layout != "read-only"
    return LAYOUTS[layout](MAKERS[producer](base))


def raw(x):
    return x._data if isinstance(x, ga.Array) else x


def memory(x):
    """The NumPy array over the memory of a NumPy or array-api-strict array; anything else as it is."""
    return raw(x)._array if type(raw(x)).__module__.startswith("array_api_strict") else raw(x)


def host(x):
    """The values as a NumPy array of their own, read without gradarray."""
    x = memory(x)
    return np.array(x.numpy() if hasattr(x, "data_ptr") else x)


def address(x):
    x = memory(x)
    if isinstance(x, np.ndarray):
        return x.__array_interface__["data"][0]
    return x.data_ptr() if hasattr(x, "data_ptr") else x.unsafe_buffer_pointer()


def is_immutable(x):
    return hasattr(raw(x), "unsafe_buffer_pointer")


def write(x, value):
    """Write into every element, through gradarray where it is an array of ours; False where that is refused."""
    target = x if isinstance(x, ga.Array) or not hasattr(x, "_array") else x._array
    try:
        target[...] = value
    except (ga.ReadOnlyError, ValueError, TypeError):
        return False  # read-only, or an array of JAX
    return True


def check_sharing(x, y, shared):
    """Two arrays have one memory or two, by their addresses and by what a write into either does to the other."""
    if not host(x).size:
        return
    assert (address(x) == address(y)) is shared
    if x is y:
        return
    for written, other, value in ((x, y, 101), (y, x, 0)):
        if is_immutable(written) and host(x).dtype != np.float64:
            continue  # nothing is written there; once is enough, as JAX compiles each write
        before = host(other)
        changed = write(written, bool(value) if host(x).dtype == bool else value)
        seen = not np.array_equal(before, host(other))
        assert seen is (shared and changed and not is_immutable(written))


def check_values(y, expected, dtype):
    found = host(y)
    assert found.dtype == dtype and found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


def check_import(producer, consumer, dtype, layout):
    shares = import_shares(producer, consumer, layout)
    for copy in (None, True, False):
        x = produce(producer, dtype, layout)
        expected = host(x)
        if copy is False and not shares:
            with pytest.raises(ga.CopyRequiredError):
                ga.from_dlpack(x, device=consumer, copy=False)
            check_values(x, expected, dtype)
            continue
        y = ga.from_dlpack(x, device=consumer, copy=copy)
        assert y.device == consumer and y.dtype == dtype and not y.requires_grad
        check_values(y, expected, dtype)
        # Two arrays of ours on two devices share memory only where a copy is forbidden.
        asked = copy is False or not isinstance(x, ga.Array) or x.device == consumer
        check_sharing(x, y, shares and asked and not copy)


def imports():
    for producer, consumer in itertools.product([*FOREIGN, *DEVICES], DEVICES):
        for dtype, layout in itertools.product(common_dtypes(producer, consumer), LAYOUTS):
            if has_layout(producer, layout):
                yield producer, consumer, dtype, layout


def consume(consumer, x, copy):
    """What a library's own `from_dlpack` makes of `x`."""
    if consumer == "numpy array":
        return np.from_dlpack(x, copy=copy)
    if consumer == "strict array":
        return array_api_strict.from_dlpack(x, copy=copy)
    return (torch if consumer == "torch tensor" else jnp).from_dlpack(x, copy=copy)


def check_export(producer, consumer, layout):
    shares = consumer in EXPORTS_THAT_SHARE[producer] and layout not in ("negative", "read-only")
    for dtype, copy in itertools.product(common_dtypes(producer, consumer), (None, True, False)):
        x = produce(producer, dtype, layout)
        expected = host(x)
        if copy is False and not shares:
            with pytest.raises(BufferError):
                consume(consumer, x, False)
            check_values(x, expected, dtype)
            continue
        y = consume(consumer, x, copy)
        check_values(y, expected, dtype)
        if producer not in LENT_IF_ASKED or copy is not False:
            check_sharing(x, y, shares and not copy and producer not in LENT_IF_ASKED)
        elif expected.size:
            assert address(x) == address(y)  # and nobody writes


def exports():
    for producer, consumer in itertools.product(DEVICES, FOREIGN):
        for layout in LAYOUTS:
            if has_layout(producer, layout):
                yield producer, consumer, layout


def ends_a_process(case):
    """A negative stride that reached PyTorch would end the process, so such cases run in one of their own."""
    return library(case[1]) == "torch" and case[-1] == "negative"


def check_negative_strides():
    """All cases that could end the process."""
    for check, cases in ((check_import, imports()), (check_export, exports())):
        for case in filter(ends_a_process, cases):
            check(*case)
    for bare in (Producer(values(ga.float64)[::-1]), Producer(values(ga.float64)[:, ::-1])):
        for copy in (None, True):
            check_values(ga.from_dlpack(bare, device="torch:cpu", copy=copy), bare.array, ga.float64)
    print("done")


def run_apart(code, **environment):
    """What a new interpreter prints, with the modules of this folder at hand."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


class Producer:
    """An array with nothing but DLPack's two methods, and perhaps a memory kind that it only pretends to have."""

    def __init__(self, array, kind=1, number=0):
        self.array = array
        self.device = kind, number
        self.asked = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        return self.array.__dlpack__(**keywords)


def identified(cases):
    return [pytest.param(*case, id="-".join(str(part) for part in case)) for case in cases]


class TestMatrix:
    @pytest.mark.parametrize(
        ("producer", "consumer", "dtype", "layout"), identified(itertools.filterfalse(ends_a_process, imports()))
    )
    def test_import(self, producer, consumer, dtype, layout):
        check_import(producer, consumer, dtype, layout)

    @pytest.mark.parametrize(
        ("producer", "consumer", "layout"),
        identified(case for case in exports() if not ends_a_process(case) and case[1] != "jax array"),
    )
    def test_export(self, producer, consumer, layout):
        check_export(producer, consumer, layout)

    @pytest.mark.parametrize(
        ("producer", "consumer", "layout"), identified(case for case in exports() if case[1] == "jax array")
    )
    def test_export_to_jax(self, producer, consumer, layout):
        for dtype in common_dtypes(producer, consumer):
            x = produce(producer, dtype, layout)
            try:
                y = consume(consumer, x, None)
            except (BufferError, RuntimeError):
                # JAX asks for the oldest form, which cannot say the one, and does not take the other.
                assert layout in ("read-only", "strided")
            else:
                check_values(y, host(x), dtype)

    @pytest.mark.skipif("torch" not in LIBRARIES, reason="PyTorch is not installed")
    def test_negative_strides_do_not_end_the_process(self):
        assert run_apart("import test_transfers; test_transfers.check_negative_strides()") == "done\n"

    @pytest.mark.parametrize("producer", FOREIGN)
    def test_without_a_device_host_memory_is_numpy_s(self, producer):
        x = produce(producer, ga.float64, "contiguous")
        y = ga.from_dlpack(x)
        assert y.device == "cpu" and address(y) == address(x)


CROSSINGS = {
    "to_device": lambda x, device: x.to_device(device),
    "asarray": lambda x, device: ga.asarray(x, device=device),
    "from_dlpack": lambda x, device: ga.from_dlpack(x, device=device),
}
VIEWS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "strided": lambda x: x[::2],
    "negative": lambda x: x[::-1, 1:],
    "element": lambda x: x[1, 2],
}


class TestMoves:
    @pytest.mark.parametrize("layout", LAYOUTS)
    @pytest.mark.parametrize(("source", "target"), list(itertools.permutations(PLACES, 2)))
    def test_values_in_memory_of_their_own(self, source, target, layout):
        for dtype in common_dtypes(source, target):
            for cross in (CROSSINGS["to_device"], CROSSINGS["asarray"]):
                x = produce(source, dtype, layout)
                expected = host(x)
                y = cross(x, target)
                assert y.device == target and y.dtype == dtype
                check_values(y, expected, dtype)
                check_sharing(x, y, False)
            with pytest.raises(ga.CopyRequiredError):
                ga.asarray(x, device=target, copy=False)

    @pytest.mark.parametrize("name", PLACES)
    def test_at_home_nothing_is_moved(self, name):
        x = produce(name, ga.float32, "contiguous")
        assert x.to_device(name) is x and ga.asarray(x, device=name, copy=False) is x
        check_sharing(x, ga.asarray(x, device=name, copy=True), False)

    @pytest.mark.parametrize(("source", "dtype"), list(itertools.product(DEVICES, [ga.float64, ga.complex128])))
    def test_data_types_that_the_target_lacks(self, source, dtype, monkeypatch):
        x = produce(source, dtype, "contiguous")
        backend = x.device.backend

        def work(*args, **keywords):
            raise AssertionError("the array was read")

        monkeypatch.setattr(backend, "to_numpy", work)
        for cross in CROSSINGS.values():
            with pytest.raises(ga.DTypeError, match="the device strict:no_float64 has no"):
                cross(x, "strict:no_float64")

    @pytest.mark.parametrize("producer", FOREIGN)
    def test_data_types_that_the_target_of_an_import_lacks(self, producer):
        with pytest.raises(ga.DTypeError, match="from_dlpack.*the device strict:no_float64 has no float64"):
            ga.from_dlpack(produce(producer, ga.float64, "contiguous"), device="strict:no_float64")

    @pytest.mark.parametrize("name", [name for name in DEVICES if takes(name, ga.float16)])
    def test_float16_does_not_come_to_array_api_strict(self, name):
        with pytest.raises(ga.DTypeError, match="no data type float16"):
            produce(name, ga.float16, "contiguous").to_device("strict:cpu")

    @pytest.mark.parametrize("copy", [None, True, False])
    @pytest.mark.parametrize("name", [name for name in DEVICES if library(name) in LIBRARIES])
    @pytest.mark.skipif("bfloat16" not in NOT_OF_NUMPY, reason="ml_dtypes is not installed")
    def test_bfloat16_does_not_come_to_numpy(self, name, copy):
        x = ga.asarray([1.0], dtype=ga.bfloat16, device=name)
        with pytest.raises((ga.DTypeError, ga.CopyRequiredError)):
            ga.from_dlpack(x, device="cpu", copy=copy)
        with pytest.raises((BufferError, RuntimeError)):
            np.from_dlpack(x)
        if "torch" in LIBRARIES:
            assert torch.from_dlpack(x).to(torch.float32).tolist() == [1.0]

    @pytest.mark.parametrize("copy", [None, True, False])
    @pytest.mark.parametrize(("name", "layout"), list(itertools.product(DEVICES, LAYOUTS)))
    def test_numpy_arrays_by_asarray(self, name, layout, copy):
        array = produce("numpy array", ga.float64, layout)
        expected = array.copy()
        shares = import_shares("numpy array", name, layout)
        if copy is False and not shares:
            with pytest.raises(ga.CopyRequiredError):
                ga.asarray(array, device=name, copy=copy)
            return
        x = ga.asarray(array, device=name, copy=copy)
        assert x.device == name
        check_values(x, expected, ga.float64)
        check_sharing(array, x, shares and not copy)


def real_loss(x):
    return ga.sum(x * x * x)


def complex_loss(x):
    return ga.sum(ga.real(x * x * ga.conj(x) * (1.0 - 2.0j)))


LOSSES = {ga.float32: real_loss, ga.float64: real_loss, ga.complex64: complex_loss, ga.complex128: complex_loss}


def gradients():
    for source, target in itertools.permutations(PLACES, 2):
        narrow = "strict:no_float64" in (source, target)
        for dtype in (ga.float32, ga.complex64) if narrow else (ga.float64, ga.complex128):
            yield source, target, dtype


class TestGradients:
    """The gradient through a crossing is that without it, and lies where the array lies."""

    @pytest.mark.parametrize(("source", "target", "dtype"), identified(gradients()))
    @pytest.mark.parametrize("crossing", CROSSINGS)
    def test_first_order(self, crossing, source, target, dtype):
        loss = LOSSES[dtype]
        for view in VIEWS.values():
            expected = produce("cpu", dtype, "contiguous").requires_grad_()
            loss(view(expected)).backward()
            x = produce(source, dtype, "contiguous").requires_grad_()
            y = CROSSINGS[crossing](view(x), target)
            assert y.device == target and y.requires_grad
            loss(y).backward()
            assert x.grad.device == source and x.grad.dtype == dtype
            np.testing.assert_allclose(host(x.grad), host(expected.grad))

    @pytest.mark.parametrize(("source", "target", "dtype"), identified(gradients()))
    def test_second_order(self, source, target, dtype):
        loss = LOSSES[dtype]

        def slope(x, crossing):
            return ga.grad(lambda x: loss(crossing(x)))(x)

        for view in (VIEWS["transposed"], VIEWS["strided"]):
            expected = ga.grad(lambda x, view=view: loss(slope(x, view)))(produce("cpu", dtype, "contiguous"))
            found = ga.grad(lambda x, view=view: loss(slope(x, lambda x: view(x).to_device(target))))(
                produce(source, dtype, "contiguous")
            )
            assert found.device == source and found.dtype == dtype
            np.testing.assert_allclose(host(found), host(expected))

    def test_there_and_back_and_twice(self):
        x = produce("cpu", ga.float64, "contiguous").requires_grad_()
        for device in (*DEVICES, "cpu", *DEVICES):
            y = x.to_device(device).to_device("strict:device2")
            ga.sum(y).backward()
        np.testing.assert_array_equal(host(x.grad), np.full((3, 4), 1.0 + 2 * len(DEVICES)))

    @pytest.mark.parametrize("name", DEVICES)
    def test_an_import_can_be_a_leaf(self, name):
        x = ga.from_dlpack(np.asarray([1.0, 2.0]), device=name, requires_grad=True)
        assert x.is_leaf
        ga.sum(x * x).backward()
        assert x.grad.device == name and x.grad.tolist() == [2.0, 4.0]


SEVERAL = """
import numpy as np
import jax
import gradarray as ga
here, there = ga.get_device("jax:cpu:2"), ga.get_device("jax:cpu:5")
x = ga.asarray(np.arange(6.0).reshape(2, 3), device=here, requires_grad=True)
for target in (there, ga.get_device("cpu")):
    y = x.T.to_device(target)
    assert y.device is target and y.tolist() == x.T.tolist()
    ga.sum(y * y * y).backward()
    assert x.grad.device is here and x.grad.tolist() == (3.0 * x * x).tolist()
    x.grad = None
    assert ga.grad(lambda x: ga.sum(ga.grad(lambda x: ga.sum(x.to_device(target) ** 3))(x)))(x).device is here
raw = jax.device_put(np.arange(3.0), jax.devices("cpu")[2])
assert ga.from_dlpack(raw, device=here)._data is raw
assert ga.from_dlpack(raw).device == "cpu"
assert ga.from_dlpack(raw, device=there).device is there
for call in (
    lambda: ga.from_dlpack(raw, device=there, copy=False),
    lambda: ga.asarray(x, device=there, copy=False),
):
    try:
        call()
    except ga.CopyRequiredError:
        pass
    else:
        raise SystemExit("copied in silence")
assert ga.from_dlpack(np.arange(3.0), device=there).tolist() == [0.0, 1.0, 2.0]
assert np.from_dlpack(x.detach()).tolist() == x.tolist()
assert "dltensor" in repr(x.detach().__dlpack__(dl_device=x.__dlpack_device__()))
assert np.from_dlpack(x.detach(), device="cpu", copy=True).tolist() == x.tolist()
print("done")
"""


@pytest.mark.skipif("jax" not in LIBRARIES, reason="JAX is not installed")
def test_several_devices_of_jax():
    assert run_apart(SEVERAL, XLA_FLAGS="--xla_force_host_platform_device_count=8") == "done\n"


#: Devices that take host memory, whatever its kind.
ON_HOST = [name for name in DEVICES if name != "strict:device1"]


class TestKindsOfMemory:
    """DLPack's kinds: 1 is the host's, 3 and 11 are pinned for GPUs, 2 is a CUDA device's, 13 is both at once."""

    @pytest.mark.parametrize("name", [None, *ON_HOST])
    @pytest.mark.parametrize("copy", [None, True])
    @pytest.mark.parametrize("kind", [1, 3, 11])
    def test_memory_of_the_host(self, kind, copy, name):
        x = Producer(np.arange(3.0), kind)
        y = ga.from_dlpack(x, device=name, copy=copy)
        assert y.device == (name or "cpu") and y.tolist() == [0.0, 1.0, 2.0]
        check_sharing(x.array, y, copy is None and name != "jax:cpu:0")
        # Memory that a GPU may be writing to is waited for only if it is asked for as the host's.
        assert [asked.get("dl_device") for asked in x.asked] == [None if kind == 1 else (1, 0)]

    @pytest.mark.parametrize("name", ON_HOST)
    def test_managed_memory_is_the_host_s_if_that_is_asked_for(self, name):
        x = Producer(np.arange(3.0), 13)
        y = ga.from_dlpack(x, device=name)
        assert y.device == name
        check_sharing(x.array, y, name != "jax:cpu:0")
        assert [asked.get("dl_device") for asked in x.asked] == [(1, 0)]

    @pytest.mark.parametrize("kind", [2, 13])
    @pytest.mark.parametrize("number", [0, 1])
    def test_memory_of_a_cuda_device_goes_to_cupy(self, kind, number, monkeypatch):
        try:
            device = ga.get_device(f"cuda:{number}")
        except (ga.UnknownDeviceError, ga.MissingBackendError):
            pytest.skip("there is no such device")
        asked = []

        def taken(producer, place, *, copy):
            asked.append((producer, place, copy))
            raise BufferError("far enough")

        monkeypatch.setattr(device.backend, "from_dlpack", taken)
        x = Producer(np.arange(3.0), kind, number)
        for copy in (None, True):
            with pytest.raises(ga.ExportError, match="far enough"):
                ga.from_dlpack(x, copy=copy)
        assert asked == [(x, ("cuda", number), None), (x, ("cuda", number), True)]
        assert not x.asked
        with pytest.raises(ga.CopyRequiredError, match="needs a copy"):
            ga.from_dlpack(x, device="strict:device1", copy=False)

    @pytest.mark.parametrize("kind", [2, 13])
    def test_a_cuda_device_that_is_not_there(self, kind):
        with pytest.raises((ga.UnknownDeviceError, ga.MissingBackendError)):
            ga.from_dlpack(Producer(np.arange(3.0), kind, 99))

    def test_without_cupy_the_extra_is_named(self):
        code = (
            "import sys; sys.modules['cupy'] = None\n"
            "import numpy as np, gradarray as ga\n"
            "from test_transfers import Producer\n"
            "for kind, device in ((2, None), (13, None), (2, 'cpu'), (13, 'strict:device1')):\n"
            "    try:\n        ga.from_dlpack(Producer(np.arange(3.0), kind), device=device)\n"
            "    except ga.MissingBackendError as error:\n        print(str(error).splitlines()[-1])\n"
            "print(ga.from_dlpack(Producer(np.arange(3.0), 13), device='cpu').tolist())\n"
            "print(ga.from_dlpack(Producer(np.arange(3.0), 3)).tolist())\n"
        )
        lines = run_apart(code).splitlines()
        assert lines == 4 * ["Fix: pip install 'gradarray[cupy]'"] + 2 * ["[0.0, 1.0, 2.0]"]

    def test_a_producer_that_does_not_say_where_it_is(self):
        class Nowhere(Producer):
            def __dlpack_device__(self):
                raise ValueError("it is nowhere")

        with pytest.raises(ga.ExportError, match="it is nowhere"):
            ga.from_dlpack(Nowhere(np.arange(3.0)))


class TestProducers:
    """Producers that do less than the standard says."""

    @pytest.mark.parametrize("name", ON_HOST)
    def test_a_copy_that_is_refused_is_made(self, name):
        class Refusing(Producer):  # as CuPy
            def __dlpack__(self, *, copy=None, **keywords):
                if copy:
                    raise BufferError("copy=True is not supported")
                return self.array.__dlpack__(copy=copy, **keywords)

        x = Refusing(np.arange(3.0))
        check_sharing(x.array, ga.from_dlpack(x, device=name, copy=True), False)

    @pytest.mark.parametrize("name", ON_HOST)
    def test_a_copy_that_is_not_made_is_made(self, name):
        class Ignoring(Producer):
            def __dlpack__(self, *, copy=None, **keywords):
                return self.array.__dlpack__(**keywords)

        x = Ignoring(np.arange(3.0))
        check_sharing(x.array, ga.from_dlpack(x, device=name, copy=True), False)

    @pytest.mark.parametrize("name", ON_HOST)
    @pytest.mark.parametrize("copy", [None, True, False])
    def test_a_producer_of_the_oldest_form(self, name, copy):
        class Old(Producer):
            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

        x = Old(np.arange(3.0))
        # The oldest form does not say whether the memory may be written, so it is not: PyTorch and JAX get copies.
        if copy is False and name in ("torch:cpu", "jax:cpu:0"):
            with pytest.raises(ga.CopyRequiredError):
                ga.from_dlpack(x, device=name, copy=copy)
            return
        y = ga.from_dlpack(x, device=name, copy=copy)
        assert y.tolist() == [0.0, 1.0, 2.0]
        assert (address(y) == address(x.array)) is (not copy and name in ("cpu", "strict:cpu"))
        ga.from_dlpack(y, device="cpu", copy=True)[...] = 9.0
        assert x.array.tolist() == [0.0, 1.0, 2.0]

    @pytest.mark.parametrize("name", ON_HOST)
    def test_uneven_memory(self, name):
        """Elements at odd addresses or distances, as in records: shared where that is possible, else copied."""
        records = np.zeros(3, [("flag", "i1"), ("value", "f8")])
        records["value"] = [1.0, 2.0, 3.0]
        odd = np.frombuffer(bytearray(25), np.float64, offset=1)
        for array in (records["value"], odd):
            for x in (ga.asarray(array, device=name), ga.from_dlpack(array, device=name)):
                check_values(x, array, ga.float64)
                check_values(np.from_dlpack(x), array, ga.float64)
            if name in ("torch:cpu", "jax:cpu:0"):
                with pytest.raises(ga.CopyRequiredError):
                    ga.from_dlpack(array, device=name, copy=False)

    @pytest.mark.parametrize("name", ON_HOST)
    def test_byte_swapped_memory(self, name):
        swapped = np.arange(3, dtype=">f8")
        assert ga.from_dlpack(swapped, device=name).tolist() == [0.0, 1.0, 2.0]
        with pytest.raises(ga.CopyRequiredError):
            ga.from_dlpack(swapped, device=name, copy=False)

    @pytest.mark.parametrize("name", ON_HOST)
    @pytest.mark.parametrize("dtype", ["longdouble", "S3", "U2", "O", "M8[s]", [("a", "f8")]])
    def test_data_types_that_gradarray_lacks(self, name, dtype):
        with pytest.raises(ga.DTypeError):
            ga.from_dlpack(np.zeros(3, dtype), device=name)


@pytest.mark.skipif("torch" not in LIBRARIES, reason="PyTorch is not installed")
class TestPyTorch:
    @pytest.mark.parametrize("name", [None, *DEVICES])
    @pytest.mark.parametrize("copy", [None, True, False])
    @pytest.mark.parametrize("dtype", NOT_OF_NUMPY)
    def test_data_types_that_numpy_lacks(self, name, copy, dtype):
        """They do not cross NumPy's DLPack, but what gradarray has comes to PyTorch's own device."""
        tensor = torch.asarray([1.0, 2.0, 3.0]).to(getattr(torch, dtype))
        if dtype == "bfloat16" and name == "torch:cpu":
            x = ga.from_dlpack(tensor, device=name, copy=copy)
            assert x.dtype == ga.bfloat16 and x.tolist() == [1.0, 2.0, 3.0]
            assert (address(x) == address(tensor)) is not copy
            return
        with pytest.raises((ga.DTypeError, ga.CopyRequiredError)) as caught:
            ga.from_dlpack(tensor, device=name, copy=copy)
        if copy is not False:
            assert type(caught.value) is ga.DTypeError and f"torch.{dtype}" in str(caught.value)

    @pytest.mark.parametrize("name", [None, *DEVICES])
    def test_marks_of_pending_work_are_resolved(self, name):
        """PyTorch exports a negated tensor with the wrong sign, and refuses to export a conjugated one."""
        z = torch.tensor([1.0 + 2.0j, 3.0 - 1.0j])
        for tensor, expected in ((z.conj(), [1.0 - 2.0j, 3.0 + 1.0j]), (z.conj().imag, [-2.0, 1.0])):
            assert tensor.is_conj() or tensor.is_neg()
            assert ga.from_dlpack(tensor, device=name).tolist() == expected
            with pytest.raises(ga.CopyRequiredError):
                ga.from_dlpack(tensor, device=name, copy=False)

    @pytest.mark.parametrize("name", [None, *DEVICES])
    def test_what_is_not_exported(self, name):
        tracked = torch.ones(2, requires_grad=True)
        for tensor in (tracked, torch.nn.Parameter(torch.ones(2)), torch.zeros(2, 2).to_sparse()):
            with pytest.raises(ga.ExportError):
                ga.from_dlpack(tensor, device=name)
        with pytest.raises(ga.ExportError, match="meta"):
            ga.from_dlpack(torch.zeros(2, device="meta"), device=name)
        assert ga.from_dlpack(tracked.detach(), device=name).tolist() == [1.0, 1.0]

    @pytest.mark.parametrize("name", [name for name in ON_HOST if name != "torch:cpu"])
    def test_read_only_memory_is_not_written_through_it(self, name):
        """PyTorch does not look at the mark; arrays that must not be written come to it as copies."""
        array = np.arange(3.0)
        array.flags.writeable = False
        x = ga.asarray(array, device=name)
        for tensor in (torch.from_dlpack(x), torch.from_dlpack(x, copy=True)):
            tensor[...] = 9.0
        bare = Producer(array)
        for foreign in (array, bare, x):
            y = ga.from_dlpack(foreign, device="torch:cpu")
            y[...] = 9.0
        if library(name) != "jax":  # whose arrays are lent to who forbids a copy
            with pytest.raises(BufferError):
                torch.from_dlpack(x, copy=False)
        for foreign in (array, bare, x):
            with pytest.raises(ga.CopyRequiredError):
                ga.from_dlpack(foreign, device="torch:cpu", copy=False)
        assert x.tolist() == array.tolist() == [0.0, 1.0, 2.0]

    def test_a_tensor_of_ours_over_a_tensor(self):
        class Subclass(torch.Tensor):
            pass

        tensor = torch.arange(3.0).as_subclass(Subclass)
        x = ga.from_dlpack(tensor, device="torch:cpu", copy=False)
        assert type(x._data) is torch.Tensor and address(x) == tensor.data_ptr()


@pytest.mark.skipif("jax" not in LIBRARIES, reason="JAX is not installed")
class TestJax:
    @pytest.mark.parametrize("name", [None, *DEVICES])
    @pytest.mark.parametrize("dtype", NOT_OF_NUMPY)
    def test_data_types_that_numpy_lacks(self, name, dtype):
        """They do not cross NumPy's DLPack, but what gradarray has comes to JAX's own device."""
        array = jnp.asarray([1.0, 2.0, 3.0], dtype)
        if dtype == "bfloat16" and name == "jax:cpu:0":
            x = ga.from_dlpack(array, device=name)
            assert x.dtype == ga.bfloat16 and x.tolist() == [1.0, 2.0, 3.0] and address(x) == address(array)
            return
        with pytest.raises(ga.DTypeError, match=dtype):
            ga.from_dlpack(array, device=name)

    @pytest.mark.parametrize("aligned", [True, False])
    @pytest.mark.parametrize(
        "make", [ga.asarray, ga.from_dlpack, lambda a, device: ga.from_dlpack(Producer(a), device=device)]
    )
    def test_a_later_write_is_not_seen(self, make, aligned):
        """JAX shares NumPy's memory if it begins at a multiple of 64 bytes, and takes it for immutable."""
        whole = np.zeros(32)
        start = -whole.ctypes.data % 64 // 8 + (0 if aligned else 1)
        array = whole[start : start + 8]
        array[...] = np.arange(8.0)
        x = make(array, device="jax:cpu:0")
        array[...] = -1.0
        assert x.tolist() == np.arange(8.0).tolist()

    @pytest.mark.parametrize("name", ["cpu", "strict:cpu"])
    def test_its_memory_is_shared_for_reading(self, name):
        """JAX's capsules do not say whether they may be written, so NumPy's view of them is read-only."""
        array = jnp.arange(3.0)
        x = ga.from_dlpack(array, device=name, copy=False)
        assert address(x) == address(array)
        with pytest.raises(ga.ReadOnlyError):
            x[0] = 9.0
        writable = ga.from_dlpack(array, device=name, copy=True)
        writable[0] = 9.0
        assert array.tolist() == [0.0, 1.0, 2.0]

    def test_exports_can_be_written_and_are_of_any_version(self):
        x = ga.asarray([1.0, 2.0], device="jax:cpu:0")
        exported = np.from_dlpack(x)
        exported[0] = 9.0
        assert x.tolist() == [1.0, 2.0]
        for version, name in ((None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned")):
            assert f'"{name}"' in repr(x.__dlpack__(max_version=version))

    def test_memory_is_lent_to_who_forbids_a_copy(self):
        x = ga.asarray([1.0, 2.0], device="jax:cpu:0")
        lent = np.from_dlpack(x, copy=False)
        assert address(lent) == address(x) and not lent.flags.writeable
        for version in (None, (0, 8), (1, 0)):
            x.__dlpack__(copy=False, max_version=version)

    def test_numpy_gets_a_view_that_stays_as_it_was(self):
        x = ga.asarray([1.0, 2.0], device="jax:cpu:0")
        view = x.numpy()
        assert address(view) == address(x) and not view.flags.writeable
        x[0] = 9.0
        assert view.tolist() == [1.0, 2.0] and x.tolist() == [9.0, 2.0]
        assert np.array(x, copy=True).flags.writeable

    def test_weak_types_become_strong(self):
        weak = jnp.asarray(2.0)
        assert weak.weak_type
        x = ga.from_dlpack(weak, device="jax:cpu:0")
        assert not x._data.weak_type
        with pytest.raises(ga.CopyRequiredError):
            ga.from_dlpack(weak, device="jax:cpu:0", copy=False)
