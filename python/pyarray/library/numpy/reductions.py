"""Reductions that are made of others: ``np.mean``, ``np.var``, ``np.cumsum`` and their kin.

The compiler hands over an array, the axes as bits of a literal (-1: the last one), and whether they are kept
(``lib/passes/infer/infer_reduce.c``); where the axis is not known then, functions with ``_at`` get it as it is.
Operations are done in NumPy's order, so that floats have its bits.
"""

import numpy as np

from .._intrinsics import axis_back, axis_last, literal, norm, over_add, over_max, over_min, size_over


def array_of(items):
    """What is no array, but holds numbers, or is one."""
    return np.array(items)


# -- Means -----------------------------------------------------------------------------------------


def _total(a, axes: literal, keepdims: literal, dtype, where):
    """The sum in the type in which NumPy computes means."""
    if dtype is None:
        if np.issubdtype(a.dtype, np.integer) or a.dtype == np.bool_:
            return over_add(a, axes, keepdims, np.float64, where)
    return over_add(a, axes, keepdims, dtype, where)


def _count(a, axes: literal, keepdims: literal, where):
    """How many elements each mean is of, as NumPy's int64."""
    if where is None:
        return np.int64(size_over(a, axes))
    return over_add(np.ones_like(a, np.int64), axes, keepdims, None, where)


def _divided(total, count):
    """``total / count`` in the type of ``total``."""
    if isinstance(total, np.timedelta64):
        return total / count
    if np.issubdtype(total.dtype, np.timedelta64):
        return total / count
    if isinstance(count, np.ndarray):
        return np.divide(total, count.astype(np.float64)).astype(total.dtype)
    return np.divide(total, np.float64(count)).astype(total.dtype)


def mean(a, axes: literal, keepdims: literal, dtype=None, where=None):
    """``np.mean``"""
    if dtype is None and a.dtype == np.float16:
        return mean(a, axes, keepdims, np.float32, where).astype(np.float16)
    return _divided(_total(a, axes, keepdims, dtype, where), _count(a, axes, keepdims, where))


def mean_at(a, axis, keepdims: literal, dtype=None, where=None):
    """The same along an axis that is known at run time."""
    return _back(mean(axis_last(a, axis), -1, keepdims, dtype, where), axis, keepdims)


def _back(result, axis, keepdims: literal):
    if keepdims == 1:
        return axis_back(result, axis)
    return result


# -- Variances -------------------------------------------------------------------------------------


def _deviations(a, axes: literal, dtype, where, mean):
    if mean is None:
        if axes == (1 << a.ndim) - 1 or (axes == -1 and a.ndim == 1):  # the mean is a number
            return a - _divided(_total(a, axes, 0, dtype, where), _count(a, axes, 0, where))
        return a - _divided(_total(a, axes, 1, dtype, where), _count(a, axes, 1, where))
    return a - mean


def _squares(a, x, axes: literal, keepdims: literal, dtype, where):
    """The sum of the squares of ``x``, the deviations of ``a``."""
    if np.issubdtype(x.dtype, np.complexfloating):
        return over_add(norm(x), axes, keepdims, None, where)
    if dtype is None:
        return over_add(x * x, axes, keepdims, x.dtype, where)
    return over_add(x * x, axes, keepdims, dtype, where)


def var(a, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None):
    """``np.var``"""
    total = _squares(a, _deviations(a, axes, dtype, where, mean), axes, keepdims, dtype, where)
    return _divided(total, np.maximum(_count(a, axes, keepdims, where) - ddof, 0))


def var_at(a, axis, keepdims: literal, dtype=None, ddof=0, where=None):
    """The same along an axis that is known at run time."""
    return _back(var(axis_last(a, axis), -1, keepdims, dtype, ddof, where), axis, keepdims)


def std(a, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None):
    """``np.std``"""
    return np.sqrt(var(a, axes, keepdims, dtype, ddof, where, mean))


def std_at(a, axis, keepdims: literal, dtype=None, ddof=0, where=None):
    """The same along an axis that is known at run time."""
    return np.sqrt(var_at(a, axis, keepdims, dtype, ddof, where))


# -- Others ----------------------------------------------------------------------------------------


def ptp(a, axes: literal, keepdims: literal):
    """``np.ptp``"""
    return np.subtract(over_max(a, axes, keepdims), over_min(a, axes, keepdims))


def ptp_at(a, axis, keepdims: literal):
    """The same along an axis that is known at run time."""
    return _back(ptp(axis_last(a, axis), -1, keepdims), axis, keepdims)


def count_nonzero(a, axes: literal, keepdims: literal):
    """``np.count_nonzero``"""
    return over_add(np.not_equal(a, 0), axes, keepdims)


def count_nonzero_at(a, axis, keepdims: literal):
    """The same along an axis that is known at run time."""
    return _back(count_nonzero(axis_last(a, axis), -1, keepdims), axis, keepdims)


# -- Scans -----------------------------------------------------------------------------------------


def _widened(a, dtype, out):
    """The dtype of sums and products: short integers widen."""
    if dtype is not None:
        return dtype
    if out is not None:
        return out.dtype
    if a.dtype == np.bool_ or np.issubdtype(a.dtype, np.signedinteger):
        return np.int64
    if np.issubdtype(a.dtype, np.unsignedinteger):
        return np.uint64
    return a.dtype


def _own(a, dtype, out):
    if dtype is not None:
        return dtype
    if out is not None:
        return out.dtype
    return a.dtype


def _combined(total, x, word: literal):
    if word == 0:
        return np.add(total, x)
    if word == 1:
        return np.multiply(total, x)
    if word == 2:
        return np.maximum(total, x)
    return np.minimum(total, x)


def _scan_rows(x, out, word: literal):
    """Store the running totals of ``x`` along its last axis."""
    if x.ndim > 1:
        for i in range(len(x)):
            _scan_rows(x[i], out[i], word)
        return
    if len(x) == 0:
        return
    out[0] = x[0]
    total = out[0]
    for i in range(1, len(x)):
        if x.dtype == out.dtype:
            total = _combined(total, x[i], word)
        else:
            total = _combined(total, out.dtype.type(x[i]), word)
        out[i] = total


def _scan_into(a, axis, out, word: literal):
    if a.ndim == 1:
        if axis != 0 and axis != -1:
            raise ValueError(f"axis {axis} is out of bounds for array of dimension 1")
        _scan_rows(a, out, word)
    else:
        _scan_rows(axis_last(a, axis), axis_last(out, axis), word)
    return out


def _copy_flat(a, flat, at):
    """Store the elements from position ``at`` on; the position behind them."""
    if a.ndim == 1:
        flat[at : at + len(a)] = a
        return at + len(a)
    for i in range(len(a)):
        at = _copy_flat(a[i], flat, at)
    return at


def _flat(a):
    """The elements in C order, with one dimension."""
    flat = np.empty(a.size, a.dtype)
    if a.ndim == 0:
        flat[0] = a[()]
    else:
        _copy_flat(a, flat, 0)
    return flat


def _scan(a, axis, kind, out, word: literal):
    if axis is None:
        if a.ndim == 1:
            return _scan(a, 0, kind, out, word)
        return _scan(_flat(a), 0, kind, out, word)
    if a.ndim == 0:
        return _scan(_flat(a), axis, kind, out, word)
    if out is None:
        return _scan_into(a, axis, np.empty(a.shape, kind), word)
    if out.shape != a.shape:
        raise ValueError("provided out is the wrong size for the accumulation.")
    if out.dtype == kind:
        return _scan_into(a, axis, out, word)
    out[...] = _scan_into(a, axis, np.empty(a.shape, kind), word)
    return out


def cumsum(a, axis=None, dtype=None, out=None):
    """``np.cumsum``"""
    return _scan(a, axis, _widened(a, dtype, out), out, 0)


def cumprod(a, axis=None, dtype=None, out=None):
    """``np.cumprod``"""
    return _scan(a, axis, _widened(a, dtype, out), out, 1)


def accumulate_add(array, axis=0, dtype=None, out=None):
    """``np.add.accumulate``"""
    return _scan(array, axis, _widened(array, dtype, out), out, 0)


def accumulate_multiply(array, axis=0, dtype=None, out=None):
    """``np.multiply.accumulate``"""
    return _scan(array, axis, _widened(array, dtype, out), out, 1)


def accumulate_maximum(array, axis=0, dtype=None, out=None):
    """``np.maximum.accumulate``"""
    return _scan(array, axis, _own(array, dtype, out), out, 2)


def accumulate_minimum(array, axis=0, dtype=None, out=None):
    """``np.minimum.accumulate``"""
    return _scan(array, axis, _own(array, dtype, out), out, 3)
