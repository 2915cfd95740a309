"""Functions beside None: in variables, lists, dicts and tuples."""

import math

import pytest
from compare import define
from pyarray import njit


@njit
def half(x):
    return x / 2


@njit
def double(x):
    return x * 2


PROGRAMS = [
    "q = {'a': half, 'b': None}\nf = q['a']\nreturn f(x) if f is not None else 0.0",
    "q = {'a': half, 'b': None}\nreturn q['b'] is None, q['a'] is None",
    "q = {'a': half, 'b': None, 'c': math.sqrt}\nreturn [0.0 if f is None else f(x) for f in q.values()]",
    "q = {'a': half}\nreturn q.get('b') is None, q.get('a')(x)",
    "f = half if x > 1 else None\nreturn 0.0 if f is None else f(x)",
    "f = None if x > 1 else half\nreturn f(x) if f else -1.0",
    "f = None\nif x > 1:\n    f = half\nelif x > 0:\n    f = double\nif f is not None:\n    return f(x)\nreturn 0.0",
    "q = [None] * 3\nq[1] = half\nreturn q[1](x), q[0] is None",
    "q = [half, None, double]\nreturn sum([f(x) for f in q if f is not None])",
    "def g(h=None):\n    return 0.0 if h is None else h(x)\nreturn g(), g(half), g(double)",
    "q = {'a': (half, 1), 'b': (None, 2)}\nf, k = q['a']\nreturn f(x) * k, q['b'][0] is None",
    "f = [half, None][int(x > 1)]\ntry:\n    return f(x)\nexcept TypeError as error:\n    return len(str(error)) * 1.0",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_cpython(program):
    body = "".join(f"    {line}\n" for line in program.split("\n"))
    compiled = define("def f(x):\n" + body, half=half, double=double)
    plain = define("def f(x):\n" + body, half=half.py_func, double=double.py_func).py_func
    for x in (4.0, 0.5, -1.0):
        if x >= 0 or "sqrt" not in program:
            assert compiled(x) == plain(x)


def test_a_call_of_none():
    f = define("def f(x):\n    g = half if x > 1 else None\n    return g(x)\n", half=half)
    assert f(2.0) == 1.0
    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        f(0.0)


def test_what_is_not_in_a_list_is_shown():
    for items, value in (
        ("[[1], [2]]", "[3]"),
        ("[(1, 2.5)]", "(3, 0.5)"),
        ("[[(1, 'a')]]", "[(2, 'b')]"),
        ("[[1.5], [2.0]]", "[math.pi]"),
    ):
        with pytest.raises(ValueError) as raised:
            define(f"def f():\n    return {items}.index({value})\n")()
        assert str(raised.value) == f"{eval(value, {'math': math})} is not in list"
