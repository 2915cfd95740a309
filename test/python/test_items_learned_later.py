"""Containers that are read before anything is put into them: their items have the types of all that is put in."""

import numpy as np
import pytest
from compare import agrees
from pyarray import njit


def generator_expression(n):
    xs = []
    s = sum(x for x in xs)
    xs.append(n)
    return s, sum(x * 2 for x in xs), xs


def sieve(limit):
    found = []
    for n in range(2, limit):
        if all(n % p for p in found):
            found.append(n)
    return found


def sieve_of_any(count):
    found, n = [], 2
    while len(found) < count:
        if not any(n % p == 0 for p in found):
            found.append(n)
        n += 1
    return found


def mapped(n):
    xs = []
    first = sum(map(lambda v: v * 2, xs)), len(list(filter(lambda v: v > 1, xs)))
    xs.append(n)
    return first, sum(map(lambda v: v * 2, xs)), list(filter(lambda v: v > 1, xs))


def filtered_while_it_grows(n):
    xs = []
    for i in range(n):
        if len(list(filter(lambda v: v < 2.0, xs))) < 3:
            xs.append(i * 0.75)
    return xs


def stored_by_a_nested_function(n):
    c = [None] * 3

    def store(k):
        c[k % 3] = k

    store(n)
    return c


def stored_in_two_types(n):
    c = [None] * 3

    def store(k, v):
        c[k] = v

    store(0, n)
    store(1, 2.5)
    return c


def memo(n):
    c = [None] * (n + 1)

    def fibonacci(k):
        if c[k] is not None:
            return c[k]
        c[k] = k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
        return c[k]

    return fibonacci(n), c


def ordered(n):
    g = [[]]
    g[0].append(n)
    return sorted(g), max(g), g < [[n + 1]], min(g[0])


def ordered_before(n):
    rows = [[]]
    before = sorted(rows)
    rows[0].append(n)
    return before, sorted(rows)


def grouped(n):
    g = {}
    for i in range(n):
        g.setdefault(i % 3, []).append(str(i))
    return sorted(g.items())


def queens(n):
    solutions = []

    def place(row, columns):
        if row == n:
            solutions.append(columns[:])
            return
        for c in range(n):
            if all(c != d and abs(c - d) != row - r for r, d in enumerate(columns)):
                place(row + 1, columns + [c])

    place(0, [])
    return solutions


def sums(n):
    found = []

    def go(i, part):
        if i == n:
            found.append(part)
            return
        go(i + 1, part)
        if not any(p + i == 3 for p in part):
            go(i + 1, part + [i])

    go(0, [])
    return found


@pytest.mark.parametrize(
    "function",
    [
        generator_expression, sieve, sieve_of_any, mapped, filtered_while_it_grows, memo, ordered, ordered_before,
        grouped, queens, sums, stored_by_a_nested_function,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
@pytest.mark.parametrize("n", [1, 2, 5])
def test_programs(function, n):
    agrees(function, n)


def test_stores_of_two_types():
    assert njit(stored_in_two_types)(1) == [1, 2.5, None]


def accumulate(n, rest):
    return len(rest) if n == 0 else accumulate_compiled(n - 1, rest + [n])


accumulate_compiled = njit(accumulate)


def test_functions_that_call_themselves():
    @njit
    def count(n):
        return accumulate_compiled(n, [])

    assert count(4) == 4


def test_what_stays_wrong_is_said():
    from pyarray.errors import TypingError

    @njit
    def mixed(n):
        xs = []
        s = sorted(xs)
        xs.append(n)
        xs.append("text")
        return s

    @njit
    def unordered(n):
        xs = []
        s = sorted(xs)
        xs.append(1j * n)
        return s

    with pytest.raises(TypingError, match="cannot be an item of"):
        mixed(1)
    with pytest.raises(TypingError, match="have no order"):
        unordered(1)


def test_arrays_of_lists_that_are_learned_later():
    """np.array of a list has the dtype of what is put into it, also where the array goes into a dict."""

    @njit
    def f(n):
        found, items = {}, []
        for i in range(n):
            items.append(i)
        found[0] = np.array(items)
        found[1] = np.zeros(2, np.array([items, items]).dtype)
        return found

    (a, b) = f(3).values()
    assert a.dtype == b.dtype == np.int64 and a.tolist() == [0, 1, 2]

    @njit
    def around(n):
        items = []
        for _ in range(n):
            items.append(np.array(items).sum() + 1)
        return np.array(items)

    assert around(3).tolist() == [1.0, 2.0, 4.0]


def test_arrays_of_lists_that_only_other_types_fill():
    """What would be put in by a branch that is not taken for these types decides before a guess at the dtype does."""

    @njit
    def places(values):
        found = []
        for i in range(len(values)):
            if values.dtype.kind != "i":
                values[i] = 0
            else:
                found.append(i)
        return values, found

    @njit
    def f(rows):
        kept = {}
        for i in range(len(rows)):
            _, found = places(rows[i])
            if len(found) > 0:
                kept[i] = np.array(found)
        return kept

    assert f(np.ones((2, 3))) == {} and f(np.ones((2, 3), int))[1].tolist() == [0, 1, 2]
