"""What a handler asks of its exception: `e.args` and its class."""

import subprocess
import sys

import numpy as np
import pytest
from compare import agrees, arrays_alive, check_alike, define
from pyarray import errors, njit, objmode, prange

pytestmark = pytest.mark.real


class Own(ValueError):
    pass


class Reworded(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")


@njit
def check(x):
    if x > 5:
        raise Own("big", x)
    if x < 0:
        raise ValueError("negative", x)
    return x


def of_literals_and_numbers(x):
    try:
        if x:
            raise ValueError("wrong", x, 2.5, None, (x, "in"), b"bytes", 1j * x, True)
        return "none", x, 0.5, None, (0, ""), b"", 0j, False
    except ValueError as e:
        return e.args


def of_callees(x):
    try:
        check(x)
        return "fine", 0, False, "", ""
    except ValueError as e:
        word, number = e.args
        return word, number, type(e) is ValueError, type(e).__name__, e.__class__.__name__


def of_lookups(table, keys):
    missing = [0]
    for key in keys:
        try:
            missing[0] += table[key]
        except KeyError as e:
            missing.append(e.args[0])
    try:
        table.pop(77)
    except KeyError as e:
        missing.append(e.args[0])
    try:
        del table[78]
    except LookupError as e:
        missing.append(e.args[0])
    return missing


def of_operations(x):
    texts = [""]
    try:
        texts.append(str(1 // x))
    except ZeroDivisionError as e:
        texts.append(e.args[0])
    try:
        texts.append(str(int("seven")))
    except ValueError as e:
        texts.append(e.args[0] + type(e).__name__)
    try:
        texts.append(str(np.zeros(2)[x + 5]))
    except Exception as e:
        texts.append(e.args[0] + type(e).__name__ + str(len(e.args)))
    return texts


def of_nested_handlers(x):
    try:
        try:
            raise KeyError(x)
        except KeyError as inner:
            raise ValueError(inner.args[0] + 1, "outer") from inner
    except ValueError as e:
        return e.args


def of_no_arguments(x):
    try:
        if x:
            raise ValueError
        raise ValueError()
    except ValueError as e:
        return len(e.args), e.args


CASES = [
    (of_literals_and_numbers, (3,)),
    (of_literals_and_numbers, (0,)),
    (of_callees, (3,)),
    (of_callees, (9,)),
    (of_callees, (-9,)),
    (of_lookups, ({1: 2, 3: 4}, [1, 2, 3, 5])),
    (of_operations, (0,)),
    (of_operations, (2,)),
    (of_nested_handlers, (7,)),
    (of_no_arguments, (0,)),
    (of_no_arguments, (1,)),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_arguments_are_those_of_cpython(number):
    function, arguments = CASES[number]
    before = arrays_alive()
    agrees(function, *arguments)
    assert arrays_alive() == before


def classes(x):
    try:
        if x == 0:
            raise Own(1)
        if x == 1:
            raise ValueError(1)
        if x == 2:
            return str([1][x])
        raise KeyError(1)
    except Exception as e:
        kind = type(e)
        first = kind is ValueError, kind is not Own, kind is KeyError, IndexError is type(e)
        return f"{first} {kind in (Own, KeyError)} {e.__class__ not in (IndexError, Own)} {kind.__name__}"


def test_classes():
    for x in range(4):
        agrees(classes, x)


def test_an_exception_given_to_a_function():
    @njit(inline="never")
    def code_of(error):
        return error.args[1] * 10

    @njit
    def f(x):
        try:
            return check(x)
        except ValueError as e:
            return code_of(e)

    assert [f(x) for x in (1, 6, -2)] == [1, 60, -20]


def test_in_recursion_and_loops():
    @njit
    def deep(n):
        if n == 0:
            raise ValueError("bottom", n)
        try:
            return deep(n - 1)
        except ValueError as e:
            raise ValueError(e.args[0], e.args[1] + n) from None

    @njit
    def f(n):
        total = 0
        for i in range(n):
            try:
                deep(i)
            except ValueError as e:
                total += e.args[1]
        return total

    assert f(5) == sum(i * (i + 1) // 2 for i in range(5))


def test_other_arguments_than_those_in_sight():
    """An operation raises with a message, where the raise statements have numbers."""

    @njit
    def f(x):
        try:
            if x > 0:
                raise ValueError(x, 0.5)
            return int("nothing") + 0.5
        except ValueError as e:
            return e.args[0] + e.args[1]

    assert f(3) == 3.5
    with pytest.raises(
        TypeError,
        match=r'the arguments of the exception are \("invalid literal.*\); compiled code expects.*int64.*float64',
    ) as caught:
        f(0)
    assert isinstance(caught.value.__context__, ValueError)

    @njit
    def g(x):
        try:
            raise Reworded(x)
        except ValueError as e:
            return e.args

    with pytest.raises(TypeError, match=r"are \('code 3',\); compiled code expects"):
        g(3)


def test_exceptions_of_the_interpreter():
    @njit
    def f(x):
        try:
            with objmode(y="int64"):
                y = {1: 2}[x] if x else int("x")
            return str(y)
        except Exception as e:
            return e.args[0] + type(e).__name__

    assert f(1) == "2" and f(0) == "invalid literal for int() with base 10: 'x'ValueError"
    with pytest.raises(TypeError, match=r"the arguments of the exception are \(5,\)"):
        f(5)


def test_refused():
    @njit
    def several(x):
        try:
            if x:
                raise ValueError("text")
            raise ValueError(x)
        except ValueError as e:
            return str(e.args)

    with pytest.raises(
        errors.TypingError,
        match=r"arguments have several types: .*unicode_type.* in line \d+, .*int64.* in line (?s:.*)Hint: handle each",
    ):
        several(1)

    @njit
    def leaves():
        kind = 0
        try:
            raise ValueError(1)
        except ValueError as e:
            kind = type(e)
        return kind

    with pytest.raises(errors.UnsupportedError, match="an exception that leaves the handler"):
        leaves()

    @njit
    def compared(x):
        try:
            raise ValueError(1)
        except ValueError as e:
            return type(e) is x

    with pytest.raises(errors.TypingError, match="the class of an exception is only compared with exception classes"):
        compared(1)

    @njit
    def attribute():
        try:
            raise ValueError(1)
        except ValueError as e:
            return type(e).__mro__

    with pytest.raises(errors.UnsupportedError, match="'__mro__' of an exception's class is not compiled"):
        attribute()


def test_parallel_loops_know_the_class_alone():
    @njit(parallel=True)
    def f(n, ask):
        a = np.zeros(n)
        for i in prange(n):
            try:
                if i % 2:
                    raise KeyError(i)
                raise ValueError(i)
            except Exception as e:
                a[i] = e.args[0] if ask else type(e) is KeyError
        return a

    assert f(100_000, False).sum() == 50_000
    with pytest.raises(RuntimeError, match="arguments of an exception cannot be read in a parallel loop"):
        f(100_000, True)


def test_cached_code_knows_its_sites(tmp_path):
    source = tmp_path / "cached_arguments.py"
    source.write_text(
        "from pyarray import njit\n\n\n"
        "@njit(cache=True)\ndef f(x):\n    try:\n        raise ValueError('own', x)\n"
        "    except ValueError as e:\n        return e.args\n\n\n"
        "print(f(3), sum(f.stats.cache_hits.values()))\n"
    )
    runs = [subprocess.run([sys.executable, source], capture_output=True, text=True, check=True) for _ in range(2)]
    assert [run.stdout for run in runs] == ["('own', 3) 0\n", "('own', 3) 1\n"]


CONVERTED = ["int(False), 2", "int(True)", "float(3), float(True)", "bool(0.5), bool(1)", "complex(1), 1"]
CONVERTED += ["(int(False), float(3))"]


@pytest.mark.parametrize("text", CONVERTED)
def test_known_numbers_have_the_class_that_they_are_made_of(text):
    """A literal that a conversion makes another number of is no argument itself."""
    function = define(f"def f(x):\n    raise ValueError({text})\n")
    check_alike(function, 3)
