"""Targets that take the items of ranges, dicts, sets and iterators, which have as many as they have."""

import pytest
from compare import agrees, define

VALUES = [
    "range(n)",
    "range(10, 10 - 3 * n, -3)",
    "reversed(range(n))",
    "reversed([4, 5, 6][:n])",
    "enumerate([4, 5, 6][:n])",
    "zip([4, 5, 6][:n], (7, 8, 9))",
    "{k: -k for k in range(n)}",
    "{k: -k for k in range(n)}.keys()",
    "{k: -k for k in range(n)}.values()",
    "{k: -k for k in range(n)}.items()",
    "{k for k in range(n)}",
    "bytearray(b'abcd')[:n]",
    "map(lambda k: k + 1, range(n))",
    "iter([4, 5, 6][:n])",
    "'abcd'[:n]",
    "[4, 5, 6, 7][:n]",
]


@pytest.mark.parametrize("value", VALUES)
def test_as_many_as_targets(value):
    pair = define(f"def f(n):\n    a, b = {value}\n    return a, b\n")
    three = define(f"def f(n):\n    [a, b, a] = {value}\n    return a, b\n")
    starred = define(f"def f(n):\n    a, *b = {value}\n    return a, b\n")
    for n in range(4):
        agrees(pair, n)
        agrees(three, n)
        if n > 0:
            agrees(starred, n)


def test_nested_and_in_loops():
    def nested(n):
        total = 0
        for a, (b, c) in enumerate([range(2), range(5, 7)]):
            total += a + 10 * b + 100 * c
        (x, y), z = {1: 2, 3: 4}, n
        return total, x, y, z

    agrees(nested, 3)


def test_of_arguments():
    def pair(values):
        a, b = values
        return b, a

    for values in (range(2), {1: 2.5, 3: 4.5}, {"a": 1, "b": 2}, {7}, range(3), bytearray(b"xy")):
        agrees(pair, values)
