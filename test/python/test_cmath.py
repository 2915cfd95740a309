"""All of `cmath` against CPython over corner values: results, exceptions, types of complex64."""

import cmath
import inspect
import itertools
import math
import random

import numpy as np
import pytest
from compare import assert_same, define, is_same, outcome, return_type, strict
from pyarray import cuda, errors, njit, prange

pytestmark = pytest.mark.real

INF, NAN = math.inf, math.nan
PARTS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.7, 100.0, 1e-200, -1e-200, 1e-310, 710.0, -745.2]
PARTS += [1e154, 1e200, -1e308, INF, -INF, NAN]
VALUES = [complex(x, y) for x, y in itertools.product(PARTS, repeat=2)]
VALUES += [complex(x, y) for x, y in itertools.product([math.nextafter(1, 2), 0.99999999], [1e-9, -1e-12, 0.0])]

UNARY = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh".split()
TESTS = ["isfinite", "isinf", "isnan"]
ELSEWHERE = ["isclose", "phase", "polar", "rect"]
CONSTANTS = ["e", "inf", "infj", "nan", "nanj", "pi", "tau"]

numpy_errors = njit(error_model="numpy")


def expression(text, parameters="z", decorator=strict):
    return define(f"def f({parameters}):\n    return {text}\n", decorator=decorator, cmath=cmath)


def test_every_name_of_cmath_is_tested():
    names = {name for name in vars(cmath) if not name.startswith("_")}
    assert names == {*UNARY, *TESTS, *ELSEWHERE, *CONSTANTS}
    assert {name for name in names if inspect.isbuiltin(getattr(cmath, name))} == names - set(CONSTANTS)


def near(got, wanted, ulps):
    """Complex results agree by their distance, relative to their size; zeros and what is not finite in each part."""
    if not isinstance(wanted, complex) or not isinstance(got, complex):
        return is_same(got, wanted, ulps)
    parts = (got.real, wanted.real), (got.imag, wanted.imag)
    size = max(abs(wanted.real), abs(wanted.imag))
    for a, b in parts:
        if b == 0 or size < 1e-290 or not cmath.isfinite(wanted):
            if not is_same(a, b, ulps):
                return False
        elif abs(a - b) > ulps * 2.0**-53 * size:
            return False
    return True


def check(function, *arguments, ulps=4):
    """Compares with CPython."""
    result, wanted = outcome(function, arguments), outcome(function.py_func, arguments)
    shown = f"{arguments}: {result}, but CPython {wanted}"
    assert result[0] == wanted[0], shown
    assert near(result[1], wanted[1], ulps) if result[0] == "returned" else result == wanted, shown


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    f = expression(f"cmath.{name}(z)")
    for z in VALUES:
        check(f, z)


@pytest.mark.parametrize("name", UNARY)
def test_unary_of_random_numbers(name):
    numbers = random.Random(name)
    f = expression(f"cmath.{name}(z)")
    for _ in range(500):
        check(f, complex(numbers.gauss(0, 3), numbers.gauss(0, 3)), ulps=8)


@pytest.mark.parametrize("name", UNARY)
def test_unary_of_real_numbers(name):
    f = expression(f"cmath.{name}(z)")
    for x in (0, 1, -1, 2, -7, True, False, 0.5, -0.5, 1.0, -1.0, 3.7, 1e6, -0.0, INF, -INF, NAN):
        check(f, x)


@pytest.mark.parametrize("name", TESTS)
def test_tests(name):
    f = expression(f"cmath.{name}(z)")
    for z in [*VALUES, *PARTS, 1, True]:
        assert_same(f, z)


@pytest.mark.parametrize("name", ["phase", "polar"])
def test_phase_and_polar(name):
    f = expression(f"cmath.{name}(z)")
    for z in [*VALUES, complex(1.7e308, 1.7e308), 1, -2, True, -0.5, -0.0]:
        imag = complex(z).imag
        if name == "polar" or imag == 0 or not abs(imag) < 1e-190:  # CPython 3.11 takes underflow for overflow
            assert_same(f, z, ulps=1)


def test_rect():
    f = expression("cmath.rect(r, phi)", "r, phi")
    for r, phi in itertools.product([*PARTS, 3, -2, True], repeat=2):
        assert_same(f, r, phi, ulps=1)


def test_log_with_base():
    f = expression("cmath.log(z, base)", "z, base")
    bases = [0, 1, 2, 10.0, 0.5, -1, 1j, 0j, 1 + 0j, -2 + 3j, complex(INF, 1), complex(NAN, 0)]
    for z, base in itertools.product([*VALUES[::7], 0, 1, 2.5, 0j], bases):
        check(f, z, base, ulps=8)


def test_isclose():
    values = [0j, 1, 1 + 1e-10j, 1 + 1e-8, 1j, complex(INF, 0), complex(INF, 1), complex(NAN, 0), 1e300 + 1e300j, True]
    f = expression("cmath.isclose(a, b)", "a, b")
    g = expression("cmath.isclose(a, b, rel_tol=r, abs_tol=t)", "a, b, r, t")
    for a, b in itertools.product(values, repeat=2):
        assert_same(f, a, b)
        for r, t in itertools.product([0, 1e-9, 0.5, INF, -1.0], [0, 1e-9, 2.0, -1e-9]):
            assert_same(g, a, b, r, t)


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name):
    assert_same(expression(f"cmath.{name}", ""))


def test_literals():
    """The compiler may compute these itself."""
    for name, z in itertools.product(UNARY, ["0j", "1", "-1.0", "2 + 3j", "cmath.infj", "cmath.nan"]):
        check(expression(f"cmath.{name}({z})", ""))


@pytest.mark.parametrize("name", UNARY)
def test_complex64_stays_complex64(name):
    f = expression(f"cmath.{name}(z)")
    for z in (np.complex64(0.5 + 0.25j), np.complex64(-1.5 + 2j), np.float32(0.75)):
        assert f(z) == pytest.approx(getattr(cmath, name)(z), rel=3e-7)
        assert str(return_type(f, z)) == "complex64"


def test_parts_of_complex64_are_float32():
    z = np.complex64(-1.5 + 2j)
    for text, wanted in [("cmath.phase(z)", "float32"), ("cmath.polar(z)", "UniTuple(float32 x 2)")]:
        f = expression(text)
        assert f(z) == pytest.approx(eval(text, {"cmath": cmath, "z": z}), rel=3e-7)
        assert str(return_type(f, z)) == wanted
    f = expression("cmath.rect(r, phi)", "r, phi")
    assert f(np.float32(2), np.float32(0.5)) == pytest.approx(cmath.rect(2, 0.5), rel=3e-7)
    assert str(return_type(f, np.float32(2), np.float32(0.5))) == "complex64"


def test_what_is_no_complex64_is_out_of_range():
    f = expression("cmath.exp(z)")
    assert outcome(f, (np.complex64(100 + 1j),)) == ("raised", OverflowError, ("math range error",))


@pytest.mark.parametrize("name", UNARY)
def test_numpy_error_model_raises_nothing(name):
    f = expression(f"cmath.{name}(z)", decorator=numpy_errors)
    for z in VALUES:
        wanted = outcome(getattr(cmath, name), (z,))
        assert wanted[0] == "raised" or near(f(z), wanted[1], 4), z
        assert isinstance(f(z), complex)


def test_numpy_error_model_of_the_others():
    assert expression("cmath.log(z, 1)", decorator=numpy_errors)(2j).real == INF
    assert expression("cmath.polar(z)", decorator=numpy_errors)(complex(1.7e308, 1.7e308))[0] == INF
    assert cmath.isnan(expression("cmath.rect(1.0, z)", decorator=numpy_errors)(INF))


@pytest.mark.parametrize("text", ["cmath.rect(z, 1)", "cmath.isclose(1, z, rel_tol=1j)", "cmath.exp((z, z))"])
def test_wrong_types_are_refused(text):
    with pytest.raises(errors.TypingError):
        expression(text)(1j)


def test_threads_do_not_share_results():
    source = """
def f(n, out):
    for i in prange(n):
        out[i] = cmath.exp(complex(0.0, i * 0.001)) * cmath.rect(1.0, -0.001 * i)
"""
    f = define(source, decorator=njit(parallel=True), cmath=cmath, prange=prange)
    out = np.zeros(200_000, np.complex128)
    f(out.size, out)
    assert abs(out - 1).max() < 1e-12


def test_kernels():
    """Every function in a kernel: the same values, and no exception."""
    lines = "".join(f"        out[{row}, i] = cmath.{name}(z[i])\n" for row, name in enumerate(UNARY))
    source = f"""
def f(z, out, polar):
    i = cuda.grid(1)
    if i < z.size:
{lines}
        r, phi = cmath.polar(z[i])
        polar[i] = cmath.rect(r, phi) if cmath.isfinite(z[i]) else complex(cmath.phase(z[i]), cmath.isnan(z[i]))
"""
    kernel = define(source, decorator=cuda.jit, cmath=cmath, cuda=cuda)
    z = np.array(VALUES)
    out, polar = np.zeros((len(UNARY), z.size), complex), np.zeros(z.size, complex)
    kernel[(z.size + 63) // 64, 64](z, out, polar)
    for name, row in zip(UNARY, out):
        for x, got in zip(VALUES, row):
            wanted = outcome(getattr(cmath, name), (x,))
            assert wanted[0] == "raised" or near(complex(got), wanted[1], 8), (name, x, got, wanted)
    for x, got in zip(VALUES, polar):
        wanted = x if cmath.isfinite(x) else complex(math.atan2(x.imag, x.real), cmath.isnan(x))
        assert np.isclose(got, wanted, rtol=1e-12, atol=0, equal_nan=True) or abs(x) > 1e300 or abs(x) < 1e-290, x
