"""Numbers of bytes and text, text of bytes, in compiled code against CPython's."""

import random

import pytest
from compare import check_alike
from pyarray import njit
from pyarray.errors import TypingError


@njit
def complex_of(s):
    return complex(s)


@njit
def from_hex(s):
    return float.fromhex(s)


@njit
def int_of(b, base):
    return int(b, base)


@njit
def int_of_decimal(b):
    return int(b)


@njit
def float_of(b):
    return float(b)


@njit
def decoded(b, encoding, errors):
    by_name = str(b, encoding=encoding, errors=errors), str(object=b, errors=errors)
    return str(b, encoding, errors), str(b, encoding), by_name


@njit
def decoded_alone(b, encoding):
    return str(b, encoding)


COMPLEX = """
1+2j 1-2j -1.5e-3+2.5e+4j 2j -j j +j 1 -0.0 (1+2j) 1e5j 1e-5j inf-infj nan+nanj -infinityj 1_0+2_0j 1+j 1-j -0-0j 3J
1.e3+.5j
1__0 _1 1_ 1_j 1+_2j 1_0x 1_\0 1_0\0
1++2j 1+2 j1 1+2jj 1-+2j e5j 1e j1j () (j 1+2j) --j +-2j 1e5-e5j 0x1 infj+1 1j+2""".split()


@pytest.mark.parametrize("text", [*COMPLEX, "", "  1+2j\n", "( 1+2j )", "1 +2j", "1+ 2j", "1+2 j", "\u0661j"])
def test_complex_of_text(text):
    check_alike(complex_of, text)


@njit
def complex_of_two(a, b):
    return complex(a, b)


@pytest.mark.parametrize("values", [("1", 1), ("1", 1.5), ("1", "2"), (1, "2"), (1.5, "2"), (1j, "2")])
def test_complex_of_text_and_something(values):
    check_alike(complex_of_two, *values)


HEX = """
0x1.8p1 1.8 0x.8 0x1. .8p+3 -0x1p-3 +0xAp2 inf -Infinity nan 0x0p99999 0x1.fffffffffffffp1023
0x1.fffffffffffff7p1023 0x1.fffffffffffff8p1023 0x1p1024 0x1p-1074 0x1p-1075 0x1.8p-1075
0x1.0000000000001p-1075 0x3p-1075 0x0.0000000000001p-1022 0x1p-9999999999999999999999
0x1p9999999999999999999999 0x1.00000000000008p0 0x1.000000000000080000000000000000000000001p0
0x1.00000000000018p0 123456789abcdef0123456789p-40 0x 0xp1 0x1p 0x1pq .p1 1..2 0x1.8p1.5 g --1 0x-1 infinit
0x1p+-2 1p
""".split()


@pytest.mark.parametrize("text", [*HEX, "", " 0x1p3\t"])
def test_from_hex(text):
    check_alike(from_hex, text)


def test_from_hex_of_many():
    numbers = random.Random(1)
    for _ in range(3000):
        digits = "".join(numbers.choice("0123456789abcdef") for _ in range(numbers.randrange(1, 24)))
        point = numbers.randrange(len(digits) + 1)
        low, high = numbers.choice([(-1200, -950), (-60, 60), (900, 1030)])
        exponent = numbers.randrange(low, high)
        text = f"{digits[:point]}.{digits[point:]}p{exponent}"
        try:
            expected = float.fromhex(text)
        except OverflowError:
            with pytest.raises(OverflowError):
                from_hex(text)
        else:
            assert from_hex(text) == expected, text


@pytest.mark.parametrize("kind", [bytes, bytearray])
@pytest.mark.parametrize("base", [0, 2, 10, 16, 36, 1, 37])
@pytest.mark.parametrize("text", [b"12", b" -0x1f ", b"zz", b"1_0", b"", b"\xff", b"0b11"])
def test_int_of_bytes(kind, base, text):
    if text:  # an empty bytearray is an argument like others, too
        check_alike(int_of, kind(text), base)
    check_alike(int_of_decimal, bytes(text))


FLOATS = [b"12", b" -1.5e3 ", b"zz", b"1_0.5", b"", b"\xff", b"inf", bytearray(b"2.5"), bytearray(b"x")]


@pytest.mark.parametrize("text", FLOATS)
def test_float_of_bytes(text):
    check_alike(float_of, text)


@pytest.mark.parametrize("b", [b"ab", bytearray(b"ab"), b""])
def test_text_of_bytes(b):
    check_alike(decoded, b, "ascii", "strict")


@pytest.mark.parametrize(("b", "encoding"), [("a\u00e9".encode(), "utf-8"), (b"a\xff", "latin-1")])
def test_text_of_other_bytes(b, encoding):
    check_alike(decoded_alone, b, encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "no such one"])
def test_errors_of_encodings(encoding):
    with pytest.raises((UnicodeDecodeError, LookupError)) as expected:
        str(b"a\xff", encoding)
    with pytest.raises(expected.type):
        decoded_alone(b"a\xff", encoding)


REFUSED = [lambda x: str("a", "utf-8"), lambda x: str(x, "utf-8"), lambda x: float.fromhex(x)]


@pytest.mark.parametrize("function", REFUSED)
def test_refusals(function):
    with pytest.raises((TypingError, TypeError)):
        njit(function)(2.5)
