"""Methods of numbers."""

import math

import numpy as np


def is_integer(self):
    """Whether it is whole."""
    if isinstance(self, np.floating):
        return (
            math.isfinite(self) and math.floor(self) == self if abs(self) < 4503599627370496.0 else math.isfinite(self)
        )
    return True


def _magnitude(self):
    n = np.uint64(self)
    return np.uint64(0) - n if self < 0 else n


def bit_length(self):
    """Bits of its magnitude."""
    n, count = _magnitude(self), 0
    while n != 0:
        n >>= np.uint64(1)
        count += 1
    return count


def bit_count(self):
    """Bits of its magnitude that are set."""
    n, count = _magnitude(self), 0
    while n != 0:
        n &= n - np.uint64(1)
        count += 1
    return count


def as_integer_ratio(self):
    """As a fraction in lowest terms, where its parts have 64 bits."""
    if not isinstance(self, np.floating):
        return int(self), 1
    x = float(self)
    if math.isinf(x):
        raise OverflowError("cannot convert Infinity to integer ratio")
    if math.isnan(x):
        raise ValueError("cannot convert NaN to integer ratio")
    fraction, exponent = math.frexp(x)
    steps = 0
    while fraction != math.floor(fraction) and steps < 300:
        fraction *= 2.0
        exponent -= 1
        steps += 1
    if exponent > 62 or exponent < -62:
        raise OverflowError("the integer ratio has more than 64 bits")
    numerator, denominator = int(fraction), 1
    if exponent > 0:
        if abs(fraction) * 2.0**exponent >= 9223372036854775808.0:
            raise OverflowError("the integer ratio has more than 64 bits")
        numerator <<= exponent
    else:
        denominator <<= -exponent
    return numerator, denominator
