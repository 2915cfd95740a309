"""item, tolist and tobytes of arrays, and records as values: bool, item, unpacking."""

import numpy as np
import pytest
from compare import agrees, define
from pyarray import njit
from pyarray.errors import TypingError

ARRAYS = [
    np.arange(6.0),
    np.arange(24).reshape(2, 3, 4),
    np.arange(12, dtype="f4").reshape(3, 4).T,
    np.arange(12).reshape(3, 4)[::-1, ::2],
    np.zeros((0, 2)),
    np.ones((1, 1)),
]


@pytest.mark.parametrize("a", ARRAYS, ids=lambda a: str(a.shape))
def test_lists_and_bytes(a):
    def lists(a):
        return a.tolist()

    def texts(a):
        return a.tobytes(), a.tobytes("F"), a.tobytes(order="A"), a.T.tobytes("A")

    assert njit(lists)(a) == a.tolist()
    assert njit(texts)(a) == texts(a)


@pytest.mark.parametrize("index", ["2", "-1", "(1,)", "99", "-99"])
def test_items_of_one_dimension(index):
    agrees(define_item(index), np.arange(6))


@pytest.mark.parametrize("index", ["1, 2", "(1, 2)", "4", "-1", "6", "-7", "2, 0", "0, 5"])
def test_items_of_two_dimensions(index):
    agrees(define_item(index), np.arange(6.0).reshape(2, 3))


def define_item(index):
    f = define(f"def f(a):\n    return a.item({index})\n")
    return f.py_func


def test_indices_that_do_not_fit():
    with pytest.raises(ValueError, match="incorrect number of indices"):
        define("def f(a):\n    return a.item(0, 1, 2)\n")(np.zeros((2, 2)))
    assert define("def f(a):\n    return a.item(()) + a.item()\n")(np.ones((1, 1))) == 2


KIND = np.dtype([("n", "i8"), ("v", "f4"), ("name", "S4"), ("inner", [("a", "i4"), ("b", "i4")])])
PLAIN = np.dtype([("n", "i8"), ("v", "f8")])


def records():
    rows = np.zeros(3, KIND)
    rows[1] = (1, 0.5, b"ab", (3, 4))
    rows[2]["inner"]["b"] = 7
    return rows


def test_records():
    def truths(rows):
        return [bool(r) for r in rows], [not r for r in rows], sum([1 for r in rows if r])

    def plain(rows):
        return rows[1].item(), rows[1].tolist(), rows.tolist(), rows.item(1), rows.item(-2)

    assert njit(truths)(records()) == truths(records())
    assert njit(plain)(records()) == plain(records())


def test_records_are_unpacked():
    def f(rows):
        total = 0.0
        for n, v in rows:
            total += n * v
        n, v = rows[1]
        return total, n, v, [n for n, _ in rows]

    rows = np.array([(1, 0.5), (2, 1.5)], PLAIN)
    assert njit(f)(rows) == f(rows)
    with pytest.raises(TypingError, match="too many values to unpack"):
        define("def f(rows):\n    (a,) = rows[0]\n    return a\n")(rows)
    with pytest.raises(TypingError, match="not enough values to unpack"):
        define("def f(rows):\n    a, b, c = rows[0]\n    return a\n")(rows)


def test_identity_of_arrays():
    @njit
    def same(a, b):
        return a is b, a is not b

    a, records = np.arange(6.0).reshape(2, 3), np.zeros(3, [("x", "f8")])
    assert same(a, a) == (True, False) and same(a, a.copy()) == (False, True)
    assert same(a, a.T) == same(a, a[0]) == same(a, a.view("i8")) == same(a, None) == (False, True)
    assert same(a[0], a[1]) == same(a[:1], a) == (False, True)
    assert same(records, records) == (True, False) and same(records, records.copy()) == (False, True)

    @njit
    def within(a, n):
        b = a
        if n > 2:
            b = a.T.copy().T
        return np.sqrt(a, out=a) is a, b is a, np.asarray(a) is a, a.copy() is a

    assert within(a, 1) == (True, True, True, False) and within(a, 3) == (True, False, True, False)


@pytest.mark.parametrize("call", ["pow(a, 2)", "pow(2.0, a)", "pow(a, a)"])
def test_pow_of_arrays(call):
    agrees(define(f"def f(a):\n    return {call}\n"), np.arange(4.0))
