"""Types of values that are known when a function is compiled, which overloads see: ``IntegerLiteral`` and others.

Such a type is equal to that of the value, and to others of that value; it is one for overloads alone, and no argument
or variable has it.
"""

import ast

from ._types_basic import Boolean, Integer, Type, boolean, int64, unicode_type
from ._types_containers import DictType, ListType


class Literal(Type):
    """The type of a value that is known: ``literal_value``, whose own type is ``literal_type``."""

    __slots__ = ()

    def __init__(self, value, kind):
        Type.__init__(self, f"Literal[{type(value).__name__}]({value})", kind.code)
        self.literal_value, self.literal_type = value, kind

    def __eq__(self, other):
        if isinstance(other, Literal):
            return (self.literal_type, self.literal_value) == (other.literal_type, other.literal_value)
        return super().__eq__(other)

    def __hash__(self):
        return hash(self.literal_type)


class IntegerLiteral(Literal, Integer):
    __slots__ = ("literal_value", "literal_type")

    def __init__(self, value, kind=int64):
        Literal.__init__(self, value, kind)
        self.bitwidth, self.signed = kind.bitwidth, kind.signed


class BooleanLiteral(Literal, Boolean):
    __slots__ = ("literal_value", "literal_type")

    def __init__(self, value, kind=boolean):
        Literal.__init__(self, value, kind)
        self.bitwidth = kind.bitwidth


class StringLiteral(Literal):
    __slots__ = ("literal_value", "literal_type")

    def __init__(self, value, kind=unicode_type):
        Literal.__init__(self, value, kind)


_CLASSES = {bool: BooleanLiteral, int: IntegerLiteral, str: StringLiteral}


def literal(value):
    """The type of a value that is known: of an int, a bool or a str.

    Raises
    ------
    LiteralTypingError
        For other values.
    """
    if type(value) not in _CLASSES:
        from .errors import LiteralTypingError

        raise LiteralTypingError(f"{type(value).__name__} cannot be used as a literal")
    return _CLASSES[type(value)](value)


def unliteral(kind):
    """The type of the value, of a type that says which value it is; all other types are what they are."""
    if isinstance(kind, (ListType, DictType)) and kind.initial_value is not None:
        return _of_display(kind, None)
    return kind.literal_type if isinstance(kind, Literal) else kind


def is_known(kind):
    """Whether a type says which value it is, or what a list or dict is made of."""
    return isinstance(kind, Literal) or getattr(kind, "initial_value", None) is not None


def _of_display(kind, value):
    """The type of a list or dict that is made of the items of ``value``."""
    if type(kind) is ListType:
        return ListType(kind.dtype, initial_value=value)
    return DictType(kind.key_type, kind.value_type, value) if type(kind) is DictType else kind


def with_value(kind, text):
    """The type of the value that ``text`` is: of a str, hexadecimal digits of its UTF-8; so of a display's source."""
    if text.startswith("="):
        return _of_display(kind, ast.literal_eval(bytes.fromhex(text[1:]).decode("utf-8", "surrogatepass")))
    if kind == unicode_type:
        return StringLiteral(bytes.fromhex(text.removeprefix("'")).decode("utf-8", "surrogatepass"))
    if isinstance(kind, Boolean):
        return BooleanLiteral(text == "1", kind)
    return IntegerLiteral(int(text), kind)
