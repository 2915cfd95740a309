"""Arrays that are put together of others, or cut into parts."""

import numpy as np

from .._intrinsics import dtype_of_parts, fortran_type, known, raise_if
from .axes import axis_of
from .elements import check_cast
from .views import any_layout

# One behind the other ------------------------------------------------------------------------------------------------


def concatenate(arrays, axis: known = 0, out=None, dtype=None, casting="same_kind"):
    """``np.concatenate``."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        return concatenate(_each(arrays, "ravel"), 0, out, dtype, casting)
    elif isinstance(arrays, tuple) and len(arrays) > 4:
        return concatenate(_each(arrays, ""), axis, out, dtype, casting)
    elif np.ndim(arrays[0]) == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    else:
        _check_parts(arrays, axis)
        if out is None:
            if dtype is None:
                return _joined(arrays, axis, _whole_shape(arrays, axis), dtype_of_parts(arrays))
            check_cast(dtype_of_parts(arrays), dtype, casting)
            return _joined(arrays, axis, _whole_shape(arrays, axis), dtype)
        if dtype is not None:
            raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
        check_cast(dtype_of_parts(arrays), out.dtype, casting)
        raise_if(out.shape != _whole_shape(arrays, axis), "ValueError", "Output array is the wrong shape")
        _put_parts(np.swapaxes(out, 0, axis), arrays, axis)
        return out


def _each(arrays, how: known, axis: known = 0):
    """Each of them in another shape; many as a list, so that what is done with one is compiled once."""
    if isinstance(arrays, tuple) and len(arrays) <= 4:
        return _each_of_few(arrays, how, axis)
    if isinstance(arrays, tuple):
        kind = np.result_type(*arrays)
        return [_shaped(np.asarray(each, kind), how, axis) for each in arrays]
    return [_shaped(np.asarray(each), how, axis) for each in arrays]


def _each_of_few(arrays, how: known, axis: known):
    if len(arrays) == 0:
        return ()
    return (_shaped(np.asarray(arrays[0]), how, axis),) + _each_of_few(arrays[1:], how, axis)


def _shaped(a, how: known, axis: known):
    if how == "ravel":
        return np.ravel(a)
    if how == "axis":
        if fortran_type(a):  # the new axis is the outer one in memory, which is no order that types tell
            return any_layout(np.expand_dims(a, axis))
        return np.expand_dims(a, axis)
    if how == "line":
        return np.atleast_1d(a)
    if how == "row":
        return np.atleast_2d(a)
    if how == "layer":
        return np.atleast_3d(a)
    if how == "column":
        return _column(a)
    return a


def _column(a):
    if a.ndim == 0:
        return a.reshape((1, 1))
    if a.ndim == 1:
        return a[:, None]
    return a


def _check_parts(arrays, axis: known):
    """Shapes differ in ``axis`` alone."""
    shape, number = np.asarray(arrays[0]).shape, 0
    at = axis_of(axis, len(shape))
    for each in arrays:
        _check_extents(np.asarray(each).shape, shape, at, 0, number)
        number += 1


def _check_extents(own, shape, axis, dimension, number):
    if len(own) > 0:
        raise_if(
            own[0] != shape[0] and dimension != axis,
            "ValueError",
            "all the input array dimensions except for the concatenation axis must match exactly, but along dimension "
            "{0}, the array at index 0 has size {1} and the array at index {2} has size {3}",
            dimension,
            shape[0],
            number,
            own[0],
        )
        _check_extents(own[1:], shape[1:], axis, dimension + 1, number)


def _whole_shape(arrays, axis):
    length = 0
    for each in arrays:
        length += np.asarray(each).shape[axis]
    shape = np.asarray(arrays[0]).shape
    return _set(shape, axis_of(axis, len(shape)), length)


def _set(values, at, value):
    """The tuple with another item."""
    if len(values) == 0:
        return ()
    return (value if at == 0 else values[0],) + _set(values[1:], at - 1, value)


def _joined(arrays, axis: known, shape, dtype):
    out, at = _room(arrays, shape, dtype), 0
    rows = np.swapaxes(out, 0, axis)
    for each in arrays:
        part = np.swapaxes(np.asarray(each), 0, axis)
        rows[at : at + len(part)] = part
        at += len(part)
    return out


def _room(arrays, shape, dtype):
    """New memory, in Fortran's order where the types of all say that they lie in it."""
    if fortran_type(np.asarray(arrays[0])):
        if isinstance(arrays, tuple) and len(arrays) > 1:
            return _room(arrays[1:], shape, dtype)
        return np.empty(shape, dtype, order="F")
    return np.empty(shape, dtype)


def _put_parts(rows, arrays, axis: known):
    at = 0
    for each in arrays:
        part = np.swapaxes(np.asarray(each), 0, axis)
        rows[at : at + len(part)] = part
        at += len(part)


def stack(arrays, axis: known = 0, out=None, dtype=None, casting="same_kind"):
    """``np.stack``."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to stack")
    first = np.asarray(arrays[0]).shape
    for each in arrays:
        if np.asarray(each).shape != first:
            raise ValueError("all input arrays must have the same shape")
    return concatenate(_each(arrays, "axis", axis), axis, out, dtype, casting)


def vstack(tup, dtype=None, casting="same_kind"):
    """``np.vstack``."""
    return concatenate(_each(tup, "row"), 0, None, dtype, casting)


def hstack(tup, dtype=None, casting="same_kind"):
    """``np.hstack``."""
    if np.ndim(tup[0]) < 2:
        return concatenate(_each(tup, "line"), 0, None, dtype, casting)
    return concatenate(_each(tup, "line"), 1, None, dtype, casting)


def dstack(tup):
    """``np.dstack``."""
    return concatenate(_each(tup, "layer"), 2)


def column_stack(tup):
    """``np.column_stack``."""
    return concatenate(_each(tup, "column"), 1)


def append(arr, values, axis: known = None):
    """``np.append``."""
    if axis is None:
        return concatenate((np.ravel(arr), np.ravel(values)), 0)
    return concatenate((np.asarray(arr), np.asarray(values)), axis)


def block(arrays):
    """``np.block`` of nested lists, or of tuples: which of both a display is, is not known."""
    empty = _empty_list(arrays, "arrays")
    if empty != "":
        raise ValueError(f"List at {empty} cannot be empty")
    levels = _levels(arrays)
    if isinstance(arrays, tuple):
        _check_levels(arrays, levels, "arrays", 0)
    if len(levels) == 0:
        return np.copy(np.asarray(arrays))
    return _block(arrays, levels, _longer(levels, _most_axes(arrays)))


def _empty_list(arrays, place):
    """The place of the last list without items, or ``""``."""
    if isinstance(arrays, tuple):
        return place if len(arrays) == 0 else _empty_list_of(arrays, place, 0)
    if isinstance(arrays, list):
        if len(arrays) == 0:
            return place
        if isinstance(arrays[0], (list, tuple)):
            found = ""
            for i in range(len(arrays)):
                inner = _empty_list(arrays[i], place + f"[{i}]")
                found = inner if inner != "" else found
            return found
    return ""


def _empty_list_of(arrays, place, number):
    if len(arrays) == 0:
        return ""
    rest = _empty_list_of(arrays[1:], place, number + 1)
    return rest if rest != "" else _empty_list(arrays[0], place + f"[{number}]")


def _levels(arrays):
    """As many items as lists are nested."""
    if isinstance(arrays, (list, tuple)):
        if isinstance(arrays, tuple) and len(arrays) == 0:
            return (0,)
        return (0,) + _levels(arrays[0])
    return ()


def _check_levels(arrays, levels, place, number):
    """Of a tuple all items are nested equally deep."""
    if len(arrays) > 0:
        depth = place.count("[") + len(_levels(arrays[0])) + 1
        if depth != len(levels):
            where = place + f"[{number}]" + "[0]" * len(_levels(arrays[0]))
            raise ValueError(
                f"List depths are mismatched. First element was at depth {len(levels)}, but there is an element at "
                f"depth {depth} ({where})"
            )
        if isinstance(arrays[0], tuple):
            _check_levels(arrays[0], levels, place + f"[{number}]", 0)
        _check_levels(arrays[1:], levels, place, number + 1)


def _longer(a, b):
    if len(a) >= len(b):
        return a
    return b


def _most_axes(arrays):
    """As many items as the array with the most dimensions has."""
    if isinstance(arrays, tuple):
        if len(arrays) == 0:
            return ()
        return _longer(_most_axes(arrays[0]), _most_axes(arrays[1:]))
    if isinstance(arrays, list):
        return _most_axes(arrays[0])
    return (0,) * np.ndim(arrays)


def _block(arrays, levels, axes):
    if not isinstance(arrays, (list, tuple)):
        return _with_axes(np.asarray(arrays), axes)
    if len(levels) == 0:  # nested deeper than the first: told before
        return np.empty((0,) * len(axes))
    return concatenate(_blocks(arrays, levels[1:], axes), -len(levels))


def _blocks(arrays, levels, axes):
    if isinstance(arrays, list):
        return [_block(each, levels, axes) for each in arrays]
    if len(arrays) == 0:
        return ()
    return (_block(arrays[0], levels, axes),) + _blocks(arrays[1:], levels, axes)


def _with_axes(a, axes):
    """The array with axes in front, as many as there are items in all."""
    if a.ndim < len(axes):
        return _with_axes(a[None], axes)
    return a


# Parts ----------------------------------------------------------------------------------------------------------------


def _length(a, axis: known):
    if axis < -a.ndim or axis >= a.ndim:
        raise IndexError("tuple index out of range")
    else:
        return a.shape[axis]


def _part(a, axis: known, start, stop):
    return np.swapaxes(np.swapaxes(a, 0, axis)[start:stop], 0, axis)


def array_split(ary, indices_or_sections, axis: known = 0):
    """``np.array_split``: a list of views."""
    a = np.asarray(ary)
    length = _length(a, axis)
    if np.ndim(indices_or_sections) == 0:
        if indices_or_sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, more = length // indices_or_sections, length % indices_or_sections
        parts, start = [], 0
        for i in range(indices_or_sections):
            stop = start + each + (1 if i < more else 0)
            parts.append(_part(a, axis, start, stop))
            start = stop
        return parts
    else:
        pieces, begin = [], 0
        for end in indices_or_sections:
            pieces.append(_part(a, axis, begin, end))
            begin = end
        pieces.append(_part(a, axis, begin, length))
        return pieces


def split(ary, indices_or_sections, axis: known = 0):
    """``np.split``."""
    if np.ndim(indices_or_sections) == 0:
        if _length(np.asarray(ary), axis) % indices_or_sections != 0:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, indices_or_sections):
    """``np.vsplit``."""
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    """``np.hsplit``."""
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    if np.ndim(ary) == 1:
        return split(ary, indices_or_sections, 0)
    return split(ary, indices_or_sections, 1)


def dsplit(ary, indices_or_sections):
    """``np.dsplit``."""
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


# Again and again ------------------------------------------------------------------------------------------------------


def roll(a, shift, axis: known = None):
    """``np.roll``."""
    source = np.asarray(a)
    if axis is None:
        return _rolled(np.ravel(source), shift, 0).reshape(source.shape)
    return _rolled(source, shift, axis)


def _rolled(source, shift, axis: known):
    out = np.empty_like(source)
    if isinstance(axis, tuple) or isinstance(shift, tuple):
        axes = axis if isinstance(axis, tuple) else (axis,)
        shifts = shift if isinstance(shift, tuple) else (shift,)
        if len(shifts) != len(axes) and len(shifts) != 1 and len(axes) != 1:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                f"({len(shifts)},) and arg 1 with shape ({len(axes)},)."
            )
        _put_rolled(out, source, _shifts_of(source.shape, source.ndim, shifts, axes))
    else:
        length = source.shape[axis_of(axis, source.ndim)]
        rows, given = np.swapaxes(out, 0, axis), np.swapaxes(source, 0, axis)
        if length > 0:
            at = shift % length
            rows[at:] = given[: length - at]
            rows[:at] = given[length - at :]
    return out


def _shifts_of(extents, ndim, shifts, axes: known):
    """How far the elements move along each dimension, less than its extent."""
    if len(extents) == 0:
        return ()
    shift = _shift_along(ndim - len(extents), ndim, shifts, axes)
    return (shift % extents[0] if extents[0] > 0 else 0,) + _shifts_of(extents[1:], ndim, shifts, axes)


def _shift_along(dimension, ndim, shifts, axes: known):
    if len(axes) == 0 or len(shifts) == 0:
        return 0
    own = shifts[0] if axis_of(axes[0], ndim) == dimension else 0
    next_shifts = shifts if len(shifts) == 1 and len(axes) > 1 else shifts[1:]
    return own + _shift_along(dimension, ndim, next_shifts, axes if len(axes) == 1 and len(shifts) > 1 else axes[1:])


def _put_rolled(out, source, shifts):
    """Two parts along the first dimension that is left, each of which is rolled along the others."""
    if len(shifts) == 0:
        out[...] = source
    else:
        at, axis = shifts[0], source.ndim - len(shifts)
        length = source.shape[axis]
        _put_rolled(_part(out, axis, at, length), _part(source, axis, 0, length - at), shifts[1:])
        _put_rolled(_part(out, axis, 0, at), _part(source, axis, length - at, length), shifts[1:])


def repeat(a, repeats, axis: known = None):
    """``np.repeat``."""
    source = np.asarray(a)
    if axis is None:
        return _repeated(np.ravel(source), repeats, 0)
    return _repeated(source, repeats, axis)


def _repeated(a, repeats, axis: known):
    axis_of(axis, a.ndim)
    rows = np.swapaxes(a, 0, axis)
    if np.ndim(repeats) == 0:
        if repeats > 0 and len(rows) > (2**63 - 1) // repeats:
            raise ValueError("Maximum allowed dimension exceeded")
        out = np.empty(_set(a.shape, axis_of(axis, a.ndim), len(rows) * repeats), a.dtype)
        target, at = np.swapaxes(out, 0, axis), 0
        for i in range(len(rows)):
            target[at : at + repeats] = rows[i : i + 1]
            at += repeats
        return out
    else:
        if len(repeats) != len(rows) and len(repeats) != 1:
            raise ValueError(f"operands could not be broadcast together with shape ({len(rows)},) ({len(repeats)},)")
        total = 0
        for i in range(len(rows)):
            count = repeats[0 if len(repeats) == 1 else i]
            if count < 0:
                raise ValueError("repeats may not contain negative values.")
            total += count
        result = np.empty(_set(a.shape, axis_of(axis, a.ndim), total), a.dtype)
        view, place = np.swapaxes(result, 0, axis), 0
        for i in range(len(rows)):
            times = repeats[0 if len(repeats) == 1 else i]
            view[place : place + times] = rows[i : i + 1]
            place += times
        return result


def tile(A, reps):
    """``np.tile``."""
    if isinstance(reps, tuple):
        return _tiled(np.asarray(A), reps)
    return _tiled(np.asarray(A), (reps,))


def _tiled(a, reps):
    if len(reps) < a.ndim:
        return _tiled(a, (1,) + reps)
    if a.ndim < len(reps):
        return _tiled(a[None], reps)
    out = np.empty(_products(a.shape, reps), a.dtype)
    out.reshape(_pairs(reps, a.shape))[...] = a.reshape(_pairs((1,) * a.ndim, a.shape))
    return out


def _products(shape, reps):
    if len(shape) == 0:
        return ()
    return (shape[0] * reps[0],) + _products(shape[1:], reps[1:])


def _pairs(first, second):
    if len(first) == 0:
        return ()
    return (first[0], second[0]) + _pairs(first[1:], second[1:])


def meshgrid(*xi, copy=True, sparse: known = False, indexing="xy"):
    """``np.meshgrid``."""
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if indexing == "xy" and len(xi) > 1:
        shape = (np.size(xi[1]), np.size(xi[0])) + _sizes(xi[2:])
        return (_grid(xi[0], shape, 1, sparse), _grid(xi[1], shape, 0, sparse)) + _grids(xi[2:], shape, 2, sparse)
    return _grids(xi, _sizes(xi), 0, sparse)


def _sizes(arrays):
    if len(arrays) == 0:
        return ()
    return (np.size(arrays[0]),) + _sizes(arrays[1:])


def _grids(arrays, shape, axis, sparse: known):
    if len(arrays) == 0:
        return ()
    return (_grid(arrays[0], shape, axis, sparse),) + _grids(arrays[1:], shape, axis + 1, sparse)


def _grid(x, shape, axis, sparse: known):
    """The values of ``x`` along one axis."""
    flat = np.ravel(x)
    line = flat.reshape(_set((1,) * len(shape), axis, len(flat)))
    if sparse:
        return line.copy()
    out = np.empty(shape, flat.dtype)
    out[...] = line
    return out
