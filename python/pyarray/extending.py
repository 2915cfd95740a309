"""Functions of your own for objects, methods and attributes that the compiler does not know.

The interface is that of ``numba.extending``; see ``docs/extending.md``.
"""

import dis
import functools
import inspect
import os

import numpy

from . import types
from ._pyarray import Dispatcher
from ._user_types import models, register_model, typeof_impl  # noqa: F401
from .classes import as_numba_type  # noqa: F401
from .decorators import forced_locals
from .errors import TypingError

_names = {}  # id of an object that has overloads: its name in IR
# That name, "method:name", "attribute:name" or "builtin:operator.add": (class of the first argument's type or None,
# typer, target) each.
_typers = {}
_literal_first = set()  # (name, typer) of those that were registered with prefer_literal
_lenient = set()  # typers that were registered with strict=False
_kept = []  # the objects, so that their ids stay theirs
_implementations = {}  # of (typer, types, keywords)


# What code for a target may call: the targets of overloads, those that are asked first in front.
_USABLE = {"cpu": ("cpu", "generic"), "cuda": ("cuda", "gpu", "generic")}
_KNOWN_TARGETS = ("generic", "cpu", "gpu", "cuda", "npyufunc")


def _read_target(target):
    if not isinstance(target, str) or target.lower() not in _KNOWN_TARGETS:
        raise ValueError(f"no target is registered against {target!r}; known targets: {', '.join(_KNOWN_TARGETS)}")
    return target.lower()


def is_usable(made_for, target):
    """Whether code for ``target``, "cpu" or "cuda", may call what was made for a target; asked by the compiler."""
    return made_for in _USABLE[target]


def _usable(name, target):
    """(class of the first argument's type, typer) of the overloads for a target, in the order of asking.

    As Numba's: those for this target alone first, of methods those of derived classes, and then as they came.
    """
    found = [row for row in _typers.get(name, ()) if row[2] in _USABLE[target]]
    return [row[:2] for row in sorted(found, key=lambda row: (_USABLE[target].index(row[2]), -_depth(row[0])))]


def _depth(type_class):
    return len(type_class.__mro__) if inspect.isclass(type_class) else 0


def _add_typer(name, row):
    """One of a cell or prompt takes the place of what it had defined before; all others come behind those there are."""
    rows = _typers.setdefault(name, [])
    for at, (type_class, typer, target) in enumerate(rows):
        if (type_class, target) == (row[0], row[2]) and _is_again(row[1], typer):
            rows[at] = row
            return
    rows.append(row)


def _is_again(typer, earlier):
    codes = [getattr(one, "__code__", None) for one in (typer, earlier)]
    if None in codes or (typer.__module__, typer.__qualname__) != (earlier.__module__, earlier.__qualname__):
        return False
    return typer.__module__ == "__main__" and not any(os.path.exists(code.co_filename) for code in codes)


def _refuse_target(what, made_for, target):
    code = "kernels" if target == "cuda" else "functions for the CPU"
    return f"{what} is not for {code}: it was registered with target={made_for!r}"


def _register(name, type_class, options, builtin_name=None):
    unknown = sorted(set(options) - {"jit_options", "strict", "inline", "prefer_literal", "no_unliteral", "target"})
    if unknown:
        raise TypeError(f"overload() got an unexpected keyword argument '{unknown[0]}'")
    target = _read_target(options.get("target", "generic"))

    def decorate(typer):
        if not callable(typer):
            raise TypeError(f"an overload is a function of types, not {typer!r}")
        for registered_name in filter(None, (name, builtin_name)):
            _add_typer(registered_name, (type_class, typer, target))
            if options.get("prefer_literal"):
                _literal_first.add((registered_name, typer))
        if not options.get("strict", True):
            _lenient.add(typer)
        return typer

    return decorate


def overload(function, **options):
    """Compiled code that calls ``function`` calls what the decorated function returns instead.

    Parameters
    ----------
    function : callable
        Any object that compiled code does not know. Interpreted code goes on calling it.
    **options
        Numba's. ``target="cuda"`` and ``"gpu"`` are for kernels alone, ``"cpu"`` for other code, ``"generic"`` (the
        default) for both. With ``strict=False`` what is returned may have other parameters: it is called with the
        arguments as they are. The others are accepted for Numba's sake.

    Returns
    -------
    decorator
        Of a function that is called with the types of the arguments (`pyarray.types`), and returns a function of the
        compiled subset with the same parameters, or None where it is not meant for these types. They are asked in
        the order in which they were registered, those that are for one target alone first.
    """
    if id(function) not in _names:
        # ufuncs of NumPy before 2.2 have no __qualname__, and other ufuncs no __module__
        name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or repr(function)
        home = getattr(function, "__module__", None)
        _names[id(function)] = f"overload:{home + '.' if home else ''}{name}#{len(_kept)}"
        _kept.append(function)
    return _register(_names[id(function)], None, options, _name_of_builtin(function))


def _name_of_builtin(function):
    """What the compiler asks for where it has no answer for a function or operator that it knows; None for others."""
    home, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    home = "numpy" if type(function).__name__ == "ufunc" else "operator" if home == "_operator" else home
    return f"builtin:{home}.{name}" if isinstance(home, str) and isinstance(name, str) else None


def overload_method(type_class, name, **options):
    """The method ``name`` of values whose type is a ``type_class``, as `overload`; the first argument is the value."""
    return _register(f"method:{name}", type_class, options)


def overload_attribute(type_class, name, **options):
    """The attribute ``name`` of values whose type is a ``type_class``: of a function of the value, as `overload`."""
    return _register(f"attribute:{name}", type_class, options)


def overload_classmethod(type_class, name, **options):
    """What ``T.name(...)`` of a type ``T`` that is a ``type_class`` calls, as `overload`.

    ``T`` is a global variable, such as ``float64[:]``. The first argument of the typer has the type as
    ``instance_type``; in the function that it returns the first argument is None.
    """
    return _register(f"classmethod:{name}", type_class, options)


class _TypeRef:
    """What the typer of a class method is called with first."""

    def __init__(self, instance_type):
        self.instance_type = instance_type


class _ClassMethod:
    """The class method ``name`` of the type ``owner``: a callable of compiled code."""

    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def __call__(self, *arguments):
        raise NotImplementedError(f"the class method {self.owner}.{self.name} is for compiled code alone")

    def implementation(self, given, codes, target):
        for type_class, typer in _usable(f"classmethod:{self.name}", target):
            if not _is_of(self.owner, type_class):
                continue
            key = typer, self.owner, codes
            if key not in _implementations:
                try:
                    inspect.signature(typer).bind(None, *given)
                except TypeError:
                    continue
                found = typer(_TypeRef(self.owner), *given)
                if found is not None:
                    _check(typer, found)
                    found = _of_none(register_jitable(found))
                _implementations[key] = found
            if _implementations[key] is not None:
                return _implementations[key]
        return None


def _of_none(function):
    def call(*arguments):
        return function(None, *arguments)

    return call


_class_methods = {}  # (type, name): the class method; of names in IR too


def class_method(owner, name):
    """The class method of a type, or None; asked by the compiler."""
    if f"classmethod:{name}" not in _typers or not isinstance(owner, types.Type):
        return None
    if (owner, name) not in _class_methods:
        made = _ClassMethod(owner, name)
        _names[id(made)] = f"overload:{owner}.{name}#{len(_kept)}"
        _kept.append(made)
        _class_methods[owner, name] = _class_methods[_names[id(made)]] = made
    return _class_methods[owner, name]


def register_jitable(function=None, **options):
    """Let compiled code call a plain Python function, which stays one: nothing is compiled for interpreted code.

    Parameters
    ----------
    function : function
    **options
        Those of `pyarray.jit`, for the compiled calls; and ``target``, as that of `overload`.
    """

    target = _read_target(options.pop("target", "generic"))
    if "locals" in options:
        options["locals"] = forced_locals(options["locals"])

    def decorate(function):
        function.__pyarray_dispatcher__ = True
        function.py_func = function
        function.targetoptions = function.options = options
        function.__pyarray_target__ = target
        return function

    return decorate if function is None else decorate(function)


def is_jitted(function):
    """Whether a function is one that `pyarray.jit` and the like have made."""
    return isinstance(function, Dispatcher)


def get_cython_function_address(module_name, function_name):
    """The address of a C function that a Cython module offers, for `ctypes.CFUNCTYPE(...)(address)`.

    Raises
    ------
    ImportError
        Where there is no such module.
    ValueError
        Where it offers no such function.
    """
    import ctypes
    from importlib import import_module

    offered = getattr(import_module(module_name), "__pyx_capi__", {})
    if function_name not in offered:
        raise ValueError(f"No function '{function_name}' found in __pyx_capi__ of '{module_name}'")
    capsule = offered[function_name]
    name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))(capsule)
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    return pointer(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, name)


def literal_unroll(container):
    """The container itself; Numba needs this around tuples of several types that a loop goes over."""
    return container


def to_fixed_tuple(array, length):
    """The first ``length`` items of an array of one dimension; in compiled code ``length`` must be a literal."""
    return tuple(array[:length])


def tuple_setitem(items, index, value):
    """The tuple with another item at ``index``."""
    return (*items[:index], value, *items[index + 1 :])


@register_jitable
def cross2d(a, b):
    """The one component of the cross products of vectors of two components; ``np.cross`` has those of three."""
    x, y = numpy.asarray(a), numpy.asarray(b)
    if x.shape[-1] != 2 or y.shape[-1] != 2:
        raise ValueError("Incompatible dimensions for 2D cross product\n(dimension must be 2 for both inputs)")
    return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]


def literally(value):
    """``value`` itself: what is known of a value when a function is compiled is known to overloads in any case."""
    return value


class _Intrinsic:
    """What `intrinsic` makes."""

    def __init__(self, typer, target):
        functools.update_wrapper(self, typer)
        self._typer, self._target = typer, target

    def __call__(self, *arguments, **keywords):
        raise NotImplementedError(f"the intrinsic {self.__qualname__} is for compiled code alone")

    def __repr__(self):
        return f"<intrinsic {self.__qualname__}>"


def intrinsic(typer=None, **options):
    """A function of compiled code whose instructions the decorated function gives, as MLIR text.

    Parameters
    ----------
    typer : function
        Called as ``typer(context, *types)`` with the types of the arguments (`pyarray.types`) for each combination of
        them. It returns a signature and the text of one MLIR function, or a function of the signature that gives the
        text; or None where it is not meant for these types. ``context`` has ``mlir_type(type)``, the MLIR type of a
        parameter or result.
    **options
        Numba's: ``target``, as that of `overload`, and ``prefer_literal``, which is accepted for Numba's sake.

    Returns
    -------
    callable
        For compiled code; interpreted calls raise NotImplementedError.
    """
    unknown = sorted(set(options) - {"prefer_literal", "target"})
    if unknown:
        raise TypeError(f"intrinsic() got an unexpected keyword argument '{unknown[0]}'")
    target = _read_target(options.get("target", "generic"))
    if typer is None:
        return functools.partial(intrinsic, **options)
    if not callable(typer):
        raise TypeError(f"an intrinsic is a function of types, not {typer!r}")
    made = _Intrinsic(typer, target)
    overload(made, target=target)(typer)
    _intrinsics[_names[id(made)]] = made
    return made


_intrinsics = {}  # of names in IR


class _TypingContext:
    """What the function behind an intrinsic is called with first."""

    @staticmethod
    def mlir_type(kind):
        """The MLIR type of a parameter or result: ``'i64'``, ``'memref<?xf64, strided<[1], offset: ?>>'``."""
        return _mlir_type(kind)


def _mlir_type(kind):
    if isinstance(kind, types.Boolean):
        return "i1"
    if isinstance(kind, types.Integer):
        return f"i{kind.bitwidth}"
    if isinstance(kind, types.Float):
        return f"f{kind.bitwidth}"
    if isinstance(kind, types.Complex):
        return f"complex<f{kind.bitwidth // 2}>"
    if isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
        return "i64"
    if isinstance(kind, types.CPointer):
        return "!llvm.ptr"
    if isinstance(kind, types.Record):
        return f"memref<{kind.dtype.itemsize}xi8, strided<[1], offset: ?>>"
    if isinstance(kind, types.Array) and isinstance(kind.dtype, types.Record) and kind.layout == "C":
        size = kind.dtype.dtype.itemsize  # the bytes of a record are one more axis
        strides = ["?"] * (kind.ndim - 1) + [str(size)] * (kind.ndim > 0) + ["1"]
        return f"memref<{'?x' * kind.ndim}{size}xi8, strided<[{', '.join(strides)}], offset: ?>>"
    if isinstance(kind, types.Array) and isinstance(kind.dtype, types.Number) and kind.aligned:
        element = "i8" if kind.dtype == types.boolean else _mlir_type(kind.dtype)
        unit = {"C": kind.ndim - 1, "F": 0}.get("C" if kind.ndim <= 1 and kind.layout in "CF" else kind.layout)
        strides = ", ".join("1" if axis == unit else "?" for axis in range(kind.ndim))
        return f"memref<{'?x' * kind.ndim}{element}, strided<[{strides}], offset: ?>>"
    raise TypingError(
        f"intrinsics have no parameters and results of type {kind}: numbers, pointers and arrays of numbers are"
    )


def _results(kind):
    if isinstance(kind, types.NoneType):
        return []
    if isinstance(kind, types.Array):
        raise TypingError("intrinsics cannot return arrays: pass one, and store to it")
    return [_mlir_type(part) for part in (kind.types if isinstance(kind, types.BaseTuple) else (kind,))]


def _intrinsic_text(made, arguments):
    """(type code of the signature, MLIR type of the function, its text), or None."""
    what = f"the intrinsic {made.__qualname__}()"
    found = made._typer(_TypingContext, *arguments)
    if found is None:
        return None
    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], types.Signature):
        raise TypingError(f"{what} returned {found!r}; expected a signature, and MLIR text or a function that gives it")
    signature, text = found
    if len(signature.args) != len(arguments):
        raise TypingError(f"{what} gave a signature of {len(signature.args)} arguments for {len(arguments)}")
    if callable(text):
        wanted = len(inspect.signature(text).parameters)
        if wanted == 4:  # as Numba's: of a context, llvmlite's builder, a signature and values
            from ._llvmlite_code import text_of

            text = text_of(text, signature)
        elif wanted != 1:
            raise TypingError(
                f"{what} returned a function of {wanted} parameters; one of the signature, that gives MLIR text, is "
                "expected, or Numba's of four"
            )
        else:
            text = text(signature)
    if not isinstance(text, str):
        raise TypingError(f"{what} gave {text!r} as its text")
    kind = f"({', '.join(map(_mlir_type, signature.args))}) -> ({', '.join(_results(signature.return_type))})"
    # The fourth part says that the text may declare a function of other code in front (cuda.declare_device).
    return (signature.code, kind, text, True) if hasattr(made, "_declares") else (signature.code, kind, text)


def name_of(function):
    """The name in IR of an object that has overloads, or None."""
    return _names.get(id(function))


def registered():
    """Overloads, a list of (name, typer): code on disk belongs to these.

    Declared functions of other code are not among them: the keys of what refers to them have them.
    """
    return [
        (f"{name} {of} {target}", typer)
        for name, typers in _typers.items()
        for of, typer, target in typers
        if getattr(typer, "__pyarray_key__", None) != "declared"
    ]


def _type_of(code):
    return types.from_code(code) if code else types.undefined


def _check(typer, implementation):
    if not inspect.isfunction(implementation):
        raise TypingError(
            f"the overload {typer.__qualname__}() returned {implementation!r}, which is neither a function nor None"
        )
    if typer in _lenient:
        return
    wanted, given = (list(inspect.signature(f).parameters) for f in (typer, implementation))
    if wanted != given:
        raise TypingError(
            f"the overload {typer.__qualname__}() has the parameters {wanted}, "
            f"but the function that it returned has {given}"
        )


def _asked_for(function):
    """The parameters of a function that it calls ``literally`` with."""
    code, asks, names = function.__code__, False, set()
    for instruction in dis.get_instructions(code):
        if asks and instruction.opname.startswith("LOAD_FAST"):
            names.add(instruction.argval)
        if instruction.opname.startswith("LOAD_"):
            asks = instruction.argval == "literally"
    return [name for name in code.co_varnames[: code.co_argcount] if name in names]


def _ask_for(typer, name, positional, names):
    """The message of an error, and which of the arguments is to be known."""
    message = (
        f"the overload {typer.__qualname__}() asks by literally() for the value of '{name}', "
        "which is not known when the caller is compiled\nhint: give a literal or a global constant in the call"
    )
    at = list(inspect.signature(typer).parameters).index(name)
    if at >= positional:
        at = positional + names.index(name) if name in names else -1
    return [message, at]


class _Refused(TypingError):
    """Raised by our own typers: an error of the call, whose line the compiler tells."""


def is_registered(name):
    """Whether ``implementation`` may have a function of that name; asked by the compiler."""
    return name in _typers or name in _intrinsics or name in _class_methods


def implementation(name, codes, keywords, literals, target):
    """The function for these types, or None; asked by the compiler.

    A str is the message of an error at the call; a list is that and the number of the argument that is asked for.

    Parameters
    ----------
    name : str
    codes : str
        Type codes of the arguments, each with a newline behind it.
    keywords : str
        Names of the last arguments, likewise.
    literals : str
        Values of the arguments, likewise, where they are known; "" where none is, and "?" in the first of two questions
        about the same arguments, of which some are: types alone are looked at, but for typers that asked for more.
    target : str
        "cpu" or "cuda": of the code that calls it.
    """
    try:
        return _implementation(name, codes, keywords, literals, target)
    except _Refused as refusal:
        return str(refusal)


def _implementation(name, codes, keywords, literals, target):
    given = [_type_of(code) for code in codes.split("\n")[:-1]]
    if literals not in ("", "?"):
        values = literals.split("\n")[:-1]
        given = [types._with_value(kind, value) if value else kind for kind, value in zip(given, values, strict=True)]
    else:
        values = None
    names = keywords.split("\n")[:-1]
    if name in _intrinsics:
        if names:
            raise TypingError(f"the intrinsic {_intrinsics[name].__qualname__}() takes no arguments by name")
        if not is_usable(made := _intrinsics[name]._target, target):
            return _refuse_target(f"the intrinsic {_intrinsics[name].__qualname__}()", made, target)
        return _intrinsic_text(_intrinsics[name], given)
    if name in _class_methods:
        if names:
            raise TypingError(f"the class method {_class_methods[name].name}() takes no arguments by name")
        return _class_methods[name].implementation(given, codes, target)
    positional, named = given[: len(given) - len(names)], dict(zip(names, given[len(given) - len(names) :]))
    typers = _usable(name, target)
    if not typers and name.startswith("overload:"):
        return _refuse_target(f"{name[len('overload:') :].split('#')[0]}()", _typers[name][-1][2], target)
    for type_class, typer in typers:
        if type_class is not None and not _is_of(given[0], type_class):
            continue
        prefers = (name, typer) in _literal_first
        if literals == "?" and prefers:
            continue
        key = typer, codes, keywords, literals if values else None
        if key not in _implementations:
            try:
                bound = inspect.signature(typer).bind(*positional, **named).arguments
            except TypeError:
                if hasattr(typer, "unbound"):
                    raise _Refused(typer.unbound) from None
                continue
            try:
                found = typer(*positional, **named)
            except TypingError:
                if literals != "?" and not (values and prefers):
                    raise
                continue  # it may want to know the values, or the types alone
            except AttributeError:
                if types.undefined not in given:
                    raise
                continue  # it is asked again once more is known
            if found is not None:
                _check(typer, found)
                asked = [part for part in _asked_for(found) if part in bound]  # a default is known
                unknown = [part for part in asked if not types._is_known(bound[part])]
                if unknown and literals != "?":
                    return _ask_for(typer, unknown[0], len(positional), names)
                if unknown:
                    continue  # it wants to know the values
            _implementations[key] = found
        if _implementations[key] is not None:
            return _implementations[key]
    return _implementation(name, codes, keywords, "", target) if values and _literal_first else None


def _is_of(given, type_class):
    return isinstance(given, type_class) if isinstance(type_class, type) else given == type_class


def __getattr__(name):
    from ._not_here import missing

    return missing(__name__, name)
