"""`getattr`, `hasattr` and `setattr` with names that are known when the function is compiled."""
# ruff: noqa: B009, B010, B018, E501

import collections
import enum
import math

import numpy as np
import pytest
from compare import agrees, define
from pyarray import errors, jitclass, njit, types
from pyarray.extending import overload_attribute, overload_method

pytestmark = pytest.mark.real


class Colour(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", "x y")
NAME = "x"
RECORDS = np.rec.array([(1, 0.5)], [("n", "i8"), ("v", "f8")])


@jitclass([("a", types.int64)])
class Counter:
    LIMIT = 7

    def __init__(self, a):
        self.a = a

    def added(self, k):
        return self.a + k

    @property
    def twice(self):
        return 2 * self.a


def of_instance(c):
    setattr(c, "a", c.a + 1)
    return (
        getattr(c, "a"),
        getattr(c, "twice"),
        getattr(c, "LIMIT"),
        getattr(c, "added")(3),
        getattr(c, "b", -1),
        getattr(c, "a", -1),
    )


def has_instance(c):
    names = hasattr(c, "a"), hasattr(c, "twice"), hasattr(c, "LIMIT"), hasattr(c, "added"), hasattr(c, "b")
    return names


def of_named_tuple(p):
    has = hasattr(p, "x"), hasattr(p, "z"), hasattr(p, "_replace"), hasattr(p, "count")
    return getattr(p, "y"), getattr(p, NAME), getattr(p, "z", "none"), has


def of_array(a):
    return (
        getattr(a, "ndim"),
        getattr(a, "shape")[0],
        hasattr(a, "size"),
        hasattr(a, "copy"),
        hasattr(a, "sizes"),
        getattr(a, "sizes", 0.5),
    )


def of_record(r):
    return getattr(r, "n"), getattr(r, "v"), getattr(r, "w", 9), hasattr(r, "n"), hasattr(r, "w")


def of_module(x):
    root = getattr(math, "sqrt")(x) if hasattr(math, "sqrt") else 0.0
    other = getattr(np, "nothing_of_that_name", 3)
    return root, other, hasattr(math, "nothing"), getattr(math, "pi"), getattr(math, "pi", 3)


def of_values(x):
    s = "text"
    return (
        hasattr(s, "upper"),
        hasattr(s, "nothing"),
        getattr(s, "upper")(),
        hasattr(x, "real"),
        hasattr([x], "append"),
        hasattr(None, "a"),
    )


def of_enum(x):
    return getattr(Colour.RED, "value") + x, hasattr(Colour, "RED"), hasattr(Colour, "BLUE")


def branches(v):
    """Of two types: each instance has one of the branches."""
    if hasattr(v, "shape"):
        return v.shape[0]
    return len(v)


CASES = [
    (of_named_tuple, Point(1, 2.5)),
    (of_array, np.arange(3.0)),
    (of_module, 2.0),
    (of_values, 1.5),
    (of_enum, 1),
    (branches, np.zeros(3)),
    (branches, (1, 2)),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_values(number):
    agrees(*CASES[number])


def test_instances():
    counter = Counter(5)
    assert njit(of_instance)(counter) == (6, 12, 7, 9, -1, 6) and counter.a == 6
    assert njit(has_instance)(counter) == (True, True, True, True, False)


def test_records():
    assert njit(of_record)(RECORDS[0]) == of_record(RECORDS[0]) == (1, 0.5, 9, True, False)


def test_overloads():
    @overload_attribute(types.Array, "first_of_all")
    def first(a):
        return lambda a: a[0]

    @overload_method(types.Array, "spread_of_all")
    def spread(a, factor=1):
        return lambda a, factor=1: (max(a) - min(a)) * factor

    @njit
    def f(a):
        return (
            getattr(a, "first_of_all"),
            getattr(a, "spread_of_all")(2),
            hasattr(a, "first_of_all"),
            hasattr(a, "spread_of_all"),
            hasattr(a, "last_of_all"),
        )

    assert f(np.array([1.0, 4.0])) == (1.0, 6.0, True, True, False)


def test_refused():
    @njit
    def computed(a, name):
        return getattr(a, name)

    with pytest.raises(
        errors.TypingError, match="the name of an attribute must be known when the function is compiled"
    ):
        computed(np.zeros(3), "size")

    @njit
    def missing(a):
        return getattr(a, "sizes")

    with pytest.raises(errors.TypingError, match="unknown attribute 'sizes'"):
        missing(np.zeros(3))

    @njit
    def perhaps(x):
        c = None if x else Counter(1)
        return hasattr(c, "a")

    with pytest.raises(errors.UnsupportedError, match="a value that may be None has an attribute is not known"):
        perhaps(1)


NAMES = (
    "__len__ __hash__ __iter__ __getitem__ __setitem__ __contains__ __add__ __sub__ __mod__ __neg__ __abs__ __int__ __float__ __index__ "
    "__bool__ __eq__ __str__ __call__ __next__ __class__ __doc__ __name__ __dict__ __or__ __reversed__ __format__ __round__ __array__"
).split()


@pytest.mark.parametrize(
    "value",
    [
        1,
        1.5,
        1j,
        True,
        "a",
        b"a",
        (1, 2),
        [1],
        {1: 2},
        {1},
        frozenset([1]),
        range(3),
        slice(1),
        None,
        bytearray(b"a"),
        np.zeros(2),
    ],
)
def test_names_with_underscores_are_those_of_the_class(value):
    source = f"def f(x):\n    return ({', '.join(f'hasattr(x, {name!r})' for name in NAMES)})\n"
    agrees(define(source), value)


@pytest.mark.parametrize("value", [1, 1.5, True, 2j])
def test_numbers_have_what_pythons_have(value):
    names = ["real", "imag", "shape", "dtype", "conjugate", "bit_length", "is_integer", "hex", "item", "nothing"]
    agrees(define(f"def f(x):\n    return ({', '.join(f'hasattr(x, {name!r})' for name in names)})\n"), value)
