# ruff: noqa: E501  (programs in one line)
"""Literals of Python beside NumPy's scalars in NumPy's functions have the others' dtype (NEP 50). Against NumPy."""

import itertools

import numpy as np
import pytest
from compare import define

pytestmark = [pytest.mark.real, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

VALUES = [
    np.uint8(200), np.int8(-100), np.int32(7), np.uint64(2**63 + 5), np.float16(1.5), np.float32(1.1),
    np.complex64(1 + 2j), np.bool_(True),
]  # fmt: skip
LITERALS = ["1", "-1", "300", "2.5", "2j", "18446744073709551615"]
INTEGERS = "gcd lcm left_shift right_shift bitwise_and bitwise_or bitwise_xor".split()
REALS = "floor_divide remainder fmod".split()
NUMBERS = "add multiply divide power maximum fmin".split()
FLOATS = "arctan2 hypot copysign heaviside logaddexp".split()


def outcome(function, value):
    try:
        with np.errstate(all="ignore"):
            return function(value)
    except Exception as error:
        return error


@pytest.mark.parametrize("name", INTEGERS + REALS + NUMBERS + FLOATS)
def test_values_and_types(name):
    for literal, order in itertools.product(LITERALS, (0, 1)):
        arguments = f"x, {literal}" if order else f"{literal}, x"
        function = define(f"def f(x):\n    return np.{name}({arguments})\n")
        for value in VALUES:
            if name in [*FLOATS, "divide"] and value.dtype.kind in "biu":
                continue  # float64 for all integers: docs/language.md
            if name == "power" and len(literal) > 9:
                continue  # beyond the range, where infinities have any sign
            wanted, result = outcome(function.py_func, value), outcome(function, value)
            where = f"np.{name}({arguments}) of {value!r}: {result!r}, NumPy has {wanted!r}"
            if isinstance(wanted, Exception):
                assert isinstance(result, OverflowError if isinstance(wanted, OverflowError) else Exception), where
                continue
            assert not isinstance(result, Exception), where
            assert np.dtype(str(function.nopython_signatures[-1].return_type)) == wanted.dtype, where
            close = {"rtol": 2e-3 if wanted.dtype.itemsize == 2 else 1e-4} if wanted.dtype.kind in "fc" else {"rtol": 0}
            np.testing.assert_allclose(np.asarray(result, wanted.dtype), wanted, err_msg=where, **close)


def test_the_message_of_a_literal_that_does_not_fit():
    for text in ("np.add(x, 256)", "np.left_shift(x, -1)", "np.maximum(300, x)"):
        with pytest.raises(OverflowError, match=r"Python integer -?\d+ out of bounds for uint8") as caught:
            define(f"def f(x):\n    return {text}\n")(np.uint8(1))
        assert text in str(caught.value) and "line 2" in str(caught.value)
    assert define("def f(x):\n    return np.add(x, 255)\n")(np.uint8(1)) == 0


def test_constants_are_literals_and_scalars_are_not():
    f = define(
        "def f(x):\n    k = 2\n    return np.multiply(x, k), np.multiply(x, G), np.multiply(x, np.int64(2)), np.multiply(x, np.uint16(2))\n",
        G=2,
    )
    assert f(np.uint8(255)) == (254, 254, 510, 510)
    assert define(
        "def f():\n    return np.left_shift(np.uint8(255), 1), np.add(np.uint8(255), 1), np.add(1, 2), np.add(True, True)\n"
    )() == (254, 0, 3, True)


TIMES = [
    "add(x, 1)",
    "subtract(1, x)",
    "multiply(x, 2)",
    "divide(x, 2)",
    "divide(x, 2.0)",
    "floor_divide(x, 2)",
    "floor_divide(x, x)",
    "remainder(x, x)",
    "maximum(x, 7)",
    "minimum(7, x)",
    "fmax(x, -1)",
]


@pytest.mark.parametrize("text", TIMES)
def test_timedeltas(text):
    function = define(f"def f(x):\n    return np.{text}\n")
    value = np.timedelta64(5, "s")
    wanted = function.py_func(value)
    assert function(value) == wanted and type(function(value)) in (type(wanted), type(wanted.item()))
