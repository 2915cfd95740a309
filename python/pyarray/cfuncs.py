"""``cfunc``: native functions with the C calling convention, for callbacks; ``carray`` and ``farray``."""

import ctypes
import functools
import weakref
from functools import partial

from . import _pyarray, types
from ._frameless import frameless
from ._pyarray import Dispatcher
from .decorators import _function_type, _read_options
from .errors import UnsupportedError
from .signatures import code_of

# ------------------------------------------------------------------------------------------------
# Types of ctypes

_CTYPES = {
    "?": ctypes.c_bool,
    "b": ctypes.c_int8,
    "h": ctypes.c_int16,
    "i": ctypes.c_int32,
    "q": ctypes.c_int64,
    "B": ctypes.c_uint8,
    "H": ctypes.c_uint16,
    "I": ctypes.c_uint32,
    "Q": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
    "n": None,
    "*n": ctypes.c_void_p,
}


def _ctypes_type(kind):
    if kind.code in _CTYPES:
        return _CTYPES[kind.code]
    if isinstance(kind, types.CPointer) and isinstance(kind.dtype, types.Record):
        return ctypes.c_void_p  # takes addresses, and pointers to structs of any class
    if isinstance(kind, types.CPointer) and kind.dtype.code in _CTYPES:
        return ctypes.POINTER(_CTYPES[kind.dtype.code])
    raise UnsupportedError(f"ctypes has no type for {kind}; use the callback's address")


# ------------------------------------------------------------------------------------------------
# Callbacks


_callbacks = weakref.WeakValueDictionary()
_kept = set()  # callbacks whose addresses somebody has


def at_address(address):
    """The callback at an address.

    Raises
    ------
    TypeError
        Where there is none: for functions of C.
    """
    found = _callbacks.get(address)
    if found is None:
        raise TypeError("a FunctionType takes functions compiled by njit or cfunc, no other C functions")
    return found


class CFunc:
    """A compiled C callback; made by :func:`cfunc`.

    Calling it runs the Python function. The compiled code lives as long as this object, or as what ``ctypes`` gives;
    where ``address`` was asked for, as long as the process.

    Attributes
    ----------
    address : int
        Of the native function.
    ctypes : ctypes function object
        The native function for ctypes and ``scipy.LowLevelCallable``.
    native_name, symbol_name : str
        Of the native function in its object file.
    signature : Signature
    py_func, __wrapped__ : function
        The Python function.
    cache_hits : int
        1 if the code was read from the disk cache.
    """

    def __init__(self, function, code, options, target_options):
        functools.update_wrapper(self, function)
        self.signature = types.signature_from_code(code)
        self._dispatcher = Dispatcher(function, options, target_options, cfunc=True)
        self._address = self._dispatcher._compile_to_address(self.signature)
        _callbacks[self._address] = self

    native_name = symbol_name = "pyarray_cfunc"

    @property
    def address(self):
        """Address of the native function; from then on the code stays, since whoever has the number may call it."""
        _kept.add(self)
        return self._address

    @property
    def py_func(self):
        """The Python function."""
        return self.__wrapped__

    # Numba's names: programs that write down a WrapperAddressProtocol take them.
    _wrapper_address, _pyfunc = address, py_func
    _sig = property(lambda self: self.signature)

    @functools.cached_property
    def ctypes(self):
        """The native function as ctypes calls it; it keeps this object alive."""
        result, *arguments = map(_ctypes_type, (self.signature.return_type, *self.signature.args))
        function = ctypes.CFUNCTYPE(result, *arguments)(self._address)
        function.cfunc = self  # whoever has the function has its code
        function.__pyarray_cfunc__ = self.__pyarray_cfunc__
        return function

    @property
    def cache_hits(self):
        """1 if the code was read from the disk cache, else 0."""
        return sum(from_cache for _, from_cache, *_ in self._dispatcher._variants())

    def __call__(self, *arguments, **keywords):
        """Run the Python function."""
        return self.__wrapped__(*arguments, **keywords)

    @property
    def __pyarray_cfunc__(self):
        """What the compiler makes of a call in compiled code: (dispatcher, type code)."""
        return self._dispatcher, self.signature.code

    def _show(self, level):
        return self._dispatcher._show(level, self.signature.code)

    def inspect_mlir(self, level=None):
        """The IR of a level, as for functions compiled by :func:`njit`."""
        from ._introspect import _level_name

        return self._show(_level_name(2 if level is None else level))

    def inspect_llvm(self):
        """The optimised LLVM IR."""
        return self._show("llvm-ir-optimized")

    def inspect_asm(self):
        """The machine code as text."""
        return self._show("asm")

    def __repr__(self):
        return f"<C callback {self.__qualname__!r}: {self.signature}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        from ._pickle import _is_importable

        if _is_importable(self):
            return self.__qualname__
        raise TypeError(f"cannot pickle {self!r}: its address means nothing in another process, and no module holds it")


def _make(code, options, given, function):
    if isinstance(function, Dispatcher):
        function = function.py_func
    if not isinstance(function, _function_type):
        raise TypeError(f"cfunc compiles Python functions, not {function!r}")
    return CFunc(function, code, options, given)


@frameless
def cfunc(signature, locals=None, cache=None, **options):
    """Compile a function to native code that C can call.

    Parameters
    ----------
    signature : str, Signature
        With its result, ``'float64(int32, CPointer(float64))'``. Arguments and result are numbers, bools and pointers;
        the result may be void.
    locals : dict, optional
        Accepted for Numba's sake; types of local variables cannot be forced.
    cache : bool, optional
        Keep compiled code on disk. On by default.
    nopython, fastmath, error_model, boundscheck, debug, ...
        As for :func:`njit`.

    Returns
    -------
    decorator
        Of functions; it gives a :class:`CFunc`.

    Raises
    ------
    TypeError
        For a signature without a result, or an unknown option.
    TypingError
        Where signature and function do not fit each other.
    UnsupportedError
        For types that C does not have.
    """
    if isinstance(signature, _function_type):
        raise TypeError("cfunc needs a signature with its result type: @cfunc('float64(float64)')")
    code = code_of(signature)
    if code.endswith(">"):
        raise TypeError(
            f"the signature {signature!r} has no result type; write it as 'float64(float64)', or 'void(...)'"
        )
    given = {name: value for name, value in {"locals": locals, "cache": cache, **options}.items() if value is not None}
    return partial(_pyarray._without_own_frames, _make, code, _read_options(given), given)


# ------------------------------------------------------------------------------------------------
# Arrays over foreign memory


def _element_type(pointer, dtype):
    """The dtype of the elements and the address of the first, of a ctypes pointer."""
    import numpy

    dtype = None if dtype is None else numpy.dtype(types.as_dtype(dtype) if isinstance(dtype, types.Type) else dtype)
    if isinstance(pointer, ctypes.c_void_p):
        if dtype is None:
            raise TypeError("a dtype is needed, since void* says nothing of the elements")
        return dtype, pointer.value
    if not isinstance(pointer, ctypes._Pointer):
        raise TypeError(f"expected a ctypes pointer, got {pointer!r}")
    own = numpy.dtype(pointer._type_)
    if dtype is not None and dtype != own:
        raise TypeError(f"the dtype {dtype} does not fit the pointer, to {own}")
    return own, ctypes.cast(pointer, ctypes.c_void_p).value


def _foreign_array(pointer, shape, dtype, order):
    import numpy

    element, address = _element_type(pointer, dtype)
    if not address:
        raise ValueError("the pointer is NULL")
    shape = shape if isinstance(shape, tuple) else (shape,)
    size = element.itemsize * int(numpy.prod(shape, dtype=numpy.int64))
    memory = (ctypes.c_char * size).from_address(address)
    return numpy.ndarray(shape, element, memory, order=order)


def carray(ptr, shape, dtype=None):
    """An array in C order over the memory at a pointer, which it does not own.

    Parameters
    ----------
    ptr : C pointer in compiled code, ctypes pointer in Python
    shape : int or tuple of int
    dtype : dtype, optional
        Needed for ``void *``; must agree with any other pointer's.

    Returns
    -------
    numpy.ndarray
        Valid as long as the memory is.
    """
    return _foreign_array(ptr, shape, dtype, "C")


def farray(ptr, shape, dtype=None):
    """As :func:`carray`, in Fortran order."""
    return _foreign_array(ptr, shape, dtype, "F")
