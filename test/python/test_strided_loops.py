"""Loops over arrays of every layout: places that go up by a stride, and values that an iteration hands to the next."""

import numpy as np
import pytest
from arrays import LAYOUTS, filled, laid_out
from pyarray import njit


def neighbours(a, b, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = a[i, j - 1] + a[i, j + 1] + b[i - 1, j] + b[i + 1, j]


def every_third(a, b, out):
    for j in range(2, a.shape[1], 3):
        for i in range(a.shape[0] - 1, -1, -2):
            out[i, j] = a[i, j - 2] * b[i, j] - i * j


def along_rows(a, b, out):
    for i in range(a.shape[0]):
        out[i, 0] = a[i, 0]
        for j in range(1, a.shape[1]):
            out[i, j] = out[i, j - 1] * 0.5 + a[i, j] + b[i, j]


def along_columns(a, b, out):
    for j in range(a.shape[1]):
        for i in range(1, a.shape[0]):
            a[i, j] = a[i, j] * 0.5 + a[i - 1, j]
            out[i, j] = a[i, j] - b[i, j]


def backwards(a, b, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1] - 2, -1, -1):
            b[i, j] = a[i, j] + b[i, j + 1]
            out[i, j] = b[i, j] * 2 + b[i, j + 1]


def two_before(a, b, out):
    for i in range(a.shape[0]):
        for j in range(2, a.shape[1]):
            a[i, j] = a[i, j - 1] + a[i, j - 2]
            if a[i, j] > 100:
                a[i, j] -= b[i, j]
            out[i, j] = a[i, j]


def sums_of_products(a, b, out):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j] * b[i, j] * out[i, a.shape[1] - 1 - j]
    out[0, 0] = total


KERNELS = [neighbours, every_third, along_rows, along_columns, backwards, two_before, sums_of_products]


def arrays_of(layouts, shape, dtype):
    return [laid_out(filled(shape, dtype) + 1, layout) for layout in layouts]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout != "readonly"])
@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_layouts(kernel, layout, dtype):
    for shape in ((7, 9), (1, 5), (2, 1), (3, 40)):
        for layouts in ((layout, "C", "F"), ("F", layout, layout), ("C", "C", layout)):
            expected, got = (arrays_of(layouts, shape, dtype) for _ in range(2))
            kernel(*expected)
            njit(kernel)(*got)
            for mine, theirs in zip(got, expected, strict=True):
                assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_array_for_all(kernel):
    expected, got = filled((8, 8), "f8") + 1, filled((8, 8), "f8") + 1
    kernel(expected, expected.T, expected[:, ::-1])
    njit(kernel)(got, got.T, got[:, ::-1])
    assert np.array_equal(got, expected)
