"""The namespace that a client's tests are run with: the module CLIENT_NAMESPACE, tracked if CLIENT_TRACKED is set.

Tracked means that every floating-point array that a test makes is the result of a recorded operation. A test compares
with NumPy's results afterwards. There, and only there, arrays are detached: what the client itself turns into NumPy's
arrays, by whatever function, is refused.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

NAME = os.environ.get("CLIENT_NAMESPACE", "gradarray")
TRACKED = os.environ.get("CLIENT_TRACKED") == "1"
xp: Any = importlib.import_module(NAME)

#: Modules that convert or compare on behalf of their callers: who called them decides. By the modules' names, since
#: an environment may lie in a folder with any name.
_GO_BETWEENS = (
    *("gradarray", "numpy", "contextlib", "functools", "_pytest", "array_api_compat"),
    *("scipy._lib._array_api", "scipy._lib.array_api_compat"),
    *("sklearn.utils._array_api", "sklearn.utils._testing", "sklearn.externals.array_api_compat"),
    *("array_api_extra.testing", "array_api_extra._lib._testing"),
)
#: Tests that are not in a module of tests.
_TESTS = ("sklearn.utils.estimator_checks",)


def _is_test(module: str) -> bool:
    parts = module.split(".")
    return module in _TESTS or "tests" in parts or parts[-1].startswith(("test_", "conftest"))


def _asked_by_a_test(frame: FrameType | None) -> bool:
    """Whether the first caller that is no go-between is a test."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if not any(module == name or module.startswith(f"{name}.") for name in _GO_BETWEENS):
            return _is_test(module)
        frame = frame.f_back
    return False


def track_everything() -> None:
    """Make gradarray's creation functions answer tests with tracked arrays."""
    from gradarray import Array
    from gradarray.testing._namespaces import _CREATION, track

    def created(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def create(*args: Any, **keywords: Any) -> Any:
            result = function(*args, **keywords)
            by_a_test = _is_test(sys._getframe(1).f_globals.get("__name__", ""))
            return track(result) if by_a_test and type(result) is Array and not result.requires_grad else result

        return create

    for name in _CREATION:
        setattr(xp, name, created(getattr(xp, name)))
    for name in ("fftfreq", "rfftfreq"):
        setattr(xp.fft, name, created(getattr(xp.fft, name)))
    convert = Array.__array__

    def __array__(self: Any, dtype: Any = None, copy: Any = None) -> Any:
        detached = self.requires_grad and _asked_by_a_test(sys._getframe(1))
        return convert(self.detach() if detached else self, dtype, copy)

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
