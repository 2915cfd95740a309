"""Generators that stay within the function that makes them, and so have no frame, against CPython; their cost."""
# ruff: noqa: B007, UP028

import os

import numpy as np
import pytest
from pyarray import njit

pytestmark = pytest.mark.usefixtures("nothing_leaks")


@njit
def squares(n):
    for i in range(n):
        yield i * i


@njit
def watched(n, log):
    try:
        for i in range(n):
            log.append(i)
            yield i
    finally:
        log.append(-1)


@njit
def failing(n, at):
    for i in range(n):
        if i == at:
            raise ValueError("at", i)
        yield i


@njit
def stubborn(n, log):
    for i in range(n):
        try:
            yield i
        except BaseException:
            log.append(i)
            raise


@njit
def words(n):
    text = ""
    for i in range(n):
        text += str(i)
        yield text


@njit
def rows(n):
    for i in range(n):
        yield np.full(i + 1, 0.5), i % 2 == 0


@njit
def doubled(n, log):
    for x in watched(n, log):
        yield 2 * x
        yield 2 * x + 1


@njit
def once_more(n):
    g = squares(n)
    total = 0
    for x in g:
        total += x
        if x > 20:
            break
    for x in g:
        total += 1000 * x
    return total


@njit
def one_by_one(n):
    g = squares(n)
    return [next(g) + 1 for i in range(n)]


@njit
def exhausted(n):
    g = squares(n)
    total = 0
    try:
        while True:
            total += next(g)
    except StopIteration:
        total += 5
    return total


@njit
def left_early(n, stop):
    log = [n]
    for x in watched(n, log):
        if x == stop:
            break
    log.append(7)
    return log


@njit
def left_by_error(n, stop):
    log = [n]
    try:
        for x in watched(n, log):
            if x == stop:
                raise KeyError(x)
    except KeyError:
        log.append(99)
    return log


@njit
def its_error(n, at):
    total = 0
    g = failing(n, at)
    try:
        for x in g:
            total += x
    except ValueError:
        total += 100
    for x in g:
        total += 1000
    return total


@njit
def uncaught(n, at):
    total = 0
    for x in failing(n, at):
        for y in failing(x + 1, at - 1):
            total += y
    return total


@njit
def never_run(n):
    log = [n]
    g = watched(n, log)
    log.append(5)
    if n < 0:
        log.append(next(g))
    return log


@njit
def in_turn(n):
    g = squares(n)
    h = words(n)
    out = ["x"]
    for x in g:
        out.append(next(h) + str(x))
        if x == 16:
            break
    return out


@njit
def made_in_a_loop(n):
    log = [n]
    for i in range(n):
        g = watched(n, log)
        next(g)
        if i % 2:
            log.append(next(g))
    return log


@njit
def of_generators(n):
    log = [n]
    total = 0
    for x in doubled(n, log):
        total += x
        if x == 5:
            break
    return total, log


@njit
def handlers(n):
    log = [n]
    g = stubborn(n, log)
    total = next(g)
    try:
        total += next(g)
        raise IndexError(total)
    except IndexError:
        total += next(g)
    return total, log


@njit
def of_arrays(n):
    total = 0.0
    for a, even in rows(n):
        if not even:
            continue
        total += sum(a) + len(a)
        if len(a) > 6:
            break
    return total


@njit
def given(g, most):
    total = 0
    for x in g:
        if x > most:
            return total
        total += x
    return -total


@njit
def through_a_call(n):
    g = squares(n)
    return given(g, 30), given(g, 10_000), next(g, -1)


CASES = [
    (once_more, (10,)),
    (once_more, (3,)),
    (one_by_one, (5,)),
    (exhausted, (4,)),
    (left_early, (5, 2)),
    (left_early, (5, 9)),
    (left_by_error, (5, 3)),
    (left_by_error, (3, 3)),
    (its_error, (6, 3)),
    (its_error, (3, 3)),
    (never_run, (3,)),
    (in_turn, (8,)),
    (in_turn, (0,)),
    (made_in_a_loop, (4,)),
    (of_generators, (5,)),
    (of_generators, (1,)),
    (handlers, (5,)),
    (of_arrays, (20,)),
    (of_arrays, (4,)),
    (through_a_call, (20,)),
]


def interpreted(function):
    """The function as CPython runs it, and all generators here with it."""
    scope = dict(globals())
    scope.update({name: value.py_func for name, value in scope.items() if hasattr(value, "py_func")})
    for name, value in list(scope.items()):
        if callable(value) and getattr(value, "__module__", None) == __name__ and hasattr(value, "__code__"):
            scope[name] = type(value)(value.__code__, scope, value.__name__, value.__defaults__, value.__closure__)
    return scope[function.py_func.__name__]


@pytest.mark.parametrize("function, arguments", CASES)
def test_as_cpython(function, arguments):
    assert function(*arguments) == interpreted(function)(*arguments)


def test_error_and_traceback():
    with pytest.raises(ValueError) as caught:
        uncaught(6, 4)
    assert caught.value.args == ("at", 3)
    assert [entry.name for entry in caught.traceback][-2:] == ["uncaught", "failing"]


@pytest.mark.parametrize(
    "function, arguments",
    [(once_more, (10,)), (one_by_one, (5,)), (left_early, (5, 2)), (of_generators, (5,)), (in_turn, (8,))],
)
def test_no_frame(function, arguments):
    function(*arguments)
    assert all("pyarray_rt_generator_new" not in text for text in function.inspect_llvm().values())


def test_recursive_ones_have_frames():
    @njit
    def walk(n):
        if n > 0:
            for x in walk(n - 1):
                yield x
            yield n

    @njit
    def total(n):
        sum_ = 0
        for x in walk(n):
            sum_ += x
        return sum_

    assert total(5) == 15
    assert any("pyarray_rt_generator_new" in text for text in total.inspect_llvm().values())


def test_costs_what_a_loop_costs():
    @njit
    def by_next(n):
        g = squares(n)
        total = 0
        for _i in range(n):
            total ^= next(g)
        return total

    assert by_next(1000) == by_next.py_func(1000)
    if os.environ.get("PYARRAY_DEBUG"):
        return  # not optimised
    (code,) = by_next.inspect_llvm().values()
    assert "alloca" not in code and code.count(" = load ") == 1  # the argument: what a frame would hold is in registers
