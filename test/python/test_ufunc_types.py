"""Every ufunc of NumPy with every pair of dtypes: the same dtypes and values, and a refusal where NumPy has no loop.

One function has a ufunc, one dtype on the left, and all those on the right that NumPy takes. A run compiles one dtype
on the left for each ufunc; with PYARRAY_RANDOM_TESTS another one each time, with PYARRAY_ALL_UFUNCS all of them.
"""

import os
import random
import warnings

import numpy as np
import pytest
from compare import define
from pyarray.errors import PyArrayError

DTYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 M8[D] m8[s]".split()
GENERALIZED = {"matmul", "matvec", "vecdot", "vecmat"}  # which have tests of their own
UFUNCS = sorted(
    name
    for name in dir(np)
    if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).__name__ == name and name not in GENERALIZED
)


def numbers(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([0, 1, 1, 0, 1, 0, 1], dtype)
    if dtype.kind == "u":
        return np.array([0, 1, 2, 3, 7, np.iinfo(dtype).max, 5], dtype)
    if dtype.kind == "i":
        return np.array([0, 1, -2, 3, 7, np.iinfo(dtype).min, 5], dtype)
    if dtype.kind == "f":
        return np.array([0, 1.5, -2.25, np.nan, 0.25, np.inf, -0.0], dtype)
    if dtype.kind == "c":
        return np.array([0, 1.5 + 1j, -2.25, np.nan, 0.25j, 3 - 2j, 2], dtype)
    return np.array([0, 1, -2, 3, "NaT", 11, 5], dtype)


def theirs(name, arguments):
    """What NumPy gives: a tuple of arrays, or the exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = getattr(np, name)(*arguments)
        except Exception as problem:
            return problem
    return result if isinstance(result, tuple) else (result,)


def ours(name, left, rights):
    """One function for all of them."""
    parameters = ["a", *(f"b{i}" for i in range(len(rights)))]
    calls = [f"np.{name}(a, {b})" for b in parameters[1:]] or [f"np.{name}(a)"]
    function = define(f"def f({', '.join(parameters)}):\n    return {', '.join(calls)},\n")
    return [found if isinstance(found, tuple) else (found,) for found in function(left, *rights)]


def compare(mine, other, what):
    assert mine.dtype == other.dtype, (what, mine.dtype, other.dtype)
    if other.dtype.kind == "c":
        compare(mine.real, other.real, what)
        compare(mine.imag, other.imag, what)
    elif other.dtype.kind == "f":
        # The most that functions of complex numbers, and powers of those, differ by: docs/accuracy.md.
        eps = np.finfo(other.dtype).eps
        np.testing.assert_allclose(mine, other, rtol=32 * eps, atol=8 * eps, err_msg=what)
    else:
        np.testing.assert_array_equal(mine, other, err_msg=what)


def lefts():
    if os.environ.get("PYARRAY_ALL_UFUNCS"):
        return [(name, dtype) for name in UFUNCS for dtype in DTYPES]
    first = random.SystemRandom().randrange(16) if os.environ.get("PYARRAY_RANDOM_TESTS") else 0
    return [(name, DTYPES[(first + 5 * k) % len(DTYPES)]) for k, name in enumerate(UFUNCS)]


@pytest.mark.parametrize("name, left", lefts())
def test_ufunc(name, left):
    a, taken, expected = numbers(left), [], []
    for right in DTYPES if getattr(np, name).nin == 2 else [None]:
        b = [] if right is None else [numbers(right)]
        result = theirs(name, [a, *b])
        if isinstance(result, TypeError):
            with pytest.raises((PyArrayError, TypeError)):
                ours(name, a, b)
        elif isinstance(result, tuple):  # what raises by its values has tests elsewhere
            taken += b
            expected.append((right, result))
    if not expected:
        return
    for found, (right, result) in zip(ours(name, a, taken), expected, strict=True):
        for mine, other in zip(found, result, strict=True):
            compare(mine, other, f"np.{name} of {left} and {right}")
