"""``//`` and ``%`` of Python's ints, of which one is a uint64 and the other an int64.

The magnitudes are divided. Results are exact, but for the quotient of a uint64 by a negative number, which wraps where
it is below zero, as all of Python's ints do that are kept in a uint64.
"""

import numpy as np


def _magnitude(n):
    return np.uint64(n) if n >= 0 else np.uint64(0) - np.uint64(n)


def quotient(a, b):
    """``a // b``: a uint64 where ``a`` is one, else an int64."""
    if isinstance(a, np.unsignedinteger):
        divisor = _magnitude(b)
        whole = a // divisor
        if b >= 0:
            return whole
        return np.uint64(0) - whole - np.uint64(whole * divisor != a)
    dividend = _magnitude(a)
    whole = dividend // b
    if a >= 0:
        return np.int64(whole)
    return np.int64(np.uint64(0) - whole - np.uint64(whole * b != dividend))


def remainder(a, b):
    """``a % b``, of the type of ``b``."""
    if isinstance(a, np.unsignedinteger):
        rest = np.int64(a % _magnitude(b))
        return rest + b if b < 0 and rest != 0 else rest
    rest = _magnitude(a) % b
    return b - rest if a < 0 and rest != 0 else rest


def quotient_and_remainder(a, b):
    """``divmod(a, b)``."""
    return quotient(a, b), remainder(a, b)


# Of a uint64 that is no Python int: the types are Numba's.


def int64_quotient(a, b):
    """``a // b``, as an int64."""
    return np.int64(quotient(a, b))


def int64_remainder(a, b):
    """``a % b``, as an int64."""
    return np.int64(remainder(a, b))


def int64_quotient_and_remainder(a, b):
    """``divmod(a, b)``, as int64."""
    return int64_quotient(a, b), int64_remainder(a, b)


def low_bits(x):
    """``x % 2**64``."""
    if isinstance(x, (float, np.floating)):
        return x % 18446744073709551616.0
    return x & 0xFFFFFFFFFFFFFFFF


# With error_model="numpy" the results for a divisor of 0 are 0.


def quotient_or_zero(a, b):
    """``a // b``."""
    return quotient(a, b) if b != 0 else a - a


def remainder_or_zero(a, b):
    """``a % b``."""
    return remainder(a, b) if b != 0 else b


def quotient_and_remainder_or_zero(a, b):
    """``divmod(a, b)``."""
    return quotient_or_zero(a, b), remainder_or_zero(a, b)


def int64_quotient_or_zero(a, b):
    """``a // b``, as an int64."""
    return int64_quotient(a, b) if b != 0 else np.int64(0)


def int64_remainder_or_zero(a, b):
    """``a % b``, as an int64."""
    return int64_remainder(a, b) if b != 0 else np.int64(0)


def int64_quotient_and_remainder_or_zero(a, b):
    """``divmod(a, b)``, as int64."""
    return int64_quotient_or_zero(a, b), int64_remainder_or_zero(a, b)
