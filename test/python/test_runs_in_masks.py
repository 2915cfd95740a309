"""Masks with runs of equal elements, as shapes and thresholds have them, against NumPy."""

import numpy as np
import pytest
from arrays import check, filled
from compare import expression
from pyarray import njit

GET = expression("a[m], np.flatnonzero(m), m.nonzero(), a[m].sum()", "a, m")


@njit
def put(a, m, v):
    a[m] = v
    return a


def runs(seed, count, longest):
    """Runs of both kinds whose lengths are up to that, so that they begin and end anywhere in a word."""
    r = np.random.default_rng(seed)
    lengths = r.integers(1, longest, count)
    return np.repeat(np.arange(count) % 2 == 0, lengths)


def check_both(a, m):
    check(GET, a, m)
    check(put, a, m, filled((int(m.sum()),), a.dtype)[::-1])
    check(put, a, m, filled((2 * int(m.sum()),), a.dtype)[::2])


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("longest", [3, 20, 150, 1500])
def test_runs(dtype, longest):
    for seed in range(4):
        m = runs(seed, 12, longest)
        for mask in (m, ~m):
            check_both(filled(m.shape, dtype), mask)
            check_both(filled((2 * m.size,), dtype)[::-2], mask)
            check_both(filled(m.shape, dtype), mask[::-1])
            check_both(filled(((m.size + 1) // 2,), dtype), mask[::2])


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 63, 64, 65, 72, 511, 512, 513, 520, 1100])
def test_all_and_none(length):
    a = filled((length,), "f8")
    for m in (np.ones(length, bool), np.zeros(length, bool), np.arange(length) != 64, np.arange(length) == 64):
        check_both(a, m)


@pytest.mark.parametrize("shape", [(20, 70), (5, 9, 30), (1, 200), (200, 1), (3, 0, 4)])
def test_several_dimensions_that_are_one_row_or_not(shape):
    m = np.resize(runs(5, 30, 100), shape)
    a = filled(shape, "f8")
    check_both(a, m)
    check_both(np.asfortranarray(a), m)
    check_both(a, np.asfortranarray(m))
    check_both(np.asfortranarray(a), np.asfortranarray(m))
    check_both(a[::-1], m[::-1])
    check_both(a[..., ::2], m[..., ::2])
    check_both(np.repeat(a, 2, axis=0)[::2], m)


def test_parts_behind_the_mask():
    m = np.resize(runs(6, 30, 100), (20, 40))
    check(expression("a[m]", "a, m"), filled((20, 40, 3), "f8"), m)
    check(expression("a[m]", "a, m"), filled((20, 40, 3), "f8")[:, ::-1], m)
    check(put, filled((20, 40, 3), "f8"), m, filled((int(m.sum()), 3), "f8"))


def test_bytes_that_are_true_but_not_one():
    bytes_ = np.resize(np.repeat(np.array([2, 0, 255, 1], np.uint8), 70), 700)
    check(GET, filled((700,), "f8"), bytes_.view(bool) != 0)
    got = GET(filled((700,), "f8"), bytes_.view(np.bool_))
    assert got[0].size == np.count_nonzero(bytes_)
