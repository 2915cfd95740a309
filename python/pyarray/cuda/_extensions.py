"""``cuda.jit(extensions=[...])``: objects with ``prepare_args``, through which the arguments of a launch go."""

import operator
import reprlib

from .. import types
from .._pointers import Pointer
from .._user_types import registered_type


def read(extensions):
    """What ``extensions=`` was given, as a tuple.

    Raises
    ------
    TypeError
        For what is no list, and an object without ``prepare_args``.
    """
    if isinstance(extensions, (str, bytes, dict)) or not hasattr(type(extensions), "__iter__"):
        raise TypeError(f"extensions is a list of objects with prepare_args(ty, val, stream, retr), not {extensions!r}")
    extensions = tuple(extensions)
    for extension in extensions:
        if not callable(getattr(extension, "prepare_args", None)):
            raise TypeError(f"an extension has a method prepare_args(ty, val, stream, retr); {extension!r} has none")
    return extensions


def prepare(dispatcher, values, stream):
    """The arguments as kernels take them, and functions to call after the launch."""
    extensions, after = dispatcher.options["extensions"], []
    made = [_prepared(dispatcher, i, value, extensions, stream or 0, after) for i, value in enumerate(values, 1)]
    for function in after:
        if not callable(function):
            raise TypeError(f"prepare_args() of an extension appended {function!r} to retr, which cannot be called")
    return tuple(made), after


def _ask(extension, number, kind, value, stream, after):
    """What an extension gives for an argument: its type and value."""
    answer = extension.prepare_args(kind, value, stream=stream, retr=after)
    if not isinstance(answer, (tuple, list)) or len(answer) != 2 or not isinstance(answer[0], types.Type):
        raise TypeError(
            f"prepare_args() of the extension {extension!r} gives (type, value) for an argument, with a type of "
            f"pyarray.types; for argument {number} it gave {answer!r}"
        )
    return answer


def _prepared(dispatcher, number, value, extensions, stream, after):
    own = registered_type(value)
    kind, made = _type_of(dispatcher, value) if own is None else own, value
    for extension in reversed(extensions):
        kind, made = _ask(extension, number, kind, made, stream, after)
    if own is not None and own.code.startswith("*") and hasattr(made, "__index__"):
        return Pointer(own.code, made.__index__())
    if isinstance(kind, types.CPointer) and hasattr(made, "__index__"):
        return Pointer(kind.code, made.__index__())
    if isinstance(kind, (*_NUMBERS, types.Array, types.Record)) and isinstance(made, (int, float, complex)):
        return _number(kind, made, number)
    return made


_NUMBERS = (types.Number, types.NPDatetime, types.NPTimedelta)


def _number(kind, value, number):
    """A number as one of a type, which must have room for it."""
    import numpy as np

    try:
        if not isinstance(kind, _NUMBERS):
            raise TypeError("it is a number")
        if isinstance(kind, (types.NPDatetime, types.NPTimedelta)):
            return np.int64(operator.index(value)).view(str(kind))
        if isinstance(kind, types.Integer):
            value = operator.index(value)
        elif isinstance(kind, types.Float):
            value = float(value)
        return np.dtype(str(kind)).type(value)
    except (TypeError, OverflowError) as error:
        shown = reprlib.repr(value)
        raise type(error)(f"extensions give {shown} for argument {number}, which is no {kind}: {error}") from None


def _type_of(dispatcher, value):
    """The type of a value of compiled code; `types.undefined` of others."""
    import numpy as np

    from ..decorators import typeof

    try:
        if isinstance(value, np.ndarray):
            return typeof(value)
        return types.from_code(dispatcher._argument_codes((value,))[:-1])
    except Exception:
        return types.undefined
