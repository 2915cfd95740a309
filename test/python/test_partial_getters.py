"""functools.partial, operator.itemgetter, attrgetter, methodcaller, itertools.tee: called, as globals and as keys."""

import collections
import functools
import itertools
import operator
import os
import subprocess
import sys

import pytest
from compare import agrees, define
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError

Point = collections.namedtuple("Point", "x y")


@njit
def weighted(a, b, c=10, *, d=1):
    return a + b * c - d


ADD_ONE = functools.partial(weighted, 1)
ADD_TWO = functools.partial(ADD_ONE, 2, c=5, d=7)
SECOND = operator.itemgetter(1)
LAST_AND_FIRST = operator.itemgetter(-1, 0)
Y = operator.attrgetter("y")
LOWER = operator.methodcaller("lower")
REPLACED = operator.methodcaller("split", ",", maxsplit=1)
STEPS = (functools.partial(weighted, 1), functools.partial(weighted, 2, d=3))


def partials(i):
    def plus(a, b):
        return a + b

    first = functools.partial(weighted, i)
    named = functools.partial(weighted, c=i, d=2)
    whole = functools.partial(plus, i, 5)
    twice = functools.partial(functools.partial(weighted, 1), 2, c=4)
    return (
        first(4),
        first(4, 5, d=6),
        named(1, 2),
        named(1, 2, c=7),
        whole(),
        twice(),
        twice(c=9, d=0),
        functools.partial(max, i)(3),
    )


def partials_as_functions(xs):
    return (
        list(map(functools.partial(weighted, 1), xs)),
        sorted(xs, key=functools.partial(weighted, d=2, b=-3)),
        functools.reduce(functools.partial(max), xs),
    )


def global_partials(i):
    return ADD_ONE(i), ADD_ONE(i, c=2), ADD_TWO(), ADD_TWO(d=i), STEPS[0](i), STEPS[1](i)


def items(pairs):
    get = operator.itemgetter(0)
    both = operator.itemgetter(1, 0)
    return (
        [get(p) for p in pairs],
        both(pairs[0]),
        sorted(pairs, key=operator.itemgetter(1)),
        max(pairs, key=SECOND),
        LAST_AND_FIRST(pairs[1]),
    )


def of_containers(d, xs, i):
    return (
        operator.itemgetter("b")(d),
        operator.itemgetter("a", "b")(d),
        operator.itemgetter(i)(xs),
        operator.itemgetter(i, 0)(xs),
        operator.itemgetter(slice(1, 3))(xs),
    )


def sorted_dict(d):
    return sorted(d.items(), key=operator.itemgetter(1), reverse=True), max(d.items(), key=SECOND)[0]


def attributes(points):
    nested = (points[0], Point(points[1], 5))
    return (
        sorted(points, key=Y)[0],
        operator.attrgetter("x", "y")(points[0]),
        operator.attrgetter("x.y")(nested[1]),
        min(points, key=operator.attrgetter("x")),
    )


def methods(words):
    return (
        sorted(words, key=LOWER),
        operator.methodcaller("count", "a")(words[0]),
        REPLACED("a,b,c"),
        operator.methodcaller("rjust", 6, "*")(words[1]),
        list(map(operator.methodcaller("upper"), words)),
    )


def as_values(pairs, i):
    getters = [operator.itemgetter(0), operator.itemgetter(1)]
    return [get(pairs[0]) for get in getters], getters[i](pairs[1]), operator.call(getters[0], pairs[0])


def tees(xs):
    a, b = itertools.tee(xs)
    first = [next(a), next(a)]
    whole = list(b)
    c, d, e = itertools.tee((x * x for x in xs), 3)
    next(d)
    return first, whole, list(a), list(zip(c, d)), sum(e), len(itertools.tee(xs, 0))


def endless(n):
    a, b = itertools.tee(itertools.count(1))
    next(b)
    return [y - x * 2 for x, y in itertools.islice(zip(a, b), n)]


PAIRS = [(1, 5.5), (2, 4.5), (3, 6.5)]
CASES = [
    (partials, (3,)),
    (partials_as_functions, ([3, 1, 2],)),
    (global_partials, (3,)),
    (items, (PAIRS,)),
    (items, ([(1, 2), (3, 0)],)),
    (of_containers, ({"a": 1, "b": 2}, [4, 5, 6, 7], 2)),
    (sorted_dict, ({"a": 1, "b": 3, "c": 2},)),
    (attributes, ([Point(3, 1), Point(1, 2)],)),
    (methods, (["bab", "Ca", "A"],)),
    (as_values, ([(1, 2), (3, 4)], 1)),
    (tees, ([1, 2, 3],)),
    (endless, (4,)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


@pytest.mark.parametrize(
    "source, error, message",
    [
        ("operator.itemgetter(3)((1, 2))", TypingError, "out of range"),
        ("operator.attrgetter('z')(p)", TypingError, "no attribute 'z'"),
        ("operator.attrgetter(1)(p)", TypingError, "attribute name must be a string"),
        ("operator.itemgetter()", TypingError, "at least 1 argument"),
        ("operator.methodcaller('count', w)(w)", UnsupportedError, "write a lambda"),
        ("operator.methodcaller('nothing')(w)", TypingError, "unknown method 'nothing'"),
        ("functools.partial(weighted, 1)()", TypingError, "missing a required argument: 'b'"),
        ("functools.partial(weighted, 1)(2, e=1)", TypingError, "unexpected keyword argument 'e'"),
    ],
)
def test_refusals(source, error, message):
    f = define(f"def f(p, w):\n    return {source}\n", operator=operator, functools=functools, weighted=weighted)
    with pytest.raises(error) as raised:
        f(Point(1, 2), "a")
    assert message in str(raised.value)


def test_an_edited_global_is_not_taken_from_the_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import functools, operator, sys\nfrom pyarray import njit\nn = int(sys.argv[1])\n"
        "@njit\ndef add(a, b):\n    return a + b\n"
        "ADD, GET = functools.partial(add, n), operator.itemgetter(n)\n"
        "@njit\ndef f(xs):\n    return ADD(1), GET(xs)\nprint(f([5, 6, 7]))\n"
    )
    env = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    for n in (1, 2, 1):
        done = subprocess.run([sys.executable, program, str(n)], capture_output=True, text=True, check=True, env=env)
        assert done.stdout == f"{(n + 1, 5 + n)}\n"
