"""Automatic differentiation: derivatives of functions, rules of one's own, and a look into the graph."""

from .._anomaly import detect_anomaly
from .._errors import AnomalyError
from ._custom import custom_rule, raw_function
from ._drawing import draw
from ._functional import (
    grad,
    gradients,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
)
from ._saved import checkpoint, saved_values_hooks

__all__ = [
    "AnomalyError",
    "checkpoint",
    "custom_rule",
    "detect_anomaly",
    "draw",
    "grad",
    "gradients",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "linearize",
    "raw_function",
    "saved_values_hooks",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
