"""What a type is, and the types of numbers and times."""

import re as _re


class Type:
    """A type of compiled code. Types are values: equal by content, hashable."""

    __slots__ = ("name", "code")

    def __init__(self, name, code=None):
        self.name = name
        if code is not None:
            self.code = code

    def __getattr__(self, name):
        if name != "code":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        from ._user_types import code_of  # a type of the user's

        return code_of(self)

    def __eq__(self, other):
        return self.code == other.code if isinstance(other, Type) else NotImplemented

    def __hash__(self):
        return hash(self.code)

    def __str__(self):
        return self.name

    def __repr__(self):
        return self.name

    def __reduce__(self):
        from .types import from_code

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
        from ._types_arrays import Array

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

    def _is_ordered_with(self, other):
        return type(self) is type(other) and getattr(self, "signed", None) == getattr(other, "signed", None)

    def __lt__(self, other):
        return self.bitwidth < other.bitwidth if self._is_ordered_with(other) else NotImplemented

    def __le__(self, other):
        return self.bitwidth <= other.bitwidth if self._is_ordered_with(other) else NotImplemented


class Boolean(Number):
    __slots__ = ()

    def _cast(self, value):
        return bool(value)


class Integer(Number):
    __slots__ = ("signed",)

    def __init__(self, name, code, bitwidth, signed):
        super().__init__(name, code, bitwidth)
        self.signed = signed

    @classmethod
    def from_bitwidth(cls, bitwidth, signed=True):
        """The type of integers of so many bits."""
        for kind in integer_domain:
            if (kind.bitwidth, bool(kind.signed)) == (bitwidth, bool(signed)):
                return kind
        raise ValueError(f"there are no {'' if signed else 'un'}signed integers of {bitwidth} bits")

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


class Signature:
    """A result type and argument types: ``float64(float64, int32)``."""

    __slots__ = ("return_type", "args")

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(args)

    @property
    def code(self):
        return "".join(argument.code for argument in self.args) + ">" + self.return_type.code

    def as_type(self):
        """The type of functions of this signature."""
        from ._types_functions import FunctionType

        return FunctionType(self)

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


class UnicodeType(Type):
    __slots__ = ()


class Bytes(Type):
    __slots__ = ()


class ByteArray(Type):
    __slots__ = ()
    mutable = True


boolean = Boolean("bool", "?", 8)
int8, int16, int32, int64 = (Integer(f"int{8 * 2**i}", "bhiq"[i], 8 * 2**i, True) for i in range(4))
uint8, uint16, uint32, uint64 = (Integer(f"uint{8 * 2**i}", "BHIQ"[i], 8 * 2**i, False) for i in range(4))
bfloat16 = Float("bfloat16", "g", 16)
float16, float32, float64 = Float("float16", "e", 16), Float("float32", "f", 32), Float("float64", "d", 64)
complex64, complex128 = Complex("complex64", "F", 64, float32), Complex("complex128", "D", 128, float64)
none = NoneType("none", "n")
undefined = Type("undefined", "")
unicode_type, bytes_type = UnicodeType("unicode_type", "U"), Bytes("bytes", "Y")
bytearray_type = ByteArray("bytearray", "W")
omitted = Omitted("omitted", "s")
range_type = Type("range(int64)", "R")
ellipsis = Type("ellipsis", "t[Ellipsis]")
npy_rng, npy_bitgen = Type("Generator", "rg"), Type("BitGenerator", "rb")  # NumPy's; the names are Numba's

integer_domain = frozenset([int8, int16, int32, int64, uint8, uint16, uint32, uint64])
signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = integer_domain | real_domain | complex_domain
