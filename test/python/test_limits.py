"""The ends of what can be: recursion, ranges over all of int64, raises behind raises, altered defaults."""

import threading

import numpy as np
import pytest
from compare import assert_same, define, expression, outcome

pytestmark = pytest.mark.real


def endless():
    return define("def f(x):\n    if x < 0:\n        return 0\n    return f(x + 1) + 1\n")


def test_recursion_without_end():
    f = endless()
    for _ in range(2):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            f(1)
    assert f(-1) == 0


def test_recursion_without_end_in_a_thread():
    f, caught = endless(), []

    def work():
        try:
            f(1)
        except RecursionError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(caught) == 1


def test_deep_recursion_that_ends():
    assert define("def f(n):\n    if n == 0:\n        return 0\n    return f(n - 1) + 1\n")(10_000) == 10_000


LEAST, MOST = -(2**63), 2**63 - 1
COUNT = (
    "def f(x, y, z):\n    n = 0\n    for i in range(x, y, z):\n        n += 1\n"
    "        if n > 10:\n            break\n    return n\n"
)
RANGES = [(1, LEAST, 1), (0, LEAST, -7), (LEAST, MOST, 1), (LEAST, MOST, 2**62), (MOST, LEAST, -5)]


@pytest.mark.parametrize("arguments", [*RANGES, (0, 10, 3), (10, 0, -3), (0, 0, 1), (5, 5, -1)])
def test_ranges_over_all_of_int64(arguments):
    assert_same(define(COUNT), *arguments)


@pytest.mark.parametrize("bounds", [(0, 5, 1), (5, 0, 1), (2**63 - 3, 2**63 - 1, 1), (0, 2**63 - 1, 2**62), (7, 1, -2)])
def test_ranges_of_unsigned_numbers(bounds):
    f, wanted = define(COUNT), len(range(*bounds))
    for kinds in [(np.uint64, np.uint64, int), (int, np.uint64, int), (np.uint64, int, int)]:
        assert f(*(kind(value) for kind, value in zip(kinds, bounds))) == min(wanted, 11)
    if bounds[2] > 0:
        assert f(bounds[0], bounds[1], np.uint64(bounds[2])) == min(wanted, 11)


@pytest.mark.parametrize("value", [2**63, 2**63 + 5, 2**64 - 1])
def test_ranges_that_int64_cannot_count(value):
    large, error = np.uint64(value), ("raised", OverflowError, (f"range() argument {value} does not fit in int64",))
    for arguments in [(large, 3, 1), (0, large, 1), (0, 3, large)]:
        assert outcome(define(COUNT), arguments) == error
    assert outcome(expression("len(range(x))"), (large,)) == error


@pytest.mark.parametrize("index", [3, 10, 2**32, 2**63 - 1, 2**63, 2**63 + 5, 2**64 - 1])
def test_unsigned_indices_out_of_bounds_are_shown_as_they_are(index):
    error = ("raised", IndexError, (f"index {index} is out of bounds for axis 1 with size 3",))
    a = np.zeros((4, 3))
    assert outcome(expression("a[0, i]", "a, i"), (a, np.uint64(index))) == error
    assert outcome(define("def f(a, i):\n    a[0, i] = 1.0\n"), (a, np.uint64(index))) == error
    assert outcome(expression("a[i, i]", "a, i"), (np.zeros((2**20, 0)), np.uint8(9)))[2] == (
        "index 9 is out of bounds for axis 1 with size 0",
    )


@pytest.mark.parametrize("text", ["a[True]", "a[x > 0]", "a[0, False]"])
def test_a_bool_is_no_index_but_a_mask(text):
    assert_same(expression(text, "a, x"), np.ones((2, 2)), 1)
    assert expression("(4, 5)[True]", "")() == 5


def test_the_first_of_two_raises():
    f = define("def f(a):\n    if 1:\n        raise ValueError('e')\n    raise KeyError('k')\n")
    assert_same(f, 1)
    bad = define("def bad(a):\n    raise ValueError('e')\n", "bad")
    g = define("def f(a):\n    bad(a)\n    raise KeyError('k')\n", bad=bad)
    with pytest.raises(ValueError):
        g(1)


def test_more_defaults_than_parameters():
    f = define("def f(x, y=1, z=2):\n    return x + y + z\n")
    f.py_func.__defaults__ = tuple(range(1000))
    assert f(1) == 1 + 998 + 999
