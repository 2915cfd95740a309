"""Subscripts by lists, masks and arrays of integers.

The compiler reads ``a[x, i, 1:]``, whose arrays are of integers, itself; all others become such subscripts here, in
steps: what holds numbers becomes an array, one bool a new axis, a mask the indices of its true elements.
"""

import numpy as np

from .._intrinsics import broadcast, gathered_first, raise_if, value_back, value_first

# Indices --------------------------------------------------------------------------------------------------------------


def _array(item):
    """A list, a tuple or a range as the array that it stands for."""
    if isinstance(item, tuple):
        if len(item) == 0:
            return np.empty(0, np.int64)
        else:
            return np.asarray(item)
    return _of_items(np.asarray(item))


def _of_items(a):
    """Nothing is no float."""
    if a.dtype.kind == "f":
        if a.size == 0:
            return np.empty(a.shape, np.int64)
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    else:
        return a


def _arrays(index):
    """The indices; what holds numbers becomes an array, and an array without dimensions its number."""
    if len(index) == 0:
        return ()
    return (_arrayed(index[0]),) + _arrays(index[1:])


def _arrayed(item):
    if item is None or isinstance(item, slice):
        return item
    if isinstance(item, np.ndarray):
        if item.ndim == 0:
            return item[()]
        return item
    if isinstance(item, (int, np.integer, bool, np.bool_)):
        return item
    if item is Ellipsis:
        return item
    return _array(item)


def _widened(index):
    """The subscript that gives the new axes alone."""
    if len(index) == 0:
        return ()
    return _widened_by(index[0]) + _widened(index[1:])


def _widened_by(item):
    if item is None:
        return (None,)
    if isinstance(item, (bool, np.bool_)):
        return (None,)
    if isinstance(item, np.ndarray):
        if item.dtype.kind == "b":
            return (slice(None),) * item.ndim
        return (slice(None),)
    if isinstance(item, (slice, int, np.integer)):
        return (slice(None),)
    return (item,)


def _without_axes(index):
    """The subscript of what has its new axes already: a bool is 0 or no index of its axis."""
    if len(index) == 0:
        return ()
    return (_without_axis(index[0]),) + _without_axes(index[1:])


def _without_axis(item):
    if item is None:
        return slice(None)
    if isinstance(item, (bool, np.bool_)):
        return np.zeros(1 if item else 0, np.int64)
    return item


def _axes_of(index):
    """How many axes the indices are for."""
    if len(index) == 0:
        return 0
    return _axes_of_one(index[0]) + _axes_of(index[1:])


def _axes_of_one(item):
    if item is None:
        return 0
    if isinstance(item, np.ndarray):
        if item.dtype.kind == "b":
            return item.ndim
        return 1
    if isinstance(item, (slice, int, np.integer)):
        return 1
    return 0


def _numbers(a, index, axis):
    """The indices, with those of the true elements in the place of masks; ``axis``: which the first one is for."""
    if len(index) == 0:
        return ()
    item = index[0]
    if isinstance(item, np.ndarray):
        if item.dtype.kind == "b":
            check_mask(a, item, axis)
            return nonzero_places(item) + _numbers(a, index[1:], axis + item.ndim)
        return (item,) + _numbers(a, index[1:], axis + 1)
    if item is None:
        return (item,) + _numbers(a, index[1:], axis)
    if isinstance(item, (slice, int, np.integer)):
        return (item,) + _numbers(a, index[1:], axis + 1)
    return (item,) + _numbers(a, index[1:], a.ndim - _axes_of(index[1:]))


def check_mask(a, mask, axis):
    """IndexError where the mask has not the shape of the axes from ``axis`` on."""
    for k in range(mask.ndim):
        raise_if(
            a.shape[axis + k] != mask.shape[k],
            "IndexError",
            "boolean index did not match indexed array along axis {0}; size of axis is {1} but size of corresponding "
            "boolean axis is {2}",
            axis + k,
            a.shape[axis + k],
            mask.shape[k],
        )


def nonzero_places(mask):
    """The indices of the true elements, an array for each axis."""
    return find_places(mask, _new_arrays(mask.shape, np.count_nonzero(mask)))


def find_places(mask, found):
    """The same, into arrays that are given."""
    _find(mask, found, (), 0)
    return found


def _new_arrays(shape, count):
    if len(shape) == 0:
        return ()
    return (np.empty(count, np.int64),) + _new_arrays(shape[1:], count)


def _find(mask, found, place, at):
    """Store where it is true from position ``at`` on; the next one. Another thread may have changed it meanwhile."""
    for i in range(len(mask)):
        if mask.ndim == 1:
            if mask[i] and at < len(found[0]):
                _put_place(found, place + (i,), at)
                at += 1
        else:
            at = _find(mask[i], found, place + (i,), at)
    return at


def _put_place(found, place, at):
    if len(place) > 0:
        found[0][at] = place[0]
        _put_place(found[1:], place[1:], at)


# Reading --------------------------------------------------------------------------------------------------------------


def get_of_arrays(a, index):
    """``a[index]`` with lists, tuples and ranges."""
    return a[_arrays(index)]


def get_of_numbers(a, index):
    """The same with arrays that have no dimensions: numbers, but what they give is no view."""
    return _copied(a[_arrays(index)])


def get_of_truths(a, index):
    """The same with bools."""
    return a[_widened(index)][_without_axes(index)]


def get_of_masks(a, index):
    """The same with masks."""
    return a[_numbers(a, index, 0)]


def get_masked(a, index):
    """``a[mask]`` with one mask of all axes."""
    mask = index[0]
    check_mask(a, mask, 0)
    out = np.empty(np.count_nonzero(mask), a.dtype)
    _compress(a, mask, out, 0)
    return out


def _copied(view):
    if isinstance(view, np.ndarray):
        return np.copy(view)
    return view


# Storing --------------------------------------------------------------------------------------------------------------


def set_of_arrays(a, index, value):
    """``a[index] = value`` with lists, tuples, ranges and arrays without dimensions."""
    a[_arrays(index)] = value


def set_of_truths(a, index, value):
    """The same with bools."""
    a[_widened(index)][_without_axes(index)] = value


def set_of_masks(a, index, value):
    """The same with masks."""
    a[_numbers(a, index, 0)] = value


def set_masked(a, index, value):
    """``a[mask] = value`` with one mask of all axes."""
    mask = index[0]
    check_mask(a, mask, 0)
    if isinstance(value, (np.ndarray, list, tuple, range)):
        _store_masked(a, mask, np.asarray(value))
    else:
        _fill_masked(a, mask, value)


def scatter(a, index, value):
    """The same with arrays of integers: no index is out of bounds once something is stored."""
    target = gathered_first(a, index)
    places = _each_apart(_places(index), a)
    shape = _common_shape(places)
    _check_places(places, target.shape, _axes_told(index, 0, a.ndim))
    wide = _broadcast_places(places, shape)
    if isinstance(value, (np.ndarray, list, tuple, range)):
        whole = _result_shape(a, index, shape + target.shape[len(places) :])
        items = _apart(np.asarray(value), a)
        _check_value(items.shape, whole)
        _store_each(target, wide, shape, value_first(broadcast(_with_axes(items, whole), whole), a, index))
    else:
        _fill_each(target, wide, shape, value)


def scatter_row(a, index, value):
    """The same of one array of one axis as index of such an array, and of such values, or one."""
    places = _apart(index[0], a)
    check_place(places, len(a), 0)
    if isinstance(value, np.ndarray):
        count, items = len(value), _apart(value, a)
        raise_if(
            count != len(places) and count != 1,
            "ValueError",
            "shape mismatch: value array of shape ({0},) could not be broadcast to indexing result of shape ({1},)",
            count,
            len(places),
        )
        step = 0 if count == 1 else 1
        for i in range(len(places)):
            a[places[i]] = items[i * step]
    else:
        for i in range(len(places)):
            a[places[i]] = value


def _result_shape(a, index, shape):
    """The shape of ``a[index]``; ``shape`` has the extents of the indices first."""
    return value_back(broadcast(np.empty((), np.int8), shape), a, index).shape


def _places(index):
    """The indices that are no slices."""
    if len(index) == 0:
        return ()
    if isinstance(index[0], (int, np.integer, np.ndarray)):
        return (index[0],) + _places(index[1:])
    return _places(index[1:])


def _axes_told(index, axis, ndim):
    """Their axes."""
    if len(index) == 0:
        return ()
    if isinstance(index[0], (int, np.integer, np.ndarray)):
        return (axis,) + _axes_told(index[1:], axis + 1, ndim)
    if isinstance(index[0], slice):
        return _axes_told(index[1:], axis + 1, ndim)
    if index[0] is None:
        return _axes_told(index[1:], axis, ndim)
    return _axes_told(index[1:], ndim - _axes_of(index[1:]), ndim)


def _arrays_among(places):
    if len(places) == 0:
        return ()
    if isinstance(places[0], np.ndarray):
        return (places[0],) + _arrays_among(places[1:])
    return _arrays_among(places[1:])


def _common_shape(places):
    """The shape to which the arrays among them broadcast."""
    arrays = _arrays_among(places)
    shape = _joined_shapes(arrays[0].shape, arrays[1:])
    if len(arrays) > 1:
        if not _all_fit(arrays, shape):
            raise IndexError(
                "shape mismatch: indexing arrays could not be broadcast together with shapes" + _shapes_text(arrays)
            )
    return shape


def _joined_shapes(shape, arrays):
    if len(arrays) == 0:
        return shape
    return _joined_shapes(_joined(shape, arrays[0].shape), arrays[1:])


def _joined(a, b):
    if len(a) < len(b):
        return _joined(b, a)
    if len(a) > len(b):
        return a[: len(a) - len(b)] + _joined(a[len(a) - len(b) :], b)
    if len(a) == 0:
        return ()
    return (b[0] if a[0] == 1 else a[0],) + _joined(a[1:], b[1:])


def _all_fit(arrays, shape):
    if len(arrays) == 0:
        return True
    return _fits(arrays[0].shape, shape) and _all_fit(arrays[1:], shape)


def _fits(own, shape):
    """Whether what has this shape broadcasts to the other one, which has as many axes at least."""
    if len(own) == 0:
        return True
    return (own[-1] == shape[-1] or own[-1] == 1) and _fits(own[:-1], shape[:-1])


def _shape_text(shape):
    """As errors have it."""
    text = "("
    for k in range(len(shape)):
        text += ("," if k > 0 else "") + str(shape[k])
    return text + (",)" if len(shape) == 1 else ")")


def _shapes_text(arrays):
    if len(arrays) == 0:
        return " "
    return " " + _shape_text(arrays[0].shape) + _shapes_text(arrays[1:])


def _check_value(own, shape):
    if len(own) > 0:
        raise_if(
            not _fits_or_longer(own, shape),
            "ValueError",
            "shape mismatch: value array of shape {0} could not be broadcast to indexing result of shape {1}",
            own,
            shape,
        )


def _fits_or_longer(own, shape):
    if len(own) == 0:
        return True
    if len(own) > len(shape):
        return own[0] == 1 and _fits_or_longer(own[1:], shape)
    return _fits(own, shape)


def _with_axes(value, shape):
    """Without axes of 1 that the shape has not."""
    if value.ndim > len(shape):
        return _with_axes(value[0], shape)
    return value


def _check_places(places, extents, axes):
    """IndexError where one is out of bounds, before anything is stored."""
    if len(places) > 0:
        check_place(places[0], extents[0], axes[0])
        _check_places(places[1:], extents[1:], axes[1:])


def check_place(place, extent, axis):
    """IndexError where an index, or one of an array, is out of bounds."""
    if isinstance(place, np.ndarray):
        if place.ndim > 1:
            for row in place:
                check_place(row, extent, axis)
        else:
            low, high = 0, -1
            for i in range(len(place)):
                low = min(low, np.int64(place[i]))
                high = max(high, np.int64(place[i]))
            if low < -extent or high >= extent:
                _raise_first(place, extent, axis)
    elif place < -extent or place >= extent:
        _raise_outside(place, extent, axis)


def _raise_first(places, extent, axis):
    for i in range(len(places)):
        place = np.int64(places[i])
        if place < -extent or place >= extent:
            _raise_outside(place, extent, axis)


def _raise_outside(place, extent, axis):
    raise_if(True, "IndexError", "index {0} is out of bounds for axis {1} with size {2}", place, axis, extent)


def _broadcast_places(places, shape):
    if len(places) == 0:
        return ()
    return (_broadcast_place(places[0], shape),) + _broadcast_places(places[1:], shape)


def _broadcast_place(place, shape):
    if isinstance(place, np.ndarray):
        if len(shape) == 1:
            if len(place) == shape[0]:
                return place
        return broadcast(place, shape)
    return place


def _at(places, i):
    """The indices, or rows of them, at position ``i`` of the first axis."""
    if len(places) == 0:
        return ()
    if isinstance(places[0], np.ndarray):
        return (places[0][i],) + _at(places[1:], i)
    return (places[0],) + _at(places[1:], i)


def _fill_each(target, places, shape, value):
    for i in range(shape[0]):
        if len(shape) == 1:
            target[_at(places, i)] = value
        else:
            _fill_each(target, _at(places, i), shape[1:], value)


def _store_each(target, places, shape, value):
    for i in range(shape[0]):
        if len(shape) == 1:
            target[_at(places, i)] = value[i]
        else:
            _store_each(target, _at(places, i), shape[1:], value[i])


def at_each(function, a, index, value):
    """``a[index] = function(a[index], value)``, one element after the other."""
    numbers = _numbers(a, _arrays(index), 0)
    target = gathered_first(a, numbers)
    places = _each_apart(_places(numbers), a)
    shape = _common_shape(places)
    _check_places(places, target.shape, _axes_told(numbers, 0, a.ndim))
    wide = _broadcast_places(places, shape)
    whole = _result_shape(a, numbers, shape + target.shape[len(places) :])
    items = _apart(np.asarray(value), a)
    _check_value(items.shape, whole)
    _apply_each(function, target, wide, shape, value_first(broadcast(_with_axes(items, whole), whole), a, numbers))


def _apply_each(function, target, places, shape, value):
    for i in range(shape[0]):
        if len(shape) == 1:
            target[_at(places, i)] = function(target[_at(places, i)], value[i])
        else:
            _apply_each(function, target, _at(places, i), shape[1:], value[i])


# Memory ---------------------------------------------------------------------------------------------------------------


def _ends(a):
    """Between which addresses the elements lie."""
    low = a.ctypes.data
    high = low + a.itemsize
    if a.ndim > 0:
        for axis in range(a.ndim):
            step = (a.shape[axis] - 1) * a.strides[axis]
            if step < 0:
                low += step
            else:
                high += step
    return low, high


def _apart(value, a):
    """The value, or a copy where it may lie in the memory of the array."""
    low, high = _ends(a)
    first, last = _ends(value)
    if value.size > 0 and first < high and low < last:
        return value.copy()
    return value


def _each_apart(places, a):
    if len(places) == 0:
        return ()
    if isinstance(places[0], np.ndarray):
        return (_apart(places[0], a),) + _each_apart(places[1:], a)
    return (places[0],) + _each_apart(places[1:], a)


# Masks of all axes ----------------------------------------------------------------------------------------------------


def _store_masked(a, mask, value):
    if value.ndim > 1:
        raise TypeError(
            "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has "
            f"{value.ndim} dimensions"
        )
    elif value.ndim == 0:
        _fill_masked(a, mask, value[()])
    else:
        count = np.count_nonzero(mask)
        raise_if(
            len(value) != count and len(value) != 1,
            "ValueError",
            "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values where "
            "the mask is true",
            len(value),
            count,
        )
        if len(value) == 1:
            _fill_masked(a, mask, value[0])
        else:
            _put_masked(a, mask, _apart(value, a), 0)


def _fill_masked(a, mask, value):
    for i in range(len(mask)):
        if mask.ndim == 1:
            if mask[i]:
                a[i] = value
        else:
            _fill_masked(a[i], mask[i], value)


def _put_masked(a, mask, value, at):
    for i in range(len(mask)):
        if mask.ndim == 1:
            if mask[i] and at < len(value):
                a[i] = value[at]
                at += 1
        else:
            at = _put_masked(a[i], mask[i], value, at)
    return at


def _compress(a, mask, out, at):
    """Store the elements where it is true from ``at`` on; the next position.

    Each element is stored, and the next one over it where the mask is false: there is nothing to predict.
    """
    if mask.ndim == 1:
        i = 0
        while at < len(out) and i < len(mask):
            out[at] = a[i]
            at += mask[i]
            i += 1
    else:
        for i in range(len(mask)):
            at = _compress(a[i], mask[i], out, at)
    return at
