"""What users' programs say to the compiler, and what Numba has for tuples."""

from ._intrinsics import literal


def literal_unroll(container):
    """The tuple: loops over tuples of several types are unrolled in any case."""
    return container


def to_fixed_tuple(array, length: literal):
    """The first ``length`` items of an array."""
    if length == 0:
        return ()
    return to_fixed_tuple(array, length - 1) + (array[length - 1],)


def _items_but(items, index, value, count: literal):
    if count == 0:
        return ()
    return _items_but(items, index, value, count - 1) + (value if index == count - 1 else items[count - 1],)


def tuple_setitem(items, index, value):
    """The tuple with another item at ``index``."""
    return _items_but(items, index, value, len(items))
