"""Loops over columns that go over some rows at a time, against NumPy: results, errors, what is written before those."""

import random

import numpy as np
import pytest
from compare import define
from pyarray import njit

COLUMNS = 7
LOOPS = ["range(1, 6)", "range(5, 0, -1)", "range(a.shape[1])", "range(1, k)", "range(k, 0, -1)", "range(3, 3)"]
PLACES = ["j", "j - 1", "j + 1", "j - k", "0", "-1", "k - j", "-j"]
LENGTHS = [5000, 2048, 2047, 513, 3, 0]


class Program:
    """A loop whose statements read and write columns of two arrays, in bounds or not."""

    def __init__(self, seed):
        self.choose = random.Random(seed)
        lines = [self.statement() for _ in range(self.choose.randrange(1, 3))]
        over = self.choose.choice(LOOPS)
        self.text = f"def f(a, b, k):\n    for j in {over}:\n" + "".join(f"        {line}\n" for line in lines)
        self.length = self.choose.choice(LENGTHS)
        self.kind = self.choose.choice(["apart", "apart", "same", "rows back", "longer", "one row", "steps", "F"])
        self.k = self.choose.randrange(1, 8)

    def column(self):
        return f"{self.choose.choice('ab')}[:, {self.choose.choice(PLACES)}]"

    def statement(self):
        factor = self.choose.choice(["0.5", "k", "-1.0"])
        right = self.choose.choice(
            [self.column(), f"{self.column()} * {factor} + {self.column()}", "1.5", "np.exp(-k)"]
        )
        sign = self.choose.choice(["=", "=", "+=", "-="])
        return f"{self.choose.choice('aab')}[:, {self.choose.choice(PLACES[:5])}] {sign} {right}"

    def arguments(self):
        numbers = np.random.default_rng(3)
        a = numbers.integers(-8, 9, (self.length, COLUMNS)) / 4
        other = {
            "apart": lambda: numbers.integers(-8, 9, a.shape) / 4,
            "same": lambda: a,
            "rows back": lambda: a[::-1],
            "longer": lambda: np.ones((self.length + 1, COLUMNS)),
            "one row": lambda: np.ones((1, COLUMNS)),
            "steps": lambda: np.ones((2 * self.length, 2 * COLUMNS))[::2, ::2],
            "F": lambda: np.asfortranarray(numbers.integers(-8, 9, a.shape) / 4),
        }[self.kind]()
        return a, other, self.k


def outcome(function, arguments):
    try:
        function(*arguments)
        error = None
    except (IndexError, ValueError) as raised:
        error = type(raised), str(raised)
    return error, arguments[0], arguments[1]


@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("decorator", [njit, njit(parallel=True)], ids=["one", "threads"])
def test_as_numpy(block, decorator):
    for seed in range(12 * block, 12 * block + 12):
        program = Program(seed)
        function = define(program.text, decorator=decorator)
        with np.errstate(all="ignore"):
            want, got = outcome(function.py_func, program.arguments()), outcome(function, program.arguments())
        told = program.text + repr((program.length, program.kind, program.k))
        assert got[0] == want[0], told
        np.testing.assert_array_equal(got[1], want[1], err_msg=told)
        np.testing.assert_array_equal(got[2], want[2], err_msg=told)


def test_planes():
    """Of three dimensions the others are kept, and compared."""
    text = "def f(a, b):\n    for k in range(1, a.shape[2]):\n        a[:, :, k] += 0.5 * a[:, :, k - 1] * b[:, :, k]\n"
    function = define(text)
    for rows, columns in [(3000, 3), (3000, 1), (20, 30)]:
        a, b = np.random.default_rng(1).random((2, rows, 3, 5))
        want = a.copy()
        function.py_func(want, b[:, :columns] if columns < 4 else b)
        function(a, b[:, :columns] if columns < 4 else b)
        np.testing.assert_array_equal(a, want)


def test_rows_that_overlap():
    """A view in which one row lies in the memory of the next: NumPy's order of columns decides."""
    text = "def f(a):\n    for j in range(1, 4):\n        a[:, j] = a[:, j - 1] + 1\n"
    function = define(text)
    want, got = np.arange(3003.0), np.arange(3003.0)
    function.py_func(np.lib.stride_tricks.as_strided(want, (3000, 4), (8, 8)))
    function(np.lib.stride_tricks.as_strided(got, (3000, 4), (8, 8)))
    np.testing.assert_array_equal(got, want)


def test_level_2_has_strips():
    text = "def f(a, b):\n    for j in range(1, a.shape[1]):\n        a[:, j] = a[:, j - 1] + np.exp(b[:, j])\n"
    function = define(text)
    function(np.ones((3, 3)), np.ones((3, 3)))
    assert "pyarray.strip" in "".join(function.inspect_mlir(3).values())
