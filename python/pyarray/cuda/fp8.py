"""``cuda.fp8``: floating-point numbers of 8 bits, as bits, in kernels and in functions of ``njit``.

E4M3 has three binary digits behind the point, numbers up to 448, and NaN but no infinity; E5M2 two, numbers up to
57344, infinities and NaN (Micikevicius et al., FP8 Formats for Deep Learning, 2022). E8M0 is a power of two from
2**-127 to 2**127, or NaN, with no sign: the scale of a block of numbers (OCP Microscaling Formats, 2023). In arrays
they are bits, uint8.
"""

import enum
import math
import typing

import numpy as np

from ..decorators import njit


class saturation_t(enum.IntEnum):
    """What becomes of what is too large: infinity or NaN, or the largest number."""

    NOSAT = 0
    SATFINITE = 1


class fp8_interpretation_t(enum.IntEnum):
    """What the bits mean."""

    E4M3 = 0
    E5M2 = 1


class round_t(enum.IntEnum):
    """The roundings of `cvt_float_to_e8m0`."""

    ZERO = 1
    POS_INF = 2


SaturationMode, FP8Format = saturation_t, fp8_interpretation_t

_NAN, _INFINITY = 0x7F, 0x7C
_NAN_E8M0, _BIAS_E8M0 = 0xFF, 127


@njit
def _encode(x, saturate, digits, bias, most, beyond):
    """The bits nearest to ``x``, ties to even ones: ``most`` are the largest, ``beyond`` what is greater."""
    if x != x:
        return np.uint8(_NAN)
    sign = 0x80 if math.copysign(1.0, x) < 0 else 0
    size = abs(x)
    if size == 0:
        return np.uint8(sign)
    if size == np.inf:
        return np.uint8(sign | (most if saturate else beyond))
    _, power = math.frexp(size)
    exponent = max(power - 1, 1 - bias)  # below, numbers are as far apart as there
    whole = int(np.rint(math.ldexp(size, digits - exponent)))
    code = ((exponent - 1 + bias) << digits) + whole if exponent < 64 else most + 1
    if code > most:
        code = most if saturate else beyond
    return np.uint8(sign | code)


@njit
def _decode(bits, digits, bias):
    exponent = (bits & 0x7F) >> digits
    fraction = bits & ((1 << digits) - 1)
    if exponent == 0:
        size = math.ldexp(float(fraction), 1 - bias - digits)
    else:
        size = math.ldexp(float(fraction + (1 << digits)), exponent - bias - digits)
    return -size if bits & 0x80 else size


@njit
def _to_fp8(x, saturate, kind):
    if kind == 0:
        return _encode(x, saturate, 3, 7, 0x7E, _NAN)
    return _encode(x, saturate, 2, 15, 0x7B, _INFINITY)


@njit
def cvt_double_to_fp8(x, saturate, fp8_interpretation):
    """The bits of the number nearest to a float64, a uint8."""
    return _to_fp8(np.float64(x), saturate, fp8_interpretation)


@njit
def cvt_float_to_fp8(x, saturate, fp8_interpretation):
    """The bits of the number nearest to a float32, a uint8."""
    return _to_fp8(np.float64(np.float32(x)), saturate, fp8_interpretation)


@njit
def bfloat16_to_fp8(x, saturate, fp8_interpretation):
    """The bits of the number nearest to a bfloat16, a uint8."""
    return _to_fp8(np.float64(x), saturate, fp8_interpretation)


@njit
def cvt_double2_to_fp8x2(x, saturate, fp8_interpretation):
    """Both numbers of a `cuda.double2`, a uint16: the first one's bits are the low ones."""
    low, high = _to_fp8(x.x, saturate, fp8_interpretation), _to_fp8(x.y, saturate, fp8_interpretation)
    return np.uint16(int(low) | int(high) << 8)


@njit
def cvt_float2_to_fp8x2(x, saturate, fp8_interpretation):
    """Both numbers of a `cuda.float2`, a uint16: the first one's bits are the low ones."""
    low = _to_fp8(np.float64(x.x), saturate, fp8_interpretation)
    high = _to_fp8(np.float64(x.y), saturate, fp8_interpretation)
    return np.uint16(int(low) | int(high) << 8)


@njit
def fp8_to_float32(bits, fp8_interpretation):
    """The number that bits mean, exactly, a float32."""
    whole = int(bits)
    if fp8_interpretation == 0:
        return np.float32(np.nan if whole & 0x7F == _NAN else _decode(whole, 3, 7))
    if whole & 0x7F > _INFINITY:
        return np.float32(np.nan)
    if whole & 0x7F == _INFINITY:
        return np.float32(-np.inf if whole & 0x80 else np.inf)
    return np.float32(_decode(whole, 2, 15))


@njit
def _to_e8m0(x, saturate, rounding):
    size = abs(x)
    if size != size or (size == np.inf and not saturate):
        return np.uint8(_NAN_E8M0)
    if size == np.inf:
        return np.uint8(_NAN_E8M0 - 1)
    if size == 0:
        return np.uint8(0)
    fraction, power = math.frexp(size)
    code = power - 1 + _BIAS_E8M0
    if rounding == 2 and fraction != 0.5:
        code += 1
    if code >= _NAN_E8M0:
        return np.uint8(_NAN_E8M0 - 1 if saturate else _NAN_E8M0)
    return np.uint8(max(code, 0))


@njit
def cvt_double_to_e8m0(x, saturate, rounding):
    """The bits of a power of two that is not above the absolute value (`round_t.ZERO`), or not below it."""
    return _to_e8m0(np.float64(x), saturate, rounding)


@njit
def cvt_float_to_e8m0(x, saturate, rounding):
    """The same of a float32."""
    return _to_e8m0(np.float64(np.float32(x)), saturate, rounding)


@njit
def e8m0_to_float32(bits):
    """The power of two that bits mean, a float32."""
    whole = int(bits)
    return np.float32(np.nan if whole == _NAN_E8M0 else math.ldexp(1.0, whole - _BIAS_E8M0))


class E4M3(typing.NamedTuple):
    """A number of 8 bits, as a value of compiled code."""

    bits: np.uint8


class E5M2(typing.NamedTuple):
    """A number of 8 bits, as a value of compiled code."""

    bits: np.uint8


@njit
def fp8_e4m3(x):
    """The `E4M3` nearest to a number; of what is too large the largest."""
    return E4M3(_to_fp8(np.float64(x), True, 0))


@njit
def fp8_e5m2(x):
    """The `E5M2` nearest to a number; of what is too large the largest."""
    return E5M2(_to_fp8(np.float64(x), True, 1))


float32_to_fp8, float64_to_fp8 = cvt_float_to_fp8, cvt_double_to_fp8
float32x2_to_fp8x2, float64x2_to_fp8x2 = cvt_float2_to_fp8x2, cvt_double2_to_fp8x2
float32_to_e8m0, float64_to_e8m0 = cvt_float_to_e8m0, cvt_double_to_e8m0
