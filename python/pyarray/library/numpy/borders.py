"""Arrays with other extents: ``np.pad``, ``np.insert``, ``np.delete`` and kin."""

import numpy as np

from .._intrinsics import known, strided
from .axes import axes_of, axis_of, has_axis, moved_axes, numbers_from, with_item

# Borders --------------------------------------------------------------------------------------------------------------


def _pairs(values, ndim):
    """What stands before each axis and behind it: of one number, of one pair for all axes, or of a pair for each."""
    given = np.asarray(values)
    pairs = np.empty((ndim, 2), given.dtype)
    pairs[...] = given
    return pairs


def _padded_shape(shape, widths, axis):
    if len(shape) == 0:
        return ()
    return (shape[0] + widths[axis, 0] + widths[axis, 1],) + _padded_shape(shape[1:], widths, axis + 1)


def _inner(a, widths, shape):
    """The view of what is within the borders."""
    first = 0
    for axis in range(len(shape)):
        first += widths[axis, 0] * a.strides[axis] if a.size > 0 else 0
    return strided(a, first, shape, a.strides)


def pad(
    array,
    pad_width,
    mode: known = "constant",
    *,
    stat_length=None,
    constant_values=0,
    end_values=0,
    reflect_type: known = "even",
):
    """``np.pad``."""
    a = np.asarray(array)
    widths = _pairs(pad_width, a.ndim)
    if widths.dtype.kind == "i" or widths.dtype.kind == "u":
        return _padded(a, widths.astype(np.int64), mode, stat_length, constant_values, end_values, reflect_type)
    raise TypeError("`pad_width` must be of integral type.")


def _padded(a, widths, mode: known, stat_length, constant_values, end_values, reflect_type: known):
    for axis in range(a.ndim):
        if widths[axis, 0] < 0 or widths[axis, 1] < 0:
            raise ValueError("index can't contain negative values")
    out = np.empty(_padded_shape(a.shape, widths, 0), a.dtype)
    _inner(out, widths, a.shape)[...] = a
    if mode == "constant":
        values = _pairs(constant_values, a.ndim)
        for axis in range(a.ndim):
            _put_numbers(
                moved_axes(out, (axis,), (0,)), widths[axis, 0], widths[axis, 1], values[axis, 0], values[axis, 1]
            )
    elif mode == "linear_ramp":
        ends = _pairs(end_values, a.ndim)
        _check_not_empty(a.shape, widths)
        for axis in range(a.ndim):
            _put_ramps(moved_axes(out, (axis,), (0,)), widths[axis, 0], widths[axis, 1], ends[axis, 0], ends[axis, 1])
    elif mode == "maximum" or mode == "minimum" or mode == "mean" or mode == "median":
        lengths = _pairs(0 if stat_length is None else stat_length, a.ndim)
        _check_not_empty(a.shape, widths)
        for axis in range(a.ndim):
            extent = a.shape[axis]
            before = extent if stat_length is None else min(lengths[axis, 0], extent)
            behind = extent if stat_length is None else min(lengths[axis, 1], extent)
            if (before == 0 or behind == 0) and (mode == "maximum" or mode == "minimum"):
                raise ValueError("stat_length of 0 yields no value for padding")
            _put_statistics(moved_axes(out, (axis,), (0,)), widths[axis, 0], extent, before, behind, mode)
    elif mode == "edge" or mode == "wrap" or mode == "reflect" or mode == "symmetric":
        _check_not_empty(a.shape, widths)
        for axis in range(a.ndim):
            _put_copies(moved_axes(out, (axis,), (0,)), widths[axis, 0], a.shape[axis], mode, reflect_type)
    elif mode != "empty":
        raise ValueError(f"mode '{mode}' is not supported")
    return out


def _check_not_empty(shape, widths):
    for axis in range(len(shape)):
        if shape[axis] == 0 and widths[axis, 0] + widths[axis, 1] > 0:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")


def _put_numbers(rows, before, behind, first, last):
    rows[:before] = first
    rows[len(rows) - behind :] = last


def _put_ramps(rows, before, behind, first, last):
    n = len(rows)
    rows[:before] = np.linspace(first, rows[before], before, False, False, rows.dtype)
    rows[n - behind :] = np.linspace(last, rows[n - behind - 1], behind, False, False, rows.dtype)[::-1]


def _statistic(rows, mode: known):
    if mode == "maximum":
        return np.max(rows, 0)
    if mode == "minimum":
        return np.min(rows, 0)
    found = np.mean(rows, 0) if mode == "mean" else np.median(rows, 0)
    if rows.dtype.kind == "i" or rows.dtype.kind == "u":
        return np.round(found)
    return found


def _put_statistics(rows, first, count, before, behind, mode: known):
    low = _statistic(rows[first : first + before], mode)
    high = _statistic(rows[first + count - behind : first + count], mode)
    rows[:first] = low
    rows[first + count :] = high


def _source(position, first, count, mode: known):
    """The row that is repeated at a position, with or without the edges twice."""
    offset = position - first
    if mode == "edge":
        return first + min(max(offset, 0), count - 1)
    if mode == "wrap":
        return first + offset % count
    if mode == "reflect":
        if count == 1:
            return first
        offset %= 2 * (count - 1)
        return first + (offset if offset < count else 2 * (count - 1) - offset)
    offset %= 2 * count
    return first + (offset if offset < count else 2 * count - 1 - offset)


def _put_copies(rows, first, count, mode: known, kind: known):
    if (mode == "reflect" or mode == "symmetric") and kind == "odd":
        _put_odd_copies(rows, first, count, 1 if mode == "reflect" else 0)
    else:
        for i in range(first):
            rows[i] = rows[_source(i, first, count, mode)]
        for i in range(first + count, len(rows)):
            rows[i] = rows[_source(i, first, count, mode)]


def _put_odd_copies(rows, first, count, shared):
    """Rows mirrored at the last one that is there, with twice its value less theirs."""
    period = count - shared
    for i in range(first - 1, -1, -1):
        edge = first - (first - i - 1) // period * period if period > 0 else first
        rows[i] = rows[edge] if period == 0 else 2 * rows[edge] - rows[2 * edge - i - 1 + shared]
    last = first + count - 1
    for i in range(last + 1, len(rows)):
        edge = last + (i - last - 1) // period * period if period > 0 else last
        rows[i] = rows[edge] if period == 0 else 2 * rows[edge] - rows[2 * edge - i + 1 - shared]


# Other lengths --------------------------------------------------------------------------------------------------------


def resize(a, new_shape):
    """``np.resize``: as many copies as there is room for."""
    flat = np.ravel(np.asarray(a))
    _check_shape(new_shape)
    out = np.zeros(new_shape, flat.dtype)
    target = out.reshape(-1)
    if len(flat) > 0:
        for start in range(0, len(target), len(flat)):
            count = min(len(flat), len(target) - start)
            target[start : start + count] = flat[:count]
    return out


def _check_shape(shape):
    if isinstance(shape, tuple):
        for n in shape:
            if n < 0:
                raise ValueError("all elements of `new_shape` must be non-negative")
    elif shape < 0:
        raise ValueError("all elements of `new_shape` must be non-negative")


def trim_zeros(filt, trim="fb", axis: known = None):
    """``np.trim_zeros``: a view."""
    a = np.asarray(filt)
    sides = trim.lower()
    if sides != "fb" and sides != "bf" and sides != "f" and sides != "b":
        raise ValueError(f"unexpected character(s) in `trim`: '{sides}'")
    if a.ndim == 1:
        if axis is not None:
            axes_of(axis, 1, "axis")
        start, stop = 0, len(a)
        if "f" in sides:
            while start < stop and not a[start]:
                start += 1
        if "b" in sides:
            while stop > start and not a[stop - 1]:
                stop -= 1
        return a[start:stop]
    elif axis is None:
        return _trimmed(a, sides, numbers_from(a.shape, 0))
    else:
        return _trimmed(a, sides, axes_of(axis, a.ndim, "axis"))


def _trimmed(a, sides, axes):
    """The part with all elements that are not 0, along these axes."""
    first, shape, is_empty = 0, a.shape, not np.any(np.not_equal(a, 0))
    for axis in range(a.ndim):
        if has_axis(axes, axis):
            rows = moved_axes(a, (axis,), (0,))
            start, stop = 0, 0 if is_empty else a.shape[axis]
            if "f" in sides:
                while start < stop and not np.any(np.not_equal(rows[start], 0)):
                    start += 1
            if "b" in sides:
                while stop > start and not np.any(np.not_equal(rows[stop - 1], 0)):
                    stop -= 1
            first += start * a.strides[axis]
            shape = with_item(shape, axis, stop - start)
    return strided(a, first, shape, a.strides)


# Some elements more, or fewer -----------------------------------------------------------------------------------------


def _front(a, axis: known):
    """The view with this axis in front."""
    if a.ndim == 1:
        return a
    return np.moveaxis(a, axis, 0)


def _longer(a, axis: known, count):
    """A new array like this one, with other extent along the axis, and Fortran's order where that has it."""
    shape = with_item(a.shape, axis_of(axis, a.ndim), count)
    return np.empty_like(a, shape=shape)


def insert(arr, obj, values, axis: known = None):
    """``np.insert``."""
    a = np.asarray(arr)
    if axis is None:
        if a.ndim != 1:
            return insert(np.ravel(a), obj, values, 0)
        return insert(a, obj, values, 0)
    if axis < -a.ndim or axis >= a.ndim:
        raise np.exceptions.AxisError(axis, a.ndim, None)
    else:
        return _inserted(a, obj, values, axis)


def _inserted(a, obj, values, axis: known):
    if isinstance(obj, slice):
        start, stop, step = obj.indices(a.shape[axis])
        return _insert_each(a, np.arange(start, stop, step), values, axis)
    if np.ndim(obj) == 0:
        return _insert_at(a, obj, np.asarray(values), axis)
    return _insert_each(a, np.asarray(obj).astype(np.int64), values, axis)


def _insert_at(a, obj, items, axis: known):
    """At one place: the first axis of what is inserted becomes this one."""
    n = a.shape[axis]
    at = obj + n if obj < 0 else obj
    if at < 0 or at > n:
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")
    if items.ndim > a.ndim:
        raise ValueError("the inserted values have more dimensions than the array")
    elif items.ndim == a.ndim:
        out = _longer(a, axis, n + len(items))
        _put_between(_front(a, axis), items, _front(out, axis), at, len(items))
        return out
    else:
        more = _longer(a, axis, n + 1)
        _put_between(_front(a, axis), items, _front(more, axis), at, 1)
        return more


def _put_between(rows, items, out, at, count):
    out[:at] = rows[:at]
    out[at : at + count] = items
    out[at + count :] = rows[at:]


def _insert_each(a, places, values, axis: known):
    n, count, items = a.shape[axis], len(places), np.asarray(values)
    if count == 1:
        if items.ndim == a.ndim:
            return _insert_at(a, places[0], _front(items, axis), axis)
        return _insert_at(a, places[0], items, axis)
    for i in range(count):
        place = places[i]
        if place < -n or place > n:
            raise IndexError(f"index {place} is out of bounds for axis {axis} with size {n}")
        places[i] = place + n if place < 0 else place
    order = np.argsort(places, -1, "stable")
    out = _longer(a, axis, n + count)
    shape = with_item(a.shape, axis_of(axis, a.ndim), count)
    new = _front(np.broadcast_to(items, shape), axis)
    _put_at_places(_front(a, axis), new, _front(out, axis), places, order)
    return out


def _put_at_places(rows, new, out, places, order):
    done, k = 0, 0
    for i in range(len(out)):
        if k < len(order) and places[order[k]] == done:
            out[i] = new[order[k]]
            k += 1
        else:
            out[i] = rows[done]
            done += 1


def delete(arr, obj, axis: known = None):
    """``np.delete``."""
    a = np.asarray(arr)
    if axis is None:
        if a.ndim != 1:
            return delete(np.ravel(a), obj, 0)
        return delete(a, obj, 0)
    if axis < -a.ndim or axis >= a.ndim:
        raise np.exceptions.AxisError(axis, a.ndim, None)
    else:
        return _deleted(a, obj, axis)


def _deleted(a, obj, axis: known):
    n = a.shape[axis]
    if isinstance(obj, (int, np.integer)):
        return _without_one(a, obj, axis)
    keeps = np.ones(n, np.bool_)
    if isinstance(obj, slice):
        start, stop, step = obj.indices(n)
        for i in range(start, stop, step):
            keeps[i] = False
    elif np.ndim(obj) == 0:
        _drop(keeps, obj, axis)
    else:
        places = np.asarray(obj)
        if places.dtype == np.bool_:
            if len(places) != n:
                raise ValueError(
                    f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}"
                )
            for i in range(n):
                keeps[i] = not places[i]
        else:
            for i in range(len(places)):
                _drop(keeps, np.int64(places[i]), axis)
    out = _longer(a, axis, np.count_nonzero(keeps))
    _put_kept(_front(a, axis), keeps, _front(out, axis))
    return out


def _without_one(a, place, axis: known):
    """The parts before it and behind it."""
    n = a.shape[axis]
    _check_place(place, n, axis)
    out, at = _longer(a, axis, n - 1), np.int64(place + n if place < 0 else place)
    rows, rest = _front(a, axis), _front(out, axis)
    rest[:at] = rows[:at]
    rest[at:] = rows[at + 1 :]
    return out


def _check_place(place, n, axis: known):
    if place < -n or place >= n:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {n}")


def _drop(keeps, place, axis: known):
    _check_place(place, len(keeps), axis)
    keeps[place] = False


def _put_kept(rows, keeps, out):
    k = 0
    for i in range(len(keeps)):
        if keeps[i]:
            out[k] = rows[i]
            k += 1
