"""Functions of ``cuda.fp16`` beside those that are operations, and conversions with other roundings."""

import numpy as np

from .._intrinsics import add_rn, float16_bits, float16_of_bits, fma, mul_rn
from .halves import bits_above, bits_below, greatest, is_beyond, least, positive_part, within_unit


def hadd_rn(a, b):
    """``a + b``, rounded before anything else is done with it."""
    return np.float16(add_rn(np.float32(np.float16(a)), np.float32(np.float16(b))))


def hsub_rn(a, b):
    """``a - b``, rounded before anything else is done with it."""
    return np.float16(add_rn(np.float32(np.float16(a)), -np.float32(np.float16(b))))


def hmul_rn(a, b):
    """``a * b``, rounded before anything else is done with it."""
    return np.float16(mul_rn(np.float32(np.float16(a)), np.float32(np.float16(b))))


def hadd_sat(a, b):
    """``a + b`` within 0 and 1; of NaN 0."""
    return within_unit(np.float16(a) + np.float16(b), np.float16(0), np.float16(1))


def hsub_sat(a, b):
    """``a - b`` within 0 and 1; of NaN 0."""
    return within_unit(np.float16(a) - np.float16(b), np.float16(0), np.float16(1))


def hmul_sat(a, b):
    """``a * b`` within 0 and 1; of NaN 0."""
    return within_unit(np.float16(a) * np.float16(b), np.float16(0), np.float16(1))


def hfma_sat(a, b, c):
    """``a * b + c``, rounded once, within 0 and 1; of NaN 0."""
    return within_unit(fma(np.float16(a), np.float16(b), np.float16(c)), np.float16(0), np.float16(1))


def hfma_relu(a, b, c):
    """``a * b + c``, rounded once; 0 where it is negative."""
    return positive_part(fma(np.float16(a), np.float16(b), np.float16(c)), np.float16(0))


def hne(a, b):
    """Whether the two are numbers and differ."""
    return np.float16(a) < np.float16(b) or np.float16(a) > np.float16(b)


def hequ(a, b):
    """Whether the two are equal, or one is NaN."""
    return not (np.float16(a) < np.float16(b) or np.float16(a) > np.float16(b))


def hltu(a, b):
    """Whether ``a`` is less than ``b``, or one is NaN."""
    return not np.float16(a) >= np.float16(b)


def hleu(a, b):
    """Whether ``a`` is not greater than ``b``, or one is NaN."""
    return not np.float16(a) > np.float16(b)


def hgtu(a, b):
    """Whether ``a`` is greater than ``b``, or one is NaN."""
    return not np.float16(a) <= np.float16(b)


def hgeu(a, b):
    """Whether ``a`` is not less than ``b``, or one is NaN."""
    return not np.float16(a) < np.float16(b)


def hmax_nan(a, b):
    """The greater one; NaN if either is."""
    return greatest(np.float16(a), np.float16(b))


def hmin_nan(a, b):
    """The lesser one; NaN if either is."""
    return least(np.float16(a), np.float16(b))


def hisnan(a):
    """1 if it is NaN, else 0."""
    return np.int32(np.float16(a) != np.float16(a))


def hisinf(a):
    """-1 or 1 if it is infinite, else 0."""
    return infinity_of(np.float16(a))


def infinity_of(x):
    """-1, 0 or 1."""
    return np.int32(0) if x - x == 0 or x != x else np.int32(1) if x > 0 else np.int32(-1)


def rounded_down(x):
    """``x`` as a float16, not above it."""
    y = np.float16(x)
    return float16_of_bits(bits_below(float16_bits(y))) if y > x else y


def rounded_up(x):
    """``x`` as a float16, not below it."""
    y = np.float16(x)
    return float16_of_bits(bits_above(float16_bits(y))) if y < x else y


def rounded_inwards(x):
    """``x`` as a float16, not further from 0."""
    y = np.float16(x)
    return float16_of_bits(np.uint16(float16_bits(y) - 1)) if is_beyond(y, x) else y


def float2half_rn(x):
    """A float32 as a float16, rounded to the nearest."""
    return np.float16(np.float32(x))


def float2half_rz(x):
    """A float32 as a float16, rounded towards zero."""
    return rounded_inwards(np.float32(x))


def float2half_rd(x):
    """A float32 as a float16, rounded downwards."""
    return rounded_down(np.float32(x))


def float2half_ru(x):
    """A float32 as a float16, rounded upwards."""
    return rounded_up(np.float32(x))


def short2half_rn(x):
    """A int16 as a float16, rounded to the nearest."""
    return np.float16(np.int16(x))


def short2half_rz(x):
    """A int16 as a float16, rounded towards zero."""
    return rounded_inwards(np.int16(x))


def short2half_rd(x):
    """A int16 as a float16, rounded downwards."""
    return rounded_down(np.int16(x))


def short2half_ru(x):
    """A int16 as a float16, rounded upwards."""
    return rounded_up(np.int16(x))


def ushort2half_rn(x):
    """A uint16 as a float16, rounded to the nearest."""
    return np.float16(np.uint16(x))


def ushort2half_rz(x):
    """A uint16 as a float16, rounded towards zero."""
    return rounded_inwards(np.uint16(x))


def ushort2half_rd(x):
    """A uint16 as a float16, rounded downwards."""
    return rounded_down(np.uint16(x))


def ushort2half_ru(x):
    """A uint16 as a float16, rounded upwards."""
    return rounded_up(np.uint16(x))


def int2half_rn(x):
    """A int32 as a float16, rounded to the nearest."""
    return np.float16(np.int32(x))


def int2half_rz(x):
    """A int32 as a float16, rounded towards zero."""
    return rounded_inwards(np.int32(x))


def int2half_rd(x):
    """A int32 as a float16, rounded downwards."""
    return rounded_down(np.int32(x))


def int2half_ru(x):
    """A int32 as a float16, rounded upwards."""
    return rounded_up(np.int32(x))


def uint2half_rn(x):
    """A uint32 as a float16, rounded to the nearest."""
    return np.float16(np.uint32(x))


def uint2half_rz(x):
    """A uint32 as a float16, rounded towards zero."""
    return rounded_inwards(np.uint32(x))


def uint2half_rd(x):
    """A uint32 as a float16, rounded downwards."""
    return rounded_down(np.uint32(x))


def uint2half_ru(x):
    """A uint32 as a float16, rounded upwards."""
    return rounded_up(np.uint32(x))


def ll2half_rn(x):
    """A int64 as a float16, rounded to the nearest."""
    return np.float16(np.int64(x))


def ll2half_rz(x):
    """A int64 as a float16, rounded towards zero."""
    return rounded_inwards(np.int64(x))


def ll2half_rd(x):
    """A int64 as a float16, rounded downwards."""
    return rounded_down(np.int64(x))


def ll2half_ru(x):
    """A int64 as a float16, rounded upwards."""
    return rounded_up(np.int64(x))


def ull2half_rn(x):
    """A uint64 as a float16, rounded to the nearest."""
    return np.float16(np.uint64(x))


def ull2half_rz(x):
    """A uint64 as a float16, rounded towards zero."""
    return rounded_inwards(np.uint64(x))


def ull2half_rd(x):
    """A uint64 as a float16, rounded downwards."""
    return rounded_down(np.uint64(x))


def ull2half_ru(x):
    """A uint64 as a float16, rounded upwards."""
    return rounded_up(np.uint64(x))


def half2char_rz(x):
    """A float16 as an int8, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.int8(np.trunc(np.float32(np.float16(x))))


def half2uchar_rz(x):
    """A float16 as a uint8, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.uint8(np.trunc(np.float32(np.float16(x))))


def half2short_rn(x):
    """A float16 as an int16, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.int16(np.rint(np.float32(np.float16(x))))


def half2short_rz(x):
    """A float16 as an int16, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.int16(np.trunc(np.float32(np.float16(x))))


def half2short_rd(x):
    """A float16 as an int16, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.int16(np.floor(np.float32(np.float16(x))))


def half2short_ru(x):
    """A float16 as an int16, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.int16(np.ceil(np.float32(np.float16(x))))


def half2ushort_rn(x):
    """A float16 as a uint16, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.uint16(np.rint(np.float32(np.float16(x))))


def half2ushort_rz(x):
    """A float16 as a uint16, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.uint16(np.trunc(np.float32(np.float16(x))))


def half2ushort_rd(x):
    """A float16 as a uint16, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.uint16(np.floor(np.float32(np.float16(x))))


def half2ushort_ru(x):
    """A float16 as a uint16, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.uint16(np.ceil(np.float32(np.float16(x))))


def half2int_rn(x):
    """A float16 as an int32, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.int32(np.rint(np.float32(np.float16(x))))


def half2int_rz(x):
    """A float16 as an int32, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.int32(np.trunc(np.float32(np.float16(x))))


def half2int_rd(x):
    """A float16 as an int32, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.int32(np.floor(np.float32(np.float16(x))))


def half2int_ru(x):
    """A float16 as an int32, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.int32(np.ceil(np.float32(np.float16(x))))


def half2uint_rn(x):
    """A float16 as a uint32, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.uint32(np.rint(np.float32(np.float16(x))))


def half2uint_rz(x):
    """A float16 as a uint32, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.uint32(np.trunc(np.float32(np.float16(x))))


def half2uint_rd(x):
    """A float16 as a uint32, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.uint32(np.floor(np.float32(np.float16(x))))


def half2uint_ru(x):
    """A float16 as a uint32, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.uint32(np.ceil(np.float32(np.float16(x))))


def half2ll_rn(x):
    """A float16 as an int64, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.int64(np.rint(np.float32(np.float16(x))))


def half2ll_rz(x):
    """A float16 as an int64, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.int64(np.trunc(np.float32(np.float16(x))))


def half2ll_rd(x):
    """A float16 as an int64, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.int64(np.floor(np.float32(np.float16(x))))


def half2ll_ru(x):
    """A float16 as an int64, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.int64(np.ceil(np.float32(np.float16(x))))


def half2ull_rn(x):
    """A float16 as a uint64, rounded to the nearest; the nearest there is, and 0 of NaN."""
    return np.uint64(np.rint(np.float32(np.float16(x))))


def half2ull_rz(x):
    """A float16 as a uint64, rounded towards zero; the nearest there is, and 0 of NaN."""
    return np.uint64(np.trunc(np.float32(np.float16(x))))


def half2ull_rd(x):
    """A float16 as a uint64, rounded downwards; the nearest there is, and 0 of NaN."""
    return np.uint64(np.floor(np.float32(np.float16(x))))


def half2ull_ru(x):
    """A float16 as a uint64, rounded upwards; the nearest there is, and 0 of NaN."""
    return np.uint64(np.ceil(np.float32(np.float16(x))))


def half2float(x):
    """A float16 as a float32, which is exact."""
    return np.float32(np.float16(x))
