"""``np.fft`` through NumPy's own transforms: equal to the bit."""

import numpy as np
import pytest
from compare import copied, expression, outcome
from pyarray import njit


def numbers(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 99, shape).astype(dtype)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def check(text, *arguments):
    function = expression(text, "a, n" if len(arguments) > 1 else "a")
    ours, theirs = outcome(function, copied(arguments)), outcome(function.py_func, copied(arguments))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "raised":
        assert ours[1] is theirs[1] and (ours[2] == theirs[2] or theirs[2][0] in str(ours[2])), (ours, theirs)
        return
    assert ours[1].dtype == theirs[1].dtype and ours[1].shape == theirs[1].shape
    np.testing.assert_array_equal(ours[1], theirs[1])


COMPLEX = ["np.fft.fft(a)", "np.fft.ifft(a)", "np.fft.irfft(a)"]
NORMS = ["None", "'backward'", "'ortho'", "'forward'"]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "f2"])
@pytest.mark.parametrize("text", [*COMPLEX, "np.fft.rfft(a)"])
def test_dtypes(text, dtype):
    if "rfft" in text and "irfft" not in text and dtype.startswith("c"):
        return
    for shape in [2, 7, 8, 30, 128, (3, 10), (2, 3, 9)]:
        check(text, numbers(dtype, shape))


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_points_axes_and_norms(name):
    dtype = "f8" if name == "rfft" else "c16"
    for norm in NORMS:
        check(f"np.fft.{name}(a, norm={norm})", numbers(dtype, 9))
    for points in [1, 4, 5, 16, 21]:
        check(f"np.fft.{name}(a, n)", numbers(dtype, 10), points)
    for axis in [0, 1, -1, -2]:
        check(f"np.fft.{name}(a, axis={axis})", numbers(dtype, (6, 5)))
    check(f"np.fft.{name}(a, 4, 0)", numbers(dtype, (6, 5)))
    check(f"np.fft.{name}(a)", numbers(dtype, (12, 10))[::2, ::-1])


def test_errors():
    check("np.fft.fft(a, n)", numbers("f8", 5), 0)
    check("np.fft.fft(a)", np.zeros(0))
    check("np.fft.fft(a, norm='odd')", numbers("f8", 5))
    check("np.fft.fft(a, axis=2)", numbers("f8", (2, 2)))
    check("np.fft.hfft(a, norm='odd')", numbers("f8", 5))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i4"])
def test_transforms_of_what_is_symmetric(dtype):
    for text in ["hfft(a)", "hfft(a, 5, norm='ortho')", "ihfft(a)", "ihfft(a, 5, 0, 'forward')"]:
        check(f"np.fft.{text}", numbers(dtype, (6, 4)))


def into(a, out, wrong):
    """Of transforms, some of several axes, into arrays that are given, and one that is no output."""
    np.fft.fft(a, out=out[0])
    np.fft.ifft(a, norm="ortho", out=out[1])
    np.fft.fft2(a, out=out[2])
    np.fft.ifftn(a, axes=(0,), out=out[3])
    return np.fft.fft(a, out=wrong)


def test_outputs():
    a = numbers("c16", (4, 6))
    found, wanted = np.zeros((4, 4, 6), "c16"), np.zeros((4, 4, 6), "c16")
    compiled = njit(into)
    for wrong in [np.zeros((4, 6), "c8"), np.zeros((6, 4), "c16"), np.zeros(6, "c16")]:
        outcomes = []
        for function, out in ((compiled, found), (into, wanted)):
            try:
                outcomes.append(function(a, out, wrong.copy()).tolist())
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
        np.testing.assert_array_equal(found, wanted)
    kept = np.zeros((4, 6), "c16")
    assert njit(lambda a, out: np.fft.fft(a, out=out))(a, kept) is kept
