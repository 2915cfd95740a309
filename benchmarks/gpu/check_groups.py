"""Checks of check.py: cooperative groups. A kernel that hangs is killed with the process of its check."""

import functools
import time

import numpy as np
from checking import SCALE, Skip, check, need_gpu, numba_cuda, raised, run, tool

ROUNDS = """
import numpy as np
from pyarray import cuda

@cuda.jit
def rounds(a, n):
    grid = cuda.cg.this_grid()
    for i in range(n):
        cuda.atomic.add(a, 0, 1)
        grid.sync()
        if a[0] != (i + 1) * grid.size:
            a[1] = 1
        grid.sync()

a = np.zeros(2, np.int64)
rounds[7, 96](a, 10)
assert list(a) == [10 * 7 * 96, 0], a
print("right")
"""


def rounds_kernel():
    """Each round all threads add 1 and look, behind a barrier, whether all have."""
    from pyarray import cuda

    @cuda.jit
    def rounds(a, n):
        grid = cuda.cg.this_grid()
        for i in range(n):
            cuda.atomic.add(a, 0, 1)
            grid.sync()
            if a[0] != (i + 1) * grid.size:
                a[1] = 1
            grid.sync()

    return rounds


def barrier_kernel(cuda):
    @cuda.jit
    def barriers(n):
        grid = cuda.cg.this_grid()
        for _ in range(n):
            grid.sync()

    return barriers


def seconds_of(call, wait, times=5):
    """The best of some runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        wait()
        best = min(best, time.perf_counter() - start)
    return best


def need_clusters():
    from pyarray import cuda

    if not cuda.get_current_device().CLUSTER_LAUNCH:
        raise Skip("no clusters")


@check
def barriers_of_the_largest_grids():
    from pyarray import cuda

    rounds, tried = rounds_kernel(), []
    a = cuda.to_device(np.zeros(2, np.int64))
    rounds[1, 32](a, 1)
    for threads in (32, 256, 1024):
        most = rounds.max_cooperative_grid_blocks(threads)
        for blocks in (1, 2, most // 2, most):
            a.copy_to_device(np.zeros(2, np.int64))
            rounds[blocks, threads](a, 100)
            assert list(a.copy_to_host()) == [100 * blocks * threads, 0], (blocks, threads)
        error = raised(cuda.CudaAPIError, rounds[most + 1, threads], a, 1)
        assert error.code == 720 and f"at most {most} run at once" in str(error), error
        tried.append(f"{most} blocks of {threads}")
    return ", ".join(tried)


@check
def barriers_in_two_streams():
    from pyarray import cuda

    rounds, streams = rounds_kernel(), [cuda.stream() for _ in range(4)]
    arrays = [cuda.to_device(np.zeros(2, np.int64)) for _ in streams]
    rounds[1, 32](cuda.to_device(np.zeros(2, np.int64)), 1)
    blocks = max(rounds.max_cooperative_grid_blocks(256) // 4, 1)
    for _ in range(20):
        for a, stream in zip(arrays, streams, strict=True):
            a.copy_to_device(np.zeros(2, np.int64), stream)
            rounds[blocks, 256, stream](a, 50)
    cuda.synchronize()
    for a in arrays:
        assert list(a.copy_to_host()) == [50 * blocks * 256, 0]
    return f"{len(streams)} streams, {blocks} blocks each"


def times_of_barriers(cuda):
    """Of this compiler or of numba-cuda."""
    barriers, said, n = barrier_kernel(cuda), [], 20_000 // SCALE
    barriers[1, 32](1)
    cuda.synchronize()
    multiprocessors = cuda.get_current_device().MULTIPROCESSOR_COUNT
    for blocks, threads in ((multiprocessors, 256), (2 * multiprocessors, 1024)):
        seconds = seconds_of(lambda b=blocks, t=threads: barriers[b, t](n), cuda.synchronize)
        said.append(f"{blocks} x {threads}: {1e6 * seconds / n:.2f} us")
    return ", ".join(said)


@check
def time_of_a_grid_barrier():
    need_gpu()
    from pyarray import cuda

    return times_of_barriers(cuda)


@check
def time_of_a_grid_barrier_of_numba_cuda():
    need_gpu()
    cuda = numba_cuda()
    try:
        return times_of_barriers(cuda)
    except Exception as error:
        raise Skip(f"{type(error).__name__} of numba-cuda: {' '.join(str(error).split())[:200]}") from None


@check
def reductions_of_a_warp():
    """cg.reduce of int32 by redux.sync, beside the same by shuffles: sums and what they take."""
    import operator

    from pyarray import cuda

    def kernel_by(op):
        @cuda.jit(cache=False)
        def kernel(x, out, rounds):
            i = cuda.grid(1)
            tile = cuda.cg.tiled_partition(cuda.cg.this_block(), 32)
            total = np.int64(0)
            for k in range(rounds):
                total += cuda.cg.reduce(tile, np.int32(x[i] ^ k), op)
            out[i] = total

        return kernel

    @cuda.jit(device=True)
    def plus(a, b):
        return a + b

    @cuda.jit(device=True)
    def greater(a, b):
        return max(a, b)

    need_gpu()
    rounds, said = 2000 // SCALE, []
    x = np.random.default_rng(1).integers(-(2**31), 2**31, 1 << 16).astype(np.int32)
    for name, op, function, fold in (("add", operator.add, plus, np.sum), ("max", max, greater, np.max)):
        results, times = [], []
        for each in (op, function):
            out = cuda.device_array(x.size, np.int64)
            launch = functools.partial(kernel_by(each)[x.size // 256, 256], cuda.to_device(x), out, rounds)
            launch()
            times.append(seconds_of(launch, cuda.synchronize))
            results.append(out.copy_to_host())
        assert np.array_equal(*results), name
        first = sum(int(fold((x[:32] ^ np.int32(k)).astype(np.int64))) for k in range(rounds))
        assert results[0][0] == first, name
        said.append(f"{name} {1e3 * times[0]:.2f} ms, by shuffles {1e3 * times[1]:.2f}")
    return "; ".join(said)


@check
def an_error_while_others_wait_for_the_thread():
    """The thread that a block's barrier rests on ends; the others end too, and the device stays usable."""
    from pyarray import cuda

    @cuda.jit
    def fails(a, who):
        grid = cuda.cg.this_grid()
        for _ in range(10):
            grid.sync()
        if grid.thread_rank == who:
            raise ValueError("thread", who)
        for _ in range(1_000_000):
            grid.sync()

    for who in (0, 256, 3 * 256):
        fails[4, 256](cuda.to_device(np.zeros(1)), who)
        error = raised(ValueError, cuda.synchronize)
        assert error.args == ("thread", who), error.args
    rounds, a = rounds_kernel(), cuda.to_device(np.zeros(2, np.int64))
    rounds[4, 256](a, 10)
    assert list(a.copy_to_host()) == [10 * 1024, 0]
    return "three threads"


@check
def clusters_of_every_size():
    need_clusters()
    from pyarray import cuda

    @cuda.jit
    def ring(out, rounds):
        box = cuda.shared.array((2, 64), np.int64)
        cluster, t = cuda.cg.this_cluster(), cuda.threadIdx.x
        box[0, t] = cluster.block_rank
        cluster.sync()
        for i in range(rounds):
            following = cluster.map_shared_rank(box, (cluster.block_rank + 1) % cluster.num_blocks)
            following[(i + 1) % 2, t] = box[i % 2, t]
            cluster.sync()
        out[cuda.grid(1)] = box[rounds % 2, t]

    tried = []
    for size in (1, 2, 4, 8, 16):
        out = np.zeros(160 * 64, np.int64)
        try:
            ring[160, 64, 0, 0, size](out, 101)
        except cuda.CudaAPIError as error:
            assert size == 16 and error.code == 912, error
            continue
        wanted = (np.arange(160).repeat(64) % size - 101) % size
        assert (out == wanted).all(), size
        tried.append(str(size))
    return f"clusters of {', '.join(tried)} blocks"


@check
def time_of_a_cluster_barrier_and_of_memory_of_other_blocks():
    need_gpu()
    need_clusters()
    from pyarray import cuda

    @cuda.jit(cluster_dims=8)
    def barriers(n):
        cluster = cuda.cg.this_cluster()
        for _ in range(n):
            cluster.sync()

    @cuda.jit(cluster_dims=8)
    def reads(out, n):
        own = cuda.shared.array(4096, np.float32)
        cluster, t = cuda.cg.this_cluster(), cuda.threadIdx.x
        for i in range(t, 4096, cuda.blockDim.x):
            own[i] = i
        cluster.sync()
        total = np.float32(0)
        for k in range(n):
            other = cluster.map_shared_rank(own, (cluster.block_rank + k) % 8)
            for i in range(t, 4096, cuda.blockDim.x):
                total += other[i]
        cluster.sync()
        out[cuda.grid(1)] = total

    n = 20_000 // SCALE
    barriers[128, 256](1)
    out = cuda.device_array(128 * 512, np.float32)
    reads[128, 512](out, 1)
    cuda.synchronize()
    barrier = seconds_of(lambda: barriers[128, 256](n), cuda.synchronize) / n
    rounds = 2000 // SCALE
    seconds = seconds_of(lambda: reads[128, 512](out, rounds), cuda.synchronize)
    return f"{1e9 * barrier:.0f} ns, {128 * 4096 * 4 * rounds / seconds / 1e12:.2f} TB/s"


@check
def reductions_of_tiles():
    need_gpu()
    import operator

    from pyarray import cuda

    cg = cuda.cg

    @cuda.jit
    def sums(x, out):
        tile = cg.tiled_partition(cg.this_block(), 32)
        total = np.float32(0)
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            total += x[i]
        total = cg.reduce(tile, total, operator.add)
        if tile.thread_rank == 0:
            cuda.atomic.add(out, 0, total)

    n = 100_000_000 // SCALE
    x, out = cuda.to_device(np.ones(n, np.float32)), cuda.to_device(np.zeros(1, np.float64))
    sums[1056, 256](x, out)
    assert out.copy_to_host()[0] == n
    seconds = seconds_of(lambda: sums[1056, 256](x, out), cuda.synchronize)
    return f"{4e-9 * n / seconds:.0f} GB/s"


@check
def barriers_under_compute_sanitizer():
    need_gpu()
    said = []
    for name in ("memcheck", "synccheck"):
        output = run(ROUNDS, before=(tool("compute-sanitizer"), "--tool", name))
        assert "right" in output and "ERROR SUMMARY: 0 errors" in output, output[-500:]
        said.append(name)
    return ", ".join(said)
