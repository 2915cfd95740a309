"""Checks of check.py: sorts of arrays on a GPU, whose blocks wait for each other there."""

import numpy as np
from checking import SCALE, check
from pyarray import njit

LENGTHS = [2049, 20_011, 3_000_001]  # a tile, a few, as many as wait for each other


def numbers(dtype, length, rng):
    """Of the whole range, NaN and zeros with signs among floats."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(length) < 0.5
    if dtype.kind == "f":
        odd = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0], dtype)
        return np.where(rng.random(length) < 0.1, rng.choice(odd, length), rng.normal(size=length)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, size=length, dtype=dtype, endpoint=True)


def refuse_difference(given, made, order):
    """AssertionError where that is not what NumPy gives."""
    bits = f"u{given.dtype.itemsize}"
    np.testing.assert_array_equal(made, np.sort(given))
    np.testing.assert_array_equal(order, np.argsort(given, kind="stable"))
    assert (np.sort(made.view(bits)) == np.sort(given.view(bits))).all()


@check
def sorts_of_all_types():
    """Results and bits are NumPy's, for rows of one tile and of many."""
    rng = np.random.default_rng(1)
    both = njit(target="cuda")(lambda a: (np.sort(a), np.argsort(a, kind="stable")))
    rows = njit(target="cuda")(lambda a: (np.sort(a, axis=1), np.argsort(a, axis=1, kind="stable")))
    for dtype in "? i1 u1 i2 u2 f2 i4 u4 f4 i8 u8 f8".split():
        for length in LENGTHS:
            a = numbers(dtype, max(length // SCALE, 1), rng)
            refuse_difference(a, *both(a))
        a = numbers(dtype, 5 * 40_000, rng).reshape(5, 40_000)
        for given, made, order in zip(a, *rows(a)):
            refuse_difference(given, made, order)
    return f"12 types, up to {LENGTHS[-1] // SCALE} elements"
