"""bfloat16 in kernels: ``cuda.bf16`` against exact rationals, arrays of ml_dtypes, atomics, PTX."""

import math
import operator
import re
from fractions import Fraction

import numpy as np
import pytest
from compare import define
from pyarray import cuda, errors, float32, from_dtype, njit, types, uint16
from pyarray.cuda import bf16
from test_cuda_ptx import ARCHITECTURES, PTXAS, assemble, needs_libdevice

pytestmark = pytest.mark.real

COUNT = 1024
MOST = Fraction(2**8 - 1) * 2**120
ROUNDINGS = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}
INTEGERS = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]


def value_of(bits):
    """Of bits as uint16: float64, which holds all."""
    with np.errstate(invalid="ignore"):
        return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def rounded(number, how="rn", zero=0.0):
    """A Fraction as a bfloat16, a float. ``zero``: where it is 0."""
    if number == 0:
        return zero
    sign, size = (-1, -number) if number < 0 else (1, number)
    exponent = max(math.floor(math.log2(size)) if size < 2**1000 else 200, -126)
    while size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    while exponent > -126 and size < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 7)
    result = ROUNDINGS[how](number / unit) * unit
    if abs(result) > MOST:
        to_most = how == "rz" or (how == "rd" and sign > 0) or (how == "ru" and sign < 0)
        return sign * (float(MOST) if to_most else math.inf)
    return float(result) or sign * 0.0


def special(x, y, function):
    """What float64 gives where a number is not finite, or a divisor is 0."""
    with np.errstate(all="ignore"):
        return float(function(np.float64(x), np.float64(y)))


def exactly(x, y, function):
    finite = math.isfinite(x) and math.isfinite(y) and not (function is operator.truediv and y == 0)
    return (
        rounded(function(Fraction(x), Fraction(y)), zero=special(x, y, function)) if finite else special(x, y, function)
    )


def numbers(seed, count=COUNT):
    """Bits of numbers of all magnitudes, and some that are near to each other."""
    generator = np.random.default_rng(seed)
    bits = generator.integers(0, 1 << 16, count, np.uint16)
    bits[::2] = (
        generator.integers(0x3F00, 0x4100, len(bits[::2]), np.uint16)
        | generator.integers(0, 2, len(bits[::2]), np.uint16) << 15
    )
    bits[:8] = [0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0x0001, 0x8001, 0x7F7F]
    return bits


def same(a, b):
    """Equal, in the sign of zero too; one NaN is like another."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return (np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b)))


def kernel(statements, parameters):
    lines = "\n        ".join(statements)
    source = f"def f({parameters}):\n    i = cuda.grid(1)\n    if i < x.size:\n        {lines}\n"
    return define(
        source,
        decorator=lambda function: function,
        cuda=cuda,
        bf16=bf16,
        float32=np.float32,
        of=bf16.uint16_as_bfloat16,
    )


def launch(function, *arguments, **options):
    cuda.jit(function, **options)[COUNT // 128, 128](*arguments)


# --- Arithmetic -------------------------------------------------------------------------------------------------------

BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
NAMES = {"hadd": operator.add, "hsub": operator.sub, "hmul": operator.mul, "hdiv": operator.truediv}


def test_operators_and_functions_of_two_are_rounded_once():
    statements = [f"out[{k}, i] = bf16.bfloat16_as_uint16(of(x[i]) {sign} of(y[i]))" for k, sign in enumerate(BINARY)]
    statements += [
        f"out[{k + 4}, i] = bf16.bfloat16_as_uint16(bf16.{name}(of(x[i]), of(y[i])))" for k, name in enumerate(NAMES)
    ]
    x, y, out = numbers(1), np.roll(numbers(2), 3), np.zeros((8, COUNT), np.uint16)
    launch(kernel(statements, "x, y, out"), x, y, out)
    for row, function in zip(out, [*BINARY.values(), *NAMES.values()], strict=True):
        expected = [exactly(a, b, function) for a, b in zip(value_of(x), value_of(y), strict=True)]
        assert same(value_of(row), expected).all(), function


def test_fma_is_rounded_once():
    x, y, z = (numbers(seed) for seed in (4, 5, 6))
    tie = [0x3F81, 0x3F81, 0x3F81, 0x3F81]  # the product of two of 1 + 2**-7 lies between two numbers
    x[8:12], y[8:12], z[8:12] = tie, tie, [0x0001, 0x8001, 0x3300, 0xB300]
    x[12:14], y[12:14], z[12:14] = 0x3F90, 0x3F88, [0x0080, 0x8080]  # 1.125 * 1.0625 is a tie
    out = np.zeros((2, COUNT), np.uint16)
    statements = [
        "out[0, i] = bf16.bfloat16_as_uint16(bf16.hfma(of(x[i]), of(y[i]), of(z[i])))",
        "out[1, i] = bf16.bfloat16_as_uint16(cuda.fma(of(x[i]), of(y[i]), of(z[i])))",
    ]
    launch(kernel(statements, "x, y, z, out"), x, y, z, out)
    for a, b, c, first, second in zip(value_of(x), value_of(y), value_of(z), *value_of(out), strict=True):
        with np.errstate(all="ignore"):
            plain = np.float64(a) * b + c
        finite = math.isfinite(a) and math.isfinite(b) and math.isfinite(c)
        expected = rounded(Fraction(a) * Fraction(b) + Fraction(c), zero=plain) if finite else plain
        assert same([first, second], expected).all(), (a, b, c)


def test_signs_comparisons_and_selection():
    statements = [
        "out[0, i] = bf16.bfloat16_as_uint16(-of(x[i]))",
        "out[1, i] = bf16.bfloat16_as_uint16(abs(of(x[i])))",
        "out[2, i] = bf16.bfloat16_as_uint16(bf16.hneg(of(x[i])))",
        "out[3, i] = bf16.bfloat16_as_uint16(bf16.habs(of(x[i])))",
        "out[4, i] = bf16.bfloat16_as_uint16(bf16.hmax(of(x[i]), of(y[i])))",
        "out[5, i] = bf16.bfloat16_as_uint16(bf16.hmin(of(x[i]), of(y[i])))",
        "out[6, i] = bf16.bfloat16_as_uint16(bf16.hmax_nan(of(x[i]), of(y[i])))",
        "out[7, i] = bf16.bfloat16_as_uint16(bf16.hmin_nan(of(x[i]), of(y[i])))",
    ]
    x, y, out = numbers(7), np.roll(numbers(8), 3), np.zeros((8, COUNT), np.uint16)
    y[100:200] = x[100:200]
    launch(kernel(statements, "x, y, out"), x, y, out)
    a, b = value_of(x), value_of(y)
    with np.errstate(all="ignore"):
        expected = [-a, abs(a), -a, abs(a), np.fmax(a, b), np.fmin(a, b), np.maximum(a, b), np.minimum(a, b)]
    for k, (row, wanted) in enumerate(zip(value_of(out), expected, strict=True)):
        zeros = (wanted == 0) & (row == 0)  # of two zeros either counts as greater in fmax
        assert (same(row, wanted) | (zeros & (k >= 4))).all(), statements[k]


TESTS = {
    "heq": np.equal,
    "hlt": np.less,
    "hle": np.less_equal,
    "hgt": np.greater,
    "hge": np.greater_equal,
    "hneu": np.not_equal,
    "hne": lambda a, b: (a < b) | (a > b),
    "hequ": lambda a, b: ~((a < b) | (a > b)),
    "hltu": lambda a, b: ~(a >= b),
    "hleu": lambda a, b: ~(a > b),
    "hgtu": lambda a, b: ~(a <= b),
    "hgeu": lambda a, b: ~(a < b),
}
SIGNS = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_comparisons(half):
    view = "bf16.uint16_as_bfloat16" if half == "bf16" else "cuda.fp16.ushort_as_half"
    statements = [f"out[{k}, i] = cuda.{half}.{name}({view}(x[i]), {view}(y[i]))" for k, name in enumerate(TESTS)]
    statements += [f"out[{k + 12}, i] = {view}(x[i]) {sign} {view}(y[i])" for k, sign in enumerate(SIGNS)]
    statements += [f"special[{k}, i] = cuda.{half}.{name}({view}(x[i]))" for k, name in enumerate(("hisnan", "hisinf"))]
    x, y = numbers(9), np.roll(numbers(10), 2)
    if half == "fp16":
        x[2:5] = [0x7C00, 0xFC00, 0x7E00]
    y[::3] = x[::3]
    out, special_ = np.zeros((18, COUNT), bool), np.zeros((2, COUNT), np.int32)
    launch(kernel(statements, "x, y, out, special"), x, y, out, special_)
    a, b = (value_of(x), value_of(y)) if half == "bf16" else (x.view(np.float16), y.view(np.float16))
    for row, function in zip(out, [*TESTS.values(), *SIGNS.values()], strict=True):
        np.testing.assert_array_equal(row, function(a, b))
    np.testing.assert_array_equal(special_[0], np.isnan(a))
    np.testing.assert_array_equal(special_[1], np.isinf(a) * np.sign(np.where(np.isnan(a), 0, a)))


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_functions_that_are_never_fused(half):
    """What hadd, hsub and hmul give where nothing is contracted, also of each other's results."""
    view, bits = ("bf16.uint16_as_bfloat16", "bf16.bfloat16_as_uint16")
    if half == "fp16":
        view, bits = "cuda.fp16.ushort_as_half", "cuda.fp16.half_as_ushort"
    x, y, made = numbers(13), np.roll(numbers(14), 5), []
    for suffix, options in (("_rn", {}), ("", {"fma": False})):
        add, sub, mul = (f"cuda.{half}.{name}{suffix}" for name in ("hadd", "hsub", "hmul"))
        a, b = f"{view}(x[i])", f"{view}(y[i])"
        values = [f"{add}({a}, {b})", f"{sub}({a}, {b})", f"{mul}({a}, {b})", f"{add}({mul}({a}, {b}), {a})",
                  f"{sub}({mul}({a}, {b}), {b})"]  # fmt: skip
        function = kernel([f"out[{k}, i] = {bits}({value})" for k, value in enumerate(values)], "x, y, out")
        made.append(np.zeros((len(values), COUNT), np.uint16))
        launch(function, x, y, made[-1], **options)
    read = value_of if half == "bf16" else lambda bits: bits.view(np.float16)
    np.testing.assert_array_equal(read(made[0]), read(made[1]))  # NaN has many forms
    zeros = read(made[0]) == 0
    np.testing.assert_array_equal(made[0][zeros], made[1][zeros])
    assert np.isnan(read(made[0])).any() and len(np.unique(made[0])) > 1000


@pytest.mark.parametrize("half", ["bf16", "fp16"])
@pytest.mark.parametrize("cc", [(7, 5), (8, 0), (9, 0)])
def test_what_is_never_fused_in_ptx(half, cc):
    array = (types.bfloat16 if half == "bf16" else types.float16)[::1]

    def fused(x, y):
        y[0] = cuda.bf16.hadd(cuda.bf16.hmul(x[0], x[1]), y[1])

    def apart(x, y):
        y[0] = cuda.bf16.hadd_rn(cuda.bf16.hmul_rn(x[0], x[1]), y[1])

    def fused_half(x, y):
        y[0] = cuda.fp16.hadd(cuda.fp16.hmul(x[0], x[1]), y[1])

    def apart_half(x, y):
        y[0] = cuda.fp16.hadd_rn(cuda.fp16.hmul_rn(x[0], x[1]), y[1])

    pair = (fused, apart) if half == "bf16" else (fused_half, apart_half)
    one, other = (cuda.compile_ptx(function, (array, array), cc=cc)[0] for function in pair)
    assert "fma.rn" in one or cc < (8, 0)
    assert "fma.rn" not in other and "mul.rn.f32" in other and "add.rn.f32" in other


@pytest.mark.parametrize("half", ["bf16", "fp16"])
def test_saturating_functions(half):
    view, bits = ("bf16.uint16_as_bfloat16", "bf16.bfloat16_as_uint16")
    if half == "fp16":
        view, bits = "cuda.fp16.ushort_as_half", "cuda.fp16.half_as_ushort"
    arguments = f"{view}(x[i]), {view}(y[i])"
    plain = ["hadd", "hsub", "hmul"]
    statements = [f"out[{k}, i] = {bits}(cuda.{half}.{name}({arguments}))" for k, name in enumerate(plain)]
    statements += [f"out[3, i] = {bits}(cuda.{half}.hfma({arguments}, {view}(x[i])))"]
    statements += [f"sat[{k}, i] = {bits}(cuda.{half}.{name}_sat({arguments}))" for k, name in enumerate(plain)]
    statements += [f"sat[3, i] = {bits}(cuda.{half}.hfma_sat({arguments}, {view}(x[i])))"]
    statements += [f"sat[4, i] = {bits}(cuda.{half}.hfma_relu({arguments}, {view}(x[i])))"]
    x, y, out, sat = (
        numbers(11),
        np.roll(numbers(12), 5),
        np.zeros((4, COUNT), np.uint16),
        np.zeros((5, COUNT), np.uint16),
    )
    if half == "fp16":
        x[2:5] = [0x7C00, 0xFC00, 0x7E00]
    launch(kernel(statements, "x, y, out, sat"), x, y, out, sat, fma=False)
    read = value_of if half == "bf16" else lambda bits: bits.view(np.float16).astype(np.float64)
    with np.errstate(invalid="ignore"):
        expected = np.where(np.isnan(read(out)), 0, np.clip(read(out), 0, 1))
        relu = np.where(read(out[3]) > 0, read(out[3]), np.where(np.isnan(read(out[3])), np.nan, 0))
    np.testing.assert_array_equal(read(sat[:4]), expected)
    np.testing.assert_array_equal(read(sat[4]), relu)


# --- Functions --------------------------------------------------------------------------------------------------------

OF_ONE = {
    "hsqrt": np.sqrt,
    "hfloor": np.floor,
    "hceil": np.ceil,
    "hrint": np.rint,
    "htrunc": np.trunc,
    "hrcp": np.reciprocal,
    "hsin": np.sin,
    "hcos": np.cos,
    "htanh": np.tanh,
    "htanh_approx": np.tanh,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hexp10": lambda x: np.power(10.0, x),
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hrsqrt": lambda x: 1 / np.sqrt(x),
}
EXACT = {"hsqrt", "hfloor", "hceil", "hrint", "htrunc", "hrcp"}
MATH = ["trunc", "ceil", "floor", "sqrt", "log", "log10", "cos", "sin", "tanh", "exp"]


def steps_between(a, b):
    """Of bits: how many numbers lie from one to the other."""
    order = [np.where(x & 0x8000, -(x & 0x7FFF).astype(int), x.astype(int)) for x in (a, b)]
    nan = [(x & 0x7FFF) > 0x7F80 for x in (a, b)]
    return np.where(nan[0] & nan[1], 0, np.where(nan[0] | nan[1], 1 << 20, abs(order[0] - order[1])))


def nearest(values):
    return [
        0x7FC0
        if math.isnan(v)
        else int(np.float32(v if math.isinf(v) else rounded(Fraction(v), zero=v)).view(np.uint32) >> 16)
        for v in values
    ]


@needs_libdevice
def test_functions_of_one():
    statements = [f"out[{k}, i] = bf16.bfloat16_as_uint16(bf16.{name}(of(x[i])))" for k, name in enumerate(OF_ONE)]
    x, out = numbers(13), np.zeros((len(OF_ONE), COUNT), np.uint16)
    launch(kernel(statements, "x, out"), x, out)
    for row, (name, function) in zip(out, OF_ONE.items(), strict=True):
        with np.errstate(all="ignore"):
            expected = np.array(nearest(function(value_of(x))), np.uint16)
        assert steps_between(row, expected).max() <= (0 if name in EXACT else 1), name


@needs_libdevice
def test_functions_of_math():
    statements = [
        f"out[{k}, i] = bf16.bfloat16_as_uint16(bf16.bfloat16(math.{name}(of(x[i]))))" for k, name in enumerate(MATH)
    ]
    function = kernel(statements, "x, out")
    function.__globals__["math"] = math
    x, out = np.full(COUNT, 0x3F40, np.uint16), np.zeros((len(MATH), COUNT), np.uint16)
    launch(function, x, out)
    expected = [nearest([float(getattr(math, name)(0.75))])[0] for name in MATH]
    assert steps_between(out[:, 0], np.array(expected, np.uint16)).max() <= 1


# --- Conversions ------------------------------------------------------------------------------------------------------


def of_type(dtype):
    generator = np.random.default_rng(3)
    if np.dtype(dtype).kind == "f":
        bits = generator.integers(0, 1 << 31, COUNT, np.uint32).view(np.float32)
        x = np.where(np.isnan(bits), np.float32(1), bits).astype(dtype) * generator.choice([-1, 1], COUNT)
        x[::2] = generator.standard_normal(len(x[::2]))
        x[:8] = [1 + 2**-8, 1 + 3 * 2**-8, -(1 + 2**-8), 3.4e38, -3.4e38, 1e-45, -1e-45, 0]
        if dtype == "float64":
            x[8:12] = [1 + 2**-8 + 2**-50, 1 + 2**-8 - 2**-50, 1e300, 1e-300]
        return x.astype(dtype)
    info = np.iinfo(dtype)
    x = generator.integers(info.min, info.max, COUNT, dtype, endpoint=True) >> generator.integers(
        0, info.bits, COUNT
    ).astype(dtype)
    x[:4] = [info.min, info.max, 0, 1]
    for k, place in enumerate(range(9, info.bits - 1)):  # ties, and what is beside them
        x[4 + k] = (1 << place) + (1 << (place - 8)) + k % 3 - 1
    return x


@pytest.mark.parametrize("dtype", ["float32", "float64", *INTEGERS])
def test_conversions_to_bfloat16(dtype):
    x, out = of_type(dtype), np.zeros((5, COUNT), np.uint16)
    names = [f"bf16.{dtype}_to_bfloat16_{how}" for how in ROUNDINGS]
    if dtype == "float64":
        names = ["bf16.float64_to_bfloat16"] + [f"bf16.float32_to_bfloat16_{how}" for how in ("rz", "rd", "ru")]
    statements = [
        f"out[{k}, i] = bf16.bfloat16_as_uint16({name}(x[i]))" for k, name in enumerate([*names, "bf16.bfloat16"])
    ]
    launch(kernel(statements, "x, out"), x, out)
    for row, how in zip(value_of(out), [*ROUNDINGS, "rn"], strict=True):
        given = x.astype(np.float32) if dtype == "float64" and how != "rn" else x
        if dtype == "float64" and how != "rn":
            given = np.where(np.isinf(given), np.float32(1), given)
            row = np.where(np.isinf(x.astype(np.float32)), rounded(Fraction(1)), row)
        expected = [
            rounded(Fraction(int(v) if np.dtype(dtype).kind != "f" else float(v)), how, zero=float(v)) for v in given
        ]
        assert same(row, expected).all(), how


@pytest.mark.parametrize("dtype", ["int8", "uint8", *INTEGERS])
def test_conversions_from_bfloat16(dtype):
    x, info = numbers(14), np.iinfo(dtype)
    ways = ["rz"] if info.bits == 8 else list(ROUNDINGS)
    out = np.zeros((len(ways) + 1, COUNT), dtype)
    statements = [f"out[{k}, i] = bf16.bfloat16_to_{dtype}_{how}(of(x[i]))" for k, how in enumerate(ways)]
    statements.append(f"out[{len(ways)}, i] = of(x[i])")
    launch(kernel(statements, "x, out"), x, out)
    for row, how in zip(out, [*ways, "rz"], strict=True):
        for given, value in zip(value_of(x), row, strict=True):
            limit = 0 if math.isnan(given) else (info.max if given > 0 else info.min) if math.isinf(given) else None
            expected = limit if limit is not None else min(max(ROUNDINGS[how](Fraction(given)), info.min), info.max)
            assert value == expected, (how, given)


def test_conversions_between_floats():
    statements = [
        "out[0, i] = bf16.bfloat16_to_float32(of(x[i]))",
        "out[1, i] = of(x[i])",
        "out[2, i] = float32(of(x[i])) + 0.0",
        "half[i] = of(x[i])",
        "back[i] = bf16.bfloat16_as_int16(bf16.bfloat16(half[i]))",
    ]
    x, out = numbers(15), np.zeros((3, COUNT))
    half, back = np.zeros(COUNT, np.float16), np.zeros(COUNT, np.int16)
    launch(kernel(statements, "x, out, half, back"), x, out, half, back)
    with np.errstate(over="ignore"):
        expected = value_of(x).astype(np.float16)
    assert (out[:2] == value_of(x)).sum() == 2 * (~np.isnan(value_of(x))).sum()
    np.testing.assert_array_equal(half, expected)
    wanted = [v if not math.isfinite(v) else rounded(Fraction(float(v)), zero=float(v)) for v in expected]
    assert same(value_of(back.view(np.uint16)), wanted).all()


def test_nan_is_quieted():
    @cuda.jit
    def f(x, out):
        i = cuda.grid(1)
        out[i] = bf16.bfloat16_as_uint16(bf16.bfloat16(x[i]))

    x, out = np.array([0x7F800001, 0xFF812345, 0x7FFFFFFF], np.uint32).view(np.float32), np.zeros(3, np.uint16)
    f[1, 3](x, out)
    assert np.isnan(value_of(out)).all() and (out & 0x40).all()


def test_promotion():
    @cuda.jit
    def f(x, out):
        a = bf16.uint16_as_bfloat16(x[0])
        out[0] = (a + np.float32(2**-20)) * 2**20
        out[1] = a + True
        out[2] = a + np.int8(1)
        out[3] = (a + np.float16(2**-10)) * 2**10
        out[4] = a * 0.1 * 10 if a else 0
        out[5] = a.dtype.itemsize
        b = a
        b += a
        out[6] = b

    out = np.zeros(7)
    f[1, 1](np.array([0x3F80], np.uint16), out)
    assert out.tolist() == [2**20 + 1, 2, 2, 2**10 + 1, 0.1 * 10, 2, 2]


# --- Memory -----------------------------------------------------------------------------------------------------------


def test_shared_and_local_memory_and_shuffles():
    @cuda.jit
    def f(x, out):
        shared, local = cuda.shared.array(32, bf16.bfloat16), cuda.local.array((2, 2), bf16.bfloat16)
        i = cuda.threadIdx.x
        local[1, 0] = bf16.uint16_as_bfloat16(x[i])
        shared[i] = local[1, 0]
        cuda.syncthreads()
        out[i] = bf16.bfloat16_as_uint16(shared[31 - i])
        out[32 + i] = bf16.bfloat16_as_uint16(bf16.bfloat16(cuda.shfl_xor_sync(-1, shared[i], 1)))

    x = numbers(16)[8:40]
    x[(x & 0x7F80) == 0x7F80] = 0x3F80
    out = np.zeros(64, np.uint16)
    f[1, 32](x, out)
    np.testing.assert_array_equal(out[:32], x[::-1])
    np.testing.assert_array_equal(out[32:], x[np.arange(32) ^ 1])


def test_atomics():
    @cuda.jit
    def f(out):
        sums = cuda.shared.array(4, bf16.bfloat16)
        i = cuda.threadIdx.x
        if i < 4:
            sums[i] = 0
        cuda.syncthreads()
        cuda.atomic.add(sums, 0, 1)
        cuda.atomic.max(sums, 1, i)
        cuda.atomic.min(sums, 2, -i)
        cuda.atomic.cas(sums, 3, 0, 7)
        cuda.syncthreads()
        if i < 4:
            out[i] = sums[i]

    out = np.zeros(4, np.float32)
    f[1, 64](out)
    assert out.tolist() == [64, 63, -63, 7]


def test_atomic_sums_of_small_numbers():
    """Subnormal sums are not 0."""

    @cuda.jit
    def f(out):
        sums = cuda.shared.array(1, bf16.bfloat16)
        i = cuda.threadIdx.x
        if i == 0:
            sums[0] = 0
        cuda.syncthreads()
        cuda.atomic.add(sums, 0, bf16.uint16_as_bfloat16(np.uint16(1)))
        cuda.syncthreads()
        if i == 0:
            out[0] = bf16.bfloat16_as_uint16(sums[0])

    out = np.zeros(1, np.uint16)
    f[1, 32](out)
    assert out[0] == 32


@cuda.jit
def scale(a, factor, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] * factor


def test_arrays_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    bfloat16 = np.dtype(ml_dtypes.bfloat16)
    assert np.dtype(bf16.bfloat16) == bfloat16 and isinstance(bf16.bfloat16(1.5), ml_dtypes.bfloat16)
    assert isinstance(ml_dtypes.bfloat16(1), bf16.bfloat16) and not isinstance(1.0, bf16.bfloat16)
    x = numbers(17).view(bfloat16)
    out = np.zeros(COUNT, bfloat16)
    factor = ml_dtypes.bfloat16(1.2)
    for a, result in ((x, out), (x[::-2], out[::2]), (cuda.to_device(x), cuda.device_array(COUNT, bf16.bfloat16))):
        scale[8, 128](a, factor, result)
        given, got = (np.asarray(v.copy_to_host() if hasattr(v, "copy_to_host") else v) for v in (a, result))
        with np.errstate(all="ignore"):
            assert same(got, given[: len(got)] * factor).all()
    assert cuda.to_device(x)[9] == x[9] and cuda.to_device(x).dtype == bfloat16
    assert str(from_dtype(bfloat16)) == "bfloat16" and types.as_dtype(types.bfloat16) == bfloat16


def test_other_places_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    record = np.dtype([("b", ml_dtypes.bfloat16), ("h", "i2")])
    table, number = np.array([1, 2.5], ml_dtypes.bfloat16), ml_dtypes.bfloat16(0.75)
    kind = np.dtype(ml_dtypes.bfloat16)

    @cuda.jit
    def f(records, m, out):
        own = cuda.local.array(2, kind)
        own[0] = number
        records[0].b = table[1]
        records[1].h = records[0].b * 2
        m[1, 0] = own[0] + records[0].b
        out[0] = m.T[0, 1]

    records, m, out = np.zeros(2, record), np.zeros((2, 2), kind), np.zeros(1)
    f[1, 1](records, m, out)
    assert records.tolist() == [(2.5, 0), (0, 5)] and m[1, 0] == 3.25 and out[0] == 3.25
    unaligned = np.zeros(9, np.uint8)[1:].view(kind)
    scale[1, 4](np.ones(4, kind), ml_dtypes.bfloat16(3), unaligned)
    assert unaligned.tolist() == [3, 3, 3, 3]
    declared = cuda.jit("void(float32[:], float32)")(lambda a, x: None)
    declared[1, 1](np.zeros(1, np.float32), number)
    assert njit(lambda a: a[1] + a[1])(table) == 5


def test_dlpack():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    device = cuda.to_device(np.array([1, 2, 3], ml_dtypes.bfloat16))
    if cuda.is_available():
        again = cuda.from_dlpack(device)
        assert again.dtype == device.dtype and again.copy_to_host().tolist() == [1, 2, 3]
    else:
        assert "dltensor" in repr(device.__dlpack__())


def test_without_ml_dtypes(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    for act in (lambda: bf16.bfloat16.dtype, lambda: bf16.bfloat16(1), lambda: types.as_dtype(types.bfloat16)):
        with pytest.raises(TypeError, match="pip install ml_dtypes"):
            act()


# --- Names, PTX, errors -----------------------------------------------------------------------------------------------


def test_names_of_cuda():
    for name, other in {
        "float2bfloat16": "float32_to_bfloat16",
        "double2bfloat16": "float64_to_bfloat16",
        "bfloat162float": "bfloat16_to_float32",
        "short2bfloat16_rd": "int16_to_bfloat16_rd",
        "ull2bfloat16_ru": "uint64_to_bfloat16_ru",
        "bfloat162char_rz": "bfloat16_to_int8_rz",
        "bfloat162uchar_rz": "bfloat16_to_uint8_rz",
        "bfloat162ll_rn": "bfloat16_to_int64_rn",
        "bfloat16_as_short": "bfloat16_as_int16",
        "ushort_as_bfloat16": "uint16_as_bfloat16",
        "float2bfloat16_rz": "float32_to_bfloat16_rz",
        "bfloat162uint_rn": "bfloat16_to_uint32_rn",
    }.items():
        assert getattr(bf16, name) is getattr(bf16, other)
    assert cuda.fp16.__dict__["__hadd_sat"] is cuda.fp16.hadd_sat


def many(x, out):
    i = cuda.grid(1)
    a, b = x[i], x[i + 1]
    out[0] = a + b
    out[1] = bf16.hfma(a, b, a)
    out[2] = a if a < b else -b
    out[3] = bf16.int64_to_bfloat16_rz(i)
    out[4] = bf16.bfloat16_to_int32_ru(a)
    out[5] = bf16.hsqrt(a)
    cuda.atomic.add(out, 6, a)
    cuda.atomic.max(out, 7, a)
    cuda.atomic.cas(out, 8, a, b)


@pytest.mark.parametrize("cc", ARCHITECTURES, ids=str)
def test_ptx_of_every_architecture(cc, tmp_path):
    text, _ = cuda.compile_ptx(many, (types.bfloat16[::1], types.bfloat16[::1]), cc=cc)
    if cc >= (9, 0):
        assert re.search(r"\badd(\.rn)?\.bf16\b", text) and "atom.global.add.noftz.bf16" in text
    if cc >= (8, 0):
        assert "fma.rn.bf16" in text and "cvt.rn.bf16.f32" in text
    if PTXAS and cc >= (7, 5):
        assemble(text, f"sm_{cc[0]}{cc[1]}", tmp_path)


def test_only_in_kernels():
    with pytest.raises(
        RuntimeError, match=re.escape("cuda.bf16.hadd is only for functions that are compiled for a GPU")
    ):
        bf16.hadd(1, 2)
    with pytest.raises(errors.TypingError, match="only for functions that are compiled for a GPU"):
        njit(lambda x: bf16.uint16_as_bfloat16(x))(np.uint16(1))


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda x: bf16.hadd(1j, 2), "expected a real number"),
        (lambda x: bf16.bfloat16("1"), "cannot convert|expected"),
        (lambda x: bf16.uint16_as_bfloat16(1.5), "expected an integer"),
        (lambda x: bf16.hfma(1, 2), "missing"),
    ],
)
def test_what_is_refused(body, message):
    function = cuda.jit(device=True)(body)

    @cuda.jit
    def f(x):
        function(x)

    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=message):
        f[1, 1](np.zeros(1))


def test_types_have_codes():
    assert types.bfloat16.code == "g" and types.from_code("[C2g") == types.Array(types.bfloat16, 2, "C")
    assert uint16 is not types.bfloat16 and float32 is not types.bfloat16
