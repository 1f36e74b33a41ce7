"""Integrals of samples and of functions, and ordinary differential equations."""

from ._equations import OdeSolution, odeint, solve_ivp
from ._quadrature import dblquad, fixed_quad, quad, quad_vec
from ._samples import cumulative_simpson, cumulative_trapezoid, romb, simpson, trapezoid

__all__ = [
    "OdeSolution",
    "cumulative_simpson",
    "cumulative_trapezoid",
    "dblquad",
    "fixed_quad",
    "odeint",
    "quad",
    "quad_vec",
    "romb",
    "simpson",
    "solve_ivp",
    "trapezoid",
]
