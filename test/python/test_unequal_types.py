"""== and != of values of types that are never equal, also within containers."""

import collections

import numpy as np
import pytest
from pyarray import errors, njit, types
from pyarray.typed import Dict, List, Set

Point = collections.namedtuple("Point", "x y")


@njit
def equal(a, b):
    return a == b, a != b


@njit
def within(a, b):
    return a in b, a not in b


VALUES = [
    "a", 1, 1.5, True, 1j, b"a", bytearray(b"a"), memoryview(b"a"), None, (), (1, 2), ("a", 2), ((1, "a"), 2),
    Point(1, 2), range(3), [1], ["a"], [(1, 2)], [("a", 2)], [[1]], [["a"]], {1: 2}, {"a": 2}, {1}, {"a"},
    frozenset([1]), frozenset(["a"]), collections.deque([1]), slice(1, 2),
]  # fmt: skip
SEQUENCES = [value for value in VALUES if isinstance(value, (tuple, list, collections.deque)) and value]
HASHED = [value for value in VALUES if isinstance(value, (dict, set, frozenset))]
KEYS = ["a", 1, 1.5, True, b"a", None, (1, 2), ("a", 2), ((1, "a"), 2), Point(1, 2), frozenset([1])]


@pytest.mark.parametrize("a", VALUES, ids=lambda value: "memoryview" if isinstance(value, memoryview) else repr(value))
def test_all_pairs(a):
    for b in VALUES:
        assert equal(a, b) == (a == b, a != b), b


@pytest.mark.parametrize("a", [value for value in VALUES if not isinstance(value, memoryview)], ids=repr)
def test_in_sequences(a):
    for b in SEQUENCES:
        assert within(a, b) == (a in b, a not in b), b


@pytest.mark.parametrize("a", KEYS, ids=repr)
def test_in_sets_and_dicts(a):
    for b in HASHED:
        assert within(a, b) == (a in b, a not in b), b


def test_what_has_no_hash_is_in_no_set():
    for a, b in (([1], {"a"}), ({1: 2}, {"a": 1}), (bytearray(b"a"), {1})):
        with pytest.raises(errors.TypingError):
            within(a, b)


def test_containers_without_items_are_equal():
    @njit
    def f(n):
        a, b = [1] * n, ["a"] * n
        c, d = {i: 1 for i in range(n)}, {"a" * (i + 1): 1 for i in range(n)}
        e, g = set(a), set(b)
        return a == b, a != b, c == d, c != d, e == g, e != g, [a] == [b]

    assert f(0) == (True, False) * 3 + (True,) and f(1) == (False, True) * 3 + (False,)


def test_methods_of_lists():
    @njit
    def f(xs, x):
        return xs.count(x)

    @njit
    def g(xs, x):
        return xs.index(x)

    @njit
    def h(xs, x):
        xs.remove(x)

    assert f([1], "a") == f(["a"], 1) == f([(1, 2)], 1) == 0
    for method in (g, h):
        with pytest.raises(ValueError, match="not in list"):
            method([1], "a")


def test_branches_that_are_not_taken_are_not_compiled():
    @njit
    def f(x):
        if x == "mean":
            return len(x)
        match x:
            case "sum":
                return len(x)
            case 1:
                return 10
        return 0

    assert f(1) == 10 and f(2.5) == 0 and f("mean") == 4 and f("sum") == 3


def test_what_may_be_none():
    @njit
    def f(x, n):
        y = x if n else None
        return y == 1, y != 1, y == None  # noqa: E711

    assert f("a", 1) == (False, True, False) and f("a", 0) == (False, True, True)


def test_whole_arrays_are_still_compared_by_elements():
    with pytest.raises(errors.UnsupportedError, match="whole arrays"):
        njit(lambda a: a == "x")(np.zeros(2))


def test_tuples_of_small_numbers_are_found():
    d = Dict.empty(types.UniTuple(types.uint32, 2), types.float64)
    d[(1, 1)] = 2.5
    assert d[(1, 1)] == 2.5 and (1, 1) in d and (1.0, True) in d and d.get((1, 1)) == 2.5
    assert all(key not in d for key in ((2, 1), (-1, 1), (1 + 2**32, 1), (1.5, 1)))
    with pytest.raises(KeyError):
        d[(1, 1 + 2**32)]
    assert d.setdefault((4, 5), 1.0) == 1.0 and d.pop((4, 5)) == 1.0 and list(d) == [(1, 1)]
    del d[(1, 1)]
    mixed = Dict.empty(types.Tuple([types.unicode_type, types.float32]), types.int64)
    mixed["a", 0.5] = 1
    assert mixed["a", 0.5] == 1 and ("a", 0.1) not in mixed and ("b", 0.5) not in mixed
    items = Set.empty(types.UniTuple(types.int8, 2))
    items.add((1, 2))
    items.discard((257, 2))
    assert (1, 2) in items and (257, 2) not in items and len(items) == 1
    pairs = List.empty_list(types.UniTuple(types.int16, 2))
    pairs.append((1, 2))
    assert pairs.index((1, 2)) == 0 and pairs.count((1, 2)) == 1 and pairs.count((65537, 2)) == 0
    pairs.remove((1, 2))

    @njit
    def f(n):
        d = {(np.uint8(1), 2): 5}
        return d[(1, 2)], (257, 2) in d, (n, 2.0) in d, ((1, 2), n) in {((1, 2.5), n)}

    assert f(1) == (5, False, True, False)
