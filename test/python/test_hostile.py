"""Hostile input to the compiler: each gives a result or a clear error, in bounded time and memory, and never a crash.

Every program runs in a process of its own, with generous limits: they stop what grows without bound.
"""

import os
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from compare import define  # noqa: E402
from fuzz import child  # noqa: E402
from pyarray import njit  # noqa: E402

pytestmark = pytest.mark.real
SECONDS, MEMORY = 180, 8 << 30
CLEAR = (
    "UnsupportedError TypingError NumbaTypeError SyntaxError IndentationError RecursionError MemoryError OverflowError"
)
HEAD = "def f(x):\n"


def attempt(source, arguments, names):
    try:
        return "returned", define(source, **names)(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


def outcome(source, *arguments, **names):
    """("returned", result), or (name of an error's class, its message)."""
    state, result = child.call(attempt, source, arguments, {"njit": njit, **names}, seconds=SECONDS, memory=MEMORY)
    assert state == "done", f"{state}: {result}"
    return result


def wanted(source, *arguments):
    names = {"np": np}
    exec(source, names)
    return "returned", names["f"](*arguments)


def nested(lines, innermost):
    """Source of f(x), where each line is the body of the one before it."""
    body = "".join(" " * (depth + 1) + line + "\n" for depth, line in enumerate(lines))
    return HEAD + body + " " * (len(lines) + 1) + innermost + "\n return x\n"


def repeated(text, count):
    return "".join(text.format(k=k) for k in range(count))


# Programs that CPython runs, and compiled code too.
ASSIGNMENTS = HEAD + repeated("    x = x * 3 % 2**40 + {k}\n    x ^= x >> 5\n", 5000) + "    return x\n"
RUN = {
    "10_000_lines": ASSIGNMENTS,
    "2_000_ifs": HEAD + repeated("    if x % ({k} + 2) == 1:\n        x += {k}\n", 2000) + "    return x\n",
    "5_000_variables": HEAD + repeated("    v{k} = x + {k}\n", 5000) + "    return v0 + v2500 + v4999\n",
    "a_list_of_5_000": HEAD + "    t = [" + "x, " * 5000 + "]\n    return t[4999] + len(t)\n",
    "a_tuple_of_4_000": HEAD + "    t = (" + "x, " * 4000 + ")\n    return t[3999] + len(t)\n",
    "19_nested_loops": nested([f"for i{k} in range(1):" for k in range(19)], "x += 1"),
    "90_nested_ifs": nested([f"if x > {-k}:" for k in range(90)], "x += 1"),
    "3_000_operands_of_and": HEAD + "    return " + " and ".join(["x"] * 3000) + "\n",
    "150_parentheses": HEAD + "    return " + "(" * 150 + "x" + " + 1)" * 150 + "\n",
    "names_of_100_kB": HEAD + f"    {'v' * 100_000} = x + 1\n    return {'v' * 100_000}\n",
    "strings_of_10_MB": HEAD + f"    return 1 if '{'a' * 10_000_000}' == 'b' else 2\n",
    "a_float_beyond_all": HEAD + "    return x + 1" + "0" * 400 + ".0\n",
    "tabs": "def f(x):\n\tif x:\n\t\tx += 1\n\treturn x\n",
    "form_feeds": "\f\ndef f(x):\n\f\n    x += 1\n\f    return x\n",
    "carriage_returns": "def f(x):\r\n    x += 1\r\n    return x\r\n",
    "letters_of_all_scripts": "def f(\xe9):\n    \u53d8\u91cf = \xe9 + 1  # \U0001f600\n    return \u53d8\u91cf\n",
    "names_that_are_normalised": "def f(\ufb01):\n    return fi + 1\n",
    "statements_on_one_line": "def f(x): x += 1; x *= 2; return x + \\\n 1\n",
    "lists_nested_in_300_lists": HEAD + "    y = [x]\n" + "    y = [y[0]]\n" * 300 + "    return len(y)\n",
}


@pytest.mark.parametrize("name", RUN)
def test_runs(name):
    assert outcome(RUN[name], 3) == wanted(RUN[name], 3)


def test_500_arguments():
    source = "def f(" + ", ".join(f"a{k}" for k in range(500)) + "):\n    return a0 + a499\n"
    assert outcome(source, *range(500)) == ("returned", 499)
    arrays = [np.full(3, k) for k in range(500)]
    assert outcome(source.replace("return a0 + a499", "return a0[0] + a499[2]"), *arrays) == ("returned", 499)


def test_2_000_stores():
    source = "def f(a, x):\n" + repeated("    a[{k}] = a[x] + {k}\n", 2000) + "    return a[1999]\n"
    assert outcome(source, np.ones(2000), 1) == ("returned", 2001.0)


@pytest.mark.parametrize(
    "lines, count",
    [
        ("    a[3] = a[x] + {k}\n    x = a[x] % 3 + a[2] // (x + 1)\n", 10_000),
        ("    if x > {k}:\n        x -= a[x % 10]\n", 5_000),
        ("    try:\n        x = a[x] % 7\n    except IndexError:\n        x = {k}\n", 5_000),
    ],
)
def test_thousands_of_checked_lines(lines, count, monkeypatch):
    """Every step takes time in proportion to the length: of the processor, and compared with a shorter one's."""
    monkeypatch.setenv("PYARRAY_VERIFY", "0")  # what users run

    def seconds(count):
        source = "def f(a, x):\n" + repeated(lines, count // lines.count("\n")) + "    return x\n"
        before = os.times()
        assert outcome(source, np.arange(10), 1) == wanted(source, np.arange(10), 1)
        return os.times().children_user - before.children_user

    assert seconds(count) < 15 * seconds(count // 5)  # 5 times as long; squares take 25


# Programs that are refused: (source, error, what its message says).
REFUSED = {
    "1_000_nested_loops": (nested(["for i in range(1):"] * 1000, "x += 1"), "IndentationError", "too many levels"),
    "90_nested_loops": (nested(["for i in range(1):"] * 90, "x += 1"), "SyntaxError", "too many statically nested"),
    "2_000_elifs": (
        HEAD
        + "    if x == -1:\n        return -1\n"
        + repeated("    elif x == {k}:\n        return {k}\n", 2000)
        + "    return x\n",
        "UnsupportedError",
        "nested this deeply",
    ),
    "10_000_parentheses": (
        HEAD + "    return " + "(" * 10_000 + "x" + ")" * 10_000 + "\n",
        "SyntaxError",
        "parentheses",
    ),
    "2_500_operands": (
        HEAD + "    return " + " + ".join(["x"] * 2500) + "\n",
        "UnsupportedError",
        "nested this deeply",
    ),
    "2_000_attributes": (HEAD + "    return x" + ".real" * 2000 + "\n", "UnsupportedError", "nested this deeply"),
    "3_000_comparisons": (HEAD + "    return " + " < ".join(["x"] * 3000) + "\n", "UnsupportedError", "levels deep"),
    "1_000_functions": (
        "".join(f"@njit\ndef g{k}(x):\n    return g{k + 1}(x) + 1\n" for k in range(1000))
        + "@njit\ndef g1000(x):\n    return x\n"
        + HEAD
        + "    return g0(x)\n",
        "NumbaTypeError",
        "more than 400 nested calls",
    ),
    "types_that_grow_in_recursion": (
        "@njit\ndef g(x):\n    return g((x, 1))\n" + HEAD + "    return g(x)\n",
        "NumbaTypeError",
        "has another type of its argument 'x', without an end",
    ),
    "types_that_grow_in_a_loop": (
        HEAD + "    t = (x,)\n    for i in range(3):\n        t = (t, 1)\n    return 1\n",
        "TypingError",
        "cannot unify",
    ),
    "tuples_that_double": (
        HEAD + "    t = (x, x)\n" + "    t = (t, t)\n" * 40 + "    return 1\n",
        "NumbaTypeError",
        "more than 4096 elements",
    ),
    "tuples_that_deepen": (
        HEAD + "    t = (x,)\n" + "    t = (t,)\n" * 300 + "    return 1\n",
        "NumbaTypeError",
        "more than 64 levels deep",
    ),
    "an_int_of_4_000_digits": (HEAD + "    return x + " + "9" * 4000 + "\n", "UnsupportedError", "beyond 64 bits"),
    "an_int_of_100_000_digits": (
        HEAD + "    return x + 0x" + "f" * 100_000 + "\n",
        "UnsupportedError",
        "beyond 64 bits",
    ),
    "an_attribute_of_100_kB": (HEAD + "    return x." + "v" * 100_000 + "\n", "TypingError", "unknown attribute"),
    "a_name_without_value": (HEAD + "    return x + \ufb01\n", "TypingError", "name 'fi' has no value"),
    "endless_recursion": (HEAD + "    return f(x + 1)\n", "RecursionError", "maximum recursion depth"),
    "endless_mutual_recursion": (
        "@njit\ndef g(x):\n    return h(x + 1)\n@njit\ndef h(x):\n    return g(x + 1)\n" + HEAD + "    return g(x)\n",
        "RecursionError",
        "maximum recursion depth",
    ),
    "an_array_of_8_PB": (HEAD + "    return np.zeros(10**15).size\n", "MemoryError", "Unable to allocate"),
    "a_string_of_1_TB": (HEAD + "    return len('ab' * 10**12)\n", "MemoryError", ""),
    "18_nested_finallys": (
        HEAD
        + "".join("    " * (k + 1) + "try:\n" for k in range(18))
        + "    " * 19
        + "x //= 0\n"
        + "".join("    " * k + "finally:\n" + "    " * k + "    x += 1\n" for k in range(18, 0, -1))
        + "    return x\n",
        "ZeroDivisionError",
        "by zero",
    ),
    "a_raise_in_a_function_of_100_kB": (
        f"@njit\ndef {'g' * 100_000}(x):\n    return x // 0\n" + HEAD + f"    return {'g' * 100_000}(x)\n",
        "ZeroDivisionError",
        "by zero",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name):
    source, error, message = REFUSED[name]
    got = outcome(source, 3)
    assert got[0] == error and message in got[1], str(got)[:2000]
    assert len(got[1]) < 110_000


@pytest.mark.parametrize("text", ["not " * 10_000 + "x", "-" * 3000 + "x", " + ".join(["x"] * 10_000)])
def test_what_cpython_gives_up_on(text):
    """CPython's own parser or compiler refuses these, in words that depend on its version."""
    kind, message = outcome(HEAD + f"    return {text}\n", 3)
    assert kind in CLEAR.split(), (kind, message[:500])


def test_deeply_nested_and_long_tuples_as_arguments():
    deep = ()
    for _ in range(2000):
        deep = (deep, 1)
    kind, message = outcome(HEAD + "    return 1\n", deep)
    assert kind == "TypingError" and "at most 64 levels" in message
    kind, message = outcome(HEAD + "    return 1\n", tuple(range(5000)))
    assert kind == "TypingError" and "at most 4096" in message


def test_calls_that_double():
    source = "@njit\ndef g0(x):\n    return x + 1\n"
    source += "".join(f"@njit\ndef g{k}(x):\n    return g{k - 1}(x) + g{k - 1}(x + 1)\n" for k in range(1, 23))
    assert outcome(source + HEAD + "    return g22(x)\n", 1) == ("returned", 2**22 * 2 + 22 * 2**21)


# Functions whose source is not a file's


def test_functions_without_source():
    names = {}
    exec("def f(x):\n    return x + 1\n", names)
    try:
        assert njit(names["f"])(1) == 2
    except Exception as error:
        assert type(error).__name__ in CLEAR.split() and "source" in str(error)
    for function in (len, "text".join, np.sin, type, None, 3):
        with pytest.raises(TypeError):
            njit(function)(1)


def test_lambdas_on_one_line():
    first, second = (njit(lambda x: x + 1), njit(lambda x: x * 10))
    try:
        assert (first(5), second(5)) == (6, 50)
    except Exception as error:
        assert type(error).__name__ in CLEAR.split(), error


def test_decorated_twice():
    def f(x):
        return x + 1

    try:
        assert njit(njit(f))(1) == 2
    except TypeError as error:
        assert "compiled" in str(error) or "already" in str(error)


def test_closures_of_closures():
    source = "def m0(x):\n" + "".join("    " * k + f"def m{k}(x):\n" for k in range(1, 18)) + "    " * 18 + "return x\n"
    source += "".join("    " * k + f"return m{k}(x) + 1\n" for k in range(17, 0, -1))
    kind, result = outcome(source + "f = m0\n", 1)
    assert (kind, result) == ("returned", 18) or (kind == "UnsupportedError" and "nested function" in result)


def test_large_functions_are_not_optimised():
    """Whose time would grow with the square of their length."""

    def instructions_per_line(count):
        f = define("def f(x, y):\n" + "    x = x * y + x\n" * count + "    return x\n")
        assert f(1, 0) == 1
        (code,) = f.inspect_asm().values()
        return code.count("\n") / count

    assert instructions_per_line(500) < 2 < 2.5 < instructions_per_line(9000)
