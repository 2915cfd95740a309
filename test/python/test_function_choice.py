"""One of several functions: in lists, tuples, dicts and variables; called, passed on, and what is refused."""

import math
import operator

import pytest
from compare import agrees
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError


@njit
def half(x):
    return x * 0.5


@njit
def double(x):
    return x * 2.0


@njit
def checked(x):
    if x >= 0:
        raise ValueError("not negative", x)
    return x


@njit
def never(x):
    raise ValueError("never")


@njit
def nothing(x):
    pass


@njit
def once(x):
    yield x


@njit
def twice(x):
    yield x
    yield x * 10


@njit
def applied(f, x):
    return f(x)


@njit
def either(chosen):
    if chosen:
        return half
    return double


PAIR = (half, double)


def in_lists(x, i):
    functions = [half, double]
    functions.append(half)
    return functions[i](x), len(functions), [f(x) for f in functions], functions[-1](x)


def in_tuples(x, i):
    functions = (double, half)
    return functions[i](x), PAIR[i](x), PAIR[-i](x)


def in_dicts(x, i):
    table = {"half": half, "double": double}
    return table["half"](x), [f(x) for f in table.values()], table.get("none", double)(x), "half" in table


def in_variables(x, i):
    f = half if i else double
    while i > 0:
        x = f(x)
        f = double
        i -= 1
    return x, f(x), either(x > 1)(x)


def nested_ones(x, i):
    def minus(v):
        return v - 1

    functions = [lambda v: v + 1, lambda v: v * 3, math.sin, half, minus]
    total = 0.0
    for f in functions:
        total = 10 * total + f(x)
        if total > 1e9:
            break
    return total, functions[i](x)


def loops(x, i):
    total = 0.0
    for f in (half, double, math.cos):
        total = 10 * total + f(x)
        if total > 1e9:
            break
    for f, weight in [(half, 1.0), (double, 2.0)]:
        total += weight * f(x)
    return total, [(k, f(x)) for k, f in enumerate([half, double])]


def of_one_function(x, i):
    functions, pairs = [half, half], [(double, 1), (double, 2)]
    return functions[0](x), [f(x) for f, _ in pairs], [half for _ in range(2)][1](x)


def passed_on(x, i):
    f = half if i else double
    return applied(f, x), list(map(f, [x, x])), sorted([3.0, 1.0], key=f), max([1.0, 2.0], key=[half, double][i])


def by_names(x, i):
    def plus(v, k=1):
        return v + k

    def times(v, k=2):
        return v * k

    f = plus if i else times
    return f(x), f(v=x, k=5), f(*(x,)), f(x, k=0)


def operators(x, i):
    functions = [operator.add, operator.mul, operator.sub]
    return functions[i](x, 4), [f(x, 5) for f in functions]


def that_raise(x, i):
    return [checked, double, never][i](x)


def without_result(x, i):
    functions = [nothing, nothing]
    return functions[i](x) is None, [nothing, half][i](x) is None


def comparisons(x, i):
    f = half if i else double
    g = [half, double][i]
    return f is half, f == double, f is not g, f != f, callable(f), callable(half), callable(lambda: x), callable(x)


def generators(x, i):
    return list([once, twice][i](x)), [list(f(x)) for f in (once, twice)]


def captured(x, i):
    functions = [half, double]

    def inner(k):
        return functions[k](x)

    return inner(i), [(lambda k: functions[k](x))(j) for j in range(2)]


FUNCTIONS = [
    in_lists,
    in_tuples,
    in_dicts,
    nested_ones,
    loops,
    of_one_function,
    passed_on,
    by_names,
    operators,
    that_raise,
    without_result,
    comparisons,
    generators,
    captured,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x, i", [(3.0, 1), (-2.5, 0), (0.5, 1)])
def test_as_cpython(function, x, i):
    agrees(function, x, i)


def test_variables():
    f = njit(in_variables)
    assert f(3.0, 2) == (3.0, 6.0, 1.5)  # half, then double
    assert f(0.5, 0) == (0.5, 1.0, 1.0)


def test_out_of_range():
    agrees(in_lists, 1.0, 7)
    agrees(in_tuples, 1.0, 2)


def test_results_of_several_types_have_one():
    @njit
    def same(x):
        return x

    @njit
    def f(i):
        return [same, half][i](4)

    assert f(0) == 4.0 and type(f(0)) is float and f(1) == 2.0


def test_from_python():
    @njit
    def f(g, h, i, x):
        return [g, h][i](x), (g if i else h)(x)

    assert f(half, double, 0, 4.0) == (2.0, 8.0)

    @njit
    def chosen(functions, i, x):
        return functions[i](x)

    assert chosen(PAIR, 1, 4.0) == 8.0 and chosen((double, half, math.sqrt)[:2], 1, 4.0) == 2.0


def test_refusals():
    @njit
    def of_captured(x):
        functions = [lambda v: v + x, lambda v: v * x]
        return functions[0](1.0)

    with pytest.raises(UnsupportedError, match="different functions in one list or variable"):
        of_captured(2.0)

    @njit
    def of_classes(x):
        kind = float if x else int
        return kind(x)

    with pytest.raises(TypingError, match="cannot unify"):
        of_classes(2)
    with pytest.raises(TypingError, match="cannot be returned to Python"):
        either(True)

    @njit
    def with_other_arguments(x):
        return [half, operator.add][int(x) - 2](x)

    with pytest.raises(TypingError, match="missing a required argument"):
        with_other_arguments(2.0)
