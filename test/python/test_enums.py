"""Enums in compiled code against CPython."""

import enum
import os
import subprocess
import sys

import numpy as np
import pytest
from compare import agrees, define
from pyarray import njit, typeof
from pyarray.errors import TypingError, UnsupportedError


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1  # an alias


class Word(enum.Enum):
    A = "a"
    B = "bb"


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "x"
    HALF = 2.5

    def is_one(self):
        return self is Mixed.ONE

    @property
    def lower(self):
        return self.name.lower()


class Planet(enum.Enum):
    EARTH = (5.9, 6.3)
    MARS = (0.6, 3.4)


class Shake(enum.IntEnum):
    VANILLA = 7
    MINT = 9


class Mode(enum.Flag):
    R = 4
    W = 2
    X = 1


class Access(enum.IntFlag):
    R = 4
    W = 2
    X = 1


class Shade(enum.StrEnum):
    DARK = "dark"


class Level(enum.Enum):
    LOW = 1
    HIGH = 2

    def __lt__(self, other):
        return self.value < other.value


Large = enum.Enum("Large", [f"M{i}" for i in range(1000)])
FAVOURITE = Color.GREEN
PAIR = (Color.RED, Shake.MINT, Mode.R | Mode.X)


def members():
    return Color.RED, Color.CRIMSON, Color.GREEN, Word.B, Mixed.HALF, Planet.MARS, Shake.MINT, Mode.W, Access.X


def parts(c):
    return c.value, c.name, Color.GREEN.value, Color.CRIMSON.name, Mixed.TEXT.value, Mixed.HALF.value, Mixed.ONE.name


def words(w):
    return w.value, w.name, Word("bb"), w is Word.A, w


def planets(p):
    return p.value, p.value[0], p.name


def compares(c, d):
    return (
        c is d,
        c is not d,
        c == d,
        c != d,
        c in (Color.RED, Color.GREEN),
        c in [d],
        c in {d},
        c == 1,
        c != "x",
        c is None,
    )


def by_value(value):
    return Color(value), Color(2)


def by_name(name):
    return Color[name], Color["CRIMSON"]


def matches(c):
    match c:
        case Color.RED:
            return "red"
        case Color.GREEN:
            return "green"
    return "none"


def containers(c):
    d = {c: 1, Color.GREEN: 5}
    d[Color.RED] = d.get(Color.RED, 0) + 10
    return d, [c, Color.GREEN], {c}, (c, 1), c in d


def counts(colors):
    d = {}
    for c in colors:
        d[c] = d.get(c, 0) + 1
    return d


def iterates():
    total = 0
    for c in Color:
        total += c.value
    return total, len(Color), list(Color), [c.name for c in Color], [s + 1 for s in Shake], Color.RED in Color


TEMPLATE = "{} {}"


def texts(c):
    return str(c), repr(c), f"{c} {c!r} {c:>12}", str([c]), repr({c: (c,)}), TEMPLATE.format(c, 1)


def prints(c, s, m):
    print(c, s, m, [c], [s], (m, 1))


def truths(c, s, m):
    return bool(c), not c, bool(s), not m, (1 if c else 2), (1 if m else 2)


def kinds(c, s):
    return (
        isinstance(c, Color),
        isinstance(c, int),
        isinstance(s, int),
        isinstance(s, Shake),
        type(c) is Color,
        type(s) is Shake,
    )


def users_methods(m):
    return m.is_one(), m.lower


def arithmetic(s):
    return s + 1, s * 2, s < Shake.MINT, s == 7, s | 8, -s, float(s), s.name, s.value, s is Shake.VANILLA, s % 4, 1 << s


def as_index(s, xs):
    return xs[s], list(range(s))[-1], str(s), repr(s), f"{s}", s in [7, 8], [s], s in (Shake.MINT, 7)


def int_members(s):
    return s, Shake(9), Shake["MINT"], Shake.MINT, {s: 1}


def int_by_value(value):
    return Shake(value)


def flags(m):
    return m | Mode.R, m & Mode.R, m ^ Mode.W, ~m, Mode.W in m, m.value, m == Mode.W, Mode(3), repr(m), str(m), m


def int_flags(m):
    return m | Access.R, m & 1, m + 1, ~m, Access.W in m, m == 2, repr(m), str(m), 8 | m, m | Access.X


def of_globals():
    return FAVOURITE, FAVOURITE.name, PAIR, PAIR[0].value


def may_be_none(c):
    best = None
    if c:
        best = Color.RED
    return best, best == Color.RED, best is None, best != Color.GREEN


CASES = [
    (members, ()),
    (parts, (Color.GREEN,)),
    (words, (Word.A,)),
    (planets, (Planet.MARS,)),
    (compares, (Color.RED, Color.RED)),
    (compares, (Color.RED, Color.GREEN)),
    (by_value, (1,)),
    (by_value, (5,)),
    (by_name, ("GREEN",)),
    (by_name, ("BLUE",)),
    (matches, (Color.RED,)),
    (matches, (Color.GREEN,)),
    (containers, (Color.RED,)),
    (counts, ([Color.RED, Color.GREEN, Color.CRIMSON],)),
    (iterates, ()),
    (texts, (Color.GREEN,)),
    (texts, (Word.A,)),
    (truths, (Color.RED, Shake.MINT, Mode(0))),
    (truths, (Color.RED, Shake.MINT, Mode.W)),
    (kinds, (Color.RED, Shake.MINT)),
    (users_methods, (Mixed.ONE,)),
    (users_methods, (Mixed.TEXT,)),
    (arithmetic, (Shake.VANILLA,)),
    (as_index, (Shake.VANILLA, list(range(20)))),
    (int_members, (Shake.VANILLA,)),
    (int_by_value, (9,)),
    (int_by_value, (8,)),
    (flags, (Mode.W | Mode.X,)),
    (flags, (Mode.R,)),
    (int_flags, (Access.W,)),
    (of_globals, ()),
    (may_be_none, (True,)),
    (may_be_none, (False,)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


def test_prints(capsys):
    agrees(prints, Color.RED, Shake.MINT, Mode.R | Mode.W, output=capsys)


@njit
def pass_on(value):
    return value


def test_members_stay_the_objects_that_they_are():
    for member in (*Color, *Word, *Mixed, *Shake, *Mode, *Access, Planet.MARS, Large.M999):
        assert pass_on(member) is member
        assert pass_on([member])[0] is member
        assert list(pass_on({member: (member,)}).items()) == [(member, (member,))]
    assert pass_on(Mode.R | Mode.X) is Mode.R | Mode.X
    assert str(typeof(Color.RED)) == "Color" and typeof(Color.RED) == typeof(Color.GREEN) != typeof(Shake.MINT)


def test_many_members():
    @njit
    def f(m):
        return m.name, m.value, Large(500), Large["M10"], len(Large)

    assert f(Large.M999) == ("M999", 1000, Large.M499, Large.M10, 1000)


def test_declared_types():
    f = njit(f"int64({'int64'})")(lambda x: x + 1)
    assert f(Shake.MINT) == 10
    g = njit(typeof(1)(typeof(Color.RED)))(lambda c: c.value)
    assert g(Color.GREEN) == 2
    with pytest.raises(TypeError):
        g(2)


def test_in_arrays():
    @njit
    def fill(a):
        for i in range(a.size):
            a[i] = Shake.MINT
        a[Shake.VANILLA] = 0

    a = np.ones(10)
    fill(a)
    assert a.tolist() == [9.0] * 7 + [0.0] + [9.0] * 2


def test_an_edited_enum_is_not_taken_from_the_cache(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import enum, sys\nfrom pyarray import njit\nE = enum.Enum('E', {'A': int(sys.argv[1]), 'B': 100})\n"
        "@njit\ndef f(e):\n    return e.value + E.A.value\nprint(f(E.A))\n"
    )
    env = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    for value in (1, 2, 1):
        done = subprocess.run(
            [sys.executable, program, str(value)], capture_output=True, text=True, check=True, env=env
        )
        assert done.stdout == f"{2 * value}\n"


@pytest.mark.parametrize(
    "source, error, message",
    [
        ("Color.BLUE", TypingError, "class 'Color' has no attribute 'BLUE'"),
        ("Color['BLUE']", TypingError, "KeyError: 'BLUE'"),
        ("c + 1", TypingError, "no operator '+' for operands of types Color and int64"),
        ("c < Color.RED", TypingError, "'<' not supported between values of types Color and Color"),
        ("c in (1, 2)", TypingError, "is never equal to one of type int64"),
        ("1 in Color", TypingError, "compare with members"),
        ("c.nothing", TypingError, "'Color' object has no attribute 'nothing'"),
        ("int(c)", TypingError, "has type Color"),
        ("m.value", TypingError, "values of the enum Mixed have several types"),
        ("Shade.DARK", UnsupportedError, "its members are values of type str"),
        ("Level.LOW < Level.HIGH", UnsupportedError, "it has a method __lt__ of its own"),
        ("[c, 1]", TypingError, "a value of type int64 cannot be an item"),
        ("Color", UnsupportedError, "cannot be returned to Python"),
    ],
)
def test_refusals(source, error, message):
    f = define(f"def f(c, m):\n    return {source}\n", Color=Color, Shade=Shade, Level=Level)
    with pytest.raises(error) as raised:
        f(Color.RED, Mixed.ONE)
    assert message in str(raised.value)


def test_arguments_that_are_refused():
    with pytest.raises(TypingError, match="its members are values of type str"):
        pass_on(Shade.DARK)


def test_members_by_values_of_several_types():
    class Mixed(enum.Enum):
        A = 1
        B = "b"

    with pytest.raises(TypingError, match="the values of its members have several types"):
        njit(lambda n: Mixed(n))(1)


def test_the_first_use_of_a_process(run):
    code = (
        "import enum\nfrom pyarray import njit\nclass I(enum.IntEnum):\n    A = 1\n    B = 5\n"
        "@njit(cache=False)\ndef f(n):\n    return I(n)\nprint(f(5) is I.B)\n"
    )
    assert run(code) == "True\n"


def test_hashes():
    def f(c, other):
        same = hash(c) == hash(Color.RED), hash((c, 1)) == hash((other, 1)), hash(c) == hash(Color(c.value))
        return same, hash(Shake.MINT) == hash(9), {(c, 2): 5}[other, 2] if c is other else 0

    agrees(f, Color.RED, Color.RED)
    agrees(f, Color.GREEN, Color.RED)
    agrees(f, Color.GREEN, Color.GREEN)


class Extent(enum.IntEnum):
    ROWS = 2
    COLUMNS = 3


def shapes(a):
    z = np.zeros((Extent.ROWS, Extent.COLUMNS))
    z[Extent.ROWS - 1, Extent.ROWS] = 1
    return (
        z, np.ones((Extent.ROWS, 4), np.int8), np.full((1, Extent.COLUMNS), Extent.COLUMNS), np.eye(Extent.ROWS),
        a.reshape((Extent.COLUMNS, 2)), a.reshape(Extent.COLUMNS, -1), np.tile(a, Extent.ROWS),
        np.broadcast_to(a, (Extent.ROWS, 6)), np.empty((Extent.ROWS, 1)).shape, np.arange(Extent.COLUMNS),
    )  # fmt: skip


def test_shapes():
    for found, wanted in zip(njit(shapes)(np.arange(6)), shapes(np.arange(6)), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_members_in_tuples_stay_members():
    pair = njit(lambda: (Extent.ROWS, Extent.COLUMNS))()
    assert all(type(member) is Extent for member in pair)
    assert type(njit(lambda: [(Extent.ROWS, 1)])()[0][0]) is Extent
