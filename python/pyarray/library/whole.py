"""Functions of Python's ints, of which one is a uint64; the others may be int64.

``//`` and ``%`` divide the magnitudes. Results are exact, but for the quotient of a uint64 by a negative number, which
wraps where it is below zero, as all of Python's ints do that are kept in a uint64.
"""

import math

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


# Of math and builtins; results are uint64.


def _product(a, b):
    if b != 0 and a > np.uint64(0xFFFFFFFFFFFFFFFF) // b:
        raise OverflowError("the result does not fit in uint64")
    return a * b


def _divisor(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def gcd(*numbers):
    """``math.gcd(*numbers)``."""
    result = np.uint64(0)
    for n in numbers:
        result = _divisor(result, _magnitude(n))
    return result


def lcm(*numbers):
    """``math.lcm(*numbers)``."""
    result = np.uint64(1)
    for n in numbers:
        if n == 0:
            result = np.uint64(0)
        if result != 0:
            result = _product(result, _magnitude(n) // _divisor(result, _magnitude(n)))
    return result


def isqrt(n):
    """``math.isqrt(n)``."""
    root = np.uint64(math.sqrt(n))  # too large by one at most: n loses 11 bits, which its root has not
    return root - np.uint64(1) if root > 0xFFFFFFFF or root * root > n else root


def _natural(n, message):
    if n < 0:
        raise ValueError(message)
    return np.uint64(n)


def comb(n, k):
    """``math.comb(n, k)``; as each step is C(m, i) >= 2**i, few are taken before it is too large."""
    n = _natural(n, "n must be a non-negative integer")
    k = _natural(k, "k must be a non-negative integer")
    if k > n:
        return np.uint64(0)
    k = min(k, n - k)
    result = np.uint64(1)
    for i in range(1, k + np.uint64(1)):
        common = _divisor(result, np.uint64(i))
        result = _product(result // common, (n - k + np.uint64(i)) // (np.uint64(i) // common))
    return result


def perm(n, k=None):
    """``math.perm(n, k)``."""
    n = _natural(n, "n must be a non-negative integer")
    k = n if k is None else _natural(k, "k must be a non-negative integer")
    if k > n:
        return np.uint64(0)
    result = np.uint64(1)
    while k > 0:
        result = _product(result, n)
        n -= np.uint64(1)
        k -= np.uint64(1)
    return result


def factorial(n):
    """``math.factorial(n)``."""
    return perm(n)


def rounded(number, ndigits):
    """``round(number, ndigits)``: ties go to the even multiple."""
    if ndigits >= 0:
        return number
    if ndigits < -19:
        return np.uint64(0)
    unit = np.uint64(1)
    for _ in range(-ndigits):
        unit *= np.uint64(10)
    rest = number % unit
    below, above = number - rest, unit - rest
    up = rest > above or (rest == above and (below // unit) % np.uint64(2) == 1)
    return below + unit if up else below
