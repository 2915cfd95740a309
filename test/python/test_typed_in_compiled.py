"""Typed containers that compiled code makes: Python shares them, and declared types are held to."""

import collections
import pickle

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import jitclass, njit, prange, typed, types
from pyarray.errors import TypingError
from pyarray.typed import Dict, List, Set

pytestmark = pytest.mark.real

PAIR = types.UniTuple(types.int64, 2)
LISTS = types.ListType(types.int64)


def is_typed(value, kind, items):
    """Whether |value| is of that class of ``pyarray.typed``, and has these items."""
    return type(value) is kind and (kind(items) if kind is Set else items) == value


def test_empty_ones_of_declared_types():
    @njit
    def positional(n):
        d = Dict.empty(types.int64, types.float64)
        for i in range(n):
            d[i] = i
        return d

    @njit
    def named(n):
        d = Dict.empty(key_type=types.unicode_type, value_type=types.boolean, n_keys=n)
        d["a"] = n > 2
        xs = List.empty_list(item_type=types.float32, allocated=n)
        xs.append(0.1)
        xs.append(n)
        s = Set.empty(types.int64, n)
        s.add(n)
        s.add(True)
        return d, xs, s

    made = positional(3)
    assert is_typed(made, Dict, {0: 0.0, 1: 1.0, 2: 2.0}) and type(made[2]) is float
    assert made._numba_type_ == types.DictType(types.int64, types.float64)
    d, xs, s = named(3)
    assert (
        is_typed(d, Dict, {"a": True})
        and is_typed(xs, List, [float(np.float32(0.1)), 3.0])
        and is_typed(s, Set, [3, 1])
    )
    assert xs._dtype == types.float32


def test_items_decide_where_no_type_is_declared():
    @njit
    def f(n):
        d, xs, s = Dict(), List(), Set()
        for i in range(n):
            d[str(i)] = i
            xs.append((i, 0.5 * i))
            s.add(i % 2)
        return d, xs, s, List([1, 2]), List(range(n)), Dict({1: 2.5}), Set("ab"), List(np.ones(2)), List("xy")

    made = f(3)
    wanted = (
        {"0": 0, "1": 1, "2": 2},
        [(0, 0.0), (1, 0.5), (2, 1.0)],
        [0, 1],
        [1, 2],
        [0, 1, 2],
        {1: 2.5},
        ["a", "b"],
        [1.0, 1.0],
        ["x", "y"],
    )
    kinds = Dict, List, Set, List, List, Dict, Set, List, List
    assert all(map(is_typed, made, kinds, wanted))


def test_types_of_many_kinds():
    item = types.float64[:]
    point = collections.namedtuple("point", "x y")
    points = pyarray.typeof(point(1, 2.5))

    @njit
    def f():
        a = Dict.empty(PAIR, LISTS)
        a[1, 2] = List.empty_list(types.int64)
        a[1, 2].append(4)
        b = Dict.empty(types.unicode_type, item)
        b["p"] = np.zeros(2)
        c = List.empty_list(types.Array(types.int64, 2, "C"))
        c.append(np.ones((1, 2), np.int64))
        d = Dict.empty(types.int64, types.DictType(types.int64, types.int64))
        d[1] = Dict.empty(types.int64, types.int64)
        d[1][2] = 3
        e = List.empty_list(types.Tuple((types.int64, types.unicode_type)))
        e.append((1, "a"))
        g = Dict.empty(types.int64, types.Optional(types.float64))
        g[1] = None
        g[2] = 3
        h = List.empty_list(types.float64[:, ::1])
        h.append(np.ones((1, 1)))
        k = typed.List.empty_list(types.NPTimedelta("s"))
        k.append(np.timedelta64(3, "m"))
        return a, b, c, d, e, g, h, k

    @njit
    def tuples():
        xs = List.empty_list(points)
        xs.append(point(3, 4))
        return xs

    a, b, c, d, e, g, h, k = f()
    assert is_typed(a, Dict, {(1, 2): [4]}) and type(a[1, 2]) is List
    assert type(b) is Dict and list(b["p"]) == [0, 0] and c[0].tolist() == [[1, 1]] and h[0].tolist() == [[1.0]]
    assert (
        type(d[1]) is Dict and d[1][2] == 3 and is_typed(e, List, [(1, "a")]) and is_typed(g, Dict, {1: None, 2: 3.0})
    )
    assert k[0] == np.timedelta64(180, "s")
    assert tuples()[0] == point(3, 4.0) and type(tuples()[0]) is point


def test_types_that_are_free_variables():
    def make(kind):
        @njit
        def f():
            return Dict.empty(kind, types.int64), List.empty_list(types.ListType(kind))

        return f

    for kind in (types.int64, types.unicode_type, PAIR):
        d, xs = make(kind)()
        assert d._numba_type_ == types.DictType(kind, types.int64) and xs._dtype == types.ListType(kind)

    @njit
    def local(n):
        kind = types.int8
        xs = pyarray.typed.List.empty_list(kind)
        xs.append(n)
        return xs

    assert is_typed(local(300), List, [44])


def test_declared_types_are_held_to():
    @njit
    def item():
        xs = List.empty_list(types.int64)
        xs.append(1.5)

    @njit
    def value():
        d = Dict.empty(types.int64, types.unicode_type)
        d[1] = 3

    @njit
    def key():
        d = Dict.empty(types.int64, types.float64)
        d[1.5] = 1

    @njit
    def all_of_them(n):
        return List.empty_list(types.int64) + List(range(n))

    for function, message in (
        (item, r"a value of type float64 cannot be an item of ListType\[int64\]"),
        (value, r"a value of type int64 cannot be a value of DictType\[int64,unicode_type\]"),
        (key, r"a value of type float64 cannot be a key of DictType\[int64,float64\]"),
    ):
        with pytest.raises(TypingError, match=message):
            function()
    assert is_typed(all_of_them(2), List, [0, 1])


def test_what_is_no_type():
    @njit
    def number():
        return List.empty_list(3)

    @njit
    def wrong():
        return List.empty_list(types.ListType(3))

    @njit
    def unhashable():
        return Dict.empty(types.ListType(types.int64), types.int64)

    @njit
    def missing():
        return Dict.empty(types.int64)

    @njit
    def room():
        return List.empty_list(types.int64, "a")

    for function, message in (
        (number, "argument 1 has type int64; expected a type such as types.int64"),
        (wrong, "ListType takes a type, not 3"),
        (unhashable, "unhashable type"),
        (missing, "missing a required argument: 'value_type'"),
        (room, "expected an integer"),
    ):
        with pytest.raises(TypingError, match=message):
            function()


def test_python_shares_what_compiled_code_holds():
    @njit
    def make():
        outer = List()
        for i in range(3):
            outer.append(List([i]))
        return outer, outer

    @njit
    def change(xs):
        xs[0].append(9)
        return xs

    first, second = make()
    first[0].append(7)
    assert is_typed(second, List, [[0, 7], [1], [2]])
    assert change(first) is first and list(second[0]) == [0, 7, 9]
    assert pickle.loads(pickle.dumps(first)) == first


def test_which_containers_are_typed():
    @njit
    def f(xs):
        alias = List
        made = alias()
        made.append(1)
        groups = collections.defaultdict(List)
        groups[1].append(2.5)
        typed_ones = made, groups[1], made.copy(), made[:], made + [3], made * 2, Set([1]) | Set([2])
        plain_ones = [3] + made, list(made), sorted(made), [x for x in made], xs[0], dict(Dict({1: 2})), set(Set([1]))
        return typed_ones, plain_ones, [x for x in map(List, xs)]

    typed_ones, plain_ones, mapped = f([[1, 2], [3]])
    assert [type(one) for one in typed_ones] == [List] * 6 + [Set]
    assert [type(one) for one in plain_ones] == [list] * 5 + [dict, set]
    assert type(mapped) is list and type(mapped[0]) is List and mapped == [[1, 2], [3]]
    assert typed_ones[:6] == ([1], [2.5], [1], [1], [1, 3], [1, 1])

    @njit
    def copy(xs):
        return xs.copy()

    assert type(copy(List([1]))) is List and type(copy([1])) is list


def test_which_one_is_known_when_it_is_returned():
    @njit
    def f(flag):
        return List([1]) if flag else [2]

    assert is_typed(f(True), List, [1]) and type(f(False)) is list


def test_isinstance():
    @njit
    def f(x):
        return isinstance(x, List), isinstance(x, Dict), isinstance(x, (Set, Dict)), isinstance(x, list)

    assert f(List([1])) == (True, False, False, True) and f(Dict({1: 2})) == (False, True, True, False)
    assert f(Set([1])) == (False, False, True, False) and f(1.5) == (False, False, False, False)


def test_in_classes():
    @jitclass([("items", LISTS), ("prices", types.DictType(types.int64, types.float64))])
    class Box:
        def __init__(self):
            self.items = List.empty_list(types.int64)
            self.prices = Dict.empty(types.int64, types.float64)

        def put(self, x):
            self.items.append(x)
            self.prices[x] = x / 2

    @jitclass([("value", types.int64)])
    class Node:
        def __init__(self, value):
            self.value = value

    nodes = Node.class_type.instance_type

    @njit
    def total(n):
        xs = List.empty_list(nodes)
        ys = Dict.empty(types.int64, Node.class_type.instance_type)
        for i in range(n):
            xs.append(Node(i))
            ys[i] = xs[i]
        xs[0].value = 10
        return sum([x.value for x in xs]) + ys[0].value, xs

    box = Box()
    box.put(3)
    assert is_typed(box.items, List, [3]) and is_typed(box.prices, Dict, {3: 1.5})
    box.items.append(4)
    assert list(box.items) == [3, 4]
    number, xs = total(4)
    assert number == 26 and type(xs) is List and xs[0].value == 10 and type(xs[3]) is Node


def test_generators():
    @njit
    def lists(n):
        for i in range(n):
            yield List(range(i))

    @njit
    def of_generators():
        xs = List()
        xs.append(lists(2))
        return xs

    assert [type(one) for one in lists(3)] == [List] * 3 and list(lists(3)) == [[], [0], [0, 1]]
    made = of_generators()
    assert type(made) is list and list(made[0]) == [[], [0]]  # a generator knows its code, a shared list does not


def test_arguments_that_are_written_back():
    @njit
    def f(xs):
        xs.append(List([7]))

    xs = [[1]]
    f(xs)
    assert xs == [[1], [7]]


def test_in_parallel_loops():
    @njit(parallel=True)
    def f(n):
        out = np.zeros(n)
        for i in prange(n):
            xs = List.empty_list(types.int64)
            for j in range(i):
                xs.append(j)
            out[i] = len(xs)
        return out

    assert list(f(20)) == list(range(20))


def test_nothing_leaks():
    @njit
    def f(n, fail):
        d = Dict.empty(types.unicode_type, types.ListType(types.float64[:]))
        for i in range(n):
            d[str(i)] = List.empty_list(types.float64[:])
            d[str(i)].append(np.zeros(i))
        if fail:
            raise ValueError
        return d, d.copy()

    before = arrays_alive()
    made = f(5, False)
    assert len(made[1]) == 5 and made[1]["4"][0].shape == (4,)
    with pytest.raises(ValueError):
        f(5, True)
    del made
    assert arrays_alive() == before


PROGRAM = """
import time
from pyarray import njit, types, jitclass
from pyarray.typed import Dict, List, Set

KIND = types.ListType(types.int64)

@njit
def f():
    d = Dict.empty(types.int64, KIND)
    d[1] = List([1])
    return d

assert type(f()) is Dict and f()[1][0] == 1
print(sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))
"""


def test_they_are_kept_on_disk(run):
    assert run(PROGRAM) == "0 1\n"
    assert run(PROGRAM) == "1 0\n"
    other = PROGRAM.replace("ListType(types.int64)", "ListType(types.float64)").replace("List([1])", "List([1.0])")
    assert run(other) == "0 1\n"


UNCOMPILED = """
from pyarray import njit, types, jitclass
from pyarray.typed import Dict, List, Set

@njit
def f(n):
    d = Dict.empty(types.unicode_type, types.ListType(types.int64))
    for i in range(n):
        d.setdefault("a", List()).append(i)
    s = Set.empty(types.int64)
    s.add(n)
    xs = List([3, 1, 2])
    xs.sort()
    return d, s, xs[1:], xs.copy(), List.empty_list(types.int64, 3), isinstance(xs, List), isinstance(d, Dict)

d, s, *xs = f(3)
assert type(d) is Dict and type(s) is Set and d == {"a": [0, 1, 2]} and s == {3}
assert all(type(x) is List for x in xs[:3]) and xs == [[2, 3], [1, 2, 3], [], True, True]
assert type(s.copy()) is Set and type(d.copy()) is Dict and type(xs[0] + [1]) is List and type(xs[0] * 2) is List
for text in ("x = List.empty_list(types.int64); x.append(1)", "x = List([1])", "x = List(); x.append(1)"):
    exec(text)
    assert list(x) == [1] and len(x) == 1 and x[0] == 1 and str(x) == "[1]"
for wrong in (lambda: List.empty_list(3), lambda: Dict.empty(int, types.int64), lambda: Set.empty(None)):
    try:
        wrong()
    except TypeError as error:
        assert "a type such as" in str(error)
    else:
        raise AssertionError

@jitclass
class Node:
    value: int

    def __init__(self, value):
        self.value = value

nodes = List()
nodes.append(Node(4))
assert nodes[0].value == 4
print("done")
"""


def test_without_compiling(run):
    assert run(UNCOMPILED, PYARRAY_DISABLE_JIT="1") == "done\n"


def test_an_empty_container_is_a_type_of_items():
    @njit
    def lists(n):
        rows = List.empty_list(List.empty_list(types.int32))
        named = Dict.empty(types.unicode_type, Dict.empty(types.int64, types.float64))
        for i in range(n):
            row = List.empty_list(types.int32)
            row.append(i)
            rows.append(row)
            named[str(i)] = Dict.empty(types.int64, types.float64)
            named[str(i)][i] = 0.5
        return rows, named

    rows, named = lists(3)
    assert [list(row) for row in rows] == [[0], [1], [2]] and str(rows).startswith("[[")
    assert {name: dict(of) for name, of in named.items()} == {"0": {0: 0.5}, "1": {1: 0.5}, "2": {2: 0.5}}
