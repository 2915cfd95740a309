"""NumPy's functions of scalars against NumPy: every one with every dtype that it takes, values and result dtypes."""

import itertools

import numpy as np
import pytest
from compare import define, is_same, return_type
from pyarray import errors

pytestmark = [pytest.mark.real, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

INF, NAN = np.inf, np.nan
INTEGERS = "bhilBHIL"
DTYPES = "?" + INTEGERS + "efdFD"
REALS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.5, 2.5, 3.0, -7.25, 1e-30, 80.0, -80.0, INF, -INF, NAN]
COMPLEX = [complex(x, y) for x, y in itertools.product([0.0, -0.0, 0.5, -1.5, 3.0, INF, -INF, NAN], repeat=2)]

COMPLEX_UNARY = (
    "arccos arccosh arcsin arcsinh arctan arctanh cos cosh exp exp2 expm1 log log10 log1p log2 sin sinh sqrt tan tanh "
    "rint square reciprocal sign negative positive conjugate absolute"
).split()
UNARY = [*COMPLEX_UNARY, *"invert logical_not spacing signbit".split()]
BINARY = (
    "gcd lcm float_power left_shift right_shift bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor "
    "floor_divide remainder fmod heaviside nextafter copysign fmax fmin maximum minimum logaddexp logaddexp2 add "
    "multiply power"
).split()


ANY_ZERO = ["maximum", "minimum", "fmax", "fmin"]  # which zero of two is the greater depends on the machine


def expression(text, parameters="x"):
    return define(f"def f({parameters}):\n    return {text}\n")


def values(char):
    """Corner values of a dtype, as scalars of that dtype."""
    dtype = np.dtype(char)
    if char == "?":
        return [np.False_, np.True_]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, 12, 63, limits.max, limits.max - 1, limits.min, limits.min // 2]
        numbers += [-1, -2, -9] if dtype.kind == "i" else []
        return [dtype.type(number) for number in numbers]
    return [dtype.type(number) for number in (COMPLEX if dtype.kind == "c" else REALS)]


def numpy_result(name, arguments):
    with np.errstate(all="ignore"):
        return getattr(np, name)(*arguments)


def takes(name, chars):
    """The dtype of NumPy's result, or None where it refuses such arguments."""
    try:
        return numpy_result(name, [np.dtype(char).type(1) for char in chars]).dtype
    except TypeError:
        return None


def compiled_dtype(chars, dtype):
    """Compiled code computes floats of integers and bools alone in float64."""
    return np.dtype("d") if dtype in (np.float16, np.float32) and not any(char in "efF" for char in chars) else dtype


def wanted_value(name, chars, arguments, dtype):
    """NumPy's, in the precision of compiled code: functions of complex64 go through complex128 there."""
    wide = {"d": np.float64, "F": np.complex128}.get(dtype.char)
    if wide and "D" not in chars and takes(name, chars) != np.float64:
        return numpy_result(name, [wide(argument) for argument in arguments]).astype(dtype)
    return numpy_result(name, arguments)


def close(got, wanted, ulps=4):
    """Within some ulps of the dtype of ``wanted``, by its size; zeros keep their sign, but not beside a NaN."""
    if wanted.dtype.kind not in "fc":
        return got == wanted.item()
    if not isinstance(got, complex):
        step = np.finfo(wanted.dtype).eps
        if np.isnan(wanted) or not np.isfinite(wanted) or wanted == 0:
            return is_same(float(got), float(wanted))
        return abs(got - float(wanted)) <= ulps * max(step * abs(float(wanted)), float(np.spacing(abs(wanted))))
    parts = (got.real, float(wanted.real)), (got.imag, float(wanted.imag))
    for a, b in parts:
        if not np.isfinite(b) or not np.isfinite(complex(wanted)):
            if not (is_same(abs(a), abs(b)) or np.isclose(a, b)):
                return False
        elif abs(a - b) > ulps * np.finfo(wanted.dtype).eps * abs(complex(wanted)):
            return False
    return True


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    check(name, expression(f"np.{name}(x)"), 1)


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    check(name, expression(f"np.{name}(x, y)", "x, y"), 2)


def check(name, f, count):
    taken = 0
    for chars in itertools.product(DTYPES, repeat=count):
        if len(set(chars)) > 1 and set(chars) & set("eiHbhBF"):
            continue  # types like these are there; all pairs are those of arrays (test_ufunc_types.py)
        dtype = takes(name, chars)
        if dtype is None:
            with pytest.raises(errors.TypingError):
                f(*[np.dtype(char).type(1) for char in chars])
            continue
        taken += 1
        dtype = compiled_dtype(chars, dtype)
        check_values(name, f, chars, dtype)
        assert str(return_type(f, *[np.dtype(char).type(1) for char in chars])) == dtype.name, chars
    assert taken


def check_values(name, f, chars, dtype):
    for arguments in itertools.product(*map(values, chars)):
        if name == "reciprocal" and arguments[0] == 0 and chars[0] in "?" + INTEGERS:
            continue  # not defined
        if name == "sign" and chars[0] in "FD" and np.lib.NumpyVersion(np.__version__) < "2.0.0":
            continue  # that of the real part alone
        if name == "power" and arguments[1] == 0.5:
            continue  # a square root in NumPy, which is NaN at -inf, though pow is not
        try:
            wanted = wanted_value(name, chars, arguments, dtype)
        except ValueError:  # integers to negative powers
            with pytest.raises(ValueError):
                f(*arguments)
            continue
        if name in ANY_ZERO and wanted == 0:
            assert f(*arguments) == 0, (arguments, wanted)
            continue
        got = f(*arguments)
        assert close(got, wanted), (arguments, got, wanted)


@pytest.mark.parametrize("exponent", [0, 1, -1, 5, 130, -150, 2000, -2000, 2**31 - 1])
def test_ldexp(exponent):
    f = expression("np.ldexp(x, n)", "x, n")
    for char in "fd":
        for x in values(char):
            wanted = numpy_result("ldexp", (x, exponent))
            assert is_same(f(x, exponent), wanted.item()), (x, wanted)
            assert str(return_type(f, x, exponent)) == wanted.dtype.name


def test_nothing_is_raised():
    for text in ("np.floor_divide(x, y)", "np.remainder(x, y)"):
        f = expression(text, "x, y")
        assert f(7, 0) == 0
        assert not np.isfinite(f(7.0, 0.0))
    f = expression("np.left_shift(x, y)", "x, y")
    assert f(1, -1) == f(1, 64) == 0
    assert expression("np.right_shift(x, y)", "x, y")(-8, 100) == -1


def test_uint64_with_a_literal():
    x = np.uint64(2**63 + 6)
    for text in ("np.bitwise_and(x, 7)", "np.gcd(4, x)", "np.remainder(x, 10)", "np.right_shift(x, 3)"):
        assert expression(text)(x) == eval(text, {"np": np, "x": x})


def test_aliases():
    f = expression("(np.mod(x, 5), np.bitwise_not(x), np.abs(x), np.conj(x))")
    assert f(-7) == (3, 6, 7, -7)


REFUSED = {
    "np.subtract(x, y)": (True, False),
    "np.negative(x)": (True, False),
    "x / y": (np.timedelta64(7, "s"), True),
    "x // y": (np.timedelta64(7, "25ms"), True),
    "x % y": (np.timedelta64(7, "D"), True),
    "np.divide(x, y)": (np.timedelta64(7, "D"), False),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_numpy_has_no_loop_for_is_refused_in_its_words(text):
    function, arguments = expression(text, "x, y"), REFUSED[text]
    with pytest.raises(TypeError) as wanted:
        function.py_func(*arguments)
    with pytest.raises(errors.TypingError) as refused:
        function(*arguments)
    assert str(refused.value).startswith(str(wanted.value))


def test_bools_that_numpy_computes():
    for text in ("x - y", "np.subtract(x, 1)", "np.subtract(True, np.int8(x))", "np.subtract(x, 0.5)", "np.add(x, y)"):
        function = expression(text, "x, y")
        assert function(True, False) == function.py_func(True, False)
    for text in ("x * y", "y * x", "np.multiply(x, y)"):
        function = expression(text, "x, y")
        assert function(np.timedelta64(7, "s"), True) == np.timedelta64(7, "s")
