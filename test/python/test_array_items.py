"""Arrays, literals and frozen arrays in containers: what they share, and how long they live."""

import gc
import sys

import numpy as np
import pytest
from compare import arrays_alive, define
from pyarray import njit, types
from pyarray._pyarray import allocation_counts
from pyarray.typed import Dict, List


@njit
def first_items(xs):
    total = 0.0
    for a in xs:
        total += a[0]
        a[0] = -1
    return total


def test_lists_of_arrays_share_their_memory():
    a, b = np.arange(1.0, 4.0), np.arange(5.0, 7.0)
    xs = [a, b]
    assert first_items(xs) == 6
    assert a[0] == -1
    assert b[0] == -1
    assert xs[0] is a
    assert xs[1] is b


def test_arrays_of_several_layouts_become_one_type():
    contiguous, strided, readonly = np.ones(3), np.arange(6.0)[::2], np.ones(2)
    readonly.flags.writeable = False
    assert first_items([contiguous, strided]) == 1
    assert strided[0] == -1

    @njit
    def total(xs):
        t = 0.0
        for a in xs:
            for x in a:
                t += x
        return t

    assert total([contiguous, strided, readonly]) == 1 + 5 + 2
    assert total((np.ones(2), [3.0])[:1]) == 2
    with pytest.raises(TypeError, match=r"item 1 is numpy.ndarray, of type array\(int64"):
        total([contiguous, np.arange(3)])
    with pytest.raises(TypeError, match="item 1 is numpy.ndarray"):
        total([contiguous, np.ones((2, 2))])


def test_changes_of_the_list_are_written_back():
    @njit
    def change(xs, a):
        xs.reverse()
        xs.append(a)
        xs.insert(0, a)
        xs[1] = a[1:]
        return xs

    a, b, c = np.zeros(2), np.ones(2), np.arange(3.0)
    xs = [a, b]
    assert change(xs, c) is xs
    assert [x is y for x, y in zip(xs, [c, None, a, c])] == [True, False, True, True]
    xs[1][0] = 9
    assert c[1] == 9


def test_dict_values_and_tuples():
    @njit
    def scale(d, key, pairs):
        d[key][0] *= 2
        for n, a in pairs:
            a[0] += n
        d["new"] = pairs[0][1]
        return d[key]

    a, b = np.ones(2), np.ones(3)
    d = {"a": a, "b": b}
    assert scale(d, "b", [(10, a), (20, b)]) is b
    assert (a[0], b[0]) == (11, 22)
    assert d["new"] is a


def test_arrays_live_as_long_as_their_containers():
    @njit
    def keep(xs, d, a):
        xs.append(a)
        xs.insert(0, a[1:])
        d["whole"] = a
        d["whole"] = a[:1]
        d.setdefault("other", a)

    references, alive = sys.getrefcount, arrays_alive()
    a = np.arange(4.0)
    before = references(a)
    xs, d = List.empty_list(types.float64[::1]), Dict.empty(types.unicode_type, types.float64[::1])
    keep(xs, d, a)
    assert references(a) > before
    assert xs[1] is a
    assert d["other"] is a
    view = xs[0]
    a[1] = 7
    xs.clear()
    d.clear()
    assert view[0] == 7
    del view
    gc.collect()
    assert references(a) == before
    xs.append(a)
    del a
    assert xs[0].tolist() == [0, 7, 2, 3]
    del xs, d
    gc.collect()
    assert arrays_alive() == alive


def test_arrays_made_in_compiled_code():
    @njit
    def rows(n):
        made = [np.full(i + 1, float(i)) for i in range(n)]
        made.append(made[0])
        return made

    before = allocation_counts()
    made = rows(3)
    assert [a.tolist() for a in made] == [[0.0], [1.0, 1.0], [2.0, 2.0, 2.0], [0.0]]
    made[3][0] = 5
    assert made[0][0] == 5
    del made
    gc.collect()
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


TABLE = np.arange(5.0)
FILL = """
def fill(texts, arrays, counts):
    texts.append("a literal text of program {0}")
    arrays.append(TABLE)
    counts["another literal text of program {0}"] = {0}
"""


def test_literals_and_frozen_arrays_outlive_their_code():
    frozen = types.Array(types.float64, 1, "C", readonly=True)
    texts, arrays, counts = (
        List.empty_list(types.unicode_type),
        List.empty_list(frozen),
        Dict.empty(types.unicode_type, types.int64),
    )
    for number in range(8):
        fill = define(FILL.format(number), "fill", TABLE=TABLE)
        fill(texts, arrays, counts)
        del fill
    gc.collect()
    noise = [define(f"def g():\n    return {i} * 'x'\n", "g")() for i in range(4)]
    assert list(texts) == [f"a literal text of program {i}" for i in range(8)]
    assert dict(counts) == {f"another literal text of program {i}": i for i in range(8)}
    kept = arrays[3]
    del texts, arrays, counts
    gc.collect()
    define("def g():\n    return 'y'\n", "g")()
    gc.collect()
    assert kept.tolist() == TABLE.tolist()
    assert len(noise) == 4
