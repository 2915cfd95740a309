"""Unions, differences and comparisons of whole sets, of more keys than are looked up side by side; flat tuples."""

import itertools

import numpy as np
import pytest
from compare import arrays_alive, define
from pyarray import njit

OPERATIONS = [
    "sorted(a | b)", "sorted(a & b)", "sorted(a - b)", "sorted(a ^ b)", "a <= b", "a < b", "a >= b", "a.isdisjoint(b)",
    "a == b", "sorted(a.copy())", "list(a | b)[: len(a)] == list(a)",
]  # fmt: skip
SIZES = [0, 1, 31, 32, 33, 64, 100, 1000]


def keys(kind, numbers):
    if kind == "str":
        return [f"key {number}" for number in numbers]
    if kind == "tuple":
        return [(number, number / 2) for number in numbers]
    return [kind(number) for number in numbers]


@pytest.mark.parametrize("kind", [int, float, "str", "tuple"])
def test_operations(kind):
    source = f"def f(a, b):\n    return {', '.join(OPERATIONS)}\n"
    f = define(source)
    random = np.random.default_rng(5)
    for m, n in itertools.product(SIZES, SIZES):
        a, b = (set(keys(kind, random.integers(-600, 600, size).tolist())) for size in (m, n))
        if a and b:  # an empty set of Python has no type of items
            assert f(a, b)[:10] == f.py_func(a, b)[:10] and f(a, b)[10]
            assert f(a, a)[:10] == f.py_func(a, a)[:10]


@njit
def made_of(a, b):
    made = set(a)
    given = made == set(b)
    made.update(a[::-2])
    return made, frozenset(b[::-1]), given, {x: a[0] for x in b}


# Numbers of arrays and lists are put in side by side: those that come again, and more than room is made for at first.
@pytest.mark.parametrize("dtype", "? b i I q Q f d".split())
def test_sets_of_arrays_and_lists(dtype):
    random = np.random.default_rng(6)
    limits = np.array([0, -1, -2, 1, -1] if dtype in "bqifd" else [0, 1, 1], dtype)
    largest = np.array([np.iinfo(dtype).max, np.iinfo(dtype).min] * 2, dtype) if dtype in "biIqQ" else limits
    for array in (limits[:0], limits, largest, random.integers(0, 90, 2000).astype(dtype)):
        items = array.tolist()
        made, frozen, given, keys = made_of(array, array)
        assert made == set(items) == frozen and given and list(keys) == list(dict.fromkeys(items))
        if dtype in "qd" and items:
            assert made_of(items, array)[:3] == (set(items), frozenset(items), True)
    if dtype == "q":
        many = random.integers(-(10**12), 10**12, 150_000)
        assert len(made_of(many, many[:9])[0]) == len(np.unique(many))


def test_with_deleted_keys_and_keys_added_afterwards():
    @njit
    def f(n):
        a, b = {i for i in range(n)}, {2 * i for i in range(n)}
        for i in range(0, n, 3):
            a.discard(i)
            b.discard(2 * i)
        made = (a | b, a & b, a - b, a ^ b, a.copy())
        empty = a - a
        for i in range(n):
            empty.add(-i)
        total = 0
        for one in made:
            for i in range(100):
                one.add(10_000 + i)
            one.discard(4)
            for x in one:
                total += x
        return total, len(empty), sorted(a - empty)

    before = arrays_alive()
    for n in (0, 1, 5, 40, 500):
        assert f(n) == f.py_func(n)
    assert arrays_alive() == before


def test_keys_that_hold_others():
    @njit
    def f(n):
        a, b = {str(i) for i in range(n)}, {str(2 * i) for i in range(n)}
        return sorted(a | b), sorted(a ^ b), sorted(a & b), len(a - a)

    before = arrays_alive()
    assert f(100) == f.py_func(100)
    assert arrays_alive() == before


def test_lists_of_flat_tuples():
    @njit
    def f(n):
        return (
            [(i, i + 1.5) for i in range(n)],
            [(i % 2 == 0, i, i % 3 == 0, i * 0.5) for i in range(n)],
            [((i, 1.5), i) for i in range(n)],
            [(i, str(i)) for i in range(n)],
            [(np.float32(i), i) for i in range(n)],
            [(i, i, i, i, i, i, i, i, i) for i in range(n)],
        )

    got, wanted = f(40), f.py_func(40)
    assert got == wanted
    for mine, other in zip(got[:4], wanted[:4], strict=True):
        assert list(map(type, mine[0])) == list(map(type, other[0]))
