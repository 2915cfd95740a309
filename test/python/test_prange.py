"""Loops over prange on several threads: the same as the plain function, in which prange is range."""

import contextlib
import io
import math
import threading
import traceback

import numpy as np
import pyarray
import pytest
from compare import arrays_alive, assert_same, define
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import (
    TypingError,
    config,
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    njit,
    parallel_chunksize,
    pndindex,
    prange,
    set_num_threads,
    set_parallel_chunksize,
    vectorize,
)

pytestmark = pytest.mark.real
parallel = njit(parallel=True)
checked = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def many_parts():
    """Loops of a few iterations are cut into parts too."""
    set_parallel_chunksize(3)
    yield
    set_parallel_chunksize(0)
    set_num_threads(config.NUM_THREADS)


def loop(body, start="s = 0", result="s", over="prange(len(a))", decorator=parallel, parameters="a", **names):
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    source = f"def f({parameters}):\n    {start}\n    for i in {over}:\n{lines}\n    return {result}\n"
    return define(source, decorator=decorator, prange=prange, **names)


def serial_reasons(f):
    """Text of the report for loops that run in order."""
    (text,) = f.inspect_parallel().values()
    return [line.split("runs in order: ")[1] for line in text.splitlines() if "runs in order: " in line]


def is_parallel(f):
    (text,) = f.inspect_parallel().values()
    return "runs on several threads" in text


#  Reductions

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
KINDS = {
    "add": ("s += a[i]", "s = 5"),
    "subtract": ("s -= a[i]", "s = 5"),
    "reversed add": ("s = a[i] + s", "s = 5"),
    "multiply": ("s *= a[i]", "s = 3"),
    "min": ("s = min(s, a[i])", "s = 90"),
    "max": ("s = max(s, a[i])", "s = -90"),
    "and": ("s &= a[i]", "s = 127"),
    "or": ("s |= a[i]", "s = 1"),
    "xor": ("s ^= a[i]", "s = 9"),
}


@pytest.mark.parametrize("kind", KINDS)
@checked
@given(values=st.lists(st.integers(-100, 100), max_size=40))
def test_reduction_of_int64(kind, values):
    f = _reduction(kind)
    a = np.array(values, np.int64)
    with np.errstate(all="ignore"):
        assert f(a) == f.py_func(a)
    assert is_parallel(f)


_reductions = {}


def _reduction(kind, start=None):
    if (kind, start) not in _reductions:
        body, default = KINDS[kind]
        _reductions[kind, start] = loop(body, start or default)
    return _reductions[kind, start]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("kind", KINDS)
def test_reduction_of_integers_of_any_type(kind, dtype):
    """Sums of narrow integers have 64 bits in compiled code: so the same loop compiled in order is the oracle."""
    f, ordered = (loop(KINDS[kind][0], start=f"s = np.{dtype}(7)", decorator=d) for d in (parallel, njit))
    a = np.arange(1, 40).astype(dtype)
    assert f(a) == ordered(a) and f(a[:0]) == 7
    assert is_parallel(f)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["add", "subtract", "reversed add", "multiply", "min", "max"])
def test_reduction_of_floats(kind, dtype):
    f = loop(KINDS[kind][0], start=f"s = np.{dtype}(3)")
    a = np.linspace(0.9, 1.1, 101).astype(dtype)
    assert math.isclose(f(a), f.py_func(a), rel_tol=1e-4 if dtype == "float32" else 1e-12)
    assert is_parallel(f)


def test_sums_are_added_in_vectors_and_repeat():
    set_parallel_chunksize(0)
    f = loop("s += a[i] * a[i]", start="s = 0.0")
    a = np.random.default_rng(5).random(100_003)
    results = {f(a) for _ in range(20)}
    assert len(results) == 1 and math.isclose(results.pop(), math.fsum(a * a), rel_tol=1e-13)
    (assembly,) = f.inspect_asm().values()
    assert "addpd" in assembly


def test_iterations_of_unequal_times_repeat():
    body = "for j in range(i):\n    if a[j] > 0.5: s -= a[j]\n    else: s += a[i]"
    set_parallel_chunksize(0)
    f = loop(body, start="s = np.float32(1)")
    a = np.random.default_rng(5).random(2000, np.float32)
    results = {f(a) for _ in range(20)}
    assert len(results) == 1 and is_parallel(f)
    exact = loop(body, start="s = 1.0").py_func(a[:400].astype(float))
    assert math.isclose(f(a[:400]), exact, rel_tol=1e-4)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_reduction_of_complex_numbers(dtype):
    a = (np.exp(1j * np.arange(50)) * 1.01).astype(dtype)
    for body in ("s += a[i]", "s -= a[i]", "s *= a[i]"):
        f = loop(body, start=f"s = np.{dtype}(1 + 2j)")
        assert np.isclose(f(a), f.py_func(a), rtol=1e-4) and is_parallel(f)


def test_division_is_a_product_of_divisors():
    f = loop("s /= a[i]", "s = 8.0")
    a = np.full(20, 2.0)
    assert f(a) == 8.0 / 2.0**20 and is_parallel(f)
    a[7] = 0.0
    with pytest.raises(ZeroDivisionError, match="^float division by zero$"):
        f(a)


@pytest.mark.parametrize("operator", ["&=", "|=", "^="])
@pytest.mark.parametrize("start", [True, False])
def test_reduction_of_bools(operator, start):
    f = loop(f"s {operator} a[i] > 0", f"s = {start}")
    for values in ([], [1] * 20, [0] * 20, [1] * 10 + [0] + [1] * 10):
        assert_same(f, np.array(values, np.int64))
    assert is_parallel(f)


def test_signed_zeros_are_those_of_the_serial_loop():
    f = loop("s += a[i]", "s = -0.0")
    assert math.copysign(1, f(np.full(20, -0.0))) == -1
    assert math.copysign(1, f(np.zeros(20))) == 1


def test_minimum_of_values_with_nan():
    f = loop("s = min(s, a[i])", "s = 5.0")
    a = np.arange(20.0)
    a[[0, 7]] = np.nan
    assert_same(f, a)
    assert_same(loop("s = max(s, a[i])", "s = math.nan"), a)


EXTREMES = [
    "if a[i] > s: s = a[i]",
    "if a[i] >= s: s = a[i]",
    "if a[i] < s: s = a[i]",
    "if a[i] <= s: s = a[i]",
    "if s < a[i]: s = a[i]",
    "if s > a[i]: s = a[i]",
    "x = a[i]\nif i % 2 and not x < s:\n    pass\nelif x < s:\n    s = x",
    "s = a[i] if a[i] > s else s",
    "s = s if s > a[i] else a[i]",
    "for j in range(3):\n    if a[i] + j < s: s = a[i] + j",
    "s = max(s, a[i])\nif a[i] > s: s = a[i]",
]


@pytest.mark.parametrize("body", EXTREMES)
@pytest.mark.parametrize("dtype", ["float64", "int64", "uint8"])
def test_extreme_by_comparison(body, dtype):
    f = loop(body, "s = a[7]")
    for seed in range(3):
        assert_same(f, np.random.default_rng(seed).integers(0, 200, 60).astype(dtype))
    if "elif" not in body:
        assert is_parallel(f)


@pytest.mark.parametrize("body", EXTREMES[:6])
@pytest.mark.parametrize("start", [0.0, -math.inf, math.inf, math.nan])
def test_extreme_by_comparison_passes_over_nan(body, start):
    f = loop(body, parameters="a, s", start="pass")
    a = np.array([3.0, math.nan, 5.0, -7.0, math.nan, 2.0] * 7)
    assert_same(f, a, start)
    assert is_parallel(f)


@pytest.mark.parametrize("body", ["if a[i] > s: s = a[i]; o = i", "if s > a[i]:\n    o = i\n    s = a[i]"])
def test_place_of_an_extreme_is_found_in_order(body):
    f = loop(body, "s = 5; o = -1", "s, o")
    assert_same(f, np.random.default_rng(0).integers(-99, 99, 200))
    (reason,) = serial_reasons(f)
    assert reason.startswith("other variables are set where 's' gets a new value, as in a search for the place")


# Arrays that a loop reduces


ARRAY_KINDS = {
    "add": "h[b[i]] += w[i]",
    "subtract": "h[b[i]] -= w[i]",
    "written out": "h[b[i]] = w[i] + h[b[i]]",
    "two": "h[b[i]] += w[i]\nh[b[i] - 1] -= 2 * w[i]",
    "multiply": "h[b[i]] *= w[i]",
    "min": "h[b[i]] = min(h[b[i]], w[i])",
    "max": "h[b[i]] = max(w[i], h[b[i]])",
    "bits": "h[b[i]] ^= w[i]",
    "inner loop": "for k in range(len(h)):\n    h[k] += w[i] * k",
    "shape": "h[b[i] % h.shape[0]] += w[i]",
    "conditional": "if w[i] > 3: h[b[i]] += 1",
}
LARGE = 40_000  # so that copies pay


def reduced(f):
    (found,) = {"each thread reduces in a copy" in text for text in f.inspect_parallel().values()}
    return found


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("kind", ARRAY_KINDS)
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64"])
def test_array_reduction(kind, dtype, threads):
    if kind == "bits" and dtype == "float64":
        pytest.skip("floats have no bits")
    f = loop(ARRAY_KINDS[kind], "pass", "h", over="prange(len(b))", parameters="b, w, h")
    rng = np.random.default_rng(1)
    b, w = rng.integers(0, 30, LARGE), rng.integers(1, 9, LARGE).astype(dtype)
    if kind == "multiply":
        w[5:] = 1
    set_num_threads(min(threads, config.NUM_THREADS))
    # The serial loop, compiled: integers wrap there too.
    serial = define_serial(f)
    for start in (np.full(30, 3, dtype), np.full(60, 2, dtype)[::-2]):
        wanted, got = start.copy(), start.copy()
        serial(b, w, wanted)
        f(b, w, got)
        np.testing.assert_array_equal(wanted, got)
    assert reduced(f)


def define_serial(f):
    return njit(f.py_func)


@pytest.mark.parametrize("order", "CFA")
def test_array_reduction_of_two_dimensions(order):
    f = loop("h[b[i], 1, c[i]] += 1 + 2j", "pass", "h", over="prange(len(b))", parameters="b, c, h")
    rng = np.random.default_rng(2)
    b, c = rng.integers(0, 6, LARGE), rng.integers(0, 5, LARGE)
    h = np.ones((6, 3, 5), complex, order=order) if order != "A" else np.ones((12, 6, 5), complex)[::2, ::2]
    f(b, c, h)
    wanted = np.ones((6, 3, 5), complex)
    np.add.at(wanted, (b, 1, c), 1 + 2j)
    np.testing.assert_array_equal(h, wanted)
    assert reduced(f)


def test_array_reduction_of_bools_and_of_no_dimensions():
    f = loop("h[b[i]] |= w[i]\nz[()] += 1", "pass", "h", over="prange(len(b))", parameters="b, w, h, z")
    b, w = np.arange(LARGE) % 20, np.arange(LARGE) % 7 == 3
    w[b == 5] = False
    h, z = np.zeros(20, bool), np.array(3)
    f(b, w, h, z)
    np.testing.assert_array_equal(h, np.arange(20) != 5)
    assert z == 3 + LARGE and reduced(f)


def test_array_reduction_beside_a_number():
    f = loop("h[b[i]] += 1\ns += b[i]", "s = 1", "s", over="prange(len(b))", parameters="b, h")
    b, h = np.arange(LARGE) % 10, np.zeros(10, np.int64)
    assert f(b, h) == 1 + b.sum()
    assert (h == LARGE // 10).all() and reduced(f)


@vectorize(["float64(float64, float64)"])
def plus(x, y):
    return x + y


@vectorize(["float64(float64, float64)"])
def average(x, y):
    return (x + y) / 2


def test_array_reduction_by_a_ufunc():
    rows = np.random.default_rng(0).integers(0, 9, (20_000, 7)).astype(float)
    f = loop("plus(rows[i], h, h)", "pass", "h", over="prange(len(rows))", parameters="rows, h", plus=plus)
    for h in (np.ones(7), np.ones((7, 3))[:, 1], np.ones((3, 7))):
        np.testing.assert_array_equal(f(rows, h.copy()), h + rows.sum(axis=0))
    assert reduced(f)
    # No reduction: another operation, an array that is not read as a whole.
    for body in ("average(h, rows[i], h)", "plus(h[::-1], rows[i], h)", "plus(h, h, h)"):
        g = loop(body, "pass", "h", over="prange(1)", parameters="rows, h", plus=plus, average=average)
        assert_same(g, rows, np.ones(7))
        assert not reduced(g)


def test_array_of_the_function_is_reduced_and_freed():
    body = "h[b[i]] += 1\nif i == n: raise ValueError('here')"
    f = loop(body, "h = np.zeros(50)", "h", over="prange(len(b))", parameters="b, n")
    alive = arrays_alive()
    b = np.arange(LARGE) % 50
    assert (f(b, -1) == LARGE // 50).all()
    for _ in range(3):
        with pytest.raises(ValueError, match="here"):
            f(b, LARGE // 2)
        with pytest.raises(IndexError):
            f(np.where(np.arange(LARGE) == 777, 50, b), -1)
    assert arrays_alive() == alive


@pytest.mark.parametrize("body", [
    "h[i] += 1",
    "h[2 * i + 1 - i] += 1",
    "for k in range(i, i + 2): h[k] += 1",
    "h[get_thread_id()] += 1",
    "h[b[i]] += h[0]",
    "h[b[i]] += 1\nh[b[i]] *= 2",
    "h[b[i]] = 1 - h[b[i]]",
    "h[b[i]] /= b[i]",
    "h[b[i]:] = 1",
    "h[b[i]] += 1\nx = h[1:]\nx[0] = 3",
])  # fmt: skip
def test_what_is_no_array_reduction(body):
    f = loop(body, "pass", "h", over="prange(len(b) - 1)", parameters="b, h", get_thread_id=get_thread_id)
    f(np.arange(1, 9), np.zeros(20, np.int64))
    assert not reduced(f) and is_parallel(f)


def test_copies_that_do_not_pay_are_not_made():
    f = loop("h[b[i]] += 1", "pass", "h", over="prange(len(b))", parameters="b, h")
    h = np.zeros(5_000_000)
    before = arrays_alive()
    f(np.arange(100) * 7, h)
    assert h.sum() == 100 and (h[np.arange(100) * 7] == 1).all() and arrays_alive() == before


def test_several_reductions_at_once():
    body = "s += a[i]\np *= 2\nm = max(m, a[i])\nk = i\nx ^= i"
    f = loop(body, "s, p, m, k, x = 0.5, 1, -1.0, -7, 3", "s, p, m, k, x")
    assert_same(f, np.arange(30.0))
    assert_same(f, np.empty(0))
    assert is_parallel(f)


def test_conditional_updates():
    f = loop("if a[i] > 10:\n    s += 1\nelif a[i] > 5:\n    s += 10\nelse:\n    continue\ns -= 3")
    assert_same(f, np.arange(30))
    assert is_parallel(f)


def test_reduction_in_nested_loops():
    f = loop("for j in range(i % 5):\n    for k in range(j):\n        s += a[i] * k\n    s += 1")
    assert_same(f, np.arange(40))
    assert is_parallel(f)


def test_reduction_in_while_loops():
    body = "k = i\nwhile k > 0:\n    s += k\n    if k == 3:\n        k -= 2\n    k -= 1"
    f = loop(body)
    assert_same(f, np.arange(40))
    assert is_parallel(f)


def test_break_and_continue_in_an_inner_loop():
    f = loop("for j in range(10):\n    if j > a[i]: break\n    if j % 2: continue\n    s += j")
    assert_same(f, np.arange(40) % 13)
    assert is_parallel(f)


#  What is no reduction runs in order


@pytest.mark.parametrize("body", [
    "s = a[i] - s",
    "s = a[i] / s",
    "s = s + s",
    "s = 2 * s + a[i]",
    "s += a[i]; o = s",
    "s += a[i] * o; o = s",
    "s, o = o, s + 1",
    "s, o = o + 1, s + 1",
    "s += a[i]\nif s > 50: o += 1",
    "s += a[i]\na[i] = s",
    "s += 1\nif a[i] > 9: s = 0.0",
    "s = max(s, a[i]) + 1",
    "if a[i] > s: s = a[i] + 1",
    "if a[i] > s + 1: s = a[i]",
    "x = a[i]\na[i] = 0\nif float(x) > s: s = float(a[i])",
    "b = a[i] > s\nif b: s = a[i]\nif b: o = 1.0",
    "if a[i] != s: s = a[i]",
    "for j in range(3):\n    o = s\n    s += 1",
    "k = 0\nwhile k < 3:\n    k += 1\n    s, o = o, s + k",
    "k = 0\nwhile s < 9 * i:\n    s += 1",
])  # fmt: skip
def test_other_dependences_run_in_order(body):
    f = loop(body, "s = 1.0; o = 2.0", "s, o")
    assert_same(f, np.arange(1.0, 40.0))
    assert serial_reasons(f) and "is carried from one iteration to the next" in serial_reasons(f)[0]


def test_array_variable_that_is_carried():
    f = loop("t = np.full(2, a[i])", "t = np.zeros(2)", "t[0]")
    assert_same(f, np.arange(30.0))
    assert serial_reasons(f) == ["'t' is carried from one iteration to the next, and is no reduction"]


@pytest.mark.parametrize("body", ["if a[i] > 7: break\ns += 1", "if a[i] > 7: return -s\ns += 1"])
def test_loop_that_may_be_left_runs_in_order(body):
    f = loop(body)
    for n in (0, 5, 30):
        assert_same(f, np.arange(n))
    assert serial_reasons(f)[0].startswith("'break' or 'return' may leave it")


#  Ranges


@checked
@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(-5, 5), st.integers(0, 4))
def test_start_stop_step(start, stop, step, chunk):
    set_parallel_chunksize(chunk)
    assert_same(_steps, start, stop, step)


_steps = loop("s += i * i; k = i; n += 1", "s = 0; k = -99; n = 0", "s, k, n", "prange(b, e, d)", parameters="b, e, d")
MOST = 2**63 - 1


@pytest.mark.parametrize(
    "b, e, d", [(MOST - 5, MOST, 3), (-MOST, -MOST + 7, 2), (-MOST - 1, MOST, MOST), (5, -MOST, -MOST)]
)
def test_ranges_at_the_ends_of_int64(b, e, d):
    f = loop("s ^= i; n += 1", "s = 0; n = 0", "s, n", "prange(b, e, d)", parameters="b, e, d")
    assert_same(f, b, e, d)


@pytest.mark.parametrize("n", [0, -1, -(2**63)])
def test_no_iterations_keep_what_was_there(n):
    f = loop("s += 1; k = i", "s = 7; k = 1.5", "s, k", "prange(n)", parameters="n")
    assert f(n) == (7, 1.5)


def test_variable_that_no_iteration_set():
    f = loop("t = i * 2", "pass", "t", "prange(n)", parameters="n")
    assert f(20) == 38
    with pytest.raises(UnboundLocalError):
        f(0)


#  Arrays


def test_arrays_written_by_index():
    f = loop("o[i] = a[i] * 2 + i", "o = np.empty(len(a))", "o")
    for a in (np.arange(50.0), np.arange(100.0)[::-2], np.empty(0)):
        assert_same(f, a)


def test_rows_and_columns():
    source = """
def f(a, o):
    n, m = a.shape
    for i in prange(n):
        for j in prange(m):
            o[i, j] = a[i, j] + i * j
"""
    f = define(source, decorator=parallel, prange=prange)
    assert_same(f, np.ones((17, 5)), np.zeros((17, 5)))
    assert_same(f, np.ones((17, 5), order="F"), np.zeros((5, 17)).T)
    (text,) = list(f.inspect_parallel().values())[:1]
    assert "within each iteration of the parallel loop in line 4" in text


def test_neighbours():
    f = loop("if 0 < i < len(a) - 1:\n    o[i] = a[i - 1] + a[i + 1]", "o = np.zeros(len(a))", "o")
    for n in range(6):
        assert_same(f, np.arange(float(n)))


def test_arrays_of_an_iteration():
    f = loop("t = np.full(i + 1, a[i])\nu = t[1:]\nfor j in range(len(u)):\n    s += u[j]", "s = 0.0")
    before = arrays_alive()
    a = np.arange(40.0)
    for _ in range(20):
        assert f(a) == f.py_func(a)
    assert arrays_alive() == before and is_parallel(f)


def test_random_numbers():
    f = loop("s += np.random.random()", "s = 0.0", over="prange(n)", parameters="n")
    assert 400 < f(1000) < 600


#  Errors


def test_branch_that_raises_is_no_obstacle():
    f = loop("if a[i] > 5:\n    s += 1\nelif a[i] < 0:\n    raise ValueError('negative')\nelse:\n    s += 2", "s = 0.0")
    assert_same(f, np.arange(30.0))
    assert_same(f, np.arange(30.0) - 3)
    assert is_parallel(f)


def test_error_of_the_first_failing_iteration():
    f = loop("t = np.zeros(3)\nif a[i] < 0: raise ValueError('bad')\ns += t[0]", "s = 0.0")
    for bad in ([5], [39], [0], [11, 12, 37], range(40)):
        a = np.ones(40, np.int64)
        a[list(bad)] = [-1 - k for k in bad]
        for chunk in (0, 1, 7):
            set_parallel_chunksize(chunk)
            for _ in range(5):
                assert_same(f, a)


@pytest.mark.parametrize("body, error", [
    ("s += b[i + a[i]]", IndexError),
    ("s += 1 / (a[i] - 3)", ZeroDivisionError),
    ("s += math.sqrt(3 - a[i])", ValueError),
])  # fmt: skip
def test_errors_of_operations(body, error):
    f = loop(body, "b = np.ones(10); s = 0.0", decorator=njit(parallel=True, error_model="strict"))
    a = np.arange(40)
    with pytest.raises(error) as caught:
        f(a)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 4


def test_error_from_a_called_function():
    g = define("def g(x):\n    if x > 20: raise KeyError('no')\n    return x", "g", decorator=njit(inline="never"))
    source = "def f(n):\n    s = 0\n    for i in prange(n):\n        s += g(i)\n    return s"
    f = define(source, decorator=parallel, prange=prange, g=g)
    before = arrays_alive()
    with pytest.raises(KeyError) as caught:
        f(60)
    assert caught.value.args == ("no",) and arrays_alive() == before
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][-2:] == ["f", "g"]
    assert f(10) == 45


#  Threads


def _sums():
    return loop("s += a[i]\nm = max(m, a[i])", "s = 0; m = -1", "s, m")


def test_any_number_of_threads():
    f, a = _sums(), np.arange(1000)
    for threads in range(1, config.NUM_THREADS + 1):
        for chunk in (0, 1, 10, 10**6):
            set_num_threads(threads)
            set_parallel_chunksize(chunk)
            assert f(a) == (499500, 999)


def test_without_parallel():
    f = loop("s += a[i]\nm = max(m, a[i])", "s = 0; m = -1", "s, m", decorator=njit)
    assert f(np.arange(100)) == (4950, 99)
    assert serial_reasons(f) == ["the function is compiled without parallel=True"]


def test_several_python_threads():
    f, a, wrong = loop("s += a[i]", decorator=njit(parallel=True, nogil=True)), np.arange(5000), []
    f(a)

    def work():
        with parallel_chunksize(11):
            wrong.extend(x for x in (f(a) for _ in range(30)) if x != 12497500)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_inside_another_parallel_function():
    inner = _sums()
    body = "        s, m = inner(a)\n        t += s + m * i\n"
    source = f"def f(a):\n    t = 0\n    for i in prange(30):\n{body}    return t"
    f = define(source, decorator=parallel, prange=prange, inner=inner)
    a = np.arange(50)
    assert f(a) == f.py_func(a)
    assert is_parallel(f)


def test_repeatable():
    f, a = loop("s += a[i]", "s = 0.0"), np.random.default_rng(1).normal(size=10001)
    assert len({f(a) for _ in range(20)}) == 1


PROGRAM = """
import os, numpy as np
from pyarray import njit, prange
@njit(parallel=True)
def f(n):
    s = 0
    for i in prange(n):
        s += i
    return s
"""


def test_more_threads_than_processors(run):
    code = PROGRAM + "print(f(10**6), len(os.listdir('/proc/self/task')) >= 4)"
    assert run(code, PYARRAY_NUM_THREADS="4") == "499999500000 True\n"


def test_after_fork(run):
    code = (
        PROGRAM
        + """
f(10**6)
pid = os.fork()
if not pid:
    os._exit(f(10**6) != 499999500000)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), f(10))
"""
    )
    assert run(code, PYARRAY_NUM_THREADS="4") == "0 45\n"


def test_no_memory_for_partial_results(run):
    names = [f"s{k}" for k in range(100)]
    body = "".join(f"        {name} += i\n" for name in names)
    code = f"""
import resource, numpy as np
from pyarray import njit, prange, set_parallel_chunksize
@njit(parallel=True)
def f(n):
    {" = ".join(names)} = 0
    for i in prange(n):
{body}    return {" + ".join(names)}
set_parallel_chunksize(1)
expected = 100 * sum(range(100))
assert f(100) == expected
pages = int(open('/proc/self/statm').read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 2**25, -1))
try:
    f(2**17)
except MemoryError as error:
    print(error, error.__traceback__.tb_next.tb_lineno)
print(f(100) == expected)
"""
    assert run(code) == "Unable to allocate the partial results of a parallel loop 7\nTrue\n"


#  The report


def test_report():
    double = vectorize(lambda x: 2 * x)
    source = """
def f(a, n):
    s = 0.0; m = -1.0; x = 0.0
    for i in prange(n):
        s += a[i]; m = max(m, a[i]); k = i
        for j in prange(3):
            s += j
    for i in prange(n):
        x = a[i] - x
    for i in range(n):
        s += 1
    return s, m, k, x, double(a)
"""
    f = define(source, decorator=parallel, prange=prange, double=double)
    f(np.ones(10), 5)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        f.parallel_diagnostics()
    (text,) = f.inspect_parallel().values()
    assert shown.getvalue() == text + "\n"
    lines = [line.split(": ", 1)[1] if line[0] == "<" else line for line in text.splitlines()]
    assert lines == [
        "f (array(float64, 1d, C), int64)",
        "for i in prange(n):",
        "    loop over prange: runs on several threads; reductions: 's' (add), 'm' (max); "
        "value of the last iteration: 'k'",
        "for j in prange(3):",
        "    loop over prange: runs in order within each iteration of the parallel loop in line 4",
        "for i in prange(n):",
        "    loop over prange: runs in order: 'x' is carried from one iteration to the next, and is no reduction",
        "return s, m, k, x, double(a)",
        "    array operation: runs on several threads",
    ]


def test_report_of_one_signature_and_of_nothing():
    f = define("def f(x):\n    return x", decorator=parallel)
    assert f.inspect_parallel() == {}
    assert "nothing to run on several threads" in f.inspect_parallel("(float64,)")
    with pytest.raises(ValueError, match="^level 5: it is a number from 1 to 4$"):
        f.parallel_diagnostics(level=5)


# Threads, in compiled code


def test_thread_numbers_in_a_loop():
    set_num_threads(config.NUM_THREADS)
    names = {"get_thread_id": get_thread_id, "get_num_threads": get_num_threads}
    body = "ids[i] = get_thread_id()\ncounts[i] = get_num_threads()"
    f = loop(body, "pass", "get_thread_id()", over="prange(len(ids))", parameters="ids, counts", **names)
    ids, counts = np.full(1000, -1), np.zeros(1000, np.int64)
    set_parallel_chunksize(0)
    set_parallel_chunksize(1000 // config.NUM_THREADS)
    assert f(ids, counts) == 0
    assert ids.min() == 0 and ids.max() < config.NUM_THREADS
    assert (counts == config.NUM_THREADS).all() and is_parallel(f)


def test_a_row_for_each_thread():
    body = "partial[get_thread_id(), b[i]] += 1"
    names = {"get_thread_id": get_thread_id}
    f = loop(body, "pass", "partial", over="prange(len(b))", parameters="b, partial", **names)
    partial = np.zeros((config.NUM_THREADS, 10))
    f(np.arange(LARGE) % 10, partial)
    assert (partial.sum(axis=0) == LARGE // 10).all() and is_parallel(f) and not reduced(f)


def test_settings_in_compiled_code():
    @njit
    def change(threads, chunk):
        set_num_threads(threads)
        previous = set_parallel_chunksize(chunk)
        return get_num_threads(), previous, get_parallel_chunksize(), pyarray.get_thread_id()

    assert change(1, np.uint8(5)) == (1, 3, 5, 0)
    assert (get_num_threads(), get_parallel_chunksize()) == (1, 5)
    assert change(config.NUM_THREADS, 0) == (config.NUM_THREADS, 5, 0, 0)


@pytest.mark.parametrize("arguments, message", [
    ((0, 1), f"The number of threads must be between 1 and {config.NUM_THREADS}"),
    ((config.NUM_THREADS + 1, 1), f"The number of threads must be between 1 and {config.NUM_THREADS}"),
    ((1, -1), "chunksize must be greater than or equal to zero"),
])  # fmt: skip
def test_bad_settings_in_compiled_code(arguments, message):
    @njit
    def change(threads, chunk):
        set_num_threads(threads)
        set_parallel_chunksize(chunk)

    with pytest.raises(ValueError, match=message):
        change(*arguments)
    with pytest.raises(TypingError, match="expected an integer"):
        change(1.0, 1)


def test_chunksize_in_compiled_code():
    @njit(parallel=True)
    def f(n, size, end):
        out = np.zeros(n)
        with parallel_chunksize(size):
            inside = get_parallel_chunksize()
            for i in prange(n):
                out[i] = i
            if end == 1:
                return out, inside
            if end == 2:
                raise KeyError(end)
            with pyarray.parallel_chunksize(size + 1):
                inside = 10 * inside + get_parallel_chunksize()
        return out, 100 * inside + get_parallel_chunksize()

    set_parallel_chunksize(7)
    try:
        for end, expected in ((0, 4507), (1, 4)):
            out, seen = f(20, 4, end)
            assert seen == expected and out.tolist() == list(range(20)) and get_parallel_chunksize() == 7
        with pytest.raises(KeyError):
            f(20, 4, 2)
        with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
            f(20, -4, 0)
        assert get_parallel_chunksize() == 7
        assert "runs on several threads" in f.inspect_parallel(f.signatures[0])
    finally:
        set_parallel_chunksize(0)


def test_chunksize_is_no_value():
    @njit
    def f():
        with parallel_chunksize(4) as size:
            return size

    with pytest.raises(pyarray.TypingError, match="parallel_chunksize has no 'as'"):
        f()


def test_indices_of_several_axes():
    def roots(a, n):
        out, total = np.zeros(a.shape), 0
        for index in pndindex(a.shape):
            out[index] = np.sqrt(a[index])
        for i, j, k in pndindex(2, n, 3):
            total += 100 * i + 10 * j + k
        for index in pndindex(n):
            total += index[0]
        for _ in pndindex(()):
            total += 1
        return out, total

    def first(a):
        for index in pndindex(a.shape):
            if a[index] > 4:
                return index
        return a.shape

    a = np.arange(24.0).reshape(2, 4, 3)
    for function in (parallel(roots), njit(roots)):
        for shape, n in [(a.shape, 4), ((8, 3), 0), ((0, 3), 1)]:
            assert_same(function, a[:, :0] if 0 in shape else a.reshape(shape), n)
    assert_same(parallel(first), a)
    with pytest.raises(ValueError, match="negative dimensions"):
        parallel(roots)(a, -1)
