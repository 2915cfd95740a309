"""What ``cuda.fp16`` and ``cuda.bf16`` have alike, of numbers of either type and of integers."""

import numpy as np


def within_unit(x, zero, one):
    """``x`` from 0 to 1, else the nearer of these; of NaN 0. ``zero`` and ``one`` are of the type of ``x``."""
    return (x if x < one else one) if x > zero else zero


def positive_part(x, zero):
    """``x`` where it is positive or NaN, else 0."""
    return zero if x <= zero else x


def greatest(x, y):
    """The greater one; NaN if either is."""
    return x if x != x or x > y or (x == y and not np.signbit(x)) else y


def least(x, y):
    """The lesser one; NaN if either is."""
    return x if x != x or x < y or (x == y and np.signbit(x)) else y


def bits_below(bits):
    """The bits of the next number below one with these, which are a uint16."""
    return np.uint16(bits + 1) if bits & 0x8000 else np.uint16(bits - 1) if bits else np.uint16(0x8001)


def bits_above(bits):
    """The bits of the next number above."""
    return np.uint16(bits - 1) if bits > 0x8000 else np.uint16(1) if bits & 0x7FFF == 0 else np.uint16(bits + 1)


def is_beyond(y, x):
    """Whether ``y`` is further from 0 than ``x``, which it was rounded from."""
    return y > x if x > 0 else y < x
