"""``jit`` and ``njit``."""

from . import config
from ._frameless import frameless
from ._pyarray import Decorator, Dispatcher, type_code

_DEFAULTS = {
    "nogil": False,
    "cache": True,
    "fastmath": False,
    "parallel": False,
    "boundscheck": config.BOUNDSCHECK,
    "debug": config.DEBUG,
    "accuracy": "default",
    "error_model": "python",
    "inline": "auto",
    "offload": False,
}
# Options of Numba that change nothing here.
_IGNORED = {
    "nopython", "looplift", "no_rewrites", "forceinline", "no_cpython_wrapper", "no_cfunc_wrapper",
    "target_backend", "_nrt", "_dbg_extend_lifetimes", "_dbg_optnone", "writable_args",
}  # fmt: skip
_KNOWN = {*_DEFAULTS, "nopython", "looplift", "locals", "forceobj", "target"} - {"offload"}
_FASTMATH_FLAGS = {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}

_function_type = type(lambda: None)


def _fastmath(value):
    """True, False, or a text of some flags: of Numba's forms, which are a bool, or a set or dict of LLVM's flags."""
    if isinstance(value, dict):
        value = {flag for flag, wanted in value.items() if wanted}
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, (set, frozenset, list, tuple)):
        return bool(value)
    unknown = set(value) - _FASTMATH_FLAGS
    if unknown:
        raise ValueError(f"Unrecognized fastmath flags: {', '.join(sorted(map(repr, unknown)))}")
    if "fast" in value or set(value) == _FASTMATH_FLAGS - {"fast"}:
        return True
    return ", ".join(sorted(value)) or False


def forced_locals(given):
    """Of ``locals={...}``, the variables that are numbers: the class that makes one of a value, by its name in IR.

    The types of other variables follow from what is assigned to them.
    """
    from . import types

    if given is not None and not isinstance(given, dict):
        raise TypeError(f"locals is a dict of variables' names and types, not {given!r}")
    forced = {}
    for name, kind in (given or {}).items():
        if not isinstance(name, str) or not isinstance(kind, types.Type):
            raise TypeError(f"locals is a dict of variables' names and types; {name!r}: {kind!r} is no such pair")
        if kind == types.boolean:
            forced[name] = "numpy.bool_"
        elif isinstance(kind, (types.Integer, types.Float, types.Complex)):
            forced[name] = f"numpy.{kind}"
    return forced


def _read_options(given):
    from .errors import UnsupportedError

    options = dict(_DEFAULTS)
    for name, value in given.items():
        if name in _IGNORED:
            continue
        if name == "target":
            options["offload"] = _is_offloaded(value)
        elif name == "forceobj":
            if value:
                raise UnsupportedError("forceobj=True is an option of jit alone, which leaves the function as it is")
        elif name == "locals":
            forced = forced_locals(value)
            if forced:
                options["locals"] = forced
        elif name not in _DEFAULTS or name == "offload":
            known = ", ".join(sorted(_KNOWN))
            raise TypeError(f"Unrecognized options: {name!r}. Known options are {known}")
        elif value is not None:
            options[name] = value
    options["fastmath"] = _fastmath(options["fastmath"])
    options["parallel"] = bool(options["parallel"])
    if options["error_model"] not in ("python", "numpy", "strict"):
        raise ValueError(f"error_model is 'python', 'numpy' or 'strict', not {options['error_model']!r}")
    if options["accuracy"] not in ("default", "high"):
        raise ValueError(f"accuracy is 'default' or 'high', not {options['accuracy']!r}")
    if options["inline"] not in ("auto", "always", "never"):
        raise ValueError(f"inline is 'auto', 'always' or 'never', not {options['inline']!r}")
    return options


def _is_offloaded(target):
    """Whether whole arrays are a GPU's, by the option ``target``; of other targets Numba has the CPU's code."""
    return target in ("cuda", "gpu")


def _as_read(given):
    """A copy of the options given, by which changes are found: also those of sets and dicts among the values."""
    return {name: value.copy() if isinstance(value, (set, list, dict)) else value for name, value in given.items()}


def _changed(options, before, given, is_kernel):
    """(all options, `_as_read(given)`) where the options given are no longer those of before, else None.

    Options that were not given keep the values that they have.
    """
    if before == given:
        return None
    if is_kernel:
        from .cuda._decorators import _read_options as read
    else:
        read = _read_options
    was, now = read(before), read(given)
    changed = {name: now.get(name) for name in {*was, *now} if was.get(name) != now.get(name)}
    merged = {**options, **changed}
    return {name: value for name, value in merged.items() if name != "locals" or value}, _as_read(given)


@frameless
def _in_object_mode(function):
    """A function with ``forceobj=True``: one like it, with what compiled functions have for those that look at it."""
    from ._report import warn_at
    from .errors import NumbaWarning

    if isinstance(function, Dispatcher):
        function = function.py_func
    if not callable(function):
        raise TypeError(f"jit() takes a function, not {function!r}")
    name = getattr(function, "__qualname__", repr(function))
    code = getattr(function, "__code__", None)
    text = f"{name}() is not compiled: with forceobj=True Python runs it"
    warn_at(text, NumbaWarning, *((code.co_filename, code.co_firstlineno) if code else (None, 0)))
    return _uncompiled(function) if isinstance(function, _function_type) else function


def _uncompiled(function):
    """The function in a copy, which has ``py_func`` and says that there is no compiled code."""
    from functools import update_wrapper

    made = _function_type(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    update_wrapper(made, function)
    made.__kwdefaults__ = function.__kwdefaults__
    made.py_func, made.signatures, made.nopython_signatures, made.overloads = function, [], [], {}
    made.disable_compile = made.compile = lambda *_: None
    return made


@frameless
def jit(signature_or_function=None, **options):
    """Compile a function to native code, for declared signatures or for the types of each call.

    Parameters
    ----------
    signature_or_function : function, str, Signature, tuple of types, or list of these, optional
        With signatures, the function is compiled at once and for them alone; other arguments are converted.
    nopython, looplift : bool
        Accepted for Numba's sake.
    parallel : bool
        Run loops over `prange`, and ufuncs called on arrays, on several threads (`docs/parallel.md`);
        `fn.parallel_diagnostics()` says which.
    target : {'cpu', 'cuda'}
        With 'cuda' whole arrays lie on a GPU, and kernels are made of what is done with them (`docs/cuda.md`).
    nogil : bool
        Release the global interpreter lock while compiled code runs.
    cache : bool
        Keep compiled code on disk. On by default.
    fastmath : bool, or set or dict of str
        Let the compiler treat floating-point numbers as if they were real; a set of LLVM's flags, such as
        ``{'reassoc', 'nsz'}``, permits that alone.
    accuracy : {'default', 'high'}
        With 'default', loops may compute exp, log, sin and the like for several elements at a time, within 4 ULP of the
        exact value (`docs/accuracy.md`); with 'high', every call is within 1 ULP (complex functions excepted).
    error_model : {'python', 'numpy', 'strict'}
        'python': division by zero raises ZeroDivisionError; functions and powers of floats give the infinities and NaN
        of IEEE 754. 'numpy': so does division. 'strict': all raise what CPython raises.
    boundscheck : bool
        Raise IndexError for indices out of bounds. On by default.
    inline : {'auto', 'always', 'never'}
        Whether calls of this function are replaced by its body.
    locals : dict of str to Type
        Variables that are numbers of a type: whatever is assigned to them is converted to it. Other types follow from
        what is assigned, and are not looked at.
    debug : bool
        Debug information for gdb: lines of the Python source. Such code is not optimised.
    forceobj : bool
        Numba's object mode: Python runs the function, and one warning says so.

    Raises
    ------
    TypeError
        For an unknown option.
    TypingError, UnsupportedError
        Where a function with declared signatures cannot be compiled.
    """
    given = signature_or_function
    if options.get("forceobj"):
        _read_options({**options, "forceobj": False})
        return _in_object_mode(given) if type(given) is _function_type else _in_object_mode
    if type(given) is _function_type:
        if config.DISABLE_JIT:
            return given
        if not options:
            return Dispatcher(given, _DEFAULTS, _NO_OPTIONS)
        return Decorator(_read_options(options), options, ())(given)
    if isinstance(given, Dispatcher):
        raise TypeError(
            f"A jit decorator was called on an already jitted function {given.py_func}. If trying to get access to the "
            "original python function, use the .py_func attribute."
        )
    normalized = _read_options(options)
    codes = ()
    if given is not None:
        if callable(given) and not _is_signature(given):
            return Decorator(normalized, options, ())(given)  # says what is wrong with it
        from .signatures import codes_of

        codes = codes_of(given)
    if config.DISABLE_JIT:
        return lambda function: function
    return Decorator(normalized, options, codes)


_NO_OPTIONS = {}


def _is_signature(value):
    from . import types

    return isinstance(value, (types.Signature, types.Type))


@frameless
def njit(*arguments, **options):
    """``jit``: all code is compiled to native code."""
    if options.pop("forceobj", False):
        from ._report import warn_at

        warn_at("forceobj is set for njit and is ignored", RuntimeWarning, None, 0)
    return jit(*arguments, **options)


class _PandasEngine:
    """What pandas calls for ``engine=jit`` and ``engine=njit``: `pyarray._pandas.Engine`, loaded when it is called."""

    @staticmethod
    def map(**arguments):
        from ._pandas import Engine

        return Engine.map(**arguments)

    @staticmethod
    def apply(**arguments):
        from ._pandas import Engine

        return Engine.apply(**arguments)


jit.__pandas_udf__ = njit.__pandas_udf__ = _PandasEngine


def jit_module(**options):
    """Compile all functions that the calling module has defined so far, as ``jit(**options)`` does.

    Functions that it has imported, and those that are compiled already, stay as they are.
    """
    import sys

    frame = sys._getframe(1)
    while frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    names = frame.f_globals
    for name, value in list(names.items()):
        if type(value) is _function_type and value.__module__ == names["__name__"]:
            names[name] = jit(value, **options)


class prange:
    """``range`` whose iterations are independent of each other; in Python it is ``range``.

    In functions with ``parallel=True``, loops over it run on several threads. Numbers that iterations only update, all
    by ``+=`` and ``-=``, by ``*=`` and ``/=``, by ``min`` or ``max``, or by one of ``&=``, ``|=``, ``^=``, are reduced
    over the threads; numbers that every iteration assigns anew have the value of the last one afterwards. Where another
    number or array is carried from one iteration to the next, or ``break`` or ``return`` may leave the loop, it runs in
    order. Iterations must not write what others read or write in arrays: nothing checks this.
    """

    def __new__(cls, *arguments):
        """Make the range."""
        return range(*arguments)


class pndindex:
    """``numpy.ndindex`` whose iterations are independent of each other; in Python it is ``numpy.ndindex``.

    Its loops run in order in compiled code, too: a loop over `prange` of the first axis, with one over ``np.ndindex``
    of the others within, runs on several threads.
    """

    def __new__(cls, *shape):
        """Make the iterator."""
        import numpy

        return numpy.ndindex(*shape)


def typeof(value):
    """The type that compiled code gives to a value.

    Raises
    ------
    TypingError
        For a value outside the compiled subset.
    """
    from .types import from_code

    return from_code(type_code(value))
