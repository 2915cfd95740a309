"""Tuples of several types that are searched, sums of lists of two types, slices of lists set to what is no list."""

import collections

import pytest
from compare import check_alike
from pyarray import njit
from pyarray.errors import TypingError

Pair = collections.namedtuple("Pair", "a b")


def searched(t, x):
    return (
        (t.count(None), t.count("x"), t.count(1), t.count(x), t.count(b"x"), t.index((1, 2)), t.index("x"), t.index(x)),
        ((1, "a").index("a"), (b"a", "a").index("a"), (True, "a", 1.0).count(1), (None, 1).count(None)),
        (Pair(x, "a").count("a"), Pair(1, "a").index("a")),
    )


def not_found(t):
    return t.index("y")


def slices(xs, ys):
    xs[1:] = (4, 5)
    xs[:0] = range(2)
    xs[::2] = {7: 1, 8: 1}
    ys[1:1] = xs
    ys[:1] = (y * y for y in range(3))
    made = []
    made[:] = (y for y in ys)
    words = ["a", "b"]
    words[1:] = "cd"
    return xs, ys, made, words


def wrong_length(xs):
    xs[::2] = (1,)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (searched, ((None, (1, 2), "x", 2.5, "x"), 2.5)),
        (not_found, ((1, "x"),)),
        (slices, ([1, 2], [0, 9])),
        (wrong_length, ([1, 2, 3],)),
    ],
)
def test_as_in_python(function, arguments):
    check_alike(njit(function), *arguments)


@njit
def sums(xs):
    before = [1.5] + xs, xs + [2.5], [True] + xs, xs + [1j]
    return *before, xs


def test_sums_have_one_type():
    results = sums([1, 2])
    assert results == ([1.5, 1, 2], [1, 2, 2.5], [1, 1, 2], [1, 2, 1j], [1, 2])
    assert [type(result[1]) for result in results] == [float, float, int, complex, int]


def extend(xs):
    xs += [1.5]


REFUSED = [(lambda xs: xs + ["a"], "cannot be one list"), (extend, "cannot be an item")]


@pytest.mark.parametrize(("function", "message"), REFUSED)
def test_refusals(function, message):
    with pytest.raises(TypingError, match=message):
        njit(function)([1, 2])
