"""Measure kernels, launches and ufuncs on an NVIDIA GPU, side by side with CUDA C++ and numba-cuda, in one run.

    python benchmarks/gpu/gpu.py [--out FILE] [--scale N]

Needs a GPU, nvcc, gcc, CuPy (which launches the kernels of nvcc) and, as a peer, numba-cuda; pyarray installed.
--scale divides the sizes.
"""

import argparse
import functools
import importlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from kernels import kernels, problems  # noqa: E402

results = {}


def report(name, **values):
    results[name] = values
    texts = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in values.items()]
    print(f"{name:28}" + "  ".join(texts), flush=True)


def compile_cuda(folder):
    cubin = folder / "kernels.cubin"
    subprocess.run(["nvcc", "-O3", "-arch=sm_90", "-cubin", "-o", cubin, HERE / "kernels.cu"], check=True)
    launcher = folder / "launch"
    subprocess.run(["gcc", "-O2", "-o", launcher, HERE / "launch.c", "-ldl"], check=True)
    return cubin, launcher


def packages():
    """Name to (cuda module, float32) of those that are installed."""
    found = {}
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # gone from NumPy 2.5; numba-cuda 0.30 still asks for it
    for name in ("pyarray", "numba"):
        try:
            found[name] = importlib.import_module(f"{name}.cuda"), importlib.import_module(f"{name}.types").float32
        except (ImportError, AttributeError) as error:
            print(f"{name} is missing: {error}")
    return found


def device_time(cupy, call, rounds=9, repeats=5):
    """Median seconds of one call on the device."""
    call()
    times = []
    for _ in range(rounds):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(start, end) / repeats / 1e3)
    return statistics.median(times)


def measure_kernels(cupy, found, cubin, scale):
    module = cupy.RawModule(path=str(cubin))
    for name, (grid, block, host, more) in problems(scale).items():
        times, outputs = {}, {}
        arrays = [cupy.asarray(value) if isinstance(value, np.ndarray) and value.ndim else value for value in host]
        targets = [k for k, value in enumerate(host) if getattr(value, "ndim", 0) and not value.any()]
        if name == "mandelbrot":
            out, left, top, step, limit = arrays
            arguments = (out, np.int32(out.shape[1]), np.int32(out.shape[0]), left, top, step, np.int32(limit))
        else:
            pointers = [value for value in arrays if isinstance(value, cupy.ndarray)]
            arguments = (*pointers, *[value for value in arrays if not isinstance(value, cupy.ndarray)], *more)
        function = module.get_function(name)
        calls = {"cuda": functools.partial(function, (*grid, 1, 1)[:3], (*block, 1, 1)[:3], arguments)}
        for package, (cuda, float32) in found.items():
            kernel = kernels(cuda, float32)[name][grid, block]
            device = [cuda.as_cuda_array(value) if isinstance(value, cupy.ndarray) else value for value in arrays]
            calls[package] = functools.partial(kernel, *device)
        for candidate, call in calls.items():
            for k in targets:
                arrays[k].fill(0)
            call()
            outputs[candidate] = [cupy.asnumpy(arrays[k]) for k in targets]
            times[candidate] = device_time(cupy, call)
        for candidate in calls:
            for got, wanted in zip(outputs[candidate], outputs["cuda"]):
                close = np.isclose(got, wanted, rtol=2e-3 if name in ("reduce", "matmul") else 1e-4, atol=1e-4)
                if close.mean() < 0.999:
                    print(f"  {name}: {candidate} is wrong in {100 * (1 - close.mean()):.2g} % of the elements")
        speed = times["cuda"] / times["pyarray"]
        report(name, **{k: v * 1e3 for k, v in times.items()}, unit="ms", speed=speed)


def call_time(call, synchronize, launches=2000, rounds=15):
    """Best seconds of one launch as seen from Python."""
    best = 1.0
    for _ in range(rounds):
        synchronize()
        start = time.perf_counter()
        for _ in range(launches):
            call()
        best = min(best, (time.perf_counter() - start) / launches)
    synchronize()
    return best


def measure_launches(found, cubin, launcher):
    """Zero arguments, one array, 16 arrays, 16 scalars."""
    tasks = (("0 arguments", 0, "", 1.25), ("1 array", 1, "a", 1.35), ("16 arrays", 16, "a", 2.0))
    for label, count, kind, limit in (*tasks, ("16 scalars", 16, "s", 1.5)):
        command = [launcher, cubin, "nothing", "0", "2000"]
        c = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        times = {"c": c * 1e6}
        for package, (cuda, _) in found.items():
            names = ", ".join(f"x{k}" for k in range(count))
            with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
                file.write(f"def f({names}):\n    pass\n")
            space = {}
            exec(compile(open(file.name).read(), file.name, "exec"), space)
            kernel = cuda.jit(space["f"])[1, 32]
            values = [cuda.to_device(np.zeros(16, np.float32)) if kind == "a" else 1.5 for _ in range(count)]
            kernel(*values)
            launches = 300 if package == "numba" else 2000
            times[package] = call_time(functools.partial(kernel, *values), cuda.synchronize, launches) * 1e6
        report(f"launch, {label}", **times, unit="us", ratio=times["pyarray"] / times["c"], limit=limit)


def ufuncs(vectorize, float32):
    """saxpy and gaussian_pdf for the GPU."""

    def saxpy(a, x, y):
        return a * x + y

    def gaussian_pdf(x, mean, sigma):
        return math.exp(float32(-0.5) * ((x - mean) / sigma) ** 2) / (sigma * float32(2.5066282746310002))

    decorate = vectorize(["float32(float32, float32, float32)"], target="cuda")
    return decorate(saxpy), decorate(gaussian_pdf)


def measure_ufuncs(cupy, found, scale):
    n = 100_000_000 // scale
    x, y = cupy.random.random(n, dtype=np.float32), cupy.random.random(n, dtype=np.float32)
    out = cupy.empty_like(x)
    copy = 8 * n / device_time(cupy, functools.partial(cupy.copyto, out, x))
    report("device copy", TB_per_s=copy * 1e-12)
    for package, (cuda, float32) in found.items():
        dx, dy, do = (cuda.as_cuda_array(value) for value in (x, y, out))
        try:
            saxpy, gaussian_pdf = ufuncs(importlib.import_module(package).vectorize, float32)
            sums = 12 * n / device_time(cupy, functools.partial(saxpy, np.float32(2), dx, dy, out=do))
            standard = (np.float32(0), np.float32(1))
            densities = 8 * n / device_time(cupy, functools.partial(gaussian_pdf, dx, *standard, out=do))
        except Exception as error:
            print(f"{package}: ufuncs: {type(error).__name__}: {error}")
            continue
        report(f"saxpy ufunc, {package}", TB_per_s=sums * 1e-12, of_copy=sums / copy)
        report(f"gaussian_pdf ufunc, {package}", TB_per_s=densities * 1e-12, of_copy=densities / copy)


def measure_first():
    """Import, contexts, first and second kernel, in fresh processes, with an empty cache and a filled one."""
    with tempfile.TemporaryDirectory() as folder:
        for label in ("empty cache", "filled cache"):
            environment = {**os.environ, "PYARRAY_CACHE_DIR": folder, "XDG_CACHE_HOME": folder}
            command = [sys.executable, HERE / "first.py"]
            text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            report(f"first, {label}", **json.loads(text), unit="ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--only", default="first,launch,kernels,ufuncs")
    options = parser.parse_args()
    import cupy

    found = packages()
    with tempfile.TemporaryDirectory() as folder:
        cubin, launcher = compile_cuda(pathlib.Path(folder))
        wanted = options.only.split(",")
        if "first" in wanted:
            measure_first()
        if "launch" in wanted:
            measure_launches(found, cubin, launcher)
        if "kernels" in wanted:
            measure_kernels(cupy, found, cubin, options.scale)
        if "ufuncs" in wanted:
            measure_ufuncs(cupy, found, options.scale)
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
