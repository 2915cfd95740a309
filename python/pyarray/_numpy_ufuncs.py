"""Methods of NumPy's ufuncs in compiled code, but for those that are rows of ``lib/ir/builtins.def``.

Each is a compiled function that calls the ufunc: on whole rows along the axis, or on numbers where there is one
dimension.
"""

import functools

import numpy as np

from ._ufunc_methods import _at, _at_unary
from .extending import literally

#: Ufuncs whose short integers widen, as those of sums do.
_WIDENING = ("add", "multiply")
_COMPARISONS = "equal not_equal less less_equal greater greater_equal".split()
_REORDERABLE = "maximum minimum fmax fmin".split()


def _outer(ufunc):
    def outer(A, B, out=None, dtype=None):
        a, b = np.asarray(A), np.asarray(B)
        column = a.reshape(a.shape + (1,) * b.ndim)
        if dtype is not None:
            return ufunc(column, b, dtype=dtype)
        if out is not None:
            return ufunc(column, b, out)
        return ufunc(column, b)

    return outer


def _kind_of(ufunc):
    """The dtype in which is folded."""

    def kind_of(rows):
        return ufunc(rows[:0], rows[:0]).dtype

    def kind_of_sum(rows):
        if rows.dtype == np.bool_ or np.issubdtype(rows.dtype, np.signedinteger):
            return np.dtype(np.int64)
        if np.issubdtype(rows.dtype, np.unsignedinteger):
            return np.dtype(np.uint64)
        return rows.dtype

    return _njit(kind_of_sum if ufunc.__name__ in _WIDENING else kind_of)


def _fold(ufunc):
    """What rows from ``start`` on come to, before ``stop``."""

    def fold(rows, start, stop, kind):
        if rows.ndim == 1:
            total = kind.type(rows[start])
            for i in range(start + 1, stop):
                total = kind.type(ufunc(total, kind.type(rows[i])))
            return total
        else:
            totals = np.empty(rows.shape[1:], kind)
            totals[...] = rows[start]
            for i in range(start + 1, stop):
                totals[...] = ufunc(totals, rows[i])
            return totals

    return _njit(fold)


def _reduce(ufunc):
    name, kind_of, fold, identity = ufunc.__name__, _kind_of(ufunc), _fold(ufunc), ufunc.identity
    several = ufunc.identity is not None or name in _REORDERABLE
    empty = f"zero-size array to reduction operation {name} which has no identity"
    order = f"reduction operation '{name}' is not reorderable, so at most one axis may be specified"

    @_njit
    def reduce_rows(rows, kind):
        if len(rows) == 0:
            if identity is None:
                raise ValueError(empty)
            elif rows.ndim == 1:
                return kind.type(identity)
            else:
                return np.full(rows.shape[1:], kind.type(identity), kind)
        return fold(rows, 0, len(rows), kind)

    @_njit
    def reduce_along(a, axis, dtype):
        if axis is None:
            if a.ndim > 1 and not several:
                raise ValueError(order)
            rows = np.ravel(a)
        else:
            rows = np.rollaxis(a, axis)
        if dtype is None:
            return reduce_rows(rows, kind_of(rows))
        return reduce_rows(rows, np.dtype(dtype))

    @_njit
    def kept(result, axis, ndim):
        if axis is None:
            return np.asarray(result).reshape((1,) * ndim)
        else:
            return np.expand_dims(np.asarray(result), axis)

    def reduce(array, axis=0, dtype=None, out=None, keepdims=False):
        a = np.asarray(array)
        if isinstance(axis, tuple):
            raise TypeError("the axis is one integer or None")
        elif out is not None:
            if literally(keepdims):
                out[...] = kept(reduce_along(a, axis, dtype), axis, a.ndim)
            else:
                out[...] = reduce_along(a, axis, dtype)
            return out
        elif literally(keepdims):
            return kept(reduce_along(a, axis, dtype), axis, a.ndim)
        else:
            return reduce_along(a, axis, dtype)

    return reduce


def _accumulate(ufunc):
    kind_of = _kind_of(ufunc)

    @_njit
    def accumulate_rows(rows, out):
        if len(rows) > 0:
            out[0] = rows[0]
        for i in range(1, len(rows)):
            out[i] = ufunc(out[i - 1], rows[i])

    def accumulate(array, axis=0, dtype=None, out=None):
        a = np.asarray(array)
        if out is not None:
            accumulate_rows(np.rollaxis(a, axis), np.rollaxis(out, axis))
            return out
        elif dtype is None:
            result = np.empty(a.shape, kind_of(a))
            accumulate_rows(np.rollaxis(a, axis), np.rollaxis(result, axis))
            return result
        else:
            result = np.empty(a.shape, dtype)
            accumulate_rows(np.rollaxis(a, axis).astype(dtype), np.rollaxis(result, axis))
            return result

    return accumulate


def _reduceat(ufunc):
    name, kind_of, fold = ufunc.__name__, _kind_of(ufunc), _fold(ufunc)

    @_njit
    def reduce_parts(rows, indices, out):
        for start in indices:
            if start < 0 or start >= len(rows):
                raise IndexError(f"index {start} out-of-bounds in {name}.reduceat [0, {len(rows)})")
        for k in range(len(indices)):
            out[k] = fold(rows, indices[k], indices[k + 1] if k + 1 < len(indices) else len(rows), out.dtype)

    @_njit
    def with_length(shape, axis, length):
        if len(shape) == 0:
            return ()
        return (length if axis == 0 else shape[0],) + with_length(shape[1:], axis - 1, length)

    def reduceat(array, indices, axis=0, dtype=None, out=None):
        a, places = np.asarray(array), np.asarray(indices)
        if places.ndim != 1:
            raise ValueError("the indices of reduceat() are a 1-D array")
        elif out is not None:
            reduce_parts(np.rollaxis(a, axis), places, np.rollaxis(out, axis))
            return out
        else:
            shape = with_length(a.shape, axis + a.ndim if axis < 0 else axis, len(places))
            if dtype is None:
                result = np.empty(shape, kind_of(a))
                reduce_parts(np.rollaxis(a, axis), places, np.rollaxis(result, axis))
                return result
            else:
                parts = np.empty(shape, dtype)
                reduce_parts(np.rollaxis(a, axis), places, np.rollaxis(parts, axis))
                return parts

    return reduceat


def _njit(function):
    from .decorators import njit

    return njit(function)


_METHODS = {"outer": _outer, "reduce": _reduce, "accumulate": _accumulate, "at": _at, "reduceat": _reduceat}


@functools.cache
def method(ufunc, name):
    """The method of that name as a compiled function.

    Raises
    ------
    AttributeError
        Where compiled code has none of that name, or not for this ufunc.
    """
    what = f"{ufunc.__name__}.{name}"
    if name not in _METHODS:
        raise AttributeError(f"'{what}' is not supported in compiled code; methods of ufuncs are {', '.join(_METHODS)}")
    if name == "at" and ufunc.nin == 1 and ufunc.nout == 1:
        return _njit(_at_unary(ufunc))
    if ufunc.signature is not None or ufunc.nin != 2 or ufunc.nout != 1:
        raise AttributeError(
            f"'{what}' is not supported in compiled code: a ufunc of two numbers with one result has it"
        )
    if name not in ("outer", "at") and ufunc.__name__ in _COMPARISONS:
        raise AttributeError(f"'{what}' is not supported in compiled code: the ufunc compares")
    return _njit(_METHODS[name](ufunc))
