"""What users are told: refusals with place and caret, exceptions with the right class, text and traceback."""

import traceback

import numpy as np
import pytest
from compare import arrays_alive, define
from pyarray import njit
from pyarray.errors import NumbaError, TypingError, UnsupportedError

pytestmark = pytest.mark.real

REFUSED = [
    ("with open('x'):", "        pass", "with"),
    ("import os", "", "import"),
    ("x = [1, 2]", "", "list"),
    ("x = {1: 2}", "", "dict"),
    ("x = {1, 2}", "", "set"),
    ("x = [i for i in range(3)]", "", "comprehension"),
    ("x = f'{a}'", "", "f-string"),
    ("x = lambda: 1", "", "lambda"),
    ("x = (y := 1)", "", ":="),
    ("global g; g = 1", "", "global"),
    ("try:\n        pass", "    except ValueError:\n        pass", "try"),
    ("def inner(): pass", "", "def|nested function"),
    ("class C: pass", "", "class"),
    ("print(a)", "", "print"),
    ("a.x = 1", "", "attribute"),
]


@pytest.mark.parametrize("line, more, word", REFUSED, ids=[row[0].split("\n")[0] for row in REFUSED])
def test_refused_construct(line, more, word):
    source = f"def f(a):\n    b = a\n    {line}\n{more}\n    return b\n"
    with pytest.raises(NumbaError, match=word) as caught:
        define(source)(1)
    text = str(caught.value)
    assert "line 3" in text and line.split("\n")[0] in text and "^" in text


def test_refused_generator():
    with pytest.raises(UnsupportedError, match="generator"):
        define("def f(a):\n    yield a\n")(1)


TYPING = [
    ("a + (1, 2)", "operator"),
    ("a.shape", "shape"),
    ("a[0]", "index"),
    ("a()", "call"),
    ("len(a)", "len"),
    ("undefined_name", "undefined_name"),
    ("math.sqrt('x')", "sqrt"),
    ("math.sqrt(a, a)", "argument"),
    ("(1, 2)[5]", "range"),
]


@pytest.mark.parametrize("text, word", TYPING)
def test_typing_error(text, word):
    with pytest.raises(NumbaError, match=word) as caught:
        define(f"def f(a):\n    return {text}\n")(1.5)
    assert "^" in str(caught.value) and "line 2" in str(caught.value)


def test_error_in_a_callee_names_the_call():
    inner = define("def inner(a):\n    return a.nothing\n", "inner")
    with pytest.raises(TypingError, match="while compiling inner, called from .*:2"):
        define("def f(a):\n    return inner(a)\n", inner=inner)(1)


def test_variable_with_two_types():
    with pytest.raises(TypingError, match="cannot unify .* variable 'y'"):
        define("def f(a):\n    if a > 0:\n        y = 1.0\n    else:\n        y = (1, 2)\n    return y\n")(1)


def test_no_frames_of_ours_in_a_typing_error():
    with pytest.raises(TypingError) as caught:
        define("def f(a):\n    return a.nothing\n")(1)
    assert all("pyarray/" not in frame.filename for frame in traceback.extract_tb(caught.tb)[1:])


def test_plain_function_as_callee():
    def plain(x):
        return x

    with pytest.raises(NumbaError, match="njit"):
        define("def f(a):\n    return plain(a)\n", plain=plain)(1)


RAISED = [
    ("1 / (a - a)", ZeroDivisionError),
    ("a // 0", ZeroDivisionError),
    ("a % 0", ZeroDivisionError),
    ("math.sqrt(-a)", ValueError),
    ("math.exp(1000.0 * a)", OverflowError),
    ("int(math.inf * a)", OverflowError),
    ("np.zeros(3)[a + 5]", IndexError),
]


@pytest.mark.parametrize("text, error", RAISED)
def test_traceback_points_into_the_source(text, error):
    f = define(f"def f(a):\n    b = a\n    return {text}\n")
    before = arrays_alive()
    with pytest.raises(error) as caught:
        f(1)
    last = traceback.extract_tb(caught.tb)[-1]
    assert (last.name, last.lineno, last.line) == ("f", 3, f"return {text}")
    del caught
    assert arrays_alive() == before


def test_traceback_through_calls():
    inner = define("def inner(a):\n    return 1 // a\n", "inner")
    f = define("def f(a):\n    b = a + 1\n    return inner(a) + b\n", inner=inner)
    with pytest.raises(ZeroDivisionError) as caught:
        f(0)
    frames = [(frame.name, frame.lineno) for frame in traceback.extract_tb(caught.tb)]
    assert frames[-2:] == [("f", 3), ("inner", 2)]


class OwnError(Exception):
    """An exception class of the user's."""


@pytest.mark.parametrize("error", [ValueError, KeyError, RuntimeError, OwnError, NotImplementedError, StopIteration])
def test_raise_with_arguments(error):
    f = define("def f(a):\n    if a:\n        raise E('text', 3)\n    raise E\n", E=error)
    with pytest.raises(error) as caught:
        f(1)
    assert caught.value.args == ("text", 3)
    with pytest.raises(error) as caught:
        f(0)
    assert caught.value.args == ()


def test_braces_in_a_message_are_the_users():
    with pytest.raises(ValueError, match=r"^\{0\} \{1\}$"):
        define("def f(a):\n    raise ValueError('{0} {1}')\n")(1)


def test_nothing_leaks_when_an_exception_passes():
    f = define(
        "def f(n, i):\n    a = np.ones(n)\n    for k in range(3):\n        b = a.copy()\n        a = b\n"
        "        if k == 1:\n            a[i] = 2\n    return a\n"
    )
    before = arrays_alive()
    for _ in range(100):
        with pytest.raises(IndexError):
            f(5, 7)
        f(5, 3)
    assert arrays_alive() == before


def test_dict_argument():
    with pytest.raises(TypingError, match="dict"):
        njit(lambda x: x["key"])({"key": 1})


def test_unsupported_is_said_before_types_are_known():
    with pytest.raises(UnsupportedError):
        define("def f(a):\n    with a:\n        pass\n")(np.ones(3))
