"""Lists and dicts whose items differ in type, read at constants; tuples of numbers at variable places."""

import numpy as np
import pyarray
import pytest
from pyarray import literal_unroll, njit, typed

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
def described(table):
    return table["size"] * 2, table["name"], len(table), "size" in table, "other" in table, "other" not in table


@njit
def passed(n):
    table = {"size": n, "name": "box", "sides": np.ones(3)}
    return described(table), described({"size": 2.5, "name": (1, "a")}), table["sides"].sum(), len(table)


@njit
def parts(items):
    return items[0], items[1], len(items)


@njit
def passed_lists(n):
    count = 0
    for x in pyarray.literal_unroll([1, "ab", 2.5]):
        count += len(x) if isinstance(x, str) else x
    return parts([n, "a", np.ones(2)])[:2], parts(["b", (1, 2)]), count


def test_arguments_of_compiled_functions():
    boxes = (6, "box", 3, True, False, True), (5.0, (1, "a"), 2, True, False, True)
    assert passed(3) == (*boxes, 3.0, 3)
    assert passed_lists(3) == ((3, "a"), ("b", (1, 2), 2), 5.5)


def test_dicts_of_values_that_may_be_none_stay_dicts():
    @njit
    def total(table):
        found = 0
        for value in table.values():
            found += 0 if value is None else value
        return found

    assert njit(lambda n: total({"a": None, "b": n}))(4) == 4


def test_keys_that_are_not_known():
    read = njit(lambda table, key: table[key])
    with pytest.raises(pyarray.TypingError, match="the key must be known when the function is compiled"):
        njit(lambda k: read({"a": 1, "b": "x"}, str(k)))(1)
    with pytest.raises(pyarray.TypingError, match="the key must be known when the function is compiled"):
        njit(lambda k: str(k) in {"a": 1, "b": "x"})(1)
    assert njit(lambda: read({"a": 1, "b": "x"}, "b"))() == "x"
    with pytest.raises(pyarray.TypingError, match="no such key"):
        njit(lambda: described({"name": "a", "weight": 1}))()


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


def test_lists_of_several_types_are_unrolled():
    @njit
    def count(n):
        found, items = 0, ["a", n, 2j, np.ones(3)]
        for item in literal_unroll(items):
            if isinstance(item, str):
                found += len(item)
            elif isinstance(item, np.ndarray):
                found += 10 * item.size
        for item in literal_unroll(["b", (1, 2)]):
            found += 100 * len(item)
        return found, items[1]

    assert count(7) == (1 + 30 + 300, 7)
