"""Functions that choose elements by position, by masks or among several arrays."""

import numpy as np

from .._intrinsics import c_contiguous, check_index, holds_arrays, in_c_order, in_order, known, raise_if, readonly
from ..array import at_flat
from .axes import axis_of, moved_axes
from .elements import check_cast
from .indexing import arrays_of, find_places, how_many, nonzero_places
from .scattering import at_each

# Positions ------------------------------------------------------------------------------------------------------------


def _array(a):
    if isinstance(a, np.ndarray):
        return a
    return np.asarray(a)


def _indices(a):
    """Indices as an array of integers; nothing is no float."""
    if isinstance(a, np.ndarray):
        check_cast(a.dtype, np.int64, "safe")
        return a.astype(np.int64) if a.dtype.kind == "b" else a
    if isinstance(a, (int, np.integer)):
        return a
    if isinstance(a, tuple):
        if len(a) == 0:
            return np.empty(0, np.int64)
        else:
            return _indices(np.asarray(a))
    return _indices(np.asarray(a))


def _wrapped(indices, extent, mode: known):
    """The indices as ``mode`` has them; one that is out of bounds stays so where it raises."""
    if mode == "raise":
        return indices
    if mode == "wrap":
        return indices % max(extent, 1)
    if mode == "clip":
        return np.minimum(np.maximum(indices, 0), extent - 1)
    raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")


def take(a, indices, axis: known = None, out=None, mode: known = "raise"):
    """``np.take``."""
    array, places = _array(a), _indices(indices)
    if axis is None:
        return _given(_taken(np.ravel(array), places, mode), out)
    return _given(_taken_along(array, places, axis, mode), out)


def _taken_along(a, places, axis: known, mode: known):
    if axis == 0 or a.ndim == 1:
        axis_of(axis, a.ndim)
        return _taken(a, places, mode)
    if mode == "raise" and a.shape[axis] > 0:
        check_index(places, a.shape[axis], axis_of(axis, a.ndim))
    front = _taken(np.moveaxis(a, axis, 0), places, mode)
    if isinstance(places, np.ndarray):
        return _moved_back(front, places.ndim, axis_of(axis, a.ndim))
    return front


def _taken(a, places, mode: known):
    """Along the first axis."""
    raise_if(len(a) == 0 and np.size(places) > 0, "IndexError", "cannot do a non-empty take from an empty axes.")
    if isinstance(places, np.ndarray):
        return a[_wrapped(places, len(a), mode)]
    return _copied(a[_wrapped(places, len(a), mode)])


def _copied(item):
    if isinstance(item, np.ndarray):
        return np.copy(item)
    return item


def _numbers(count: known, start):
    if count == 0:
        return ()
    return (start,) + _numbers(count - 1, start + 1)


def _moved_back(a, count: known, axis):
    """The first ``count`` axes behind the first ``axis`` of the others."""
    return moved_axes(a, _numbers(count, 0), _numbers(count, axis)).copy()


def _given(result, out):
    if out is None:
        return result
    if np.shape(result) != out.shape:
        raise ValueError("output array does not match result of ndarray.take")
    if isinstance(result, np.ndarray):
        check_cast(out.dtype, result.dtype, "safe")
    out[...] = result
    return out


def take_along_axis(arr, indices, axis: known = -1):
    """``np.take_along_axis``."""
    if axis is None:
        return take_along_axis(np.ravel(arr), indices, 0)
    return _along(arr, indices, axis)


def _check_integers(indices):
    if indices.dtype.kind != "i" and indices.dtype.kind != "u":
        raise IndexError("`indices` must be an integer array")


def _along(arr, indices, axis: known):
    _check_integers(indices)
    if arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    elif arr.ndim == 1:
        axis_of(axis, 1)
        return arr[indices]
    else:
        rows, places = np.swapaxes(arr, axis, -1), np.swapaxes(indices, axis, -1)
        return np.swapaxes(rows[_rows(rows.shape, places, 0)], axis, -1).copy()


def _rows(shape, places, axis: known):
    """Every index of the axes from ``axis`` on but the last, for which there are ``places``."""
    if axis == places.ndim - 1:
        return (places,)
    count = places.ndim - 1 - axis
    return (np.arange(shape[axis]).reshape((shape[axis],) + (1,) * count),) + _rows(shape, places, axis + 1)


def put_along_axis(arr, indices, values, axis: known):
    """``np.put_along_axis``."""
    if axis is None:
        _put(arr, np.ravel(indices), np.ravel(values), "raise")
    elif indices.dtype.kind != "i" and indices.dtype.kind != "u":
        _check_integers(indices)
    elif arr.ndim != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    elif arr.ndim == 1:
        axis_of(axis, 1)
        arr[indices] = values
    else:
        rows, places = np.swapaxes(arr, axis, -1), np.swapaxes(indices, axis, -1)
        rows[_rows(rows.shape, places, 0)] = _swapped(values, axis)


def _swapped(values, axis: known):
    if isinstance(values, np.ndarray):
        if values.ndim > 1:
            return np.swapaxes(values, axis, -1)
    return values


def put(a, ind, v, mode: known = "raise"):
    """``np.put``."""
    _put(a, np.ravel(_indices(ind)), np.ravel(v), mode)


def _put(a, places, values, mode: known):
    raise_if(a.size == 0 and len(places) > 0, "IndexError", "cannot replace elements of an empty array")
    if len(values) > 0:
        for i in range(len(places)):
            at = _position(np.int64(places[i]), a.size, mode)
            put_at(a, at, values[i % len(values)])


def _position(place, size, mode: known):
    if mode == "raise":
        raise_if(
            place < -size or place >= size,
            "IndexError",
            "index {0} is out of bounds for axis 0 with size {1}",
            place,
            size,
        )
        return place + size if place < 0 else place
    if mode == "wrap":
        return place % size
    return min(max(place, 0), size - 1)


def flat(a):
    """``a.flat`` where it is gone over, or given to others: a view where the elements lie in C order."""
    if c_contiguous(a):
        return readonly(in_order(a).reshape(-1))
    return readonly(a.flatten())


def flat_item(a, index):
    """``a.flat[index]``: an element, or a copy."""
    if isinstance(index, (int, np.integer)):
        raise_if(
            index < -a.size or index >= a.size, "IndexError", "index {0} is out of bounds for size {1}", index, a.size
        )
        place = index + a.size if index < 0 else index
        if a.ndim > 1 and c_contiguous(a):
            return in_order(a).reshape(-1)[place]
        return at_flat(a, place)
    return np.copy(a.ravel()[index])


def set_flat_item(a, index, value):
    """``a.flat[index] = value``; values are taken again from the first on."""
    if isinstance(index, (int, np.integer)):
        raise_if(
            index < -a.size or index >= a.size, "IndexError", "index {0} is out of bounds for size {1}", index, a.size
        )
        put_at(a, index + a.size if index < 0 else index, value)
    else:
        places, values = np.arange(a.size)[index], np.ravel(value)
        for i in range(len(places)):
            put_at(a, places[i], values[i % len(values)])


def set_flat(a, value):
    """``a.flat = value``."""
    set_flat_item(a, slice(None), value)


def put_at(a, at, value):
    """Store to element ``at`` in C order."""
    if a.ndim == 1:
        a[at] = value
    elif a.ndim == 0:
        a[()] = value
    else:
        inner = a.size // len(a)
        put_at(a[at // inner], at % inner, value)


# Truth ----------------------------------------------------------------------------------------------------------------


def _truth(a):
    """Whether each element is true."""
    array = _array(a)
    if array.dtype.kind == "b":
        return array
    return array != 0


def nonzero(a):
    """``np.nonzero``, and ``np.where`` of a condition alone."""
    if np.ndim(a) == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context "
            "of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        )
    else:
        return _true_places(_truth(a))


def _true_places(mask):
    """The indices of true elements; of several axes columns of one array, as NumPy has them."""
    if mask.ndim == 1:
        return nonzero_places(mask)
    return find_places(mask, _columns(np.empty((how_many(mask), mask.ndim), np.int64), mask.shape, 0))


def _columns(a, shape, first):
    if len(shape) == 0:
        return ()
    return (a[:, first],) + _columns(a, shape[1:], first + 1)


def flatnonzero(a):
    """``np.flatnonzero``."""
    return nonzero_places(_truth(np.ravel(a)))[0]


def argwhere(a):
    """``np.argwhere``."""
    if np.ndim(a) == 0:
        return np.empty((1 if a else 0, 0), np.int64)
    else:
        mask = _truth(a)
        found = np.empty((mask.ndim, how_many(mask)), np.int64)
        find_places(mask, _rows_of(found, mask.shape, 0))
        return found.T


def _rows_of(a, shape, first):
    if len(shape) == 0:
        return ()
    return (a[first],) + _rows_of(a, shape[1:], first + 1)


def compress(condition, a, axis: known = None, out=None):
    """``np.compress``."""
    if np.ndim(condition) != 1:
        raise ValueError("condition must be a 1-d array")
    else:
        return take(a, flatnonzero(condition), axis, out)


def compress_array(self, condition, axis: known = None, out=None):
    """``a.compress``."""
    return compress(condition, self, axis, out)


def extract(condition, arr):
    """``np.extract``."""
    return np.ravel(arr)[flatnonzero(condition)]


def place(arr, mask, vals):
    """``np.place``."""
    truth, values = _truth(mask), np.ravel(vals)
    raise_if(truth.size != arr.size, "ValueError", "place: mask and data must be the same size")
    if len(values) == 0:
        raise_if(np.any(truth), "ValueError", "Cannot insert from an empty array!")
    else:
        if isinstance(vals, np.ndarray):
            check_cast(values.dtype, arr.dtype, "safe")
        _put_in_turn(arr, np.reshape(truth, arr.shape), values, 0, False)


def _put_in_turn(a, mask, values, at, passes: known):
    """Stores the next value where the mask is true; with ``passes`` every element takes one. Where it ended."""
    for i in range(len(mask)):
        if mask.ndim == 1:
            if mask[i]:
                a[i] = values[at]
            if passes or mask[i]:
                at += 1
                if at == len(values):
                    at = 0
        else:
            at = _put_in_turn(a[i], mask[i], values, at, passes)
    return at


def putmask(a, mask, values):
    """``np.putmask``."""
    truth, items = _truth(mask), np.ravel(values)
    raise_if(truth.size != a.size, "ValueError", "putmask: mask and data must be the same size")
    if isinstance(values, np.ndarray):
        check_cast(items.dtype, a.dtype, "safe")
    if len(items) > 0:
        _put_in_turn(a, np.reshape(truth, a.shape), items, 0, True)


# Several arrays -------------------------------------------------------------------------------------------------------


def choose(a, choices, out=None, mode: known = "raise"):
    """``np.choose``."""
    places = _indices(a)
    count = len(choices)
    if mode == "raise":
        raise_if(np.any(places < 0) or np.any(places >= count), "ValueError", "invalid entry in choice array")
    return _given(_in_c_order(_chosen(_wrapped(places, count, mode), choices)), out)


def choose_array(self, choices, out=None, mode: known = "raise"):
    """``a.choose``."""
    return choose(self, choices, out, mode)


def _in_c_order(a):
    """Of several arrays NumPy makes one in C order."""
    if isinstance(a, np.ndarray):
        return in_c_order(a)
    return a


def _selected(a):
    """The same, where a number becomes an array, too."""
    return _in_c_order(np.asarray(a))


def _chosen(places, choices):
    if isinstance(choices, tuple):
        return _chosen_among(places, choices, 0)
    result = np.where(places == 0, choices[0], choices[len(choices) - 1])
    for k in range(1, len(choices)):
        result = np.where(places == k, choices[k], result)
    return result


def _chosen_among(places, choices, first):
    if len(choices) == 1:
        return np.where(places == first, choices[0], choices[0])
    return np.where(places == first, choices[0], _chosen_among(places, choices[1:], first + 1))


def select(condlist, choicelist, default=0):
    """``np.select``."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    elif isinstance(condlist, tuple) and isinstance(choicelist, tuple):
        return _selected(_selected_among(condlist, choicelist, default))
    else:
        last = len(condlist) - 1
        result = np.where(condlist[last], choicelist[last], default)
        for k in range(last):
            result = np.where(condlist[last - 1 - k], choicelist[last - 1 - k], result)
        return _selected(result)


def _selected_among(conditions, choices, default):
    if len(conditions) == 0:
        return default
    return np.where(conditions[0], choices[0], _selected_among(conditions[1:], choices[1:], default))


def piecewise(x, condlist, funclist, *args):
    """``np.piecewise``: numbers, and functions of the elements for which a condition holds."""
    a = np.asarray(x)
    if isinstance(condlist, (bool, np.bool_)):
        return piecewise(a, (condlist,), funclist, *args)
    elif isinstance(condlist, np.ndarray) and a.ndim > 0 and condlist.ndim < 2:
        return piecewise(a, (condlist,), funclist, *args)
    else:
        count = len(condlist)
        if count != len(funclist) and count != len(funclist) - 1:
            raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
        out = np.zeros_like(a)
        _put_pieces(out, a, np.ones(a.shape, np.bool_), condlist, funclist, args)
        return out


def _put_pieces(out, a, rest, conditions, pieces, args):
    """The pieces, one after the other; the last one is for ``rest`` where the conditions are one less."""
    if len(pieces) > 0:
        if len(conditions) == 0:
            _put_piece(out, a, rest, pieces[0], args)
        else:
            where = np.asarray(conditions[0], np.bool_)
            _put_piece(out, a, where, pieces[0], args)
            left = np.logical_and(rest, np.logical_not(where))
            _put_pieces(out, a, left, conditions[1:], pieces[1:], args)


def _put_piece(out, a, where, piece, args):
    if callable(piece):
        values = a[where]
        if values.size > 0:
            out[where] = piece(values, *args)
    else:
        out[where] = piece


def ix_(*args):
    """``np.ix_``."""
    return _crossed(args, 0, len(args))


def _crossed(parts, axis, count: known):
    if len(parts) == 0:
        return ()
    return (_cross(_array(parts[0]), axis, count),) + _crossed(parts[1:], axis + 1, count)


def _cross(part, axis, count: known):
    if part.ndim != 1:
        raise ValueError("Cross index must be 1 dimensional")
    elif part.dtype.kind == "b":
        return _cross(flatnonzero(part), axis, count)
    else:
        return moved_axes(part.reshape((len(part),) + (1,) * (count - 1)), (0,), (axis,))


# Ufuncs ---------------------------------------------------------------------------------------------------------------


def at(function, a, indices, b):
    """``ufunc.at`` of a ufunc of two numbers."""
    if isinstance(indices, tuple):
        _at_index(function, a, arrays_of(indices), b)
    else:
        _at_index(function, a, arrays_of((indices,)), b)


def _at_index(function, a, index, b):
    if holds_arrays(index):
        at_each(function, a, index, b)
    else:
        a[index] = function(a[index], b)
