"""Comparisons of int64, uint64 and floats: Python compares the numbers, not what they are rounded to."""

import itertools
import math
import operator

import numpy as np
import pytest
from compare import define, expression

pytestmark = pytest.mark.real

OPERATORS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
SMALL = [0, 1, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**62 + 1, 2**63 - 513, 2**63 - 512, 2**63 - 1]
INT64 = [*SMALL, *(-value for value in SMALL), -(2**63)]
UINT64 = [*SMALL, 2**63, 2**63 + 1, 2**63 + 1024, 2**63 + 1025, 2**64 - 1025, 2**64 - 1024, 2**64 - 1]
FLOATS = [float(value) for value in {*INT64, *UINT64}]
FLOATS += [math.nextafter(value, side) for value in (2.0**63, 2.0**64, -(2.0**63)) for side in (math.inf, -math.inf)]
FLOATS += [-0.0, 0.5, -0.5, 5e-324, 2.0**53 - 0.5, 1e300, -1e300, math.inf, -math.inf, math.nan]
KINDS = {"int64": (int, INT64), "uint64": (np.uint64, UINT64), "float64": (float, FLOATS)}
PAIRS = list(itertools.permutations(KINDS, 2))


@pytest.mark.parametrize("sign", OPERATORS)
@pytest.mark.parametrize("kinds", PAIRS, ids=map("-".join, PAIRS))
def test_numbers_of_two_types(kinds, sign):
    f = expression(f"x {sign} y", "x, y")
    (first, xs), (second, ys) = (KINDS[kind] for kind in kinds)
    for x, y in itertools.product(xs, ys):
        assert f(first(x), second(y)) is OPERATORS[sign](x, y), (x, y)


@pytest.mark.parametrize("sign", OPERATORS)
def test_literals(sign):
    """The compiler knows more of these, and may compare in float64."""
    for literal in [
        0,
        7,
        2**53,
        2**53 + 1,
        -(2**53) - 1,
        2**63 - 1,
        2**63 + 5,
        2.5,
        2.0**53,
        2.0**53 - 1,
        2.0**63,
        1e300,
    ]:
        for values, kind in ((INT64, int), (UINT64, np.uint64), (FLOATS, float)):
            left, right = expression(f"x {sign} {literal!r}"), expression(f"{literal!r} {sign} x")
            for x in values:
                assert left(kind(x)) is OPERATORS[sign](x, literal), (x, literal)
                assert right(kind(x)) is OPERATORS[sign](literal, x), (literal, x)


@pytest.mark.parametrize("sign", OPERATORS)
def test_float32_and_small_integers(sign):
    f = expression(f"x {sign} y", "x, y")
    for x, y in itertools.product([2**24, 2**24 + 1, 2**62 + 1, -(2**62)], [2.0**24, 2.0**62, -(2.0**62), 0.5]):
        assert f(x, np.float32(y)) is OPERATORS[sign](x, y), (x, y)
    for x, y in itertools.product([-1, 0, 1, 127], UINT64):
        assert f(np.int8(x), np.uint64(y)) is OPERATORS[sign](x, y), (x, y)
        assert f(np.uint64(y), np.int32(x)) is OPERATORS[sign](y, x), (y, x)


def test_complex_numbers():
    for x, y in itertools.product([2**53, 2**53 + 1, -1], [2.0**53 + 0j, 2.0**53 + 1j, -1 + 0j, complex("nan")]):
        assert expression("x == y, x != y, y == x", "x, y")(x, y) == (x == y, x != y, y == x)


def test_chains_and_tuples():
    chain, member = expression("x < y <= z", "x, y, z"), expression("x in (y, 1), (x, 1) == (y, 1)", "x, y")
    for x, y, z in itertools.product(INT64[::3], UINT64[::3], FLOATS[::5]):
        assert chain(x, np.uint64(y), z) is (x < y <= z), (x, y, z)
        assert member(x, np.uint64(y)) == (x in (y, 1), (x, 1) == (y, 1)), (x, y)


@pytest.mark.parametrize("text", ["min(x, y)", "max(x, y)", "min((y, x))", "max(0, y, x, 1)", "min(y, x, 5)"])
def test_min_and_max_of_int64_and_uint64(text):
    f = expression(text, "x, y")
    for x, y in itertools.product(INT64, UINT64):
        assert f(x, np.uint64(y)) == eval(text, {"x": x, "y": y}), (x, y)


def test_loops_that_compare():
    """Vectorised, one hopes, and right nonetheless."""
    f = define("def f(a, b):\n    n = 0\n    for i in range(len(a)):\n        n += a[i] < b[i]\n    return n\n")
    a, b = np.array(INT64 * 5), np.array(FLOATS[: len(INT64)] * 5)
    assert f(a, b) == sum(x < y for x, y in zip(a.tolist(), b.tolist()))
    c = np.array((UINT64 * 2)[: len(INT64)] * 5, np.uint64)
    assert f(a, c) == sum(x < y for x, y in zip(a.tolist(), c.tolist()))
