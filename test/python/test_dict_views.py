"""Views of dicts as sets, dicts backwards, and update, setdefault and |= with other arguments."""

import collections

import pytest
from compare import check_alike
from pyarray import njit
from pyarray.errors import TypingError


def compared(d, e, s):
    keys, items = d.keys(), d.items()
    return (
        (keys == e.keys(), keys != e.keys(), keys < e.keys(), keys <= e.keys(), keys > e.keys(), keys >= e.keys()),
        (keys == s, s == keys, keys != s, keys < s, s <= keys, keys >= s, frozenset(s) > keys),
        (items == e.items(), items != e.items(), items <= e.items(), items > e.items()),
        (items == {("a", 1)}, keys == keys, items == items),
    )


def disjoint(d, e, s):
    return (
        d.keys().isdisjoint(e.keys()),
        d.keys().isdisjoint(s),
        d.keys().isdisjoint([*s]),
        d.items().isdisjoint(e.items()),
        d.keys().isdisjoint("xyz"),
    )


def combined(d, e, s):
    parts = (d.keys() & e, s | d.keys(), d.keys() - s, d.keys() ^ e.keys(), d.keys() & ["a", "q"])
    return [sorted(part) for part in parts]


DICTS = [
    ({"a": 1, "b": 2}, {"b": 2, "c": 3}, {"a", "z"}),
    ({"b": 2}, {"b": 2, "c": 3}, {"b"}),
    ({"b": 2, "c": 3}, {"c": 3, "b": 2}, {"b", "c", "d"}),
    ({"b": 2, "c": 3}, {"c": 4, "b": 2}, {"q"}),
]


@pytest.mark.parametrize("function", [compared, disjoint, combined])
@pytest.mark.parametrize("arguments", DICTS)
def test_views(function, arguments):
    check_alike(njit(function), *arguments)


def backwards(d):
    counts = collections.Counter(d)
    views = list(reversed(d)), list(reversed(d.keys())), list(reversed(d.values())), list(reversed(d.items()))
    return *views, [k for k in reversed(counts)], [(i, k) for i, k in enumerate(reversed(d))]


def updated(d, pairs):
    d.update(z=3)
    d.update({"q": 4}, z=5)
    d.update([("r", 6)], a=7)
    d.update()
    d |= pairs
    d |= [("u", 8)]
    d |= (("v", 9),)
    d |= (("w" * n, n) for n in range(1, 3))
    return d


def update_alone():
    d = {}
    d.update(x=1.5, y=2)
    return d, len(d)


def defaults(i):
    d = {"a": 1 if i > 0 else None}
    return d.setdefault("a"), d.setdefault("b"), d.setdefault("c", 4), d


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (backwards, ({"b": 1, "a": 2},)),
        (updated, ({"a": 1}, [("s", 1), ("t", 2)])),
        (updated, ({"a": 1}, {"s": 1})),
        (defaults, (1,)),
        (defaults, (-1,)),
    ],
)
def test_as_in_python(function, arguments):
    check_alike(njit(function), *arguments)


def test_update_of_an_empty_dict():
    assert njit(update_alone)() == update_alone()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda d: d.keys() == [1], "a view of a dict's keys or items is compared with sets and such views"),
        (lambda d: d.keys() < d, "a view of a dict's keys or items is compared with sets and such views"),
        (lambda d: d.setdefault("q"), "a value of type none cannot be a value of"),
        (lambda d: d.update(z="text"), "cannot be a value of"),
        (lambda d: d.update(d, d), "update"),
        (lambda d: reversed({1, 2}), "not reversible"),
    ],
)
def test_errors(function, message):
    with pytest.raises(TypingError) as error:
        njit(function)({"a": 1})
    assert message in str(error.value)


def test_change_of_a_global():
    table = {"a": 1}

    @njit
    def f():
        table.update(b=2)

    with pytest.raises(TypingError, match="cannot be changed"):
        f()
