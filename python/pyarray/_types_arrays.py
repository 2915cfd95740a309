"""Types of arrays and of what lies in them as bytes, of memoryviews, C pointers and native functions."""

from ._types_basic import NoneType, Number, Signature, Type, _NPDatetimeBase


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


class Vector(Type):
    """A vector of CUDA's: ``from_dtype(cuda.float32x4)``."""

    __slots__ = ("dtype",)

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(dtype.type.__name__[1:], dtype.type.code)

    @property
    def num_elements(self):
        return len(self.dtype.names)

    @property
    def base_type(self):
        """The type of its elements."""
        return from_dtype(self.dtype[0])


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

    @classmethod
    def make_c_struct(cls, name_types):
        """The record of a C struct with these fields, laid out as a C compiler does.

        Parameters
        ----------
        name_types : sequence of (str, Type)
            Types are numbers, bool, records, `NestedArray` and text of a fixed length.

        Raises
        ------
        TypeError
            For a type that a record cannot hold.
        """
        import numpy

        fields = []
        for name, kind in name_types:
            if not isinstance(name, str):
                raise TypeError(f"the name of a field is a str, not {name!r}")
            try:
                fields.append((name, as_dtype(kind)))
            except TypeError:
                raise TypeError(f"field {name!r} of a C struct cannot have the type {kind}") from None
        if not fields:
            raise TypeError("a C struct has at least one field")
        return cls(numpy.dtype(fields, align=True))

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
        from .records import without_axes

        base, shape = without_axes(self.dtype.fields[name][0])
        return NestedArray(from_dtype(base), shape) if shape else from_dtype(base)

    def offset(self, name):
        """Where a field begins, in bytes."""
        return self.dtype.fields[name][1]

    def __len__(self):
        return len(self.dtype.names)


def from_dtype(dtype):
    """The type of the elements of arrays of a NumPy dtype."""
    import numpy

    from ._type_codes import _read_item
    from .records import code_of

    dtype = numpy.dtype(dtype)
    code = code_of(dtype)
    return Record(dtype) if code[0] == "{" else _read_item(code, 0)[0]


def as_dtype(kind):
    """The NumPy dtype of a type."""
    import numpy

    from .records import dtype_of

    if isinstance(kind, NestedArray):
        return numpy.dtype((as_dtype(kind.dtype), kind.shape))
    if isinstance(kind, (Record, Vector)):
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
    dtype : Number, Record, Vector, CharSeq or UnicodeCharSeq
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
        if not isinstance(dtype, (Number, Record, Vector, CharSeq, UnicodeCharSeq)):
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


class DType(Type):
    """A dtype as a value, or a class of NumPy's scalars: ``DType(float64)``.

    Parameters
    ----------
    dtype : Number or Record
        The type of the items.
    """

    __slots__ = ("dtype",)

    def __init__(self, dtype):
        if not isinstance(dtype, (Number, Record)):
            raise TypeError(f"compiled code has no dtype of {dtype} as a value")
        self.dtype = dtype
        super().__init__(f"dtype({dtype})", f"t{dtype.code}")

    def __repr__(self):
        return f"DType({self.dtype!r})"


class CPointer(Type):
    """A C pointer to numbers or structs, as a C callback has among its arguments; ``CPointer(none)`` is ``void *``.

    Parameters
    ----------
    dtype : Number, Record or NoneType
    """

    __slots__ = ("dtype",)
    mutable = True

    def __init__(self, dtype, addrspace=None):
        own = isinstance(dtype, Type) and dtype.code.startswith("!")  # a type of the user's, which no code looks into
        if not own and (not isinstance(dtype, (Number, Record, NoneType)) or isinstance(dtype, _NPDatetimeBase)):
            raise TypeError(f"pointers to {dtype} are not supported")
        self.dtype = dtype
        super().__init__("void*" if isinstance(dtype, NoneType) else f"{dtype}*", "*n" if own else f"*{dtype.code}")

    def __repr__(self):
        return f"CPointer({self.dtype!r})"


class CFunctionPointer(Type):
    """A native function: that of ctypes, of cffi, or a C callback, as an argument."""

    __slots__ = ("return_type", "args")

    def __init__(self, return_type, args):
        self.return_type, self.args = return_type, tuple(args)
        code = f"*({''.join(kind.code for kind in self.args)}){return_type.code}"
        super().__init__(f"C function({Signature(return_type, self.args)})", code)


class MemoryView(Type):
    """A memoryview; ``array`` is the type of what it shows, ``format`` the letter of its items."""

    __slots__ = ("array", "format")

    def __init__(self, format, array):
        super().__init__(f"memoryview of {array}", f"V{format}{array.code}")
        self.array, self.format = array, format

    dtype = property(lambda self: self.array.dtype)
    ndim = property(lambda self: self.array.ndim)
    layout = property(lambda self: self.array.layout)
    mutable = property(lambda self: self.array.mutable)
