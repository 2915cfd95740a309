"""Functions and powers of floats give the results of IEEE 754, as Numba's do; error_model="strict" raises instead."""

import cmath
import math

import numpy as np
import pytest
from compare import define, expression, is_same, strict
from pyarray import njit

inf, nan = math.inf, math.nan
VALUES = [
    ("x ** 2", 1e200, inf),
    ("x ** 3", -1e200, -inf),
    ("x ** -1", 0.0, inf),
    ("x ** -3.0", -0.0, -inf),
    ("x ** -2", -0.0, inf),
    ("x ** 0.5", -1.0, nan),
    ("x ** 2.5", 1e200, inf),
    ("x ** -3.0", -1e-200, -inf),
    ("pow(x, 2)", 1e200, inf),
    ("math.pow(x, 2.0)", 1e200, inf),
    ("math.pow(x, -1.0)", 0.0, inf),
    ("math.pow(x, 0.5)", -1.0, nan),
    ("math.exp(x)", 1000.0, inf),
    ("math.exp2(x)", 2000.0, inf),
    ("math.expm1(x)", 1000.0, inf),
    ("math.sinh(x)", -1000.0, -inf),
    ("math.cosh(x)", 1000.0, inf),
    ("math.log(x)", 0.0, -inf),
    ("math.log(x)", -1.0, nan),
    ("math.log2(x)", 0.0, -inf),
    ("math.log10(x)", 0.0, -inf),
    ("math.log10(x)", -1.0, nan),
    ("math.log1p(x)", -1.0, -inf),
    ("math.log1p(x)", -2.0, nan),
    ("math.log(x, 2.0)", -1.0, nan),
    ("math.sqrt(x)", -1.0, nan),
    ("math.acos(x)", 2.0, nan),
    ("math.asin(x)", 2.0, nan),
    ("math.acosh(x)", 0.5, nan),
    ("math.atanh(x)", 1.0, inf),
    ("math.atanh(x)", 2.0, nan),
    ("math.sin(x)", inf, nan),
    ("math.cos(x)", -inf, nan),
    ("math.tan(x)", inf, nan),
    ("math.fmod(x, 2.0)", inf, nan),
    ("math.fmod(x, 0.0)", 1.0, nan),
    ("math.remainder(x, 0.0)", 1.0, nan),
    ("math.gamma(x)", 200.0, inf),
    ("math.gamma(x)", -inf, nan),
    ("math.lgamma(x)", -1.0, inf),
    ("math.lgamma(x)", 0.0, inf),
    ("math.ldexp(x, 2000)", -1.0, -inf),
    ("math.hypot(x, x)", 1.5e308, inf),
    ("abs(complex(x, x))", 1.5e308, inf),
    ("round(x, -308)", 1.7e308, inf),
    ("cmath.exp(complex(x, 0.0)).real", 1000.0, inf),
    ("cmath.log(complex(x, 0.0)).real", 0.0, -inf),
    ("(complex(x, 0.0) ** 2).real", 1e200, inf),
    ("(complex(x, 0.0) ** -1).real", 0.0, nan),
]


@pytest.mark.parametrize("text, x, wanted", VALUES)
def test_default_and_strict(text, x, wanted):
    source = f"def f(x):\n    return {text}\n"
    got = define(source, cmath=cmath)(x)
    assert is_same(got, wanted), got
    function = define(source, decorator=strict, cmath=cmath)
    if text == "x ** 0.5" and x < 0:  # Python's result is complex
        return
    if text in ("math.hypot(x, x)",):  # CPython 3.11 raises; a float that is infinite needs no error
        return
    with pytest.raises((OverflowError, ValueError, ZeroDivisionError)):
        function(x)


DIVISIONS = {
    "1.0 / x": "float division by zero",
    "x // 0.0": "float floor division by zero",
    "x % 0.0": "float modulo",
    "math.log(2.0, x + 1.0)": "float division by zero",
}


@pytest.mark.parametrize("text, error", DIVISIONS.items())
def test_division_raises(text, error):
    with pytest.raises(ZeroDivisionError, match=error):
        expression(text)(0.0)


def test_what_has_no_result_raises():
    for text, error in (("int(x)", ValueError), ("math.floor(x)", ValueError), ("round(x)", ValueError)):
        with pytest.raises(error):
            expression(text)(nan)
    with pytest.raises(ValueError, match="negative integer powers"):
        expression("2 ** x")(-1)


def test_callers_and_called_have_their_own_model():
    root = define(
        "def root(x):\n    return math.sqrt(x)\n", "root", decorator=njit(error_model="strict", inline="always")
    )
    f = define("def f(x):\n    return root(x), math.sqrt(x)\n", root=root)
    assert f(4.0) == (2.0, 2.0)
    with pytest.raises(ValueError, match="math domain error"):
        f(-1.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("text", ["x ** 2", "x ** 0.5", "x ** -1.5", "math.pow(x, 2.5)", "math.exp(x)", "math.log(x)"])
def test_loops(text, dtype):
    """Vectorised, with the results for what is odd among the lanes."""
    f = define(f"def f(a, out):\n    for i in range(len(a)):\n        x = a[i]\n        out[i] = {text}\n")
    a = np.concatenate([np.linspace(-3, 1000, 1003), [inf, -inf, nan, 0.0, -0.0, 1e38, -1e38]]).astype(dtype)
    out = np.empty(len(a), np.float64)
    f(a, out)
    with np.errstate(all="ignore"):
        text = text.replace("math.", "np.").replace("np.pow", "np.power")
        items = a if text.endswith((" 2", "(x)")) else a.astype(np.float64)  # by a float literal: in float64
        wanted = [eval(text, {"np": np, "x": x}) for x in items]
    np.testing.assert_allclose(out, np.array(wanted, np.float64), rtol=1e-6 if dtype == np.float32 else 1e-14)


def test_unknown_model():
    with pytest.raises(ValueError, match="'python', 'numpy' or 'strict', not 'ieee'"):
        njit(error_model="ieee")
