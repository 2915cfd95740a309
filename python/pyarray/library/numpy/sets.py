"""Arrays as sets: ``np.unique`` and kin, by sorting."""

import numpy as np

from .._intrinsics import count_true, holds_texts, known, on_device
from .axes import axis_of
from .sorting import _number_lines, _sort_further

_UniqueAllResult = np.unique_all([0]).__class__
_UniqueCountsResult = np.unique_counts([0]).__class__
_UniqueInverseResult = np.unique_inverse([0]).__class__

# Unique elements ------------------------------------------------------------------------------------------------------


def _gathered(a, order):
    if a.dtype.kind == "S" or a.dtype.kind == "U":
        return a[order]
    if on_device():
        return a[order]
    else:
        return _gathered_each(a, order)


def _gathered_each(a, order):
    result = np.empty(len(order), a.dtype)
    for i in range(len(order)):
        result[i] = a[order[i]]
    return result


def _mark_new(line, is_new, equal_nan):
    """Mark the first of equal elements of a sorted line; how many there are."""
    if line.dtype.kind == "S" or line.dtype.kind == "U":
        is_new[:1] = True
        is_new[1:] = line[1:] != line[:-1]
        return count_true(is_new)
    if on_device():
        return _mark_new_at_once(line, is_new, equal_nan)
    else:
        return _mark_each_new(line, is_new, equal_nan)


def _mark_new_at_once(line, is_new, equal_nan):
    is_new[:1] = True
    if equal_nan:
        is_new[1:] = (line[1:] != line[:-1]) & ((line[1:] == line[1:]) | (line[:-1] == line[:-1]))
    else:
        is_new[1:] = line[1:] != line[:-1]
    return np.count_nonzero(is_new)


def _mark_each_new(line, is_new, equal_nan):
    count = 0
    by_nan = equal_nan and line.dtype.kind != "V"
    for i in range(len(line)):
        x = line[i]
        differs = True
        if i > 0:
            before = line[i - 1]
            differs = x != before and not (by_nan and x != x and before != before)
        is_new[i] = differs
        count += 1 if differs else 0
    return count


def _firsts(values, is_new, count):
    """The values where one is new."""
    if values.dtype.kind == "S" or values.dtype.kind == "U":
        return values[is_new]
    if on_device():
        return values[is_new]
    else:
        return _each_first(values, is_new, count)


def _each_first(values, is_new, count):
    result, k = np.empty(count, values.dtype), 0
    for i in range(len(values)):
        if is_new[i]:
            result[k] = values[i]
            k += 1
    return result


def _inverse(order, is_new):
    """For each element the number of the unique one that it equals."""
    if on_device():
        numbers = np.empty(len(order), np.int64)
        numbers[order] = np.cumsum(is_new) - 1
        return numbers
    else:
        return _inverse_of_each(order, is_new)


def _inverse_of_each(order, is_new):
    result, k = np.empty(len(order), np.int64), -1
    for i in range(len(order)):
        k += 1 if is_new[i] else 0
        result[order[i]] = k
    return result


def _counts(is_new, count):
    if on_device():
        ends = np.full(count + 1, len(is_new), np.int64)
        ends[:-1] = np.flatnonzero(is_new)
        return ends[1:] - ends[:-1]
    else:
        return _count_each(is_new, count)


def _count_each(is_new, count):
    result, k = np.zeros(count, np.int64), -1
    for i in range(len(is_new)):
        k += 1 if is_new[i] else 0
        result[k] += 1
    return result


def unique(
    ar,
    return_index: known = False,
    return_inverse: known = False,
    return_counts: known = False,
    axis: known = None,
    *,
    equal_nan=True,
    sorted=True,
):
    """``np.unique``: always sorted."""
    a = np.asarray(ar)
    if axis is None or a.ndim == 1:
        if axis is not None:
            axis_of(axis, 1)
        flat = a.flatten()
        is_new = np.empty(len(flat), np.bool_)
        if return_index or return_inverse:
            if return_index:
                order = np.argsort(flat, -1, "stable")
            else:
                order = np.argsort(flat)
            aux = _gathered(flat, order)
            count = _mark_new(aux, is_new, equal_nan)
            values = _firsts(aux, is_new, count)
            if return_inverse:
                inverse = _inverse(order, is_new).reshape(a.shape)
            else:
                inverse = order
            return _results(values, order, inverse, is_new, count, return_index, return_inverse, return_counts)
        flat.sort()
        number = _mark_new(flat, is_new, equal_nan)
        values = _firsts(flat, is_new, number)
        return _results(values, flat, flat, is_new, number, False, False, return_counts)
    else:
        axis_of(axis, a.ndim)
        return _unique_rows(np.moveaxis(a, axis, 0), axis, return_index, return_inverse, return_counts)


def _results(values, order, inverse, is_new, count, with_index: known, with_inverse: known, with_counts: known):
    if with_index:
        if with_inverse:
            if with_counts:
                return values, _firsts(order, is_new, count), inverse, _counts(is_new, count)
            return values, _firsts(order, is_new, count), inverse
        if with_counts:
            return values, _firsts(order, is_new, count), _counts(is_new, count)
        return values, _firsts(order, is_new, count)
    if with_inverse:
        if with_counts:
            return values, inverse, _counts(is_new, count)
        return values, inverse
    if with_counts:
        return values, _counts(is_new, count)
    return values


def _unique_rows(view, axis: known, with_index: known, with_inverse: known, with_counts: known):
    """Unique subarrays along the first axis; ``axis`` is where it was."""
    rows = view.copy().reshape(len(view), view.size // max(len(view), 1))
    order, is_new, count = np.empty(len(rows), np.int64), np.empty(len(rows), np.bool_), 0
    _number_lines(order)
    for column in range(rows.shape[1] - 1, -1, -1):
        _sort_further(rows[:, column], order)
    for i in range(len(rows)):
        differs = i == 0
        if i > 0:
            for column in range(rows.shape[1]):
                differs = differs or rows[order[i], column] != rows[order[i - 1], column]
        is_new[i] = differs
        count += 1 if differs else 0
    values, k = np.empty((count, rows.shape[1]), rows.dtype), 0
    for i in range(len(rows)):
        if is_new[i]:
            values[k] = rows[order[i]]
            k += 1
    found = np.moveaxis(values.reshape((count,) + view.shape[1:]), 0, axis)
    return _results(found, order, _inverse(order, is_new), is_new, count, with_index, with_inverse, with_counts)


def unique_values(x, /):
    """``np.unique_values``."""
    return unique(x, equal_nan=False)


def unique_counts(x, /):
    """``np.unique_counts``."""
    return _UniqueCountsResult(*unique(x, False, False, True, equal_nan=False))


def unique_inverse(x, /):
    """``np.unique_inverse``."""
    return _UniqueInverseResult(*unique(x, False, True, equal_nan=False))


def unique_all(x, /):
    """``np.unique_all``."""
    return _UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


# Sets -----------------------------------------------------------------------------------------------------------------


def union1d(ar1, ar2):
    """``np.union1d``."""
    return unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


def intersect1d(ar1, ar2, assume_unique=False, return_indices: known = False):
    """``np.intersect1d``."""
    a, b = np.ravel(np.asarray(ar1)), np.ravel(np.asarray(ar2))
    if return_indices:
        if assume_unique:
            return _common_places(a, b, np.arange(len(a)), np.arange(len(b)))
        x, i = unique(a, True)
        y, k = unique(b, True)
        return _common_places(x, y, i, k)
    if assume_unique:
        return _common(a, b)
    return _common(unique(a), unique(b))


def _common(a, b):
    both = np.concatenate((a, b))
    both.sort()
    is_both, count = np.zeros(len(both), np.bool_), 0
    for i in range(len(both) - 1):
        if both[i] == both[i + 1]:
            is_both[i] = True
            count += 1
    return _firsts(both, is_both, count)


def _common_places(a, b, places_a, places_b):
    both = np.concatenate((a, b))
    order = np.argsort(both, -1, "stable")
    is_both, count = np.zeros(len(both), np.bool_), 0
    for i in range(len(both) - 1):
        if both[order[i]] == both[order[i + 1]]:
            is_both[i] = True
            count += 1
    values, k = np.empty(count, both.dtype), 0
    firsts, seconds = np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(len(both) - 1):
        if is_both[i]:
            values[k] = both[order[i]]
            firsts[k] = places_a[order[i]]
            seconds[k] = places_b[order[i + 1] - len(a)]
            k += 1
    return values, firsts, seconds


def setxor1d(ar1, ar2, assume_unique=False):
    """``np.setxor1d``."""
    if assume_unique:
        return _single(np.concatenate((np.ravel(ar1), np.ravel(ar2))))
    return _single(np.concatenate((unique(ar1), unique(ar2))))


def _single(both):
    both.sort()
    is_single, count, n = np.zeros(len(both), np.bool_), 0, len(both)
    for i in range(n):
        if (i == 0 or both[i] != both[i - 1]) and (i == n - 1 or both[i] != both[i + 1]):
            is_single[i] = True
            count += 1
    return _firsts(both, is_single, count)


def setdiff1d(ar1, ar2, assume_unique=False):
    """``np.setdiff1d``."""
    a = np.ravel(np.asarray(ar1)) if assume_unique else unique(ar1)
    is_other = isin(a, ar2, False, True)
    count = 0
    for i in range(len(a)):
        count += 1 if is_other[i] else 0
    return _firsts(a, is_other, count)


def isin(element, test_elements, assume_unique=False, invert=False, *, kind: known = None):
    """``np.isin``."""
    if isinstance(test_elements, (list, tuple)) and holds_texts(test_elements):
        return _among_texts(np.asarray(element), test_elements, invert)
    a, b = np.asarray(element), np.asarray(test_elements)
    if kind is not None:
        if kind != "sort" and kind != "table":
            raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
        if kind == "table" and (
            a.dtype.kind == "f" or a.dtype.kind == "c" or b.dtype.kind == "f" or b.dtype.kind == "c"
        ):
            raise ValueError(
                "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for "
                "kind."
            )
    if a.dtype.kind == "b" or a.dtype.kind == "i" or (a.dtype.kind == "u" and a.dtype.itemsize < 8):
        if b.dtype.kind == "b" or b.dtype.kind == "i" or (b.dtype.kind == "u" and b.dtype.itemsize < 8):
            if kind != "sort" and a.ndim > 0 and b.size > 0:
                least, most = np.int64(b.min()), np.int64(b.max())
                if np.uint64(most) - np.uint64(least) <= np.uint64(6 * (a.size + b.size)):
                    return _by_table(a, np.ravel(b), least, most, invert)
    sorted_elements = np.sort(b, None)
    places = np.searchsorted(sorted_elements, a)
    if a.ndim == 0:
        found = np.empty((), np.bool_)
        found[()] = (places < b.size and sorted_elements[min(places, max(b.size - 1, 0))] == a[()]) != invert
        return found
    result = np.empty(a.shape, np.bool_)
    _put_found(a, places, sorted_elements, invert, result)
    return result


def _by_table(a, elements, least, most, invert):
    """Of integers that lie close to each other: whether each of those between the least and the greatest is there."""
    table, found = np.full(most - least + 1, invert, np.bool_), np.empty(a.shape, np.bool_)
    for i in range(len(elements)):
        table[np.int64(elements[i]) - least] = not invert
    source, out = np.ravel(a), found.reshape(-1)
    for i in range(len(source)):
        x = np.int64(source[i])
        inside = x >= least and x <= most
        out[i] = table[x - least if inside else 0] if inside else invert
    return found


def _among_texts(a, items, invert):
    found = np.zeros(a.shape, np.bool_)
    for item in items:
        found |= a == item
    return found != invert


def _put_found(a, places, elements, invert, out):
    if a.ndim > 1:
        for i in range(len(a)):
            _put_found(a[i], places[i], elements, invert, out[i])
    else:
        for i in range(len(a)):
            k = places[i]
            found = False
            if k < len(elements):
                found = elements[k] == a[i]
            out[i] = found != invert
