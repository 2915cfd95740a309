"""Short forms of Python against CPython: comprehensions, `:=`, '*', match, and what is iterated over."""
# ruff: noqa: F821, F841

import copy
import math

import numpy as np
import pytest
from compare import compiled_once
from pyarray import errors, njit
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)


def same(function, *arguments):
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected, got = outcome(function, *theirs), outcome(compiled_once(function), *ours)
    assert expected == got  # an int that meets a float is a float here
    assert repr(ours) == repr(theirs)


def all_same(function, *calls):
    for arguments in calls:
        same(function, *arguments)


# ------------------------------------------------------------------------------------------------
# Comprehensions


def squares(n):
    return [x * x for x in range(n)]


def filtered(n):
    return [(x, y) for x in range(n) for y in range(x) if (x + y) % 2 if x > 2]


def nested(n):
    return [[x * y for y in range(x)] for x in range(n)]


def own_scope(n):
    x = 7
    a = [x for x in range(n)]
    return x, a


def first_iterable_is_outside(x):
    return [x for x in [x, x + 1]]


def inner_iterable_uses_outer_target(xss):
    return [x for xs in xss for x in xs]


def of_comprehension(n):
    return [x + 1 for x in [2 * i for i in range(n)] if x > 1]


def binds_outside(n):
    a = [last := x for x in range(n)]
    return a, last


def tuple_targets(pairs):
    return [a * b for a, b in pairs]


def in_condition(n):
    return 1 if [x for x in range(n) if x > 2] else 0


def in_loop(n):
    total = 0
    for i in range(n):
        total += len([j for j in range(i)])
    return total


def raises_within(n):
    return [1 // (x - 2) for x in range(n)]


def of_lists(n):
    rows = [[i] for i in range(n)]
    rows[0].append(5)
    return rows


@pytest.mark.parametrize(
    "function, calls",
    [
        (squares, [(0,), (5,)]),
        (filtered, [(6,)]),
        (nested, [(4,)]),
        (own_scope, [(4,)]),
        (first_iterable_is_outside, [(4,)]),
        (inner_iterable_uses_outer_target, [([[1, 2], [3]],)]),
        (of_comprehension, [(4,)]),
        (binds_outside, [(3,), (0,)]),
        (tuple_targets, [([(1, 2), (3, 4)],)]),
        (in_condition, [(2,), (5,)]),
        (in_loop, [(5,)]),
        (raises_within, [(2,), (4,)]),
        (of_lists, [(2,)]),
    ],
)
def test_comprehensions(function, calls):
    all_same(function, *calls)


# ------------------------------------------------------------------------------------------------
# Assignment expressions


def in_test_of_while(n):
    s = 0
    while (k := n - s) > 3:
        s += k // 2
    return s, k


def with_break(n):
    out = []
    i = 0
    while (c := i * n) < 20:
        i += 1
        if i == 7:
            break
        out.append(c)
    else:
        out.append(-1)
    return out, c


def after_and(n):
    if n > 2 and (m := n * 2) > 7:
        return m
    return n


def maybe_unbound(n):
    if n > 5 and (z := n):
        pass
    return z


def after_or(n):
    r = 0
    for i in range(n):
        if i % 2 == 0 or (t := i * 3) > 10:
            r += 1
        elif t:
            r += t
    return r


def both_branches(n):
    x = (y := 1) if n > 3 else (y := 2)
    return x + y


def in_order(n):
    return (a := n) + (b := a * 2) + a + b


def chained(n):
    return 1 < (x := n) < (y := 2 * x) < 9, x


def in_try(n):
    try:
        if (k := n) > 1:
            raise ValueError
    except ValueError:
        return k
    return -k


@pytest.mark.parametrize(
    "function, calls",
    [
        (in_test_of_while, [(20,), (1,)]),
        (with_break, [(2,), (8,)]),
        (after_and, [(5,), (3,), (1,)]),
        (maybe_unbound, [(9,), (1,)]),
        (after_or, [(9,)]),
        (both_branches, [(3,), (9,)]),
        (in_order, [(3,)]),
        (chained, [(0,), (3,), (7,)]),
        (in_try, [(5,), (0,)]),
    ],
)
def test_assignment_expressions(function, calls):
    all_same(function, *calls)


# ------------------------------------------------------------------------------------------------
# '*'


def star_last(n):
    a, *b = (n, n + 1, n + 2)
    return a, b


def star_first(n):
    *a, b = [i for i in range(n)]
    return a, b


def star_between(xs):
    a, *b, c = xs
    return a, b, c


def star_of_array(a):
    first, *_, last = a
    return first + last


def star_nested(n):
    (a, *b), c = (n, 2, 3), n
    return a, b, c


def star_in_loop(rows):
    return [len(rest) + first for first, *rest in rows]


def displays(n):
    t = (n, n)
    return (*t, 1, *t), [*t, 3, *[4, 5]], (*t,)


def slices_of_tuples(n):
    t = (n, 1, 2.5, n)
    return t[1:], t[::-1], t[:2], t[-3:-1], t[5:], t[1:4:2]


def chained_assignment(n):
    a = b = [n]
    b.append(1)
    c, d = e = (n, 2)
    return a, c, d, e


@pytest.mark.parametrize(
    "function, calls",
    [
        (star_last, [(1,)]),
        (star_first, [(4,), (1,), (0,)]),
        (star_between, [([1, 2],), ([1, 2, 3, 4],), ([1],), ((1, 2, 3),)]),
        (star_of_array, [(np.arange(4.0),)]),
        (star_nested, [(1,)]),
        (star_in_loop, [([[1, 2], [3]],)]),
        (displays, [(1,)]),
        (slices_of_tuples, [(7,)]),
        (chained_assignment, [(3,)]),
    ],
)
def test_stars(function, calls):
    all_same(function, *calls)


def test_a_tuple_that_is_too_short_is_refused():
    def short(n):
        a, b, *c = (n,)
        return a

    with pytest.raises(errors.TypingError, match=r"not enough values to unpack \(expected at least 2, got 1\)"):
        njit(short)(1)


# ------------------------------------------------------------------------------------------------
# match


def constants(x):
    match x:
        case 1:
            return 10
        case 2 | 3:
            return 20
        case n if n > 100:
            return n
        case _:
            return -1


def pairs(p):
    match p:
        case (0, 0):
            return 0.0
        case (0, y):
            return y * 1.0
        case (x, 0):
            return x * 2.0
        case (x, y) if x == y:
            return x + y + 0.5
        case (x, y, z):
            return x + y + z + 0.0
        case _:
            return -1.0


def lists(xs):
    match xs:
        case []:
            return 0
        case [a]:
            return a
        case [a, *rest, b] if len(rest) > 1:
            return a * 100 + len(rest) * 10 + b
        case [a, b] | [a, _, b]:
            return a + b
    return -1


def values(x):
    match x:
        case None:
            return 0
        case True:
            return 1
        case (1 | 2) as k:
            return k + 10
        case math.pi:
            return 3
        case -1:
            return 7
    return 5


def jumps(a, b):
    r = 0
    for i in range(3):
        match a + i, b:
            case (1, k):
                r += k
            case (2, _):
                continue
            case _:
                if i == 2:
                    break
                r += 100
    return r


def binds_for_later(p):
    match p:
        case (x, 1):
            y = 1
        case (_, x):
            y = 2
    return x, y


@pytest.mark.parametrize(
    "function, calls",
    [
        (constants, [(1,), (2,), (3,), (200,), (50,)]),
        (pairs, [((0, 0),), ((0, 3),), ((3, 0),), ((4, 4),), ((4, 5),), ((1, 2, 3),), (5,)]),
        (lists, [([1],), ([1, 2],), ([1, 2, 3],), ([1, 2, 3, 4],), ((1, 2),), ((),)]),
        (values, [(None,), (True,), (2,), (math.pi,), (-1,), (9,)]),
        (jumps, [(1, 5), (0, 5), (5, 5)]),
        (binds_for_later, [((3, 1),), ((3, 2),)]),
    ],
)
def test_match(function, calls):
    all_same(function, *calls)


# ------------------------------------------------------------------------------------------------
# enumerate, zip, reversed, tuples of several types


def weighted(a):
    s = 0
    for i, x in enumerate(a):
        s += i * x
    return s + 0.0


def find(a):
    for i, x in enumerate(a, 3):
        if x > 2:
            return i
    return -1


def zipped(a, b):
    return [(x, y) for x, y in zip(a, b)]


def three(a, b):
    return [(i, x + y) for i, (x, y) in enumerate(zip(a, b))]


def backwards(a):
    return [x for x in reversed(a)], [i for i in reversed(range(1, 9, 3))]


def strict(a, b, c):
    s = 0
    for x, y, z in zip(a, b, c, strict=True):
        s += x * y + z
    return s


def of_nothing():
    return [x for x in zip()]


def to_lists(a, b):
    out = [(0, 0)]
    out.extend(zip(a, b))
    return list(zip(a, b)), list(enumerate(a)), list(reversed(a)), out


def grows_meanwhile(a):
    out = []
    for i, x in enumerate(a):
        if len(a) < 6:
            a.append(x + 10)
        out.append((i, x))
    return out


def each_type(n):
    s = 0
    for x in (n, 2.5, True):
        s = s + x * x
    return s


def each_type_enumerated(n):
    out = []
    for i, x in enumerate((n, 2.5), 1):
        for k in range(2):
            out.append(x * i + k)
    return out


def each_type_zipped(t, u):
    return [x + y for x, y in zip(t, u)]


def each_type_reversed(t):
    s = 0
    for x in reversed(t):
        s = s * 10 + x
    return s


def of_empty():
    k = 0
    for x in ():
        k += x
    return k


def kept(a):
    e = enumerate(a)
    s = 0
    for i, x in e:
        s += i * x
    return s


@pytest.mark.parametrize(
    "function, calls",
    [
        (weighted, [([1, 2, 3],), (np.arange(4.0),), ((1, 2),), (range(5),)][:3]),
        (find, [([1, 2, 3],), ((1, 2),)]),
        (zipped, [([1, 2], (1.5, 2.5, 3.5))]),
        (three, [([1, 2], [5, 6, 7])]),
        (backwards, [([1, 2, 3],)]),
        (strict, [([1, 2], [1, 2], (1, 2)), ([1], [1, 2], [1]), ([1, 2], [1], [1])]),
        (strict, [([1, 2], [1, 2], [1]), ([1], [1], [1, 2])]),
        (of_nothing, [()]),
        (to_lists, [([1, 2], [3, 4])]),
        (grows_meanwhile, [([1, 2],)]),
        (each_type, [(3,)]),
        (each_type_enumerated, [(3,)]),
        (each_type_zipped, [((1, 2.5), (2.5, 1))]),
        (each_type_reversed, [((1, 2.5),)]),
        (of_empty, [()]),
        (kept, [([1, 2, 3],)]),
    ],
)
def test_iteration(function, calls):
    all_same(function, *calls)


def test_each_type_of_containers():
    @njit
    def f(a, n):
        s = 0.0
        for x in (a, (1, 2.0), [n]):
            for y in x:
                s += y
        return s

    assert f(np.arange(3.0), 2) == 8.0


@pytest.mark.parametrize("function", [lambda a: zip(a, a), lambda a: enumerate(a)])
def test_iterators_do_not_leave_compiled_code(function):
    with pytest.raises(errors.TypingError, match="cannot be returned to Python"):
        njit(function)([1])


# ------------------------------------------------------------------------------------------------
# Memory


@njit
def makes_everything(n):
    rows = [[i] * 3 for i in range(n)]
    first, *rest = rows
    total = 0
    for i, (a, b) in enumerate(zip(rows, reversed(rows))):
        total += a[0] * b[0] + i
    for part in (rows, np.ones(n), [1.5]):
        total += len(part)
    match rest:
        case [a, *more]:
            total += len(more) + a[0]
    if n > 3:
        raise ValueError("after all")
    return total, [x for xs in rows for x in xs], (first, *(rest, rest))


def live():
    made, freed = allocation_counts()[:2]
    return made - freed


def test_nothing_leaks():
    outcome(makes_everything, 3)
    outcome(makes_everything, 4)
    before = live()
    for n in (2, 3, 4):
        outcome(makes_everything, n)
    assert live() == before
