# ruff: noqa: B023
"""Nested functions see captured variables as they are when they are called: lib/frontend/read/closure_life.c."""

import functools
import itertools
import operator
import types
import warnings

import pytest
from pyarray import errors, njit


@njit
def apply(f, x):
    return f(x)


@njit
def total(f, xs):
    return sum(f(x) for x in xs)


@njit
def keep(fs, f):
    fs.append(f)


@njit
def same(f):
    return f


@njit
def count_down(f, n):
    return f(n) if n == 0 else count_down(f, n - 1)


@njit
def through(f, x):
    return apply(f, x) + apply(f, x)


def kept_by_comprehensions():
    fs = [lambda: i for i in range(3)]
    pairs = [lambda x: x + i + j for i in range(2) for j in range(2)]
    table = {i: (lambda: i) for i in range(3)}
    return [f() for f in fs], [f(0) for f in pairs], [table[k]() for k in table]


def kept_by_loops():
    fs, table = [], {}
    for i, (a, b) in enumerate([(1, 2), (3, 4)]):
        fs.append(lambda: a * b + i)
        table[i] = lambda: i * 2
    k = 0
    gs = []
    while k < 3:
        gs.append(lambda: k)
        k += 1
    return [f() for f in fs], [table[j]() for j in table], [g() for g in gs], i


def a_comprehension_has_variables_of_its_own():
    fs = []
    for j in range(2):
        fs += [lambda: i for i in range(j + 2)]
    rows = []
    for i in range(2):
        rows.append([lambda: i * 10 + j for j in range(i + 1)])
    return [f() for f in fs], [[f() for f in row] for row in rows]


def what_the_body_binds():
    fs = []
    for i in range(3):
        k = i * 10

        def f():
            return k

        fs.append(f)
    return [f() for f in fs]


def another_type_later():
    fs = []
    k = 0
    for _ in range(3):
        fs.append(lambda: k)
        k += 0.5
    return [f() for f in fs]


def kept_by_a_function():
    fs, gs = [], []
    for i in range(3):
        keep(fs, lambda: i)
        g = same(lambda: -i)
        gs.append(g)
    return [f() for f in fs], [g() for g in gs]


def kept_within():
    makers = [(lambda: lambda: i) for i in range(3)]
    made = [(lambda: lambda: i)() for i in range(3)]
    inner = []
    for i in range(3):

        def outer():
            def deepest():
                return i

            return deepest

        inner.append(outer())
    return [m()() for m in makers], [f() for f in made], [f() for f in inner]


def generators_that_are_kept():
    gs = [(x * i for x in range(3)) for i in range(3)]
    maps, calls, parts = [], [], []
    for i in range(3):
        maps.append(map(lambda x: x + i, range(2)))

        def g():
            yield i
            yield i + 1

        calls.append(g())
        parts.append(functools.partial(lambda a, b: a + b + i, 10))
    return [list(g) for g in gs], [list(m) for m in maps], [list(c) for c in calls], [p(1) for p in parts]


def used_up():
    out = []
    for i in range(3):
        out.append(sum(map(lambda v: v * i, [1, 2, 3])))
        out.append(apply(lambda v: v + i, 3) + through(lambda v: v - i, 1) + count_down(lambda v: v + i, 3))
        out.append(total(lambda v: v + i, [3, 4]))
        out.append(sorted([3, 1, 2], key=lambda v: (v * i) % 3)[0])
        out.append(next((x for x in range(10) if x * x > i), -1))

        def f(x):
            return x * i

        out.append(f(2) + total(f, [1]))
        g = lambda x: f(x) + i
        out.append(g(1))
    return out, f(5)


def a_loop_that_changes_what_it_goes_over():
    k = 1
    out = []
    for y in (k * x for x in range(4)):
        out.append(y)
        k += 1
    for y in map(lambda x: x * k, range(3)):
        out.append(y)
        k += 1
    return out


# What they give has the function itself, though what goes over it is done with it.
def handed_on_by_builtins():
    i = 1
    items = list(itertools.repeat(lambda: i, 2))
    more = []
    more.extend(itertools.repeat(lambda: i + 1, 2))
    first = next(itertools.repeat(lambda: i + 2))
    other = next(iter([first][1:]), first)
    starts = list(itertools.accumulate([], lambda a, b: a, initial=lambda: i + 3))
    reduced = functools.reduce(lambda a, b: a, [2], lambda: i + 4)
    table = {}
    operator.setitem(table, 0, lambda: i + 5)
    parts = list(map(functools.partial(lambda g, x: g, lambda: i + 6), [1]))
    i = 50
    return items[1](), more[0](), first(), other(), starts[0](), reduced(), table[0](), parts[0]()


def called_before_it_is_made_again():
    out = []
    f = lambda: -1
    for _i in range(3):
        out.append(f())
        f = lambda: -1
    return out


def names_used_outside_of_the_block():
    fs = []
    for i in range(4):
        if i % 2:

            def f():
                return i

        if i > 1:
            fs.append(f())
    return fs


def leaving():
    for i in range(3):
        if i == 1:
            return [lambda: i][0]()
    return -1


def recursive():
    def rec(f, n):
        return f(0) if n == 0 else rec(f, n - 1)

    return [rec(lambda v: v + i, 3) for i in range(3)]


def bound_on_some_paths():
    n = 4
    if n > 100:
        q = 1
    for i in range(0):  # noqa: B007
        pass
    x = 5
    f, g, h = (lambda: q), (lambda: i), (lambda: x)  # noqa: F821
    del x
    out = []
    try:
        out.append(f())
    except NameError:
        out.append(-1)
    try:
        out.append(g())
    except NameError:
        out.append(-2)
    try:
        out.append(h())
    except NameError:
        out.append(-3)
    return out


def bound_on_all_paths():
    n = 4
    if n > 2:
        k = 1
    elif n > 1:
        raise ValueError
    else:
        k = 2
    try:
        j = int("5")
    except ValueError:
        j = 0
    return sum(v * k + j for v in range(n)), sorted(range(n), key=lambda v: -v * k * j), (lambda: k + j)()


PROGRAMS = [
    bound_on_some_paths,
    bound_on_all_paths,
    kept_by_comprehensions,
    kept_by_loops,
    a_comprehension_has_variables_of_its_own,
    what_the_body_binds,
    another_type_later,
    kept_by_a_function,
    kept_within,
    generators_that_are_kept,
    used_up,
    handed_on_by_builtins,
    a_loop_that_changes_what_it_goes_over,
    called_before_it_is_made_again,
    names_used_outside_of_the_block,
    leaving,
    recursive,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program):
    names = dict(globals())
    for name, value in globals().items():
        if hasattr(value, "py_func"):
            names[name] = types.FunctionType(value.py_func.__code__, names)
    assert njit(program)() == types.FunctionType(program.__code__, names)()


def test_functions_with_variables_of_several_types_are_refused():
    @njit
    def put(fs, k0):
        k = k0
        fs.append(lambda: k)
        k += k0

    @njit
    def f():
        fs = []
        put(fs, 1)
        put(fs, 2.5)
        return [g() for g in fs]

    with pytest.raises(errors.UnsupportedError):
        f()


@njit
def warns_once(f, x):
    return f(x)
    x += 1


def test_what_a_callee_does_is_found_without_a_second_warning():
    def f():
        return [warns_once(lambda x: x + i, 1) for i in range(2)]

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert njit(f)() == [1, 2]
    assert len([w for w in caught if "never executed" in str(w.message)]) == 1
