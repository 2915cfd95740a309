"""Lists, dicts and tuples of compiled functions that Python passes."""

import gc

import pytest
from pyarray import errors, njit


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
