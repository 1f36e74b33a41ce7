"""Every example in the documentation and in the docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import gradarray

HERE = Path(__file__).parent
PAGES = sorted([HERE.parent / "README.md", *HERE.glob("*.md")])
MODULES = sorted(info.name for info in pkgutil.walk_packages(gradarray.__path__, "gradarray."))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page):
    # In a process of its own: pages may set the default device or add an operation.
    run = subprocess.run([sys.executable, HERE / "check.py", page], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    result = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
