"""Operands of array expressions that are no arrays, and what NumPy's functions take besides."""

import numpy as np
import pytest
from arrays import check, filled, laid_out
from compare import define, expression
from pyarray.errors import PyArrayError


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%", "<", "=="])
def test_lists_and_tuples_beside_arrays(operator):
    check(
        expression(f"a {operator} [1, 2, 3], (3, 2, 1) {operator} a, a {operator} range(1, 4)", "a"),
        filled((2, 3), "f8"),
    )
    check(expression(f"a {operator} [x, 2.5, 3], [[1], [x]] {operator} a", "a, x"), filled((2, 3), "f4"), 2)


def test_powers_of_lists_and_tuples():
    function = expression("a ** [1, 2, 3], (3, 2, 1) ** a, [[1], [x]] ** a", "a, x")
    a = filled((2, 3), "f8")
    for ours, theirs in zip(function(a, 2.5), function.py_func(a, 2.5), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-15)  # loops of powers are within 4 ULP (docs/accuracy.md)


def test_lists_in_place():
    check(define("def f(a):\n    a += [1, 2, 3]\n    a[0] *= (2, 2, 0)\n    return a\n"), filled((2, 3), "f8"))


def test_functions_of_lists():
    check(
        expression(
            "np.sqrt([1.0, x]), np.add(a, [1, 2, 3]), np.maximum((1, 5, 2), a), np.where(a > 2, [1, 2, 3], a)", "a, x"
        ),
        filled((2, 3), "f8"),
        4.0,
    )


def test_divmod():
    check(expression("divmod(a, b), divmod(a, 2), np.divmod(b, a)", "a, b"), filled((2, 3), "i4"), filled((3,), "i4"))
    check(expression("divmod(a, 0.75)", "a"), filled((2, 3), "f8"))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
def test_dtype_of_functions(dtype):
    check(
        expression(
            f"np.add(a, b, dtype='{dtype}'), np.multiply(a, 2, dtype='{dtype}'), np.sqrt(a, dtype='{dtype}')", "a, b"
        ),
        filled((2, 3), "i2"),
        filled((3,), "i4"),
    )


def test_dtype_of_integers():
    check(
        expression("np.add(a, a, dtype=np.int64), np.subtract(a, b, dtype='i4')", "a, b"),
        filled((3,), "i1"),
        filled((3,), "u1"),
    )


@pytest.mark.parametrize(
    "text",
    ["np.add(a, a, dtype='i4')", "np.less(a, a, dtype='f8')", "np.add(a, a, where=a)", "np.add(a, a, dtype='V8')"],
)
def test_what_has_no_loop(text):
    with pytest.raises(PyArrayError):
        expression(text, "a")(np.ones(3))


@pytest.mark.parametrize("layout", ["C", "F", "sliced"])
def test_where_of_functions(layout):
    a, mask = laid_out(filled((2, 3), "f8"), layout), filled((2, 3), "?")
    check(
        define("def f(a, m, o):\n    r = np.sqrt(a, out=o, where=m)\n    np.add(a, 1, o, where=~m)\n    return r\n"),
        a,
        mask,
        np.zeros((2, 3)),
    )
    check(define("def f(a, m, o):\n    return np.divide(a, m, out=o, where=m[0])\n"), a, mask, np.full((2, 3), -1.0))
    check(define("def f(a, m):\n    return np.multiply(a, 2, where=m)\n"), a, np.ones((2, 3), bool))
    check(
        define("def f(a, m):\n    a[...] = np.add(a, a, out=a, where=m, dtype='f8')\n    return a\n"),
        filled((2, 3), "f8"),
        mask,
    )


def test_where_broadcasts():
    check(define("def f(a, m):\n    return np.add(a, 1, where=m)\n"), filled((3,), "f8"), np.ones((2, 3), bool))
    check(define("def f(a, o):\n    return np.add(a, 1, out=o, where=False)\n"), filled((3,), "f8"), np.zeros(3))


@pytest.mark.parametrize("text", ["1 if a else 2", "a and b", "a or b", "not a", "bool(a)"])
@pytest.mark.parametrize("shape", [(2,), (0,), (1,), (2, 2)])
def test_truth(text, shape):
    if shape == (0,):
        f = expression(text, "a, b")
        with pytest.raises(ValueError, match="truth value of an empty array"):
            f(np.zeros(0), np.zeros(0))
        return
    check(expression(text, "a, b"), filled(shape, "f8"), filled(shape, "f8") * 2)


def test_conversions_within_expressions():
    check(expression("(a.astype(np.float32) * 2 + a.astype('i8')).astype(np.int16)", "a"), filled((2, 3), "f8"))
