"""Empty containers within an argument take the type of those beside them."""

import collections

import pytest
from pyarray import njit
from pyarray.errors import TypingError

Task = collections.namedtuple("Task", "name needs")
GRAPH = {"a": [], "b": ["a"], "c": []}


@njit
def same(x):
    return x


@njit
def lengths(x):
    return [len(y) for y in x]


@pytest.mark.parametrize(
    "value",
    [
        [[1], []],
        [[], [], [1.5], []],
        [[[]], [[], [1]], []],
        [{}, {1: 2}],
        [{1, 2}, set()],
        [frozenset(), frozenset([1])],
        [collections.deque(maxlen=2), collections.deque([1])],
        [None, [], [1]],
        [[1], None, []],
        {"a": [], "b": [1]},
        {"a": {"c": []}, "b": {"c": [1]}},
        [("a", []), ("b", [1]), ("c", [])],
        [Task("a", []), Task("b", ["a"])],
        {"a": ([], {}), "b": ([1], {2: "x"})},
        (1, [[], [2]]),
    ],
    ids=repr,
)
def test_the_others_say_the_type(value):
    assert same(value) == value and type(same(value)) is type(value)


def test_they_are_written_back():
    @njit
    def fill(xs):
        xs[0].append(5)
        xs[1].append(7)

    xs = [[], [1]]
    fill(xs)
    assert xs == [[5], [1, 7]]
    empty = []
    xs = [empty, empty, [1]]
    fill(xs)
    assert xs == [[5, 7], [5, 7], [1]] and xs[0] is xs[1] is empty


def test_globals():
    @njit
    def needs(name):
        return len(GRAPH[name])

    assert (needs("a"), needs("b"), needs("c")) == (0, 1, 0)


@pytest.mark.parametrize(
    "value, message",
    [
        ([[], []], "the items of an empty list have no type"),
        ([[[]], []], "the items of an empty list have no type"),
        ([{}, {}], "the keys and values of an empty dict have no type"),
        ([[1], {}], "the keys and values of an empty dict have no type"),
        ([[], {1: 2}], "the items of an empty list have no type"),
        ([("a", [])], "the items of an empty list have no type"),
        ([[], [1], [1.5]], "must have one type"),
    ],
    ids=repr,
)
def test_refusals(value, message):
    with pytest.raises(TypeError, match=message):
        lengths(value)


def test_lists_that_hold_each_other():
    deep = []
    for _ in range(60):
        deep = [deep, deep]
    with pytest.raises(TypeError, match="have no type"):
        lengths(deep)
    circle = []
    circle.append(circle)
    with pytest.raises(TypingError, match="nested too deeply"):
        lengths([circle, [1]])
