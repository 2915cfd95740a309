"""Checks of kernels that are linked with CUDA C++, and of functions of Python in CUDA C++."""

import ctypes
import math
import pathlib
import subprocess
import tempfile

import numpy as np
from checking import SCALE, Skip, check, need_gpu, raised, tool

HERE = pathlib.Path(__file__).resolve().parent
N = 1 << 20

TWICE = """
extern "C" __device__ int twice(float *result, float x)
{
    *result = 2 * x;
    return 0;
}
"""


def doubling(**options):
    """A kernel that calls twice() for each element."""
    from pyarray import cuda

    twice = cuda.declare_device("twice", "float32(float32)")

    @cuda.jit(**options)
    def kernel(x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = twice(x[i])

    return kernel


def doubles(**options):
    """Check that what is linked doubles."""
    from pyarray import cuda

    kernel, x = doubling(cache=False, **options), np.arange(N, dtype=np.float32)
    y = cuda.device_array_like(x)
    kernel[(N + 255) // 256, 256](cuda.to_device(x), y)
    assert np.array_equal(y.copy_to_host(), 2 * x)
    return kernel


def architecture():
    from pyarray import cuda

    major, minor = cuda.get_current_device().compute_capability
    return f"{major}{minor}"


def made_by_nvcc(folder, kind, source=TWICE, arch=None):
    """A file with what nvcc makes of the source."""
    arch = arch or architecture()
    code = pathlib.Path(folder) / "twice.cu"
    code.write_text(source)
    arguments = {
        "o": ["-dc"],
        "a": ["-dc"],
        "cubin": ["-rdc=true", "-cubin"],
        "fatbin": ["-rdc=true", "-fatbin"],
        "ptx": ["-rdc=true", "-ptx"],
        "ltoir": ["-rdc=true", "-dlto", "-ltoir"],
    }[kind]
    made = code.with_suffix(".o" if kind == "a" else f".{kind}")
    target = f"-gencode=arch=compute_{arch},code=" + (f"lto_{arch}" if kind == "ltoir" else f"sm_{arch}")
    target = f"-arch=sm_{arch}" if kind in ("ptx", "ltoir") else target
    subprocess.run([tool("nvcc"), target, *arguments, code, "-o", made], check=True)
    if kind == "a":
        subprocess.run([tool("ar"), "rcs", code.with_suffix(".a"), made], check=True)
        made = code.with_suffix(".a")
    return made


@check
def link_by_nvrtc():
    """CUDA C++ in memory and in a file that includes another."""
    from pyarray import cuda

    need_gpu()
    kernel = doubles(link=[cuda.CUSource(TWICE)])
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "two.h").write_text("#define TWO 2\n")
        file = pathlib.Path(folder) / "twice.cu"
        file.write_text('#include "two.h"\n' + TWICE.replace("2 * x", "TWO * x"))
        doubles(link=[file])
    calls = sum("CALL" in line for line in next(iter(kernel.inspect_sass().values())).splitlines())
    return f"{N} elements; {calls} calls in the SASS"


def by_nvcc(kind):
    need_gpu()
    with tempfile.TemporaryDirectory() as folder:
        file = made_by_nvcc(folder, kind)
        doubles(link=[file])
        return f"{file.stat().st_size} bytes"


@check
def link_an_object():
    return by_nvcc("o")


@check
def link_an_archive():
    return by_nvcc("a")


@check
def link_a_cubin():
    return by_nvcc("cubin")


@check
def link_a_fatbin():
    return by_nvcc("fatbin")


@check
def link_ptx():
    return by_nvcc("ptx")


@check
def link_ltoir():
    """By nvJitLink; and what the driver's linker says of it."""
    said = by_nvcc("ltoir")
    program = f"""
import sys; sys.path.insert(0, {str(HERE)!r})
from pyarray.cuda import _link
_link._open_nvjitlink = lambda: None
import check_link
try:
    print("the driver alone:", check_link.by_nvcc("ltoir"))
except Exception as error:
    print("the driver alone:", " ".join(str(error).split())[:150])
"""
    from checking import run

    return f"{said}; {run(program).strip().splitlines()[-1]}"


@check
def link_lto_inlines():
    """lto=True by clang or NVIDIA's compilers: no call is left, and what that is worth where a function does little."""
    from pyarray import cuda
    from pyarray.cuda import _link, _sources

    need_gpu()
    if _sources.clang() is None and not _link._can_optimise_together():
        raise Skip("neither clang nor NVRTC, nvJitLink and libNVVM")
    count = (1 << 27) // SCALE
    x, y = cuda.to_device(np.ones(count, np.float32)), cuda.device_array(count, np.float32)
    times, calls = {}, {}
    for lto in (False, True):
        kernel = doubling(link=[cuda.CUSource(TWICE)], lto=lto, cache=False)
        best = 1e9
        for _ in range(6):
            start, end = cuda.event(), cuda.event()
            start.record()
            kernel[(count + 255) // 256, 256](x, y)
            end.record()
            end.synchronize()
            best = min(best, cuda.event_elapsed_time(start, end))
        times[lto] = best
        calls[lto] = sum("CALL." in line for line in next(iter(kernel.inspect_sass().values())).splitlines())
    assert (y.copy_to_host() == 2).all() and not calls[True]
    rates = ", ".join(f"{'inlined' if lto else 'called'} {8e-6 * count / ms:.0f} GB/s" for lto, ms in times.items())
    return f"{rates}; calls in the SASS: {calls[False]} and {calls[True]}"


@check
def link_failures_leave_the_context():
    """A missing symbol, a wrong architecture, a source that does not compile, PTX that is none."""
    from pyarray import cuda

    need_gpu()
    x = cuda.to_device(np.ones(4, np.float32))
    y = cuda.device_array_like(x)

    def fails(*parts):
        return " ".join(str(raised(cuda.LinkerError, doubling(link=parts, cache=False)[1, 4], x, y)).split())

    said = [fails(cuda.CUSource("//", name="empty.cu"))]
    assert "twice" in said[0]
    said.append(fails(cuda.CUSource("// one\n__device__ int f() { return unknown; }", name="folder/mine.cu")))
    assert "folder/mine.cu(2)" in said[1] and "unknown" in said[1]
    said.append(fails(cuda.PTXSource("nonsense", name="bad.ptx")))
    assert "bad.ptx" in said[2]
    with tempfile.TemporaryDirectory() as folder:
        other = made_by_nvcc(folder, "o", arch="80" if architecture() != "80" else "90")
        said.append(fails(other))
        assert other.name in said[3]
    doubles(link=[cuda.CUSource(TWICE)])
    return " | ".join(text[:130] for text in said)


@check
def link_status_raises():
    """A status is an exception with the lines of the kernel, and the context lives on."""
    from pyarray import cuda

    need_gpu()
    code = 'extern "C" __device__ int fails(int *r, int x) { *r = 2 * x; return x == 77; }'
    fails = cuda.declare_device("fails", "int32(int32)", link=cuda.CUSource(code))

    @cuda.jit(cache=False)
    def kernel(x):
        i = cuda.grid(1)
        x[i] = fails(i)

    x = cuda.to_device(np.zeros(128, np.int32))
    kernel[1, 128](x)
    error = raised(cuda.ForeignFunctionError, cuda.synchronize)
    assert error.code == 1 and "thread (77, 0, 0)" in error.__notes__[0]
    assert (np.delete(x.copy_to_host(), 77) == np.delete(2 * np.arange(128), 77)).all()
    return f"{error}; {error.__notes__[0]}"


@check
def link_types():
    """Both conventions, small integers, pointers, complex results: as the CPU has them (test_cuda_link.py has all)."""
    from pyarray import cuda

    need_gpu()
    code = cuda.CUSource("""
        extern "C" __device__ bool is_odd(signed char x) { return x & 1; }
        extern "C" __device__ unsigned char narrow(bool a, short b, unsigned char c) { return a + b + c; }
        extern "C" __device__ int swap(float *result, float re, float im) { result[0] = im; result[1] = re; return 0; }
        extern "C" __device__ double sum(const double *x, long long n) { return n ? x[0] + sum(x + 1, n - 1) : 0; }
    """)
    is_odd = cuda.declare_device("is_odd", "boolean(int8)", abi="c", link=code)
    narrow = cuda.declare_device("narrow", "uint8(boolean, int16, uint8)", abi="c", link=code)
    swap = cuda.declare_device("swap", "complex64(float32, float32)", link=code)
    total = cuda.declare_device("sum", "float64(CPointer(float64), int64)", abi="c", link=code)

    @cuda.jit(cache=False)
    def kernel(out, x):
        shared = cuda.shared.array(3, np.float64)
        local = cuda.local.array(2, np.float64)
        for i in range(3):
            shared[i] = i
        local[0], local[1] = 5, 6
        out[0], out[1] = is_odd(-3), is_odd(4)
        out[2] = narrow(True, -3, 255)
        out[3], out[4] = swap(1.5, 2.5).real, swap(1.5, 2.5).imag
        out[5], out[6], out[7] = total(x, x.size), total(shared, 3), total(local, 2)

    out = np.zeros(8)
    kernel[1, 1](out, np.arange(5.0))
    assert out.tolist() == [1, 0, 253, 2.5, 1.5, 10, 3, 11], out
    return out.tolist()


@check
def link_callbacks():
    """Callbacks reach the module's variables."""
    from pyarray import cuda

    need_gpu()
    log = []

    def set_up(module):
        address, size = module.get_global_symbol("factor")
        assert size == 4
        log.append((int(module) != 0, address != 0))

    source = (
        'extern "C" { __device__ int factor = 3; __device__ int scaled(int *r, int x) { *r = factor * x; return 0; } }'
    )
    code = cuda.CUSource(source, setup_callback=set_up, teardown_callback=lambda module: log.append("gone"))
    scaled = cuda.declare_device("scaled", "int32(int32)", link=code)

    @cuda.jit
    def kernel(x):
        x[0] = scaled(5)

    x = np.zeros(1, np.int32)
    kernel[1, 1](x)
    assert x[0] == 15 and len(log) == 1
    cuda.get_current_device().reset()
    assert log[1] == "gone"
    kernel[1, 1](x)
    return log


@check
def curand_device_functions():
    """curand_init and curand from Python against a kernel in CUDA C++: counts and states, bit for bit."""
    import sys

    from checking import EXAMPLES
    from pyarray import cuda

    need_gpu()
    sys.path.insert(0, str(EXAMPLES))
    from programs import load

    module = load("seeds/count_low_bits_native")
    if module.missing():
        raise Skip(module.missing())
    threads, samples, launches = 4096, 10_000 // SCALE, 5
    with tempfile.TemporaryDirectory() as folder:
        program, file = f"{folder}/count", f"{folder}/out"
        source = HERE / "count_low_bits.cu"
        subprocess.run([tool("nvcc"), f"-arch=sm_{architecture()}", "-O3", source, "-o", program], check=True)
        shown = subprocess.run(
            [program, *map(str, (threads, samples, launches)), file], check=True, capture_output=True
        )
        data = pathlib.Path(file).read_bytes()
    counts = np.frombuffer(data, np.int64, threads)
    states = np.frombuffer(data, np.uint32, offset=8 * threads).reshape(threads, 5)
    found, words = module.count_low_bits_native(threads, samples, launches)
    assert np.array_equal(found, counts) and np.array_equal(words, states)
    own = module.CurandStates(threads)
    module.set_up[threads // 64, 64](own, threads)
    results, times = cuda.to_device(np.zeros(threads, np.int64)), {}
    kernels = {"linked": module.count_native}
    kernels["inlined"] = cuda.jit(link=[module.SHIM], extensions=[module.StatesHandler()], lto=True)(
        module.count_native.py_func
    )
    for name, kernel in kernels.items():
        best = 1e9
        for _ in range(launches):
            start, end = cuda.event(), cuda.event()
            start.record()
            kernel[threads // 64, 64](own, samples, results)
            end.record()
            end.synchronize()
            best = min(best, cuda.event_elapsed_time(start, end))
        times[name] = best
    share = counts.sum() / (threads * samples * launches)
    ours = ", ".join(f"{name} {time:.3f}" for name, time in times.items())
    return f"fraction {share:.13f}; ms of a launch: {ours}, CUDA C++ {float(shown.stdout):.3f}"


@check
def python_function_in_cuda_c():
    """The pattern of cuDF: a kernel in CUDA C++ calls a scalar function in Python, by its PTX, linked by the driver."""
    from pyarray import cuda

    need_gpu()

    def haversine(lat, lon):
        a = math.sin(lat / 2) ** 2 + math.cos(lat) * math.sin(lon / 2) ** 2
        return 2 * 6371 * math.asin(math.sqrt(a))

    udf, result = cuda.compile_ptx_for_current_device(
        haversine, "float64(float64, float64)", device=True, abi_info={"abi_name": "udf"}
    )
    assert str(result) == "float64"
    source = """
        extern "C" __device__ double udf(double, double);
        extern "C" __global__ void apply(const double *lat, const double *lon, double *out, long long n)
        {
            long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
            if (i < n) out[i] = udf(lat[i], lon[i]);
        }"""
    with tempfile.TemporaryDirectory() as folder:
        caller = made_by_nvcc(folder, "ptx", source).read_bytes()
    random = np.random.default_rng(1)
    lat, lon = random.uniform(-1.5, 1.5, N), random.uniform(-3, 3, N)
    arrays = [cuda.to_device(lat), cuda.to_device(lon), cuda.device_array(N)]
    launch_linked([caller, udf.encode()], "apply", [a.__cuda_array_interface__["data"][0] for a in arrays] + [N], N)
    a = np.sin(lat / 2) ** 2 + np.cos(lat) * np.sin(lon / 2) ** 2
    error = np.abs(arrays[2].copy_to_host() - 2 * 6371 * np.arcsin(np.sqrt(a))).max()
    assert error < 1e-8
    return f"{N} points, largest difference from NumPy's {error:.1e}"


def launch_linked(ptx, name, words, count):
    """Link texts of PTX by the driver and launch a kernel of them, in the current context."""
    driver = ctypes.CDLL("libcuda.so.1")

    def call(function, *arguments):
        assert (result := getattr(driver, function)(*arguments)) == 0, (function, result)

    state, image, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuLinkCreate_v2", 0, None, None, ctypes.byref(state))
    for i, text in enumerate(ptx):
        text = text + b"\0"
        call("cuLinkAddData_v2", state, 1, text, ctypes.c_size_t(len(text)), f"{i}.ptx".encode(), 0, None, None)
    call("cuLinkComplete", state, ctypes.byref(image), ctypes.byref(size))
    call("cuModuleLoadData", ctypes.byref(module), image)
    call("cuModuleGetFunction", ctypes.byref(kernel), module, name.encode())
    slots = [ctypes.c_int64(word) for word in words]
    pointers = (ctypes.c_void_p * len(slots))(*[ctypes.addressof(slot) for slot in slots])
    call("cuLaunchKernel", kernel, (count + 255) // 256, 1, 1, 256, 1, 1, 0, None, pointers, None)
    call("cuCtxSynchronize")
    call("cuModuleUnload", module)
    call("cuLinkDestroy", state)
