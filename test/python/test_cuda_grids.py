"""Barriers over a whole grid, cooperative launches and what limits them: in the emulator, and on a GPU.

A GPU hangs where a barrier is wrong: ``cuda_waiting`` tries first.
"""

import cuda_waiting
import numpy as np
import pytest
from pyarray import cuda, float64, int32, int64, types
from pyarray.cuda import cg

pytestmark = pytest.mark.real
emulated = pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="a GPU hangs, or says nothing")


@pytest.fixture(scope="module", autouse=True)
def grids_work():
    cuda_waiting.require(cuda_waiting.GRID)


# ------------------------------------------------------------------------------------------------
# Programs


@cuda.jit(types.void(int32[:, ::1]))
def sequential_rows(m):
    """Numba's documented example: each row is made of the one before, read backwards."""
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    rows = m.shape[0]
    cols = m.shape[1]
    for row in range(1, rows):
        opposite = cols - col - 1
        m[row, col] = m[row - 1, opposite] + 1
        g.sync()


@pytest.mark.parametrize("threads", [32, 128, 1024])
def test_sequential_rows(threads):
    m = np.zeros((64, 1024), np.int32)
    sequential_rows[m.shape[1] // threads, threads](m)
    np.testing.assert_array_equal(m, np.tile(np.arange(64), (1024, 1)).T)


@cuda.jit
def total(x, partial, out):
    """A sum over the grid in one launch: blocks, then the first block over their sums."""
    shared = cuda.shared.array(32, float64)
    grid, block = cg.this_grid(), cg.this_block()
    tile = cg.tiled_partition(block, 32)
    s = 0.0
    for i in range(grid.thread_rank, x.size, grid.size):
        s += x[i]
    for level in range(2):
        s = cg.reduce(tile, s, plus)
        if tile.thread_rank == 0:
            shared[tile.meta_group_rank] = s
        block.sync()
        s = cg.reduce(tile, shared[tile.thread_rank] if tile.thread_rank < tile.meta_group_size else 0.0, plus)
        if level == 0:
            if block.thread_rank == 0:
                partial[grid.block_rank] = s
            grid.sync()
            s = partial[block.thread_rank] if block.thread_rank < grid.num_blocks else 0.0
    if grid.thread_rank == 0:
        out[0] = s


@cuda.jit(device=True)
def plus(a, b):
    return a + b


@pytest.mark.parametrize("size", [0, 1, 1000, 100_003])
def test_sum_in_one_launch(size):
    x = np.arange(size, dtype=float)
    partial, out = cuda.device_array(24, float), np.zeros(1)
    total[24, 128](x, partial, out)
    assert out[0] == x.sum()


@cuda.jit
def jacobi(a, b, x, y, error, tolerance):
    """Iterations until no element changes by more than the tolerance; all threads agree on that."""
    grid = cg.this_grid()
    n = x.size
    count = 0
    change = tolerance + 1
    while change > tolerance and count < 1000:
        if grid.thread_rank == 0:
            error[0] = 0.0
        grid.sync()
        for i in range(grid.thread_rank, n, grid.size):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            y[i] = s / a[i, i]
            cuda.atomic.max(error, 0, abs(y[i] - x[i]))
        grid.sync()
        change = error[0]
        for i in range(grid.thread_rank, n, grid.size):
            x[i] = y[i]
        grid.sync()
        count += 1
    if grid.thread_rank == 0:
        error[1] = count


def test_jacobi():
    random = np.random.default_rng(1)
    n = 100
    a, b = random.random((n, n)) + n * np.eye(n), random.random(n)
    x, y, error = np.zeros(n), np.zeros(n), np.zeros(2)
    jacobi[5, 16](a, b, x, y, error, 1e-12)
    np.testing.assert_allclose(x, np.linalg.solve(a, b), atol=1e-11)
    assert 3 < error[1] < 1000


@cuda.jit(device=True)
def dot(grid, a, b, sums, place):
    s = 0.0
    for i in range(grid.thread_rank, a.size, grid.size):
        s += a[i] * b[i]
    tile = cg.tiled_partition(cg.this_block(), 32)
    s = cg.reduce(tile, s, plus)
    if tile.thread_rank == 0:
        cuda.atomic.add(sums, place, s)
    grid.sync()
    return sums[place]


@cuda.jit
def conjugate_gradient(data, columns, starts, x, r, p, q, sums, tolerance):
    """Of a sparse matrix, the whole solver in one launch: barriers also in a device function."""
    grid = cg.this_grid()
    n = x.size
    step = 0
    rr = dot(grid, r, r, sums, 0)
    while rr > tolerance and step < 100:
        for i in range(grid.thread_rank, n, grid.size):
            s = 0.0
            for k in range(starts[i], starts[i + 1]):
                s += data[k] * p[columns[k]]
            q[i] = s
        grid.sync()
        alpha = rr / dot(grid, p, q, sums, 1 + 2 * step)
        for i in range(grid.thread_rank, n, grid.size):
            x[i] += alpha * p[i]
            r[i] -= alpha * q[i]
        grid.sync()
        latest = dot(grid, r, r, sums, 2 + 2 * step)
        for i in range(grid.thread_rank, n, grid.size):
            p[i] = r[i] + latest / rr * p[i]
        grid.sync()
        rr = latest
        step += 1


def test_conjugate_gradient():
    n = 200
    columns = np.concatenate([[j for j in (i - 1, i, i + 1) if 0 <= j < n] for i in range(n)])
    rows = np.concatenate([[i] * len([j for j in (i - 1, i, i + 1) if 0 <= j < n]) for i in range(n)])
    data = np.where(columns == rows, 3.0, -1.0)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows))])
    dense = np.zeros((n, n))
    dense[rows, columns] = data
    b = np.arange(n, dtype=float)
    x = np.zeros(n)
    conjugate_gradient[6, 64](data, columns, starts, x, b.copy(), b.copy(), np.zeros(n), np.zeros(300), 1e-18)
    np.testing.assert_allclose(x, np.linalg.solve(dense, b), rtol=1e-7)


@cuda.jit
def places(out):
    grid, block = cg.this_grid(), cg.this_thread_block()
    i = grid.thread_rank
    out[i, 0], out[i, 1], out[i, 2] = grid.size, grid.num_threads, grid.block_rank
    out[i, 3], out[i, 4], out[i, 5] = grid.num_blocks, grid.dim_blocks.y, grid.group_dim.z
    out[i, 6], out[i, 7] = grid.block_index.x, block.group_index.y
    out[i, 8], out[i, 9], out[i, 10] = block.thread_rank, block.size, block.num_threads
    x, y, z = block.thread_index
    out[i, 11] = x + 10 * y + 100 * z
    out[i, 12] = block.dim_threads.x + 10 * block.dim_threads.y + 100 * block.group_dim.z


def test_places():
    grid, block = (2, 3, 2), (4, 2, 3)
    out = np.full((12 * 24, 13), -1)
    places[grid, block](out)
    for i, row in enumerate(out):
        b, t = divmod(i, 24)
        bx, by = b % 2, b // 2 % 3
        x, y, z = t % 4, t // 4 % 2, t // 8
        assert list(row) == [288, 288, b, 12, 3, 2, bx, by, t, 24, 24, x + 10 * y + 100 * z, 324]


# ------------------------------------------------------------------------------------------------
# Launches


@cuda.jit
def rounds(a, n):
    """Each round every thread adds to one element, and checks behind a barrier that all have."""
    grid = cg.this_grid()
    for i in range(n):
        cuda.atomic.add(a, 0, 1)
        grid.sync()
        if a[0] != (i + 1) * grid.size:
            a[1] = 1
        grid.sync()


@pytest.mark.parametrize("launch", [(1, 1), (1, 1000), (7, 33), (24, 64), ((3, 2, 2), (4, 4, 2))])
def test_rounds(launch):
    a = np.zeros(2, np.int64)
    for _ in range(3):
        a[:] = 0
        rounds[launch](a, 10)
        assert list(a) == [10 * int(np.prod(launch[0])) * int(np.prod(launch[1])), 0]


def test_streams():
    """Launches of one kernel in two streams have barriers of their own."""
    streams = [cuda.stream(), cuda.stream()]
    arrays = [cuda.to_device(np.zeros(2, np.int64)) for _ in streams]
    for _ in range(5):
        for a, stream in zip(arrays, streams, strict=True):
            rounds[4, 64, stream](a, 0)
            rounds[4, 64, stream](a[:2], 1)
            a.copy_to_device(np.zeros(2, np.int64), stream)
            rounds[4, 64, stream](a, 50)
    for a, stream in zip(arrays, streams, strict=True):
        stream.synchronize()
        assert list(a.copy_to_host()) == [50 * 256, 0]


def test_threads():
    """Threads of the host launch at once."""
    from concurrent.futures import ThreadPoolExecutor

    def launch(_):
        a = cuda.to_device(np.zeros(2, np.int64))
        rounds[5, 32, cuda.stream()](a, 20)
        cuda.synchronize()
        return list(a.copy_to_host())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(launch, range(8))) == [[20 * 160, 0]] * 8


def test_forall():
    a = np.zeros(2, np.int64)
    rounds.forall(300, tpb=64)(a, 3)
    assert list(a) == [3 * 320, 0]


def test_dynamic_shared_memory():
    @cuda.jit
    def reversed_blocks(out):
        shared = cuda.shared.array(0, int64)
        block = cg.this_block()
        shared[block.thread_rank] = cuda.grid(1)
        cg.this_grid().sync()
        out[cuda.grid(1)] = shared[block.size - 1 - block.thread_rank]

    out = np.zeros(64, np.int64)
    reversed_blocks[4, 16, 0, 16 * 8](out)
    np.testing.assert_array_equal(out.reshape(4, 16), np.arange(64).reshape(4, 16)[:, ::-1])


def test_kept_on_disk(run):
    """A launch is cooperative, too, where the kernel comes from the disk cache."""
    program = """
import numpy as np
from pyarray import cuda

@cuda.jit
def kernel(a):
    cuda.atomic.add(a, 0, 1)
    cuda.cg.this_grid().sync()
    cuda.atomic.max(a, 1, a[0])

a = np.zeros(2, np.int64)
kernel[4, 32](a)
print(a, [o.cooperative for o in kernel.overloads.values()], [o.from_cache for o in kernel.overloads.values()])
"""
    assert run(program) == "[128 128] [True] [False]\n"
    assert run(program) == "[128 128] [True] [True]\n"


def test_cooperative_where_it_is_used():
    @cuda.jit
    def without(a):
        a[0] = cg.this_grid().size

    @cuda.jit(debug=True, opt=False)
    def debugged(a):
        cg.this_grid().sync()
        a[0] = cg.this_grid().size

    a = np.zeros(1)
    without[2, 3](a)
    assert a[0] == 6
    debugged[3, 3](a)
    assert a[0] == 9
    assert [o.cooperative for o in without.overloads.values()] == [False]
    assert [o.cooperative for o in debugged.overloads.values()] == [True]


def test_max_cooperative_grid_blocks():
    [overload] = sequential_rows.overloads.values()
    device = cuda.get_current_device()
    most = overload.max_cooperative_grid_blocks(256)
    assert most % device.MULTIPROCESSOR_COUNT == 0
    assert most >= overload.max_cooperative_grid_blocks(512) > 0
    assert most == overload.max_cooperative_grid_blocks((16, 16))
    assert most == sequential_rows.max_cooperative_grid_blocks((16, 4, 4))
    assert sequential_rows.max_cooperative_grid_blocks(256, signature=(int32[:, ::1],)) == most
    large = overload.max_cooperative_grid_blocks(32, dynsmemsize=device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN - 2048)
    assert large == device.MULTIPROCESSOR_COUNT
    assert overload.max_threads_per_block == sequential_rows.get_max_threads_per_block((int32[:, ::1],))
    assert overload.regs_per_thread > 0

    @cuda.jit
    def nothing_yet(a):
        cg.this_grid().sync()

    with pytest.raises(ValueError, match=r"nothing_yet\(\) is not compiled for any types yet: give a signature"):
        nothing_yet.max_cooperative_grid_blocks(32)
    with pytest.raises(ValueError, match="at least one thread"):
        overload.max_cooperative_grid_blocks(0)


def test_too_many_blocks():
    a = cuda.to_device(np.zeros(2, np.int64))
    rounds[1, 1024](a, 1)
    most = min(o.max_cooperative_grid_blocks(1024) for o in rounds.overloads.values())
    text = f"{most + 1} of which wait for each other, where at most {most} run at once on the device .*TOO_LARGE"
    with pytest.raises(cuda.CudaAPIError, match=text) as raised:
        rounds[most + 1, 1024](a, 1)
    assert raised.value.code == 720
    a.copy_to_device(np.zeros(2, np.int64))
    rounds[most, 1024](a, 1)
    assert list(a.copy_to_host()) == [most * 1024, 0]


# ------------------------------------------------------------------------------------------------
# Errors


def test_error_while_others_wait():
    assert cuda_waiting.outcome(cuda_waiting.GRID_ERROR) == "no\n"


def test_only_in_kernels():
    with pytest.raises(RuntimeError, match="cuda.cg is only for functions that are compiled for a GPU"):
        cg.this_grid()
    with pytest.raises(RuntimeError, match="only for functions that are compiled for a GPU"):
        cg.GridGroup().sync()


@emulated
def test_block_that_does_not_come():
    @cuda.jit
    def some(a):
        if cuda.blockIdx.x != 2:
            cg.this_grid().sync()
        a[0] = 1

    text = r"not all blocks of the grid reach this barrier: block \(2, 0, 0\) is missing"
    with pytest.raises(RuntimeError, match=text):
        some[4, 32](np.zeros(1))


@emulated
@pytest.mark.parametrize("limit", [40, 64])
def test_threads_that_do_not_come(limit):
    @cuda.jit
    def some(a, n):
        i = cuda.grid(1)
        if i >= n:
            return
        cg.this_grid().sync()
        a[i] = 1

    a = np.zeros(96)
    text = r"not all threads of the grid reach this barrier: thread \((8|0), 0, 0\) of the block is missing"
    other = r"not all blocks of the grid reach this barrier: block \(2, 0, 0\) is missing"
    with pytest.raises(RuntimeError, match=text if limit == 40 else other):
        some[3, 32](a, limit)
    some[3, 32](a, 96)
    assert a.all()


@emulated
def test_blocks_at_different_barriers():
    """A barrier of the grid counts blocks, wherever in the kernel they wait."""

    @cuda.jit
    def either(a):
        if cuda.blockIdx.x == 0:
            a[1] = 5
            cg.this_grid().sync()
        else:
            cg.this_grid().sync()
            a[0] = a[1]

    a = np.zeros(2)
    either[2, 1](a)
    assert list(a) == [5, 5]


@emulated
def test_recursion_between_barriers():
    """Blocks that wait have stacks of their own, of which the guard of recursive functions knows."""

    @cuda.jit(device=True)
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)

    @cuda.jit
    def kernel(a, n):
        a[cuda.grid(1)] = depth(n)
        cg.this_grid().sync()
        a[cuda.grid(1)] += depth(n)

    a = np.zeros(64)
    kernel[8, 8](a, 100)
    assert (a == 200).all()
    with pytest.raises(RecursionError):
        kernel[8, 8](a, 10_000_000)


@emulated
def test_interrupted(run):
    """A launch that waits for ever ends with a signal."""
    program = """
import signal, threading, os
import numpy as np
from pyarray import cuda

@cuda.jit
def endless(a):
    while a[0] == 0:
        cuda.cg.this_grid().sync()

endless[2, 2](np.ones(1))
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    endless[3, 4](np.zeros(1))
except KeyboardInterrupt:
    print("interrupted")
"""
    assert run(program) == "interrupted\n"


WRITES = "data race: this thread writes what is"
RACES = """
import numpy as np
from pyarray import cuda
cg = cuda.cg

@cuda.jit
def kernel(a):
    shared = cuda.shared.array(64, np.float64)
    i, t = cuda.grid(1), cuda.threadIdx.x
{}

try:
    kernel[4, 16](np.zeros(64))
    print("fine")
except RuntimeError as error:
    print(error)
"""


@emulated
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a[i] = i\ncg.this_grid().sync()\na[(i + 20) % 64] = 2", "fine"),
        ("a[i] = i\ncuda.syncthreads()\na[(i + 20) % 64] = 2", f"{WRITES} written in line 12"),
        ("shared[t] = i\ncg.this_grid().sync()\na[i] = shared[(t + 1) % 16]", "fine"),
        ("cg.this_grid().sync()\nshared[t] = i\na[i] = shared[(t + 1) % 16]", f"{WRITES} read in line 12"),
        ("cg.this_grid().sync()\na[i // 2] = 1", f"{WRITES} written in line 11"),
        ("for k in range(3):\n    cg.this_grid().sync()\n    a[(i + 16 * k) % 64] += 1", "fine"),
    ],
)
def test_races(run, body, found):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert run(RACES.format(lines), PYARRAY_CUDA_RACES="1").startswith(found)


# ------------------------------------------------------------------------------------------------
# PTX


def test_ptx():
    ptx, _ = cuda.compile_ptx(rounds.py_func, (int64[:], int64), cc=(8, 0))
    assert "{%envreg2, %envreg1}" in ptx
    assert ptx.count("bar.red.or.pred") == 4
    assert "ld.relaxed.gpu" in ptx
    ptx, _ = cuda.compile_ptx(test_ptx.__globals__["places"].py_func, (int64[:, :],), cc=(8, 0))
    assert "envreg" not in ptx


WAITS = b""".version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 result) all_wait()
{
  .reg .b32 %r<2>;
  mov.u32 %r1, 1;
  st.param.b32 [result], %r1;
  ret;
}
"""


@pytest.mark.parametrize("cooperative", [True, False])
def test_declared_function(cooperative):
    """A function of other code says itself that it synchronises the grid."""
    from pyarray.cuda._compile import compile_to

    source = cuda.PTXSource(WAITS, "waits.ptx")
    all_wait = cuda.declare_device("all_wait", "int32()", link=source, use_cooperative=cooperative, abi="c")

    def kernel(a):
        a[0] = all_wait()

    assert compile_to(kernel, (int32[:],), cc=(8, 0))["cooperative"] is cooperative
