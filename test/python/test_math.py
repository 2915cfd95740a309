"""All of `math`, and NumPy's scalar functions, against CPython and NumPy over corner values, errors included."""

import inspect
import math

import numpy as np
import pytest
from compare import assert_same, expression, is_same

pytestmark = pytest.mark.real

VALUES = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 3.7, -3.7, 10.0, 100.0, 710.0, -750.0, 1e-10, 1e300, -1e300]
SPECIAL = [float("inf"), float("-inf"), float("nan")]

UNARY = [
    "acos acosh asin asinh atan atanh ceil cos cosh degrees erf erfc exp expm1 fabs floor isfinite isinf isnan log log10 "
    "log1p log2 radians sin sinh sqrt tan tanh trunc cbrt exp2 ulp"
][0].split()
BINARY = "atan2 copysign fmod hypot ldexp nextafter pow remainder log isclose".split()
INTEGER = {"factorial": [(n,) for n in (0, 1, 5, 20, -1)], "isqrt": [(n,) for n in (0, 1, 15, 16, 2**62, -1)]}
INTEGER |= {name: [(0, 0), (12, 18), (-4, 6), (7, 0)] for name in ("gcd", "lcm")}
INTEGER |= {name: [(5, 2), (10, 0), (3, 5), (-1, 2), (5, -1)] for name in ("comb", "perm")}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    if not hasattr(math, name):
        pytest.skip(f"no math.{name} in this Python")
    f = expression(f"math.{name}(x)")
    for x in VALUES + SPECIAL:
        if name in ("ceil", "floor", "trunc") and abs(x) > 1e18 and math.isfinite(x):
            continue  # the result is no int64
        assert_same(f, x, ulps=2)


@pytest.mark.parametrize("name", ["gamma", "lgamma"])
def test_gamma(name):
    f = expression(f"math.{name}(x)")
    for x in [0.5, 1.0, 2.5, 10.0, -0.5, -1.5, 0.0, -1.0, 171.0, 172.0, float("inf"), float("nan")]:
        assert_same(f, x, ulps=64)


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    f = expression(f"math.{name}(x, y)", "x, y")
    for x in VALUES + SPECIAL:
        for y in [0, 1, -1, 5, 2000, -2000] if name == "ldexp" else [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, *SPECIAL]:
            if name == "log" and y in (1.0, 0.0):
                continue  # ZeroDivisionError and ValueError depend on the order of evaluation
            assert_same(f, x, y, ulps=2)


@pytest.mark.parametrize("name", INTEGER)
def test_integer_functions(name):
    arguments = INTEGER[name]
    f = expression(f"math.{name}({', '.join('xy'[: len(arguments[0])])})", ", ".join("xy"[: len(arguments[0])]))
    for values in arguments:
        assert_same(f, *values)


def test_modf_and_frexp():
    f = expression("(math.modf(x), math.frexp(x))")
    for x in [0.0, -0.0, 1.5, -2.75, 1e300, *SPECIAL]:
        assert_same(f, x)


def test_constants():
    f = expression("(math.pi, math.e, math.tau, math.inf, np.pi, np.e)")
    f = expression("math.pi + math.e * x + math.tau + np.pi")
    assert_same(f, 1.0)


def test_every_function_of_math_is_known_or_listed_here():
    missing = {"dist", "fsum", "prod", "sumprod", "gamma", "lgamma", "modf", "frexp", "fma", "fmax", "fmin"}
    functions = {name for name, value in vars(math).items() if inspect.isbuiltin(value)}
    assert functions <= set(UNARY) | set(BINARY) | set(INTEGER) | missing


NUMPY = "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh".split()
NUMPY += "floor ceil trunc rint fabs cbrt deg2rad rad2deg degrees radians square sign negative reciprocal isnan isinf isfinite".split()


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_functions_of_scalars(name):
    f = expression(f"np.{name}(x)")
    for x in VALUES + SPECIAL:
        with np.errstate(all="ignore"):
            wanted = getattr(np, name)(x).item()
        assert is_same(f(x), wanted, ulps=4), (x, f(x), wanted)


@pytest.mark.parametrize("name", "arctan2 hypot fmod copysign maximum minimum fmax fmin add subtract multiply divide".split())
def test_numpy_functions_of_two_scalars(name):
    f = expression(f"np.{name}(x, y)", "x, y")
    for x in [0.0, 1.5, -2.0, *SPECIAL]:
        for y in [1.0, -0.5, 3.0, *SPECIAL]:
            with np.errstate(all="ignore"):
                wanted = getattr(np, name)(x, y).item()
            assert is_same(f(x, y), wanted, ulps=2), (x, y, f(x, y), wanted)


def test_float32_stays_float32():
    f = expression("np.sqrt(x)")
    f(np.float32(2))
    assert "float32" in {str(s.return_type) for s in f.nopython_signatures}
