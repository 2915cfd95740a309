# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, overload

import numpy

from ._types_basic import Signature as _Signature
from ._types_basic import Type as _Type

_P = ParamSpec("_P")
_R_co = TypeVar("_R_co", covariant=True)
_R = TypeVar("_R")
_C = TypeVar("_C", bound=type[Any])
_Signatures = str | _Signature | tuple[Any, ...] | list[Any]

class _Compiled(Generic[_P, _R_co]):
    """A compiled function."""

    __name__: str
    __qualname__: str
    options: dict[str, Any]
    targetoptions: dict[str, Any]
    @property
    def py_func(self) -> Callable[_P, _R_co]: ...
    @property
    def signatures(self) -> list[tuple[Any, ...]]: ...
    @property
    def nopython_signatures(self) -> list[Any]: ...
    @property
    def overloads(self) -> Mapping[Any, Any]: ...
    @property
    def stats(self) -> Any: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def compile(self, signature: Any, /) -> Callable[..., Any]: ...
    def recompile(self) -> None: ...
    def disable_compile(self, value: bool = True, /) -> None: ...
    def enable_caching(self) -> None: ...
    def get_metadata(self, signature: Any = None) -> Any: ...
    def get_call_template(self, args: Any, kws: Any) -> Any: ...
    def inspect_types(self, file: Any = None, signature: Any = None) -> None: ...
    def inspect_mlir(self, level: str | int | None = None, signature: Any = None) -> Any: ...
    def inspect_llvm(self, signature: Any = None) -> Any: ...
    def inspect_asm(self, signature: Any = None) -> Any: ...
    def inspect_cfg(self, signature: Any = None, show_wrapper: Any = None, **options: Any) -> Any: ...
    def inspect_disasm_cfg(self, signature: Any = None) -> Any: ...
    def inspect_parallel(self, signature: Any = None) -> Any: ...
    def inspect_fusion(self, signature: Any = None) -> Any: ...
    def parallel_diagnostics(self, signature: Any = None, level: int = 1) -> None: ...
    def fusion_report(self, signature: Any = None) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...

class _Decorator(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> _Compiled[_P, _R]: ...

class _UfuncDecorator(Protocol):
    def __call__(self, function: Callable[..., Any], /) -> numpy.ufunc: ...

@overload
def njit(function: Callable[_P, _R], /, **options: Any) -> _Compiled[_P, _R]: ...
@overload
def njit(signature: _Signatures | None = None, /, **options: Any) -> _Decorator: ...
@overload
def jit(function: Callable[_P, _R], /, **options: Any) -> _Compiled[_P, _R]: ...
@overload
def jit(signature: _Signatures | None = None, /, **options: Any) -> _Decorator: ...
@overload
def vectorize(function: Callable[..., Any], /, **options: Any) -> numpy.ufunc: ...
@overload
def vectorize(signatures: str | Iterable[Any] = ..., /, **options: Any) -> _UfuncDecorator: ...
def guvectorize(*signatures: Any, **options: Any) -> _UfuncDecorator: ...
@overload
def stencil(kernel: Callable[..., Any], /, **options: Any) -> Callable[..., Any]: ...
@overload
def stencil(mode: str = "constant", /, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
@overload
def jitclass(cls: _C, spec: Any = None, /) -> _C: ...
@overload
def jitclass(spec: Any = None, /) -> Callable[[_C], _C]: ...
def cfunc(signature: Any, **options: Any) -> Callable[[Callable[..., Any]], _CFunc]: ...

from .cfuncs import CFunc as _CFunc

DUFunc: Any  # of vectorize without signatures: a ufunc in all but its class

class _VersionInfo(NamedTuple):
    major: int
    minor: int
    patch: int
    short: tuple[int, int]
    full: tuple[int, int, int]
    string: str
    tuple: Any
    git_revision: str | None

__version__: str
version_info: _VersionInfo

class prange:
    def __init__(self, start: int, stop: int = ..., step: int = ..., /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...

class pndindex:
    def __init__(self, *shape: Any) -> None: ...
    def __iter__(self) -> Iterator[tuple[int, ...]]: ...

def set_num_threads(n: int, /) -> None: ...
def get_num_threads() -> int: ...
def get_thread_id() -> int: ...
def threading_layer() -> str: ...
def set_parallel_chunksize(n: int, /) -> int: ...
def get_parallel_chunksize() -> int: ...

# From here on written by tools/write_stubs.py.
from . import cfuncs as cfuncs
from . import classes as classes
from . import config as config
from . import core as core
from . import cpython as cpython
from . import cuda as cuda
from . import decorators as decorators
from . import errors as errors
from . import experimental as experimental
from . import extending as extending
from . import misc as misc
from . import np as np
from . import parallel as parallel
from . import records as records
from . import signatures as signatures
from . import stencils as stencils
from . import typed as typed
from . import types as types
from . import ufuncs as ufuncs
from ._as_numba import (
    install_as_numba as install_as_numba,
)
from ._objmode import (
    objmode as objmode,
)
from .cfuncs import (
    carray as carray,
    farray as farray,
)
from .classes import (
    as_numba_type as as_numba_type,
)
from .decorators import (
    jit_module as jit_module,
    typeof as typeof,
)
from .errors import (
    ByteCodeSupportError as ByteCodeSupportError,
    CompilerError as CompilerError,
    ConstantInferenceError as ConstantInferenceError,
    DeprecationError as DeprecationError,
    ForbiddenConstruct as ForbiddenConstruct,
    ForceLiteralArg as ForceLiteralArg,
    IRError as IRError,
    InternalError as InternalError,
    LiteralTypingError as LiteralTypingError,
    LoweringError as LoweringError,
    NotDefinedError as NotDefinedError,
    NumbaAssertionError as NumbaAssertionError,
    NumbaAttributeError as NumbaAttributeError,
    NumbaDebugInfoWarning as NumbaDebugInfoWarning,
    NumbaDeprecationWarning as NumbaDeprecationWarning,
    NumbaError as NumbaError,
    NumbaExperimentalFeatureWarning as NumbaExperimentalFeatureWarning,
    NumbaIRAssumptionWarning as NumbaIRAssumptionWarning,
    NumbaIndexError as NumbaIndexError,
    NumbaInvalidConfigWarning as NumbaInvalidConfigWarning,
    NumbaKeyError as NumbaKeyError,
    NumbaNotImplementedError as NumbaNotImplementedError,
    NumbaParallelSafetyWarning as NumbaParallelSafetyWarning,
    NumbaPedanticWarning as NumbaPedanticWarning,
    NumbaPendingDeprecationWarning as NumbaPendingDeprecationWarning,
    NumbaPerformanceWarning as NumbaPerformanceWarning,
    NumbaRuntimeError as NumbaRuntimeError,
    NumbaSystemWarning as NumbaSystemWarning,
    NumbaTypeError as NumbaTypeError,
    NumbaTypeSafetyWarning as NumbaTypeSafetyWarning,
    NumbaValueError as NumbaValueError,
    NumbaWarning as NumbaWarning,
    PyArrayError as PyArrayError,
    RedefinedError as RedefinedError,
    RequireLiteralValue as RequireLiteralValue,
    TypingError as TypingError,
    UnsupportedBytecodeError as UnsupportedBytecodeError,
    UnsupportedError as UnsupportedError,
    UnsupportedRewriteError as UnsupportedRewriteError,
    UntypedAttributeError as UntypedAttributeError,
    VerificationError as VerificationError,
)
from .extending import (
    literal_unroll as literal_unroll,
    literally as literally,
)
from .parallel import (
    parallel_chunksize as parallel_chunksize,
)
from .types import (
    CPointer as CPointer,
    as_dtype as as_dtype,
    b1 as b1,
    bool_ as bool_,
    boolean as boolean,
    byte as byte,
    c16 as c16,
    c8 as c8,
    char as char,
    complex128 as complex128,
    complex64 as complex64,
    deferred_type as deferred_type,
    double as double,
    f2 as f2,
    f4 as f4,
    f8 as f8,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    float_ as float_,
    from_dtype as from_dtype,
    i1 as i1,
    i2 as i2,
    i4 as i4,
    i8 as i8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    int_ as int_,
    intc as intc,
    intp as intp,
    long_ as long_,
    longlong as longlong,
    none as none,
    optional as optional,
    short as short,
    size_t as size_t,
    ssize_t as ssize_t,
    u1 as u1,
    u2 as u2,
    u4 as u4,
    u8 as u8,
    uchar as uchar,
    uint as uint,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    uintc as uintc,
    uintp as uintp,
    ulong as ulong,
    ulonglong as ulonglong,
    ushort as ushort,
    void as void,
    voidptr as voidptr,
)
from .ufuncs import (
    inspect as inspect,
)
