"""Objects that are subscripted: ``np.mgrid``, ``np.ogrid``, ``np.r_``, ``np.c_``, ``np.s_``, against NumPy."""

import numpy as np
import pytest
from arrays import check, filled
from compare import expression
from pyarray.errors import TypingError

KEYS = [
    "0:n, 0:m",
    "n:0:-1, 1:m:2",
    "0:n",
    ":n, 2:m, 0:1",
    "0:0, 0:n",
    "-1:1:0.25, 0:n",
    "0.5:n",
    "-1:1:5j",
    "-1.5:x:m * 1j, 0:2:3j",
    "0:3:1j, 0:2",
    "0:n:4j, 0:2",
    "0:n,",
]


@pytest.mark.parametrize("key", KEYS)
def test_grids(key):
    check(expression(f"np.mgrid[{key}], np.ogrid[{key}]", "n, m, x"), 3, 4, 2.5)


@pytest.mark.parametrize("key", ["1:-1, 0:2", "0:2, 3:1"])
def test_grids_of_fewer_than_no_points(key):
    check(expression(f"np.mgrid[{key}]", "n"), 3)


ROWS = [
    "a, n, 1.5",
    "0:n",
    "0:n, a",
    "a",
    "n",
    "-1:1:5j, 0, n",
    "1:6:2, a[::-1]",
    "True, a[1:] != a[:-1]",
    "[1, 2], a, (3, n)",
    "1, 2.5, n",
    "True, False",
    "a[:0], n",
]


@pytest.mark.parametrize("key", ROWS)
@pytest.mark.parametrize("dtype", ["f8", "i4", "f4", "c8", "i1"])
def test_joins(key, dtype):
    check(expression(f"np.r_[{key}]", "a, n"), filled((4,), dtype), 3)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i2"])
def test_joins_of_rows_and_columns(dtype):
    m = filled((5, 2), dtype)
    check(expression("np.r_[m, m], np.c_[m, m], np.c_[m[:, 0], m], np.c_[0:5, m]", "m"), m)
    check(
        expression("np.c_[m[:, 0], m[:, 1]], np.c_[m[:, 0]], np.c_[1, 2, 3], np.c_[m[:, 0], [1, 2, 3, 4, 5]]", "m"), m
    )


def test_joins_that_do_not_fit():
    check(expression("np.c_[m, m[1:]]", "m"), filled((2, 2), "f8"))


def test_index_expressions():
    m = filled((5, 6), "f8")
    check(expression("m[np.s_[1:3]], m[np.s_[1:3, ::n]], m[np.s_[..., None]], m[np.s_[2]]", "m, n"), m, 2)
    check(expression("m[np.index_exp[1:]], m[np.index_exp[1:, 2]], np.s_[1:n], np.index_exp[n]", "m, n"), m, 2)


def test_an_object_for_subscripts_is_no_function_and_no_value():
    for text in ("np.mgrid(n)", "np.r_", "np.s_(n)"):
        with pytest.raises(TypingError, match="which compiled code cannot hold"):
            expression(text, "n")(3)


def test_a_local_of_that_name_is_another_thing():
    def f(s_):
        return s_[1:3]

    from pyarray import njit

    np.testing.assert_array_equal(njit(f)(np.arange(5)), f(np.arange(5)))


def test_ndarray_makes_arrays_and_is_a_class():
    from pyarray import njit

    def f(n, x):
        a, b, c = np.ndarray((n, 3)), np.ndarray(n, np.int32), np.ndarray(shape=(n, 2), dtype=np.float32, order="F")
        a[:], b[:], c[:] = 1, 2, 3
        return a, b, c, isinstance(x, np.ndarray), isinstance(n, np.ndarray), type(x) is np.ndarray

    check(njit(f), 4, np.ones(3))
    with pytest.raises(TypingError, match="buffer"):
        expression("np.ndarray((2, 2), buffer=x)", "x")(np.ones(4))
