# ruff: noqa: E501  (programs in one line)
"""Constants that are equal, but of two types or signs, are never taken for each other: 8 and 8.0, 0.0 and -0.0."""

import math  # noqa: F401 (of the values)
import subprocess
import sys

import pytest
from compare import define
from pyarray import njit

pytestmark = pytest.mark.real

VALUES = [
    "8",
    "8.0",
    "1",
    "True",
    "1.0",
    "0",
    "False",
    "0.0",
    "-0.0",
    "complex(0.0, -0.0)",
    "complex(-0.0, -0.0)",
    "complex(-0.0, 0.0)",
    "1j",
    "math.inf",
    "-math.inf",
    "complex(math.inf, 1.0)",
    "complex(0.0, math.nan)",
]


def same(a, b):
    return repr(a) == repr(b) and type(a) is type(b)


@pytest.mark.parametrize("value", VALUES)
def test_results_globals_and_defaults(value):
    constant = eval(value)
    assert same(define("def f():\n    return C\n", C=constant)(), constant)
    assert same(define("def f():\n    return C\n", C=(constant, 1))()[0], constant)
    assert same(define("def f(x=C):\n    return x\n", C=constant)(), constant)
    f = define("@njit\ndef g(x=C):\n    return x\n\ndef f():\n    return g()\n", C=constant, njit=njit)
    assert same(f(), constant)


def test_all_of_them_in_one_function():
    elements = ", ".join(v for v in VALUES if "(" not in v)
    f = define(f"def f():\n    return {elements}\n")
    assert all(same(a, b) for a, b in zip(f(), f.py_func(), strict=True))


@pytest.mark.parametrize("value", VALUES)
def test_arguments_of_exceptions(value):
    for text in ("C", "(C,)", "'x', C, (1, C)"):
        f = define(
            f"def f(k):\n    if k == 0:\n        raise ValueError({text})\n    if k == 1:\n        raise ValueError(8, 8.0, 1, True, 0.0)\n    return k\n",
            C=eval(value),
        )
        for k in (0, 1):
            with pytest.raises(ValueError) as found:
                f(k)
            with pytest.raises(ValueError) as wanted:
                f.py_func(k)
            assert same(found.value.args, wanted.value.args)


@pytest.mark.parametrize("zero", ["0", "0.0", "False"])
@pytest.mark.parametrize("sign", ["//", "%", "/"])
def test_messages_of_divisions(zero, sign):
    for value in (1, 1.5, True):
        f = define(f"def f(x):\n    return x {sign} {zero}\n")
        with pytest.raises(ZeroDivisionError) as found:
            f(value)
        with pytest.raises(ZeroDivisionError) as wanted:
            f.py_func(value)
        assert str(found.value) == str(wanted.value)


LAMBDAS = """
from pyarray import njit
functions = [lambda: 8, lambda: 8.0, lambda: 1, lambda: True, lambda: 0.0, lambda: -0.0, lambda: (1, 2), lambda: (1., 2)]
print(*[njit(f)() for f in functions], sep="; ")
"""


def test_lambdas_of_one_line_without_columns(tmp_path):
    path = tmp_path / "lambdas.py"
    path.write_text(LAMBDAS)
    made = subprocess.run([sys.executable, "-X", "no_debug_ranges", path], capture_output=True, text=True, check=True)
    assert made.stdout == "8; 8.0; 1; True; 0.0; -0.0; (1, 2); (1.0, 2)\n"


def test_the_disk_cache_tells_them_apart(run):
    program = "from pyarray import njit\nC = {}\n@njit\ndef f():\n    return C\nprint(f())\n"
    for value in ("8", "8.0", "True", "1", "1.0", "0.0", "-0.0", "0"):
        assert run(program.format(value)) == f"{value}\n"
        assert run(program.format(value)) == f"{value}\n"


def test_signs_of_zeros():
    f = define("def f():\n    x = 0.0\n    y = -0.0\n    return math.copysign(1, x), math.copysign(1, y)\n")
    assert f() == (1.0, -1.0)
