"""``np.array`` and ``np.asarray``: arrays of what other containers hold."""

import numpy as np

from .._intrinsics import (
    c_contiguous,
    dtype_of_items,
    f_contiguous,
    fortran_type,
    holds_texts,
    in_order,
    known,
    literal,
)


def array(object, dtype=None, copy: known = True, order="K", subok=False, ndmin: literal = 0):
    """A new array of the items of lists, tuples, ranges and deques, of arrays in these, of an array, or of a number."""
    if isinstance(object, np.ndarray):
        if copy:
            return _at_least(_in_order(_copied(object, dtype, order), order), ndmin)
        return _at_least(_in_order(asarray(object, dtype), order), ndmin)
    if dtype is None:
        kind = dtype_of_items(object)
        if np.dtype(kind).kind == "V":
            out = _array_of_tuples(object, kind)
        else:
            out = np.empty(_shape(object), kind)
            _fill(out, object, _shape(object), 0)
    elif np.dtype(dtype).kind == "V":
        out = _array_of_tuples(object, dtype)
    elif np.dtype(dtype).kind == "M" and holds_texts(object):
        return np.array(object, "U64").astype(dtype)  # the longest text of a time has 62 letters
    else:
        out = np.empty(_shape(object), dtype)
        _fill(out, object, _shape(object), 0)
    return _at_least(_in_order(out, order), ndmin)


_NO_COPY = "Unable to avoid copy while creating an array as requested."


def _copied(a, dtype, order):
    if dtype is None:
        if order == "C" or order == "F":
            return a.copy(order=order)
        return np.copy(a)
    return a.astype(dtype)


def _in_order(a, order):
    if order == "C":
        return np.asarray(a, order="C")
    if order == "F":
        return np.asarray(a, order="F")
    return a


def _at_least(a, ndim: literal):
    """The array with axes in front."""
    if a.ndim < ndim:
        return _at_least(a[None], ndim)
    return a


def ndarray(shape, dtype=np.float64, *, order=None):
    """``np.ndarray``, of new memory."""
    return np.empty(shape, dtype, "C" if order is None else order)


def asarray(a, dtype=None, order="K", *, copy: known = None):
    """The same, but an array of this dtype and order is given back as it is, unless a copy is asked for."""
    if copy is not None:
        if copy:
            return array(a, dtype, True, order)
        if not isinstance(a, np.ndarray):
            raise ValueError(_NO_COPY)
        elif dtype is not None and a.dtype != np.dtype(dtype):
            raise ValueError(_NO_COPY)
        else:
            return a
    if isinstance(a, np.ndarray):
        if dtype is None or a.dtype == np.dtype(dtype):
            if order == "C" and a.ndim > 0:
                if c_contiguous(a):
                    return in_order(a)
                return a.copy()
            if order == "F" and a.ndim > 0:
                if f_contiguous(a):
                    return in_order(a.T).T
                return a.T.copy().T
            return a
        return asarray(a.astype(dtype), None, order)
    return array(a, dtype, True, order)


def asarray_chkfinite(a, dtype=None, order=None):
    """``np.asarray_chkfinite``."""
    found = asarray(a, dtype, "K" if order is None else order)
    if not np.all(np.isfinite(found)):
        raise ValueError("array must not contain infs or NaNs")
    return found


def as_operand(object):
    """A list or tuple beside an array."""
    return np.asarray(object)


def divmod(x1, x2, out1=None, out2=None):
    """``divmod`` and ``np.divmod`` of arrays. Outputs may be inputs: nothing is stored before all is read."""
    if out1 is None and out2 is None:
        return np.floor_divide(x1, x2), np.remainder(x1, x2)
    rest = np.remainder(x1, x2)
    whole = np.floor_divide(x1, x2) if out1 is None else np.floor_divide(x1, x2, out1)
    return whole, rest if out2 is None else np.positive(rest, out2)


def pow(base, exp):
    """``pow`` of arrays."""
    return base**exp


def _shape(object):
    """The shape of the array; where a sequence is empty, those in it are, too."""
    if isinstance(object, np.ndarray):
        return object.shape
    if np.ndim(object) == 0:
        return ()
    if len(object) == 0:
        return (0,) * np.ndim(object)
    return (len(object), *_shape(object[0]))


# Of records: a record, or a tuple, which has the values of its fields, is one element. A list that the call itself
# writes is a tuple here, too, which is told by what |one|, a record, has as its first field ------------------------


def _array_of_tuples(object, dtype):
    one = np.zeros(1, dtype)[0]
    out = np.zeros(_shape_of_records(object, one), dtype)
    _fill_with_records(out, object, one, out.shape, 0)
    return out


def _shape_of_records(object, one):
    if isinstance(object, np.void):
        return ()
    if isinstance(object, np.ndarray):
        return object.shape
    if isinstance(object, tuple):
        if isinstance(object[0], (tuple, list, np.ndarray, np.void)):
            if isinstance(one[0], (np.ndarray, np.void)):
                return ()
            else:
                return (len(object), *_shape_of_records(object[0], one))
        else:
            return ()
    return (len(object),)


def _fill_with_records(out, object, one, shape, depth):
    if isinstance(object, np.void):
        out[()] = object
    elif isinstance(object, np.ndarray):
        out[...] = object
    elif isinstance(object, tuple):
        if isinstance(object[0], (tuple, list, np.ndarray, np.void)):
            if isinstance(one[0], (np.ndarray, np.void)):
                out[()] = object
            else:
                _fill_with_each(out, object, one, shape, depth)
        else:
            out[()] = object
    else:
        _fill_with_each(out, object, one, shape, depth)


def _fill_with_each(out, objects, one, shape, depth):
    if len(objects) != len(out):
        raise ValueError(_inhomogeneous(shape, depth))
    i = 0
    for item in objects:
        _fill_with_records(out[i, ...], item, one, shape, depth + 1)
        i += 1


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
    if isinstance(object, tuple):
        _fill_by_items(out, object, shape, depth)
    else:
        _fill_by_length(out, object, shape, depth)


def _fill_by_items(out, items, shape, depth):
    """The same of a tuple; how many items tuples in it have is known."""
    i = 0
    for item in items:
        if isinstance(item, tuple) and isinstance(items[0], tuple):
            if len(item) != len(items[0]):
                raise ValueError(_inhomogeneous(shape, depth + 1))
            else:
                _fill_by_items(out[i], item, shape, depth + 1)
        elif np.ndim(item) > 0:
            _fill(out[i], item, shape, depth + 1)
        else:
            out[i] = item
        i += 1


def _fill_by_length(out, object, shape, depth):
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


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None):
    """``np.empty_like``, of what is no array, of records, or with an order or a shape."""
    if not isinstance(prototype, np.ndarray):
        return empty_like(np.asarray(prototype), dtype, order, subok, shape)
    if dtype is None:
        return empty_like(prototype, prototype.dtype, order, subok, shape)
    if shape is None:
        return empty_like(prototype, dtype, order, subok, prototype.shape)
    if order == "F" or (order != "C" and fortran_type(prototype)):
        return np.empty(shape, dtype, order="F")
    return np.empty(shape, dtype)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    """The same, of zeros."""
    out = empty_like(a, dtype, order, subok, shape)
    if out.dtype.kind == "V":
        return np.zeros(out.shape, out.dtype)
    out[...] = 0
    return out


def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    """The same, of ones."""
    out = empty_like(a, dtype, order, subok, shape)
    out[...] = 1
    return out


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    """The same, of one value, or of what is broadcast."""
    out = empty_like(a, dtype, order, subok, shape)
    out[...] = fill_value
    return out


def full(shape, fill_value: known, dtype=None, order="C"):
    """``np.full`` of an array, a list, a record or text."""
    if isinstance(fill_value, (str, bytes)):
        if dtype is None:
            return full(shape, fill_value, np.array(fill_value).dtype, order)
        text = np.empty(shape, dtype, order)
        text[...] = fill_value
        return text
    value = np.asarray(fill_value)
    if dtype is None:
        return full(shape, value, value.dtype, order)
    out = np.empty(shape, dtype, order)
    out[...] = value
    return out


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
