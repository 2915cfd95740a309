"""Reductions that are made of others: ``np.mean``, ``np.var``, ``np.cumsum`` and their kin.

The compiler hands over an array, the axes as bits of a literal (-n: the last n), and whether they are kept
(``lib/passes/infer/ufuncs/infer_reduce.c``); where the axes are not known then, or the array has none of them,
functions with ``_at`` get them as they are, too.
Operations are done in NumPy's order, so that floats have its bits.
"""

import numpy as np

from .._intrinsics import (
    known,
    literal,
    norm,
    on_device,
    over_add,
    over_all,
    over_and,
    over_any,
    over_argmax,
    over_argmin,
    over_max,
    over_min,
    over_mul,
    over_or,
    over_xor,
    size_over,
)
from ..device.scans import scan
from .axes import axes_back, axes_last, axis_of, reduced_axes


def array_of(items):
    """What is no array, but holds numbers, or is one."""
    return np.array(items)


# -- Axes of run time ------------------------------------------------------------------------------


def _like_array(x, a, axis):
    """The view of a mask, of means, that belongs to that of the array."""
    if x is None:
        return None
    return axes_last(np.broadcast_to(x, np.shape(a)), axis)


def _target(out, axis, keepdims: literal):
    """Where the reduction of that view stores."""
    if out is None or keepdims == 0:
        return out
    return axes_last(out, axis)


def _back(result, out, axis, keepdims: literal):
    if out is not None:
        return out
    if keepdims == 1:
        return axes_back(result, axis)
    return result


def reduce_at(a, axis, axes: literal, word: known, keepdims: literal, dtype=None, out=None, initial=None, where=None):
    """A reduction of the compiler along axes that are known at run time."""
    if (word == "argmax" or word == "argmin") and np.ndim(a) == 0:
        axis_of(axis, 1)
    view, target = axes_last(a, axis), _target(out, axis, keepdims)
    mask = _like_array(where, a, axis)
    return _back(_reduce(view, axes, word, keepdims, dtype, target, initial, mask), out, axis, keepdims)


def _reduce(a, axes: literal, word: known, keepdims: literal, dtype, out, initial, where):
    if word == "add":
        return over_add(a, axes, keepdims, dtype, where, out, initial)
    if word == "mul":
        return over_mul(a, axes, keepdims, dtype, where, out, initial)
    if word == "max":
        return over_max(a, axes, keepdims, dtype, where, out, initial)
    if word == "min":
        return over_min(a, axes, keepdims, dtype, where, out, initial)
    if word == "|":
        return over_any(a, axes, keepdims, dtype, where, out, initial)
    if word == "&":
        return over_all(a, axes, keepdims, dtype, where, out, initial)
    if word == "or":
        return over_or(a, axes, keepdims, dtype, where, out, initial)
    if word == "and":
        return over_and(a, axes, keepdims, dtype, where, out, initial)
    if word == "xor":
        return over_xor(a, axes, keepdims, dtype, where, out, initial)
    if word == "argmax":
        return over_argmax(a, axes, keepdims, None, None, out)
    return over_argmin(a, axes, keepdims, None, None, out)


# -- Means -----------------------------------------------------------------------------------------


def _total(a, axes: literal, keepdims: literal, dtype, where, out=None):
    """The sum in the type in which NumPy computes means."""
    if dtype is None:
        if np.issubdtype(a.dtype, np.integer) or a.dtype == np.bool_:
            return over_add(a, axes, keepdims, np.float64, where, out)
    return over_add(a, axes, keepdims, dtype, where, out)


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


def mean(a, axes: literal, keepdims: literal, dtype=None, where=None, out=None):
    """``np.mean``"""
    if dtype is None and a.dtype == np.float16:
        if out is None:
            return mean(a, axes, keepdims, np.float32, where).astype(np.float16)
        return mean(a, axes, keepdims, np.float32, where, out)
    count = _count(a, axes, keepdims, where)
    if out is None:
        return _divided(_total(a, axes, keepdims, dtype, where), count)
    _total(a, axes, keepdims, dtype, where, out)
    out[...] = _divided(out, count)
    return out


def _axes_last(a, axis):
    """The view that means are of: what has no dimensions has no axis."""
    if a.ndim == 0:
        reduced_axes(axis, 0)
    return axes_last(a, axis)


def mean_at(a, axis, axes: literal, keepdims: literal, dtype=None, where=None, out=None):
    """The same along axes that are known at run time."""
    view, target, mask = _axes_last(a, axis), _target(out, axis, keepdims), _like_array(where, a, axis)
    return _back(mean(view, axes, keepdims, dtype, mask, target), out, axis, keepdims)


# -- Variances -------------------------------------------------------------------------------------


def _deviations(a, axes: literal, dtype, where, mean):
    if mean is None:
        if axes == (1 << a.ndim) - 1 or (axes == -1 and a.ndim == 1):  # the mean is a number
            return a - _divided(_total(a, axes, 0, dtype, where), _count(a, axes, 0, where))
        return a - _divided(_total(a, axes, 1, dtype, where), _count(a, axes, 1, where))
    return a - mean


def _squares(a, x, axes: literal, keepdims: literal, dtype, where, out):
    """The sum of the squares of ``x``, the deviations of ``a``."""
    if np.issubdtype(x.dtype, np.complexfloating):
        return over_add(norm(x), axes, keepdims, None, where, out)
    if dtype is None and (out is None or not np.issubdtype(a.dtype, np.floating)):
        return over_add(x * x, axes, keepdims, x.dtype, where, out)
    return over_add(x * x, axes, keepdims, dtype, where, out)


def var(a, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None, out=None):
    """``np.var``"""
    total = _squares(a, _deviations(a, axes, dtype, where, mean), axes, keepdims, dtype, where, out)
    result = _divided(total, np.maximum(_count(a, axes, keepdims, where) - ddof, 0))
    if out is None:
        return result
    out[...] = result
    return out


def var_at(a, axis, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None, out=None):
    """The same along axes that are known at run time."""
    view, target, mask = _axes_last(a, axis), _target(out, axis, keepdims), _like_array(where, a, axis)
    means = _like_array(mean, a, axis)
    return _back(var(view, axes, keepdims, dtype, ddof, mask, means, target), out, axis, keepdims)


def _root(x, out):
    if out is None:
        return np.sqrt(x)
    return np.sqrt(out, out)


def std(a, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None, out=None):
    """``np.std``"""
    return _root(var(a, axes, keepdims, dtype, ddof, where, mean, out), out)


def std_at(a, axis, axes: literal, keepdims: literal, dtype=None, ddof=0, where=None, mean=None, out=None):
    """The same along axes that are known at run time."""
    return _root(var_at(a, axis, axes, keepdims, dtype, ddof, where, mean, out), out)


# -- Others ----------------------------------------------------------------------------------------


def ptp(a, axes: literal, keepdims: literal, out=None):
    """``np.ptp``"""
    if out is None:
        return np.subtract(over_max(a, axes, keepdims), over_min(a, axes, keepdims))
    least = over_min(a, axes, keepdims)
    return np.subtract(over_max(a, axes, keepdims, None, None, out), least, out)


def ptp_at(a, axis, axes: literal, keepdims: literal, out=None):
    """The same along axes that are known at run time."""
    return _back(ptp(axes_last(a, axis), axes, keepdims, _target(out, axis, keepdims)), out, axis, keepdims)


def count_nonzero(a, axes: literal, keepdims: literal):
    """``np.count_nonzero``"""
    return over_add(np.not_equal(a, 0), axes, keepdims)


def count_nonzero_at(a, axis, axes: literal, keepdims: literal):
    """The same along axes that are known at run time."""
    return _back(count_nonzero(axes_last(a, axis), axes, keepdims), None, axis, keepdims)


# -- Scans -----------------------------------------------------------------------------------------


def _widened(a, dtype, out):
    """The dtype of sums and products: short integers widen."""
    if dtype is not None:
        return dtype
    if out is not None:
        return np.promote_types(a.dtype, out.dtype)
    if a.dtype == np.bool_ or np.issubdtype(a.dtype, np.signedinteger):
        return np.int64
    if np.issubdtype(a.dtype, np.unsignedinteger):
        return np.uint64
    return a.dtype


def _own(a, dtype, out):
    if dtype is not None:
        return dtype
    if out is not None:
        return np.promote_types(a.dtype, out.dtype)
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
    """To ``out``, which is new, or a target of the caller's."""
    if out.dtype.kind in ("i", "u", "f") and a.dtype.kind in ("b", "i", "u", "f"):
        if on_device():
            scan(a, axis_of(axis, a.ndim), out, word)
        else:
            _scan_by_items(a, axis, out, word)
    else:
        _scan_by_items(a, axis, out, word)
    return out


def _scan_by_items(a, axis, out, word: literal):
    if a.ndim == 1:
        axis_of(axis, 1)
        _scan_rows(a, out, word)
    else:
        place = axis_of(axis, a.ndim)
        if out.strides[place] > out.itemsize and out.size >= _WIDE * out.shape[place]:
            _scan_planes(np.moveaxis(a, place, 0), np.moveaxis(out, place, 0), word)
        else:
            _scan_rows(axes_last(a, axis), axes_last(out, axis), word)


_WIDE = 32  # elements, to which an operation on arrays costs less than operations on each


def _scan_planes(x, out, word: literal):
    """The same along the first axis, where the elements of all others follow each other."""
    if len(x) > 0:
        out[0, ...] = x[0]
    for i in range(1, len(x)):
        if x.dtype == out.dtype:
            out[i, ...] = _combined(out[i - 1], x[i], word)
        else:
            out[i, ...] = _combined(out[i - 1], x[i].astype(out.dtype), word)


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
        if on_device():
            return _scan_into(a, axis, np.empty(a.shape, kind), word)
        return _scan_into(a, axis, np.empty_like(a, kind), word)
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


def _accumulated(a, axis, kind, out, word: literal):
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    return _scan(a, axis, kind, out, word)


def accumulate_add(array, axis=0, dtype=None, out=None):
    """``np.add.accumulate``"""
    return _accumulated(array, axis, _widened(array, dtype, out), out, 0)


def accumulate_multiply(array, axis=0, dtype=None, out=None):
    """``np.multiply.accumulate``"""
    return _accumulated(array, axis, _widened(array, dtype, out), out, 1)


def accumulate_maximum(array, axis=0, dtype=None, out=None):
    """``np.maximum.accumulate``"""
    return _accumulated(array, axis, _own(array, dtype, out), out, 2)


def accumulate_minimum(array, axis=0, dtype=None, out=None):
    """``np.minimum.accumulate``"""
    return _accumulated(array, axis, _own(array, dtype, out), out, 3)
