"""Stores of whole arrays where the elements lie as bytes, and comparisons of records."""

import numpy as np

from ._intrinsics import record_fields
from .numpy.elements import check_cast


def store(target, source):
    """``target[:] = source``; the two may share memory."""
    first = target.ndim - source.ndim
    for axis in range(source.ndim):
        if source.shape[axis] != 1 and source.shape[axis] != target.shape[first + axis]:
            raise ValueError(f"could not broadcast input array from shape {source.shape} into shape {target.shape}")
    put(target, source.copy())


def put(target, source):
    """The same, of what was found to fit."""
    for k in range(len(target)):
        if source.ndim < target.ndim:
            put(target[k], source)
        elif target.ndim == 1:
            target[k] = source[0 if len(source) == 1 else k]
        else:
            put(target[k], source[0 if len(source) == 1 else k])


def set_items(a, index, source):
    """``a[index] = source``."""
    store(a[index], source)


def equal(a, b):
    """``a == b``, of two records with fields of the same names."""
    alike = True
    for x, y in zip(record_fields(a), record_fields(b)):
        alike = alike and equal_values(x, y)
    return alike


def equal_values(x, y):
    """Whether two fields, or their elements, are equal."""
    if isinstance(x, np.ndarray):
        if x.shape != y.shape:
            return False
        for k in range(len(x)):
            if not equal_values(x[k], y[k]):
                return False
        return True
    return x == y


def equal_items(a, b):
    """``a == b``, of an array of records and another one or one record."""
    out = np.empty(a.shape, np.bool_)
    check_shapes(a, b)
    compare(out, a, b, True)
    return out


def different_items(a, b):
    """``a != b``, of the same."""
    out = np.empty(a.shape, np.bool_)
    check_shapes(a, b)
    compare(out, a, b, False)
    return out


def check_shapes(a, b):
    """Arrays that are compared have one shape."""
    if isinstance(b, np.ndarray):
        if a.ndim != b.ndim or a.shape != b.shape:
            raise ValueError(f"operands could not be broadcast together with shapes {a.shape} {b.shape} ")


def compare(out, a, b, wanted):
    """Whether items are equal, or not, as ``wanted`` says."""
    for k in range(len(a)):
        if isinstance(b, np.ndarray):
            if a.ndim == 1:
                out[k] = equal(a[k], b[k]) == wanted
            else:
                compare(out[k], a[k], b[k], wanted)
        elif a.ndim == 1:
            out[k] = equal(a[k], b) == wanted
        else:
            compare(out[k], a[k], b, wanted)


def truth(record):
    """Whether a field is true, as ``bool`` of NumPy's records."""
    found = False
    for value in record_fields(record):
        found = found or is_true(value)
    return found


def is_true(value):
    """The same of a field."""
    if isinstance(value, np.ndarray):
        for item in value:
            if is_true(item):
                return True
        return False
    return bool(value)


def item(record):
    """The fields as a tuple, those that are records too."""
    return plain(record_fields(record))


def plain(fields):
    """A tuple with tuples in the place of records."""
    if len(fields) == 0:
        return ()
    if isinstance(fields[0], np.void):
        return (item(fields[0]),) + plain(fields[1:])
    return (fields[0],) + plain(fields[1:])


# Numbers at any address, changed in place -----------------------------------------------------------------------------


def _stored(a, values):
    check_cast(values.dtype, np.promote_types(a.dtype, a.dtype), "same_kind")
    store(a, values)
    return a


def add_in_place(a, b):
    """``a += b``."""
    return _stored(a, a + b)


def subtract_in_place(a, b):
    """``a -= b``."""
    return _stored(a, a - b)


def multiply_in_place(a, b):
    """``a *= b``."""
    return _stored(a, a * b)


def divide_in_place(a, b):
    """``a /= b``."""
    return _stored(a, a / b)


def floor_divide_in_place(a, b):
    """``a //= b``."""
    return _stored(a, a // b)


def remainder_in_place(a, b):
    """``a %= b``."""
    return _stored(a, a % b)


def power_in_place(a, b):
    """``a **= b``."""
    return _stored(a, a**b)


def left_shift_in_place(a, b):
    """``a <<= b``."""
    return _stored(a, a << b)


def right_shift_in_place(a, b):
    """``a >>= b``."""
    return _stored(a, a >> b)


def and_in_place(a, b):
    """``a &= b``."""
    return _stored(a, a & b)


def or_in_place(a, b):
    """``a |= b``."""
    return _stored(a, a | b)


def xor_in_place(a, b):
    """``a ^= b``."""
    return _stored(a, a ^ b)
