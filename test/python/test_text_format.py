"""Text from values and values from text in compiled functions, against CPython: conversions, formatting, print."""

import contextlib
import io

import numpy as np
import pytest
from compare import define, expression, outcome
from pyarray import njit, prange
from test_text import agree, rows

pytestmark = pytest.mark.real

INTS = [
    "0",
    "12",
    " -7 ",
    "+3",
    "1_000",
    "_1",
    "1__0",
    "1_",
    "",
    " ",
    "x",
    "0x1F",
    "0b101",
    "0o17",
    "z",
    "١٢",
    "9223372036854775807",
    "-9223372036854775808",
    "12 3",
    "1\x00",
    "00",
    "007",
    "0_7",
    "- 1",
    "--1",
    "1e5",
    "é",
]


@pytest.mark.parametrize("base", [0, 2, 8, 10, 16, 36, 1, 37])
def test_int_of_text(base):
    for s in INTS:
        agree("int(s)", s)
        if base in (0, 1, 10, 37) or len(s) < 12:  # else too large
            agree("int(s, b)", s, base, parameters="s, b")


def test_int_of_text_that_is_too_large():
    with pytest.raises(OverflowError):
        expression("int(s)", "s")("9223372036854775808")


@pytest.mark.parametrize(
    "s",
    [
        "0",
        "1.5",
        " -2e3\n",
        "inf",
        "-Infinity",
        "nan",
        "1_0.0_1",
        "_1",
        "1_",
        "1__2",
        "0x10",
        "",
        " ",
        "1.5x",
        "١.٥",
        ".5",
        "5.",
        ".",
        "1e400",
        "1e-400",
        "+1",
        "+-1",
        "1e",
        "nan(1)",
        "1 2",
        "infinit",
    ],
)
def test_float_of_text(s):
    f = expression("repr(float(s))", "s")
    assert outcome(f, [s]) == outcome(f.py_func, [s])


@pytest.mark.parametrize(
    "text",
    rows(r"""chr(n) ;; bin(n) ;; oct(n) ;; hex(n) ;; str(n) ;; repr(n) ;; ascii(n) ;; format(n) ;; hash(n) ;; f'{n}' ;;
chr(n).encode()
"""),
)
@pytest.mark.parametrize(
    "n", [0, 1, -1, 65, 255, 256, 8364, 128512, 0xD800, 0x10FFFF, 0x110000, -300, 2**63 - 1, -(2**63)]
)
def test_text_of_integers(text, n):
    agree(text, n, parameters="n")


@pytest.mark.parametrize(
    "value",
    [
        0.0,
        -0.0,
        1.0,
        0.1,
        1 / 3,
        1e16,
        123456789012345680.0,
        1e-4,
        1e-5,
        5e-324,
        1.7976931348623157e308,
        float("inf"),
        float("-inf"),
        float("nan"),
        2.5,
        1e22,
        1j,
        -0.0 - 2j,
        1 + 2.5j,
        complex("nan"),
        True,
        None,
        (1, "a", 2.5),
        (),
        ("é",),
        "x",
        b"y",
    ],
)
def test_text_of_values(value):
    f = define("def f(x):\n    return str(x), repr(x), f'{x}', f'{x!r} {x!s}', '{0}{0!a}'.format(x), ascii(x)\n")
    assert f(value) == f.py_func(value)


SPECS = [
    "",
    " ",
    *"""
d 5 <5 ^7 *>8 05 + - x #x X #b o , _ 012, _x #_X c e .3f 8.3f +.2e g .4g % .1% n .3 .0f #.0f G E F ,.2f # #_ #.3
010,.1f z.1f s .2s =8 0=8 é^9 q >>5 . 08.3f <08 +,d 5000 99999999999999999999 .10 #g 06,d ,_ ,, z ,x #c +c 5c é
""".split(),
]
VALUES = [
    0,
    1,
    -1,
    65,
    123456789,
    -(2**63),
    2**64 - 1,
    True,
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.14159265,
    1e-7,
    1e16,
    123456.789,
    -0.04,
    float("inf"),
    float("nan"),
    "",
    "ab",
    "é日😀",
    None,
    1 + 2j,
    -0.5j,
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_format_specifications(value):
    f = expression("format(x, spec)", "x, spec")
    for spec in SPECS:
        assert outcome(f, (value, spec)) == outcome(f.py_func, (value, spec)), spec


@pytest.mark.parametrize(
    "template",
    [
        "{}",
        "{} {}",
        "{1}{0}",
        "{{}}{}",
        "{!r:>9}",
        "{:{}}",
        "{:>{}}|",
        "{0:{1}}",
        "{",
        "}",
        "{0",
        "{0!x}",
        "{0!}",
        "{0:",
        "{5}",
        "{0}{}",
        "{}{0}",
        "é{}é",
        "{:{:{}}}",
        "{0!r",
        "{!rx}",
        "",
        "{0!s:5}",
        "}}{{",
    ],
)
def test_str_format(template):
    f = expression("s.format(a, b)", "s, a, b")
    for arguments in ((3.25, 7), (-4, 6), ("x", 5)):
        assert outcome(f, (template, *arguments)) == outcome(f.py_func, (template, *arguments))


FSTRINGS = rows(r"""f'{x:>8.3f}' ;; f'{n:>{w}} of {s!r}' ;; f'{{{n}}}' ;; f'{s}' ;; f'' ;; f'text' ;; f'{n + 1=}' ;;
f'{(n, s)}' ;;
f'{x:{w}.{w}}' ;; f'é{s:é^{w}}' ;; f'{s!a:<9}|{None}{True}' ;; f'{n}' + f'{x:.2f}' ;; f'{f"{n}"}{s.upper()}' ;;
len(f'{n:05}') ;; f'{[n, n]}'
""")


@pytest.mark.parametrize("text", FSTRINGS)
def test_fstrings(text):
    agree(text, 2.5, 42, "naïve", 7, parameters="x, n, s, w")


def test_fstrings_in_exceptions():
    f = define("def f(s, n):\n    if n > 2:\n        raise KeyError(s, n)\n    raise ValueError(f'{s} is not {n}')\n")
    g = define(
        "def g(s, n):\n    try:\n        f(s, n)\n    except ValueError:\n"
        "        raise TypeError(s + '!', (n, s))\n    return 0\n",
        "g",
        f=f,
    )
    for n in (1, 3):
        assert outcome(f, ("é日", n)) == outcome(f.py_func, ("é日", n))
    assert outcome(g, ("é日", 1)) == ("raised", TypeError, ("é日!", (1, "é日")))


def printed(function, *arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*arguments)
    return result, out.getvalue()


def test_print():
    source = """
def f(s, x):
    print()
    print(s)
    print(s, 1, x, True, None, (1, 'a'), [x], sep=', ')
    print('a', end='')
    print('b', s, sep=s, end=s + '\\n', flush=True)
    print(f'{x:.2f}', 2j, sep=None, end=None)
    for i in range(3):
        print(i, end=' ')
"""
    f = define(source.lstrip())
    for s in ("é日\U0001f600", ""):
        assert printed(f, s, 2.5) == printed(f.py_func, s, 2.5)


def test_print_in_a_parallel_loop():
    source = "def f(n):\n    for i in prange(n):\n        print(i, f'{i:>9}')\n    print('end')\n"
    f = define(source, decorator=njit(parallel=True), prange=prange)
    lines = printed(f, 20000)[1].splitlines()
    assert lines[-1] == "end" and sorted(lines[:-1]) == sorted(f"{i} {i:>9}" for i in range(20000))


def test_print_to_a_closed_file():
    f = define("def f():\n    print('x')\n")
    closed = io.StringIO()
    closed.close()
    with contextlib.redirect_stdout(closed), pytest.raises(ValueError, match="I/O operation on closed file"):
        f()


def test_digits_of_unsigned_numbers():
    @njit
    def f(n):
        return hex(n), bin(n), oct(n)

    for value in np.uint64(2**64 - 1), np.uint64(2**63), np.uint64(5), np.uint8(255), np.int64(-(2**63)), -5, True:
        assert f(value) == (hex(int(value)), bin(int(value)), oct(int(value)))
