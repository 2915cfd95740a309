"""Measure cuFFT, cuBLAS and cuRAND as pyarray calls them, beside the same calls from C and CuPy, in one run.

    python benchmarks/gpu/libraries.py [--out FILE] [--scale N]

Needs a GPU, gcc, CuPy and the libraries; pyarray installed. --scale divides the sizes. Ratios come with their limits.
"""

import argparse
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
from gpu import call_time, device_time, report, results  # noqa: E402

POINTS, ELEMENTS, ROWS, IMAGE = 1024, 100_000_000, 4096, 4096


def from_c(folder, scale):
    """Seconds of each call from C."""
    from pyarray.cuda import _libraries

    program = folder / "libraries"
    subprocess.run(["gcc", "-O2", "-w", "-o", program, HERE / "libraries.c", "-ldl"], check=True)
    paths = [next(iter(_libraries._paths(name))) for name in ("cudart", "cufft", "cublas", "curand")]
    command = [program, *paths, str(POINTS), str(ELEMENTS // scale), str(ROWS // scale)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    names = (
        "enqueue fft",
        "fft",
        "enqueue saxpy",
        "saxpy",
        "gemm",
        "enqueue uniform",
        "uniform",
        "uniform philox",
        "normal",
    )
    return dict(zip(names, map(float, lines), strict=True))


def done_time(call, synchronize, calls, rounds=20):
    """Best seconds of one call, until all are done."""
    best = 1e9
    for _ in range(20):
        call()
    for _ in range(rounds):
        synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        synchronize()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def measure_calls(cuda, c, scale):
    from pyarray.cuda import cufft
    from pyarray.cuda.cublas import Blas
    from pyarray.cuda.curand import PRNG

    blas = Blas()
    x, y = cuda.to_device(np.ones((2, ELEMENTS // scale), np.float32))
    small_x, small_y = x[:16], y[:16]
    rows = ROWS // scale
    a, b, product = (cuda.to_device(np.ones((rows, rows), np.float32)) for _ in range(3))
    line, image = (np.ones(shape, np.complex64) for shape in (POINTS, (POINTS, POINTS)))
    line, line_out, image, image_out = (cuda.to_device(array) for array in (line, line, image, image))
    plan, plan_2d = (cufft.FFTPlan(array.shape, "c8", "c8") for array in (line, image))
    xorwow, philox = PRNG(PRNG.XORWOW, seed=1), PRNG(PRNG.PHILOX4_32_10, seed=1)
    enqueued = {
        "enqueue fft": (functools.partial(plan.forward, line, line_out), 1.5),
        "enqueue saxpy": (functools.partial(blas.axpy, 1, small_x, small_y), None),
        "enqueue uniform": (functools.partial(xorwow.uniform, small_x), 1.5),
    }
    done = {
        "fft": (functools.partial(plan_2d.forward, image, image_out), 20),
        "saxpy": (functools.partial(blas.axpy, 1, x, y), 20),
        "uniform": (functools.partial(xorwow.uniform, x), 20),
        "uniform philox": (functools.partial(philox.uniform, x), 20),
        "normal": (functools.partial(xorwow.normal, x), 20),
        "gemm": (functools.partial(blas.gemm, "N", "N", rows, rows, rows, 1, a, b, 0, product), 10),
    }
    for name, (call, limit) in enqueued.items():
        seconds = call_time(call, cuda.synchronize, 500)
        report(name, c=c[name] * 1e6, pyarray=seconds * 1e6, unit="us", ratio=seconds / c[name], limit=limit)
    for name, (call, calls) in done.items():
        seconds = done_time(call, cuda.synchronize, calls)
        report(name, c=c[name] * 1e3, pyarray=seconds * 1e3, unit="ms", ratio=seconds / c[name], limit=1.03)


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
