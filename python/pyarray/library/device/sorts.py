"""Arrays on a GPU in order: equal elements stay in their order, and NaN comes last.

Rows of a few thousand elements are sorted by a block each. Of longer ones a kernel counts all digits of the keys at
once, and others bring the keys into the order of one digit each. What digits are needed is decided there, so that the
host never waits.
"""

import numpy as np

from .._intrinsics import c_contiguous, in_order, literal, raise_if
from .kernels_sort import DIGITS, GROUP, ROW_SORTERS, SORTERS, count_digits, move_digits, sort_rows

_ROW_ITEMS = 8  # of a thread, where a row is a block's
_LONG = ROW_SORTERS * _ROW_ITEMS
_COUNTING = 800  # blocks that count


def _unsigned(dtype):
    """The dtype of the bits of the elements."""
    if dtype.itemsize == 1:
        return np.uint8
    if dtype.itemsize == 2:
        return np.uint16
    if dtype.itemsize == 4:
        return np.uint32
    return np.uint64


def _fraction(dtype):
    """The bits of a float behind those of its exponent."""
    if dtype.itemsize == 2:
        return 10
    if dtype.itemsize == 4:
        return 23
    return 52


def _order_of(dtype, placed: literal):
    """What makes keys of elements: what is exchanged in positive ones, in negative ones, what is subtracted then, the
    greatest key, and what counts as 0.

    Floats: -inf is 0, and NaN with a sign comes behind all others. Where only places are wanted, NaN is one key.
    """
    word = np.uint64 if dtype.itemsize == 8 else np.uint32
    none, top = word(0), word(word(1) << word(8 * dtype.itemsize - 1))
    every = word(top | word(top - word(1)))
    if dtype.kind == "f":
        low = word((1 << _fraction(dtype)) - 1)
        if placed:
            return top, every, low, word(every - low - low + word(1)), top
        return top, every, low, every, none
    if dtype.kind == "i":
        return top, top, none, every, none
    return none, none, none, every, none


def _sort_rows(x, length, order, even, made, out, placed: literal):
    """Rows of ``x``, bits in C order, to ``made``, or where they were to ``out``; ``even``: both may be the same."""
    if length <= _LONG:
        positive, negative, low, greatest, zero = order
        sort_rows(
            len(x) // length, ROW_SORTERS, x, length, positive, negative, low, greatest, zero, made, out, _ROW_ITEMS,
            placed,
        )  # fmt: skip
    # An even number of digits, so that keys can end where they began; fewer long keys fit into shared memory.
    elif x.dtype.itemsize <= 2:
        _sort_long_rows(x, length, order, even, made, out, 2, 12, placed)
    elif x.dtype.itemsize == 4:
        _sort_long_rows(x, length, order, even, made, out, 4, 12, placed)
    else:
        _sort_long_rows(x, length, order, even, made, out, 8, 8, placed)


def _sort_long_rows(x, length, order, even, made, out, digits: literal, items: literal, placed: literal):
    positive, negative, low, greatest, zero = order
    rows, tiles = len(x) // length, (length + SORTERS * items - 1) // (SORTERS * items)
    parts = min((length + GROUP * SORTERS - 1) // (GROUP * SORTERS), max(1, _COUNTING // rows))
    work = np.zeros((1 + rows * (1 + digits + tiles)) * DIGITS, np.int64)
    keys, places, others = np.empty(len(x), x.dtype), np.empty(len(out), np.uint32), np.empty(len(out), np.uint32)
    count_digits(rows * parts, SORTERS, x, length, rows, positive, negative, low, greatest, zero, even, work, digits)
    for number in range(digits):
        move_digits(
            rows * tiles, SORTERS, x, length, rows, positive, negative, low, greatest, zero, number, work, keys, made,
            places, others, out, digits, items, placed,
        )  # fmt: skip


def sort_last(a):
    """Sort along the last axis, in place."""
    if a.size > 1:
        if c_contiguous(a):
            _sort_bits(in_order(a), in_order(a), 1)
        else:
            apart = np.ascontiguousarray(a)
            _sort_bits(apart, apart, 1)
            a[...] = apart


def sort_to(a, out):
    """Store what is sorted along the last axis to ``out``, which is apart."""
    if a.size > 0:
        if c_contiguous(out):
            _sort_bits(np.ascontiguousarray(a), in_order(out), 0)
        else:
            apart = np.ascontiguousarray(a)
            made = np.empty(a.shape, a.dtype)
            _sort_bits(apart, made, 0)
            out[...] = made


def _sort_bits(a, made, even):
    kind = _unsigned(a.dtype)
    x, to = a.reshape(a.size).view(kind), made.reshape(made.size).view(kind)
    _sort_rows(x, a.shape[-1], _order_of(a.dtype, 0), even, to, np.empty(0, np.int64), 0)


def argsort_last(a, out):
    """Store the places of a sorted array along the last axis."""
    if a.size > 0:
        if c_contiguous(out):
            _place_bits(np.ascontiguousarray(a), in_order(out))
        else:
            apart = np.empty(out.shape, np.int64)
            _place_bits(np.ascontiguousarray(a), apart)
            out[...] = apart


def _place_bits(a, out):
    length = a.shape[-1]
    raise_if(length >= 1 << 32, "ValueError", "argsort on a GPU: {0} elements in a row are too many", length)
    x, made = a.reshape(a.size).view(_unsigned(a.dtype)), np.empty(a.size, _unsigned(a.dtype))
    _sort_rows(x, length, _order_of(a.dtype, 1), 0, made, out.reshape(out.size), 1)
