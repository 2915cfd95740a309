"""Control characters, NUL among them, in texts that are numbers, format specifiers, templates and names of codecs."""
# ruff: noqa: F524

import random

import pytest
from pyarray import njit


@njit
def to_int(text):
    return int(text)


@njit
def to_int_of_base(text, base):
    return int(text, base)


@njit
def to_float(text):
    return float(text)


@njit
def to_complex(text):
    return complex(text)


@njit
def of_hex(text):
    return float.fromhex(text)


@njit
def formatted(x, spec):
    return format(x, spec)


@njit
def by_field(x, spec):
    return "{:{}}".format(x, spec)


@njit
def by_template(x, template):
    return template.format(x, x)


@njit
def by_percent(x, template):
    return template % (x,)


@njit
def encoded(text, encoding, errors):
    return text.encode(encoding, errors)


@njit
def decoded(data, encoding, errors):
    return data.decode(encoding, errors)


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except (KeyError, IndexError, LookupError, TypeError, ValueError, OverflowError) as error:
        return type(error).__name__, error.args


def check(function, *arguments):
    assert outcome(function, *arguments) == outcome(function.py_func, *arguments), arguments


def kind(function, *arguments):
    result = outcome(function, *arguments)
    return result if isinstance(result, str) else result[0]


def check_kind(function, *arguments):
    """As check, but for the words of the message."""
    assert kind(function, *arguments) == kind(function.py_func, *arguments), arguments


SPACES = [chr(code) for code in range(0x3100) if chr(code).isspace() or code < 33] + [
    "\x7f",
    "\x80",
    "\u200b",
    "\ufeff",
]


def test_white_space_around_numbers():
    for space in SPACES:
        texts = [
            space,
            space + "1",
            "1" + space,
            "1" + space + "2",
            space + "\u0661",
            "\uff11" + space,
            f"-{space}1",
            space * 3 + "12" + space * 2,
        ]
        for text in [*texts, space + "1.5e3", "1.5" + space, space + "nan", "inf" + space]:
            check(to_int, text)
            check(to_float, text)
            for base in (0, 10, 16):
                check(to_int_of_base, text, base)
        for text in [
            *texts,
            space + "1j",
            f"{space}({space}1+2j{space}){space}",
            f"({space}1{space}+2j)",
            f"1{space}j",
        ]:
            check_kind(to_complex, text)
        for text in (space + "0x1p3", "0x1.8p3" + space, "0x1" + space + "p3"):
            check(of_hex, text)


def test_bytes_around_numbers():
    for code in range(256):
        byte = bytes([code])
        for text in (byte, byte + b"1", b"1" + byte, b"1" + byte + b"2", b"\n1 " + byte):
            check(to_int, text)
            check(to_float, text)
            check(to_int_of_base, text, 16)


def test_random_numbers():
    numbers = random.Random(7)
    for _ in range(5000):
        text = "".join(
            numbers.choice("0123456789+-._eEjJ()xXaAnNfFiIbo \t\x1c\0\uff15\u0661\xa0")
            for _ in range(numbers.randint(0, 7))
        )
        check(to_int, text)
        check(to_float, text)
        check(of_hex, text)
        check_kind(to_complex, text)
        check(to_int_of_base, text, numbers.choice([0, 2, 8, 10, 16, 36]))


VALUES = [5, -3, 2.5, -0.0, float("nan"), "ab", "a\0", True, 1.5 + 2j]


@pytest.mark.parametrize("x", VALUES, ids=repr)
def test_specifiers(x):
    for spec in (
        "\0",
        "d\0",
        "5\0",
        ">5\0",
        "x\0x",
        ".2f\0",
        "s\0",
        "5\0d",
        ".3\0",
        ",\0",
        "_\0",
        "\0>5",
        "\0^7",
        "\0=9",
        "\0\0",
        "\x1f",
        ",\xe9",
    ):
        check(formatted, x, spec)
        check(by_field, x, spec)
    numbers = random.Random(8)
    for _ in range(1000):
        spec = "".join(
            numbers.choice("<>=^+- z#0,_.15dbcoxXeEfFgG%s\0\0\x1f\xe9") for _ in range(numbers.randint(0, 5))
        )
        check(formatted, x, spec)


@pytest.mark.parametrize("x", VALUES, ids=repr)
def test_templates(x):
    numbers = random.Random(9)
    for template in (
        "{0\0}",
        "{\0}",
        "{!\0}",
        "{!r\0}",
        "{:\0}",
        "{0:5\0}",
        "%\0",
        "%5\0d",
        "%(\0)s",
        "\0{}\0",
        "\0%s\0",
    ):
        check(by_template, x, template)
        check(by_percent, x, template)
    for _ in range(2000):
        check(by_template, x, "".join(numbers.choice("{}{}:!\0sra01xd%(*-#") for _ in range(numbers.randint(0, 6))))
        check(by_percent, x, "".join(numbers.choice("%%%\0sdrxc0 -+#.*hl(f") for _ in range(numbers.randint(0, 5))))


def test_literal_templates():
    def literal(x):
        return f"{x:\0>5}", f"\0{x}\0", f"{x:\0^7}"

    def refused(x):
        return f"{x:5\0}"

    def named(x):
        return "{0\0}".format()

    for function in (literal, refused, named):
        check(njit(function), 5)


def test_names_of_codecs():
    for name in ("utf-8", "utf-8\0", "\0", "ascii\0x", "latin-1"):
        check(encoded, "ab", name, "strict")
        check(decoded, b"ab", name, "strict")
    for name in ("replace", "replace\0", "\0"):
        check(encoded, "\xe9", "ascii", name)
        check(decoded, b"\xe9", "ascii", name)
