# ruff: noqa: E501  (expressions)
"""Methods of NumPy's ufuncs (python/pyarray/_numpy_ufuncs.py), against NumPy."""

import numpy as np
import pytest
from arrays import check as whole_check
from compare import define, expression
from pyarray.errors import PyArrayError
from test_array_functions import check, numbers

BINARY = "add subtract multiply divide maximum fmin hypot arctan2 less logical_and power".split()


@pytest.mark.parametrize("name", BINARY)
def test_outer(name):
    for dtype in ("i4", "f4", "f8"):
        a, b = abs(numbers(dtype, (3,))) + 1, abs(numbers(dtype, (2, 2), 2)) + 1
        check(
            f"np.{name}.outer(a, b), np.{name}.outer(b, a), np.{name}.outer(a, 2), np.{name}.outer([1, 2], a)",
            "a, b",
            a,
            b,
        )
    check(
        "np.add.outer(2, 3), np.add.outer(a, a, out=np.empty((3, 3))), np.add.outer(a, a, dtype=np.float32)",
        "a",
        np.arange(3.0),
    )


@pytest.mark.parametrize("name", "hypot fmax fmin logaddexp subtract divide logical_xor copysign".split())
def test_reduce(name):
    for dtype in ("i4", "f4", "f8"):
        a = numbers(dtype, (3, 4))
        for arguments in (
            "a",
            "a, 1",
            "a, axis=-1",
            "a[0]",
            "a, 0, keepdims=True",
            "a, axis=None",
            "a, axis=2",
            "a[:0]",
        ):
            check(f"np.{name}.reduce({arguments})", "a", a)
    check(f"np.{name}.reduce(a, 1, None, out)", "a, out", numbers("f8", (3, 4)), np.empty(3))
    check(f"np.{name}.reduce(a, k)", "a, k", numbers("f8", (3, 4)), 1)


@pytest.mark.parametrize("name", "gcd lcm bitwise_and".split())
def test_reduce_of_integers(name):
    check(f"np.{name}.reduce(a), np.{name}.reduce(a, axis=1), np.{name}.reduce(a[0])", "a", np.array([[6, 4], [8, 12]]))


@pytest.mark.parametrize("name", "subtract divide logical_and logical_or fmax hypot".split())
def test_accumulate(name):
    for dtype in ("i4", "f8"):
        a = numbers(dtype, (3, 4)) + 5
        check(
            f"np.{name}.accumulate(a), np.{name}.accumulate(a, 1), np.{name}.accumulate(a[0]), np.{name}.accumulate(a[:0])",
            "a",
            a,
        )
    check("np.bitwise_xor.accumulate(a), np.gcd.accumulate(a)", "a", np.array([12, 18, 4]))
    check("np.subtract.accumulate(a, 2)", "a", numbers("f8", (3, 4)))


@pytest.mark.parametrize("name", "add multiply maximum subtract logical_or".split())
def test_reduceat(name):
    for dtype in ("i1", "f8"):
        a = numbers(dtype, (5, 6))
        check(
            f"np.{name}.reduceat(a, [0, 3, 1]), np.{name}.reduceat(a, k, axis=1), np.{name}.reduceat(a[0], k)",
            "a, k",
            a,
            np.array([2, 2, 5, 0]),
        )
    check(f"np.{name}.reduceat(a, [0, 9])", "a", np.arange(3.0))


@pytest.mark.parametrize("name", "negative square sqrt isnan".split())
def test_at_of_one_number(name):
    """Places that are there twice are changed twice."""
    a = numbers("f8", (4, 3))
    for index in ("1", "[0, 0, 2]", "k", "a[:, 0] > 2", "(slice(None), [0, 0])", "[9]"):
        text = f"def f(a, k):\n    np.{name}.at(a, {index})\n    return a\n"
        whole_check(define(text), np.abs(a), np.array([1, 1, 3]))


def test_constants():
    check("np.add.nin, np.add.nout, np.modf.nout, np.multiply.identity, np.matmul.signature", "")


@pytest.mark.parametrize(
    "text", ["np.less.reduce(a)", "np.sin.reduce(a)", "np.matmul.outer(a, a)", "np.add.whatever(a)"]
)
def test_refusals(text):
    with pytest.raises(PyArrayError, match="is not supported in compiled code"):
        expression(text, "a")(np.arange(3.0))
