"""Checks of check.py: memory from other libraries' pools, of two processes and of graphs."""

import gc
import os
import pickle
import subprocess
import sys
import tempfile
import time

import numpy as np
from checking import SCALE, check, kernels, library, need_gpu

N = max(25_000_000 // SCALE, 1000)
CHILD = """
import pickle, sys
from pyarray import cuda

@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2

with pickle.load(open(sys.argv[1], "rb")) as array:
    double[(array.size + 255) // 256, 256](array)
    cuda.synchronize()
    print(array.copy_to_host().sum())
"""


def use_manager(memalloc, used):
    """Device arrays, launches and ufuncs with a plugin's memory; all of it goes back."""
    from pyarray import cuda, vectorize

    class Plugin(cuda.HostOnlyCUDAMemoryManager):
        def initialize(self):
            pass

        def memalloc(self, size):
            address, owner = memalloc(size)
            return cuda.MemoryPointer(self.context, address, size, owner=owner)

        def get_memory_info(self):
            return cuda.MemoryInfo(0, 0)

        def get_ipc_handle(self, memory):
            raise NotImplementedError

        interface_version = 1

    @vectorize(["float64(float64)"], target="cuda")
    def add_one(x):
        return x + 1

    double, _ = kernels()
    before = used()
    cuda.set_memory_manager(Plugin)
    try:
        x = cuda.to_device(np.arange(float(N)))
        double[(N + 255) // 256, 256](x)
        y = add_one(x)
        cuda.synchronize()
        most = used() - before
        assert most >= 16 * N, f"{most} bytes of the pool for {16 * N}"
        np.testing.assert_array_equal(y.copy_to_host(), 2 * np.arange(float(N)) + 1)
        del x, y
        gc.collect()
        assert used() == before, "memory that did not go back"
    finally:
        cuda.set_memory_manager(None)
    return f"{most / 1e6:.0f} MB of its pool"


@check
def memory_from_cupys_pool():
    need_gpu()
    pool = library("cupy").get_default_memory_pool()

    def memalloc(size):
        memory = pool.malloc(size)
        return memory.ptr, memory

    return use_manager(memalloc, pool.used_bytes)


@check
def memory_from_rmm():
    need_gpu()
    rmm = library("rmm")
    statistics = rmm.mr.StatisticsResourceAdaptor(rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource()))
    rmm.mr.set_current_device_resource(statistics)

    def memalloc(size):
        buffer = rmm.DeviceBuffer(size=size)
        return buffer.ptr, buffer

    def used():
        counts = statistics.allocation_counts
        return counts.current_bytes if hasattr(counts, "current_bytes") else counts["current_bytes"]

    return use_manager(memalloc, used)


@check
def memory_of_two_processes():
    from pyarray import cuda

    array = cuda.to_device(np.ones(N))
    start = time.perf_counter()
    handle = array.get_ipc_handle()
    moved = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        program, path = os.path.join(folder, "child.py"), os.path.join(folder, "handle")
        with open(program, "w") as file:
            file.write(CHILD)
        with open(path, "wb") as file:
            pickle.dump(handle, file)
        done = subprocess.run([sys.executable, program, path], capture_output=True, text=True, timeout=120)
    print(done.stderr, file=sys.stderr)
    assert done.returncode == 0, done.stderr.strip().splitlines()[-1:]
    assert float(done.stdout) == 2 * N, done.stdout
    assert array.copy_to_host().sum() == 2 * N, "the other process's results are not seen here"
    return f"{N * 8 / 1e6:.0f} MB; the handle, with the move, {moved * 1e3:.1f} ms"


@check
def products_in_a_graph():
    """By cuBLAS where it is there, into memory of the graph's; a launch reads what its operands are then."""
    from pyarray import cuda, njit

    chain = njit(target="cuda")(lambda a, b: (a @ b) * 2 + a)
    rng = np.random.default_rng(0)
    size = 512 if SCALE == 1 else 64
    for dtype, tolerance in ((np.float16, 2e-2), (np.float32, 1e-4), (np.float64, 1e-12)):
        a, b, c = (rng.normal(size=(size, size)).astype(dtype) for _ in range(3))
        first, second = cuda.to_device(a), cuda.to_device(b)
        chain(first, second)
        with cuda.graph() as graph:
            got = chain(chain(first, second), second)
        first.copy_to_device(c)
        for _ in range(3):
            graph.launch()
        wide, other = c.astype(np.float64), b.astype(np.float64)
        for _ in range(2):
            wide = (wide @ other) * 2 + wide
        error = abs(got.copy_to_host().astype(np.float64) - wide).max() / abs(wide).max()
        assert error < tolerance, (dtype, error)
