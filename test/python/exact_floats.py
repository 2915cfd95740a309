"""Floating-point arithmetic by fractions, in any direction of rounding."""

import math
from fractions import Fraction
from typing import NamedTuple


class Format(NamedTuple):
    digits: int
    least: int  # exponent of the least number
    most: int  # above all exponents


FORMATS = {"e": Format(11, -24, 16), "f": Format(24, -149, 128), "d": Format(53, -1074, 1024)}


def whole_near(value, mode):
    """An integer near a fraction."""
    below = math.floor(value)
    rest = value - below
    if not rest:
        return below
    up = {"rd": False, "ru": True, "rz": value < 0}.get(mode)
    if up is None:
        up = rest > Fraction(1, 2) or rest == Fraction(1, 2) and below % 2 == 1
    return below + up


def rounded(value, code, mode="rn"):
    """A fraction as a number of type ``code``, ``f`` or ``d``; 0 is +0.0."""
    value, form = Fraction(value), FORMATS[code]
    if not value:
        return 0.0
    top = abs(value.numerator).bit_length() - value.denominator.bit_length()
    top -= abs(value) < Fraction(2) ** top
    step = max(top - form.digits + 1, form.least)
    result = whole_near(value / Fraction(2) ** step, mode) * Fraction(2) ** step
    limit = (2 - Fraction(2) ** (1 - form.digits)) * Fraction(2) ** (form.most - 1)
    if abs(result) > limit:
        to_limit = mode == "rz" or mode == "rd" and value > 0 or mode == "ru" and value < 0
        return (1 if value > 0 else -1) * (float(limit) if to_limit else math.inf)
    return math.copysign(float(result), 1 if value > 0 else -1)


def _sum(terms, signs, code, mode):
    total = sum(terms)
    if total:
        return rounded(total, code, mode)
    if len(set(signs)) == 1:  # zeros of one sign; others cancel
        return math.copysign(0.0, signs[0])
    return -0.0 if mode == "rd" else 0.0


def _is_special(*values):
    return not all(map(math.isfinite, values))


def _sign(value):
    return math.copysign(1, value)


def add(a, b, code, mode):
    return a + b if _is_special(a, b) else _sum((Fraction(a), Fraction(b)), (_sign(a), _sign(b)), code, mode)


def sub(a, b, code, mode):
    return add(a, -b, code, mode)


def mul(a, b, code, mode):
    if _is_special(a, b):
        return a * b
    return math.copysign(rounded(Fraction(a) * Fraction(b), code, mode), _sign(a) * _sign(b))


def div(a, b, code, mode):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) and math.isinf(b) or a == b == 0:
        return math.nan
    sign = _sign(a) * _sign(b)
    if math.isinf(a) or b == 0:
        return math.copysign(math.inf, sign)
    return math.copysign(0.0 if math.isinf(b) else rounded(Fraction(a) / Fraction(b), code, mode), sign)


def rcp(a, code, mode):
    return div(1.0, a, code, mode)


def root(value):
    """Bounds the square root of a fraction: what is not exact is between two numbers that all formats round alike."""
    shift = 2 * 1200
    scaled = value * Fraction(2) ** (2 * shift)
    below = math.isqrt(math.floor(scaled))
    exact = below * below == scaled
    return (Fraction(below) + (0 if exact else Fraction(1, 2))) / Fraction(2) ** shift


def sqrt(a, code, mode):
    if math.isnan(a) or a < 0:
        return math.nan
    return a if a == 0 or math.isinf(a) else rounded(root(Fraction(a)), code, mode)


def rsqrt(a, code, mode):
    if math.isnan(a) or a < 0:
        return math.nan
    if a == 0:
        return math.copysign(math.inf, a)
    return 0.0 if math.isinf(a) else rounded(root(1 / Fraction(a)), code, mode)


def fma(a, b, c, code, mode):
    if _is_special(a, b, c):
        if _is_special(a, b) or math.isnan(c):
            return a * b + c
        return c
    return _sum((Fraction(a) * Fraction(b), Fraction(c)), (_sign(a) * _sign(b), _sign(c)), code, mode)


def to_integer(value, mode, low, high, of_nan):
    """The nearest integer in a range."""
    if math.isnan(value):
        return of_nan
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(whole_near(Fraction(value), mode), low), high)


def signed(value, bits):
    """The bits of an integer as one with a sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
