"""Text of floats: the shortest that reads back, of every width, and the same in every locale."""
# ruff: noqa: E501, UP031

import io
import os
import shutil
import struct
import subprocess
import sys
import textwrap
from contextlib import redirect_stdout
from typing import NamedTuple

import numpy as np
import pytest
from pyarray import njit


@njit
def text(x):
    return str(x)


def of_bits(bits, dtype):
    return np.array(bits, f"u{np.dtype(dtype).itemsize}").view(dtype)[()]


def edges(dtype):
    """Numbers around each power of two, and their negatives."""
    info = np.finfo(dtype)
    for exponent in range(2 ** (info.bits - info.nmant - 1)):
        for offset in (-2, -1, 0, 1, 2, 1 << (info.nmant - 1)):
            bits = (exponent << info.nmant) + offset
            if bits >= 0:
                yield of_bits(bits, dtype)
                yield -of_bits(bits, dtype)


def test_edges_of_binades():
    for x in edges("f8"):
        assert text(float(x)) == repr(float(x))
    for x in edges("f4"):
        assert text(x) == str(x)


def test_all_halves():
    for bits in range(1 << 16):
        x = of_bits(bits, "f2")
        assert text(x) == str(x)


def test_random_floats():
    random = np.random.default_rng(1)
    for x in random.integers(0, 2**32, 20000, dtype="u4").view("f4"):
        assert text(x) == str(x)
    for x in random.integers(0, 2**64, 20000, dtype="u8").view("f8"):
        assert text(float(x)) == repr(float(x))


@pytest.mark.parametrize("dtype", ["f4", "f2"])
def test_thresholds_of_exponents(dtype):
    for exponent in range(-7, 38 if dtype == "f4" else 4):
        for factor in (0.99999, 1, 1.0001, 1.5, 9.875):
            x = np.float64(factor * 10.0**exponent).astype(dtype)
            assert text(x) == str(x)


PARTS = [0.0, -0.0, 0.1, -1.1, 1e6, 123456789.0, 1e16, 1e-5, float("inf"), float("-inf"), float("nan")]


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_complex_numbers(kind):
    for real in PARTS:
        for imag in PARTS:
            z = kind(complex(real, imag))
            assert text(z) == (str(z) if kind is np.complex64 else str(complex(z)))


class Pair(NamedTuple):
    first: float
    second: int


WAYS = [
    lambda x: repr(x),
    lambda x: ascii(x),
    lambda x: f"{x}",
    lambda x: f"{x!r} {x!s}",
    lambda x: format(x),
    lambda x: f"{x}",
    lambda x: f"{x!s}",
    lambda x: "%s" % x,
    lambda x: "%r" % (x,),
    lambda x: str((x, 1)),
    lambda x: str([x]),
    lambda x: str({1: x}),
    lambda x: str({x}),
    lambda x: str(Pair(x, 1)),
    lambda x: ",".join([str(x), repr(x)]),
    lambda x: str(x if x > 0 else None),
]


@pytest.mark.parametrize("number", range(len(WAYS)))
def test_every_way_to_text(number):
    way = WAYS[number]
    for x in (np.float32(0.1), np.float16(0.1), np.float32(3.4e7), np.float16(1234), 0.1):
        plain = float(str(x))  # Python's float with as many digits
        want = way(plain).replace(str(plain), str(x))
        assert njit(way)(x) == want


def test_printed():
    @njit
    def show(x, z):
        print(x, (x, 1), [x], z, f"{x}")

    out = io.StringIO()
    with redirect_stdout(out):
        show(np.float32(0.1), np.complex64(0.1 + 1.1j))
    assert out.getvalue() == "0.1 (0.1, 1) [0.1] (0.1+1.1j) 0.1\n"


def test_a_specification_is_of_the_float():
    @njit
    def texts(x):
        return f"{x:.3f}", f"{x:20}", "%.10g" % x, f"{x:g}"

    for x in (np.float32(0.1), np.float16(0.1)):
        assert texts(x) == texts.py_func(x)


def test_elements_of_arrays():
    @njit
    def joined(a):
        return " ".join([str(x) for x in a])

    a = np.array([0.1, -2.5, 1e10, 1e-7, 16777216], "f4")
    assert joined(a) == " ".join(str(x) for x in a)


SPECS = [
    "e",
    ".0e",
    "#.0e",
    "f",
    ".0f",
    "#.0f",
    ".30f",
    "g",
    ".0g",
    "#g",
    "#.3g",
    ".17g",
    "%",
    "#.0%",
    ".3",
    "#.1",
    ".20",
    "#",
    "012",
    ",",
    ",.2f",
    "_",
    "E",
    "G",
]


@pytest.mark.parametrize("spec", SPECS)
def test_specifications(spec):
    @njit
    def formatted(x, spec):
        return format(x, spec)

    random = np.random.default_rng(2)
    numbers = [
        0.0,
        -0.0,
        0.5,
        1.5,
        2.5,
        9.5,
        99.95,
        1e15,
        1e16,
        1e22,
        1e300,
        5e-324,
        1e-5,
        123456789.125,
        float("inf"),
        float("nan"),
    ]
    for x in numbers + random.integers(0, 2**64, 300, dtype="u8").view("f8").tolist():
        assert formatted(x, spec) == format(x, spec), x


def test_rounding_of_halves_is_exact():
    @njit
    def rounded(x, digits):
        return round(x, digits)

    for x in (0.5, 2.5, 2.675, 1.005, 5e22, 150.0, 250.0, 1e300, -0.5, 0.125):
        for digits in (-300, -23, -3, -2, -1, 0, 1, 2, 3, 17, 300):
            assert struct.pack("d", rounded(x, digits)) == struct.pack("d", round(x, digits)), (x, digits)


PROGRAM = textwrap.dedent("""
    import locale, math, sys
    locale.setlocale(locale.LC_ALL, sys.argv[1])
    import numpy as np
    from pyarray import cuda, njit

    @njit
    def texts(x):
        return str(x), repr(x), f"{x:.3f}", "%.2f" % x, "{:e}".format(x), "%d" % x, f"{x:%}", f"{x:g}", str([x]), str(x + 1j)

    @njit
    def numbers(x, text):
        return float(text), complex(text), round(x, 1), round(1000 * x, -2), math.degrees(x), np.deg2rad(x), math.radians(x), 0.25 * x

    @njit
    def fails():
        raise ValueError(2.5, 1e-7)

    @njit
    def of_float32(x):
        return str(x), f"{x:.3f}"

    assert texts(1.2345) == texts.py_func(1.2345), texts(1.2345)
    assert numbers(1.26, "2.5") == numbers.py_func(1.26, "2.5"), numbers(1.26, "2.5")
    assert of_float32(np.float32(1.1)) == ("1.1", "1.100")
    try:
        fails()
    except ValueError as error:
        assert error.args == (2.5, 1e-7), error.args

    @cuda.jit
    def kernel(x):
        print(x)

    kernel[1, 1](1.5)
    cuda.synchronize()
""")


def test_a_decimal_comma_changes_nothing(tmp_path):
    if not shutil.which("localedef"):
        pytest.skip("no localedef")
    made = subprocess.run(
        ["localedef", "-c", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")], capture_output=True
    )
    if not (tmp_path / "de_DE.UTF-8").exists():
        pytest.skip(f"localedef makes no locale: {made.stderr[:200]}")
    environment = {
        **os.environ,
        "LOCPATH": str(tmp_path),
        "PYARRAY_CACHE_DIR": str(tmp_path / "cache"),
        "PYARRAY_CUDA": "cpu",
    }
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(tmp_path / "program.py"), "de_DE.UTF-8"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.500000\n"
