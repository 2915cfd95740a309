"""float16: every operation, function and conversion gives what NumPy gives, rounded once to the nearest.

Loops over arrays are vectorised, so they are tested beside scalars; on CPUs without conversions of float16 too.
"""

import cmath
import math
import operator
import pickle

import numpy as np
import pyarray
import pytest
from compare import define, expression, outcome, return_type, strict
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pyarray import float16, njit, types

pytestmark = pytest.mark.real

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
SOME = np.concatenate(
    [ALL[::97][~np.isnan(ALL[::97])], np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 65504, 6e-8], np.float16)]
)
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = ["bool", *INTEGERS, "float16", "float32", "float64"]
LARGEST = {np.dtype(name): np.iinfo(name).max for name in INTEGERS}
drawing = settings(max_examples=20, deadline=None, derandomize=True, database=None)


def bits_of(a):
    return np.asarray(a).view({2: np.int16, 4: np.int32, 8: np.int64}[np.asarray(a).dtype.itemsize])


def steps_between(a, b):
    """How many numbers of the type lie between elements; 0 for two NaNs."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.dtype == b.dtype
    if a.dtype.kind != "f":
        return np.abs(a.astype(float) - b.astype(float))
    x, y = (np.where(bits < 0, -(bits & np.iinfo(bits.dtype).max).astype(float), bits) for bits in map(bits_of, (a, b)))
    apart = np.where(np.signbit(a) == np.signbit(b), np.abs(x - y), np.where((a == 0) & (b == 0), 1e9, np.abs(x - y)))
    return np.where(np.isnan(a) | np.isnan(b), np.where(np.isnan(a) & np.isnan(b), 0, 1e9), apart)


def assert_close(result, expected, steps=0, operation=None):
    apart = steps_between(result, expected)
    worst = np.argmax(apart)
    assert apart.ravel()[worst] <= steps, (operation, np.ravel(result)[worst], np.ravel(expected)[worst])


def loop(text, parameters="x, y", **options):
    """A compiled function that stores an expression of the elements of arrays of one length."""
    names = parameters.split(", ")
    taken = "\n        ".join(f"{name} = {name}s[i]" for name in names)
    given = ", ".join(f"{name}s" for name in names)
    source = f"def f({given}, out):\n    for i in range(out.shape[0]):\n        {taken}\n        out[i] = {text}\n"
    return define(source, decorator=njit(error_model="numpy", **options), cmath=cmath, float16=float16)


def elements(dtype):
    return hnp.arrays(dtype, st.integers(1, 20), elements=hnp.from_dtype(np.dtype(dtype)))


# Types --------------------------------------------------------------------------------------------


def test_the_type():
    assert float16 is types.float16 is types.f2 is pyarray.float16 is pyarray.f2
    assert (str(float16), float16.code, float16.bitwidth) == ("float16", "e", 16)
    assert types.from_code("[C2e") == float16[:, ::1] and pickle.loads(pickle.dumps(float16)) is float16
    assert pyarray.typeof(np.float16(1)) is float16 and pyarray.typeof(np.ones((2, 3), "f2")) == float16[:, ::1]
    assert float16(1.1) == np.float16(1.1) and type(float16(1.1)) is np.float16


@pytest.mark.parametrize("signature", ["float16(float16)", "f2(f2)", float16(float16)])
def test_declared(signature):
    double = njit(signature)(lambda x: x + x)
    assert double(1.3) == 2 * np.float16(1.3) and double(7) == 14 and double(np.float32(2048.5)) == 4096
    assert double(1e6) == math.inf and math.isnan(double(math.nan))
    assert double.nopython_signatures == [float16(float16)]


def test_declared_result():
    third = njit("float16(int32)")(lambda x: x / 3)
    assert third(1) == float(np.float16(1 / 3))


@pytest.mark.parametrize("other", [*NUMBERS, "complex64", "complex128"])
def test_promotion(other):
    y = np.dtype(other).type(1)
    add = njit(lambda x, y: (x + y, x * y, x - y, y - x))
    add(np.float16(1), y)
    expected = str(np.result_type(np.float16, other))
    assert [str(kind) for kind in add.nopython_signatures[0].return_type] == [expected] * 4


def test_python_numbers_are_float64():
    add = njit(lambda x, y: x + y)
    assert add(np.float16(1), 0.1) == 1.1 and str(add.nopython_signatures[0].return_type) == "float64"
    assert expression("x + 0.1")(np.float16(1)) == 1.1
    assert type(expression("x ** 2")(np.float16(1.1))) is float


# Operators ----------------------------------------------------------------------------------------

EXACT = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_loops = {}


def cached_loop(text, *arguments, **options):
    key = (text, *arguments, *options.items())
    if key not in _loops:
        _loops[key] = loop(text, *arguments, **options)
    return _loops[key]


def check_operator(symbol, function, x, y, steps=0):
    with np.errstate(all="ignore"):
        expected = function(x, y)
        result = np.empty_like(expected)
        cached_loop(f"x {symbol} y")(x, y, result)
    assert_close(result, expected, steps, symbol)


@pytest.mark.parametrize("symbol", EXACT)
def test_operators_on_float16(symbol):
    x, y = (a.ravel() for a in np.meshgrid(SOME, SOME[::3]))
    check_operator(symbol, EXACT[symbol], x, y)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("other", NUMBERS)
def test_operators_on_pairs(other):
    """All of them on what is drawn: drawing takes longer than computing."""

    @drawing
    @given(elements("float16"), elements(other))
    def check(x, y):
        x, y = np.resize(x, y.size), y.astype(other)
        for symbol, function in [*EXACT.items(), ("**", operator.pow)]:
            check_operator(symbol, function, x, y, steps=symbol == "**")
            check_operator(symbol, function, y, x, steps=symbol == "**")
        wide = [value.item() for value in x], [value.item() for value in y]  # Python compares exactly
        for symbol, function in COMPARISONS.items():
            result = np.empty(y.size, bool)
            cached_loop(f"x {symbol} y")(x, y, result)
            assert result.tolist() == [function(a, b) for a, b in zip(*wide, strict=True)], symbol

    check()


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5, 16, -1, -3, 0.5])
def test_constant_powers(exponent):
    result = np.empty_like(SOME)
    with np.errstate(all="ignore"):
        expected = np.power(SOME.astype(np.float32), np.full(SOME.shape, exponent, np.float32)).astype(np.float16)
        cached_loop(f"np.float16(x ** np.float16({exponent}))", "x")(SOME, result)
        assert_close(result, expected, 1)
        if isinstance(exponent, int):
            cached_loop(f"x ** {exponent}", "x")(SOME, result)
            assert_close(result, expected, 1)


@pytest.mark.parametrize(
    "text",
    [
        "-x",
        "+x",
        "abs(x)",
        "np.negative(x)",
        "np.positive(x)",
        "np.abs(x)",
        "np.fabs(x)",
        "np.conj(x)",
        "x.conjugate()",
    ],
)
def test_signs(text):
    result = np.empty_like(ALL)
    cached_loop(text, "x")(ALL, result)
    expected = {"-": np.negative(ALL), "+": ALL}.get(text[0])
    if expected is None:
        expected = np.negative(ALL) if "negative" in text else np.abs(ALL) if "abs" in text else ALL
    assert_close(result, expected)


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("other", [*NUMBERS])
def test_extremes(other):
    @drawing
    @given(elements("float16"), elements(other))
    def check(x, y):
        x = np.resize(x, y.size)
        for name in ("maximum", "minimum", "fmax", "fmin"):
            expected = getattr(np, name)(x, y)
            result = np.empty_like(expected)
            cached_loop(f"np.{name}(x, y)")(x, y, result)
            np.testing.assert_array_equal(result, expected)
        result = np.empty(y.size, np.result_type(x, y))
        for name, function in (("max", max), ("min", min)):
            cached_loop(f"{name}(x, y)")(x, y, result)
            expected = [function(a.item(), b.item()) for a, b in zip(x, y, strict=True)]
            np.testing.assert_array_equal(result, np.array(expected, result.dtype))

    check()


@pytest.mark.parametrize(
    ("text", "function"),
    [("bool(x)", lambda x: x != 0), ("not x", lambda x: x == 0), ("np.isnan(x)", np.isnan), ("np.isinf(x)", np.isinf),
     ("np.isfinite(x)", np.isfinite), ("np.signbit(x)", np.signbit), ("math.isnan(x)", np.isnan),
     ("math.isinf(x)", np.isinf), ("np.logical_not(x)", np.logical_not)],
)  # fmt: skip
def test_tests(text, function):
    result = np.empty(ALL.shape, bool)
    cached_loop(text, "x")(ALL, result)
    np.testing.assert_array_equal(result, function(ALL))


def test_errors_of_division():
    for text in ("x / y", "x // y", "x % y", "divmod(x, y)"):
        kind, error, _ = outcome(expression(text, "x, y"), (np.float16(1), np.float16(0)))
        assert (kind, error) == ("raised", ZeroDivisionError), text
    assert expression("divmod(x, y)", "x, y")(np.float16(7.5), np.float16(-2)) == (-4.0, -0.5)
    assert outcome(expression("math.sqrt(x)", decorator=strict), (np.float16(-1),))[1] is ValueError
    assert outcome(expression("math.log(x)", decorator=strict), (np.float16(0),))[1] is ValueError


# No excess precision ------------------------------------------------------------------------------

CHAINS = [
    "(x + y) - x",
    "x * y + x",
    "(x + y) * (x - y) / y",
    "x * y * x * y",
    "x + y + x + y - x",
    "-(x * y) - x",
    "np.sqrt(x * x + y * y)",
]


@pytest.mark.parametrize("text", CHAINS)
def test_chains_round_each_step(text):
    generator = np.random.default_rng(3)
    x, y = (generator.standard_normal(5000).astype(np.float16) for _ in range(2))
    expected = eval(text)
    result = np.empty_like(expected)
    cached_loop(text)(x, y, result)
    assert_close(result, expected)
    scalar = expression(text, "x, y")
    for i in range(50):
        assert scalar(x[i], y[i]) == float(expected[i])


def test_constants_round_as_they_are_folded():
    source = """
def f():
    a, b, tenth = float16(2048.0), float16(1.0), float16(0.1)
    return (a + b) - a, (a + b + b) - a, float16(65504) * float16(2), b / float16(3), tenth * tenth
"""
    tenth = np.float16(0.1)
    expected = (0, 0, math.inf, float(np.float16(1 / 3)), float(tenth * tenth))
    assert define(source.lstrip(), float16=float16)() == expected
    assert expression("np.float16(0.1) == 0.1", "")() is False
    assert expression("x ** np.float64(np.float16(0.1))")(2.0) == 2.0 ** float(tenth)


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_cpus_without_conversions(cpu, monkeypatch):
    monkeypatch.setenv("PYARRAY_CPU_NAME", cpu)
    monkeypatch.setenv("PYARRAY_CPU_FEATURES", "")
    x, y = (a.ravel() for a in np.meshgrid(SOME[::5], SOME[::7]))
    with np.errstate(all="ignore"):
        for text in ("x * y + x", "x // y", "np.float16(np.float64(x) * y)", "np.float16(np.sqrt(np.float32(x)))"):
            expected = x * y + x if "+" in text else x // y if "//" in text else np.sqrt(x) if "sqrt" in text else x * y
            result = np.empty_like(x)
            loop(text)(x, y, result)
            assert_close(result, expected)


# Conversions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["float32", "float64"])
def test_rounding_from_floats(source):
    finite = np.sort(ALL[np.isfinite(ALL)].astype(source))
    middle = (finite[1:] + finite[:-1]) / 2
    generator = np.random.default_rng(5)
    kinds = {"float32": np.uint32, "float64": np.uint64}
    anything = generator.integers(0, np.iinfo(kinds[source]).max, 200000, kinds[source], endpoint=True).view(source)
    ends = np.array(
        [65519.996, 65520, np.inf, -np.inf, np.nan, -0.0, np.finfo(source).max, np.finfo(source).smallest_subnormal],
        source,
    )
    beside = [np.nextafter(middle, np.array(to, source)) for to in (np.inf, -np.inf)]
    x = np.concatenate([finite, middle, *beside, anything, ends, generator.uniform(-1e-4, 1e-4, 100000).astype(source)])
    with np.errstate(all="ignore"):
        expected = x.astype(np.float16)
    for text in ("x", "np.float16(x)"):
        result = np.empty_like(expected)
        cached_loop(text, "x")(x, result)
        assert_close(result, expected)
    convert = expression("np.float16(x)")
    with np.errstate(all="ignore"):
        for value in np.concatenate([ends, middle[::2000], anything[:100]]):
            assert_close(np.float16(convert(value)), value.astype(np.float16))


@pytest.mark.parametrize("source", ["bool", *INTEGERS])
def test_rounding_from_integers(source):
    @drawing
    @given(elements(source))
    def check(x):
        result = np.empty(x.shape, np.float16)
        cached_loop("x", "x")(x, result)
        with np.errstate(all="ignore"):
            assert_close(result, x.astype(np.float16))

    check()
    if source not in ("bool", "int8", "uint8"):
        x = np.arange(20000).astype(source)
        result = np.empty(x.shape, np.float16)
        cached_loop("x", "x")(x, result)
        assert_close(result, x.astype(np.float16))


@pytest.mark.parametrize("target", ["float32", "float64", "complex64", "complex128", "bool"])
def test_to_wider_types(target):
    result = np.empty(ALL.shape, target)
    cached_loop("x", "x")(ALL, result)
    np.testing.assert_array_equal(result, ALL.astype(target))


@pytest.mark.parametrize("target", INTEGERS)
def test_to_integers(target):
    information = np.iinfo(target)
    with np.errstate(all="ignore"):
        whole = np.trunc(ALL.astype(float))
    fits = (whole >= information.min) & (whole <= information.max)
    result = np.empty(ALL.shape, target)
    cached_loop("x", "x")(ALL, result)
    np.testing.assert_array_equal(result[fits], ALL[fits].astype(target))
    large, small = whole > information.max, whole < information.min
    assert (result[large] == information.max).all() and (result[small] == information.min).all()


def test_from_complex():
    z = np.array([1.1 + 2j, 3e5 - 1j, -2 + 0j], np.complex64)
    result = njit(lambda z: np.float16(z.real))(z[0])
    assert result == float(np.float16(z[0].real))


# Functions ----------------------------------------------------------------------------------------

WITH_NUMPY = (
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt "
    "cbrt floor ceil trunc rint sign square reciprocal degrees radians deg2rad rad2deg spacing absolute"
).split()
WITH_NUMPY_OF_TWO = (
    "arctan2 hypot fmod copysign nextafter heaviside logaddexp logaddexp2 power remainder floor_divide add subtract "
    "multiply divide"
).split()
WITHOUT_ERROR = {"floor", "ceil", "trunc", "rint", "sign", "square", "reciprocal", "sqrt", "spacing", "absolute"}


@pytest.mark.parametrize("name", WITH_NUMPY)
def test_functions_of_one(name):
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(ALL)
        result = np.empty_like(expected)
        cached_loop(f"np.{name}(x)", "x")(ALL, result)
    assert expected.dtype == np.float16
    assert_close(result, expected, 0 if name in WITHOUT_ERROR else 1)
    function = expression(f"np.{name}(x)")
    function(np.float16(0.5))
    assert return_type(function, np.float16(0.5)) == float16


@pytest.mark.parametrize(
    "name",
    WITH_NUMPY_OF_TWO,
)
def test_functions_of_two(name):
    x, y = (a.ravel() for a in np.meshgrid(SOME, SOME[::3]))
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x, y)
        result = np.empty_like(expected)
        cached_loop(f"np.{name}(x, y)")(x, y, result)
    assert expected.dtype == np.float16
    assert_close(result, expected, 1 if name in ("arctan2", "hypot", "logaddexp", "logaddexp2", "power") else 0)


@pytest.mark.parametrize(
    "name", "sin cos exp expm1 atan asinh erf erfc tanh fabs cbrt degrees radians gamma sqrt log1p".split()
)
def test_math_is_computed_in_float32(name):
    x = np.linspace(0.01, 4, 300).astype(np.float16)
    result = np.empty_like(x)
    cached_loop(f"math.{name}(x)", "x")(x, result)
    function = getattr(math, name, None) or np.cbrt
    assert_close(result, np.array([function(float(value)) for value in x]).astype(np.float16), 1)


def test_parts():
    x = np.float16(-2.75)
    assert expression("math.frexp(x)")(x) == math.frexp(x) and expression("math.modf(x)")(x) == math.modf(x)
    assert expression("math.ldexp(x, 3)")(x) == -22 and expression("math.floor(x), math.ceil(x), int(x), round(x)")(
        x
    ) == (-3, -2, -2, -3)
    assert expression("math.ulp(x)")(x) == 2.0**-9 and expression("math.ulp(x)")(np.float16(0)) == 2.0**-24
    assert expression("math.nextafter(x, y)", "x, y")(x, np.float16(0)) == -2.75 + 2.0**-9
    assert expression("round(x, 1)")(x) == float(np.float16(-2.8)) and expression("math.hypot(x, x, x)")(
        np.float16(1)
    ) == float(np.float16(3**0.5))
    assert expression("x.real, x.imag")(x) == (-2.75, 0)
    with_cmath = define("def f(x):\n    return cmath.exp(x), cmath.rect(x, x), complex(x, x)\n", cmath=cmath)
    with_cmath(np.float16(0.5))
    assert [str(kind) for kind in with_cmath.nopython_signatures[0].return_type] == ["complex64"] * 3


def test_sums():
    a = np.array([0.1, 2048, 1, 1, -3], np.float16)
    assert njit(lambda a: math.fsum(a))(a) == math.fsum(a)
    assert njit(lambda a: math.prod(a))(a[:3]) == float(a[0] * a[1] * a[2])
    if hasattr(math, "sumprod"):
        assert define("def f(a):\n    return math.sumprod(a, a)\n")(a) == math.fsum(float(x) * float(x) for x in a)
