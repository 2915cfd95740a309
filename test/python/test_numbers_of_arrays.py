"""Classes of numbers called with arrays (library/numpy/numbers.py), and records that are globals."""

import numpy as np
import pytest
from pyarray import njit

PAIR = np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])[0]
RECORD = np.rec.array([(3, 0.5)], dtype=[("a", "i4"), ("b", "f8")])[0]


@njit
def as_numbers(x):
    return np.float32(x), np.int8(x), np.bool_(x), np.complex128(x), np.intp(x)


@pytest.mark.parametrize(
    "value", [np.arange(3.0), (1, 0, 2), ((1, 2.5), (3, 4)), [1, 2], np.arange(6).reshape(2, 3)[:, ::2]], ids=repr
)
def test_classes_of_numpy(value):
    for found, wanted in zip(as_numbers(value), as_numbers.py_func(value)):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_arrays_of_no_dimension():
    every = njit(lambda x: (x.dtype.type(x), np.float64(x), int(x), float(x), complex(x), np.int8(x)))
    assert every(np.array(3.0)) == (3.0, 3.0, 3, 3.0, 3 + 0j, 3)
    for function in (lambda x: int(x), lambda x: float(x), lambda x: complex(x)):
        with pytest.raises(TypeError, match="only 0-dimensional arrays can be converted"):
            njit(function)(np.arange(3))


def test_the_result_is_another_array():
    a = np.arange(3.0)
    again = njit(lambda x: np.float64(x))(a)
    again[0] = 7
    assert a[0] == 0


def test_global_records():
    call = njit(lambda x: (x.a == PAIR.a, PAIR.b + x["b"], RECORD.a, RECORD["b"]))
    assert call(PAIR) == (True, 5.0, 3, 0.5)
