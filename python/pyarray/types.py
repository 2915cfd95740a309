"""Type objects: ``float64``, ``int32[:, ::1]``, ``float64(float64, int32[:])``.

Each type has a ``code``, the compact text that dispatcher and compiler share (``docs/internals.md``): ``d`` is float64,
``[C2d`` a C-contiguous 2-dimensional array of it.
"""

import operator as _operator
import re as _re


class Type:
    """A type of compiled code. Types are values: equal by content, hashable."""

    __slots__ = ("name", "code")

    def __init__(self, name, code):
        self.name = name
        self.code = code

    def __eq__(self, other):
        return self.code == other.code if isinstance(other, Type) else NotImplemented

    def __hash__(self):
        return hash(self.code)

    def __str__(self):
        return self.name

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return (from_code, (self.code,))

    def __call__(self, *arguments):
        """``float64(int32, int32)`` is a signature, ``float64(3)`` a value."""
        if all(isinstance(argument, Type) for argument in arguments):
            return Signature(self, arguments)
        if len(arguments) != 1:
            raise TypeError(f"{self} takes types, to make a signature, or one value")
        return self._cast(arguments[0])

    def _cast(self, value):
        raise TypeError(f"cannot convert {type(value).__name__} to {self}")

    def __getitem__(self, item):
        """``float64[:, ::1]``: an array type."""
        items = item if isinstance(item, tuple) else (item,)
        if not items or not all(isinstance(part, slice) and part.start is part.stop is None for part in items):
            raise TypeError(f"the dimensions of an array type are written as slices, such as {self}[:, ::1]")
        steps = [part.step for part in items]
        if any(step not in (None, 1) for step in steps):
            raise TypeError("a dimension of an array type is ':' or '::1'")
        contiguous = [axis for axis, step in enumerate(steps) if step == 1]
        if len(contiguous) > 1:
            raise TypeError("only one dimension of an array type can be '::1'")
        if not contiguous:
            layout = "A"
        elif contiguous[0] == len(items) - 1:
            layout = "C"
        elif contiguous[0] == 0:
            layout = "F"
        else:
            raise TypeError("'::1' can only be the first (Fortran order) or the last dimension (C order)")
        return Array(self, len(items), layout)

    @property
    def key(self):
        return self.name


class Number(Type):
    """A scalar."""

    __slots__ = ("bitwidth",)

    def __init__(self, name, code, bitwidth):
        super().__init__(name, code)
        self.bitwidth = bitwidth

    def _cast(self, value):
        import numpy

        return numpy.dtype(self.name).type(value)


class Boolean(Number):
    __slots__ = ()

    def _cast(self, value):
        return bool(value)


class Integer(Number):
    __slots__ = ("signed",)

    def __init__(self, name, code, bitwidth, signed):
        super().__init__(name, code, bitwidth)
        self.signed = signed

    @property
    def maxval(self):
        return 2 ** (self.bitwidth - self.signed) - 1

    @property
    def minval(self):
        return -(2 ** (self.bitwidth - 1)) if self.signed else 0


class Float(Number):
    __slots__ = ()


class Complex(Number):
    __slots__ = ("underlying_float",)

    def __init__(self, name, code, bitwidth, underlying_float):
        super().__init__(name, code, bitwidth)
        self.underlying_float = underlying_float


_TIME_UNIT = _re.compile(r"(?:([1-9][0-9]*)?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)|generic|)")


class _NPDatetimeBase(Number):
    """A datetime64 or timedelta64.

    Parameters
    ----------
    unit : str
        As in NumPy: 'D', 'ms', '25s'; '' for no unit.
    """

    __slots__ = ("unit",)

    def __init__(self, unit):
        match = _TIME_UNIT.fullmatch(unit) if isinstance(unit, str) else None
        if not match:
            raise TypeError(f"{unit!r} is no unit of time; it is one such as 'D', 'ms' or '25s'")
        if int(match[1] or 1) >= 2**31:
            raise TypeError(f"the multiple in {unit!r} is too large")
        self.unit = "".join(part for part in (match[1] if match[1] != "1" else None, match[2]) if part)
        name = f"{self._kind}[{self.unit}]" if self.unit else self._kind
        super().__init__(name, f"{self._letter}[{self.unit or 'generic'}]", 64)

    def _cast(self, value):
        import numpy

        return getattr(numpy, self._kind)(value, self.unit or "generic")

    def __repr__(self):
        return f"{type(self).__name__}({self.unit!r})"


class NPDatetime(_NPDatetimeBase):
    __slots__ = ()
    _kind, _letter = "datetime64", "M"


class NPTimedelta(_NPDatetimeBase):
    __slots__ = ()
    _kind, _letter = "timedelta64", "m"


class NoneType(Type):
    __slots__ = ()


class Omitted(Type):
    """A parameter that the call left out, whose default is a str: that literal is compiled in."""

    __slots__ = ()


class CharSeq(Type):
    """Bytes of a fixed length in an array or a record: ``S8``."""

    __slots__ = ("count",)

    def __init__(self, count):
        self.count = count
        super().__init__(f"[char x {count}]", f"z{count}")


class UnicodeCharSeq(Type):
    """Text of a fixed length in an array or a record: ``U8``."""

    __slots__ = ("count",)

    def __init__(self, count):
        self.count = count
        super().__init__(f"[unichr x {count}]", f"Z{count}")


class NestedArray(Type):
    """A sub-array in a record."""

    __slots__ = ("dtype", "shape")

    def __init__(self, dtype, shape):
        self.dtype, self.shape = dtype, tuple(shape)
        code = "".join(f"{extent}x" for extent in self.shape) + dtype.code
        super().__init__(f"nestedarray({dtype}, {self.shape})", code)

    @property
    def ndim(self):
        return len(self.shape)


class Record(Type):
    """A record of a structured dtype: ``from_dtype(dtype)``."""

    __slots__ = ("dtype",)
    mutable = True

    def __init__(self, dtype):
        from .records import code_of

        code = code_of(dtype)
        if dtype.names is None:
            raise TypeError(f"{dtype} is no structured dtype")
        self.dtype = dtype
        names = (f"{name}[type={self.typeof(name)};offset={self.offset(name)}]" for name in dtype.names)
        super().__init__(f"Record({','.join(names)};{dtype.itemsize};{dtype.isalignedstruct})", code)

    @property
    def size(self):
        return self.dtype.itemsize

    @property
    def aligned(self):
        return self.dtype.isalignedstruct

    @property
    def fields(self):
        return {name: self.typeof(name) for name in self.dtype.names}

    @property
    def members(self):
        return [(name, self.typeof(name)) for name in self.dtype.names]

    def typeof(self, name):
        """The type of a field."""
        field = self.dtype.fields[name][0]
        return NestedArray(from_dtype(field.base), field.shape) if field.shape else from_dtype(field)

    def offset(self, name):
        """Where a field begins, in bytes."""
        return self.dtype.fields[name][1]

    def __len__(self):
        return len(self.dtype.names)


def from_dtype(dtype):
    """The type of the elements of arrays of a NumPy dtype."""
    import numpy

    from .records import code_of

    dtype = numpy.dtype(dtype)
    return _read_item(code_of(dtype), 0)[0] if dtype.names is None else Record(dtype)


def as_dtype(kind):
    """The NumPy dtype of a type."""
    import numpy

    from .records import dtype_of

    if isinstance(kind, NestedArray):
        return numpy.dtype((as_dtype(kind.dtype), kind.shape))
    if isinstance(kind, Record):
        return kind.dtype
    if isinstance(kind, (Number, CharSeq, UnicodeCharSeq)):
        return dtype_of(kind.code)
    if isinstance(kind, Array):
        return as_dtype(kind.dtype)
    raise TypeError(f"{kind} has no dtype")


class Array(Type):
    """An array: element type, number of dimensions, layout.

    Parameters
    ----------
    dtype : Number, Record, CharSeq or UnicodeCharSeq
    ndim : int
        0 to 32.
    layout : {'C', 'F', 'A'}
        C order, Fortran order, or any strides.
    readonly : bool
    aligned : bool
        False: of numbers at any address, with any strides in bytes.
    """

    __slots__ = ("dtype", "ndim", "layout", "mutable", "aligned")

    def __init__(self, dtype, ndim, layout, readonly=False, name=None, aligned=True):
        if not isinstance(dtype, (Number, Record, CharSeq, UnicodeCharSeq)):
            raise TypeError(f"arrays of {dtype} are not supported")
        if layout not in ("C", "F", "A"):
            raise TypeError(f"the layout of an array type is 'C', 'F' or 'A', not {layout!r}")
        if not 0 <= ndim <= 32:
            raise TypeError("arrays have 0 to 32 dimensions")
        numbers = isinstance(dtype, Number)
        if not aligned and (layout != "A" or not numbers):
            raise TypeError("unaligned arrays are those of numbers with layout 'A'")
        if not numbers and layout == "F":
            layout = "C" if ndim <= 1 else "A"
        self.dtype, self.ndim, self.layout, self.mutable, self.aligned = dtype, ndim, layout, not readonly, aligned
        text = f"{'' if aligned else 'unaligned '}array({dtype}, {ndim}d, {layout})"
        letter = layout if aligned else "B"
        super().__init__(
            name or (f"readonly {text}" if readonly else text),
            f"[{letter.lower() if readonly else letter}{ndim}{dtype.code}",
        )

    @property
    def readonly(self):
        return not self.mutable

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        return Array(
            dtype or self.dtype,
            self.ndim if ndim is None else ndim,
            layout or self.layout,
            self.readonly if readonly is None else readonly,
            aligned=self.aligned or bool(layout),
        )

    @property
    def is_c_contig(self):
        return self.layout == "C" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_f_contig(self):
        return self.layout == "F" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_contig(self):
        return self.layout in "CF"

    def __repr__(self):
        return f"Array({self.dtype!r}, {self.ndim}, {self.layout!r}, {self.readonly}, aligned={self.aligned})"


class CPointer(Type):
    """A C pointer to numbers, as a C callback has among its arguments; ``CPointer(none)`` is ``void *``.

    Parameters
    ----------
    dtype : Number or NoneType
    """

    __slots__ = ("dtype",)
    mutable = True

    def __init__(self, dtype):
        if not isinstance(dtype, (Number, NoneType)) or isinstance(dtype, _NPDatetimeBase):
            raise TypeError(f"pointers to {dtype} are not supported")
        self.dtype = dtype
        super().__init__("void*" if isinstance(dtype, NoneType) else f"{dtype}*", f"*{dtype.code}")

    def __repr__(self):
        return f"CPointer({self.dtype!r})"


class CFunctionPointer(Type):
    """A native function: that of ctypes, of cffi, or a C callback, as an argument."""

    __slots__ = ("return_type", "args")

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(args)
        code = f"*({''.join(kind.code for kind in self.args)}){return_type.code}"
        super().__init__(f"C function({Signature(return_type, self.args)})", code)


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

    def __init__(self, dtype):
        if not isinstance(dtype, Type):
            raise TypeError(f"{type(self).__name__} takes a type, not {dtype!r}")
        self.dtype = dtype
        super().__init__(self._pattern.format(dtype), self._letter + dtype.code)

    def __repr__(self):
        return f"{type(self).__name__}({self.dtype!r})"


class ListType(_Holder):
    """A list: ``ListType(int64)``. ``item_type`` is the type of its items."""

    __slots__ = ()
    _letter, _pattern, mutable = "L", "ListType[{}]", True

    @property
    def item_type(self):
        return self.dtype


List = ListType


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


optional = Optional


class DictType(Type):
    """A dict: ``DictType(unicode_type, float64)``."""

    __slots__ = ("key_type", "value_type")
    mutable = True

    def __init__(self, key_type, value_type):
        for part in (key_type, value_type):
            if not isinstance(part, Type):
                raise TypeError(f"DictType takes two types, not {part!r}")
        self.key_type, self.value_type = key_type, value_type
        super().__init__(f"DictType[{key_type},{value_type}]", f"K{key_type.code}{value_type.code}")

    def __repr__(self):
        return f"DictType({self.key_type!r}, {self.value_type!r})"


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

    def __repr__(self):
        return f"ClassInstanceType({self.code[2:-1]!r})"


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

    def __repr__(self):
        return f"NamedTuple({self.types!r}, {self.instance_class!r})"


class EnumMember(Type):
    """Members of an enum: ``typeof(Color.RED)``. Its class is ``instance_class``."""

    __slots__ = ("instance_class",)

    def __init__(self, instance_class):
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
    """A type that is defined later: of a field of a jitclass."""

    __slots__ = ("_defined",)

    def __init__(self):
        super().__init__(f"deferred#{len(_deferred)}", f"J[deferred#{len(_deferred)}]")
        self._defined = None
        _deferred.append(self)

    def define(self, definition):
        """Say which type it is."""
        if self._defined is not None:
            raise TypeError("deferred type already defined")
        if not isinstance(definition, ClassInstanceType):
            raise TypeError(f"a deferred type is that of instances of a jitclass, not {definition!r}")
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


class UnicodeType(Type):
    __slots__ = ()


class Bytes(Type):
    __slots__ = ()


class ByteArray(Type):
    __slots__ = ()
    mutable = True


class Signature:
    """A result type and argument types: ``float64(float64, int32)``."""

    __slots__ = ("return_type", "args")

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(args)

    @property
    def code(self):
        return "".join(argument.code for argument in self.args) + ">" + self.return_type.code

    def __eq__(self, other):
        return self.code == other.code if isinstance(other, Signature) else NotImplemented

    def __hash__(self):
        return hash(self.code)

    def __str__(self):
        comma = "," if len(self.args) == 1 else ""
        return f"({', '.join(map(str, self.args))}{comma}) -> {self.return_type}"

    def __repr__(self):
        comma = "," if len(self.args) == 1 else ""
        return f"({', '.join(map(repr, self.args))}{comma}) -> {self.return_type!r}"

    def __reduce__(self):
        return (Signature, (self.return_type, self.args))


boolean = Boolean("bool", "?", 8)
int8, int16, int32, int64 = (Integer(f"int{8 * 2**i}", "bhiq"[i], 8 * 2**i, True) for i in range(4))
uint8, uint16, uint32, uint64 = (Integer(f"uint{8 * 2**i}", "BHIQ"[i], 8 * 2**i, False) for i in range(4))
float16, float32, float64 = Float("float16", "e", 16), Float("float32", "f", 32), Float("float64", "d", 64)
complex64, complex128 = Complex("complex64", "F", 64, float32), Complex("complex128", "D", 128, float64)
none = NoneType("none", "n")
undefined = Type("undefined", "")
unicode_type, bytes_type = UnicodeType("unicode_type", "U"), Bytes("bytes", "Y")
bytearray_type = ByteArray("bytearray", "W")
omitted = Omitted("omitted", "s")
range_type = Type("range(int64)", "R")

bool_ = b1 = boolean
void = none
i1 = char = int8
i2 = short = int16
i4 = intc = int32
i8 = intp = int_ = long_ = longlong = ssize_t = int64
u1 = byte = uchar = uint8
u2 = ushort = uint16
u4 = uintc = uint32
u8 = uintp = uint = ulong = ulonglong = size_t = uint64
f2 = float16
f4 = float_ = float32
f8 = double = float64
c8 = complex64
c16 = complex128

voidptr = CPointer(none)

integer_domain = frozenset([int8, int16, int32, int64, uint8, uint16, uint32, uint64])
signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = integer_domain | real_domain | complex_domain

_SINGLE = (boolean, none, omitted, unicode_type, bytes_type, bytearray_type, range_type, float16, *number_domain)
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

    if code[at] not in "{zZ":
        return _read_scalar(code, at)
    end = end_of(code, at)
    if code[at] == "{":
        return Record(dtype_of(code[at:end])), end
    return (CharSeq if code[at] == "z" else UnicodeCharSeq)(int(code[at + 1 : end])), end


def _read(code, at):
    """The type that starts at code[at], and where it ends."""
    letter = code[at]
    if letter in "{zZ" or code.startswith("v{", at):
        return _read_item(code, at + (letter == "v"))
    if letter == "J":
        end = code.index("]", at)
        return ClassInstanceType(code[at + 2 : end]), end + 1
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
    if letter == "K":
        key, at = _read(code, at + 1)
        value, at = _read(code, at)
        return DictType(key, value), at
    if code.startswith("*(", at):
        arguments, at = [], at + 2
        while code[at] != ")":
            kind, at = _read(code, at)
            arguments.append(kind)
        result, at = _read(code, at + 1)
        return CFunctionPointer(result, arguments), at
    if letter == "*":
        return CPointer(_SCALARS[code[at + 1]]), at + 2
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


__all__ = [name for name, value in list(globals().items()) if not name.startswith("_") and name != "annotations"]
