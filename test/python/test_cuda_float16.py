"""float16 in kernels: arithmetic, cuda.fp16, memories and atomics, in the emulator and as PTX."""

import re

import numpy as np
import pytest
from compare import define
from pyarray import cuda, float16, njit, types, vectorize
from test_cuda_ptx import ARCHITECTURES, PTXAS, assemble, needs_libdevice

pytestmark = pytest.mark.real

COUNT = 4096
OF_ONE = {
    "hneg": np.negative, "habs": np.abs, "hrcp": np.reciprocal, "hsqrt": np.sqrt, "hfloor": np.floor, "hceil": np.ceil,
    "hrint": np.rint, "htrunc": np.trunc, "hsin": np.sin, "hcos": np.cos, "hexp": np.exp, "hexp2": np.exp2,
    "hlog": np.log, "hlog2": np.log2, "hlog10": np.log10, "hexp10": lambda x: np.power(np.float32(10), x),
    "hrsqrt": lambda x: 1 / np.sqrt(x), "htanh": np.tanh, "htanh_approx": np.tanh,
}  # fmt: skip
EXACT = {"hneg", "habs", "hrcp", "hsqrt", "hfloor", "hceil", "hrint", "htrunc"}
OF_TWO = {
    "hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide, "hmax": np.fmax, "hmin": np.fmin,
}  # fmt: skip
TESTS = {
    "heq": np.equal, "hne": lambda a, b: (a < b) | (a > b), "hneu": np.not_equal, "hlt": np.less, "hle": np.less_equal,
    "hgt": np.greater, "hge": np.greater_equal,
}  # fmt: skip


def kernel(statements, parameters):
    """A plain function that runs the statements for each element ``i``."""
    lines = "\n        ".join(statements)
    source = f"def f({parameters}):\n    i = cuda.grid(1)\n    if i < x.size:\n        {lines}\n"
    return define(source, decorator=lambda function: function, cuda=cuda, float16=float16)


of_one = kernel([f"out[{row}, i] = cuda.fp16.{name}(x[i])" for row, name in enumerate(OF_ONE)], "x, out")
of_two = kernel([f"out[{row}, i] = cuda.fp16.{name}(x[i], y[i])" for row, name in enumerate(OF_TWO)], "x, y, out")
comparisons = kernel([f"out[{row}, i] = cuda.fp16.{name}(x[i], y[i])" for row, name in enumerate(TESTS)], "x, y, out")
fused = kernel(
    ["out[0, i] = cuda.fp16.hfma(x[i], y[i], z[i])", "out[1, i] = cuda.fma(x[i], y[i], z[i])"], "x, y, z, out"
)


def numbers(seed, count=COUNT, special=True):
    """Numbers of all magnitudes."""
    generator = np.random.default_rng(seed)
    x = generator.integers(0, 1 << 16, count, np.uint16).view(np.float16)
    x = np.where(np.isnan(x), np.float16(1.5), x)
    x[::3] = generator.standard_normal(len(x[::3]))
    if special:
        x[:5] = [0, -0.0, np.inf, -np.inf, np.nan]
    return x


def steps_between(a, b):
    bits = [np.where(np.signbit(x), -(x.view(np.int16) & 0x7FFF).astype(int), x.view(np.int16)) for x in (a, b)]
    return np.where(np.isnan(a) & np.isnan(b), 0, np.where(np.isnan(a) | np.isnan(b), 1 << 20, abs(bits[0] - bits[1])))


def launch(function, *arguments):
    cuda.jit(function)[COUNT // 128, 128](*arguments)


def test_functions_of_one():
    x, out = numbers(1), np.zeros((len(OF_ONE), COUNT), np.float16)
    launch(of_one, x, out)
    with np.errstate(all="ignore"):
        for row, (name, function) in zip(out, OF_ONE.items(), strict=True):
            expected = np.asarray(function(x.astype(np.float32))).astype(np.float16)
            assert steps_between(row, expected).max() <= (0 if name in EXACT else 1), name


def test_functions_of_two():
    x, y = numbers(2), np.roll(numbers(3), 7)
    out, truth = np.zeros((len(OF_TWO), COUNT), np.float16), np.zeros((len(TESTS), COUNT), bool)
    launch(of_two, x, y, out)
    launch(comparisons, x, y, truth)
    with np.errstate(all="ignore"):
        for row, (name, function) in zip(out, OF_TWO.items(), strict=True):
            np.testing.assert_array_equal(row, function(x, y), name)
        for row, (name, function) in zip(truth, TESTS.items(), strict=True):
            np.testing.assert_array_equal(row, function(x, y), name)


def exact_sum(x, y, z):
    """x * y + z in integers, rounded once: all three are multiples of 2**-24."""
    whole = [int(float(value) * 2**24) for value in (x, y, z)]
    total = whole[0] * whole[1] + (whole[2] << 24)  # in units of 2**-48
    sign, size = (-1 if total < 0 else 1), abs(total)
    shift = max(size.bit_length() - 11, 24)  # what is cut off: the last place is at least 2**-24
    quotient, rest = size >> shift, size & ((1 << shift) - 1)
    quotient += rest > 1 << (shift - 1) or (rest == 1 << (shift - 1) and quotient & 1)
    value = quotient * 2.0 ** (shift - 48)
    return sign * (np.inf if value > 65504 else value)


def test_fma_is_rounded_once():
    x, y, z = (numbers(seed, special=False) for seed in (4, 5, 6))
    for a in (x, y, z):
        a[~np.isfinite(a)] = 1
    # p is a tie of float16, and z decides it.
    x[:2], y[:2], z[:2] = 1 + 2**-10, 1 + 2**-10, [2**-24, -(2**-24)]
    out = np.zeros((2, COUNT), np.float16)
    launch(fused, x, y, z, out)
    expected = np.array([exact_sum(*values) for values in zip(x, y, z, strict=True)]).astype(np.float16)
    for row in out:
        np.testing.assert_array_equal(row, expected)


@pytest.mark.parametrize(
    "c_name, dtype",
    [("short", "i2"), ("ushort", "u2"), ("int", "i4"), ("uint", "u4"), ("ll", "i8"), ("ull", "u8"), ("float", "f4")],
)
def test_conversions_in_every_direction(c_name, dtype):
    """Of numbers of all sizes, against neighbours of the nearest one."""
    roundings = ["rn", "rz", "rd", "ru"]
    statements = [f"out[{k}, i] = cuda.fp16.{c_name}2half_{how}(x[i])" for k, how in enumerate(roundings)]
    if c_name != "float":
        statements += [f"back[{k}, i] = cuda.fp16.half2{c_name}_{how}(h[i])" for k, how in enumerate(roundings)]
    generator, h = np.random.default_rng(8), numbers(9)
    if c_name == "float":
        x = numbers(8).astype(np.float32) * np.float32(1.0003)
    else:
        x = np.trunc(generator.standard_normal(COUNT) * 2.0 ** generator.integers(0, 20, COUNT))
        x = np.clip(x, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)
    out, back = np.zeros((4, COUNT), np.float16), np.zeros((4, COUNT), dtype)
    launch(kernel(statements, "x, h, out, back"), x, h, out, back)
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64)
        near, low, high = exact.astype(np.float16), np.float16(-np.inf), np.float16(np.inf)
        down = np.where(near > exact, np.nextafter(near, low), near)
        up = np.where(near < exact, np.nextafter(near, high), near)
        expected = [near, np.where(exact > 0, down, up), down, up]
        for row, wanted in zip(out, expected, strict=True):
            np.testing.assert_array_equal(row, wanted)
        if c_name == "float":
            return
        for row, function in zip(back, (np.rint, np.trunc, np.floor, np.ceil), strict=True):
            wanted = function(np.where(np.isnan(h), 0, h).astype(np.float64))
            info = np.iinfo(dtype)
            wanted = [info.min if v < info.min else info.max if v > info.max else int(v) for v in wanted]
            assert row.tolist() == wanted


def test_other_numbers_are_rounded_to_float16():
    @cuda.jit
    def f(out):
        out[0] = cuda.fp16.hadd(2048, 1)
        out[1] = cuda.fp16.hmul(0.1, True)
        out[2] = cuda.fp16.hgt(65504.0, np.float64(65505))

    out = np.zeros(3)
    f[1, 1](out)
    assert out.tolist() == [2048, float(np.float16(0.1)), 0]
    with pytest.raises(Exception, match="expected a real number"):
        cuda.jit("void(complex64[:])")(lambda x: cuda.fp16.hneg(x[0]))


def test_outside_kernels():
    with pytest.raises(RuntimeError, match="only for functions that are compiled for a GPU"):
        cuda.fp16.hadd(1, 2)
    with pytest.raises(Exception, match="only for functions that are compiled for a GPU"):
        njit(lambda x: cuda.fp16.hneg(x))(np.float16(1))
    assert cuda.is_float16_supported() is True


# Memories, warps, atomics -------------------------------------------------------------------------


@cuda.jit
def memories(x, scale, out):
    shared, local = cuda.shared.array(128, float16), cuda.local.array(4, float16)
    dynamic = cuda.shared.array(0, float16)
    thread, i = cuda.threadIdx.x, cuda.grid(1)
    shared[thread] = x[i] * scale
    local[1] = x[i]
    dynamic[thread] = x[i]
    cuda.syncthreads()
    out[0, i] = shared[127 - thread] + local[1]
    out[1, i] = cuda.shfl_xor_sync(0xFFFFFFFF, x[i], 1)
    out[2, i] = dynamic[127 - thread]


def test_memories():
    x, out = numbers(7, special=False), np.zeros((3, COUNT), np.float16)
    x[~np.isfinite(x)] = 0
    memories[COUNT // 128, 128, 0, 256](x, np.float16(0.1), out)
    blocks = x.reshape(-1, 128)[:, ::-1].ravel()
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out[0], blocks * np.float16(0.1) + x)
    np.testing.assert_array_equal(out[1], x.reshape(-1, 2)[:, ::-1].ravel())
    np.testing.assert_array_equal(out[2], blocks)


def atomics(x, out):
    i = cuda.grid(1)
    cuda.atomic.add(out, i % 3, float16(1))
    cuda.atomic.sub(out, 3, float16(0.5))
    cuda.atomic.max(out, 4, x[i])
    cuda.atomic.min(out, 5, x[i])
    cuda.atomic.nanmax(out, 6, x[i])
    cuda.atomic.nanmin(out, 7, x[i])
    cuda.atomic.exch(out, 8, float16(7))
    cuda.atomic.cas(out, 9, float16(0), float16(5))
    cuda.atomic.compare_and_swap(out[10:], float16(0), float16(6))


def test_atomics():
    x, out = numbers(8, 96, special=False), np.zeros(12, np.float16)
    x[5], x[6] = np.nan, -3
    cuda.jit(atomics)[3, 32](x, out)
    assert out[:4].tolist() == [32, 32, 32, -48]
    assert out[4:8].tolist() == 2 * [np.nanmax(x), np.nanmin(x)] and out[8:].tolist() == [7, 5, 6, 0]


def test_ufunc():
    def add(a, b):
        return a * b + a

    x, y = numbers(9, special=False), numbers(10, special=False)
    made = vectorize(["float16(float16, float16)"], target="cuda")(add)
    product = vectorize(["float16(float16, float16)"], target="cuda")(lambda a, b: a * b)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(product(x, y), x * y)
        np.testing.assert_array_equal(product(x, np.int8(2)), x * np.float16(2))
    assert made(x, y).dtype == np.float16 and product.types == ["ee->e"]


# PTX ----------------------------------------------------------------------------------------------

HALVES, ROWS = float16[::1], float16[:, ::1]
KERNELS = {
    "of_one": (of_one, (HALVES, ROWS)),
    "of_two": (of_two, (HALVES, HALVES, ROWS)),
    "comparisons": (comparisons, (HALVES, HALVES, types.boolean[:, ::1])),
    "fused": (fused, (HALVES, HALVES, HALVES, ROWS)),
    "memories": (memories.py_func, (HALVES, float16, ROWS)),
    "atomics": (atomics, (HALVES, HALVES)),
}


@needs_libdevice
@pytest.mark.parametrize("cc", ARCHITECTURES)
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compile(name, cc, tmp_path):
    function, signature = KERNELS[name]
    ptx, _ = cuda.compile_ptx(function, signature, cc=cc)
    architecture = re.search(r"\.target (\w+)", ptx)[1]
    if PTXAS and cc >= (7, 5):
        assemble(ptx, architecture, tmp_path)


@pytest.mark.parametrize(
    ("text", "instruction"),
    [("x + y", "add.*f16"), ("x - y", "sub.*f16"), ("x * y", "mul.*f16"), ("x * y + x", r"fma\.rn\.f16"),
     ("cuda.fp16.hfma(x, y, x)", r"fma\.rn\.f16"), ("float16(np.float64(x) + 0.1)", r"cvt\.rn\.f16\.f64")],
)  # fmt: skip
def test_instructions(text, instruction):
    source = f"def f(x, y, out):\n    out[0] = {text}\n"
    function = define(source, decorator=lambda function: function, cuda=cuda, float16=float16)
    ptx, _ = cuda.compile_ptx(function, (float16, float16, HALVES), cc=(7, 5))
    assert re.search(instruction, ptx), ptx


def test_atomic_add_is_an_instruction():
    ptx, _ = cuda.compile_ptx(atomics, (HALVES, HALVES), cc=(7, 5))
    assert re.search(r"atom\.\S*add\.noftz\.f16", ptx) and re.search(r"atom\.\S*cas", ptx)
