"""Clusters of blocks and distributed shared memory: in the emulator, and on GPUs of compute capability 9.0 and more.

``cuda_waiting`` tries a barrier first: a GPU hangs where it is wrong.
"""

import cuda_waiting
import numpy as np
import pytest
from pyarray import cuda, float32, int32, int64
from pyarray.cuda import cg
from pyarray.errors import UnsupportedError

pytestmark = pytest.mark.real
emulated = pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="of the emulator")

BINS, THREADS = 64, 64


@pytest.fixture(scope="module", autouse=True)
def clusters_work():
    cuda_waiting.skip_without_clusters()
    cuda_waiting.require(cuda_waiting.CLUSTER)


# ------------------------------------------------------------------------------------------------
# Programs


@cuda.jit
def histogram(x, bins):
    """Each block of a cluster has a part of the bins in its shared memory; all blocks count into all parts."""
    own = cuda.shared.array(BINS, int32)
    cluster = cg.this_cluster()
    part = bins.size // cluster.num_blocks
    for b in range(cuda.threadIdx.x, part, cuda.blockDim.x):
        own[b] = 0
    cluster.sync()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        there = cluster.map_shared_rank(own, x[i] // part)
        cuda.atomic.add(there, x[i] % part, 1)
    cluster.sync()
    for b in range(cuda.threadIdx.x, part, cuda.blockDim.x):
        cuda.atomic.add(bins, cluster.block_rank * part + b, own[b])


@pytest.mark.parametrize("cluster", [None, 1, 2, 4, 8])
def test_histogram(cluster):
    n = BINS * (cluster or 1)
    x = np.random.default_rng(1).integers(0, n, 20_000).astype(np.int32)
    bins = np.zeros(n, np.int32)
    histogram[16, THREADS, 0, 0, cluster](x, bins)
    np.testing.assert_array_equal(bins, np.bincount(x, minlength=n))


@cuda.jit(cluster_dims=4)
def sums_of_clusters(x, out):
    """The first block of a cluster reads what the others have summed."""
    partial = cuda.shared.array(1, float32)
    cluster, block = cg.this_cluster(), cg.this_block()
    tile = cg.tiled_partition(block, 32)
    if block.thread_rank == 0:
        partial[0] = 0
    block.sync()
    s = cg.reduce(tile, x[cuda.grid(1)], max)
    if tile.thread_rank == 0:
        cuda.atomic.max(partial, 0, s)
    cluster.sync()
    if cluster.thread_rank < cluster.num_blocks:
        other = cluster.map_shared_rank(partial, cluster.thread_rank)
        cuda.atomic.max(out, cluster.cluster_index.x, other[0])
    cluster.sync()


def test_maximum_of_clusters():
    x = np.random.default_rng(2).random(8 * 96).astype(np.float32)
    out = np.zeros(2, np.float32)
    sums_of_clusters[8, 96](x, out)
    np.testing.assert_array_equal(out, x.reshape(2, -1).max(1))


@cuda.jit
def ring(out, rounds):
    """Each block hands a number on to the next one of its cluster, round by round."""
    box = cuda.shared.array((2, 32), int64)
    cluster = cg.this_cluster()
    t = cuda.threadIdx.x
    box[0, t] = cluster.block_rank
    cluster.sync()
    for i in range(rounds):
        following = cluster.map_shared_rank(box, (cluster.block_rank + 1) % cluster.num_blocks)
        following[(i + 1) % 2, t] = box[i % 2, t]
        cluster.sync()
    out[cuda.grid(1)] = box[rounds % 2, t]


@pytest.mark.parametrize("cluster", [2, 4, 8])
def test_ring(cluster):
    out = np.zeros(16 * 32, np.int64)
    ring[16, 32, 0, 0, cluster](out, 5)
    for i, value in enumerate(out):
        assert value == (i // 32 - 5) % cluster


@cuda.jit(cluster_dims=(2, 2))
def places(out):
    cluster = cg.this_cluster()
    b = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y
    i = cg.this_block().thread_rank
    index, where = cluster.block_index, cluster.cluster_index
    out[b, i, 0], out[b, i, 1], out[b, i, 2] = cluster.block_rank, cluster.num_blocks, cluster.size
    out[b, i, 3], out[b, i, 4] = cluster.thread_rank, cluster.num_threads
    out[b, i, 5], out[b, i, 6], out[b, i, 7] = index.x, index.y, index.z
    out[b, i, 8], out[b, i, 9] = where.x, where.y
    out[b, i, 10] = cluster.dim_blocks.x + 10 * cluster.dim_blocks.y + 100 * cluster.dim_blocks.z


def test_places():
    out = np.full((4 * 6, 6, 11), -1)
    places[(4, 6), (3, 2)](out)
    for b in range(24):
        x, y = b % 4, b // 4
        rank = x % 2 + 2 * (y % 2)
        for t in range(6):
            expected = [rank, 4, 24, 6 * rank + t, 24, x % 2, y % 2, 0, x // 2, y // 2, 122]
            assert list(out[b, t]) == expected


@cuda.jit(cluster_dims=2)
def grid_of_clusters(a):
    """Barriers of both kinds, and dynamic shared memory of another block."""
    shared = cuda.shared.array(0, int64)
    cluster, grid = cg.this_cluster(), cg.this_grid()
    t = cuda.threadIdx.x
    for _ in range(3):
        shared[t] = a[cuda.grid(1)]
        cluster.sync()
        other = cluster.map_shared_rank(shared, 1 - cluster.block_rank)
        grid.sync()
        a[(cuda.grid(1) + 32) % a.size] = other[t] + 1
        grid.sync()
    cluster.sync()


def test_grid_of_clusters():
    a, expected = np.arange(128), np.arange(128)
    grid_of_clusters[4, 32, 0, 32 * 8](a)
    for _ in range(3):
        swapped = expected.reshape(2, 2, 32)[:, ::-1].ravel() + 1
        expected = np.roll(swapped, 32)
    np.testing.assert_array_equal(a, expected)
    [overload] = grid_of_clusters.overloads.values()
    most = overload.max_cooperative_grid_blocks(32, 256)
    assert overload.cooperative and most > 0 and most % 2 == 0
    assert grid_of_clusters.max_cooperative_grid_blocks(32, 256, cluster_dims=2) == most


def test_records():
    kind = np.dtype([("x", np.float64), ("n", np.int64)])

    @cuda.jit(cluster_dims=2)
    def kernel(out):
        shared = cuda.shared.array(4, kind)
        cluster = cg.this_cluster()
        if cuda.threadIdx.x == 0:
            shared[2].x = 1.5
            shared[2].n = cuda.blockIdx.x
        cluster.sync()
        there = cluster.map_shared_rank(shared, 1 - cluster.block_rank)
        out[cuda.blockIdx.x] = there[2].x + there[2].n
        cluster.sync()

    out = np.zeros(2)
    kernel[2, 4](out)
    assert list(out) == [2.5, 1.5]


# ------------------------------------------------------------------------------------------------
# Launches and errors


def test_launches():
    out = np.zeros(16 * 32, np.int64)
    launcher = ring.configure(16, 32, cluster_dims=(2, 2))
    assert launcher.cluster_dims == (2, 2, 1)
    assert ring[16, 32].cluster_dims is None
    assert ring[16, 32, 0, 0, 4] is ring[16, 32, 0, 0, 4] is not ring[16, 32, 0, 0, 2]
    with pytest.raises(cuda.CudaAPIError, match="whose blocks are no multiple of those of a cluster, 3, in x"):
        ring[16, 32, 0, 0, 3](out, 1)
    with pytest.raises(ValueError, match=r"compiled for clusters of \(2, 2, 1\) blocks \(cluster_dims\).*\(4, 1, 1\)"):
        places[(4, 4), 1, 0, 0, 4](np.zeros((16, 1, 11), np.int64))
    for cluster, error, text in [
        (17, ValueError, "a cluster has at most 16 blocks, got 17"),
        ((8, 4), ValueError, "a cluster has at most 16 blocks"),
        (0, ValueError, "the cluster must be at least 1"),
        ("2", TypeError, "the cluster must be an int or a tuple"),
    ]:
        with pytest.raises(error, match=text):
            ring[16, 32, 0, 0, cluster]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"cluster_dims": 0}, "cluster_dims is the number of a cluster's blocks"),
        ({"cluster_dims": (1, 1, 1, 1)}, "cluster_dims is the number of a cluster's blocks"),
        ({"cluster_dims": (5, 5)}, "a cluster has at most 16 blocks, not 25"),
        ({"launch_bounds": (32, 1, 17)}, "a cluster has at most 16 blocks, not 17"),
        ({"launch_bounds": (32, 1, 2, 3)}, "launch_bounds is the most threads"),
        (
            {"launch_bounds": (32, 1, 4), "cluster_dims": (4, 2)},
            "cluster_dims makes clusters of 8 blocks, and launch_bounds allows 4",
        ),
    ],
)
def test_bad_options(options, text):
    with pytest.raises(ValueError, match=text):
        cuda.jit(**options)


def test_bounded_clusters():
    @cuda.jit(launch_bounds=(64, 1, 4))
    def kernel(out):
        out[cuda.blockIdx.x] = cg.this_cluster().num_blocks

    out = np.zeros(8)
    kernel[8, 64, 0, 0, 4](out)
    assert list(out) == [4] * 8
    with pytest.raises(ValueError, match=r"compiled for clusters of at most 4 blocks \(launch_bounds\).* those of 8"):
        kernel[8, 64, 0, 0, 8](out)


def test_block_that_has_ended():
    """A block that has ended is not waited for."""

    @cuda.jit(cluster_dims=2)
    def kernel(out):
        if cuda.blockIdx.x != 1:
            cg.this_cluster().sync()
            out[cuda.blockIdx.x] = 1

    out = np.zeros(4)
    kernel[4, 32](out)
    assert list(out) == [1, 0, 1, 1]


@emulated
def test_rank_out_of_bounds():
    @cuda.jit(cluster_dims=2)
    def kernel(rank):
        shared = cuda.shared.array(4, int32)
        cg.this_cluster().map_shared_rank(shared, rank)[0] = 1

    kernel[2, 1](1)
    for rank in (2, -1, 100):
        with pytest.raises(IndexError, match=f"rank {rank} is not that of one of the 2 blocks of the cluster"):
            kernel[2, 1](rank)
            cuda.synchronize()


@emulated
def test_barriers_of_two_kinds():
    @cuda.jit(cluster_dims=2)
    def kernel(a):
        if cuda.blockIdx.x == 0:
            cg.this_cluster().sync()
        cg.this_grid().sync()
        a[0] = 1

    text = r"not all blocks of the cluster reach this barrier: block \(1, 0, 0\) is missing"
    with pytest.raises(RuntimeError, match=text):
        kernel[2, 1](np.zeros(1))


RACES = """
import numpy as np
from pyarray import cuda
cg = cuda.cg

@cuda.jit(cluster_dims=2)
def kernel(a):
    shared = cuda.shared.array(32, np.int64)
    cluster = cg.this_cluster()
    t = cuda.threadIdx.x
    shared[t] = t
    {}
    other = cluster.map_shared_rank(shared, 1 - cluster.block_rank)
    {}
    {}

try:
    kernel[4, 32](np.zeros(64, np.int64))
    print("fine")
except RuntimeError as error:
    print(error)
"""
SYNC = "cluster.sync()"


@emulated
@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((SYNC, "a[t] if cuda.blockIdx.x > 0 else 0", SYNC), "fine"),
        ((SYNC, "other[t] = 5", SYNC), "fine"),
        (("", "other[t] = 5", SYNC), "data race: this thread writes what is written in line 14"),
        ((SYNC, "other[t // 2] = 5", SYNC), "data race: this thread writes what is written in line 14"),
        ((SYNC, "other[t] = 5", "shared[t] += 1"), "data race"),
        ((SYNC, "a[t] = 5", SYNC), "data race: this thread writes what is written in line 14"),
    ],
)
def test_races(run, lines, found):
    assert run(RACES.format(*lines), PYARRAY_CUDA_RACES="1").startswith(found)


# ------------------------------------------------------------------------------------------------
# PTX


def test_ptx():
    options = {"cluster_dims": (4, 2), "launch_bounds": (128, 1, 8)}
    ptx, _ = cuda.compile_ptx(ring.py_func, (int64[:], int64), cc=(9, 0), **options)
    for text in (".reqnctapercluster 4, 2, 1", "barrier.cluster.arrive", "barrier.cluster.wait"):
        assert text in ptx
    assert ".maxclusterrank" not in ptx  # PTX takes one of the two
    bounded, _ = cuda.compile_ptx(ring.py_func, (int64[:], int64), cc=(9, 0), launch_bounds=(128, 1, 8))
    assert ".maxclusterrank 8" in bounded and ".reqnctapercluster" not in bounded
    assert ptx.count("mapa.u64") == 1
    debug, _ = cuda.compile_ptx(ring.py_func, (int64[:], int64), cc=(9, 0), debug=True)
    assert "mapa.u64" in debug


def test_ptx_of_older_gpus():
    text = "need a GPU of compute capability 9.0 or more; this is compiled for sm_80"
    with pytest.raises(UnsupportedError, match=text) as raised:
        cuda.compile_ptx(ring.py_func, (int64[:], int64), cc=(8, 0))
    assert "test_cuda_clusters.py" in str(raised.value)
    with pytest.raises(UnsupportedError, match="cluster_dims and the third of launch_bounds need a GPU of compute"):
        cuda.compile_ptx(lambda: None, (), cc=(7, 5), cluster_dims=2)
