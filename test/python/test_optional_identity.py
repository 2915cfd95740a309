"""`is`, `==` and `in` with values that may be None: lib/passes/infer/classes/infer_optional.c."""

import enum

import pytest
from pyarray import njit


class Event(enum.Enum):
    OPEN = 1
    SHUT = 2


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


def members(n):
    x = None
    for c in Event:
        if c.value < n:
            x = c
    return x is Event.SHUT, x is not Event.SHUT, Event.OPEN is x, x == Event.SHUT, x is None


def numbers(n):
    x = None
    for c in Colour:
        if c < n:
            x = c
    return x is Colour.RED, x is not Colour.RED, x == 1, x != 2


def bools(n):
    x = n > 2 if n else None
    return x is True, x is False, x is not True, x is None, True is x


def two(n):
    x = Event.OPEN if n else None
    y = Event.OPEN if n > 1 else None
    z = n if n < 2 else None
    return x is y, x == y, x is not y, x != y, z == (n or None), z is z


def in_tuples(n):
    x = n if n > 1 else None
    c = Event.OPEN if n > 1 else None
    found = c in (Event.OPEN, None), c in (Event.SHUT,)
    return x in (2, None), x in (2, 3), x not in (5, 7), 2 in (x, 1), None in (x, 1), found


def text(n):
    s = "ab"[:n] if n else None
    t = "ab" if n > 1 else None
    return s == t, s != t, s in ("a", None), t is None


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("program", [members, numbers, bools, two, in_tuples, text], ids=lambda f: f.__name__)
def test_as_in_python(program, n):
    assert njit(program)(n) == program(n)
