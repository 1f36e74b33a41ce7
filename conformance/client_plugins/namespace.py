"""The namespace that a client's tests are run with: the module CLIENT_NAMESPACE, tracked if CLIENT_TRACKED is set.

Tracked means that every floating-point array that a test makes is the result of a recorded operation. A test compares
with NumPy's results afterwards; there, and only there, arrays are detached.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

NAME = os.environ.get("CLIENT_NAMESPACE", "gradarray")
TRACKED = os.environ.get("CLIENT_TRACKED") == "1"
xp: Any = importlib.import_module(NAME)

#: Whose calls make tracked arrays, and may turn them into NumPy's: tests, and the functions that they compare with.
_TESTS = f"{os.sep}tests{os.sep}"
_COMPARING = (f"{os.sep}numpy{os.sep}", f"{os.sep}scipy{os.sep}_lib{os.sep}_array_api.py")


def track_everything() -> None:
    """Make gradarray's creation functions answer tests with tracked arrays."""
    from gradarray import Array
    from gradarray.testing._namespaces import _CREATION, track

    def created(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def create(*args: Any, **keywords: Any) -> Any:
            result = function(*args, **keywords)
            by_a_test = _TESTS in sys._getframe(1).f_code.co_filename
            return track(result) if by_a_test and type(result) is Array and not result.requires_grad else result

        return create

    for name in _CREATION:
        setattr(xp, name, created(getattr(xp, name)))
    convert = Array.__array__

    def __array__(self: Any, dtype: Any = None, copy: Any = None) -> Any:
        frame = sys._getframe(1)
        while frame.f_back is not None and f"{os.sep}gradarray{os.sep}" in frame.f_code.co_filename:
            frame = frame.f_back
        where = frame.f_code.co_filename
        compared = _TESTS in where or any(part in where for part in _COMPARING)
        return convert(self.detach() if compared else self, dtype, copy)

    Array.__array__ = __array__  # type: ignore[method-assign]


if TRACKED:
    track_everything()


def keep(config: Any, items: list[Any], wanted: Callable[[Any], bool]) -> None:
    """Deselect the tests that have nothing to do with the namespace."""
    dropped = [item for item in items if not wanted(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if wanted(item)]


def parameters(item: Any) -> dict[str, Any]:
    """The parameters of a test."""
    return dict(getattr(getattr(item, "callspec", None), "params", {}))
