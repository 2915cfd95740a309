"""What is read from containers that nothing is put into, and from variables that nothing is assigned to, has no type.

Whoever reads it raises.
"""

import collections
import heapq

import numpy as np
import pytest
from compare import agrees

NEVER = False


def pops(n):
    xs, ys, queue = [], [1], collections.deque()
    try:
        ys.append(xs.pop())
    except IndexError:
        ys.append(queue.popleft())
    return ys


def popped(n):
    xs, ds, ss = [], {}, set()
    count = 0
    try:
        count += xs.pop() + 1
    except IndexError:
        count += 1
    try:
        count += ds.popitem()[1] * 2
    except KeyError:
        count += 10
    try:
        count += ss.pop() * 2
    except KeyError:
        count += 100
    return count, xs, ds, ss


def loops(n):
    total = 0.5
    table = {}
    for x in []:
        total += x + 1
    for x in [k for k in range(n) if NEVER]:
        total += x * 2
    for key in table:
        total += table[key] / key
    return total


def joined(n):
    xs = [k for k in range(n) if NEVER]
    first = xs[0] if xs else 5
    last = 2.5
    if len(xs) > 2:
        last = xs[-1]
    ordered = sorted(xs)
    return {first, max(xs, default=4)}, last, first % 3, ordered[0] + 1 if ordered else 9


def matched(k, n):
    match [e for e in range(n) if NEVER]:
        case [_, _, k]:
            pass
        case [k, *_]:
            n = k
    return {k, 2, 3}, n // 2


def defaults(n):
    table = {}
    first = table.get(n), table.get("a"), table.pop(3, None), table.get(3, None)
    return first, table.get(n, "a"), table.pop("a", 2.5), table.get(n, [n]), table.get((1, 2), (n, "b"))


def attributes(n):
    points = []
    for p in points:
        p.x = p.y + n
        p.move(n)
    return [p.x for p in points], {p.x: p.y for p in points}, "".join([p.name for p in points])


def elements(n):
    a = np.zeros(3)
    for x in []:
        a[x] = 2
    return a


def compared(n):
    xs = []
    for x in xs:
        if x is None or x == "a":
            return "text"
    return 3


def unpacked(n):
    xs = []
    try:
        a, b = xs
        return [str(a + b)]
    except ValueError as error:
        return [str(error), *xs]


def raising(n):
    xs = []
    x = xs[n]
    x.append(1)
    return [x, n]


def read_in_lambda(n):
    if NEVER:
        k = 1
    h = lambda p: k + p  # noqa: E731, F841
    return k % 5


def read_within(n):
    if False:
        k = 1

    def h(p):
        return k + p

    return h(n)


def read_again(n):
    def h(p):
        nonlocal k
        k = k + p
        return k

    try:
        return h(3)
    except NameError:
        n = 77
    if NEVER:
        k = 1
    return n


def read_in_generator(n):
    if False:
        k = [1]

    def items():
        yield n
        yield k[0]

    return list(items())


def read_where_caught(n):
    first = 3
    if NEVER:
        k = 1
    count = sum(1 for p in range(n) if p or k)
    try:
        first = k
    except UnboundLocalError as error:
        return first * 2, str(error)
    return first, count


def nothing_yielded(n):
    xs = []

    def items():
        for x in xs:
            yield x + 1

    def others():
        yield from items()
        yield 3

    total = 0
    for k in items():
        total += k * 2
    parts = list(items()), sum(items()), [k + 1 for k in items()], max(items(), default=3), sorted(items()), [*items()]
    return parts, total, next(items(), 5), any(items()), set(items()), list(others()), sum(x * 2 for x in xs)


def next_of_nothing(n):
    if NEVER:
        k = 3
    try:
        return next(p for p in [] if p > n) + 1
    except StopIteration:
        n = 7
    try:
        return sum(k for p in range(n))
    except NameError:
        return n


def bound_to_none(n):
    if NEVER:
        k = 1
    h = lambda: k  # noqa: E731
    k = None
    return h()


def bound_in_one_call(n):
    def h(p):
        nonlocal k
        if p:
            k = [p]
        return k

    result = h(n)
    if NEVER:
        k = []
    return result


def filled_with_nothing(n):
    xs, found, more = [], {1: 2.0}, {3: 4.0}
    found.update(xs)
    more |= xs
    seen = set(xs)
    seen.add(n)
    return dict([]), found, more, seen, {k: v for k, v in xs}


def dict_of_nothing(n):
    xs = []
    return dict(xs)


FUNCTIONS = [filled_with_nothing, dict_of_nothing]
FUNCTIONS += [pops, popped, loops, joined, defaults, attributes, elements, compared, unpacked, raising]
FUNCTIONS += [read_in_lambda, read_within, read_again, read_in_generator, read_where_caught, bound_to_none]
FUNCTIONS += [bound_in_one_call, nothing_yielded, next_of_nothing]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_cpython(function):
    agrees(function, 3)
    agrees(function, 0)


def test_patterns():
    agrees(matched, 1, 3)


def products(xs):
    ws = []
    return [p * q for p, q in zip(xs, ws)]


def numbered(xs):
    ws = [x for x in xs if False]
    total = 0
    for i, w in enumerate(ws):
        total += w * i
    return total


def backwards(xs):
    return [xs[0] * w for w in reversed([x for x in xs if False])]


def within(xs):
    ws = []
    return [(i, p * q) for i, (p, q) in enumerate(zip(xs, ws))]


def entries(xs):
    weights = {}
    return [p * w + k for p, (k, w) in zip(xs, weights.items())]


def views(xs):
    weights, total = {}, 0
    for k, w in weights.items():
        total += k * w
    for w in weights.values():
        total += w * xs[0]
    for k in weights.keys():
        total += k * xs[0]
    for k in reversed(weights):
        total += k * xs[0]
    for k in iter(weights):
        total += k * xs[0]
    return total


def in_order(xs):
    ws, ds = [], {}
    copy = list(ws)
    copy.sort()
    for x in sorted(ws):
        xs.append(x + 1)
    return sorted(ws), sorted(ws, reverse=True), sorted(ds), copy, heapq.nsmallest(2, ws), xs


@pytest.mark.parametrize("function", [views, products, numbered, backwards, within, entries, in_order])
def test_what_goes_over_nothing(function):
    agrees(function, [1, 2])
