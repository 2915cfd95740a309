"""The groups of itertools.groupby draw from one iterator, as CPython's do."""

import itertools
import random

import pytest
from compare import agrees
from pyarray import njit


def some_of_each(xs, counts):
    out = [(0, 0, 0)]
    for n, (k, group) in enumerate(itertools.groupby(xs, key=lambda x: x // 2)):
        count = counts[n % len(counts)]
        if count < 0:
            continue
        for x in group:
            out.append((n, k, x))
            count -= 1
            if count <= 0:
                break
    return out


def kept(xs, counts):
    groups = [(k, group) for k, group in itertools.groupby(xs)]
    return [(k, len(list(group))) for k, group in groups]


def two_at_a_time(xs, counts):
    out = [(0, 0, 0)]
    groups = itertools.groupby(xs)
    for k, group in groups:
        for m, other in groups:
            for x in group:
                out.append((1, k, x))
            for x in other:
                out.append((2, m, x))
            break
    return out


def order_of_effects(xs, counts):
    log = [(0, 0, 0)]

    def source():
        for x in xs:
            log.append((1, x, x))
            yield x

    def key(x):
        log.append((2, x, x))
        return x % 3

    for k, group in itertools.groupby(source(), key=key):
        log.append((3, k, k))
        for x in group:
            log.append((4, k, x))
            if len(log) % 2:
                break
    return log


def growing(xs, counts):
    out = [(0, 0, 0)]
    for k, group in itertools.groupby(xs):
        for x in group:
            out.append((0, k, x))
            if len(xs) < 15:
                xs.append(k + len(xs) % 2)
    return out


def key_that_raises(xs, counts):
    out = [(0, 0, 0)]
    try:
        for k, group in itertools.groupby(xs, key=lambda x: 10 // (x - 2)):
            for x in group:
                out.append((0, k, x))
    except ZeroDivisionError:
        out.append((4, 4, 4))
    return out


@pytest.mark.parametrize("function", [some_of_each, kept, two_at_a_time, order_of_effects, growing, key_that_raises])
def test_groups(function):
    compiled = njit(function)
    numbers = random.Random(1)
    for _ in range(100):
        xs = [numbers.randint(0, 4) for _ in range(numbers.randint(1, 9))]
        agrees(compiled, xs, [numbers.choice([-1, 1, 2, 99]) for _ in range(3)])


def keys(xs):
    return [(k, len(list(group))) for k, group in itertools.groupby(xs)]


@pytest.mark.parametrize(
    "xs",
    [
        [0.0, -0.0, 1.0],
        [-0.0, 0.0, 0.0],
        [1.5, 1.5, 2.5],
        ["a", "a", "b"],
        [(1, 2), (1, 2), (2, 1)],
        [True, True, False],
    ],
)
def test_keys_are_those_of_the_first_items(xs):
    agrees(njit(keys), xs)


def test_no_items():
    agrees(njit(keys), "")
    agrees(njit(keys), "aab")


def test_a_group_outlives_the_loop():
    def last(xs):
        for k, group in itertools.groupby(xs):
            if k == "b":
                return list(group)
        return ["none"]

    agrees(njit(last), ["a", "b", "b", "c"])
    agrees(njit(last), ["a", "c"])


def test_groups_are_given_to_python():
    @njit
    def first(xs):
        for k, group in itertools.groupby(xs):
            return k, group
        return 0, iter([0])

    k, group = first([3, 3, 4])
    assert k == 3 and list(group) == [3, 3]
