"""Ranges and slices as values in compiled code against CPython."""

import itertools

import numpy as np
import pytest
from compare import agrees, define
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit, prange, typeof
from pyarray.errors import TypingError

DIGITS = range(1, 10, 3)
MIDDLE = slice(1, -1)
BACKWARDS = slice(None, None, -1)


def attributes(r):
    return r.start, r.stop, r.step, len(r), bool(r), not r, list(r), r


def searches(r, x):
    return x in r, x not in r, r.count(x), r[-1]


def finds(r, x):
    return r.index(x)


def items(r, i):
    return r[i]


def slices(r, s):
    return r[s], r[1:], r[::-1], len(r[s])


def equal(a, b):
    return a == b, a != b, a == 1, b != None  # noqa: E711


def texts(r, s):
    return repr(r), str(s), f"{r} {s!r}", str([r]), str((s, 1))


def prints(r, s):
    print(r, s, [r, r], (s,))


def made(a, b, c):
    return range(a), range(a, b), range(a, b, c), slice(a), slice(a, b), slice(a, b, c), slice(None, b), slice(None)


def held(r, s):
    ranges = [r, range(3)]
    ranges.append(r[::2])
    return ranges, ranges[1], len(ranges[0]), {1: r}, (s, [s])


def kinds(r, s):
    return isinstance(r, range), isinstance(s, slice), isinstance(r, slice), type(r) is range, type(s) is slice


def chosen(c):
    r = range(3) if c else range(10, 20, 2)
    total = 0
    for i in r:
        total += i
    return total, r


def globals_too(xs):
    return DIGITS, list(DIGITS), MIDDLE, xs[MIDDLE], xs[BACKWARDS], 4 in DIGITS


def parts(s, n):
    return s.start, s.stop, s.step, s.indices(n), s == slice(1, None), s != s, bool(s)


def takes(xs, s):
    return xs[s]


CASES = [
    (attributes, (range(3),)),
    (attributes, (range(10, 0, -3),)),
    (attributes, (range(0),)),
    (searches, (range(0, 10, 3), 6)),
    (searches, (range(10, 0, -3), 6)),
    (searches, (range(-(2**63), 2**63 - 1, 3), 5)),
    (finds, (range(1, 20, 3), 7)),
    (finds, (range(1, 20, 3), 8)),
    (items, (range(1, 20, 3), -2)),
    (items, (range(1, 20, 3), 7)),
    (slices, (range(1, 20, 3), slice(1, -1))),
    (slices, (range(20, 1, -3), slice(None, None, -2))),
    (equal, (range(0, 3, 2), range(0, 4, 2))),
    (equal, (range(0), range(2, 2))),
    (texts, (range(2), slice(1, None, 2))),
    (texts, (range(2, 5, 7), slice(None))),
    (made, (1, 5, 2)),
    (held, (range(1, 9), slice(1, None))),
    (kinds, (range(1, 9), slice(1, None))),
    (chosen, (True,)),
    (chosen, (False,)),
    (globals_too, ([1, 2, 3, 4],)),
    (parts, (slice(1, None), 10)),
    (parts, (slice(None, -3, 2), 10)),
    (parts, (slice(5, 1, -1), 3)),
    (parts, (slice(1, 2, 0), 3)),
    (parts, (slice(1, 2), -1)),
    (takes, ([1, 2, 3, 4], slice(None, None, 2))),
    (takes, ("abcdef", slice(4, 1, -1))),
    (takes, (b"abcdef", slice(-3, None))),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)


def test_prints(capsys):
    agrees(prints, range(4), slice(1, None, 2), output=capsys)


@njit
def pass_on(value):
    return value


def test_arguments_and_results():
    values = [
        range(3),
        range(5, -5, -2),
        slice(None),
        slice(1),
        slice(1, 2),
        slice(None, None, -1),
        (range(2), [slice(3)]),
    ]
    for value in (*values, [range(2), range(3)], {1: range(4)}):
        assert pass_on(value) == value and type(pass_on(value)) is type(value)
    assert pass_on(slice(np.int64(2), np.uint8(3))) == slice(2, 3)
    assert str(typeof(range(3))) == "range(int64)" and str(typeof(slice(1))) == "slice"
    with pytest.raises(OverflowError):
        pass_on(range(2**70))
    with pytest.raises(TypeError):
        pass_on(slice(1.5))


def test_views_of_arrays():
    f = njit(takes)
    a = np.arange(24).reshape(4, 6)
    for parts in itertools.product((None, 0, 1, -2, 9), (None, 2, -1), (None, 1, 2, -1)):
        s = slice(*parts)
        assert np.array_equal(f(a, s), a[s]) and np.shares_memory(f(a, slice(1, 3)), a)

    @njit
    def fill(a, rows, columns):
        a[rows, columns] = 7

    fill(a, slice(1, None, 2), slice(None, 2))
    assert (a[1::2, :2] == 7).all() and a.sum() == np.arange(24).sum() - (6 + 7 + 18 + 19) + 4 * 7


@settings(max_examples=200, deadline=None)
@given(*(st.one_of(st.none(), st.integers(-12, 12)) for _ in range(3)), st.integers(0, 9))
def test_indices(start, stop, step, length):
    s = slice(start, stop, step)
    agrees(parts, s, length)
    if step != 0:
        agrees(takes, list(range(length + 1)), s)


@settings(max_examples=200, deadline=None)
@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-4, 4).filter(bool), st.integers(-12, 12))
def test_random_ranges(start, stop, step, x):
    r = range(start, stop, step)
    agrees(attributes, r)
    agrees(finds, r, x)
    agrees(items, r, x)
    agrees(equal, r, range(stop, start, -step))


@pytest.mark.parametrize(
    "source, message",
    [
        ("r['a']", "range indices must be integers or slices"),
        ("(1, 2, 3)[s]", "bounds that are known at compile time"),
        ("r.nothing", "unknown attribute 'nothing'"),
        ("{r: 1}", "unhashable type"),
        ("slice(1.5)", "expected an integer"),
        ("s if r else slice(1, 2, 3)", "cannot unify"),
    ],
)
def test_refusals(source, message):
    f = define(f"def f(r, s):\n    return {source}\n")
    with pytest.raises(TypingError) as raised:
        f(range(3), slice(2))
    assert message in str(raised.value)


def test_floats_are_truncated_as_numba_does():
    @njit
    def listed(start, stop, step):
        return [i for i in range(start, stop, step)], len(range(stop)), [i for i in prange(stop)]

    assert listed(5.7, np.float32(1.2), -1.9) == ([5, 4, 3, 2], 1, [0])
    assert listed(-2.5, 2.9, 3) == ([-2, 1], 2, [0, 1])
    with pytest.raises(ValueError, match="zero"):
        listed(1.0, 2.0, 0.5)
