"""Records: structured dtypes, and text of a fixed length, as type codes (``lib/support/record_code.h``) and back."""

import builtins as _builtins
import re as _re
import sys as _sys

import numpy as np

_MOST_DEPTH, _MOST_BYTES = 16, 2**31 - 1
_VECTOR = _re.compile(r"xp?(\(([bhiqBHIQfd])\2{0,3}\))")
_CODE = _re.compile(r"\{(r?)(p?)(\d+)")
_FIELD = _re.compile(r",([^@]*)@(\d+):((?:\d+x)*)")


def _escape(name):
    return _re.sub(r"[^0-9A-Za-z_\x80-\U0010ffff]", lambda match: f"%{ord(match[0]):02X}", name)


def _unescape(name):
    return _re.sub(r"%([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), name)


def code_of(dtype, depth=0):
    """The code of an item of ``dtype``: ``'{16,x@0:d,y@8:q}'``.

    Raises
    ------
    TypeError
        Where compiled code has no such items; the message says why.
    """
    if dtype.hasobject:
        raise TypeError("fields that hold Python objects are not supported")
    if not dtype.isnative:
        raise TypeError(
            "fields of foreign byte order are not supported; convert with a.astype(a.dtype.newbyteorder('='))"
        )
    if dtype.itemsize > _MOST_BYTES:
        raise TypeError(f"items of {dtype.itemsize} bytes are too large")
    if code := vector_code(dtype):
        return code
    if dtype.kind == "S":
        return f"z{dtype.itemsize}"
    if dtype.kind == "U":
        return f"Z{dtype.itemsize // 4}"
    if dtype.names is None and dtype.name == "bfloat16":
        return "g"
    if dtype.names is None:
        if dtype.kind == "V":
            raise TypeError(f"{dtype!r} has no fields")
        if dtype.kind not in "?biufcmM" or dtype.itemsize not in (1, 2, 4, 8, 16) or dtype.char in "gG":
            raise TypeError(f"fields of {dtype} are not supported")
        from ._pyarray import type_code

        return type_code(np.zeros(1, dtype)[0])
    if depth == _MOST_DEPTH:
        raise TypeError(f"records nested more than {_MOST_DEPTH} levels deep are not supported")
    fields = "".join(
        _field_code(_spelt(name, *dtype.fields[name][2:]), *dtype.fields[name][:2], depth) for name in dtype.names
    )
    return f"{{{'r' if dtype.type is np.record else ''}{dtype.itemsize}{fields}}}"


def bfloat16_dtype():
    """The dtype of bfloat16, which the package ml_dtypes gives NumPy."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise TypeError("NumPy has bfloat16 by the package ml_dtypes: pip install ml_dtypes") from None
    return np.dtype(bfloat16)


def vector_code(dtype):
    """The code of a vector of CUDA's, ``'x(ffff)'``; None for all other dtypes."""
    vectors = _sys.modules.get(f"{__package__}.cuda._vectors")
    return dtype.type.code if vectors and issubclass(dtype.type, vectors._Scalar) else None


def without_axes(dtype):
    """The dtype of the elements, and the shape, of the dtype of a field; arrays of arrays have all axes."""
    shape = ()
    while dtype.shape:
        dtype, shape = dtype.base, shape + dtype.shape
    return dtype, shape


def _spelt(name, title=None):
    """A field's name in a code, and behind it its title."""
    for text in (name, title):
        if text is not None and (not isinstance(text, str) or "\0" in text):
            raise TypeError(f"the field name {text!r} is not supported")
    return _escape(name) if title is None else f"{_escape(name)}~{_escape(title)}"


def _field_code(name, dtype, offset, depth):
    base, shape = without_axes(dtype)
    extents = "".join(f"{extent}x" for extent in shape)
    if len(shape) > 31:
        raise TypeError(f"field {name!r} has too many dimensions")
    try:
        return f",{name}@{offset}:{extents}{code_of(base, depth + 1)}"
    except TypeError as error:
        raise TypeError(f"field {name!r}: {error}") from None


def _read(code, at):
    """The dtype of the item that starts at code[at], and where it ends."""
    from ._type_codes import _read_scalar

    if code[at] in "zZ":
        match = _re.compile(r"\d+").match(code, at + 1)
        return np.dtype(f"{'S' if code[at] == 'z' else 'U'}{match[0]}"), match.end()
    if code[at] == "x":
        from .cuda._vectors import dtype_of_code

        match = _VECTOR.match(code, at)
        return dtype_of_code("x" + match[1]), match.end()
    if code[at] != "{":
        kind, end = _read_scalar(code, at)
        return bfloat16_dtype() if kind.code == "g" else np.dtype(kind.name), end
    head = _CODE.match(code, at)
    names, titles, formats, offsets, at = [], [], [], [], head.end()
    while field := _FIELD.match(code, at):
        base, at = _read(code, field.end())
        name, _, title = field[1].partition("~")
        names.append(_unescape(name))
        titles.append(_unescape(title) if title else None)
        offsets.append(int(field[2]))
        formats.append((base, tuple(map(int, field[3].split("x")[:-1]))) if field[3] else base)
    if code[at] != "}":
        raise ValueError(code)
    described = {"names": names, "formats": formats, "offsets": offsets, "itemsize": int(head[3])}
    dtype = np.dtype({**described, "titles": titles} if any(titles) else described)
    return np.dtype((np.record, dtype)) if head[1] else dtype, at + 1


def dtype_of(code):
    """The dtype of an item's code, or the class of Python's that "[float]" stands for."""
    if code.startswith("["):
        return getattr(_builtins, code[1:-1])
    dtype, end = _read(code, 0)
    if end != len(code):
        raise ValueError(f"malformed code {code!r}")
    return dtype


def end_of(code, at):
    """Where the item's code that starts at code[at] ends."""
    return _read(code, at)[1]
