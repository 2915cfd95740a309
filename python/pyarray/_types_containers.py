"""Types of tuples, containers, enums and instances of classes."""

import operator as _operator
import re as _re

from ._types_basic import Type

_MOST_ELEMENTS = 1000  # as in Numba; each is a value of its own in compiled code


class BaseTuple(Type):
    __slots__ = ("types",)

    def __init__(self, types):
        self.types = tuple(types)
        for element in self.types:
            if not isinstance(element, Type):
                raise TypeError(f"the elements of a tuple type are types, not {element!r}")
        super().__init__(self._text(), "(" + "".join(element.code for element in self.types) + ")")

    @property
    def count(self):
        return len(self.types)

    def __iter__(self):
        return iter(self.types)

    def __len__(self):
        return len(self.types)

    def __getitem__(self, index):
        return self.types[index]


class Tuple(BaseTuple):
    """A tuple of given element types; ``UniTuple`` where they are equal."""

    __slots__ = ()

    def __new__(cls, types):
        types = tuple(types)
        uniform = len(types) > 0 and all(element == types[0] for element in types)
        return super().__new__(UniTuple if uniform else Tuple)

    def __init__(self, types):
        super().__init__(types)

    def _text(self):
        return f"Tuple({', '.join(map(str, self.types))})"

    def __repr__(self):
        return f"Tuple(({', '.join(map(repr, self.types))}))"


class UniTuple(Tuple):
    """``UniTuple(float64, 3)``."""

    __slots__ = ()

    def __new__(cls, dtype, count=None):
        if count is not None and not 0 <= _operator.index(count) <= _MOST_ELEMENTS:
            raise ValueError(f"UniTuple of {count} elements: a tuple type has 0 to {_MOST_ELEMENTS}")
        return Tuple(()) if count == 0 else Type.__new__(UniTuple)

    def __init__(self, dtype, count=None):
        # Tuple((a, a)) arrives here with the element types alone.
        super().__init__(dtype if count is None else (dtype,) * count)

    @property
    def dtype(self):
        return self.types[0]

    def _text(self):
        return f"UniTuple({self.dtype} x {self.count})"

    def __repr__(self):
        return f"UniTuple({self.dtype!r}, {self.count})"


class _Holder(Type):
    """A type made of one other."""

    __slots__ = ("dtype",)

    def __init__(self, dtype, reflected=False):
        # reflected: Numba's word for a list or set of Python, which has no type of its own here
        if not isinstance(dtype, Type):
            raise TypeError(f"{type(self).__name__} takes a type, not {dtype!r}")
        self.dtype = dtype
        super().__init__(self._pattern.format(dtype), self._letter + dtype.code)

    def __repr__(self):
        return f"{type(self).__name__}({self.dtype!r})"


class ListType(_Holder):
    """A list: ``ListType(int64)``. ``item_type`` is the type of its items.

    ``initial_value`` is what a display of constants is made of, where an overload is asked for it; None elsewhere. It
    is not part of the type.
    """

    __slots__ = ("initial_value",)
    _letter, _pattern, mutable = "L", "ListType[{}]", True

    def __init__(self, dtype, reflected=False, initial_value=None):
        super().__init__(dtype, reflected)
        self.initial_value = initial_value

    @property
    def item_type(self):
        return self.dtype


class Set(_Holder):
    """A set: ``Set(int64)``."""

    __slots__ = ()
    _letter, _pattern, mutable = "S", "set({})", True


class Generator(_Holder):
    """What a generator function gives: ``Generator(int64)``. No argument from Python has this type."""

    __slots__ = ()
    _letter, _pattern = "G", "generator({})"

    @property
    def yield_type(self):
        return self.dtype


class FrozenSet(_Holder):
    """A frozenset: ``FrozenSet(int64)``."""

    __slots__ = ()
    _letter, _pattern = "T", "frozenset({})"


class Deque(_Holder):
    """A ``collections.deque``: ``Deque(int64)``."""

    __slots__ = ()
    _letter, _pattern, mutable = "X", "deque({})", True


class Optional(_Holder):
    """A value or None: ``Optional(float64)``."""

    __slots__ = ()
    _letter, _pattern = "O", "OptionalType({})"

    @property
    def type(self):
        return self.dtype


class DictType(Type):
    """A dict: ``DictType(unicode_type, float64)``. ``initial_value`` is as that of a list."""

    __slots__ = ("initial_value", "key_type", "value_type")
    mutable = True

    def __init__(self, key_type, value_type, initial_value=None):
        for part in (key_type, value_type):
            if not isinstance(part, Type):
                raise TypeError(f"DictType takes two types, not {part!r}")
        self.key_type, self.value_type, self.initial_value = key_type, value_type, initial_value
        super().__init__(f"DictType[{key_type},{value_type}]", f"K{key_type.code}{value_type.code}")

    def __repr__(self):
        return f"DictType({self.key_type!r}, {self.value_type!r})"


class DictClassType(DictType):
    """A Counter, an OrderedDict or a defaultdict; ``name`` is that of the class, or of the factory."""

    __slots__ = ()

    def __init__(self, name, key_type, value_type):
        super().__init__(key_type, value_type)
        shown = {"counter": "Counter", "ordereddict": "OrderedDict"}.get(name, f"defaultdict({name.split('.')[-1]})")
        Type.__init__(self, f"{shown}[{key_type},{value_type}]", f"c[{name}]{self.code}")

    def __repr__(self):
        return str(self)


class ClassInstanceType(Type):
    """An instance of a jitclass, by the class's name: ``Class.class_type.instance_type``."""

    __slots__ = ()
    mutable = True

    def __init__(self, name):
        super().__init__(f"instance.jitclass.{name[name.find(':') + 1 : name.find('#')]}", f"J[{name}]")

    @property
    def jitclass(self):
        """The class."""
        from ._pyarray import find_class

        return find_class(self.code[2:-1])

    @property
    def struct(self):
        """Names and types of the fields."""
        return dict(self.jitclass.__pyarray_fields__)

    def __repr__(self):
        return f"ClassInstanceType({self.code[2:-1]!r})"


_struct_types = {}  # name -> StructRef: types of structs are coded as those of instances (_types_structs)


def instance_type(name):
    """The type of instances of the class, or of the struct, of that name."""
    if "(" in name:
        from ._types_structs import find

        return find(name) or ClassInstanceType(name)
    return ClassInstanceType(name)


class NamedTuple(Tuple):
    """Named tuples of one class, ``instance_class``, with elements of these types: ``typeof(Point(1, 2.5))``."""

    __slots__ = ("instance_class",)

    def __new__(cls, types, instance_class):
        return Type.__new__(cls)

    def __init__(self, types, instance_class):
        from ._named import describe

        BaseTuple.__init__(self, types)
        self.instance_class = instance_class
        self.name = f"{instance_class.__name__}({', '.join(map(str, self.types))})"
        self.code = f"N[{describe(instance_class).name}]{self.code}"

    @property
    def dtype(self):
        """The type of all elements, where they have one."""
        if len(set(self.types)) != 1:
            raise AttributeError(f"the elements of {self} have several types", name="dtype", obj=self)
        return self.types[0]

    def __repr__(self):
        return f"NamedTuple({self.types!r}, {self.instance_class!r})"


class EnumMember(Type):
    """Members of an enum: ``typeof(Color.RED)``. Its class is ``instance_class``; Numba's ``dtype`` is not needed."""

    __slots__ = ("instance_class",)

    def __init__(self, instance_class, dtype=None):
        from ._named import describe

        description = describe(instance_class)
        letters = {"enum": "E", "int enum": "E+", "flag": "E|"}[description.kind]
        self.instance_class = instance_class
        super().__init__(instance_class.__name__, f"{letters}[{description.name}]")

    def __repr__(self):
        return f"EnumMember({self.instance_class!r})"


class SliceType(Type):
    """Slices, by which of their parts are None: ``typeof(slice(1, None))``."""

    __slots__ = ()

    def __repr__(self):
        return f"SliceType({self.name!r}, {self.code!r})"


class DeferredType(Type):
    """A type that is defined later: of a field of a jitclass or a struct."""

    __slots__ = ("_defined",)

    def __init__(self):
        super().__init__(f"deferred#{len(_deferred)}", f"J[deferred#{len(_deferred)}]")
        self._defined = None
        _deferred.append(self)

    def define(self, definition):
        """Say which type it is."""
        if self._defined is not None:
            raise TypeError("deferred type already defined")
        from ._types_structs import StructRef

        if not isinstance(definition, (ClassInstanceType, StructRef)):
            raise TypeError(f"a deferred type is that of instances of a jitclass or of structs, not {definition!r}")
        self._defined = definition

    def get(self):
        """The type that it is."""
        if self._defined is None:
            raise RuntimeError("deferred type not defined")
        return self._defined


_deferred = []  # deferred types, which their codes number


def deferred_type():
    """A type to be defined by its ``define()`` later on."""
    return DeferredType()


def _has_deferred(codes):
    return any("J[deferred#" in code for code in codes)


def _without_deferred(code):
    """The type code with deferred types as what they were defined to be."""
    return _re.sub(r"J\[deferred#(\d+)\]", lambda match: _deferred[int(match[1])].get().code, code)
