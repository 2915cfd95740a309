"""Hashes and random numbers with masks of 64 bits: int64 and uint64 in one variable, against Python's ints."""

import numpy as np
import pytest
from compare import define
from pyarray import njit, types

MASK = 0xFFFFFFFFFFFFFFFF


def lcg(s, n):
    for _ in range(n):
        s = (s * 3 + 1) & MASK
    return s


def lcg_literal(s, n):
    for _ in range(n):
        s = (s * 3 + 1) & 0xFFFFFFFFFFFFFFFF
    return s


def pcg(s, a, c, n):
    while n > 0:
        s = (s * a + c) & MASK
        n -= 1
    return s >> 33


def fnv(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = ((h ^ b) * 0x100000001B3) & MASK
    return h


def djb(text):
    h = 5381
    for c in text:
        h = ((h << 5) + h + ord(c)) & MASK
    return h


def xorshift(s, n):
    out = []
    for _ in range(n):
        s ^= (s << 13) & MASK
        s ^= s >> 7
        s ^= (s << 17) & MASK
        out.append(s >> 11)
    return out


def steps(s, n):
    for _ in range(n):
        s = step(s)
    return s


def indexed(s, n):
    counts = [0] * 8
    for _ in range(n):
        counts[s % 8] += 1
        s = (s * 6364136223846793005 + 1442695040888963407) & MASK
    return counts


def branches(s, n):
    if n > 3:
        s = s & MASK
    return (s * 5) & MASK, ~s & 0xFF, s << 1 & MASK


def masked_on_one_path(s, n):
    if n > 3:
        s = s & MASK
    return s


def in_a_closure(s, n):
    state = s

    def draw():
        nonlocal state
        state = (state * 3 + 1) & MASK
        return state >> 2

    return [draw() for _ in range(n)]


def in_a_list(s, n):
    state = [s]
    for _ in range(n):
        state[0] = (state[0] * 3 + 1) & MASK
    return state


@njit
def by_itself(s, n):
    return s if n == 0 else by_itself((s * 3 + 1) & MASK, n - 1)


def recursive(s, n):
    return by_itself(s, n), by_itself(s, n) >> 3


@njit
def step(s):
    return (s * 6364136223846793005 + 1442695040888963407) & MASK


PROGRAMS = [
    (lcg, 1, 5), (lcg, 12345, 100), (lcg, -7, 100), (lcg, 3, 0), (lcg_literal, 1, 50), (fnv, b"hello world"),
    (pcg, 42, 6364136223846793005, 1442695040888963407, 20), (djb, "a text of some length, so that it wraps"),
    (xorshift, 88172645463325252, 20), (steps, 1, 20), (indexed, 9, 50),
    (masked_on_one_path, 2**62 + 1, 5), (in_a_closure, 1, 50), (in_a_list, 1, 50), (recursive, 1, 50),
    (branches, 2**62, 5), (branches, 2**62, 1), (branches, -5, 4),
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_programs(program):
    function, *arguments = program
    names = dict(globals(), step=step.py_func)
    names["by_itself"] = type(function)(by_itself.py_func.__code__, names)
    expected = type(function)(function.__code__, names)(*arguments)
    assert njit(function)(*arguments) == expected


def result_type(source, *arguments):
    f = define(source)
    f(*arguments)
    return f.nopython_signatures[0].return_type


def test_types():
    loop = "def f(s):\n    for _ in range(3):\n        s = {}\n    return s\n"
    assert result_type(loop.format("(s + 1) & 0xffffffffffffffff"), 1) == types.uint64
    assert result_type(loop.format("(s + 1) & 0x7fffffffffffffff"), 1) == types.int64
    assert result_type("def f(x, y):\n    return ((x & y) + 1) * x - y\n", 1, np.uint64(2)) == types.uint64
    assert result_type("def f(x, y):\n    return x if x > 3 else x & y\n", 1, np.uint64(2)) == types.uint64
    assert result_type("def f(x, y):\n    return -1 if x > 3 else y ^ y\n", 1, np.uint64(2)) == types.float64
    assert result_type("def f(x, y):\n    return ((x & y) + 1) * 0.5\n", 1, np.uint64(2)) == types.float64
    assert result_type(loop.format("s + np.uint64(1)"), 1) == types.float64  # nothing asks for bits
    assert result_type("def f(x, y):\n    return x * y\n", 1, np.uint64(2)) == types.float64
    assert result_type("def f(x, y):\n    return (x * y) ^ 1\n", 1, np.uint64(2)) == types.uint64
    assert result_type("def f(c):\n    return np.uint64(3) if c else -1\n", False) == types.float64


def divisions(s, n):
    u = (s * 3 + 1) & MASK
    large = n % 0xFFFFFFFFFFFFFFC5, n // 0xFFFFFFFFFFFFFFC5
    return u % n, n % u, n // u, divmod(n, u), large, (u // n) & MASK, divmod(u, n)[1]


EDGES = [1, -1, 2, -7, 10**18, 2**62, -(2**62), 2**63 - 1, 1 - 2**63, -(2**63)]


@pytest.mark.parametrize("n", EDGES)
def test_division_of_both_is_exact(n):
    compiled = njit(divisions)
    for s in EDGES:
        assert compiled(s, n) == divisions(s, n)


def test_division_by_zero():
    def divided(s, n):
        u = (s * 3 + 1) & MASK
        return u % n, u // n, divmod(u, n), n % (u - u)

    with pytest.raises(ZeroDivisionError):
        njit(divided)(1, 0)
    assert njit(error_model="numpy")(divided)(1, 0) == (0, 0, (0, 0), 0)


def test_types_of_division():
    def kind(expression):
        return result_type(f"def f(s, n):\n    u = s & {MASK}\n    return {expression}\n", 5, 3)

    assert kind("u % n") == kind("n // u") == types.int64
    assert kind("n % u") == kind("u // n") == types.uint64
    assert result_type("def f(x, y):\n    return x % y\n", 5, np.uint64(3)) == types.int64  # as Numba's


def test_a_start_below_zero_wraps_where_the_loop_does_not_run():
    assert njit(lcg)(-1, 0) == 2**64 - 1


def test_floats_have_no_bits():
    from pyarray.errors import TypingError

    for source in ("(x + 0.5 + np.uint64(1)) & 1", "(x / np.uint64(2)) | 1"):
        with pytest.raises(TypingError, match="no operator"):
            define(f"def f(x):\n    return {source}\n")(1)
