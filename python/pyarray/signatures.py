"""Signatures in all their forms become type codes.

A signature is text (``'float64(float64, int32[:, ::1])'``, ``'void(f8[:], i4)'``, ``'(f8, f8)'``), a
:class:`pyarray.types.Signature`, or a tuple of types. The text is parsed here, never evaluated:

    signature = type "(" types ")" | "(" types ")"
    type      = name [ "(" items ")" ] { "[" dimension { "," dimension } "]" | "*" }
    dimension = ":" | "::1"
    items     = what Array, CPointer, FunctionType, NPDatetime, NPTimedelta, Tuple and UniTuple take: types, signatures,
                tuples of types, numbers, quoted words
"""

from . import types
from ._pyarray import is_type_code

# Made of other types.
_COMPOUND = (
    types.Array,
    types.CPointer,
    types.DictType,
    types.FunctionType,
    types.ListType,
    types.NPDatetime,
    types.NPTimedelta,
    types.Optional,
    types.Set,
    types.Tuple,
    types.UniTuple,
)


def signature(return_type, *arguments):
    """``signature(float64, int32)`` is ``float64(int32)``."""
    return types.Signature(return_type, arguments)


class _Parser:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def fail(self, message, at=None, kind=SyntaxError):
        at = self.at if at is None else at
        raise kind(f"{message}\n  {self.text}\n  {' ' * at}^")

    def skip(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def peek(self):
        self.skip()
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self, wanted):
        if self.peek() != wanted:
            return False
        self.at += 1
        return True

    def expect(self, wanted, where):
        if not self.take(wanted):
            found = self.peek()
            self.fail(f"expected '{wanted}' {where}, found {repr(found) if found else 'the end'}")

    def word(self):
        self.skip()
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_."):
            self.at += 1
        return self.text[start : self.at]

    def sequence(self, item, close, where):
        items = []
        while not self.take(close):
            items.append(item())
            if not self.take(","):
                self.expect(close, where)
                break
        return items

    def dimension(self):
        self.skip()
        start = self.at
        self.expect(":", "in the dimensions of an array type")
        if self.take(":"):
            if self.word() != "1":
                self.fail("a dimension of an array type is ':' or '::1'", start)
            return slice(None, None, 1)
        return slice(None)

    def named(self, start):
        name = self.word()
        if not name:
            found = self.peek()
            self.fail(f"expected a type, found {repr(found) if found else 'the end'}", start)
        kind = getattr(types, name.rpartition(".")[2], None)
        known = isinstance(kind, types.Type) or kind in _COMPOUND
        if not known or name.rpartition(".")[0] not in (
            "",
            "types",
            "nb",
            "numba",
            "pyarray",
            "nb.types",
            "numba.types",
        ):
            from difflib import get_close_matches

            names = [name for name in dir(types) if isinstance(getattr(types, name), types.Type)]
            close = get_close_matches(name, names, 1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            self.fail(f"name '{name}' is not defined: no type is called so{hint}", start, NameError)
        return kind

    def item(self):
        """What stands between the parentheses of Array, CPointer, NPDatetime, Tuple and the like."""
        first = self.peek()
        if first.isdigit():
            return int(self.word())
        if first in ("'", '"'):
            end = self.text.find(first, self.at + 1)
            if end < 0:
                self.fail("the quote is never closed")
            text, self.at = self.text[self.at + 1 : end], end + 1
            return text
        if first in ("(", "["):
            self.at += 1
            return tuple(self.sequence(self.item, ")" if first == "(" else "]", "after the types"))
        start = self.at
        word = self.word()
        if word in ("True", "False"):
            return word == "True"
        if self.take("="):
            self.fail("arguments of a type are given by position", start)
        self.at = start
        kind = self.type()
        if self.take("("):  # the signature of a FunctionType
            return types.Signature(kind, self.sequence(self.type, ")", "after the argument types"))
        return kind

    def type(self):
        self.skip()
        start = self.at
        kind = self.named(start)
        try:
            if isinstance(kind, type):
                self.expect("(", f"after {kind.__name__}")
                kind = kind(*self.sequence(self.item, ")", "after the items"))
            while self.peek() in ("[", "*"):
                if self.take("*"):
                    kind = types.CPointer(kind)
                else:
                    self.take("[")
                    kind = kind[tuple(self.sequence(self.dimension, "]", "after the dimensions"))]
        except TypeError as error:
            self.fail(str(error), start, TypeError)
        return kind

    def signature(self):
        result = None
        if self.peek() != "(":
            result = self.type()
            if self.peek() == ",":  # argument types alone, as in a tuple of types
                arguments = [result]
                while self.take(","):
                    arguments.append(self.type())
                if self.peek():
                    self.fail("nothing may follow a signature")
                return arguments, "".join(kind.code for kind in arguments) + ">"
            if not self.peek():
                self.fail(f"'{self.text.strip()}' is a type; a signature is written like '{result}(float64, int32[:])'")
        self.expect("(", "before the argument types")
        arguments = self.sequence(self.type, ")", "after the argument types")
        if self.peek():
            self.fail("nothing may follow a signature")
        code = "".join(kind.code for kind in arguments) + ">" + ("" if result is None else result.code)
        return [*arguments, result], code


def type_of(text):
    """The type that a text names: ``type_of('float64[:]')``."""
    parser = _Parser(text)
    kind = parser.type()
    if parser.peek():
        parser.fail("nothing may follow a type")
    return kind


def _refuse(kinds):
    """Raise TypeError about the first of these types that no value of compiled code has."""
    for kind in kinds:
        if not is_type_code(kind.code):
            fixed = isinstance(kind, types.CharSeq | types.UnicodeCharSeq)
            hint = "; text is types.unicode_type, bytes types.bytes_type" if fixed else ""
            raise TypeError(f"{kind} cannot be in a signature: compiled code has no values of that type{hint}")


def code_of(signature):
    """The type code of a signature: ``code_of('float64(int32)')`` is ``'i>d'``."""
    if isinstance(signature, str):
        kinds, code = _Parser(signature).signature()
    elif isinstance(signature, types.Signature):
        kinds, code = (*signature.args, signature.return_type), signature.code
    elif isinstance(signature, tuple):
        for kind in signature:
            if not isinstance(kind, types.Type):
                raise TypeError(f"invalid signature: {kind!r} is no type")
        kinds, code = signature, "".join(kind.code for kind in signature) + ">"
    else:
        raise TypeError(
            f"invalid signature: {signature!r} (type: {type(signature).__name__}); write it as text, "
            "'float64(int32)', as float64(int32), or as a tuple of argument types"
        )
    if not is_type_code(code):
        _refuse(kind for kind in kinds if kind is not None)
    return code


def codes_of(signatures):
    """The type codes of one signature or a list of them."""
    if isinstance(signatures, list):
        return tuple(code_of(signature) for signature in signatures)
    return (code_of(signatures),)
