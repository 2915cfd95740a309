"""Arrays in order: ``np.sort`` and kin, by NumPy's own functions of its dtypes, and places in sorted arrays."""

import numpy as np

from .._intrinsics import gufunc, known, numpy_loop, on_device, text_dtype, text_length, writeable
from ..device.sorts import argsort_last, sort_last, sort_to
from .axes import axis_of
from .cells import cells_of, put_places
from .items import argpartition_lines, argsort_lines, partition_lines, places, sort_lines

_DTYPES = "?bBhHiIqQefdFD"


def _codes(*operands):
    """Type codes of loops for all dtypes: ``A1*`` stands for a line of elements, ``A1q`` for one of int64."""
    return ["".join("[" + o.replace("*", dtype) for o in operands) + ">" for dtype in _DTYPES]


# Lines: of int64 whose least value is NaT the functions with ``times``


@gufunc("->(n)", *_codes("A1*"))
def _sort(a):
    if numpy_loop("sort", "->(n)", a):
        raise MemoryError()


@gufunc("->(n)", *_codes("A1*"))
def _stable_sort(a):
    if numpy_loop("stable_sort", "->(n)", a):
        raise MemoryError()


@gufunc("->(n)", "[A1q>")
def _sort_times(a):
    if numpy_loop("sort_times", "->(n)", a):
        raise MemoryError()


@gufunc("(n)->(n)", *_codes("A1*", "A1q"))
def _argsort(a, out):
    if numpy_loop("argsort", "(n)->(n)", a, out):
        raise MemoryError()


@gufunc("(n)->(n)", *_codes("A1*", "A1q"))
def _stable_argsort(a, out):
    if numpy_loop("stable_argsort", "(n)->(n)", a, out):
        raise MemoryError()


@gufunc("(n)->(n)", "[A1q[A1q>")
def _argsort_times(a, out):
    if numpy_loop("argsort_times", "(n)->(n)", a, out):
        raise MemoryError()


@gufunc("(n)->(n)", "[A1q[A1q>")
def _stable_argsort_times(a, out):
    if numpy_loop("stable_argsort_times", "(n)->(n)", a, out):
        raise MemoryError()


@gufunc("(p)->(n)", *_codes("A1q", "A1*"))
def _partition(ranks, a):
    if numpy_loop("partition", "(p)->(n)", ranks, a):
        raise MemoryError()


@gufunc("(p)->(n)", "[A1q[A1q>")
def _partition_times(ranks, a):
    if numpy_loop("partition_times", "(p)->(n)", ranks, a):
        raise MemoryError()


@gufunc("(n),(p)->(n)", *_codes("A1*", "A1q", "A1q"))
def _argpartition(a, ranks, out):
    if numpy_loop("argpartition", "(n),(p)->(n)", a, ranks, out):
        raise MemoryError()


@gufunc("(n),(p)->(n)", "[A1q[A1q[A1q>")
def _argpartition_times(a, ranks, out):
    if numpy_loop("argpartition_times", "(n),(p)->(n)", a, ranks, out):
        raise MemoryError()


def _last(a, axis: known):
    """A view of which this axis is the last one."""
    if a.ndim == 1:
        axis_of(axis, 1)
        return a
    else:
        axis_of(axis, a.ndim)
        return np.swapaxes(a, axis, -1)


# Sorts ----------------------------------------------------------------------------------------------------------------


def _check_order(a, kind: known, order, stable: known):
    if order is not None and a.dtype.kind != "V":
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None:
        if stable is not None:
            raise ValueError("`kind` and keyword parameters can't be provided at the same time. Use only one of them.")
        if kind != "quicksort" and kind != "heapsort" and kind != "mergesort" and kind != "stable":
            raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got '{kind}')")


def _sort_lines(a, stable: known, order):
    if a.dtype.kind == "S" or a.dtype.kind == "U" or a.dtype.kind == "V":
        sort_lines(a, order)
    elif a.dtype.kind == "M" or a.dtype.kind == "m":
        _sort_times(a.view(np.int64))
    elif a.dtype.kind == "c":
        _sort_numbers(a, stable)
    elif on_device():
        sort_last(a)
    else:
        _sort_numbers(a, stable)


def _sort_numbers(a, stable: known):
    if stable:
        _stable_sort(a)
    else:
        _sort(a)


def _argsort_lines(a, out, stable: known, order):
    if a.dtype.kind == "S" or a.dtype.kind == "U" or a.dtype.kind == "V":
        argsort_lines(a, out, order)
    elif a.dtype.kind == "M" or a.dtype.kind == "m":
        if stable:
            _stable_argsort_times(a.view(np.int64), out)
        else:
            _argsort_times(a.view(np.int64), out)
    elif a.dtype.kind == "c":
        _argsort_numbers(a, out, stable)
    elif on_device():
        argsort_last(a, out)
    else:
        _argsort_numbers(a, out, stable)


def _argsort_numbers(a, out, stable: known):
    if stable:
        _stable_argsort(a, out)
    else:
        _argsort(a, out)


def sort_in_place(self, axis: known = -1, kind: known = None, order=None, *, stable: known = None):
    """``a.sort``."""
    if not writeable(self):
        raise ValueError("sort array is read-only")
    else:
        _check_order(self, kind, order, stable)
        if self.ndim == 0:
            axis_of(axis, 0)
        elif kind is None:
            _sort_lines(_last(self, axis), stable, order)
        else:
            _sort_lines(_last(self, axis), kind == "stable" or kind == "mergesort", order)


def sort(a, axis: known = -1, kind: known = None, order=None, *, stable: known = None):
    """``np.sort``."""
    if axis is None:
        flat = np.asarray(a).flatten()
        sort_in_place(flat, -1, kind, order, stable=stable)
        return flat
    x = np.asarray(a)
    if x.dtype.kind == "b" or x.dtype.kind == "i" or x.dtype.kind == "u" or x.dtype.kind == "f":
        if on_device():
            return _sort_apart(x, axis, kind, order, stable)
        else:
            return _sort_copy(x, axis, kind, order, stable)
    return _sort_copy(x, axis, kind, order, stable)


def _sort_apart(x, axis: known, kind: known, order, stable: known):
    _check_order(x, kind, order, stable)
    result = np.empty(x.shape, x.dtype)
    if x.ndim == 0:
        axis_of(axis, 0)
    else:
        sort_to(_last(x, axis), _last(result, axis))
    return result


def _sort_copy(x, axis: known, kind: known, order, stable: known):
    result = np.copy(x)
    sort_in_place(result, axis, kind, order, stable=stable)
    return result


def argsort(a, axis: known = -1, kind: known = None, order=None, *, stable: known = None):
    """``np.argsort``."""
    x = np.asarray(a)
    if axis is None or x.ndim == 0:
        if axis is not None:
            axis_of(axis, 1)
        return argsort(np.ravel(x), -1, kind, order, stable=stable)
    _check_order(x, kind, order, stable)
    out = np.empty(x.shape, np.int64)
    if kind is None:
        _argsort_lines(_last(x, axis), _last(out, axis), stable, order)
    else:
        _argsort_lines(_last(x, axis), _last(out, axis), kind == "stable" or kind == "mergesort", order)
    return out


def sort_complex(a):
    """``np.sort_complex``."""
    x = np.copy(np.asarray(a))
    if x.ndim == 0:
        axis_of(-1, 0)
    else:
        _sort(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        return x
    if x.dtype == np.int8 or x.dtype == np.uint8 or x.dtype == np.int16 or x.dtype == np.uint16:
        return x.astype(np.complex64)
    return x.astype(np.complex128)


def lexsort(keys, axis: known = -1):
    """``np.lexsort``: the last key counts first."""
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    first = np.asarray(keys[0])
    if first.ndim == 0:
        return np.int64(0)
    for each in keys:
        if np.asarray(each).shape != first.shape:
            raise ValueError("all keys need to be the same shape")
    out = np.empty(first.shape, np.int64)
    _number_lines(_last(out, axis))
    for each in keys:
        _sort_further(_last(np.asarray(each), axis), _last(out, axis))
    return out


def _number_lines(out):
    if out.ndim > 1:
        for i in range(len(out)):
            _number_lines(out[i])
    else:
        for i in range(len(out)):
            out[i] = i


def _sort_further(key, out):
    """The positions, in the order of this key, and where that is equal in the order that they had."""
    if out.ndim > 1:
        for i in range(len(out)):
            _sort_further(key[i], out[i])
    else:
        old = out.copy()
        ordered = np.empty(len(key), key.dtype)
        for i in range(len(old)):
            ordered[i] = key[old[i]]
        order = argsort(ordered, -1, None, None, stable=True)
        for i in range(len(old)):
            out[i] = old[order[i]]


# Partitions -----------------------------------------------------------------------------------------------------------


def _ranks(kth, a, axis):
    """The ranks, in order, counted from the first; none where the array has no elements, of which any is one."""
    length = a.shape[axis]
    found = np.ravel(np.asarray(kth)).copy()
    if not np.issubdtype(found.dtype, np.integer):
        raise TypeError("Partition index must be integer")
    if a.size == 0:
        return np.empty(0, np.int64)
    ranks = found.astype(np.int64)
    for i in range(len(ranks)):
        if ranks[i] < 0:
            ranks[i] += length
        if ranks[i] < 0 or ranks[i] >= length:
            raise ValueError(f"kth(={ranks[i]}) out of bounds ({length})")
    if len(ranks) > 1:
        _sort(ranks)
    return ranks


def _check_selection(a, kind, order):
    if order is not None and a.dtype.kind != "V":
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got '{kind}')")


def partition_in_place(self, kth, axis: known = -1, kind="introselect", order=None):
    """``a.partition``."""
    if not writeable(self):
        raise ValueError("partition array is read-only")
    else:
        _check_selection(self, kind, order)
        if self.ndim == 0:
            axis_of(axis, 0)
        else:
            ranks = _ranks(kth, self, axis_of(axis, self.ndim))
            if self.dtype.kind == "S" or self.dtype.kind == "U" or self.dtype.kind == "V":
                partition_lines(ranks, _last(self, axis), order)
            elif self.dtype.kind == "M" or self.dtype.kind == "m":
                _partition_times(ranks, _last(self.view(np.int64), axis))
            else:
                _partition(ranks, _last(self, axis))


def partition(a, kth, axis: known = -1, kind="introselect", order=None):
    """``np.partition``: what is before and behind these ranks has another order than in NumPy."""
    if axis is None:
        flat = np.asarray(a).flatten()
        partition_in_place(flat, kth, -1, kind, order)
        return flat
    result = np.copy(np.asarray(a))
    partition_in_place(result, kth, axis, kind, order)
    return result


def argpartition(a, kth, axis: known = -1, kind="introselect", order=None):
    """``np.argpartition``."""
    x = np.asarray(a)
    if axis is None or x.ndim == 0:
        if axis is not None:
            axis_of(axis, 1)
        return argpartition(np.ravel(x), kth, -1, kind, order)
    _check_selection(x, kind, order)
    out = np.empty(x.shape, np.int64)
    ranks = _ranks(kth, x, axis_of(axis, x.ndim))
    if x.dtype.kind == "S" or x.dtype.kind == "U" or x.dtype.kind == "V":
        argpartition_lines(_last(x, axis), ranks, _last(out, axis), order)
    elif x.dtype.kind == "M" or x.dtype.kind == "m":
        _argpartition_times(_last(x.view(np.int64), axis), ranks, _last(out, axis))
    else:
        _argpartition(_last(x, axis), ranks, _last(out, axis))
    return out


# Places in sorted arrays ----------------------------------------------------------------------------------------------


_NAT = -(2**63)


def less(a, b, kind: known):
    """Whether ``a`` sorts before ``b``, of one dtype of this kind: NaN is the last, and NaT, the least int64, too."""
    if kind == "f":
        return a < b or (b != b and a == a)
    if kind == "c":
        if a.real < b.real:
            return a.imag == a.imag or b.imag != b.imag
        if a.real > b.real:
            return b.imag != b.imag and a.imag == a.imag
        if a.real == b.real or (a.real != a.real and b.real != b.real):
            return a.imag < b.imag or (b.imag != b.imag and a.imag == a.imag)
        return b.real != b.real
    if kind == "M":
        return a != _NAT and (a < b or b == _NAT)
    return a < b


_NEAR = 8


def _is_before(item, x, side: known, kind: known):
    return less(item, x, kind) if side == "left" else not less(x, item, kind)


def _place(a, x, side: known, kind: known):
    """How many items of a sorted line are less than ``x``, or not greater."""
    return _place_within(a, x, 0, len(a), side, kind)


def _place_within(a, x, first, count, side: known, kind: known):
    """The same where all before ``first`` are, and none from ``first + count`` on."""
    while count > 0:
        half = count >> 1
        if _is_before(a[first + half], x, side, kind):
            first += half + 1
            count -= half + 1
        else:
            count = half
    return np.int64(first)


def _sorted_by(a, sorter):
    if len(sorter) != len(a):
        raise ValueError("sorter.size must equal a.size")
    result = np.empty(len(a), a.dtype)
    for i in range(len(a)):
        if sorter[i] < 0 or sorter[i] >= len(a):
            raise ValueError("Sorter index out of range.")
        result[i] = a[sorter[i]]
    return result


def _depth(ndim: known):
    return "object too deep for desired array" if ndim > 1 else "object of too small depth for desired array"


def searchsorted(a, v, side: known = "left", sorter=None):
    """``np.searchsorted``."""
    if side != "left" and side != "right":
        raise ValueError(f"search side must be 'left' or 'right' (got '{side}')")
    if np.ndim(a) != 1:
        raise ValueError(_depth(np.ndim(a)))
    else:
        if sorter is not None:
            return _searched(_sorted_by(np.asarray(a), np.asarray(sorter)), v, side)
        return _searched(np.asarray(a), v, side)


def _keys_of(a, v):
    """What is looked for, as an array; text as long as that of the sorted array, and one character more tells it."""
    if isinstance(v, np.ndarray):
        return v
    if isinstance(v, (str, bytes)):
        one = np.empty((), text_dtype(a, text_length(a) + 1))
        one[()] = v
        return one
    if isinstance(v, np.void):
        record = np.empty((), a.dtype)
        record[()] = v
        return record
    return np.asarray(v)


def _searched(a, v, side: known):
    keys = _keys_of(a, v)
    if a.dtype.kind == "S" or a.dtype.kind == "U" or a.dtype.kind == "V":
        common = np.promote_types(a.dtype, keys.dtype)
        return places(np.asarray(a, common), np.asarray(keys, common), side)
    if a.dtype.kind == "M" or a.dtype.kind == "m":
        kind = np.maximum(a[:0], np.ravel(keys)[:0]).dtype
        return _places(np.asarray(a, kind).view(np.int64), np.asarray(keys, kind).view(np.int64), side, "M")
    if keys.dtype.kind == "M" or keys.dtype.kind == "m":
        raise TypeError("numbers and times have no common order")
    kind = np.promote_types(a.dtype, keys.dtype)
    return _places(np.asarray(a, kind), np.asarray(keys, kind), side, np.dtype(kind).kind)


def _places(line, keys, side: known, kind: known):
    if keys.ndim == 0:
        return _place(line, keys[()], side, kind)
    out = np.empty(keys.shape, np.int64)
    _place_all(line, keys, out, side, kind)
    return out


def _place_all(a, keys, out, side: known, kind: known):
    if keys.ndim > 1:
        for i in range(len(keys)):
            _place_all(a, keys[i], out[i], side, kind)
    elif kind == "f" or kind == "i" or kind == "u":
        table, first, scale = cells_of(a, 0 if _rise(keys, side, kind) else len(keys))
        if len(table) > 0:
            put_places(a, keys, table, first, scale, out, side == "right")
        else:
            _place_each(a, keys, out, side, kind)
    else:
        _place_each(a, keys, out, side, kind)


def _rise(keys, side: known, kind: known):
    """Whether the first keys are sorted, too: then all are taken for that."""
    for i in range(1, min(len(keys), 32)):
        if _is_before(keys[i], keys[i - 1], side, kind):
            return False
    return True


def _place_each(a, keys, out, side: known, kind: known):
    place, near = 0, len(a) >= 16 * _NEAR
    for i in range(len(keys)):
        if near and _is_near(a, keys[i], place, side, kind):
            place = _place_within(a, keys[i], place, min(_NEAR, len(a) - place), side, kind)
        else:
            last, place = place, _place(a, keys[i], side, kind)
            near = last <= place <= last + _NEAR and len(a) >= 16 * _NEAR
        out[i] = place


def _is_near(a, x, place, side: known, kind: known):
    """Keys that are sorted, too, lie close behind each other."""
    end = min(place + _NEAR, len(a))
    return (place == 0 or _is_before(a[place - 1], x, side, kind)) and (
        end == len(a) or not _is_before(a[end], x, side, kind)
    )


def _direction(edges):
    """1 where no edge is less than the one before it, -1 where none is greater, else 0; NaN makes it NumPy's."""
    first = 1
    while first < len(edges) and edges[first] == edges[0]:
        first += 1
    if first >= len(edges):
        return 1
    rises = edges[0] < edges[first]
    for i in range(first + 1, len(edges)):
        if edges[i - 1] > edges[i] if rises else edges[i - 1] < edges[i]:
            return 0
    return 1 if rises else -1


def digitize(x, bins, right: known = False):
    """``np.digitize``."""
    values, edges = np.asarray(x), np.asarray(bins)
    if values.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if edges.dtype.kind == "M" or edges.dtype.kind == "m":
        raise TypeError("Cannot cast array data to dtype('float64') according to the rule 'safe'")
    if edges.ndim != 1:
        raise ValueError(_depth(edges.ndim))
    else:
        side, direction = "left" if right else "right", _direction(edges)
        if direction > 0:
            return _searched(edges, values, side)
        if direction == 0:
            raise ValueError("bins must be monotonically increasing or decreasing")
        return np.subtract(len(edges), _searched(edges[::-1], values, side))
