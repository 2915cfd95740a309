"""Stores by integers to arrays on a GPU: of several to one place, the last one in C order stays."""

import numpy as np

from .._intrinsics import c_contiguous, in_order, overlaps, raise_if
from .kernels import THREADS, mark_last, store_last, store_rows
from .scans import product_of


def check(places, extents, axes):
    """IndexError where one is out of bounds: the first one of an axis."""
    if len(places) > 0:
        _check_axis(places[0], extents[0], axes[0])
        check(places[1:], extents[1:], axes[1:])


def _check_axis(place, extent, axis):
    if isinstance(place, np.ndarray):
        outside = (place < -extent) | (place >= extent)
        if outside.any():
            _refuse(place.ravel()[outside.argmax()], extent, axis)
    else:
        raise_if((place < -extent) | (place >= extent), "IndexError", _TEXT, place, extent, axis)


_TEXT = "index {0} is out of bounds for axis {2} with size {1}"


def _refuse(place, extent, axis):
    raise_if(True, "IndexError", _TEXT, place, extent, axis)


def _rows(places, extents, before):
    """The numbers of the parts that have these indices."""
    if len(places) == 0:
        return before
    own = np.where(places[0] < 0, places[0] + extents[0], places[0]).astype(np.int64)
    return _rows(places[1:], extents[1:], before * extents[0] + own)


def store(target, values, places, shape):
    """``target[places] = values``; ``shape`` is what the places broadcast to, and all are within bounds."""
    if not c_contiguous(target):
        whole = target.copy()
        _store_apart(whole, values, places, shape)
        target[...] = whole
    else:
        _store_apart(in_order(target), values, places, shape)


def _store_apart(target, values, places, shape):
    count = product_of(shape, 0, len(shape))
    rows = np.empty(shape, np.int64)
    rows[...] = _rows(places, target.shape, np.int64(0))
    given = values.copy() if overlaps(values, target) else values
    _store(target, given, rows.reshape(count), target.shape[len(places) :], shape)


def _store(target, values, rows, part, shape):
    inner = product_of(part, 0, len(part))
    parts = target.size // max(inner, 1)
    out = target.reshape(parts, inner)
    blocks = (len(rows) * inner + THREADS - 1) // THREADS
    if values.size == 1:
        one = np.broadcast_to(values.reshape(1, 1), (len(rows), inner))
        store_rows(blocks, THREADS, rows, one, out)
    else:
        all_values = np.empty(shape + part, values.dtype)
        all_values[...] = values
        last = np.full(parts, -1, np.int64)
        mark_last((len(rows) + THREADS - 1) // THREADS, THREADS, rows, last)
        store_last(blocks, THREADS, rows, last, all_values.reshape(len(rows), inner), out)
