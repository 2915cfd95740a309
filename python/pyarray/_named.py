"""Classes of named tuples and enums: what compiled code knows of them.

The functions made here belong to one class each; compiled code calls them for what the representation of a value, a
tuple or an integer, does not say (``lib/passes/infer/classes/infer_named.c``).
"""

import enum
import functools
import importlib
import types

import numpy as np

from .library._intrinsics import tagged, untagged

_described = {}  # class -> its description, or None
_classes = {}  # name -> class
_counts = {}  # "module:Class" -> how many classes of that name there were

_MOST_ELEMENTS = 4096

# False while the library is imported: of NumPy's classes it knows the fields, and functions of its own for their text.
describes_methods = True


class Description(types.SimpleNamespace):
    """What compiled code knows of a class.

    ``name`` is "module:Class#0"; ``kind`` the kind of its values' type, or None where ``reason`` says why there is
    none. Of named tuples: ``fields``, and ``defaults`` of the last ones, constants or functions that give them. Of
    enums: ``members``, numbers by name; ``numbers``, ``names`` and ``values`` of the members in order; ``new``, the
    function that finds a member by its value, or None. ``tables`` has functions, by what they are: methods, getters,
    statics, class_getters; and constants. ``users`` are those that users wrote.
    """


def describe(cls):
    """The description of a class; None for one that is neither of named tuples nor an enum."""
    try:
        return _described[cls]
    except KeyError:
        pass
    description = None
    if isinstance(cls, enum.EnumType) and list(cls):
        description = _describe_enum(cls)
    elif issubclass(cls, tuple) and hasattr(cls, "_fields") and hasattr(cls, "_field_defaults"):
        description = _describe_tuple(cls)
    if description is not None:
        qualified = f"{cls.__module__}:{cls.__qualname__}".translate({ord(letter): "_" for letter in "[]()#"})
        description.name = f"{qualified}#{_counts.get(qualified, 0)}"
        description.users = _users_functions(description.tables)
        description.tables["constants"] = {"__name__": cls.__name__, "__qualname__": cls.__qualname__}
        _counts[qualified] = _counts.get(qualified, 0) + 1
        _classes[description.name] = cls
    _described[cls] = description
    return description


def _users_functions(tables):
    return {
        f"{table} {name}": function
        for table, functions in tables.items()
        for name, function in functions.items()
        if function.__module__ != __name__
    }


def find(name):
    """The class of that name: one that was described, or that the library has from NumPy."""
    if name not in _classes:
        module, _, rest = name.partition(":")
        describe(functools.reduce(getattr, rest.partition("#")[0].split("."), importlib.import_module(module)))
    return _classes[name]


def reason(cls):
    """Why compiled code does not have a class that ``describe`` knows."""
    return describe(cls).reason


def _refused(why):
    return Description(kind=None, reason=why, tables={})


def _tables(cls, known, stop):
    """The functions of a class and of its bases before ``stop``; and a method that would change an operator."""
    tables = {"methods": {}, "getters": {}, "statics": {}, "class_getters": {}}
    changed = None
    for base in reversed(cls.__mro__[: cls.__mro__.index(stop)]):
        for name, value in vars(base).items():
            if name in known or getattr(value, "__module__", None) == "enum":
                continue
            if isinstance(value, types.FunctionType):
                if name.startswith("__") and name.endswith("__"):
                    changed = name
                tables["methods"][name] = value
            elif isinstance(value, property) and value.fget is not None:
                tables["getters"][name] = value.fget
            elif isinstance(value, staticmethod):
                tables["statics"][name] = value.__func__
    return tables, changed


# ---- Named tuples


_GENERATED = frozenset(
    "__new__ __repr__ __getnewargs__ __getnewargs_ex__ __replace__ _replace _asdict _make".split()
    + ["__init_subclass__", "__class_getitem__"]
)


def _describe_tuple(cls):
    first = next(base for base in cls.__mro__ if "_field_defaults" in vars(base))
    above = cls.__mro__[: cls.__mro__.index(first)]
    for base in above:
        if any(name in vars(base) for name in ("__new__", "__init__", "_make")):
            return _refused("it has a constructor of its own")
    fields = tuple(cls._fields)
    if len(fields) > _MOST_ELEMENTS:
        return _refused(f"it has more than {_MOST_ELEMENTS} fields")
    if not describes_methods:
        from .library.numpy.results import TEXTS

        return Description(
            kind="namedtuple", fields=fields, defaults=(), tables={"methods": {"__repr__": TEXTS[cls.__name__]}}
        )
    tables, changed = _tables(cls, _GENERATED, tuple)
    if changed and changed not in ("__str__", "__repr__"):
        return _refused(f"it has a method {changed} of its own")
    own_text = next((vars(base)["__repr__"] for base in above if "__repr__" in vars(base)), None)
    tables["methods"].setdefault("__repr__", own_text or _tuple_repr(cls.__name__, fields))
    tables["class_getters"]["_fields"] = _constant(fields)
    tables["statics"]["_make"] = _tuple_maker(cls)
    tables["methods"].setdefault("_asdict", _dict_maker(fields))
    defaults = tuple(_default(cls._field_defaults[name]) for name in fields if name in cls._field_defaults)
    return Description(kind="namedtuple", fields=fields, defaults=defaults, tables=tables)


_CONSTANTS = (type(None), bool, int, float, complex, str, bytes)


def _default(value):
    """A constant, or a function that gives another default."""
    return value if type(value) in _CONSTANTS or isinstance(value, np.generic) else _constant(value)


def _constant(value):
    def constant():
        return value

    return constant


def _tuple_maker(cls):
    from .decorators import njit

    count = len(cls._fields)
    places = tuple(range(count))

    @njit
    def chosen(items, places):
        if len(places) == 0:
            return ()
        return (items[places[0]],) + chosen(items, places[1:])

    def make(iterable):
        if isinstance(iterable, tuple):
            return cls(*iterable)
        items = list(iterable)
        if len(items) != count:
            raise TypeError(f"Expected {count} arguments, got {len(items)}")
        return cls(*chosen(items, places))

    return make


def _dict_maker(fields):
    def as_dict(self):
        made = {}
        for field, item in zip(fields, self):
            made[field] = item
        return made

    return as_dict


def _tuple_repr(name, fields):
    prefixes = tuple((", " if i else "") + field + "=" for i, field in enumerate(fields))

    def represent(self):
        text = name + "("
        for prefix, item in zip(prefixes, self):
            text += prefix + repr(item)
        return text + ")"

    return represent


# ---- Enums


_OF_ENUMS = frozenset(
    "__new__ __init__ __repr__ __str__ __format__ __reduce_ex__ __dir__ _generate_next_value_ _missing_".split()
)
_OF_FLAGS = frozenset(
    "__or__ __and__ __xor__ __ror__ __rand__ __rxor__ __invert__ __contains__ __bool__ __len__ __iter__".split()
)


def _own_names(cls):
    """Names that the user's own classes define, not those of the module enum."""
    return {name for base in cls.__mro__ if base.__module__ != "enum" for name in vars(base)}


def _describe_enum(cls):
    flag, integer = issubclass(cls, enum.Flag), issubclass(cls, int)
    kind = "int enum" if integer else "flag" if flag else "enum"
    if not integer and cls._member_type_ is not object:
        return _refused(f"its members are values of type {cls._member_type_.__name__}")
    members = list(cls)
    values = tuple(member._value_ for member in members)
    by_value = flag or integer
    if by_value and not all(type(value) is int and -(2**63) <= value < 2**63 for value in values):
        return _refused("a value has more than 64 bits")
    stop = next(base for base in cls.__mro__ if base.__module__ == "enum")
    tables, changed = _tables(cls, _OF_ENUMS | {"__str__", "__repr__"}, stop)
    if changed and changed in _OF_FLAGS | {
        "__eq__",
        "__ne__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__hash__",
        "__add__",
        "__sub__",
        "__mul__",
        "__call__",
        "__getattr__",
    }:
        return _refused(f"it has a method {changed} of its own")
    own = _own_names(cls)
    numbers = values if by_value else tuple(range(len(members)))
    number_of = dict(zip(members, numbers))
    every = {
        name: number_of.get(member, member._value_ if by_value else None) for name, member in cls.__members__.items()
    }
    names = tuple(member._name_ for member in members)
    new = None
    if flag:
        _add_flag_functions(cls, kind, tables, names, integer)
        new = _flag_of_value(cls, kind, cls._flag_mask_, integer)
    else:
        _add_texts(cls, tables, numbers, members, integer)
        tables["getters"].setdefault("value", untagged_value if integer else _lookup(_table(values)))
        tables["getters"].setdefault("name", _search(_table(numbers), names) if integer else _lookup(names))
        if "_missing_" not in own and len({type(value) for value in values}) == 1:
            new = _member_of_value(cls, kind, _table(values), _table(numbers), cls.__qualname__)
    tables["statics"]["__class_getitem__"] = _member_of_name(cls, kind, tuple(every), _table(tuple(every.values())))
    return Description(kind=kind, members=every, numbers=numbers, names=names, values=values, new=new, tables=tables)


def _table(values):
    """What is looked up by position when the code runs: an array of numbers, or a tuple."""
    if all(type(value) is int for value in values) and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, np.int64)
    if all(type(value) is float for value in values):
        return np.array(values, np.float64)
    return tuple(values)


def untagged_value(member):
    """``member.value`` of a member that is an integer."""
    return untagged(member)


def _lookup(table):
    def look_up(member):
        return table[untagged(member)]

    return look_up


def _search(numbers, table):
    def look_up(member):
        number = untagged(member)
        for i in range(len(numbers)):
            if numbers[i] == number:
                return table[i]
        raise ValueError("no member of the enum has this value")

    return look_up


def _add_texts(cls, tables, numbers, members, integer):
    """Members have constant texts: those that Python makes of them."""
    for name, make in (("__repr__", repr), ("__str__", str)):
        if integer and name == "__str__" and cls.__str__ is int.__repr__:
            continue  # the number itself
        texts = tuple(make(member) for member in members)
        tables["methods"][name] = _search(_table(numbers), texts) if integer else _lookup(texts)


def _member_of_value(cls, kind, values, numbers, name):
    def member(value):
        for i in range(len(values)):
            if values[i] == value:
                return tagged(cls, numbers[i], kind)
        raise ValueError(repr(value) + " is not a valid " + name)

    return member


def _member_of_name(cls, kind, names, numbers):
    def member(name):
        for i in range(len(names)):
            if names[i] == name:
                return tagged(cls, numbers[i], kind)
        raise KeyError(name)

    return member


def _flag_of_value(cls, kind, mask, keeps):
    name = cls.__qualname__

    def member(value):
        if not keeps and value & ~mask != 0:
            raise ValueError(repr(value) + " is not a valid " + name)
        return tagged(cls, value, kind)

    return member


def _add_flag_functions(cls, kind, tables, names, integer):
    mask, name = cls._flag_mask_, cls.__name__
    bits = _table(tuple(cls[each]._value_ for each in names))

    def either(a, b):
        return tagged(cls, untagged(a) | untagged(b), kind)

    def both(a, b):
        return tagged(cls, untagged(a) & untagged(b), kind)

    def one(a, b):
        return tagged(cls, untagged(a) ^ untagged(b), kind)

    def others(a):
        return tagged(cls, mask & ~untagged(a), kind)

    def contains(a, b):
        return untagged(a) & untagged(b) == untagged(b)

    from .decorators import njit

    @njit
    def joined(number):
        text = ""
        for i in range(len(bits)):
            if number & bits[i] != 0:
                text += ("|" if text else "") + names[i]
        if number & ~mask != 0:
            text += ("|" if text else "") + str(number & ~mask)
        return text

    # Members that combine others, and one of 0, have names of their own.
    own = tuple((member._value_, key) for key, member in cls.__members__.items() if member._name_ == key)
    own_values, own_names = _table(tuple(value for value, _ in own)), tuple(key for _, key in own)

    @njit
    def name_of(number):
        for i in range(len(own_values)):
            if own_values[i] == number:
                return own_names[i]
        return joined(number) if number & mask != 0 else None

    def member_name(a):
        return name_of(untagged(a))

    def items(a):
        number = untagged(a)
        for i in range(len(bits)):
            if number & bits[i] != 0:
                yield tagged(cls, bits[i], kind)

    def length(a):
        return untagged(a).bit_count()

    def truth(a):
        return untagged(a) != 0

    def represent(a):
        number = untagged(a)
        own_name = name_of(number)
        return "<" + name + ("" if own_name is None else "." + own_name) + ": " + str(number) + ">"

    def text(a):
        number = untagged(a)
        own_name = name_of(number)
        return name + ("(" + str(number) + ")" if own_name is None else "." + own_name)

    methods = {
        "__or__": either,
        "__and__": both,
        "__xor__": one,
        "__invert__": others,
        "__contains__": contains,
        "__bool__": truth,
        "__iter__": items,
        "__len__": length,
        "__repr__": represent,
    }
    if not integer:
        methods["__str__"] = text
    tables["methods"].update(methods)
    tables["getters"].setdefault("value", untagged_value)
    tables["getters"].setdefault("name", member_name)
