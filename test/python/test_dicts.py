"""Dicts and sets in compiled code against CPython: random programs, references, and arguments that are written back."""

import copy
import pickle

import pyarray
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit, types
from pyarray._pyarray import allocation_counts
from pyarray.typed import Dict, Set


def outcome(function, *arguments):
    """What a call returns or raises."""
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), error.args


def same(function, *arguments):
    """The compiled function does what the plain one does, also to its arguments, and leaks nothing."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    compiled = njit(function) if not hasattr(function, "py_func") else function
    before = allocation_counts()
    assert outcome(compiled, *ours) == outcome(compiled.py_func, *theirs)
    assert ours == theirs
    assert [list(x) for x in ours if isinstance(x, dict)] == [list(x) for x in theirs if isinstance(x, dict)]
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


# One step of a random program: code of the operation, a key, a value.
@njit
def run_dict(d, codes, keys, values):
    out = values[:0]
    e = d.copy()
    for at in range(len(codes)):
        c, k, v = codes[at], keys[at], values[at]
        if c == 0:
            d[k] = v
        elif c == 1:
            out.append(d[k])
        elif c == 2:
            del d[k]
        elif c == 3:
            out.append(d.get(k, v))
        elif c == 4:
            out.append(d.pop(k))
        elif c == 5:
            out.append(d.pop(k, v))
        elif c == 6:
            out.append(d.popitem()[1])
        elif c == 7:
            out.append(d.setdefault(k, v))
        elif c == 8:
            d.update(e)
        elif c == 9:
            e = d | e
        elif c == 10:
            e |= d
        elif c == 11:
            e = {x: y for x, y in d.items() if x != k}
        elif c == 12:
            for x in d:
                if x == k:
                    d[x] = v
        elif c == 13:
            for x in d:
                if x == k:
                    del d[x]
        elif c == 14:
            out.extend(d.values())
        elif c == 15:
            e = dict([(k, v)])
        elif c == 16:
            d.clear()
        elif c == 17:
            for x, y in d.items():
                if x == k:
                    out.append(y)
                    break
        else:
            e = dict(zip(keys, values))
    return d, e, out, len(d), d == e, d != e, keys[0] in d, list(d.keys()), list(d.items())


def program(keys, values):
    step = st.tuples(st.integers(0, 18), keys, values)
    return st.tuples(st.dictionaries(keys, values, min_size=1, max_size=6), st.lists(step, min_size=1, max_size=12))


INTS = st.integers(-4, 4)
FLOATS = st.sampled_from([0.0, -1.0, 0.5, 1e300, 7.25, 2.0**61])
WORDS = st.sampled_from(["", "a", "b", "ab", "é", "日本", "a" * 40])
PAIRS = st.tuples(st.integers(0, 2), st.booleans())


@pytest.mark.parametrize(
    ("keys", "values"),
    [(INTS, INTS), (FLOATS, WORDS), (WORDS, INTS), (PAIRS, FLOATS), (st.booleans(), st.tuples(WORDS, INTS))],
    ids=["int", "float", "str", "tuple", "bool"],
)
def test_random_dict_programs(keys, values):
    @settings(max_examples=120, deadline=None)
    @given(program(keys, values))
    def check(case):
        d, steps = case
        same(run_dict, d, *map(list, zip(*steps, strict=True)))

    check()


@njit
def run_set(s, codes, others):
    out = [0]
    t = s.copy()
    for at in range(len(codes)):
        c, k = codes[at], others[at]
        if c == 0:
            s.add(k)
        elif c == 1:
            s.remove(k)
        elif c == 2:
            s.discard(k)
        elif c == 3:
            s |= t
        elif c == 4:
            t &= s
        elif c == 5:
            t -= {k}
        elif c == 6:
            s ^= {k, k + 1}
        elif c == 7:
            t = s.union(others)
        elif c == 8:
            t = s.intersection(others)
        elif c == 9:
            t = s.difference([k])
        elif c == 10:
            t = s.symmetric_difference((k, 1))
        elif c == 11:
            s.update(range(k))
        elif c == 12:
            out.append(1 if s.isdisjoint(t) else 0)
        elif c == 13:
            out.append(len({x + k for x in s}))
        elif c == 14:
            s.intersection_update(t)
        elif c == 15:
            for x in s:
                if x == k:
                    s.discard(x)
        else:
            s.clear()
    return (
        s,
        t,
        out,
        s <= t,
        s < t,
        s >= t,
        s > t,
        s == t,
        s != t,
        s.issubset(others),
        s.issuperset(others),
        k in s,
        sorted(s),
    )


@settings(max_examples=200, deadline=None)
@given(st.sets(INTS, min_size=1), st.lists(st.tuples(st.integers(0, 16), INTS), min_size=1, max_size=12))
def test_random_set_programs(s, steps):
    same(run_set, s, *map(list, zip(*steps, strict=True)))


def test_set_pop_empties_the_set():
    @njit
    def total(s):
        t = 0
        while s:
            t += s.pop()
        return t, len(s)

    s = set(range(100))
    assert total(s) == (4950, 0)
    assert s == set()
    with pytest.raises(KeyError, match="pop from an empty set"):
        njit(lambda s: s.pop())(Set.empty(types.int64))


def test_types_follow_from_what_is_put_in():
    @njit
    def build(n):
        d = {}
        s = set()
        for i in range(n):
            d[i] = d.get(i, 0) + 0.5
            s.add((i, "x"))
        return d, s

    assert build(2) == ({0: 0.5, 1: 0.5}, {(0, "x"), (1, "x")})

    @njit
    def grouped(words):
        d = {}
        for w in words:
            d.setdefault(len(w), []).append(w)
        return d

    assert grouped(["a", "bb", "c"]) == {1: ["a", "c"], 2: ["bb"]}


def test_displays():
    def show(d, xs):
        return {1: 0.5, 2: 3}, {**d, 7: 1.5}, {*xs, 4}, {}, {(1, 2): "x"}[1, 2], {"k": [1]}["k"][0]

    same(show, {3: 2.5}, [1, 2])


def test_keys_are_tuples_in_subscripts():
    def grid(n):
        d = {}
        for i in range(n):
            for j in range(n):
                d[i, j] = i * j
        del d[0, 0]
        return d[2, 1], (0, 0) in d, (1, 1) in d, len(d)

    same(grid, 3)


@pytest.mark.parametrize("key", [5, 2.5, "é", (1, "x"), True])
def test_key_error_has_the_key(key):
    def get(d, key):
        return d[key]

    same(get, {type(key)(): 1} if not isinstance(key, tuple) else {(0, ""): 1}, key)


def test_change_during_iteration():
    @njit
    def grow(d, when):
        n = 0
        for k in d:
            n += 1
            if n == when:
                d[k + 100] = 1
        return n

    assert grow({1: 1, 2: 2}, 9) == 2
    for when in (1, 2):
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            grow({1: 1, 2: 2}, when)

    @njit
    def shrink(s):
        for k, x in enumerate(s):
            if k == 0:
                s.remove(x)
        return len(s)

    with pytest.raises(RuntimeError, match="Set changed size during iteration"):
        shrink({1, 2, 3})


def test_arguments_are_written_back():
    @njit
    def change(d, s):
        d["a"].append(3)
        del d["b"]
        d["c"] = [9]
        s.discard(1)

    inner = [1]
    d, s = {"a": inner, "b": [2]}, {1, 2}
    change(d, s)
    assert d == {"a": [1, 3], "c": [9]}
    assert d["a"] is inner
    assert s == {2}


def test_what_is_not_changed_stays():
    @njit
    def put(d):
        d[1] = 7.5
        return d

    big, key = 1e300, 10**15
    d = {key: big, 1: 2.0}
    result = put(d)
    assert result is d
    assert d == {key: big, 1: 7.5}
    assert next(iter(d)) is key
    assert d[key] is big


def test_sets_with_several_others():
    @njit
    def combine(a, b, c):
        return (
            a.union(b, c),
            a.intersection(b, c),
            a.difference(b, c),
            a.union(),
            a.intersection(),
            a.difference(b, c, b),
        )

    @njit
    def change(a, b, c):
        a.update(b, c)
        a.difference_update(b, [100, 101])
        a.intersection_update(a, c)
        a.update()
        return a

    @njit
    def spread(a, others):
        return a.union(*others)

    for function in combine, change:
        same(function, {1, 2, 3}, {2, 3}, [3, 4])
        same(function, {1.5, 2.0}, {2.0: "x"}, (1.5, 2.5))
    same(spread, {1}, ({2}, {3, 4}, [5]))


def test_dicts_of_names():
    @njit
    def make(x, pairs):
        return dict(a=x, b=2), dict(pairs, a=x), dict(pairs, c=3, a=x), dict([("x", x)], y=x), dict(**{"n": x})

    same(make, 1, {"a": 5, "z": 6})

    @njit
    def shadowed(dict):
        return dict

    same(shadowed, 1)


def test_views_as_sets():
    @njit
    def combine(d, e, xs):
        keys = d.keys() & e.keys(), d.keys() | xs, d.keys() - e.keys(), d.keys() ^ e.keys()
        return keys, d.items() & e.items(), d.items() - e.items(), d.keys() & {1, 2}

    same(combine, {1: 2, 3: 4}, {1: 2, 3: 5, 6: 7}, [1, 9])

    @njit
    def words(d):
        return d.keys() & {"a"}

    same(words, {"a": 1, "b": 2})


def test_fromkeys():
    @njit
    def make(keys):
        return dict.fromkeys(keys, 1.5), dict.fromkeys(keys)

    for keys in "abca", [3, 1, 3], ("x", "y"), {1: 2}:
        same(make, keys)


def test_equal_numbers_of_other_types():
    @njit
    def find(d, s, x):
        return x in d, x in s, d.get(x), d.get(x, -1)

    @njit
    def take(d, s, x):
        s.discard(x)
        a = d.pop(x, 0)
        s.add(7)
        del d[x]
        return a

    ints, large = ({2: 3, -1: 4, 0: 5}, {2, -1, 0}), ({2**53 + 1: 1, 2**63 - 1: 2}, {2**53 + 1, 2**63 - 1})
    for d, s in ints, large:
        for x in 2.0, 2.5, -1.0, -0.0, float("inf"), 2.0**53, 2.0**63, -(2.0**63):
            same(find, d, s, x)
            same(take, d, s, x)
        same(find, d, s, float("nan"))
    for x in 1, 2**53, 2**53 + 1, 2**63 - 1, True:
        same(find, {1.0: 2, 2.0**53: 3, 2.0**63: 4}, {1.0, 2.0**53, 2.0**63}, x)

    @njit
    def get(d, x):
        return d[x]

    same(get, {1: 2}, 1.0)
    same(get, {1: 2}, 1.5)


def test_steps_between_keys():
    @njit
    def build(n, step):
        d = {}
        s = set()
        for i in range(n):
            d[i * step] = i
            s.add(-i * step)
        for i in range(0, n, 2):
            del d[i * step]
            s.discard(-i * step)
        found = 0
        for i in range(n):
            found += (i * step in d) + 2 * (-i * step in s)
        return found, len(d), len(s)

    for step in 1, 2, 16, 7919, 1 << 20, 1 << 40, 1000003, 0x9E3779B97F4A7C15 >> 20:
        same(build, 3000, step)


def test_refused_arguments():
    @njit
    def size(d):
        return len(d)

    for wrong, message in [
        ({}, "empty dict"),
        (set(), "empty set"),
        ({1: 2, 2: "x"}, "the values of a dict must have one type"),
        ({1: 2, "x": 3}, "the keys of a dict must have one type"),
        ({1, "x"}, "the items of a set must have one type"),
        ({2**53 + 1: 0, float(2**53): 1}, "keys that differ become one"),
    ]:
        with pytest.raises(TypeError, match=message):
            size(wrong)


def test_refused_programs():
    @njit
    def unhashable():
        d = {}
        d[[1]] = 2
        return len(d)

    @njit
    def wrong_key(d):
        return d["x"]

    with pytest.raises(pyarray.errors.TypingError, match="unhashable type"):
        unhashable()
    with pytest.raises(pyarray.errors.TypingError, match="cannot be in"):
        wrong_key({1: 2})


def test_get_without_a_default():
    def get(d, k):
        x = d.get(k)
        if x is None:
            return -1
        return x + 1

    same(get, {1: 2}, 1)
    same(get, {1: 2}, 3)
    same(lambda d, k: (d.get(k), d.get(k, None), d.get(k) is None), {"a": [1]}, "a")
    same(lambda d, k: (d.get(k), d.get(k, None), d.get(k) is None), {"a": [1]}, "b")


def test_times_as_keys_and_values():
    import numpy as np

    def count(days):
        d, xs = {}, []
        for t in days:
            d[t] = d.get(t, 0) + 1
            xs.append(t)
        xs.sort()
        return d, xs, {days[0]}, {1: days[0]}, days[1] in xs

    days = np.array(["2020-01-02", "2020-01-01", "2020-01-02"], "M8[D]")
    assert njit(count)(days) == count(days)


def test_library_functions_of_dicts():
    def use(d):
        return (
            max(d.values()),
            sum(d.values()),
            min(d),
            sorted(d.items()),
            any(d),
            list(enumerate(d)),
            list(zip(d, d.values(), strict=True)),
        )

    same(use, {3: 1, 1: 2})


def test_typed_dict():
    d = Dict.empty(types.int64, types.float64)
    assert len(d) == 0 and 3 not in d
    with pytest.raises(KeyError, match="3"):
        d[3]
    d[3] = 4
    d.update({1: 0.5})
    assert d == {3: 4.0, 1: 0.5} and list(d) == [3, 1] and d.get(9) is None and d.pop(3) == 4.0
    assert str(d) == "{1: 0.5}" and repr(d) == "Dict({1: 0.5})"

    @njit
    def fill(d, n):
        for i in range(n):
            d[i] = i * 0.5
        return d

    assert fill(d, 3) is d
    assert list(d.items()) == [(1, 0.5), (0, 0.0), (2, 1.0)]
    assert d.setdefault(7, 1.5) == 1.5 and d.popitem() == (7, 1.5)
    assert pickle.loads(pickle.dumps(d)) == d and d.copy() == d
    del d[1]
    d.clear()
    assert len(d) == 0
    assert Dict({"a": [1]})["a"] == [1]
    with pytest.raises(TypeError, match="a type such as"):
        Dict.empty(int, float)


def test_typed_set():
    s = Set([1, 2, 3])
    s |= {7}
    s -= {1}
    s.add(2)
    assert len(s) == 3 and 7 in s and "x" not in [*s] and s == {2, 3, 7}
    assert s & {2, 9} == {2} and s.pop() in {2, 3, 7} and len(s) == 2
    s.remove(2)
    with pytest.raises(KeyError):
        s.remove(2)
    assert pickle.loads(pickle.dumps(s)) == s
    assert len(Set()) == 0 and Set.empty(types.unicode_type) == set()


def test_linked_values_are_released():
    @njit
    def nest(n):
        d = {}
        for i in range(n):
            d[i] = {str(i): [i * 0.5]}
        d.pop(0)
        d[1] = d[2]
        return len(d), d[1]["2"][0]

    same(nest, 50)


def test_many_insertions_and_deletions():
    def churn(n):
        d = {}
        for i in range(n):
            d[i] = i
            if i > 20:
                del d[i - 20]
        t = 0
        for k in d:
            t += k
        for _ in range(n):
            k, v = d.popitem()
            d[k + 1] = v
        return len(d), t

    same(churn, 3000)
