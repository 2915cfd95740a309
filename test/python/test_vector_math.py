"""Loops that call exp, log, sin and the like for several elements at a time: values, special values, NumPy's errors."""

import functools
import math

import numpy as np
import pytest
from compare import define, strict
from pyarray import njit, vectorize

UNARY = {
    "arccos": 1, "arccosh": 50, "arcsin": 1, "arcsinh": 50, "arctan": 50, "arctanh": 1, "cbrt": 1e6, "cos": 1e4,
    "cosh": 80, "exp": 80, "exp2": 100, "expm1": 80, "log": 1e6, "log10": 1e6, "log1p": 1e6, "log2": 1e6, "sin": 1e4,
    "sinh": 80, "tan": 1e4, "tanh": 20,
}  # fmt: skip
BINARY = {"arctan2": 100, "hypot": 1e6, "power": 10}
SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, math.inf, -math.inf, math.nan, 1e-40, 1e-310, 5e-324, 1e30, -1e30,
    1e200, -1e300, 88.9, -104.0, 709.9, -745.2, 1024.0, -1080.0,
]  # fmt: skip
LENGTHS = [0, 1, 3, 4, 7, 16, 17, 63, 64, 65, 257]
dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["f8", "f4"])


@functools.cache
def loop(name, accuracy="default"):
    """A compiled loop over one or two arrays."""
    arguments = "x[i], y[i]" if name in BINARY else "x[i]"
    source = f"def f(x, y, out):\n    for i in range(out.shape[0]):\n        out[i] = np.{name}({arguments})\n"
    return define(source, decorator=njit(accuracy=accuracy))


def arguments_of(name, dtype, count, seed=0):
    random = np.random.default_rng(seed)
    size = {**UNARY, **BINARY}[name]
    x, y = random.uniform(-size, size, (2, count))
    if name in ("log", "log2", "log10", "log1p", "power"):
        x = abs(x)
    if name == "arccosh":
        x = 1 + abs(x)
    return x.astype(dtype), y.astype(dtype)


def ulps_between(a, b):
    """How many numbers of the type lie between elements; many where one is NaN, or a zero of the other sign."""
    integer = np.int64 if a.dtype == np.float64 else np.int32
    x, y = a.view(integer).astype(np.int64), b.view(integer).astype(np.int64)
    apart = np.where((x < 0) != (y < 0), 2**62, abs(x - y))
    return np.where(np.isnan(a) & np.isnan(b), 0, np.where(np.isnan(a) != np.isnan(b), 2**62, apart))


def check(name, x, y, ulps, accuracy="default"):
    out = np.full(x.shape, 7, x.dtype)
    loop(name, accuracy)(x, y, out)
    with np.errstate(all="ignore"):
        # in float64, so that NumPy's own float32 functions, which are less exact than libm's, do not decide
        wide = [v.astype(np.float64) for v in ((x, y) if name in BINARY else (x,))]
        expected = getattr(np, name)(*wide).astype(x.dtype)
    apart = ulps_between(np.ascontiguousarray(out), np.ascontiguousarray(expected))
    tiny = abs(expected) < 2 * np.finfo(x.dtype).tiny  # rounded where bits are missing
    worst = np.argmax(np.where(tiny & (apart < 2**60), 0, apart)) if x.size else 0
    assert x.size == 0 or apart[worst] <= ulps or (tiny[worst] and apart[worst] < 2**60), (
        name, x[worst], y[worst], out[worst], expected[worst]
    )  # fmt: skip


@dtypes
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_random_values(name, dtype):
    check(name, *arguments_of(name, dtype, 20011), ulps=5)  # 4, and 1 of NumPy's


@dtypes
@pytest.mark.parametrize("exponent", [*range(-3, 10), 3.0, 2.5])
def test_constant_powers(exponent, dtype):
    random = np.random.default_rng(3)
    with np.errstate(all="ignore"):
        x = np.concatenate([random.uniform(-30, 30, 300), np.array(SPECIAL)]).astype(dtype)
        f = define(f"def f(x):\n    return x ** {exponent}, np.power(x, {exponent})\n")
        expected = np.power(x.astype(np.float64), exponent).astype(dtype)
    for got in f(x):
        apart = ulps_between(got, expected)
        tiny = abs(expected) < 2 * np.finfo(dtype).tiny
        assert got.dtype == dtype and np.all((apart <= 5) | (tiny & (apart < 2**60)))


@dtypes
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_special_values(name, dtype):
    with np.errstate(over="ignore"):
        special = np.array(SPECIAL).astype(dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(special, special))
    check(name, x, y, ulps=5)
    for shift in range(1, 9):  # every value in every lane, beside harmless ones
        harmless, _ = arguments_of(name, dtype, 8 * special.size)
        harmless[shift - 1 :: 8] = special
        check(name, harmless, harmless[::-1].copy(), ulps=5)


@dtypes
@pytest.mark.parametrize("name", ["exp", "log", "sin", "hypot", "power"])
@pytest.mark.parametrize("count", LENGTHS)
def test_lengths(name, dtype, count):
    check(name, *arguments_of(name, dtype, count, seed=count), ulps=5)


@dtypes
@pytest.mark.parametrize("name", ["exp", "tanh", "arctan2", "power"])
@pytest.mark.parametrize("step", [2, -1, -3])
def test_strided_views(name, dtype, step):
    x, y = arguments_of(name, dtype, 997)
    check(name, x[::step], y[::step], ulps=5)


@dtypes
def test_powers_near_one(dtype):
    """Large exponents magnify the error of the logarithm."""
    random = np.random.default_rng(5)
    x = random.uniform(0.9, 1.1, 50021).astype(dtype)
    x = np.where(x == 1, dtype(1.5), x)
    largest = 0.98 * np.log2(float(np.finfo(dtype).max))
    y = (random.uniform(-1, 1, x.size) * largest / np.log2(x.astype(np.float64))).astype(dtype)
    out = np.empty_like(x)
    loop("power")(x, y, out)
    wide = np.longdouble if dtype == np.float64 else np.float64
    exact = np.power(x.astype(wide), y.astype(wide))
    assert (abs(out - exact) / np.spacing(abs(out))).max() < 2


# accuracy="high"


def assert_within_one_ulp(got, exact):
    """`exact` has more bits; subnormal results are rounded where bits are missing."""
    unit = np.spacing(abs(exact.astype(got.dtype)))
    normal = np.isfinite(unit) & (abs(exact) > np.finfo(got.dtype).tiny)
    error = np.where(normal, abs(got.astype(exact.dtype) - exact), 0) / np.where(normal, unit, 1)
    assert error.max() <= 1, (error.max(), got[error.argmax()])


@dtypes
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_high_accuracy(name, dtype):
    x, y = arguments_of(name, dtype, 20011)
    x[::3] /= 64  # where libm's functions are worst
    if name == "arccosh":
        x = 1 + abs(x)
    out = np.empty_like(x)
    loop(name, "high")(x, y, out)
    wide = [v.astype(np.longdouble if dtype == np.float64 else np.float64) for v in (x, y)]
    assert_within_one_ulp(out, getattr(np, name)(*wide[: 2 if name in BINARY else 1]))


@pytest.mark.parametrize("name", ["erf", "erfc", "gamma", "lgamma"])
def test_high_accuracy_of_special_functions(name):
    import ctypes

    exact = getattr(ctypes.CDLL("libm.so.6"), {"gamma": "tgamma"}.get(name, name) + "l")
    exact.restype, exact.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
    f = define(f"def f(x):\n    return math.{name}(x)\n", decorator=njit(accuracy="high"))
    x = np.random.default_rng(6).uniform(0.1, 20, 5000)
    assert [f(v) for v in x.tolist()] == [exact(v) for v in x.tolist()]
    narrow = x.astype(np.float32)
    got = np.array([f(v) for v in narrow])
    assert_within_one_ulp(got.astype(np.float32), np.array([exact(v) for v in narrow.tolist()]))


@dtypes
@pytest.mark.parametrize("name", ["tanh", "cosh", "log10", "cbrt"])
def test_high_accuracy_keeps_special_values(name, dtype):
    with np.errstate(over="ignore"):
        special = np.array(SPECIAL).astype(dtype)
    check(name, special, special, ulps=1, accuracy="high")


def test_scalar_calls_are_libm():
    f = define("def f(x):\n    return math.tanh(x), math.atan2(x, 3.0), math.erf(x), math.cbrt(x)\n")
    for x in np.random.default_rng(1).uniform(-10, 10, 500).tolist():
        assert f(x) == (math.tanh(x), math.atan2(x, 3.0), math.erf(x), math.cbrt(x))


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_half_a_register_divides_without_exceptions(cpu, size, monkeypatch):
    """A CPU without AVX has registers of two float64, where float32 fill half of one."""
    monkeypatch.setenv("PYARRAY_CPU_NAME", cpu)
    monkeypatch.setenv("PYARRAY_CPU_FEATURES", "")
    f = define("def f(x, y, z):\n    return math.exp(-0.5 * ((x - y) / z) ** 2)\n", decorator=vectorize(cache=False))
    x, wide = np.linspace(1, 2, size, dtype=np.float32), np.linspace(1, 2, size)
    with np.errstate(all="raise"):
        assert np.allclose(f(x, np.float32(0.5), np.float32(1.5)), np.exp(-0.5 * ((wide - 0.5) / 1.5) ** 2))


def test_raising_functions_are_as_in_python():
    text = "def f(x):\n    for i in range(x.shape[0]):\n        x[i] = math.exp(x[i])\n"
    f = define(text, decorator=strict)
    x = np.random.default_rng(2).uniform(-10, 10, 1003)
    wanted = np.array([math.exp(v) for v in x.tolist()])
    f(x)
    assert np.array_equal(x, wanted)
    with pytest.raises(OverflowError, match="math range error"):
        f(np.full(9, 1000.0))


# What NumPy reads after the loops of a ufunc: raised for what is wrong with an element, for nothing else.


def raised_by(function, *arguments):
    """Names of the floating-point exceptions that a compiled function leaves behind."""
    import ctypes

    libm = ctypes.CDLL("libm.so.6")
    function(*arguments)
    libm.feclearexcept(0x3D)
    function(*arguments)
    raised = libm.fetestexcept(0x3D)
    libm.feclearexcept(0x3D)
    return {name for name, bit in (("invalid", 1), ("divide", 4), ("overflow", 8)) if raised & bit}


@dtypes
@pytest.mark.parametrize(
    "name, values, raised",
    [
        ("exp", [-math.inf, math.inf, math.nan, -1e30, 0.0], set()),
        ("exp", [1000.0], {"overflow"}),
        ("log", [math.inf, math.nan, 1e-40, 1.0], set()),
        ("log", [0.0], {"divide"}),
        ("log", [-1.0], {"invalid"}),
        ("sin", [1e30, math.nan, 0.0, 5.0], set()),
        ("sin", [math.inf], {"invalid"}),
        ("tanh", [math.inf, -math.inf, math.nan, 0.0], set()),
        ("arctan", [math.inf, -math.inf, math.nan, 1e30], set()),
        ("arccosh", [math.inf, math.nan, 1.0, 1e30], set()),
        ("expm1", [-math.inf, math.inf, -1e30, -700.0], set()),
        ("sinh", [math.inf, 88.0, -88.3, 1e-30], set()),
    ],
)
def test_exceptions(name, values, raised, dtype):
    x = np.full(67, 1.5, dtype)
    with np.errstate(over="ignore"):
        x[3 : 3 + len(values)] = np.array(values).astype(dtype)
    assert raised_by(loop(name), x, x, np.empty_like(x)) == raised


@dtypes
def test_exceptions_of_lanes_that_do_not_count(dtype):
    f = define(
        "def f(x, out):\n    for i in range(x.shape[0]):\n"
        "        if x[i] >= 0.5:\n            out[i] = np.log(x[i])\n        else:\n            out[i] = -1.0\n"
    )
    x = np.tile(np.array([0.0, 1.0, -1.0, 0.25, 3.0], dtype), 30)
    out = np.empty_like(x)
    assert raised_by(f, x, out) == set()
    wanted = np.where(x >= 0.5, np.log(np.maximum(x, 0.5)), -1).astype(dtype)
    assert np.allclose(out, wanted, rtol=1e-6)


def test_option():
    assert njit(accuracy="high")(lambda x: x).targetoptions == {"accuracy": "high"}
    with pytest.raises(ValueError, match="accuracy is 'default' or 'high', not 'low'"):
        njit(accuracy="low")
