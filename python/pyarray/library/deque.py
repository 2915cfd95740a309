"""Methods of deques."""

from collections import deque

from ._intrinsics import given, missing
from .containers import equal


def of_optional_length(iterable=missing, maxlen=None):
    """``deque(iterable, maxlen)``, where it is known as it runs whether there is a greatest length."""
    limit = (1 << 63) - 1
    if maxlen is not None:
        limit = int(maxlen)
    if given(iterable):
        return deque(iterable, limit)
    else:
        return deque(maxlen=limit)


def extendleft(self, iterable):
    """Put items at the beginning, one after the other: the last comes first then."""
    if isinstance(iterable, deque):  # which may be this one
        for item in list(iterable):
            self.appendleft(item)
    else:
        for item in iterable:
            self.appendleft(item)


def rotate(self, n=1):
    """Move the last ``n`` items to the beginning, or the first ``-n`` to the end."""
    length = len(self)
    if length < 2:
        return
    n %= length
    if n == 0:
        self.append(self.pop())  # whoever goes over it hears of this, too
    if 2 * n <= length:
        for _ in range(n):
            self.appendleft(self.pop())
    else:
        for _ in range(length - n):
            self.append(self.popleft())


def _position(self, value, start, stop):
    # Of the first item between these that is equal to ``value``, or -1. What is equal may not change the deque.
    if start < 0:
        start = max(start + len(self), 0)
    if stop < 0:
        stop += len(self)
    for position, item in enumerate(self):
        if position >= stop:
            break
        if position >= start and equal(item, value):
            return position
    return -1


def index_of_equal(self, value, start=0, stop=9223372036854775807, /):
    """``deque.index``, of instances of classes."""
    position = _position(self, value, start, stop)
    if position < 0:
        raise ValueError("deque.index(x): x not in deque")
    return position


def remove_equal(self, value, /):
    """``deque.remove``, of instances of classes."""
    position = _position(self, value, 0, len(self))
    if position < 0:
        raise ValueError("deque.remove(x): x not in deque")
    del self[position]
