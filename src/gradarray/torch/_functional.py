"""Derivatives of functions: PyTorch's module ``torch.autograd.functional``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradarray as ga

from ._calls import raw, wrapped
from ._tensor import Tensor
from .func import of_arrays

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vjp"]


def _arguments(inputs: Any) -> tuple[Any, ...]:
    return (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)


def _places(inputs: Any) -> Any:
    """Which arguments to differentiate by: the only one, or all as a tuple."""
    return 0 if isinstance(inputs, Tensor) else tuple(range(len(inputs)))


def jacobian(func: Callable[..., Any], inputs: Any) -> Any:
    """Matrix of all first derivatives of a function: for each output, and each input if there are several."""
    return wrapped(ga.jacobian(of_arrays(func), _places(inputs))(*raw(_arguments(inputs))))


def hessian(func: Callable[..., Any], inputs: Any) -> Any:
    """Matrix of all second derivatives of a function of one element: for each pair of inputs if there are several."""
    return wrapped(ga.hessian(of_arrays(func), _places(inputs))(*raw(_arguments(inputs))))


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None) -> tuple[Any, Any]:
    """Value of a function, and the product of a cotangent with its derivatives."""
    value, pull = ga.vjp(of_arrays(func), *raw(_arguments(inputs)))
    found = pull(ga.ones_like(value) if v is None else raw(v))
    return wrapped(value), wrapped(found[0] if isinstance(inputs, Tensor) else found)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None) -> tuple[Any, Any]:
    """Value of a function, and the product of its derivatives with a direction."""
    primals = raw(_arguments(inputs))
    tangents = tuple([ga.ones_like(x) for x in primals]) if v is None else raw(_arguments(v))
    value, tangent = ga.jvp(of_arrays(func), primals, tangents)
    return wrapped(value), wrapped(tangent)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None) -> tuple[Any, Any]:
    """Value of a function, and the product of its second derivatives with a direction."""
    primals = raw(_arguments(inputs))
    tangents = tuple([ga.ones_like(x) for x in primals]) if v is None else raw(_arguments(v))
    own = of_arrays(func)
    found = ga.hvp(own, primals, tangents)
    return wrapped(own(*primals)), wrapped(found[0] if isinstance(inputs, Tensor) else found)
