# 15 s of processor time
from collections import deque, namedtuple
from functools import partial

from pyarray import types

Pair = namedtuple("Pair", "number rest")


@njit
def first(a, *b):
    return a


@njit
def single(a):
    return (a,)


@njit
def rest(*a):
    return a


@njit
def named(**a):
    return a["p"]


@njit
def nested(a, n):
    yield a
    if n > 0:
        for b in nested(a, n - 1):
            yield (b, n)


def overloaded(a):
    return a


@overload(overloaded)
def overload_of_it(a):
    return lambda a: a


@jitclass([("value", types.ListType(types.int64))])
class Box:
    def __init__(self, n):
        self.value = [n]

    def put(self, a, n):
        return (a, self.value)


@njit
def f0(x, n):
    y = z = 'a'
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return 2j
    y, *x = f1(lambda: x, n - 1)
    for k in range(n):
        y, *x = (y, n)
    return (y, n)


@njit
def f1(x, n):
    y = z = 2j
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return 2j
    if x is None:
        x, *z = f1(lambda: y, n - 1)
        y, *x = f0(lambda: x, n - 1)
    return (z, n)

CALLS = [
    '(0.5, 0)',
    '(1, 1)',
    '(None, 3)',
]
