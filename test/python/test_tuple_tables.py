"""Long tuples of one type: found by index in memory, and gone over without a copy of the loop for each element."""


import numpy as np
import pytest
from compare import agrees, define
from pyarray import njit

pytestmark = pytest.mark.real
NUMBERS = tuple((i * 7919) % 1000 for i in range(300))
SMALL = tuple(np.int8(i - 9) for i in range(20))
FLAGS = tuple(i % 3 == 0 for i in range(40))
WORDS = tuple(f"\u20ac{i}" for i in range(30))
ROWS = tuple((i, i / 2, str(i), i % 2 == 0) for i in range(30))
COMPLEX = tuple(complex(i, -i) for i in range(12))
NOTHING = (None,) * 12


@pytest.mark.parametrize("i", [0, 11, -1, -12, 29, -30, 30, -31, 1000, -(2**63)])
def test_by_index(i):
    def f(i):
        return WORDS[i], ROWS[i], NUMBERS[i], FLAGS[i], COMPLEX[i % 12], int(SMALL[i % 20]), NOTHING[i % 12]

    agrees(f, i)


def test_nested_loops():
    def f(n):
        total, texts = 0, []
        for a in NUMBERS:
            for b in NUMBERS:
                total += a - b + n if a > b else 0
        for number, half, text, even in ROWS:
            for other, _, last, odd in ROWS:
                if even and not odd and number < other and half > 3:
                    texts.append(text + last)
        for x in NOTHING:
            for y in NOTHING:
                total += x is y
        return total, texts

    agrees(f, 3)


def test_loops_that_are_left_and_exceptions():
    def f(n):
        out = [0]
        for x in NUMBERS:
            for y in NUMBERS:
                if y > x:
                    break
                try:
                    if x == n and y == 7:
                        raise ValueError(x, y)
                    if x + y > 1990:
                        raise KeyError(x)
                except KeyError:
                    out.append(y)
                finally:
                    out[0] += 1
        return out

    agrees(f, 5)
    agrees(f, 500)


@pytest.mark.parametrize(
    "t",
    [tuple(range(9)), tuple(i / 3 for i in range(100)), tuple(str(i) * 2 for i in range(50)), ROWS, (True, False) * 6],
    ids=["ints", "floats", "texts", "rows", "flags"],
)
def test_arguments(t):
    def f(t):
        larger, largest = 0, t[0]
        for x in t:
            for y in t:
                larger += y > x
                if y > largest:
                    largest = y
        return larger, largest, t[larger % len(t)], [x for x in t if x != largest], list(t), max(t), x

    agrees(f, t)


def test_arrays_and_lists_in_them():
    def f(arrays, lists, n):
        total = 0.0
        taken = lists[n]
        taken.append(7)
        for x in arrays:
            for y in arrays:
                x[0] += 1
                for z in arrays:
                    total += y[-1] * x[0] - z[0]
        for p in lists:
            for q in lists:
                if p[0] == q[0]:
                    p.append(len(q))
        return float(total), float(arrays[n][0]), lists, taken

    agrees(f, tuple(np.arange(i + 1.0) for i in range(12)), tuple([i] for i in range(20)), 3)


def test_values_of_a_loop_in_a_generator_and_in_a_closure():
    def f(n):
        def pairs(*values):
            for x in values:
                for y in values:
                    yield x * y + n

        out = [0]
        for k in range(20):
            t = (k, n, k + n, 3, 4, 5, 6, 7, 8, 9, n - 1, k)
            out.append(t[k * 5 % 12])
            out.append(sum(pairs(*t)))
        kept = [pairs(*t), pairs(*t[:11], n)]
        return out, next(kept[0]), next(kept[1]), max(kept[0]), sum(kept[0]) + sum(kept[1])

    agrees(f, 5)


def test_nested_loops_over_long_tuples_are_loops():
    @njit(cache=False)
    def f(n):
        total = 0
        for a in NUMBERS[:100]:
            for b in NUMBERS[:100]:
                for c in NUMBERS[100:160]:
                    total += a * b - c * n
        return total

    assert f(2) == f.py_func(2)
    (code,) = f.inspect_llvm().values()
    assert code.count("\n") < 2000  # copies of the innermost body would be 600000


def test_containers_made_of_them():
    def f():
        texts = ["first"]
        texts.extend(WORDS)
        return texts, list(NUMBERS), set(NUMBERS) == set(list(NUMBERS)), dict.fromkeys(WORDS, 1), sorted(NUMBERS)[:3]

    agrees(f)


def test_displays_of_constants():
    def f(n):
        ints = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
        floats = [0.5, 1.0, 2.0, 3.0, 4.0, -0.0, 6.0, 7.25, 8.0, 9.0]
        flags = [True, False, True, True, False, True, False, False, True, True]
        rows = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1], [n]]
        for k in range(3):
            fresh = [0, 0, 0, 0, 0, 0, 0, 0, 0]
            fresh[k] += n
            rows.append(fresh)
        ints.append(n)
        return ints, floats, flags, rows, [0, 1, 2, 3, 4, 5, 6, 7, n]

    agrees(f, 7)


def test_a_long_display_is_copied_at_once():
    source = "def f(n):\n    items = [" + ", ".join(str(i * 7 % 1001) for i in range(5000)) + "]\n    return items[n]\n"
    f = define(source)
    assert f(4321) == 4321 * 7 % 1001
    (code,) = f.inspect_llvm().values()
    assert code.count(" store ") < 100  # each item were one
