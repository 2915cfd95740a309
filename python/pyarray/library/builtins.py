"""Python's own functions over iterables."""

import math
import types
from collections import deque

import numpy as np

from ._intrinsics import given, holds_arrays, holds_none, missing
from .containers import equal


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
    if holds_arrays(iterable):
        if isinstance(iterable, tuple):
            return _sum_of_tuple(iterable, start)
        return _sum_of_arrays(iterable, start)
    if holds_none(iterable):
        for _ in iterable:
            raise TypeError("unsupported operand type(s) for +")
        return start
    total = start
    for item in iterable:
        total = total + item
    return total


def _sum_of_tuple(items, start):
    if len(items) == 0:
        return start
    return _sum_of_tuple(items[1:], start + items[0])


def _sum_of_arrays(iterable, start):
    """The same of arrays: the sum has another type than ``start``, which is what no items would give."""
    found = False
    for item in iterable:
        if found:
            total = total + item
        else:
            total, found = start + item, True
    if not found:
        raise ValueError(
            "sum() of no arrays is its start, of which compiled code cannot know the type; "
            "test that there are arrays: sum(arrays) if len(arrays) else ..."
        )
    return total


def max(iterable, /, *, default=missing, key=None):
    """The first of the greatest items."""
    found = False
    if key is None and holds_none(iterable):
        nothing = list(iterable)
        _order_none(nothing, ">")
        for item in nothing:
            best, found = item, True
    elif key is None:
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


def max_of_several(*items, key=None):
    """The first of the greatest of several arguments."""
    return max(items, key=key)


def min(iterable, /, *, default=missing, key=None):
    """The first of the least items."""
    found = False
    if key is None and holds_none(iterable):
        nothing = list(iterable)
        _order_none(nothing, "<")
        for item in nothing:
            best, found = item, True
    elif key is None:
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


def min_of_several(*items, key=None):
    """The first of the least of several arguments."""
    return min(items, key=key)


def sorted(iterable, /, *, key=None, reverse=False):
    """A list of the items in order."""
    items = list(iterable)
    if key is None and holds_none(items):
        _order_none(items, "<")
    else:
        items.sort(key=key, reverse=reverse)
    return items


def _order_none(items, operator):
    """Of what is None throughout, as that is which nothing fills: it has no order. Tuples of it are all equal."""
    if len(items) > 1 and items[0] is None:
        raise TypeError("'" + operator + "' not supported between instances of 'NoneType' and 'NoneType'")


def reversed_entries(entries, /):
    """``reversed`` of a dict that is no plain one."""
    return reversed(entries.keys())


def compensated_sum(iterable, /, start=0):
    """``sum`` from Python 3.12 on: what additions of floats lose is added in the end (Neumaier 1974)."""
    if holds_arrays(iterable):
        if isinstance(iterable, tuple):
            return _sum_of_tuple(iterable, start)
        return _sum_of_arrays(iterable, start)
    if holds_none(iterable):
        for _ in iterable:
            raise TypeError("unsupported operand type(s) for +")
        return start
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


def next(iterator, default=missing, /):
    """The next item of a generator."""
    if isinstance(iterator, (list, tuple, str, bytes, dict, set, range, np.ndarray)):
        raise TypeError("object is not an iterator")
    for item in iterator:
        return item
    if given(default):
        return default
    raise StopIteration


def _items(iterable):
    yield from iterable


def _first_parts(tuples):
    for (item,) in tuples:
        yield item


def iter(iterable, /):
    """The generator itself, or one of the items, which notices changes from now on."""
    if isinstance(iterable, types.GeneratorType):
        return iterable
    if isinstance(iterable, (deque, dict, frozenset, set)):
        return _first_parts(zip(iterable))
    return _items(iterable)


def each_of(iterable):
    """The items of what is unpacked."""
    for item in iterable:  # noqa: UP028
        yield item


def items_of(iterable):
    """The items of what has a method ``__iter__``: a generator function, or one that gives what has ``__next__``."""
    iterator = iterable.__iter__()
    if isinstance(iterator, types.GeneratorType):
        for item in iterator:
            yield item
    else:
        while True:
            try:
                item = iterator.__next__()
            except StopIteration:
                return
            yield item


def index_of(value):
    """The integer that an instance stands for."""
    return value.__index__()


def float_of(value):
    """The number that an instance stands for."""
    return value.__float__()


def class_of(value):
    """The class of an instance."""
    return type(value)


def items_by_position(sequence):
    """The items of what has a method ``__getitem__`` but no ``__iter__``: up to the one that is not there."""
    position = 0
    while True:
        try:
            item = sequence[position]
        except (IndexError, StopIteration):
            return
        yield item
        position += 1


def reversed_by_position(sequence):
    """``reversed``, of what has methods ``__getitem__`` and ``__len__``."""
    for position in range(len(sequence) - 1, -1, -1):
        yield sequence[position]


def sequence(iterable):
    """What has positions and slices: a list of the items of a generator or deque, all else as it is."""
    if isinstance(iterable, types.GeneratorType) or isinstance(iterable, deque):
        return list(iterable)
    return iterable


def contains_item(iterator, value):
    """``value in iterator``."""
    for item in iterator:
        if equal(item, value):
            return True
    return False


def iterators(iterables):
    """``iter`` of each element of a tuple."""
    if len(iterables) == 0:
        return ()
    return (iter(iterables[0]),) + iterators(iterables[1:])


def _heads(iterators):
    # The next item of each; StopIteration where one has ended.
    if len(iterators) == 0:
        return ()
    return (next(iterators[0]),) + _heads(iterators[1:])


def list_of_items(iterable):
    """``list``, for what has items that are no elements of an array."""
    return [item for item in iterable]


def enumerate_items(iterable, start=0):
    """``enumerate`` of a generator."""
    count = start
    for item in iterable:
        yield count, item
        count += 1


def _differs(number, what):
    others = "argument " if number == 2 else "arguments 1-"
    return f"zip() argument {number} is {what} than {others}{number - 1}"


def _strict_heads(iterators, number):
    # The first of them is argument |number| of zip().
    if len(iterators) == 0:
        return ()
    for item in iterators[0]:
        return (item,) + _strict_heads(iterators[1:], number + 1)
    raise ValueError(_differs(number, "shorter"))


def _check_ended(iterators, number):
    if len(iterators) > 0:
        for _ in iterators[0]:
            raise ValueError(_differs(number, "longer"))
        _check_ended(iterators[1:], number + 1)


def zip_items(*iterables, strict=False):
    """``zip`` where one of several is a generator."""
    others = iterators(iterables[1:])
    for item in iterables[0]:
        if strict:
            rest = _strict_heads(others, 2)
        else:
            try:
                rest = _heads(others)
            except StopIteration:
                return
        yield (item,) + rest
    if strict:
        _check_ended(others, 2)


def map(function, iterable, /, *iterables):
    """The function of each item, or of items that belong together."""
    if len(iterables) == 0:
        for item in iterable:
            yield function(item)
    else:
        for items in zip(iterable, *iterables):
            yield function(*items)


def filter(function, iterable, /):
    """The items of which the function is true; those that are true where it is None."""
    for item in iterable:
        if function is None:
            if item:
                yield item
        elif function(item):
            yield item
