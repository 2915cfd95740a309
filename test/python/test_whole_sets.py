"""Unions, differences and comparisons of whole sets, of more keys than are looked up side by side; flat tuples."""

import itertools
import threading

import numpy as np
import pytest
from compare import arrays_alive, define
from pyarray import njit, typed

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


@njit
def seek(numbers, sought):
    keys = set(numbers)
    there = np.array([x in keys for x in sought])
    for x in sought[::3]:
        keys.discard(x)
        keys.add(x ^ sought[0])
    return there, np.array([x in keys for x in sought]), list(keys)


# Whether a number is in a set is read inline: 0 and the smallest number, which no table has; numbers in a row, those
# that share their lowest bits, and those of full groups.
@pytest.mark.parametrize("dtype", "iIqQ")
def test_look_up_of_numbers(dtype):
    random = np.random.default_rng(8)
    info = np.iinfo(dtype)
    edges = np.array([0, 1, info.min, info.max, info.max - 1], dtype)
    for step in (1, 4, 1024, 10946):
        row = (np.arange(3000) * step).astype(dtype)
        chosen = np.concatenate((row[::2], edges[: 5 if step > 1 else 0])).astype(dtype)
        sought = random.permutation(np.concatenate((row, edges, row[:500] + 7)).astype(dtype))
        there, after, keys = seek(chosen, sought)
        assert there.tolist() == np.isin(sought, chosen).tolist()
        model = dict.fromkeys(chosen.tolist())
        for x in sought[::3]:
            model.pop(int(x), None)
            model[int(x ^ sought[0])] = None
        assert keys == list(model) and after.tolist() == [x in model for x in sought.tolist()]
    assert not seek(row[:0], row[:9])[0].any()


@njit
def lost(a, b):
    """How many keys of what sets come to are not found in it, and what they come to."""
    s, t, count = set(a), set(b), 0
    for made in (s ^ t, s - t, s | t, s & t):
        for x in made:
            count += x not in made
    return count, sorted(s ^ t), sorted(s - t), sorted(s | t), sorted(s & t)


# Keys of full groups go on to others, also to the one that was put into last.
@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_keys_of_small_tables_are_found(dtype):
    random = np.random.default_rng(11)
    for _ in range(6000):
        most, step = random.choice([16, 32, 64, 200]), random.choice([1, 3, 16, 64, 1000])
        a, b = ((random.integers(0, most, random.integers(1, most)) * step).astype(dtype) for _ in range(2))
        a, b = a + random.integers(0, 3), b + random.integers(0, 3, len(b)).astype(dtype)
        s, t = set(a.tolist()), set(b.tolist())
        assert lost(a, b) == (0, sorted(s ^ t), sorted(s - t), sorted(s | t), sorted(s & t))


def test_look_up_of_other_types():
    f = define("def f(keys, x):\n    return x in keys\n")
    keys = {0, 1, -1, 2**31, 2**62}
    for x in (0, 0.0, -0.0, 1.0, 1.5, float("nan"), float("inf"), True, False, np.int8(-1), 2**31, -(2.0**62), 2.0**62):
        assert f(keys, x) == (x in keys), x
    assert not f(keys, np.uint64(2**64 - 1))


def test_changes_while_a_set_of_numbers_is_gone_over():
    f = define("def f(keys, x, add):\n    for key in keys:\n        keys.add(x) if add else keys.discard(x)\n")
    for x, add in ((0, True), (5, True), (1, False), (0, False)):
        keys = {1, 2, 3}
        if (x in keys) == add:
            f(keys, x, add)
            continue
        with pytest.raises(RuntimeError, match="Set changed size during iteration"):
            f(keys, x, add)


@njit
def copied(a, gone):
    s = set(a)
    for x in gone:
        s.discard(x)
    t = s.copy()
    t.add(a[0])
    t.add(-12345)
    u = t.copy()
    for x in a[::2]:
        u.discard(x)
        u.add(x + 1)
    return s, t, u, len(t), -12345 in s, a[-1] in t, [x in u for x in a]


# Copies of tables: of keys in rows and far apart, of 0 and the least number, after some have left, and each on its own.
@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_copies_of_sets_of_numbers(dtype):
    random = np.random.default_rng(9)
    for size in (1, 5, 100, 3000):
        for step in (1, 4096):
            a = (random.permutation(size) * step).astype(dtype)
            if dtype == "i8":
                a[-1] = -(2**63)
            for gone in (a[:0], a[1::3], a[1:]):
                assert copied(a, gone) == copied.py_func(a, gone)


def test_counts_of_threads_beside_each_other():
    """What nogil functions share is counted by all of them, though counts were plain before."""
    alive = arrays_alive()

    @njit(nogil=True)
    def words(texts, n):
        total = 0
        for _ in range(n):
            kept = [t for t in texts]
            total += len(kept[0]) + len({t: 1 for t in kept})
        return total

    texts = typed.List([f"word {i % 7}" for i in range(50)])
    assert words(texts, 1) == 13
    threads = [threading.Thread(target=words, args=(texts, 2000)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(texts) == [f"word {i % 7}" for i in range(50)]
    del texts
    assert arrays_alive() == alive
