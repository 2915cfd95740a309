"""Operators and Python's number functions on scalars: types of results, and values at the corners.

Types follow Numba: ints have 64 bits and wrap around; float32 stays float32. Values follow CPython.
"""

import functools
import itertools
import math

import compare
import numpy as np
import pytest
from compare import assert_same, is_same, outcome, return_type, strict
from pyarray import njit, types

pytestmark = pytest.mark.real

# As in CPython, errors too; without them see test_ieee.py.
define = functools.partial(compare.define, decorator=strict)
expression = functools.partial(compare.expression, decorator=strict)

SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
INTEGERS, FLOATS, COMPLEX = SIGNED + UNSIGNED, ["float32", "float64"], ["complex64", "complex128"]
NUMBERS = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
NUMPY = {name: getattr(np, "bool_" if name == "bool" else name) for name in NUMBERS}


def result_types(function, *arguments):
    """Names of the types of the tuple that a function returns."""
    function(*arguments)
    return [str(kind) for kind in return_type(function, *arguments)]


# Types of results ---------------------------------------------------------------------------------


def integer_rule(a, b):
    """Type in which two integers or bools are computed."""
    if a in UNSIGNED and b in UNSIGNED or {a, b} & set(UNSIGNED) and "bool" in (a, b):
        return "uint64"
    if "uint64" in (a, b):
        return "float64"  # no integer type holds both
    return "int64"


def promote(a, b):
    """Type that holds both numbers, of which at least one is a float or complex."""
    single = {"bool", "int8", "int16", "uint8", "uint16", "float32", "complex64"}
    is_single = a in single and b in single
    if a in COMPLEX or b in COMPLEX:
        return "complex64" if is_single else "complex128"
    return "float32" if is_single else "float64"


def arithmetic_rule(a, b):
    return integer_rule(a, b) if a not in FLOATS + COMPLEX and b not in FLOATS + COMPLEX else promote(a, b)


def division_rule(a, b):
    kind = arithmetic_rule(a, b)
    return "float64" if kind in ("int64", "uint64") else kind


def bits_rule(a, b):
    if a == b == "bool":
        return "bool"
    kind = integer_rule(a, b)
    return "uint64" if kind == "float64" else kind


def first_rule(a, b):
    """Shifts and powers of integers: the left operand counts."""
    return "uint64" if a in UNSIGNED else "int64"


def power_rule(a, b):
    is_integral = a not in FLOATS + COMPLEX and b not in FLOATS + COMPLEX
    if is_integral and a in UNSIGNED[:-1] and b in SIGNED:
        return "int64"  # holds the values of both
    return first_rule(a, b) if is_integral else arithmetic_rule(a, b)


def whole_rule(a, b):
    """Of // and %: those of a uint64 and an integer of unknown sign are Numba's int64."""
    return "int64" if {a, b} & set(SIGNED) and "uint64" in (a, b) else arithmetic_rule(a, b)


def rules_for(a, b):
    """Operator by text, with its rule, for operands of these types."""
    rules = {sign: arithmetic_rule for sign in ("+", "-", "*")}
    rules.update({"/": division_rule, "**": power_rule, "==": lambda *_: "bool", "!=": lambda *_: "bool"})
    if a not in COMPLEX and b not in COMPLEX:
        rules.update({"//": whole_rule, "%": whole_rule})
        rules.update({sign: lambda *_: "bool" for sign in ("<", "<=", ">", ">=")})
    if a not in FLOATS + COMPLEX and b not in FLOATS + COMPLEX:
        rules.update({"<<": first_rule, ">>": first_rule, "&": bits_rule, "|": bits_rule, "^": bits_rule})
    return rules


@pytest.mark.parametrize("b", NUMBERS)
@pytest.mark.parametrize("a", NUMBERS)
def test_types_and_values_of_binary_operators(a, b):
    rules = rules_for(a, b)
    function = expression(", ".join(f"x {sign} y" for sign in rules), "x, y")
    x, y = NUMPY[a](5), NUMPY[b](3)
    results = function(x, y)
    found = [str(kind) for kind in function.nopython_signatures[-1].return_type]
    assert dict(zip(rules, found)) == {sign: rule(a, b) for sign, rule in rules.items()}
    for sign, result in zip(rules, results):
        wanted = eval(f"x {sign} y", {"x": x.item(), "y": y.item()})
        wanted = wanted % 2**64 if rules[sign](a, b) == "uint64" else wanted  # True - np.uint8(3)
        assert result == pytest.approx(wanted, rel=1e-6), f"{a} {sign} {b}"


@pytest.mark.parametrize("a", NUMBERS)
def test_types_of_unary_operators(a):
    wide = {**{name: "int64" for name in SIGNED + ["bool"]}, **{name: "uint64" for name in UNSIGNED}}
    signs = ["-x", "+x", "not x"] + (["~x"] if a in wide else [])
    wanted = [wide.get(a, a), wide.get(a, a), "bool"] + ([wide[a] if a != "bool" else "bool"] if a in wide else [])
    assert result_types(expression(", ".join(signs) + ",", "x"), NUMPY[a](1)) == wanted


def test_non_negative_literals_beside_uint64_stay_unsigned():
    function = expression("x + 1, 3 * x, x - 1, x // 2, x & 7, x % 10, x**2", "x")
    assert result_types(function, np.uint64(5)) == ["uint64"] * 7


@pytest.mark.parametrize("a", UNSIGNED[:-1])
def test_literals_beside_narrow_unsigned_are_int64(a):
    text = "x + 1, 3 * x, x - 1, 1 - x, x // 2, x & 7, x % 10, x**2, x - 300, -7 // (x + 1), x - ONE"
    function = define(f"ONE = 1\ndef f(x):\n    one = 1\n    return {text}, x - one\n")
    for value in (0, 5, min(np.iinfo(a).max, 2**31)):
        x = NUMPY[a](value)
        assert function(x) == eval(f"({text}, x - 1)", {"x": value, "ONE": 1})
    assert [str(kind) for kind in function.nopython_signatures[-1].return_type] == ["int64"] * 12
    assert expression("abs(x - 5), (x - 5) / 2, x - 1 < 0, min(x - 1, 0)")(NUMPY[a](0)) == (5, -2.5, True, -1)


@pytest.mark.parametrize("a", UNSIGNED)
def test_negation_and_inversion_of_unsigned_keep_the_width(a):
    most = int(np.iinfo(a).max)
    assert expression("~x, -x, +x")(NUMPY[a](1)) == (most - 1, most, 1)


def test_uint64_plus_1_keeps_its_value():
    assert expression("x + 1")(np.uint64(2**64 - 2)) == 2**64 - 1
    assert expression("x // 10")(np.uint64(2**64 - 1)) == (2**64 - 1) // 10


@pytest.mark.parametrize("a, b", list(itertools.combinations(NUMBERS, 2)))
def test_types_at_joins(a, b):
    one, other = f"np.{NUMPY[a].__name__}(1)", f"np.{NUMPY[b].__name__}(1)"
    function = define(f"def f(c):\n    if c:\n        x = {one}\n    else:\n        x = {other}\n    return x, x\n")
    if set(FLOATS + COMPLEX) & {a, b}:
        wanted = promote(a, b)
    elif "bool" in (a, b):
        wanted = a if b == "bool" else b
    elif "uint64" in (a, b):
        wanted = "uint64"  # np.int8(1) is not negative
    else:
        wanted = str(np.promote_types(a, b))
    assert result_types(function, True) == [wanted] * 2
    assert function(True) == function(False) == (1, 1)


# int64 --------------------------------------------------------------------------------------------

INTS = [-(2**63), -(2**63) + 1, -(2**31), -8, -7, -3, -2, -1, 0, 1, 2, 3, 7, 8, 10, 2**31, 2**53 + 1, 2**62, 2**63 - 1]


def wrapped(value, bits=64, signed=True):
    """The value modulo 2**bits."""
    value &= 2**bits - 1
    return value - 2**bits if signed and value >= 2 ** (bits - 1) else value


def python(text, **names):
    """What CPython makes of an expression: an outcome."""
    return outcome(lambda: eval(text, {"math": math, **names}), ())


def check_int(text, x, y=0):
    """Compiled code gives CPython's value modulo 2**64, or its exception."""
    result, wanted = outcome(expression(text, "x, y"), (x, y)), python(text, x=x, y=y)
    if wanted[0] == "returned" and type(wanted[1]) is int:
        wanted = "returned", wrapped(wanted[1])
    shown = f"{text} for x = {x}, y = {y}: {result}, but CPython {wanted}"
    assert result[0] == wanted[0] and is_same(result[1], wanted[1]), shown
    assert result[0] == "returned" or result == wanted, shown


@pytest.mark.parametrize("sign", ["+", "-", "*", "//", "%", "&", "|", "^", "<", "<=", "==", "!=", ">", ">="])
def test_int_operators(sign):
    for x, y in itertools.product(INTS, INTS):
        check_int(f"x {sign} y", x, y)


@pytest.mark.parametrize("divisor", [-(2**63), -10, -8, -7, -2, -1, 1, 2, 3, 7, 8, 1000, 2**31, 2**62, 2**63 - 1])
@pytest.mark.parametrize("sign", ["//", "%", "*", "&"])
def test_int_operators_with_a_literal(sign, divisor):
    for x in INTS:
        check_int(f"x {sign} {divisor}", x)
        check_int(f"{divisor} {sign} x", x)


def test_int_division_by_literal_zero():
    for text in ("x // 0", "x % 0", "x / 0", "divmod(x, 0)"):
        check_int(text, 3)


def test_true_division_of_ints():
    for x, y in itertools.product(INTS, INTS):
        if abs(x) <= 2**53 and abs(y) <= 2**53:
            check_int("x / y", x, y)


@pytest.mark.parametrize("count", [-(2**63), -1, 0, 1, 31, 32, 62, 63, 64, 65, 1000])
def test_shifts(count):
    for x in INTS:
        check_int("x >> y", x, count)
        check_int("x << y", x, count)


@pytest.mark.parametrize("count", [0, 1, 31, 63, 64, 65, 200])
def test_shifts_by_a_literal(count):
    for x in INTS:
        check_int(f"x >> {count}", x)
        check_int(f"x << {count}", x)


def test_shift_by_a_negative_literal():
    check_int("x << -1", 1)
    check_int("x >> -1", 1)


def test_int_powers():
    for x, y in itertools.product(INTS, [0, 1, 2, 3, 5, 10, 62, 63, 64, 65, 200]):
        check_int("x ** y", x, y)
        check_int("pow(x, y)", x, y)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, 7, 16, 17, 40])
def test_int_powers_with_a_literal(exponent):
    for x in INTS:
        check_int(f"x ** {exponent}", x)


def test_negative_powers_of_ints():
    """A literal exponent decides the type; where it is not known, the result is an int and cannot hold a fraction."""
    assert expression("x ** -2")(4) == 0.0625
    assert outcome(expression("x ** y", "x, y"), (4, -2)) == (
        "raised", ValueError, ("Integers to negative integer powers are not allowed.",)
    )  # fmt: skip


def test_powers_modulo():
    for x, y, z in itertools.product([-7, 0, 3, 2**40], [0, 1, 5, 63], [-5, 1, 2, 1000, 2**62 - 57]):
        assert expression("pow(x, y, z)", "x, y, z")(x, y, z) == pow(x, y, z)


def test_powers_modulo_zero():
    assert_same(expression("pow(x, y, z)", "x, y, z"), 2, 3, 0)


@pytest.mark.parametrize(
    "text", ["-x", "+x", "~x", "abs(x)", "not x", "bool(x)", "int(x)", "float(x)", "round(x)", "x and 5"]
)
def test_functions_of_an_int(text):
    for x in INTS:
        check_int(text, x)


@pytest.mark.parametrize("digits", [-1, -2, -3, 0, 2])
def test_rounding_ints(digits):
    for x in [-255, -250, -150, -50, -15, -5, -4, 0, 4, 5, 6, 15, 25, 50, 150, 250, 1234567]:
        check_int("round(x, y)", x, digits)
        check_int(f"round(x, {digits})", x)


@pytest.mark.parametrize(
    "text", ["divmod(x, y)", "min(x, y)", "max(x, y)", "min(x, y, 3)", "max((x, y))", "x if y else y"]
)
def test_functions_of_two_ints(text):
    function = expression(text, "x, y")
    for x, y in itertools.product(INTS, INTS):
        if (x, y) != (-(2**63), -1):
            assert_same(function, x, y)


# Other integer types ------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["+", "-", "*", "//", "%", "&", "|", "^", "<", "==", ">="])
def test_uint64_operators(sign):
    function = expression(f"x {sign} y", "x, y")
    values = [0, 1, 2, 3, 7, 10, 2**31, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
    for x, y in itertools.product(values, values):
        result, wanted = outcome(function, (np.uint64(x), np.uint64(y))), python(f"x {sign} y", x=x, y=y)
        if wanted[0] == "returned" and type(wanted[1]) is int:
            wanted = "returned", wrapped(wanted[1], signed=False)
        assert result == wanted, f"{x} {sign} {y}"


def test_uint64_shifts():
    for x, y in itertools.product([0, 1, 2**63, 2**64 - 1], [0, 1, 63, 64, 100]):
        assert expression("x >> y", "x, y")(np.uint64(x), y) == x >> y
        assert expression("x << y", "x, y")(np.uint64(x), y) == wrapped(x << y, signed=False)


def test_uint64_beside_int64_is_float64_as_in_numba():
    assert expression("x + y", "x, y")(np.uint64(2**63), -1) == float(2**63 - 1)


@pytest.mark.parametrize("name", INTEGERS)
def test_small_integers_are_computed_in_64_bits(name):
    largest = int(np.iinfo(name).max)
    value = NUMPY[name](largest)
    signed = name in SIGNED
    assert expression("x + x")(value) == wrapped(2 * largest, signed=signed)
    assert expression("x * x")(value) == wrapped(largest * largest, signed=signed)
    bits = 64 if signed else 8 * value.itemsize  # one operand that is unsigned keeps its width, as in Numba and NumPy
    assert expression("-x")(value) == wrapped(-largest, bits, signed=signed)
    assert expression("~x")(value) == wrapped(~largest, bits, signed=signed)


def test_stores_to_small_integers_wrap():
    function = define("def f(a):\n    a[0] += 1\n    a[1] -= 1\n    return a[0]\n")
    a = np.array([127, -128], np.int8)
    assert function(a) == -128 and a.tolist() == [-128, 127]


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", INTEGERS + ["bool"])
def test_casts_between_integers(source, target):
    values = [0, 1] if source == "bool" else [np.iinfo(source).min, -1, 0, 1, 127, 128, 255, np.iinfo(source).max]
    function = expression(f"np.{target}(x)")
    for value in values:
        x = np.array(value).astype(source)[()]
        assert function(x) == int(x.astype(target)), f"{target}({source}({value}))"


@pytest.mark.parametrize("target", INTEGERS)
def test_casts_from_float(target):
    function = expression(f"np.{target}(x)")
    for value in [0.0, -0.0, 1.9, 127.5, 100.999] + ([-1.9, -127.5] if target in SIGNED else []):
        assert function(value) == int(value)


@pytest.mark.parametrize("source", NUMBERS)
def test_casts_to_floats_and_bool(source):
    for value in (0, 1, 3, 100):
        x = NUMPY[source](value)
        assert expression("np.bool_(x)")(x) is bool(x)
        if source not in COMPLEX:
            assert expression("np.float32(x)")(x) == float(np.float32(x))
            assert expression("np.float64(x)")(x) == expression("float(x)")(x) == float(x)
        assert expression("np.complex64(x)")(x) == expression("complex(x)")(x) == complex(x)


def test_casts_without_argument():
    assert expression("int(), float(), bool(), complex(), np.int8(), np.float32()", "")() == (0, 0.0, False, 0j, 0, 0.0)


# float64 ------------------------------------------------------------------------------------------

INF, NAN = math.inf, math.nan
REALS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, 3.0, -3.0, 7.0, -7.0, 0.1, -1e-300, 5e-324, 1e308, -1e308, 2.0**53]
REALS += [INF, -INF, NAN, 1e16, 123456.789]


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", ">="])
def test_float_operators(sign):
    function = expression(f"x {sign} y", "x, y")
    for x, y in itertools.product(REALS, REALS):
        assert_same(function, x, y)


@pytest.mark.parametrize("constant", ["0.0", "-0.0", "1.0", "2.0", "-2.0", "0.5", "3.0", "1e308"])
@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "<", "=="])
def test_float_operators_with_a_literal(sign, constant):
    left, right = expression(f"{constant} {sign} x"), expression(f"x {sign} {constant}")
    for x in REALS:
        assert_same(left, x)
        assert_same(right, x)


def is_fraction_of_negative(x, y):
    """CPython's result is complex there."""
    return x < 0 and math.isfinite(x) and math.isfinite(y) and y != int(y)


def test_float_powers():
    function = expression("x ** y", "x, y")
    for x, y in itertools.product(REALS, REALS):
        if is_fraction_of_negative(x, y):
            assert math.isnan(function(x, y)), f"{x} ** {y}"
        else:
            assert_same(function, x, y, ulps=1)


@pytest.mark.parametrize(
    "exponent", ["0", "1", "2", "3", "4", "10", "-1", "-2", "0.5", "1.5", "-0.5", "2.0", "3.0", "inf"]
)
def test_float_powers_with_a_literal(exponent):
    function = expression(f"x ** {exponent.replace('inf', 'math.inf')}")
    for x in REALS:
        if is_fraction_of_negative(x, float(exponent)):
            assert math.isnan(function(x)), f"{x} ** {exponent}"
        else:
            assert_same(function, x, ulps=4)


@pytest.mark.parametrize(
    "text", ["-x", "+x", "abs(x)", "not x", "bool(x)", "float(x)", "x and 2.0", "x or 2.0", "x is None"]
)
def test_functions_of_a_float(text):
    for x in REALS:
        assert_same(expression(text), x)


@pytest.mark.parametrize("text", ["int(x)", "round(x)", "math.floor(x)", "math.ceil(x)", "math.trunc(x)"])
def test_floats_to_ints(text):
    for x in REALS + [1.5, 2.5, 3.5, -1.5, 0.49999999999999994, 4503599627370497.5, 2.0**62, -(2.0**63)]:
        if not 2**63 <= abs(x) < INF or x == -(2.0**63):
            assert_same(expression(text), x)


@pytest.mark.parametrize(
    "text", ["int(x)", "round(x)", "math.floor(x)", "math.ceil(x)", "math.trunc(x)", "np.int64(x)"]
)
def test_floats_beyond_int64_saturate(text):
    assert expression(text)(2.0**63) == expression(text)(1e308) == 2**63 - 1
    assert expression(text)(-(2.0**63) * 1.5) == expression(text)(-1e308) == -(2**63)


def test_rounding_to_digits():
    values = [2.675, 0.5, 1.5, 2.5, -2.5, 1e16, 123456.789, 5e-324, 1e308, -0.0, NAN, INF, 0.05, 1.005, 1e-5, 8.5e22]
    for x, digits in itertools.product(values, [0, 1, 2, 5, 15, 20, 330, -1, -2, -5, -310]):
        assert_same(expression("round(x, n)", "x, n"), x, digits)


def test_rounding_beyond_the_largest_float():
    assert_same(expression("round(x, n)", "x, n"), 1.7e308, -308)


@pytest.mark.parametrize(
    "text", ["divmod(x, y)", "min(x, y)", "max(x, y)", "min(x, y, 0.5)", "max(x, y, -0.0)", "x if x < y else y"]
)
def test_functions_of_two_floats(text):
    for x, y in itertools.product(REALS, REALS):
        assert_same(expression(text, "x, y"), x, y)


def test_chained_comparisons():
    for x, y, z in itertools.product([0.0, -0.0, 1.0, -INF, NAN], repeat=3):
        assert_same(expression("x < y < z, x <= y == z, x != y > z, not x < y", "x, y, z"), x, y, z)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">="])
def test_int_beside_float(sign):
    function = expression(f"x {sign} y", "x, y")
    for x, y in itertools.product([0, 1, -3, 10, 2**53], [0.0, -0.0, 0.5, -2.0, 3.0, 1e300, INF, NAN]):
        for a, b in ((x, y), (y, x)):
            if sign != "**" or not is_fraction_of_negative(a, b):
                assert_same(function, a, b, ulps=1 if sign == "**" else 0)


# float32, complex ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%"])
def test_float32_operators(sign):
    function = expression(f"x {sign} y", "x, y")
    values = [np.float32(x) for x in (0.1, -0.1, 1 / 3, 3.0, -3.0, 1e38, 1e-45, 7.7, -2.5)]
    for x, y in itertools.product(values, values):
        with np.errstate(all="ignore"):
            wanted = float(eval(f"x {sign} y"))
        assert is_same(function(x, y), wanted), f"{x} {sign} {y}: {function(x, y)}, but NumPy {wanted}"


COMPLEXES = [
    0j,
    1 + 0j,
    -1j,
    1 + 2j,
    -1.5 - 0.25j,
    complex(0.0, -0.0),
    complex(-0.0, 0.0),
    complex(INF, 1),
    complex(1, NAN),
]
COMPLEXES += [complex(1e200, 1e200), complex(1e308, -1e308), complex(5e-324, 0), complex(NAN, INF), complex(INF, -INF)]


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "==", "!="])
def test_complex_operators(sign):
    function = expression(f"x {sign} y", "x, y")
    for x, y in itertools.product(COMPLEXES, COMPLEXES):
        assert_same(function, x, y)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "==", "!="])
def test_complex_beside_float(sign):
    for x, y in itertools.product(COMPLEXES, [0.0, -0.0, 1.0, -2.5, INF, NAN]):
        # CPython 3.14 no longer converts the float to complex first.
        assert_same(expression(f"x {sign} complex(y)", "x, y"), x, y)
        result, wanted = outcome(expression(f"x {sign} y", "x, y"), (x, y)), python(f"x {sign} complex(y)", x=x, y=y)
        assert result == wanted or is_same(result[1], wanted[1]), f"{x} {sign} {y}: {result}, but CPython {wanted}"


@pytest.mark.parametrize(
    "text", ["-x", "abs(x)", "x.real", "x.imag", "x.conjugate()", "bool(x)", "not x", "x and 1j", "complex(x)"]
)
def test_functions_of_a_complex(text):
    for x in COMPLEXES:
        assert_same(expression(text), x, ulps=1 if text == "abs(x)" else 0)


@pytest.mark.parametrize("exponent", ["0", "1", "2", "3", "-1", "-2", "0.5", "(1+1j)", "100"])
def test_complex_powers_with_a_literal(exponent):
    for x in COMPLEXES[:5] + [0.5 + 0.25j]:
        if exponent == "100" and abs(x) > 1.1:
            continue
        result, wanted = outcome(expression(f"x ** {exponent}"), (x,)), python(f"x ** {exponent}", x=x)
        assert result[0] == wanted[0] and (result == wanted or close(result[1], wanted[1])), (
            f"{x} ** {exponent}: {result}, {wanted}"
        )


def close(a, b):
    """Complex results within rounding."""
    return isinstance(a, complex) and isinstance(b, complex) and abs(a - b) <= 1e-13 * max(abs(a), abs(b), 1e-300)


def test_complex_powers():
    values = [0j, 1 + 0j, 1j, 1 + 2j, -0.5 - 0.25j]
    for x, y in itertools.product(values, values):
        result, wanted = outcome(expression("x ** y", "x, y"), (x, y)), python("x ** y", x=x, y=y)
        assert result[0] == wanted[0] and (result == wanted or close(result[1], wanted[1])), (
            f"{x} ** {y}: {result}, {wanted}"
        )


def test_making_complex_numbers():
    for x, y in itertools.product([0.0, -0.0, 1.5, INF, NAN, 3], repeat=2):
        assert_same(expression("complex(x, y)", "x, y"), x, y)
    assert_same(expression("complex(real=x, imag=2.0)"), 1.0)


# bool, None, tuples -------------------------------------------------------------------------------


def test_bool_operators():
    text = "x and y, x or y, not x, x & y, x | y, x ^ y, x == y, x < y, x + y, x - y, x * y, -x, int(x), x is y"
    for x, y in itertools.product([False, True], repeat=2):
        assert_same(expression(text, "x, y"), x, y)


def test_invert_of_bool_is_not():
    """Numba's and NumPy's rule; Python's ~True is -2 and deprecated."""
    assert expression("~x")(True) is False and expression("~x")(False) is True


def test_division_of_bools():
    for x, y in itertools.product([False, True], repeat=2):
        assert_same(expression("x / y", "x, y"), x, y)
        assert_same(expression("x // y", "x, y"), x, y)
        assert_same(expression("x % y", "x, y"), x, y)


def test_none():
    text = "x is None, x is not None, x == None, x != None, not x"
    for value in (None, 0, 1.5, (), (1, 2)):
        assert_same(expression(text), value)


def test_tuples():
    assert_same(expression("x, (y, x), (), (x,)", "x, y"), 1, 2.5)
    assert_same(expression("(x, y)[0] + (x, y)[-1]", "x, y"), 1, 2.5)
    assert_same(expression("(x, y) + (y, x, 1)", "x, y"), 1, 2.5)
    assert_same(expression("len((x, y)), len(())", "x, y"), 1, 2.5)
    assert_same(expression("(x, y) == (1, 2.5), (x, y) != (1, 2.5), (x,) == (x, y)", "x, y"), 1, 2.5)
    assert_same(expression("x in (1, 2, 3), x not in (1, 2, 3)"), 2)
    assert_same(expression("x[0] + x[1]"), (1, 2))


@pytest.mark.parametrize("index", [-4, -3, -1, 0, 2, 3])
def test_tuples_indexed_by_a_variable(index):
    assert_same(expression("(10, 20, 30)[x]"), index)


def test_nested_tuples_come_back_as_they_are():
    assert_same(expression("x"), (1, (2.5, (True, None)), 1j))


# Attributes of numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, 2.5, True, 1 + 2j, np.float32(1.5), np.int8(-3), np.complex64(1 + 2j)])
def test_real_and_imag(value):
    function = expression("x.real, x.imag, x.conjugate()")
    assert function(value) == (value.real, value.imag, value.conjugate())


# NumPy's functions of scalars -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["negative", "square", "sign", "absolute", "conjugate", "real", "imag"])
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float32", "float64", "complex128"])
def test_numpy_functions_that_keep_the_type(name, dtype):
    for value in (0, 1, 3) + (() if dtype == "uint16" else (-2,)):
        x = NUMPY[dtype](value)
        result, wanted = expression(f"np.{name}(x)")(x), getattr(np, name)(x).item()
        assert result == wanted, f"np.{name}({dtype}({value})): {result}, but NumPy {wanted}"


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin"])
def test_numpy_functions_of_two_floats(name):
    for x, y in itertools.product(REALS, REALS):
        with np.errstate(all="ignore"):
            wanted = float(getattr(np, name)(x, y))
        result = expression(f"np.{name}(x, y)", "x, y")(x, y)
        same_zeros = name in ("add", "subtract", "multiply", "divide")
        assert (
            is_same(result, wanted) if same_zeros else result == wanted or math.isnan(result) and math.isnan(wanted)
        ), (x, y)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum"])
def test_numpy_functions_of_two_ints(name):
    for x, y in itertools.product([-7, -1, 0, 1, 2**62, 2**63 - 1], repeat=2):
        with np.errstate(all="ignore"):
            assert expression(f"np.{name}(x, y)", "x, y")(x, y) == int(getattr(np, name)(np.int64(x), np.int64(y)))


# The error model of NumPy ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["x / y", "x // y", "x % y", "x ** y", "math.sqrt(-x - 1)", "math.log(x - x)"])
def test_error_model_numpy_raises_nothing(text):
    function = define(f"def f(x, y):\n    return {text}\n", decorator=njit(error_model="numpy"))
    with np.errstate(all="ignore"):
        for x, y in itertools.product([0.0, 1.0, 2.5], [0.0, -1.0]):
            wanted = {"x / y": np.float64(x) / y, "x // y": np.float64(x) // y, "x % y": np.float64(x) % y,
                      "x ** y": np.float64(x) ** y}.get(text)  # fmt: skip
            result = function(x, y)
            assert wanted is None or is_same(result, float(wanted)), f"{text}, {x}, {y}: {result}, but NumPy {wanted}"


def test_error_model_numpy_of_ints():
    function = define("def f(x, y):\n    return x // y, x % y, x / y\n", decorator=njit(error_model="numpy"))
    assert function(5, 0) == (0, 0, INF)
    assert function(-5, 3) == (-2, 1, -5 / 3)


def test_fastmath_compiles():
    function = define("def f(x, y):\n    return x + y - x\n", decorator=njit(fastmath=True))
    assert function(1.0, 2.0) == 2.0


def test_signatures_are_declared_types():
    function = njit("float32(int8, int8)")(lambda x, y: x + y)
    assert function.nopython_signatures[0].return_type == types.float32
    assert function(3, 4) == 7.0
