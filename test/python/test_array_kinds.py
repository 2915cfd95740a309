"""What dtypes and values are, and arrays of what comes one after the other."""

import numpy as np
import pytest
from arrays import check
from compare import define, expression

KINDS = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f8", "c8"])
def test_isdtype(dtype):
    a = np.zeros(2, dtype)
    for kind in KINDS:
        check(expression(f"np.isdtype(a.dtype, '{kind}')", "a"), a)
    check(expression("np.isdtype(a.dtype, ('bool', 'integral')), np.isdtype(a.dtype, np.float64)", "a"), a)
    check(expression("np.isdtype(a.dtype, (np.int8, 'real floating')), np.isdtype(np.int64, 'numeric')", "a"), a)
    check(expression("np.isdtype(a.dtype, 'number')", "a"), a)


@pytest.mark.parametrize("dtype", ["i1", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_common_type(dtype):
    a, h = np.zeros(2, dtype), np.zeros(3, "f4")
    f = expression(
        "np.zeros(2, np.common_type(a)), np.zeros(2, np.common_type(a, h)), np.zeros(1, np.common_type(h, h, a))",
        "a, h",
    )
    check(f, a, h)


def test_iterable():
    check(
        expression("np.iterable(a), np.iterable(a[0]), np.iterable(3), np.iterable([1]), np.iterable('ab')", "a"),
        np.ones(2),
    )
    check(expression("np.iterable((1, 2)), np.iterable(None), np.iterable(2.5), np.iterable(np.zeros(()))", ""))


def test_fromiter():
    check(
        expression(
            "np.fromiter([1, 2, 3], np.int64), np.fromiter((1.5, 2.5), np.float32), np.fromiter(range(40), 'u1')", ""
        )
    )
    check(expression("np.fromiter((e * 2 for e in a), np.float64), np.fromiter(a, np.int64, 3)", "a"), np.arange(50.0))
    check(
        expression("np.fromiter([1, 2, 3], np.int64, 0), np.fromiter(range(0), np.int64), np.fromiter({5}, 'f8')", "")
    )
    check(expression("np.fromiter([1, 2, 3], np.int64, count=4)", ""))
    check(expression("np.fromiter(['a', 'bc'], 'U2')", ""))


def test_fromiter_takes_no_more_than_it_needs():
    code = "def f(n):\n    it = (i for i in range(n))\n    a = np.fromiter(it, np.int64, 2)\n    return a, next(it)\n"
    check(define(code), 5)


def test_mask_indices():
    check(
        expression("np.mask_indices(3, np.triu), np.mask_indices(4, np.tril, -1), np.mask_indices(2, np.triu, k=1)", "")
    )


def test_apply_over_axes():
    c = np.arange(24.0).reshape(2, 3, 4)
    check(expression("np.apply_over_axes(np.sum, c, (0, 2)), np.apply_over_axes(np.max, c, -1)", "c"), c)
    check(expression("np.apply_over_axes(np.cumsum, c, (0, 1)), np.apply_over_axes(np.mean, c[0], (1,))", "c"), c)
