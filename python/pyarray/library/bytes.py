"""Making bytes."""

import operator
from numbers import Integral

import numpy as np

from ._intrinsics import (
    bytes_of_array,
    bytes_of_bytearray,
    bytes_of_code,
    bytes_of_codes,
    bytes_of_zeros,
    given,
    in_c_order,
    missing,
    shown,
)


def make(source=missing, encoding=missing, errors="strict"):
    """``bytes(...)``: of nothing, a number of zeros, text and its encoding, bytes, or numbers."""
    if not given(source):
        return b""
    if isinstance(source, str):
        if given(encoding):
            return source.encode(encoding, errors)
        raise TypeError("string argument without an encoding")
    if isinstance(source, bytes):
        return source
    if isinstance(source, bytearray):
        return bytes_of_bytearray(source)
    if isinstance(source, int):
        return bytes_of_zeros(source)
    if isinstance(source, np.ndarray):
        return bytes_of_array(in_c_order(source))
    if isinstance(source, memoryview):
        return of_memoryview(source)
    return bytes_of_codes(codes_of(source))


def codes_of(source):
    """The numbers that are gone over, as a list of ints also where there are none."""
    codes = [0][:0]
    for code in source:
        if isinstance(code, Integral):
            codes.append(np.int64(operator.index(code)))
        else:
            raise TypeError("the object cannot be interpreted as an integer")
    return codes


def of_memoryview(view):
    """The bytes that a memoryview shows, where a method takes bytes."""
    return bytes_of_array(in_c_order(shown(view)))


def of_code(code):
    """The byte of a number, where a method looks for one."""
    return bytes_of_code(operator.index(code))


def join_buffers(self, iterable):
    """``self.join`` of bytes, bytearrays and memoryviews."""
    return self.join([make(item) for item in iterable])
