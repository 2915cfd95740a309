"""Typed containers: numbers that are stored as narrower ones, and containers in containers, which are shared."""

import gc
import pickle

import numpy as np
import pytest
from compare import arrays_alive
from pyarray import complex64, complex128, float32, float64, int8, int64, njit, types, uint8
from pyarray.errors import TypingError
from pyarray.typed import Dict, List, Set

pytestmark = pytest.mark.real


def test_lists_of_narrow_numbers():
    items = List.empty_list(float32)
    items.append(0.1)
    items.append(2)
    items.insert(0, True)
    items.extend([1.5, 3])
    items[1] = 7.25
    assert list(items) == [1.0, 7.25, 2.0, 1.5, 3.0]
    assert 1.5 in items and items.index(7.25) == 1 and items.count(3) == 1
    items.remove(1.5)
    items[1:] = [0.1]
    assert list(items) == [1.0, float(np.float32(0.1))]
    small = List.empty_list(int8)
    for value in (5, np.int8(6), 300, True):
        small.append(value)
    assert list(small) == [5, 6, 44, 1] and 300 not in small and 44 in small
    complexes = List.empty_list(complex64)
    for value in (1, 2.5, 1j):
        complexes.append(value)
    assert list(complexes) == [1, 2.5, 1j]
    pairs = List.empty_list(types.Tuple((float32, int8)))
    pairs.append((0.5, 3))
    assert list(pairs) == [(0.5, 3)]


def test_dicts_and_sets_of_narrow_numbers():
    table = Dict.empty(int8, float32)
    table[1] = 2.5
    table.update({2: 3})
    assert table.setdefault(7, 1) == 1.0 and table[1] == 2.5 and table.get(2) == 3.0 and 1 in table
    assert dict(table) == {1: 2.5, 2: 3.0, 7: 1.0} and table.pop(1) == 2.5 and 1 not in table
    seen = Set.empty(uint8)
    for value in (1, 2, 257):
        seen.add(value)
    assert sorted(seen) == [1, 2] and 2 in seen and 300 not in seen


def test_in_compiled_code():
    @njit
    def fill(items, more, table, seen, x, n):
        items.append(x)
        items.append(n)
        items.insert(0, x)
        items[0] = n
        items.extend(more)
        items += more
        items += [x]
        table[n] = x
        table.update({n + 1: x})
        seen.add(n)
        return x in items, n in table, items[1], table[n]

    items, table, seen = List.empty_list(float32), Dict.empty(int8, float32), Set.empty(int8)
    assert fill(items, List([1.5, 2.5]), table, seen, 0.5, 3) == (True, True, 0.5, 0.5)
    assert list(items) == [3.0, 0.5, 3.0, 1.5, 2.5, 1.5, 2.5, 0.5]
    assert dict(table) == {3: 0.5, 4: 0.5} and list(seen) == [3]

    @njit
    def of_arguments(xs):
        xs.append(0.5)
        return xs

    assert of_arguments([np.float32(1.5)]) == [1.5, 0.5]


@pytest.mark.parametrize(
    "kind, value",
    [
        (int64, 1.5),
        (int8, 1.5),
        (float32, 1j),
        (types.boolean, 1),
        (float64, "a"),
        (types.unicode_type, 1),
        (complex128, "a"),
    ],
)
def test_what_does_not_fit(kind, value):
    items = List.empty_list(kind)
    with pytest.raises(TypingError, match="cannot be an item"):
        items.append(value)
    assert len(items) == 0


def test_lists_of_lists_are_shared():
    gc.collect()
    before = arrays_alive()
    inner, outer = List([1, 2]), List()
    outer.append(inner)
    outer[0].append(3)
    for items in outer:
        items.append(4)
    assert list(inner) == [1, 2, 3, 4] and outer[0] == inner and outer == [[1, 2, 3, 4]] and type(outer[0]) is List
    copied, part = outer.copy(), outer[:1]
    copied[0].append(5)
    part[0].append(6)
    assert list(inner) == [1, 2, 3, 4, 5, 6]
    assert repr(outer) == "List([[1, 2, 3, 4, 5, 6]])" and str(outer) == "[[1, 2, 3, 4, 5, 6]]"

    @njit
    def append(lists, x):
        lists[0].append(x)
        return lists[0]

    assert append(outer, 7) == [1, 2, 3, 4, 5, 6, 7] == list(inner)
    assert pickle.loads(pickle.dumps(outer)) == outer
    taken = outer.pop()
    taken.append(8)
    assert len(outer) == 0 and list(inner)[-1] == 8
    del inner, outer, copied, part, taken, items
    gc.collect()
    assert arrays_alive() == before


def test_dicts_of_containers_are_shared():
    gc.collect()
    before = arrays_alive()
    table = Dict.empty(types.unicode_type, types.ListType(int64))
    table["a"] = List([1])
    table["a"].append(2)
    table.get("a").append(3)
    table.setdefault("a", List([9])).append(4)
    for items in table.values():
        items.append(5)
    for _, items in table.items():
        items.append(6)
    assert table == {"a": [1, 2, 3, 4, 5, 6]} and dict(table.copy()) == {"a": [1, 2, 3, 4, 5, 6]}
    nested = Dict.empty(int64, types.DictType(int64, types.ListType(int64)))
    nested[1] = Dict.empty(int64, types.ListType(int64))
    nested[1][2] = List([3])
    nested[1][2].append(4)
    assert nested == {1: {2: [3, 4]}} and type(nested[1]) is Dict
    key, items = table.popitem()
    assert key == "a" and type(items) is List
    pairs = List([(1, List([2]))])
    pairs[0][1].append(3)
    assert pairs == [(1, [2, 3])]
    del table, items, nested, pairs
    gc.collect()
    assert arrays_alive() == before


@pytest.mark.parametrize("length", range(5))
def test_slices_of_a_typed_list_are_those_of_a_list(length):
    bounds = (None, -9, -length - 1, -length, -1, 0, 1, length, 9)
    for start in bounds:
        for stop in bounds:
            for step in (None, -3, -2, -1, 1, 2):
                plain = list(range(length))
                items = List.empty_list(types.int64)
                for x in plain:
                    items.append(x)
                assert list(items[start:stop:step]) == plain[start:stop:step]
                new = [-1 - x for x in plain[start:stop:step]]
                plain[start:stop:step] = new
                if new:
                    items[start:stop:step] = List(new)
                assert list(items) == plain
                del items[start:stop:step], plain[start:stop:step]
                assert list(items) == plain, (start, stop, step)
