"""Bits of bytes as arrays of their own, and numbers written in other bases."""

import numpy as np

from .._intrinsics import fortran_type, known, retyped
from .axes import axis_of, moved_axes

# Arrays ---------------------------------------------------------------------------------------------------------------


def packbits(a, axis: known = None, bitorder="big"):
    """``np.packbits``: whether elements are not 0, eight in a byte."""
    bits = np.asarray(a)
    if bits.dtype.kind != "b" and bits.dtype.kind != "i" and bits.dtype.kind != "u":
        raise TypeError("Expected an input array of integer or boolean data type")
    if bitorder != "big" and bitorder != "little":
        raise ValueError("'order' must be either 'little' or 'big'")
    if axis is None or bits.ndim == 0:
        line = np.ravel(bits)
        out = np.empty((len(line) + 7) >> 3, np.uint8)
        if line.dtype == np.bool_:
            whole = len(line) >> 3
            _pack_eights(retyped(line[: 8 * whole], np.uint64), out, bitorder == "little")
            _pack(line[8 * whole :], out[whole:], bitorder == "little")
        else:
            _pack(line, out, bitorder == "little")
        return out
    else:
        place = axis_of(axis, bits.ndim)
        rows = moved_axes(bits, (place,), (bits.ndim - 1,))
        out = np.empty((*rows.shape[:-1], (rows.shape[-1] + 7) >> 3), np.uint8)
        for index in np.ndindex(rows.shape[:-1]):
            _pack(rows[index], out[index], bitorder == "little")
        return _in_order_of(bits, moved_axes(out, (bits.ndim - 1,), (place,)))


def _in_order_of(a, out):
    """The result as NumPy lays it down."""
    if fortran_type(a):
        return np.asfortranarray(out)
    return np.ascontiguousarray(out)


def _pack_eights(words, out, little):
    """Of eight bytes that are 0 or 1 at a time: a product has all of them side by side in its highest byte."""
    factor = np.uint64(0x0102040810204080) if little else np.uint64(0x8040201008040201)
    for i in range(len(words)):
        out[i] = np.uint8((words[i] * factor) >> np.uint64(56))


def _pack(bits, out, little):
    for i in range(len(bits) >> 3):
        byte = np.uint8(0)
        for k in range(8):
            byte |= np.uint8(bits[8 * i + k] != 0) << np.uint8(k)
        out[i] = byte if little else _reversed(byte)
    if len(bits) & 7:
        byte = np.uint8(0)
        for k in range(len(bits) & 7):
            byte |= np.uint8(bits[(len(bits) & ~7) + k] != 0) << np.uint8(k)
        out[-1] = byte if little else _reversed(byte)


def _reversed(byte):
    """With its first bit last."""
    byte = (byte >> np.uint8(4)) | (byte << np.uint8(4))
    byte = ((byte >> np.uint8(2)) & np.uint8(0x33)) | ((byte & np.uint8(0x33)) << np.uint8(2))
    return ((byte >> np.uint8(1)) & np.uint8(0x55)) | ((byte & np.uint8(0x55)) << np.uint8(1))


def unpackbits(a, axis: known = None, count=None, bitorder="big"):
    """``np.unpackbits``: each bit as a byte that is 0 or 1."""
    packed = np.asarray(a)
    if packed.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if bitorder[:1] != "b" and bitorder[:1] != "l":
        raise ValueError("'order' must begin with 'l' or 'b'")
    if axis is None or packed.ndim == 0:
        line = np.ravel(packed)
        out = np.empty(_kept(8 * len(line), count), np.uint8)
        _unpack(line, out, bitorder[0] == "l")
        return out
    else:
        place = axis_of(axis, packed.ndim)
        rows = moved_axes(packed, (place,), (packed.ndim - 1,))
        out = np.empty((*rows.shape[:-1], _kept(8 * rows.shape[-1], count)), np.uint8)
        for index in np.ndindex(rows.shape[:-1]):
            _unpack(rows[index], out[index], bitorder[0] == "l")
        return _in_order_of(packed, moved_axes(out, (packed.ndim - 1,), (place,)))


def _kept(there, count):
    """How many bits are wanted of those that are there."""
    if count is None:
        return there
    if count >= 0:
        return count
    if there + count < 0:
        raise ValueError("-count larger than number of elements")
    return there + count


def _unpack(packed, out, little):
    whole = min(len(packed), len(out) >> 3)
    for i in range(whole):
        byte = packed[i] if little else _reversed(packed[i])
        for k in range(8):
            out[8 * i + k] = (byte >> np.uint8(k)) & np.uint8(1)
    for i in range(8 * whole, len(out)):
        if i >> 3 < len(packed):
            byte = packed[i >> 3] if little else _reversed(packed[i >> 3])
            out[i] = (byte >> np.uint8(i & 7)) & np.uint8(1)
        else:
            out[i] = 0


# Numbers as text ------------------------------------------------------------------------------------------------------


def binary_repr(num, width=None):
    """``np.binary_repr``: with a width negative numbers as their two's complement."""
    if width is None or num >= 0:
        text = _digits(num, 2)
    else:
        needed = 1
        while needed < 64 and num < -(1 << (needed - 1)):
            needed += 1
        text = ""
        for i in range(needed - 1, -1, -1):
            text += "1" if (num >> i) & 1 else "0"
    if width is None or (num == 0 and width <= 0):
        return text
    if width < len(text):
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(text)}")
    return ("0" if num >= 0 else "1") * (width - len(text)) + text


def base_repr(number, base=2, padding=0):
    """``np.base_repr``."""
    if base > 36:
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    whole = int(number)
    if whole == 0:
        return "0" * max(padding, 1)
    text = _digits(whole, base)
    if whole < 0:
        return "-" + "0" * padding + text[1:]
    return "0" * padding + text


def _digits(number, base):
    left = np.uint64(number) if number >= 0 else np.uint64(0) - np.uint64(number)
    text = "" if left else "0"
    while left:
        text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[left % np.uint64(base)] + text
        left //= np.uint64(base)
    return "-" + text if number < 0 else text
