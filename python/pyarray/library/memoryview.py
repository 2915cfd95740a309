"""Operations and methods of memoryviews, which are arrays whose items are read as Python's numbers."""

import numpy as np

from ._intrinsics import (
    bytes_of_array,
    exported,
    given,
    in_c_order,
    missing,
    python_number,
    readonly,
    reinterpreted,
    shown,
    viewed,
)


def make(source):
    """``memoryview(...)``, of bytes, a bytearray, an array, or a memoryview."""
    if isinstance(source, memoryview):
        return source
    if isinstance(source, (bytes, bytearray)):
        return viewed(exported(source), "B")
    if isinstance(source, np.ndarray):
        return viewed(source, "")
    raise TypeError("memoryview: a bytes-like object is required")


def place(length, index):
    """Where item ``index`` is; IndexError where there is none."""
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError("index out of bounds on dimension 1")
    return index


def item(self, index):
    """``self[index]``."""
    a = shown(self)
    return python_number(a[place(len(a), index)])


def item_at(self, index):
    """``self[i, j]``."""
    a = shown(self)
    return python_number(a[index])


def sliced(self, part):
    """``self[part]``, of a slice."""
    return viewed(shown(self)[part], self)


def fitting(self, value):
    """``value``, an integer that the view's items can be."""
    info = np.iinfo(shown(self).dtype)
    if value < info.min or value > info.max:
        raise ValueError(f"memoryview: invalid value for format '{self.format}'")
    return value


def set_integer(self, index, value):
    """``self[index] = value``, of integers."""
    a = shown(self)
    at = place(len(a), index)
    a[at] = fitting(self, value)


def set_integer_at(self, index, value):
    """``self[i, j] = value``, of integers."""
    a = shown(self)
    a[index] = fitting(self, value)


def set_other(self, index, value):
    """``self[index] = value``, of floats and bools."""
    a = shown(self)
    a[place(len(a), index)] = value


def set_other_at(self, index, value):
    """``self[i, j] = value``, of floats and bools."""
    a = shown(self)
    a[index] = value


def set_slice(self, part, value):
    """``self[part] = value``, of a slice."""
    target, given_view = shown(self)[part], make(value)
    source = shown(given_view)
    if self.format != given_view.format or source.ndim != 1 or len(target) != len(source):
        raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
    target[:] = source


def equal(a, b):
    """``a == b``, of which one may be any buffer."""
    return same(shown(make(a)), shown(make(b)))


def equal_memory(self, other):
    """``self == other`` of a bytearray, which compares bytes where those of the other lie in one piece."""
    if c_contiguous(other):
        return self == tobytes(other)
    return equal(self, other)


def same(a, b):
    """Whether two arrays have equal shapes and items."""
    if a.ndim != b.ndim or a.shape != b.shape:
        return False
    for k in range(len(a)):
        if a.ndim == 1:
            if python_number(a[k]) != python_number(b[k]):
                return False
        elif not same(a[k], b[k]):
            return False
    return True


def contains(self, value):
    """``value in self``."""
    for own in self:
        if own == value:
            return True
    return False


def truth(self):
    """Whether there is an item."""
    return len(self) != 0


def joined(a, b):
    """``a + b`` of bytes or a bytearray and a memoryview."""
    return a + tobytes(b)


def extended(self, other):
    """``self += other``, of a bytearray."""
    self += tobytes(other)
    return self


def contiguous(self, order):
    """Whether the items lie in memory one behind the other, in C order, or in that of Fortran."""
    shape, strides = self.shape, self.strides
    step = self.itemsize
    for k in range(len(shape)):
        axis = len(shape) - 1 - k if order == 0 else k
        if shape[axis] == 0:
            return True
    for k in range(len(shape)):
        axis = len(shape) - 1 - k if order == 0 else k
        if shape[axis] != 1 and strides[axis] != step:
            return False
        step *= shape[axis]
    return True


def c_contiguous(self):
    """Whether the items lie in C order, without gaps."""
    return contiguous(self, 0)


def f_contiguous(self):
    """Whether the items lie in Fortran's order, without gaps."""
    return contiguous(self, 1)


def any_contiguous(self):
    """Whether one of these holds."""
    return contiguous(self, 0) or contiguous(self, 1)


def tobytes(self):
    """The bytes of the items, in C order."""
    return bytes_of_array(in_c_order(shown(self)))


def listed(a):
    """The items of an array as a list, or lists in lists."""
    if a.ndim == 1:
        return [python_number(x) for x in a]
    return [listed(part) for part in a]


def tolist(self):
    """The items as a list."""
    return listed(shown(self))


def hex(self, sep=missing, bytes_per_sep=1):
    """Two hexadecimal digits for each byte."""
    if given(sep):
        return tobytes(self).hex(sep, bytes_per_sep)
    return tobytes(self).hex()


def toreadonly(self):
    """A memoryview of the same memory that cannot be stored to."""
    return viewed(readonly(shown(self)), self)


def cast(self, format):
    """The same memory as items of another format; one of the two is of bytes."""
    if not c_contiguous(self):
        raise TypeError("memoryview: casts are restricted to C-contiguous views")
    if len(format) != 1:
        raise ValueError("memoryview: destination format must be a native single character format")
    if self.format not in "Bb" and format not in "Bb":
        raise TypeError("memoryview: cannot cast between two non-byte formats")
    a = shown(self)
    width = reinterpreted(a, 0, format).itemsize
    if self.nbytes % width != 0:
        raise TypeError("memoryview: length is not a multiple of itemsize")
    return viewed(reinterpreted(a, self.nbytes // width, format), format)


def frombuffer(buffer, dtype=np.float64, count=-1, offset=0):
    """``np.frombuffer``: the memory of a buffer as an array."""
    view = make(buffer)
    if not c_contiguous(view):
        raise BufferError("memoryview: underlying buffer is not C-contiguous")
    memory = reinterpreted(shown(view), view.nbytes, "B")
    width = reinterpreted(memory, 0, dtype).itemsize
    if offset < 0 or offset > len(memory):
        raise ValueError(f"offset must be non-negative and no greater than buffer length ({len(memory)})")
    room = len(memory) - offset
    if count < 0:
        if room % width != 0:
            raise ValueError("buffer size must be a multiple of element size")
        count = room // width
    elif room < count * width:
        raise ValueError("buffer is smaller than requested size")
    return reinterpreted(memory[offset:], count, dtype)
