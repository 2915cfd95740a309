"""Loops over planes that become loops over columns, against NumPy: results, errors, what is written before those."""

import random

import numpy as np
import pytest
from compare import define
from pyarray import njit

LEVELS = 5
LOOPS = [
    "range(a.shape[2])",
    "range(1, 4)",
    "range(a.shape[2] - 1, -1, -1)",
    "range(k)",
    "range(0, 5, 2)",
    "range(2, 2)",
]
PLACES = ["j", "j", "j - 1", "j + 1", "k - j", "-1", "0", "-j"]
CONDITIONS = ["j > 0", "j < a.shape[2] - 1", "j % 2 == 0", "k > 3", "j + k < 6"]


class Program:
    """A loop whose statements read and write planes of three arrays, new planes, and what one iteration leaves."""

    def __init__(self, seed):
        self.choose = random.Random(seed)
        self.planes = []
        lines = self.statements("        ", 2 + self.choose.randrange(4), deep=True)
        head = "def f(a, b, c, w, k):\n"
        self.text = head + f"    for j in {self.choose.choice(LOOPS)}:\n" + "".join(lines)
        self.kind = self.choose.choice(["apart"] * 5 + ["same", "other rows", "one row", "steps", "F", "part"])
        self.rows = self.choose.choice([4, 4, 1, 0])
        self.k = self.choose.randrange(1, 7)

    def place(self):
        return self.choose.choice(PLACES)

    def plane(self):
        choices = ["a[:, :, @]", "b[:, :, @]", "c[:, :, @]", *self.planes]
        return self.choose.choice(choices).replace("@", self.place())

    def number(self):
        return self.choose.choice(["0.5", "k", "w[j]", "w[@]", "-2.0", "j"]).replace("@", self.place())

    def right(self):
        return self.choose.choice(
            [
                f"{self.plane()} * {self.number()}",
                f"{self.plane()} - {self.plane()}",
                f"{self.plane()} / 2 + {self.plane()} * {self.plane()}",
                f"np.where({self.plane()} > 0, {self.plane()}, {self.number()})",
                f"{self.plane()}",
            ]
        )

    def statement(self):
        kind = self.choose.randrange(6)
        if kind == 0 and len(self.planes) < 4:
            name = f"t{len(self.planes)}"
            new = self.choose.choice(
                [f"{self.plane()} + {self.number()}", "np.full(a.shape[:2], 1.5)", "np.zeros((a.shape[0], a.shape[1]))"]
            )
            self.planes.append(name)
            return f"{name} = {new}"
        if kind == 1 and self.planes:
            return f"{self.choose.choice(self.planes)} {self.choose.choice(['+=', '-=', '*='])} {self.right()}"
        sign = self.choose.choice(["=", "=", "+=", "-="])
        return f"{self.choose.choice('aabc')}[:, :, {self.place()}] {sign} {self.right()}"

    def statements(self, indent, count, deep):
        lines = []
        for _ in range(count):
            if deep and self.choose.random() < 0.35:
                lines.append(f"{indent}if {self.choose.choice(CONDITIONS)}:\n")
                lines += self.statements(indent + "    ", 1 + self.choose.randrange(2), False)
                if self.choose.random() < 0.4:
                    lines.append(f"{indent}else:\n")
                    lines += self.statements(indent + "    ", 1, False)
            else:
                lines.append(f"{indent}{self.statement()}\n")
        return lines

    def arguments(self):
        numbers = np.random.default_rng(3)

        def new(*shape):
            return numbers.integers(-8, 9, shape) / 4

        a, c = new(self.rows, 3, LEVELS), new(self.rows, 3, LEVELS)
        b = {
            "apart": lambda: new(self.rows, 3, LEVELS),
            "same": lambda: a,
            "other rows": lambda: new(self.rows + 1, 3, LEVELS),
            "one row": lambda: new(1, 3, LEVELS),
            "steps": lambda: new(2 * self.rows, 3, 2 * LEVELS)[::2, :, ::2],
            "F": lambda: np.asfortranarray(new(self.rows, 3, LEVELS)),
            "part": lambda: new(self.rows, 3, LEVELS + 2)[:, :, 1:-1],
        }[self.kind]()
        return a, b, c, new(LEVELS), self.k


def outcome(function, arguments):
    try:
        function(*arguments)
        error = None
    except UnboundLocalError as raised:
        error = type(raised), None
    except (IndexError, ValueError) as raised:
        error = type(raised), str(raised)
    return error, *arguments[:3]


@pytest.mark.parametrize("block", range(12))
@pytest.mark.parametrize("decorator", [njit, njit(parallel=True)], ids=["one", "threads"])
def test_as_numpy(block, decorator):
    for seed in range(10 * block, 10 * block + 10):
        program = Program(seed)
        function = define(program.text, decorator=decorator)
        with np.errstate(all="ignore"):
            want, got = outcome(function.py_func, program.arguments()), outcome(function, program.arguments())
        told = program.text + repr((program.rows, program.kind, program.k))
        assert got[0] == want[0], told
        for g, w in zip(got[1:], want[1:], strict=True):
            np.testing.assert_array_equal(g, w, err_msg=told)


def is_interchanged(text, *arguments):
    function = define(text)
    function(*arguments)
    return '"(m,n0)->(m,n1)"' in "".join(function.inspect_mlir(3).values())


LOOP = "def f(a, b):\n    for j in range(1, a.shape[1]):\n"


def test_many_of_the_programs_are_interchanged():
    """Else the test above would say nothing."""
    ones = np.ones((3, 3))
    assert is_interchanged(LOOP + "        a[:, j] = a[:, j - 1] + b[:, j]\n", ones, np.ones((3, 3)))
    assert is_interchanged(
        LOOP + "        t = b[:, j] * 2\n        if j > 1:\n            t += b[:, 0]\n        a[:, j] += t\n",
        ones,
        ones + 1,
    )


@pytest.mark.parametrize(
    "statement",
    [
        "a[:, j] = np.exp(b[:, j])",  # vectors of functions
        "a[j, :] = b[j, :]",  # rows
        "a[:, j] = b[:, int(a[0, j])]",  # an index that elements decide
        "a[:, j] = b[:, j].sum()",
        "a[:, j] = b[::-1, j]",  # other columns
        "a[:, j] = a[:, j - 1] * a[1, j]",  # an element of another column, which changes
    ],
)
def test_what_stays(statement):
    assert not is_interchanged(f"{LOOP}        {statement}\n", np.ones((3, 3)), np.ones((3, 3)))


def test_two_names_of_a_plane():
    text = (
        "def f(a, b, k):\n    for j in range(1, a.shape[1]):\n        t = b[:, j] * 2\n"
        "        if k > 1:\n            u = t\n        else:\n            u = b[:, 0] + 1\n"
        "        t += 1\n        a[:, j] = u\n"
    )
    function = define(text)
    for k in (1, 2):
        want, got = np.zeros((2, 3, 4))
        b = np.arange(12.0).reshape(3, 4)
        function.py_func(want, b, k)
        function(got, b, k)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, np.bool_, np.complex128])
def test_dtypes(dtype):
    text = f"{LOOP}        t = np.where(b[:, j] != 0, b[:, j], a[:, j - 1])\n        a[:, j] = t\n"
    function = define(text)
    b = (np.arange(20).reshape(4, 5) % 3).astype(dtype)
    want, got = np.zeros((4, 5), dtype), np.zeros((4, 5), dtype)
    function.py_func(want, b)
    function(got, b)
    np.testing.assert_array_equal(got, want)


def test_a_recurrence_over_levels_is_carried():
    text = (
        "def f(a, b):\n    for j in range(a.shape[2]):\n        t = b[:, :, j] * 0.5\n        if j > 0:\n"
        "            t += last\n        last = t * 0.25\n        a[:, :, j] = t + last\n"
    )
    function = define(text)
    b = np.random.default_rng(1).random((3, 4, 6))
    want, got = np.zeros((3, 4, 6)), np.zeros((3, 4, 6))
    function.py_func(want, b)
    function(got, b)
    np.testing.assert_array_equal(got, want)
    assert '"(m,n0)->(m,n1)"' in "".join(function.inspect_mlir(3).values())


@pytest.mark.parametrize("rows", [1, 3, 4, 9])
def test_loops_that_follow_each_other(rows):
    """A tridiagonal system for each column: one operation, which computes four columns side by side."""
    text = (
        "def f(lower, diagonal, upper, right):\n    n = right.shape[2]\n    for k in range(n):\n"
        "        d = diagonal[:, :, k]\n"
        "        if k > 0:\n            d = d - lower[:, :, k] * upper[:, :, k - 1]\n"
        "            right[:, :, k] -= lower[:, :, k] * right[:, :, k - 1]\n        else:\n            d = d + 0\n"
        "        upper[:, :, k] /= d\n        right[:, :, k] /= d\n    for k in range(n - 2, -1, -1):\n"
        "        right[:, :, k] -= upper[:, :, k] * right[:, :, k + 1]\n    return right\n"
    )
    function = define(text)
    lower, upper, right = np.random.default_rng(1).random((3, 2, rows, 6))
    diagonal = np.full((2, rows, 6), 4.0)
    want = function.py_func(lower, diagonal, upper.copy(), right.copy())
    np.testing.assert_array_equal(function(lower, diagonal, upper.copy(), right.copy()), want)
