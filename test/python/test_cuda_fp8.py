"""Numbers of 8 bits in kernels, beside ml_dtypes."""

import math

import numpy as np
import pytest
from pyarray import cuda, errors, types
from pyarray.cuda import fp8

ml_dtypes = pytest.importorskip("ml_dtypes")
NUMBERS = np.concatenate(
    [
        [0.0, -0.0, np.inf, -np.inf, np.nan, 448, 464, 464.0001, 480, 500, 57344, 61440, 61439.9, 1e300, 5e-324],
        np.random.default_rng(1).normal(size=2000) * 10.0 ** np.random.default_rng(2).integers(-8, 7, 2000),
        np.arange(-512, 513) / 1024,
        2.0 ** np.arange(-30, 20),
        2.0 ** np.arange(-30, 20) * 1.0625,
    ]
)
KINDS = {fp8.FP8Format.E4M3: ml_dtypes.float8_e4m3fn, fp8.FP8Format.E5M2: ml_dtypes.float8_e5m2}


@cuda.jit
def encode(x, saturate, kind, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = fp8.cvt_double_to_fp8(x[i], saturate, kind)


@cuda.jit
def decode(bits, kind, out):
    i = cuda.grid(1)
    if i < bits.size:
        out[i] = fp8.fp8_to_float32(bits[i], kind)


@pytest.mark.parametrize("kind", KINDS)
def test_all_bits(kind):
    bits, out = np.arange(256, dtype=np.uint8), np.zeros(256, np.float32)
    decode[2, 128](bits, kind, out)
    np.testing.assert_array_equal(out, bits.view(KINDS[kind]).astype(np.float32))
    back = np.zeros(256, np.uint8)
    encode[2, 128](out.astype(np.float64), fp8.SaturationMode.NOSAT, kind, back)
    number = ~np.isnan(out)
    np.testing.assert_array_equal(back[number], bits[number])
    assert (back[~number] == 0x7F).all()


@pytest.mark.parametrize("kind", KINDS)
def test_to_the_nearest(kind):
    out = np.zeros(NUMBERS.size, np.uint8)
    encode[32, 128](NUMBERS, fp8.SaturationMode.NOSAT, kind, out)
    # ml_dtypes rounds float64 by way of float32
    with np.errstate(over="ignore"):
        exact = NUMBERS == NUMBERS.astype(np.float32)
        want = NUMBERS.astype(KINDS[kind])
    got = out.view(KINDS[kind]).astype(np.float32)
    np.testing.assert_array_equal(got[exact], want.astype(np.float32)[exact])
    encode[32, 128](NUMBERS, fp8.SaturationMode.SATFINITE, kind, out)
    got = out.view(KINDS[kind]).astype(np.float64)
    most = 448.0 if kind == fp8.FP8Format.E4M3 else 57344.0
    large = np.abs(NUMBERS) > most
    np.testing.assert_array_equal(got[large], np.copysign(most, NUMBERS[large]))
    assert np.isnan(got[np.isnan(NUMBERS)]).all()


def test_pairs_and_values():
    @cuda.jit
    def kernel(v, out, numbers):
        out[0] = fp8.cvt_float2_to_fp8x2(v[0], fp8.saturation_t.SATFINITE, fp8.fp8_interpretation_t.E4M3)
        number = fp8.fp8_e4m3(v[0].x)
        numbers[0] = fp8.fp8_to_float32(number.bits, fp8.fp8_interpretation_t.E4M3)
        numbers[1] = fp8.fp8_to_float32(fp8.fp8_e5m2(1e9).bits, fp8.fp8_interpretation_t.E5M2)

    v, out, numbers = np.zeros(1, cuda.float2), np.zeros(1, np.uint16), np.zeros(2)
    v["x"], v["y"] = 1.5, -2
    kernel[1, 1](v, out, numbers)
    assert out[0] == 0x3C | 0xC0 << 8 and numbers.tolist() == [1.5, 57344]
    cuda.compile_ptx(kernel.py_func, (types.from_dtype(v.dtype)[::1], types.uint16[::1], types.float64[::1]), cc=(9, 0))


def test_a_value_is_no_number():
    @cuda.jit
    def kernel(out):
        out[0] = np.float32(fp8.fp8_e4m3(1.0))

    with pytest.raises(errors.TypingError):
        kernel[1, 1](np.zeros(1))


def test_powers_of_two():
    @cuda.jit
    def kernel(x, down, up, back):
        i = cuda.grid(1)
        if i < x.size:
            down[i] = fp8.cvt_float_to_e8m0(x[i], fp8.saturation_t.SATFINITE, fp8.round_t.ZERO)
            up[i] = fp8.cvt_float_to_e8m0(x[i], fp8.saturation_t.SATFINITE, fp8.round_t.POS_INF)
            back[i] = fp8.e8m0_to_float32(down[i])

    x = np.array([1, 1.5, -3, 0.1, 0, np.inf, np.nan], np.float32)
    down, up, back = np.zeros(7, np.uint8), np.zeros(7, np.uint8), np.zeros(7, np.float32)
    kernel[1, 8](x, down, up, back)
    assert down.tolist() == [127, 127, 128, 123, 0, 254, 255] and up.tolist() == [127, 128, 129, 124, 0, 254, 255]
    assert back[:4].tolist() == [1, 1, 2, 0.0625] and math.isnan(back[6])
