"""np.array and np.asarray of what other containers hold, as NumPy has them."""

from collections import deque

import numpy as np
import pytest
from pyarray import njit
from pyarray.errors import TypingError

PROGRAMS = {
    "comprehension": lambda n: np.array([i * 2.5 for i in range(n)]),
    "comprehensions within each other": lambda n: np.array([[i * j for j in range(n)] for i in range(n + 1)]),
    "three dimensions": lambda n: np.array([[[i, j] for j in range(2)] for i in range(n)], np.int32),
    "list": lambda n: np.array([1, 2, n], dtype=np.float32),
    "tuple of several types": lambda n: np.array((1, 2.5, n)),
    "tuples within each other": lambda n: np.array(((1, 2), (3, n))),
    "list of tuples": lambda n: np.array([(i, i * 0.5) for i in range(n)]),
    "list of arrays": lambda n: np.array([np.full(3, i) for i in range(n)]),
    "arrays two deep": lambda n: np.array([[np.zeros(n), np.ones(n)]]),
    "range": lambda n: np.array(range(n)),
    "deque": lambda n: np.array(deque([1.5, n])),
    "numbers": lambda n: (np.array(n), np.array(2.5 * n), np.asarray(True)),
    "bool, complex": lambda n: (np.array([True, n > 3]), np.asarray([1j, n])),
    "array": lambda n: (
        np.array(np.full(n, 2)),
        np.array(np.full(n, 2.5), np.int64),
        np.asarray(np.full(n, 2), np.float32),
    ),
    "dtype is None": lambda n: np.array([n, 1], None),
    "times": lambda n: np.array([np.timedelta64(n, "s"), np.timedelta64(1, "s")]),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_as_numpy(program):
    results, expected = njit(program)(4), program(4)
    if not isinstance(expected, tuple):
        results, expected = (results,), (expected,)
    for a, b in zip(results, expected, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_array_equal(a, b)


def test_a_copy_and_no_copy():
    @njit
    def f(a):
        b, c = np.array(a), np.asarray(a)
        b[0], c[1] = 1.0, 7.0
        return b

    a = np.zeros(3)
    assert f(a).tolist() == [1, 0, 0] and a.tolist() == [0, 7, 0]


@pytest.mark.parametrize("items", [[[1, 2], [3]], [[[1], [2]], [[3], [4, 5]]]])
def test_sequences_of_different_lengths(items):
    f = lambda items: np.array(items)
    with pytest.raises(ValueError) as expected:
        f(items)
    with pytest.raises(ValueError) as caught:
        njit(f)(items)
    assert str(caught.value) == str(expected.value)


def test_of_nothing():
    f = njit(lambda n: (np.array([i for i in range(n)]), np.array([[i] for i in range(n)])))
    a, b = f(0)
    assert (a.shape, a.dtype, b.shape) == ((0,), np.int64, (0, 0))


@pytest.mark.parametrize("items", ["text", {1: 2.0}, ["a", "b"], ((1, 2), 3)])
def test_what_has_no_dtype(items):
    text = isinstance(items, str) or "a" in items
    reason = "the dtype of text is not known" if text else "arrays are made of lists, tuples and ranges of numbers"
    with pytest.raises(TypingError, match=reason):
        njit(lambda items: np.array(items))(items)
