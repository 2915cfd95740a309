"""Strings that are known when a function is compiled: globals, default arguments, comparisons that decide branches."""

import pytest
from compare import define
from pyarray import njit, types
from pyarray.errors import TypingError

pytestmark = pytest.mark.real

# Each branch is an int or a tuple, so that the wrong one would not even unify.
CONDITIONS = [
    ("MODE == 'fast'", True),
    ("'fast' == MODE", True),
    ("MODE == 'slow'", False),
    ("MODE != 'fast'", False),
    ("MODE != 'slow'", True),
    ("MODE == 'fas'", False),
    ("MODE == ''", False),
    ("not MODE == 'fast'", False),
    ("MODE == 'fast' and x > 0", True),
    ("MODE in ('slow', 'fast')", True),
    ("MODE in ('slow', 'slower')", False),
    ("MODE in (1, 2.5, None)", False),
    ("MODE not in ('slow', 3)", True),
    ("MODE in MODES", True),
    ("MODE", True),
    ("MODE is None", False),
]


@pytest.mark.parametrize("condition, wanted", CONDITIONS, ids=[text for text, _ in CONDITIONS])
def test_condition_on_a_global(condition, wanted):
    f = define(f"def f(x):\n    return 1 if {condition} else 2\n", MODE="fast", MODES=("slow", "fast"))
    assert f(1) == f.py_func(1) == (1 if wanted else 2)


PRUNED = """
def f(x, mode="fast", *, order="C"):
    if mode == "fast":
        if order != "C":
            return x.nothing
        return x
    elif mode == "other":
        return x.nothing
    return (x, 1)
""".lstrip()


def test_only_the_branch_that_holds_is_typed():
    f = define(PRUNED)
    assert f(2) == 2 and f(2.5) == 2.5
    assert f.signatures == [(types.int64, types.omitted, types.omitted), (types.float64, types.omitted, types.omitted)]


def test_a_global_decides_which_branch_is_typed():
    source = "def f(x):\n    if MODE == 'fast':\n        return x\n    return (x, 1)\n"
    assert define(source, MODE="fast")(1) == 1 and define(source, MODE="slow")(1) == (1, 1)


def test_each_literal_of_a_call_makes_a_variant():
    f = define(PRUNED)
    g = define("def g(x):\n    return f(x), f(x, 'slow'), f(mode='slower', x=x), f(x)\n", "g", f=f)
    assert g(2) == (2, (2, 1), (2, 1), 2)


def test_a_str_argument_is_passed_on():
    inner = define("def inner(mode, x):\n    if mode == 'fast':\n        return x\n    return (x, 1)\n", "inner")
    f = define("def f(x, mode='fast'):\n    return inner(mode, x), inner('slow', x)\n", inner=inner)
    assert f(3) == (3, (3, 1))


def test_a_str_default_beside_other_arguments():
    f = define("def f(a, b=2, mode='x', c=3.5):\n    return a + b + c if mode == 'x' else 0.0\n")
    assert f(1) == f(1, 2) == f(1, c=3.5) == f(c=3.5, a=1, b=2) == 6.5
    assert f(1.0, 2, c=1) == 4.0


def test_variants_with_an_omitted_argument_can_be_inspected_and_made_again():
    f = define(PRUNED)
    f(2)
    assert "pyarray.entry" in f.inspect_mlir(2, f.signatures[0])
    f.recompile()
    assert f(2) == 2
    g = define(PRUNED)
    g.compile((types.int64, types.omitted, types.omitted))
    g.disable_compile()
    assert g(2) == 2


def test_the_disk_cache_keeps_variants_with_an_omitted_argument(run):
    program = """
from pyarray import njit

@njit
def f(x, mode="fast"):
    return x if mode == "fast" else (x, 1)

print(f(2), sum(f.stats.cache_hits.values()))
"""
    assert run(program) == "2 0\n"
    assert run(program) == "2 1\n"
    assert run(program.replace('mode="fast"', 'mode="slow"')) == "(2, 1) 0\n"


def test_a_str_from_python_is_seen_at_run_time():
    f = define("def f(x, mode='fast'):\n    return x if mode == 'fast' else -x\n")
    assert f(1) == f(1, "fast") == f(1, mode="fast") == 1 and f(1, "slow") == -1
    assert f.signatures == [(types.int64, types.omitted), (types.int64, types.unicode_type)]


def test_only_a_default_that_is_a_str_or_an_int_can_be_left_out():
    f = define("def f(x, y=1.5):\n    return x\n")
    for signature in ("(int64, omitted)", "(omitted, int64)"):
        with pytest.raises(TypingError, match="no default that is a str or an int"):
            f.compile(signature)


SEEN_LATER = [
    "y = 'a' if x else 'b'\n    return 1 if y == 'a' else 2",
    "y = 'a' if x else 'b'\n    return y in ('a', 'c')",
    "y = ('a' if x else 'b', 1)\n    return 'a' in y",
    "return 'a' < 'b'",
]


@pytest.mark.parametrize("lines", SEEN_LATER)
def test_a_comparison_that_is_not_known_is_made_at_run_time(lines):
    f = define(f"def f(x):\n    {lines}\n")
    assert f(1) == f.py_func(1) and f(0) == f.py_func(0)


@pytest.mark.parametrize("lines", ["return 'a' == x", "return x == 'a'"])
def test_a_number_is_equal_to_no_text(lines):
    assert define(f"def f(x):\n    {lines}\n")(1) is False


def test_declared_signatures_do_not_take_the_default():
    f = define("def f(x, mode='fast'):\n    return x\n", decorator=njit("int64(int64, int64)"))
    with pytest.raises(TypeError, match=r"argument type\(s\) int64, omitted"):
        f(1)
