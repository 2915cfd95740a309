"""Arrays without axes as indices, as parts of slices, and as what is stored to elements."""

import numpy as np
import pytest
from pyarray import cuda, errors, njit
from pyarray.typed import List


def item(a, i):
    return a[i]


def second(a, i):
    return a[1, i], a[i, 1]


def store(a, i):
    a[i] = 7
    a[0] = i
    return a[i]


def slices(a, i):
    return a[i:], a[:i], a[::i]


def of_items(i):
    return (1, 2, 3)[i], "abc"[i], b"xyz"[i], [4, 5, 6][i]


def delete(i):
    xs = [1, 2, 3]
    del xs[i]
    xs[i] = 9
    return xs


def same(got, wanted):
    return all(np.array_equal(a, b) for a, b in zip(got, wanted, strict=True))


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, np.uint64])
def test_indices(dtype):
    i = np.asarray(2, dtype)
    line, square = np.arange(4.0), np.arange(9).reshape(3, 3)
    assert njit(item)(line, i) == 2.0 and isinstance(njit(item)(line, i), float)
    assert njit(item)(square, i).tolist() == [6, 7, 8]
    assert njit(second)(square, i) == (5, 7)
    assert njit(store)(np.zeros(4), i) == 7 and njit(store)(np.zeros(4, int), i) == 7
    assert same(njit(slices)(np.arange(5), i), slices(np.arange(5), i))


def test_negative_ones_and_those_out_of_bounds():
    f = njit(item)
    assert f(np.arange(4.0), np.asarray(-1)) == 3.0
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        f(np.arange(4.0), np.asarray(4))


def test_other_objects():
    i = np.asarray(1)
    assert njit(of_items)(i) == of_items(i)
    assert njit(delete)(i) == delete(i)
    assert njit(item)(List([3, 4]), i) == 4
    records = np.array([(1.0,), (2.0,)], [("x", "f8")])
    assert njit(item)(records, i)["x"] == 2.0


def stored(a, v):
    a[0] = v
    a[1:3] = v
    return a


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32])
def test_values(dtype):
    value = np.asarray(2.5)
    assert njit(stored)(np.zeros(4, dtype), value).tolist() == stored(np.zeros(4, dtype), value).tolist()


def test_what_is_no_index():
    with pytest.raises(errors.TypingError, match="cannot be indexed by float64"):
        njit(item)(np.arange(3.0), np.asarray(1.0))


def test_kernels():
    @cuda.jit
    def kernel(out, a, i, v):
        out[i] = a[i]
        out[0] = i
        out[1] = v

    out = np.zeros(4)
    kernel[1, 1](out, np.arange(4.0), np.asarray(2), np.asarray(0.5))
    assert out.tolist() == [2, 0.5, 2, 0]
