"""Functions of functions."""

from ._intrinsics import given, missing


def partial(function, /, *arguments, **keywords):
    """The function with arguments before those of a call, and named ones that a call may give anew."""

    def call(*more, **others):
        return function(*arguments, *more, **(keywords | others))

    return call


def reduce(function, iterable, initial=missing, /):
    """``function(... function(function(first, second), third) ..., last)``."""
    if given(initial):
        value = initial
        for item in iterable:
            value = function(value, item)
        return value
    found = False
    for item in iterable:
        if found:
            value = function(value, item)
        else:
            value = item
            found = True
    if not found:
        raise TypeError("reduce() of empty iterable with no initial value")
    return value
