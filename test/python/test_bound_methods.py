"""Methods as values: of objects, of classes, special ones, as globals, arguments and items."""

import collections
import functools

import numpy as np
import pytest
from compare import check_alike
from pyarray import float64, int64, njit
from pyarray.errors import TypingError
from pyarray.experimental import jitclass

Point = collections.namedtuple("Point", "x y")
TABLE = {"a": 3, "b": 1}
LOWER = str.lower
LOOK_UP = TABLE.get
METHODS = ([1, 2, 1].count, str.__len__, ", ".join)


def as_keys(d, words):
    return (
        max(d, key=d.get),
        sorted(d, key=d.get, reverse=True),
        min(d, key=d.__getitem__),
        sorted(words, key=str.lower),
        max(words, key=str.upper),
        min(words, key=words.index),
    )


def in_functions(d, words):
    return (
        list(map(str.strip, words)),
        list(filter(str.isalpha, words)),
        list(map(d.get, words)),
        list(map(words.count, words)),
        list(map(",".join, words)),
        functools.reduce(str.__add__, words),
        [f(word) for f in (str.upper, str.title) for word in words],
    )


def in_variables(d, n):
    xs = []
    add = xs.append
    for i in range(n):
        add(i)
    get = d.get
    seen = set()
    note = seen.add
    note(n)
    queue = collections.deque()
    put, take = queue.append, queue.popleft
    put(1.5)
    show = "{:>{}}|{x}".format
    find = xs.index
    upper = str.upper
    return xs, get("a", 0), get("none", 7), seen, take(), show("s", 4, x=n), find(2, 0, 3), upper("s")


def fills(xs):
    def each(function):
        for x in xs:
            function(x)

    first, second, third = [], [], []
    each(first.append)
    each(lambda x: second.append(x))
    list(map(third.append, xs))
    return first, second, third


def changes(xs):
    pop, sort = xs.pop, xs.sort
    try:
        pop(0)
        sort(reverse=True)
        while True:
            pop()
    except IndexError as error:
        return str(error), xs


def chosen(i, text):
    f = [str.upper, str.lower, str.title][i]
    return f(text)


def special(xs, d):
    return (
        sum(map(xs.__getitem__, range(len(xs)))),
        list(map(d.__contains__, ["a", "z"])),
        "a".__add__("b"),
        [1].__len__(),
        list.__len__(xs),
        int.__add__(2, 3),
        sorted(["bb", "c"], key=str.__len__),
    )


def of_other_values(counter, b):
    p = Point(1, 2)
    most, find, replaced = counter.most_common, p.index, p._replace
    view = memoryview(b).tolist
    of_classes = float.is_integer(2.0), int.bit_length(9), tuple.index((1, 2), 2)
    return most(1), counter.get("a"), find(2), replaced(x=5), view(), of_classes


def of_globals(words):
    count = METHODS[0]
    found = list(map(LOOK_UP, ["a", "z"])), list(map(TABLE.get, ["b"]))
    return sorted(words, key=LOWER), found, count(1), METHODS[1]("abc"), METHODS[2](words)


def of_none(there):
    d = {1: 2} if there else None
    get = d.get
    return get(1)


def known(d):
    return hasattr(d, "get"), hasattr(d, "append"), hasattr("", "upper"), hasattr(d, "__contains__")


WORDS = ["b", " Ab ", "c", "b"]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (as_keys, ({"a": 3, "b": 5, "c": 1}, ["b", "A", "c"])),
        (in_functions, ({"b": 2}, WORDS)),
        (in_variables, ({"a": 3}, 4)),
        (fills, ([1, 2],)),
        (changes, ([3, 1, 2],)),
        (chosen, (1, "aB c")),
        (special, ([3, 4], {"a": 1})),
        (of_other_values, (collections.Counter("aab"), b"ab")),
        (of_globals, (["b", "A"],)),
        (of_none, (True,)),
        (of_none, (False,)),
        (known, ({"a": 1},)),
    ],
)
def test_as_in_python(function, arguments):
    check_alike(njit(function), *arguments)


def sorted_with_none(xs, limit):
    return sorted([x if x > limit else None for x in xs]), sorted(xs, key=lambda x: x if x > limit else None)


@pytest.mark.parametrize("xs", [[3, 1], [30]])
@pytest.mark.parametrize("limit", [0, 50])
def test_order_of_what_may_be_none(xs, limit):
    if limit and len(xs) > 1:
        with pytest.raises(TypeError, match="'<' not supported between instances"):
            njit(sorted_with_none)(xs, limit)
        with pytest.raises(TypeError, match="'<' not supported between instances"):
            sorted_with_none(xs, limit)
    else:
        check_alike(njit(sorted_with_none), xs, limit)


@jitclass([("x", int64)])
class Scale:
    def __init__(self, x):
        self.x = x

    def times(self, y, plus=0):
        return self.x * y + plus

    def fill(self, values):
        self.x = sum(values)

    @staticmethod
    def half(y):
        return y / 2


def test_of_instances():
    @njit
    def f(scale, xs):
        times, fill = scale.times, scale.fill
        halves = list(map(scale.half, xs)), list(map(Scale.half, xs))
        before = times(2, plus=1), list(map(scale.times, xs)), sorted(xs, key=scale.times), *halves
        fill(xs)
        of_class = Scale.times
        return before, of_class(scale, 2), scale.x

    assert f(Scale(-3), [1, 2]) == ((-5, [-3, -6], [2, 1], [0.5, 1.0], [0.5, 1.0]), 6, 3)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda d, xs: d.nothing, "unknown attribute 'nothing'"),
        (lambda d, xs: str.nothing, "unknown attribute 'nothing'"),
        (lambda d, xs: list.append(d, 1), "descriptor 'append' for 'list' objects doesn't apply"),
        (lambda d, xs: list(map(str.upper, xs)), "descriptor 'upper' for 'str' objects doesn't apply"),
        (lambda d, xs: int.bit_length(2.5), "descriptor 'bit_length' for 'int' objects doesn't apply"),
        (lambda d, xs: str.upper(), "unbound method str.upper() needs an argument"),
        (lambda d, xs: list(map(TABLE.pop, xs)), "a global or free dict cannot be changed"),
        (lambda d, xs: (d.get if d else d.pop)("a"), "cannot unify"),
    ],
)
def test_errors(function, message):
    with pytest.raises(TypingError) as error:
        njit(function)({"a": 1}, [1])
    assert message in str(error.value)


def test_signature():
    @njit(float64(float64[:]))
    def f(a):
        item = a.item
        return item(1) + float.__add__(1.0, 2.0)

    assert f(np.array([1.5, 2.5])) == 5.5
