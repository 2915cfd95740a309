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


def to_bytes(self, length=1, byteorder="big", *, signed=False):
    """The bytes of an integer."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    negative = self < 0
    if negative and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    magnitude = np.uint64(-1 - int(self)) if negative else np.uint64(self)  # what the sign does not say
    bits = 8 * length - (1 if signed else 0)
    if magnitude != 0 and bits < 64 and (bits < 0 or magnitude >> np.uint64(bits) != 0):
        raise OverflowError("int too big to convert")
    codes = []
    for k in range(length):
        code = np.int64(magnitude >> np.uint64(8 * k) & np.uint64(255)) if k < 8 else 0
        codes.append(255 - code if negative else code)
    if byteorder == "big":
        codes.reverse()
    return bytes(codes)


def hex(self):
    """A float as hexadecimal text."""
    x = float(self)
    if not math.isfinite(x):
        return str(x)
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    if x == 0.0:
        return sign + "0x0.0p+0"
    fraction, exponent = math.frexp(abs(x))
    exponent -= 1
    lead = 1
    if exponent < -1022:
        fraction, exponent, lead = math.ldexp(fraction, exponent + 1022), -1022, 0
    digits = int((fraction * 2.0 - lead) * 4503599627370496.0)
    return f"{sign}0x{lead}.{digits:013x}p{exponent:+d}"
