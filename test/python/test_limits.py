"""The ends of what can be: recursion, ranges over all of int64, raises behind raises, altered defaults."""

import threading

import pytest
from compare import assert_same, define

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
RANGES = [(1, LEAST, 1), (0, LEAST, -7), (LEAST, MOST, 1), (LEAST, MOST, 2**62), (MOST, LEAST, -5)]


@pytest.mark.parametrize("arguments", [*RANGES, (0, 10, 3), (10, 0, -3), (0, 0, 1), (5, 5, -1)])
def test_ranges_over_all_of_int64(arguments):
    f = define(
        "def f(x, y, z):\n    n = 0\n    for i in range(x, y, z):\n        n += 1\n"
        "        if n > 10:\n            break\n    return n\n"
    )
    assert_same(f, *arguments)


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
