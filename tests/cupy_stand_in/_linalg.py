"""Linear algebra that does not tell of singular matrices unless it is asked to."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._arrays import launch

COMPUTE_TYPE_DEFAULT, COMPUTE_TYPE_TF32 = 0, 4
_compute_types: dict[str, int] = {}


def set_compute_type(dtype: Any, compute_type: int) -> None:
    _compute_types[np.dtype(dtype).name] = compute_type


def get_compute_type(dtype: Any) -> int:
    return _compute_types.get(np.dtype(dtype).name, COMPUTE_TYPE_DEFAULT)


class _State(threading.local):
    linalg = "ignore"


_state = _State()


@contextlib.contextmanager
def errstate(*, divide=None, over=None, under=None, invalid=None, linalg=None) -> Iterator[None]:
    before = _state.linalg
    _state.linalg = linalg or before
    try:
        yield
    finally:
        _state.linalg = before


def _quiet(name: str) -> Callable[..., Any]:
    own = getattr(np.linalg, name)

    def computed(x: Any, *args: Any, **keywords: Any) -> Any:
        try:
            return own(x, *args, **keywords)
        except np.linalg.LinAlgError as error:
            if _state.linalg == "raise" or "must be" in str(error):
                raise
            # Something that looks like an answer.
            return own(np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape), *args, **keywords) * 1e16

    def function(*args: Any, **keywords: Any) -> Any:
        if any(isinstance(x, np.ndarray) for x in args):
            raise np.linalg.LinAlgError("cupy.linalg only supports cupy.ndarray")
        return launch(name, computed, *args, sync=True, **keywords)

    function.__name__ = name
    return function


def _plain(name: str) -> Callable[..., Any]:
    own = getattr(np.linalg, name)
    function = lambda *args, **keywords: launch(name, own, *args, sync=True, **keywords)
    function.__name__ = name
    return function


_NAMES = "cross det eig eigh eigvals eigvalsh lstsq matrix_power matrix_rank norm pinv qr slogdet svd".split()
NAMESPACE = {name: _quiet(name) for name in ("cholesky", "inv", "solve")} | {name: _plain(name) for name in _NAMES}
