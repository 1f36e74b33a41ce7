"""Cases of the elementwise functions: every one that has a derivative, real and complex, broadcast, with scalars."""

from __future__ import annotations

import numpy as np

from gradient_cases import Case, complex_, positive, real


def _unary(op, *arrays):
    return [Case(op, lambda xp, x, op=op: getattr(xp, op)(x), (array,)) for array in arrays]


def _binary(op, *pairs):
    return [Case(op, lambda xp, x, y, op=op: getattr(xp, op)(x, y), pair) for pair in pairs]


def _scalars(op, x, *scalars, first=True, second=True):
    """Cases with a Python scalar as either operand."""
    cases = []
    for c in scalars:
        if second:
            cases.append(Case(op, lambda xp, x, op=op, c=c: getattr(xp, op)(x, c), (x,)))
        if first:
            cases.append(Case(op, lambda xp, x, op=op, c=c: getattr(xp, op)(c, x), (x,)))
    return cases


def _shapes(make):
    """Arrays of several axes, of none, and without elements."""
    return make(2, 3), np.asarray(make(seed=1)), make(0, 2)


def _pairs(first, second):
    """Operands of one shape, of shapes that broadcast, 0-d, and without elements."""
    return (
        (first(2, 3), second(2, 3, seed=5)),
        (first(3), second(2, 1, seed=5)),
        (first(2, 1, 3), second(2, 1, seed=5)),
        (np.asarray(first(seed=3)), second(4, seed=5)),
        (first(4, seed=3), np.asarray(second(seed=5))),
        (np.asarray(first(seed=3)), np.asarray(second(seed=5))),
        (first(0, 3), second(3, seed=5)),
        (first(1, 3), second(0, 3, seed=5)),
    )


def _mixed(op):
    """One operand real, the other complex."""
    return _binary(op, (positive(2, 3), complex_(3, seed=5)), (complex_(2, 1), positive(3, seed=5)))


def _inside(*shape, seed=0):
    return real(*shape, seed=seed, low=-0.9, high=0.9)


def _above_one(*shape, seed=0):
    return positive(*shape, seed=seed) + 1


CASES: list[Case] = [
    # --- arithmetic ---
    *[
        case
        for op in ("add", "subtract", "multiply", "divide")
        for case in (
            *_binary(op, *_pairs(real, positive), *_pairs(complex_, complex_)),
            *_mixed(op),
            *_scalars(op, positive(3), 2, -1.5, 1 + 2j),
            *_scalars(op, complex_(3), 2, -1.5, 1 + 2j),
        )
    ],
    *_unary("negative", *_shapes(real), *_shapes(complex_)),
    *_unary("positive", *_shapes(real), *_shapes(complex_)),
    *_binary("remainder", *_pairs(real, positive), (real(2, 3), -positive(3, seed=5))),
    *_scalars("remainder", positive(3), 0.7, -5.0, 3),
    # --- powers ---
    *_binary("pow", *_pairs(positive, real), *_pairs(complex_, complex_)),
    *_mixed("pow"),
    *_scalars("pow", positive(3), 2, 3, 1, 0.5, 2.5, 10.0),
    *_scalars("pow", positive(3), -1, -2.5, 0, 1 + 2j, first=False),
    *_scalars("pow", real(4), 0, 1, 2, 3, 4.0, -2, first=False),
    *_scalars("pow", complex_(3), 2, 3, 0.5, -1.5, 1 + 2j),
    Case("pow", lambda xp, x: xp.pow(x, xp.asarray(3.0, device=x.device)), (real(3),), order=3),
    Case("pow", lambda xp, x: xp.pow(x, xp.asarray([0.0, 1.0, 2.0, 3.0], device=x.device)), (real(4),), order=3),
    Case("pow", lambda xp, x: xp.pow(x, xp.asarray([0, 1, 2, 3, -1], device=x.device)), (real(5),), order=3),
    Case("pow", lambda xp, x: xp.pow(x, xp.asarray([0, 1, 2, 3, -1], device=x.device)), (complex_(5),)),
    Case("pow", lambda xp, x: xp.pow(xp.asarray([1, 2, 3], device=x.device), x), (real(2, 3),)),
    Case("pow", lambda xp, x: xp.pow(-2.0, x + 0j), (real(3),)),
    *_binary("pow", (positive(4), np.asarray([0.0, 1.0, 2.0, -1.0]))),
    *_unary("square", *_shapes(real), *_shapes(complex_)),
    *_unary("sqrt", *_shapes(positive), *_shapes(complex_)),
    *_unary("reciprocal", *_shapes(positive), *_shapes(complex_)),
    *_binary("hypot", *_pairs(real, positive)),
    *_scalars("hypot", real(3), 1, -0.5, 0.0),
    # --- exponentials ---
    *[case for op in ("exp", "expm1") for case in _unary(op, *_shapes(real), *_shapes(complex_))],
    *[case for op in ("log", "log1p", "log2", "log10") for case in _unary(op, *_shapes(positive), *_shapes(complex_))],
    *_binary("logaddexp", *_pairs(real, real), (real(3), real(3)), (real(2), np.asarray([800.0, -800.0]))),
    *_scalars("logaddexp", real(3), 0.0, 1, 900.0),
    # --- trigonometry ---
    *[
        case
        for op in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "asinh")
        for case in _unary(op, *_shapes(real), *_shapes(complex_))
    ],
    *[case for op in ("asin", "acos", "atanh") for case in _unary(op, *_shapes(_inside), *_shapes(complex_))],
    *_unary("acosh", *_shapes(_above_one), *_shapes(complex_)),
    *_binary("atan2", *_pairs(real, real), (real(3), -positive(3))),
    *_scalars("atan2", real(3), 1.0, -2, 0.0),
    # --- magnitude ---
    *_unary("abs", *_shapes(real), *_shapes(complex_)),
    *_unary("sign", *_shapes(real), *_shapes(complex_)),
    *_binary("copysign", *_pairs(real, real)),
    *_scalars("copysign", real(3), 1.5, -2),
    *_binary("nextafter", *_pairs(real, positive)),
    *_scalars("nextafter", real(3), 3.0, second=False),
    *[
        case
        for op in ("maximum", "minimum")
        for case in (*_binary(op, *_pairs(real, real)), *_scalars(op, real(2, 3), 0.0, 1, -0.5))
    ],
    Case("clip", lambda xp, x: xp.clip(x, -0.5, 1), (real(2, 3),)),
    Case("clip", lambda xp, x: xp.clip(x, max=0.5), (real(4),)),
    Case("clip", lambda xp, x: xp.clip(x, min=0), (real(4),)),
    Case("clip", lambda xp, x: xp.clip(x), (real(4),)),
    Case("clip", lambda xp, x, low, high: xp.clip(x, low, high), (real(2, 3), -positive(3), positive(2, 1))),
    Case("clip", lambda xp, x, low: xp.clip(x, low, 0.7), (np.asarray(real()), real(4, seed=3, high=0.5))),
    Case("clip", lambda xp, x, high: xp.clip(x, max=high), (real(0, 3), real(3))),
    # --- complex numbers ---
    *[case for op in ("real", "imag", "conj") for case in _unary(op, *_shapes(real), *_shapes(complex_))],
]
