"""Texts of errors. Each function returns the exception, which the extension raises without frames of ours."""

import contextlib
import linecache
import os
import sys
import warnings

from . import errors, types
from ._pyarray import type_code


def _source_line(file, line):
    return linecache.getline(file, line).rstrip("\n") if file and line else ""


def _shown_file(file):
    """The path as the user would write it."""
    if not file or file.startswith("<"):
        return file
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative


# A source line longer than this is shown in part, with what is around the caret.
_WIDTH = 120
_CUT = "..."


def _window(source, at):
    """The part of a long line around the character ``at``, and where that character is in it."""
    if len(source) <= _WIDTH:
        return source, at
    first = min(max(0, at - _WIDTH // 2), len(source) - _WIDTH)
    before, after = _CUT * (first > 0), _CUT * (first + _WIDTH < len(source))
    return before + source[first : first + _WIDTH] + after, at - first + len(before)


def place(file, line, column=0):
    """``File "x.py", line 3:`` with the source line and a caret.

    Parameters
    ----------
    file : str or None
    line, column : int
        From 1, 0 when unknown; the column counts UTF-8 bytes, as `ast` does.
    """
    if not file or not line:
        return ""
    text = f'\n\nFile "{_shown_file(file)}", line {line}:'
    source = _source_line(file, line)
    if source.strip():
        at = len(source.encode()[: max(column - 1, 0)].decode(errors="replace"))
        shown, at = _window(source, at)
        text += f"\n{shown}"
        if column > 0:
            text += "\n" + "".join("\t" if character == "\t" else " " for character in shown[:at]) + "^"
    return text


_KINDS = {
    "typing": errors.TypingError,
    "endless": errors.NumbaTypeError,
    "unsupported": errors.UnsupportedError,
    "invalid": errors.CompilerError,
    "internal": errors.InternalError,
    "io": OSError,
    "overflow": OverflowError,
    "link": errors.LinkerError,
}


def _fields(blob):
    """The fields of a blob, each of which ends with a NUL."""
    return blob.decode(errors="replace").split("\0")[:-1]


def _compile_message(message, file, line, column):
    """A message with its place. A last line of it that starts with ``hint:`` comes behind."""
    message, mark, hint = message.partition("\nhint: ")
    text = message + _close_attribute(message) + place(file, line, column)
    return f"{text}\n\nHint: {hint}" if mark else text


_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _users_place(file, line, column):
    """The place, or, where it is in a function of this package, that of the user's call."""
    frame = sys._getframe(1)
    if not file or not os.path.abspath(file).startswith(_OWN_FOLDER):
        return file, line, column
    while frame and frame.f_code.co_filename.startswith(_OWN_FOLDER):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno, 0) if frame else (None, 0, 0)


def compile_error(outcome, message, file, line, column, more=b""):
    """The exception for a failed compilation; ``more`` has failures that have nothing to do with the first."""
    kind = _KINDS[outcome]
    file, line, column = _users_place(file, line, column)
    text = _compile_message(message, file, line, column)
    fields = iter(_fields(more))
    more = zip(fields, fields, fields, fields)
    others = (_compile_message(other, at[0] or None, int(at[1]), int(at[2])) for other, *at in more)
    # A `finally` block is compiled once for each way into it.
    text = "\n\nAnd: ".join(dict.fromkeys((text, *others)))
    if issubclass(kind, errors.PyArrayError):
        return kind(text, file=file, line=line or None, column=column or None)
    return kind(text)


_WARNINGS = {
    "overflow": errors.OverflowWarning,
    "unreachable": errors.UnreachableCodeWarning,
    "performance": errors.NumbaPerformanceWarning,
    "types": errors.NumbaTypeSafetyWarning,
}
_ON_REQUEST = ("performance", "types")


def warn(blob):
    """Show warnings of the compiler, which come as fields that end with a NUL: kind, text, file, line.

    Those of performance and of types are shown where ``PYARRAY_WARN`` asks for them.
    """
    fields = iter(_fields(blob))
    wanted = os.environ.get("PYARRAY_WARN", "").split(",")
    for kind, text, file, line in zip(fields, fields, fields, fields):
        if kind not in _ON_REQUEST or kind in wanted:
            warnings.warn_explicit(text, _WARNINGS[kind], file or "<unknown>", int(line))


def not_a_function(value):
    """The exception for a decorator called on something else."""
    advice = ""
    if isinstance(value, type):
        advice = "; classes cannot be compiled"
    elif isinstance(value, (staticmethod, classmethod)):
        advice = f"; put @{type(value).__name__} above the jit decorator"
    return TypeError(
        f"A jit decorator was called on {value!r} (type: {type(value).__name__}), which is no Python function{advice}."
    )


# ------------------------------------------------------------------------------------------------
# Arguments of calls


def _def_place(function, parameter):
    """Line and column of a parameter where the function is defined; (line, 0) where it cannot be found."""
    code = function.__code__
    first = code.co_firstlineno
    name = "lambda" if code.co_name == "<lambda>" else "def"
    for line in range(first, first + 50):
        source = linecache.getline(code.co_filename, line)
        if not source:
            break
        start = source.find(name)
        if start < 0 or not (name == "lambda" or source.lstrip().startswith(("def ", "async def "))):
            continue
        for parameter_line in range(line, line + 20):
            column = _word_at(linecache.getline(code.co_filename, parameter_line), parameter, start + len(name) + 1)
            if column >= 0:
                return parameter_line, len(linecache.getline(code.co_filename, parameter_line)[:column].encode()) + 1
            start = -len(name) - 1
        return line, start + 1 if start > 0 else 1
    return first, 0


def _word_at(text, word, start):
    while (at := text.find(word, start)) >= 0:
        end = at + len(word)
        if not (text[at - 1 : at].isidentifier() or text[end : end + 1].isalnum() or text[end : end + 1] == "_"):
            return at
        start = end
    return -1


def _full_name(kind):
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


_TYPE_HINTS = {
    "numpy.longdouble": "convert it by float(...)",
    "range": "pass its start, stop and step, or np.arange(...)",
    "function": "compile it with @njit",
    "builtin_function_or_method": "pass a function compiled with @njit that calls it",
    "numpy.ufunc": "pass a function compiled with @njit that calls it",
    "datetime.date": "pass np.datetime64(...)",
    "datetime.datetime": "pass np.datetime64(...)",
    "datetime.timedelta": "pass np.timedelta64(...)",
    "decimal.Decimal": "pass float(...)",
    "type": "refer to it as a global or through a closure",
    "module": "refer to it as a global or through a closure",
    "functools.partial": "refer to it as a global or through a closure",
    "fractions.Fraction": "pass float(...), or its numerator and denominator",
    "pyarray._pyarray.Dispatcher": "refer to it as a global or through a closure",
    "pandas.core.series.Series": "pass series.to_numpy()",
    "pandas.core.frame.DataFrame": "pass frame.to_numpy()",
    "torch.Tensor": "pass tensor.numpy()",
}


def _class_hint(cls):
    """Why values of a class of named tuples, or members of an enum, cannot be arguments; None for other classes."""
    from ._named import describe

    reason = getattr(describe(cls), "reason", None)
    return reason and f"the class {cls.__name__} is not supported in compiled code: {reason}"


def _is_like_array(value):
    """Whether NumPy makes an array of numbers of a value."""
    if hasattr(value, "ndim") or any(hasattr(type(value), name) for name in ("__array__", "__array_interface__")):
        return True
    try:
        return memoryview(value).format is not None
    except (TypeError, BufferError):
        return False


def _is_of_users_class(value):
    """Whether the class of a value was made by a ``class`` statement, as far as can be told."""
    return type(type(value)) is type and hasattr(value, "__dict__") and type(value).__dict__.get("__dict__") is not None


_VALUES_HINT = (
    "numbers, text, None, NumPy arrays, tuples, lists, dicts and sets of these, "
    "ranges, slices, named tuples, members of enums, instances of jitclasses "
    "and functions compiled with @njit are supported"
)


_CLOSE = 0.7  # what two names that are probably one have in common, of their letters


def _has_its_letters(other, name):
    """Whether two names have so many letters in common, in whatever order, that one may be close to the other."""
    least = _CLOSE * (len(other) + len(name)) / 2
    return min(len(other), len(name)) >= least and sum(min(name.count(c), other.count(c)) for c in {*name}) >= least


def close_name(home, name):
    """The name, of a module or among the names of a dict and Python's own, that was probably meant; or None."""
    import builtins

    names = [*home, *vars(builtins)] if isinstance(home, dict) else dir(home)
    public = [other for other in names if isinstance(other, str) and not other.startswith("_")]
    likely = [other for other in public if _has_its_letters(other, name)]
    if not likely:
        return None  # most often, and difflib takes longer to import than a function to compile
    import difflib

    close = difflib.get_close_matches(name, likely, 5, _CLOSE)  # letters that are swapped are the likeliest
    return max(close, key=lambda other: (sorted(other) == sorted(name), other[0] == name[0]), default=None)


# By the first word of a type's name; those of numbers are NumPy's.
_CLASSES = {"unicode_type": str, "ListType": list, "DictType": dict, "UniTuple": tuple, "Tuple": tuple}
_CLASSES.update((kind.__name__, kind) for kind in (bytes, bytearray, set, frozenset, range, slice, complex, bool))


def _home_of(kind):
    """What has the attributes that values of a type have, by the type's name: a class, or one made of fields."""
    from collections import deque

    import numpy

    if "record(" in kind:
        import re

        return type("fields", (), dict.fromkeys(re.findall(r"(\w+): ", kind)))
    word = kind[: next((at for at, letter in enumerate(kind) if letter != "_" and not letter.isalnum()), len(kind))]
    if word in ("array", "deque"):
        return numpy.ndarray if word == "array" else deque
    return _CLASSES.get(word) or getattr(numpy, word, None)


def _unknown_attribute(message):
    """(name, type) where a message says that a type has no such attribute, else two empty texts."""
    # By parts: three patterns would take as long as the rest of a refusal.
    line = message.partition("\n")[0]
    for start in ("unknown method '", "unknown attribute '"):
        if line.startswith(start):
            name, said, kind = line[len(start) :].partition("' of type ")
            break
    else:
        kind, said, name = line.rpartition(" has no field '")
        name = name.partition("'")[0]
    return (name, kind) if said and name.isidentifier() else ("", "")


def _close_attribute(message):
    """The end of a message that knows no attribute of that name: the one that was probably meant, or nothing."""
    name, kind = _unknown_attribute(message)
    home = _home_of(kind) if name else None
    close = close_name(home, name) if home and not hasattr(home, name) else None
    return f"; did you mean {close}?" if close else ""


def _is_dtype(value):
    import numpy

    return isinstance(value, numpy.dtype) or (isinstance(value, type) and issubclass(value, numpy.generic))


def _reason(culprit, why, values_hint=_VALUES_HINT):
    """What is wrong with a value, and what to do."""
    if why == "type" and _is_dtype(culprit):
        return (
            f"{culprit!r} is no dtype that compiled code can be given",
            "pass a value of that dtype and use its attribute dtype, or write the dtype into the function",
        )
    kind = _full_name(type(culprit))
    if why == "type":
        hint = _TYPE_HINTS.get(kind)
        if hint is None and (isinstance(culprit, tuple) or type(type(culprit)) is not type):
            hint = _class_hint(type(culprit))
        if hint is None and kind == "numpy.ndarray":
            hint = "arrays have at most 32 dimensions"
        if hint is None and _is_like_array(culprit):
            hint = "pass np.asarray(...)"
        if hint is None and hasattr(culprit, "__next__"):
            hint = "pass list(...) of it"
        if hint is None and values_hint is _VALUES_HINT and _is_of_users_class(culprit):
            hint = "pass its attributes, or make its class a named tuple or a jitclass"
        return (
            f"cannot determine the type of {type(culprit)}",
            hint or values_hint,
        )
    if why == "dtype":
        dtype = culprit.dtype
        if dtype.kind in "VSU" and (dtype.names or dtype.kind != "V"):
            from .records import code_of

            try:
                code_of(dtype)
            except TypeError as error:
                return (
                    f"unsupported array dtype: {dtype}: {error}",
                    "pass the fields that compiled code has as arrays of their own",
                )
        hint = {
            "O": "convert it with .astype(float) or another numeric dtype",
            "g": "convert it with .astype(np.float64)",
            "G": "convert it with .astype(np.complex128)",
            "V": "view it as a structured dtype, or as bytes: a.view(np.uint8)",
        }.get(dtype.char, "convert it with .astype to a numeric dtype")
        return f"unsupported array dtype: {dtype}", hint
    if why == "byte order":
        return f"unsupported array dtype: {culprit.dtype.str} has foreign byte order", (
            "convert it with a.astype(a.dtype.newbyteorder('='))"
        )
    if why == "device":
        return "an array in a container, where arrays are on a device", "pass arrays one by one, or in a tuple"
    if why == "format":
        with memoryview(culprit) as view:
            return (
                f"the buffer of {type(culprit)} has items of format {view.format!r} and strides {view.strides} that "
                "compiled code cannot read",
                "bools, integers and real numbers in native byte order, aligned in memory, can be",
            )
    if why == "alignment":
        return f"the array of {culprit.dtype} is not aligned in memory", "make an aligned copy with a.copy()"
    if why == "strides":
        return (
            f"the strides {culprit.strides} of the array are no multiples of its item size, {culprit.itemsize} bytes",
            "make a contiguous copy with np.ascontiguousarray(a)",
        )
    if why == "masked":
        return (
            "unsupported array type: numpy.ma.MaskedArray, since its mask would be ignored",
            "pass a.filled(...) or a.data",
        )
    if why == "length":
        return (
            f"a tuple of {len(culprit)} elements is too long: at most 4096 are supported",
            "pass an array made by np.array(...)",
        )
    return "tuples and containers are nested too deeply", "at most 64 levels are supported"


_KERNEL_HINT = "a kernel takes numbers, None, NumPy arrays, device arrays, members of enums, and tuples of these"


def refused_argument(function, index, value, culprit, why, kernel=False):
    """The exception for an argument outside the compiled subset.

    Parameters
    ----------
    function : function or None
        None when the type of a value was asked for, outside a call.
    index : int
        Of the parameter, from 0.
    value, culprit : object
        The argument, and the part of it that is refused.
    why : str
        Name of a ``pa_refusal``.
    kernel : bool
        Whether the function is a kernel.
    """
    reason, hint = _reason(culprit, why, _KERNEL_HINT if kernel else _VALUES_HINT)
    inside = "" if culprit is value else f" (inside the {type(value).__name__})"
    if function is None:
        return errors.TypingError(f"{reason[0].upper()}{reason[1:]}{inside}.\nHint: {hint}.")
    code = function.__code__
    name = code.co_varnames[index]
    line, column = _def_place(function, name)
    text = (
        f"Failed in nopython mode: argument {index} ('{name}') of {function.__qualname__}() has a type that cannot be "
        f"compiled.{place(code.co_filename, line, column)}\n\n"
        f"This error may have been caused by the following argument(s):\n- argument {index}: {reason}{inside}\n\n"
        f"Hint: {hint}."
    )
    return errors.TypingError(text, file=code.co_filename, line=line, column=column or None)


def _no_definition(function, given, signatures):
    shown = "".join(f"\n  {signature}" for signature in signatures) or " nothing"
    return (
        f"No matching definition for argument type(s) {', '.join(map(str, given))}\n\n"
        f"{function.__qualname__}() is compiled for{':' * bool(signatures)}{shown}\n"
        "and no further, since its signatures are declared or disable_compile() was called."
    )


def no_match(function, arguments, candidates, is_ambiguous):
    """The exception where no declared signature, or more than one, suits the argument types."""
    given = types.arguments_from_code(arguments)
    signatures = [types.signature_from_code(code) for code in reversed(candidates)]
    if not is_ambiguous:
        return TypeError(_no_definition(function, given, signatures))
    lines = "\n".join(map(str, signatures))
    comma = "," if len(given) == 1 else ""
    return TypeError(f"Ambiguous overloading for {function} ({', '.join(map(str, given))}{comma}):\n{lines}")


def too_many_values(function, count):
    """The exception where literally() would make more variants of a function than there are to be."""
    return errors.TypingError(
        f"{function.__qualname__}() has been compiled for {count} values of arguments that literally() asks for\n"
        "hint: literally() is for values of which there are few; use the others as ordinary arguments"
    )


def _shown_type(value):
    try:
        return types.from_code(type_code(value))
    except errors.TypingError:
        return _full_name(type(value))
    except OverflowError:
        return "int"


def given_type(value):
    """What a value that does not fit is: Python's name for a number or text, else its type, if it has one."""
    if not isinstance(value, (int, float, complex, str, bytes, type(None))):
        with contextlib.suppress(errors.TypingError, OverflowError, TypeError):  # the last: a list of several types
            return str(types.from_code(type_code(value)))
    return f"'{type(value).__name__}'"


def argument_name(function, index):
    """What a message calls an argument."""
    return f"argument {index} ('{function.__code__.co_varnames[index]}') of {function.__qualname__}()"


def no_match_for_values(dispatcher, values, index, culprit, why):
    """The exception for arguments of which one has no type that any declared signature could have.

    Parameters
    ----------
    dispatcher : Dispatcher
    values : tuple
        All arguments.
    index : int
        Of the refused one; ``culprit`` is the refused part of it, and ``why`` the name of a ``pa_refusal``.
    """
    reason, hint = _reason(culprit, why)
    text = _no_definition(dispatcher, map(_shown_type, values), dispatcher.nopython_signatures)
    name = dispatcher.__code__.co_varnames[index]
    return TypeError(f"{text}\n\nArgument {index} ('{name}'): {reason}\n\nHint: {hint}.")


def _is_named_numba(module):
    """Whether a module, given by its globals, has ``import pyarray as numba``: it was written for Numba."""
    own = sys.modules[__package__]
    return any(module.get(name) is own for name in ("numba", "nb"))


def put_off(function, refusal):
    """Whether the decorator only warns of a refusal, by ``config.DECLARED_ERRORS``; it has warned then."""
    from . import config

    warns = config.DECLARED_ERRORS or ("warn" if _is_named_numba(function.__globals__) else "raise")
    if warns != "warn" or not isinstance(refusal, errors.PyArrayError):
        return False
    reason = str(refusal).strip()
    text = f"{function.__qualname__}() cannot be compiled for its declared signatures, and calls of it raise: {reason}"
    warn_at(text, errors.NumbaWarning, function.__code__.co_filename, function.__code__.co_firstlineno)
    return True


def warn_of_mask(array):
    """Warns of a `numpy.ma.MaskedArray` as an argument, which compiled code takes the data of, where it has a mask."""
    import numpy as np

    if array.mask is not np.ma.nomask:
        text = (
            "compiled code takes the data of a numpy.ma.MaskedArray and ignores its mask: pass a.filled(...) or a.data"
        )
        warn_at(text, errors.NumbaWarning, None, 0)


def warn_at(text, category, file, line):
    """A warning at a place of the user's, or at the call of this package that led here."""
    if file is None:
        frame = sys._getframe(1)
        while frame and frame.f_code.co_filename.startswith(_OWN_FOLDER):
            frame = frame.f_back
        file, line = (frame.f_code.co_filename, frame.f_lineno) if frame else ("<unknown>", 0)
    warnings.warn_explicit(text, category, file, line)
