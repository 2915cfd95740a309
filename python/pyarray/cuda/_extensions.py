"""``cuda.jit(extensions=[...])``: objects with ``prepare_args``, through which the arguments of a launch go."""

from .. import types
from .._pointers import Pointer
from .._user_types import registered_type


def read(extensions):
    """What ``extensions=`` was given, as a tuple.

    Raises
    ------
    TypeError
        For an object without ``prepare_args``.
    """
    extensions = tuple(extensions)
    for extension in extensions:
        if not callable(getattr(extension, "prepare_args", None)):
            raise TypeError(f"an extension has a method prepare_args(ty, val, stream, retr); {extension!r} has none")
    return extensions


def prepare(dispatcher, values, stream):
    """The arguments as kernels take them, and functions to call after the launch."""
    extensions, after = dispatcher.options["extensions"], []
    return tuple(_prepared(dispatcher, value, extensions, stream or 0, after) for value in values), after


def _prepared(dispatcher, value, extensions, stream, after):
    own = registered_type(value)
    kind, made = _type_of(dispatcher, value) if own is None else own, value
    for extension in reversed(extensions):
        kind, made = extension.prepare_args(kind, made, stream=stream, retr=after)
    if own is not None and own.code.startswith("*") and hasattr(made, "__index__"):
        return Pointer(own.code, made.__index__())
    if isinstance(kind, types.CPointer) and hasattr(made, "__index__"):
        return Pointer(kind.code, made.__index__())
    if isinstance(kind, types.Number) and isinstance(made, (int, float, complex)):
        from numpy import dtype

        return dtype(str(kind)).type(made)
    return made


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
