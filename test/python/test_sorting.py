"""Sorts, selections and places in sorted arrays, against NumPy: every dtype, axis and layout, NaN and NaT."""

import numpy as np
import pytest
from arrays import DTYPES, LAYOUTS, check, laid_out
from compare import define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit


def shuffled(shape, dtype, seed=0, spread=20):
    """Numbers in no order, some of them more than once, some NaN or NaT."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-spread, spread, shape)
    dtype = np.dtype(dtype)
    array = numbers.view(dtype) if dtype.kind in "Mm" else numbers.astype(dtype)
    odd = rng.random(shape) < 0.1
    if dtype.kind == "c":
        array += 1j * rng.integers(-2, 2, shape)
        array.imag[rng.random(shape) < 0.1] = np.nan
    if dtype.kind in "fc":
        array.real[odd] = np.nan
        array.real[rng.random(shape) < 0.05] = -np.inf
    if dtype.kind in "Mm":
        array[odd] = "NaT"
    return array


@st.composite
def lines(draw, dtypes=DTYPES, least=0):
    """An array and one of its axes."""
    ndim = draw(st.integers(1, 3))
    shape = [draw(st.integers(least, 5)) for _ in range(ndim)]
    axis = draw(st.integers(-ndim, ndim - 1))
    shape[axis] = draw(st.integers(least, 40))
    array = shuffled(tuple(shape), draw(st.sampled_from(dtypes)), draw(st.integers(0, 99)))
    return laid_out(array, draw(st.sampled_from(LAYOUTS))), axis


@settings(max_examples=30, deadline=None)
@given(lines(), st.sampled_from(["", ", kind='stable'", ", stable=True", ", kind='mergesort'"]))
def test_sort_along_an_axis(drawn, kind):
    array, axis = drawn
    check(expression(f"np.sort(a, {axis}{kind}), np.argsort(a, {axis}{kind})", "a"), array)
    check(define(f"def f(a):\n    a.sort({axis}{kind})\n    return a.argsort({axis}{kind})\n"), array)


@settings(max_examples=30, deadline=None)
@given(lines())
def test_sort_of_an_axis_that_is_not_known(drawn):
    array, axis = drawn
    check(expression("np.sort(a, axis)", "a, axis"), array, axis)


def _sorts(f):
    """What is before the place and behind it has no order that NumPy promises."""
    return define(f"def f(a, k):\n    p = {f}\n    return p[k], np.sort(p[:k]), np.sort(p[k:])\n")


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 900), st.sampled_from(DTYPES), st.integers(0, 9), st.data())
def test_partition(count, dtype, seed, data):
    array = shuffled((count,), dtype, seed, data.draw(st.sampled_from([2, 20, 10000])))
    k = data.draw(st.integers(0, count - 1))
    check(_sorts("np.partition(a, k)"), array, k)
    positions = expression("np.argpartition(a, k)", "a, k")(array, k)
    np.testing.assert_array_equal(np.sort(positions), np.arange(count))
    np.testing.assert_array_equal(array[positions[k]], np.sort(array)[k])
    np.testing.assert_array_equal(np.sort(array[positions[:k]]), np.sort(array)[:k])


@settings(max_examples=30, deadline=None)
@given(lines(least=1))
def test_partition_of_all(drawn):
    """With every rank it is a sort."""
    array, axis = drawn
    ranks = np.arange(array.shape[axis])[::-1].copy()
    array = np.nan_to_num(array) if array.dtype.kind in "fc" else array
    check(expression(f"np.sort(a, {axis}) == np.partition(a, k, {axis})", "a, k"), array, ranks)
    check(expression(f"np.partition(a, (0, -1), {axis}).shape, np.argpartition(a, 0, {axis}).shape", "a"), array)


def test_hard_cases_of_selection():
    """What sampled pivots do badly with."""
    n = 20000
    saw = np.arange(n) % 7.0
    organ = np.concatenate((np.arange(n // 2), np.arange(n // 2)[::-1]))
    for array in (np.zeros(n), np.arange(n), np.arange(n)[::-1].copy(), saw, organ, np.repeat([1.0, 0.0], n // 2)):
        for k in (0, 1, n // 3, n // 2, n - 1):
            check(_sorts("np.partition(a, k)"), array, k)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.integers(0, 9), st.sampled_from(["left", "right"]))
def test_searchsorted(dtype, other, seed, side):
    if np.dtype(dtype).kind in "Mm" or np.dtype(other).kind in "Mm":
        other = dtype
    line, keys = np.sort(shuffled((30,), dtype, seed)), shuffled((3, 7), other, seed + 1)
    check(expression(f"np.searchsorted(a, b, side='{side}'), a.searchsorted(b[0], '{side}')", "a, b"), line, keys)
    check(expression(f"np.searchsorted(a, b[1, 2], '{side}')", "a, b"), line, keys)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["f8", "i4", "c16"])
@pytest.mark.parametrize("size", [127, 128, 129, 1000])
def test_searchsorted_of_keys_that_follow_each_other(size, dtype, side):
    """A place is looked for beside the last one: in order, in runs, backwards; equal items, and nan at the end."""
    rng = np.random.default_rng(size)
    line = np.sort(rng.integers(0, size // 3, size)).astype(dtype)
    if dtype != "i4":
        line[-5:] = np.nan
    dense = np.sort(rng.integers(-3, size // 3 + 3, 3 * size)).astype(dtype)
    function = expression(f"np.searchsorted(a, b, side='{side}')", "a, b")
    orders = dense[::-1], dense[::29], np.roll(dense, size), rng.permutation(dense)
    for keys in (line, dense, *orders, line[-6:], line[:0]):
        check(function, line, keys)
        check(function, line[:: 2 if size > 999 else 1], np.tile(keys, 3))


def test_searchsorted_with_a_sorter():
    a = shuffled((20,), "f8")
    check(expression("np.searchsorted(a, a, sorter=np.argsort(a))", "a"), a)
    check(expression("np.searchsorted(a, 1, sorter=s)", "a, s"), a, np.arange(3))
    check(expression("np.searchsorted(a, 1, sorter=s)", "a, s"), a, np.arange(20) + 100)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["i1", "u8", "f4", "f8"])
def test_digitize(dtype, right):
    values, edges = shuffled((4, 5), dtype), np.unique(shuffled((6,), dtype, 3))
    edges = edges[edges == edges]
    check(expression(f"np.digitize(a, b, {right}), np.digitize(a, b[::-1], right={right})", "a, b"), values, edges)
    check(expression("np.digitize(a, b)", "a, b"), values, np.array([0, 2, 1], dtype))


@settings(max_examples=30, deadline=None)
@given(lines())
def test_lexsort(drawn):
    array, axis = drawn
    check(expression(f"np.lexsort((a, b), {axis})", "a, b"), array, array[::-1])


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f4", "f8", "c8", "c16"])
def test_sort_complex(dtype):
    check(expression("np.sort_complex(a)", "a"), shuffled((3, 20), dtype))


@pytest.mark.parametrize(
    "text",
    [
        "np.sort(a, 2)", "np.sort(a, -3)", "np.sort(a, kind='odd')", "np.sort(a[0, 0])", "np.sort(a, order='x')",
        "np.sort(a, kind='stable', stable=True)", "np.argsort(a, 5)", "np.argsort(a[0, 0])", "np.sort(a, axis=None)",
        "np.argsort(a, axis=None)", "np.partition(a, 4)", "np.partition(a, -5)", "np.argpartition(a, 4)",
        "np.searchsorted(a, 1.0)", "np.searchsorted(a[0], 1.0, side='odd')", "np.digitize(1j, a[0])",
        "np.lexsort((a, a[:1]))", "np.sort([3, 1, 2])", "np.argsort((3, 1, 2))", "np.searchsorted([1, 2, 3], [2, 0])",
    ],
)  # fmt: skip
def test_arguments(text):
    check(expression(text, "a"), np.arange(12.0).reshape(3, 4)[::-1])


def test_what_is_readonly():
    a = np.array([2, 1])
    a.flags.writeable = False
    check(define("def f(a):\n    a.sort()\n"), a)
    check(expression("np.sort(a)", "a"), a)


def test_threads_sort_lines():
    a = shuffled((400, 300), "f8")
    f = expression("np.sort(a), np.argsort(a, 0)", "a", njit(parallel=True))
    check(f, a)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "u8", "f2", "f4", "f8"])
def test_searchsorted_of_many_keys_in_any_order(dtype, side):
    """A table is made of what is sorted, where it is evenly spread."""
    rng = np.random.default_rng(5)
    for line in (rng.normal(50, 20, 40), np.linspace(0, 100, 700), np.geomspace(1e-5, 1e5, 50), np.full(20, 7.0)):
        a = np.sort(line.clip(0, 120).astype(dtype))
        keys = rng.normal(50, 40, 2000).astype(dtype)
        keys[: len(a)] = a
        if dtype[0] == "f":
            keys[-3:] = np.nan, np.inf, -np.inf
        check(expression(f"np.searchsorted(a, v, side='{side}')", "a, v"), a, keys)
        if dtype[0] == "f":
            a[-1:] = np.nan
            check(expression(f"np.searchsorted(a, v, side='{side}')", "a, v"), a, keys)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)], ids=str)
@pytest.mark.parametrize("call", ["np.partition(a, 5)", "np.partition(a, (1, 2), axis=0)", "np.argpartition(a, -9)"])
def test_selections_of_nothing(call, shape):
    check(expression(call, "a"), np.zeros(shape))
