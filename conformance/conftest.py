"""What the conformance tests share: the devices they run on."""

from __future__ import annotations

from typing import Any

import pytest

DEVICES = ("cpu", "strict:device1")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "covers(*names): compares the values of the named functions of the standard")


@pytest.fixture(params=DEVICES, scope="session")
def device(request: Any) -> str:
    """The device that the test's arrays lie on."""
    return str(request.param)
