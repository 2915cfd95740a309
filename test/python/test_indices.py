"""Indices as tuples: `np.ndindex`, `np.ndenumerate`, and what Numba has to make tuples (`library/indices.py`)."""

import numpy as np
import pytest
from pyarray import njit, typeof
from pyarray.cpython.unsafe.tuple import tuple_setitem
from pyarray.errors import TypingError
from pyarray.np.unsafe.ndarray import to_fixed_tuple

pytestmark = pytest.mark.real


@njit
def of_extents(n, m):
    return [index for index in np.ndindex(n, m, 2)]


@njit
def of_shape(a):
    return [index for index in np.ndindex(a.shape)], [index for index in np.ndindex(a.shape[:1])]


@njit
def of_one(n):
    return [index for index in np.ndindex(n)], len([index for index in np.ndindex(())])


@njit
def enumerated(a):
    return [(index, value) for index, value in np.ndenumerate(a)]


@njit
def weighted(a):
    total = 0.0
    for (i, j), x in np.ndenumerate(a):
        total += (10 * i + j) * x
        a[i, j] = -x
    return total


@pytest.mark.parametrize("extents", [(2, 3), (0, 3), (1, 0), (1, 1)])
def test_ndindex(extents):
    a = np.zeros(extents)
    if np.prod(extents):
        assert of_extents(*extents) == list(np.ndindex(*extents, 2))
        assert of_shape(a) == (list(np.ndindex(extents)), list(np.ndindex(extents[:1])))
    else:
        assert of_extents(*extents) == []


def test_ndindex_of_one_and_of_no_extent():
    assert of_one(3) == ([(0,), (1,), (2,)], 1)


def test_negative_extents():
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        of_extents(2, -1)


@pytest.mark.parametrize("layout", ["C", "F", "A"])
def test_ndenumerate(layout):
    a = np.asarray(np.arange(12.0).reshape(3, 4), order="F" if layout == "F" else "C")
    a = a[:, ::2] if layout == "A" else a
    assert enumerated(a) == list(np.ndenumerate(a))
    assert weighted(a.copy(order="A")) == weighted.py_func(a.copy(order="A"))
    assert enumerated(np.arange(3)) == list(np.ndenumerate(np.arange(3)))


def test_fixed_tuples():
    @njit
    def f(a, i):
        index = to_fixed_tuple(i, 2)
        return a[index], index, to_fixed_tuple(i, 0)

    a, i = np.arange(12.0).reshape(3, 4), np.array([1, 2, 3])
    assert f(a, i) == (6.0, (1, 2), ()) == f.py_func(a, i)
    with pytest.raises(IndexError):
        f(a, np.array([1]))

    @njit
    def unknown(i, n):
        return to_fixed_tuple(i, len(i) - n)

    with pytest.raises(TypingError, match="must be known when the function is compiled"):
        unknown(i, 2)


def test_items_of_tuples():
    @njit
    def f(t, i, x):
        return tuple_setitem(t, i, x), tuple_setitem(t, 0, x)

    assert f((1, 2, 3), 1, 9) == ((1, 9, 3), (9, 2, 3)) == f.py_func((1, 2, 3), 1, 9)
    assert typeof(f((1.5, 2.5), 1, 9.0)[0]) == typeof((1.5, 2.5))
