"""Python's loops over typed dicts and sets, a RuntimeError where keys come or go: `typed_iterator.c`."""

import sys

import pytest
from pyarray import njit, types
from pyarray.typed import Dict, List, Set


@njit
def put(d, key):
    d[key] = 1


@njit
def replace(d, key):
    d[key] = 1
    del d[key]


@njit
def total(d):
    return sum(d.values())


def numbers(n=5):
    d = Dict.empty(types.int64, types.int64)
    for i in range(n):
        d[i] = 10 * i
    return d


LOOPS = [iter, reversed, lambda d: d.keys(), lambda d: d.values(), lambda d: d.items(), lambda d: reversed(d.items())]
CHANGES = [lambda d: d.update({99: 1}), lambda d: d.pop(4), lambda d: d.clear(), lambda d: put(d, 99)]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_changed_dict(loop, change):
    d = numbers()
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        for _ in loop(d):
            change(d)


def test_keys_that_change_beside_a_size_that_does_not():
    d = numbers()
    with pytest.raises(RuntimeError, match="dictionary keys changed during iteration"):
        for key in d:
            del d[key]
            d[key + 100] = 1
    with pytest.raises(RuntimeError, match="dictionary keys changed during iteration"):
        for _ in d:
            replace(d, 200)


def test_a_changed_set():
    for change in (lambda s: s.add(9), lambda s: s.discard(3), lambda s: s.clear(), lambda s: s.update([3, 4])):
        s = Set([1, 2, 3])
        with pytest.raises(RuntimeError, match="Set changed size during iteration"):
            for _ in s:
                change(s)


def test_the_error_stays():
    d = numbers()
    it = iter(d)
    next(it)
    d[99] = 1
    for _ in range(2):
        with pytest.raises(RuntimeError):
            next(it)


def test_an_iterator_that_has_ended_stays_so():
    d = numbers()
    it = iter(d)
    assert list(it) == [0, 1, 2, 3, 4]
    d[99] = 1
    assert list(it) == []


def test_values_may_change_and_are_seen():
    d, plain = numbers(), dict(numbers())
    for x in (d, plain):
        for key, _ in x.items():
            x[(key + 1) % 5] += x[key]
    assert dict(d) == plain
    assert [v for _, v in d.items()] == list(plain.values()) == list(d.values())


def test_compiled_code_that_reads_moves_nothing():
    d = numbers(8)
    for key in (1, 3, 4):
        del d[key]
    seen = []
    for key in d:
        total(d)
        seen.append((key, d[key]))
    assert seen == [(0, 0), (2, 20), (5, 50), (6, 60), (7, 70)]


def test_a_dict_whose_types_are_not_known_yet():
    d = Dict()
    assert list(d) == list(d.items()) == list(reversed(d)) == []
    it = iter(d)
    d[1] = 2
    with pytest.raises(RuntimeError):
        next(it)


def test_views():
    d = numbers(3)
    keys, values, items = d.keys(), d.values(), d.items()
    d[7] = 70
    assert (list(keys), list(values)) == ([0, 1, 2, 7], [0, 10, 20, 70])
    assert list(items) == [(0, 0), (1, 10), (2, 20), (7, 70)]
    assert (len(keys), len(values), len(items)) == (4, 4, 4)
    assert 7 in keys and 70 in values and (7, 70) in items and (7, 1) not in items
    assert keys & {1, 9} == {1} and keys | {9} == {0, 1, 2, 7, 9} and keys - {0} == {1, 2, 7}
    assert repr(keys) == "dict_keys([0, 1, 2, 7])" and repr(items) == "dict_items([(0, 0), (1, 10), (2, 20), (7, 70)])"
    assert list(reversed(values)) == [70, 20, 10, 0] and list(reversed(d)) == [7, 2, 1, 0]
    assert iter(keys).__length_hint__() == 4


def test_containers_among_the_values_are_shared():
    d = Dict.empty(types.unicode_type, types.ListType(types.int64))
    d["a"] = List([1])
    for _, xs in d.items():
        xs.append(2)
    assert list(d["a"]) == [1, 2]


def test_an_iterator_holds_its_container():
    it = iter(numbers())
    assert [sys.getrefcount(x) > 0 for x in it] == [True] * 5
    it = numbers().items()
    assert dict(it) == dict(numbers())


def test_loops_over_a_list_see_what_is_appended_meanwhile():
    made = List([1, 2])
    seen = []
    for item in made:
        seen.append(item)
        if item < 5:
            made.append(item + 2)
    assert seen == [1, 2, 3, 4, 5, 6]
    iterator = iter(List([1.5, 2.5]))
    assert next(iterator) == 1.5
    assert list(iterator) == [2.5]
    assert list(iterator) == []
    assert list(List()) == []


def test_lists_of_plain_items():
    """They are taken over in one call, and are what appending one by one makes."""
    for items in ([1, 2, 3], [0.5, 1.5], ["a", "", "ab"], [True, False], [(1, 2.0)], [1, True]):
        made = List()
        for item in items:
            made.append(item)
        assert List(items) == made
        assert List(items)._dtype == made._dtype
    made = List([0.5])
    made.extend([1, 2])
    assert list(made) == [0.5, 1.0, 2.0]
