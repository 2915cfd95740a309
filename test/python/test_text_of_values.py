"""Text of values whose representation does not say all, in every form that makes text, against CPython."""

import collections
import enum
import typing

import pytest
from compare import define, expression


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 10


class Bits(enum.Flag):
    X = 1
    Y = 2


class IntBits(enum.IntFlag):
    X = 1
    Y = 2


Point = collections.namedtuple("Point", "x y")


class Named(typing.NamedTuple):
    color: Color
    n: int = 3


NAMES = {"Color": Color, "Size": Size, "Point": Point, "collections": collections}

VALUES = {
    "named tuple": Point(1, 2.5),
    "named tuple of a member": Named(Color.RED),
    "member": Color.GREEN,
    "int member": Size.LARGE,
    "flag": Bits.X,
    "flags": Bits.X | Bits.Y,
    "int flag": IntBits.Y,
    "range": range(3),
    "range with step": range(1, 9, 2),
    "slice": slice(1, None),
    "list": [Color.RED, Color.GREEN],
    "tuple": (Color.RED, Point(1, 2), 3),
    "dict": {1: Color.RED},
    "dict by members": {Size.SMALL: 2.5},
    "deque": collections.deque([Color.RED], maxlen=3),
    "set": {Size.LARGE},
    "frozenset": frozenset([Color.RED]),
    "None": None,
}

# Of any value; those of the second list raise for some.
FORMS = (
    """
str(a); repr(a); ascii(a); format(a); f'{a}'; f'{a!r}'; f'{a!s:>30}'; f'{a!a:*<30}'; f'{a=}'; '{}'.format(a)
'{0!r} {x} {0}'.format(a, x=a); '{k}|{k!r}'.format_map({'k': a}); '%s' % (a,); '%r|%s|%a' % (a, 1, a)
'%5s|%-40s|%.3s' % (a, a, a); '%(k)s %(k)r' % {'k': a}; b'%a' % (a,); str([a, a]); repr((a, 1))
str({'k': a}); '%s' % ([a],)
""".strip()
    .replace("\n", "; ")
    .split("; ")
)
RAISING_FORMS = ["format(a, '>30')", "f'{a:>30}'", "'%s' % a"]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("name", VALUES)
def test_every_form(name):
    a = VALUES[name]
    forms = [form for form in FORMS if not (name == "deque" and "%" in form)]  # % asks whether a deque has keys
    f = expression(f"({', '.join(forms)})", "a")
    for form, ours, theirs in zip(forms, f(a), f.py_func(a)):
        assert ours == theirs, form
    for form in RAISING_FORMS[: 2 if name == "deque" else 3]:
        f = expression(form, "a")
        assert outcome(f, a) == outcome(f.py_func, a), form


def test_members_that_are_numbers():
    forms = ["'%d %x %5d %c' % (a, a, a, a)", "f'{a:5} {a:x} {a!r:>15} {a!s}'", "'%*d' % (a, 3)", "'%(k)d' % {'k': a}"]
    for form in (*forms, "'abc'.center(a)"):
        f = expression(form, "a")
        assert f(Size.LARGE) == f.py_func(Size.LARGE)


def test_print(capsys):
    f = define("def f(a, b, c):\n    print(a, [b], (c, a), sep='|')\n", **NAMES)
    for run in (f, f.py_func):
        run(Color.RED, Point(1, Size.SMALL), range(3))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == lines[1] == "Color.RED|[Point(x=1, y=<Size.SMALL: 1>)]|(range(0, 3), <Color.RED: 1>)"


@pytest.mark.parametrize("error", ["ValueError('a')", "ValueError('a', 1)", "KeyError('k')", "ValueError()"])
def test_exceptions(error):
    whole = "('%s' % (e,), '%s' % e, '%r' % e, f'{e}', f'{e!r}', '{} {!r}'.format(e, e), format(e), f'{e!s:>9}')"
    for form in (whole, "f'{e:>9}'"):
        f = define(f"def f():\n    try:\n        raise {error}\n    except Exception as e:\n        return {form}\n")
        assert outcome(f) == outcome(f.py_func), form


def test_what_may_be_none():
    f = define(
        "def f(a):\n    x = y = z = w = None\n    if a:\n        x = Color.RED\n        w = Point(1, Color.GREEN)\n"
        "        z = Size.LARGE\n    if a > 1:\n        y = (1, x)\n"
        "    texts = repr(x), str(w), ascii(x), str((x, z)), f'{x!r:>20}', repr(z), str(z)\n"
        "    return texts, f'{x} {z} {w}', '%s %s %r' % (x, w, z), '{!r} {}'.format(x, w), '%s' % x\n",
        **NAMES,
    )
    for a in (0, 1, 2):
        assert f(a) == f.py_func(a)
    g = define(
        "def f(a):\n    x = None\n    if a:\n        x = a\n    return repr(x), ascii(x), str(x), f'{x}', format(x)\n"
    )
    for a in (0, 3):
        assert g(a) == g.py_func(a)


def test_globals():
    names = {**NAMES, "MEMBERS": [Color.RED], "TABLE": {"a": Color.RED}, "PAIR": (Color.RED, 1)}
    forms = ["'%s' % (MEMBERS,)", "f'{MEMBERS} {PAIR}'", "'%(a)s' % TABLE", "'{a}'.format_map(TABLE)", "'%s %s' % PAIR"]
    f = define(f"def f():\n    return {', '.join(forms)}, repr(TABLE)\n", **names)
    assert f() == f.py_func()
