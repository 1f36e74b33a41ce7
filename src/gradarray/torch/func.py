"""Functions that give derivatives of functions: PyTorch's module ``torch.func``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradarray as ga

from ._calls import raw, wrapped

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp"]


def of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors as a function of arrays."""

    def own(*args: Any, **keywords: Any) -> Any:
        return raw(function(*wrapped(args), **wrapped(keywords)))

    return own


def of_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays as a function of tensors."""

    def own(*args: Any, **keywords: Any) -> Any:
        return wrapped(function(*raw(args), **raw(keywords)))

    return own


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Function that gives the gradient of a function; see `gradarray.grad`."""
    return of_tensors(ga.grad(of_arrays(func), argnums, has_aux=has_aux))


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Function that gives the gradient of a function and its value; see `gradarray.value_and_grad`."""
    own = of_tensors(ga.value_and_grad(of_arrays(func), argnums, has_aux=has_aux))

    def turned(*args: Any, **keywords: Any) -> Any:
        value, gradient = own(*args, **keywords)
        return gradient, value

    return turned


def jacrev(func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False) -> Callable[..., Any]:
    """Function that gives all first derivatives of a function, in reverse mode; see `gradarray.jacobian`."""
    return of_tensors(ga.jacobian(of_arrays(func), argnums, mode="reverse", has_aux=has_aux))


def jacfwd(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Function that gives all first derivatives of a function, in forward mode; see `gradarray.jacobian`."""
    return of_tensors(ga.jacobian(of_arrays(func), argnums, mode="forward", has_aux=has_aux))


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """Function that gives all second derivatives of a function; see `gradarray.hessian`."""
    return of_tensors(ga.hessian(of_arrays(func), argnums))


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Value of a function, and the function that carries cotangents back through it; see `gradarray.vjp`."""
    value, pull, *further = ga.vjp(of_arrays(func), *raw(primals), has_aux=has_aux)
    return (wrapped(value), of_tensors(pull), *wrapped(further))


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False) -> Any:
    """Value of a function, and its derivative along a direction; see `gradarray.jvp`."""
    return wrapped(ga.jvp(of_arrays(func), raw(primals), raw(tangents), has_aux=has_aux))


def linearize(func: Callable[..., Any], *primals: Any) -> Any:
    """Value of a function, and the function that gives its derivative along directions; see `gradarray.linearize`."""
    value, push = ga.linearize(of_arrays(func), *raw(primals))
    return wrapped(value), of_tensors(push)
