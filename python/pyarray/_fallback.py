"""Functions that this compiler refuses, given to the real Numba: ``install_as_numba(fallback=True)``.

Numba compiles a copy of the function whose globals and closure name its own objects where the function's name ours. It
imports modules of its own while it compiles, so that ``numba`` is the real one then (`real_numba`).
"""

import sys
import weakref
from types import CellType, FunctionType, ModuleType

from . import errors, types
from ._as_numba import real_numba
from ._pyarray import Dispatcher
from ._report import warn_at

_modules = {}  # of the real Numba
_twins = weakref.WeakKeyDictionary()  # dispatchers of ours: Numba's
_told = weakref.WeakSet()  # dispatchers of which a warning has said that Numba has them


#: Called with (dispatcher, refusal, arguments, keywords) in place of Numba, where it is set: then Python does the call.
note_refusal = None


class _NoTwin(Exception):
    """The real Numba is not there, or has no counterpart of an object."""


def _real(name="numba"):
    """A module of the real Numba."""
    if name not in _modules:
        from importlib import import_module

        with real_numba(_modules):
            try:
                import_module(name)
            except ImportError as error:
                raise _NoTwin(f"{name} cannot be imported ({error})") from None
        if name == "numba":
            _teach(_modules["numba"])
    return _modules[name]


def _teach(numba):
    """A function of ours that Numba's code calls, as one of its own arguments say, is its twin."""
    typing = getattr(getattr(numba, "extending", None), "typeof_impl", None)
    if typing is not None:
        kind = numba.types.Dispatcher
        typing.register(Dispatcher)(lambda value, context: kind(_twin_of(value)))


def _own_module(value):
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and (name + ".").startswith((__package__ + ".", "numba."))


def _counterpart(value):
    """What the real Numba has in place of an object of ours; other objects are the same for both."""
    if isinstance(value, Dispatcher):
        return _twin_of(value)
    if isinstance(value, ModuleType) and _own_module(value):
        return _real("numba" + value.__name__.removeprefix("numba").removeprefix(__package__))
    if isinstance(value, types.Type):
        return _type(value)
    name = getattr(value, "__name__", None)
    if not callable(value) or not _own_module(value) or not isinstance(name, str):
        return value
    home = sys.modules[__package__]
    if getattr(home, name, None) is value and hasattr(_real(), name):
        return getattr(_real(), name)
    return value


def _names_in(code):
    from ._origins import nested_codes

    return {name for one in nested_codes(code) for name in one.co_names}


def _copy(function):
    """The function with Numba's objects where it names ours."""
    names = dict(function.__globals__)
    for name in _names_in(function.__code__) & names.keys():
        names[name] = _counterpart(names[name])
    cells = function.__closure__ and tuple(CellType(_counterpart(cell.cell_contents)) for cell in function.__closure__)
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    return made


_SHARED = ("nogil", "fastmath", "parallel", "error_model", "boundscheck", "inline", "looplift", "debug")


def _make_twin(dispatcher, signatures):
    function = dispatcher.py_func
    given = {name: value for name, value in dispatcher.targetoptions.items() if name in _SHARED}
    if given.get("inline") == "auto":
        del given["inline"]
    if given.get("error_model") == "strict":
        raise _NoTwin("error_model='strict' is pyarray's alone")
    numba = _real()
    copy = _copy(function)
    with real_numba(_modules):
        twin = numba.njit(signatures, **given)(copy) if signatures else numba.njit(**given)(copy)
    _swap_while_compiling(twin)
    return twin


def _swap_while_compiling(twin):
    compile_for = getattr(twin, "_compile_for_args", None)
    if compile_for is None:
        return

    def compile_as_numba(*arguments, **keywords):
        with real_numba(_modules):
            return compile_for(*arguments, **keywords)

    twin._compile_for_args = compile_as_numba


def _twin_of(dispatcher):
    if dispatcher not in _twins:
        _twins[dispatcher] = _make_twin(dispatcher, [_signature(code) for code in dispatcher._declared or ()])
    return _twins[dispatcher]


def _type(ours):
    """Numba's type of the same values."""
    theirs = _real("numba.types")
    if isinstance(ours, types.Array):
        return theirs.Array(_type(ours.dtype), ours.ndim, ours.layout, readonly=not ours.mutable)
    if isinstance(ours, types.BaseTuple) and not isinstance(ours, types.BaseNamedTuple):
        return theirs.Tuple([_type(one) for one in ours])
    if not hasattr(theirs, str(ours)):
        raise _NoTwin(f"its declared signature has {ours}")
    return getattr(theirs, str(ours))


def _signature(code):
    arguments = tuple(map(_type, types.arguments_from_code(code)))
    return arguments if code.endswith(">") else _type(types.signature_from_code(code).return_type)(*arguments)


def _tell(dispatcher, refusal):
    if dispatcher in _told:
        return
    _told.add(dispatcher)
    function = dispatcher.py_func
    reason = str(refusal).strip().partition("\n")[0]
    text = f"{function.__qualname__}() is compiled by Numba, since pyarray refuses it: {reason}"
    warn_at(text, errors.NumbaWarning, function.__code__.co_filename, function.__code__.co_firstlineno)


def take_over(dispatcher, refusal, arguments, keywords):
    """Let Numba do a call that this compiler refused.

    Parameters
    ----------
    dispatcher : Dispatcher
    refusal : Exception
        What was raised in place of the call.
    arguments : tuple
    keywords : dict

    Returns
    -------
    twin, result
        What does further calls, or None, and the result of this one; None where the refusal stands.
    """
    if not isinstance(refusal, errors.PyArrayError):
        return None
    if note_refusal is not None:
        note_refusal(dispatcher, refusal, arguments, keywords)
        return None, dispatcher.py_func(*arguments, **keywords)
    name = dispatcher.py_func.__qualname__
    try:
        twin = _twin_of(dispatcher)
    except _NoTwin as reason:
        refusal.add_note(f"Nor can the real Numba take {name}(): {reason}.")
        return None
    except Exception as error:
        refusal.add_note(f"Nor does the real Numba compile {name}(): {error}")
        return None
    theirs = getattr(getattr(_real(), "errors", None), "NumbaError", ())
    try:
        result = twin(*arguments, **keywords)
    except theirs as error:
        refusal.add_note(f"Nor does the real Numba compile {name}(): {error}")
        return None
    except Exception:
        _tell(dispatcher, refusal)
        raise
    _tell(dispatcher, refusal)
    return twin, result
