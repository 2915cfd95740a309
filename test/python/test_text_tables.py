"""translate, maketrans, join of any iterable, and what bytes have that str has not, against CPython."""

import pytest
from compare import check_alike, define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit


@njit
def translated(text, table):
    return text.translate(table)


def test_translate():
    for text in "", "abc", "naïve é", "aaa":
        for table in (
            {97: 98},
            {97: 233, 98: 0x1F600},
            {97: "xyz", 99: ""},
            {233: None, 97: None},
            {1: 2},
            {97: None, 98: 99},
        ):
            check_alike(translated, text, table)
    check_alike(translated, "abc", {97: -1})


@njit
def table_of_two(a, b):
    return str.maketrans(a, b)


@njit
def table_of_three(a, b, c):
    return str.maketrans(a, b, c)


@njit
def table_of_dict(d):
    return str.maketrans(d)


def test_maketrans():
    for a, b in [("", ""), ("ab", "xy"), ("aa", "xy"), ("a", ""), ("é", "e")]:
        check_alike(table_of_two, a, b)
        check_alike(table_of_three, a, b, "zé")
    for d in {"a": 1}, {"a": "b", "c": "dd"}, {97: "b"}, {"ab": 1}:
        check_alike(table_of_dict, d)
    check_alike(expression("x.translate(str.maketrans('abc', 'xyz', 'd'))"), "abcdé")


@settings(max_examples=50, deadline=None)
@given(st.text("abcé", max_size=10), st.text("abcé", max_size=3), st.text("xyz", max_size=3))
def test_random_tables(text, a, b):
    n = min(len(a), len(b))
    check_alike(expression("x.translate(str.maketrans(a, b))", "x, a, b"), text, a[:n], b[:n])


def test_join_of_any_iterable():
    for text in [
        "x.join('abc')",
        "x.join({'a': 1, 'b': 2})",
        "x.join({'a': 1, 'b': 2}.keys())",
        "x.join({1: 'a', 2: 'b'}.values())",
        "x.join({'one'})",
        "x.join(reversed(['a', 'b', 'c']))",
        "x.join([str(i) for i in range(5)])",
        "x.join(x)",
        "str.join(x, ['a', 'b'])",
    ]:
        for separator in "", ", ", "é":
            check_alike(expression(text), separator)
    check_alike(expression("x.join([b'a', b'b'])"), b"--")


def test_methods_of_classes():
    check_alike(expression("str.upper(x) + str.strip(x, ' x')"), " xé ")
    check_alike(expression("bytes.upper(x)"), b"ab")
    with pytest.raises(Exception, match="unknown method"):
        expression("str.nothing(x)")("a")


def test_bytes():
    for text in [
        "x.hex()",
        "x.hex('-')",
        "x.hex(':', 2)",
        "x.hex(':', -2)",
        "x.hex(':', 0)",
        "x.hex(sep='.', bytes_per_sep=3)",
        "x.hex('--')",
        "x.hex('é')",
        "x.translate(None, b'a')",
        "x.translate(bytes.maketrans(b'abc', b'xyz'))",
        "x.translate(bytes.maketrans(b'abc', b'xyz'), b'c')",
        "x.translate(bytes.maketrans(b'abc', b'xyz'), delete=b'')",
        "x.translate(x)",
        "bytes.maketrans(x, x)",
        "bytes.maketrans(x, b'')",
        "bytes.fromhex(x.hex())",
    ]:
        for value in b"", b"a", b"abcab", bytes(range(256)):
            check_alike(expression(text), value)


@pytest.mark.parametrize(
    "table",
    ["{97: None}", "{97: None, 98: 'x'}", "{97: 98, 98: None}", "{97: ''}", "{}", "str.maketrans('ab', 'xy', 'c')"]
    + [
        "str.maketrans({'a': None, 'b': 'zz'})",
        "str.maketrans('', '', 'ab')",
        "str.maketrans({})",
        "'xyz'",
        "[None, 'x']",
    ],
)
def test_tables_that_drop(table):
    f = expression(f"x.translate({table})")
    for text in ("abcab", "", "xyz", "\0\1\2a"):
        check_alike(f, text)


def test_tables_from_python():
    f = define("def f(x, table):\n    return x.translate(table)\n")
    for table in ({97: None, 98: None}, {97: "x", 98: None}, {97: 1, 98: None}, str.maketrans("ab", "xy", "c")):
        check_alike(f, "abcab", table)
        check_alike(define("def f(x):\n    return x.translate(TABLE)\n", TABLE=table), "abcab")


def test_fromhex():
    for text in "", "00", "00 ff aB\t0C", "0", "0g", "g0", "aa b", " ", "aa\u2003bb", "é0", "0é", "a a":
        check_alike(expression("bytes.fromhex(x)"), text)


def test_nothing_leaks():
    from pyarray._pyarray import allocation_counts

    f = define(
        "def f(s, b, d):\n"
        "    t = s.translate(str.maketrans('ab', 'xy', 'c')) + s.join('xyz') + '%s %r' % (s, b) + '%(k)s' % d\n"
        "    return t + s.format_map(d) + b.translate(bytes.maketrans(b'a', b'b')).hex() + '{n}'.format(n=s)\n"
    )
    arguments = "{k}abc" * 5, b"abc" * 5, {"k": "value"}
    assert f(*arguments) == f.py_func(*arguments)
    before = allocation_counts()
    for _ in range(10):
        f(*arguments)
        for bad in "{none}", "{0}":
            with pytest.raises((KeyError, ValueError)):
                f(bad, b"", {"k": "value"})
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]
