"""np.packbits, np.unpackbits, np.binary_repr and np.base_repr, against NumPy."""

import numpy as np
import pytest
from compare import expression, outcome
from pyarray import njit


def same(function, *arguments):
    ours, theirs = outcome(function, arguments), outcome(function.py_func, arguments)
    if ours[0] == theirs[0] == "returned" and isinstance(theirs[1], np.ndarray):
        assert ours[1].dtype == theirs[1].dtype and (ours[1].size == 0 or ours[1].strides == theirs[1].strides)
        assert ours[1].tolist() == theirs[1].tolist() and ours[1].shape == theirs[1].shape
    else:
        assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("axis, order", [(None, "big"), (0, "little"), (-1, "big"), (3, "big"), (1, "odd")])
def test_packed(axis, order):
    rng = np.random.default_rng(2)
    pack = expression(f"np.packbits(a, {axis}, '{order}')", "a")
    for shape in ((3, 17), (16, 8), (1, 1), (0, 3), (3, 0)):
        bits = rng.integers(-1, 2, shape)
        for each in (bits, bits > 0, bits.T, bits[::-1, ::2]):
            same(pack, each)


@pytest.mark.parametrize("axis, order", [(None, "big"), (0, "little"), (-1, "big"), (3, "big"), (1, "odd")])
def test_unpacked(axis, order):
    rng = np.random.default_rng(2)
    unpack = expression(f"np.unpackbits(a, {axis}, n, '{order}')", "a, n")
    for shape in ((3, 5), (1, 1), (0, 3), (3, 0)):
        packed = rng.integers(0, 256, shape).astype("u1")
        for each in (packed, packed.T, packed[::-1, ::2]):
            for count in (None, 0, 7, 8, 13, 99, -1, -8, -41, -999):
                if each.size or not count or count < 0:  # NumPy leaves memory as it is for the bits of nothing
                    same(unpack, each, count)


def test_one_dimension_and_none():
    same(njit(lambda a: np.packbits(a)), np.array([1, 0, 1, 1, 0, 0, 0, 0, 1]))
    same(njit(lambda a: np.packbits(a)), np.array(5))
    same(njit(lambda a: np.unpackbits(a)), np.array(5, np.uint8))
    same(expression("np.packbits([True, False, True])", ""))


def test_wrong_types():
    for text, value in (("np.packbits(a)", np.array([1.0])), ("np.unpackbits(a)", np.array([1]))):
        ours, theirs = (outcome(each, (value,)) for each in (expression(text, "a"), expression(text, "a").py_func))
        assert ours[0] == theirs[0] == "raised" and str(theirs[2][0]) in str(ours[2][0])


def test_numbers():
    binary = njit(lambda n, width: np.binary_repr(n, width))
    for n in (*range(-40, 40), 127, 128, -128, -129, 2**63 - 1, -(2**63), -(2**62), -(2**62) - 1):
        for width in (None, 0, 1, 5, 8, 64):
            same(binary, n, width)
    base = njit(lambda n, base, padding: np.base_repr(n, base, padding))
    for n in (0, 1, -1, 35, 36, -255, 2**63 - 1, -(2**63)):
        for b in (1, 2, 3, 16, 36, 37):
            for padding in (0, 1, 4):
                same(base, n, b, padding)
