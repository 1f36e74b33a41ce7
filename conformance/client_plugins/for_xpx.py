"""array-api-extra's tests: the enumeration of libraries that they run on has one more."""

from __future__ import annotations

from enum import Enum
from typing import Any

import array_api_extra._lib._backends as theirs
from namespace import NAME, keep, parameters

if NAME not in [library.value for library in theirs.Backend]:
    members = [*[(library.name, library.value) for library in theirs.Backend], ("GUEST", NAME)]
    extended: Any = Enum("Backend", members, module=theirs.__name__)
    for method in ("modname", "like", "pytest_param"):
        setattr(extended, method, vars(theirs.Backend)[method])
    theirs.Backend = extended


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep the tests on the namespace."""
    keep(config, items, lambda item: getattr(parameters(item).get("library"), "value", None) == NAME)
