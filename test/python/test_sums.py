"""math.fsum, math.prod and math.sumprod of arrays and tuples, against CPython's of the same Python numbers."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from compare import define, expression, is_same, outcome
from pyarray import TypingError, UnsupportedError

pytestmark = pytest.mark.real

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
REAL = [np.bool_, *INTEGERS, np.float32, np.float64]
NUMBERS = [*REAL, np.complex64, np.complex128]
INF, NAN, LARGEST, LEAST = math.inf, math.nan, 1.7976931348623157e308, 5e-324
LISTS = [
    [], [0.0], [-0.0], [1.5], [1e16, 1.0, -1e16], [0.1] * 10, [1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50],
    [2.0**53, 1.0, 2.0**-100], [2.0**53, 1.0, -(2.0**-100)], [2.0**53 + 2, 1.0, 2.0**-100], [2.0**53 + 2, -1.0, -LEAST],
    [1e308, 1e308, -1e308], [LARGEST, 2.0**969], [LARGEST, 2.0**970], [LARGEST, -LARGEST, LEAST], [LEAST] * 3,
    [INF], [1.0, -INF, 2.0], [INF, -INF], [INF, NAN], [NAN], [INF, 1e308, 1e308], [-INF, -INF], [INF, -INF, NAN],
]  # fmt: skip


def numbers(count, seed):
    """Floats of all sizes, some of which cancel."""
    chance = random.Random(seed)
    values = [chance.uniform(-1, 1) * 2.0 ** chance.randint(-1000, 900) for _ in range(count)]
    return values + [-value * chance.choice([1, 1, 1 + 2**-52]) for value in values[::2]]


def layouts(values, dtype):
    """1-D arrays of the values that differ in their strides."""
    wide = np.zeros((len(values), 3), dtype)
    wide[:, 1] = values
    return [np.array(values, dtype), wide[:, 1], np.array(values[::-1], dtype)[::-1]]


@pytest.mark.parametrize("values", LISTS, ids=repr)
def test_fsum(values):
    f, wanted = expression("math.fsum(a)", "a"), outcome(math.fsum, (values,))
    for argument in [*layouts(values, np.float64), tuple(values)]:
        result = outcome(f, (argument,))
        assert result[0] == wanted[0]
        assert is_same(result[1], wanted[1]) if result[0] == "returned" else result == wanted


@pytest.mark.parametrize("count", [2, 10, 100, 1000])
def test_fsum_is_the_exact_sum_rounded_once(count):
    f = expression("math.fsum(a)", "a")
    for seed in range(20):
        values = numbers(count, seed)
        random.Random(seed).shuffle(values)
        assert is_same(f(np.array(values)), float(sum(map(Fraction, values)))), seed


@pytest.mark.parametrize("dtype", REAL)
def test_fsum_of_every_dtype(dtype):
    f = expression("math.fsum(a)", "a")
    values = [0, 1, np.iinfo(dtype).max, 3, np.iinfo(dtype).min] if np.dtype(dtype).kind in "iu" else [0, 1, 1, 1, 0]
    for a in layouts(values, dtype):
        assert is_same(f(a), math.fsum(a.tolist()))
    assert f((True, np.int8(-3), 2.5)) == 0.5


def test_fsum_in_a_loop_keeps_its_stack():
    f = define(
        "def f(n):\n    s = 0.0\n    for i in range(n):\n        s += math.fsum((1e16, i, -1e16))\n    return s\n"
    )
    assert f(10**6) == sum(range(10**6))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_prod_of_every_dtype(dtype):
    f, started = expression("math.prod(a)", "a"), expression("math.prod(a, start=s)", "a, s")
    for a in layouts([1, 3, 5, 7, 2, 1, 9], dtype):
        wanted = math.prod(a.tolist())
        assert type(f(a)) is type(wanted) and f(a) == wanted
        for start in (2, -3, 0.5, 2j):
            assert started(a, start) == math.prod(a.tolist(), start=start)


def test_prod_of_tuples():
    f = expression("math.prod(a)", "a")
    for values in [(), (3,), (2, 3, 7), (2, 2.5), (True, True), (1.5, 2j), (-0.0, 2), (INF, 0.0), (2**62, 3, 0.5)]:
        assert is_same(f(values), math.prod(values))
    assert expression("math.prod((x, y), start=0.5)", "x, y")(2, 3) == 3.0


def test_prod_wraps_as_ints_do():
    f = expression("math.prod(a)", "a")
    assert f(np.array([2**62, 2])) == -(2**63) and f((2**62, 4)) == 0
    assert f(np.array([2**62, 2], np.uint64)) == 2**63
    assert expression("math.prod(a, start=2)", "a")(np.array([2**62], np.uint64)) == 2**63
    assert f(np.array([], np.int64)) == 1 and f(np.array([], np.float32)) == 1.0
    assert expression("math.prod(a, start=s)", "a, s")(np.array([3], np.uint64), -2) == -6


def test_prod_of_floats_is_taken_from_left_to_right():
    f = expression("math.prod(a)", "a")
    for seed in range(50):
        chance = random.Random(seed)
        values = [chance.uniform(-2, 2) for _ in range(40)]
        assert is_same(f(np.array(values)), math.prod(values)) and is_same(f(tuple(values)), math.prod(values))


def test_start_is_given_by_its_name():
    with pytest.raises(TypingError, match=r"math.prod\(\) takes 1 argument but 2 were given"):
        expression("math.prod(a, 2)", "a")(np.ones(3))
    with pytest.raises(TypingError, match=r"math.isclose\(\) takes 2 arguments but 3 were given"):
        expression("math.isclose(x, x, 0.5)")(1.0)


@pytest.mark.parametrize("text", ["math.fsum(a)", "math.prod(a)"])
def test_what_cannot_be_added_up(text):
    f = expression(text, "a")
    with pytest.raises(UnsupportedError, match="expected a 1-D array or tuple of"):
        f(np.zeros((2, 2)))
    with pytest.raises(TypingError, match="expected a 1-D array or tuple of"):
        f(1.5)
    if "fsum" in text:
        with pytest.raises(TypingError, match="expected a 1-D array or tuple of real numbers"):
            f((1.0, 2j))


# sumprod, of Python 3.12 and later; test/capi/test_runtime_sums.c has its sums for the others -------


@pytest.fixture
def sumprod():
    if not hasattr(math, "sumprod"):
        pytest.skip("no math.sumprod in this Python")
    return expression("math.sumprod(p, q)", "p, q")


# Reference: the exact sum of products as fractions, rounded once; for those that are not finite, plain arithmetic.
SUMS = [
    ([10.0, 20.0, 30.0], [1.0, 2.0, 3.0], 140.0),
    ([0.1] * 10, [1.0] * 10, 1.0),
    ([1e100, 1.0, -1e100], [1.0, 1.0, 1.0], 1.0),
    ([2.0**53, 1.5, 2.0**-60], [1.0, 1.0, 1.0], 2.0**53 + 2),
    ([1.1, 2.2, -3.3, 1e17], [3.3, 4.4, 1e17, 3.3], 13.310000000000002),
    ([INF, 1.0], [1.0, NAN], NAN),
    ([1e308, 1.0], [10.0, 1.0], INF),
    ([1e308, -1e308], [10.0, 10.0], NAN),
]


@pytest.mark.parametrize("p, q, wanted", SUMS)
def test_sumprod(sumprod, p, q, wanted):
    assert is_same(math.sumprod(p, q), wanted)
    for x, y in zip(layouts(p, np.float64), layouts(q, np.float64)):
        assert is_same(sumprod(x, y), wanted)
    assert is_same(sumprod(tuple(p), tuple(q)), wanted)


def test_sumprod_is_that_of_python_floats(sumprod):
    for seed in range(200):
        chance = random.Random(seed)
        p, q = ([chance.uniform(-1, 1) * 10.0 ** chance.randint(-30, 30) for _ in range(20)] for _ in range(2))
        p, q = p + [-p[0], p[1]], q + [q[0], -q[1]]
        assert is_same(sumprod(np.array(p), np.array(q)), math.sumprod(p, q)), seed


@pytest.mark.parametrize("dtype", NUMBERS)
def test_sumprod_of_every_dtype(sumprod, dtype):
    for a in layouts([1, 0, 3, 5], dtype):
        for other in (np.arange(4), np.arange(4.0), np.arange(4) * 1j, np.ones(4, np.uint8)):
            result, wanted = sumprod(a, other), math.sumprod(a.tolist(), other.tolist())
            assert type(result) is type(wanted) and result == wanted


def test_sumprod_of_lists_that_differ_in_length(sumprod):
    error = ("raised", ValueError, ("Inputs are not the same length",))
    for p, q in [(np.ones(3), np.ones(2)), (np.ones(0), np.ones(1)), ((1, 2), (3,)), ((), (1.0,)), ((1.0,), ())]:
        assert outcome(sumprod, (p, q)) == error
    assert sumprod((), ()) == 0 and sumprod(np.ones(0), np.ones(0)) == 0.0
    assert sumprod((2**62, 1), (2, 3)) == -(2**63) + 3
