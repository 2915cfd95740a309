# ruff: noqa: E501  (programs in one line)
"""Integers that are known never to be negative, beside a uint64, are uint64, wherever the two meet: as Python's ints."""

import collections
import functools
import heapq
import itertools
import math
import re
import warnings

import numpy as np
import pytest
from compare import define
from pyarray import errors, njit, prange, typed, types, vectorize
from pyarray.experimental import jitclass

pytestmark = pytest.mark.real

BIG = 2**63 + 12345678901  # a float64 is far from it
U64 = np.uint64(BIG)
Point = collections.namedtuple("Point", "a b")
UNSIGNED = np.array([BIG, 1, 7], np.uint64)


def check(function, *arguments, plain=None):
    """A result of Python's ints: with ``plain`` as the arguments, uint64 being wide enough."""
    expected = function(*(plain or [a.item() if isinstance(a, np.generic) else a for a in arguments]))
    result = njit(function)(*arguments)
    assert result == expected and type(result) is type(expected)


def ternary(c, x):
    v = 0 if c else x
    return v


def branch(c, x):
    value = 0
    if c:
        value = x
    return value + 1


def results(c, x):
    if c:
        return 0
    return x


def first_item(c, x):
    xs = [0]
    xs.append(x)
    return xs[1] + xs[0]


def sum_of_items(c, x):
    return sum([0, x]) + sum([x][1:], 5)


def counter(c, x):
    i = 0
    while i < 5:
        i += 1
    return x + i


def indices(c, x):
    for i in range(3):
        x = x + i
    for i in range(2, 9, 3):
        x += i
    for i in range(5, -1, -1):
        x += i
    return x


def enumerated(c, x):
    total = 0
    for i, y in enumerate([x, x - 1]):
        total += i + y // 2
    return total


def zipped(c, x):
    total = 0
    for i, y in zip(range(3), [x, x // 2]):
        total += y // 4 + i
    return total


def sizes(c, x):
    t = (1, 2, 3)
    return x + len(t) + len([1, 2]) + len("abc")


def elements(c, x):
    t = (1, 2)
    a, b = t
    (d, (e, f)) = (3, (4, x))
    return x + t[0] + t[1] + a + b + d + e - f


def element_by_index(c, x):
    t = (1, 2)
    return x + t[int(c)]


def values_of_dicts(c, x):
    d = {1: 5}
    e = {"a": 0}
    e["a"] += x
    return e["a"] + d[1] + {1: x}.get(2, 0) + list(d)[0]


def generated(c, x):
    def items():
        yield 0
        yield x

    total = 0
    for v in items():
        total += v
    return total + next((i for i in range(3)), 0)


def captured(c, x):
    p = 1

    def plus(y):
        return y + p

    return plus(x)


def in_a_cell(c, x):
    total = 0

    def add(y):
        nonlocal total
        total += y

    add(x)
    add(1)
    return total


def extremes(c, x):
    n = len((1, 2, 3))
    return min(x, n), max(n, x), min(5, x, 7), max((0, x)), min(x, 5) + x


def truths(c, x):
    return x + (x > 3) + c


def powers(c, x):
    p = (2**61) - 1
    q = 1 << 40
    return x - p + q


def joined_products(c, x):
    n = len((1, 2, 3))
    return x - (n * n + n) + (n // 2) + (n >> 1) + (n % 2) + (n | 4) + (n ^ 1) + (n << 2) + n**2


def of_any_sign(c, x):
    k = -5 if c else 5
    return x + abs(k), x + (k & 7), x + k % 7, x % abs(k)


def swapped(c, x):
    a, b = 0, x
    for _ in range(3):
        a, b = b, a
    return a + b


def digits(c, x):
    total = 0
    while x > 0:
        total += x % 10
        x //= 10
    return total


def tried(c, x):
    value = 0
    try:
        value = x // 1
    except ZeroDivisionError:
        value = 0
    return value


def optional(c, x):
    r = None
    if not c:
        r = x
    if r is None:
        r = 0
    return r


def called(c, x):
    def less(n, k=1):
        return x - n - k

    return less(3) + less(3, 4) - x


def recursive(c, x):
    def add(n):
        if n == 0:
            return 0
        return x // 4 + add(n - 1)

    return add(3)


def rest(c, x):
    def total(*values):
        s = 0
        for v in values:
            s += v
        return s

    return total(x, 1, 2)


def best(c, x):
    most = 0
    for k in range(3):
        y = x >> k
        if y > most:
            most = y
    return most


def members(c, x):
    xs = [0, 5]
    xs.append(x)
    return x in xs, xs.index(x), xs.count(0), x in {0, 1}, 5 in (0, x)


def counted_in_dicts(c, x):
    d = {}
    for k in (1, 1, 2):
        d[k] = d.get(k, 0) + x // 4
    e = collections.defaultdict(int)
    e[1] += x // 2
    return d[1] + d[2] - e[1] + d.get(3, 0) + {1: 2}.get(1, 0)


def of_the_library(c, x):
    return (
        sorted([3, 1])[0] + x,
        max([1, 2]) + x,
        list(itertools.accumulate([0, x, 1]))[-1],
        sum(map(lambda y: y + 1, [x // 2])),
        (0, 1, x).index(x),
        range(9).index(5) + x,
    )


def in_tuples(c, x):
    p = (0, 1) if c else (x, 2)
    q = Point(0, 1) if c else Point(x, 2)
    r = Point(1, 2)
    return p[0] + p[1] + r.a + r.b + r[0], q.a + q.b


def in_a_deque(c, x):
    q = collections.deque([0])
    q.append(x)
    return q.pop() + len(q)


def greatest_divisor(c, x):
    b = 36
    while b:
        x, b = b, x % b
    return x


def in_comprehensions(c, x):
    return [i + x for i in range(3)][2] + {i: x + i for i in range(3)}[2] - x + (n := len("abc")) + n


def shared_by_functions(c, x):
    n, m, k, last = 0, 0, 1, 0

    def count(by):
        nonlocal n, m
        n += by
        m = m * 2 + 1
        return n

    def within():
        def inner():
            nonlocal k
            k *= 2

        inner()

    def keep():
        nonlocal last
        last = x

    def items():
        nonlocal n
        for i in range(2):
            n += i
            yield n

    count(2)
    within()
    keep()
    total = sum(items())
    functions = [lambda: i + x for i in range(3)]  # noqa: B023
    return x + n, x - m + m, x + k, last, count(1) + x, x + total, functions[1]()


def read_by_functions(c, x):
    k = 3

    def plus():
        return x + k

    functions = []
    for i in range(3):
        functions.append(lambda: i + x)  # noqa: B023
    k = 5 if c else 6
    return plus(), functions[0]()


def of_tuples(c, x):
    pairs = dict(((0, x), (x, 1)))
    return list((1, x)), sorted(set((x, 2))), pairs[0] + pairs[x], [v for v in (1, x)], {v: 1 for v in (x, 2)}


def returned_together(c, x):
    xs = []
    for v in (1, x):
        xs.append(v)
    d = {}
    for k in [2, 3]:
        d[k] = 1
    return xs, d


def passed_to_functions(c, x):
    def total(values):
        s = 0
        for v in values:
            s += v
        return s

    heap = [5, x, 1]
    heapq.heapify(heap)
    heapq.heappush(heap, 3)
    counts = collections.Counter([1, x, x])
    return total([1, x]), heap, counts[x], heapq.nlargest(1, heap), functools.reduce(lambda a, b: a + b, [1, 2], x)


def of_itertools(c, x):
    both = list(itertools.chain([1], [x], (2,)))
    return both, list(itertools.zip_longest([1, x], [2], fillvalue=0)), list(itertools.accumulate([1, x, 2]))


PROGRAMS = [
    shared_by_functions, read_by_functions, of_tuples, returned_together, passed_to_functions, of_itertools, counted_in_dicts,
    of_the_library, in_tuples, in_a_deque, greatest_divisor, in_comprehensions,
    ternary, branch, results, first_item, sum_of_items, counter, indices, enumerated, zipped, sizes, elements, element_by_index,
    values_of_dicts, generated, captured, in_a_cell, extremes, truths, powers, joined_products, of_any_sign, swapped, digits, tried,
    optional, called, recursive, rest, best, members,
]  # fmt: skip


@pytest.mark.parametrize("c", [False, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program, c):
    check(program, c, U64)


def test_sums_over_arrays():
    check(lambda a: sum([x if x > 2 else 0 for x in a]), UNSIGNED, plain=[UNSIGNED.tolist()])

    @njit
    def loop(a):
        s = 0
        for i, x in enumerate(a):
            s += x + i
        return s + len(a) + a.size + a.shape[0] + a.ndim

    assert loop(UNSIGNED) == sum(UNSIGNED.tolist()) + 3 + 3 * 3 + 1

    @njit(parallel=True)
    def parallel(a):
        s = 0
        for i in prange(len(a)):
            s += a[i]
        return s

    assert parallel(UNSIGNED) == sum(UNSIGNED.tolist())


def test_globals_and_fields():
    f = define("def f(x):\n    return x - P + T[0] + T[1]\n", P=2**61 - 1, T=(1, 2))
    assert f(U64) == BIG - 2**61 + 1 + 3

    @jitclass([("h", types.uint64)])
    class Hash:
        def __init__(self):
            self.h = 0

        def add(self, x):
            self.h += x
            return self.h

    @njit
    def use(x):
        h = Hash()
        h.add(x)
        return h.add(1)

    assert use(U64) == BIG + 1


def test_typed_lists():
    @njit
    def f(x):
        xs = typed.List()
        xs.append(0)
        xs.append(x)
        return xs[1]

    assert f(U64) == BIG


def test_ufuncs():
    @vectorize
    def f(x):
        p = 1
        for i in range(3):
            p = p * 2 + x + i
        return p

    result = f(np.array([2**60], np.uint64))
    assert result.dtype == np.uint64 and result.tolist() == [7 * 2**60 + 8 + 4]


def test_defaults():
    f = define("def f(x, y=7, *, z=2):\n    return x + y * z\n")
    assert f(U64) == BIG + 14 and f(3) == 17 and f(3.5) == 17.5
    assert isinstance(f(U64, 1), float)  # what Python passes may be negative
    assert define("def f(x, y=-1):\n    return x + y\n")(np.uint64(3)) == 2.0
    g = define("def g(a, y=5):\n    t = a[0]\n    for i in range(2):\n        t = t * y\n    return t, y\n", "g")
    assert g(np.array([2**58], np.uint64)) == (25 * 2**58, 5)
    h = define(
        "@njit('uint64(uint64, int64)')\ndef h(x, y=1):\n    return x + np.uint64(y)\n", "h", lambda f: f, njit=njit
    )
    assert h(U64) == BIG + 1  # a declared signature has all parameters


UNKNOWN = [
    ("def f(x, k):\n    return x + k\n", 1, r"'\+' of a uint64"),
    ("def f(x, k):\n    for i in range(2):\n        x = x * k\n    return x\n", 2, r"'\*' of a uint64"),
    (
        "def f(x, k):\n    if k > 2:\n        y = x\n    else:\n        y = k\n    return y\n",
        1,
        "variable 'y', a uint64",
    ),
    ("def f(x, k):\n    xs = [x]\n    xs.append(k)\n    return xs[0]\n", 2, "item"),
    ("def f(x, k):\n    return np.add(x, k)\n", 1, r"numpy.add\(\) of a uint64"),
    ("def f(x, k):\n    i = k * 0\n    for _ in range(3):\n        i -= 1\n    return x + i\n", 4, r"'\+'"),
    ("def f(x, k):\n    i = 0\n    for _ in range(3):\n        i = i - 1\n    return x + i\n", 4, r"'\+'"),
    ("def f(x, k):\n    return x + (len((1, 2)) - 1)\n", None, ""),  # a literal
    ("def f(x, k):\n    return x + (k - 1)\n", 1, r"'\+'"),
    ("def f(x, k):\n    return (x + k) & 7, x % k, x // k, x < k, min(x, k), x | k, x << k\n", None, ""),
]


@pytest.mark.parametrize("source, line, text", UNKNOWN)
def test_notes_name_the_line(source, line, text, monkeypatch):
    monkeypatch.setenv("PYARRAY_WARN", "performance,types")
    f = define(source, decorator=njit(cache=False))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = f(np.uint64(9), 3)
    assert len(found) == (line is not None)
    if line is not None:
        assert isinstance(result, float)
        assert issubclass(found[0].category, errors.NumbaTypeSafetyWarning) and found[0].lineno == line + 1
        assert re.search(text, str(found[0].message))


def test_notes_are_asked_for(monkeypatch):
    monkeypatch.delenv("PYARRAY_WARN", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        define("def f(x, k):\n    return x + k\n", decorator=njit(cache=False))(np.uint64(1), 2)


def test_a_list_that_another_function_changes_is_of_unknown_sign():
    @njit
    def add(xs):
        xs.append(-5)

    @njit
    def f(x):
        xs = [1, 2]
        add(xs)
        return x + xs[-1]

    assert f(np.uint64(30)) == 25.0

    @njit
    def g(x):
        xs = [1, 2]
        ys = [xs]
        ys[0].append(-5)
        return x + xs[-1]

    assert g(np.uint64(30)) == 25.0


ALIASES = [
    "ys = [xs]\n    ys[0].append(-5)", "ys = (xs, 1)\n    ys[0].append(-5)", "p = Point(xs, 1)\n    p.a.append(-5)", "def g(*a):\n        a[0].append(-5)\n    g(xs)",
    "def g(**k):\n        k['a'].append(-5)\n    g(a=xs)", "ys = {1: xs}\n    ys[1].append(-5)", "def g():\n        xs.append(-5)\n    g()", "g = xs.append\n    g(-5)",
    "ys = [[1]]\n    list.append(ys, xs)\n    ys[1].append(-5)", "ys = xs if x > 1 else [3]\n    ys.append(-5)", "xs[len(xs):] = [-5]", "xs += [-5]", "xs.extend([-5])", "xs.insert(2, -5)",
    "h = Holder(xs)\n    h.xs.append(-5)", "def g():\n        return xs\n    g().append(-5)", "for ys in (xs, xs):\n        ys.append(-5)",
]  # fmt: skip


@jitclass([("xs", types.List(types.int64))])
class Holder:
    def __init__(self, xs):
        self.xs = xs


@pytest.mark.parametrize("change", ALIASES)
def test_a_list_with_two_names_is_of_unknown_sign(change):
    f = define(f"def f(x):\n    xs = [1, 2]\n    {change}\n    return x + xs[-1]\n", Point=Point, Holder=Holder)
    assert f(np.uint64(30)) == 25.0


SHARED = [
    "def g():\n        nonlocal n\n        n -= 5\n    g()", "def g(y):\n        nonlocal n\n        n = y\n    g(-5)",
    "def h():\n        def g():\n            nonlocal n\n            n = -5\n        g()\n    h()",
    "def g():\n        nonlocal n\n        n = -5\n        yield 1\n    sum(g())",
]  # fmt: skip


@pytest.mark.parametrize("change", SHARED)
def test_a_variable_that_a_nested_function_makes_negative_is_of_unknown_sign(change):
    f = define(f"def f(x):\n    n = 0\n    {change}\n    return x + n\n")
    assert f(np.uint64(30)) == 25.0


@pytest.mark.parametrize("last", ["-5", "x - 35"])
def test_a_variable_that_is_negative_at_last_is_of_unknown_sign(last):
    f = define(f"def f(x):\n    n = 0\n    g = lambda: x + n\n    n = {last}\n    return g()\n")
    assert f(np.uint64(30)) == (25.0 if last == "-5" else (60 - 35) % 2**64)


def test_lists_that_are_returned_together_may_be_changed_by_the_caller():
    @njit
    def pair():
        xs = []
        xs.append(1)
        return xs, 2

    @njit
    def f(x):
        xs, n = pair()
        xs.append(-5)
        return x + xs[-1], x + n

    assert f(np.uint64(30)) == (25.0, 32)


@pytest.mark.parametrize("order", [0, 1])
def test_what_a_loop_shows_later_counts_from_its_beginning(order):
    lines = ["        s = x % n\n", "        n = n - 1\n"]
    body = "".join(reversed(lines) if order else lines)
    f = define(f"def f(x):\n    n = 5\n    s = 0\n    for _ in range(2):\n{body}    return s, n\n")
    f(U64)
    assert f.nopython_signatures[-1].return_type == types.Tuple((types.int64, types.int64))
    n, s = 5, 0
    for _ in range(2):
        n, s = (n - 1, BIG % (n - 1)) if order else (n - 1, BIG % n)
    assert f(U64) == (s, n)


DIVISIONS = [
    (2**53 + 1, 10),
    (2**53 + 1, -10),
    (2**64 - 1, -3),
    (2**64 - 1, 2**62),
    (5, -(2**63)),
    (2**63, -(2**63)),
    (7, 7),
]


@pytest.mark.parametrize("a, b", DIVISIONS)
@pytest.mark.parametrize("kind", [np.int64, np.int32])
def test_division_of_unknown_sign(a, b, kind):
    if kind is np.int32 and abs(b) > 2**31:
        return
    f = define("def f(a, b):\n    return a % b, a // b, divmod(a, b)\n")
    assert f(np.uint64(a), kind(b)) == (a % b, a // b, divmod(a, b))
    result = f.nopython_signatures[-1].return_type
    assert str(result) == str(types.Tuple((types.int64, types.int64, types.Tuple((types.int64, types.int64)))))
    g = define("def g(a, b):\n    return b % a, b // a\n", "g")
    assert g(np.uint64(a), kind(b)) == ((b % a + 2**63) % 2**64 - 2**63, b // a)


def naturals(*numbers):
    return [np.uint64(n) for n in numbers]


CALLS = [
    (lambda n: math.isqrt(n), [[n] for n in naturals(0, 2**64 - 1, *(k * k + d for k in (2**31, 2**32 - 1, 3037000500) for d in (-1, 0, 1)))]),
    (lambda a, b: (math.gcd(a, b), math.gcd(a), math.gcd(b, a, 6)), [[U64, 6], [U64, -6], naturals(0, 0), [np.uint64(2**64 - 1), True]]),
    (lambda a, b: math.lcm(a, b), [[U64, 1], [np.uint64(6), -4], [U64, 0], naturals(2**32, 2**33)]),
    (lambda n, k: math.comb(n, k), [[U64, 1], naturals(67, 33), [np.uint64(5), 9], [U64, U64 - np.uint64(1)], [5, np.uint64(2)], [np.uint64(5), -1]]),
    (lambda n, k: math.perm(n, k), [[U64, 1], [np.uint64(20), 20], [5, np.uint64(9)], [U64, 0], [np.uint64(5), -1]]),
    (lambda n: (math.factorial(n), math.perm(n)), [naturals(20), naturals(0)]),
    (lambda a, b, m: pow(a, b, m), [naturals(2**64 - 1, 2**64 - 2, 2**64 - 59), [-7, U64, U64], [U64, U64, -1001], [3, -1, U64], [U64, 3, 0], [2, -1, np.uint64(4)]]),
    (lambda x: (math.floor(x), math.ceil(x), math.trunc(x), round(x)), [[U64], naturals(7)]),
    (lambda x, n: round(x, n), [[x, n] for x in naturals(BIG, 15, 25, 14999) for n in (0, 1, -1, -3, -18, -20, -100)]),
    (lambda x, n: (round(x, ndigits=n), round(number=x, ndigits=n), round(ndigits=n, number=x)), [[U64, -1], [np.uint64(25), -1]]),
    (lambda *a: (math.gcd(*a), pow(*a), round(*a[:2]), divmod(*a[::2])), [[U64, -1, 7]]),
    (lambda a, n: a**n, [[a, n] for a in (0, 1, -1) for n in naturals(BIG, BIG + 1)]),
]  # fmt: skip


@pytest.mark.parametrize("function, arguments", CALLS)
def test_functions_of_uint64(function, arguments):
    compiled = njit(function)
    for values in arguments:
        plain = [int(v) for v in values]
        try:
            expected = function(*plain)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                compiled(*values)
        else:
            assert compiled(*values) == expected


TOO_LARGE = [(math.factorial, [21]), (math.comb, [100, 50]), (math.lcm, [2**64 - 1, 2]), (math.perm, [BIG, 2])]


@pytest.mark.parametrize("function, arguments", TOO_LARGE)
def test_results_that_no_uint64_holds(function, arguments):
    with pytest.raises(OverflowError, match="the result does not fit in uint64"):
        njit(lambda *a: function(*a))(*naturals(*arguments))


def test_negative_exponents_of_uint64():
    with pytest.raises(ValueError, match="negative integer powers"):
        njit(lambda a, n: a**n)(np.uint64(3), -1)


def test_division_by_zero():
    f = define("def f(a, b):\n    return a % b\n")
    with pytest.raises(ZeroDivisionError):
        f(np.uint64(1), 0)
    for text in ("a % b", "a // b"):
        g = define(f"def g(a, b):\n    return {text}\n", "g", njit(error_model="numpy"))
        assert g(np.uint64(1), 0) == 0


PAIRS = [(2**63, -(2**63)), (2**53 + 1, 2**53), (2**64 - 1, -1), (0, 0), (2**63 - 1, 2**63 - 1)]


@pytest.mark.parametrize("a, b", PAIRS)
def test_comparisons_are_exact(a, b):
    f = define(
        "def f(a, b):\n    return a < b, a <= b, a == b, a != b, a > b, a >= b, b < a, b == a, max(a, b), min(a, b), a in [b], a in {b}, b in [a]\n"
    )
    expected = eval(
        "lambda a, b: (a < b, a <= b, a == b, a != b, a > b, a >= b, b < a, b == a, max(a, b), min(a, b), a in [b], a in {b}, b in [a])"
    )
    assert f(np.uint64(a), b) == expected(a, b)
