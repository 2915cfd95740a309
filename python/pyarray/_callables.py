"""Callable objects that Python makes of others, as the calls that make them."""

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
