"""Variables that are None before a loop, and something else at the end of its body."""

import numpy as np
import pytest
from pyarray import TypingError, UnsupportedError, njit


def two_passes(n):
    p = None
    for turn in range(2):
        for i in range(n):
            if turn == 1:
                p[i] = p[i] + i
        if turn == 0:
            p = np.ones(n)
    return p


def methods(n):
    p, s = None, 0.0
    for turn in range(2):
        if turn == 1:
            s += p.sum() + p.size + len(p)
            for x in p:
                s += x
            s += (p * 2).sum()
        else:
            p = np.arange(n) * 0.5
    return s


def counted_first(n):
    """Two passes over a loop of its own; the first counts, and the second puts items where the first made room."""
    p, at = None, n
    for turn in range(2):
        count, i = 0, at
        while i >= 0:
            if i % 3 != 1:
                if turn == 1:
                    p[count] = i
                count += 1
            i -= 1
        if turn == 0:
            p = np.empty(count)
    return p.reshape((-1, 1))


def arithmetic(n):
    last, s = None, 0.0
    for i in range(n):
        if i > 0:
            s += max(last * 2, 1)
        last = i + 0.5
    return s


def in_a_while(n):
    last, s, i = None, 0, 0
    while i < n and (i == 0 or last[0] < 5):
        if i > 0:
            s += last[1]
        last = (i, 2 * i)
        i += 1
    return s


@pytest.mark.parametrize("function", [two_passes, methods, counted_first, arithmetic, in_a_while])
def test_none_before_a_loop(function):
    compiled = njit(function)
    for n in (0, 1, 5, 9):
        if function is methods and n == 0:
            continue  # the array has one type there
        assert np.array_equal(compiled(n), function(n))


def test_none_that_a_loop_finds():
    @njit
    def f(n, start):
        p = None
        for turn in range(start, 2):
            if turn == 1:
                p[0] = 3.0
            p = np.zeros(n)
        return p[0]

    assert f(2, 0) == 0.0
    with pytest.raises(TypeError, match="'NoneType' object does not support item assignment"):
        f(2, 1)


def test_what_never_fits_is_refused_once():
    @njit
    def f(n):
        p = None
        for _ in range(n):
            p.no_such_method()
            p = np.zeros(n)
        return p

    with pytest.raises(UnsupportedError, match="unknown method 'no_such_method'") as caught:
        f(3)
    assert "And:" not in str(caught.value)

    @njit
    def g(n):
        p = None
        for i in range(n):
            p[i] = 1
        return p

    with pytest.raises(TypingError, match="a value of type none does not support item assignment"):
        g(3)
