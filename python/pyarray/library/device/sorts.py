"""Arrays on a GPU in order, by their bits: equal elements stay in their order, and NaN comes last."""

import numpy as np

from .._intrinsics import literal
from .kernels import BITS, DIGITS, THREADS, TILE, count_digits, move_digits, sort_rows
from .scans import scan_rows

# Keys: unsigned integers in the order of the elements -----------------------------------------------------------------


def _unsigned(x):
    """The dtype of the bits of the elements."""
    if x.dtype.itemsize == 1:
        return np.uint8
    if x.dtype.itemsize == 2:
        return np.uint16
    if x.dtype.itemsize == 4:
        return np.uint32
    return np.uint64


def _keys(x):
    """Of an array in C order."""
    kind = _unsigned(x)
    bits = x.view(kind)
    top = kind(1 << (8 * x.dtype.itemsize - 1))
    if x.dtype.kind == "f":
        return np.where(x != x, kind(np.iinfo(kind).max), np.where(bits & top != 0, ~bits, bits | top))
    if x.dtype.kind == "i":
        return bits ^ top
    return bits


def _values(keys, dtype):
    """The elements that have these keys."""
    top = keys.dtype.type(1 << (8 * keys.dtype.itemsize - 1))
    if dtype.kind == "f":
        return np.where(keys & top != 0, keys ^ top, ~keys).view(dtype)
    if dtype.kind == "i":
        return (keys ^ top).view(dtype)
    return keys.view(dtype)


# Order ----------------------------------------------------------------------------------------------------------------


def _ordered(keys, places, bits, placed: literal):
    """Keys, and places if ``placed``, in the order of the last bits of the keys."""
    tiles = (len(keys) + TILE - 1) // TILE
    counts, before = np.empty((DIGITS, tiles), np.int32), np.empty((DIGITS, tiles), np.int64)
    other_keys, other_places = np.empty(len(keys), keys.dtype), np.empty(len(places), np.int64)
    for shift in range(0, bits, BITS):
        count_digits(tiles, THREADS, keys, shift, counts)
        scan_rows(counts.reshape(1, counts.size), before.reshape(1, before.size), 0)
        move_digits(tiles, THREADS, keys, places, shift, before, other_keys, other_places, placed)
        keys, other_keys = other_keys, keys
        places, other_places = other_places, places
    return keys, places


def _bits_of(number):
    """How many bits an unsigned number has."""
    bits = 0
    while bits < 64 and np.uint64(number) >> np.uint64(bits) != 0:
        bits += 1
    return bits


def _sorted_rows(keys, placed: literal):
    """Rows of keys in order, and, if ``placed``, where each was in its row."""
    rows, length = keys.shape
    if length <= TILE:
        made, places = np.empty(keys.shape, keys.dtype), np.empty((rows * placed, length), np.int64)
        sort_rows(rows, THREADS, keys, 8 * keys.dtype.itemsize, made, places, placed)
        return made, places
    # Keys from the least one on: few numbers have few bits.
    flat, least = keys.reshape(rows * length), keys.min()
    bits = _bits_of(keys.max() - least)
    if not placed and rows == 1:
        made, order = _ordered(flat - least, np.empty(0, np.int64), bits, 0)
        made = made + least
    else:
        made, order = _ordered(flat - least, np.arange(rows * length), bits, 1)
        if rows > 1:
            order = _ordered((order // length).astype(np.uint64), order, _bits_of(rows - 1), 1)[1]
            made = flat[order]
            order = order % length
        else:
            made = made + least
    return made.reshape(rows, length), order.reshape(len(order) // length, length)


def _rows_of(a):
    length = a.shape[-1]
    return np.ascontiguousarray(a).reshape(a.size // max(length, 1), length)


def sort_last(a):
    """Sort along the last axis, in place."""
    if a.size > 1:
        a[...] = _values(_sorted_rows(_keys(_rows_of(a)), 0)[0], a.dtype).reshape(a.shape)


def argsort_last(a, out):
    """Store the places of a sorted array along the last axis."""
    if a.size > 0:
        rows = _rows_of(a)
        if a.dtype.kind == "f":
            rows = rows + a.dtype.type(0)  # -0.0 is no less than 0.0
        out[...] = _sorted_rows(_keys(rows), 1)[1].reshape(out.shape)
