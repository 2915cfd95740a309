"""Texts of errors of ufuncs. Each function returns the exception, which the extension raises."""

import numpy

from . import types
from ._ufunc_signatures import shown
from .errors import TypingError, UFuncTypeError


def wrong_result(function, code, text, nout, writes):
    result = code[code.index(">") + 1 :]
    returned = types.from_code(result) if result else "nothing"
    if writes:
        wanted = "it writes its outputs and returns nothing"
    else:
        wanted = "it returns a number" if nout == 1 else f"it returns a tuple of {nout} numbers"
    return TypingError(f"{function.__qualname__}() returns {returned}; as a ufunc '{text}' {wanted}: {shown(code)}")


_KEY_NAMES = {"1": "int", "2": "float", "3": "complex", "-": "no output", "!": "a type of another library"}


def _key_name(letter):
    if letter in _KEY_NAMES:
        return _KEY_NAMES[letter]
    try:
        return str(types.from_code(letter))
    except ValueError:
        return numpy.dtype(letter).type.__name__.rstrip("_")  # "str" rather than "<U0"


_DTYPE_HINTS = {"g": "float64", "G": "complex128", "O": "float64, or another dtype of numbers"}


def no_loop(function, key):
    names = ", ".join(map(_key_name, key))
    hints = {_DTYPE_HINTS[letter] for letter in key if letter in _DTYPE_HINTS}
    hint = f"\n\nHint: convert them with .astype to {' or '.join(sorted(hints))}." if hints else ""
    return UFuncTypeError(
        f"ufunc '{function.__name__}' not supported for the input types ({names}): loops are compiled for booleans, "
        f"integers, float16, float32, float64, complex64, complex128, datetimes and timedeltas.{hint}"
    )


def hidden_loop(function, code):
    return TypingError(
        f"ufunc '{function.__name__}' has another loop with these types in other units, and NumPy tells loops by "
        f"their types alone: {shown(code)}\n\nHint: one signature serves all units that can be cast to its own; "
        "without signatures, each unit gets a loop."
    )


def all_refused(arguments, tried):
    ufunc, method, *inputs = arguments
    shown = ", ".join(map(repr, inputs))
    names = ", ".join(repr(type(value).__name__) for value in tried)
    return TypeError(
        f"operand type(s) all returned NotImplemented from __array_ufunc__({ufunc!r}, {method!r}, {shown}): {names}"
    )
