"""Items of constant tuples are known: fields that they name, and loops over literal_unroll()."""

import numpy as np
import pyarray
import pytest
from pyarray import cuda, literal_unroll, njit

KIND = np.dtype([("a", "f8"), ("n", "i4"), ("c", "u1"), ("v", "i2", (2,))])
NAMES = ("a", "n", "c")
PAIRS = (("a", 1), ("n", 2.5), ("c", 3))
NUMBERS = (2, 0, 1)
MIXED = ("a", 1, 2.5)


def make():
    a = np.zeros(3, KIND)
    a["a"], a["n"], a["c"], a["v"] = [1.5, 2.5, 3.5], [2, 3, 4], 5, [6, 7]
    return a


def read(a):
    s = 0.0
    for name in literal_unroll(NAMES):
        s += a[1][name] + a[name][2]
    return s


def of_records(a):
    s = 0.0
    r = a[1]
    for name in literal_unroll(("a", "c")):
        s = 10 * s + r[name]
    return s


def by_number(a):
    s = 0.0
    for k in literal_unroll(NUMBERS):
        s = 10 * s + a[0][k]
    return s


def enumerated(a):
    s = 0.0
    for i, name in enumerate(literal_unroll(NAMES), 2):
        s += i * a[i - 2][name]
    return s


def zipped(a):
    s = 0.0
    for name, factor, other in zip(literal_unroll(NAMES), (10, 20.5, 30), literal_unroll(NAMES)):
        s += factor * a[1][name] + a[0][other]
    return s


def backwards(a):
    s = 0.0
    for name in reversed(literal_unroll(NAMES)):
        s = 10 * s + a[0][name]
    return s


def pairs(a):
    s = 0.0
    for name, factor in literal_unroll(PAIRS):
        s += factor * a[1][name]
    return s


def nested(a):
    s = 0.0
    for x in literal_unroll(NAMES):
        for y in literal_unroll(("n", x)):
            s = s * 2 + a[0][x] * a[1][y]
    return s


def nested_pairs(a):
    s = 0.0
    for pair in literal_unroll((("a", ("n", "c")), ("c", ("c", "a")))):
        for name in literal_unroll(pair[1]):
            s = s * 2 + a[0][pair[0]] * a[1][name]
    return s


def branches(a):
    s = 0.0
    for name in literal_unroll(NAMES):
        if name == "a":
            s += 100
        elif name in ("n", "x"):
            s += a[0][name]
        else:
            s += a[2]["c"]
    return s


def within_a_loop(a):
    s = 0.0
    for i in range(len(a)):
        for name in literal_unroll(NAMES):
            s += a[i][name]
    return s


def mixed(a):
    s = 0.0
    for x in literal_unroll(MIXED):
        if isinstance(x, (int, str)):
            s = 10 * s + a[0][x]
        else:
            s += x
    return s


def sub_array(a):
    s = 0
    for name in literal_unroll(("v",)):
        s += a[0][name][1] + a[name][1, 0]
    return s


def listed(a):
    return sum([a[0][name] * 1.0 for name in literal_unroll(NAMES)])


def by_item(a):
    return a[0][NAMES[1]] + a[NAMES[0]][2] + a[1][PAIRS[2][0]] + a[0][NAMES[-1]] + a[1][NUMBERS[0]]


def by_unpacked(a):
    x, _, z = NAMES
    (p, _), _, _ = PAIRS
    return a[0][x] + a[0][z] + a[1][p]


def by_local(a):
    names = ("c", "a")
    return a[0][names[0]] * 10 + a[1][names[1]]


@njit
def field_of(record, name):
    return record[name]


def passed_on(a):
    s = 0.0
    for name in literal_unroll(NAMES):
        s += field_of(a[1], name)
    return s


@pytest.mark.parametrize(
    "function",
    [
        read, of_records, by_number, enumerated, zipped, backwards, pairs, nested, nested_pairs, branches,
        within_a_loop,
        mixed, sub_array, listed, by_item, by_unpacked, by_local,
    ],
)  # fmt: skip
def test_reading(function):
    assert njit(function)(make()) == function(make())


def test_names_that_are_passed_on():
    assert njit(passed_on)(make()) == 2.5 + 3 + 5


def clear(a, i):
    for name in literal_unroll(NAMES):
        a[i][name] = 0
    a[NAMES[1]][0] = 9


def fill(a):
    for k, name in enumerate(literal_unroll(NAMES)):
        a[name][1:] = k
        r = a[0]
        r[name] += 1


@pytest.mark.parametrize(("function", "arguments"), [(clear, (1,)), (fill, ())])
def test_writing(function, arguments):
    compiled, expected = make(), make()
    njit(function)(compiled, *arguments)
    function(expected, *arguments)
    assert all((compiled[name] == expected[name]).all() for name in KIND.names)


@pytest.mark.filterwarnings("ignore")
def test_in_kernels():
    @cuda.jit
    def kernel(a, total):
        i = cuda.grid(1)
        if i < a.size:
            for k, name in enumerate(literal_unroll(NAMES)):
                a[i][name] = i + k
            cuda.atomic.add(total, 0, a[i][NAMES[0]])

    a, total = make(), np.zeros(1)
    kernel[1, 8](a, total)
    assert [row[:3] for row in a.tolist()] == [(0.0, 1, 2), (1.0, 2, 3), (2.0, 3, 4)]
    assert total[0] == 3.0


@pytest.mark.parametrize("names", [("a", "x"), ("x",)])
def test_names_that_are_no_fields(names):
    @njit
    def f(a):
        s = 0.0
        for name in literal_unroll(names):
            s += a[0][name]
        return s

    with pytest.raises(pyarray.TypingError, match="has no field 'x'"):
        f(make())


def test_names_that_are_not_known():
    @njit
    def f(a, names):
        s = 0.0
        for name in literal_unroll(names):
            s += a[0][name]
        return s

    with pytest.raises(pyarray.TypingError, match="is named by a literal"):
        f(make(), ("a", "n"))


def test_loops_that_are_not_unrolled_stay_loops():
    @njit
    def f():
        s = 0
        for x in (1, 2, 3):
            s += x
        return s

    assert f() == 6
    assert f.inspect_mlir(2, ()).count("pyarray.for") == 1


def returned(a):
    for item in literal_unroll(a):
        for factor in literal_unroll((1, 2.5)):
            if np.asarray(item).sum() * factor > 6:
                return item is None, float(factor)
    return False, 0.0


def left(a):
    turns, kept = 0, []
    for k, item in enumerate(literal_unroll(a)):
        size = np.asarray(item).size
        turns += 1
        if k == 1:
            continue
        kept.append(size)
        if np.asarray(item).sum() > 3:
            last = float(np.asarray(item).sum())
            break
    else:
        last = -1.0
    return turns, kept, last, size


def left_from_a_loop(a):
    turns = 0
    while True:
        for item in literal_unroll(a):
            for j in range(3):
                if j == 2:
                    break
                turns += np.asarray(item).size
            if turns > 20:
                return turns
        if turns > 10:
            break
    return -turns


def raised(a):
    try:
        for x, y in zip(literal_unroll(a), literal_unroll((1, 2.0, 3))):
            if np.asarray(x).sum() > 8:
                raise ValueError("large")
            if y > 1.5:
                return y * 1.0
    finally:
        a[1][0] = -1
    return 0.0


@pytest.mark.parametrize("function", [returned, left, left_from_a_loop, raised])
def test_loops_that_are_left_early(function):
    compiled = njit(function)
    for first, count in ((1.0, 2), (1.0, 5), (9.0, 5)):
        results = []
        for f in (function, compiled):
            items = (first, np.ones(count), 2)
            try:
                results.append((f(items), items[1][0]))
            except ValueError as error:
                results.append((str(error), items[1][0]))
        assert results[0] == results[1]
