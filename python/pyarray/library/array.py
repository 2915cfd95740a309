"""Methods of arrays."""

import numpy as np

from ._intrinsics import bytes_of_array, in_c_order, literal
from .numpy.texts import converted
from .numpy.time_texts import parsed
from .numpy.times import as_text
from .numpy.times import converted as converted_times
from .records import item


def astype(self, dtype, order="K", casting="unsafe", subok=True, copy: literal = True):
    """``a.astype(dtype)``."""
    if not copy:
        return np.asarray(self, dtype, order=order)
    if order == "K" and self.dtype == np.dtype(dtype):
        return np.copy(self)
    kind, wanted = self.dtype.kind, np.dtype(dtype).kind
    if kind == "M" and (wanted == "U" or wanted == "S"):
        return as_text(self, dtype)
    if wanted == "M" and (kind == "U" or kind == "S"):
        return parsed(self, dtype)
    if kind != wanted and (kind == "U" or kind == "S" or wanted == "U" or wanted == "S"):
        return converted(self, dtype)
    if (kind == "M" or kind == "m" or wanted == "M" or wanted == "m") and self.dtype != np.dtype(dtype):
        return converted_times(self, dtype, order)
    out = np.empty_like(self, dtype, order=order)
    out[...] = self
    return out


def contains(self, value):
    """``value in a``: whether an element equals it."""
    return np.any(self == value)


def is_same(a, b):
    """``a is b``: the same memory in the same way, since views of all of an array have no object of their own."""
    return a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.strides == b.strides


def tobytes(self, order="C"):
    """The bytes of the elements, in C order or in that of Fortran."""
    if order == "F" or (order == "A" and is_fortran(self)):
        return bytes_of_array(in_c_order(self.T))
    return bytes_of_array(in_c_order(self))


def is_fortran(self):
    """Whether the elements lie in the order of Fortran, and not in that of C."""
    step, other, fortran, plain = self.itemsize, self.itemsize, True, True
    for axis in range(self.ndim):
        last = self.ndim - 1 - axis
        fortran = fortran and (self.shape[axis] == 1 or self.strides[axis] == step)
        plain = plain and (self.shape[last] == 1 or self.strides[last] == other)
        step *= self.shape[axis]
        other *= self.shape[last]
    return fortran and not plain


def tolist(self):
    """The elements as a list; of several dimensions, a list of such; without any, the element."""
    if self.ndim == 0:
        return element(self[()])
    if self.ndim > 1:
        return [tolist(row) for row in self]
    return [element(value) for value in self]


def element(value):
    """A record as a tuple, all else as it is."""
    if isinstance(value, np.void):
        return item(value)
    return value


def item_at(self, *index):
    """``a.item(...)`` with a position, or an index for each dimension."""
    return at_position(self, index)


def record_at(self, *index):
    """The same of an array of records."""
    return item(at_position(self, index))


def at_position(self, index):
    """The element that the arguments of ``item`` name."""
    if len(index) == 1:
        if isinstance(index[0], tuple):
            return at_indices(self, index[0])
        if self.ndim == 1:
            return self[index[0]]
        at = index[0]
        if at < 0:
            at += self.size
        if at < 0 or at >= self.size:
            raise IndexError(f"index {index[0]} is out of bounds for size {self.size}")
        return at_flat(self, at)
    return at_indices(self, index)


def at_indices(self, index):
    """``self[index]``, of as many indices as there are dimensions."""
    if len(index) == self.ndim:
        return self[index]
    if len(index) == 0 and self.size == 1:
        return at_flat(self, 0)
    raise ValueError("incorrect number of indices for array")


def at_flat(self, at):
    """The element number ``at`` in C order."""
    if self.ndim == 1:
        return self[at]
    inner = self.size // len(self)
    return at_flat(self[at // inner], at % inner)
