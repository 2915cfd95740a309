"""frozenset in compiled code, against CPython."""

import pytest
from compare import check_alike, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import errors, njit, typeof
from pyarray._pyarray import allocation_counts

INTS = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


@njit
def combine(a, b):
    s, t = frozenset(a), frozenset(b)
    both = [
        s | t,
        s & t,
        s - t,
        s ^ t,
        s.union(b),
        s.intersection(b),
        s.difference(b),
        s.symmetric_difference(b),
        s.copy(),
    ]
    order = [s == t, s != t, s < t, s <= t, s > t, s >= t, s.isdisjoint(t), s.issubset(b), s.issuperset(b), bool(s)]
    mixed = [set(a) == s, s == set(b), set(a) <= t, s >= set(b)]
    return (
        [sorted(x) for x in both],
        order,
        mixed,
        len(s),
        [x in s for x in b],
        sorted(set(a) | t),
        sorted(s.union(b, a)),
    )


@settings(max_examples=100, deadline=None)
@given(INTS, INTS)
def test_operations(a, b):
    check_alike(combine, a, b)


def test_arguments_and_results():
    for value in frozenset([1, 2]), frozenset(["a"]), {frozenset([1])}, {frozenset([1.5]): 2}, [frozenset([(1, 2)])]:
        check_alike(expression("x"), value)
    check_alike(expression("frozenset(x), frozenset(), len(frozenset(x))"), "aab")
    check_alike(expression("repr(frozenset([1])), str(frozenset([1])) + 'x', repr(frozenset(x[:0]))"), [1])
    check_alike(expression("isinstance(x, frozenset), isinstance(x, set)"), frozenset([1]))
    assert str(typeof(frozenset([1]))) == "frozenset(int64)"
    with pytest.raises(TypeError, match="empty frozenset"):
        expression("x")(frozenset())


def test_hashes():
    for value in [1, 2, 300], [-1], [1.5, 2.0], [(1, 2), (3, 4)], list(range(100)):
        check_alike(expression("hash(x)"), frozenset(value))


def test_keys():
    @njit
    def groups(words):
        found = {}
        for word in words:
            found.setdefault(frozenset(word), [word]).append(word)
        return found[frozenset("ab")], len(found), frozenset("x") in found

    check_alike(groups, ["ab", "ba", "abb", "c"])

    @njit
    def subsets(n):
        seen = set()
        for i in range(n):
            seen.add(frozenset([i % 3, i % 2]))
            seen.discard(frozenset([i % 5]))
        return len(seen)

    check_alike(subsets, 20)
    missing = expression("{frozenset([1]): 2}[frozenset([x])]")
    assert missing(1) == 2
    with pytest.raises(KeyError) as caught:
        missing(3)
    assert caught.value.args == ("frozenset({3})",)


def test_assignments_make_a_new_one():
    @njit
    def change(s):
        t = s
        s |= frozenset([7])
        s -= frozenset([1])
        return sorted(s), sorted(t)

    check_alike(change, frozenset([1, 2]))


def test_it_does_not_change():
    for method in "add(1)", "discard(1)", "update([1])", "clear()", "pop()", "difference_update([1])":
        with pytest.raises(errors.TypingError, match="unknown method"):
            expression(f"x.{method}")(frozenset([1]))


def test_nothing_leaks():
    @njit
    def make(n):
        d = {}
        for i in range(n):
            s = frozenset([str(i), str(i % 3)])
            d[s | frozenset(["x"])] = s
        return len(d)

    make(3)
    before = allocation_counts()
    assert make(50) == make.py_func(50)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]
