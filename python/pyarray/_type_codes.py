"""From type codes (``docs/internals.md``) to types."""

from ._types_arrays import Array, CFunctionPointer, CharSeq, CPointer, DType, MemoryView, Record, UnicodeCharSeq, Vector
from ._types_basic import (
    NPDatetime,
    NPTimedelta,
    Signature,
    Type,
    bfloat16,
    boolean,
    bytearray_type,
    bytes_type,
    ellipsis,
    float16,
    none,
    npy_bitgen,
    npy_rng,
    number_domain,
    omitted,
    range_type,
    unicode_type,
)
from ._types_containers import (
    Deque,
    DictClassType,
    DictType,
    EnumMember,
    FrozenSet,
    Generator,
    ListType,
    NamedTuple,
    Optional,
    Set,
    SliceType,
    Tuple,
    instance_type,
)
from ._types_functions import FunctionType
from ._types_literals import with_value

_TEXTS = (unicode_type, bytes_type, bytearray_type)
_SINGLE = (boolean, none, omitted, *_TEXTS, range_type, float16, bfloat16, *number_domain)
_SCALARS = {kind.code: kind for kind in _SINGLE}
_HOLDERS = {kind._letter: kind for kind in (ListType, Set, Generator, FrozenSet, Deque, Optional)}


def _read_scalar(code, at):
    """The number or time that starts at code[at], and where it ends."""
    if code[at] not in "Mm":
        return _SCALARS[code[at]], at + 1
    end = code.index("]", at)
    kind = (NPDatetime if code[at] == "M" else NPTimedelta)(code[at + 2 : end])
    if kind.code != code[at : end + 1]:
        raise KeyError(code)
    return kind, end + 1


def _read_item(code, at):
    """The type of the items of an array that starts at code[at], and where it ends."""
    from .records import dtype_of, end_of

    if code[at] not in "{zZx":
        return _read_scalar(code, at)
    end = end_of(code, at)
    if code[at] == "x":
        return Vector(dtype_of(code[at:end])), end
    if code[at] == "{":
        return Record(dtype_of(code[at:end])), end
    return (CharSeq if code[at] == "z" else UnicodeCharSeq)(int(code[at + 1 : end])), end


def _read(code, at):
    """The type that starts at code[at], and where it ends."""
    letter = code[at]
    if letter in "{zZx" or code.startswith("v{", at):
        return _read_item(code, at + (letter == "v"))
    if letter == "=":
        end = code.index(";", at)
        known = with_value(_SCALARS[code[at + 1]], code[at + 2 : end])
        known.code = code[at : end + 1]  # signatures of other values are other ones
        return known, end + 1
    if letter == "J":
        end = code.index("]", at)
        return instance_type(code[at + 2 : end]), end + 1
    if letter == "P":
        from ._types_kinds import Dispatcher

        end = code.index("]", at) + 1
        return Dispatcher("function", code[at:end]), end
    if letter == "k":
        end = code.index("]", at)
        elements, after = _read(code, end + 1)
        names = code[at + 2 : end].split(",") if end > at + 2 else []
        text = ", ".join(f"{name}: {kind}" for name, kind in zip(names, elements.types))
        return Type(f"keywords({text})", code[at:after]), after
    if letter in "NE":
        from ._named import find

        end = code.index("]", at)
        found = find(code[code.index("[", at) + 1 : end])
        if letter == "E":
            return EnumMember(found), end + 1
        elements, at = _read(code, end + 1)
        return NamedTuple(elements.types, found), at
    if letter == "p":
        end = code.index("]", at)
        return Type(f"one of {code[at + 2 : end].count(',') + 1} functions", code[at : end + 1]), end + 1
    if letter == "V":
        array, end = _read(code, at + 2)
        return MemoryView(code[at + 1], array), end
    if letter == "r":
        return {"g": npy_rng, "b": npy_bitgen}[code[at + 1]], at + 2
    if letter == "l":
        return SliceType("slice", code[at : at + 4]), at + 4
    if letter == "(":
        elements = []
        at += 1
        while code[at] != ")":
            element, at = _read(code, at)
            elements.append(element)
        return Tuple(elements), at + 1
    if letter == "[":
        layout, end = code[at + 1], at + 2
        while code[end].isdigit():
            end += 1
        dtype, after = _read_item(code, end)
        aligned = layout.upper() != "B"
        letter, rank = layout.upper() if aligned else "A", int(code[at + 2 : end])
        return Array(dtype, rank, letter, layout.islower(), aligned=aligned), after
    if letter in _HOLDERS:
        item, at = _read(code, at + 1)
        return _HOLDERS[letter](item), at
    if letter == "c":
        end = code.index("]", at)
        items, after = _read(code, end + 1)
        return DictClassType(code[at + 2 : end], items.key_type, items.value_type), after
    if letter == "K":
        key, at = _read(code, at + 1)
        value, at = _read(code, at)
        return DictType(key, value), at
    if code.startswith(("*(", "*:("), at):
        is_value = code[at + 1] == ":"
        arguments, at = [], at + 2 + is_value
        while code[at] != ")":
            kind, at = _read(code, at)
            arguments.append(kind)
        result, at = _read(code, at + 1)
        if is_value:
            return FunctionType(Signature(result, arguments)), at
        return CFunctionPointer(result, arguments), at
    if code.startswith("t[", at):
        end = code.index("]", at)
        name = code[at + 2 : end]
        return ellipsis if name == "Ellipsis" else Type(f"class({name})", code[at : end + 1]), end + 1
    if letter == "t":
        item, end = _read_item(code, at + 1)
        return DType(item), end
    if letter == "*":
        pointee, end = _read_item(code, at + 1)
        return CPointer(pointee), end
    return _read_scalar(code, at)


def from_code(code):
    """The type of a type code: ``from_code('[C2d')`` is ``float64[:, ::1]``."""
    try:
        kind, end = _read(code, 0)
    except (IndexError, KeyError, TypeError, ValueError):
        end = -1
    if end != len(code):
        raise ValueError(f"malformed type code {code!r}")
    return kind


def arguments_from_code(code):
    """The argument types of ``'dq>d'``, as a tuple."""
    arguments, at = [], 0
    while at < len(code) and code[at] != ">":
        argument, at = _read(code, at)
        arguments.append(argument)
    return tuple(arguments)


def signature_from_code(code):
    """The signature of ``'dq>d'``."""
    return Signature(from_code(code[code.index(">") + 1 :]), arguments_from_code(code))
