"""The Python library in compiled code against CPython's: values, types of exceptions and their messages."""

import bisect
import builtins
import functools
import heapq
import math
import operator
import statistics
import time

import numpy as np
import pytest
from compare import compiled_once
from pyarray import cuda, njit
from pyarray.errors import TypingError


def outcome(function, *arguments):
    """What a call returns, or the class and text of its exception."""
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error)


def check(function, *arguments):
    """Compiled and interpreted code agree, also in what they do to lists; returns the result."""
    copies = [a.copy() if isinstance(a, (list, np.ndarray)) else a for a in arguments]
    result, expected = outcome(compiled_once(function), *arguments), outcome(function, *copies)
    assert result == expected
    assert str(arguments) == str(tuple(copies))
    return result


LISTS = [[3, 1, 2], [2.5, -1.0, 2.5, 0.0], [5], list(range(40, 0, -3)), [1, 1, 2, 2, 2, 3]]


# -- Python's own ----------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [*LISTS, (1, 2, 3), (0.0, 0.5), np.arange(5.0)], ids=str)
def test_folds(values):
    def folds(values):
        return sum(values), sum(values, 0.5), any(values), all(values), max(values), min(values)

    check(folds, values)


def test_folds_of_bools_and_times():
    check(lambda a: (sum(a), any(a), all(a)), np.array([True, False, True]))
    check(lambda a: (max(a), min(a)), np.array([3, 1, 2], "m8[s]"))


@pytest.mark.parametrize("values", LISTS, ids=str)
def test_key_and_default(values):
    @njit
    def distance(x):
        return abs(x - 2)

    def extremes(values):
        return max(values, key=distance), min(values, key=distance), max(values, default=7), min(values, default=7)

    check(extremes, values)
    check(lambda a, b: (max(a, b, key=distance), min(a, b, 3, key=distance)), 5, -2)


@pytest.mark.parametrize("function", [max, min])
def test_of_nothing(function):
    check(lambda a: function(a), np.zeros(0))
    check(lambda a: function(a, default=1.5), np.zeros(0))


@pytest.mark.parametrize("values", LISTS, ids=str)
def test_sorted(values):
    @njit
    def rest(x):
        return x % 2

    def orders(values):
        return (
            sorted(values),
            sorted(values, reverse=True),
            sorted(values, key=rest),
            sorted(values, key=rest, reverse=True),
        )

    def sorts(values):
        values.sort(key=rest)
        return values

    check(orders, values)
    check(sorts, values)
    check(lambda values: sorted(values)[0], np.array(values))


def test_lambdas_and_generator_expressions():
    def lambdas(values, shift):
        order = sorted(values, key=lambda x: (x - shift) ** 2)
        return order, max(values, key=lambda x: -x), sum(x * shift for x in values), any(x > shift for x in values)

    for values in LISTS:
        check(lambdas, values, 2)


def test_keyword_only():
    with pytest.raises(TypingError, match="takes 1 argument but 2 were given"):
        njit(lambda values: sorted(values, True))([1])
    with pytest.raises(TypingError, match="unexpected keyword argument 'by'"):
        njit(lambda values: sorted(values, by=True))([1])


def test_messages_point_at_the_call():
    with pytest.raises(
        TypingError, match=r"sum\(\): no operator '\+'(.|\n)*test_library\.py(.|\n)*sum\(values, \(1,\)\)"
    ):
        njit(lambda values: sum(values, (1,)))([1])


def test_no_frame():
    try:
        njit(lambda a: max(a))(np.zeros(0))
    except ValueError as error:
        frames = []
        traceback = error.__traceback__
        while traceback:
            frames.append(traceback.tb_frame.f_code.co_filename)
            traceback = traceback.tb_next
        assert all("library/" not in frame for frame in frames)
        assert __file__ in frames[-1]


# -- Classes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [True, 3, 2.5, 1j, None, (1, 2), [1], np.float32(2), np.int8(1), np.zeros(2)], ids=repr
)
def test_isinstance(value):
    def kinds(x):
        return (
            isinstance(x, bool), isinstance(x, (float, complex)), isinstance(x, tuple), isinstance(x, list),
            isinstance(x, np.ndarray), isinstance(x, np.float32), isinstance(x, object),
            isinstance(x, (np.int8, (bool, list))),
        )  # fmt: skip

    check(kinds, value)


def test_isinstance_decides_branches():
    @njit
    def total(x):
        if isinstance(x, (int, float)):
            return x + 1
        result = 0.0
        for item in x:
            result += item
        return result

    assert total(2) == 3 and total(2.5) == 3.5 and total(np.arange(4.0)) == 6.0
    with pytest.raises(TypingError, match="arg 2 must be a class"):
        njit(lambda x: isinstance(x, 3))(1)


def test_type():
    def kinds(x):
        return type(x) is float, type(x) == int, type(x) is not np.ndarray, type(x)(3)  # noqa: E721

    check(kinds, 2.5)
    check(kinds, 4)
    check(kinds, True)
    check(lambda x: type(x)(2.75), np.float32(0.5))


@pytest.mark.parametrize(
    "value", [0, 1, -1, 2**61 - 1, 2**61, -(2**63), 2**63 - 1, True, 0.0, -1.0, 1.5, 0.1, -2.5e300, 5e-324,
              math.inf, -math.inf, 1 + 2j, -1j, (1, 2, -3), (0.5,), ((1, 2), (3, 4))],
    ids=repr,
)  # fmt: skip
def test_hash(value):
    check(lambda x: hash(x), value)


@pytest.mark.parametrize(
    "values", [[0.1] * 10, [1e16, 1.0, -1e16], [1.0, math.inf], [1e308, 1e308], [3, 4], [-0.0]], ids=repr
)
def test_compensated_sum(values, monkeypatch):
    def neumaier(values):
        total, lost = 0, 0.0
        for value in values:
            total, before = total + value, total
            lost += (before - total) + value if abs(before) >= abs(value) else (value - total) + before
        return total + lost if isinstance(total, float) and lost and math.isfinite(lost) else total

    from pyarray import _names

    monkeypatch.setattr(_names, "COMPENSATES", True)
    monkeypatch.setattr(_names, "_latest", None)
    assert njit(lambda values: builtins.sum(values))(values) == neumaier(values)
    rows = np.array(values)[:, None] * np.ones(2)  # arrays are added as they are
    with np.errstate(over="ignore"):
        expected = builtins.sum([*rows])
    assert np.array_equal(njit(lambda rows: builtins.sum([*rows]))(rows), expected, equal_nan=True)
    monkeypatch.setattr(_names, "_latest", None)


def test_callable():
    assert njit(lambda x: (callable(x), callable(math.sin), callable(abs)))(1) == (False, True, True)


# -- Modules ---------------------------------------------------------------------------------------


def test_sums_and_products_of_lists():
    check(lambda values: (math.fsum(values), math.prod(values), math.prod(values, start=2.5)), [0.1] * 10)
    check(lambda values: (math.fsum(values), math.prod(values)), [1, 2, 3])


def test_reduce():
    @njit
    def step(a, b):
        return 2 * a + b

    check(lambda values: functools.reduce(step, values), [1, 2, 3])
    check(lambda values: functools.reduce(step, values, 10), [1, 2, 3])
    check(lambda values: functools.reduce(operator.mul, values), np.arange(1, 6))
    check(lambda values: functools.reduce(operator.add, values), np.zeros(0))


@pytest.mark.parametrize(
    "name",
    "add and_ floordiv lshift mod mul or_ pow rshift sub xor eq ge gt le lt ne iadd isub imul ifloordiv "
    "truediv".split(),
)
def test_binary_operators(name):
    function = getattr(operator, name)
    check(lambda a, b: function(a, b), 13, 3)


@pytest.mark.parametrize("name", "abs neg pos inv invert not_ truth index".split())
def test_unary_operators(name):
    function = getattr(operator, name)
    check(lambda a: function(a), -5)


def test_operators_of_sequences():
    def operators(values):
        operator.setitem(values, 0, 7)
        operator.delitem(values, 1)
        return (
            operator.getitem(values, 0), operator.contains(values, 7), operator.countOf(values, 4),
            operator.indexOf(values, 4),
            operator.concat(values, [1]), operator.iadd(values, [2]),
        )  # fmt: skip

    check(operators, [1, 2, 4, 4])
    check(lambda values: operator.indexOf(values, 9), [1, 2])


@pytest.mark.parametrize("seed", range(5))
def test_heapq(seed):
    numbers = np.random.RandomState(seed).randint(0, 50, 60).tolist()

    def heap(numbers):
        first = numbers[:20]
        heapq.heapify(first)
        popped = [heapq.heappop(first)]
        for number in numbers[20:40]:
            heapq.heappush(first, number)
        for number in numbers[40:]:
            popped.append(heapq.heapreplace(first, number))
            popped.append(heapq.heappushpop(first, number + 5))
        return (
            first,
            popped,
            heapq.nlargest(5, numbers),
            heapq.nsmallest(4, numbers),
            heapq.nsmallest(3, numbers, key=operator.neg),
        )

    check(heap, numbers)


@pytest.mark.parametrize("function", [heapq.heappop, lambda heap: heapq.heapreplace(heap, 1)])
def test_empty_heap(function):
    def empty(numbers):
        numbers.clear()
        return heapq.heappop(numbers)

    check(empty, [1])


@pytest.mark.parametrize("x", [-1, 0, 2, 3, 9, 50])
def test_bisect(x):
    def positions(a, x):
        return (
            bisect.bisect_left(a, x),
            bisect.bisect_right(a, x),
            bisect.bisect(a, x, 1),
            bisect.bisect_left(a, x, 1, 3),
        )

    def keyed(a, x):
        return bisect.bisect_left(a, x, key=operator.neg), bisect.bisect(a, x, key=operator.neg)

    def insert(a, x):
        bisect.insort_left(a, x)
        bisect.insort(a, x)
        return a

    check(positions, [0, 2, 2, 3, 9, 10], x)
    check(positions, np.array([0, 2, 2, 3, 9, 10]), x)
    check(keyed, [9, 2, 2, 0], -x)
    check(insert, [0, 2, 2, 3], x)
    check(lambda a, x: bisect.bisect(a, x, -1), [1], x)


SAMPLES = [
    [1.5, 2.5, 2.5, 2.75, 3.25, 4.75],
    [0.1] * 10 + [0.3, 1e16, -1e16, 7.7],
    (np.random.RandomState(3).standard_normal(101) * 1e-3 + 1e6).tolist(),
    np.random.RandomState(4).standard_exponential(50).tolist(),
]


@pytest.mark.parametrize("data", SAMPLES, ids=range(len(SAMPLES)))
@pytest.mark.parametrize(
    "name", "mean fmean median median_low median_high mode stdev variance pstdev pvariance".split()
)
def test_statistics(name, data):
    function = getattr(statistics, name)
    result, expected = njit(lambda data: function(data))(data), function(data)
    assert result == pytest.approx(expected, rel=4e-16, abs=0)


POINTS = [[1, 2, 2, 3], [1.5, -0.5, 3.0, 2.25, 9.0], [4, 4, 4, 1, 7, 7], [0.5]]


def test_more_statistics():
    def f(data):
        return statistics.multimode(data), statistics.median_grouped(data), statistics.median_grouped(data, 0.5)

    def g(data, n):
        return statistics.quantiles(data, n=n), statistics.quantiles(data, n=n, method="inclusive")

    def h(data, other):
        return statistics.covariance(data, other), statistics.correlation(data, other)

    def k(data, weights):
        return statistics.harmonic_mean(data, weights)

    for data in POINTS:
        check(f, data)
        for n in (1, 2, 4, 10, 0):
            check(g, data, n)
        check(h, data, [x * x for x in data])
        check(h, data, data[1:] + [2])
        sizes, weights = [abs(x) for x in data], [1.5] * len(data)
        assert njit(k)(sizes, weights) == pytest.approx(k(sizes, weights), rel=1e-15)
        check(k, data, [0.0] * len(data))
    check(h, [1, 1], [1, 2])


def test_statistics_of_arguments():
    data = [1, 4, 4, 9]
    assert njit(lambda data: statistics.median(data))([1, 4, 9]) == 4
    assert njit(lambda data: statistics.mode(data))(data) == 4
    assert njit(lambda data: statistics.pvariance(data, 4.5))(data) == statistics.pvariance(data, 4.5)
    assert njit(lambda data: statistics.fmean(data, data))(data) == pytest.approx(sum(x * x for x in data) / sum(data))
    check(lambda data: statistics.mean(data[:0]), [0.5])
    check(lambda data: statistics.stdev(data), [0.5])


def test_clocks():
    @njit
    def read():
        return time.time(), time.perf_counter(), time.monotonic(), time.monotonic_ns()

    before = time.time(), time.perf_counter(), time.monotonic(), time.monotonic_ns()
    for a, b, c in zip(before, read(), (time.time(), time.perf_counter(), time.monotonic(), time.monotonic_ns())):
        assert a - 1e-6 <= b <= c + 1e-6


def test_in_kernels():
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = sum(a) + max(a) + bisect.bisect_left(a, i)

    a, out = np.arange(5.0), np.zeros(4)
    kernel[1, 32](a, out)
    assert out.tolist() == [sum(a) + max(a) + i for i in range(4)]


def test_names_are_found_by_object():
    """A name of the user's own that shadows a builtin is the user's."""

    @njit
    def sum(values):
        return values[0]

    assert njit(lambda values: (sum(values), builtins.sum(values)))([4, 5]) == (4, 9)
