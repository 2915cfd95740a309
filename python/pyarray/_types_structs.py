"""Types of structs, which are told apart by the names and types of their fields (``pyarray.experimental.structref``).

The name of a struct type says all of it, ``"m:Pair#0(x:q,y:d,)"``, so that compiled code kept on disk can have structs
that the process has not met yet. Behind ``#0!`` are the fields before ``preprocess_fields`` changed them, where it gave
one the struct's own type.
"""

import re
from types import MappingProxyType

from ._types_basic import Type, undefined
from ._types_containers import _struct_types, _without_deferred

_counts = {}  # "module:Class" -> how many classes of that name there were
_classes = {}  # "module:Class#0" -> class
_proxies = {}  # class -> the class that its structs have in Python
_registered = set()  # classes that structref.register was called with


def _check_pair(pair):
    name, kind = pair
    if not isinstance(name, str):
        raise ValueError(f"expecting a str for field name, not {name!r}")
    if not isinstance(kind, Type):
        raise ValueError(f"expecting a Numba Type for field type, not {kind!r}")
    return name, kind


# A name has no brackets, which end it in a type code; names within it were written so before.
_ESCAPES = {"~": "~0", "[": "~1", "]": "~2"}
_LETTERS = {escape: letter for letter, escape in _ESCAPES.items()}


def _escape(text):
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _write(fields):
    return "(" + _escape("".join(f"{name}:{kind.code or '!'}," for name, kind in fields)) + ")"


def _read(text):
    from ._type_codes import _read as read_type

    text = re.sub("~[012]", lambda match: _LETTERS[match[0]], text[1:-1])
    fields, at = [], 0
    while at < len(text):
        colon = text.index(":", at)
        kind, end = (undefined, colon + 2) if text[colon + 1] == "!" else read_type(text, colon + 1)
        fields.append((text[at:colon], kind))
        at = end + 1
    return tuple(fields)


def _holds(fields, code):
    """Whether a type among these, or a struct type within them, has the type of that code in it."""
    code, *codes = (re.sub("~0+", "~", _escape(text)) for text in (code, *(kind.code for _, kind in fields)))
    return any(code in other for other in codes)


def find(name):
    """The struct type of that name, made if need be; None where its class is not of this process."""
    if name not in _struct_types:
        base, bracket, rest = name.partition("(")
        cls = _classes.get(base.removesuffix("!"))
        if not bracket or cls is None:
            return None
        if base.endswith("!"):
            cls(_read(bracket + rest))
        else:
            Type.__new__(cls)._become(name, _read(bracket + rest))
    return _struct_types.get(name)


class StructRef(Type):
    """The base of classes of struct types; a type is made of its fields: ``MyStructType([("x", types.int64)])``.

    Parameters
    ----------
    fields : sequence of (str, Type)

    Raises
    ------
    ValueError
        For a field without a name or type.
    """

    mutable = True
    _base = "pyarray.types:StructRef#0"  # what names of types begin with

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        base = f"{cls.__module__}:{cls.__qualname__}".translate({ord(letter): "_" for letter in "[]()#="})
        cls._base = f"{base}#{_counts.get(base, 0)}"
        _counts[base] = _counts.get(base, 0) + 1
        _classes[cls._base] = cls
        cls.__pyarray_key__ = cls._base, cls.preprocess_fields

    def __init__(self, fields):
        given = tuple(map(_check_pair, fields))
        # Known before preprocess_fields, by which a field can have the struct's own type.
        name = f"{self._base}!{_write(given)}"
        super().__init__(type(self).__qualname__, f"J[{name}]")
        fields = tuple(map(_check_pair, self.preprocess_fields(given)))
        self._become(name if _holds(fields, self.code) else self._base + _write(fields), fields)

    def _become(self, name, fields):
        self._fields, self.code = fields, f"J[{name}]"
        self.name = f"{type(self).__qualname__}({', '.join(f'{name}: {kind}' for name, kind in fields)})"
        if name not in _struct_types:
            _struct_types[name] = self
            _register(self)

    def preprocess_fields(self, fields):
        """What the fields are: for classes that change them. ``fields`` are pairs of str and Type."""
        return fields

    @property
    def field_dict(self):
        """Types of the fields by name, which cannot be changed."""
        return MappingProxyType(dict(self._fields))


class _StructClass(type):
    """The class of what compiled code is told of a struct type; there are no instances in Python."""

    @property
    def __pyarray_jitclass__(cls):
        from .classes import _check_field
        from .errors import TypingError
        from .extending import name_of

        kind = cls.__pyarray_struct__
        if type(kind) not in _registered:
            raise TypingError(
                f"{type(kind).__qualname__} is no class of structs yet: decorate it with structref.register"
            )
        for name, field in kind._fields:
            try:
                _check_field(cls, name, field)
            except (NameError, TypeError) as error:
                raise TypingError(str(error)) from None
        proxy = name_of(_proxies.get(type(kind)))
        constants = {"__pyarray_proxy__": proxy} if proxy else {}  # for isinstance()
        code = _without_deferred("(" + "".join(field.code for _, field in kind._fields) + ")")
        return kind.code[2:-1], tuple(kind.field_dict), code, {}, {}, {}, {}, {}, constants


def _register(kind):
    """Make the struct type known to the compiler, and its class in Python, if it has one, to what makes results."""
    from ._pyarray import Instance, register_class

    made = _StructClass(type(kind).__name__, (Instance,), {"__slots__": (), "__pyarray_struct__": kind})
    register_class(kind.code[2:-1], made, _proxies.get(type(kind)))


def register(struct_class):
    _registered.add(struct_class)


def set_proxy(struct_class, proxy):
    _proxies[struct_class] = proxy
    for kind in list(_struct_types.values()):
        if type(kind) is struct_class:
            _register(kind)
