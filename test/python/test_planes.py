"""Counts and places in several dimensions, against NumPy."""

import numpy as np
import pytest
from arrays import check
from compare import expression


def numbers(*shape):
    return np.random.default_rng(1).random(shape)


BINS = ["", ", 5", ", (3, 4)", ", [3, 4]", ", e", ", (e, 3)", ", [e, e]", ", ([0.0, 0.5, 1.0], e)", ", [0.1, 0.2, 0.9]"]


@pytest.mark.parametrize("bins", BINS)
def test_histogram2d(bins):
    e, x, y, w = np.linspace(0, 1, 5), numbers(40), numbers(2, 40)[1], numbers(3, 40)[2]
    x[3], y[5] = 1.0, 0.0
    check(expression(f"np.histogram2d(x, y{bins})", "x, y, w, e"), x, y, w, e)
    check(expression(f"np.histogram2d(x, y{bins}, weights=w, density=True)", "x, y, w, e"), x, y, w, e)


def test_histogram2d_of_integers_and_ranges():
    x, e = np.arange(12), np.array([0, 3, 5, 11])
    check(expression("np.histogram2d(x, x % 3, e), np.histogram2d(x, x % 4, 4)", "x, e"), x, e)
    check(expression("np.histogram2d(x, x, 3, ((0, 5), (2, 4))), np.histogram2d(x, x, 3, [[0, 5], [3, 3]])", "x"), x)
    check(expression("np.histogram2d(x[:0], x[:0], 2)", "x"), x)


@pytest.mark.parametrize(
    "call",
    ["x, y[1:]", "x, y, 0", "x, y, (3, 0)", "x, y, (3, y[::-1])", "x, y, 3, ((1, 0), (0, 1))", "x, y, z", "x, nan"],
)
def test_histogram2d_refuses(call):
    y = np.arange(4.0)
    check(expression(f"np.histogram2d({call})", "x, y, z, nan"), y, y, y[:2], np.full(4, np.nan))


def test_histogram2d_takes_two_numbers_in_an_array_for_no_edges():
    with pytest.raises(NotImplementedError, match="tuple"):
        expression("np.histogram2d(x, x, n)", "x, n")(np.arange(3.0), np.array([2, 3]))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", ["(4, 5)", "(2, 3, 4)", "20", "(n, 5)"])
def test_unravel_index(order, shape):
    places = np.array([[3, 1], [19, 0]])
    check(expression(f"np.unravel_index(a, {shape}, '{order}')", "a, n"), places, 4)
    check(expression(f"np.unravel_index(n, {shape}, order='{order}')", "n"), 4)
    check(expression(f"np.unravel_index([1, n], {shape}, order='{order}')", "n"), 4)


@pytest.mark.parametrize("index", ["n", "-1", "a", "[0, n]", "2.5", "a * 0.5"])
def test_unravel_index_refuses(index):
    check(expression(f"np.unravel_index({index}, (4, 5))", "n, a"), 20, np.array([3, 25]))


def test_unravel_index_finds_the_greatest():
    a = numbers(5, 6)
    check(expression("np.unravel_index(np.argmax(a), a.shape), np.unravel_index(a.argmin(axis=1), a.shape)", "a"), a)


@pytest.mark.parametrize("order", ["C", "F"])
def test_ravel_multi_index(order):
    a = np.array([[3, 1], [2, 0]])
    for places in ("(n, 2)", "(a, a + 1)", "(a, n)", "([1, 2], [0, n])"):
        check(expression(f"np.ravel_multi_index({places}, (4, 5), order='{order}')", "a, n"), a, 3)
    for mode in ("wrap", "clip"):
        check(expression(f"np.ravel_multi_index((a - 2, a * 3), (4, 5), '{mode}', '{order}')", "a"), a)


@pytest.mark.parametrize("call", ["(1, n), (4, 5)", "(1, 2, n), (4, 5)", "(n, a), (4, 5)", "(1.5, n), (4, 5)"])
def test_ravel_multi_index_refuses(call):
    check(expression(f"np.ravel_multi_index({call})", "n, a"), 5, np.array([1, -1]))


@pytest.mark.parametrize(
    "call",
    ["s, (3, 4, 2)", "s, [3, 4, 2], density=True", "s, (e, 3, e), weights=w", "(s[:, 0], s[:, 1]), 4",
     "s[:0], (2, 2, 2)", "s, bins=(3, 4, 2), range=((0.2, 1), (0, 2), None)",
     "s, 5, ((0.1, 1), (0, 2), (0.5, 1))", "s, (3, 4)", "s, (0, 1, 2)", "s, (3, 4, 2), ((0, 1),)",
     "s, ([1.0, 0.0], 2, 2)"],
)  # fmt: skip
def test_histogramdd(call):
    check(expression(f"np.histogramdd({call})", "s, w, e"), numbers(40, 3), numbers(40), np.linspace(0.1, 1, 5))
