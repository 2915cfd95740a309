"""Control flow: every way through loops and branches, as CPython goes."""

import numpy as np
import pytest
from compare import assert_same, define
from pyarray import TypingError, njit

pytestmark = pytest.mark.real

PROGRAMS = {
    "early return": """
def f(n):
    for i in range(n):
        if i == 3:
            return i * 10
    return -1
""",
    "return from nested loops": """
def f(n):
    for i in range(n):
        for j in range(n):
            while True:
                if i * j == 6:
                    return i, j
                break
    return -1, -1
""",
    "break, continue and else": """
def f(n):
    s = 0
    for i in range(n):
        if i == 2:
            continue
        if i == 5:
            break
        s += i
    else:
        s += 100
    while s > 10:
        s -= 3
        if s == 7:
            break
    else:
        s += 1000
    return s, n
""",
    "while with several exits": """
def f(n):
    i = 0
    while True:
        i += 1
        if i > n:
            break
        if i == 4:
            continue
        if i == 6:
            return -i
    return i
""",
    "elif chain": """
def f(n):
    if n < 0:
        r = n != -5
    elif n == 0:
        r = False
    elif n < 3:
        return True
    else:
        r = n % 2 == 0
    return r
""",
    "ternary and nested conditions": """
def f(n):
    a = 1 if n > 2 else 2 if n > 0 else 3
    if (n > 1 and n < 4) or not n:
        a += 10
    return a
""",
    "loop variable afterwards": """
def f(n):
    i = -7
    for i in range(n):
        pass
    j = i
    for i in range(3):
        i += 10
    return i, j
""",
    "unbound loop variable": """
def f(n):
    for i in range(n):
        pass
    return i
""",
    "unbound after branch": """
def f(n):
    if n > 2:
        x = 1.5
    return x
""",
    "del": """
def f(n):
    x = n
    if n > 3:
        del x
    return x
""",
    "swap and multiple assignment": """
def f(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    c = d = a
    (x, y), z = (a, b), c
    return a, b, d, x, y, z
""",
    "raise in a loop": """
def f(n):
    s = 0
    for i in range(n):
        if i == 4:
            raise ValueError("four", 4)
        s += i
    return s
""",
    "assert": """
def f(n):
    assert n < 5, "too large"
    assert n != 3
    return n
""",
    "range with every sign": """
def f(n):
    s = 0
    for i in range(n, -n, -2):
        s = s * 3 + i
    for i in range(-n, n, 3):
        s = s * 5 - i
    return s
""",
    "range with computed step": """
def f(n):
    s = 0
    for i in range(10, 0, n - 3):
        s += i
        if s > 1000:
            break
    return s
""",
    "type changes along the way": """
def f(n):
    x = 0.0
    for i in range(n):
        x = x + 1
    y = x
    x = n > 2
    return x, y
""",
    "dead variables of different types": """
def f(n):
    if n > 2:
        t = 1.5
        r = t * 2
    else:
        t = (1, 2)
        r = 1.0
    t = n
    return r, t
""",
    "tuples of tuples": """
def f(n):
    t = (n, (n + 1, 2.5))
    a, (b, c) = t
    return t[1][0], a, b, c, t + (1,), len(t), n in (1, 2, 3), t[0:1] == (n,) if False else n not in (4, 5)
""",
    "default arguments and keywords": """
def f(n, m=2, k=None):
    if k is None:
        return n + m
    return n + m + k
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    f = define(PROGRAMS[name].lstrip())
    for n in range(-1, 9):
        if name in ("unbound after branch", "unbound loop variable", "del"):
            check_unbound(f, n)
        else:
            assert_same(f, n)


def check_unbound(f, n):
    """The same, whatever CPython's message for unbound variables is in this version."""
    try:
        wanted = f.py_func(n)
    except UnboundLocalError:
        with pytest.raises(UnboundLocalError):
            f(n)
    else:
        assert f(n) == wanted


def test_calls_recursion_and_closures():
    helper = define("def helper(x, scale=2):\n    return x * scale\n", "helper")
    f = define("def f(n):\n    return helper(n), helper(scale=3, x=n), helper(1.5)\n", helper=helper)
    assert_same(f, 4)
    fib = define("def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n", "fib")
    assert fib(20) == 6765

    def make(k):
        @njit
        def inner(x):
            return x + k

        return inner

    assert make(1)(1) == 2 and make(2.5)(1) == 3.5


def test_mutual_recursion():
    source = """
@njit
def even(n):
    if n == 0:
        return True
    return odd(n - 1)

@njit
def odd(n):
    if n == 0:
        return False
    return even(n - 1)
"""
    even = define(source, "even", decorator=lambda f: f, njit=njit)
    assert even(10) is True and even(7) is False


def test_inlined_calls_give_the_same():
    inner = define(
        "def inner(x):\n    if x > 2:\n        return x * 2\n    return -x\n", "inner", njit(inline="always")
    )
    f = define("def f(n):\n    s = 0\n    for i in range(n):\n        s += inner(i)\n    return s\n", inner=inner)
    assert_same(f, 6, oracle=lambda n: sum(inner.py_func(i) for i in range(n)))


ARRAY_PROGRAMS = {
    "break and else over an array": """
def f(a, t):
    count = 0
    for x in a:
        if x > t:
            break
        count += 1
    else:
        count = -count
    return count
""",
    "return from a loop over rows": """
def f(a, t):
    for row in (a, a):
        for x in row:
            if x == t:
                return x
    return -1.0
""",
    "loops over tuples": """
def f(a, t):
    s = 0.0
    for k in (1, 2, 4):
        for x in (t, a[0], 0.5):
            if k == 2 and x > 3:
                continue
            s = s * 2 + x * k
    return s
""",
    "break out of a loop over a tuple": """
def f(a, t):
    for k in (3, 1, 2):
        if a[k] > t:
            break
    else:
        return -1.0
    return a[k] + k
""",
    "the array changes while it is iterated over": """
def f(a, t):
    s = 0.0
    for x in a:
        a[-1] = a[-1] + 1
        s += x
    return s
""",
    "the variable of the array is assigned in its loop": """
def f(a, t):
    s = 0.0
    for x in a:
        a = a[1:]
        s += x + a.size
    return s, a.size
""",
    "elements and bounds are evaluated once": """
def f(a, t):
    n = len(a)
    s = 0
    for i in range(n):
        n = 2
        s += i
    return s, n
""",
    "a loop whose variable is an element": """
def f(a, t):
    for a[1] in range(4):
        a[0] += a[1]
    return a[0], a[1]
""",
    "targets in a loop": """
def f(a, t):
    s = 0.0
    for x, y in ((1.0, t), (t, 2.0)):
        s += x * y
    return s
""",
    "else of nested loops": """
def f(a, t):
    n = 0
    for i in range(3):
        for j in range(3):
            while n < 20:
                n += 1
                if n % 5 == 0:
                    break
            else:
                n += 100
                break
            if j == 1:
                continue
            n += i
        else:
            n += 1000
            continue
        n += 10000
    return n
""",
    "an early return of an array": """
def f(a, t):
    if t > 2:
        return a[1:]
    b = a.copy()
    for i in range(len(b)):
        if b[i] > t:
            return b[i:]
        b[i] = t
    return b
""",
}


@pytest.mark.parametrize("name", ARRAY_PROGRAMS)
def test_program_with_an_array(name):
    f = define(ARRAY_PROGRAMS[name].lstrip())
    for t in (-1.0, 1.5, 3.0, 10.0):
        assert_same(f, np.arange(5.0), t)
        assert_same(f, np.arange(10.0)[::-2], t)


def test_deep_nesting():
    lines = [f"{'    ' * (k + 1)}for k{k} in range(2):" for k in range(15)]
    source = "\n".join(["def f(n):", "    s = n", *lines, "    " * 16 + "s += k3 + k14", "    return s"]) + "\n"
    assert_same(define(source), 1)


def test_a_long_chain_of_elif():
    tests = "".join(f"    elif n == {k}:\n        r = {k * k}\n" for k in range(1, 200))
    f = define(f"def f(n):\n    if n == 0:\n        r = -1\n{tests}    else:\n        r = -2\n    return r\n")
    for n in (0, 1, 77, 199, 200):
        assert_same(f, n)


def test_code_after_a_return_is_not_compiled():
    assert_same(define("def f(n):\n    return n\n    return unknown + (1, 2)\n"), 3)
    assert_same(define("def f(n):\n    while True:\n        return n\n    n.nothing\n"), 3)


def test_branches_on_none_are_pruned():
    f = define("def f(a, b=None):\n    if b is None:\n        return a\n    return a + b[0]\n")
    assert f(1) == 1 and f(1, (2,)) == 3
    f = define("def f(a, b=None):\n    if b is not None and b[0] > 1:\n        return b[1]\n    return a\n")
    assert f(1) == 1 and f(1, (2, 5)) == 5 and f(1, (0, 5)) == 1


def test_functions_without_return_return_none():
    assert define("def f(a):\n    a = a\n")(1) is None
    assert define("def f(a):\n    if a > 3:\n        return\n    a = 2\n")(1) is None
    assert define("def f(a):\n    pass\n")(np.ones(2)) is None


def test_effects_of_a_call_happen_once_and_in_order():
    source = """
def f(a, i):
    a[step(a, 1)] = step(a, 2) + step(a, 3) * step(a, 4)
    b = step(a, 5) < step(a, 6) < step(a, 7)
    c = step(a, 8) and step(a, 9)
    a[step(a, 10) % 2] += step(a, 11)
    return b, c
""".lstrip()
    step = "def step(a, k):\n    a[2] = a[2] * 3 % 100003 + k\n    return k % 3\n"
    names = {"step": define(step, "step")}
    f = define(source, **names)
    plain = define(source, decorator=lambda f: f, step=names["step"].py_func)
    assert_same(f, np.zeros(3, int), 0, oracle=plain)


DELETED = ["del a, b", "del (a, b)", "del [a, b]", "del (a, [b])", "del (a,), b, ()"]


@pytest.mark.parametrize("statement", DELETED)
@pytest.mark.parametrize("result", ["c", "a", "b"])
def test_del_of_several_variables(statement, result):
    assert_same(define(f"def f(a):\n    b = c = a + 1\n    {statement}\n    return {result}\n"), 1)


DEBUG = False
VERBOSE = True
NOTHING = None


def test_branches_on_frozen_globals_that_are_not_taken_may_name_anything():
    @njit
    def function(x):
        if DEBUG:
            print("x is", x)
        if not VERBOSE:
            return unknown_name(x)  # noqa: F821
        elif NOTHING:
            y = open(x)
        else:
            y = x + 1
        return y

    assert function(2) == 3


def test_a_branch_on_a_frozen_global_that_is_taken_is_compiled():
    @njit
    def function(x):
        if VERBOSE:
            return x * 2
        return x

    @njit
    def refused(x):
        if VERBOSE:
            frozenset.fromkeys(x)
        return x

    assert function(4) == 8
    with pytest.raises(TypingError, match="fromkeys"):
        refused(1)
