"""np.frexp and np.modf of scalars and arrays."""

import numpy as np
import pytest
from compare import define
from pyarray import errors

VALUES = [0.0, -0.0, 0.5, -2.5, 10.5, 3.0, 1e-310, -5e-324, 1e300, np.inf, -np.inf, np.nan, 65504.0, 1e-7]


def same(got, wanted):
    assert type(got) is tuple and len(got) == 2
    for a, b in zip(got, wanted, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
        assert np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a), np.signbit(b)), (a, b)


def function(name):
    return define(f"def f(x):\n    return np.{name}(x)\n")


@pytest.mark.parametrize("name", ["frexp", "modf"])
def test_scalars(name):
    f = function(name)
    for value in VALUES:
        got, want = f(value), getattr(np, name)(value)
        assert np.array_equal(got, want, equal_nan=True) and np.array_equal(np.signbit(got), np.signbit(want))
        with np.errstate(over="ignore"):
            single = np.float32(value)
        fraction, other = f(single)
        want = getattr(np, name)(single)
        assert np.array_equal([fraction, other], want, equal_nan=True)
    assert f(7) == getattr(np, name)(7)
    with pytest.raises(errors.TypingError):
        f(1j)


@pytest.mark.parametrize("name", ["frexp", "modf"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.uint16, np.int64, np.bool_])
def test_arrays(name, dtype):
    f = function(name)
    values = VALUES if np.dtype(dtype).kind == "f" else [0, 1, 2, 3, 100, 7]
    with np.errstate(over="ignore"):
        a = np.array(values).astype(dtype)
    both = np.concatenate([a, a[: len(a) % 2]])
    for x in (a, a[::-1], a[::3], both.reshape(2, -1).T, both.reshape(2, -1)[:, :0], np.array(a[3])):
        got, wanted = f(x), getattr(np, name)(x)
        if x.ndim:
            same(got, wanted)
        else:  # scalars, which become Python's own
            assert np.array_equal(got, wanted, equal_nan=True)


def test_lists():
    same(function("modf")([1.5, -2.25]), np.modf([1.5, -2.25]))
    same(function("frexp")((1.5, -2.25)), np.frexp((1.5, -2.25)))
