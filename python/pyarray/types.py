"""Type objects: ``float64``, ``int32[:, ::1]``, ``float64(float64, int32[:])``.

Each type has a ``code``, the compact text that dispatcher and compiler share (``docs/internals.md``): ``d`` is float64,
``[C2d`` a C-contiguous 2-dimensional array of it.
"""

# ruff: noqa: F401
from ._places import open_places as _open_places
from ._type_codes import arguments_from_code, from_code, signature_from_code
from ._types_arrays import (
    Array,
    CFunctionPointer,
    CharSeq,
    CPointer,
    DType,
    MemoryView,
    NestedArray,
    Record,
    UnicodeCharSeq,
    Vector,
    as_dtype,
    from_dtype,
)
from ._types_basic import (
    Boolean,
    ByteArray,
    Bytes,
    Complex,
    Float,
    Integer,
    NoneType,
    NPDatetime,
    NPTimedelta,
    Number,
    Omitted,
    Signature,
    Type,
    UnicodeType,
    bfloat16,
    boolean,
    bytearray_type,
    bytes_type,
    complex64,
    complex128,
    complex_domain,
    ellipsis,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    integer_domain,
    none,
    npy_bitgen,
    npy_rng,
    number_domain,
    omitted,
    range_type,
    real_domain,
    signed_domain,
    uint8,
    uint16,
    uint32,
    uint64,
    undefined,
    unicode_type,
    unsigned_domain,
)
from ._types_containers import (
    BaseTuple,
    ClassInstanceType,
    DeferredType,
    Deque,
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
    UniTuple,
    deferred_type,
)
from ._types_functions import FunctionType, WrapperAddressProtocol
from ._types_kinds import (
    ArrayCompatible,
    BaseAnonymousTuple,
    BaseNamedTuple,
    Buffer,
    Callable,
    Container,
    Dispatcher,
    Function,
    Hashable,
    IntEnumMember,
    IterableType,
    MutableSequence,
    NamedUniTuple,
    RangeType,
    Sequence,
    Sized,
)
from ._types_literals import BooleanLiteral, IntegerLiteral, Literal, StringLiteral, literal, unliteral
from ._types_literals import is_known as _is_known
from ._types_literals import with_value as _with_value
from ._types_structs import StructRef

List, SetType = ListType, Set
optional = Optional
string = unicode_type

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

np_number_domain = number_domain
voidptr = CPointer(none)
Any = undefined

__all__ = [name for name, value in list(globals().items()) if not name.startswith("_")]

# Types are known, and pickled, by the name of this module.
for _value in list(globals().values()):
    if hasattr(_value, "__qualname__") and _value.__module__.startswith("pyarray._type"):
        _value.__module__ = __name__

_open_places(__name__)
