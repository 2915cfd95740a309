"""Native functions and pointers of ctypes and cffi as compiled code has them (``docs/cfunc.md``).

A function has a type code, ``'*(di)d'`` is ``double (double, int)``, and an address, which is read when it is passed,
or when a function that names it is compiled.
"""

import ctypes
import sys

_SIMPLE = {**{letter: letter for letter in "?bhiqBHIQfd"}, "l": "q", "L": "Q", "P": "*n", "z": "*b", "c": "b"}
_POINTEES = "?bhiqBHIQfd"


def _ctypes_code(kind, what):
    """The type code of a ctypes type."""
    letter = getattr(kind, "_type_", None)
    if isinstance(letter, str) and letter in _SIMPLE and issubclass(kind, ctypes._SimpleCData):
        return _SIMPLE[letter]
    if isinstance(letter, type) and issubclass(kind, ctypes._Pointer):
        if issubclass(letter, ctypes.Structure):
            return "*" + _struct_code(letter)
        pointee = _SIMPLE.get(getattr(letter, "_type_", None) if issubclass(letter, ctypes._SimpleCData) else None, "n")
        return "*" + (pointee if pointee in _POINTEES else "n")
    raise TypeError(f"{what} has the type {kind!r}, which compiled code does not have")


def _struct_code(kind):
    """The code of records that lie as this struct of ctypes does; that of nothing where compiled code has none."""
    import numpy

    from .records import code_of

    try:
        return code_of(numpy.dtype(kind))
    except (TypeError, ValueError, NotImplementedError):
        return "n"


def _ctypes_function(function):
    name = getattr(function, "__name__", None) or "this ctypes function"
    if function.argtypes is None:
        raise TypeError(f"{name} has no argtypes; set its argtypes and restype first")
    if function._flags_ & ctypes._FUNCFLAG_PYTHONAPI:
        raise TypeError(f"{name} is a function of Python's own API, which compiled code cannot call")
    if getattr(function, "errcheck", None):
        raise TypeError(f"{name} has an errcheck, which compiled code cannot call")
    arguments = [_ctypes_code(kind, f"argument {i} of {name}") for i, kind in enumerate(function.argtypes)]
    result = "n" if function.restype is None else _ctypes_code(function.restype, f"the result of {name}")
    return f"*({''.join(arguments)}){result}", ctypes.cast(function, ctypes.c_void_p).value or 0


def _wrapper_function(value):
    """An object of Numba's `WrapperAddressProtocol`, which tells the address and the signature of a C function."""
    from . import types

    signature = value.signature()
    if isinstance(signature, types.FunctionType):
        signature = signature.signature
    if not isinstance(signature, types.Signature):
        raise TypeError(f"signature() of {value!r} gives {signature!r}, which is no signature")
    kinds = [kind.code for kind in (*signature.args, signature.return_type)]
    if any(code not in _SIMPLE.values() and code != "n" for code in kinds):
        raise TypeError(f"{value!r} has the signature {signature}; C functions take numbers and pointers")
    return f"*({''.join(kinds[:-1])}){kinds[-1]}", int(value.__wrapper_address__())


def _cffi_code(ffi, kind, what):
    """The type code of a cffi type."""
    if kind.kind == "void":
        return "n"
    if kind.kind == "pointer":
        code = _cffi_code(ffi, kind.item, what) if kind.item.kind in ("primitive", "void") else "n"
        return "*" + (code if code in _POINTEES else "n")
    if kind.kind in ("primitive", "enum"):
        size, name = ffi.sizeof(kind), kind.cname
        if name == "_Bool":
            return "?"
        if name in ("float", "double"):
            return name[0]
        if "_Complex" not in name and "double" not in name:
            signed = kind.kind == "enum" or int(ffi.cast(kind, -1)) < 0
            return ("bhiq" if signed else "BHIQ")[{1: 0, 2: 1, 4: 2, 8: 3}[size]]
    raise TypeError(f"{what} has the type {kind.cname}, which compiled code does not have")


def _cffi_value(value):
    import _cffi_backend as ffi

    kind = ffi.typeof(value)
    word = ffi.new_primitive_type("uintptr_t")
    address = int(ffi.cast(word, value)) if kind.kind in ("pointer", "function") else 0
    if kind.kind == "pointer" and kind.item.kind != "function":
        return _cffi_code(ffi, kind, "the pointer"), address
    function = kind if kind.kind == "function" else kind.item if kind.kind == "pointer" else None
    if function is None:
        raise TypeError(f"a value of the C type {kind.cname} is not supported")
    if function.ellipsis:
        raise TypeError("C functions with a variable number of arguments are not supported")
    arguments = [
        _cffi_code(ffi, argument, f"argument {i} of the C function") for i, argument in enumerate(function.args)
    ]
    return f"*({''.join(arguments)}){_cffi_code(ffi, function.result, 'the result of the C function')}", address


def _is_cffi(value):
    backend = sys.modules.get("_cffi_backend")
    return backend is not None and isinstance(value, backend._CDataBase)


def _cffi_function(value):
    """The C function, as a pointer, that a function of a module which cffi made calls; else None."""
    backend, library = sys.modules.get("_cffi_backend"), getattr(value, "__self__", None)
    if backend is None or not isinstance(library, backend.Lib):
        return None
    return sys.modules[value.__module__].ffi.addressof(library, value.__name__)


#: Numba's name for whether cffi is there; what programs tell it of modules and structs is known here without.
SUPPORTED = True


def register_module(mod):
    """Functions of ``mod.lib`` are known without it."""


def register_type(cffi_type, numba_type):
    """Pointers to structs are those to any memory."""


class Pointer:
    """A pointer as an argument: an address, and the type code ``'*d'`` of a ``double *``."""

    __slots__ = ("address", "code")

    def __init__(self, code, address):
        self.code, self.address = code, address


class FunctionValue:
    """A compiled function as a value of a FunctionType."""

    __slots__ = ("address", "code")

    def __init__(self, function, code):
        from ._pyarray import _function_value

        self.address, self.code = _function_value(function, code), code


def as_item(value, code):
    """The value as compiled code takes it where the type of items is ``code``."""
    return FunctionValue(value, code) if code.startswith("*:") else value


def item_code(value):
    """The type code that a value has as an item of a typed container: that of compiled functions is their signature.

    Raises
    ------
    TypeError
        Where values of its type are no items, such as a function without a declared signature.
    """
    from . import _pyarray, types

    callback = getattr(value, "__pyarray_cfunc__", None)
    if callback is not None:
        arguments, result = callback[1].split(">")
        return f"*:({arguments}){result}"
    if not isinstance(value, _pyarray.Dispatcher):
        return _pyarray.type_code(value)
    signatures = value.nopython_signatures
    if value._can_compile() or len(signatures) != 1:
        many = "several signatures" if len(signatures) > 1 and not value._can_compile() else "no declared signature"
        raise TypeError(
            f"{value.__name__}() has {many}, and the items of a typed container are functions of one signature\n"
            "hint: declare the signature in the decorator, or make the container by "
            "empty_list(types.FunctionType(float64(float64))), Dict.empty() likewise"
        )
    return types.FunctionType(signatures[0]).code


def native(value):
    """The type code and the address of a native function or a pointer; None where it is something else.

    Raises
    ------
    TypeError
        Where compiled code cannot call or use it; the message says why.
    """
    if isinstance(value, (FunctionValue, Pointer)):
        return value.code, value.address
    callback = getattr(value, "__pyarray_cfunc__", None)
    if callback is not None:
        code = callback[1]
        return f"*({code[: code.index('>')]}){code[code.index('>') + 1 :]}", getattr(
            value, "_address", None
        ) or ctypes.cast(value, ctypes.c_void_p).value
    if isinstance(value, ctypes._CFuncPtr):
        return _ctypes_function(value)
    if isinstance(value, ctypes.c_void_p):
        return "*n", value.value or 0
    if isinstance(value, ctypes._Pointer):
        return _ctypes_code(type(value), "the pointer"), ctypes.cast(value, ctypes.c_void_p).value or 0
    if _is_cffi(value):
        return _cffi_value(value)
    function = _cffi_function(value)
    if function is not None:
        return _cffi_value(function)
    if hasattr(type(value), "__wrapper_address__"):
        return _wrapper_function(value)
    return None


def is_from_buffer(value):
    """Whether it is ``ffi.from_buffer`` of cffi."""
    backend = sys.modules.get("_cffi_backend")
    if backend is None or getattr(value, "__name__", None) != "from_buffer":
        return False
    return isinstance(
        getattr(value, "__self__", None), (backend.FFI, getattr(sys.modules.get("cffi.api"), "FFI", backend.FFI))
    )
