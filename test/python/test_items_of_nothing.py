"""Containers that are empty where they are made: in tuples, and those that nothing but a branch never taken fills."""

from collections import namedtuple

from compare import agrees
from pyarray import njit

DEBUG = False


@njit
def half(x):
    return x * 0.5


def comprehensions(xs):
    total = 0.0
    for y in [half(x) for x in xs if DEBUG]:
        total += y
    kept = {x for x in xs if False}
    table = {str(x): x for x in xs if DEBUG}
    table["a"] = 2.5
    squares = {k: k for k in range(3) if DEBUG}
    for k in squares:
        total += squares[k]
    return total, len(kept), table, max([x for x in xs if False], default=7.0), [x for x in xs if not DEBUG]


def nested(xs):
    rows = [[x for x in xs if DEBUG] for _ in range(2)]
    rows[0].append(1.5)
    return rows, sum([sum(row) for row in rows])


def statements(xs):
    log, numbers = [], [1]
    if DEBUG:
        log.append("text")
        log.append(nothing_of_that_name(3))  # noqa: F821
        numbers.append(1.5)
    return log, numbers, len(log)


def in_tuples(xs):
    pair = ([], {})
    pair[0].append(1.5)
    names, table = pair
    table[3] = "c"
    first, (second, third) = [], ([], set())
    first.append(xs)
    second.append("a")
    third.add(2)
    return pair, pair[-1], names, first, second, third


def wrong_where_it_is_not_taken(xs):
    log = [x + "a" for x in xs if False]
    more = [x for x in xs if False]
    more += [x for x in xs if x > 2]
    return log, more


Pair = namedtuple("Pair", "a b")


def in_tuples_that_meet(xs):
    pairs = [Pair(x, 1) for x in xs]
    if len(xs) > 2:
        return [p for p in pairs if 1 == 0 <= p.b], ({}, 1)
    if len(xs) > 1:
        return pairs, ({2: "a"}, 2)
    both = ([], ({}, 3)) if xs[0] > 1 else (pairs, ({}, 4))
    return both


def ordered(xs):
    words, rows = {}, []
    both = sorted(words.values()), sorted(words.keys(), reverse=True), sorted(words.items()), sorted({}), sorted(rows)
    sums = sum(words.values()), sum(rows, 2.5), max(words.values(), default=1), min(words, default=2)
    views = words.keys() | words.keys(), words.items() & words.items(), words.keys() - words.keys()
    return both, sums, views, [a for a, _ in zip(words.keys(), words.values())], sorted([None]), max([None])


def none_has_no_order(which):
    if which == 0:
        return len(sorted([None, None]))
    if which == 1:
        return max([None, None])
    return min([None, None])


def test_none_has_no_order():
    for which in range(3):
        agrees(none_has_no_order, which)


def test_as_cpython():
    agrees(ordered, [1.5])
    for function in (comprehensions, nested, statements, in_tuples, wrong_where_it_is_not_taken):
        agrees(function, [1.5, 2.5])


def test_in_tuples_that_meet():
    for xs in ([1.5], [0.5], [1.5, 2.5], [1.5, 2.5, 3.5]):
        agrees(in_tuples_that_meet, xs)
