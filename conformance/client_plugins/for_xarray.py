"""xarray's tests of array-API support, which are written for array-api-strict: under that name they find ours."""

from __future__ import annotations

import sys
import types

from namespace import NAME, xp

if NAME != "array_api_strict":
    sys.modules["array_api_strict"] = xp
    module = types.ModuleType("array_api_strict._array_object")
    module.Array = type(xp.empty(0))  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
