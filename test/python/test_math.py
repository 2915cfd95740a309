"""All of `math`, and NumPy's functions of scalars, against CPython and NumPy over corner values, errors included."""

import functools
import inspect
import itertools
import math

import compare
import numpy as np
import pytest
from compare import assert_same, is_same, outcome, strict
from pyarray import njit, vectorize

# As in CPython, errors too; without them see test_ieee.py.
define = functools.partial(compare.define, decorator=strict)
expression = functools.partial(compare.expression, decorator=strict)

pytestmark = pytest.mark.real

INF, NAN = math.inf, math.nan
VALUES = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 3.7, -3.7, 10.0, 100.0, 1e-10, 1e300, -1e300, 5e-324, -5e-324]
VALUES += [
    math.nextafter(1, 0),
    math.nextafter(1, 2),
    -math.nextafter(1, 2),
    math.nextafter(-1, 0),
    709.7,
    709.8,
    710.5,
    711.0,
]
VALUES += [
    -745.2,
    -750.0,
    1023.9,
    1024.0,
    2.5,
    -2.5,
    math.pi,
    -math.pi / 2,
    1e15 + 0.5,
    1.7976931348623157e308,
    2.2e-308,
]
SPECIAL = [INF, -INF, NAN]

UNARY = (
    "acos acosh asin asinh atan atanh cos cosh degrees erf erfc exp expm1 fabs isfinite isinf isnan log log10 log1p "
    "log2 radians sin sinh sqrt tan tanh cbrt exp2 ulp"
).split()
TO_INT = ["ceil", "floor", "trunc"]
BINARY = "atan2 copysign fmod hypot nextafter pow remainder log isclose".split()
INTEGERS = [0, 1, 2, 3, 5, 12, 18, 20, 21, 62, 67, 2**31, 2**53 - 1, 2**62, 2**63 - 1, -1, -4, -6, -(2**63)]
INTEGER_UNARY, INTEGER_BINARY = ["factorial", "isqrt", "perm"], ["gcd", "lcm", "comb", "perm"]
ELSEWHERE = ["gamma", "lgamma", "modf", "frexp", "ldexp", "dist", "fma", "fsum", "prod", "sumprod"]
UNKNOWN = ["fmax", "fmin"]  # of Python 3.15


def needs(name):
    """Skips a test of what this Python does not have."""
    if not hasattr(math, name):
        pytest.skip(f"no math.{name} in this Python")


def test_every_function_of_math_is_known_or_listed_here():
    functions = {name for name, value in vars(math).items() if inspect.isbuiltin(value)}
    known = UNARY + TO_INT + BINARY + INTEGER_UNARY + INTEGER_BINARY + ELSEWHERE + UNKNOWN
    assert functions <= set(known)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    needs(name)
    f = expression(f"math.{name}(x)")
    for x in VALUES + SPECIAL:
        assert_same(f, x, ulps=2)


@pytest.mark.parametrize("name", UNARY)
def test_unary_of_literals(name):
    """The compiler may compute these itself."""
    needs(name)
    for x in ("0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "1e300", "-3.7", "math.inf", "math.nan"):
        assert_same(expression(f"math.{name}({x})", ""), ulps=2)


@pytest.mark.parametrize("name", UNARY)
def test_unary_of_ints_and_bools(name):
    needs(name)
    f = expression(f"math.{name}(x)")
    for x in (0, 1, 2, -3, 10**6, True, False):
        assert_same(f, x, ulps=2)


@pytest.mark.parametrize("name", TO_INT)
def test_to_int(name):
    f = expression(f"math.{name}(x)")
    for x in [x for x in VALUES + SPECIAL if not 2**63 <= abs(x) < INF] + [7, -7, True]:
        assert_same(f, x)


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    needs(name)
    f = expression(f"math.{name}(x, y)", "x, y")
    others = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 3.0, 1e300, -1e300, 5e-324, 1025.0, *SPECIAL]
    for x, y in itertools.product(VALUES + SPECIAL, others):
        assert_same(f, x, y, ulps=2)


@pytest.mark.parametrize("name", BINARY)
def test_binary_of_literals(name):
    needs(name)
    for x, y in itertools.product(["0.0", "-0.0", "1.0", "-2.5", "math.inf", "math.nan"], repeat=2):
        assert_same(expression(f"math.{name}({x}, {y})", ""), ulps=2)


def test_binary_of_ints():
    for name in BINARY:
        needs(name)
        for x, y in itertools.product([1, 2, 7, True], [2, 3, 2.5]):
            assert_same(expression(f"math.{name}(x, y)", "x, y"), x, y, ulps=2)


GAMMA_VALUES = [0.5, 1.0, 1.5, 2.0, 2.5, 10.0, 20.0, -0.5, -1.5, -2.5, 0.0, -0.0, -1.0, -2.0, 171.0, 172.0, 1e-300]
GAMMA_VALUES += [1e300, -1e-310, *SPECIAL]


def test_gamma():
    """CPython has its own algorithm for this and the next."""
    for x in GAMMA_VALUES:
        assert_same(expression("math.gamma(x)"), x, ulps=64)


@pytest.mark.parametrize("x", [*GAMMA_VALUES, 1e306, -1e306, -(2.0**52) - 1, 1.7976931348623157e308])
def test_lgamma(x):
    result, wanted = outcome(expression("math.lgamma(x)"), (x,)), outcome(math.lgamma, (x,))
    if wanted[0] == "raised":
        assert result == wanted
    else:
        assert result[1] == pytest.approx(wanted[1], rel=1e-14, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("exponent", [0, 1, -1, 5, 1024, 2000, -1074, -1080, -2000, 2**31, -(2**31), 2**40, -(2**63)])
def test_ldexp(exponent):
    f = expression("math.ldexp(x, y)", "x, y")
    for x in VALUES + SPECIAL:
        assert_same(f, x, exponent)


def test_modf_and_frexp():
    for x in VALUES + SPECIAL:
        assert_same(expression("math.modf(x)"), x)
        assert_same(expression("math.frexp(x)"), x)


def test_isclose():
    f = expression("math.isclose(x, y, rel_tol=r, abs_tol=a)", "x, y, r, a")
    for x, y in itertools.product([0.0, 1.0, 1.0 + 1e-10, 1.1, -1.0, *SPECIAL], repeat=2):
        for relative, absolute in itertools.product([0.0, 1e-9, 0.5, -1.0], [0.0, 1e-3, -1.0]):
            assert_same(f, x, y, relative, absolute)


def test_dist():
    for points in [((0.0,), (3.0,)), ((0.0, 0.0), (3.0, 4.0)), ((1.0, 2.0, 3.0), (1.5, -2.0, 1e200)), ((), ())]:
        assert_same(expression("math.dist(p, q)", "p, q"), *points, ulps=2)


def test_fma():
    needs("fma")
    f = expression("math.fma(x, y, z)", "x, y, z")
    for x, y, z in itertools.product([0.0, 1.1, -1e200, INF, NAN], repeat=3):
        assert_same(f, x, y, z)


def fits(function, arguments):
    """Whether CPython's result is an int64, or an error."""
    result = outcome(function, arguments)
    return result[0] == "raised" or -(2**63) <= result[1] < 2**63


@pytest.mark.parametrize("name", INTEGER_UNARY)
def test_integer_functions_of_one(name):
    f = expression(f"math.{name}(x)")
    for x in INTEGERS:
        if name != "isqrt" and x > 1000 or not fits(getattr(math, name), (x,)):
            assert outcome(f, (x,))[:2] == ("raised", OverflowError), x
        else:
            assert_same(f, x)


@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_integer_functions_of_two(name):
    f = expression(f"math.{name}(x, y)", "x, y")
    for x, y in itertools.product(INTEGERS, INTEGERS):
        if name in ("comb", "perm") and (min(x, y) > 1000 or y > 1000 and x > 1000):
            continue  # more than CPython computes in a moment
        if fits(getattr(math, name), (x, y)):
            assert_same(f, x, y)
        else:
            assert outcome(f, (x, y))[:2] == ("raised", OverflowError), (x, y)


def test_constants():
    assert_same(expression("math.pi, math.e, math.tau, math.inf, math.nan, np.pi, np.e, np.inf, np.nan", ""))


def result_type(f, argument):
    """By the types of its arguments: `expression` gives other tests the same function."""
    return next(str(s.return_type) for s in f.nopython_signatures if [str(a) for a in s.args] == [argument])


@pytest.mark.parametrize("name", ["sqrt", "sin", "exp", "log", "atan", "floor", "fabs"])
def test_float32_stays_float32(name):
    f = expression(f"math.{name}(x)")
    result = f(np.float32(2))
    assert result_type(f, "float32") == ("int64" if name == "floor" else "float32")
    assert result == pytest.approx(getattr(math, name)(2.0), rel=1e-6)


# NumPy ---------------------------------------------------------------------------------------------

NUMPY = (
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh "
    "floor ceil trunc rint fabs cbrt deg2rad rad2deg degrees radians square sign negative reciprocal isnan isinf "
    "isfinite signbit"
).split()
NUMPY_BINARY = (
    "arctan2 hypot fmod copysign maximum minimum fmax fmin add subtract multiply divide nextafter power".split()
)


def numpy_result(name, *arguments):
    with np.errstate(all="ignore"):
        return getattr(np, name)(*arguments).item()


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_functions_of_scalars(name):
    f = expression(f"np.{name}(x)")
    for x in VALUES + SPECIAL:
        wanted = numpy_result(name, x)
        assert is_same(f(x), wanted, ulps=4), (x, f(x), wanted)


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_functions_of_float32(name):
    f = expression(f"np.{name}(x)")
    for x in (np.float32(value) for value in (0.0, 0.25, 1.0, -0.75, 3.5)):
        wanted = numpy_result(name, x)
        assert f(x) == pytest.approx(wanted, rel=1e-6, nan_ok=True), x
    wanted = "bool" if name[:2] == "is" or name == "signbit" else "float32"
    assert result_type(f, "float32") == wanted


@pytest.mark.parametrize("name", NUMPY_BINARY)
def test_numpy_functions_of_two_scalars(name):
    f = expression(f"np.{name}(x, y)", "x, y")
    for x, y in itertools.product([0.0, -0.0, 1.5, -2.0, 1e300, *SPECIAL], [1.0, -0.5, 3.0, -0.0, 5e-324, *SPECIAL]):
        wanted = numpy_result(name, x, y)
        if name in ("maximum", "minimum", "fmax", "fmin") and x == y == 0:
            assert f(x, y) == 0  # NumPy's answer depends on the machine
        else:
            assert is_same(f(x, y), wanted, ulps=2), (x, y, f(x, y), wanted)


@pytest.mark.parametrize("name", ["sqrt", "exp", "log", "sin", "cos"])
def test_numpy_functions_of_complex_numbers(name):
    f = expression(f"np.{name}(x)")
    for x in (0.5 + 0.25j, -1.5 + 2j, 1j, -2 - 1j, 3 + 0j):
        assert f(x) == pytest.approx(numpy_result(name, x), rel=1e-14)


# Integers in functions that keep them


KEPT = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.mark.parametrize("dtype", KEPT)
def test_numpy_functions_keep_integers(dtype):
    limits = np.iinfo(dtype)
    x = np.array([limits.min, limits.max, 1, 2, 7, 100], dtype)
    y = np.array([3, limits.max, limits.min, 0, 5, 7], dtype)
    signed = limits.min < 0
    with np.errstate(all="ignore"):
        for name in ("floor", "ceil", "trunc"):
            result = define(f"def f(x):\n    return np.{name}(x)\n", decorator=vectorize)(x)
            assert result.dtype == dtype and result.tolist() == x.tolist(), name
        result = define("def f(x):\n    return np.reciprocal(x)\n", decorator=vectorize)(x[1:])
        assert result.dtype == dtype and result.tolist() == np.reciprocal(x[1:]).tolist()
        around_zero = np.array([0, 1, limits.max // 2, -1 if signed else 3], dtype)
        assert (
            define("def f(x):\n    return np.reciprocal(x)\n", decorator=vectorize)(around_zero).tolist()
            == np.reciprocal(around_zero).tolist()
        )
        fmod = define("def f(x, y):\n    return np.fmod(x, y)\n", decorator=vectorize)
        for a in (x, -x if signed else x):
            for b in (y, -y if signed else y):
                assert fmod(a, b).dtype == dtype and fmod(a, b).tolist() == np.fmod(a, b).tolist()
    mixed = fmod(x, np.float32(3))
    assert mixed.dtype.kind == "f"


def test_fmod_of_nan_within_a_loop():
    # LLVM takes fmod(x, y) of an x that is not infinite and a y that is not zero for a number, though x may be NaN.
    @njit
    def f(x, text):
        result = 0.0
        for _ in range(3):
            if text == "text":
                pass
            result = 0.5 // math.fmod(x, x)
        return result

    assert math.isnan(f(math.nan, ""))
    with pytest.raises(ZeroDivisionError, match="float floor division by zero"):
        f(2.0, "")

    @njit
    def g(x, out):
        for i in range(len(out)):
            out[i] = math.fmod(x, 2.0) if not math.isinf(x) else 7.0

    out = np.zeros(3)
    g(math.nan, out)
    assert np.isnan(out).all()


@pytest.mark.parametrize("text", ["float(10) / int(x)", "float(x > 9) / int(x)", "int(x) / int(x)", "2.0 / int(x)"])
def test_divisions_by_zero_are_worded_by_what_was_divided(text):
    f = expression(text)
    with pytest.raises(ZeroDivisionError) as theirs:
        f.py_func(0.0)
    with pytest.raises(ZeroDivisionError) as ours:
        f(0.0)
    assert str(ours.value) == str(theirs.value)
