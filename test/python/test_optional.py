"""Values that may be None against CPython: variables, arguments, results, items, and the TypeErrors of None."""
# ruff: noqa: E711

import copy

import numpy as np
import pytest
from pyarray import njit
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)

def least(xs):
    best = None
    for x in xs:
        if best is None or x < best:
            best = x
    return best


def operator(n):
    x = None
    if n > 2:
        x = n
    return x + 1


def truth(n):
    x = None if n < 2 else 1.5 * n
    if x:
        return x
    return -1.0


def comparisons(n):
    x = n if n > 1 else None
    return x == 2, x != 2, x == None, not x, x is None


@njit


def add(x, y=None):
    if y is None:
        return x
    return x + y


def as_arguments(n):
    y = None
    if n > 1:
        y = n
    return add(1, y), add(1), add(1, 2)


def method(n):
    xs = None
    if n > 1:
        xs = [n]
    xs.append(2)
    return xs


def subscript(n):
    t = (n, 1) if n > 1 else None
    return t[0]


def iteration(n):
    t = (n, 1) if n > 1 else None
    s = 0
    for x in t:
        s += x
    return s


def unary(n):
    x = None
    if n > 1:
        x = n
    return -x


def ordering(n):
    a = None
    if n > 1:
        a = n
    return a < 3


def array_or_none(a, flag):
    b = None
    if flag:
        b = a
    if b is not None:
        return b[0]
    return 0.0


def items(n):
    return [None, n], [x if x > 1 else None for x in range(n)]


def accumulates(n):
    x = None
    for i in range(n):
        if x is None:
            x = 0
        else:
            x += i
    return x


@pytest.mark.parametrize(
    "function, arguments",
    [
        (least, ([3, 1, 2],)),
        (least, ([3.5, 1.0],)),
        (least, (np.empty(0),)),
        (operator, (5,)),
        (operator, (1,)),
        (truth, (1,)),
        (truth, (4,)),
        (truth, (0,)),
        (comparisons, (2,)),
        (comparisons, (1,)),
        (as_arguments, (1,)),
        (as_arguments, (3,)),
        (method, (2,)),
        (method, (1,)),
        (subscript, (2,)),
        (subscript, (1,)),
        (iteration, (2,)),
        (iteration, (1,)),
        (unary, (2,)),
        (unary, (1,)),
        (ordering, (2,)),
        (ordering, (1,)),
        (items, (3,)),
        (accumulates, (0,)),
        (accumulates, (4,)),
        (array_or_none, (np.ones(2), True)),
        (array_or_none, (np.ones(2), False)),
    ],
)
def test_none_or_a_value(function, arguments):
    expected = outcome(function, *copy.deepcopy(arguments))
    assert outcome(njit(function), *copy.deepcopy(arguments)) == expected


def test_none_at_first():
    """What a function is called with from outside says nothing of how it calls itself."""

    def total(x, n):
        if n <= 0:
            return 0
        if x is None:
            x = 7
        return x + total_of(x + 1, n - 1)

    def first(x, n):
        if x:
            return 5
        return first_of(lambda: n, n - 1) if n > 0 else 6

    total_of, first_of = njit(total), njit(first)
    assert total_of(None, 3) == 24 and total_of(4, 2) == 9 and first_of(None, 3) == 5 and first_of(None, 0) == 6


def test_is_what_is_returned():
    @njit
    def f(x):
        return None if x < 0 else x

    assert f(-1.0) is None and f(2.0) == 2.0 and type(f(2)) is int


def test_nothing_leaks():
    @njit
    def f(n):
        kept = None
        for i in range(n):
            if kept is None or len(kept) > 2:
                kept = [i]
            else:
                kept.append(i)
        a = np.ones(n) if n > 2 else None
        return kept, a[0]

    def live():
        made, freed = allocation_counts()
        return made - freed

    outcome(f, 2), outcome(f, 9)
    before = live()
    for n in (0, 2, 9):
        outcome(f, n)
    assert live() == before
