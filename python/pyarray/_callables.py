"""Callable objects that Python makes of others, as the calls that make them."""

import functools
import operator

_GETTERS = {
    operator.attrgetter: "operator.attrgetter",
    operator.itemgetter: "operator.itemgetter",
    operator.methodcaller: "operator.methodcaller",
}


def take_apart(value):
    """Name of the class, positional arguments, named ones; None where the value is none of them."""
    if type(value) is functools.partial:
        return "functools.partial", (value.func, *value.args), value.keywords
    name = _GETTERS.get(type(value))
    if name is None:
        return None
    made, arguments = value.__reduce__()
    if type(made) is functools.partial:  # a methodcaller with named arguments
        return name, (*made.args, *arguments), made.keywords
    return name, arguments, {}
