"""What is in the loops of ufuncs on a GPU: exact divisions, large bodies. Or in the emulator."""

import cmath
import math

import numpy as np
import pytest
from pyarray import cuda, vectorize

pytestmark = pytest.mark.real


# Exact divisions are lines of PTX, with one function for rare cases of each type; numbers of float64 are in memory.
def test_divisions_and_constants_in_ptx():
    @vectorize(["float64(float64, float64, float32, float32)"], target="cuda")
    def quotients(a, b, c, d):
        return a / b * 0.1 + c / d + b / a

    ptx = quotients.inspect_ptx(cc=(9, 0))
    assert "div.rn" not in ptx
    for bits in 32, 64:
        assert ptx.count(f") pyarray_dev_rare_quotient_f{bits}(") == 1
        assert f"call (pa_z), pyarray_dev_rare_quotient_f{bits}, (pa_x, pa_y);" in ptx
    assert ".const .align 8 .b64 pyarray_constants[1] = {0x3FB999999999999A};" in ptx
    assert "ld.const.f64 %pa_k0, [pyarray_constants+0];" in ptx


def _edges(dtype):
    """Numbers at the edges of the ranges, and random bits."""
    info, bits = np.finfo(dtype), np.dtype(f"u{np.dtype(dtype).itemsize}")
    random = np.random.default_rng(7).integers(0, np.iinfo(bits).max, 1000, bits, endpoint=True).view(dtype)
    special = np.array([0, 1, 3, np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, 1 - info.epsneg], dtype)
    values = np.concatenate([special, special * dtype(0.75), random])
    return np.concatenate([values, -values])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_quotients_are_those_of_numpy(dtype):
    signature = f"{np.dtype(dtype)}({np.dtype(dtype)}, {np.dtype(dtype)})"
    divide = vectorize([signature], target="cuda")(lambda a, b: a / b)
    values = _edges(dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(values[::3], values))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(divide(a, b), a / b)


def _real_body(x, y):
    return math.exp(x) / (math.exp(y) + math.exp(x * y))


def _complex_body(x, y):
    return cmath.exp(x) / (cmath.exp(y) + cmath.exp(x * y))


# A large body goes through one loop, whatever is aligned and left over; numbers stay numbers in all its rows.
@pytest.mark.parametrize("n", [1, 2, 127, 2047, 2048, 2049, 5000])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_large_bodies(n, start, dtype):
    name = str(np.dtype(dtype))
    compute = vectorize([f"{name}({name}, {name})"], target="cuda")(
        _complex_body if dtype is np.complex64 else _real_body
    )
    x = (np.arange(n + start) % 7 / 5).astype(dtype)
    out = cuda.to_device(np.full(n + start + 1, -1, dtype))
    there = cuda.to_device(x)
    for y in there, dtype(0.25):
        compute(there[start:], y[start:] if y is there else y, out=out[start:-1])
        part, other = x[start:], x[start:] if y is there else y
        wanted = np.exp(part) / (np.exp(other) + np.exp(part * other))
        np.testing.assert_allclose(out.copy_to_host()[start:-1], wanted, rtol=1e-5)
    assert out.copy_to_host()[-1] == -1
