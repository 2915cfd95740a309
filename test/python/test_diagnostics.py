"""Errors that have nothing to do with each other are told together; hints for arguments that are no arrays."""

import array
import datetime
import decimal
import math
import re

import numpy as np
import pytest
from pyarray import TypingError, UnsupportedError, njit

pytestmark = pytest.mark.real
TABLE = np.zeros(2)


def places(function, *arguments, kind=TypingError):
    """The first lines of the messages, each with its line from the function's first."""
    with pytest.raises(kind) as raised:
        function(*arguments)
    first = function.py_func.__code__.co_firstlineno
    messages = str(raised.value).split("\n\nAnd: ")
    return [(text.split("\n")[0], int(re.search(r'File ".*", line (\d+):', text)[1]) - first) for text in messages]


def test_types():
    @njit
    def f(x, s):
        a = x + s
        b = a * 2 + s.nothing
        c = x.spam
        if x > 2:
            c = s - 1
        return b, c

    found = places(f, 1, "a")
    assert [line for _, line in found] == [2, 3, 4, 6]
    assert found[0][0].startswith("no operator '+'") and found[3][0].startswith("no operator '-'")


def test_what_depends_on_an_error_is_silent():
    @njit
    def f(x):
        a = x.spam
        b = a + "text"
        for k in b:
            b = k.eggs
        return [a, b][0](3)

    assert [line for _, line in places(f, 1)] == [2]


def test_constructs():
    @njit
    def f(x):
        import math  # noqa: F401

        with open(x):
            pass
        for _ in range(3):

            class C:
                pass

        return x

    assert [line for _, line in places(f, 1, kind=UnsupportedError)] == [4, 8]


def test_in_callees_and_callers():
    @njit
    def g(x):
        y = x.spam
        z = x.eggs
        return y, z

    @njit
    def f(x):
        a = g(x)
        return a, x.ham

    with pytest.raises(TypingError) as raised:
        f(1)
    messages = str(raised.value).split("\n\nAnd: ")
    assert [re.search("'(spam|eggs|ham)'", text)[1] for text in messages] == ["spam", "eggs", "ham"]
    assert ["while compiling g, called from" in text for text in messages] == [True, True, False]


def plain(x):
    return x


def test_names_and_types():
    @njit
    def g(x):
        return np.no_such_three(x)

    @njit
    def f(x):
        a = np.no_such_one(x)
        for i in np.no_such_two(3):
            a += plain(i)
        try:
            y = undefined_name  # noqa: F821
        finally:
            z = undefined_name_2  # noqa: F821
        b = x.spam
        if isinstance(x, undefined_class):  # noqa: F821
            return np.no_such_one(x)
        return a, y, z, b, g(x)

    found = places(f, 1)
    assert [line for _, line in found][:5] == [2, 3, 4, 6, 8]
    assert {10, 11} <= {line for _, line in found}
    assert "plain Python function" in found[2][0]

    @njit
    def h(x):
        return missing(x) + g(x) + x.spam  # noqa: F821

    found = [text for text, _ in places(h, 1)]
    assert [name in text for name, text in zip(("missing", "three", "spam"), found, strict=True)] == [True] * 3


def test_a_refused_function_does_not_hide_those_that_it_does_not_call():
    @njit
    def g(x):
        with open(x):
            pass

    @njit
    def h(x):
        return np.no_such(x)

    @njit
    def f(x):
        return g(x), h(x)

    with pytest.raises(UnsupportedError) as raised:
        f(1)
    assert "'with'" in str(raised.value) and "And: module 'numpy' has no attribute 'no_such'" in str(raised.value)


def test_after_a_refusal_the_function_can_be_mended():
    @njit
    def f(x):
        return made_later(x) + made_later(x)  # noqa: F821

    assert len(places(f, 1)) == 2
    globals()["made_later"] = njit(lambda x: x + 1)
    assert f(1) == 4
    del globals()["made_later"]


def test_there_is_an_end():
    lines = "".join(f"    x.a{i}\n" for i in range(100))
    namespace = {}
    from compare import define

    f = define(f"def f(x):\n{lines}    return x\n", **namespace)
    assert len(places(f, 1)) == 20


def test_one_error_is_as_before():
    @njit
    def f(x):
        return x.spam

    with pytest.raises(TypingError) as raised:
        f(1)
    assert "And:" not in str(raised.value) and raised.value.line == f.py_func.__code__.co_firstlineno + 2


def test_an_error_in_finally_is_told_once():
    @njit
    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError as error:
            raise ValueError from error
        finally:
            print(x.spam)

    with pytest.raises(TypingError) as raised:
        f(1)
    assert str(raised.value).count("spam") == 2  # the message, and the line


def test_what_to_do_instead():
    @njit
    def mixed(x):
        return [x, "a"]

    @njit
    def store(x):
        TABLE[0] = x

    @njit
    def whole(a):
        return a.byteswap()

    for function, value, hint in (
        (mixed, 1, "all items have one type; tuples and named tuples may hold several"),
        (store, 1.0, "pass a writable array as an argument; globals are constants"),
        (whole, np.zeros(2), "loop over the elements, or call it outside"),
    ):
        with pytest.raises((TypingError, UnsupportedError)) as raised:
            function(value)
        assert hint in str(raised.value).split("Hint: ")[1]


class Row:
    pass


@pytest.mark.parametrize(
    "value, hint",
    [
        ([array.array("d", [1.0])], "pass np.asarray(...)"),
        (iter([1]), "pass list(...) of it"),
        (object(), "numbers, text, None, NumPy arrays"),
        (Row(), "pass its attributes, or make its class a named tuple or a jitclass"),
        ([Row()], "pass its attributes, or make its class a named tuple or a jitclass"),
        (datetime.date(2020, 1, 1), "pass np.datetime64(...)"),
        (decimal.Decimal(1), "pass float(...)"),
        (lambda: 1, "compile it with @njit"),
        (math, "refer to it as a global"),
        (Row, "refer to it as a global"),
        (np.array([1, "a"], object), "convert it with .astype(float)"),
    ],
)
def test_an_object_where_an_array_was_meant(value, hint):
    @njit
    def first(a):
        return a[0]

    with pytest.raises(TypingError) as raised:
        first(value)
    assert hint in str(raised.value).split("Hint: ")[1]
