"""Running totals of arrays on a GPU: ``np.cumsum`` and its kin.

Rows are cut into parts, by the shape alone, so that a total has the same bits on every device. One kernel folds each
part, a second one goes through it from the total of those before it.
"""

import numpy as np

from .._intrinsics import c_contiguous, in_order, literal, overlaps
from .kernels import THREADS, TILE, fold_columns, fold_parts, scan_columns, scan_parts

_PARTS = 1024  # that all rows have together, where they are long enough
_LANES = 1 << 16  # threads that go through columns, where these are long enough
_SHORTEST = 64  # part of a column


def _total_dtype(dtype):
    """What totals are added up as: float16 is rounded where it is stored."""
    if dtype == np.float16:
        return np.float32
    return dtype


def _identity(dtype, word: literal):
    kind = np.dtype(dtype).kind
    if word == 0:
        return dtype.type(-0.0) if kind == "f" else dtype.type(0)
    if word == 1:
        return dtype.type(1)
    if kind == "f":
        return dtype.type(-np.inf) if word == 2 else dtype.type(np.inf)
    return np.iinfo(dtype).min if word == 2 else np.iinfo(dtype).max


def product_of(shape, first, last):
    """How many elements the axes from ``first`` on have before ``last``."""
    if len(shape) == 0:
        return 1
    return _product_of(shape, first, last)


def _product_of(shape, first, last):
    count = 1
    for i in range(first, last):
        count *= shape[i]
    return count


def scan(a, axis, out, word: literal):
    """Store the running totals of ``a`` along ``axis`` to ``out``, which may share memory with it."""
    if not c_contiguous(out) or overlaps(out, a):
        totals = np.empty(out.shape, out.dtype)
        _scan_to(a, axis, totals, word)
        out[...] = totals
    else:
        _scan_to(a, axis, in_order(out), word)


def _scan_to(a, axis, out, word: literal):
    """To an array in C order that is apart."""
    x = np.ascontiguousarray(a)
    outer, length, inner = product_of(a.shape, 0, axis), a.shape[axis], product_of(a.shape, axis + 1, a.ndim)
    if inner == 1:
        scan_rows(x.reshape(outer, length), out.reshape(outer, length), word)
    else:
        _scan_columns(x.reshape(outer, length, inner), out.reshape(outer, length, inner), word)


def scan_rows(x, out, word: literal):
    """The same of rows."""
    rows, length = x.shape
    parts = max(1, min((length + TILE - 1) // TILE, _PARTS // max(rows, 1)))
    sums = np.empty((rows, parts), _total_dtype(out.dtype))
    identity = _identity(sums.dtype, word)
    if parts > 1:
        fold_parts(rows * parts, THREADS, x, identity, sums, word)
    scan_parts(rows * parts, THREADS, x, sums, identity, out, word)


def _scan_columns(x, out, word: literal):
    outer, length, inner = x.shape
    parts = max(1, min(length // _SHORTEST, _LANES // max(outer * inner, 1)))
    sums = np.empty((outer, parts, inner), _total_dtype(out.dtype))
    identity = _identity(sums.dtype, word)
    blocks = (outer * parts * inner + THREADS - 1) // THREADS
    if parts > 1:
        fold_columns(blocks, THREADS, x, identity, sums, word)
    scan_columns(blocks, THREADS, x, sums, identity, out, word)
