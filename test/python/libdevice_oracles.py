"""What functions of libdevice are compared with: exact values by integers and fractions, others by libm and series."""

import ctypes
import ctypes.util
import math
import re

import exact_floats as exact
import numpy as np
from exact_floats import signed

# --- What has one exact value ----------------------------------------------------------------------------------------


def bits(value):
    return int(np.float32(value).view(np.int32))


def bits64(value):
    return int(np.float64(value).view(np.int64))


def byte_perm(a, b, selector):
    source = (a & 0xFFFFFFFF) | (b & 0xFFFFFFFF) << 32
    chosen = [source >> 8 * (selector >> 4 * i & 7) & 255 for i in range(4)]
    return signed(sum(c << 8 * i for i, c in enumerate(chosen)), 32)


def u32(x):
    return int(x) & 0xFFFFFFFF


def u64(x):
    return int(x) & 0xFFFFFFFFFFFFFFFF


def lowest(x, bits):
    return (x & -x).bit_length() if x & ((1 << bits) - 1) else 0


def reverse(x, width):
    return signed(int(f"{x & ((1 << width) - 1):0{width}b}"[::-1], 2), width)


INTEGERS = {
    "abs": lambda x: signed(abs(x), 32), "llabs": lambda x: signed(abs(x), 64), "max": max, "min": min,
    "llmax": max, "llmin": min, "umax": lambda x, y: max(x, y, key=u32), "umin": lambda x, y: min(x, y, key=u32),
    "ullmax": lambda x, y: max(x, y, key=u64), "ullmin": lambda x, y: min(x, y, key=u64),
    "popc": lambda x: u32(x).bit_count(), "popcll": lambda x: u64(x).bit_count(),
    "clz": lambda x: 32 - u32(x).bit_length(), "clzll": lambda x: 64 - u64(x).bit_length(),
    "ffs": lambda x: lowest(x, 32), "ffsll": lambda x: lowest(x, 64),
    "brev": lambda x: reverse(x, 32), "brevll": lambda x: reverse(x, 64), "byte_perm": byte_perm,
    "mulhi": lambda x, y: x * y >> 32, "mul64hi": lambda x, y: x * y >> 64,
    "umulhi": lambda x, y: signed(u32(x) * u32(y) >> 32, 32),
    "umul64hi": lambda x, y: signed(u64(x) * u64(y) >> 64, 64),
    "mul24": lambda x, y: signed(signed(x, 24) * signed(y, 24), 32),
    "umul24": lambda x, y: signed((x & 0xFFFFFF) * (y & 0xFFFFFF), 32),
    "sad": lambda x, y, z: signed(abs(x - y) + z, 32), "usad": lambda x, y, z: signed(abs(u32(x) - u32(y)) + z, 32),
    "hadd": lambda x, y: x + y >> 1, "rhadd": lambda x, y: x + y + 1 >> 1,
    "uhadd": lambda x, y: signed(u32(x) + u32(y) >> 1, 32), "urhadd": lambda x, y: signed(u32(x) + u32(y) + 1 >> 1, 32),
    "float_as_int": bits, "float_as_uint": bits, "double_as_longlong": bits64,
    "double2hiint": lambda x: bits64(x) >> 32, "double2loint": lambda x: signed(bits64(x), 32),
    "hiloint2double": lambda x, y: float(np.int64(signed(x << 32 | u32(y), 64)).view(np.float64)),
    "int_as_float": lambda x: float(np.int32(x).view(np.float32)),
    "uint_as_float": lambda x: float(np.int32(x).view(np.float32)),
    "longlong_as_double": lambda x: float(np.int64(x).view(np.float64)),
    "half2float": lambda x: float(np.int16(x).view(np.float16)),
}  # fmt: skip


def half_of(x):
    return math.copysign(exact.rounded(x, "e"), x) if math.isfinite(x) else x


def nearest(x):
    return float(np.rint(x))


def away(x):
    """To the nearest, halves away from zero."""
    return math.copysign(math.floor(exact.Fraction(abs(x)) + exact.Fraction(1, 2)), x)


def finite_or(function):
    return lambda x: function(x) if math.isfinite(x) else x


def integer_of(function, bits=64):
    limit = 1 << (bits - 1)
    return lambda x: exact.to_integer(function(x) if math.isfinite(x) else x, "rn", -limit, limit - 1, -limit)


def least(x, y):
    return y if math.isnan(x) else x if math.isnan(y) else min(x, y, key=lambda v: (v, math.copysign(1, v)))


def greatest(x, y):
    return y if math.isnan(x) else x if math.isnan(y) else max(x, y, key=lambda v: (v, math.copysign(1, v)))


def difference(code):
    return lambda x, y: math.nan if x != x or y != y else exact.sub(x, y, code, "rn") if x > y else 0.0


def fmod(x, y):
    return math.nan if math.isinf(x) or y == 0 or x != x or y != y else math.fmod(x, y)


def remainder(x, y):
    return math.nan if math.isinf(x) or y == 0 or x != x or y != y else math.remainder(x, y)


def scaled(code):
    def scale(x, n):
        if not math.isfinite(x) or x == 0:
            return x
        n = max(-5000, min(5000, n))
        return exact.rounded(exact.Fraction(x) * exact.Fraction(2) ** n, code)

    return scale


def fraction(x):
    return (x, None) if not math.isfinite(x) else math.frexp(x)


def parts(x):
    if math.isnan(x):
        return x, x
    return math.modf(x)


def next_after(dtype):
    return lambda x, y: float(np.nextafter(dtype(x), dtype(y)))


def exponent(x):
    return x if math.isnan(x) else math.inf if math.isinf(x) else -math.inf if x == 0 else float(math.frexp(x)[1] - 1)


def whole_exponent(x):
    """None where CUDA does not say."""
    return None if x == 0 or not math.isfinite(x) else math.frexp(x)[1] - 1


OF_FLOATS = {
    "ceil": lambda code: finite_or(lambda x: math.copysign(math.ceil(x), x)),
    "floor": lambda code: finite_or(lambda x: math.copysign(math.floor(x), x)),
    "trunc": lambda code: finite_or(lambda x: math.copysign(math.trunc(x), x)),
    "rint": lambda code: nearest, "nearbyint": lambda code: nearest, "round": lambda code: finite_or(away),
    "fabs": lambda code: abs, "fmin": lambda code: least, "fmax": lambda code: greatest, "fdim": difference,
    "copysign": lambda code: math.copysign, "fmod": lambda code: fmod, "remainder": lambda code: remainder,
    "ldexp": scaled, "scalbn": scaled, "frexp": lambda code: fraction, "modf": lambda code: parts,
    "logb": lambda code: exponent, "ilogb": lambda code: whole_exponent,
    "nextafter": lambda code: next_after(np.float32 if code == "f" else np.float64),
    "sqrt": lambda code: lambda x: exact.sqrt(x, code, "rn"),
    "fma": lambda code: lambda x, y, z: exact.fma(x, y, z, code, "rn"),
    "llrint": lambda code: integer_of(nearest), "llround": lambda code: integer_of(away),
}  # fmt: skip
TESTS = {
    "isnand": math.isnan, "isnanf": math.isnan, "isinfd": math.isinf, "isinff": math.isinf,
    "isfinited": math.isfinite, "finitef": math.isfinite, "signbitd": np.signbit, "signbitf": np.signbit,
}  # fmt: skip
ARITHMETIC = re.compile(r"([df])(add|sub|mul|div|rcp|sqrt|rsqrt)_(r[nduz])")
FUSED = re.compile(r"fma(f?)(?:_ieee)?_(r[nduz])")
CONVERSION = re.compile(r"(double|float|int|uint|ll|ull)2(double|float|int|uint|ll|ull)_(r[nduz])")
WIDTHS = {"int": 32, "uint": 32, "ll": 64, "ull": 64}


def conversion(source, target, mode):
    if target in ("float", "double"):
        code = "f" if target == "float" else "d"
        if source == "double":
            return lambda x: math.copysign(exact.rounded(x, code, mode), x) if math.isfinite(x) else x
        return lambda n: exact.rounded(n % (1 << WIDTHS[source]) if source[0] == "u" else n, code, mode)
    width, unsigned = WIDTHS[target], target[0] == "u"
    low, high = (0, (1 << width) - 1) if unsigned else (-1 << (width - 1), (1 << (width - 1)) - 1)
    of_nan = 0 if source == "float" and width == 32 else 1 << (width - 1)
    return lambda x: signed(exact.to_integer(x, mode, low, high, of_nan), width)


def oracle(name):
    """The function of Python that has the exact value, or None."""
    if match := ARITHMETIC.fullmatch(name):
        return lambda *values: getattr(exact, match[2])(*values, match[1], match[3])
    if match := FUSED.fullmatch(name):
        return lambda x, y, z: exact.fma(x, y, z, match[1] or "d", match[2])
    if match := CONVERSION.fullmatch(name):
        return conversion(*match.groups())
    if name == "float2half_rn":
        return lambda x: None if x != x else signed(int(np.float16(half_of(x)).view(np.uint16)), 16)
    if name == "saturatef":
        return lambda x: None if x == 0 else min(max(x, 0.0), 1.0) if x == x else 0.0
    if name in INTEGERS or name in TESTS:
        return INTEGERS.get(name) or (lambda *values: TESTS[name](*values))
    if name in OF_FLOATS:
        return OF_FLOATS[name]("d")
    if name[-1] == "f" and name[:-1] in OF_FLOATS:
        return OF_FLOATS[name[:-1]]("f")
    return None


# --- What is within some units in the last place ---------------------------------------------------------------------

LIBM = ctypes.CDLL(ctypes.util.find_library("m"))


def of_libm(name, *types):
    function = getattr(LIBM, name)
    function.restype, function.argtypes = ctypes.c_double, types or [ctypes.c_double]
    return function


def newton(function, slope, target, x):
    for _ in range(60):
        x -= (function(x) - target) / slope(x)
    return x


def slope_of_erf(x):
    return 2 / math.sqrt(math.pi) * math.exp(-x * x)


def erfcinv(x):
    if x > 1.5:
        return -erfcinv(2 - x)
    if x > 0.5:
        return -newton(math.erf, slope_of_erf, x - 1, 0.0)
    logarithm = math.log(x)
    return newton(
        lambda y: math.log(math.erfc(y)), lambda y: -slope_of_erf(y) / math.erfc(y), logarithm, math.sqrt(-logarithm)
    )


def erfinv(x):
    return math.copysign(erfcinv(1 - abs(x)), x) if abs(x) > 0.5 else newton(math.erf, slope_of_erf, x, x)


def bessel_i(order):
    def term(x, k):
        return (x / 2) ** (2 * k + order) / math.factorial(k) / math.factorial(k + order)

    return lambda x: math.fsum(term(x, k) for k in range(60))


def norm(*values):
    return math.sqrt(math.fsum(v * v for v in values))


def of_pi(function):
    """sin or cos of pi times x."""
    return lambda x: function(math.pi * float(exact.Fraction(x) % 2)) if abs(x) < 1e6 else math.nan


# By name: the function, the units that NVIDIA's "CUDA C++ Programming Guide" gives for float64 and float32, and one for
# libm; the sizes of x between which they are asked for; an error that is allowed besides, where there are zeros.
REFERENCES = {
    "exp": (math.exp, 2, 3, 0, 80, 0), "exp2": (lambda x: 2.0**x, 2, 3, 0, 120, 0),
    "exp10": (lambda x: 10.0**x, 3, 3, 0, 36, 0), "expm1": (math.expm1, 2, 2, 0, 80, 0),
    "log": (math.log, 2, 2, 0, 1e300, 0), "log2": (math.log2, 2, 2, 0, 1e300, 0),
    "log10": (math.log10, 2, 3, 0, 1e300, 0), "log1p": (math.log1p, 2, 2, 0, 1e300, 0),
    "sin": (math.sin, 3, 3, 0, 1e300, 0), "cos": (math.cos, 3, 3, 0, 1e300, 0), "tan": (math.tan, 3, 5, 0, 1e300, 0),
    "sinpi": (of_pi(math.sin), 3, 3, 0, 1e5, 2e-15), "cospi": (of_pi(math.cos), 3, 3, 0, 1e5, 2e-15),
    "asin": (math.asin, 3, 3, 0, 1, 0), "acos": (math.acos, 3, 3, 0, 1, 0), "atan": (math.atan, 3, 3, 0, 1e300, 0),
    "atan2": (math.atan2, 3, 4, 0, 1e300, 0), "sinh": (math.sinh, 3, 4, 0, 80, 0), "cosh": (math.cosh, 2, 3, 0, 80, 0),
    "tanh": (math.tanh, 2, 3, 0, 1e300, 0), "asinh": (math.asinh, 4, 4, 0, 1e300, 0),
    "acosh": (math.acosh, 4, 5, 1, 1e300, 0), "atanh": (math.atanh, 3, 4, 0, 0.99, 0),
    "pow": (math.pow, 3, 5, 0, 1e300, 0), "cbrt": (lambda x: math.copysign(abs(x) ** (1 / 3), x), 8, 2, 1e-4, 1e4, 0),
    "rcbrt": (lambda x: math.copysign(abs(x) ** (-1 / 3), x), 8, 2, 1e-4, 1e4, 0),
    "hypot": (math.hypot, 3, 4, 0, 1e150, 0),
    "rhypot": (lambda x, y: 1 / math.hypot(x, y), 3, 3, 1e-100, 1e100, 0),
    "rsqrt": (lambda x: 1 / math.sqrt(x), 3, 3, 0, 1e300, 0),
    "norm3d": (norm, 3, 4, 1e-10, 1e10, 0), "norm4d": (norm, 3, 4, 1e-10, 1e10, 0),
    "rnorm3d": (lambda *v: 1 / norm(*v), 4, 4, 1e-10, 1e10, 0),
    "rnorm4d": (lambda *v: 1 / norm(*v), 4, 4, 1e-10, 1e10, 0),
    "erf": (math.erf, 3, 3, 0, 1e300, 0), "erfc": (math.erfc, 6, 5, 0, 9, 0),
    "erfcx": (lambda x: math.exp(x * x) * math.erfc(x), 14, 5, 0, 2, 0),
    "erfinv": (erfinv, 7, 3, 0, 0.999, 0), "erfcinv": (erfcinv, 9, 5, 0, 1.99, 2e-16),
    "normcdf": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, 20, 7, 0, 3, 0),
    "normcdfinv": (lambda x: -math.sqrt(2) * erfcinv(2 * x), 11, 6, 0, 0.999, 2e-16),
    "tgamma": (math.gamma, 12, 6, 1e-4, 30, 0), "lgamma": (of_libm("lgamma"), 6, 7, 2.5, 1e300, 0),
    "j0": (of_libm("j0"), 8, 10, 0, 8, 3e-15), "j1": (of_libm("j1"), 8, 10, 0, 8, 3e-15),
    "y0": (of_libm("y0"), 8, 10, 1e-3, 8, 3e-15), "y1": (of_libm("y1"), 8, 10, 1e-3, 8, 3e-15),
    "jn": (of_libm("jn", ctypes.c_int, ctypes.c_double), 0, 0, 0.1, 8, 5e-12),
    "yn": (of_libm("yn", ctypes.c_int, ctypes.c_double), 100, 100, 1, 8, 5e-12),
    "cyl_bessel_i0": (bessel_i(0), 9, 7, 0, 20, 0), "cyl_bessel_i1": (bessel_i(1), 9, 7, 0, 20, 0),
    "powi": (math.pow, 100, 100, 0.5, 2, 0),
    "fast_sin": (math.sin, 0, 0, 0, 3, 2**-20.9), "fast_cos": (math.cos, 0, 0, 0, 3, 2**-20.9),
    "fast_tan": (math.tan, 0, 40, 0, 1.4, 2**-19), "fast_tanh": (math.tanh, 0, 2**14, 0, 1e30, 2**-10),
    "fast_log": (math.log, 0, 4, 1e-30, 1e30, 2**-21), "fast_log2": (math.log2, 0, 3, 1e-30, 1e30, 2**-21),
    "fast_log10": (math.log10, 0, 4, 1e-30, 1e30, 2**-21), "fast_exp": (math.exp, 0, 110, 0, 80, 0),
    "fast_exp10": (lambda x: 10.0**x, 0, 110, 0, 36, 0), "fast_fdivide": (lambda x, y: x / y, 0, 3, 1e-30, 1e30, 0),
    "fast_pow": (math.pow, 0, 2**13, 0.01, 8, 0),
}  # fmt: skip
# float32's are less accurate beside a zero of the function.
BESIDE_ZEROS = {"j0f": 2.2e-6, "j1f": 2.2e-6, "y0f": 2.2e-6, "y1f": 2.2e-6, "jnf": 2.2e-6, "ynf": 2.2e-6,
                "sinpif": 1e-7, "cospif": 1e-7, "erfcinvf": 1e-7, "normcdfinvf": 1e-7}  # fmt: skip
# Where they are asked for besides.
USUAL = {"fast_powf": lambda x, y: x > 0, "lgamma": lambda x: x > 0, "lgammaf": lambda x: x > 0,
         "powi": lambda x, n: abs(n) < 100, "powif": lambda x, n: abs(n) < 100}  # fmt: skip
# Of several results, and the functions that each is one of.
SEVERAL = {"sincos": ("sin", "cos"), "sincosf": ("sinf", "cosf"), "sincospi": ("sinpi", "cospi"),
           "sincospif": ("sinpif", "cospif"), "fast_sincosf": ("fast_sinf", "fast_cosf")}  # fmt: skip
SINGLE = {"fast_fdividef": "fast_fdivide", "powif": "powi", "norm3df": "norm3d", "rnorm3df": "rnorm3d",
          "norm4df": "norm4d", "rnorm4df": "rnorm4d"}  # fmt: skip


def reference(name):
    """A row of REFERENCES for a function of either type: function, units, least and most size, error besides."""
    base = name if name in REFERENCES else SINGLE.get(name, name[:-1])
    function, double, single, least, most, besides = REFERENCES[base]
    return (function, double, least, most, besides) if base == name and "fast" not in name else (
        function, single, least, min(most, 1e30), BESIDE_ZEROS.get(name, besides)
    )  # fmt: skip
