"""Methods of tuples, named ones too."""

from numbers import Number

from .containers import equal


def _are_equal(element, value):
    # Numbers, text and bytes equal nothing else; what types decide is not compiled.
    if isinstance(element, Number):
        if isinstance(value, Number):
            return equal(element, value)
    elif isinstance(element, str):
        if isinstance(value, str):
            return equal(element, value)
    elif isinstance(element, bytes):
        if isinstance(value, bytes):
            return equal(element, value)
    elif not isinstance(value, (Number, str, bytes)):
        return equal(element, value)
    return False


def count(self, value):
    """How many elements are equal to ``value``."""
    found = 0
    for element in self:
        if _are_equal(element, value):
            found += 1
    return found


def index(self, value, start=0, stop=9223372036854775807):
    """The number of the first element from ``start`` to ``stop`` that is equal to ``value``."""
    length = len(self)
    if start < 0:
        start = max(start + length, 0)
    if stop < 0:
        stop += length
    found = -1
    for i, element in enumerate(self):
        if found < 0 and i >= start and i < stop and _are_equal(element, value):
            found = i
    if found < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return found
