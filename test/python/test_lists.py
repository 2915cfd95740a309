"""Lists in compiled code against CPython: random programs, references, and arguments that are written back."""

import pyarray
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import TypingError, njit, types
from pyarray._pyarray import allocation_counts
from pyarray.typed import List


def outcome(function, *arguments):
    """What a call returns or raises."""
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)


def same(function, *arguments):
    """The compiled function does what the plain one does, also to its arguments."""
    import copy

    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    compiled = njit(function) if not hasattr(function, "py_func") else function
    assert outcome(compiled, *ours) == outcome(compiled.py_func, *theirs)
    assert ours == theirs


# One step of a random program: code of the operation, an index, a value.
@njit
def run(xs, codes, indices, values):
    out = [0]
    for k in range(len(codes)):
        c, i, v = codes[k], indices[k], values[k]
        if c == 0:
            xs.append(v)
        elif c == 1:
            xs.insert(i, v)
        elif c == 2:
            out.append(xs.pop())
        elif c == 3:
            out.append(xs.pop(i))
        elif c == 4:
            xs[i] = v
        elif c == 5:
            out.append(xs[i])
        elif c == 6:
            del xs[i]
        elif c == 7:
            xs.remove(v)
        elif c == 8:
            out.append(xs.index(v))
        elif c == 9:
            out.append(xs.count(v))
        elif c == 10:
            xs.reverse()
        elif c == 11:
            xs.sort()
        elif c == 12:
            xs.sort(reverse=True)
        elif c == 13:
            xs += xs[i:]
        elif c == 14:
            xs[i:v] = [v, i]
        elif c == 15:
            del xs[i::2]
        elif c == 16:
            out.extend(xs[v:i:-1])
        elif c == 17:
            xs[::-2] = xs[::2]
        elif c == 18:
            xs *= 2
        elif c == 19:
            out.append(1 if v in xs else 0)
        elif c == 20:
            xs.extend(range(v, i))
        else:
            xs = xs.copy()
    return xs, out, len(xs), xs == out, xs < out


STEP = st.tuples(st.integers(0, 21), st.integers(-5, 5), st.integers(-3, 3))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6), st.lists(STEP, min_size=1, max_size=12))
def test_random_programs(xs, steps):
    before = allocation_counts()
    same(run, xs, *map(list, zip(*steps, strict=True)))
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(allow_nan=False)), min_size=1, max_size=40),
    st.booleans(),
)
def test_sort_is_stable_and_lexicographic(items, reverse):
    @njit
    def ordered(items, reverse):
        items.sort(reverse=reverse)
        return items

    assert ordered(list(items), reverse) == sorted(items, reverse=reverse)


def test_item_types_follow_from_what_is_put_in():
    @njit
    def fill(n):
        xs, ys = [], [1]
        for i in range(n):
            xs.append([i])
        ys.append(0.5)
        if n > 2:
            xs[0].append(7)
        return xs, ys

    assert fill(3) == ([[0, 7], [1], [2]], [1.0, 0.5])
    assert all(type(y) is float for y in fill(3)[1])


def test_callee_fills_and_returns():
    @njit
    def put(xs, x):
        xs.append(x)
        return xs

    @njit
    def make():
        return []

    @njit
    def outer(x):
        a = make()
        b = put(a, x)
        b.append(1)
        c = [x, 1]
        return a, a is b, a is c

    assert outer(2.5) == ([2.5, 1.0], True, False)


def test_empty_list_that_nobody_fills():
    @njit
    def empty():
        xs = []
        for _ in xs:
            return 1
        return len(xs)

    assert empty() == 0


def test_iteration_sees_changes():
    @njit
    def grow(xs):
        for x in xs:
            if x < 4:
                xs.append(x + 1)
        s = 0
        for x in xs:
            if x == 3:
                xs.pop()
            if x == 17:
                break
            s += x
        return s

    same(grow, [1, 2])


def test_unpacking_and_truth():
    @njit
    def unpack(xs):
        a, b = xs
        return (a, b) if xs else (0, 0)

    same(unpack, [1, 2])
    same(unpack, [1])
    same(unpack, [1, 2, 3])


@pytest.mark.parametrize("index", [-4, -3, 0, 2, 3])
def test_errors_are_cpythons(index):
    def get(xs, i):
        return xs[i]

    def store(xs, i):
        xs[i] = 5

    def delete(xs, i):
        del xs[i]

    def pop(xs, i):
        return xs.pop(i)

    def extended(xs, i):
        xs[::2] = [1] * (i + 5)

    for function in (get, store, delete, pop, extended):
        same(njit(function), [1, 2, 3], index)


def test_changes_are_written_back_also_after_an_exception():
    @njit
    def change(rows, i):
        rows[0].append(9)
        rows.append([4])
        return rows[i]

    inner = [1]
    rows = [inner, [2]]
    with pytest.raises(IndexError, match="list index out of range"):
        change(rows, 5)
    assert rows == [[1, 9], [2], [4]] and rows[0] is inner
    assert change(rows, 0) is inner


def test_unchanged_items_stay_the_same_objects():
    @njit
    def change(xs):
        xs[0] = -1.0

    value = float("1e300")
    xs = [0.0, value]
    change(xs)
    assert xs[1] is value and xs[0] == -1.0


def test_the_same_list_twice_is_one_list():
    @njit
    def alias(xs, ys):
        xs.append(3)
        return len(ys), xs is ys

    xs = [1]
    assert alias(xs, xs) == (2, True) and xs == [1, 3]


def test_items_of_several_types_are_refused():
    @njit
    def length(xs):
        return len(xs)

    with pytest.raises(TypeError, match="item 1"):
        length([1, (2, 3)])
    with pytest.raises(TypeError, match="empty list"):
        length([])
    assert length([1, 2.5]) == 2


def test_a_value_that_does_not_fit():
    @njit
    def put(xs):
        xs.append((1, 2))

    with pytest.raises(pyarray.TypingError, match=r"cannot be an item of ListType\[int64\]"):
        put([1])


def test_arrays_as_items():
    import numpy as np

    @njit
    def rows(n):
        made = []
        for i in range(n):
            row = np.zeros(3)
            row[0] = i
            made.append(row)
        return made

    before = allocation_counts()
    result = rows(4)
    assert [row.tolist() for row in result] == [[i, 0, 0] for i in range(4)]
    del result
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1] > 0


def test_deep_nesting_is_freed():
    @njit
    def chain(n):
        rows = [[0]]
        for i in range(n):
            rows.append([i])
        return len(rows)

    before = allocation_counts()
    chain(100_000)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1] == 100_002


def test_types():
    assert types.from_code("LKUOd") == types.ListType(types.DictType(types.unicode_type, types.Optional(types.float64)))
    assert str(types.List(types.int64)) == "ListType[int64]"

    @njit("types.ListType(float64)(types.ListType(float64))")
    def declared(xs):
        xs.append(1.5)
        return xs

    assert declared([2.0]) == [2.0, 1.5]


def test_typed_list_is_not_copied():
    @njit
    def push(xs, x):
        xs.append(x)
        return xs

    xs = List([1, 2])
    assert push(xs, 3) is xs and list(xs) == [1, 2, 3]
    empty = List.empty_list(types.float64)
    push(empty, 0.5)
    assert empty == [0.5] and str(empty) == "[0.5]"


OPERATION = st.sampled_from("append insert pop remove index set del slice assign sort reverse".split())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(OPERATION, st.integers(-4, 4), st.integers(-3, 3)), max_size=8))
def test_typed_list_behaves_as_a_list(steps):
    def apply(xs, name, i, v):
        if name == "append":
            return xs.append(v)
        if name == "insert":
            return xs.insert(i, v)
        if name == "set":
            xs[i] = v
        elif name == "del":
            del xs[i]
        elif name == "slice":
            return list(xs[i:])
        elif name == "assign":
            xs[i:v] = [v, i]
        elif name in ("pop", "remove", "index"):
            return getattr(xs, name)(v if name != "pop" else i)
        else:
            return getattr(xs, name)()

    ours, theirs = List([0, 1, 2]), [0, 1, 2]
    for step in steps:
        assert outcome(apply, ours, *step) == outcome(apply, theirs, *step)
        assert list(ours) == theirs


def test_many_lists_in_a_list():
    @njit
    def grow(rows):
        for row in rows:
            row.append(len(row))
        return rows[-1]

    rows = [[i] for i in range(300)]
    last = rows[-1]
    assert grow(rows) is last and rows == [[i, 1] for i in range(300)]


def test_loops_that_change_a_shared_list_stay_in_order():
    @njit(parallel=True)
    def fill(n):
        xs = []
        for i in pyarray.prange(n):
            xs.append(i)
        ys = [0] * n
        for i in pyarray.prange(n):
            ys[i] = xs[i] + 1
        return xs, ys

    assert fill(1000) == (list(range(1000)), list(range(1, 1001)))


def test_a_float_among_ints():
    @njit
    def find(xs, x):
        return x in xs, xs.count(x)

    @njit
    def take(xs, x):
        xs.remove(x)
        return xs

    for xs in [1, 2, 2, -1], [2**53 + 1, 2**63 - 1, -(2**63)]:
        for x in 2.0, 2.5, -1.0, float("nan"), float("inf"), 2.0**53, 2.0**63, -(2.0**63), True:
            same(find, xs, x)
            same(take, xs, x)
    same(find, [1.0, 2.0**53], 2**53 + 1)
    same(find, [1.0, 2.0**53], 2**53)
    same(find, [True, False], 1)


def test_comparisons_of_different_types():
    @njit
    def equal(a, b):
        return a == b, a != b, b == a

    @njit
    def order(a, b):
        return a < b, a <= b, a > b, a >= b

    for a, b in [
        ([1, 2], [1.0, 2.0]),
        ([1, 2], [1.5]),
        ([True], [1]),
        ([(1, 2)], [(1, 2.0)]),
        ([[1], [2]], [[1.0], [2.5]]),
        ([1], (1,)),
        ([1], {1}),
        ({1: 2}, {1: 2.0}),
        ({1: [2]}, {1.0: [2.0]}),
        ({1: 2}, {1.5: 2}),
        ({1, 2}, {1.0, 2.0}),
        ({1, 2}, {1.5}),
        (frozenset([1]), {1.0}),
    ]:
        same(equal, a, b)
    for a, b in ([1, 2], [1.5]), ([1, 2], [1.0, 2.0]), ([3], [2.5, 1.0]), ([1, 2, 3], [1.0, 2.0]), ([True], [2]):
        same(order, a, b)
        same(order, b, a)

    @njit
    def in_views(d, x):
        return x in d.values(), (1, x) in d.items(), x not in d.values(), x in d.keys()

    for x in 1, 2, 3, 2.0, 2.5:
        same(in_views, {1: 2, 2: 3}, x)


def test_types_that_items_share():
    @njit
    def whole(xs):
        return xs

    @njit
    def total(xs):
        t = 0.0
        for x in xs:
            if x is not None:
                t += x
        return t

    same(total, [1, None, 3])
    same(total, [None, 2.5, 1, None])
    same(total, [None, None])
    for xs in [(1, 2.0), (1.5, 2)], [(1, None), (2, "a")], ["a", None], [(None, (1, None)), (2.5, (None, "x"))]:
        same(whole, xs)
    for wrong, message in [
        ([1, "a"], "item 1 is str, of type unicode_type, those before it have type int64"),
        ([(1,), (1, 2)], "item 1 is tuple"),
    ]:
        with pytest.raises(TypeError, match=message):
            whole(wrong)


@pytest.mark.parametrize("items, missing", [(["a", "b"], "it's"), ([b"a"], b"q"), ([1.5, 2.0], 0.1), ([1, 2], 3)])
def test_what_index_does_not_find_is_in_the_message(items, missing):
    @njit
    def f(xs, x):
        return xs.index(x)

    assert outcome(f, items, missing) == outcome(f.py_func, items, missing)
    assert outcome(f, items, missing)[1] == f"{missing!r} is not in list"
    before = allocation_counts()
    for _ in range(10):
        outcome(f, items, missing)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1] > 0


def test_an_argument_that_leaves_its_container():
    """What only its container holds is gone from there before the result is made."""

    @njit
    def popped(xs):
        return xs.pop()

    @njit
    def cleared(xs):
        first = xs[0]
        xs.clear()
        return first, 1

    @njit
    def moved(xs, ys):
        ys.append(xs.pop())
        return ys

    for _ in range(30):
        assert popped([[1], [2]]) == [2]
        assert popped([{1: 2}]) == {1: 2}
        assert popped([{1}]) == {1}
        assert popped([bytearray(b"abc")]) == b"abc"
        assert popped({"a": [[1], [2]]}["a"]) == [2]
        assert cleared([[[1]], [[2]]]) == ([[1]], 1)
        assert moved([[1], [2]], [[3]]) == [[3], [2]]


def test_lists_whose_items_may_be_none_have_no_order():
    @njit
    def f(x, b):
        y = [x] if b else [None]
        return y < [None, x]

    with pytest.raises(TypingError, match="have no order"):
        f(1, True)
    for x in (1j, (0, 1j), {1: 2}):
        with pytest.raises(TypingError, match="have no order"):
            njit(lambda x: [[x]] < [[x], [x]])(x)


def test_a_function_has_no_slices():
    @njit
    def f(n):
        def h():
            return n

        return h[1:]

    with pytest.raises(TypingError, match="cannot be indexed"):
        f(1)
