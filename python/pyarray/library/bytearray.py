"""Operations and methods of bytearrays. Those that do not change one and are not here are the methods of its bytes."""

import numpy as np

from ._intrinsics import (
    bytearray_delete,
    bytearray_insert,
    bytearray_item,
    bytearray_of_bytes,
    bytearray_put,
    bytearray_splice,
    bytes_of_bytearray,
    bytes_of_codes,
    given,
    missing,
)
from .bytes import codes_of
from .bytes import make as bytes_of


def make(source=missing, encoding=missing, errors="strict"):
    """``bytearray(...)``, of what ``bytes(...)`` takes."""
    if given(encoding):
        return bytearray_of_bytes(bytes_of(source, encoding, errors))
    if given(source):
        return bytearray_of_bytes(content_of(source))
    return bytearray_of_bytes(b"")


def content_of(source):
    """The bytes that ``source`` stands for: bytes(source), but for the message about numbers that are none."""
    if isinstance(source, (str, bytes, bytearray, int, memoryview, np.ndarray)):
        return bytes_of(source)
    codes = codes_of(source)
    for code in codes:
        if code < 0 or code > 255:
            raise ValueError("byte must be in range(0, 256)")
    return bytes_of_codes(codes)


def as_bytes(value):
    """The bytes of a bytearray, or bytes themselves."""
    if isinstance(value, bytearray):
        return bytes_of_bytearray(value)
    return value


def place(self, index, message):
    """Where item ``index`` is; IndexError where there is none."""
    if index < 0:
        index += len(self)
    if index < 0 or index >= len(self):
        raise IndexError(message)
    return index


def item(self, index):
    """``self[index]``."""
    return bytearray_item(self, place(self, index, "bytearray index out of range"))


def sliced(self, part):
    """``self[part]``, of a slice."""
    return bytearray_of_bytes(bytes_of_bytearray(self)[part])


def set_item(self, index, value):
    """``self[index] = value``."""
    if value < 0 or value > 255:
        raise ValueError("byte must be in range(0, 256)")
    bytearray_put(self, place(self, index, "bytearray index out of range"), value)


def set_slice(self, part, value):
    """``self[part] = value``, of a slice."""
    if isinstance(value, (str, int)):
        raise TypeError("can assign only bytes, buffers, or iterables of ints in range(0, 256)")
    new = content_of(value)  # going over what is given may change the length
    start, stop, step = part.indices(len(self))
    if step == 1:
        bytearray_splice(self, start, max(stop - start, 0), new)
        return
    count = len(range(start, stop, step))
    if len(new) == 0:
        bytearray_delete(self, start, count, step)
        return
    if len(new) != count:
        raise ValueError(f"attempt to assign bytes of size {len(new)} to extended slice of size {count}")
    for k in range(count):
        bytearray_put(self, start + k * step, new[k])


def delete_item(self, index):
    """``del self[index]``."""
    bytearray_splice(self, place(self, index, "bytearray index out of range"), 1, b"")


def delete_slice(self, part):
    """``del self[part]``, of a slice."""
    start, stop, step = part.indices(len(self))
    if step == 1:
        bytearray_splice(self, start, max(stop - start, 0), b"")
        return
    bytearray_delete(self, start, len(range(start, stop, step)), step)


def truth(self):
    """Whether there is a byte."""
    return len(self) != 0


def equal(a, b):
    """``a == b``; one of them may be bytes."""
    return as_bytes(a) == as_bytes(b)


def less(a, b):
    """``a < b``; one of them may be bytes."""
    return as_bytes(a) < as_bytes(b)


def contains(self, value):
    """``value in self``, a number or bytes."""
    if isinstance(value, int):
        if value < 0 or value > 255:
            raise ValueError("byte must be in range(0, 256)")
        return value in as_bytes(self)
    return as_bytes(value) in as_bytes(self)


def joined(a, b):
    """``a + b``, of the type of ``a``."""
    if isinstance(a, bytearray):
        return bytearray_of_bytes(bytes_of_bytearray(a) + as_bytes(b))
    return a + as_bytes(b)


def extended(self, other):
    """``self += other``."""
    new = as_bytes(other)
    bytearray_splice(self, len(self), 0, new)
    return self


def repeated(self, count):
    """``self * count``."""
    return bytearray_of_bytes(bytes_of_bytearray(self) * count)


def multiplied(self, count):
    """``self *= count``."""
    bytearray_splice(self, 0, len(self), bytes_of_bytearray(self) * count)
    return self


def append(self, item):
    """Put a byte at the end."""
    bytearray_insert(self, len(self), item)


def clear(self):
    """Drop all bytes."""
    bytearray_splice(self, 0, len(self), b"")


def copy(self):
    """A bytearray with the same bytes."""
    return bytearray_of_bytes(bytes_of_bytearray(self))


def extend(self, iterable):
    """Put all numbers of an iterable at the end."""
    if isinstance(iterable, (str, int)):
        raise TypeError("can't extend bytearray with int or str")
    new = content_of(iterable)  # going over it may change the length
    bytearray_splice(self, len(self), 0, new)


def insert(self, index, item):
    """Put a byte before that at ``index``."""
    bytearray_insert(self, index, item)


def pop(self, index=-1):
    """Remove a byte and return it."""
    if len(self) == 0:
        raise IndexError("pop from empty bytearray")
    at = place(self, index, "pop index out of range")
    code = bytearray_item(self, at)
    bytearray_splice(self, at, 1, b"")
    return code


def remove(self, value):
    """Remove the first byte of that value."""
    if value < 0 or value > 255:
        raise ValueError("byte must be in range(0, 256)")
    for at in range(len(self)):
        if bytearray_item(self, at) == value:
            bytearray_splice(self, at, 1, b"")
            return
    raise ValueError("value not found in bytearray")


def reverse(self):
    """Turn the order of the bytes round."""
    bytearray_splice(self, 0, len(self), bytes_of_bytearray(self)[::-1])


def split(self, sep=None, maxsplit=-1):
    """The parts between separators."""
    text = bytes_of_bytearray(self)
    if sep is None:
        return [bytearray_of_bytes(part) for part in text.split(None, maxsplit)]
    return [bytearray_of_bytes(part) for part in text.split(as_bytes(sep), maxsplit)]


def rsplit(self, sep=None, maxsplit=-1):
    """The same, from the end."""
    text = bytes_of_bytearray(self)
    if sep is None:
        return [bytearray_of_bytes(part) for part in text.rsplit(None, maxsplit)]
    return [bytearray_of_bytes(part) for part in text.rsplit(as_bytes(sep), maxsplit)]


def splitlines(self, keepends=False):
    """The lines."""
    return [bytearray_of_bytes(line) for line in bytes_of_bytearray(self).splitlines(keepends)]


def partition(self, sep):
    """What is before the separator, it, and what is behind."""
    a, b, c = bytes_of_bytearray(self).partition(as_bytes(sep))
    return bytearray_of_bytes(a), bytearray_of_bytes(b), bytearray_of_bytes(c)


def rpartition(self, sep):
    """The same, with the last separator."""
    a, b, c = bytes_of_bytearray(self).rpartition(as_bytes(sep))
    return bytearray_of_bytes(a), bytearray_of_bytes(b), bytearray_of_bytes(c)


def join(self, iterable):
    """The items of an iterable, and this between them."""
    return bytearray_of_bytes(bytes_of_bytearray(self).join([as_bytes(item) for item in iterable]))


def fromhex(string):
    """Of text of two hexadecimal digits for each byte."""
    return bytearray_of_bytes(bytes.fromhex(string))
