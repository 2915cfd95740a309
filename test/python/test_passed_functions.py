"""Functions that Python passes: lists, dicts and tuples of compiled ones; builtins, ufuncs and partial functions."""

import functools
import gc
import math
import operator

import numpy as np
import pytest
from pyarray import errors, njit, vectorize
from pyarray.extending import register_jitable


@njit
def increment(x):
    return x + 1


@njit
def double(x):
    return x * 2


@njit
def square(x):
    return x * x


def results(functions, x):
    return [f(x) for f in functions]


def by_name(functions, x):
    return functions["double"](x), "none" in functions, sum([f(x) for f in functions.values()])


def one(functions, i, x):
    return functions[i](x)


def changed(functions):
    functions.append(functions[0])
    functions[0] = functions[1]
    return functions[-1](3)


def pairs(items, x):
    total = 0
    for weight, f in items:
        total += weight * f(x)
    return total


def mixed(a, b, x):
    fs = [a[0], b[0], a[1]]
    return [f(x) for f in fs], a[0] is b[1], a[0] == b[0]


def maybe(functions, x):
    return [0 if f is None else f(x) for f in functions]


def plain(arguments):
    if hasattr(arguments, "py_func"):
        return arguments.py_func
    if isinstance(arguments, dict):
        return {key: plain(value) for key, value in arguments.items()}
    return type(arguments)(map(plain, arguments)) if isinstance(arguments, (list, tuple)) else arguments


@pytest.mark.parametrize(
    "function, arguments",
    [
        (results, ([increment, double], 5)), (results, ([double, increment, square, double], 5)),
        (results, ([square], 5)),
        (by_name, ({"double": double, "square": square}, 7)), (one, ([increment, double, square], 2, 9)),
        (pairs, ([(2, increment), (3, square)], 4)), (mixed, ([increment, square], [double, increment], 6)),
        (maybe, ([None, double, increment], 3)), (one, ((increment, double), 1, 9)),
    ],
)  # fmt: skip
def test_calls(function, arguments):
    assert njit(function)(*arguments) == function(*plain(arguments))


def test_changes_are_written_back():
    functions = [increment, double]
    assert njit(changed)(functions) == 4
    assert functions == [double, double, increment]


def test_an_order_of_its_own_is_the_same_code():
    f = njit(results)
    assert f([increment, square], 3) == [4, 9] and f([square, increment], 3) == [9, 4]
    assert len(f.signatures) == 1
    assert f([square, double], 3) == [9, 6] and len(f.signatures) == 2


def test_functions_that_differ_in_what_they_give():
    @njit
    def text(x):
        return "text"

    with pytest.raises(errors.TypingError):
        njit(one)([increment, text], 0, 1)


def test_plain_functions_are_refused():
    with pytest.raises((errors.TypingError, TypeError)):
        njit(results)([lambda x: x], 1)


def test_functions_that_are_gone():
    f = njit(results)
    for _ in range(3):
        g = njit(lambda x: x + 10)
        assert f([g, increment], 1) == [11, 2]
        del g
        gc.collect()


@njit
def apply(f, *arguments):
    return f(*arguments)


@njit
def apply_along(f, a):
    return f(a, axis=0)


@register_jitable
def shifted(x):
    return x + 10


@vectorize
def doubled(x):
    return 2 * x


@vectorize(["float64(float64)"])
def halved(x):
    return x / 2


@pytest.mark.parametrize(
    "function, arguments",
    [
        (math.sqrt, (4.0,)), (np.sqrt, (4.0,)), (len, ([1, 2],)), (sum, ((1, 2),)), (max, (1, 5, 3)), (abs, (-2,)),
        (int, (2.5,)), (float, (2,)), (str, (5,)), (list, ((1, 2),)), (str.upper, ("ab",)), (operator.add, (1, 2)),
        (operator.itemgetter(1), ((1, 2),)), (functools.partial(math.pow, 2.0), (3.0,)),
        (functools.partial(np.clip, a_min=1, a_max=2), (5,)), (shifted, (1,)), (doubled, (3,)), (halved, (3.0,)),
    ],
)  # fmt: skip
def test_functions_that_are_not_compiled_ones(function, arguments):
    assert apply(function, *arguments) == function(*arguments)


@pytest.mark.parametrize("function", [np.sum, np.cumsum, np.max, np.median])
def test_functions_of_arrays(function):
    a = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(apply_along(function, a), function(a, axis=0))
    np.testing.assert_array_equal(apply(np.sort, a[::-1, 0]), np.sort(a[::-1, 0]))
    np.testing.assert_array_equal(apply(doubled, a), 2 * a)


def test_the_same_function_is_compiled_once():
    def call(f, x):
        return f(x)

    call = njit(call)
    for _ in range(3):
        assert call(math.sqrt, 4.0) == 2.0
    assert len(call.signatures) == 1


def test_a_tuple_of_them():
    assert njit(lambda fs, x: [f(x) for f in fs])((math.sin, math.cos), 0.0) == [0.0, 1.0]
    assert njit(lambda f, xs: functools.reduce(f, xs))(operator.mul, [2, 3, 4]) == 24


@pytest.mark.parametrize("function", [lambda x: x, open, type("Callable", (), {"__call__": lambda self, x: x})()])
def test_what_compiled_code_does_not_know_is_refused(function):
    with pytest.raises(errors.NumbaError):
        apply(function, 1)
