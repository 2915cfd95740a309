# died: killed by SIGKILL
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
        for b in nested((a, a), n - 1):
            yield [b]


def overloaded(a):
    return [a]


@overload(overloaded)
def overload_of_it(a):
    return lambda a: [a]


@jitclass([("value", types.ListType(types.int64))])
class Box:
    def __init__(self, n):
        self.value = [n]

    def put(self, a, n):
        return [a]


@njit
def f0(x, n):
    y = z = x
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return x
    for k in (1, 2):
        if y:
            y[n] = x * 2
        try:
            x = [x]
            x = [x]
        except (IndexError, KeyError):
            x = z * 2
    if x is None:
        try:
            xs.insert(0, f0((z, n), n - 1))
            xs.insert(0, x * 2)
        except (IndexError, KeyError):
            x = f0((z, n), n - 1)
        try:
            z = [x]
            xs.insert(0, f0((y * 2, n), n - 1))
        except (IndexError, KeyError):
            x = f0((y, n), n - 1)
    return f0((x, n), n - 1)



CALLS = [
    '([1, 2], 0)',
    "('a', 1)",
    '((1, 2), 3)',
]
