"""Python's own functions over iterables."""

import math

from ._intrinsics import given, missing


def all(iterable):
    """Whether no item is false."""
    for item in iterable:
        if not item:
            return False
    return True


def any(iterable):
    """Whether an item is true."""
    for item in iterable:
        if item:
            return True
    return False


def sum(iterable, /, start=0):
    """The items added to ``start``, from left to right."""
    total = start
    for item in iterable:
        total = total + item
    return total


def max(iterable, /, *, default=missing, key=None):
    """The first of the greatest items."""
    found = False
    if key is None:
        for item in iterable:
            if not found or item > best:
                best = item
                found = True
    else:
        for item in iterable:
            value = key(item)
            if not found or value > greatest:
                best, greatest = item, value
                found = True
    if not found:
        if given(default):
            return default
        raise ValueError("max() arg is an empty sequence")
    return best


def max_of_several(*items, key):
    """The first of the greatest of several arguments."""
    return max(items, key=key)


def min(iterable, /, *, default=missing, key=None):
    """The first of the least items."""
    found = False
    if key is None:
        for item in iterable:
            if not found or item < best:
                best = item
                found = True
    else:
        for item in iterable:
            value = key(item)
            if not found or value < least:
                best, least = item, value
                found = True
    if not found:
        if given(default):
            return default
        raise ValueError("min() arg is an empty sequence")
    return best


def min_of_several(*items, key):
    """The first of the least of several arguments."""
    return min(items, key=key)


def sorted(iterable, /, *, key=None, reverse=False):
    """A list of the items in order."""
    items = list(iterable)
    items.sort(key=key, reverse=reverse)
    return items


def compensated_sum(iterable, /, start=0):
    """``sum`` from Python 3.12 on: what additions of floats lose is added in the end (Neumaier 1974)."""
    total = start
    lost = 0.0
    for item in iterable:
        if isinstance(item, float):
            before = total
            total = before + item
            if abs(before) >= abs(item):
                lost += (before - total) + item
            else:
                lost += (item - total) + before
        else:
            total = total + item
    if isinstance(total, float) and lost != 0.0 and math.isfinite(lost):
        return total + lost
    return total
