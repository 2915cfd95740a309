"""Subscripts by lists, masks and arrays of integers.

The compiler reads ``a[x, i, 1:]``, whose arrays are of integers, itself; all others become such subscripts here, in
steps: what holds numbers becomes an array, one bool a new axis, a mask the indices of its true elements.
"""

import numpy as np

from .._intrinsics import count_true, list_true, on_device, raise_if, take_masked
from ..device.masks import compressed, places, put_places

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


def arrays_of(index):
    """The indices; what holds numbers becomes an array, and an array without dimensions its number."""
    if len(index) == 0:
        return ()
    return (_arrayed(index[0]),) + arrays_of(index[1:])


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


def widened(index):
    """The subscript that gives the new axes alone."""
    if len(index) == 0:
        return ()
    return _widened_by(index[0]) + widened(index[1:])


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


def without_axes(index):
    """The subscript of what has its new axes already: a bool is 0 or no index of its axis."""
    if len(index) == 0:
        return ()
    return (_without_axis(index[0]),) + without_axes(index[1:])


def _without_axis(item):
    if item is None:
        return slice(None)
    if isinstance(item, (bool, np.bool_)):
        return np.zeros(1 if item else 0, np.int64)
    return item


def count_axes(index):
    """How many axes the indices are for."""
    if len(index) == 0:
        return 0
    return _axes_of_one(index[0]) + count_axes(index[1:])


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


def numbers_of(a, index, axis):
    """The indices, with those of the true elements in the place of masks; ``axis``: which the first one is for."""
    if len(index) == 0:
        return ()
    item = index[0]
    if isinstance(item, np.ndarray):
        if item.dtype.kind == "b":
            check_mask(a, item, axis)
            return nonzero_places(item) + numbers_of(a, index[1:], axis + item.ndim)
        return (item,) + numbers_of(a, index[1:], axis + 1)
    if item is None:
        return (item,) + numbers_of(a, index[1:], axis)
    if isinstance(item, (slice, int, np.integer)):
        return (item,) + numbers_of(a, index[1:], axis + 1)
    return (item,) + numbers_of(a, index[1:], a.ndim - count_axes(index[1:]))


def check_mask(a, mask, axis):
    """IndexError where the mask has not the shape of the axes from ``axis`` on; NumPy compares no extents of 0."""
    _check_extents(a.shape, mask.shape, axis)


def _check_extents(extents, own, axis):
    if len(own) > 0:
        raise_if(
            (extents[axis] != own[0]) & (own[0] != 0),
            "IndexError",
            "boolean index did not match indexed array along axis {0}; size of axis is {1} but size of corresponding "
            "boolean axis is {2}",
            axis,
            extents[axis],
            own[0],
        )
        _check_extents(extents, own[1:], axis + 1)


def nonzero_places(mask):
    """The indices of the true elements, an array for each axis."""
    if on_device():
        return places(mask)
    else:
        return find_places(mask, _new_arrays(mask.shape, how_many(mask)))


def find_places(mask, found):
    """The same, into arrays that are given."""
    if on_device():
        put_places(found, places(mask))
    else:
        list_true(found, mask)
    return found


def how_many(mask):
    """How many elements are true."""
    if on_device():
        return np.count_nonzero(mask)
    else:
        return count_true(mask)


def _new_arrays(shape, count):
    if len(shape) == 0:
        return ()
    return (np.empty(count, np.int64),) + _new_arrays(shape[1:], count)


# Reading --------------------------------------------------------------------------------------------------------------


def get_of_arrays(a, index):
    """``a[index]`` with lists, tuples and ranges."""
    return a[arrays_of(index)]


def get_of_numbers(a, index):
    """The same with arrays that have no dimensions: numbers, but what they give is no view."""
    return _copied(a[arrays_of(index)])


def get_of_truths(a, index):
    """The same with bools."""
    return a[widened(index)][without_axes(index)]


def get_of_masks(a, index):
    """The same with masks."""
    return a[numbers_of(a, index, 0)]


def get_masked(a, index):
    """``a[mask]`` with one mask of all axes."""
    mask = index[0]
    check_mask(a, mask, 0)
    if on_device():
        return compressed(a, mask)
    else:
        return _taken(a, mask)


def _taken(a, mask):
    out = np.empty(count_true(mask), a.dtype)
    take_masked(out, a, mask)
    return out


def _copied(view):
    if isinstance(view, np.ndarray):
        return np.copy(view)
    return view
