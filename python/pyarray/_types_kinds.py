"""Kinds of types, as ``numba.types`` names them: ``isinstance(float64[:], Buffer)``.

A kind has no instances of its own: a type belongs to it by what it is. Some are called like classes, as in Numba, and
make the type of ours that they mean.
"""

from ._types_arrays import Array, CFunctionPointer, CharSeq, MemoryView, Record, UnicodeCharSeq
from ._types_basic import Boolean, ByteArray, Bytes, Integer, NoneType, Number, Type, UnicodeType, range_type
from ._types_containers import (
    BaseTuple,
    Deque,
    DictType,
    EnumMember,
    FrozenSet,
    Generator,
    ListType,
    NamedTuple,
    Set,
    Tuple,
    UniTuple,
)


class Dispatcher(Type):
    """The type of a compiled function that is an argument."""

    __slots__ = ()

    @property
    def dispatcher(self):
        """The function."""
        from ._pyarray import _passed_function

        return _passed_function(int(self.code[2:-1]))

    def __repr__(self):
        return f"type({self.dispatcher!r})"

    __str__ = __repr__


class _Kind(type):
    def __instancecheck__(cls, value):
        return isinstance(value, Type) and cls._has(value)

    def __subclasscheck__(cls, other):
        return other is cls or issubclass(other, cls._classes)


class _Classes(metaclass=_Kind):
    """A kind of all types of some classes."""

    _classes = ()

    @classmethod
    def _has(cls, kind):
        return isinstance(kind, cls._classes)


class Hashable(_Classes):
    """What may be a key."""

    _classes = (Number, BaseTuple, UnicodeType, Bytes, NoneType, EnumMember, FrozenSet, Record)


class MutableSequence(_Classes):
    """Lists."""

    _classes = (ListType, Deque)


class Sequence(_Classes):
    """Lists, and tuples of one type."""

    _classes = (UniTuple, *MutableSequence._classes)


class Container(_Classes):
    """What holds items of one type."""

    _classes = (*Sequence._classes, Set, FrozenSet)


class Sized(_Classes):
    """What has a length."""

    _classes = (*Container._classes, BaseTuple, DictType)


class Buffer(_Classes):
    """What is memory: arrays, bytes, memoryviews."""

    _classes = (Array, Bytes, ByteArray, MemoryView)


class ArrayCompatible(_Classes):
    """What NumPy's functions take as an array."""

    _classes = (*Buffer._classes, CharSeq, UnicodeCharSeq, Record)


class IterableType(_Classes):
    """What a loop goes over."""

    _classes = (*Container._classes, *Buffer._classes, DictType, Generator, UnicodeType)

    @classmethod
    def _has(cls, kind):
        return isinstance(kind, cls._classes) or kind == range_type


class Callable(_Classes):
    """Functions."""

    _classes = (Dispatcher, CFunctionPointer)


class Function(_Classes):
    """Functions of the compiler, which have no types of their own."""


class BaseAnonymousTuple(_Classes):
    """Tuples that are no named ones."""

    _classes = (Tuple,)

    @classmethod
    def _has(cls, kind):
        return isinstance(kind, Tuple) and not isinstance(kind, NamedTuple)


class BaseNamedTuple(_Classes):
    """Named tuples."""

    _classes = (NamedTuple,)


class NamedUniTuple(_Classes):
    """Named tuples whose elements have one type: ``NamedUniTuple(float64, 2, Point)``."""

    _classes = (NamedTuple,)

    def __new__(cls, dtype, count, instance_class):
        """The type."""
        return NamedTuple((dtype,) * count, instance_class)

    @classmethod
    def _has(cls, kind):
        return isinstance(kind, NamedTuple) and len(set(kind.types)) == 1


class IntEnumMember(_Classes):
    """Members of an IntEnum or IntFlag: ``IntEnumMember(Color, int64)``."""

    _classes = (EnumMember,)

    def __new__(cls, instance_class, dtype):
        """The type."""
        if not isinstance(dtype, Integer) or isinstance(dtype, Boolean):
            raise TypeError(f"the members of {instance_class.__name__} are integers, not {dtype!r}")
        return EnumMember(instance_class)

    @classmethod
    def _has(cls, kind):
        return isinstance(kind, EnumMember) and issubclass(kind.instance_class, int)


class RangeType(_Classes):
    """Ranges."""

    @classmethod
    def _has(cls, kind):
        return kind == range_type


__all__ = [
    "ArrayCompatible",
    "BaseAnonymousTuple",
    "BaseNamedTuple",
    "Buffer",
    "Callable",
    "Container",
    "Dispatcher",
    "Function",
    "Hashable",
    "IntEnumMember",
    "IterableType",
    "MutableSequence",
    "NamedUniTuple",
    "RangeType",
    "Sequence",
    "Sized",
]
