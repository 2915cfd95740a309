"""Random programs of array statements that write through views of one another, against NumPy.

Names are bound to views of arguments, of each other and of new arrays, and written between any two statements.
"""

import random

import numpy as np
import pytest
from compare import define

VECTORS = ["u", "v", "w"]
# None of unequal steps: NumPy 2.4 reads what it has overwritten in a[::2] = a[:3].
SAME = [":", "::-1"]
PAIRS = [
    ("1:", ":-1"),
    (":-1", "1:"),
    ("1:4", "2:"),
    (":", "::-1"),
    ("::-1", ":"),
    ("1:", ":3"),
]


class Program:
    """Statements over vectors u, v, w, a matrix m and a number k; few lengths differ, so that some programs raise."""

    def __init__(self, seed):
        self.choose = random.Random(seed)

    def vector(self, depth=2):
        pick = self.choose.random()
        if depth == 0 or pick < 0.35:
            return self.choose.choice([*VECTORS, "m[0]", "m[-1]"])
        if pick < 0.5:
            return f"{self.choose.choice(VECTORS)}[{self.choose.choice(SAME)}]"
        if pick < 0.6:
            return f"np.where({self.vector(depth - 1)} > {self.number()}, {self.vector(depth - 1)}, {self.number()})"
        if pick < 0.7:
            return f"{self.choose.choice(['abs', 'np.square', 'np.sign'])}({self.vector(depth - 1)})"
        right = self.vector(depth - 1) if self.choose.random() < 0.6 else self.number()
        return f"({self.vector(depth - 1)} {self.choose.choice('+-*')} {right})"

    def number(self):
        return self.choose.choice(["2", "-1", "0.5", "k", "u[0]", "len(v)"])

    def statement(self):
        name, other = self.choose.choice(VECTORS), self.choose.choice(VECTORS)
        (where, there), sign = self.choose.choice(PAIRS), self.choose.choice("+-*")
        return self.choose.choice(
            [
                f"{name} = {self.vector()}",
                f"{name} = {other}",
                f"{name} = {other}[{self.choose.choice(SAME)}]",
                f"{name} = m[{self.choose.choice('01')}]",
                f"{name} {sign}= {self.vector()}",
                f"{name}[{where}] {sign}= {self.vector()}[{there}]",
                f"{name}[{where}] = {self.vector()}[{there}]",
                f"{name}[...] = {self.vector()}",
                f"m[{self.choose.choice('01')}] {sign}= {self.vector()}",
                f"m[:, 1] = {self.number()}",
                f"m {sign}= m[::-1]",
                f"np.add({name}, {other}, out={name})",
            ]
        )

    def text(self):
        lines = [self.statement() for _ in range(6)]
        lines.insert(self.choose.randrange(6), f"if k > 0:\n        {self.statement()}")
        lines.insert(self.choose.randrange(6), f"for _ in range(2):\n        {self.statement()}")
        body = "".join(f"    {line}\n" for line in lines)
        return f"def f(u, v, w, m, k):\n{body}    return u, v, w\n"


def run(function):
    """What it gives or raises, and what its arguments hold afterwards; u and v are views of the same memory."""
    memory = np.arange(12.0) / 4
    m = np.arange(15.0).reshape(3, 5) / 8
    arguments = memory[2:7], memory[4:9], np.arange(5.0), m
    with np.errstate(all="ignore"):
        try:
            result = [each.tolist() for each in function(*arguments, 1.5)]
        except ValueError as error:
            result = str(error)
    return result, memory.tolist(), m.tolist(), arguments[2].tolist()


@pytest.mark.parametrize("block", range(8))
def test_as_numpy(block):
    for seed in range(block * 5, block * 5 + 5):
        source = Program(seed).text()
        function = define(source)
        ours, theirs = run(function), run(function.py_func)
        assert repr(ours) == repr(theirs), source
