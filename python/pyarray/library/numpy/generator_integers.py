"""Integers and bytes that NumPy's Generator draws."""

import numpy as np

from .._intrinsics import draw, draw_into, known, literal
from .random import _int, _some, shape_of, spread


def integers(self, low, high=None, size=None, dtype=np.int64, endpoint: known = False):
    """Integers from ``low``, or 0, to below ``high``, or ``low``, or up to it."""
    first, end = _int(0 if high is None else low), _int(low if high is None else high)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return _within(self, first, end, size, dtype, endpoint, "bool", 0, 1, 1)
    elif kind == np.uint8:
        return _within(self, first, end, size, dtype, endpoint, "uint8", 0, 255, 8)
    elif kind == np.uint16:
        return _within(self, first, end, size, dtype, endpoint, "uint16", 0, 65535, 16)
    elif kind == np.uint32:
        return _within(self, first, end, size, dtype, endpoint, "uint32", 0, 4294967295, 32)
    elif kind == np.int8:
        return _within(self, first, end, size, dtype, endpoint, "int8", -128, 127, 8)
    elif kind == np.int16:
        return _within(self, first, end, size, dtype, endpoint, "int16", -32768, 32767, 16)
    elif kind == np.int32:
        return _within(self, first, end, size, dtype, endpoint, "int32", -2147483648, 2147483647, 32)
    elif kind == np.int64:
        return _within(self, first, end, size, dtype, endpoint, "int64", -(2**63), 2**63 - 1, 64)
    elif kind == np.uint64:
        return _of_unsigned(self, 0 if high is None else low, low if high is None else high, size, endpoint)
    else:
        raise TypeError(f"Unsupported dtype dtype('{kind.name}') for integers")


def _within(rng, low, high, size, dtype, endpoint: known, name: known, least: literal, most: literal, bits: literal):
    """Integers of a dtype whose values are from ``least`` to ``most``."""
    if _some(low < least):
        raise ValueError(f"low is out of bounds for {name}")
    if endpoint:
        if _some(high > most):
            raise ValueError(f"high is out of bounds for {name}")
        if _some(low > high):
            raise ValueError("low > high")
        return _drawn(rng, low, high, size, dtype, bits)
    else:
        if bits < 64 and _some(high > most + 1):
            raise ValueError(f"high is out of bounds for {name}")
        if _some(low >= high):
            raise ValueError("low >= high")
        return _drawn(rng, low, high - 1, size, dtype, bits)


def _of_unsigned(rng, low, high, size, endpoint: known):
    """Integers of uint64; 2**64 is no bound that compiled code has."""
    if _some(np.less(low, 0)):
        raise ValueError("low is out of bounds for uint64")
    if _some(np.less(high, 0)):
        raise ValueError("low > high" if endpoint else "low >= high")
    first, end = _unsigned(low), _unsigned(high)
    if endpoint:
        if _some(first > end):
            raise ValueError("low > high")
        return _drawn(rng, first, end, size, np.uint64, 64)
    else:
        if _some(first >= end):
            raise ValueError("low >= high")
        return _drawn(rng, first, end - np.uint64(1), size, np.uint64, 64)


def _unsigned(x):
    if isinstance(x, (np.ndarray, list, tuple)):
        return np.asarray(x).astype(np.uint64)
    return np.uint64(x)


def _drawn(rng, low, last, size, dtype, bits: literal):
    """Integers from ``low`` to ``last``."""
    if isinstance(low, np.ndarray) or isinstance(last, np.ndarray):
        return _drawn_for_each(rng, np.asarray(low), np.asarray(last), size, dtype, bits)
    elif size is None:
        if bits >= 32:
            return dtype(draw(rng, "random_bounded_uint64", low, last - low, 0, 0))
        return dtype(_filled(rng, low, last, 1, dtype, bits)[0])
    else:
        return _filled(rng, low, last, size, dtype, bits)


def _filled(rng, low, last, size, dtype, bits: literal):
    made = np.empty(size, dtype)
    if bits == 64:
        draw_into(rng, "random_bounded_uint64_fill", low, last - low, made.size, 0, made)
    elif bits == 32:
        draw_into(rng, "random_bounded_uint32_fill", low, last - low, made.size, 0, made)
    elif bits == 16:
        draw_into(rng, "random_bounded_uint16_fill", low, last - low, made.size, 0, made)
    elif bits == 8:
        draw_into(rng, "random_bounded_uint8_fill", low, last - low, made.size, 0, made)
    else:
        draw_into(rng, "random_bounded_bool_fill", low, last - low, made.size, 0, made)
    return made


def _drawn_for_each(rng, low, last, size, dtype, bits: literal):
    made = np.empty(shape_of(size, low.shape, last.shape, ()), dtype)
    flat, first, end = made.reshape(-1), spread(low, made), spread(last, made)
    left, buffer = np.zeros(1, np.int32), np.zeros(1, np.uint32)  # of 32 bits that several are taken from
    for i in range(len(flat)):
        flat[i] = _next(rng, first[i], end[i] - first[i], left, buffer, bits)
    return made


def _next(rng, low, width, left, buffer, bits: literal):
    """The bits of one integer, of which those beyond its own may be anything."""
    if bits == 64:
        return draw(rng, "random_bounded_uint64", low, width, 0, 0)
    elif bits == 32:
        return draw_into(rng, "random_buffered_bounded_uint32", low, width, 0, 0, left, buffer)
    elif bits == 16:
        return draw_into(rng, "random_buffered_bounded_uint16", low, width, 0, 0, left, buffer)
    elif bits == 8:
        return draw_into(rng, "random_buffered_bounded_uint8", low, width, 0, 0, left, buffer)
    else:
        return draw_into(rng, "random_buffered_bounded_bool", low, width, 1, 0, left, buffer) & 1


def bytes(self, length):
    """Random bytes."""
    # NumPy's division is that of C: one word is drawn for no bytes.
    words = (length + 3) // 4 if length > 0 else 1 - (1 - length) // 4
    return integers(self, 0, 4294967296, words, np.uint32).tobytes()[:length]
