"""`+=` of lists and deques with all that can be iterated over, and lists that a key function looks at or changes."""

import collections

import pytest
from compare import agrees, define
from pyarray import njit
from pyarray.errors import TypingError

ADDED = [
    "range(3)",
    "(k * k for k in range(3))",
    "(7, 8)",
    "{5: 6}",
    "{5}",
    "{5: 6}.values()",
    "{5: 6}.keys()",
    "[4]",
    "collections.deque([4, 5])",
    "map(abs, [-1, 2])",
    "b'ab'",
    "reversed([1, 2])",
    "xs",
    "()",
]


@pytest.mark.parametrize("added", ADDED)
@pytest.mark.parametrize("made", ["[1, 2]", "collections.deque([1, 2])", "collections.deque([1, 2], maxlen=3)"])
def test_ints(made, added):
    source = f"def f():\n    xs = {made}\n    ys = xs\n    xs += {added}\n    return xs, xs is ys, len(ys)\n"
    agrees(define(source, collections=collections))


@pytest.mark.parametrize("added", [text for text in ADDED if text != "xs"])
def test_an_empty_list_learns_its_items(added):
    agrees(
        define(f"def f():\n    xs = []\n    xs += {added}\n    xs.append(9)\n    return xs\n", collections=collections)
    )


@pytest.mark.parametrize(
    "first, added",
    [
        ("'a'", "'bcä'"),
        ("(0, 'a')", "enumerate('bc')"),
        ("(0, 'a')", "zip([1, 2], ['y', 'z'])"),
        ("(0, 'a')", "{1: 'x'}.items()"),
        ("[1]", "[[2], [3]]"),
        ("1.5", "(k * 0.5 for k in range(3))"),
        ("1.5", "[2.5]"),
    ],
)
def test_other_items(first, added):
    agrees(define(f"def f():\n    xs = [{first}]\n    xs += {added}\n    return xs\n"))


def test_arguments():
    def f(xs, ys, d):
        xs += ys
        xs += d
        d += xs
        return len(xs)

    agrees(f, [1, 2], [3], collections.deque([4]))

    def wider(xs, ys):
        xs += ys
        return xs

    assert njit(wider)([1.5], [2, 3]) == [1.5, 2.0, 3.0]


def test_in_place_of_a_field():
    lines = ["d = {'a': [1]}", "d['a'] += range(3)", "d['b'] = []", "d['b'] += (5, 6)", "return d"]
    agrees(define("def f():\n    " + "\n    ".join(lines) + "\n"))


@pytest.mark.parametrize(
    "source, message",
    [("xs += 5", "no operator"), ("xs += ['a']", "cannot be"), ("xs += 'a'", "cannot be")],
)
def test_refusals(source, message):
    f = define(f"def f(xs):\n    {source}\n    return xs\n")
    with pytest.raises((TypingError, TypeError), match=message):
        f([1, 2])


# ---- What a key function does with the list that is sorted


def appends(xs):
    xs.sort(key=lambda v: xs.append(v) or v)


def looks(xs):
    xs.sort(key=lambda v: v * (len(xs) + 1) * (-1 if 3 in xs else 1), reverse=True)
    return xs


def fails(xs):
    try:
        xs.sort(key=lambda v: 1 // (v - 1))
    except ZeroDivisionError:
        return xs, True
    return xs, False


def caught(xs):
    try:
        appends_compiled(xs)
    except ValueError as error:
        return str(error), xs
    return "", xs


appends_compiled = njit(appends)


@pytest.mark.parametrize("function", [appends, looks, fails, caught], ids=lambda f: f.__name__)
def test_keys_that_touch_the_list(function):
    agrees(function, [3, 1, 2])
    agrees(function, [5, 2, 2, 7])


OF_OTHER_TYPES = ["(7, 8)", "[7, 8]", "range(3)", "{5: 6}", "b'ab'", "bytearray(b'ab')"]
OF_OTHER_TYPES += ["'ab'", "['a']", "((1, 2), (3, 4))", "[(1, 2)]", "((1, 2), None)"]


@pytest.mark.parametrize("added", OF_OTHER_TYPES)
@pytest.mark.parametrize(
    "way",
    ["xs += {}", "xs.extend({})", "xs[1:] = list({})", "xs = list({})", "ys = deque(xs); ys.extend({}); xs = list(ys)"],
)
def test_items_become_what_may_be_none(way, added):
    source = f"def f(some):\n    xs = [None] * 2\n    if some:\n        {way.format(added)}\n    return list(xs)\n"
    agrees(define(source, deque=collections.deque), False)
    agrees(define(source, deque=collections.deque), True)


def test_tuples_get_the_types_of_the_items():
    def f():
        xs = [(1.5, None)]
        xs.extend(((2.5, 3), (3.5, 4)))
        xs += [(4.5, 5)]
        return xs

    agrees(f)
