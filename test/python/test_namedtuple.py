"""Named tuples in compiled code against CPython."""

import collections
import os
import subprocess
import sys
import typing

import numpy as np
import pytest
from compare import agrees, define
from pyarray import njit, typeof, types
from pyarray.errors import TypingError, UnsupportedError

Point = collections.namedtuple("Point", "x y", defaults=(0,))
Empty = collections.namedtuple("Empty", "")
Wide = collections.namedtuple("Wide", [f"field{i}" for i in range(500)])


class Particle(typing.NamedTuple):
    mass: float
    where: Point = Point(0, 0)
    name: str = "none"

    def moved(self, dx):
        return self._replace(where=Point(self.where.x + dx, self.where.y))

    @property
    def heavy(self):
        return self.mass > 1.0

    @staticmethod
    def unit():
        return Particle(1.0)


ORIGIN = Point(0, 0)
CORNERS = (Point(0, 0), Point(1, 2))


def constructs(a, b):
    return Point(a, b), Point(a), Point(y=a, x=b), Point(*(a, b)), Empty()


def fields(p):
    return p.x, p.y, p[0], p[-1], p[1:], p[::-1], len(p), p._fields, Point._fields


def unpacks(p):
    x, y = p
    first, *rest = p
    return x, y, first, rest


def goes_over(p):
    out = []
    for i, value in enumerate(p):
        out.append((i, value * 2))
    return out, [v for v in p], list(p), sum(p), max(p), 2 in p, p.index(p.y), p.count(7)


def goes_over_and_reads(p):
    total = 0
    for value in p:
        total += value * p.x + len(p._fields)
    return total, p


def compares(p, q):
    return p == q, p != q, p < q, p <= q, p > q, p >= q, p == (1, 2), (1, 2) == p, p + q, p + (3,)


def replaces(p):
    return p._replace(x=5), p._replace(), p._replace(y=2.5, x="text"), Point._make((1, 2))


TEMPLATE = "{} {}"


def texts(p):
    return repr(p), str(p), f"{p} {p!r}", TEMPLATE.format(p, 1), repr([p]), str((p, 1)), repr({p.x: p})


def prints(p):
    print(p, [p, p], (p,), {1: p}, sep="; ")


def containers(p):
    points = [p, Point(3, 4)]
    points.append(Point(5, 6))
    counts = {q: q.x for q in points}
    counts[p] += 10
    return points, counts, {p, Point(1, 2)}, points[1].x, Point(1, 2) in counts, points.index(p)


def of_arrays(a):
    p = Point(a, a[1:])
    p.x[1] = 7.0
    return float(p.y[0]), p


def maybe(c):
    p = None
    if c:
        p = Point(1, 2.5)
    return p, p is None, p == Point(1, 2.5)


def missing(c):
    p = None
    if c:
        p = Point(1, 2.5)
    return p.x


def promotes(c):
    p = Point(1, 2)
    if c:
        p = Point(1.5, 2)
    return p


def classes(p):
    known = isinstance(p, Point), isinstance(p, tuple), isinstance(p, Particle)
    return known, type(p) is Point, type(p)(8, 9), bool(p), not p


def users_methods(p):
    return p.moved(2), p.heavy, p.moved(1).where.x, Particle.unit(), p.unit().mass


def of_globals():
    return ORIGIN, CORNERS, CORNERS[1].y, Particle(2.0).where == ORIGIN, Particle(2.0).name


CASES = [
    (constructs, (1, 2.5)),
    (fields, (Point(1, 2.5),)),
    (unpacks, (Point(1, 2.5),)),
    (goes_over, (Point(1, 2),)),
    (goes_over_and_reads, (Point(1, 2),)),
    (goes_over_and_reads, (Point(1, 2.5),)),
    (compares, (Point(1, 2), Point(1, 3))),
    (compares, (Point(1.0, 2), Point(1, 2))),
    (replaces, (Point(1, 2),)),
    (texts, (Point(1, "two"),)),
    (texts, (Point(Point(1, 2), (3.5, None)),)),
    (containers, (Point(1, 2),)),
    (of_arrays, (np.arange(4.0),)),
    (maybe, (True,)),
    (maybe, (False,)),
    (missing, (True,)),
    (missing, (False,)),
    (promotes, (True,)),
    (classes, (Point(1, 2),)),
    (users_methods, (Particle(3.0),)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


def test_prints(capsys):
    agrees(prints, Point(1, 2.5), output=capsys)


def test_globals():
    assert njit(of_globals)() == (ORIGIN, CORNERS, 2, True, "none")


@njit
def pass_on(value):
    return value


def test_arguments_and_results_keep_their_class():
    lists = [Point(1, 2), Point(3, 4)], {Point(1, 2): Point(0.5, None)}
    values = [Point(1, 2), Point(Point(1, "a"), [1]), *lists, (Empty(), Point(True, 1j)), Particle(1.5)]
    for value in values:
        assert repr(pass_on(value)) == repr(value)
    assert {type(key) for key in pass_on({Point(1, 2): 1})} == {Point}
    p = Point(np.arange(3), 1)
    assert pass_on(p).x is p.x
    assert str(typeof(Point(1, 2.5))) == "Point(int64, float64)"


def test_lists_are_written_back():
    @njit
    def change(points):
        points[0] = points[0]._replace(x=9)
        points.append(Point(5, 6))

    points = [Point(1, 2), Point(3, 4)]
    kept = points[1]
    change(points)
    assert points == [Point(9, 2), Point(3, 4), Point(5, 6)] and type(points[0]) is Point and points[1] is kept


def test_many_fields():
    @njit
    def total(w):
        w = w._replace(field7=1000)
        result = 0
        for value in w:
            result += value
        return result, w.field499, w

    wide = Wide(*range(500))
    assert total(wide) == (sum(range(500)) - 7 + 1000, 499, wide._replace(field7=1000))


def test_classes_of_one_name_are_told_apart():
    results = []
    for names in ("a b", "b a"):
        Pair = collections.namedtuple("Pair", names)

        first = define("def f(p):\n    return p.a, Pair(1, 2), type(p) is Pair\n", Pair=Pair)
        result = first(Pair(10, 20))
        assert type(result[1]) is Pair and result[2]
        results.append(result[0])
    assert results == [10, 20]


def test_a_redefined_class_is_not_taken_from_the_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import collections, sys\nfrom pyarray import njit\nP = collections.namedtuple('P', sys.argv[1])\n"
        "@njit\ndef f(p):\n    return p.x * 10 + P(x=1, y=2).y\nprint(f(P(x=3, y=4)))\n"
    )
    env = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    for names in ("x y", "y x", "x y"):
        done = subprocess.run([sys.executable, program, names], capture_output=True, text=True, check=True, env=env)
        assert done.stdout == "32\n"


def test_results_from_the_cache():
    source = "def f(p):\n    return P(p.y, p.x)\n"
    assert define(source, P=Point)(Point(1, 2.5)) == define(source, P=Point)(Point(1, 2.5)) == Point(2.5, 1)


class Strange(Point):
    def __eq__(self, other):
        return True

    __hash__ = None


class Vector(typing.NamedTuple):
    x: float

    def __add__(self, other):
        return Vector(self.x + other.x)


@pytest.mark.parametrize(
    "source, arguments, error, message",
    [
        ("p.z", "p", TypingError, "'Point' object has no attribute 'z'"),
        ("p._replace(z=1)", "p", TypingError, "Got unexpected field names: ['z']"),
        ("p._replace(1)", "p", TypingError, "takes 1 positional argument"),
        ("Point()", "p", TypingError, "missing a required argument: 'x'"),
        ("Point(1, 2, 3)", "p", TypingError, "takes 2 arguments but 3 were given"),
        ("Point(1, z=3)", "p", TypingError, "unexpected keyword argument 'z'"),
        ("Point.nothing", "p", TypingError, "class 'Point' has no attribute 'nothing'"),
        ("Vector(1.0)", "p", UnsupportedError, "it has a method __add__ of its own"),
        ("Strange(1, 2)", "p", UnsupportedError, "it has a method __eq__ of its own"),
        ("[p, Point(1.5, 'x')]", "p", TypingError, "a value of type Point(float64, unicode_type) cannot be an item"),
    ],
)
def test_refusals(source, arguments, error, message):
    f = define(f"def f({arguments}):\n    return {source}\n", Point=Point, Vector=Vector, Strange=Strange)
    with pytest.raises(error) as raised:
        f(Point(1, 2))
    assert message in str(raised.value)


def test_arguments_that_are_refused():
    with pytest.raises(TypingError, match="it has a method __add__ of its own"):
        pass_on(Vector(1.0))
    with pytest.raises(TypingError, match="cannot determine the type of <class 'object'>"):
        pass_on(Point(object(), 1))


def test_declared_types():
    kind = typeof(Point(1, 2.5))
    f = njit(types.float64(kind))(lambda p: p.x + p.y)
    assert f(Point(1, 2.5)) == 3.5
    with pytest.raises(TypeError):
        f((1, 2.5))
    assert kind == typeof(Point(3, 4.5)) != typeof((3, 4.5))
