"""Making bytes."""

import operator

from ._intrinsics import bytes_of_bytearray, bytes_of_codes, bytes_of_zeros, given, missing


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
    return bytes_of_codes([operator.index(code) for code in source])
