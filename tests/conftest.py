"""What all tests share: the devices that they run on."""

import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import gradarray as ga

# A backend that is installed is tested.
DEVICES = ("cpu", "strict:device1", *(["torch:cpu"] if importlib.util.find_spec("torch") else []))


@pytest.fixture(params=DEVICES)
def device(request):
    """A device, with arrays created on it by default."""
    with ga.device(request.param) as found:
        yield found


@pytest.fixture(params=[False, True], ids=["plain", "tracked"])
def tracked(request):
    """Whether floating-point operands are tracked."""
    return request.param
