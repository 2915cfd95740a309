"""Measure cuFFT, cuBLAS and cuRAND as pyarray calls them, beside the same calls from C and CuPy, in one run.

    python benchmarks/gpu/libraries.py [--out FILE] [--scale N]

Needs a GPU, gcc, CuPy and the libraries; pyarray installed. --scale divides the sizes. Ratios come with their limits.
"""

import argparse
import ctypes
import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from gpu import device_time, report, results  # noqa: E402

POINTS, ELEMENTS, ROWS, IMAGE = 1024, 100_000_000, 4096, 4096


# In the order of those of libraries.c.
CALLS = (
    "enqueue fft",
    "enqueue saxpy 16",
    "enqueue gemv 16",
    "enqueue gemm 16",
    "enqueue uniform 16",
    "dot 16",
    "saxpy, dot, gemv, gemm 16",
    "fft 2-D",
    "saxpy",
    "gemm",
    "uniform",
    "uniform philox",
    "normal",
)


def from_c(folder, scale):
    """The calls from C, in this process: seconds of one of ``count`` calls of a number."""
    from pyarray.cuda import _libraries

    library = folder / "libraries.so"
    subprocess.run(["gcc", "-O2", "-w", "-shared", "-fPIC", "-o", library, HERE / "libraries.c", "-ldl"], check=True)
    paths = [next(iter(_libraries._paths(name))).encode() for name in ("cudart", "cufft", "cublas", "curand")]
    calls = ctypes.CDLL(library)
    calls.prepare((ctypes.c_char_p * 4)(*paths), POINTS, ELEMENTS // scale, ROWS // scale)
    calls.measure.restype = ctypes.c_double
    return calls.measure


def round_time(call, synchronize, count, until_done):
    """Seconds of one of ``count`` calls, as libraries.c measures it."""
    synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    if until_done:
        synchronize()
    seconds = (time.perf_counter() - start) / count
    synchronize()
    return seconds


def in_turns(number, call, synchronize, c, count, until_done, rounds=20):
    """Best seconds of one call from C and from here, which are measured in turns."""
    best = [1e9, 1e9]
    for _ in range(rounds):
        best[0] = min(best[0], c(number, count, until_done))
        best[1] = min(best[1], round_time(call, synchronize, count, until_done))
    return best


def measure_calls(cuda, c, scale):
    from pyarray.cuda import cufft
    from pyarray.cuda.cublas import Blas
    from pyarray.cuda.curand import PRNG

    blas = Blas()
    x, y = cuda.to_device(np.ones((2, ELEMENTS // scale), np.float32))
    small_x, small_y, small_z = x[:16], y[:16], cuda.device_array(16, np.float32)
    rows = ROWS // scale
    a, b, product = (cuda.to_device(np.ones((rows, rows), np.float32, order="F")) for _ in range(3))
    small_a, small_b, small_c = (cuda.to_device(np.ones((16, 16), np.float32, order="F")) for _ in range(3))
    line, image = (np.ones(shape, np.complex64) for shape in (POINTS, (POINTS, POINTS)))
    line, line_out, image, image_out = (cuda.to_device(array) for array in (line, line, image, image))
    plan, plan_2d = (cufft.FFTPlan(array.shape, "c8", "c8") for array in (line, image))
    xorwow, philox = PRNG(PRNG.XORWOW, seed=1), PRNG(PRNG.PHILOX4_32_10, seed=1)

    def four():
        blas.axpy(1, small_x, small_y)
        blas.dot(small_x, small_y)
        blas.gemv("N", 16, 16, 1, small_a, small_y, 0, small_z)
        blas.gemm("N", "N", 16, 16, 16, 1, small_a, small_b, 0, small_c)

    gemv = functools.partial(blas.gemv, "N", 16, 16, 1, small_a, small_x, 0, small_z)
    gemm = functools.partial(blas.gemm, "N", "N", 16, 16, 16, 1, small_a, small_b, 0, small_c)
    small = {
        "enqueue fft": functools.partial(plan.forward, line, line_out),
        "enqueue saxpy 16": functools.partial(blas.axpy, 1, small_x, small_y),
        "enqueue gemv 16": gemv,
        "enqueue gemm 16": gemm,
        "enqueue uniform 16": functools.partial(xorwow.uniform, small_x),
        "dot 16": functools.partial(blas.dot, small_x, small_y),
        "saxpy, dot, gemv, gemm 16": four,
    }
    done = {  # with how many calls a round has
        "fft 2-D": (functools.partial(plan_2d.forward, image, image_out), 200),
        "saxpy": (functools.partial(blas.axpy, 1, x, y), 20),
        "gemm": (functools.partial(blas.gemm, "N", "N", rows, rows, rows, 1, a, b, 0, product), 10),
        "uniform": (functools.partial(xorwow.uniform, x), 20),
        "uniform philox": (functools.partial(philox.uniform, x), 20),
        "normal": (functools.partial(xorwow.normal, x), 20),
    }
    for name, call in small.items():
        of_c, ours = in_turns(CALLS.index(name), call, cuda.synchronize, c, 400, False)
        report(name, c=of_c * 1e6, pyarray=ours * 1e6, unit="us", ratio=ours / of_c, limit=1.5)
    for name, (call, count) in done.items():
        of_c, ours = in_turns(CALLS.index(name), call, cuda.synchronize, c, count, True)
        report(name, c=of_c * 1e3, pyarray=ours * 1e3, unit="ms", ratio=ours / of_c, limit=1.03)


def measure_convolution(cuda, cupy, scale):
    """The image filter of examples/seeds/fft_convolution.py, on arrays that are on the device."""
    sys.path.insert(0, str(HERE.parent.parent / "examples"))
    from programs import load
    from pyarray.cuda import cufft

    multiply = load("seeds/fft_convolution").multiply
    side = IMAGE // scale
    host = np.random.default_rng(0).random((2, side, side)).astype(np.complex64)
    image, response, out = cuda.to_device(host[0]), cuda.to_device(host[1]), cuda.device_array_like(host[0])
    plan = cufft.FFTPlan((side, side), np.complex64, np.complex64)
    transforms = [cuda.device_array_like(image) for _ in range(2)]

    def ours():
        plan.forward(image, transforms[0])
        plan.forward(response, transforms[1])
        multiply(*transforms, out=transforms[0])
        plan.inverse(transforms[0], out)

    theirs_image, theirs_response = cupy.asarray(host[0]), cupy.asarray(host[1])

    def theirs():
        return cupy.fft.ifft2(cupy.fft.fft2(theirs_image) * cupy.fft.fft2(theirs_response))

    wanted = cupy.asnumpy(theirs())
    ours()
    error = np.abs(out.copy_to_host() / side**2 - wanted).max() / np.abs(wanted).max()
    seconds = {"cupy": device_time(cupy, theirs), "pyarray": device_time(cupy, ours)}
    ratio = seconds["pyarray"] / seconds["cupy"]
    report("convolution", **{k: v * 1e3 for k, v in seconds.items()}, unit="ms", ratio=ratio, limit=1.0, error=error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--scale", type=int, default=1)
    arguments = parser.parse_args()
    import cupy
    from pyarray import cuda

    with tempfile.TemporaryDirectory() as folder:
        measure_calls(cuda, from_c(pathlib.Path(folder), arguments.scale), arguments.scale)
    measure_convolution(cuda, cupy, arguments.scale)
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=1, default=float))


if __name__ == "__main__":
    main()
