from typing import Any
from ..._array import Array
from ..._dispatch import unary, binary
from ..._operations import derivative, constant
from .. import _rules

@constant
def abs(x, /): return unary(abs, x)

@constant
def acos(x, /): return unary(acos, x)

@constant
def acosh(x, /): return unary(acosh, x)

@constant
def asin(x, /): return unary(asin, x)

@constant
def asinh(x, /): return unary(asinh, x)

@constant
def atan(x, /): return unary(atan, x)

@constant
def atanh(x, /): return unary(atanh, x)

@constant
def bitwise_invert(x, /): return unary(bitwise_invert, x)

@constant
def ceil(x, /): return unary(ceil, x)

@constant
def conj(x, /): return unary(conj, x)

@constant
def cos(x, /): return unary(cos, x)

@constant
def cosh(x, /): return unary(cosh, x)

@derivative(x=lambda xp, g, out: g*_rules.conj(out))
def exp(x, /): return unary(exp, x)

@constant
def expm1(x, /): return unary(expm1, x)

@constant
def floor(x, /): return unary(floor, x)

@constant
def imag(x, /): return unary(imag, x)

@constant
def isfinite(x, /): return unary(isfinite, x)

@constant
def isinf(x, /): return unary(isinf, x)

@constant
def isnan(x, /): return unary(isnan, x)

@constant
def log(x, /): return unary(log, x)

@constant
def log1p(x, /): return unary(log1p, x)

@constant
def log2(x, /): return unary(log2, x)

@constant
def log10(x, /): return unary(log10, x)

@constant
def logical_not(x, /): return unary(logical_not, x)

@derivative(x=lambda xp,g: -g)
def negative(x, /): return unary(negative, x)

@constant
def positive(x, /): return unary(positive, x)

@constant
def real(x, /): return unary(real, x)

@constant
def reciprocal(x, /): return unary(reciprocal, x)

@constant
def round(x, /): return unary(round, x)

@constant
def sign(x, /): return unary(sign, x)

@constant
def signbit(x, /): return unary(signbit, x)

@constant
def sin(x, /): return unary(sin, x)

@constant
def sinh(x, /): return unary(sinh, x)

@constant
def square(x, /): return unary(square, x)

@constant
def sqrt(x, /): return unary(sqrt, x)

@constant
def tan(x, /): return unary(tan, x)

@constant
def tanh(x, /): return unary(tanh, x)

@constant
def trunc(x, /): return unary(trunc, x)

@derivative(x1=lambda xp,g: g,x2=lambda xp,g: g)
def add(x1, x2, /): return binary(add, x1, x2)

@constant
def atan2(x1, x2, /): return binary(atan2, x1, x2)

@constant
def bitwise_and(x1, x2, /): return binary(bitwise_and, x1, x2)

@constant
def bitwise_left_shift(x1, x2, /): return binary(bitwise_left_shift, x1, x2)

@constant
def bitwise_or(x1, x2, /): return binary(bitwise_or, x1, x2)

@constant
def bitwise_right_shift(x1, x2, /): return binary(bitwise_right_shift, x1, x2)

@constant
def bitwise_xor(x1, x2, /): return binary(bitwise_xor, x1, x2)

@constant
def copysign(x1, x2, /): return binary(copysign, x1, x2)

@constant
def divide(x1, x2, /): return binary(divide, x1, x2)

@constant
def equal(x1, x2, /): return binary(equal, x1, x2)

@constant
def floor_divide(x1, x2, /): return binary(floor_divide, x1, x2)

@constant
def greater(x1, x2, /): return binary(greater, x1, x2)

@constant
def greater_equal(x1, x2, /): return binary(greater_equal, x1, x2)

@constant
def hypot(x1, x2, /): return binary(hypot, x1, x2)

@constant
def less(x1, x2, /): return binary(less, x1, x2)

@constant
def less_equal(x1, x2, /): return binary(less_equal, x1, x2)

@constant
def logaddexp(x1, x2, /): return binary(logaddexp, x1, x2)

@constant
def logical_and(x1, x2, /): return binary(logical_and, x1, x2)

@constant
def logical_or(x1, x2, /): return binary(logical_or, x1, x2)

@constant
def logical_xor(x1, x2, /): return binary(logical_xor, x1, x2)

@constant
def maximum(x1, x2, /): return binary(maximum, x1, x2)

@constant
def minimum(x1, x2, /): return binary(minimum, x1, x2)

@derivative(x1=lambda xp,g,x2: g*_rules.conj(x2),x2=lambda xp,g,x1: g*_rules.conj(x1))
def multiply(x1, x2, /): return binary(multiply, x1, x2)

@constant
def nextafter(x1, x2, /): return binary(nextafter, x1, x2)

@constant
def not_equal(x1, x2, /): return binary(not_equal, x1, x2)

@constant
def pow(x1, x2, /): return binary(pow, x1, x2)

@constant
def remainder(x1, x2, /): return binary(remainder, x1, x2)

@derivative(x1=lambda xp,g: g,x2=lambda xp,g: -g)
def subtract(x1, x2, /): return binary(subtract, x1, x2)
