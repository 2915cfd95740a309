"""Kernels that the CPU runs in place of a GPU: against plain compiled loops, and against Numba's CUDA simulator."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pyarray
from measure import HERE, Row, interleave, timed
from pyarray import float32, njit, prange

TILE = 16


def define_matmul(cuda):
    @cuda.jit
    def matmul(a, b, c):
        tile_a = cuda.shared.array((TILE, TILE), float32)
        tile_b = cuda.shared.array((TILE, TILE), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0.0)
        for tile in range((a.shape[1] + TILE - 1) // TILE):
            tile_a[ty, tx] = 0
            tile_b[ty, tx] = 0
            if y < a.shape[0] and tx + tile * TILE < a.shape[1]:
                tile_a[ty, tx] = a[y, tx + tile * TILE]
            if x < b.shape[1] and ty + tile * TILE < b.shape[0]:
                tile_b[ty, tx] = b[ty + tile * TILE, x]
            cuda.syncthreads()
            for k in range(TILE):
                total += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        if y < c.shape[0] and x < c.shape[1]:
            c[y, x] = total

    return matmul


@njit(parallel=True)
def matmul_loops(a, b, c):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def matmul_row(cuda, n, rounds):
    generator = np.random.default_rng(0)
    a, b = generator.random((2, n, n), dtype=np.float32)
    c = np.zeros((n, n), np.float32)
    kernel, device = define_matmul(cuda), [cuda.to_device(array) for array in (a, b, c)]

    def launch():
        kernel[((n + TILE - 1) // TILE, (n + TILE - 1) // TILE), (TILE, TILE)](*device)
        cuda.synchronize()

    launch()
    matmul_loops(a, b, c)
    np.testing.assert_allclose(device[2].copy_to_host(), c, rtol=1e-4)
    clock = time.perf_counter
    candidates = {"emulator": timed(launch, clock=clock), "loops": timed(lambda: matmul_loops(a, b, c), clock=clock)}
    row = Row("emulator", f"matmul in shared memory, {n} x {n}", interleave(candidates, rounds, min))
    row.add_ratio_bar("emulator", "loops", 3.0)
    return row


def define_vector_add(cuda):
    @cuda.jit
    def one_each(a, b, c):
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]

    @cuda.jit
    def by_range(a, b, c):
        for i in range(cuda.grid(1), c.size, cuda.gridsize(1)):
            c[i] = a[i] + b[i]

    @cuda.jit
    def by_while(a, b, c):
        i = cuda.grid(1)
        while i < c.size:
            c[i] = a[i] + b[i]
            i += cuda.gridsize(1)

    return {"one each": (one_each, None), "range": (by_range, 64), "while": (by_while, 64)}


def grid_stride_row(cuda, n, rounds):
    a, b = np.random.default_rng(0).random((2, n), dtype=np.float32)
    device, candidates = [cuda.to_device(array) for array in (a, b, np.zeros(n, np.float32))], {}
    for name, (kernel, blocks) in define_vector_add(cuda).items():
        launcher = kernel[blocks or (n + 255) // 256, 256]
        run = lambda launcher=launcher: (launcher(*device), cuda.synchronize())
        candidates[name] = timed(run, clock=time.perf_counter)
        launcher(*device)
        np.testing.assert_array_equal(device[2].copy_to_host(), a + b)
    row = Row("emulator", f"vector_add, {n}, grid-stride", interleave(candidates, rounds, min))
    row.add_ratio_bar("range", "one each", 3.0)
    row.add_ratio_bar("while", "one each", 3.0)
    return row


def program_times(package, repeats, **variables):
    command = [sys.executable, str(HERE / "emulator_child.py"), package, str(repeats)]
    result = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    return json.loads(result.stdout)


def measure(quick):
    os.environ["PYARRAY_CUDA"] = "cpu"
    for n in (512, 1000) if quick else (512, 1000, 1024):
        yield matmul_row(pyarray.cuda, n, 5 if quick else 15)
    yield grid_stride_row(pyarray.cuda, 1_000_000, 10 if quick else 40)
    ours = program_times("pyarray", 5 if quick else 20)
    simulated = program_times("numba", 1 if quick else 2, NUMBA_ENABLE_CUDASIM="1")
    for name, seconds in ours.items():
        row = Row("emulator", name, {"emulator": seconds})
        if name in simulated:
            row.times["numba"] = simulated[name]
            row.add_ratio_bar("emulator", "numba", 1 / 20)
        yield row
