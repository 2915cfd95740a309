# Took 26 s of processor time: each new constructor looked through the names of all before it.
from collections import deque


@njit
def f0(x, n):
    y = z = deque()
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return deque()
    if x is None:
        for k in range(3):
            z, *x = Link(x, n)
            x, z = Link(z, n), Link(y, n)
        for k in range(n):
            z, x = f2(lambda: y, n - 1), f2(lambda: f2(lambda: z, n - 1), n - 1)
    if x is None:
        for k in (1, 2):
            x, z = Link(y, n), Link(z, n)
            x, z = Link(x, n), f1(lambda: z, n - 1)
        z, *y = Link(y, n)
    return f2(lambda: x, n - 1)


@njit
def f1(x, n):
    y = z = deque()
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return deque()
    y, x = Link(Link(z, n), n), f0(lambda: x, n - 1)
    z, *y = f2(lambda: y, n - 1)
    return Link(x, n)


@njit
def f2(x, n):
    y = z = deque()
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return deque()
    try:
        if n > 1:
            z, *y = Link(z, n)
        z, y = f2(lambda: z, n - 1), Link(z, n)
    except (IndexError, KeyError):
        x = f2(lambda: z, n - 1)
    return Link(Link(y, n), n)

CALLS = [
    '(0.5, 0)',
    '((1, 2), 1)',
    '(1, 3)',
]
