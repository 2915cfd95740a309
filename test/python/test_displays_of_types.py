"""Lists and dicts whose items differ in type, read at constants; tuples of numbers at variable places."""

import numpy as np
import pyarray
import pytest
from pyarray import njit, typed

MIXED = ["a", 1, 2j, [1, 2]]
TABLE = {"a": 1, "b": "x", "c": {"d": 2.5}, 3: None}


def of_lists():
    items = ["a", 1, 2j, [1, 2]]
    first = items[0]
    a, b, c, d = ["p", 2, 2.5, None]
    count = 0
    for x in ["ab", 2, 0.5]:
        if isinstance(x, str):
            count += len(x)
        else:
            count += x
    return items[1], items[2], first, items[3][1], len(items), 1 in items, "q" in items, (a, b, c, d), count


def of_dicts():
    table = {"a": 1, "b": "x", 3: 2j}
    return table["a"], table["b"], table[3]


def of_globals():
    return MIXED[0], MIXED[1], MIXED[-2], MIXED[3][1], TABLE["a"], TABLE["b"], TABLE["c"]["d"], TABLE[3]


@pytest.mark.parametrize("function", [of_lists, of_dicts, of_globals])
def test_constants(function):
    found, wanted = njit(function)(), function()
    assert found == wanted and [*map(type, found)] == [*map(type, wanted)]


def test_what_is_no_constant():
    with pytest.raises(pyarray.TypingError, match="cannot be an item of"):
        njit(lambda i: ["a", 1][i])(0)
    with pytest.raises(pyarray.TypingError, match="no such key"):
        njit(lambda: {"a": 1, "b": "x"}["c"])()
    with pytest.raises(pyarray.TypingError, match="cannot hold"):
        njit(lambda i: MIXED[i])(0)


@njit
def nth(numbers, i):
    return numbers[i]


@njit
def until(numbers, limit):
    total = 0.0
    for x in numbers:
        if x > limit:
            break
        total += x
    return total


def test_numbers_of_several_types():
    numbers = (1, 2.5, True, np.float32(0.5))
    assert [nth(numbers, i) for i in range(-4, 4)] == [numbers[i] for i in range(-4, 4)]
    assert type(nth((1, 2.5), 0)) is float
    assert nth((1, 2j), 1) == 2j
    assert until((1, 2.5, 3), 2.0) == 1.0 and until((1, 2.5, 3), 3) == 6.5
    with pytest.raises(IndexError):
        nth(numbers, 4)


def test_typed_lists_have_an_order():
    a, b = typed.List([1, 2]), typed.List([1, 3])
    assert a < b and a <= b and b > a and b >= a and a <= [1, 2] and not a > [1, 2] and [0] < a
    with pytest.raises(TypeError):
        a < 3  # noqa: B015


def test_nested_functions_of_the_library_have_names_of_their_own():
    import functools

    @njit
    def add(a, b):
        return a + b

    @njit
    def call(a):
        return functools.partial(add, 1)(a)

    assert call(2) == 3


def test_at_takes_places_and_slices():
    def changed(a, b):
        np.add.at(a, slice(0, 2), 1)
        np.add.at(a, 3, 5.0)
        np.multiply.at(b, (slice(None), 0), 2.0)
        np.add.at(b, (1, slice(0, 2)), np.array([1.0, 2.0]))

    mine, theirs = (np.arange(5.0), np.ones((2, 3))), (np.arange(5.0), np.ones((2, 3)))
    njit(changed)(*mine)
    changed(*theirs)
    for x, y in zip(mine, theirs):
        np.testing.assert_array_equal(x, y)
