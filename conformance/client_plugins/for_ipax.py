"""ipax' tests, on the namespace, with gradarray's own derivatives where it may choose."""

from __future__ import annotations

import os
from typing import Any

import ipax.backend.namespace as namespaces
import ipax.problem.autodiff as autodiff
import ipax.testing.backends as theirs
from namespace import NAME, keep, parameters, xp

_known = {module.removeprefix("array_api_compat."): short for short, module in theirs._NAMESPACE_MODULES.items()}
SHORT = _known.get(NAME, NAME)
theirs._NAMESPACE_MODULES.setdefault(SHORT, NAME)
os.environ["IPAX_BACKENDS"] = SHORT
if NAME == "gradarray":
    namespaces._AUTODIFF_BACKENDS = namespaces._AUTODIFF_BACKENDS | {xp.__name__}
    autodiff._ADAPTER_MODULES[xp.__name__] = "ipax_derivatives"


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep the tests on the namespace."""
    keep(config, items, lambda item: parameters(item).get("backend_name") == SHORT)
