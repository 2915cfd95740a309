"""Class and mapping patterns of match against CPython."""

import collections
import enum
import typing

import pytest
from compare import agrees, define
from pyarray import float64, jitclass, njit
from pyarray.errors import TypingError

Point = collections.namedtuple("Point", "x y")


class Item(typing.NamedTuple):
    name: str
    size: float = 1.0


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def classes(x):
    match x:
        case bool():
            return "bool"
        case int(n) if n > 10:
            return "large"
        case int():
            return "int"
        case float(v):
            return "float " + str(v)
        case str(s):
            return "str " + s
        case None:
            return "none"
        case tuple((a, b)):
            return "pair " + str(a) + str(b)
        case list(xs):
            return "list " + str(len(xs))
        case dict():
            return "dict"
    return "other"


def points(p):
    match p:
        case Point(0, 0):
            return "origin", 0
        case Point(x=0, y=y):
            return "y axis", y
        case Point(x, y) if x == y:
            return "diagonal", x
        case Point(x=(1 | 2) as x):
            return "near", x
        case Point():
            return "point", 0
    return "none", 0


def items(item):
    match item:
        case Item("box", size=s):
            return s
        case Item(name, 2.0):
            return float(len(name))
        case (name, size):
            return -size
    return 0.0


def mappings(d):
    match d:
        case {"kind": 1, "size": s}:
            return s
        case {"kind": 2 | 3 as k, **rest}:
            return k * 100 + len(rest)
        case {"other": _}:
            return -1
        case {}:
            return -2
    return -3


def rests(d):
    match d:
        case {1: a, 2: b, **rest}:
            return a + b, rest, d
    return 0.0, d, d


def nested(rows):
    total = 0
    for row in rows:
        match row:
            case (Point(x=a), {"k": b}):
                total += a * b
            case (Point(), _):
                total += 1000
    return total


def members(c, n):
    match (c, n):
        case (Color.RED, int(m)):
            return m
        case (Color.GREEN, _):
            return -1
    return 0


CASES = [
    *((classes, (x,)) for x in (True, 3, 11, 2.5, "text", None, (1, 2), (1, 2, 3), [1, 2], {1: 2}, 1j)),
    *((points, (p,)) for p in (Point(0, 0), Point(0, 5), Point(3, 3), Point(2, 7), Point(8, 9), (0, 0))),
    *((items, (i,)) for i in (Item("box", 3.5), Item("chair", 2.0), Item("x", 4.0), ("box", 2.0))),
    *((mappings, (d,)) for d in ({"kind": 1, "size": 9}, {"kind": 3, "size": 9, "a": 1}, {"other": 1}, {"kind": 7})),
    (mappings, (3,)),
    (rests, ({1: 0.5, 2: 1.5, 3: 2.5},)),
    (rests, ({1: 0.5, 3: 2.5},)),
    (nested, ([(Point(1, 2), {"k": 3}), (Point(5, 6), {"j": 1})],)),
    (members, (Color.RED, 7)),
    (members, (Color.GREEN, 7)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


def test_jitclasses():
    @jitclass([("x", float64), ("y", float64)])
    class Place:
        def __init__(self, x, y):
            self.x = x
            self.y = y

    @njit
    def f(p):
        match p:
            case Place(x=0.0, y=y):
                return y
            case Place(x=x):
                return -x
        return 0.0

    assert f(Place(0.0, 3.0)) == 3.0 and f(Place(2.0, 3.0)) == -2.0 and f(5) == 0.0


@pytest.mark.parametrize(
    "pattern, message",
    [("Point(1, 2, 3)", "accepts 2 positional sub-patterns"), ("Point(z=1)", "no attribute 'z'"), ("int(1, 2)", "")],
)
def test_refusals(pattern, message):
    f = define(f"def f(p):\n    match p:\n        case {pattern}: return 1\n    return 0\n", Point=Point)
    if not message:
        assert f(Point(1, 2)) == 0
        return
    with pytest.raises(TypingError) as raised:
        f(Point(1, 2))
    assert message in str(raised.value)
