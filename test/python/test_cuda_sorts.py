"""Sorts on a GPU (``library/device/sorts.py``): every type of numbers, rows of one block and of several, and order."""

import numpy as np
import pyarray
import pytest
from pyarray import cuda

pytestmark = pytest.mark.real

RNG = np.random.default_rng(7)
TYPES = ["?", "i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8"]
# What a block sorts, one element more, a tile and its neighbours, several tiles.
LENGTHS = [1, 33, 2048, 2049, 6144, 6145, 15000]


def both(a):
    return np.sort(a), np.argsort(a, kind="stable")


def bits(a):
    return a.view(f"u{a.dtype.itemsize}")


def numbers(dtype, length):
    """Of the whole range."""
    if dtype.kind == "b":
        return RNG.random(length) < 0.5
    if dtype.kind == "f":
        return RNG.normal(size=length).astype(dtype)
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max, size=length, dtype=dtype, endpoint=True)


def few(dtype, length):
    """Many alike; of floats, all that are no plain numbers too."""
    if dtype.kind == "b":
        return np.ones(length, dtype)
    if dtype.kind != "f":
        return RNG.integers(0 if dtype.kind == "u" else -5, 60, size=length).astype(dtype)
    odd = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0, 1, -1], dtype)
    return odd[RNG.integers(0, len(odd), size=length)]


@pytest.mark.parametrize("name", TYPES)
def test_every_type(name):
    dtype = np.dtype(name)
    compiled = pyarray.njit(target="cuda")(both)
    for length in LENGTHS:
        for a in (numbers(dtype, length), few(dtype, length), np.zeros(length, dtype)):
            made, order = compiled(a)
            np.testing.assert_array_equal(made, np.sort(a))
            np.testing.assert_array_equal(order, np.argsort(a, kind="stable"))
            assert (np.sort(bits(made)) == np.sort(bits(a))).all()  # of NaN too


def test_digits_that_order_nothing_are_left_out():
    """An odd number of them, and sorting in place, which needs an even one."""
    compiled = pyarray.njit(target="cuda")(lambda a: a.sort())
    for shift in range(0, 57, 8):
        for mask in (0xFF, 0xFF00FF, 0xFF00FF00FF):
            a = (RNG.integers(0, 1 << 40, size=7000) & mask).astype(np.uint64) << np.uint64(min(shift, 24))
            expected = np.sort(a)
            on_device = cuda.to_device(a)
            compiled(on_device)
            np.testing.assert_array_equal(on_device.copy_to_host(), expected)


@pytest.mark.parametrize("shape, axis", [((3, 7000), -1), ((2, 2, 2049), -1), ((40, 100), -1), ((40, 100), 0)])
def test_rows(shape, axis):
    a = RNG.integers(-9, 9, size=shape).astype(np.float32)
    compiled = pyarray.njit(target="cuda")(lambda a: (np.sort(a, axis=axis), np.argsort(a, axis=axis, kind="stable")))
    made, order = compiled(a)
    np.testing.assert_array_equal(made, np.sort(a, axis=axis))
    np.testing.assert_array_equal(order, np.argsort(a, axis=axis, kind="stable"))


def test_the_argument_stays_as_it_was():
    a = numbers(np.dtype("f4"), 7000)
    given = cuda.to_device(a)
    made, _ = pyarray.njit(target="cuda")(both)(given)
    np.testing.assert_array_equal(given.copy_to_host(), a)
    np.testing.assert_array_equal(made.copy_to_host(), np.sort(a))


def test_few_kernels():
    """One for each thing: what a first call takes is what they are compiled in."""
    for function in (np.sort, np.argsort):
        compiled = pyarray.njit(target="cuda")(lambda a: function(a))  # noqa: B023
        compiled(np.ones(7000, np.float32))
        text = compiled.inspect_mlir("optimized", compiled.signatures[0])
        launched = {line.split("@")[1].split("(")[0] for line in text.splitlines() if "pyarray.launch @" in line}
        assert len(launched) == 3, launched
