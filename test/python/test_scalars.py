"""Operators on scalars: values as CPython's, types as documented in lib/passes/typing.c."""

import numpy as np
import pytest
from compare import assert_same, define, expression

pytestmark = pytest.mark.real

INTS = [0, 1, -1, 2, -2, 3, 7, -7, 63, 64, 65, 2**31, -(2**31), 2**62, -(2**62)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.7, 1e-300, 1e300, -1e300, float("inf"), float("-inf"), float("nan")]
BOOLS = [True, False]

INT64 = range(-(2**63), 2**63)


def wrap(value):
    """An int as int64 holds it."""
    return (value + 2**63) % 2**64 - 2**63 if type(value) is int else value


def wrapped(operator):
    """CPython's operator on ints, wrapped to 64 bits."""
    return lambda a, b: wrap(eval(f"a {operator} b", {"a": a, "b": b}))


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%", "&", "|", "^"])
def test_int_operators(operator):
    f = expression(f"x {operator} y", "x, y")
    for a in INTS + [2**63 - 1, -(2**63)]:
        for b in INTS + [2**63 - 1, -(2**63)]:
            assert_same(f, a, b, oracle=wrapped(operator))


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%"])
def test_float_operators(operator):
    f = expression(f"x {operator} y", "x, y")
    for a in FLOATS:
        for b in FLOATS:
            assert_same(f, a, b)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">="])
def test_mixed_operators(operator):
    f = expression(f"x {operator} y", "x, y")
    for a in [0, 1, -3, 10]:
        for b in [0.5, -2.0, 3.0, 1.0]:
            if operator == "**" and a < 0 and b != int(b):
                continue  # CPython gives a complex number
            assert_same(f, a, b, ulps=1)
            if operator != "**" or b > 0:
                assert_same(f, b, a, ulps=1)


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%", "/", "&", "|", "^", "<", "==", "<<", ">>"])
def test_bool_operators(operator):
    f = expression(f"x {operator} y", "x, y")
    for a in BOOLS:
        for b in BOOLS:
            assert_same(f, a, b)


@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_shifts(operator):
    f = expression(f"x {operator} y", "x, y")
    for a in [0, 1, -1, 5, -5, 2**40]:
        for b in [-1, 0, 1, 5, 20]:
            assert_same(f, a, b)
    shift = expression("x << y, x >> y", "x, y")
    assert shift(1, 64) == (0, 0) and shift(-1, 70) == (0, -1) and shift(3, 63) == (-(2**63), 0)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5, 10])
def test_power_with_literal(exponent):
    f = expression(f"x ** {exponent}")
    for a in [0, 1, -1, 2, -3, 9]:
        assert_same(f, a)
    for a in FLOATS:
        assert_same(f, a, ulps=2)


def test_power():
    f = expression("x ** y", "x, y")
    for a in [0, 1, -1, 2, -3, 7]:
        for b in [0, 1, 2, 5, 20]:
            assert_same(f, a, b)
    for a in [0.0, 1.0, 2.5, 1e200, float("inf")]:
        for b in [0.0, -1.0, 2.0, 0.5, -3.5]:
            assert_same(f, a, b, ulps=1)
    with pytest.raises(ValueError, match="negative integer powers"):
        f(2, -1)


def test_unary_operators():
    f = expression("(-x, +x, not x)")
    for a in INTS[:12] + FLOATS + BOOLS:
        assert_same(f, a)
    invert = expression("~x")
    for a in INTS:
        assert_same(invert, a)


def test_chained_comparison_evaluates_once():
    f = define("def f(x, y, z):\n    return x < y < z, x == y == z, x < y > z, not x <= y < z\n")
    for a in (1, 2, 3):
        for b in (1, 2.0, 3):
            for c in (1, 2, 3.0):
                assert_same(f, a, b, c)


def test_and_or_give_operands():
    f = expression("(x and y, x or y, x and y or z, bool(x and not y))", "x, y, z")
    for a in (0, 2):
        for b in (0, 3):
            assert_same(f, a, b, 7)


CONVERSIONS = {"int": FLOATS[:8] + INTS[:9] + BOOLS, "float": INTS + FLOATS + BOOLS, "bool": INTS + FLOATS, "abs": INTS[:14] + FLOATS}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions(name):
    f = expression(f"{name}(x)")
    for a in CONVERSIONS[name]:
        if abs(a) < 2**62:
            assert_same(f, a)


def test_int_of_what_is_no_number():
    f = expression("int(x)")
    for a in (float("nan"), float("inf"), float("-inf")):
        assert_same(f, a)


def test_round():
    f = expression("round(x)")
    for a in [0.5, 1.5, 2.5, -0.5, -1.5, 2.4999999, 1e15 + 0.5, float("nan"), float("inf")]:
        assert_same(f, a)
    digits = expression("round(x, y)", "x, y")
    for a in [2.675, 1.005, -1234.5678, 0.5, 1e22, 5e-324]:
        for b in [-3, -1, 0, 1, 2, 5, 20]:
            assert_same(digits, a, b)


def test_min_max_divmod():
    f = define("def f(x, y, z):\n    return min(x, y, z), max(x, y, z), min((x, y)), divmod(x, y)\n")
    for a in (3.0, -2.0, 0.0):
        for b in (1.0, 2.5):
            assert_same(f, a, b, -1.0)
    nan = float("nan")
    g = expression("(min(x, y), max(x, y))", "x, y")
    assert_same(g, nan, 1.0)
    assert_same(g, 1.0, nan)


def test_complex():
    f = expression("(x + y, x - y, x * y, x == y, x != y, -x, abs(x), x.real, x.imag, complex(1, 2), complex(y))", "x, y")
    for a in (1 + 2j, 0j, -1.5 + 0.5j):
        for b in (2 - 1j, 1j):
            assert_same(f, a, b, ulps=1)
    assert_same(expression("x / y", "x, y"), 1 + 2j, 3 - 4j, ulps=1)
    assert_same(expression("x / y", "x, y"), 1 + 2j, 0j)


SCALARS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float32, np.float64, np.bool_]


def expected_sum(a, b):
    """Type of a sum as Numba's users expect it: integers widen to 64 bits, floats promote as NumPy's dtypes."""
    a, b = np.dtype(a), np.dtype(b)
    if a.kind in "iub" and b.kind in "iub":
        if a.kind == b.kind == "u" or {a.kind, b.kind} == {"u", "b"}:
            return "uint64"
        if {a.kind, b.kind} == {"u", "i"} and np.uint64 in (a, b):
            return "float64"
        return "int64"
    return np.promote_types(a, b).name


@pytest.mark.parametrize("b", SCALARS, ids=lambda t: t.__name__)
@pytest.mark.parametrize("a", SCALARS, ids=lambda t: t.__name__)
def test_types_of_sums(a, b):
    f = define("def f(x, y):\n    return x + y\n")
    assert f(a(1), b(1)) == 2
    assert str(f.nopython_signatures[0].return_type) == expected_sum(a, b)


def test_unsigned_with_literal_stays_unsigned():
    f = define("def f(x):\n    return x + 1\n")
    assert f(np.uint64(2**63)) == 2**63 + 1


def test_wraparound_of_small_integers_in_arrays():
    f = define("def f(a):\n    a[0] += 1\n    a[1] -= 1\n    return a[0]\n")
    a = np.array([127, -128], np.int8)
    assert f(a) == -128 and a.tolist() == [-128, 127]


def test_error_model_numpy_divides_without_errors():
    from pyarray import njit

    f = define("def f(x, y):\n    return x / y, x // y, x % y\n", decorator=njit(error_model="numpy"))
    assert f(1.0, 0.0)[0] == float("inf")
    assert f(1, 0)[1:] == (0, 0)
