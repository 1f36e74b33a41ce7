"""What all tests share: the devices that they run on."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import gradarray as ga

DEVICES = ("cpu", "strict:device1")


@pytest.fixture(params=DEVICES)
def device(request):
    """A device, with arrays created on it by default."""
    with ga.device(request.param) as found:
        yield found


@pytest.fixture(params=[False, True], ids=["plain", "tracked"])
def tracked(request):
    """Whether floating-point operands are tracked."""
    return request.param
