"""Lists, dicts and sets that may be None learn what is in them as others do: typing_sites.c, infer_optional.c."""

from collections import deque

import pytest
from compare import agrees, define
from pyarray import errors, njit


@pytest.mark.parametrize("made", ["[]", "deque()"])
@pytest.mark.parametrize("item", ["1.5", "(n, 'a')", "[n]", "None", "'a'", "-n"])
def test_made_in_a_branch(made, item):
    source = f"""
def f(n):
    x = None
    if n:
        x = {made}
    if x is not None:
        x.append({item})
    return x
"""
    for n in (0, 1):
        agrees(define(source, deque=deque), n)


@pytest.mark.parametrize(
    ("made", "put"),
    [
        ("[]", "row.append(i)"),
        ("{}", "row[i] = i * 0.5"),
        ("set()", "row.add(i)"),
        ("deque()", "row.appendleft(i)"),
        ("[]", "row += [i, -i]"),
    ],
)
def test_values_of_a_dict(made, put):
    source = f"""
def f(n):
    rows = {{}}
    for i in range(n):
        row = rows.get(i % 2)
        if row is None:
            row = {made}
            rows[i % 2] = row
        {put}
    return rows
"""
    agrees(define(source, deque=deque), 4)
    agrees(define(source, deque=deque), 0)


def test_dicts_in_dicts():
    def f(n):
        groups = {}
        for i in range(n):
            inner = groups.get(i % 2)
            if inner is None:
                inner = {}
                groups[i % 2] = inner
            leaf = inner.get(i)
            if leaf is None:
                leaf = []
                inner[i] = leaf
            leaf.append(i * 0.5)
        return groups

    agrees(f, 4)
    agrees(f, 0)


def test_what_is_asked_decides_what_is_put_in():
    def f(n):
        groups = {}
        inner = groups.get("a")
        if inner is None:
            inner = {}
            groups["a"] = inner
        if inner.get(n) is None:
            inner[n] = n
        return groups

    agrees(f, 3)


def test_both_names_see_the_items():
    def f(n):
        x = [] if n else None
        y = x
        if y is not None:
            y.append("a")
        return x, x is y

    agrees(f, 0)
    agrees(f, 1)


def test_items_that_may_be_none():
    def f(n):
        lists = [None, []]
        lists[1].append(2.5)
        x = lists[n % 2]
        if x is not None:
            x.append(0.5 * n)
        return lists

    agrees(f, 0)
    agrees(f, 3)


def test_parameters_and_results():
    @njit
    def add(x, value):
        if x is None:
            x = []
        x.append(value)
        return x

    def f(n):
        x = None
        for i in range(n):
            x = add(x, i)
        return x

    agrees(f, 3)
    agrees(f, 0)


def test_in_a_try():
    def f(n):
        x = None
        try:
            x = []
            x.append(10 // n)
        except ZeroDivisionError:
            pass
        return x

    agrees(f, 0)
    agrees(f, 3)


def test_taken_out_of_a_dict():
    def f(n):
        d = {}
        d.setdefault(1, []).append(n)
        y = d.pop(n, None)
        if y is not None:
            y.append(3)
        return y, d

    agrees(f, 1)
    agrees(f, 2)


def test_signs_are_those_of_all_items():
    def f(n):
        x = None
        y = [1]
        if n:
            x = y
        if x is not None:
            x.append(-n)
        return x, y, y[-1] // 2, y[0] - 2

    agrees(f, 0)
    agrees(f, 3)


def test_what_is_none_raises():
    def f(n):
        x = None
        if n:
            x = []
        x.append(1)
        return x

    agrees(f, 0)
    agrees(f, 1)


def test_items_of_two_types_are_refused():
    @njit
    def f(n):
        x = None
        if n:
            x = []
        if x is not None:
            x.append(1)
            x.append("a")
        return x

    with pytest.raises(
        errors.TypingError, match="a value of type unicode_type cannot be an item of ListType\\[int64\\]"
    ):
        f(1)


def test_one_that_holds_itself_is_refused():
    @njit
    def f(n):
        x = None
        if n:
            x = []
        if x is not None:
            x.append(x)
        return n

    with pytest.raises(errors.TypingError):
        f(1)


@pytest.mark.parametrize("item", [1, 0.5, "a", (1, 2), [1]])
def test_in_tuples_that_may_differ(item):
    @njit
    def f(n, item):
        t = (None, 1)
        if n:
            t = ([], 2)
        if t[0] is not None:
            t[0].append(item)
        return t

    with pytest.raises(errors.TypingError, match="cannot be an item of list"):
        f(1, item)


@pytest.mark.parametrize("method", ["get", "pop"])
def test_defaults_that_are_put_in(method):
    source = f"""
def f(n, item):
    d = {{}}
    for i in range(n):
        row = d.{method}(i % 2, [])
        row.append(item)
        d[i % 2] = row
    return d
"""
    for item in (1, 0.5, "a", (1, "b")):
        agrees(define(source), 3, item)
        agrees(define(source), 0, item)
