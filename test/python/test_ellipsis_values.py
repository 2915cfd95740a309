"""The ellipsis as a value: argument, global, result, item of a tuple (dtype.c, type_codes.c)."""

import numpy as np
import pytest
from pyarray import njit, typeof, types

EVERYWHERE = (Ellipsis, 1)


@njit
def part(a, index):
    return a[index]


@njit
def store(a, index, value):
    a[index] = value


@pytest.mark.parametrize(
    "index",
    [..., (...,), (..., 1), (1, ..., slice(1, 3)), (..., None, np.array([1, 0])), (..., None), (slice(0, 1), ...)],
    ids=str,
)
def test_index(index):
    a = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(part(a, index), a[index])
    wanted = a.copy()
    wanted[index] = -1
    store(a, index, -1)
    np.testing.assert_array_equal(a, wanted)


def test_goes_through_compiled_code():
    same = njit(lambda x, y: (x, x is y))
    assert same(..., 1) == (..., False)
    assert same((..., 2), (..., 2))[0] == (..., 2)
    assert njit(lambda a: a[EVERYWHERE])(np.arange(6).reshape(2, 3)).tolist() == [1, 4]
    assert njit(lambda x=...: x is ...)()


def test_type():
    assert typeof(...) == types.ellipsis
    assert str(types.ellipsis) == "ellipsis"
    put = njit((types.int64[:], types.ellipsis))(lambda a, i: a[i].sum())
    assert put(np.arange(4), ...) == 6
    assert put.signatures == [(types.int64[:], types.ellipsis)]
