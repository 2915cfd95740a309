"""Tuples: order (also in min, max, sorted and heaps) with elements of several types, tuple(), repetition."""

import heapq
import itertools
import math

import numpy as np
import pytest
from pyarray import TypingError, njit

pytestmark = pytest.mark.real

PAIRS = list(itertools.product([0.5, 1.0, math.nan], [0, 1, -1]))


@njit
def orders(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


@pytest.mark.parametrize("a", PAIRS)
def test_pairs_of_two_types(a):
    for b in PAIRS:
        assert orders(a, b) == orders.py_func((a[0] + 0, a[1]), b)


@pytest.mark.parametrize("a", [("a", 1, 2.0), ("a", 1, 2.5), ("b", 0, 0.0), ("", 5, -1.0), ("ä", 1, 1.0)])
def test_text_comes_first(a):
    for b in [("a", 1, 2.0), ("a", 2, 0.0), ("aa", 0, 0.0)]:
        assert orders(a, b) == orders.py_func(a, b)


@pytest.mark.parametrize("a", [(1, (2, 3.0)), (1, (2, 2.5)), (0, (9, 9.0))])
def test_nested(a):
    assert orders(a, (1, (2, 2.75))) == orders.py_func(a, (1, (2, 2.75)))


@pytest.mark.parametrize("a", [(), (1,), (1, 2), (1, 2, 3), (2,), (0, 5)])
@pytest.mark.parametrize("b", [(), (1,), (1, 2), (1, 2, 3), (2,), (0, 5)])
def test_lengths_decide_where_elements_are_equal(a, b):
    assert orders(a, b) == orders.py_func(a, b)


def test_integers_and_floats_compare_exactly():
    big = 2**53
    assert orders((big + 1, 0), (float(big), 0)) == orders.py_func((big + 1, 0), (float(big), 0))


def test_elements_without_order():
    @njit
    def less(a, b):
        return a < b

    with pytest.raises(TypingError, match="no operator '<'"):
        less((1, 1j), (1, 2j))
    with pytest.raises(TypingError, match="no operator '<'"):
        less((1, "a"), (1, 2))


def test_min_and_max():
    @njit
    def extremes(a, b, c):
        return min(a, b, c), max(a, b, c), min((a, b)), max([a, b, c]), max(a, b, key=lambda pair: -pair[0])

    a, b, c = (0.5, 2), (0.5, 1), (2.5, -1)
    assert extremes(a, b, c) == extremes.py_func(a, b, c)


def test_min_and_max_of_text_and_lists():
    @njit
    def extremes(a, b):
        return min(a, b), max(a, b), min([a], [b])

    assert extremes("pear", "apple") == extremes.py_func("pear", "apple")


def test_heap_and_sort():
    @njit
    def drain(items):
        heap = []
        for item in items:
            heapq.heappush(heap, item)
        return [heapq.heappop(heap) for _ in range(len(heap))], sorted(items), sorted(items, reverse=True)

    items = [(0.5, "b", 1), (0.5, "a", 2), (-1.0, "z", 0), (0.5, "a", 1)]
    assert drain(items) == (sorted(items), sorted(items), sorted(items, reverse=True))


def test_tuple_of_a_tuple_and_repetition():
    @njit
    def made(t):
        return tuple(t), tuple(), (t[0],) * 3, 2 * t, t * 0, (1, "a") * 2

    assert made((1, 2.5)) == made.py_func((1, 2.5))


def test_tuples_of_unknown_length():
    @njit
    def of_list(xs):
        return tuple(xs)

    @njit
    def repeated(t, n):
        return t * n

    with pytest.raises(TypingError, match="the length of a tuple is part of its type"):
        of_list([1, 2])
    with pytest.raises(TypingError, match=r"no operator '\*'"):
        repeated((1, 2), 3)


def test_identity_of_tuples():
    @njit
    def f(a, b):
        t, array = (a, "x", 1.5), np.zeros(2)
        return t is t, t is not t, (a, b) is (a,), (array, a) is (array, a)

    assert f(3, 4) == (True, False, False, True)
