"""Constant expressions that int64 would wrap in have the value of Python's ints: `exact_constants.c`."""

import warnings

import pytest
from pyarray import errors, njit, types

M = 2**64 - 1
BITS = 64


def in_place(x):
    return (x * x) & (2**64 - 1)


def negative(x):
    return -x & (2**64 - 1), -x & M


def variable(x):
    m = 2**64 - 1
    return (x * 6364136223846793005 + 1442695040888963407) & m, m >> 1, m, m // 3


def of_a_variable(x):
    n = 64
    m = (1 << n) - 1
    return x & m, x ^ m, m % 1000


def captured(x):
    m = 2**64 - 1

    def f(y):
        return y & m

    return f(x), f(-x), sum(y & (m >> 1) for y in (x, x))


def hashed(x):
    h, mask = 14695981039346656037, (1 << 64) - 1
    for i in range(x % 100):
        h = ((h ^ i) * 1099511628211) & mask
    return h


def signs(x):
    return -(2**63), 2**63 - 1, 2**63, ~(2**63 - 1), -1 & (2**64 - 1), (2**64 - 1) - (2**64 - 3) + x


def below_zero(x):
    return (3 - 2**64) + 2**63 + 2**63 - x, (2**100) // 2**90, (7 << 62) % 1000


PROGRAMS = [in_place, negative, variable, of_a_variable, captured, hashed, signs, below_zero]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = njit(program)
        for x in (0, 1, 12345):
            assert compiled(x) == program(x)


def test_globals():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert njit(lambda x: (x & ((1 << BITS) - 1), (1 << (BITS - 1)) | x))(5) == (5, 2**63 + 5)


def test_types():
    def f():
        n = 64
        return 2**64 - 1, 2**63 - 1, (1 << n) - 1

    compiled = njit(f)
    compiled()
    assert compiled.nopython_signatures[0].return_type == types.Tuple((types.uint64, types.int64, types.uint64))


def test_what_neither_holds_wraps_with_a_warning():
    with pytest.warns(errors.OverflowWarning, match="exceeds int64 and wraps"):
        assert njit(lambda: 2**64)() == 0


def test_a_variable_that_may_be_unbound():
    def f(c):
        if c:
            m = 2**64 - 1
        return m >> 1

    compiled = njit(f)
    assert compiled(True) == 2**63 - 1
    with pytest.raises(UnboundLocalError):
        compiled(False)


def test_large_powers_take_no_time():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert njit(lambda: (2**1000000000 - 2**1000000000) * 0)() == 0
