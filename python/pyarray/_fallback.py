"""Functions, ufuncs and kernels that this compiler refuses, given to Numba: ``install_as_numba(fallback=True)``.

Numba compiles a copy of the function whose globals and closure name its own objects where the function's name ours. It
imports modules of its own while it compiles, so that ``numba`` is the real one then (`real_numba`).
"""

import sys
import weakref
from types import CellType, FunctionType, ModuleType

from . import errors, types
from ._as_numba import real_numba
from ._pyarray import Dispatcher, DUFunc, cuda, ufunc_dispatcher, ufunc_recipe
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
    if isinstance(value, Dispatcher) or ufunc_recipe(value) is not None:
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


_OF_KERNELS = ("device", "debug", "lineinfo", "fastmath", "max_registers", "lto")
_OF_UFUNCS = (*(name for name in _SHARED if name != "parallel"), "target", "identity", "writable_args")


def _shared(given, names):
    """Options that mean the same to Numba."""
    shared = {
        name: value for name, value in given.items() if name in names and value is not None and value is not False
    }
    if shared.get("inline") == "auto":
        del shared["inline"]
    if shared.get("error_model") == "strict":
        raise _NoTwin("error_model='strict' is pyarray's alone")
    return shared


def _function_twin(dispatcher):
    signatures = [_signature(code) for code in dispatcher._declared or ()]
    decorate = _real().njit
    options = _shared(dispatcher.targetoptions, _SHARED)
    return _decorated(dispatcher.py_func, lambda: decorate(*([signatures] if signatures else ()), **options))


def _kernel_twin(dispatcher):
    signatures = [_signature(code) for code in dispatcher._declared or ()]
    decorate = _real("numba.cuda").jit
    options = _shared(dispatcher.targetoptions, _OF_KERNELS)
    return _decorated(dispatcher.py_func, lambda: decorate(*([signatures] if signatures else ()), **options))


def _ufunc_twin(ufunc):
    recipe = ufunc_recipe(ufunc)
    target, identity = recipe.options["target"], recipe.identity
    options = dict(recipe.target_options)
    if target != "cpu":
        options["target"] = target
    if identity is not None:
        options["identity"] = identity
    options = _shared(options, _OF_UFUNCS)
    texts = () if recipe.text is None else (recipe.text,)
    if recipe.writable:
        options["writable_args"] = tuple(at for at in range(recipe.writable.bit_length()) if recipe.writable >> at & 1)
    signatures = [_signature(code) for code in recipe.codes]
    if target == "cuda":
        _real("numba.cuda")
    decorate = _real().vectorize if recipe.text is None else _real().guvectorize
    given = ([signatures] if signatures else []) + list(texts)
    twin = _decorated(recipe.function, lambda: decorate(*given, **options))
    return twin if signatures or recipe.text is None else _Swapped(twin)


class _Swapped:
    """A ufunc of Numba's whose calls import what makes signatures of its own."""

    def __init__(self, twin):
        self._twin = twin

    def __call__(self, *arguments, **keywords):
        with real_numba(_modules):
            return self._twin(*arguments, **keywords)

    def __getattr__(self, name):
        return getattr(self._twin, name)


def _decorated(function, make_decorator):
    copy = _copy(function)
    with real_numba(_modules):
        twin = make_decorator()(copy)
    _swap_while_compiling(twin)
    return twin


#: Methods of Numba's dispatchers and ufuncs that compile.
_COMPILING = ("_compile_for_args", "_compile_for_argtys", "add")


def _swap_while_compiling(twin):
    def swapped(method):
        def compile_as_numba(*arguments, **keywords):
            with real_numba(_modules):
                return method(*arguments, **keywords)

        return compile_as_numba

    for name in _COMPILING:
        method = getattr(twin, name, None)
        if method is not None:
            try:
                setattr(twin, name, swapped(method))
            except AttributeError:
                pass  # a ufunc of NumPy's, which compiles nothing


def _twin_of(owner):
    """Numba's counterpart of a function, a kernel or a ufunc made here."""
    key = owner if isinstance(owner, Dispatcher) else ufunc_dispatcher(owner, None, None)
    if key not in _twins:
        make = _kernel_twin if isinstance(owner, cuda.CUDADispatcher) else _function_twin
        _twins[key] = make(owner) if key is owner else _ufunc_twin(owner)
    return _twins[key]


def launcher_of(twin, launcher):
    """What launches Numba's kernel as ours would have been."""
    stream = launcher.stream and _real("numba.cuda").external_stream(int(launcher.stream.handle.value or 0))
    configuration = launcher.griddim, launcher.blockdim, stream, launcher.sharedmem
    return twin[configuration if launcher.cluster_dims is None else (*configuration, launcher.cluster_dims)]


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
    if code.endswith(">"):
        return arguments
    result = _type(types.signature_from_code(code).return_type)
    with real_numba(_modules):  # a type that is called imports what makes signatures
        return result(*arguments)


def _tell(owner, refusal):
    if owner in _told:
        return
    _told.add(owner)
    function = owner.py_func
    reason = str(refusal).strip().partition("\n")[0]
    text = f"{function.__qualname__}() is compiled by Numba, since pyarray refuses it: {reason}"
    warn_at(text, errors.NumbaWarning, function.__code__.co_filename, function.__code__.co_firstlineno)


def take_over(called, method, refusal, arguments, keywords):
    """Let Numba do a call that this compiler refused.

    Parameters
    ----------
    called : Dispatcher, DUFunc or Launcher
    method : str
        Which of its methods: ``"__call__"``, or of a ufunc ``"reduce"`` and the like.
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
    launcher = called if isinstance(called, cuda.Launcher) else None
    owner = called if launcher is None else launcher.dispatcher
    if note_refusal is not None:
        if launcher is not None or isinstance(owner, DUFunc):
            return None
        note_refusal(owner, refusal, arguments, keywords)
        return None, owner.py_func(*arguments, **keywords)
    name = owner.py_func.__qualname__
    try:
        twin = _twin_of(owner)
        call = getattr(twin if launcher is None else launcher_of(twin, launcher), method)
    except _NoTwin as reason:
        refusal.add_note(f"Nor can the real Numba take {name}(): {reason}.")
        return None
    except Exception as error:
        refusal.add_note(f"Nor does the real Numba compile {name}(): {error}")
        return None
    theirs = getattr(getattr(_real(), "errors", None), "NumbaError", ())
    try:
        result = call(*arguments, **keywords)
    except theirs as error:
        refusal.add_note(f"Nor does the real Numba compile {name}(): {error}")
        return None
    except Exception:
        _tell(owner, refusal)
        raise
    _tell(owner, refusal)
    return twin, result
