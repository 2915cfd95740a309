"""Reductions by loops over prange: of numbers, and of arrays in copies for each thread."""

import math

import numpy as np
import pytest
from compare import arrays_alive, assert_same
from hypothesis import given
from hypothesis import strategies as st
from prange_loops import LARGE, checked, is_parallel, loop, many_parts, parallel, reduced, serial_reasons  # noqa: F401
from pyarray import (
    config,
    get_thread_id,
    njit,
    set_num_threads,
    set_parallel_chunksize,
    vectorize,
)

pytestmark = pytest.mark.real


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
