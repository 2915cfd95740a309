"""Mutable structs whose fields have the types of what they are made with, as in ``numba.experimental.structref``.

A struct is what an instance of a ``jitclass`` is: one object on the heap of compiled code, with its fields inline.
"""

import linecache

from .. import config, types
from .._pyarray import Instance
from .._types_structs import register as _register
from .._types_structs import set_proxy as _set_proxy
from ..decorators import njit, typeof
from ..errors import UnsupportedError
from ..extending import overload


def _check(struct_typeclass):
    if struct_typeclass is types.StructRef:
        raise ValueError(f"cannot register {types.StructRef}")
    if not isinstance(struct_typeclass, type) or not issubclass(struct_typeclass, types.StructRef):
        raise TypeError(f"a class of structs derives from types.StructRef, not {struct_typeclass!r}")


def define_attributes(struct_typeclass):
    """Let compiled code read and set the fields of such structs; ``register`` does it."""
    _check(struct_typeclass)
    _register(struct_typeclass)


def register(struct_typeclass):
    """Decorator of a class of struct types, a subclass of ``types.StructRef``, which it returns.

    Raises
    ------
    ValueError, TypeError
        For ``types.StructRef`` itself, and for other classes.
    """
    define_attributes(struct_typeclass)
    return struct_typeclass


def new(struct_type):
    """A struct of that type, in compiled code: a variable holds the type. Fields are 0 or not set until assigned to."""
    raise NotImplementedError("structref.new() is for compiled code alone")


# -- Constructors -----------------------------------------------------------------------------------


def _typer(py_class, struct_typeclass, names):
    import inspect

    text = f"def construct({', '.join(names)}):\n    _made = _new(_type)\n"
    text += "".join(f"    _made.{name} = {name}\n" for name in names) + "    return _made\n"
    file = f"<constructor of {py_class.__module__}.{py_class.__qualname__}>"
    signature = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names])

    def construct(*given, **named):
        kinds = signature.bind(*given, **named).args
        namespace = {"_new": new, "_type": struct_typeclass(list(zip(names, kinds, strict=True))), "__name__": __name__}
        linecache.cache[file] = len(text), None, text.splitlines(True), file
        exec(compile(text, file, "exec"), namespace)
        return namespace["construct"]

    construct.__signature__ = signature
    construct.__pyarray_key__ = struct_typeclass, *names
    return construct


def define_constructor(py_class, struct_typeclass, fields):
    """Let compiled code make structs by calling ``py_class``: its arguments are the fields, by position or name.

    Parameters
    ----------
    py_class : type
    struct_typeclass : type
        A registered subclass of ``types.StructRef``.
    fields : sequence of str
    """
    _check(struct_typeclass)
    names = list(fields)
    for name in names:
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"a field's name is an identifier, not {name!r}")
    overload(py_class)(_typer(py_class, struct_typeclass, names))


# -- Structs in Python ------------------------------------------------------------------------------


class StructRefProxy(Instance):
    """The base of classes that structs have in Python. ``__new__`` may be overridden, ``__init__`` not."""

    __slots__ = ()
    __pyarray_key__ = "StructRefProxy"

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        cls.__pyarray_key__ = cls.__module__, cls.__qualname__

    def __new__(cls, *args):
        """A new struct: ``cls(*args)`` of compiled code."""
        if config.DISABLE_JIT:
            raise UnsupportedError(f"{cls.__qualname__}: structs need the compiler that PYARRAY_DISABLE_JIT disables")
        make = cls.__dict__.get("_pyarray_make")
        if make is None:

            @njit
            def make(*args):
                return cls(*args)

            cls._pyarray_make = make
        return make(*args)

    @property
    def _numba_type_(self):
        """The type of the struct."""
        return typeof(self)


def define_boxing(struct_typeclass, obj_class):
    """Say which class structs have in Python: ``obj_class``, a subclass of ``StructRefProxy`` or that itself."""
    _check(struct_typeclass)
    if not isinstance(obj_class, type) or not issubclass(obj_class, StructRefProxy):
        raise TypeError(f"structs have a class derived from StructRefProxy in Python, not {obj_class!r}")
    _set_proxy(struct_typeclass, obj_class)


def define_proxy(py_class, struct_typeclass, fields):
    """Let ``py_class`` be the class of such structs in Python, and what makes them there and in compiled code.

    Parameters
    ----------
    py_class : type
        A subclass of ``StructRefProxy``.
    struct_typeclass : type
        A registered subclass of ``types.StructRef``.
    fields : sequence of str
        Names of the fields. Each takes the type of its argument, so that there is one type of structs for each
        combination.
    """
    define_constructor(py_class, struct_typeclass, fields)
    define_boxing(struct_typeclass, py_class)


__all__ = [
    "StructRefProxy", "define_attributes", "define_boxing", "define_constructor", "define_proxy", "new", "register",
]  # fmt: skip
