"""Counts in two dimensions, places in several, and fitted polynomials, against NumPy."""

import numpy as np
import pytest
from arrays import check
from compare import expression
from pyarray import njit


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


@pytest.mark.parametrize("call", ["x, y, 2", "x, z, 1", "x, y, 3, w=w", "x, y, 1, cov=True", "x, z, 1, cov=True"])
def test_polyfit(call):
    x, w = np.linspace(0, 1, 12), 0.5 + numbers(12)
    y, z = x**2 + numbers(12), numbers(12, 3)

    def flat(result):
        return result if isinstance(result, tuple) else (result,)

    function = expression(f"np.polyfit({call})", "x, y, z, w")
    got, expected = flat(function(x, y, z, w)), flat(function.py_func(x, y, z, w))
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("call", ["x, x, -1", "m, x, 1", "x[:0], x[:0], 1", "x, x[1:], 1", "x[:2], x[:2], 1, cov=True"])
def test_polyfit_refuses(call):
    check(expression(f"np.polyfit({call})", "x, m"), np.arange(4.0), np.ones((4, 1)))


def test_polyfit_gives_all_that_least_squares_do():
    x = np.arange(6.0)
    found = njit(lambda x, y: np.polyfit(x, y, 2, full=True))(x, x**2)
    expected = np.polyfit(x, x**2, 2, full=True)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)
    assert found[2] == expected[2]
    np.testing.assert_allclose(found[3], expected[3])
    assert found[4] == expected[4]
