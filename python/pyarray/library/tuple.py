"""Methods of tuples, named ones too."""

from .containers import equal


def count(self, value):
    """How many elements are equal to ``value``."""
    found = 0
    for element in self:
        if equal(element, value):
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
        if found < 0 and i >= start and i < stop and equal(element, value):
            found = i
    if found < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return found
