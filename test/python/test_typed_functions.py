"""Compiled functions in typed containers, put there by Python: those of one signature; all else is refused at once."""

import ctypes
import enum
from collections import namedtuple

import numpy as np
import pytest
from pyarray import cfunc, errors, float64, int64, njit, typed, types
from pyarray.experimental import jitclass

REAL2 = types.FunctionType(float64(float64, float64))
Named = namedtuple("Named", "number function")


@njit("float64(float64, float64)")
def plus(a, b):
    return a + b


@njit("float64(float64, float64)")
def minus(a, b):
    return a - b


@njit
def anything(a, b):
    return a * b


@njit(["float64(float64, float64)", "int64(int64, int64)"])
def two(a, b):
    return a


@njit("int64(int64)")
def other(a):
    return a


@cfunc("float64(float64, float64)")
def callback(a, b):
    return a / b


@njit
def total(functions):
    s = 0.0
    for f in functions:
        s += f(10.0, 2.0)
    return s


@njit
def total_of_values(functions):
    s = 0.0
    for f in functions.values():
        s += f(10.0, 2.0)
    return s


def test_list_that_grows():
    functions = typed.List()
    functions.append(plus)
    functions.append(minus)
    assert total(functions) == 20.0
    assert functions._dtype == REAL2
    assert list(functions) == [plus, minus]


def test_list_of_a_list():
    functions = typed.List([plus, minus])
    functions.extend([plus])
    functions.insert(0, minus)
    assert total(functions) == 40.0
    functions[0] = plus
    assert functions[0] is plus
    assert total(functions) == 44.0
    assert functions.pop() is plus


def test_later_items_are_compiled_for_the_signature():
    functions = typed.List([plus])
    functions.append(anything)
    functions.append(callback)
    assert total(functions) == 12.0 + 20.0 + 5.0
    with pytest.raises(errors.TypingError):
        functions.append(other)
    assert len(functions) == 3


def test_first_item_is_a_callback():
    functions = typed.List([callback, minus])
    assert total(functions) == 13.0


def test_values_of_a_dict():
    functions = typed.Dict()
    functions["plus"] = plus
    functions["minus"] = minus
    assert total_of_values(functions) == 20.0
    assert functions["minus"] is minus
    with pytest.raises(errors.TypingError):
        functions["other"] = other


def test_in_a_field_of_an_instance():
    @jitclass([("functions", types.ListType(REAL2))])
    class Holder:
        def __init__(self, functions):
            self.functions = functions

        def total(self):
            return total(self.functions)

    assert Holder(typed.List([plus, minus])).total() == 20.0


@pytest.mark.parametrize("function", [anything, two], ids=["none", "several"])
def test_function_without_one_signature(function):
    message = rf"{function.__name__}\(\) has (no declared signature|several signatures), .* functions of one signature"
    for fill in (
        lambda: typed.List().append(function),
        lambda: typed.List([function]),
        lambda: typed.Dict().__setitem__(1, function),
        lambda: typed.Dict().__setitem__(function, 1),
        lambda: typed.Set().add(function),
    ):
        with pytest.raises(TypeError, match=message):
            fill()


@pytest.mark.parametrize("container", [typed.Set, typed.Dict])
def test_functions_are_no_keys(container):
    made = container()
    with pytest.raises(errors.TypingError, match="unhashable type"):
        made.add(plus) if container is typed.Set else made.__setitem__(plus, 1)


@pytest.mark.parametrize(
    "value",
    [(plus, 1), Named(1, plus), memoryview(b"abc"), memoryview(np.ones((2, 2))), ctypes.c_int(3), ctypes.c_void_p(8)],
    ids=["tuple", "namedtuple", "bytes", "array", "ctypes", "pointer"],
)
def test_values_that_are_no_items(value):
    """None of these is an item, and none goes on for ever."""
    for fill in (lambda: typed.List().append(value), lambda: typed.Dict().__setitem__(1, value)):
        with pytest.raises(TypeError, match="cannot be in a typed container"):
            fill()


def test_what_has_no_type():
    class Plain(enum.Enum):
        ONE = 1

    for value in (lambda x: x, np.sin, len, int, np, Plain, plus.py_func, object(), iter([1])):
        with pytest.raises((TypeError, errors.TypingError)):
            typed.List().append(value)
    assert typed.List([int64(3)])._dtype == types.int64
