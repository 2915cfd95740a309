"""Members of enums and named tuples as keys: the store that decides what keys a dict has keeps their class."""

import collections
import enum
from typing import NamedTuple

import pytest
from pyarray import njit
from pyarray.typed import Dict


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


class Bits(enum.IntFlag):
    LOW = 1
    HIGH = 2


class Point(NamedTuple):
    x: int
    y: int


NUMBERS = {1: 10, 2: 20}
COLOURS = {Colour.RED: 10, Colour.BLUE: 20}


def stores():
    d, e, f, g = {}, {}, {}, {}
    d[Colour.RED] = 1
    d[Colour.BLUE] = 2
    e[Point(1, 2)] = 1
    f[Mode.READ] = 1
    f[Mode.READ | Mode.WRITE] = 2
    g[Bits.LOW] = Colour.RED
    return d, [k.name for k in d], e, [k.y for k in e], list(f), list(g.items()), repr(d)


def of_members_gone_over():
    d = {}
    for k in Colour:
        d[k] = k.value * 2
    for p in [Point(1, 2), Point(3, 4)]:
        if p.x > 1:
            d[Colour(p.x - 1)] = p.y
    return d


def typed():
    d = Dict()
    d[Point(1, 2)] = 1.5
    return [k.x for k in d], d[1, 2], d[Point(1, 2)]


def counters():
    c = collections.Counter([Colour.RED])
    c[Colour.BLUE] += 3
    d = collections.Counter()
    d[Point(1, 2)] += 1
    d.update([Point(3, 4)])
    e = collections.Counter({Colour.RED: 2})
    e.subtract([Colour.RED])
    return list(c), c.most_common(), c[2], d.most_common(), [k.x for k in d], list(e.elements()), list((c + e).items())


def defaultdicts():
    d = collections.defaultdict(list)
    d[Point(1, 2)].append(3)
    e = collections.defaultdict(int)
    for k in [Colour.RED, Colour.BLUE, Colour.RED]:
        e[k] += 1
    f = collections.defaultdict(lambda: 3)
    f[Colour.RED]
    return [k.y for k in d], sorted(e.items()), list(f)


def within_tuples():
    d = {}
    d["a", Colour.RED] = 1
    d["b", Colour.BLUE] = 2
    e = {}
    e[Colour.RED, Point(1, 2)] = 1
    return [(s, k.name) for s, k in d], d["a", 1], ("b", 2) in d, d.get(("b", 1), -1), [p.y for _, p in e], e[1, (1, 2)]


def looked_for_by_what_they_equal():
    d = {}
    d[Colour.RED] = 1
    d[Colour.RED] += 1
    return Colour.RED in d, 1 in d, d[1], d.get(Colour.BLUE), NUMBERS[Colour.RED], COLOURS[2], d.pop(Colour.RED), len(d)


def beside_numbers():
    d = {}
    d[Colour.RED] = 1
    d[7] = 2
    return d == {1: 1, 7: 2}, sum(d)


PROGRAMS = [
    stores,
    of_members_gone_over,
    typed,
    counters,
    defaultdicts,
    within_tuples,
    looked_for_by_what_they_equal,
    beside_numbers,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program):
    expected = program()
    assert repr(njit(program)()) == repr(expected)
