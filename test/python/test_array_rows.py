"""Whole rows and columns of arrays, in place and beside each other: what is read once for a row, what overlaps."""

import numpy as np
import pytest
from pyarray import njit


def eliminate(a):
    for k in range(min(a.shape) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k][:, None] * a[k, k + 1 :][None, :]
    return a


def shortest(path):
    for k in range(path.shape[0]):
        for i in range(path.shape[0]):
            path[i] = np.minimum(path[i], path[i, k] + path[k])
    return path


def scale_rows(a, v):
    return a * v[:, None]


def scale_rows_in_place(a, v):
    a *= v[:, None]
    a[:, 1:] += v[:, None] - a[:, :-1]
    return a


def exponentials(a, v):
    return np.exp(a - v[:, None])


def columns(a, v):
    for j in range(1, a.shape[1]):
        a[:, j] = a[:, j - 1] * 0.5 + v
    return a


def interleaved(a, v):
    a[::2] += a[1::2][: a[::2].shape[0]] if a.shape[0] % 2 == 0 else a[::2]
    a[:, ::2] = v[:, None] - a[:, ::2]
    return a


def moved(a, v):
    a[1:] = a[:-1] + v[1:, None]
    a[:, 1:] += a[:, :-1]
    a[1:, 1:] -= a[:-1, :-1] * v[1:, None]
    return a


def chosen(a, v):
    return np.where((a > v[:, None]) & (v > 0)[:, None], a, v[:, None])


def three(a, v):
    return (a[:, None, :] - a[None, :, :]) * v[:, None, None] + v[None, :, None]


def stretched(a, v):
    a[:1] = a[:1] * 2 + v[:1].sum()
    return a + v[-1:, None] * a[-1:, -1:]


FUNCTIONS = [
    scale_rows, scale_rows_in_place, exponentials, columns, interleaved, moved, chosen, three, stretched,
]  # fmt: skip
SHAPES = [(5, 7), (8, 3), (1, 6), (6, 1), (1, 1), (4, 0), (0, 4), (2, 40), (33, 2), (12, 700)]
ORDERS = {
    "C": lambda a: a.copy(),
    "F": lambda a: a.copy("F"),
    "part": lambda a: np.pad(a, ((0, 0), (1, 2)))[:, 1 : 1 + a.shape[1]],
    "backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "every second": lambda a: np.repeat(np.repeat(a, 2, axis=0), 2, axis=1)[::2, ::2],
}
COMPILED = {f: (njit(f), njit(parallel=True)(f)) for f in [*FUNCTIONS, eliminate, shortest]}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("order", ORDERS)
def test_rows(function, order):
    rng = np.random.default_rng(5)
    for shape in SHAPES:
        a, v = rng.standard_normal(shape), rng.standard_normal(shape[0])
        expected = function(ORDERS[order](a), v.copy())
        for compiled in COMPILED[function]:
            got = compiled(ORDERS[order](a), v.copy())
            assert got.dtype == expected.dtype and got.shape == expected.shape
            np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("dtype", ["f4", "i8", "i4", "u1", "c16", "f2"])
def test_types(dtype):
    rng = np.random.default_rng(6)
    a, v = (rng.standard_normal((9, 21)) * 9).astype(dtype), (rng.standard_normal(9) * 9).astype(dtype)
    for function in (scale_rows, moved, three):
        expected = function(a.copy(), v.copy())
        for compiled in COMPILED[function]:
            got = compiled(a.copy(), v.copy())
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, rtol=1e-3 if dtype == "f2" else 1e-6)


def test_bools():
    rng = np.random.default_rng(7)
    a, v = rng.random((9, 21)) > 0.5, rng.random(9) > 0.5

    def both(a, v):
        return a & v[:, None]

    np.testing.assert_array_equal(njit(both)(a, v), both(a, v))


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("order", ORDERS)
def test_loops_of_statements(n, order):
    rng = np.random.default_rng(8)
    a = rng.random((n, n)) + n * np.eye(n)
    for function, start in ((eliminate, a), (shortest, 10 * rng.random((n, n)))):
        expected = function(ORDERS[order](start))
        for compiled in COMPILED[function]:
            np.testing.assert_allclose(compiled(ORDERS[order](start)), expected, rtol=1e-12)


def test_values_and_nans_of_extremes():
    """Which of two zeros is the least NumPy leaves to the processor."""
    values = np.array([1.0, np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 3.0])
    a, b = np.repeat(values, values.size), np.tile(values, values.size)

    def extremes(a, b):
        return np.minimum(a, b), np.maximum(a, b), np.fmin(a, b), np.fmax(a, b)

    for got, expected in zip(njit(extremes)(a, b), extremes(a, b), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_errors_stay():
    a = np.ones((3, 4))
    with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,4\) \(4,1\)"):
        COMPILED[scale_rows][0](a, np.ones(4))

    def stored(a, b):
        a[0] = b + 1

    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(3,\) into shape \(4,\)"):
        njit(stored)(a, np.ones(3))
