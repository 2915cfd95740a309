"""itertools, heapq.merge, map and filter in compiled code against CPython."""
# ruff: noqa: F821, F841

import gc
import heapq
import itertools
import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import errors, njit
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)


def count_(n):
    a = [x for x in itertools.islice(itertools.count(), n)]
    b = [x for x in itertools.islice(itertools.count(5, 2), n)]
    return a, b, list(itertools.islice(itertools.count(0.5, 0.25), n))


def cycle(n):
    return list(itertools.islice(itertools.cycle([1, 2, 3]), n)), list(itertools.cycle(range(0)))


def repeat(n):
    few = itertools.islice(itertools.repeat(2.5), n)
    return list(itertools.repeat(7, n)), list(few), list(map(pow, range(n), itertools.repeat(2)))


def accumulate(n):
    return (
        list(itertools.accumulate(range(n))),
        list(itertools.accumulate(range(1, n), lambda a, b: a * b)),
        list(itertools.accumulate([1.5, 2.5], initial=10.0)),
        list(itertools.accumulate([3, 1, 2], func=max)),
        list(itertools.accumulate([1, 2, 3], operator.mul, initial=n)),
    )


def chain(n):
    return (
        list(itertools.chain(range(n), [10, 20], (x for x in range(2)))),
        list(itertools.chain("ab", "cd")),
        list(itertools.chain.from_iterable([[1, 2], [3]])),
        list(itertools.chain.from_iterable(range(k) for k in range(n))),
    )


def selections(n):
    return (
        list(itertools.compress(range(6), [1, 0, 1, 0, 1])),
        list(itertools.dropwhile(lambda x: x < n, range(6))),
        list(itertools.takewhile(lambda x: x < n, range(6))),
        list(itertools.filterfalse(lambda x: x % 2, range(n))),
        list(itertools.filterfalse(None, [0, 1, 2, 0])),
        list(filter(None, [0, 1, 2, 0])),
    )


def pairs(n):
    return (
        list(itertools.starmap(pow, [(2, 3), (3, 2)])),
        list(itertools.starmap(lambda a, b: a + b, zip(range(n), range(n)))),
        list(itertools.pairwise(range(n))),
        list(itertools.pairwise("abcd")),
    )


def slices(n):
    return (
        list(itertools.islice(range(10), n)),
        list(itertools.islice(range(10), 2, n + 2)),
        list(itertools.islice(range(10), n, None)),
        list(itertools.islice(range(10), None, 8, 3)),
        list(itertools.islice(range(10), 1, None, n + 1)),
        list(itertools.islice("abcdef", n, 5, 2)),
    )


def slice_takes_no_more_than_it_needs(n):
    source = (x for x in range(10))
    first = list(itertools.islice(source, n))
    return first, next(source)


def bad_slice(n):
    return list(itertools.islice(range(3), -1 - n, 2))


def bad_step(n):
    return list(itertools.islice(range(3), 0, 2, n - n))


def longest(n):
    a = [p for p in itertools.zip_longest(range(n), [1.5], "abcdefg")]
    return a, list(itertools.zip_longest(range(n), [1, 2], fillvalue=-1))


def groups(n):
    return (
        [(k, list(g)) for k, g in itertools.groupby([1, 1, 2, 3, 3])],
        [(k, sum(g)) for k, g in itertools.groupby(range(n), key=lambda x: x // 2)],
        [(k, len(list(g))) for k, g in itertools.groupby("aaabccd")],
    )


def products(n):
    return (
        list(itertools.product([1, 2], "ab", range(n))),
        list(itertools.product(range(n), repeat=2)),
        list(itertools.product(range(2), "xy", repeat=2)),
        list(itertools.product()),
        sum(a * b for a, b in itertools.product(range(n), range(n))),
    )


def choices(n):
    return (
        list(itertools.combinations(range(n), 2)),
        list(itertools.combinations("abcd", 3)),
        list(itertools.combinations(range(n), 0)),
        list(itertools.combinations_with_replacement(range(n), 2)),
        list(itertools.permutations(range(n), 2)),
        list(itertools.permutations([1, 2, 3], r=3)),
        sum(1 for c in itertools.combinations(range(8), 4)),
    )


def merged(n):
    return (
        list(heapq.merge([1, 4, 7], [2, 5], range(n))),
        list(heapq.merge([7, 4], [5, 1], reverse=True)),
        list(heapq.merge(["a", "ccc"], ["bb"], key=lambda s: len(s))),
        list(itertools.islice(heapq.merge(itertools.count(0, 3), itertools.count(1, 2)), n)),
    )


def heads(n):
    # Those that are not used up.
    a = itertools.count(n)
    b = map(lambda x: x * x, a)
    c = enumerate(b)
    return next(a), next(b), next(c), next(c)


functions = [count_, cycle, repeat, accumulate, chain, selections, pairs, slices, slice_takes_no_more_than_it_needs]
functions += [bad_slice, bad_step, longest, groups, products, choices, merged, heads]
compiled = {f: njit(f) for f in functions}


@pytest.mark.parametrize("function", functions)
@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_like_cpython(function, n):
    if function is longest and n == 0:
        return  # an empty range still has items of one type
    assert repr(outcome(compiled[function], n)) == repr(outcome(function, n))


@pytest.mark.parametrize("function", functions)
def test_no_leak(function):
    outcome(compiled[function], 3)
    gc.collect()
    before = allocation_counts()
    outcome(compiled[function], 3)
    gc.collect()
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_from_python():
    generator = njit(lambda n: itertools.combinations(range(n), 2))(4)
    assert list(generator) == list(itertools.combinations(range(4), 2))


numbers = st.lists(st.integers(-5, 5), min_size=1, max_size=8)


@given(numbers, numbers, st.integers(0, 9), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_random_arguments(a, b, stop, step):
    for function in everything, in_order:
        assert repr(outcome(njit_of(function), a, b, stop, step)) == repr(outcome(function, a, b, stop, step))


def everything(a, b, stop, step):
    return (
        list(itertools.chain(a, b)),
        list(itertools.islice(a, stop)),
        list(itertools.islice(b, 1, stop + 1, step)),
        list(itertools.accumulate(a)),
        list(itertools.compress(a, b)),
        list(itertools.takewhile(lambda x: x > 0, a)),
        list(itertools.dropwhile(lambda x: x > 0, a)),
        list(itertools.pairwise(a)),
        [(k, list(g)) for k, g in itertools.groupby(a)],
        list(itertools.zip_longest(a, b, fillvalue=0)),
        list(zip((x for x in a), b)),
        list(enumerate((x for x in a), stop)),
    )


def in_order(a, b, stop, step):
    return (
        list(heapq.merge(sorted(a), sorted(b))),
        list(heapq.merge(sorted(a, reverse=True), sorted(b, reverse=True), reverse=True)),
        list(itertools.product(a, b)),
        list(itertools.combinations(a, 2)),
        list(itertools.permutations(b, 2)),
        list(itertools.combinations_with_replacement(a, 2)),
    )


_compiled = {}


def njit_of(function):
    if function not in _compiled:
        _compiled[function] = njit(function)
    return _compiled[function]


def test_batched():
    from pyarray.library.itertools import batched  # Python has it from 3.12 on

    def f(xs, n, strict):
        return [list(batch) for batch in batched(xs, n, strict=strict)]

    compiled = njit(f)
    for n in (1, 2, 3, 7):
        assert compiled([3, 1, 2, 5, 4], n, False) == [[3, 1, 2, 5, 4][k : k + n] for k in range(0, 5, n)]
    assert compiled([3, 1, 2, 4], 2, True) == [[3, 1], [2, 4]]
    with pytest.raises(ValueError, match=r"batched\(\): incomplete batch"):
        compiled([1, 2, 3], 2, True)
    with pytest.raises(ValueError, match="n must be at least one"):
        compiled([1, 2, 3], 0, False)


def test_arrays():
    @njit
    def f(a):
        total = 0.0
        for x, y in itertools.pairwise(a):
            total += abs(x - y)
        for i, j in itertools.combinations(range(a.size), 2):
            total += a[i] * a[j]
        return total

    a = np.array([1.0, 4.0, 2.0])
    assert f(a) == f.py_func(a)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda n: list(itertools.combinations(range(4), n + 0)), "'r' must be known when the function is compiled"),
        (lambda n: list(itertools.permutations(range(n))), "'r' must be known when the function is compiled"),
        (lambda n: list(itertools.product("ab", repeat=n + 0)), "'repeat' must be known when the function is compiled"),
        (lambda n: len(itertools.tee(range(4), n + 0)), "'n' must be known when the function is compiled"),
        (lambda n: list(itertools.chain(range(n), "ab")), "cannot unify"),
    ],
)
def test_refused(function, message):
    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=message):
        njit(function)(2)
