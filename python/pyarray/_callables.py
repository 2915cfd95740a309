"""Callable objects that are no compiled functions: as the calls that make them, and as arguments."""

import collections
import functools
import operator
import types

_GETTERS = {
    operator.attrgetter: "operator.attrgetter",
    operator.itemgetter: "operator.itemgetter",
    operator.methodcaller: "operator.methodcaller",
}

_METHODS = (types.BuiltinMethodType, types.MethodWrapperType)
_METHODS_OF_CLASSES = (types.MethodDescriptorType, types.WrapperDescriptorType)
_MOST_PASSED = 512
_passed = {}  # number of a callable: it, and the compiled function that calls it

_PASSED_CLASSES = (
    bool, bytearray, bytes, enumerate, filter, frozenset, list, map, range, reversed, set, slice, tuple, zip,
)  # fmt: skip
_CLASSES = (bytes, collections.deque, complex, dict, float, frozenset, int, list, range, set, str, tuple)


def take_apart(value):
    """Name of the class, positional arguments, named ones; None where the value is none of them."""
    if isinstance(value, _METHODS_OF_CLASSES) and value.__objclass__ in _CLASSES:
        return "builtins.getattr", (value.__objclass__, value.__name__), {}
    if isinstance(value, _METHODS) and type(value.__self__) in _CLASSES:
        return "builtins.getattr", (value.__self__, value.__name__), {}
    if type(value) is functools.partial:
        return "functools.partial", (value.func, *value.args), value.keywords
    name = _GETTERS.get(type(value))
    if name is None:
        return None
    made, arguments = value.__reduce__()
    if type(made) is functools.partial:  # a methodcaller with named arguments
        return name, (*made.args, *arguments), made.keywords
    return name, arguments, {}


def as_function(value):
    """A compiled function that calls what Python passes as an argument; None where compiled code knows no such thing.

    It is the same for the same object, so that the caller is not compiled again: of the last 512 of them.
    """
    found = _passed.get(id(value))
    if found and found[0] is value:
        return found[1]
    if not _is_known(value):
        return None
    from .decorators import njit

    while len(_passed) >= _MOST_PASSED:
        del _passed[next(iter(_passed))]
    _passed[id(value)] = value, njit(_caller(value))
    return _passed[id(value)][1]


def _is_known(value):
    """Whether compiled code may know how to call it: it says so itself where it does not."""
    import numpy

    from . import extending
    from .ufuncs import DUFunc

    if isinstance(value, (types.BuiltinFunctionType, numpy.ufunc, DUFunc)) or take_apart(value):
        return True
    if isinstance(value, type):
        return value in _PASSED_CLASSES
    of_numpy = (getattr(value, "__module__", None) or "").partition(".")[0] == "numpy"
    is_function = isinstance(value, types.FunctionType) or type(value) is type(numpy.sum)
    return (of_numpy and is_function) or hasattr(value, "__pyarray_dispatcher__") or bool(extending.name_of(value))


def _caller(function):
    def call(*arguments, **keywords):
        return function(*arguments, **keywords)

    return call


_CALLS = (  # by the number of parameters
    lambda function: lambda: function(),
    lambda function: lambda a: function(a),
    lambda function: lambda a, b: function(a, b),
    lambda function: lambda a, b, c: function(a, b, c),
    lambda function: lambda a, b, c, d: function(a, b, c, d),
)


def with_parameters(call, code):
    """What a call is compiled of for a declared FunctionType: it has parameters of its own."""
    if call.__code__.co_name != "call" or call.__module__ != __name__:
        return call
    from ._type_codes import from_code

    count = len(from_code(code).signature.args)
    if count >= len(_CALLS):
        raise TypeError(f"a FunctionType of {count} arguments takes functions compiled by njit or cfunc alone")
    return _CALLS[count](call.__closure__[0].cell_contents)
