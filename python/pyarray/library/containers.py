"""Comparisons of containers whose items have different types or are instances of classes, and views of dicts."""

from ._intrinsics import is_same


def equal(a, b):
    """Whether items are equal: one and the same, or ``a == b``. None is equal to None alone."""
    if is_same(a, b):
        return True
    if a is None or b is None:
        return False
    if a == b:
        return True
    return False


def _difference(a, b):
    # The position of the first items that differ, or how many there are in the shorter list: comparisons may change it.
    position = 0
    while position < len(a) and position < len(b) and equal(a[position], b[position]):
        position += 1
    return position


def equal_lists(a, b):
    """``a == b``, of two lists."""
    if len(a) != len(b):
        return False
    position = _difference(a, b)
    return len(a) == len(b) and position >= len(a)


def less_lists(a, b):
    """``a < b``."""
    position = _difference(a, b)
    if position < len(a) and position < len(b):
        return a[position] < b[position]
    return len(a) < len(b)


def at_most_lists(a, b):
    """``a <= b``."""
    position = _difference(a, b)
    if position < len(a) and position < len(b):
        return a[position] <= b[position]
    return len(a) <= len(b)


def equal_deques(a, b):
    """``a == b``, of two deques, which may not change meanwhile."""
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if not equal(x, y):
            return False
    return True


def less_deques(a, b):
    """``a < b``."""
    for x, y in zip(a, b):
        if not equal(x, y):
            return x < y
    return len(a) < len(b)


def at_most_deques(a, b):
    """``a <= b``."""
    for x, y in zip(a, b):
        if not equal(x, y):
            return x <= y
    return len(a) <= len(b)


def equal_tuples(a, b):
    """``a == b``."""
    if len(a) != len(b):
        return False
    if len(a) == 0:
        return True
    if not equal(a[0], b[0]):
        return False
    return equal_tuples(a[1:], b[1:])


def same_tuples(a, b):
    """``a is b``: tuples are values, so of the same elements."""
    if len(a) != len(b):
        return False
    if len(a) == 0:
        return True
    if a[0] is not b[0]:
        return False
    return same_tuples(a[1:], b[1:])


def less_tuples(a, b):
    """``a < b``."""
    if len(a) == 0 or len(b) == 0:
        return len(a) < len(b)
    if not equal(a[0], b[0]):
        return a[0] < b[0]
    return less_tuples(a[1:], b[1:])


def at_most_tuples(a, b):
    """``a <= b``."""
    if len(a) == 0 or len(b) == 0:
        return len(a) <= len(b)
    if not equal(a[0], b[0]):
        return a[0] <= b[0]
    return at_most_tuples(a[1:], b[1:])


def equal_dicts(a, b):
    """``a == b``."""
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b or not equal(value, b[key]):
            return False
    return True


def in_values(values, wanted):
    """``wanted in values``, of a list, a deque, ``d.values()`` or ``d.items()``."""
    for value in values:
        if equal(value, wanted):
            return True
    return False


def in_tuple(elements, wanted):
    """``wanted in elements``."""
    if len(elements) == 0:
        return False
    if equal(elements[0], wanted):
        return True
    return in_tuple(elements[1:], wanted)


def count(items, value):
    """``items.count(value)``."""
    found = 0
    for item in items:
        if equal(item, value):
            found += 1
    return found


def index(items, value, start, stop):
    """The position of the first item between these that is equal to ``value``, or -1."""
    if start < 0:
        start = max(start + len(items), 0)
    if stop < 0:
        stop += len(items)
    while start < len(items) and start < stop:
        if equal(items[start], value):
            return start
        start += 1
    return -1


def in_both(a, b):
    """``a & b``, where one is a view of a dict."""
    return set(a) & set(b)


def in_either(a, b):
    """``a | b``, where one is a view of a dict."""
    return set(a) | set(b)


def in_first(a, b):
    """``a - b``, where one is a view of a dict."""
    return set(a) - set(b)


def in_one(a, b):
    """``a ^ b``, where one is a view of a dict."""
    return set(a) ^ set(b)


def disjoint(a, b, /):
    """Whether no item of ``b`` is in ``a``, a view of a dict."""
    for item in b:
        if item in a:
            return False
    return True


def subset(a, b):
    """``a <= b`` of sets and views of dicts."""
    if len(a) > len(b):
        return False
    for item in a:
        if item not in b:
            return False
    return True


def proper_subset(a, b):
    """``a < b``, where one is a view of a dict."""
    return len(a) < len(b) and subset(a, b)


def same_items(a, b):
    """``a == b`` of sets and views of dicts."""
    return len(a) == len(b) and subset(a, b)


def both_lists(a, b):
    """``a + b`` of numbers of two types."""
    return [*a, *b]
