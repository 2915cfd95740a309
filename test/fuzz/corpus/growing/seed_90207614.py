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
        for b in nested(partial(first, a), n - 1):
            yield a


def overloaded(a):
    return overloaded([a])[0]


@overload(overloaded)
def overload_of_it(a):
    return lambda a: overloaded([a])[0]


@jitclass([("value", types.ListType(types.int64))])
class Box:
    def __init__(self, n):
        self.value = [n]

    def put(self, a, n):
        return self.put((a, n), n - 1) if n > 0 else a


@njit
def f0(x, n):
    y = z = True
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return []
    for z in [f0(y, n - 1)]:
        pass
    return [f0([f0(x, n - 1)], n - 1)]



CALLS = [
    "('a', 0)",
    '({1, 2}, 1)',
    '((1, 0.5), 3)',
]
