"""Products that are made of others: ``np.outer``, ``np.vdot``."""

import numpy as np


def outer(a, b, out=None):
    """Each element of ``a`` times each of ``b``, as a matrix; arrays of several dimensions are seen as one."""
    x, y = _flat(np.asarray(a)), _flat(np.asarray(b))
    if out is None:
        result = np.empty((x.size, y.size), (x[:0] * y[:0]).dtype)
        _multiply_rows(x, y, result)
        return result
    if out.shape != (x.size, y.size):
        raise ValueError(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast shape "
            f"({x.size},{y.size})"
        )
    _multiply_rows(np.copy(x), np.copy(y), out)
    return out


def _multiply_rows(x, y, out):
    i = 0
    for row in out:
        np.multiply(x[i], y, row)
        i += 1


def vdot(a, b, /):
    """The sum of the products of all elements in order, those of ``a`` conjugated."""
    x, y = _flat(np.asarray(a)), _flat(np.asarray(b))
    if x.size != y.size:
        raise ValueError(f"cannot reshape array of size {y.size} into shape ({x.size},)")
    if x.dtype == np.complex64 or x.dtype == np.complex128:
        return np.dot(np.conjugate(x), y)
    return np.dot(x, y)


def _flat(a):
    """The elements in C's order, in one dimension."""
    if a.ndim == 1:
        return a
    out = np.empty(a.size, a.dtype)
    _store_flat(out, a)
    return out


def _store_flat(out, a):
    if a.ndim == 0:
        out[0] = a[()]
        return
    if a.ndim == 1:
        out[:] = a
        return
    count, k = out.size // max(len(a), 1), 0
    for part in a:
        _store_flat(out[k : k + count], part)
        k += count
