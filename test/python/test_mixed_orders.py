"""Elementwise functions of arrays that lie differently in memory: tiles, blocks and single steps, as NumPy has it."""

import math

import numpy as np
import pytest
from compare import is_same
from pyarray import njit, vectorize

SHAPES = [(0, 5), (1, 1), (1, 40), (40, 1), (15, 17), (16, 16), (33, 70), (129, 600)]
DTYPES = ["?", "i1", "u2", "f4", "f8", "c16"]


@vectorize
def cheap(x, y):
    return x + y + y


@vectorize
def dear(x, y):
    return math.exp(x) + y


cheap_in_loop = njit(lambda x, y, out: cheap(x, y, out))
dear_in_loop = njit(lambda x, y, out: dear(x, y, out))
cheap_on_threads = njit(parallel=True)(lambda x, y, out: cheap(x, y, out))
dear_on_threads = njit(parallel=True)(lambda x, y, out: dear(x, y, out))


def drawn(shape, dtype="f8", seed=0):
    random = np.random.default_rng(seed)
    return (random.uniform(-3, 3, shape) * (1 + 1j if dtype == "c16" else 1)).astype(dtype)


def layouts(shape, dtype="f8", seed=0):
    """Arrays of one shape: C, F, every other element, backwards, constant along one axis and the other."""
    rows, columns = shape
    yield drawn(shape, dtype, seed)
    yield np.asfortranarray(drawn(shape, dtype, seed))
    yield drawn((2 * rows, 2 * columns), dtype, seed)[::2, ::2]
    yield drawn(shape, dtype, seed)[::-1, ::-1]
    yield drawn((columns, rows), dtype, seed)[:, ::-1].T
    yield np.broadcast_to(drawn((rows, 1), dtype, seed), shape)
    yield np.broadcast_to(drawn((1, columns), dtype, seed), shape)


@pytest.mark.parametrize("function", ["cheap", "dear", "cheap_threads", "dear_threads"])
@pytest.mark.parametrize("shape", SHAPES)
def test_all_layouts(function, shape):
    compiled = {
        "cheap": cheap_in_loop,
        "dear": dear_in_loop,
        "cheap_threads": cheap_on_threads,
        "dear_threads": dear_on_threads,
    }
    for x in layouts(shape, seed=1):
        for y in list(layouts(shape, seed=2))[::2]:
            expected = x + y + y if function.startswith("cheap") else np.exp(x) + y
            around = [np.full(shape, -7.0), np.full(shape[::-1], -7.0).T, np.full((shape[0] + 2, shape[1] * 3), -7.0)]
            for whole, out in [(around[0], around[0]), (around[1], around[1]), (around[2], around[2][1:-1, ::3])]:
                compiled[function](x, y, out)
                np.testing.assert_allclose(out, expected, rtol=1e-14, atol=1e-14)
                if out is not whole:
                    assert (whole[[0, -1]] == -7).all()
                    assert (whole[:, 1::3] == -7).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_of_all_sizes(dtype):
    function = njit(lambda a, b: np.where(a == b, a, b))
    for a in layouts((19, 530), dtype, seed=1):
        for b in layouts((19, 530), dtype, seed=1):
            assert is_same(function(a, b), np.where(a == b, a, b))


def test_transposes_of_three_dimensions():
    a = drawn((18, 20, 18))
    function = njit(lambda a, b: a + b * 2)
    for order in [(0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0)]:
        b = np.transpose(drawn(tuple(a.shape[i] for i in np.argsort(order))), order)
        np.testing.assert_array_equal(function(a, b), a + b * 2)


def test_a_matrix_and_its_transpose():
    function = njit(lambda m: m + m.T * 2)
    for n in (1, 16, 100, 257):
        m = drawn((n, n))
        np.testing.assert_array_equal(function(m), m + m.T * 2)
