"""Bytes of integers, text of floats in hexadecimal, and constants whose parts exceed 64 bits, against CPython."""

import math

import pytest
from compare import agrees, define
from pyarray import njit

NUMBERS = [0, 1, -1, 127, 128, -128, -129, 255, 256, 65535, -32768, 10**12, 2**62, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("signed", [False, True])
def test_to_bytes(order, signed):
    def f(n, length):
        return n.to_bytes(length, order, signed=signed)

    for n in NUMBERS:
        for length in (0, 1, 2, 7, 8, 9, 12):
            agrees(f, n, length)


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("signed", [False, True])
def test_from_bytes(order, signed):
    def f(text):
        return int.from_bytes(text, order, signed=signed), int.from_bytes(
            [code for code in text], byteorder=order, signed=signed
        )

    for text in (
        b"",
        b"\x01",
        b"\xff",
        b"\x80\x00",
        b"\x00\x80",
        b"\xff" * 7,
        b"\x00" * 12,
        b"abcdefg",
        b"\x80" + b"\x00" * 7 if signed else b"\x7f" * 7,
    ):
        agrees(f, text)


def test_errors():
    with pytest.raises(OverflowError, match="more than 64 bits"):
        njit(lambda text: int.from_bytes(text, "big"))(b"\xff" * 8)
    agrees(lambda n: n.to_bytes(-1), 1)
    agrees(lambda n: n.to_bytes(1, "middle"), 1)
    agrees(lambda n: int.from_bytes([n]), 256)
    agrees(lambda n: n.to_bytes(), 7)


def test_hex():
    def f(x):
        return x.hex()

    for x in (
        0.0,
        -0.0,
        1.0,
        -1.5,
        math.pi,
        5e-324,
        -2.2e-308,
        2.2250738585072014e-308,
        1.7976931348623157e308,
        math.inf,
        -math.inf,
        math.nan,
    ):
        agrees(f, x)


def test_bytes_of_unsigned_numbers():
    agrees(
        lambda xs: (bytes([x & 0xFFFFFFFFFFFFFFFF for x in xs]), bytearray([x & 0xFFFFFFFFFFFFFFFF for x in xs])),
        [1, 2, 255],
    )


@pytest.mark.parametrize(
    "text",
    [
        "2**64 - 1",
        "x & (2**64 - 1)",
        "(1 << 63) // 7",
        "-2**63",
        "10**20 // 10**5 + x",
        "x % 2**64",
        "-x % 2**64",
        "(x * 3**40 + 11) % 2**64",
        "(x - 0.5) % 2**64",
        "x % (1 << 64)",
    ],
)
def test_constants_of_more_than_64_bits(text):
    function = define(f"def f(x):\n    return {text}\n").py_func
    for x in (5, 2**40):
        agrees(function, x)


def test_a_generator_modulo_two_to_64():
    def f(s, n):
        found = []
        for _ in range(n):
            s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
            s *= 3
            s %= 1 << 64
            found.append(s >> 33)
        return found, s

    agrees(f, 1, 50)
    agrees(f, -77, 50)
