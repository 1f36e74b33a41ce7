"""SciPy's tests that take a namespace: the fixture `xp` gives ours, and nothing else."""

from __future__ import annotations

import os
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"  # read when SciPy is imported

import pytest
import scipy.conftest as theirs
from namespace import keep, xp

name = xp.__name__
theirs.xp_known_backends.add(name)
backend = pytest.param(xp, id=name, marks=[pytest.mark.array_api_backends])
theirs.xp = pytest.fixture(params=[backend])(theirs.xp._get_wrapped_function())
theirs.xp_available_backends[:] = [backend]


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep the tests that take a namespace."""
    keep(config, items, lambda item: "xp" in getattr(item, "fixturenames", ()))
