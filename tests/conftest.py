"""What all tests share: the devices that they run on."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

# Eight devices of JAX on the host, for the rules of devices; it is read when JAX is imported.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
sys.path.insert(0, str(Path(__file__).parent))

import cupy_stand_in

import gradarray as ga

try:
    ga.get_device("cuda")
except ImportError:  # no CuPy, or no GPU: the backend's code runs on the stand-in
    cupy_stand_in.install()

# A backend that is installed is tested.
CUDA = str(ga.Device("cupy", *ga.get_device("cuda").backend.devices()[-1]))
DEVICES = ("cpu", "strict:device1", CUDA, *(["torch:cpu"] if importlib.util.find_spec("torch") else []))


@pytest.fixture(params=DEVICES)
def device(request):
    """A device, with arrays created on it by default."""
    with ga.device(request.param) as found:
        yield found


@pytest.fixture(params=[False, True], ids=["plain", "tracked"])
def tracked(request):
    """Whether floating-point operands are tracked."""
    return request.param
