"""Loops of array operations whose iterations threads share, against NumPy: results, errors, what must stay in order."""

import random
from textwrap import dedent

import numpy as np
import pytest
from compare import define
from pyarray import config, njit, set_num_threads

ROWS, COLUMNS = 400, 40  # some hundred microseconds
LOOPS = ["range(n)", "range(1, n)", "range(0, n, 2)", "range(n - 1, -1, -1)", "range(-2, n - 3)", "range(n + 1)"]
PLACES = ["[i]", "[i]", "[i, :]", "[i - 1]", "[i, 1:]", "[-1]", "[n - 1 - i]", "[:, i % m]", "[i // 2]", "[i, 3:4]"]
READ = ["a", "a", "out", "other", "view", "late", "t"]


class Program:
    """A loop whose statements read and write rows of arrays that are arguments, made here, or views of such."""

    def __init__(self, seed):
        self.choose = random.Random(seed)
        lines = [self.statement() for _ in range(self.choose.randrange(1, 4))]
        inner = self.choose.random() < 0.3
        over = [f"for i in {self.choose.choice(LOOPS)}:"] + ["    for k in range(2):"] * inner
        into = ["out", "out", "out", "a"][self.choose.randrange(4)]
        body = "\n".join(f"{'    ' * (1 + inner)}    {line.replace('TARGET', into)}" for line in lines)
        self.text = (
            "def f(a, b):\n    n, m = a.shape\n    out, other = np.zeros((n, m)), np.ones((n, m))\n"
            "    view = out[1:]\n    t = b[0] * 2\n    late = other[::-1]\n"
            f"    {over[0]}\n" + "".join(f"    {line}\n" for line in over[1:]) + body + "\n    return out, other, a\n"
        )

    def row(self):
        read = self.choose.choice(READ)
        return read + (self.choose.choice(PLACES) if read != "t" else "[::-1]")

    def statement(self):
        return self.choose.choice(
            [
                lambda: f"TARGET[i] = {self.row()} * 0.5",
                lambda: "TARGET[i] = a[i] * 0.5 + b[i]",
                lambda: "TARGET[i] += np.sqrt(np.abs(a[i])) + b[:, 2][:m]",
                lambda: f"TARGET[i] += {self.row()} - b[i]",
                lambda: "TARGET[i, 2] = (a[i] * b[i]).sum()",
                lambda: "other[i] -= b[i] * a[i]",
                lambda: "t = a[i] * b[i]; TARGET[i] = t + t[::-1]",
                lambda: "t = a[i] + 1; t[1:] = t[:-1] * 2; TARGET[i] = t",
                lambda: f"t = {self.row()}; t += 1; TARGET[i] = b[i]",
            ]
        )()


def outcome(function, rows):
    numbers = np.random.default_rng(5)
    a, b = numbers.integers(-9, 9, (2, rows, COLUMNS)) / 4.0
    try:
        return None, function(a, b), a
    except (IndexError, ValueError) as raised:
        return (type(raised), str(raised)), None, a


@pytest.mark.parametrize("block", range(6))
def test_as_numpy(block):
    for seed in range(20 * block, 20 * block + 20):
        program = Program(seed)
        function = define(program.text, decorator=njit(parallel=True))
        for rows in (ROWS, ROWS, 5):
            with np.errstate(all="ignore"):
                want, got = outcome(function.py_func, rows), outcome(function, rows)
            assert got[0] == want[0], program.text
            if want[0] is None:
                for x, y in zip(got[1], want[1], strict=True):
                    np.testing.assert_array_equal(x, y, err_msg=program.text)


def is_shared(function):
    return "pyarray.timed" in "".join(function.inspect_mlir(3).values())


def shared(text, *arguments, **names):
    """Whether the loop of a function is; what it gives is NumPy's three times."""
    function = define(text, decorator=njit(parallel=True), **names)
    for _ in range(3):
        np.testing.assert_array_equal(function(*arguments), function.py_func(*arguments))
    return is_shared(function)


HEAD = "def f(a):\n    out = np.zeros((300, 60))\n    v = out[1:]\n"
SHARED = [
    "for i in range(300): out[i] = a[i] * 2",
    "for j in range(60): out[:, j] = a[:, j] * 2",
    "for i in range(300): out[i, 1] = a[i].sum()",
]
IN_ORDER = [
    "for i in range(1, 300): out[i] = a[i] + out[i - 1]",
    "for i in range(-9, 300): out[i] += a[i]",
    "for i in range(299): out[i] = a[i] + v[i]",
    "for i in range(300): out[i] = a[i]; a = a + 1",
    "for i in range(300): out[i // 2] = a[i] * 2",
    "for i in range(300): a[i] = a[i] * 2",
    "for i in range(60): out[i] = a[i] + out[0, i]",
]


@pytest.mark.parametrize("statement", SHARED + IN_ORDER)
def test_which_are_shared(statement):
    a = np.random.default_rng(2).random((300, 60))
    assert shared(f"{HEAD}    {statement}\n    return out\n", a) == (statement in SHARED)


def test_the_inner_one_of_two():
    a = np.random.default_rng(2).random((300, 60))
    statement = "for k in range(3):\n        for i in range(300): out[i] += a[i]"
    assert shared(f"{HEAD}    {statement}\n    return out\n", a)


def test_random_numbers_are_in_order():
    text = dedent("""
        def f(n):
            np.random.seed(3)
            out = np.zeros((n, 50))
            for i in range(n):
                out[i] = np.random.random(50) * 2
            return out
    """)
    function = define(text, decorator=njit(parallel=True))
    np.testing.assert_array_equal(function(200), function.py_func(200))


def test_first_error():
    text = dedent("""
        def f(a, last):
            out = np.zeros((len(a), 50))
            for i in range(len(a)):
                out[i] = a[i] + a[i + last[i]] * np.ones(50)
            return out
    """)
    function = define(text, decorator=njit(parallel=True))
    a = np.random.default_rng(2).random((2000, 50))
    for bad in ([1500], [1999, 700, 1200], [0], [3, 1999]):
        last = np.zeros(2000, np.int64)
        last[bad] = 100000 + np.array(bad)
        for _ in range(3):
            with pytest.raises(IndexError, match=f"index {min(bad) + 100000 + min(bad)} is out of bounds"):
                function(a, last)
    np.testing.assert_array_equal(function(a, np.zeros(2000, np.int64)), 2 * a)
    assert is_shared(function)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(threads):
    text = dedent("""
        def f(a, b):
            out = np.empty((len(a), len(b)))
            for i in range(len(a)):
                for j in range(len(b)):
                    out[i, j] = (a[i] * b[j]).sum()
            return out
    """)
    function = define(text, decorator=njit(parallel=True))
    a, b = np.random.default_rng(2).random((2, 70, 33))
    set_num_threads(min(threads, config.NUM_THREADS))
    try:
        for _ in range(40):
            np.testing.assert_array_equal(function(a, b), function.py_func(a, b))
            np.testing.assert_array_equal(function(a[:2], b[:3]), function.py_func(a[:2], b[:3]))
            np.testing.assert_array_equal(function(a[:0], b), function.py_func(a[:0], b))
    finally:
        set_num_threads(config.NUM_THREADS)


def test_large_rows():
    """Of few iterations with large operations these have the threads; of many the iterations."""
    text = dedent("""
        def f(a):
            out = np.empty(a.shape)
            for i in range(len(a)):
                out[i] = np.exp(a[i]) * 2
            return out
    """)
    function, plain = define(text, decorator=njit(parallel=True)), define(text)
    for rows in (1, 2, 3, 100):
        a = np.random.default_rng(rows).random((rows, 60000))
        for _ in range(3):
            np.testing.assert_array_equal(function(a), plain(a))


def test_the_report_says_so():
    text = dedent("""
        def f(a):
            out = np.empty(a.shape)
            for i in range(len(a)):
                out[i] = a[i] * 2
            return out
    """)
    function = define(text, decorator=njit(parallel=True))
    function(np.ones((3, 3)))
    (report,) = function.inspect_parallel().values()
    assert "loop over range: runs on several threads where its iterations" in report
    assert "array operation: runs on several threads" in report
