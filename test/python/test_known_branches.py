"""Branches that literals and frozen globals decide: what is not taken is neither compiled nor refused."""

import numpy as np
import pytest
from compare import define, expression, outcome
from pyarray.errors import TypingError

NAMES = {
    "D": False,
    "T": True,
    "MODE": "fast",
    "VERSION": (3, 11),
    "NOTHING": None,
    "LEVEL": 2,
    "RATE": 0.5,
    "KEY": b"k",
}

#: Conditions, and what they are.
CONDITIONS = {
    "False": False,
    "0": False,
    "''": False,
    "not 1": False,
    "D": False,
    "D and x > 0": False,
    "x > 0 and D": False,
    "T or x > 0": True,
    "x > 0 or T": True,
    "not (D or not T)": True,
    "MODE == 'slow'": False,
    "MODE != 'slow'": True,
    "MODE in ('slow', 'medium')": False,
    "'as' not in MODE": False,
    "VERSION >= (3, 12)": False,
    "NOTHING is not None": False,
    "NOTHING is None": True,
    "D is not False": False,
    "1 < LEVEL < 2": False,
    "LEVEL > -1": True,
    "RATE > 0.75": False,
    "KEY == b'k'": True,
    "RATE": True,
}

#: Bodies of functions, whose branch that is not taken would be refused.
BODIES = [
    "if {c}: return {yes}\n    return {no}",
    "if {c}:\n        x = {yes}\n    else:\n        x = {no}\n    return x",
    "if x < 0: return x\n    elif {c}: return {yes}\n    return {no}",
    "return {yes} if {c} else {no}",
    "for _ in range(2):\n        if {c}: x = {yes}\n        else: x = {no}\n    return x",
    "def inner():\n        return {yes} if {c} else {no}\n    return inner()",
    "try:\n        if {c}: return {yes}\n    finally:\n        x += 1\n    return {no}",
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("body", BODIES)
def test_branches(condition, body):
    known = CONDITIONS[condition]
    refused, compiled = "np.nothing_like_it(x)", "x + 1"
    yes, no = (compiled, refused) if known else (refused, compiled)
    f = define("def f(x):\n    " + body.format(c=condition, yes=yes, no=no) + "\n", **NAMES)
    assert f(1) == f.py_func(1)


@pytest.mark.parametrize("condition", [c for c in CONDITIONS if not CONDITIONS[c]])
def test_loops(condition):
    body = f"while {condition}:\n        x = np.nothing_like_it(x)\n    else:\n        x += 1\n    return x\n"
    f = define(f"def f(x):\n    {body}", **NAMES)
    assert f(4) == 5


@pytest.mark.parametrize("text", ["D and np.no_such(x)", "T or np.no_such(x)", "T and x", "D or x", "x and D and np.x"])
def test_operands_that_are_not_evaluated(text):
    f = define(f"def f(x):\n    return {text}\n", **NAMES)
    assert f(3) == f.py_func(3)


def test_what_stands_before_is_evaluated():
    f = define("def f(a):\n    if a[5] > 0 and D: return 1\n    return 0\n", **NAMES)
    assert outcome(f, (np.arange(6),)) == ("returned", 0)
    assert outcome(f, (np.arange(3),))[1] is IndexError
    f = define("def f(x):\n    if (y := x + 1) and D: return 1\n    return y\n", **NAMES)
    assert f(3) == 4


def test_a_generator_stays_one():
    f = define("def f(x):\n    if D:\n        yield np.nothing_like_it(x)\n    yield x\n", **NAMES)
    assert list(f(2)) == [2]


def test_what_is_taken_is_compiled():
    with pytest.raises(TypingError, match="nothing_like_it|unknown"):
        define("def f(x):\n    if MODE == 'fast': return np.nothing_like_it(x)\n    return x\n", **NAMES)(1)
    with pytest.raises(TypingError, match="no operator '<'"):
        expression("1 if 1 < 'a' else 2")(1)
