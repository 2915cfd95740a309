"""Kernels to PTX: every device operation compiles for every architecture, and assembles where ptxas is there."""

import cmath
import glob
import math
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda, errors, float16, float32, float64, int32, int64, njit, types, uint32, uint64
from pyarray.cuda import _libdevice

ARCHITECTURES = [(7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0)]
TILE = 16
TABLE = np.arange(8, dtype=np.float32)


def find_ptxas():
    """PYARRAY_PTXAS, one on the path, or that of the package nvidia-cuda-nvcc."""
    named = os.environ.get("PYARRAY_PTXAS") or shutil.which("ptxas")
    packaged = glob.glob(os.path.join(sys.prefix, "lib/python*/site-packages/nvidia/*/bin/ptxas"))
    return named or (packaged[0] if packaged else None)


PTXAS = find_ptxas()
LIBDEVICE = os.environ.get("PYARRAY_LIBDEVICE") or _libdevice.path()
needs_libdevice = pytest.mark.skipif(not (LIBDEVICE and os.path.exists(LIBDEVICE)), reason="libdevice is not installed")


def assemble(ptx, architecture, tmp_path):
    source, target = tmp_path / "kernel.ptx", tmp_path / "kernel.cubin"
    source.write_text(ptx)
    done = subprocess.run(
        [PTXAS, f"-arch={architecture}", "-o", target, source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + ptx


def ptx_of(function, signature, cc=(7, 5), **options):
    text, result = cuda.compile_ptx(function, signature, cc=cc, **options)
    assert result is types.none or options.get("device")
    return text


# --- Kernels ---------------------------------------------------------------------------------------------------------


def vector_add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def transpose(source, target):
    tile = cuda.shared.array((TILE, TILE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    if row < source.shape[0] and column < source.shape[1]:
        tile[ty, tx] = source[row, column]
    cuda.syncthreads()
    row, column = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    if row < target.shape[0] and column < target.shape[1]:
        target[row, column] = tile[tx, ty]


def matmul(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for k in range(cuda.gridDim.x):
        left[ty, tx] = a[row, tx + k * TILE]
        right[ty, tx] = b[ty + k * TILE, column]
        cuda.syncthreads()
        for j in range(TILE):
            total += left[ty, j] * right[j, tx]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


def indices(out):
    x, y, z = cuda.grid(3)
    sx, sy, sz = cuda.gridsize(3)
    out[0] = x + y + z + sx + sy + sz + cuda.gridsize(1)
    out[1] = cuda.threadIdx.x + cuda.threadIdx.y + cuda.threadIdx.z
    out[2] = cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z
    out[3] = cuda.blockDim.x + cuda.blockDim.y + cuda.blockDim.z
    out[4] = cuda.gridDim.x + cuda.gridDim.y + cuda.gridDim.z
    out[5] = cuda.laneid + cuda.warpsize


def memories(x, out):
    i = cuda.grid(1)
    several = cuda.shared.array(shape=64, dtype=float64)
    dynamic = cuda.shared.array(0, dtype=float32)
    own = cuda.local.array((2, 3), int32)
    table = cuda.const.array_like(TABLE)
    for j in range(3):
        own[j % 2, j] = i
    several[cuda.threadIdx.x] = own[i % 2, i % 3]
    dynamic[cuda.threadIdx.x] = table[i % 8]
    cuda.syncthreads()
    out[i] = x[i] + several[63 - cuda.threadIdx.x] + dynamic[dynamic.size - 1]


def large_shared(out):
    first = cuda.shared.array((80, 80), float64)
    second = cuda.shared.array(100, float32)
    own = cuda.shared.array(0, int32)
    i = cuda.threadIdx.x
    first[i, i] = i
    second[i] = i
    own[i] = i
    cuda.syncthreads()
    out[i] = first[i, i] + second[i] + own[own.size - 1 - i]


def barriers(out):
    i = cuda.threadIdx.x
    out[i] = cuda.syncthreads_count(i % 2) + cuda.syncthreads_and(i < 5) + cuda.syncthreads_or(i > 5)
    cuda.syncwarp()
    cuda.syncwarp(0xFF)
    cuda.threadfence()
    cuda.threadfence_block()
    cuda.threadfence_system()
    cuda.nanosleep(100)


def shuffles(x):
    i = cuda.threadIdx.x
    v = x[i]
    v += cuda.shfl_sync(0xFFFFFFFF, v, 3)
    v += cuda.shfl_up_sync(0xFFFFFFFF, v, 1)
    v += cuda.shfl_down_sync(-1, v, 2)
    v += cuda.shfl_xor_sync(-1, v, 4)
    x[i] = v


def votes(x, out):
    i = cuda.threadIdx.x
    mask = cuda.activemask()
    if cuda.all_sync(mask, x[i] > 0) or cuda.any_sync(mask, x[i]) or cuda.eq_sync(mask, x[i]):
        out[i] = cuda.ballot_sync(mask, x[i] > 1)
    same, every = cuda.match_all_sync(mask, x[i])
    out[i] += cuda.match_any_sync(mask, x[i]) + same + every + (cuda.lanemask_lt() & mask)


def bits(x, out):
    i = cuda.threadIdx.x
    out[i] = cuda.popc(x[i]) + cuda.clz(x[i]) + cuda.ffs(x[i]) + cuda.brev(x[i])
    out[i] = cuda.selp(x[i] > 3, out[i], out[i] + 1)


def integer_atomics(x):
    i = cuda.threadIdx.x
    old = cuda.atomic.add(x, 0, 1) + cuda.atomic.sub(x, 1, 2) + cuda.atomic.max(x, 2, i) + cuda.atomic.min(x, 3, i)
    old += cuda.atomic.and_(x, 4, i) + cuda.atomic.or_(x, 5, i) + cuda.atomic.xor(x, -6, i) + cuda.atomic.exch(x, 7, i)
    old += cuda.atomic.nanmax(x, 8, i) + cuda.atomic.nanmin(x, 9, i)
    old += cuda.atomic.compare_and_swap(x, 3, i) + cuda.atomic.cas(x, 11, 3, i)
    x[12] = old


def wrapping_atomics(x):
    cuda.atomic.inc(x, 0, 10)
    cuda.atomic.dec(x, 1, 10)


def float_atomics(x):
    tile = cuda.shared.array((4, 4), float32)
    i = cuda.threadIdx.x
    old = cuda.atomic.add(x, (0, 1), 1) + cuda.atomic.sub(x, (1, i), 2.5) + cuda.atomic.exch(x, (i, 7), i)
    old += cuda.atomic.max(x, (1, 2), old) + cuda.atomic.min(x, (i, i), old)
    old += cuda.atomic.nanmax(x, (1, 2), old) + cuda.atomic.nanmin(x, (i, i), old)
    cuda.atomic.add(tile, (i, i), 1)
    x[0, 0] = cuda.atomic.cas(x, (1, 1), 3, old)


def float_functions(x, out):
    i = cuda.grid(1)
    v = x[i]
    a = math.sin(v) + math.cos(v) + math.tan(v) + math.asin(v) + math.acos(v) + math.atan(v) + math.atan2(v, v)
    b = math.sinh(v) + math.cosh(v) + math.tanh(v) + math.asinh(v) + math.acosh(v) + math.atanh(v)
    c = math.exp(v) + math.expm1(v) + math.log(v) + math.log2(v) + math.log10(v) + math.log1p(v) + math.pow(v, a)
    d = math.sqrt(v) + math.fabs(v) + math.floor(v) + math.ceil(v) + math.trunc(v) + math.copysign(v, a)
    e = (
        math.hypot(v, a)
        + math.erf(v)
        + math.erfc(v)
        + math.gamma(v)
        + math.lgamma(v)
        + math.fmod(v, a)
        + math.remainder(v, a)
    )
    m, k = math.frexp(v)
    n, whole = math.modf(v)
    f = math.ldexp(v, 3) + m + k + n + whole + math.isnan(v) + math.isinf(v) + math.isfinite(v)
    f += math.degrees(v) + math.radians(v) + math.nextafter(v, a) + math.ulp(v) + cuda.fma(v, a, b) + cuda.cbrt(v)
    out[i] = a + b + c + d + e + f + v**a + v**3 + v // a + v % a + round(v) + abs(v) + min(v, a) + max(v, a)


def native_functions(x, out):
    i = cuda.grid(1)
    v = x[i]
    out[i] = math.sqrt(v) + math.fabs(v) + math.floor(v) + math.ceil(v) + math.trunc(v) + math.copysign(v, 2.0)
    out[i] += cuda.fma(v, v, v) + abs(v) / 3 + round(v)


def integers(x, out):
    i = cuda.grid(1)
    v = x[i]
    out[i] = v**3 + v**i + v // 3 + v % 5 + math.gcd(v, 12) + math.lcm(v, 4) + math.isqrt(v) + pow(v, 3, 7)
    out[i] += math.comb(v, 2) + math.perm(v, 2) + math.factorial(3) + (v << 2) + (v >> 1) + divmod(v, 7)[1] + abs(v)


def complex_numbers(z, out):
    i = cuda.grid(1)
    w = z[i] * (1 + 2j) + z[0]
    w = w / z[1] + np.exp(w) + np.sqrt(w) + np.log(w) + np.sin(w) + np.cos(w) + w**2 + w**w
    out[i] = w.conjugate() + abs(w) + w.real + w.imag * 1j


def complex_functions(z, out):
    i = cuda.grid(1)
    w = z[i]
    a = cmath.acos(w) + cmath.acosh(w) + cmath.asin(w) + cmath.asinh(w) + cmath.atan(w) + cmath.atanh(w)
    b = cmath.cos(w) + cmath.cosh(w) + cmath.sin(w) + cmath.sinh(w) + cmath.tan(w) + cmath.tanh(w)
    c = cmath.exp(w) + cmath.log(w) + cmath.log(w, a) + cmath.log10(w) + cmath.sqrt(w)
    r, phi = cmath.polar(w)
    d = cmath.rect(r, cmath.phase(b)) + phi + cmath.pi + cmath.infj
    d += cmath.isnan(w) + cmath.isinf(w) + cmath.isfinite(w) + cmath.isclose(w, a)
    e = np.log1p(w) + np.expm1(w) + np.exp2(w) + np.log2(w) + np.rint(w) + np.reciprocal(w) + np.sign(w) + np.square(w)
    out[i] = a + b + c + d + e + np.float_power(w, a) + np.maximum(w, a) + np.fmin(w, b)


def numpy_functions(x, out):
    i = cuda.grid(1)
    v = x[i]
    f = np.spacing(v) + np.logaddexp(v, 2) + np.logaddexp2(v, 3) + np.heaviside(v, 1) + np.nextafter(v, 3)
    f += np.floor_divide(v, 3) + np.remainder(v, 5) + np.power(v, 2) + np.ldexp(f, i) + np.logical_xor(v, i)
    n = np.gcd(i, 12) + np.lcm(i, 4) + np.left_shift(i, 3) + np.right_shift(i, 1) + np.bitwise_and(i, 5) + np.invert(i)
    out[i] = f + n


@njit
def square(x):
    return x * x


def calls_device_function(x, out):
    i = cuda.grid(1)
    out[i] = square(x[i]) + square(3)


@njit
def depth(n):
    if n <= 0:
        return 0
    return depth(n - 1) + 1


def recursion(out):
    out[cuda.grid(1)] = depth(cuda.grid(1))


def prints(x):
    i = cuda.grid(1)
    print("i =", i, "100%", x[i], i == 3, uint64(i))


def raises(x, out):
    i = cuda.grid(1)
    if i >= out.size:
        raise IndexError("too many threads")
    assert x[i] > 0, "no positive number"
    out[i] = x[i]


def divides(x, out):
    i = cuda.grid(1)
    out[i] = x[i] / out[i]


def views(x, out):
    i = cuda.grid(1)
    row = x[i]
    out[i] = row[0] + row[1:][0] + x[:, 1][i] + x.T[0, i] + len(x) + x.shape[1] + x.size + x.ndim
    x[i, 2:] = 3


def tuples(pair, scale, out):
    x, n = pair
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] * scale


FLOATS, INTS = float32[::1], int64[::1]
KERNELS = [
    (vector_add, (float32[::1],) * 3),
    (vector_add, (float64[:], float32[::1], float64[:])),
    (transpose, (float32[:, ::1], float32[:, ::1])),
    (matmul, (float32[:, ::1],) * 3),
    (indices, (INTS,)),
    (memories, (FLOATS, FLOATS)),
    (large_shared, (FLOATS,)),
    (barriers, (int32[::1],)),
    *((shuffles, (scalar[::1],)) for scalar in (int32, uint32, int64, uint64, float16, float32, float64)),
    *((votes, (scalar[::1], INTS)) for scalar in (int32, int64, float16, float32, float64)),
    *((bits, (scalar[::1], INTS)) for scalar in (int32, uint32, int64, uint64)),
    *((integer_atomics, (scalar[::1],)) for scalar in (int32, uint32, int64, uint64)),
    *((wrapping_atomics, (scalar[::1],)) for scalar in (uint32, uint64)),
    *((float_atomics, (scalar[:, ::1],)) for scalar in (float16, float32, float64)),
    *((native_functions, (scalar[::1],) * 2) for scalar in (float16, float32, float64)),
    (calls_device_function, (float64[::1],) * 2),
    (recursion, (INTS,)),
    (prints, (FLOATS,)),
    (raises, (FLOATS, FLOATS)),
    (divides, (FLOATS, FLOATS)),
    (views, (float32[:, :], FLOATS)),
    (tuples, (types.Tuple((float32[::1], int64)), float32, FLOATS)),
]
MATHEMATICAL = [
    (integers, (INTS, INTS)),
    *((float_functions, (scalar[::1],) * 2) for scalar in (float16, float32, float64)),
    *((complex_numbers, (scalar[::1],) * 2) for scalar in (types.complex64, types.complex128)),
    *((complex_functions, (scalar[::1],) * 2) for scalar in (types.complex64, types.complex128)),
    *((numpy_functions, (scalar[::1],) * 2) for scalar in (float32, float64)),
]


def name_of(case):
    return f"{case[0].__name__}-{case[1][0]}"


@pytest.mark.parametrize("case", KERNELS, ids=name_of)
def test_compiles_for_every_architecture(case, tmp_path):
    for cc in ARCHITECTURES:
        architecture = f"sm_{cc[0]}{cc[1]}"
        ptx = ptx_of(*case, cc=cc)
        assert f".target {architecture}" in ptx
        assert f".visible .entry {case[0].__name__}(" in ptx
        if PTXAS and cc in ((7, 5), (9, 0), (10, 0)):
            assemble(ptx, architecture, tmp_path)


@needs_libdevice
@pytest.mark.parametrize("case", MATHEMATICAL, ids=name_of)
def test_mathematical_functions_come_from_libdevice(case, tmp_path):
    for cc in ((7, 0), (9, 0)):
        ptx = ptx_of(*case, cc=cc)
        assert ".extern" not in ptx
        if PTXAS and cc != (7, 0):
            assemble(ptx, f"sm_{cc[0]}{cc[1]}", tmp_path)


# --- Code quality ----------------------------------------------------------------------------------------------------


def count(ptx, instruction):
    return sum(line.strip().startswith(instruction) for line in ptx.splitlines())


def test_vector_add_has_nothing_to_spare():
    ptx = ptx_of(vector_add, (float32[::1],) * 3, cc=(9, 0))
    assert count(ptx, "ld.global.b32") == 2 and count(ptx, "st.global.b32") == 1
    assert count(ptx, "mul.wide.u32") == 1
    assert not any(word in ptx for word in ("div.", "rem.", "ld.b32", "st.b32", "call", ".local"))


@pytest.mark.parametrize("case", [(transpose, (float32[:, ::1],) * 2), (matmul, (float32[:, ::1],) * 3)], ids=name_of)
def test_shared_memory_is_known_as_such(case):
    ptx = ptx_of(*case, cc=(9, 0))
    assert count(ptx, "ld.shared.b32") and count(ptx, "st.shared.b32") and count(ptx, "ld.global.b32")
    assert not any(word in ptx for word in ("div.", "rem.", "ld.b32", "st.b32", "call", ".local"))
    assert case[0] is transpose or (count(ptx, "fma.rn.f32") >= 8 and not count(ptx, "mul.f32"))


def test_large_shared_arrays_become_dynamic():
    from pyarray.cuda._compile import compile_to

    result = compile_to(large_shared, (FLOATS,), cc=(9, 0))
    assert result["shared_bytes"] == 80 * 80 * 8 + 400
    assert ".extern .shared" in result["code"]


def test_atomics_on_shared_memory():
    ptx = ptx_of(float_atomics, (float32[:, ::1],))
    assert count(ptx, "atom.shared.add.f32") + count(ptx, "red.shared.add.f32") == 1
    assert count(ptx, "atom.global.add.f32") == 2


# --- Options ---------------------------------------------------------------------------------------------------------


def quotient(x):
    x[0] = x[1] / x[2] + math.sqrt(x[3]) * x[4]


def test_options(tmp_path):
    exact = ptx_of(quotient, (FLOATS,))
    assert "div.rn.f32" in exact and "sqrt.rn.f32" in exact and "fma.rn.f32" in exact
    fast = ptx_of(quotient, (FLOATS,), fastmath=True)
    assert "div.approx.ftz.f32" in fast and "sqrt.approx.ftz.f32" in fast
    assert "fma.rn.f32" not in ptx_of(quotient, (FLOATS,), fma=False)
    bounded = ptx_of(quotient, (FLOATS,), max_registers=24, launch_bounds=(256, 2))
    assert ".maxntid 256" in bounded and ".minnctapersm 2" in bounded and ".maxnreg 24" in bounded
    lines = ptx_of(quotient, (FLOATS,), lineinfo=True)
    assert f".loc\t1 {quotient.__code__.co_firstlineno + 1} " in lines and "test_cuda_ptx.py" in lines
    assert ".loc" not in exact
    debug = ptx_of(quotient, (FLOATS,), debug=True)
    assert ".target sm_75, debug" in debug
    assert len(ptx_of(matmul, (float32[:, ::1],) * 3, opt=False)) > len(ptx_of(matmul, (float32[:, ::1],) * 3)) / 2
    if PTXAS:
        for ptx in (fast, bounded, lines, debug):
            assemble(ptx, "sm_75", tmp_path)


def test_device_functions_have_the_c_calling_convention():
    def add(x, y):
        return x + y

    ptx, result = cuda.compile(add, float32(float32, float32), cc=(8, 0), abi_info={"abi_name": "plus"})
    assert ".visible .func  (.param .b32 func_retval0) plus(" in ptx and result is float32
    ptx, result = cuda.compile(add, (int32, int64), cc="sm_90a")
    assert ".target sm_90a" in ptx and result is int64
    assert cuda.compile_ptx(add, (float32, float32), device=True)[0].count(".func") == 1


def test_compile_defaults_to_a_device_function():
    text, result = cuda.compile(square, (float64,))
    assert ".entry" not in text and result is float64


# --- Refusals --------------------------------------------------------------------------------------------------------


def makes_array(x):
    y = x.copy()
    x[0] = y[1]


def makes_zeros(x):
    x[0] = np.zeros(len(x))[0]


def returns(x):
    return x[0]


def variable_shape(x):
    tile = cuda.shared.array(x.size, float32)
    tile[0] = x[0]


def draws(x):
    x[0] = np.random.random()


def four_dimensions(x):
    x[0] = cuda.grid(4)


def wrong_atomic(x):
    cuda.atomic.xor(x, 0, 1)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (makes_array, errors.UnsupportedError, "nothing is allocated on a GPU"),
        (makes_zeros, errors.UnsupportedError, "nothing is allocated on a GPU"),
        (returns, errors.TypingError, "a kernel returns nothing"),
        (variable_shape, errors.UnsupportedError, "must be made of positive ints that are known"),
        (draws, errors.UnsupportedError, "not available on a GPU"),
        (four_dimensions, errors.TypingError, "1, 2 or 3"),
        (wrong_atomic, errors.TypingError, "does not work on elements of type float32"),
    ],
)
def test_what_a_gpu_has_not_is_refused_in_its_place(function, error, message):
    with pytest.raises(error, match=message) as caught:
        cuda.compile_ptx(function, (FLOATS,))
    assert "test_cuda_ptx.py" in str(caught.value)


def test_device_operations_are_refused_elsewhere():
    @njit
    def host():
        return cuda.grid(1)

    with pytest.raises(errors.TypingError, match="only for functions that are compiled for a GPU"):
        host()
    for use in (
        lambda: cuda.grid(1),
        lambda: cuda.threadIdx.x + 1,
        lambda: cuda.atomic.add(TABLE, 0, 1),
        cuda.syncthreads,
    ):
        with pytest.raises(RuntimeError, match="only for functions that are compiled for a GPU"):
            use()


def test_wrong_requests():
    with pytest.raises(NotImplementedError, match="Unsupported ABI: fortran"):
        cuda.compile(square, (float64,), abi="fortran")
    with pytest.raises(NotImplementedError, match="Unsupported output type: elf"):
        cuda.compile(square, (float64,), output="elf")
    with pytest.raises(errors.PyArrayError, match="sm_60"):
        cuda.compile(square, (float64,), cc=(6, 0))


def test_missing_libdevice_says_what_to_do(monkeypatch):
    monkeypatch.setenv("PYARRAY_LIBDEVICE", "/nowhere")
    with pytest.raises(errors.UnsupportedError, match="pip install nvidia-nvvm"):
        ptx_of(float_functions, (float32[::1],) * 2)
    assert "sqrt.rn.f32" in ptx_of(native_functions, (float32[::1],) * 2)


def test_damaged_libdevice_is_named(monkeypatch, tmp_path):
    damaged = tmp_path / "libdevice.10.bc"
    damaged.write_bytes(b"BC\xc0\xde no bitcode")
    monkeypatch.setenv("PYARRAY_LIBDEVICE", str(damaged))
    with pytest.raises(errors.UnsupportedError, match=f"{damaged} is no LLVM bitcode"):
        ptx_of(float_functions, (float32[::1],) * 2)


def test_guards_of_recursion_are_gone():
    @cuda.jit(device=True)
    def down(n):
        return 0 if n <= 0 else down(n - 1) + 1

    def kernel(out):
        out[0] = down(out[1])

    ptx = ptx_of(kernel, (int64[::1],))
    assert ".func  (.param" in ptx and "stack_limit" not in ptx and "pyarray_rt_raise" not in ptx


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"launch_bounds": -1}, ValueError, "launch_bounds is the most threads"),
        ({"launch_bounds": (1, 2, 3, 4)}, ValueError, "launch_bounds is the most threads"),
        ({"launch_bounds": 1.5}, ValueError, "launch_bounds is the most threads"),
        ({"launch_bounds": 2**31}, ValueError, "launch_bounds is the most threads"),
        ({"max_registers": -1}, ValueError, "max_registers is a number of registers"),
        ({"max_registers": 2**32}, ValueError, "max_registers is a number of registers"),
        ({"fastmath": {"slow"}}, ValueError, "Unrecognized fastmath flags: 'slow'"),
    ],
)
def test_options_that_are_none(options, error, message):
    def store(a):
        a[0] = 1

    for attempt in (lambda: cuda.compile_ptx(store, "void(float64[:])", **options), lambda: cuda.jit(**options)(store)):
        with pytest.raises(error, match=message):
            attempt()


@pytest.mark.parametrize("cc", [9, (9,), (9, 0, 0), 9.0])
def test_compute_capabilities_that_are_none(cc):
    with pytest.raises(TypeError, match=r"cc is a compute capability such as \(9, 0\), \(9, 0, 'a'\) or 'sm_90', not "):
        cuda.compile_ptx(lambda a: None, "void(float64[:])", cc=cc)


@pytest.mark.parametrize("function", [3, None, len, np.sin])
def test_only_python_functions_are_compiled(function):
    with pytest.raises(TypeError, match="a Python function is compiled, not "):
        cuda.compile_ptx(function, "void(float64[:])")


@pytest.mark.parametrize("name", ["add", "max", "exch", "cas"])
def test_atomics_of_times_are_refused(name):
    operation = getattr(cuda.atomic, name)

    def add(a):
        operation(a, 0, a[1])

    def swap(a):
        operation(a, 0, a[1], a[2])

    with pytest.raises(errors.TypingError, match=f"cuda.atomic.{name} works on numbers alone"):
        cuda.compile_ptx(swap if name == "cas" else add, (types.Array(types.NPTimedelta("s"), 1, "C"),))


def test_an_empty_name_is_none():
    def store(a):
        a[0] = 1

    assert ".entry store(" in cuda.compile_ptx(store, "void(float64[:])", abi_info={"abi_name": ""})[0]
