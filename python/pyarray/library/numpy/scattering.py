"""Stores by lists, masks and arrays of integers: in C order, so that of equal indices the last value stays."""

import numpy as np

from .._intrinsics import (
    broadcast,
    check_index,
    gathered_first,
    on_device,
    overlaps,
    raise_if,
    store_masked,
    value_back,
    value_first,
)
from .._intrinsics import scatter as store_at
from ..device import masks, stores
from .indexing import arrays_of, check_mask, count_axes, numbers_of, widened, without_axes

# Subscripts -----------------------------------------------------------------------------------------------------------


def set_of_arrays(a, index, value):
    """``a[index] = value`` with lists, tuples, ranges and arrays without dimensions."""
    a[arrays_of(index)] = value


def set_of_truths(a, index, value):
    """The same with bools."""
    a[widened(index)][without_axes(index)] = value


def set_of_masks(a, index, value):
    """The same with masks."""
    a[numbers_of(a, index, 0)] = value


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
    target, places, axes = gathered_first(a, index), _places(index), _axes_told(index, 0, a.ndim)
    if not isinstance(value, (np.ndarray, list, tuple, range)):
        _store_at(target, _element(value, a), places, axes)
    elif isinstance(index[0], (int, np.integer, np.ndarray)):  # the axes of the indices are the first of the result
        _store_at(target, _elements(np.asarray(value), a), places, axes)
    else:
        shape = _common_shape(places)
        items, given = np.asarray(value), _result_shape(a, index, shape + target.shape[len(places) :])
        _check_value(items.shape, given)
        values = broadcast(_with_axes(_elements(items, a), given), given)
        _store_at(target, value_first(values, a, index), places, axes)


def _store_at(target, values, places, axes):
    if on_device():
        shape = _common_shape(places)
        whole = shape + target.shape[len(places) :]
        stores.check(places, target.shape, axes)
        _check_value(values.shape, whole)
        stores.store(target, _with_axes(values, whole), places, shape)
    else:
        store_at(target, values, places, axes)


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
    return _axes_told(index[1:], ndim - count_axes(index[1:]), ndim)


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
        _check_shapes(_shapes_of(arrays), not _all_fit(arrays, shape))
    return shape


def _shapes_of(arrays):
    if len(arrays) == 0:
        return ()
    return (arrays[0].shape,) + _shapes_of(arrays[1:])


def _check_shapes(shapes, differ):
    if len(shapes) == 2:
        raise_if(
            differ,
            "IndexError",
            "shape mismatch: indexing arrays could not be broadcast together with shapes {0} {1} ",
            shapes[0],
            shapes[1],
        )
    elif len(shapes) == 3:
        raise_if(
            differ,
            "IndexError",
            "shape mismatch: indexing arrays could not be broadcast together with shapes {0} {1} {2} ",
            shapes[0],
            shapes[1],
            shapes[2],
        )
    elif differ:
        raise IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with shapes" + _shapes_text(shapes)
        )


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


def _shapes_text(shapes):
    if len(shapes) == 0:
        return " "
    return " " + _shape_text(shapes[0]) + _shapes_text(shapes[1:])


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
        check_index(places[0], extents[0], axes[0])
        _check_places(places[1:], extents[1:], axes[1:])


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


def at_each(function, a, index, value):
    """``a[index] = function(a[index], value)``, one element after the other."""
    numbers, values = numbers_of(a, arrays_of(index), 0), np.asarray(value)
    if a.ndim == 1 and len(numbers) == 1 and values.ndim < 2:
        if isinstance(numbers[0], np.ndarray):
            if numbers[0].ndim == 1:
                return _apply_row(function, a, _indices_apart(numbers[0], a), np.ravel(_apart(values, a)))
    _apply_to_parts(function, a, numbers, values)


def _apply_row(function, a, places, values):
    check_index(places, len(a), 0)
    _check_value(values.shape, (len(places),))
    wide = broadcast(values, (len(places),))
    for i in range(len(places)):
        a[places[i]] = function(a[places[i]], wide[i])


def _apply_to_parts(function, a, numbers, values):
    target = gathered_first(a, numbers)
    places = _each_apart(_places(numbers), a)
    shape = _common_shape(places)
    _check_places(places, target.shape, _axes_told(numbers, 0, a.ndim))
    wide = _broadcast_places(places, shape)
    whole = _result_shape(a, numbers, shape + target.shape[len(places) :])
    items = _apart(values, a)
    _check_value(items.shape, whole)
    _apply_each(function, target, wide, shape, value_first(broadcast(_with_axes(items, whole), whole), a, numbers))


def _apply_each(function, target, places, shape, value):
    for i in range(shape[0]):
        if len(shape) == 1:
            target[_at(places, i)] = function(target[_at(places, i)], value[i])
        else:
            _apply_each(function, target, _at(places, i), shape[1:], value[i])


# Memory ---------------------------------------------------------------------------------------------------------------


def _apart(value, a):
    """The value, or a copy where it may lie in the memory of the array."""
    if overlaps(value, a):
        return value.copy()
    return value


def _elements(values, a):
    """The values in the array's type."""
    if values.dtype == a.dtype:
        return values
    made = np.empty(values.shape, a.dtype)
    made[...] = values
    return made


def _element(value, a):
    """An array of one element of the array's type."""
    if on_device():
        return np.full(1, value, a.dtype)
    else:
        return _made_element(value, a)


def _made_element(value, a):
    made = np.empty(1, a.dtype)
    made[0] = value
    return made


def _each_apart(places, a):
    if len(places) == 0:
        return ()
    return (_indices_apart(places[0], a),) + _each_apart(places[1:], a)


def _indices_apart(place, a):
    """Indices that are elements of the array change while it is stored to."""
    if isinstance(place, np.ndarray):
        if place.dtype == a.dtype:
            return _apart(place, a)
    return place


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
        _put_masked(a, _elements(value, a), mask)


def _put_masked(a, values, mask):
    if on_device():
        masks.store(a, values, mask)
    else:
        store_masked(a, values, mask)


def _fill_masked(a, mask, value):
    if on_device():
        masks.fill(a, mask, value)
    else:
        _fill_each(a, mask, value)


def _fill_each(a, mask, value):
    for i in range(len(mask)):
        if mask.ndim == 1:
            if mask[i]:
                a[i] = value
        else:
            _fill_each(a[i], mask[i], value)
