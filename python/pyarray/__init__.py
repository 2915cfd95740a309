"""pyarray: Python functions over NumPy arrays, compiled to native code.

Everything is looked up when first used, so that ``import pyarray`` loads little more than NumPy.
"""

import os as _os
import sys as _sys
import time as _time
from collections import namedtuple as _namedtuple

try:
    from . import _pyarray
except ImportError as error:
    _version = f"{_sys.version_info.major}.{_sys.version_info.minor}"
    raise ImportError(
        f"pyarray's extension module cannot be loaded; is it built for Python {_version}? ({error})"
    ) from None

#: Written once, in CMakeLists.txt.
__version__ = _pyarray.version

#: The version of Numba whose interface this is, for programs that ask `numba.version_info`; our own is `__version__`.
version_info = _namedtuple("version_info", "major minor patch short full string tuple git_revision")(
    0, 68, 1, (0, 68), (0, 68, 1), "0.68.1", ("0", "68", "1"), None
)

#: When this process imported pyarray: source files changed later may not belong to the functions in memory.
_import_time = _time.time()


def _wait_for_imports():
    """Before a fork: a child that wants a module that another thread imports would wait for that thread, in vain."""
    end = _time.monotonic() + 10
    while _time.monotonic() < end and any(
        name.startswith("pyarray.") and getattr(getattr(module, "__spec__", None), "_initializing", False)
        for name, module in list(_sys.modules.items())
    ):
        _time.sleep(0.001)


if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_wait_for_imports)

# Module of every public name.
_TYPES = (
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 boolean bool_ none "
    "void intp uintp intc uintc int_ uint byte char uchar short ushort long_ ulong longlong ulonglong float_ double "
    "size_t ssize_t b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 CPointer voidptr"
).split()
_ERRORS = (
    "PyArrayError NumbaError TypingError UnsupportedError LoweringError NumbaWarning NumbaPerformanceWarning "
    "NumbaDeprecationWarning NumbaPendingDeprecationWarning NumbaTypeSafetyWarning ByteCodeSupportError CompilerError "
    "ConstantInferenceError DeprecationError ForbiddenConstruct ForceLiteralArg IRError InternalError "
    "LiteralTypingError NotDefinedError NumbaAssertionError NumbaAttributeError NumbaDebugInfoWarning "
    "NumbaExperimentalFeatureWarning NumbaIRAssumptionWarning NumbaIndexError NumbaInvalidConfigWarning NumbaKeyError "
    "NumbaNotImplementedError NumbaParallelSafetyWarning NumbaPedanticWarning NumbaRuntimeError NumbaSystemWarning "
    "NumbaTypeError NumbaValueError RedefinedError RequireLiteralValue UnsupportedBytecodeError "
    "UnsupportedRewriteError UntypedAttributeError VerificationError"
).split()
_CALLBACKS = ("cfunc", "carray", "farray")
_UFUNCS = ("vectorize", "guvectorize", "DUFunc", "inspect")
_CLASSES = ("jitclass", "as_numba_type")
_MORE_TYPES = ("deferred_type", "optional", "from_dtype", "as_dtype")
_EXTENDING = ("literal_unroll", "literally")
_PARALLEL = (
    "set_num_threads get_num_threads get_thread_id threading_layer set_parallel_chunksize get_parallel_chunksize "
    "parallel_chunksize"
).split()
_HOME = {
    **{name: "decorators" for name in ("jit", "jit_module", "njit", "pndindex", "prange", "typeof")},
    **{name: "ufuncs" for name in _UFUNCS},
    **{name: "cfuncs" for name in _CALLBACKS},
    **{name: "extending" for name in _EXTENDING},
    "objmode": "_objmode",
    "stencil": "stencils",
    "install_as_numba": "_as_numba",
    **{name: "classes" for name in _CLASSES},
    **{name: "types" for name in (*_TYPES, *_MORE_TYPES)},
    **{name: "errors" for name in _ERRORS},
    **{name: "parallel" for name in _PARALLEL},
}
_MODULES = tuple(
    "cfuncs classes cpython cuda types errors config core decorators experimental extending misc np parallel records "
    "signatures stencils typed ufuncs".split()
)

__all__ = ["jit", "jit_module", "njit", "pndindex", "prange", "typeof", "types", "errors", "config"]
__all__ += ["install_as_numba", "objmode", "stencil"]
__all__ += [*_EXTENDING, *_CALLBACKS, *_CLASSES, *_UFUNCS, *_TYPES, *_MORE_TYPES, *_ERRORS, *_PARALLEL]


def _look_up_later(namespace, home, modules, public):
    """``__getattr__`` and ``__dir__`` of a package: ``home`` has the module of each name, ``modules`` are its own."""
    package = namespace["__name__"]

    def __getattr__(name):
        from importlib import import_module

        if name in home:
            value = getattr(import_module("." + home[name], package), name)
        elif name in modules:
            value = import_module("." + name, package)
        else:
            from ._not_here import missing

            return missing(package, name)
        namespace[name] = value
        return value

    def __dir__():
        return sorted({*namespace, *public, *modules})

    return __getattr__, __dir__


__getattr__, __dir__ = _look_up_later(globals(), _HOME, _MODULES, __all__)


class _Elsewhere:
    """Asked last for a module that no one finds: of those that only Numba has it says what to use instead."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("pyarray."):
            from ._not_here import check_module

            return check_module(name)


_sys.meta_path.append(_Elsewhere)
