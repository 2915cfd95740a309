"""Loops over reversed() of lists that change meanwhile: items are counted down from the length at the call."""

import collections

import pytest
from compare import agrees

pytestmark = pytest.mark.real


@pytest.mark.parametrize("xs", [[-1, -2, -3], [1, -2, 3, -4], [-5], [5, 6]])
@pytest.mark.parametrize("left_early", [False, True])
def test_removing_items(xs, left_early):
    def f(xs):
        for x in reversed(xs):
            if x < 0:
                xs.remove(x)
        return xs

    def g(xs):
        seen = [0]
        for x in reversed(xs):
            if x == 99:
                break
            seen.append(x)
            if x < 0:
                xs.remove(x)
        return xs, seen

    agrees(g if left_early else f, xs)


def test_a_list_that_is_emptied():
    def f(xs, n):
        out = ["first"]
        for x in reversed(xs):
            out.append(x)
            if len(xs) > n:
                xs.clear()
        return out, xs

    for n in range(4):
        agrees(f, ["a", "\u20acb", "c"], n)


def test_a_list_that_grows():
    def f(xs):
        later = reversed(xs)
        xs.append(10)
        out = [0]
        for x in later:
            out.append(x)
            xs.append(x + 100)
        xs.extend(reversed(xs[:3]))
        xs += reversed(xs)
        return out, xs

    agrees(f, [1, 2, 3])


def test_beside_others():
    def f(xs, words):
        out = [(0, 0, "")]
        for i, (x, word) in enumerate(zip(reversed(xs), reversed(words))):
            out.append((i, x, word))
            if i % 2:
                xs.pop()
                xs.pop(0)
        return (
            out,
            xs,
            sorted(reversed(words)),
            [w + w for w in reversed(words)],
            sum([len(w) for w in reversed(words)]),
        )

    agrees(f, [1, 2, 3, 4, 5, 6, 7], ["a", "bc", "", "\u20ac", "x", "y"])


def test_lists_in_lists_and_bytearrays():
    def f(rows, data):
        out = [0]
        for row in reversed(rows):
            for x in reversed(row):
                out.append(x)
                if len(row) < 3:
                    row.append(x + 10)
                if x > 11:
                    rows.pop()
        for byte in reversed(data):
            out.append(byte)
            del data[0]
        queue = collections.deque(out)
        return out, rows, [x for x in reversed(queue)][:3]

    agrees(f, [[1], [2], [3]], bytearray(b"abcdef"))
