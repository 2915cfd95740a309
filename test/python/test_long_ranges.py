"""Ranges and slices whose bounds, steps or lengths are near the ends of int64, against CPython."""

import bisect
import itertools
import random

import numpy as np
import pytest
from pyarray import njit

LEAST, MOST = -(2**63), 2**63 - 1
EDGES = [LEAST, LEAST + 1, LEAST + 7, -(2**62), -7, -1, 0, 1, 2, 5, 2**62, MOST - 7, MOST - 1, MOST]
FAILURES = (IndexError, OverflowError, StopIteration, ValueError)


def length(r):
    return len(r)


def truth(r):
    return bool(r), not r, r == range(0), r != r[:1]


def first(r):
    found = [0]
    for x in r:
        found.append(x)
        if len(found) > 3:
            break
    return found


def last(r):
    found = [0]
    for x in reversed(r):
        found.append(x)
        if len(found) > 3:
            break
    return found


def both(r):
    found = [(0, 0, 0)]
    for i, (x, y) in enumerate(zip(r, reversed(r))):
        found.append((i, x, y))
        if len(found) > 3:
            break
    return found


def by_next(r):
    forwards, backwards = iter(r), iter(reversed(r))
    return next(forwards), next(backwards), next(forwards), next(backwards)


def item(r, i):
    return r[i]


def membership(r, x):
    return x in r, x not in r, r.count(x)


def position(r, x):
    return r.index(x)


def sliced(r, s):
    return r[s]


def items_of_slice(r, s):
    found = [0]
    for x in r[s]:
        found.append(x)
        if len(found) > 3:
            break
    return found


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except FAILURES as error:
        return type(error).__name__


def fits(value):
    if isinstance(value, range):
        return fits((value.start, value.stop, value.step))
    if isinstance(value, tuple):
        return all(fits(x) for x in value)
    return not isinstance(value, int) or LEAST <= value <= MOST


def random_ranges(count):
    numbers = random.Random(5)
    for _ in range(count):
        yield range(*(numbers.choice(EDGES) for _ in range(2)), numbers.choice(EDGES) or 3)


@pytest.mark.parametrize("function", [length, truth, first, last, both, by_next])
def test_ranges(function):
    compiled = njit(function)
    for r in random_ranges(500):
        assert outcome(compiled, r) == outcome(function, r), r


@pytest.mark.parametrize("function", [item, membership, position])
def test_ranges_and_numbers(function):
    compiled = njit(function)
    for r in random_ranges(200):
        for x in EDGES:
            want = outcome(function, r, x)
            assert outcome(compiled, r, x) == (want if fits(want) else "OverflowError"), (r, x)


def random_slices(count):
    numbers = random.Random(6)
    for _ in range(count):
        yield slice(numbers.choice(EDGES), numbers.choice(EDGES), numbers.choice(EDGES) or -3)


def test_slices():
    compiled, compiled_items = njit(sliced), njit(items_of_slice)
    for r in random_ranges(30):
        for s in itertools.chain(random_slices(30), (slice(None, None, k) for k in (1, -1, 2, -2, LEAST, MOST))):
            want = r[s]
            got = outcome(compiled, r, s)
            assert got == want or (got == "OverflowError" and not fits(want)), (r, s, got)
            got = outcome(compiled_items, r, s)
            assert got == items_of_slice(r, s) or (got == "OverflowError" and not fits(want)), (r, s, got)


def test_what_does_not_fit():
    reverse = njit(lambda r: r[::-1])
    with pytest.raises(OverflowError, match="end of the range does not fit in int64"):
        reverse(range(LEAST, 0))
    with pytest.raises(OverflowError, match="step of the range does not fit in int64"):
        njit(lambda r: r[::3])(range(LEAST, MOST, MOST // 2))
    with pytest.raises(OverflowError, match="position in the range does not fit in int64"):
        njit(position)(range(LEAST, MOST), MOST - 1)


@pytest.mark.parametrize(
    "make", [lambda: [1, 2, 3, 4], lambda: "abcd", lambda: b"abcd", lambda: bytearray(b"abcd"), lambda: np.arange(4)]
)
def test_slices_of_sequences(make):
    compiled = njit(sliced)
    for s in random_slices(300):
        assert list(compiled(make(), s)) == list(make()[s]), s


def test_indices_of_slices():
    def indices(s, n):
        return s.indices(n)

    compiled = njit(indices)
    for s in random_slices(300):
        for n in (0, 1, 5, MOST):
            assert compiled(s, n) == indices(s, n)


def test_bounds_of_bisect():
    functions = [
        lambda a, x, lo, hi: bisect.bisect_left(a, x, lo, hi),
        lambda a, x, lo, hi: bisect.bisect_right(a, x, lo, hi),
        lambda a, x, lo, hi: bisect.bisect(a, x, lo, hi=hi),
        lambda a, x, lo, hi: bisect.insort(a, x, lo, hi) or a,
        lambda a, x, lo, hi: bisect.insort_left(a, x, lo=lo, hi=hi) or a,
        lambda a, x, lo, hi: bisect.bisect_left(a, -x, lo, hi, key=lambda y: -y),
    ]
    for function in functions:
        compiled = njit(function)
        for lo, hi in itertools.product((0, 1, 3, 5, MOST, -1, LEAST), (-1, -2, 0, 1, 3, 4, MOST, LEAST)):
            assert outcome(compiled, [1, 3, 5], 4, lo, hi) == outcome(function, [1, 3, 5], 4, lo, hi), (lo, hi)
