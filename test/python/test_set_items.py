"""Tuples, lists and ranges that are stored to several elements of an array; `np.empty_like` and its kin of records."""

from collections import deque, namedtuple

import numpy as np
import pyarray
import pytest
from compare import define
from pyarray import cuda, njit

Point = namedtuple("Point", "x y")

STORES = {
    "tuple": "a[1:3] = (7, 8)",
    "floats": "a[1:3] = (7.5, 8.25)",
    "mixed": "a[1:3] = (7, 8.5)",
    "list": "a[1:3] = [7, 8]",
    "range": "a[1:3] = range(5, 7)",
    "named": "a[1:3] = Point(7, 8.5)",
    "deque": "a[1:3] = deque([7, 8])",
    "step": "a[::2] = [1.5, 2.5]",
    "backwards": "a[::-1] = (1, 2, 3, 4)",
    "one": "a[:] = (9,)",
    "one of a list": "a[:] = [9]",
    "arguments": "a[i:j] = (a[0], a[1])",
    "own elements": "a[1:] = [a[0], a[1], a[2]]",
}
ROWS = {
    "row": "a[0] = (1.0, 2.0, 3.0)",
    "row of a list": "a[i] = [1, 2, 3]",
    "column": "a[:, 1] = (1, 2)",
    "part": "a[1, 1:] = [8, 9]",
    "rows": "a[:] = ((1, 2, 3), (4, 5, 6))",
    "lists": "a[:, :2] = [[1, 2], [3, 4]]",
    "broadcast": "a[:] = (1, 2, 3)",
    "column broadcast": "a[:, :] = [[1], [2]]",
    "arrays": "a[:] = (a[1], a[1])",
    "tuple index": "a[(0, slice(1, 3))] = (7, 8)",
}


def function(statement):
    text = f"def f(a, i, j):\n    {statement}\n"
    names = {"Point": Point, "deque": deque}
    return define(text, **names), define(text, decorator=lambda f: f, **names)


def check(statement, a):
    compiled, plain = function(statement)
    got, expected = a.copy(), a.copy()
    compiled(got, 0, 2)
    plain(expected, 0, 2)
    assert got.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", ["f8", "i4", "c16", "f4"])
@pytest.mark.parametrize("statement", STORES.values(), ids=STORES)
def test_stores(statement, dtype):
    check(statement, np.arange(4).astype(dtype))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("statement", ROWS.values(), ids=ROWS)
def test_rows(statement, order):
    check(statement, np.asarray(np.arange(6.0).reshape(2, 3), order=order))


@pytest.mark.parametrize("statement", ["a[1:3] = (1, 2, 3)", "a[:] = [1, 2]", "a[1:3] = range(5)", "a[:1] = (1, 2)"])
def test_lengths_that_differ(statement):
    compiled, plain = function(statement)
    a, b = np.zeros(4), np.zeros(4)
    with pytest.raises(ValueError) as expected:
        plain(a, 0, 2)
    with pytest.raises(ValueError) as info:
        compiled(b, 0, 2)
    assert str(info.value) == str(expected.value) and not b.any()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("a[0] = (1, 2)", "item assignment"),
        ("a[0] = [1, 2]", "item assignment"),
        ("a[1:3] = ('x', 'y')", "unicode_type|str"),
    ],
)
def test_what_is_refused(statement, message):
    with pytest.raises(pyarray.TypingError, match=message):
        function(statement)[0](np.zeros(4), 0, 2)


@pytest.mark.filterwarnings("ignore")
def test_tuples_in_kernels():
    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            a[i] = (i, 2 * i, 0.5)
            a[i, :1] = (i + 10,)

    a = np.zeros((3, 3))
    kernel[1, 4](a)
    assert a.tolist() == [[10, 0, 0.5], [11, 2, 0.5], [12, 4, 0.5]]


# np.empty_like ----------------------------------------------------------------------------------

PAIR = np.dtype([("a", "i4"), ("b", "f8")])
OTHER = np.dtype([("c", "u1")])


@pytest.mark.parametrize("shape", [3, (2, 3)])
def test_like_of_records(shape):
    records = np.zeros(shape, PAIR)

    def check(make, dtype):
        f = njit(lambda r: make(r, dtype=dtype))
        assert f(records).dtype == dtype and f(records).shape == records.shape

    for dtype in (np.float64, np.int8, OTHER, PAIR):
        check(np.empty_like, dtype)
        check(np.zeros_like, dtype)
    assert njit(lambda r: np.ones_like(r, np.float32))(records).tolist() == np.ones(shape).tolist()
    assert njit(lambda r: np.full_like(r, 2.5, np.float64))(records).tolist() == np.full(shape, 2.5).tolist()
    assert njit(lambda r: np.empty_like(r))(records).dtype == PAIR


def test_records_like_numbers():
    f = njit(lambda a: np.zeros_like(a, dtype=PAIR))
    assert f(np.ones((2, 2))).dtype == PAIR and f(np.ones(3)).tolist() == [(0, 0.0)] * 3
