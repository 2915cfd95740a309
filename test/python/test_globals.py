"""Global and free variables of every type in compiled code against CPython: frozen when the function is compiled."""

import collections
import enum
import gc
import os
import subprocess
import sys

import numpy as np
import pytest
from compare import agrees, define
from pyarray import njit, prange
from pyarray._pyarray import allocation_counts
from pyarray.errors import TypingError

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    GREEN = 2


NUMBERS = [3, 1, 2]
PRICES = {"a": 1.5, "b": 2.5}
PRIMES = {2, 3, 5}
EVENS = frozenset({2, 4})
ROWS = [[1, 2], [3]]
POINTS = [Point(1, 2), Point(3, 4)]
BY_COLOR = {Color.RED: [1, 2], Color.GREEN: [3]}
WORDS = ["x", "yéé", "\U0001f600"]
OPTIONAL = [1.5, None, 2.5]
MIXED = ([1, 2], {"k": (1, 2.5)}, range(3), b"bytes", None)
NESTED = {"a": {"b": [1, 2, 3]}}
KEYED = {(1, "a"): {1}, (2, "b"): {2, 3}}
COMPLEX = [1j, 2 + 3j]
FLAGS = [True, False]
DTYPE = np.dtype("f4")


def numbers():
    return (
        NUMBERS[1],
        NUMBERS[-1],
        len(NUMBERS),
        sum(NUMBERS),
        2 in NUMBERS,
        NUMBERS.index(2),
        NUMBERS.count(9),
        NUMBERS,
    )


def makes_new_lists():
    return (
        NUMBERS + [4],
        [0] + NUMBERS,
        NUMBERS * 2,
        NUMBERS[::-1],
        [x * 2 for x in NUMBERS],
        sorted(NUMBERS),
        list(NUMBERS),
    )


def changes_copies():
    copy = NUMBERS.copy()
    copy.append(5)
    other = list(NUMBERS)
    other[0] = 9
    third = NUMBERS[:]
    third.sort()
    return copy, other, third, NUMBERS


def prices(key):
    return (
        PRICES[key],
        key in PRICES,
        PRICES.get("z", 0.5),
        len(PRICES),
        list(PRICES.items()),
        list(PRICES),
        max(PRICES.values()),
        PRICES,
    )


def sets():
    return 2 in PRIMES, len(PRIMES), PRIMES | {9}, PRIMES & {2, 7}, 4 in EVENS, len(EVENS), PRIMES


def nested():
    return (
        ROWS[0][1],
        [len(row) for row in ROWS],
        NESTED["a"]["b"][2],
        KEYED[(2, "b")],
        MIXED[0][1],
        MIXED[1]["k"],
        MIXED,
    )


def named():
    return POINTS[1].x, POINTS, BY_COLOR[Color.RED][1], [p.y for p in POINTS], BY_COLOR


def texts():
    return WORDS[1] + WORDS[2], ",".join(WORDS), repr(NUMBERS), str(PRICES), f"{WORDS} {POINTS}", WORDS


def kinds():
    return (
        isinstance(NUMBERS, list),
        bool(NUMBERS),
        not PRIMES,
        NUMBERS == [3, 1, 2],
        NUMBERS < [4],
        type(PRICES) is dict,
    )


def loops():
    total = 0.0
    for i, x in enumerate(NUMBERS):
        total += i * x
    for _key, value in PRICES.items():
        total += value
    for x, row in zip(NUMBERS, ROWS):
        total += x * len(row)
    for x in PRIMES:
        total += x
    first, *rest = NUMBERS
    a, b, c = NUMBERS
    return total, first, rest, a + b * c, any(FLAGS), all(FLAGS), COMPLEX[1] * 2


def optional_items():
    return OPTIONAL[1] is None, OPTIONAL[0], OPTIONAL


@njit
def item(xs, i):
    return xs[i] + len(xs)


def passed_on():
    return item(NUMBERS, 1), [NUMBERS, NUMBERS][1][0], (NUMBERS, 1)[0][2]


def arrays():
    return np.zeros(2, DTYPE)


CASES = [
    numbers,
    makes_new_lists,
    changes_copies,
    sets,
    nested,
    named,
    texts,
    kinds,
    loops,
    optional_items,
    passed_on,
    arrays,
]


@pytest.mark.parametrize("function", CASES)
def test_as_cpython(function):
    compiled = njit(function)
    compiled()  # makes the objects that it keeps
    agrees(compiled)


def test_keys():
    compiled = njit(prices)
    compiled("a")
    agrees(compiled, "a")
    agrees(compiled, "z")


def test_results_are_copies():
    f = njit(lambda: NUMBERS)
    f().append(7)
    assert f() == [3, 1, 2] and NUMBERS == [3, 1, 2]


def test_frozen_when_compiled():
    table = [1, 2, 3]
    f = define("def f():\n    return sum(table)\n", table=table)
    assert f() == 6
    table.append(4)
    assert f() == 6
    f.recompile()
    assert f() == 10


def test_free_variables():
    def make(table, names):
        @njit
        def f(i):
            return table[i], names["k"]

        return f

    assert make([1, 2], {"k": "x"})(1) == (2, "x")
    assert make([1.5], {"k": 2})(0) == (1.5, 2)


def test_threads():
    table = list(range(100))

    @njit(parallel=True)
    def f(n):
        total = 0
        for i in prange(n):
            total += table[i % 100]
        return total

    assert f(10000) == 100 * sum(table)


def test_unloading_frees_them():
    def balance():
        gc.collect()
        allocated, freed = allocation_counts()[:2]
        return allocated - freed

    before = balance()
    f = define("def f():\n    return table[0][0], words['a']\n", table=[[1, 2], [3]], words={"a": "text"})
    assert f() == (1, "text")
    assert balance() > before
    del f
    assert balance() == before


def test_huge_list_and_dict():
    numbers, table = list(range(1_000_000)), {i: i * 0.5 for i in range(100_000)}
    f = define("def f(i):\n    return numbers[i] + len(numbers) + table[i]\n", numbers=numbers, table=table)
    assert f(77) == 77 + 1_000_000 + 38.5
    (code,) = f.inspect_llvm().values()
    assert code.count("\n") < 1000  # no instruction is of one item


def test_contents_are_in_the_cache_key(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nfrom pyarray import njit\nL, D = [int(sys.argv[1])], {'k': [int(sys.argv[1]), 5]}\n"
        "@njit\ndef f():\n    return L[0] * 10 + D['k'][0]\nprint(f())\n"
    )
    env = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    for value in (1, 2, 1):
        done = subprocess.run(
            [sys.executable, program, str(value)], capture_output=True, text=True, check=True, env=env
        )
        assert done.stdout == f"{11 * value}\n"


CHANGES = [
    "NUMBERS.append(1)",
    "NUMBERS.sort()",
    "NUMBERS[0] = 1",
    "NUMBERS[:] = [1]",
    "del NUMBERS[0]",
    "PRICES['a'] = 1.0",
    "PRICES.pop('a')",
    "PRIMES.add(7)",
    "ROWS[0].append(1)",
    "for row in ROWS: row[0] = 1",
    "BY_COLOR[Color.RED][0] = 1",
    "MIXED[0].clear()",
    "xs = NUMBERS; xs += [1]",
    "change(NUMBERS)",
    "[NUMBERS][0].pop()",
]


@njit
def change(xs):
    xs.append(1)


@pytest.mark.parametrize("statement", CHANGES)
def test_changes_are_refused(statement):
    f = define(
        f"def f():\n    {statement}\n",
        **{name: value for name, value in globals().items() if name.isupper() or name in ("Color", "change")},
    )
    with pytest.raises(TypingError, match="cannot be changed: compiled code has its contents") as raised:
        f()
    assert "hint: pass it as an argument" in str(raised.value).lower().replace("\n", " ")


@pytest.mark.parametrize(
    "value, message",
    [
        ([], "the items of an empty list have no type"),
        ([1, "a"], "must have one type"),
        ({}, "the keys and values of an empty dict have no type"),
        ([np.arange(3)], "that holds arrays or instances"),
        ([object()], "annot determine the type"),
        ([2**70], "too large"),
    ],
)
def test_refusals(value, message):
    f = define("def f():\n    return len(table)\n", table=value)
    with pytest.raises(TypingError, match="the global or free variable 'table' is a") as raised:
        f()
    assert message in str(raised.value)


def test_joins_are_refused():
    f = define("def f(c):\n    return NUMBERS if c else [1]\n", NUMBERS=NUMBERS)
    with pytest.raises(TypingError, match=r"cannot unify frozen ListType\[int64\] and ListType\[int64\]"):
        f(True)
