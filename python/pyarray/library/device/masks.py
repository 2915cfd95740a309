"""What masks choose of arrays on a GPU: the elements, where they are, stores there.

The mask is cut into parts, by its size alone. One kernel counts in each part, the host waits for how many there are,
and a second kernel goes through each part from where those before it end: all in order.
"""

import numpy as np

from .._intrinsics import overlaps, raise_if
from .kernels import THREADS, TILE, compress_parts, count_parts, list_parts
from .scans import product_of

_PARTS = 2048


def _flat(a):
    return np.ascontiguousarray(a).reshape(a.size)


def _counts(mask):
    """Of a mask with one dimension: how many are true in each part."""
    parts = max(1, min((len(mask) + TILE - 1) // TILE, _PARTS))
    counts = np.empty(parts, np.int32)
    count_parts(parts, THREADS, mask, counts)
    return counts


def compressed(a, mask):
    """``a[mask]``, with a mask of the shape of ``a``."""
    x, chosen = _flat(a), _flat(mask)
    counts = _counts(chosen)
    out = np.empty(counts.sum(), a.dtype)
    compress_parts(len(counts), THREADS, x, chosen, counts, out)
    return out


def places(mask):
    """The indices of the true elements, an array for each axis."""
    chosen = _flat(mask)
    counts = _counts(chosen)
    out = np.empty(counts.sum(), np.int64)
    list_parts(len(counts), THREADS, chosen, counts, out)
    return _unraveled(out, mask.shape)


def put_places(found, given):
    """Store these indices to arrays of as many."""
    if len(given) > 0:
        found[0][...] = given[0]
        put_places(found[1:], given[1:])


def _unraveled(flat, shape):
    if len(shape) == 0:
        return ()
    if len(shape) == 1:
        return (flat,)
    inner = product_of(shape, 1, len(shape))
    return (flat // inner,) + _unraveled(flat % inner, shape[1:])


def fill(a, mask, value):
    """``a[mask] = value`` with a number."""
    a[...] = np.where(mask, a.dtype.type(value), a)


def store(a, values, mask):
    """``a[mask] = values`` with an array of the type of ``a`` that has one dimension."""
    count = np.count_nonzero(mask)
    if len(values) == 1:
        a[...] = np.where(mask, values, a)
    else:
        raise_if(
            len(values) != count,
            "ValueError",
            "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values where the "
            "mask is true",
            len(values),
            count,
        )
        if count > 0:
            given = values.copy() if overlaps(values, a) else values
            numbers = np.cumsum(mask).reshape(mask.shape) - 1
            a[...] = np.where(mask, given[np.maximum(numbers, 0)], a)
