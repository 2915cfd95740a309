"""``np.array`` and ``np.asarray``: arrays of what other containers hold."""

import numpy as np

from .._intrinsics import dtype_of_items


def array(object, dtype=None):
    """A new array of the items of lists, tuples, ranges and deques, of arrays in these, of an array, or of a number."""
    if isinstance(object, np.ndarray):
        if dtype is None:
            return np.copy(object)
        return object.astype(dtype)
    kind = dtype_of_items(object)
    if dtype is None:
        out = np.empty(_shape(object), kind)
    else:
        out = np.empty(_shape(object), dtype)
    _fill(out, object, _shape(object), 0)
    return out


def asarray(a, dtype=None):
    """The same, but an array of this dtype is given back as it is."""
    if isinstance(a, np.ndarray):
        if dtype is None or a.dtype == dtype:
            return a
    return array(a, dtype)


def _shape(object):
    """The shape of the array; where a sequence is empty, those in it are, too."""
    if isinstance(object, np.ndarray):
        return object.shape
    if np.ndim(object) == 0:
        return ()
    if len(object) == 0:
        return (0,) * np.ndim(object)
    return (len(object), *_shape(object[0]))


def _fill(out, object, shape, depth):
    """Store the items of ``object`` to ``out``, which is within ``depth`` others in an array of the shape ``shape``."""
    if out.ndim == 0:
        out[()] = object
        return
    if isinstance(object, np.ndarray):
        if object.shape != out.shape:
            raise ValueError(_inhomogeneous(shape, depth))
        out[:] = object
        return
    if len(object) != len(out):
        raise ValueError(_inhomogeneous(shape, depth))
    i = 0
    for item in object:
        if out.ndim == 1:
            out[i] = item
        else:
            _fill(out[i], item, shape, depth + 1)
        i += 1


def _inhomogeneous(shape, depth):
    """What NumPy says of sequences of different lengths."""
    extents = ", ".join([str(shape[axis]) for axis in range(depth)])
    if depth == 1:
        extents += ","
    return (
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
        f"{depth} dimensions. The detected shape was ({extents}) + inhomogeneous part."
    )


def empty_like(prototype, dtype):
    """An array of the shape of one of records, or with a dtype of records."""
    return np.empty(prototype.shape, dtype)


def zeros_like(a, dtype):
    """The same, of zeros."""
    return np.zeros(a.shape, dtype)


def ones_like(a, dtype):
    """The same, of ones."""
    return np.ones(a.shape, dtype)


def full_like(a, fill_value, dtype):
    """The same, of one value."""
    return np.full(a.shape, fill_value, dtype)


def set_items(a, index, items):
    """``a[index] = items``, of what is no array and has items: a tuple, a list, a range."""
    view = a[index]
    if isinstance(items, tuple) and np.ndim(items) == 1 and view.ndim == 1:
        if len(items) != 1 and len(items) != len(view):
            raise ValueError(f"could not broadcast input array from shape ({len(items)},) into shape ({len(view)},)")
        _set_each(view, items)
    else:
        view[:] = np.array(items, a.dtype)


def set_items_of_kernel(a, index, items):
    """The same of a tuple on a GPU, where no array and no text is made."""
    view = a[index]
    if len(items) != 1 and len(items) != len(view):
        raise ValueError("could not broadcast the items of a tuple into the shape of the view")
    _set_each(view, items)


def _set_each(view, items):
    if len(items) == 1:
        for item in items:
            view[:] = item
        return
    i = 0
    for item in items:
        view[i] = item
        i += 1
